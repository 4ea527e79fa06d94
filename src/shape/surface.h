// Surface: distance and direction from a wall to the centre of a grain.
//
// A wall with one feature touches a grain at its nearest point, which may be on an edge, corner or rim. A box
// with bodies inside has one feature per face, each a half-space.
//
// Invariants: the gap is accurate to a few roundings of the coordinates relative to the wall; the normal is a
// unit vector. If the normal is not unique (centre on the surface, on an axis of revolution, or at the centre
// of a sphere), a fixed choice is made.

#ifndef SCREE_SHAPE_SURFACE_H
#define SCREE_SHAPE_SURFACE_H

#include "mesh/tree.h"
#include "world/records.h"

#include <scree/wall.h>

#include <stdbool.h>

struct scree_surface_touch {
    double gap;       // distance from the surface to the centre; negative inside the wall
    double normal[3]; // from the surface to the centre, out of the wall
    double point[3];  // nearest point of the surface
};

// Number of features of a wall, numbered 0, 1, ...: one grain can have one contact with each. Those of a mesh
// are its facets; find those near a grain by a query.
static inline unsigned scree_surface_features(const struct scree_wall *wall)
{
    return wall->shape == SCREE_WALL_MESH ? (unsigned)wall->facets : wall->features;
}

// Search for the features near a point: all of a simple wall, or the facets of a mesh within a distance.
struct scree_surface_query {
    struct scree_mesh_query mesh;
    unsigned next, features; // of a simple wall
};

void scree_surface_query_begin(struct scree_surface_query *query, const struct scree_wall *wall,
                               const double centre[3], double range);

// Finds the next feature; returns false at the end.
bool scree_surface_query_next(struct scree_surface_query *query, unsigned *feature);

// Returns whether the gap is at most `range`, computed with the same bits as in scree_surface_touch.
bool scree_surface_within(const struct scree_wall *wall, unsigned feature, const double centre[3],
                          double range);

// Whether a grain near the wall touches this feature: false for a facet if another facet is nearer, or has
// the contact at their common edge.
bool scree_surface_is_contact(const struct scree_wall *wall, unsigned feature, const double centre[3]);

void scree_surface_touch(const struct scree_wall *wall, unsigned feature, const double centre[3],
                         struct scree_surface_touch *touch);

#endif
