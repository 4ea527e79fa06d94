// Dry run of a scene, see scene.h.
//
// Assumptions: bodies that are inserted or deleted during the run count as present. Once a stage deletes
// bodies, the materials in use are unknown, and missing contact laws are not reported from then on.
// Velocities and overlaps at the start of a stage are unknown: a time step is refused if it exceeds the
// critical step of separate bodies at rest; if these bodies may have been deleted by then, it is only a
// warning.

#include "base/memory.h"
#include "build/build.h"
#include "contact/interaction.h"
#include "engine/drift.h"
#include "engine/engine.h"
#include "event/cells.h"
#include "event/event.h"
#include "math/real.h"
#include "measure/tally.h"
#include "run/insert_delete.h"
#include "run/stage.h"
#include "scene/scene.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall.h"

#include <scree/alarm.h>
#include <scree/body.h>
#include <scree/group.h>
#include <scree/material.h>
#include <scree/world.h>

#include <stdio.h>
#include <string.h>

struct dry_run {
    struct scree_change target;        // the scratch world and its engine
    const struct scree_world *world;   // of the scene
    const struct scree_node *contacts; // contact laws of the current stage
    uint8_t *used;                     // materials of bodies, as in scree_interaction_mark
    bool materials_known;              // no stage has deleted bodies yet
    bool bodies_stay;    // the initial bodies are still present, with the same fixed degrees of freedom
    size_t stages_begun; // stages started before the restart
    double next_x;       // coordinate in the scratch world beyond all bodies, m
    const struct scree_cell *cell;
    double largest;  // radius of all bodies, also inserted ones, m
    double time;     // at the start of the stage, s
    bool time_known; // no stage so far can end early
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

static void report_fault(void *user, const struct scree_interaction_fault *fault)
{
    const struct dry_run *dry_run = (const struct dry_run *)user;
    struct scree_reading *reading = dry_run->target.reading;
    const struct scree_node *contacts = dry_run->contacts ? dry_run->contacts : reading->root;
    if (fault->material > 0) {
        const char *name = scree_material_name(dry_run->target.world, (scree_material_id){fault->material});
        scree_reading_report(reading, find_material(reading, name),
                             "material '%.60s' needs '%s' for the contact law '%.40s'", name, fault->property,
                             fault->law);
        return;
    }
    const bool listed = fault->law && dry_run->contacts && fault->rule < dry_run->contacts->count;
    scree_diagnostic_add(&reading->diagnostics,
                         listed ? &contacts->item[fault->rule]->place : &contacts->place, "%s",
                         scree_status_message());
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

// Checks contact laws, and what polyhedra could touch. `place` is the stage, null at the start.
static scree_status check_contacts(struct dry_run *dry_run, const struct scree_node *place)
{
    struct scree_reading *reading = dry_run->target.reading;
    const size_t before = reading->diagnostics.all;
    uint8_t used[SCREE_INTERACTION_MATERIALS] = {0};
    scree_interaction_mark(dry_run->target.world, used);
    for (size_t m = 0; m < SCREE_INTERACTION_MATERIALS; ++m)
        used[m] = (uint8_t)((used[m] & SCREE_INTERACTION_OF_WALLS) |
                            (dry_run->used[m] & SCREE_INTERACTION_OF_BODIES));
    if (!dry_run->materials_known)
        return SCREE_OK;
    SCREE_TRY(scree_interaction_report_errors(dry_run->target.world, used, report_fault, dry_run));
    return reading->diagnostics.all == before
               ? scree_polyhedron_checks(reading, dry_run->world, dry_run->target.world, place)
               : SCREE_OK;
}

// --- time steps

static scree_status add_body(struct dry_run *dry_run, const struct scree_build_template *template,
                             double radius)
{
    const double reach = radius * scree_pack_reach(scree_build_template_shape(template));
    const struct scree_pack_body grain = {.position = {dry_run->next_x + 2 * reach}, .radius = radius};
    dry_run->next_x += 4 * reach;
    return scree_build_template_add(dry_run->target.world, &grain, template);
}

// Copies a polyhedron, away from all other bodies.
static scree_status copy_polyhedron(struct dry_run *dry_run, const struct scree_world *world, size_t slot,
                                    const struct scree_shape *shape)
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    struct scree_polyhedron_def def = {.material = {grain->material},
                                       .position = {dry_run->next_x + 2 * shape->reach},
                                       .fixed = grain->flags & SCREE_FIX_ALL};
    scree_body_id id;
    double density;
    dry_run->next_x += 4 * shape->reach;
    if (world->dimension == 2) {
        SCREE_TRY(scree_material_get(world, def.material, "density", &density));
        def.thickness = grain->mass / (density * shape->volume);
    }
    SCREE_TRY(
        scree_polyhedron_insert_scaled(dry_run->target.world, shape->hull->vertex, *shape, 1, &def.shape));
    return scree_polyhedron_add(dry_run->target.world, &def, &id);
}

// Copies the shape of a pebble that is a polyhedron.
static scree_status copy_shape(struct dry_run *dry_run, const struct scree_world *world, size_t row,
                               struct scree_pebble *pebble)
{
    const struct scree_shape *shape = scree_polyhedron_of_grain(world, scree_world_bodies(world) + row);
    if (!shape)
        return SCREE_OK;
    // the orientation of the axes in which it was given
    scree_quat_store(scree_quat_product(scree_quat_load(scree_polyhedron_locals(world)[row].orientation),
                                        scree_quat_conjugate(scree_quat_load(shape->axes))),
                     pebble->orientation);
    pebble->radius = 0;
    return scree_polyhedron_insert_scaled(dry_run->target.world, shape->hull->vertex, *shape, 1,
                                          &pebble->shape);
}

// Copies a clump, away from all other bodies.
static scree_status copy_clump(struct dry_run *dry_run, const struct scree_world *world, size_t slot)
{
    const struct scree_clump *clump = scree_grain_clump(world, slot);
    const struct scree_grain *own = &scree_world_grains(world)[slot];
    const struct scree_rotor *rotor = &scree_world_rotors(world)[slot];
    struct scree_clump_def def = {.body = {.mass = own->mass,
                                           .material = {own->material},
                                           .position = {dry_run->next_x + 2 * clump->reach},
                                           .fixed = own->flags & SCREE_FIX_ALL},
                                  .pebbles = clump->grains,
                                  .equal_radius = clump->equal_radius};
    struct scree_pebble *pebble;
    scree_body_id id;
    scree_status status = SCREE_OK;
    dry_run->next_x += 4 * clump->reach;
    if (world->dimension == 2)
        def.body.polar = rotor->inertia[2];
    else
        memcpy(def.body.inertia, rotor->inertia, sizeof def.body.inertia);
    SCREE_TRY(scree_memory_new(clump->grains, sizeof *pebble, (void **)&pebble));
    for (uint64_t p = 0; p < clump->grains; ++p) {
        uint32_t row = 0;
        (void)scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool, clump->first + p, &row);
        const struct scree_local_grain *local = &scree_grain_locals(world)[row];
        pebble[p] = (struct scree_pebble){.radius = local->radius, .material = {local->material}};
        memcpy(pebble[p].offset, local->offset, sizeof pebble[p].offset);
        if (status == SCREE_OK)
            status = copy_shape(dry_run, world, row, &pebble[p]);
    }
    def.pebble = pebble;
    if (status == SCREE_OK)
        status = scree_body_add_clump(dry_run->target.world, &def, &id);
    scree_memory_free(pebble);
    return status;
}

