// The collider, see collider.h.

#include "engine/collider.h"

#include "base/memory.h"
#include "base/processor.h"
#include "detect/row_groups.h"
#include "engine/wall_contacts.h"
#include "law/look.h"
#include "law/prepare.h"

#include <math.h>
#include <string.h>

// the near candidates of one class, filled up to whole batches
enum { WIDTH = SCREE_KERNEL_WIDTH, ROOM = SCREE_NEAR_CHUNK + WIDTH * (SCREE_CONTACTS_NO_CLASS + 1) };

static const struct scree_contacts *contacts_of(const struct scree_collider *collider)
{
    return &collider->world->contacts;
}

struct scree_kernel_job scree_collider_job(struct scree_collider *collider,
                                           struct scree_collider_scratch *scratch)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    return (struct scree_kernel_job){
        .grain = scree_world_grains(collider->world),
        .pair = contacts->pair,
        .history = contacts->history,
        .stride = contacts->stride,
        .rule = {.step = collider->step,
                 .period = {collider->period[0], collider->period[1], collider->period[2]},
                 .arm = 0.5,
                 .turning = scree_law_tangential_share(collider->world->dimension),
                 .limit = collider->limit},
        .live = contacts->live,
        .reach = collider->search.reach,
        .leave = scree_near_leave,
        .holds = collider->holds,
        .excess = &scratch->excess,
        .sum = collider->sums.sum,
        .inner = collider->sums.inner,
        .nowhere = scree_sums_nowhere(&collider->sums, (int)(scratch - collider->scratch)),
        .tries = collider->tries,
        .measure = collider->measures ? scree_sums_measure : NULL,
        .beyond = scree_sums_beyond,
        .context = &collider->sums,
    };
}

void scree_collider_spread(const uint32_t *candidate, size_t count, uint32_t *out)
{
    const size_t batches = count / WIDTH;
    for (size_t b = 0; b < batches; ++b)
        for (size_t l = 0; l < WIDTH; ++l)
            out[WIDTH * b + l] = candidate[l * batches + b];
    for (size_t k = WIDTH * batches; k < count; ++k)
        out[k] = candidate[k];
}

static void read_class(const struct scree_law_class *class, bool wall, struct scree_kernel_job *job)
{
    job->rule.arm = scree_law_class_arm(class, wall);
    memcpy(job->rule.constants, class->constants, sizeof job->rule.constants);
    memcpy(job->rule.resistance, class->constants + SCREE_LAW_CONSTANTS, sizeof job->rule.resistance);
}

// Runs the loop of a class over a list, which is filled up by repeating its last.
static void run_class(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                      struct scree_kernel_job *job, size_t number, const uint32_t *listed, size_t count,
                      enum scree_kernel_place where)
{
    const struct scree_law_class *c = &collider->classes.class[number];
    uint32_t *candidate = scratch->spread;
    if (count == 0)
        return;
    scree_collider_spread(listed, count, candidate);
    job->candidate = candidate;
    job->count = count;
    for (; count % WIDTH != 0; ++count)
        candidate[count] = candidate[count - 1];
    read_class(c, where == SCREE_KERNEL_WALL, job);
    c->law->kernel[scree_processor_set()][c->resists][where](job);
}

// Whether all of a list are of one class, as they mostly are: there is nothing to sort then.
static bool is_of_one(const uint8_t *sort, const uint32_t *candidate, size_t count)
{
    unsigned others = 0;
    for (size_t k = 0; k < count; ++k)
        others |= (unsigned)(sort[candidate[k]] ^ sort[candidate[0]]);
    return others == 0;
}

