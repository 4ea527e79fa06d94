// Surface of triangles (facets) that bodies touch: topology, flat patches, and contacts with points.
//
// A contact of a sphere is a local minimum of the distance from its centre to the surface: the centre is over
// the inside of a facet; or over an edge, and outside of all facets at the edge; or nearest to a vertex of
// all edges at the vertex. So an edge or vertex counts once, and edges between faces that the centre is over
// do not count. The tests that divide these regions are the same numbers for all facets that share an edge
// or vertex, so regions neither overlap nor leave gaps, whatever the round-off.
//
// Facets that lie in one plane and share edges are a patch. All facets of a patch have the plane of the
// patch, so a contact does not depend on how a plane is divided in triangles, not even in its last bit.
//
// The surface has no thickness and no orientation: it pushes a sphere to the side on which the centre is.
//
// Positions are relative to the reference point of the surface.

#ifndef SCREE_MESH_SURFACE_H
#define SCREE_MESH_SURFACE_H

#include "math/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A facet. Side k leads from vertex k to vertex k + 1.
struct scree_mesh_facet {
    struct scree_vec3 normal; // of the patch, unit length
    double offset;            // of the plane of the patch along its normal
    struct {
        struct scree_vec3 inward; // in the plane, perpendicular to the side, unit length
        double offset;
        double sign; // the inside of the facet is where sign (inward p - offset) is positive
    } side[3];
    uint32_t vertex[3], edge[3];
    uint32_t patch; // number of the facet from which the patch was found
    uint8_t flat;   // one bit per side: the patch goes on beyond it
};

// An edge leads from its vertex of lower number to the other.
struct scree_mesh_surface_edge {
    struct scree_vec3 start, direction; // unit length
    double length;
    uint32_t vertex[2];
    uint32_t first, facets; // facets at the edge: [first, first + facets) in edge_facet
    double cosine; // of the angle between the normals of two facets, pointing to the same side; else -1
    bool flat;     // within a patch
};

// A facet at an edge, and which of its sides the edge is.
struct scree_mesh_edge_facet {
    uint32_t facet, side;
};

struct scree_mesh_box {
    double lower[3], upper[3];
};

// Invariants: all sides of facets have a length, and all facets an area.
struct scree_mesh_surface {
    size_t facets, vertices, edges;
    struct scree_mesh_facet *facet;
    struct scree_mesh_surface_edge *edge;
    struct scree_mesh_edge_facet *edge_facet; // [3 * facets]
    double (*vertex)[3];
    uint32_t *vertex_first; // [vertices + 1]: edges at a vertex
    uint32_t *vertex_edge;  // [2 * edges]
    double smooth_cosine;   // of the largest angle at which two faces count as one, see wall.h
    double flatness;        // largest distance of a facet from the plane of its patch, m
    double radius;          // largest distance of a vertex from the reference point, m
    // [facets]: distance through the matter behind a facet, m, see inside.h; null if it is nowhere known
    double *thickness;
    double thinnest; // the least of them, infinite without
    // tree of boxes, see tree.h
    struct scree_mesh_box *box;
    uint32_t *order; // [facets]: along a curve through space
    size_t level[16];
    int levels;
};

// Where on a facet the nearest point is. The order of the numbers is used.
enum scree_mesh_region {
    SCREE_MESH_FACE,
    SCREE_MESH_EDGE,          // of side 0, 1, 2
    SCREE_MESH_VERTEX = 4,    // 0, 1, 2
    SCREE_MESH_NO_CONTACT = 7 // another facet is nearer, or has this contact
};

// Distance from a contact point, and direction from there.
struct scree_mesh_gap {
    double gap;
    struct scree_vec3 normal; // unit length
};

// The region of a facet that is nearest to a point.
int scree_mesh_nearest_region(const struct scree_mesh_surface *surface, uint32_t facet,
                              struct scree_vec3 point);

// The region in which a sphere with this centre has a contact that belongs to the facet, or
// SCREE_MESH_NO_CONTACT. The contact at an edge or vertex belongs to the facet of lowest number.
int scree_mesh_contact_region(const struct scree_mesh_surface *surface, uint32_t facet,
                              struct scree_vec3 point);

// Gap of a region of a facet; a face is continued as a plane, an edge as a line.
struct scree_mesh_gap scree_mesh_region_gap(const struct scree_mesh_surface *surface, uint32_t facet,
                                            int region, struct scree_vec3 point);

// Returns false only if the facet is farther from the point than `range`: a first test, from the plane and
// the three sides of the facet alone. Heights over them are wrong by a few round-offs of the largest
// coordinate.
static inline bool scree_mesh_may_reach(const struct scree_mesh_surface *surface, uint32_t number,
                                        struct scree_vec3 point, double range)
{
    const struct scree_mesh_facet *facet = &surface->facet[number];
    const double reach = range * (1 + 1e-9) + 2 * surface->flatness + 1e-14 * surface->radius;
    const double height = scree_vec3_dot(facet->normal, point) - facet->offset;
    const double across = reach * reach - height * height;
    bool near = across >= 0;
    for (int k = 0; k < 3; ++k) {
        const double inside =
            facet->side[k].sign * (scree_vec3_dot(facet->side[k].inward, point) - facet->side[k].offset);
        near = near && (inside >= 0 || inside * inside <= across);
    }
    return near;
}

// Whether two facets share a vertex or a patch: a contact that leaves one can go on at the other.
bool scree_mesh_facets_meet(const struct scree_mesh_surface *surface, uint32_t a, uint32_t b);

#endif
