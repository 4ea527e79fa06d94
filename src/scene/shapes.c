// The shapes of clumps and polyhedra, see scene.h.

#include "language/clumps.h"
#include "language/polyhedra.h"
#include "scene/scene.h"

bool scree_shapes_clump(struct scree_reading *reading, size_t index, struct scree_scene_clump *clump)
{
    const struct scree_clumps_shape *shape = scree_clumps_at(reading, index);
    if (!shape)
        return false;
    *clump = (struct scree_scene_clump){.name = shape->name,
                                        .pebbles = shape->pebbles,
                                        .radius = shape->radius,
                                        .method = shape->method,
                                        .mass = shape->mass,
                                        .is_mesh = shape->is_mesh,
                                        .fidelity = shape->fidelity};
    for (size_t p = 0; p < shape->pebbles; ++p)
        clump->polyhedra += scree_clumps_polyhedron(shape, p) != NULL;
    for (int k = 0; k < 3; ++k)
        clump->principal[k] = shape->square[k] * shape->radius * shape->radius;
    return true;
}

bool scree_shapes_polyhedron(struct scree_reading *reading, size_t index,
                             struct scree_scene_polyhedron *polyhedron)
{
    const struct scree_polyhedra_shape *shape = scree_polyhedra_at(reading, index);
    if (!shape)
        return false;
    *polyhedron = (struct scree_scene_polyhedron){.name = shape->name,
                                                  .vertices = shape->core.vertices,
                                                  .faces = shape->core.faces,
                                                  .radius = shape->radius,
                                                  .reach = shape->reach,
                                                  .rounding = shape->row.rounding,
                                                  .volume = shape->row.volume};
    for (int k = 0; k < 3; ++k) {
        polyhedron->centre[k] = shape->row.centre[k];
        polyhedron->principal[k] = shape->row.inertia[k] / shape->row.volume;
    }
    return true;
}
