// Builds the engine of a scene, see build.h: integration schemes, damping, time step and alarms.

#include "build/build.h"
#include "build/origin.h"
#include "motion/motion.h"
#include "world/damping.h"
#include "world/world.h"

#include <scree/alarm.h>
#include <scree/body.h>
#include <scree/bond.h>
#include <scree/motion.h>
#include <scree/soft.h>

#include <string.h>

void scree_build_engine_damping(struct scree_reading *reading, const struct scree_node *map,
                                struct scree_damping *damping)
{
    (void)scree_reading_number(reading, map, SCREE_KEY_damping_local, &damping->local);
    (void)scree_reading_number(reading, map, SCREE_KEY_damping_viscous, &damping->viscous);
}

// Returns the value of a key in the last of the first `stages` stages that has it; null if none has it.
static const struct scree_node *find_last(const struct scree_reading *reading, size_t stages,
                                          enum scree_key_id key)
{
    for (size_t s = stages; s > 0; --s)
        if (scree_reading_has(scree_reading_stage(reading, s), key))
            return scree_reading_node(scree_reading_stage(reading, s), key);
    return NULL;
}

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
    const struct scree_node *damping = find_last(reading, stages, SCREE_KEY_stage_damping);
    SCREE_TRY(
        read_scheme(reading, motion, SCREE_KEY_motion_translation, SCREE_TRANSLATION, &def->translation));
    SCREE_TRY(read_scheme(reading, motion, SCREE_KEY_motion_rotation, SCREE_ROTATION, &def->rotation));
    if (!damping && motion)
        damping = scree_reading_node(motion, SCREE_KEY_motion_damping);
    scree_build_engine_damping(reading, damping, &def->damping);
    return damping ? scree_reading_report_status(reading, damping, scree_damping_check(&def->damping))
                   : SCREE_OK;
}

// Reads a policy under a key with the words of the set `policy`.
static void read_policy(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        enum scree_alarm_policy *policy)
{
    static const enum scree_alarm_policy by_word[] = {SCREE_ALARM_STOP, SCREE_ALARM_WARN, SCREE_ALARM_IGNORE};
    size_t word;
    if (scree_reading_word(reading, map, key, &word))
        *policy = by_word[word];
}

static void read_alarms(struct scree_reading *reading, struct scree_alarms *alarms)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_alarms);
    const struct scree_node *number = scree_reading_node(map, SCREE_KEY_alarms_number),
                            *overlap = scree_reading_node(map, SCREE_KEY_alarms_overlap),
                            *step = scree_reading_node(map, SCREE_KEY_alarms_step),
                            *face = scree_reading_node(map, SCREE_KEY_alarms_face),
                            *bond = scree_reading_node(map, SCREE_KEY_alarms_bond),
                            *displacement = scree_reading_node(map, SCREE_KEY_alarms_displacement),
                            *energy = scree_reading_node(map, SCREE_KEY_alarms_energy);
    read_policy(reading, number, SCREE_KEY_alarm_policy, &alarms->policy[SCREE_ALARM_NUMBER]);
    read_policy(reading, overlap, SCREE_KEY_overlap_policy, &alarms->policy[SCREE_ALARM_OVERLAP]);
    read_policy(reading, step, SCREE_KEY_alarm_policy, &alarms->policy[SCREE_ALARM_STEP]);
    read_policy(reading, face, SCREE_KEY_alarm_policy, &alarms->policy[SCREE_ALARM_FACE]);
    read_policy(reading, bond, SCREE_KEY_alarm_policy, &alarms->policy[SCREE_ALARM_BOND]);
    read_policy(reading, displacement, SCREE_KEY_displacement_policy,
                &alarms->policy[SCREE_ALARM_DISPLACEMENT]);
    read_policy(reading, energy, SCREE_KEY_energy_alarm_policy, &alarms->policy[SCREE_ALARM_ENERGY]);
    (void)scree_reading_number(reading, overlap, SCREE_KEY_overlap_limit, &alarms->overlap);
    (void)scree_reading_number(reading, displacement, SCREE_KEY_displacement_limit, &alarms->displacement);
    if (energy)
        (void)scree_reading_number(reading, energy, SCREE_KEY_energy_alarm_limit, &alarms->energy);
}

