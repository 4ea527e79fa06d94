// Positions of bodies and walls, displacements from their start, and strains of samples between walls; see
// include/scree/measure.h.
//
// Invariants: the start of each body and wall is a part of the world, so a restart continues to measure from
// it. Sums over bodies are exact before rounding. A world that never kept a start has no columns for it.

#include "base/sum.h"
#include "math/elementary.h"
#include "measure/part.h"
#include "world/cell.h"
#include "world/group.h"
#include "world/wall.h"

#include <scree/measure.h>

#include <math.h>
#include <string.h>

// --- the start

static struct scree_body_start *body_starts(const struct scree_world *world)
{
    return (struct scree_body_start *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_START);
}

static struct scree_wall_start *wall_starts(const struct scree_world *world)
{
    return (struct scree_wall_start *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_START);
}

static void record_body(const struct scree_world *world, size_t slot, struct scree_body_start *start)
{
    scree_vec3_store(scree_cell_unwrapped(world, (scree_slot){(uint32_t)slot}), start->stage);
    if (start->recorded)
        return;
    memcpy(start->run, start->stage, sizeof start->run);
    start->recorded = 1;
}

static void record_wall(const struct scree_world *world, size_t slot, struct scree_wall_start *start)
{
    memcpy(start->stage, scree_wall_row(world, slot)->reference, sizeof start->stage);
    memcpy(start->turn_stage, start->turn, sizeof start->turn_stage);
    if (start->recorded)
        return;
    memcpy(start->run, start->stage, sizeof start->run);
    start->recorded = 1;
}

scree_status scree_measure_keep_start(struct scree_world *world, bool bodies, bool walls)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (bodies)
        SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_START));
    if (walls)
        SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_WALL), SCREE_WALL_START));
    struct scree_body_start *of_bodies = body_starts(world);
    struct scree_wall_start *of_walls = wall_starts(world);
    for (size_t i = 0; of_bodies && i < scree_world_bodies(world); ++i)
        if (!of_bodies[i].recorded)
            record_body(world, i, &of_bodies[i]);
    for (size_t w = 0; of_walls && w < scree_wall_rows(world); ++w)
        if (!of_walls[w].recorded)
            record_wall(world, w, &of_walls[w]);
    return SCREE_OK;
}

void scree_measure_begin_stage(struct scree_world *world)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_body_start *of_bodies = body_starts(world);
    struct scree_wall_start *of_walls = wall_starts(world);
    for (size_t i = 0; of_bodies && i < scree_world_bodies(world); ++i)
        record_body(world, i, &of_bodies[i]);
    for (size_t w = 0; of_walls && w < scree_wall_rows(world); ++w)
        record_wall(world, w, &of_walls[w]);
}

// --- bodies

scree_status scree_measure_position(const struct scree_world *world,
                                    const struct scree_measure_region *region, enum scree_measure_since since,
                                    struct scree_measure_mean_position *out)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const struct scree_body_start *starts = body_starts(world);
    struct scree_sum mass = {0}, position[3] = {0}, displacement[3] = {0}, square = {0};
    struct scree_part part;
    size_t bodies = 0;
    memset(out, 0, sizeof *out);
    SCREE_TRY(scree_part_begin(world, region, &part));
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        if (!scree_part_has(&part, world, i))
            continue;
        const double m = scree_world_grains(world)[i].mass;
        double now[3];
        scree_vec3_store(scree_cell_unwrapped(world, (scree_slot){(uint32_t)i}), now);
        const double *from = !starts || !starts[i].recorded       ? now
                             : since == SCREE_MEASURE_SINCE_STAGE ? starts[i].stage
                                                                  : starts[i].run;
        const struct scree_vec3 moved = scree_vec3_sub(scree_vec3_load(now), scree_vec3_load(from));
        ++bodies;
        scree_sum_add(&square, scree_vec3_norm_squared(moved));
        scree_sum_add(&mass, m);
        for (int k = 0; k < 3; ++k) {
            scree_sum_add(&position[k], m * now[k]);
            scree_sum_add(&displacement[k], m * (now[k] - from[k]));
        }
    }
    const double total = scree_sum_value(&mass);
    for (int k = 0; k < 3 && total > 0; ++k) {
        out->position[k] = scree_sum_value(&position[k]) / total;
        out->displacement[k] = scree_sum_value(&displacement[k]) / total;
    }
    out->square_displacement = bodies > 0 ? scree_sum_value(&square) / (double)bodies : 0;
    return SCREE_OK;
}

// --- walls

// The reference point of a wall at the start; where it is now, if no start is kept.
static const double *start_of(const struct scree_world *world, size_t slot, enum scree_measure_since since)
{
    const struct scree_wall_start *starts = wall_starts(world);
    return !starts || !starts[slot].recorded    ? scree_wall_row(world, slot)->reference
           : since == SCREE_MEASURE_SINCE_STAGE ? starts[slot].stage
                                                : starts[slot].run;
}

