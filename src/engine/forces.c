// The sum of forces on bodies, see forces.h.

#include "engine/forces.h"

#include "engine/drag.h"

#include <string.h>

// bodies damped at a time, so that their motion stays in the first-level cache
enum { STRIP = 32 };

void scree_forces_begin(struct scree_forces *forces, struct scree_mover *mover)
{
    struct scree_world *world = mover->world;
    forces->mover = mover;
    // forces stored by an earlier engine may include more than contact forces
    mover->loaded = scree_world_before_loads(world) || scree_world_loads(world);
    world->has_pending = scree_world_pending(world) != NULL;
}

void scree_forces_end(struct scree_forces *forces)
{
    scree_loads_free(&forces->loads);
}

scree_status scree_forces_require(const struct scree_forces *forces)
{
    struct scree_world *world = forces->mover->world;
    return scree_world_loads(world) || scree_world_before_loads(world)
               ? scree_world_separate_contact_forces(world)
               : SCREE_OK;
}

// --- one block

static void damp(const struct scree_mover *mover, const struct scree_motion_batch *batch, bool outdated_only,
                 struct scree_force_moment *drag)
{
    struct scree_on_step on_step[STRIP];
    for (size_t at = 0; at < batch->count; at += STRIP) {
        const size_t count = batch->count - at < STRIP ? batch->count - at : STRIP;
        const struct scree_motion_batch strip = scree_mover_part(batch, at, count);
        scree_mover_damp(mover, &strip, outdated_only, on_step, drag + at);
    }
}

static void damp_block(const struct scree_mover *mover, size_t first, size_t count, bool outdated_only)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    if (scree_world_drags(mover->world))
        damp(mover, &batch, outdated_only, scree_world_drags(mover->world) + first);
}

static void copy_force(struct scree_force_moment *to, const struct scree_wrench *wrench)
{
    memcpy(to->force, wrench->force, sizeof to->force);
    memcpy(to->moment, wrench->moment, sizeof to->moment);
}

static void add_force(double *force, double *moment, const struct scree_force_moment *added)
{
    for (int k = 0; k < 3; ++k) {
        force[k] += added->force[k];
        moment[k] += added->moment[k];
    }
}

// --- fused: block by block, after the contacts of each

bool scree_forces_can_fuse(const struct scree_forces *forces)
{
    const struct scree_world *world = forces->mover->world;
    return !scree_mover_needs_mid_step(forces->mover) && scree_loads_are_threaded(world);
}

scree_status scree_forces_fused_begin(struct scree_forces *forces, bool stored)
{
    struct scree_world *world = forces->mover->world;
    SCREE_TRY(
        scree_loads_begin(&forces->loads, world, SCREE_LOADS_PREDICTED, scree_world_clock(world)->time));
    SCREE_TRY(scree_drag_require(world, &forces->mover->damping));
    // load functions get predicted motion, which needs the drag of the step before
    forces->stored = stored || (scree_loads_have_functions(world) && scree_world_drags(world));
    forces->had_pending = world->has_pending;
    forces->contacts = true;
    forces->mover->loaded = world->loads.count > 0 || forces->had_pending;
    world->in_load = world->loads.count > 0;
    // true if forces are stored separately by origin
    const bool separate = scree_world_contact_forces(world) || scree_world_before_loads(world) ||
                          scree_world_loads(world) || scree_world_drags(world);
    forces->one_pass =
        forces->mover->translation->advance_round && !forces->had_pending && !(forces->stored && separate);
    return SCREE_OK;
}

