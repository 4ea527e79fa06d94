// Evaluation of loads, see loads.h: for each block one load after the other. A load on a body depends on this
// body alone, so blocks can be evaluated in parallel if functions are thread-safe.

#include "engine/loads.h"

#include <string.h>

// A batch of bodies for a load function.
struct batch {
    size_t count;
    uint32_t index[SCREE_MOVER_BLOCK]; // in the block
    scree_body_id id[SCREE_MOVER_BLOCK];
    double mass[SCREE_MOVER_BLOCK];
    double position[SCREE_MOVER_BLOCK][3];
    double orientation[SCREE_MOVER_BLOCK][4];
    double velocity[SCREE_MOVER_BLOCK][3];
    double spin[SCREE_MOVER_BLOCK][3];
    double force[SCREE_MOVER_BLOCK][3];
    double moment[SCREE_MOVER_BLOCK][3];
};

// The evaluation of a range of loads on a range of bodies.
struct job {
    struct scree_loads *loads;
    const struct scree_mover *mover;
    size_t from, to; // range of loads
    size_t first, count;
    struct scree_wrench *wrench;
    struct scree_loads_sum sum;
};

bool scree_loads_have_functions(const struct scree_world *world)
{
    for (size_t l = 0; l < world->loads.count; ++l)
        if (world->loads.data[l].def.function)
            return true;
    return false;
}

static bool is_serial(const struct scree_world *world, size_t l)
{
    const struct scree_load_def *def = &world->loads.data[l].def;
    return def->function && !def->threaded;
}

bool scree_loads_are_threaded(const struct scree_world *world)
{
    for (size_t l = 0; l < world->loads.count; ++l)
        if (is_serial(world, l))
            return false;
    return true;
}

// Sorts loads into those on all bodies and, by block, those on single bodies: a linked list in order of
// registration, built from the last to the first. A load on a body that was removed does nothing.
static void build_lists(struct scree_loads *loads, const struct scree_world *world)
{
    const struct scree_pool *pool = &scree_world_entity(world, SCREE_ENTITY_BODY)->pool;
    memset(loads->head.data, 0, loads->head.count * sizeof loads->head.data[0]);
    for (size_t l = world->loads.count; l-- > 0;) {
        const uint64_t body = world->loads.data[l].def.body.value;
        uint32_t slot;
        if (body == 0 || !scree_pool_find(pool, body, &slot))
            continue;
        uint32_t *head = &loads->head.data[slot / SCREE_MOVER_BLOCK];
        loads->single.data[l] = (struct scree_loads_single){slot, *head};
        *head = (uint32_t)l + 1;
    }
    loads->general.count = loads->constant.count = 0;
    for (size_t l = 0; l < world->loads.count; ++l) {
        const struct scree_load_def *def = &world->loads.data[l].def;
        if (def->body.value != 0)
            continue;
        loads->general.data[loads->general.count++] = (uint32_t)l;
        if (def->function)
            continue;
        struct scree_force_moment *load = &loads->constant.data[loads->constant.count++];
        memcpy(load->force, def->force, sizeof load->force);
        memcpy(load->moment, def->moment, sizeof load->moment);
    }
}

scree_status scree_loads_begin(struct scree_loads *loads, const struct scree_world *world,
                               enum scree_loads_when when, double time)
{
    const size_t count = world->loads.count,
                 blocks = (scree_world_bodies(world) + SCREE_MOVER_BLOCK - 1) / SCREE_MOVER_BLOCK;
    loads->when = when;
    loads->time = time;
    loads->status = SCREE_OK;
    atomic_flag_clear(&loads->lock);
    loads->general.count = loads->constant.count = loads->head.count = 0;
    if (count == 0 || blocks == 0)
        return SCREE_OK;
    SCREE_TRY(scree_array_reserve(&loads->general, count));
    SCREE_TRY(scree_array_reserve(&loads->constant, count));
    SCREE_TRY(scree_array_reserve(&loads->single, count));
    SCREE_TRY(scree_array_reserve(&loads->head, blocks));
    loads->head.count = blocks;
    build_lists(loads, world);
    return SCREE_OK;
}

void scree_loads_free(struct scree_loads *loads)
{
    scree_array_free(&loads->general);
    scree_array_free(&loads->constant);
    scree_array_free(&loads->single);
    scree_array_free(&loads->head);
}

static bool is_evaluated(const struct job *job, size_t slot)
{
    return job->loads->when != SCREE_LOADS_OUTDATED ||
           (scree_world_grains(job->mover->world)[slot].flags & SCREE_FLAG_OUTDATED);
}

static void append(const struct job *job, struct batch *batch, size_t slot,
                   const struct scree_on_step *motion)
{
    const struct scree_world *world = job->mover->world;
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    const size_t i = batch->count++;
    const double time_back = job->loads->when == SCREE_LOADS_MID_STEP ? 0.5 * job->mover->step.last : 0;
    batch->index[i] = (uint32_t)(slot - job->first);
    batch->id[i].value = scree_world_ids(world)[slot];
    batch->mass[i] = grain->mass;
    memcpy(batch->orientation[i], motion->orientation, sizeof batch->orientation[i]);
    for (int k = 0; k < 3; ++k) {
        batch->position[i][k] = grain->position[k] - time_back * motion->velocity[k];
        batch->velocity[i][k] = motion->velocity[k];
        batch->spin[i][k] = motion->spin[k];
        batch->force[i][k] = batch->moment[i][k] = 0;
    }
}

