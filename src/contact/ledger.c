// The energy ledger of contacts, see ledger.h.

#include "contact/ledger.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/sum.h"
#include "contact/bond_side.h"
#include "contact/rough_contacts.h"
#include "contact/sums.h"
#include "world/bond.h"
#include "world/edit.h"
#include "world/wall.h"
#include "world/wall_body.h"

// Energies of contacts, summed independently of their order.
struct contact_sums {
    struct scree_sum stored, dashpot, sliding, work; // all but the first: ahead by half a step
};

// Skips zeros: a sum without terms is evaluated faster.
static void add_to(struct scree_sum *sum, double value)
{
    if (value != 0)
        scree_sum_add(sum, value);
}

static void add(struct contact_sums *contact_sums, const struct scree_evaluated *evaluated, double step)
{
    add_to(&contact_sums->stored, evaluated->stored);
    add_to(&contact_sums->dashpot, 0.5 * evaluated->dashpot);
    add_to(&contact_sums->sliding, 0.5 * step * evaluated->sliding);
    add_to(&contact_sums->work, 0.5 * step * evaluated->wall_power);
}

// Enters sums in the ledger: elastic energy times `stored`, the rest times `ahead`.
static void enter_sums(const struct scree_world *world, const struct contact_sums *contact_sums,
                       double stored, double ahead)
{
    struct scree_clock *clock = scree_world_clock(world);
    scree_total_add_sum(&clock->energy_input, &contact_sums->stored, stored);
    scree_total_add_sum(&clock->removed_dashpot, &contact_sums->dashpot, ahead);
    scree_total_add_sum(&clock->removed_friction, &contact_sums->sliding, ahead);
    scree_total_add_sum(&clock->removed_work, &contact_sums->work, ahead);
}

// Returns 0 inside a step before the forces of that step are known, because the half-step after the last
// evaluation is over then; else 1.
static double ahead_now(const struct scree_world *world)
{
    return !world->pending_step || world->pending_step->forces_known ? 1 : 0;
}

static bool is_out(const struct scree_grain *grain)
{
    return grain && (grain->flags & SCREE_FLAG_OUT_OF_LEDGER);
}

bool scree_ledger_is_out(struct scree_grain *const sides[2])
{
    return is_out(sides[0]) || is_out(sides[1]);
}

void scree_ledger_visit(const struct scree_evaluator *evaluator, scree_visit_contact *visit,
                        scree_evaluate_energies_visitor *visit_batch, void *context)
{
    if (evaluator->world->opened || !scree_evaluate_energies(evaluator, visit_batch, context))
        scree_visit_grains(evaluator, NULL, visit, context);
    scree_visit_walls(evaluator, NULL, visit, context);
    scree_visit_outside(evaluator, NULL, visit, context);
    scree_visit_bonds(evaluator, NULL, visit, context);
}

static void visit_all(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                      scree_visit_contact *visit, void *context)
{
    scree_visit_contacts(evaluator, wanted, visit, context);
    scree_visit_bonds(evaluator, wanted, visit, context);
}

// Adds to the dashpot losses entered ahead on both sides of a contact, in quanta as the batch loops do.
static void add_ahead(const struct scree_world *world, double dashpot, struct scree_grain *const sides[2])
{
    struct scree_losses *losses = scree_world_losses(world);
    for (int k = 0; k < 2 && losses; ++k)
        if (sides[k])
            losses[sides[k]->owner].ahead +=
                scree_sums_round_loss(sides[k], sides[1] ? 0.5 * dashpot : dashpot);
}

// Multiplies all dashpot losses entered ahead by `ratio`.
static void scale_ahead(struct scree_world *world, double ratio)
{
    struct scree_losses *losses = scree_world_losses(world);
    struct scree_sum sum = {0};
    for (size_t i = 0; i < scree_world_bodies(world) && losses; ++i) {
        scree_sum_add(&sum, -0.5 * losses[i].ahead);
        losses[i].ahead *= ratio;
        scree_sum_add(&sum, 0.5 * losses[i].ahead);
    }
    scree_total_add_sum(&scree_world_clock(world)->removed_dashpot, &sum, 1);
}

