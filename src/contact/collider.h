// The collider: what evaluating contacts needs between searches, and the batches that the loops of laws are
// run over: rows of a tile, lists of candidates that are near, and whatever else is listed by class.

#ifndef SCREE_CONTACT_COLLIDER_H
#define SCREE_CONTACT_COLLIDER_H

#include "contact/carried.h"
#include "contact/interaction.h"
#include "contact/pair_filter.h"
#include "contact/pieces.h"
#include "contact/search.h"
#include "contact/sums.h"

// What the time of an evaluation is spent on.
enum scree_collider_part {
    SCREE_COLLIDER_ROWS,
    SCREE_COLLIDER_LISTS,
    SCREE_COLLIDER_WALLS,
    SCREE_COLLIDER_AFTER, // what follows the sums of a block
    SCREE_COLLIDER_PARTS
};

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
    double spent[SCREE_COLLIDER_PARTS];
};

struct scree_collider {
    struct scree_world *world;
    const struct scree_team *team;
    struct scree_law_classes classes;
    struct scree_search search;
    struct scree_pair_filter_squeeze squeeze[256];
    struct scree_collider_scratch *scratch; // one for each thread
    int threads;
    struct scree_sums sums;
    struct scree_pieces pieces;
    struct scree_carried carried;
    bool internal;                      // some law has couples or losses inside contacts
    double period[3];                   // infinite where nothing repeats
    double step;                        // that contacts advance by: 0 when a state is only looked at
    double limit;                       // overlap over the smaller radius that is too much
    double excess;                      // by how much it was passed at most, m
    bool has_fixed;                     // some bodies are held in place
    bool pushes;                        // some wall moves
    bool unknown;                       // of some grains no quantum is known
    bool measures, tries;               // forces are measured; and nothing else is done with them
    bool timed;                         // somebody asks where the time of an evaluation goes
    double spent[SCREE_COLLIDER_PARTS]; // s, by part, of all threads, where it is timed
};

SCREE_NODISCARD scree_status scree_collider_begin(struct scree_collider *collider, struct scree_world *world,
                                                  const struct scree_team *team);
void scree_collider_end(struct scree_collider *collider);

// Whether there is anything that could touch.
static inline bool scree_collider_works(const struct scree_collider *collider)
{
    return collider->world->contact_laws > 0;
}

// Whether the lists do not hold for what lies where now, and makes them hold. `may_sort`: nobody holds slots.
bool scree_collider_must_search(const struct scree_collider *collider);
SCREE_NODISCARD scree_status scree_collider_search(struct scree_collider *collider, bool may_sort);

// A job over the world's grains.
struct scree_kernel_job scree_collider_job(struct scree_collider *collider,
                                           struct scree_collider_scratch *scratch);

// Prepares a job for rows of a tile, from `group` on, whose candidates begin at job->first: as many groups as
// are of one class, and no more than crowded grains bear. Returns their class, and where the next group
// begins.
const struct scree_law_class *scree_collider_rows(const struct scree_collider *collider, size_t tile,
                                                  size_t group, struct scree_kernel_job *job, size_t *next);

// Lists the near ones of [at, end), at most SCREE_PAIR_FILTER_CHUNK, in the scratch; returns how many.
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
                        struct scree_kernel_job *job, const uint8_t *class_of, size_t count,
                        enum scree_kernel_place where);

#endif
