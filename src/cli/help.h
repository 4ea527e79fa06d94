// What `scree help` tells besides commands.

#ifndef SCREE_CLI_HELP_H
#define SCREE_CLI_HELP_H

#include "cli.h"

// Contact laws: all of them; one, false where there is none of that name; and the complaint of that.
void scree_help_laws(void);
bool scree_help_law(const char *name);
void scree_help_refuse_law(const char *name);

// Units of scenes.
void scree_help_units(void);

// Tells every word that `scree help` has something to say of.
void scree_help_words(void (*tell)(void *user, const char *word), void *user);

#endif
