// Makes the bonds of a scene, see build.h: at the start of the run, and at the start of a stage.
//
// Invariant: bonds are made in order of the entries, and within an entry in order of the ids of their sides,
// so that their ids depend only on the scene and the state.

#include "base/memory.h"
#include "base/sort.h"
#include "build/bond_pairs.h"
#include "build/build.h"
#include "language/strength.h"
#include "world/group.h"
#include "world/polyhedron.h"

#include <scree/body.h>
#include <scree/bond.h>
#include <scree/group.h>
#include <scree/material.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// the streams of random strengths, one for each mode
enum { STREAM_STRENGTH = 8 };

// An entry, read.
struct entry {
    struct scree_reading *reading;
    struct scree_world *world;
    const struct scree_node *map, *kind; // the entry, and the section of its kind
    const struct scree_build_bonds_warning *warning;
    struct scree_bond_pairs_filter filter;
    double gap, gap_factor, radius_factor;
    uint64_t seed;
    struct scree_strength strength[SCREE_BOND_MODES];
    struct scree_bond_def def; // without sides; a radius by factor and strengths are set for each bond
};

// --- reading

// Kinds of bonds, by their keys.
static const struct {
    enum scree_key_id key;
    enum scree_bond_kind kind;
} kinds[] = {
    {SCREE_KEY_bond_contact, SCREE_BOND_CONTACT},
    {SCREE_KEY_bond_parallel, SCREE_BOND_PARALLEL},
    {SCREE_KEY_bond_euler_beam, SCREE_BOND_EULER},
    {SCREE_KEY_bond_timoshenko_beam, SCREE_BOND_TIMOSHENKO},
};

// Where the numbers of a kind are stored, by the names of their keys.
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"radius", offsetof(struct scree_bond_def, radius)},
    {"thickness", offsetof(struct scree_bond_def, thickness)},
    {"normal-stiffness", offsetof(struct scree_bond_def, normal_stiffness)},
    {"shear-stiffness", offsetof(struct scree_bond_def, shear_stiffness)},
    {"young", offsetof(struct scree_bond_def, young)},
    {"stiffness-ratio", offsetof(struct scree_bond_def, stiffness_ratio)},
    {"shear-modulus", offsetof(struct scree_bond_def, shear_modulus)},
    {"shear-factor", offsetof(struct scree_bond_def, shear_factor)},
    {"friction-angle", offsetof(struct scree_bond_def, friction_angle)},
    {"moment-factor", offsetof(struct scree_bond_def, moment_factor)},
    {"softening", offsetof(struct scree_bond_def, softening)},
};

// The same for strengths, by mode.
static const struct {
    const char *name;
    size_t offset;
} strengths[SCREE_BOND_MODES] = {
    [SCREE_BOND_TENSION] = {"tensile-strength", offsetof(struct scree_bond_def, tensile_strength)},
    [SCREE_BOND_SHEAR] = {"shear-strength", offsetof(struct scree_bond_def, shear_strength)},
    [SCREE_BOND_BENDING] = {"bending-strength", offsetof(struct scree_bond_def, bending_strength)},
    [SCREE_BOND_TORSION] = {"torsion-strength", offsetof(struct scree_bond_def, torsion_strength)},
};

static double *member(struct scree_bond_def *def, size_t offset)
{
    return (double *)(void *)((char *)def + offset);
}

// The key of the section of the entry's kind with a name, if it is given; else null.
static const struct scree_key *given_key(const struct entry *entry, enum scree_section section,
                                         const char *name)
{
    const struct scree_key *key = scree_key_find(section, name);
    return key && scree_reading_has(entry->kind, (enum scree_key_id)(key - scree_key_rows)) ? key : NULL;
}

static bool read_number(const struct entry *entry, enum scree_section section, const char *name,
                        double *number)
{
    const struct scree_key *key = given_key(entry, section, name);
    return !key || scree_reading_number(entry->reading, entry->kind,
                                        (enum scree_key_id)(key - scree_key_rows), number);
}

