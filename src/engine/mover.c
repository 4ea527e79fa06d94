// The mover, see mover.h: advances bodies by steps, block by block.

#include "engine/mover.h"

#include "contact/interaction.h"
#include "engine/account.h"
#include "engine/drag.h"
#include "world/wall_rough.h"

#include <math.h>
#include <string.h>

// least number of bodies per thread: smaller parts are done before another thread wakes up
enum { MIN_BODIES_PER_THREAD = 8 * SCREE_MOVER_BLOCK };

// bodies moved between two prefetches, prefetch distance in bodies, and bodies per strip with energy accounts
enum { STRIP = 16, AHEAD = 32, ACCOUNT_STRIP = 2 * STRIP };

static void advance_rotation(const struct scree_motion_scheme *scheme, const struct scree_motion_batch *batch,
                             size_t first, void *context)
{
    (void)first, (void)context;
    scheme->advance(batch);
}

static void finish_rotation(const struct scree_motion_scheme *scheme, const struct scree_motion_batch *batch,
                            size_t first, void *context)
{
    (void)first, (void)context;
    if (scheme->finish)
        scheme->finish(batch);
}

bool scree_mover_needs_accounts(const struct scree_mover *mover, const struct scree_motion_batch *batch)
{
    return scree_account_needed(mover->world, batch, mover->loaded);
}

static bool all_round(const struct scree_mover *mover, const struct scree_motion_batch *batch)
{
    bool round = true;
    for (size_t i = 0; i < batch->count && scree_world_rotors(mover->world); ++i)
        round = round && batch->grain[i].kind != SCREE_KIND_RIGID;
    return round;
}

// Constraint moments of fixed spins, 0 for free ones. Null if all bodies are round: account.c computes them.
static const double (*constraint_moments(const struct scree_mover *mover,
                                         const struct scree_motion_batch *batch,
                                         const struct scree_on_step *on_step, double (*constraint)[3]))[3]
{
    if (all_round(mover, batch))
        return NULL;
    memset(constraint, 0, batch->count * sizeof *constraint);
    for (size_t i = 0; i < batch->count && mover->world->has_fixed; ++i) {
        const struct scree_motion_scheme *scheme = scree_mover_scheme(mover, &batch->grain[i]);
        if (!scheme->constraint || !(batch->grain[i].flags & SCREE_FIX_SPIN))
            continue;
        const struct scree_motion_batch one = scree_mover_part(batch, i, 1);
        scheme->constraint(&one, &on_step[i], &constraint[i]);
    }
    return (const double(*)[3])constraint;
}

static struct scree_account_forces account_forces(const struct scree_mover *mover,
                                                  const struct scree_motion_batch *batch,
                                                  const struct scree_force_moment *contact_force)
{
    const struct scree_world *world = mover->world;
    struct scree_account_forces forces = {0};
    if (scree_world_has_contacts(world) && !mover->loaded)
        forces.contact_only = batch->wrench;
    else if (scree_world_has_contacts(world) && contact_force)
        forces.contact = contact_force;
    else if (scree_world_has_contacts(world) && scree_world_contact_forces(world))
        forces.contact = scree_world_contact_forces(world) + (batch->grain - scree_world_grains(world));
    return forces;
}

void scree_mover_enter_accounts(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                                const struct scree_on_step *on_step,
                                const struct scree_force_moment *contact_force, bool and_next)
{
    double constraint[SCREE_MOVER_BLOCK][3];
    struct scree_account_forces forces = account_forces(mover, batch, contact_force);
    forces.constraint = constraint_moments(mover, batch, on_step, constraint);
    scree_account_add(batch, on_step, &forces, and_next);
}

void scree_mover_compute_mean_power(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                                    const struct scree_on_step *on_step,
                                    const struct scree_force_moment *contact_force, double *power)
{
    const struct scree_account_forces forces = account_forces(mover, batch, contact_force);
    scree_account_mean_power(batch, on_step, &forces, power);
}

void scree_mover_add_mean_power(struct scree_mover *mover, const struct scree_motion_batch *batch,
                                const struct scree_on_step *on_step,
                                const struct scree_force_moment *contact_force, int thread)
{
    double power[SCREE_MOVER_BLOCK];
    uint64_t accounted[SCREE_MOVER_BLOCK / 64] = {0};
    for (size_t i = 0; i < batch->count; ++i)
        accounted[i / 64] |= (uint64_t)((batch->grain[i].flags & SCREE_FLAG_ACCOUNTED) != 0) << i % 64;
    scree_mover_compute_mean_power(mover, batch, on_step, contact_force, power);
    scree_mean_power_add(&mover->mean_power, thread, power, batch->count, accounted);
}

