// The inside of a closed surface, see inside.h. A ray goes along x.

#include "mesh/inside.h"

#include "base/memory.h"
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

// --- thickness

// How far matter is searched, in sizes of a facet: a grain with a larger radius is near more than a thousand
// such facets at a time.
static const double range_in_facets = 20;

// A ray from the centre of a facet into the matter, or the mean of several.
struct ray {
    struct scree_vec3 from, direction;
    double inverse[3]; // of the components of the direction
    double distance;   // to the nearest facet so far, or how far to search
    double cosine;     // of the angle to the normal of this facet
    uint32_t start, met;
};

// The rays of the facets in a box of the lowest level. All their points are within `width` of those of the
// mean.
struct beam {
    const struct scree_mesh_surface *surface;
    struct ray ray[BRANCHES], mean;
    size_t count;
    double width, outward;
};

static struct ray ray_of(struct scree_vec3 from, struct scree_vec3 direction, double distance)
{
    return (struct ray){.from = from,
                        .direction = direction,
                        .inverse = {1 / direction.x, 1 / direction.y, 1 / direction.z},
                        .distance = distance,
                        .met = UINT32_MAX};
}

// Whether a ray comes within `width` of a box. A direction along an axis has infinite inverses; their
// products with 0 are NaN, and exclude a box of which only the widened face has the ray.
static inline bool meets_box(const struct ray *ray, const struct scree_mesh_box *box, double width)
{
    const double from[3] = {ray->from.x, ray->from.y, ray->from.z};
    double first = 0, last = ray->distance;
    for (int k = 0; k < 3; ++k) {
        const double a = (box->lower[k] - width - from[k]) * ray->inverse[k],
                     b = (box->upper[k] + width - from[k]) * ray->inverse[k];
        const double near = a < b ? a : b, far = a < b ? b : a;
        first = near > first ? near : first;
        last = far < last ? far : last;
    }
    return first <= last;
}

// 1 if the corners of a facet are anticlockwise about the normal of its patch, else -1: its side 0 leads
// along the edge there or against it, and has the inside on its left.
static inline double orientation_of(const struct scree_mesh_facet *facet)
{
    return facet->vertex[0] < facet->vertex[1] ? facet->side[0].sign : -facet->side[0].sign;
}

// A ray ends where it leaves the matter. `outward`: 1 if facets face outwards, else -1.
static inline void meet_facet(const struct scree_mesh_surface *surface, uint32_t number, double outward,
                              struct ray *ray)
{
    const struct scree_mesh_facet *facet = &surface->facet[number];
    const double slope = scree_vec3_dot(facet->normal, ray->direction),
                 cosine = outward * orientation_of(facet) * slope;
    if (!(cosine > 0))
        return;
    const double distance = (facet->offset - scree_vec3_dot(facet->normal, ray->from)) / slope;
    // of equal ones, which lie on each other, the first
    if (!(distance >= 0) || distance > ray->distance || (distance == ray->distance && number > ray->met))
        return;
    const uint32_t *v = facet->vertex;
    const bool side = passes_left(surface, v[0], v[1], ray->from, ray->direction);
    if (passes_left(surface, v[1], v[2], ray->from, ray->direction) != side ||
        passes_left(surface, v[2], v[0], ray->from, ray->direction) != side)
        return;
    ray->distance = distance;
    ray->cosine = cosine;
    ray->met = number;
}

// Tries the boxes of a level.
static void meet(struct beam *beam, int level, size_t item, double margin)
{
    const struct scree_mesh_surface *surface = beam->surface;
    const struct scree_mesh_box *box = &surface->box[surface->level[level] + item];
    if (!meets_box(&beam->mean, box, beam->width))
        return;
    const size_t below = level > 0 ? surface->level[level] - surface->level[level - 1] : surface->facets;
    const size_t end = BRANCHES * (item + 1) < below ? BRANCHES * (item + 1) : below;
    for (size_t n = BRANCHES * item; n < end && level > 0; ++n)
        meet(beam, level - 1, n, margin);
    for (size_t r = 0; r < beam->count && level == 0; ++r)
        for (size_t n = meets_box(&beam->ray[r], box, margin) ? BRANCHES * item : end; n < end; ++n)
            meet_facet(surface, surface->order[n], beam->outward, &beam->ray[r]);
}

static struct beam beam_of(const struct scree_mesh_surface *surface, size_t leaf, double outward)
{
    const size_t first = BRANCHES * leaf, left = surface->facets - first;
    struct beam beam = {.surface = surface, .count = left < BRANCHES ? left : BRANCHES, .outward = outward};
    struct scree_vec3 from = scree_vec3_zero(), to = from;
    double range = 0;
    for (size_t r = 0; r < beam.count; ++r) {
        const uint32_t f = surface->order[first + r];
        const struct scree_vec3 a = area_of(surface, f);
        const double norm = scree_vec3_norm(a);
        const struct scree_vec3 sum = scree_vec3_add(
            corner(surface, f, 0), scree_vec3_add(corner(surface, f, 1), corner(surface, f, 2)));
        beam.ray[r] = ray_of(scree_vec3_scale(sum, 1.0 / 3), scree_vec3_scale(a, -outward / norm), 0);
        beam.ray[r].start = f;
        range = scree_real_max(range, range_in_facets * sqrt(norm));
        from = scree_vec3_add_scaled(from, 1 / (double)beam.count, beam.ray[r].from);
    }
    range = scree_real_min(range, 2 * surface->radius);
    for (size_t r = 0; r < beam.count; ++r) {
        beam.ray[r].distance = range;
        to = scree_vec3_add_scaled(to, 1 / (double)beam.count,
                                   scree_vec3_add_scaled(beam.ray[r].from, range, beam.ray[r].direction));
    }
    // distances from the mean are largest at one of both ends
    beam.mean = ray_of(from, scree_vec3_scale(scree_vec3_sub(to, from), 1 / range), range);
    for (size_t r = 0; r < beam.count; ++r) {
        const struct ray *ray = &beam.ray[r];
        const struct scree_vec3 end = scree_vec3_add_scaled(ray->from, range, ray->direction);
        beam.width = scree_real_max(beam.width, scree_vec3_norm(scree_vec3_sub(ray->from, from)));
        beam.width = scree_real_max(beam.width, scree_vec3_norm(scree_vec3_sub(end, to)));
    }
    return beam;
}

scree_status scree_mesh_find_thickness(struct scree_mesh_surface *surface)
{
    static const double opposite = 0.86602540378443864676; // cosine of 30 degrees
    if (!scree_mesh_is_closed(surface))
        return SCREE_OK;
    const double outward = scree_mesh_volume(surface) < 0 ? -1 : 1;
    // allows for round-off, and for facets that are off the plane of their patch
    const double margin = 1e-14 * surface->radius + surface->flatness;
    SCREE_TRY(scree_memory_new(surface->facets, sizeof *surface->thickness, (void **)&surface->thickness));
    for (size_t leaf = 0; leaf < scree_mesh_leaves(surface); ++leaf) {
        struct beam beam = beam_of(surface, leaf, outward);
        beam.width += margin;
        meet(&beam, surface->levels - 1, 0, margin);
        for (size_t r = 0; r < beam.count; ++r) {
            const struct ray *ray = &beam.ray[r];
            const bool thin = ray->met != UINT32_MAX && ray->cosine > opposite;
            surface->thickness[ray->start] = thin ? ray->distance : (double)INFINITY;
            surface->thinnest = scree_real_min(surface->thinnest, surface->thickness[ray->start]);
        }
    }
    return SCREE_OK;
}
