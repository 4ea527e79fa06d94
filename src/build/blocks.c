// Cuts convex bodies of a scene into blocks, in two dimensions into polygons, see build.h.
//
// The blocks are the Voronoi cells of random points. All faces stay where the cells have them: rounding takes
// away edges and corners only. So neighbours touch along their faces without overlap, up to round-off.

#include "base/memory.h"
#include "base/sort.h"
#include "build/build.h"
#include "convex/voronoi.h"
#include "math/real.h"
#include "shape/mass_convex.h"
#include "shape/polyhedron.h"
#include "world/polyhedron.h"

#include <scree/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

struct blocks {
    struct scree_convex_voronoi def;
    struct scree_convex domain; // of `vertices`
    struct scree_vec3 *point;
    struct scree_convex *cell; // those with vertices are to be freed
    double rounding;
    struct scree_polyhedron_def body;
};

// --- cells

// Reports the two nearest points if the gap leaves nothing between them. Points are searched in order of x.
static scree_status check_gap(const struct blocks *blocks, const uint32_t *order)
{
    const struct scree_vec3 *point = blocks->point;
    double nearest = (double)INFINITY;
    size_t one = 0, other = 0;
    for (size_t n = 0; n < blocks->def.points; ++n)
        for (size_t m = n + 1; m < blocks->def.points; ++m) {
            const struct scree_vec3 line = scree_vec3_sub(point[order[m]], point[order[n]]);
            if (line.x > nearest)
                break;
            const double length = scree_vec3_norm(line);
            if (length < nearest) {
                nearest = length;
                one = order[n];
                other = order[m];
            }
        }
    if (nearest > blocks->def.gap)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "the gap of %g m leaves nothing of the blocks %zu and %zu of %zu, whose points are %.6g m apart: it "
        "must be below this distance. Fewer blocks, or a few rounds of `relax`, allow a larger gap",
        blocks->def.gap, (one < other ? one : other) + 1, (one < other ? other : one) + 1, blocks->def.points,
        nearest);
}

static scree_status sort_and_check_gap(const struct blocks *blocks)
{
    const size_t count = blocks->def.points;
    uint64_t *key = NULL;
    uint32_t *order = NULL;
    if (!(blocks->def.gap > 0))
        return SCREE_OK;
    scree_status status = scree_memory_new(count, sizeof *key, (void **)&key);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *order, (void **)&order);
    // positions above the lower corner are not negative, so their bits have their order
    for (size_t n = 0; n < count && status == SCREE_OK; ++n) {
        const double x = scree_real_max(blocks->point[n].x - blocks->def.lower.x, 0);
        memcpy(&key[n], &x, sizeof x);
    }
    if (status == SCREE_OK)
        status = scree_sort_order(key, count, order);
    if (status == SCREE_OK)
        status = check_gap(blocks, order);
    scree_memory_free(key);
    scree_memory_free(order);
    return status;
}

static scree_status make_cells(struct blocks *blocks, double gap)
{
    struct scree_convex_voronoi def = blocks->def;
    def.point = blocks->point;
    def.gap = gap;
    return scree_convex_voronoi_make(&def, blocks->cell);
}

static void free_cells(struct blocks *blocks)
{
    for (size_t n = 0; n < blocks->def.points; ++n)
        if (blocks->cell[n].vertices > 0)
            scree_convex_free(&blocks->cell[n]);
    memset(blocks->cell, 0, blocks->def.points * sizeof *blocks->cell);
}

// Moves the points to the centres of their cells (S. Lloyd, "Least squares quantization in PCM", IEEE Trans.
// Inf. Theory 28, 129, 1982), of which the volumes become more equal and the shapes rounder. Joints are cut
// afterwards.
static scree_status relax(struct blocks *blocks)
{
    SCREE_TRY(make_cells(blocks, 0));
    for (size_t n = 0; n < blocks->def.points; ++n) {
        struct scree_shape_mass mass;
        SCREE_TRY(scree_shape_mass_convex(&blocks->cell[n], 0, &mass));
        blocks->point[n] = scree_vec3_add(blocks->point[n], scree_vec3_load(mass.value.centre));
    }
    free_cells(blocks);
    return SCREE_OK;
}

