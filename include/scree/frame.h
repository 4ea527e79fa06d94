// Frame: computes the input of a law from the state of the two sides of a contact, and the forces and moments
// on the sides from the output of the law.
//
// The same source compiles as C and C++, for SCREE_REAL float or double, for host or device (SCREE_FN, see
// law.h). The batch loops (kernel.h) expand it lane by lane; evaluations of single contacts call it directly.
//
// Time levels: the tangential spring advances with mid-step velocities in the mid-step tangent plane and is
// then rotated to the on-step plane by the minimal rotation (Vyas et al., Comput. Phys. Commun. 310, 109524,
// 2025). Members named half_ are mid-step values, members named full_ are on-step values.
#ifndef SCREE_FRAME_H
#define SCREE_FRAME_H

#include <scree/law.h>
#include <scree/onset.h>
#include <scree/resistance.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The wall side of a contact, two cache lines. */
struct scree_kernel_wall {
    SCREE_REAL normal[3];   /**< from the wall to the centre of the grain */
    SCREE_REAL gap;         /**< from the surface to that centre, m */
    SCREE_REAL velocity[3]; /**< mid-step, of the wall at the contact point, m/s */
    SCREE_REAL spin[3];
    SCREE_REAL half_normal[3]; /**< mid-step normal */
    SCREE_REAL half_gap;       /**< mid-step gap, m */
    float change[3];           /**< velocity + change = on-step velocity */
    float mobility; /**< 1 / mass of the wall along the normal at the contact point, 1/kg; 0 if contacts do
                         not move it */
};

/** A contact whose geometry and motion are computed by the engine: between polyhedra, or of a polyhedron and
 * a wall or a grain. Three cache lines. Velocities are those of the first side relative to the second, of the
 * surfaces at the contact point, so they contain the rotation of both sides. */
struct scree_kernel_outside {
    SCREE_REAL normal[3];        /**< unit, from the second side to the first, on-step */
    SCREE_REAL overlap;          /**< m */
    SCREE_REAL half_normal[3];   /**< mid-step normal */
    SCREE_REAL previous_overlap; /**< one step ago, m */
    SCREE_REAL half_velocity[3]; /**< mid-step, m/s */
    SCREE_REAL radius;           /**< effective, m */
    SCREE_REAL full_velocity[3]; /**< on-step, m/s */
    SCREE_REAL mass;             /**< effective, along the normal at the contact point, kg */
    SCREE_REAL half_spin[3];     /**< relative, mid-step, rad/s */
    SCREE_REAL tangential_ratio; /**< tangential effective mass / effective mass */
    SCREE_REAL full_spin[3];     /**< relative, on-step, rad/s */
    SCREE_REAL weight;           /**< factor of forces, couples, energies and losses */
};

/** Constants of all contacts of a job. */
struct scree_kernel_rule {
    SCREE_REAL constants[SCREE_LAW_CONSTANTS];         /**< of `prepare` */
    SCREE_REAL resistance[SCREE_RESISTANCE_CONSTANTS]; /**< see resistance.h */
    SCREE_REAL step;                                   /**< s */
    SCREE_REAL period[3];                              /**< of the cell, infinite where it is not periodic */
    SCREE_REAL arm; /**< an arm is the radius minus this fraction of the overlap */
    SCREE_REAL
    tangential_ratio; /**< tangential effective mass / effective mass: 2/7 for spheres, 1/3 for disks */
    SCREE_REAL limit; /**< largest allowed overlap / smaller radius */
};

/** One side of a contact. */
struct scree_kernel_side {
    struct scree_law_vector centre, half_velocity, half_spin, full_velocity, full_spin;
    SCREE_REAL radius, mass;
};

