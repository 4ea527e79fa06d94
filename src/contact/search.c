// Searching contacts, see search.h.

#include "contact/search.h"

#include "base/memory.h"
#include "base/sort.h"
#include "contact/bond_lists.h"
#include "contact/grain_order.h"
#include "contact/outside_lists.h"
#include "contact/wall_lists.h"
#include "detect/candidates.h"
#include "world/cell.h"
#include "world/cell_servo.h"
#include "world/grain.h"
#include "world/wall_cell.h"

#include <math.h>
#include <string.h>

// Cost of a search per grain over the cost of one candidate per step, which determines the optimal skin.
// Measured (bench-contacts); the optimum is flat, so it need not be exact.
static const double search_cost = 80;

// skin, in mean diameters
static const double first_skin = 0.05, min_skin = 0.005, max_skin = 0.5;

// largest extra of a fast grain, in skins and in mean diameters
static const double max_extra = 4, max_extra_size = 0.25;

// part of the skin beyond which measuring displacements again would not be worth while
static const double nearly_used = 0.85;

bool scree_search_is_needed(const struct scree_search *search, const struct scree_world *world)
{
    // slightly early: displacements are summed with round-off
    return world->contacts_stale || search->skin == 0 || !(search->used <= search->skin * (1 - 1e-6)) ||
           scree_search_slots_changed(search, world);
}

bool scree_search_measure(struct scree_search *search, const struct scree_world *world,
                          const struct scree_team *team)
{
    if (!scree_search_is_needed(search, world))
        return false;
    if (world->contacts_stale || search->skin == 0 || !(search->used < (double)INFINITY) ||
        scree_search_slots_changed(search, world))
        return true;
    const double body = scree_displacements_largest(&search->displacements, world, team),
                 wall = search->used_by_walls,
                 used = body + (wall > body ? wall : body) + search->used_by_strain;
    if (!(used <= nearly_used * search->skin))
        return true;
    search->used = used;
    return false;
}

// Current slot of the grain that was in slot `listed` at the last search, UINT32_MAX if it was removed.
static uint32_t slot_now(const struct scree_world *world, size_t listed)
{
    const struct scree_contacts *contacts = &world->contacts;
    uint32_t slot;
    if (contacts->carried && contacts->carried[listed] > 0)
        return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool,
                               contacts->carried[listed], &slot)
                   ? (uint32_t)scree_world_bodies(world) + slot
                   : UINT32_MAX;
    return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, contacts->id[listed], &slot)
               ? slot
               : UINT32_MAX;
}

// Returns true if all listed grains are still in their slots; new ones come after them.
static bool slots_unchanged(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    const size_t bodies = scree_world_bodies(world);
    if (contacts->carried) {
        for (size_t i = 0; i < contacts->grains; ++i)
            if (slot_now(world, i) != i)
                return false;
        return true;
    }
    return contacts->grains <= bodies &&
           (contacts->grains == 0 ||
            memcmp(contacts->id, scree_world_ids(world), contacts->grains * sizeof *contacts->id) == 0);
}

bool scree_search_slots_changed(const struct scree_search *search, const struct scree_world *world)
{
    // always true before the first search: lists of another engine or a file may have other classes
    return search->searches == 0 || search->version != scree_world_entity(world, SCREE_ENTITY_BODY)->version;
}

bool scree_search_bodies_changed(const struct scree_search *search, const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    if (!scree_search_slots_changed(search, world))
        return false;
    bool known = contacts->grains == scree_grain_count(world);
    for (size_t i = 0; i < contacts->grains && known; ++i)
        known = slot_now(world, i) != UINT32_MAX;
    return !known;
}

// Largest rate at which a distance to a wall can change, m/s; in a cell with cell vectors without the strain
// of the distance itself.
static double fastest_wall(const struct scree_search *search, const struct scree_world *world)
{
    double fastest = 0;
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        const double speed = scree_world_lattice(world)
                                 ? scree_wall_cell_approach(world, wall, search->lower, search->upper)
                                 : scree_wall_approach(wall, search->lower, search->upper);
        fastest = speed > fastest ? speed : fastest;
    }
    return fastest;
}

// Largest distance of the centres of two candidates.
static double largest_distance(const struct scree_search *search)
{
    return 2 * (search->largest_radius + search->displacements.largest_extra) + search->range + search->skin +
           search->end_margin;
}

