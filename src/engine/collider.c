// The collider, see collider.h.

#include "engine/collider.h"

#include "base/memory.h"
#include "base/processor.h"
#include "engine/wall_contacts.h"
#include "law/look.h"
#include "law/prepare.h"

#include <math.h>
#include <string.h>

// the near candidates of one class, filled up to whole batches
enum { ROOM = SCREE_NEAR_CHUNK + 8 * (SCREE_CONTACTS_NO_CLASS + 1) };

// candidates across tiles that go to a thread together
enum { ACROSS_SHARE = 256 };

// tiles between the one at hand and the one that is called from memory
enum { LOOK_AHEAD = SCREE_CONTACTS_TILE };

static const struct scree_contacts *contacts_of(const struct scree_collider *collider)
{
    return &collider->world->contacts;
}

struct scree_kernel_job scree_collider_job(const struct scree_collider *collider,
                                           struct scree_collider_scratch *scratch, double *push)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    return (struct scree_kernel_job){
        .grain = scree_world_grains(collider->world),
        .pair = contacts->pair,
        .history = contacts->history,
        .stride = contacts->stride,
        .push = push,
        .width = collider->width,
        .rule = {.step = collider->step,
                 .period = {collider->period[0], collider->period[1], collider->period[2]},
                 .arm = 0.5,
                 .turning = scree_law_tangential_share(collider->world->dimension),
                 .limit = collider->limit},
        .holds = collider->holds,
        .excess = &scratch->excess,
    };
}

// Laws without couples and inner losses write no more than the first half of a record: where others make
// records wide, what lies in the second half is of another contact.
static void clear_seconds(const struct scree_kernel_job *job, enum scree_kernel_place where)
{
    const size_t sides = where == SCREE_KERNEL_WALL ? 1 : 2;
    for (size_t k = 0; k < job->count; ++k)
        for (size_t side = 0; side < sides; ++side)
            memset(job->push + (sides * job->record[k] + side) * job->width + SCREE_KERNEL_PUSH, 0,
                   (job->width - SCREE_KERNEL_PUSH) * sizeof(double));
}

// Runs the loop of a class over a list, which is filled up by repeating its last.
static void run_class(const struct scree_collider *collider, struct scree_kernel_job *job, size_t number,
                      uint32_t *candidate, uint32_t *place, size_t count, enum scree_kernel_place where)
{
    const struct scree_law_class *c = &collider->classes.class[number];
    if (count == 0)
        return;
    for (; count % 8 != 0; ++count) {
        candidate[count] = candidate[count - 1];
        place[count] = place[count - 1];
    }
    job->candidate = candidate;
    job->record = place;
    job->count = count;
    job->rule.arm = scree_law_class_arm(c, where == SCREE_KERNEL_WALL);
    memcpy(job->rule.constants, c->constants, sizeof job->rule.constants);
    memcpy(job->rule.resistance, c->constants + SCREE_LAW_CONSTANTS, sizeof job->rule.resistance);
    if (job->width > SCREE_KERNEL_PUSH && !c->resists && !c->law->loses)
        clear_seconds(job, where);
    c->law->kernel[scree_processor_set()][c->resists][where](job);
}

// Runs the loops of all classes over a list of candidates of any.
void scree_collider_run(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                        struct scree_kernel_job *job, const uint8_t *sort, size_t count,
                        enum scree_kernel_place where)
{
    if (!sort) {
        run_class(collider, job, 0, scratch->candidate, scratch->place, count, where);
        return;
    }
    uint32_t first[SCREE_CONTACTS_NO_CLASS + 1] = {0}, fill[SCREE_CONTACTS_NO_CLASS + 1];
    uint32_t number[SCREE_CONTACTS_NO_CLASS + 1] = {0};
    for (size_t k = 0; k < count; ++k)
        ++number[sort[scratch->candidate[k]]];
    for (size_t c = 1; c < collider->classes.count; ++c)
        first[c] = (first[c - 1] + number[c - 1] + 7) / 8 * 8;
    memcpy(fill, first, sizeof fill);
    for (size_t k = 0; k < count; ++k) {
        const uint32_t at = fill[sort[scratch->candidate[k]]]++;
        scratch->sorted[at] = scratch->candidate[k];
        scratch->sorted_place[at] = scratch->place[k];
    }
    for (size_t c = 0; c < collider->classes.count; ++c)
        run_class(collider, job, c, scratch->sorted + first[c], scratch->sorted_place + first[c], number[c],
                  where);
}

