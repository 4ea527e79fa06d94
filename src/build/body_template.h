// A body template: the common properties of spheres or disks that are filled in or inserted together.

#ifndef SCREE_BUILD_BODY_TEMPLATE_H
#define SCREE_BUILD_BODY_TEMPLATE_H

#include "language/reading.h"
#include "pack/cells.h"
#include "pack/sizes.h"

struct scree_world;

struct scree_body_template {
    scree_material_id material;
    double velocity[3], thickness; // thickness: of disks; 0 for spheres
    unsigned fixed;                // bits of enum scree_freedom
};

// Reads the section `shape`: sizes, and the thickness of disks. Returns false after a diagnostic.
bool scree_body_template_read(struct scree_reading *reading, const struct scree_node *shape,
                              struct scree_body_template *template, struct scree_sizes *sizes);

// Adds a body with the position and radius of a grain.
SCREE_NODISCARD scree_status scree_body_template_add(struct scree_world *world,
                                                     const struct scree_fill_grain *grain,
                                                     const struct scree_body_template *template);

#endif
