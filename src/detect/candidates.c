// Builds the lists of candidates from the rows of neighbours; see candidates.h.
//
// Everything that may fail comes first. Then histories are moved within their memory: a second copy would be
// the largest block of a run.

#include "detect/candidates.h"

#include "base/memory.h"
#include "detect/carry.h"
#include "detect/row_groups.h"
#include "detect/rows.h"

#include <math.h>
#include <string.h>

enum { TILE = SCREE_CONTACTS_TILE, BATCH = 8 };

// 1 + the index of a candidate and a flag fit in 32 bits
static const size_t max_candidates = (size_t)1 << 31;
static const double infinity = (double)INFINITY;

// First candidate and first group of each tile, as in the lists, and the number of real candidates.
struct ranges {
    size_t *first, *group, *real;
};

struct task {
    const struct scree_candidates_input *input;
    struct scree_contacts *old;
    struct scree_contacts fresh;
    struct scree_rows rows;
    struct ranges ranges;
    struct scree_row_groups *groups; // by thread
    int threads;
    struct scree_carry carry;
};

// --- checks of the input

static scree_status check_lengths(const struct scree_candidates_input *input)
{
    if (!(input->margin >= 0 && input->margin <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the margin of the search must be from 0 to 1e150 m, not %g", input->margin);
    if (!(input->max_displacement >= 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the displacement until the next search must be at least 0 m, not %g",
                                 input->max_displacement);
    for (int k = 0; k < input->dimension; ++k)
        if (!(input->period[k] > 0) || (input->period[k] < infinity && !(fabs(input->lower[k]) < infinity)))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a periodic cell needs a finite lower corner and a positive width; along "
                "%c they are %g and %g",
                "xyz"[k], input -> lower[k], input -> period[k]);
    return SCREE_OK;
}

static scree_status check_input(const struct scree_candidates_input *input, const struct scree_contacts *old)
{
    if (input->dimension != 2 && input->dimension != 3)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a world has 2 or 3 dimensions, not %d",
                                 input->dimension);
    if (input->count > SCREE_CANDIDATES_GRAINS)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a world can have at most %zu grains, not %zu",
                                 SCREE_CANDIDATES_GRAINS, input->count);
    if (old->grains > input->count)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the lists have %zu grains, but the world has %zu; call "
                                 "scree_candidates_renumber after grains are removed",
                                 old->grains, input->count);
    for (size_t a = 0; a < input->materials; ++a)
        for (size_t b = 0; b < a; ++b)
            if (input->class_of[a * input->materials + b] != input->class_of[b * input->materials + a])
                return scree_status_fail(
                    SCREE_ERROR_ARGUMENT,
                    "the table of classes must be symmetric; the classes of materials %zu, %zu "
                    "and %zu, %zu differ",
                    a, b, b, a);
    if (input->stride > SCREE_CONTACTS_HISTORY)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a contact can have at most %d history values, not %zu",
                                 SCREE_CONTACTS_HISTORY, input->stride);
    return check_lengths(input);
}

// --- ranges

static size_t round_up_to_batch(size_t count)
{
    return (count + BATCH - 1) / BATCH * BATCH;
}

// Makes the groups of tiles to get their sizes.
static void measure_tiles(void *context, size_t first, size_t last, int thread)
{
    struct task *task = context;
    struct scree_row_groups *groups = &task->groups[thread];
    for (size_t t = first; t < last; ++t) {
        scree_row_groups_make(groups, &task->rows, task->input, t);
        size_t *size = task->ranges.first + SCREE_CONTACTS_RANGES * t + 1;
        size[SCREE_CONTACTS_ROWS] = groups->candidates;
        size[SCREE_CONTACTS_INSIDE] = round_up_to_batch(groups->inside);
        size[SCREE_CONTACTS_ACROSS] = round_up_to_batch(groups->across);
        task->ranges.group[t + 1] = groups->groups;
        task->ranges.real[t] = groups->real;
    }
}

static scree_status make_ranges(struct task *task)
{
    const struct scree_rows *rows = &task->rows;
    struct ranges *ranges = &task->ranges;
    const size_t all = SCREE_CONTACTS_RANGES * rows->tiles;
    SCREE_TRY(scree_memory_new(all + 1, sizeof(size_t), (void **)&ranges->first));
    SCREE_TRY(scree_memory_new(rows->tiles + 1, sizeof(size_t), (void **)&ranges->group));
    SCREE_TRY(scree_memory_new(rows->tiles, sizeof(size_t), (void **)&ranges->real));
    scree_team_run(task->input->team, rows->tiles, 1, measure_tiles, task);
    for (size_t r = 0; r < all; ++r)
        ranges->first[r + 1] += ranges->first[r];
    for (size_t t = 0; t < rows->tiles; ++t) {
        ranges->group[t + 1] += ranges->group[t];
        task->fresh.pair_count += ranges->real[t];
    }
    if (ranges->first[all] > max_candidates - BATCH)
        return scree_status_fail(SCREE_ERROR_LIMIT, "too many candidate pairs: %zu; the maximum is 2^31",
                                 task->fresh.pair_count);
    return SCREE_OK;
}

