// Clumps of spheres and polyhedra, see include/scree/shape.h.

#include "base/memory.h"
#include "math/power.h"
#include "math/quat.h"
#include "math/real.h"
#include "shape/mass.h"
#include "shape/mass_parts.h"
#include "world/polyhedron.h"
#include "world/rotor.h"

static scree_status read_part(const struct scree_world *world, size_t p, const struct scree_pebble *pebble,
                              struct scree_shape_part *part)
{
    double orientation[4];
    part->centre = scree_vec3_load(pebble->offset);
    part->radius = pebble->radius;
    if (pebble->shape.value == 0)
        return scree_shape_check(pebble, 1, 3);
    part->shape = scree_polyhedron_shape(world, pebble->shape.value);
    if (!part->shape)
        return scree_status_fail(SCREE_ERROR_MISSING, "pebble %zu has the shape %llu, which does not exist",
                                 p + 1, (unsigned long long)pebble->shape.value);
    part->core = part->shape->hull;
    SCREE_TRY(scree_polyhedron_orient(part->shape, pebble->orientation, orientation));
    part->axes = scree_quat_to_matrix(scree_quat_load(orientation));
    return SCREE_OK;
}

scree_status scree_shape_mass_clump(const struct scree_world *world, const struct scree_pebble *pebble,
                                    size_t pebbles, struct scree_shape_mass *mass)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_shape_part *part;
    scree_status status = SCREE_OK;
    SCREE_TRY(scree_memory_new(pebbles, sizeof *part, (void **)&part));
    for (size_t p = 0; p < pebbles && status == SCREE_OK; ++p)
        status = read_part(world, p, &pebble[p], &part[p]);
    if (status == SCREE_OK)
        status = scree_shape_mass_parts(part, pebbles, false, mass);
    scree_memory_free(part);
    return status;
}

// An orientation, all zero for the identity, seen from the principal axes.
static struct scree_quat turned(const double given[4], struct scree_quat axes)
{
    const struct scree_quat q = scree_quat_load(given);
    return scree_quat_product(scree_quat_conjugate(axes),
                              scree_quat_norm_squared(q) > 0 ? q : scree_quat_make(1, 0, 0, 0));
}

scree_status scree_shape_place_clump(const struct scree_shape_mass *mass, double density,
                                     struct scree_pebble *pebble, size_t pebbles,
                                     struct scree_clump_def *clump)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const struct scree_shape_values *value = &mass->value;
    double orientation[4] = {1, 0, 0, 0};
    const double *given = clump->body.orientation;
    if (!(value->volume > 0) || !(density > 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a clump needs a volume and a density above 0; got %g m^3 and %g kg/m^3",
                                 value->volume, density);
    if (given[0] != 0 || given[1] != 0 || given[2] != 0 || given[3] != 0)
        SCREE_TRY(scree_rotor_orientation(given, orientation));
    clump->body.mass = density * value->volume;
    clump->equal_radius = scree_cbrt(value->volume / (4.0 / 3.0 * SCREE_PI));
    scree_shape_principal(value->inertia, clump->body.inertia, clump->axes);
    for (int k = 0; k < 3; ++k)
        clump->body.inertia[k] *= clump->body.mass;
    const struct scree_quat axes = scree_quat_load(clump->axes);
    scree_quat_store(scree_quat_normalise(scree_quat_product(scree_quat_load(orientation), axes)),
                     clump->body.orientation);
    for (size_t p = 0; p < pebbles; ++p) {
        const struct scree_vec3 from_centre =
            scree_vec3_sub(scree_vec3_load(pebble[p].offset), scree_vec3_load(value->centre));
        scree_vec3_store(scree_quat_rotate_inverse(axes, from_centre), pebble[p].offset);
        if (pebble[p].shape.value > 0)
            scree_quat_store(turned(pebble[p].orientation, axes), pebble[p].orientation);
    }
    clump->pebble = pebble;
    clump->pebbles = pebbles;
    return SCREE_OK;
}
