// The mover, see mover.h. A body goes by its class: round bodies obey `spherical`, general ones the law
// chosen, and those with a fixed spin `constrained`; a batch is a run of one class within a block.

#include "engine/mover.h"

#include "engine/account.h"

#include <string.h>

#define NO_COLUMN UINT32_MAX

// bodies moved between two looks ahead, and how far ahead that is: memory is busy while laws compute
enum { STRIP = 16, AHEAD = 32 };

static const struct scree_motion_law *law_of(const struct scree_mover *mover, const struct scree_grain *grain)
{
    if (grain->kind != SCREE_KIND_RIGID)
        return &scree_spherical;
    return grain->flags & SCREE_FIX_SPIN ? &scree_constrained : mover->rotation;
}

static char *column_of(const struct scree_mover *mover, uint32_t column, size_t first)
{
    if (column == NO_COLUMN)
        return NULL;
    const struct scree_column *found =
        &scree_world_entity(mover->world, SCREE_ENTITY_BODY)->columns.data[column];
    return found->base + first * found->stride;
}

// Coefficients of every body of a block, or null when nothing is damped.
static const struct scree_damping *fill_damping(const struct scree_mover *mover, size_t first, size_t count,
                                                struct scree_damping *damping)
{
    const struct scree_damping *own = scree_world_dampings(mover->world);
    if (!own && mover->damping.viscous == 0 && mover->damping.local == 0)
        return NULL;
    for (size_t i = 0; i < count; ++i) {
        const bool has_own = scree_world_grains(mover->world)[first + i].flags & SCREE_FLAG_OWN_DAMPING;
        damping[i] = has_own ? own[first + i] : mover->damping;
    }
    return damping;
}

static struct scree_motion_batch part_of(const struct scree_motion_batch *batch, size_t first, size_t count)
{
    static const unsigned width[SCREE_MOTION_ROWS] = {4, 3};
    struct scree_motion_batch part = *batch;
    part.count = count;
    part.grain += first;
    part.wrench += first;
    part.rotor = batch->rotor ? batch->rotor + first : NULL;
    part.damping = batch->damping ? batch->damping + first : NULL;
    part.drag = batch->drag ? batch->drag + first : NULL;
    part.middle = batch->middle ? batch->middle + first : NULL;
    for (int r = 0; r < SCREE_MOTION_ROWS; ++r)
        part.row[r] = batch->row[r] ? batch->row[r] + width[r] * first : NULL;
    return part;
}

struct scree_motion_batch scree_mover_batch(const struct scree_mover *mover, size_t first, size_t count,
                                            struct scree_damping *damping)
{
    const struct scree_world *world = mover->world;
    struct scree_motion_batch batch = {
        .count = count,
        .step = &mover->step,
        .grain = scree_world_grains(world) + first,
        .wrench = scree_world_wrenches(world) + first,
        .rotor = scree_world_rotors(world) ? scree_world_rotors(world) + first : NULL,
        .damping = fill_damping(mover, first, count, damping),
        .drag = (const struct scree_push *)(const void *)column_of(mover, mover->drag, first),
        .middle = mover->middle ? mover->middle + first : NULL,
    };
    for (int r = 0; r < SCREE_MOTION_ROWS; ++r)
        batch.row[r] = (double *)(void *)column_of(mover, mover->row[r], first);
    return batch;
}

// Calls a function of each law of rotation on the runs of its class.
typedef void rotation_work(const struct scree_motion_law *law, const struct scree_motion_batch *batch,
                           size_t first, void *context);

static void each_class(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                       rotation_work *work, void *context)
{
    for (size_t first = 0; first < batch->count;) {
        const struct scree_motion_law *law = law_of(mover, &batch->grain[first]);
        size_t end = first + 1;
        while (end < batch->count && law_of(mover, &batch->grain[end]) == law)
            ++end;
        const struct scree_motion_batch part = part_of(batch, first, end - first);
        work(law, &part, first, context);
        first = end;
    }
}

static void complete_rotation(const struct scree_motion_law *law, const struct scree_motion_batch *batch,
                              size_t first, void *context)
{
    law->complete(batch, (struct scree_on_step *)context + first);
}

static void predict_rotation(const struct scree_motion_law *law, const struct scree_motion_batch *batch,
                             size_t first, void *context)
{
    (law->predict ? law->predict : law->complete)(batch, (struct scree_on_step *)context + first);
}

