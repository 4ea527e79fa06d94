// Polyhedra on surfaces of facets: meshes, walls and worlds with one wall.

#ifndef TESTS_SUPPORT_POLYHEDRA_ON_FACETS_H
#define TESTS_SUPPORT_POLYHEDRA_ON_FACETS_H

#include "support/splitmix.h"
#include "support/worlds.h"

#include <scree/polyhedron.h>
#include <scree/polyhedron_shape.h>

static const double rounding = 0.004;

static inline double uniform(uint64_t *seed)
{
    return (double)(splitmix_next(seed) >> 11) * 0x1p-53;
}

// --- surfaces

enum { MOST = 700 };
struct surface {
    double vertex[MOST][3];
    uint32_t facet[MOST][3];
    size_t vertices, facets;
};

// Adds a parallelogram in n x n cells of two triangles, whose inner vertices are moved at random in the
// plane, with random diagonals and orientations.
static inline void add_face(struct surface *surface, const double *corner, const double *a, const double *b,
                            uint32_t n, uint64_t *seed)
{
    const uint32_t first = (uint32_t)surface->vertices;
    for (uint32_t i = 0; i <= n; ++i)
        for (uint32_t j = 0; j <= n; ++j) {
            const bool inner = i > 0 && j > 0 && i < n && j < n;
            const double u = (i + (inner ? 0.6 * uniform(seed) - 0.3 : 0)) / n,
                         v = (j + (inner ? 0.6 * uniform(seed) - 0.3 : 0)) / n;
            for (int k = 0; k < 3; ++k)
                surface->vertex[surface->vertices][k] = corner[k] + u * a[k] + v * b[k];
            ++surface->vertices;
        }
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < n; ++j) {
            const uint32_t p = first + i * (n + 1) + j, q = p + n + 1;
            const bool other = uniform(seed) < 0.5;
            const uint32_t cell[2][3] = {{p, q, other ? p + 1 : q + 1}, {p + 1, q + 1, other ? q : p}};
            for (int t = 0; t < 2; ++t) {
                const bool turned = uniform(seed) < 0.5;
                uint32_t *facet = surface->facet[surface->facets++];
                facet[0] = cell[t][0];
                facet[1] = cell[t][turned ? 2 : 1];
                facet[2] = cell[t][turned ? 1 : 2];
            }
        }
}

static inline void add_box(struct surface *surface, const double half[3], uint64_t *seed)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            double corner[3] = {-half[0], -half[1], -half[2]}, a[3] = {0}, b[3] = {0};
            corner[axis] = side ? half[axis] : -half[axis];
            a[(axis + 1) % 3] = 2 * half[(axis + 1) % 3];
            b[(axis + 2) % 3] = 2 * half[(axis + 2) % 3];
            add_face(surface, corner, a, b, 1, seed);
        }
}

static inline struct scree_wall_def mesh_of(const struct surface *surface)
{
    return (struct scree_wall_def){.shape = SCREE_WALL_MESH,
                                   .mesh = {.vertex = (const double(*)[3])surface->vertex,
                                            .vertices = surface->vertices,
                                            .facet = (const uint32_t(*)[3])surface->facet,
                                            .facets = surface->facets}};
}

static inline struct scree_wall_def solid_box_of(const double half[3])
{
    struct scree_wall_def def = {.shape = SCREE_WALL_BOX, .box = {.side = SCREE_WALL_OUTSIDE}};
    for (int k = 0; k < 3; ++k) {
        def.box.lower[k] = -half[k];
        def.box.upper[k] = half[k];
    }
    return def;
}

// A square of 2 m in the plane z = 0, from this x on.
static inline struct scree_wall_def rectangle_from(double x)
{
    return (struct scree_wall_def){.shape = SCREE_WALL_RECTANGLE,
                                   .rectangle = {.corner = {x, -1, 0}, .edge = {{2, 0, 0}, {0, 2, 0}}}};
}

// A ridge along y, at which both faces fall by this slope; a groove if it is negative.
static inline void add_roof(struct surface *surface, double slope, uint64_t *seed)
{
    add_face(surface, (const double[3]){0, -0.5, 0}, (const double[3]){0.5, 0, -0.5 * slope},
             (const double[3]){0, 1, 0}, 1, seed);
    add_face(surface, (const double[3]){0, -0.5, 0}, (const double[3]){-0.5, 0, -0.5 * slope},
             (const double[3]){0, 1, 0}, 1, seed);
}

// --- worlds

struct setting {
    double gravity, friction, restitution, stiffness;
};

static inline struct scree_world *make_world(const struct setting *setting, struct scree_wall_def wall,
                                             scree_material_id *material)
{
    struct scree_world *world;
    scree_wall_id id;
    const struct scree_interaction_value values[] = {{"friction", setting->friction, NULL},
                                                     {"restitution", setting->restitution, NULL},
                                                     {"stiffness", setting->stiffness, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -setting->gravity}}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    wall.material = *material;
    assert_ok(scree_wall_add(world, &wall, &id));
    return world;
}

static inline void add(struct scree_world *world, scree_material_id material, const double length[3],
                       const struct scree_polyhedron_def *at)
{
    struct scree_polyhedron_def def = *at;
    scree_body_id id;
    def.material = material;
    assert_ok(scree_polyhedron_add_box(world, length, rounding, &def.shape));
    assert_ok(scree_polyhedron_add(world, &def, &id));
}

#endif