/** The geometry and motion of a contact. */
struct scree_kernel_frame {
    struct scree_law_vector normal, half_normal;          /**< unit normals, on-step and mid-step */
    struct scree_law_vector half_velocity, full_velocity; /**< of the centres, relative */
    struct scree_law_vector half_arm_spin, full_arm_spin; /**< arm * spin, summed over both sides */
    struct scree_law_vector half_spin, full_spin;         /**< relative */
    SCREE_REAL overlap, radius, mass, arm[2], smaller_radius;
    SCREE_REAL previous_overlap;             // one step ago
    SCREE_REAL distance_squared, radius_sum; // of the centres; not at walls
    SCREE_REAL tangential_ratio;             // tangential effective mass / effective mass
    SCREE_REAL tangential_extra;             // see scree_law_contact
};

/** Forces, moments and losses of a contact. */
struct scree_kernel_force {
    struct scree_law_vector force, couple; // on the first side
    struct scree_law_vector moment[2];     // about the centres
    SCREE_REAL friction, dashpot, internal;
};

/** Tangential effective mass / effective mass of two grains with tangential factors y = m (1/m + R^2/I):
 * 1/m_t = y_1/m_1 + y_2/m_2. */
SCREE_FN SCREE_REAL scree_kernel_tangential_ratio(SCREE_REAL tangential_factor, SCREE_REAL mass,
                                                  SCREE_REAL other_tangential_factor, SCREE_REAL other_mass)
{
    const bool equal = tangential_factor == other_tangential_factor;
    const SCREE_REAL masses = equal ? 1 : mass + other_mass;
    return masses /
           (equal ? tangential_factor : tangential_factor * other_mass + other_tangential_factor * mass);
}

/** The input `tangential_extra` of a law; `round` is the ratio of solid spheres or disks. */
SCREE_FN SCREE_REAL scree_kernel_tangential_extra(SCREE_REAL ratio, SCREE_REAL round)
{
    return scree_law_root(ratio / round) - 1;
}

/** Minimum image of a difference in a direction with period `length`. */
SCREE_FN SCREE_REAL scree_kernel_nearest_image(SCREE_REAL difference, SCREE_REAL length)
{
    const SCREE_REAL half = (SCREE_REAL)0.5 * length;
    const SCREE_REAL down = difference > half ? length : 0;
    const SCREE_REAL up = difference < -half ? length : 0;
    return difference - down + up;
}

/** A periodic cell with any cell vectors, for contacts of images. Matrices are stored by rows; the columns of
 * `vectors` are the cell vectors. */
struct scree_kernel_cell {
    SCREE_REAL inverse[3][3]; /**< of `vectors` */
    SCREE_REAL vectors[3][3];
    SCREE_REAL half[3][3]; /**< mid-step velocities of the cell vectors */
    SCREE_REAL full[3][3]; /**< on-step velocities of the cell vectors */
};

/** Rounds to the nearest integer, halves to even; below 2^51 (2^22 of floats) in magnitude. */
SCREE_FN SCREE_REAL scree_kernel_nearest_integer(SCREE_REAL x)
{
    const SCREE_REAL shift =
        sizeof(SCREE_REAL) == sizeof(float) ? (SCREE_REAL)12582912.0 : (SCREE_REAL)6755399441055744.0;
    return (x + shift) - shift;
}

/** A row of a matrix times a vector. */
SCREE_FN SCREE_REAL scree_kernel_row(const SCREE_REAL *row, struct scree_law_vector v)
{
    return row[0] * v.x + row[1] * v.y + row[2] * v.z;
}

/** Periods by which the second point must move to be the nearest image of the first: exact if that image is
 * closer than half of the smallest width of the cell. */
SCREE_FN struct scree_law_vector scree_kernel_periods(const struct scree_kernel_cell *cell,
                                                      struct scree_law_vector difference)
{
    const struct scree_law_vector n = {
        scree_kernel_nearest_integer(scree_kernel_row(cell->inverse[0], difference)),
        scree_kernel_nearest_integer(scree_kernel_row(cell->inverse[1], difference)),
        scree_kernel_nearest_integer(scree_kernel_row(cell->inverse[2], difference))};
    return n;
}

