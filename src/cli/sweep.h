// Sweeps: a scene is run once for each point of a grid of its variables, each point in a folder and a process
// of its own.

#ifndef SCREE_CLI_SWEEP_H
#define SCREE_CLI_SWEEP_H

#include "cli.h"

// Runs the sweep of a line that has --sweep; returns an exit status.
int scree_sweep_run(const struct scree_cli_line *line);

#endif
