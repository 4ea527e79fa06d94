// Builds the engine of a scene, see build.h: which engine it is, and the alarms of all of them.

#include "build/engine.h"

#include "build/build.h"
#include "build/origin.h"

#include <scree/alarm.h>
#include <scree/body.h>

void scree_build_engine_damping(struct scree_reading *reading, const struct scree_node *map,
                                struct scree_damping *damping)
{
    (void)scree_reading_number(reading, map, SCREE_KEY_damping_local, &damping->local);
    (void)scree_reading_number(reading, map, SCREE_KEY_damping_viscous, &damping->viscous);
}

const struct scree_node *scree_build_engine_find_last(const struct scree_reading *reading, size_t stages,
                                                      enum scree_key_id key)
{
    for (size_t s = stages; s > 0; --s)
        if (scree_reading_has(scree_reading_stage(reading, s), key))
            return scree_reading_node(scree_reading_stage(reading, s), key);
    return NULL;
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

static const struct scree_build_engine_kind *const kinds[] = {
#define SCREE_ENGINE(symbol) &scree_build_engine_##symbol,
#include "engine/engine.def"
#undef SCREE_ENGINE
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

const struct scree_build_engine_kind *scree_build_engine_kind(const struct scree_node *section)
{
    for (size_t k = 0; section && k < KINDS; ++k)
        if (scree_reading_has(section, kinds[k]->key))
            return kinds[k];
    return kinds[0];
}

// The kind of engine of the scene, which stages do not change.
static const struct scree_build_engine_kind *kind_of(const struct scree_reading *reading)
{
    return scree_build_engine_kind(scree_reading_node(reading->root, SCREE_KEY_scene_engine));
}

void scree_build_engine_check_scene(struct scree_reading *reading)
{
    const struct scree_build_engine_kind *kind = kind_of(reading);
    if (kind->check_scene)
        kind->check_scene(reading);
}

void scree_build_engine_step(struct scree_reading *reading, const struct scree_node *section,
                             struct scree_build_engine_step *step)
{
    const struct scree_build_engine_kind *kind = kind_of(reading);
    *step = (struct scree_build_engine_step){0};
    kind->read_step(reading, section ? scree_reading_node(section, kind->key) : NULL, step);
}

void scree_build_engine_check_contacts(struct scree_reading *reading, const struct scree_world *world,
                                       const struct scree_node *contacts, double step)
{
    const struct scree_build_engine_kind *kind = kind_of(reading);
    if (kind->check_contacts)
        kind->check_contacts(reading, world, contacts, step);
}

scree_status scree_build_change_engine(struct scree_reading *reading, struct scree_engine *engine,
                                       const struct scree_node *section)
{
    const struct scree_build_engine_kind *kind = kind_of(reading), *other = scree_build_engine_kind(section);
    if (section->count > 0 && other != kind) {
        scree_reading_report(
            reading, section,
            "a stage changes settings of the engine '%s', but cannot replace it by the engine "
            "'%s': start the run with the engine that it needs",
            scree_key_rows[kind->key].name, scree_key_rows[other->key].name);
        return SCREE_OK;
    }
    return kind->change(reading, engine, scree_reading_node(section, kind->key), section);
}

scree_status scree_build_engine(struct scree_reading *reading, struct scree_world *world, int threads,
                                size_t stages, struct scree_engine **engine)
{
    const struct scree_build_engine_kind *kind = kind_of(reading);
    struct scree_build_engine_request request = {
        .reading = reading, .world = world, .stages = stages, .threads = threads};
    const struct scree_node *section = scree_build_engine_find_last(reading, stages, SCREE_KEY_stage_engine);
    *engine = NULL;
    if (!section)
        section = scree_reading_node(reading->root, SCREE_KEY_scene_engine);
    request.settings = section ? scree_reading_node(section, kind->key) : NULL;
    request.place = request.settings ? request.settings : section ? section : reading->root;
    read_alarms(reading, &request.alarms);
    read_outside(reading, &request.alarms);
    request.alarms.origin = scree_origin_write;
    request.alarms.origin_user = reading;
    if (reading->callbacks.function) {
        request.alarms.function = warn;
        request.alarms.user = &reading->callbacks;
    }
    return kind->create(&request, engine);
}
