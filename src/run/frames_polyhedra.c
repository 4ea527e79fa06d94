// Surfaces of polyhedra as triangles with arrays, without rounding, see frames.h: by ascending id of the
// body.

#include "base/sort.h"
#include "convex/convex.h"
#include "run/frames.h"
#include "world/grain.h"
#include "world/group.h"
#include "world/polyhedron.h"

#include <string.h>

// Slots of the polyhedra in the order of the file.
struct polyhedra {
    const struct scree_frames_source *source;
    uint32_t *slot;
    size_t count;
};

static uint32_t triangles_of(const struct scree_convex *hull)
{
    uint32_t triangles = 0;
    for (uint32_t f = 0; f < hull->faces; ++f)
        triangles += hull->face[f].corners - 2;
    return triangles;
}

static scree_status list_polyhedra(struct polyhedra *polyhedra)
{
    const struct scree_world *world = polyhedra->source->world;
    const size_t bodies = scree_world_bodies(world);
    uint64_t *key = NULL;
    uint32_t *order = NULL;
    scree_status status = scree_memory_new(bodies, sizeof *polyhedra->slot, (void **)&polyhedra->slot);
    if (status == SCREE_OK)
        status = scree_memory_new(bodies, sizeof *key, (void **)&key);
    if (status == SCREE_OK)
        status = scree_memory_new(bodies, sizeof *order, (void **)&order);
    for (size_t i = 0; i < bodies && status == SCREE_OK; ++i)
        if (scree_polyhedron_of(world, i)) {
            key[polyhedra->count] = scree_world_ids(world)[i];
            polyhedra->slot[polyhedra->count++] = (uint32_t)i;
        }
    if (status == SCREE_OK)
        status = scree_sort_order(key, polyhedra->count, order);
    for (size_t k = 0; k < polyhedra->count && status == SCREE_OK; ++k)
        order[k] = polyhedra->slot[order[k]];
    scree_memory_free(key);
    scree_memory_free(polyhedra->slot);
    polyhedra->slot = order;
    return status;
}

// Adds the points of one body, and its faces as fans of triangles.
static void add_body(const struct polyhedra *polyhedra, uint32_t slot, size_t *point, size_t *cell,
                     struct scree_vtk_grid *grid)
{
    const struct scree_world *world = polyhedra->source->world;
    const struct scree_convex *hull = scree_polyhedron_of(world, slot)->hull;
    const struct scree_mat3 axes = scree_grain_axes(world, slot);
    const struct scree_vec3 centre = scree_vec3_load(scree_world_grains(world)[slot].position);
    for (uint32_t f = 0; f < hull->faces; ++f) {
        const uint32_t *corner = hull->corner + hull->face[f].first;
        for (uint32_t k = 2; k < hull->face[f].corners; ++k) {
            grid->corner[3 * *cell] = (int64_t)*point + corner[0];
            grid->corner[3 * *cell + 1] = (int64_t)*point + corner[k - 1];
            grid->corner[3 * *cell + 2] = (int64_t)*point + corner[k];
            ++*cell;
        }
    }
    for (uint32_t v = 0; v < hull->vertices; ++v) {
        double at[3];
        scree_vec3_store(scree_vec3_add(centre, scree_mat3_apply(axes, hull->vertex[v])), at);
        for (unsigned k = 0; k < 3; ++k)
            scree_vtk_store(grid->point, grid->position_type, 3 * *point + k, at[k]);
        ++*point;
    }
}

static bool is_integer(enum scree_frames_quantity quantity)
{
    return quantity == SCREE_FRAMES_POLYHEDRON_BODY || quantity == SCREE_FRAMES_POLYHEDRON_MATERIAL ||
           quantity == SCREE_FRAMES_POLYHEDRON_GROUPS;
}

static int64_t integer_of(const struct scree_world *world, uint32_t slot, enum scree_frames_quantity quantity)
{
    return quantity == SCREE_FRAMES_POLYHEDRON_BODY       ? (int64_t)scree_world_ids(world)[slot]
           : quantity == SCREE_FRAMES_POLYHEDRON_MATERIAL ? scree_world_grains(world)[slot].material
                                                          : (int64_t)scree_group_of_body(world, slot);
}

static scree_status add_array(const struct polyhedra *polyhedra, const struct scree_frames_field *field,
                              struct scree_vtk_grid *grid)
{
    const struct scree_world *world = polyhedra->source->world;
    const scree_type real = polyhedra->source->real;
    const bool integer = is_integer(field->quantity);
    struct scree_vtk_array *array;
    size_t cell = 0;
    SCREE_TRY(scree_vtk_add(grid, field->name, integer ? SCREE_I64 : real, field->width, true, &array));
    for (size_t p = 0; p < polyhedra->count; ++p) {
        const uint32_t slot = polyhedra->slot[p];
        const struct scree_grain *grain = &scree_world_grains(world)[slot];
        const double *value = field->quantity == SCREE_FRAMES_POLYHEDRON_SPIN ? grain->spin : grain->velocity;
        const int64_t number = integer_of(world, slot, field->quantity);
        const size_t last = cell + triangles_of(scree_polyhedron_of(world, slot)->hull);
        for (; cell < last; ++cell) {
            if (integer)
                memcpy((char *)array->data + cell * sizeof number, &number, sizeof number);
            for (unsigned k = 0; k < field->width && !integer; ++k)
                scree_vtk_store(array->data, real, cell * field->width + k, value[k]);
        }
    }
    return SCREE_OK;
}

static scree_status add_all(const struct polyhedra *polyhedra, const size_t *field, size_t fields,
                            struct scree_vtk_grid *grid)
{
    const struct scree_world *world = polyhedra->source->world;
    size_t point = 0, cell = 0;
    for (size_t p = 0; p < polyhedra->count; ++p) {
        const struct scree_convex *hull = scree_polyhedron_of(world, polyhedra->slot[p])->hull;
        grid->points += hull->vertices;
        grid->cells += triangles_of(hull);
    }
    grid->cell = SCREE_VTK_TRIANGLE;
    grid->position_type = polyhedra->source->real;
    SCREE_TRY(scree_memory_new(grid->points, 3 * scree_field_size(grid->position_type), &grid->point));
    SCREE_TRY(scree_memory_new(3 * grid->cells, sizeof *grid->corner, (void **)&grid->corner));
    for (size_t p = 0; p < polyhedra->count; ++p)
        add_body(polyhedra, polyhedra->slot[p], &point, &cell, grid);
    for (size_t f = 0; f < fields; ++f) {
        const struct scree_frames_field *row = &scree_frames_field_rows[field[f]];
        if (row->series == SCREE_FRAMES_POLYHEDRA)
            SCREE_TRY(add_array(polyhedra, row, grid));
    }
    return SCREE_OK;
}

scree_status scree_frames_polyhedra(const struct scree_frames_source *source, const size_t *field,
                                    size_t fields, struct scree_vtk_grid *grid)
{
    struct polyhedra polyhedra = {.source = source};
    scree_status status = list_polyhedra(&polyhedra);
    if (status == SCREE_OK)
        status = add_all(&polyhedra, field, fields, grid);
    scree_memory_free(polyhedra.slot);
    return status;
}
