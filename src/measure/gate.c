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

static const double farthest = 1e6; // periods from the cell

// A gate in a periodic cell. Along the periodic axes in its plane its images are told from each other by
// where a way passes the plane.
struct images {
    const struct scree_cell *cell;
    int across; // the periodic axis along the normal, which has images in other planes; none: -1
};

static bool is_along(const double *v, int k)
{
    const double size = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
    return size - fabs(v[k]) <= 1e-12 * size;
}

static bool is_normal_to(const double *v, int k)
{
    return fabs(v[k]) <= 1e-12 * (fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
}

// Whether an edge lies along an axis, and the other one across it.
static bool lies_along(const struct scree_gate *gate, int e, int k)
{
    return is_along(gate->half[e], k) && is_normal_to(gate->half[1 - e], k);
}

static scree_status find_images(const struct scree_world *world, const struct scree_gate *gate,
                                struct images *images)
{
    *images = (struct images){.cell = scree_world_cell(world), .across = -1};
    for (int k = 0; k < 3; ++k) {
        const double period = images->cell->period[k];
        if (!(period > 0))
            continue;
        if (!(fabs(gate->centre[k] - images->cell->lower[k]) <= farthest * period))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a gate lies at most %g periods away from a periodic cell; along %c, "
                                     "where a period is %g m, its centre is at %g m",
                                     farthest, 'x' + k, period, gate->centre[k]);
        if (is_along(gate->normal, k))
            images->across = k;
        else if (!(gate->radius > 0 ? is_normal_to(gate->normal, k)
                                    : lies_along(gate, 0, k) || lies_along(gate, 1, k)))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a gate lies aslant in the cell, which is periodic along %c: there the normal of a gate, and "
                "the edges of a rectangle, must be parallel or perpendicular to %c; its normal is %g %g %g",
                'x' + k, 'x' + k, gate->normal[0], gate->normal[1], gate->normal[2]);
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

// A body was less than half a period from where it is.
static void find_turn(const struct scree_cell *cell, struct way *way)
{
    for (int k = 0; k < 3; ++k) {
        const double far = way->is[k] - way->was[k], period = cell->period[k];
        if (period > 0 && fabs(far) > 0.5 * period)
            way->turn[k] = far > 0 ? 1 : -1;
    }
}

// Whether images along an axis lie in the same plane.
static bool is_alike(const struct images *images, int k)
{
    return images->cell->period[k] > 0 && k != images->across;
}

// Whether a point of the plane, from the centre, is on a gate or one of the images that are alike. Of an edge
// as long as the cell these leave nothing out and cover nothing twice.
static bool holds(const struct images *images, const struct scree_gate *gate, double point[3])
{
    const double *period = images->cell->period;
    if (gate->radius > 0) {
        for (int k = 0; k < 3; ++k)
            point[k] -= is_alike(images, k) ? period[k] * floor(point[k] / period[k] + 0.5) : 0;
        return scree_vec3_norm_squared(scree_vec3_load(point)) < gate->radius * gate->radius;
    }
    for (int e = 0; e < 2; ++e) {
        const double *half = gate->half[e];
        bool whole = false;
        for (int k = 0; k < 3; ++k) {
            if (!is_alike(images, k) || !lies_along(gate, e, k))
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

// Which way a straight way passes a gate or an image: 1 along the normal, -1 against it, 0 not at all. A
// place on the plane is on the side of the normal.
static int pass(const struct images *images, const struct scree_gate *gate, struct way *way)
{
    static const double none[3];
    const int k = images->across;
    double image[3] = {0}, point[3];
    find_turn(images->cell, way);
    // it is shorter than from a plane to the next: the one nearest to its middle is all that it can pass
    if (k >= 0) {
        const double period = images->cell->period[k];
        const double middle = 0.5 * (way->was[k] + way->turn[k] * period + way->is[k]);
        image[k] = floor((middle - gate->centre[k]) / period + 0.5);
    }
    const struct scree_vec3 normal = scree_vec3_load(gate->normal);
    const struct scree_vec3 first = place_at(images, gate, way->was, image, way->turn);
    const struct scree_vec3 last = place_at(images, gate, way->is, image, none);
    const double before = scree_vec3_dot(first, normal), after = scree_vec3_dot(last, normal);
    if ((before >= 0) == (after >= 0))
        return 0;
    scree_vec3_store(scree_vec3_add_scaled(first, before / (before - after), scree_vec3_sub(last, first)),
                     point);
    return !holds(images, gate, point) ? 0 : after >= 0 ? 1 : -1;
}

static void count(const struct scree_world *world, const struct images *images, struct scree_gate *gate,
                  const struct scree_gated *gated)
{
    struct scree_sum mass[2] = {0};
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        struct way way = {.was = gated[i].place, .is = grain->position};
        const int passed = gated[i].seen ? pass(images, gate, &way) : 0;
        if (passed == 0)
            continue;
        scree_sum_add(&mass[passed < 0], grain->mass);
        ++gate->bodies[passed < 0];
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
