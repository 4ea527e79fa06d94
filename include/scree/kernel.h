// Kernel: the batch loops that an engine runs over contacts, expanded around a law's `force`.
//
// A law's file ends with SCREE_KERNELS; the loops it makes load whole records of grains, eight contacts at a
// time, turn them in registers, call the law lane by lane, and leave one record of force and moment for each
// contact. They are compiled for several instruction sets, whose bits agree. C only.
#ifndef SCREE_KERNEL_H
#define SCREE_KERNEL_H

#include <scree/law.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One collidable primitive, two cache lines; a sphere's grain is its body. Contact kernels read this and
 * nothing else of a body. The first line is all that a frictionless law needs. */
struct scree_grain {
    double position[3];
    double radius;
    double velocity[3]; /**< see scree_world_level */
    double mass;
    double spin[3];      /**< angular velocity, world axes, at the level of the velocity */
    float half_kick[3];  /**< added to a mid-step velocity, predicts the on-step one */
    float half_twist[3]; /**< likewise for the spin */
    uint32_t owner;      /**< slot of the body */
    uint16_t kind;
    uint16_t material; /**< id, 0 for none */
    uint32_t flags;
    uint32_t part; /**< number of this grain within its owner, 0 for a body's own */
};

/** Slots of the two grains of a candidate, the one of lower id first. */
struct scree_pair {
    uint32_t low, high;
};

#ifdef __cplusplus
}
#endif
#endif
