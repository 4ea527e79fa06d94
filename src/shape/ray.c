// Rays, see ray.h. Computed in the local axes of the wall.

#include "shape/ray.h"

#include "shape/nearest.h"

#include <math.h>

struct ray {
    struct scree_vec3 from, along;
};

static struct ray to_local(const struct scree_wall *wall, const double *from, const double *direction)
{
    const struct scree_vec3 d = scree_vec3_load(direction);
    return (struct ray){scree_nearest_to_local(wall, scree_vec3_load(from)),
                        {scree_vec3_dot(d, scree_vec3_load(wall->axes[0])),
                         scree_vec3_dot(d, scree_vec3_load(wall->axes[1])),
                         scree_vec3_dot(d, scree_vec3_load(wall->axes[2]))}};
}

static struct scree_vec3 point_at(const struct ray *ray, double distance)
{
    return scree_vec3_add_scaled(ray->from, distance, ray->along);
}

// Where a ray meets a plane across the third axis; false if it does not.
static bool meet_level(const struct ray *ray, double level, struct scree_vec3 *point)
{
    const double distance = (level - ray->from.z) / ray->along.z;
    *point = point_at(ray, distance);
    return ray->along.z != 0 && distance >= 0 && isfinite(distance);
}

static double radius_of(struct scree_vec3 p)
{
    return sqrt(p.x * p.x + p.y * p.y);
}

// Narrows [first, last], distances along the ray, to the part within a slab.
static void cut_slab(double from, double along, double half, double *first, double *last)
{
    if (along == 0) {
        *last = fabs(from) <= half ? *last : -(double)INFINITY;
        return;
    }
    const double a = (-half - from) / along, b = (half - from) / along;
    *first = scree_real_max(*first, scree_real_min(a, b));
    *last = scree_real_min(*last, scree_real_max(a, b));
}

static bool meets_box(const struct ray *ray, const double *half)
{
    double first = 0, last = (double)INFINITY;
    cut_slab(ray->from.x, ray->along.x, half[0], &first, &last);
    cut_slab(ray->from.y, ray->along.y, half[1], &first, &last);
    cut_slab(ray->from.z, ray->along.z, half[2], &first, &last);
    return first <= last;
}

static bool meets_sphere(const struct ray *ray, double radius)
{
    const double middle = scree_vec3_dot(ray->from, ray->along);
    const double beyond = scree_vec3_norm_squared(ray->from) - radius * radius;
    return beyond <= 0 || (middle < 0 && middle * middle >= beyond);
}

// --- cylinders and cones: radius m + g z between heights -h and h

static double growth_of(const struct scree_wall *wall)
{
    return isinf(wall->size[2]) ? 0 : 0.5 * (wall->size[1] - wall->size[0]) / wall->size[2];
}

static bool is_on_round(const struct scree_wall *wall, const struct ray *ray, double distance)
{
    const double z = point_at(ray, distance).z;
    return distance >= 0 && isfinite(distance) && fabs(z) <= wall->size[2];
}

static bool meets_round(const struct scree_wall *wall, const struct ray *ray)
{
    const struct scree_vec3 p = ray->from, d = ray->along;
    const double g = growth_of(wall), radius = wall->slope[0] + g * p.z;
    const double a = d.x * d.x + d.y * d.y - g * g * d.z * d.z, b = p.x * d.x + p.y * d.y - g * d.z * radius,
                 c = p.x * p.x + p.y * p.y - radius * radius;
    const double square = b * b - a * c;
    if (a == 0)
        return b != 0 && is_on_round(wall, ray, -0.5 * c / b);
    if (square < 0)
        return false;
    return is_on_round(wall, ray, (-b - sqrt(square)) / a) || is_on_round(wall, ray, (-b + sqrt(square)) / a);
}

static bool starts_inside(const struct scree_wall *wall, struct scree_vec3 p)
{
    return fabs(p.z) <= wall->size[2] && radius_of(p) < wall->slope[0] + growth_of(wall) * p.z;
}

// --- all shapes

bool scree_ray_meets(const struct scree_wall *wall, const double from[3], const double direction[3])
{
    const struct ray ray = to_local(wall, from, direction);
    struct scree_vec3 p;
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        return ray.from.z <= 0 || ray.along.z < 0;
    case SCREE_WALL_RECTANGLE:
        return meet_level(&ray, 0, &p) && fabs(p.x) <= wall->size[0] && fabs(p.y) <= wall->size[1];
    case SCREE_WALL_DISK:
        return meet_level(&ray, 0, &p) && radius_of(p) <= wall->size[0] && radius_of(p) >= wall->size[1];
    case SCREE_WALL_BOX:
        return wall->side == SCREE_WALL_INSIDE || meets_box(&ray, wall->size);
    case SCREE_WALL_SPHERE:
        return wall->side == SCREE_WALL_INSIDE || meets_sphere(&ray, wall->size[0]);
    case SCREE_WALL_MESH:
        return true; // facets are not searched: a mesh may hold bodies
    default:
        return meets_round(wall, &ray);
    }
}

bool scree_ray_is_vessel(const struct scree_wall *wall)
{
    return wall->side == SCREE_WALL_INSIDE || wall->shape == SCREE_WALL_CYLINDER ||
           wall->shape == SCREE_WALL_CONE;
}

bool scree_ray_passes_inside(const struct scree_wall *wall, const double from[3], const double direction[3])
{
    const struct ray ray = to_local(wall, from, direction);
    struct scree_vec3 p;
    if (!scree_ray_is_vessel(wall))
        return false;
    if (wall->shape == SCREE_WALL_BOX)
        return meets_box(&ray, wall->size);
    if (wall->shape == SCREE_WALL_SPHERE)
        return meets_sphere(&ray, wall->size[0]);
    return starts_inside(wall, ray.from) ||
           (meet_level(&ray, -wall->size[2], &p) && radius_of(p) < wall->size[0]) ||
           (meet_level(&ray, wall->size[2], &p) && radius_of(p) < wall->size[1]);
}
