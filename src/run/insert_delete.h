// What comes into the world and what is taken out of it on the way of a run.
//
// What always holds: it happens between two steps, at step numbers divisible by 64 or at the first step that
// is not before a time, and is a function of the world and the scene; what each insertion and removal has
// moved so far is kept in rows of the world, so a restart goes on with it. Energies are booked as fed in.

#ifndef SCREE_RUN_INSERT_DELETE_H
#define SCREE_RUN_INSERT_DELETE_H

#include "run/insert.h"
#include "run/remove.h"

struct scree_schedule;
struct scree_host;
struct scree_world;

enum { SCREE_INSERT_DELETE_EVERY = 64 };

struct scree_insert_delete {
    struct scree_insert **insert; // one for each of the scene
    struct scree_remove **remove; // likewise, and then that of the bounds of the world
    size_t inserts, removes;
    size_t stages; // the row of what stages take out
};

// Reads all of it and forgets it again, to tell mistakes before a run begins; makes the groups that only
// insertions name.
SCREE_NODISCARD scree_status scree_insert_delete_try(struct scree_reading *reading,
                                                     struct scree_world *world);

// How many bodies all insertions are to let in by a time.
SCREE_NODISCARD scree_status scree_insert_delete_due(struct scree_reading *reading, struct scree_world *world,
                                                     double time, double *bodies);

// Whether a stage takes bodies out where it begins: by a region or by groups.
bool scree_insert_delete_takes(struct scree_reading *reading, const struct scree_node *stage);

// Whether bodies beyond the bounds of the world are taken out.
bool scree_insert_delete_deletes_outside(struct scree_reading *reading);

// Opens what the scene says, and puts it on the schedule; `goes_on` after a restart.
SCREE_NODISCARD scree_status scree_insert_delete_open(struct scree_insert_delete *insert_delete,
                                                      struct scree_host *host,
                                                      struct scree_schedule *schedule, bool goes_on);
void scree_insert_delete_close(struct scree_insert_delete *insert_delete);

// Takes out what a stage says.
SCREE_NODISCARD scree_status scree_insert_delete_clear(const struct scree_insert_delete *insert_delete,
                                                       struct scree_host *host,
                                                       const struct scree_node *list);

#endif
