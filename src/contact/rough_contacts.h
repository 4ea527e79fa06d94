// Contacts of grains with rough walls in the soft engine: a grain that touches such a wall while it
// approaches it has a contact with a virtual wall, a plane that is inclined at random (law/rough_wall.h), as
// long as the contact lasts. So the force has a potential, and a collision keeps the energy that the law
// keeps.
//
// The virtual wall is tangent to the grain at the time of first touch, and moves and turns with the wall. The
// contact ends when the grain leaves the virtual wall; if it is within the real one then and moves away from
// it, nothing acts, and if it moves towards it, it gets a new virtual wall.
//
// A grain that approaches its virtual wall for the second time, or slides along it to a depth of 5 % of its
// radius, does not collide but rests between the bumps. From then on its contact is one with the real wall,
// shifted so that the gap does not jump.
//
// The values of a contact: the normal in the axes of the wall, the distance of the virtual plane from the
// reference point along it, the phase, and the shift of a contact that lasts.

#ifndef SCREE_CONTACT_ROUGH_CONTACTS_H
#define SCREE_CONTACT_ROUGH_CONTACTS_H

#include "world/world.h"

// A grain at a feature of a rough wall.
struct scree_rough_contacts_job {
    const struct scree_world *world;
    uint32_t wall;
    unsigned feature;
    const struct scree_grain *grain;
    uint64_t body;      // id
    double step;        // s, of the last step; 0 for none
    bool live, dropped; // whether it was in contact, and must not begin one, because another wall has it
};

// Begins, follows and turns the virtual wall of a contact. Returns false, and clears it, if there is none.
// `gap` receives the gap to it.
bool scree_rough_contacts_update(const struct scree_rough_contacts_job *job, double *rough, double *gap);

// The gap of a grain to its virtual wall, without a change.
bool scree_rough_contacts_gap(const struct scree_rough_contacts_job *job, const double *rough, double *gap);

// The wall that a contact is with: `wall` itself, or its virtual wall, in `plane`.
const struct scree_wall *scree_rough_contacts_wall(const struct scree_wall_contacts *walls, size_t contact,
                                                   const struct scree_wall *wall, struct scree_wall *plane);

// The virtual wall.
struct scree_wall scree_rough_contacts_plane(const struct scree_wall *wall, const double *rough);

#endif
