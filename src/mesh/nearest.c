// Nearest regions of facets and their gaps, see surface.h.

#include "mesh/surface.h"

// Height over side k: positive where the point is over the inside. On an edge within a patch the facet to the
// left of the edge contains the edge, and the other does not.
static inline bool is_inside(const struct scree_mesh_facet *facet, int k, struct scree_vec3 point)
{
    const double height = scree_vec3_dot(facet->side[k].inward, point) - facet->side[k].offset;
    if (facet->flat >> k & 1)
        return facet->side[k].sign > 0 ? height >= 0 : height < 0;
    return facet->side[k].sign * height > 0;
}

// Distance of the foot of a point on an edge from the start of the edge.
static inline double along(const struct scree_mesh_surface_edge *edge, struct scree_vec3 point)
{
    return scree_vec3_dot(edge->direction, scree_vec3_sub(point, edge->start));
}

static inline struct scree_vec3 vertex_of(const struct scree_mesh_surface *surface, uint32_t vertex)
{
    return scree_vec3_load(surface->vertex[vertex]);
}

int scree_mesh_nearest_region(const struct scree_mesh_surface *surface, uint32_t number,
                              struct scree_vec3 point)
{
    const struct scree_mesh_facet *facet = &surface->facet[number];
    int outside = 0;
    for (int k = 0; k < 3; ++k)
        outside |= is_inside(facet, k, point) ? 0 : 1 << k;
    if (!outside)
        return SCREE_MESH_FACE;
    for (int k = 0; k < 3; ++k) {
        const struct scree_mesh_surface_edge *edge = &surface->edge[facet->edge[k]];
        const double t = along(edge, point);
        if (outside >> k & 1 && t > 0 && t < edge->length)
            return SCREE_MESH_EDGE + k;
    }
    int nearest = 0;
    double least = (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
        const double square =
            scree_vec3_norm_squared(scree_vec3_sub(point, vertex_of(surface, facet->vertex[k])));
        nearest = square < least ? k : nearest;
        least = square < least ? square : least;
    }
    return SCREE_MESH_VERTEX + nearest;
}

// Whether the edge is the nearest part of all facets at it, and the facet the first of them.
static bool has_edge_contact(const struct scree_mesh_surface *surface, uint32_t number, int side,
                             struct scree_vec3 point)
{
    const struct scree_mesh_surface_edge *edge = &surface->edge[surface->facet[number].edge[side]];
    const struct scree_mesh_edge_facet *at = &surface->edge_facet[edge->first];
    if (edge->flat || at[0].facet != number)
        return false;
    for (uint32_t n = 0; n < edge->facets; ++n)
        if (is_inside(&surface->facet[at[n].facet], (int)at[n].side, point))
            return false;
    return true;
}

// Whether the vertex is the nearest point of all edges at it, so of all facets; and the facet the first.
static bool has_vertex_contact(const struct scree_mesh_surface *surface, uint32_t number, uint32_t vertex,
                               struct scree_vec3 point)
{
    for (uint32_t n = surface->vertex_first[vertex]; n < surface->vertex_first[vertex + 1]; ++n) {
        const struct scree_mesh_surface_edge *edge = &surface->edge[surface->vertex_edge[n]];
        const double t = along(edge, point);
        if (edge->vertex[0] == vertex ? t > 0 : t < edge->length)
            return false;
        for (uint32_t m = 0; m < edge->facets; ++m)
            if (surface->edge_facet[edge->first + m].facet < number)
                return false;
    }
    return true;
}

int scree_mesh_contact_region(const struct scree_mesh_surface *surface, uint32_t facet,
                              struct scree_vec3 point)
{
    const int region = scree_mesh_nearest_region(surface, facet, point);
    if (region == SCREE_MESH_FACE)
        return region;
    const bool has =
        region < SCREE_MESH_VERTEX
            ? has_edge_contact(surface, facet, region - SCREE_MESH_EDGE, point)
            : has_vertex_contact(surface, facet, surface->facet[facet].vertex[region - SCREE_MESH_VERTEX],
                                 point);
    return has ? region : SCREE_MESH_NO_CONTACT;
}

// Gap and direction from the nearest point of an edge or a vertex; on it, the normal of the facet.
static struct scree_mesh_gap from_point(const struct scree_mesh_facet *facet, struct scree_vec3 away)
{
    const double gap = scree_vec3_norm(away);
    return (struct scree_mesh_gap){gap, gap > 0 ? scree_vec3_scale(away, 1 / gap) : facet->normal};
}

struct scree_mesh_gap scree_mesh_region_gap(const struct scree_mesh_surface *surface, uint32_t number,
                                            int region, struct scree_vec3 point)
{
    const struct scree_mesh_facet *facet = &surface->facet[number];
    if (region == SCREE_MESH_FACE) {
        const double height = scree_vec3_dot(facet->normal, point) - facet->offset;
        return (struct scree_mesh_gap){fabs(height),
                                       height < 0 ? scree_vec3_negate(facet->normal) : facet->normal};
    }
    if (region >= SCREE_MESH_VERTEX) {
        const uint32_t vertex = facet->vertex[region - SCREE_MESH_VERTEX];
        return from_point(facet, scree_vec3_sub(point, vertex_of(surface, vertex)));
    }
    const struct scree_mesh_surface_edge *edge = &surface->edge[facet->edge[region - SCREE_MESH_EDGE]];
    const struct scree_vec3 from_start = scree_vec3_sub(point, edge->start);
    return from_point(facet, scree_vec3_add_scaled(from_start, -along(edge, point), edge->direction));
}

bool scree_mesh_facets_meet(const struct scree_mesh_surface *surface, uint32_t a, uint32_t b)
{
    const struct scree_mesh_facet *first = &surface->facet[a], *second = &surface->facet[b];
    bool meet = first->patch == second->patch;
    for (int k = 0; k < 3; ++k)
        for (int n = 0; n < 3; ++n)
            meet = meet || first->vertex[k] == second->vertex[n];
    return meet;
}