// Copies contact forces to `contact_force`, and adds all other forces to those of the batch.
static void add_other_forces(struct scree_forces *forces, const struct scree_motion_batch *batch,
                             size_t first, struct scree_force_moment *contact_force)
{
    const struct scree_world *world = forces->mover->world;
    struct scree_wrench *wrench = batch->wrench, contact[SCREE_MOVER_BLOCK];
    const bool has_functions = scree_loads_have_functions(world);
    for (size_t i = 0; i < batch->count; ++i)
        copy_force(&contact_force[i], &wrench[i]);
    if (has_functions)
        memcpy(contact, wrench, batch->count * sizeof *contact);
    if (forces->had_pending) {
        struct scree_force_moment *pending = scree_world_pending(world) + first;
        for (size_t i = 0; i < batch->count; ++i)
            add_force(wrench[i].force, wrench[i].moment, &pending[i]);
        memset(pending, 0, batch->count * sizeof *pending);
    }
    if (forces->stored && scree_world_before_loads(world))
        for (size_t i = 0; i < batch->count; ++i)
            copy_force(&scree_world_before_loads(world)[first + i], &wrench[i]);
    scree_loads_add_block(&forces->loads, forces->mover, first, batch->count, contact,
                          scree_loads_of_wrenches(wrench));
    if (forces->stored && scree_world_loads(world))
        for (size_t i = 0; i < batch->count; ++i)
            copy_force(&scree_world_loads(world)[first + i], &wrench[i]);
}

static bool is_damped(const struct scree_mover *mover)
{
    return mover->damping.viscous != 0 || scree_drag_damps(mover->world, &mover->damping);
}

// Returns true if the forces of a block are not needed after it has moved.
static bool are_transient(void *self, size_t first, size_t last)
{
    const struct scree_forces *forces = (const struct scree_forces *)self;
    const struct scree_mover *mover = forces->mover;
    // only the pointer is used, to show that bodies are damped
    static const struct scree_damping any_damping;
    const bool damped = is_damped(mover) || scree_world_drags(mover->world);
    const struct scree_motion_batch batch = {.count = last - first,
                                             .grain = scree_world_grains(mover->world) + first,
                                             .damping = damped ? &any_damping : NULL};
    return !forces->stored && !scree_mover_needs_accounts(mover, &batch);
}

// Sums and moves a block in one pass over records. Returns false, without any change, if that is not
// possible.
static bool finish_in_one_pass(void *self, struct scree_sums *sums, size_t first, size_t last, int thread)
{
    struct scree_forces *forces = (struct scree_forces *)self;
    struct scree_mover *mover = forces->mover;
    const struct scree_world *world = mover->world;
    struct scree_round round;
    if (!forces->one_pass || scree_sums_are_split(sums, first) ||
        !scree_loads_are_constant(&forces->loads, first) ||
        !scree_mover_round(mover, first, last - first, &round))
        return false;
    const struct scree_motion_batch batch = {
        .count = round.count, .grain = round.grain, .damping = is_damped(mover) ? &round.damping : NULL};
    round.sum = sums->sum + SCREE_TERMS * first;
    round.internal = sums->internal ? sums->internal + first : NULL;
    round.loss = scree_world_losses(world) + first;
    round.load = forces->loads.constant.data;
    round.loads = forces->loads.constant.count;
    round.store_forces = forces->stored;
    round.local = batch.damping && scree_world_drags(world);
    round.accounts = scree_mover_needs_accounts(mover, &batch);
    scree_mover_advance_round(mover, &round, thread);
    return true;
}

// The same for the first bodies of a block in which all carry grains, of any block. Returns their number.
static size_t finish_carriers(void *self, struct scree_sums *sums, const struct scree_grain_owners *owners,
                              struct scree_grain_update *update, size_t first, size_t last)
{
    struct scree_forces *forces = (struct scree_forces *)self;
    if (!forces->one_pass || scree_sums_any_is_split(sums) || !scree_mover_moves_carriers(forces->mover) ||
        !are_transient(self, first, last))
        return 0;
    struct scree_carriers pass = {.first = first,
                                  .count = last - first,
                                  .all = scree_pebbles_of(forces->mover->world, sums->sum, sums->internal),
                                  .owners = owners,
                                  .update = update};
    scree_mover_advance_carriers(forces->mover, &pass);
    return pass.count;
}