// Prefetches records some bodies ahead, and their forces if these are in the world.
static void prefetch_ahead(const struct scree_motion_batch *batch, size_t bodies_left, bool forces)
{
    const size_t end = bodies_left < AHEAD + batch->count ? bodies_left : AHEAD + batch->count;
    for (size_t i = AHEAD; i < end; ++i) {
        __builtin_prefetch(&batch->grain[i].position, 1);
        __builtin_prefetch(&batch->grain[i].spin, 1);
        if (forces)
            __builtin_prefetch(&batch->wrench[i], 0);
    }
}

// Updates the maximum of the squared speed over all threads. The bits of non-negative numbers have the order
// of the numbers, and NaN comes last.
static void record_speed(struct scree_mover *mover, double fastest, bool far)
{
    if (far)
        atomic_store_explicit(&mover->far, true, memory_order_relaxed);
    uint64_t bits, known = atomic_load_explicit(&mover->fastest_bits, memory_order_relaxed);
    memcpy(&bits, &fastest, sizeof bits);
    while (bits > known && !atomic_compare_exchange_weak(&mover->fastest_bits, &known, bits))
        ;
}

// Returns true if bodies have to be wrapped, or their largest speed is needed.
static bool needs_drift_end(const struct scree_mover *mover)
{
    return mover->drift.periodic || scree_world_has_contacts(mover->world);
}

// Wraps the bodies of a block into the cell and finds their largest speed.
static void end_drift(struct scree_mover *mover, size_t first, size_t count)
{
    const struct scree_world *world = mover->world;
    struct scree_image *image = scree_world_images(world);
    if (!needs_drift_end(mover))
        return;
    bool far = false;
    const double fastest = scree_drift_end(&mover->drift, scree_world_grains(world) + first,
                                           image ? image + first : NULL, count, &far);
    record_speed(mover, fastest, far);
}

bool scree_mover_round(const struct scree_mover *mover, size_t first, size_t count, struct scree_round *round)
{
    const struct scree_world *world = mover->world;
    const struct scree_damping *own = scree_world_dampings(world);
    struct scree_grain *grain = scree_world_grains(world) + first;
    struct scree_rotor *rotor = scree_world_rotors(world);
    uint32_t flags = 0;
    bool others = false;
    for (size_t i = 0; i < count && rotor; ++i) {
        flags |= grain[i].flags;
        others |= grain[i].kind != SCREE_KIND_SPHERE && grain[i].kind != SCREE_KIND_DISK;
    }
    if (!mover->translation->advance_round || others || (mover->step.flow && mover->flow.newton))
        return false;
    *round = (struct scree_round){
        .count = count,
        .step = &mover->step,
        .grain = grain,
        .rotor = flags & SCREE_FLAG_ROTATES ? rotor + first : NULL,
        .wrench = scree_world_wrenches(world) + first,
        .viscous = mover->damping.viscous != 0 || own,
        .damping = mover->damping,
        .own = own ? own + first : NULL,
        .lower = mover->drift.lower,
        .upper = mover->drift.upper,
        .square_limit = mover->drift.square_limit,
    };
    return true;
}

// Ends the drift after a pass over round bodies, which has found the largest speed and the bodies to wrap.
static void end_drift_round(struct scree_mover *mover, const struct scree_round *round)
{
    if (!needs_drift_end(mover))
        return;
    const size_t first = (size_t)(round->grain - scree_world_grains(mover->world));
    struct scree_image *image = scree_world_images(mover->world);
    bool valid = !round->not_finite;
    for (size_t i = 0; i < round->count && (round->outside[0] | round->outside[1]); ++i)
        if (round->outside[i / 64] >> i % 64 & 1)
            valid =
                scree_drift_wrap(&mover->drift, &round->grain[i], image ? &image[first + i] : NULL) && valid;
    record_speed(mover, valid ? round->fastest : (double)NAN, round->too_far);
}

