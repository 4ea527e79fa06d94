// Reads the parts of clumps made of spheres and polyhedra.

#ifndef SCREE_LANGUAGE_CLUMP_PARTS_H
#define SCREE_LANGUAGE_CLUMP_PARTS_H

#include "language/polyhedra.h"

#include <scree/shape.h>

struct scree_clump_part {
    const struct scree_polyhedra_shape *polyhedron; // null for a sphere
    double orientation[4];                          // of the axes in which the polyhedron is written
    double centre[3];                               // of mass, m
    double radius;                                  // of the sphere, or of that around the polyhedron, m
};

// Reads a part; returns false after a diagnostic.
bool scree_clump_parts_read(struct scree_reading *reading, const struct scree_node *map,
                            struct scree_clump_part *part);

// Finds the mass properties of all parts. If they are `given`, only the volume counts, and parts may overlap.
SCREE_NODISCARD scree_status scree_clump_parts_mass(const struct scree_clump_part *part, size_t parts,
                                                    bool given, struct scree_shape_mass *mass);

#endif
