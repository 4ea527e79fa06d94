// Motion of the walls of a scene that depends on time, see build.h.
//
// The keys of a wall and those of the changes of its groups in the stages so far give the motion: of each key
// the last one counts. So the motion follows from the scene and the number of the stage, also after a
// restart. A wall has the id of its entry, counted from 1.

#include "base/memory.h"
#include "build/build.h"
#include "language/rates.h"
#include "math/real.h"
#include "math/trigonometry.h"
#include "math/vec3.h"

#include <scree/group.h>
#include <scree/wall.h>

#include <string.h>

enum { VELOCITY, SPIN, SURFACE_VELOCITY, SURFACE_SPIN, VECTORS, VIBRATION = VECTORS, MOTIONS };

static const struct {
    enum scree_key_id wall, change;
} keys[MOTIONS] = {
    [VELOCITY] = {SCREE_KEY_wall_velocity, SCREE_KEY_wall_change_velocity},
    [SPIN] = {SCREE_KEY_wall_spin, SCREE_KEY_wall_change_spin},
    [SURFACE_VELOCITY] = {SCREE_KEY_wall_surface_velocity, SCREE_KEY_wall_change_surface_velocity},
    [SURFACE_SPIN] = {SCREE_KEY_wall_surface_spin, SCREE_KEY_wall_change_surface_spin},
    [VIBRATION] = {SCREE_KEY_wall_vibration, SCREE_KEY_wall_change_vibration},
};

// The function of a wall. Vectors that do not depend on time stay as they are.
struct motion {
    struct scree_rates rates[VECTORS];
    bool varies[VECTORS];
    double speed[3];    // amplitude of the velocity of a vibration, m/s
    double rate, phase; // rad/s, rad
    struct scree_wall_vibration vibration;
};

static void release(void *user)
{
    struct motion *motion = (struct motion *)user;
    for (int v = 0; v < VECTORS; ++v)
        scree_rates_free(&motion->rates[v]);
    scree_memory_free(motion);
}

static void move(void *user, double time, struct scree_wall_motion *out)
{
    const struct motion *motion = (const struct motion *)user;
    double *const vector[VECTORS] = {out->velocity, out->spin, out->surface_velocity, out->surface_spin};
    for (int v = 0; v < VECTORS; ++v)
        if (motion->varies[v])
            scree_rates_at(&motion->rates[v], time, vector[v]);
    const double cosine = motion->rate > 0 ? scree_cos(motion->rate * time + motion->phase) : 0;
    for (int k = 0; k < 3 && motion->rate > 0; ++k)
        out->velocity[k] += cosine * motion->speed[k];
}

// --- the keys that count

static const struct scree_node *wall_entry(const struct scree_reading *reading, scree_wall_id id)
{
    const struct scree_node *walls = scree_reading_node(reading->root, SCREE_KEY_scene_walls);
    return walls && id.value >= 1 && id.value <= walls->count ? walls->item[id.value - 1] : NULL;
}

static bool is_in_group(struct scree_reading *reading, const struct scree_node *entry,
                        const struct scree_node *change)
{
    const char *group, *name;
    size_t word;
    if (!scree_reading_text(reading, change, SCREE_KEY_wall_change_group, &group))
        return false;
    for (size_t k = 0; k < scree_reading_count(entry, SCREE_KEY_wall_group); ++k)
        if (scree_reading_name(reading, entry, SCREE_KEY_wall_group, k, &name, &word) &&
            strcmp(name, group) == 0)
            return true;
    return false;
}

// Finds the nodes that give the motion of a wall in a stage, 0 before the first; null for none.
static void find_nodes(struct scree_reading *reading, const struct scree_node *entry, size_t stage,
                       const struct scree_node *node[MOTIONS])
{
    for (int m = 0; m < MOTIONS; ++m)
        node[m] = scree_reading_node(entry, keys[m].wall);
    for (size_t s = 1; s <= stage; ++s) {
        const struct scree_node *changes =
            scree_reading_node(scree_reading_stage(reading, s), SCREE_KEY_stage_walls);
        for (size_t k = 0; changes && k < changes->count; ++k)
            for (int m = 0; m < MOTIONS && is_in_group(reading, entry, changes->item[k]); ++m) {
                const struct scree_node *change = scree_reading_node(changes->item[k], keys[m].change);
                node[m] = change ? change : node[m];
            }
    }
}

static bool read_vibration(struct scree_reading *reading, const struct scree_node *map, struct motion *motion)
{
    struct scree_wall_vibration *vibration = &motion->vibration;
    double *direction = vibration->direction;
    bool good = scree_reading_number(reading, map, SCREE_KEY_vibration_amplitude, &vibration->amplitude);
    good = scree_reading_number(reading, map, SCREE_KEY_vibration_frequency, &vibration->frequency) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_vibration_phase, &vibration->phase) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_vibration_direction, direction) && good;
    const double rate = 2 * SCREE_PI * vibration->frequency;
    const double length = scree_vec3_norm(scree_vec3_load(direction));
    motion->rate = good && vibration->amplitude > 0 ? rate : 0;
    motion->phase = vibration->phase;
    for (int k = 0; k < 3 && length > 0; ++k)
        motion->speed[k] = vibration->amplitude * rate * direction[k] / length;
    return good;
}

