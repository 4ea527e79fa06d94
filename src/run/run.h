// Running a scene that has been built, see scree/scene.h: its stages one after the other, and what is kept on
// the way.

#ifndef SCREE_RUN_RUN_H
#define SCREE_RUN_RUN_H

#include "file/writer.h"
#include "language/reading.h"
#include "measure/column.h"
#include "run/agenda.h"
#include "run/record.h"
#include "run/stage.h"
#include "run/traffic.h"

#include <scree/profile.h>
#include <scree/scene.h>
#include <scree/world.h>

struct scree_save;

// A run under way. Everything here but the reports follows from the scene, the world, and what a checkpoint
// keeps: when the run began, and the stage.
struct scree_run {
    struct scree_reading *reading;
    struct scree_world *world;
    struct scree_engine *engine;
    const struct scree_run_def *def;
    const struct scree_save *from; // that it goes on from, null for a new one
    struct scree_digest first;     // of the world then
    const char *folder;            // for results
    double began;                  // s
    uint64_t began_step;
    struct scree_agenda agenda;
    struct scree_traffic traffic;
    struct scree_records records;
    bool opened;                 // all of them have begun
    bool ended;                  // by whoever is told how far it is
    struct scree_stage stage;    // the present one
    struct scree_writer *writer; // makes files in a thread of its own
    struct scree_progress progress;
    uint64_t chunk;                              // steps at a time, for a tenth of a second
    double seen;                                 // s on the wall, when it was last told how far it is
    uint64_t seen_step;                          // at that moment
    double told;                                 // s that it took to tell
    struct scree_gauge gauge[SCREE_COLUMN_MOST]; // that reports are to tell
    double value[SCREE_COLUMN_MOST];
    struct scree_profile profile; // the parts that are the run's own
};

// Tells what there is to worry about, in a sentence.
void scree_run_warn(const struct scree_run *run, const char *text);

// `from` is what a checkpoint keeps of the run that goes on, null for a new one.
SCREE_NODISCARD scree_status scree_run(struct scree_reading *reading, struct scree_world *world,
                                       struct scree_engine *engine, const struct scree_run_def *def,
                                       const struct scree_save *from);

#endif
