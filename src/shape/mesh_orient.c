// Shells and orientation, see mesh_orient.h.
//
// Facets are visited from neighbour to neighbour over edges of two facets, beginning with the first facet;
// facets that pass an edge in the same direction have opposite orientations. A closed shell that then faces
// inwards is a cavity if it lies in an odd number of other closed shells: a ray from its vertex with the
// largest x along x leaves them an odd number of times. Otherwise its orientation was a mistake.

#include "shape/mesh_orient.h"

#include "base/memory.h"
#include "base/sum.h"
#include "math/vec3.h"

#define NONE UINT32_MAX

// largest number of facets that are tested for cavities: seconds
static const uint64_t most_tests = UINT64_C(1) << 31;

struct shell {
    uint32_t first; // position in `facet`
    uint32_t count;
    uint32_t flips;
    bool closed, inwards;
    double lower[3], upper[3];
    double volume;
    uint32_t tip;   // vertex with the largest x
    int32_t passes; // sum over the sides of the present edge: +1 forward, -1 backward
};

struct shells {
    struct scree_mesh *mesh;
    struct scree_mesh_edges *edges;
    uint32_t *facet; // facets by shells, in the order of the visit
    uint32_t *shell; // of each facet
    uint8_t *flip;
    struct shell *list;
    size_t count;
    uint64_t tests;
};

// --- visiting

// Adds the facet at the other side of an edge unless it was visited.
static uint32_t visit(struct shells *shells, uint32_t f, uint32_t e, uint32_t end)
{
    const struct scree_mesh_edge *edge = &shells->edges->edge[e];
    if (edge->sides != 2)
        return end;
    const uint32_t *side = shells->edges->side + edge->first;
    const uint32_t other = side[0] / 3 == f ? side[1] / 3 : side[0] / 3;
    if (shells->shell[other] != NONE)
        return end;
    const bool same =
        scree_mesh_edges_forward(shells->mesh, side[0]) == scree_mesh_edges_forward(shells->mesh, side[1]);
    shells->shell[other] = shells->shell[f];
    shells->flip[other] = shells->flip[f] ^ (uint8_t)same;
    shells->facet[end] = other;
    return end + 1;
}

// Visits the neighbours of a facet by the numbers of their edges: their order in the facet changes when it is
// reversed, and on a Moebius strip the result depends on the order.
static uint32_t visit_neighbours(struct shells *shells, uint32_t f, uint32_t end)
{
    const uint32_t *e = shells->edges->of_facet[f];
    const uint32_t low = e[0] < e[1] ? e[0] : e[1], high = e[0] < e[1] ? e[1] : e[0];
    end = visit(shells, f, low < e[2] ? low : e[2], end);
    end = visit(shells, f, low > e[2] ? low : high < e[2] ? high : e[2], end);
    return visit(shells, f, high > e[2] ? high : e[2], end);
}

static void visit_all(struct shells *shells)
{
    const uint32_t facets = (uint32_t)shells->mesh->facets;
    uint32_t end = 0;
    for (uint32_t f = 0; f < facets; ++f)
        shells->shell[f] = NONE;
    for (uint32_t f = 0; f < facets; ++f) {
        if (shells->shell[f] != NONE)
            continue;
        const uint32_t begin = end;
        shells->shell[f] = (uint32_t)shells->count++;
        shells->facet[end++] = f;
        for (uint32_t at = begin; at < end; ++at)
            end = visit_neighbours(shells, shells->facet[at], end);
    }
}

// --- shells

static void make_list(struct shells *shells)
{
    for (uint32_t i = 0; i < shells->mesh->facets; ++i) {
        const uint32_t f = shells->facet[i];
        struct shell *shell = &shells->list[shells->shell[f]];
        if (shell->count++ == 0)
            *shell = (struct shell){.first = i, .count = 1, .closed = true};
        shell->flips += shells->flip[f];
    }
    // the orientation of most facets stays; of equally many, that of the first
    for (uint32_t i = 0; i < shells->mesh->facets; ++i) {
        const struct shell *shell = &shells->list[shells->shell[shells->facet[i]]];
        shells->flip[shells->facet[i]] ^= shell->flips > shell->count - shell->flips;
    }
}

