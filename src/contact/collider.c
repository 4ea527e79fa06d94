// The collider, see collider.h.

#include "contact/collider.h"

#include "base/memory.h"
#include "base/processor.h"
#include "contact/evaluate_one.h"
#include "contact/outside_evaluate.h"
#include "contact/outside_lists.h"
#include "detect/row_groups.h"
#include "law/prepare.h"

#include <math.h>
#include <string.h>

// room for the candidates of a chunk, with each class padded to whole batches
enum {
    WIDTH = SCREE_KERNEL_WIDTH,
    CAPACITY = SCREE_PAIR_FILTER_CHUNK + WIDTH * (SCREE_CONTACTS_NO_CLASS + 1)
};

static const struct scree_contacts *contacts_of(const struct scree_collider *collider)
{
    return &collider->world->contacts;
}

struct scree_kernel_job scree_collider_job(struct scree_collider *collider,
                                           struct scree_collider_scratch *scratch, size_t tile)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    return (struct scree_kernel_job){
        .grain = scree_world_grains(collider->world),
        .cell = collider->skewed ? &collider->cell : NULL,
        .across = collider->skewed ? scree_across_visit : NULL,
        .across_context = &scratch->across,
        .pair = contacts->pair,
        .history = contacts->history,
        .stride = contacts->stride,
        .rule = {.step = collider->step,
                 .period = {collider->period[0], collider->period[1], collider->period[2]},
                 .arm = 0.5,
                 .tangential_ratio = scree_law_tangential_share(collider->world->dimension),
                 .limit = collider->limit},
        .live = contacts->live,
        .range = collider->search.range,
        .find_ended = scree_pair_filter_find_ended,
        .tangential_factor =
            scree_carried_in_tile(&collider->carried, tile) ? contacts->tangential_factor : NULL,
        .has_fixed = collider->has_fixed,
        .excess = &scratch->excess,
        .sum = collider->sums.sum,
        .internal = collider->sums.internal,
        .dummy_sum = scree_sums_dummy_row(&collider->sums, (int)(scratch - collider->scratch)),
        .measure_only = collider->measure_only,
        .measure = collider->measures ? scree_sums_measure : NULL,
        .split = scree_sums_split,
        .context = &collider->sums,
    };
}

void scree_collider_nearest(const struct scree_collider *collider, double difference[3], double velocity[3])
{
    struct scree_law_vector d = {difference[0], difference[1], difference[2]};
    struct scree_law_vector v = {velocity[0], velocity[1], velocity[2]};
    if (!collider->skewed) {
        for (int k = 0; k < 3; ++k)
            difference[k] = scree_kernel_nearest_image(difference[k], collider->period[k]);
        return;
    }
    const struct scree_law_vector n = scree_law_scale(-1, scree_kernel_periods(&collider->cell, d));
    d = scree_kernel_moved(d, collider->cell.vectors, n);
    v = scree_kernel_moved(v, collider->cell.half, n);
    difference[0] = d.x, difference[1] = d.y, difference[2] = d.z;
    velocity[0] = v.x, velocity[1] = v.y, velocity[2] = v.z;
}

void scree_collider_interleave(const uint32_t *candidate, size_t count, uint32_t *out)
{
    const size_t batches = count / WIDTH;
    for (size_t b = 0; b < batches; ++b)
        for (size_t l = 0; l < WIDTH; ++l)
            out[WIDTH * b + l] = candidate[l * batches + b];
    for (size_t k = WIDTH * batches; k < count; ++k)
        out[k] = candidate[k];
}

static void set_class(const struct scree_law_class *class, bool wall, struct scree_kernel_job *job)
{
    job->has_powers = class->law->powers != NULL;
    if (job->has_powers)
        job->powers = class->law->powers(class->constants);
    job->rule.arm = scree_law_class_arm(class, wall);
    memcpy(job->rule.constants, class->constants, sizeof job->rule.constants);
    memcpy(job->rule.resistance, class->constants + SCREE_LAW_CONSTANTS, sizeof job->rule.resistance);
}

