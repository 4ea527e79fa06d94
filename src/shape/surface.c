// Nearest points of walls, see surface.h. All is computed in the wall's own axes, about its middle, where
// mirror images have mirrored bits.

#include "shape/surface.h"

#include "math/vec3.h"

#include <scree/wall.h>

// A gap and a normal in the wall's axes.
struct near {
    double gap;
    struct scree_vec3 normal;
};

static inline struct scree_vec3 see(const struct scree_wall *wall, const double *centre)
{
    const struct scree_vec3 d = scree_vec3_sub(scree_vec3_load(centre), scree_vec3_load(wall->place));
    return scree_vec3_make(scree_vec3_dot(d, scree_vec3_load(wall->axes[0])),
                           scree_vec3_dot(d, scree_vec3_load(wall->axes[1])),
                           scree_vec3_dot(d, scree_vec3_load(wall->axes[2])));
}

static inline double sign_of(double x)
{
    return x < 0 ? -1 : 1;
}

static inline double clamp(double x, double most)
{
    return scree_real_max(scree_real_min(x, most), -most);
}

// Each face of a container is a half-space: 0 and 1 across x, from below and from above, and so on.
static inline struct near find_face(const double *half, unsigned feature, struct scree_vec3 p)
{
    const unsigned axis = feature / 2;
    const double sign = feature % 2 ? -1 : 1;
    const double along = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    return (struct near){half[axis] + sign * along,
                         {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0}};
}

// A solid box; a rectangle is one without height. Inside and on the surface the nearest face counts, the last
// of several, which is how a rectangle's centre line keeps its normal.
static inline struct near find_box(const double *half, struct scree_vec3 p)
{
    const struct scree_vec3 r =
        scree_vec3_make(p.x - clamp(p.x, half[0]), p.y - clamp(p.y, half[1]), p.z - clamp(p.z, half[2]));
    const double square = scree_vec3_norm_squared(r);
    if (square > 0) {
        const double gap = sqrt(square);
        return (struct near){gap, {r.x / gap, r.y / gap, r.z / gap}};
    }
    const double x = fabs(p.x) - half[0], y = fabs(p.y) - half[1], z = fabs(p.z) - half[2];
    if (z >= x && z >= y)
        return (struct near){z, {0, 0, sign_of(p.z)}};
    if (y >= x)
        return (struct near){y, {0, sign_of(p.y), 0}};
    return (struct near){x, {sign_of(p.x), 0, 0}};
}

static inline struct near find_sphere(const struct scree_wall *wall, struct scree_vec3 p)
{
    const double distance = scree_vec3_norm(p), sign = wall->side == SCREE_WALL_INSIDE ? -1 : 1;
    const struct scree_vec3 out = distance > 0
                                      ? scree_vec3_make(p.x / distance, p.y / distance, p.z / distance)
                                      : scree_vec3_make(1, 0, 0);
    return (struct near){sign * (distance - wall->size[0]), scree_vec3_scale(out, sign)};
}

// Disk, cylinder and cone: the problem is that of a straight way in the half-plane through the axis and the
// centre, whose other half is never nearer.
static inline struct near find_round(const struct scree_wall *wall, struct scree_vec3 p)
{
    const double radius = sqrt(p.x * p.x + p.y * p.y);
    const double out = radius - wall->slope[0], along = wall->slope[1], up = wall->slope[2];
    const double way = out * along + p.z * up, off = out * up - p.z * along;
    double gap = fabs(off), normal_out = sign_of(off) * up, normal_up = -(sign_of(off) * along);
    if (!(fabs(way) <= wall->slope[3])) {
        const double rim_out = radius - wall->size[way > 0], rim_up = p.z - copysign(wall->size[2], way);
        const double distance = sqrt(rim_out * rim_out + rim_up * rim_up);
        normal_out = distance > 0 ? rim_out / distance : normal_out;
        normal_up = distance > 0 ? rim_up / distance : normal_up;
        gap = distance;
    }
    const double x = radius > 0 ? p.x / radius : 1, y = radius > 0 ? p.y / radius : 0;
    return (struct near){gap, {normal_out * x, normal_out * y, normal_up}};
}

static inline struct near find(const struct scree_wall *wall, unsigned feature, const double *centre)
{
    const struct scree_vec3 p = see(wall, centre);
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        return (struct near){p.z, {0, 0, 1}};
    case SCREE_WALL_BOX:
        if (wall->side == SCREE_WALL_INSIDE)
            return find_face(wall->size, feature, p);
        return find_box(wall->size, p);
    case SCREE_WALL_RECTANGLE:
        return find_box(wall->size, p);
    case SCREE_WALL_SPHERE:
        return find_sphere(wall, p);
    default:
        return find_round(wall, p);
    }
}

bool scree_surface_near(const struct scree_wall *wall, unsigned feature, const double centre[3], double range)
{
    return find(wall, feature, centre).gap <= range;
}

void scree_surface_touch(const struct scree_wall *wall, unsigned feature, const double centre[3],
                         struct scree_surface_touch *touch)
{
    const struct near near = find(wall, feature, centre);
    const struct scree_vec3 normal =
        scree_vec3_add(scree_vec3_scale(scree_vec3_load(wall->axes[0]), near.normal.x),
                       scree_vec3_add(scree_vec3_scale(scree_vec3_load(wall->axes[1]), near.normal.y),
                                      scree_vec3_scale(scree_vec3_load(wall->axes[2]), near.normal.z)));
    touch->gap = near.gap;
    scree_vec3_store(normal, touch->normal);
    scree_vec3_store(scree_vec3_add_scaled(scree_vec3_load(centre), -near.gap, normal), touch->point);
}
