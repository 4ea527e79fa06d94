// Growing grains to a dense packing, see grow.h.

#include "pack/grow.h"

#include "base/random.h"
#include "detect/candidates.h"
#include "shape/surface.h"

#include <math.h>
#include <string.h>

enum { STAGES = 24, STAGE_SWEEPS = 20, MOST_SWEEPS = 6000, LOOK_EVERY = 32, TRIES = 10000, STREAM_GROW = 3 };

// sizes at the start, and what grains grow beyond their own so that relaxing them ends
static const double first_scale = 0.35, hair = 1e-3;
// and how much of that is left, so that no rounding makes an overlap
static const double rounding = 1e-9;
// shares of the mean radius: how far lists reach; shares of a radius: farthest way in a sweep
static const double skin_share = 0.3, most_way = 0.1;
// forces balance when what is left of them is this share of one
static const double balanced = 5e-3;

// A grain near a feature of a wall.
struct near_wall {
    uint32_t grain, wall;
    unsigned feature;
};

struct grow {
    const struct scree_fill *fill;
    size_t before, count; // those that were there, and all
    double (*place)[3], (*seen)[3];
    double (*velocity)[3], (*force)[3];
    double *radius, *mass;
    double scale, skin;
    struct scree_grain *grain; // for searching
    uint64_t *id;
    struct scree_contacts contacts;
    SCREE_ARRAY(struct near_wall) walls;
    // of the last evaluation
    double overlap, overlaps; // the largest and the sum, as shares of the sum of radii
    double pushes, touches;   // sum and number of contact forces
};

static scree_status open_grow(struct grow *grow, const scree_fill_list *list)
{
    const size_t count = grow->fill->count, all = list->count + count;
    double sum = 0;
    grow->before = list->count;
    grow->count = all;
    SCREE_TRY(scree_memory_new(all, sizeof *grow->place, (void **)&grow->place));
    SCREE_TRY(scree_memory_new(all, sizeof *grow->seen, (void **)&grow->seen));
    SCREE_TRY(scree_memory_new(all, sizeof *grow->velocity, (void **)&grow->velocity));
    SCREE_TRY(scree_memory_new(all, sizeof *grow->force, (void **)&grow->force));
    SCREE_TRY(scree_memory_new(all, sizeof *grow->radius, (void **)&grow->radius));
    SCREE_TRY(scree_memory_new(all, sizeof *grow->mass, (void **)&grow->mass));
    SCREE_TRY(scree_memory_new(all, sizeof *grow->grain, (void **)&grow->grain));
    SCREE_TRY(scree_memory_new(all, sizeof *grow->id, (void **)&grow->id));
    for (size_t g = 0; g < all; ++g) {
        const bool old = g < grow->before;
        grow->id[g] = g + 1;
        grow->radius[g] = old ? list->data[g].radius : scree_fill_radius(grow->fill, g - grow->before);
        sum += old ? 0 : grow->radius[g];
        if (old)
            memcpy(grow->place[g], list->data[g].place, sizeof grow->place[g]);
    }
    grow->skin = skin_share * sum / (double)count;
    return SCREE_OK;
}

static void close_grow(struct grow *grow)
{
    scree_memory_free(grow->place);
    scree_memory_free(grow->seen);
    scree_memory_free(grow->velocity);
    scree_memory_free(grow->force);
    scree_memory_free(grow->radius);
    scree_memory_free(grow->mass);
    scree_memory_free(grow->grain);
    scree_memory_free(grow->id);
    scree_candidates_free(&grow->contacts);
    scree_array_free(&grow->walls);
}

// The size that a grain has now, with the hair that those have too that were there before.
static inline double size_of(const struct grow *grow, size_t g)
{
    return grow->radius[g] * (g < grow->before ? 1 + hair : grow->scale);
}

// Walls are met where the cell has a grain.
static inline void touch_wall(const struct grow *grow, const struct near_wall *near,
                              struct scree_surface_touch *touch)
{
    double at[3];
    memcpy(at, grow->place[near->grain], sizeof at);
    scree_free_region_wrap(&grow->fill->room, at);
    scree_surface_touch(&grow->fill->room.wall[near->wall], near->feature, at, touch);
}

