// A region of a world, see part.h.

#include "measure/part.h"

#include "math/real.h"
#include "measure/cut.h"
#include "world/cell.h"

#include <float.h>
#include <math.h>

// --- what a region is

static double length_of(const struct scree_measure_region *region)
{
    return scree_vec3_norm(scree_vec3_sub(scree_vec3_load(region->to), scree_vec3_load(region->from)));
}

static scree_status check_round(const struct scree_part *part)
{
    const struct scree_measure_region *region = &part->region;
    if (!(region->radius > 0 && region->radius <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the radius of a region is above 0 m; got %g",
                                 region->radius);
    if (region->shape == SCREE_MEASURE_BALL)
        return SCREE_OK;
    if (part->dimension == 2)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "in two dimensions a region is a box or a sphere, which is a circle there");
    return length_of(region) > 0 ? SCREE_OK
                                 : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                                     "the axis of a cylinder goes from one place to another");
}

// The box around a cylinder or a ball.
static void bound(struct scree_part *part)
{
    const struct scree_measure_region *region = &part->region;
    const bool tube = region->shape == SCREE_MEASURE_CYLINDER;
    const double length = tube ? length_of(region) : 1;
    for (int k = 0; k < 3; ++k) {
        const double along = tube ? region->to[k] - region->from[k] : 0, share = along / length;
        const double wide = region->radius * sqrt(share * share < 1 ? 1 - share * share : 0);
        part->lower[k] = (along < 0 ? region->to[k] : region->from[k]) - wide;
        part->upper[k] = (along > 0 ? region->to[k] : region->from[k]) + wide;
    }
}

static double volume_of(const struct scree_part *part)
{
    const struct scree_measure_region *region = &part->region;
    if (region->shape == SCREE_MEASURE_BALL)
        return scree_cut_whole(part->dimension, region->radius);
    if (region->shape == SCREE_MEASURE_CYLINDER)
        return SCREE_PI * region->radius * region->radius * length_of(region);
    double volume = 1;
    for (int k = 0; k < part->dimension; ++k)
        volume *= part->whole[k] ? part->period[k] : part->upper[k] - part->lower[k];
    return volume;
}

static scree_status check_bounds(const struct scree_part *part)
{
    for (int k = 0; k < part->dimension; ++k) {
        const double wide = part->upper[k] - part->lower[k];
        if (!(wide > 0 && wide <= 1e150))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a region has its upper corner above its lower one; along %c it goes from %g to %g m",
                'x' + k, part->lower[k], part->upper[k]);
        // the last digits of a face of the cell may be other ones
        if (part->period[k] > 0 && wide > part->period[k] * (1 + 1e-12))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a region is at most as wide as the periodic cell, %g m along %c; this one is %g m wide",
                part->period[k], 'x' + k, wide);
        // so that images can be counted
        const double far = part->period[k] * SCREE_CELL_FARTHEST;
        if (part->period[k] > 0 && !(fabs(part->lower[k]) < far && fabs(part->upper[k]) < far))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a region lies within %g periods of the cell; along %c it is at %g m",
                                     SCREE_CELL_FARTHEST, 'x' + k, part->lower[k]);
    }
    return SCREE_OK;
}

// Along an axis that repeats: where in the cell a place is, in steps from its lower face. Places that are the
// same but for a period and rounding are in the same step, for these are far coarser than rounding is: so no
// body falls between regions that share a bound, whichever image of it each names, and none is in two.
#define STEPS 0x1p40 // a period

static double step_of(const struct scree_part *part, int k, double x)
{
    const double turns = (x - part->origin[k]) / part->period[k];
    const double step = floor((turns - floor(turns)) * STEPS + 0.5);
    return step >= STEPS ? 0 : step;
}

static bool is_flat(const struct scree_measure_region *region, int k)
{
    const int j = (k + 1) % 3, i = (k + 2) % 3;
    return region->shape == SCREE_MEASURE_BOX ||
           (region->shape == SCREE_MEASURE_CYLINDER && region->from[j] == region->to[j] &&
            region->from[i] == region->to[i]);
}

