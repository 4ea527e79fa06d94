// Sums without an order: what contacts give every body, as integers.
//
// Every body has a quantum q of force, a power of two; those of moment and loss follow from it and the radius
// (kernel.h). A term is rounded to a multiple of its quantum before it is added, and such integers add
// exactly: the order of evaluation, tiles, threads and ranks do not show in a sum. (Pre-rounding: Demmel and
// Nguyen, IEEE ARITH 21, 2013; fixed point: Le Grand et al., Comput. Phys. Commun. 184, 374, 2013.)
//
// What always holds: a term is within q / 2 of what is added for it, however large it is: what is beyond 2^50
// q is split, and its upper part is added to integers of a coarser kind. One that is not a number, or that
// not even those can hold, makes the whole force not a number. A quantum is a function of state: it is chosen
// in the first of every SCREE_SUMS_EVERY steps, from the largest force of a contact in that step and from
// what an impact can come to at the body's speed. Between evaluations all sums are zero.

#ifndef SCREE_CONTACT_SUMS_H
#define SCREE_CONTACT_SUMS_H

#include "base/status.h"
#include "world/contacts.h"

#include <stdatomic.h>

enum { SCREE_SUMS_EVERY = 64, SCREE_SUMS_BLOCK = 128 };

// What is beyond the limits of terms, in units of 2^40, 2^80 and 2^120 quanta: terms below 2^160 quanta.
enum { SCREE_SUMS_LEVELS = 3, SCREE_SUMS_LEVEL_BITS = 40 };
struct scree_sums_upper {
    _Atomic int64_t level[SCREE_SUMS_LEVELS][SCREE_TERMS_ALL];
    _Atomic int64_t lost; // terms that are no numbers, or beyond everything
};

struct scree_sums {
    int64_t *sum, *internal; // by grain, then by what pieces.h adds to them, then those that are never read
    size_t rows, room, inner_room, grains;
    int threads;
    struct scree_sums_upper *upper; // by grain; pages that nothing is written to take no memory
    size_t upper_room;
    _Atomic uint8_t *split; // by SCREE_SUMS_BLOCK grains: whether `upper` has anything of them
    size_t split_room;
    _Atomic uint16_t *largest; // by grain: exponent of the largest force measured, 0 for none
    size_t largest_room;
    uint32_t *crowded; // grains with so many candidates that sums could run over unless they are emptied
    size_t crowded_count, crowded_room;
    const uint32_t *grain_of; // by row beyond the grains: whose it is
};

// Room for the grains of new lists, `more` rows beyond them, and one for each thread, all of them zero. The
// sums are zeroed or have been freed.
SCREE_NODISCARD scree_status scree_sums_prepare(struct scree_sums *sums,
                                                const struct scree_contacts *contacts, size_t more,
                                                int threads, bool internal);
void scree_sums_free(struct scree_sums *sums);

// The row of a thread that is never read.
static inline uint32_t scree_sums_nowhere(const struct scree_sums *sums, int thread)
{
    return (uint32_t)(sums->rows + (size_t)thread);
}

// What loops call: see scree_kernel_job, whose context is the sums.
void scree_sums_beyond(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight);
void scree_sums_measure(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight);

// Adds the terms of one more contact, SCREE_TERMS_ALL, to a grain.
void scree_sums_add(struct scree_sums *sums, const struct scree_grain *grain, uint32_t slot,
                    const double *terms);
void scree_sums_measure_one(struct scree_sums *sums, uint32_t slot, const double *terms);

// Moves what crowded grains have to where there is room. Called often enough, nothing runs over.
void scree_sums_empty_crowded(struct scree_sums *sums, uint32_t (*row_of)(const void *, uint32_t),
                              const void *context);

// Adds one row to another and empties it.
void scree_sums_merge(struct scree_sums *sums, uint32_t from, uint32_t into);

// Contacts have not advanced; they have; they have, and hardly any of the grains touches anything.
enum scree_sums_taking { SCREE_SUMS_LOOK, SCREE_SUMS_STEP, SCREE_SUMS_SPARSE };

// Writes force and moment of the grains [first, last), which are of one block, to `wrench` and adds to
// `loss`, those of `first` first, and empties their sums.
void scree_sums_take(struct scree_sums *sums, const struct scree_grain *grain, size_t first, size_t last,
                     struct scree_wrench *wrench, struct scree_losses *loss, enum scree_sums_taking taking);

// Whether some of a block of grains, named by its first, may have parts that only scree_sums_take sees.
static inline bool scree_sums_are_split(const struct scree_sums *sums, size_t first)
{
    return atomic_load_explicit(&sums->split[first / SCREE_SUMS_BLOCK], memory_order_relaxed);
}

// Before an evaluation: nothing is beyond the limits yet. `measures`: nothing has been measured either.
void scree_sums_begin(struct scree_sums *sums, bool measures);

// Chooses the quantum of a grain for a time step of `step`, 0 where none is known. What nothing is known of
// stays as it is.
void scree_sums_choose(const struct scree_sums *sums, struct scree_grain *grain, uint32_t slot, double step);

// What a contact took from a grain as it is added to the sum of these: rounded to the quantum of losses.
double scree_sums_round_loss(const struct scree_grain *grain, double loss);

// The quantum that suits terms of such a size, for a grain of such a radius.
uint16_t scree_sums_quantum(double bound, double radius);

#endif
