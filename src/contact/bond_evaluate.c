// Evaluating bonds, see bond_evaluate.h. Bonds between grains are evaluated in batches (bond_lanes.inc),
// bonds with walls one by one, and so are bonds that break.

#include "contact/bond_evaluate.h"

#include "base/processor.h"
#include "contact/bond_batches.h"
#include "contact/bond_side.h"
#include "contact/wall_contacts.h"

#include <stddef.h>

// What decides about damage and breaking: the undamaged energy, and the largest ratio of stress to strength
// with its mode.
struct outcome {
    double stored, largest, mode;
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

// Evaluates one bond, both of whose sides exist.
static void evaluate_one(const struct scree_collider *collider, const struct scree_bond_entry *entry,
                         struct scree_bond_one *one)
{
    const struct scree_world *world = collider->world;
    const struct scree_grain *grain = scree_world_grains(world);
    const struct scree_bond_spring *spring = &scree_bond_springs(world)[entry->row];
    const struct scree_images images = scree_collider_images(collider);
    uint32_t wall = entry->slot[1];
    one->end[0] = scree_bond_side_of_grain(&grain[entry->slot[0]], scree_world_rotors(world));
    if (entry->slot[1] != UINT32_MAX) {
        one->end[1] = scree_bond_side_of_grain(&grain[entry->slot[1]], scree_world_rotors(world));
    } else {
        (void)scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool,
                              scree_bond_sides(world)[entry->row].wall, &wall);
        one->end[1] =
            scree_bond_side_of_wall(scree_wall_row(world, wall), &scree_bond_anchors(world)[entry->row]);
    }
    const struct scree_bond_place place = {{one->end[0].orientation, one->end[1].orientation},
                                           scree_bond_side_between(&one->end[0], &one->end[1], &images)};
    one->elastic = scree_bond_law_elastic(spring, &place);
    one->rates = scree_bond_law_rates(spring, &one->elastic, &one->end[0].motion, &one->end[1].motion);
}

static void mark_broken(struct scree_collider *collider, const struct scree_bond_entry *entry, double kept,
                        double mode)
{
    struct scree_bond_release *release = &scree_bond_releases(collider->world)[entry->row];
    struct scree_bond_one one;
    evaluate_one(collider, entry, &one);
    scree_bond_sides(collider->world)[entry->row].broken = (uint16_t)(1 + (int)mode);
    release->energy = kept * one.elastic.stored;
    release->power = kept * one.rates.power;
    scree_vec3_store(scree_vec3_add(one.end[0].centre, one.elastic.arm[0]), release->point);
}

// Increases the damage of a bond in a step, and breaks it if a strength is exceeded. Returns the factor of
// its forces, 1 - damage.
static double advance(struct scree_collider *collider, size_t tile, const struct scree_bond_entry *entry,
                      const struct outcome *outcome)
{
    const struct scree_world *world = collider->world;
    struct scree_bond_damage *state =
        scree_bond_damages(world) ? &scree_bond_damages(world)[entry->row] : NULL;
    if (collider->measure_only)
        return state ? 1 - state->damage : 1;
    if (collider->step > 0 && scree_bond_strengths(world)) {
        const double softening = scree_bond_strengths(world)[entry->row].softening;
        if (softening > 0)
            damage(state, softening, outcome->largest, outcome->stored);
        if (scree_bond_law_breaks(softening, softening > 0 ? state->peak : outcome->largest)) {
            mark_broken(collider, entry, state ? 1 - state->damage : 1, outcome->mode);
            ++collider->bonds.broke[tile];
        }
    }
    if (state)
        state->undamaged = outcome->stored;
    return state ? 1 - state->damage : 1;
}

// --- bonds between grains

// Columns of a batch: grains and orientations of the sides, strengths, terms, and results.
struct lanes {
    scree_kernel_lanes grain[2][SCREE_ROWS], turn[8], strength[12], term[2][SCREE_TERMS_ALL], periods[3];
    double safe[SCREE_KERNEL_WIDTH]; // 0 if the energy shows that no strength is exceeded, else 1
    double stored[SCREE_KERNEL_WIDTH], largest[SCREE_KERNEL_WIDTH], mode[SCREE_KERNEL_WIDTH];
};