// By how much the distance of two grains may fall in a step in which the mean motion strains the cell, see
// struct scree_motion_flow. With the mean X of positions before and after the step, the mean motion changes
// the square of a distance by 2 h X . E X, with the symmetric part E of the gradient D, and thus a distance
// by at most h |E| times itself. Fluctuations are divided by 1 - h/2 |D|. Grains farther apart than the
// largest distance of a candidate stay so, up to this.
static double strained(const struct scree_search *search, const struct scree_world *world, double h,
                       double displacement)
{
    const struct scree_mat3 gradient = scree_lattice_load(scree_world_lattice(world)->middle);
    return displacement / (1 - 0.5 * h * scree_lattice_norm(gradient)) +
           h * scree_lattice_stretching(gradient) * largest_distance(search);
}

void scree_search_add_displacement(struct scree_search *search, const struct scree_world *world, double h,
                                   double fastest, bool moved)
{
    const double wall = fastest_wall(search, world);
    double relative = h * (fastest + (wall > fastest ? wall : fastest));
    if (scree_world_lattice(world))
        relative = strained(search, world, h, relative);
    // an infinite displacement forces a search, but must not enlarge the margin of the next one
    const bool finite = relative < (double)INFINITY;
    search->last_displacement = finite ? relative : 0;
    search->wall_displacement = finite ? h * wall : 0;
    search->used = finite && !moved ? search->used + relative : (double)INFINITY;
    search->used_by_walls += search->wall_displacement;
    if (scree_world_lattice(world))
        search->used_by_strain += strained(search, world, h, 0);
    ++search->steps;
}

void scree_search_add_carried_displacement(struct scree_search *search, const struct scree_world *world,
                                           double h, double displacement)
{
    double relative =
        displacement + (search->wall_displacement > displacement ? search->wall_displacement : displacement);
    if (scree_world_lattice(world))
        relative = strained(search, world, h, relative);
    if (relative <= search->last_displacement)
        return;
    search->used += relative - search->last_displacement;
    search->last_displacement = relative;
}

// Bounding box of all grains, enlarged by the skin: they stay inside until the next search.
static void bound_bodies(struct scree_search *search, const struct scree_world *world)
{
    for (int k = 0; k < 3; ++k) {
        search->lower[k] = (double)INFINITY;
        search->upper[k] = -(double)INFINITY;
    }
    const double margin = search->skin + search->displacements.largest_extra;
    for (size_t i = 0; i < scree_grain_count(world); ++i)
        for (int k = 0; k < 3; ++k) {
            const double x = scree_world_grains(world)[i].position[k];
            search->lower[k] = x - margin < search->lower[k] ? x - margin : search->lower[k];
            search->upper[k] = x + margin > search->upper[k] ? x + margin : search->upper[k];
        }
    // grains that wrap may be anywhere in the cell
    const struct scree_cell *cell = scree_world_cell(world);
    for (int k = 0; k < 3; ++k)
        if (cell->period[k] > 0) {
            search->lower[k] = cell->lower[k];
            search->upper[k] = cell->upper[k];
        }
}

struct sizes {
    double diameter;                // mean
    double largest, second_largest; // radii
    double smallest;                // radius
    double reach;                   // of bodies that carry grains; 0 in a cell without cell vectors
};

static struct sizes measure_sizes(const struct scree_world *world)
{
    struct sizes sizes = {.smallest = (double)INFINITY};
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < scree_grain_count(world); ++i) {
        const double radius = scree_world_grains(world)[i].radius;
        if (!(radius > 0))
            continue;
        sum += radius;
        ++count;
        const double smaller = radius < sizes.largest ? radius : sizes.largest;
        sizes.second_largest = smaller > sizes.second_largest ? smaller : sizes.second_largest;
        sizes.largest = radius > sizes.largest ? radius : sizes.largest;
        sizes.smallest = radius < sizes.smallest ? radius : sizes.smallest;
    }
    sizes.diameter = count > 0 ? 2 * sum / (double)count : 1;
    for (size_t g = 0; scree_world_lattice(world) && g < scree_grain_carried(world); ++g) {
        const struct scree_local_grain *local = &scree_grain_locals(world)[g];
        const double reach = scree_vec3_norm(scree_vec3_load(local->offset)) + local->radius;
        sizes.reach = reach > sizes.reach ? reach : sizes.reach;
    }
    return sizes;
}

static size_t count_live(const struct scree_contacts *contacts)
{
    size_t live = 0;
    for (size_t b = 0; b < contacts->candidates / 8; ++b)
        live += (size_t)__builtin_popcount(contacts->live[b]);
    return live;
}