/** v + m n */
SCREE_FN struct scree_law_vector scree_kernel_moved(struct scree_law_vector v, const SCREE_REAL (*m)[3],
                                                    struct scree_law_vector n)
{
    const struct scree_law_vector moved = {v.x + scree_kernel_row(m[0], n), v.y + scree_kernel_row(m[1], n),
                                           v.z + scree_kernel_row(m[2], n)};
    return moved;
}

/** Moves the side `j` to its image nearest to `i`. */
SCREE_FN void scree_kernel_move_image(const struct scree_kernel_cell *cell, const struct scree_kernel_side *i,
                                      struct scree_kernel_side *j)
{
    const struct scree_law_vector n = scree_kernel_periods(cell, scree_law_subtract(i->centre, j->centre));
    j->centre = scree_kernel_moved(j->centre, cell->vectors, n);
    j->half_velocity = scree_kernel_moved(j->half_velocity, cell->half, n);
    j->full_velocity = scree_kernel_moved(j->full_velocity, cell->full, n);
}

/** A negligible distance whose square and inverse square are still finite. */
SCREE_FN SCREE_REAL scree_kernel_tiny(void)
{
    // 2^-500 of doubles, 2^-60 of floats
    return sizeof(SCREE_REAL) == sizeof(float) ? (SCREE_REAL)8.673617379884035e-19
                                               : (SCREE_REAL)3.054936363499605e-151;
}

/** Frame of a pair. `sign` is 1 if `i` has the lower id, else -1; it sets the normal of coincident centres.
 * Exchanging the sides gives the same bits, up to signs. */
SCREE_FN struct scree_kernel_frame scree_kernel_pair_frame(const struct scree_kernel_rule *rule,
                                                           const struct scree_kernel_side *i,
                                                           const struct scree_kernel_side *j, SCREE_REAL sign,
                                                           bool periodic)
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
    // coincident centres: take the normal along x
    const SCREE_REAL tiny = scree_kernel_tiny(), least = tiny * tiny;
    const SCREE_REAL norm = scree_law_dot(d, d), square = norm > least ? norm : least;
    d.x = norm > least ? d.x : sign * tiny;
    const SCREE_REAL distance = scree_law_root(square);
    const SCREE_REAL radius_sum = i->radius + j->radius, mass_sum = i->mass + j->mass;
    f.distance_squared = norm;
    f.radius_sum = radius_sum;
    f.tangential_ratio = rule->tangential_ratio;
    f.tangential_extra = 0;
    // one division for two reciprocals
    const SCREE_REAL inverse_product = 1 / (radius_sum * mass_sum);
    // a division independent of the root, so that both overlap
    const SCREE_REAL inverse_square = 1 / square, inverse = distance * inverse_square;
    f.normal = scree_law_scale(inverse, d);
    f.radius = i->radius * j->radius * (inverse_product * mass_sum);
    f.mass = i->mass * j->mass * (inverse_product * radius_sum);

    // mid-step branch vector and its direction, to third order in the change of the distance; this is
    // accurate enough for tangential displacements. Nearly coincident centres: the on-step direction
    const SCREE_REAL half = (SCREE_REAL)0.5, eighths = (SCREE_REAL)0.375;
    const struct scree_law_vector mid =
        scree_law_subtract(d, scree_law_scale(half * rule->step, f.half_velocity));
    const SCREE_REAL changed = (scree_law_dot(mid, mid) - square) * inverse_square;
    const SCREE_REAL change = changed < 1 ? changed : 0;
    const struct scree_law_vector from = {changed < 1 ? mid.x : d.x, changed < 1 ? mid.y : d.y,
                                          changed < 1 ? mid.z : d.z};
    f.half_normal = scree_law_scale(inverse * (1 - change * (half - eighths * change)), from);

    f.overlap = radius_sum - distance;
    f.smaller_radius = i->radius < j->radius ? i->radius : j->radius;
    const SCREE_REAL shift = rule->arm * f.overlap;
    f.arm[0] = i->radius - shift;
    f.arm[1] = j->radius - shift;
    // mid-step arms: tangential displacements with on-step arms would be of order 1 only
    const SCREE_REAL half_shift = rule->arm * (f.overlap - half * change * distance);
    f.half_arm_spin = scree_law_add(scree_law_scale(i->radius - half_shift, i->half_spin),
                                    scree_law_scale(j->radius - half_shift, j->half_spin));
    f.full_arm_spin =
        scree_law_add(scree_law_scale(f.arm[0], i->full_spin), scree_law_scale(f.arm[1], j->full_spin));
    f.previous_overlap = f.overlap + rule->step * scree_law_dot(f.half_velocity, f.half_normal);
    f.half_spin = scree_law_subtract(i->half_spin, j->half_spin);
    f.full_spin = scree_law_subtract(i->full_spin, j->full_spin);
    return f;
}

