// Engine: how time advances. An engine is a table of four functions over a world; "soft" (explicit time
// steps) is built in, and a user's own table serves as well.
//
// Between calls the world is always in step: every place and every velocity is valid at scree_world_time.
#ifndef SCREE_ENGINE_H
#define SCREE_ENGINE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** A running engine; opaque. */
struct scree_engine;

/** What an engine offers. All functions are non-null; `self` points to `size` zeroed bytes of its own. */
struct scree_engine_ops {
    const char *name; /**< one word */
    size_t size;      /**< bytes of private state */
    /** Reads `def`, the engine's own definition struct, and gets ready; nothing is kept on failure. */
    scree_status (*begin)(void *self, struct scree_engine *engine, struct scree_world *world,
                          const void *def);
    /** Takes up to `steps` steps, or stops at the first step not before `until` (s), but for rounding. */
    scree_status (*advance)(void *self, struct scree_world *world, uint64_t steps, double until);
    /** Makes every pose and velocity valid at the world's time, whatever the private clockwork. */
    scree_status (*sync)(void *self, struct scree_world *world);
    /** Releases what begin and advance acquired; must not fail. */
    void (*end)(void *self, struct scree_world *world);
};

/** The points of a soft step at which something happens; a callback at a point runs after the engine's own
 * work there, and callbacks may also be set at numbers in between. */
enum scree_point {
    SCREE_POINT_BEGIN = 0,          /**< the pending half-kick is complete: velocities are on-step */
    SCREE_POINT_MOVE = 10,          /**< bodies have moved: from here on velocities are mid-step */
    SCREE_POINT_TIME = 15,          /**< time has advanced */
    SCREE_POINT_INSERT_DELETE = 20, /**< walls move, bodies enter and leave */
    SCREE_POINT_DETECT = 30,        /**< contacts are found */
    SCREE_POINT_CONTACTS = 40,      /**< contact forces */
    SCREE_POINT_LOADS = 45,         /**< loads */
    SCREE_POINT_GATHER = 60,        /**< forces are summed on bodies */
    SCREE_POINT_RECORD = 70         /**< alarms and records */
};

/** A user's callback; other than OK ends the run after the step is finished. */
typedef scree_status scree_callback(struct scree_engine *engine, struct scree_world *world, void *user);

/** Makes an engine over `world` from `ops` and its definition `def`; `engine` (not null) receives it, to be
 * destroyed by the caller before the world. A world has one engine at a time. */
SCREE_NODISCARD scree_status scree_engine_create(struct scree_world *world,
                                                 const struct scree_engine_ops *ops, const void *def,
                                                 struct scree_engine **engine);

/** Destroys an engine, never inside a step; its world stays, in step. Null is fine. */
void scree_engine_destroy(struct scree_engine *engine);

/** Takes `steps` steps. Running 60 and then 40 leaves the same bits as running 100. */
SCREE_NODISCARD scree_status scree_engine_run(struct scree_engine *engine, uint64_t steps);

/** Steps until the world's time is not before `time` (s), but for rounding: a step less than 1.4e-14 of
 * `time` before it counts as being there, and 100000 steps of 1e-6 s end at 0.1 s. So a loop that goes on
 * while the world's time is less than `time` need not end; count its rounds. */
SCREE_NODISCARD scree_status scree_engine_run_until(struct scree_engine *engine, double time);

/** Takes `steps` steps, or fewer: none once scree_engine_run_until would take none (`time` in s, or
 * infinity).
 */
SCREE_NODISCARD scree_status scree_engine_run_within(struct scree_engine *engine, uint64_t steps,
                                                     double time);

/** Asks the run to end after the present step; for use in callbacks. */
void scree_engine_stop(struct scree_engine *engine);

/** For an engine's advance: runs the callbacks at points in [from, to). A failure is kept, and ends the run.
 */
void scree_engine_call(struct scree_engine *engine, int from, int to);

/** For an engine's advance: whether to take another step; false once stopped, or when a callback failed. */
bool scree_engine_goes_on(const struct scree_engine *engine);

/** The world that the engine advances. */
struct scree_world *scree_engine_world(struct scree_engine *engine);

/** Sets a callback at `point` (0 to 99). Those of one point run in order of their setting; one set at the
 * point that is running waits for the next step. `id` may be null. The forces of the initial state are
 * evaluated before the first step, and callbacks at 30 to 69 run then too; so they do before the first step
 * of a run that finds no body's force to hold any more. */
SCREE_NODISCARD scree_status scree_engine_set_callback(struct scree_engine *engine, int point,
                                                       scree_callback *callback, void *user,
                                                       scree_callback_id *id);

/** Removes a callback; one may remove itself. */
SCREE_NODISCARD scree_status scree_engine_remove_callback(struct scree_engine *engine, scree_callback_id id);

#ifdef __cplusplus
}
#endif
#endif
