// Predictor-corrector direct multiplication with two evaluations of the loads: EQUATIONS 4.5, errata 31.
// Order 2.
//   a = (tau - w x J w) / J,  w14 = w + h/4 a,  w12 = w + h/2 a,  q12 = exp(h/2 R(q) w14) q,
//   tau12 = moments at (q12, R(q12) w12, t + h/2),  a12 = (tau12 - w12 x J w12) / J,
//   new q = exp(h R(q12) w12) q,  new w = w + h a12.
// Velocities are on-step. Contact forces are not available at mid-step, so bodies that touch are refused.

#include "motion/pcdm.h"

enum { ORIENTATION, SPIN }; // rows: q12, and w12 in body axes

static struct scree_vec3 body_spin(const struct scree_rotor *rotor)
{
    const struct scree_quat q = scree_quat_load(rotor->orientation);
    return scree_vec3_divide(scree_quat_rotate_inverse(q, scree_vec3_load(rotor->momentum)),
                             scree_vec3_load(rotor->inertia));
}

static void advance(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        const struct scree_rotor *rotor = &batch->rotor[i];
        const struct scree_quat q = scree_quat_load(rotor->orientation);
        const struct scree_vec3 w = body_spin(rotor);
        const struct scree_vec3 tau = scree_quat_rotate_inverse(q, scree_motion_moment(batch, i));
        const struct scree_vec3 rate =
            scree_pcdm_acceleration(w, tau, scree_vec3_load(rotor->inertia), scree_motion_viscous(batch, i));
        const struct scree_quat middle =
            scree_pcdm_turn(q, scree_vec3_add_scaled(w, 0.25 * h, rate), 0.5 * h);
        scree_quat_store(scree_quat_normalise(middle), batch->row[ORIENTATION] + 4 * i);
        scree_vec3_store(scree_vec3_add_scaled(w, 0.5 * h, rate), batch->row[SPIN] + 3 * i);
    }
}

static void mid_step(const struct scree_motion_batch *batch, double (*spin)[3], double (*orientation)[4])
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct scree_quat q = scree_quat_load(batch->row[ORIENTATION] + 4 * i);
        scree_quat_store(q, orientation[i]);
        scree_vec3_store(scree_quat_rotate(q, scree_vec3_load(batch->row[SPIN] + 3 * i)), spin[i]);
    }
}

static void finish(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_rotor *rotor = &batch->rotor[i];
        const struct scree_vec3 inertia = scree_vec3_load(rotor->inertia);
        const struct scree_quat q = scree_quat_load(rotor->orientation);
        const struct scree_quat half = scree_quat_load(batch->row[ORIENTATION] + 4 * i);
        const struct scree_vec3 w12 = scree_vec3_load(batch->row[SPIN] + 3 * i);
        const struct scree_vec3 tau =
            scree_quat_rotate_inverse(half, scree_vec3_load(batch->mid_step[i].moment));
        const struct scree_vec3 rate =
            scree_pcdm_acceleration(w12, tau, inertia, scree_motion_viscous(batch, i));
        const struct scree_vec3 w = scree_vec3_add_scaled(body_spin(rotor), h, rate);
        const struct scree_vec3 sweep = scree_vec3_scale(scree_quat_rotate(half, w12), h);
        const struct scree_quat turned = scree_quat_normalise(scree_quat_product(scree_quat_exp(sweep), q));
        scree_quat_store(turned, rotor->orientation);
        scree_vec3_store(scree_quat_rotate(turned, scree_vec3_multiply(inertia, w)), rotor->momentum);
        scree_vec3_store(scree_quat_rotate(turned, w), batch->grain[i].spin);
        memset(batch->grain[i].half_twist, 0, sizeof batch->grain[i].half_twist);
    }
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        memcpy(out[i].momentum, batch->rotor[i].momentum, sizeof out[i].momentum);
        memcpy(out[i].spin, batch->grain[i].spin, sizeof out[i].spin);
    }
}

const struct scree_motion_scheme scree_pcdm = {
    .name = "pcdm",
    .about = "predictor-corrector direct multiplication, loads evaluated twice a step (Zhao and van Wachem): "
             "order 2, not for bodies that touch",
    .kind = SCREE_ROTATION,
    .level = SCREE_ON_STEP,
    .row = {{"middle_orientation", 4, "", SCREE_QUATERNION,
             "Orientation in the middle of the step, for pcdm."},
            {"middle_spin", 3, "rad/s", SCREE_SCALAR,
             "Spin in the middle of the step, in body axes, for pcdm."}},
    .advance = advance,
    .mid_step = mid_step,
    .finish = finish,
    .complete = complete,
};
