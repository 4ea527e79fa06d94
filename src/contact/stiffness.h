// Stiffness and damping of one contact, for any contact law.
//
// The law returns its tangent stiffness. The damping coefficient of the normal dashpot follows from the
// dissipation of the law, that of the tangential dashpot from its force. Tangential springs are set to zero:
// their force does not change the frequency of oscillation.

#ifndef SCREE_CONTACT_STIFFNESS_H
#define SCREE_CONTACT_STIFFNESS_H

#include "contact/interaction.h"

// Stiffnesses or damping coefficients of a contact: normal, tangential, and of rolling and twisting.
struct scree_stiffness_parts {
    double normal, tangential, rolling;
};

// Stiffnesses and damping coefficients of a contact.
struct scree_stiffness_damping {
    struct scree_stiffness_parts spring, dashpot;
};

// Geometry and mass of a contact, in its local frame.
struct scree_stiffness_contact {
    double overlap, radius, mass, arm[2];
    double speed;                // at which dashpots are evaluated, positive, m/s
    double normal_speed_squared; // of the relative velocity, m^2/s^2
    double tangential_ratio;     // tangential effective mass over effective mass
};

// Computes stiffnesses and damping coefficients of a contact, times the number of `sides` that move; returns
// false if there is no contact. `history` may be null. During an impact the stiffness is that at the largest
// overlap of the impact.
bool scree_stiffness_of_contact(const struct scree_law_class *class,
                                const struct scree_stiffness_contact *contact, const double *history,
                                double sides, struct scree_stiffness_damping *result);

// Returns the largest overlap of an impact at the speed of `contact`, at which the elastic energy equals the
// kinetic energy; at most `max_overlap`.
double scree_stiffness_impact_overlap(const struct scree_law_class *class,
                                      struct scree_stiffness_contact contact, double max_overlap);

// Returns the overlap, at most `max_overlap`, at which the force of a contact at rest reaches `force`.
double scree_stiffness_loaded_overlap(const struct scree_law_class *class,
                                      struct scree_stiffness_contact contact, double force,
                                      double max_overlap);

#endif
