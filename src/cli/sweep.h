// Parameter sweeps: runs a scene once for each point of a grid of its variables, each in its own folder and
// process.

#ifndef SCREE_CLI_SWEEP_H
#define SCREE_CLI_SWEEP_H

#include "cli.h"

// Runs the sweep of a command line with --sweep; returns an exit status.
int scree_sweep_run(const struct scree_cli_line *line);

#endif
