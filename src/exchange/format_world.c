// The bodies of a world as a table of a format, see format_world.h.

#include "exchange/format_world.h"

#include "base/sort.h"
#include "exchange/format_name.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/polyhedron.h"

#include <scree/body.h>
#include <scree/cell.h>
#include <scree/field.h>
#include <scree/world.h>

#include <stdio.h>
#include <string.h>

// Fields that are copied unchanged, if the world has them.
static const struct {
    const char *field;
    int column;
    unsigned width;
} copied[] = {{"body.position", SCREE_FORMAT_X, 3},   {"body.radius", SCREE_FORMAT_RADIUS, 1},
              {"body.mass", SCREE_FORMAT_MASS, 1},    {"body.velocity", SCREE_FORMAT_VELOCITY_X, 3},
              {"body.spin", SCREE_FORMAT_SPIN_X, 3},  {"body.orientation", SCREE_FORMAT_QUAT_W, 4},
              {"body.force", SCREE_FORMAT_FORCE_X, 3}};
enum { COPIED = sizeof copied / sizeof copied[0] };

// Gets a view of a field; with a null base if the world does not have it.
static scree_status find_view(const struct scree_world *world, const char *name, struct scree_view *found)
{
    const scree_status status = scree_field_view(world, name, found);
    if (status == SCREE_ERROR_MISSING)
        *found = (struct scree_view){.base = NULL};
    return status == SCREE_ERROR_MISSING ? SCREE_OK : status;
}

static const void *row_at(const struct scree_view *found, size_t row)
{
    return (const char *)found->base + row * found->stride;
}

// Adds a row per body and sorts the slots by id.
static scree_status order_rows(const struct scree_world *world, struct scree_format_table *table,
                               uint32_t **order)
{
    struct scree_view ids;
    const size_t bodies = scree_body_count(world);
    uint64_t *key;
    SCREE_TRY(find_view(world, "body.id", &ids));
    SCREE_TRY(scree_memory_new(bodies, sizeof *key, (void **)&key));
    scree_status status = scree_memory_new(bodies, sizeof **order, (void **)order);
    for (size_t slot = 0; slot < bodies && status == SCREE_OK; ++slot)
        memcpy(&key[slot], row_at(&ids, slot), sizeof key[slot]);
    if (status == SCREE_OK && bodies > 0)
        status = scree_sort_order(key, bodies, *order);
    for (size_t row = 0; row < bodies && status == SCREE_OK; ++row) {
        status = scree_format_add(table);
        if (status == SCREE_OK)
            table->id[row] = key[(*order)[row]];
    }
    scree_memory_free(key);
    return status;
}

scree_status scree_format_world_types(const struct scree_world *world, struct scree_format_table *table)
{
    struct scree_view names;
    SCREE_TRY(find_view(world, "material.name", &names));
    for (size_t m = 0; m < names.count; ++m) {
        const struct scree_format_type type = scree_format_name_text((const char *)row_at(&names, m), false);
        SCREE_TRY(scree_array_push(&table->types, type));
    }
    return SCREE_OK;
}

static scree_status copy_types(const struct scree_world *world, struct scree_format_table *table,
                               const uint32_t *order)
{
    struct scree_view materials;
    const struct scree_format_type none = {"none"};
    SCREE_TRY(find_view(world, "body.material", &materials));
    const uint32_t without_material = (uint32_t)table->types.count;
    for (size_t row = 0; row < table->count; ++row) {
        uint16_t material;
        memcpy(&material, row_at(&materials, order[row]), sizeof material);
        if (material == 0 && table->types.count == without_material)
            SCREE_TRY(scree_array_push(&table->types, none));
        table->type[row] = material > 0 ? material - 1u : without_material;
    }
    return SCREE_OK;
}

static scree_status copy_numbers(const struct scree_world *world, struct scree_format_table *table,
                                 const uint32_t *order)
{
    for (size_t c = 0; c < COPIED; ++c) {
        struct scree_view found;
        if (!scree_format_has(table, copied[c].column))
            continue;
        SCREE_TRY(find_view(world, copied[c].field, &found));
        for (size_t row = 0; row < table->count && found.base; ++row) {
            double number[4];
            memcpy(number, row_at(&found, order[row]), copied[c].width * sizeof number[0]);
            // bodies without rotation have a zero quaternion: write the identity
            if (copied[c].width == 4 && number[0] == 0 && number[1] == 0 && number[2] == 0 && number[3] == 0)
                number[0] = 1;
            for (unsigned k = 0; k < copied[c].width; ++k)
                table->number[copied[c].column + (int)k][row] = number[k];
        }
    }
    return SCREE_OK;
}

