// Nearest point of a wall, branch-free: vectorised loops and single evaluations inline the same code and give
// the same bits. Computed in local axes relative to the reference point of the wall, so that mirrored
// configurations give mirrored bits.
//
// Invariant: no branch is left if the kind is known at compile time.

#ifndef SCREE_SHAPE_NEAREST_H
#define SCREE_SHAPE_NEAREST_H

#include "math/vec3.h"
#include "world/records.h"

#include <scree/wall.h>

// Kinds of nearest-point problems; several shapes share one.
enum scree_nearest_kind {
    SCREE_NEAREST_PLANE,
    SCREE_NEAREST_FACE,   // of a box with bodies inside
    SCREE_NEAREST_BOX,    // solid; a rectangle is a box of height 0
    SCREE_NEAREST_SPHERE, // from inside or outside
    SCREE_NEAREST_ROUND,  // disk, cylinder, cone
    SCREE_NEAREST_KINDS
};

// Gap and normal, in local axes.
struct scree_nearest {
    double gap;
    struct scree_vec3 normal;
};

static inline enum scree_nearest_kind scree_nearest_kind(const struct scree_wall *wall)
{
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        return SCREE_NEAREST_PLANE;
    case SCREE_WALL_BOX:
        return wall->side == SCREE_WALL_INSIDE ? SCREE_NEAREST_FACE : SCREE_NEAREST_BOX;
    case SCREE_WALL_RECTANGLE:
        return SCREE_NEAREST_BOX;
    case SCREE_WALL_SPHERE:
        return SCREE_NEAREST_SPHERE;
    default:
        return SCREE_NEAREST_ROUND;
    }
}

SCREE_KERNEL_INLINE double scree_nearest_sign(double x)
{
    return x < 0 ? -1.0 : 1.0;
}

SCREE_KERNEL_INLINE double scree_nearest_clamp(double x, double limit)
{
    return scree_real_max(scree_real_min(x, limit), -limit);
}

// Each face of a box with bodies inside is a half-space: features 0 and 1 are the lower and upper faces along
// x, and so on.
SCREE_KERNEL_INLINE struct scree_nearest scree_nearest_face(const double *half, unsigned feature,
                                                            struct scree_vec3 p)
{
    const unsigned axis = feature / 2;
    const double sign = feature % 2 ? -1 : 1;
    const double along = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    return (struct scree_nearest){half[axis] + sign * along,
                                  {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0}};
}

// Inside and on the surface the nearest face counts. Ties go to the last axis, so that points on a rectangle
// get its normal.
SCREE_KERNEL_INLINE struct scree_nearest scree_nearest_box(const double *half, struct scree_vec3 p)
{
    const struct scree_vec3 r = {p.x - scree_nearest_clamp(p.x, half[0]),
                                 p.y - scree_nearest_clamp(p.y, half[1]),
                                 p.z - scree_nearest_clamp(p.z, half[2])};
    const double square = scree_vec3_norm_squared(r), gap = sqrt(square);
    const double x = fabs(p.x) - half[0], y = fabs(p.y) - half[1], z = fabs(p.z) - half[2];
    const double by_y = y >= x ? 1 : 0, by_z = z >= x ? z >= y ? 1 : 0 : 0;
    const double depth = by_z > 0 ? z : by_y > 0 ? y : x;
    const double normal_x = by_z + by_y > 0 ? 0 : scree_nearest_sign(p.x);
    const double normal_y = by_z > 0 ? 0 : by_y > 0 ? scree_nearest_sign(p.y) : 0;
    const double normal_z = by_z > 0 ? scree_nearest_sign(p.z) : 0;
    return (struct scree_nearest){square > 0 ? gap : depth,
                                  {square > 0 ? r.x / gap : normal_x, square > 0 ? r.y / gap : normal_y,
                                   square > 0 ? r.z / gap : normal_z}};
}

