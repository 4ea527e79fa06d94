// Insertion and deletion of bodies during a run.
//
// Invariants: bodies are inserted and deleted between two steps, at step numbers divisible by 64 or at the
// first step at or after a given time. The result depends only on the world and the scene. The world
// stores the counts of each insertion and removal (measure/tally.h), so a restart continues them. The
// energies of these bodies are energy input in the ledger.

#ifndef SCREE_RUN_INSERT_DELETE_H
#define SCREE_RUN_INSERT_DELETE_H

#include "build/build.h"
#include "language/reading.h"
#include "pack/free_region.h"
#include "pack/sizes.h"

struct scree_removal;
struct scree_schedule;
struct scree_host;
struct scree_world;

// --- insertion of bodies at a given rate, where there is free space
//
// Sizes and positions are functions of the seed, the number of the body and the step number. Bodies are
// inserted in order, each at the first of a limited number of random positions where it overlaps no other
// body. If it fits at none of them, it is tried again later with the same size. So the inserted amount
// exceeds the due amount by at most one body, and is smaller only if bodies did not fit.

struct scree_insert {
    const struct scree_node *map;
    size_t row; // of the tally
    struct scree_sizes sizes;
    struct scree_build_template template;
    struct scree_free_region free_region;  // for a flat opening, its region is the bounding box
    bool flat;                             // inserted through a flat opening, a rectangle or a disk
    bool round;                            // the opening is a disk
    double centre[3], axis[2][3], half[2]; // of the opening; half: its half widths along the axes, m
    bool by_mass;
    double rate;        // kg/s or 1/s
    double from, until; // s
    double mass;        // total mass at which insertion ends, kg
    uint64_t count;     // number of bodies at which it ends
    uint64_t seed;
    bool warned; // that free space is missing
};

// Reads an entry of the scene; errors become diagnostics.
SCREE_NODISCARD scree_status scree_insert_read(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map, struct scree_insert *insert);

// Inserts the bodies that are due.
SCREE_NODISCARD scree_status scree_insert_act(void *self, struct scree_host *host);

// Computes how many bodies are due by a time: rate * (time - from), divided by the mean mass of a body for a
// mass rate.
SCREE_NODISCARD scree_status scree_insert_due(const struct scree_insert *insert,
                                              const struct scree_world *world, double time, double *bodies);

// Removes a body, and counts it in a row of the tally.
SCREE_NODISCARD scree_status scree_insert_delete_remove(struct scree_world *world, size_t row,
                                                        scree_body_id id);

// --- all insertions and removals of a scene

enum { SCREE_INSERT_DELETE_EVERY = 64 };

struct scree_insert_delete {
    struct scree_insert **insert;  // one for each entry of the scene
    struct scree_removal **remove; // one for each entry, then one for bodies outside of the world's box
    size_t inserts, removes;
    size_t stage_row; // of the tally, for removals by stages
};

// Reads all entries to report errors before a run, and discards them; creates the groups that only
// insertions use.
SCREE_NODISCARD scree_status scree_insert_delete_check(struct scree_reading *reading,
                                                       struct scree_world *world);

// Computes how many bodies all insertions should have inserted by a time.
SCREE_NODISCARD scree_status scree_insert_delete_expected(struct scree_reading *reading,
                                                          struct scree_world *world, double time,
                                                          double *bodies);

// Returns true if a stage removes bodies at its start, by a region or by groups.
bool scree_insert_delete_stage_removes(struct scree_reading *reading, const struct scree_node *stage);

// Returns true if the scene removes bodies outside of the world's box.
bool scree_insert_delete_deletes_outside(struct scree_reading *reading);

// Reads the insertions and removals of the scene and schedules them; `restarted` after a restart.
SCREE_NODISCARD scree_status scree_insert_delete_open(struct scree_insert_delete *insert_delete,
                                                      struct scree_host *host,
                                                      struct scree_schedule *schedule, bool restarted);
void scree_insert_delete_close(struct scree_insert_delete *insert_delete);

// Removes the bodies that the key `remove` of a stage lists.
SCREE_NODISCARD scree_status scree_insert_delete_apply_stage(const struct scree_insert_delete *insert_delete,
                                                             struct scree_host *host,
                                                             const struct scree_node *list);

#endif