// Checks what depends on the dimension, and the factor of moments.
static bool check_kind(const struct entry *entry, enum scree_section section)
{
    static const char *const only_3d[] = {"torsion-strength", NULL};
    struct scree_reading *reading = entry->reading;
    const bool flat = reading->dimension == 2, has_section = scree_key_find(section, "thickness") != NULL;
    if (has_section && flat && !given_key(entry, section, "thickness"))
        return scree_reading_report(reading, entry->kind,
                                    "in two dimensions a bond needs 'thickness', as in `thickness: 1 mm`");
    if (!flat && given_key(entry, section, "thickness"))
        return scree_reading_report(reading, entry->kind,
                                    "'thickness' is for two dimensions: in three the section is a disk");
    for (const char *const *name = only_3d; *name; ++name)
        if (flat && given_key(entry, section, *name))
            return scree_reading_report(reading, entry->kind, "'%s' is for three dimensions", *name);
    if (section == SCREE_SECTION_euler_beam && flat == (given_key(entry, section, "shear-modulus") != NULL))
        return scree_reading_report(reading, entry->kind,
                                    flat ? "in two dimensions there is no twist: leave out 'shear-modulus'"
                                         : "a beam needs 'shear-modulus' for twist, as in `%s`",
                                    scree_key_rows[SCREE_KEY_euler_beam_shear_modulus].example);
    if (has_section && !given_key(entry, section, "moment-factor") &&
        (given_key(entry, section, "tensile-strength") || given_key(entry, section, "shear-strength")))
        return scree_reading_report(reading, entry->kind,
                                    "tensile and shear strengths need 'moment-factor': 1 counts the stresses "
                                    "of bending and twist, 0 ignores them");
    return true;
}

static bool read_kind(struct entry *entry)
{
    enum scree_section section = SCREE_SECTIONS;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
        if (scree_reading_has(entry->map, kinds[k].key)) {
            entry->kind = scree_reading_node(entry->map, kinds[k].key);
            entry->def.kind = kinds[k].kind;
            section = scree_key_child_section(&scree_key_rows[kinds[k].key]);
        }
    bool good = entry->kind && check_kind(entry, section);
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0] && good; ++n)
        good = read_number(entry, section, numbers[n].name, member(&entry->def, numbers[n].offset));
    good = good && read_number(entry, section, "radius-factor", &entry->radius_factor);
    for (size_t m = 0; m < SCREE_BOND_MODES && good; ++m) {
        const struct scree_key *key = given_key(entry, section, strengths[m].name);
        good = !key || scree_strength_read(entry->reading, entry->kind,
                                           (enum scree_key_id)(key - scree_key_rows), &entry->strength[m]);
    }
    entry->def.ignores_moments =
        good && given_key(entry, section, "moment-factor") && entry->def.moment_factor == 0;
    return good;
}

static bool read_common(struct entry *entry)
{
    static const enum scree_bond_touching by_word[] = {
        SCREE_BOND_TOUCHING_BY_KIND, SCREE_BOND_TOUCHING_ALLOWED, SCREE_BOND_TOUCHING_EXCLUDED};
    struct scree_reading *reading = entry->reading;
    size_t touching;
    bool good = scree_reading_number(reading, entry->map, SCREE_KEY_bond_damping, &entry->def.damping_ratio);
    good = scree_reading_whole(reading, entry->map, SCREE_KEY_bond_seed, &entry->seed) && good;
    if (scree_reading_has(entry->map, SCREE_KEY_bond_gap))
        good = scree_reading_number(reading, entry->map, SCREE_KEY_bond_gap, &entry->gap) && good;
    if (scree_reading_has(entry->map, SCREE_KEY_bond_gap_factor))
        good =
            scree_reading_number(reading, entry->map, SCREE_KEY_bond_gap_factor, &entry->gap_factor) && good;
    if (!scree_reading_word(reading, entry->map, SCREE_KEY_bond_touching, &touching))
        return false;
    entry->def.touching = by_word[touching];
    return good;
}

// --- filters

// The keys of a filter in one section.
struct filter_keys {
    enum scree_key_id between, groups, wall;
};

// Finds name `index` of a key as a group, and its mask; the mask is 0 after a diagnostic.
static scree_status read_mask(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map, enum scree_key_id key, size_t index,
                              uint64_t *mask)
{
    const char *name;
    size_t word;
    scree_group_id group = {0};
    if (!scree_reading_name(reading, map, key, index, &name, &word))
        return reading->values.status;
    scree_status status = scree_group_find(world, name, &group);
    if (status == SCREE_OK)
        status = scree_group_mask(world, group, mask);
    return scree_reading_report_status(reading, scree_reading_node(map, key), status);
}

