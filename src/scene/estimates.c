// Expected speeds, falls and beds, see estimates.h.
//
// The named numbers below are the assumptions. Their influence is small: the frequency of a Hertzian contact
// grows with the fifth root of the speed and the sixth root of the stress, and with the square root of the
// number of contacts.

#include "scene/estimates.h"

#include "base/memory.h"
#include "build/build.h"
#include "engine/step_inputs.h"
#include "math/elementary.h"
#include "math/real.h"
#include "math/vec3.h"
#include "run/insert_delete.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/servo.h"
#include "world/wall.h"

#include <scree/cell.h>
#include <scree/material.h>
#include <scree/wall.h>

#include <math.h>

// contacts of the body with the shortest critical step, in three and in two dimensions: in a bed at rest
// under little stress, and in a dense bed with unequal forces
static const struct scree_estimates_range critical_contacts[2] = {{4, 11}, {2.5, 6}};
// mean number of contacts of a body
static const struct scree_estimates_range mean_contacts[2] = {{2, 5}, {1.5, 3.5}};
// closing speed over fall speed: bodies rebound, and also move sideways
static const double impact_factor = 1.5;
// closing speed in the slow state over that in the fast state
static const double slow_factor = 0.1;
// low estimate of the stress, over the weight per area below the bodies
static const double stress_factor = 0.05;
// fraction of the duration of an insertion after which its bodies form a bed
static const double bed_fraction = 0.25;
// time until the last body is at rest over its time of fall
static const double rest_factor = 1.5;
// s: a time that limits no fall
static const double long_time = 1e30;
// number of times at which insertions and the motion of walls are sampled
enum { SAMPLES = 32 };

// Bounds of all bodies, and sums over the free bodies.
struct bodies {
    double lower[3], upper[3]; // of all bodies and insertions, with radii
    double velocity_lower[3], velocity_upper[3];
    double count, mass, volume, momentum[3], twice_energy;
    double fastest, smallest_mass;
    double inserted; // number of bodies
    double bed_time; // s: when enough of them are inserted for a bed
    bool has_fixed;
    double fixed_lower[3], fixed_upper[3]; // bounds of fixed grains
};

static const struct bodies no_bodies = {
    .lower = {(double)INFINITY, (double)INFINITY, (double)INFINITY},
    .upper = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY},
    .velocity_lower = {(double)INFINITY, (double)INFINITY, (double)INFINITY},
    .velocity_upper = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY},
    .smallest_mass = (double)INFINITY,
    .bed_time = (double)INFINITY};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double ball_volume(int dimension, double radius)
{
    return dimension == 2 ? SCREE_PI * radius * radius : 4.0 / 3 * SCREE_PI * radius * radius * radius;
}

static void extend(struct bodies *bodies, const double *lower, const double *upper, const double *velocity)
{
    for (int k = 0; k < 3; ++k) {
        bodies->lower[k] = smaller(lower[k], bodies->lower[k]);
        bodies->upper[k] = scree_real_max(upper[k], bodies->upper[k]);
        bodies->velocity_lower[k] = smaller(velocity[k], bodies->velocity_lower[k]);
        bodies->velocity_upper[k] = scree_real_max(velocity[k], bodies->velocity_upper[k]);
    }
    bodies->fastest = scree_real_max(scree_vec3_norm(scree_vec3_load(velocity)), bodies->fastest);
}

static void add_grain(struct bodies *bodies, const struct scree_world *world, size_t row)
{
    const struct scree_grain *grain = &scree_world_grains(world)[row];
    const double r = grain->radius;
    double lower[3], upper[3];
    if (!(r > 0))
        return;
    for (int k = 0; k < 3; ++k) {
        lower[k] = grain->position[k] - r;
        upper[k] = grain->position[k] + r;
    }
    if (scree_step_inputs_is_fixed(grain)) {
        for (int k = 0; k < 3; ++k) {
            bodies->fixed_lower[k] = bodies->has_fixed ? smaller(lower[k], bodies->fixed_lower[k]) : lower[k];
            bodies->fixed_upper[k] =
                bodies->has_fixed ? scree_real_max(upper[k], bodies->fixed_upper[k]) : upper[k];
        }
        bodies->has_fixed = true;
        return;
    }
    extend(bodies, lower, upper, grain->velocity);
    bodies->volume += (1 - scree_grain_shared(world, row)) * ball_volume(world->dimension, r);
    // a carried grain has the mass of its whole body: only the first one counts
    if (grain->part > 1)
        return;
    const struct scree_vec3 velocity = scree_vec3_load(grain->velocity);
    bodies->count += 1;
    bodies->mass += grain->mass;
    bodies->smallest_mass = smaller(grain->mass, bodies->smallest_mass);
    bodies->twice_energy += grain->mass * scree_vec3_dot(velocity, velocity);
    for (int k = 0; k < 3; ++k)
        bodies->momentum[k] += grain->mass * grain->velocity[k];
}

