// Frame: the geometry and motion of one contact, from the two sides to what a law sees, and from the law's
// reply to what the sides get.
//
// The same text compiles as C and C++, for SCREE_REAL float or double, for host or device (SCREE_FN, see
// law.h): the batch loops (kernel.h) expand it lane by lane, single looks call it, and a device can do
// either.
//
// Friction history and time levels: the spring advances with mid-step velocities in the mid-step tangent
// plane and is then turned to the plane of the step by the minimal rotation (Vyas et al., Comput. Phys.
// Commun. 310, 109524, 2025).
#ifndef SCREE_FRAME_H
#define SCREE_FRAME_H

#include <scree/law.h>
#include <scree/resistance.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a grain meets of a wall, two cache lines. */
struct scree_kernel_wall {
    SCREE_REAL normal[3];   /**< from the wall to the centre of the grain */
    SCREE_REAL gap;         /**< from the surface to that centre, m */
    SCREE_REAL velocity[3]; /**< of the wall's matter there, m/s */
    SCREE_REAL spin[3];
    SCREE_REAL middle[3]; /**< the normal half a step ago */
    SCREE_REAL half_gap;  /**< and the gap then, m */
    SCREE_REAL spare[2];
};

/** The numbers that all contacts of a job share. */
struct scree_kernel_rule {
    SCREE_REAL constants[SCREE_LAW_CONSTANTS];         /**< of the law */
    SCREE_REAL resistance[SCREE_RESISTANCE_CONSTANTS]; /**< to rolling and twisting */
    SCREE_REAL step;                                   /**< s */
    SCREE_REAL period[3];                              /**< of the cell, infinite where it is not periodic */
    SCREE_REAL arm;     /**< share of the overlap by which an arm is shorter than the radius */
    SCREE_REAL turning; /**< tangential effective mass over effective mass, of balls 2/7, of disks 1/3 */
    SCREE_REAL limit;   /**< overlap over the smaller radius that is too much */
};

/** One side of a contact: half is the mid-step value, full the on-step one. */
struct scree_kernel_side {
    struct scree_law_vector centre, half_velocity, half_spin, full_velocity, full_spin;
    SCREE_REAL radius, mass;
};

/** The geometry and motion of a contact. */
struct scree_kernel_frame {
    struct scree_law_vector normal, middle;               /**< unit, of the step and of half a step ago */
    struct scree_law_vector half_velocity, full_velocity; /**< relative, of the centres */
    struct scree_law_vector half_sweep, full_sweep;       /**< arm by spin, summed over the sides */
    struct scree_law_vector half_spin, full_spin;         /**< relative */
    SCREE_REAL overlap, radius, mass, arm[2], smaller;
    SCREE_REAL square, size; // of the distance of the centres; the sum of the radii; not at walls
    SCREE_REAL turning;      // tangential effective mass over effective mass
};

/** What a contact gives. */
struct scree_kernel_force {
    struct scree_law_vector force, couple; // on the first side
    struct scree_law_vector moment[2];     // about the centres
    SCREE_REAL friction, dashpot, internal;
};

/** Tangential effective mass over effective mass of two grains, of which each gives way `yield` times as much
 * as its mass alone: 1/m_t = y_1/m_1 + y_2/m_2. */
SCREE_FN SCREE_REAL scree_kernel_tangential_ratio(SCREE_REAL tangential_factor, SCREE_REAL mass,
                                                  SCREE_REAL other_tangential_factor, SCREE_REAL other_mass)
{
    return tangential_factor == other_tangential_factor
               ? 1 / tangential_factor
               : (mass + other_mass) / (tangential_factor * other_mass + other_tangential_factor * mass);
}

/** Shortest difference in a direction of period `length`. */
SCREE_FN SCREE_REAL scree_kernel_nearest_image(SCREE_REAL difference, SCREE_REAL length)
{
    const SCREE_REAL half = (SCREE_REAL)0.5 * length;
    const SCREE_REAL down = difference > half ? length : 0;
    const SCREE_REAL up = difference < -half ? length : 0;
    return difference - down + up;
}

/** A distance that is none beside any size, of which the square and its inverse are numbers still. */
SCREE_FN SCREE_REAL scree_kernel_tiny(void)
{
    // 2^-500 of doubles, 2^-60 of floats
    return sizeof(SCREE_REAL) == sizeof(float) ? (SCREE_REAL)8.673617379884035e-19
                                               : (SCREE_REAL)3.054936363499605e-151;
}

/** `first`: 1 where `i` is the side of lower id, else -1: all but the direction of centres that coincide is
 * the same seen from either side, to the bit. */
