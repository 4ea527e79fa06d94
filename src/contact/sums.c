// Order-independent sums, see sums.h.

#include "contact/sums.h"

#include "base/memory.h"
#include "base/processor.h"
#include "math/real.h"

#include <math.h>
#include <string.h>

// The constants M that round the terms of a grain, and the quanta of its sums.
struct rounding {
    double constant[SCREE_TERMS_ALL], quantum[SCREE_TERMS_ALL];
};

// quanta per unit of the lowest level; also units of each level per unit of the next
static const double level_unit = (double)(INT64_C(1) << SCREE_SUMS_LEVEL_BITS);

// largest expected growth of contact forces until quanta are chosen again
static const double force_growth = 16;

// safety factor on estimated impact forces
static const double impact_safety = 4;

// bound for a grain at rest without contacts, in mass * radius / step^2
static const double resting_bound = 0x1p-10;

// A smaller bound than this fraction of it is that of a grain which is nearly at rest without contacts, for
// example after long damping: another grain that hits it must not be beyond 2^160 quanta. In a step such a
// force moves the grain by less than 2^-70 of its radius.
static const double least_bound = 0x1p-60;

// a sum beyond this is emptied; SCREE_CONTACTS_CROWDED terms of at most 2^50 quanta stay within it
static const int64_t largest_sum = INT64_C(1) << 62;

// limits of the exponents of the constants M: from the lower one on quanta are not subnormal, up to the upper
// one the largest terms of the upper levels are finite
enum { LEAST_EXPONENT = -960, MOST_EXPONENT = 820 };

static struct rounding rounding_of(const struct scree_grain *grain)
{
    struct rounding r;
    const double force = scree_real_from_bits((uint64_t)grain->quantum << 48);
    const double moment = force * scree_real_from_bits(scree_real_bits(grain->radius) & SCREE_QUANTUM_SIZE);
    const double loss = moment * SCREE_QUANTUM_LOSS;
    for (int k = 0; k < SCREE_TERMS_ALL; ++k) {
        const bool is_loss = k == SCREE_TERM_FRICTION || k == SCREE_TERM_DASHPOT || k == SCREE_TERM_INTERNAL;
        r.constant[k] = is_loss ? loss : k < SCREE_TERM_FRICTION ? force : moment;
        // M is 7 * 2^50 quanta
        r.quantum[k] = r.constant[k] / 0x1.cp52;
    }
    return r;
}

double scree_sums_round_loss(const struct scree_grain *grain, double loss)
{
    const double constant = rounding_of(grain).constant[SCREE_TERM_DASHPOT];
    return grain->quantum > 0 ? (loss + constant) - constant : loss;
}

static bool is_within_limit(double term, double constant)
{
    return ((scree_real_bits(term + constant) ^ scree_real_bits(constant)) & SCREE_QUANTUM_MASK) == 0;
}

// --- terms beyond the limit

// Splits a term into multiples of the units of the levels, the highest level first, adds these to the levels
// and returns the remainder, which is within the limit. A term adds less than 2^40 units to a level, so 2^23
// terms cannot overflow it.
static double split(struct scree_sums_upper *upper, int k, double term, double quantum)
{
    double unit = quantum * level_unit * level_unit * level_unit;
    if (!(quantum > 0) || !(fabs(term) < unit * level_unit)) {
        atomic_fetch_add_explicit(&upper->invalid, 1, memory_order_relaxed);
        return 0;
    }
    for (int level = SCREE_SUMS_LEVELS - 1; level >= 0; --level, unit /= level_unit) {
        // round to nearest: the remainder is exact
        const double units = (term / unit + 0x1.8p52) - 0x1.8p52;
        atomic_fetch_add_explicit(&upper->level[level][k], (int64_t)units, memory_order_relaxed);
        term -= units * unit;
    }
    return term;
}

static uint32_t grain_of_row(const struct scree_sums *sums, uint32_t row)
{
    return row < sums->grains ? row : sums->grain_of[row - sums->grains];
}

static void mark_split(struct scree_sums *sums, uint32_t slot)
{
    atomic_store_explicit(&sums->split[slot / SCREE_SUMS_BLOCK], 1, memory_order_relaxed);
    atomic_store_explicit(&sums->any_split, true, memory_order_relaxed);
}

static int64_t *sum_of(struct scree_sums *sums, uint32_t row, int k)
{
    return k < SCREE_TERMS ? &sums->sum[SCREE_TERMS * (size_t)row + (size_t)k] : &sums->internal[row];
}

