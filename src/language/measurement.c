// Reads the measurements of a scene, see measurement.h.

#include "language/measurement.h"

#include "base/suggestion.h"
#include "language/reading.h"
#include "pack/region.h"
#include "text/expression.h"

#include <scree/group.h>
#include <scree/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// The keys that columns and comparisons have in common.
struct keys {
    enum scree_key_id measure, formula, inside, of, through, percentile, by, grid, since, over, about;
};

static const struct keys column_keys = {
    SCREE_KEY_column_measure, SCREE_KEY_column_formula,    SCREE_KEY_column_inside, SCREE_KEY_column_of,
    SCREE_KEY_column_through, SCREE_KEY_column_percentile, SCREE_KEY_column_by,     SCREE_KEY_column_grid,
    SCREE_KEY_column_since,   SCREE_KEY_column_over,       SCREE_KEY_column_about};
static const struct keys comparison_keys = {
    SCREE_KEY_comparison_measure, SCREE_KEY_comparison_formula, SCREE_KEY_comparison_inside,
    SCREE_KEY_comparison_of,      SCREE_KEY_comparison_through, SCREE_KEY_comparison_percentile,
    SCREE_KEY_comparison_by,      SCREE_KEY_comparison_grid,    SCREE_KEY_comparison_since,
    SCREE_KEY_comparison_over,    SCREE_KEY_comparison_about};

// --- names

static bool find_column(struct scree_reading *reading, const struct scree_node *node, const char *name,
                        struct scree_measurement_text *text)
{
    struct scree_suggestion known = {.wanted = name};
    const size_t row = scree_column_find(name);
    memset(text, 0, sizeof *text);
    text->node = node;
    text->measurement.row = row;
    text->name = scree_column_rows[row].name;
    if (text->name)
        return true;
    for (const char *const *other = scree_column_names; *other; ++other)
        scree_suggestion_add(&known, *other);
    return scree_reading_report(reading, node,
                                "there is no column '%.60s'%s (`scree help columns` lists all)", name,
                                scree_suggestion_hint(&known, ""));
}

// Reads a measurement given by the name of a column alone; reports a column that needs more keys.
static bool read_name(struct scree_reading *reading, const struct scree_node *node, const char *name,
                      struct scree_measurement_text *text)
{
    if (!find_column(reading, node, name, text))
        return false;
    const struct scree_column_row *row = &scree_column_rows[text->measurement.row];
    if (!(row->arguments & SCREE_COLUMN_REQUIRED))
        return true;
    return scree_reading_report(reading, node, "column '%s' needs %s, as in `{measure: %s, %s}`", name,
                                scree_column_arguments(row), name,
                                row->arguments & SCREE_COLUMN_GRID ? "of: tracers, grid: [10, 10, 20]"
                                : row->arguments & SCREE_COLUMN_OF ? "of: piston"
                                : row->arguments & SCREE_COLUMN_THROUGH
                                    ? "through: {disk: {centre: [0, 0, 0], normal: "
                                      "[0, 0, -1], radius: 0.1}}"
                                    : "percentile: 50");
}

// --- maps

bool scree_measurement_region(struct scree_reading *reading, const struct scree_node *node,
                              struct scree_measure_region *out, const char **mesh)
{
    static const enum scree_measure_shape shapes[] = {[SCREE_REGION_BOX] = SCREE_MEASURE_BOX,
                                                      [SCREE_REGION_CYLINDER] = SCREE_MEASURE_CYLINDER,
                                                      [SCREE_REGION_SPHERE] = SCREE_MEASURE_BALL,
                                                      [SCREE_REGION_MESH] = SCREE_MEASURE_MESH};
    struct scree_region region;
    if (!scree_reading_region(reading, node, &region))
        return false;
    out->shape = shapes[region.shape];
    out->radius = region.radius;
    memcpy(out->lower, region.lower, sizeof out->lower);
    memcpy(out->upper, region.upper, sizeof out->upper);
    memcpy(out->from, region.from, sizeof out->from);
    memcpy(out->to, region.to, sizeof out->to);
    *mesh = region.group;
    return true;
}

