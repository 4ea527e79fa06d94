// Evaluating contacts, see evaluate.h.

#include "contact/evaluate.h"

#include "base/clock.h"
#include "base/processor.h"
#include "contact/bond_evaluate.h"
#include "contact/evaluate_one.h"
#include "contact/outside_evaluate.h"
#include "contact/wall_contacts.h"

#include <string.h>

static const struct scree_contacts *contacts_of(const struct scree_collider *collider)
{
    return &collider->world->contacts;
}

// Maps crowded grains to their rows in a piece. The sums of these rows are emptied regularly, so that they
// cannot overflow.
struct row_map {
    const struct scree_pieces *pieces;
    size_t piece;
};

static uint32_t row_of(const void *context, uint32_t grain)
{
    const struct row_map *row_map = (const struct row_map *)context;
    return scree_pieces_row_of(row_map->pieces, row_map->piece, grain);
}

// Evaluates the rows of a tile; returns the number of their candidates.
static size_t evaluate_rows(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                            size_t piece, size_t tile)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    const struct row_map row_map = {&collider->pieces, piece};
    struct scree_kernel_job job = scree_collider_job(collider, scratch, tile);
    const size_t first = scree_contacts_first(contacts, tile, SCREE_CONTACTS_ROWS);
    size_t next = first;
    job.sum_index = collider->pieces.sum_index;
    for (size_t g = contacts->group[tile]; g < contacts->group[tile + 1]; g += job.groups) {
        job.first = next;
        const struct scree_law_class *class = scree_collider_prepare_rows(collider, tile, g, &job, &next);
        class->law->kernel[scree_processor_set()][class->resists][SCREE_KERNEL_ROWS](&job);
        if (collider->sums.crowded_count > 0 && !collider->measure_only)
            scree_sums_empty_crowded(&collider->sums, row_of, &row_map);
    }
    return next - first;
}

// Evaluates a list of candidates; returns how many are within interaction range.
static size_t evaluate_list(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                            size_t piece, size_t tile, bool across)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    const struct row_map row_map = {&collider->pieces, piece};
    struct scree_kernel_job job = scree_collider_job(collider, scratch, tile);
    const enum scree_contacts_range range = across ? SCREE_CONTACTS_ACROSS : SCREE_CONTACTS_INSIDE;
    const size_t first = scree_contacts_first(contacts, tile, (int)range);
    size_t last = scree_contacts_first(contacts, tile, (int)range + 1), in_range = 0;
    job.sum_index = across ? collider->pieces.sum_index : NULL;
    // padding pairs a slot with itself
    while (last > first && contacts->pair[last - 1].low == contacts->pair[last - 1].high)
        --last;
    for (size_t at = first; at < last; at += SCREE_PAIR_FILTER_CHUNK) {
        const size_t end = at + SCREE_PAIR_FILTER_CHUNK < last ? at + SCREE_PAIR_FILTER_CHUNK : last;
        const size_t count = scree_collider_filter(collider, scratch, at, end, across);
        in_range += count;
        scree_collider_run(collider, scratch, &job, contacts->class_of, count,
                           across ? SCREE_KERNEL_ACROSS : SCREE_KERNEL_INSIDE);
        scree_collider_clear_ended(collider, scratch, contacts->history, contacts->stride);
        if (collider->sums.crowded_count > 0 && !collider->measure_only)
            scree_sums_empty_crowded(&collider->sums, row_of, &row_map);
    }
    return in_range;
}

