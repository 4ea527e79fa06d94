// Checkpoints: the complete state of a world in a file. A restart from it gives the same bits as an
// uninterrupted run, on any number of threads and in any build.
#ifndef SCREE_CHECKPOINT_H
#define SCREE_CHECKPOINT_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Header of a checkpoint. */
struct scree_checkpoint_facts {
    char version[32]; /**< of the Scree version that wrote it */
    char title[128];  /**< of the scene, empty if there was none */
    char engine[32];  /**< name of the engine that the world had, empty for none */
    double time;      /**< of the world, s */
    uint64_t steps;   /**< since the world was created */
    int dimension;
    uint64_t bodies, walls, contacts;
    struct scree_digest digest; /**< of the world */
};

/** Writes the on-step state of `world` to the file `path`. The write is atomic and synced to the disk: after
 * a failure an existing file at `path` is unchanged. Ends open edits. For function loads only their existence
 * is stored. */
SCREE_NODISCARD scree_status scree_checkpoint_write(struct scree_world *world, const char *path);

/** Reads the checkpoint `path` into `world`, which must be newly created: bodies, walls, materials, rules,
 * time and contact history. Register own contact laws before this call and add function loads after it, in
 * their previous order; a run is refused while one is missing. An engine created with the same definition as
 * the previous one continues the run. Fails for an incomplete or damaged file; after a failure `world` can
 * only be destroyed. */
SCREE_NODISCARD scree_status scree_checkpoint_read(struct scree_world *world, const char *path);

/** Verifies the file `path` and copies its header to `facts`, not null. */
SCREE_NODISCARD scree_status scree_checkpoint_info(const char *path, struct scree_checkpoint_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