// --- bodies

// Names the block that cannot be made, and what helps, if anything does.
static scree_status name_block(const struct blocks *blocks, size_t n, const char *advice, scree_status status)
{
    const struct scree_vec3 at = blocks->point[n];
    char text[400];
    if (status == SCREE_OK || status == SCREE_ERROR_MEMORY)
        return status;
    snprintf(text, sizeof text, "%s", scree_status_message());
    return scree_status_fail(status, "block %zu of %zu, at (%.4g, %.4g, %.4g) m: %s%s", n + 1,
                             blocks->def.points, at.x, at.y, at.z, text, advice);
}

static scree_status add_block(struct blocks *blocks, struct scree_world *world, size_t n)
{
    static const char advice[] = ". A smaller `rounding`, fewer blocks, or a few rounds of `relax` help";
    struct scree_convex *cell = &blocks->cell[n];
    struct scree_shape shape;
    scree_body_id id;
    const double size = cell->radius;
    SCREE_TRY(
        name_block(blocks, n, advice, scree_shape_polyhedron(cell, 1e-12 * size, blocks->rounding, &shape)));
    SCREE_TRY(name_block(blocks, n, advice,
                         scree_polyhedron_insert_shape(world, cell->vertex, shape, &blocks->body.shape)));
    scree_vec3_store(scree_vec3_add(blocks->point[n], scree_vec3_load(shape.centre)), blocks->body.position);
    return name_block(blocks, n, "", scree_polyhedron_add(world, &blocks->body, &id));
}

static scree_status add_all(struct blocks *blocks, struct scree_world *world, uint64_t rounds)
{
    SCREE_TRY(scree_world_reserve(world, scree_body_count(world) + blocks->def.points));
    for (uint64_t k = 0; k < rounds; ++k)
        SCREE_TRY(relax(blocks));
    SCREE_TRY(sort_and_check_gap(blocks));
    SCREE_TRY(make_cells(blocks, blocks->def.gap));
    for (size_t n = 0; n < blocks->def.points; ++n)
        SCREE_TRY(add_block(blocks, world, n));
    return SCREE_OK;
}

static scree_status make(struct blocks *blocks, struct scree_world *world, uint64_t seed, uint64_t rounds)
{
    const size_t count = blocks->def.points;
    scree_status status = scree_memory_new(count, sizeof *blocks->point, (void **)&blocks->point);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *blocks->cell, (void **)&blocks->cell);
    if (status == SCREE_OK) {
        status = scree_convex_voronoi_points(&blocks->def, seed, blocks->point);
        if (status == SCREE_OK)
            status = add_all(blocks, world, rounds);
        free_cells(blocks);
    }
    scree_memory_free(blocks->cell);
    scree_memory_free(blocks->point);
    return status;
}

// --- the entry

static bool read_box(struct scree_reading *reading, const struct scree_node *map, struct blocks *blocks)
{
    const struct scree_node *inside = scree_reading_node(map, SCREE_KEY_blocks_inside);
    struct scree_region region;
    if (!scree_reading_has(inside, SCREE_KEY_region_box))
        return scree_reading_report(reading, inside, "blocks are cut from a `box`");
    if (!scree_reading_region(reading, inside, &region))
        return false;
    blocks->def.lower = scree_vec3_load(region.lower);
    blocks->def.upper = scree_vec3_load(region.upper);
    if (reading->dimension == 2)
        blocks->def.lower.z = blocks->def.upper.z = 0;
    return true;
}

