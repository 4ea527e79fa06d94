// Order-independent sums of contact forces, moments and losses of each grain, as integers.
//
// Every grain has a quantum q of force, a power of two; the quanta of moment and loss follow from q and the
// radius (kernel.h). A term is rounded to a multiple of its quantum before it is added, and these integers
// add exactly: sums do not depend on the order of evaluation, tiles, threads or ranks. (Pre-rounding: Demmel
// and Nguyen, IEEE ARITH 21, 2013; fixed point: Le Grand et al., Comput. Phys. Commun. 184, 374, 2013.)
//
// Invariants: the rounding error of a term is at most q / 2 for a term of any size. A term beyond 2^50 q is
// split, and its upper part is added to integers with a larger unit. A term that is NaN or at least 2^160 q
// makes the whole force NaN. A quantum is a function of the state: it is chosen in the first of every
// SCREE_SUMS_EVERY steps, from the largest contact force in that step and an estimate of impact forces at the
// body's speed. Between evaluations all sums are zero.

#ifndef SCREE_CONTACT_SUMS_H
#define SCREE_CONTACT_SUMS_H

#include "base/status.h"
#include "world/contacts.h"

#include <stdatomic.h>

enum { SCREE_SUMS_EVERY = 64, SCREE_SUMS_BLOCK = 128 };

// Upper parts of terms beyond the limit, in units of 2^40, 2^80 and 2^120 quanta: for terms below 2^160
// quanta.
enum { SCREE_SUMS_LEVELS = 3, SCREE_SUMS_LEVEL_BITS = 40 };
struct scree_sums_upper {
    _Atomic int64_t level[SCREE_SUMS_LEVELS][SCREE_TERMS_ALL];
    _Atomic int64_t invalid; // number of terms that are NaN or too large
};

struct scree_sums {
    int64_t *sum, *internal; // rows of grains, of pieces (pieces.h), and dummy rows of threads
    size_t rows, sum_capacity, internal_capacity, grains;
    int threads;
    struct scree_sums_upper *upper; // by grain; pages that are never written take no memory
    size_t upper_capacity;
    _Atomic uint8_t *split; // by SCREE_SUMS_BLOCK grains: some have upper parts
    size_t split_capacity;
    _Atomic bool any_split;    // one of these flags is set
    _Atomic uint16_t *largest; // by grain: exponent of the largest force measured, 0 for none
    size_t largest_capacity;
    uint32_t *crowded; // grains with many candidates, whose sums are emptied regularly to prevent overflow
    size_t crowded_count, crowded_capacity;
    const uint32_t *grain_of; // by row after those of grains: its grain
};

// Allocates rows for the grains of new lists, `extra_rows` for pieces, and one for each thread, all zero.
// Requires that all sums are zero, or were freed.
SCREE_NODISCARD scree_status scree_sums_prepare(struct scree_sums *sums,
                                                const struct scree_contacts *contacts, size_t extra_rows,
                                                int threads, bool internal);
void scree_sums_free(struct scree_sums *sums);

// The dummy row of a thread, which is never read.
static inline uint32_t scree_sums_dummy_row(const struct scree_sums *sums, int thread)
{
    return (uint32_t)(sums->rows + (size_t)thread);
}

// Called by kernels, see scree_kernel_job, whose context is the sums.
void scree_sums_split(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight);
void scree_sums_measure(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight);

// Adds the SCREE_TERMS_ALL terms of one contact to a row of a grain: that of its slot, or one of a piece.
void scree_sums_add(struct scree_sums *sums, const struct scree_grain *grain, uint32_t slot, uint32_t row,
                    const double *terms);
void scree_sums_measure_one(struct scree_sums *sums, uint32_t slot, const double *terms);

// Moves the upper parts of the sums of crowded grains to level 0. Sums cannot overflow if this is called
// after every SCREE_PAIR_FILTER_CHUNK candidates.
void scree_sums_empty_crowded(struct scree_sums *sums, uint32_t (*row_of)(const void *, uint32_t),
                              const void *context);

// Adds row `from` to row `into`, and clears `from`.
void scree_sums_merge(struct scree_sums *sums, uint32_t from, uint32_t into);

// What was evaluated: a state, a step, or a step in which few grains have contacts.
enum scree_sums_taking { SCREE_SUMS_STATE, SCREE_SUMS_STEP, SCREE_SUMS_SPARSE };

// Writes force and moment of the grains [first, last) of one block to `wrench`, adds their losses to `loss`,
// and clears their sums. Both arrays begin at `first`.
void scree_sums_take(struct scree_sums *sums, const struct scree_grain *grain, size_t first, size_t last,
                     struct scree_wrench *wrench, struct scree_losses *loss, enum scree_sums_taking taking);

// The force on a grain whose sums are complete, and not taken yet.
void scree_sums_force(struct scree_sums *sums, const struct scree_grain *grain, uint32_t slot,
                      double force[3]);

// Returns true if grains of the block that begins at `first` may have upper parts. Only scree_sums_take adds
// these to the results.
static inline bool scree_sums_are_split(const struct scree_sums *sums, size_t first)
{
    return atomic_load_explicit(&sums->split[first / SCREE_SUMS_BLOCK], memory_order_relaxed);
}

static inline bool scree_sums_any_is_split(const struct scree_sums *sums)
{
    return atomic_load_explicit(&sums->any_split, memory_order_relaxed);
}

// Prepares for an evaluation. `measures`: forces are measured in it.
void scree_sums_begin(struct scree_sums *sums, bool measures);

// Chooses the quantum of a grain from the measured forces and the time step `step`, which may be 0. Without
// forces and with step 0 the quantum is unchanged.
void scree_sums_choose(const struct scree_sums *sums, struct scree_grain *grain, uint32_t slot, double step);

// Rounds a loss to the quantum of losses of a grain.
double scree_sums_round_loss(const struct scree_grain *grain, double loss);

// The quantum for forces up to `bound`, for a grain of this radius.
uint16_t scree_sums_quantum(double bound, double radius);

#endif
