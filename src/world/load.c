// The list of loads, see include/scree/load.h. The engine evaluates their forces.

#include "world/edit.h"

static scree_status check(const struct scree_world *world, const struct scree_load_def *def)
{
    if (def->body.value != 0) {
        scree_slot slot;
        SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), def->body.value, &slot));
    }
    bool constant = false;
    for (int k = 0; k < 3; ++k) {
        if (!(def->force[k] >= -1e150 && def->force[k] <= 1e150 && def->moment[k] >= -1e150 &&
              def->moment[k] <= 1e150))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the force and moment of a load must be finite and at most 1e150 in magnitude");
        constant = constant || def->force[k] != 0 || def->moment[k] != 0;
    }
    if (def->function && constant)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a load is either constant or a function; this one "
                                                       "has both a function and a nonzero force or moment");
    return SCREE_OK;
}

// A load added or removed between steps takes effect immediately: forces are outdated.
static void edit(struct scree_world *world, const struct scree_load_def *def)
{
    scree_slot slot;
    if (def->body.value == 0)
        scree_edit_all(world, SCREE_EDIT_LOAD);
    else if (scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, def->body.value,
                             &slot.index))
        scree_edit_body(world, SCREE_EDIT_LOAD, slot);
    else
        return;
    scree_edit_end(world);
}

// Re-attaches the function of a load restored from a checkpoint; its force is included already, so nothing is
// outdated.
static bool attach_missing(struct scree_world *world, const struct scree_load_def *def, scree_load_id *id)
{
    for (size_t l = 0; def->function && l < world->loads.count; ++l) {
        struct scree_load *load = &world->loads.data[l];
        if (!load->missing || load->def.body.value != def->body.value)
            continue;
        load->def = *def;
        load->missing = false;
        *id = load->id;
        return true;
    }
    return false;
}

scree_status scree_world_check_loads(const struct scree_world *world)
{
    for (size_t l = 0; l < world->loads.count; ++l)
        if (world->loads.data[l].missing)
            return scree_status_fail(SCREE_ERROR_STATE,
                                     "the checkpoint of this world had a load function on body %llu (0: all "
                                     "bodies): add that load again before running",
                                     (unsigned long long)world->loads.data[l].def.body.value);
    return SCREE_OK;
}

scree_status scree_load_add(struct scree_world *world, const struct scree_load_def *def, scree_load_id *id)
{
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(check(world, def));
    SCREE_TRY(scree_world_separate_contact_forces(world));
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_LOAD));
    if (attach_missing(world, def, id))
        return SCREE_OK;
    SCREE_TRY(scree_array_push(&world->loads, (struct scree_load){{world->last_load + 1}, *def, false}));
    id->value = ++world->last_load;
    edit(world, def);
    return SCREE_OK;
}

scree_status scree_load_remove(struct scree_world *world, scree_load_id id)
{
    SCREE_TRY(scree_world_check_not_in_load(world));
    for (size_t l = 0; l < world->loads.count; ++l)
        if (world->loads.data[l].id.value == id.value) {
            edit(world, &world->loads.data[l].def);
            memmove(&world->loads.data[l], &world->loads.data[l + 1],
                    (world->loads.count - l - 1) * sizeof world->loads.data[0]);
            --world->loads.count;
            return SCREE_OK;
        }
    return scree_status_fail(SCREE_ERROR_MISSING, "there is no load with id %llu",
                             (unsigned long long)id.value);
}

// Marks the slots of the bodies of a list.
static scree_status mark_bodies(const struct scree_world *world, const scree_body_id *body, size_t bodies,
                                bool *mark)
{
    for (size_t b = 0; b < bodies; ++b) {
        scree_slot slot;
        SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), body[b].value, &slot));
        mark[slot.index] = true;
    }
    return SCREE_OK;
}

// Removes the constant loads of marked bodies.
static void remove_constant(struct scree_world *world, const bool *mark)
{
    const struct scree_pool *pool = &scree_world_entity(world, SCREE_ENTITY_BODY)->pool;
    size_t kept = 0;
    for (size_t l = 0; l < world->loads.count; ++l) {
        const struct scree_load load = world->loads.data[l];
        scree_slot slot;
        if (load.def.body.value != 0 && !load.def.function && !load.missing &&
            scree_pool_find(pool, load.def.body.value, &slot.index) && mark[slot.index])
            edit(world, &load.def);
        else
            world->loads.data[kept++] = load;
    }
    world->loads.count = kept;
}

scree_status scree_load_set(struct scree_world *world, const scree_body_id *body, size_t bodies,
                            const double force[3], const double moment[3])
{
    struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_BODY);
    struct scree_load_def def = {.force = {force[0], force[1], force[2]},
                                 .moment = {moment[0], moment[1], moment[2]}};
    const bool none =
        force[0] == 0 && force[1] == 0 && force[2] == 0 && moment[0] == 0 && moment[1] == 0 && moment[2] == 0;
    bool *mark;
    scree_load_id id;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(check(world, &def));
    SCREE_TRY(scree_array_reserve(&world->loads, world->loads.count + bodies));
    SCREE_TRY(scree_entity_require(entity, none ? 0 : SCREE_BODY_LOAD));
    SCREE_TRY(scree_memory_new(entity->count, sizeof *mark, (void **)&mark));
    scree_status status = mark_bodies(world, body, bodies, mark);
    if (status == SCREE_OK)
        status = scree_world_separate_contact_forces(world);
    if (status == SCREE_OK)
        remove_constant(world, mark);
    // a body that is listed twice gets one load
    for (size_t b = 0; !none && b < bodies && status == SCREE_OK; ++b) {
        scree_slot slot;
        def.body = body[b];
        if (scree_pool_find(&entity->pool, body[b].value, &slot.index) && mark[slot.index]) {
            mark[slot.index] = false;
            status = scree_load_add(world, &def, &id);
        }
    }
    scree_memory_free(mark);
    return status;
}