// Accumulates energies over contacts.
struct accumulation {
    const struct scree_world *world;
    struct contact_sums contact_sums;
    double step;
    bool ahead; // also for each body, its dashpot loss entered ahead
};

static bool is_entered(struct scree_grain *const sides[2])
{
    return !scree_ledger_is_out(sides);
}

static void accumulate(void *context, const struct scree_evaluated *evaluated,
                       struct scree_grain *const sides[2])
{
    struct accumulation *accumulation = (struct accumulation *)context;
    add(&accumulation->contact_sums, evaluated, accumulation->step);
    if (accumulation->ahead)
        add_ahead(accumulation->world, evaluated->dashpot, sides);
}

// Cache shared by edits of single bodies until forces are evaluated. The classes of material pairs stay
// valid, because an edit that changes a class takes all contacts out of the ledger and clears the cache.
struct edit_cache {
    struct scree_evaluator_pairs pairs;
    size_t scans; // scans of all candidates for those of one body
};

static struct edit_cache *edit_cache_of(const struct scree_world *world)
{
    return (struct edit_cache *)world->edit_cache;
}

static void clear_edit_cache(const struct scree_world *world)
{
    struct edit_cache *edit_cache = edit_cache_of(world);
    memset(edit_cache->pairs.known, 0, sizeof edit_cache->pairs.known);
    edit_cache->scans = 0;
}

static void take_out_all(struct scree_world *world)
{
    struct scree_evaluator_pairs pairs = {0};
    struct accumulation accumulation = {.world = world, .step = scree_world_clock(world)->step};
    clear_edit_cache(world);
    visit_all(&(struct scree_evaluator){.world = world, .pairs = &pairs}, is_entered, accumulate,
              &accumulation);
    enter_sums(world, &accumulation.contact_sums, -1, -ahead_now(world));
    if (ahead_now(world) > 0)
        scale_ahead(world, 0);
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        scree_world_grains(world)[i].flags |= SCREE_FLAG_OUT_OF_LEDGER;
    world->opened = true;
    scree_edit_outdate_all(world);
}

// number of scans of all candidates before an index is made, which costs about as much as these scans;
// largest number of contacts of a slot that are sorted without allocating memory
enum { MAX_SCANS = 8, MAX_FEW = 64 };

// Candidates of a slot, from a scan or the index, or all candidates if there is no memory for the index.
struct own_pairs {
    const struct scree_contacts *contacts;
    const uint32_t *row; // null: all candidates
    size_t count;
    uint32_t slot;
};

static size_t candidate_of(const struct own_pairs *own, size_t k)
{
    return own->row ? own->row[k] : k;
}

// Id of the other side, 0 if the candidate is not of this slot or not live.
static uint64_t other_id(const struct own_pairs *own, size_t k)
{
    const size_t candidate = candidate_of(own, k);
    const struct scree_pair pair = own->contacts->pair[candidate];
    if (pair.low == pair.high || (pair.low != own->slot && pair.high != own->slot) ||
        !scree_contacts_is_live(own->contacts, candidate))
        return 0;
    return own->contacts->id[pair.low == own->slot ? pair.high : pair.low];
}

static void take_out_pair(struct scree_world *world, uint32_t slot, size_t candidate,
                          const struct scree_evaluator *evaluator, struct contact_sums *contact_sums)
{
    const struct scree_pair pair = world->contacts.pair[candidate];
    struct scree_evaluated evaluated;
    struct scree_grain *const sides[2] = {scree_evaluate_one_grain(evaluator->world, pair.low),
                                          scree_evaluate_one_grain(evaluator->world, pair.high)};
    struct scree_grain *other = sides[pair.low == slot ? 1 : 0];
    if (is_out(other) || !scree_evaluate_one_contact(evaluator, candidate, &evaluated))
        return;
    add(contact_sums, &evaluated, evaluator->step);
    add_ahead(world, -ahead_now(world) * evaluated.dashpot, sides);
    // the force on the other body changes too
    scree_edit_outdate(world, (scree_slot){other->owner});
}