static bool read_surface(struct scree_reading *reading, const struct scree_node *node,
                         struct scree_measurement_text *text)
{
    struct scree_flux_surface_def *flux_surface = &text->flux_surface;
    const struct scree_node *disk = scree_reading_node(node, SCREE_KEY_surface_disk);
    const struct scree_node *rectangle = scree_reading_node(node, SCREE_KEY_surface_rectangle);
    if (disk)
        return scree_reading_vector(reading, disk, SCREE_KEY_flux_disk_centre, flux_surface->centre) &&
               scree_reading_vector(reading, disk, SCREE_KEY_flux_disk_normal, flux_surface->normal) &&
               scree_reading_number(reading, disk, SCREE_KEY_flux_disk_radius, &flux_surface->radius);
    if (!rectangle)
        return scree_reading_text(reading, node, SCREE_KEY_surface_mesh, &text->flux_mesh);
    return scree_reading_vector(reading, rectangle, SCREE_KEY_flux_rectangle_corner, flux_surface->corner) &&
           scree_reading_box(reading, rectangle, SCREE_KEY_flux_rectangle_edges, flux_surface->edge);
}

// Reports keys that the column does not take, and keys that it needs and that are not given.
static bool check_arguments(struct scree_reading *reading, const struct scree_node *map,
                            const struct keys *keys, const struct scree_column_row *row)
{
    const struct {
        enum scree_key_id key;
        unsigned flag;
    } all[] = {{keys->inside, SCREE_COLUMN_INSIDE},   {keys->of, SCREE_COLUMN_OF | SCREE_COLUMN_MEMBERS},
               {keys->through, SCREE_COLUMN_THROUGH}, {keys->percentile, SCREE_COLUMN_PERCENTILE},
               {keys->grid, SCREE_COLUMN_GRID},       {keys->since, SCREE_COLUMN_SINCE},
               {keys->over, SCREE_COLUMN_OVER},       {keys->about, SCREE_COLUMN_ABOUT}};
    bool good = true;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) {
        const struct scree_key *key = &scree_key_rows[all[k].key];
        const bool has = scree_reading_has(map, all[k].key), allowed = row->arguments & all[k].flag;
        if (has && !allowed)
            scree_reading_report(reading, scree_reading_node(map, all[k].key),
                                 "column '%s' does not take '%s'", row->name, key->name);
        else if (!has && row->arguments & all[k].flag & SCREE_COLUMN_REQUIRED)
            scree_reading_report(reading, map, "column '%s' needs '%s', as in `%s`", row->name, key->name,
                                 key->example);
        else
            continue;
        good = false;
    }
    return good;
}

// Reads the numbers of cells of a grid; in two dimensions there is one layer of cells.
static bool read_grid(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                      uint32_t cells[3])
{
    double number[3];
    if (!scree_reading_vector(reading, map, key, number))
        return false;
    for (int k = 0; k < reading->dimension; ++k)
        if (number[k] != floor(number[k]))
            return scree_reading_report(reading, scree_reading_node(map, key),
                                        "a number of cells must be a whole number, not %g", number[k]);
    for (int k = 0; k < 3; ++k)
        cells[k] = k < reading->dimension ? (uint32_t)number[k] : 1;
    return true;
}

static bool read_window(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        struct scree_flux_surface_window *window)
{
    struct scree_reading_every every;
    if (!scree_reading_value(reading, map, key, &every))
        return false;
    *window = (struct scree_flux_surface_window){every.time, every.steps};
    return true;
}

