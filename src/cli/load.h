// Functions shared by the commands that load a scene.

#ifndef SCREE_CLI_LOAD_H
#define SCREE_CLI_LOAD_H

#include "cli.h"

#include <scree/scene.h>

// Reads the scene named on the command line, or with `restart` the one of a checkpoint to restart from, with
// the variables of -D, and --threads (0 if not given); `max_filled` as in struct scree_scene_def. Returns an
// exit status, after printing an error; free `scene` in any case.
int scree_load_scene(const struct scree_cli_line *line, bool restart, size_t max_filled,
                     struct scree_scene **scene, int *threads);

// Reads the variables of -D into `variable`, an array of SCREE_CLI_MAX_OPTIONS; prints an error and returns
// false if one is malformed.
bool scree_load_variables(const struct scree_cli_line *line, struct scree_scene_variable *variable,
                          size_t *variables);

// Reads a scene; prints an error and returns false if that fails.
bool scree_load_file(const char *path, const struct scree_scene_def *def, struct scree_scene **scene);

// Prints why the last call with this scene failed with `status`. Paths in `folder` are printed relative to
// that folder.
void scree_load_report(const struct scree_scene *scene, const char *folder, scree_status status);

#endif