size_t scree_collider_pick(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                           size_t first, size_t at, size_t end, bool across)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    const struct scree_near_set *set = &scree_near_sets[scree_processor_set()];
    const struct scree_near_job job = {
        .grain = scree_world_grains(collider->world),
        .pair = contacts->pair,
        .squeeze = collider->squeeze,
        .period = {collider->period[0], collider->period[1], collider->period[2]},
        .reach = collider->search.reach,
        .history = contacts->history,
        .stride = contacts->stride,
        .live = contacts->live,
        .changed = scratch->changed,
        .ended = scratch->ended};
    const struct scree_near_count count = (across ? set->across : set->inside)(
        &job, at, end, (uint32_t)(at - first), scratch->candidate, scratch->place);
    scree_gather_mark(&collider->rows, contacts, !across, scratch->changed, count.changed);
    scratch->ends = count.ended;
    return count.near;
}

// Whatever the law said, nothing of what has ended outlives the step.
void scree_collider_forget(struct scree_collider_scratch *scratch, double *history, size_t stride)
{
    for (size_t k = 0; k < scratch->ends; ++k)
        memset(history + scratch->ended[k] * stride, 0, stride * sizeof *history);
    scratch->ends = 0;
}

// The contacts of a range of candidates, whose records begin at `push`.
static void walk(const struct scree_collider *collider, struct scree_collider_scratch *scratch, size_t first,
                 size_t last, double *push, bool across)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    struct scree_kernel_job job = scree_collider_job(collider, scratch, push);
    // what fills up a range pairs a slot with itself
    while (last > first && contacts->pair[last - 1].low == contacts->pair[last - 1].high)
        --last;
    for (size_t at = first; at < last; at += SCREE_NEAR_CHUNK) {
        const size_t end = at + SCREE_NEAR_CHUNK < last ? at + SCREE_NEAR_CHUNK : last;
        const size_t count = scree_collider_pick(collider, scratch, first, at, end, across);
        scree_collider_run(collider, scratch, &job, contacts->sort, count,
                           across ? SCREE_KERNEL_ACROSS : SCREE_KERNEL_INSIDE);
        scree_collider_forget(scratch, contacts->history, contacts->stride);
    }
}

static void walk_across(void *context, size_t first, size_t last, int thread)
{
    const struct scree_collider *collider = (const struct scree_collider *)context;
    walk(collider, &collider->scratch[thread], first, last, collider->across + 2 * first * collider->width,
         true);
}

void scree_collider_across(struct scree_collider *collider, double step)
{
    collider->step = step;
    collider->holds = collider->world->holds;
    collider->pushes = scree_wall_contacts_push(collider->world);
    for (int t = 0; t < collider->threads; ++t)
        collider->scratch[t].excess = 0;
    if (contacts_of(collider)->tiles > 0)
        scree_team_run(&collider->mover->team, contacts_of(collider)->inside[0], ACROSS_SHARE, walk_across,
                       collider);
}

static void measure_classes(struct scree_collider *collider)
{
    double largest = 0;
    size_t stride = 0;
    collider->width = SCREE_KERNEL_PUSH;
    for (size_t c = 0; c < collider->classes.count; ++c) {
        const struct scree_law_class *class = &collider->classes.class[c];
        const size_t room = (scree_look_history(class) + 3) / 4 * 4;
        stride = room > stride ? room : stride;
        if (class->resists || class->law->loses)
            collider->width = 2 * SCREE_KERNEL_PUSH;
    }
    for (size_t i = 0; i < scree_world_bodies(collider->world); ++i) {
        const double radius = scree_world_grains(collider->world)[i].radius;
        largest = radius > largest ? radius : largest;
    }
    collider->search.stride = stride;
    collider->search.reach = scree_interaction_reach(&collider->classes, largest);
}

// Room for the pushes that the new lists can come to.
static scree_status make_room(struct scree_collider *collider)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    const size_t width = collider->width;
    const size_t across = 2 * contacts->inside[0] * width;
    SCREE_TRY(scree_gather_lay(&collider->rows, contacts));
    SCREE_TRY(scree_memory_grow((void **)&collider->across, &collider->across_room, across, sizeof(double)));
    size_t most = 0;
    for (size_t t = 0; t < contacts->tiles; ++t) {
        const size_t count = contacts->walls.first[t + 1] - contacts->walls.first[t];
        most = count > most ? count : most;
    }
    for (int t = 0; t < collider->threads; ++t) {
        struct scree_collider_scratch *scratch = &collider->scratch[t];
        SCREE_TRY(scree_memory_grow((void **)&scratch->push, &scratch->room, 2 * contacts->longest * width,
                                    sizeof(double)));
        SCREE_TRY(
            scree_memory_grow((void **)&scratch->wall, &scratch->wall_records, most, sizeof *scratch->wall));
        SCREE_TRY(scree_memory_grow((void **)&scratch->wall_push, &scratch->wall_room, most * width,
                                    sizeof(double)));
    }
    return SCREE_OK;
}