static scree_status read_materials(struct scree_reading *reading, const struct scree_world *world,
                                   const struct scree_node *map, enum scree_key_id key,
                                   scree_material_id material[2])
{
    for (size_t k = 0; k < scree_reading_count(map, key); ++k) {
        const char *name;
        size_t word;
        if (!scree_reading_name(reading, map, key, k, &name, &word))
            return reading->values.status;
        if (!scree_reading_is_special(key, name))
            SCREE_TRY(scree_reading_report_status(reading, scree_reading_node(map, key),
                                                  scree_material_find(world, name, &material[k])));
    }
    return SCREE_OK;
}

static scree_status read_filter(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_node *map, const struct filter_keys *keys,
                                struct scree_bond_pairs_filter *filter)
{
    const size_t groups = scree_reading_count(map, keys->groups);
    filter->to_walls = scree_reading_has(map, keys->wall);
    if (filter->to_walls && groups > 1)
        scree_reading_report(reading, scree_reading_node(map, keys->groups),
                             "a bond to a wall has one body: give one group of bodies beside 'wall'");
    SCREE_TRY(read_materials(reading, world, map, keys->between, filter->material));
    for (size_t k = 0; k < groups; ++k)
        SCREE_TRY(read_mask(reading, world, map, keys->groups, k, &filter->groups[k]));
    if (groups == 1)
        filter->groups[1] = filter->groups[0];
    return filter->to_walls ? read_mask(reading, world, map, keys->wall, 0, &filter->walls) : SCREE_OK;
}

// --- sides that are bonded already

// Numbers of the two sides of all bonds, sorted.
struct bonded {
    uint64_t (*side)[2];
    size_t count;
};

static void number_sides(const struct scree_bond_side side[2], scree_wall_id wall, uint64_t number[2])
{
    // bodies have fewer than 2^47 ids and 2^16 parts; a side of a wall is marked by the highest bit
    const uint64_t one = side[0].body.value << 16 | side[0].part,
                   other =
                       wall.value ? UINT64_C(1) << 63 | wall.value : side[1].body.value << 16 | side[1].part;
    number[0] = one < other ? one : other;
    number[1] = one < other ? other : one;
}

static int compare(const uint64_t one[2], const uint64_t other[2])
{
    const int k = one[0] == other[0] ? 1 : 0;
    return one[k] < other[k] ? -1 : one[k] > other[k];
}

// Sorts by both numbers: a stable sort by the second, then one by the first.
static scree_status sort_bonded(struct bonded *bonded, const uint64_t (*side)[2])
{
    uint64_t *key = NULL;
    uint32_t *order[2] = {NULL, NULL};
    scree_status status = scree_memory_new(bonded->count, sizeof *key, (void **)&key);
    for (int pass = 0; pass < 2 && status == SCREE_OK; ++pass) {
        status = scree_memory_new(bonded->count, sizeof *order[pass], (void **)&order[pass]);
        for (size_t n = 0; n < bonded->count && status == SCREE_OK; ++n)
            key[n] = pass == 0 ? side[n][1] : side[order[0][n]][0];
        if (status == SCREE_OK)
            status = scree_sort_order(key, bonded->count, order[pass]);
    }
    for (size_t n = 0; n < bonded->count && status == SCREE_OK; ++n)
        memcpy(bonded->side[n], side[order[0][order[1][n]]], sizeof *bonded->side);
    scree_memory_free(order[0]);
    scree_memory_free(order[1]);
    scree_memory_free(key);
    return status;
}

// Lists the sides of all bonds; free `bonded->side` also after a failure.
static scree_status list_bonded(const struct scree_world *world, struct bonded *bonded)
{
    const size_t capacity = scree_bond_count(world);
    scree_bond_id *id = NULL;
    uint64_t(*side)[2] = NULL;
    SCREE_TRY(scree_memory_new(capacity, sizeof *bonded->side, (void **)&bonded->side));
    scree_status status = scree_memory_new(capacity, sizeof *side, (void **)&side);
    if (status == SCREE_OK)
        status = scree_memory_new(capacity, sizeof *id, (void **)&id);
    if (status == SCREE_OK)
        status = scree_bond_list(world, id, capacity, &bonded->count);
    for (size_t n = 0; n < bonded->count && status == SCREE_OK; ++n) {
        struct scree_bond_state state;
        status = scree_bond_get(world, id[n], &state);
        if (status == SCREE_OK)
            number_sides(state.side, state.wall, side[n]);
    }
    if (status == SCREE_OK)
        status = sort_bonded(bonded, (const uint64_t(*)[2])side);
    scree_memory_free(id);
    scree_memory_free(side);
    return status;
}

