// Driving a contact law alone: one contact with a frozen normal, moved by velocity Verlet.
//
// What moves is the overlap, with the effective mass, and the contact point across the normal, with the
// effective mass that includes the inertias; arms are radii. Nothing of the engine is in it. Forces see the
// predicted on-step velocities and springs the mid-step ones, as EQUATIONS 2.1 has it.

#ifndef SCREE_SUPPORT_IMPACT_H
#define SCREE_SUPPORT_IMPACT_H

#include <scree/law.h>

struct scree_impact {
    const struct scree_contact_law *law;
    double constants[SCREE_LAW_CONSTANTS];
    double radius, mass, mass_tangential;
    double time, step;
    double overlap, approach;     // approach is negative when closing
    struct scree_law_vector slip; // of the contact point, across z
    double half_approach;         // after the last step
    struct scree_law_vector push; // accelerations: across the normal, and
    double pull;                  // along it
    double history[SCREE_LAW_HISTORY];
    struct scree_law_reply reply;       // the last one of a live contact, zero where it is not
    double friction, dashpot, internal; // lost so far
};

// Looks up a parameter's place and fills a law's constants: pairs of a name and a value, closed by null; what
// is not named has its fallback. Words of choices are given by number. Returns prepare's text.
struct scree_impact_value {
    const char *name;
    double value;
};
const char *scree_impact_prepare(const struct scree_contact_law *law, const struct scree_impact_value *values,
                                 const double (*property)[2], int dimension, double *constants);

// Evaluates the force of the state and books nothing: a start, or a state changed by hand.
void scree_impact_look(struct scree_impact *impact);

// What dashpots lose in a step at the power of the moment, slipping or not.
double scree_impact_ahead(struct scree_law_reply reply, double step);

// One step; false when the contact is not live after it.
bool scree_impact_step(struct scree_impact *impact);

// Kinetic energy, stored energy and all losses, with the half of the dashpots' last loss that the velocities
// have not felt yet taken off.
double scree_impact_energy(const struct scree_impact *impact);

// Steps from first touch until the contact ends: the overlap is gone, or with `pressing`, the normal force no
// longer presses. The state then is interpolated to that instant by the last forces, to order 2.
void scree_impact_run(struct scree_impact *impact, bool pressing);

#endif
