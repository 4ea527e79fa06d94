// Checkpoints: the whole state of a world in a file, from which it goes on to the last bit as if nothing had
// happened, on any number of threads and in any build.
#ifndef SCREE_CHECKPOINT_H
#define SCREE_CHECKPOINT_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a checkpoint tells of itself. */
struct scree_checkpoint_facts {
    char version[32]; /**< of the Scree that wrote it */
    char title[128];  /**< of the scene, empty where there was none */
    double time;      /**< of the world, s */
    uint64_t steps;   /**< since the world was made */
    int dimension;
    uint64_t bodies, walls, contacts;
    struct scree_digest digest; /**< of the world */
};

/** Writes the state of `world`, in step, to a file at `path`: the file is there as a whole, and safe on the
 * disk, or a failure says why, and what was at `path` is still there. Edits under way are ended. Of loads
 * that are functions it is kept that there are such. */
SCREE_NODISCARD scree_status scree_checkpoint_write(struct scree_world *world, const char *path);

/** Reads the state in `path` into `world`, which was just made: its bodies, walls, materials, rules, time,
 * and what its contacts remember. Contact laws of your own are added before, and loads that are functions
 * after, in their old order; a run is refused while one is missing. An engine made over it with the
 * definition of the one before goes on as that would have. A file that is not whole is a failure. After a
 * failure `world` can only be destroyed. */
SCREE_NODISCARD scree_status scree_checkpoint_read(struct scree_world *world, const char *path);

/** What the file at `path` tells of itself, into `facts`, not null, once it is found to be whole. */
SCREE_NODISCARD scree_status scree_checkpoint_info(const char *path, struct scree_checkpoint_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