static void finish_block(void *self, size_t first, size_t last, struct scree_wrench *wrench, int thread)
{
    struct scree_forces *forces = (struct scree_forces *)self;
    const struct scree_world *world = forces->mover->world;
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    struct scree_force_moment contact_buffer[SCREE_MOVER_BLOCK], drag_buffer[SCREE_MOVER_BLOCK],
        *contact_force = contact_buffer;
    struct scree_motion_batch batch = scree_mover_batch(forces->mover, first, last - first, damping);
    batch.wrench = wrench;
    if (forces->stored && scree_world_contact_forces(world))
        contact_force = scree_world_contact_forces(world) + first;
    if (forces->mover->loaded || forces->stored)
        add_other_forces(forces, &batch, first, contact_force);
    // the drag of this step replaces that of the step before
    struct scree_force_moment *drag = scree_world_drags(world) ? drag_buffer : NULL;
    if (drag && forces->stored)
        drag = scree_world_drags(world) + first;
    batch.drag = NULL;
    if (drag && !batch.damping)
        memset(drag, 0, batch.count * sizeof *drag);
    scree_mover_advance_block(forces->mover, &batch, batch.damping ? drag : NULL, contact_force, thread);
}

struct scree_evaluate_callbacks scree_forces_fused_work(struct scree_forces *forces)
{
    return (struct scree_evaluate_callbacks){.self = forces,
                                             .from_sums = finish_in_one_pass,
                                             .from_carried = finish_carriers,
                                             .forces_unused = are_transient,
                                             .block = finish_block};
}

scree_status scree_forces_fused_end(struct scree_forces *forces)
{
    struct scree_world *world = forces->mover->world;
    world->in_load = false;
    world->has_pending = false;
    return scree_loads_end(&forces->loads, world);
}

// --- for all bodies, at separate points

static void begin_block(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct scree_forces *forces = (const struct scree_forces *)context;
    const struct scree_world *world = forces->mover->world;
    struct scree_force_moment *sum = scree_world_before_loads(world);
    if (!forces->contacts)
        memset(sum + first, 0, (last - first) * sizeof *sum);
    for (size_t i = first; i < last && forces->contacts; ++i) {
        copy_force(&sum[i], &scree_world_wrenches(world)[i]);
        scree_world_contact_forces(world)[i] = sum[i];
    }
}

void scree_forces_of_contacts(struct scree_forces *forces, bool contacts)
{
    struct scree_world *world = forces->mover->world;
    forces->contacts = contacts;
    if (!scree_world_before_loads(world))
        return;
    scree_team_run(&forces->mover->team, scree_world_bodies(world), SCREE_MOVER_BLOCK, begin_block, forces);
}

// Adds pending forces to the forces before loads and to `loads`, which may be null, and clears them.
static void take_pending(struct scree_forces *forces, struct scree_force_moment *loads)
{
    struct scree_world *world = forces->mover->world;
    struct scree_force_moment *pending = scree_world_pending(world), *sum = scree_world_before_loads(world);
    if (!world->has_pending)
        return;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        add_force(sum[i].force, sum[i].moment, &pending[i]);
        if (loads)
            add_force(loads[i].force, loads[i].moment, &pending[i]);
    }
    if (scree_world_bodies(world) > 0)
        memset(pending, 0, scree_world_bodies(world) * sizeof *pending);
    world->has_pending = false;
    forces->had_pending = true;
}

// Initializes the sums that loads are added to.
static void begin_loads(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct scree_world *world = ((const struct scree_forces *)context)->mover->world;
    struct scree_force_moment *load = scree_world_loads(world), *sum = scree_world_before_loads(world);
    if (sum)
        memcpy(load + first, sum + first, (last - first) * sizeof *load);
    else
        memset(load + first, 0, (last - first) * sizeof *load);
}