// --- insertions

static scree_status read_insert(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_node *map, struct scree_insert **insert)
{
    SCREE_TRY(scree_memory_new(1, sizeof **insert, (void **)insert));
    const scree_status status = scree_insert_read(reading, world, map, *insert);
    if (status != SCREE_OK)
        scree_memory_free(*insert);
    return status;
}

// Adds the bodies that an insertion should have inserted until the time `end`.
static scree_status add_insert(struct bodies *bodies, const struct scree_insert *insert,
                               const struct scree_world *world, double end)
{
    const struct scree_region *region = &insert->free_region.region;
    const int dimension = world->dimension;
    const double thickness = dimension == 2 ? insert->template.thickness : 1;
    double count, density;
    SCREE_TRY(scree_insert_due(insert, world, end, &count));
    SCREE_TRY(scree_material_get(world, insert->template.material, "density", &density));
    const double volume = scree_sizes_volume(&insert->sizes, dimension);
    bodies->inserted += count;
    bodies->count += count;
    bodies->volume += count * volume;
    bodies->mass += count * density * volume * thickness;
    bodies->smallest_mass =
        smaller(density * thickness * ball_volume(dimension, insert->sizes.smallest), bodies->smallest_mass);
    const double last = smaller(insert->until, end),
                 enough = insert->from + bed_fraction * (last - insert->from);
    bodies->bed_time = smaller(enough, bodies->bed_time);
    extend(bodies, region->lower, region->upper, insert->template.velocity);
    return SCREE_OK;
}

static scree_status add_inserts(struct bodies *bodies, struct scree_reading *reading,
                                struct scree_world *world, double end)
{
    const struct scree_node *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    for (size_t k = 0; inserts && k < inserts->count; ++k) {
        struct scree_insert *insert;
        SCREE_TRY(read_insert(reading, world, inserts->item[k], &insert));
        const scree_status status = add_insert(bodies, insert, world, end);
        scree_memory_free(insert);
        SCREE_TRY(status);
    }
    return SCREE_OK;
}

// Finds the mean number of bodies between two times, of which `others` are not inserted.
static scree_status find_mean(struct scree_reading *reading, struct scree_world *world, double start,
                              double end, double others, double *mean)
{
    *mean = others;
    for (int sample = 0; sample < SAMPLES && scree_reading_has(reading->root, SCREE_KEY_scene_insert);
         ++sample) {
        double due;
        const double time = start + (end - start) * (sample + 0.5) / SAMPLES;
        SCREE_TRY(scree_insert_delete_expected(reading, world, time, &due));
        *mean += due / SAMPLES;
    }
    return SCREE_OK;
}

scree_status scree_estimates_add_inserts(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    for (size_t k = 0; inserts && k < inserts->count; ++k) {
        struct scree_insert *insert;
        scree_status status = read_insert(reading, world, inserts->item[k], &insert);
        SCREE_TRY(status);
        const struct scree_region *region = &insert->free_region.region;
        struct scree_pack_body grain = {.radius = insert->sizes.smallest};
        for (int axis = 0; axis < world->dimension; ++axis)
            grain.position[axis] = 0.5 * (region->lower[axis] + region->upper[axis]);
        status = scree_build_template_add(world, &grain, &insert->template);
        grain.radius = insert->sizes.largest;
        if (status == SCREE_OK)
            status = scree_build_template_add(world, &grain, &insert->template);
        scree_memory_free(insert);
        SCREE_TRY(status);
    }
    return SCREE_OK;
}

// --- walls

