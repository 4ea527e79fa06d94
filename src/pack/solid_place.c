// Polyhedra in regions and at walls, see solid_place.h.

#include "pack/solid_place.h"

#include "convex/pair.h"
#include "math/elementary.h"
#include "shape/nearest.h"
#include "shape/surface.h"

#include <math.h>
#include <string.h>

enum { SIDES = 128 };

// A body at a wall.
struct at_wall {
    const struct scree_wall *wall;
    const struct scree_pack_solid *solid;
    struct scree_vec3 position;
    double range; // rounding and a margin above round-off
};

static double range_of(const struct scree_pack_solid *solid)
{
    return solid->rounding + 0x1p-40 * (solid->shape.radius + solid->rounding);
}

static struct scree_vec3 vertex_of(const struct at_wall *at, uint32_t vertex)
{
    return scree_vec3_add(at->position, at->solid->vertex[vertex]);
}

// --- containers

static bool vertices_are_free(const struct at_wall *at, unsigned feature)
{
    for (uint32_t v = 0; v < at->solid->shape.vertices; ++v) {
        double place[3];
        scree_vec3_store(vertex_of(at, v), place);
        if (scree_surface_within(at->wall, feature, place, at->range))
            return false;
    }
    return true;
}

// Whether a body is inside of a cylinder or cone that goes on beyond its ends, or in the hole of a disk.
static bool is_inside_round(const struct at_wall *at)
{
    const struct scree_wall *wall = at->wall;
    const bool disk = wall->shape == SCREE_WALL_DISK;
    for (uint32_t v = 0; v < at->solid->shape.vertices; ++v) {
        const struct scree_vec3 p = scree_nearest_to_local(wall, vertex_of(at, v));
        const double out = sqrt(p.x * p.x + p.y * p.y);
        const double depth =
            disk ? wall->size[1] - out : p.z * wall->slope[1] - (out - wall->slope[0]) * wall->slope[2];
        if (!(depth >= at->range))
            return false;
    }
    return true;
}

// --- convex walls

// In two dimensions a wall has an infinite size along z, where bodies have none.
static double finite(double size)
{
    return isinf(size) ? 0 : size;
}

// Whether a body and a convex body in the axes of the wall are apart.
static bool is_apart(const struct at_wall *at, const struct scree_convex *shape, double rounding)
{
    const double(*axes)[3] = at->wall->axes;
    const struct scree_convex_body a = {
        .shape = &at->solid->shape, .rotation = scree_mat3_identity(), .rounding = at->solid->rounding};
    const struct scree_convex_body b = {
        .shape = shape,
        .position = scree_vec3_sub(scree_vec3_load(at->wall->reference), at->position),
        .rotation = scree_mat3_from_columns(scree_vec3_load(axes[0]), scree_vec3_load(axes[1]),
                                            scree_vec3_load(axes[2])),
        .rounding = rounding};
    return scree_convex_are_apart(&a, &b);
}

static bool is_apart_from_ball(const struct at_wall *at)
{
    struct scree_vec3 centre = scree_vec3_zero();
    const struct scree_convex point = {.dimension = 3, .vertices = 1, .vertex = &centre};
    return is_apart(at, &point, at->wall->size[0]);
}

static bool is_apart_from_box(const struct at_wall *at)
{
    const double half[3] = {at->wall->size[0], at->wall->size[1], finite(at->wall->size[2])};
    struct scree_vec3 corner[8];
    for (int k = 0; k < 8; ++k)
        corner[k] = scree_vec3_make(k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                                    k & 4 ? half[2] : -half[2]);
    const struct scree_convex box = {
        .dimension = 3, .vertices = 8, .vertex = corner, .radius = scree_vec3_norm(corner[7])};
    return is_apart(at, &box, 0);
}

static bool is_apart_from_facet(const struct at_wall *at, unsigned facet)
{
    const struct scree_mesh_surface *surface = at->wall->surface;
    struct scree_vec3 corner[3];
    for (int k = 0; k < 3; ++k)
        corner[k] = scree_vec3_load(surface->vertex[surface->facet[facet].vertex[k]]);
    const struct scree_convex triangle = {
        .dimension = 3, .vertices = 3, .vertex = corner, .radius = surface->radius};
    return is_apart(at, &triangle, 0);
}

