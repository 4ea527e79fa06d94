// Pebbles as points with arrays, see frames.h: the pebbles of clumps, and spheres and disks, by ascending id
// of the body, then by part.

#include "run/frames.h"
#include "world/grain.h"
#include "world/group.h"

#include <math.h>
#include <string.h>

// Slots of the grains that have contacts, in the order of the file.
struct pebbles {
    const struct scree_frames_source *source;
    uint32_t *slot;
    size_t count;
};

static bool is_integer(enum scree_frames_quantity quantity)
{
    return quantity == SCREE_FRAMES_PEBBLE_BODY || quantity == SCREE_FRAMES_PEBBLE_PART ||
           quantity == SCREE_FRAMES_PEBBLE_MATERIAL || quantity == SCREE_FRAMES_PEBBLE_SHAPE ||
           quantity == SCREE_FRAMES_PEBBLE_GROUPS;
}

static int64_t integer_of(const struct scree_world *world, const struct scree_grain *grain,
                          enum scree_frames_quantity quantity)
{
    const struct scree_clump *clump = scree_grain_clump(world, grain->owner);
    switch (quantity) {
    case SCREE_FRAMES_PEBBLE_BODY:
        return (int64_t)scree_world_ids(world)[grain->owner];
    case SCREE_FRAMES_PEBBLE_PART:
        return grain->part;
    case SCREE_FRAMES_PEBBLE_MATERIAL:
        return grain->material;
    case SCREE_FRAMES_PEBBLE_GROUPS:
        return (int64_t)scree_group_of_body(world, grain->owner);
    default:
        return clump ? (int64_t)clump->shape : 0;
    }
}

static void reals_of(const struct scree_grain *grain, enum scree_frames_quantity quantity, double value[3])
{
    if (quantity == SCREE_FRAMES_PEBBLE_VELOCITY)
        memcpy(value, grain->velocity, sizeof grain->velocity);
    else if (quantity == SCREE_FRAMES_PEBBLE_SPIN)
        memcpy(value, grain->spin, sizeof grain->spin);
    else
        value[0] = quantity == SCREE_FRAMES_PEBBLE_DIAMETER ? 2 * grain->radius : grain->radius;
}

static scree_status add_array(const struct pebbles *pebbles, const struct scree_frames_field *field,
                              struct scree_vtk_grid *grid)
{
    const struct scree_world *world = pebbles->source->world;
    const scree_type real = pebbles->source->real;
    const bool integer = is_integer(field->quantity);
    struct scree_vtk_array *array;
    SCREE_TRY(scree_vtk_add(grid, field->name, integer ? SCREE_I64 : real, field->width, false, &array));
    for (size_t p = 0; p < pebbles->count; ++p) {
        const struct scree_grain *grain = &scree_world_grains(world)[pebbles->slot[p]];
        double value[3];
        if (integer) {
            const int64_t number = integer_of(world, grain, field->quantity);
            memcpy((char *)array->data + p * sizeof number, &number, sizeof number);
            continue;
        }
        reals_of(grain, field->quantity, value);
        for (unsigned k = 0; k < field->width; ++k)
            scree_vtk_store(array->data, real, p * field->width + k, value[k]);
    }
    return SCREE_OK;
}

static scree_status add_all(const struct pebbles *pebbles, const size_t *field, size_t fields,
                            struct scree_vtk_grid *grid)
{
    const struct scree_world *world = pebbles->source->world;
    const scree_type real = pebbles->source->real;
    grid->points = grid->cells = pebbles->count;
    grid->cell = SCREE_VTK_VERTEX;
    grid->position_type = real;
    SCREE_TRY(scree_memory_new(pebbles->count, 3 * scree_field_size(real), &grid->point));
    for (size_t p = 0; p < pebbles->count; ++p)
        for (unsigned k = 0; k < 3; ++k)
            scree_vtk_store(grid->point, real, 3 * p + k,
                            scree_world_grains(world)[pebbles->slot[p]].position[k]);
    for (size_t f = 0; f < fields; ++f) {
        const struct scree_frames_field *row = &scree_frames_field_rows[field[f]];
        if (row->series == SCREE_FRAMES_PEBBLES)
            SCREE_TRY(add_array(pebbles, row, grid));
    }
    return SCREE_OK;
}

scree_status scree_frames_pebbles(const struct scree_frames_source *source, const size_t *field,
                                  size_t fields, struct scree_vtk_grid *grid)
{
    struct pebbles pebbles = {.source = source};
    SCREE_TRY(scree_grain_reserve_records(source->world));
    scree_grain_update_records(source->world, 0, &source->team);
    scree_status status = scree_grain_list(source->world, false, &pebbles.slot, &pebbles.count);
    if (status == SCREE_OK)
        status = add_all(&pebbles, field, fields, grid);
    scree_memory_free(pebbles.slot);
    return status;
}