// Takes the sums of a block whose contacts are complete, and calls `after`.
static void finish_block(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                         size_t first, size_t last, bool sparse, const struct scree_evaluate_callbacks *after)
{
    struct scree_world *world = collider->world;
    struct scree_grain *grain = scree_world_grains(world);
    struct scree_wrench forces[SCREE_SUMS_BLOCK] __attribute__((aligned(64)));
    const int thread = (int)(scratch - collider->scratch);
    // quanta are chosen below from the velocities of this evaluation, so bodies must not be moved before that
    const bool carries =
        scree_carried_block_of(&collider->carried, first / SCREE_SUMS_BLOCK) != SCREE_CARRIED_NONE;
    const bool walls = scree_wall_bodies_in(&collider->wall_bodies, first / SCREE_SUMS_BLOCK);
    if (after && collider->step > 0 && !collider->measures && !carries && !walls &&
        after->from_sums(after->self, &collider->sums, first, last, thread))
        return;
    if (after && after->carried && collider->step > 0 && !collider->measures && !walls &&
        !collider->walls_move && scree_carried_by_all(&collider->carried, first / SCREE_SUMS_BLOCK))
        first += after->from_carried(after->self, &collider->sums, &collider->carried.owners, after->carried,
                                     first, last);
    if (first == last)
        return;
    const bool to_scratch = after && !collider->walls_move && after->forces_unused(after->self, first, last);
    struct scree_wrench *wrench = to_scratch ? forces : scree_world_wrenches(world) + first;
    const enum scree_sums_taking taking = !(collider->step > 0) ? SCREE_SUMS_STATE
                                          : sparse              ? SCREE_SUMS_SPARSE
                                                                : SCREE_SUMS_STEP;
    // the own grain of a body that carries others has no contacts, or few
    scree_sums_take(&collider->sums, grain, first, last, wrench, scree_world_losses(world) + first,
                    carries && taking == SCREE_SUMS_STEP ? SCREE_SUMS_SPARSE : taking);
    if (carries && collider->skewed)
        scree_carried_across(&collider->carried, &collider->sums, world, &collider->cell, first, last,
                             &scratch->across);
    if (carries)
        scree_carried_add(&collider->carried, &collider->sums, world, first, last, wrench, taking,
                          collider->walls_move);
    if (walls)
        scree_wall_bodies_add(&collider->wall_bodies, first, last, wrench);
    for (size_t i = first; i < last && collider->measures; ++i)
        scree_sums_choose(&collider->sums, &grain[i], (uint32_t)i, collider->step);
    if (carries && collider->measures)
        scree_carried_choose(&collider->carried, &collider->sums, world, first, last, collider->step, false);
    if (after)
        after->block(after->self, first, last, wrench, thread);
    if (after && after->carried && carries)
        scree_grain_update_bodies(after->carried, &collider->carried.owners, first, last);
}

// Returns 0 if times are not measured.
static double start(const struct scree_collider *collider)
{
    return collider->timed ? scree_clock_now() : 0;
}

static void add_lap(double *lap_start, double *spent)
{
    if (!(*lap_start > 0))
        return;
    const double now = scree_clock_now();
    *spent += now - *lap_start;
    *lap_start = now;
}

struct evaluation {
    struct scree_collider *collider;
    const struct scree_evaluate_callbacks *after;
};

static size_t end_of_block(const struct scree_collider *collider, size_t block)
{
    const size_t end = (block + 1) * SCREE_SUMS_BLOCK, bodies = scree_world_bodies(collider->world);
    return end < bodies ? end : bodies;
}

// Prefetches what the next tile reads and writes.
static void prefetch_block(const struct scree_collider *collider, size_t first)
{
    const struct scree_losses *loss = scree_world_losses(collider->world);
    const size_t bodies = scree_world_bodies(collider->world);
    const size_t last = first + SCREE_SUMS_BLOCK < bodies ? first + SCREE_SUMS_BLOCK : bodies;
    const struct scree_grain *grain = scree_world_grains(collider->world);
    // the work of a cell that deforms is entered in all bodies
    const struct scree_wrench *accounts =
        scree_world_lattice(collider->world) ? scree_world_wrenches(collider->world) : NULL;
    // grains of rows are accessed in an irregular order
    const size_t tile = first / SCREE_CONTACTS_TILE;
    const bool rows =
        first < bodies && contacts_of(collider)->group[tile + 1] > contacts_of(collider)->group[tile];
    for (size_t i = first; i < last; ++i) {
        if (accounts)
            __builtin_prefetch(&accounts[i], 1);
        __builtin_prefetch(collider->sums.sum + SCREE_TERMS * i, 1);
        if (rows) {
            __builtin_prefetch(&grain[i].position, 1);
            __builtin_prefetch(&grain[i].spin, 1);
        }
        if (i % 2 == 0)
            __builtin_prefetch(&loss[i], 1);
    }
}

// Returns true if a block of bodies is complete only after all tiles.
static bool is_deferred(const struct scree_collider *collider, size_t block)
{
    const enum scree_carried_block carried = scree_carried_block_of(&collider->carried, block);
    if (scree_wall_bodies_in(&collider->wall_bodies, block))
        return true;
    return carried == SCREE_CARRIED_NONE ? scree_pieces_block_is_shared(&collider->pieces, block)
                                         : carried == SCREE_CARRIED_AFTER_ALL;
}