// Moves the upper part of a sum to level 0, so that the integer cannot overflow.
static void empty(struct scree_sums *sums, uint32_t row, int k)
{
    const uint32_t slot = grain_of_row(sums, row);
    int64_t *sum = sum_of(sums, row, k);
    const int64_t unit = INT64_C(1) << SCREE_SUMS_LEVEL_BITS, units = *sum / unit;
    if (units == 0)
        return;
    atomic_fetch_add_explicit(&sums->upper[slot].level[0][k], units, memory_order_relaxed);
    *sum -= units * unit;
    mark_split(sums, slot);
}

static void empty_if_large(struct scree_sums *sums, uint32_t row, int k)
{
    const int64_t sum = *sum_of(sums, row, k);
    if (sum >= largest_sum || sum <= -largest_sum)
        empty(sums, row, k);
}

void scree_sums_split(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight)
{
    struct scree_sums *sums = (struct scree_sums *)job->context;
    for (unsigned l = 0; l < 8; ++l) {
        const uint32_t slot = eight->grain[l];
        const struct rounding r = rounding_of(&job->grain[slot]);
        for (int k = 0; k < SCREE_TERMS_ALL; ++k) {
            double *term = &eight->term[k][l];
            if (l >= eight->count) {
                *term = 0;
            } else if (!is_within_limit(*term, r.constant[k])) {
                *term = split(&sums->upper[slot], k, *term, r.quantum[k]);
                mark_split(sums, slot);
            }
        }
    }
}

void scree_sums_add(struct scree_sums *sums, const struct scree_grain *grain, uint32_t slot, uint32_t row,
                    const double *terms)
{
    const struct rounding r = rounding_of(grain);
    for (int k = 0; k < (sums->internal ? SCREE_TERMS_ALL : SCREE_TERMS); ++k) {
        double term = terms[k];
        if (!is_within_limit(term, r.constant[k])) {
            term = split(&sums->upper[slot], k, term, r.quantum[k]);
            mark_split(sums, slot);
        }
        const int64_t rounded =
            (int64_t)(scree_real_bits(term + r.constant[k]) - scree_real_bits(r.constant[k]));
        *sum_of(sums, row, k) += rounded;
        // the number of contacts of walls, and of those from outside, has no limit
        empty_if_large(sums, row, k);
    }
}

void scree_sums_empty_crowded(struct scree_sums *sums, uint32_t (*row_of)(const void *, uint32_t),
                              const void *context)
{
    for (size_t c = 0; c < sums->crowded_count; ++c) {
        const uint32_t row = row_of(context, sums->crowded[c]);
        for (int k = 0; row != UINT32_MAX && k < (sums->internal ? SCREE_TERMS_ALL : SCREE_TERMS); ++k)
            empty(sums, row, k);
    }
}

// Both rows can be nearly full: emptied ones have less than half of the range left.
void scree_sums_merge(struct scree_sums *sums, uint32_t from, uint32_t into)
{
    for (int k = 0; k < (sums->internal ? SCREE_TERMS_ALL : SCREE_TERMS); ++k) {
        empty_if_large(sums, from, k);
        empty_if_large(sums, into, k);
        int64_t *sum = sum_of(sums, from, k);
        *sum_of(sums, into, k) += *sum;
        *sum = 0;
    }
}

// --- taking sums

// A sum with its upper parts. First each part except the highest is brought into 0 to 2^40 - 1 by carries, so
// the result does not depend on when parts were moved up. Below 2^93 quanta all parts above the lowest fit in
// 53 bits, so the sum is rounded once, like an integer without upper parts.
static double sum_with_upper(struct scree_sums_upper *upper, int k, int64_t lowest)
{
    const int64_t unit = INT64_C(1) << SCREE_SUMS_LEVEL_BITS;
    int64_t part[SCREE_SUMS_LEVELS + 1] = {lowest};
    double sum = 0;
    if (atomic_load_explicit(&upper->invalid, memory_order_relaxed))
        return (double)NAN;
    for (int p = 1; p <= SCREE_SUMS_LEVELS; ++p) {
        const int64_t remainder = (part[p - 1] % unit + unit) % unit;
        part[p] = (part[p - 1] - remainder) / unit +
                  atomic_load_explicit(&upper->level[p - 1][k], memory_order_relaxed);
        part[p - 1] = remainder;
    }
    for (int p = SCREE_SUMS_LEVELS; p >= 0; --p)
        sum = sum * level_unit + (double)part[p];
    return sum;
}