// Reads the motion of a wall; returns false after a diagnostic or a lack of memory. A vibration is added to
// the velocity, so the function has this velocity even if it is constant.
static bool read_motion(struct scree_reading *reading, const struct scree_node *const node[MOTIONS],
                        struct motion *motion)
{
    bool good = true;
    for (int v = 0; v < VECTORS; ++v)
        if (node[v])
            good =
                scree_rates_read(reading, node[v], &scree_key_rows[keys[v].wall], &motion->rates[v]) && good;
    good = (!node[VIBRATION] || read_vibration(reading, node[VIBRATION], motion)) && good;
    for (int v = 0; v < VECTORS; ++v)
        motion->varies[v] =
            !scree_rates_are_constant(&motion->rates[v]) || (v == VELOCITY && motion->rate > 0);
    return good;
}

static bool varies(const struct motion *motion)
{
    bool any = false;
    for (int v = 0; v < VECTORS; ++v)
        any = any || motion->varies[v];
    return any;
}

// Whether the wall vibrates, and nothing else of its motion depends on time.
static bool only_vibrates(const struct motion *motion)
{
    bool any = false;
    for (int v = 0; v < VECTORS; ++v)
        any = any || !scree_rates_are_constant(&motion->rates[v]);
    return motion->rate > 0 && !any;
}

// --- walls

// Sets the constant vectors that `changed` names.
static scree_status set_constants(struct scree_world *world, scree_wall_id id, const struct motion *motion,
                                  const bool changed[VECTORS])
{
    struct scree_wall_state state;
    double value[VECTORS][3];
    SCREE_TRY(scree_wall_get(world, id, &state));
    const double *const now[VECTORS] = {state.velocity, state.spin, state.surface_velocity,
                                        state.surface_spin};
    for (int v = 0; v < VECTORS; ++v) {
        memcpy(value[v], now[v], sizeof value[v]);
        if (changed[v] && !motion->varies[v])
            scree_rates_at(&motion->rates[v], 0, value[v]);
    }
    if (changed[VELOCITY] && !motion->varies[VELOCITY])
        SCREE_TRY(scree_wall_set_velocity(world, id, value[VELOCITY]));
    if (changed[SPIN] && !motion->varies[SPIN])
        SCREE_TRY(scree_wall_set_spin(world, id, value[SPIN]));
    return changed[SURFACE_VELOCITY] || changed[SURFACE_SPIN]
               ? scree_wall_set_surface_motion(world, id, value[SURFACE_VELOCITY], value[SURFACE_SPIN])
               : SCREE_OK;
}

// Sets the motion of a wall: the constant vectors that `changed` names, and its function.
static scree_status set_motion(struct scree_reading *reading, struct scree_world *world, scree_wall_id id,
                               const struct scree_node *const node[MOTIONS], const bool *changed)
{
    struct motion *motion;
    SCREE_TRY(scree_memory_new(1, sizeof *motion, (void **)&motion));
    if (!read_motion(reading, node, motion)) {
        release(motion);
        return reading->values.status;
    }
    scree_status status = changed ? set_constants(world, id, motion, changed) : SCREE_OK;
    const struct scree_wall_motion_def def = {move, motion, release};
    const bool vibrates = only_vibrates(motion), keeps = status == SCREE_OK && !vibrates && varies(motion);
    if (keeps)
        status = scree_wall_motion_set_function(world, id, &def);
    if (status == SCREE_OK && vibrates) {
        scree_rates_at(&motion->rates[VELOCITY], 0, motion->vibration.velocity);
        status = scree_wall_set_vibration(world, id, &motion->vibration);
    }
    if (!keeps || status != SCREE_OK)
        release(motion);
    return status;
}

scree_status scree_build_wall_motion(struct scree_reading *reading, struct scree_world *world,
                                     scree_wall_id id)
{
    static const bool all[VECTORS] = {true, true, true, true};
    const struct scree_node *entry = wall_entry(reading, id), *node[MOTIONS];
    bool any = false;
    find_nodes(reading, entry, 0, node);
    for (int m = 0; m < MOTIONS; ++m)
        any = any || node[m];
    return any ? scree_reading_report_status(reading, entry, set_motion(reading, world, id, node, all))
               : SCREE_OK;
}

scree_status scree_build_change_wall_motion(struct scree_reading *reading, struct scree_world *world,
                                            scree_wall_id id, const struct scree_node *change, size_t stage)
{
    const struct scree_node *entry = wall_entry(reading, id), *node[MOTIONS];
    const bool has_pivot = scree_reading_has(change, SCREE_KEY_wall_change_pivot);
    bool changed[MOTIONS], any = has_pivot;
    double pivot[3];
    for (int m = 0; m < MOTIONS; ++m) {
        changed[m] = scree_reading_has(change, keys[m].change);
        any = any || changed[m];
    }
    if (!any || !entry ||
        (has_pivot && !scree_reading_vector(reading, change, SCREE_KEY_wall_change_pivot, pivot)))
        return reading->values.status;
    // without its vibration a wall has its own velocity again
    changed[VELOCITY] = changed[VELOCITY] || changed[VIBRATION];
    find_nodes(reading, entry, stage, node);
    SCREE_TRY(scree_wall_motion_set_function(world, id, NULL));
    if (has_pivot)
        SCREE_TRY(scree_wall_set_pivot(world, id, pivot));
    return set_motion(reading, world, id, node, changed);
}

scree_status scree_build_resume_wall_motions(struct scree_reading *reading, struct scree_world *world,
                                             size_t stage)
{
    const struct scree_node *walls = scree_reading_node(reading->root, SCREE_KEY_scene_walls);
    for (size_t k = 0; walls && k < walls->count; ++k) {
        const struct scree_node *node[MOTIONS];
        const scree_wall_id id = {k + 1};
        if (!scree_wall_exists(world, id))
            continue;
        find_nodes(reading, walls->item[k], stage, node);
        SCREE_TRY(
            scree_reading_report_status(reading, walls->item[k], set_motion(reading, world, id, node, NULL)));
    }
    return SCREE_OK;
}
