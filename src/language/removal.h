// Stages that change groups of walls or bodies which have been removed.

#ifndef SCREE_LANGUAGE_REMOVAL_H
#define SCREE_LANGUAGE_REMOVAL_H

#include "language/reading.h"

// Reports entries of stages that change a removed group: for walls, removed in the same stage or before; for
// bodies, removed in the same stage, since a group of bodies can get new members later. The scene must
// have no other mistakes.
void scree_removal_check(struct scree_reading *reading);

#endif
