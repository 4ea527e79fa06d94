// The shapes of clumps and polyhedra, for `scree check`.

#ifndef SCREE_CLI_SHAPES_H
#define SCREE_CLI_SHAPES_H

#include <scree/scene.h>

// Prints the mass properties of each shape of a scene, and their errors.
void scree_cli_print_shapes(struct scree_scene *scene, int dimension);

#endif
