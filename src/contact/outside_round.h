// Contacts of a polyhedron with curved walls: spheres, cylinders and cones.
//
// A body inside touches with its vertices only, because no other point of it is nearer to the wall. A solid
// sphere has one contact, with the whole body. Outside of a cylinder or cone edges touch too: by a smooth
// distance, as edges of two polyhedra do (docs/theory/polyhedra.md), so they fade where a vertex takes over.
//
// A cylinder goes on beyond its ends for bodies whose centre is between them, so that corners which a soft
// plane at an end lets through keep their contacts. `spans` means that it spans a periodic cell along its
// axis: then it goes on for all bodies and has no rims.

#ifndef SCREE_CONTACT_OUTSIDE_ROUND_H
#define SCREE_CONTACT_OUTSIDE_ROUND_H

#include "convex/pair.h"
#include "world/records.h"

#include <stdbool.h>
#include <stddef.h>

// Finds all contacts; `position` is that of the reference point of the body, whose own position is 0. At most
// `capacity` are stored, the number of all is returned.
size_t scree_outside_round_find(const struct scree_convex_body *body, struct scree_vec3 position,
                                const struct scree_wall *wall, bool spans,
                                struct scree_convex_contact *contact, size_t capacity);

// Whether edges or faces of a body may touch a rim of a cylinder or cone: contacts with rims are those of
// vertices only. Where a cylinder goes on, the body may be beyond the end by a quarter of its reach.
bool scree_outside_round_at_rim(const struct scree_convex_body *body, struct scree_vec3 position,
                                const struct scree_wall *wall, bool spans);

#endif