SCREE_KERNEL_INLINE struct scree_nearest scree_nearest_sphere(const struct scree_wall *wall,
                                                              struct scree_vec3 p)
{
    const double distance = scree_vec3_norm(p), sign = wall->side == SCREE_WALL_INSIDE ? -1 : 1;
    const struct scree_vec3 out = {distance > 0 ? p.x / distance : 1, distance > 0 ? p.y / distance : 0,
                                   distance > 0 ? p.z / distance : 0};
    return (struct scree_nearest){sign * (distance - wall->size[0]), scree_vec3_scale(out, sign)};
}

// Disk, cylinder and cone: nearest point of the generating line in the half-plane through the axis and the
// centre; the opposite half-plane is never nearer.
SCREE_KERNEL_INLINE struct scree_nearest scree_nearest_round(const struct scree_wall *wall,
                                                             struct scree_vec3 p)
{
    const double radius = sqrt(p.x * p.x + p.y * p.y);
    const double out = radius - wall->slope[0], line_radial = wall->slope[1], line_axial = wall->slope[2];
    const double position = out * line_radial + p.z * line_axial,
                 offset = out * line_axial - p.z * line_radial;
    const double side = scree_nearest_sign(offset), line_out = side * line_axial,
                 line_up = -(side * line_radial);
    const double rim = position > 0 ? wall->size[1] : wall->size[0];
    const double rim_out = radius - rim, rim_up = p.z - copysign(wall->size[2], position);
    const double distance = sqrt(rim_out * rim_out + rim_up * rim_up);
    const double rim_normal_out = distance > 0 ? rim_out / distance : line_out;
    const double rim_normal_up = distance > 0 ? rim_up / distance : line_up;
    const bool on_line = fabs(position) <= wall->slope[3];
    const double gap = on_line ? fabs(offset) : distance;
    const double normal_out = on_line ? line_out : rim_normal_out;
    const double normal_up = on_line ? line_up : rim_normal_up;
    const double x = radius > 0 ? p.x / radius : 1, y = radius > 0 ? p.y / radius : 0;
    return (struct scree_nearest){gap, {normal_out * x, normal_out * y, normal_up}};
}

// Transforms a point to the local axes of the wall.
SCREE_KERNEL_INLINE struct scree_vec3 scree_nearest_to_local(const struct scree_wall *wall,
                                                             struct scree_vec3 centre)
{
    const struct scree_vec3 d = scree_vec3_sub(centre, scree_vec3_load(wall->reference));
    return scree_vec3_make(scree_vec3_dot(d, scree_vec3_load(wall->axes[0])),
                           scree_vec3_dot(d, scree_vec3_load(wall->axes[1])),
                           scree_vec3_dot(d, scree_vec3_load(wall->axes[2])));
}

SCREE_KERNEL_INLINE struct scree_nearest scree_nearest_find(enum scree_nearest_kind kind,
                                                            const struct scree_wall *wall, unsigned feature,
                                                            struct scree_vec3 centre)
{
    const struct scree_vec3 p = scree_nearest_to_local(wall, centre);
    switch (kind) {
    case SCREE_NEAREST_PLANE:
        return (struct scree_nearest){p.z, {0, 0, 1}};
    case SCREE_NEAREST_FACE:
        return scree_nearest_face(wall->size, feature, p);
    case SCREE_NEAREST_BOX:
        return scree_nearest_box(wall->size, p);
    case SCREE_NEAREST_SPHERE:
        return scree_nearest_sphere(wall, p);
    default:
        return scree_nearest_round(wall, p);
    }
}

// Normal in world axes.
SCREE_KERNEL_INLINE struct scree_vec3 scree_nearest_normal(const struct scree_wall *wall,
                                                           const struct scree_nearest *nearest)
{
    const struct scree_vec3 n = nearest->normal;
    return scree_vec3_add(scree_vec3_scale(scree_vec3_load(wall->axes[0]), n.x),
                          scree_vec3_add(scree_vec3_scale(scree_vec3_load(wall->axes[1]), n.y),
                                         scree_vec3_scale(scree_vec3_load(wall->axes[2]), n.z)));
}

// Nearest point of the surface.
SCREE_KERNEL_INLINE struct scree_vec3
scree_nearest_point(struct scree_vec3 centre, const struct scree_nearest *nearest, struct scree_vec3 normal)
{
    return scree_vec3_add_scaled(centre, -nearest->gap, normal);
}

#endif
