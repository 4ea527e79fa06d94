// Percentiles, see include/scree/measure.h. Values are sorted, equal ones by weight, so that the sums of
// weights on the way are the same whatever the order of slots.

#include "base/memory.h"
#include "base/sort.h"
#include "contact/walk.h"
#include "measure/part.h"

#include <float.h>
#include <math.h>

// Values that are not negative, and what each counts.
struct crowd {
    const struct scree_part *part;
    enum scree_measure_quantity quantity;
    bool by_mass;
    double *value, *weight;
    size_t count, room;
};

static void put(struct crowd *crowd, double value, double weight)
{
    if (crowd->count == crowd->room)
        return;
    crowd->value[crowd->count] = value;
    crowd->weight[crowd->count++] = crowd->by_mass ? weight : 1;
}

static void put_body(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                     void *user)
{
    struct crowd *crowd = (struct crowd *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (!scree_part_has(crowd->part, world, slot.index))
        return;
    if (crowd->quantity == SCREE_MEASURE_SPEED)
        put(crowd, scree_vec3_norm(scree_vec3_load(motion->velocity)), grain->mass);
    else if (grain->radius > 0)
        put(crowd, 2 * grain->radius, grain->mass);
}

static void put_contact(const struct scree_walk_touch *touch, void *user)
{
    struct crowd *crowd = (struct crowd *)user;
    if (!scree_part_contains(crowd->part, touch->point))
        return;
    // what is held on to apart does not overlap
    const double overlap = touch->evaluated->overlap > 0 ? touch->evaluated->overlap : 0;
    put(crowd,
        crowd->quantity == SCREE_MEASURE_OVERLAP ? overlap : scree_vec3_norm(scree_vec3_load(touch->force)),
        1);
}

// Numbers that are not negative sort as their bits do.
static scree_status sort(double *key, double *other, size_t count, uint32_t *order, double *scratch)
{
    uint64_t *bits;
    SCREE_TRY(scree_memory_new(count, sizeof *bits, (void **)&bits));
    if (count > 0)
        memcpy(bits, key, count * sizeof *bits);
    const scree_status status = scree_sort_order(bits, count, order);
    scree_memory_free(bits);
    SCREE_TRY(status);
    double *const both[2] = {key, other};
    for (int b = 0; b < 2; ++b) {
        if (count > 0)
            memcpy(scratch, both[b], count * sizeof *scratch);
        for (size_t k = 0; k < count; ++k)
            both[b][k] = scratch[order[k]];
    }
    return SCREE_OK;
}

static scree_status sort_both(struct crowd *crowd)
{
    uint32_t *order = NULL;
    double *scratch = NULL;
    scree_status status = scree_memory_new(crowd->count, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = scree_memory_new(crowd->count, sizeof *scratch, (void **)&scratch);
    if (status == SCREE_OK)
        status = sort(crowd->weight, crowd->value, crowd->count, order, scratch);
    if (status == SCREE_OK)
        status = sort(crowd->value, crowd->weight, crowd->count, order, scratch);
    scree_memory_free(order);
    scree_memory_free(scratch);
    return status;
}

// A sum and what was lost by rounding (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
// endlicher Summen", ZAMM 54, 1974), so that its error does not grow with the number of bodies.
struct total {
    double sum, lost;
};

static void add(struct total *total, double value)
{
    const double sum = total->sum + value;
    total->lost += total->sum >= value ? (total->sum - sum) + value : (value - sum) + total->sum;
    total->sum = sum;
}

// The least value that so many percent of all are not above. What is short of them by round-off alone, of
// the sums, the products and of the percentage itself, is not short.
static double find(const struct crowd *crowd, double percent)
{
    struct total all = {0}, below = {0};
    for (size_t k = 0; k < crowd->count; ++k)
        add(&all, crowd->weight[k]);
    const double wanted = percent * (all.sum + all.lost) * (1 - 8 * DBL_EPSILON);
    for (size_t k = 0; k < crowd->count; ++k) {
        add(&below, crowd->weight[k]);
        if (100 * (below.sum + below.lost) >= wanted)
            return crowd->value[k];
    }
    return crowd->count > 0 ? crowd->value[crowd->count - 1] : 0;
}

static void count_contact(const struct scree_walk_touch *touch, void *user)
{
    (void)touch;
    ++*(size_t *)user;
}

static scree_status fill(struct scree_world *world, struct crowd *crowd)
{
    const bool bodies = crowd->quantity == SCREE_MEASURE_DIAMETER || crowd->quantity == SCREE_MEASURE_SPEED;
    crowd->room = scree_world_bodies(world);
    if (!bodies) {
        crowd->room = 0;
        SCREE_TRY(scree_walk_contacts(world, count_contact, &crowd->room));
    }
    SCREE_TRY(scree_memory_new(crowd->room, sizeof *crowd->value, (void **)&crowd->value));
    SCREE_TRY(scree_memory_new(crowd->room, sizeof *crowd->weight, (void **)&crowd->weight));
    return bodies ? scree_walk_bodies(world, put_body, crowd)
                  : scree_walk_contacts(world, put_contact, crowd);
}

scree_status scree_measure_percentile(struct scree_world *world, const struct scree_measure_region *region,
                                      enum scree_measure_quantity quantity, bool by_mass, double percent,
                                      double *value)
{
    SCREE_WORLD_COMPUTES;
    struct scree_part part;
    struct crowd crowd = {.part = &part, .quantity = quantity, .by_mass = by_mass};
    if ((unsigned)quantity > SCREE_MEASURE_FORCE)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no quantity of number %d", (int)quantity);
    if (!(percent >= 0 && percent <= 100))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a percentile is from 0 to 100; got %g", percent);
    if (by_mass && (quantity == SCREE_MEASURE_OVERLAP || quantity == SCREE_MEASURE_FORCE))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "contacts have no mass to count by: take them by number");
    SCREE_TRY(scree_part_begin(world, region, &part));
    if (quantity == SCREE_MEASURE_OVERLAP || quantity == SCREE_MEASURE_FORCE)
        SCREE_TRY(scree_part_of_contacts(&part));
    scree_status status = fill(world, &crowd);
    if (status == SCREE_OK)
        status = sort_both(&crowd);
    if (status == SCREE_OK)
        *value = find(&crowd, percent);
    scree_memory_free(crowd.value);
    scree_memory_free(crowd.weight);
    return status;
}
