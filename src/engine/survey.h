// What the pace finds in a pass over all bodies and walls: how many there are of each material, how large,
// how fast, and how far apart.

#ifndef SCREE_ENGINE_SURVEY_H
#define SCREE_ENGINE_SURVEY_H

#include "engine/pace.h"

#include <string.h>

// The extent of what moves.
struct scree_survey_extent {
    double lower[3], upper[3];
};

struct scree_survey {
    const struct scree_collider *collider;
    const struct scree_world *world;
    struct scree_survey_extent velocity, place;
    double fall;     // largest acceleration by gravity and loads
    double crossing; // s, in which the fastest body for its size goes its radius
};

// Whether contacts of a grain bound the step.
static inline bool scree_survey_counts(const struct scree_collider *collider, const struct scree_grain *grain)
{
    return grain->radius > 0 && grain->material < collider->classes.materials && grain->material > 0;
}

static inline bool scree_survey_is_held(const struct scree_grain *grain)
{
    return (grain->flags & SCREE_FIX_PLACE) == SCREE_FIX_PLACE;
}

static inline bool scree_survey_is_still(const struct scree_grain *grain)
{
    return (grain->flags & SCREE_FIX_ALL) == SCREE_FIX_ALL;
}

// Radii from one power of two to the next fall into eight classes.
static inline uint32_t scree_survey_class(double radius)
{
    uint64_t bits;
    memcpy(&bits, &radius, sizeof bits);
    return (uint32_t)(bits >> 49);
}

// Makes the survey of the collider's world; the kinds of `pace` are filled.
SCREE_NODISCARD scree_status scree_survey_make(struct scree_pace *pace, const struct scree_collider *collider,
                                               struct scree_survey *survey);

// The largest speed that two things can close with: the diagonal of the extent of velocities.
double scree_survey_closing(const struct scree_survey *survey);

// How long a step may be that leaves one half of what the alarm of ways allows to bodies, and the other to
// walls.
double scree_survey_way(const struct scree_pace *pace, const struct scree_survey *survey);

#endif
