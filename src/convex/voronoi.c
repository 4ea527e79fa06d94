// Voronoi cells, see voronoi.h.
//
// A cell is the domain, cut by the planes half way to other points. Points beyond twice the distance of the
// farthest vertex cannot cut it, so a grid of points is searched shell by shell. In two dimensions a cell is
// the top of a prism.

#include "convex/voronoi.h"

#include "base/memory.h"
#include "base/random.h"
#include "convex/cell.h"

#include <stdlib.h>

// stream of random numbers
enum { STREAM = 0x566F726F };

enum { MOST_GRID = 128, FAR_SHORTER = 64, MOST_DRAWS = 1 << 20 };

struct grid {
    const struct scree_convex_voronoi *def;
    int cells[3];
    double width[3], narrowest; // narrowest: of directions with more than one cell
    uint32_t *first, *point;    // [cells + 1], [points]
};

// --- points

static bool is_inside(const struct scree_convex_voronoi *def, struct scree_vec3 p)
{
    const bool flat = def->dimension == 2;
    bool inside = p.x > def->lower.x && p.y > def->lower.y && p.x < def->upper.x && p.y < def->upper.y &&
                  (flat ? p.z == 0 : p.z > def->lower.z && p.z < def->upper.z);
    for (uint32_t f = 0; inside && def->domain && f < def->domain->faces; ++f)
        inside = scree_vec3_dot(def->domain->face[f].normal, p) < def->domain->face[f].offset;
    return inside;
}

// Draws points in the box until one is in the domain.
scree_status scree_convex_voronoi_points(const struct scree_convex_voronoi *def, uint64_t seed,
                                         struct scree_vec3 *point)
{
    const struct scree_random_key key = {seed, STREAM};
    const struct scree_vec3 edge = scree_vec3_sub(def->upper, def->lower);
    for (size_t n = 0; n < def->points; ++n) {
        uint64_t draw = 0;
        do {
            double u[3];
            if (draw == MOST_DRAWS)
                return scree_status_fail(
                    SCREE_ERROR_ARGUMENT,
                    "of %d random points in the box around the body that is cut, none is in "
                    "the body: it is too thin, and not along the axes",
                    MOST_DRAWS);
            scree_random_fill(key, n, draw++, u, 3);
            point[n] = scree_vec3_add(def->lower, scree_vec3_multiply(scree_vec3_load(u), edge));
        } while (!is_inside(def, point[n]));
    }
    return SCREE_OK;
}

// --- grid

static size_t cell_of(const struct grid *grid, struct scree_vec3 p, int at[3])
{
    double x[3];
    scree_vec3_store(scree_vec3_sub(p, grid->def->lower), x);
    for (int k = 0; k < 3; ++k) {
        const int cell = (int)(x[k] / grid->width[k]);
        at[k] = cell < grid->cells[k] ? cell : grid->cells[k] - 1;
    }
    return ((size_t)at[2] * (size_t)grid->cells[1] + (size_t)at[1]) * (size_t)grid->cells[0] + (size_t)at[0];
}

static double power(double x, int exponent)
{
    double result = x;
    for (int k = 1; k < exponent; ++k)
        result *= x;
    return result;
}

// Numbers of grid cells that have about two points each, and are about as wide as long. A direction in which
// the box is far shorter than such a cell gets one, and does not count for the others: otherwise all of these
// would be as short, and their number limited, so that each Voronoi cell searched most of them.
static void choose_cells(const double edge[3], size_t points, int cells[3])
{
    bool counts[3] = {true, true, edge[2] > 0};
    int directions = counts[2] ? 3 : 2;
    for (bool changed = true; changed;) {
        double size = 1;
        int left = directions;
        changed = false;
        for (int k = 0; k < 3; ++k)
            size *= counts[k] ? edge[k] : 1;
        const double wanted = size * 2 / (double)points;
        for (int k = 0; k < 3; ++k) {
            cells[k] = 1;
            while (counts[k] && cells[k] < MOST_GRID && power(edge[k] / (cells[k] + 1), directions) >= wanted)
                ++cells[k];
            if (counts[k] && left > 1 && power(FAR_SHORTER * edge[k], directions) < wanted) {
                counts[k] = false;
                changed = true;
                --left;
            }
        }
        directions = left;
    }
}

