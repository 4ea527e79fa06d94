// The pending half-kick, see half_kick.h.

#include "engine/half_kick.h"

#include "world/wall_body.h"

#include <string.h>

static void sync_block(struct scree_mover *mover, size_t first, size_t count, int thread)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    struct scree_on_step on_step[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    scree_mover_complete(mover, &batch, on_step);
    if (scree_mover_needs_accounts(mover, &batch))
        scree_mover_enter_accounts(mover, &batch, on_step, NULL, false);
    if (batch.step->flow)
        scree_mover_add_mean_power(mover, &batch, on_step, NULL, thread);
    struct scree_mid_step *half = scree_world_mid_steps(mover->world);
    for (size_t i = 0; i < count; ++i) {
        struct scree_grain *grain = &batch.grain[i];
        const struct scree_motion_scheme *scheme = scree_mover_scheme(mover, grain);
        uint32_t flags = grain->flags | SCREE_FLAGS_ON_STEP | SCREE_FLAG_ACCOUNTED;
        if (mover->translation->leapfrog && !(grain->flags & SCREE_FLAG_MOVE_ON_STEP)) {
            memcpy(half[first + i].velocity, grain->velocity, sizeof grain->velocity);
            flags |= SCREE_FLAG_HALF_MOVE;
        }
        if (scheme->leapfrog && !(grain->flags & SCREE_FLAG_SPIN_ON_STEP)) {
            memcpy(half[first + i].momentum, batch.rotor[i].momentum, sizeof batch.rotor[i].momentum);
            flags |= SCREE_FLAG_HALF_SPIN;
        }
        // values that are on-step already keep their bits; for example, a prescribed spin is not recomputed
        // from the momentum
        if (!(grain->flags & SCREE_FLAG_MOVE_ON_STEP))
            memcpy(grain->velocity, on_step[i].velocity, sizeof grain->velocity);
        if (!(grain->flags & SCREE_FLAG_SPIN_ON_STEP)) {
            memcpy(grain->spin, on_step[i].spin, sizeof grain->spin);
            if (grain->kind == SCREE_KIND_RIGID)
                memcpy(batch.rotor[i].momentum, on_step[i].momentum, sizeof on_step[i].momentum);
        }
        // no half-kick is pending between steps
        memset(grain->half_kick, 0, sizeof grain->half_kick);
        memset(grain->half_twist, 0, sizeof grain->half_twist);
        grain->flags = flags;
    }
}

static void restore_block(struct scree_mover *mover, size_t first, size_t count, int thread)
{
    (void)thread;
    const struct scree_mid_step *half = scree_world_mid_steps(mover->world);
    for (size_t i = 0; i < count; ++i) {
        struct scree_grain *grain = &scree_world_grains(mover->world)[first + i];
        if (grain->flags & SCREE_FLAG_HALF_MOVE) {
            memcpy(grain->velocity, half[first + i].velocity, sizeof grain->velocity);
            grain->flags &= ~(uint32_t)(SCREE_FLAG_HALF_MOVE | SCREE_FLAG_MOVE_ON_STEP);
        }
        if (grain->flags & SCREE_FLAG_HALF_SPIN) {
            struct scree_rotor *rotor = &scree_world_rotors(mover->world)[first + i];
            memcpy(rotor->momentum, half[first + i].momentum, sizeof rotor->momentum);
            grain->flags &= ~(uint32_t)(SCREE_FLAG_HALF_SPIN | SCREE_FLAG_SPIN_ON_STEP);
        }
    }
}

static scree_status check_finite(const struct scree_world *world)
{
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        if (!scree_half_kick_is_finite(&scree_world_grains(world)[i]))
            return scree_status_fail(
                SCREE_ERROR_NUMBER,
                "after step %llu the position, velocity or spin of body %llu is not a finite number: the "
                "step of %g s may be too long for the forces on it, or a load function returned such a "
                "number",
                (unsigned long long)scree_world_clock(world)->steps,
                (unsigned long long)scree_world_ids(world)[i], scree_world_clock(world)->step);
    }
    return SCREE_OK;
}

static void begin_sync(struct scree_mover *mover)
{
    scree_mover_read_world(mover, mover->step.h);
    scree_mean_power_clear(&mover->mean_power);
}

// Enters the work of the cell in the half-step before now.
static void end_sync(struct scree_mover *mover)
{
    if (mover->step.flow)
        scree_mean_power_enter(&mover->mean_power, scree_world_lattice(mover->world), mover->step.last, 0);
}