static scree_status copy_body(struct dry_run *dry_run, const struct scree_world *world, size_t slot)
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    const struct scree_shape *shape = scree_polyhedron_of(world, slot);
    if (scree_grain_clump(world, slot))
        return copy_clump(dry_run, world, slot);
    if (shape)
        return copy_polyhedron(dry_run, world, slot, shape);
    struct scree_build_template template = {.material = {grain->material},
                                            .fixed = grain->flags & SCREE_FIX_ALL};
    double density;
    if (scree_world_dimension(world) == 2) {
        SCREE_TRY(scree_material_get(world, template.material, "density", &density));
        template.thickness = grain->mass / (density * SCREE_PI * grain->radius * grain->radius);
    }
    return add_body(dry_run, &template, grain->radius);
}

// The bodies of a material and a kind on which the critical step depends, as slot + 1, or 0 for none: the
// smallest free one, the largest of the other free ones, and one with a fixed position.
struct sample {
    size_t small, large, fixed;
};

// Kinds of bodies whose sizes do not say which has the shorter step.
enum { ROUND, CLUMP, POLYHEDRON, KINDS };

static size_t kind_of(const struct scree_world *world, size_t slot)
{
    return scree_grain_clump(world, slot) ? CLUMP : scree_polyhedron_of(world, slot) ? POLYHEDRON : ROUND;
}

