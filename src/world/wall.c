// Walls: definition, motion and removal, see include/scree/wall.h and wall.h.
//
// Invariants: a wall at rest is bitwise unchanged by any number of steps; a change of motion sets a new
// anchor at the current position.

#include "world/wall.h"

#include "math/exact.h"
#include "math/quat.h"
#include "mesh/surface.h"
#include "world/bond.h"
#include "world/edit.h"
#include "world/wall_body.h"
#include "world/wall_facets.h"
#include "world/wall_shape.h"

static struct scree_entity *walls_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_WALL);
}

static scree_status check_numbers(const char *what, const double *v)
{
    for (int k = 0; k < 3; ++k)
        if (!(v[k] >= -1e150 && v[k] <= 1e150))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the %s of a wall must be finite and at most 1e150 in magnitude; component %d is %g", what, k,
                v[k]);
    return SCREE_OK;
}

static scree_status check_velocity(const struct scree_world *world, const double *velocity)
{
    SCREE_TRY(check_numbers("velocity", velocity));
    if (world->dimension == 2 && velocity[2] != 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "in two dimensions the velocity of a wall must have z = 0; got (%g, %g, %g)",
                                 velocity[0], velocity[1], velocity[2]);
    return SCREE_OK;
}

static scree_status check_spin(const struct scree_world *world, const double *spin)
{
    SCREE_TRY(check_numbers("spin", spin));
    if (world->dimension == 2 && (spin[0] != 0 || spin[1] != 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "in two dimensions a wall rotates about z only; got the spin (%g, %g, %g)",
                                 spin[0], spin[1], spin[2]);
    return SCREE_OK;
}

static scree_status check_pivot(const struct scree_world *world, const double *pivot)
{
    SCREE_TRY(check_numbers("pivot", pivot));
    if (world->dimension == 2 && pivot[2] != 0)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "in two dimensions the pivot of a wall must lie in the plane z = 0; its z is %g", pivot[2]);
    return SCREE_OK;
}

// Without a given pivot, the reference point of the wall is the pivot.
static scree_status read_pivot(const struct scree_world *world, const double *pivot, struct scree_wall *wall)
{
    const double *from = pivot ? pivot : wall->reference;
    SCREE_TRY(check_pivot(world, from));
    for (int k = 0; k < 3; ++k) {
        wall->anchor_pivot[k] = from[k];
        wall->offset[k] = wall->reference[k] - from[k];
    }
    return SCREE_OK;
}

static scree_status read_wall(const struct scree_world *world, const struct scree_wall_def *def,
                              struct scree_wall *wall)
{
    scree_slot slot;
    SCREE_TRY(scree_wall_shape_read(world->dimension, def, wall));
    SCREE_TRY(check_velocity(world, def->velocity));
    SCREE_TRY(check_spin(world, def->spin));
    SCREE_TRY(read_pivot(world, def->pivot, wall));
    if (def->material.value == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a wall needs a material, for its contact laws");
    SCREE_TRY(
        scree_entity_find(scree_world_entity(world, SCREE_ENTITY_MATERIAL), def->material.value, &slot));
    memcpy(wall->velocity, def->velocity, sizeof wall->velocity);
    memcpy(wall->spin, def->spin, sizeof wall->spin);
    wall->material = (uint16_t)def->material.value;
    wall->anchor_orientation[0] = 1;
    scree_wall_update(wall);
    return SCREE_OK;
}

scree_status scree_wall_add(struct scree_world *world, const struct scree_wall_def *def, scree_wall_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_wall wall = {0};
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(read_wall(world, def, &wall));
    if (scree_wall_rows(world) >= UINT16_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a world can have at most %d walls", UINT16_MAX);
    SCREE_TRY(scree_wall_facets_add(world, &def->mesh, &wall));
    const scree_status status = scree_entity_insert(walls_of(world), &slot, &id->value);
    if (status != SCREE_OK) {
        scree_wall_facets_remove(world, &wall);
        return status;
    }
    scree_edit_all(world, SCREE_EDIT_WALLS);
    *scree_wall_row(world, slot.index) = wall;
    scree_edit_end(world);
    return SCREE_OK;
}

// Fails inside the function of a load, which must not change the world.
static scree_status find_to_change(const struct scree_world *world, scree_wall_id id, scree_slot *slot)
{
    SCREE_TRY(scree_world_check_not_in_load(world));
    return scree_entity_find(walls_of(world), id.value, slot);
}

scree_status scree_wall_remove(struct scree_world *world, scree_wall_id id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    scree_edit_all(world, SCREE_EDIT_WALLS);
    scree_wall_motion_end(world, id);
    scree_bond_remove_of_wall(world, id.value);
    struct scree_wall removed = *scree_wall_row(world, slot.index);
    scree_entity_remove(walls_of(world), slot);
    scree_wall_facets_remove(world, &removed);
    scree_edit_end(world);
    return SCREE_OK;
}

size_t scree_wall_count(const struct scree_world *world)
{
    return scree_wall_rows(world);
}

bool scree_wall_exists(const struct scree_world *world, scree_wall_id id)
{
    return scree_pool_find(&walls_of(world)->pool, id.value, NULL);
}

scree_status scree_wall_get(const struct scree_world *world, scree_wall_id id, struct scree_wall_state *state)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(walls_of(world), id.value, &slot));
    const struct scree_wall *wall = scree_wall_row(world, slot.index);
    *state =
        (struct scree_wall_state){.shape = (enum scree_wall_shape)wall->shape, .material = {wall->material}};
    memcpy(state->position, wall->reference, sizeof state->position);
    memcpy(state->orientation, wall->orientation, sizeof state->orientation);
    memcpy(state->pivot, wall->pivot, sizeof state->pivot);
    const struct scree_wall_motion motion = scree_wall_motion_now(wall);
    memcpy(state->velocity, motion.velocity, sizeof state->velocity);
    memcpy(state->spin, motion.spin, sizeof state->spin);
    memcpy(state->surface_velocity, motion.surface_velocity, sizeof state->surface_velocity);
    memcpy(state->surface_spin, motion.surface_spin, sizeof state->surface_spin);
    return SCREE_OK;
}

