// Cuts boxes of a scene into blocks, see build.h.
//
// The blocks are the Voronoi cells of random points. All faces stay where the cells have them: rounding takes
// away edges and corners only. So neighbours touch along their faces without overlap, up to round-off.

#include "base/memory.h"
#include "build/build.h"
#include "convex/voronoi.h"
#include "shape/mass_convex.h"
#include "shape/polyhedron.h"
#include "world/polyhedron.h"

#include <scree/world.h>

#include <stdio.h>
#include <string.h>

struct blocks {
    struct scree_convex_voronoi def;
    struct scree_vec3 *point;
    struct scree_convex *cell; // those with vertices are to be freed
    double rounding;
    struct scree_polyhedron_def body;
};

// --- cells

static scree_status make_cells(struct blocks *blocks)
{
    blocks->def.point = blocks->point;
    return scree_convex_voronoi_make(&blocks->def, blocks->cell);
}

static void free_cells(struct blocks *blocks)
{
    for (size_t n = 0; n < blocks->def.points; ++n)
        if (blocks->cell[n].vertices > 0)
            scree_convex_free(&blocks->cell[n]);
    memset(blocks->cell, 0, blocks->def.points * sizeof *blocks->cell);
}

// Moves the points to the centres of their cells (S. Lloyd, "Least squares quantization in PCM", IEEE Trans.
// Inf. Theory 28, 129, 1982), of which the volumes become more equal and the shapes rounder.
static scree_status relax(struct blocks *blocks)
{
    SCREE_TRY(make_cells(blocks));
    for (size_t n = 0; n < blocks->def.points; ++n) {
        struct scree_shape_mass mass;
        SCREE_TRY(scree_shape_mass_convex(&blocks->cell[n], 0, &mass));
        blocks->point[n] = scree_vec3_add(blocks->point[n], scree_vec3_load(mass.value.centre));
    }
    free_cells(blocks);
    return SCREE_OK;
}

// --- bodies

static scree_status add_block(struct blocks *blocks, struct scree_world *world, size_t n)
{
    struct scree_convex *cell = &blocks->cell[n];
    struct scree_shape shape;
    scree_body_id id;
    const double size = cell->radius;
    SCREE_TRY(scree_shape_polyhedron(cell, 1e-12 * size, blocks->rounding, &shape));
    SCREE_TRY(scree_polyhedron_insert_shape(world, cell->vertex, shape, &blocks->body.shape));
    scree_vec3_store(scree_vec3_add(blocks->point[n], scree_vec3_load(shape.centre)), blocks->body.position);
    return scree_polyhedron_add(world, &blocks->body, &id);
}

// Names the block that is too thin, or cannot be made for another reason.
static scree_status name_block(const struct blocks *blocks, size_t n, scree_status status)
{
    const struct scree_vec3 at = blocks->point[n];
    char text[300];
    if (status == SCREE_OK || status == SCREE_ERROR_MEMORY)
        return status;
    snprintf(text, sizeof text, "%s", scree_status_message());
    return scree_status_fail(
        status,
        "block %zu of %zu, at (%.4g, %.4g, %.4g) m: %s. A smaller `rounding`, fewer blocks, "
        "or a few rounds of `relax` help",
        n + 1, blocks->def.points, at.x, at.y, at.z, text);
}

static scree_status add_all(struct blocks *blocks, struct scree_world *world, uint64_t rounds)
{
    SCREE_TRY(scree_world_reserve(world, scree_body_count(world) + blocks->def.points));
    for (uint64_t k = 0; k < rounds; ++k)
        SCREE_TRY(relax(blocks));
    SCREE_TRY(make_cells(blocks));
    for (size_t n = 0; n < blocks->def.points; ++n)
        SCREE_TRY(name_block(blocks, n, add_block(blocks, world, n)));
    return SCREE_OK;
}

static scree_status make(struct blocks *blocks, struct scree_world *world, uint64_t seed, uint64_t rounds)
{
    const size_t count = blocks->def.points;
    scree_status status = scree_memory_new(count, sizeof *blocks->point, (void **)&blocks->point);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *blocks->cell, (void **)&blocks->cell);
    if (status == SCREE_OK) {
        scree_convex_voronoi_points(blocks->def.lower, blocks->def.upper, seed, blocks->point, count);
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
    return true;
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

scree_status scree_build_blocks(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_node *map)
{
    struct blocks blocks = {.body.fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_blocks_fixed)};
    uint64_t count, seed, rounds;
    if (scree_world_dimension(world) == 2) {
        scree_reading_report(reading, map, "blocks are polyhedra, which need three dimensions");
        return SCREE_OK;
    }
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_blocks_material, &blocks.body.material));
    bool good = read_box(reading, map, &blocks);
    good = scree_reading_whole(reading, map, SCREE_KEY_blocks_count, &count) && good;
    good = scree_reading_whole(reading, map, SCREE_KEY_blocks_relax, &rounds) && good;
    good = scree_reading_whole(reading, map, SCREE_KEY_blocks_seed, &seed) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_blocks_rounding, &blocks.rounding) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_blocks_gap, &blocks.def.gap) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_blocks_velocity, blocks.body.velocity) && good;
    if (!good || blocks.body.material.value == 0 || !check_max_filled(reading, world, map, count, rounds))
        return SCREE_OK;
    blocks.def.points = (size_t)count;
    return scree_reading_report_status(reading, map, make(&blocks, world, seed, rounds));
}
