// The energy accounts, see account.h. Vectors are computed in registers of four lanes; powers are summed in
// order of components, and a component without power adds exactly zero.

#include "engine/account.h"

#include "world/body.h"

bool scree_account_needed(const struct scree_world *world, const struct scree_motion_batch *batch,
                          bool loaded)
{
    uint32_t flags = 0;
    if (loaded || batch->damping)
        return true;
    for (size_t i = 0; i < batch->count && world->has_fixed; ++i)
        flags |= batch->grain[i].flags;
    return flags & SCREE_FIX_ALL;
}

// Loads three numbers; lane 3 becomes 0.
SCREE_MOTION_INLINE scree_lanes three(const double *from)
{
    return (scree_lanes){from[0], from[1], from[2], 0};
}

// Loads three numbers faster than three(), but also reads the fourth, which must belong to the same record.
SCREE_MOTION_INLINE scree_lanes load(const double *from)
{
    return scree_lanes_keep(scree_lanes_free[0], scree_lanes_load(from));
}

// A body whose inertia tensor I turns with it: forces and moments do not change its momentum, but they would
// have to in order to keep the fluctuation w of its spin. Its energy w.(I w) / 2 changes by the moment times
// w minus this power, (w x W).(I W), with the mean spin W (docs/theory/deforming-cell-shapes.md).
SCREE_MOTION_INLINE double turning_power(const struct scree_motion_batch *batch, size_t i, scree_lanes spin)
{
    const struct scree_vec3 mean = scree_vec3_load(batch->step->flow->now.spin),
                            own = scree_vec3_make(spin[0], spin[1], spin[2]);
    return scree_vec3_dot(scree_vec3_cross(own, mean), scree_body_momentum(&batch->rotor[i], mean));
}

// Power that contact forces and gravity would have with the mean motion of a cell, see account.h.
SCREE_MOTION_INLINE double mean_power(const struct scree_motion_batch *batch, size_t i,
                                      scree_lanes fluctuation, scree_lanes spin,
                                      const struct scree_account_forces *forces)
{
    const struct scree_motion_flow *flow = batch->step->flow;
    const struct scree_grain *grain = &batch->grain[i];
    const scree_lanes x = load(grain->position) - load(flow->corner);
    scree_lanes force = scree_lanes_all(0), moment = scree_lanes_all(0);
    if (forces->contact) {
        force = three(forces->contact[i].force);
        moment = three(forces->contact[i].moment);
    } else if (forces->contact_only) {
        force = load(forces->contact_only[i].force);
        moment = load(forces->contact_only[i].moment);
    }
    force += scree_lanes_all(grain->mass) * scree_lanes_load(batch->step->gravity);
    scree_lanes power = force * scree_motion_mapped(flow->now.column, x) + moment * load(flow->now.spin);
    if (flow->newton)
        power +=
            scree_lanes_all(grain->mass) * fluctuation * scree_motion_mapped(flow->now.column, fluctuation);
    if (grain->kind == SCREE_KIND_RIGID)
        power += (scree_lanes){turning_power(batch, i, spin), 0, 0, 0};
    return 0 + power[0] + power[1] + power[2];
}

SCREE_MOTION_WIDE void scree_account_mean_power(const struct scree_motion_batch *batch,
                                                const struct scree_on_step *on_step,
                                                const struct scree_account_forces *forces, double *power)
{
    for (size_t i = 0; i < batch->count; ++i)
        power[i] =
            mean_power(batch, i, three(on_step[i].fluctuation), three(on_step[i].spin_fluctuation), forces);
}

