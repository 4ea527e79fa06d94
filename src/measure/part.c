// Regions of measurement, see part.h.

#include "measure/part.h"

#include "math/real.h"
#include "measure/cut.h"
#include "world/cell.h"

#include <float.h>
#include <math.h>

// --- geometry

static double length_of(const struct scree_measure_region *region)
{
    return scree_vec3_norm(scree_vec3_sub(scree_vec3_load(region->to), scree_vec3_load(region->from)));
}

static struct scree_vec3 axis_of(const struct scree_measure_region *region)
{
    return scree_vec3_normalise(scree_vec3_sub(scree_vec3_load(region->to), scree_vec3_load(region->from)));
}

static scree_status check_round(const struct scree_part *part)
{
    const struct scree_measure_region *region = &part->region;
    if (!(region->radius > 0 && region->radius <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the radius of a region must be above 0 m; got %g",
                                 region->radius);
    if (region->shape == SCREE_MEASURE_BALL)
        return SCREE_OK;
    if (part->dimension == 2)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "in two dimensions a region must be a box, or a sphere, which is then a circle");
    return length_of(region) > 0 ? SCREE_OK
                                 : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                                     "the two ends of the axis of a cylinder must differ");
}

// The bounding box of a cylinder or a ball.
static void bound(struct scree_part *part)
{
    const struct scree_measure_region *region = &part->region;
    const bool is_cylinder = region->shape == SCREE_MEASURE_CYLINDER;
    const double length = is_cylinder ? length_of(region) : 1;
    for (int k = 0; k < 3; ++k) {
        const double along = is_cylinder ? region->to[k] - region->from[k] : 0, cosine = along / length;
        const double half_width = region->radius * sqrt(cosine * cosine < 1 ? 1 - cosine * cosine : 0);
        part->lower[k] = (along < 0 ? region->to[k] : region->from[k]) - half_width;
        part->upper[k] = (along > 0 ? region->to[k] : region->from[k]) + half_width;
    }
}

static double volume_of(const struct scree_part *part)
{
    const struct scree_measure_region *region = &part->region;
    if (region->shape == SCREE_MEASURE_BALL)
        return scree_cut_ball_volume(part->dimension, region->radius);
    if (region->shape == SCREE_MEASURE_MESH)
        return part->mesh.volume;
    if (region->shape == SCREE_MEASURE_CYLINDER)
        return SCREE_PI * region->radius * region->radius * length_of(region);
    double volume = 1;
    for (int k = 0; k < part->dimension; ++k)
        volume *= part->spans_period[k] ? part->period[k] : part->upper[k] - part->lower[k];
    return volume;
}

static scree_status check_bounds(const struct scree_part *part)
{
    for (int k = 0; k < part->dimension; ++k) {
        const double width = part->upper[k] - part->lower[k];
        if (!(width > 0 && width <= 1e150))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a region has its upper corner above its lower one; along %c it goes from %g to %g m",
                'x' + k, part->lower[k], part->upper[k]);
        // a bound may differ from a face of the cell by rounding
        if (part->period[k] > 0 && width > part->period[k] * (1 + 1e-12))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a region must be at most as wide as the periodic cell, %g m along %c; this one is %g m wide",
                part->period[k], 'x' + k, width);
        // so that images can be numbered exactly
        const double farthest = part->period[k] * SCREE_CELL_FARTHEST;
        if (part->period[k] > 0 && !(fabs(part->lower[k]) < farthest && fabs(part->upper[k]) < farthest))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a region must be within %g periods of the cell; along %c it is at %g m",
                                     SCREE_CELL_FARTHEST, 'x' + k, part->lower[k]);
    }
    return SCREE_OK;
}

// Numbers of cell vectors by which a point may move to be in a box.
struct turns {
    double first[3], last[3];
};

static struct turns turns_into(const struct scree_part *part, const double lower[3], const double upper[3])
{
    struct turns turns;
    const struct scree_mat3 *inverse = &part->lattice.inverse;
    const struct scree_vec3 row[3] = {scree_mat3_row_x(*inverse), scree_mat3_row_y(*inverse),
                                      scree_mat3_row_z(*inverse)};
    for (int k = 0; k < 3; ++k) {
        const double along[3] = {row[k].x, row[k].y, row[k].z};
        double middle = 0, half = 0;
        for (int i = 0; i < part->dimension; ++i) {
            middle += along[i] * 0.5 * (lower[i] + upper[i]);
            half += fabs(along[i]) * 0.5 * (upper[i] - lower[i]);
        }
        // room for rounding: each image is tested
        turns.first[k] = k < part->dimension ? ceil(middle - half - 1e-9) : 0;
        turns.last[k] = k < part->dimension ? floor(middle + half + 1e-9) : 0;
    }
    return turns;
}

