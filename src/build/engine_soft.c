// The soft engine of a scene: integration schemes, damping and time step.

#include "build/engine.h"
#include "contact/interaction.h"
#include "motion/motion.h"
#include "world/damping.h"
#include "world/world.h"

#include <scree/body.h>
#include <scree/bond.h>
#include <scree/motion.h>
#include <scree/soft.h>

// Reads the name of an integration scheme, null for the default; reports an unknown one.
static scree_status read_scheme(struct scree_reading *reading, const struct scree_node *motion,
                                enum scree_key_id key, scree_motion_kind kind, const char **name)
{
    const struct scree_motion_scheme *scheme;
    *name = NULL;
    if (!motion || !scree_reading_has(motion, key) || !scree_reading_text(reading, motion, key, name))
        return SCREE_OK;
    if (scree_reading_is_special(key, *name))
        *name = NULL;
    return scree_reading_report_status(reading, scree_reading_node(motion, key),
                                       scree_motion_find(kind, *name, &scheme));
}

static scree_status read_motion(struct scree_reading *reading, size_t stages, struct scree_soft_def *def)
{
    const struct scree_node *motion = scree_reading_node(reading->root, SCREE_KEY_scene_motion);
    const struct scree_node *damping = scree_build_engine_find_last(reading, stages, SCREE_KEY_stage_damping);
    SCREE_TRY(
        read_scheme(reading, motion, SCREE_KEY_motion_translation, SCREE_TRANSLATION, &def->translation));
    SCREE_TRY(read_scheme(reading, motion, SCREE_KEY_motion_rotation, SCREE_ROTATION, &def->rotation));
    if (!damping && motion)
        damping = scree_reading_node(motion, SCREE_KEY_motion_damping);
    scree_build_engine_damping(reading, damping, &def->damping);
    return damping ? scree_reading_report_status(reading, damping, scree_damping_check(&def->damping))
                   : SCREE_OK;
}

static void read_step(struct scree_reading *reading, const struct scree_node *soft,
                      struct scree_build_engine_step *step)
{
    step->factor = SCREE_SOFT_SAFETY;
    step->node = soft;
    if (!soft)
        return;
    if (scree_reading_has(soft, SCREE_KEY_soft_safety))
        step->node = scree_reading_node(soft, SCREE_KEY_soft_safety);
    if (scree_reading_has(soft, SCREE_KEY_soft_step))
        step->node = scree_reading_node(soft, SCREE_KEY_soft_step);
    (void)scree_reading_number(reading, soft, SCREE_KEY_soft_step, &step->fixed);
    (void)scree_reading_number(reading, soft, SCREE_KEY_soft_safety, &step->factor);
}

// Reports a contact law without a force, and an automatic time step (`step` 0) in a world without contact
// laws, where no critical time step exists.
static void check_contacts(struct scree_reading *reading, const struct scree_world *world,
                           const struct scree_node *contacts, double step)
{
    if (scree_interaction_check_forces(world) != SCREE_OK) {
        scree_reading_report(reading, contacts ? contacts : reading->root, "%s", scree_status_message());
        return;
    }
    // in a dry run the world has no bonds yet
    const bool bonded =
        scree_bond_count(world) > 0 || scree_reading_has(reading->root, SCREE_KEY_scene_bonds);
    if (step == 0 && world->contact_laws == 0 && !bonded)
        scree_diagnostic_add(&reading->diagnostics, contacts ? &contacts->place : &reading->root->place,
                             "an automatic time step needs contacts: without them there is no critical time "
                             "step. Give 'contacts', or a step, as in `engine: {soft: {step: 10 us}}`");
}

// Checks that a given step is stable at the start.
static scree_status check_step(struct scree_reading *reading, const struct scree_world *world,
                               struct scree_engine *engine, const struct scree_node *node, double step)
{
    struct scree_limit limit;
    if (scree_body_count(world) == 0)
        return SCREE_OK;
    const scree_status status = scree_engine_limit(engine, &limit);
    if (status != SCREE_OK)
        return scree_reading_report_status(reading, node, status);
    if (step > limit.stable)
        scree_reading_report(reading, node,
                             "the time step of %g s exceeds the critical time step of %g s: use %g s or "
                             "'auto'",
                             step, limit.stable, limit.step);
    return SCREE_OK;
}

static scree_status create(const struct scree_build_engine_request *request, struct scree_engine **engine)
{
    struct scree_reading *reading = request->reading;
    struct scree_soft_def def = {.threads = request->threads, .alarms = request->alarms};
    struct scree_build_engine_step step = {0};
    read_step(reading, request->settings, &step);
    def.step = step.fixed;
    def.safety = step.factor;
    SCREE_TRY(read_motion(reading, request->stages, &def));
    check_contacts(reading, request->world, scree_reading_node(reading->root, SCREE_KEY_scene_contacts),
                   def.step);
    if (reading->diagnostics.all > 0)
        return SCREE_OK;
    SCREE_TRY(scree_reading_report_status(reading, request->place,
                                          scree_soft_create(request->world, &def, engine)));
    const bool must_be_stable = def.step > 0 && def.alarms.policy[SCREE_ALARM_STEP] == SCREE_ALARM_STOP;
    return must_be_stable && request->stages == 0 && *engine
               ? check_step(reading, request->world, *engine, step.node, def.step)
               : SCREE_OK;
}

static scree_status change(struct scree_reading *reading, struct scree_engine *engine,
                           const struct scree_node *soft, const struct scree_node *place)
{
    struct scree_build_engine_step step = {0};
    read_step(reading, soft, &step);
    SCREE_TRY(scree_reading_report_status(reading, place, scree_soft_set_safety(engine, step.factor)));
    return scree_reading_report_status(reading, place, scree_engine_set_step(engine, step.fixed));
}

const struct scree_build_engine_kind scree_build_engine_soft = {.key = SCREE_KEY_engine_soft,
                                                                .read_step = read_step,
                                                                .check_contacts = check_contacts,
                                                                .create = create,
                                                                .change = change};
