// Lists of pairs with contacts from outside, see outside_lists.h.
//
// Pairs of bodies are found by the search of candidates, with a table of classes that admits only pairs of
// which at least one side is a polyhedron; the radius of a polyhedron is that of the sphere around it.

#include "contact/outside_lists.h"

#include "base/memory.h"
#include "contact/outside.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall.h"
#include "world/wall_faces.h"
#include "world/wall_facets.h"
#include "world/wall_shape.h"

#include <scree/material.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- checks

static scree_status check_law(const struct scree_contact_law *law, double radius, const char *with)
{
    if (law->outside == SCREE_LAW_OUTSIDE_VALID ||
        (law->outside == SCREE_LAW_OUTSIDE_WITH_RADIUS && radius > 0))
        return SCREE_OK;
    if (law->outside == SCREE_LAW_OUTSIDE_WITH_RADIUS)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "the contact law '%s' needs a radius of curvature, but a polyhedron that can "
            "touch %s has none: give its shape a rounding, or use the law 'linear'",
            law->name, with);
    // the variant of 'linear' whose stiffness follows from radii
    const bool is_linear = strcmp(law->name, "linear") == 0;
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "the contact law '%s'%s has no meaning for polyhedra, but one can touch %s: %s",
                             law->name, is_linear ? " with a modulus" : "", with,
                             is_linear ? "give its stiffness in N/m" : "use the law 'linear'");
}

void scree_outside_lists_add_user(struct scree_outside_user *user, uint64_t body,
                                  const struct scree_shape *shape)
{
    if (!shape) {
        user->plain = true;
        return;
    }
    const bool sharp = !(shape->rounding > 0);
    user->rounding = user->shaped && user->rounding < shape->rounding ? user->rounding : shape->rounding;
    user->reach = user->reach > shape->reach ? user->reach : shape->reach;
    user->sharp += sharp && user->last_sharp != body && user->sharp < 2;
    user->shaped += user->last != body && user->shaped < 2;
    user->last = body;
    user->last_sharp = sharp ? body : user->last_sharp;
}

static void find_users(const struct scree_world *world, size_t materials, struct scree_outside_user *users)
{
    for (size_t i = 0; i < scree_grain_count(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        if (!(grain->radius > 0) || grain->material >= materials)
            continue;
        const struct scree_shape *shape =
            grain->flags & SCREE_FLAG_SHAPED ? scree_polyhedron_of_grain(world, i) : NULL;
        scree_outside_lists_add_user(&users[grain->material], scree_world_ids(world)[grain->owner], shape);
    }
}

struct check {
    const struct scree_world *world;
    const struct scree_law_classes *classes; // null to ask the rules of the world
    const struct scree_outside_user *users;
    size_t materials;
    uint64_t *wall; // id of the wall whose shape or extent is the fault, 0 for none
};

// The law of two materials; null if no force acts between them, or if the rules have another mistake.
static const struct scree_contact_law *law_of(const struct check *check, size_t a, size_t b)
{
    struct scree_law_class class = {0};
    if (!check->classes) {
        const bool found = scree_interaction_pair(check->world, a, b, &class) == SCREE_OK;
        return found && class.law && class.law->force ? class.law : NULL;
    }
    const uint8_t number = scree_law_class_of(check->classes, (uint16_t)a, (uint16_t)b);
    return number == SCREE_CONTACTS_NO_CLASS ? NULL : check->classes->class[number].law;
}

static const char *material_of(const struct check *check, size_t material)
{
    return scree_material_name(check->world, (scree_material_id){material});
}

// Contacts of two polyhedra are within the sum of their roundings: see docs/theory/polyhedra.md.
static scree_status check_sharp(const struct check *check, size_t a, size_t b)
{
    if (check->users[a].sharp == 0 || check->users[b].sharp < (a == b ? 2 : 1))
        return SCREE_OK;
    char other[80] = "";
    if (a != b)
        snprintf(other, sizeof other, " and '%.60s'", material_of(check, b));
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "polyhedra of the material '%.60s'%s have no rounding, but contacts of two "
                             "polyhedra need one: give their shapes a rounding of several times the largest "
                             "overlap",
                             material_of(check, a), other);
}

