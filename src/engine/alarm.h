// Alarms: settings and raising; and what the soft engine checks, and when.
//
// Checks cost almost nothing: contact evaluation returns the largest overlap beyond the limit, and the motion
// returns the largest speed and a flag for displacements beyond the limit. A check that needs a pass over all
// bodies runs at step numbers divisible by SCREE_CRITICAL_STEP_EVERY. The body that a message names is
// searched for only when the alarm is raised.

#ifndef SCREE_ENGINE_ALARM_H
#define SCREE_ENGINE_ALARM_H

#include <scree/alarm.h>

struct scree_grain;
struct scree_soft;
struct scree_world;
struct scree_critical_step_limit;

struct scree_alarm_watch {
    struct scree_alarms def;        // with defaults filled in
    bool raised[SCREE_ALARM_KINDS]; // in this run
    bool stopped;
    char text[1200];        // of the alarm that ended the run
    uint64_t searches;      // when `bonds_near` was found
    uint64_t thin_searches; // one more than that when the next two were found
    double thinnest;        // least thickness of the meshes, m
    bool two_sided;         // polyhedra could pass through some wall
    bool bonds_near; // before the next search some bond may become as long as half of the periodic cell
    uint32_t column; // of the field "energy_watch" of the engine; UINT32_MAX for none
};

// Copies the limits and policies and fills in the defaults; an invalid value is an error.
SCREE_NODISCARD scree_status scree_alarm_read(const struct scree_alarms *def,
                                              struct scree_alarm_watch *watch);

// Adds the field "energy_watch" if energies are checked, or finds the one that an earlier engine added: a
// restart measures drift from the same reference.
SCREE_NODISCARD scree_status scree_alarm_begin(struct scree_soft *soft);

// Returns true if an alarm of this kind would still be raised in this run.
bool scree_alarm_is_active(const struct scree_alarm_watch *watch, enum scree_alarm_kind kind);

// An alarm of this kind at the present step, and raising it: the message is preceded by the step and the
// time.
struct scree_alarm scree_alarm_now(const struct scree_soft *soft, enum scree_alarm_kind kind);
void scree_alarm_raise(struct scree_alarm_watch *watch, struct scree_alarm *alarm, const char *format, ...)
    SCREE_PRINTF(3, 4);

// Id of the body of a grain.
uint64_t scree_alarm_body_id(const struct scree_soft *soft, size_t slot);

// The position of a grain at t - `time`, extrapolated along its velocity.
void scree_alarm_position_before(const struct scree_grain *grain, double time, double *position);

// Checks whether a body is outside of the cell.
void scree_alarm_check_outside(struct scree_alarm_watch *watch, const struct scree_world *world);

// Checks walls at periodic faces, for grains that touch walls within `reach`, m, of their centres.
void scree_alarm_check_faces(struct scree_alarm_watch *watch, const struct scree_world *world, double reach);

// Call at the start of a run.
void scree_alarm_reset(struct scree_alarm_watch *watch);

// Call after bodies have moved: checks for non-finite numbers and for large displacements.
SCREE_NODISCARD scree_status scree_alarm_after_move(struct scree_soft *soft);

// Call after the records of carried grains have been updated: checks their displacements.
SCREE_NODISCARD scree_status scree_alarm_after_pebbles(struct scree_soft *soft);

// Call before the first step of a run, after forces have been evaluated: checks walls at periodic faces.
void scree_alarm_check_soft_faces(struct scree_soft *soft);

// Checks displacements at meshes that are thinner than the radius of a grain, and of polyhedra at walls that
// push to both sides: relative to the thickness and to the rounding. Costs a test of few numbers where there
// are no such meshes and no polyhedra.
void scree_alarm_thin_check(struct scree_soft *soft);

// Call after walls have moved: checks how much they approached grains, and walls at periodic faces.
SCREE_NODISCARD scree_status scree_alarm_after_walls(struct scree_soft *soft);

// Call after contacts have been evaluated: checks overlaps.
SCREE_NODISCARD scree_status scree_alarm_after_step(struct scree_soft *soft);

// Checks the overlaps of the contacts just evaluated.
void scree_alarm_overlap_check(struct scree_soft *soft);

// Call after bonds have been evaluated: checks their lengths in a periodic cell.
void scree_alarm_bonds_check(struct scree_soft *soft);

// Call when the time step is longer than the measured critical step: raises the alarm `step`.
void scree_alarm_raise_step(struct scree_soft *soft, const struct scree_critical_step_limit *limit);

// The first returns true if energies or positions have to be checked; the second checks them and needs
// on-step velocities.
bool scree_alarm_needs_inspection(const struct scree_alarm_watch *watch);
SCREE_NODISCARD scree_status scree_alarm_inspect(struct scree_soft *soft);

#endif
