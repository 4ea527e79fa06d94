// Stiffness of contacts, and its sum over the contacts and bonds of each body; part of the critical step, see
// critical_step.h.

#ifndef SCREE_ENGINE_CRITICAL_CONTACTS_H
#define SCREE_ENGINE_CRITICAL_CONTACTS_H

#include "engine/lever.h"

// Sums of stiffness and dashpots over contacts.
struct scree_critical_contacts {
    struct scree_critical_step *critical;
    const struct scree_step_inputs *inputs;
    bool evaluated;
};

// A contact: its stiffness and dashpots, its normal, towards the first grain, and at a wall its point.
struct scree_critical_contacts_touch {
    struct scree_stiffness_damping stiffness;
    double normal[3], point[3];
};

// Stiffness and dashpots of a pair. Returns false without contact, or if both sides are completely fixed.
bool scree_critical_contacts_pair(const struct scree_critical_contacts *scan, size_t candidate,
                                  struct scree_critical_contacts_touch *touch);

// The same for a wall contact; the wall may be the side that moves.
bool scree_critical_contacts_wall(const struct scree_critical_contacts *scan, size_t contact,
                                  struct scree_critical_contacts_touch *touch);

// The stiffness of the contacts of a pair from outside for one of its sides, 0 without contact.
double scree_critical_contacts_outside(const struct scree_critical_contacts *scan, size_t pair, int side);

// Lever arms of a side of a contact; `sign` is -1 for the second grain.
struct scree_lever scree_critical_contacts_lever(const struct scree_step_inputs *inputs, size_t slot,
                                                 const struct scree_critical_contacts_touch *touch,
                                                 double sign);

// Adds all contacts and bonds to the sums of their bodies.
void scree_critical_contacts_sum(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                                 bool evaluated);

#endif
