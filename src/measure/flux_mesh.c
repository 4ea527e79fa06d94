// Flux surfaces that are meshes, see flux_mesh.h.

#include "measure/flux_mesh.h"

#include "base/sum.h"
#include "mesh/inside.h"
#include "shape/nearest.h"
#include "world/cell.h"
#include "world/entity.h"
#include "world/wall.h"

#include <math.h>

static bool moves(const struct scree_wall *wall)
{
    double any = wall->by_function > 0 ? 1 : 0;
    for (int k = 0; k < 3; ++k)
        any += fabs(wall->velocity[k]) + fabs(wall->velocity_change[k]) + fabs(wall->spin[k]);
    return any > 0;
}

scree_status scree_flux_mesh_check(const struct scree_world *world, scree_wall_id id)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    const struct scree_wall *wall = scree_wall_row(world, slot.index);
    const struct scree_cell *cell = scree_world_cell(world);
    if (wall->shape != SCREE_WALL_MESH)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "wall %llu is no mesh: a flux surface is a disk, a rectangle or a wall that is a mesh",
            (unsigned long long)id.value);
    if (moves(wall))
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "wall %llu moves: a mesh through which a flux is measured must be at rest",
                                 (unsigned long long)id.value);
    for (int k = 0; k < 3; ++k) {
        double half = 0;
        for (int axis = 0; axis < 3; ++axis)
            half += fabs(wall->axes[axis][k]) * wall->size[axis];
        const double lower = wall->reference[k] - half, upper = wall->reference[k] + half;
        if (cell->period[k] > 0 && !(lower >= cell->lower[k] && upper <= cell->upper[k]))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "walls have no periodic images: a mesh through which a flux is measured "
                                     "must lie between the faces "
                                     "of the cell along %c, %g to %g m, but is at %g to %g m",
                                     'x' + k, cell->lower[k], cell->upper[k], lower, upper);
    }
    return SCREE_OK;
}

// Numbers of crossings along the normals of facets, and against them.
struct crossings {
    uint64_t number[2];
};

static void add_crossing(void *context, double fraction, bool along)
{
    struct crossings *crossings = (struct crossings *)context;
    (void)fraction;
    ++crossings->number[!along];
}

static void visit(const struct scree_wall *wall, struct scree_vec3 from, struct scree_vec3 to,
                  struct crossings *crossings)
{
    scree_mesh_visit_crossings(wall->surface, scree_nearest_to_local(wall, from),
                               scree_nearest_to_local(wall, to), add_crossing, crossings);
}

// A path that left the cell is in it at its start, and, shifted by periods, at its end.
static struct crossings cross(const struct scree_cell *cell, const struct scree_wall *wall,
                              const double *start, const double *end)
{
    struct crossings crossings = {{0}};
    double shift[3] = {0};
    for (int k = 0; k < 3; ++k) {
        const double displacement = end[k] - start[k], period = cell->period[k];
        if (period > 0 && fabs(displacement) > 0.5 * period)
            shift[k] = displacement > 0 ? period : -period;
    }
    const struct scree_vec3 by = scree_vec3_load(shift), first = scree_vec3_load(start),
                            last = scree_vec3_load(end);
    visit(wall, scree_vec3_add(first, by), last, &crossings);
    if (shift[0] != 0 || shift[1] != 0 || shift[2] != 0)
        visit(wall, first, scree_vec3_sub(last, by), &crossings);
    return crossings;
}

void scree_flux_mesh_count(const struct scree_world *world, struct scree_flux_surface *flux_surface,
                           const struct scree_flux_position *last_position)
{
    struct scree_sum mass[2] = {0};
    uint32_t slot;
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, flux_surface->wall, &slot))
        return;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        if (!last_position[i].recorded)
            continue;
        const struct crossings crossings = cross(scree_world_cell(world), scree_wall_row(world, slot),
                                                 last_position[i].position, grain->position);
        for (int k = 0; k < 2; ++k) {
            for (uint64_t n = 0; n < crossings.number[k]; ++n)
                scree_sum_add(&mass[k], grain->mass);
            flux_surface->bodies[k] += crossings.number[k];
        }
    }
    for (int k = 0; k < 2; ++k)
        flux_surface->mass[k] += scree_sum_value(&mass[k]);
}
