// Writes scenes, and the language of scenes as a reference page and as a schema.

#ifndef SCREE_LANGUAGE_PRINT_H
#define SCREE_LANGUAGE_PRINT_H

#include "language/reading.h"

// Writes a scene that has passed the check in complete form: variables expanded, includes merged, defaults
// filled in, numbers in SI units. The output is a scene that builds the same world, bit for bit; printing it
// again gives the same text. It includes no other scene files; files of bodies are still referred to. Fails
// if the output is longer than the limit for scene files.
SCREE_NODISCARD scree_status scree_print(struct scree_reading *reading, scree_text_function *write,
                                         void *user);

// Prints the scene compactly, without comments and with its variables unexpanded; variables given by the
// caller have the caller's values. Meshes of polyhedra are replaced by their vertices.
SCREE_NODISCARD scree_status scree_print_unexpanded(struct scree_reading *reading, scree_text_function *write,
                                                    void *user);

// Writes the reference page in Markdown, from the tables of keys and of contact laws.
void scree_reference_write(scree_text_function *write, void *user);

// Writes the JSON schema, see schema.c.
void scree_schema_write(scree_text_function *write, void *user);

#endif
