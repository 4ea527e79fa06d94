// Walls that move with bodies, see wall_body.h.

#include "world/wall_body.h"

#include "world/bond.h"
#include "world/edit.h"
#include "world/grain.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

static const struct scree_entity *bodies_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_BODY);
}

static struct scree_wall_body *rows_of(const struct scree_world *world)
{
    return (struct scree_wall_body *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_BODY);
}

bool scree_wall_body_carries(const struct scree_world *world, uint64_t body)
{
    const struct scree_wall_body *rows = rows_of(world);
    for (size_t w = 0; rows && w < scree_wall_rows(world); ++w)
        if (rows[w].body == body)
            return true;
    return false;
}

// Velocities of bodies are those of the middle of the step inside of it, with the change to its end.
static void follow(const struct scree_world *world, size_t body, const struct scree_wall_body *row,
                   struct scree_wall *wall)
{
    const struct scree_grain *grain = &scree_world_grains(world)[body];
    const struct scree_quat q = scree_quat_load(scree_world_rotors(world)[body].orientation);
    memcpy(wall->anchor_pivot, grain->position, sizeof wall->anchor_pivot);
    scree_quat_store(scree_quat_normalise(scree_quat_product(q, scree_quat_load(row->rotation))),
                     wall->anchor_orientation);
    memcpy(wall->velocity, grain->velocity, sizeof wall->velocity);
    memcpy(wall->spin, grain->spin, sizeof wall->spin);
    for (int k = 0; k < 3; ++k) {
        wall->velocity_change[k] = (double)grain->half_kick[k];
        wall->spin_change[k] = (double)grain->half_twist[k];
    }
    scree_wall_update(wall);
}

void scree_wall_body_follow(struct scree_world *world)
{
    const struct scree_wall_body *rows = rows_of(world);
    uint32_t body;
    for (size_t w = 0; rows && w < scree_wall_rows(world); ++w)
        if (rows[w].body > 0 && scree_pool_find(&bodies_of(world)->pool, rows[w].body, &body))
            follow(world, body, &rows[w], scree_wall_row(world, w));
}

struct scree_wall_mobility scree_wall_body_mobility(const struct scree_world *world, size_t body)
{
    const struct scree_grain *grain = &scree_world_grains(world)[body];
    const struct scree_rotor *rotor = &scree_world_rotors(world)[body];
    const struct scree_mat3 full = scree_mat3_rotate(scree_grain_axes(world, body),
                                                     scree_mat3_diagonal(scree_vec3_load(rotor->inertia)));
    struct scree_wall_mobility mobility = {.centre = scree_vec3_load(grain->position)};
    double free[3];
    for (int k = 0; k < 3; ++k) {
        mobility.inverse_mass[k] = grain->flags & (uint32_t)(SCREE_FIX_X << k) ? 0 : 1 / grain->mass;
        free[k] = grain->flags & (uint32_t)(SCREE_FIX_SPIN_X << k) ? 0 : 1;
    }
    // about fixed axes the inverse is 0
    const double x = free[0], y = free[1], z = free[2];
    const struct scree_mat3 of_free = scree_mat3_inverse(
        scree_mat3_from_rows(scree_vec3_make(x > 0 ? full.xx : 1, x * y * full.xy, x * z * full.xz),
                             scree_vec3_make(x * y * full.xy, y > 0 ? full.yy : 1, y * z * full.yz),
                             scree_vec3_make(x * z * full.xz, y * z * full.yz, z > 0 ? full.zz : 1)));
    mobility.inverse_inertia =
        scree_mat3_from_rows(scree_vec3_make(x * of_free.xx, x * y * of_free.xy, x * z * of_free.xz),
                             scree_vec3_make(x * y * of_free.xy, y * of_free.yy, y * z * of_free.yz),
                             scree_vec3_make(x * z * of_free.xz, y * z * of_free.yz, z * of_free.zz));
    return mobility;
}

// --- attaching and detaching

static bool is_zero(const double *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static bool has_bonds(const struct scree_world *world, uint64_t wall)
{
    for (size_t row = 0; row < scree_bond_rows(world); ++row)
        if (scree_bond_sides(world)[row].wall == wall)
            return true;
    return false;
}

static scree_status check_body(const struct scree_world *world, scree_body_id id, scree_slot body)
{
    if (world->dimension != 3)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "walls move with bodies in three dimensions only; this world has two");
    if (scree_world_grains(world)[body.index].kind != SCREE_KIND_RIGID)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "body %llu is a sphere; walls move with rigid bodies only",
                                 (unsigned long long)id.value);
    // its pebbles would touch the wall
    for (size_t g = 0; g < scree_grain_carried(world); ++g)
        if (scree_grain_locals(world)[g].body == id.value)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "body %llu is a clump; walls move with rigid bodies without pebbles only",
                (unsigned long long)id.value);
    return SCREE_OK;
}

