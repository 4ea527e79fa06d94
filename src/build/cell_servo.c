// The servo of the cell of a scene, see build.h: wanted stresses, each a number or a function of time.

#include "world/cell_servo.h"

#include "base/memory.h"
#include "build/build.h"
#include "language/rates.h"

#include <scree/cell.h>

#include <stdio.h>
#include <string.h>

enum { TARGETS = 6, ENTRIES = 9 };

// The entries of the stress, and their keys. A positive shear stress is negative where compression is
// positive.
static const struct {
    int entry;
    enum scree_key_id section, key;
    double sign;
} targets[TARGETS] = {
    {0, SCREE_KEY_deform_compressive_stress, SCREE_KEY_compressive_stress_x, 1},
    {4, SCREE_KEY_deform_compressive_stress, SCREE_KEY_compressive_stress_y, 1},
    {8, SCREE_KEY_deform_compressive_stress, SCREE_KEY_compressive_stress_z, 1},
    {1, SCREE_KEY_deform_shear_stress, SCREE_KEY_shear_stress_xy, -1},
    {2, SCREE_KEY_deform_shear_stress, SCREE_KEY_shear_stress_xz, -1},
    {5, SCREE_KEY_deform_shear_stress, SCREE_KEY_shear_stress_yz, -1},
};

// What only the servo uses.
static const enum scree_key_id settings[] = {SCREE_KEY_deform_largest_rate, SCREE_KEY_deform_gain,
                                             SCREE_KEY_deform_tolerance, SCREE_KEY_deform_every};

struct wanted {
    bool has[TARGETS];
    struct scree_rate stress[TARGETS];
    char place[300]; // of the deformation
};

static void release(void *user)
{
    struct wanted *wanted = (struct wanted *)user;
    for (int k = 0; k < TARGETS; ++k)
        scree_rates_one_free(&wanted->stress[k]);
    scree_memory_free(wanted);
}

static void evaluate(void *user, double time, double stress[ENTRIES])
{
    const struct wanted *wanted = (const struct wanted *)user;
    for (int k = 0; k < TARGETS; ++k)
        if (wanted->has[k])
            stress[targets[k].entry] = targets[k].sign * scree_rates_one_at(&wanted->stress[k], time);
}

static bool varies(const struct wanted *wanted)
{
    bool constant = true;
    for (int k = 0; k < TARGETS; ++k)
        constant = constant && (!wanted->has[k] || scree_rates_one_is_constant(&wanted->stress[k]));
    return !constant;
}

// Reads one wanted stress, if the scene has it.
static bool read_target(struct scree_reading *reading, const struct scree_node *map, int k,
                        struct wanted *wanted)
{
    const struct scree_node *section = scree_reading_node(map, targets[k].section),
                            *pressure = scree_reading_node(map, SCREE_KEY_deform_pressure),
                            *node = section ? scree_reading_node(section, targets[k].key) : NULL;
    enum scree_key_id key = targets[k].key;
    if (pressure && k < reading->dimension) {
        node = pressure;
        key = SCREE_KEY_deform_pressure;
    }
    if (!node)
        return true;
    wanted->has[k] = true;
    if (reading->dimension == 2 && targets[k].entry % 3 == 2)
        return scree_reading_report(reading, node, "a scene in two dimensions has no stress along z");
    return scree_rates_one_read(reading, node, &scree_key_rows[key], &wanted->stress[k]);
}

// Reports a setting of a servo that is not there; scenes that were written out have all defaults.
static bool check_unused(struct scree_reading *reading, const struct scree_key *key,
                         const struct scree_node *value)
{
    return (value->kind == SCREE_NODE_TEXT && strcmp(value->text, key->default_value) == 0) ||
           scree_reading_report(
               reading, value,
               "'%s' belongs to wanted stresses, and this deformation has none: give one, as in "
               "`pressure: 100 kPa`, or leave it out",
               key->name);
}

// Reads the wanted stresses of a deformation; `wanted` is null if it has none, and after a diagnostic.
static scree_status new_wanted(struct scree_reading *reading, const struct scree_node *map,
                               struct wanted **wanted)
{
    bool good = true, any = false;
    SCREE_TRY(scree_memory_new(1, sizeof **wanted, (void **)wanted));
    for (int k = 0; k < TARGETS; ++k) {
        good = read_target(reading, map, k, *wanted) && good;
        any = any || (*wanted)->has[k];
    }
    for (size_t k = 0; !any && k < sizeof settings / sizeof settings[0]; ++k)
        if (scree_reading_has(map, settings[k]))
            good =
                check_unused(reading, &scree_key_rows[settings[k]], scree_reading_node(map, settings[k])) &&
                good;
    if (good && any)
        return SCREE_OK;
    release(*wanted);
    *wanted = NULL;
    return reading->values.status;
}

static scree_status read_def(struct scree_reading *reading, const struct scree_node *map,
                             struct wanted *wanted, struct scree_cell_servo_def *def, bool *good)
{
    uint64_t every;
    *def = (struct scree_cell_servo_def){.common = scree_reading_has(map, SCREE_KEY_deform_pressure)};
    for (int k = 0; k < TARGETS; ++k)
        def->controlled[targets[k].entry] = wanted->has[k];
    *good = scree_reading_number(reading, map, SCREE_KEY_deform_largest_rate, &def->rate);
    *good = scree_reading_number(reading, map, SCREE_KEY_deform_gain, &def->gain) && *good;
    *good = scree_reading_number(reading, map, SCREE_KEY_deform_tolerance, &def->tolerance) && *good;
    *good = scree_reading_whole(reading, map, SCREE_KEY_deform_every, &every) && *good;
    if (!*good)
        return reading->values.status;
    def->every = (unsigned)every;
    evaluate(wanted, 0, def->stress);
    return SCREE_OK;
}

// Sets the servo, or only the function of time of one that a checkpoint had.
static scree_status set_servo(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map, bool only_function)
{
    struct wanted *wanted;
    struct scree_cell_servo_def def;
    bool good;
    SCREE_TRY(new_wanted(reading, map, &wanted));
    if (!wanted)
        return SCREE_OK;
    scree_status status = read_def(reading, map, wanted, &def, &good);
    const bool follows = varies(wanted);
    const struct scree_source *source = &reading->diagnostics.sources.data[map->place.source];
    snprintf(wanted->place, sizeof wanted->place, "%.200s:%u:%u", source->name,
             (unsigned)(source->lines_before + map->place.line + 1), (unsigned)map->place.column + 1);
    if (follows) {
        def.function = evaluate;
        def.user = wanted;
        def.release = release;
    }
    if (status == SCREE_OK && good && (follows || !only_function)) {
        status = scree_cell_set_servo(world, &def);
        if (status == SCREE_OK && follows)
            scree_cell_servo_set_place(world, wanted->place);
    }
    if (!follows || !good || status != SCREE_OK)
        release(wanted);
    return status;
}

scree_status scree_build_cell_servo(struct scree_reading *reading, struct scree_world *world,
                                    const struct scree_node *map)
{
    SCREE_TRY(scree_cell_set_servo(world, NULL));
    return set_servo(reading, world, map, false);
}

scree_status scree_build_resume_cell_servo(struct scree_reading *reading, struct scree_world *world,
                                           const struct scree_node *map)
{
    return set_servo(reading, world, map, true);
}

scree_status scree_build_check_cell_servo(struct scree_reading *reading, const struct scree_node *map)
{
    struct wanted *wanted;
    SCREE_TRY(new_wanted(reading, map, &wanted));
    if (wanted)
        release(wanted);
    return SCREE_OK;
}