static bool read_arguments(struct scree_reading *reading, const struct scree_node *map,
                           const struct keys *keys, struct scree_measurement_text *text)
{
    struct scree_measurement_of *of = &text->measurement.of;
    size_t by = 0, since = 0;
    bool good = true;
    if (scree_reading_has(map, keys->inside))
        good = scree_measurement_region(reading, scree_reading_node(map, keys->inside), &of->region,
                                        &text->mesh);
    if (scree_reading_has(map, keys->of))
        good = scree_reading_text(reading, map, keys->of, &text->group) && good;
    if (scree_reading_has(map, keys->through))
        good = read_surface(reading, scree_reading_node(map, keys->through), text) && good;
    if (scree_reading_has(map, keys->percentile))
        good = scree_reading_number(reading, map, keys->percentile, &of->percentile) && good;
    if (scree_reading_has(map, keys->grid))
        good = read_grid(reading, map, keys->grid, of->cells) && good;
    if (scree_reading_has(map, keys->by))
        good = scree_reading_word(reading, map, keys->by, &by) && good;
    if (scree_reading_has(map, keys->since))
        good = scree_reading_word(reading, map, keys->since, &since) && good;
    if (scree_reading_has(map, keys->over))
        good = read_window(reading, map, keys->over, &of->window) && good;
    if (scree_reading_has(map, keys->about))
        good = scree_reading_vector(reading, map, keys->about, of->about) && good;
    of->by_mass = by == 1;
    of->since_stage = since == 1;
    return good;
}

// Sets the formula at a node; it refers to no row of the table of columns.
static void set_formula(const struct scree_node *node, const char *formula,
                        struct scree_measurement_text *text)
{
    memset(text, 0, sizeof *text);
    text->node = node;
    text->formula = formula;
    text->measurement.row = scree_column_find("");
}

static bool read_formula(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         struct scree_measurement_text *text)
{
    const char *formula;
    if (!scree_reading_text(reading, map, key, &formula))
        return false;
    set_formula(scree_reading_node(map, key), formula, text);
    return true;
}

static bool read_map(struct scree_reading *reading, const struct scree_node *map, const struct keys *keys,
                     struct scree_measurement_text *text)
{
    const char *name;
    if (scree_reading_has(map, keys->formula))
        return read_formula(reading, map, keys->formula, text);
    if (!scree_reading_text(reading, map, keys->measure, &name) ||
        !find_column(reading, scree_reading_node(map, keys->measure), name, text))
        return false;
    const struct scree_column_row *row = &scree_column_rows[text->measurement.row];
    text->node = map;
    if (!check_arguments(reading, map, keys, row) || !read_arguments(reading, map, keys, text))
        return false;
    if (text->measurement.of.by_mass && !(row->arguments & SCREE_COLUMN_BY_MASS))
        return scree_reading_report(reading, scree_reading_node(map, keys->by),
                                    "column '%s' has percentiles by number only: contacts have no mass",
                                    row->name);
    return true;
}

// --- columns

// Appends the percentile, and "-mass", to the name of the column.
static bool name_percentile(struct scree_reading *reading, const struct scree_node *map,
                            struct scree_measurement_text *text)
{
    const struct scree_measurement_of *of = &text->measurement.of;
    char name[100];
    char *stored;
    if (!scree_reading_has(map, SCREE_KEY_column_percentile))
        return true;
    const int length =
        snprintf(name, sizeof name, "%s-p%g%s", text->name, of->percentile, of->by_mass ? "-mass" : "");
    if (scree_tree_text(&reading->tree, name, (size_t)length, &stored) != SCREE_OK) {
        reading->values.status = SCREE_ERROR_MEMORY;
        return false;
    }
    text->name = stored;
    return true;
}

static bool read_column_name(struct scree_reading *reading, const struct scree_node *map,
                             struct scree_measurement_text *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (!scree_reading_has(map, SCREE_KEY_column_as))
        return text->formula ? false : name_percentile(reading, map, text);
    if (!scree_reading_text(reading, map, SCREE_KEY_column_as, &text->name))
        return false;
    const size_t length = strlen(text->name);
    if (length > 0 && length <= 60 && strspn(text->name, allowed) == length)
        return true;
    return scree_reading_report(
        reading, scree_reading_node(map, SCREE_KEY_column_as),
        "the name of a column must have 1 to 60 characters: letters, digits, '-', '_' and '.'");
}

