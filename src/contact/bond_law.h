// The law of bonds: forces, energy and failure of six springs between two rigid sides.
//
// Each side carries a frame, which coincides with that of the other side when the bond is added, and a point
// on its x axis, the middle of the bond. With A, B the rotations of the frames (as quaternions, of the sign
// for which A.B >= 0), m = (A + B) / |A + B| the frame halfway between them, and d the vector from the point
// of the first side to that of the second:
//
//     translation   u = m* d m
//     rotation      e = 4 tau,  tau = vec((A + B)* (B - A)) / |A + B|^2 = n tan(theta / 4)
//     energy        U = (u.K_u u + e.K_e e) / 2
//
// m has the spin Omega + (w x tau) / 2, where Omega is the mean spin of the sides and w the relative spin,
// and in the frame m de/dt = (1 + tau^2) w. So the exact gradient of U is the force f = m K_u u m* on the
// first side at the point halfway between both, and the couple C = m ((1 + tau^2) K_e e - tau x (u x K_u u) /
// 2) m*; the opposite acts on the second side. Both depend on the positions of the sides only, not on the
// path, so there is no drift, and force, moment and energy are exact for rotations below pi
// (docs/theory/bonds.md).
//
// Functions are straight-line code without branches, so that loops over lanes vectorise.

#ifndef SCREE_CONTACT_BOND_LAW_H
#define SCREE_CONTACT_BOND_LAW_H

#include "math/quat.h"
#include "world/records.h"

#include <scree/compiler.h>

#include <math.h>

// Stress modes, as enum scree_bond_mode.
enum { SCREE_BOND_LAW_MODES = SCREE_BROKEN_MODES };

// Motion of a side: centre of the grain or point of the wall, velocities on-step.
struct scree_bond_motion {
    struct scree_vec3 velocity, spin;
};

// Positions of both sides; `between` is the vector from the first centre to the second, in the nearest image.
struct scree_bond_place {
    struct scree_quat orientation[2];
    struct scree_vec3 between;
};

// Elastic state of an undamaged bond. Forces, couples and vectors are in world axes, loads in the frame m.
struct scree_bond_elastic {
    struct scree_mat3 axes;    // those of the frame m, as columns
    struct scree_vec3 arm[2];  // from both centres to the point halfway
    struct scree_vec3 force;   // on the first side, at that point
    struct scree_vec3 couple;  // on the first side
    struct scree_vec3 load;    // K_u u: normal force, tension positive, and shear force
    struct scree_vec3 moment;  // (1 + tau^2) K_e e: twisting and bending moments
    double elongation, stored; // u_x, U
    double stiffening;         // 1 + tau^2
};

// The x axis of the frame of a quaternion.
SCREE_KERNEL_INLINE struct scree_vec3 scree_bond_law_axis(struct scree_quat q)
{
    const double y = 2 * q.y, z = 2 * q.z;
    return scree_vec3_make(1 - (y * q.y + z * q.z), y * q.x + z * q.w, z * q.x - y * q.w);
}

// The axes of the frame of a quaternion that is not normalised, as columns; `inverse` is 1 / |q|^2.
SCREE_KERNEL_INLINE struct scree_mat3 scree_bond_law_axes(struct scree_quat q, double inverse)
{
    const double twice = 2 * inverse, x = twice * q.x, y = twice * q.y, z = twice * q.z;
    const double wx = x * q.w, wy = y * q.w, wz = z * q.w, xy = x * q.y, xz = x * q.z, yz = y * q.z;
    const double xx = x * q.x, yy = y * q.y, zz = z * q.z;
    const struct scree_mat3 out = {1 - (yy + zz), xy - wz, xz + wy, xy + wz,      1 - (xx + zz),
                                   yz - wx,       xz - wy, yz + wx, 1 - (xx + yy)};
    return out;
}

SCREE_KERNEL_INLINE struct scree_vec3 scree_bond_law_scale(const double *stiffness, struct scree_vec3 v)
{
    return scree_vec3_make(stiffness[0] * v.x, stiffness[1] * v.y, stiffness[1] * v.z);
}