// Sets a new anchor at the current pivot and orientation.
static void anchor(struct scree_wall *wall)
{
    memcpy(wall->anchor_pivot, wall->pivot, sizeof wall->anchor_pivot);
    // a wall that never rotated is not changed by this
    scree_quat_store(scree_quat_normalise(scree_quat_load(wall->orientation)), wall->anchor_orientation);
    wall->elapsed = 0;
    wall->elapsed_rest = 0;
    scree_wall_update(wall);
}

static void set_motion(struct scree_wall *wall, const double *velocity, const double *spin)
{
    const struct scree_vec3 new_velocity = scree_vec3_load(velocity), new_spin = scree_vec3_load(spin);
    anchor(wall);
    scree_vec3_store(new_velocity, wall->velocity);
    scree_vec3_store(new_spin, wall->spin);
    memset(wall->velocity_change, 0, sizeof wall->velocity_change);
    memset(wall->spin_change, 0, sizeof wall->spin_change);
}

static void edit_motion(struct scree_world *world, size_t slot, const double *velocity, const double *spin)
{
    struct scree_wall moved = *scree_wall_row(world, slot);
    set_motion(&moved, velocity, spin);
    scree_edit_wall(world, SCREE_EDIT_WALL_MOTION, slot, &moved);
    *scree_wall_row(world, slot) = moved;
    scree_edit_end(world);
}

static bool differ(struct scree_vec3 a, struct scree_vec3 b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z;
}

void scree_wall_steer(struct scree_wall *wall, struct scree_vec3 velocity, struct scree_vec3 spin)
{
    const struct scree_vec3 last = scree_vec3_load(wall->velocity), last_spin = scree_vec3_load(wall->spin);
    const struct scree_vec3 now = scree_vec3_add(last, scree_vec3_load(wall->velocity_change)),
                            now_spin = scree_vec3_add(last_spin, scree_vec3_load(wall->spin_change));
    // unchanged velocities would restart the motion from the present position
    if (differ(velocity, last) || differ(spin, last_spin))
        anchor(wall);
    scree_vec3_store(velocity, wall->velocity);
    scree_vec3_store(scree_vec3_sub(now, velocity), wall->velocity_change);
    scree_vec3_store(spin, wall->spin);
    scree_vec3_store(scree_vec3_sub(now_spin, spin), wall->spin_change);
}

// A function of time prescribes the whole motion of its wall.
static scree_status find_constant(const struct scree_world *world, scree_wall_id id, scree_slot *slot)
{
    SCREE_TRY(find_to_change(world, id, slot));
    if (scree_wall_row(world, slot->index)->by_function == 0)
        return SCREE_OK;
    if (scree_wall_follows(scree_wall_row(world, slot->index)))
        return scree_status_fail(
            SCREE_ERROR_STATE, "wall %llu moves with body %llu: set the motion of this body",
            (unsigned long long)id.value, (unsigned long long)scree_wall_body_of(world, slot->index));
    if (scree_wall_row(world, slot->index)->by_function == SCREE_WALL_BY_CELL)
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "wall %llu moves with the cell and has no motion of its own: change the "
                                 "deformation of the cell, or take the wall out of it",
                                 (unsigned long long)id.value);
    return scree_status_fail(
        SCREE_ERROR_STATE,
        "wall %llu moves by a function of time: end it with scree_wall_motion_set_function and "
        "a null function before setting its motion",
        (unsigned long long)id.value);
}