bool scree_measurement_read_column(struct scree_reading *reading, const struct scree_node *node,
                                   struct scree_measurement_text *text)
{
    char shown[SCREE_TREE_SHOWN];
    const char *name;
    if (node->kind == SCREE_NODE_MAP)
        return read_map(reading, node, &column_keys, text) && read_column_name(reading, node, text);
    if (node->kind != SCREE_NODE_TEXT)
        return scree_reading_report(reading, node,
                                    "a column must be a name, as in `time`, or a map, as in `{measure: "
                                    "pressure}`, not %s",
                                    scree_tree_show(node, shown));
    return scree_value_text(&reading->values, node, "columns", &name) && read_name(reading, node, name, text);
}

void scree_measurement_check_columns(struct scree_reading *reading, const struct scree_node *node,
                                     const struct scree_key *key)
{
    const char *names[SCREE_COLUMN_MAX];
    size_t count = 0;
    struct scree_measurement_text text;
    for (size_t k = 0; k < node->count && k < SCREE_COLUMN_MAX; ++k) {
        if (!scree_measurement_read_column(reading, node->item[k], &text))
            continue;
        for (size_t other = 0; other < count; ++other)
            if (strcmp(names[other], text.name) == 0)
                scree_reading_report(
                    reading, node->item[k],
                    "there are two columns '%s': give this one another name, as in `{%s: %s, as: another}`",
                    text.name, text.formula ? "formula" : "measure",
                    text.formula ? text.formula : scree_column_rows[text.measurement.row].name);
        names[count++] = text.name;
    }
    if (node->count == 0 || node->count > SCREE_COLUMN_MAX)
        scree_reading_report(reading, node, "'%s' must have 1 to %d columns, not %zu", key->name,
                             (int)SCREE_COLUMN_MAX, node->count);
}

// --- comparisons

bool scree_measurement_read_limit(struct scree_reading *reading, struct scree_comparison *comparison,
                                  const char *unit)
{
    const struct scree_value_rule rule = {
        .name = comparison->limit_name, .unit = unit, .least = -(double)INFINITY, .most = (double)INFINITY};
    return scree_value_number(&reading->values, &comparison->limit_node, &rule, &comparison->limit);
}

// Reads the limit of a measurement; keeps that of a formula, whose unit is not known yet.
static bool take_limit(struct scree_reading *reading, const struct scree_node *node, const char *name,
                       struct scree_comparison *comparison)
{
    const struct scree_column_row *row = &scree_column_rows[comparison->text.measurement.row];
    comparison->limit_node = *node;
    comparison->limit_name = name;
    comparison->limit = 0;
    return comparison->text.formula ||
           scree_measurement_read_limit(reading, comparison, reading->dimension == 2 ? row->flat : row->unit);
}

// Returns whether a word can be part of a formula: it begins with a sign, a number, the name of a column, or
// a title.
static bool may_be_formula(const struct scree_reading *reading, const char *word)
{
    const struct scree_node *records = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    bool may = word[strspn(word, SCREE_EXPRESSION_COLUMN)] != 0 || strspn(word, "-.0123456789") > 0;
    for (const char *const *name = scree_column_names; *name; ++name)
        may = may || (strncmp(word, *name, strlen(*name)) == 0 && word[strlen(*name)] == '-');
    for (size_t r = 0; records && r < records->count; ++r) {
        const struct scree_node *list = scree_reading_node(records->item[r], SCREE_KEY_record_columns);
        for (size_t k = 0; list && k < list->count; ++k) {
            const struct scree_node *title = list->item[k]->kind == SCREE_NODE_MAP
                                                 ? scree_reading_node(list->item[k], SCREE_KEY_column_as)
                                                 : NULL;
            may =
                may ||
                (title && title->kind == SCREE_NODE_TEXT && strncmp(word, title->text, title->length) == 0) ||
                (list->item[k]->kind == SCREE_NODE_MAP &&
                 scree_reading_has(list->item[k], SCREE_KEY_column_percentile) && strstr(word, "-p"));
        }
    }
    return may;
}

