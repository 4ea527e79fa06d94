// Growing bodies to a dense packing without overlap.
//
// Bodies are placed at random at a fraction of their size and grow in stages to slightly more than it. After
// each stage overlaps of their pebbles are relaxed: they act as linear springs, and bodies move, and clumps
// also rotate, by the fast inertial relaxation engine, FIRE (Bitzek, Koskinen, Gahler, Moseler and Gumbsch,
// "Structural relaxation made simple", Phys. Rev. Lett. 97, 170201, 2006). Growth ends when no body at its
// true size overlaps another, the region or a wall, or when forces balance although overlaps remain: the
// packing is jammed. This reaches solid fractions near random close packing, 0.63 for equal spheres and 0.83
// for equal disks, and less close to walls.
//
// Invariants: results depend on seed, shape and radii only. Sweeps are bounded. Grains of the list do not
// move. A sphere is a body with one pebble at its centre; positions of pebbles follow from those of bodies.

#include "base/random.h"
#include "detect/candidates.h"
#include "math/quat.h"
#include "pack/fill.h"
#include "shape/surface.h"

#include <math.h>
#include <string.h>

enum {
    STAGES = 24,
    STAGE_SWEEPS = 20,
    LAST_SWEEPS = 6000,
    CHECK_JAM_EVERY = 32,
    TRIES = 10000,
    STREAM_GROW = 3
};

// start size, and growth beyond the true size, so that relaxation reaches zero overlap there
static const double first_scale = 0.35, margin = 1e-3;
// part of the margin that must remain, against overlaps by rounding
static const double min_margin = 1e-9;
// skin of the lists over the mean radius; largest displacement per sweep over the radius
static const double relative_skin = 0.3, max_displacement = 0.1;
// jammed: limit of the net force over the mean contact force
static const double jam_tolerance = 5e-3;

// Candidate pair of a grain and a feature of a wall.
struct wall_pair {
    uint32_t grain, wall;
    unsigned feature;
};

// A pebble, a sphere or a grain of the list.
struct ball {
    double position[3], searched[3]; // now, and when the lists were built
    double arm[3];                   // from the centre of its body
    double radius;                   // at full size
    uint32_t body;
};

struct body {
    struct scree_pack_body at;
    double velocity[3], spin[3], force[3], torque[3];
    double mass, inertia; // the same about every axis
};

struct grow {
    const struct scree_fill *fill;
    size_t old_count, count; // number of grains already in the list, and of all balls
    size_t bodies, per_body; // number of new bodies, and of the pebbles of each
    struct ball *ball;
    struct body *body;
    double scale, skin;
    struct scree_grain *grain; // for the pair search
    uint64_t *id, *carried;    // ids of bodies, and of pebbles: null for spheres
    struct scree_contacts contacts;
    SCREE_ARRAY(struct wall_pair) walls;
    // of the last force evaluation
    double overlap, overlap_sum;   // largest and sum, relative to the sum of radii
    double force_sum, force_count; // sum and number of contact forces
};

// The first ball of a new body.
static inline size_t first_of(const struct grow *grow, size_t body)
{
    return grow->old_count + body * grow->per_body;
}

// Moves the balls of a body to their places. Beyond the true size only radii grow: then a body whose balls
// are free of overlap is also free at its true size.
static void place_balls(struct grow *grow, size_t b)
{
    const struct body *body = &grow->body[b];
    struct scree_pack_body scaled = body->at;
    scaled.radius *= grow->scale < 1 ? grow->scale : 1;
    for (size_t p = 0; p < grow->per_body; ++p) {
        struct ball *ball = &grow->ball[first_of(grow, b) + p];
        const struct scree_fill_grain grain = scree_pack_grain(grow->fill->shape, &scaled, p);
        memcpy(ball->position, grain.position, sizeof ball->position);
        for (int k = 0; k < 3; ++k)
            ball->arm[k] = grain.position[k] - body->at.position[k];
    }
}

