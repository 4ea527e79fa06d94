// Writes a scene in complete form: variables expanded, includes merged, defaults filled in, numbers in SI
// units.
//
// Invariants: the output is a scene that builds the same world, bit for bit; printing it again gives the same
// text. It includes no other scene files; files of bodies are still referred to. Fails if the output is
// longer than the limit for scene files.

#ifndef SCREE_LANGUAGE_PRINT_H
#define SCREE_LANGUAGE_PRINT_H

#include "language/reading.h"

#include <scree/run.h>

// Prints a scene that has passed the check.
SCREE_NODISCARD scree_status scree_print(struct scree_reading *reading, scree_text_function *write,
                                         void *user);

// Prints the scene compactly with its variables unexpanded and without comments; variables given by
// the caller have the given values.
SCREE_NODISCARD scree_status scree_print_plain(struct scree_reading *reading, scree_text_function *write,
                                               void *user);

#endif
