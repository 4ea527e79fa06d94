// Servos: force-controlled walls.
//
// A servo controls all walls of a group. They move along one direction with a common velocity, which is
// updated every few steps from the total force of the walls on bodies at the end of the step. Velocities in
// other directions and spins stay as prescribed. A servo is part of the state of the world: digests and
// checkpoints include it.
//
// Let C be the sum of the dashpots and K the sum of the stiffnesses of all contacts of the walls along the
// direction, u and v the velocities before and after an update. Between updates velocities are constant; at
// an update the walls have the extrapolated velocity w = v + (v - u) / 2 of the last one. The velocity
// v = (gain (force - measured) + C (w + u / 2)) / (3 C / 2 + K n h) for the next n steps of h s corrects the
// fraction `gain` of the force error per update, or less, because bodies yield. Without contacts the walls
// move at the largest velocity. Walls that must keep moving at v have a steady error
// measured - force = -K v n h / gain, which is positive if they are pushed back.
//
// A servo can also turn its walls, each about the axis through its pivot along the direction, with a common
// spin, until their total moment on bodies about these axes has a given value. The rule is the same with
// moments, spins, and stiffnesses and dashpots of the rotation.
//
// A servo with a stress follows the size of the sample: at each update its force is the stress times the area
// between the other walls at that time, or the area that a function gives.
#ifndef SCREE_SERVO_H
#define SCREE_SERVO_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Definition of a servo. */
struct scree_servo_def {
    scree_group_id group; /**< the controlled walls */
    double direction[3];  /**< of the motion, of any length but 0 */
    double force;  /**< N, target of the total force of the walls on bodies along the direction; may be 0 */
    double stress; /**< Pa (N/m in two dimensions), instead of a force: the target is this times the present
                        area, see scree_servo_area; 0 for none */
    double moment; /**< N m, target of the moment of the walls on bodies about `direction` if they turn */
    bool turns;    /**< the walls turn about `direction` until their moment is `moment`, instead of moving
                        along it; without force and stress */
    bool area_by_function; /**< a function gives the area: call scree_servo_set_area before running */
    double velocity;       /**< largest speed of the walls, m/s (rad/s if they turn); 0: at the first update
                                such that they move by at most 1e-4 times the smallest radius in a step */
    double gain;           /**< fraction of the force error corrected per update, in (0, 1]; 0 means 0.5 */
    double tolerance;      /**< the walls stop while the relative force error is at most this; in [0, 1) */
    unsigned every;        /**< steps between updates: at step numbers divisible by it; 0 means 1 */
};

/** A copy of a servo and its last update. */
struct scree_servo_state {
    struct scree_servo_def def; /**< with unit direction and defaults filled in */
    double target;              /**< N or N m, required at the last update */
    double measured;            /**< N or N m, at the last update in this process */
    double velocity;            /**< m/s or rad/s, along the direction, since the last update */
};

/** Sets the servo of a group; replaces an existing one. */
SCREE_NODISCARD scree_status scree_servo_set(struct scree_world *world, const struct scree_servo_def *def);

/** The area on which the walls of a group act along a direction: the cross-section of the space between the
 * other walls, m^2 (m in two dimensions), into `area`, not null. These are opposite planes or rectangles or
 * faces of a box inside, all parallel to the direction, where a period of the cell counts as a pair, or a
 * cylinder along the direction. Refused if they do not enclose a cross-section. */
SCREE_NODISCARD scree_status scree_servo_area(const struct scree_world *world, scree_group_id group,
                                              const double direction[3], double *area);

/** Computes the area on which a servo with a stress acts, m^2 (m in two dimensions), into `area`, at an
 * update within a step, from point 60 on. It may measure the world but not change it, and must depend on the
 * world only; then restarts continue bit for bit. A failure ends the run. */
typedef scree_status scree_servo_area_function(void *user, struct scree_world *world, double *area);

/** Definition of an area by a function. */
struct scree_servo_area_def {
    scree_servo_area_function *function;
    void *user;                  /**< passed to `function` */
    void (*release)(void *user); /**< called when the function is no longer used; null for nothing */
};

/** Sets the function of a servo that was defined with `area_by_function`; replaces a present one. An area
 * that is not positive and finite ends the run. A checkpoint does not contain the function: set it again
 * before running. If the call fails `release` is not called. */
SCREE_NODISCARD scree_status scree_servo_set_area(struct scree_world *world, scree_group_id group,
                                                  const struct scree_servo_area_def *def);

/** Removes the servo of a group; its walls keep their velocity. */
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