// The flat ends of a region: those of a box, and of a cylinder along one of the axes.
static void find_ends(struct scree_part *part)
{
    for (int k = 0; k < part->dimension; ++k) {
        const double lower = part->lower[k], upper = part->upper[k], period = part->period[k];
        part->flat[k] = is_flat(&part->region, k);
        if (!(period > 0))
            continue;
        part->first[k] = step_of(part, k, lower);
        part->last[k] = step_of(part, k, upper);
        const double far = fabs(lower) > fabs(upper) ? fabs(lower) : fabs(upper);
        const double digits = 4 * DBL_EPSILON * (far > period ? far : period);
        part->whole[k] = part->flat[k] && (upper - lower >= period - digits ||
                                           (upper - lower > period / 2 && part->first[k] == part->last[k]));
    }
}

scree_status scree_part_begin(const struct scree_world *world, const struct scree_measure_region *region,
                              struct scree_part *part)
{
    const struct scree_cell *cell = scree_world_cell(world);
    *part = (struct scree_part){.dimension = world->dimension};
    if (region)
        part->region = *region;
    if (part->region.group.value != 0)
        SCREE_TRY(scree_group_mask(world, part->region.group, &part->mask));
    memcpy(part->origin, cell->lower, sizeof part->origin);
    memcpy(part->period, cell->period, sizeof part->period);
    memcpy(part->lower, cell->lower, sizeof part->lower);
    memcpy(part->upper, cell->upper, sizeof part->upper);
    switch (part->region.shape) {
    case SCREE_MEASURE_EVERYWHERE:
        return SCREE_OK;
    case SCREE_MEASURE_BOX:
        memcpy(part->lower, region->lower, sizeof part->lower);
        memcpy(part->upper, region->upper, sizeof part->upper);
        break;
    case SCREE_MEASURE_CYLINDER:
    case SCREE_MEASURE_BALL:
        SCREE_TRY(check_round(part));
        bound(part);
        break;
    default:
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no shape of regions of number %d",
                                 (int)part->region.shape);
    }
    SCREE_TRY(check_bounds(part));
    find_ends(part);
    part->volume = volume_of(part);
    return SCREE_OK;
}

scree_status scree_part_begin_volume(const struct scree_world *world,
                                     const struct scree_measure_region *region, struct scree_part *part)
{
    const struct scree_cell *cell = scree_world_cell(world);
    struct scree_measure_region box = {.shape = SCREE_MEASURE_BOX};
    if (region && region->shape != SCREE_MEASURE_EVERYWHERE)
        return scree_part_begin(world, region, part);
    for (int k = 0; k < world->dimension; ++k)
        if (!(cell->upper[k] > cell->lower[k]))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "all of a world has a volume only if it has a cell, which the box of a "
                                     "scene is: give a region, or that");
    memcpy(box.lower, cell->lower, sizeof box.lower);
    memcpy(box.upper, cell->upper, sizeof box.upper);
    if (region)
        box.group = region->group;
    return scree_part_begin(world, &box, part);
}

scree_status scree_part_of_contacts(const struct scree_part *part)
{
    return part->mask == 0 ? SCREE_OK
                           : scree_status_fail(
                                 SCREE_ERROR_ARGUMENT,
                                 "contacts are of two bodies: they are measured in a region without a group");
}

scree_status scree_measure_volume(const struct scree_world *world, const struct scree_measure_region *region,
                                  double *volume)
{
    SCREE_WORLD_COMPUTES;
    struct scree_part part;
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    *volume = part.volume;
    return SCREE_OK;
}

// --- images

// What is looked for: a place, a segment that goes on from it, or a ball about it; in these bounds. Along an
// axis that is open the region has no ends.
struct query {
    struct scree_vec3 place, way;
    double radius;
    double lower[3], upper[3];
    bool open[3];
};

// Adds up over the images of a region that may hold something of what is looked for. What asks sees the
// region where it is, and the place moved against it.
typedef double image_function(const struct scree_part *part, struct scree_vec3 place,
                              const struct query *query);

