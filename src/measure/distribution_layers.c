// Profiles: bodies in layers along an axis, or beside a plane wall; see distribution.h.
//
// A region gives the cross-section; its ends along the axis do not count. A body belongs to the layer of its
// centre, and its volume to all layers that it is in. Along a periodic axis layers continue with the images.

#include "base/memory.h"
#include "base/sum.h"
#include "contact/walk.h"
#include "math/real.h"
#include "measure/cut.h"
#include "measure/distribution.h"
#include "measure/part.h"
#include "world/body.h"
#include "world/grain.h"
#include "world/wall.h"

#include <math.h>

enum { MOST_PERIODS = 1000 };

struct layers {
    const struct scree_distribution *row;
    struct scree_part part;
    struct scree_bin *bin;
    int axis;
    double origin, sign, period; // place = sign * (coordinate - origin)
    double area;                 // of the cross-section
    struct scree_sum (*sum)[SCREE_LAYER_SUMS];
};

// Extends the region of a profile along its axis, beyond everything.
static struct scree_measure_region cross_section(const struct scree_world *world,
                                                 const struct scree_distribution *row)
{
    const struct scree_cell *cell = scree_world_cell(world);
    struct scree_measure_region region = scree_distribution_region(row);
    const int k = (int)row->axis;
    if (region.shape == SCREE_MEASURE_EVERYWHERE) {
        region.shape = SCREE_MEASURE_BOX;
        for (int i = 0; i < 3; ++i) {
            region.lower[i] = cell->lower[i];
            region.upper[i] = cell->upper[i];
        }
    }
    const bool periodic = cell->period[k] > 0;
    region.lower[k] = region.from[k] = periodic ? cell->lower[k] : -1e100;
    region.upper[k] = region.to[k] = periodic ? cell->upper[k] : 1e100;
    return region;
}

static scree_status wall_of(const struct scree_world *world, const struct scree_distribution *row,
                            const struct scree_wall **wall)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), row->wall, &slot));
    *wall = scree_wall_row(world, slot.index);
    return SCREE_OK;
}

scree_status scree_distribution_wall_axis(const struct scree_world *world, struct scree_distribution *row)
{
    const struct scree_wall *wall;
    SCREE_TRY(wall_of(world, row, &wall));
    row->axis = 0;
    for (uint64_t k = 1; k < 3; ++k)
        if (fabs(wall->axes[2][k]) > fabs(wall->axes[2][row->axis]))
            row->axis = k;
    return SCREE_OK;
}

static scree_status find_wall(const struct scree_world *world, struct layers *layers)
{
    const struct scree_wall *wall;
    SCREE_TRY(wall_of(world, layers->row, &wall));
    const double *normal = wall->axes[2];
    const bool flat = wall->shape == SCREE_WALL_PLANE || wall->shape == SCREE_WALL_RECTANGLE ||
                      wall->shape == SCREE_WALL_DISK;
    if (!flat || !(fabs(normal[layers->axis]) >= 1 - 1e-12))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the wall of a profile along %c must be flat, with its normal along %c",
                                 'x' + layers->axis, 'x' + layers->axis);
    layers->origin = wall->reference[layers->axis];
    layers->sign = normal[layers->axis] > 0 ? 1 : -1;
    return SCREE_OK;
}

static scree_status prepare(const struct scree_world *world, const struct scree_distribution *row,
                            struct layers *layers)
{
    const struct scree_cell *cell = scree_world_cell(world);
    *layers = (struct layers){.row = row, .axis = (int)row->axis, .sign = 1, .area = 1};
    SCREE_TRY(scree_cell_refuse_deforming(world, "a profile"));
    if (row->axis >= (uint64_t)world->dimension)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a profile in %d dimensions has no axis %llu",
                                 world->dimension, (unsigned long long)row->axis);
    for (int k = 0; k < world->dimension && row->shape == SCREE_MEASURE_EVERYWHERE; ++k)
        if (k != layers->axis && !(cell->upper[k] > cell->lower[k]))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a profile needs a region, or the 'box' of the scene: without it the "
                                     "cross-section is not known");
    const struct scree_measure_region region = cross_section(world, row);
    const bool lies_along = region.from[(layers->axis + 1) % 3] == region.to[(layers->axis + 1) % 3] &&
                            region.from[(layers->axis + 2) % 3] == region.to[(layers->axis + 2) % 3];
    if (region.shape != SCREE_MEASURE_BOX && !(region.shape == SCREE_MEASURE_CYLINDER && lies_along))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the region of a profile along %c must be a box, or a cylinder along %c",
                                 'x' + layers->axis, 'x' + layers->axis);
    SCREE_TRY(scree_part_begin(world, &region, &layers->part));
    if (region.shape == SCREE_MEASURE_CYLINDER)
        layers->area = SCREE_PI * region.radius * region.radius;
    for (int k = 0; k < world->dimension && region.shape == SCREE_MEASURE_BOX; ++k)
        if (k != layers->axis)
            layers->area *=
                layers->part.spans_period[k] ? cell->period[k] : region.upper[k] - region.lower[k];
    layers->period = cell->period[layers->axis];
    const double farthest = fabs(row->first) > fabs(row->last) ? fabs(row->first) : fabs(row->last);
    if (layers->period > 0 && !(farthest <= MOST_PERIODS * layers->period))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the layers of a profile must be within %d periods of the cell, %g m along %c", (int)MOST_PERIODS,
            layers->period, 'x' + layers->axis);
    return row->wall == 0 ? SCREE_OK : find_wall(world, layers);
}

