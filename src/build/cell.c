// The cell of a scene and its deformation, see build.h.
//
// The velocity gradient is a sum of parts. If one of them depends on time, a function gives the gradient; it
// follows from the scene and the number of the stage, also after a restart. The cell deforms once it has its
// bodies: their velocities in the scene are fluctuations, to which the mean motion is added.

#include "world/cell.h"

#include "base/memory.h"
#include "build/build.h"
#include "language/rates.h"
#include "world/cell_servo.h"

#include <scree/cell.h>
#include <scree/wall.h>

#include <string.h>

enum { SHEARS = 32 };

// The parts of a velocity gradient.
struct gradient {
    struct scree_rates row[3], strain_rate;
    struct {
        struct scree_rate rate;
        size_t of, along;
    } shear[SHEARS];
    size_t shears;
};

static void release(void *user)
{
    struct gradient *gradient = (struct gradient *)user;
    for (int k = 0; k < 3; ++k)
        scree_rates_free(&gradient->row[k]);
    scree_rates_free(&gradient->strain_rate);
    for (size_t s = 0; s < gradient->shears; ++s)
        scree_rates_one_free(&gradient->shear[s].rate);
    scree_memory_free(gradient);
}

static void evaluate(void *user, double time, double matrix[9])
{
    const struct gradient *gradient = (const struct gradient *)user;
    double strain_rate[3];
    for (int k = 0; k < 3; ++k)
        scree_rates_at(&gradient->row[k], time, matrix + 3 * (size_t)k);
    scree_rates_at(&gradient->strain_rate, time, strain_rate);
    for (int k = 0; k < 3; ++k)
        matrix[4 * k] += strain_rate[k];
    for (size_t s = 0; s < gradient->shears; ++s)
        matrix[3 * gradient->shear[s].of + gradient->shear[s].along] +=
            scree_rates_one_at(&gradient->shear[s].rate, time);
}

static bool varies(const struct gradient *gradient)
{
    bool constant = scree_rates_are_constant(&gradient->strain_rate);
    for (int k = 0; k < 3; ++k)
        constant = constant && scree_rates_are_constant(&gradient->row[k]);
    for (size_t s = 0; s < gradient->shears; ++s)
        constant = constant && scree_rates_one_is_constant(&gradient->shear[s].rate);
    return !constant;
}

// Whether an entry of the gradient is given: it is not zero, or depends on time.
static bool gives(const struct gradient *gradient, size_t of, size_t along)
{
    const struct scree_rate *part[SHEARS + 2] = {&gradient->row[of].component[along]};
    size_t parts = 1;
    double sum = 0;
    bool constant = true;
    if (of == along)
        part[parts++] = &gradient->strain_rate.component[of];
    for (size_t s = 0; s < gradient->shears; ++s)
        if (gradient->shear[s].of == of && gradient->shear[s].along == along)
            part[parts++] = &gradient->shear[s].rate;
    for (size_t k = 0; k < parts; ++k) {
        sum += scree_rates_one_at(part[k], 0);
        constant = constant && scree_rates_one_is_constant(part[k]);
    }
    return !constant || sum != 0;
}

// --- reading

static bool read_shear(struct scree_reading *reading, const struct scree_node *map, struct gradient *gradient)
{
    size_t of, along;
    if (gradient->shears == SHEARS)
        return scree_reading_report(reading, map, "there can be at most %d shears", (int)SHEARS);
    struct scree_rate *rate = &gradient->shear[gradient->shears++].rate;
    bool good = scree_rates_one_read(reading, scree_reading_node(map, SCREE_KEY_shear_rate),
                                     &scree_key_rows[SCREE_KEY_shear_rate], rate);
    good = scree_reading_word(reading, map, SCREE_KEY_shear_of, &of) && good;
    good = scree_reading_word(reading, map, SCREE_KEY_shear_along, &along) && good;
    if (good && of == along)
        return scree_reading_report(reading, map,
                                    "a shear needs two different axes; a velocity along %c that grows along "
                                    "%c is a 'strain-rate'",
                                    'x' + (int)of, 'x' + (int)along);
    gradient->shear[gradient->shears - 1].of = good ? of : 0;
    gradient->shear[gradient->shears - 1].along = good ? along : 0;
    return good;
}

