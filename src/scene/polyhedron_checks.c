// Checks what polyhedra of a scene could touch, before and without the bodies that are inserted, see scene.h.
//
// The entries of bodies and insertions are counted in their order, and checked after each, so that a mistake
// is reported at the first entry with which it appears; that of a wall is reported at the wall.

#include "base/memory.h"
#include "build/build.h"
#include "build/origin.h"
#include "contact/interaction.h"
#include "contact/outside_lists.h"
#include "scene/scene.h"
#include "world/grain.h"
#include "world/polyhedron.h"

#include <stdio.h>

struct search {
    struct scree_reading *reading;
    const struct scree_world *rules; // with the walls and contact laws
    const struct scree_node *place;  // where to report all mistakes; null for the entry of the bodies
    struct scree_outside_user *user; // by material
};

// Reports a wall at its own entry, which must change, with the place of the bodies or the stage, if known.
static void report_wall(const struct search *search, uint64_t wall, const struct scree_node *place)
{
    struct scree_reading *reading = search->reading;
    char where[SCREE_DIAGNOSTIC_PLACE] = "", text[SCREE_DIAGNOSTIC_PLACE + 40] = "";
    if (place != reading->root)
        snprintf(text, sizeof text, " (%s %s)", search->place ? "in the stage at" : "the polyhedra are at",
                 scree_diagnostic_place(&reading->diagnostics, &place->place, where));
    scree_reading_report(reading, scree_origin_of_wall(reading, wall), "%s%s", scree_status_message(), text);
}

static scree_status check(const struct search *search, const struct scree_node *place)
{
    uint64_t wall;
    const scree_status status =
        scree_outside_lists_check_users(search->rules, search->user, SCREE_INTERACTION_MATERIALS, &wall);
    if (wall == 0)
        return scree_reading_report_status(search->reading, place, status);
    report_wall(search, wall, place);
    return SCREE_OK;
}

// Counts a grain of a body; `shape` is null for others than polyhedra. Returns true if there is something to
// check.
static bool count_grain(const struct search *search, uint64_t material, uint64_t body,
                        const struct scree_shape *shape)
{
    if (material == 0 || material >= SCREE_INTERACTION_MATERIALS)
        return false;
    struct scree_outside_user *user = &search->user[material];
    const struct scree_outside_user before = *user;
    scree_outside_lists_add_user(user, body, shape);
    return !search->place && (before.shaped != user->shaped || before.plain != user->plain ||
                              before.sharp != user->sharp || before.reach < user->reach);
}

static scree_status count_bodies(const struct search *search, const struct scree_world *world)
{
    const size_t before = search->reading->diagnostics.all;
    for (size_t i = 0; i < scree_grain_count(world) && search->reading->diagnostics.all == before; ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const struct scree_shape *shape =
            grain->flags & SCREE_FLAG_SHAPED ? scree_polyhedron_of_grain(world, i) : NULL;
        const uint64_t id = scree_world_ids(world)[grain->owner];
        if (!(grain->radius > 0) || !count_grain(search, grain->material, id, shape))
            continue;
        const struct scree_reading_origin *origin = scree_origin_of_body(search->reading, id);
        SCREE_TRY(check(search, origin ? origin->node : search->reading->root));
    }
    return SCREE_OK;
}

static bool count_template(const struct search *search, const struct scree_build_template *template,
                           uint64_t body)
{
    const struct scree_clumps_shape *clump = template->clump;
    const struct scree_polyhedra_shape *own = template->polyhedron;
    const uint64_t material = template->material.value;
    if (!clump)
        return count_grain(search, material, body, own ? &own->row : NULL);
    bool changed = false;
    for (size_t p = 0; p < clump->pebbles; ++p) {
        const struct scree_polyhedra_shape *part = scree_clumps_polyhedron(clump, p);
        changed = count_grain(search, clump->material[p] > 0 ? clump->material[p] : material, body,
                              part ? &part->row : NULL) ||
                  changed;
    }
    return changed;
}

// Counts the bodies of an insertion as two, the number that can touch each other.
static scree_status count_insert(const struct search *search, const struct scree_node *map)
{
    struct scree_reading *reading = search->reading;
    struct scree_build_template template = {0};
    struct scree_sizes sizes;
    uint64_t count = 2;
    SCREE_TRY(
        scree_build_material(reading, search->rules, map, SCREE_KEY_insert_material, &template.material));
    if (!scree_build_template_read(reading, scree_reading_node(map, SCREE_KEY_insert_shape), &template,
                                   &sizes) ||
        (scree_reading_has(map, SCREE_KEY_insert_count) &&
         !scree_reading_whole(reading, map, SCREE_KEY_insert_count, &count)))
        return reading->values.status;
    bool changed = false;
    // ids that no body has
    for (uint64_t k = 0; k < 2 && k < count; ++k)
        changed = count_template(search, &template, UINT64_MAX - k) || changed;
    return changed ? check(search, map) : SCREE_OK;
}

static scree_status count_all(const struct search *search, const struct scree_world *world)
{
    struct scree_reading *reading = search->reading;
    const struct scree_node *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    const size_t before = reading->diagnostics.all;
    SCREE_TRY(count_bodies(search, world));
    for (size_t k = 0; inserts && k < inserts->count && reading->diagnostics.all == before; ++k)
        SCREE_TRY(count_insert(search, inserts->item[k]));
    return search->place && reading->diagnostics.all == before ? check(search, search->place) : SCREE_OK;
}

scree_status scree_polyhedron_checks(struct scree_reading *reading, const struct scree_world *world,
                                     const struct scree_world *rules, const struct scree_node *place)
{
    struct search search = {.reading = reading, .rules = rules, .place = place};
    if (!scree_reading_has(reading->root, SCREE_KEY_scene_polyhedra) && !scree_polyhedron_any(world))
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(SCREE_INTERACTION_MATERIALS, sizeof *search.user, (void **)&search.user));
    const scree_status status = count_all(&search, world);
    scree_memory_free(search.user);
    return status;
}
