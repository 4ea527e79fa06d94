// Symplectic splitting: EQUATIONS 4.3, split as by Touma and Wisdom (Astron. J. 107, 1189, 1994; Fasso, J.
// Comput. Phys. 189, 527, 2003). With the moments of inertia a < b < c, the energy of rotation is
//   L^2 / 2b  +  (1/a - 1/b) L_a^2 / 2  +  (1/c - 1/b) L_c^2 / 2,
// and each term alone rotates the body: the first about L by h |L| / b, which commutes with the others; the
// second about the body's axis a by h (1/a - 1/b) L_a at constant L_a; the third in the same way about c. The
// step is half of c, a, half of c, and the rotation about L. Order 2; exact for bodies with two equal
// moments; the momentum is exact and the energy error bounded for any number of steps.

// functions that are not forced inline are called from the loops for the widest registers
#define SCREE_FN static inline __attribute__((always_inline))

#include "base/processor.h"
#include "motion/carriers.h"
#include "motion/kick_drift_kick.h"

#include <scree/kernel.h>

#include <string.h>

// the orientation between two rotations, and the constant momentum in body axes; of the vectors first the
// component along the axis of the largest moment of inertia, then that of the smallest, then the third
struct rotating_body {
    double w, q[3], momentum[3];
    uint64_t sign; // the sign bit if the axes in this order are left-handed: angles about them are negative
};

// one of the three axes: all bits of its member are set, those of the others are not; selects without
// branches, so that bodies with different axes are moved together in wide registers
struct axis {
    uint64_t x, y, z;
};

SCREE_MOTION_INLINE double select(struct axis axis, double x, double y, double z)
{
    return scree_real_from_bits((scree_real_bits(x) & axis.x) | (scree_real_bits(y) & axis.y) |
                                (scree_real_bits(z) & axis.z));
}

SCREE_MOTION_INLINE double along(struct axis axis, struct scree_vec3 v)
{
    return select(axis, v.x, v.y, v.z);
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

// rotates the body about its axis k, 0 or 1, by `rate` times its momentum along it; the momentum in body axes
// rotates by minus that angle. These are the nonzero terms of the product of quaternions.
SCREE_MOTION_INLINE void turn(struct rotating_body *body, int k, double rate, bool slow)
{
    const int y = k == 0 ? 1 : 2, z = k == 0 ? 2 : 0;
    const struct scree_sincos half = sincos(0.5 * (rate * body->momentum[k]), slow);
    const double side = scree_real_from_bits(scree_real_bits(half.sin) ^ body->sign), w = body->w,
                 *q = body->q, turned = q[k], qy = q[y], qz = q[z];
    body->w = w * half.cos - turned * half.sin;
    body->q[k] = w * half.sin + turned * half.cos;
    body->q[y] = qy * half.cos + qz * side;
    body->q[z] = qz * half.cos - qy * side;
    const double cosine = 1 - 2 * half.sin * half.sin, sine = 2 * side * half.cos;
    const double my = body->momentum[y], mz = body->momentum[z];
    body->momentum[y] = cosine * my + sine * mz;
    body->momentum[z] = cosine * mz - sine * my;
}

SCREE_MOTION_INLINE struct scree_quat drift(const struct scree_kick_drift_kick *body)
{
    const struct scree_vec3 momentum = scree_quat_rotate_inverse(body->q, body->momentum),
                            q = scree_quat_vector(body->q), inertia = body->inertia;
    // of equal moments of inertia the first counts as the smallest
    const double least = inertia.y < inertia.x ? inertia.y : inertia.x;
    const uint64_t z = mask(inertia.z < least), y = mask(inertia.y < inertia.x) & ~z;
    const struct axis smallest = {~(y | z), y, z}, next = {z, smallest.x, y}, last = {y, z, smallest.x};
    const double after = along(next, inertia), second = along(last, inertia);
    // of the other two the one that follows the smallest counts as the largest if they are equal
    const uint64_t is_last = mask(second > after), is_next = ~is_last;
    const struct axis largest = {(next.x & is_next) | (last.x & is_last),
                                 (next.y & is_next) | (last.y & is_last),
                                 (next.z & is_next) | (last.z & is_last)};
    const struct axis third = {~(smallest.x | largest.x), ~(smallest.y | largest.y),
                               ~(smallest.z | largest.z)};
    struct rotating_body state = {
        .w = body->q.w,
        .q = {along(largest, q), along(smallest, q), along(third, q)},
        .momentum = {along(largest, momentum), along(smallest, momentum), along(third, momentum)},
        .sign = is_next & UINT64_C(0x8000000000000000)};
    const double inverse_middle = 1 / (second > after ? after : second);
    const double outer = 0.5 * body->h * (1 / (second > after ? second : after) - inverse_middle);
    const double inner = body->h * (1 / along(smallest, inertia) - inverse_middle);
    turn(&state, 0, outer, body->slow);
    turn(&state, 1, inner, body->slow);
    turn(&state, 0, outer, body->slow);
    const struct scree_quat turned = scree_quat_make(
        state.w, select((struct axis){largest.x, smallest.x, third.x}, state.q[0], state.q[1], state.q[2]),
        select((struct axis){largest.y, smallest.y, third.y}, state.q[0], state.q[1], state.q[2]),
        select((struct axis){largest.z, smallest.z, third.z}, state.q[0], state.q[1], state.q[2]));
    const struct scree_vec3 angle = scree_vec3_scale(body->momentum, body->h * inverse_middle);
    return scree_quat_product(body->slow ? scree_quat_exp_small(angle) : scree_quat_exp(angle), turned);
}

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    scree_kick_drift_kick_advance(batch, drift);
}

static __attribute__((noinline)) void move_fast(struct scree_kick_drift_kick_group *group, double h,
                                                size_t count)
{
    for (size_t l = 0; l < count; ++l)
        scree_kick_drift_kick_move(group, l, h, drift, false, false, false);
}

#define SCREE_CARRIERS_DRIFT drift
#define SCREE_CARRIERS_FAST move_fast
#define SCREE_KERNEL_BODY "motion/carriers.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

static void (*const sets[SCREE_KERNEL_SETS])(struct scree_carriers *pass) = {
    scree_kernel_advance_carriers_v2,
#if SCREE_WIDE_SETS
    scree_kernel_advance_carriers_v3,
    scree_kernel_advance_carriers_v4,
#endif
};

static void advance_carriers(struct scree_carriers *pass)
{
    sets[scree_processor_set()](pass);
}

const struct scree_motion_scheme scree_splitting = {
    .name = "splitting",
    .about =
        "rotations about the momentum and two principal axes (symplectic): order 2, bounded energy error",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .flow = true,
    .advance = advance,
    .advance_carriers = advance_carriers,
    .complete = scree_kick_drift_kick_complete,
};