// Sorts many candidates; returns false if memory runs out.
static bool sort_pairs(const struct own_pairs *own, uint32_t **order)
{
    uint64_t *key = NULL;
    *order = NULL;
    bool sorted = scree_memory_new(own->count, sizeof *key, (void **)&key) == SCREE_OK &&
                  scree_memory_new(own->count, sizeof **order, (void **)order) == SCREE_OK;
    for (size_t k = 0; sorted && k < own->count; ++k)
        key[k] = other_id(own, k);
    sorted = sorted && scree_sort_order(key, own->count, *order) == SCREE_OK;
    scree_memory_free(key);
    return sorted;
}

// Insertion sort of the contacts of a slot, possibly in place; returns more than MAX_FEW if there are too
// many.
static size_t sort_few(const struct own_pairs *own, uint32_t *sorted)
{
    uint64_t id[MAX_FEW];
    size_t count = 0;
    for (size_t k = 0; k < own->count; ++k) {
        const uint64_t other = other_id(own, k);
        const uint32_t candidate = own->row[k];
        size_t at = count;
        if (other == 0)
            continue;
        if (count == MAX_FEW)
            return MAX_FEW + 1;
        for (; at > 0 && id[at - 1] > other; --at) {
            id[at] = id[at - 1];
            sorted[at] = sorted[at - 1];
        }
        id[at] = other;
        sorted[at] = candidate;
        ++count;
    }
    return count;
}

// If memory runs out: finds each next id by a linear search.
static void take_out_next(struct scree_world *world, const struct own_pairs *own,
                          const struct scree_evaluator *evaluator, struct contact_sums *contact_sums)
{
    uint64_t last = 0, next = 1;
    for (size_t at = 0; next > 0; last = next) {
        next = 0;
        for (size_t k = 0; k < own->count; ++k) {
            const uint64_t id = other_id(own, k);
            at = id > last && (next == 0 || id < next) ? k : at;
            next = id > last && (next == 0 || id < next) ? id : next;
        }
        if (next > 0)
            take_out_pair(world, own->slot, candidate_of(own, at), evaluator, contact_sums);
    }
}

// Scans the lists for the candidates of a slot; returns false if there are too many, or if an index is
// cheaper than another scan.
static bool scan_few(struct own_pairs *own, struct edit_cache *edit_cache, uint32_t *few)
{
    const struct scree_contacts *contacts = own->contacts;
    size_t count = 0;
    if (contacts->row_first || edit_cache->scans == MAX_SCANS)
        return false;
    ++edit_cache->scans;
    // candidates of later tiles have higher slots only
    const size_t last = contacts->first[SCREE_CONTACTS_RANGES * (own->slot / SCREE_CONTACTS_TILE + 1)];
    for (size_t c = 0; c < last; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        if (pair.low == pair.high || (pair.low != own->slot && pair.high != own->slot))
            continue;
        if (count == MAX_FEW)
            return false;
        few[count++] = (uint32_t)c;
    }
    own->row = few;
    own->count = count;
    return true;
}

// Takes out contacts by ascending id of the other side: the sum of losses depends on the order.
static void take_out_pairs(struct scree_world *world, uint32_t slot, struct edit_cache *edit_cache,
                           const struct scree_evaluator *evaluator, struct contact_sums *contact_sums)
{
    uint32_t few[MAX_FEW], *order = NULL;
    struct scree_contacts *contacts = &world->contacts;
    struct own_pairs own = {.contacts = contacts, .count = contacts->candidates, .slot = slot};
    if (!scan_few(&own, edit_cache, few) && scree_contacts_index(contacts) == SCREE_OK) {
        own.row = contacts->row + contacts->row_first[slot];
        own.count = contacts->row_first[slot + 1] - contacts->row_first[slot];
    }
    const size_t count = own.row ? sort_few(&own, few) : MAX_FEW + 1;
    if (count <= MAX_FEW) {
        for (size_t k = 0; k < count; ++k)
            take_out_pair(world, slot, few[k], evaluator, contact_sums);
    } else if (own.row && sort_pairs(&own, &order)) {
        for (size_t k = 0; k < own.count; ++k)
            take_out_pair(world, slot, own.row[order[k]], evaluator, contact_sums);
    } else {
        take_out_next(world, &own, evaluator, contact_sums);
    }
    scree_memory_free(order);
}

