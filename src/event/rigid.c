// Members and orientations of bodies in the event engine, see rigid.h.

#include "base/memory.h"
#include "event/event.h"
#include "math/vec3.h"
#include "world/grain.h"

#include <math.h>
#include <string.h>

// --- members

static scree_status list_members(struct scree_event_rigid *rigid, const struct scree_world *world,
                                 const struct scree_grain_owners *owners)
{
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        rigid->first[i] = (uint32_t)rigid->member.count;
        const struct scree_event_member own = {.radius = grain->radius, .material = grain->material};
        if (grain->radius > 0)
            SCREE_TRY(scree_array_push(&rigid->member, own));
        for (uint32_t k = owners->first[i]; k < owners->first[i + 1]; ++k) {
            const struct scree_local_grain *local = &scree_grain_locals(world)[owners->row[k]];
            struct scree_event_member member = {.offset = scree_vec3_load(local->offset),
                                                .radius = local->radius,
                                                .part = local->part,
                                                .material = local->material};
            member.reach = scree_vec3_norm(member.offset);
            SCREE_TRY(scree_array_push(&rigid->member, member));
        }
    }
    rigid->first[scree_world_bodies(world)] = (uint32_t)rigid->member.count;
    return SCREE_OK;
}

static scree_status make_members(struct scree_event_rigid *rigid, struct scree_world *world)
{
    SCREE_TRY(scree_grain_reserve_records(world));
    struct scree_grain_owners owners = {0};
    SCREE_TRY(scree_memory_new(scree_world_bodies(world) + 1, sizeof *rigid->first, (void **)&rigid->first));
    SCREE_TRY(scree_grain_owners_make(world, &owners));
    const scree_status status = list_members(rigid, world, &owners);
    scree_grain_owners_free(&owners);
    return status;
}

// --- rotations

static bool has_momentum(const struct scree_grain *grain)
{
    return grain->kind == SCREE_KIND_RIGID && (grain->flags & SCREE_FIX_SPIN) != SCREE_FIX_SPIN;
}

static struct scree_event_rotation rotation_of(const struct scree_world *world, size_t body)
{
    const struct scree_grain *grain = &scree_world_grains(world)[body];
    const struct scree_rotor *rotors = scree_world_rotors(world);
    struct scree_event_rotation rotation =
        scree_event_rotation_make(has_momentum(grain) ? rotors[body].inertia : NULL);
    if (rotation.kind != SCREE_EVENT_STEADY || (grain->flags & SCREE_FIX_SPIN) == SCREE_FIX_SPIN)
        return rotation;
    const double light = 1 / scree_grain_inertia(grain, rotors ? &rotors[body] : NULL);
    const double out = world->dimension == 2 ? 0 : light;
    rotation.lightness = scree_vec3_make(out, out, light);
    return rotation;
}

static scree_status make_rotations(struct scree_event_rigid *rigid, const struct scree_world *world)
{
    const size_t bodies = scree_world_bodies(world);
    size_t asymmetric = 0;
    SCREE_TRY(scree_memory_new(bodies, sizeof *rigid->rotation, (void **)&rigid->rotation));
    for (size_t i = 0; i < bodies; ++i) {
        rigid->rotation[i] = rotation_of(world, i);
        asymmetric += rigid->rotation[i].kind == SCREE_EVENT_ASYMMETRIC;
    }
    if (asymmetric == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(asymmetric, sizeof *rigid->series, (void **)&rigid->series));
    struct scree_event_series *next = rigid->series;
    for (size_t i = 0; i < bodies; ++i)
        if (rigid->rotation[i].kind == SCREE_EVENT_ASYMMETRIC)
            rigid->rotation[i].series = next++;
    rigid->asymmetric = asymmetric;
    return SCREE_OK;
}

static scree_status make_blocks(struct scree_event_rigid *rigid, size_t bodies)
{
    SCREE_TRY(scree_memory_new(bodies + 1, sizeof *rigid->block, (void **)&rigid->block));
    uint32_t count = 0;
    for (size_t i = 0; i < bodies; ++i) {
        rigid->block[i] = count;
        count += (rigid->first[i + 1] - rigid->first[i] + SCREE_EVENT_LANES - 1) / SCREE_EVENT_LANES;
    }
    rigid->block[bodies] = count;
    return scree_memory_new(count, sizeof *rigid->orbits, (void **)&rigid->orbits);
}

