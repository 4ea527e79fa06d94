// Facets of walls, see wall_facets.h.

#include "world/wall_facets.h"

#include "base/memory.h"
#include "math/trigonometry.h"
#include "mesh/inside.h"
#include "mesh/make.h"
#include "world/wall.h"

#include <string.h>

static struct scree_entity *facets_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_FACET);
}

static struct scree_facet *facet_row(const struct scree_world *world, size_t slot)
{
    return (struct scree_facet *)scree_world_column(world, SCREE_ENTITY_FACET, SCREE_FACET_FACET) + slot;
}

static void free_surface(struct scree_wall *wall)
{
    // the surface belongs to the wall, which does not change it
    struct scree_mesh_surface *surface = (struct scree_mesh_surface *)(uintptr_t)wall->surface;
    if (surface)
        scree_mesh_surface_free(surface);
    scree_memory_free(surface);
    wall->surface = NULL;
}

static scree_status make_surface(const struct scree_facet *facet, size_t facets, double smooth_cosine,
                                 struct scree_wall *wall)
{
    struct scree_mesh_surface *surface;
    static_assert(sizeof *facet == 9 * sizeof(double), "facets are arrays of corners");
    SCREE_TRY(scree_memory_new(1, sizeof *surface, (void **)&surface));
    wall->surface = surface;
    scree_status status = scree_mesh_surface_make((const double(*)[3][3])facet, facets, wall->vertex_error,
                                                  smooth_cosine, surface);
    if (status == SCREE_OK)
        status = scree_mesh_find_thickness(surface);
    if (status != SCREE_OK)
        free_surface(wall);
    return status;
}

// --- rectangles, solid boxes and disks