static bool report_no_comparison(struct scree_reading *reading, const struct scree_node *node,
                                 const struct scree_key *key)
{
    return scree_reading_report(reading, node,
                                "'%s' must be a comparison, as in `%s`: a column or a formula, then '<' or "
                                "'>', then a number",
                                key->name, key->example);
}

static bool report_no_window(struct scree_reading *reading, const struct scree_node *node)
{
    return scree_reading_report(reading, node, "a condition on a mean over time needs its window, as in `%s`",
                                scree_key_rows[SCREE_KEY_comparison_over].example);
}

// Reads a text like "kinetic < 1 nJ"; the unit of the number must be that of the column or formula.
static bool read_text(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, struct scree_comparison *comparison)
{
    const char *text;
    struct scree_node number = *node;
    char *word;
    if (node->kind != SCREE_NODE_TEXT)
        return report_no_comparison(reading, node, key);
    if (!scree_value_text(&reading->values, node, key->name, &text))
        return false;
    const size_t before = strcspn(text, "<>");
    size_t end = before;
    while (end > 0 && text[end - 1] == ' ')
        --end;
    const char *limit = text + before + (text[before] != 0);
    limit += strspn(limit, " ");
    if (end == 0 || !text[before] || strspn(limit, "+-.0123456789") == 0)
        return report_no_comparison(reading, node, key);
    if (scree_tree_text(&reading->tree, text, end, &word) != SCREE_OK) {
        reading->values.status = SCREE_ERROR_MEMORY;
        return false;
    }
    number.text = limit;
    number.length = strlen(limit);
    comparison->below = text[before] == '<';
    const struct scree_column_row *row = &scree_column_rows[scree_column_find(word)];
    const bool is_quantity = row->name && !(row->arguments & SCREE_COLUMN_REQUIRED);
    if (!is_quantity && may_be_formula(reading, word)) {
        set_formula(node, word, &comparison->text);
        return take_limit(reading, &number, key->name, comparison);
    }
    if (is_quantity && row->arguments & SCREE_COLUMN_OVER)
        return report_no_window(reading, node);
    return read_name(reading, node, word, &comparison->text) &&
           take_limit(reading, &number, key->name, comparison);
}

bool scree_measurement_comparison(struct scree_reading *reading, const struct scree_node *node,
                                  const struct scree_key *key, struct scree_comparison *comparison)
{
    const struct keys *keys = &comparison_keys;
    memset(comparison, 0, sizeof *comparison);
    if (node->kind != SCREE_NODE_MAP)
        return read_text(reading, node, key, comparison);
    comparison->below = scree_reading_has(node, SCREE_KEY_comparison_below);
    if (!read_map(reading, node, keys, &comparison->text))
        return false;
    if (scree_column_rows[comparison->text.measurement.row].arguments & SCREE_COLUMN_OVER &&
        !scree_reading_has(node, keys->over))
        return report_no_window(reading, node);
    const enum scree_key_id limit =
        comparison->below ? SCREE_KEY_comparison_below : SCREE_KEY_comparison_above;
    return take_limit(reading, scree_reading_node(node, limit), scree_key_rows[limit].name, comparison);
}

// --- binding to a world

// Reports walls without the faces that a column needs, before the first step; later a stage may have removed
// some.
static scree_status check_faces(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_measurement_text *text)
{
    const struct scree_column_row *row = &scree_column_rows[text->measurement.row];
    const char *axis = strrchr(row->name, '-') + 1;
    double value;
    SCREE_TRY(scree_column_measure(world, &text->measurement, 1, &value));
    if (scree_world_steps(world) == 0 && isnan(value))
        scree_reading_report(reading, text->node,
                             "column '%s' needs two opposite faces normal to %s among the walls of '%.60s', "
                             "with none in between: planes, rectangles, disks or sides of boxes",
                             row->name, axis[1] ? "each axis that is not periodic" : axis, text->group);
    return SCREE_OK;
}

