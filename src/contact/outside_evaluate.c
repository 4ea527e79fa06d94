// Evaluating contacts from outside, see outside_evaluate.h.

#include "contact/outside_evaluate.h"

#include "base/memory.h"
#include "contact/outside_mesh.h"
#include "contact/outside_room.h"
#include "contact/wall_contacts.h"
#include "world/wall.h"

#include <string.h>

enum { BATCH = 512, TERMS = SCREE_KERNEL_WALL_TERMS };

// Where a contact of a batch belongs.
struct place {
    struct scree_vec3 arm[2];
    uint32_t pair, feature;
    uint32_t index; // within its pair
    bool moves;     // the second side is an image
    double periods[3];
};

// Contacts of several pairs; those of a pair are neighbours.
struct scree_outside_batch {
    struct scree_kernel_outside record[BATCH];
    double history[BATCH * SCREE_OUTSIDE_STRIDE];
    double terms[BATCH * TERMS];
    struct place place[BATCH];
    uint8_t class_of[BATCH];
    size_t count;
    size_t first, last;   // pairs
    uint8_t found[BATCH]; // number of contacts of each pair from the first on
};
static_assert((int)BATCH >= (int)SCREE_OUTSIDE_MOST, "a batch has room for a pair");

scree_status scree_outside_evaluate_prepare(struct scree_collider_scratch *scratch, size_t pairs)
{
    if (pairs == 0 || scratch->outside)
        return SCREE_OK;
    return scree_memory_new(1, sizeof *scratch->outside, (void **)&scratch->outside);
}

static struct scree_outside_contacts *contacts_of(const struct scree_collider *collider)
{
    return &collider->world->contacts.outside;
}

// --- finding contacts

static void find(const struct scree_collider *collider, size_t p, struct scree_outside_pair *pair)
{
    const struct scree_outside_contacts *outside = contacts_of(collider);
    const struct scree_pair slots = outside->pair[p];
    const struct scree_grain *grain = scree_world_grains(collider->world);
    const struct scree_images images = scree_collider_images(collider);
    if (outside->wall[p] > 0)
        scree_outside_find_wall(collider->world, &grain[slots.low],
                                scree_wall_row(collider->world, slots.high), pair);
    else
        scree_outside_find(collider->world, &grain[slots.low], &grain[slots.high], &images,
                           &outside->axis[3 * p], pair);
}

// The history of the feature of a pair, null if it did not touch.
static const double *history_of(const struct scree_outside_contacts *outside, size_t p, uint32_t feature)
{
    const size_t first = SCREE_OUTSIDE_MOST * p;
    for (size_t c = first; c < first + outside->live[p]; ++c)
        if (outside->feature[c] == feature)
            return outside->history + c * outside->stride;
    return NULL;
}

// The same for touch `n`: at a mesh a contact can continue at another feature.
static const double *history_before(const struct scree_collider *collider, size_t p,
                                    const struct scree_outside_pair *pair, size_t n)
{
    const struct scree_outside_contacts *outside = contacts_of(collider);
    const double *history = history_of(outside, p, pair->touch[n].feature);
    if (history || !pair->side[1].wall || !pair->side[1].wall->surface)
        return history;
    const size_t first = SCREE_OUTSIDE_MOST * p,
                 left = scree_outside_mesh_left(pair, n, outside->feature + first, outside->live[p]);
    return left < outside->live[p] ? outside->history + (first + left) * outside->stride : NULL;
}

// Where the normal is in a history.
static size_t normal_of(const struct scree_outside_contacts *outside, size_t p)
{
    return scree_contacts_layout_length(&outside->layout[outside->class_of[p]]) - 3;
}

