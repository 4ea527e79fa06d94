// The collider: state of the contact evaluation between searches, and the batches for the kernels of contact
// laws: rows of a tile, and lists of candidates within interaction range, sorted by class.

#ifndef SCREE_CONTACT_COLLIDER_H
#define SCREE_CONTACT_COLLIDER_H

#include "contact/across.h"
#include "contact/bond_lists.h"
#include "contact/carried.h"
#include "contact/images.h"
#include "contact/interaction.h"
#include "contact/joined_walls.h"
#include "contact/outside_room.h"
#include "contact/pair_filter.h"
#include "contact/pieces.h"
#include "contact/search.h"
#include "contact/sums.h"
#include "contact/wall_bodies.h"
#include "contact/wall_wear.h"

// Parts of an evaluation whose time is measured.
enum scree_collider_part {
    SCREE_COLLIDER_ROWS,
    SCREE_COLLIDER_LISTS,
    SCREE_COLLIDER_OUTSIDE,
    SCREE_COLLIDER_WALLS,
    SCREE_COLLIDER_AFTER, // work on a block of bodies after its sums are complete
    SCREE_COLLIDER_PARTS
};

// Working memory of a thread.
struct scree_collider_scratch {
    uint32_t *candidate;                       // candidates within interaction range
    uint32_t *sorted;                          // these candidates, sorted by class
    uint32_t *interleaved;                     // candidates of one class, in order of evaluation
    uint32_t *ended;                           // contacts that end: the law is evaluated a last time
    size_t ended_count;                        // number of ended contacts
    struct scree_kernel_wall *wall;            // geometry and motion of the wall contacts of a tile
    double *wall_terms;                        // their force terms
    uint8_t *region;                           // their regions, of contacts with meshes
    struct scree_outside_batch *outside;       // contacts from outside; null without any
    size_t wall_capacity, wall_terms_capacity; // in records, in doubles
    size_t region_capacity;                    // in bytes
    size_t list_capacity;                      // of the four lists together
    double excess;                             // as in struct scree_collider
    struct scree_outside_room crowded;         // likewise
    double spent[SCREE_COLLIDER_PARTS];        // likewise
    struct scree_across across;
};

struct scree_collider {
    struct scree_world *world;
    const struct scree_team *team;
    struct scree_law_classes classes;
    struct scree_search search;
    struct scree_pair_filter_compaction compaction[256];
    struct scree_collider_scratch *scratch; // one for each thread
    int threads;
    struct scree_sums sums;
    struct scree_bond_lists bonds;
    struct scree_pieces pieces;
    struct scree_carried carried;
    struct scree_wall_wear_parts wear;
    struct scree_wall_bodies wall_bodies;
    struct scree_joined_walls joined;
    bool internal;                      // some law has couples or internal dissipation
    double period[3];                   // infinite where not periodic
    struct scree_kernel_cell cell;      // a cell with cell vectors
    bool skewed;                        // the cell has cell vectors
    double step;                        // s, by which contacts advance; 0: evaluate the state only
    double limit;                       // largest allowed overlap / smaller radius, for the alarm
    double excess;                      // largest overlap beyond that limit, m
    struct scree_outside_room crowded;  // a pair with more contacts from outside than there is room for
    bool has_fixed;                     // some bodies have a fixed position
    bool walls_move;                    // some walls move
    bool quanta_missing;                // some grains have no quantum yet
    bool measures, measure_only;        // measure forces for quanta; do only this, without sums
    bool timed;                         // measure the times of parts
    double spent[SCREE_COLLIDER_PARTS]; // s, by part, sum over threads, if timed
};

static inline struct scree_images scree_collider_images(const struct scree_collider *collider)
{
    return (struct scree_images){collider->period, collider->skewed ? &collider->cell : NULL};
}

SCREE_NODISCARD scree_status scree_collider_begin(struct scree_collider *collider, struct scree_world *world,
                                                  const struct scree_team *team);
void scree_collider_end(struct scree_collider *collider);

// Returns false if the world has neither contact laws nor bonds.
static inline bool scree_collider_has_contacts(const struct scree_collider *collider)
{
    return scree_world_has_contacts(collider->world);
}

// Returns true if the lists are out of date; measures displacements if this is not known otherwise.
bool scree_collider_needs_search(struct scree_collider *collider);

// Searches if the lists are out of date. `may_sort`: slots may change.
SCREE_NODISCARD scree_status scree_collider_search(struct scree_collider *collider, bool may_sort);

// Changes a difference of two positions, and that of their velocities, to those of the nearest images.
void scree_collider_nearest(const struct scree_collider *collider, double difference[3], double velocity[3]);

// A kernel job over grains of a tile.
struct scree_kernel_job scree_collider_job(struct scree_collider *collider,
                                           struct scree_collider_scratch *scratch, size_t tile);

// Prepares a job for the rows of a tile from `group` on, whose candidates begin at job->first. The job ends
// where the class changes, or where sums of crowded grains have to be emptied. Returns the class, and in
// `next` the first candidate after the job.
const struct scree_law_class *scree_collider_prepare_rows(const struct scree_collider *collider, size_t tile,
                                                          size_t group, struct scree_kernel_job *job,
                                                          size_t *next);

// Lists the candidates of [at, end) within interaction range in the scratch, at most SCREE_PAIR_FILTER_CHUNK;
// returns their number.
size_t scree_collider_filter(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                             size_t at, size_t end, bool across);

// Clears the histories of contacts that ended, which the law may have written; `history` is that of the list.
void scree_collider_clear_ended(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                                double *history, size_t stride);

// Interleaves a list, so that candidates of a batch are not adjacent in the list: adjacent candidates often
// share a grain, and reading its sum would wait for the preceding write.
void scree_collider_interleave(const uint32_t *candidate, size_t count, uint32_t *out);

// Runs the kernels of all classes over the first `count` candidates in the scratch.
void scree_collider_run(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                        struct scree_kernel_job *job, const uint8_t *class_of, size_t count,
                        enum scree_kernel_loop loop);

#endif
