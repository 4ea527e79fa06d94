// Walls and bodies that stages take away: nothing else can be asked of them.

#ifndef SCREE_LANGUAGE_REMOVAL_H
#define SCREE_LANGUAGE_REMOVAL_H

#include "language/reading.h"

// Complains of entries of stages, of a scene in which nothing else is wrong, that ask something of a group
// which another entry takes away: of walls in that stage or before, of bodies, which may come again, in that
// stage.
void scree_removal_check(struct scree_reading *reading);

#endif
