// Gates, see include/scree/gate.h: rows of surfaces and of what they have counted, and in every body's row
// the place that it had at the last look. Both are persisted, so a restart goes on counting.
//
// What always holds: what one look counts is summed exactly before it is added, so the order of slots does
// not show; a world that never had a gate has no such column; where the cell is periodic, a gate and its
// images are one surface, and what passes it at a point counts once there.

#include "base/sum.h"
#include "contact/walk.h"
#include "world/cell.h"
#include "world/entity.h"

#include <scree/gate.h>

#include <math.h>
#include <stdlib.h>

static struct scree_entity *gates_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_GATE);
}

static struct scree_gate *gate_rows(const struct scree_world *world)
{
    return (struct scree_gate *)scree_world_column(world, SCREE_ENTITY_GATE, SCREE_GATE_GATE);
}

// --- where they are

static bool is_finite(const struct scree_gate *gate)
{
    double probe = 0 * gate->radius;
    for (int k = 0; k < 3; ++k)
        probe += 0 * gate->centre[k] + 0 * gate->half[0][k] + 0 * gate->half[1][k];
    return probe == 0;
}

static scree_status make_disk(const struct scree_gate_def *def, struct scree_gate *gate)
{
    const struct scree_vec3 normal = scree_vec3_load(def->normal);
    const double length = scree_vec3_norm(normal);
    if (!(length > 0 && length <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the normal of a gate points somewhere");
    memcpy(gate->centre, def->centre, sizeof gate->centre);
    scree_vec3_store(scree_vec3_normalise(normal), gate->normal);
    gate->radius = def->radius;
    return SCREE_OK;
}

static scree_status make_rectangle(const struct scree_gate_def *def, struct scree_gate *gate)
{
    const struct scree_vec3 first = scree_vec3_scale(scree_vec3_load(def->edge[0]), 0.5);
    const struct scree_vec3 second = scree_vec3_scale(scree_vec3_load(def->edge[1]), 0.5);
    const double size = scree_vec3_norm(first) * scree_vec3_norm(second);
    if (!(size > 0 && fabs(scree_vec3_dot(first, second)) <= 1e-9 * size))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a gate is a disk of a radius above 0 m, or a rectangle of two edges at right angles");
    scree_vec3_store(scree_vec3_add(scree_vec3_load(def->corner), scree_vec3_add(first, second)),
                     gate->centre);
    scree_vec3_store(scree_vec3_normalise(scree_vec3_cross(first, second)), gate->normal);
    scree_vec3_store(first, gate->half[0]);
    scree_vec3_store(second, gate->half[1]);
    return SCREE_OK;
}

// --- where they repeat with the cell

enum { MOST_PERIODS = 16 };
static const double farthest = 1e6; // periods from the cell

// How a gate repeats. Along an axis that lies in its plane, and along which an edge lies if it has any, its
// images are told from each other by where a way passes the plane. The others are looked at one by one, those
// that a way may come near.
struct images {
    const struct scree_cell *cell;
    bool others;     // a way inside the cell may meet others than the gate
    bool alike[3];   // along such an axis
    double reach[3]; // from the centre, m
};

// Whether an edge lies along an axis, and the other one across it.
static bool lies_along(const struct scree_gate *gate, int e, int k)
{
    const double *edge = gate->half[e], *other = gate->half[1 - e];
    const double length = fabs(edge[0]) + fabs(edge[1]) + fabs(edge[2]);
    const double width = fabs(other[0]) + fabs(other[1]) + fabs(other[2]);
    return length - fabs(edge[k]) <= 1e-12 * length && fabs(other[k]) <= 1e-12 * width;
}

static scree_status find_images(const struct scree_world *world, const struct scree_gate *gate,
                                struct images *images)
{
    *images = (struct images){.cell = scree_world_cell(world)};
    for (int k = 0; k < 3; ++k) {
        const double period = images->cell->period[k], along = gate->normal[k];
        if (!(period > 0))
            continue;
        const bool round = gate->radius > 0;
        images->alike[k] = round ? fabs(along) <= 1e-12 : lies_along(gate, 0, k) || lies_along(gate, 1, k);
        images->reach[k] = round ? gate->radius * sqrt(along * along < 1 ? 1 - along * along : 0)
                                 : fabs(gate->half[0][k]) + fabs(gate->half[1][k]);
        if (!(fabs(gate->centre[k] - images->cell->lower[k]) <= farthest * period))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a gate lies at most %g periods away from a periodic cell; along %c, "
                                     "where a period is %g m, its centre is at %g m",
                                     farthest, 'x' + k, period, gate->centre[k]);
        const double below = gate->centre[k] - images->reach[k] - images->cell->lower[k];
        const double above = images->cell->upper[k] - gate->centre[k] - images->reach[k];
        images->others =
            images->others || (!images->alike[k] && !(below > 1e-9 * period && above > 1e-9 * period));
        if (!images->alike[k] && !(2 * images->reach[k] <= MOST_PERIODS * period))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a gate that stands aslant in a periodic cell reaches over at most %d periods; along %c, "
                "where "
                "a period is %g m, it reaches over %g m: make it smaller, or lay it along the axes",
                (int)MOST_PERIODS, 'x' + k, period, 2 * images->reach[k]);
    }
    return SCREE_OK;
}

