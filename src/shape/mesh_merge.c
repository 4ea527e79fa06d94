// Makes equal vertices one, see mesh_merge.h.
//
// Equal vertices are found in a hash table (mesh/equal.h); if it needs too many comparisons, vertices are
// sorted by their coordinates instead, so that equal ones are neighbours. Both keep the first of equal
// vertices, so the result does not depend on hashes. For near ones, space is divided into cells of a little
// more than twice the tolerance: all points within the tolerance of a point are in the eight cells nearest to
// it. Vertices that were not moved are further apart than the tolerance, so a cell has few.

#include "shape/mesh_merge.h"

#include "base/memory.h"
#include "math/real.h"
#include "mesh/equal.h"
#include "shape/mesh_order.h"

#define NONE UINT32_MAX

static uint64_t bits_of(const void *user, size_t item, int axis)
{
    const struct scree_mesh *mesh = user;
    return scree_real_bits(mesh->vertex[item][axis]);
}

// Keeps the vertices with same[v] == v, in their order, and renumbers those of facets. Changes `same`, where
// same[v] <= v is a vertex that is kept.
static void renumber(struct scree_mesh *mesh, uint32_t *same)
{
    uint32_t kept = 0;
    for (size_t v = 0; v < mesh->vertices; ++v) {
        if (same[v] < v) {
            same[v] = same[same[v]];
            continue;
        }
        for (int k = 0; k < 3; ++k)
            mesh->vertex[kept][k] = mesh->vertex[v][k];
        same[v] = kept++;
    }
    for (size_t f = 0; f < mesh->facets; ++f)
        for (int k = 0; k < 3; ++k)
            mesh->facet[f][k] = same[mesh->facet[f][k]];
    mesh->vertices = kept;
}

static bool are_equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static scree_status sort_equal(const struct scree_mesh *mesh, uint32_t *same)
{
    uint32_t *order;
    SCREE_TRY(scree_memory_new(mesh->vertices, sizeof *order, (void **)&order));
    const scree_status status = scree_mesh_order(mesh->vertices, 3, bits_of, mesh, order);
    for (size_t i = 0, first = 0; status == SCREE_OK && i < mesh->vertices; ++i) {
        first = are_equal(mesh->vertex[order[first]], mesh->vertex[order[i]]) ? first : i;
        same[order[i]] = order[first];
    }
    scree_memory_free(order);
    return status;
}