// Sizes, orientations and shapes of clumps and polyhedra. The names of shapes are their numbers.
static scree_status copy_shapes(const struct scree_world *world, struct scree_format_table *table,
                                const uint32_t *order)
{
    for (size_t row = 0; row < table->count && scree_format_has(table, SCREE_FORMAT_SHAPE); ++row) {
        const struct scree_clump *clump = scree_grain_clump(world, order[row]);
        const bool is_polyhedron = scree_polyhedron_of(world, order[row]) != NULL;
        const struct scree_quat orientation = scree_grain_orientation(world, order[row]);
        char name[SCREE_FORMAT_TYPE_LENGTH];
        const int length =
            snprintf(name, sizeof name, "%lld", (long long)scree_grain_shape(world, order[row]));
        SCREE_TRY(scree_format_type(&table->shapes, name, (size_t)length, &table->shape[row]));
        if (table->shape[row] >= SCREE_FORMAT_TYPES)
            return scree_status_fail(SCREE_ERROR_LIMIT, "clumps and polyhedra have more than %d shapes",
                                     (int)SCREE_FORMAT_TYPES);
        if (!clump && !is_polyhedron)
            continue;
        const double number[] = {orientation.w, orientation.x, orientation.y, orientation.z};
        table->number[SCREE_FORMAT_RADIUS][row] = scree_grain_equal_radius(world, order[row]);
        for (int k = 0; k < 4 && scree_format_has(table, SCREE_FORMAT_QUAT_W); ++k)
            table->number[SCREE_FORMAT_QUAT_W + k][row] = number[k];
    }
    return SCREE_OK;
}

static scree_status copy_images(const struct scree_world *world, struct scree_format_table *table,
                                const uint32_t *order)
{
    struct scree_view images;
    if (!table->image)
        return SCREE_OK;
    SCREE_TRY(find_view(world, "body.image", &images));
    for (size_t row = 0; row < table->count && images.base; ++row) {
        int64_t count[3];
        memcpy(count, row_at(&images, order[row]), sizeof count);
        for (int k = 0; k < 3; ++k)
            table->image[row][k] = (int32_t)(count[k] < INT32_MIN   ? INT32_MIN
                                             : count[k] > INT32_MAX ? INT32_MAX
                                                                    : count[k]);
    }
    return SCREE_OK;
}

static scree_status declare_columns(const struct scree_world *world, struct scree_format_table *table)
{
    struct scree_cell_def cell;
    struct scree_view found;
    SCREE_TRY(scree_cell_refuse_lattice(
        world, "the transfer of bodies to a file of another program or to another scene"));
    scree_cell_get(world, &cell);
    table->dimension = scree_world_dimension(world);
    table->has_time = table->has_step = true;
    table->time = scree_world_time(world);
    table->step = scree_world_steps(world);
    memcpy(table->lower, cell.lower, sizeof table->lower);
    memcpy(table->upper, cell.upper, sizeof table->upper);
    memcpy(table->periodic, cell.periodic, sizeof table->periodic);
    table->has_box = cell.upper[0] > cell.lower[0] && cell.upper[1] > cell.lower[1];
    scree_format_declare(table, SCREE_FORMAT_ID, 1);
    scree_format_declare(table, SCREE_FORMAT_TYPE, 1);
    for (size_t c = 0; c < COPIED; ++c) {
        SCREE_TRY(find_view(world, copied[c].field, &found));
        if (found.base || scree_body_count(world) == 0)
            scree_format_declare(table, copied[c].column, (int)copied[c].width);
    }
    if (scree_grain_clumps(world) || scree_polyhedron_any(world))
        scree_format_declare(table, SCREE_FORMAT_SHAPE, 1);
    if (cell.periodic[0] || cell.periodic[1] || cell.periodic[2])
        scree_format_declare(table, SCREE_FORMAT_IMAGE_X, 3);
    return SCREE_OK;
}

// Extends bounds that are not periodic around the bodies outside them: LAMMPS and LIGGGHTS stop with an error
// unless lower bound <= centre < upper bound for each body.
static void extend_bounds(struct scree_format_table *table)
{
    const double *radius = table->number[SCREE_FORMAT_RADIUS];
    for (int k = 0; k < 3; ++k) {
        const double *position = table->number[SCREE_FORMAT_X + k];
        const double lower = table->lower[k], upper = table->upper[k];
        if (table->periodic[k] || !table->has_box || !(upper > lower) || !position || !radius)
            continue;
        for (size_t row = 0; row < table->count; ++row) {
            const double below = position[row] - radius[row], above = position[row] + radius[row];
            if (position[row] < lower && below < table->lower[k])
                table->lower[k] = below;
            if (position[row] >= upper && above > table->upper[k])
                table->upper[k] = above;
        }
    }
}

static scree_status fill_table(const struct scree_world *world, struct scree_format_table *table,
                               uint32_t **order)
{
    SCREE_TRY(declare_columns(world, table));
    SCREE_TRY(order_rows(world, table, order));
    SCREE_TRY(scree_format_world_types(world, table));
    SCREE_TRY(copy_types(world, table, *order));
    SCREE_TRY(copy_numbers(world, table, *order));
    SCREE_TRY(copy_shapes(world, table, *order));
    extend_bounds(table);
    return copy_images(world, table, *order);
}

scree_status scree_format_world(const struct scree_world *world, struct scree_format_table *table)
{
    uint32_t *order = NULL;
    const scree_status status = fill_table(world, table, &order);
    scree_memory_free(order);
    return status;
}
