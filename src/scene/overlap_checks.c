// Reports bodies of the initial world that overlap walls by more than the limit of the alarm, see scene.h.
//
// The alarm itself would report only one of them, in the first step. It alone checks pairs of bodies.

#include "build/build.h"
#include "build/origin.h"
#include "contact/interaction.h"
#include "contact/outside.h"
#include "scene/scene.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/wall.h"
#include "world/wall_shape.h"

#include <stdio.h>
#include <string.h>

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

// An overlap of a grain with a wall.
struct overlap {
    double depth;     // m
    double scale;     // what it is compared with, m
    const char *of;   // its name
    double normal[3]; // from the wall to the grain
};

static bool is_too_deep(const struct search *search, const struct overlap *overlap)
{
    return overlap->depth > search->limit * overlap->scale;
}

static void find_of_sphere(const struct scree_wall *wall, const struct scree_grain *grain,
                           const double position[3], struct overlap *deepest)
{
    struct scree_surface_query query;
    unsigned f;
    scree_surface_query_begin(&query, wall, position, grain->radius);
    while (scree_surface_query_next(&query, &f)) {
        struct scree_surface_touch touch;
        scree_surface_touch(wall, f, position, &touch);
        if (grain->radius - touch.gap > deepest->depth) {
            *deepest = (struct overlap){grain->radius - touch.gap, grain->radius, "its radius", {0}};
            memcpy(deepest->normal, touch.normal, sizeof deepest->normal);
        }
    }
}

// Whether the sphere around a polyhedron reaches a wall with which polyhedra have contacts.
static bool is_near(const struct scree_world *world, const struct scree_wall *wall,
                    const struct scree_grain *grain, const double position[3])
{
    struct scree_surface_query query;
    unsigned f;
    if (scree_outside_wall_fault(wall, world->dimension))
        return false;
    scree_surface_query_begin(&query, wall, position, grain->radius);
    while (scree_surface_query_next(&query, &f))
        if (scree_surface_within(wall, f, position, grain->radius))
            return true;
    return false;
}

static void find_of_polyhedron(const struct scree_world *world, const struct scree_wall *wall,
                               const struct scree_grain *grain, const double position[3],
                               struct overlap *deepest)
{
    struct scree_outside_pair pair;
    if (!is_near(world, wall, grain, position))
        return;
    scree_outside_find_wall_at(world, grain, position, wall, &pair);
    for (size_t t = 0; t < pair.count; ++t)
        if (pair.touch[t].overlap > deepest->depth) {
            *deepest =
                (struct overlap){pair.touch[t].overlap, pair.depth, scree_outside_depth_name(&pair), {0}};
            scree_vec3_store(pair.touch[t].normal, deepest->normal);
        }
}

// The deepest overlap of a grain at a position with a wall; false if it is within the limit.
static bool find_deepest(const struct search *search, const struct scree_wall *wall,
                         const struct scree_grain *grain, const double position[3], struct overlap *deepest)
{
    *deepest = (struct overlap){0};
    if (grain->flags & SCREE_FLAG_SHAPED)
        find_of_polyhedron(search->world, wall, grain, position, deepest);
    else
        find_of_sphere(wall, grain, position, deepest);
    return is_too_deep(search, deepest);
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
                         const struct scree_grain *grain, const struct overlap *overlap, char advice[ADVICE])
{
    const double *n = overlap->normal;
    // its centre is beyond the wall
    const bool is_beyond = wall->side == SCREE_WALL_INSIDE && overlap->depth > overlap->scale &&
                           (wall->shape == SCREE_WALL_BOX || wall->shape == SCREE_WALL_SPHERE);
    double moved[3];
    struct overlap again;
    for (int k = 0; k < 3; ++k)
        moved[k] = grain->position[k] + overlap->depth * n[k];
    if (find_deepest(search, wall, grain, moved, &again))
        snprintf(advice, ADVICE, "move it away, or make it smaller if there is no space for it");
    else
        snprintf(advice, ADVICE, "move it by %.4g m along (%.3g, %.3g, %.3g)%s", overlap->depth, n[0] + 0.0,
                 n[1] + 0.0, n[2] + 0.0,
                 is_beyond ? ", or give the wall `bodies: outside` if bodies are to be outside of it" : "");
}

