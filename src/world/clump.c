// Definitions of clumps, see clump.h.

#include "world/clump.h"

#include "convex/convex.h"
#include "math/real.h"
#include "world/check.h"
#include "world/grain.h"

#include <string.h>

// The radius of a sphere or disk, and of the sphere around a polyhedron.
static double radius_of(const struct scree_world *world, const struct scree_pebble *pebble)
{
    const struct scree_shape *shape = scree_polyhedron_shape(world, pebble->shape.value);
    return shape ? shape->reach : pebble->radius;
}

static scree_status check_shape(const struct scree_world *world, size_t p, const struct scree_pebble *pebble)
{
    double orientation[4];
    const double *q = pebble->orientation;
    if (pebble->shape.value == 0)
        return q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0
                   ? SCREE_OK
                   : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                       "pebble %zu has an orientation, but only a polyhedron has one", p + 1);
    if (world->dimension != 3)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "pebble %zu is a polyhedron, which needs a world of three dimensions; this "
                                 "one has two",
                                 p + 1);
    if (pebble->radius != 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "pebble %zu is a polyhedron, which has no radius; got %g", p + 1,
                                 pebble->radius);
    const struct scree_shape *shape = scree_polyhedron_shape(world, pebble->shape.value);
    if (!shape)
        return scree_status_fail(SCREE_ERROR_MISSING, "pebble %zu has the shape %llu, which does not exist",
                                 p + 1, (unsigned long long)pebble->shape.value);
    return scree_polyhedron_orient(shape, q, orientation);
}

scree_status scree_clump_check(const struct scree_world *world, const struct scree_clump_def *def)
{
    for (int k = 0; k < 6; ++k)
        if (def->body.tensor[k] != 0)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the inertia of a clump is given by its principal moments, along the axes "
                "of the offsets of its pebbles, not by a tensor");
    SCREE_TRY(scree_check_positive("radius of equal volume", def->equal_radius));
    if (!def->pebble || def->pebbles == 0 || def->pebbles > UINT16_MAX)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a clump needs from 1 to %d pebbles; got %zu",
                                 UINT16_MAX, def->pebble ? def->pebbles : (size_t)0);
    if (def->body.material.value == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a clump needs a material: that of pebbles without one");
    for (size_t p = 0; p < def->pebbles; ++p) {
        const struct scree_pebble *pebble = &def->pebble[p];
        scree_slot slot;
        SCREE_TRY(check_shape(world, p, pebble));
        SCREE_TRY(scree_grain_check(world, def->body.position, radius_of(world, pebble), pebble->offset));
        if (pebble->material.value != 0)
            SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_MATERIAL),
                                        pebble->material.value, &slot));
    }
    return SCREE_OK;
}

// Distance of the farthest point of a pebble from the centre of mass of the clump.
static double reach_of_pebble(const struct scree_world *world, const struct scree_pebble *pebble)
{
    const struct scree_vec3 offset = scree_vec3_load(pebble->offset);
    const struct scree_shape *shape = scree_polyhedron_shape(world, pebble->shape.value);
    double orientation[4], reach = 0;
    if (!shape || scree_polyhedron_orient(shape, pebble->orientation, orientation) != SCREE_OK)
        return scree_vec3_norm(offset) + pebble->radius;
    const struct scree_mat3 axes = scree_quat_to_matrix(scree_quat_load(orientation));
    for (uint32_t v = 0; v < shape->hull->vertices; ++v)
        reach = scree_real_max(
            reach, scree_vec3_norm(scree_vec3_add(offset, scree_mat3_apply(axes, shape->hull->vertex[v]))));
    return reach + shape->rounding;
}

static double reach_of(const struct scree_world *world, const struct scree_clump_def *def)
{
    double reach = 0;
    for (size_t p = 0; p < def->pebbles; ++p)
        reach = scree_real_max(reach, reach_of_pebble(world, &def->pebble[p]));
    return reach;
}

// 1 - V / sum of V_p, with volumes proportional to r^3, in two dimensions areas proportional to r^2; V_p of a
// polyhedron is that of the sphere around it. Not below 0: the user may give a smaller sum.
static double shared_of(const struct scree_world *world, const struct scree_clump_def *def)
{
    const bool flat = world->dimension == 2;
    double sum = 0;
    for (size_t p = 0; p < def->pebbles; ++p) {
        const double ratio = radius_of(world, &def->pebble[p]) / def->equal_radius;
        sum += flat ? ratio * ratio : ratio * ratio * ratio;
    }
    return sum > 1 ? 1 - 1 / sum : 0;
}

struct scree_clump scree_clump_of(const struct scree_world *world, const struct scree_clump_def *def,
                                  uint64_t first)
{
    struct scree_clump clump = {.equal_radius = def->equal_radius,
                                .reach = reach_of(world, def),
                                .shared = shared_of(world, def),
                                .shape = def->shape,
                                .first = first,
                                .grains = def->pebbles};
    const double *axes = def->axes;
    const bool same = axes[0] == 0 && axes[1] == 0 && axes[2] == 0 && axes[3] == 0;
    memcpy(clump.axes, same ? (const double[4]){1, 0, 0, 0} : axes, sizeof clump.axes);
    return clump;
}