static void advance_rotation(const struct scree_motion_law *law, const struct scree_motion_batch *batch,
                             size_t first, void *context)
{
    (void)first, (void)context;
    law->advance(batch);
}

static void finish_rotation(const struct scree_motion_law *law, const struct scree_motion_batch *batch,
                            size_t first, void *context)
{
    (void)first, (void)context;
    if (law->finish)
        law->finish(batch);
}

// What no law changes: the accounts and the orientation.
static void fill_rest(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const bool turns = batch->grain[i].flags & SCREE_FLAG_TURNS;
        static const double unturned[4] = {1, 0, 0, 0};
        memcpy(out[i].orientation, turns ? batch->rotor[i].orientation : unturned, sizeof unturned);
        out[i].work = batch->wrench[i].work;
        out[i].loss = batch->wrench[i].loss;
    }
}

static void complete_batch(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                           struct scree_on_step *out)
{
    fill_rest(batch, out);
    mover->translation->complete(batch, out);
    each_class(mover, batch, complete_rotation, out);
}

void scree_mover_complete(const struct scree_mover *mover, size_t first, size_t count,
                          struct scree_on_step *out)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    complete_batch(mover, &batch, out);
}

void scree_mover_predict(const struct scree_mover *mover, size_t first, size_t count,
                         struct scree_on_step *out)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    fill_rest(&batch, out);
    (mover->translation->predict ? mover->translation->predict : mover->translation->complete)(&batch, out);
    each_class(mover, &batch, predict_rotation, out);
}

void scree_mover_middle(const struct scree_mover *mover, size_t first, size_t count,
                        struct scree_on_step *out)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    fill_rest(&batch, out);
    for (size_t i = 0; i < count; ++i) {
        memcpy(out[i].velocity, batch.grain[i].velocity, sizeof out[i].velocity);
        memcpy(out[i].spin, batch.grain[i].spin, sizeof out[i].spin);
        if (law_of(mover, &batch.grain[i])->middle) {
            const struct scree_motion_batch one = part_of(&batch, i, 1);
            mover->rotation->middle(&one, &out[i].spin, &out[i].orientation);
        }
    }
}

// Books the half-steps before and after t of a block that is about to be moved, or the one before alone.
static void book(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                 const struct scree_on_step *on_step, bool and_next)
{
    double hold[SCREE_MOVER_BLOCK][3] = {{0}};
    for (size_t i = 0; i < batch->count && mover->world->holds; ++i) {
        const struct scree_motion_law *law = law_of(mover, &batch->grain[i]);
        const struct scree_motion_batch one = part_of(batch, i, 1);
        if (law->hold && (batch->grain[i].flags & SCREE_FIX_SPIN))
            law->hold(&one, &on_step[i], &hold[i]);
    }
    scree_account_book(batch, on_step, (const double(*)[3])hold, and_next);
}

// Asks for records that are a block ahead, a few at a time, so that they arrive while others are computed.
static void fetch_ahead(const struct scree_motion_batch *batch, size_t bodies_left)
{
    const size_t end = bodies_left < AHEAD + batch->count ? bodies_left : AHEAD + batch->count;
    for (size_t i = AHEAD; i < end; ++i) {
        __builtin_prefetch(&batch->grain[i].position, 1);
        __builtin_prefetch(&batch->grain[i].spin, 1);
        __builtin_prefetch(&batch->wrench[i], 0);
    }
}

static void advance_block(struct scree_mover *mover, size_t first, size_t count)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    if (scree_account_needed(mover->world, &batch)) {
        struct scree_on_step on_step[SCREE_MOVER_BLOCK];
        complete_batch(mover, &batch, on_step);
        book(mover, &batch, on_step, true);
    }
    const size_t bodies = scree_world_bodies(mover->world);
    for (size_t at = 0; at < count; at += STRIP) {
        const struct scree_motion_batch strip = part_of(&batch, at, count - at < STRIP ? count - at : STRIP);
        fetch_ahead(&strip, bodies - first - at);
        mover->translation->advance(&strip);
        each_class(mover, &strip, advance_rotation, NULL);
        for (size_t i = 0; i < strip.count; ++i)
            strip.grain[i].flags &= ~(uint32_t)(SCREE_FLAGS_IN_STEP | SCREE_FLAG_BOOKED);
    }
}

