// The critical time step, from contact stiffness, dashpots and mass.
//
// A step is stable for a body while it is below 2 / (sqrt(w^2 + c^2) + c), where w^2 = sum of k / m and c =
// sum of dashpots / m over the contacts of the body; a contact of two bodies counts twice, since both move,
// and a contact with a wall once (EQUATIONS 7). The stiffness of a contact is that along its normal or that
// of the rotation of the body, whichever is larger. In addition, every body is bounded by the worst impact:
// the stiffest partner hits it at the largest closing speed in the world, to the overlap at which it is
// stopped. So a contact that is soft at first touch is accounted for before it becomes stiff. This needs no
// list of possible pairs and is not too conservative: the stiffness of a Hertzian impact grows with the
// fifth root of its energy.
//
// Invariant: the result is a function of the state of the world alone. Sums over contacts are sums of
// integers, so they do not depend on the order.

#ifndef SCREE_ENGINE_CRITICAL_STEP_H
#define SCREE_ENGINE_CRITICAL_STEP_H

#include "contact/collider.h"
#include "contact/stiffness.h"

// An automatic step is chosen at step numbers divisible by the first, and a given step is checked at those
// divisible by the second: a pass over all contacts costs as much as three steps.
enum { SCREE_CRITICAL_STEP_EVERY = 64, SCREE_CRITICAL_STEP_CHECK_EVERY = 256 };

// A size class: bodies of one material whose radii differ by at most an eighth. Each value is a bound for all
// of these bodies.
struct scree_critical_step_bin {
    double radius, mass; // largest
    double least;        // smallest mass
    struct scree_stiffness_damping impact;
};

// The bodies and walls of one material.
struct scree_critical_step_material {
    double radius, mass; // largest
    double smallest;     // smallest radius
    size_t bodies, walls;
    bool has_fixed;     // some body of this material is fixed in place
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
    double smallest;          // radius; infinite without bodies
    double displacement;      // limit of the displacement in a step, in radii
    double least[3], most[3]; // range of velocity components in the last measurement
};

// The result of a measurement.
struct scree_critical_step_limit {
    double stable; // the critical step, s; infinite if nothing bounds it
    double
        recommended; // s: the smaller of this and twice the Rayleigh time; times `safety`: the automatic step
    double displacement;        // s: longest step that keeps displacements within their limit
    uint64_t body;              // critical body: the one with the shortest critical step, 0 for none
    uint64_t rayleigh_material; // material that bounds `recommended` by its Rayleigh time, 0 for none
};

// What bounds the step of the critical body: one of its contacts, or an impact that would be stiffer.
struct scree_critical_step_cause {
    bool is_contact;
    uint64_t other, wall; // id of the body or the wall of the stiffest contact; 0 for none
    uint64_t material;    // of the partner of the worst impact; 0 for none
    double radius;        // of the same partner; 0 for a wall
    double speed;         // largest closing speed, m/s
};

// Measures the limit. The contact lists must be valid for the present positions; `evaluated`: their live bits
// are valid too. The closing speed includes the speed gained by acceleration in SCREE_CRITICAL_STEP_EVERY
// steps of `fixed` s, or if that is 0, of `safety` times the limit.
SCREE_NODISCARD scree_status scree_critical_step_measure(struct scree_critical_step *critical,
                                                         const struct scree_collider *collider,
                                                         bool evaluated, double fixed, double safety,
                                                         struct scree_critical_step_limit *limit);

// The critical step, s, as if all bodies and walls were at rest and nothing touched: the worst impact after
// acceleration for SCREE_CRITICAL_STEP_EVERY steps of `step` s. Contact lists are not used.
SCREE_NODISCARD scree_status scree_critical_step_at_rest(struct scree_critical_step *critical,
                                                         const struct scree_collider *collider, double step,
                                                         double *stable);

// Finds what causes the limit that was just measured.
void scree_critical_step_explain(const struct scree_critical_step *critical,
                                 const struct scree_collider *collider, bool evaluated,
                                 const struct scree_critical_step_limit *limit,
                                 struct scree_critical_step_cause *cause);

// The automatic step for a limit, rounded down to one of sixteen values per power of two, so that small
// changes of the limit do not change the step.
double scree_critical_step_choose(const struct scree_critical_step_limit *limit, double safety);

void scree_critical_step_free(struct scree_critical_step *critical);

#endif