// Returns false after a diagnostic or a lack of memory.
static bool read_gradient(struct scree_reading *reading, const struct scree_node *map,
                          struct gradient *gradient)
{
    const struct scree_node *rows = scree_reading_node(map, SCREE_KEY_deform_gradient),
                            *strain_rate = scree_reading_node(map, SCREE_KEY_deform_strain_rate),
                            *shear = scree_reading_node(map, SCREE_KEY_deform_shear);
    bool good = true;
    for (size_t k = 0; rows && k < rows->count && k < 3; ++k)
        good = scree_rates_read(reading, rows->item[k], &scree_key_rows[SCREE_KEY_deform_gradient],
                                &gradient->row[k]) &&
               good;
    if (strain_rate)
        good = scree_rates_read(reading, strain_rate, &scree_key_rows[SCREE_KEY_deform_strain_rate],
                                &gradient->strain_rate) &&
               good;
    if (shear && shear->kind == SCREE_NODE_MAP)
        good = read_shear(reading, shear, gradient) && good;
    for (size_t s = 0; shear && shear->kind == SCREE_NODE_LIST && s < shear->count; ++s)
        good = read_shear(reading, shear->item[s], gradient) && good;
    return good;
}

// Reads a deformation into a new gradient; `gradient` is null after a diagnostic.
static scree_status new_gradient(struct scree_reading *reading, const struct scree_node *map,
                                 struct gradient **gradient)
{
    SCREE_TRY(scree_memory_new(1, sizeof **gradient, (void **)gradient));
    if (read_gradient(reading, map, *gradient))
        return SCREE_OK;
    release(*gradient);
    *gradient = NULL;
    return reading->values.status;
}

// --- deforming

static scree_status set_form(struct scree_reading *reading, struct scree_world *world,
                             const struct scree_node *map)
{
    static const enum scree_cell_form by_word[] = {SCREE_CELL_MEAN_FIELD, SCREE_CELL_NEWTON};
    size_t word;
    return scree_reading_has(map, SCREE_KEY_deform_form) &&
                   scree_reading_word(reading, map, SCREE_KEY_deform_form, &word)
               ? scree_cell_set_form(world, by_word[word])
               : SCREE_OK;
}

// No entry may have both a rate, at any time, and a stress.
static bool check_entries(struct scree_reading *reading, const struct scree_world *world,
                          const struct scree_node *map, const struct gradient *gradient)
{
    struct scree_cell_servo_state servo;
    if (scree_cell_get_servo(world, &servo) != SCREE_OK)
        return true;
    for (size_t k = 0; k < 9; ++k)
        if (servo.def.controlled[k] && gives(gradient, k / 3, k % 3))
            return scree_reading_report(reading, map,
                                        "the change of the velocity along %c over %c has a rate, and its "
                                        "stress is given too: give one of them",
                                        'x' + (int)(k / 3), 'x' + (int)(k % 3));
    return true;
}

static scree_status deform(struct scree_reading *reading, struct scree_world *world,
                           const struct scree_node *map)
{
    struct gradient *gradient;
    SCREE_TRY(set_form(reading, world, map));
    // entries that a servo controls are not changed below
    SCREE_TRY(scree_build_cell_servo(reading, world, map));
    SCREE_TRY(new_gradient(reading, map, &gradient));
    if (!gradient)
        return SCREE_OK;
    const struct scree_cell_drive_def def = {evaluate, gradient, release};
    double matrix[9];
    if (!check_entries(reading, world, map, gradient)) {
        release(gradient);
        return SCREE_OK;
    }
    evaluate(gradient, 0, matrix);
    const bool drives = varies(gradient);
    const scree_status status = drives ? scree_cell_set_drive(world, &def) : scree_cell_deform(world, matrix);
    if (!drives || status != SCREE_OK)
        release(gradient);
    return status;
}

// Whether the cell of the scene can deform.
static bool has_cell(const struct scree_reading *reading)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world);
    return map && (scree_reading_has(map, SCREE_KEY_world_cell) ||
                   scree_reading_count(map, SCREE_KEY_world_periodic) > 0);
}

// A wall has the id of its entry, counted from 1.
static scree_status add_walls(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *walls = scree_reading_node(reading->root, SCREE_KEY_scene_walls);
    for (size_t k = 0; walls && k < walls->count; ++k) {
        const struct scree_node *node = scree_reading_node(walls->item[k], SCREE_KEY_wall_moves_with);
        const scree_wall_id id = {k + 1};
        if (node && !has_cell(reading))
            scree_reading_report(reading, node,
                                 "a wall that moves with the cell needs a periodic cell: 'cell' in 'world', "
                                 "or a box that is periodic along some axis");
        else if (node && scree_wall_exists(world, id))
            SCREE_TRY(scree_reading_report_status(reading, node, scree_wall_set_in_cell(world, id, true)));
    }
    return SCREE_OK;
}

