// Asking a law about one contact: how stiff it is and how it damps, whatever the law.
//
// A law tells its tangent stiffness. A dashpot is told from what it takes from a motion, one across the
// normal from its force. Springs across the normal are left out of the question: they say where a contact
// pulls to, not how it rings.

#ifndef SCREE_CONTACT_STIFFNESS_H
#define SCREE_CONTACT_STIFFNESS_H

#include "contact/interaction.h"

// Stiffnesses or dashpots of a contact: along the normal, across it, and against rolling and twisting.
struct scree_stiffness_parts {
    double normal, across, turning;
};

// Both of a contact.
struct scree_stiffness_damping {
    struct scree_stiffness_parts spring, dashpot;
};

// A contact as laws see it, in axes of its own.
struct scree_stiffness_contact {
    double overlap, radius, mass, arm[2];
    double speed;    // that its dashpots are asked for, positive
    double approach; // squared, how fast its sides close or part
    double turning;  // tangential effective mass over effective mass
};

// Springs and dashpots of a contact, times the number of sides that move; false where there is no contact.
// `history` is what the contact remembers, or null. What is in the middle of an impact counts as stiff as it
// is where it is deepest.
bool scree_stiffness_of_contact(const struct scree_law_class *class,
                                const struct scree_stiffness_contact *touch, const double *history,
                                double sides, struct scree_stiffness_damping *hit);

// How deep an impact at the speed of `touch` goes, at most to `size`: where what the contact stores is what
// the sides brought.
double scree_stiffness_impact_depth(const struct scree_law_class *class, struct scree_stiffness_contact touch,
                                    double size);

#endif
