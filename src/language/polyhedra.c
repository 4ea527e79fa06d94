// Reads the shapes of polyhedra, see polyhedra.h.

#include "language/polyhedra.h"

#include "convex/hull.h"
#include "convex/library.h"
#include "file/path.h"
#include "language/reading.h"
#include "math/power.h"
#include "math/real.h"
#include "shape/polyhedron.h"

#include <scree/mesh_file.h>

#include <string.h>

void scree_polyhedra_free(struct scree_polyhedra *polyhedra)
{
    for (size_t k = 0; polyhedra && k < polyhedra->shape.count; ++k) {
        scree_convex_free(&polyhedra->shape.data[k]->core);
        scree_memory_free(polyhedra->shape.data[k]->vertex);
        scree_memory_free(polyhedra->shape.data[k]);
    }
    if (polyhedra)
        scree_array_free(&polyhedra->shape);
    scree_memory_free(polyhedra);
}

// Reports a failure at a node; returns true if there is none.
static bool report(struct scree_reading *reading, const struct scree_node *node, scree_status status)
{
    if (status != SCREE_OK && scree_reading_report_status(reading, node, status) == SCREE_ERROR_MEMORY)
        reading->values.status = SCREE_ERROR_MEMORY;
    return status == SCREE_OK;
}

// --- the library

// A shape of the library, and the keys of its lengths; SCREE_KEYS for none.
static const struct row {
    enum scree_key_id key;
    enum scree_convex_kind kind;
    enum scree_key_id length[2];
} rows[] = {
#define ROW(key, kind)                                                                                       \
    {                                                                                                        \
        SCREE_KEY_polyhedra_##key, SCREE_CONVEX_##kind,                                                      \
        {                                                                                                    \
            SCREE_KEY_polyhedra_regular_edge, SCREE_KEYS                                                     \
        }                                                                                                    \
    }
    ROW(cube, CUBE),
    ROW(tetrahedron, TETRAHEDRON),
    ROW(octahedron, OCTAHEDRON),
    ROW(dodecahedron, DODECAHEDRON),
    ROW(icosahedron, ICOSAHEDRON),
#undef ROW
    {SCREE_KEY_polyhedra_prism,
     SCREE_CONVEX_PRISM,
     {SCREE_KEY_polyhedra_prism_radius, SCREE_KEY_polyhedra_prism_height}},
    {SCREE_KEY_polyhedra_polygon, SCREE_CONVEX_POLYGON, {SCREE_KEY_polyhedra_polygon_radius, SCREE_KEYS}},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static bool make_row(struct scree_reading *reading, const struct scree_node *map, const struct row *row,
                     struct scree_convex *body)
{
    const struct scree_node *node = scree_reading_node(map, row->key);
    struct scree_convex_def def = {.kind = row->kind};
    uint64_t sides = 0;
    for (int k = 0; k < 2 && row->length[k] != SCREE_KEYS; ++k)
        if (!scree_reading_number(reading, node, row->length[k], &def.length[k]))
            return false;
    const enum scree_key_id key = row->kind == SCREE_CONVEX_POLYGON ? SCREE_KEY_polyhedra_polygon_sides
                                  : row->kind == SCREE_CONVEX_PRISM ? SCREE_KEY_polyhedra_prism_sides
                                                                    : SCREE_KEYS;
    if (key != SCREE_KEYS && !scree_reading_whole(reading, node, key, &sides))
        return false;
    def.sides = (uint32_t)sides;
    return report(reading, node, scree_convex_library(&def, body));
}

static bool make_box(struct scree_reading *reading, const struct scree_node *map, struct scree_convex *body)
{
    struct scree_convex_def def = {.kind = SCREE_CONVEX_BOX};
    return scree_reading_vector(reading, map, SCREE_KEY_polyhedra_box, def.length) &&
           report(reading, map, scree_convex_library(&def, body));
}

static bool make_rectangle(struct scree_reading *reading, const struct scree_node *map,
                           struct scree_convex *body)
{
    struct scree_convex_def def = {.kind = SCREE_CONVEX_RECTANGLE};
    return scree_reading_value(reading, map, SCREE_KEY_polyhedra_rectangle, def.length) &&
           report(reading, map, scree_convex_library(&def, body));
}

// --- vertices and meshes

static bool make_hull(struct scree_reading *reading, const struct scree_node *map, struct scree_convex *body,
                      double *error)
{
    double(*vertex)[3];
    const size_t count = scree_reading_count(map, SCREE_KEY_polyhedra_vertices);
    if (!report(reading, map, scree_memory_new(count, sizeof *vertex, (void **)&vertex)))
        return false;
    struct scree_polyhedron_shape_def def = {.vertex = (const double(*)[3])vertex, .vertices = count};
    bool good = !scree_reading_has(map, SCREE_KEY_polyhedra_vertex_error) ||
                scree_reading_number(reading, map, SCREE_KEY_polyhedra_vertex_error, &def.vertex_error);
    good = good && scree_reading_triples(reading, map, SCREE_KEY_polyhedra_vertices, vertex) &&
           report(reading, scree_reading_node(map, SCREE_KEY_polyhedra_vertices),
                  scree_shape_polyhedron_hull(reading->dimension, &def, body, error));
    scree_memory_free(vertex);
    return good;
}

static scree_status take_mesh(const struct scree_mesh *mesh, const struct scree_mesh_report *found,
                              struct scree_convex *body)
{
    const struct scree_mesh_places *open = found->open.count > 0 ? &found->open : &found->nonmanifold;
    const double *at = open->first[0].position;
    if (!found->watertight)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the mesh is not closed: of %zu edges, %zu have one facet and %zu more than "
                                 "two, the first at (%.6g, %.6g, %.6g) m",
                                 found->edges, found->open.count, found->nonmanifold.count, at[0], at[1],
                                 at[2]);
    return scree_convex_from_mesh((const double(*)[3])mesh->vertex, mesh->vertices,
                                  (const uint32_t(*)[3])mesh->facet, mesh->facets, mesh->error, body);
}

