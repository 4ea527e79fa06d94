// Reads bodies from a file of another program, see build.h: spheres, in two dimensions disks, clumps and
// polyhedra. The scene maps the types of the file to materials; a column of the file, or the scene, names the
// shapes.
//
// Invariants: bodies are added in the order of their ids in the file, if it has ids, independent of the order
// of rows; the world assigns its own ids. Mistakes in the file are reported with their line.

#include "base/sort.h"
#include "base/suggestion.h"
#include "build/build.h"
#include "exchange/clumps.h"
#include "exchange/format_name.h"
#include "exchange/formats.h"
#include "file/path.h"
#include "math/real.h"
#include "world/grain.h"

#include <scree/body.h>
#include <scree/material.h>
#include <scree/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// A shape of the scene; both are null for spheres and disks.
struct shape {
    const struct scree_clumps_shape *clump;
    const struct scree_polyhedra_shape *polyhedron;
};

// Properties of the bodies of one type of the file.
struct kind {
    scree_material_id material;
    double radius; // 0 for none
    struct shape shape;
};

struct read {
    struct scree_reading *reading;
    struct scree_world *world;
    const struct scree_node *map;
    struct scree_reading_origin *origin;
    const struct scree_format_table *table;
    const char *name;         // of the file
    struct kind *kinds;       // of its types, null if it has none
    struct kind default_kind; // of types that the scene does not list
    struct shape *shapes;     // of the names in the column of shapes, null if it has none
    double thickness;
    bool keeps_velocity, checks_density;
    bool from_scree; // the file is a frame or a checkpoint of Scree
};

// relative, since files may have rounded numbers
static const double density_tolerance = 1e-3;

// Reads the shape that is the value of a key.
static struct shape read_shape(struct read *read, const struct scree_node *map, enum scree_key_id key)
{
    const struct scree_node *clumps = scree_reading_node(read->reading->root, SCREE_KEY_scene_clumps);
    struct shape shape = {0};
    const char *name;
    if (!scree_reading_text(read->reading, map, key, &name))
        return shape;
    if (clumps && scree_tree_find(clumps, name))
        shape.clump = scree_clumps_find(read->reading, name);
    else
        shape.polyhedron = scree_polyhedra_find(read->reading, name);
    return shape;
}

// --- types and materials

static scree_status read_kind(struct read *read, const struct scree_node *map, struct kind *kind)
{
    SCREE_TRY(
        scree_build_material(read->reading, read->world, map, SCREE_KEY_kind_material, &kind->material));
    if (scree_reading_has(map, SCREE_KEY_kind_radius))
        (void)scree_reading_number(read->reading, map, SCREE_KEY_kind_radius, &kind->radius);
    if (scree_reading_has(map, SCREE_KEY_kind_shape))
        kind->shape = read_shape(read, map, SCREE_KEY_kind_shape);
    return SCREE_OK;
}

// Finds the properties of a type: those under the key `types`, else those of the key `material`, else those
// of the material that has the name of the type.
static scree_status find_kind(struct read *read, const char *type, struct kind *kind)
{
    const struct scree_node *types = scree_reading_node(read->map, SCREE_KEY_read_types);
    const struct scree_node *map = types ? scree_tree_find(types, type) : NULL;
    *kind = read->default_kind;
    if (map)
        return read_kind(read, map, kind);
    if (scree_reading_has(read->map, SCREE_KEY_read_material))
        return SCREE_OK;
    const size_t found = scree_format_name_find(read->world, type, &kind->material);
    if (found == 1)
        return SCREE_OK;
    if (found > 1) {
        scree_reading_report(read->reading, read->map,
                             "'%.100s' has bodies of the type '%s', but %zu materials are written as this "
                             "type in files: choose one by `types: {%s: {material: ...}}`",
                             read->name, type, found, type);
        return SCREE_OK;
    }
    scree_reading_report(read->reading, read->map,
                         "'%.100s' has bodies of the type '%s' without a material: give "
                         "`types: {%s: {material: ...}}`, or one 'material' for all",
                         read->name, type, type);
    return SCREE_OK;
}