// Adds the two facets of the face of a box at `side` of an axis; a rectangle is such a face at height 0.
static size_t add_face(const double *half, int axis, int side, struct scree_facet *facet)
{
    // around the outward normal, and the three corners of both facets among the four of the face
    static const int sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, corner[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const int u = (axis + (side > 0 ? 1 : 2)) % 3, v = (axis + (side > 0 ? 2 : 1)) % 3;
    for (int f = 0; f < 2; ++f)
        for (int c = 0; c < 3; ++c) {
            facet[f].corner[c][axis] = side * half[axis];
            facet[f].corner[c][u] = sign[corner[f][c]][0] * half[u];
            facet[f].corner[c][v] = sign[corner[f][c]][1] * half[v];
        }
    return 2;
}

static size_t make_faces(const struct scree_wall *wall, bool rectangle, struct scree_facet *facet)
{
    size_t facets = 0;
    for (int k = 0; k < (rectangle ? 2 : 3); ++k)
        if (!(wall->size[k] >= SCREE_WALL_LEAST_EDGE && wall->size[k] <= SCREE_WALL_MOST_EDGE))
            return 0;
    for (int axis = rectangle ? 2 : 0; axis < 3; ++axis)
        for (int side = rectangle ? 1 : -1; side <= 1; side += 2)
            facets += add_face(wall->size, axis, side, facet + facets);
    return facets;
}

// The corners of a polygon: a rim with its corners on the circle, a hole with its sides on it, so that the
// surface is nowhere beyond the disk.
static void set_corner(int k, int sides, double radius, double corner[3])
{
    corner[0] = radius * scree_cos(2 * SCREE_PI * (k % sides) / sides);
    corner[1] = radius * scree_sin(2 * SCREE_PI * (k % sides) / sides);
    corner[2] = 0;
}

static size_t make_disk(const struct scree_wall *wall, struct scree_facet *facet)
{
    const bool ring = wall->size[1] > 0;
    const int sides = ring ? SCREE_WALL_RING_SIDES : SCREE_WALL_DISK_SIDES;
    const double radius = wall->size[0], hole = wall->size[1] / scree_cos(SCREE_PI / sides);
    size_t facets = 0;
    if (!(radius >= SCREE_WALL_LEAST_EDGE && radius <= SCREE_WALL_MOST_EDGE) ||
        (ring && !(wall->size[1] >= SCREE_WALL_LEAST_HOLE * radius &&
                   wall->size[1] <= SCREE_WALL_MOST_HOLE * radius)))
        return 0;
    for (int k = 0; k < sides; ++k) {
        double inner[2][3] = {{0}}, outer[2][3];
        for (int c = 0; c < 2; ++c) {
            set_corner(k + c, sides, radius, outer[c]);
            if (ring)
                set_corner(k + c, sides, hole, inner[c]);
        }
        memcpy(facet[facets].corner[0], inner[0], sizeof inner[0]);
        memcpy(facet[facets++].corner[1], outer, sizeof outer);
        if (!ring)
            continue;
        memcpy(facet[facets].corner[0], inner[0], sizeof inner[0]);
        memcpy(facet[facets].corner[1], outer[1], sizeof outer[1]);
        memcpy(facet[facets++].corner[2], inner[1], sizeof inner[1]);
    }
    return facets;
}

// Makes the surface of a wall that is no mesh, if it has one. In two dimensions such walls are infinite.
static scree_status make_flat_surface(int dimension, struct scree_wall *wall)
{
    struct scree_facet facet[SCREE_WALL_FLAT_FACETS];
    size_t facets = 0;
    if (dimension != 3)
        return SCREE_OK;
    if (wall->shape == SCREE_WALL_DISK)
        facets = make_disk(wall, facet);
    else if (wall->shape == SCREE_WALL_RECTANGLE ||
             (wall->shape == SCREE_WALL_BOX && wall->side == SCREE_WALL_OUTSIDE))
        facets = make_faces(wall, wall->shape == SCREE_WALL_RECTANGLE, facet);
    return facets > 0 ? make_surface(facet, facets, 1, wall) : SCREE_OK;
}

// --- rows

static void remove_rows(struct scree_world *world, const struct scree_wall *wall)
{
    scree_slot slot;
    // from the last on; rows of other walls may move
    for (uint64_t k = wall->facets; k-- > 0;)
        if (scree_pool_find(&facets_of(world)->pool, wall->first_facet + k, &slot.index))
            scree_entity_remove(facets_of(world), slot);
}

scree_status scree_wall_facets_add(struct scree_world *world, const struct scree_wall_mesh *def,
                                   struct scree_wall *wall)
{
    struct scree_entity *entity = facets_of(world);
    const size_t before = entity->count;
    if (wall->shape != SCREE_WALL_MESH)
        return make_flat_surface(world->dimension, wall);
    SCREE_TRY(scree_entity_reserve(entity, before + wall->facets));
    wall->first_facet = entity->pool.last + 1;
    scree_status status = SCREE_OK;
    for (size_t f = 0; f < wall->facets && status == SCREE_OK; ++f) {
        uint64_t id;
        scree_slot slot;
        status = scree_entity_insert(entity, &slot, &id);
        for (int c = 0; c < 3 && status == SCREE_OK; ++c)
            for (int k = 0; k < 3; ++k)
                facet_row(world, slot.index)->corner[c][k] =
                    def->vertex[def->facet[f][c]][k] - wall->reference[k];
    }
    if (status == SCREE_OK)
        status = make_surface(facet_row(world, before), wall->facets, wall->smooth_cosine, wall);
    if (status != SCREE_OK)
        remove_rows(world, wall);
    return status;
}

void scree_wall_facets_remove(struct scree_world *world, struct scree_wall *wall)
{
    if (wall->shape == SCREE_WALL_MESH)
        remove_rows(world, wall);
    free_surface(wall);
}

// Copies the facets of a wall in their order.
static scree_status copy_facets(const struct scree_world *world, const struct scree_wall *wall,
                                struct scree_facet *facet)
{
    for (uint64_t f = 0; f < wall->facets; ++f) {
        uint32_t slot;
        if (!scree_pool_find(&facets_of(world)->pool, wall->first_facet + f, &slot))
            return scree_status_fail(SCREE_ERROR_NUMBER,
                                     "the stored world is inconsistent: facet %llu of a mesh is missing",
                                     (unsigned long long)f);
        facet[f] = *facet_row(world, slot);
        for (int c = 0; c < 9; ++c)
            if (!(fabs(facet[f].corner[c / 3][c % 3]) <= 1e40))
                return scree_status_fail(
                    SCREE_ERROR_NUMBER,
                    "the stored world is inconsistent: facet %llu of a mesh is beyond 1e40 m",
                    (unsigned long long)f);
    }
    return SCREE_OK;
}

static scree_status restore(struct scree_world *world, struct scree_wall *wall)
{
    struct scree_facet *facet;
    if (!(wall->vertex_error >= 0 && wall->vertex_error <= 1e40) ||
        !(wall->smooth_cosine >= 0.5 && wall->smooth_cosine <= 1))
        return scree_status_fail(SCREE_ERROR_NUMBER,
                                 "the stored world is inconsistent: a mesh has the vertex error %g m and the "
                                 "cosine %g",
                                 wall->vertex_error, wall->smooth_cosine);
    if (wall->facets == 0 || wall->facets > SCREE_WALL_MOST_FACETS || wall->facets > facets_of(world)->count)
        return scree_status_fail(SCREE_ERROR_NUMBER,
                                 "the stored world is inconsistent: a mesh has %llu facets of %zu",
                                 (unsigned long long)wall->facets, facets_of(world)->count);
    SCREE_TRY(scree_memory_new(wall->facets, sizeof *facet, (void **)&facet));
    scree_status status = copy_facets(world, wall, facet);
    if (status == SCREE_OK)
        status = make_surface(facet, wall->facets, wall->smooth_cosine, wall);
    scree_memory_free(facet);
    return status;
}

scree_status scree_wall_facets_restore(struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        SCREE_TRY(scree_wall_row(world, w)->shape == SCREE_WALL_MESH
                      ? restore(world, scree_wall_row(world, w))
                      : make_flat_surface(world->dimension, scree_wall_row(world, w)));
    return SCREE_OK;
}

struct scree_facet_wear *scree_wall_facets_wear_of(const struct scree_world *world, uint64_t wall,
                                                   uint32_t facet)
{
    uint32_t slot;
    if (!scree_wall_facets_wear(world) ||
        !scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, wall, &slot))
        return NULL;
    const struct scree_wall *row = scree_wall_row(world, slot);
    if (facet >= row->facets || !scree_pool_find(&facets_of(world)->pool, row->first_facet + facet, &slot))
        return NULL;
    return scree_wall_facets_wear(world) + slot;
}

void scree_wall_facets_free(struct scree_world *world)
{
    // the registry may be empty after a failure
    for (size_t w = 0; world->registry.entities.count > 0 && w < scree_wall_rows(world); ++w)
        free_surface(scree_wall_row(world, w));
}