// Runs the loops of all classes over a list of candidates of any.
void scree_collider_run(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                        struct scree_kernel_job *job, const uint8_t *sort, size_t count,
                        enum scree_kernel_place where)
{
    if (count == 0)
        return;
    if (!sort || is_of_one(sort, scratch->candidate, count)) {
        const size_t only = sort ? sort[scratch->candidate[0]] : 0;
        run_class(collider, scratch, job, only, scratch->candidate, count, where);
        return;
    }
    uint32_t first[SCREE_CONTACTS_NO_CLASS + 1] = {0}, fill[SCREE_CONTACTS_NO_CLASS + 1];
    uint32_t number[SCREE_CONTACTS_NO_CLASS + 1] = {0};
    for (size_t k = 0; k < count; ++k)
        ++number[sort[scratch->candidate[k]]];
    for (size_t c = 1; c < collider->classes.count; ++c)
        first[c] = (first[c - 1] + number[c - 1] + WIDTH - 1) / WIDTH * WIDTH;
    memcpy(fill, first, sizeof fill);
    for (size_t k = 0; k < count; ++k)
        scratch->sorted[fill[sort[scratch->candidate[k]]]++] = scratch->candidate[k];
    for (size_t c = 0; c < collider->classes.count; ++c)
        run_class(collider, scratch, job, c, scratch->sorted + first[c], number[c], where);
}

size_t scree_collider_pick(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                           size_t at, size_t end, bool across)
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
        .tries = collider->tries,
        .ended = scratch->ended};
    const struct scree_near_count count =
        (across ? set->across : set->inside)(&job, at, end, scratch->candidate);
    scratch->ends = count.ended;
    return count.near;
}

// Whatever the law said, nothing of what has ended outlives the step.
void scree_collider_forget(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                           double *history, size_t stride)
{
    for (size_t k = 0; k < scratch->ends && !collider->tries; ++k)
        memset(history + scratch->ended[k] * stride, 0, stride * sizeof *history);
    scratch->ends = 0;
}

// What a piece's crowded grains have would run over if it were left for long.
struct place {
    const struct scree_pieces *pieces;
    size_t piece;
};

static uint32_t row_of(const void *context, uint32_t grain)
{
    const struct place *place = (const struct place *)context;
    return scree_pieces_row_of(place->pieces, place->piece, grain);
}

const struct scree_law_class *scree_collider_rows(const struct scree_collider *collider, size_t tile,
                                                  size_t group, struct scree_kernel_job *job, size_t *next)
{
    enum { DEEPEST = SCREE_ROW_GROUPS_LANES * SCREE_ROW_GROUPS_DEEPEST };
    const struct scree_contacts *contacts = contacts_of(collider);
    const size_t end = contacts->group[tile + 1], number = contacts->sort ? contacts->sort[job->first] : 0;
    job->depth = contacts->depth + group;
    job->groups = 0;
    *next = job->first;
    do {
        *next += SCREE_ROW_GROUPS_LANES * (size_t)job->depth[job->groups++];
    } while (group + job->groups < end && *next - job->first <= SCREE_NEAR_CHUNK - DEEPEST &&
             (!contacts->sort || contacts->sort[*next] == number));
    read_class(&collider->classes.class[number], false, job);
    return &collider->classes.class[number];
}

// The rows of a tile of a piece; returns how many candidates they have.
static size_t walk_rows(struct scree_collider *collider, struct scree_collider_scratch *scratch, size_t piece,
                        size_t tile)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    const struct place place = {&collider->pieces, piece};
    struct scree_kernel_job job = scree_collider_job(collider, scratch);
    const size_t first = scree_contacts_first(contacts, tile, SCREE_CONTACTS_ROWS);
    size_t next = first;
    job.into = collider->pieces.into;
    for (size_t g = contacts->group[tile]; g < contacts->group[tile + 1]; g += job.groups) {
        job.first = next;
        const struct scree_law_class *class = scree_collider_rows(collider, tile, g, &job, &next);
        class->law->kernel[scree_processor_set()][class->resists][SCREE_KERNEL_ROWS](&job);
        if (collider->sums.crowded_count > 0 && !collider->tries)
            scree_sums_empty_crowded(&collider->sums, row_of, &place);
    }
    return next - first;
}