// Replaces the hull of a mesh by the hull of its vertices, which are kept: a checkpoint has them instead of
// the file, and must give the same numbers.
static scree_status keep_vertices(double error, struct scree_convex *body,
                                  struct scree_polyhedra_shape *shape)
{
    struct scree_convex hull;
    // points may be vertices of a hull only by round-off
    for (bool same = false; !same;) {
        SCREE_TRY(scree_convex_hull(3, body->vertex, body->vertices, error, &hull));
        same = hull.vertices == body->vertices;
        if (!same) {
            scree_convex_free(body);
            *body = hull;
        }
    }
    shape->vertices = body->vertices;
    shape->vertex_error = error;
    scree_status status = scree_memory_new(shape->vertices, sizeof *shape->vertex, (void **)&shape->vertex);
    for (size_t v = 0; v < shape->vertices && status == SCREE_OK; ++v)
        scree_vec3_store(body->vertex[v], shape->vertex[v]);
    scree_convex_free(body);
    *body = hull;
    return status;
}

static bool make_mesh(struct scree_reading *reading, const struct scree_node *map, struct scree_convex *body,
                      double *error, struct scree_polyhedra_shape *shape)
{
    const struct scree_node *node = scree_reading_node(map, SCREE_KEY_polyhedra_mesh),
                            *file = scree_reading_node(node, SCREE_KEY_polyhedra_mesh_file);
    struct scree_mesh_def how = {0};
    struct scree_mesh mesh = {0};
    struct scree_mesh_report found;
    const char *name;
    char *path = NULL;
    if (!scree_reading_text(reading, node, SCREE_KEY_polyhedra_mesh_file, &name) ||
        !scree_reading_text(reading, node, SCREE_KEY_polyhedra_mesh_unit, &how.unit))
        return false;
    scree_status status = scree_path_join(reading->folder, name, &path);
    if (status == SCREE_OK)
        status = scree_mesh_read(path, &how, &mesh, &found);
    if (status == SCREE_OK)
        status = take_mesh(&mesh, &found, body);
    *error = scree_real_max(mesh.error, 1e-12 * body->radius);
    if (status == SCREE_OK)
        status = keep_vertices(*error, body, shape);
    scree_mesh_free(&mesh);
    scree_memory_free(path);
    return report(reading, file, status);
}