static double over_images(const struct scree_part *part, const struct query *query, image_function *function)
{
    double first[3], last[3], sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double period = query->open[k] ? 0 : part->period[k];
        first[k] = period > 0 ? ceil((query->lower[k] - part->upper[k]) / period) : 0;
        last[k] = period > 0 ? floor((query->upper[k] - part->lower[k]) / period) : 0;
    }
    for (double x = first[0]; x <= last[0]; ++x)
        for (double y = first[1]; y <= last[1]; ++y)
            for (double z = first[2]; z <= last[2]; ++z) {
                const struct scree_vec3 shift =
                    scree_vec3_make(x * part->period[0], y * part->period[1], z * part->period[2]);
                sum += function(part, scree_vec3_sub(query->place, shift), query);
            }
    return sum;
}

// --- places

// Along the axis of a cylinder from its lower end, and squared from the axis; of a ball, from its centre.
static double square_off(const struct scree_part *part, struct scree_vec3 place, double *along)
{
    const struct scree_measure_region *region = &part->region;
    struct scree_vec3 way = scree_vec3_sub(place, scree_vec3_load(region->from));
    way.z = part->dimension == 2 ? 0 : way.z;
    *along = 0;
    if (region->shape == SCREE_MEASURE_CYLINDER) {
        const struct scree_vec3 axis =
            scree_vec3_normalise(scree_vec3_sub(scree_vec3_load(region->to), scree_vec3_load(region->from)));
        *along = scree_vec3_dot(way, axis);
        way = scree_vec3_add_scaled(way, -*along, axis);
    }
    return scree_vec3_norm_squared(way);
}

// Whether a place is between the flat ends across an axis.
static bool holds_along(const struct scree_part *part, int k, double x)
{
    if (!(part->period[k] > 0))
        return x >= part->lower[k] && x < part->upper[k];
    const double first = part->first[k], last = part->last[k], step = step_of(part, k, x);
    return part->whole[k] || (first <= last ? step >= first && step < last : step >= first || step < last);
}

static bool is_oblique(const struct scree_part *part)
{
    return part->region.shape == SCREE_MEASURE_CYLINDER && !part->flat[0] && !part->flat[1] && !part->flat[2];
}

static double image_holds(const struct scree_part *part, struct scree_vec3 place, const struct query *query)
{
    double along;
    (void)query;
    const double square = square_off(part, place, &along);
    return square < part->region.radius * part->region.radius &&
           (!is_oblique(part) || (along >= 0 && along < length_of(&part->region)));
}

bool scree_part_contains(const struct scree_part *part, const double place[3])
{
    struct query query = {.place = scree_vec3_load(place)};
    if (part->region.shape == SCREE_MEASURE_EVERYWHERE)
        return true;
    for (int k = 0; k < 3; ++k) {
        if (part->flat[k] && !holds_along(part, k, place[k]))
            return false;
        query.open[k] = part->flat[k];
        query.lower[k] = query.upper[k] = place[k];
    }
    return part->region.shape == SCREE_MEASURE_BOX || over_images(part, &query, image_holds) > 0;
}

// --- segments

// Keeps what lies between two planes of a way that begins at `start` and goes on by `way` across them.
static void clip_flat(double start, double way, double least, double most, double range[2])
{
    if (way == 0) {
        range[1] = start >= least && start < most ? range[1] : -1;
        return;
    }
    const double a = (least - start) / way, b = (most - start) / way;
    const double first = a < b ? a : b, last = a < b ? b : a;
    range[0] = first > range[0] ? first : range[0];
    range[1] = last < range[1] ? last : range[1];
}

// Keeps what is within a radius of an axis or a centre, seen from which the segment is this.
static void clip_round(struct scree_vec3 from, struct scree_vec3 way, double radius, double range[2])
{
    const double a = scree_vec3_norm_squared(way), b = scree_vec3_dot(from, way);
    const double c = scree_vec3_norm_squared(from) - radius * radius;
    const double square = b * b - a * c;
    if (a == 0 || !(square > 0)) {
        range[1] = a == 0 && c < 0 ? range[1] : -1;
        return;
    }
    // of the two roots, the one that does not cancel gives the other
    const double sum = -(b + (b > 0 ? sqrt(square) : -sqrt(square)));
    const double one = sum / a, two = sum != 0 ? c / sum : one;
    const double first = one < two ? one : two, last = one < two ? two : one;
    range[0] = first > range[0] ? first : range[0];
    range[1] = last < range[1] ? last : range[1];
}