// A shell is open if one of its facets at some edge has no partner in the other direction.
static void find_open(struct shells *shells)
{
    for (size_t e = 0; e < shells->edges->count; ++e) {
        const struct scree_mesh_edge *edge = &shells->edges->edge[e];
        const uint32_t *side = shells->edges->side + edge->first;
        for (uint32_t i = 0; i < edge->sides; ++i) {
            const uint32_t f = side[i] / 3;
            const bool forward = scree_mesh_edges_forward(shells->mesh, side[i]) != (shells->flip[f] != 0);
            shells->list[shells->shell[f]].passes += forward ? 1 : -1;
        }
        for (uint32_t i = 0; i < edge->sides; ++i) {
            struct shell *shell = &shells->list[shells->shell[side[i] / 3]];
            shell->closed = shell->closed && shell->passes == 0;
        }
        for (uint32_t i = 0; i < edge->sides; ++i)
            shells->list[shells->shell[side[i] / 3]].passes = 0;
    }
}

static struct scree_vec3 corner(const struct shells *shells, uint32_t f, int k)
{
    return scree_vec3_load(shells->mesh->vertex[shells->mesh->facet[f][k]]);
}

static void measure(const struct shells *shells, struct shell *shell)
{
    const double(*vertex)[3] = (const double(*)[3])shells->mesh->vertex;
    struct scree_sum sum = {{0}, {0}, 0, 0};
    const struct scree_vec3 origin = corner(shells, shells->facet[shell->first], 0);
    double magnitude = 0;
    shell->tip = shells->mesh->facet[shells->facet[shell->first]][0];
    for (int k = 0; k < 3; ++k)
        shell->lower[k] = shell->upper[k] = vertex[shell->tip][k];
    for (uint32_t i = shell->first; i < shell->first + shell->count; ++i) {
        const uint32_t f = shells->facet[i];
        struct scree_vec3 x[3];
        for (int c = 0; c < 3; ++c) {
            const uint32_t v = shells->mesh->facet[f][c];
            x[c] = scree_vec3_sub(corner(shells, f, c), origin);
            shell->tip = vertex[v][0] > vertex[shell->tip][0] ? v : shell->tip;
            for (int k = 0; k < 3; ++k) {
                shell->lower[k] = scree_real_min(shell->lower[k], vertex[v][k]);
                shell->upper[k] = scree_real_max(shell->upper[k], vertex[v][k]);
            }
        }
        const double det = scree_vec3_dot(x[0], scree_vec3_cross(x[1], x[2]));
        scree_sum_add(&sum, shells->flip[f] ? -det : det);
        magnitude += scree_vec3_norm(x[0]) * scree_vec3_norm(x[1]) * scree_vec3_norm(x[2]);
    }
    shell->volume = scree_sum_value(&sum) / 6;
    // round-off of a determinant: 3 roundings of differences and 5 of operations, in each of two products
    shell->inwards = shell->closed && 6 * shell->volume < -16 * 0x1p-53 * magnitude;
}

// --- cavities

// Whether `p` is on the left of the line from vertex a to b in the plane of y and z. A point on the line is
// moved by less than any length along y, and by even less along z. The same for both facets of an edge.
static bool is_left(const struct shells *shells, uint32_t a, uint32_t b, const double p[3])
{
    const bool swapped = a > b;
    const double *from = shells->mesh->vertex[swapped ? b : a], *to = shells->mesh->vertex[swapped ? a : b];
    const double y = to[1] - from[1], z = to[2] - from[2];
    double turn = y * (p[2] - from[2]) - z * (p[1] - from[1]);
    turn = turn != 0 ? turn : z != 0 ? -z : y;
    return (turn > 0) != swapped;
}