static struct scree_vec3 shift_of(const struct scree_part *part, double x, double y, double z)
{
    return part->skewed ? scree_mat3_apply(part->lattice.vectors, scree_vec3_make(x, y, z))
                        : scree_vec3_make(x * part->period[0], y * part->period[1], z * part->period[2]);
}

// Refuses a region in a cell with cell vectors whose bounding box overlaps its own images.
static scree_status check_images(const struct scree_part *part)
{
    double lower[3] = {0}, upper[3] = {0};
    if (!part->skewed)
        return SCREE_OK;
    for (int k = 0; k < part->dimension; ++k) {
        // bounds may differ by rounding
        upper[k] = (part->upper[k] - part->lower[k]) * (1 - 1e-12);
        lower[k] = -upper[k];
    }
    const struct turns turns = turns_into(part, lower, upper);
    for (double x = turns.first[0]; x <= turns.last[0]; ++x)
        for (double y = turns.first[1]; y <= turns.last[1]; ++y)
            for (double z = turns.first[2]; z <= turns.last[2]; ++z) {
                double shift[3];
                bool overlaps = x != 0 || y != 0 || z != 0;
                scree_vec3_store(shift_of(part, x, y, z), shift);
                for (int k = 0; k < part->dimension; ++k)
                    overlaps = overlaps && fabs(shift[k]) < upper[k];
                if (overlaps)
                    return scree_status_fail(
                        SCREE_ERROR_ARGUMENT,
                        "the bounding box of a region in a cell with cell vectors must not overlap its "
                        "periodic images, and that at (%g, %g, %g) m does: use a smaller region",
                        shift[0], shift[1], shift[2]);
            }
    return SCREE_OK;
}

// The grid step of a coordinate along a periodic axis, from the lower face of the cell. Steps are much
// coarser than rounding, so coordinates that are equal up to a period and rounding have the same step: no
// body falls between two regions with a common bound, for any image of that bound, and none is in both.
#define STEPS 0x1p40 // per period

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

// Finds the flat ends of a region: those of a box, and of a cylinder parallel to an axis.
static void find_ends(struct scree_part *part)
{
    for (int k = 0; k < part->dimension; ++k) {
        const double lower = part->lower[k], upper = part->upper[k], period = part->period[k];
        part->flat[k] = is_flat(&part->region, k);
        if (!(period > 0))
            continue;
        part->first[k] = step_of(part, k, lower);
        part->last[k] = step_of(part, k, upper);
        const double farthest = fabs(lower) > fabs(upper) ? fabs(lower) : fabs(upper);
        const double digits = 4 * DBL_EPSILON * (farthest > period ? farthest : period);
        part->spans_period[k] =
            part->flat[k] && (upper - lower >= period - digits ||
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
    part->skewed = scree_world_lattice(world) != NULL;
    if (part->skewed)
        part->lattice = scree_cell_lattice_of(world);
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
    case SCREE_MEASURE_MESH:
        SCREE_TRY(scree_part_mesh_begin(world, region->mesh, &part->mesh));
        memcpy(part->lower, part->mesh.lower, sizeof part->lower);
        memcpy(part->upper, part->mesh.upper, sizeof part->upper);
        break;
    default:
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no region shape with number %d",
                                 (int)part->region.shape);
    }
    SCREE_TRY(check_bounds(part));
    SCREE_TRY(check_images(part));
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
    if (scree_world_lattice(world)) {
        SCREE_TRY(scree_part_begin(world, region, part));
        part->volume = scree_mat3_determinant(part->lattice.vectors);
        return SCREE_OK;
    }
    for (int k = 0; k < world->dimension; ++k)
        if (!(cell->upper[k] > cell->lower[k]))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the volume of the whole world is known only with a cell: give a region, or the "
                "'box' of the scene");
    memcpy(box.lower, cell->lower, sizeof box.lower);
    memcpy(box.upper, cell->upper, sizeof box.upper);
    if (region)
        box.group = region->group;
    return scree_part_begin(world, &box, part);
}

scree_status scree_part_of_contacts(const struct scree_part *part)
{
    return part->mask == 0
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                   "a measurement of contacts takes a region without a group of bodies");
}

scree_status scree_measure_volume(const struct scree_world *world, const struct scree_measure_region *region,
                                  double *volume)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    *volume = part.volume;
    return SCREE_OK;
}

// --- images

// A point, segment or ball, and its bounding box. Along an open axis the ends of the region are ignored.
struct query {
    struct scree_vec3 position, segment;
    double radius;
    double lower[3], upper[3];
    bool open[3];
};

// Evaluates a query for one image, shifted to `position`; the results of all images that may overlap are
// added.
typedef double image_function(const struct scree_part *part, struct scree_vec3 position,
                              const struct query *query);