// Lowest coordinate of a wall along a unit vector. For a plane, that of its point above or below `centre`;
// minus infinity if it is no floor.
static double lowest_of(const struct scree_wall *wall, struct scree_vec3 up, struct scree_vec3 centre)
{
    const struct scree_vec3 reference = scree_vec3_load(wall->reference);
    double cosine[3], half_height = 0;
    for (int k = 0; k < 3; ++k)
        cosine[k] = fabs(scree_vec3_dot(up, scree_vec3_load(wall->axes[k])));
    const double radius = scree_real_max(wall->size[0], wall->size[1]);
    const struct scree_vec3 normal = scree_vec3_load(wall->axes[2]);
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        if (!(scree_vec3_dot(normal, up) > 0.1))
            return -(double)INFINITY;
        return scree_vec3_dot(up, centre) +
               scree_vec3_dot(normal, scree_vec3_sub(reference, centre)) / scree_vec3_dot(normal, up);
    case SCREE_WALL_RECTANGLE:
    case SCREE_WALL_BOX:
    case SCREE_WALL_MESH:
        // an edge across the plane of two dimensions is infinite
        for (int k = 0; k < 3; ++k)
            half_height += cosine[k] > 0 ? cosine[k] * wall->size[k] : 0;
        break;
    case SCREE_WALL_SPHERE:
        half_height = wall->size[0];
        break;
    default:
        half_height = radius * sqrt(scree_real_max(1 - cosine[2] * cosine[2], 0));
        half_height += cosine[2] > 0 ? cosine[2] * wall->size[2] : 0;
    }
    return scree_vec3_dot(up, reference) - half_height;
}

// Highest coordinate of the fixed grains along a unit vector if they are below `centre`, as those of a rough
// floor; else their lowest one; infinity if there are none.
static double floor_of_fixed(const struct bodies *bodies, struct scree_vec3 up, struct scree_vec3 centre)
{
    const double direction[3] = {up.x, up.y, up.z};
    double lowest = 0, highest = 0;
    if (!bodies->has_fixed)
        return (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
        const bool is_up = direction[k] > 0;
        lowest += direction[k] * (is_up ? bodies->fixed_lower[k] : bodies->fixed_upper[k]);
        highest += direction[k] * (is_up ? bodies->fixed_upper[k] : bodies->fixed_lower[k]);
    }
    return highest < scree_vec3_dot(up, centre) ? highest : lowest;
}

// Finds the lowest coordinate that bodies can fall to; returns false if nothing holds them. Fixed grains
// count as a floor if no wall is one.
static bool find_floor(const struct scree_world *world, const struct bodies *bodies, struct scree_vec3 up,
                       double *floor)
{
    const struct scree_vec3 centre =
        scree_vec3_scale(scree_vec3_add(scree_vec3_load(bodies->lower), scree_vec3_load(bodies->upper)), 0.5);
    double plane = -(double)INFINITY, other = (double)INFINITY;
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        const double lowest = lowest_of(wall, up, centre);
        if (wall->shape == SCREE_WALL_PLANE)
            plane = scree_real_max(lowest, plane);
        else
            other = smaller(lowest, other);
    }
    *floor = plane > -(double)INFINITY ? plane : other;
    if (!(fabs(*floor) < (double)INFINITY))
        *floor = floor_of_fixed(bodies, up, centre);
    return fabs(*floor) < (double)INFINITY;
}

// The largest speed of a wall near the bodies in a stage.
static scree_status find_wall_speed(struct scree_world *world, const struct bodies *bodies, double duration,
                                    double *largest)
{
    struct scree_clock *clock = scree_world_clock(world);
    const double time = clock->time;
    *largest = 0;
    scree_status status = SCREE_OK;
    for (int sample = 0; sample < SAMPLES && status == SCREE_OK; ++sample) {
        clock->time = time + duration * sample / SAMPLES;
        status = scree_wall_motion_begin_step(world, duration / SAMPLES * 0x1p-20);
        for (size_t w = 0; w < scree_wall_rows(world) && status == SCREE_OK; ++w) {
            const struct scree_wall *wall = scree_wall_row(world, w);
            const double speed = scree_wall_speed(wall, bodies->lower, bodies->upper) +
                                 scree_vec3_norm(scree_vec3_load(wall->surface_velocity));
            if (speed < (double)INFINITY)
                *largest = scree_real_max(speed, *largest);
        }
    }
    clock->time = time;
    return status;
}

