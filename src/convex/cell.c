// Cutting a convex polyhedron by planes, see cell.h.

#include "convex/cell.h"

#include "base/memory.h"
#include "convex/hull.h"

enum { MOST_VERTICES = 4 * SCREE_CONVEX_MOST_VERTICES };

struct scree_convex_cell_work {
    double height[MOST_VERTICES];
    uint32_t number[MOST_VERTICES]; // of a vertex after the cut
    uint32_t next[MOST_VERTICES];   // along the boundary of the new face
    uint32_t loop[MOST_VERTICES];
    uint64_t side[MOST_VERTICES]; // key of the edge on which a new vertex is
    uint32_t first_new;
    struct scree_convex_loops loops;
    uint32_t plane[MOST_VERTICES];
};

// --- cutting

// The vertex at which the plane cuts the edge from a to b.
static scree_status cut_edge(struct scree_convex_cell *cell, uint32_t a, uint32_t b, uint32_t *vertex)
{
    struct scree_convex_cell_work *work = cell->work;
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    const uint64_t key = (uint64_t)low << 32 | high;
    for (uint32_t v = work->first_new; v < cell->vertices; ++v)
        if (work->side[v] == key) {
            *vertex = v;
            return SCREE_OK;
        }
    if (cell->vertices == MOST_VERTICES)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a convex cell has more than %d vertices",
                                 MOST_VERTICES);
    const double share = work->height[low] / (work->height[low] - work->height[high]);
    *vertex = (uint32_t)cell->vertices++;
    work->side[*vertex] = key;
    work->height[*vertex] = 0;
    cell->vertex[*vertex] = scree_vec3_add_scaled(cell->vertex[low], share,
                                                  scree_vec3_sub(cell->vertex[high], cell->vertex[low]));
    return SCREE_OK;
}

// Keeps the part of a face below the plane, and notes the side that it has in the plane.
static scree_status cut_face(struct scree_convex_cell *cell, size_t face)
{
    struct scree_convex_cell_work *work = cell->work;
    const uint32_t from = cell->loops.first[face], to = cell->loops.first[face + 1];
    uint32_t corners = 0;
    bool below = false;
    for (uint32_t k = from; k < to; ++k) {
        const uint32_t a = cell->loops.corner[k], b = cell->loops.corner[k + 1 == to ? from : k + 1];
        below = below || work->height[a] < 0;
        if (work->height[a] <= 0)
            work->loop[corners++] = a;
        if ((work->height[a] < 0 && work->height[b] > 0) || (work->height[a] > 0 && work->height[b] < 0))
            SCREE_TRY(cut_edge(cell, a, b, &work->loop[corners++]));
    }
    if (!below || corners < 3)
        return SCREE_OK;
    for (uint32_t k = 0; k < corners; ++k) {
        const uint32_t a = work->loop[k], b = work->loop[k + 1 == corners ? 0 : k + 1];
        if (work->height[a] == 0 && work->height[b] == 0)
            work->next[b] = a;
    }
    work->plane[work->loops.faces] = cell->plane[face];
    return scree_convex_loops_add(&work->loops, work->loop, corners);
}

// The new face follows the sides that the others have in the plane.
static scree_status add_face(struct scree_convex_cell *cell, uint32_t plane)
{
    struct scree_convex_cell_work *work = cell->work;
    uint32_t start = UINT32_MAX, corners = 0;
    for (uint32_t v = 0; v < cell->vertices && start == UINT32_MAX; ++v)
        if (work->next[v] != UINT32_MAX)
            start = v;
    for (uint32_t v = start; v != UINT32_MAX && corners < cell->vertices; v = work->next[v]) {
        work->loop[corners++] = v;
        if (work->next[v] == start)
            break;
    }
    if (corners < 3)
        return SCREE_OK;
    work->plane[work->loops.faces] = plane;
    return scree_convex_loops_add(&work->loops, work->loop, corners);
}

