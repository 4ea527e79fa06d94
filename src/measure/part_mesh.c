// Regions of measurement that are the inside of a mesh, see part_mesh.h.

#include "measure/part_mesh.h"

#include "mesh/inside.h"
#include "shape/nearest.h"
#include "world/cell.h"
#include "world/entity.h"
#include "world/wall.h"

#include <math.h>

scree_status scree_part_mesh_begin(const struct scree_world *world, scree_wall_id id,
                                   struct scree_part_mesh *mesh)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    const struct scree_wall *wall = scree_wall_row(world, slot.index);
    const struct scree_cell *cell = scree_world_cell(world);
    if (wall->shape != SCREE_WALL_MESH || !scree_mesh_is_closed(wall->surface))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "wall %llu has no inside: a region must be a closed mesh",
                                 (unsigned long long)id.value);
    for (int k = 0; k < 3; ++k) {
        double half = 0;
        for (int axis = 0; axis < 3; ++axis)
            half += fabs(wall->axes[axis][k]) * wall->size[axis];
        mesh->lower[k] = wall->reference[k] - half;
        mesh->upper[k] = wall->reference[k] + half;
        if (cell->period[k] > 0 && !(mesh->lower[k] >= cell->lower[k] && mesh->upper[k] <= cell->upper[k]))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "walls have no periodic images: a mesh that is a region must lie "
                "between the faces of the cell along %c, %g to %g m, but is at %g to %g m",
                'x' + k, cell->lower[k], cell->upper[k], mesh->lower[k], mesh->upper[k]);
    }
    const double volume = scree_mesh_volume(wall->surface);
    mesh->wall = wall;
    mesh->volume = fabs(volume);
    mesh->faces_inwards = volume < 0;
    return SCREE_OK;
}

bool scree_part_mesh_contains(const struct scree_part_mesh *mesh, struct scree_vec3 position)
{
    return scree_mesh_contains(mesh->wall->surface, scree_nearest_to_local(mesh->wall, position));
}

// The part of a path before a crossing is inside if the path leaves there.
struct inside {
    double sign; // 1 if facets face outwards
    double fraction;
};

static void add_crossing(void *context, double fraction, bool along)
{
    struct inside *inside = (struct inside *)context;
    inside->fraction += inside->sign * (along ? fraction : -fraction);
}

// Begins at the end: that of a contact with a wall is the centre of the body, while the start may be on the
// mesh.
double scree_part_mesh_fraction(const struct scree_part_mesh *mesh, struct scree_vec3 from,
                                struct scree_vec3 segment)
{
    const struct scree_mesh_surface *surface = mesh->wall->surface;
    const struct scree_vec3 start = scree_nearest_to_local(mesh->wall, from),
                            end = scree_nearest_to_local(mesh->wall, scree_vec3_add(from, segment));
    struct inside inside = {.sign = mesh->faces_inwards ? -1 : 1,
                            .fraction = scree_mesh_contains(surface, end) ? 1 : 0};
    scree_mesh_visit_crossings(surface, start, end, add_crossing, &inside);
    // round-off
    const double fraction = inside.fraction < 1 ? inside.fraction : 1;
    return fraction > 0 ? fraction : 0;
}
