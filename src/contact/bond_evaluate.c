// Evaluating bonds, see bond_evaluate.h. Bonds between grains are evaluated eight at a time (bond_lanes.inc),
// bonds with walls one by one.

#include "contact/bond_evaluate.h"

#include "base/processor.h"
#include "contact/bond_side.h"
#include "contact/wall_contacts.h"

// What decides about damage and breaking: undamaged energy and power, and the largest ratio of stress to
// strength with its mode.
struct outcome {
    double stored, power, largest, mode;
    struct scree_vec3 point;
};

// --- damage and breaking

// Increases the damage, and enters its loss by the trapezoidal rule.
static void damage(struct scree_bond_damage *state, double softening, double ratio, double undamaged)
{
    state->peak = ratio > state->peak ? ratio : state->peak;
    const double next = scree_bond_law_damage(softening, state->peak);
    if (next > state->damage) {
        state->lost += (next - state->damage) * 0.5 * (state->undamaged + undamaged);
        state->damage = next;
    }
}

static void mark_broken(const struct scree_world *world, uint32_t row, double kept,
                        const struct outcome *outcome)
{
    struct scree_bond_release *release = &scree_bond_releases(world)[row];
    scree_bond_sides(world)[row].broken = (uint16_t)(1 + (int)outcome->mode);
    release->energy = kept * outcome->stored;
    release->power = kept * outcome->power;
    scree_vec3_store(outcome->point, release->point);
}

// Increases the damage of a bond in a step, and breaks it if a strength is exceeded. Returns the factor of
// its forces, 1 - damage.
static double advance(struct scree_collider *collider, size_t tile, uint32_t row,
                      const struct outcome *outcome)
{
    const struct scree_world *world = collider->world;
    struct scree_bond_damage *state = scree_bond_damages(world) ? &scree_bond_damages(world)[row] : NULL;
    if (collider->measure_only)
        return state ? 1 - state->damage : 1;
    if (collider->step > 0 && scree_bond_strengths(world)) {
        const double softening = scree_bond_strengths(world)[row].softening;
        if (softening > 0)
            damage(state, softening, outcome->largest, outcome->stored);
        if (scree_bond_law_breaks(softening, softening > 0 ? state->peak : outcome->largest)) {
            mark_broken(world, row, state ? 1 - state->damage : 1, outcome);
            ++collider->bonds.broke[tile];
        }
    }
    if (state)
        state->undamaged = outcome->stored;
    return state ? 1 - state->damage : 1;
}

// --- bonds between grains

// Eight bonds: their records as rows, and results.
struct lanes {
    scree_kernel_lanes grain[2][SCREE_ROWS], spring[16], turn[8], strength[12], term[2][SCREE_TERMS_ALL];
    scree_kernel_lanes stored, power, largest, mode, arm[3];
    uint32_t row[8], slot[2][8], owner[2][8], sum[2][8];
    unsigned count;
};

// Arrays that the records come from; without strengths the last is null.
struct lanes_source {
    const struct scree_bond_spring *spring;
    const struct scree_rotor *rotor;
    const struct scree_bond_strength *strength;
};

#define SCREE_KERNEL_BODY "contact/bond_lanes.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

static const struct {
    void (*evaluate)(struct lanes *restrict lanes, const struct scree_kernel_job *job,
                     const struct lanes_source *source, bool stressed);
    void (*add)(struct lanes *restrict lanes, const struct scree_kernel_job *job);
} sets[SCREE_KERNEL_SETS] = {
    {scree_kernel_evaluate_lanes_v2, scree_kernel_add_lanes_v2},
#if defined __x86_64__
    {scree_kernel_evaluate_lanes_v3, scree_kernel_add_lanes_v3},
    {scree_kernel_evaluate_lanes_v4, scree_kernel_add_lanes_v4},
#endif
};

// Fills the indices of lane `l`; padding repeats a bond, and adds to a sum that is never read.
static void fill_lane(struct lanes *lanes, const struct scree_kernel_job *job,
                      const struct scree_bond_entry *entry, unsigned l)
{
    lanes->row[l] = entry->row;
    for (int side = 0; side < 2; ++side) {
        lanes->slot[side][l] = entry->slot[side];
        lanes->owner[side][l] = job->grain[entry->slot[side]].owner;
        lanes->sum[side][l] = l < lanes->count ? entry->sum[side] : job->dummy_sum;
    }
}

static void damp_lane(struct lanes *lanes, double kept, unsigned l)
{
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < SCREE_TERMS_ALL; ++k)
            lanes->term[side][k][l] *= kept;
}

// Advances the bonds that may have changed: all where there is damage, else those that break.
static void advance_lanes(struct scree_collider *collider, size_t tile, struct lanes *lanes)
{
    const bool damages = scree_bond_damages(collider->world) != NULL;
    for (unsigned l = 0; l < lanes->count; ++l) {
        if (!damages && !(lanes->largest[l] > 1))
            continue;
        const double *first = scree_world_grains(collider->world)[lanes->slot[0][l]].position;
        const struct outcome outcome = {
            .stored = lanes->stored[l],
            .power = lanes->power[l],
            .largest = lanes->largest[l],
            .mode = lanes->mode[l],
            .point = {first[0] + lanes->arm[0][l], first[1] + lanes->arm[1][l], first[2] + lanes->arm[2][l]}};
        const double kept = advance(collider, tile, lanes->row[l], &outcome);
        if (kept != 1)
            damp_lane(lanes, kept, l);
    }
}