// Contacts with walls are sorted by slot unless they are `unsorted`.
static void take_out_walls(const struct scree_world *world, uint32_t slot,
                           const struct scree_evaluator *evaluator, struct contact_sums *contact_sums)
{
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    const size_t tile = slot / SCREE_CONTACTS_TILE,
                 last = walls->unsorted ? walls->count : walls->first[tile + 1];
    struct scree_evaluated evaluated;
    size_t c = walls->unsorted ? 0 : walls->first[tile];
    for (size_t end = walls->unsorted ? 0 : last; c < end;) {
        const size_t middle = c + (end - c) / 2;
        const bool before = walls->pair[middle].low < slot;
        c = before ? middle + 1 : c;
        end = before ? end : middle;
    }
    for (; c < last && (walls->unsorted || walls->pair[c].low == slot); ++c)
        if (walls->pair[c].low == slot && scree_evaluate_one_wall_contact(evaluator, c, &evaluated)) {
            struct scree_grain *const sides[2] = {scree_evaluate_one_grain(world, slot), NULL};
            add(contact_sums, &evaluated, evaluator->step);
            add_ahead(world, -ahead_now(world) * evaluated.dashpot, sides);
        }
}

static void take_out_outside(struct scree_world *world, uint32_t slot,
                             const struct scree_evaluator *evaluator, struct contact_sums *contact_sums)
{
    const struct scree_outside_contacts *outside = &world->contacts.outside;
    for (size_t p = 0; p < outside->pairs; ++p) {
        const struct scree_pair pair = outside->pair[p];
        const bool wall = outside->wall[p] > 0;
        struct scree_outside_pair found;
        struct scree_evaluated evaluated;
        if (outside->live[p] == 0 || (pair.low != slot && (wall || pair.high != slot)) ||
            !scree_evaluate_one_find_outside(evaluator, p, &found))
            continue;
        struct scree_grain *const sides[2] = {scree_evaluate_one_grain(world, pair.low),
                                              wall ? NULL : scree_evaluate_one_grain(world, pair.high)};
        struct scree_grain *other = sides[pair.low == slot ? 1 : 0];
        for (size_t t = 0; t < found.count && !is_out(other); ++t)
            if (scree_evaluate_one_outside(evaluator, p, &found, t, &evaluated)) {
                add(contact_sums, &evaluated, evaluator->step);
                add_ahead(world, -ahead_now(world) * evaluated.dashpot, sides);
            }
        if (other && !is_out(other))
            scree_edit_outdate(world, (scree_slot){other->owner});
    }
}

// Bonds of a body, in descending order of ids.
static void take_out_bonds(struct scree_world *world, scree_slot slot,
                           const struct scree_evaluator *evaluator, struct contact_sums *contact_sums)
{
    const uint64_t body = scree_world_ids(world)[slot.index];
    uint32_t row;
    for (uint64_t id = scree_bond_last_of(world, slot); scree_bond_row_of(world, id, &row);
         id = scree_bond_next_of(&scree_bond_sides(world)[row], body)) {
        struct scree_evaluated evaluated;
        struct scree_grain *sides[2];
        if (!scree_visit_bond(evaluator, row, &evaluated, sides))
            continue;
        struct scree_grain *other = sides[1] && sides[0]->owner == slot.index ? sides[1]
                                    : sides[1]                                ? sides[0]
                                                                              : NULL;
        if (is_out(other))
            continue;
        add(contact_sums, &evaluated, evaluator->step);
        add_ahead(world, -ahead_now(world) * evaluated.dashpot, sides);
        if (other)
            scree_edit_outdate(world, (scree_slot){other->owner});
    }
}

