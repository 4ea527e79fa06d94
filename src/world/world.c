// Worlds: creation, time, gravity and order of slots, see include/scree/world.h.

#include "world/world.h"

#include "base/sort.h"
#include "math/real.h"
#include "world/body.h"
#include "world/cell.h"
#include "world/cell_servo.h"
#include "world/edit.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/servo.h"
#include "world/wall_facets.h"

#include <assert.h>
#include <string.h>

static scree_status check_gravity(int dimension, const double *gravity)
{
    for (int k = 0; k < 3; ++k)
        if (!(gravity[k] >= -1e150 && gravity[k] <= 1e150))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "gravity must be finite and at most 1e150 in magnitude; got (%g, %g, %g)", gravity[0],
                gravity[1], gravity[2]);
    if (dimension == 2 && gravity[2] != 0)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "in two dimensions gravity must lie in the plane z = 0; its z component is %g", gravity[2]);
    return SCREE_OK;
}

static scree_status fill(struct scree_world *world, const struct scree_world_def *def)
{
    const int dimension = def->dimension ? def->dimension : 3;
    world->level[SCREE_MID_STEP] = SCREE_MID_STEP;
    world->level[SCREE_TIMELESS] = SCREE_TIMELESS;
    if (dimension != 2 && dimension != 3)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the dimension of a world must be 2 or 3; got %d",
                                 def->dimension);
    SCREE_TRY(check_gravity(dimension, def->gravity));
    SCREE_TRY(scree_registry_create(&world->registry));
    scree_slot slot;
    uint64_t id;
    struct scree_entity *own = scree_world_entity(world, SCREE_ENTITY_WORLD);
    scree_entity_use_memory(own, SCREE_WORLD_STATE, &world->state);
    SCREE_TRY(scree_entity_insert(own, &slot, &id));
    world->dimension = (uint16_t)dimension;
    SCREE_TRY(scree_entity_insert(scree_world_entity(world, SCREE_ENTITY_CELL), &slot, &id));
    SCREE_TRY(scree_entity_insert(scree_world_entity(world, SCREE_ENTITY_ENGINE), &slot, &id));
    memcpy(scree_world_clock(world)->gravity, def->gravity, sizeof def->gravity);
    return def->sphere_orientation ? scree_world_integrate_sphere_orientation(world) : SCREE_OK;
}

scree_status scree_world_create(const struct scree_world_def *def, struct scree_world **world)
{
    *world = NULL;
    struct scree_world *made;
    SCREE_TRY(scree_memory_new(1, sizeof *made, (void **)&made));
    const struct scree_world_def empty = {0};
    const scree_status status = fill(made, def ? def : &empty);
    if (status != SCREE_OK)
        scree_world_destroy(made);
    else
        *world = made;
    return status;
}

void scree_world_destroy(struct scree_world *world)
{
    if (!world)
        return;
    assert(world->edit.kind == SCREE_EDIT_NONE);
    scree_memory_free(world->edit_cache);
    scree_wall_facets_free(world);
    scree_polyhedron_free(world);
    scree_registry_free(&world->registry);
    scree_array_free(&world->loads);
    scree_array_free(&world->uncovered);
    scree_world_free_drives(world);
    scree_cell_end_drive(world);
    scree_cell_servo_end_targets(world);
    scree_servo_free_areas(world);
    scree_contacts_free(&world->contacts);
    for (size_t l = 0; l < world->laws.count; ++l)
        if (world->laws.data[l].close)
            world->laws.data[l].close(world->laws.data[l].library);
    scree_array_free(&world->laws);
    scree_memory_free(world);
}

int scree_world_dimension(const struct scree_world *world)
{
    return world->dimension;
}

double scree_world_time(const struct scree_world *world)
{
    return scree_world_clock(world)->time;
}

uint64_t scree_world_steps(const struct scree_world *world)
{
    return scree_world_clock(world)->steps;
}

static double current_time(const struct scree_clock *clock)
{
    return clock->anchor_time + (double)(clock->steps - clock->anchor_steps) * clock->step;
}

