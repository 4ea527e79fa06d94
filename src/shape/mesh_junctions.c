// T-junctions, see mesh_junctions.h.
//
// The vertices of open edges are sorted along a curve through space (Morton), and halved again and again: a
// part of level l with number j has the vertices from n j / 2^l to n (j + 1) / 2^l, and a bounding box. An
// edge is compared with the vertices in the boxes that it crosses.

#include "shape/mesh_junctions.h"

#include "base/memory.h"
#include "base/sort.h"
#include "math/morton.h"
#include "math/vec3.h"

#define NONE UINT32_MAX

enum { PART = 8 };

struct box {
    double lower[3], upper[3];
};

struct tree {
    const struct scree_mesh *mesh;
    uint32_t *vertex; // of open edges, in the order of the curve
    uint32_t *facet;  // a facet of each vertex of the mesh with an open edge; NONE for others
    struct box *box;  // level by level: 2^level - 1 + number
    size_t count;
    int levels; // parts of the last level have at most PART vertices
    double tolerance;
};

static size_t part_begin(const struct tree *tree, int level, size_t number)
{
    return (size_t)((uint64_t)tree->count * number >> level);
}

// --- building

static void extend(struct box *box, const double x[3])
{
    for (int k = 0; k < 3; ++k) {
        box->lower[k] = scree_real_min(box->lower[k], x[k]);
        box->upper[k] = scree_real_max(box->upper[k], x[k]);
    }
}

static struct box box_of(const struct tree *tree, size_t begin, size_t end)
{
    const double inf = (double)INFINITY;
    struct box box = {{inf, inf, inf}, {-inf, -inf, -inf}};
    for (size_t i = begin; i < end; ++i)
        extend(&box, tree->mesh->vertex[tree->vertex[i]]);
    return box;
}

static uint64_t key_of(const struct box *box, const double x[3])
{
    uint64_t key = 0;
    for (int k = 0; k < 3; ++k) {
        const double size = box->upper[k] - box->lower[k];
        const double part = size > 0 ? (x[k] - box->lower[k]) / size * 0x1fffff : 0;
        key |= scree_morton_insert_zeros((uint64_t)part) << k;
    }
    return key;
}

static scree_status sort_vertices(struct tree *tree)
{
    const struct box box = box_of(tree, 0, tree->count);
    uint64_t *key;
    uint32_t *order = NULL;
    SCREE_TRY(scree_memory_new(tree->count, sizeof *key, (void **)&key));
    scree_status status = scree_memory_new(tree->count, sizeof *order, (void **)&order);
    for (size_t i = 0; status == SCREE_OK && i < tree->count; ++i)
        key[i] = key_of(&box, tree->mesh->vertex[tree->vertex[i]]);
    if (status == SCREE_OK)
        status = scree_sort_order(key, tree->count, order);
    if (status == SCREE_OK) {
        for (size_t i = 0; i < tree->count; ++i)
            key[i] = tree->vertex[order[i]];
        for (size_t i = 0; i < tree->count; ++i)
            tree->vertex[i] = (uint32_t)key[i];
    }
    scree_memory_free(key);
    scree_memory_free(order);
    return status;
}

static scree_status build(struct tree *tree, const struct scree_mesh_edges *edges)
{
    for (size_t v = 0; v < tree->mesh->vertices; ++v)
        tree->facet[v] = NONE;
    for (size_t e = 0; e < edges->count; ++e)
        for (int k = 0; k < 2 && edges->edge[e].sides == 1; ++k)
            if (tree->facet[edges->edge[e].vertex[k]] == NONE)
                tree->facet[edges->edge[e].vertex[k]] = edges->side[edges->edge[e].first] / 3;
    for (uint32_t v = 0; v < tree->mesh->vertices; ++v)
        if (tree->facet[v] != NONE)
            tree->vertex[tree->count++] = v;
    SCREE_TRY(sort_vertices(tree));
    while (tree->count >> tree->levels > PART)
        ++tree->levels;
    SCREE_TRY(scree_memory_new((size_t)2 << tree->levels, sizeof *tree->box, (void **)&tree->box));
    for (int level = tree->levels; level >= 0; --level)
        for (size_t j = 0; j < (size_t)1 << level; ++j) {
            struct box *box = &tree->box[((size_t)1 << level) - 1 + j];
            if (level == tree->levels) {
                *box = box_of(tree, part_begin(tree, level, j), part_begin(tree, level, j + 1));
                continue;
            }
            const struct box *half = &tree->box[((size_t)2 << level) - 1 + 2 * j];
            *box = half[0];
            extend(box, half[1].lower);
            extend(box, half[1].upper);
        }
    return SCREE_OK;
}