// Whether the ray from p along x crosses a facet.
static bool is_crossed(const struct shells *shells, uint32_t f, const double p[3])
{
    const uint32_t *v = shells->mesh->facet[f];
    const bool side = is_left(shells, v[0], v[1], p);
    if (is_left(shells, v[1], v[2], p) != side || is_left(shells, v[2], v[0], p) != side)
        return false;
    const struct scree_vec3 a = corner(shells, f, 0), ab = scree_vec3_sub(corner(shells, f, 1), a),
                            ac = scree_vec3_sub(corner(shells, f, 2), a);
    const struct scree_vec3 normal = scree_vec3_cross(ab, ac), ap = scree_vec3_sub(scree_vec3_load(p), a);
    // p is behind the plane as seen along x; at a normal across x the point is at the edge of the facet
    return normal.x != 0 ? scree_vec3_dot(normal, ap) / normal.x < 0 : a.x > p[0];
}

static bool is_within(const struct shell *shell, const struct shell *other)
{
    bool within = true;
    for (int k = 0; k < 3; ++k)
        within = within && shell->lower[k] >= other->lower[k] && shell->upper[k] <= other->upper[k];
    return within;
}

static scree_status count_around(struct shells *shells, const struct shell *shell, size_t *around)
{
    const double *tip = shells->mesh->vertex[shell->tip];
    for (size_t s = 0; s < shells->count; ++s) {
        const struct shell *other = &shells->list[s];
        size_t crossed = 0;
        ++shells->tests;
        if (shell == other || !other->closed || !is_within(shell, other))
            continue;
        shells->tests += other->count;
        if (shells->tests > most_tests)
            return scree_status_fail(SCREE_ERROR_LIMIT,
                                     "the mesh has too many closed shells that face inwards and lie within "
                                     "others to find out which of them are cavities: orient them outwards");
        for (uint32_t i = other->first; i < other->first + other->count; ++i)
            crossed += is_crossed(shells, shells->facet[i], tip);
        *around += crossed % 2;
    }
    return SCREE_OK;
}

static scree_status turn_outwards(struct shells *shells, struct scree_mesh_report *report)
{
    struct scree_sum volume = {{0}, {0}, 0, 0};
    for (size_t s = 0; s < shells->count; ++s) {
        struct shell *shell = &shells->list[s];
        size_t around = 0;
        report->closed += shell->closed;
        if (shell->inwards)
            SCREE_TRY(count_around(shells, shell, &around));
        report->cavities += around % 2;
        const bool turned = shell->inwards && around % 2 == 0;
        for (uint32_t i = shell->first; turned && i < shell->first + shell->count; ++i)
            shells->flip[shells->facet[i]] ^= 1;
        if (shell->closed)
            scree_sum_add(&volume, turned ? -shell->volume : shell->volume);
    }
    report->volume = scree_sum_value(&volume);
    return SCREE_OK;
}

static scree_status orient(struct shells *shells, struct scree_mesh_report *report)
{
    visit_all(shells);
    SCREE_TRY(scree_memory_new(shells->count, sizeof *shells->list, (void **)&shells->list));
    make_list(shells);
    find_open(shells);
    for (size_t s = 0; s < shells->count; ++s)
        measure(shells, &shells->list[s]);
    report->shells = shells->count;
    SCREE_TRY(turn_outwards(shells, report));
    for (size_t f = 0; f < shells->mesh->facets; ++f)
        report->flipped += shells->flip[f];
    scree_mesh_edges_flip(shells->mesh, shells->edges, shells->flip);
    return SCREE_OK;
}

scree_status scree_mesh_orient(struct scree_mesh *mesh, struct scree_mesh_edges *edges,
                               struct scree_mesh_report *report)
{
    struct shells shells = {.mesh = mesh, .edges = edges};
    scree_status status = scree_memory_new(mesh->facets, sizeof *shells.facet, (void **)&shells.facet);
    if (status == SCREE_OK)
        status = scree_memory_new(mesh->facets, sizeof *shells.shell, (void **)&shells.shell);
    if (status == SCREE_OK)
        status = scree_memory_new(mesh->facets, sizeof *shells.flip, (void **)&shells.flip);
    if (status == SCREE_OK)
        status = orient(&shells, report);
    scree_memory_free(shells.facet);
    scree_memory_free(shells.shell);
    scree_memory_free(shells.flip);
    scree_memory_free(shells.list);
    return status;
}