// The contacts of a list of candidates of a piece; returns how many are near.
static size_t walk(struct scree_collider *collider, struct scree_collider_scratch *scratch, size_t piece,
                   size_t first, size_t last, bool across)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    const struct place place = {&collider->pieces, piece};
    struct scree_kernel_job job = scree_collider_job(collider, scratch);
    size_t near = 0;
    job.into = across ? collider->pieces.into : NULL;
    // what fills up a range pairs a slot with itself
    while (last > first && contacts->pair[last - 1].low == contacts->pair[last - 1].high)
        --last;
    for (size_t at = first; at < last; at += SCREE_NEAR_CHUNK) {
        const size_t end = at + SCREE_NEAR_CHUNK < last ? at + SCREE_NEAR_CHUNK : last;
        const size_t count = scree_collider_pick(collider, scratch, at, end, across);
        near += count;
        scree_collider_run(collider, scratch, &job, contacts->sort, count,
                           across ? SCREE_KERNEL_ACROSS : SCREE_KERNEL_INSIDE);
        scree_collider_forget(collider, scratch, contacts->history, contacts->stride);
        if (collider->sums.crowded_count > 0 && !collider->tries)
            scree_sums_empty_crowded(&collider->sums, row_of, &place);
    }
    return near;
}

static void measure_classes(struct scree_collider *collider)
{
    double largest = 0;
    size_t stride = 0;
    collider->inner = false;
    collider->unknown = false;
    for (size_t c = 0; c < collider->classes.count; ++c) {
        const struct scree_law_class *class = &collider->classes.class[c];
        const size_t room = (scree_look_history(class) + 3) / 4 * 4;
        stride = room > stride ? room : stride;
        collider->inner = collider->inner || class->resists || class->law->loses;
    }
    for (size_t i = 0; i < scree_world_bodies(collider->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(collider->world)[i];
        largest = grain->radius > largest ? grain->radius : largest;
        collider->unknown = collider->unknown || (grain->quantum == 0 && grain->radius > 0);
    }
    collider->search.stride = stride;
    collider->search.reach = scree_interaction_reach(&collider->classes, largest);
}

// Room for what the new lists can come to.
static scree_status make_room(struct scree_collider *collider)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    SCREE_TRY(scree_pieces_cut(&collider->pieces, contacts, &collider->mover->team));
    SCREE_TRY(scree_sums_prepare(&collider->sums, contacts, collider->pieces.rows, collider->threads,
                                 collider->inner));
    collider->sums.grain_of = collider->pieces.grain_of;
    size_t most = 0;
    for (size_t t = 0; t < contacts->tiles; ++t) {
        const size_t count = contacts->walls.first[t + 1] - contacts->walls.first[t];
        most = count > most ? count : most;
    }
    for (int t = 0; t < collider->threads; ++t) {
        struct scree_collider_scratch *scratch = &collider->scratch[t];
        SCREE_TRY(
            scree_memory_grow((void **)&scratch->wall, &scratch->wall_records, most, sizeof *scratch->wall));
        SCREE_TRY(scree_memory_grow((void **)&scratch->wall_push, &scratch->wall_room,
                                    most * SCREE_KERNEL_PUSH, sizeof(double)));
    }
    return SCREE_OK;
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
        SCREE_TRY(scree_memory_new(4 * ROOM, sizeof(uint32_t), (void **)&scratch->candidate));
        scratch->sorted = scratch->candidate + ROOM;
        scratch->ended = scratch->candidate + 2 * ROOM;
        scratch->spread = scratch->candidate + 3 * ROOM;
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
    // pieces are of the old lists, sums are zero, and a search needs the room
    scree_pieces_free(&collider->pieces);
    scree_sums_free(&collider->sums);
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
    // where fewer touch, loading a grain once saves little, and pairs come and go (bench-contacts: chute)
    collider->search.rows_from = 1;
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
    scree_pieces_free(&collider->pieces);
    scree_sums_free(&collider->sums);
    scree_interaction_free(&collider->classes);
    *collider = (struct scree_collider){0};
}

