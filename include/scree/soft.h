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

/** Sets the time step (s, or 0 for automatic); not inside a step. */
SCREE_NODISCARD scree_status scree_soft_set_step(struct scree_engine *engine, double step);

/** Sets the safety factor of an automatic step, see struct scree_soft_def; not inside a step. It takes effect
 * when the step is next updated. */
SCREE_NODISCARD scree_status scree_soft_set_safety(struct scree_engine *engine, double safety);

/** Returns the time step of the next step, s, in `step`; inside a step, that of the current step. An
 * automatic step is updated every 64 steps and after edits. */
SCREE_NODISCARD scree_status scree_soft_step(struct scree_engine *engine, double *step);

/** What limits the critical time step. */
typedef enum scree_limit_kind {
    SCREE_LIMIT_NONE,    /**< nothing: no contact rules and no bonds, or no body that can have contacts */
    SCREE_LIMIT_CONTACT, /**< an existing contact */
    SCREE_LIMIT_IMPACT,  /**< a possible impact */
    SCREE_LIMIT_WAVE,    /**< the Rayleigh wave time of the smallest body of a material */
    SCREE_LIMIT_DISPLACEMENT, /**< displacements, relative to radius, thickness of a mesh or rounding, or the
                                 strain of the cell */
    SCREE_LIMIT_BOND          /**< the bonds and contacts of a body, of which a bond is the stiffest */
} scree_limit_kind;

/** The critical time step and its cause. */
struct scree_limit {
    scree_limit_kind kind;
    double step;   /**< automatic time step, s; 0 if there is no limit */
    double stable; /**< critical time step, s; infinite if there is no limit */
    double speed;  /**< largest possible closing velocity, m/s */
    /** For contacts, bonds and impacts: the body with the highest frequency and its partner. The partner is 0
     * for a wall and for a possible impact, whose partner is described by material and radius. */
    scree_body_id body[2];
    scree_wall_id wall;            /**< touched by the body, or bonded to it; 0 for none */
    scree_bond_id bond;            /**< the stiffest bond; 0 for none */
    scree_material_id material[2]; /**< of both sides; for a wave only the first */
    double radius[2];              /**< m; 0 for a wall */
};

/** Computes the critical time step of the present state and its cause into `limit`, not null; outside a run.
 */
SCREE_NODISCARD scree_status scree_soft_limit(struct scree_engine *engine, struct scree_limit *limit);

/** Returns an upper bound of the critical time step, s, in `stable`, not null: that of the same bodies at
 * rest without contacts; infinite if there is no limit. Motion, contacts and additional bodies can only lower
 * it. Outside a run. */
SCREE_NODISCARD scree_status scree_soft_limit_at_rest(struct scree_engine *engine, double *stable);

/** Sets the damping of all bodies without own damping; not inside a step. */
SCREE_NODISCARD scree_status scree_soft_set_damping(struct scree_engine *engine,
                                                    const struct scree_damping *damping);

#ifdef __cplusplus
}
#endif
#endif