static scree_status check_vectors(struct scree_reading *reading, const struct scree_world *world)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world);
    return scree_world_lattice(world)
               ? scree_reading_report_status(reading, scree_reading_node(map, SCREE_KEY_world_cell),
                                             scree_cell_check_lattice(world, true))
               : SCREE_OK;
}

scree_status scree_build_deform(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world),
                            *node = map ? scree_reading_node(map, SCREE_KEY_world_deform) : NULL;
    world->will_deform = scree_build_deforms(reading);
    SCREE_TRY(node ? scree_reading_report_status(reading, node, deform(reading, world, node))
                   : check_vectors(reading, world));
    if (reading->diagnostics.all == 0)
        SCREE_TRY(add_walls(reading, world));
    return node && reading->diagnostics.all == 0
               ? scree_reading_report_status(reading, node, scree_cell_servo_check_walls(world))
               : SCREE_OK;
}

static scree_status end_deform(struct scree_world *world)
{
    SCREE_TRY(scree_cell_set_servo(world, NULL));
    return scree_cell_deform(world, (const double[9]){0});
}

scree_status scree_build_change_deform(struct scree_reading *reading, struct scree_world *world,
                                       const struct scree_node *stage)
{
    const struct scree_node *node = scree_reading_node(stage, SCREE_KEY_stage_deform);
    bool ends = false;
    if (node) {
        SCREE_TRY(scree_reading_report_status(reading, node, deform(reading, world, node)));
        return reading->diagnostics.all > 0
                   ? SCREE_OK
                   : scree_reading_report_status(reading, node, scree_cell_servo_check_walls(world));
    }
    if (scree_reading_has(stage, SCREE_KEY_stage_end_deform) &&
        scree_reading_flag(reading, stage, SCREE_KEY_stage_end_deform, &ends) && ends)
        SCREE_TRY(scree_reading_report_status(reading, scree_reading_node(stage, SCREE_KEY_stage_end_deform),
                                              end_deform(world)));
    // other changes of the stage may have made what such a cell cannot contain
    return scree_world_lattice(world) && reading->diagnostics.all == 0
               ? scree_reading_report_status(reading, stage, scree_cell_check_lattice(world, true))
               : SCREE_OK;
}

scree_status scree_build_check_deform(struct scree_reading *reading, const struct scree_node *stage)
{
    const struct scree_node *node = scree_reading_node(stage, SCREE_KEY_stage_deform);
    struct gradient *gradient;
    if (node && !has_cell(reading))
        scree_reading_report(reading, node,
                             "a deformation needs a periodic cell: 'cell' in 'world', or a box that is "
                             "periodic along some axis");
    if (!node || reading->diagnostics.all > 0)
        return SCREE_OK;
    SCREE_TRY(new_gradient(reading, node, &gradient));
    if (gradient)
        release(gradient);
    return scree_build_check_cell_servo(reading, node);
}

// Finds the deformation of a stage, 0 before the first; null if it has ended.
static const struct scree_node *find_deform(struct scree_reading *reading, size_t stage)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world),
                            *last = map ? scree_reading_node(map, SCREE_KEY_world_deform) : NULL;
    for (size_t s = 1; s <= stage; ++s) {
        const struct scree_node *now = scree_reading_stage(reading, s),
                                *node = scree_reading_node(now, SCREE_KEY_stage_deform);
        bool ends = false;
        if (scree_reading_has(now, SCREE_KEY_stage_end_deform))
            (void)scree_reading_flag(reading, now, SCREE_KEY_stage_end_deform, &ends);
        last = node ? node : ends ? NULL : last;
    }
    return last;
}

scree_status scree_build_resume_deform(struct scree_reading *reading, struct scree_world *world, size_t stage)
{
    const struct scree_node *node = find_deform(reading, stage);
    struct gradient *gradient;
    world->will_deform = scree_build_deforms(reading);
    if (!node)
        return SCREE_OK;
    SCREE_TRY(new_gradient(reading, node, &gradient));
    if (!gradient)
        return SCREE_OK;
    const struct scree_cell_drive_def def = {evaluate, gradient, release};
    const bool drives = varies(gradient);
    scree_status status = drives ? scree_cell_set_drive(world, &def) : SCREE_OK;
    if (!drives || status != SCREE_OK)
        release(gradient);
    if (status == SCREE_OK)
        status = scree_build_resume_cell_servo(reading, world, node);
    return scree_reading_report_status(reading, node, status);
}

