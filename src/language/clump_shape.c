// Reads the shapes of the library and meshes, see clump_shape.h.

#include "language/clump_shape.h"

#include "base/memory.h"
#include "language/reading.h"

#include <string.h>

// A shape of the library, and the keys of its values; SCREE_KEYS for those that it does not have.
static const struct row {
    enum scree_key_id key;
    enum scree_shape_kind kind;
    enum scree_key_id length, radius, pebbles, seed;
} rows[] = {
#define ROW(key, kind, section, length)                                                                      \
    {                                                                                                        \
        SCREE_KEY_clump_##key, SCREE_SHAPE_##kind, SCREE_KEY_##section##_##length,                           \
            SCREE_KEY_##section##_radius, SCREE_KEY_##section##_pebbles, SCREE_KEYS                          \
    }
    ROW(rod, ROD, clump_row, length),
    ROW(cross, CROSS, clump_row, length),
    ROW(tetrahedron, TETRAHEDRON, clump_corners, edge),
    ROW(cube, CUBE, clump_corners, edge),
    ROW(triangle, TRIANGLE, clump_corners, edge),
    ROW(square, SQUARE, clump_corners, edge),
#undef ROW
    {SCREE_KEY_clump_dimer, SCREE_SHAPE_DIMER, SCREE_KEY_clump_dimer_distance, SCREE_KEY_clump_dimer_radius,
     SCREE_KEYS, SCREE_KEYS},
    {SCREE_KEY_clump_ellipsoid, SCREE_SHAPE_ELLIPSOID, SCREE_KEY_clump_ellipsoid_half_axes, SCREE_KEYS,
     SCREE_KEY_clump_ellipsoid_pebbles, SCREE_KEYS},
    {SCREE_KEY_clump_ellipse, SCREE_SHAPE_ELLIPSE, SCREE_KEY_clump_ellipsoid_half_axes, SCREE_KEYS,
     SCREE_KEY_clump_ellipsoid_pebbles, SCREE_KEYS},
    {SCREE_KEY_clump_pebble, SCREE_SHAPE_PEBBLE, SCREE_KEYS, SCREE_KEY_clump_irregular_radius,
     SCREE_KEY_clump_irregular_pebbles, SCREE_KEY_clump_irregular_seed},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct row *find_row(const struct scree_node *map)
{
    for (size_t k = 0; k < ROWS; ++k)
        if (scree_reading_has(map, rows[k].key))
            return &rows[k];
    return NULL;
}

const struct scree_node *scree_clump_shape_node(const struct scree_node *map)
{
    const struct row *row = find_row(map);
    return scree_reading_node(map, row ? row->key : SCREE_KEY_clump_mesh);
}

// Reports a failure at a node; returns true if there is none.
static bool report(struct scree_reading *reading, const struct scree_node *node, scree_status status)
{
    if (status != SCREE_OK && scree_reading_report_status(reading, node, status) == SCREE_ERROR_MEMORY)
        reading->values.status = SCREE_ERROR_MEMORY;
    return status == SCREE_OK;
}

static bool allocate(struct scree_reading *reading, struct scree_clump_shape *shape, size_t pebbles)
{
    shape->pebbles = pebbles;
    if (scree_memory_new(pebbles, sizeof *shape->pebble, (void **)&shape->pebble) == SCREE_OK)
        return true;
    reading->values.status = SCREE_ERROR_MEMORY;
    return false;
}

// --- the library

static bool read_optional(struct scree_reading *reading, const struct scree_node *node, enum scree_key_id key,
                          void *value)
{
    return key == SCREE_KEYS || scree_reading_value(reading, node, key, value);
}

static bool read_row(struct scree_reading *reading, const struct scree_node *node, const struct row *row,
                     struct scree_clump_shape *shape)
{
    struct scree_shape_def def = {.kind = row->kind, .dimension = reading->dimension};
    uint64_t pebbles = 2;
    return read_optional(reading, node, row->length, def.length) &&
           read_optional(reading, node, row->radius, &def.radius) &&
           read_optional(reading, node, row->pebbles, &pebbles) &&
           read_optional(reading, node, row->seed, &def.seed) &&
           allocate(reading, shape, def.pebbles = (size_t)pebbles) &&
           report(reading, node, scree_shape_make(&def, shape->pebble));
}

// --- meshes

struct mesh {
    double (*vertex)[3], (*number)[3];
    uint32_t (*triangle)[3];
    size_t vertices, triangles;
};

static void free_mesh(struct mesh *mesh)
{
    scree_memory_free(mesh->vertex);
    scree_memory_free(mesh->number);
    scree_memory_free(mesh->triangle);
}

static bool read_mesh(struct scree_reading *reading, const struct scree_node *node, struct mesh *mesh)
{
    mesh->vertices = scree_reading_count(node, SCREE_KEY_clump_mesh_vertices);
    mesh->triangles = scree_reading_count(node, SCREE_KEY_clump_mesh_triangles);
    if (scree_memory_new(mesh->vertices, sizeof *mesh->vertex, (void **)&mesh->vertex) != SCREE_OK ||
        scree_memory_new(mesh->triangles, sizeof *mesh->number, (void **)&mesh->number) != SCREE_OK ||
        scree_memory_new(mesh->triangles, sizeof *mesh->triangle, (void **)&mesh->triangle) != SCREE_OK) {
        reading->values.status = SCREE_ERROR_MEMORY;
        return false;
    }
    bool good = scree_reading_triples(reading, node, SCREE_KEY_clump_mesh_vertices, mesh->vertex) &&
                scree_reading_triples(reading, node, SCREE_KEY_clump_mesh_triangles, mesh->number);
    for (size_t t = 0; good && t < mesh->triangles; ++t)
        for (int k = 0; good && k < 3; ++k) {
            mesh->triangle[t][k] = (uint32_t)mesh->number[t][k];
            if ((double)mesh->triangle[t][k] < mesh->number[t][k])
                good = scree_reading_report(
                    reading, scree_reading_node(node, SCREE_KEY_clump_mesh_triangles)->item[t],
                    "the number of a vertex must be whole, not %g", mesh->number[t][k]);
        }
    return good;
}

static bool fill_mesh(struct scree_reading *reading, const struct scree_node *node, const struct mesh *mesh,
                      struct scree_clump_shape *shape)
{
    const struct scree_shape_mesh triangles = {(const double(*)[3])mesh->vertex, mesh->vertices,
                                               (const uint32_t(*)[3])mesh->triangle, mesh->triangles};
    struct scree_shape_packing wanted = {0};
    uint64_t pebbles;
    bool good = scree_reading_whole(reading, node, SCREE_KEY_clump_mesh_pebbles, &pebbles);
    if (scree_reading_has(node, SCREE_KEY_clump_mesh_volume_error))
        good = scree_reading_number(reading, node, SCREE_KEY_clump_mesh_volume_error, &wanted.volume_error) &&
               good;
    if (scree_reading_has(node, SCREE_KEY_clump_mesh_surface_error))
        good =
            scree_reading_number(reading, node, SCREE_KEY_clump_mesh_surface_error, &wanted.surface_error) &&
            good;
    if (!good || !allocate(reading, shape, (size_t)pebbles))
        return false;
    wanted.pebbles = (size_t)pebbles;
    return report(reading, node, scree_shape_mass_mesh(&triangles, &shape->mesh)) &&
           report(reading, node,
                  scree_shape_pack(&triangles, &wanted, shape->pebble, &shape->pebbles, &shape->fidelity));
}

bool scree_clump_shape_read(struct scree_reading *reading, const struct scree_node *map,
                            struct scree_clump_shape *shape)
{
    const struct row *row = find_row(map);
    const struct scree_node *node = scree_clump_shape_node(map);
    struct mesh mesh = {0};
    if (row)
        return read_row(reading, node, row, shape);
    if (reading->dimension == 2)
        return scree_reading_report(reading, node, "a mesh of triangles needs three dimensions");
    shape->is_mesh = true;
    const bool good = read_mesh(reading, node, &mesh) && fill_mesh(reading, node, &mesh, shape);
    free_mesh(&mesh);
    return good;
}
