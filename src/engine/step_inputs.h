// What the pace finds in a pass over all bodies and walls: how many there are of each material, how large,
// how fast, and how far apart.

#ifndef SCREE_ENGINE_STEP_INPUTS_H
#define SCREE_ENGINE_STEP_INPUTS_H

#include "engine/critical_step.h"

#include <string.h>

// The extent of what moves.
struct scree_step_inputs_extent {
    double lower[3], upper[3];
};

struct scree_step_inputs {
    const struct scree_collider *collider;
    const struct scree_world *world;
    struct scree_step_inputs_extent velocity, place;
    double fall;     // largest acceleration by gravity and loads
    double crossing; // s, in which the fastest body for its size goes its radius
};

// Whether contacts of a grain bound the step.
static inline bool scree_step_inputs_counts(const struct scree_collider *collider,
                                            const struct scree_grain *grain)
{
    return grain->radius > 0 && grain->material < collider->classes.materials && grain->material > 0;
}

static inline bool scree_step_inputs_is_fixed(const struct scree_grain *grain)
{
    return (grain->flags & SCREE_FIX_PLACE) == SCREE_FIX_PLACE;
}

static inline bool scree_step_inputs_is_still(const struct scree_grain *grain)
{
    return (grain->flags & SCREE_FIX_ALL) == SCREE_FIX_ALL;
}

// Radii from one power of two to the next fall into eight classes.
static inline uint32_t scree_step_inputs_class(double radius)
{
    uint64_t bits;
    memcpy(&bits, &radius, sizeof bits);
    return (uint32_t)(bits >> 49);
}

// Makes the survey of the collider's world; the kinds of `pace` are filled.
SCREE_NODISCARD scree_status scree_step_inputs_make(struct scree_critical_step *critical,
                                                    const struct scree_collider *collider,
                                                    struct scree_step_inputs *inputs);

// The largest speed that two things can close with: the diagonal of the extent of velocities.
double scree_step_inputs_closing(const struct scree_step_inputs *inputs);

// How long a step may be that leaves one half of what the alarm of ways allows to bodies, and the other to
// walls.
double scree_step_inputs_displacement_step(const struct scree_critical_step *critical,
                                           const struct scree_step_inputs *inputs);

#endif
