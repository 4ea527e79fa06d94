// Nearest points of walls, see surface.h; the geometry is in nearest.h.

#include "shape/surface.h"

#include "shape/nearest.h"

#include <limits.h>

// Nearest point of a facet.
static struct scree_nearest find_on_facet(const struct scree_wall *wall, unsigned facet,
                                          struct scree_vec3 position)
{
    const struct scree_vec3 p = scree_nearest_to_local(wall, position);
    const int region = scree_mesh_nearest_region(wall->surface, facet, p);
    const struct scree_mesh_gap gap = scree_mesh_region_gap(wall->surface, facet, region, p);
    return (struct scree_nearest){gap.gap, gap.normal};
}

static struct scree_nearest find(const struct scree_wall *wall, unsigned feature, const double *centre)
{
    const struct scree_vec3 position = scree_vec3_load(centre);
    if (wall->shape == SCREE_WALL_MESH)
        return find_on_facet(wall, feature, position);
    switch (scree_nearest_kind(wall)) {
    case SCREE_NEAREST_PLANE:
        return scree_nearest_find(SCREE_NEAREST_PLANE, wall, feature, position);
    case SCREE_NEAREST_FACE:
        return scree_nearest_find(SCREE_NEAREST_FACE, wall, feature, position);
    case SCREE_NEAREST_BOX:
        return scree_nearest_find(SCREE_NEAREST_BOX, wall, feature, position);
    case SCREE_NEAREST_SPHERE:
        return scree_nearest_find(SCREE_NEAREST_SPHERE, wall, feature, position);
    default:
        return scree_nearest_find(SCREE_NEAREST_ROUND, wall, feature, position);
    }
}

bool scree_surface_within(const struct scree_wall *wall, unsigned feature, const double centre[3],
                          double range)
{
    return find(wall, feature, centre).gap <= range;
}

bool scree_surface_is_contact(const struct scree_wall *wall, unsigned feature, const double centre[3])
{
    return wall->shape != SCREE_WALL_MESH ||
           scree_mesh_contact_region(wall->surface, feature,
                                     scree_nearest_to_local(wall, scree_vec3_load(centre))) !=
               SCREE_MESH_NO_CONTACT;
}

void scree_surface_touch(const struct scree_wall *wall, unsigned feature, const double centre[3],
                         struct scree_surface_touch *touch)
{
    const struct scree_nearest nearest = find(wall, feature, centre);
    const struct scree_vec3 normal = scree_nearest_normal(wall, &nearest);
    touch->gap = nearest.gap;
    scree_vec3_store(normal, touch->normal);
    scree_vec3_store(scree_nearest_point(scree_vec3_load(centre), &nearest, normal), touch->point);
}

void scree_surface_query_begin(struct scree_surface_query *query, const struct scree_wall *wall,
                               const double centre[3], double range)
{
    query->next = query->features = 0;
    query->mesh.level = INT_MAX;
    if (wall->shape == SCREE_WALL_MESH)
        scree_mesh_query_begin(&query->mesh, wall->surface,
                               scree_nearest_to_local(wall, scree_vec3_load(centre)), range);
    else
        query->features = wall->features;
}

bool scree_surface_query_next(struct scree_surface_query *query, unsigned *feature)
{
    uint32_t facet;
    if (query->features > 0) {
        *feature = query->next++;
        return *feature < query->features;
    }
    if (!scree_mesh_query_next(&query->mesh, &facet))
        return false;
    *feature = facet;
    return true;
}