// Adds the contacts of a pair to the batch.
static void collect(struct scree_collider *collider, struct scree_collider_scratch *scratch, size_t p)
{
    static const double none[SCREE_OUTSIDE_STRIDE];
    const struct scree_outside_contacts *outside = contacts_of(collider);
    struct scree_outside_batch *batch = scratch->outside;
    struct scree_outside_pair pair;
    find(collider, p, &pair);
    if (pair.left_out > 0 || pair.crowded || pair.at_rim)
        scree_outside_room_note(&scratch->crowded,
                                scree_contacts_outside_pair_key(&collider->world->contacts, outside, p),
                                pair.at_rim    ? SCREE_OUTSIDE_ROOM_RIM
                                : pair.crowded ? SCREE_OUTSIDE_ROOM_FACETS
                                               : pair.count + pair.left_out);
    batch->found[p - batch->first] = (uint8_t)pair.count;
    for (size_t n = 0; n < pair.count; ++n) {
        const struct scree_outside_touch *touch = &pair.touch[n];
        const size_t k = batch->count++;
        const double *before = history_before(collider, p, &pair, n);
        before = before ? before : none;
        memcpy(batch->history + k * outside->stride, before, outside->stride * sizeof *before);
        scree_outside_record(collider->world, &pair, touch, before + normal_of(outside, p), collider->step,
                             &batch->record[k]);
        batch->place[k] = (struct place){.arm = {touch->arm[0], touch->arm[1]},
                                         .pair = (uint32_t)p,
                                         .feature = touch->feature,
                                         .index = (uint32_t)n,
                                         .moves = pair.image.moves};
        if (pair.image.moves)
            memcpy(batch->place[k].periods, pair.image.periods, sizeof pair.image.periods);
        batch->class_of[k] = outside->class_of[p];
        const double excess = touch->overlap - collider->limit * pair.depth;
        scratch->excess = excess > scratch->excess ? excess : scratch->excess;
    }
}

// --- adding forces

static void add_side(struct scree_collider *collider, uint32_t slot, uint32_t row, const double *terms)
{
    if (collider->measures)
        scree_sums_measure_one(&collider->sums, slot, terms);
    if (!collider->measure_only)
        scree_sums_add(&collider->sums, &scree_world_grains(collider->world)[slot], slot, row, terms);
}

// Work of a moving wall in the step, at the current power.
static void add_work(struct scree_collider *collider, const struct place *place, const double *normal,
                     const double *terms)
{
    const struct scree_pair slots = contacts_of(collider)->pair[place->pair];
    const struct scree_grain *grain = &scree_world_grains(collider->world)[slots.low];
    const struct scree_vec3 point = scree_vec3_add(scree_vec3_load(grain->position), place->arm[0]);
    struct scree_wall_touch_motion motion;
    scree_wall_motion_on_step(collider->world, scree_wall_row(collider->world, slots.high), point,
                              scree_vec3_load(normal), &motion);
    const double power = scree_vec3_dot(scree_vec3_load(terms + SCREE_TERM_FORCE), motion.velocity) +
                         scree_vec3_dot(scree_vec3_load(terms + SCREE_KERNEL_COUPLE), motion.spin);
    *scree_wall_contacts_work(collider, slots.low) += collider->step * power;
}

