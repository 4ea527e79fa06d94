// The state of a world as a file, see scree/checkpoint.h: HDF5, in which
//
// - /world/ENTITY: the rows of an entity, with attributes `last` (the newest id) and `columns` (those
// present)
// - /world/ENTITY/id: ids, in order of slots
// - /world/ENTITY/FIELD: a field, a row for each; left out where all of it is zero
// - /fields/ENTITY.FIELD: what a field is that was added at run time
// - /contacts/ENTITY/FIELD: contacts that are near, in an entity for each law and what they remember of it,
// with attributes `rows` and `law`; and the grains in order of slots when contacts were last searched
// - /run: where a run of a scene was, see run/save.h
//
// Before it stands a line for people, with the length and the XXH3 of all that follows.
//
// What always holds: a file that is shorter, longer or other than it was written is refused before HDF5 sees
// it. What is read back has the digest that is kept in the file, or reading fails.

#ifndef SCREE_FILE_CHECKPOINT_H
#define SCREE_FILE_CHECKPOINT_H

#include "file/hdf.h"

#include <scree/checkpoint.h>

#include <stdbool.h>

struct scree_world;

#define SCREE_CHECKPOINT_PREVIOUS ".previous" // behind the name of the one before

// A file that is open for reading.
struct scree_checkpoint {
    struct scree_hdf hdf;
    void *image;
};

// Puts a world, in step and without edits under way, into a file that was begun by scree_checkpoint_begin.
SCREE_NODISCARD scree_status scree_checkpoint_begin(struct scree_hdf *hdf);
SCREE_NODISCARD scree_status scree_checkpoint_put(struct scree_hdf *hdf, const struct scree_world *world);

// Seals the image of the finished file.
void scree_checkpoint_checksum(void *image, size_t size);

// Opens a file, once it is found to be whole.
SCREE_NODISCARD scree_status scree_checkpoint_open(struct scree_checkpoint *checkpoint, const char *path);
void scree_checkpoint_close(struct scree_checkpoint *checkpoint);

// Fills an empty world; after a failure it is only good to be destroyed.
SCREE_NODISCARD scree_status scree_checkpoint_get(struct scree_checkpoint *checkpoint,
                                                  struct scree_world *world);

#endif
