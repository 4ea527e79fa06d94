// Repair of meshes, see scree/mesh.h.

#include "base/memory.h"
#include "base/sort.h"
#include "base/sum.h"
#include "shape/mesh.h"
#include "shape/mesh_junctions.h"
#include "shape/mesh_merge.h"
#include "shape/mesh_orient.h"
#include "shape/mesh_slivers.h"

static struct scree_vec3 corner(const struct scree_mesh *mesh, size_t f, int k)
{
    return scree_vec3_load(mesh->vertex[mesh->facet[f][k]]);
}

// --- checking

static scree_status check(const struct scree_mesh *mesh, double tolerance)
{
    // sorting takes up to 2^32 - 1 sides
    if (mesh->vertices >= UINT32_MAX || mesh->facets > UINT32_MAX / 3)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a mesh can have at most %u facets; this one has %zu",
                                 UINT32_MAX / 3, mesh->facets);
    if (!(tolerance >= 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the tolerance of a mesh must be at least 0; got %g",
                                 tolerance);
    for (size_t v = 0; v < mesh->vertices; ++v)
        if (!(fabs(mesh->vertex[v][0]) <= 1e40 && fabs(mesh->vertex[v][1]) <= 1e40 &&
              fabs(mesh->vertex[v][2]) <= 1e40))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the coordinates of vertex %zu must be at most 1e40 m in magnitude", v);
    for (size_t f = 0; f < mesh->facets; ++f)
        for (int k = 0; k < 3; ++k)
            if (mesh->facet[f][k] >= mesh->vertices)
                return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                         "facet %zu has vertex %u, but the mesh has %zu vertices", f,
                                         (unsigned)mesh->facet[f][k], mesh->vertices);
    return SCREE_OK;
}

// --- facets without area

static void keep_facet(struct scree_mesh *mesh, size_t *kept, size_t f)
{
    for (int k = 0; k < 3; ++k)
        mesh->facet[*kept][k] = mesh->facet[f][k];
    mesh->number[(*kept)++] = mesh->number[f];
}

// Removes the facets with two equal vertices.
static size_t remove_collapsed(struct scree_mesh *mesh)
{
    size_t kept = 0;
    const size_t facets = mesh->facets;
    for (size_t f = 0; f < facets; ++f) {
        const uint32_t *v = mesh->facet[f];
        if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0])
            keep_facet(mesh, &kept, f);
    }
    mesh->facets = kept;
    return facets - kept;
}

static scree_status remove_slivers(struct scree_mesh *mesh, struct scree_mesh_report *report)
{
    size_t kept = 0;
    SCREE_TRY(scree_mesh_slivers_mend(mesh, &report->mended));
    const double round_off = scree_mesh_slivers_round_off(mesh), error = sqrt(3.0) * mesh->error;
    for (size_t f = 0; f < mesh->facets; ++f) {
        const double radius = scree_mesh_slivers_radius(mesh, f);
        if (radius <= round_off) {
            ++report->degenerate;
            continue;
        }
        report->slivers += radius <= error;
        keep_facet(mesh, &kept, f);
    }
    mesh->facets = kept;
    return SCREE_OK;
}

// --- duplicates: facets that share an edge and the vertex opposite to it

// Marks all but the first of the facets at an edge with the same opposite vertex. Changes `entry`.
static void mark_duplicates(const struct scree_mesh *mesh, const uint32_t *side, uint32_t sides,
                            uint64_t *entry, uint8_t *again)
{
    for (uint32_t i = 0; i < sides; ++i)
        entry[i] = (uint64_t)scree_mesh_edges_opposite(mesh, side[i]) << 32 | side[i];
    scree_sort_in_place(entry, sides);
    for (uint32_t i = 1; i < sides; ++i)
        if (entry[i] >> 32 == entry[i - 1] >> 32)
            again[(uint32_t)entry[i] / 3] = 1;
}

static scree_status find_duplicates(const struct scree_mesh *mesh, const struct scree_mesh_edges *edges,
                                    uint8_t *again)
{
    uint32_t most = 0;
    uint64_t *entry;
    for (size_t e = 0; e < edges->count; ++e)
        most = edges->edge[e].sides > most ? edges->edge[e].sides : most;
    SCREE_TRY(scree_memory_new(most, sizeof *entry, (void **)&entry));
    for (size_t e = 0; e < edges->count; ++e)
        if (edges->edge[e].sides > 1)
            mark_duplicates(mesh, edges->side + edges->edge[e].first, edges->edge[e].sides, entry, again);
    scree_memory_free(entry);
    return SCREE_OK;
}

static scree_status remove_duplicates(struct scree_mesh *mesh, struct scree_mesh_report *report)
{
    struct scree_mesh_edges edges;
    uint8_t *again = NULL;
    size_t kept = 0;
    scree_status status = scree_mesh_edges_find(mesh, &edges);
    if (status == SCREE_OK)
        status = scree_memory_new(mesh->facets, sizeof *again, (void **)&again);
    if (status == SCREE_OK)
        status = find_duplicates(mesh, &edges, again);
    for (size_t f = 0; status == SCREE_OK && f < mesh->facets; ++f)
        if (!again[f])
            keep_facet(mesh, &kept, f);
    scree_memory_free(again);
    scree_mesh_edges_free(&edges);
    SCREE_TRY(status);
    report->duplicates = mesh->facets - kept;
    mesh->facets = kept;
    return SCREE_OK;
}

