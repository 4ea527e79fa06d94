// Alarms: conditions that are checked during a run, and what happens when one occurs.
//
// An alarm reports the step, the bodies, the value, the limit and a likely remedy. Its policy decides whether
// the run stops, warns or ignores it. A run stopped by an alarm returns SCREE_ERROR_NUMBER with the text of
// the alarm and leaves a consistent on-step world: the current step is finished, and so is the next one if
// bodies have already moved for it. Overlaps are also checked before the first step of a run if the world was
// edited: after an overlap alarm a run can continue only if the bodies are separated or the limit is raised.
// Walls at periodic faces are checked at the same time, and when walls move or bodies are added.
#ifndef SCREE_ALARM_H
#define SCREE_ALARM_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of alarms. */
enum scree_alarm_kind {
    SCREE_ALARM_NUMBER,  /**< the position or velocity of a body is not finite */
    SCREE_ALARM_OVERLAP, /**< the overlap of a contact exceeds a fraction of the smaller radius, or of the
                              sum of the roundings of polyhedra */
    SCREE_ALARM_STEP,    /**< the given time step is unstable: refused before the first step */
    SCREE_ALARM_DISPLACEMENT, /**< a body moves more than a fraction of its radius in one step, or a moving
                                 wall approaches a body that it touches by as much: risk of tunnelling */
    SCREE_ALARM_ENERGY,       /**< the energy balance has drifted; only checked when a limit is given */
    SCREE_ALARM_OUTSIDE,      /**< a body is outside the cell along an axis that is not periodic */
    SCREE_ALARM_FACE,     /**< a wall ends at, near or beyond a periodic face, where a body that passes the
                             face would gain energy, see wall.h */
    SCREE_ALARM_BOND,     /**< a bond becomes as long as half of the periodic cell along an axis: the nearest
                             image of its second side would change */
    SCREE_ALARM_COLLAPSE, /**< event engine: ever more collisions in ever less time, without end */
    SCREE_ALARM_KINDS
};

/** What an alarm does. */
enum scree_alarm_policy {
    SCREE_ALARM_DEFAULT, /**< stop: number, overlap, step, displacement, face, bond, collapse;
                            warn: energy; ignore:
                            outside */
    SCREE_ALARM_STOP,    /**< the run ends */
    SCREE_ALARM_WARN,    /**< the function is called once per run, and the run continues */
    SCREE_ALARM_IGNORE   /**< not checked */
};

/** One alarm. */
struct scree_alarm {
    enum scree_alarm_kind kind;
    enum scree_alarm_policy policy; /**< stop or warn */
    uint64_t step;                  /**< step in which it occurred */
    double time;                    /**< s, at the end of that step */
    scree_body_id body[2];          /**< value 0 if there is none */
    scree_wall_id wall;             /**< value 0 if there is none */
    double value, limit;            /**< in the unit of the text: a fraction, seconds, joule or metre */
    const char *text; /**< a message with all of this and a likely remedy; valid during the call */
};

/** Called for an alarm. It may query the world but must not change it. */
typedef void scree_alarm_function(void *user, const struct scree_alarm *alarm);

/** Writes where a body comes from, such as a line of a file, or a wall if the value of `body` is 0, into a
 * text of `size` bytes; an empty text if it is unknown. */
typedef void scree_origin_function(void *user, scree_body_id body, scree_wall_id wall, char *text,
                                   size_t size);

/** Alarm settings of a run; all zero is the default. */
struct scree_alarms {
    enum scree_alarm_policy policy[SCREE_ALARM_KINDS];
    double overlap;      /**< largest overlap as a fraction of the smaller radius; 0 means 0.2 */
    double displacement; /**< largest displacement per step as a fraction of the radius, of the thickness of a
                              closed mesh, and of the rounding of a polyhedron at a wall with two sides; 0
                              means 0.5 */
    double energy; /**< largest energy balance as a fraction of the largest scree_energy_scale so far, beyond
                        scree_energy_rounding; 0: not checked */
    scree_alarm_function *function; /**< called by alarms that stop or warn; null for none */
    void *user;                     /**< passed to the function */
    scree_origin_function *origin;  /**< for the texts of alarms; null for none */
    void *origin_user;              /**< passed to `origin` */
};

/** Name of a kind, such as "overlap"; null if the kind is unknown. */
const char *scree_alarm_name(enum scree_alarm_kind kind);

#ifdef __cplusplus
}
#endif
#endif
