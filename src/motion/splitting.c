// Symplectic splitting: EQUATIONS 4.3. The free rotation is cut into turns about the principal axes, 1 2 3 2
// 1, the outer four over half a step; each is exact, for L_k is constant while the body turns about axis k.
// Order 2; the momentum is exact and the energy error bounded, however long the run.

#include "motion/kick_drift_kick.h"

// an orientation on its way, and the constant momentum as the turning body sees it
struct turning {
    struct scree_quat q;
    double momentum[3];
};

// turns the body by theta about its axis k, by which what it sees turns by -theta
static inline void turn(struct turning *body, int k, double theta)
{
    const struct scree_sincos half = scree_sincos(0.5 * theta);
    double axis[3] = {0};
    axis[k] = half.sin;
    body->q = scree_quat_product(body->q, scree_quat_make(half.cos, axis[0], axis[1], axis[2]));
    const double cosine = 1 - 2 * half.sin * half.sin;
    const double sine = 2 * half.sin * half.cos;
    double *left = &body->momentum[(k + 1) % 3], *right = &body->momentum[(k + 2) % 3];
    const double before = *left;
    *left = cosine * before + sine * *right;
    *right = cosine * *right - sine * before;
}

static inline struct scree_quat drift(const struct scree_kick_drift_kick *body)
{
    static const struct {
        int axis;
        double share;
    } turns[] = {{0, 0.5}, {1, 0.5}, {2, 1}, {1, 0.5}, {0, 0.5}};
    struct turning state = {.q = body->q};
    double inertia[3];
    scree_vec3_store(scree_quat_rotate_inverse(body->q, body->momentum), state.momentum);
    scree_vec3_store(body->inertia, inertia);
    for (size_t t = 0; t < sizeof turns / sizeof turns[0]; ++t) {
        const int k = turns[t].axis;
        turn(&state, k, turns[t].share * body->h * state.momentum[k] / inertia[k]);
    }
    return state.q;
}

static void advance(const struct scree_motion_batch *batch)
{
    scree_kick_drift_kick_advance(batch, drift);
}

const struct scree_motion_law scree_splitting = {
    .name = "splitting",
    .about = "turns about the principal axes (symplectic): order 2, bounded energy error",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .advance = advance,
    .complete = scree_kick_drift_kick_complete,
};