// --- the cell

// Reads the axes along which a cell is periodic. Returns their number.
static size_t read_axes(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        bool periodic[3])
{
    const size_t axes = map ? scree_reading_count(map, key) : 0;
    memset(periodic, 0, 3 * sizeof *periodic);
    for (size_t k = 0; k < axes; ++k) {
        const char *text;
        size_t axis;
        if (!scree_reading_name(reading, map, key, k, &text, &axis))
            continue;
        if (periodic[axis])
            scree_reading_report(reading, scree_reading_node(map, key), "the axis %s is given twice", text);
        else if (key == SCREE_KEY_cell_periodic && (int)axis >= reading->dimension)
            scree_reading_report(
                reading, scree_reading_node(map, key),
                "in two dimensions there is no axis z: a cell is periodic along x, y or both");
        periodic[axis] = true;
    }
    return axes;
}

static scree_status build_vectors(struct scree_reading *reading, struct scree_world *world,
                                  const struct scree_node *map)
{
    const struct scree_node *rows = scree_reading_node(map, SCREE_KEY_cell_vectors);
    double corner[3], vector[3][3] = {{0}}, vectors[9];
    if (rows->count != (size_t)reading->dimension) {
        scree_reading_report(reading, rows, "a cell has %d vectors, not %zu", reading->dimension,
                             rows->count);
        return SCREE_OK;
    }
    if (!scree_reading_vector(reading, map, SCREE_KEY_cell_corner, corner) ||
        !scree_reading_triples(reading, map, SCREE_KEY_cell_vectors, vector))
        return SCREE_OK;
    memcpy(vectors, vector, sizeof vectors);
    bool periodic[3] = {true, true, reading->dimension == 3};
    if (scree_reading_has(map, SCREE_KEY_cell_periodic))
        read_axes(reading, map, SCREE_KEY_cell_periodic, periodic);
    return scree_reading_report_status(reading, rows,
                                       scree_cell_set_vectors_along(world, corner, vectors, periodic));
}

static scree_status build_box(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map, struct scree_cell_def *def)
{
    const struct scree_node *node = scree_reading_node(map, SCREE_KEY_world_box);
    double box[2][3];
    if (!scree_reading_box(reading, map, SCREE_KEY_world_box, box))
        return SCREE_OK;
    for (int k = 0; k < reading->dimension; ++k)
        if (!(box[1][k] > box[0][k])) {
            scree_reading_report(reading, node,
                                 "the upper corner of the world's box must be above the lower one, but along "
                                 "%c they are at %g m and %g m",
                                 'x' + k, box[1][k], box[0][k]);
            return SCREE_OK;
        }
    memcpy(def->lower, box[0], sizeof def->lower);
    memcpy(def->upper, box[1], sizeof def->upper);
    return scree_reading_report_status(reading, node, scree_cell_set(world, def));
}

bool scree_build_deforms(const struct scree_reading *reading)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world);
    bool any = map && (scree_reading_has(map, SCREE_KEY_world_cell) ||
                       scree_reading_has(map, SCREE_KEY_world_deform));
    for (size_t s = 1; s <= scree_reading_stages(reading); ++s)
        any = any || scree_reading_has(scree_reading_stage(reading, s), SCREE_KEY_stage_deform);
    const struct scree_node *walls = scree_reading_node(reading->root, SCREE_KEY_scene_walls);
    for (size_t k = 0; walls && k < walls->count; ++k)
        any = any || scree_reading_has(walls->item[k], SCREE_KEY_wall_moves_with);
    return any;
}

scree_status scree_build_cell(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world),
                            *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    struct scree_cell_def def = {0};
    const size_t axes = read_axes(reading, map, SCREE_KEY_world_periodic, def.periodic);
    if (!map)
        return SCREE_OK;
    if (inserts && scree_build_deforms(reading))
        scree_reading_report(reading, inserts,
                             "no bodies can be inserted during a run into a cell that has cell vectors or "
                             "deforms: give them in 'bodies'");
    if (scree_reading_has(map, SCREE_KEY_world_cell))
        return build_vectors(reading, world, scree_reading_node(map, SCREE_KEY_world_cell));
    if (scree_reading_has(map, SCREE_KEY_world_box))
        return build_box(reading, world, map, &def);
    if (axes > 0)
        scree_reading_report(reading, map, "periodic boundaries need a 'box', as in `%s`",
                             scree_key_rows[SCREE_KEY_world_box].example);
    return SCREE_OK;
}
