// Walls with mass, see free_wall.h. Without given values, mass, centre and inertia are those of the inside of
// a closed mesh, filled with the material of the wall.

#include "build/free_wall.h"

#include "base/memory.h"
#include "build/build.h"
#include "world/world.h"

#include <scree/body.h>
#include <scree/load.h>
#include <scree/material.h>
#include <scree/shape.h>

#include <stdio.h>
#include <string.h>

static bool has(const struct scree_node *map, enum scree_key_id key)
{
    return scree_reading_has(map, key);
}

// What must be given, because the shape of the wall has no inside.
static bool report_missing(struct scree_reading *reading, const struct scree_node *map, const char *cause)
{
    return scree_reading_report(reading, map,
                                "the wall needs 'mass', 'inertia' and 'centre', as in `free: {mass: 2 kg, "
                                "inertia: [0.01, 0.01, 0.02], centre: [0, 0, 0]}`, because %s",
                                cause);
}

// Mass properties of a filled mesh; what is given replaces them. False after a report.
static bool fill_from_mesh(struct scree_reading *reading, const struct scree_world *world,
                           const struct scree_node *map, const struct scree_wall_def *def,
                           struct scree_rigid_def *body)
{
    const struct scree_shape_mesh mesh = {def->mesh.vertex, def->mesh.vertices, def->mesh.facet,
                                          def->mesh.facets};
    struct scree_shape_mass found;
    char cause[400];
    if (def->shape != SCREE_WALL_MESH)
        return report_missing(reading, map, "only a closed mesh gives them");
    if (scree_shape_mass_mesh(&mesh, &found) != SCREE_OK) {
        snprintf(cause, sizeof cause, "%s", scree_status_message());
        return report_missing(reading, map, cause);
    }
    double density;
    if (scree_material_get(world, def->material, "density", &density) != SCREE_OK)
        return report_missing(reading, map, "its material has no density");
    if (!has(map, SCREE_KEY_free_wall_mass))
        body->mass = density * found.value.volume;
    if (!has(map, SCREE_KEY_free_wall_centre))
        memcpy(body->position, found.value.centre, sizeof body->position);
    for (int k = 0; k < 6 && !has(map, SCREE_KEY_free_wall_inertia); ++k)
        body->tensor[k] = body->mass * found.value.inertia[k];
    return true;
}

static bool read_body(struct scree_reading *reading, const struct scree_world *world,
                      const struct scree_node *map, const struct scree_wall_def *def,
                      struct scree_rigid_def *body)
{
    bool good = scree_reading_vector(reading, map, SCREE_KEY_free_wall_velocity, body->velocity);
    good = scree_reading_vector(reading, map, SCREE_KEY_free_wall_spin, body->spin) && good;
    if (has(map, SCREE_KEY_free_wall_mass))
        good = scree_reading_number(reading, map, SCREE_KEY_free_wall_mass, &body->mass) && good;
    if (has(map, SCREE_KEY_free_wall_centre))
        good = scree_reading_vector(reading, map, SCREE_KEY_free_wall_centre, body->position) && good;
    if (has(map, SCREE_KEY_free_wall_inertia)) {
        good = scree_reading_vector(reading, map, SCREE_KEY_free_wall_inertia, body->inertia) && good;
        good = scree_reading_orientation(reading, scree_reading_node(map, SCREE_KEY_free_wall_orientation),
                                         body->orientation) &&
               good;
    }
    body->fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_free_wall_fixed);
    body->material = def->material;
    const bool complete = has(map, SCREE_KEY_free_wall_mass) && has(map, SCREE_KEY_free_wall_centre) &&
                          has(map, SCREE_KEY_free_wall_inertia);
    return good && (complete || fill_from_mesh(reading, world, map, def, body));
}

static scree_status add_load(struct scree_reading *reading, struct scree_world *world,
                             const struct scree_node *map, scree_body_id body)
{
    struct scree_load_def def = {.body = body};
    scree_load_id id;
    if (!map || !scree_build_bodies_load(reading, map, def.force, def.moment))
        return SCREE_OK;
    return scree_reading_report_status(reading, map, scree_load_add(world, &def, &id));
}

// Walls do not touch each other.
static void warn_of_walls(struct scree_reading *reading, const struct scree_node *map,
                          const struct scree_rigid_def *body)
{
    struct scree_reading_callbacks *callbacks = &reading->callbacks;
    const struct scree_node *walls = scree_reading_node(reading->root, SCREE_KEY_scene_walls);
    char at[SCREE_DIAGNOSTIC_PLACE], text[300];
    if ((body->fixed & SCREE_FIX_POSITION) == SCREE_FIX_POSITION || walls->count < 2 || !callbacks->warn ||
        callbacks->warned_of_walls)
        return;
    snprintf(text, sizeof text,
             "%s: a free wall has contacts with bodies, but none with other walls: it passes through them "
             "where no bodies are in between",
             scree_diagnostic_place(&reading->diagnostics, &map->place, at));
    callbacks->warned_of_walls = true;
    callbacks->warn(callbacks->user, text);
}

scree_status scree_build_free_wall(struct scree_reading *reading, struct scree_world *world,
                                   const struct scree_node *entry, const struct scree_wall_def *def,
                                   scree_wall_id wall)
{
    const struct scree_node *map = scree_reading_node(entry, SCREE_KEY_wall_free);
    const uint64_t before = scree_world_entity(world, SCREE_ENTITY_BODY)->pool.last;
    struct scree_rigid_def body = {0};
    scree_body_id id = {0};
    if (!read_body(reading, world, map, def, &body))
        return reading->values.status;
    SCREE_TRY(scree_reading_report_status(reading, map, scree_body_add_rigid(world, &body, &id)));
    if (id.value == 0)
        return SCREE_OK;
    SCREE_TRY(scree_array_push(&reading->origins, ((struct scree_reading_origin){
                                                      .first = id.value, .last = id.value, .node = entry})));
    SCREE_TRY(scree_reading_report_status(reading, map, scree_wall_body_attach(world, wall, id)));
    SCREE_TRY(add_load(reading, world, scree_reading_node(map, SCREE_KEY_free_wall_load), id));
    warn_of_walls(reading, map, &body);
    return scree_build_group_bodies(reading, world, map, SCREE_KEY_free_wall_group, before);
}
