// Integration schemes: how bodies move under known forces, a batch at a time.
//
// A scheme is a const table; motion.def lists them. Translation and rotation have separate schemes. At step
// n, with the forces of step n in the wrenches:
//   advance   takes positions to step n + 1, and velocities as far as is possible without the forces of step
//             n + 1;
//   complete  computes on-step velocities from the forces in the wrenches, as a copy. With the forces of this
//             step they are exact for the scheme; with those of the previous step they are a prediction of
//             order 2, which loads and contact laws use (EQUATIONS 2.1).
//
// Invariant: a body flagged as on-step has an on-step velocity, or spin: no half-kick is pending. Fixed
// degrees of freedom are not accelerated. Schemes write no forces and, except for `advance_round`, no flags.

#ifndef SCREE_MOTION_MOTION_H
#define SCREE_MOTION_MOTION_H

#include "base/processor.h"
#include "math/lanes.h"
#include "math/quat.h"
#include "world/grain.h"

#include <scree/motion.h>

// Most private rows of a scheme.
enum { SCREE_MOTION_ROWS = 2 };

// A velocity gradient, by columns whose fourth numbers are 0, and its spin.
struct scree_motion_gradient {
    double column[3][4];
    double spin[4];
};

// The mean motion in a cell with cell vectors (world/lattice.h), in one step: columns of matrices, whose
// fourth numbers are 0. With the gradient D in the middle of the step, the fluctuation w of the mid-step
// velocity, and positions x from the corner,
//   v+ = P (D x + w),  x' = x + h v+,  P = (1 - h/2 D)^-1,  so  w = v+ - D (x' - h/2 v+)
// (EQUATIONS 5): forces and damping kick the fluctuation, and records have the velocity v+. In the form
// `newton` the kick includes -D w, with the gradient D' at the time of the kick, so that the half-kicks are
//   w' = (1 + h/2 D')^-1 (w + h/2 a)  into a time on-step,  w+ = (1 - h/2 D') w' + h/2 a'  out of it
// (Cayley's map again, of order 2); there is no viscous damping in these formulas.
//
// Most flows are simple: `zero` has a bit for each row of a gradient whose numbers are all +0, and for each
// number +0 of both spins `before` and `now`; `unit` for each row of `forward` that is one of the unit
// matrix, and `alone` for each row of `inverse` in which only the number on the diagonal is not 0.
struct scree_motion_flow {
    double corner[4];
    struct scree_motion_gradient before, now, middle, end; // in the middle of the last step, at its end, and
                                                           // in the middle and at the end of the next step
    double forward[3][4];
    bool steady; // the gradients in the middle of the step and before it are equal
    bool newton;
    double into_now[3][4], out_of_now[3][4], into_end[3][4]; // of the half-kicks above; only with `newton`
    double inverse[3][3]; // by rows, of the cell vectors at the end of the step
    struct {
        unsigned before, now, middle, end, spin;
    } zero;
    unsigned unit, alone;
};

struct scree_motion_step {
    double h;                             // the step to take
    double last;                          // the last step taken
    double gravity[4];                    // the fourth is 0
    const struct scree_motion_flow *flow; // null in a cell along the axes of the world
};

// Consecutive bodies, with all data that schemes may read.
struct scree_motion_batch {
    size_t count;
    const struct scree_motion_step *step;
    struct scree_grain *grain;
    struct scree_wrench *wrench;               // schemes do not write the energy accounts
    struct scree_rotor *rotor;                 // null if no body has an orientation
    const struct scree_damping *damping;       // null if no body is damped
    bool viscous;                              // some body may have viscous damping
    const struct scree_force_moment *drag;     // forces of local damping, null without
    const struct scree_force_moment *mid_step; // forces at mid-step, for `finish`
    double *row[SCREE_MOTION_ROWS];            // private rows of the scheme
    unsigned row_width[SCREE_MOTION_ROWS];     // and their number of components
};

struct scree_motion_row {
    const char *name; // null: no row
    unsigned width;
    const char *unit;
    scree_transform transform;
    const char *about;
};

struct scree_round;
struct scree_carriers;