static scree_status check_pair(const struct check *check, size_t a, size_t b)
{
    const struct scree_outside_user *one = &check->users[a], *other = &check->users[b];
    const struct scree_contact_law *law = other->shaped || other->plain ? law_of(check, a, b) : NULL;
    if (!law)
        return SCREE_OK;
    SCREE_TRY(check_sharp(check, a, b));
    if (other->shaped > (a == b))
        SCREE_TRY(
            check_law(law, one->rounding < other->rounding ? one->rounding : other->rounding, "another"));
    return other->plain ? check_law(law, one->rounding, "a sphere") : SCREE_OK;
}

static uint64_t id_of_wall(const struct check *check, size_t wall)
{
    return scree_entity_ids(scree_world_entity(check->world, SCREE_ENTITY_WALL))[wall];
}

// Contacts with thin walls are within the rounding.
static scree_status check_thin(const struct check *check, size_t wall, size_t material)
{
    const struct scree_wall *row = scree_wall_row(check->world, wall);
    if (check->users[material].sharp == 0 ||
        (!row->surface && row->shape != SCREE_WALL_CYLINDER && row->shape != SCREE_WALL_CONE))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "a polyhedron of the material '%.60s' has no rounding, but could touch wall "
                             "%llu, a surface without thickness: give its shape a rounding of several "
                             "times the largest overlap",
                             material_of(check, material), (unsigned long long)id_of_wall(check, wall));
}

// There is no wear of facets by polyhedra.
static scree_status check_wear(const struct check *check, size_t wall)
{
    if (scree_wall_row(check->world, wall)->shape != SCREE_WALL_MESH || !scree_wall_facets_wear(check->world))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "wear of facets is measured, but polyhedra could touch the mesh of wall "
                             "%llu, and contacts of polyhedra do not wear facets: leave out the wear",
                             (unsigned long long)id_of_wall(check, wall));
}

// The edges of a wall that spans a periodic cell are at the faces, where no wall ends.
static scree_status check_ends(const struct check *check, size_t wall, size_t material)
{
    const struct scree_wall *row = scree_wall_row(check->world, wall);
    const double reach = check->users[material].reach;
    if (!row->surface || !scree_wall_faces_ends_within(check->world, row, reach))
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_UNSUPPORTED,
        "wall %llu is a %s that spans the periodic cell, and polyhedra of the material '%.60s' could be "
        "beyond its ends: let it go on beyond the faces of the cell by %g m, the distance of their farthest "
        "point from the centre, or use a plane",
        (unsigned long long)id_of_wall(check, wall), scree_wall_shape_name(row->shape),
        material_of(check, material), reach);
}

static scree_status check_shape(const struct check *check, size_t wall)
{
    const struct scree_wall *row = scree_wall_row(check->world, wall);
    const char *fault = scree_outside_wall_fault(row, check->world->dimension);
    return fault ? scree_status_fail(
                       SCREE_ERROR_UNSUPPORTED, "wall %llu is a %s with which polyhedra could touch: %s",
                       (unsigned long long)id_of_wall(check, wall), scree_wall_shape_name(row->shape), fault)
                 : SCREE_OK;
}

static scree_status check_wall(const struct check *check, size_t wall, size_t material)
{
    const struct scree_contact_law *law =
        law_of(check, material, scree_wall_row(check->world, wall)->material);
    if (!law)
        return SCREE_OK;
    *check->wall = id_of_wall(check, wall);
    SCREE_TRY(check_shape(check, wall));
    SCREE_TRY(check_ends(check, wall, material));
    *check->wall = 0;
    SCREE_TRY(check_thin(check, wall, material));
    SCREE_TRY(check_wear(check, wall));
    return check_law(law, check->users[material].rounding, "a wall");
}

static scree_status check_all(const struct check *check)
{
    for (size_t a = 1; a < check->materials; ++a)
        for (size_t b = 1; b < check->materials && check->users[a].shaped; ++b)
            SCREE_TRY(check_pair(check, a, b));
    for (size_t w = 0; w < scree_wall_rows(check->world); ++w)
        for (size_t a = 1; a < check->materials; ++a)
            if (check->users[a].shaped)
                SCREE_TRY(check_wall(check, w, a));
    return SCREE_OK;
}