scree_status scree_forces_add(struct scree_forces *forces)
{
    struct scree_world *world = forces->mover->world;
    forces->had_pending = false;
    take_pending(forces, NULL);
    if (!scree_world_loads(world) || scree_world_bodies(world) == 0)
        return SCREE_OK;
    SCREE_TRY(
        scree_loads_begin(&forces->loads, world, SCREE_LOADS_PREDICTED, scree_world_clock(world)->time));
    scree_team_run(&forces->mover->team, scree_world_bodies(world), SCREE_MOVER_BLOCK, begin_loads, forces);
    scree_loads_add(&forces->loads, forces->mover, scree_world_loads(world));
    return scree_loads_end(&forces->loads, world);
}

static void store_force(const struct scree_world *world, size_t i)
{
    const struct scree_force_moment *sum =
        scree_world_loads(world) ? scree_world_loads(world) : scree_world_before_loads(world);
    struct scree_wrench *wrench = &scree_world_wrenches(world)[i];
    memcpy(wrench->force, sum[i].force, sizeof sum[i].force);
    memcpy(wrench->moment, sum[i].moment, sizeof sum[i].moment);
}

static void sum_block(struct scree_mover *mover, size_t first, size_t count, int thread)
{
    (void)thread;
    const struct scree_world *world = mover->world;
    const bool separate = scree_world_before_loads(world) || scree_world_loads(world);
    for (size_t i = first; i < first + count && separate; ++i)
        store_force(world, i);
    damp_block(mover, first, count, false);
}

scree_status scree_forces_sum(struct scree_forces *forces)
{
    struct scree_world *world = forces->mover->world;
    // forces that callbacks applied after the loads come last
    take_pending(forces, scree_world_loads(world));
    SCREE_TRY(scree_drag_require(world, &forces->mover->damping));
    if (scree_world_before_loads(world) || scree_world_loads(world) || scree_world_drags(world))
        scree_mover_each(forces->mover, sum_block);
    forces->mover->loaded = world->loads.count > 0 || forces->had_pending ||
                            (scree_world_before_loads(world) && !forces->contacts);
    return SCREE_OK;
}

// --- for bodies whose force is outdated

static void load_outdated(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    struct scree_forces *forces = (struct scree_forces *)context;
    const struct scree_world *world = forces->mover->world;
    begin_loads(forces, first, last, 0);
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK)
        scree_loads_add_block(
            &forces->loads, forces->mover, at, last - at < SCREE_MOVER_BLOCK ? last - at : SCREE_MOVER_BLOCK,
            scree_world_wrenches(world) + at, scree_loads_of_pending(scree_world_loads(world) + at));
}

static void sum_outdated(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct scree_mover *mover = ((const struct scree_forces *)context)->mover;
    const struct scree_world *world = mover->world;
    const bool separate = scree_world_before_loads(world) || scree_world_loads(world);
    for (size_t i = first; i < last && separate; ++i)
        if (scree_world_grains(world)[i].flags & SCREE_FLAG_OUTDATED)
            store_force(world, i);
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK)
        damp_block(mover, at, last - at < SCREE_MOVER_BLOCK ? last - at : SCREE_MOVER_BLOCK, true);
}

scree_status scree_forces_refresh(struct scree_forces *forces)
{
    struct scree_world *world = forces->mover->world;
    SCREE_TRY(scree_loads_begin(&forces->loads, world, SCREE_LOADS_OUTDATED, scree_world_clock(world)->time));
    uint32_t slot[SCREE_WORLD_FEW_EDITS];
    size_t count;
    const bool few = scree_world_list_outdated(world, slot, &count);
    world->in_load = true;
    if (scree_world_loads(world) && (few || scree_loads_are_threaded(world)))
        scree_mover_each_outdated(forces->mover, load_outdated, forces);
    else if (scree_world_loads(world))
        load_outdated(forces, 0, scree_world_bodies(world), 0);
    world->in_load = false;
    SCREE_TRY(scree_loads_end(&forces->loads, world));
    SCREE_TRY(scree_drag_require(world, &forces->mover->damping));
    scree_mover_each_outdated(forces->mover, sum_outdated, forces);
    forces->mover->loaded = forces->mover->loaded || world->loads.count > 0;
    return SCREE_OK;
}
