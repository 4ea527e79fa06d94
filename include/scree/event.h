// The event engine: hard spheres, disks and clumps of them. Bodies fly freely between collisions, and
// collisions are executed one by one in the order of their times, without a time step. A collision is
// instantaneous; the collision law of the two materials gives its coefficients (law.h).
//
// A step of this engine, in the sense of scree_engine_run, is an interval of time after which the world is
// brought up to date: callbacks run, records are taken, walls that move by functions change their velocity.
// Collisions happen at their exact times within it, so the length of the steps does not change the motion,
// also beside walls that vibrate (scree_wall_set_vibration). Beside walls that other functions move it has
// errors of order 2 in the step.
//
// The periodic cell may have cell vectors and deform (cell.h), in the form SCREE_CELL_NEWTON, if it is
// periodic along all axes and has no servo. In a constant simple shear along axes this is exact for any
// steps. For other velocity gradients the cell vectors are exact at steps and move straight in between, of
// order 2 in the step. A step may strain the cell by some per cent only; automatic steps do. Growth of all
// bodies in a box is, seen in proportion, the same as an isotropic compression with constant bodies
// (Lubachevsky and Stillinger, J. Stat. Phys. 60, 561, 1990).
#ifndef SCREE_EVENT_H
#define SCREE_EVENT_H

#include <scree/alarm.h>
#include <scree/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Definition of an event engine. */
struct scree_event_def {
    double step; /**< interval after which the world is brought up to date, s; 0: automatic, in which a
                      body flies a tenth of its radius, on average */
    double contact_time;  /**< TC model: a collision within this time after the last one of either body, or
                             after  it was added or changed, is elastic, s; 0: none */
    double elastic_below; /**< a collision with a lower normal closing speed is elastic, m/s; 0: none */
    /** Alarm settings of runs: `overlap`, checked before a run of an edited world, of which the limit is 1e-6
     * of the smaller radius unless another is given, `face`, and `collapse`, which cannot be ignored. */
    struct scree_alarms alarms;
};

/** Creates an event engine for `world`; `def` is not null. Destroy the engine before the world. */
SCREE_NODISCARD scree_status scree_event_create(struct scree_world *world, const struct scree_event_def *def,
                                                struct scree_engine **engine);

/** Sets `contact_time` and `elastic_below` of the definition; not inside a step. */
SCREE_NODISCARD scree_status scree_event_set_elastic(struct scree_engine *engine, double contact_time,
                                                     double elastic_below);

/** A collision that has happened. */
struct scree_event_collision {
    double time;           /**< s */
    scree_body_id body[2]; /**< lower id first; the second has the value 0 at a wall */
    scree_wall_id wall;    /**< value 0 for two bodies */
    uint32_t part[2];      /**< numbers of the grains of clumps, from 1; 0 of others */
    double normal[3];      /**< from the second side to the first */
    double impulse[3];     /**< on the first body, N s */
    /** Of the centres at that time, m; may be in another image of the periodic cell. */
    double position[2][3];
    double velocity[2][3]; /**< after it, m/s */
};

/** Called for each collision, in order of time. It must not change the world. */
typedef void scree_event_observer(void *user, const struct scree_event_collision *collision);

/** Sets the function that is called for each collision; null for none. */
SCREE_NODISCARD scree_status scree_event_observe(struct scree_engine *engine, scree_event_observer *observer,
                                                 void *user);

/** What event engines have done. The first four are counted since the world was created. */
struct scree_event_counts {
    uint64_t pairs;   /**< collisions of two bodies */
    uint64_t walls;   /**< collisions of bodies with walls */
    uint64_t elastic; /**< of these, made elastic by `contact_time` or `elastic_below` */
    double virial; /**< sum of the normal impulse times the distance of centres over collisions of two bodies,
                        J s; its increase per time and volume, over the dimension, is their part of the
                      pressure */
    /** Sum over collisions of two bodies of the impulse on the first times the displacement of its centre
     * from that of the second, by rows, J s, in cells with cell vectors only, else 0: minus its increase per
     * time and volume is the part of collisions of the stress, tension positive. */
    double impulses[9];
    uint64_t predictions; /**< searches for the next collision of a body, by this engine */
    uint64_t rebuilds;    /**< of the neighbour list of a body, by this engine */
};

/** Copies the counts to `counts`, not null. */
SCREE_NODISCARD scree_status scree_event_get_counts(const struct scree_engine *engine,
                                                    struct scree_event_counts *counts);

/** Memory of the engine's own data, bytes, in `bytes`, not null. */
SCREE_NODISCARD scree_status scree_event_memory(const struct scree_engine *engine, size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
