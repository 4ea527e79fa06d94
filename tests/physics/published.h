// Shared by the tests of published forms of rotation schemes: three bodies, the measurement of the order of
// accuracy against the reference of support/tumble.h, and parts of schemes.

#ifndef SCREE_PHYSICS_PUBLISHED_H
#define SCREE_PHYSICS_PUBLISHED_H

#include "math/quat.h"
#include "motion/motion.h"
#include "support/order.h"
#include "support/tumble.h"

#include <string.h>

// a weight of 5 N at (0.2, -0.1, 0.4) in body axes; the body is suspended at its centre
static inline void weight(const void *user, double time, const double orientation[4], const double spin[3],
                          double moment[3])
{
    (void)user, (void)time, (void)spin;
    static const double local[3] = {0.2, -0.1, 0.4};
    double arm[3];
    scree_tumble_to_world(orientation, local, arm);
    moment[0] = -5 * arm[1];
    moment[1] = 5 * arm[0];
    moment[2] = 0;
}

// the same weight, with viscous moments
static inline void weight_in_liquid(const void *user, double time, const double orientation[4],
                                    const double spin[3], double moment[3])
{
    weight(user, time, orientation, spin, moment);
    for (int k = 0; k < 3; ++k)
        moment[k] -= 0.3 * spin[k];
}

static const struct scree_tumble free_top = {
    .inertia = {1, 2, 3}, .orientation = {0.9, 0.1, -0.3, 0.2}, .spin = {0.3, 1.4, 0.02}};
static const struct scree_tumble suspended_top = {
    .inertia = {1, 2, 3}, .orientation = {0.9, 0.1, -0.3, 0.2}, .spin = {0.3, 1.4, 0.02}, .moment = weight};
static const struct scree_tumble damped_top = {.inertia = {1, 2, 3},
                                               .orientation = {0.9, 0.1, -0.3, 0.2},
                                               .spin = {0.3, 1.4, 0.02},
                                               .moment = weight_in_liquid};

enum { FIRST_STEPS = 200, FIRST_STEPS_OF_ORDER_4 = 25 };
static const double duration = 4;

struct trial {
    const struct scree_tumble *body;
    const struct scree_motion_scheme *scheme;
};

static inline double error(void *context, size_t steps)
{
    const struct trial *trial = context;
    struct scree_tumble_state got, expected;
    scree_tumble_reference(trial->body, duration, &expected);
    scree_tumble_move(trial->body, 1,
                      &(struct scree_tumble_run){.scheme = trial->scheme, .time = duration, .steps = steps},
                      &got);
    return scree_tumble_error(&got, &expected, 1);
}

static inline struct scree_order measure(const struct scree_motion_scheme *scheme,
                                         const struct scree_tumble *body, size_t steps)
{
    return scree_order_measure(error, &(struct trial){body, scheme}, steps);
}

static inline void check_order(const struct scree_motion_scheme *scheme, const struct scree_tumble *body,
                               double expected)
{
    scree_order_check(error, &(struct trial){body, scheme}, FIRST_STEPS, expected, scheme->name);
}

// q v q* and q* v q without division by |q|^2, as in PFC (19)
static inline struct scree_vec3 rotate_without_division(struct scree_quat p, struct scree_vec3 v,
                                                        struct scree_quat q)
{
    const struct scree_quat vector = scree_quat_make(0, v.x, v.y, v.z);
    return scree_quat_vector(scree_quat_product(scree_quat_product(p, vector), q));
}

// for schemes with on-step spins: they need no conversion
static inline void complete_on_step(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        memcpy(out[i].momentum, batch->rotor[i].momentum, sizeof out[i].momentum);
        memcpy(out[i].spin, batch->grain[i].spin, sizeof out[i].spin);
    }
}

#endif
