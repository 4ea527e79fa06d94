// One contact with a fixed normal, integrated by velocity Verlet; for tests of contact laws without the
// engine.
//
// The unknowns are the overlap, which moves with the effective mass, and the tangential velocity of the
// contact point, which moves with the effective tangential mass (moments of inertia included). Lever arms are
// the radii. Forces get the predicted on-step velocities, tangential springs the mid-step ones
// (docs/theory/time-levels.md).

#ifndef SCREE_SUPPORT_IMPACT_H
#define SCREE_SUPPORT_IMPACT_H

#include <scree/law.h>

struct scree_impact {
    const struct scree_contact_law *law;
    double constants[SCREE_LAW_CONSTANTS];
    double radius, mass, mass_tangential;
    double time, step;
    double overlap, normal_velocity; // minus the rate of the overlap: negative when the sides come closer
    struct scree_law_vector tangential_velocity; // tangential velocity of the contact point
    double half_normal_velocity;                 // mid-step value of the last step
    struct scree_law_vector tangential_acceleration;
    double normal_acceleration;
    double history[SCREE_LAW_HISTORY];
    struct scree_law_reply reply;       // the reply of the last step; zero after the contact has ended
    double friction, dashpot, internal; // dissipated so far
};

// Fills the constants of a law. `values` is a list of parameter names and values, ended by a null name; other
// parameters get their defaults. Word choices are given by number. Returns the result of prepare().
struct scree_impact_value {
    const char *name;
    double value;
};
const char *scree_impact_prepare(const struct scree_contact_law *law, const struct scree_impact_value *values,
                                 const double (*property)[2], int dimension, double *constants);

// Evaluates the force of the present state with step 0: at the start, or after the test has changed the
// state.
void scree_impact_evaluate(struct scree_impact *impact);

// Dissipation of the dashpots in one step at the present power, with or without slip.
double scree_impact_dashpot_loss(struct scree_law_reply reply, double step);

// Advances one step. Returns false if the contact has ended.
bool scree_impact_step(struct scree_impact *impact);

// Kinetic energy, stored energy and all dissipation. Half of the last dashpot dissipation is subtracted,
// because the velocities do not contain it yet.
double scree_impact_energy(const struct scree_impact *impact);

// Advances from first touch until the contact ends: when the overlap is zero, or with `until_attraction`,
// when the normal force is no longer repulsive. The final state is interpolated to that instant, to order 2.
void scree_impact_run(struct scree_impact *impact, bool until_attraction);

#endif
