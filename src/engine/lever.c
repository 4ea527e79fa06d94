// Lever arms of contacts, see lever.h.

#include "engine/lever.h"

#include "convex/convex.h"
#include "math/real.h"
#include "world/grain.h"

#include <math.h>

// Inverse moments of inertia in body axes; in two dimensions only that about z is not zero.
static struct scree_vec3 mobility_of(const struct scree_step_inputs *inputs, const struct scree_grain *grain)
{
    const double *inertia = scree_world_rotors(inputs->world)[grain->owner].inertia;
    double mobility[3];
    for (int k = 0; k < 3; ++k)
        mobility[k] = inertia[k] > 0 ? 1 / inertia[k] : 0;
    return scree_vec3_load(mobility);
}

static double largest_component(struct scree_vec3 a)
{
    return scree_real_max(a.x, scree_real_max(a.y, a.z));
}

// Largest (r x t) A (r x t) over all unit vectors t: the largest eigenvalue of S = [r]^T A [r]. Its
// determinant is 0, since r x r = 0, so that the other two eigenvalues have the sum trace S and the product
// trace adj S = r^2 (r adj(A) r).
static double largest_over_forces(struct scree_vec3 a, struct scree_vec3 r)
{
    const double x = r.x * r.x, y = r.y * r.y, z = r.z * r.z;
    const double sum = a.x * (y + z) + a.y * (x + z) + a.z * (x + y);
    const double product = (x + y + z) * (a.y * a.z * x + a.x * a.z * y + a.x * a.y * z);
    return 0.5 * (sum + sqrt(scree_real_max(sum * sum - 4 * product, 0)));
}

static bool is_round(const struct scree_grain *grain)
{
    return grain->part == 0 && (grain->kind == SCREE_KIND_SPHERE || grain->kind == SCREE_KIND_DISK);
}

static struct scree_vec3 offset_of(const struct scree_step_inputs *inputs, size_t slot)
{
    return scree_world_grains(inputs->world)[slot].part > 0
               ? scree_vec3_load(
                     scree_grain_locals(inputs->world)[slot - scree_world_bodies(inputs->world)].offset)
               : scree_vec3_zero();
}

struct scree_lever scree_lever_round(int dimension, double radius)
{
    const double rolling = (dimension == 2 ? 2.0 : 2.5) / (radius * radius);
    return (struct scree_lever){.tangential = radius * radius * rolling, .rolling = rolling};
}

// The largest (r x t) A (r x t) of a vertex of a polyhedron.
static double largest_of_vertices(const struct scree_step_inputs *inputs, size_t slot,
                                  struct scree_vec3 mobility, const struct scree_shape *shape)
{
    const size_t bodies = scree_world_bodies(inputs->world);
    const struct scree_vec3 offset = offset_of(inputs, slot);
    struct scree_mat3 axes = scree_mat3_identity();
    double largest = 0;
    if (slot >= bodies)
        axes = scree_quat_to_matrix(
            scree_quat_load(scree_polyhedron_locals(inputs->world)[slot - bodies].orientation));
    for (uint64_t v = 0; v < shape->vertices; ++v) {
        const struct scree_vec3 place =
            scree_vec3_add(offset, scree_mat3_apply(axes, shape->hull->vertex[v]));
        largest = scree_real_max(largest, largest_over_forces(mobility, place));
    }
    return largest;
}

// The square root of (r x t) A (r x t) is a seminorm of r, so that of r = d - R n is at most the sum of those
// of d and of R n. The contact points of a polyhedron are in the hull of its vertices, or within the rounding
// of it: the seminorm is largest at a vertex.
struct scree_lever scree_lever_bound(const struct scree_step_inputs *inputs, size_t slot)
{
    const struct scree_grain *grain = &scree_world_grains(inputs->world)[slot];
    if (is_round(grain))
        return scree_lever_round(inputs->world->dimension, grain->radius);
    const struct scree_vec3 mobility = mobility_of(inputs, grain);
    const double rolling = grain->mass * largest_component(mobility);
    const struct scree_shape *shape = scree_polyhedron_of_grain(inputs->world, slot);
    const bool shaped = grain->flags & SCREE_FLAG_SHAPED && shape;
    const double of_offset = grain->mass * (shaped ? largest_of_vertices(inputs, slot, mobility, shape)
                                                   : largest_over_forces(mobility, offset_of(inputs, slot)));
    const double radius = shaped ? shape->rounding : grain->radius, of_surface = radius * radius * rolling;
    if (shaped) {
        const double all = of_offset + 2 * sqrt(of_offset * of_surface) + of_surface;
        return (struct scree_lever){.normal = all, .tangential = all, .coupling = all, .rolling = rolling};
    }
    return (struct scree_lever){.normal = of_offset,
                                .tangential = of_offset + 2 * sqrt(of_offset * of_surface) + of_surface,
                                .coupling = of_offset,
                                .rolling = rolling};
}