static scree_status make_grid(const struct scree_convex_voronoi *def, struct grid *grid)
{
    double edge[3];
    scree_vec3_store(scree_vec3_sub(def->upper, def->lower), edge);
    choose_cells(edge, def->points, grid->cells);
    size_t cells = 1;
    grid->narrowest = (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
        // all points of the plane are in its one layer
        grid->width[k] = edge[k] > 0 ? edge[k] / grid->cells[k] : 1;
        if (grid->cells[k] > 1)
            grid->narrowest = scree_real_min(grid->narrowest, grid->width[k]);
        cells *= (size_t)grid->cells[k];
    }
    SCREE_TRY(scree_memory_new(cells + 2, sizeof *grid->first, (void **)&grid->first));
    SCREE_TRY(scree_memory_new(def->points, sizeof *grid->point, (void **)&grid->point));
    int at[3];
    for (size_t n = 0; n < def->points; ++n)
        ++grid->first[cell_of(grid, def->point[n], at) + 2];
    for (size_t c = 0; c < cells; ++c)
        grid->first[c + 2] += grid->first[c + 1];
    for (size_t n = 0; n < def->points; ++n)
        grid->point[grid->first[cell_of(grid, def->point[n], at) + 1]++] = (uint32_t)n;
    return SCREE_OK;
}

// --- cells

static scree_status cut_by_point(const struct scree_convex_voronoi *def, size_t n, uint32_t other,
                                 struct scree_convex_cell *cell)
{
    const struct scree_vec3 line = scree_vec3_sub(def->point[other], def->point[n]);
    const double length = scree_vec3_norm(line);
    if (other == n)
        return SCREE_OK;
    if (!(length > def->gap))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "points %zu and %u of a Voronoi diagram are %g m apart, which must be more than "
            "the gap of %g m",
            n, (unsigned)other, length, def->gap);
    if (length * length > 4 * scree_convex_cell_reach(cell))
        return SCREE_OK;
    return scree_convex_cell_cut(cell, scree_vec3_scale(line, 1 / length), 0.5 * (length - def->gap), other);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static scree_status cut_by_grid_cell(const struct grid *grid, size_t n, int x, int y, int z,
                                     struct scree_convex_cell *cell)
{
    const size_t c = ((size_t)z * (size_t)grid->cells[1] + (size_t)y) * (size_t)grid->cells[0] + (size_t)x;
    for (uint32_t k = grid->first[c]; k < grid->first[c + 1]; ++k)
        SCREE_TRY(cut_by_point(grid->def, n, grid->point[k], cell));
    return SCREE_OK;
}

// Cuts by the points of all grid cells that are `shell` cells away.
static scree_status cut_by_shell(const struct grid *grid, size_t n, const int at[3], int shell,
                                 struct scree_convex_cell *cell)
{
    int first[3], last[3];
    for (int k = 0; k < 3; ++k) {
        first[k] = larger(at[k] - shell, 0);
        last[k] = smaller(at[k] + shell, grid->cells[k] - 1);
    }
    for (int z = first[2]; z <= last[2]; ++z)
        for (int y = first[1]; y <= last[1]; ++y) {
            // rows of the sides are visited whole, of others only the ends, which may be outside of the grid
            const bool whole = abs(z - at[2]) == shell || abs(y - at[1]) == shell;
            const int from = whole || at[0] - shell >= 0 ? first[0] : at[0] + shell;
            for (int x = from; x <= last[0]; x = whole || x > at[0] ? x + 1 : at[0] + shell)
                SCREE_TRY(cut_by_grid_cell(grid, n, x, y, z, cell));
        }
    return SCREE_OK;
}