// A batch of `count` bonds, and what it is computed from; without strengths the last is null.
struct batch_source {
    const struct scree_bond_batch *batch;
    const struct scree_bond_elasticity *elasticity;
    const struct scree_bond_entry *entry;
    const uint32_t *owner[2], *sum[2];
    unsigned count;
    bool damped, uniform;
    const struct scree_rotor *rotor;
    const struct scree_bond_strength *strength;
};

#define SCREE_KERNEL_BODY "contact/bond_lanes.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

static const struct {
    bool (*evaluate)(struct lanes *restrict lanes, const struct scree_kernel_job *job,
                     const struct batch_source *source, bool stressed);
    void (*add)(struct lanes *restrict lanes, const struct scree_kernel_job *job,
                const struct batch_source *source);
} sets[SCREE_KERNEL_SETS] = {
    {scree_kernel_evaluate_batch_v2, scree_kernel_add_batch_v2},
#if SCREE_WIDE_SETS
    {scree_kernel_evaluate_batch_v3, scree_kernel_add_batch_v3},
    {scree_kernel_evaluate_batch_v4, scree_kernel_add_batch_v4},
#endif
};

static void damp_lane(struct lanes *lanes, double kept, unsigned l)
{
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < SCREE_TERMS_ALL; ++k)
            lanes->term[side][k][l] *= kept;
}

// Advances the bonds that may have changed: all where there is damage, else those that break.
static void advance_lanes(struct scree_collider *collider, size_t tile, const struct scree_bond_entry *entry,
                          unsigned count, struct lanes *lanes)
{
    const bool damages = scree_bond_damages(collider->world) != NULL;
    for (unsigned l = 0; l < count; ++l) {
        if (!damages && !(lanes->largest[l] > 1))
            continue;
        const struct outcome outcome = {lanes->stored[l], lanes->largest[l], lanes->mode[l]};
        const double kept = advance(collider, tile, &entry[l], &outcome);
        if (kept != 1)
            damp_lane(lanes, kept, l);
    }
}

// Reports the forces of bonds with images.
static void report_across(const struct scree_kernel_job *job, struct scree_collider_scratch *scratch,
                          const struct batch_source *source, struct lanes *lanes)
{
    for (unsigned l = 0; l < source->count; ++l) {
        const double *first = job->grain[source->batch->slot[0][l]].position,
                     *second = job->grain[source->batch->slot[1][l]].position;
        const struct scree_law_vector apart = {first[0] - second[0], first[1] - second[1],
                                               first[2] - second[2]},
                                      n = scree_kernel_periods(job->cell, apart);
        if (n.x != 0 || n.y != 0 || n.z != 0)
            scree_across_add(
                &scratch->across,
                (const double[3]){lanes->term[0][0][l], lanes->term[0][1][l], lanes->term[0][2][l]},
                (const double[3]){n.x, n.y, n.z});
    }
}

// Selects the present batch, from which `rest` bonds are left in the tile. Padding adds to a sum that is
// never read, by the indices `padded`.
static void select_batch(struct batch_source *source, const struct scree_bond_tile *tile, size_t rest,
                         uint32_t dummy_sum, uint32_t padded[2][SCREE_KERNEL_WIDTH])
{
    const struct scree_bond_batch *batch = source->batch;
    source->count = rest < SCREE_KERNEL_WIDTH ? (unsigned)rest : SCREE_KERNEL_WIDTH;
    for (int side = 0; side < 2; ++side) {
        source->owner[side] = tile->carried ? batch->owner[side] : batch->slot[side];
        source->sum[side] = tile->shared ? batch->sum[side] : batch->slot[side];
        if (source->count == SCREE_KERNEL_WIDTH)
            continue;
        for (unsigned l = 0; l < SCREE_KERNEL_WIDTH; ++l)
            padded[side][l] = l < source->count ? batch->sum[side][l] : dummy_sum;
        source->sum[side] = padded[side];
    }
}

