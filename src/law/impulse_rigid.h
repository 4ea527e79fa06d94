// The impulse of a collision of rigid bodies of any shape (EQUATIONS 6, erratum 38): arms from the centres of
// mass to the contact point need not be along the normal. Symbols are those of impulse.h.
//
// The mobility is a matrix, q' = q + K J with K = (1/m1 + 1/m2) 1 - [r1] I1^-1 [r1] - [r2] I2^-1 [r2]. Where
// friction suffices, the impulse J makes q_n' = -e q_n and q_t' = -xi q_t. Otherwise it has the direction
// n - mu q_t / |q_t| and makes q_n' = -e q_n.
//
// Because K couples normal and tangential velocities, both can create energy, and the second has no solution
// if the friction presses the bodies together (n . K (n - mu t) <= 0). The impulse is then moved towards one
// that never does (Chatterjee, Ruina, J. Appl. Mech. 65, 939 (1998)), as far as needed for the energy not to
// grow: with a, the impulse of a plastic collision without friction, and b, which is added to it to stop the
// sliding too,
//
//     J = (1 + e) a + k b, k = 1 + xi, or less at the friction limit.
//
// a and b are orthogonal in the sense a . K b = 0, so J loses (1 - e^2) a.Ka/2 + k (2 - k) b.Kb/2 >= 0. It
// also makes q_n' = -e q_n, and the cone of friction is convex: so every impulse between both does, and is
// allowed. For round bodies all these impulses are that of impulse.h.

#ifndef SCREE_LAW_IMPULSE_RIGID_H
#define SCREE_LAW_IMPULSE_RIGID_H

#include "law/impulse.h"
#include "math/mat3.h"

// One side. Zeros fix it: an axis of the position, or all rotations.
struct scree_impulse_rigid {
    struct scree_vec3 mass_inverse;    // along the axes of the world, 1/kg
    struct scree_mat3 inertia_inverse; // in axes of the world, 1/(kg m^2)
    struct scree_vec3 arm;             // from the centre of mass to the contact point, m
    struct scree_vec3 velocity, spin;
};

SCREE_FN struct scree_vec3 scree_impulse_rigid_velocity(const struct scree_impulse_rigid *side)
{
    return scree_vec3_add(side->velocity, scree_vec3_cross(side->spin, side->arm));
}

// The change of the velocity at the contact point by an impulse there.
SCREE_FN struct scree_mat3 scree_impulse_rigid_mobility(const struct scree_impulse_rigid *side)
{
    const struct scree_vec3 r = side->arm;
    const struct scree_mat3 cross = {0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0};
    return scree_mat3_add_scaled(scree_mat3_diagonal(side->mass_inverse), 1,
                                 scree_mat3_rotate(cross, side->inertia_inverse));
}

// Changes velocity and spin by an impulse at the contact point.
SCREE_FN void scree_impulse_rigid_apply(struct scree_impulse_rigid *side, struct scree_vec3 impulse)
{
    side->velocity = scree_vec3_add(side->velocity, scree_vec3_multiply(side->mass_inverse, impulse));
    side->spin = scree_vec3_add(
        side->spin, scree_mat3_apply(side->inertia_inverse, scree_vec3_cross(side->arm, impulse)));
}

// A collision in work.
struct scree_impulse_problem {
    struct scree_vec3 normal, q, q_t;
    double q_n;
    struct scree_mat3 mobility;
    struct scree_vec3 tangent[2], of_normal; // of_normal: K n
    double of_normal_n;                      // n . K n
    double shear[3]; // K for tangential impulses that do not change q_n: xx, xy, yy along the tangents
    struct scree_law_coefficients c;
};

SCREE_FN struct scree_impulse_problem scree_impulse_pose(struct scree_vec3 normal, struct scree_vec3 q,
                                                         struct scree_mat3 mobility,
                                                         struct scree_law_coefficients c)
{
    struct scree_impulse_problem p = {.normal = normal, .q = q, .mobility = mobility, .c = c};
    const struct scree_vec3 in_plane = {-normal.y, normal.x, 0};
    p.q_n = scree_vec3_dot(q, normal);
    p.q_t = scree_vec3_add_scaled(q, -p.q_n, normal);
    // in two dimensions one tangent is along z, so that nothing is rounded into this direction
    p.tangent[0] = normal.z == 0 ? in_plane : scree_vec3_perpendicular(normal);
    p.tangent[1] = scree_vec3_cross(normal, p.tangent[0]);
    p.of_normal = scree_mat3_apply(mobility, normal);
    p.of_normal_n = scree_vec3_dot(normal, p.of_normal);
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 a = p.tangent[k / 2], b = p.tangent[(k + 1) / 2];
        p.shear[k] = scree_vec3_dot(a, scree_mat3_apply(mobility, b)) -
                     scree_vec3_dot(a, p.of_normal) * scree_vec3_dot(b, p.of_normal) / p.of_normal_n;
    }
    return p;
}

// The impulse that changes the tangential velocity by -`change` and leaves the normal one. A direction in
// which nothing can move gets no impulse.
SCREE_FN struct scree_vec3 scree_impulse_shear(const struct scree_impulse_problem *p,
                                               struct scree_vec3 change)
{
    const double xx = p->shear[0], xy = p->shear[1], yy = p->shear[2], trace = xx + yy;
    const double determinant = xx * yy - xy * xy;
    const double gx = -scree_vec3_dot(p->tangent[0], change), gy = -scree_vec3_dot(p->tangent[1], change);
    if (!(trace > 0x1p-40 * p->of_normal_n))
        return scree_vec3_zero();
    const bool line = !(determinant > 0x1p-40 * trace * trace);
    const double x = line ? (xx * gx + xy * gy) / (trace * trace) : (yy * gx - xy * gy) / determinant;
    const double y = line ? (xy * gx + yy * gy) / (trace * trace) : (xx * gy - xy * gx) / determinant;
    const struct scree_vec3 along =
        scree_vec3_add_scaled(scree_vec3_scale(p->tangent[0], x), y, p->tangent[1]);
    return scree_vec3_add_scaled(along, -scree_vec3_dot(along, p->of_normal) / p->of_normal_n, p->normal);
}