static void sync_block(struct scree_mover *mover, size_t first, size_t count)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    struct scree_on_step on_step[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    complete_batch(mover, &batch, on_step);
    if (scree_account_needed(mover->world, &batch))
        book(mover, &batch, on_step, false);
    double(*half_velocity)[3] = (double(*)[3])(void *)column_of(mover, mover->half_velocity, first);
    double(*half_momentum)[3] = (double(*)[3])(void *)column_of(mover, mover->half_momentum, first);
    for (size_t i = 0; i < count; ++i) {
        struct scree_grain *grain = &batch.grain[i];
        const struct scree_motion_law *law = law_of(mover, grain);
        uint32_t flags = grain->flags | SCREE_FLAGS_IN_STEP | SCREE_FLAG_BOOKED;
        if (mover->translation->leaps && !(grain->flags & SCREE_FLAG_MOVE_IN_STEP)) {
            memcpy(half_velocity[i], grain->velocity, sizeof half_velocity[i]);
            flags |= SCREE_FLAG_HALF_MOVE;
        }
        if (law->leaps && !(grain->flags & SCREE_FLAG_SPIN_IN_STEP)) {
            memcpy(half_momentum[i], batch.rotor[i].momentum, sizeof half_momentum[i]);
            flags |= SCREE_FLAG_HALF_SPIN;
        }
        // what is on-step keeps its bits: a spin that was given is not computed anew from its momentum
        if (!(grain->flags & SCREE_FLAG_MOVE_IN_STEP))
            memcpy(grain->velocity, on_step[i].velocity, sizeof grain->velocity);
        if (!(grain->flags & SCREE_FLAG_SPIN_IN_STEP)) {
            memcpy(grain->spin, on_step[i].spin, sizeof grain->spin);
            if (grain->kind == SCREE_KIND_RIGID)
                memcpy(batch.rotor[i].momentum, on_step[i].momentum, sizeof on_step[i].momentum);
        }
        grain->flags = flags;
    }
}

static void restore_block(struct scree_mover *mover, size_t first, size_t count)
{
    const struct scree_motion_batch batch =
        scree_mover_batch(mover, first, count, (struct scree_damping[SCREE_MOVER_BLOCK]){0});
    double(*half_velocity)[3] = (double(*)[3])(void *)column_of(mover, mover->half_velocity, first);
    double(*half_momentum)[3] = (double(*)[3])(void *)column_of(mover, mover->half_momentum, first);
    for (size_t i = 0; i < count; ++i) {
        struct scree_grain *grain = &batch.grain[i];
        if (grain->flags & SCREE_FLAG_HALF_MOVE) {
            memcpy(grain->velocity, half_velocity[i], sizeof half_velocity[i]);
            grain->flags &= ~(uint32_t)(SCREE_FLAG_HALF_MOVE | SCREE_FLAG_MOVE_IN_STEP);
        }
        if (grain->flags & SCREE_FLAG_HALF_SPIN) {
            memcpy(batch.rotor[i].momentum, half_momentum[i], sizeof half_momentum[i]);
            grain->flags &= ~(uint32_t)(SCREE_FLAG_HALF_SPIN | SCREE_FLAG_SPIN_IN_STEP);
        }
    }
}

// A share of +-|F| against the motion, per axis: Woo's form, with the on-step velocity (errata 19).
static double opposing(double share, double force, double velocity)
{
    return velocity == 0 ? 0 : -copysign(share * fabs(force), velocity);
}

static void finish_block(struct scree_mover *mover, size_t first, size_t count)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    struct scree_on_step motion[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    scree_mover_middle(mover, first, count, motion);
    for (size_t i = 0; i < count && batch.damping; ++i)
        for (int k = 0; k < 3; ++k) {
            double *moment = &mover->middle[first + i].moment[k];
            *moment += opposing(batch.damping[i].local, *moment, motion[i].spin[k]);
        }
    each_class(mover, &batch, finish_rotation, NULL);
}

static void drag_block(struct scree_mover *mover, size_t first, size_t count)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    struct scree_on_step on_step[SCREE_MOVER_BLOCK];
    struct scree_push *drag = (struct scree_push *)(void *)column_of(mover, mover->drag, first);
    struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    batch.drag = NULL;
    complete_batch(mover, &batch, on_step);
    for (size_t i = 0; i < count; ++i) {
        if (mover->drag_outdated_only && !(batch.grain[i].flags & SCREE_FLAG_OUTDATED))
            continue;
        for (int k = 0; k < 3; ++k) {
            const double share = batch.damping ? batch.damping[i].local : 0;
            const double force = batch.wrench[i].force[k] + batch.grain[i].mass * mover->step.gravity[k];
            drag[i].force[k] = opposing(share, force, on_step[i].velocity[k]);
            drag[i].moment[k] = opposing(share, batch.wrench[i].moment[k], on_step[i].spin[k]);
        }
    }
}

