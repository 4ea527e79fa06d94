// The state of a world as a file, see scree/checkpoint.h: HDF5, in which
//
// - /world/ENTITY: the rows of an entity; attributes `last` (the newest id) and `columns` (those present)
// - /world/ENTITY/id: ids, in order of slots
// - /world/ENTITY/FIELD: a field, one value per row; omitted if all values are zero
// - /fields/ENTITY.FIELD: the definition of a field that was added at run time
// - /contacts/ENTITY/FIELD: candidate pairs, one entity per law and history layout; and the order of slots of
//   the grains at the last contact search
// - /run: the state of the run of a scene, see run/save.h
//
// A readable line before it has the length and the XXH3 of the rest, see checksum.h.
//
// Invariants: a damaged or truncated file is refused before anything in it is read. The world that is read
// has the digest stored in the file, or reading fails.

#ifndef SCREE_FILE_CHECKPOINT_H
#define SCREE_FILE_CHECKPOINT_H

#include "file/hdf.h"

#include <scree/checkpoint.h>

#include <stdbool.h>

struct scree_world;

#define SCREE_CHECKPOINT_PREVIOUS ".previous" // suffix of the previous checkpoint

// A file that is open for reading.
struct scree_checkpoint {
    struct scree_hdf hdf;
    void *image;
};

// Write a world, on-step and without pending edits, into a file that was created by scree_checkpoint_begin.
SCREE_NODISCARD scree_status scree_checkpoint_begin(struct scree_hdf *hdf);
SCREE_NODISCARD scree_status scree_checkpoint_put(struct scree_hdf *hdf, const struct scree_world *world);

// Writes the checksum header into the image of the complete file.
void scree_checkpoint_checksum(void *image, size_t size);

// Checks the checksum of a file and opens it.
SCREE_NODISCARD scree_status scree_checkpoint_open(struct scree_checkpoint *checkpoint, const char *path);
void scree_checkpoint_close(struct scree_checkpoint *checkpoint);

// Fills an empty world. After a failure the world can only be destroyed.
SCREE_NODISCARD scree_status scree_checkpoint_get(struct scree_checkpoint *checkpoint,
                                                  struct scree_world *world);

#endif