// The change of energy by an impulse.
SCREE_FN double scree_impulse_energy(const struct scree_impulse_problem *p, struct scree_vec3 impulse)
{
    const struct scree_vec3 mean = scree_vec3_add_scaled(p->q, 0.5, scree_mat3_apply(p->mobility, impulse));
    return scree_vec3_dot(impulse, mean);
}

SCREE_FN double scree_impulse_slip(const struct scree_impulse_problem *p, struct scree_vec3 impulse)
{
    return scree_vec3_norm(scree_vec3_add_scaled(impulse, -scree_vec3_dot(impulse, p->normal), p->normal));
}

// The impulse of Chatterjee and Ruina, which never creates energy.
SCREE_FN struct scree_vec3 scree_impulse_lossy(const struct scree_impulse_problem *p)
{
    const double plastic = -p->q_n / p->of_normal_n, pressing = (1 + p->c.restitution) * plastic;
    const struct scree_vec3 moved = scree_vec3_add_scaled(p->q, plastic, p->of_normal);
    const struct scree_vec3 stop = scree_impulse_shear(p, moved);
    // k |b_t| <= mu (pressing + k b_n)
    const double wedge = scree_impulse_slip(p, stop) - p->c.friction * scree_vec3_dot(stop, p->normal);
    const double limit = p->c.friction * pressing, sticking = 1 + p->c.tangential;
    const double factor = sticking * wedge > limit ? limit / wedge : sticking;
    return scree_vec3_add_scaled(scree_vec3_scale(p->normal, pressing), factor, stop);
}

// The impulse that makes q_n' = -e q_n and q_t' = -xi q_t.
SCREE_FN struct scree_vec3 scree_impulse_sticking(const struct scree_impulse_problem *p)
{
    const double pressing = -(1 + p->c.restitution) * p->q_n / p->of_normal_n;
    const struct scree_vec3 change =
        scree_vec3_add_scaled(scree_vec3_scale(p->q_t, 1 + p->c.tangential), pressing, p->of_normal);
    return scree_vec3_add_scaled(scree_impulse_shear(p, change), pressing, p->normal);
}

// The impulse of sliding along q_t; `otherwise` if there is none.
SCREE_FN struct scree_vec3 scree_impulse_sliding(const struct scree_impulse_problem *p,
                                                 struct scree_vec3 otherwise)
{
    const double slip = scree_vec3_norm(p->q_t);
    if (!(slip > 0))
        return otherwise;
    const struct scree_vec3 direction = scree_vec3_add_scaled(p->normal, -p->c.friction / slip, p->q_t);
    const double effect = scree_vec3_dot(direction, p->of_normal);
    return effect > 0 ? scree_vec3_scale(direction, -(1 + p->c.restitution) * p->q_n / effect) : otherwise;
}

// The impulse nearest to `wanted` on the way from `lossy` that creates no energy.
SCREE_FN struct scree_vec3 scree_impulse_capped(const struct scree_impulse_problem *p,
                                                struct scree_vec3 wanted, struct scree_vec3 lossy)
{
    if (!(scree_impulse_energy(p, wanted) > 0))
        return wanted;
    // the energy at lossy + s way is a s^2 + b s + c, with c <= 0 < a + b + c
    const struct scree_vec3 way = scree_vec3_sub(wanted, lossy);
    const struct scree_vec3 after = scree_vec3_add(p->q, scree_mat3_apply(p->mobility, lossy));
    const double a = 0.5 * scree_vec3_dot(way, scree_mat3_apply(p->mobility, way));
    const double b = scree_vec3_dot(way, after), c = scree_impulse_energy(p, lossy);
    if (!(c < 0))
        return lossy;
    const double root = sqrt(b * b - 4 * a * c);
    const double share = b > 0 ? -2 * c / (b + root) : (root - b) / (2 * a);
    return scree_vec3_add_scaled(lossy, share < 1 ? share : 1, way);
}

// The impulse for two sides with this mobility, the sum of both; n . K n must not be 0.
SCREE_FN struct scree_impulse scree_impulse_of_rigid(struct scree_vec3 normal, struct scree_vec3 q,
                                                     struct scree_mat3 mobility,
                                                     struct scree_law_coefficients c)
{
    const struct scree_impulse_problem p = scree_impulse_pose(normal, q, mobility, c);
    const struct scree_vec3 sticking = scree_impulse_sticking(&p), lossy = scree_impulse_lossy(&p);
    const bool holds = scree_impulse_slip(&p, sticking) <= c.friction * scree_vec3_dot(sticking, normal);
    struct scree_impulse impulse = {.slides = !holds && c.friction > 0};
    impulse.vector = scree_impulse_capped(&p, holds ? sticking : scree_impulse_sliding(&p, lossy), lossy);
    impulse.normal = scree_vec3_dot(impulse.vector, normal);
    const double loss = -scree_impulse_energy(&p, impulse.vector);
    const double dashpot = 0.5 * (1 - c.restitution * c.restitution) * p.q_n * p.q_n / p.of_normal_n;
    impulse.dashpot = dashpot < loss ? dashpot : loss > 0 ? loss : 0;
    impulse.friction = loss > dashpot ? loss - dashpot : 0;
    return impulse;
}

#endif
