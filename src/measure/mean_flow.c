// Mean flows through flux surfaces, see mean_flow.h.
//
// Invariants: the kept counts are a part of the world and depend on its updates only, not on when they are
// read, so flows are the same with any records and after a restart. The oldest kept count is the last one
// before the window begins, if there is one. Counts within a window are at least 1/PARTS of it apart, so
// their number is limited.

#include "measure/mean_flow.h"

#include "world/entity.h"
#include "world/world.h"

#include <scree/flux_surface.h>

#include <string.h>

enum { PARTS = 60 };
_Static_assert(PARTS + 3 <= SCREE_FLOW_COUNTS, "one count per part, one at each end, and a new one");

static size_t flow_rows(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_FLOW)->count;
}

static struct scree_flow *flow_row(const struct scree_world *world, size_t slot)
{
    return (struct scree_flow *)scree_world_column(world, SCREE_ENTITY_FLOW, SCREE_FLOW_FLOW) + slot;
}

// Returns the slot of a flow, or the number of flows if there is none.
static size_t find(const struct scree_world *world, scree_flux_surface_id id,
                   const struct scree_flux_surface_window *window)
{
    size_t slot = 0;
    for (; slot < flow_rows(world); ++slot) {
        const struct scree_flow *flow = flow_row(world, slot);
        if (flow->surface == id.value && flow->window == window->time && flow->window_steps == window->steps)
            break;
    }
    return slot;
}

static bool is_of_collisions(uint64_t surface)
{
    return surface == SCREE_MEAN_FLOW_PATHS || surface == SCREE_MEAN_FLOW_VIRIAL;
}

// Returns the net mass and number of bodies that have crossed a surface, or what is counted in their place.
static scree_status net_crossings(const struct scree_world *world, uint64_t surface, double *mass,
                                  int64_t *bodies)
{
    struct scree_flux_surface_crossings crossings;
    const struct scree_free_paths *paths = scree_world_free_paths(world);
    const struct scree_collisions *collisions = scree_world_collisions(world);
    if (is_of_collisions(surface) && paths && collisions) {
        const bool of_paths = surface == SCREE_MEAN_FLOW_PATHS;
        *mass = of_paths ? paths->length : collisions->virial;
        *bodies = (int64_t)(of_paths ? paths->paths : collisions->pairs);
        return SCREE_OK;
    }
    SCREE_TRY(scree_flux_surface_get(world, (scree_flux_surface_id){surface}, &crossings));
    *mass = crossings.mass[0] - crossings.mass[1];
    *bodies = (int64_t)(crossings.bodies[0] - crossings.bodies[1]);
    return SCREE_OK;
}

// Returns whether count k is older than the last update by 1/parts of the window, up to rounding.
static bool is_older(const struct scree_flow *flow, size_t k, unsigned parts)
{
    if (flow->window_steps > 0)
        return (flow->last_steps - flow->steps[k]) * parts >= flow->window_steps;
    return (flow->last_time - flow->time[k]) * parts >= flow->window * (1 - 1e-9);
}

static void drop_first(struct scree_flow *flow)
{
    const size_t rest = (size_t)--flow->kept;
    memmove(flow->time, flow->time + 1, rest * sizeof *flow->time);
    memmove(flow->steps, flow->steps + 1, rest * sizeof *flow->steps);
    memmove(flow->mass, flow->mass + 1, rest * sizeof *flow->mass);
    memmove(flow->bodies, flow->bodies + 1, rest * sizeof *flow->bodies);
    flow->time[rest] = flow->mass[rest] = 0;
    flow->steps[rest] = 0;
    flow->bodies[rest] = 0;
}

static void keep(const struct scree_world *world, struct scree_flow *flow)
{
    double mass;
    int64_t bodies;
    // a row of a damaged file must not write beyond the arrays
    flow->kept = flow->kept < SCREE_FLOW_COUNTS ? flow->kept : 0;
    flow->last_time = scree_world_clock(world)->time;
    flow->last_steps = scree_world_clock(world)->steps;
    if ((flow->kept == 0 || is_older(flow, flow->kept - 1, PARTS)) &&
        net_crossings(world, flow->surface, &mass, &bodies) == SCREE_OK) {
        flow->time[flow->kept] = flow->last_time;
        flow->steps[flow->kept] = flow->last_steps;
        flow->mass[flow->kept] = mass;
        flow->bodies[flow->kept] = bodies;
        ++flow->kept;
    }
    while (flow->kept > 1 && is_older(flow, 1, 1))
        drop_first(flow);
}

void scree_mean_flow_update(struct scree_world *world)
{
    for (size_t f = 0; f < flow_rows(world); ++f)
        keep(world, flow_row(world, f));
}

bool scree_mean_flow_is_kept(const struct scree_world *world)
{
    return flow_rows(world) > 0;
}

scree_status scree_measure_keep_flow(struct scree_world *world, scree_flux_surface_id id,
                                     const struct scree_flux_surface_window *window)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_flow flow = {.surface = id.value, .window = window->time, .window_steps = window->steps};
    double mass;
    int64_t bodies;
    scree_slot slot;
    uint64_t row;
    SCREE_TRY(net_crossings(world, id.value, &mass, &bodies));
    if ((window->steps > 0) == (window->time > 0) || !(window->time >= 0 && window->time <= 1e150))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the window of a mean must be a time above 0 s and at most 1e150 s, or a number of steps above "
            "0; got %g s and %llu steps",
            window->time, (unsigned long long)window->steps);
    if (find(world, id, window) < flow_rows(world))
        return SCREE_OK;
    SCREE_TRY(scree_flux_surface_update(world));
    SCREE_TRY(scree_entity_insert(scree_world_entity(world, SCREE_ENTITY_FLOW), &slot, &row));
    keep(world, &flow);
    *flow_row(world, slot.index) = flow;
    return SCREE_OK;
}

scree_status scree_measure_mean_flow(const struct scree_world *world, scree_flux_surface_id id,
                                     const struct scree_flux_surface_window *window,
                                     struct scree_flux_surface_flow *flow)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const size_t slot = find(world, id, window);
    double mass;
    int64_t bodies;
    *flow = (struct scree_flux_surface_flow){0};
    SCREE_TRY(net_crossings(world, id.value, &mass, &bodies));
    if (slot == flow_rows(world))
        return scree_status_fail(SCREE_ERROR_MISSING,
                                 "the counts for this mean flow are not kept: call scree_measure_keep_flow "
                                 "for the surface and the window first");
    const struct scree_flow *row = flow_row(world, slot);
    // collisions are counted at once, crossings in updates
    const double end = is_of_collisions(id.value) ? scree_world_clock(world)->time : row->last_time;
    flow->time = row->kept > 0 ? end - row->time[0] : 0;
    if (!(flow->time > 0))
        return SCREE_OK;
    flow->mass = (mass - row->mass[0]) / flow->time;
    flow->bodies = (double)(bodies - row->bodies[0]) / flow->time;
    return SCREE_OK;
}
