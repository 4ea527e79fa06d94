// The language of scenes as a JSON schema (draft 2020-12), from the table of keys: for editors, which then
// complete and underline. Units, expressions and what depends on a law are checked by `scree check` alone.

#ifndef SCREE_LANGUAGE_SCHEMA_H
#define SCREE_LANGUAGE_SCHEMA_H

#include <scree/scene.h>

void scree_schema_write(scree_text_function *write, void *user);

#endif