static scree_status allocate(struct grow *grow)
{
    SCREE_TRY(scree_memory_new(grow->count, sizeof *grow->ball, (void **)&grow->ball));
    SCREE_TRY(scree_memory_new(grow->bodies, sizeof *grow->body, (void **)&grow->body));
    SCREE_TRY(scree_memory_new(grow->count, sizeof *grow->grain, (void **)&grow->grain));
    SCREE_TRY(scree_memory_new(grow->count, sizeof *grow->id, (void **)&grow->id));
    return grow->fill->shape ? scree_memory_new(grow->count, sizeof *grow->carried, (void **)&grow->carried)
                             : SCREE_OK;
}

static scree_status begin_grow(struct grow *grow, const scree_fill_list *list)
{
    const struct scree_fill *fill = grow->fill;
    double sum = 0;
    grow->old_count = list->count;
    grow->bodies = fill->count;
    grow->per_body = scree_pack_pebbles(fill->shape);
    grow->count = list->count + grow->bodies * grow->per_body;
    SCREE_TRY(allocate(grow));
    for (size_t g = 0; g < grow->old_count; ++g) {
        grow->ball[g].radius = list->data[g].radius;
        grow->ball[g].body = UINT32_MAX;
        memcpy(grow->ball[g].position, list->data[g].position, sizeof grow->ball[g].position);
    }
    for (size_t b = 0; b < grow->bodies; ++b) {
        grow->body[b].at = scree_fill_body(fill, b);
        for (size_t g = first_of(grow, b); g < first_of(grow, b + 1); ++g) {
            grow->ball[g].body = (uint32_t)b;
            grow->ball[g].radius =
                scree_pack_grain(fill->shape, &grow->body[b].at, g - first_of(grow, b)).radius;
            sum += grow->ball[g].radius;
        }
    }
    for (size_t g = 0; g < grow->count; ++g) {
        grow->id[g] = g < grow->old_count ? g + 1 : grow->old_count + grow->ball[g].body + 1;
        if (grow->carried)
            grow->carried[g] = g + 1;
    }
    grow->skin = relative_skin * sum / (double)(grow->bodies * grow->per_body);
    return SCREE_OK;
}

static void end_grow(struct grow *grow)
{
    scree_memory_free(grow->ball);
    scree_memory_free(grow->body);
    scree_memory_free(grow->grain);
    scree_memory_free(grow->id);
    scree_memory_free(grow->carried);
    scree_candidates_free(&grow->contacts);
    scree_array_free(&grow->walls);
}

// Returns the current radius of a grain. Grains that were in the list before have the margin too.
static inline double current_radius(const struct grow *grow, size_t g)
{
    return grow->ball[g].radius * (g < grow->old_count ? 1 + margin : grow->scale);
}

// Gap and normal at a wall. Walls have no periodic images: wrap the grain into the cell.
static inline void touch_wall(const struct grow *grow, const struct wall_pair *candidate,
                              struct scree_surface_touch *touch)
{
    double position[3];
    memcpy(position, grow->ball[candidate->grain].position, sizeof position);
    scree_free_region_wrap(&grow->fill->free_region, position);
    scree_surface_touch(&grow->fill->free_region.wall[candidate->wall], candidate->feature, position, touch);
}

// --- random start positions

static bool is_inside(const struct grow *grow, size_t b)
{
    for (size_t g = first_of(grow, b); g < first_of(grow, b + 1); ++g)
        if (!scree_free_region_contains(&grow->fill->free_region, grow->ball[g].position,
                                        first_scale * grow->ball[g].radius))
            return false;
    return true;
}

static bool place_at_random(struct grow *grow, size_t b)
{
    const struct scree_random_key key = {grow->fill->seed, STREAM_GROW};
    const struct scree_region *region = &grow->fill->free_region.region;
    double *position = grow->body[b].at.position;
    for (uint64_t attempt = 0; attempt < TRIES; ++attempt) {
        double u[3];
        scree_random_fill(key, b, attempt, u, 3);
        for (int k = 0; k < region->dimension; ++k)
            position[k] = region->lower[k] + u[k] * (region->upper[k] - region->lower[k]);
        place_balls(grow, b);
        if (is_inside(grow, b))
            return true;
    }
    return false;
}