/** Frame at a wall: the effective radius is that of the grain, and so is the mass unless contacts move the
 * wall. */
SCREE_FN struct scree_kernel_frame scree_kernel_wall_frame(const struct scree_kernel_rule *rule,
                                                           const struct scree_kernel_side *i,
                                                           const struct scree_kernel_wall *wall)
{
    struct scree_kernel_frame f;
    const struct scree_law_vector velocity = {wall->velocity[0], wall->velocity[1], wall->velocity[2]};
    const struct scree_law_vector change = {(SCREE_REAL)wall->change[0], (SCREE_REAL)wall->change[1],
                                            (SCREE_REAL)wall->change[2]};
    const struct scree_law_vector spin = {wall->spin[0], wall->spin[1], wall->spin[2]};
    const struct scree_law_vector normal = {wall->normal[0], wall->normal[1], wall->normal[2]};
    const struct scree_law_vector half_normal = {wall->half_normal[0], wall->half_normal[1],
                                                 wall->half_normal[2]};
    f.normal = normal;
    f.half_normal = half_normal;
    f.half_velocity = scree_law_subtract(i->half_velocity, velocity);
    f.full_velocity = scree_law_subtract(scree_law_subtract(i->full_velocity, velocity), change);
    f.overlap = i->radius - wall->gap;
    f.radius = f.smaller_radius = f.radius_sum = i->radius;
    f.distance_squared = 0;
    f.tangential_ratio = rule->tangential_ratio;
    f.tangential_extra = 0;
    f.mass = i->mass / (1 + i->mass * (SCREE_REAL)wall->mobility);
    f.arm[0] = i->radius - rule->arm * f.overlap;
    f.arm[1] = 0;
    f.half_arm_spin = scree_law_scale(i->radius - rule->arm * (i->radius - wall->half_gap), i->half_spin);
    f.full_arm_spin = scree_law_scale(f.arm[0], i->full_spin);
    f.previous_overlap = f.overlap + rule->step * scree_law_dot(f.half_velocity, f.half_normal);
    f.half_spin = scree_law_subtract(i->half_spin, spin);
    f.full_spin = scree_law_subtract(i->full_spin, spin);
    return f;
}

/** Frame of a contact from outside. The arms are 0: moments are those of the force about the centres, which
 * the engine adds. */