static scree_status find_kinds(struct read *read)
{
    const struct scree_format_table *table = read->table;
    const struct scree_node *types = scree_reading_node(read->map, SCREE_KEY_read_types);
    if (!scree_format_has(table, SCREE_FORMAT_TYPE)) {
        if (types)
            scree_reading_report(read->reading, types, "'%.100s' has no types", read->name);
        if (read->default_kind.material.value == 0)
            scree_reading_report(read->reading, read->map,
                                 "a file without types needs a 'material' for all bodies");
        return SCREE_OK;
    }
    SCREE_TRY(scree_memory_new(table->types.count, sizeof *read->kinds, (void **)&read->kinds));
    // only types in use need properties: a checkpoint may have materials without bodies
    bool used[SCREE_FORMAT_TYPES] = {false};
    for (size_t row = 0; row < table->count; ++row)
        used[table->type[row]] = true;
    for (size_t t = 0; t < table->types.count; ++t)
        if (used[t])
            SCREE_TRY(find_kind(read, table->types.data[t].name, &read->kinds[t]));
    return SCREE_OK;
}

// --- shapes

// Finds a shape by its number in the scene: n of a clump, -n of a polyhedron.
static bool find_number(struct read *read, const char *text, struct shape *shape)
{
    const bool is_polyhedron = text[0] == '-';
    const struct scree_node *map = scree_reading_node(
        read->reading->root, is_polyhedron ? SCREE_KEY_scene_polyhedra : SCREE_KEY_scene_clumps);
    const char *digits = text + is_polyhedron;
    uint64_t number;
    if (!map || !scree_format_read_integer(digits, strlen(digits), &number) || number == 0 ||
        number > map->count)
        return false;
    if (is_polyhedron)
        shape->polyhedron = scree_polyhedra_at(read->reading, number - 1);
    else
        shape->clump = scree_clumps_at(read->reading, number - 1);
    return true;
}

static void report_unknown_shape(struct read *read, const char *text)
{
    const struct scree_node *maps[] = {scree_reading_node(read->reading->root, SCREE_KEY_scene_clumps),
                                       scree_reading_node(read->reading->root, SCREE_KEY_scene_polyhedra)};
    struct scree_suggestion known = {.wanted = text};
    char unnamed[SCREE_FORMAT_TYPE_LENGTH];
    snprintf(unnamed, sizeof unnamed, "%d", (int)SCREE_GRAIN_UNNAMED);
    if (strcmp(text, unnamed) == 0) {
        scree_reading_report(
            read->reading, read->map,
            "'%.100s' has polyhedra whose shapes have no name in 'polyhedra' of their scene, "
            "such as blocks: only `scree restart` can restore them",
            read->name);
        return;
    }
    for (size_t m = 0; m < 2; ++m)
        for (size_t k = 0; maps[m] && k < maps[m]->count; ++k)
            scree_suggestion_add(&known, maps[m]->item[2 * k]->text);
    scree_reading_report(
        read->reading, read->map,
        "'%.100s' has bodies of the shape '%s', which is neither a name in 'clumps' or 'polyhedra' nor the "
        "number of one of the %zu clumps or, negative, of the %zu polyhedra%s%.200s; spheres and disks have "
        "the shape 0",
        read->name, text, maps[0] ? maps[0]->count : 0, maps[1] ? maps[1]->count : 0,
        known.nearest ? ": " : "", known.text);
}

// Finds a shape by its name or number in the scene. Spheres and disks are named so, or 0.
static void find_shape(struct read *read, const char *text, struct shape *shape)
{
    const struct scree_node *clumps = scree_reading_node(read->reading->root, SCREE_KEY_scene_clumps),
                            *polyhedra = scree_reading_node(read->reading->root, SCREE_KEY_scene_polyhedra);
    if (clumps && scree_tree_find(clumps, text)) {
        shape->clump = scree_clumps_find(read->reading, text);
        return;
    }
    if (polyhedra && scree_tree_find(polyhedra, text)) {
        shape->polyhedron = scree_polyhedra_find(read->reading, text);
        return;
    }
    if (strcmp(text, "sphere") == 0 || strcmp(text, "disk") == 0 || strcmp(text, "0") == 0)
        return;
    if (!find_number(read, text, shape))
        report_unknown_shape(read, text);
}