// --- places at random

static bool place_at_random(struct grow *grow, size_t g)
{
    const struct scree_random_key key = {grow->fill->seed, STREAM_GROW};
    const struct scree_region *region = &grow->fill->room.region;
    double *place = grow->place[g];
    for (uint64_t attempt = 0; attempt < TRIES; ++attempt) {
        double u[3];
        scree_random_fill(key, g - grow->before, attempt, u, 3);
        for (int k = 0; k < region->dimension; ++k)
            place[k] = region->lower[k] + u[k] * (region->upper[k] - region->lower[k]);
        if (scree_free_region_contains(&grow->fill->room, place, first_scale * grow->radius[g]))
            return true;
    }
    return false;
}

// --- who is near whom

static scree_status list_walls(struct grow *grow)
{
    const struct scree_free_region *room = &grow->fill->room;
    grow->walls.count = 0;
    for (size_t g = grow->before; g < grow->count; ++g)
        for (size_t w = 0; w < room->walls; ++w)
            for (unsigned f = 0; f < scree_surface_features(&room->wall[w]); ++f)
                if (scree_surface_near(&room->wall[w], f, grow->grain[g].position,
                                       size_of(grow, g) + grow->skin))
                    SCREE_TRY(
                        scree_array_push(&grow->walls, ((struct near_wall){(uint32_t)g, (uint32_t)w, f})));
    return SCREE_OK;
}

// A grain among many is as heavy as these are many, so that one step suits all.
static void weigh(struct grow *grow)
{
    for (size_t g = 0; g < grow->count; ++g)
        grow->mass[g] = 0;
    for (size_t c = 0; c < grow->contacts.candidates; ++c) {
        const struct scree_pair pair = grow->contacts.pair[c];
        grow->mass[pair.low] += pair.low != pair.high ? 1.0 / 12 : 0;
        grow->mass[pair.high] += pair.low != pair.high ? 1.0 / 12 : 0;
    }
    for (size_t g = 0; g < grow->count; ++g)
        grow->mass[g] = grow->mass[g] > 1 ? grow->mass[g] : 1;
}

static scree_status list_near(struct grow *grow)
{
    static const uint8_t one_class[4] = {0, 0, 0, 0};
    const struct scree_team alone = {1};
    const struct scree_free_region *room = &grow->fill->room;
    struct scree_candidates_input input = {.grain = grow->grain,
                                           .id = grow->id,
                                           .count = grow->count,
                                           .margin = grow->skin,
                                           .wander = grow->skin,
                                           .class_of = one_class,
                                           .materials = 2,
                                           .classes = 1,
                                           .dimension = room->region.dimension,
                                           .team = &alone};
    for (int k = 0; k < 3; ++k) {
        input.lower[k] = room->corner[k];
        input.period[k] = room->period[k] > 0 ? room->period[k] : (double)INFINITY;
    }
    for (size_t g = 0; g < grow->count; ++g) {
        struct scree_grain *grain = &grow->grain[g];
        memcpy(grain->position, grow->place[g], sizeof grain->position);
        scree_free_region_wrap(room, grain->position);
        // beyond a face that the region ends at a grain is outside of it
        for (int k = 0; k < 3 && g >= grow->before; ++k)
            grow->place[g][k] = room->region.open[k] ? grain->position[k] : grow->place[g][k];
        grain->radius = size_of(grow, g);
        grain->material = 1;
        memcpy(grow->seen[g], grow->place[g], sizeof grow->seen[g]);
    }
    SCREE_TRY(scree_candidates_build(&grow->contacts, &input));
    weigh(grow);
    return list_walls(grow);
}

static bool lists_hold(const struct grow *grow)
{
    const double most = 0.25 * grow->skin * grow->skin;
    for (size_t g = grow->before; g < grow->count; ++g) {
        double square = 0;
        for (int k = 0; k < 3; ++k)
            square += (grow->place[g][k] - grow->seen[g][k]) * (grow->place[g][k] - grow->seen[g][k]);
        if (square > most)
            return false;
    }
    return true;
}

