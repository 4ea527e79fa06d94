// General rigid bodies with fixed spins about some world axes; used for these bodies with any chosen scheme.
//
// The constraint moments of fixed spins act along fixed axes only, so the momentum along the free axes f
// still obeys L_f' = M_f; with the prescribed spins w_c the spin follows from I_ff w_f = L_f - I_fc w_c.
// Kick, midpoint drift q+ = exp(h/2 w(q)) q, q' = exp(h w(q+)) q, kick. Order 2. The stored momentum is I w
// with the whole spin.

#include "motion/motion.h"
#include "world/body.h"

struct constrained {
    struct scree_vec3 inertia;
    struct scree_vec3 prescribed; // spins along fixed axes, 0 along free ones
    struct scree_vec3 free;       // 1 along free axes, 0 along fixed ones
};

static struct constrained load(const struct scree_motion_batch *batch, size_t i)
{
    const struct scree_grain *grain = &batch->grain[i];
    double prescribed[3], free[3];
    for (int k = 0; k < 3; ++k) {
        const bool fixed = grain->flags >> (3 + k) & 1;
        prescribed[k] = fixed ? grain->spin[k] : 0;
        free[k] = fixed ? 0 : 1;
    }
    return (struct constrained){scree_vec3_load(batch->rotor[i].inertia), scree_vec3_load(prescribed),
                                scree_vec3_load(free)};
}

static struct scree_mat3 world_inertia(const struct constrained *body, struct scree_quat q)
{
    return scree_mat3_rotate(scree_quat_to_matrix(q), scree_mat3_diagonal(body->inertia));
}

// solves I x = b along the free axes; x vanishes along the fixed ones
static struct scree_vec3 solve_free(const struct constrained *body, struct scree_mat3 inertia,
                                    struct scree_vec3 b)
{
    const struct scree_vec3 f = body->free;
    const struct scree_mat3 m = scree_mat3_from_rows(
        scree_vec3_make(f.x > 0 ? inertia.xx : 1, f.x * f.y * inertia.xy, f.x * f.z * inertia.xz),
        scree_vec3_make(f.x * f.y * inertia.xy, f.y > 0 ? inertia.yy : 1, f.y * f.z * inertia.yz),
        scree_vec3_make(f.x * f.z * inertia.xz, f.y * f.z * inertia.yz, f.z > 0 ? inertia.zz : 1));
    return scree_mat3_apply(scree_mat3_inverse(m), scree_vec3_multiply(f, b));
}

static struct scree_vec3 spin_of(const struct constrained *body, struct scree_quat q,
                                 struct scree_vec3 momentum)
{
    const struct scree_mat3 inertia = world_inertia(body, q);
    const struct scree_vec3 free_momentum =
        scree_vec3_sub(momentum, scree_mat3_apply(inertia, body->prescribed));
    return scree_vec3_add(solve_free(body, inertia, free_momentum), body->prescribed);
}

static struct scree_quat turn(struct scree_quat q, struct scree_vec3 spin, double h)
{
    return scree_quat_normalise(scree_quat_product(scree_quat_exp(scree_vec3_scale(spin, h)), q));
}

static struct scree_vec3 kick_in(const struct scree_motion_batch *batch, size_t i, struct scree_vec3 momentum,
                                 double h)
{
    const double c = scree_motion_viscous(batch, i);
    return scree_vec3_add_scaled(scree_vec3_scale(momentum, 1 - 0.5 * h * c), 0.5 * h,
                                 scree_motion_moment(batch, i));
}

static struct scree_vec3 on_step(const struct scree_motion_batch *batch, size_t i)
{
    const struct scree_vec3 momentum = scree_vec3_load(batch->rotor[i].momentum);
    return scree_motion_spin_is_on_step(batch, i) ? momentum : kick_in(batch, i, momentum, batch->step->last);
}

static void advance(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        struct scree_rotor *rotor = &batch->rotor[i];
        const struct constrained body = load(batch, i);
        const struct scree_quat q = scree_quat_load(rotor->orientation);
        const struct scree_vec3 kicked =
            scree_vec3_scale(scree_vec3_add_scaled(on_step(batch, i), 0.5 * h, scree_motion_moment(batch, i)),
                             1 / (1 + 0.5 * h * scree_motion_viscous(batch, i)));
        const struct scree_quat middle = turn(q, spin_of(&body, q, kicked), 0.5 * h);
        const struct scree_quat turned = turn(q, spin_of(&body, middle, kicked), h);
        const struct scree_vec3 spin = spin_of(&body, turned, kicked);
        // contacts use the mid-step spin
        const struct scree_vec3 mid_step_spin = spin_of(&body, middle, kicked);
        const struct scree_vec3 pending =
            scree_vec3_sub(spin_of(&body, turned, kick_in(batch, i, kicked, h)), mid_step_spin);
        scree_quat_store(turned, rotor->orientation);
        scree_vec3_store(scree_mat3_apply(world_inertia(&body, turned), spin), rotor->momentum);
        scree_vec3_store(mid_step_spin, grain->spin);
        scree_motion_store_twist(pending, grain);
    }
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct constrained body = load(batch, i);
        const struct scree_quat q = scree_quat_load(batch->rotor[i].orientation);
        const struct scree_vec3 kicked = on_step(batch, i);
        const struct scree_vec3 spin = spin_of(&body, q, kicked);
        const struct scree_vec3 total_momentum = scree_mat3_apply(world_inertia(&body, q), spin);
        const struct scree_vec3 f = body.free;
        scree_vec3_store(spin, out[i].spin);
        // along free axes the momentum is the state variable and keeps its bits
        scree_vec3_store(scree_vec3_make(f.x > 0 ? kicked.x : total_momentum.x,
                                         f.y > 0 ? kicked.y : total_momentum.y,
                                         f.z > 0 ? kicked.z : total_momentum.z),
                         out[i].momentum);
    }
}

// I w' + w x L = M + constraint moment, with w' along free axes only; the constraint also balances damping
static void constraint(const struct scree_motion_batch *batch, const struct scree_on_step *state,
                       double (*moment)[3])
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct constrained body = load(batch, i);
        const struct scree_mat3 inertia = world_inertia(&body, scree_quat_load(batch->rotor[i].orientation));
        const struct scree_vec3 momentum = scree_vec3_load(state[i].momentum);
        const struct scree_vec3 gyroscopic = scree_vec3_cross(scree_vec3_load(state[i].spin), momentum);
        const struct scree_vec3 load = scree_vec3_load(batch->wrench[i].moment);
        const struct scree_vec3 applied =
            scree_vec3_add_scaled(scree_motion_moment(batch, i), -scree_motion_viscous(batch, i), momentum);
        const struct scree_vec3 rate = solve_free(&body, inertia, scree_vec3_sub(applied, gyroscopic));
        const struct scree_vec3 required = scree_vec3_add(scree_mat3_apply(inertia, rate), gyroscopic);
        const struct scree_vec3 fixed = scree_vec3_sub(scree_vec3_make(1, 1, 1), body.free);
        scree_vec3_store(scree_vec3_multiply(fixed, scree_vec3_sub(required, load)), moment[i]);
    }
}

const struct scree_motion_scheme scree_constrained = {
    .name = "constrained",
    .about = "general rigid bodies with fixed spins: order 2",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .advance = advance,
    .complete = complete,
    .constraint = constraint,
};
