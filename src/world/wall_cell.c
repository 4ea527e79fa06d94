// Walls of cells with cell vectors, see wall_cell.h. A plane at p with the normal n stays a plane of this
// normal if n is a left eigenvector of the velocity gradient D, n D = d n. Its distance from the corner then
// has the map of the cell (world/lattice.h): n . p' = (1 + h d/2) / (1 - h d/2) n . p.

#include "world/wall_cell.h"

#include "world/bond.h"
#include "world/cell.h"
#include "world/edit.h"

#include <scree/cell.h>

#include <math.h>

static struct scree_vec3 normal_of(const struct scree_wall *wall)
{
    return scree_vec3_load(wall->axes[2]);
}

static struct scree_vec3 from_corner(const struct scree_world *world, struct scree_vec3 point)
{
    return scree_vec3_sub(point, scree_vec3_load(scree_world_cell(world)->lower));
}

// A row vector times a gradient.
static struct scree_vec3 times(struct scree_vec3 n, const double *gradient)
{
    return scree_mat3_apply(scree_mat3_transpose(scree_lattice_load(gradient)), n);
}

// n D n, the rate of strain along the normal.
static double rate_along(const struct scree_wall *wall, const double *gradient)
{
    const struct scree_vec3 n = normal_of(wall);
    return scree_vec3_dot(times(n, gradient), n);
}

// --- motion

static void set_motion(const double *gradient, struct scree_vec3 place, struct scree_vec3 normal,
                       struct scree_wall_touch_motion *motion)
{
    const struct scree_mat3 d = scree_lattice_load(gradient);
    motion->velocity = scree_mat3_apply(d, place);
    // the wall does not turn, but its surface may, about the normal
    motion->spin = scree_vec3_scale(normal, scree_vec3_dot(scree_lattice_spin(d), normal));
}

// A point of the plane of the wall.
static struct scree_vec3 on_plane(const struct scree_wall *wall, struct scree_vec3 point)
{
    const struct scree_vec3 n = normal_of(wall),
                            from = scree_vec3_sub(point, scree_vec3_load(wall->reference));
    return scree_vec3_add_scaled(point, -scree_vec3_dot(from, n), n);
}

void scree_wall_cell_mid_step(const struct scree_world *world, const struct scree_wall *wall, double h,
                              struct scree_vec3 point, struct scree_vec3 normal,
                              struct scree_wall_touch_motion *motion)
{
    const struct scree_vec3 middle =
        scree_vec3_add_scaled(on_plane(wall, point), -0.5 * h, scree_vec3_load(wall->velocity));
    set_motion(scree_world_lattice(world)->middle, from_corner(world, middle), normal, motion);
}

void scree_wall_cell_on_step(const struct scree_world *world, const struct scree_wall *wall,
                             struct scree_vec3 point, struct scree_vec3 normal,
                             struct scree_wall_touch_motion *motion)
{
    set_motion(scree_world_lattice(world)->gradient, from_corner(world, on_plane(wall, point)), normal,
               motion);
}

static double distance_of(const struct scree_world *world, const struct scree_wall *wall)
{
    return scree_vec3_dot(normal_of(wall), from_corner(world, scree_vec3_load(wall->reference)));
}

static struct scree_vec3 velocity_now(const struct scree_world *world, const struct scree_wall *wall)
{
    const double rate = rate_along(wall, scree_world_lattice(world)->gradient);
    return scree_vec3_scale(normal_of(wall), rate * distance_of(world, wall));
}

static bool is_in_cell(const struct scree_wall *wall)
{
    return wall->by_function == SCREE_WALL_BY_CELL;
}

bool scree_wall_cell_is_across(const struct scree_world *world, int axis)
{
    bool any = false;
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        any = any || (is_in_cell(scree_wall_row(world, w)) && scree_wall_row(world, w)->axes[2][axis] != 0);
    return any;
}