// --- forces

// A push of a grain away from what it overlaps, from a gap between its centre and that.
static void push(struct grow *grow, size_t g, double range, double gap, const double direction[3])
{
    const double depth = range - gap, share = 1 - gap * (1 + hair - rounding) / range;
    if (!(depth > 0))
        return;
    grow->overlap = share > grow->overlap ? share : grow->overlap;
    grow->overlaps += share;
    grow->pushes += depth;
    grow->touches += 1;
    for (int k = 0; k < 3; ++k)
        grow->force[g][k] += depth * direction[k];
}

static void push_pairs(struct grow *grow)
{
    const struct scree_free_region *room = &grow->fill->room;
    for (size_t c = 0; c < grow->contacts.candidates; ++c) {
        const struct scree_pair pair = grow->contacts.pair[c];
        double displacement[3];
        scree_free_region_difference(room, grow->place[pair.high], grow->place[pair.low], displacement);
        const double range = size_of(grow, pair.low) + size_of(grow, pair.high);
        const double square = displacement[0] * displacement[0] + displacement[1] * displacement[1] +
                              displacement[2] * displacement[2];
        if (!(square < range * range) || pair.low == pair.high ||
            (pair.low < grow->before && pair.high < grow->before))
            continue;
        const double distance = sqrt(square);
        double direction[3];
        for (int k = 0; k < 3; ++k)
            direction[k] = distance > 0 ? displacement[k] / distance : k == 0;
        push(grow, pair.low, range, distance, direction);
        for (int k = 0; k < 3; ++k)
            grow->force[pair.high][k] -= (range - distance) * direction[k];
    }
}

static void push_from_walls(struct grow *grow)
{
    const struct scree_free_region *room = &grow->fill->room;
    for (size_t g = grow->before; g < grow->count; ++g) {
        double gap, inwards[3];
        for (int face = 0; scree_free_region_face(room, face, grow->place[g], &gap, inwards); ++face)
            push(grow, g, size_of(grow, g), gap, inwards);
    }
    for (size_t n = 0; n < grow->walls.count; ++n) {
        const struct near_wall *near = &grow->walls.data[n];
        struct scree_surface_touch touch;
        touch_wall(grow, near, &touch);
        push(grow, near->grain, size_of(grow, near->grain), touch.gap, touch.normal);
    }
}

static void push_all(struct grow *grow)
{
    memset(grow->force, 0, grow->count * sizeof *grow->force);
    grow->overlap = grow->overlaps = grow->pushes = grow->touches = 0;
    push_pairs(grow);
    push_from_walls(grow);
    memset(grow->force, 0, grow->before * sizeof *grow->force);
}

// Whether forces balance, though grains overlap.
static bool is_jammed(const struct grow *grow)
{
    double square = 0;
    for (size_t g = grow->before; g < grow->count; ++g)
        for (int k = 0; k < 3; ++k)
            square += grow->force[g][k] * grow->force[g][k];
    const double mean = grow->touches > 0 ? grow->pushes / grow->touches : 0;
    return sqrt(square / (double)(grow->count - grow->before)) < balanced * mean;
}

// --- motion

// The engine's clockwork: time step, share of steering, and sweeps since it last went uphill.
struct inertia {
    double step, steer;
    int downhill;
};

static void steer(struct grow *grow, struct inertia *inertia)
{
    double power = 0, speed = 0, pull = 0;
    for (size_t g = grow->before; g < grow->count; ++g)
        for (int k = 0; k < 3; ++k) {
            const double v = grow->velocity[g][k], f = grow->force[g][k];
            power += f * v;
            speed += grow->mass[g] * v * v;
            pull += f * f / grow->mass[g];
        }
    if (power < 0) {
        memset(grow->velocity, 0, grow->count * sizeof *grow->velocity);
        *inertia = (struct inertia){0.5 * inertia->step, 0.1, 0};
        return;
    }
    const double turn = pull > 0 ? inertia->steer * sqrt(speed / pull) : 0;
    for (size_t g = grow->before; g < grow->count; ++g)
        for (int k = 0; k < 3; ++k)
            grow->velocity[g][k] =
                (1 - inertia->steer) * grow->velocity[g][k] + turn * grow->force[g][k] / grow->mass[g];
    if (++inertia->downhill > 5) {
        inertia->step = inertia->step * 1.1 < 0.4 ? inertia->step * 1.1 : 0.4;
        inertia->steer *= 0.99;
    }
}

