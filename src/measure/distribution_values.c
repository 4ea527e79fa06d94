// Histograms of velocities, and displacements against time; see distribution.h.
//
// Displacements are measured from starts, the unwrapped positions and velocities of all bodies of the group
// at one sample. The samples after it fill the bins one after the other; that of the last bin has the next
// starts. Bodies that are added later count from there, and those that are removed no more.

#include "base/memory.h"
#include "base/sort.h"
#include "base/sum.h"
#include "contact/walk.h"
#include "measure/distribution.h"
#include "measure/part.h"
#include "world/body.h"

#include <string.h>

// --- histograms

struct values {
    struct scree_distribution *row;
    struct scree_bin *bin;
    struct scree_part part;
};

static double value_of(const struct scree_distribution *row, const struct scree_world *world, size_t slot,
                       const struct scree_on_step *motion)
{
    double velocity[3], spin[3];
    const struct scree_vec3 v =
        scree_body_fluctuation(world, &scree_world_grains(world)[slot], motion->velocity);
    scree_vec3_store(v, velocity);
    scree_vec3_store(scree_body_spin_fluctuation(world, motion->spin), spin);
    switch ((enum scree_distribution_kind)row->kind) {
    case SCREE_DISTRIBUTION_SPEED:
        return scree_vec3_norm(v);
    case SCREE_DISTRIBUTION_SPIN_X:
    case SCREE_DISTRIBUTION_SPIN_Y:
    case SCREE_DISTRIBUTION_SPIN_Z:
        return spin[row->kind - SCREE_DISTRIBUTION_SPIN_X];
    default:
        return velocity[row->kind - SCREE_DISTRIBUTION_VELOCITY_X];
    }
}

static void count_value(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                        void *user)
{
    struct values *values = (struct values *)user;
    if (!scree_part_has(&values->part, world, slot.index))
        return;
    const int64_t at =
        scree_distribution_bin_of(values->row, value_of(values->row, world, slot.index, motion));
    values->row->weight += 1;
    if (at >= 0)
        ++values->bin[at].count;
}

scree_status scree_distribution_sample_values(struct scree_world *world, struct scree_distribution *row,
                                              struct scree_bin *bin)
{
    struct values values = {.row = row, .bin = bin};
    const struct scree_measure_region region = scree_distribution_region(row);
    SCREE_TRY(scree_part_begin(world, &region, &values.part));
    return scree_walk_bodies(world, count_value, &values);
}

// --- displacements

struct lags {
    uint64_t id; // of the distribution
    const struct scree_distribution *row;
    uint64_t mask;
    uint32_t *origin; // of each slot, the row of its start plus one; 0 for none
    uint64_t *member; // ids
    uint32_t *order;  // of the members by their ids
    size_t members;
    struct scree_sum sum[SCREE_LAG_SUMS];
    uint64_t count;
    struct scree_on_step *motion; // of each slot
};

static struct scree_entity *origins_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_ORIGIN);
}

static struct scree_origin *origin_rows(const struct scree_world *world)
{
    return (struct scree_origin *)scree_world_column(world, SCREE_ENTITY_ORIGIN, SCREE_ORIGIN_ORIGIN);
}

scree_status scree_distribution_check_lags(const struct scree_world *world,
                                           const struct scree_distribution *row)
{
    (void)row;
    return scree_cell_refuse_deforming(world, "a distribution of displacements");
}

static scree_status make_lags(struct scree_world *world, uint64_t id, const struct scree_distribution *row,
                              struct lags *lags)
{
    const size_t bodies = scree_world_bodies(world);
    *lags = (struct lags){.id = id, .row = row};
    if (row->group != 0)
        SCREE_TRY(scree_group_mask(world, (scree_group_id){row->group}, &lags->mask));
    SCREE_TRY(scree_memory_new(bodies, sizeof *lags->origin, (void **)&lags->origin));
    SCREE_TRY(scree_memory_new(bodies, sizeof *lags->motion, (void **)&lags->motion));
    SCREE_TRY(scree_memory_new(bodies, sizeof *lags->order, (void **)&lags->order));
    return scree_memory_new(bodies, sizeof *lags->member, (void **)&lags->member);
}

static void find_origins(const struct scree_world *world, struct lags *lags)
{
    const struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    const struct scree_origin *origin = origin_rows(world);
    for (size_t r = 0; r < origins_of(world)->count; ++r) {
        uint32_t slot;
        if (origin[r].distribution == lags->id && origin[r].body != 0 &&
            scree_pool_find(&bodies->pool, origin[r].body, &slot))
            lags->origin[slot] = (uint32_t)r + 1;
    }
}