enum scree_alarm_policy scree_build_engine_policy(struct scree_reading *reading, enum scree_alarm_kind kind)
{
    struct scree_alarms alarms = {0};
    read_alarms(reading, &alarms);
    return alarms.policy[kind];
}

static void read_outside(struct scree_reading *reading, struct scree_alarms *alarms)
{
    static const enum scree_alarm_policy by_word[] = {SCREE_ALARM_WARN, SCREE_ALARM_STOP, SCREE_ALARM_IGNORE,
                                                      SCREE_ALARM_IGNORE};
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world);
    size_t word;
    if (map &&
        (scree_reading_has(map, SCREE_KEY_world_box) || scree_reading_has(map, SCREE_KEY_world_cell)) &&
        scree_reading_word(reading, map, SCREE_KEY_world_outside, &word))
        alarms->policy[SCREE_ALARM_OUTSIDE] = by_word[word];
}

// Passes on the first warning of each kind of alarm: a run calls the engine many times, and each call warns.
static void warn(void *user, const struct scree_alarm *alarm)
{
    struct scree_reading_callbacks *callbacks = (struct scree_reading_callbacks *)user;
    if (alarm->policy == SCREE_ALARM_WARN && !callbacks->warned[alarm->kind])
        callbacks->function(callbacks->user, alarm);
    callbacks->warned[alarm->kind] = true;
}

void scree_build_engine_step(struct scree_reading *reading, const struct scree_node *engine, double *step,
                             double *safety)
{
    const struct scree_node *soft = engine ? scree_reading_node(engine, SCREE_KEY_engine_soft) : NULL;
    (void)scree_reading_number(reading, soft, SCREE_KEY_soft_step, step);
    (void)scree_reading_number(reading, soft, SCREE_KEY_soft_safety, safety);
}

void scree_build_engine_check_auto_step(struct scree_reading *reading, const struct scree_world *world,
                                        const struct scree_node *contacts, double step)
{
    // in a dry run the world has no bonds yet
    const bool bonded =
        scree_bond_count(world) > 0 || scree_reading_has(reading->root, SCREE_KEY_scene_bonds);
    if (step == 0 && world->contact_laws + world->collision_laws == 0 && !bonded)
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
    const scree_status status = scree_soft_limit(engine, &limit);
    if (status != SCREE_OK)
        return scree_reading_report_status(reading, node, status);
    if (step > limit.stable)
        scree_reading_report(reading, node,
                             "the time step of %g s exceeds the critical time step of %g s: use %g s or "
                             "'auto'",
                             step, limit.stable, limit.step);
    return SCREE_OK;
}

scree_status scree_build_engine(struct scree_reading *reading, struct scree_world *world, int threads,
                                size_t stages, struct scree_engine **engine)
{
    struct scree_soft_def def = {.threads = threads};
    const struct scree_node *settings = find_last(reading, stages, SCREE_KEY_stage_engine);
    const struct scree_node *soft;
    *engine = NULL;
    if (!settings)
        settings = scree_reading_node(reading->root, SCREE_KEY_scene_engine);
    soft = settings ? scree_reading_node(settings, SCREE_KEY_engine_soft) : NULL;
    scree_build_engine_step(reading, settings, &def.step, &def.safety);
    SCREE_TRY(read_motion(reading, stages, &def));
    scree_build_engine_check_auto_step(reading, world,
                                       scree_reading_node(reading->root, SCREE_KEY_scene_contacts), def.step);
    if (reading->diagnostics.all > 0)
        return SCREE_OK;
    read_alarms(reading, &def.alarms);
    read_outside(reading, &def.alarms);
    def.alarms.origin = scree_origin_write;
    def.alarms.origin_user = reading;
    if (reading->callbacks.function) {
        def.alarms.function = warn;
        def.alarms.user = &reading->callbacks;
    }
    const struct scree_node *node = soft ? soft : settings ? settings : reading->root;
    SCREE_TRY(scree_reading_report_status(reading, node, scree_soft_create(world, &def, engine)));
    const bool must_be_stable = def.step > 0 && def.alarms.policy[SCREE_ALARM_STEP] == SCREE_ALARM_STOP;
    return must_be_stable && stages == 0 && *engine
               ? check_step(reading, world, *engine, scree_reading_node(soft, SCREE_KEY_soft_step), def.step)
               : SCREE_OK;
}
