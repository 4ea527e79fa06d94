// The calls through the table, and the table of the one-rank stand-in.

#include "base/comm.h"

#include <string.h>

static int serial_rank(void *context)
{
    (void)context;
    return 0;
}

static int serial_size(void *context)
{
    (void)context;
    return 1;
}

static scree_status serial_barrier(void *context)
{
    (void)context;
    return SCREE_OK;
}

// over one rank every reduction leaves the values as they are
static scree_status serial_integers(void *context, int64_t *values, size_t count)
{
    (void)context, (void)values, (void)count;
    return SCREE_OK;
}

static scree_status serial_doubles(void *context, double *values, size_t count)
{
    (void)context, (void)values, (void)count;
    return SCREE_OK;
}

static scree_status serial_exchange(void *context, struct scree_comm_neighbour *neighbours, size_t count)
{
    (void)context;
    for (size_t i = 0; i < count; ++i) {
        struct scree_comm_neighbour *self = neighbours + i;
        if (self->rank != 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "rank %d cannot be a neighbour: the only rank is 0", self->rank);
        SCREE_TRY(scree_array_reserve(&self->receive, self->send.count));
        if (self->send.count > 0)
            memcpy(self->receive.data, self->send.data, self->send.count);
        self->receive.count = self->send.count;
    }
    return SCREE_OK;
}

static const struct scree_comm_table serial_table = {
    .name = "serial",
    .rank = serial_rank,
    .size = serial_size,
    .barrier = serial_barrier,
    .sum = serial_integers,
    .minimum = serial_doubles,
    .maximum = serial_doubles,
    .exchange = serial_exchange,
};

const struct scree_comm scree_comm_serial = {.table = &serial_table};

int scree_comm_rank(const struct scree_comm *comm)
{
    return comm->table->rank(comm->context);
}

int scree_comm_size(const struct scree_comm *comm)
{
    return comm->table->size(comm->context);
}

scree_status scree_comm_barrier(const struct scree_comm *comm)
{
    return comm->table->barrier(comm->context);
}

scree_status scree_comm_sum(const struct scree_comm *comm, int64_t *values, size_t count)
{
    return comm->table->sum(comm->context, values, count);
}

scree_status scree_comm_minimum(const struct scree_comm *comm, double *values, size_t count)
{
    return comm->table->minimum(comm->context, values, count);
}

scree_status scree_comm_maximum(const struct scree_comm *comm, double *values, size_t count)
{
    return comm->table->maximum(comm->context, values, count);
}

scree_status scree_comm_exchange(const struct scree_comm *comm, struct scree_comm_neighbour *neighbours,
                                 size_t count)
{
    return comm->table->exchange(comm->context, neighbours, count);
}

scree_status scree_comm_sum_exact(const struct scree_comm *comm, struct scree_sum *sum)
{
    // a sum is nothing but integers, and settled ones leave room for the carries of 2^30 ranks
    int64_t values[sizeof *sum / sizeof(int64_t)];
    _Static_assert(sizeof values == sizeof *sum, "a sum holds integers only");
    scree_sum_settle(sum);
    memcpy(values, sum, sizeof values);
    SCREE_TRY(scree_comm_sum(comm, values, sizeof values / sizeof *values));
    memcpy(sum, values, sizeof values);
    return SCREE_OK;
}

void scree_comm_neighbour_free(struct scree_comm_neighbour *neighbour)
{
    scree_array_free(&neighbour->send);
    scree_array_free(&neighbour->receive);
}
