// Growing grains to a dense packing without overlap.
//
// Grains are placed at random at a fraction of their size and grow in stages to slightly more than it. After
// each stage overlaps are relaxed: they act as linear springs, and grains move by the fast inertial
// relaxation engine, FIRE (Bitzek, Koskinen, Gahler, Moseler and Gumbsch, "Structural relaxation made
// simple", Phys. Rev. Lett. 97, 170201, 2006). Growth ends when no grain at its true size overlaps another,
// the region or a wall, or when forces balance although overlaps remain: the packing is jammed. This reaches
// solid fractions near random close packing, 0.63 for equal spheres and 0.83 for equal disks, and less close
// to walls.
//
// Invariants: results depend on seed and radii only. Sweeps are bounded. Grains of the list do not move.

#include "base/random.h"
#include "detect/candidates.h"
#include "math/vec3.h"
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

struct ball {
    double position[3], searched[3]; // now, and when the lists were built
    double velocity[3], force[3], radius, mass;
};

struct grow {
    const struct scree_fill *fill;
    size_t old_count, count; // number of grains already in the list, and of all
    struct ball *ball;
    double scale, skin;
    struct scree_grain *grain; // for the pair search
    uint64_t *id;
    struct scree_contacts contacts;
    SCREE_ARRAY(struct wall_pair) walls;
    // of the last force evaluation
    double overlap, overlap_sum;   // largest and sum, relative to the sum of radii
    double force_sum, force_count; // sum and number of contact forces
};

static scree_status begin_grow(struct grow *grow, const scree_fill_list *list)
{
    const size_t count = grow->fill->count, total = list->count + count;
    double sum = 0;
    grow->old_count = list->count;
    grow->count = total;
    SCREE_TRY(scree_memory_new(total, sizeof *grow->ball, (void **)&grow->ball));
    SCREE_TRY(scree_memory_new(total, sizeof *grow->grain, (void **)&grow->grain));
    SCREE_TRY(scree_memory_new(total, sizeof *grow->id, (void **)&grow->id));
    for (size_t g = 0; g < total; ++g) {
        const bool is_old = g < grow->old_count;
        grow->id[g] = g + 1;
        grow->ball[g].radius =
            is_old ? list->data[g].radius : scree_fill_radius(grow->fill, g - grow->old_count);
        sum += is_old ? 0 : grow->ball[g].radius;
        if (is_old)
            memcpy(grow->ball[g].position, list->data[g].position, sizeof grow->ball[g].position);
    }
    grow->skin = relative_skin * sum / (double)count;
    return SCREE_OK;
}