struct scree_lever scree_lever_at(const struct scree_step_inputs *inputs, size_t slot, const double normal[3])
{
    const struct scree_grain *grain = &scree_world_grains(inputs->world)[slot];
    if (is_round(grain))
        return scree_lever_round(inputs->world->dimension, grain->radius);
    const struct scree_vec3 mobility = mobility_of(inputs, grain), offset = offset_of(inputs, slot);
    const struct scree_vec3 n =
        scree_mat3_apply_transposed(scree_grain_axes(inputs->world, grain->owner), scree_vec3_load(normal));
    const struct scree_vec3 twist = scree_vec3_cross(offset, n);
    const double normal_term = scree_vec3_dot(twist, scree_vec3_multiply(mobility, twist));
    return (struct scree_lever){
        .normal = grain->mass * normal_term,
        .tangential =
            grain->mass * largest_over_forces(mobility, scree_vec3_add_scaled(offset, -grain->radius, n)),
        .coupling = grain->mass * largest_over_forces(mobility, offset),
        .rolling = grain->mass * largest_component(mobility)};
}

// A body that turns about one axis e of the world has the moment of inertia I_e about it, and the lever arm
// e (r x t) of a force along t.
static struct scree_lever lever_of_shaft(const struct scree_step_inputs *inputs,
                                         const struct scree_grain *grain, struct scree_vec3 axis,
                                         struct scree_vec3 arm, const double *normal)
{
    const struct scree_vec3 own =
        scree_mat3_apply_transposed(scree_grain_axes(inputs->world, grain->owner), axis);
    const double *inertia = scree_world_rotors(inputs->world)[grain->owner].inertia;
    const double moment =
        inertia[0] * own.x * own.x + inertia[1] * own.y * own.y + inertia[2] * own.z * own.z;
    const struct scree_vec3 across = scree_vec3_cross(axis, arm);
    const double largest = grain->mass * scree_vec3_dot(across, across) / moment,
                 along = normal ? scree_vec3_dot(across, scree_vec3_load(normal)) : 0;
    return (struct scree_lever){.normal = normal ? grain->mass * along * along / moment : largest,
                                .tangential = largest,
                                .coupling = largest,
                                .rolling = grain->mass / moment};
}

struct scree_lever scree_lever_of_wall(const struct scree_step_inputs *inputs, size_t body,
                                       struct scree_vec3 arm, const double *normal)
{
    const struct scree_grain *grain = &scree_world_grains(inputs->world)[body];
    const uint32_t fixed = grain->flags & SCREE_FIX_SPIN;
    if (fixed == SCREE_FIX_SPIN)
        return (struct scree_lever){0};
    for (int k = 0; k < 3; ++k)
        if (fixed == (SCREE_FIX_SPIN & ~((uint32_t)SCREE_FIX_SPIN_X << k)))
            return lever_of_shaft(inputs, grain, scree_vec3_make(k == 0, k == 1, k == 2), arm, normal);
    const struct scree_mat3 axes = scree_grain_axes(inputs->world, body);
    const struct scree_vec3 mobility = mobility_of(inputs, grain),
                            own = scree_mat3_apply_transposed(axes, arm);
    const double largest = grain->mass * largest_over_forces(mobility, own);
    const struct scree_vec3 twist =
        normal ? scree_vec3_cross(own, scree_mat3_apply_transposed(axes, scree_vec3_load(normal)))
               : scree_vec3_zero();
    return (struct scree_lever){
        .normal =
            normal ? grain->mass * scree_vec3_dot(twist, scree_vec3_multiply(mobility, twist)) : largest,
        .tangential = largest,
        .coupling = largest,
        .rolling = grain->mass * largest_component(mobility)};
}

// The larger eigenvalue of the symmetric matrix with the diagonal a, b and the square c2 of the other
// element.
static double larger_eigenvalue(double a, double b, double c2)
{
    return c2 > 0 ? 0.5 * (a + b + sqrt((a - b) * (a - b) + 4 * c2)) : scree_real_max(a, b);
}

double scree_lever_mode(const struct scree_stiffness_parts *parts, const struct scree_lever *lever,
                        bool alone, bool fixed)
{
    const double normal = parts->normal, tangential = parts->tangential;
    const double rolling = parts->rolling * lever->rolling;
    const double rotation = normal * lever->normal + tangential * lever->tangential + rolling;
    if (fixed)
        return rotation;
    // by the inequality of Cauchy and Schwarz: the normal and the tangential motion of the contact point
    // share at most the geometric mean of their rotations
    if (alone)
        return larger_eigenvalue(normal * (1 + lever->normal),
                                 tangential * lever->tangential + rolling + tangential,
                                 normal * tangential * lever->normal * lever->tangential);
    const double along = scree_real_max(normal, tangential);
    return larger_eigenvalue(along, rotation, along * along * lever->coupling);
}
