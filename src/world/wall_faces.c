// Walls at periodic faces, see wall_faces.h.

#include "world/wall_faces.h"

#include "mesh/surface.h"
#include "world/wall.h"
#include "world/wall_shape.h"

#include <math.h>
#include <stdio.h>

// Directions and lengths are equal if they differ by less than this part: the step at a face is then far
// below the overlap of a contact.
static const double tolerance = 1e-9;

// The periodic cell and a wall along one axis.
struct view {
    const struct scree_world *world;
    const struct scree_wall *wall;
    const struct scree_cell *cell;
    int axis;
    double reach;
    double first, last; // the faces, m
};

static double period_of(const struct view *view)
{
    return view->last - view->first;
}

static bool is_zero(double x)
{
    return fabs(x) <= tolerance;
}

// --- extents

// Extent of a wall along an axis; infinite for a plane. Infinite sizes are along z, never a periodic axis.
static void extend(const struct scree_wall *wall, int axis, double *lower, double *upper)
{
    const double along = wall->axes[2][axis], across = sqrt(scree_real_max(0, 1 - along * along));
    double below = 0, above = 0;
    switch (wall->shape) {
    case SCREE_WALL_RECTANGLE:
    case SCREE_WALL_BOX:
    case SCREE_WALL_MESH:
        for (int j = 0; j < 3; ++j)
            above += is_zero(wall->axes[j][axis]) ? 0 : fabs(wall->axes[j][axis]) * wall->size[j];
        below = -above;
        break;
    case SCREE_WALL_SPHERE:
        above = wall->size[0];
        below = -above;
        break;
    case SCREE_WALL_DISK:
        above = wall->size[0] * across;
        below = -above;
        break;
    case SCREE_WALL_CYLINDER:
    case SCREE_WALL_CONE: {
        const double middle = is_zero(along) ? 0 : along * wall->size[2];
        const double ends[2] = {wall->size[0] * across, wall->size[1] * across};
        below = scree_real_min(-middle - ends[0], middle - ends[1]);
        above = scree_real_max(-middle + ends[0], middle + ends[1]);
        break;
    }
    default:
        below = -(double)INFINITY;
        above = (double)INFINITY;
    }
    *lower = wall->reference[axis] + below;
    *upper = wall->reference[axis] + above;
}

// Returns true if [lower, upper] is farther than the reach from a position along the axis.
static bool is_clear(const struct view *view, double lower, double upper, double position)
{
    const double reach = view->reach * (1 - tolerance);
    return lower - position >= reach || position - upper >= reach;
}

// A container is never beside the cell: it is solid outside.
static bool is_container(const struct scree_wall *wall)
{
    return wall->side == SCREE_WALL_INSIDE;
}

// Returns true if a finite wall is so far outside of the cell that no body in it can touch the wall.
static bool is_apart(const struct scree_cell *cell, const struct scree_wall *wall, double reach)
{
    for (int k = 0; k < 3 && !is_container(wall); ++k) {
        double lower, upper;
        extend(wall, k, &lower, &upper);
        if (cell->period[k] > 0 && (upper <= cell->lower[k] - reach || lower >= cell->upper[k] + reach))
            return true;
    }
    return false;
}

// --- planes

// Smallest height above a plane of the centres that a cell allows, which is unbounded along other axes.
static double smallest_height(const struct view *view, const double *point, const double *normal)
{
    double height = 0;
    for (int k = 0; k < 3; ++k) {
        if (is_zero(normal[k]))
            continue;
        if (!(view->cell->period[k] > 0))
            return -(double)INFINITY;
        const double lower = (view->cell->lower[k] - point[k]) * normal[k],
                     upper = (view->cell->upper[k] - point[k]) * normal[k];
        height += scree_real_min(lower, upper);
    }
    return height;
}

// Component along the axis of the rate at which a direction turns.
static double turn_of(const struct view *view, const double *direction)
{
    const struct scree_vec3 rate =
        scree_vec3_cross(scree_vec3_load(view->wall->spin), scree_vec3_load(direction));
    return view->axis == 0 ? rate.x : view->axis == 1 ? rate.y : rate.z;
}

