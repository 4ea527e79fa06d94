// Polyhedra of fillings: tests whether they overlap balls and each other.
//
// Invariants: two bodies are free only if a plane separates them, with a margin above round-off; so a filling
// has no overlaps, and what is refused overlaps or is nearer than the margin.

#ifndef SCREE_PACK_SOLID_H
#define SCREE_PACK_SOLID_H

#include "convex/convex.h"
#include "math/mat3.h"

#include <stdbool.h>

struct scree_world;

// A polyhedron with its orientation, in one block of memory.
struct scree_pack_solid {
    // vertices in world axes from the position of the body; neighbours are borrowed, and there are no faces
    struct scree_convex shape;
    double rounding;
    double inner; // radius of a ball about the position that is inside of the body
    struct scree_vec3 vertex[];
};

// Makes a polyhedron of a shape whose lengths are multiplied by `scale`. The shape must live longer. Free
// with scree_memory_free.
SCREE_NODISCARD scree_status scree_pack_solid_make(const struct scree_convex *core, double scale,
                                                   struct scree_mat3 rotation, double rounding,
                                                   struct scree_pack_solid **solid);

// The same for a grain of a world; null if it is a ball.
SCREE_NODISCARD scree_status scree_pack_solid_of(const struct scree_world *world, size_t grain,
                                                 struct scree_pack_solid **solid);

// Whether two bodies overlap, or are nearer than the margin. Null: a ball of this radius; `between` is from
// the first to the second.
bool scree_pack_solids_overlap(const struct scree_pack_solid *first, double first_radius,
                               const struct scree_pack_solid *second, double second_radius,
                               struct scree_vec3 between);

#endif