static scree_status find_shapes(struct read *read)
{
    const struct scree_format_table *table = read->table;
    const struct scree_node *given = scree_reading_node(read->map, SCREE_KEY_read_shape);
    bool used[SCREE_FORMAT_TYPES] = {false};
    if (!scree_format_has(table, SCREE_FORMAT_SHAPE))
        return SCREE_OK;
    if (given) {
        scree_reading_report(read->reading, given,
                             "'%.100s' has a column of shapes: leave out 'shape', or rename the column",
                             read->name);
        return SCREE_OK;
    }
    SCREE_TRY(scree_memory_new(table->shapes.count, sizeof *read->shapes, (void **)&read->shapes));
    for (size_t row = 0; row < table->count; ++row)
        used[table->shape[row]] = true;
    for (size_t s = 0; s < table->shapes.count; ++s)
        if (used[s])
            find_shape(read, table->shapes.data[s].name, &read->shapes[s]);
    return SCREE_OK;
}

// --- bodies

// Returns component `k` of the quantity that starts at column `first`; 0 if the file does not have it.
static double component(const struct scree_format_table *table, int first, int k, size_t row)
{
    const int column = first + k;
    return scree_format_has(table, column) ? table->number[column][row] : 0;
}

// Reports a failure at the line of a row.
static scree_status report_row(struct read *read, size_t row, scree_status status)
{
    struct scree_place place = {.length = 1};
    if (status == SCREE_OK || status == SCREE_ERROR_MEMORY)
        return status;
    SCREE_TRY(scree_diagnostic_source(&read->reading->diagnostics, read->name, NULL, 0, &place.source));
    place.line = read->table->line[row] > 0 ? read->table->line[row] - 1 : 0;
    scree_diagnostic_add(&read->reading->diagnostics, &place, "%s", scree_status_message());
    return SCREE_OK;
}

// Checks that the density or mass in the file agrees with the material, whose density is used, or with the
// mass that is given for a shape.
static scree_status check_density(struct read *read, size_t row, const struct scree_build_template *template,
                                  double radius)
{
    const struct scree_format_table *table = read->table;
    const double volume = 4.0 / 3.0 * SCREE_PI * radius * radius * radius;
    double density, found = component(table, SCREE_FORMAT_DENSITY, 0, row);
    if (!(found > 0) && read->reading->dimension == 3)
        found = component(table, SCREE_FORMAT_MASS, 0, row) / volume;
    SCREE_TRY(scree_material_get(read->world, template->material, "density", &density));
    if (read->reading->dimension == 3 && (template->clump || template->polyhedron))
        density = scree_build_template_mass(template, density, radius) / volume;
    if (!(found > 0) || fabs(found - density) <= density_tolerance * density)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the density is %.6g kg/m^3 here, but %.6g kg/m^3 for the material: choose "
                             "another material, or give `density: ignore`",
                             found, density);
}

// Reads the orientation of a clump or a polyhedron; that of its shape as written if the file has none.
static scree_status read_orientation(const struct scree_format_table *table, size_t row,
                                     double orientation[4])
{
    double square = 0;
    for (int k = 0; k < 4; ++k) {
        orientation[k] = scree_format_has(table, SCREE_FORMAT_QUAT_W)
                             ? table->number[SCREE_FORMAT_QUAT_W + k][row]
                             : k == 0;
        square += orientation[k] * orientation[k];
    }
    return square >= 1e-100 && square <= 1e100
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                   "the orientation (%g, %g, %g, %g) is not that of a body: it must be a "
                                   "quaternion of length 1, which is 1, 0, 0, 0 without rotation",
                                   orientation[0], orientation[1], orientation[2], orientation[3]);
}

static scree_status add_body(struct read *read, size_t row, const struct scree_build_template *common,
                             double radius)
{
    const struct scree_format_table *table = read->table;
    struct scree_pack_body body = {.radius = radius};
    struct scree_build_template template = *common;
    for (int k = 0; k < 3; ++k) {
        body.position[k] = table->number[SCREE_FORMAT_X + k][row];
        template.velocity[k] = read->keeps_velocity ? component(table, SCREE_FORMAT_VELOCITY_X, k, row) : 0;
        template.spin[k] = read->keeps_velocity ? component(table, SCREE_FORMAT_SPIN_X, k, row) : 0;
    }
    if (template.clump || template.polyhedron)
        SCREE_TRY(read_orientation(table, row, body.orientation));
    return scree_build_template_add(read->world, &body, &template);
}