// What was pushed says nothing of new lists, and a search needs the room. Where it fails the next step must
// search again before anything is evaluated.
static void drop_pushes(struct scree_collider *collider)
{
    scree_memory_free(collider->rows.first);
    scree_memory_free(collider->rows.entry);
    scree_memory_free(collider->across);
    collider->rows = (struct scree_gather_rows){0};
    collider->across = NULL;
    collider->across_room = 0;
}

static void read_cell(struct scree_collider *collider)
{
    const struct scree_cell *cell = scree_world_cell(collider->world);
    for (int k = 0; k < 3; ++k)
        collider->period[k] = cell->period[k] > 0 ? cell->period[k] : (double)INFINITY;
}

static void free_scratch(struct scree_collider *collider)
{
    for (int t = 0; t < collider->threads; ++t) {
        scree_memory_free(collider->scratch[t].candidate);
        scree_memory_free(collider->scratch[t].push);
        scree_memory_free(collider->scratch[t].wall);
        scree_memory_free(collider->scratch[t].wall_push);
    }
    scree_memory_free(collider->scratch);
    collider->scratch = NULL;
    collider->threads = 0;
}

static scree_status make_scratch(struct scree_collider *collider)
{
    const int threads = scree_team_size(&collider->mover->team);
    SCREE_TRY(scree_memory_new((size_t)threads, sizeof *collider->scratch, (void **)&collider->scratch));
    collider->threads = threads;
    for (int t = 0; t < threads; ++t) {
        struct scree_collider_scratch *scratch = &collider->scratch[t];
        SCREE_TRY(scree_memory_new(6 * ROOM, sizeof(uint32_t), (void **)&scratch->candidate));
        scratch->place = scratch->candidate + ROOM;
        scratch->sorted = scratch->candidate + 2 * ROOM;
        scratch->sorted_place = scratch->candidate + 3 * ROOM;
        scratch->changed = scratch->candidate + 4 * ROOM;
        scratch->ended = scratch->candidate + 5 * ROOM;
    }
    return scree_entity_require(scree_world_entity(collider->world, SCREE_ENTITY_BODY), SCREE_BODY_LOSSES);
}

// The first rule of a world may come when its engine is there already.
static scree_status get_ready(struct scree_collider *collider)
{
    if (collider->scratch)
        return SCREE_OK;
    const scree_status status = make_scratch(collider);
    if (status != SCREE_OK)
        free_scratch(collider);
    return status;
}

scree_status scree_collider_search(struct scree_collider *collider, bool may_sort)
{
    struct scree_world *world = collider->world;
    SCREE_TRY(get_ready(collider));
    read_cell(collider);
    if (!scree_search_is_due(&collider->search, world))
        return SCREE_OK;
    const double begun = scree_profile_now();
    SCREE_TRY(scree_interaction_resolve(world, &collider->classes));
    measure_classes(collider);
    drop_pushes(collider);
    SCREE_TRY(
        scree_search_run(&collider->search, world, &collider->classes, may_sort, &collider->mover->team));
    const scree_status status = make_room(collider);
    if (status != SCREE_OK)
        world->contacts_stale = true;
    if (collider->profile)
        scree_profile_add(collider->profile, SCREE_PROFILE_SEARCH, begun);
    return status;
}

scree_status scree_collider_begin(struct scree_collider *collider, struct scree_mover *mover)
{
    collider->mover = mover;
    collider->world = mover->world;
    collider->search.sort_every = 8;
    collider->limit = (double)INFINITY;
    scree_near_fill(collider->squeeze);
    if (!scree_collider_works(collider))
        return SCREE_OK;
    SCREE_TRY(get_ready(collider));
    const scree_status status = scree_interaction_resolve(collider->world, &collider->classes);
    if (status != SCREE_OK)
        free_scratch(collider);
    return status;
}

void scree_collider_end(struct scree_collider *collider)
{
    free_scratch(collider);
    drop_pushes(collider);
    scree_interaction_free(&collider->classes);
    *collider = (struct scree_collider){0};
}

struct phase_two {
    struct scree_collider *collider;
    bool move; // bodies whose forces are known go on
};

