// Checks a scene against the table of keys; every mistake is reported at its place.

#ifndef SCREE_LANGUAGE_CHECK_H
#define SCREE_LANGUAGE_CHECK_H

#include "language/reading.h"

// Declares the variables and checks all keys. Fails only if memory runs out.
SCREE_NODISCARD scree_status scree_check(struct scree_reading *reading);

#endif