// --- speeds

// Closing speed of the bodies as they move now.
static double closing_speed(const struct bodies *bodies)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double difference = bodies->velocity_upper[k] - bodies->velocity_lower[k];
        square += difference > 0 ? difference * difference : 0;
    }
    return sqrt(square);
}

// Closing speed after collisions have made velocities random: the range of `count` normally distributed
// numbers.
static double random_speed(const struct bodies *bodies)
{
    const struct scree_vec3 momentum = scree_vec3_load(bodies->momentum);
    const double twice_energy = bodies->twice_energy - scree_vec3_dot(momentum, momentum) / bodies->mass;
    if (!(bodies->count > 1 && twice_energy > 0))
        return 0;
    return 2 * sqrt(2 * scree_log(bodies->count + 1) * twice_energy / bodies->mass);
}

// A fall by gravity: the speed at its end and its duration.
struct fall {
    double speed, time;
};

// `rate` is the viscous damping, 1/s.
static struct fall find_fall(double gravity, double height, double start, double rate, double time)
{
    struct fall fall = {0};
    const double longest = start * time + 0.5 * gravity * time * time;
    height = smaller(height, longest);
    if (!(height > 0))
        return fall;
    fall.speed = sqrt(start * start + 2 * gravity * height);
    fall.time = (fall.speed - start) / gravity;
    const double terminal = gravity / rate;
    if (rate > 0 && terminal < fall.speed) {
        fall.speed = scree_real_max(terminal, start);
        fall.time = height / terminal;
    }
    return fall;
}

// --- the bed

// Area below the bodies: the product of their extents along the axes other than `vertical`.
static double area_below(const struct scree_cell *cell, const struct bodies *bodies, int dimension,
                         int vertical)
{
    double area = 1;
    for (int k = 0; k < dimension; ++k) {
        const double extent = cell->period[k] > 0 ? cell->period[k] : bodies->upper[k] - bodies->lower[k];
        area *= k == vertical ? 1 : extent;
    }
    return area;
}

static int vertical_axis(struct scree_vec3 up)
{
    return fabs(up.x) >= fabs(up.y) && fabs(up.x) >= fabs(up.z) ? 0 : fabs(up.y) >= fabs(up.z) ? 1 : 2;
}

// The largest stress that a servo keeps.
static double servo_stress(const struct scree_world *world, const struct bodies *bodies)
{
    double largest = 0;
    for (size_t s = 0; s < scree_servo_rows(world); ++s) {
        const struct scree_servo *servo = scree_servo_row(world, s);
        const double area = area_below(scree_world_cell(world), bodies, world->dimension,
                                       vertical_axis(scree_vec3_load(servo->direction)));
        const double stress = servo->turns         ? 0
                              : servo->stress != 0 ? fabs(servo->stress)
                                                   : fabs(servo->force) / area;
        largest = stress < (double)INFINITY ? scree_real_max(stress, largest) : largest;
    }
    return largest;
}

static void set_bed(struct scree_estimates *out, const struct scree_world *world, const struct bodies *bodies,
                    double gravity, double area)
{
    const int flat = world->dimension == 2;
    const double walls = (double)scree_wall_rows(world), servo = servo_stress(world, bodies);
    const double size = bodies->volume / bodies->count; // of one body
    const double width = flat ? sqrt(size) : scree_exp(scree_log(size) / 3);
    const double layer = gravity * bodies->mass / bodies->volume * width;
    const double weight = area > 0 ? gravity * bodies->mass / area : 0;
    // a body cannot touch more than all others and the walls of a corner
    const double most = bodies->count - 1 + (walls < 3 ? walls : 3) + (bodies->has_fixed ? 3 : 0);
    out->stress.high = scree_real_max(scree_real_max(weight, layer), servo);
    out->stress.low = scree_real_max(
        smaller(scree_real_max(stress_factor * weight, 0.5 * layer), out->stress.high), 0.5 * servo);
    out->coordination.high = smaller(critical_contacts[flat].high, most);
    out->coordination.low = smaller(critical_contacts[flat].low, most);
    // bodies that do not fill a layer have few neighbours
    if (bodies->volume < 0.5 * area * width && servo == 0)
        out->coordination.low = smaller(1, most);
    out->contacts.low = mean_contacts[flat].low * bodies->count / 2;
    out->contacts.high = smaller(mean_contacts[flat].high * bodies->count / 2, most * bodies->count);
}