// --- neighbour lists

static scree_status list_walls(struct grow *grow)
{
    const struct scree_free_region *free_region = &grow->fill->free_region;
    grow->walls.count = 0;
    for (size_t g = grow->old_count; g < grow->count; ++g)
        for (size_t w = 0; w < free_region->walls; ++w) {
            const double range = current_radius(grow, g) + grow->skin;
            struct scree_surface_query query;
            unsigned f;
            scree_surface_query_begin(&query, &free_region->wall[w], grow->grain[g].position, range);
            while (scree_surface_query_next(&query, &f))
                if (scree_surface_within(&free_region->wall[w], f, grow->grain[g].position, range))
                    SCREE_TRY(
                        scree_array_push(&grow->walls, ((struct wall_pair){(uint32_t)g, (uint32_t)w, f})));
        }
    return SCREE_OK;
}

// Masses are proportional to the number of neighbours, so that one time step is stable for all bodies; the
// moment of inertia is that of a mass at the largest distance from the centre.
static void set_masses(struct grow *grow)
{
    for (size_t b = 0; b < grow->bodies; ++b)
        grow->body[b].mass = 0;
    for (size_t c = 0; c < grow->contacts.candidates; ++c) {
        const struct scree_pair pair = grow->contacts.pair[c];
        const uint32_t body[2] = {grow->ball[pair.low].body, grow->ball[pair.high].body};
        for (int e = 0; e < 2; ++e)
            if (body[e] != UINT32_MAX)
                grow->body[body[e]].mass += pair.low != pair.high ? 1.0 / 12 : 0;
    }
    for (size_t b = 0; b < grow->bodies; ++b) {
        struct body *body = &grow->body[b];
        const double arm = body->at.radius * grow->scale * scree_pack_reach(grow->fill->shape);
        body->mass = body->mass > 1 ? body->mass : 1;
        body->inertia = body->mass * arm * arm;
    }
}

// Wraps a body along the open axes only: outside of a closed face it must be pushed back.
static void wrap_body(struct grow *grow, size_t b)
{
    const struct scree_free_region *free_region = &grow->fill->free_region;
    double *position = grow->body[b].at.position, wrapped[3];
    memcpy(wrapped, position, sizeof wrapped);
    scree_free_region_wrap(free_region, wrapped);
    for (int k = 0; k < 3; ++k)
        position[k] = free_region->region.open[k] ? wrapped[k] : position[k];
    place_balls(grow, b);
}

static scree_status build_lists(struct grow *grow)
{
    static const uint8_t one_class[4] = {0, 0, 0, 0};
    const struct scree_team alone = {1};
    const struct scree_free_region *free_region = &grow->fill->free_region;
    struct scree_candidates_input input = {.grain = grow->grain,
                                           .id = grow->id,
                                           .carried = grow->carried,
                                           .count = grow->count,
                                           .margin = grow->skin,
                                           .max_displacement = grow->skin,
                                           .class_of = one_class,
                                           .materials = 2,
                                           .classes = 1,
                                           .dimension = free_region->region.dimension,
                                           .team = &alone};
    for (int k = 0; k < 3; ++k) {
        input.lower[k] = free_region->corner[k];
        input.period[k] = free_region->period[k] > 0 ? free_region->period[k] : (double)INFINITY;
    }
    for (size_t b = 0; b < grow->bodies; ++b)
        wrap_body(grow, b);
    for (size_t g = 0; g < grow->count; ++g) {
        struct scree_grain *grain = &grow->grain[g];
        memcpy(grain->position, grow->ball[g].position, sizeof grain->position);
        scree_free_region_wrap(free_region, grain->position);
        grain->radius = current_radius(grow, g);
        grain->material = 1;
        memcpy(grow->ball[g].searched, grow->ball[g].position, sizeof grow->ball[g].searched);
    }
    SCREE_TRY(scree_candidates_build(&grow->contacts, &input));
    set_masses(grow);
    return list_walls(grow);
}