// Sums a block whose contacts have all been evaluated, and hands it to what becomes of it.
static void finish_block(struct scree_collider *collider, size_t first, size_t last, bool sparse,
                         const struct scree_collider_sequel *sequel)
{
    struct scree_world *world = collider->world;
    struct scree_grain *grain = scree_world_grains(world);
    struct scree_wrench forces[SCREE_MOVER_BLOCK] __attribute__((aligned(64)));
    // quanta are chosen by the velocities that sums were made at
    if (sequel && collider->step > 0 && !collider->measures &&
        sequel->whole(sequel->self, &collider->sums, first, last))
        return;
    const bool lightly = sequel && !collider->pushes && sequel->passes(sequel->self, first, last);
    scree_sums_take(&collider->sums, grain, first, last,
                    lightly ? forces : scree_world_wrenches(world) + first, scree_world_losses(world),
                    !(collider->step > 0) ? SCREE_SUMS_LOOK
                    : sparse              ? SCREE_SUMS_SPARSE
                                          : SCREE_SUMS_STEP);
    for (size_t i = first; i < last && collider->measures; ++i)
        scree_sums_choose(&collider->sums, &grain[i], (uint32_t)i, collider->step);
    if (sequel)
        sequel->work(sequel->self, first, last, lightly ? forces : scree_world_wrenches(world) + first);
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

struct evaluation {
    struct scree_collider *collider;
    const struct scree_collider_sequel *sequel;
};

static size_t end_of_block(const struct scree_collider *collider, size_t block)
{
    const size_t end = (block + 1) * SCREE_MOVER_BLOCK, bodies = scree_world_bodies(collider->world);
    return end < bodies ? end : bodies;
}

// Asks for what the next tile will read and write.
static void fetch_block(const struct scree_collider *collider, size_t first)
{
    const struct scree_losses *loss = scree_world_losses(collider->world);
    const size_t grains = contacts_of(collider)->grains;
    const size_t last = first + SCREE_MOVER_BLOCK < grains ? first + SCREE_MOVER_BLOCK : grains;
    const struct scree_grain *grain = scree_world_grains(collider->world);
    // rows come in an order that no processor foresees
    const size_t tile = first / SCREE_CONTACTS_TILE;
    const bool rows =
        first < grains && contacts_of(collider)->group[tile + 1] > contacts_of(collider)->group[tile];
    for (size_t i = first; i < last; ++i) {
        __builtin_prefetch(collider->sums.sum + SCREE_TERMS * i, 1);
        if (rows) {
            __builtin_prefetch(&grain[i].position, 1);
            __builtin_prefetch(&grain[i].spin, 1);
        }
        if (i % 2 == 0)
            __builtin_prefetch(&loss[i], 1);
    }
}

static void do_tile(const struct evaluation *evaluation, size_t piece, size_t tile,
                    struct scree_collider_scratch *scratch)
{
    struct scree_collider *collider = evaluation->collider;
    const struct scree_contacts *contacts = contacts_of(collider);
    const size_t *first = contacts->first + SCREE_CONTACTS_RANGES * tile;
    double moment = start(collider);
    size_t near = walk_rows(collider, scratch, piece, tile);
    lap(&moment, &scratch->spent[0]);
    near += walk(collider, scratch, piece, first[1], first[2], false);
    near += walk(collider, scratch, piece, first[2], first[3], true);
    lap(&moment, &scratch->spent[1]);
    scree_wall_contacts_walk(collider, scratch, tile);
    scree_wall_contacts_add(collider, scratch, tile);
    lap(&moment, &scratch->spent[2]);
    const size_t blocks = SCREE_CONTACTS_TILE / SCREE_MOVER_BLOCK;
    const bool sparse = near < SCREE_CONTACTS_TILE / 8;
    for (size_t b = tile * blocks; b < (tile + 1) * blocks && !collider->tries; ++b) {
        const size_t at = b * SCREE_MOVER_BLOCK;
        if (at >= contacts->grains || scree_pieces_waits(&collider->pieces, b))
            continue;
        fetch_block(collider, at + SCREE_CONTACTS_TILE);
        finish_block(collider, at, end_of_block(collider, b), sparse, evaluation->sequel);
    }
    lap(&moment, &scratch->spent[3]);
}

static void do_pieces(void *context, size_t first, size_t last, int thread)
{
    const struct evaluation *evaluation = (const struct evaluation *)context;
    struct scree_collider *collider = evaluation->collider;
    const size_t *tile = collider->pieces.tile;
    for (size_t piece = first; piece < last; ++piece)
        for (size_t t = tile[piece]; t < tile[piece + 1]; ++t)
            do_tile(evaluation, piece, t, &collider->scratch[thread]);
}

// Blocks that waited for other pieces.
static void do_waiting(void *context, size_t first, size_t last, int thread)
{
    const struct evaluation *evaluation = (const struct evaluation *)context;
    struct scree_collider *collider = evaluation->collider;
    const struct scree_pieces *pieces = &collider->pieces;
    double moment = start(collider);
    for (size_t b = first; b < last; ++b) {
        if (!scree_pieces_waits(pieces, b))
            continue;
        for (size_t r = pieces->block_first[b]; r < pieces->block_first[b + 1]; ++r)
            scree_sums_merge(&collider->sums, pieces->row[r].row, pieces->row[r].grain);
        finish_block(collider, b * SCREE_MOVER_BLOCK, end_of_block(collider, b), false, evaluation->sequel);
    }
    lap(&moment, &collider->scratch[thread].spent[3]);
}

// All threads together tell what the time of the evaluation went to.
static void tell_parts(const struct scree_collider *collider)
{
    static const scree_profile_part part[4] = {SCREE_PROFILE_ROWS, SCREE_PROFILE_LISTS, SCREE_PROFILE_WALLS,
                                               SCREE_PROFILE_MOTION};
    double spent[4] = {0};
    for (int t = 0; t < collider->threads; ++t)
        for (int k = 0; k < 4; ++k)
            spent[k] += collider->scratch[t].spent[k];
    scree_profile_split(collider->profile, part, spent, 4);
}

static void walk_all(struct scree_collider *collider, const struct scree_collider_sequel *sequel)
{
    struct evaluation evaluation = {collider, sequel};
    const struct scree_team *team = &collider->mover->team;
    const size_t bodies = contacts_of(collider)->grains;
    scree_sums_begin(&collider->sums, collider->measures);
    scree_team_run(team, collider->pieces.count, 1, do_pieces, &evaluation);
    if (collider->pieces.rows > 0 && !collider->tries)
        scree_team_run(team, (bodies + SCREE_MOVER_BLOCK - 1) / SCREE_MOVER_BLOCK, 1, do_waiting,
                       &evaluation);
}

// Grains that are new have no quantum. In a step it follows from what they are; for a state that is only
// looked at forces are measured first.
static void choose_unknown(struct scree_collider *collider)
{
    struct scree_grain *grain = scree_world_grains(collider->world);
    collider->measures = collider->tries = collider->step == 0;
    scree_sums_begin(&collider->sums, true);
    if (collider->tries)
        walk_all(collider, NULL);
    for (size_t i = 0; i < contacts_of(collider)->grains; ++i)
        if (grain[i].quantum == 0)
            scree_sums_choose(&collider->sums, &grain[i], (uint32_t)i, collider->step);
    collider->unknown = collider->tries;
    collider->tries = false;
}

void scree_collider_evaluate(struct scree_collider *collider, double step,
                             const struct scree_collider_sequel *sequel)
{
    collider->step = step;
    collider->holds = collider->world->holds;
    collider->pushes = scree_wall_contacts_push(collider->world);
    for (int t = 0; t < collider->threads; ++t) {
        collider->scratch[t].excess = 0;
        memset(collider->scratch[t].spent, 0, sizeof collider->scratch[t].spent);
    }
    if (collider->unknown)
        choose_unknown(collider);
    collider->measures = step > 0 && scree_world_clock(collider->world)->steps % SCREE_SUMS_EVERY == 1;
    walk_all(collider, sequel);
    collider->excess = 0;
    for (int t = 0; t < collider->threads; ++t)
        if (collider->scratch[t].excess > collider->excess)
            collider->excess = collider->scratch[t].excess;
    if (collider->profile)
        tell_parts(collider);
}