SCREE_FN struct scree_kernel_frame scree_kernel_outside_frame(const struct scree_kernel_rule *rule,
                                                              const struct scree_kernel_outside *contact)
{
    const struct scree_law_vector zero = {0, 0, 0};
    const struct scree_law_vector normal = {contact->normal[0], contact->normal[1], contact->normal[2]};
    const struct scree_law_vector half_normal = {contact->half_normal[0], contact->half_normal[1],
                                                 contact->half_normal[2]};
    const struct scree_law_vector half_velocity = {contact->half_velocity[0], contact->half_velocity[1],
                                                   contact->half_velocity[2]};
    const struct scree_law_vector full_velocity = {contact->full_velocity[0], contact->full_velocity[1],
                                                   contact->full_velocity[2]};
    const struct scree_law_vector half_spin = {contact->half_spin[0], contact->half_spin[1],
                                               contact->half_spin[2]};
    const struct scree_law_vector full_spin = {contact->full_spin[0], contact->full_spin[1],
                                               contact->full_spin[2]};
    struct scree_kernel_frame f;
    f.normal = normal;
    f.half_normal = half_normal;
    f.half_velocity = half_velocity;
    f.full_velocity = full_velocity;
    f.half_arm_spin = f.full_arm_spin = zero;
    f.half_spin = half_spin;
    f.full_spin = full_spin;
    f.overlap = contact->overlap;
    f.previous_overlap = contact->previous_overlap;
    f.radius = f.smaller_radius = f.radius_sum = contact->radius;
    f.distance_squared = 0;
    f.mass = contact->mass;
    f.arm[0] = f.arm[1] = 0;
    f.tangential_ratio = contact->tangential_ratio;
    f.tangential_extra = scree_kernel_tangential_extra(contact->tangential_ratio, rule->tangential_ratio);
    return f;
}

/** Multiplies the forces, couples and losses of a contact by its weight. Arms must be 0. */
SCREE_FN struct scree_kernel_force scree_kernel_weigh(const struct scree_kernel_force *unweighted,
                                                      SCREE_REAL weight)
{
    struct scree_kernel_force weighted = *unweighted;
    weighted.force = scree_law_scale(weight, unweighted->force);
    weighted.couple = scree_law_scale(weight, unweighted->couple);
    weighted.friction = weight * unweighted->friction;
    weighted.dashpot = weight * unweighted->dashpot;
    weighted.internal = weight * unweighted->internal;
    return weighted;
}

/** Tangential part of the surface velocity v - w x n; `normal_velocity` is v . n. */
SCREE_FN struct scree_law_vector scree_kernel_tangential_velocity(struct scree_law_vector v,
                                                                  SCREE_REAL normal_velocity,
                                                                  struct scree_law_vector w,
                                                                  struct scree_law_vector n)
{
    return scree_law_subtract(scree_law_subtract(v, scree_law_scale(normal_velocity, n)),
                              scree_law_cross(w, n));
}

/** The vector for scree_kernel_rotate: the mid-step normal, scaled so that its component along the on-step
 * normal is 1. */
SCREE_FN struct scree_law_vector scree_kernel_rotation(const struct scree_kernel_frame *f)
{
    // 1 / x = 2 - x near x = 1, to second order in 1 - x
    return scree_law_scale(2 - scree_law_dot(f->half_normal, f->normal), f->half_normal);
}

/** Rotates a tangential vector to the on-step tangent plane. The mid-step normal bisects the angle between
 * the previous and the present normal, so subtracting a multiple of it is a rotation by that angle. */
SCREE_FN struct scree_law_vector
scree_kernel_rotate(struct scree_law_vector u, struct scree_law_vector rotation, struct scree_law_vector n)
{
    return scree_law_subtract(u, scree_law_scale(scree_law_dot(u, n), rotation));
}

/** Rotates a vector of the contact history to the on-step tangent plane. */
SCREE_FN void scree_kernel_rotate_history(const struct scree_kernel_frame *f,
                                          struct scree_law_vector rotation, SCREE_REAL *vector)
{
    const struct scree_law_vector old = {vector[0], vector[1], vector[2]};
    const struct scree_law_vector rotated = scree_kernel_rotate(old, rotation, f->normal);
    vector[0] = rotated.x;
    vector[1] = rotated.y;
    vector[2] = rotated.z;
}

