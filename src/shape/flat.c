// Flat walls in one plane, see flat.h.

#include "shape/flat.h"

#include "shape/nearest.h"

#include <math.h>

// A rectangle or a disk in the plane of another wall.
struct outline {
    bool round;
    double middle[2], axis[2][2]; // unit directions of the edges
    double half[2];               // half edges; or radius of the rim and of the hole
};

static bool is_flat(const struct scree_wall *wall)
{
    return wall->shape == SCREE_WALL_PLANE || wall->shape == SCREE_WALL_RECTANGLE ||
           wall->shape == SCREE_WALL_DISK;
}

// An infinite edge is along z in two dimensions, where all walls are equally long.
static double finite(double size)
{
    return isinf(size) ? 0 : size;
}

// The outline of a wall in the first two axes of `base`.
static struct outline outline_of(const struct scree_wall *base, const struct scree_wall *wall)
{
    struct outline outline = {.round = wall->shape == SCREE_WALL_DISK,
                              .half = {finite(wall->size[0]), finite(wall->size[1])}};
    const struct scree_vec3 from = scree_vec3_load(base->reference), to = scree_vec3_load(wall->reference);
    for (int k = 0; k < 2; ++k) {
        const struct scree_vec3 axis = scree_vec3_load(base->axes[k]);
        outline.middle[k] = scree_vec3_dot(scree_vec3_sub(to, from), axis);
        for (int j = 0; j < 2; ++j)
            outline.axis[j][k] = scree_vec3_dot(scree_vec3_load(wall->axes[j]), axis);
    }
    return outline;
}

static double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

// Distance of a point from a rectangle; 0 inside.
static double distance_of_point(const struct outline *rectangle, const double *point)
{
    double out[2];
    for (int j = 0; j < 2; ++j) {
        const double along = (point[0] - rectangle->middle[0]) * rectangle->axis[j][0] +
                             (point[1] - rectangle->middle[1]) * rectangle->axis[j][1];
        out[j] = scree_real_max(fabs(along) - rectangle->half[j], 0);
    }
    return length_of(out[0], out[1]);
}

static void find_corner(const struct outline *rectangle, int number, double *corner)
{
    const double a = (number & 1 ? 1 : -1) * rectangle->half[0],
                 b = (number & 2 ? 1 : -1) * rectangle->half[1];
    for (int k = 0; k < 2; ++k)
        corner[k] = rectangle->middle[k] + a * rectangle->axis[0][k] + b * rectangle->axis[1][k];
}

// Returns true if a direction of an edge of one rectangle separates two.
static bool are_separate(const struct outline *a, const struct outline *b)
{
    for (int j = 0; j < 2; ++j) {
        double least = (double)INFINITY, most = -(double)INFINITY;
        for (int c = 0; c < 4; ++c) {
            double corner[2];
            find_corner(b, c, corner);
            const double along =
                (corner[0] - a->middle[0]) * a->axis[j][0] + (corner[1] - a->middle[1]) * a->axis[j][1];
            least = scree_real_min(least, along);
            most = scree_real_max(most, along);
        }
        if (least > a->half[j] || most < -a->half[j])
            return true;
    }
    return false;
}

// The nearest points of two separate convex outlines include a corner of one of them.
static double distance_of_rectangles(const struct outline *a, const struct outline *b)
{
    double least = (double)INFINITY;
    if (!are_separate(a, b) && !are_separate(b, a))
        return 0;
    for (int c = 0; c < 4; ++c) {
        double corner[2];
        find_corner(a, c, corner);
        least = scree_real_min(least, distance_of_point(b, corner));
        find_corner(b, c, corner);
        least = scree_real_min(least, distance_of_point(a, corner));
    }
    return least;
}

// Distance of an outline from a disk: outside of its rim, or within its hole.
static double distance_from_disk(const struct outline *disk, const struct outline *other)
{
    double near = 0, far = 0;
    if (other->round) {
        const double apart =
            length_of(other->middle[0] - disk->middle[0], other->middle[1] - disk->middle[1]);
        near = apart - other->half[0];
        far = apart + other->half[0];
        if (apart + disk->half[0] <= other->half[1])
            return other->half[1] - apart - disk->half[0];
    } else {
        near = distance_of_point(other, disk->middle);
        for (int c = 0; c < 4; ++c) {
            double corner[2];
            find_corner(other, c, corner);
            far = scree_real_max(far, length_of(corner[0] - disk->middle[0], corner[1] - disk->middle[1]));
        }
    }
    if (far <= disk->half[1])
        return disk->half[1] - far;
    return scree_real_max(near - disk->half[0], 0);
}

bool scree_flat_distance(const struct scree_wall *a, const struct scree_wall *b, double step,
                         double *distance)
{
    if (!is_flat(a) || !is_flat(b))
        return false;
    const struct scree_vec3 normal = scree_vec3_load(a->axes[2]);
    const struct scree_vec3 apart =
        scree_vec3_sub(scree_vec3_load(b->reference), scree_vec3_load(a->reference));
    const struct scree_vec3 tilt = scree_vec3_cross(normal, scree_vec3_load(b->axes[2]));
    if (scree_vec3_norm(tilt) > 1e-6 || fabs(scree_vec3_dot(apart, normal)) > step)
        return false;
    *distance = 0;
    if (a->shape == SCREE_WALL_PLANE || b->shape == SCREE_WALL_PLANE)
        return true;
    const struct outline first = outline_of(a, a), second = outline_of(a, b);
    if (first.round)
        *distance = distance_from_disk(&first, &second);
    else if (second.round)
        *distance = distance_from_disk(&second, &first);
    else
        *distance = distance_of_rectangles(&first, &second);
    return true;
}