// None goes through a thin wall: nearer to one by half of what is between them at most.
static void keep_off_walls(struct grow *grow, double step)
{
    for (size_t n = 0; n < grow->walls.count; ++n) {
        const struct near_wall *near = &grow->walls.data[n];
        struct scree_surface_touch touch;
        double *v = grow->velocity[near->grain], inwards = 0;
        touch_wall(grow, near, &touch);
        for (int k = 0; k < 3; ++k)
            inwards += v[k] * touch.normal[k];
        const double most = touch.gap > 0 ? -0.5 * touch.gap / step : -(double)INFINITY;
        for (int k = 0; k < 3 && inwards < most; ++k)
            v[k] += (most - inwards) * touch.normal[k];
    }
}

static void move(struct grow *grow, double step)
{
    const int dimension = grow->fill->room.region.dimension;
    for (size_t g = grow->before; g < grow->count; ++g) {
        double square = 0, *v = grow->velocity[g];
        for (int k = 0; k < dimension; ++k) {
            v[k] += step * grow->force[g][k] / grow->mass[g];
            square += v[k] * v[k];
        }
        const double most = most_way * grow->radius[g] * grow->scale / step;
        for (int k = 0; k < dimension && square > most * most; ++k)
            v[k] *= most / sqrt(square);
    }
    keep_off_walls(grow, step);
    for (size_t g = grow->before; g < grow->count; ++g)
        for (int k = 0; k < dimension; ++k)
            grow->place[g][k] += step * grow->velocity[g][k];
}

// Until no overlap at the size without the hair is left, or forces balance, or for so many sweeps.
static scree_status relax(struct grow *grow, int sweeps)
{
    struct inertia inertia = {0.1, 0.1, 0};
    memset(grow->velocity, 0, grow->count * sizeof *grow->velocity);
    SCREE_TRY(list_near(grow));
    for (int sweep = 0;; ++sweep) {
        SCREE_TRY(scree_fill_go_on(grow->fill));
        push_all(grow);
        if (grow->overlap <= 0) {
            // grains that left the cell meet its walls once they are back in it
            SCREE_TRY(list_near(grow));
            push_all(grow);
        }
        if (grow->overlap <= 0 || sweep == sweeps || (sweep % LOOK_EVERY == 0 && is_jammed(grow)))
            return SCREE_OK;
        steer(grow, &inertia);
        move(grow, inertia.step);
        if (!lists_hold(grow))
            SCREE_TRY(list_near(grow));
    }
}

static scree_status grow_all(struct grow *grow)
{
    for (int stage = 0; stage <= STAGES; ++stage) {
        const double part = (double)stage / STAGES;
        grow->scale = (first_scale + part * (1 - first_scale)) * (1 + hair);
        SCREE_TRY(relax(grow, stage < STAGES ? STAGE_SWEEPS : MOST_SWEEPS));
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
        status = open_grow(&grow, list);
    bool placed = true;
    for (size_t g = grow.before; status == SCREE_OK && g < grow.count && placed; ++g)
        placed = place_at_random(&grow, g);
    if (status == SCREE_OK && placed) {
        status = grow_all(&grow);
        const double mean = grow.touches > 0 ? grow.overlaps / grow.touches : 0;
        *overlap = !(grow.overlap > 0) ? 0 : mean > 0 ? mean : grow.overlap;
    }
    for (size_t g = grow.before; status == SCREE_OK && g < grow.count && *overlap == 0; ++g) {
        struct scree_fill_grain *grain = &list->data[list->count++];
        grain->radius = grow.radius[g];
        memcpy(grain->place, grow.place[g], sizeof grain->place);
    }
    close_grow(&grow);
    return status;
}
