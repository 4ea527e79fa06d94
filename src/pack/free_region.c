// The free region of a filling, see free_region.h.

#include "pack/free_region.h"

#include "shape/surface.h"
#include "world/wall.h"

#include <scree/cell.h>

#include <math.h>

enum { POINTS = 1 << 19 };

// relative tolerance for a lattice that touches a wall exactly
static const double margin = 1e-12;

void scree_free_region_set_walls(const struct scree_world *world, struct scree_free_region *free_region)
{
    struct scree_cell_def cell;
    scree_cell_get(world, &cell);
    scree_region_mesh_follow(&free_region->region, world);
    for (int k = 0; k < 3; ++k) {
        free_region->corner[k] = cell.lower[k];
        if (!cell.periodic[k])
            continue;
        free_region->period[k] = cell.upper[k] - cell.lower[k];
        free_region->region.open[k] = free_region->region.shape == SCREE_REGION_BOX &&
                                      free_region->region.lower[k] == cell.lower[k] &&
                                      free_region->region.upper[k] == cell.upper[k];
    }
    free_region->walls = scree_wall_rows(world);
    free_region->wall = free_region->walls > 0 ? scree_wall_row(world, 0) : NULL;
}

void scree_free_region_wrap(const struct scree_free_region *free_region, double position[3])
{
    for (int k = 0; k < 3; ++k) {
        const double period = free_region->period[k];
        if (period > 0)
            position[k] -= period * floor((position[k] - free_region->corner[k]) / period);
    }
}

bool scree_free_region_is_free(const struct scree_free_region *free_region, const double position[3],
                               double radius)
{
    double wrapped[3] = {position[0], position[1], position[2]};
    scree_free_region_wrap(free_region, wrapped);
    for (size_t w = 0; w < free_region->walls; ++w) {
        struct scree_surface_query query;
        unsigned f;
        scree_surface_query_begin(&query, &free_region->wall[w], wrapped, radius);
        while (scree_surface_query_next(&query, &f))
            if (scree_surface_within(&free_region->wall[w], f, wrapped, radius * (1 - margin)))
                return false;
    }
    return true;
}

bool scree_free_region_contains(const struct scree_free_region *free_region, const double position[3],
                                double radius)
{
    return scree_region_contains(&free_region->region, position, radius) &&
           scree_free_region_is_free(free_region, position, radius);
}

static bool has_inside(const struct scree_wall *wall)
{
    return wall->shape == SCREE_WALL_PLANE || wall->shape == SCREE_WALL_BOX ||
           wall->shape == SCREE_WALL_SPHERE;
}

double scree_free_region_volume(const struct scree_free_region *free_region)
{
    // quasi-random points: Roberts' R3 sequence, steps are the inverse powers of the root of x^4 = x + 1
    static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    const struct scree_region *region = &free_region->region;
    const double total = scree_region_volume(region);
    size_t in_region = 0, free_points = 0;
    bool is_cut = false;
    for (size_t w = 0; w < free_region->walls; ++w)
        is_cut = is_cut || has_inside(&free_region->wall[w]);
    for (int n = 0; is_cut && n < POINTS; ++n) {
        double position[3] = {0};
        for (int k = 0; k < region->dimension; ++k) {
            const double multiple = 0.5 + (n + 1) * step[k];
            position[k] =
                region->lower[k] + (multiple - floor(multiple)) * (region->upper[k] - region->lower[k]);
        }
        const bool contained = scree_region_contains(region, position, 0);
        in_region += contained;
        free_points += contained && scree_free_region_is_free(free_region, position, 0);
    }
    return is_cut && in_region > 0 ? total * ((double)free_points / (double)in_region) : total;
}

// --- faces of the region

static bool face_of_box(const struct scree_region *region, int face, const double position[3], double *gap,
                        double inwards[3])
{
    const int axis = face / 2;
    const bool high = face % 2;
    if (axis >= region->dimension)
        return false;
    inwards[axis] = high ? -1 : 1;
    *gap = region->open[axis] ? (double)INFINITY
           : high             ? region->upper[axis] - position[axis]
                              : position[axis] - region->lower[axis];
    return true;
}

// Gap and inward normal of a round surface; `offset` is the position relative to its centre or axis.
static void face_of_round(double radius, const double offset[3], double *gap, double inwards[3])
{
    const double distance = sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
    *gap = radius - distance;
    for (int k = 0; k < 3; ++k)
        inwards[k] = distance > 0 ? -offset[k] / distance : k == 0;
}

static bool face_of_cylinder(const struct scree_region *region, int face, const double position[3],
                             double *gap, double inwards[3])
{
    double axis[3], offset[3], length = 0, along = 0;
    for (int k = 0; k < 3; ++k) {
        axis[k] = region->to[k] - region->from[k];
        offset[k] = position[k] - region->from[k];
        length += axis[k] * axis[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; ++k) {
        axis[k] /= length;
        along += axis[k] * offset[k];
    }
    if (face == 2) {
        for (int k = 0; k < 3; ++k)
            offset[k] -= along * axis[k];
        face_of_round(region->radius, offset, gap, inwards);
        return true;
    }
    *gap = face == 0 ? along : length - along;
    for (int k = 0; k < 3; ++k)
        inwards[k] = face == 0 ? axis[k] : -axis[k];
    return face < 2;
}

bool scree_free_region_face(const struct scree_free_region *free_region, int face, const double position[3],
                            double *gap, double inwards[3])
{
    const struct scree_region *region = &free_region->region;
    inwards[0] = inwards[1] = inwards[2] = 0;
    if (region->shape == SCREE_REGION_MESH)
        return false; // it is one of the walls
    if (region->shape == SCREE_REGION_BOX)
        return face_of_box(region, face, position, gap, inwards);
    if (region->shape == SCREE_REGION_CYLINDER)
        return face <= 2 && face_of_cylinder(region, face, position, gap, inwards);
    double offset[3] = {0};
    for (int k = 0; k < region->dimension; ++k)
        offset[k] = position[k] - region->from[k];
    face_of_round(region->radius, offset, gap, inwards);
    return face == 0;
}