scree_status scree_outside_lists_check_users(const struct scree_world *world,
                                             const struct scree_outside_user *users, size_t materials,
                                             uint64_t *wall)
{
    const struct check check = {world, NULL, users, materials, wall};
    *wall = 0;
    return check_all(&check);
}

scree_status scree_outside_lists_check(const struct scree_world *world,
                                       const struct scree_law_classes *classes)
{
    struct scree_outside_user *users;
    uint64_t wall;
    if (!scree_polyhedron_any(world))
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(classes->materials + 1, sizeof *users, (void **)&users));
    find_users(world, classes->materials, users);
    const struct check check = {world, classes, users, classes->materials, &wall};
    const scree_status status = check_all(&check);
    scree_memory_free(users);
    return status;
}

// --- tables

scree_status scree_outside_lists_tables(const struct scree_world *world,
                                        const struct scree_law_classes *classes,
                                        struct scree_outside_tables *tables)
{
    *tables = (struct scree_outside_tables){0};
    if (!scree_polyhedron_any(world))
        return SCREE_OK;
    const size_t all = classes->materials, wide = 2 * all;
    SCREE_TRY(scree_memory_new(wide * wide, 1, (void **)&tables->plain));
    const scree_status status = scree_memory_new(wide * wide, 1, (void **)&tables->shaped);
    if (status != SCREE_OK) {
        scree_outside_lists_free_tables(tables);
        return status;
    }
    tables->materials = wide;
    for (size_t a = 0; a < wide; ++a)
        for (size_t b = 0; b < wide; ++b) {
            const uint8_t number = classes->table[a % all * all + b % all];
            const bool shaped = a >= all || b >= all, none = number == SCREE_CONTACTS_NO_CLASS;
            tables->plain[a * wide + b] = shaped ? (uint8_t)SCREE_CONTACTS_NO_CLASS : number;
            tables->shaped[a * wide + b] = shaped && !none ? 0 : (uint8_t)SCREE_CONTACTS_NO_CLASS;
        }
    return SCREE_OK;
}

void scree_outside_lists_free_tables(struct scree_outside_tables *tables)
{
    scree_memory_free(tables->plain);
    scree_memory_free(tables->shaped);
    *tables = (struct scree_outside_tables){0};
}

// --- pairs

struct build {
    struct scree_world *world;
    const struct scree_law_classes *classes;
    const struct scree_candidates_input *input;
    struct scree_contacts pairs; // of bodies, from the search
    struct scree_outside_contacts fresh;
};

// Pairs of bodies of a tile, or the number of them if `fresh` has no memory yet.
static void list_bodies(struct build *build, size_t tile, size_t *count)
{
    const struct scree_grain *grain = build->input->grain;
    const size_t first = scree_contacts_first(&build->pairs, tile, 0),
                 last = scree_contacts_first(&build->pairs, tile + 1, 0);
    for (size_t c = first; c < last; ++c) {
        const struct scree_pair pair = build->pairs.pair[c];
        if (pair.low == pair.high)
            continue;
        if (build->fresh.pair) {
            build->fresh.pair[*count] = pair;
            build->fresh.class_of[*count] =
                scree_law_class_of(build->classes, grain[pair.low].material, grain[pair.high].material);
        }
        ++*count;
    }
}

static bool is_near_mesh(const struct build *build, const struct scree_grain *grain,
                         const struct scree_wall *wall)
{
    struct scree_surface_query query;
    unsigned facet;
    scree_surface_query_begin(&query, wall, grain->position, grain->radius + build->input->margin);
    return scree_surface_query_next(&query, &facet);
}

static bool is_near_wall(const struct build *build, const struct scree_grain *grain,
                         const struct scree_wall *wall)
{
    // a body that wraps changes its distances
    for (int k = 0; k < 3; ++k)
        if (isfinite(build->input->period[k]))
            return true;
    if (wall->shape == SCREE_WALL_MESH)
        return is_near_mesh(build, grain, wall);
    for (unsigned f = 0; f < scree_surface_features(wall); ++f)
        if (scree_surface_within(wall, f, grain->position, grain->radius + build->input->margin))
            return true;
    return false;
}