// --- rows

// Makes the groups of a tile; all rows are padding until their pairs are written.
static void fill_groups(const struct task *task, struct scree_row_groups *groups, size_t tile)
{
    const struct scree_contacts *fresh = &task->fresh;
    scree_row_groups_make(groups, &task->rows, task->input, tile);
    struct scree_pair *pair = fresh->pair + task->ranges.first[SCREE_CONTACTS_RANGES * tile];
    for (size_t g = 0; g < groups->groups; ++g)
        for (size_t k = 0; k < groups->depth[g]; ++k)
            for (size_t l = 0; l < SCREE_ROW_GROUPS_LANES; ++l) {
                const uint32_t owner = groups->owner[g * SCREE_ROW_GROUPS_LANES + l];
                *pair++ = (struct scree_pair){owner, owner};
            }
    if (groups->groups > 0)
        memcpy(fresh->depth + task->ranges.group[tile], groups->depth, groups->groups);
}

// Pads the lists of a tile with a grain of that tile: kernels read the grain, and other threads may be moving
// the grains of other tiles.
static void fill_lists(const struct task *task, size_t tile)
{
    const size_t *first = task->ranges.first + SCREE_CONTACTS_RANGES * tile;
    const uint32_t grain = (uint32_t)(tile * TILE);
    for (int range = SCREE_CONTACTS_INSIDE; range <= SCREE_CONTACTS_ACROSS; ++range)
        for (size_t c = first[range + 1], k = 0; k < BATCH && c > first[range]; ++k)
            task->fresh.pair[--c] = (struct scree_pair){grain, grain};
}

// writes the candidates of a tile, and finds them in the old lists
static void write_tile(const struct task *task, size_t tile, int thread)
{
    const struct scree_rows *rows = &task->rows;
    const struct scree_contacts *fresh = &task->fresh;
    struct scree_row_groups *groups = &task->groups[thread];
    const uint64_t *id = task->input->id;
    const struct scree_carry_scratch *carry =
        task->carry.candidates > 0 ? &task->carry.scratch[thread] : NULL;
    const size_t *first = task->ranges.first + SCREE_CONTACTS_RANGES * tile;
    // index of the next candidate of each kind, and its increment; `kind_of` maps the flags of an entry
    enum { ACROSS, INSIDE, ROW };
    static const uint8_t kind_of[4] = {ACROSS, ROW, INSIDE, ROW};
    static const uint8_t step[3] = {1, 1, SCREE_ROW_GROUPS_LANES};
    size_t next_of[3] = {first[SCREE_CONTACTS_ACROSS], first[SCREE_CONTACTS_INSIDE], 0};
    fill_groups(task, groups, tile);
    fill_lists(task, tile);
    scree_carry_index(&task->carry, tile, thread);
    for (uint32_t i = (uint32_t)(tile * TILE); i < (tile + 1) * TILE && i < rows->grains; ++i) {
        const uint32_t *row = scree_rows_row(rows, i), *entry = row + 1;
        uint32_t next = carry ? carry->first[i % TILE] : 0;
        next_of[ROW] = first[SCREE_CONTACTS_ROWS] + groups->next[i % TILE];
        scree_rows_prefetch(rows, i);
        for (size_t n = 0, length = scree_rows_length(row); n < length; ++n) {
            const uint32_t j = entry[n] >> 2;
            const bool high = id[i] > id[j];
            const unsigned kind = kind_of[entry[n] & 3];
            if (groups->classes > 1 && kind == ROW)
                next_of[ROW] =
                    first[SCREE_CONTACTS_ROWS] +
                    scree_row_groups_next(groups, scree_row_groups_class(task->input, i, j), i % TILE);
            const size_t candidate = next_of[kind];
            next_of[kind] += step[kind];
            fresh->pair[candidate] = (struct scree_pair){high ? j : i, high ? i : j};
            if (carry)
                task->carry.from[candidate] = scree_carry_match(carry, i % TILE, j, &next);
        }
    }
}

