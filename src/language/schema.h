// The language of scenes as a JSON schema (draft 2020-12), from the table of keys: for editors, which then
// complete and underline.
//
// What always holds: every file that is a scene is one by the schema. The schema knows the keys and what goes
// with what, the parameters of each law, words, ranges of plain numbers, and whether a unit of one word is of
// the dimension that is asked for. What variables come to, products of units, ranges of numbers with units,
// names that are made elsewhere, the dimension of the world, and all that several keys mean together are for
// `scree check`. It sees one file, and not what others bring by `include`.

#ifndef SCREE_LANGUAGE_SCHEMA_H
#define SCREE_LANGUAGE_SCHEMA_H

#include <scree/run.h>

void scree_schema_write(scree_text_function *write, void *user);

#endif