static const char *name_of(const struct search *search, const struct scree_grain *grain)
{
    const bool flat = search->world->dimension == 2;
    if (grain->flags & SCREE_FLAG_SHAPED)
        return grain->part > 0 ? (flat ? "clump with a polygon" : "clump with a polyhedron")
                               : (flat ? "polygon" : "polyhedron");
    return grain->part > 0 ? "clump with a pebble" : flat ? "disk" : "sphere";
}

static scree_status report(struct search *search, size_t slot, size_t wall_slot,
                           const struct overlap *overlap)
{
    struct scree_reading *reading = search->reading;
    const struct scree_grain *grain = &scree_world_grains(search->world)[slot];
    const uint64_t id = scree_world_ids(search->world)[grain->owner];
    const struct scree_reading_origin *origin = scree_origin_of_body(reading, id);
    const struct scree_node *wall = scree_origin_of_wall_at(reading, search->world, wall_slot);
    char at[SCREE_DIAGNOSTIC_PLACE], size_warning[SCREE_SIZE_CHECKS_TEXT] = "", advice[ADVICE];
    struct scree_place place;
    SCREE_TRY(place_of(search, origin, id, &place));
    write_advice(search, scree_wall_row(search->world, wall_slot), grain, overlap, advice);
    const bool is_doubtful =
        origin && scree_size_checks_find(reading, search->world, origin->node, size_warning);
    scree_diagnostic_add(&reading->diagnostics, &place,
                         "body %llu, a %s of %s %.4g m, overlaps the %s at %s by %.4g m, %.3g of %s "
                         "(limit %g): %s%s%s",
                         (unsigned long long)id, name_of(search, grain),
                         grain->flags & SCREE_FLAG_SHAPED ? "reach" : "radius", grain->radius,
                         scree_wall_shape_name(scree_wall_row(search->world, wall_slot)->shape),
                         scree_diagnostic_place(&reading->diagnostics, &wall->place, at), overlap->depth,
                         overlap->depth / overlap->scale, overlap->of, search->limit, advice,
                         is_doubtful ? ". " : "", is_doubtful ? size_warning : "");
    ++search->reported;
    return SCREE_OK;
}

static scree_status check_wall(struct search *search, size_t wall_slot)
{
    const struct scree_wall *wall = scree_wall_row(search->world, wall_slot);
    uint8_t known[SCREE_INTERACTION_MATERIALS] = {0};
    for (size_t i = 0; i < scree_grain_count(search->world) && search->reported < MAX_REPORTED; ++i) {
        const struct scree_grain *grain = &scree_world_grains(search->world)[i];
        struct overlap overlap;
        if (grain->radius > 0 && can_touch(search, grain->material, wall->material, known) &&
            find_deepest(search, wall, grain, grain->position, &overlap))
            SCREE_TRY(report(search, i, wall_slot, &overlap));
    }
    return SCREE_OK;
}

scree_status scree_overlap_checks_walls(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *alarms = scree_reading_node(reading->root, SCREE_KEY_scene_alarms);
    const struct scree_node *overlap = scree_reading_node(alarms, SCREE_KEY_alarms_overlap);
    const enum scree_alarm_policy policy = scree_build_engine_policy(reading, SCREE_ALARM_OVERLAP);
    struct search search = {reading, world, 0.2, 0};
    const double pairs = (double)scree_grain_count(world) * (double)scree_wall_rows(world);
    if (policy == SCREE_ALARM_WARN || policy == SCREE_ALARM_IGNORE || pairs > max_pairs)
        return SCREE_OK;
    (void)scree_reading_number(reading, overlap, SCREE_KEY_overlap_limit, &search.limit);
    // so far carried grains may have no positions
    SCREE_TRY(scree_grain_reserve_records(world));
    scree_grain_update_records(world, 0, NULL);
    for (size_t w = 0; w < scree_wall_rows(world) && search.reported < MAX_REPORTED; ++w)
        SCREE_TRY(check_wall(&search, w));
    return SCREE_OK;
}
