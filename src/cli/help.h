// What `scree help` tells besides commands.

#ifndef SCREE_CLI_HELP_H
#define SCREE_CLI_HELP_H

#include "cli.h"

// Contact laws: all of them; one, false where there is none of that name; and the diagnostic of that.
void scree_help_laws(void);
bool scree_help_law(const char *name);
void scree_help_refuse_law(const char *name);

// A parameter, of all laws that have it, behind `before`; false where none has.
bool scree_help_parameter(const char *name, const char *before);

// Tells the names of laws and of their parameters, of some more than once.
void scree_help_law_words(void (*tell)(void *user, const char *word), void *user);

// Units of scenes.
void scree_help_units(void);

// Tells every word that `scree help` has something to say of.
void scree_help_words(void (*tell)(void *user, const char *word), void *user);

// The beginning of a manual page for scdoc: of a command, of "scene", or with null that of scree; an exit
// status.
int scree_help_manual(const char *name);

// What the exit statuses say.
enum { SCREE_HELP_EXITS = 5 };
extern const struct scree_help_exit {
    int status;
    const char *about;
} scree_help_exits[SCREE_HELP_EXITS];

#endif
