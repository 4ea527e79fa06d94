// Carrying life and history from old lists to new ones; see carry.h.

#include "detect/carry.h"

#include "base/memory.h"

#include <string.h>

enum { TILE = SCREE_CONTACTS_TILE, BLOCK = SCREE_CARRY_BLOCK };

static size_t blocks_of(size_t candidates)
{
    return (candidates + BLOCK - 1) / BLOCK;
}

// --- matching
// --------------------------------------------------------------------------------------------------

struct match {
    struct scree_carry *carry;
    const struct scree_contacts *old;
    const struct scree_candidates_input *input;
    const struct scree_rows *rows;
    const struct scree_carry_ranges *ranges;
};

// Grain i's own candidates are at the end of its rows, where the others have higher ids; both rows ascend.
static void match_row(const struct match *match, size_t i, size_t *across, size_t *inside)
{
    const struct scree_contacts *old = match->old;
    const uint64_t *id = match->input->id;
    const uint32_t *row = match->rows->row[i];
    const size_t count = match->rows->first[i + 1] - match->rows->first[i];
    size_t at = 0, end = 0;
    if (i < old->grains) {
        at = old->row_first[i];
        end = old->row_first[i + 1];
    }
    while (at < end && (old->row[at] & 1))
        ++at;
    for (size_t n = 0; n < count; ++n) {
        if (row[n] & SCREE_ROWS_HIGH)
            continue;
        const size_t to = row[n] & SCREE_ROWS_INSIDE ? (*inside)++ : (*across)++;
        const uint32_t other = row[n] >> 2;
        for (; at < end; ++at) {
            const size_t from = scree_carry_candidate(old, i, old->row[at]);
            const uint32_t former = old->pair[from].high;
            if (id[former] > id[other])
                break;
            if (former == other && scree_contacts_is_live(old, from))
                match->carry->from[to] = (uint32_t)from + 1;
        }
    }
}

static void match_tiles(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct match *match = context;
    for (size_t t = first; t < last; ++t) {
        size_t across = match->ranges->across[t], inside = match->ranges->inside[t];
        for (size_t i = t * TILE; i < (t + 1) * TILE && i < match->rows->grains; ++i)
            match_row(match, i, &across, &inside);
    }
}

static void count_blocks(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct scree_carry *carry = context;
    for (size_t b = first; b < last; ++b) {
        size_t count = 0;
        for (size_t c = b * BLOCK; c < (b + 1) * BLOCK && c < carry->candidates; ++c)
            count += carry->from[c] != 0;
        carry->before[b + 1] = count;
    }
}

static bool any_live(const struct scree_contacts *contacts)
{
    for (size_t n = 0; n < contacts->candidates / 8; ++n)
        if (contacts->live[n])
            return true;
    return false;
}

scree_status scree_carry_match(struct scree_carry *carry, const struct scree_contacts *old,
                               const struct scree_candidates_input *input, const struct scree_rows *rows,
                               const struct scree_carry_ranges *ranges)
{
    *carry = (struct scree_carry){0};
    if (!any_live(old))
        return SCREE_OK;
    const size_t candidates = ranges->inside[rows->tiles], blocks = blocks_of(candidates);
    SCREE_TRY(scree_memory_new(candidates, sizeof *carry->from, (void **)&carry->from));
    SCREE_TRY(scree_memory_new(blocks + 1, sizeof *carry->before, (void **)&carry->before));
    carry->candidates = candidates;
    carry->width = old->stride < input->stride ? old->stride : input->stride;
    struct match match = {carry, old, input, rows, ranges};
    scree_team_run(input->team, rows->tiles, 1, match_tiles, &match);
    scree_team_run(input->team, blocks, 1, count_blocks, carry);
    for (size_t b = 0; b < blocks; ++b)
        carry->before[b + 1] += carry->before[b];
    return SCREE_OK;
}

// --- moving
// ----------------------------------------------------------------------------------------------------

struct move {
    const struct scree_carry *carry;
    const struct scree_contacts *old;
    struct scree_contacts *contacts;
};

static void save_blocks(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct move *move = context;
    const struct scree_carry *carry = move->carry;
    const size_t width = carry->width, stride = move->old->stride;
    double *to = carry->saved + carry->before[first] * width;
    for (size_t c = first * BLOCK; c < last * BLOCK && c < carry->candidates; ++c) {
        if (carry->from[c] == 0)
            continue;
        memcpy(to, move->old->history + (carry->from[c] - 1) * stride, width * sizeof *to);
        to += width;
    }
}

scree_status scree_carry_save(struct scree_carry *carry, const struct scree_contacts *old,
                              const struct scree_team *team)
{
    const size_t blocks = blocks_of(carry->candidates);
    if (blocks == 0 || carry->width == 0 || carry->before[blocks] == 0)
        return SCREE_OK;
    SCREE_TRY(
        scree_memory_new(carry->before[blocks], carry->width * sizeof *carry->saved, (void **)&carry->saved));
    struct move move = {carry, old, NULL};
    scree_team_run(team, blocks, 1, save_blocks, &move);
    return SCREE_OK;
}

static void write_block(const struct move *move, size_t block)
{
    const struct scree_carry *carry = move->carry;
    struct scree_contacts *contacts = move->contacts;
    const size_t width = carry->width, stride = contacts->stride, begin = block * BLOCK;
    const size_t end = begin + BLOCK < contacts->candidates ? begin + BLOCK : contacts->candidates;
    memset(contacts->live + begin / 8, 0, (end - begin) / 8);
    if (stride > 0)
        memset(contacts->history + begin * stride, 0, (end - begin) * stride * sizeof(double));
    if (carry->candidates == 0)
        return;
    const double *saved = carry->saved ? carry->saved + carry->before[block] * width : NULL;
    for (size_t c = begin; c < end; ++c) {
        if (carry->from[c] == 0)
            continue;
        contacts->live[c / 8] |= (uint8_t)(1u << c % 8);
        if (width == 0)
            continue;
        const double *from = saved ? saved : move->old->history + (carry->from[c] - 1) * move->old->stride;
        memcpy(contacts->history + c * stride, from, width * sizeof *from);
        saved = saved ? saved + width : NULL;
    }
}

static void write_blocks(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    for (size_t b = first; b < last; ++b)
        write_block(context, b);
}

void scree_carry_write(const struct scree_carry *carry, const struct scree_contacts *old,
                       struct scree_contacts *contacts, const struct scree_team *team)
{
    struct move move = {carry, old, contacts};
    scree_team_run(team, blocks_of(contacts->candidates), 1, write_blocks, &move);
}

void scree_carry_free(struct scree_carry *carry)
{
    scree_memory_free(carry->from);
    scree_memory_free(carry->before);
    scree_memory_free(carry->saved);
    *carry = (struct scree_carry){0};
}
