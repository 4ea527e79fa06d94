// How a scene is run, and what is told of the run; scree_scene_run in scene.h runs it.
#ifndef SCREE_RUN_H
#define SCREE_RUN_H

#include <scree/alarm.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_profile;

/** A stage of a run: one of `until`, `time` and `steps` is not 0. */
struct scree_scene_stage {
    double until;   /**< ends at this time, s */
    double time;    /**< or takes so long, s */
    uint64_t steps; /**< or so many steps */
    bool may_stop;  /**< it can end earlier, by what is measured */
};

/** How far a run is. */
struct scree_progress {
    double time;          /**< of the world, s */
    double share;         /**< of the whole run, from 0 to 1, should no stage end before it must */
    double stage_share;   /**< of the present stage, likewise; 1 when it is over */
    uint64_t steps;       /**< since the world was made */
    double rate;          /**< steps a second, of late */
    double left;          /**< s until the run is through, at that rate */
    size_t stage, stages; /**< the present one, from 1, and how many there are */
    size_t bodies, contacts;
    double error;         /**< the energy error, as the column of tables */
    const double *values; /**< of the columns that were asked for; borrowed until the function returns */
};

/** Is told how far a run is. Anything but SCREE_OK ends it, in step, and is what the run returns, once a
 * checkpoint has been written; where that fails, the run returns why. */
typedef scree_status scree_progress_function(void *user, const struct scree_progress *progress);

/** Is told of a file of results: the kind of record, as "table", and its path. */
typedef void scree_result_function(void *user, const char *kind, const char *path);

/** Is asked before the first step, on the way of what may take long, like filling a region: true ends the
 * run, which returns SCREE_ERROR_STATE. */
typedef bool scree_ended_function(void *user);

/** How a scene is run. */
struct scree_run_def {
    int threads;                       /**< 0 for all processors */
    bool force;                        /**< results that are there already are written over */
    double interval;                   /**< seconds between two reports; 0 for 0.1 */
    scree_progress_function *function; /**< null for none */
    scree_alarm_function *alarm;       /**< is told what it is warned of, once for each kind; null for none */
    scree_result_function *result;     /**< is told of all results when the run is over; null for none */
    scree_text_function *warn;         /**< is told what else there is to worry about; null for none */
    void *user;                        /**< handed to all of them */
    scree_ended_function *ended;       /**< null for none; asked while the world is built */
    double until;                      /**< s: where it ends in place of what the scene says; or 0 */
    const char *folder;            /**< where results go, made where it is missing; null: beside the scene */
    const char *const *columns;    /**< `column_count` columns to be measured for each report; may be null */
    size_t column_count;           /**< at most 64 */
    struct scree_profile *profile; /**< receives where the time went; null if nobody asks */
};

#ifdef __cplusplus
}
#endif
#endif
