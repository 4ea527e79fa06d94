// A region of a world, see part.h.

#include "measure/part.h"

#include "math/real.h"
#include "measure/cut.h"
#include "world/cell.h"

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
        part->lower[k] = region->from[k] + (along < 0 ? along : 0) - wide;
        part->upper[k] = region->from[k] + (along > 0 ? along : 0) + wide;
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
        volume *= part->upper[k] - part->lower[k];
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

scree_status scree_part_begin(const struct scree_world *world, const struct scree_measure_region *region,
                              struct scree_part *part)
{
    const struct scree_cell *cell = scree_world_cell(world);
    *part = (struct scree_part){.dimension = world->dimension};
    if (region)
        part->region = *region;
    if (part->region.group.value != 0)
        SCREE_TRY(scree_group_mask(world, part->region.group, &part->mask));
    memcpy(part->period, cell->period, sizeof part->period);
    memcpy(part->lower, cell->lower, sizeof part->lower);
    memcpy(part->upper, cell->upper, sizeof part->upper);
    switch (part->region.shape) {
    case SCREE_MEASURE_EVERYWHERE:
        part->volume = volume_of(part);
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
    part->volume = volume_of(part);
    return SCREE_OK;
}

scree_status scree_part_begin_volume(const struct scree_world *world,
                                     const struct scree_measure_region *region, struct scree_part *part)
{
    SCREE_TRY(scree_part_begin(world, region, part));
    if (part->volume > 0)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "all of a world has a volume only if it has a cell, which the box of a scene is: give a region, or "
        "that");
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

// Adds up over the images of a region that may hold something between two corners. What asks sees the
// region where it is, and the thing moved against it.
typedef double image_function(const struct scree_part *part, const double shift[3], const void *thing);

static double over_images(const struct scree_part *part, const double lower[3], const double upper[3],
                          image_function *function, const void *thing)
{
    double first[3], last[3], shift[3], sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double period = part->period[k];
        first[k] = period > 0 ? ceil((lower[k] - part->upper[k]) / period) : 0;
        last[k] = period > 0 ? floor((upper[k] - part->lower[k]) / period) : 0;
    }
    for (double x = first[0]; x <= last[0]; ++x)
        for (double y = first[1]; y <= last[1]; ++y)
            for (double z = first[2]; z <= last[2]; ++z) {
                shift[0] = x * part->period[0];
                shift[1] = y * part->period[1];
                shift[2] = z * part->period[2];
                sum += function(part, shift, thing);
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

static double image_holds(const struct scree_part *part, const double shift[3], const void *thing)
{
    const double *place = (const double *)thing;
    const struct scree_measure_region *region = &part->region;
    bool inside = true;
    double along;
    if (region->shape == SCREE_MEASURE_BOX) {
        for (int k = 0; k < part->dimension; ++k)
            inside = inside && place[k] - shift[k] >= part->lower[k] && place[k] - shift[k] < part->upper[k];
        return inside;
    }
    const struct scree_vec3 moved = scree_vec3_sub(scree_vec3_load(place), scree_vec3_load(shift));
    const double square = square_off(part, moved, &along);
    if (region->shape == SCREE_MEASURE_CYLINDER)
        inside = along >= 0 && along < length_of(region);
    return inside && square < region->radius * region->radius;
}

bool scree_part_holds(const struct scree_part *part, const double place[3])
{
    return part->region.shape == SCREE_MEASURE_EVERYWHERE ||
           over_images(part, place, place, image_holds, place) > 0;
}

// --- segments

struct segment {
    struct scree_vec3 from, way;
};

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

static double image_share(const struct scree_part *part, const double shift[3], const void *thing)
{
    const struct scree_measure_region *region = &part->region;
    const struct segment *segment = (const struct segment *)thing;
    struct scree_vec3 from = scree_vec3_sub(segment->from, scree_vec3_load(shift)), way = segment->way;
    double range[2] = {0, 1}, start[3], go[3];
    if (region->shape == SCREE_MEASURE_BOX) {
        scree_vec3_store(from, start);
        scree_vec3_store(way, go);
        for (int k = 0; k < part->dimension; ++k)
            clip_flat(start[k], go[k], part->lower[k], part->upper[k], range);
        return range[1] > range[0] ? range[1] - range[0] : 0;
    }
    from = scree_vec3_sub(from, scree_vec3_load(region->from));
    from.z = part->dimension == 2 ? 0 : from.z;
    if (region->shape == SCREE_MEASURE_CYLINDER) {
        const struct scree_vec3 axis =
            scree_vec3_normalise(scree_vec3_sub(scree_vec3_load(region->to), scree_vec3_load(region->from)));
        const double along = scree_vec3_dot(from, axis), on = scree_vec3_dot(way, axis);
        clip_flat(along, on, 0, length_of(region), range);
        from = scree_vec3_add_scaled(from, -along, axis);
        way = scree_vec3_add_scaled(way, -on, axis);
    }
    clip_round(from, way, region->radius, range);
    return range[1] > range[0] ? range[1] - range[0] : 0;
}

double scree_part_share(const struct scree_part *part, const double from[3], const double to[3])
{
    double lower[3], upper[3];
    if (part->region.shape == SCREE_MEASURE_EVERYWHERE)
        return 1;
    for (int k = 0; k < 3; ++k) {
        lower[k] = from[k] < to[k] ? from[k] : to[k];
        upper[k] = from[k] < to[k] ? to[k] : from[k];
    }
    const struct segment segment = {scree_vec3_load(from),
                                    scree_vec3_sub(scree_vec3_load(to), scree_vec3_load(from))};
    return over_images(part, lower, upper, image_share, &segment);
}

// --- balls

struct ball {
    const double *centre;
    double radius;
};

static double image_ball(const struct scree_part *part, const double shift[3], const void *thing)
{
    const struct scree_measure_region *region = &part->region;
    const struct ball *ball = (const struct ball *)thing;
    const struct scree_vec3 place = scree_vec3_sub(scree_vec3_load(ball->centre), scree_vec3_load(shift));
    double centre[3], along;
    scree_vec3_store(place, centre);
    if (region->shape == SCREE_MEASURE_BOX)
        return scree_cut_box(part->dimension, centre, ball->radius, part->lower, part->upper);
    const double off = sqrt(square_off(part, place, &along));
    return region->shape == SCREE_MEASURE_BALL
               ? scree_cut_ball(part->dimension, ball->radius, region->radius, off)
               : scree_cut_cylinder(ball->radius, region->radius, length_of(region), along, off);
}

double scree_part_ball(const struct scree_part *part, const double centre[3], double radius)
{
    double lower[3], upper[3];
    if (part->region.shape == SCREE_MEASURE_EVERYWHERE)
        return scree_cut_whole(part->dimension, radius);
    for (int k = 0; k < 3; ++k) {
        lower[k] = centre[k] - radius;
        upper[k] = centre[k] + radius;
    }
    const struct ball ball = {centre, radius};
    return over_images(part, lower, upper, image_ball, &ball);
}
