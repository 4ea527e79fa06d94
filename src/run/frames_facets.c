// Arrays of facets, see frames_facets.h.

#include "run/frames_facets.h"

#include "base/memory.h"
#include "measure/facet.h"
#include "world/wall.h"

#include <math.h>

// Index of the first cell after those of the wall of a cell.
static size_t end_of_wall(const struct scree_frames_facets *facets, size_t cell)
{
    size_t end = cell;
    while (end < facets->cells && facets->wall[end] == facets->wall[cell])
        ++end;
    return end;
}

static scree_status measure(struct scree_frames_facets *facets)
{
    const struct scree_world *world = facets->source->world;
    if (facets->facet)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(facets->cells, sizeof *facets->facet, (void **)&facets->facet));
    for (size_t c = 0; c < facets->cells; c = end_of_wall(facets, c))
        if (facets->wall[c]->shape == SCREE_WALL_MESH)
            SCREE_TRY(scree_facet_measure(world, (size_t)(facets->wall[c] - scree_wall_row(world, 0)),
                                          &facets->facet[c]));
    return SCREE_OK;
}

static void reals_of(const struct scree_wall_facet *facet, enum scree_frames_quantity quantity,
                     double value[3])
{
    switch (quantity) {
    case SCREE_FRAMES_WALL_AREA:
        value[0] = facet->area;
        break;
    case SCREE_FRAMES_WALL_PRESSURE:
        value[0] = facet->pressure;
        break;
    case SCREE_FRAMES_WALL_FRICTION_WORK:
        value[0] = facet->wear.friction_work;
        break;
    case SCREE_FRAMES_WALL_IMPACT_ENERGY:
        value[0] = facet->wear.impact_energy;
        break;
    default:
        memcpy(value, facet->force, sizeof facet->force);
    }
}

scree_status scree_frames_facets_add(struct scree_frames_facets *facets,
                                     const struct scree_frames_field *field, struct scree_vtk_grid *grid)
{
    const scree_type real = facets->source->real;
    const bool is_number = field->quantity == SCREE_FRAMES_WALL_FACET,
               is_integer = is_number || field->quantity == SCREE_FRAMES_WALL_IMPACTS;
    struct scree_vtk_array *array;
    SCREE_TRY(measure(facets));
    SCREE_TRY(scree_vtk_add(grid, field->name, is_integer ? SCREE_I64 : real, field->width, true, &array));
    for (size_t c = 0, first = 0; c < facets->cells; ++c) {
        const bool is_facet = facets->wall[c]->shape == SCREE_WALL_MESH;
        first = facets->wall[c] == facets->wall[first] ? first : c;
        const int64_t number =
            is_number ? (is_facet ? (int64_t)(c - first) : -1) : (int64_t)facets->facet[c].wear.impacts;
        double value[3] = {(double)NAN, (double)NAN, (double)NAN};
        if (is_facet)
            reals_of(&facets->facet[c], field->quantity, value);
        if (is_integer)
            memcpy((char *)array->data + c * sizeof number, &number, sizeof number);
        for (unsigned k = 0; k < field->width && !is_integer; ++k)
            scree_vtk_store(array->data, real, c * field->width + k, value[k]);
    }
    return SCREE_OK;
}