SCREE_FN struct scree_kernel_frame scree_kernel_pair_frame(const struct scree_kernel_rule *rule,
                                                           const struct scree_kernel_side *i,
                                                           const struct scree_kernel_side *j,
                                                           SCREE_REAL first, bool periodic)
{
    struct scree_kernel_frame f;
    struct scree_law_vector d = scree_law_subtract(i->centre, j->centre);
    if (periodic) {
        d.x = scree_kernel_nearest_image(d.x, rule->period[0]);
        d.y = scree_kernel_nearest_image(d.y, rule->period[1]);
        d.z = scree_kernel_nearest_image(d.z, rule->period[2]);
    }
    f.half_velocity = scree_law_subtract(i->half_velocity, j->half_velocity);
    f.full_velocity = scree_law_subtract(i->full_velocity, j->full_velocity);
    // centres that coincide are pushed apart along x
    const SCREE_REAL little = scree_kernel_tiny(), least = little * little;
    const SCREE_REAL given = scree_law_dot(d, d), square = given > least ? given : least;
    d.x = given > least ? d.x : first * little;
    const SCREE_REAL distance = scree_law_root(square);
    const SCREE_REAL size = i->radius + j->radius, weight = i->mass + j->mass;
    f.square = given;
    f.size = size;
    f.turning = rule->turning;
    // one division for two reciprocals
    const SCREE_REAL sums = 1 / (size * weight);
    // a division beside the root, not after it
    const SCREE_REAL inverse_square = 1 / square, inverse = distance * inverse_square;
    f.normal = scree_law_scale(inverse, d);
    f.radius = i->radius * j->radius * (sums * weight);
    f.mass = i->mass * j->mass * (sums * size);

    // half a step ago; its direction to third order in what the distance changed by is all that slides need,
    // and where centres nearly coincide nothing is known of it
    const SCREE_REAL half = (SCREE_REAL)0.5, eighths = (SCREE_REAL)0.375;
    const struct scree_law_vector back =
        scree_law_subtract(d, scree_law_scale(half * rule->step, f.half_velocity));
    const SCREE_REAL changed = (scree_law_dot(back, back) - square) * inverse_square;
    const SCREE_REAL change = changed < 1 ? changed : 0;
    const struct scree_law_vector from = {changed < 1 ? back.x : d.x, changed < 1 ? back.y : d.y,
                                          changed < 1 ? back.z : d.z};
    f.middle = scree_law_scale(inverse * (1 - change * (half - eighths * change)), from);

    f.overlap = size - distance;
    f.smaller = i->radius < j->radius ? i->radius : j->radius;
    const SCREE_REAL shift = rule->arm * f.overlap;
    f.arm[0] = i->radius - shift;
    f.arm[1] = j->radius - shift;
    // arms change as grains approach, and a slide with the arms of the step is of order 1
    const SCREE_REAL half_shift = rule->arm * (f.overlap - half * change * distance);
    f.half_sweep = scree_law_add(scree_law_scale(i->radius - half_shift, i->half_spin),
                                 scree_law_scale(j->radius - half_shift, j->half_spin));
    f.full_sweep =
        scree_law_add(scree_law_scale(f.arm[0], i->full_spin), scree_law_scale(f.arm[1], j->full_spin));
    f.half_spin = scree_law_subtract(i->half_spin, j->half_spin);
    f.full_spin = scree_law_subtract(i->full_spin, j->full_spin);
    return f;
}

/** A wall has no mass and no radius to share: the grain's are the effective ones. */
SCREE_FN struct scree_kernel_frame scree_kernel_wall_frame(const struct scree_kernel_rule *rule,
                                                           const struct scree_kernel_side *i,
                                                           const struct scree_kernel_wall *wall)
{
    struct scree_kernel_frame f;
    const struct scree_law_vector velocity = {wall->velocity[0], wall->velocity[1], wall->velocity[2]};
    const struct scree_law_vector spin = {wall->spin[0], wall->spin[1], wall->spin[2]};
    const struct scree_law_vector normal = {wall->normal[0], wall->normal[1], wall->normal[2]};
    const struct scree_law_vector middle = {wall->middle[0], wall->middle[1], wall->middle[2]};
    f.normal = normal;
    f.middle = middle;
    f.half_velocity = scree_law_subtract(i->half_velocity, velocity);
    f.full_velocity = scree_law_subtract(i->full_velocity, velocity);
    f.overlap = i->radius - wall->gap;
    f.radius = f.smaller = f.size = i->radius;
    f.square = 0;
    f.turning = rule->turning;
    f.mass = i->mass;
    f.arm[0] = i->radius - rule->arm * f.overlap;
    f.arm[1] = 0;
    f.half_sweep = scree_law_scale(i->radius - rule->arm * (i->radius - wall->half_gap), i->half_spin);
    f.full_sweep = scree_law_scale(f.arm[0], i->full_spin);
    f.half_spin = scree_law_subtract(i->half_spin, spin);
    f.full_spin = scree_law_subtract(i->full_spin, spin);
    return f;
}

