// The pace: how long a time step may be, from the stiffness and mass of what is there.
//
// A step is stable for a body while it is below 2 / (sqrt(w^2 + c^2) + c), where w^2 = sum of k / m and c =
// sum of dashpots / m over what the body touches, each taken twice between bodies, which move both, and once
// at walls (EQUATIONS 7). A contact counts along its normal, or by the turning of the body, whichever is the
// stiffer. And were it free of what it touches, every body counts as struck by the worst partner there is, at
// the speed that any two things here can close with, deep enough to stop it: a contact that is soft at first
// touch is counted before it is hard. That asks for no list of who may meet whom, and is not far off: the
// stiffness of a Hertzian impact goes with the fifth root of its energy.
//
// What always holds: the result is a function of the world's state alone. Sums over contacts are sums of
// whole numbers, so that their order does not show.

#ifndef SCREE_ENGINE_CRITICAL_STEP_H
#define SCREE_ENGINE_CRITICAL_STEP_H

#include "contact/collider.h"
#include "contact/stiffness.h"

// Steps are chosen at step numbers divisible by the first, and those that are given are checked at those
// divisible by the second: a look at all contacts costs as much as three steps.
enum { SCREE_CRITICAL_STEP_EVERY = 64, SCREE_CRITICAL_STEP_CHECKED = 256 };

// Bodies of one material whose radii differ by an eighth at most.
struct scree_critical_step_bin {
    double radius, mass; // the largest
    double least;        // the smallest mass
    struct scree_stiffness_damping hit;
};

// All bodies of one material, and the walls of it.
struct scree_critical_step_kind {
    double radius, mass; // the largest
    double smallest;     // radius
    size_t bodies, walls;
    bool held;          // some body of it is held in place
    uint32_t low, high; // classes of size
    size_t first;       // its bins
};

struct scree_critical_step {
    SCREE_ARRAY(struct scree_critical_step_bin) bins;
    SCREE_ARRAY(struct scree_critical_step_kind) kinds; // by material
    uint64_t *sums;                                     // by body while measuring: stiffness, then dashpots
    double unit[2];                                     // that these count in
    double pressed;           // stiffness of what the body touches that rings fastest
    double speed;             // that two things can close with
    double smallest;          // radius; infinite without bodies
    double displacement;      // radii that a body may go in a step
    double least[3], most[3]; // components of velocities in the last measurement
};

// What came out.
struct scree_critical_step_limit {
    double stable; // s; infinite where nothing bounds the step
    double advice; // s: the least of this and twice the Rayleigh time; a step is a safety factor times it
    double displacement; // s: nor longer than this, so that nothing goes too far for its size
    uint64_t body;       // the one that is fastest to ring, 0 for none
    uint64_t wave;       // the material whose Rayleigh time is the least, 0 for none
};

// What the body that rings fastest rings against: what it touches, or, stiffer than that, what could strike
// it.
struct scree_critical_step_why {
    bool touches;
    uint64_t other, wall; // ids of what it touches: a body, or a wall; 0 for none
    uint64_t material;    // of what could strike it; 0 for nothing
    double radius;        // and its radius, 0 for a wall
    double speed;         // that two things here can close with, m/s
};

// Measures the limit. The lists of contacts are those of what lies where now; `evaluated` says that their
// live bits are, too. Bodies fall for SCREE_CRITICAL_STEP_EVERY steps: of `fixed` s, or where that is 0, of
// `safety` times the limit.
SCREE_NODISCARD scree_status scree_critical_step_measure(struct scree_critical_step *critical,
                                                         const struct scree_collider *collider,
                                                         bool evaluated, double fixed, double safety,
                                                         struct scree_critical_step_limit *limit);

// The longest stable step, s, of what is there if it were at rest and nothing touched: it falls for
// SCREE_CRITICAL_STEP_EVERY steps of `step` s and strikes. The lists of contacts do not matter.
SCREE_NODISCARD scree_status scree_critical_step_ceiling(struct scree_critical_step *critical,
                                                         const struct scree_collider *collider, double step,
                                                         double *stable);

// Tells why the limit just measured is what it is.
void scree_critical_step_explain(const struct scree_critical_step *critical,
                                 const struct scree_collider *collider, bool evaluated,
                                 const struct scree_critical_step_limit *limit,
                                 struct scree_critical_step_why *why);

// The step for a limit: rounded down to one of sixteen from a power of two to the next, so that it stays
// where hardly anything changes.
double scree_critical_step_choose(const struct scree_critical_step_limit *limit, double safety);

void scree_critical_step_free(struct scree_critical_step *critical);

#endif