static scree_status check_wall(const struct scree_world *world, scree_wall_id id, scree_slot slot)
{
    const struct scree_wall *wall = scree_wall_row(world, slot.index);
    const unsigned long long number = id.value;
    if (wall->by_function == SCREE_WALL_BY_FUNCTION || wall->by_function == SCREE_WALL_BY_CELL)
        return scree_status_fail(
            SCREE_ERROR_STATE, "wall %llu moves %s and so cannot move with a body", number,
            wall->by_function == SCREE_WALL_BY_CELL ? "with the cell" : "by a function of time");
    if (scree_wall_follows(wall))
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "wall %llu moves with body %llu already: detach it first with "
                                 "scree_wall_body_detach",
                                 number, (unsigned long long)scree_wall_body_of(world, slot.index));
    if (!is_zero(wall->surface_velocity) || !is_zero(wall->surface_spin))
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "the surface of wall %llu moves along itself; that of a wall that moves with a body cannot",
            number);
    if (has_bonds(world, id.value))
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "wall %llu has bonds; one that moves with a body cannot have any", number);
    return SCREE_OK;
}

scree_status scree_wall_body_attach(struct scree_world *world, scree_wall_id id, scree_body_id body)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_entity *walls = scree_world_entity(world, SCREE_ENTITY_WALL);
    scree_slot slot, owner;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(scree_entity_find(walls, id.value, &slot));
    SCREE_TRY(scree_entity_find(bodies_of(world), body.value, &owner));
    SCREE_TRY(check_body(world, body, owner));
    SCREE_TRY(check_wall(world, id, slot));
    SCREE_TRY(scree_entity_require(walls, SCREE_WALL_BODY));
    scree_edit_all(world, SCREE_EDIT_WALLS);
    struct scree_wall *wall = scree_wall_row(world, slot.index);
    struct scree_wall_body *row = &rows_of(world)[slot.index];
    const struct scree_quat turn = scree_quat_load(wall->orientation),
                            own = scree_quat_load(scree_world_rotors(world)[owner.index].orientation);
    const struct scree_vec3 centre = scree_vec3_load(scree_world_grains(world)[owner.index].position);
    row->body = body.value;
    scree_quat_store(scree_quat_product(scree_quat_conjugate(own), turn), row->rotation);
    scree_vec3_store(
        scree_quat_rotate_inverse(turn, scree_vec3_sub(scree_vec3_load(wall->reference), centre)),
        wall->offset);
    wall->by_function = SCREE_WALL_BY_BODY;
    wall->elapsed = wall->elapsed_rest = 0;
    memset(wall->pivot_rest, 0, sizeof wall->pivot_rest);
    // the end of the edit brings the wall to its body
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_wall_body_detach(struct scree_world *world, scree_wall_id id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    if (!scree_wall_follows(scree_wall_row(world, slot.index)))
        return SCREE_OK;
    scree_edit_all(world, SCREE_EDIT_WALLS);
    struct scree_wall *wall = scree_wall_row(world, slot.index);
    const struct scree_wall_motion motion = scree_wall_motion_now(wall);
    rows_of(world)[slot.index] = (struct scree_wall_body){0};
    wall->by_function = 0;
    scree_wall_motion_store(wall, &motion);
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_wall_body_id(const struct scree_world *world, scree_wall_id id, scree_body_id *body)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    body->value = scree_wall_body_of(world, slot.index);
    return SCREE_OK;
}

scree_status scree_wall_body_remove_walls(struct scree_world *world, uint64_t body)
{
    // from the last on: another wall takes the place of a removed one
    for (size_t w = rows_of(world) ? scree_wall_rows(world) : 0; w-- > 0;)
        if (rows_of(world)[w].body == body)
            SCREE_TRY(scree_wall_remove(
                world, (scree_wall_id){scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[w]}));
    return SCREE_OK;
}

scree_status scree_wall_body_check(const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const uint64_t body = scree_wall_body_of(world, w);
        const bool follows = scree_wall_follows(scree_wall_row(world, w));
        uint32_t slot;
        if (follows == (body > 0) &&
            (!follows ||
             (scree_pool_find(&bodies_of(world)->pool, body, &slot) &&
              scree_world_grains(world)[slot].kind == SCREE_KIND_RIGID &&
              fabs(scree_quat_norm_squared(scree_quat_load(rows_of(world)[w].rotation)) - 1) < 1e-12)))
            continue;
        return scree_status_fail(
            SCREE_ERROR_NUMBER,
            "the stored world is inconsistent: wall %llu does not fit the body %llu that "
            "it moves with",
            (unsigned long long)scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[w],
            (unsigned long long)body);
    }
    return SCREE_OK;
}