static double image_share(const struct scree_part *part, struct scree_vec3 from, const struct query *query)
{
    const struct scree_measure_region *region = &part->region;
    struct scree_vec3 way = query->way;
    double range[2] = {0, 1}, start[3], go[3];
    scree_vec3_store(from, start);
    scree_vec3_store(way, go);
    for (int k = 0; k < 3; ++k)
        if (part->flat[k] && !query->open[k])
            clip_flat(start[k], go[k], part->lower[k], part->upper[k], range);
    if (region->shape == SCREE_MEASURE_BOX)
        return range[1] > range[0] ? range[1] - range[0] : 0;
    from = scree_vec3_sub(from, scree_vec3_load(region->from));
    from.z = part->dimension == 2 ? 0 : from.z;
    if (region->shape == SCREE_MEASURE_CYLINDER) {
        const struct scree_vec3 axis =
            scree_vec3_normalise(scree_vec3_sub(scree_vec3_load(region->to), scree_vec3_load(region->from)));
        const double along = scree_vec3_dot(from, axis), on = scree_vec3_dot(way, axis);
        if (is_oblique(part))
            clip_flat(along, on, 0, length_of(region), range);
        from = scree_vec3_add_scaled(from, -along, axis);
        way = scree_vec3_add_scaled(way, -on, axis);
    }
    clip_round(from, way, region->radius, range);
    return range[1] > range[0] ? range[1] - range[0] : 0;
}

double scree_part_share(const struct scree_part *part, const double from[3], const double to[3])
{
    struct query query = {.place = scree_vec3_load(from),
                          .way = scree_vec3_sub(scree_vec3_load(to), scree_vec3_load(from))};
    if (part->region.shape == SCREE_MEASURE_EVERYWHERE)
        return 1;
    for (int k = 0; k < 3; ++k) {
        // one that goes along a bound is on one side of it
        const bool along = part->period[k] > 0 && fabs(to[k] - from[k]) * STEPS <= part->period[k];
        query.lower[k] = from[k] < to[k] ? from[k] : to[k];
        query.upper[k] = from[k] < to[k] ? to[k] : from[k];
        query.open[k] = part->whole[k] || (part->flat[k] && along);
        if (query.open[k] && !holds_along(part, k, to[k]))
            return 0;
    }
    return over_images(part, &query, image_share);
}

// --- balls

static double image_ball(const struct scree_part *part, struct scree_vec3 place, const struct query *query)
{
    const struct scree_measure_region *region = &part->region;
    double centre[3], lower[3], upper[3], along;
    scree_vec3_store(place, centre);
    for (int k = 0; k < 3; ++k) {
        lower[k] = query->open[k] ? -(double)INFINITY : part->lower[k];
        upper[k] = query->open[k] ? (double)INFINITY : part->upper[k];
    }
    if (region->shape == SCREE_MEASURE_BOX)
        return scree_cut_box(part->dimension, centre, query->radius, lower, upper);
    const double off = sqrt(square_off(part, place, &along));
    return region->shape == SCREE_MEASURE_BALL
               ? scree_cut_ball(part->dimension, query->radius, region->radius, off)
               : scree_cut_cylinder(query->radius, region->radius, length_of(region), along, off);
}

double scree_part_ball(const struct scree_part *part, const double centre[3], double radius)
{
    struct query query = {.place = scree_vec3_load(centre), .radius = radius};
    if (part->region.shape == SCREE_MEASURE_EVERYWHERE)
        return scree_cut_whole(part->dimension, radius);
    for (int k = 0; k < 3; ++k) {
        query.open[k] = part->region.shape == SCREE_MEASURE_BOX && part->whole[k];
        query.lower[k] = centre[k] - radius;
        query.upper[k] = centre[k] + radius;
    }
    return over_images(part, &query, image_ball);
}