// The prism around a disk, cylinder or cone. A tip is replaced by a small end, so that vertices differ.
static bool is_apart_from_round(const struct at_wall *at)
{
    enum { RINGS = 2 };
    static const double smallest_end = 1e-3;
    const double *size = at->wall->size, outwards = 1 / scree_cos(SCREE_PI / SIDES);
    const uint32_t rings = at->wall->shape == SCREE_WALL_DISK || isinf(size[2]) ? 1 : RINGS;
    const double height = finite(size[2]);
    const double largest = rings == 1 ? size[0] : scree_real_max(size[0], size[1]);
    struct scree_vec3 vertex[RINGS * SIDES];
    uint32_t first[RINGS * SIDES + 1], neighbour[RINGS * SIDES * 3], count = 0;
    for (uint32_t v = 0; v < rings * SIDES; ++v) {
        const uint32_t ring = v / SIDES, side = v % SIDES;
        const struct scree_sincos angle = scree_sincos(2 * SCREE_PI * side / SIDES);
        const double radius = outwards * scree_real_max(size[ring], smallest_end * largest);
        vertex[v] = scree_vec3_make(radius * angle.cos, radius * angle.sin, ring == 0 ? -height : height);
        first[v] = count;
        neighbour[count++] = ring * SIDES + (side + 1) % SIDES;
        neighbour[count++] = ring * SIDES + (side + SIDES - 1) % SIDES;
        if (rings == RINGS)
            neighbour[count++] = (1 - ring) * SIDES + side;
    }
    first[rings * SIDES] = count;
    const struct scree_convex prism = {.dimension = 3,
                                       .vertices = rings * SIDES,
                                       .vertex = vertex,
                                       .neighbour_first = first,
                                       .neighbour = neighbour,
                                       .radius = outwards * largest + height};
    return is_apart(at, &prism, 0);
}

static bool is_free_of(const struct at_wall *at, unsigned feature)
{
    const struct scree_wall *wall = at->wall;
    if (wall->shape == SCREE_WALL_MESH)
        return is_apart_from_facet(at, feature);
    switch (scree_nearest_kind(wall)) {
    case SCREE_NEAREST_PLANE:
    case SCREE_NEAREST_FACE:
        return vertices_are_free(at, feature);
    case SCREE_NEAREST_SPHERE:
        return wall->side == SCREE_WALL_INSIDE ? vertices_are_free(at, feature) : is_apart_from_ball(at);
    case SCREE_NEAREST_BOX:
        return is_apart_from_box(at);
    default:
        return is_inside_round(at) || is_apart_from_round(at);
    }
}

bool scree_pack_solid_is_free(const struct scree_free_region *free_region,
                              const struct scree_pack_solid *solid, const double position[3])
{
    const double reach = solid->shape.radius + range_of(solid);
    double wrapped[3] = {position[0], position[1], position[2]};
    scree_free_region_wrap(free_region, wrapped);
    for (size_t w = 0; w < free_region->walls; ++w) {
        const struct at_wall at = {&free_region->wall[w], solid, scree_vec3_load(wrapped), range_of(solid)};
        struct scree_surface_query query;
        unsigned f;
        scree_surface_query_begin(&query, at.wall, wrapped, reach);
        while (scree_surface_query_next(&query, &f))
            if (scree_surface_within(at.wall, f, wrapped, reach) && !is_free_of(&at, f))
                return false;
    }
    return true;
}

// --- regions

// A region that is the inside of a mesh has a wall as its boundary.
static bool is_in_region(const struct scree_region *region, const struct scree_pack_solid *solid,
                         const double position[3])
{
    if (!scree_region_contains(region, position, 0))
        return false;
    for (uint32_t v = 0; v < solid->shape.vertices && region->shape != SCREE_REGION_MESH; ++v) {
        double place[3];
        scree_vec3_store(scree_vec3_add(scree_vec3_load(position), solid->vertex[v]), place);
        // there are no faces along an open axis
        for (int k = 0; k < 3; ++k)
            place[k] = region->open[k] ? position[k] : place[k];
        if (!scree_region_contains(region, place, range_of(solid)))
            return false;
    }
    return true;
}

bool scree_pack_solid_is_contained(const struct scree_free_region *free_region,
                                   const struct scree_pack_solid *solid, const double position[3])
{
    return is_in_region(&free_region->region, solid, position) &&
           scree_pack_solid_is_free(free_region, solid, position);
}
