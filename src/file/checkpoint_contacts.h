// The contacts of a world in a checkpoint, see checkpoint.h.

#ifndef SCREE_FILE_CHECKPOINT_CONTACTS_H
#define SCREE_FILE_CHECKPOINT_CONTACTS_H

#include "file/hdf.h"

struct scree_world;

SCREE_NODISCARD scree_status scree_checkpoint_contacts_put(struct scree_hdf *hdf,
                                                           const struct scree_world *world);

// Bodies, walls and contact rules must have been read before.
SCREE_NODISCARD scree_status scree_checkpoint_contacts_get(struct scree_hdf *hdf, struct scree_world *world);

#endif
