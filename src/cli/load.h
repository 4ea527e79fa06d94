// What commands that take a scene have in common.

#ifndef SCREE_CLI_LOAD_H
#define SCREE_CLI_LOAD_H

#include "cli.h"

#include <scree/scene.h>

// Reads the scene that a line names with the variables that its -D set, and its --threads, 0 where there is
// none. Returns an exit status, after a diagnostic; `scene` is to be freed in any case.
int scree_load_scene(const struct scree_cli_line *line, struct scree_scene **scene, int *threads);

// The same for a checkpoint, from which its run goes on.
int scree_load_checkpoint(const struct scree_cli_line *line, struct scree_scene **scene, int *threads);

// The variables that -D set, into `variable`, with room for SCREE_CLI_GIVEN; false after a diagnostic.
bool scree_load_variables(const struct scree_cli_line *line, struct scree_scene_variable *variable,
                          size_t *variables);

// Reads a scene; false after a diagnostic.
bool scree_load_file(const char *path, const struct scree_scene_def *def, struct scree_scene **scene);

// Tells what the last call with this scene failed for, and with what status; files in `folder` by the names
// that they have there.
void scree_load_complain(const struct scree_scene *scene, const char *folder, scree_status status);

#endif
