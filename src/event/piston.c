// Pistons, see piston.h.

#include "event/piston.h"

#include "base/memory.h"
#include "event/predict.h"
#include "law/impulse_rigid.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/wall_body.h"

#include <string.h>

static bool carries_walls(const struct scree_world *world, size_t slot)
{
    return scree_world_grains(world)[slot].kind == SCREE_KIND_RIGID &&
           scree_wall_body_carries(world, scree_world_ids(world)[slot]);
}

bool scree_event_piston_is(const struct scree_world *world, size_t slot)
{
    return (scree_world_grains(world)[slot].flags & SCREE_FIX_POSITION) != SCREE_FIX_POSITION &&
           carries_walls(world, slot);
}

const char *scree_event_piston_fault(const struct scree_world *world, size_t slot)
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    const double *period = scree_world_cell(world)->period;
    if (!carries_walls(world, slot))
        return "is neither a sphere nor a disk nor a clump of them: use the engine 'soft' for other bodies";
    const bool spins = grain->spin[0] != 0 || grain->spin[1] != 0 || grain->spin[2] != 0;
    if ((grain->flags & SCREE_FIX_SPIN) != SCREE_FIX_SPIN || spins)
        return "carries walls and turns: in the event engine such bodies move without turning, so fix "
               "spin-x, "
               "spin-y and spin-z";
    for (int k = 0; k < 3; ++k)
        if (period[k] > 0 && !(grain->flags & (uint32_t)(SCREE_FIX_X << k)))
            return "carries walls and moves along a periodic axis: fix it there";
    return NULL;
}

bool scree_event_piston_can_bear(const struct scree_world *world, const struct scree_load *load)
{
    scree_slot slot;
    return !load->def.function && !load->missing && load->def.body.value > 0 &&
           scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, load->def.body.value,
                           &slot.index) &&
           carries_walls(world, slot.index);
}

void scree_event_piston_fall(const struct scree_world *world, size_t slot, double fall[3], double load[3])
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    const uint64_t id = scree_world_ids(world)[slot];
    double force[3] = {0, 0, 0};
    for (size_t l = 0; l < world->loads.count; ++l)
        for (int k = 0; k < 3 && world->loads.data[l].def.body.value == id; ++k)
            force[k] += world->loads.data[l].def.force[k];
    for (int k = 0; k < 3; ++k) {
        const bool fixed = grain->flags & (uint32_t)(SCREE_FIX_X << k);
        fall[k] = fixed ? 0 : scree_world_clock(world)->gravity[k] + force[k] / grain->mass;
        if (load)
            load[k] = fixed ? 0 : force[k];
    }
}

static struct scree_event_piston make(const struct scree_world *world, uint32_t body)
{
    const struct scree_grain *grain = &scree_world_grains(world)[body];
    struct scree_event_piston piston = {.body = body};
    scree_event_piston_fall(world, body, piston.fall, piston.load);
    for (int k = 0; k < 3; ++k)
        piston.mass_inverse[k] = grain->flags & (uint32_t)(SCREE_FIX_X << k) ? 0 : 1 / grain->mass;
    return piston;
}

scree_status scree_event_pistons_make(struct scree_event_pistons *pistons, const struct scree_world *world)
{
    size_t count = 0;
    scree_event_pistons_free(pistons);
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        count += scree_event_piston_is(world, i);
    if (count == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(count, sizeof *pistons->piston, (void **)&pistons->piston));
    for (uint32_t i = 0; i < scree_world_bodies(world); ++i)
        if (scree_event_piston_is(world, i))
            pistons->piston[pistons->count++] = make(world, i);
    return SCREE_OK;
}

void scree_event_pistons_free(struct scree_event_pistons *pistons)
{
    scree_memory_free(pistons->piston);
    *pistons = (struct scree_event_pistons){0};
}

const struct scree_event_piston *scree_event_piston_of(const struct scree_event_pistons *pistons,
                                                       uint32_t body)
{
    const struct scree_event_piston *piston = pistons->piston;
    while (piston->body != body)
        ++piston;
    return piston;
}

struct scree_vec3 scree_event_piston_fixed_velocity(const struct scree_event_piston *piston,
                                                    struct scree_vec3 velocity)
{
    const double *free = piston->mass_inverse;
    return scree_vec3_make(free[0] > 0 ? 0 : velocity.x, free[1] > 0 ? 0 : velocity.y,
                           free[2] > 0 ? 0 : velocity.z);
}

void scree_event_piston_land(const struct scree_event_piston *piston, struct scree_world *world,
                             const struct scree_flight *flight, double time)
{
    double position[3];
    scree_event_position(flight, piston->fall, time, position);
    for (int k = 0; k < 3; ++k)
        scree_world_wrenches(world)[piston->body].work +=
            piston->load[k] * (position[k] - flight->position[k]);
}

double scree_event_piston_mobility(const struct scree_event_piston *piston, struct scree_vec3 normal)
{
    const double *inverse = piston->mass_inverse;
    return normal.x * normal.x * inverse[0] + normal.y * normal.y * inverse[1] +
           normal.z * normal.z * inverse[2];
}

struct scree_vec3 scree_event_piston_push(const struct scree_event_piston *piston, struct scree_vec3 normal,
                                          struct scree_impulse_side side[2], struct scree_law_coefficients c)
{
    const struct scree_vec3 inverse = scree_vec3_load(piston->mass_inverse);
    const double turning = side[0].spin_inverse * side[0].radius, all = side[0].mass_inverse + turning;
    const struct scree_vec3 n = normal, t = scree_vec3_scale(n, -turning);
    // 1/m + R^2/I (1 - n n), and the piston
    const struct scree_mat3 mobility =
        scree_mat3_from_rows(scree_vec3_make(all + inverse.x + t.x * n.x, t.x * n.y, t.x * n.z),
                             scree_vec3_make(t.y * n.x, all + inverse.y + t.y * n.y, t.y * n.z),
                             scree_vec3_make(t.z * n.x, t.z * n.y, all + inverse.z + t.z * n.z));
    const struct scree_vec3 q = scree_impulse_velocity(normal, side);
    const struct scree_vec3 impulse = scree_impulse_of_rigid(normal, q, mobility, c).vector;
    const struct scree_vec3 velocity = side[1].velocity;
    scree_impulse_apply(normal, impulse, side);
    side[1].velocity = scree_vec3_sub(velocity, scree_vec3_multiply(inverse, impulse));
    return impulse;
}