scree_status scree_wall_set_velocity(struct scree_world *world, scree_wall_id id, const double velocity[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_constant(world, id, &slot));
    SCREE_TRY(check_velocity(world, velocity));
    edit_motion(world, slot.index, velocity, scree_wall_row(world, slot.index)->spin);
    return SCREE_OK;
}

scree_status scree_wall_set_spin(struct scree_world *world, scree_wall_id id, const double spin[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_constant(world, id, &slot));
    SCREE_TRY(check_spin(world, spin));
    edit_motion(world, slot.index, scree_wall_row(world, slot.index)->velocity, spin);
    return SCREE_OK;
}

scree_status scree_wall_check_motion(const struct scree_world *world, const struct scree_wall_motion *motion)
{
    SCREE_TRY(check_velocity(world, motion->velocity));
    SCREE_TRY(check_spin(world, motion->spin));
    SCREE_TRY(check_velocity(world, motion->surface_velocity));
    return check_spin(world, motion->surface_spin);
}

void scree_wall_edit_motion(struct scree_world *world, size_t slot, const struct scree_wall_motion *motion)
{
    scree_wall_edit_motion_by(world, slot, motion, scree_wall_row(world, slot)->by_function);
}

void scree_wall_edit_motion_by(struct scree_world *world, size_t slot, const struct scree_wall_motion *motion,
                               uint64_t by)
{
    struct scree_wall moved = *scree_wall_row(world, slot);
    anchor(&moved);
    scree_wall_motion_store(&moved, motion);
    moved.by_function = by;
    scree_edit_wall(world, SCREE_EDIT_WALL_MOTION, slot, &moved);
    *scree_wall_row(world, slot) = moved;
    scree_edit_end(world);
}

scree_status scree_wall_set_surface_motion(struct scree_world *world, scree_wall_id id,
                                           const double velocity[3], const double spin[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_constant(world, id, &slot));
    struct scree_wall_motion motion = scree_wall_motion_now(scree_wall_row(world, slot.index));
    memcpy(motion.surface_velocity, velocity, sizeof motion.surface_velocity);
    memcpy(motion.surface_spin, spin, sizeof motion.surface_spin);
    SCREE_TRY(scree_wall_check_motion(world, &motion));
    scree_wall_edit_motion(world, slot.index, &motion);
    return SCREE_OK;
}

// The velocity of the old pivot becomes that of the new one. First the new motion is set in terms of the old
// pivot, as the ledger needs it, then the pivot is moved.
scree_status scree_wall_set_pivot(struct scree_world *world, scree_wall_id id, const double pivot[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    double velocity[3];
    SCREE_TRY(find_constant(world, id, &slot));
    SCREE_TRY(check_pivot(world, pivot));
    struct scree_wall *wall = scree_wall_row(world, slot.index);
    const struct scree_vec3 to = scree_vec3_load(pivot), from = scree_vec3_load(wall->pivot);
    const struct scree_vec3 old_velocity = scree_vec3_load(wall->velocity);
    const struct scree_vec3 change = scree_vec3_cross(scree_vec3_load(wall->spin), scree_vec3_sub(from, to));
    scree_vec3_store(scree_vec3_add(old_velocity, change), velocity);
    struct scree_wall moved = *wall;
    set_motion(&moved, velocity, wall->spin);
    scree_edit_wall(world, SCREE_EDIT_WALL_MOTION, slot.index, &moved);
    *wall = moved;
    const struct scree_vec3 offset = scree_vec3_sub(scree_vec3_load(wall->reference), to);
    const struct scree_quat back = scree_quat_conjugate(scree_quat_load(wall->anchor_orientation));
    scree_vec3_store(scree_quat_rotate(back, offset), wall->offset);
    scree_vec3_store(old_velocity, wall->velocity);
    scree_vec3_store(to, wall->anchor_pivot);
    scree_wall_update(wall);
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_wall_area(const struct scree_world *world, scree_wall_id id, double *area)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(scree_entity_find(walls_of(world), id.value, &slot));
    const struct scree_wall *wall = scree_wall_row(world, slot.index);
    const double *size = wall->size;
    const bool flat = wall->shape == SCREE_WALL_RECTANGLE || wall->shape == SCREE_WALL_DISK;
    if (!flat || world->dimension == 2)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "only a rectangle and a disk in three dimensions have an area; wall %llu is a %s%s",
            (unsigned long long)id.value, scree_wall_shape_name(wall->shape),
            world->dimension == 2 ? " in two dimensions" : "");
    *area = wall->shape == SCREE_WALL_RECTANGLE ? 4 * size[0] * size[1]
                                                : SCREE_PI * (size[0] + size[1]) * (size[0] - size[1]);
    return SCREE_OK;
}

