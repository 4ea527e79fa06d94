// Alarms from inside: what the soft engine looks at, and when.
//
// Nothing is looked for that is not known anyway: contacts report the excess of overlap, moves the largest
// speed and whether a body went too far, and what asks for a pass over all bodies waits for steps divisible
// by SCREE_CRITICAL_STEP_EVERY. Who it was is found out once it is too late.

#ifndef SCREE_ENGINE_ALARM_H
#define SCREE_ENGINE_ALARM_H

#include <scree/alarm.h>

struct scree_soft;
struct scree_critical_step_limit;

struct scree_alarm_watch {
    struct scree_alarms def;      // its defaults filled in
    bool told[SCREE_ALARM_KINDS]; // in this run
    bool stopped;
    char text[512];  // of the alarm that ended the run
    uint32_t column; // of the engine's row that keeps what drift is measured from; UINT32_MAX for none
};

// Fills in what was left out, or says what is wrong.
SCREE_NODISCARD scree_status scree_alarm_read(const struct scree_alarms *def,
                                              struct scree_alarm_watch *watch);

// Makes the row that energies are watched from, where they are watched, or finds the one of an engine before
// this: so a run that goes on from a checkpoint watches as the one before it did.
SCREE_NODISCARD scree_status scree_alarm_begin(struct scree_soft *soft);

// Whether anyone would hear of an alarm.
bool scree_alarm_heeds(const struct scree_alarm_watch *watch, enum scree_alarm_kind kind);

// A run begins.
void scree_alarm_reset(struct scree_alarm_watch *watch);

// Bodies have moved: numbers, and how far they went.
SCREE_NODISCARD scree_status scree_alarm_after_move(struct scree_soft *soft);

// Walls have moved: how much nearer they came.
SCREE_NODISCARD scree_status scree_alarm_of_walls(struct scree_soft *soft);

// Contacts have been evaluated: overlaps.
SCREE_NODISCARD scree_status scree_alarm_after_step(struct scree_soft *soft);

// The stability limit has been measured, and the step is beyond it.
void scree_alarm_look_at_step(struct scree_soft *soft, const struct scree_critical_step_limit *limit);

// Whether there is something to look for in a world in step now and then, and does so.
bool scree_alarm_inspects(const struct scree_alarm_watch *watch);
SCREE_NODISCARD scree_status scree_alarm_inspect(struct scree_soft *soft);

#endif