// The images of a query that may overlap the region.
static struct turns turns_of(const struct scree_part *part, const struct query *query)
{
    struct turns turns;
    double lower[3], upper[3];
    for (int k = 0; k < 3; ++k) {
        const double period = query->open[k] ? 0 : part->period[k];
        lower[k] = query->lower[k] - part->upper[k];
        upper[k] = query->upper[k] - part->lower[k];
        turns.first[k] = period > 0 ? ceil(lower[k] / period) : 0;
        turns.last[k] = period > 0 ? floor(upper[k] / period) : 0;
    }
    return part->skewed ? turns_into(part, lower, upper) : turns;
}

static double over_images(const struct scree_part *part, const struct query *query, image_function *function)
{
    const struct turns turns = turns_of(part, query);
    double sum = 0;
    for (double x = turns.first[0]; x <= turns.last[0]; ++x)
        for (double y = turns.first[1]; y <= turns.last[1]; ++y)
            for (double z = turns.first[2]; z <= turns.last[2]; ++z)
                sum += function(part, scree_vec3_sub(query->position, shift_of(part, x, y, z)), query);
    return sum;
}

// --- points

// Squared distance from the axis of a cylinder, and the position along it; or from the centre of a ball.
static double squared_distance(const struct scree_part *part, struct scree_vec3 position, double *along)
{
    const struct scree_measure_region *region = &part->region;
    struct scree_vec3 arm = scree_vec3_sub(position, scree_vec3_load(region->from));
    arm.z = part->dimension == 2 ? 0 : arm.z;
    *along = 0;
    if (region->shape == SCREE_MEASURE_CYLINDER) {
        const struct scree_vec3 axis = axis_of(region);
        *along = scree_vec3_dot(arm, axis);
        arm = scree_vec3_add_scaled(arm, -*along, axis);
    }
    return scree_vec3_norm_squared(arm);
}

// Returns whether a coordinate is between the flat ends along an axis.
static bool contains_along(const struct scree_part *part, int k, double x)
{
    if (!(part->period[k] > 0))
        return x >= part->lower[k] && x < part->upper[k];
    const double first = part->first[k], last = part->last[k], step = step_of(part, k, x);
    return part->spans_period[k] ||
           (first <= last ? step >= first && step < last : step >= first || step < last);
}

static bool is_oblique(const struct scree_part *part)
{
    return part->region.shape == SCREE_MEASURE_CYLINDER && !part->flat[0] && !part->flat[1] && !part->flat[2];
}

static double image_contains(const struct scree_part *part, struct scree_vec3 position,
                             const struct query *query)
{
    double along;
    (void)query;
    if (part->region.shape == SCREE_MEASURE_MESH)
        return scree_part_mesh_contains(&part->mesh, position);
    const double square = squared_distance(part, position, &along);
    return square < part->region.radius * part->region.radius &&
           (!is_oblique(part) || (along >= 0 && along < length_of(&part->region)));
}

// Also between the flat ends, which in a cell along the axes need no images.
static double image_contains_in_skewed(const struct scree_part *part, struct scree_vec3 position,
                                       const struct query *query)
{
    double x[3];
    scree_vec3_store(position, x);
    for (int k = 0; k < part->dimension; ++k)
        if (part->flat[k] && !contains_along(part, k, x[k]))
            return 0;
    return part->region.shape == SCREE_MEASURE_BOX ? 1 : image_contains(part, position, query);
}

bool scree_part_contains(const struct scree_part *part, const double position[3])
{
    struct query query = {.position = scree_vec3_load(position)};
    if (part->region.shape == SCREE_MEASURE_EVERYWHERE)
        return true;
    for (int k = 0; k < 3; ++k) {
        if (!part->skewed && part->flat[k] && !contains_along(part, k, position[k]))
            return false;
        query.open[k] = part->flat[k];
        query.lower[k] = query.upper[k] = position[k];
    }
    if (part->skewed)
        return over_images(part, &query, image_contains_in_skewed) > 0;
    return part->region.shape == SCREE_MEASURE_BOX || over_images(part, &query, image_contains) > 0;
}

// --- segments

// Clips a range to that between two numbers.
static void clip(double range[2], double a, double b)
{
    const double first = a < b ? a : b, last = a < b ? b : a;
    range[0] = first > range[0] ? first : range[0];
    range[1] = last < range[1] ? last : range[1];
}

// Clips the range of a segment to the space between two planes; `start` and `length` are along their normal.
static void clip_flat(double start, double length, double least, double most, double range[2])
{
    if (length == 0) {
        range[1] = start >= least && start < most ? range[1] : -1;
        return;
    }
    clip(range, (least - start) / length, (most - start) / length);
}

