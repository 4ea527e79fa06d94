// The narrow phase: which candidates are near enough for a law to be asked, as a list without gaps.
//
// What always holds: the test is a hair wider than touch plus reach, so that only the law decides what lives.
// Of a candidate that went farther and still remembers something the law is asked once more, to end it.

#ifndef SCREE_CONTACT_PAIR_FILTER_H
#define SCREE_CONTACT_PAIR_FILTER_H

#include "world/contacts.h"

// How eight flags pack: the lanes that are set, one behind the other.
struct scree_pair_filter_squeeze {
    uint32_t lane[8];
    uint32_t count;
};

// One row for each byte of flags.
void scree_pair_filter_fill(struct scree_pair_filter_squeeze squeeze[256]);

// What the test reads and writes.
struct scree_pair_filter_job {
    const struct scree_grain *grain;
    const struct scree_pair *pair;
    const struct scree_pair_filter_squeeze *squeeze;
    double period[3]; // of the cell, infinite where it is not periodic
    double range;     // beyond touch, m
    double *history;
    size_t stride;
    uint8_t *live;   // one bit a candidate: near now
    bool tries;      // `live` stays as it is
    uint32_t *ended; // gets those that are only to be ended: whoever asks the law clears their histories
};

// Lists the near candidates of [first, last), at most SCREE_PAIR_FILTER_CHUNK. `first` is a multiple of 8;
// the list has room for 8 more. Returns how many are near, and how many of them are to be ended.
enum { SCREE_PAIR_FILTER_CHUNK = 4096 };
struct scree_pair_filter_count {
    size_t near, ended;
};
typedef struct scree_pair_filter_count scree_pair_filter(const struct scree_pair_filter_job *job,
                                                         size_t first, size_t last, uint32_t *candidate);

// Of rows, whose loops find out for themselves what is near: see scree_kernel_leave.
unsigned scree_pair_filter_leave(const struct scree_kernel_job *job, size_t first, unsigned left);

// The filters of one set of instructions: inside a tile, and across tiles and periodic faces.
struct scree_pair_filter_set {
    scree_pair_filter *inside, *across;
};
extern const struct scree_pair_filter_set scree_pair_filter_sets[SCREE_KERNEL_SETS];

#endif
