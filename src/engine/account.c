// The energy accounts, see account.h.

#include "engine/account.h"

bool scree_account_needed(const struct scree_world *world, const struct scree_motion_batch *batch)
{
    uint32_t flags = 0;
    for (size_t i = 0; i < batch->count && world->holds; ++i)
        flags |= batch->grain[i].flags;
    return (flags & SCREE_FIX_ALL) || scree_world_pushed(world) || scree_world_loads(world) || batch->damping;
}

// Power of loads, and of whatever holds fixed freedoms against loads, gravity and drag.
static double power_in(const struct scree_motion_batch *batch, size_t i, const struct scree_on_step *motion,
                       const struct scree_account_forces *forces)
{
    const struct scree_grain *grain = &batch->grain[i];
    const struct scree_wrench *wrench = &batch->wrench[i];
    double power = 0;
    for (int k = 0; k < 3; ++k) {
        const double fall = grain->mass * batch->step->gravity[k];
        const double along = grain->flags >> k & 1 ? -fall : wrench->force[k];
        const double about = wrench->moment[k] + forces->hold[k];
        power += (along - forces->touch.force[k]) * motion->velocity[k] +
                 (about - forces->touch.moment[k]) * motion->spin[k];
    }
    return power;
}

// Power lost to damping; a fixed freedom is not damped, for what holds it gives back what damping takes.
static double power_out(const struct scree_motion_batch *batch, size_t i, const struct scree_on_step *motion)
{
    const struct scree_grain *grain = &batch->grain[i];
    const double c = scree_motion_viscous(batch, i);
    double power = 0;
    for (int k = 0; k < 3; ++k) {
        const double pull = batch->drag ? batch->drag[i].force[k] : 0;
        const double twist = batch->drag ? batch->drag[i].moment[k] : 0;
        if (!(grain->flags >> k & 1))
            power += (c * grain->mass * motion->velocity[k] - pull) * motion->velocity[k];
        if (!(grain->flags >> (3 + k) & 1))
            power += (c * motion->momentum[k] - twist) * motion->spin[k];
    }
    return power;
}

void scree_account_book(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                        const struct scree_account_forces *forces, bool and_next)
{
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_wrench *account = &batch->wrench[i];
        const double in = power_in(batch, i, &on_step[i], &forces[i]);
        const double out = power_out(batch, i, &on_step[i]);
        if (!(batch->grain[i].flags & SCREE_FLAG_BOOKED)) {
            account->work += 0.5 * batch->step->last * in;
            account->loss += 0.5 * batch->step->last * out;
        }
        if (and_next) {
            account->work += 0.5 * batch->step->h * in;
            account->loss += 0.5 * batch->step->h * out;
        }
    }
}
