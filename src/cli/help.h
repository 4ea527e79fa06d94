// Topics of `scree help`.

#ifndef SCREE_CLI_HELP_H
#define SCREE_CLI_HELP_H

#include "cli.h"

// Print the list of contact laws, one contact law (false if there is none of that name), and the error for an
// unknown law.
void scree_help_laws(void);
bool scree_help_law(const char *name);
void scree_help_refuse_law(const char *name);

// Prints `before` and a parameter for all laws that have it; returns false if none has.
bool scree_help_parameter(const char *name, const char *before);

// Calls `visit` for the names of laws and of their parameters; a name can come more than once.
void scree_help_law_words(void (*visit)(void *user, const char *word), void *user);

// Prints the units of scenes.
void scree_help_units(void);

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
