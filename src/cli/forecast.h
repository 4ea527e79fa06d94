// Trial run of a scene: runs it for a moment in a temporary folder, to estimate the cost of the whole run.

#ifndef SCREE_CLI_FORECAST_H
#define SCREE_CLI_FORECAST_H

#include <scree/scene.h>

struct scree_forecast {
    double rate;     // steps/s
    double steps;    // maximum of the whole run, with the time step of the trial
    bool counted;    // all stages give their number of steps
    double arrivals; // bodies that will be inserted during the run
    bool grows;      // too few of these existed in the trial for an estimate: values are lower bounds
    bool may_stop;   // some stage can end early
    bool whole;      // the run finished within the trial
    double seconds;  // of the whole run
    double bytes;    // disk space of the whole run
    double memory;   // peak memory, bytes
    size_t contacts; // at the end of the trial
};

// Peak resident memory of the program so far, kB.
long scree_forecast_resident(void);

// Runs a scene for about half a second; prints an error and returns false if it cannot run. `before` is the
// peak memory before the world was built.
bool scree_forecast_make(struct scree_scene *scene, int threads, long before, struct scree_forecast *trial);

#endif