static void list_walls(struct build *build, size_t tile, size_t *count)
{
    const size_t grains = build->input->count, first = tile * SCREE_CONTACTS_TILE;
    const size_t last = first + SCREE_CONTACTS_TILE < grains ? first + SCREE_CONTACTS_TILE : grains;
    for (size_t i = first; i < last; ++i) {
        const struct scree_grain *grain = &build->input->grain[i];
        for (size_t w = 0; grain->flags & SCREE_FLAG_SHAPED && w < scree_wall_rows(build->world); ++w) {
            const struct scree_wall *wall = scree_wall_row(build->world, w);
            const uint8_t number = scree_law_class_of(build->classes, grain->material, wall->material);
            if (number == SCREE_CONTACTS_NO_CLASS || !is_near_wall(build, grain, wall) ||
                scree_exclusions_contain(&build->input->excluded, (uint32_t)i,
                                         scree_exclusions_wall((uint32_t)w, 0)))
                continue;
            if (build->fresh.pair) {
                build->fresh.pair[*count] = (struct scree_pair){(uint32_t)i, (uint32_t)w};
                build->fresh.class_of[*count] = number;
                build->fresh.wall[*count] =
                    scree_entity_ids(scree_world_entity(build->world, SCREE_ENTITY_WALL))[w];
            }
            ++*count;
        }
    }
}

static size_t list_all(struct build *build)
{
    size_t count = 0;
    for (size_t t = 0; t < build->pairs.tiles; ++t) {
        list_bodies(build, t, &count);
        list_walls(build, t, &count);
        build->fresh.first[t + 1] = count;
    }
    return count;
}

static scree_status allocate(struct build *build)
{
    struct scree_outside_contacts *fresh = &build->fresh;
    const size_t contacts = SCREE_OUTSIDE_MOST * fresh->pairs, classes = build->classes->count;
    size_t longest = 0;
    SCREE_TRY(scree_memory_new(classes, sizeof *fresh->layout, (void **)&fresh->layout));
    fresh->layouts = classes;
    for (size_t c = 0; c < classes; ++c) {
        fresh->layout[c] = build->classes->layout[c];
        fresh->layout[c].outside = true;
        const size_t length = scree_contacts_layout_length(&fresh->layout[c]);
        longest = length > longest ? length : longest;
    }
    fresh->stride = (longest + 3) / 4 * 4;
    SCREE_TRY(scree_memory_new(fresh->pairs, sizeof *fresh->wall, (void **)&fresh->wall));
    SCREE_TRY(scree_memory_new(fresh->pairs, sizeof *fresh->class_of, (void **)&fresh->class_of));
    SCREE_TRY(scree_memory_new(fresh->pairs, sizeof *fresh->live, (void **)&fresh->live));
    SCREE_TRY(scree_memory_new(3 * fresh->pairs, sizeof *fresh->axis, (void **)&fresh->axis));
    SCREE_TRY(scree_memory_new(contacts, sizeof *fresh->feature, (void **)&fresh->feature));
    SCREE_TRY(scree_memory_new(3 * contacts, sizeof *fresh->force, (void **)&fresh->force));
    SCREE_TRY(scree_memory_new(contacts * fresh->stride, sizeof *fresh->history, (void **)&fresh->history));
    return scree_memory_new(fresh->pairs, sizeof *fresh->pair, (void **)&fresh->pair);
}

// --- histories

// Copies the live contacts of an old pair. Histories of another law are dropped.
static void copy_pair(const struct build *build, size_t from, size_t to)
{
    const struct scree_outside_contacts *old = &build->world->contacts.outside;
    const struct scree_outside_contacts *fresh = &build->fresh;
    const struct scree_contacts_layout *was = &old->layout[old->class_of[from]],
                                       *is = &fresh->layout[fresh->class_of[to]];
    const bool same = was->law == is->law && was->resists == is->resists;
    fresh->live[to] = old->live[from];
    memcpy(fresh->axis + 3 * to, old->axis + 3 * from, 3 * sizeof *fresh->axis);
    for (size_t n = 0; n < old->live[from]; ++n) {
        const size_t a = SCREE_OUTSIDE_MOST * from + n, b = SCREE_OUTSIDE_MOST * to + n;
        fresh->feature[b] = old->feature[a];
        memcpy(fresh->force + 3 * b, old->force + 3 * a, 3 * sizeof *fresh->force);
        if (same)
            memcpy(fresh->history + b * fresh->stride, old->history + a * old->stride,
                   scree_contacts_layout_length(is) * sizeof *fresh->history);
    }
}