// Splits gravity: returns the magnitude of its part along axes that are not periodic, and its direction.
static double split_gravity(const struct scree_world *world, struct scree_vec3 *up, double *periodic_gravity)
{
    double part[3] = {0}, square = 0, all[3];
    scree_world_gravity(world, all);
    *periodic_gravity = 0;
    for (int k = 0; k < 3; ++k) {
        const bool periodic = scree_cell_is_periodic_along(world, k);
        part[k] = periodic ? 0 : all[k];
        *periodic_gravity += periodic ? all[k] * all[k] : 0;
        square += part[k] * part[k];
    }
    *periodic_gravity = sqrt(*periodic_gravity);
    *up = square > 0 ? scree_vec3_scale(scree_vec3_load(part), -1 / sqrt(square)) : scree_vec3_make(0, 0, 1);
    return sqrt(square);
}

// The farthest coordinate of any body along a direction.
static double farthest(const struct bodies *bodies, struct scree_vec3 along)
{
    const double direction[3] = {along.x, along.y, along.z};
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += direction[k] * (direction[k] > 0 ? bodies->upper[k] : bodies->lower[k]);
    return sum;
}

static scree_status collect(struct scree_reading *reading, struct scree_world *world, double end,
                            struct bodies *bodies)
{
    *bodies = no_bodies;
    for (size_t i = 0; i < scree_grain_count(world); ++i)
        add_grain(bodies, world, i);
    return add_inserts(bodies, reading, world, end);
}

scree_status scree_estimates_find(struct scree_reading *reading, struct scree_world *world, double viscous,
                                  double time, double duration, struct scree_estimates *out)
{
    const double end = scree_world_time(world) + time + duration;
    struct bodies bodies;
    struct scree_vec3 up;
    double floor = 0, periodic_gravity, wall_speed;
    *out = (struct scree_estimates){0};
    SCREE_TRY(collect(reading, world, end, &bodies));
    out->bodies = bodies.count;
    SCREE_TRY(find_mean(reading, world, end - duration, end, bodies.count - bodies.inserted, &out->mean));
    if (!(bodies.count > 0))
        return SCREE_OK;
    SCREE_TRY(find_wall_speed(world, &bodies, duration, &wall_speed));
    const double gravity = split_gravity(world, &up, &periodic_gravity);
    out->has_gravity = gravity > 0 && find_floor(world, &bodies, up, &floor);
    const double until = time + duration;
    const double height = out->has_gravity ? farthest(&bodies, up) - floor : 0;
    const double gap = out->has_gravity ? -farthest(&bodies, scree_vec3_scale(up, -1)) - floor : 0;
    const struct fall fall = find_fall(gravity, height, bodies.fastest, viscous, until);
    out->first_in_bed = 0.5 * find_fall(gravity, gap, bodies.fastest, viscous, long_time).time;
    // gravity along periodic axes accelerates a flow, until friction limits its speed
    const double flow = smaller(periodic_gravity * duration,
                                sqrt(periodic_gravity * 10 * (height + bodies.upper[0] - bodies.lower[0])));
    const double now = closing_speed(&bodies);
    out->closing.high = scree_real_max(now, random_speed(&bodies));
    out->closing.high =
        scree_real_max(out->closing.high, impact_factor * (fall.speed + flow)) + 2 * wall_speed;
    out->closing.low = slow_factor * scree_real_max(now, fall.speed);
    out->fastest = scree_real_max(bodies.fastest, 0.5 * out->closing.high);
    out->last_in_bed = rest_factor * find_fall(gravity, height, 0, viscous, long_time).time +
                       (bodies.inserted > 0 && bodies.inserted >= 0.5 * bodies.count ? bodies.bed_time : 0);
    if (out->has_gravity || servo_stress(world, &bodies) > 0)
        set_bed(out, world, &bodies, gravity,
                area_below(scree_world_cell(world), &bodies, world->dimension, vertical_axis(up)));
    return SCREE_OK;
}
