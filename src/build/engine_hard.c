// What the engines of hard bodies have in common in scenes, see engine_hard.h.

#include "build/engine_hard.h"

#include "contact/interaction.h"
#include "world/grain.h"

#include <scree/body.h>
#include <scree/engine.h>

#include <string.h>

void scree_build_hard_read_step(struct scree_reading *reading, const struct scree_node *settings,
                                enum scree_key_id key, struct scree_build_engine_step *step)
{
    step->factor = 1;
    step->node = settings && scree_reading_has(settings, key) ? scree_reading_node(settings, key) : settings;
    if (settings)
        (void)scree_reading_number(reading, settings, key, &step->fixed);
}

// Reports a contact law without a rule of collisions.
void scree_build_hard_check_contacts(struct scree_reading *reading, const struct scree_world *world,
                                     const struct scree_node *contacts, double step)
{
    (void)step;
    if (scree_interaction_check_collisions(world) != SCREE_OK)
        scree_reading_report(reading, contacts ? contacts : reading->root, "%s", scree_status_message());
}

// Whether a value is the default of its key, as in scenes that have been written out; of a list, zeros; of a
// section, if all of its members have their defaults.
static bool is_default(const struct scree_key *key, const struct scree_node *value)
{
    const enum scree_section child = scree_key_child_section(key);
    if (value->kind == SCREE_NODE_MAP && child != SCREE_SECTIONS && key->type != SCREE_KEY_MAP) {
        bool all = true;
        for (size_t k = 0; k < value->count && all; ++k) {
            const struct scree_key *member = scree_key_find(child, value->item[2 * k]->text);
            all = member && is_default(member, value->item[2 * k + 1]);
        }
        return all;
    }
    if (value->kind == SCREE_NODE_TEXT)
        return strcmp(value->text, key->default_value) == 0;
    bool zeros = value->kind == SCREE_NODE_LIST && key->default_value[0] == '[';
    for (size_t k = 0; zeros && k < value->count; ++k)
        zeros = value->item[k]->kind == SCREE_NODE_TEXT && strcmp(value->item[k]->text, "0") == 0;
    return zeros;
}

// Alarms: those that these engines have; a limit of overlaps only if the scene gives one.
struct scree_alarms scree_build_hard_alarms(const struct scree_build_engine_request *request)
{
    const struct scree_node *section = scree_reading_node(request->reading->root, SCREE_KEY_scene_alarms),
                            *overlap = section ? scree_reading_node(section, SCREE_KEY_alarms_overlap) : NULL;
    struct scree_alarms alarms = request->alarms;
    for (int kind = 0; kind < SCREE_ALARM_KINDS; ++kind)
        if (kind != SCREE_ALARM_OVERLAP && kind != SCREE_ALARM_OUTSIDE && kind != SCREE_ALARM_FACE)
            alarms.policy[kind] = SCREE_ALARM_DEFAULT;
    alarms.displacement = 0;
    const struct scree_node *limit = overlap ? scree_reading_node(overlap, SCREE_KEY_overlap_limit) : NULL;
    if (!limit || is_default(&scree_key_rows[SCREE_KEY_overlap_limit], limit))
        alarms.overlap = 0;
    return alarms;
}

// Whether some body collides: the world of a dry run has none, but it has bodies that carry walls.
static bool has_bodies(const struct scree_world *world)
{
    bool any = false;
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        any = any || scree_grain_reach(world, i) > 0;
    return any;
}

scree_status scree_build_hard_finish(const struct scree_build_engine_request *request, double step,
                                     scree_status status, struct scree_engine **engine)
{
    // an automatic step or width of cells may be impossible, which is better known now than in the run
    if (status == SCREE_OK && (step > 0 || has_bodies(request->world))) {
        double first;
        status = scree_engine_step(*engine, &first);
        if (status != SCREE_OK) {
            scree_engine_destroy(*engine);
            *engine = NULL;
        }
    }
    return scree_reading_report_status(request->reading, request->place, status);
}

// --- what these engines cannot do

