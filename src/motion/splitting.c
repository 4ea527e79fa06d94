// Symplectic splitting: EQUATIONS 4.3, split as by Touma and Wisdom (Astron. J. 107, 1189, 1994; Fasso, J.
// Comput. Phys. 189, 527, 2003). With the moments of inertia a < b < c, the energy of rotation is
//   L^2 / 2b  +  (1/a - 1/b) L_a^2 / 2  +  (1/c - 1/b) L_c^2 / 2,
// and each term alone rotates the body: the first about L by h |L| / b, which commutes with the others; the
// second about the body's axis a by h (1/a - 1/b) L_a at constant L_a; the third in the same way about c. The
// step is half of c, a, half of c, and the rotation about L. Order 2; exact for bodies with two equal
// moments; the momentum is exact and the energy error bounded for any number of steps.

#include "motion/kick_drift_kick.h"

// the orientation between two rotations, and the constant momentum in body axes
struct rotating_body {
    struct scree_quat q;
    struct scree_vec3 momentum;
};

// one of the three axes: all bits of its member are set, those of the others are not; selects without branches,
// so that bodies with different axes are moved together in wide registers
struct axis {
    uint64_t x, y, z;
};

SCREE_MOTION_INLINE double select(struct axis axis, double x, double y, double z)
{
    return scree_real_from_bits((scree_real_bits(x) & axis.x) | (scree_real_bits(y) & axis.y) |
                                (scree_real_bits(z) & axis.z));
}

// the component of a vector along an axis, and along the two that follow it in cyclic order
SCREE_MOTION_INLINE struct scree_vec3 from_axis(struct scree_vec3 v, struct axis axis)
{
    return scree_vec3_make(select(axis, v.x, v.y, v.z), select(axis, v.y, v.z, v.x),
                           select(axis, v.z, v.x, v.y));
}

// the inverse of from_axis
SCREE_MOTION_INLINE struct scree_vec3 to_axis(struct scree_vec3 v, struct axis axis)
{
    return scree_vec3_make(select(axis, v.x, v.z, v.y), select(axis, v.y, v.x, v.z),
                           select(axis, v.z, v.y, v.x));
}

SCREE_MOTION_INLINE uint64_t mask(bool set)
{
    return set ? ~UINT64_C(0) : 0;
}

// within pi/4 the reduction of the angle does nothing
SCREE_MOTION_INLINE struct scree_sincos sincos(double angle, bool slow)
{
    const struct scree_sincos small = {scree_trigonometry_sin_kernel(angle, 0),
                                       scree_trigonometry_cos_kernel(angle, 0)};
    return slow ? small : scree_sincos(angle);
}

// rotates the body about its axis k by `rate` times its momentum along it; the momentum in body axes rotates
// by minus that angle
SCREE_MOTION_INLINE void turn(struct rotating_body *body, struct axis k, double rate, bool slow)
{
    const struct scree_vec3 before = from_axis(body->momentum, k);
    const struct scree_sincos half = sincos(0.5 * (rate * before.x), slow);
    const struct scree_vec3 axis = to_axis(scree_vec3_make(half.sin, 0, 0), k);
    body->q = scree_quat_product(body->q, scree_quat_make(half.cos, axis.x, axis.y, axis.z));
    const double cosine = 1 - 2 * half.sin * half.sin;
    const double sine = 2 * half.sin * half.cos;
    body->momentum = to_axis(
        scree_vec3_make(before.x, cosine * before.y + sine * before.z, cosine * before.z - sine * before.y),
        k);
}

SCREE_MOTION_INLINE struct scree_quat drift(const struct scree_kick_drift_kick *body)
{
    struct rotating_body state = {.q = body->q,
                                  .momentum = scree_quat_rotate_inverse(body->q, body->momentum)};
    // of equal moments of inertia the first counts as the smallest
    const struct scree_vec3 inertia = body->inertia;
    const double least = inertia.y < inertia.x ? inertia.y : inertia.x;
    const uint64_t z = mask(inertia.z < least), y = mask(inertia.y < inertia.x) & ~z;
    const struct axis smallest = {~(y | z), y, z};
    const struct scree_vec3 ordered = from_axis(inertia, smallest);
    const uint64_t third = mask(ordered.z > ordered.y), second = ~third;
    const struct axis largest = {(z & second) | (y & third), (smallest.x & second) | (z & third),
                                 (y & second) | (smallest.x & third)};
    const double middle = ordered.z > ordered.y ? ordered.y : ordered.z, inverse_middle = 1 / middle;
    const double outer =
        0.5 * body->h * (1 / (ordered.z > ordered.y ? ordered.z : ordered.y) - inverse_middle);
    const double inner = body->h * (1 / ordered.x - inverse_middle);
    turn(&state, largest, outer, body->slow);
    turn(&state, smallest, inner, body->slow);
    turn(&state, largest, outer, body->slow);
    const struct scree_vec3 angle = scree_vec3_scale(body->momentum, body->h * inverse_middle);
    return scree_quat_product(body->slow ? scree_quat_exp_small(angle) : scree_quat_exp(angle), state.q);
}

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    scree_kick_drift_kick_advance(batch, drift);
}

const struct scree_motion_scheme scree_splitting = {
    .name = "splitting",
    .about =
        "rotations about the momentum and two principal axes (symplectic): order 2, bounded energy error",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .advance = advance,
    .complete = scree_kick_drift_kick_complete,
};
