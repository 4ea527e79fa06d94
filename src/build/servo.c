// Sets the servos of wall groups, see build.h.

#include "base/memory.h"
#include "build/build.h"
#include "contact/interaction.h"

#include <scree/group.h>
#include <scree/servo.h>
#include <scree/wall.h>

#include <stdio.h>
#include <string.h>

// Sums the areas of the walls of a group.
static scree_status measure_area(const struct scree_world *world, scree_group_id group, double *area)
{
    scree_wall_id *walls;
    size_t count;
    *area = 0;
    SCREE_TRY(scree_group_walls(world, group, NULL, 0, &count));
    SCREE_TRY(scree_memory_new(count, sizeof *walls, (void **)&walls));
    scree_status status = scree_group_walls(world, group, walls, count, &count);
    for (size_t w = 0; w < count && status == SCREE_OK; ++w) {
        double wall_area = 0;
        status = scree_wall_area(world, walls[w], &wall_area);
        *area += wall_area;
    }
    scree_memory_free(walls);
    return status;
}

// Warns of a positive stress, which is tension: without a contact law that transmits tension the walls would
// move away. Perhaps the user takes compression as positive. The sign of a force needs no such warning, since
// it refers to `direction`.
static void warn_of_tension(struct scree_reading *reading, const struct scree_world *world,
                            scree_group_id group, double stress)
{
    struct scree_reading_callbacks *callbacks = &reading->callbacks;
    const char *unit = scree_key_unit(SCREE_KEY_servo_stress, reading->dimension);
    char text[400];
    if (!(stress > 0) || !callbacks->warn || callbacks->warned_of_tension ||
        scree_interaction_has_attraction(world))
        return;
    snprintf(
        text, sizeof text,
        "the servo of '%.60s' has a stress of %g %s, which is tension, but no contact law of this scene can "
        "transmit tension: its walls will move away at max-velocity. Compression is negative, `stress: %g "
        "%s`",
        scree_group_name(world, group), stress, unit, -stress, unit);
    callbacks->warned_of_tension = true;
    callbacks->warn(callbacks->user, text);
}

// Whether the walls of a group have an area that is smaller than the cross-section between the other walls,
// as a punch has: then this is their area.
static scree_status find_area(const struct scree_world *world, scree_group_id group, const double *direction,
                              double *area, bool *follows)
{
    double section;
    scree_status status = measure_area(world, group, area);
    if (status == SCREE_ERROR_MEMORY)
        return status;
    const bool known = status == SCREE_OK;
    status = scree_servo_area(world, group, direction, &section);
    *follows = status == SCREE_OK && !(known && *area < 0.99 * section);
    return known ? SCREE_OK : status;
}

static bool has_formula(struct scree_reading *reading, const struct scree_node *map)
{
    const struct scree_node *area = scree_reading_node(map, SCREE_KEY_servo_area);
    return area && scree_reading_is_formula(reading, area, &scree_key_rows[SCREE_KEY_servo_area]);
}

// Reads a stress. Compression is a negative stress and a positive force on the bodies.
static scree_status read_stress(struct scree_reading *reading, const struct scree_world *world,
                                const struct scree_node *map, struct scree_servo_def *def, bool *good)
{
    double stress, area;
    bool follows = false;
    *good = scree_reading_number(reading, map, SCREE_KEY_servo_stress, &stress);
    if (scree_reading_has(map, SCREE_KEY_servo_area))
        *good = scree_reading_number(reading, map, SCREE_KEY_servo_area, &area) && *good;
    if (!*good)
        return SCREE_OK;
    if (has_formula(reading, map)) {
        warn_of_tension(reading, world, def->group, stress);
        def->stress = -stress;
        def->area_by_function = stress != 0;
        return SCREE_OK;
    }
    // 0 is `auto`
    if (!scree_reading_has(map, SCREE_KEY_servo_area) || area == 0) {
        const scree_status status = find_area(world, def->group, def->direction, &area, &follows);
        if (status == SCREE_ERROR_MEMORY)
            return status;
        if (status != SCREE_OK)
            *good =
                scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_servo_stress),
                                     "give the 'area' on which the stress acts: %s", scree_status_message());
    }
    if (*good)
        warn_of_tension(reading, world, def->group, stress);
    def->stress = *good && follows ? -stress : 0;
    def->force = *good && !follows ? -stress * area : 0;
    return SCREE_OK;
}

scree_status scree_build_servo(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *map, scree_group_id group)
{
    struct scree_servo_def def = {.group = group};
    uint64_t every;
    bool good;
    if (!scree_reading_vector(reading, map, SCREE_KEY_servo_direction, def.direction))
        return reading->values.status;
    def.turns = scree_reading_has(map, SCREE_KEY_servo_moment);
    if (def.turns)
        good = scree_reading_number(reading, map, SCREE_KEY_servo_moment, &def.moment);
    else if (scree_reading_has(map, SCREE_KEY_servo_stress))
        SCREE_TRY(read_stress(reading, world, map, &def, &good));
    else
        good = scree_reading_number(reading, map, SCREE_KEY_servo_force, &def.force);
    good = scree_reading_number(reading, map,
                                def.turns ? SCREE_KEY_servo_max_spin : SCREE_KEY_servo_max_velocity,
                                &def.velocity) &&
           good;
    good = scree_reading_number(reading, map, SCREE_KEY_servo_gain, &def.gain) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_servo_tolerance, &def.tolerance) && good;
    good = scree_reading_whole(reading, map, SCREE_KEY_servo_every, &every) && good;
    // a diagnostic was added, or memory ran out
    if (!good)
        return reading->values.status;
    def.every = (unsigned)every;
    return scree_reading_report_status(reading, map, scree_servo_set(world, &def));
}
