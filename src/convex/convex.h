// Convex polyhedra and polygons: vertices, edges, faces, and which of them meet.
//
// A polyhedron is the set of points below the planes of all its faces. A face is a loop of corners,
// anticlockwise as seen from outside; it is flat within `flatness`, and its plane passes through the
// outermost of its corners. An edge leads from vertex[0] to vertex[1] with face[0] on its left, as seen from
// outside.
//
// A polygon (two dimensions) lies in the plane z = 0. Its sides are faces of two corners with a normal in the
// plane, and it has no edges. A triangle in space has two faces of three corners, three edges, and three
// sides of two corners, so that its points are those below all planes.
//
// Positions are relative to the reference point of the shape, which should be its centre of mass.

#ifndef SCREE_CONVEX_CONVEX_H
#define SCREE_CONVEX_CONVEX_H

#include "base/status.h"
#include "math/vec3.h"

#include <stdint.h>

// Limits, so that queries need no memory and features fit into a number of 32 bits.
#define SCREE_CONVEX_MOST_VERTICES 512
#define SCREE_CONVEX_MOST_FACES 1024

struct scree_convex_face {
    struct scree_vec3 normal; // outward, unit length
    double offset;            // of the plane along the normal
    uint32_t first, corners;  // [first, first + corners) in corner and corner_edge
};

struct scree_convex_edge {
    struct scree_vec3 direction; // unit length
    double length;
    uint32_t vertex[2];
    uint32_t face[2]; // left and right
};

struct scree_convex {
    int dimension; // 2 or 3
    uint32_t vertices, edges, faces;
    struct scree_vec3 *vertex;
    struct scree_convex_edge *edge;
    struct scree_convex_face *face;
    uint32_t *corner;               // vertices of the loops of all faces
    uint32_t *corner_edge;          // edge from a corner to the next; not used in two dimensions
    uint32_t *neighbour_first;      // [vertices + 1]
    uint32_t *neighbour;            // vertices that share an edge (a side) with a vertex
    double radius;                  // largest distance of a vertex from the reference point
    struct scree_vec3 lower, upper; // corners of the box of all vertices
    double flatness;                // largest distance of a corner from the plane of its face
};

// Smaller and larger coordinates of two points: corners of boxes.
static inline struct scree_vec3 scree_convex_lower(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_make(scree_real_min(a.x, b.x), scree_real_min(a.y, b.y), scree_real_min(a.z, b.z));
}

static inline struct scree_vec3 scree_convex_upper(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_make(scree_real_max(a.x, b.x), scree_real_max(a.y, b.y), scree_real_max(a.z, b.z));
}

// Makes a shape of loops of corners: face f has the corners [first[f], first[f + 1]) of `corner`. In two
// dimensions the loop is `corner` of a single face. Fails with a message that names face and vertex if a
// loop is not closed by neighbours, or if a vertex is more than `error` above the plane of a face.
SCREE_NODISCARD scree_status scree_convex_make(int dimension, const struct scree_vec3 *vertex,
                                               size_t vertices, const uint32_t *first, const uint32_t *corner,
                                               size_t faces, double error, struct scree_convex *shape);
void scree_convex_free(struct scree_convex *shape);

// Moves the reference point: all vertices by -`to`.
void scree_convex_recentre(struct scree_convex *shape, struct scree_vec3 to);

// Multiplies all lengths.
void scree_convex_scale(struct scree_convex *shape, double factor);

// Index of a vertex that is farthest along a direction: walks from `start` from neighbour to neighbour, or
// tries all of up to 16 vertices.
uint32_t scree_convex_support(const struct scree_convex *shape, struct scree_vec3 direction, uint32_t start);

#endif
