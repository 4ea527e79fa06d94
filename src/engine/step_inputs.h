// Inputs of the critical step, from a pass over all bodies and walls: numbers, sizes and masses by material,
// ranges of velocity and position, and the largest acceleration.

#ifndef SCREE_ENGINE_STEP_INPUTS_H
#define SCREE_ENGINE_STEP_INPUTS_H

#include "engine/critical_step.h"
#include "engine/drift.h"

#include <string.h>

// Range of a vector over all bodies.
struct scree_step_inputs_extent {
    double lower[3], upper[3];
};

struct scree_step_inputs {
    const struct scree_collider *collider;
    const struct scree_world *world;
    struct scree_step_inputs_extent velocity, position; // in a cell with cell vectors, of fluctuations
    double acceleration;                                // largest, by gravity and loads
    double crossing; // s: shortest time in which a body moves by its radius
    double gradient; // 1/s: size of the velocity gradient of the cell
    double largest;  // radius, m
};

// Returns true if contacts of a grain can bound the step.
static inline bool scree_step_inputs_can_touch(const struct scree_collider *collider,
                                               const struct scree_grain *grain)
{
    return grain->radius > 0 && grain->material < collider->classes.materials && grain->material > 0;
}

// Returns true if the position is fixed, or all degrees of freedom are.
static inline bool scree_step_inputs_is_fixed(const struct scree_grain *grain)
{
    return (grain->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION;
}

static inline bool scree_step_inputs_is_fully_fixed(const struct scree_grain *grain)
{
    return (grain->flags & SCREE_FIX_ALL) == SCREE_FIX_ALL;
}

// The size class of a radius: eight classes per power of two.
static inline uint32_t scree_step_inputs_class(double radius)
{
    uint64_t bits;
    memcpy(&bits, &radius, sizeof bits);
    return (uint32_t)(bits >> 49);
}

// Collects the inputs from the collider's world, and fills the materials of `critical`.
SCREE_NODISCARD scree_status scree_step_inputs_make(struct scree_critical_step *critical,
                                                    const struct scree_collider *collider,
                                                    struct scree_step_inputs *inputs);

// An upper bound of the closing speed of any two bodies or walls: the diagonal of the range of velocities,
// and the mean motion over the largest distance of bodies in contact.
double scree_step_inputs_closing_speed(const struct scree_step_inputs *inputs);

// The longest step in which bodies and walls each move by at most half of the limit of displacement: in radii
// of bodies, and in thicknesses of meshes and roundings of polyhedra where these are less; and in which the
// cell is strained by no more than SCREE_DRIFT_STRAIN.
double scree_step_inputs_displacement_step(const struct scree_critical_step *critical,
                                           const struct scree_step_inputs *inputs);

#endif