// Finds the only wall of a group.
static scree_status find_wall(const struct scree_world *world, const char *name, scree_wall_id *wall)
{
    scree_group_id group;
    size_t count;
    SCREE_TRY(scree_group_find(world, name, &group));
    SCREE_TRY(scree_group_walls(world, group, wall, 1, &count));
    if (count == 1)
        return SCREE_OK;
    wall->value = 0;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%.60s' must be a group of one wall; it has %zu", name,
                             count);
}

scree_status scree_measurement_bind(struct scree_reading *reading, struct scree_world *world,
                                    struct scree_measurement_text *text)
{
    const struct scree_column_row *row = &scree_column_rows[text->measurement.row];
    struct scree_measurement_of *of = &text->measurement.of;
    double value;
    scree_group_id *group = row->arguments & SCREE_COLUMN_OF ? &of->group : &of->region.group;
    if (text->group)
        SCREE_TRY(
            scree_reading_report_status(reading, text->node, scree_group_find(world, text->group, group)));
    if (reading->engine_without_forces && scree_column_needs_forces(row))
        scree_reading_report(
            reading, text->node,
            "'%s' is measured from contacts and their forces, which the engine '%s' does not "
            "have: its collisions take no time. Leave it out, or use the engine 'soft'",
            row->name, reading->engine_without_forces);
    if (!reading->engine_without_forces && scree_column_needs_collisions(row))
        scree_reading_report(
            reading, text->node,
            "'%s' is counted by the engines 'event' and 'stochastic' only: use one of them, or leave "
            "the column out",
            row->name);
    if (text->mesh)
        SCREE_TRY(scree_reading_report_status(reading, text->node,
                                              scree_region_mesh_find(world, text->mesh, &of->region.mesh)));
    if (text->flux_mesh)
        SCREE_TRY(scree_reading_report_status(reading, text->node,
                                              find_wall(world, text->flux_mesh, &text->flux_surface.wall)));
    if (row->arguments & SCREE_COLUMN_THROUGH && (!text->flux_mesh || text->flux_surface.wall.value > 0))
        SCREE_TRY(scree_reading_report_status(
            reading, text->node, scree_flux_surface_add(world, &text->flux_surface, &of->flux_surface)));
    if (row->arguments & SCREE_COLUMN_OVER && scree_column_needs_collisions(row))
        SCREE_TRY(scree_reading_report_status(reading, text->node,
                                              scree_measure_keep_collisions(world, &of->window)));
    else if (row->arguments & SCREE_COLUMN_OVER && of->flux_surface.value > 0)
        SCREE_TRY(scree_reading_report_status(reading, text->node,
                                              scree_measure_keep_flow(world, of->flux_surface, &of->window)));
    if (row->arguments & SCREE_COLUMN_SINCE)
        SCREE_TRY(scree_measure_keep_start(world, row->arguments & SCREE_COLUMN_MEMBERS,
                                           row->arguments & SCREE_COLUMN_OF));
    if (row->arguments & SCREE_COLUMN_FACES && reading->diagnostics.all == 0)
        SCREE_TRY(check_faces(reading, world, text));
    if (row->arguments & SCREE_COLUMN_WEAR)
        SCREE_TRY(scree_facet_keep_wear(world));
    // a trial measurement reports a region that cannot be measured, walls without a mesh, and cells
    if (row->arguments & (SCREE_COLUMN_INSIDE | SCREE_COLUMN_WEAR | SCREE_COLUMN_TRIED) &&
        reading->diagnostics.all == 0)
        SCREE_TRY(scree_reading_report_status(reading, text->node,
                                              scree_column_measure(world, &text->measurement, 1, &value)));
    return SCREE_OK;
}

bool scree_measurement_give_window(struct scree_reading *reading, const struct scree_node *record,
                                   struct scree_measurement_text *text)
{
    struct scree_flux_surface_window *window = &text->measurement.of.window;
    return !(scree_column_rows[text->measurement.row].arguments & SCREE_COLUMN_OVER) || window->time > 0 ||
           window->steps > 0 || !record || read_window(reading, record, SCREE_KEY_record_every, window);
}
