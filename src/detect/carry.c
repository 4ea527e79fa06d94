// Copying live flags and histories from old lists to new ones; see carry.h.
//
// Most contacts persist in the same order. So the next old contact of a grain is tried first; only if it is
// another pair, all old contacts of the grain are searched.

#include "detect/carry.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

enum { BLOCK = 4096, LONG_ROW = 32, TILE = SCREE_CONTACTS_TILE };

// --- matching

static bool any_live(const struct scree_contacts *contacts)
{
    for (size_t n = 0; n < contacts->candidates / 8; ++n)
        if (contacts->live[n])
            return true;
    return false;
}

static uint32_t owner_of(struct scree_pair pair)
{
    return pair.low < pair.high ? pair.low : pair.high;
}

// After renumbering, all candidates are in the lists of the first tile: sorts the live ones by their tiles.
static scree_status sort_by_tile(struct scree_carry *carry)
{
    const struct scree_contacts *old = carry->old;
    size_t live = 0;
    SCREE_TRY(scree_memory_new(old->tiles + 2, sizeof *carry->first, (void **)&carry->first));
    size_t *next = carry->first + 1;
    for (size_t c = 0; c < old->candidates; ++c)
        if (scree_contacts_is_live(old, c)) {
            ++next[owner_of(old->pair[c]) / TILE + 1];
            ++live;
        }
    for (size_t t = 0; t < old->tiles; ++t)
        next[t + 1] += next[t];
    SCREE_TRY(scree_memory_new(live, sizeof *carry->sorted, (void **)&carry->sorted));
    for (size_t c = 0; c < old->candidates; ++c)
        if (scree_contacts_is_live(old, c))
            carry->sorted[next[owner_of(old->pair[c]) / TILE]++] = (uint32_t)c;
    return SCREE_OK;
}

// First old candidate of a tile, as an index to the lists or to the sorted ones.
static size_t begin_of(const struct scree_carry *carry, size_t tile)
{
    return carry->sorted ? carry->first[tile] : carry->old->first[SCREE_CONTACTS_RANGES * tile];
}

static scree_status make_scratch(struct scree_carry *carry, int threads)
{
    size_t count = 0;
    for (size_t t = 0; t < carry->old->tiles; ++t) {
        const size_t here = begin_of(carry, t + 1) - begin_of(carry, t);
        count = here > count ? here : count;
    }
    SCREE_TRY(scree_memory_new((size_t)threads, sizeof *carry->scratch, (void **)&carry->scratch));
    for (carry->threads = 0; carry->threads < threads; ++carry->threads) {
        struct scree_carry_scratch *scratch = &carry->scratch[carry->threads];
        SCREE_TRY(scree_memory_new(count, sizeof *scratch->entry, (void **)&scratch->entry));
    }
    return SCREE_OK;
}

scree_status scree_carry_begin(struct scree_carry *carry, const struct scree_contacts *old, size_t candidates,
                               int threads)
{
    *carry = (struct scree_carry){.old = old};
    if (!any_live(old))
        return SCREE_OK;
    if (old->tiles > 1 && old->first[SCREE_CONTACTS_RANGES] == old->candidates)
        SCREE_TRY(sort_by_tile(carry));
    SCREE_TRY(make_scratch(carry, threads));
    carry->candidates = candidates;
    SCREE_TRY(scree_memory_new(candidates, sizeof *carry->from, (void **)&carry->from));
    return scree_memory_new(old->candidates / 64 + 1, sizeof *carry->source, (void **)&carry->source);
}