static void add(struct scree_collider *collider, const struct scree_outside_batch *batch, size_t k,
                int thread)
{
    const struct scree_outside_contacts *outside = contacts_of(collider);
    const struct place *place = &batch->place[k];
    const double *terms = batch->terms + TERMS * k;
    const struct scree_pair slots = outside->pair[place->pair];
    const bool wall = outside->wall[place->pair] > 0;
    const double share = wall ? 1 : 0.5;
    const struct scree_vec3 force = scree_vec3_load(terms + SCREE_TERM_FORCE),
                            couple = scree_vec3_load(terms + SCREE_KERNEL_COUPLE);
    double own[SCREE_TERMS_ALL];
    own[SCREE_TERM_FRICTION] = share * terms[SCREE_TERM_FRICTION];
    own[SCREE_TERM_DASHPOT] = share * terms[SCREE_TERM_DASHPOT];
    own[SCREE_TERM_INTERNAL] = share * terms[SCREE_TERM_INTERNAL];
    scree_vec3_store(force, own + SCREE_TERM_FORCE);
    scree_vec3_store(scree_vec3_add(scree_vec3_cross(place->arm[0], force), couple), own + SCREE_TERM_MOMENT);
    const uint32_t shared = collider->pieces.outside && !wall ? collider->pieces.outside[place->pair] : 0;
    add_side(collider, slots.low, shared > 0 && slots.low > slots.high ? shared : slots.low, own);
    if (wall && !collider->measure_only) {
        const struct scree_wall *of = scree_wall_row(collider->world, slots.high);
        if (scree_wall_follows(of))
            scree_wall_bodies_react(&collider->wall_bodies, thread, of, slots.high,
                                    &scree_world_grains(collider->world)[slots.low], own);
        else if (collider->walls_move)
            add_work(collider, place, batch->record[k].normal, terms);
    }
    if (wall)
        return;
    if (place->moves && !collider->measure_only)
        scree_across_add(&collider->scratch[thread].across, own + SCREE_TERM_FORCE, place->periods);
    scree_vec3_store(scree_vec3_negate(force), own + SCREE_TERM_FORCE);
    scree_vec3_store(scree_vec3_negate(scree_vec3_add(scree_vec3_cross(place->arm[1], force), couple)),
                     own + SCREE_TERM_MOMENT);
    add_side(collider, slots.high, shared > 0 && slots.high > slots.low ? shared : slots.high, own);
}

// Stores the contacts of the pairs of a batch.
static void store(struct scree_collider *collider, const struct scree_outside_batch *batch)
{
    struct scree_outside_contacts *outside = contacts_of(collider);
    for (size_t p = batch->first; p < batch->last; ++p)
        outside->live[p] = batch->found[p - batch->first];
    for (size_t k = 0; k < batch->count; ++k) {
        const struct place *place = &batch->place[k];
        const size_t c = SCREE_OUTSIDE_MOST * (size_t)place->pair + place->index;
        double *history = outside->history + c * outside->stride;
        memcpy(history, batch->history + k * outside->stride, outside->stride * sizeof *history);
        memcpy(history + normal_of(outside, place->pair), batch->record[k].normal, 3 * sizeof *history);
        memcpy(outside->force + 3 * c, batch->terms + TERMS * k + SCREE_TERM_FORCE, 3 * sizeof(double));
        outside->feature[c] = place->feature;
    }
}

static void flush(struct scree_collider *collider, struct scree_collider_scratch *scratch, size_t tile)
{
    struct scree_outside_batch *batch = scratch->outside;
    struct scree_kernel_job job = scree_collider_job(collider, scratch, tile);
    job.outside = batch->record;
    job.history = batch->history;
    job.stride = contacts_of(collider)->stride;
    job.wall_terms = batch->terms;
    for (size_t k = 0; k < batch->count; ++k)
        scratch->candidate[k] = (uint32_t)k;
    scree_collider_run(collider, scratch, &job, batch->class_of, batch->count, SCREE_KERNEL_OUTSIDE);
    for (size_t k = 0; k < batch->count; ++k)
        add(collider, batch, k, (int)(scratch - collider->scratch));
    if (!collider->measure_only)
        store(collider, batch);
}

size_t scree_outside_evaluate_tile(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                                   size_t tile)
{
    const struct scree_outside_contacts *outside = contacts_of(collider);
    struct scree_outside_batch *batch = scratch->outside;
    size_t contacts = 0;
    for (size_t p = outside->first[tile]; p < outside->first[tile + 1];) {
        batch->first = p;
        batch->count = 0;
        for (; p < outside->first[tile + 1] && p < batch->first + BATCH &&
               batch->count + SCREE_OUTSIDE_MOST <= BATCH;
             ++p)
            collect(collider, scratch, p);
        batch->last = p;
        flush(collider, scratch, tile);
        contacts += batch->count;
    }
    return contacts;
}