SCREE_KERNEL_INLINE struct scree_bond_elastic scree_bond_law_elastic(const struct scree_bond_spring *spring,
                                                                     const struct scree_bond_place *place)
{
    struct scree_bond_elastic out;
    const struct scree_quat a = scree_quat_product(place->orientation[0], scree_quat_load(spring->axes[0]));
    const struct scree_quat other =
        scree_quat_product(place->orientation[1], scree_quat_load(spring->axes[1]));
    const double product = a.w * other.w + a.x * other.x + a.y * other.y + a.z * other.z;
    const struct scree_quat b = scree_quat_scale(other, product < 0 ? -1.0 : 1.0);
    const struct scree_quat sum = scree_quat_add_scaled(a, 1, b),
                            difference = scree_quat_add_scaled(b, -1, a);
    const double inverse = 1 / scree_quat_norm_squared(sum);
    const struct scree_vec3 tau = scree_vec3_scale(
        scree_quat_vector(scree_quat_product(scree_quat_conjugate(sum), difference)), inverse);
    const struct scree_vec3 e = scree_vec3_scale(tau, 4);
    const struct scree_vec3 to_a = scree_vec3_scale(scree_bond_law_axis(a), spring->arm[0]),
                            to_b = scree_vec3_scale(scree_bond_law_axis(b), -spring->arm[1]);
    const struct scree_vec3 d = scree_vec3_sub(scree_vec3_add(place->between, to_b), to_a);
    const struct scree_mat3 axes = scree_bond_law_axes(sum, inverse);
    const struct scree_vec3 u = scree_mat3_apply_transposed(axes, d);
    const struct scree_vec3 spring_moment = scree_bond_law_scale(&spring->stiffness[2], e);
    out.axes = axes;
    out.load = scree_bond_law_scale(spring->stiffness, u);
    out.stiffening = 1 + scree_vec3_norm_squared(tau);
    out.moment = scree_vec3_scale(spring_moment, out.stiffening);
    out.force = scree_mat3_apply(axes, out.load);
    out.couple = scree_mat3_apply(
        axes, scree_vec3_add_scaled(out.moment, -0.5, scree_vec3_cross(tau, scree_vec3_cross(u, out.load))));
    out.arm[0] = scree_vec3_add_scaled(to_a, 0.5, d);
    out.arm[1] = scree_vec3_add_scaled(to_b, -0.5, d);
    out.elongation = u.x;
    out.stored = 0.5 * (scree_vec3_dot(u, out.load) + scree_vec3_dot(e, spring_moment));
    return out;
}

// The direction of the bond.
SCREE_KERNEL_INLINE struct scree_vec3 scree_bond_law_direction(const struct scree_bond_elastic *elastic)
{
    return scree_vec3_make(elastic->axes.xx, elastic->axes.yx, elastic->axes.zx);
}

// Dashpots: force and couple on the first side, their loss, and the rate of change of the stored energy.
struct scree_bond_rates {
    struct scree_vec3 force, couple;
    double loss, power; // W
};

SCREE_KERNEL_INLINE struct scree_bond_rates scree_bond_law_rates(const struct scree_bond_spring *spring,
                                                                 const struct scree_bond_elastic *elastic,
                                                                 const struct scree_bond_motion *first,
                                                                 const struct scree_bond_motion *second)
{
    struct scree_bond_rates out;
    const struct scree_mat3 axes = elastic->axes;
    const struct scree_vec3 velocity =
        scree_vec3_sub(scree_vec3_add(second->velocity, scree_vec3_cross(second->spin, elastic->arm[1])),
                       scree_vec3_add(first->velocity, scree_vec3_cross(first->spin, elastic->arm[0])));
    const struct scree_vec3 spin = scree_vec3_sub(second->spin, first->spin);
    const struct scree_vec3 force =
        scree_bond_law_scale(spring->stiffness, scree_mat3_apply_transposed(axes, velocity));
    const struct scree_vec3 couple =
        scree_bond_law_scale(&spring->stiffness[2], scree_mat3_apply_transposed(axes, spin));
    out.force = scree_vec3_scale(scree_mat3_apply(axes, force), spring->damping);
    out.couple = scree_vec3_scale(scree_mat3_apply(axes, couple), spring->damping);
    out.loss = scree_vec3_dot(out.force, velocity) + scree_vec3_dot(out.couple, spin);
    out.power = scree_vec3_dot(elastic->force, velocity) + scree_vec3_dot(elastic->couple, spin);
    return out;
}

// Moments of the section: of the end of the bond where the bending moment is larger.
struct scree_bond_section {
    double shear, bending, twisting; // N, N m
};

SCREE_KERNEL_INLINE struct scree_bond_section scree_bond_law_section(double end,
                                                                     const struct scree_bond_elastic *elastic)
{
    struct scree_bond_section out;
    const struct scree_vec3 f = elastic->load, m = elastic->moment;
    const double shear = f.y * f.y + f.z * f.z, along = m.z * f.y - m.y * f.z;
    const double square = m.y * m.y + m.z * m.z + end * end * shear + 2 * end * (along < 0 ? -along : along);
    out.shear = sqrt(shear);
    out.bending = sqrt(square);
    out.twisting = m.x < 0 ? -m.x : m.x;
    return out;
}

