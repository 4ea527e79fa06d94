// Engine: advances a world in time. An engine is a table of functions; "soft" (explicit time steps) is built
// in, and a program can bring its own table.
//
// Between calls the world is on-step: all positions and velocities are valid at scree_world_time.
#ifndef SCREE_ENGINE_H
#define SCREE_ENGINE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;
struct scree_damping;
struct scree_profile;

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

/** A running engine; opaque. */
struct scree_engine;

/** Functions of an engine; `self` points to `size` zeroed bytes of private state. */
struct scree_engine_ops {
    const char *name; /**< one word */
    size_t size;      /**< bytes of private state */
    /** Initialises from `def`, the engine's own definition struct; releases everything on failure. */
    scree_status (*begin)(void *self, struct scree_engine *engine, struct scree_world *world,
                          const void *def);
    /** Takes up to `steps` steps; stops once the time reaches `until` (s) to rounding. */
    scree_status (*advance)(void *self, struct scree_world *world, uint64_t steps, double until);
    /** Brings all positions, orientations and velocities to the world's time. */
    scree_status (*sync)(void *self, struct scree_world *world);
    /** Releases the resources of begin and advance; must not fail. */
    void (*end)(void *self, struct scree_world *world);
    // The functions below are null where an engine has nothing of the kind. They are called by the functions
    // with the same names further below, and, except for `step`, not inside a step.
    scree_status (*set_step)(void *self, double step);
    scree_status (*step)(void *self, double *step);
    scree_status (*limit)(void *self, struct scree_limit *limit);
    scree_status (*limit_at_rest)(void *self, double *stable);
    scree_status (*set_damping)(void *self, const struct scree_damping *damping);
    void (*profile)(const void *self, struct scree_profile *profile);
};

/** Built-in engine number `index`, or null past the last. */
const struct scree_engine_ops *scree_engine_at(size_t index);

/** Points of a soft step. A callback at a point runs after the engine's own work there; callbacks may also be
 * set at numbers in between. */
enum scree_point {
    SCREE_POINT_BEGIN = 0,          /**< the pending half-kick is complete: velocities are on-step */
    SCREE_POINT_MOVE = 10,          /**< bodies have moved: from here on velocities are mid-step */
    SCREE_POINT_TIME = 15,          /**< time has advanced */
    SCREE_POINT_INSERT_DELETE = 20, /**< walls move; bodies are inserted and deleted */
    SCREE_POINT_DETECT = 30,        /**< contact detection */
    SCREE_POINT_CONTACTS = 40,      /**< contact forces */
    SCREE_POINT_LOADS = 45,         /**< forces of loads */
    SCREE_POINT_GATHER = 60,        /**< forces are summed per body */
    SCREE_POINT_RECORD = 70         /**< alarms and records */
};

/** A user's callback; any result but SCREE_OK ends the run after the step is finished. */
typedef scree_status scree_callback(struct scree_engine *engine, struct scree_world *world, void *user);

/** Creates an engine for `world` from `ops` and its definition `def`; `engine` (not null) receives it. The
 * caller destroys it before the world. A world has one engine at a time. */
SCREE_NODISCARD scree_status scree_engine_create(struct scree_world *world,
                                                 const struct scree_engine_ops *ops, const void *def,
                                                 struct scree_engine **engine);

/** Destroys an engine, but not its world; never inside a step. Null is allowed. */
void scree_engine_destroy(struct scree_engine *engine);

/** Takes `steps` steps. Runs of 60 and 40 steps give the same bits as one of 100. */
SCREE_NODISCARD scree_status scree_engine_run(struct scree_engine *engine, uint64_t steps);

/** Steps until the world's time reaches `time` (s) to rounding: a relative distance below 1.4e-14 counts as
 * reached, so 100000 steps of 1e-6 s end at 0.1 s. The time may therefore stay slightly below `time`: a loop
 * `while (scree_world_time(world) < time)` around this call may never end. */
SCREE_NODISCARD scree_status scree_engine_run_until(struct scree_engine *engine, double time);

/** Takes at most `steps` steps; stops where scree_engine_run_until would stop for `time` (s, or infinity). */
SCREE_NODISCARD scree_status scree_engine_run_within(struct scree_engine *engine, uint64_t steps,
                                                     double time);

/** Ends the run after the current step; for use in callbacks. */
void scree_engine_stop(struct scree_engine *engine);

/** For an engine's advance: runs the callbacks at points in [from, to). A failure is stored and ends the run.
 */
void scree_engine_call(struct scree_engine *engine, int from, int to);

/** For an engine's advance: returns false once the run was stopped or a callback failed. */
bool scree_engine_continues(const struct scree_engine *engine);

/** The world of an engine. */
struct scree_world *scree_engine_world(struct scree_engine *engine);

/** The name of an engine, such as "soft". */
const char *scree_engine_name(const struct scree_engine *engine);

// Not every engine has the functions below: one that is missing fails, and the message names the engine and
// what it lacks.

/** Sets the time step (s, or 0 for automatic); not inside a step. */
SCREE_NODISCARD scree_status scree_engine_set_step(struct scree_engine *engine, double step);

/** Returns the time step of the next step, s, in `step`; inside a step, that of the current step. An
 * automatic step is updated every 64 steps and after edits. */
SCREE_NODISCARD scree_status scree_engine_step(struct scree_engine *engine, double *step);

/** Computes the critical time step of the present state and its cause into `limit`, not null; outside a run.
 */
SCREE_NODISCARD scree_status scree_engine_limit(struct scree_engine *engine, struct scree_limit *limit);

/** Returns an upper bound of the critical time step, s, in `stable`, not null: that of the same bodies at
 * rest without contacts; infinite if there is no limit. Motion, contacts and additional bodies can only lower
 * it. Outside a run. */
SCREE_NODISCARD scree_status scree_engine_limit_at_rest(struct scree_engine *engine, double *stable);

/** Sets the damping of all bodies without own damping; not inside a step. */
SCREE_NODISCARD scree_status scree_engine_set_damping(struct scree_engine *engine,
                                                      const struct scree_damping *damping);

/** Sets a callback at `point` (0 to 99). Callbacks at one point run in the order in which they were set; one
 * set at the point that is running starts with the next step. `id` may be null. Forces are evaluated before
 * the first step of a run if they are not valid, as for a new or edited world, and callbacks at 30 to 69 run
 * in that evaluation too. */
SCREE_NODISCARD scree_status scree_engine_set_callback(struct scree_engine *engine, int point,
                                                       scree_callback *callback, void *user,
                                                       scree_callback_id *id);

/** Removes a callback; a callback may remove itself. */
SCREE_NODISCARD scree_status scree_engine_remove_callback(struct scree_engine *engine, scree_callback_id id);

#ifdef __cplusplus
}
#endif
#endif