// Finishes the blocks that are complete with a tile of carried grains.
static void finish_ready(const struct evaluation *evaluation, struct scree_collider_scratch *scratch,
                         size_t tile)
{
    struct scree_collider *collider = evaluation->collider;
    const struct scree_carried *carried = &collider->carried;
    for (uint32_t r = carried->ready_first[tile]; r < carried->ready_first[tile + 1]; ++r)
        if (!scree_wall_bodies_in(&collider->wall_bodies, carried->ready[r]))
            finish_block(collider, scratch, carried->ready[r] * SCREE_SUMS_BLOCK,
                         end_of_block(collider, carried->ready[r]), false, evaluation->after);
}

static void evaluate_tile(const struct evaluation *evaluation, size_t piece, size_t tile,
                          struct scree_collider_scratch *scratch)
{
    struct scree_collider *collider = evaluation->collider;
    const struct scree_contacts *contacts = contacts_of(collider);
    double lap_start = start(collider);
    size_t in_range = evaluate_rows(collider, scratch, piece, tile);
    add_lap(&lap_start, &scratch->spent[SCREE_COLLIDER_ROWS]);
    in_range += evaluate_list(collider, scratch, piece, tile, false);
    in_range += evaluate_list(collider, scratch, piece, tile, true);
    if (collider->bonds.live > 0 && collider->bonds.count[tile] > 0) {
        scree_bond_evaluate_tile(collider, scratch, tile);
        in_range += collider->bonds.count[tile];
    }
    add_lap(&lap_start, &scratch->spent[SCREE_COLLIDER_LISTS]);
    if (contacts->outside.pairs > 0) {
        in_range += scree_outside_evaluate_tile(collider, scratch, tile);
        add_lap(&lap_start, &scratch->spent[SCREE_COLLIDER_OUTSIDE]);
    }
    scree_wall_contacts_evaluate(collider, scratch, tile);
    scree_wall_contacts_add(collider, scratch, tile);
    add_lap(&lap_start, &scratch->spent[SCREE_COLLIDER_WALLS]);
    const size_t blocks = SCREE_CONTACTS_TILE / SCREE_SUMS_BLOCK;
    const bool sparse = in_range < SCREE_CONTACTS_TILE / 8;
    for (size_t b = tile * blocks; b < (tile + 1) * blocks && !collider->measure_only; ++b) {
        const size_t at = b * SCREE_SUMS_BLOCK;
        if (at >= scree_world_bodies(collider->world) || is_deferred(collider, b) ||
            scree_carried_block_of(&collider->carried, b) != SCREE_CARRIED_NONE)
            continue;
        prefetch_block(collider, at + SCREE_CONTACTS_TILE);
        finish_block(collider, scratch, at, end_of_block(collider, b), sparse, evaluation->after);
    }
    if (collider->carried.block && !collider->measure_only)
        finish_ready(evaluation, scratch, tile);
    add_lap(&lap_start, &scratch->spent[SCREE_COLLIDER_AFTER]);
}

static void evaluate_pieces(void *context, size_t first, size_t last, int thread)
{
    const struct evaluation *evaluation = (const struct evaluation *)context;
    struct scree_collider *collider = evaluation->collider;
    const size_t *tile = collider->pieces.tile;
    for (size_t piece = first; piece < last; ++piece)
        for (size_t t = tile[piece]; t < tile[piece + 1]; ++t)
            evaluate_tile(evaluation, piece, t, &collider->scratch[thread]);
}

// Adds the extra rows of other pieces to the sums of these blocks.
static void merge_blocks(void *context, size_t first, size_t last, int thread)
{
    struct scree_collider *collider = ((const struct evaluation *)context)->collider;
    const struct scree_pieces *pieces = &collider->pieces;
    (void)thread;
    for (size_t b = first; b < last; ++b)
        for (size_t r = pieces->block_first[b]; r < pieces->block_first[b + 1]; ++r)
            scree_sums_merge(&collider->sums, pieces->row[r].row, pieces->row[r].grain);
}

static void finish_deferred(void *context, size_t first, size_t last, int thread)
{
    const struct evaluation *evaluation = (const struct evaluation *)context;
    struct scree_collider *collider = evaluation->collider;
    double lap_start = start(collider);
    for (size_t b = first; b < last; ++b)
        if (is_deferred(collider, b))
            finish_block(collider, &collider->scratch[thread], b * SCREE_SUMS_BLOCK,
                         end_of_block(collider, b), false, evaluation->after);
    add_lap(&lap_start, &collider->scratch[thread].spent[SCREE_COLLIDER_AFTER]);
}

static void merge_and_finish(void *context, size_t first, size_t last, int thread)
{
    for (size_t b = first; b < last; ++b) {
        merge_blocks(context, b, b + 1, thread);
        finish_deferred(context, b, b + 1, thread);
    }
}