/** Computes the input of a law from a frame. */
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
    c.mass_tangential = f->tangential_ratio * f->mass;
    c.tangential_extra = f->tangential_extra;
    c.normal_velocity = scree_law_dot(f->full_velocity, f->normal);
    c.tangential_velocity =
        scree_kernel_tangential_velocity(f->full_velocity, c.normal_velocity, f->full_arm_spin, f->normal);
    const struct scree_law_vector half = scree_kernel_tangential_velocity(
        f->half_velocity, scree_law_dot(f->half_velocity, f->half_normal), f->half_arm_spin, f->half_normal);
    c.tangential_displacement = scree_kernel_rotate(scree_law_scale(rule->step, half), rotation, f->normal);
    c.step = rule->step;
    c.share = 1;
    c.spring_extra = c.dashpot_extra = c.parted = 0;
    return c;
}

/** Corrects the input of a law in a step in which the contact begins or ends. After the end, forces are those
 * of the previous overlap, times their weights. */
SCREE_FN void scree_kernel_correct(const struct scree_kernel_frame *f, struct scree_kernel_onset onset,
                                   struct scree_law_contact *c)
{
    c->overlap = onset.parted > 0 ? f->previous_overlap : f->overlap;
    c->tangential_displacement = scree_law_scale(onset.share, c->tangential_displacement);
    c->share = onset.share;
    c->spring_extra = onset.spring_extra;
    c->dashpot_extra = onset.dashpot_extra;
    c->parted = onset.parted;
}

/** Adds the resistance to rolling and twisting to the output of a law. */
SCREE_FN void scree_kernel_resist(const struct scree_kernel_rule *rule, const struct scree_kernel_frame *f,
                                  const struct scree_law_contact *c, struct scree_law_vector rotation,
                                  struct scree_law_reply *reply, const SCREE_REAL *before, SCREE_REAL *after)
{
    const SCREE_REAL half_twist = scree_law_dot(f->half_spin, f->half_normal);
    const struct scree_law_vector half_roll =
        scree_law_subtract(f->half_spin, scree_law_scale(half_twist, f->half_normal));
    struct scree_law_rolling rolling;
    rolling.twist_rate = scree_law_dot(f->full_spin, f->normal);
    rolling.roll_rate = scree_law_subtract(f->full_spin, scree_law_scale(rolling.twist_rate, f->normal));
    const SCREE_REAL time = c->share * rule->step;
    rolling.roll_angle = scree_kernel_rotate(scree_law_scale(time, half_roll), rotation, f->normal);
    rolling.twist_angle = time * half_twist;
    scree_law_resist(rule->resistance, c, &rolling, before, after, reply);
}

/** Returns v, or exact zeros if the contact is not live, even if v is NaN. */
SCREE_FN struct scree_law_vector scree_kernel_select(SCREE_REAL live, struct scree_law_vector v)
{
    const struct scree_law_vector selected = {live > 0 ? v.x : 0, live > 0 ? v.y : 0, live > 0 ? v.z : 0};
    return selected;
}

/** Computes forces, moments and losses of a contact from the output of a law. */
SCREE_FN struct scree_kernel_force scree_kernel_finish(const struct scree_law_contact *c,
                                                       const struct scree_law_reply *reply)
{
    const SCREE_REAL live = reply->live;
    const struct scree_law_vector torque = scree_law_cross(c->normal, reply->force);
    struct scree_kernel_force result;
    result.force =
        scree_kernel_select(live, scree_law_add(scree_law_scale(reply->normal, c->normal), reply->force));
    result.couple = scree_kernel_select(live, reply->couple);
    result.moment[0] = scree_kernel_select(live, scree_law_scale(-c->arm[0], torque));
    result.moment[1] = scree_kernel_select(live, scree_law_scale(-c->arm[1], torque));
    result.friction = live > 0 ? reply->friction + c->step * reply->sliding : 0;
    result.dashpot = live > 0 ? reply->dashpot : 0;
    result.internal = live > 0 ? reply->internal : 0;
    return result;
}

#ifdef __cplusplus
}
#endif
#endif
