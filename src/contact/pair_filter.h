// The narrow phase: writes the candidates within interaction range to a list.
//
// Invariants: the test is slightly wider than the interaction range, so that only the law decides
// which contacts are live. A candidate that left the range with a history is listed once more, for the law to
// end it.

#ifndef SCREE_CONTACT_PAIR_FILTER_H
#define SCREE_CONTACT_PAIR_FILTER_H

#include "world/contacts.h"

// For eight flags: the lanes whose flag is set, and their number.
struct scree_pair_filter_compaction {
    uint32_t lane[8];
    uint32_t count;
};

// One entry for each byte of flags.
void scree_pair_filter_fill(struct scree_pair_filter_compaction compaction[256]);

// Inputs and outputs of the test.
struct scree_pair_filter_job {
    const struct scree_grain *grain;
    const struct scree_pair *pair;
    const struct scree_pair_filter_compaction *compaction;
    double period[3];                     // of the cell, infinite where it is not periodic
    const struct scree_kernel_cell *cell; // a cell with cell vectors, else null
    double range;                         // interaction range: largest gap, m
    double *history;
    size_t stride;
    uint8_t *live;     // one bit per candidate: within range
    bool measure_only; // do not change `live`
    uint32_t *ended;   // output: candidates that end; the caller clears their histories after the evaluation
};

// Lists the candidates of [first, last) within range, at most SCREE_PAIR_FILTER_CHUNK, and those that end.
// `first` is a multiple of 8; the list has space for 8 more. Returns the number listed, and how many of them
// end.
enum { SCREE_PAIR_FILTER_CHUNK = 4096 };
struct scree_pair_filter_count {
    size_t in_range, ended;
};
typedef struct scree_pair_filter_count scree_pair_filter(const struct scree_pair_filter_job *job,
                                                         size_t first, size_t last, uint32_t *candidate);

// A scree_kernel_find_ended, for kernels of rows.
unsigned scree_pair_filter_find_ended(const struct scree_kernel_job *job, size_t first,
                                      unsigned out_of_range);

// The filters of one instruction set: inside a tile, and across tiles and periodic faces.
struct scree_pair_filter_set {
    scree_pair_filter *inside, *across;
};
extern const struct scree_pair_filter_set scree_pair_filter_sets[SCREE_KERNEL_SETS];

#endif