// --- the list of them

// The one that lies there already.
static bool find(const struct scree_world *world, const struct scree_gate *gate, scree_gate_id *id)
{
    const size_t place = offsetof(struct scree_gate, mass);
    for (size_t g = 0; g < gates_of(world)->count; ++g)
        if (memcmp(&gate_rows(world)[g], gate, place) == 0) {
            id->value = scree_entity_ids(gates_of(world))[g];
            return true;
        }
    return false;
}

scree_status scree_gate_add(struct scree_world *world, const struct scree_gate_def *def, scree_gate_id *id)
{
    SCREE_WORLD_COMPUTES;
    struct scree_gate gate = {0};
    struct images images;
    scree_slot slot;
    SCREE_TRY(scree_world_check_still(world));
    SCREE_TRY(def->radius != 0 ? make_disk(def, &gate) : make_rectangle(def, &gate));
    if (!is_finite(&gate) || !(gate.radius >= 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a gate lies at a finite place, with a radius above 0 m or none; got %g",
                                 gate.radius);
    SCREE_TRY(find_images(world, &gate, &images));
    if (find(world, &gate, id))
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_GATED));
    SCREE_TRY(scree_gate_look(world));
    SCREE_TRY(scree_entity_insert(gates_of(world), &slot, &id->value));
    gate_rows(world)[slot.index] = gate;
    return SCREE_OK;
}

size_t scree_gate_count(const struct scree_world *world)
{
    return gates_of(world)->count;
}

scree_status scree_gate_get(const struct scree_world *world, scree_gate_id id,
                            struct scree_gate_passed *passed)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(gates_of(world), id.value, &slot));
    const struct scree_gate *gate = &gate_rows(world)[slot.index];
    memcpy(passed->mass, gate->mass, sizeof passed->mass);
    memcpy(passed->bodies, gate->bodies, sizeof passed->bodies);
    return SCREE_OK;
}

// --- what passes them

// From a look to the next. A body that left the cell through a face has come back through another; where it
// was is `turn` periods from `was`, along each axis.
struct way {
    const double *was, *is;
    double turn[3];
};

// A body was near where it is. False where it has left the cell through no face.
static bool find_turn(const struct scree_cell *cell, struct way *way)
{
    bool any = false;
    for (int k = 0; k < 3; ++k) {
        const double far = way->is[k] - way->was[k], period = cell->period[k];
        if (!(period > 0 && fabs(far) > 0.5 * period))
            continue;
        way->turn[k] = far > 0 ? 1 : -1;
        any = true;
    }
    return any;
}

// Whether a point of the plane, from the centre, is on a gate or one of the images that are alike. Of an edge
// as long as the cell these leave nothing out and cover nothing twice.
static bool holds(const struct images *images, const struct scree_gate *gate, double point[3])
{
    const double *period = images->cell->period;
    if (gate->radius > 0) {
        for (int k = 0; k < 3; ++k)
            point[k] -= images->alike[k] ? period[k] * floor(point[k] / period[k] + 0.5) : 0;
        return scree_vec3_norm_squared(scree_vec3_load(point)) < gate->radius * gate->radius;
    }
    for (int e = 0; e < 2; ++e) {
        const double *half = gate->half[e];
        bool whole = false;
        for (int k = 0; k < 3; ++k) {
            if (!images->alike[k] || !lies_along(gate, e, k))
                continue;
            const double length = fabs(half[k]), sign = half[k] > 0 ? 1 : -1;
            whole = 2 * length >= (1 - 1e-12) * period[k];
            point[k] -= sign * period[k] * floor((sign * point[k] + length) / period[k]);
        }
        const double at = scree_vec3_dot(scree_vec3_load(point), scree_vec3_load(half));
        const double end = scree_vec3_norm_squared(scree_vec3_load(half));
        if (!whole && !(at >= -end && at < end))
            return false;
    }
    return true;
}

// A place, some turns away, from the centre of an image, so many periods from the gate. It follows from where
// the place is in the cell and from which image is asked: so the next look begins on the side where this one
// ends.
static inline struct scree_vec3 place_at(const struct images *images, const struct scree_gate *gate,
                                         const double *place, const double image[3], const double turn[3])
{
    const double *centre = gate->centre, *period = images->cell->period;
    return scree_vec3_make(place[0] - (centre[0] + (image[0] - turn[0]) * period[0]),
                           place[1] - (centre[1] + (image[1] - turn[1]) * period[1]),
                           place[2] - (centre[2] + (image[2] - turn[2]) * period[2]));
}