// Radius of the body in a row: that in the file, else that in the scene, else that of its shape.
static double radius_of(const struct read *read, size_t row, const struct kind *kind,
                        const struct shape *shape)
{
    if (scree_format_has(read->table, SCREE_FORMAT_RADIUS))
        return read->table->number[SCREE_FORMAT_RADIUS][row];
    return kind->radius > 0    ? kind->radius
           : shape->clump      ? shape->clump->radius
           : shape->polyhedron ? shape->polyhedron->radius
                               : 0;
}

static scree_status add_row(struct read *read, size_t row)
{
    const struct scree_format_table *table = read->table;
    const struct kind *kind = read->kinds ? &read->kinds[table->type[row]] : &read->default_kind;
    const struct shape *shape = read->shapes ? &read->shapes[table->shape[row]] : &kind->shape;
    struct scree_build_template template = {.material = kind->material,
                                            .thickness = read->reading->dimension == 2 ? read->thickness : 0,
                                            .clump = shape->clump,
                                            .polyhedron = shape->polyhedron};
    const double radius = radius_of(read, row, kind, shape);
    if (!(radius > 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            scree_format_has(table, SCREE_FORMAT_RADIUS)
                ? "the radius is 0 here; it must be above 0"
                : "this file has no radii: give a 'radius' for all bodies, or for each of its "
                  "types");
    if (read->checks_density)
        SCREE_TRY(check_density(read, row, &template, radius));
    return add_body(read, row, &template, radius);
}

// Adds the bodies in order of ids; stops after SCREE_LINES_MAX_DIAGNOSTICS mistakes.
static scree_status add_rows(struct read *read)
{
    const struct scree_format_table *table = read->table;
    const size_t before = read->reading->diagnostics.all;
    uint32_t *order;
    SCREE_TRY(scree_world_reserve(read->world, scree_body_count(read->world) + table->count));
    SCREE_TRY(scree_memory_new(table->count, sizeof *order, (void **)&order));
    for (size_t k = 0; k < table->count; ++k)
        order[k] = (uint32_t)k;
    scree_status status = scree_format_has(table, SCREE_FORMAT_ID) && table->count > 0
                              ? scree_sort_order(table->id, table->count, order)
                              : SCREE_OK;
    if (status == SCREE_OK)
        status = scree_memory_new(table->count, sizeof *read->origin->line, (void **)&read->origin->line);
    read->origin->file = read->name;
    for (size_t k = 0; k < table->count && status == SCREE_OK; ++k) {
        read->origin->line[k] = table->line[order[k]];
        status = report_row(read, order[k], add_row(read, order[k]));
        if (read->reading->diagnostics.all >= before + SCREE_LINES_MAX_DIAGNOSTICS)
            break;
    }
    scree_memory_free(order);
    return status;
}

// --- the file

static bool read_selection(struct scree_reading *reading, const struct scree_node *map,
                           struct scree_formats_selection *selection)
{
    size_t word;
    double number;
    bool good = true;
    if (scree_reading_has(map, SCREE_KEY_read_format)) {
        good = scree_reading_word(reading, map, SCREE_KEY_read_format, &word);
        selection->format = good ? scree_formats_names[word] : NULL;
    }
    if (good && scree_reading_has(map, SCREE_KEY_read_units)) {
        good = scree_reading_word(reading, map, SCREE_KEY_read_units, &word);
        selection->units = good ? scree_format_unit_names[word] : NULL;
    }
    selection->by_step = scree_reading_has(map, SCREE_KEY_read_step);
    if (selection->by_step)
        return good && scree_reading_whole(reading, map, SCREE_KEY_read_step, &selection->step);
    if (!scree_reading_number(reading, map, SCREE_KEY_read_snapshot, &number))
        return false;
    if (number < (double)INFINITY && (number != floor(number) || number > 0x1p53))
        return scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_read_snapshot),
                                    "'snapshot' must be a whole number of at least 1, or 'last'");
    selection->snapshot = number < (double)INFINITY ? (uint64_t)number : 0;
    return good;
}

static scree_status load_table(struct read *read, struct scree_format_table *table, bool *found)
{
    struct scree_reading *reading = read->reading;
    struct scree_formats_selection selection = {0};
    struct scree_formats_file file;
    char *path;
    *found = false;
    if (!read_selection(reading, read->map, &selection))
        return SCREE_OK;
    SCREE_TRY(scree_path_join(reading->folder, read->name, &path));
    scree_status status = scree_formats_open(&file, path, read->name, &selection, &reading->diagnostics);
    if (status == SCREE_OK)
        status = scree_formats_next(&file, table, found);
    read->from_scree = file.format && !file.format->write;
    scree_formats_close(&file);
    scree_memory_free(path);
    return status;
}