// Keys of scenes that make no sense with these engines, and what to do instead.
static const struct refusal {
    enum scree_key_id key;
    const char *advice;
} refusals[] = {
#define SOFT "use the engine 'soft'"
#define ROUND "use spheres, disks or clumps of them, or the engine 'soft'"
#define GRAVITY                                                                                              \
    "bodies fly freely, only gravity acts on them, and constant forces on free walls; use the engine "       \
    "'soft' for others"
#define EXACT "leave it out: bodies fly freely between collisions, which needs no integration scheme"
#define RATES "give rates of strain; only the engine 'soft' has a servo of the cell"
#define CLOSED "leave it out: cells with cell vectors are periodic along all axes with this engine"
#define ALARMS                                                                                               \
    "leave it out: this engine has the alarms 'overlap', 'face' and 'collapse', and `outside` of the world"
#define DRIVEN "give the wall a velocity or a vibration, or use the engine 'soft'"
    {SCREE_KEY_scene_bonds, SOFT},           {SCREE_KEY_stage_bonds, SOFT},
    {SCREE_KEY_stage_remove_bonds, SOFT},    {SCREE_KEY_motion_translation, EXACT},
    {SCREE_KEY_motion_rotation, EXACT},      {SCREE_KEY_damping_local, GRAVITY},
    {SCREE_KEY_damping_viscous, GRAVITY},    {SCREE_KEY_bodies_load, GRAVITY},
    {SCREE_KEY_body_change_load, GRAVITY},   {SCREE_KEY_bodies_rigid, ROUND},
    {SCREE_KEY_bodies_polyhedron, ROUND},    {SCREE_KEY_bodies_blocks, ROUND},
    {SCREE_KEY_shape_polyhedron, ROUND},     {SCREE_KEY_deform_pressure, RATES},
    {SCREE_KEY_deform_shear_stress, RATES},  {SCREE_KEY_deform_compressive_stress, RATES},
    {SCREE_KEY_cell_periodic, CLOSED},       {SCREE_KEY_load_moment, GRAVITY},
    {SCREE_KEY_wall_servo, DRIVEN},          {SCREE_KEY_wall_change_servo, DRIVEN},
    {SCREE_KEY_alarms_number, ALARMS},       {SCREE_KEY_alarms_step, ALARMS},
    {SCREE_KEY_alarms_displacement, ALARMS}, {SCREE_KEY_alarms_bond, ALARMS},
    {SCREE_KEY_alarms_energy, ALARMS},
};

// The engine of the scene, and its name.
struct engine {
    struct scree_reading *reading;
    const char *name;
    bool stochastic;
};

// And with the engine 'stochastic' only.
static const struct refusal stochastic_refusals[] = {
#define PLACES "its bodies have no places for each other; use the engine 'event'"
    {SCREE_KEY_bodies_clump, PLACES},
    {SCREE_KEY_shape_clump, PLACES},
};

static const char *find_in(const struct refusal *rows, size_t count, const struct scree_key *key)
{
    for (size_t r = 0; r < count; ++r)
        if (&scree_key_rows[rows[r].key] == key)
            return rows[r].advice;
    return NULL;
}

static const char *find_advice(const struct engine *engine, const struct scree_key *key)
{
    const char *advice = find_in(refusals, sizeof refusals / sizeof refusals[0], key);
    if (!advice && engine->stochastic)
        advice =
            find_in(stochastic_refusals, sizeof stochastic_refusals / sizeof stochastic_refusals[0], key);
    return advice;
}

static bool is_fixed_key(const struct scree_key *key)
{
    static const enum scree_key_id keys[] = {SCREE_KEY_sphere_fixed, SCREE_KEY_disk_fixed,
                                             SCREE_KEY_clump_body_fixed, SCREE_KEY_fill_fixed,
                                             SCREE_KEY_body_change_fixed};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
        if (key == &scree_key_rows[keys[k]])
            return true;
    return false;
}