// Numbers the vertices that are left.
static scree_status renumber(struct scree_convex_cell *cell)
{
    struct scree_convex_cell_work *work = cell->work;
    uint32_t count = 0;
    for (uint32_t v = 0; v < cell->vertices; ++v)
        work->number[v] = UINT32_MAX;
    for (size_t k = 0; k < work->loops.corners; ++k)
        work->number[work->loops.corner[k]] = 0;
    for (uint32_t v = 0; v < cell->vertices; ++v)
        if (work->number[v] == 0) {
            cell->vertex[count] = cell->vertex[v];
            work->number[v] = count++;
        }
    cell->vertices = count;
    for (size_t k = 0; k < work->loops.corners; ++k)
        work->loops.corner[k] = work->number[work->loops.corner[k]];
    SCREE_TRY(scree_memory_grow((void **)&cell->plane, &cell->plane_capacity, work->loops.faces,
                                sizeof *cell->plane));
    for (size_t f = 0; f < work->loops.faces; ++f)
        cell->plane[f] = work->plane[f];
    const struct scree_convex_loops old = cell->loops;
    cell->loops = work->loops;
    work->loops = old;
    return SCREE_OK;
}

scree_status scree_convex_cell_cut(struct scree_convex_cell *cell, struct scree_vec3 normal, double offset,
                                   uint32_t plane)
{
    struct scree_convex_cell_work *work = cell->work;
    bool above = false, below = false;
    for (size_t v = 0; v < cell->vertices; ++v) {
        const double height = scree_vec3_dot(normal, cell->vertex[v]) - offset;
        work->height[v] = fabs(height) <= cell->tolerance ? 0 : height;
        above = above || work->height[v] > 0;
        below = below || work->height[v] < 0;
    }
    if (!above)
        return SCREE_OK;
    work->loops.faces = work->loops.corners = 0;
    work->first_new = (uint32_t)cell->vertices;
    for (size_t v = 0; v < MOST_VERTICES; ++v)
        work->next[v] = UINT32_MAX;
    if (!below) {
        cell->vertices = cell->loops.faces = cell->loops.corners = 0;
        return SCREE_OK;
    }
    for (size_t f = 0; f < cell->loops.faces; ++f)
        SCREE_TRY(cut_face(cell, f));
    SCREE_TRY(add_face(cell, plane));
    return renumber(cell);
}

// --- making

static scree_status begin(struct scree_vec3 lower, struct scree_vec3 upper, struct scree_convex_cell *cell)
{
    static const uint32_t face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    SCREE_TRY(scree_memory_new(MOST_VERTICES, sizeof *cell->vertex, (void **)&cell->vertex));
    SCREE_TRY(scree_memory_new(1, sizeof *cell->work, (void **)&cell->work));
    SCREE_TRY(scree_memory_grow((void **)&cell->plane, &cell->plane_capacity, 6, sizeof *cell->plane));
    for (int v = 0; v < 8; ++v)
        cell->vertex[v] =
            scree_vec3_make(v & 1 ? upper.x : lower.x, v & 2 ? upper.y : lower.y, v & 4 ? upper.z : lower.z);
    for (int f = 0; f < 6; ++f) {
        SCREE_TRY(scree_convex_loops_add(&cell->loops, face[f], 4));
        cell->plane[f] = UINT32_MAX;
    }
    cell->vertices = 8;
    // a few round-offs of the largest coordinates
    cell->tolerance = 0x1p-48 * scree_real_max(scree_vec3_norm(lower), scree_vec3_norm(upper));
    return SCREE_OK;
}

scree_status scree_convex_cell_box(struct scree_vec3 lower, struct scree_vec3 upper,
                                   struct scree_convex_cell *cell)
{
    *cell = (struct scree_convex_cell){0};
    const scree_status status = begin(lower, upper, cell);
    if (status != SCREE_OK)
        scree_convex_cell_free(cell);
    return status;
}

double scree_convex_cell_reach(const struct scree_convex_cell *cell)
{
    double reach = 0;
    for (size_t v = 0; v < cell->vertices; ++v)
        reach = scree_real_max(reach, scree_vec3_norm_squared(cell->vertex[v]));
    return reach;
}

// The error of a vertex grows where planes meet at small angles, by which the shape's own check extrapolates.
scree_status scree_convex_cell_shape(const struct scree_convex_cell *cell, struct scree_convex *shape)
{
    return scree_convex_make(3, cell->vertex, cell->vertices, cell->loops.first, cell->loops.corner,
                             cell->loops.faces, 16 * cell->tolerance, shape);
}

