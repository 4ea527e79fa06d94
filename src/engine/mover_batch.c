// Batches of bodies for the schemes of motion, and on-step motion computed from them, see mover.h. The scheme
// of rotation of a body depends on its kind: round bodies use `spherical`, general ones the chosen scheme,
// and those with a fixed spin `constrained`. Consecutive bodies of a block with the same scheme are one
// batch.

#include "engine/mover.h"

#include <string.h>

const struct scree_motion_scheme *scree_mover_scheme(const struct scree_mover *mover,
                                                     const struct scree_grain *grain)
{
    if (grain->kind != SCREE_KIND_RIGID)
        return &scree_spherical;
    return grain->flags & SCREE_FIX_SPIN ? &scree_constrained : mover->rotation;
}

// A private column of the scheme of rotation, from body `first` on.
static double *scheme_row(const struct scree_mover *mover, int row, size_t first)
{
    if (mover->row[row] == SCREE_MOVER_NO_COLUMN)
        return NULL;
    return (double *)scree_world_column(mover->world, SCREE_ENTITY_BODY, (int)mover->row[row]) +
           first * mover->rotation->row[row].width;
}

// Damping of every body of a block, or null if nothing is damped.
static const struct scree_damping *fill_damping(const struct scree_mover *mover, size_t first, size_t count,
                                                struct scree_damping *damping)
{
    const struct scree_damping *own = scree_world_dampings(mover->world);
    if (!own && mover->damping.viscous == 0 && mover->damping.local == 0)
        return NULL;
    const struct scree_grain *grain = scree_world_grains(mover->world) + first;
    for (size_t i = 0; i < count; ++i)
        damping[i] = own && (grain[i].flags & SCREE_FLAG_OWN_DAMPING) ? own[first + i] : mover->damping;
    return damping;
}

struct scree_motion_batch scree_mover_part(const struct scree_motion_batch *batch, size_t first, size_t count)
{
    struct scree_motion_batch part = *batch;
    part.count = count;
    part.grain += first;
    part.wrench += first;
    part.rotor = batch->rotor ? batch->rotor + first : NULL;
    part.damping = batch->damping ? batch->damping + first : NULL;
    part.drag = batch->drag ? batch->drag + first : NULL;
    part.mid_step = batch->mid_step ? batch->mid_step + first : NULL;
    for (int r = 0; r < SCREE_MOTION_ROWS; ++r)
        part.row[r] = batch->row[r] ? batch->row[r] + batch->row_width[r] * first : NULL;
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
        .viscous = mover->damping.viscous != 0 || scree_world_dampings(world),
        .drag = scree_world_drags(world) ? scree_world_drags(world) + first : NULL,
        .mid_step = mover->mid_step_loads ? mover->mid_step_loads + first : NULL,
    };
    for (int r = 0; r < SCREE_MOTION_ROWS; ++r)
        batch.row[r] = scheme_row(mover, r, first), batch.row_width[r] = mover->rotation->row[r].width;
    return batch;
}

void scree_mover_each_scheme(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                             scree_mover_rotation *work, void *context)
{
    for (size_t first = 0; first < batch->count;) {
        const struct scree_motion_scheme *scheme = scree_mover_scheme(mover, &batch->grain[first]);
        size_t end = first + 1;
        while (end < batch->count && scree_mover_scheme(mover, &batch->grain[end]) == scheme)
            ++end;
        const struct scree_motion_batch part = scree_mover_part(batch, first, end - first);
        work(scheme, &part, first, context);
        first = end;
    }
}

static void complete_rotation(const struct scree_motion_scheme *scheme,
                              const struct scree_motion_batch *batch, size_t first, void *context)
{
    scheme->complete(batch, (struct scree_on_step *)context + first);
}

static void predict_rotation(const struct scree_motion_scheme *scheme, const struct scree_motion_batch *batch,
                             size_t first, void *context)
{
    (scheme->predict ? scheme->predict : scheme->complete)(batch, (struct scree_on_step *)context + first);
}

// The orientation and the energy accounts, which do not depend on the scheme.
static void fill_orientation_and_accounts(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const bool has_orientation = batch->grain[i].flags & SCREE_FLAG_ROTATES;
        static const double identity[4] = {1, 0, 0, 0};
        memcpy(out[i].orientation, has_orientation ? batch->rotor[i].orientation : identity, sizeof identity);
        out[i].work = batch->wrench[i].work;
        out[i].loss = batch->wrench[i].loss;
        out[i].mean_power = 0;
    }
}

void scree_mover_complete(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                          struct scree_on_step *out)
{
    fill_orientation_and_accounts(batch, out);
    mover->translation->complete(batch, out);
    scree_mover_each_scheme(mover, batch, complete_rotation, out);
}

void scree_mover_predict(const struct scree_mover *mover, size_t first, size_t count,
                         struct scree_wrench *wrench, struct scree_on_step *out)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    batch.wrench = wrench;
    fill_orientation_and_accounts(&batch, out);
    (mover->translation->predict ? mover->translation->predict : mover->translation->complete)(&batch, out);
    scree_mover_each_scheme(mover, &batch, predict_rotation, out);
}

void scree_mover_mid_step(const struct scree_mover *mover, size_t first, size_t count,
                          struct scree_on_step *out)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    const struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    fill_orientation_and_accounts(&batch, out);
    for (size_t i = 0; i < count; ++i) {
        memcpy(out[i].velocity, batch.grain[i].velocity, sizeof out[i].velocity);
        memcpy(out[i].spin, batch.grain[i].spin, sizeof out[i].spin);
        if (scree_mover_scheme(mover, &batch.grain[i])->mid_step) {
            const struct scree_motion_batch one = scree_mover_part(&batch, i, 1);
            mover->rotation->mid_step(&one, &out[i].spin, &out[i].orientation);
        }
    }
}