// Fetches the columns of a later batch, and bodies up to the reach of an even later one, in the order of
// slots from `reached` on. Without this a third of the time is waiting for memory, because the processor does
// not foresee columns across pages, nor bodies.
static void prefetch(const struct batch_source *source, const struct scree_kernel_job *job, size_t batches,
                     const uint32_t *reach, size_t bodies, uint32_t *reached)
{
    enum { COLUMNS_AHEAD = 2, BODIES_AHEAD = 4, MOST = 64, LINE = 64 };
    const char *columns = (const char *)(source->batch + COLUMNS_AHEAD),
               *elasticity = (const char *)(source->elasticity + COLUMNS_AHEAD);
    if (batches <= BODIES_AHEAD)
        return;
    for (size_t at = 0; at < offsetof(struct scree_bond_batch, owner); at += LINE)
        __builtin_prefetch(columns + at);
    for (size_t at = 0; at < sizeof *source->elasticity && !source->uniform; at += LINE)
        __builtin_prefetch(elasticity + at);
    const uint32_t end = reach[BODIES_AHEAD] + 1;
    for (uint32_t i = end > *reached + MOST ? end - MOST : *reached; i < end; ++i) {
        __builtin_prefetch(&job->grain[i].position);
        __builtin_prefetch(&job->grain[i].flags);
        __builtin_prefetch(job->sum + SCREE_TERMS * (size_t)i, 1);
        if (i < bodies)
            __builtin_prefetch(&source->rotor[i]);
    }
    *reached = end > *reached ? end : *reached;
}

static void evaluate_grains(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                            size_t tile, const struct scree_bond_entry *entry, size_t count)
{
    const struct scree_world *world = collider->world;
    const struct scree_bond_lists *lists = &collider->bonds;
    if (!lists->tile[tile].filled)
        scree_bond_batches_fill(lists, world, tile);
    const size_t first = lists->tile[tile].first;
    struct batch_source source = {.batch = lists->batch + first,
                                  .elasticity = lists->elasticity + first,
                                  .entry = entry,
                                  .damped = lists->tile[tile].damped,
                                  .uniform = lists->tile[tile].uniform,
                                  .rotor = scree_world_rotors(world),
                                  .strength = scree_bond_strengths(world)};
    const struct scree_kernel_job job = scree_collider_job(collider, scratch, tile);
    const int set = scree_processor_set();
    const bool damages = scree_bond_damages(world) != NULL;
    struct lanes lanes __attribute__((aligned(64)));
    uint32_t padded[2][SCREE_KERNEL_WIDTH], reached = 0;
    const uint32_t *reach = lists->reach + first;
    for (size_t k = 0; k < count; k += SCREE_KERNEL_WIDTH) {
        select_batch(&source, &lists->tile[tile], count - k, job.dummy_sum, padded);
        prefetch(&source, &job, (count - k) / SCREE_KERNEL_WIDTH, reach++, scree_world_bodies(world),
                 &reached);
        if (sets[set].evaluate(&lanes, &job, &source, damages))
            advance_lanes(collider, tile, source.entry, source.count, &lanes);
        if (job.cell && !job.measure_only)
            report_across(&job, scratch, &source, &lanes);
        sets[set].add(&lanes, &job, &source);
        ++source.batch;
        source.elasticity += !source.uniform;
        source.entry += SCREE_KERNEL_WIDTH;
    }
}

// --- bonds with walls

static void advance_wall(struct scree_collider *collider, size_t tile, const struct scree_bond_entry *entry,
                         struct scree_bond_one *one)
{
    struct outcome outcome = {.stored = one->elastic.stored};
    if (scree_bond_strengths(collider->world)) {
        const struct scree_bond_ratios ratios =
            scree_bond_law_ratios(&scree_bond_strengths(collider->world)[entry->row], &one->elastic);
        outcome.largest = ratios.largest;
        outcome.mode = ratios.mode;
    }
    one->kept = advance(collider, tile, entry, &outcome);
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
        evaluate_one(collider, &entry[k], &one);
        advance_wall(collider, tile, &entry[k], &one);
        add_wall(collider, &entry[k], &one);
    }
}
