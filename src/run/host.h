// The part of a run that its stages, insertions, removals and records can see: the scene, the world, the
// definition given by the caller, and the current stage. run.c fills it in.

#ifndef SCREE_RUN_HOST_H
#define SCREE_RUN_HOST_H

#include "file/writer.h"
#include "language/reading.h"

#include <scree/profile.h>
#include <scree/run.h>
#include <scree/world.h>

struct scree_records;

struct scree_host {
    struct scree_reading *reading;
    struct scree_world *world;
    const struct scree_run_def *def;
    const char *folder;          // of the results
    bool check_only;             // only check whether the records can be written: take no locks
    struct scree_writer *writer; // writes files in its own thread
    const struct scree_records *records;
    struct scree_profile profile; // only the parts of the run, not those of the engine

    // start of the run, before any restart
    double run_start; // s
    uint64_t run_first_step;

    // number of the current stage, from 1, and its start; 0 before the first
    size_t stage;
    double stage_start; // s
    uint64_t stage_first_step;
};

// Calls the warning callback.
static inline void scree_host_warn(const struct scree_host *host, const char *text)
{
    if (host->def->warn)
        host->def->warn(host->def->user, text);
}

#endif