void scree_mover_advance_round(struct scree_mover *mover, struct scree_round *round, int thread)
{
    double power[SCREE_MOVER_BLOCK] __attribute__((aligned(64)));
    round->mean_power = mover->step.flow ? power : NULL;
    mover->translation->advance_round(round);
    if (mover->step.flow)
        scree_mean_power_add(&mover->mean_power, thread, power, round->count, round->accounted);
    end_drift_round(mover, round);
}

bool scree_mover_moves_carriers(const struct scree_mover *mover)
{
    return mover->world->dimension == 3 && mover->translation->advance_round &&
           mover->rotation->advance_carriers && !scree_world_lattice(mover->world);
}

void scree_mover_advance_carriers(struct scree_mover *mover, struct scree_carriers *pass)
{
    struct scree_image *image = scree_world_images(mover->world);
    pass->step = &mover->step;
    pass->rotor = scree_world_rotors(mover->world);
    pass->loss = scree_world_losses(mover->world);
    pass->lower = mover->drift.lower;
    pass->upper = mover->drift.upper;
    mover->rotation->advance_carriers(pass);
    bool valid = !pass->not_finite;
    for (size_t i = 0; i < pass->count && (pass->outside[0] | pass->outside[1]); ++i)
        if (pass->outside[i / 64] >> i % 64 & 1) {
            const size_t body = pass->first + i;
            valid = scree_drift_wrap(&mover->drift, &scree_world_grains(mover->world)[body],
                                     image ? &image[body] : NULL) &&
                    valid;
            scree_grain_update_bodies(pass->update, pass->owners, body, body + 1);
        }
    record_speed(mover, valid ? pass->fastest : (double)NAN, false);
}

static void clear_flags(const struct scree_motion_batch *batch)
{
    for (size_t i = 0; i < batch->count; ++i)
        batch->grain[i].flags &= ~(uint32_t)(SCREE_FLAGS_ON_STEP | SCREE_FLAG_ACCOUNTED);
}

// Moves a batch; `bodies_left`: bodies of the world from its first on.
static void advance(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                    size_t bodies_left, bool forces)
{
    for (size_t at = 0; at < batch->count; at += STRIP) {
        const size_t count = batch->count - at < STRIP ? batch->count - at : STRIP;
        const struct scree_motion_batch strip = scree_mover_part(batch, at, count);
        prefetch_ahead(&strip, bodies_left - at, forces);
        mover->translation->advance(&strip);
        scree_mover_each_scheme(mover, &strip, advance_rotation, NULL);
        clear_flags(&strip);
    }
}

void scree_mover_damp(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                      bool outdated_only, struct scree_on_step *on_step, struct scree_force_moment *drag)
{
    // on-step motion by undamped forces
    struct scree_motion_batch undamped = *batch;
    undamped.drag = NULL;
    scree_mover_complete(mover, &undamped, on_step);
    scree_drag_damp(batch, outdated_only, on_step, drag);
}

// Computes drag, updates energy accounts and moves a batch. Accounts need only the results of `complete`.
static void advance_with_accounts(struct scree_mover *mover, const struct scree_motion_batch *batch,
                                  struct scree_force_moment *drag,
                                  const struct scree_force_moment *contact_force, int thread)
{
    struct scree_motion_batch damped = *batch;
    struct scree_on_step on_step[ACCOUNT_STRIP];
    // the mean power needs positions before the drift
    if (mover->translation->advance_and_complete && all_round(mover, batch) && !batch->step->flow) {
        mover->translation->advance_and_complete(batch, drag, on_step);
        scree_spherical.advance_and_complete(batch, drag, on_step);
        damped.drag = drag ? drag : batch->drag;
        scree_mover_enter_accounts(mover, &damped, on_step, contact_force, true);
        clear_flags(batch);
        return;
    }
    if (drag) {
        scree_mover_damp(mover, batch, false, on_step, drag);
        damped.drag = drag;
    }
    scree_mover_complete(mover, &damped, on_step);
    if (scree_mover_needs_accounts(mover, &damped))
        scree_mover_enter_accounts(mover, &damped, on_step, contact_force, true);
    if (batch->step->flow)
        scree_mover_add_mean_power(mover, &damped, on_step, contact_force, thread);
    mover->translation->advance(&damped);
    scree_mover_each_scheme(mover, &damped, advance_rotation, NULL);
    clear_flags(&damped);
}

