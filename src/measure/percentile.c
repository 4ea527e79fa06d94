// Percentiles, see include/scree/measure.h. Samples are sorted by value, then by weight, so that cumulative
// sums of weights do not depend on the order of slots.

#include "base/memory.h"
#include "base/sort.h"
#include "contact/walk.h"
#include "measure/part.h"
#include "world/body.h"
#include "world/grain.h"

#include <float.h>
#include <math.h>

struct sample {
    double value, weight; // the value is not negative
};

struct samples {
    const struct scree_part *part;
    enum scree_measure_quantity quantity;
    bool by_mass;
    struct sample *sample;
    size_t count, capacity;
    struct sample *copy; // for sorting
    uint64_t *key;
    uint32_t *order;
};

static bool is_of_contacts(enum scree_measure_quantity quantity)
{
    return quantity == SCREE_MEASURE_OVERLAP || quantity == SCREE_MEASURE_FORCE;
}

static void add_sample(struct samples *samples, double value, double weight)
{
    if (samples->count < samples->capacity)
        samples->sample[samples->count++] = (struct sample){value, samples->by_mass ? weight : 1};
}

static void add_body(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                     void *user)
{
    struct samples *samples = (struct samples *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (!scree_part_has(samples->part, world, slot.index))
        return;
    if (samples->quantity == SCREE_MEASURE_SPEED)
        add_sample(samples, scree_vec3_norm(scree_body_fluctuation(world, grain, motion->velocity)),
                   grain->mass);
    else if (scree_grain_equal_radius(world, slot.index) > 0)
        add_sample(samples, 2 * scree_grain_equal_radius(world, slot.index), grain->mass);
}

static void add_contact(const struct scree_walk_item *contact, void *user)
{
    struct samples *samples = (struct samples *)user;
    if (!scree_part_contains(samples->part, contact->point))
        return;
    // an attractive contact may have a gap: overlap 0
    const double overlap = contact->evaluated->overlap > 0 ? contact->evaluated->overlap : 0;
    add_sample(samples,
               samples->quantity == SCREE_MEASURE_OVERLAP ? overlap
                                                          : scree_vec3_norm(scree_vec3_load(contact->force)),
               1);
}

// Sorts stably by value or by weight: non-negative doubles have the order of their bits.
static scree_status sort_by(struct samples *samples, bool value)
{
    const size_t count = samples->count;
    for (size_t k = 0; k < count; ++k) {
        samples->copy[k] = samples->sample[k];
        memcpy(&samples->key[k], value ? &samples->copy[k].value : &samples->copy[k].weight, sizeof(double));
    }
    SCREE_TRY(scree_sort_order(samples->key, count, samples->order));
    for (size_t k = 0; k < count; ++k)
        samples->sample[k] = samples->copy[samples->order[k]];
    return SCREE_OK;
}

static scree_status sort(struct samples *samples)
{
    SCREE_TRY(scree_memory_new(samples->count, sizeof *samples->copy, (void **)&samples->copy));
    SCREE_TRY(scree_memory_new(samples->count, sizeof *samples->key, (void **)&samples->key));
    SCREE_TRY(scree_memory_new(samples->count, sizeof *samples->order, (void **)&samples->order));
    SCREE_TRY(sort_by(samples, false));
    return sort_by(samples, true);
}

// A sum and its rounding error (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
// endlicher Summen", ZAMM 54, 1974), so that its error does not grow with the number of bodies.
struct total {
    double sum, rounding_error;
};

static void add(struct total *total, double value)
{
    const double sum = total->sum + value;
    total->rounding_error += total->sum >= value ? (total->sum - sum) + value : (value - sum) + total->sum;
    total->sum = sum;
}

// The smallest value such that `percent` of the total weight belongs to values at most this. The factor
// allows for round-off of the sums, the products and the percentage.
static double find(const struct samples *samples, double percent)
{
    struct total all = {0}, below = {0};
    for (size_t k = 0; k < samples->count; ++k)
        add(&all, samples->sample[k].weight);
    const double wanted = percent * (all.sum + all.rounding_error) * (1 - 8 * DBL_EPSILON);
    for (size_t k = 0; k < samples->count; ++k) {
        add(&below, samples->sample[k].weight);
        if (100 * (below.sum + below.rounding_error) >= wanted)
            return samples->sample[k].value;
    }
    return samples->count > 0 ? samples->sample[samples->count - 1].value : 0;
}

static void count_contact(const struct scree_walk_item *contact, void *user)
{
    (void)contact;
    ++*(size_t *)user;
}

static scree_status fill(struct scree_world *world, struct samples *samples)
{
    const bool bodies = !is_of_contacts(samples->quantity);
    if (bodies)
        samples->capacity = scree_world_bodies(world);
    else
        SCREE_TRY(scree_walk_contacts(world, count_contact, &samples->capacity));
    SCREE_TRY(scree_memory_new(samples->capacity, sizeof *samples->sample, (void **)&samples->sample));
    return bodies ? scree_walk_bodies(world, add_body, samples)
                  : scree_walk_contacts(world, add_contact, samples);
}

scree_status scree_measure_percentile(struct scree_world *world, const struct scree_measure_region *region,
                                      enum scree_measure_quantity quantity, bool by_mass, double percent,
                                      double *value)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    struct samples samples = {.part = &part, .quantity = quantity, .by_mass = by_mass};
    if ((unsigned)quantity > SCREE_MEASURE_FORCE)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no quantity with number %d", (int)quantity);
    if (!(percent >= 0 && percent <= 100))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a percentile must be from 0 to 100; got %g", percent);
    if (by_mass && is_of_contacts(quantity))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "contacts have no mass: use percentiles by number");
    SCREE_TRY(scree_part_begin(world, region, &part));
    if (is_of_contacts(quantity))
        SCREE_TRY(scree_part_of_contacts(&part));
    scree_status status = fill(world, &samples);
    if (status == SCREE_OK)
        status = sort(&samples);
    if (status == SCREE_OK)
        *value = find(&samples, percent);
    scree_memory_free(samples.sample);
    scree_memory_free(samples.copy);
    scree_memory_free(samples.key);
    scree_memory_free(samples.order);
    return status;
}
