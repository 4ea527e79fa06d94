// Reads regions, see reading.h and pack/region.h.

#include "language/reading.h"
#include "pack/region.h"

#include <string.h>

bool scree_reading_region(struct scree_reading *reading, const struct scree_node *map,
                          struct scree_region *region)
{
    const struct scree_node *node;
    double box[2][3];
    bool good = true;
    *region = (struct scree_region){.dimension = reading->dimension};
    if ((node = scree_reading_node(map, SCREE_KEY_region_cylinder))) {
        region->shape = SCREE_REGION_CYLINDER;
        good = scree_reading_vector(reading, node, SCREE_KEY_region_cylinder_from, region->from) &&
               scree_reading_vector(reading, node, SCREE_KEY_region_cylinder_to, region->to) &&
               scree_reading_number(reading, node, SCREE_KEY_region_cylinder_radius, &region->radius);
    } else if ((node = scree_reading_node(map, SCREE_KEY_region_sphere))) {
        region->shape = SCREE_REGION_SPHERE;
        good = scree_reading_vector(reading, node, SCREE_KEY_region_sphere_centre, region->from) &&
               scree_reading_number(reading, node, SCREE_KEY_region_sphere_radius, &region->radius);
    } else if (scree_reading_has(map, SCREE_KEY_region_mesh)) {
        region->shape = SCREE_REGION_MESH;
        return scree_reading_text(reading, map, SCREE_KEY_region_mesh, &region->group);
    } else {
        good = scree_reading_box(reading, map, SCREE_KEY_region_box, box);
        memcpy(region->lower, box[0], sizeof region->lower);
        memcpy(region->upper, box[1], sizeof region->upper);
    }
    if (good)
        scree_region_bound(region);
    for (int k = 0; k < region->dimension && good; ++k)
        if (!(region->upper[k] > region->lower[k]))
            return scree_reading_report(reading, map,
                                        "the upper corner of a region must be above the lower one");
    return good;
}

bool scree_reading_region_in(struct scree_reading *reading, const struct scree_world *world,
                             const struct scree_node *map, struct scree_region *region)
{
    if (!scree_reading_region(reading, map, region))
        return false;
    const scree_status status = scree_region_mesh_bind(region, world);
    if (status != SCREE_OK)
        scree_reading_report(reading, map, "%s", scree_status_message());
    return status == SCREE_OK;
}
