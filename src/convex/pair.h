// Queries between two convex bodies: contacts, distance, penetration and overlap. No query allocates memory.
//
// A body is a polyhedron (polygon) and a rounding radius: all points within the radius of the polyhedron. The
// sides may be exchanged: normals change their sign, and no other bit changes, provided that the positions
// are exchanged exactly.
//
// Lengths and directions are in world axes; points are relative to the position of side a.

#ifndef SCREE_CONVEX_PAIR_H
#define SCREE_CONVEX_PAIR_H

#include "convex/convex.h"
#include "math/mat3.h"

#include <stdbool.h>

struct scree_convex_body {
    const struct scree_convex *shape;
    struct scree_vec3 position; // of the reference point
    struct scree_mat3 rotation; // from the axes of the shape to those of the world
    double rounding;            // radius, m
};

// What touches. A vertex is the ball at a vertex of one side, against the whole of the other side.
enum scree_convex_feature {
    SCREE_CONVEX_VERTEX_A, // first number: vertex of a
    SCREE_CONVEX_VERTEX_B, // second number: vertex of b
    SCREE_CONVEX_EDGES     // edge of a, edge of b
};

// A contact of a pair. A pair has several at a time, one for each feature.
struct scree_convex_contact {
    struct scree_vec3 point;  // in the middle of the overlap
    struct scree_vec3 normal; // unit length, from a to b
    double overlap;           // m, positive
    // factor of the normal force of the law, see docs/theory/polyhedra.md; 1 for vertices, at most 1 for
    // edges
    double share;
    // key: unique within the pair, and the same in the next step for the same vertex or edges
    uint32_t feature;
};

static inline uint32_t scree_convex_feature_make(enum scree_convex_feature kind, uint32_t a, uint32_t b)
{
    return (uint32_t)kind << 30 | a << 15 | b;
}

// Finds all contacts. At most `capacity` are stored; the number of all is returned.
//
// `axis` is a direction from a to b, for example the result of the last step, or 0: it makes the query faster
// and changes no result. It is replaced by the one that was used.
//
// Each contact is a potential of the pair's positions alone: a law whose normal force is a function of the
// overlap, times `share`, conserves energy. The stored energy is the law's, without the factor.
size_t scree_convex_contacts(const struct scree_convex_body *a, const struct scree_convex_body *b,
                             struct scree_vec3 *axis, struct scree_convex_contact *contact, size_t capacity);

// Contact of a body (side a) with a sphere. Returns whether there is one.
bool scree_convex_sphere_contact(const struct scree_convex_body *body, struct scree_vec3 centre,
                                 double radius, struct scree_convex_contact *contact);

// Contacts of a body (side a) with what is below a plane: normal x < offset. The number of all is returned.
size_t scree_convex_plane_contacts(const struct scree_convex_body *body, struct scree_vec3 normal,
                                   double offset, struct scree_convex_contact *contact, size_t capacity);

// Radius of curvature for laws that have one, such as Hertz's: the same for all contacts of a pair, so that
// the law is a function of the overlap alone.
static inline double scree_convex_curvature(const struct scree_convex_body *a,
                                            const struct scree_convex_body *b)
{
    return 0.5 * (a->rounding + b->rounding);
}

// Distance of two bodies, or penetration.
struct scree_convex_gap {
    double gap;                 // m; negative: the shortest translation that separates them
    struct scree_vec3 normal;   // unit length, from a to b
    struct scree_vec3 point[2]; // nearest (deepest) points of the surfaces of a and b
};

struct scree_convex_gap scree_convex_distance(const struct scree_convex_body *a,
                                              const struct scree_convex_body *b);

// Whether a plane separates two bodies by more than 2^-40 of their size and distance, which is more than
// round-off: then the gap is positive. Only vertices and their neighbours are used, so a ball may be a body
// of one vertex, and a flat body may have no faces. Up to 16 vertices need no neighbours.
bool scree_convex_are_apart(const struct scree_convex_body *a, const struct scree_convex_body *b);

// Overlap of the two polyhedra without rounding (polygons: areas and lengths for volumes and areas).
struct scree_convex_overlap {
    double volume;
    struct scree_vec3 centroid;
    struct scree_vec3 area;   // integral of the normal over the surface of a inside of b
    struct scree_vec3 moment; // integral of x cross normal over the same surface, about the position of a
    // moving b by d and turning it by t about the position of a changes the volume by -(d area + t moment)
};

// Returns false, and sets all to 0, if the polyhedra do not overlap.
bool scree_convex_overlap(const struct scree_convex_body *a, const struct scree_convex_body *b,
                          struct scree_convex_overlap *overlap);

#endif