static bool is_bonded(const struct bonded *bonded, const struct scree_bond_pair *pair)
{
    uint64_t wanted[2];
    size_t first = 0, last = bonded->count;
    number_sides(pair->side, pair->wall, wanted);
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        const int order = compare(bonded->side[middle], wanted);
        if (order == 0)
            return true;
        first = order < 0 ? middle + 1 : first;
        last = order < 0 ? last : middle;
    }
    return false;
}

// --- adding

static void draw_strengths(const struct entry *entry, const struct scree_bond_pair *pair,
                           struct scree_bond_def *def)
{
    const bool wall = pair->wall.value != 0;
    const uint64_t second = wall ? pair->wall.value : pair->side[1].body.value,
                   part = wall ? UINT64_C(1) << 16 | pair->feature : pair->side[1].part,
                   draw = (uint64_t)pair->side[0].part << 17 | part;
    for (uint32_t m = 0; m < SCREE_BOND_MODES; ++m) {
        const struct scree_random_key key = {entry->seed, STREAM_STRENGTH + m};
        *member(def, strengths[m].offset) =
            scree_strength_draw(&entry->strength[m], key, pair->side[0].body.value, second, draw);
    }
}

static scree_status add_bond(const struct entry *entry, const struct scree_bond_pair *pair)
{
    struct scree_bond_def def = entry->def;
    scree_bond_id id;
    memcpy(def.side, pair->side, sizeof def.side);
    def.wall = pair->wall;
    def.feature = pair->feature;
    if (entry->radius_factor > 0)
        def.radius = entry->radius_factor * pair->radius;
    draw_strengths(entry, pair, &def);
    return scree_reading_report_status(entry->reading, entry->kind, scree_bond_add(entry->world, &def, &id));
}

static void warn(const struct entry *entry, const struct scree_node *node, const char *text)
{
    const struct scree_place *place = &node->place;
    char line[400];
    snprintf(line, sizeof line, "%.100s:%u: %.200s, so this stage makes no bond of this entry",
             entry->reading->diagnostics.sources.data[place->source].name, (unsigned)place->line + 1, text);
    entry->warning->warn(entry->warning->user, line);
}

static scree_status report_no_pair(const struct entry *entry)
{
    double smallest;
    const bool by_factor = entry->gap_factor > 0;
    const struct scree_node *node =
        scree_reading_node(entry->map, by_factor ? SCREE_KEY_bond_gap_factor : SCREE_KEY_bond_gap);
    SCREE_TRY(scree_bond_pairs_smallest(entry->world, &entry->filter, &smallest));
    const char *pairs = entry->filter.to_walls ? "pair of a body and a wall" : "pair of bodies";
    char text[160];
    if (isinf(smallest))
        snprintf(text, sizeof text, "there is no %s that this entry could bond%s", pairs,
                 scree_polyhedron_any(entry->world) ? " (polyhedra have no bonds)" : "");
    else
        snprintf(text, sizeof text, "no %s is within this gap: the smallest gap is %.6g m", pairs,
                 // rounded up, so that the printed gap is enough
                 smallest + 1e-5 * fabs(smallest));
    node = node && !isinf(smallest) ? node : entry->map;
    if (entry->warning)
        warn(entry, node, text);
    else
        scree_reading_report(entry->reading, node, "%s", text);
    return SCREE_OK;
}

static scree_status add_pairs(const struct entry *entry, const scree_bond_pair_list *list,
                              const struct bonded *bonded)
{
    const size_t before = entry->reading->diagnostics.all;
    const bool silent = entry->warning && !entry->warning->warn;
    if (list->count == 0)
        return silent ? SCREE_OK : report_no_pair(entry);
    for (size_t n = 0; n < list->count && entry->reading->diagnostics.all == before; ++n)
        if (!is_bonded(bonded, &list->data[n]))
            SCREE_TRY(add_bond(entry, &list->data[n]));
    return SCREE_OK;
}