// Ratios of stress to strength, 0 for a strength that is not given.
struct scree_bond_ratios {
    double ratio[SCREE_BOND_LAW_MODES], limit[SCREE_BOND_LAW_MODES];
    double largest;
    double mode; // of the largest ratio
};

SCREE_KERNEL_INLINE struct scree_bond_ratios scree_bond_law_ratios(const struct scree_bond_strength *strength,
                                                                   const struct scree_bond_elastic *elastic)
{
    struct scree_bond_ratios out;
    const struct scree_bond_section section = scree_bond_law_section(strength->end, elastic);
    const double normal = elastic->load.x * strength->section[0],
                 bending = section.bending * strength->section[1],
                 twisting = section.twisting * strength->section[2];
    const double tension = normal + strength->moment_factor * bending,
                 shear = section.shear * strength->section[0] + strength->moment_factor * twisting;
    const double slope = strength->limit[1] - strength->friction * normal,
                 shear_limit = slope > 0 ? slope : 0;
    const double most = 0x1p1000;
    out.limit[0] = strength->limit[0];
    out.limit[1] = strength->limit[1] > 0 ? shear_limit : 0;
    out.limit[2] = strength->limit[2];
    out.limit[3] = strength->limit[3];
    const double shear_ratio = shear_limit > 0 ? shear / shear_limit : shear > 0 ? most : 0;
    out.ratio[0] = strength->limit[0] > 0 && tension > 0 ? tension / strength->limit[0] : 0;
    out.ratio[1] = strength->limit[1] > 0 ? shear_ratio : 0;
    out.ratio[2] = strength->limit[2] > 0 ? bending / strength->limit[2] : 0;
    out.ratio[3] = strength->limit[3] > 0 ? twisting / strength->limit[3] : 0;
    // written out, so that loops over lanes vectorise
    const bool shears = out.ratio[1] > out.ratio[0], bends = out.ratio[3] <= out.ratio[2];
    const double first = shears ? out.ratio[1] : out.ratio[0], second = bends ? out.ratio[2] : out.ratio[3];
    const double first_mode = shears ? 1 : 0, second_mode = bends ? 2 : 3;
    out.largest = second > first ? second : first;
    out.mode = second > first ? second_mode : first_mode;
    return out;
}

// An energy below which no stress can exceed its strength, whatever the direction of the load. A bond cannot
// break while U (1 + tau^2)^2 is below it.
//
// Each sufficient condition is linear in the sizes of the loads N, S, T, M (normal and shear force, twisting
// and bending moment): c . (N, S, T, M) <= limit. U (1 + tau^2)^2 is at least N^2 / 2 K_N + S^2 / 2 K_S +
// ..., so by the inequality of Cauchy the left side is at most the root of 2 U (1 + tau^2)^2 (c^2 . K). The
// margin is far above round-off, and a limit whose square may have lost digits is not used.
SCREE_KERNEL_INLINE double scree_bond_law_safe_energy(const struct scree_bond_spring *spring,
                                                      const struct scree_bond_strength *strength)
{
    const double *section = strength->section, bent = strength->moment_factor * section[1];
    const double share[SCREE_BOND_LAW_MODES][4] = {
        {section[0], bent * strength->end, 0, bent},
        {strength->friction * section[0], section[0], strength->moment_factor * section[2], 0},
        {0, section[1] * strength->end, 0, section[1]},
        {0, 0, section[2], 0}};
    const double margin = 1 - 1e-9, least = 0x1p-900;
    double safe = (double)INFINITY;
    for (int mode = 0; mode < SCREE_BOND_LAW_MODES; ++mode) {
        const double limit = strength->limit[mode];
        double sum = 0;
        for (int k = 0; k < 4; ++k)
            sum += share[mode][k] * share[mode][k] * spring->stiffness[k];
        const double energy = limit * limit / (2 * sum) * margin, usable = energy > least ? energy : 0;
        safe = limit > 0 && sum > 0 && usable < safe ? usable : safe;
    }
    return safe;
}

// Damage at the largest ratio of undamaged stress to strength so far: the stress falls linearly from the
// strength at the ratio 1 to zero at the ratio `softening`. 0 without softening.
SCREE_KERNEL_INLINE double scree_bond_law_damage(double softening, double peak)
{
    const double damage = 1 - (softening - peak) / ((softening - 1) * peak);
    const double limited = peak < softening ? damage : 1;
    return softening > 1 && peak > 1 ? limited : 0;
}

// Returns whether a bond breaks: brittle when a ratio exceeds 1, with softening at the full damage.
SCREE_KERNEL_INLINE bool scree_bond_law_breaks(double softening, double peak)
{
    return softening > 1 ? peak >= softening : peak > 1;
}

#endif