scree_status scree_convex_cell_top(const struct scree_convex_cell *cell, struct scree_convex *shape)
{
    size_t face = 0;
    for (size_t f = 0; f < cell->loops.faces; ++f) {
        bool top = true;
        for (uint32_t k = cell->loops.first[f]; k < cell->loops.first[f + 1]; ++k)
            top = top && cell->vertex[cell->loops.corner[k]].z > 0;
        face = top ? f : face;
    }
    const uint32_t *corner = cell->loops.corner + cell->loops.first[face];
    const uint32_t corners = cell->loops.first[face + 1] - cell->loops.first[face];
    const uint32_t first[2] = {0, corners};
    struct scree_vec3 *point = NULL;
    uint32_t *order = NULL;
    scree_status status = scree_memory_new(corners, sizeof *point, (void **)&point);
    if (status == SCREE_OK)
        status = scree_memory_new(corners, sizeof *order, (void **)&order);
    for (uint32_t k = 0; k < corners && status == SCREE_OK; ++k) {
        const struct scree_vec3 v = cell->vertex[corner[k]];
        point[k] = scree_vec3_make(v.x, v.y, 0);
        order[k] = k;
    }
    if (status == SCREE_OK)
        status = scree_convex_make(2, point, corners, first, order, 1, 16 * cell->tolerance, shape);
    scree_memory_free(point);
    scree_memory_free(order);
    return status;
}

void scree_convex_cell_free(struct scree_convex_cell *cell)
{
    if (cell->work != NULL)
        scree_convex_loops_free(&cell->work->loops);
    scree_convex_loops_free(&cell->loops);
    scree_memory_free(cell->work);
    scree_memory_free(cell->vertex);
    scree_memory_free(cell->plane);
    *cell = (struct scree_convex_cell){0};
}

// --- erosion

static scree_status cut_all(const struct scree_convex *shape, double depth, struct scree_convex_cell *cell)
{
    for (uint32_t f = 0; f < shape->faces; ++f)
        SCREE_TRY(scree_convex_cell_cut(cell, shape->face[f].normal, shape->face[f].offset - depth, f));
    return SCREE_OK;
}

// Makes the part at least `depth` below all faces, which may be nothing. The cell is to be freed on success.
static scree_status make_core(const struct scree_convex *shape, double depth, struct scree_convex_cell *cell)
{
    const double most = 2 * shape->radius;
    SCREE_TRY(
        scree_convex_cell_box(scree_vec3_make(-most, -most, -most), scree_vec3_make(most, most, most), cell));
    const scree_status status = cut_all(shape, depth, cell);
    if (status != SCREE_OK)
        scree_convex_cell_free(cell);
    return status;
}

static bool is_nothing(const struct scree_convex_cell *cell)
{
    return cell->loops.faces < 4;
}

// Fails with the largest depth at which something is left, rounded down.
static scree_status fail_too_deep(const struct scree_convex *shape, double depth)
{
    double possible = 0, too_deep = depth < shape->radius ? depth : shape->radius;
    for (int k = 0; k < 50 && too_deep - possible > 1e-4 * too_deep; ++k) {
        const double middle = 0.5 * (possible + too_deep);
        struct scree_convex_cell cell;
        SCREE_TRY(make_core(shape, middle, &cell));
        if (is_nothing(&cell))
            too_deep = middle;
        else
            possible = middle;
        scree_convex_cell_free(&cell);
    }
    // four digits are rounded up by at most 5e-4
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "the rounding radius %g m is too large: no part of the body is so deep; it can be at most %.4g m",
        depth, 0.999 * possible);
}

// The core of a polygon is the top of the prism that the planes of its sides leave of the box.
static scree_status take_top(const struct scree_convex_cell *cell, struct scree_convex *shape)
{
    struct scree_vec3 *point;
    size_t points = 0;
    SCREE_TRY(scree_memory_new(cell->vertices, sizeof *point, (void **)&point));
    for (size_t v = 0; v < cell->vertices; ++v)
        if (cell->vertex[v].z > 0)
            point[points++] = scree_vec3_make(cell->vertex[v].x, cell->vertex[v].y, 0);
    const scree_status status = scree_convex_hull(2, point, points, 16 * cell->tolerance, shape);
    scree_memory_free(point);
    return status;
}

scree_status scree_convex_erode(const struct scree_convex *shape, double depth, struct scree_convex *eroded)
{
    struct scree_convex_cell cell;
    *eroded = (struct scree_convex){0};
    SCREE_TRY(make_core(shape, depth, &cell));
    const scree_status status = is_nothing(&cell)       ? fail_too_deep(shape, depth)
                                : shape->dimension == 2 ? take_top(&cell, eroded)
                                                        : scree_convex_cell_shape(&cell, eroded);
    scree_convex_cell_free(&cell);
    return status;
}
