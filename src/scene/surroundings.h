// What the critical step of a stage depends on besides stiffness: how fast bodies become, how high they
// fall, how heavy the bed is that they form, and how many contacts a body has in it. All are estimates.

#ifndef SCREE_SCENE_SURROUNDINGS_H
#define SCREE_SCENE_SURROUNDINGS_H

#include "language/reading.h"

struct scree_soft;
struct scree_world;

// An estimate from below and one from above.
struct scree_surroundings_range {
    double low, high;
};

struct scree_surroundings {
    double bodies;          // free bodies, with those inserted until the end of the run
    double mean;            // free bodies, mean over the stage
    bool has_gravity;       // along some axis that is not periodic, and something below the bodies holds them
    double earliest, loose; // s: until the first body can be in a bed, and until the last one is
    struct scree_surroundings_range closing;      // closing speed, m/s
    double fastest;                               // body, m/s
    struct scree_surroundings_range stress;       // in the bed, N/m^2; in two dimensions N/m
    struct scree_surroundings_range coordination; // contacts of the body with the shortest critical step
    struct scree_surroundings_range contacts;     // in the whole bed
};

// `time` is the time from the start of the run to the start of the stage, and `duration` that of the stage.
SCREE_NODISCARD scree_status scree_surroundings_find(struct scree_reading *reading, struct scree_soft *soft,
                                                     double time, double duration,
                                                     struct scree_surroundings *surroundings);

// Adds the smallest and the largest body of each insertion to the world.
SCREE_NODISCARD scree_status scree_surroundings_add_inserts(struct scree_reading *reading,
                                                            struct scree_world *world);

#endif