// Makes the convex body of the given vertices; `good` is set to false after a report.
static scree_status read_body(struct scree_reading *reading, const struct scree_node *map,
                              struct blocks *blocks, bool *good)
{
    double(*vertex)[3], error;
    const size_t count = scree_reading_count(map, SCREE_KEY_blocks_vertices);
    scree_status status = SCREE_OK;
    SCREE_TRY(scree_memory_new(count, sizeof *vertex, (void **)&vertex));
    *good = scree_reading_triples(reading, map, SCREE_KEY_blocks_vertices, vertex);
    if (*good) {
        const struct scree_polyhedron_shape_def def = {.vertex = (const double(*)[3])vertex,
                                                       .vertices = count};
        status = scree_shape_polyhedron_hull(reading->dimension, &def, &blocks->domain, &error);
        *good = status == SCREE_OK;
    }
    scree_memory_free(vertex);
    blocks->def.domain = &blocks->domain;
    blocks->def.lower = blocks->domain.lower;
    blocks->def.upper = blocks->domain.upper;
    return scree_reading_report_status(reading, scree_reading_node(map, SCREE_KEY_blocks_vertices), status);
}

// Returns true if the caller allows this number of blocks; else reports it. A block with its contacts takes
// the time and memory of about 100 placed spheres, and a round of relaxation a twentieth of this time.
static bool check_max_filled(struct scree_reading *reading, const struct scree_world *world,
                             const struct scree_node *map, uint64_t count, uint64_t rounds)
{
    const uint64_t max = (uint64_t)reading->max_filled / 100 * 20 / (20 + rounds),
                   others = scree_world_entity(world, SCREE_ENTITY_SHAPE)->count;
    char beside[60] = "", relaxed[40] = "";
    if (reading->max_filled == 0 || count + others <= max)
        return true;
    if (others > 0)
        snprintf(beside, sizeof beside, " beside %llu polyhedra", (unsigned long long)others);
    if (rounds > 0)
        snprintf(relaxed, sizeof relaxed, " with `relax: %llu`", (unsigned long long)rounds);
    return scree_reading_report(reading, map,
                                "this would cut %llu blocks%s, but a quick check%s makes at most %llu: use "
                                "fewer blocks, or check without --quick",
                                (unsigned long long)count, beside, relaxed, (unsigned long long)max);
}

static scree_status build(struct scree_reading *reading, struct scree_world *world,
                          const struct scree_node *map, struct blocks *blocks)
{
    uint64_t count, seed, rounds;
    bool good = true;
    if (scree_reading_has(map, SCREE_KEY_blocks_vertices))
        SCREE_TRY(read_body(reading, map, blocks, &good));
    else
        good = read_box(reading, map, blocks);
    good = scree_reading_whole(reading, map, SCREE_KEY_blocks_count, &count) && good;
    good = scree_reading_whole(reading, map, SCREE_KEY_blocks_relax, &rounds) && good;
    good = scree_reading_whole(reading, map, SCREE_KEY_blocks_seed, &seed) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_blocks_rounding, &blocks->rounding) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_blocks_gap, &blocks->def.gap) && good;
    good =
        scree_build_thickness(reading, map, SCREE_KEY_blocks_thickness, "block", &blocks->body.thickness) &&
        good;
    good = scree_reading_vector(reading, map, SCREE_KEY_blocks_velocity, blocks->body.velocity) && good;
    if (!good || blocks->body.material.value == 0 || !check_max_filled(reading, world, map, count, rounds))
        return SCREE_OK;
    if (count == 1 && blocks->def.gap > 0) {
        scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_blocks_gap),
                             "a single block has no joints: leave out 'gap', or give a larger 'count'");
        return SCREE_OK;
    }
    blocks->def.points = (size_t)count;
    return scree_reading_report_status(reading, map, make(blocks, world, seed, rounds));
}

scree_status scree_build_blocks(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_node *map)
{
    struct blocks blocks = {.def.dimension = reading->dimension,
                            .body.fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_blocks_fixed)};
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_blocks_material, &blocks.body.material));
    const scree_status status = build(reading, world, map, &blocks);
    scree_convex_free(&blocks.domain);
    return status;
}