// Returns the skin with the lowest cost of searches, proportional to displacement / skin, plus idle
// candidates, proportional to skin.
static double choose_skin(const struct scree_search *search, const struct scree_world *world, double diameter)
{
    if (search->prescribed_skin > 0)
        return search->prescribed_skin * diameter;
    if (search->skin == 0)
        return first_skin * diameter;
    const struct scree_contacts *contacts = &world->contacts;
    if (world->contacts_stale || search->steps == 0 || contacts->grains == 0)
        return search->skin;
    const double idle = (double)(contacts->pair_count - count_live(contacts)) / (double)contacts->grains;
    const double displacement = search->used / (double)search->steps;
    double skin = sqrt(search_cost * displacement * search->skin / (idle > 0.01 ? idle : 0.01));
    skin = skin > 2 * search->skin ? 2 * search->skin : skin < 0.5 * search->skin ? 0.5 * search->skin : skin;
    skin = skin > max_skin * diameter ? max_skin * diameter : skin;
    return skin > min_skin * diameter ? skin : min_skin * diameter;
}

// Largest margin with which a body that carries grains does not reach its own images, which are a width of
// the cell apart or more: grains of one body are never paired. Until the next search the cell is strained by
// at most the margin over the distance of a pair.
static double margin_of_reach(const struct scree_search *search, double width, const struct sizes *sizes)
{
    const double distance = sizes->largest + sizes->second_largest + search->range;
    return (width - 2 * sizes->reach - search->range) / (1 + width / distance);
}

// Largest margin in a periodic cell: a pair of grains may interact with one image only.
static double largest_margin(const struct scree_search *search, const struct scree_world *world,
                             const struct sizes *sizes)
{
    const double width = scree_cell_narrowest(world),
                 margin = 0.999 * (0.5 * width - sizes->largest - sizes->second_largest - search->range);
    const double own = sizes->reach > 0 ? margin_of_reach(search, width, sizes) : margin;
    return own < margin ? own : margin;
}

static scree_status check_reach(const struct scree_search *search, const struct scree_world *world,
                                const struct sizes *sizes)
{
    const double width = scree_cell_narrowest(world);
    if (!(sizes->reach > 0) || margin_of_reach(search, width, sizes) > 0)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_LIMIT,
                             "the periodic cell has become %g m wide, and a body in it reaches %g m from its "
                             "centre: it would touch its own images. The cell must be at least %g m wide",
                             width, sizes->reach, 2 * sizes->reach + search->range);
}

// A contact that left the interaction range in the last step is evaluated once more to end it, so the margin
// includes the displacement of that step. In a very narrow cell the margin is smaller, and the ledger misses
// the losses at the end of the fastest contacts.
static void choose_margin(struct scree_search *search, const struct scree_world *world,
                          const struct sizes *sizes)
{
    const double largest = largest_margin(search, world, sizes),
                 skin = choose_skin(search, world, sizes->diameter);
    search->end_margin =
        largest > 0 && 0.5 * largest < search->last_displacement ? 0.5 * largest : search->last_displacement;
    const double max = largest - search->end_margin;
    search->skin = max > 0 && max < skin ? max : skin;
}

// Stores where grains are, if the lists may be valid for longer than the largest speeds tell. Grains that
// belong to bodies turn with them, and walls in a cell that deforms move with the mean motion.
static scree_status begin_displacements(struct scree_search *search, const struct scree_world *world,
                                        const struct sizes *sizes, const struct scree_outside_tables *tables)
{
    const double free = 0.5 * (largest_margin(search, world, sizes) - search->skin - search->end_margin),
                 size = max_extra_size * sizes->diameter, skins = max_extra * search->skin,
                 wanted = skins < size ? skins : size;
    scree_displacements_forget(&search->displacements);
    if (scree_grain_carried(world) > 0 || tables->plain ||
        (scree_world_lattice(world) && scree_wall_rows(world) > 0))
        return SCREE_OK;
    return scree_displacements_begin(&search->displacements, world, search->skin,
                                     free < wanted ? (free > 0 ? free : 0) : wanted);
}

static void renumber_outside(struct scree_outside_contacts *outside, size_t p, const uint32_t *slot)
{
    struct scree_pair *pair = &outside->pair[p];
    pair->low = pair->low == UINT32_MAX ? UINT32_MAX : slot[pair->low];
    if (outside->wall[p] == 0)
        pair->high = pair->high == UINT32_MAX ? UINT32_MAX : slot[pair->high];
}

