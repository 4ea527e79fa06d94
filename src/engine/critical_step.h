// The critical time step, from contact stiffness, dashpots and mass.
//
// A step is stable for a body if it is below 2 / (sqrt(w^2 + c^2) + c), where w^2 = sum of k / m and c = sum
// of damping coefficients / m over the contacts of the body; a contact of two bodies counts twice, since both
// move, and a contact with a wall once (EQUATIONS 7). The stiffness k of a contact is the larger one of
// translation along its normal and of rotation of the body. In addition every body has a limit from its worst
// impact: the stiffest possible partner hits it at the largest closing speed in the world. So the limit
// includes contacts that are soft at first touch and become stiff later. This needs no list of possible pairs
// and is not too conservative: the stiffness of a Hertzian impact grows with the fifth root of its energy.
// Bonds add to the sums (critical_bonds.h).
//
// Invariant: the result is a function of the state of the world alone. Sums over contacts are sums of
// integers, so they do not depend on the order.

#ifndef SCREE_ENGINE_CRITICAL_STEP_H
#define SCREE_ENGINE_CRITICAL_STEP_H

#include "contact/collider.h"
#include "contact/stiffness.h"

// An automatic step is chosen at step numbers divisible by EVERY, a given step is checked at those divisible
// by CHECK_EVERY: a pass over all contacts costs as much as three steps.
enum { SCREE_CRITICAL_STEP_EVERY = 64, SCREE_CRITICAL_STEP_CHECK_EVERY = 256 };

// A size class: bodies of one material whose radii differ by at most an eighth.
struct scree_critical_step_bin {
    double radius, mass;                   // largest
    double min_mass;                       // kg
    struct scree_stiffness_damping impact; // of the worst impact of any of these bodies
    struct scree_stiffness_damping bed;    // of one contact in a bed, in an expected state; else 0
};

// The bodies and walls of one material.
struct scree_critical_step_material {
    double radius, mass; // largest
    double min_radius;
    double fastest;  // speed of any point of a polyhedron, or of the centre of another grain, m/s
    double rounding; // the least of polyhedra, infinite without
    size_t bodies, walls;
    bool has_fixed;     // some body of this material has a fixed position
    uint32_t low, high; // range of size classes
    size_t first;       // index of its first size class
};

struct scree_critical_step {
    SCREE_ARRAY(struct scree_critical_step_bin) bins;
    SCREE_ARRAY(struct scree_critical_step_material) materials;
    uint64_t *sums;           // during a measurement: stiffness and dashpots of each body, in units
    double unit[2];           // of stiffness and of dashpots
    double contact_stiffness; // sum over the contacts of the critical body
    double speed;             // largest closing speed
    double min_radius;        // infinite without bodies
    double displacement;      // limit of the displacement in a step, in radii; also at thin walls
    double coordination;      // in an expected state: contacts of a body in a bed; else 0
    bool at_rest;             // in an expected state: as there
    double min_velocity[3], max_velocity[3]; // ranges of the components in the last measurement
};

// The result of a measurement.
struct scree_critical_step_limit {
    double stable; // the critical step, s; infinite if nothing bounds it
    // the smaller of `stable` and twice the Rayleigh time, s; times `safety` this is the automatic step
    double recommended;
    double displacement;        // longest step that keeps displacements within their limit, s
    uint64_t body;              // critical body: the one with the shortest critical step, 0 for none
    uint64_t rayleigh_material; // material that bounds `recommended` by its Rayleigh time, 0 for none
    bool in_bed;                // in an expected state: contacts of a bed bound `stable`
    bool in_bonds;              // in an expected state: the present bonds bound `stable`
};

// An expected state: motion, and a bed of bodies under stress.
struct scree_critical_step_expected {
    double speed;        // closing speed, m/s, without the speed gained until the step is chosen again
    double body_speed;   // of the fastest body, m/s
    double coordination; // number of contacts of a body in the bed; 0 for no bed
    double stress;       // in the bed, N/m^2; in two dimensions N/m
    bool any_partner;    // contacts of the bed are those with the stiffest partner
    // the bed is at rest: bodies close with what they gain until the step is chosen again, and polyhedra
    // stand on contacts of small lever arms
    bool at_rest;
    bool with_bonds; // the present bonds do not break
};

// The cause of the critical step: a contact of the critical body, or a possible impact that would be stiffer.
struct scree_critical_step_cause {
    bool is_contact;
    uint64_t other, wall; // id of the body or the wall of the stiffest contact; 0 for none
    uint64_t bond;        // id, if the stiffest one is a bond, else 0
    uint64_t material;    // of the partner of the worst impact; 0 for none
    double radius;        // of this partner; 0 for a wall
    double speed;         // largest closing speed, m/s
};

// Measures the limit. The contact lists must be valid for the present positions; `evaluated`: their live bits
// are valid too. The closing speed includes the speed gained by acceleration in SCREE_CRITICAL_STEP_EVERY
// steps of length `fixed`, or, if `fixed` is 0, of length `safety` times the limit.
SCREE_NODISCARD scree_status scree_critical_step_measure(struct scree_critical_step *critical,
                                                         const struct scree_collider *collider,
                                                         bool evaluated, double fixed, double safety,
                                                         struct scree_critical_step_limit *limit);

// The critical step, s, as if all bodies and walls were at rest and nothing touched: the worst impact after
// acceleration for SCREE_CRITICAL_STEP_EVERY steps of `step` s. Contact lists are not used.
SCREE_NODISCARD scree_status scree_critical_step_at_rest(struct scree_critical_step *critical,
                                                         const struct scree_collider *collider, double step,
                                                         double *stable);

// Measures the limit for the present bodies and walls in an expected state. Contact lists are not used.
// `fixed` and `safety` as above.
SCREE_NODISCARD scree_status scree_critical_step_foresee(struct scree_critical_step *critical,
                                                         const struct scree_collider *collider,
                                                         const struct scree_critical_step_expected *expected,
                                                         double fixed, double safety,
                                                         struct scree_critical_step_limit *limit);

// Finds the cause of the limit measured last.
void scree_critical_step_explain(const struct scree_critical_step *critical,
                                 const struct scree_collider *collider, bool evaluated,
                                 const struct scree_critical_step_limit *limit,
                                 struct scree_critical_step_cause *cause);

// The automatic step for a limit, rounded down to one of sixteen values per power of two, so that small
// changes of the limit do not change the step.
double scree_critical_step_choose(const struct scree_critical_step_limit *limit, double safety);

void scree_critical_step_free(struct scree_critical_step *critical);

#endif
