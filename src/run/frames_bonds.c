// Bonds as lines with arrays, see frames.h: from the centre of the first side to that of the second, or to
// the point of the wall, by ascending id. In a periodic cell the line ends at the image next to the first
// side.

#include "run/frames.h"
#include "world/wall.h"

#include <scree/bond.h>

#include <string.h>

// The bonds that a frame shows.
struct bonds {
    const struct scree_frames_source *source;
    scree_bond_id *id;
    struct scree_bond_state *state;
    size_t count;
};

static scree_status list_bonds(struct bonds *bonds)
{
    const struct scree_world *world = bonds->source->world;
    const size_t capacity = scree_bond_count(world);
    SCREE_TRY(scree_memory_new(capacity, sizeof *bonds->id, (void **)&bonds->id));
    SCREE_TRY(scree_memory_new(capacity, sizeof *bonds->state, (void **)&bonds->state));
    SCREE_TRY(scree_bond_list(world, bonds->id, capacity, &bonds->count));
    for (size_t b = 0; b < bonds->count; ++b)
        SCREE_TRY(scree_bond_get(world, bonds->id[b], &bonds->state[b]));
    return SCREE_OK;
}

// --- arrays

static bool is_integer(enum scree_frames_quantity quantity)
{
    return quantity >= SCREE_FRAMES_BOND_ID && quantity <= SCREE_FRAMES_BOND_SECOND_MATERIAL;
}

static int64_t material_of(const struct scree_world *world, const struct scree_bond_state *state, int side)
{
    const bool wall = side == 1 && state->wall.value != 0;
    const struct scree_entity *entity =
        scree_world_entity(world, wall ? SCREE_ENTITY_WALL : SCREE_ENTITY_BODY);
    uint32_t slot;
    if (!scree_pool_find(&entity->pool, wall ? state->wall.value : state->side[side].body.value, &slot))
        return 0;
    return (int64_t)(wall ? scree_wall_row(world, slot)->material : scree_world_grains(world)[slot].material);
}

static int64_t integer_of(const struct bonds *bonds, size_t b, enum scree_frames_quantity quantity)
{
    const struct scree_bond_state *state = &bonds->state[b];
    switch (quantity) {
    case SCREE_FRAMES_BOND_ID:
        return (int64_t)bonds->id[b].value;
    case SCREE_FRAMES_BOND_FIRST:
        return (int64_t)state->side[0].body.value;
    case SCREE_FRAMES_BOND_SECOND:
        return (int64_t)state->side[1].body.value;
    case SCREE_FRAMES_BOND_FIRST_PEBBLE:
        return (int64_t)state->side[0].part;
    case SCREE_FRAMES_BOND_SECOND_PEBBLE:
        return (int64_t)state->side[1].part;
    case SCREE_FRAMES_BOND_WALL:
        return (int64_t)state->wall.value;
    case SCREE_FRAMES_BOND_KIND:
        return (int64_t)state->kind;
    default:
        return material_of(bonds->source->world, state, quantity == SCREE_FRAMES_BOND_FIRST_MATERIAL ? 0 : 1);
    }
}

// Where a bond stores its numbers.
static const size_t offsets[] = {
    [SCREE_FRAMES_BOND_FORCE] = offsetof(struct scree_bond_state, force),
    [SCREE_FRAMES_BOND_COUPLE] = offsetof(struct scree_bond_state, couple),
    [SCREE_FRAMES_BOND_ELONGATION] = offsetof(struct scree_bond_state, elongation),
    [SCREE_FRAMES_BOND_NORMAL_FORCE] = offsetof(struct scree_bond_state, normal_force),
    [SCREE_FRAMES_BOND_SHEAR_FORCE] = offsetof(struct scree_bond_state, shear_force),
    [SCREE_FRAMES_BOND_BENDING_MOMENT] = offsetof(struct scree_bond_state, bending_moment),
    [SCREE_FRAMES_BOND_TWISTING_MOMENT] = offsetof(struct scree_bond_state, twisting_moment),
    [SCREE_FRAMES_BOND_DAMAGE] = offsetof(struct scree_bond_state, damage),
    [SCREE_FRAMES_BOND_STORED] = offsetof(struct scree_bond_state, stored),
};

static void reals_of(const struct scree_bond_state *state, const struct scree_frames_field *field,
                     double value[3])
{
    value[0] = 0;
    if (field->quantity != SCREE_FRAMES_BOND_RATIO)
        memcpy(value, (const char *)state + offsets[field->quantity], field->width * sizeof *value);
    for (int m = 0; m < SCREE_BOND_MODES && field->quantity == SCREE_FRAMES_BOND_RATIO; ++m)
        value[0] = state->ratio[m] > value[0] ? state->ratio[m] : value[0];
}

static scree_status add_array(const struct bonds *bonds, const struct scree_frames_field *field,
                              struct scree_vtk_grid *grid)
{
    const scree_type real = bonds->source->real;
    const bool integer = is_integer(field->quantity);
    struct scree_vtk_array *array;
    SCREE_TRY(scree_vtk_add(grid, field->name, integer ? SCREE_I64 : real, field->width, true, &array));
    for (size_t b = 0; b < bonds->count; ++b) {
        double value[3];
        if (integer) {
            const int64_t number = integer_of(bonds, b, field->quantity);
            memcpy((char *)array->data + b * sizeof number, &number, sizeof number);
            continue;
        }
        reals_of(&bonds->state[b], field, value);
        for (unsigned k = 0; k < field->width; ++k)
            scree_vtk_store(array->data, real, b * field->width + k, value[k]);
    }
    return SCREE_OK;
}

static scree_status add_all(const struct bonds *bonds, const size_t *field, size_t fields,
                            struct scree_vtk_grid *grid)
{
    const scree_type real = bonds->source->real;
    grid->cells = bonds->count;
    grid->points = 2 * bonds->count;
    grid->cell = SCREE_VTK_LINE;
    grid->position_type = real;
    SCREE_TRY(scree_memory_new(grid->points, 3 * scree_field_size(real), &grid->point));
    SCREE_TRY(scree_memory_new(grid->points, sizeof *grid->corner, (void **)&grid->corner));
    for (size_t p = 0; p < grid->points; ++p) {
        grid->corner[p] = (int64_t)p;
        for (size_t k = 0; k < 3; ++k)
            scree_vtk_store(grid->point, real, 3 * p + k, bonds->state[p / 2].end[p % 2][k]);
    }
    for (size_t f = 0; f < fields; ++f)
        if (scree_frames_field_rows[field[f]].series == SCREE_FRAMES_BONDS)
            SCREE_TRY(add_array(bonds, &scree_frames_field_rows[field[f]], grid));
    return SCREE_OK;
}

scree_status scree_frames_bonds(const struct scree_frames_source *source, const size_t *field, size_t fields,
                                struct scree_vtk_grid *grid)
{
    struct bonds bonds = {.source = source};
    scree_status status = list_bonds(&bonds);
    if (status == SCREE_OK)
        status = add_all(&bonds, field, fields, grid);
    scree_memory_free(bonds.id);
    scree_memory_free(bonds.state);
    return status;
}