void scree_mover_advance_block(struct scree_mover *mover, const struct scree_motion_batch *batch,
                               struct scree_force_moment *drag,
                               const struct scree_force_moment *contact_force, int thread)
{
    const size_t first = (size_t)(batch->grain - scree_world_grains(mover->world));
    const size_t bodies_left = scree_world_bodies(mover->world) - first;
    const bool forces = batch->wrench == scree_world_wrenches(mover->world) + first;
    const bool accounts = drag || scree_mover_needs_accounts(mover, batch);
    const bool completes = accounts || mover->step.flow;
    struct scree_round round;
    if (!accounts && !batch->drag && scree_mover_round(mover, first, batch->count, &round)) {
        round.wrench = batch->wrench;
        round.prefetch_end = forces ? bodies_left : 0;
        scree_mover_advance_round(mover, &round, thread);
        return;
    }
    if (completes)
        for (size_t at = 0; at < batch->count; at += ACCOUNT_STRIP) {
            const size_t count = batch->count - at < ACCOUNT_STRIP ? batch->count - at : ACCOUNT_STRIP;
            const struct scree_motion_batch strip = scree_mover_part(batch, at, count);
            prefetch_ahead(&strip, bodies_left - at, forces);
            advance_with_accounts(mover, &strip, drag ? drag + at : NULL,
                                  contact_force ? contact_force + at : NULL, thread);
        }
    else
        advance(mover, batch, bodies_left, forces);
    end_drift(mover, first, batch->count);
}

static void advance_in_world(struct scree_mover *mover, size_t first, size_t count, int thread)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    scree_mover_advance_block(mover, &batch, NULL, NULL, thread);
}

static void finish_block(struct scree_mover *mover, size_t first, size_t count, int thread)
{
    (void)thread;
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    struct scree_on_step motion[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    scree_mover_mid_step(mover, first, count, motion);
    for (size_t i = 0; i < count && batch.damping; ++i)
        for (int k = 0; k < 3; ++k) {
            double *moment = &mover->mid_step_loads[first + i].moment[k];
            *moment += scree_drag_opposing(batch.damping[i].local, *moment, motion[i].spin[k]);
        }
    scree_mover_each_scheme(mover, &batch, finish_rotation, NULL);
}

struct blocks {
    struct scree_mover *mover;
    scree_mover_work *work;
};

static void run_blocks(void *context, size_t first, size_t last, int thread)
{
    const struct blocks *blocks = (const struct blocks *)context;
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK)
        blocks->work(blocks->mover, at, last - at < SCREE_MOVER_BLOCK ? last - at : SCREE_MOVER_BLOCK,
                     thread);
}

void scree_mover_each(struct scree_mover *mover, scree_mover_work *work)
{
    struct blocks blocks = {mover, work};
    scree_team_run(&mover->team, scree_world_bodies(mover->world), MIN_BODIES_PER_THREAD, run_blocks,
                   &blocks);
}

void scree_mover_each_outdated(struct scree_mover *mover, scree_team_work *work, void *context)
{
    const size_t bodies = scree_world_bodies(mover->world);
    uint32_t slot[SCREE_WORLD_FEW_EDITS];
    size_t count;
    if (!scree_world_list_outdated(mover->world, slot, &count)) {
        scree_team_run(&mover->team, bodies, SCREE_MOVER_BLOCK, work, context);
        return;
    }
    for (size_t k = 0; k < count; ++k) {
        const size_t first = slot[k] / SCREE_MOVER_BLOCK * SCREE_MOVER_BLOCK, left = bodies - first;
        bool done = false;
        for (size_t j = 0; j < k; ++j)
            done = done || slot[j] / SCREE_MOVER_BLOCK == slot[k] / SCREE_MOVER_BLOCK;
        if (!done)
            work(context, first, first + (left < SCREE_MOVER_BLOCK ? left : SCREE_MOVER_BLOCK), 0);
    }
}

static scree_status check_scheme(const struct scree_world *world, const struct scree_motion_scheme *scheme)
{
    if (scheme->contacts || !scree_world_has_contacts(world))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "the integration scheme '%s' cannot move bodies that touch, and this world has "
                             "a contact law or bonds: "
                             "use '%s'",
                             scheme->name, scree_motion_name(scheme->kind, 0));
}