// --- shapes

// Makes the body with sharp edges, and the largest error of its coordinates.
static bool make_body(struct scree_reading *reading, const struct scree_node *map, struct scree_convex *body,
                      double *error, struct scree_polyhedra_shape *shape)
{
    bool good = false;
    for (size_t k = 0; k < ROWS; ++k)
        if (scree_reading_has(map, rows[k].key))
            good = make_row(reading, map, &rows[k], body);
    if (scree_reading_has(map, SCREE_KEY_polyhedra_vertices))
        good = make_hull(reading, map, body, error);
    else if (scree_reading_has(map, SCREE_KEY_polyhedra_mesh))
        good = make_mesh(reading, map, body, error, shape);
    else if (scree_reading_has(map, SCREE_KEY_polyhedra_box))
        good = make_box(reading, map, body);
    else if (scree_reading_has(map, SCREE_KEY_polyhedra_rectangle))
        good = make_rectangle(reading, map, body);
    *error = scree_real_max(*error, 1e-12 * body->radius);
    return good;
}

// Hulls are made of the vertices alone, as in the world.
static scree_status make_core(struct scree_convex *body, struct scree_polyhedra_shape *shape)
{
    SCREE_TRY(scree_convex_hull(body->dimension, body->vertex, body->vertices, shape->row.vertex_error,
                                &shape->core));
    shape->radius = body->dimension == 2 ? sqrt(shape->row.volume / SCREE_PI)
                                         : scree_cbrt(shape->row.volume / (4.0 / 3.0 * SCREE_PI));
    shape->reach = shape->core.radius + shape->row.rounding;
    shape->around.radius = shape->reach / shape->radius;
    return SCREE_OK;
}

bool scree_polyhedra_fits(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key)
{
    const char *name = scree_key_rows[key].name;
    if (!scree_reading_has(map, key))
        return true;
    return reading->dimension == 2
               ? scree_reading_report(reading, scree_reading_node(map, key),
                                      "'%s' needs three dimensions: in two a shape is given by 'rectangle', "
                                      "'polygon' or 'vertices'",
                                      name)
               : scree_reading_report(reading, scree_reading_node(map, key),
                                      "'%s' needs two dimensions (`dimension: 2`)", name);
}

// Only vertices give a shape in any dimension.
static bool check_dimension(struct scree_reading *reading, const struct scree_node *map)
{
    static const enum scree_key_id solid[] = {
        SCREE_KEY_polyhedra_box,        SCREE_KEY_polyhedra_cube,         SCREE_KEY_polyhedra_tetrahedron,
        SCREE_KEY_polyhedra_octahedron, SCREE_KEY_polyhedra_dodecahedron, SCREE_KEY_polyhedra_icosahedron,
        SCREE_KEY_polyhedra_prism,      SCREE_KEY_polyhedra_mesh};
    static const enum scree_key_id flat[] = {SCREE_KEY_polyhedra_rectangle, SCREE_KEY_polyhedra_polygon};
    for (size_t k = 0; k < sizeof solid / sizeof solid[0]; ++k)
        if (reading->dimension == 2 && !scree_polyhedra_fits(reading, map, solid[k]))
            return false;
    for (size_t k = 0; k < sizeof flat / sizeof flat[0]; ++k)
        if (reading->dimension == 3 && !scree_polyhedra_fits(reading, map, flat[k]))
            return false;
    return true;
}

static bool make(struct scree_reading *reading, const struct scree_node *map,
                 struct scree_polyhedra_shape *shape)
{
    struct scree_convex body = {0};
    double rounding, error = 0;
    bool good = check_dimension(reading, map) &&
                scree_reading_number(reading, map, SCREE_KEY_polyhedra_rounding, &rounding) &&
                make_body(reading, map, &body, &error, shape);
    good = good && report(reading, map, scree_shape_polyhedron(&body, error, rounding, &shape->row)) &&
           report(reading, map, make_core(&body, shape));
    scree_convex_free(&body);
    return good;
}