// Reads the keys that apply to all bodies.
static scree_status read_common(struct read *read)
{
    struct scree_reading *reading = read->reading;
    const struct scree_node *map = read->map;
    size_t motion = 0, density = 0;
    if (scree_reading_has(map, SCREE_KEY_read_material))
        SCREE_TRY(scree_build_material(reading, read->world, map, SCREE_KEY_read_material,
                                       &read->default_kind.material));
    if (scree_reading_has(map, SCREE_KEY_read_radius))
        (void)scree_reading_number(reading, map, SCREE_KEY_read_radius, &read->default_kind.radius);
    if (scree_reading_has(map, SCREE_KEY_read_shape))
        read->default_kind.shape = read_shape(read, map, SCREE_KEY_read_shape);
    if (scree_reading_has(map, SCREE_KEY_read_thickness))
        (void)scree_reading_number(reading, map, SCREE_KEY_read_thickness, &read->thickness);
    else if (reading->dimension == 2)
        scree_reading_report(
            reading, map,
            "in two dimensions the bodies are disks, clumps of disks or polygons, which need "
            "a 'thickness'");
    (void)scree_reading_word(reading, map, SCREE_KEY_read_velocity, &motion);
    (void)scree_reading_word(reading, map, SCREE_KEY_read_density, &density);
    read->keeps_velocity = motion == 0;
    read->checks_density = density == 0;
    return SCREE_OK;
}

// Refuses frames and checkpoints with non-spherical bodies, which the table of bodies cannot describe.
static scree_status check_spherical(const struct read *read)
{
    const double *radius = read->table->number[SCREE_FORMAT_RADIUS];
    for (size_t row = 0; row < read->table->count && read->from_scree && radius; ++row)
        if (!(radius[row] > 0))
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED,
                "body %llu of '%.200s' is not a sphere, disk or clump: only `scree restart` can restore it",
                (unsigned long long)(read->table->id ? read->table->id[row] : row + 1), read->name);
    return SCREE_OK;
}

// Refuses rows that are pebbles of clumps, each of which would become a body of its own.
static scree_status check_pebbles(const struct read *read)
{
    size_t clumps, pebbles;
    SCREE_TRY(scree_exchange_clumps_count(read->table, &clumps, &pebbles));
    if (clumps == 0)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_UNSUPPORTED,
        read->from_scree
            ? "'%.200s' is a frame of pebbles: read the frame of bodies, which has '-bodies' in its name, or "
              "make clumps by `scree convert %.200s bodies.csv`"
            : "the rows of '%.200s' are pebbles of multispheres: make clumps by `scree convert %.200s "
              "bodies.csv`, and read 'bodies.csv'",
        read->name, read->name);
}

static scree_status build(struct read *read, struct scree_format_table *table)
{
    struct scree_reading *reading = read->reading;
    double scale;
    bool found;
    scree_status status = load_table(read, table, &found);
    if (status == SCREE_OK && found)
        status = check_spherical(read);
    if (status == SCREE_OK && found)
        status = check_pebbles(read);
    if (status != SCREE_OK)
        return scree_reading_report_status(reading, scree_reading_node(read->map, SCREE_KEY_read_file),
                                           status);
    if (!found || !scree_reading_number(reading, read->map, SCREE_KEY_read_scale, &scale))
        return SCREE_OK;
    scree_format_scale(table, scale);
    SCREE_TRY(read_common(read));
    SCREE_TRY(find_kinds(read));
    SCREE_TRY(find_shapes(read));
    return reading->diagnostics.all == 0 ? add_rows(read) : SCREE_OK;
}

scree_status scree_build_read(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map, struct scree_reading_origin *origin)
{
    struct scree_format_table table = {0};
    struct read read = {.reading = reading, .world = world, .map = map, .origin = origin, .table = &table};
    if (!scree_reading_text(reading, map, SCREE_KEY_read_file, &read.name))
        return SCREE_OK;
    const scree_status status = build(&read, &table);
    scree_memory_free(read.kinds);
    scree_memory_free(read.shapes);
    scree_format_free(&table);
    return status;
}