static void take_out_of(struct scree_world *world, scree_slot slot, size_t listed,
                        struct edit_cache *edit_cache)
{
    struct contact_sums contact_sums = {0};
    const struct scree_evaluator evaluator = {
        .world = world, .pairs = &edit_cache->pairs, .step = scree_world_clock(world)->step};
    if (listed < world->contacts.grains) {
        take_out_pairs(world, (uint32_t)listed, edit_cache, &evaluator, &contact_sums);
        take_out_walls(world, (uint32_t)listed, &evaluator, &contact_sums);
        take_out_outside(world, (uint32_t)listed, &evaluator, &contact_sums);
    }
    take_out_bonds(world, slot, &evaluator, &contact_sums);
    enter_sums(world, &contact_sums, -1, -ahead_now(world));
}

static void take_out(struct scree_world *world, scree_slot slot)
{
    struct scree_contacts *contacts = &world->contacts;
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    const uint64_t id = scree_world_ids(world)[slot.index];
    if (is_out(grain))
        return;
    // the slot of a body does not give its carried grains, nor the contacts of its walls
    if (contacts->carried || scree_wall_body_carries(world, id)) {
        take_out_all(world);
        return;
    }
    grain->flags |= SCREE_FLAG_OUT_OF_LEDGER;
    world->opened = true;
    // bodies may have changed slots since the last search
    const bool stays = slot.index < contacts->grains && contacts->id[slot.index] == id;
    const size_t listed = stays ? slot.index : scree_contacts_find(contacts, id);
    take_out_of(world, slot, listed, edit_cache_of(world));
}

// As for contacts with a wall, below: a bond with it before and after the change of its motion.
static void change_motion_of_bond(struct scree_world *world, uint32_t row, const struct scree_wall *moved,
                                  struct contact_sums *before, struct contact_sums *after)
{
    const double step = scree_world_clock(world)->step;
    struct scree_bond_one one;
    if (!scree_bond_side_evaluate(world, row, &one) || scree_ledger_is_out(one.side))
        return;
    struct scree_evaluated old_bond = {.dashpot = step * one.kept * one.rates.loss,
                                       .wall_power = scree_bond_side_wall_power(&one)};
    const struct scree_bond_rates rates = one.rates;
    scree_bond_side_move_wall(world, row, moved, &one);
    struct scree_evaluated new_bond = {.dashpot = step * one.kept * one.rates.loss,
                                       .wall_power = scree_bond_side_wall_power(&one)};
    if (world->pending_step) {
        one.rates = rates;
        new_bond.dashpot = 0.5 * (old_bond.dashpot + new_bond.dashpot);
        new_bond.wall_power = scree_bond_side_wall_power(&one);
    }
    add(before, &old_bond, step);
    add(after, &new_bond, step);
    add_ahead(world, new_bond.dashpot - old_bond.dashpot, one.side);
}

struct wall_change {
    const struct scree_evaluator *evaluator;
    const struct scree_wall *moved;
    struct contact_sums *before, *after;
};

static void change_motion_of_contact(const struct wall_change *change,
                                     const struct scree_evaluated *old_contact,
                                     struct scree_evaluated *new_contact, struct scree_grain *const sides[2])
{
    const struct scree_world *world = change->evaluator->world;
    if (world->pending_step) {
        new_contact->dashpot = 0.5 * (old_contact->dashpot + new_contact->dashpot);
        new_contact->sliding = 0.5 * (old_contact->sliding + new_contact->sliding);
        new_contact->wall_power = scree_evaluate_one_wall_power(world, change->moved, old_contact);
    }
    add(change->before, old_contact, change->evaluator->step);
    add(change->after, new_contact, change->evaluator->step);
    add_ahead(world, new_contact->dashpot - old_contact->dashpot, sides);
}

// The contacts of a polyhedron with the wall.
static void change_motion_outside(const struct wall_change *change, size_t pair)
{
    const struct scree_world *world = change->evaluator->world;
    struct scree_outside_pair found, moved;
    struct scree_grain *const sides[2] = {
        scree_evaluate_one_grain(world, world->contacts.outside.pair[pair].low), NULL};
    if (world->contacts.outside.live[pair] == 0 || is_out(sides[0]) ||
        !scree_evaluate_one_find_outside(change->evaluator, pair, &found))
        return;
    moved = found;
    moved.side[1].wall = change->moved;
    for (size_t t = 0; t < found.count; ++t) {
        struct scree_evaluated old_contact, new_contact;
        if (scree_evaluate_one_outside(change->evaluator, pair, &found, t, &old_contact) &&
            scree_evaluate_one_outside(change->evaluator, pair, &moved, t, &new_contact))
            change_motion_of_contact(change, &old_contact, &new_contact, sides);
    }
}