// Runs a function over all blocks on the team.
typedef void block_work(struct scree_mover *mover, size_t first, size_t count);

struct blocks {
    struct scree_mover *mover;
    block_work *work;
};

static void run_blocks(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct blocks *blocks = (const struct blocks *)context;
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK)
        blocks->work(blocks->mover, at, last - at < SCREE_MOVER_BLOCK ? last - at : SCREE_MOVER_BLOCK);
}

static void each_block(struct scree_mover *mover, block_work *work)
{
    struct blocks blocks = {mover, work};
    scree_team_run(&mover->team, scree_world_bodies(mover->world), SCREE_MOVER_BLOCK, run_blocks, &blocks);
}

scree_status scree_mover_check(const struct scree_mover *mover)
{
    if (mover->rotation != &scree_spherical)
        return SCREE_OK;
    for (size_t i = 0; i < scree_world_bodies(mover->world); ++i)
        if (law_of(mover, &scree_world_grains(mover->world)[i]) == mover->rotation &&
            scree_world_grains(mover->world)[i].kind == SCREE_KIND_RIGID)
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED,
                "the law of rotation 'spherical' moves round bodies only, and body %llu has three "
                "moments of inertia: choose another, such as 'splitting'",
                (unsigned long long)scree_world_ids(mover->world)[i]);
    return SCREE_OK;
}

void scree_mover_advance(struct scree_mover *mover)
{
    scree_world_gravity(mover->world, mover->step.gravity);
    each_block(mover, advance_block);
    mover->step.last = mover->step.h;
}

bool scree_mover_needs_middle(const struct scree_mover *mover)
{
    return mover->rotation->middle && scree_world_rotors(mover->world);
}

void scree_mover_finish(struct scree_mover *mover, struct scree_push *middle)
{
    mover->middle = middle;
    each_block(mover, finish_block);
    mover->middle = NULL;
}

static scree_status check_finite(const struct scree_world *world)
{
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        double probe = 0;
        for (int k = 0; k < 3; ++k)
            probe += 0 * grain->position[k] + 0 * grain->velocity[k] + 0 * grain->spin[k];
        if (probe != 0)
            return scree_status_fail(
                SCREE_ERROR_NUMBER,
                "by step %llu the position, velocity or spin of body %llu is not a finite number: "
                "the step of %g s may be too long for the loads on it, or a load gave such a number",
                (unsigned long long)scree_world_clock(world)->steps,
                (unsigned long long)scree_world_ids(world)[i], scree_world_clock(world)->step);
    }
    return SCREE_OK;
}

scree_status scree_mover_sync(struct scree_mover *mover)
{
    scree_world_gravity(mover->world, mover->step.gravity);
    each_block(mover, sync_block);
    return check_finite(mover->world);
}

void scree_mover_restore(struct scree_mover *mover)
{
    if (mover->half_velocity != NO_COLUMN || mover->half_momentum != NO_COLUMN)
        each_block(mover, restore_block);
}

static const struct scree_field *find_row(const struct scree_world *world, const char *name)
{
    const struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    for (size_t f = 0; f < bodies->fields.count; ++f)
        if (strcmp(bodies->fields.data[f].name, name) == 0)
            return &bodies->fields.data[f];
    return NULL;
}

// Finds a row of the engine's own in the world, or adds it. A user's field of that name is no such row.
static scree_status require(struct scree_mover *mover, const struct scree_field_def *def, uint32_t *column)
{
    const struct scree_field *field = find_row(mover->world, def->name);
    if (!field)
        return scree_registry_extend(scree_world_entity(mover->world, SCREE_ENTITY_BODY), def, column);
    if (field->type != def->type || field->width != def->width || strcmp(field->about, def->about) != 0)
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "the field 'body.%s' was added by the user, and the engine needs a field of "
                                 "that name for itself: give it another name",
                                 def->name);
    *column = field->column;
    return SCREE_OK;
}