struct scree_motion_scheme {
    const char *name;
    const char *about;
    scree_motion_kind kind;
    scree_level level; // of the velocities after `advance`
    bool leapfrog;     // the state is at mid-step: between steps the engine stores it in a row of the body
    bool contacts;     // can move bodies that touch
    bool round_only;   // cannot move general rigid bodies
    bool flow;         // can move bodies in a cell with cell vectors
    struct scree_motion_row row[SCREE_MOTION_ROWS];
    void (*advance)(const struct scree_motion_batch *batch);
    // `advance` of bodies without orientation, in one pass with the summation of forces and the update of
    // accounts (motion/round.h); null if the scheme has none
    void (*advance_round)(struct scree_round *round);
    // `advance` of bodies that carry grains, with velocity Verlet, in one pass with the summation of forces
    // and the update of the grains (motion/carriers.h); null if the scheme of rotation has none
    void (*advance_carriers)(struct scree_carriers *pass);
    // `complete` and `advance` in one pass: if `drag` is not null, first computes and applies local damping
    // of the forces; `out` receives the result of `complete`; null if the scheme has none
    void (*advance_and_complete)(const struct scree_motion_batch *batch, struct scree_force_moment *drag,
                                 struct scree_on_step *out);
    // for schemes that need loads also at mid-step: `mid_step` returns spin and orientation at mid-step, and
    // `finish` completes the step with the loads at mid-step; both null otherwise
    void (*mid_step)(const struct scree_motion_batch *batch, double (*spin)[3], double (*orientation)[4]);
    void (*finish)(const struct scree_motion_batch *batch);
    // computes the velocity, or spin and momentum for a scheme of rotation
    void (*complete)(const struct scree_motion_batch *batch, struct scree_on_step *out);
    // the prediction from the forces of the previous step, if it differs from `complete`; else null
    void (*predict)(const struct scree_motion_batch *batch, struct scree_on_step *out);
    // constraint moments of fixed spins, at the motion `on_step`; null if the scheme has no fixed spins
    void (*constraint)(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                       double (*moment)[3]);
};

#define SCREE_MOTION_SCHEME(symbol) extern const struct scree_motion_scheme scree_##symbol;
#include "motion/motion.def"
#undef SCREE_MOTION_SCHEME

// The scheme of general rigid bodies with fixed spins, for any chosen scheme.
extern const struct scree_motion_scheme scree_constrained;
// The scheme of spheres, disks and plane bodies.
extern const struct scree_motion_scheme scree_spherical;

// Finds a scheme by name; null: the default of the kind. The error lists the available names.
SCREE_NODISCARD scree_status scree_motion_find(scree_motion_kind kind, const char *name,
                                               const struct scree_motion_scheme **scheme);

// Wide vectors must not be passed in a call, and a loop can be expanded twice, with and without damping.
#define SCREE_MOTION_INLINE static inline __attribute__((always_inline))

// A loop that is compiled for wide registers too.
#define SCREE_MOTION_WIDE SCREE_PROCESSOR_WIDE

// Acceleration by a force and gravity, in world axes, zero along fixed degrees of freedom.
SCREE_MOTION_INLINE scree_lanes scree_motion_accelerated(const struct scree_motion_batch *batch, size_t i,
                                                         scree_lanes force)
{
    const struct scree_grain *grain = &batch->grain[i];
    const scree_lanes acceleration =
        force / scree_lanes_all(grain->mass) + scree_lanes_load(batch->step->gravity);
    return scree_lanes_keep(scree_lanes_free[grain->flags & 7], acceleration);
}

// Acceleration by the total force, local damping and gravity.
SCREE_MOTION_INLINE scree_lanes scree_motion_acceleration(const struct scree_motion_batch *batch, size_t i)
{
    scree_lanes force = scree_lanes_load(batch->wrench[i].force);
    if (batch->drag)
        force += (scree_lanes){batch->drag[i].force[0], batch->drag[i].force[1], batch->drag[i].force[2], 0};
    return scree_motion_accelerated(batch, i, force);
}

