// Surfaces of polyhedra as triangles with arrays, see frames.h: by ascending id of the body, then by part.
// Faces are drawn where they are, as fans; rounded edges as flat strips between them, and corners as flat
// polygons, so that the surface is closed. In two dimensions a body is its area, with flat corners.

#include "convex/convex.h"
#include "run/frames.h"
#include "world/grain.h"
#include "world/group.h"
#include "world/polyhedron.h"

#include <string.h>

// Numbers of the grains that are polyhedra in the order of the file.
struct polyhedra {
    const struct scree_frames_source *source;
    uint32_t *number;
    size_t count;
};

// A polygon of n corners is n - 2 triangles; the corner of n edges is a polygon of n corners.
static size_t triangles_of(const struct scree_shape *shape)
{
    const struct scree_convex *hull = shape->hull;
    size_t triangles = 0;
    if (hull->dimension == 2)
        return (shape->rounding > 0 ? 2 : 1) * (size_t)hull->faces - 2;
    for (uint32_t f = 0; f < hull->faces; ++f)
        triangles += hull->face[f].corners - 2;
    return triangles + (shape->rounding > 0 ? 4 * (size_t)hull->edges - 2 * (size_t)hull->vertices : 0);
}

// Every corner of every face is a point.
static size_t points_of(const struct scree_convex *hull)
{
    const struct scree_convex_face *last = &hull->face[hull->faces - 1];
    return last->first + last->corners;
}

// A surface that is being written: the next triangle, and the number of the first point of the body.
struct surface {
    const struct scree_convex *hull;
    int64_t *corner;
    int64_t point;
};

static void add_triangle(struct surface *surface, uint32_t a, uint32_t b, uint32_t c)
{
    *surface->corner++ = surface->point + a;
    *surface->corner++ = surface->point + b;
    *surface->corner++ = surface->point + c;
}

// The point of a vertex in the loop of a face.
static uint32_t point_in(const struct scree_convex *hull, uint32_t face, uint32_t vertex)
{
    uint32_t at = hull->face[face].first;
    while (hull->corner[at] != vertex)
        ++at;
    return at;
}

// The face across the edge from a corner to the next.
static uint32_t face_across(const struct scree_convex *hull, uint32_t face, uint32_t corner)
{
    const struct scree_convex_edge *edge = &hull->edge[hull->corner_edge[corner]];
    return edge->face[0] == face ? edge->face[1] : edge->face[0];
}

static void add_faces(struct surface *surface)
{
    const struct scree_convex *hull = surface->hull;
    for (uint32_t f = 0; f < hull->faces; ++f) {
        const uint32_t first = hull->face[f].first;
        for (uint32_t k = 2; k < hull->face[f].corners; ++k)
            add_triangle(surface, first, first + k - 1, first + k);
    }
}

// Sides follow each other, and each has two points. Without rounding every second one is at the place of the
// next.
static void add_area(struct surface *surface, bool rounded)
{
    const uint32_t step = rounded ? 1 : 2, points = 2 * surface->hull->faces;
    for (uint32_t at = 2 * step; at < points; at += step)
        add_triangle(surface, 0, at - step, at);
}

static void add_edges(struct surface *surface)
{
    const struct scree_convex *hull = surface->hull;
    for (uint32_t e = 0; e < hull->edges; ++e) {
        const struct scree_convex_edge *edge = &hull->edge[e];
        const uint32_t left[2] = {point_in(hull, edge->face[0], edge->vertex[0]),
                                  point_in(hull, edge->face[0], edge->vertex[1])};
        const uint32_t right[2] = {point_in(hull, edge->face[1], edge->vertex[0]),
                                   point_in(hull, edge->face[1], edge->vertex[1])};
        add_triangle(surface, left[0], right[0], right[1]);
        add_triangle(surface, left[0], right[1], left[1]);
    }
}

// The faces around a vertex, passed clockwise as seen from outside.
static void add_corner(struct surface *surface, uint32_t vertex, uint32_t face)
{
    const struct scree_convex *hull = surface->hull;
    const uint32_t start = point_in(hull, face, vertex);
    uint32_t before = start, at = start;
    for (;;) {
        face = face_across(hull, face, at);
        at = point_in(hull, face, vertex);
        if (at == start)
            return;
        if (before != start)
            add_triangle(surface, start, at, before);
        before = at;
    }
}

static void add_corners(struct surface *surface)
{
    const struct scree_convex *hull = surface->hull;
    for (uint32_t v = 0; v < hull->vertices; ++v)
        for (uint32_t e = 0; e < hull->edges; ++e)
            if (hull->edge[e].vertex[0] == v || hull->edge[e].vertex[1] == v) {
                add_corner(surface, v, hull->edge[e].face[0]);
                break;
            }
}

