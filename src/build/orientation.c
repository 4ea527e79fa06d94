// Reads distributions of orientations, see build.h.

#include "build/build.h"
#include "math/quat.h"
#include "math/real.h"

// The smallest rotation from one unit vector to another.
static struct scree_quat rotation_between(struct scree_vec3 from, struct scree_vec3 to, bool flat)
{
    const struct scree_vec3 sum = scree_vec3_add(from, to), normal = scree_vec3_cross(from, to);
    if (scree_vec3_norm_squared(sum) > 1e-24)
        return scree_quat_normalise(
            scree_quat_make(1 + scree_vec3_dot(from, to), normal.x, normal.y, normal.z));
    // half a turn about any perpendicular axis
    const struct scree_vec3 axis = flat ? scree_vec3_make(0, 0, 1) : scree_vec3_perpendicular(from);
    return scree_quat_make(0, axis.x, axis.y, axis.z);
}

bool scree_build_spread(struct scree_reading *reading, const struct scree_node *map,
                        struct scree_pack_shape *shape)
{
    const bool flat = reading->dimension == 2, has_along = scree_reading_has(map, SCREE_KEY_spread_along);
    struct scree_vec3 axis, along = {0, 0, 0};
    size_t about;
    bool good = scree_reading_number(reading, map, SCREE_KEY_spread_deviation, &shape->deviation);
    good = scree_reading_word(reading, map, SCREE_KEY_spread_about_axis, &about) && good;
    good = scree_reading_orientation_axis(reading, map, SCREE_KEY_spread_axis, flat, &axis) && good;
    good =
        (!has_along || scree_reading_orientation_axis(reading, map, SCREE_KEY_spread_along, flat, &along)) &&
        good;
    if (flat && scree_reading_has(map, SCREE_KEY_spread_about_axis))
        good = scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_spread_about_axis),
                                    "in two dimensions there is no rotation about the axis: leave "
                                    "'about-axis' out");
    if (!good)
        return false;
    const struct scree_quat given = scree_quat_load(shape->given);
    if (has_along)
        scree_quat_store(
            scree_quat_product(rotation_between(scree_quat_rotate(given, axis), along, flat), given),
            shape->given);
    scree_vec3_store(axis, shape->axis);
    shape->rotation = SCREE_PACK_SPREAD;
    shape->turns = about == 1;
    return true;
}