static scree_status cut_cell(const struct grid *grid, size_t n, struct scree_convex_cell *cell)
{
    int at[3];
    (void)cell_of(grid, grid->def->point[n], at);
    const int most = larger(grid->cells[0], larger(grid->cells[1], grid->cells[2]));
    for (int shell = 0; shell < most; ++shell) {
        // points of this shell and farther ones are at least this far
        const double near = shell > 0 ? (shell - 1) * grid->narrowest : 0;
        if (near * near > 4 * scree_convex_cell_reach(cell))
            break;
        SCREE_TRY(cut_by_shell(grid, n, at, shell, cell));
    }
    return SCREE_OK;
}

// The domain, as seen from a point. The height of a prism is below the distance of points, so that it does
// not make the cell reach farther.
static scree_status begin_cell(const struct scree_convex_voronoi *def, struct scree_vec3 point,
                               struct scree_convex_cell *cell)
{
    struct scree_vec3 lower = scree_vec3_sub(def->lower, point), upper = scree_vec3_sub(def->upper, point);
    if (def->dimension == 2) {
        const struct scree_vec3 edge = scree_vec3_sub(def->upper, def->lower);
        upper.z = 0.25 *
                  scree_real_min(scree_real_min(edge.x, edge.y), sqrt(edge.x / (double)def->points * edge.y));
        lower.z = -upper.z;
    }
    SCREE_TRY(scree_convex_cell_box(lower, upper, cell));
    scree_status status = SCREE_OK;
    for (uint32_t f = 0; status == SCREE_OK && def->domain && f < def->domain->faces; ++f) {
        const struct scree_convex_face *face = &def->domain->face[f];
        status = scree_convex_cell_cut(cell, face->normal, face->offset - scree_vec3_dot(face->normal, point),
                                       UINT32_MAX);
    }
    if (status != SCREE_OK)
        scree_convex_cell_free(cell);
    return status;
}

static scree_status make_cell(const struct grid *grid, size_t n, struct scree_convex *shape)
{
    struct scree_convex_cell cell;
    SCREE_TRY(begin_cell(grid->def, grid->def->point[n], &cell));
    scree_status status = cut_cell(grid, n, &cell);
    if (status == SCREE_OK)
        status = grid->def->dimension == 2 ? scree_convex_cell_top(&cell, shape)
                                           : scree_convex_cell_shape(&cell, shape);
    scree_convex_cell_free(&cell);
    return status;
}

static scree_status check(const struct scree_convex_voronoi *def)
{
    const struct scree_vec3 edge = scree_vec3_sub(def->upper, def->lower);
    const bool flat = def->dimension == 2;
    if (!(edge.x > 0 && edge.y > 0 && (flat ? edge.z == 0 : edge.z > 0) &&
          isfinite(edge.x + edge.y + edge.z)))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the box of Voronoi cells must have %s",
                                 flat ? "an area, in the plane z = 0" : "a volume");
    if (!(def->gap >= 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the gap between Voronoi cells must not be %g m",
                                 def->gap);
    if (def->points == 0 || def->points > UINT32_MAX)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there must be from 1 to 2^32 - 1 points, not %zu",
                                 def->points);
    for (size_t n = 0; n < def->points; ++n)
        if (!is_inside(def, def->point[n]))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "point %zu of a Voronoi diagram must be inside of the %s", n,
                                     def->domain ? "domain" : "box");
    return SCREE_OK;
}

scree_status scree_convex_voronoi_make(const struct scree_convex_voronoi *def, struct scree_convex *shape)
{
    struct grid grid = {.def = def};
    size_t made = 0;
    SCREE_TRY(check(def));
    scree_status status = make_grid(def, &grid);
    while (status == SCREE_OK && made < def->points) {
        status = make_cell(&grid, made, &shape[made]);
        made += status == SCREE_OK;
    }
    while (status != SCREE_OK && made > 0)
        scree_convex_free(&shape[--made]);
    scree_memory_free(grid.first);
    scree_memory_free(grid.point);
    return status;
}
