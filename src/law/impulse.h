// The impulse of a collision of two rigid bodies, or of a body with a wall (van Wachem's hard spheres; errata
// 32, 33 and 38; EQUATIONS 6).
//
// The normal n points from the second side to the first, q is the velocity of the first side relative to the
// second at the contact point before the collision, q_n = n . q < 0, and J is the impulse on the first side.
// "Mobility" is the change of q by an impulse 1, in 1/kg. A side that nothing moves, a wall or a fixed body,
// has inverse mass 0 and inverse inertia 0, but may have a velocity.
//
// Round bodies: the normal mobility is 1/m_n = 1/m1 + 1/m2, the tangential one is 1/m_t = 1/m_n + R1^2/I1 +
// R2^2/I2. With the coefficients e, xi and mu of law.h
//
//     J_n = -(1 + e) m_n q_n,   J_t = -(1 + xi) m_t q_t   or with   |J_t| = mu J_n   if that is less.
//
// Then q_n' = -e q_n always, and q_t' = -xi q_t without sliding. The normal part loses the energy
// (1 - e^2) m_n q_n^2 / 2; the tangential one, with J_t = -s m_t q_t and 0 <= s <= 1 + xi <= 2, loses
// s (2 - s) m_t q_t^2 / 2. So energy never grows for 0 <= e <= 1 and |xi| <= 1.

#ifndef SCREE_LAW_IMPULSE_H
#define SCREE_LAW_IMPULSE_H

#include "math/vec3.h"

#include <scree/law.h>

struct scree_impulse {
    struct scree_vec3 vector; // on the first side; the second gets the opposite, N s
    double normal;            // its normal part, positive, N s
    bool slides;              // the impulse is at the friction limit
    double dashpot, friction; // energy lost by the normal and by the tangential part, not negative, J
};

// One round side. In two dimensions spins are along z.
struct scree_impulse_side {
    double mass_inverse; // 1/kg
    double spin_inverse; // R / I, the change of spin by a tangential impulse 1, 1/(kg m)
    double radius;       // m; 0 for a wall, whose velocity is given at the contact point
    struct scree_vec3 velocity, spin;
};

// q: the velocity of the first side relative to the second at the contact point.
SCREE_FN struct scree_vec3 scree_impulse_velocity(struct scree_vec3 normal,
                                                  const struct scree_impulse_side side[2])
{
    const struct scree_vec3 surface =
        scree_vec3_add_scaled(scree_vec3_scale(side[0].spin, side[0].radius), side[1].radius, side[1].spin);
    return scree_vec3_sub(scree_vec3_sub(side[0].velocity, side[1].velocity),
                          scree_vec3_cross(surface, normal));
}

// The impulse of two round sides, with the normal and tangential mobilities 1/m_n and 1/m_t.
SCREE_FN struct scree_impulse scree_impulse_of_round(struct scree_vec3 normal, struct scree_vec3 q,
                                                     double mobility, double tangential_mobility,
                                                     struct scree_law_coefficients c)
{
    // a normal of the length 1 but for rounding changes the energy always in the same direction
    const double square = scree_vec3_dot(normal, normal), q_n = scree_vec3_dot(q, normal);
    struct scree_impulse impulse = {.normal = -(1 + c.restitution) * q_n / (mobility * square)};
    impulse.vector = scree_vec3_scale(normal, impulse.normal);
    impulse.dashpot = 0.5 * (1 - c.restitution * c.restitution) * q_n * q_n / mobility;
    if (c.friction == 0)
        return impulse;
    const struct scree_vec3 q_t = scree_vec3_add_scaled(q, -q_n / square, normal);
    const double slip = scree_vec3_norm(q_t), limit = c.friction * impulse.normal;
    const double sticking = (1 + c.tangential) * slip / tangential_mobility;
    impulse.slides = sticking > limit;
    const double size = impulse.slides ? limit : sticking;
    if (slip > 0)
        impulse.vector = scree_vec3_add_scaled(impulse.vector, -size / slip, q_t);
    impulse.friction = size * (slip - 0.5 * size * tangential_mobility);
    return impulse;
}

// The impulse of these two sides.
SCREE_FN struct scree_impulse scree_impulse_between(struct scree_vec3 normal,
                                                    const struct scree_impulse_side side[2],
                                                    struct scree_law_coefficients c)
{
    const double mobility = side[0].mass_inverse + side[1].mass_inverse;
    const double turning = side[0].spin_inverse * side[0].radius + side[1].spin_inverse * side[1].radius;
    return scree_impulse_of_round(normal, scree_impulse_velocity(normal, side), mobility,
                                  mobility + turning * scree_vec3_dot(normal, normal), c);
}

// Changes the velocities and spins of both sides. Both spins change in the same direction, because impulse
// and lever arm are opposite on the second side.
SCREE_FN void scree_impulse_apply(struct scree_vec3 normal, struct scree_vec3 impulse,
                                  struct scree_impulse_side side[2])
{
    const struct scree_vec3 turn = scree_vec3_cross(normal, impulse);
    side[0].velocity = scree_vec3_add_scaled(side[0].velocity, side[0].mass_inverse, impulse);
    side[1].velocity = scree_vec3_add_scaled(side[1].velocity, -side[1].mass_inverse, impulse);
    side[0].spin = scree_vec3_add_scaled(side[0].spin, -side[0].spin_inverse, turn);
    side[1].spin = scree_vec3_add_scaled(side[1].spin, -side[1].spin_inverse, turn);
}

#endif