// Whether all members are on the axis of a symmetric body, so that its spin about it does not move them.
static bool is_axial(const struct scree_event_rigid *rigid, size_t body)
{
    const struct scree_event_rotation *rotation = &rigid->rotation[body];
    bool axial = rotation->kind == SCREE_EVENT_SYMMETRIC;
    for (uint32_t m = rigid->first[body]; m < rigid->first[body + 1] && axial; ++m) {
        double offset[3];
        scree_vec3_store(rigid->member.data[m].offset, offset);
        axial = offset[(rotation->axis + 1) % 3] == 0 && offset[(rotation->axis + 2) % 3] == 0;
    }
    return axial;
}

scree_status scree_event_rigid_make(struct scree_event *event)
{
    struct scree_world *world = event->world;
    struct scree_event_rigid *rigid = &event->rigid;
    scree_event_rigid_free(rigid);
    rigid->any = scree_grain_carried(world) > 0;
    rigid->turns = rigid->any;
    for (size_t i = 0; i < scree_world_bodies(world) && !rigid->turns; ++i)
        rigid->turns = scree_world_grains(world)[i].flags & SCREE_FLAG_ROTATES;
    if (!rigid->turns)
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_FLIGHT_TURN));
    SCREE_TRY(make_rotations(rigid, world));
    if (!rigid->any)
        return SCREE_OK;
    SCREE_TRY(make_members(rigid, world));
    SCREE_TRY(make_blocks(rigid, scree_world_bodies(world)));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        rigid->rotation[i].axial = is_axial(rigid, i);
    return SCREE_OK;
}

void scree_event_rigid_free(struct scree_event_rigid *rigid)
{
    scree_memory_free(rigid->first);
    scree_memory_free(rigid->rotation);
    scree_memory_free(rigid->series);
    scree_memory_free(rigid->block);
    scree_memory_free(rigid->orbits);
    scree_array_free(&rigid->member);
    *rigid = (struct scree_event_rigid){0};
}

size_t scree_event_rigid_memory(const struct scree_event *event)
{
    const struct scree_event_rigid *rigid = &event->rigid;
    const size_t bodies = event->lists.bodies;
    return (rigid->first ? (bodies + 1) * sizeof *rigid->first : 0) +
           (rigid->rotation ? bodies * (sizeof *rigid->rotation + sizeof(struct scree_flight_turn)) : 0) +
           rigid->asymmetric * sizeof *rigid->series + rigid->member.capacity * sizeof *rigid->member.data +
           (rigid->block ? (bodies + 1) * sizeof *rigid->block + rigid->block[bodies] * sizeof *rigid->orbits
                         : 0);
}

double scree_event_rigid_turning(const struct scree_event *event, uint32_t body)
{
    const struct scree_event_rigid *rigid = &event->rigid;
    // all members at the centre
    if (rigid->first[body + 1] - rigid->first[body] == 1 && rigid->member.data[rigid->first[body]].reach == 0)
        return 0;
    return rigid->rotation[body].turning;
}

// --- flights

static void set_orbits(struct scree_event_rigid *rigid, uint32_t body)
{
    const struct scree_event_rotation *rotation = &rigid->rotation[body];
    const struct scree_vec3 axis = scree_vec3_normalise(rotation->rate);
    for (uint32_t m = rigid->first[body]; m < rigid->first[body + 1]; ++m) {
        const struct scree_event_member *member = &rigid->member.data[m];
        const uint32_t place = m - rigid->first[body], lane = place % SCREE_EVENT_LANES;
        struct scree_event_orbits *orbits = &rigid->orbits[rigid->block[body] + place / SCREE_EVENT_LANES];
        const struct scree_vec3 arm = scree_quat_rotate(rotation->orientation, member->offset),
                                centre = scree_vec3_scale(axis, scree_vec3_dot(axis, arm)),
                                out = scree_vec3_sub(arm, centre);
        double circle[3][3];
        scree_vec3_store(centre, circle[0]);
        scree_vec3_store(out, circle[1]);
        scree_vec3_store(scree_vec3_cross(axis, out), circle[2]);
        for (int k = 0; k < 3; ++k) {
            orbits->centre[k][lane] = circle[0][k];
            orbits->out[k][lane] = circle[1][k];
            orbits->across[k][lane] = circle[2][k];
        }
        orbits->radius[lane] = member->radius;
        orbits->speed[lane] = rotation->turning * member->reach;
        orbits->bend[lane] = rotation->bend * member->reach;
        orbits->jerk[lane] = rotation->jerk * member->reach;
    }
}