static scree_status add_near(const struct entry *entry)
{
    scree_bond_pair_list list = {0};
    struct bonded bonded = {0};
    scree_status status =
        scree_bond_pairs_find(entry->world, &entry->filter, entry->gap, entry->gap_factor, &list);
    if (status == SCREE_OK)
        status = list_bonded(entry->world, &bonded);
    if (status == SCREE_OK)
        status = add_pairs(entry, &list, &bonded);
    scree_array_free(&list);
    scree_memory_free(bonded.side);
    return status;
}

// Reads a pair, with the lower id first; `part` is all zero if no parts are given. False after a mistake.
static bool read_given(const struct entry *entry, size_t n, scree_body_id body[2], uint64_t part[2])
{
    uint64_t id[2], given[2] = {0};
    if (!scree_reading_id_pair(entry->reading, entry->map, SCREE_KEY_bond_pairs, n, id) ||
        (scree_reading_has(entry->map, SCREE_KEY_bond_parts) &&
         !scree_reading_id_pair(entry->reading, entry->map, SCREE_KEY_bond_parts, n, given)))
        return false;
    const int lower = id[0] < id[1] ? 0 : 1;
    for (int k = 0; k < 2; ++k) {
        body[k].value = id[k == 0 ? lower : 1 - lower];
        part[k] = given[k == 0 ? lower : 1 - lower];
    }
    return true;
}

static scree_status add_given(const struct entry *entry)
{
    const struct scree_node *list = scree_reading_node(entry->map, SCREE_KEY_bond_pairs),
                            *parts = scree_reading_node(entry->map, SCREE_KEY_bond_parts);
    const size_t before = entry->reading->diagnostics.all;
    if (parts && parts->count != list->count)
        scree_reading_report(entry->reading, parts, "%zu 'pairs' need as many 'parts', not %zu", list->count,
                             parts->count);
    for (size_t n = 0; n < list->count && entry->reading->diagnostics.all == before; ++n) {
        scree_body_id body[2];
        uint64_t part[2];
        if (!read_given(entry, n, body, part))
            return entry->reading->values.status;
        struct scree_bond_pair pair = {0};
        SCREE_TRY(scree_reading_report_status(
            entry->reading, list->item[n],
            scree_bond_pairs_of(entry->world, &entry->filter, body, part, &pair)));
        if (entry->reading->diagnostics.all == before)
            SCREE_TRY(add_bond(entry, &pair));
    }
    return SCREE_OK;
}

// Reads an entry; `entry->kind` is null after a diagnostic.
static scree_status read_entry(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *map, struct entry *entry)
{
    static const struct filter_keys keys = {SCREE_KEY_bond_between, SCREE_KEY_bond_groups,
                                            SCREE_KEY_bond_wall};
    const size_t before = reading->diagnostics.all;
    *entry = (struct entry){.reading = reading, .world = world, .map = map};
    SCREE_TRY(read_filter(reading, world, map, &keys, &entry->filter));
    const bool good = read_kind(entry);
    if (!(read_common(entry) && good) || reading->diagnostics.all > before)
        entry->kind = NULL;
    return reading->values.status;
}

scree_status scree_build_bonds(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *bonds,
                               const struct scree_build_bonds_warning *warning)
{
    for (size_t k = 0; bonds && k < bonds->count; ++k) {
        struct entry entry;
        SCREE_TRY(read_entry(reading, world, bonds->item[k], &entry));
        entry.warning = warning;
        if (entry.kind)
            SCREE_TRY(scree_reading_has(entry.map, SCREE_KEY_bond_pairs) ? add_given(&entry)
                                                                         : add_near(&entry));
    }
    return SCREE_OK;
}

// --- removal

