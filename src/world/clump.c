// Clumps: rigid bodies with contacts through their pebbles, see include/scree/body.h and grain.h.

#include "world/body.h"
#include "world/check.h"
#include "world/edit.h"
#include "world/grain.h"

#include <math.h>
#include <string.h>

static scree_status check_pebbles(const struct scree_world *world, const struct scree_clump_def *def)
{
    if (!def->pebble || def->pebbles == 0 || def->pebbles > UINT16_MAX)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a clump needs from 1 to %d pebbles; got %zu",
                                 UINT16_MAX, def->pebble ? def->pebbles : (size_t)0);
    if (def->body.material.value == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a clump needs a material: that of pebbles without one");
    for (size_t p = 0; p < def->pebbles; ++p) {
        const struct scree_pebble *pebble = &def->pebble[p];
        SCREE_TRY(scree_grain_check(world, def->body.position, pebble->radius, pebble->offset));
        scree_slot slot;
        if (pebble->material.value != 0)
            SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_MATERIAL),
                                        pebble->material.value, &slot));
    }
    return SCREE_OK;
}

static double reach_of(const struct scree_clump_def *def)
{
    double reach = 0;
    for (size_t p = 0; p < def->pebbles; ++p) {
        const double distance =
            scree_vec3_norm(scree_vec3_load(def->pebble[p].offset)) + def->pebble[p].radius;
        reach = distance > reach ? distance : reach;
    }
    return reach;
}

// 1 - V / sum of V_p, with volumes proportional to r^3, in two dimensions areas proportional to r^2. Not
// below 0: the user may give a smaller sum.
static double shared_of(const struct scree_world *world, const struct scree_clump_def *def)
{
    const bool flat = world->dimension == 2;
    double sum = 0;
    for (size_t p = 0; p < def->pebbles; ++p) {
        const double ratio = def->pebble[p].radius / def->equal_radius;
        sum += flat ? ratio * ratio : ratio * ratio * ratio;
    }
    return sum > 1 ? 1 - 1 / sum : 0;
}

scree_status scree_body_add_clump(struct scree_world *world, const struct scree_clump_def *def,
                                  scree_body_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    for (int k = 0; k < 6; ++k)
        if (def->body.tensor[k] != 0)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the inertia of a clump is given by its principal moments, along the axes "
                "of the offsets of its pebbles, not by a tensor");
    SCREE_TRY(scree_check_positive("equal radius", def->equal_radius));
    SCREE_TRY(check_pebbles(world, def));
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_CLUMP));
    SCREE_TRY(scree_body_add_rigid(world, &def->body, id));
    scree_slot slot;
    uint64_t first;
    SCREE_TRY(scree_entity_find(bodies, id->value, &slot));
    const scree_status status = scree_grain_add_pebbles(world, slot, def->pebble, def->pebbles, &first);
    if (status != SCREE_OK) {
        const scree_status removal = scree_body_remove(world, *id);
        return removal == SCREE_OK ? status : removal;
    }
    struct scree_clump *clump =
        (struct scree_clump *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_CLUMP) + slot.index;
    *clump = (struct scree_clump){.equal_radius = def->equal_radius,
                                  .reach = reach_of(def),
                                  .shared = shared_of(world, def),
                                  .shape = def->shape,
                                  .first = first,
                                  .grains = def->pebbles};
    const double *axes = def->axes;
    const bool same = axes[0] == 0 && axes[1] == 0 && axes[2] == 0 && axes[3] == 0;
    memcpy(clump->axes, same ? (const double[4]){1, 0, 0, 0} : axes, sizeof clump->axes);
    return SCREE_OK;
}
