// Options and progress reports of a scene run; scree_scene_run in scene.h runs a scene.
#ifndef SCREE_RUN_H
#define SCREE_RUN_H

#include <scree/alarm.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_profile;

/** A stage of a run: exactly one of `until`, `time` and `steps` is not 0. */
struct scree_scene_stage {
    double until;   /**< ends at this time, s */
    double time;    /**< or lasts this long, s */
    uint64_t steps; /**< or takes this number of steps */
    bool may_stop;  /**< a stop condition can end it earlier */
};

/** Progress of a run. */
struct scree_progress {
    double time;           /**< of the world, s */
    double fraction;       /**< completed fraction of the run, 0 to 1, if no stage ends early */
    double stage_fraction; /**< completed fraction of the current stage; 1 at its end */
    uint64_t steps;        /**< since the world was created */
    double rate;           /**< recent steps per second */
    /** Estimated remaining seconds on idle processors: processor time per step and time step
     * are those of the steps of the last five seconds, or of the last fifth of a long run; no stage ends
     * early. */
    double remaining;
    size_t stage, stages; /**< number of the current stage, from 1, and of all stages */
    size_t bodies, contacts;
    double error;         /**< as the column `energy-error` of tables */
    const double *values; /**< of `columns` in struct scree_run_def; borrowed until the function returns */
};

/** Called with the progress of a run. Any result but SCREE_OK ends the run on-step, writes a checkpoint and
 * is returned by the run; if the checkpoint fails, the run returns that failure. */
typedef scree_status scree_progress_function(void *user, const struct scree_progress *progress);

/** Called for a result file: the kind of record, such as "table", and the path. */
typedef void scree_result_function(void *user, const char *kind, const char *path);

/** Called repeatedly during long work before the first step, such as filling a region: returning true ends
 * the run with SCREE_ERROR_STATE. */
typedef bool scree_cancel_function(void *user);

/** Options of a run; all zero is the default. */
struct scree_run_def {
    int threads;                       /**< 0: all processors */
    bool force;                        /**< overwrite existing results */
    double interval;                   /**< seconds between two progress reports; 0 for 0.1 */
    scree_progress_function *function; /**< called with the progress; null for none */
    scree_alarm_function *alarm;       /**< called for alarms that warn, once per kind; null for none */
    scree_result_function *result;    /**< called for all result files at the end of the run; null for none */
    scree_text_function *warn;        /**< called with other warnings; null for none */
    void *user;                       /**< passed to all of these functions */
    scree_cancel_function *cancelled; /**< called while the world is built; null for none */
    double until;                     /**< end time, s, in place of the scene's; 0: as in the scene */
    const char *folder;               /**< folder of results, created if missing; null: beside the scene */
    const char *const *columns; /**< `column_count` table columns to measure for each report; may be null */
    size_t column_count;        /**< at most 64 */
    struct scree_profile *profile; /**< receives the profile; may be null */
};

#ifdef __cplusplus
}
#endif
#endif