void scree_wall_cell_follow(struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        struct scree_wall *wall = scree_wall_row(world, w);
        if (!is_in_cell(wall))
            continue;
        struct scree_wall_motion motion = {{0}, {0}, {0}, {0}};
        scree_vec3_store(velocity_now(world, wall), motion.velocity);
        scree_wall_motion_store(wall, &motion);
    }
}

void scree_wall_cell_begin_step(struct scree_world *world, double h)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        struct scree_wall *wall = scree_wall_row(world, w);
        if (!is_in_cell(wall))
            continue;
        const double d = rate_along(wall, scree_world_lattice(world)->middle), rate = d / (1 - 0.5 * h * d);
        scree_vec3_store(scree_vec3_scale(normal_of(wall), rate * distance_of(world, wall)), wall->velocity);
    }
}

void scree_wall_cell_end_step(struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        struct scree_wall *wall = scree_wall_row(world, w);
        if (is_in_cell(wall))
            scree_vec3_store(scree_vec3_sub(velocity_now(world, wall), scree_vec3_load(wall->velocity)),
                             wall->velocity_change);
    }
}

double scree_wall_cell_approach(const struct scree_world *world, const struct scree_wall *wall,
                                const double lower[3], const double upper[3])
{
    const double *gradient = scree_world_lattice(world)->middle;
    const struct scree_vec3 n = normal_of(wall), reference = scree_vec3_load(wall->reference),
                            mean =
                                scree_mat3_apply(scree_lattice_load(gradient), from_corner(world, reference)),
                            relative = scree_vec3_sub(scree_vec3_load(wall->velocity), mean);
    double turning[3], speed = fabs(scree_vec3_dot(n, relative));
    scree_vec3_store(scree_vec3_add_scaled(times(n, gradient), -rate_along(wall, gradient), n), turning);
    for (int k = 0; k < 3; ++k)
        speed += turning[k] != 0 ? 2 * fabs(turning[k]) * (upper[k] - lower[k]) : 0;
    return speed;
}

struct scree_vec3 scree_wall_cell_relative(const struct scree_world *world, const struct scree_wall *wall,
                                           const double lower[3], const double upper[3], double *spread)
{
    const struct scree_mat3 d = scree_lattice_load(scree_world_lattice(world)->gradient),
                            columns = scree_mat3_transpose(d);
    const struct scree_vec3 column[3] = {scree_mat3_row_x(columns), scree_mat3_row_y(columns),
                                         scree_mat3_row_z(columns)},
                            mean = scree_mat3_apply(d, from_corner(world, scree_vec3_load(wall->reference)));
    *spread = 0;
    if (is_in_cell(wall))
        return scree_vec3_make(0, 0, 0);
    // bodies that touch the wall are beside its point, not above it
    for (int k = 0; k < 3; ++k)
        if (upper[k] > lower[k] && fabs(wall->axes[2][k]) < 1)
            *spread += scree_vec3_norm(column[k]) * (upper[k] - lower[k]);
    return scree_vec3_sub(scree_vec3_load(scree_wall_motion_now(wall).velocity), mean);
}

// --- checks

static unsigned long long id_of(const struct scree_world *world, size_t slot)
{
    return scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[slot];
}

static bool is_zero(const double *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static scree_status refuse(const struct scree_world *world, size_t slot, const char *what,
                           const char *instead)
{
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "in a cell with cell vectors walls are planes along its periodic vectors, which "
                             "do not turn, and wall %llu %s: %s",
                             id_of(world, slot), what, instead);
}

