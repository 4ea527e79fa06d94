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
    double momentum[3];
};

// rotates the body by theta about its axis k; the momentum in body axes rotates by -theta
static inline void turn(struct rotating_body *body, int k, double theta)
{
    const struct scree_sincos half = scree_sincos(0.5 * theta);
    double axis[3] = {0};
    axis[k] = half.sin;
    body->q = scree_quat_product(body->q, scree_quat_make(half.cos, axis[0], axis[1], axis[2]));
    const double cosine = 1 - 2 * half.sin * half.sin;
    const double sine = 2 * half.sin * half.cos;
    double *first = &body->momentum[(k + 1) % 3], *second = &body->momentum[(k + 2) % 3];
    const double before = *first;
    *first = cosine * before + sine * *second;
    *second = cosine * *second - sine * before;
}

static inline struct scree_quat drift(const struct scree_kick_drift_kick *body)
{
    struct rotating_body state = {.q = body->q};
    double inertia[3];
    scree_vec3_store(scree_quat_rotate_inverse(body->q, body->momentum), state.momentum);
    scree_vec3_store(body->inertia, inertia);
    // of equal moments of inertia the first counts as the smallest
    int smallest = inertia[1] < inertia[0] ? 1 : 0;
    smallest = inertia[2] < inertia[smallest] ? 2 : smallest;
    int largest = (smallest + 1) % 3;
    largest = inertia[(smallest + 2) % 3] > inertia[largest] ? (smallest + 2) % 3 : largest;
    const double inverse_middle = 1 / inertia[3 - smallest - largest];
    const double outer = 0.5 * body->h * (1 / inertia[largest] - inverse_middle);
    const double inner = body->h * (1 / inertia[smallest] - inverse_middle);
    turn(&state, largest, outer * state.momentum[largest]);
    turn(&state, smallest, inner * state.momentum[smallest]);
    turn(&state, largest, outer * state.momentum[largest]);
    return scree_quat_product(scree_quat_exp(scree_vec3_scale(body->momentum, body->h * inverse_middle)),
                              state.q);
}

static void advance(const struct scree_motion_batch *batch)
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
