// Shapes of polyhedra, in two dimensions of polygons, see include/scree/polyhedron_shape.h.
//
// A rounded body is stored as its core, the part at least the radius below all faces, and the radius. Mass
// properties are those of the rounded body.

#include "shape/polyhedron.h"

#include "base/memory.h"
#include "convex/cell.h"
#include "convex/hull.h"
#include "math/quat.h"
#include "shape/mass.h"
#include "shape/mass_convex.h"
#include "world/check.h"
#include "world/contacts.h"
#include "world/polyhedron.h"

#include <math.h>
#include <string.h>

static scree_status check_vertices(int dimension, const struct scree_polyhedron_shape_def *def)
{
    if (!def->vertex || def->vertices <= (size_t)dimension)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a %s needs at least %d vertices; got %zu",
                                 dimension == 2 ? "polygon" : "polyhedron", dimension + 1,
                                 def->vertex ? def->vertices : (size_t)0);
    for (size_t v = 0; v < def->vertices; ++v) {
        SCREE_TRY(scree_check_numbers("vertex", def->vertex[v], 3));
        if (dimension == 2 && def->vertex[v][2] != 0)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "in two dimensions z of the vertices of a polygon must be 0; that of vertex %zu is %g", v,
                def->vertex[v][2]);
    }
    return SCREE_OK;
}

static scree_status check(int dimension, const struct scree_polyhedron_shape_def *def)
{
    SCREE_TRY(check_vertices(dimension, def));
    if (!(def->rounding >= 0 && def->rounding <= 1e150) || !(def->vertex_error >= 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "rounding and vertex error of a polyhedron must be at least 0 m; got %g and %g", def->rounding,
            def->vertex_error);
    return SCREE_OK;
}

static double error_of(const struct scree_polyhedron_shape_def *def)
{
    double largest = 0;
    for (size_t v = 0; v < def->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            largest = fabs(def->vertex[v][k]) > largest ? fabs(def->vertex[v][k]) : largest;
    return def->vertex_error > 0 ? def->vertex_error : 1e-12 * largest;
}

scree_status scree_shape_polyhedron_hull(int dimension, const struct scree_polyhedron_shape_def *def,
                                         struct scree_convex *body, double *error)
{
    struct scree_vec3 *point;
    *body = (struct scree_convex){0};
    SCREE_TRY(check(dimension, def));
    *error = error_of(def);
    SCREE_TRY(scree_memory_new(def->vertices, sizeof *point, (void **)&point));
    for (size_t v = 0; v < def->vertices; ++v)
        point[v] = scree_vec3_load(def->vertex[v]);
    const scree_status status = scree_convex_hull_of_all(dimension, point, def->vertices, *error, body);
    scree_memory_free(point);
    return status;
}

// Planes that meet in one point only within the error of coordinates have several vertices there after
// erosion. Those on the hull of the others are left out, as a hull of the vertices does not have them.
static scree_status join_vertices(double error, struct scree_convex *body)
{
    for (;;) {
        struct scree_convex hull;
        SCREE_TRY(scree_convex_hull(body->dimension, body->vertex, body->vertices, error, &hull));
        if (hull.vertices == body->vertices) {
            scree_convex_free(&hull);
            return SCREE_OK;
        }
        scree_convex_free(body);
        *body = hull;
    }
}

static scree_status erode(double rounding, double error, struct scree_convex *body)
{
    struct scree_convex core;
    if (!(rounding > 0))
        return SCREE_OK;
    SCREE_TRY(scree_convex_erode(body, rounding, &core));
    scree_convex_free(body);
    *body = core;
    return join_vertices(error, body);
}

// Moves the core to the centre of mass and turns it to the principal axes.
static void place(const struct scree_shape *shape, struct scree_convex *core)
{
    const struct scree_mat3 axes = scree_quat_to_matrix(scree_quat_load(shape->axes));
    for (uint32_t v = 0; v < core->vertices; ++v)
        core->vertex[v] = scree_mat3_apply_transposed(
            axes, scree_vec3_sub(core->vertex[v], scree_vec3_load(shape->centre)));
}

// A face that lies on a plane has a contact at each corner.
static scree_status check_corners(const struct scree_convex *core)
{
    for (uint32_t f = 0; f < core->faces; ++f)
        if (core->face[f].corners > SCREE_OUTSIDE_MOST)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a face of a polyhedron has %u corners, but must have at most %d, because it has a contact "
                "at each corner if it lies on a plane: use fewer vertices",
                (unsigned)core->face[f].corners, (int)SCREE_OUTSIDE_MOST);
    return SCREE_OK;
}

scree_status scree_shape_polyhedron(struct scree_convex *body, double error, double rounding,
                                    struct scree_shape *shape)
{
    struct scree_shape_mass mass;
    SCREE_TRY(erode(rounding, error, body));
    SCREE_TRY(check_corners(body));
    SCREE_TRY(scree_shape_mass_convex(body, rounding, &mass));
    *shape = (struct scree_shape){
        .vertices = body->vertices, .vertex_error = error, .rounding = rounding, .volume = mass.value.volume};
    memcpy(shape->centre, mass.value.centre, sizeof shape->centre);
    // a polygon needs only the moment about z
    if (body->dimension == 3)
        scree_shape_principal(mass.value.inertia, shape->inertia, shape->axes);
    else
        shape->axes[0] = 1;
    if (body->dimension == 2)
        shape->inertia[2] = mass.value.inertia[2];
    for (int k = 0; k < 3; ++k)
        shape->inertia[k] *= shape->volume;
    place(shape, body);
    return SCREE_OK;
}

scree_status scree_polyhedron_add_shape(struct scree_world *world,
                                        const struct scree_polyhedron_shape_def *def, scree_shape_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_convex body;
    struct scree_shape shape;
    double error;
    SCREE_TRY(scree_world_check_not_in_load(world));
    scree_status status = scree_shape_polyhedron_hull(world->dimension, def, &body, &error);
    if (status == SCREE_OK)
        status = scree_shape_polyhedron(&body, error, def->rounding, &shape);
    if (status == SCREE_OK)
        status = scree_polyhedron_insert_shape(world, body.vertex, shape, id);
    scree_convex_free(&body);
    return status;
}

scree_status scree_polyhedron_add_box(struct scree_world *world, const double length[3], double rounding,
                                      scree_shape_id *id)
{
    double vertex[8][3];
    const bool flat = world->dimension == 2;
    for (int k = 0; k < world->dimension; ++k)
        SCREE_TRY(scree_check_positive(flat ? "edge of a rectangle" : "edge of a box", length[k]));
    if (flat && length[2] != 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "in two dimensions a box is a rectangle: its third edge must be 0, not %g m",
                                 length[2]);
    for (int v = 0; v < 8; ++v)
        for (int k = 0; k < 3; ++k)
            vertex[v][k] = v >> k & 1 ? 0.5 * length[k] : -0.5 * length[k];
    const struct scree_polyhedron_shape_def def = {
        .vertex = (const double(*)[3])vertex, .vertices = flat ? 4 : 8, .rounding = rounding};
    return scree_polyhedron_add_shape(world, &def, id);
}