// Corrects work and losses entered half a step ahead for a new motion of a wall. Inside a step the work is
// that of the old forces along the new motion, and losses are the mean of those of both motions.
static void change_wall_motion(struct scree_world *world, size_t wall, const struct scree_wall *moved)
{
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    struct scree_evaluator_pairs pairs = {0};
    struct contact_sums before = {0}, after = {0};
    const struct scree_evaluator evaluator = {
        .world = world, .pairs = &pairs, .step = scree_world_clock(world)->step};
    const uint64_t id = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[wall];
    for (size_t c = 0; c < walls->count && ahead_now(world) > 0; ++c) {
        if (!walls->live[c] || scree_contacts_wall(&world->contacts, c) != id)
            continue;
        struct scree_evaluated old_contact, new_contact;
        struct scree_wall plane;
        struct scree_grain *const sides[2] = {scree_evaluate_one_grain(world, walls->pair[c].low), NULL};
        const double *history = walls->stride > 0 ? walls->history + c * walls->stride : NULL;
        if (is_out(sides[0]) || !scree_evaluate_one_wall_contact(&evaluator, c, &old_contact) ||
            !scree_evaluate_one_wall(&evaluator, sides[0], scree_rough_contacts_wall(walls, c, moved, &plane),
                                     walls->feature[c], history, walls->stride, &new_contact))
            continue;
        const struct wall_change change = {&evaluator, moved, &before, &after};
        change_motion_of_contact(&change, &old_contact, &new_contact, sides);
    }
    for (size_t p = 0; p < world->contacts.outside.pairs && ahead_now(world) > 0; ++p)
        if (world->contacts.outside.wall[p] == id)
            change_motion_outside(&(struct wall_change){&evaluator, moved, &before, &after}, p);
    for (uint32_t row = 0; row < scree_bond_rows(world) && ahead_now(world) > 0; ++row)
        if (scree_bond_sides(world)[row].wall == id)
            change_motion_of_bond(world, row, moved, &before, &after);
    enter_sums(world, &before, 0, -1);
    enter_sums(world, &after, 0, 1);
}

void scree_ledger_enter(struct scree_world *world, const struct scree_law_classes *classes, bool stepped)
{
    if (!world->opened)
        return;
    struct accumulation accumulation = {
        .world = world, .step = scree_world_clock(world)->step, .ahead = !stepped};
    clear_edit_cache(world);
    visit_all(&(struct scree_evaluator){.world = world, .classes = classes, .step = accumulation.step},
              scree_ledger_is_out, accumulate, &accumulation);
    // a step has also entered the half-step before this moment, in which these contacts did not exist
    enter_sums(world, &accumulation.contact_sums, 1, stepped ? -1 : 1);
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        scree_world_grains(world)[i].flags &= ~(uint32_t)SCREE_FLAG_OUT_OF_LEDGER;
    world->opened = false;
}

void scree_ledger_change_step(struct scree_world *world, const struct scree_law_classes *classes, double step)
{
    const double last = scree_world_clock(world)->step;
    struct accumulation change = {.world = world, .step = step - last, .ahead = last == 0};
    const struct scree_evaluator evaluator = {
        .world = world, .classes = classes, .step = last == 0 ? step : 0};
    visit_all(&evaluator, is_entered, accumulate, &change);
    enter_sums(world, &change.contact_sums, 0, 1);
    if (last > 0)
        scale_ahead(world, step / last);
}

scree_status scree_ledger_attach(struct scree_world *world)
{
    static const struct scree_world_ledger ledger = {
        .remove_body = take_out, .remove_all = take_out_all, .wall_motion = change_wall_motion};
    if (!world->edit_cache)
        SCREE_TRY(scree_memory_new(1, sizeof(struct edit_cache), &world->edit_cache));
    world->ledger = &ledger;
    return SCREE_OK;
}