// Runs the kernel of a class over a list, padded by repeating its last candidate.
static void run_class(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                      struct scree_kernel_job *job, size_t number, const uint32_t *listed, size_t count,
                      enum scree_kernel_loop loop)
{
    const struct scree_law_class *c = &collider->classes.class[number];
    uint32_t *candidate = scratch->interleaved;
    if (count == 0)
        return;
    scree_collider_interleave(listed, count, candidate);
    job->candidate = candidate;
    job->count = count;
    for (; count % WIDTH != 0; ++count)
        candidate[count] = candidate[count - 1];
    set_class(c, loop == SCREE_KERNEL_WALL, job);
    // contacts from outside end without a last evaluation
    job->has_powers = job->has_powers && loop != SCREE_KERNEL_OUTSIDE;
    c->law->kernel[scree_processor_set()][c->resists][loop](job);
}

// Usual case: all candidates of a list have the same class and need no sorting.
static bool is_one_class(const uint8_t *class_of, const uint32_t *candidate, size_t count)
{
    unsigned others = 0;
    for (size_t k = 0; k < count; ++k)
        others |= (unsigned)(class_of[candidate[k]] ^ class_of[candidate[0]]);
    return others == 0;
}

// Sorts a list by class and runs the kernel of each.
void scree_collider_run(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                        struct scree_kernel_job *job, const uint8_t *class_of, size_t count,
                        enum scree_kernel_loop loop)
{
    if (count == 0)
        return;
    if (!class_of || is_one_class(class_of, scratch->candidate, count)) {
        const size_t only = class_of ? class_of[scratch->candidate[0]] : 0;
        run_class(collider, scratch, job, only, scratch->candidate, count, loop);
        return;
    }
    uint32_t first[SCREE_CONTACTS_NO_CLASS + 1] = {0}, fill[SCREE_CONTACTS_NO_CLASS + 1];
    uint32_t number[SCREE_CONTACTS_NO_CLASS + 1] = {0};
    for (size_t k = 0; k < count; ++k)
        ++number[class_of[scratch->candidate[k]]];
    for (size_t c = 1; c < collider->classes.count; ++c)
        first[c] = (first[c - 1] + number[c - 1] + WIDTH - 1) / WIDTH * WIDTH;
    memcpy(fill, first, sizeof fill);
    for (size_t k = 0; k < count; ++k)
        scratch->sorted[fill[class_of[scratch->candidate[k]]]++] = scratch->candidate[k];
    for (size_t c = 0; c < collider->classes.count; ++c)
        run_class(collider, scratch, job, c, scratch->sorted + first[c], number[c], loop);
}

size_t scree_collider_filter(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                             size_t at, size_t end, bool across)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    const struct scree_pair_filter_set *set = &scree_pair_filter_sets[scree_processor_set()];
    const struct scree_pair_filter_job job = {
        .grain = scree_world_grains(collider->world),
        .pair = contacts->pair,
        .compaction = collider->compaction,
        .period = {collider->period[0], collider->period[1], collider->period[2]},
        .cell = collider->skewed ? &collider->cell : NULL,
        .range = collider->search.range,
        .history = contacts->history,
        .stride = contacts->stride,
        .live = contacts->live,
        .measure_only = collider->measure_only,
        .ended = scratch->ended};
    const struct scree_pair_filter_count count =
        (across ? set->across : set->inside)(&job, at, end, scratch->candidate);
    scratch->ended_count = count.ended;
    return count.in_range;
}

void scree_collider_clear_ended(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                                double *history, size_t stride)
{
    for (size_t k = 0; k < scratch->ended_count && stride > 0 && !collider->measure_only; ++k)
        memset(history + scratch->ended[k] * stride, 0, stride * sizeof *history);
    scratch->ended_count = 0;
}

const struct scree_law_class *scree_collider_prepare_rows(const struct scree_collider *collider, size_t tile,
                                                          size_t group, struct scree_kernel_job *job,
                                                          size_t *next)
{
    enum { MAX_DEPTH = SCREE_ROW_GROUPS_LANES * SCREE_ROW_GROUPS_MAX_DEPTH };
    const struct scree_contacts *contacts = contacts_of(collider);
    const size_t end = contacts->group[tile + 1],
                 number = contacts->class_of ? contacts->class_of[job->first] : 0;
    job->depth = contacts->depth + group;
    job->groups = 0;
    *next = job->first;
    do {
        *next += SCREE_ROW_GROUPS_LANES * (size_t)job->depth[job->groups++];
    } while (group + job->groups < end && *next - job->first <= SCREE_PAIR_FILTER_CHUNK - MAX_DEPTH &&
             (!contacts->class_of || contacts->class_of[*next] == number));
    set_class(&collider->classes.class[number], false, job);
    return &collider->classes.class[number];
}

