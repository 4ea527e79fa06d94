// The collider: contact forces, tile by tile.
//
// Phase one evaluates the contacts across tiles into records of their own. Phase two takes each tile while it
// lies in the second-level cache: the contacts inside it, those with walls, the sum on every grain, and
// whatever the engine does with a body whose force is known. Nothing is evaluated twice, and no bit depends
// on the number of threads, on the tiles or on the skin.

#ifndef SCREE_ENGINE_COLLIDER_H
#define SCREE_ENGINE_COLLIDER_H

#include "detect/near.h"
#include "engine/gather.h"
#include "engine/mover.h"
#include "engine/profile.h"
#include "engine/search.h"
#include "law/interaction.h"

// What a thread works with.
struct scree_collider_scratch {
    uint32_t *candidate, *place; // near ones, and their records
    uint32_t *sorted, *sorted_place;
    uint32_t *changed;              // that came near or left
    uint32_t *ended;                // that a law is asked of for the last time
    size_t ends;                    // how many of these there are
    double *push;                   // of the contacts inside the tile at hand
    size_t room;                    // doubles there
    struct scree_kernel_wall *wall; // what the grains of the tile meet of walls
    double *wall_push;              // and how those push them
    size_t wall_records, wall_room; // records there, and doubles
    double excess;
    double spent[3]; // s, in this phase: on contacts inside tiles, on walls, and on what follows
};

struct scree_collider {
    struct scree_mover *mover;
    struct scree_world *world;
    struct scree_law_classes classes;
    struct scree_search search;
    struct scree_near_squeeze squeeze[256];
    struct scree_collider_scratch *scratch; // one for each thread
    int threads;
    struct scree_gather_rows rows;
    double *across; // records of the contacts across tiles
    size_t across_room;
    size_t width;                        // doubles in a record
    double period[3];                    // infinite where nothing repeats
    double step;                         // that contacts advance by: 0 when a state is only looked at
    double limit;                        // overlap over the smaller radius that is too much
    double excess;                       // by how much it was passed at most, m
    bool holds;                          // some bodies are held in place
    bool pushes;                         // some wall moves
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

// Phase one; contacts advance by `step`.
void scree_collider_across(struct scree_collider *collider, double step);

// Phase two; `move`: bodies go on as soon as their forces are known, between setting out and arriving.
void scree_collider_inside(struct scree_collider *collider, bool move);

// A job over the world's grains that leaves its pushes at `push`.
struct scree_kernel_job scree_collider_job(const struct scree_collider *collider,
                                           struct scree_collider_scratch *scratch, double *push);

// Lists the near ones of [at, end), part of a range that begins at `first`, at most SCREE_NEAR_CHUNK, in the
// scratch, with their records, which are numbered along the range; returns how many.
size_t scree_collider_pick(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                           size_t first, size_t at, size_t end, bool across);

// Clears the histories of those that were asked for the last time, among `history`.
void scree_collider_forget(struct scree_collider_scratch *scratch, double *history, size_t stride);

// Runs the loops of all classes over the first `count` candidates that lie in the scratch.
void scree_collider_run(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                        struct scree_kernel_job *job, const uint8_t *sort, size_t count,
                        enum scree_kernel_place where);

#endif
