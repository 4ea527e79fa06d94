// What a law of motion offers: how bodies move under known forces, a batch at a time.
//
// A law is a const table; motion.def lists them. Translation and rotation are chosen apart. What always holds
// around every call, at world step n with the forces of step n in the wrenches:
//   advance   takes places to step n + 1 and velocities as far as the law can without the forces of step n +
//   1; complete  tells the on-step velocities from the forces in the wrenches, on a copy: with the forces of
//   the step
//             these are the velocities of the step; with those of the step before, a prediction of order 2,
//             which is what loads and contact laws are given (EQUATIONS 2.1).
// A body flagged as in step has an on-step velocity, or spin: no half-kick is pending. Fixed freedoms feel no
// acceleration. Laws write neither forces nor, but for `advance_round`, flags.

#ifndef SCREE_MOTION_MOTION_H
#define SCREE_MOTION_MOTION_H

#include "base/processor.h"
#include "math/quat.h"
#include "motion/lanes.h"
#include "world/grain.h"

#include <scree/motion.h>

// Rows a law keeps for itself at most.
enum { SCREE_MOTION_ROWS = 2 };

struct scree_motion_step {
    double h;          // the step to take
    double last;       // the step that led here
    double gravity[4]; // and a zero
};

// Some consecutive bodies and all that laws may read of them.
struct scree_motion_batch {
    size_t count;
    const struct scree_motion_step *step;
    struct scree_grain *grain;
    struct scree_wrench *wrench;             // accounts are the engine's to write
    struct scree_rotor *rotor;               // null when nothing in the world turns
    const struct scree_damping *damping;     // null when nothing is damped
    bool viscous;                            // some of it may be viscous
    const struct scree_force_moment *drag;   // forces of local damping, null when there are none
    const struct scree_force_moment *middle; // forces at mid-step, for `finish`
    double *row[SCREE_MOTION_ROWS];          // the law's own rows
    unsigned row_width[SCREE_MOTION_ROWS];   // and their components
};

struct scree_motion_row {
    const char *name; // null: no row
    unsigned width;
    const char *unit;
    scree_transform transform;
    const char *about;
};

struct scree_round;

struct scree_motion_law {
    const char *name;
    const char *about;
    scree_motion_kind kind;
    scree_level level; // of the velocities after `advance`
    bool leapfrog;     // velocities rest at mid-step: between steps the engine keeps them in a row of its own
    bool contacts;     // may move bodies that touch
    bool round_only;   // moves no general rigid bodies
    struct scree_motion_row row[SCREE_MOTION_ROWS];
    void (*advance)(const struct scree_motion_batch *batch);
    // the same for round bodies without rotors, and all else that is done with them (motion/round.h); null
    // where a law lacks it
    void (*advance_round)(struct scree_round *round);
    // the same as `advance`, told what it finds on the way: local damping of the forces, where `drag` is not
    // null, which then acts too, and what `complete` tells after that; null where a law lacks it
    void (*advance_telling)(const struct scree_motion_batch *batch, struct scree_force_moment *drag,
                            struct scree_on_step *out);
    // laws that need the loads once more, at mid-step: `middle` tells at which spin and orientation, and
    // `finish` takes the step with the forces found; both null otherwise
    void (*middle)(const struct scree_motion_batch *batch, double (*spin)[3], double (*orientation)[4]);
    void (*finish)(const struct scree_motion_batch *batch);
    // fills velocity, or spin and momentum for a law of rotation
    void (*complete)(const struct scree_motion_batch *batch, struct scree_on_step *out);
    // the same as a prediction, where the forces of the step before do not serve as its own; else null
    void (*predict)(const struct scree_motion_batch *batch, struct scree_on_step *out);
    // moments that hold fixed spins, of bodies as `on_step` says; null where none can be fixed
    void (*constraint)(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                       double (*moment)[3]);
};

#define SCREE_MOTION_LAW(symbol) extern const struct scree_motion_law scree_##symbol;
#include "motion/motion.def"
#undef SCREE_MOTION_LAW

// The law that moves general rigid bodies some of whose spins are fixed, whatever law the others obey.
extern const struct scree_motion_law scree_constrained;
// The law that moves spheres, disks and plane bodies.
extern const struct scree_motion_law scree_spherical;

// Finds a law by name; a failure lists the names there are. Null finds the default of the kind.
SCREE_NODISCARD scree_status scree_motion_find(scree_motion_kind kind, const char *name,
                                               const struct scree_motion_law **law);

// Wide vectors are never passed in a call; and a loop can be expanded twice, with and without damping.
#define SCREE_MOTION_INLINE static inline __attribute__((always_inline))

// A loop that is compiled for wide registers too.
#define SCREE_MOTION_WIDE SCREE_PROCESSOR_WIDE

// Acceleration along the axes of the world by a force, zero along fixed freedoms.
SCREE_MOTION_INLINE scree_lanes scree_motion_accelerated(const struct scree_motion_batch *batch, size_t i,
                                                         scree_lanes force)
{
    const struct scree_grain *grain = &batch->grain[i];
    const scree_lanes acceleration =
        force / scree_lanes_all(grain->mass) + scree_lanes_load(batch->step->gravity);
    return scree_lanes_keep(scree_lanes_free[grain->flags & 7], acceleration);
}

// The same by all that acts.
SCREE_MOTION_INLINE scree_lanes scree_motion_acceleration(const struct scree_motion_batch *batch, size_t i)
{
    scree_lanes force = scree_lanes_load(batch->wrench[i].force);
    if (batch->drag)
        force += (scree_lanes){batch->drag[i].force[0], batch->drag[i].force[1], batch->drag[i].force[2], 0};
    return scree_motion_accelerated(batch, i, force);
}