void scree_carry_index(const struct scree_carry *carry, size_t tile, int thread)
{
    if (carry->candidates == 0)
        return;
    const struct scree_contacts *old = carry->old;
    struct scree_carry_scratch *scratch = &carry->scratch[thread];
    uint32_t *next = scratch->first + 1;
    memset(scratch->first, 0, sizeof scratch->first);
    if (tile >= old->tiles)
        return;
    const size_t begin = begin_of(carry, tile), end = begin_of(carry, tile + 1);
    for (size_t k = begin; k < end; ++k) {
        const size_t c = carry->sorted ? carry->sorted[k] : k;
        if (scree_contacts_is_live(old, c))
            ++next[owner_of(old->pair[c]) % TILE + 1];
    }
    for (size_t i = 0; i < TILE; ++i)
        next[i + 1] += next[i];
    for (size_t k = begin; k < end; ++k) {
        const size_t c = carry->sorted ? carry->sorted[k] : k;
        if (!scree_contacts_is_live(old, c))
            continue;
        const struct scree_pair pair = old->pair[c];
        const uint64_t other = pair.low ^ pair.high ^ owner_of(pair);
        scratch->entry[next[owner_of(pair) % TILE]++] = other << 32 | (c + 1);
    }
    for (size_t i = 0; i < TILE; ++i)
        if (scratch->first[i + 1] - scratch->first[i] > LONG_ROW)
            scree_sort_in_place(scratch->entry + scratch->first[i],
                                scratch->first[i + 1] - scratch->first[i]);
}

// long rows are sorted and searched by bisection
uint32_t scree_carry_search(const struct scree_carry_scratch *scratch, uint32_t index, uint32_t other,
                            uint32_t *next)
{
    size_t at = scratch->first[index], end = scratch->first[index + 1];
    while (end - at > LONG_ROW) {
        const size_t middle = at + (end - at) / 2;
        if (scratch->entry[middle] >> 32 <= other)
            at = middle;
        else
            end = middle;
    }
    for (; at < end; ++at)
        if (scratch->entry[at] >> 32 == other) {
            *next = (uint32_t)at + 1;
            return (uint32_t)scratch->entry[at];
        }
    return 0;
}

// --- live flags, and copies of histories

struct move {
    const struct scree_carry *carry;
    struct scree_contacts *contacts;
    size_t width; // doubles to copy
};

// one byte of live flags for eight candidates
static void write_live(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct move *move = context;
    const uint32_t *from = move->carry->from;
    for (size_t b = first; b < last; ++b) {
        unsigned bits = 0;
        for (unsigned l = 0; l < 8; ++l)
            bits |= (unsigned)(from[8 * b + l] != 0) << l;
        move->contacts->live[b] = (uint8_t)bits;
    }
}

static void copy_histories(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct move *move = context;
    const struct scree_contacts *old = move->carry->old;
    struct scree_contacts *contacts = move->contacts;
    const uint32_t *from = move->carry->from;
    for (size_t c = first; c < last; ++c)
        if (from[c])
            memcpy(contacts->history + c * contacts->stride, old->history + (from[c] - 1) * old->stride,
                   move->width * sizeof(double));
}

// --- histories of another law

// Returns true if the law of some contact may have changed.
static bool law_may_differ(const struct scree_contacts *old, const struct scree_contacts *contacts)
{
    const bool one = !old->class_of && !contacts->class_of;
    return old->layout && contacts->layout && old->stride > 0 &&
           !(one && scree_contacts_valid_history(old->layout, contacts->layout, old->stride) == old->stride);
}

// clears history values of another law, in place
static void clear_other_law(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct move *move = context;
    const struct scree_contacts *old = move->carry->old, *contacts = move->contacts;
    const uint32_t *from = move->carry->from;
    for (size_t c = first; c < last; ++c) {
        if (!from[c])
            continue;
        const struct scree_contacts_layout *old_layout =
            &old->layout[old->class_of ? old->class_of[from[c] - 1] : 0];
        const struct scree_contacts_layout *new_layout =
            &contacts->layout[contacts->class_of ? contacts->class_of[c] : 0];
        const size_t kept = scree_contacts_valid_history(old_layout, new_layout, old->stride);
        if (kept < old->stride)
            memset(old->history + (from[c] - 1) * old->stride + kept, 0,
                   (old->stride - kept) * sizeof(double));
    }
}

// --- moving histories in place

static uint32_t take_source(struct scree_carry *carry, size_t candidate)
{
    if (candidate >= carry->candidates)
        return 0;
    const uint32_t from = carry->from[candidate];
    carry->from[candidate] = 0;
    return from;
}