/** The part across n of the surface velocity v - w x n. */
SCREE_FN struct scree_law_vector scree_kernel_slip(struct scree_law_vector v, SCREE_REAL along,
                                                   struct scree_law_vector w, struct scree_law_vector n)
{
    return scree_law_subtract(scree_law_subtract(v, scree_law_scale(along, n)), scree_law_cross(w, n));
}

/** Where the middle normal would have to lean to for one unit along the normal: moving along it brings a
 * vector to the plane of the step. */
SCREE_FN struct scree_law_vector scree_kernel_rotation(const struct scree_kernel_frame *f)
{
    // 1 / x about 1, to second order in what a cosine lacks of 1
    return scree_law_scale(2 - scree_law_dot(f->middle, f->normal), f->middle);
}

/** A vector brought to the plane across the normal. The middle normal halves the angle between the normals
 * before and after the step, and a move along it is a turn by that angle. */
SCREE_FN struct scree_law_vector
scree_kernel_rotate(struct scree_law_vector u, struct scree_law_vector rotation, struct scree_law_vector n)
{
    return scree_law_subtract(u, scree_law_scale(scree_law_dot(u, n), rotation));
}

/** A vector of a contact's history brought to the plane of the step. */
SCREE_FN void scree_kernel_rotate_history(const struct scree_kernel_frame *f,
                                          struct scree_law_vector rotation, SCREE_REAL *vector)
{
    const struct scree_law_vector old = {vector[0], vector[1], vector[2]};
    const struct scree_law_vector now = scree_kernel_rotate(old, rotation, f->normal);
    vector[0] = now.x;
    vector[1] = now.y;
    vector[2] = now.z;
}

/** What a law sees of a frame. */
SCREE_FN struct scree_law_contact scree_kernel_contact(const struct scree_kernel_rule *rule,
                                                       const struct scree_kernel_frame *f,
                                                       struct scree_law_vector rotation)
{
    struct scree_law_contact c;
    c.overlap = f->overlap;
    c.normal = f->normal;
    c.arm[0] = f->arm[0];
    c.arm[1] = f->arm[1];
    c.radius = f->radius;
    c.mass = f->mass;
    c.mass_tangential = f->turning * f->mass;
    c.approach = scree_law_dot(f->full_velocity, f->normal);
    c.slip = scree_kernel_slip(f->full_velocity, c.approach, f->full_sweep, f->normal);
    const struct scree_law_vector half = scree_kernel_slip(
        f->half_velocity, scree_law_dot(f->half_velocity, f->middle), f->half_sweep, f->middle);
    c.slide = scree_kernel_rotate(scree_law_scale(rule->step, half), rotation, f->normal);
    c.step = rule->step;
    return c;
}

/** The resistance to rolling and twisting on top of a law's reply. */
SCREE_FN void scree_kernel_resist(const struct scree_kernel_rule *rule, const struct scree_kernel_frame *f,
                                  const struct scree_law_contact *c, struct scree_law_vector rotation,
                                  struct scree_law_reply *reply, const SCREE_REAL *before, SCREE_REAL *after)
{
    const SCREE_REAL about = scree_law_dot(f->half_spin, f->middle);
    const struct scree_law_vector half = scree_law_subtract(f->half_spin, scree_law_scale(about, f->middle));
    struct scree_law_turning turning;
    turning.twist = scree_law_dot(f->full_spin, f->normal);
    turning.roll = scree_law_subtract(f->full_spin, scree_law_scale(turning.twist, f->normal));
    turning.rolled = scree_kernel_rotate(scree_law_scale(rule->step, half), rotation, f->normal);
    turning.twisted = rule->step * about;
    scree_law_resist(rule->resistance, c, &turning, before, after, reply);
}

/** Selects: what is not live gives exact zeros, whatever the law computed. */
SCREE_FN struct scree_law_vector scree_kernel_select(SCREE_REAL live, struct scree_law_vector v)
{
    const struct scree_law_vector kept = {live > 0 ? v.x : 0, live > 0 ? v.y : 0, live > 0 ? v.z : 0};
    return kept;
}

SCREE_FN struct scree_kernel_force scree_kernel_finish(const struct scree_law_contact *c,
                                                       const struct scree_law_reply *reply)
{
    const SCREE_REAL live = reply->live;
    const struct scree_law_vector torque = scree_law_cross(c->normal, reply->force);
    struct scree_kernel_force push;
    push.force =
        scree_kernel_select(live, scree_law_add(scree_law_scale(reply->normal, c->normal), reply->force));
    push.couple = scree_kernel_select(live, reply->couple);
    push.moment[0] = scree_kernel_select(live, scree_law_scale(-c->arm[0], torque));
    push.moment[1] = scree_kernel_select(live, scree_law_scale(-c->arm[1], torque));
    push.friction = live > 0 ? reply->friction + c->step * reply->sliding : 0;
    push.dashpot = live > 0 ? reply->dashpot : 0;
    push.internal = live > 0 ? reply->internal : 0;
    return push;
}

#ifdef __cplusplus
}
#endif
#endif