scree_status scree_mover_check_touching(const struct scree_mover *mover)
{
    SCREE_TRY(scree_interaction_check_forces(mover->world));
    SCREE_TRY(scree_wall_rough_check(mover->world));
    SCREE_TRY(check_scheme(mover->world, mover->translation));
    return check_scheme(mover->world, mover->rotation);
}

scree_status scree_mover_check(const struct scree_mover *mover)
{
    // contact laws may have been added since the engine was created
    SCREE_TRY(scree_mover_check_touching(mover));
    SCREE_TRY(scree_drift_check(mover->world, mover->translation, mover->rotation));
    if (!mover->rotation->round_only)
        return SCREE_OK;
    for (size_t i = 0; i < scree_world_bodies(mover->world); ++i)
        if (scree_mover_scheme(mover, &scree_world_grains(mover->world)[i]) == mover->rotation &&
            scree_world_grains(mover->world)[i].kind == SCREE_KIND_RIGID)
            return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                     "the scheme of rotation '%s' moves round bodies only, and body %llu has "
                                     "three moments of inertia: use another scheme, such as '%s'",
                                     mover->rotation->name,
                                     (unsigned long long)scree_world_ids(mover->world)[i],
                                     scree_motion_name(SCREE_ROTATION, 0));
    return SCREE_OK;
}

void scree_mover_begin_move(struct scree_mover *mover, double h)
{
    scree_mover_read_world(mover, h);
    mover->step.h = h;
    mover->drift = scree_drift_begin(mover->world, mover->displacement / h, &mover->step);
    scree_mean_power_clear(&mover->mean_power);
    atomic_store(&mover->fastest_bits, 0);
    atomic_store(&mover->far, false);
}

void scree_mover_end_move(struct scree_mover *mover)
{
    const uint64_t bits = atomic_load(&mover->fastest_bits);
    memcpy(&mover->fastest, &bits, sizeof bits);
    if (mover->step.flow)
        scree_mean_power_enter(&mover->mean_power, scree_world_lattice(mover->world), mover->step.last,
                               mover->step.h);
    mover->step.last = mover->step.h;
    mover->changed_vectors = mover->step.flow && scree_cell_advance(mover->world, mover->step.h);
    scree_mover_read_world(mover, mover->step.h);
}

void scree_mover_advance(struct scree_mover *mover, double h)
{
    scree_mover_begin_move(mover, h);
    scree_mover_each(mover, advance_in_world);
    scree_mover_end_move(mover);
}

bool scree_mover_needs_mid_step(const struct scree_mover *mover)
{
    return mover->rotation->mid_step && scree_world_rotors(mover->world);
}

void scree_mover_finish(struct scree_mover *mover, struct scree_force_moment *loads)
{
    mover->mid_step_loads = loads;
    scree_mover_each(mover, finish_block);
    mover->mid_step_loads = NULL;
}

// Finds a private field of the engine, or adds it. A user's field of that name is an error.
static scree_status require(struct scree_mover *mover, const struct scree_field_def *def, uint32_t *column)
{
    struct scree_entity *bodies = scree_world_entity(mover->world, SCREE_ENTITY_BODY);
    const struct scree_field *field = scree_registry_field(bodies, def->name);
    if (!field)
        return scree_registry_extend(bodies, def, column);
    if (field->type != def->type || field->width != def->width || strcmp(field->about, def->about) != 0)
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "the field 'body.%s' was added by the user, but the engine needs a field of "
                                 "that name: rename the user's field",
                                 def->name);
    *column = field->column;
    return SCREE_OK;
}

scree_status scree_mover_begin(struct scree_mover *mover, struct scree_world *world)
{
    mover->world = world;
    for (int r = 0; r < SCREE_MOTION_ROWS; ++r) {
        const struct scree_motion_row *row = &mover->rotation->row[r];
        mover->row[r] = SCREE_MOVER_NO_COLUMN;
        if (row->name)
            SCREE_TRY(require(mover,
                              &(struct scree_field_def){.name = row->name,
                                                        .type = SCREE_F64,
                                                        .width = row->width,
                                                        .unit = row->unit,
                                                        .transform = row->transform,
                                                        .level = SCREE_MID_STEP,
                                                        .flags = SCREE_PERSISTED,
                                                        .about = row->about},
                              &mover->row[r]));
    }
    return scree_mean_power_begin(&mover->mean_power, &mover->team);
}

void scree_mover_end(struct scree_mover *mover)
{
    scree_mean_power_end(&mover->mean_power);
}