scree_status scree_half_kick_sync(struct scree_mover *mover)
{
    begin_sync(mover);
    scree_mover_each(mover, sync_block);
    end_sync(mover);
    scree_wall_body_follow(mover->world);
    return check_finite(mover->world);
}

static void sync_range(void *context, size_t first, size_t last, int thread)
{
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK)
        sync_block((struct scree_mover *)context, at,
                   last - at < SCREE_MOVER_BLOCK ? last - at : SCREE_MOVER_BLOCK, thread);
}

bool scree_half_kick_sync_outdated(struct scree_mover *mover)
{
    uint32_t slot[SCREE_WORLD_FEW_EDITS];
    size_t count;
    if (scree_world_mid_steps(mover->world) || !scree_world_list_outdated(mover->world, slot, &count))
        return false;
    begin_sync(mover);
    scree_mover_each_outdated(mover, sync_range, mover);
    end_sync(mover);
    scree_wall_body_follow(mover->world);
    return true;
}

void scree_half_kick_restore(struct scree_mover *mover)
{
    if (scree_world_mid_steps(mover->world))
        scree_mover_each(mover, restore_block);
}

// Mid-step rows are valid only for the scheme that wrote them: marks those of other schemes as invalid.
static void drop_stale(struct scree_mover *mover)
{
    struct scree_clock *clock = scree_world_clock(mover->world);
    uint32_t stale = 0;
    if (strcmp(clock->translation, mover->translation->name) != 0)
        stale |= SCREE_FLAG_HALF_MOVE;
    if (strcmp(clock->rotation, mover->rotation->name) != 0)
        stale |= SCREE_FLAG_HALF_SPIN;
    for (size_t i = 0; i < scree_world_bodies(mover->world) && stale; ++i)
        scree_world_grains(mover->world)[i].flags &= ~stale;
    memset(clock->translation, 0, sizeof clock->translation);
    memset(clock->rotation, 0, sizeof clock->rotation);
    strncpy(clock->translation, mover->translation->name, sizeof clock->translation - 1);
    strncpy(clock->rotation, mover->rotation->name, sizeof clock->rotation - 1);
    mover->step.last = clock->step;
}

// Returns on-step motion inside a step, without changing the bodies.
static void compute_on_step(void *self, size_t first, size_t count, struct scree_on_step *out)
{
    const struct scree_mover *mover = (const struct scree_mover *)self;
    // gravity may have changed since bodies moved; the pending half-kick uses its present value
    struct scree_motion_step step = mover->step;
    scree_world_gravity(mover->world, step.gravity);
    for (size_t at = 0; at < count; at += SCREE_MOVER_BLOCK) {
        const size_t part = count - at < SCREE_MOVER_BLOCK ? count - at : SCREE_MOVER_BLOCK;
        struct scree_damping damping[SCREE_MOVER_BLOCK];
        struct scree_wrench accounts[SCREE_MOVER_BLOCK];
        struct scree_motion_batch batch = scree_mover_batch(mover, first + at, part, damping);
        batch.step = &step;
        scree_mover_complete(mover, &batch, out + at);
        // change a copy of the accounts
        memcpy(accounts, batch.wrench, part * sizeof accounts[0]);
        batch.wrench = accounts;
        if (scree_mover_needs_accounts(mover, &batch))
            scree_mover_enter_accounts(mover, &batch, out + at, NULL, false);
        double power[SCREE_MOVER_BLOCK] = {0};
        if (batch.step->flow)
            scree_mover_compute_mean_power(mover, &batch, out + at, NULL, power);
        for (size_t i = 0; i < part; ++i) {
            out[at + i].work = accounts[i].work;
            out[at + i].loss = accounts[i].loss;
            out[at + i].mean_power = batch.grain[i].flags & SCREE_FLAG_ACCOUNTED ? 0 : power[i];
        }
    }
}

scree_status scree_half_kick_begin(struct scree_mover *mover)
{
    struct scree_world *world = mover->world;
    if (mover->translation->leapfrog || mover->rotation->leapfrog)
        SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_MID_STEP));
    drop_stale(mover);
    mover->pending_step = (struct scree_pending_step){.on_step = compute_on_step,
                                                      .self = mover,
                                                      .own_spin_state = mover->rotation->leapfrog &&
                                                                        mover->rotation->row[0].name};
    return SCREE_OK;
}