// Which way a straight way passes an image: 1 along the normal, -1 against it, 0 not at all. A place on the
// plane is on the side of the normal.
static int pass(const struct images *images, const struct scree_gate *gate, const struct way *way,
                const double image[3])
{
    static const double none[3];
    const struct scree_vec3 normal = scree_vec3_load(gate->normal);
    const struct scree_vec3 first = place_at(images, gate, way->was, image, way->turn);
    const struct scree_vec3 last = place_at(images, gate, way->is, image, none);
    const double before = scree_vec3_dot(first, normal), after = scree_vec3_dot(last, normal);
    double point[3];
    if ((before >= 0) == (after >= 0))
        return 0;
    scree_vec3_store(scree_vec3_add_scaled(first, before / (before - after), scree_vec3_sub(last, first)),
                     point);
    return !holds(images, gate, point) ? 0 : after >= 0 ? 1 : -1;
}

// The images that a way may come near, from one to another along each axis.
struct range {
    double first[3], last[3];
};

static bool find_range(const struct images *images, const struct scree_gate *gate, const struct way *way,
                       struct range *range)
{
    for (int k = 0; k < 3; ++k) {
        const double period = images->cell->period[k];
        range->first[k] = range->last[k] = 0;
        if (!(period > 0) || images->alike[k])
            continue;
        const double from = way->was[k] + way->turn[k] * period, to = way->is[k];
        const double low = from < to ? from : to, high = from < to ? to : from;
        // rounding leaves none out
        range->first[k] = ceil((low - gate->centre[k] - images->reach[k]) / period - 1e-9);
        range->last[k] = floor((high - gate->centre[k] + images->reach[k]) / period + 1e-9);
        if (range->first[k] > range->last[k])
            return false;
    }
    return true;
}

// False past the last.
static bool find_next(const struct range *range, double image[3])
{
    for (int k = 0; k < 3; ++k) {
        image[k] += 1;
        if (image[k] <= range->last[k])
            return true;
        image[k] = range->first[k];
    }
    return false;
}

// Whether images lie in one plane.
static bool are_level(const struct images *images, const struct scree_gate *gate, const double a[3],
                      const double b[3])
{
    double sum = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
        const double far = (a[k] - b[k]) * images->cell->period[k] * gate->normal[k];
        sum += far;
        size += fabs(far);
    }
    return fabs(sum) <= 1e-9 * size;
}

// Whether one before it in the same plane is passed too: images that overlap count once.
static bool is_covered(const struct images *images, const struct scree_gate *gate, const struct way *way,
                       const struct range *range, const double image[3])
{
    double other[3];
    memcpy(other, range->first, sizeof other);
    for (; memcmp(other, image, sizeof other) != 0; (void)find_next(range, other))
        if (are_level(images, gate, image, other) && pass(images, gate, way, other) != 0)
            return true;
    return false;
}

// How often a way passes a gate and its images, which is less than 0 against the normal.
static int pass_all(const struct images *images, const struct scree_gate *gate, struct way *way)
{
    struct range range;
    double image[3] = {0};
    int sum = 0;
    if (!find_turn(images->cell, way) && !images->others)
        return pass(images, gate, way, image);
    if (!find_range(images, gate, way, &range))
        return 0;
    memcpy(image, range.first, sizeof image);
    do {
        const int one = pass(images, gate, way, image);
        sum += one != 0 && !is_covered(images, gate, way, &range, image) ? one : 0;
    } while (find_next(&range, image));
    return sum;
}

static void count(const struct scree_world *world, const struct images *images, struct scree_gate *gate,
                  const struct scree_gated *gated)
{
    struct scree_sum mass[2] = {0};
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        struct way way = {.was = gated[i].place, .is = grain->position};
        const int times = gated[i].seen ? pass_all(images, gate, &way) : 0;
        for (int n = 0; n < abs(times); ++n)
            scree_sum_add(&mass[times < 0], grain->mass);
        gate->bodies[times < 0] += (uint64_t)abs(times);
    }
    for (int k = 0; k < 2; ++k)
        gate->mass[k] += scree_sum_value(&mass[k]);
}

scree_status scree_gate_look(struct scree_world *world)
{
    SCREE_WORLD_COMPUTES;
    SCREE_TRY(scree_world_check_still(world));
    struct scree_gated *gated =
        (struct scree_gated *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_GATED);
    struct images images;
    // all or none of them look
    for (size_t g = 0; g < gates_of(world)->count; ++g)
        SCREE_TRY(find_images(world, &gate_rows(world)[g], &images));
    for (size_t g = 0; g < gates_of(world)->count; ++g) {
        SCREE_TRY(find_images(world, &gate_rows(world)[g], &images));
        count(world, &images, &gate_rows(world)[g], gated);
    }
    for (size_t i = 0; i < scree_world_bodies(world) && gated; ++i) {
        memcpy(gated[i].place, scree_world_grains(world)[i].position, sizeof gated[i].place);
        gated[i].seen = 1;
    }
    return SCREE_OK;
}
