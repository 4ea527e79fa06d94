// Bodies as points with arrays, see frames.h: fields of the registry, and computed quantities.

#include "base/sort.h"
#include "math/vec3.h"
#include "measure/cut.h"
#include "run/frames.h"
#include "world/body.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/polyhedron.h"

#include <scree/bond.h>

#include <math.h>
#include <string.h>

enum {
    BLOCK = 256, // rows that are copied together, so that their records stay in cache
    MAX_ARRAYS = 128,
    COMPONENTS = 6 // of a stress, in VTK's order: xx yy zz xy yz xz
};

// An array and its source.
struct source {
    const char *base; // null if the column is not allocated: its values are zero
    size_t stride;
    scree_type from, to; // type in the registry, and in the frame
    unsigned width;
    enum scree_frames_quantity quantity;
    scree_transform transform;
    char *out;
};

struct body_arrays {
    const struct scree_frames_source *input;
    const uint32_t *order;                // slots by ascending id
    const uint32_t *coordination;         // number of contacts of each slot
    double (*stress)[COMPONENTS];         // of each slot; null if not requested
    struct scree_bond_fragment *fragment; // of each slot; null if not requested
    struct source source[MAX_ARRAYS];
    size_t sources;
};

// --- copying

static double number_at(const char *from, scree_type type, unsigned c)
{
    double as_double;
    float as_float;
    if (type == SCREE_F64) {
        memcpy(&as_double, from + c * sizeof as_double, sizeof as_double);
        return as_double;
    }
    memcpy(&as_float, from + c * sizeof as_float, sizeof as_float);
    return (double)as_float;
}

// Copies the real numbers of one row.
static void copy_reals(const struct source *source, const char *from, size_t row)
{
    bool zero = source->transform == SCREE_QUATERNION;
    for (unsigned c = 0; c < source->width; ++c) {
        const double value = number_at(from, source->from, c);
        zero = zero && value == 0;
        scree_vtk_store(source->out, source->to, row * source->width + c, value);
    }
    // a body without rotation stores a zero quaternion: write the identity
    if (zero)
        scree_vtk_store(source->out, source->to, row * source->width, 1);
}

static double compute(const struct body_arrays *arrays, enum scree_frames_quantity quantity, uint32_t slot,
                      unsigned c)
{
    const struct scree_world *world = arrays->input->world;
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    const double *v = grain->velocity;
    double orientation[4], vector[3];
    switch (quantity) {
    case SCREE_FRAMES_SIZE:
        return scree_grain_equal_radius(world, slot);
    case SCREE_FRAMES_DIAMETER:
        return 2 * scree_grain_equal_radius(world, slot);
    case SCREE_FRAMES_ORIENTATION:
        scree_quat_store(scree_grain_orientation(world, slot), orientation);
        return orientation[c];
    case SCREE_FRAMES_SPEED:
        return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    case SCREE_FRAMES_UNWRAPPED:
        scree_vec3_store(scree_cell_unwrapped(world, (scree_slot){slot}), vector);
        return vector[c];
    case SCREE_FRAMES_FLUCTUATION:
        scree_vec3_store(scree_body_fluctuation(world, grain, v), vector);
        return vector[c];
    case SCREE_FRAMES_STRESS:
        return arrays->stress[slot][c];
    default:
        return 0;
    }
}

static void copy_row(const struct body_arrays *arrays, const struct source *source, size_t row)
{
    const uint32_t slot = arrays->order[row];
    const size_t size = source->width * scree_field_size(source->to);
    const int64_t shape =
        source->quantity == SCREE_FRAMES_SHAPE ? scree_grain_shape(arrays->input->world, slot) : 0;
    if (source->quantity == SCREE_FRAMES_COORDINATION)
        memcpy(source->out + row * size, &arrays->coordination[slot], size);
    else if (source->quantity == SCREE_FRAMES_FRAGMENT)
        memcpy(source->out + row * size, &arrays->fragment[slot].fragment, size);
    else if (source->quantity == SCREE_FRAMES_FRAGMENT_SIZE)
        memcpy(source->out + row * size, &arrays->fragment[slot].bodies, size);
    else if (source->quantity == SCREE_FRAMES_SHAPE)
        memcpy(source->out + row * size, &shape, size);
    else if (source->quantity != SCREE_FRAMES_FIELD)
        for (unsigned c = 0; c < source->width; ++c)
            scree_vtk_store(source->out, source->to, row * source->width + c,
                            compute(arrays, source->quantity, slot, c));
    else if (!source->base && source->transform == SCREE_QUATERNION)
        scree_vtk_store(source->out, source->to, row * source->width, 1);
    else if (source->base && (source->from == SCREE_F64 || source->from == SCREE_F32))
        copy_reals(source, source->base + slot * source->stride, row);
    else if (source->base)
        memcpy(source->out + row * size, source->base + slot * source->stride, size);
}