scree_status scree_build_remove_bonds(struct scree_reading *reading, struct scree_world *world,
                                      const struct scree_node *map)
{
    static const struct filter_keys keys = {SCREE_KEY_bond_removal_between, SCREE_KEY_bond_removal_groups,
                                            SCREE_KEY_bond_removal_wall};
    const size_t before = reading->diagnostics.all, capacity = scree_bond_count(world);
    struct scree_bond_pairs_filter filter = {0};
    scree_bond_id *id;
    size_t count = 0;
    SCREE_TRY(read_filter(reading, world, map, &keys, &filter));
    if (reading->diagnostics.all > before)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(capacity, sizeof *id, (void **)&id));
    scree_status status = scree_bond_list(world, id, capacity, &count);
    for (size_t n = 0; n < count && status == SCREE_OK; ++n) {
        struct scree_bond_state state;
        status = scree_bond_get(world, id[n], &state);
        if (status == SCREE_OK && scree_bond_pairs_accept(world, &filter, state.side, state.wall))
            status = scree_bond_remove(world, id[n]);
    }
    scree_memory_free(id);
    return scree_reading_report_status(reading, map, status);
}

// --- dry run

// Adds two bodies of a material that touch.
static scree_status add_two_bodies(struct scree_world *world, scree_body_id body[2])
{
    const struct scree_entity *materials = scree_world_entity(world, SCREE_ENTITY_MATERIAL);
    for (int k = 0; k < 2; ++k) {
        const struct scree_sphere_def sphere = {
            .radius = 1, .material = {scree_entity_ids(materials)[0]}, .position = {2.0 * k}};
        const struct scree_disk_def disk = {
            .radius = 1, .thickness = 1, .material = sphere.material, .position = {2.0 * k}};
        SCREE_TRY(scree_world_dimension(world) == 2 ? scree_body_add_disk(world, &disk, &body[k])
                                                    : scree_body_add_sphere(world, &sphere, &body[k]));
    }
    return SCREE_OK;
}

static scree_status try_entry(const struct entry *entry)
{
    scree_body_id body[2] = {{0}, {0}};
    struct scree_bond_pair pair = {.radius = 1};
    scree_status status = add_two_bodies(entry->world, body);
    for (int k = 0; k < 2; ++k)
        pair.side[k].body = body[k];
    if (status == SCREE_OK)
        status = add_bond(entry, &pair);
    for (int k = 1; k >= 0; --k)
        if (body[k].value != 0) {
            const scree_status removed = scree_body_remove(entry->world, body[k]);
            status = status == SCREE_OK ? removed : status;
        }
    return status;
}

scree_status scree_build_try_bonds(struct scree_reading *reading, struct scree_world *world,
                                   const struct scree_node *bonds)
{
    const bool can_try = scree_world_entity(world, SCREE_ENTITY_MATERIAL)->count > 0;
    for (size_t k = 0; bonds && can_try && k < bonds->count; ++k) {
        struct entry entry;
        SCREE_TRY(read_entry(reading, world, bonds->item[k], &entry));
        if (entry.kind)
            SCREE_TRY(try_entry(&entry));
    }
    return SCREE_OK;
}

scree_status scree_build_foresee_bonds(struct scree_reading *reading, struct scree_world *world,
                                       const struct scree_node *bonds, uint64_t *made)
{
    static const struct scree_build_bonds_warning silent = {NULL, NULL};
    const uint64_t before = scree_bond_count(world);
    for (size_t k = 0; bonds && k < bonds->count; ++k) {
        struct entry entry;
        SCREE_TRY(read_entry(reading, world, bonds->item[k], &entry));
        entry.warning = &silent;
        if (entry.kind && !scree_reading_has(entry.map, SCREE_KEY_bond_pairs))
            SCREE_TRY(add_near(&entry));
    }
    *made = scree_bond_count(world) - before;
    return SCREE_OK;
}

scree_status scree_build_check_pairs(struct scree_reading *reading, const struct scree_world *world,
                                     const struct scree_node *bonds)
{
    const bool inserts = scree_reading_has(reading->root, SCREE_KEY_scene_insert);
    for (size_t k = 0; bonds && !inserts && k < bonds->count; ++k) {
        const struct scree_node *list = scree_reading_node(bonds->item[k], SCREE_KEY_bond_pairs);
        for (size_t n = 0; list && n < list->count; ++n) {
            uint64_t id[2];
            uint32_t slot;
            if (!scree_reading_id_pair(reading, bonds->item[k], SCREE_KEY_bond_pairs, n, id))
                return reading->values.status;
            for (int side = 0; side < 2; ++side)
                if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, id[side], &slot))
                    scree_reading_report(reading, list->item[n],
                                         "there is no body %llu, and no insertion adds one",
                                         (unsigned long long)id[side]);
        }
    }
    return SCREE_OK;
}
