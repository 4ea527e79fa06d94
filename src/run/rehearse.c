// Rehearsing a scene, see rehearse.h.
//
// What always holds: bodies that come and go by themselves count as being there. Once a stage takes bodies
// out, nobody knows which materials are left, and how these touch is not asked for from there on.

#include "run/rehearse.h"

#include "base/memory.h"
#include "law/interaction.h"
#include "run/run.h"
#include "scene/build.h"

#include <scree/scree.h>

#include <string.h>

struct rehearsal {
    struct scree_run run;
    const struct scree_node *contacts; // the rules that hold
    uint8_t *used;                     // by bodies, as scree_interaction_mark has it
    bool knows;                        // which materials there are
};

// --- contacts

static const struct scree_node *find_material(const struct scree_reading *reading, const char *name)
{
    const struct scree_node *materials = scree_reading_node(reading->root, SCREE_KEY_scene_materials);
    for (size_t k = 0; materials && k < materials->count; ++k)
        if (strcmp(materials->item[2 * k]->text, name) == 0)
            return materials->item[2 * k];
    return reading->root;
}

static void tell_fault(void *user, const struct scree_interaction_fault *fault)
{
    const struct rehearsal *rehearsal = (const struct rehearsal *)user;
    struct scree_reading *reading = rehearsal->run.reading;
    const struct scree_node *contacts = rehearsal->contacts ? rehearsal->contacts : reading->root;
    if (fault->material > 0) {
        const char *name = scree_material_name(rehearsal->run.world, (scree_material_id){fault->material});
        scree_complaint_add(&reading->complaints, &find_material(reading, name)->place,
                            "material '%.60s' has no '%s', which the contact law '%.40s' asks for", name,
                            fault->property, fault->law);
        return;
    }
    const bool stands = fault->law && rehearsal->contacts && fault->rule < rehearsal->contacts->count;
    scree_complaint_add(&reading->complaints, stands ? &contacts->item[fault->rule]->place : &contacts->place,
                        "%s", scree_status_message());
}

static void mark_inserts(struct scree_reading *reading, const struct scree_world *world, uint8_t *used)
{
    const struct scree_node *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    for (size_t k = 0; inserts && k < inserts->count; ++k) {
        const char *name;
        scree_material_id id = {0};
        if (scree_reading_text(reading, inserts->item[k], SCREE_KEY_insert_material, &name) &&
            scree_material_find(world, name, &id) == SCREE_OK && id.value < SCREE_INTERACTION_MATERIALS)
            used[id.value] |= SCREE_INTERACTION_OF_BODIES;
    }
}

static scree_status examine(struct rehearsal *rehearsal)
{
    uint8_t used[SCREE_INTERACTION_MATERIALS] = {0};
    scree_interaction_mark(rehearsal->run.world, used);
    for (size_t m = 0; m < SCREE_INTERACTION_MATERIALS; ++m)
        used[m] = (uint8_t)((used[m] & SCREE_INTERACTION_OF_WALLS) |
                            (rehearsal->used[m] & SCREE_INTERACTION_OF_BODIES));
    return rehearsal->knows ? scree_interaction_examine(rehearsal->run.world, used, tell_fault, rehearsal)
                            : SCREE_OK;
}

// --- stages

static bool takes_bodies(struct scree_reading *reading, const struct scree_node *stage)
{
    const struct scree_node *bodies = scree_reading_node(stage, SCREE_KEY_stage_bodies);
    bool takes = scree_reading_has(stage, SCREE_KEY_stage_remove);
    for (size_t k = 0; bodies && k < bodies->count; ++k) {
        bool remove = false;
        (void)scree_reading_flag(reading, bodies->item[k], SCREE_KEY_alter_remove, &remove);
        takes = takes || remove;
    }
    return takes;
}