// Room for lists of `capacity` candidates. A grain can touch more facets of a mesh at once than a chunk has
// candidates.
static scree_status fit_lists(struct scree_collider_scratch *scratch, size_t capacity)
{
    SCREE_TRY(scree_memory_grow((void **)&scratch->candidate, &scratch->list_capacity, 4 * capacity,
                                sizeof(uint32_t)));
    const size_t part = scratch->list_capacity / 4;
    scratch->sorted = scratch->candidate + part;
    scratch->ended = scratch->candidate + 2 * part;
    scratch->interleaved = scratch->candidate + 3 * part;
    return SCREE_OK;
}

static void measure_classes(struct scree_collider *collider)
{
    double largest = 0;
    size_t stride = 0;
    collider->internal = false;
    collider->quanta_missing = false;
    for (size_t c = 0; c < collider->classes.count; ++c) {
        const struct scree_law_class *class = &collider->classes.class[c];
        const size_t width = (scree_evaluate_one_history_length(class) + 3) / 4 * 4;
        stride = width > stride ? width : stride;
        collider->internal = collider->internal || class->resists || class->law->couple_or_internal;
    }
    for (size_t i = 0; i < scree_grain_count(collider->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(collider->world)[i];
        largest = grain->radius > largest ? grain->radius : largest;
        collider->quanta_missing = collider->quanta_missing || (grain->quantum == 0 && grain->radius > 0);
    }
    collider->search.stride = stride;
    collider->search.range = scree_interaction_range(&collider->classes, largest);
}

// Tangential factors, needed only with carried grains: without them all grains are round bodies.
static scree_status list_tangential_factors(struct scree_world *world)
{
    struct scree_contacts *contacts = &world->contacts;
    const size_t bodies = scree_world_bodies(world);
    if (!contacts->carried)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(contacts->grains, sizeof *contacts->tangential_factor,
                               (void **)&contacts->tangential_factor));
    for (size_t i = 0; i < contacts->grains; ++i)
        contacts->tangential_factor[i] = i < bodies ? scree_grain_round_tangential_factor(world->dimension)
                                                    : scree_grain_tangential_factor(world, i - bodies);
    return SCREE_OK;
}

// Allocates the arrays whose sizes depend on the new lists.
static scree_status allocate(struct scree_collider *collider)
{
    const struct scree_contacts *contacts = contacts_of(collider);
    SCREE_TRY(list_tangential_factors(collider->world));
    SCREE_TRY(scree_bond_lists_build(&collider->bonds, collider->world));
    SCREE_TRY(scree_pieces_cut(&collider->pieces, contacts, &collider->bonds, collider->team));
    SCREE_TRY(scree_carried_make(&collider->carried, collider->world, &collider->pieces, &collider->bonds));
    SCREE_TRY(scree_wall_bodies_make(&collider->wall_bodies, collider->world, collider->threads));
    SCREE_TRY(scree_sums_prepare(&collider->sums, contacts, collider->pieces.rows, collider->threads,
                                 collider->internal));
    collider->sums.grain_of = collider->pieces.grain_of;
    size_t most = 0;
    for (size_t t = 0; t < contacts->tiles; ++t) {
        const size_t count = contacts->walls.first[t + 1] - contacts->walls.first[t];
        most = count > most ? count : most;
    }
    for (int t = 0; t < collider->threads; ++t) {
        struct scree_collider_scratch *scratch = &collider->scratch[t];
        SCREE_TRY(fit_lists(scratch, CAPACITY + most));
        SCREE_TRY(
            scree_memory_grow((void **)&scratch->wall, &scratch->wall_capacity, most, sizeof *scratch->wall));
        SCREE_TRY(scree_memory_grow((void **)&scratch->region, &scratch->region_capacity, most, 1));
        SCREE_TRY(scree_outside_evaluate_prepare(scratch, contacts->outside.pairs));
        SCREE_TRY(scree_memory_grow((void **)&scratch->wall_terms, &scratch->wall_terms_capacity,
                                    most * SCREE_KERNEL_WALL_TERMS, sizeof(double)));
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
        scree_memory_free(collider->scratch[t].wall_terms);
        scree_memory_free(collider->scratch[t].region);
        scree_memory_free(collider->scratch[t].outside);
    }
    scree_memory_free(collider->scratch);
    collider->scratch = NULL;
    collider->threads = 0;
}

