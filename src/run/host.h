// What the parts of a run see of it: the scene, the world, what the caller asked for, and where the run is.
// Stages, insertions, removals and records get a host; the run itself, which stands above them, fills it in.

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
    const char *folder;          // for results
    struct scree_writer *writer; // makes files in a thread of its own
    const struct scree_records *records;
    struct scree_profile profile; // the parts that are the run's own

    // when the run began, before any restart
    double began; // s
    uint64_t began_step;

    // the present stage, from 1, and when it began; 0 before the first
    size_t stage;
    double stage_start; // s
    uint64_t stage_first_step;
};

// Warns the caller, in a sentence.
static inline void scree_host_warn(const struct scree_host *host, const char *text)
{
    if (host->def->warn)
        host->def->warn(host->def->user, text);
}

#endif