// Sums of a grain with upper parts, in quanta.
static void take_upper(struct scree_sums *sums, uint32_t slot, double *term, double *internal)
{
    const int64_t *sum = sums->sum + SCREE_TERMS * (size_t)slot;
    for (int k = 0; k < SCREE_TERMS; ++k)
        term[k] = sum_with_upper(&sums->upper[slot], k, sum[k]);
    if (sums->internal)
        *internal = sum_with_upper(&sums->upper[slot], SCREE_TERM_INTERNAL, sums->internal[slot]);
    memset(&sums->upper[slot], 0, sizeof sums->upper[slot]);
}

static bool has_upper(const struct scree_sums_upper *upper)
{
    int64_t any = atomic_load_explicit(&upper->invalid, memory_order_relaxed);
    for (int level = 0; level < SCREE_SUMS_LEVELS; ++level)
        for (int k = 0; k < SCREE_TERMS_ALL; ++k)
            any |= atomic_load_explicit(&upper->level[level][k], memory_order_relaxed);
    return any != 0;
}

// Returns true for a grain without contact forces in a step, and sets its force to zero.
static inline bool skip_untouched(const struct scree_sums *sums, size_t slot, struct scree_wrench *wrench,
                                  struct scree_losses *loss)
{
    const int64_t *sum = sums->sum + SCREE_TERMS * slot;
    int64_t any = sums->internal ? sums->internal[slot] : 0;
    for (int k = 0; k < SCREE_TERMS; ++k)
        any |= sum[k];
    if (any != 0)
        return false;
    for (int k = 0; k < 3; ++k)
        wrench->force[k] = wrench->moment[k] = 0;
    if (loss->ahead != 0)
        loss->ahead = 0;
    return true;
}

#define SCREE_KERNEL_BODY "contact/sums.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

typedef void take(struct scree_sums *sums, const struct scree_grain *grain, size_t first, size_t last,
                  struct scree_wrench *wrench, struct scree_losses *loss, enum scree_sums_taking taking);

static take *const sets[SCREE_KERNEL_SETS] = {
    scree_kernel_take_v2,
#if SCREE_WIDE_SETS
    scree_kernel_take_v3,
    scree_kernel_take_v4,
#endif
};

// the grains are in one block, which has one flag for upper parts
void scree_sums_take(struct scree_sums *sums, const struct scree_grain *grain, size_t first, size_t last,
                     struct scree_wrench *wrench, struct scree_losses *loss, enum scree_sums_taking taking)
{
    sets[scree_processor_set()](sums, grain, first, last, wrench, loss, taking);
}

void scree_sums_force(struct scree_sums *sums, const struct scree_grain *grain, uint32_t slot,
                      double force[3])
{
    const struct rounding r = rounding_of(grain);
    const bool upper = scree_sums_are_split(sums, slot / SCREE_SUMS_BLOCK * SCREE_SUMS_BLOCK);
    for (int k = 0; k < 3; ++k) {
        const int64_t sum = sums->sum[SCREE_TERMS * (size_t)slot + (size_t)(SCREE_TERM_FORCE + k)];
        force[k] = r.quantum[SCREE_TERM_FORCE + k] *
                   (upper ? sum_with_upper(&sums->upper[slot], SCREE_TERM_FORCE + k, sum) : (double)sum);
    }
}

// --- quanta

static int exponent_of(double value)
{
    return (int)(scree_real_bits(value) >> 52 & 0x7FF);
}

