// The rows and the contacts of a world in a checkpoint, see checkpoint.h.

#ifndef SCREE_FILE_CHECKPOINT_ROWS_H
#define SCREE_FILE_CHECKPOINT_ROWS_H

#include "file/hdf.h"

struct scree_entity;
struct scree_world;

SCREE_NODISCARD scree_status scree_checkpoint_rows_put(struct scree_hdf *hdf,
                                                       const struct scree_world *world);
SCREE_NODISCARD scree_status scree_checkpoint_rows_get(struct scree_hdf *hdf, struct scree_world *world);

// The same for rows of contacts, which have keys instead of ids.
SCREE_NODISCARD scree_status scree_checkpoint_rows_put_keyed(struct scree_hdf *hdf,
                                                             const struct scree_entity *entity);
SCREE_NODISCARD scree_status scree_checkpoint_rows_get_keyed(struct scree_hdf *hdf,
                                                             struct scree_entity *entity);

// Bodies, walls and contact rules must be read before the contacts.
SCREE_NODISCARD scree_status scree_checkpoint_contacts_put(struct scree_hdf *hdf,
                                                           const struct scree_world *world);
SCREE_NODISCARD scree_status scree_checkpoint_contacts_get(struct scree_hdf *hdf, struct scree_world *world);

#endif
