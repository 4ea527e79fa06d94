// Reads directions and orientations, see reading.h.

#include "language/reading.h"
#include "math/quat.h"
#include "math/trigonometry.h"

#include <string.h>

bool scree_reading_orientation_axis(struct scree_reading *reading, const struct scree_node *map,
                                    enum scree_key_id key, bool flat, struct scree_vec3 *direction)
{
    double v[3];
    if (!scree_reading_vector(reading, map, key, v))
        return false;
    const double length = scree_vec3_norm(*direction = scree_vec3_load(v));
    const struct scree_node *node = scree_reading_or_default(reading, map, key);
    if (!(length > 1e-100 && length < 1e100))
        return scree_reading_report(
            reading, node, "'%s' must have a finite length above 0, such as [0, 0, 1]; its length is %g",
            scree_key_rows[key].name, length);
    if (flat && v[2] != 0)
        return scree_reading_report(reading, node,
                                    "in two dimensions '%s' is a direction in the plane, such "
                                    "as [0, 1]",
                                    scree_key_rows[key].name);
    *direction = scree_vec3_scale(*direction, 1 / length);
    return true;
}

// The quaternion of a rotation by angle a about axis n: q = (cos(a/2), sin(a/2) n).
static bool read_axis_angle(struct scree_reading *reading, const struct scree_node *map,
                            double orientation[4])
{
    struct scree_vec3 axis;
    double angle;
    if (!scree_reading_number(reading, map, SCREE_KEY_orientation_angle, &angle) ||
        !scree_reading_orientation_axis(reading, map, SCREE_KEY_orientation_axis, false, &axis))
        return false;
    const struct scree_sincos half = scree_sincos(0.5 * angle);
    const struct scree_vec3 vector = scree_vec3_scale(axis, half.sin);
    scree_quat_store(scree_quat_make(half.cos, vector.x, vector.y, vector.z), orientation);
    return true;
}

bool scree_reading_orientation(struct scree_reading *reading, const struct scree_node *map,
                               double orientation[4])
{
    memcpy(orientation, (const double[4]){1, 0, 0, 0}, 4 * sizeof *orientation);
    if (!map)
        return true;
    if (!scree_reading_has(map, SCREE_KEY_orientation_quaternion))
        return read_axis_angle(reading, map, orientation);
    if (!scree_reading_value(reading, map, SCREE_KEY_orientation_quaternion, orientation))
        return false;
    // in the world a zero quaternion means "not given"
    const bool zero =
        orientation[0] == 0 && orientation[1] == 0 && orientation[2] == 0 && orientation[3] == 0;
    if (zero)
        scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_orientation_quaternion),
                             "the zero quaternion is not a rotation; the identity is [1, 0, 0, 0]");
    return !zero;
}