static scree_status make_scratch(struct scree_collider *collider)
{
    const int threads = scree_team_size(collider->team);
    SCREE_TRY(scree_memory_new((size_t)threads, sizeof *collider->scratch, (void **)&collider->scratch));
    collider->threads = threads;
    for (int t = 0; t < threads; ++t) {
        struct scree_collider_scratch *scratch = &collider->scratch[t];
        SCREE_TRY(fit_lists(scratch, CAPACITY));
    }
    return scree_entity_require(scree_world_entity(collider->world, SCREE_ENTITY_BODY), SCREE_BODY_LOSSES);
}

// The first contact law may be added after the engine was made.
static scree_status prepare_scratch(struct scree_collider *collider)
{
    if (collider->scratch)
        return SCREE_OK;
    const scree_status status = make_scratch(collider);
    if (status != SCREE_OK)
        free_scratch(collider);
    return status;
}

bool scree_collider_needs_search(struct scree_collider *collider)
{
    return scree_search_measure(&collider->search, collider->world, collider->team);
}

scree_status scree_collider_search(struct scree_collider *collider, bool may_sort)
{
    struct scree_world *world = collider->world;
    SCREE_TRY(prepare_scratch(collider));
    read_cell(collider);
    if (!scree_search_is_needed(&collider->search, world))
        return SCREE_OK;
    SCREE_TRY(scree_interaction_resolve(world, &collider->classes));
    SCREE_TRY(scree_joined_walls_find(world, &collider->joined));
    SCREE_TRY(scree_outside_lists_check(world, &collider->classes));
    SCREE_TRY(scree_grain_reserve_records(world));
    scree_grain_update_records(world, 0, collider->team);
    measure_classes(collider);
    // free memory for the search: pieces belong to the old lists, and sums are zero
    scree_pieces_free(&collider->pieces);
    scree_sums_free(&collider->sums);
    scree_wall_wear_collect(collider);
    SCREE_TRY(scree_search_run(&collider->search, world, &collider->classes, may_sort, collider->team));
    const scree_status status = allocate(collider);
    if (status != SCREE_OK)
        world->contacts_stale = true;
    return status;
}

scree_status scree_collider_begin(struct scree_collider *collider, struct scree_world *world,
                                  const struct scree_team *team)
{
    collider->world = world;
    collider->team = team;
    collider->search.sort_every = 8;
    // with fewer contacts loading a grain once saves little, and pairs change fast (bench-contacts: chute)
    collider->search.min_touching_per_grain = 1;
    collider->limit = (double)INFINITY;
    scree_pair_filter_fill(collider->compaction);
    if (!scree_collider_has_contacts(collider))
        return SCREE_OK;
    SCREE_TRY(prepare_scratch(collider));
    const scree_status status = scree_interaction_resolve(collider->world, &collider->classes);
    if (status != SCREE_OK)
        free_scratch(collider);
    return status;
}

void scree_collider_end(struct scree_collider *collider)
{
    free_scratch(collider);
    scree_bond_lists_free(&collider->bonds);
    scree_pieces_free(&collider->pieces);
    scree_sums_free(&collider->sums);
    scree_carried_free(&collider->carried);
    scree_wall_bodies_free(&collider->wall_bodies);
    scree_joined_walls_free(&collider->joined);
    scree_interaction_free(&collider->classes);
    scree_displacements_free(&collider->search.displacements);
    scree_memory_free(collider->wear.part);
    *collider = (struct scree_collider){0};
}