// --- searching

// Whether the line from `from` to from + `way` comes within the tolerance of a box.
static bool crosses(const struct tree *tree, const struct box *box, const double from[3], const double way[3])
{
    double begin = 0, end = 1;
    for (int k = 0; k < 3; ++k) {
        const double lower = box->lower[k] - tree->tolerance - from[k],
                     upper = box->upper[k] + tree->tolerance - from[k];
        if (way[k] == 0) {
            if (lower > 0 || upper < 0)
                return false;
            continue;
        }
        const double a = lower / way[k], b = upper / way[k];
        begin = scree_real_max(begin, a < b ? a : b);
        end = scree_real_min(end, a < b ? b : a);
    }
    // the ratios are rounded
    return begin <= end + 8 * 0x1p-53;
}

static bool is_on(const struct tree *tree, const double from[3], const double way[3], const double x[3])
{
    const struct scree_vec3 edge = scree_vec3_load(way),
                            p = scree_vec3_sub(scree_vec3_load(x), scree_vec3_load(from));
    const double length = scree_vec3_norm(edge), along = scree_vec3_dot(p, edge) / length;
    return along > tree->tolerance && length - along > tree->tolerance &&
           scree_vec3_norm(scree_vec3_cross(p, edge)) <= tree->tolerance * length;
}

// Returns a vertex between the ends of an edge, the first of the curve; NONE if there is none.
static uint32_t find_on(const struct tree *tree, const struct scree_mesh_edge *edge)
{
    const double *from = tree->mesh->vertex[edge->vertex[0]], *to = tree->mesh->vertex[edge->vertex[1]];
    const double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    // no point of a short edge is away from both of its ends
    if (scree_vec3_norm(scree_vec3_load(way)) <= 2 * tree->tolerance)
        return NONE;
    struct {
        int level;
        size_t number;
    } stack[64] = {{0, 0}};
    for (int depth = 1; depth > 0;) {
        const int level = stack[--depth].level;
        const size_t number = stack[depth].number;
        if (!crosses(tree, &tree->box[((size_t)1 << level) - 1 + number], from, way))
            continue;
        if (level < tree->levels) {
            stack[depth].level = stack[depth + 1].level = level + 1;
            stack[depth].number = 2 * number + 1;
            stack[depth + 1].number = 2 * number;
            depth += 2;
            continue;
        }
        for (size_t i = part_begin(tree, level, number); i < part_begin(tree, level, number + 1); ++i)
            if (is_on(tree, from, way, tree->mesh->vertex[tree->vertex[i]]))
                return tree->vertex[i];
    }
    return NONE;
}

static void search(const struct tree *tree, const struct scree_mesh_edges *edges,
                   struct scree_mesh_places *junctions)
{
    const struct scree_mesh *mesh = tree->mesh;
    for (size_t e = 0; e < edges->count; ++e) {
        const uint32_t vertex = edges->edge[e].sides == 1 ? find_on(tree, &edges->edge[e]) : NONE;
        if (vertex == NONE || junctions->count++ >= sizeof junctions->first / sizeof junctions->first[0])
            continue;
        struct scree_mesh_place *place = &junctions->first[junctions->count - 1];
        place->facet[0] = mesh->number[edges->side[edges->edge[e].first] / 3];
        place->facet[1] = mesh->number[tree->facet[vertex]];
        for (int k = 0; k < 3; ++k)
            place->position[k] = mesh->vertex[vertex][k];
    }
}

scree_status scree_mesh_junctions_find(const struct scree_mesh *mesh, const struct scree_mesh_edges *edges,
                                       struct scree_mesh_places *junctions)
{
    struct tree tree = {.mesh = mesh};
    double reach = 0;
    for (size_t v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            reach = scree_real_max(reach, fabs(mesh->vertex[v][k]));
    // the vertex and the edge are each wrong by up to sqrt(3) times the error of a coordinate
    tree.tolerance = 2 * sqrt(3.0) * mesh->error + 8 * 0x1p-53 * reach;
    SCREE_TRY(scree_memory_new(mesh->vertices, sizeof *tree.facet, (void **)&tree.facet));
    scree_status status = scree_memory_new(mesh->vertices, sizeof *tree.vertex, (void **)&tree.vertex);
    if (status == SCREE_OK)
        status = build(&tree, edges);
    if (status == SCREE_OK && tree.count > 0)
        search(&tree, edges, junctions);
    scree_memory_free(tree.facet);
    scree_memory_free(tree.vertex);
    scree_memory_free(tree.box);
    return status;
}