static scree_status add_shape(struct scree_reading *reading, struct scree_polyhedra_shape **shape)
{
    if (!reading->polyhedra)
        SCREE_TRY(scree_memory_new(1, sizeof *reading->polyhedra, (void **)&reading->polyhedra));
    SCREE_TRY(scree_memory_new(1, sizeof **shape, (void **)shape));
    const scree_status status = scree_array_push(&reading->polyhedra->shape, *shape);
    if (status != SCREE_OK)
        scree_memory_free(*shape);
    return status;
}

bool scree_polyhedra_check_name(struct scree_reading *reading, const struct scree_node *map, const char *what,
                                const char *name)
{
    if (name[0] == '\0')
        return scree_reading_report(reading, map, "the name of %s must not be empty", what);
    // files name the shapes of bodies by their number too, and spheres and disks by these words
    if (name[strspn(name, "-0123456789")] == '\0')
        return scree_reading_report(reading, map, "the name of %s must not be a number: '%s'", what, name);
    if (strcmp(name, "sphere") == 0 || strcmp(name, "disk") == 0)
        return scree_reading_report(reading, map,
                                    "the name of %s must not be '%s', which files of bodies have for those "
                                    "without a shape",
                                    what, name);
    return true;
}

static bool check_name(struct scree_reading *reading, const struct scree_node *map, const char *name)
{
    const struct scree_node *clumps = scree_reading_node(reading->root, SCREE_KEY_scene_clumps);
    if (!scree_polyhedra_check_name(reading, map, "a shape", name))
        return false;
    if (clumps && scree_tree_find(clumps, name))
        return scree_reading_report(reading, map,
                                    "a clump is named '%.60s' too: shapes must have different names", name);
    return true;
}

// Makes shape number `number`. A mistake is reported once.
static const struct scree_polyhedra_shape *add(struct scree_reading *reading, const struct scree_node *map,
                                               const char *name, uint64_t number)
{
    struct scree_polyhedra_shape *shape;
    if (add_shape(reading, &shape) != SCREE_OK) {
        reading->values.status = SCREE_ERROR_MEMORY;
        return NULL;
    }
    shape->name = name;
    if (!check_name(reading, map, name) || !make(reading, map, shape))
        return NULL;
    shape->row.number = number;
    return shape;
}

const struct scree_polyhedra_shape *scree_polyhedra_find(struct scree_reading *reading, const char *name)
{
    const struct scree_polyhedra *polyhedra = reading->polyhedra;
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_polyhedra);
    for (size_t k = 0; polyhedra && k < polyhedra->shape.count; ++k)
        if (strcmp(polyhedra->shape.data[k]->name, name) == 0)
            return polyhedra->shape.data[k]->core.vertices > 0 ? polyhedra->shape.data[k] : NULL;
    for (size_t k = 0; map && k < map->count; ++k)
        if (strcmp(map->item[2 * k]->text, name) == 0)
            return add(reading, map->item[2 * k + 1], map->item[2 * k]->text, k + 1);
    return NULL;
}

const struct scree_polyhedra_shape *scree_polyhedra_read(struct scree_reading *reading,
                                                         const struct scree_node *map, enum scree_key_id key)
{
    const char *name;
    return scree_reading_text(reading, map, key, &name) ? scree_polyhedra_find(reading, name) : NULL;
}

const struct scree_polyhedra_shape *scree_polyhedra_at(struct scree_reading *reading, size_t index)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_polyhedra);
    return map && index < map->count ? scree_polyhedra_find(reading, map->item[2 * index]->text) : NULL;
}

scree_status scree_polyhedra_make(struct scree_reading *reading)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_polyhedra);
    for (size_t k = 0; map && k < map->count; ++k)
        (void)scree_polyhedra_at(reading, k);
    return reading->values.status;
}
