// The pebbles of clumps that are shapes of the library or fill a mesh.

#ifndef SCREE_LANGUAGE_CLUMP_SHAPE_H
#define SCREE_LANGUAGE_CLUMP_SHAPE_H

#include <scree/shape.h>

struct scree_reading;
struct scree_node;

struct scree_clump_shape {
    struct scree_pebble *pebble; // to be freed by scree_memory_free
    size_t pebbles;
    bool is_mesh;
    struct scree_shape_mass mesh; // mass properties and errors of the pebbles, for a mesh
    struct scree_shape_fidelity fidelity;
};

// Returns the value of the key of a clump for a shape of the library or a mesh; null if there is none.
const struct scree_node *scree_clump_shape_node(const struct scree_node *map);

// Makes the pebbles; returns false after a diagnostic or a failure.
bool scree_clump_shape_read(struct scree_reading *reading, const struct scree_node *map,
                            struct scree_clump_shape *shape);

#endif
