// Bodies placed by a filling or an insertion, see body.h.

#include "pack/body.h"

#include "math/elementary.h"
#include "math/quat.h"
#include "math/real.h"
#include "pack/solid.h"

#include <math.h>
#include <string.h>

// A rotation with uniform distribution over all rotations (K. Shoemake, "Uniform random rotations", Graphics
// Gems III, 124, 1992), or over the angles about z.
static struct scree_quat draw_rotation(bool all, const double u[3])
{
    const struct scree_sincos first = scree_sincos((all ? 2 : 1) * SCREE_PI * u[1]);
    if (!all)
        return scree_quat_make(first.cos, 0, 0, first.sin);
    const struct scree_sincos second = scree_sincos(2 * SCREE_PI * u[2]);
    const double a = sqrt(1 - u[0]), b = sqrt(u[0]);
    return scree_quat_make(b * second.cos, a * first.sin, a * first.cos, b * second.sin);
}

// sin(t/2)^2 of an angle t from the mean direction, by inversion of the distribution function: with u uniform
// and k = 1 / s^2, exp(-k (1 - cos t)) = u + (1 - u) exp(-2 k).
static double draw_tilt(double s, double u)
{
    if (!(s > 0))
        return 0;
    const double tail = u + (1 - u) * scree_exp(-2 / (s * s));
    return scree_real_min(-0.5 * s * s * scree_log(tail), 1);
}

// The axis is tilted about a perpendicular direction, after the shape was rotated about the axis.
static struct scree_quat draw_spread(const struct scree_pack_shape *shape, const double u[3])
{
    const struct scree_quat given = scree_quat_load(shape->given);
    const struct scree_vec3 axis = scree_vec3_load(shape->axis), mean = scree_quat_rotate(given, axis),
                            first = scree_vec3_perpendicular(mean), second = scree_vec3_cross(mean, first);
    const double square = draw_tilt(shape->deviation, u[0]), half_sine = sqrt(square);
    const struct scree_sincos around = scree_sincos(2 * SCREE_PI * u[1]),
                              turn = scree_sincos(SCREE_PI * u[2]);
    const struct scree_vec3 v = scree_vec3_add_scaled(scree_vec3_scale(first, half_sine * around.cos),
                                                      half_sine * around.sin, second);
    const struct scree_quat tilted =
        scree_quat_product(scree_quat_make(sqrt(1 - square), v.x, v.y, v.z), given);
    if (!shape->turns)
        return tilted;
    const struct scree_vec3 t = scree_vec3_scale(axis, turn.sin);
    return scree_quat_product(tilted, scree_quat_make(turn.cos, t.x, t.y, t.z));
}

// A rotation about z by a normal angle (G. Box and M. Muller, Ann. Math. Stat. 29, 610, 1958).
static struct scree_quat draw_flat_spread(const struct scree_pack_shape *shape, const double u[3])
{
    const double normal = sqrt(-2 * scree_log(u[0])) * scree_cos(2 * SCREE_PI * u[1]);
    const struct scree_sincos half = scree_sincos(0.5 * shape->deviation * normal);
    return scree_quat_product(scree_quat_make(half.cos, 0, 0, half.sin), scree_quat_load(shape->given));
}

void scree_pack_draw_orientation(const struct scree_pack_shape *shape, int dimension,
                                 struct scree_random_key key, uint64_t number, double orientation[4])
{
    double u[3];
    if (!shape) {
        memcpy(orientation, (const double[4]){1, 0, 0, 0}, 4 * sizeof *orientation);
        return;
    }
    const struct scree_quat given = scree_quat_load(shape->given);
    if (shape->rotation == SCREE_PACK_NOT_ROTATED) {
        scree_quat_store(given, orientation);
        return;
    }
    scree_random_fill(key, number, 0, u, 3);
    const bool all = shape->rotation == SCREE_PACK_ALL && dimension == 3;
    const struct scree_quat drawn = shape->rotation != SCREE_PACK_SPREAD
                                        ? scree_quat_product(draw_rotation(all, u), given)
                                    : dimension == 2 ? draw_flat_spread(shape, u)
                                                     : draw_spread(shape, u);
    scree_quat_store(scree_quat_normalise(drawn), orientation);
}

struct scree_fill_grain scree_pack_grain(const struct scree_pack_shape *shape,
                                         const struct scree_pack_body *body, size_t pebble)
{
    struct scree_fill_grain grain = {.radius = body->radius};
    memcpy(grain.position, body->position, sizeof grain.position);
    if (!shape)
        return grain;
    const struct scree_pack_pebble *p = &shape->pebble[pebble];
    const struct scree_vec3 arm =
        scree_quat_rotate(scree_quat_load(body->orientation), scree_vec3_load(p->offset));
    scree_vec3_store(scree_vec3_add_scaled(scree_vec3_load(body->position), body->radius, arm),
                     grain.position);
    grain.radius = body->radius * p->radius;
    grain.shared = shape->shared;
    return grain;
}

scree_status scree_pack_solid_of_body(const struct scree_pack_shape *shape,
                                      const struct scree_pack_body *body, struct scree_pack_solid **solid)
{
    *solid = NULL;
    if (!shape || !shape->core)
        return SCREE_OK;
    const double scale = body->radius / shape->core_radius;
    const struct scree_quat turn = scree_quat_normalise(
        scree_quat_product(scree_quat_load(body->orientation), scree_quat_load(shape->core_axes)));
    return scree_pack_solid_make(shape->core, scale, scree_quat_to_matrix(turn), shape->rounding * scale,
                                 solid);
}
