// Regions to be filled: a box along the axes, a cylinder, a sphere. A body is in a region if all of it is.

#ifndef SCREE_PACK_REGION_H
#define SCREE_PACK_REGION_H

#include <stdbool.h>

enum scree_region_shape { SCREE_REGION_BOX, SCREE_REGION_CYLINDER, SCREE_REGION_SPHERE };

struct scree_region {
    enum scree_region_shape shape;
    int dimension;
    double lower[3], upper[3]; // bounds of the box, or bounding box of the other shapes
    double from[3], to[3];     // axis of a cylinder; `from` is the centre of a sphere
    double radius;
    bool open[3]; // the box spans the period of the cell along this axis and has no faces there
};

// Sets the bounding box of a cylinder or a sphere.
void scree_region_bound(struct scree_region *region);

bool scree_region_contains(const struct scree_region *region, const double position[3], double radius);

double scree_region_volume(const struct scree_region *region);

#endif
