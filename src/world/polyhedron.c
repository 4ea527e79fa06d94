// Polyhedra, see polyhedron.h.

#include "world/polyhedron.h"

#include "base/memory.h"
#include "convex/hull.h"
#include "math/power.h"
#include "math/real.h"
#include "world/cell.h"
#include "world/check.h"
#include "world/grain.h"
#include "world/rotor.h"

#include <math.h>
#include <string.h>

static struct scree_entity *shapes_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_SHAPE);
}

static struct scree_shape *shape_row(const struct scree_world *world, size_t slot)
{
    return (struct scree_shape *)scree_world_column(world, SCREE_ENTITY_SHAPE, SCREE_SHAPE_SHAPE) + slot;
}

static struct scree_shape_vertex *vertex_rows(const struct scree_world *world)
{
    return (struct scree_shape_vertex *)scree_world_column(world, SCREE_ENTITY_VERTEX, SCREE_VERTEX_VERTEX);
}

static struct scree_body_shape *body_shapes(const struct scree_world *world)
{
    return (struct scree_body_shape *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_SHAPE);
}

// Shapes are never removed, so that their slots follow from their ids.
const struct scree_shape *scree_polyhedron_shape(const struct scree_world *world, uint64_t id)
{
    return id > 0 && id <= shapes_of(world)->count ? shape_row(world, id - 1) : NULL;
}

const struct scree_shape *scree_polyhedron_of(const struct scree_world *world, size_t slot)
{
    const struct scree_body_shape *shapes = body_shapes(world);
    return shapes ? scree_polyhedron_shape(world, shapes[slot].shape) : NULL;
}

struct scree_local_shape *scree_polyhedron_locals(const struct scree_world *world)
{
    return (struct scree_local_shape *)scree_world_column(world, SCREE_ENTITY_GRAIN, SCREE_GRAIN_SHAPE);
}

const struct scree_shape *scree_polyhedron_of_grain(const struct scree_world *world, size_t number)
{
    const size_t bodies = scree_world_bodies(world);
    const struct scree_local_shape *locals = scree_polyhedron_locals(world);
    if (number < bodies)
        return scree_polyhedron_of(world, number);
    return locals ? scree_polyhedron_shape(world, locals[number - bodies].shape) : NULL;
}

struct scree_mat3 scree_polyhedron_axes(const struct scree_world *world, size_t number)
{
    const size_t bodies = scree_world_bodies(world);
    const struct scree_mat3 axes = scree_grain_axes(world, scree_world_grains(world)[number].owner);
    if (number < bodies)
        return axes;
    const double *local = scree_polyhedron_locals(world)[number - bodies].orientation;
    return scree_mat3_product(axes, scree_quat_to_matrix(scree_quat_load(local)));
}

// --- hulls

static void free_hull(struct scree_shape *shape)
{
    if (shape->hull)
        scree_convex_free(shape->hull);
    scree_memory_free(shape->hull);
    shape->hull = NULL;
}

// Makes the hull of points, all of which must be its vertices.
static scree_status make_hull(int dimension, const struct scree_vec3 *point, size_t points, double error,
                              struct scree_shape *shape)
{
    SCREE_TRY(scree_memory_new(1, sizeof *shape->hull, (void **)&shape->hull));
    const scree_status status = scree_convex_hull_of_all(dimension, point, points, error, shape->hull);
    if (status != SCREE_OK) {
        free_hull(shape);
        return status;
    }
    shape->reach = shape->hull->radius + shape->rounding;
    shape->equal_radius =
        dimension == 2 ? sqrt(shape->volume / SCREE_PI) : scree_cbrt(shape->volume / (4.0 / 3.0 * SCREE_PI));
    return SCREE_OK;
}

static scree_status restore(struct scree_world *world, struct scree_shape *shape)
{
    const struct scree_entity *vertices = scree_world_entity(world, SCREE_ENTITY_VERTEX);
    struct scree_vec3 *point;
    shape->hull = NULL;
    if (shape->first_vertex == 0 || shape->vertices < (uint64_t)world->dimension + 1 ||
        shape->vertices > vertices->count || shape->first_vertex - 1 > vertices->count - shape->vertices ||
        !(shape->rounding >= 0) || !(shape->vertex_error >= 0))
        return scree_status_fail(SCREE_ERROR_NUMBER,
                                 "the stored world is inconsistent: a shape has vertices that do not exist, "
                                 "or a negative length");
    SCREE_TRY(scree_memory_new(shape->vertices, sizeof *point, (void **)&point));
    for (uint64_t v = 0; v < shape->vertices; ++v)
        point[v] = scree_vec3_load(vertex_rows(world)[shape->first_vertex - 1 + v].position);
    const scree_status status =
        make_hull(world->dimension, point, shape->vertices, shape->vertex_error, shape);
    scree_memory_free(point);
    return status;
}