scree_status scree_mesh_merge_equal(struct scree_mesh *mesh)
{
    uint32_t *same;
    bool complete = false;
    for (size_t v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            mesh->vertex[v][k] += 0.0; // -0 becomes 0
    SCREE_TRY(scree_memory_new(mesh->vertices, sizeof *same, (void **)&same));
    scree_status status =
        scree_mesh_equal_find((const double(*)[3])mesh->vertex, mesh->vertices, same, &complete);
    if (status == SCREE_OK && !complete)
        status = sort_equal(mesh, same);
    if (status == SCREE_OK)
        renumber(mesh, same);
    scree_memory_free(same);
    return status;
}

// --- within a tolerance

struct cells {
    const struct scree_mesh *mesh;
    double size;
    uint32_t *order; // vertices by their cells
    uint32_t *cell;  // number of the cell of each vertex
    uint32_t *start; // position in `order` of the first vertex of each cell
    uint32_t *head;  // last kept vertex of each cell, NONE if there is none
    uint32_t *next;  // the kept vertex before it in its cell
    size_t cells;
};

// whole number of the cell along an axis
static double cell_along(const struct cells *cells, size_t vertex, int axis)
{
    return scree_real_round(cells->mesh->vertex[vertex][axis] / cells->size);
}

// numbers that are ordered as the whole number: below 2^51, so 1.5 * 2^52 makes them integers of one exponent
static uint64_t key_of(double along)
{
    return scree_real_bits(along + 0x1.8p52);
}

static uint64_t cell_key(const void *user, size_t item, int axis)
{
    return key_of(cell_along(user, item, axis));
}

// Compares the cell of a vertex with another.
static int compare(const struct cells *cells, size_t vertex, const uint64_t key[3])
{
    for (int k = 0; k < 3; ++k) {
        const uint64_t own = cell_key(cells, vertex, k);
        if (own != key[k])
            return own < key[k] ? -1 : 1;
    }
    return 0;
}

// Number of a cell; the number of cells if no vertex is in it.
static size_t find_cell(const struct cells *cells, const uint64_t key[3])
{
    size_t low = 0, high = cells->cells;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int way = compare(cells, cells->order[cells->start[middle]], key);
        if (way == 0)
            return middle;
        if (way < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return cells->cells;
}

static double distance_squared(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

// The first kept vertex within the tolerance, or `vertex`.
static uint32_t find_near(const struct cells *cells, uint32_t vertex, double tolerance)
{
    const double(*position)[3] = (const double(*)[3])cells->mesh->vertex;
    uint32_t near = vertex;
    double own[3], side[3];
    for (int k = 0; k < 3; ++k) {
        own[k] = cell_along(cells, vertex, k);
        side[k] = position[vertex][k] < own[k] * cells->size ? -1 : 1;
    }
    for (int corner = 0; corner < 8; ++corner) {
        uint64_t key[3];
        for (int k = 0; k < 3; ++k)
            key[k] = key_of(own[k] + (corner >> k & 1 ? side[k] : 0));
        const size_t cell = corner == 0 ? cells->cell[vertex] : find_cell(cells, key);
        for (uint32_t v = cell < cells->cells ? cells->head[cell] : NONE; v != NONE; v = cells->next[v])
            if (v < near && distance_squared(position[v], position[vertex]) <= tolerance * tolerance)
                near = v;
    }
    return near;
}

static scree_status fill_cells(struct cells *cells)
{
    const size_t count = cells->mesh->vertices;
    SCREE_TRY(scree_mesh_order(count, 3, cell_key, cells, cells->order));
    for (size_t i = 0; i < count; ++i) {
        uint64_t key[3];
        for (int k = 0; k < 3; ++k)
            key[k] = cell_key(cells, cells->order[i], k);
        if (i == 0 || compare(cells, cells->order[i - 1], key) != 0) {
            cells->head[cells->cells] = NONE;
            cells->start[cells->cells++] = (uint32_t)i;
        }
        cells->cell[cells->order[i]] = (uint32_t)cells->cells - 1;
    }
    return SCREE_OK;
}

scree_status scree_mesh_merge_near(struct scree_mesh *mesh, double tolerance, size_t *moved)
{
    const size_t count = mesh->vertices;
    uint32_t *block;
    double reach = 0;
    *moved = 0;
    for (size_t v = 0; v < count; ++v)
        for (int k = 0; k < 3; ++k)
            reach = scree_real_max(reach, fabs(mesh->vertex[v][k]));
    if (!(reach / tolerance < 0x1p40))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the tolerance of a mesh must be 0 or at least 1e-12 of its largest coordinate, "
            "%g m; got %g m",
            reach, tolerance);
    SCREE_TRY(scree_memory_new(count, 6 * sizeof *block, (void **)&block));
    struct cells cells = {.mesh = mesh,
                          // the numbers of cells are below 2^40 and so wrong by less than 2^-13
                          .size = 2 * (1 + 0x1p-10) * tolerance,
                          .order = block,
                          .cell = block + count,
                          .start = block + 2 * count,
                          .head = block + 3 * count,
                          .next = block + 4 * count};
    uint32_t *same = block + 5 * count;
    const scree_status status = fill_cells(&cells);
    for (uint32_t v = 0; status == SCREE_OK && v < count; ++v) {
        same[v] = find_near(&cells, v, tolerance);
        if (same[v] < v) {
            ++*moved;
            continue;
        }
        cells.next[v] = cells.head[cells.cell[v]];
        cells.head[cells.cell[v]] = v;
    }
    if (status == SCREE_OK)
        renumber(mesh, same);
    scree_memory_free(block);
    return status;
}

// --- without facets

scree_status scree_mesh_merge_unused(struct scree_mesh *mesh, size_t *unused)
{
    const size_t count = mesh->vertices;
    uint32_t *number;
    uint32_t kept = 0;
    SCREE_TRY(scree_memory_new(count, sizeof *number, (void **)&number));
    for (size_t f = 0; f < mesh->facets; ++f)
        for (int k = 0; k < 3; ++k)
            number[mesh->facet[f][k]] = 1;
    for (size_t v = 0; v < count; ++v) {
        if (!number[v])
            continue;
        for (int k = 0; k < 3; ++k)
            mesh->vertex[kept][k] = mesh->vertex[v][k];
        number[v] = kept++;
    }
    for (size_t f = 0; f < mesh->facets; ++f)
        for (int k = 0; k < 3; ++k)
            mesh->facet[f][k] = number[mesh->facet[f][k]];
    scree_memory_free(number);
    *unused = count - kept;
    mesh->vertices = kept;
    return SCREE_OK;
}
