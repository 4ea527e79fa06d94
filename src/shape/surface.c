// Nearest points of walls, see surface.h; the geometry is in nearest.h.

#include "shape/surface.h"

#include "shape/nearest.h"

static struct scree_nearest find(const struct scree_wall *wall, unsigned feature, const double *centre)
{
    const struct scree_vec3 position = scree_vec3_load(centre);
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

void scree_surface_touch(const struct scree_wall *wall, unsigned feature, const double centre[3],
                         struct scree_surface_touch *touch)
{
    const struct scree_nearest nearest = find(wall, feature, centre);
    const struct scree_vec3 normal = scree_nearest_normal(wall, &nearest);
    touch->gap = nearest.gap;
    scree_vec3_store(normal, touch->normal);
    scree_vec3_store(scree_nearest_point(scree_vec3_load(centre), &nearest, normal), touch->point);
}