static double fastest_turn(const struct view *view)
{
    return tolerance * scree_vec3_norm(scree_vec3_load(view->wall->spin));
}

// Returns true if a plane with this point and normal is wrong along the axis.
static bool check_plane(const struct view *view, const double *point, const double *normal,
                        struct scree_wall_faces_fault *fault)
{
    if (is_zero(normal[view->axis])) {
        fault->problem = SCREE_WALL_FACES_TURN;
        return fabs(turn_of(view, normal)) > fastest_turn(view);
    }
    fault->problem = SCREE_WALL_FACES_CROSS;
    return smallest_height(view, point, normal) < view->reach;
}

// Each face of a container is a plane without an end. A container with all its faces inside the cell keeps
// bodies away from the periodic faces.
static bool check_container(const struct view *view, struct scree_wall_faces_fault *fault)
{
    const struct scree_wall *wall = view->wall;
    for (unsigned f = 0; f < wall->features; ++f) {
        const double sign = f % 2 ? -1 : 1, half = wall->size[f / 2];
        double point[3], normal[3];
        for (int k = 0; k < 3; ++k) {
            normal[k] = sign * wall->axes[f / 2][k];
            point[k] = wall->reference[k] - half * normal[k];
        }
        if (check_plane(view, point, normal, fault))
            return true;
    }
    return false;
}

// --- walls that are the same along the axis

// Returns true if a flat wall parallel to the axis covers the whole cell, so that no centre sees its rim.
static bool covers_cell(const struct view *view)
{
    const struct scree_wall *wall = view->wall;
    double most[2], square = 0;
    if ((wall->shape != SCREE_WALL_RECTANGLE && wall->shape != SCREE_WALL_DISK) ||
        !is_zero(wall->axes[2][view->axis]))
        return false;
    for (int j = 0; j < 2; ++j) {
        most[j] = 0;
        for (int k = 0; k < 3; ++k) {
            const double part = fabs(wall->axes[j][k]);
            const double below = fabs(view->cell->lower[k] - wall->reference[k]),
                         above = fabs(view->cell->upper[k] - wall->reference[k]);
            if (part > tolerance)
                most[j] += view->cell->period[k] > 0 ? part * scree_real_max(below, above) : (double)INFINITY;
        }
        square += most[j] * most[j];
    }
    const double rounding = tolerance * period_of(view);
    if (wall->shape == SCREE_WALL_DISK)
        return wall->size[1] == 0 && sqrt(square) <= wall->size[0] + rounding;
    return most[0] <= wall->size[0] + rounding && most[1] <= wall->size[1] + rounding;
}

// Returns the number of the wall's axis along which it is straight and parallel to the periodic axis; -1 if
// there is none.
static int straight_axis(const struct view *view)
{
    const struct scree_wall *wall = view->wall;
    const int first = wall->shape == SCREE_WALL_CYLINDER ? 2 : 0;
    const int last = wall->shape == SCREE_WALL_RECTANGLE ? 1 : 2;
    if (wall->shape != SCREE_WALL_CYLINDER && wall->shape != SCREE_WALL_RECTANGLE &&
        wall->shape != SCREE_WALL_BOX)
        return -1;
    for (int j = first; j <= last; ++j) {
        double other = 0;
        for (int k = 0; k < 3; ++k)
            other += k == view->axis ? 0 : fabs(wall->axes[j][k]);
        if (is_zero(other))
            return j;
    }
    return -1;
}

// Returns true if a wall is the same everywhere along the axis in the cell; sets `turns` if it rotates out of
// this position.
static bool is_same_along(const struct view *view, const struct scree_wall_faces_fault *extent, bool *turns)
{
    const double rounding = tolerance * period_of(view);
    const int straight = straight_axis(view);
    *turns = false;
    if (covers_cell(view)) {
        *turns = fabs(turn_of(view, view->wall->axes[2])) > fastest_turn(view);
        return true;
    }
    if (straight < 0 || extent->lower > view->first + rounding || extent->upper < view->last - rounding)
        return false;
    const struct scree_vec3 rate =
        scree_vec3_cross(scree_vec3_load(view->wall->spin), scree_vec3_load(view->wall->axes[straight]));
    *turns = scree_vec3_norm(rate) > fastest_turn(view);
    return true;
}