static bool lists_are_valid(const struct grow *grow)
{
    const double limit = 0.25 * grow->skin * grow->skin;
    for (size_t g = grow->old_count; g < grow->count; ++g) {
        double square = 0;
        for (int k = 0; k < 3; ++k)
            square += (grow->ball[g].position[k] - grow->ball[g].searched[k]) *
                      (grow->ball[g].position[k] - grow->ball[g].searched[k]);
        if (square > limit)
            return false;
    }
    return true;
}

// --- forces

static void push(struct grow *grow, size_t g, double force, const double direction[3])
{
    const struct ball *ball = &grow->ball[g];
    if (ball->body == UINT32_MAX)
        return;
    struct body *body = &grow->body[ball->body];
    double torque[3];
    scree_vec3_store(scree_vec3_cross(scree_vec3_load(ball->arm), scree_vec3_load(direction)), torque);
    for (int k = 0; k < 3; ++k) {
        body->force[k] += force * direction[k];
        body->torque[k] += force * torque[k];
    }
}

// Adds the spring force on a ball that overlaps a ball, wall or face: the overlap is range - gap.
static void add_force(struct grow *grow, size_t g, double range, double gap, const double direction[3])
{
    const double depth = range - gap, relative_overlap = 1 - gap * (1 + margin - min_margin) / range;
    if (!(depth > 0))
        return;
    grow->overlap = relative_overlap > grow->overlap ? relative_overlap : grow->overlap;
    grow->overlap_sum += relative_overlap;
    grow->force_sum += depth;
    grow->force_count += 1;
    push(grow, g, depth, direction);
}

static void add_pair_forces(struct grow *grow)
{
    const struct scree_free_region *free_region = &grow->fill->free_region;
    for (size_t c = 0; c < grow->contacts.candidates; ++c) {
        const struct scree_pair pair = grow->contacts.pair[c];
        double displacement[3];
        scree_free_region_difference(free_region, grow->ball[pair.high].position,
                                     grow->ball[pair.low].position, displacement);
        const double range = current_radius(grow, pair.low) + current_radius(grow, pair.high);
        const double square = scree_vec3_norm_squared(scree_vec3_load(displacement));
        if (!(square < range * range) || pair.low == pair.high ||
            (pair.low < grow->old_count && pair.high < grow->old_count))
            continue;
        const double distance = sqrt(square);
        double direction[3];
        for (int k = 0; k < 3; ++k)
            direction[k] = distance > 0 ? displacement[k] / distance : k == 0;
        add_force(grow, pair.low, range, distance, direction);
        push(grow, pair.high, distance - range, direction);
    }
}

static void add_wall_forces(struct grow *grow)
{
    const struct scree_free_region *free_region = &grow->fill->free_region;
    for (size_t g = grow->old_count; g < grow->count; ++g) {
        double gap, inwards[3];
        for (int face = 0; scree_free_region_face(free_region, face, grow->ball[g].position, &gap, inwards);
             ++face)
            add_force(grow, g, current_radius(grow, g), gap, inwards);
    }
    for (size_t n = 0; n < grow->walls.count; ++n) {
        const struct wall_pair *candidate = &grow->walls.data[n];
        struct scree_surface_touch touch;
        touch_wall(grow, candidate, &touch);
        add_force(grow, candidate->grain, current_radius(grow, candidate->grain), touch.gap, touch.normal);
    }
}

static void compute_forces(struct grow *grow)
{
    for (size_t b = 0; b < grow->bodies; ++b) {
        memset(grow->body[b].force, 0, sizeof grow->body[b].force);
        memset(grow->body[b].torque, 0, sizeof grow->body[b].torque);
    }
    grow->overlap = grow->overlap_sum = grow->force_sum = grow->force_count = 0;
    add_pair_forces(grow);
    add_wall_forces(grow);
}

static bool is_jammed(const struct grow *grow)
{
    double square = 0;
    for (size_t b = 0; b < grow->bodies; ++b) {
        const struct body *body = &grow->body[b];
        const double arm_square = body->inertia / body->mass;
        for (int k = 0; k < 3; ++k)
            square += body->force[k] * body->force[k];
        if (grow->fill->shape)
            for (int k = 0; k < 3; ++k)
                square += body->torque[k] * body->torque[k] / arm_square;
    }
    const double mean = grow->force_count > 0 ? grow->force_sum / grow->force_count : 0;
    return sqrt(square / (double)grow->bodies) < jam_tolerance * mean;
}

