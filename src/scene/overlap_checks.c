// Reports bodies of the initial world that overlap walls by more than the limit of the alarm, see scene.h.
//
// The alarm itself would report only one of them, in the first step. It alone checks pairs of bodies.

#include "build/build.h"
#include "build/origin.h"
#include "contact/interaction.h"
#include "scene/scene.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/wall.h"
#include "world/wall_shape.h"

#include <stdio.h>

// largest number of reported bodies, size of a text, and largest number of pairs of wall and body to test
enum { MAX_REPORTED = 20, ADVICE = 200 };
static const double max_pairs = 2e8;

struct search {
    struct scree_reading *reading;
    const struct scree_world *world;
    double limit; // of the overlap as a fraction of the radius
    size_t reported;
};

// Returns true if there are contacts between two materials. `known` has 0 for unknown, else 1 + the answer.
static bool can_touch(const struct search *search, uint64_t body, uint64_t wall,
                      uint8_t known[SCREE_INTERACTION_MATERIALS])
{
    struct scree_law_class class = {0};
    if (body == 0 || body >= SCREE_INTERACTION_MATERIALS)
        return false;
    if (known[body] == 0)
        known[body] =
            scree_interaction_pair(search->world, body, wall, &class) == SCREE_OK && class.law ? 2 : 1;
    return known[body] == 2;
}

// The deepest overlap of a grain with a wall.
static bool find_deepest(const struct search *search, const struct scree_wall *wall,
                         const struct scree_grain *grain, struct scree_surface_touch *deepest)
{
    bool found = false;
    struct scree_surface_query query;
    unsigned f;
    scree_surface_query_begin(&query, wall, grain->position, grain->radius);
    while (scree_surface_query_next(&query, &f)) {
        struct scree_surface_touch touch;
        scree_surface_touch(wall, f, grain->position, &touch);
        if (grain->radius - touch.gap > search->limit * grain->radius &&
            (!found || touch.gap < deepest->gap)) {
            *deepest = touch;
            found = true;
        }
    }
    return found;
}

// The place where a body was given: its entry, or its row in a file.
static scree_status place_of(struct search *search, const struct scree_reading_origin *origin, uint64_t id,
                             struct scree_place *place)
{
    const uint32_t line = origin && origin->line ? origin->line[id - origin->first] : 0;
    *place = origin ? origin->node->place : search->reading->root->place;
    if (line == 0)
        return SCREE_OK;
    *place = (struct scree_place){.line = line - 1, .length = 1};
    return scree_diagnostic_source(&search->reading->diagnostics, origin->file, NULL, 0, &place->source);
}

// Writes how the overlap of a grain with a wall can be removed.
static void write_advice(const struct search *search, const struct scree_wall *wall,
                         const struct scree_grain *grain, const struct scree_surface_touch *touch,
                         char advice[ADVICE])
{
    const double overlap = grain->radius - touch->gap, *n = touch->normal;
    const bool is_beyond = wall->side == SCREE_WALL_INSIDE && touch->gap < 0 &&
                           (wall->shape == SCREE_WALL_BOX || wall->shape == SCREE_WALL_SPHERE);
    struct scree_grain moved = *grain;
    struct scree_surface_touch again;
    for (int k = 0; k < 3; ++k)
        moved.position[k] += overlap * n[k];
    if (find_deepest(search, wall, &moved, &again))
        snprintf(advice, ADVICE, "move it away, or make it smaller if there is no space for it");
    else
        snprintf(advice, ADVICE, "move it by %.4g m along (%.3g, %.3g, %.3g)%s", overlap, n[0] + 0.0,
                 n[1] + 0.0, n[2] + 0.0,
                 is_beyond ? ", or give the wall `bodies: outside` if bodies are to be outside of it" : "");
}

static scree_status report(struct search *search, size_t slot, size_t wall_slot,
                           const struct scree_surface_touch *touch)
{
    struct scree_reading *reading = search->reading;
    const struct scree_grain *grain = &scree_world_grains(search->world)[slot];
    const uint64_t id = scree_world_ids(search->world)[grain->owner];
    const struct scree_reading_origin *origin = scree_origin_of_body(reading, id);
    const struct scree_node *wall = scree_origin_of_wall_at(reading, search->world, wall_slot);
    char at[SCREE_DIAGNOSTIC_PLACE], size_warning[SCREE_SIZE_CHECKS_TEXT] = "", advice[ADVICE];
    struct scree_place place;
    const double overlap = grain->radius - touch->gap;
    SCREE_TRY(place_of(search, origin, id, &place));
    write_advice(search, scree_wall_row(search->world, wall_slot), grain, touch, advice);
    const bool is_doubtful =
        origin && scree_size_checks_find(reading, search->world, origin->node, size_warning);
    scree_diagnostic_add(
        &reading->diagnostics, &place,
        "body %llu, a %s of radius %.4g m, overlaps the %s at %s by %.4g m, %.3g of its radius "
        "(limit %g): %s%s%s",
        (unsigned long long)id,
        grain->part > 0                 ? "clump with a pebble"
        : search->world->dimension == 2 ? "disk"
                                        : "sphere",
        grain->radius, scree_wall_shape_name(scree_wall_row(search->world, wall_slot)->shape),
        scree_diagnostic_place(&reading->diagnostics, &wall->place, at), overlap, overlap / grain->radius,
        search->limit, advice, is_doubtful ? ". " : "", is_doubtful ? size_warning : "");
    ++search->reported;
    return SCREE_OK;
}

static scree_status check_wall(struct search *search, size_t wall_slot)
{
    const struct scree_wall *wall = scree_wall_row(search->world, wall_slot);
    uint8_t known[SCREE_INTERACTION_MATERIALS] = {0};
    for (size_t i = 0; i < scree_grain_count(search->world) && search->reported < MAX_REPORTED; ++i) {
        const struct scree_grain *grain = &scree_world_grains(search->world)[i];
        struct scree_surface_touch touch = {0};
        // the sphere around a polyhedron may reach into a wall; the alarm in the first step sees true
        // overlaps
        const bool is_sphere = grain->radius > 0 && !(grain->flags & SCREE_FLAG_SHAPED);
        if (is_sphere && can_touch(search, grain->material, wall->material, known) &&
            find_deepest(search, wall, grain, &touch))
            SCREE_TRY(report(search, i, wall_slot, &touch));
    }
    return SCREE_OK;
}

scree_status scree_overlap_checks_walls(struct scree_reading *reading, const struct scree_world *world)
{
    const struct scree_node *alarms = scree_reading_node(reading->root, SCREE_KEY_scene_alarms);
    const struct scree_node *overlap = scree_reading_node(alarms, SCREE_KEY_alarms_overlap);
    const enum scree_alarm_policy policy = scree_build_engine_policy(reading, SCREE_ALARM_OVERLAP);
    struct search search = {reading, world, 0.2, 0};
    const double pairs = (double)scree_world_bodies(world) * (double)scree_wall_rows(world);
    if (policy == SCREE_ALARM_WARN || policy == SCREE_ALARM_IGNORE || pairs > max_pairs)
        return SCREE_OK;
    (void)scree_reading_number(reading, overlap, SCREE_KEY_overlap_limit, &search.limit);
    for (size_t w = 0; w < scree_wall_rows(world) && search.reported < MAX_REPORTED; ++w)
        SCREE_TRY(check_wall(&search, w));
    return SCREE_OK;
}
