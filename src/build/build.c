// Builds the world of a scene, see build.h: materials and contacts.

#include "build/build.h"

#include "contact/rule.h"
#include "language/law_keys.h"
#include "language/measurement.h"

#include <scree/interaction.h>
#include <scree/law.h>
#include <scree/material.h>
#include <scree/world.h>

#include <math.h>
#include <string.h>

scree_status scree_build_material(struct scree_reading *reading, const struct scree_world *world,
                                  const struct scree_node *map, enum scree_key_id key, scree_material_id *id)
{
    const char *name;
    if (!scree_reading_text(reading, map, key, &name))
        return SCREE_OK;
    return scree_reading_report_status(reading, scree_reading_node(map, key),
                                       scree_material_find(world, name, id));
}

static scree_status set_property(struct scree_reading *reading, struct scree_world *world,
                                 scree_material_id id, const struct scree_node *map, enum scree_key_id key)
{
    double value;
    if (!scree_reading_has(map, key) || !scree_reading_number(reading, map, key, &value))
        return SCREE_OK;
    return scree_reading_report_status(reading, scree_reading_node(map, key),
                                       scree_material_set(world, id, scree_key_rows[key].name, value));
}

scree_status scree_build_change_materials(struct scree_reading *reading, struct scree_world *world,
                                          const struct scree_node *materials)
{
    for (size_t k = 0; k < materials->count; ++k) {
        const struct scree_node *name = materials->item[2 * k], *map = materials->item[2 * k + 1];
        scree_material_id id = {0};
        SCREE_TRY(scree_reading_report_status(reading, name, scree_material_find(world, name->text, &id)));
        if (id.value == 0)
            continue;
        SCREE_TRY(set_property(reading, world, id, map, SCREE_KEY_material_change_young));
        SCREE_TRY(set_property(reading, world, id, map, SCREE_KEY_material_change_poisson));
    }
    return SCREE_OK;
}

static scree_status build_materials(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *materials = scree_reading_node(reading->root, SCREE_KEY_scene_materials);
    for (size_t k = 0; materials && k < materials->count; ++k) {
        const struct scree_node *name = materials->item[2 * k], *map = materials->item[2 * k + 1];
        struct scree_material_def def = {.name = name->text};
        scree_material_id id = {0};
        if (!scree_reading_number(reading, map, SCREE_KEY_material_density, &def.density))
            continue;
        SCREE_TRY(scree_reading_report_status(reading, name, scree_material_add(world, &def, &id)));
        if (id.value == 0)
            continue;
        SCREE_TRY(set_property(reading, world, id, map, SCREE_KEY_material_young));
        SCREE_TRY(set_property(reading, world, id, map, SCREE_KEY_material_poisson));
    }
    return SCREE_OK;
}

// --- contacts

static scree_status build_contact(struct scree_reading *reading, struct scree_world *world,
                                  const struct scree_node *map)
{
    struct scree_interaction_value values[SCREE_RULE_PARAMETERS] = {{0}};
    struct scree_interaction_def def = {.values = values};
    bool wrong, good = scree_reading_text(reading, map, SCREE_KEY_contact_law, &def.law);
    const struct scree_contact_law *law = scree_law_keys_law(reading, map, &wrong);
    good = good && !wrong;
    for (size_t k = 0; good && k < map->count && def.count < SCREE_RULE_PARAMETERS; ++k) {
        const struct scree_law_parameter *parameter = scree_law_keys_find(law, map->item[2 * k]->text, NULL);
        if (parameter)
            good =
                scree_law_keys_read(&reading->values, map->item[2 * k + 1], parameter, &values[def.count++]);
    }
    const struct scree_node *between = scree_reading_node(map, SCREE_KEY_contact_between);
    for (size_t side = 0; side < 2 && good; ++side) {
        const char *name;
        good = scree_value_text(&reading->values, between->item[side], "between", &name);
        if (!good || scree_reading_is_special(SCREE_KEY_contact_between, name))
            continue;
        SCREE_TRY(scree_reading_report_status(reading, between->item[side],
                                              scree_material_find(world, name, &def.between[side])));
        good = def.between[side].value != 0;
    }
    return good ? scree_reading_report_status(reading, map, scree_interaction_add(world, &def)) : SCREE_OK;
}

scree_status scree_build_contacts(struct scree_reading *reading, struct scree_world *world,
                                  const struct scree_node *contacts)
{
    for (size_t k = 0; contacts && k < contacts->count; ++k)
        SCREE_TRY(build_contact(reading, world, contacts->item[k]));
    return SCREE_OK;
}

// --- the world

scree_status scree_build_materials_and_walls(struct scree_reading *reading, struct scree_world *world)
{
    double gravity[3];
    if (scree_reading_vector(reading, reading->root, SCREE_KEY_scene_gravity, gravity))
        SCREE_TRY(scree_reading_report_status(reading,
                                              scree_reading_node(reading->root, SCREE_KEY_scene_gravity),
                                              scree_world_set_gravity(world, gravity)));
    SCREE_TRY(build_materials(reading, world));
    SCREE_TRY(
        scree_build_contacts(reading, world, scree_reading_node(reading->root, SCREE_KEY_scene_contacts)));
    return scree_build_walls(reading, world);
}

scree_status scree_build_world(struct scree_reading *reading, struct scree_world **world)
{
    const struct scree_world_def def = {.dimension = reading->dimension};
    *world = NULL;
    struct scree_world *built;
    SCREE_TRY(scree_world_create(&def, &built));
    scree_reading_clear_origins(reading);
    scree_status status = scree_build_cell(reading, built);
    if (status == SCREE_OK)
        status = scree_build_materials_and_walls(reading, built);
    if (status == SCREE_OK)
        status = scree_clumps_make(reading);
    if (status == SCREE_OK)
        status = scree_polyhedra_make(reading);
    // bodies after walls, since grains that fill a region must not overlap them
    if (status == SCREE_OK)
        status = scree_build_bodies(reading, built);
    if (status == SCREE_OK && reading->diagnostics.all == 0)
        status =
            scree_build_bonds(reading, built, scree_reading_node(reading->root, SCREE_KEY_scene_bonds), NULL);
    if (status == SCREE_OK && reading->diagnostics.all == 0)
        status = scree_build_deform(reading, built);
    if (status == SCREE_OK)
        status = reading->values.status;
    if (status != SCREE_OK)
        scree_world_destroy(built);
    else
        *world = built;
    return status;
}