// Reports bodies that are fixed in some directions but not in all of them.
static void check_fixed(const struct engine *engine, const struct scree_node *map,
                        const struct scree_node *name, const struct scree_key *key)
{
    struct scree_reading *reading = engine->reading;
    const bool flat = reading->dimension == 2;
    const unsigned fixed = scree_build_bodies_fixed(reading, map, (enum scree_key_id)(key - scree_key_rows));
    const unsigned positions = flat ? SCREE_FIX_X | SCREE_FIX_Y : SCREE_FIX_POSITION;
    const unsigned spins = flat ? SCREE_FIX_SPIN_Z : SCREE_FIX_SPIN;
    if (engine->stochastic && (fixed & positions) != 0)
        scree_reading_report(
            reading, name,
            "the engine '%s' has no bodies that are fixed in place: make them walls, or use the "
            "engine 'event'",
            engine->name);
    else if (((fixed & positions) != 0 && (fixed & positions) != positions) ||
             ((fixed & spins) != 0 && (fixed & spins) != spins))
        scree_reading_report(reading, name,
                             "the engine '%s' fixes positions in all directions or in none, and spins "
                             "likewise: `fixed: [%s]`, `[%s]`, both lists, or neither",
                             engine->name, flat ? "x, y" : "x, y, z",
                             flat ? "spin-z" : "spin-x, spin-y, spin-z");
}

// Reports the keys of a section, or of all maps of a list, and of the sections below.
static void check_section(const struct engine *engine, const struct scree_node *node,
                          enum scree_section section)
{
    for (size_t k = 0; node->kind == SCREE_NODE_LIST && k < node->count; ++k)
        check_section(engine, node->item[k], section);
    for (size_t k = 0; node->kind == SCREE_NODE_MAP && k < node->count; ++k) {
        const struct scree_node *name = node->item[2 * k], *value = node->item[2 * k + 1];
        const struct scree_key *key = scree_key_find(section, name->text);
        const enum scree_section child = key ? scree_key_child_section(key) : SCREE_SECTIONS;
        const char *advice = key ? find_advice(engine, key) : NULL;
        if (advice && !is_default(key, value))
            scree_reading_report(engine->reading, name, "the engine '%s' cannot use '%s' of %s: %s",
                                 engine->name, key->name, scree_key_sections[section].name, advice);
        else if (key && is_fixed_key(key))
            check_fixed(engine, node, name, key);
        else if (child != SCREE_SECTIONS && key->type != SCREE_KEY_MAP)
            check_section(engine, value, child);
        else if (child != SCREE_SECTIONS)
            for (size_t m = 0; m < value->count; ++m)
                check_section(engine, value->item[2 * m + 1], child);
    }
}

// Reports a deformation before which the form of the motion is not `newton`, the only one of this engine.
static void check_deform(const struct engine *engine, const struct scree_node *deform, bool *newton)
{
    struct scree_reading *reading = engine->reading;
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world);
    size_t word;
    if (scree_reading_has(deform, SCREE_KEY_deform_form))
        *newton = scree_reading_word(reading, deform, SCREE_KEY_deform_form, &word) && word > 0;
    if (!*newton)
        scree_reading_report(reading, deform,
                             "the engine '%s' knows only one form of the motion in cells that deform: give "
                             "`form: newton`",
                             engine->name);
    if (!scree_reading_has(map, SCREE_KEY_world_cell) &&
        scree_reading_count(map, SCREE_KEY_world_periodic) < (size_t)reading->dimension)
        scree_reading_report(reading, deform,
                             "with the engine '%s' a cell that deforms must be periodic along all axes",
                             engine->name);
    *newton = true;
}

void scree_build_hard_check_scene(struct scree_reading *reading, enum scree_key_id key)
{
    const struct engine engine = {reading, scree_key_rows[key].name, key == SCREE_KEY_engine_stochastic};
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world);
    bool newton = false;
    reading->engine_without_forces = engine.name;
    check_section(&engine, reading->root, SCREE_SECTION_scene);
    if (map && scree_reading_has(map, SCREE_KEY_world_deform))
        check_deform(&engine, scree_reading_node(map, SCREE_KEY_world_deform), &newton);
    for (size_t s = 1; map && s <= scree_reading_stages(reading); ++s) {
        const struct scree_node *deform =
            scree_reading_node(scree_reading_stage(reading, s), SCREE_KEY_stage_deform);
        if (deform)
            check_deform(&engine, deform, &newton);
    }
}