static void fetch_tile(const struct scree_world *world, size_t first, size_t bodies)
{
    for (size_t i = first; i < first + SCREE_MOVER_BLOCK && i < bodies; ++i) {
        __builtin_prefetch(&scree_world_grains(world)[i].position);
        __builtin_prefetch(&scree_world_grains(world)[i].spin);
    }
}

// Sums a block of a tile, and moves it on if asked: forces are forgotten then where no account is kept of
// what they do. `wall` is the tile's next contact with a wall.
static void finish_block(struct scree_collider *collider, const struct scree_collider_scratch *scratch,
                         struct scree_gather *gather, size_t tile, size_t first, size_t last, size_t *wall,
                         bool move)
{
    struct scree_wrench forces[SCREE_MOVER_BLOCK];
    const bool lightly =
        move && !collider->pushes && !scree_mover_keeps_accounts(collider->mover, first, last - first);
    gather->wrench = lightly ? forces : scree_world_wrenches(collider->world);
    gather->origin = lightly ? first : 0;
    scree_gather_contacts(gather, first, last);
    scree_wall_contacts_add(collider, scratch, gather, tile, last, wall);
    if (lightly)
        scree_mover_advance_with(collider->mover, first, last - first, forces);
    else if (move)
        scree_mover_advance_block(collider->mover, first, last - first);
}

// Moments are 0 where nobody asks where the time goes.
static double start(const struct scree_collider *collider)
{
    return collider->profile && collider->profile->on ? scree_profile_now() : 0;
}

static void lap(double *moment, double *spent)
{
    if (!(*moment > 0))
        return;
    const double now = scree_profile_now();
    *spent += now - *moment;
    *moment = now;
}

static void do_tile(struct scree_collider *collider, struct scree_collider_scratch *scratch, size_t tile,
                    bool move)
{
    struct scree_world *world = collider->world;
    const struct scree_contacts *contacts = contacts_of(collider);
    const size_t bodies = scree_world_bodies(world);
    const size_t first = tile * SCREE_CONTACTS_TILE;
    const size_t last = first + SCREE_CONTACTS_TILE < bodies ? first + SCREE_CONTACTS_TILE : bodies;
    double moment = start(collider);
    walk(collider, scratch, contacts->inside[tile], contacts->inside[tile + 1], scratch->push, false);
    lap(&moment, &scratch->spent[0]);
    scree_wall_contacts_walk(collider, scratch, tile);
    lap(&moment, &scratch->spent[1]);
    struct scree_gather gather = {.contacts = contacts,
                                  .rows = &collider->rows,
                                  .across = collider->across,
                                  .inside = scratch->push,
                                  .first = contacts->inside[tile],
                                  .end = last,
                                  .width = collider->width,
                                  .stepped = collider->step > 0,
                                  .loss = scree_world_losses(world)};
    size_t wall = contacts->walls.first[tile];
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK) {
        fetch_tile(world, at + LOOK_AHEAD, bodies);
        finish_block(collider, scratch, &gather, tile, at,
                     at + SCREE_MOVER_BLOCK < last ? at + SCREE_MOVER_BLOCK : last, &wall, move);
    }
    lap(&moment, &scratch->spent[2]);
}

static void do_tiles(void *context, size_t first, size_t last, int thread)
{
    const struct phase_two *phase = (const struct phase_two *)context;
    for (size_t tile = first; tile < last; ++tile)
        do_tile(phase->collider, &phase->collider->scratch[thread], tile, phase->move);
}

// All threads together tell what the time of the phase went to.
static void tell_phase(const struct scree_collider *collider)
{
    static const scree_profile_part part[3] = {SCREE_PROFILE_INSIDE, SCREE_PROFILE_WALLS,
                                               SCREE_PROFILE_MOTION};
    double spent[3] = {0};
    for (int t = 0; t < collider->threads; ++t)
        for (int k = 0; k < 3; ++k)
            spent[k] += collider->scratch[t].spent[k];
    scree_profile_split(collider->profile, part, spent, 3);
}

void scree_collider_inside(struct scree_collider *collider, bool move)
{
    struct phase_two phase = {collider, move};
    for (int t = 0; t < collider->threads; ++t)
        memset(collider->scratch[t].spent, 0, sizeof collider->scratch[t].spent);
    scree_team_run(&collider->mover->team, contacts_of(collider)->tiles, 1, do_tiles, &phase);
    collider->excess = 0;
    for (int t = 0; t < collider->threads; ++t)
        if (collider->scratch[t].excess > collider->excess)
            collider->excess = collider->scratch[t].excess;
    if (collider->profile)
        tell_phase(collider);
}