static size_t blocks_of(size_t grains)
{
    return (grains + SCREE_SUMS_BLOCK - 1) / SCREE_SUMS_BLOCK;
}

// Finishes deferred blocks; sums of all carried grains are merged before those of bodies are taken.
static void finish_all_deferred(struct evaluation *evaluation)
{
    struct scree_collider *collider = evaluation->collider;
    const size_t blocks = blocks_of(scree_world_bodies(collider->world));
    const bool merges = collider->pieces.rows > 0;
    scree_wall_bodies_total(&collider->wall_bodies);
    if (!collider->carried.block && !collider->wall_bodies.block) {
        if (merges)
            scree_team_run(collider->team, blocks, 1, merge_and_finish, evaluation);
        return;
    }
    if (merges)
        scree_team_run(collider->team, blocks_of(contacts_of(collider)->grains), 1, merge_blocks, evaluation);
    scree_team_run(collider->team, blocks, 1, finish_deferred, evaluation);
}

// Adds up the times of all threads.
static void add_up_times(struct scree_collider *collider)
{
    for (int k = 0; k < SCREE_COLLIDER_PARTS; ++k) {
        collider->spent[k] = 0;
        for (int t = 0; t < collider->threads; ++t)
            collider->spent[k] += collider->scratch[t].spent[k];
    }
}

static void evaluate_all(struct scree_collider *collider, const struct scree_evaluate_callbacks *after)
{
    struct evaluation evaluation = {collider, after};
    scree_sums_begin(&collider->sums, collider->measures);
    scree_wall_bodies_begin(&collider->wall_bodies, collider->world);
    scree_team_run(collider->team, collider->pieces.count, 1, evaluate_pieces, &evaluation);
    if (!collider->measure_only)
        finish_all_deferred(&evaluation);
}

// New grains have no quantum. In a step it follows from mass, radius and velocity; without a step the forces
// are measured first.
static void choose_unknown(struct scree_collider *collider)
{
    struct scree_grain *grain = scree_world_grains(collider->world);
    collider->measures = collider->measure_only = collider->step == 0;
    scree_sums_begin(&collider->sums, true);
    if (collider->measure_only)
        evaluate_all(collider, NULL);
    const size_t bodies = scree_world_bodies(collider->world);
    for (size_t i = 0; i < bodies; ++i)
        if (grain[i].quantum == 0)
            scree_sums_choose(&collider->sums, &grain[i], (uint32_t)i, collider->step);
    if (collider->carried.block)
        scree_carried_choose(&collider->carried, &collider->sums, collider->world, 0, bodies, collider->step,
                             true);
    collider->quanta_missing = collider->measure_only;
    collider->measure_only = false;
}

static void enter_across(struct scree_collider *collider)
{
    for (int t = 1; t < collider->threads; ++t)
        scree_across_merge(&collider->scratch[0].across, &collider->scratch[t].across);
    scree_across_enter(&collider->scratch[0].across, collider->world, collider->step);
}

void scree_evaluate_contacts(struct scree_collider *collider, double step,
                             const struct scree_evaluate_callbacks *after)
{
    collider->step = step;
    collider->has_fixed = collider->world->has_fixed;
    collider->skewed = scree_evaluate_one_cell(collider->world, &collider->cell);
    collider->walls_move = scree_wall_contacts_any_moving(collider->world);
    for (int t = 0; t < collider->threads; ++t) {
        collider->scratch[t].excess = 0;
        collider->scratch[t].crowded.contacts = 0;
        memset(collider->scratch[t].spent, 0, sizeof collider->scratch[t].spent);
    }
    if (collider->quanta_missing)
        choose_unknown(collider);
    collider->measures = step > 0 && scree_world_clock(collider->world)->steps % SCREE_SUMS_EVERY == 1;
    for (int t = 0; t < collider->threads && collider->skewed; ++t)
        scree_across_clear(&collider->scratch[t].across);
    evaluate_all(collider, after);
    if (collider->skewed)
        enter_across(collider);
    collider->excess = 0;
    collider->crowded.contacts = 0;
    for (int t = 0; t < collider->threads; ++t) {
        const struct scree_collider_scratch *scratch = &collider->scratch[t];
        if (scratch->excess > collider->excess)
            collider->excess = scratch->excess;
        if (scratch->crowded.contacts > 0)
            scree_outside_room_note(&collider->crowded, scratch->crowded.key, scratch->crowded.contacts);
    }
    add_up_times(collider);
}