static void add_sample(const struct scree_world *world, size_t slot, struct sample *samples)
{
    const struct scree_grain *grain = scree_world_grains(world);
    struct sample *selected = &samples[KINDS * grain[slot].material + kind_of(world, slot)];
    const bool fixed = (grain[slot].flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION;
    size_t other = slot + 1;
    if (fixed) {
        selected->fixed = other;
        return;
    }
    const double radius = scree_grain_equal_radius(world, slot);
    if (selected->small == 0 || radius < scree_grain_equal_radius(world, selected->small - 1)) {
        other = selected->small;
        selected->small = slot + 1;
    }
    if (other > 0 && (selected->large == 0 || scree_grain_equal_radius(world, other - 1) >
                                                  scree_grain_equal_radius(world, selected->large - 1)))
        selected->large = other;
}

// Copies the sample bodies of each material, apart from each other.
static scree_status copy_samples(struct dry_run *dry_run, const struct scree_world *world)
{
    const struct scree_grain *grain = scree_world_grains(world);
    struct sample *samples;
    scree_status status = SCREE_OK;
    const size_t count = (size_t)KINDS * SCREE_INTERACTION_MATERIALS;
    SCREE_TRY(scree_memory_new(count, sizeof *samples, (void **)&samples));
    for (size_t slot = 0; slot < scree_world_bodies(world); ++slot)
        if (scree_grain_equal_radius(world, slot) > 0 && grain[slot].material > 0 &&
            grain[slot].material < SCREE_INTERACTION_MATERIALS)
            add_sample(world, slot, samples);
    for (size_t m = 0; m < count; ++m) {
        const size_t chosen[] = {samples[m].small, samples[m].large, samples[m].fixed};
        for (size_t k = 0; k < 3 && status == SCREE_OK; ++k)
            status = chosen[k] > 0 ? copy_body(dry_run, world, chosen[k] - 1) : SCREE_OK;
    }
    scree_memory_free(samples);
    return status;
}

// Adds the smallest and the largest body of each insertion.
static scree_status add_inserts(struct dry_run *dry_run)
{
    struct scree_reading *reading = dry_run->target.reading;
    const struct scree_node *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    struct scree_sizes sizes;
    for (size_t k = 0; inserts && k < inserts->count; ++k) {
        const struct scree_node *map = inserts->item[k];
        struct scree_build_template template = {0};
        SCREE_TRY(scree_build_material(reading, dry_run->target.world, map, SCREE_KEY_insert_material,
                                       &template.material));
        if (!scree_build_template_read(reading, scree_reading_node(map, SCREE_KEY_insert_shape), &template,
                                       &sizes))
            return SCREE_OK;
        SCREE_TRY(add_body(dry_run, &template, sizes.smallest));
        SCREE_TRY(add_body(dry_run, &template, sizes.largest));
    }
    return SCREE_OK;
}

static scree_status remove_after(struct scree_world *world, size_t bodies)
{
    while (scree_world_bodies(world) > bodies)
        SCREE_TRY(
            scree_body_remove(world, (scree_body_id){scree_world_ids(world)[scree_world_bodies(world) - 1]}));
    return SCREE_OK;
}

// Measures the critical step for the initial bodies, and for the initial and the inserted bodies.
static scree_status measure(struct dry_run *dry_run, double stable[2])
{
    struct scree_world *world = dry_run->target.world;
    const size_t bodies = scree_world_bodies(world);
    SCREE_TRY(scree_engine_limit_at_rest(dry_run->target.engine, &stable[0]));
    SCREE_TRY(add_inserts(dry_run));
    SCREE_TRY(scree_engine_limit_at_rest(dry_run->target.engine, &stable[1]));
    return remove_after(world, bodies);
}

static void warn(struct dry_run *dry_run, size_t number, double step, double stable)
{
    const struct scree_reading_callbacks *callbacks = &dry_run->target.reading->callbacks;
    char text[300], stage[50] = "";
    if (number > 0)
        snprintf(stage, sizeof stage, "in stage %zu ", number);
    snprintf(text, sizeof text,
             "%sthe time step of %g s exceeds the critical time step of %g s for the bodies present or "
             "inserted",
             stage, step, stable);
    if (callbacks->warn)
        callbacks->warn(callbacks->user, text);
}

// Returns the node of a stage that affects the critical time step or sets the step; null if there is none.
static const struct scree_node *find_cause(struct scree_reading *reading, const struct scree_node *stage)
{
    static const enum scree_key_id keys[] = {SCREE_KEY_stage_materials, SCREE_KEY_stage_contacts,
                                             SCREE_KEY_stage_gravity};
    const struct scree_node *engine = scree_reading_node(stage, SCREE_KEY_stage_engine);
    struct scree_build_engine_step step;
    scree_build_engine_step(reading, engine, &step);
    if (engine)
        return step.fixed > 0 ? step.node : engine;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
        if (scree_reading_has(stage, keys[k]))
            return scree_reading_node(stage, keys[k]);
    return NULL;
}

// Checks a given step against the critical step after the start of stage `number`.
static scree_status check_step(struct dry_run *dry_run, size_t number, double step)
{
    struct scree_reading *reading = dry_run->target.reading;
    const enum scree_alarm_policy policy = scree_build_engine_policy(reading, SCREE_ALARM_STEP);
    const struct scree_node *cause = find_cause(reading, scree_reading_stage(reading, number));
    double stable[2];
    if (!cause || !(step > 0) || policy == SCREE_ALARM_IGNORE || !dry_run->target.engine->ops->limit_at_rest)
        return SCREE_OK;
    SCREE_TRY(measure(dry_run, stable));
    if (step > stable[0] && dry_run->bodies_stay && policy == SCREE_ALARM_STOP)
        scree_reading_report(
            reading, cause,
            "the time step of %g s exceeds the critical time step of %g s in this stage: use a "
            "shorter one, or `engine: {soft: {step: auto}}`",
            step, stable[0]);
    else if (step > stable[1])
        warn(dry_run, number, step, stable[1]);
    return SCREE_OK;
}

// Checks a given step at the start. If it is too long for the initial bodies, building the engine reports it.
static scree_status check_first_step(struct dry_run *dry_run, double step, bool *refused)
{
    double stable[2];
    *refused = false;
    if (!(step > 0) || !dry_run->target.engine->ops->limit_at_rest ||
        scree_build_engine_policy(dry_run->target.reading, SCREE_ALARM_STEP) == SCREE_ALARM_IGNORE)
        return SCREE_OK;
    SCREE_TRY(measure(dry_run, stable));
    *refused = step > stable[0];
    if (!*refused && step > stable[1])
        warn(dry_run, 0, step, stable[1]);
    return SCREE_OK;
}

// Checks a given step against the rate at which a stage deforms the cell.
static scree_status check_deform(struct dry_run *dry_run, const struct scree_node *stage, double step)
{
    struct scree_reading *reading = dry_run->target.reading;
    const struct scree_node *node = scree_reading_node(stage, SCREE_KEY_stage_deform);
    SCREE_TRY(scree_build_check_deform(reading, stage));
    if (reading->diagnostics.all > 0)
        return SCREE_OK;
    SCREE_TRY(scree_build_change_deform(reading, dry_run->target.world, stage));
    return node && step > 0 && dry_run->target.engine->ops->limit_at_rest
               ? scree_reading_report_status(reading, node,
                                             scree_drift_check_strain(dry_run->target.world, step))
               : SCREE_OK;
}

// --- stages

// Returns true if a stage changes the fixed degrees of freedom of bodies.
static bool changes_fixed(const struct scree_node *stage)
{
    const struct scree_node *bodies = scree_reading_node(stage, SCREE_KEY_stage_bodies);
    bool changes = false;
    for (size_t k = 0; bodies && k < bodies->count; ++k)
        changes = changes || scree_reading_has(bodies->item[k], SCREE_KEY_body_change_fixed);
    return changes;
}

// Returns true if bodies can be deleted during the run.
static bool deletes_bodies(struct scree_reading *reading)
{
    return scree_reading_has(reading->root, SCREE_KEY_scene_remove) ||
           scree_insert_delete_deletes_outside(reading);
}

// Returns the duration of a stage, 0 if it is unknown.
static double duration_of(struct dry_run *dry_run, const struct scree_node *stage, double step)
{
    struct scree_scene_stage end = {0};
    if (!scree_stage_read(dry_run->target.reading, stage, &end) || end.may_stop || !dry_run->time_known) {
        dry_run->time_known = false;
        return 0;
    }
    const double duration = end.until > 0   ? end.until - dry_run->time
                            : end.steps > 0 ? (double)end.steps * step
                                            : end.time;
    dry_run->time_known = duration > 0;
    return scree_real_max(duration, 0);
}

// Checks walls at periodic faces: at the start of a stage that changes them, and while they move. A step of
// unknown length, servos and stages that can end early are left to the alarm.
static scree_status check_walls(struct dry_run *dry_run, size_t number, double step)
{
    enum { PARTS = 64 };
    struct scree_reading *reading = dry_run->target.reading;
    struct scree_world *world = dry_run->target.world;
    const struct scree_node *stage = scree_reading_stage(reading, number);
    const struct scree_node *place = scree_reading_node(stage, SCREE_KEY_stage_walls);
    const size_t before = reading->diagnostics.all;
    const double duration = duration_of(dry_run, stage, step);
    if (dry_run->cell->period[0] == 0 && dry_run->cell->period[1] == 0 && dry_run->cell->period[2] == 0)
        return SCREE_OK;
    if (place)
        scree_wall_checks_faces(reading, world, dry_run->cell, dry_run->largest, "", place);
    for (int part = 1; part <= PARTS && duration > 0 && reading->diagnostics.all == before; ++part) {
        char when[80];
        snprintf(when, sizeof when, "moves; in stage %zu, at about %.2g s, it ", number,
                 dry_run->time + duration * part / PARTS);
        SCREE_TRY(scree_wall_checks_move(world, duration / PARTS));
        scree_wall_checks_faces(reading, world, dry_run->cell, dry_run->largest, when, place);
    }
    dry_run->time += duration;
    return SCREE_OK;
}

// A stage may take away a wall that limits the cells of a stochastic engine.
static scree_status check_cells(struct dry_run *dry_run, const struct scree_node *stage)
{
    const struct scree_engine *engine = dry_run->target.engine;
    const struct scree_node *walls = scree_reading_node(stage, SCREE_KEY_stage_walls);
    return walls && engine->ops == &scree_stochastic_engine
               ? scree_reading_report_status(dry_run->target.reading, walls,
                                             scree_event_check_cells((struct scree_event *)engine->self))
               : SCREE_OK;
}

static scree_status run_stage(struct dry_run *dry_run, size_t number, double *step)
{
    const struct scree_node *stage = scree_reading_stage(dry_run->target.reading, number);
    struct scree_reading *reading = dry_run->target.reading;
    const size_t before = reading->diagnostics.all;
    if (scree_reading_has(stage, SCREE_KEY_stage_contacts))
        dry_run->contacts = scree_reading_node(stage, SCREE_KEY_stage_contacts);
    if (scree_reading_has(stage, SCREE_KEY_stage_engine)) {
        struct scree_build_engine_step given;
        scree_build_engine_step(reading, scree_reading_node(stage, SCREE_KEY_stage_engine), &given);
        *step = given.fixed;
    }
    dry_run->materials_known = dry_run->materials_known && !scree_insert_delete_stage_removes(reading, stage);
    dry_run->bodies_stay = dry_run->bodies_stay && dry_run->materials_known && !changes_fixed(stage);
    dry_run->target.stage = number;
    SCREE_TRY(scree_change(&dry_run->target, stage));
    SCREE_TRY(check_deform(dry_run, stage, *step));
    SCREE_TRY(scree_build_try_bonds(reading, dry_run->target.world,
                                    scree_reading_node(stage, SCREE_KEY_stage_bonds)));
    if (number <= dry_run->stages_begun)
        return SCREE_OK;
    SCREE_TRY(
        scree_build_check_pairs(reading, dry_run->world, scree_reading_node(stage, SCREE_KEY_stage_bonds)));
    if (reading->diagnostics.all == before)
        SCREE_TRY(check_walls(dry_run, number, *step));
    if (reading->diagnostics.all == before)
        SCREE_TRY(check_cells(dry_run, stage));
    if (reading->diagnostics.all == before)
        scree_build_engine_check_contacts(reading, dry_run->target.world, dry_run->contacts, *step);
    if (reading->diagnostics.all == before)
        SCREE_TRY(check_contacts(dry_run, stage));
    return reading->diagnostics.all == before ? check_step(dry_run, number, *step) : SCREE_OK;
}

static scree_status run_stages(struct dry_run *dry_run)
{
    struct scree_reading *reading = dry_run->target.reading;
    struct scree_build_engine_step given;
    bool refused = false;
    scree_build_engine_step(reading, scree_reading_node(reading->root, SCREE_KEY_scene_engine), &given);
    double step = given.fixed;
    if (dry_run->stages_begun == 0) {
        const size_t before = reading->diagnostics.all;
        SCREE_TRY(check_first_step(dry_run, step, &refused));
        scree_wall_checks_faces(reading, dry_run->target.world, dry_run->cell, dry_run->largest, "", NULL);
        refused = refused || reading->diagnostics.all > before;
    }
    for (size_t s = 1; !refused && s <= scree_reading_stages(reading); ++s)
        SCREE_TRY(run_stage(dry_run, s, &step));
    return SCREE_OK;
}

// --- the scratch world

// Adds a body to each group of the world, so that stages can change the bodies of a group.
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

static scree_status run_stages_dry(struct dry_run *dry_run, const struct scree_world *world)
{
    struct scree_reading *reading = dry_run->target.reading;
    if (dry_run->stages_begun == 0)
        SCREE_TRY(check_contacts(dry_run, NULL));
    SCREE_TRY(scree_build_engine(reading, dry_run->target.world, 1, 0, &dry_run->target.engine));
    // a mistake at the start would be reported again in each stage
    if (reading->diagnostics.all > 0 || reading->values.status != SCREE_OK)
        return reading->values.status;
    SCREE_TRY(fill_groups(world, dry_run->target.world));
    SCREE_TRY(scree_build_deform(reading, dry_run->target.world));
    // counter of the bodies that stages delete
    SCREE_TRY(scree_tally_add(dry_run->target.world, SCREE_TALLY_OUT, dry_run->target.row));
    SCREE_TRY(copy_samples(dry_run, world));
    return run_stages(dry_run);
}

scree_status scree_dry_run(struct scree_reading *reading, const struct scree_world *world,
                           size_t stages_begun)
{
    const struct scree_world_def def = {.dimension = reading->dimension};
    struct dry_run dry_run = {.target.reading = reading,
                              .world = world,
                              .contacts = scree_reading_node(reading->root, SCREE_KEY_scene_contacts),
                              .materials_known = true,
                              .bodies_stay = !deletes_bodies(reading),
                              .stages_begun = stages_begun,
                              .cell = scree_world_cell(world),
                              .time_known = stages_begun == 0};
    SCREE_TRY(scree_wall_checks_largest(reading, world, &dry_run.largest));
    SCREE_TRY(scree_memory_new(SCREE_INTERACTION_MATERIALS, 1, (void **)&dry_run.used));
    scree_interaction_mark(world, dry_run.used);
    mark_inserts(reading, world, dry_run.used);
    scree_status status = scree_world_create(&def, &dry_run.target.world);
    // periodic faces bound the areas on which servos act
    if (status == SCREE_OK)
        status = scree_build_cell(reading, dry_run.target.world);
    if (status == SCREE_OK)
        status = scree_build_materials_and_walls(reading, dry_run.target.world);
    if (status == SCREE_OK)
        status = run_stages_dry(&dry_run, world);
    scree_engine_destroy(dry_run.target.engine);
    scree_world_destroy(dry_run.target.world);
    scree_memory_free(dry_run.used);
    return status;
}