static void measure(struct scree_sums *sums, uint32_t slot, double x, double y, double z)
{
    double most = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    most = fabs(z) > most ? fabs(z) : most;
    // subnormal forces count as exponent 1; infinite forces and NaN count as 0, unknown
    const int found = most < (double)INFINITY ? exponent_of(most) : 0;
    const uint16_t exponent = found == 0 && most > 0 && most < (double)INFINITY ? 1 : (uint16_t)found;
    uint16_t known = atomic_load_explicit(&sums->largest[slot], memory_order_relaxed);
    while (exponent > known &&
           !atomic_compare_exchange_weak_explicit(&sums->largest[slot], &known, exponent,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

void scree_sums_measure(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight)
{
    for (unsigned l = 0; l < eight->count; ++l)
        measure((struct scree_sums *)job->context, eight->grain[l], eight->term[0][l], eight->term[1][l],
                eight->term[2][l]);
}

void scree_sums_measure_one(struct scree_sums *sums, uint32_t slot, const double *terms)
{
    measure(sums, slot, terms[0], terms[1], terms[2]);
}

void scree_sums_begin(struct scree_sums *sums, bool measures)
{
    if (sums->grains == 0)
        return;
    // dummy rows, which are never read, must not overflow either
    const size_t threads = (size_t)sums->threads;
    memset(sums->sum + SCREE_TERMS * sums->rows, 0, threads * SCREE_TERMS * sizeof *sums->sum);
    if (sums->internal)
        memset(sums->internal + sums->rows, 0, threads * sizeof *sums->internal);
    memset((void *)sums->split, 0, sums->grains / SCREE_SUMS_BLOCK + 1);
    atomic_store_explicit(&sums->any_split, false, memory_order_relaxed);
    if (measures)
        memset((void *)sums->largest, 0, sums->grains * sizeof *sums->largest);
}

uint16_t scree_sums_quantum(double bound, double radius)
{
    // the limit, 2^50 quanta, is the next power of two; M is 7/4 * 2^52 quanta
    int exponent = exponent_of(bound) - 1023 + 1 + 2;
    // moments are 2^size times as large, losses 2^-10 of that
    const int size = exponent_of(radius) - 1023;
    const int smaller = size < 0 ? size - 10 : -10, larger = size > 0 ? size : 0;
    exponent = exponent + smaller < LEAST_EXPONENT ? LEAST_EXPONENT - smaller : exponent;
    exponent = exponent + larger > MOST_EXPONENT ? MOST_EXPONENT - larger : exponent;
    return (uint16_t)((exponent + 1023) << 4 | 12);
}

// Estimated largest impact force on a grain in a step, from its momentum; 0 or infinite if out of range.
static double bound_of(const struct scree_grain *grain, double step)
{
    double speed = 0;
    for (int k = 0; k < 3; ++k)
        speed = fabs(grain->velocity[k]) > speed ? fabs(grain->velocity[k]) : speed;
    return impact_safety * grain->mass * (speed / step);
}

void scree_sums_choose(const struct scree_sums *sums, struct scree_grain *grain, uint32_t slot, double step)
{
    // the next power of two bounds all forces of this exponent
    const uint64_t largest = atomic_load_explicit(&sums->largest[slot], memory_order_relaxed);
    double bound = largest > 0 ? force_growth * scree_real_from_bits((largest + 1) << 52) : 0;
    if (!(grain->radius > 0) || (largest == 0 && !(step > 0)))
        return;
    if (step > 0) {
        const double impact_force = bound_of(grain, step);
        bound = impact_force > bound ? impact_force : bound;
        // a grain at rest without contacts needs a quantum too: another grain may hit it
        const double resting = resting_bound * grain->mass * (grain->radius / step / step);
        bound = bound > least_bound * resting ? bound : resting;
    }
    // in a step every grain gets a quantum
    grain->quantum = scree_sums_quantum(bound, grain->radius);
}

// --- memory

static scree_status list_crowded(struct scree_sums *sums, const struct scree_contacts *contacts)
{
    const size_t count = contacts->crowded_count;
    SCREE_TRY(
        scree_memory_grow((void **)&sums->crowded, &sums->crowded_capacity, count, sizeof *sums->crowded));
    sums->crowded_count = count;
    if (count > 0)
        memcpy(sums->crowded, contacts->crowded, count * sizeof *sums->crowded);
    return SCREE_OK;
}

scree_status scree_sums_prepare(struct scree_sums *sums, const struct scree_contacts *contacts,
                                size_t extra_rows, int threads, bool internal)
{
    const size_t rows = contacts->grains + extra_rows, all = rows + (size_t)threads;
    SCREE_TRY(
        scree_memory_grow((void **)&sums->sum, &sums->sum_capacity, SCREE_TERMS * all, sizeof *sums->sum));
    if (internal)
        SCREE_TRY(scree_memory_grow((void **)&sums->internal, &sums->internal_capacity, all,
                                    sizeof *sums->internal));
    SCREE_TRY(scree_memory_grow((void **)&sums->upper, &sums->upper_capacity, contacts->grains,
                                sizeof *sums->upper));
    SCREE_TRY(scree_memory_grow((void **)&sums->split, &sums->split_capacity,
                                contacts->grains / SCREE_SUMS_BLOCK + 1, 1));
    SCREE_TRY(scree_memory_grow((void **)&sums->largest, &sums->largest_capacity, contacts->grains,
                                sizeof *sums->largest));
    SCREE_TRY(list_crowded(sums, contacts));
    sums->rows = rows;
    sums->grains = contacts->grains;
    sums->threads = threads;
    if (!internal) {
        scree_memory_free(sums->internal);
        sums->internal = NULL;
        sums->internal_capacity = 0;
    }
    return SCREE_OK;
}

void scree_sums_free(struct scree_sums *sums)
{
    scree_memory_free(sums->sum);
    scree_memory_free(sums->internal);
    scree_memory_free(sums->upper);
    scree_memory_free((void *)sums->split);
    scree_memory_free((void *)sums->largest);
    scree_memory_free(sums->crowded);
    *sums = (struct scree_sums){0};
}