static void add_points(const struct polyhedra *polyhedra, uint32_t number, size_t point,
                       struct scree_vtk_grid *grid)
{
    const struct scree_world *world = polyhedra->source->world;
    const struct scree_shape *shape = scree_polyhedron_of_grain(world, number);
    const struct scree_convex *hull = shape->hull;
    const struct scree_mat3 axes = scree_polyhedron_axes(world, number);
    const struct scree_vec3 centre = scree_vec3_load(scree_world_grains(world)[number].position);
    for (uint32_t f = 0; f < hull->faces; ++f)
        for (uint32_t k = 0; k < hull->face[f].corners; ++k, ++point) {
            const struct scree_vec3 corner = scree_vec3_add_scaled(
                hull->vertex[hull->corner[hull->face[f].first + k]], shape->rounding, hull->face[f].normal);
            double at[3];
            scree_vec3_store(scree_vec3_add(centre, scree_mat3_apply(axes, corner)), at);
            for (unsigned c = 0; c < 3; ++c)
                scree_vtk_store(grid->point, grid->position_type, 3 * point + c, at[c]);
        }
}

static void add_body(const struct polyhedra *polyhedra, uint32_t number, size_t point, size_t cell,
                     struct scree_vtk_grid *grid)
{
    const struct scree_shape *shape = scree_polyhedron_of_grain(polyhedra->source->world, number);
    struct surface surface = {shape->hull, grid->corner + 3 * cell, (int64_t)point};
    add_points(polyhedra, number, point, grid);
    if (shape->hull->dimension == 2) {
        add_area(&surface, shape->rounding > 0);
        return;
    }
    add_faces(&surface);
    if (shape->rounding > 0) {
        add_edges(&surface);
        add_corners(&surface);
    }
}

static bool is_integer(enum scree_frames_quantity quantity)
{
    return quantity == SCREE_FRAMES_POLYHEDRON_BODY || quantity == SCREE_FRAMES_POLYHEDRON_PART ||
           quantity == SCREE_FRAMES_POLYHEDRON_MATERIAL || quantity == SCREE_FRAMES_POLYHEDRON_GROUPS;
}

static int64_t integer_of(const struct scree_world *world, uint32_t number,
                          enum scree_frames_quantity quantity)
{
    const struct scree_grain *grain = &scree_world_grains(world)[number];
    switch (quantity) {
    case SCREE_FRAMES_POLYHEDRON_BODY:
        return (int64_t)scree_world_ids(world)[grain->owner];
    case SCREE_FRAMES_POLYHEDRON_PART:
        return grain->part;
    case SCREE_FRAMES_POLYHEDRON_MATERIAL:
        return grain->material;
    default:
        return (int64_t)scree_group_of_body(world, grain->owner);
    }
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
        const uint32_t number = polyhedra->number[p];
        const struct scree_grain *grain = &scree_world_grains(world)[number];
        const double *value = field->quantity == SCREE_FRAMES_POLYHEDRON_SPIN ? grain->spin : grain->velocity;
        const int64_t whole = integer_of(world, number, field->quantity);
        const size_t last = cell + triangles_of(scree_polyhedron_of_grain(world, number));
        for (; cell < last; ++cell) {
            if (integer)
                memcpy((char *)array->data + cell * sizeof whole, &whole, sizeof whole);
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
        const struct scree_shape *shape = scree_polyhedron_of_grain(world, polyhedra->number[p]);
        grid->points += points_of(shape->hull);
        grid->cells += triangles_of(shape);
    }
    grid->cell = SCREE_VTK_TRIANGLE;
    grid->position_type = polyhedra->source->real;
    SCREE_TRY(scree_memory_new(grid->points, 3 * scree_field_size(grid->position_type), &grid->point));
    SCREE_TRY(scree_memory_new(3 * grid->cells, sizeof *grid->corner, (void **)&grid->corner));
    for (size_t p = 0; p < polyhedra->count; ++p) {
        const struct scree_shape *shape = scree_polyhedron_of_grain(world, polyhedra->number[p]);
        add_body(polyhedra, polyhedra->number[p], point, cell, grid);
        point += points_of(shape->hull);
        cell += triangles_of(shape);
    }
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
    SCREE_TRY(scree_grain_reserve_records(source->world));
    scree_grain_update_records(source->world, 0, &source->team);
    scree_status status = scree_grain_list(source->world, true, &polyhedra.number, &polyhedra.count);
    if (status == SCREE_OK)
        status = add_all(&polyhedra, field, fields, grid);
    scree_memory_free(polyhedra.number);
    return status;
}
