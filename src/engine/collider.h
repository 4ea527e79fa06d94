// The collider: contact forces, tile by tile.
//
// One walk over the tiles evaluates the contacts that belong to each, those with walls too, and adds them to
// the sums of their grains. When a tile is done its bodies are complete, and while they lie in the
// second-level cache whatever the engine does with a body whose force is known is done. Nothing is evaluated
// twice, and sums have no order (sums.h), so no bit depends on the number of threads, on tiles or on the
// skin.

#ifndef SCREE_ENGINE_COLLIDER_H
#define SCREE_ENGINE_COLLIDER_H

#include "detect/near.h"
#include "engine/mover.h"
#include "engine/pieces.h"
#include "engine/profile.h"
#include "engine/search.h"
#include "engine/sums.h"
#include "law/interaction.h"

// What a thread works with.
struct scree_collider_scratch {
    uint32_t *candidate;            // near ones
    uint32_t *sorted;               // by class
    uint32_t *spread;               // of one class, in the order in which they are evaluated
    uint32_t *ended;                // that a law is asked of for the last time
    size_t ends;                    // how many of these there are
    struct scree_kernel_wall *wall; // what the grains of the tile meet of walls
    double *wall_push;              // and the terms that those give
    size_t wall_records, wall_room; // records there, and doubles
    double excess;
    double spent[4]; // s: on contacts in rows, in lists, with walls, and on what follows
};

// What becomes of a block of bodies as soon as its contacts and walls are summed, in the thread that has
// summed them. Bodies of a block are consecutive, at most SCREE_MOVER_BLOCK from a multiple of that on.
struct scree_collider_sequel {
    void *self;
    // does all of it from sums of a step, which it empties as scree_sums_take does; false: it has done
    // nothing
    bool (*whole)(void *self, struct scree_sums *sums, size_t first, size_t last);
    // whether nobody needs the forces of a block after `work`
    bool (*passes)(void *self, size_t first, size_t last);
    // `wrench`: forces of the block, those in the world unless they pass; accounts are in the world alone
    void (*work)(void *self, size_t first, size_t last, struct scree_wrench *wrench);
};

struct scree_collider {
    struct scree_mover *mover;
    struct scree_world *world;
    struct scree_law_classes classes;
    struct scree_search search;
    struct scree_near_squeeze squeeze[256];
    struct scree_collider_scratch *scratch; // one for each thread
    int threads;
    struct scree_sums sums;
    struct scree_pieces pieces;
    bool inner;                          // some law has couples or losses inside contacts
    double period[3];                    // infinite where nothing repeats
    double step;                         // that contacts advance by: 0 when a state is only looked at
    double limit;                        // overlap over the smaller radius that is too much
    double excess;                       // by how much it was passed at most, m
    bool holds;                          // some bodies are held in place
    bool pushes;                         // some wall moves
    bool unknown;                        // of some grains no quantum is known
    bool measures, tries;                // forces are measured; and nothing else is done with them
    struct scree_profile_watch *profile; // where the time goes; null where nobody asks
};

SCREE_NODISCARD scree_status scree_collider_begin(struct scree_collider *collider, struct scree_mover *mover);
void scree_collider_end(struct scree_collider *collider);

// Whether there is anything that could touch.
static inline bool scree_collider_works(const struct scree_collider *collider)
{
    return collider->world->contact_laws > 0;
}

// Makes the lists hold for what lies where now. `may_sort`: nobody holds slots.
SCREE_NODISCARD scree_status scree_collider_search(struct scree_collider *collider, bool may_sort);

// Evaluates all contacts, which advance by `step`, and what becomes of each block; null: nothing.
void scree_collider_evaluate(struct scree_collider *collider, double step,
                             const struct scree_collider_sequel *sequel);

// A job over the world's grains.
struct scree_kernel_job scree_collider_job(struct scree_collider *collider,
                                           struct scree_collider_scratch *scratch);

// Prepares a job for rows of a tile, from `group` on, whose candidates begin at job->first: as many groups as
// are of one class, and no more than crowded grains bear. Returns their class, and where the next group
// begins.
const struct scree_law_class *scree_collider_rows(const struct scree_collider *collider, size_t tile,
                                                  size_t group, struct scree_kernel_job *job, size_t *next);

// Lists the near ones of [at, end), at most SCREE_NEAR_CHUNK, in the scratch; returns how many.
size_t scree_collider_pick(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                           size_t at, size_t end, bool across);

// Clears the histories of those that were asked for the last time, among `history`.
void scree_collider_forget(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                           double *history, size_t stride);

// The order in which a list is evaluated. Neighbours in it share a grain, whose sum would be read just after
// it was written: those of a batch are taken from places far apart.
void scree_collider_spread(const uint32_t *candidate, size_t count, uint32_t *out);

// Runs the loops of all classes over the first `count` candidates that lie in the scratch.
void scree_collider_run(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                        struct scree_kernel_job *job, const uint8_t *sort, size_t count,
                        enum scree_kernel_place where);

#endif
