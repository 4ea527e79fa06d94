// A trial of a scene: its run for a moment, in a folder of its own, to tell what all of it will take.

#ifndef SCREE_CLI_FORECAST_H
#define SCREE_CLI_FORECAST_H

#include <scree/scene.h>

struct scree_forecast {
    double rate;     // steps/s
    double steps;    // of the whole run, at most, at the time step of the trial
    bool counted;    // stages say themselves how many steps they take
    double arrivals; // bodies that are to come in on the way
    bool grows;      // of so many there were too few in the trial to tell what they take
    bool may_stop;   // some stage can end earlier
    bool whole;      // the run was through before the trial was
    double seconds;  // of the whole run
    double bytes;    // on disk, of the whole run
    double memory;   // bytes that the trial took at most
    size_t contacts; // at its end
};

// The most memory that the program has had so far, kB.
long scree_forecast_resident(void);

// Runs a scene for about half a second; complains and returns false where it cannot be run. `before` is what
// the program had before there was a world.
bool scree_forecast_make(struct scree_scene *scene, int threads, long before, struct scree_forecast *trial);

#endif