// --- motion

static void stop(struct grow *grow)
{
    for (size_t b = 0; b < grow->bodies; ++b) {
        memset(grow->body[b].velocity, 0, sizeof grow->body[b].velocity);
        memset(grow->body[b].spin, 0, sizeof grow->body[b].spin);
    }
}

// State of FIRE: time step, velocity mixing (alpha in the paper), sweeps since the last negative power.
struct fire {
    double step, mixing;
    int positive_sweeps;
};

// Adds power, square of the speed and square of the force of velocities `v` under forces `f`.
static void add_sums(const double v[3], const double f[3], double mass, double sum[3])
{
    for (int k = 0; k < 3; ++k) {
        sum[0] += f[k] * v[k];
        sum[1] += mass * v[k] * v[k];
        sum[2] += f[k] * f[k] / mass;
    }
}

static void mix(double v[3], const double f[3], double mass, double mixing, double mixed)
{
    for (int k = 0; k < 3; ++k)
        v[k] = (1 - mixing) * v[k] + mixed * f[k] / mass;
}

// FIRE: mixes the force direction into the velocities; stops and shortens the step if the power is negative.
// Spheres do not rotate.
static void update_velocities(struct grow *grow, struct fire *fire)
{
    const bool rotates = grow->fill->shape;
    double sum[3] = {0}; // power, squares of speed and force
    for (size_t b = 0; b < grow->bodies; ++b) {
        const struct body *body = &grow->body[b];
        add_sums(body->velocity, body->force, body->mass, sum);
        if (rotates)
            add_sums(body->spin, body->torque, body->inertia, sum);
    }
    if (sum[0] < 0) {
        stop(grow);
        *fire = (struct fire){0.5 * fire->step, 0.1, 0};
        return;
    }
    const double mixed = sum[2] > 0 ? fire->mixing * sqrt(sum[1] / sum[2]) : 0;
    for (size_t b = 0; b < grow->bodies; ++b) {
        struct body *body = &grow->body[b];
        mix(body->velocity, body->force, body->mass, fire->mixing, mixed);
        if (rotates)
            mix(body->spin, body->torque, body->inertia, fire->mixing, mixed);
    }
    if (++fire->positive_sweeps > 5) {
        fire->step = fire->step * 1.1 < 0.4 ? fire->step * 1.1 : 0.4;
        fire->mixing *= 0.99;
    }
}

// Limits the approach to a wall to half of the gap per sweep, so that no ball passes through a thin wall.
static void limit_approach_to_walls(struct grow *grow, double step)
{
    for (size_t n = 0; n < grow->walls.count; ++n) {
        const struct wall_pair *candidate = &grow->walls.data[n];
        const struct ball *ball = &grow->ball[candidate->grain];
        struct body *body = &grow->body[ball->body];
        struct scree_surface_touch touch;
        double swing[3], *v = body->velocity, inwards = 0;
        touch_wall(grow, candidate, &touch);
        scree_vec3_store(scree_vec3_cross(scree_vec3_load(body->spin), scree_vec3_load(ball->arm)), swing);
        for (int k = 0; k < 3; ++k)
            inwards += (v[k] + swing[k]) * touch.normal[k];
        const double limit = touch.gap > 0 ? -0.5 * touch.gap / step : -(double)INFINITY;
        for (int k = 0; k < 3 && inwards < limit; ++k)
            v[k] += (limit - inwards) * touch.normal[k];
    }
}

// Accelerates a velocity, or a spin, and limits its magnitude.
static void accelerate(double v[3], const double f[3], double mass, double step, double limit)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        v[k] += step * f[k] / mass;
        square += v[k] * v[k];
    }
    for (int k = 0; k < 3 && square > limit * limit; ++k)
        v[k] *= limit / sqrt(square);
}

