// The scene language as a JSON schema (draft 2020-12), from the table of keys, for completion and checks in
// editors.
//
// Invariant: every valid scene is valid by the schema. The schema has the keys and their constraints, the
// parameters of each law, words, ranges of plain numbers, and the dimension of single units. It leaves to
// `scree check` the values of variables, products of units, ranges of numbers with units, references to
// names, the dimension of the world, and whatever depends on several keys. It sees one file without its
// includes.

#ifndef SCREE_LANGUAGE_SCHEMA_H
#define SCREE_LANGUAGE_SCHEMA_H

#include <scree/run.h>

void scree_schema_write(scree_text_function *write, void *user);

#endif