static void end_grow(struct grow *grow)
{
    scree_memory_free(grow->ball);
    scree_memory_free(grow->grain);
    scree_memory_free(grow->id);
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

static bool place_at_random(struct grow *grow, size_t g)
{
    const struct scree_random_key key = {grow->fill->seed, STREAM_GROW};
    const struct scree_region *region = &grow->fill->free_region.region;
    double *position = grow->ball[g].position;
    for (uint64_t attempt = 0; attempt < TRIES; ++attempt) {
        double u[3];
        scree_random_fill(key, g - grow->old_count, attempt, u, 3);
        for (int k = 0; k < region->dimension; ++k)
            position[k] = region->lower[k] + u[k] * (region->upper[k] - region->lower[k]);
        if (scree_free_region_contains(&grow->fill->free_region, position,
                                       first_scale * grow->ball[g].radius))
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
        for (size_t w = 0; w < free_region->walls; ++w)
            for (unsigned f = 0; f < scree_surface_features(&free_region->wall[w]); ++f)
                if (scree_surface_within(&free_region->wall[w], f, grow->grain[g].position,
                                         current_radius(grow, g) + grow->skin))
                    SCREE_TRY(
                        scree_array_push(&grow->walls, ((struct wall_pair){(uint32_t)g, (uint32_t)w, f})));
    return SCREE_OK;
}

// Masses are proportional to the number of neighbours, so that one time step is stable for all grains.
static void set_masses(struct grow *grow)
{
    for (size_t g = 0; g < grow->count; ++g)
        grow->ball[g].mass = 0;
    for (size_t c = 0; c < grow->contacts.candidates; ++c) {
        const struct scree_pair pair = grow->contacts.pair[c];
        grow->ball[pair.low].mass += pair.low != pair.high ? 1.0 / 12 : 0;
        grow->ball[pair.high].mass += pair.low != pair.high ? 1.0 / 12 : 0;
    }
    for (size_t g = 0; g < grow->count; ++g)
        grow->ball[g].mass = grow->ball[g].mass > 1 ? grow->ball[g].mass : 1;
}

static scree_status build_lists(struct grow *grow)
{
    static const uint8_t one_class[4] = {0, 0, 0, 0};
    const struct scree_team alone = {1};
    const struct scree_free_region *free_region = &grow->fill->free_region;
    struct scree_candidates_input input = {.grain = grow->grain,
                                           .id = grow->id,
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
    for (size_t g = 0; g < grow->count; ++g) {
        struct scree_grain *grain = &grow->grain[g];
        memcpy(grain->position, grow->ball[g].position, sizeof grain->position);
        scree_free_region_wrap(free_region, grain->position);
        // wrap positions only along open axes: outside of a closed face a grain must be pushed back
        for (int k = 0; k < 3 && g >= grow->old_count; ++k)
            grow->ball[g].position[k] =
                free_region->region.open[k] ? grain->position[k] : grow->ball[g].position[k];
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

// Adds the spring force on a grain that overlaps a grain, wall or face: the overlap is range - gap.
static void add_force(struct grow *grow, size_t g, double range, double gap, const double direction[3])
{
    const double depth = range - gap, relative_overlap = 1 - gap * (1 + margin - min_margin) / range;
    if (!(depth > 0))
        return;
    grow->overlap = relative_overlap > grow->overlap ? relative_overlap : grow->overlap;
    grow->overlap_sum += relative_overlap;
    grow->force_sum += depth;
    grow->force_count += 1;
    for (int k = 0; k < 3; ++k)
        grow->ball[g].force[k] += depth * direction[k];
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
        for (int k = 0; k < 3; ++k)
            grow->ball[pair.high].force[k] -= (range - distance) * direction[k];
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
    for (size_t g = 0; g < grow->count; ++g)
        memset(grow->ball[g].force, 0, sizeof grow->ball[g].force);
    grow->overlap = grow->overlap_sum = grow->force_sum = grow->force_count = 0;
    add_pair_forces(grow);
    add_wall_forces(grow);
    for (size_t g = 0; g < grow->old_count; ++g)
        memset(grow->ball[g].force, 0, sizeof grow->ball[g].force);
}

static bool is_jammed(const struct grow *grow)
{
    double square = 0;
    for (size_t g = grow->old_count; g < grow->count; ++g)
        for (int k = 0; k < 3; ++k)
            square += grow->ball[g].force[k] * grow->ball[g].force[k];
    const double mean = grow->force_count > 0 ? grow->force_sum / grow->force_count : 0;
    return sqrt(square / (double)(grow->count - grow->old_count)) < jam_tolerance * mean;
}

// --- motion

static void stop(struct grow *grow)
{
    for (size_t g = 0; g < grow->count; ++g)
        memset(grow->ball[g].velocity, 0, sizeof grow->ball[g].velocity);
}

// State of FIRE: time step, velocity mixing (alpha in the paper), sweeps since the last negative power.
struct fire {
    double step, mixing;
    int positive_sweeps;
};

// FIRE: mixes the force direction into the velocities; stops and shortens the step if the power is negative.
static void update_velocities(struct grow *grow, struct fire *fire)
{
    double power = 0, speed_square = 0, force_square = 0;
    for (size_t g = grow->old_count; g < grow->count; ++g)
        for (int k = 0; k < 3; ++k) {
            const double v = grow->ball[g].velocity[k], f = grow->ball[g].force[k];
            power += f * v;
            speed_square += grow->ball[g].mass * v * v;
            force_square += f * f / grow->ball[g].mass;
        }
    if (power < 0) {
        stop(grow);
        *fire = (struct fire){0.5 * fire->step, 0.1, 0};
        return;
    }
    const double mixed = force_square > 0 ? fire->mixing * sqrt(speed_square / force_square) : 0;
    for (size_t g = grow->old_count; g < grow->count; ++g)
        for (int k = 0; k < 3; ++k)
            grow->ball[g].velocity[k] = (1 - fire->mixing) * grow->ball[g].velocity[k] +
                                        mixed * grow->ball[g].force[k] / grow->ball[g].mass;
    if (++fire->positive_sweeps > 5) {
        fire->step = fire->step * 1.1 < 0.4 ? fire->step * 1.1 : 0.4;
        fire->mixing *= 0.99;
    }
}

// Limits the approach to a wall to half of the gap per sweep, so that no grain passes through a thin wall.
static void limit_approach_to_walls(struct grow *grow, double step)
{
    for (size_t n = 0; n < grow->walls.count; ++n) {
        const struct wall_pair *candidate = &grow->walls.data[n];
        struct scree_surface_touch touch;
        double *v = grow->ball[candidate->grain].velocity, inwards = 0;
        touch_wall(grow, candidate, &touch);
        for (int k = 0; k < 3; ++k)
            inwards += v[k] * touch.normal[k];
        const double limit = touch.gap > 0 ? -0.5 * touch.gap / step : -(double)INFINITY;
        for (int k = 0; k < 3 && inwards < limit; ++k)
            v[k] += (limit - inwards) * touch.normal[k];
    }
}

static void move(struct grow *grow, double step)
{
    const int dimension = grow->fill->free_region.region.dimension;
    for (size_t g = grow->old_count; g < grow->count; ++g) {
        double square = 0, *v = grow->ball[g].velocity;
        for (int k = 0; k < dimension; ++k) {
            v[k] += step * grow->ball[g].force[k] / grow->ball[g].mass;
            square += v[k] * v[k];
        }
        const double limit = max_displacement * grow->ball[g].radius * grow->scale / step;
        for (int k = 0; k < dimension && square > limit * limit; ++k)
            v[k] *= limit / sqrt(square);
    }
    limit_approach_to_walls(grow, step);
    for (size_t g = grow->old_count; g < grow->count; ++g)
        for (int k = 0; k < dimension; ++k)
            grow->ball[g].position[k] += step * grow->ball[g].velocity[k];
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

scree_status scree_grow(const struct scree_fill *fill, scree_fill_list *list, double *overlap)
{
    struct grow grow = {.fill = fill};
    *overlap = 1;
    SCREE_TRY(scree_fill_check(fill));
    scree_status status = scree_array_reserve(list, list->count + fill->count);
    if (status == SCREE_OK)
        status = begin_grow(&grow, list);
    bool placed = true;
    for (size_t g = grow.old_count; status == SCREE_OK && g < grow.count && placed; ++g)
        placed = place_at_random(&grow, g);
    if (status == SCREE_OK && placed) {
        status = grow_all(&grow);
        const double mean = grow.force_count > 0 ? grow.overlap_sum / grow.force_count : 0;
        *overlap = !(grow.overlap > 0) ? 0 : mean > 0 ? mean : grow.overlap;
    }
    for (size_t g = grow.old_count; status == SCREE_OK && g < grow.count && *overlap == 0; ++g) {
        struct scree_fill_grain *grain = &list->data[list->count++];
        grain->radius = grow.ball[g].radius;
        memcpy(grain->position, grow.ball[g].position, sizeof grain->position);
    }
    end_grow(&grow);
    return status;
}