// Keys of pairs and their order.
struct sorted {
    struct scree_contact_key *key;
    uint32_t *order, *number; // number of the pair of a key
    size_t count;
};

static void free_sorted(struct sorted *sorted)
{
    scree_memory_free(sorted->key);
    scree_memory_free(sorted->order);
    scree_memory_free(sorted->number);
}

// `live_only`: only pairs that have contacts and both of whose sides exist.
static scree_status sort(const struct scree_contacts *contacts, const struct scree_outside_contacts *outside,
                         bool live_only, struct sorted *sorted)
{
    SCREE_TRY(scree_memory_new(outside->pairs, sizeof *sorted->key, (void **)&sorted->key));
    SCREE_TRY(scree_memory_new(outside->pairs, sizeof *sorted->order, (void **)&sorted->order));
    SCREE_TRY(scree_memory_new(outside->pairs, sizeof *sorted->number, (void **)&sorted->number));
    for (size_t p = 0; p < outside->pairs; ++p) {
        const struct scree_pair pair = outside->pair[p];
        if (live_only && (outside->live[p] == 0 || pair.low == UINT32_MAX || pair.high == UINT32_MAX))
            continue;
        sorted->number[sorted->count] = (uint32_t)p;
        sorted->key[sorted->count++] = scree_contacts_outside_pair_key(contacts, outside, p);
    }
    return scree_contact_key_order(sorted->key, sorted->count, sorted->order);
}

static scree_status copy_histories(const struct build *build)
{
    const struct scree_contacts *contacts = &build->world->contacts;
    struct sorted old = {0}, fresh = {0};
    scree_status status = sort(contacts, &contacts->outside, true, &old);
    if (status == SCREE_OK)
        status = sort(contacts, &build->fresh, false, &fresh);
    size_t at = 0;
    for (size_t k = 0; status == SCREE_OK && k < fresh.count; ++k) {
        const struct scree_contact_key *key = &fresh.key[fresh.order[k]];
        while (at < old.count && scree_contact_key_compare(&old.key[old.order[at]], key) < 0)
            ++at;
        if (at < old.count && scree_contact_key_compare(&old.key[old.order[at]], key) == 0)
            copy_pair(build, old.number[old.order[at]], fresh.number[fresh.order[k]]);
    }
    free_sorted(&old);
    free_sorted(&fresh);
    return status;
}

static scree_status build_list(struct build *build, const struct scree_outside_tables *tables)
{
    struct scree_candidates_input input = *build->input;
    input.class_of = tables->shaped;
    input.classes = 1;
    input.layout = NULL;
    input.stride = 0;
    input.crowd_overlap = 0;
    input.min_touching_per_grain = (double)INFINITY;
    SCREE_TRY(scree_candidates_build(&build->pairs, &input));
    SCREE_TRY(
        scree_memory_new(build->pairs.tiles + 1, sizeof *build->fresh.first, (void **)&build->fresh.first));
    build->fresh.pairs = list_all(build);
    SCREE_TRY(allocate(build));
    (void)list_all(build);
    return copy_histories(build);
}

scree_status scree_outside_lists_build(struct scree_world *world, const struct scree_law_classes *classes,
                                       const struct scree_outside_tables *tables,
                                       const struct scree_candidates_input *input)
{
    struct build build = {.world = world, .classes = classes, .input = input};
    if (!tables->shaped)
        return SCREE_OK;
    const scree_status status = build_list(&build, tables);
    scree_candidates_free(&build.pairs);
    if (status == SCREE_OK) {
        scree_contacts_free_outside(&world->contacts.outside);
        world->contacts.outside = build.fresh;
    } else {
        scree_contacts_free_outside(&build.fresh);
    }
    return status;
}