static void add_displacement(const struct scree_world *world, scree_slot slot,
                             const struct scree_on_step *motion, void *user)
{
    struct lags *lags = (struct lags *)user;
    lags->motion[slot.index] = *motion;
    if (lags->mask == 0 || scree_group_of_body(world, slot.index) & lags->mask)
        lags->member[lags->members++] =
            scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_BODY))[slot.index];
    if (lags->origin[slot.index] == 0)
        return;
    const struct scree_origin *origin = &origin_rows(world)[lags->origin[slot.index] - 1];
    const struct scree_vec3 moved =
        scree_vec3_sub(scree_cell_unwrapped(world, slot), scree_vec3_load(origin->position));
    double d[3];
    scree_vec3_store(moved, d);
    for (int k = 0; k < 3; ++k)
        scree_sum_add(&lags->sum[SCREE_LAG_SQUARE + k], d[k] * d[k]);
    scree_sum_add(&lags->sum[SCREE_LAG_VELOCITIES],
                  scree_vec3_dot(scree_vec3_load(motion->velocity), scree_vec3_load(origin->velocity)));
    ++lags->count;
}

static void enter(const struct lags *lags, double time, struct scree_bin *bin)
{
    bin->count += lags->count;
    for (int s = 0; s < SCREE_LAG_TIME; ++s)
        bin->sum[s] += scree_sum_value(&lags->sum[s]);
    bin->sum[SCREE_LAG_TIME] += (double)lags->count * (time - lags->row->origin_time);
}

// Takes the present state as the starts, in order of ids, so that no row depends on slots.
static scree_status take_starts(struct scree_world *world, struct lags *lags)
{
    struct scree_entity *origins = origins_of(world);
    const struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    size_t taken = 0, own = 0;
    for (size_t r = 0; r < origins->count; ++r)
        own += origin_rows(world)[r].distribution == lags->id;
    if (lags->members > own)
        SCREE_TRY(scree_entity_reserve(origins, origins->count + lags->members - own));
    for (; own < lags->members; ++own) {
        scree_slot slot;
        uint64_t row;
        SCREE_TRY(scree_entity_insert(origins, &slot, &row));
        origin_rows(world)[slot.index].distribution = lags->id;
    }
    SCREE_TRY(scree_sort_order(lags->member, lags->members, lags->order));
    for (size_t r = 0; r < origins->count; ++r) {
        struct scree_origin *origin = &origin_rows(world)[r];
        uint32_t slot;
        if (origin->distribution != lags->id)
            continue;
        *origin = (struct scree_origin){.distribution = lags->id};
        if (taken == lags->members)
            continue;
        origin->body = lags->member[lags->order[taken++]];
        if (!scree_pool_find(&bodies->pool, origin->body, &slot))
            continue;
        scree_vec3_store(scree_cell_unwrapped(world, (scree_slot){slot}), origin->position);
        memcpy(origin->velocity, lags->motion[slot].velocity, sizeof origin->velocity);
    }
    return SCREE_OK;
}

static scree_status sample(struct scree_world *world, struct lags *lags, struct scree_distribution *row,
                           struct scree_bin *bin)
{
    const double time = scree_world_clock(world)->time;
    if (row->lag > 0)
        find_origins(world, lags);
    SCREE_TRY(scree_walk_bodies(world, add_displacement, lags));
    if (row->lag > 0 && row->lag <= row->bins)
        enter(lags, time, &bin[row->lag - 1]);
    if (row->lag == 0 || row->lag >= row->bins) {
        SCREE_TRY(take_starts(world, lags));
        row->origin_time = time;
        row->lag = 0;
    }
    ++row->lag;
    return SCREE_OK;
}

scree_status scree_distribution_sample_lags(struct scree_world *world, uint64_t id,
                                            struct scree_distribution *row, struct scree_bin *bin)
{
    struct lags lags;
    SCREE_TRY(scree_distribution_check_lags(world, row));
    scree_status status = make_lags(world, id, row, &lags);
    if (status == SCREE_OK)
        status = sample(world, &lags, row, bin);
    scree_memory_free(lags.origin);
    scree_memory_free(lags.motion);
    scree_memory_free(lags.member);
    scree_memory_free(lags.order);
    return status;
}