static void write_tiles(void *context, size_t first, size_t last, int thread)
{
    const struct task *task = context;
    for (size_t t = first; t < last; ++t)
        write_tile(task, t, thread);
}

// --- arrays of candidates

// Allocates the remaining arrays. Old memory of histories is used again if it has the right size. This is
// done last, so that a failure leaves the old histories unchanged.
static scree_status allocate_history(struct task *task)
{
    const struct scree_contacts *old = task->old;
    struct scree_contacts *fresh = &task->fresh;
    const size_t needed = fresh->candidates, slack = needed / 16;
    // the old array is used again if its length is the same
    if (old->grains != fresh->grains)
        SCREE_TRY(scree_memory_new(fresh->grains, sizeof *fresh->id, (void **)&fresh->id));
    if (task->input->carried) {
        SCREE_TRY(scree_memory_new(fresh->grains, sizeof *fresh->carried, (void **)&fresh->carried));
        SCREE_TRY(scree_memory_new(fresh->grains, sizeof *fresh->part, (void **)&fresh->part));
    }
    SCREE_TRY(scree_memory_new(fresh->candidates / 8, 1, (void **)&fresh->live));
    if (task->input->classes > 1)
        SCREE_TRY(scree_memory_new(fresh->candidates, 1, (void **)&fresh->class_of));
    if (task->input->layout) {
        const size_t classes = fresh->layouts = task->input->classes;
        SCREE_TRY(scree_memory_new(classes, sizeof *fresh->layout, (void **)&fresh->layout));
        if (classes > 0)
            memcpy(fresh->layout, task->input->layout, classes * sizeof *fresh->layout);
    }
    fresh->history_capacity = old->history_capacity;
    if (old->stride == fresh->stride && needed <= old->history_capacity &&
        old->history_capacity / 2 <= needed + slack) {
        fresh->history = old->history;
        return SCREE_OK;
    }
    fresh->history_capacity = round_up_to_batch(needed + slack);
    return scree_memory_new(fresh->history_capacity, fresh->stride * sizeof(double),
                            (void **)&fresh->history);
}

static void write_classes(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct task *task = context;
    const struct scree_candidates_input *input = task->input;
    for (size_t c = first; c < last; ++c) {
        const struct scree_pair pair = task->fresh.pair[c];
        const size_t low = scree_candidates_material(input, pair.low),
                     high = scree_candidates_material(input, pair.high);
        // the grain of a padding pair may have any material
        task->fresh.class_of[c] = pair.low == pair.high ? 0 : input->class_of[low * input->materials + high];
    }
}

// --- building

static scree_status make_groups(struct task *task)
{
    task->threads = scree_team_size(task->input->team);
    SCREE_TRY(scree_memory_new((size_t)task->threads, sizeof *task->groups, (void **)&task->groups));
    for (int t = 0; t < task->threads; ++t)
        SCREE_TRY(scree_row_groups_begin(&task->groups[t], task->input->classes));
    return SCREE_OK;
}

// Lists grains with SCREE_CONTACTS_CROWDED candidates or more.
static scree_status list_crowded(struct scree_contacts *contacts)
{
    uint32_t *count;
    SCREE_TRY(scree_memory_new(contacts->grains, sizeof *count, (void **)&count));
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        count[pair.low] += pair.low != pair.high;
        count[pair.high] += pair.low != pair.high;
    }
    size_t crowds = 0;
    for (size_t i = 0; i < contacts->grains; ++i)
        crowds += count[i] >= SCREE_CONTACTS_CROWDED;
    const scree_status status =
        scree_memory_new(crowds, sizeof *contacts->crowded, (void **)&contacts->crowded);
    for (size_t i = 0; status == SCREE_OK && i < contacts->grains; ++i)
        if (count[i] >= SCREE_CONTACTS_CROWDED)
            contacts->crowded[contacts->crowded_count++] = (uint32_t)i;
    scree_memory_free(count);
    return status;
}

