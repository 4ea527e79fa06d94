// Regions of space, to be filled: a box along the axes, a cylinder, a sphere. A body is in one if all of it
// is.

#ifndef SCREE_PACK_REGION_H
#define SCREE_PACK_REGION_H

#include <stdbool.h>

enum scree_region_shape { SCREE_REGION_BOX, SCREE_REGION_CYLINDER, SCREE_REGION_SPHERE };

struct scree_region {
    enum scree_region_shape shape;
    int dimension;
    double lower[3], upper[3]; // of a box; else of the box around it
    double from[3], to[3];     // axis of a cylinder; a sphere has its centre at `from`
    double radius;
    bool open[3]; // a box goes on across this axis, where the cell repeats
};

// Fills in the box around a cylinder or a sphere.
void scree_region_bound(struct scree_region *region);

bool scree_region_contains(const struct scree_region *region, const double place[3], double radius);

double scree_region_volume(const struct scree_region *region);

#endif