static scree_status check_wall(const struct scree_world *world, size_t slot, unsigned open)
{
    const struct scree_wall *wall = scree_wall_row(world, slot);
    if (open == 0)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "a cell that deforms, or has cell vectors, and is periodic along all axes has "
            "no walls, and this world has wall %llu: make the cell not periodic along the "
            "normal of the wall, or remove the wall",
            id_of(world, slot));
    if (wall->shape != SCREE_WALL_PLANE)
        return refuse(world, slot, "is no plane", "use planes, or a box along the axes that does not deform");
    for (int k = 0; k < 3; ++k)
        if (wall->axes[2][k] != 0 && !scree_lattice_is_open(open, k) && k < world->dimension)
            return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                     "the normal of wall %llu has a component along %c, along which the cell "
                                     "is periodic: in a cell with cell vectors let it be along an axis that "
                                     "is not periodic",
                                     id_of(world, slot), 'x' + k);
    if (wall->by_function == SCREE_WALL_BY_BODY)
        return refuse(world, slot, "moves with a body", "detach it");
    if (!is_zero(wall->spin) || !is_zero(wall->surface_spin))
        return refuse(world, slot, "turns, or its surface does", "set its spins to 0");
    return SCREE_OK;
}

scree_status scree_wall_cell_check(const struct scree_world *world, unsigned open)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        SCREE_TRY(check_wall(world, w, open));
    for (size_t row = 0; row < scree_bond_rows(world); ++row)
        if (scree_bond_sides(world)[row].wall > 0 && !scree_bond_sides(world)[row].broken)
            return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                     "bond %llu of body %llu holds it to a wall, which has no periodic "
                                     "images: in a cell with cell vectors bonds connect bodies only",
                                     (unsigned long long)scree_bond_ids(world)[row],
                                     (unsigned long long)scree_bond_sides(world)[row].body[0]);
    return SCREE_OK;
}

static scree_status check_turning(const struct scree_world *world, size_t slot, const double *gradient)
{
    const struct scree_wall *wall = scree_wall_row(world, slot);
    const struct scree_vec3 n = normal_of(wall),
                            turning =
                                scree_vec3_add_scaled(times(n, gradient), -rate_along(wall, gradient), n);
    // a normal along an axis is exact, others have rounding errors
    return scree_vec3_norm(turning) <= 1e-12 * scree_lattice_norm(scree_lattice_load(gradient))
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                   "wall %llu moves with the cell, and the velocity gradient would turn it: "
                                   "the velocity along its normal must not change along the wall",
                                   id_of(world, slot));
}

scree_status scree_wall_cell_check_gradient(const struct scree_world *world, const double gradient[9])
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if (is_in_cell(scree_wall_row(world, w)))
            SCREE_TRY(check_turning(world, w, gradient));
    return SCREE_OK;
}

// --- walls that begin and end to move with the cell

scree_status scree_wall_set_in_cell(struct scree_world *world, scree_wall_id id, bool in_cell)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "a wall cannot join or leave the cell inside a step");
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    const struct scree_wall *wall = scree_wall_row(world, slot.index);
    if (is_in_cell(wall) == in_cell)
        return SCREE_OK;
    struct scree_wall_motion motion = scree_wall_motion_now(wall);
    if (in_cell) {
        if (wall->by_function > 0)
            return scree_status_fail(SCREE_ERROR_STATE,
                                     "wall %llu moves by a function or with a body, and so cannot move with "
                                     "the cell: end that first",
                                     (unsigned long long)id.value);
        if (scree_wall_is_steered(world, slot.index))
            return scree_status_fail(SCREE_ERROR_STATE,
                                     "wall %llu moves by a servo, and so cannot move with the cell: remove "
                                     "the servo, or let a servo of the cell reach a stress",
                                     (unsigned long long)id.value);
        SCREE_TRY(scree_cell_require_vectors(world));
        SCREE_TRY(check_wall(world, slot.index, scree_world_open_axes(world)));
        SCREE_TRY(check_turning(world, slot.index, scree_world_lattice(world)->gradient));
        motion = (struct scree_wall_motion){{0}, {0}, {0}, {0}};
        scree_vec3_store(velocity_now(world, wall), motion.velocity);
    }
    scree_wall_edit_motion_by(world, slot.index, &motion, in_cell ? SCREE_WALL_BY_CELL : 0);
    return SCREE_OK;
}

scree_status scree_wall_is_in_cell(const struct scree_world *world, scree_wall_id id, bool *in_cell)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    *in_cell = is_in_cell(scree_wall_row(world, slot.index));
    return SCREE_OK;
}