static scree_status prepare(struct task *task)
{
    const struct scree_candidates_input *input = task->input;
    struct scree_contacts *fresh = &task->fresh;
    struct scree_rows *rows = &task->rows;
    SCREE_TRY(scree_rows_build(rows, input));
    SCREE_TRY(make_groups(task));
    SCREE_TRY(make_ranges(task));
    const size_t candidates = task->ranges.first[SCREE_CONTACTS_RANGES * rows->tiles];
    SCREE_TRY(scree_carry_begin(&task->carry, task->old, candidates, task->threads));
    fresh->grains = rows->grains;
    fresh->tiles = rows->tiles;
    fresh->candidates = candidates;
    fresh->stride = input->stride;
    SCREE_TRY(scree_memory_new(fresh->candidates, sizeof *fresh->pair, (void **)&fresh->pair));
    SCREE_TRY(scree_memory_new(task->ranges.group[rows->tiles], 1, (void **)&fresh->depth));
    scree_team_run(input->team, rows->tiles, 1, write_tiles, task);
    fresh->first = task->ranges.first;
    fresh->group = task->ranges.group;
    task->ranges.first = task->ranges.group = NULL;
    const bool crowded = rows->crowded;
    scree_rows_free(rows);
    if (crowded)
        SCREE_TRY(list_crowded(fresh));
    return allocate_history(task);
}

static void commit(struct task *task)
{
    const struct scree_candidates_input *input = task->input;
    struct scree_contacts *fresh = &task->fresh, *old = task->old;
    if (fresh->class_of)
        scree_team_run(input->team, fresh->candidates, TILE, write_classes, task);
    if (!fresh->id) {
        fresh->id = old->id;
        old->id = NULL;
    }
    if (input->count > 0)
        memcpy(fresh->id, input->id, input->count * sizeof *fresh->id);
    if (fresh->carried)
        memcpy(fresh->carried, input->carried, input->count * sizeof *fresh->carried);
    for (size_t i = 0; i < input->count && fresh->part; ++i)
        fresh->part[i] = input->grain[i].part;
    scree_carry_write(&task->carry, fresh, input->team);
    if (old->history == fresh->history)
        old->history = NULL;
    scree_candidates_free(old);
    fresh->walls = old->walls;
    fresh->outside = old->outside;
    *old = *fresh;
    *fresh = (struct scree_contacts){0};
}

scree_status scree_candidates_build(struct scree_contacts *contacts,
                                    const struct scree_candidates_input *input)
{
    SCREE_TRY(check_input(input, contacts));
    struct task task = {.input = input, .old = contacts};
    const scree_status status = prepare(&task);
    if (status == SCREE_OK)
        commit(&task);
    else
        scree_candidates_free(&task.fresh);
    scree_rows_free(&task.rows);
    scree_carry_free(&task.carry);
    for (int t = 0; task.groups && t < task.threads; ++t)
        scree_row_groups_end(&task.groups[t]);
    scree_memory_free(task.groups);
    scree_memory_free(task.ranges.first);
    scree_memory_free(task.ranges.group);
    scree_memory_free(task.ranges.real);
    return status;
}

// --- renumbering slots

struct renumber {
    struct scree_contacts *contacts;
    const uint32_t *new_slot;
    uint32_t *new_index; // [candidates] new index, UINT32_MAX if removed
    size_t kept, grains;
};

static scree_status choose_kept(struct renumber *task, size_t count)
{
    const struct scree_contacts *contacts = task->contacts;
    SCREE_TRY(scree_memory_new(contacts->candidates, sizeof *task->new_index, (void **)&task->new_index));
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        const bool stays = pair.low != pair.high && task->new_slot[pair.low] != UINT32_MAX &&
                           task->new_slot[pair.high] != UINT32_MAX;
        task->new_index[c] = stays ? (uint32_t)task->kept++ : UINT32_MAX;
    }
    for (size_t i = 0; i < count; ++i)
        if (task->new_slot[i] != UINT32_MAX && task->new_slot[i] >= task->grains)
            task->grains = (size_t)task->new_slot[i] + 1;
    if (task->kept > max_candidates)
        return scree_status_fail(SCREE_ERROR_LIMIT, "too many candidate pairs: %zu; the maximum is 2^31",
                                 task->kept);
    return SCREE_OK;
}

static void move_candidate(struct scree_contacts *contacts, const uint32_t *new_slot, size_t from, size_t to)
{
    const size_t stride = contacts->stride;
    const struct scree_pair pair = contacts->pair[from];
    const bool live = scree_contacts_is_live(contacts, from);
    contacts->pair[to] = (struct scree_pair){new_slot[pair.low], new_slot[pair.high]};
    contacts->live[to / 8] &= (uint8_t) ~(1u << to % 8);
    contacts->live[to / 8] |= (uint8_t)((unsigned)live << to % 8);
    if (contacts->class_of)
        contacts->class_of[to] = contacts->class_of[from];
    if (stride > 0 && from != to)
        memcpy(contacts->history + to * stride, contacts->history + from * stride, stride * sizeof(double));
}