// Clips to a ball, or, if projected along its axis, a cylinder; `from` is relative to the centre.
static void clip_round(struct scree_vec3 from, struct scree_vec3 segment, double radius, double range[2])
{
    const double a = scree_vec3_norm_squared(segment), b = scree_vec3_dot(from, segment);
    const double c = scree_vec3_norm_squared(from) - radius * radius;
    const double square = b * b - a * c;
    if (a == 0 || !(square > 0)) {
        range[1] = a == 0 && c < 0 ? range[1] : -1;
        return;
    }
    // the root without cancellation gives the other one
    const double sum = -(b + (b > 0 ? sqrt(square) : -sqrt(square)));
    const double first_root = sum / a, second_root = sum != 0 ? c / sum : first_root;
    clip(range, first_root, second_root);
}

static double image_fraction(const struct scree_part *part, struct scree_vec3 from, const struct query *query)
{
    const struct scree_measure_region *region = &part->region;
    struct scree_vec3 segment = query->segment;
    double range[2] = {0, 1}, start[3], direction[3];
    if (region->shape == SCREE_MEASURE_MESH)
        return scree_part_mesh_fraction(&part->mesh, from, segment);
    scree_vec3_store(from, start);
    scree_vec3_store(segment, direction);
    for (int k = 0; k < 3; ++k)
        if (part->flat[k] && !query->open[k])
            clip_flat(start[k], direction[k], part->lower[k], part->upper[k], range);
    if (region->shape == SCREE_MEASURE_BOX)
        return range[1] > range[0] ? range[1] - range[0] : 0;
    from = scree_vec3_sub(from, scree_vec3_load(region->from));
    from.z = part->dimension == 2 ? 0 : from.z;
    if (region->shape == SCREE_MEASURE_CYLINDER) {
        const struct scree_vec3 axis = axis_of(region);
        const double along = scree_vec3_dot(from, axis), along_segment = scree_vec3_dot(segment, axis);
        if (is_oblique(part))
            clip_flat(along, along_segment, 0, length_of(region), range);
        from = scree_vec3_add_scaled(from, -along, axis);
        segment = scree_vec3_add_scaled(segment, -along_segment, axis);
    }
    clip_round(from, segment, region->radius, range);
    return range[1] > range[0] ? range[1] - range[0] : 0;
}

double scree_part_fraction(const struct scree_part *part, const double from[3], const double to[3])
{
    struct query query = {.position = scree_vec3_load(from),
                          .segment = scree_vec3_sub(scree_vec3_load(to), scree_vec3_load(from))};
    if (part->region.shape == SCREE_MEASURE_EVERYWHERE)
        return 1;
    for (int k = 0; k < 3; ++k) {
        // a segment within a grid step along an axis is on one side of a bound
        const bool along = part->period[k] > 0 && fabs(to[k] - from[k]) * STEPS <= part->period[k];
        query.lower[k] = from[k] < to[k] ? from[k] : to[k];
        query.upper[k] = from[k] < to[k] ? to[k] : from[k];
        query.open[k] = part->spans_period[k] || (part->flat[k] && along);
        if (query.open[k] && !contains_along(part, k, to[k]))
            return 0;
    }
    return over_images(part, &query, image_fraction);
}

// --- balls

static double image_ball(const struct scree_part *part, struct scree_vec3 position, const struct query *query)
{
    const struct scree_measure_region *region = &part->region;
    double centre[3], lower[3], upper[3], along;
    scree_vec3_store(position, centre);
    for (int k = 0; k < 3; ++k) {
        lower[k] = query->open[k] ? -(double)INFINITY : part->lower[k];
        upper[k] = query->open[k] ? (double)INFINITY : part->upper[k];
    }
    if (region->shape == SCREE_MEASURE_BOX)
        return scree_cut_box(part->dimension, centre, query->radius, lower, upper);
    const double distance = sqrt(squared_distance(part, position, &along));
    return region->shape == SCREE_MEASURE_BALL
               ? scree_cut_ball(part->dimension, query->radius, region->radius, distance)
               : scree_cut_cylinder(query->radius, region->radius, length_of(region), along, distance);
}

double scree_part_ball(const struct scree_part *part, const double centre[3], double radius)
{
    struct query query = {.position = scree_vec3_load(centre), .radius = radius};
    if (part->region.shape == SCREE_MEASURE_EVERYWHERE)
        return scree_cut_ball_volume(part->dimension, radius);
    for (int k = 0; k < 3; ++k) {
        query.open[k] = part->region.shape == SCREE_MEASURE_BOX && part->spans_period[k];
        query.lower[k] = centre[k] - radius;
        query.upper[k] = centre[k] + radius;
    }
    return over_images(part, &query, image_ball);
}
