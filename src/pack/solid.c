// Polyhedra of fillings, see solid.h.

#include "pack/solid.h"

#include "base/memory.h"
#include "convex/pair.h"
#include "math/real.h"
#include "world/polyhedron.h"

static double inner_of(const struct scree_convex *core)
{
    double inner = core->radius;
    for (uint32_t f = 0; f < core->faces; ++f)
        inner = scree_real_min(inner, core->face[f].offset);
    return inner;
}

scree_status scree_pack_solid_make(const struct scree_convex *core, double scale, struct scree_mat3 rotation,
                                   double rounding, struct scree_pack_solid **solid)
{
    struct scree_pack_solid *made;
    *solid = NULL;
    SCREE_TRY(scree_memory_new(1, sizeof *made + core->vertices * sizeof *made->vertex, (void **)&made));
    made->shape = (struct scree_convex){.dimension = core->dimension,
                                        .vertices = core->vertices,
                                        .vertex = made->vertex,
                                        .neighbour_first = core->neighbour_first,
                                        .neighbour = core->neighbour,
                                        .radius = scale * core->radius};
    made->rounding = rounding;
    made->inner = scale * inner_of(core) + rounding;
    for (uint32_t v = 0; v < core->vertices; ++v)
        made->vertex[v] = scree_mat3_apply(rotation, scree_vec3_scale(core->vertex[v], scale));
    *solid = made;
    return SCREE_OK;
}

scree_status scree_pack_solid_of(const struct scree_world *world, size_t grain,
                                 struct scree_pack_solid **solid)
{
    const struct scree_shape *shape = scree_polyhedron_of_grain(world, grain);
    *solid = NULL;
    return shape ? scree_pack_solid_make(shape->hull, 1, scree_polyhedron_axes(world, grain), shape->rounding,
                                         solid)
                 : SCREE_OK;
}

bool scree_pack_solids_overlap(const struct scree_pack_solid *first, double first_radius,
                               const struct scree_pack_solid *second, double second_radius,
                               struct scree_vec3 between)
{
    const double inner = (first ? first->inner : first_radius) + (second ? second->inner : second_radius);
    if (scree_vec3_norm_squared(between) < inner * inner)
        return true;
    struct scree_vec3 centre = scree_vec3_zero();
    const struct scree_convex point = {.dimension = 3, .vertices = 1, .vertex = &centre};
    const struct scree_convex_body a = {.shape = first ? &first->shape : &point,
                                        .rotation = scree_mat3_identity(),
                                        .rounding = first ? first->rounding : first_radius};
    const struct scree_convex_body b = {.shape = second ? &second->shape : &point,
                                        .position = between,
                                        .rotation = scree_mat3_identity(),
                                        .rounding = second ? second->rounding : second_radius};
    return !scree_convex_are_apart(&a, &b);
}