// Generating line of a shape of revolution, in the half-plane of radius and height.
static void update_slope(struct scree_wall *wall)
{
    const double radius_change = wall->size[1] - wall->size[0], height = 2 * wall->size[2];
    const double length = sqrt(radius_change * radius_change + height * height);
    const bool infinite = isinf(height);
    wall->slope[0] = 0.5 * (wall->size[0] + wall->size[1]);
    wall->slope[1] = infinite ? 0 : radius_change / length;
    wall->slope[2] = infinite ? 1 : height / length;
    wall->slope[3] = 0.5 * length;
}

void scree_wall_update(struct scree_wall *wall)
{
    const struct scree_vec3 rotation = scree_vec3_scale(scree_vec3_load(wall->spin), wall->elapsed);
    const struct scree_quat q =
        scree_quat_product(scree_quat_exp(rotation), scree_quat_load(wall->anchor_orientation));
    const struct scree_vec3 pivot = scree_vec3_add_scaled(scree_vec3_load(wall->anchor_pivot), wall->elapsed,
                                                          scree_vec3_load(wall->velocity));
    scree_quat_store(q, wall->orientation);
    scree_vec3_store(pivot, wall->pivot);
    scree_vec3_store(scree_vec3_add(pivot, scree_quat_rotate(q, scree_vec3_load(wall->offset))),
                     wall->reference);
    for (int k = 0; k < 3; ++k)
        scree_vec3_store(scree_quat_rotate(q, scree_vec3_load(wall->frame[k])), wall->axes[k]);
    if (wall->shape == SCREE_WALL_DISK || wall->shape == SCREE_WALL_CYLINDER ||
        wall->shape == SCREE_WALL_CONE)
        update_slope(wall);
}

static bool is_zero(const double *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

// The velocity of a wall that moves by a function is new in every step, so its anchor moves along. A slow
// wall moves by less than the last bit of its position: the rounding error is carried over.
static void advance_anchor(struct scree_wall *wall, double h)
{
    for (int k = 0; k < 3; ++k) {
        const struct scree_exact sum =
            scree_exact_sum(wall->anchor_pivot[k], h * wall->velocity[k] + wall->pivot_rest[k]);
        wall->anchor_pivot[k] = sum.hi;
        wall->pivot_rest[k] = sum.lo;
    }
    if (!is_zero(wall->spin)) {
        const struct scree_quat turn = scree_quat_exp(scree_vec3_scale(scree_vec3_load(wall->spin), h));
        const struct scree_quat q = scree_quat_product(turn, scree_quat_load(wall->anchor_orientation));
        scree_quat_store(scree_quat_normalise(q), wall->anchor_orientation);
    }
    scree_wall_update(wall);
}

// Adds the turn of a step of `h` s to the integral of the angular velocity.
static void advance_turn(struct scree_wall_start *start, const struct scree_wall *wall, double h)
{
    for (int k = 0; k < 3; ++k) {
        const struct scree_exact sum =
            scree_exact_sum(start->turn[k], h * wall->spin[k] + start->turn_rest[k]);
        start->turn[k] = sum.hi;
        start->turn_rest[k] = sum.lo;
    }
}

void scree_wall_advance(struct scree_world *world, double h)
{
    struct scree_wall_start *starts =
        (struct scree_wall_start *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_START);
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        struct scree_wall *wall = scree_wall_row(world, w);
        if (is_zero(wall->velocity) && is_zero(wall->spin))
            continue;
        if (starts)
            advance_turn(&starts[w], wall, h);
        if (scree_wall_follows(wall))
            continue;
        if (wall->by_function > 0) {
            advance_anchor(wall, h);
            continue;
        }
        const struct scree_exact sum = scree_exact_sum(wall->elapsed, h + wall->elapsed_rest);
        wall->elapsed = sum.hi;
        wall->elapsed_rest = sum.lo;
        scree_wall_update(wall);
    }
    scree_wall_motion_end_step(world);
}

