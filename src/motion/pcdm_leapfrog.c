// The leapfrog form of pcdm, one evaluation of the loads a step: EQUATIONS 4.5, after Seelen et al.
// (2016). Order 2. Orientation and momentum are at mid-step, in private rows; the orientation in the world is
// the one predicted for the step, which loads use. With w- the spin at n - 1/2 in body axes and tau of step
// n:
//   correct   w = w- + h/2 (tau - wp x J wp) / J,  w' = (tau - w x J w) / J,
//             q+ = exp(h R(q) w) q-,  w+ = w- + h w';
//   predict   wp' = (tau - w+ x J w+) / J,  q' = exp(h/2 R(q+) (w+ + h/4 wp')) q+,  wp = w+ + h/2 wp'.
// An on-step state starts with half a midpoint step, with the initial moment constant in body axes.

#include "motion/pcdm.h"

enum { ORIENTATION, MOMENTUM }; // rows: q-, and the momentum at mid-step

struct body {
    struct scree_quat q;   // on-step
    struct scree_vec3 tau; // in body axes at q
    struct scree_vec3 inertia;
    struct scree_quat middle; // at mid-step
    struct scree_vec3 w;      // at mid-step, body axes
    double c;
};

static inline struct scree_vec3 spin_in_body(struct scree_quat q, const double *momentum,
                                             struct scree_vec3 inertia)
{
    return scree_vec3_divide(scree_quat_rotate_inverse(q, scree_vec3_load(momentum)), inertia);
}

static inline struct body load(const struct scree_motion_batch *batch, size_t i)
{
    const struct scree_rotor *rotor = &batch->rotor[i];
    struct body body = {.q = scree_quat_load(rotor->orientation),
                        .inertia = scree_vec3_load(rotor->inertia),
                        .middle = scree_quat_load(batch->row[ORIENTATION] + 4 * i),
                        .c = scree_motion_viscous(batch, i)};
    body.tau = scree_quat_rotate_inverse(body.q, scree_motion_moment(batch, i));
    body.w = spin_in_body(body.middle, batch->row[MOMENTUM] + 3 * i, body.inertia);
    return body;
}

// the on-step spin, from the mid-step spin before it
static inline struct scree_vec3 on_step(const struct body *body, const double *predicted_momentum,
                                        double last)
{
    const struct scree_vec3 predicted = spin_in_body(body->q, predicted_momentum, body->inertia);
    const struct scree_vec3 rate = scree_pcdm_acceleration(predicted, body->tau, body->inertia, body->c);
    return scree_vec3_add_scaled(body->w, 0.5 * last, rate);
}

static inline void start(struct body *body, struct scree_vec3 w, double h)
{
    const struct scree_vec3 rate = scree_pcdm_acceleration(w, body->tau, body->inertia, body->c);
    const struct scree_vec3 quarter = scree_vec3_add_scaled(w, 0.25 * h, rate);
    body->middle = scree_pcdm_turn(body->q, quarter, 0.5 * h);
    body->w = scree_vec3_add_scaled(w, 0.5 * h,
                                    scree_pcdm_acceleration(quarter, body->tau, body->inertia, body->c));
}

static inline void correct(struct body *body, struct scree_vec3 w, double h)
{
    const struct scree_vec3 rate = scree_pcdm_acceleration(w, body->tau, body->inertia, body->c);
    const struct scree_vec3 sweep = scree_vec3_scale(scree_quat_rotate(body->q, w), h);
    body->middle = scree_quat_product(scree_quat_exp(sweep), body->middle);
    body->w = scree_vec3_add_scaled(body->w, h, rate);
}

static inline void predict_next(const struct scree_motion_batch *batch, size_t i, const struct body *body)
{
    const double h = batch->step->h;
    struct scree_rotor *rotor = &batch->rotor[i];
    const struct scree_quat middle = scree_quat_normalise(body->middle);
    const struct scree_vec3 rate = scree_pcdm_acceleration(body->w, body->tau, body->inertia, body->c);
    const struct scree_quat q = scree_quat_normalise(
        scree_pcdm_turn(middle, scree_vec3_add_scaled(body->w, 0.25 * h, rate), 0.5 * h));
    const struct scree_vec3 predicted = scree_vec3_add_scaled(body->w, 0.5 * h, rate);
    scree_quat_store(middle, batch->row[ORIENTATION] + 4 * i);
    scree_vec3_store(scree_quat_rotate(middle, scree_vec3_multiply(body->inertia, body->w)),
                     batch->row[MOMENTUM] + 3 * i);
    scree_quat_store(q, rotor->orientation);
    scree_vec3_store(scree_quat_rotate(q, scree_vec3_multiply(body->inertia, predicted)), rotor->momentum);
    struct scree_grain *grain = &batch->grain[i];
    const struct scree_vec3 spin = scree_quat_rotate(middle, body->w);
    const struct scree_vec3 pending = scree_vec3_sub(scree_quat_rotate(q, predicted), spin);
    scree_vec3_store(spin, grain->spin);
    scree_motion_store_twist(pending, grain);
}

static void advance(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h, last = batch->step->last;
    for (size_t i = 0; i < batch->count; ++i) {
        struct body body = load(batch, i);
        const double *momentum = batch->rotor[i].momentum;
        if (scree_motion_spin_is_on_step(batch, i))
            start(&body, spin_in_body(body.q, momentum, body.inertia), h);
        else
            correct(&body, on_step(&body, momentum, last), 0.5 * (last + h));
        predict_next(batch, i, &body);
    }
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct body body = load(batch, i);
        const double *momentum = batch->rotor[i].momentum;
        const struct scree_vec3 w = scree_motion_spin_is_on_step(batch, i)
                                        ? spin_in_body(body.q, momentum, body.inertia)
                                        : on_step(&body, momentum, batch->step->last);
        scree_vec3_store(scree_quat_rotate(body.q, w), out[i].spin);
        scree_vec3_store(scree_quat_rotate(body.q, scree_vec3_multiply(body.inertia, w)), out[i].momentum);
    }
}

static void predict(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct scree_rotor *rotor = &batch->rotor[i];
        const struct scree_vec3 momentum = scree_vec3_load(rotor->momentum);
        scree_vec3_store(momentum, out[i].momentum);
        scree_vec3_store(scree_body_spin(scree_quat_load(rotor->orientation), rotor->inertia, momentum),
                         out[i].spin);
    }
}

const struct scree_motion_scheme scree_pcdm_leapfrog = {
    .name = "pcdm-leapfrog",
    .about =
        "leapfrog form of pcdm, one evaluation a step, orientation and momentum at mid-step (Seelen et al.): "
        "order 2",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .leapfrog = true,
    .contacts = true,
    .row = {{"leap_orientation", 4, "", SCREE_QUATERNION, "Orientation at mid-step, for pcdm-leapfrog."},
            {"leap_momentum", 3, "kg m^2/s", SCREE_AXIAL,
             "Angular momentum at mid-step, for pcdm-leapfrog."}},
    .advance = advance,
    .complete = complete,
    .predict = predict,
};