static void fill(const struct job *job, size_t first, size_t count, struct batch *batch)
{
    struct scree_on_step motion[SCREE_MOVER_BLOCK];
    struct scree_wrench *wrench = job->wrench + (first - job->first);
    if (job->loads->when == SCREE_LOADS_MID_STEP)
        scree_mover_mid_step(job->mover, first, count, motion);
    else
        scree_mover_predict(job->mover, first, count, wrench, motion);
    batch->count = 0;
    for (size_t i = 0; i < count; ++i)
        if (is_evaluated(job, first + i))
            append(job, batch, first + i, &motion[i]);
}

static void add_constant(const struct job *job, const struct scree_load_def *def, size_t first, size_t count)
{
    const size_t stride = job->sum.stride, at = (first - job->first) * stride;
    double *force = job->sum.force + at, *moment = job->sum.moment + at;
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3 && is_evaluated(job, first + i); ++k) {
            force[i * stride + (size_t)k] += def->force[k];
            moment[i * stride + (size_t)k] += def->moment[k];
        }
}

// Stores a failure. If several loads fail, the one that was registered first is reported.
static void store_failure(struct scree_loads *loads, size_t load, scree_status status)
{
    while (atomic_flag_test_and_set_explicit(&loads->lock, memory_order_acquire))
        ;
    if (loads->status == SCREE_OK || load < loads->failed) {
        loads->status = status;
        loads->failed = load;
        memset(loads->diagnostic, 0, sizeof loads->diagnostic);
        strncpy(loads->diagnostic, scree_status_message(), sizeof loads->diagnostic - 1);
    }
    atomic_flag_clear_explicit(&loads->lock, memory_order_release);
}

static scree_status call(const struct job *job, const struct scree_load_def *def, size_t first, size_t count)
{
    struct batch batch;
    scree_status status = SCREE_OK;
    fill(job, first, count, &batch);
    const struct scree_load_batch argument = {.time = job->loads->time,
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
        // clear an older message, in case the function fails without one
        scree_status_clear();
        status = def->function(def->user, &argument);
    }
    for (size_t i = 0; i < batch.count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            job->sum.force[batch.index[i] * job->sum.stride + k] += batch.force[i][k];
            job->sum.moment[batch.index[i] * job->sum.stride + k] += batch.moment[i][k];
        }
    return status;
}

// Adds one load: on all bodies of the block, or on its single body.
static scree_status add_load(const struct job *job, size_t l)
{
    const struct scree_load_def *def = &job->mover->world->loads.data[l].def;
    const size_t first = def->body.value == 0 ? job->first : job->loads->single.data[l].slot;
    const size_t count = def->body.value == 0 ? job->count : 1;
    if (def->function)
        return call(job, def, first, count);
    add_constant(job, def, first, count);
    return SCREE_OK;
}

// Merges the loads on all bodies and those on single bodies of the block in order of registration. Stops at
// the first failure.
static void add_in_order(const struct job *job)
{
    struct scree_loads *loads = job->loads;
    uint32_t next = loads->head.count > 0 ? loads->head.data[job->first / SCREE_MOVER_BLOCK] : 0;
    size_t g = 0;
    while (next > 0 || g < loads->general.count) {
        const bool single = next > 0 && (g == loads->general.count || next - 1 < loads->general.data[g]);
        const size_t l = single ? next - 1 : loads->general.data[g++];
        next = single ? loads->single.data[l].next : next;
        const scree_status status = l < job->from || l >= job->to ? SCREE_OK : add_load(job, l);
        if (status != SCREE_OK) {
            store_failure(loads, l, status);
            return;
        }
    }
}

void scree_loads_add_block(struct scree_loads *loads, const struct scree_mover *mover, size_t first,
                           size_t count, struct scree_wrench *wrench, struct scree_loads_sum sum)
{
    const struct job job = {.loads = loads,
                            .mover = mover,
                            .to = mover->world->loads.count,
                            .first = first,
                            .count = count,
                            .wrench = wrench,
                            .sum = sum};
    add_in_order(&job);
}

bool scree_loads_are_constant(const struct scree_loads *loads, size_t first)
{
    return loads->constant.count == loads->general.count &&
           (loads->head.count == 0 || loads->head.data[first / SCREE_MOVER_BLOCK] == 0);
}

static void add_range(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct job *all = (const struct job *)context;
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK) {
        struct job job = *all;
        job.first = at;
        job.count = last - at < SCREE_MOVER_BLOCK ? last - at : SCREE_MOVER_BLOCK;
        job.wrench += at;
        job.sum.force += at * job.sum.stride;
        job.sum.moment += at * job.sum.stride;
        add_in_order(&job);
    }
}

void scree_loads_add(struct scree_loads *loads, const struct scree_mover *mover,
                     struct scree_force_moment *load)
{
    struct scree_world *world = mover->world;
    const size_t bodies = scree_world_bodies(world);
    struct job job = {.loads = loads,
                      .mover = mover,
                      .wrench = scree_world_wrenches(world),
                      .sum = scree_loads_of_pending(load)};
    world->in_load = true;
    // consecutive loads are evaluated together if all of them, or none, can run on the thread team
    while (job.to < world->loads.count && loads->status == SCREE_OK) {
        const bool serial = is_serial(world, job.to);
        job.from = job.to;
        while (job.to < world->loads.count && is_serial(world, job.to) == serial)
            ++job.to;
        if (serial)
            add_range(&job, 0, bodies, 0);
        else
            scree_team_run(&mover->team, bodies, SCREE_MOVER_BLOCK, add_range, &job);
    }
    world->in_load = false;
}

scree_status scree_loads_end(struct scree_loads *loads, const struct scree_world *world)
{
    if (loads->status == SCREE_OK)
        return SCREE_OK;
    return scree_status_fail(loads->status, "the function of load %llu failed with '%s' at time %g s: %s",
                             (unsigned long long)world->loads.data[loads->failed].id.value,
                             scree_status_name(loads->status), loads->time,
                             loads->diagnostic[0] ? loads->diagnostic : "it set no message");
}