static void begin(struct scree_event *event, uint32_t body, double time, struct scree_quat orientation)
{
    const struct scree_grain *grain = &scree_world_grains(event->world)[body];
    const struct scree_rotor *rotors = scree_world_rotors(event->world);
    const bool kept = has_momentum(grain);
    scree_event_rotation_begin(&event->rigid.rotation[body], time, orientation, scree_vec3_load(grain->spin),
                               kept ? scree_vec3_load(rotors[body].momentum) : scree_vec3_zero());
    if (event->rigid.any)
        set_orbits(&event->rigid, body);
}

void scree_event_rigid_turn_off(struct scree_event *event, uint32_t body, double time, bool present)
{
    const bool turns = scree_world_grains(event->world)[body].flags & SCREE_FLAG_ROTATES;
    struct scree_quat orientation = scree_quat_make(1, 0, 0, 0);
    if (turns && present)
        orientation = scree_quat_load(scree_world_rotors(event->world)[body].orientation);
    else if (turns)
        orientation = scree_event_rotation_at(&event->rigid.rotation[body], time).orientation;
    orientation = scree_quat_normalise(orientation);
    scree_quat_store(orientation, scree_world_flight_turns(event->world)[body].orientation);
    begin(event, body, time, orientation);
}

void scree_event_rigid_resume(struct scree_event *event, uint32_t body)
{
    const double *orientation = scree_world_flight_turns(event->world)[body].orientation;
    begin(event, body, event->space.flight[body].time, scree_quat_load(orientation));
}

void scree_event_rigid_show(struct scree_event *event)
{
    struct scree_world *world = event->world;
    for (uint32_t i = 0; i < scree_world_bodies(world); ++i) {
        struct scree_grain *grain = &scree_world_grains(world)[i];
        if (!(grain->flags & SCREE_FLAG_ROTATES))
            continue;
        const struct scree_event_turned now = scree_event_rotation_at(&event->rigid.rotation[i], event->now);
        scree_quat_store(scree_quat_normalise(now.orientation), scree_world_rotors(world)[i].orientation);
        if (has_momentum(grain))
            scree_vec3_store(now.spin, grain->spin);
    }
    if (event->rigid.any)
        scree_grain_update_records(world, 0, NULL);
}

double scree_event_rigid_square(const struct scree_world *world, size_t body)
{
    const struct scree_grain *grain = &scree_world_grains(world)[body];
    if (grain->radius > 0)
        return 0;
    struct scree_vec3 spin = scree_vec3_load(grain->spin);
    if (has_momentum(grain)) {
        const struct scree_rotor *rotor = &scree_world_rotors(world)[body];
        const double *inertia = rotor->inertia, a = inertia[0] > inertia[1] ? inertia[0] : inertia[1];
        spin = scree_vec3_scale(scree_vec3_load(rotor->momentum), 1 / (a > inertia[2] ? a : inertia[2]));
    }
    const double reach = scree_grain_reach(world, body);
    return reach * reach * scree_vec3_norm_squared(spin);
}

bool scree_event_rigid_is_fixed(const struct scree_event *event, uint32_t body)
{
    // about z it turns in two dimensions too
    return !event->lists.body[body].moves && event->rigid.rotation[body].lightness.z == 0;
}

bool scree_event_rigid_concerns(const struct scree_event *event, uint32_t one, uint32_t other)
{
    if (!event->rigid.any)
        return false;
    const struct scree_grain *grain = scree_world_grains(event->world);
    return !(grain[one].radius > 0) || !(grain[other].radius > 0);
}