static const struct scree_field_def drag_row = {.name = "drag",
                                                .type = SCREE_F64,
                                                .width = sizeof(struct scree_push) / sizeof(double),
                                                .unit = "N, N m",
                                                .flags = SCREE_PERSISTED,
                                                .about =
                                                    "Force and moment of local damping, per world axis."};

static bool drags(const struct scree_mover *mover)
{
    return mover->damping.local != 0 || scree_world_dampings(mover->world);
}

// Forces of local damping that an earlier engine left hold on, unless this one damps nothing.
static scree_status take_over_drag(struct scree_mover *mover)
{
    if (!find_row(mover->world, drag_row.name))
        return SCREE_OK;
    SCREE_TRY(require(mover, &drag_row, &mover->drag));
    if (drags(mover))
        return SCREE_OK;
    if (scree_world_bodies(mover->world) > 0)
        memset(column_of(mover, mover->drag, 0), 0,
               scree_world_bodies(mover->world) * sizeof(struct scree_push));
    mover->drag = NO_COLUMN;
    return SCREE_OK;
}

scree_status scree_mover_drag(struct scree_mover *mover, bool outdated_only)
{
    if (mover->drag == NO_COLUMN && drags(mover))
        SCREE_TRY(require(mover, &drag_row, &mover->drag));
    if (mover->drag == NO_COLUMN)
        return SCREE_OK;
    mover->drag_outdated_only = outdated_only;
    each_block(mover, drag_block);
    return SCREE_OK;
}

// Private rows hold only if the law that wrote them is still the one in use.
static void take_over(struct scree_mover *mover)
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

static void answer(void *self, size_t first, size_t count, struct scree_on_step *out)
{
    const struct scree_mover *mover = (const struct scree_mover *)self;
    for (size_t at = 0; at < count; at += SCREE_MOVER_BLOCK) {
        const size_t part = count - at < SCREE_MOVER_BLOCK ? count - at : SCREE_MOVER_BLOCK;
        struct scree_damping damping[SCREE_MOVER_BLOCK];
        struct scree_wrench accounts[SCREE_MOVER_BLOCK];
        struct scree_motion_batch batch = scree_mover_batch(mover, first + at, part, damping);
        complete_batch(mover, &batch, out + at);
        // booked on a copy of the accounts
        memcpy(accounts, batch.wrench, part * sizeof accounts[0]);
        batch.wrench = accounts;
        if (scree_account_needed(mover->world, &batch))
            book(mover, &batch, out + at, false);
        for (size_t i = 0; i < part; ++i) {
            out[at + i].work = accounts[i].work;
            out[at + i].loss = accounts[i].loss;
        }
    }
}

scree_status scree_mover_begin(struct scree_mover *mover, struct scree_world *world)
{
    mover->world = world;
    mover->half_velocity = mover->half_momentum = mover->drag = NO_COLUMN;
    const struct scree_field_def half_velocity = {.name = "half_velocity",
                                                  .type = SCREE_F64,
                                                  .width = 3,
                                                  .unit = "m/s",
                                                  .transform = SCREE_VECTOR,
                                                  .level = SCREE_MID_STEP,
                                                  .flags = SCREE_PERSISTED,
                                                  .about =
                                                      "Velocity at mid-step, where a leaping law rests."};
    const struct scree_field_def half_momentum = {.name = "half_momentum",
                                                  .type = SCREE_F64,
                                                  .width = 3,
                                                  .unit = "kg m^2/s",
                                                  .transform = SCREE_AXIAL,
                                                  .level = SCREE_MID_STEP,
                                                  .flags = SCREE_PERSISTED,
                                                  .about =
                                                      "Angular momentum between steps of a leaping law."};
    if (mover->translation->leaps)
        SCREE_TRY(require(mover, &half_velocity, &mover->half_velocity));
    if (mover->rotation->leaps)
        SCREE_TRY(require(mover, &half_momentum, &mover->half_momentum));
    for (int r = 0; r < SCREE_MOTION_ROWS; ++r) {
        const struct scree_motion_row *row = &mover->rotation->row[r];
        mover->row[r] = NO_COLUMN;
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
    SCREE_TRY(take_over_drag(mover));
    take_over(mover);
    mover->motor = (struct scree_motor){.on_step = answer,
                                        .self = mover,
                                        .keeps_spin = mover->rotation->leaps && mover->rotation->row[0].name};
    return SCREE_OK;
}