static void move(struct grow *grow, double step)
{
    const struct scree_pack_shape *shape = grow->fill->shape;
    for (size_t b = 0; b < grow->bodies; ++b) {
        struct body *body = &grow->body[b];
        const double size = body->at.radius * grow->scale;
        const double limit = max_displacement * size * scree_pack_smallest(shape) / step;
        accelerate(body->velocity, body->force, body->mass, step, limit);
        if (shape)
            accelerate(body->spin, body->torque, body->inertia, step, limit / (size * shape->reach));
    }
    limit_approach_to_walls(grow, step);
    for (size_t b = 0; b < grow->bodies; ++b) {
        struct scree_pack_body *at = &grow->body[b].at;
        for (int k = 0; k < 3; ++k)
            at->position[k] += step * grow->body[b].velocity[k];
        const struct scree_quat turn =
            scree_quat_exp(scree_vec3_scale(scree_vec3_load(grow->body[b].spin), step));
        if (shape)
            scree_quat_store(scree_quat_normalise(scree_quat_product(turn, scree_quat_load(at->orientation))),
                             at->orientation);
        place_balls(grow, b);
    }
}

// Relaxes until there is no overlap at the size without the margin, forces balance, or `sweeps` are done.
static scree_status relax(struct grow *grow, int sweeps)
{
    struct fire fire = {0.1, 0.1, 0};
    stop(grow);
    SCREE_TRY(build_lists(grow));
    for (int sweep = 0;; ++sweep) {
        SCREE_TRY(scree_fill_check_cancelled(grow->fill));
        compute_forces(grow);
        if (grow->overlap <= 0) {
            // rebuild the lists: grains that left the cell are wrapped and may now overlap walls
            SCREE_TRY(build_lists(grow));
            compute_forces(grow);
        }
        if (grow->overlap <= 0 || sweep == sweeps || (sweep % CHECK_JAM_EVERY == 0 && is_jammed(grow)))
            return SCREE_OK;
        update_velocities(grow, &fire);
        move(grow, fire.step);
        if (!lists_are_valid(grow))
            SCREE_TRY(build_lists(grow));
    }
}

static scree_status grow_all(struct grow *grow)
{
    for (int stage = 0; stage <= STAGES; ++stage) {
        const double growth = (double)stage / STAGES;
        grow->scale = (first_scale + growth * (1 - first_scale)) * (1 + margin);
        SCREE_TRY(relax(grow, stage < STAGES ? STAGE_SWEEPS : LAST_SWEEPS));
    }
    return SCREE_OK;
}

// Adds the bodies to the lists.
static void finish(const struct grow *grow, scree_fill_list *list, scree_pack_bodies *placed)
{
    for (size_t b = 0; b < grow->bodies; ++b) {
        for (size_t p = 0; p < grow->per_body; ++p)
            list->data[list->count++] = scree_pack_grain(grow->fill->shape, &grow->body[b].at, p);
        if (placed)
            placed->data[placed->count++] = grow->body[b].at;
    }
}

scree_status scree_grow(const struct scree_fill *fill, scree_fill_list *list, scree_pack_bodies *placed,
                        double *overlap)
{
    struct grow grow = {.fill = fill};
    *overlap = 1;
    SCREE_TRY(scree_fill_check(fill));
    scree_status status = begin_grow(&grow, list);
    if (status == SCREE_OK)
        status = scree_array_reserve(list, grow.count);
    if (status == SCREE_OK && placed)
        status = scree_array_reserve(placed, placed->count + fill->count);
    grow.scale = first_scale;
    bool all_placed = true;
    for (size_t b = 0; status == SCREE_OK && b < grow.bodies && all_placed; ++b)
        all_placed = place_at_random(&grow, b);
    if (status == SCREE_OK && all_placed) {
        status = grow_all(&grow);
        const double mean = grow.force_count > 0 ? grow.overlap_sum / grow.force_count : 0;
        *overlap = !(grow.overlap > 0) ? 0 : mean > 0 ? mean : grow.overlap;
    }
    if (status == SCREE_OK && *overlap == 0)
        finish(&grow, list, placed);
    end_grow(&grow);
    return status;
}