scree_status scree_distribution_check_layers(const struct scree_world *world,
                                             const struct scree_distribution *row)
{
    struct layers layers;
    return prepare(world, row, &layers);
}

// Calls `add` for the place of each image from which `reach` gets to a layer.
typedef void add_place(struct layers *layers, double place, const void *what);
static void over_images(struct layers *layers, const double *position, double reach, add_place *add,
                        const void *what)
{
    const double place = layers->sign * (position[layers->axis] - layers->origin), period = layers->period;
    const double first = layers->row->first - reach, last = layers->row->last + reach;
    if (!(period > 0)) {
        if (place >= first && place <= last)
            add(layers, place, what);
        return;
    }
    for (double turn = ceil((first - place) / period); turn <= floor((last - place) / period); ++turn)
        add(layers, place + turn * period, what);
}

// --- motion of bodies, by their centres

struct moving {
    double mass, velocity[3];
};

static void add_motion(struct layers *layers, double place, const void *what)
{
    const struct moving *moving = (const struct moving *)what;
    const int64_t at = scree_distribution_bin_of(layers->row, place);
    if (at < 0)
        return;
    struct scree_sum *sum = layers->sum[at];
    ++layers->bin[at].count;
    scree_sum_add(&sum[SCREE_LAYER_MASS], moving->mass);
    for (int k = 0; k < 3; ++k)
        scree_sum_add(&sum[SCREE_LAYER_MOMENTUM + k], moving->mass * moving->velocity[k]);
    scree_sum_add(&sum[SCREE_LAYER_SQUARE],
                  moving->mass * scree_vec3_norm_squared(scree_vec3_load(moving->velocity)));
}

static void add_body(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                     void *user)
{
    struct layers *layers = (struct layers *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (!scree_part_has(&layers->part, world, slot.index))
        return;
    const struct moving moving = {grain->mass,
                                  {motion->velocity[0], motion->velocity[1], motion->velocity[2]}};
    over_images(layers, grain->position, 0, add_motion, &moving);
}

// --- volume of spheres, in all layers that they are in

struct ball {
    int dimension;
    double radius, share; // the part of its volume that counts
};

static void add_ball(struct layers *layers, double place, const void *what)
{
    const struct ball *ball = (const struct ball *)what;
    const struct scree_distribution *row = layers->row;
    const double infinity = (double)INFINITY, width = (row->last - row->first) / (double)row->bins;
    const double centre[3] = {place, 0, 0};
    double first = floor((place - ball->radius - row->first) / width),
           last = floor((place + ball->radius - row->first) / width);
    first = first > 0 ? first : 0;
    last = last < (double)row->bins ? last : (double)row->bins - 1;
    for (double b = first; b <= last; ++b) {
        const double lower[3] = {row->first + b * width, -infinity, -infinity};
        const double upper[3] = {row->first + (b + 1) * width, infinity, infinity};
        scree_sum_add(&layers->sum[(size_t)b][SCREE_LAYER_VOLUME],
                      ball->share * scree_cut_box(ball->dimension, centre, ball->radius, lower, upper));
    }
}

static void add_balls(struct scree_world *world, struct layers *layers)
{
    scree_grain_update_records(world, 0, NULL);
    const size_t bodies = scree_world_bodies(world);
    for (size_t g = 0; g < scree_grain_count(world); ++g) {
        const struct scree_grain *grain =
            g < bodies ? &scree_world_grains(world)[g] : scree_grain_update_record(world, g - bodies);
        const bool member =
            layers->part.mask == 0 || scree_group_of_body(world, grain->owner) & layers->part.mask;
        // pebbles of a clump share its volume in proportion to their own
        const struct ball ball = {world->dimension, grain->radius, 1 - scree_grain_shared(world, g)};
        if (grain->radius > 0 && member && scree_part_contains(&layers->part, grain->position))
            over_images(layers, grain->position, grain->radius, add_ball, &ball);
    }
}

scree_status scree_distribution_sample_layers(struct scree_world *world, struct scree_distribution *row,
                                              struct scree_bin *bin)
{
    struct layers layers;
    SCREE_TRY(prepare(world, row, &layers));
    layers.bin = bin;
    SCREE_TRY(scree_memory_new(row->bins, sizeof *layers.sum, (void **)&layers.sum));
    const scree_status status = scree_walk_bodies(world, add_body, &layers);
    if (status == SCREE_OK) {
        add_balls(world, &layers);
        for (uint64_t b = 0; b < row->bins; ++b)
            for (int s = 0; s < SCREE_LAYER_SUMS; ++s)
                bin[b].sum[s] += scree_sum_value(&layers.sum[b][s]);
        row->weight += layers.area * (row->last - row->first) / (double)row->bins;
    }
    scree_memory_free(layers.sum);
    return status;
}
