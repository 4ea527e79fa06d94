// Alarms: what a run is watched for, and what happens when it is seen.
//
// An alarm is no crash: it names the step, the bodies, the number seen, the limit and the likely remedy, and
// by its policy ends the run, is told, or passes. A run that an alarm ends returns SCREE_ERROR_NUMBER with
// the alarm's text, and leaves a world in step: the step under way is finished, and where bodies have set out
// for the next one already, that too. Overlaps are also looked for before the first step of a run that finds
// an edit, so a run goes on after such an end only when the bodies have been parted or the limit was raised.
#ifndef SCREE_ALARM_H
#define SCREE_ALARM_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What there are alarms for. */
enum scree_alarm_kind {
    SCREE_ALARM_NUMBER,  /**< the place or the velocity of a body is not a finite number */
    SCREE_ALARM_OVERLAP, /**< two sides of a contact overlap by more than a share of the smaller radius */
    SCREE_ALARM_STEP,    /**< a step that was given is longer than is stable: refused before the first step */
    SCREE_ALARM_DISPLACEMENT, /**< a body goes farther in a step than a share of its radius, through a wall
                          perhaps, or a wall that moves comes nearer by as much to one that it touches */
    SCREE_ALARM_ENERGY,  /**< the balance of energies has drifted; only looked at when a limit is given */
    SCREE_ALARM_OUTSIDE, /**< a body is beyond a bound of the cell that it does not repeat at */
    SCREE_ALARM_KINDS
};

/** What happens then. */
enum scree_alarm_policy {
    SCREE_ALARM_DEFAULT, /**< stop for number, overlap, step and way; warn of energy; ignore outside */
    SCREE_ALARM_STOP,    /**< the run ends */
    SCREE_ALARM_WARN,    /**< the function is called once a run, and the run goes on */
    SCREE_ALARM_IGNORE   /**< nobody looks */
};

/** One alarm. */
struct scree_alarm {
    enum scree_alarm_kind kind;
    enum scree_alarm_policy policy; /**< stop or warn */
    uint64_t step;                  /**< the number of the step it was seen in */
    double time;                    /**< s, at its end */
    scree_body_id body[2];          /**< value 0 where there is none */
    scree_wall_id wall;             /**< likewise */
    double seen, limit;             /**< as the text has them: shares, seconds or joule */
    const char *text; /**< all of this in words, with what is likely to help; holds during the call */
};

/** Is told of an alarm; it may ask the world, and changes nothing. */
typedef void scree_alarm_function(void *user, const struct scree_alarm *alarm);

/** What a run is watched for; all zero is the default. */
struct scree_alarms {
    enum scree_alarm_policy policy[SCREE_ALARM_KINDS];
    double overlap;      /**< most overlap, as a share of the smaller radius; 0 means 0.2 */
    double displacement; /**< farthest way in a step, as a share of the radius; 0 means 0.5 */
    double energy; /**< most drift of the balance, as a share of the largest scree_energy_scale seen, beyond
                        what rounding explains; 0: any */
    scree_alarm_function *function; /**< of those that stop and warn; null for none */
    void *user;                     /**< handed to it */
};

/** The name of a kind, as "overlap"; null for none. */
const char *scree_alarm_name(enum scree_alarm_kind kind);

#ifdef __cplusplus
}
#endif
#endif
