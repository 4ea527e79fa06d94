// Estimates for a stage that its critical step depends on: speeds, times of fall, the stress in the bed, and
// contacts per body.

#ifndef SCREE_SCENE_ESTIMATES_H
#define SCREE_SCENE_ESTIMATES_H

#include "language/reading.h"

struct scree_world;

// A low and a high estimate.
struct scree_estimates_range {
    double low, high;
};

struct scree_estimates {
    double bodies;    // free bodies, with those inserted until the end of the stage
    double mean;      // free bodies, mean over the stage
    bool has_gravity; // along some axis that is not periodic, and something below the bodies holds them
    double first_in_bed, last_in_bed;          // time until the first and until the last body is in a bed, s
    struct scree_estimates_range closing;      // closing speed, m/s
    double fastest;                            // largest speed of a body, m/s
    struct scree_estimates_range stress;       // in the bed, N/m^2; in two dimensions N/m
    struct scree_estimates_range coordination; // contacts of the body with the shortest critical step
    struct scree_estimates_range contacts;     // in the whole bed
};

// `time` is the time from the start of the run to the start of the stage, and `duration` that of the stage;
// `viscous` is the coefficient of viscous damping, 1/s.
SCREE_NODISCARD scree_status scree_estimates_find(struct scree_reading *reading, struct scree_world *world,
                                                  double viscous, double time, double duration,
                                                  struct scree_estimates *estimates);

// Adds the smallest and the largest body of each insertion to the world.
SCREE_NODISCARD scree_status scree_estimates_add_inserts(struct scree_reading *reading,
                                                         struct scree_world *world);

#endif
