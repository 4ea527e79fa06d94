// Servos: walls that are moved so that they push bodies with a force that is given.
//
// A servo rules all walls of a group together. They move along one direction with one velocity, which is set
// anew every few steps from the force with which they push at the end of the step; across that direction, and
// as they turn, they move as they were told. A servo is state of the world: digests hold it, and a run that
// is restarted goes on with it.
//
// In n steps of h s, walls of velocity v that were of velocity u push bodies that stand still with a force
// that is larger by C (v - u), at once, and by K v n h, in the end: C are the dashpots of all that touches,
// and K its stiffnesses, along the direction. So v = (gain (force - measured) + C u) / (C + K n h) makes up
// for that share of what lacks; since bodies give way, it is less. Where nothing touches the walls go as fast
// as they may. Walls that have to keep moving at v to hold their force are off by measured - force =
// -K v n h / gain: more, where they are pushed back.
#ifndef SCREE_SERVO_H
#define SCREE_SERVO_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** What a servo is made from. */
struct scree_servo_def {
    scree_group_id group; /**< whose walls it moves */
    double direction[3];  /**< of any length but 0: along it they push */
    double force;         /**< N, with which they push bodies along the direction, together; 0 for none */
    double velocity;      /**< the largest, m/s; positive */
    double gain;          /**< share of what lacks that is made up for at once, in (0, 1]; 0 means 0.5 */
    double tolerance;     /**< the walls stand still where the force is within this share of what it should
                               be; in [0, 1) */
    unsigned every;       /**< steps: it acts in those that are divisible by it; 0 means 1 */
};

/** A servo, and what it last did. */
struct scree_servo_state {
    struct scree_servo_def def; /**< with the direction of unit length, and what was left out filled in */
    double measured;            /**< N, the force when it last acted in this process */
    double velocity;            /**< m/s, along the direction, from then on */
};

/** Gives a group a servo from now on, in place of one that it has. */
SCREE_NODISCARD scree_status scree_servo_set(struct scree_world *world, const struct scree_servo_def *def);

/** Takes the servo of a group away; its walls keep the velocity that they have. */
SCREE_NODISCARD scree_status scree_servo_remove(struct scree_world *world, scree_group_id group);

/** Copies the servo of a group to `state`, not null; a group without one is an error. */
SCREE_NODISCARD scree_status scree_servo_get(const struct scree_world *world, scree_group_id group,
                                             struct scree_servo_state *state);

/** Number of servos. */
size_t scree_servo_count(const struct scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
