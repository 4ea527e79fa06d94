// The soft engine: explicit time steps. Laws of motion are chosen by name, for translation and for rotation;
// the points of its step are those of enum scree_point.
#ifndef SCREE_SOFT_H
#define SCREE_SOFT_H

#include <scree/alarm.h>
#include <scree/body.h>
#include <scree/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the soft engine is made from. */
struct scree_soft_def {
    double step;   /**< time step, s; 0 chooses by the contacts, which a world without any cannot. One beyond
                        what contacts bear is refused by the first run */
    double safety; /**< of a step that is chosen, as a share of the longest that is stable; 0 means 0.1 */
    const char *translation;      /**< law of motion by name; null means velocity-verlet */
    const char *rotation;         /**< law of motion of aspherical bodies; null means splitting */
    struct scree_damping damping; /**< of every body that has none of its own */
    /** 0 means all processors that the process may use. Threads wait for each other several times a step, and
     * under GNU's runtime they spin meanwhile, unless there are more of them than processors. Where other
     * programs want the processors, set OMP_WAIT_POLICY=passive before the program starts: two threads on two
     * shared processors took 1 to 2 ms for a step of 20,000 spheres, as one did, and 3 to 33 ms without it.
     * OMP_PROC_BIND=true did not help: 1.5 to 4 ms. */
    int threads;
    struct scree_alarms alarms; /**< what runs are watched for */
};

/** Makes a soft engine over `world`; `def` is not null; destroy the engine before the world. */
SCREE_NODISCARD scree_status scree_soft_create(struct scree_world *world, const struct scree_soft_def *def,
                                               struct scree_engine **engine);

/** Changes the time step (s, or 0 for one that is chosen); not inside a step. */
SCREE_NODISCARD scree_status scree_soft_set_step(struct scree_engine *engine, double step);

/** The time step that the next step will take, s, to `step`; inside a step that of the one under way. One
 * that is chosen is chosen anew every 64 steps, and where something was edited. */
SCREE_NODISCARD scree_status scree_soft_step(struct scree_engine *engine, double *step);

/** Changes the damping of all bodies that have none of their own; not inside a step. */
SCREE_NODISCARD scree_status scree_soft_set_damping(struct scree_engine *engine,
                                                    const struct scree_damping *damping);

/** The two kinds of laws of motion. */
typedef enum scree_motion_kind {
    SCREE_TRANSLATION, /**< of the centre of mass, of every body */
    SCREE_ROTATION     /**< about it, of general rigid bodies; round ones obey "spherical" */
} scree_motion_kind;

/** Name of law of motion number `index` of a kind, or null past the last. */
const char *scree_motion_name(scree_motion_kind kind, size_t index);

/** One sentence on that law, with its source; null past the last. */
const char *scree_motion_about(scree_motion_kind kind, size_t index);

#ifdef __cplusplus
}
#endif
#endif
