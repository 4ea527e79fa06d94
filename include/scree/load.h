// Loads: forces and moments on bodies, evaluated at point 45 of every step in order of registration.
#ifndef SCREE_LOAD_H
#define SCREE_LOAD_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Input and output of a load function for some bodies; borrowed arrays of length `count`. */
struct scree_load_batch {
    double time;                    /**< s, the time at which the load is evaluated */
    size_t count;                   /**< number of bodies in this batch */
    const scree_body_id *id;        /**< of the bodies */
    const double *mass;             /**< kg */
    const double (*position)[3];    /**< m */
    const double (*orientation)[4]; /**< unit quaternions; (1, 0, 0, 0) if not integrated */
    const double (*velocity)[3];    /**< m/s, predicted at `time` */
    const double (*spin)[3];        /**< rad/s, world axes, predicted at `time` */
    double (*force)[3];             /**< N; add the load here */
    double (*moment)[3];            /**< N m, world axes; add the load here */
};

/** A user's load. The load on a body may depend only on the time and the state of this body. Any result but
 * SCREE_OK ends the run. The function must not change the world, nor add or remove bodies or loads. */
typedef scree_status scree_load_function(void *user, const struct scree_load_batch *batch);

/** Definition of a load: a constant force and moment, or a function. */
struct scree_load_def {
    scree_body_id body;            /**< the loaded body; value 0 means all */
    double force[3];               /**< constant force, N */
    double moment[3];              /**< constant moment, N m, world axes */
    scree_load_function *function; /**< a user's load, or null */
    void *user;                    /**< passed to `function`; owned by the caller */
    bool threaded;                 /**< `function` may be called by several threads at once */
};

/** Adds a load; `id` (not null) receives its id. A load added between steps acts at once, one added inside a
 * step from the next force evaluation on. */
SCREE_NODISCARD scree_status scree_load_add(struct scree_world *world, const struct scree_load_def *def,
                                            scree_load_id *id);

/** Replaces all constant loads of each given body by this force (N) and moment (N m, world axes); zeros
 * remove them. Loads on all bodies and load functions stay. The change takes effect like an added load. */
SCREE_NODISCARD scree_status scree_load_set(struct scree_world *world, const scree_body_id *body,
                                            size_t bodies, const double force[3], const double moment[3]);

/** Removes a load; takes effect like an added load: at once, or from the next force evaluation on. */
SCREE_NODISCARD scree_status scree_load_remove(struct scree_world *world, scree_load_id id);

#ifdef __cplusplus
}
#endif
#endif
