// The shapes of clumps, for `scree check`.

#ifndef SCREE_CLI_CLUMPS_H
#define SCREE_CLI_CLUMPS_H

#include <scree/scene.h>

// Prints the mass properties of each shape of a scene, with their errors.
void scree_cli_print_clumps(struct scree_scene *scene, int dimension);

#endif