static void clear_candidate(struct scree_contacts *contacts, size_t c)
{
    contacts->pair[c] = (struct scree_pair){0, 0};
    contacts->live[c / 8] &= (uint8_t) ~(1u << c % 8);
    if (contacts->stride > 0)
        memset(contacts->history + c * contacts->stride, 0, contacts->stride * sizeof(double));
}

// candidates only move to lower indices, so they can be moved in order
static void move_candidates(const struct renumber *task)
{
    struct scree_contacts *contacts = task->contacts;
    for (size_t c = 0; c < contacts->candidates; ++c)
        if (task->new_index[c] != UINT32_MAX)
            move_candidate(contacts, task->new_slot, c, task->new_index[c]);
    for (size_t c = task->kept; c < contacts->candidates; ++c)
        clear_candidate(contacts, c);
}

static scree_status renumber(struct renumber *task, size_t count, struct scree_contacts *fresh)
{
    struct scree_contacts *old = task->contacts;
    SCREE_TRY(choose_kept(task, count));
    fresh->grains = task->grains;
    fresh->tiles = (task->grains + TILE - 1) / TILE;
    fresh->candidates = round_up_to_batch(task->kept);
    SCREE_TRY(scree_memory_new(SCREE_CONTACTS_RANGES * fresh->tiles + 1, sizeof *fresh->first,
                               (void **)&fresh->first));
    SCREE_TRY(scree_memory_new(fresh->tiles + 1, sizeof *fresh->group, (void **)&fresh->group));
    SCREE_TRY(scree_memory_new(fresh->grains, sizeof *fresh->id, (void **)&fresh->id));
    if (old->carried) {
        SCREE_TRY(scree_memory_new(fresh->grains, sizeof *fresh->carried, (void **)&fresh->carried));
        SCREE_TRY(scree_memory_new(fresh->grains, sizeof *fresh->part, (void **)&fresh->part));
    }
    // all candidates go to the range ACROSS of the first tile
    for (size_t r = SCREE_CONTACTS_RANGES; r <= SCREE_CONTACTS_RANGES * fresh->tiles; ++r)
        fresh->first[r] = fresh->candidates;
    for (size_t i = 0; i < old->grains; ++i)
        if (task->new_slot[i] != UINT32_MAX) {
            fresh->id[task->new_slot[i]] = old->id[i];
            if (old->carried)
                fresh->carried[task->new_slot[i]] = old->carried[i];
            if (old->part)
                fresh->part[task->new_slot[i]] = old->part[i];
        }
    return SCREE_OK;
}

scree_status scree_candidates_renumber(struct scree_contacts *contacts, const uint32_t *new_slot,
                                       size_t count)
{
    if (count < contacts->grains)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the lists have %zu grains; got new slots of %zu only",
                                 contacts->grains, count);
    if (contacts->grains == 0)
        return SCREE_OK;
    struct renumber task = {.contacts = contacts, .new_slot = new_slot};
    struct scree_contacts fresh = {0};
    const scree_status status = renumber(&task, count, &fresh);
    if (status == SCREE_OK) {
        move_candidates(&task);
        void *const blocks[] = {contacts->first,
                                contacts->group,
                                contacts->depth,
                                contacts->row_first,
                                contacts->row,
                                contacts->by_id,
                                contacts->crowded,
                                contacts->id,
                                contacts->part,
                                contacts->carried,
                                contacts->tangential_factor};
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
            scree_memory_free(blocks[b]);
        contacts->first = fresh.first;
        contacts->group = fresh.group;
        contacts->depth = NULL;
        contacts->tangential_factor = NULL;
        contacts->row_first = contacts->row = contacts->by_id = contacts->crowded = NULL;
        contacts->crowded_count = 0;
        contacts->id = fresh.id;
        contacts->part = fresh.part;
        contacts->carried = fresh.carried;
        contacts->grains = fresh.grains;
        contacts->tiles = fresh.tiles;
        contacts->candidates = fresh.candidates;
        contacts->pair_count = task.kept;
    } else {
        scree_candidates_free(&fresh);
    }
    scree_memory_free(task.new_index);
    return status;
}

void scree_candidates_free(struct scree_contacts *contacts)
{
    void *const blocks[] = {contacts->first,    contacts->pair,
                            contacts->class_of, contacts->history,
                            contacts->live,     contacts->crowded,
                            contacts->id,       contacts->row_first,
                            contacts->row,      contacts->layout,
                            contacts->group,    contacts->depth,
                            contacts->carried,  contacts->tangential_factor,
                            contacts->by_id,    contacts->part};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *contacts = (struct scree_contacts){.walls = contacts->walls, .outside = contacts->outside};
}
