// The soft engine: explicit time steps. Laws of motion are chosen by name, for translation and for rotation;
// the points of its step are those of enum scree_point.
#ifndef SCREE_SOFT_H
#define SCREE_SOFT_H

#include <scree/alarm.h>
#include <scree/body.h>
#include <scree/engine.h>
#include <scree/motion.h>

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
    /** 0 means all processors that the process may use. The threads are the library's own and shared by all
     * engines of a program: while one engine advances on them, another that is advanced at the same time by
     * another thread of the program does its work on that thread. They start when a step has work that is
     * worth them, sleep where they wait, and after a fork the child has its own. Where other programs want
     * the processors too, a run falls back to one thread for a while, again and again. */
    int threads;
    struct scree_alarms alarms; /**< what runs are watched for */
};

/** Makes a soft engine over `world`; `def` is not null; destroy the engine before the world. */
SCREE_NODISCARD scree_status scree_soft_create(struct scree_world *world, const struct scree_soft_def *def,
                                               struct scree_engine **engine);

/** Changes the time step (s, or 0 for one that is chosen); not inside a step. */
SCREE_NODISCARD scree_status scree_soft_set_step(struct scree_engine *engine, double step);

/** Changes the safety factor of a step that is chosen, as in struct scree_soft_def; not inside a step. It
 * shows when the step is chosen next. */
SCREE_NODISCARD scree_status scree_soft_set_safety(struct scree_engine *engine, double safety);

/** The time step that the next step will take, s, to `step`; inside a step that of the one under way. One
 * that is chosen is chosen anew every 64 steps, and where something was edited. */
SCREE_NODISCARD scree_status scree_soft_step(struct scree_engine *engine, double *step);

/** What bounds a time step. */
typedef enum scree_limit_kind {
    SCREE_LIMIT_NONE,        /**< nothing: there are no contacts, or no body that could have some */
    SCREE_LIMIT_CONTACT,     /**< what a body touches */
    SCREE_LIMIT_IMPACT,      /**< what could strike it */
    SCREE_LIMIT_WAVE,        /**< the time that a wave takes around the smallest body of a material */
    SCREE_LIMIT_DISPLACEMENT /**< how far the fastest would go for its size */
} scree_limit_kind;

/** Why a time step is as long as it is. */
struct scree_limit {
    scree_limit_kind kind;
    double step;   /**< that would be chosen, s; 0 where nothing bounds it */
    double stable; /**< the longest that is stable, s; infinite where nothing bounds it */
    double speed;  /**< that two things can close with, m/s */
    /** The body that rings fastest, of contacts and impacts, and what against; the second is 0 for a wall,
     * and for what could strike, of which material and radius are told. */
    scree_body_id body[2];
    scree_wall_id wall;            /**< that it touches; 0 for none */
    scree_material_id material[2]; /**< of both sides; of a wave the first alone */
    double radius[2];              /**< m; 0 of a wall */
};

/** Tells what bounds the step of the world as it is, to `limit`, not null; outside a run. */
SCREE_NODISCARD scree_status scree_soft_limit(struct scree_engine *engine, struct scree_limit *limit);

/** Tells the longest step, s, that would be stable if all there is were at rest and nothing touched, to
 * `stable`, not null; infinite where nothing bounds it. What moves and touches bears no more, and other
 * bodies besides bring it down only. Outside a run. */
SCREE_NODISCARD scree_status scree_soft_ceiling(struct scree_engine *engine, double *stable);

/** Changes the damping of all bodies that have none of their own; not inside a step. */
SCREE_NODISCARD scree_status scree_soft_set_damping(struct scree_engine *engine,
                                                    const struct scree_damping *damping);

#ifdef __cplusplus
}
#endif
#endif