// --- copies

// Whether two meshes have the same vertices.
static bool has_same_vertices(const struct scree_wall *wall, const struct scree_wall *other, double rounding)
{
    if (wall->shape != SCREE_WALL_MESH)
        return true;
    bool same = wall->surface->vertices == other->surface->vertices;
    for (size_t v = 0; same && v < wall->surface->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            same = same && fabs(wall->surface->vertex[v][k] - other->surface->vertex[v][k]) <= rounding;
    return same;
}

static bool is_copy(const struct view *view, const struct scree_wall *other, double shift)
{
    const struct scree_wall *wall = view->wall;
    const double rounding = tolerance * period_of(view), spin = scree_vec3_norm(scree_vec3_load(wall->spin));
    bool same = wall->shape == other->shape && wall->side == other->side &&
                wall->material == other->material && wall->facets == other->facets;
    for (int k = 0; k < 3 && same; ++k) {
        const double expected = k == view->axis ? shift : 0;
        same = fabs(other->reference[k] - wall->reference[k] - expected) <= rounding &&
               (wall->size[k] == other->size[k] ||
                fabs(wall->size[k] - other->size[k]) <= tolerance * fabs(wall->size[k])) &&
               wall->velocity[k] == other->velocity[k] && wall->spin[k] == other->spin[k] &&
               (spin == 0 || fabs(other->pivot[k] - wall->pivot[k] - expected) <= rounding);
        for (int j = 0; j < 3 && same; ++j)
            same = is_zero(wall->axes[j][k] - other->axes[j][k]);
    }
    return same && has_same_vertices(wall, other, rounding);
}

static bool has_copy(const struct view *view, double shift)
{
    for (size_t w = 0; w < scree_wall_rows(view->world); ++w)
        if (is_copy(view, scree_wall_row(view->world, w), shift))
            return true;
    return false;
}

// --- one axis

static bool check_finite(const struct view *view, struct scree_wall_faces_fault *fault)
{
    const bool clear_below = is_clear(view, fault->lower, fault->upper, view->first),
               clear_above = is_clear(view, fault->lower, fault->upper, view->last);
    const bool within = fault->lower > view->first && fault->upper < view->last;
    bool turns;
    fault->problem = SCREE_WALL_FACES_NEAR;
    if (within && clear_below && clear_above)
        return false;
    if (is_container(view->wall))
        return true;
    if (is_same_along(view, fault, &turns)) {
        fault->problem = SCREE_WALL_FACES_TURN;
        return turns;
    }
    return !((clear_below || has_copy(view, period_of(view))) &&
             (clear_above || has_copy(view, -period_of(view))));
}

static bool check_axis(const struct view *view, struct scree_wall_faces_fault *fault)
{
    const struct scree_wall *wall = view->wall;
    fault->axis = view->axis;
    extend(wall, view->axis, &fault->lower, &fault->upper);
    if (wall->shape == SCREE_WALL_PLANE)
        return check_plane(view, wall->reference, wall->axes[2], fault);
    if (wall->shape == SCREE_WALL_BOX && is_container(wall) && check_finite(view, fault))
        return check_container(view, fault);
    return wall->shape == SCREE_WALL_BOX && is_container(wall) ? false : check_finite(view, fault);
}

static struct view view_of(const struct scree_world *world, const struct scree_cell *cell,
                           const struct scree_wall *wall, int axis, double reach)
{
    return (struct view){.world = world,
                         .wall = wall,
                         .cell = cell,
                         .axis = axis,
                         .reach = reach,
                         .first = cell->lower[axis],
                         .last = cell->lower[axis] + cell->period[axis]};
}

bool scree_wall_faces_find(const struct scree_world *world, const struct scree_cell *cell, size_t slot,
                           double reach, struct scree_wall_faces_fault *fault)
{
    const struct scree_wall *wall = scree_wall_row(world, slot);
    if (wall->shape != SCREE_WALL_PLANE && is_apart(cell, wall, reach))
        return false;
    for (int k = 0; k < 3; ++k) {
        const struct view view = view_of(world, cell, wall, k, reach);
        if (cell->period[k] > 0 && check_axis(&view, fault))
            return true;
    }
    return false;
}

bool scree_wall_faces_spans(const struct scree_world *world, const struct scree_wall *wall)
{
    const struct scree_cell *cell = scree_world_cell(world);
    struct scree_wall_faces_fault extent;
    bool turns;
    for (int k = 0; k < 3; ++k) {
        const struct view view = view_of(world, cell, wall, k, 0);
        extend(wall, k, &extent.lower, &extent.upper);
        if (cell->period[k] > 0 && is_same_along(&view, &extent, &turns))
            return true;
    }
    return false;
}

// The cell, larger by the reach along each periodic axis.
static struct scree_cell extended_cell(const struct scree_cell *cell, double reach)
{
    struct scree_cell larger = *cell;
    for (int k = 0; k < 3; ++k) {
        larger.lower[k] -= cell->period[k] > 0 ? reach : 0;
        larger.upper[k] += cell->period[k] > 0 ? reach : 0;
        larger.period[k] += cell->period[k] > 0 ? 2 * reach : 0;
    }
    return larger;
}

bool scree_wall_faces_ends_within(const struct scree_world *world, const struct scree_wall *wall,
                                  double reach)
{
    const struct scree_cell *cell = scree_world_cell(world), larger = extended_cell(cell, reach);
    struct scree_wall_faces_fault extent;
    bool turns;
    for (int k = 0; k < 3; ++k) {
        const struct view view = view_of(world, cell, wall, k, 0), wide = view_of(world, &larger, wall, k, 0);
        extend(wall, k, &extent.lower, &extent.upper);
        if (cell->period[k] > 0 && !is_apart(cell, wall, reach) && is_same_along(&view, &extent, &turns) &&
            !is_same_along(&wide, &extent, &turns))
            return true;
    }
    return false;
}

// --- the message

// Says how a wall could span the cell; empty for shapes that cannot.
static const char *way_to_span(const struct scree_wall *wall)
{
    switch (wall->shape) {
    case SCREE_WALL_RECTANGLE:
        return ", or let it span the cell along this axis, or use a plane";
    case SCREE_WALL_DISK:
        return ", or use a plane";
    case SCREE_WALL_CYLINDER:
    case SCREE_WALL_BOX:
        return ", or let it span the cell along this axis";
    default:
        return "";
    }
}

void scree_wall_faces_text(const struct scree_wall *wall, const struct scree_cell *cell, double reach,
                           const struct scree_wall_faces_fault *fault, char text[SCREE_WALL_FACES_LENGTH])
{
    const char axis = "xyz"[fault->axis];
    const double first = cell->lower[fault->axis], last = first + cell->period[fault->axis];
    switch (fault->problem) {
    case SCREE_WALL_FACES_TURN:
        snprintf(
            text, SCREE_WALL_FACES_LENGTH,
            "is parallel to the periodic axis %c now, but its spin (%g, %g, %g) turns it out of this "
            "position, and a body that passes a face would then jump relative to it and gain energy: let "
            "it rotate about its normal or about %c only, or make the cell not periodic along %c",
            axis, wall->spin[0], wall->spin[1], wall->spin[2], axis, axis);
        break;
    case SCREE_WALL_FACES_CROSS:
        snprintf(text, SCREE_WALL_FACES_LENGTH,
                 "%s parallel to the periodic axis %c, so a body that leaves the cell through one face comes "
                 "back in or behind it and gains energy: %s, or make the cell not periodic along %c",
                 wall->shape == SCREE_WALL_BOX ? "has faces that are not" : "is not", axis,
                 wall->shape == SCREE_WALL_BOX ? "let the box extend farther than a radius beyond both faces"
                                               : "give it a normal without a component along this axis",
                 axis);
        break;
    default:
        snprintf(text, SCREE_WALL_FACES_LENGTH,
                 "extends from %g to %g m along %c, and bodies touch it that pass a periodic face, at %g or "
                 "%g m: walls have no images, so its force would appear or vanish there and create energy. "
                 "Keep it %g m or more inside of both faces%s%s",
                 fault->lower, fault->upper, axis, first, last, reach, way_to_span(wall),
                 is_container(wall) ? "" : ", or add copies of it one period away");
    }
}
