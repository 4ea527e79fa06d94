// How ranks talk: a table of operations, with a stand-in of one rank, so that callers need no second path.
//
// What always holds: every operation but rank and size is collective (all ranks call it, in the same order,
// with the same count), and its result is the same bits on every rank and for every number of ranks: integers
// are added wrapping, doubles are only compared, and an exact sum is added as integers.

#ifndef SCREE_BASE_COMM_H
#define SCREE_BASE_COMM_H

#include "base/array.h"
#include "base/sum.h"

#include <stdint.h>

// What goes to and comes from one other rank. The receive buffer is resized by the exchange.
struct scree_comm_neighbour {
    int rank;
    SCREE_ARRAY(unsigned char) send;
    SCREE_ARRAY(unsigned char) receive;
};

struct scree_comm_table {
    const char *name;
    int (*rank)(void *context);
    int (*size)(void *context);
    scree_status (*barrier)(void *context);
    // each replaces the values by their sum, least or greatest over the ranks; no double may be NaN
    scree_status (*sum)(void *context, int64_t *values, size_t count);
    scree_status (*minimum)(void *context, double *values, size_t count);
    scree_status (*maximum)(void *context, double *values, size_t count);
    // neighbourhood is mutual: when one rank lists another, the other lists it as often; the calling rank may
    // list itself
    scree_status (*exchange)(void *context, struct scree_comm_neighbour *neighbours, size_t count);
};

struct scree_comm {
    const struct scree_comm_table *table;
    void *context;
};

// One rank, numbered 0.
extern const struct scree_comm scree_comm_serial;

int scree_comm_rank(const struct scree_comm *comm);
int scree_comm_size(const struct scree_comm *comm);
SCREE_NODISCARD scree_status scree_comm_barrier(const struct scree_comm *comm);
SCREE_NODISCARD scree_status scree_comm_sum(const struct scree_comm *comm, int64_t *values, size_t count);
SCREE_NODISCARD scree_status scree_comm_minimum(const struct scree_comm *comm, double *values, size_t count);
SCREE_NODISCARD scree_status scree_comm_maximum(const struct scree_comm *comm, double *values, size_t count);
SCREE_NODISCARD scree_status scree_comm_exchange(const struct scree_comm *comm,
                                                 struct scree_comm_neighbour *neighbours, size_t count);

// Replaces the sum by that of all ranks' sums.
SCREE_NODISCARD scree_status scree_comm_sum_exact(const struct scree_comm *comm, struct scree_sum *sum);

// Empties the buffers of a neighbour.
void scree_comm_neighbour_free(struct scree_comm_neighbour *neighbour);

#endif
