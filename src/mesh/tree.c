// Tree of boxes, see tree.h.

#include "mesh/tree.h"

#include "base/memory.h"
#include "base/sort.h"
#include "math/morton.h"

enum { BRANCHES = SCREE_MESH_BRANCHES, BITS = 21 };

static void extend(struct scree_mesh_box *box, const double lower[3], const double upper[3])
{
    for (int k = 0; k < 3; ++k) {
        box->lower[k] = lower[k] < box->lower[k] ? lower[k] : box->lower[k];
        box->upper[k] = upper[k] > box->upper[k] ? upper[k] : box->upper[k];
    }
}

static struct scree_mesh_box empty_box(void)
{
    const double infinity = (double)INFINITY;
    return (struct scree_mesh_box){{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
}

// Orders the facets by the place of their centres in a grid of 2^21 cells along each axis.
static scree_status order_facets(struct scree_mesh_surface *surface)
{
    uint64_t *key;
    const double scale = 0.5 * (double)(1 << BITS) / (3 * surface->radius) * (1 - 1e-9);
    SCREE_TRY(scree_memory_new(surface->facets, sizeof *key, (void **)&key));
    for (size_t f = 0; f < surface->facets; ++f)
        for (int k = 0; k < 3; ++k) {
            double sum = 3 * surface->radius;
            for (int c = 0; c < 3; ++c)
                sum += surface->vertex[surface->facet[f].vertex[c]][k];
            key[f] |= scree_morton_insert_zeros((uint64_t)(sum * scale)) << k;
        }
    const scree_status status = scree_sort_order(key, surface->facets, surface->order);
    scree_memory_free(key);
    return status;
}

scree_status scree_mesh_tree_build(struct scree_mesh_surface *surface)
{
    size_t boxes = 0, count = surface->facets;
    surface->levels = 0;
    do {
        count = (count + BRANCHES - 1) / BRANCHES;
        surface->level[surface->levels++] = boxes;
        boxes += count;
    } while (count > 1);
    surface->level[surface->levels] = boxes;
    SCREE_TRY(scree_memory_new(surface->facets, sizeof *surface->order, (void **)&surface->order));
    SCREE_TRY(scree_memory_new(boxes, sizeof *surface->box, (void **)&surface->box));
    SCREE_TRY(order_facets(surface));
    for (size_t b = 0; b < boxes; ++b)
        surface->box[b] = empty_box();
    for (size_t n = 0; n < surface->facets; ++n)
        for (int c = 0; c < 3; ++c) {
            const double *vertex = surface->vertex[surface->facet[surface->order[n]].vertex[c]];
            extend(&surface->box[n / BRANCHES], vertex, vertex);
        }
    for (int l = 1; l < surface->levels; ++l)
        for (size_t b = surface->level[l - 1]; b < surface->level[l]; ++b) {
            const struct scree_mesh_box *child = &surface->box[b];
            extend(&surface->box[surface->level[l] + (b - surface->level[l - 1]) / BRANCHES], child->lower,
                   child->upper);
        }
    return SCREE_OK;
}

static bool is_near(const struct scree_mesh_box *box, struct scree_vec3 point, double range)
{
    const double p[3] = {point.x, point.y, point.z};
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double below = box->lower[k] - p[k], above = p[k] - box->upper[k];
        const double outside = below > above ? below : above;
        square += outside > 0 ? outside * outside : 0;
    }
    return square <= range * range;
}

// Allows for round-off, and for facets that are off the plane of their patch.
static double extended(const struct scree_mesh_surface *surface, double range)
{
    return range * (1 + 1e-12) + surface->flatness;
}

static bool is_facet_near(const struct scree_mesh_surface *surface, uint32_t facet, struct scree_vec3 point,
                          double range)
{
    if (!scree_mesh_may_reach(surface, facet, point, range))
        return false;
    const int region = scree_mesh_nearest_region(surface, facet, point);
    return scree_mesh_region_gap(surface, facet, region, point).gap <= range;
}

// Number of boxes or facets in a box, of `below` of them.
static size_t children_of(uint32_t box, size_t below)
{
    const size_t left = below - (size_t)BRANCHES * box;
    return left < BRANCHES ? left : BRANCHES;
}

// Replaces boxes of a level by those in them, in place: from the last on, each writes behind those before it.
static size_t replace_by_children(const struct scree_mesh_surface *surface, int level, uint32_t *box,
                                  size_t count)
{
    const size_t below = surface->level[level] - surface->level[level - 1];
    size_t end = 0;
    for (size_t n = 0; n < count; ++n)
        end += children_of(box[n], below);
    const size_t children = end;
    for (size_t n = count; n-- > 0;) {
        const uint32_t first = BRANCHES * box[n];
        for (uint32_t c = (uint32_t)children_of(box[n], below); c-- > 0;)
            box[--end] = first + c;
    }
    return children;
}

size_t scree_mesh_find_leaves(const struct scree_mesh_surface *surface, struct scree_vec3 point, double range,
                              uint32_t *leaf)
{
    const double reach = extended(surface, range);
    size_t count = 1;
    leaf[0] = 0;
    for (int level = surface->levels - 1; level >= 0; --level) {
        size_t kept = 0;
        for (size_t n = 0; n < count; ++n)
            if (is_near(&surface->box[surface->level[level] + leaf[n]], point, reach))
                leaf[kept++] = leaf[n];
        count = level > 0 ? replace_by_children(surface, level, leaf, kept) : kept;
    }
    return count;
}

size_t scree_mesh_count_in_leaf(const struct scree_mesh_surface *surface, uint32_t leaf,
                                struct scree_vec3 point, double range)
{
    const double reach = extended(surface, range);
    const uint32_t *listed = &surface->order[(size_t)BRANCHES * leaf];
    const size_t facets = children_of(leaf, surface->facets);
    size_t count = 0;
    if (!is_near(&surface->box[leaf], point, reach))
        return 0;
    for (size_t n = 0; n < facets; ++n)
        count += is_facet_near(surface, listed[n], point, reach);
    return count;
}

void scree_mesh_query_begin(struct scree_mesh_query *query, const struct scree_mesh_surface *surface,
                            struct scree_vec3 point, double range)
{
    query->surface = surface;
    query->point = point;
    query->range = extended(surface, range);
    query->level = surface->levels - 1;
    query->open[surface->levels].next = 0;
    query->open[surface->levels].end = 1;
}

// `open[l + 1]` lists boxes of level l, and `open[0]` facets.
bool scree_mesh_query_next(struct scree_mesh_query *query, uint32_t *facet)
{
    const struct scree_mesh_surface *surface = query->surface;
    for (;;) {
        const int level = query->level;
        if (level >= surface->levels)
            return false;
        if (query->open[level + 1].next == query->open[level + 1].end) {
            ++query->level;
            continue;
        }
        const uint32_t item = query->open[level + 1].next++;
        if (level < 0) {
            *facet = surface->order[item];
            if (is_facet_near(surface, *facet, query->point, query->range))
                return true;
            continue;
        }
        if (!is_near(&surface->box[surface->level[level] + item], query->point, query->range))
            continue;
        const size_t below = level > 0 ? surface->level[level] - surface->level[level - 1] : surface->facets;
        const size_t end = (size_t)BRANCHES * (item + 1);
        query->open[level].next = BRANCHES * item;
        query->open[level].end = (uint32_t)(end < below ? end : below);
        --query->level;
    }
}
