// The inside of a closed surface: whether it contains a point, its volume, and where paths cross facets.
//
// Facets are seen in their own orientation: corners are anticlockwise around the outward normal.
//
// Invariants: whether a line passes a facet on one side of an edge or the other is decided by one number that
// is the same for all facets at the edge, so a line never slips through between two facets and never meets
// both. So a point is inside or outside without error, unless it is within round-off of the surface.

#ifndef SCREE_MESH_INSIDE_H
#define SCREE_MESH_INSIDE_H

#include "base/status.h"
#include "mesh/surface.h"

// Returns whether a surface bounds a volume: each edge is passed as often in one direction as in the other.
bool scree_mesh_is_closed(const struct scree_mesh_surface *surface);

// Volume inside a closed surface; negative if its facets face inwards.
double scree_mesh_volume(const struct scree_mesh_surface *surface);

// Returns whether a point is inside a closed surface: a ray leaves it an odd number of times.
bool scree_mesh_contains(const struct scree_mesh_surface *surface, struct scree_vec3 point);

// Called for each facet that a path from one point to another crosses, in no particular order: the fraction
// of the path before the facet, and whether it crosses along the normal of the facet or against it.
typedef void scree_mesh_crossing(void *context, double fraction, bool along);

// Visits the crossings of a straight path. A point of a facet is on the side of its normal, so a path that
// goes on where another ended crosses what the other did not.
void scree_mesh_visit_crossings(const struct scree_mesh_surface *surface, struct scree_vec3 from,
                                struct scree_vec3 to, scree_mesh_crossing *visit, void *context);

// Sets the thickness of a closed surface: for each facet the distance from its centre, along the normal into
// the matter, to the next facet, if this one is opposite: turned by less than 30 degrees. Faces at a larger
// angle make an edge, not a plate. The search goes 20 sizes of a facet far. A surface that is not closed has
// no matter behind, and keeps no thickness.
SCREE_NODISCARD scree_status scree_mesh_find_thickness(struct scree_mesh_surface *surface);

#endif