scree_status scree_polyhedron_restore(struct scree_world *world)
{
    scree_status status = SCREE_OK;
    for (size_t s = 0; s < shapes_of(world)->count; ++s)
        if (status == SCREE_OK)
            status = restore(world, shape_row(world, s));
        else
            shape_row(world, s)->hull = NULL;
    return status;
}

void scree_polyhedron_free(struct scree_world *world)
{
    // the registry may be empty after a failure
    for (size_t s = 0; world->registry.entities.count > 0 && s < shapes_of(world)->count; ++s)
        free_hull(shape_row(world, s));
}

// --- shapes

static scree_status insert_vertices(struct scree_world *world, const struct scree_vec3 *point,
                                    struct scree_shape *shape)
{
    struct scree_entity *vertices = scree_world_entity(world, SCREE_ENTITY_VERTEX);
    SCREE_TRY(scree_entity_reserve(vertices, vertices->count + shape->vertices));
    shape->first_vertex = vertices->pool.last + 1;
    for (uint64_t v = 0; v < shape->vertices; ++v) {
        scree_slot slot;
        uint64_t id;
        const scree_status status = scree_entity_insert(vertices, &slot, &id);
        if (status != SCREE_OK) {
            for (; v > 0; --v)
                scree_entity_remove(vertices, (scree_slot){(uint32_t)vertices->count - 1});
            return status;
        }
        scree_vec3_store(point[v], vertex_rows(world)[slot.index].position);
    }
    return SCREE_OK;
}

static scree_status insert(struct scree_world *world, const struct scree_vec3 *core,
                           struct scree_shape *shape, scree_shape_id *id)
{
    scree_slot slot;
    SCREE_TRY(make_hull(world->dimension, core, shape->vertices, shape->vertex_error, shape));
    SCREE_TRY(scree_entity_reserve(shapes_of(world), shapes_of(world)->count + 1));
    SCREE_TRY(insert_vertices(world, core, shape));
    SCREE_TRY(scree_entity_insert(shapes_of(world), &slot, &id->value));
    *shape_row(world, slot.index) = *shape;
    return SCREE_OK;
}

scree_status scree_polyhedron_insert_shape(struct scree_world *world, const struct scree_vec3 *core,
                                           struct scree_shape shape, scree_shape_id *id)
{
    const scree_status status = insert(world, core, &shape, id);
    if (status != SCREE_OK)
        free_hull(&shape);
    return status;
}

static bool is_same(const struct scree_world *world, const struct scree_shape *row,
                    const struct scree_vec3 *core, const struct scree_shape *shape)
{
    if (row->vertices != shape->vertices || row->number != shape->number || row->volume != shape->volume ||
        row->rounding != shape->rounding || row->vertex_error != shape->vertex_error ||
        memcmp(row->axes, shape->axes, sizeof row->axes) != 0 ||
        memcmp(row->inertia, shape->inertia, sizeof row->inertia) != 0 ||
        memcmp(row->centre, shape->centre, sizeof row->centre) != 0)
        return false;
    for (uint64_t v = 0; v < shape->vertices; ++v)
        if (memcmp(vertex_rows(world)[row->first_vertex - 1 + v].position, &core[v], sizeof core[v]) != 0)
            return false;
    return true;
}

static scree_status insert_new(struct scree_world *world, const struct scree_vec3 *core,
                               const struct scree_shape *shape, scree_shape_id *id)
{
    // enough for all size classes of a filling
    const size_t most = 256, count = shapes_of(world)->count;
    for (size_t s = count; s > 0 && s + most > count; --s)
        if (is_same(world, shape_row(world, s - 1), core, shape)) {
            id->value = s;
            return SCREE_OK;
        }
    return scree_polyhedron_insert_shape(world, core, *shape, id);
}

scree_status scree_polyhedron_insert_scaled(struct scree_world *world, const struct scree_vec3 *core,
                                            struct scree_shape shape, double scale, scree_shape_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_vec3 *point;
    const double size = world->dimension == 2 ? scale * scale : scale * scale * scale;
    SCREE_TRY(scree_memory_new(shape.vertices, sizeof *point, (void **)&point));
    for (uint64_t v = 0; v < shape.vertices; ++v)
        point[v] = scree_vec3_scale(core[v], scale);
    shape.vertex_error *= scale;
    shape.rounding *= scale;
    shape.volume *= size;
    for (int k = 0; k < 3; ++k) {
        shape.inertia[k] *= size * scale * scale;
        shape.centre[k] *= scale;
    }
    const scree_status status = insert_new(world, point, &shape, id);
    scree_memory_free(point);
    return status;
}

scree_status scree_polyhedron_get_shape(const struct scree_world *world, scree_shape_id id,
                                        struct scree_polyhedron_shape *shape)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(shapes_of(world), id.value, &slot));
    const struct scree_shape *row = shape_row(world, slot.index);
    *shape = (struct scree_polyhedron_shape){
        .vertices = row->vertices, .volume = row->volume, .reach = row->reach, .rounding = row->rounding};
    memcpy(shape->inertia, row->inertia, sizeof shape->inertia);
    memcpy(shape->axes, row->axes, sizeof shape->axes);
    memcpy(shape->centre, row->centre, sizeof shape->centre);
    return SCREE_OK;
}