// Moves a history to a candidate whose own history is not needed. This frees the place of the moved history
// for another one, and so on; clears the last place.
static void fill_chain(struct scree_carry *carry, double *history, size_t stride, size_t candidate)
{
    for (uint32_t from = take_source(carry, candidate); from; from = take_source(carry, candidate)) {
        memcpy(history + candidate * stride, history + (from - 1) * stride, stride * sizeof *history);
        candidate = from - 1;
    }
    memset(history + candidate * stride, 0, stride * sizeof *history);
}

// Moves the histories of a cycle, in which each place is needed, with a temporary copy of the first.
static void rotate_cycle(struct scree_carry *carry, double *history, size_t stride, size_t candidate)
{
    double saved[SCREE_CONTACTS_HISTORY];
    const size_t first = candidate;
    memcpy(saved, history + first * stride, stride * sizeof *history);
    for (uint32_t from = take_source(carry, candidate); from - 1 != first;
         from = take_source(carry, candidate)) {
        memcpy(history + candidate * stride, history + (from - 1) * stride, stride * sizeof *history);
        candidate = from - 1;
    }
    memcpy(history + candidate * stride, saved, stride * sizeof *history);
}

// 64 live flags from a candidate on
static uint64_t live_from(const uint8_t *live, size_t candidates, size_t candidate)
{
    uint64_t bits = 0;
    for (size_t b = 0; b < 8 && candidate + 8 * b < candidates; ++b)
        bits |= (uint64_t)live[candidate / 8 + b] << 8 * b;
    return bits;
}

static void move_within(struct scree_carry *carry, const struct scree_contacts *contacts)
{
    const struct scree_contacts *old = carry->old;
    const size_t stride = contacts->stride;
    // from = 0, for no old candidate, sets bit 0
    for (size_t c = 0; c < carry->candidates; ++c)
        carry->source[carry->from[c] / 64] |= UINT64_C(1) << carry->from[c] % 64;
    const size_t count = carry->candidates > old->candidates ? carry->candidates : old->candidates;
    for (size_t c = 0; c < count; c += 64) {
        const uint64_t old_live = live_from(old->live, old->candidates, c);
        const uint64_t new_live = live_from(contacts->live, contacts->candidates, c);
        uint64_t read = 0;
        if (c < old->candidates) {
            read = carry->source[c / 64] >> 1;
            if (c / 64 + 1 <= old->candidates / 64)
                read |= carry->source[c / 64 + 1] << 63;
        }
        // chains begin at old contacts that are not carried over, and at new contacts without an old one
        for (uint64_t left = (old_live & ~read) | (new_live & ~old_live); left; left &= left - 1)
            fill_chain(carry, contacts->history, stride, c + (size_t)__builtin_ctzll(left));
    }
    for (size_t c = 0; c < carry->candidates; ++c)
        if (carry->from[c] != 0 && carry->from[c] != c + 1)
            rotate_cycle(carry, contacts->history, stride, c);
}

void scree_carry_write(struct scree_carry *carry, struct scree_contacts *contacts,
                       const struct scree_team *team)
{
    if (carry->candidates == 0)
        return;
    const size_t from = carry->old->stride, to = contacts->stride;
    struct move move = {carry, contacts, from < to ? from : to};
    scree_team_run(team, carry->candidates / 8, BLOCK, write_live, &move);
    if (move.width == 0)
        return;
    if (law_may_differ(carry->old, contacts))
        scree_team_run(team, carry->candidates, BLOCK, clear_other_law, &move);
    if (carry->old->history == contacts->history)
        move_within(carry, contacts);
    else
        scree_team_run(team, carry->candidates, BLOCK, copy_histories, &move);
}

void scree_carry_free(struct scree_carry *carry)
{
    for (int t = 0; t < carry->threads; ++t)
        scree_memory_free(carry->scratch[t].entry);
    scree_memory_free(carry->scratch);
    scree_memory_free(carry->first);
    scree_memory_free(carry->sorted);
    scree_memory_free(carry->from);
    scree_memory_free(carry->source);
    *carry = (struct scree_carry){0};
}
