// Evaluating loads, see loads.h: each load in turn goes over the bodies in batches. What it gives a body
// depends on that body alone, so batches may run side by side where the user's function allows it.

#include "engine/loads.h"

#include <stdatomic.h>
#include <string.h>

// One batch, as the user's function sees it.
struct batch {
    size_t count;
    uint32_t slot[SCREE_MOVER_BLOCK];
    scree_body_id id[SCREE_MOVER_BLOCK];
    double mass[SCREE_MOVER_BLOCK];
    double position[SCREE_MOVER_BLOCK][3];
    double orientation[SCREE_MOVER_BLOCK][4];
    double velocity[SCREE_MOVER_BLOCK][3];
    double spin[SCREE_MOVER_BLOCK][3];
    double force[SCREE_MOVER_BLOCK][3];
    double moment[SCREE_MOVER_BLOCK][3];
};

struct job {
    const struct scree_mover *mover;
    const struct scree_load *load;
    enum scree_loads_when when;
    double time;
    struct scree_push *push;
    atomic_int status;   // the first failure to come
    char complaint[256]; // and what it said
};

static void append(const struct job *job, struct batch *batch, size_t slot,
                   const struct scree_on_step *motion)
{
    const struct scree_world *world = job->mover->world;
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    const size_t i = batch->count++;
    const double back = job->when == SCREE_LOADS_MIDDLE ? 0.5 * job->mover->step.last : 0;
    batch->slot[i] = (uint32_t)slot;
    batch->id[i].value = scree_world_ids(world)[slot];
    batch->mass[i] = grain->mass;
    memcpy(batch->orientation[i], motion->orientation, sizeof batch->orientation[i]);
    for (int k = 0; k < 3; ++k) {
        batch->position[i][k] = grain->position[k] - back * motion->velocity[k];
        batch->velocity[i][k] = motion->velocity[k];
        batch->spin[i][k] = motion->spin[k];
        batch->force[i][k] = batch->moment[i][k] = 0;
    }
}

static void fill(const struct job *job, size_t first, size_t count, struct batch *batch)
{
    struct scree_on_step motion[SCREE_MOVER_BLOCK];
    if (job->when == SCREE_LOADS_MIDDLE)
        scree_mover_middle(job->mover, first, count, motion);
    else
        scree_mover_predict(job->mover, first, count, motion);
    batch->count = 0;
    for (size_t i = 0; i < count; ++i)
        if (job->when != SCREE_LOADS_NOW ||
            (scree_world_grains(job->mover->world)[first + i].flags & SCREE_FLAG_OUTDATED))
            append(job, batch, first + i, &motion[i]);
}

// A constant load asks nothing of the bodies.
static void add_constant(const struct job *job, size_t first, size_t count)
{
    const struct scree_grain *grain = scree_world_grains(job->mover->world);
    const struct scree_load_def *def = &job->load->def;
    for (size_t i = first; i < first + count; ++i)
        for (int k = 0; k < 3 && (job->when != SCREE_LOADS_NOW || (grain[i].flags & SCREE_FLAG_OUTDATED));
             ++k) {
            job->push[i].force[k] += def->force[k];
            job->push[i].moment[k] += def->moment[k];
        }
}

static void add_block(struct job *job, size_t first, size_t count)
{
    struct batch batch;
    fill(job, first, count, &batch);
    const struct scree_load_def *def = &job->load->def;
    const struct scree_load_batch seen = {.time = job->time,
                                          .count = batch.count,
                                          .id = batch.id,
                                          .mass = batch.mass,
                                          .position = (const double(*)[3])batch.position,
                                          .orientation = (const double(*)[4])batch.orientation,
                                          .velocity = (const double(*)[3])batch.velocity,
                                          .spin = (const double(*)[3])batch.spin,
                                          .force = batch.force,
                                          .moment = batch.moment};
    if (batch.count > 0) {
        // one that says nothing is not to be quoted with an older message
        scree_status_clear();
        const scree_status status = def->function(def->user, &seen);
        int none = SCREE_OK;
        if (status != SCREE_OK && atomic_compare_exchange_strong(&job->status, &none, (int)status))
            strncpy(job->complaint, scree_status_message(), sizeof job->complaint - 1);
    }
    for (size_t i = 0; i < batch.count; ++i)
        for (int k = 0; k < 3; ++k) {
            job->push[batch.slot[i]].force[k] += batch.force[i][k];
            job->push[batch.slot[i]].moment[k] += batch.moment[i][k];
        }
}

static void add_range(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    if (!((struct job *)context)->load->def.function) {
        add_constant((struct job *)context, first, last - first);
        return;
    }
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK)
        add_block((struct job *)context, at, last - at < SCREE_MOVER_BLOCK ? last - at : SCREE_MOVER_BLOCK);
}

static void run(struct job *job)
{
    const struct scree_world *world = job->mover->world;
    const struct scree_load_def *def = &job->load->def;
    scree_slot slot;
    if (def->body.value != 0) {
        // a load on a body that has gone does nothing
        if (scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, def->body.value,
                            &slot.index))
            add_range(job, slot.index, slot.index + 1, 0);
    } else if (def->function && !def->threaded) {
        add_range(job, 0, scree_world_bodies(world), 0);
    } else {
        scree_team_run(&job->mover->team, scree_world_bodies(world), SCREE_MOVER_BLOCK, add_range, job);
    }
}

scree_status scree_loads_add(const struct scree_mover *mover, enum scree_loads_when when, double time,
                             struct scree_push *push)
{
    for (size_t l = 0; l < mover->world->loads.count; ++l) {
        struct job job = {
            .mover = mover, .load = &mover->world->loads.data[l], .when = when, .time = time, .push = push};
        mover->world->loading = true;
        run(&job);
        mover->world->loading = false;
        const scree_status status = (scree_status)atomic_load(&job.status);
        if (status != SCREE_OK)
            return scree_status_fail(status, "the function of load %llu failed with '%s' at time %g s: %s",
                                     (unsigned long long)job.load->id.value, scree_status_name(status), time,
                                     job.complaint[0] ? job.complaint : "it did not say why");
    }
    return SCREE_OK;
}
