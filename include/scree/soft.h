// The soft engine: explicit time integration. Integration schemes for translation and rotation are selected
// by name; the points of a step are those of enum scree_point.
#ifndef SCREE_SOFT_H
#define SCREE_SOFT_H

#include <scree/alarm.h>
#include <scree/body.h>
#include <scree/engine.h>
#include <scree/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Safety factor of the automatic time step, unless another one is given; docs/theory/time-step.md has the
 * measurements. */
#define SCREE_SOFT_SAFETY 0.2

/** Definition of a soft engine. */
struct scree_soft_def {
    double step;   /**< time step, s; 0: automatic, from the critical time step, which needs a world that can
                        have contacts. A step below 2^-52 of the time of the world, which could not advance
                        it, is refused when the engine is created; an unstable step is refused by the first
                        run */
    double safety; /**< of an automatic step: safety factor on the critical time step, from 1e-9 to 1; 0 means
                    SCREE_SOFT_SAFETY */
    const char *translation;      /**< integration scheme by name; null means velocity-verlet */
    const char *rotation;         /**< integration scheme of general rigid bodies; null means splitting */
    struct scree_damping damping; /**< of all bodies without own damping */
    /** Number of threads; 0: all processors available to the process. All engines of a program share one
     * thread team. While one engine uses it, an engine that another thread of the program advances uses only
     * that thread. The team starts when a step has enough work for it, and sleeps while it waits. After a
     * fork the child has its own team. If other programs compete for the processors, a run temporarily
     * falls back to one thread. */
    int threads;
    struct scree_alarms alarms; /**< alarm settings of runs */
};

/** Creates a soft engine for `world`; `def` is not null. Destroy the engine before the world. */
SCREE_NODISCARD scree_status scree_soft_create(struct scree_world *world, const struct scree_soft_def *def,
                                               struct scree_engine **engine);

/** Sets the safety factor of an automatic step, see struct scree_soft_def; not inside a step. It takes effect
 * when the step is next updated. */
SCREE_NODISCARD scree_status scree_soft_set_safety(struct scree_engine *engine, double safety);

#ifdef __cplusplus
}
#endif
#endif