// Updates the slots in the lists after grains changed slots.
static scree_status update_slots(struct scree_world *world)
{
    struct scree_contacts *contacts = &world->contacts;
    uint32_t *slot;
    if (contacts->grains == 0 || slots_unchanged(world))
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(contacts->grains, sizeof *slot, (void **)&slot));
    for (size_t i = 0; i < contacts->grains; ++i)
        slot[i] = slot_now(world, i);
    const scree_status status = scree_candidates_renumber(contacts, slot, contacts->grains);
    // update contacts with walls too, in case the search fails
    for (size_t k = 0; status == SCREE_OK && k < contacts->walls.count; ++k) {
        uint32_t *low = &contacts->walls.pair[k].low;
        *low = *low == UINT32_MAX ? UINT32_MAX : slot[*low];
    }
    contacts->walls.unsorted = contacts->walls.unsorted || status == SCREE_OK;
    for (size_t p = 0; status == SCREE_OK && p < contacts->outside.pairs; ++p)
        renumber_outside(&contacts->outside, p, slot);
    contacts->outside.unsorted = contacts->outside.unsorted || status == SCREE_OK;
    scree_memory_free(slot);
    return status;
}

// By slot: body of each grain, and id of carried grains.
struct grain_ids {
    uint64_t *id, *carried;
};

static void free_grain_ids(struct grain_ids *grain_ids)
{
    scree_memory_free(grain_ids->id);
    scree_memory_free(grain_ids->carried);
}

static scree_status make_grain_ids(const struct scree_world *world, struct grain_ids *grain_ids)
{
    const size_t bodies = scree_world_bodies(world), carried = scree_grain_carried(world);
    *grain_ids = (struct grain_ids){0};
    if (carried == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(bodies + carried, sizeof *grain_ids->id, (void **)&grain_ids->id));
    SCREE_TRY(scree_memory_new(bodies + carried, sizeof *grain_ids->carried, (void **)&grain_ids->carried));
    memcpy(grain_ids->id, scree_world_ids(world), bodies * sizeof *grain_ids->id);
    for (size_t g = 0; g < carried; ++g) {
        grain_ids->id[bodies + g] = scree_grain_locals(world)[g].body;
        grain_ids->carried[bodies + g] = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_GRAIN))[g];
    }
    return SCREE_OK;
}

// Largest ratio of the displacement of a grain past the upright faces of a cell with open axes, by the mean
// motion, and its distance from the corner along these axes, until the next search. The velocity past the
// faces is at most twice the largest rate of strain times this distance, because half of the entries of the
// gradient that cause it are entries of its symmetric part. The integral of that rate is at most e, the skin
// over the distance of `strained`; in this time distances grow by a factor below 1 + 2 e.
static double slide_of(const struct scree_search *search, const struct scree_world *world)
{
    const struct scree_lattice *lattice = scree_world_lattice(world);
    const unsigned open = scree_world_open_axes(world);
    bool slides = lattice->by_function || scree_world_cell_servo(world);
    for (int k = 0; k < 9; ++k)
        slides = slides || (lattice->coming[k] != 0 && scree_lattice_is_open(open, k % 3) &&
                            !scree_lattice_is_open(open, k / 3));
    const double e = search->skin / largest_distance(search);
    return open != 0 && slides ? 2 * e * (1 + 2 * e) : 0;
}

// Coordinates of the search in a cell with cell vectors; those of open axes are the positions.
static void skew_input(const struct scree_search *search, const struct scree_world *world,
                       struct scree_candidates_skew *skew, struct scree_candidates_input *input)
{
    const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
    const unsigned open = scree_world_open_axes(world);
    double width[3], unit[3];
    scree_vec3_store(scree_lattice_widths(lattice.inverse), width);
    scree_vec3_store(lattice.corner, skew->corner);
    scree_vec3_store(lattice.corner, skew->origin);
    skew->slide = slide_of(search, world);
    for (int k = 0; k < 3; ++k) {
        unit[k] = scree_lattice_is_open(open, k) ? 1 : width[k];
        skew->corner[k] = scree_lattice_is_open(open, k) ? 0 : skew->corner[k];
    }
    const struct scree_mat3 units = scree_mat3_diagonal(scree_vec3_load(unit)),
                            inverse_units =
                                scree_mat3_diagonal(scree_vec3_make(1 / unit[0], 1 / unit[1], 1 / unit[2]));
    scree_lattice_store(scree_mat3_product(units, lattice.inverse), skew->to);
    scree_lattice_store(scree_mat3_product(scree_lattice_upright(lattice.vectors, open), inverse_units),
                        skew->from);
    input->skew = skew;
    input->crowd_overlap = 0;
    for (int k = 0; k < world->dimension; ++k) {
        if (scree_lattice_is_open(open, k)) {
            for (int j = 0; j < 3; ++j)
                skew->to[3 * k + j] = skew->from[3 * j + k] = j == k;
            continue;
        }
        input->lower[k] = 0;
        input->period[k] = width[k];
    }
}