// --- the report

static void add_place(struct scree_mesh_places *places, const struct scree_mesh *mesh,
                      const struct scree_mesh_edges *edges, const struct scree_mesh_edge *edge)
{
    const uint32_t *side = edges->side + edge->first;
    struct scree_mesh_place place = {{mesh->number[side[0] / 3], 0}, {0}};
    if (places->count++ >= sizeof places->first / sizeof places->first[0])
        return;
    place.facet[1] = edge->sides > 1 ? mesh->number[side[1] / 3] : 0;
    for (int k = 0; k < 3; ++k)
        place.position[k] = 0.5 * (mesh->vertex[edge->vertex[0]][k] + mesh->vertex[edge->vertex[1]][k]);
    places->first[places->count - 1] = place;
}

static void report_edges(const struct scree_mesh *mesh, const struct scree_mesh_edges *edges,
                         struct scree_mesh_report *report)
{
    report->edges = edges->count;
    report->watertight = mesh->facets > 0;
    for (size_t e = 0; e < edges->count; ++e) {
        const struct scree_mesh_edge *edge = &edges->edge[e];
        uint32_t forward = 0;
        for (uint32_t i = 0; i < edge->sides; ++i)
            forward += scree_mesh_edges_forward(mesh, edges->side[edge->first + i]);
        const bool balanced = 2 * (uint64_t)forward == edge->sides;
        report->watertight = report->watertight && balanced;
        if (edge->sides == 1)
            add_place(&report->open, mesh, edges, edge);
        if (edge->sides > 2)
            add_place(&report->nonmanifold, mesh, edges, edge);
        if (edge->sides > 1 && !balanced)
            add_place(&report->unoriented, mesh, edges, edge);
    }
}

static void report_size(const struct scree_mesh *mesh, struct scree_mesh_report *report)
{
    const struct scree_shape_mesh view = scree_mesh_view(mesh);
    struct scree_sum area = {{0}, {0}, 0, 0};
    report->facets = mesh->facets;
    report->vertices = mesh->vertices;
    scree_mesh_bounds(&view, report->lower, report->upper);
    for (size_t f = 0; f < mesh->facets; ++f) {
        const struct scree_vec3 a = corner(mesh, f, 0);
        const struct scree_vec3 normal =
            scree_vec3_cross(scree_vec3_sub(corner(mesh, f, 1), a), scree_vec3_sub(corner(mesh, f, 2), a));
        scree_sum_add(&area, 0.5 * scree_vec3_norm(normal));
    }
    report->area = scree_sum_value(&area);
}

// Returns the memory of what was removed.
static scree_status shrink(struct scree_mesh *mesh, size_t vertices, size_t facets)
{
    SCREE_TRY(scree_memory_resize((void **)&mesh->vertex, vertices, mesh->vertices, sizeof *mesh->vertex));
    SCREE_TRY(scree_memory_resize((void **)&mesh->facet, facets, mesh->facets, sizeof *mesh->facet));
    return scree_memory_resize((void **)&mesh->number, facets, mesh->facets, sizeof *mesh->number);
}

static scree_status repair_edges(struct scree_mesh *mesh, struct scree_mesh_edges *edges,
                                 struct scree_mesh_report *report)
{
    SCREE_TRY(scree_mesh_edges_find(mesh, edges));
    SCREE_TRY(scree_mesh_orient(mesh, edges, report));
    report_edges(mesh, edges, report);
    return scree_mesh_junctions_find(mesh, edges, &report->junctions);
}

scree_status scree_mesh_repair(struct scree_mesh *mesh, double tolerance, struct scree_mesh_report *report)
{
    const size_t vertices = mesh->vertices, facets = mesh->facets;
    struct scree_mesh_report own = {.facets_read = facets, .vertices_read = vertices};
    struct scree_mesh_edges edges;
    SCREE_TRY(check(mesh, tolerance));
    SCREE_TRY(scree_mesh_merge_equal(mesh));
    if (tolerance > 0)
        SCREE_TRY(scree_mesh_merge_near(mesh, tolerance, &own.near_vertices));
    own.degenerate = remove_collapsed(mesh);
    // a duplicate would keep a sliver from its neighbour
    SCREE_TRY(remove_duplicates(mesh, &own));
    SCREE_TRY(remove_slivers(mesh, &own));
    if (mesh->facets == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the mesh has no facet with an area: each of its %zu facets has two equal "
                                 "vertices, or three on one line",
                                 facets);
    SCREE_TRY(scree_mesh_merge_unused(mesh, &own.unused_vertices));
    SCREE_TRY(shrink(mesh, vertices, facets));
    const scree_status status = repair_edges(mesh, &edges, &own);
    scree_mesh_edges_free(&edges);
    SCREE_TRY(status);
    report_size(mesh, &own);
    if (report)
        *report = own;
    return SCREE_OK;
}
