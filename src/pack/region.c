// Regions, see region.h.

#include "pack/region.h"

#include "math/real.h"
#include "mesh/inside.h"
#include "mesh/tree.h"
#include "shape/nearest.h"

#include <math.h>

void scree_region_bound(struct scree_region *region)
{
    double length = 0;
    for (int k = 0; k < 3; ++k)
        length += (region->to[k] - region->from[k]) * (region->to[k] - region->from[k]);
    for (int k = 0; k < 3 && region->shape != SCREE_REGION_BOX; ++k) {
        const double along = region->to[k] - region->from[k];
        const bool cylinder = region->shape == SCREE_REGION_CYLINDER && length > 0;
        const double half_width =
            cylinder ? region->radius * sqrt(along * along < length ? 1 - along * along / length : 0)
                     : region->radius;
        const double low = cylinder && along < 0 ? region->to[k] : region->from[k];
        const double high = cylinder && along > 0 ? region->to[k] : region->from[k];
        region->lower[k] = low - half_width;
        region->upper[k] = high + half_width;
    }
}

static bool box_contains(const struct scree_region *region, const double *position, double radius)
{
    bool inside = true;
    for (int k = 0; k < region->dimension; ++k) {
        const double distance = region->open[k] ? 0 : radius;
        inside = inside && position[k] - distance >= region->lower[k] &&
                 position[k] + distance <= region->upper[k];
    }
    return inside;
}

// The ends of a cylinder are flat.
static bool cylinder_contains(const struct scree_region *region, const double *position, double radius)
{
    double length = 0, along = 0, square = 0;
    for (int k = 0; k < 3; ++k) {
        const double axis = region->to[k] - region->from[k], d = position[k] - region->from[k];
        length += axis * axis;
        along += axis * d;
        square += d * d;
    }
    length = sqrt(length);
    along /= length;
    const double clearance = region->radius - radius;
    return along >= radius && along <= length - radius && clearance >= 0 &&
           square - along * along <= clearance * clearance;
}

static bool mesh_contains(const struct scree_region *region, const double *position, double radius)
{
    struct scree_mesh_query query;
    uint32_t facet;
    if (!region->wall)
        return false;
    const struct scree_mesh_surface *surface = region->wall->surface;
    const struct scree_vec3 centre = scree_nearest_to_local(region->wall, scree_vec3_load(position));
    if (!scree_mesh_contains(surface, centre))
        return false;
    scree_mesh_query_begin(&query, surface, centre, radius);
    while (radius > 0 && scree_mesh_query_next(&query, &facet)) {
        const int nearest = scree_mesh_nearest_region(surface, facet, centre);
        if (scree_mesh_region_gap(surface, facet, nearest, centre).gap < radius)
            return false;
    }
    return true;
}

bool scree_region_contains(const struct scree_region *region, const double position[3], double radius)
{
    if (region->shape == SCREE_REGION_MESH)
        return mesh_contains(region, position, radius);
    if (region->shape == SCREE_REGION_BOX)
        return box_contains(region, position, radius);
    if (region->shape == SCREE_REGION_CYLINDER)
        return cylinder_contains(region, position, radius);
    double square = 0;
    for (int k = 0; k < region->dimension; ++k)
        square += (position[k] - region->from[k]) * (position[k] - region->from[k]);
    const double clearance = region->radius - radius;
    return clearance >= 0 && square <= clearance * clearance;
}

double scree_region_volume(const struct scree_region *region)
{
    double volume = 1, length = 0;
    if (region->shape == SCREE_REGION_MESH)
        return region->volume;
    for (int k = 0; k < region->dimension; ++k)
        volume *= region->upper[k] - region->lower[k];
    for (int k = 0; k < 3; ++k)
        length += (region->to[k] - region->from[k]) * (region->to[k] - region->from[k]);
    const double area = SCREE_PI * region->radius * region->radius;
    if (region->shape == SCREE_REGION_CYLINDER)
        return area * sqrt(length);
    if (region->shape == SCREE_REGION_SPHERE)
        return region->dimension == 2 ? area : area * region->radius * 4 / 3;
    return volume;
}
