// Stiffness and damping of one contact, for any contact law.
//
// The law returns its tangent stiffness. The normal dashpot is derived from its dissipation, the tangential
// dashpot from its force. Tangential springs are taken as unloaded: their force does not change the frequency
// of oscillation.

#ifndef SCREE_CONTACT_STIFFNESS_H
#define SCREE_CONTACT_STIFFNESS_H

#include "contact/interaction.h"

// Stiffnesses or dashpots of a contact: normal, tangential, and of rolling and twisting.
struct scree_stiffness_parts {
    double normal, tangential, rolling;
};

// Stiffnesses and dashpots of a contact.
struct scree_stiffness_damping {
    struct scree_stiffness_parts spring, dashpot;
};

// Geometry and mass of a contact, in its local frame.
struct scree_stiffness_contact {
    double overlap, radius, mass, arm[2];
    double speed;            // at which dashpots are evaluated, positive, m/s
    double approach;         // squared normal relative velocity, m^2/s^2
    double tangential_ratio; // tangential effective mass over effective mass
};

// Springs and dashpots of a contact, times the number of `sides` that move; returns false if there is no
// contact. `history` may be null. During an impact the stiffness is that of its deepest point.
bool scree_stiffness_of_contact(const struct scree_law_class *class,
                                const struct scree_stiffness_contact *touch, const double *history,
                                double sides, struct scree_stiffness_damping *hit);

// Largest overlap of an impact at the speed of `touch`, at most `size`: elastic energy equals the kinetic
// energy.
double scree_stiffness_impact_depth(const struct scree_law_class *class, struct scree_stiffness_contact touch,
                                    double size);

#endif