struct scree_vec3 scree_wall_move_point(const struct scree_wall *wall, double h, struct scree_vec3 point)
{
    const struct scree_vec3 pivot = scree_vec3_load(wall->pivot);
    const struct scree_vec3 old_pivot = scree_vec3_add_scaled(pivot, -h, scree_vec3_load(wall->velocity));
    const struct scree_quat rotation = scree_quat_exp(scree_vec3_scale(scree_vec3_load(wall->spin), h));
    return scree_vec3_add(pivot, scree_quat_rotate(rotation, scree_vec3_sub(point, old_pivot)));
}

// Infinite sizes are along z, the axis of rotation in two dimensions, and do not count.
static double bounded(double size)
{
    return isinf(size) ? 0 : size;
}

// Radius of the sphere about the reference point that encloses the wall.
static double enclosing_radius(const struct scree_wall *wall)
{
    const double *size = wall->size;
    switch (wall->shape) {
    case SCREE_WALL_BOX:
        if (wall->side == SCREE_WALL_INSIDE)
            return (double)INFINITY;
        __attribute__((fallthrough));
    case SCREE_WALL_RECTANGLE:
        return scree_vec3_norm(scree_vec3_make(bounded(size[0]), bounded(size[1]), bounded(size[2])));
    case SCREE_WALL_SPHERE:
        return size[0];
    case SCREE_WALL_MESH:
        return wall->surface->radius;
    case SCREE_WALL_DISK:
    case SCREE_WALL_CYLINDER:
    case SCREE_WALL_CONE:
        return scree_vec3_norm(scree_vec3_make(scree_real_max(size[0], size[1]), 0, bounded(size[2])));
    default:
        return (double)INFINITY;
    }
}

double scree_wall_reach(const struct scree_wall *wall)
{
    return scree_vec3_norm(scree_vec3_load(wall->offset)) + enclosing_radius(wall);
}

double scree_wall_speed(const struct scree_wall *wall, const double lower[3], const double upper[3])
{
    const struct scree_vec3 spin = scree_vec3_load(wall->spin);
    if (is_zero(wall->spin))
        return scree_vec3_norm(scree_vec3_load(wall->velocity));
    // the speed is a convex function of position, so its maximum is at a corner
    double within = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const struct scree_vec3 point =
            scree_vec3_make((corner & 1 ? upper : lower)[0], (corner & 2 ? upper : lower)[1],
                            (corner & 4 ? upper : lower)[2]);
        const double speed = scree_vec3_norm(scree_wall_velocity(wall, point));
        within = speed <= within ? within : isfinite(speed) ? speed : (double)INFINITY;
    }
    const double at_reference = scree_vec3_norm(scree_wall_velocity(wall, scree_vec3_load(wall->reference)));
    const double of_wall = at_reference + scree_vec3_norm(spin) * enclosing_radius(wall);
    return of_wall < within ? of_wall : within;
}

double scree_wall_approach(const struct scree_wall *wall, const double lower[3], const double upper[3])
{
    const struct scree_vec3 axis = scree_vec3_load(wall->axes[2]), spin = scree_vec3_load(wall->spin);
    struct scree_vec3 velocity = scree_wall_velocity(wall, scree_vec3_load(wall->reference)), rotation = spin;
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        velocity = scree_vec3_scale(axis, scree_vec3_dot(axis, velocity));
        __attribute__((fallthrough));
    case SCREE_WALL_DISK:
    case SCREE_WALL_CYLINDER:
    case SCREE_WALL_CONE:
        rotation = scree_vec3_add_scaled(spin, -scree_vec3_dot(axis, spin), axis);
        break;
    case SCREE_WALL_SPHERE:
        rotation = scree_vec3_make(0, 0, 0);
        break;
    default:
        break;
    }
    struct scree_wall relative = *wall;
    memcpy(relative.pivot, wall->reference, sizeof relative.pivot);
    scree_vec3_store(velocity, relative.velocity);
    scree_vec3_store(rotation, relative.spin);
    const double total = scree_wall_speed(wall, lower, upper),
                 relevant = scree_wall_speed(&relative, lower, upper);
    return relevant < total ? relevant : total;
}

const char *scree_wall_fault(const struct scree_wall *wall)
{
    for (int k = 0; k < 3; ++k)
        if (!isfinite(wall->reference[k]) || !isfinite(wall->pivot[k]) || !isfinite(wall->velocity[k]) ||
            !isfinite(wall->spin[k]))
            return "its position or motion is not finite: it has moved too far";
    // within a few roundings of unit length
    if (!(fabs(scree_quat_norm_squared(scree_quat_load(wall->orientation)) - 1) < 1e-14))
        return "its orientation is not of unit length";
    if (!scree_wall_shape_name(wall->shape))
        return "its shape is unknown";
    return NULL;
}
