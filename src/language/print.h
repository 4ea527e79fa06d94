// Writing a scene out complete: variables put in, standards filled in, numbers in SI units.
//
// What always holds: what is written is a scene that makes the same world, bit for bit, and that is written
// as itself. It needs no other scene file; files that bodies are read from stay named. What cannot be read
// back, being too long, is refused.

#ifndef SCREE_LANGUAGE_PRINT_H
#define SCREE_LANGUAGE_PRINT_H

#include "language/reading.h"

#include <scree/run.h>

// Of a scene that a check has passed.
SCREE_NODISCARD scree_status scree_print(struct scree_reading *reading, scree_text_function *write,
                                         void *user);

// As it was written instead, in few lines: with its variables, of which those that were set from outside have
// those values, and without remarks.
SCREE_NODISCARD scree_status scree_print_plain(struct scree_reading *reading, scree_text_function *write,
                                               void *user);

#endif
