// Gates, see include/scree/gate.h: rows of surfaces and of what they have counted, and in every body's row
// the place that it had at the last look. Both are persisted, so a restart goes on counting.
//
// What always holds: what one look counts is summed exactly before it is added, so the order of slots does
// not show; a world that never had a gate has no such column.

#include "base/sum.h"
#include "measure/walk.h"
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
    scree_slot slot;
    SCREE_TRY(scree_world_check_still(world));
    SCREE_TRY(def->radius != 0 ? make_disk(def, &gate) : make_rectangle(def, &gate));
    if (!is_finite(&gate) || !(gate.radius >= 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a gate lies at a finite place, with a radius above 0 m or none; got %g",
                                 gate.radius);
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

// Which way a straight way from `from` to `to` passes: 1 along the normal, -1 against it, 0 not at all. A
// place on the plane is on the side of the normal.
static int pass(const struct scree_gate *gate, const double shift[3], const double *from, const double *to)
{
    const struct scree_vec3 centre = scree_vec3_add(scree_vec3_load(gate->centre), scree_vec3_load(shift));
    const struct scree_vec3 first = scree_vec3_sub(scree_vec3_load(from), centre);
    const struct scree_vec3 last = scree_vec3_sub(scree_vec3_load(to), centre);
    const struct scree_vec3 normal = scree_vec3_load(gate->normal);
    const double before = scree_vec3_dot(first, normal), after = scree_vec3_dot(last, normal);
    if ((before >= 0) == (after >= 0))
        return 0;
    const struct scree_vec3 point =
        scree_vec3_add_scaled(first, before / (before - after), scree_vec3_sub(last, first));
    bool inside = scree_vec3_norm_squared(point) < gate->radius * gate->radius;
    if (gate->radius == 0) {
        inside = true;
        for (int k = 0; k < 2; ++k) {
            const struct scree_vec3 half = scree_vec3_load(gate->half[k]);
            const double at = scree_vec3_dot(point, half), end = scree_vec3_norm_squared(half);
            inside = inside && at >= -end && at < end;
        }
    }
    return !inside ? 0 : after >= 0 ? 1 : -1;
}

// The same of a gate that repeats with the cell: the way ends inside the cell, and may have begun beyond a
// face.
static int pass_images(const struct scree_world *world, const struct scree_gate *gate, const double *from,
                       const double *to)
{
    const struct scree_cell *cell = scree_world_cell(world);
    double shift[3] = {0}, other[3] = {0};
    int sum = 0;
    for (int k = 0; k < 3; ++k)
        if (cell->period[k] > 0)
            other[k] = from[k] < cell->lower[k]    ? -cell->period[k]
                       : from[k] >= cell->upper[k] ? cell->period[k]
                                                   : 0;
    for (unsigned image = 0; image < 8; ++image) {
        bool there = true;
        for (unsigned k = 0; k < 3; ++k) {
            const bool moved = image >> k & 1;
            there = there && !(moved && other[k] == 0);
            shift[k] = moved ? other[k] : 0;
        }
        sum += there ? pass(gate, shift, from, to) : 0;
    }
    return sum;
}

// Where a body was, near where it is.
static void come_from(const struct scree_cell *cell, const double *was, const double *is, double *from)
{
    for (int k = 0; k < 3; ++k) {
        const double way = is[k] - was[k], period = cell->period[k];
        from[k] = was[k];
        if (period > 0 && way > 0.5 * period)
            from[k] += period;
        else if (period > 0 && way < -0.5 * period)
            from[k] -= period;
    }
}

static void count(const struct scree_world *world, struct scree_gate *gate, const struct scree_gated *gated)
{
    struct scree_sum mass[2] = {0};
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        double from[3];
        if (!gated[i].seen)
            continue;
        come_from(scree_world_cell(world), gated[i].place, grain->position, from);
        const int way = pass_images(world, gate, from, grain->position);
        if (way == 0)
            continue;
        scree_sum_add(&mass[way < 0], grain->mass);
        ++gate->bodies[way < 0];
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
    for (size_t g = 0; g < gates_of(world)->count; ++g)
        count(world, &gate_rows(world)[g], gated);
    for (size_t i = 0; i < scree_world_bodies(world) && gated; ++i) {
        memcpy(gated[i].place, scree_world_grains(world)[i].position, sizeof gated[i].place);
        gated[i].seen = 1;
    }
    return SCREE_OK;
}