// --- bodies

static scree_status density_of(const struct scree_world *world, scree_material_id id, double *density)
{
    scree_slot slot;
    if (id.value == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a polyhedron needs a material: its density gives the mass");
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_MATERIAL), id.value, &slot));
    *density = ((const struct scree_material *)scree_world_column(world, SCREE_ENTITY_MATERIAL,
                                                                  SCREE_MATERIAL_MATERIAL))[slot.index]
                   .density;
    return SCREE_OK;
}

scree_status scree_polyhedron_orient(const struct scree_shape *shape, const double given[4],
                                     double orientation[4])
{
    const bool none = given[0] == 0 && given[1] == 0 && given[2] == 0 && given[3] == 0;
    memcpy(orientation, (const double[4]){1, 0, 0, 0}, 4 * sizeof *orientation);
    if (!none)
        SCREE_TRY(scree_rotor_orientation(given, orientation));
    const struct scree_quat axes = scree_quat_load(shape->axes);
    if (axes.w != 1)
        scree_quat_store(scree_quat_normalise(scree_quat_product(scree_quat_load(orientation), axes)),
                         orientation);
    return SCREE_OK;
}

static scree_status check_thickness(const struct scree_world *world, double thickness)
{
    if (world->dimension == 2)
        return scree_check_positive("thickness", thickness);
    return thickness == 0
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                   "in three dimensions a polyhedron has no thickness, but it is %g m",
                                   thickness);
}

scree_status scree_polyhedron_add(struct scree_world *world, const struct scree_polyhedron_def *def,
                                  scree_body_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    scree_slot slot;
    double density = 0;
    SCREE_TRY(scree_entity_find(shapes_of(world), def->shape.value, &slot));
    const struct scree_shape *shape = shape_row(world, slot.index);
    SCREE_TRY(density_of(world, def->material, &density));
    SCREE_TRY(scree_check_positive("density", density));
    SCREE_TRY(check_thickness(world, def->thickness));
    // mass per volume, or per area of a polygon
    density *= world->dimension == 2 ? def->thickness : 1;
    struct scree_rigid_def rigid = {
        .mass = density * shape->volume, .material = def->material, .fixed = def->fixed};
    memcpy(rigid.position, def->position, sizeof rigid.position);
    memcpy(rigid.velocity, def->velocity, sizeof rigid.velocity);
    memcpy(rigid.spin, def->spin, sizeof rigid.spin);
    rigid.polar = world->dimension == 2 ? density * shape->inertia[2] : 0;
    for (int k = 0; k < 3 && world->dimension == 3; ++k)
        rigid.inertia[k] = density * shape->inertia[k];
    SCREE_TRY(scree_polyhedron_orient(shape, def->orientation, rigid.orientation));
    SCREE_TRY(scree_cell_check_resolution(world, def->position, shape->reach));
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_SHAPE));
    SCREE_TRY(scree_body_add_rigid(world, &rigid, id));
    SCREE_TRY(scree_entity_find(bodies, id->value, &slot));
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    grain->radius = shape->reach;
    grain->flags |= SCREE_FLAG_SHAPED;
    body_shapes(world)[slot.index].shape = def->shape.value;
    return SCREE_OK;
}

bool scree_polyhedron_include(const struct scree_world *world, size_t number, double lower[3],
                              double upper[3])
{
    const struct scree_shape *shape = scree_polyhedron_of_grain(world, number);
    if (!shape)
        return false;
    const struct scree_mat3 axes = scree_polyhedron_axes(world, number);
    for (uint64_t v = 0; v < shape->vertices; ++v) {
        double place[3];
        scree_vec3_store(scree_mat3_apply(axes, shape->hull->vertex[v]), place);
        for (int k = 0; k < 3; ++k) {
            const double at = scree_world_grains(world)[number].position[k] + place[k];
            lower[k] = at - shape->rounding < lower[k] ? at - shape->rounding : lower[k];
            upper[k] = at + shape->rounding > upper[k] ? at + shape->rounding : upper[k];
        }
    }
    return true;
}

size_t scree_polyhedron_vertices(const struct scree_world *world, scree_body_id id, double (*vertex)[3],
                                 size_t capacity)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, id.value, &slot.index))
        return 0;
    const struct scree_shape *shape = scree_polyhedron_of(world, slot.index);
    if (!shape)
        return 0;
    const struct scree_mat3 axes = scree_grain_axes(world, slot.index);
    const struct scree_vec3 centre = scree_vec3_load(scree_world_grains(world)[slot.index].position);
    for (size_t v = 0; v < shape->vertices && v < capacity; ++v)
        scree_vec3_store(scree_vec3_add(centre, scree_mat3_apply(axes, shape->hull->vertex[v])), vertex[v]);
    return shape->vertices;
}
