// Areas of servos that are formulas of columns, see build.h.
//
// The formula of a group is that of its last servo: in the entries of its walls, then in the stages begun so
// far. So it follows from the scene and the number of the stage, also after a restart.

#include "base/memory.h"
#include "build/build.h"
#include "language/columns.h"
#include "world/servo.h"

#include <scree/group.h>
#include <scree/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// The function of a servo; its texts outlive the scene.
struct area {
    struct scree_columns columns;
    char *texts;
    char group[32], formula[120], place[300];
};

static void release(void *user)
{
    struct area *area = (struct area *)user;
    scree_memory_free(area->texts);
    scree_memory_free(area);
}

static scree_status measure(void *user, struct scree_world *world, double *result)
{
    const struct area *area = (const struct area *)user;
    const char *unit = scree_key_unit(SCREE_KEY_servo_area, scree_world_dimension(world));
    SCREE_TRY(scree_columns_measure(&area->columns, world, result));
    if (*result > 0 && isfinite(*result))
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "%s: the area of the servo of '%s' must be above 0 %s and finite, but `%s` is %g "
        "%s at %g s, step %llu",
        area->place, area->group, unit, area->formula, *result, unit, scree_world_time(world),
        (unsigned long long)scree_world_steps(world));
}

// --- finding the servo of a group

// Returns the servo of an entry of walls whose first group has this name; null for none.
static const struct scree_node *servo_of_entry(struct scree_reading *reading, const struct scree_node *entry,
                                               const char *group)
{
    const char *name;
    size_t word;
    const bool matches = scree_reading_count(entry, SCREE_KEY_wall_group) > 0 &&
                         scree_reading_name(reading, entry, SCREE_KEY_wall_group, 0, &name, &word) &&
                         strcmp(name, group) == 0;
    return matches ? scree_reading_node(entry, SCREE_KEY_wall_servo) : NULL;
}

static const struct scree_node *find_servo(struct scree_reading *reading, const char *group, size_t stage)
{
    const struct scree_node *walls = scree_reading_node(reading->root, SCREE_KEY_scene_walls), *servo = NULL;
    for (size_t k = 0; walls && k < walls->count; ++k) {
        const struct scree_node *found = servo_of_entry(reading, walls->item[k], group);
        servo = found ? found : servo;
    }
    for (size_t s = 1; s <= stage; ++s) {
        const struct scree_node *changes =
            scree_reading_node(scree_reading_stage(reading, s), SCREE_KEY_stage_walls);
        for (size_t k = 0; changes && k < changes->count; ++k) {
            const struct scree_node *found =
                scree_reading_node(changes->item[k], SCREE_KEY_wall_change_servo);
            const char *name;
            if (found && scree_reading_text(reading, changes->item[k], SCREE_KEY_wall_change_group, &name) &&
                strcmp(name, group) == 0)
                servo = found;
        }
    }
    return servo;
}

// --- functions

// Reads the formula of a servo; `area` is null to check only. `good` is false after a diagnostic.
static scree_status read(struct scree_reading *reading, struct scree_world *world,
                         const struct scree_node *servo, struct area *area, bool *good)
{
    const struct scree_node *node = scree_reading_node(servo, SCREE_KEY_servo_area);
    const char *unit = scree_key_unit(SCREE_KEY_servo_area, reading->dimension), *formula;
    struct scree_columns scratch, *columns = area ? &area->columns : &scratch;
    *good = false;
    if (!node || !scree_reading_is_formula(reading, node, &scree_key_rows[SCREE_KEY_servo_area]) ||
        !scree_value_text(&reading->values, node, "area", &formula))
        return reading->values.status;
    SCREE_TRY(scree_columns_formula(reading, world, node, formula, unit, columns));
    *good = columns->requested > 0;
    if (!*good || !area)
        return SCREE_OK;
    snprintf(area->formula, sizeof area->formula, "%s", formula);
    const struct scree_source *source = &reading->diagnostics.sources.data[node->place.source];
    snprintf(area->place, sizeof area->place, "%.200s:%u:%u", source->name,
             (unsigned)(source->lines_before + node->place.line + 1), (unsigned)node->place.column + 1);
    return scree_columns_keep(columns, &area->texts);
}

static scree_status set_area(struct scree_reading *reading, struct scree_world *world, scree_group_id group,
                             size_t stage)
{
    const struct scree_node *servo = find_servo(reading, scree_group_name(world, group), stage);
    struct area *area;
    bool good = false;
    if (!servo)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(1, sizeof *area, (void **)&area));
    snprintf(area->group, sizeof area->group, "%s", scree_group_name(world, group));
    scree_status status = read(reading, world, servo, area, &good);
    const struct scree_servo_area_def def = {measure, area, release};
    if (status == SCREE_OK && good)
        status = scree_servo_set_area(world, group, &def);
    if (status != SCREE_OK || !good)
        release(area);
    return status;
}

// Checks the formulas of all stages.
static scree_status check_stages(struct scree_reading *reading, struct scree_world *world)
{
    for (size_t s = 1; s <= scree_reading_stages(reading); ++s) {
        const struct scree_node *changes =
            scree_reading_node(scree_reading_stage(reading, s), SCREE_KEY_stage_walls);
        for (size_t k = 0; changes && k < changes->count; ++k) {
            const struct scree_node *servo =
                scree_reading_node(changes->item[k], SCREE_KEY_wall_change_servo);
            bool good;
            if (servo)
                SCREE_TRY(read(reading, world, servo, NULL, &good));
        }
    }
    return SCREE_OK;
}

scree_status scree_build_servo_areas(struct scree_reading *reading, struct scree_world *world, size_t stage)
{
    if (stage == 0)
        SCREE_TRY(check_stages(reading, world));
    for (size_t s = 0; s < scree_servo_rows(world); ++s)
        if (scree_servo_row(world, s)->area_by_function > 0)
            SCREE_TRY(set_area(reading, world, (scree_group_id){scree_servo_row(world, s)->group}, stage));
    return SCREE_OK;
}