// A share of +-|F| against the motion, as local damping has it (EQUATIONS 2.3, errata 19); none is +0.
SCREE_MOTION_INLINE scree_lanes scree_motion_opposing(double share, scree_lanes force, scree_lanes velocity)
{
    const scree_lanes_mask sign = (scree_lanes_mask)scree_lanes_all(-0.0);
    const scree_lanes_mask size = (scree_lanes_mask)(scree_lanes_all(share) * force) & ~sign;
    const scree_lanes_mask against = ~(scree_lanes_mask)velocity & sign;
    const scree_lanes_mask some = (velocity != 0) & (scree_lanes_all(share) > 0) & scree_lanes_free[0];
    return scree_lanes_keep(some, (scree_lanes)(size | against));
}

// Rate of viscous damping along the axes of the world, zero along fixed freedoms.
SCREE_MOTION_INLINE scree_lanes scree_motion_damping(const struct scree_motion_batch *batch, size_t i)
{
    if (!batch->damping)
        return scree_lanes_all(0);
    return scree_lanes_keep(scree_lanes_free[batch->grain[i].flags & 7],
                            scree_lanes_all(batch->damping[i].viscous));
}

static inline struct scree_vec3 scree_motion_moment(const struct scree_motion_batch *batch, size_t i)
{
    const struct scree_vec3 moment = scree_vec3_load(batch->wrench[i].moment);
    return batch->drag ? scree_vec3_add(moment, scree_vec3_load(batch->drag[i].moment)) : moment;
}

static inline double scree_motion_viscous(const struct scree_motion_batch *batch, size_t i)
{
    return batch->damping ? batch->damping[i].viscous : 0;
}

// What the spin of a body lacks to be on-step.
static inline void scree_motion_store_twist(struct scree_vec3 lack, struct scree_grain *grain)
{
    grain->half_twist[0] = (float)lack.x;
    grain->half_twist[1] = (float)lack.y;
    grain->half_twist[2] = (float)lack.z;
}

// Whether the velocity of a body is on-step: no half-kick is pending.
static inline bool scree_motion_in_step(const struct scree_motion_batch *batch, size_t i)
{
    return batch->grain[i].flags & SCREE_FLAG_MOVE_IN_STEP;
}

// Likewise the spin.
static inline bool scree_motion_spins_in_step(const struct scree_motion_batch *batch, size_t i)
{
    return batch->grain[i].flags & SCREE_FLAG_SPIN_IN_STEP;
}

// The ways in which half a step of acceleration `a` and viscous damping `c` meet a velocity. Damping acts on
// the mid-step velocity in a kick-drift-kick (EQUATIONS 2.4) and on the on-step velocity in a leapfrog
// (EQUATIONS 2.3). Where c is 0 its factors are exactly 1; `damped` false leaves them out, with the same
// bits.

// on-step to mid-step, kick-drift-kick: v+ = (v + h/2 a) / (1 + h/2 c)
SCREE_MOTION_INLINE scree_lanes scree_motion_kick_out(scree_lanes v, scree_lanes a, scree_lanes c, double h,
                                                      bool damped)
{
    const scree_lanes half = scree_lanes_all(0.5 * h);
    const scree_lanes kicked = v + half * a;
    return damped ? kicked / (1 + half * c) : kicked;
}

// mid-step to on-step, kick-drift-kick: v = (1 - h/2 c) v- + h/2 a
SCREE_MOTION_INLINE scree_lanes scree_motion_kick_in(scree_lanes v, scree_lanes a, scree_lanes c, double h,
                                                     bool damped)
{
    const scree_lanes half = scree_lanes_all(0.5 * h);
    return damped ? (1 - half * c) * v + half * a : v + half * a;
}

// a leapfrog's damping is on-step: the same two maps, the other way round
SCREE_MOTION_INLINE scree_lanes scree_motion_leapfrog_in(scree_lanes v, scree_lanes a, scree_lanes c,
                                                         double h, bool damped)
{
    return scree_motion_kick_out(v, a, c, h, damped);
}

SCREE_MOTION_INLINE scree_lanes scree_motion_leapfrog_out(scree_lanes v, scree_lanes a, scree_lanes c,
                                                          double h, bool damped)
{
    return scree_motion_kick_in(v, a, c, h, damped);
}

// mid-step to mid-step in one go; undamped it is v- + h a with one rounding less
SCREE_MOTION_INLINE scree_lanes scree_motion_leapfrog(scree_lanes v, scree_lanes a, scree_lanes c,
                                                      double last, double h, bool damped)
{
    const scree_lanes plain = v + scree_lanes_all(0.5 * (last + h)) * a;
    if (!damped)
        return plain;
    const scree_lanes on_step = scree_motion_leapfrog_in(v, a, c, last, true);
    return scree_lanes_select(c == 0, plain, scree_motion_leapfrog_out(on_step, a, c, h, true));
}

// The place that a velocity takes a body to; the radius beside it stays.
SCREE_MOTION_INLINE scree_lanes scree_motion_drifted(const struct scree_grain *grain, scree_lanes v, double h)
{
    return scree_lanes_load(grain->position) + scree_lanes_keep(scree_lanes_free[0], scree_lanes_all(h) * v);
}

// Stores a velocity just kicked, drifts the body by it, and leaves what it lacks to be on-step.
SCREE_MOTION_INLINE void scree_motion_drift(struct scree_grain *grain, scree_lanes v, double h,
                                            scree_lanes lack)
{
    scree_lanes_store(v, grain->velocity);
    scree_lanes_store(scree_motion_drifted(grain, v, h), grain->position);
    scree_lanes_store_floats(lack, grain->half_kick);
}

#endif