scree_status scree_measure_walls(const struct scree_world *world, scree_group_id id,
                                 enum scree_measure_since since, struct scree_measure_wall_position *out)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const struct scree_wall_start *starts = wall_starts(world);
    struct scree_sum position[3] = {0}, displacement[3] = {0}, turn[3] = {0};
    double walls = 0;
    uint64_t mask;
    memset(out, 0, sizeof *out);
    SCREE_TRY(scree_group_mask(world, id, &mask));
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        if (!(scree_group_of_wall(world, w) & mask))
            continue;
        const double *now = scree_wall_row(world, w)->reference, *from = start_of(world, w, since);
        ++walls;
        for (int k = 0; k < 3; ++k) {
            const double before = since == SCREE_MEASURE_SINCE_STAGE && starts ? starts[w].turn_stage[k] : 0;
            scree_sum_add(&position[k], now[k]);
            scree_sum_add(&displacement[k], now[k] - from[k]);
            scree_sum_add(&turn[k], starts ? starts[w].turn[k] - before : 0);
        }
    }
    for (int k = 0; k < 3 && walls > 0; ++k) {
        out->position[k] = scree_sum_value(&position[k]) / walls;
        out->displacement[k] = scree_sum_value(&displacement[k]) / walls;
        out->turn[k] = scree_sum_value(&turn[k]) / walls;
    }
    return SCREE_OK;
}

// --- samples

// The outermost faces along an axis: their coordinates now and at the start.
struct faces {
    double low[2], high[2];
    size_t count;
};

// components of a unit vector below this count as 0, and so do distances of faces relative to the extent
static const double tolerance = 1e-6;

static void add_face(struct faces *faces, double now, double start)
{
    if (faces->count == 0 || now < faces->low[0]) {
        faces->low[0] = now;
        faces->low[1] = start;
    }
    if (faces->count == 0 || now > faces->high[0]) {
        faces->high[0] = now;
        faces->high[1] = start;
    }
    ++faces->count;
}

// Returns half the distance between the faces of a wall that are normal to an axis: 0 for a flat wall,
// negative if it has none.
static double half_width(const struct scree_wall *wall, int k)
{
    const bool flat = wall->shape == SCREE_WALL_PLANE || wall->shape == SCREE_WALL_RECTANGLE ||
                      wall->shape == SCREE_WALL_DISK;
    for (int a = 0; a < 3; ++a) {
        const bool is_normal =
            fabs(wall->axes[a][(k + 1) % 3]) < tolerance && fabs(wall->axes[a][(k + 2) % 3]) < tolerance;
        if (is_normal && flat && a == 2)
            return 0;
        if (is_normal && wall->shape == SCREE_WALL_BOX && isfinite(wall->size[a]))
            return wall->size[a];
    }
    return -1;
}

// Calls add_face for each face along an axis, or counts those that are strictly between the outermost ones.
static size_t visit_faces(const struct scree_world *world, uint64_t mask, enum scree_measure_since since,
                          int k, bool add, struct faces *faces)
{
    size_t between = 0;
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        const double half = scree_group_of_wall(world, w) & mask ? half_width(wall, k) : -1;
        const double start = start_of(world, w, since)[k];
        for (int side = -1; side <= 1 && half >= 0; side += 2) {
            const double at = wall->reference[k] + side * half, width = faces->high[0] - faces->low[0];
            if (add)
                add_face(faces, at, start + side * half);
            else
                between += at - faces->low[0] > tolerance * width && faces->high[0] - at > tolerance * width;
        }
    }
    return between;
}

// Distances along an axis, now and at the start; false if the walls have no two opposite faces.
static bool find_extent(const struct scree_world *world, uint64_t mask, enum scree_measure_since since, int k,
                        double extent[2])
{
    const double period = scree_world_cell(world)->period[k];
    struct faces faces = {.count = 0};
    (void)visit_faces(world, mask, since, k, true, &faces);
    extent[0] = faces.count > 0 ? faces.high[0] - faces.low[0] : period;
    extent[1] = faces.count > 0 ? faces.high[1] - faces.low[1] : period;
    return extent[0] > 0 && extent[1] > 0 && visit_faces(world, mask, since, k, false, &faces) == 0;
}

scree_status scree_measure_strain(const struct scree_world *world, scree_group_id id,
                                  enum scree_measure_since since, struct scree_measure_sample *out)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const double unknown = (double)NAN;
    double volume = 1;
    uint64_t mask;
    *out = (struct scree_measure_sample){.log_strain = {0}};
    SCREE_TRY(scree_group_mask(world, id, &mask));
    for (int k = 0; k < world->dimension; ++k) {
        double extent[2];
        const bool known = find_extent(world, mask, since, k, extent);
        const double ratio = known ? extent[0] / extent[1] : unknown;
        out->extent[k] = known ? extent[0] : unknown;
        out->strain[k] = known ? (extent[0] - extent[1]) / extent[1] : unknown;
        out->log_strain[k] = known ? scree_log(ratio) : unknown;
        out->log_strain[3] += out->log_strain[k];
        volume *= ratio;
    }
    for (int k = world->dimension; k < 3; ++k)
        out->extent[k] = out->strain[k] = out->log_strain[k] = unknown;
    out->strain[3] = volume - 1;
    return SCREE_OK;
}
