// Loads: forces and moments that act on bodies at point 45 of every step, added in order of registration.
#ifndef SCREE_LOAD_H
#define SCREE_LOAD_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** What a user's load is told of some bodies, and where it adds what it wants; arrays of `count`, borrowed.
 */
struct scree_load_batch {
    double time;                    /**< s, the instant at which the load is wanted */
    size_t count;                   /**< bodies in this batch */
    const scree_body_id *id;        /**< which bodies */
    const double *mass;             /**< kg */
    const double (*position)[3];    /**< m */
    const double (*orientation)[4]; /**< unit quaternions; (1, 0, 0, 0) where not integrated */
    const double (*velocity)[3];    /**< m/s, predicted at `time` */
    const double (*spin)[3];        /**< rad/s, world axes, predicted at `time` */
    double (*force)[3];             /**< N; add to it */
    double (*moment)[3];            /**< N m, world axes; add to it */
};

/** A user's load: a function of time and of the state of each body alone; other than OK ends the run. It must
 * not change the world; bodies and loads can neither come nor go meanwhile. */
typedef scree_status scree_load_function(void *user, const struct scree_load_batch *batch);

/** What a load is made from: a constant force and moment, or a function. */
struct scree_load_def {
    scree_body_id body;            /**< on which body; value 0 means on all */
    double force[3];               /**< constant force, N */
    double moment[3];              /**< constant moment, N m, world axes */
    scree_load_function *function; /**< a user's load, or null */
    void *user;                    /**< handed to `function`; stays the caller's */
    bool threaded;                 /**< `function` may be called for several batches at once */
};

/** Adds a load; `id` (not null) receives its name for this world. Between steps it acts from this instant on,
 * inside a step from the next evaluation of forces on. */
SCREE_NODISCARD scree_status scree_load_add(struct scree_world *world, const struct scree_load_def *def,
                                            scree_load_id *id);

/** Gives bodies, each by itself, this constant force (N) and moment (N m, world axes) in place of all
 * constant loads that they have; zeros take those away. Loads on all bodies, and functions, stay. It acts as
 * an added load does. */
SCREE_NODISCARD scree_status scree_load_set(struct scree_world *world, const scree_body_id *body,
                                            size_t bodies, const double force[3], const double moment[3]);

/** Removes a load; likewise. */
SCREE_NODISCARD scree_status scree_load_remove(struct scree_world *world, scree_load_id id);

#ifdef __cplusplus
}
#endif
#endif