// Neighbours in a list often share a grain, whose sum would be read just after it was written: so lane l
// takes the bonds of the l-th eighth of the list.
static void evaluate_grains(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                            size_t tile, const struct scree_bond_entry *entry, size_t count)
{
    const struct scree_world *world = collider->world;
    const struct lanes_source source = {scree_bond_springs(world), scree_world_rotors(world),
                                        scree_bond_strengths(world)};
    const struct scree_kernel_job job = scree_collider_job(collider, scratch);
    const int set = scree_processor_set();
    const size_t batches = count / 8;
    struct lanes lanes __attribute__((aligned(64)));
    for (size_t b = 0; b < batches + (count % 8 > 0); ++b) {
        lanes.count = b < batches ? 8 : (unsigned)(count % 8);
        for (unsigned l = 0; l < 8; ++l)
            fill_lane(&lanes, &job,
                      b < batches ? &entry[l * batches + b] : &entry[8 * batches + (l < lanes.count ? l : 0)],
                      l);
        sets[set].evaluate(&lanes, &job, &source, source.strength != NULL);
        if (source.strength)
            advance_lanes(collider, tile, &lanes);
        sets[set].add(&lanes, &job);
    }
}

// --- bonds with walls

static void evaluate_wall(const struct scree_collider *collider, const struct scree_bond_entry *entry,
                          struct scree_bond_one *one)
{
    const struct scree_world *world = collider->world;
    const struct scree_bond_spring *spring = &scree_bond_springs(world)[entry->row];
    uint32_t wall = 0;
    (void)scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool,
                          scree_bond_sides(world)[entry->row].wall, &wall);
    one->end[0] =
        scree_bond_side_of_grain(&scree_world_grains(world)[entry->slot[0]], scree_world_rotors(world));
    one->end[1] =
        scree_bond_side_of_wall(scree_wall_row(world, wall), &scree_bond_anchors(world)[entry->row]);
    const struct scree_bond_place place = {
        {one->end[0].orientation, one->end[1].orientation},
        scree_bond_side_between(&one->end[0], &one->end[1], collider->period)};
    one->elastic = scree_bond_law_elastic(spring, &place);
    one->rates = scree_bond_law_rates(spring, &one->elastic, &one->end[0].motion, &one->end[1].motion);
}

static void advance_wall(struct scree_collider *collider, size_t tile, const struct scree_bond_entry *entry,
                         struct scree_bond_one *one)
{
    struct outcome outcome = {.stored = one->elastic.stored,
                              .power = one->rates.power,
                              .point = scree_vec3_add(one->end[0].centre, one->elastic.arm[0])};
    if (scree_bond_strengths(collider->world)) {
        const struct scree_bond_ratios ratios =
            scree_bond_law_ratios(&scree_bond_strengths(collider->world)[entry->row], &one->elastic);
        outcome.largest = ratios.largest;
        outcome.mode = ratios.mode;
    }
    one->kept = advance(collider, tile, entry->row, &outcome);
}

static void add_wall(struct scree_collider *collider, const struct scree_bond_entry *entry,
                     const struct scree_bond_one *one)
{
    double terms[SCREE_TERMS_ALL] = {0};
    const struct scree_vec3 force =
        scree_vec3_scale(scree_vec3_add(one->elastic.force, one->rates.force), one->kept);
    const struct scree_vec3 couple =
        scree_vec3_scale(scree_vec3_add(one->elastic.couple, one->rates.couple), one->kept);
    scree_vec3_store(force, &terms[SCREE_TERM_FORCE]);
    scree_vec3_store(scree_vec3_add(scree_vec3_cross(one->elastic.arm[0], force), couple),
                     &terms[SCREE_TERM_MOMENT]);
    terms[SCREE_TERM_DASHPOT] = collider->step * one->kept * one->rates.loss;
    if (collider->measures)
        scree_sums_measure_one(&collider->sums, entry->slot[0], terms);
    if (collider->measure_only)
        return;
    scree_sums_add(&collider->sums, &scree_world_grains(collider->world)[entry->slot[0]], entry->slot[0],
                   entry->sum[0], terms);
    // at the current power
    if (collider->walls_move)
        *scree_wall_contacts_work(collider, entry->slot[0]) +=
            collider->step * scree_bond_side_wall_power(one);
}

void scree_bond_evaluate_tile(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                              size_t tile)
{
    const struct scree_bond_lists *lists = &collider->bonds;
    const struct scree_bond_entry *entry = &lists->entry[lists->first[tile]];
    const size_t grains = lists->count[tile] - lists->walls[tile];
    if (grains > 0)
        evaluate_grains(collider, scratch, tile, entry, grains);
    for (size_t k = grains; k < lists->count[tile]; ++k) {
        struct scree_bond_one one = {0};
        evaluate_wall(collider, &entry[k], &one);
        advance_wall(collider, tile, &entry[k], &one);
        add_wall(collider, &entry[k], &one);
    }
}