// Power of loads, and of the constraint forces of fixed degrees of freedom.
SCREE_MOTION_INLINE double applied_power(const struct scree_motion_batch *batch, size_t i,
                                         scree_lanes velocity, scree_lanes spin,
                                         const struct scree_account_forces *forces)
{
    const struct scree_grain *grain = &batch->grain[i];
    const scree_lanes weight = scree_lanes_all(grain->mass) * scree_lanes_load(batch->step->gravity);
    scree_lanes force =
        scree_lanes_select(scree_lanes_free[grain->flags & 7], load(batch->wrench[i].force), -weight);
    const scree_lanes moment = load(batch->wrench[i].moment);
    scree_lanes total_moment = moment;
    if (forces->constraint)
        total_moment += three(forces->constraint[i]);
    else
        total_moment +=
            scree_lanes_select(scree_lanes_free[grain->flags >> 3 & 7], scree_lanes_all(0), -moment);
    if (forces->contact) {
        force -= three(forces->contact[i].force);
        total_moment -= three(forces->contact[i].moment);
    } else if (forces->contact_only) {
        force -= load(forces->contact_only[i].force);
        total_moment -= load(forces->contact_only[i].moment);
    }
    const scree_lanes power = force * velocity + total_moment * spin;
    return 0 + power[0] + power[1] + power[2];
}

// Power lost to damping. A fixed degree of freedom loses nothing: the constraint force balances damping.
SCREE_MOTION_INLINE double damping_power(const struct scree_motion_batch *batch, size_t i,
                                         scree_lanes velocity, scree_lanes spin, scree_lanes momentum)
{
    const struct scree_grain *grain = &batch->grain[i];
    const double c = scree_motion_viscous(batch, i);
    scree_lanes force = scree_lanes_all(c * grain->mass) * velocity,
                total_moment = scree_lanes_all(c) * momentum;
    if (batch->drag) {
        force -= three(batch->drag[i].force);
        total_moment -= three(batch->drag[i].moment);
    }
    force = scree_lanes_keep(scree_lanes_free[grain->flags & 7], force * velocity);
    total_moment = scree_lanes_keep(scree_lanes_free[grain->flags >> 3 & 7], total_moment * spin);
    return 0 + force[0] + total_moment[0] + force[1] + total_moment[1] + force[2] + total_moment[2];
}

// Angular momentum of the fluctuation of a spin.
SCREE_MOTION_INLINE scree_lanes momentum_of_fluctuation(const struct scree_motion_batch *batch, size_t i,
                                                        scree_lanes spin)
{
    const struct scree_grain *grain = &batch->grain[i];
    const struct scree_rotor *rotor = batch->rotor ? &batch->rotor[i] : NULL;
    if (grain->kind != SCREE_KIND_RIGID)
        return scree_lanes_all(scree_grain_inertia(grain, rotor)) * spin;
    double momentum[3];
    scree_vec3_store(scree_body_momentum(rotor, scree_vec3_make(spin[0], spin[1], spin[2])), momentum);
    return three(momentum);
}

SCREE_MOTION_INLINE void add(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                             const struct scree_account_forces *forces, bool and_next, bool damped)
{
    const double half = 0.5 * batch->step->last, next = 0.5 * batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_wrench *account = &batch->wrench[i];
        const bool flow = batch->step->flow;
        const scree_lanes velocity = three(flow ? on_step[i].fluctuation : on_step[i].velocity),
                          spin = three(flow ? on_step[i].spin_fluctuation : on_step[i].spin);
        const bool added = batch->grain[i].flags & SCREE_FLAG_ACCOUNTED;
        const double in = applied_power(batch, i, velocity, spin, forces);
        account->work += added ? 0 : half * in;
        account->work += and_next ? next * in : 0;
        if (!damped)
            continue;
        const scree_lanes momentum =
            flow ? momentum_of_fluctuation(batch, i, spin) : three(on_step[i].momentum);
        const double out = damping_power(batch, i, velocity, spin, momentum);
        account->loss += added ? 0 : half * out;
        account->loss += and_next ? next * out : 0;
    }
}

SCREE_MOTION_WIDE void scree_account_add(const struct scree_motion_batch *batch,
                                         const struct scree_on_step *on_step,
                                         const struct scree_account_forces *forces, bool and_next)
{
    if (batch->damping || batch->drag)
        add(batch, on_step, forces, and_next, true);
    else
        add(batch, on_step, forces, and_next, false);
}
