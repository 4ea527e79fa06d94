// Grains carried by bodies, see grain.h.

#include "world/grain.h"

#include "math/quat.h"

#include <string.h>

static struct scree_grain *carried(const struct scree_world *world)
{
    return (struct scree_grain *)scree_world_column(world, SCREE_ENTITY_GRAIN, SCREE_GRAIN_GRAIN);
}

static struct scree_wrench *carried_wrenches(const struct scree_world *world)
{
    return (struct scree_wrench *)scree_world_column(world, SCREE_ENTITY_GRAIN, SCREE_GRAIN_WRENCH);
}

static struct scree_seat *seats(const struct scree_world *world)
{
    return (struct scree_seat *)scree_world_column(world, SCREE_ENTITY_GRAIN, SCREE_GRAIN_SEAT);
}

static struct scree_vec3 arm_of(const struct scree_world *world, const struct scree_seat *seat,
                                uint32_t owner)
{
    const struct scree_quat turn = scree_quat_load(scree_world_rotors(world)[owner].orientation);
    return scree_quat_rotate(turn, scree_vec3_load(seat->offset));
}

scree_status scree_grain_add(struct scree_world *world, scree_body_id body, double radius,
                             const double offset[3], uint64_t *id)
{
    scree_slot owner;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), body.value, &owner));
    const struct scree_grain *own = &scree_world_grains(world)[owner.index];
    const bool flat = world->dimension == 2;
    if (own->kind != SCREE_KIND_RIGID && own->kind != SCREE_KIND_POLAR)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "body %llu is its own grain; only a general rigid body carries others",
                                 (unsigned long long)body.value);
    if (!(radius > 0 && radius <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the radius of a grain must be positive and at most 1e150 m; got %g",
                                 radius);
    for (int k = 0; k < 3; ++k)
        if (!(offset[k] >= -1e150 && offset[k] <= 1e150) || (flat && k == 2 && offset[k] != 0))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the offset of a grain must be finite%s; got (%g, %g, %g)",
                                     flat ? " and in the plane" : "", offset[0], offset[1], offset[2]);
    struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_GRAIN);
    uint32_t part = 1;
    for (size_t g = 0; g < entity->count; ++g)
        if (seats(world)[g].body == body.value && carried(world)[g].part >= part)
            part = (uint32_t)carried(world)[g].part + 1;
    if (part > UINT16_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a body carries at most %d grains", UINT16_MAX);
    scree_slot slot;
    SCREE_TRY(scree_entity_insert(entity, &slot, id));
    struct scree_grain *grain = &carried(world)[slot.index];
    grain->radius = radius;
    grain->owner = owner.index;
    grain->part = (uint16_t)part;
    grain->material = own->material;
    grain->kind = flat ? SCREE_KIND_DISK : SCREE_KIND_SPHERE;
    // grains turn with their body, so its orientation is needed
    scree_world_grains(world)[owner.index].flags |= SCREE_FLAG_TURNS;
    seats(world)[slot.index].body = body.value;
    memcpy(seats(world)[slot.index].offset, offset, 3 * sizeof *offset);
    return SCREE_OK;
}

static void place(const struct scree_world *world, struct scree_grain *grain, const struct scree_seat *seat)
{
    const struct scree_grain *own = &scree_world_grains(world)[grain->owner];
    const struct scree_vec3 arm = arm_of(world, seat, grain->owner);
    const struct scree_vec3 twist =
        scree_vec3_make((double)own->half_twist[0], (double)own->half_twist[1], (double)own->half_twist[2]);
    double lever[3], sweep[3], sweep_kick[3];
    scree_vec3_store(arm, lever);
    scree_vec3_store(scree_vec3_cross(scree_vec3_load(own->spin), arm), sweep);
    scree_vec3_store(scree_vec3_cross(twist, arm), sweep_kick);
    for (int k = 0; k < 3; ++k) {
        grain->position[k] = own->position[k] + lever[k];
        grain->velocity[k] = own->velocity[k] + sweep[k];
        grain->half_kick[k] = (float)((double)own->half_kick[k] + sweep_kick[k]);
        grain->spin[k] = own->spin[k];
        grain->half_twist[k] = own->half_twist[k];
    }
    grain->mass = own->mass;
    grain->flags = own->flags;
    grain->quantum = own->quantum;
}

void scree_grain_place(struct scree_world *world)
{
    const size_t count = scree_world_entity(world, SCREE_ENTITY_GRAIN)->count;
    for (size_t g = 0; g < count; ++g) {
        place(world, &carried(world)[g], &seats(world)[g]);
        memset(&carried_wrenches(world)[g], 0, sizeof(struct scree_wrench));
    }
}

void scree_grain_return(struct scree_world *world)
{
    // rows of this entity are only ever removed with their body, by moving the last row: ids tell the order
    const struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_GRAIN);
    for (uint64_t id = 1; id <= entity->pool.last && entity->count > 0; ++id) {
        uint32_t g;
        if (!scree_pool_find(&entity->pool, id, &g))
            continue;
        const struct scree_wrench *wrench = &carried_wrenches(world)[g];
        const uint32_t owner = carried(world)[g].owner;
        const struct scree_vec3 arm = arm_of(world, &seats(world)[g], owner);
        double couple[3];
        scree_vec3_store(scree_vec3_cross(arm, scree_vec3_load(wrench->force)), couple);
        struct scree_push *push = &scree_world_pushed(world)[owner];
        for (int k = 0; k < 3; ++k) {
            push->force[k] += wrench->force[k];
            push->moment[k] += wrench->moment[k] + couple[k];
        }
    }
}

void scree_grain_remove_of(struct scree_world *world, scree_body_id body)
{
    struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_GRAIN);
    for (size_t g = entity->count; g-- > 0;)
        if (seats(world)[g].body == body.value)
            scree_entity_remove(entity, (scree_slot){(uint32_t)g});
}