static scree_status try_stage(struct rehearsal *rehearsal, const struct scree_node *stage, double *step)
{
    struct scree_reading *reading = rehearsal->run.reading;
    const size_t before = reading->complaints.all;
    double safety = 0;
    if (scree_reading_has(stage, SCREE_KEY_stage_contacts))
        rehearsal->contacts = scree_reading_node(stage, SCREE_KEY_stage_contacts);
    if (scree_reading_has(stage, SCREE_KEY_stage_engine)) {
        *step = 0;
        scree_build_engine_step(reading, scree_reading_node(stage, SCREE_KEY_stage_engine), step, &safety);
    }
    rehearsal->knows = rehearsal->knows && !takes_bodies(reading, stage);
    SCREE_TRY(scree_stage_change(&rehearsal->run, stage));
    if (reading->complaints.all == before)
        scree_build_engine_demand(reading, rehearsal->run.world, rehearsal->contacts, *step);
    return reading->complaints.all == before ? examine(rehearsal) : SCREE_OK;
}

static scree_status try_stages(struct rehearsal *rehearsal)
{
    struct scree_reading *reading = rehearsal->run.reading;
    double step = 0, safety;
    scree_build_engine_step(reading, scree_reading_node(reading->root, SCREE_KEY_scene_engine), &step,
                            &safety);
    for (size_t s = 1; s <= scree_stage_count(reading); ++s)
        SCREE_TRY(try_stage(rehearsal, scree_stage_find(reading, s), &step));
    return SCREE_OK;
}

// --- the small world

// One body in each group of the world, for what a stage does to the bodies of a group.
static scree_status fill_groups(const struct scree_world *world, struct scree_world *scratch)
{
    for (uint64_t g = 1; g <= scree_group_count(world); ++g) {
        const char *name = scree_group_name(world, (scree_group_id){g});
        const struct scree_rigid_def space = {.mass = 1, .inertia = {1, 1, 1}},
                                     plane = {.mass = 1, .polar = 1};
        scree_group_id group;
        scree_body_id body;
        if (scree_group_find(scratch, name, &group) != SCREE_OK)
            SCREE_TRY(scree_group_add(scratch, name, &group));
        SCREE_TRY(
            scree_body_add_rigid(scratch, scree_world_dimension(scratch) == 2 ? &plane : &space, &body));
        SCREE_TRY(scree_group_put_body(scratch, group, body, true));
    }
    return SCREE_OK;
}

static scree_status furnish(struct scree_reading *reading, struct scree_world *scratch)
{
    SCREE_TRY(scree_build_materials(reading, scratch));
    SCREE_TRY(
        scree_build_contacts(reading, scratch, scree_reading_node(reading->root, SCREE_KEY_scene_contacts)));
    return scree_build_walls(reading, scratch);
}

static scree_status rehearse(struct rehearsal *rehearsal, const struct scree_world *world)
{
    struct scree_reading *reading = rehearsal->run.reading;
    SCREE_TRY(examine(rehearsal));
    SCREE_TRY(scree_build_engine(reading, rehearsal->run.world, 1, 0, &rehearsal->run.engine));
    // what is wrong at the beginning would be so in each stage
    if (reading->complaints.all > 0 || reading->values.trouble != SCREE_OK)
        return reading->values.trouble;
    SCREE_TRY(fill_groups(world, rehearsal->run.world));
    return try_stages(rehearsal);
}

scree_status scree_rehearse(struct scree_reading *reading, const struct scree_world *world)
{
    const struct scree_world_def def = {.dimension = reading->dimension};
    struct rehearsal rehearsal = {.run.reading = reading,
                                  .contacts = scree_reading_node(reading->root, SCREE_KEY_scene_contacts),
                                  .knows = true};
    SCREE_TRY(scree_memory_new(SCREE_INTERACTION_MATERIALS, 1, (void **)&rehearsal.used));
    scree_interaction_mark(world, rehearsal.used);
    mark_inserts(reading, world, rehearsal.used);
    scree_status status = scree_world_create(&def, &rehearsal.run.world);
    if (status == SCREE_OK)
        status = furnish(reading, rehearsal.run.world);
    if (status == SCREE_OK)
        status = rehearse(&rehearsal, world);
    scree_engine_destroy(rehearsal.run.engine);
    scree_world_destroy(rehearsal.run.world);
    scree_memory_free(rehearsal.used);
    return status;
}
