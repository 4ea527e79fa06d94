// Topics of `scree help`.

#ifndef SCREE_CLI_HELP_H
#define SCREE_CLI_HELP_H

#include "cli.h"

// Calls `visit` once for every word that `scree help` explains.
void scree_help_words(void (*visit)(void *user, const char *word), void *user);

// Prints the generated first part of a manual page for scdoc: of a command, of "scene", or of scree if `name`
// is null; returns an exit status.
int scree_help_manual(const char *name);

// Meaning of the exit statuses.
enum { SCREE_HELP_EXITS = 5 };
extern const struct scree_help_exit {
    int status;
    const char *about;
} scree_help_exits[SCREE_HELP_EXITS];

#endif