// Local damping: a fraction of |F| opposite to the velocity (EQUATIONS 2.3, errata 19); +0 at rest or without
// damping.
SCREE_MOTION_INLINE scree_lanes scree_motion_opposing(double fraction, scree_lanes force,
                                                      scree_lanes velocity)
{
    const scree_lanes_mask sign = (scree_lanes_mask)scree_lanes_all(-0.0);
    const scree_lanes_mask size = (scree_lanes_mask)(scree_lanes_all(fraction) * force) & ~sign;
    const scree_lanes_mask opposite_sign = ~(scree_lanes_mask)velocity & sign;
    const scree_lanes_mask active = (velocity != 0) & (scree_lanes_all(fraction) > 0) & scree_lanes_free[0];
    return scree_lanes_keep(active, (scree_lanes)(size | opposite_sign));
}

// Rate of viscous damping, in world axes, zero along fixed degrees of freedom.
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

// Stores the pending half-kick of the spin.
static inline void scree_motion_store_twist(struct scree_vec3 pending, struct scree_grain *grain)
{
    grain->half_twist[0] = (float)pending.x;
    grain->half_twist[1] = (float)pending.y;
    grain->half_twist[2] = (float)pending.z;
}

// Returns whether the velocity of a body is on-step: no half-kick is pending.
static inline bool scree_motion_is_on_step(const struct scree_motion_batch *batch, size_t i)
{
    return batch->grain[i].flags & SCREE_FLAG_MOVE_ON_STEP;
}

// Returns whether the spin of a body is on-step.
static inline bool scree_motion_spin_is_on_step(const struct scree_motion_batch *batch, size_t i)
{
    return batch->grain[i].flags & SCREE_FLAG_SPIN_ON_STEP;
}

// A matrix of a flow, by columns, times a vector; lane 3 is 0.
SCREE_MOTION_INLINE scree_lanes scree_motion_mapped(const double (*columns)[4], scree_lanes v)
{
    return scree_lanes_load(columns[0]) * scree_lanes_all(v[0]) +
           scree_lanes_load(columns[1]) * scree_lanes_all(v[1]) +
           scree_lanes_load(columns[2]) * scree_lanes_all(v[2]);
}

// Half-kicks with acceleration `a` and viscous damping `c`. Damping acts on the mid-step velocity in a
// kick-drift-kick (EQUATIONS 2.4) and on the on-step velocity in a leapfrog (EQUATIONS 2.3). If c is 0 its
// factors are exactly 1; `damped` false leaves them out, with the same bits.

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

// mid-step to on-step, leapfrog: damping is on-step, so the two maps above are exchanged
SCREE_MOTION_INLINE scree_lanes scree_motion_leapfrog_in(scree_lanes v, scree_lanes a, scree_lanes c,
                                                         double h, bool damped)
{
    return scree_motion_kick_out(v, a, c, h, damped);
}

// mid-step to mid-step; undamped it is v- + h a with one rounding less
SCREE_MOTION_INLINE scree_lanes scree_motion_leapfrog(scree_lanes v, scree_lanes a, scree_lanes c,
                                                      double last, double h, bool damped)
{
    const scree_lanes plain = v + scree_lanes_all(0.5 * (last + h)) * a;
    if (!damped)
        return plain;
    const scree_lanes on_step = scree_motion_leapfrog_in(v, a, c, last, true);
    return scree_lanes_select(c == 0, plain, scree_motion_kick_in(on_step, a, c, h, true));
}

// The position after a drift with velocity v; lane 3, the radius, does not change.
SCREE_MOTION_INLINE scree_lanes scree_motion_drifted(const struct scree_grain *grain, scree_lanes v, double h)
{
    return scree_lanes_load(grain->position) + scree_lanes_keep(scree_lanes_free[0], scree_lanes_all(h) * v);
}

// Stores the velocity after a kick, drifts the body, and stores the pending half-kick.
SCREE_MOTION_INLINE void scree_motion_drift(struct scree_grain *grain, scree_lanes v, double h,
                                            scree_lanes pending)
{
    scree_lanes_store(v, grain->velocity);
    scree_lanes_store(scree_motion_drifted(grain, v, h), grain->position);
    scree_lanes_store_floats(pending, grain->half_kick);
}

#endif
