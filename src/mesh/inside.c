// The inside of a closed surface, see inside.h. A ray goes along x.

#include "mesh/inside.h"

#include "base/sum.h"
#include "mesh/tree.h"

enum { BRANCHES = SCREE_MESH_BRANCHES };

static struct scree_vec3 corner(const struct scree_mesh_surface *surface, uint32_t facet, int k)
{
    return scree_vec3_load(surface->vertex[surface->facet[facet].vertex[k]]);
}

// Twice the area of a facet, along its own normal.
static struct scree_vec3 area_of(const struct scree_mesh_surface *surface, uint32_t facet)
{
    const struct scree_vec3 a = corner(surface, facet, 0);
    return scree_vec3_cross(scree_vec3_sub(corner(surface, facet, 1), a),
                            scree_vec3_sub(corner(surface, facet, 2), a));
}

bool scree_mesh_is_closed(const struct scree_mesh_surface *surface)
{
    for (size_t e = 0; e < surface->edges; ++e) {
        const struct scree_mesh_surface_edge *edge = &surface->edge[e];
        int64_t passes = 0;
        for (uint32_t n = edge->first; n < edge->first + edge->facets; ++n) {
            const struct scree_mesh_edge_facet at = surface->edge_facet[n];
            passes += surface->facet[at.facet].vertex[at.side] == edge->vertex[0] ? 1 : -1;
        }
        if (passes != 0)
            return false;
    }
    return true;
}

double scree_mesh_volume(const struct scree_mesh_surface *surface)
{
    struct scree_sum sum = {{0}, {0}, 0, 0};
    const struct scree_vec3 origin = corner(surface, 0, 0);
    for (uint32_t f = 0; f < surface->facets; ++f)
        scree_sum_add(&sum,
                      scree_vec3_dot(scree_vec3_sub(corner(surface, f, 0), origin), area_of(surface, f)));
    return scree_sum_value(&sum) / 6;
}

// --- points

// Whether a point is on the left of the line from vertex a to b in the plane of y and z. A point on the line
// is moved by less than any length along y, and by even less along z.
static bool is_left(const struct scree_mesh_surface *surface, uint32_t a, uint32_t b, struct scree_vec3 p)
{
    const bool swapped = a > b;
    const double *from = surface->vertex[swapped ? b : a], *to = surface->vertex[swapped ? a : b];
    const double y = to[1] - from[1], z = to[2] - from[2];
    double turn = y * (p.z - from[2]) - z * (p.y - from[1]);
    turn = turn != 0 ? turn : z != 0 ? -z : y;
    return (turn > 0) != swapped;
}

// Whether the ray from a point along x crosses a facet.
static bool is_crossed(const struct scree_mesh_surface *surface, uint32_t facet, struct scree_vec3 p)
{
    const uint32_t *v = surface->facet[facet].vertex;
    const bool side = is_left(surface, v[0], v[1], p);
    if (is_left(surface, v[1], v[2], p) != side || is_left(surface, v[2], v[0], p) != side)
        return false;
    const struct scree_vec3 a = corner(surface, facet, 0), normal = area_of(surface, facet);
    double least = a.x, most = a.x;
    for (int k = 1; k < 3; ++k) {
        const double x = surface->vertex[v[k]][0];
        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    // the height over a facet that is nearly along the ray has a large error
    if (p.x < least || p.x >= most)
        return p.x < least;
    return scree_vec3_dot(normal, scree_vec3_sub(p, a)) / normal.x < 0;
}

// Number of facets that the ray crosses in a box of a level; level -1 is that of facets.
static size_t count_crossed(const struct scree_mesh_surface *surface, int level, size_t item,
                            struct scree_vec3 p)
{
    size_t crossed = 0;
    if (level < 0)
        return is_crossed(surface, surface->order[item], p);
    const struct scree_mesh_box *box = &surface->box[surface->level[level] + item];
    if (p.x > box->upper[0] || p.y < box->lower[1] || p.y > box->upper[1] || p.z < box->lower[2] ||
        p.z > box->upper[2])
        return 0;
    const size_t below = level > 0 ? surface->level[level] - surface->level[level - 1] : surface->facets;
    const size_t end = BRANCHES * (item + 1) < below ? BRANCHES * (item + 1) : below;
    for (size_t n = BRANCHES * item; n < end; ++n)
        crossed += count_crossed(surface, level - 1, n, p);
    return crossed;
}

bool scree_mesh_contains(const struct scree_mesh_surface *surface, struct scree_vec3 point)
{
    return count_crossed(surface, surface->levels - 1, 0, point) % 2 == 1;
}

// --- paths

// On which side of the line through an edge a path passes, as seen along the path; the same for all facets at
// the edge.
static bool passes_left(const struct scree_mesh_surface *surface, uint32_t a, uint32_t b,
                        struct scree_vec3 from, struct scree_vec3 path)
{
    const bool swapped = a > b;
    const struct scree_vec3 first = scree_vec3_sub(scree_vec3_load(surface->vertex[swapped ? b : a]), from),
                            last = scree_vec3_sub(scree_vec3_load(surface->vertex[swapped ? a : b]), from);
    return (scree_vec3_dot(path, scree_vec3_cross(first, last)) > 0) != swapped;
}

void scree_mesh_visit_crossings(const struct scree_mesh_surface *surface, struct scree_vec3 from,
                                struct scree_vec3 to, scree_mesh_crossing *visit, void *context)
{
    struct scree_mesh_query query;
    const struct scree_vec3 path = scree_vec3_sub(to, from);
    uint32_t f;
    scree_mesh_query_begin(&query, surface, scree_vec3_add_scaled(from, 0.5, path),
                           0.5 * scree_vec3_norm(path));
    while (scree_mesh_query_next(&query, &f)) {
        const struct scree_mesh_facet *facet = &surface->facet[f];
        const uint32_t *v = facet->vertex;
        // heights over the plane of the patch, which facets beside have too
        const double sign = scree_vec3_dot(area_of(surface, f), facet->normal) > 0 ? 1 : -1;
        const double before = sign * (scree_vec3_dot(facet->normal, from) - facet->offset),
                     after = sign * (scree_vec3_dot(facet->normal, to) - facet->offset);
        if ((before >= 0) == (after >= 0))
            continue;
        const bool side = passes_left(surface, v[0], v[1], from, path);
        if (passes_left(surface, v[1], v[2], from, path) == side &&
            passes_left(surface, v[2], v[0], from, path) == side)
            visit(context, before / (before - after), after >= 0);
    }
}