// Fast path for the most common case: doubles rounded to float.
static void copy_rounded(const struct source *source, const uint32_t *order, size_t first, size_t last)
{
    float *out = (float *)(void *)source->out + first * source->width;
    for (size_t row = first; row < last; ++row) {
        const double *from = (const double *)(const void *)(source->base + order[row] * source->stride);
        for (unsigned c = 0; c < source->width; ++c)
            *out++ = (float)from[c];
    }
}

static void copy_block(const struct body_arrays *arrays, const struct source *source, size_t first,
                       size_t last)
{
    if (source->base && source->from == SCREE_F64 && source->to == SCREE_F32 &&
        source->transform != SCREE_QUATERNION) {
        copy_rounded(source, arrays->order, first, last);
        return;
    }
    for (size_t row = first; row < last; ++row)
        copy_row(arrays, source, row);
}

static void copy_rows(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct body_arrays *arrays = (const struct body_arrays *)context;
    for (size_t block = first; block < last; block += BLOCK)
        for (size_t s = 0; s < arrays->sources; ++s)
            copy_block(arrays, &arrays->source[s], block, block + BLOCK < last ? block + BLOCK : last);
}

// --- choosing the sources

// Adds an array for a field of the registry. Ids become signed with the same bits, as ParaView prefers.
static scree_status add_field(struct body_arrays *arrays, const char *name, struct scree_vtk_grid *grid)
{
    struct scree_world *world = arrays->input->world;
    struct scree_entity *entity;
    struct scree_field *field;
    struct scree_vtk_array *array;
    char full[64] = "body.";
    strncat(full, name, sizeof full - sizeof "body.");
    SCREE_TRY(scree_registry_find(&world->registry, full, &entity, &field));
    const bool real = field->type == SCREE_F64;
    const scree_type to = real ? arrays->input->real : field->type == SCREE_U64 ? SCREE_I64 : field->type;
    SCREE_TRY(scree_vtk_add(grid, name, to, field->width, false, &array));
    const struct scree_column *column = &entity->columns.data[field->column];
    arrays->source[arrays->sources++] = (struct source){
        .base = column->present ? column->base + field->offset : NULL,
        .stride = column->stride,
        .from = field->type,
        .to = to,
        .width = field->width,
        .transform = field->transform,
        .out = array->data,
    };
    return SCREE_OK;
}

static scree_status add_computed(struct body_arrays *arrays, const struct scree_frames_field *field,
                                 struct scree_vtk_grid *grid)
{
    struct scree_vtk_array *array;
    const bool is_whole = field->quantity == SCREE_FRAMES_FRAGMENT ||
                          field->quantity == SCREE_FRAMES_FRAGMENT_SIZE ||
                          field->quantity == SCREE_FRAMES_SHAPE;
    const scree_type to = field->quantity == SCREE_FRAMES_COORDINATION ? SCREE_U32
                          : is_whole                                   ? SCREE_I64
                                                                       : arrays->input->real;
    const unsigned width = field->quantity == SCREE_FRAMES_ORIENTATION ? 4
                           : field->width > 0                          ? field->width
                                                                       : 1;
    SCREE_TRY(scree_vtk_add(grid, field->name, to, width, false, &array));
    arrays->source[arrays->sources++] =
        (struct source){.to = to, .width = width, .quantity = field->quantity, .out = array->data};
    return SCREE_OK;
}

// In a world with clumps or polyhedra, these fields have the values of files: the size of a body, the number
// of its shape, and the orientation of the axes of the shape.
static enum scree_frames_quantity quantity_of(const struct scree_world *world,
                                              const struct scree_frames_field *field)
{
    static const struct {
        const char *name;
        enum scree_frames_quantity quantity;
    } rows[] = {{"radius", SCREE_FRAMES_SIZE},
                {"shape", SCREE_FRAMES_SHAPE},
                {"orientation", SCREE_FRAMES_ORIENTATION}};
    if (!scree_grain_clumps(world) && !scree_polyhedron_any(world))
        return field->quantity;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        if (strcmp(field->name, rows[r].name) == 0)
            return rows[r].quantity;
    return field->quantity;
}

static scree_status list_sources(struct body_arrays *arrays, const size_t *field, size_t fields,
                                 struct scree_vtk_grid *grid)
{
    const struct scree_world *world = arrays->input->world;
    // the positions are the points of the grid
    arrays->source[arrays->sources++] = (struct source){.base = (const char *)scree_world_grains(world) +
                                                                offsetof(struct scree_grain, position),
                                                        .stride = sizeof(struct scree_grain),
                                                        .from = SCREE_F64,
                                                        .to = arrays->input->real,
                                                        .width = 3,
                                                        .out = grid->point};
    for (size_t f = 0; f < fields && arrays->sources < MAX_ARRAYS; ++f) {
        struct scree_frames_field row = scree_frames_field_rows[field[f]];
        if (row.series != SCREE_FRAMES_BODIES)
            continue;
        row.quantity = quantity_of(world, &row);
        SCREE_TRY(row.quantity == SCREE_FRAMES_FIELD ? add_field(arrays, row.name, grid)
                                                     : add_computed(arrays, &row, grid));
    }
    return SCREE_OK;
}

// --- coordination numbers and stresses

