// Friction work and impacts of contacts with meshes, added up for each facet while the world has the column
// "wear" of facets.
//
// The parts of a contact are kept beside the contact lists, where one thread writes them, and are moved to
// the rows of facets before a search and at the end of a run.
//
// Invariants: a part is rounded to the quantum of losses of the grain (sums.h), and then added exactly
// (world/total.h): sums do not depend on order, threads, or the moments at which parts are moved. Between
// runs the rows are complete.

#ifndef SCREE_CONTACT_WALL_WEAR_H
#define SCREE_CONTACT_WALL_WEAR_H

#include "world/world.h"

struct scree_collider;
struct scree_kernel_wall;

struct scree_wall_wear_parts {
    struct scree_facet_wear *part; // by contact with a wall
    size_t count, capacity;        // count: 0 if nothing is recorded
};

// Makes room for the parts of the present contact lists, if the world records wear.
SCREE_NODISCARD scree_status scree_wall_wear_prepare(struct scree_collider *collider);

// Adds the friction loss of a contact with a mesh in a step, and the impact if the contact begins.
void scree_wall_wear_add(struct scree_collider *collider, size_t contact,
                         const struct scree_kernel_wall *wall, double friction, bool begins);

// Moves all parts to the rows of facets. Those of removed walls are dropped.
void scree_wall_wear_collect(struct scree_collider *collider);

#endif
