// The critical time step, see critical_step.h.

#include "engine/critical_step.h"

#include "base/memory.h"
#include "engine/critical_bonds.h"
#include "engine/critical_contacts.h"
#include "engine/critical_impact.h"
#include "engine/critical_walls.h"
#include "law/prepare.h"
#include "math/real.h"
#include "world/grain.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const struct scree_critical_step_limit no_limit = {
    .stable = (double)INFINITY, .recommended = (double)INFINITY, .displacement = (double)INFINITY};
enum { ITERATIONS = 4 };

static struct scree_critical_step_bin *bin_of(const struct scree_critical_step *critical,
                                              const struct scree_grain *grain)
{
    const struct scree_critical_step_material *side = &critical->materials.data[grain->material];
    return &critical->bins.data[side->first + (scree_step_inputs_class(grain->radius) - side->low)];
}

static scree_status fill_bins(struct scree_critical_step *critical, const struct scree_step_inputs *inputs)
{
    size_t count = 0;
    critical->min_radius = (double)INFINITY;
    for (size_t m = 0; m < critical->materials.count; ++m) {
        struct scree_critical_step_material *side = &critical->materials.data[m];
        side->first = count;
        if (side->bodies == 0)
            continue;
        count += side->high - side->low + 1;
        critical->min_radius =
            side->min_radius < critical->min_radius ? side->min_radius : critical->min_radius;
    }
    SCREE_TRY(scree_array_reserve(&critical->bins, count));
    critical->bins.count = count;
    if (count > 0)
        memset(critical->bins.data, 0, count * sizeof *critical->bins.data);
    for (size_t i = 0; i < scree_grain_count(inputs->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(inputs->world)[i];
        if (!scree_step_inputs_can_touch(inputs->collider, grain))
            continue;
        struct scree_critical_step_bin *bin = bin_of(critical, grain);
        bin->radius = scree_real_max(grain->radius, bin->radius);
        bin->mass = scree_real_max(grain->mass, bin->mass);
        bin->min_mass = bin->min_mass == 0 || grain->mass < bin->min_mass ? grain->mass : bin->min_mass;
    }
    return SCREE_OK;
}

// Finds the worst impact of all bins; returns the smallest limit and its bin.
static double find_all_impacts(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                               size_t *material, struct scree_critical_step_bin **worst)
{
    double smallest_limit = (double)INFINITY;
    for (size_t m = 1; m < critical->materials.count; ++m) {
        const struct scree_critical_step_material *side = &critical->materials.data[m];
        for (size_t b = 0; side->bodies > 0 && b <= side->high - side->low; ++b) {
            struct scree_critical_step_bin *bin = &critical->bins.data[side->first + b];
            if (!(bin->radius > 0))
                continue;
            scree_critical_impact_find(critical, inputs, m, bin, critical->speed);
            const double limit = scree_critical_impact_limit(inputs, bin);
            if (limit < smallest_limit) {
                smallest_limit = limit;
                *material = m;
                *worst = bin;
            }
        }
    }
    return smallest_limit;
}

// Finds the closing speed: `now`, and the speed gained by acceleration until the step is chosen again. This
// time depends on the step, and the step weakly on the speed: a few iterations are enough.
static void find_speed(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                       double now, double fixed, double safety)
{
    const double gain = inputs->acceleration * SCREE_CRITICAL_STEP_EVERY;
    size_t material = 0;
    struct scree_critical_step_bin *worst = NULL;
    critical->speed = now;
    if (critical->bins.count == 0)
        return;
    if (fixed > 0 || !(gain > 0)) {
        critical->speed = now + gain * fixed;
        (void)find_all_impacts(critical, inputs, &material, &worst);
        return;
    }
    critical->speed = now + sqrt(inputs->acceleration * critical->min_radius);
    double limit = find_all_impacts(critical, inputs, &material, &worst);
    for (int k = 0; worst && k < ITERATIONS; ++k) {
        critical->speed = now + gain * safety * limit;
        scree_critical_impact_find(critical, inputs, material, worst, critical->speed);
        limit = scree_critical_impact_limit(inputs, worst);
    }
    if (worst)
        (void)find_all_impacts(critical, inputs, &material, &worst);
}

// Uses the memory of the force sums if possible: zero between evaluations, more than two numbers per body.
static scree_status borrow_sums(struct scree_critical_step *critical, const struct scree_collider *collider)
{
    const size_t bodies = scree_world_bodies(collider->world);
    critical->unit[0] = critical->unit[1] = 0;
    if (collider->sums.sum && collider->sums.grains >= bodies) {
        critical->sums = (uint64_t *)collider->sums.sum;
        return SCREE_OK;
    }
    return scree_memory_new(2 * bodies, sizeof *critical->sums, (void **)&critical->sums);
}

static void return_sums(struct scree_critical_step *critical, const struct scree_collider *collider)
{
    const size_t bodies = scree_world_bodies(collider->world);
    if (critical->sums != (uint64_t *)collider->sums.sum)
        scree_memory_free(critical->sums);
    else if (bodies > 0)
        memset(critical->sums, 0, 2 * bodies * sizeof *critical->sums);
    critical->sums = NULL;
}

// Sums of the contacts of a body in the bed of an expected state, as normal parts; 0 in the present state.
// Polyhedra of one size class, by their reach, may have very different masses. Coefficients of dashpots are
// proportional to the root of the mass.
static struct scree_stiffness_damping bed_of(const struct scree_critical_step *critical,
                                             const struct scree_critical_step_bin *bin,
                                             const struct scree_grain *grain, const struct scree_lever *bound,
                                             bool fixed)
{
    const bool shaped = grain->flags & SCREE_FLAG_SHAPED;
    const struct scree_lever lever = shaped && critical->at_rest ? (struct scree_lever){0} : *bound;
    const double factor = shaped ? sqrt(grain->mass / bin->mass) : 1;
    return (struct scree_stiffness_damping){
        .spring.normal = critical->coordination * scree_lever_mode(&bin->bed.spring, &lever, false, fixed),
        .dashpot.normal =
            critical->coordination * factor * scree_lever_mode(&bin->bed.dashpot, &lever, false, fixed)};
}

// Finds the critical step and its body; without `sums` there are no contacts.
static void find_critical_body(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                               struct scree_critical_step_limit *limit)
{
    static const uint64_t none[2];
    critical->contact_stiffness = 0;
    for (size_t i = 0; i < scree_grain_count(inputs->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(inputs->world)[i];
        if (!scree_step_inputs_can_touch(inputs->collider, grain) || scree_step_inputs_is_fully_fixed(grain))
            continue;
        const bool fixed = scree_step_inputs_is_fixed(grain);
        const struct scree_critical_step_bin *bin = bin_of(critical, grain);
        const struct scree_stiffness_damping *stiffness = &bin->impact;
        const struct scree_lever lever = scree_lever_bound(inputs, i);
        const uint64_t *sum = critical->sums ? &critical->sums[2 * (size_t)grain->owner] : none;
        // the larger of contacts and impact, not their sum, so that the step does not change during an impact
        const double spring = scree_real_max((double)sum[0] * critical->unit[0],
                                             scree_lever_mode(&stiffness->spring, &lever, true, fixed));
        const double dashpot = scree_real_max((double)sum[1] * critical->unit[1],
                                              scree_lever_mode(&stiffness->dashpot, &lever, true, fixed));
        const struct scree_stiffness_damping bed = bed_of(critical, bin, grain, &lever, fixed);
        const double own =
            scree_critical_impact_longest_step(scree_real_max(spring, bed.spring.normal),
                                               scree_real_max(dashpot, bed.dashpot.normal), grain->mass);
        const uint64_t id = scree_world_ids(inputs->world)[grain->owner];
        if (own < limit->stable || (own == limit->stable && own < (double)INFINITY && id < limit->body)) {
            limit->stable = own;
            limit->body = id;
            limit->in_bed = bed.spring.normal > spring;
            critical->contact_stiffness = (double)sum[0] * critical->unit[0];
        }
    }
    scree_critical_walls_limit(critical, inputs, limit);
}

static bool is_elastic(const struct scree_law_class *class)
{
    for (const char *const *name = class->law->properties; name && *name; ++name)
        if (strcmp(*name, "young") == 0)
            return true;
    return false;
}

// The Rayleigh time of the smallest body of a material, if its contact stiffness follows from elastic moduli.
static double rayleigh(const struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                       size_t material)
{
    const struct scree_law_classes *classes = &inputs->collider->classes;
    const struct scree_material *row = (const struct scree_material *)scree_world_column(
                                           inputs->world, SCREE_ENTITY_MATERIAL, SCREE_MATERIAL_MATERIAL) +
                                       (material - 1);
    bool elastic = false;
    for (size_t m = 1; m < classes->materials && !elastic; ++m) {
        const uint8_t number = classes->table[material * classes->materials + m];
        elastic = number != SCREE_CONTACTS_NO_CLASS && is_elastic(&classes->class[number]);
    }
    if (!elastic || !(row->young > 0 && row->young <= DBL_MAX && row->poisson > -1 && row->poisson <= 0.5))
        return (double)INFINITY;
    const double shear = row->young / (2 * (1 + row->poisson));
    return SCREE_PI * critical->materials.data[material].min_radius * sqrt(row->density / shear) /
           (0.1631 * row->poisson + 0.8766);
}

// Sets the recommended limit: the critical step, or twice a Rayleigh time.
static void bound_by_waves(const struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                           struct scree_critical_step_limit *limit)
{
    limit->recommended = limit->stable;
    for (size_t m = 1; m < critical->materials.count; ++m)
        if (critical->materials.data[m].bodies > 0) {
            // twice, so that a safety factor of 0.1 gives the customary 0.2 of the Rayleigh time
            const double own = 2 * rayleigh(critical, inputs, m);
            limit->rayleigh_material = own < limit->recommended ? m : limit->rayleigh_material;
            limit->recommended = own < limit->recommended ? own : limit->recommended;
        }
}

scree_status scree_critical_step_measure(struct scree_critical_step *critical,
                                         const struct scree_collider *collider, bool evaluated, double fixed,
                                         double safety, struct scree_critical_step_limit *limit)
{
    struct scree_step_inputs inputs;
    *limit = no_limit;
    SCREE_TRY(scree_step_inputs_make(critical, collider, &inputs));
    memcpy(critical->min_velocity, inputs.velocity.lower, sizeof critical->min_velocity);
    memcpy(critical->max_velocity, inputs.velocity.upper, sizeof critical->max_velocity);
    SCREE_TRY(fill_bins(critical, &inputs));
    find_speed(critical, &inputs, scree_step_inputs_closing_speed(&inputs), fixed, safety);
    SCREE_TRY(borrow_sums(critical, collider));
    scree_critical_contacts_sum(critical, &inputs, evaluated);
    find_critical_body(critical, &inputs, limit);
    return_sums(critical, collider);
    bound_by_waves(critical, &inputs, limit);
    limit->displacement = scree_step_inputs_displacement_step(critical, &inputs);
    return SCREE_OK;
}

scree_status scree_critical_step_at_rest(struct scree_critical_step *critical,
                                         const struct scree_collider *collider, double step, double *stable)
{
    struct scree_step_inputs inputs;
    struct scree_critical_step_limit limit = {.stable = (double)INFINITY};
    struct scree_critical_step_bin *worst;
    size_t material;
    SCREE_TRY(scree_step_inputs_make(critical, collider, &inputs));
    SCREE_TRY(fill_bins(critical, &inputs));
    critical->speed = inputs.acceleration * SCREE_CRITICAL_STEP_EVERY * step;
    (void)find_all_impacts(critical, &inputs, &material, &worst);
    find_critical_body(critical, &inputs, &limit);
    *stable = limit.stable;
    return SCREE_OK;
}

static void find_beds(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                      const struct scree_critical_step_expected *expected)
{
    for (size_t m = 1; m < critical->materials.count; ++m) {
        const struct scree_critical_step_material *side = &critical->materials.data[m];
        for (size_t b = 0; side->bodies > 0 && b <= side->high - side->low; ++b) {
            struct scree_critical_step_bin *bin = &critical->bins.data[side->first + b];
            if (bin->radius > 0)
                scree_critical_impact_find_bed(critical, inputs, m, bin, expected);
        }
    }
}

scree_status scree_critical_step_foresee(struct scree_critical_step *critical,
                                         const struct scree_collider *collider,
                                         const struct scree_critical_step_expected *expected, double fixed,
                                         double safety, struct scree_critical_step_limit *limit)
{
    struct scree_step_inputs inputs;
    *limit = no_limit;
    SCREE_TRY(scree_step_inputs_make(critical, collider, &inputs));
    SCREE_TRY(fill_bins(critical, &inputs));
    find_speed(critical, &inputs, expected->at_rest ? 0 : expected->speed, fixed, safety);
    if (expected->coordination > 0)
        find_beds(critical, &inputs, expected);
    critical->coordination = expected->coordination;
    critical->at_rest = expected->at_rest;
    find_critical_body(critical, &inputs, limit);
    critical->coordination = 0;
    critical->at_rest = false;
    bound_by_waves(critical, &inputs, limit);
    inputs.crossing = expected->body_speed > 0 ? critical->min_radius / expected->body_speed : DBL_MAX;
    for (size_t m = 0; m < critical->materials.count; ++m)
        critical->materials.data[m].fastest = expected->body_speed;
    limit->displacement = scree_step_inputs_displacement_step(critical, &inputs);
    return SCREE_OK;
}

// --- cause of the limit

static double stiffness_of(const struct scree_step_inputs *inputs, size_t slot,
                           const struct scree_stiffness_parts *parts, const struct scree_lever *lever,
                           bool alone)
{
    return scree_lever_mode(parts, lever, alone,
                            scree_step_inputs_is_fixed(&scree_world_grains(inputs->world)[slot]));
}

static double stiffness_of_side(const struct scree_step_inputs *inputs, size_t slot,
                                const struct scree_critical_contacts_touch *touch, double sign)
{
    const struct scree_lever lever = scree_critical_contacts_lever(inputs, slot, touch, sign);
    return stiffness_of(inputs, slot, &touch->stiffness.spring, &lever, false);
}

static double stiffness_of_impact(const struct scree_step_inputs *inputs, size_t slot,
                                  const struct scree_stiffness_parts *parts)
{
    const struct scree_lever lever = scree_lever_bound(inputs, slot);
    return stiffness_of(inputs, slot, parts, &lever, true);
}

// A search for the stiffest bond of a body.
struct bond_search {
    const struct scree_step_inputs *inputs;
    size_t body;
    double largest;
    struct scree_critical_step_cause *cause;
};

static void find_bond(void *context, const struct scree_bond_entry *entry)
{
    struct bond_search *search = (struct bond_search *)context;
    const struct scree_world *world = search->inputs->world;
    const struct scree_grain *grain = scree_world_grains(world);
    for (int side = 0; side < 2; ++side) {
        const double own = scree_critical_bonds_of(search->inputs, entry, side).spring;
        const uint32_t other = entry->slot[1 - side];
        if (!(own > search->largest) || grain[entry->slot[side]].owner != search->body)
            continue;
        search->largest = own;
        search->cause->bond = scree_bond_ids(world)[entry->row];
        search->cause->wall = scree_bond_sides(world)[entry->row].wall;
        search->cause->other = other == UINT32_MAX ? 0 : scree_world_ids(world)[grain[other].owner];
    }
}

// Finds the stiffest contact or bond of a body.
static void find_contact(const struct scree_critical_contacts *scan, size_t body,
                         struct scree_critical_step_cause *cause)
{
    const struct scree_world *world = scan->inputs->world;
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_grain *grain = scree_world_grains(world);
    double largest = 0;
    struct scree_critical_contacts_touch touch;
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        const bool low = grain[pair.low].owner == body;
        if ((!low && grain[pair.high].owner != body) ||
            (scan->evaluated && !scree_contacts_is_live(contacts, c)) ||
            !scree_critical_contacts_pair(scan, c, &touch))
            continue;
        const double own = stiffness_of_side(scan->inputs, low ? pair.low : pair.high, &touch, low ? 1 : -1);
        if (own <= largest)
            continue;
        largest = own;
        cause->other = scree_world_ids(world)[grain[low ? pair.high : pair.low].owner];
    }
    for (size_t k = 0; k < contacts->walls.count; ++k) {
        const uint32_t slot = contacts->walls.pair[k].low;
        if (grain[slot].owner != body || (scan->evaluated && !contacts->walls.live[k]) ||
            !scree_critical_contacts_wall(scan, k, &touch))
            continue;
        const double own = stiffness_of_side(scan->inputs, slot, &touch, 1);
        if (own <= largest)
            continue;
        largest = own;
        cause->other = 0;
        cause->wall = scree_contacts_wall(contacts, k);
    }
    const struct scree_outside_contacts *outside = &contacts->outside;
    for (size_t p = 0; p < outside->pairs; ++p) {
        const struct scree_pair pair = outside->pair[p];
        const bool low = grain[pair.low].owner == body, wall = outside->wall[p] > 0;
        if (!low && (wall || grain[pair.high].owner != body))
            continue;
        const double own = scree_critical_contacts_outside(scan, p, low ? 0 : 1);
        if (own <= largest)
            continue;
        largest = own;
        cause->other = wall ? 0 : scree_world_ids(world)[grain[low ? pair.high : pair.low].owner];
        cause->wall = outside->wall[p];
    }
    struct bond_search search = {scan->inputs, body, largest, cause};
    scree_critical_bonds_each(scan->inputs->collider, find_bond, &search);
}

// Finds the partner of the worst impact of a grain.
static void find_partner(const struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                         size_t slot, struct scree_critical_step_cause *cause)
{
    const struct scree_law_classes *classes = &inputs->collider->classes;
    const struct scree_grain *grain = &scree_world_grains(inputs->world)[slot];
    const struct scree_critical_step_bin *bin = bin_of(critical, grain);
    double largest = 0;
    for (size_t m = 1; m < critical->materials.count; ++m) {
        const struct scree_critical_step_material *side = &critical->materials.data[m];
        const uint8_t number = classes->table[grain->material * classes->materials + m];
        for (int wall = 0; wall < 2 && number != SCREE_CONTACTS_NO_CLASS; ++wall) {
            struct scree_critical_step_bin alone = {
                .radius = bin->radius, .mass = bin->mass, .min_mass = bin->min_mass};
            if (wall ? side->walls == 0 : side->bodies <= (m == grain->material ? 1 : 0))
                continue;
            scree_critical_impact_add(inputs, &alone, critical->speed, &classes->class[number],
                                      wall ? 0 : side->radius, wall ? 0 : side->mass);
            const double own = stiffness_of_impact(inputs, slot, &alone.impact.spring);
            if (own <= largest)
                continue;
            largest = own;
            cause->material = m;
            cause->radius = wall ? 0 : side->radius;
        }
    }
}

void scree_critical_step_explain(const struct scree_critical_step *critical,
                                 const struct scree_collider *collider, bool evaluated,
                                 const struct scree_critical_step_limit *limit,
                                 struct scree_critical_step_cause *cause)
{
    const struct scree_step_inputs inputs = {.collider = collider, .world = collider->world};
    const struct scree_critical_contacts scan = {(struct scree_critical_step *)(uintptr_t)critical, &inputs,
                                                 evaluated};
    const struct scree_grain *grain = scree_world_grains(inputs.world);
    size_t stiffest_slot = SIZE_MAX;
    double largest = 0;
    *cause = (struct scree_critical_step_cause){.speed = critical->speed};
    for (size_t i = 0; i < scree_grain_count(inputs.world) && limit->body > 0; ++i) {
        if (scree_world_ids(inputs.world)[grain[i].owner] != limit->body ||
            !scree_step_inputs_can_touch(collider, &grain[i]))
            continue;
        const double own = stiffness_of_impact(&inputs, i, &bin_of(critical, &grain[i])->impact.spring);
        stiffest_slot = stiffest_slot == SIZE_MAX || own > largest ? i : stiffest_slot;
        largest = scree_real_max(own, largest);
    }
    if (stiffest_slot == SIZE_MAX)
        return;
    cause->is_contact = critical->contact_stiffness > largest;
    if (cause->is_contact)
        find_contact(&scan, grain[stiffest_slot].owner, cause);
    else
        find_partner(critical, &inputs, stiffest_slot, cause);
}

double scree_critical_step_choose(const struct scree_critical_step_limit *limit, double safety)
{
    double step =
        safety * limit->recommended < limit->displacement ? safety * limit->recommended : limit->displacement;
    uint64_t bits;
    memcpy(&bits, &step, sizeof bits);
    bits &= ~((UINT64_C(1) << 48) - 1);
    memcpy(&step, &bits, sizeof bits);
    return step;
}

void scree_critical_step_free(struct scree_critical_step *critical)
{
    scree_array_free(&critical->bins);
    scree_array_free(&critical->materials);
}