static struct scree_candidates_input
input_of(const struct scree_search *search, const struct scree_world *world,
         const struct scree_law_classes *classes, const struct grain_ids *grain_ids,
         const struct scree_outside_tables *tables, const struct scree_team *team)
{
    const struct scree_cell *cell = scree_world_cell(world);
    struct scree_candidates_input input = {
        .grain = scree_world_grains(world),
        .id = grain_ids->id ? grain_ids->id : scree_world_ids(world),
        .carried = grain_ids->carried,
        .count = scree_grain_count(world),
        .margin = search->skin + search->range + search->end_margin,
        .extra = search->displacements.count > 0 ? search->displacements.extra : NULL,
        .min_touching_per_grain = search->min_touching_per_grain,
        .crowd_overlap = search->searches == 0 ? search->crowd_overlap : 0,
        .max_displacement = 0.5 * search->skin,
        .class_of = tables->plain ? tables->plain : classes->table,
        .materials = tables->plain ? tables->materials : classes->materials,
        .shaped = tables->plain ? classes->materials : 0,
        .classes = classes->count,
        .layout = classes->layout,
        .stride = search->stride,
        .dimension = world->dimension,
        .team = team};
    for (int k = 0; k < 3; ++k) {
        input.lower[k] = cell->lower[k];
        input.period[k] = cell->period[k] > 0 ? cell->period[k] : (double)INFINITY;
    }
    return input;
}

scree_status scree_search_run(struct scree_search *search, struct scree_world *world,
                              const struct scree_law_classes *classes, bool may_sort,
                              const struct scree_team *team)
{
    const struct sizes sizes = measure_sizes(world);
    SCREE_TRY(check_reach(search, world, &sizes));
    if (may_sort && search->sort_every > 0 && search->searches % search->sort_every == 0)
        SCREE_TRY(scree_grain_order(world, sizes.diameter, team));
    SCREE_TRY(update_slots(world));
    const double old_skin = search->skin;
    choose_margin(search, world, &sizes);
    search->largest_radius = sizes.largest;
    struct grain_ids grain_ids;
    struct scree_outside_tables tables;
    scree_status status = scree_outside_lists_tables(world, classes, &tables);
    if (status == SCREE_OK)
        status = make_grain_ids(world, &grain_ids);
    else
        grain_ids = (struct grain_ids){0};
    if (status == SCREE_OK)
        status = begin_displacements(search, world, &sizes, &tables);
    struct scree_candidates_input input = input_of(search, world, classes, &grain_ids, &tables, team);
    struct scree_candidates_skew skew;
    if (scree_world_lattice(world))
        skew_input(search, world, &skew, &input);
    if (status == SCREE_OK)
        status = scree_bond_lists_exclude(world, &input.excluded);
    if (status == SCREE_OK)
        status = scree_candidates_build(&world->contacts, &input);
    if (status == SCREE_OK)
        status = scree_outside_lists_build(world, classes, &tables, &input);
    free_grain_ids(&grain_ids);
    scree_outside_lists_free_tables(&tables);
    if (status == SCREE_OK)
        status = scree_wall_lists_build(world, classes, search->stride, &input.excluded,
                                        input.margin + search->displacements.largest_extra, team);
    scree_memory_free(input.excluded.first);
    scree_memory_free(input.excluded.other);
    if (status != SCREE_OK) {
        search->skin = old_skin;
        scree_displacements_forget(&search->displacements);
        world->contacts_stale = true;
        return status;
    }
    bound_bodies(search, world);
    search->smallest_radius = sizes.smallest;
    search->used = search->used_by_walls = search->used_by_strain = 0;
    search->steps = 0;
    world->carried_displacement = 0;
    ++search->searches;
    search->version = scree_world_entity(world, SCREE_ENTITY_BODY)->version;
    world->contacts_stale = false;
    return SCREE_OK;
}
