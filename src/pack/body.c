// Bodies placed by a filling or an insertion, see body.h.

#include "pack/body.h"

#include "math/quat.h"
#include "math/real.h"

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
    scree_quat_store(scree_quat_normalise(scree_quat_product(draw_rotation(all, u), given)), orientation);
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