scree_status scree_world_advance_time(struct scree_world *world, double step)
{
    if (!(step > 0 && step <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the time step must be positive and at most 1e150 s; got %g", step);
    struct scree_clock *clock = scree_world_clock(world);
    // new anchor: the step changed, or the time was edited
    if (clock->step != step || clock->time != current_time(clock)) {
        clock->anchor_time = clock->time;
        clock->anchor_steps = clock->steps;
        clock->step = step;
    }
    ++clock->steps;
    clock->time = current_time(clock);
    return SCREE_OK;
}

scree_level scree_world_level(const struct scree_world *world)
{
    return world->level[SCREE_LEVEL_OF_VELOCITY];
}

void scree_world_gravity(const struct scree_world *world, double gravity[3])
{
    memcpy(gravity, scree_world_clock(world)->gravity, 3 * sizeof *gravity);
}

scree_status scree_world_set_gravity(struct scree_world *world, const double gravity[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    SCREE_TRY(check_gravity(world->dimension, gravity));
    struct scree_clock *clock = scree_world_clock(world);
    scree_edit_finish_fields(world);
    if (memcmp(clock->gravity, gravity, sizeof clock->gravity) == 0)
        return SCREE_OK;
    scree_edit_all(world, SCREE_EDIT_GRAVITY);
    memcpy(clock->gravity, gravity, sizeof clock->gravity);
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_world_integrate_sphere_orientation(struct scree_world *world)
{
    struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_ROTOR));
    for (size_t i = 0; i < bodies->count && !world->tracks_spheres; ++i)
        if (!(scree_world_grains(world)[i].flags & SCREE_FLAG_ROTATES)) {
            scree_world_grains(world)[i].flags |= SCREE_FLAG_ROTATES;
            scree_world_rotors(world)[i].orientation[0] = 1;
        }
    world->tracks_spheres = true;
    return SCREE_OK;
}

scree_status scree_world_check_not_in_load(const struct scree_world *world)
{
    if (!world->in_load)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_STATE,
                             "bodies and loads cannot be changed while loads are evaluated: the function "
                             "of a load only returns forces; use a callback");
}

scree_status scree_world_reserve(struct scree_world *world, size_t bodies)
{
    SCREE_TRY(scree_world_check_not_in_load(world));
    return scree_entity_reserve(scree_world_entity(world, SCREE_ENTITY_BODY), bodies);
}

void scree_world_update_owners(struct scree_world *world)
{
    const size_t bodies = scree_world_bodies(world);
    for (size_t i = 0; i < bodies; ++i)
        scree_world_grains(world)[i].owner = (uint32_t)i;
    struct scree_entity *grains = scree_world_entity(world, SCREE_ENTITY_GRAIN);
    struct scree_column *column = &grains->columns.data[SCREE_GRAIN_GRAIN];
    struct scree_grain *carried = scree_world_grains(world) + bodies;
    const struct scree_local_grain *local =
        (const struct scree_local_grain *)scree_world_column(world, SCREE_ENTITY_GRAIN, SCREE_GRAIN_LOCAL);
    for (size_t g = 0; g < grains->count; ++g)
        (void)scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, local[g].body,
                              &carried[g].owner);
    column->base = grains->count > 0 ? (char *)carried : NULL;
    grains->version += grains->count > 0;
    world->carried_stale = false;
}

scree_status scree_world_sort(struct scree_world *world, const uint64_t *keys, size_t count)
{
    if (count != scree_world_bodies(world))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "sorting needs one key per body; got %zu keys for %zu bodies", count,
                                 scree_world_bodies(world));
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "slots cannot be sorted inside a step");
    uint32_t *order;
    SCREE_TRY(scree_memory_new(count, sizeof *order, (void **)&order));
    scree_status status = scree_sort_order(keys, count, order);
    if (status == SCREE_OK)
        status = scree_entity_permute(scree_world_entity(world, SCREE_ENTITY_BODY), order);
    scree_memory_free(order);
    scree_world_update_owners(world);
    return status;
}

scree_status scree_world_separate_contact_forces(struct scree_world *world)
{
    struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    const bool only_contacts = !scree_world_before_loads(world) && !scree_world_loads(world);
    if (scree_world_contact_forces(world) || !scree_world_has_contacts(world))
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_BEFORE_LOADS));
    for (size_t i = 0; i < bodies->count && only_contacts; ++i) {
        struct scree_force_moment *kept = &scree_world_before_loads(world)[i];
        memcpy(kept->force, scree_world_wrenches(world)[i].force, sizeof kept->force);
        memcpy(kept->moment, scree_world_wrenches(world)[i].moment, sizeof kept->moment);
    }
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_CONTACT_FORCES));
    if (only_contacts && bodies->count > 0)
        memcpy(scree_world_contact_forces(world), scree_world_before_loads(world),
               bodies->count * sizeof(struct scree_force_moment));
    return SCREE_OK;
}

scree_status scree_world_on_step(const struct scree_world *world, size_t first, size_t count,
                                 struct scree_on_step *out)
{
    if (world->pending_step) {
        if (!world->pending_step->forces_known)
            return scree_status_fail(SCREE_ERROR_STATE,
                                     "on-step velocities are not available between points 10 and 60: the "
                                     "forces of the step are not complete");
        world->pending_step->on_step(world->pending_step->self, first, count, out);
        return SCREE_OK;
    }
    for (size_t k = 0; k < count; ++k)
        scree_body_copy_motion(world, (scree_slot){(uint32_t)(first + k)}, &out[k]);
    return SCREE_OK;
}