// Returns the volume of a body from its mass, m^3; 0 for a body without material. In two dimensions its area,
// m^2, since stress is force per length there.
static double volume_of(const struct scree_world *world, const struct scree_grain *grain)
{
    if (world->dimension == 2 || scree_grain_clump(world, grain->owner))
        return scree_cut_ball_volume(world->dimension, scree_grain_equal_radius(world, grain->owner));
    const struct scree_entity *materials = scree_world_entity(world, SCREE_ENTITY_MATERIAL);
    const struct scree_material *material = (const struct scree_material *)scree_world_column(
        world, SCREE_ENTITY_MATERIAL, SCREE_MATERIAL_MATERIAL);
    uint32_t slot;
    return scree_pool_find(&materials->pool, grain->material, &slot) ? grain->mass / material[slot].density
                                                                     : 0;
}

// Adds the contribution of a contact to the mean stress of a body: the symmetric part of arm times force,
// over the volume (Love, A treatise on the mathematical theory of elasticity, 1927, art. 75). Tension is
// positive.
static void add_stress(const struct scree_world *world, const struct scree_contact *contact, int side,
                       const struct scree_grain *grain, double stress[COMPONENTS])
{
    static const int axes[COMPONENTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    const struct scree_vec3 centre = scree_vec3_load(grain->position);
    const struct scree_vec3 point =
        scree_frames_contacts_image(world, scree_vec3_load(contact->point), centre);
    const double volume = volume_of(world, grain), sign = side == 0 ? 1 : -1;
    double arm[3];
    scree_vec3_store(scree_vec3_sub(point, centre), arm);
    for (int k = 0; k < COMPONENTS && volume > 0; ++k) {
        const int a = axes[k][0], b = axes[k][1];
        stress[k] += sign * 0.5 * (arm[a] * contact->force[b] + arm[b] * contact->force[a]) / volume;
    }
}

// Sums over contacts in their order, which does not depend on slots or threads.
static void sum_contacts(struct body_arrays *arrays, uint32_t *coordination)
{
    const struct scree_frames_source *input = arrays->input;
    const struct scree_entity *bodies = scree_world_entity(input->world, SCREE_ENTITY_BODY);
    const struct scree_grain *grain = scree_world_grains(input->world);
    for (size_t c = 0; c < input->contacts; ++c)
        for (int side = 0; side < 2; ++side) {
            uint32_t slot;
            if (!scree_pool_find(&bodies->pool, input->contact[c].body[side].value, &slot))
                continue;
            ++coordination[slot];
            if (arrays->stress)
                add_stress(input->world, &input->contact[c], side, &grain[slot], arrays->stress[slot]);
        }
}

static bool needs(const struct body_arrays *arrays, enum scree_frames_quantity quantity)
{
    for (size_t s = 0; s < arrays->sources; ++s)
        if (arrays->source[s].quantity == quantity)
            return true;
    return false;
}

static scree_status find_fragments(struct body_arrays *arrays, size_t bodies)
{
    SCREE_TRY(scree_memory_new(bodies, sizeof *arrays->fragment, (void **)&arrays->fragment));
    return scree_bond_fragments(arrays->input->world, arrays->fragment, bodies, NULL);
}

static scree_status gather(struct body_arrays *arrays, size_t bodies)
{
    uint32_t *order = NULL, *coordination = NULL;
    scree_status status = scree_memory_new(bodies, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = scree_memory_new(bodies, sizeof *coordination, (void **)&coordination);
    if (status == SCREE_OK && needs(arrays, SCREE_FRAMES_STRESS))
        status = scree_memory_new(bodies, sizeof *arrays->stress, (void **)&arrays->stress);
    if (status == SCREE_OK &&
        (needs(arrays, SCREE_FRAMES_FRAGMENT) || needs(arrays, SCREE_FRAMES_FRAGMENT_SIZE)))
        status = find_fragments(arrays, bodies);
    if (status == SCREE_OK)
        status = scree_sort_order(scree_world_ids(arrays->input->world), bodies, order);
    if (status == SCREE_OK) {
        sum_contacts(arrays, coordination);
        arrays->order = order;
        arrays->coordination = coordination;
        scree_team_run(&arrays->input->team, bodies, BLOCK, copy_rows, arrays);
    }
    scree_memory_free(arrays->fragment);
    scree_memory_free(arrays->stress);
    scree_memory_free(coordination);
    scree_memory_free(order);
    return status;
}

scree_status scree_frames_bodies(const struct scree_frames_source *input, const size_t *field, size_t fields,
                                 struct scree_vtk_grid *grid)
{
    const size_t bodies = scree_world_bodies(input->world);
    struct body_arrays arrays = {.input = input};
    grid->points = grid->cells = bodies;
    grid->cell = SCREE_VTK_VERTEX;
    grid->position_type = input->real;
    SCREE_TRY(scree_memory_new(bodies, 3 * scree_field_size(input->real), &grid->point));
    SCREE_TRY(list_sources(&arrays, field, fields, grid));
    return gather(&arrays, bodies);
}
