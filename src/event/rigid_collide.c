// Collisions of rigid bodies in the event engine, see rigid.h. The impulse is that of
// law/impulse_rigid.h, at one point for both sides, so that momentum and angular momentum are conserved to
// rounding; here are the losses and the work of the energy ledger.

#include "event/cell.h"
#include "law/impulse_rigid.h"
#include "law/rough_wall.h"
#include "math/vec3.h"
#include "world/cell.h"
#include "world/wall.h"
#include "world/wall_rough.h"

#include <math.h>
#include <string.h>

// A collision at the present time: two bodies, the first with the lower id, or a body and a wall.
struct hit {
    uint32_t body[2], member[2];
    int bodies; // 1 at a wall
    uint16_t material[2];
    double radius[2];            // of members; infinite at a wall
    struct scree_vec3 centre[2]; // of mass
    struct scree_vec3 normal;    // from the second side to the first
    struct scree_impulse_rigid side[2];
    struct scree_vec3 momentum[2];           // angular, before
    struct scree_vec3 impulse;               // on the first side
    double shaken;                           // largest acceleration of a wall that vibrates
    const struct scree_event_piston *piston; // that carries the wall, or null
    struct scree_vec3 moving; // velocity of the image of the second body, in cells with cell vectors
};

static struct scree_vec3 set_body(const struct scree_event *event, struct hit *hit, int s, uint32_t slot,
                                  uint32_t member)
{
    const struct scree_event_body *body = &event->lists.body[slot];
    const struct scree_event_rotation *rotation = &event->rigid.rotation[slot];
    const struct scree_event_member *own = &event->rigid.member.data[member];
    const struct scree_flight *flight = &event->space.flight[slot];
    const double *gravity = scree_event_gravity(event, slot);
    const bool flat = event->world->dimension == 2;
    double position[3], velocity[3];
    scree_event_position(flight, gravity, event->now, position);
    scree_event_velocity(flight, gravity, event->now, velocity);
    struct scree_event_turned turned = scree_event_rotation_at(rotation, event->now);
    const struct scree_grain *grain = &scree_world_grains(event->world)[slot];
    if (rotation->kind == SCREE_EVENT_STEADY)
        turned.spin = scree_vec3_load(grain->spin);
    hit->body[s] = slot;
    hit->member[s] = member;
    hit->material[s] = own->material;
    hit->radius[s] = own->radius;
    hit->centre[s] = scree_vec3_load(position);
    hit->momentum[s] = rotation->momentum;
    hit->side[s] = (struct scree_impulse_rigid){
        .mass_inverse = scree_vec3_make(body->lightness, body->lightness, flat ? 0 : body->lightness),
        .inertia_inverse = scree_mat3_rotate(scree_quat_to_matrix(turned.orientation),
                                             scree_mat3_diagonal(rotation->lightness)),
        .velocity = scree_vec3_load(velocity),
        .spin = turned.spin};
    return scree_quat_rotate(turned.orientation, own->offset);
}

// The part of the velocity at the contact point that a collision cannot change.
static struct scree_vec3 prescribed_velocity(const struct scree_event *event, const struct hit *hit, int s)
{
    const struct scree_impulse_rigid *side = &hit->side[s];
    if (s == hit->bodies)
        return hit->piston ? scree_event_piston_fixed_velocity(hit->piston, side->velocity) : side->velocity;
    struct scree_vec3 velocity = scree_vec3_zero();
    if (!event->lists.body[hit->body[s]].moves)
        velocity = side->velocity;
    // about z in any case
    if (event->rigid.rotation[hit->body[s]].lightness.z == 0)
        velocity = scree_vec3_add(velocity, scree_vec3_cross(side->spin, side->arm));
    return velocity;
}

static struct scree_vec3 relative_velocity(const struct hit *hit)
{
    return scree_vec3_sub(scree_impulse_rigid_velocity(&hit->side[0]),
                          scree_impulse_rigid_velocity(&hit->side[1]));
}

static struct scree_mat3 mobility_of(const struct hit *hit)
{
    return scree_mat3_add_scaled(scree_impulse_rigid_mobility(&hit->side[0]), 1,
                                 scree_impulse_rigid_mobility(&hit->side[1]));
}

// --- coefficients and accounts

// Whether the collision is made elastic: it follows the last one of a side too soon, or is too slow.
static bool is_elastic(struct scree_event *event, const struct hit *hit, double speed)
{
    double since = (double)INFINITY, bend = 0;
    for (int s = 0; s < hit->bodies; ++s) {
        const double passed = event->now - event->space.flight[hit->body[s]].time;
        since = passed < since ? passed : since;
        bend += event->rigid.rotation[hit->body[s]].bend * event->rigid.member.data[hit->member[s]].reach;
    }
    bend += scree_vec3_norm(scree_vec3_load(event->space.gravity)) + hit->shaken;
    // a speed that bodies get while they sink by a rounding error: they are at rest on each other
    const bool rests = speed * speed <= 16 * SCREE_EVENT_ADVANCE_ALLOWED * hit->radius[0] * bend;
    scree_event_count_quick(event, hit->body[0], since, rests ? 0 : speed,
                            scree_vec3_norm(relative_velocity(hit)));
    return since < event->def.contact_time || speed < event->def.elastic_below;
}

static struct scree_law_coefficients coefficients_of(struct scree_event *event, const struct hit *hit,
                                                     double speed, double mobility)
{
    const uint8_t number = scree_law_class_of(&event->classes, hit->material[0], hit->material[1]);
    const struct scree_law_class *class = &event->classes.class[number];
    if (is_elastic(event, hit, speed)) {
        ++scree_world_collisions(event->world)->elastic;
        return (struct scree_law_coefficients){.restitution = 1, .tangential = -1, .friction = 0};
    }
    const struct scree_law_impact impact = {
        .speed = speed, .radius = 1 / (1 / hit->radius[0] + 1 / hit->radius[1]), .mass = 1 / mobility};
    return class->law->collision(class->constants, &impact);
}

static void apply(struct hit *hit, struct scree_vec3 impulse)
{
    scree_impulse_rigid_apply(&hit->side[0], impulse);
    scree_impulse_rigid_apply(&hit->side[1], scree_vec3_negate(impulse));
    hit->impulse = scree_vec3_add(hit->impulse, impulse);
}

// Enters the energy that the collision has lost, and the work of what moves by itself. With the mean q of the
// velocities before and after, J . q is the energy that the impulse J adds.
static void enter_accounts(struct scree_event *event, const struct hit *hit, struct scree_impulse impulse,
                           struct scree_vec3 before)
{
    const struct scree_vec3 mean = scree_vec3_scale(scree_vec3_add(before, relative_velocity(hit)), 0.5);
    const double loss = -scree_vec3_dot(impulse.vector, mean);
    struct scree_losses *losses = scree_world_losses(event->world);
    for (int s = 0; s < hit->bodies; ++s) {
        losses[hit->body[s]].dashpot += (loss - impulse.friction) / hit->bodies;
        losses[hit->body[s]].friction += impulse.friction / hit->bodies;
    }
    double work = 0;
    for (int s = 0; s < 2; ++s)
        work -= (s == 0 ? 1 : -1) * scree_vec3_dot(impulse.vector, prescribed_velocity(event, hit, s));
    scree_world_wrenches(event->world)[hit->body[0]].work += work;
}

// Changes velocities and spins, with an impulse for this normal.
static void exchange(struct scree_event *event, struct hit *hit, struct scree_vec3 normal)
{
    const struct scree_vec3 before = relative_velocity(hit);
    const struct scree_mat3 mobility = mobility_of(hit);
    const double speed = -scree_vec3_dot(before, normal),
                 along = scree_vec3_dot(normal, scree_mat3_apply(mobility, normal));
    if (!(along > 0)) {
        // neither side can give way, and they meet again at once: the alarm of collapse ends that
        scree_event_count_quick(event, hit->body[0], 0, 0, 0);
        return;
    }
    const struct scree_law_coefficients c = coefficients_of(event, hit, speed, along);
    const struct scree_impulse impulse = scree_impulse_of_rigid(normal, before, mobility, c);
    apply(hit, impulse.vector);
    enter_accounts(event, hit, impulse, before);
}

// --- the flights afterwards

// The momentum of a body turns by the moment of the impulse, so that none of it is lost by rounding the spin.
static void fly_on(struct scree_event *event, const struct hit *hit, int s)
{
    const uint32_t slot = hit->body[s];
    const struct scree_impulse_rigid *side = &hit->side[s];
    double position[3], velocity[3];
    scree_vec3_store(hit->centre[s], position);
    scree_vec3_store(s == 1 ? scree_vec3_sub(side->velocity, hit->moving) : side->velocity, velocity);
    if (event->rigid.rotation[slot].kind == SCREE_EVENT_STEADY) {
        scree_vec3_store(side->spin, scree_world_grains(event->world)[slot].spin);
    } else {
        double *momentum = scree_world_rotors(event->world)[slot].momentum;
        const struct scree_vec3 turn = scree_vec3_cross(side->arm, hit->impulse);
        scree_vec3_store(scree_vec3_add_scaled(hit->momentum[s], s == 0 ? 1 : -1, turn), momentum);
    }
    scree_event_take_off(event, slot, event->now, position, velocity);
    scree_event_rigid_turn_off(event, slot, event->now, false);
}

// Begins a new flight of a piston, which carries the wall.
static void move_piston(struct scree_event *event, const struct hit *hit)
{
    const struct scree_event_piston *piston = hit->piston;
    double position[3], velocity[3];
    scree_event_position(&event->space.flight[piston->body], piston->fall, event->now, position);
    scree_vec3_store(hit->side[1].velocity, velocity);
    scree_event_take_off(event, piston->body, event->now, position, velocity);
}

// Enters what the flights until now leave in accounts.
static void land(struct scree_event *event, const struct hit *hit)
{
    for (int s = 0; s < hit->bodies; ++s) {
        double position[3];
        scree_vec3_store(hit->centre[s], position);
        scree_event_count_path(event, hit->body[s], position);
        if (event->space.skew.present)
            scree_event_cell_land(event, hit->body[s]);
    }
    if (hit->piston)
        scree_event_piston_land(hit->piston, event->world, &event->space.flight[hit->piston->body],
                                event->now);
}

// The gap as predictions compute it from the new flights.
static struct scree_event_gap gap_of(const struct scree_event *event, const struct hit *hit, uint32_t surface)
{
    return hit->bodies == 2 ? scree_event_rigid_gap(event, hit->body, hit->member)
                            : scree_event_rigid_gap_of_wall(event, hit->body[0], hit->member[0], surface);
}

// Begins the new flights. The sides do not approach in them: where rounding leaves them a rest of it, with
// which they would collide again at once and for ever, the impulse grows by doubling amounts.
static void part(struct scree_event *event, struct hit *hit, uint32_t surface)
{
    const struct hit start = *hit;
    double speed = 0;
    for (int s = 0; s < 2; ++s)
        speed += 0x1p-53 * (scree_vec3_norm(hit->side[s].velocity) +
                            scree_vec3_norm(hit->side[s].spin) * scree_vec3_norm(hit->side[s].arm));
    const double along = scree_vec3_dot(hit->normal, scree_mat3_apply(mobility_of(hit), hit->normal));
    for (double more = 0;; more = more > 0 ? 2 * more : speed) {
        *hit = start;
        if (more > 0)
            apply(hit, scree_vec3_scale(hit->normal, more / along));
        for (int s = 0; s < hit->bodies; ++s)
            fly_on(event, hit, s);
        if (hit->piston)
            move_piston(event, hit);
        if (!(gap_of(event, hit, surface).rate < 0) || !(along > 0) || !(speed > 0))
            return;
    }
}

static void report(const struct scree_event *event, const struct hit *hit, size_t wall)
{
    struct scree_event_collision told = {.time = event->now};
    for (int s = 0; s < hit->bodies; ++s) {
        const struct scree_flight *flight = &event->space.flight[hit->body[s]];
        told.body[s].value = event->space.id[hit->body[s]];
        told.part[s] = event->rigid.member.data[hit->member[s]].part;
        memcpy(told.position[s], flight->position, sizeof told.position[s]);
        memcpy(told.velocity[s], flight->velocity, sizeof told.velocity[s]);
    }
    if (hit->bodies == 1)
        told.wall.value = scree_entity_ids(scree_world_entity(event->world, SCREE_ENTITY_WALL))[wall];
    scree_vec3_store(hit->normal, told.normal);
    scree_vec3_store(hit->impulse, told.impulse);
    event->observer(event->observer_user, &told);
}

// --- two bodies

void scree_event_rigid_collide_pair(struct scree_event *event, uint32_t first, uint32_t second)
{
    const bool ordered = event->space.id[first] < event->space.id[second];
    const uint32_t one = ordered ? first : second, other = ordered ? second : first;
    const struct scree_event_contact touch = scree_event_rigid_pair(event, one, other, event->now);
    struct hit hit = {.bodies = 2};
    const struct scree_vec3 arm = set_body(event, &hit, 0, one, touch.member[0]),
                            other_arm = set_body(event, &hit, 1, other, touch.member[1]);
    double d[3];
    scree_vec3_store(scree_vec3_sub(hit.centre[0], hit.centre[1]), d);
    for (int k = 0; k < 3; ++k)
        d[k] = scree_event_nearest(d[k], event->space.period[k], event->space.inverse[k]);
    if (event->space.skew.present) {
        double n[3], shift[3], moving[3];
        scree_event_skew_periods(&event->space.skew, d, n);
        scree_event_skew_shift(&event->space.skew, n, event->now, shift, moving);
        for (int k = 0; k < 3; ++k)
            d[k] -= shift[k];
        hit.moving = scree_vec3_load(moving);
        hit.side[1].velocity = scree_vec3_add(hit.side[1].velocity, hit.moving);
    }
    const struct scree_vec3 apart = scree_vec3_load(d);
    hit.normal = scree_vec3_normalise(scree_vec3_sub(scree_vec3_add(apart, arm), other_arm));
    hit.side[0].arm = scree_vec3_add_scaled(arm, -hit.radius[0], hit.normal);
    // the same point
    hit.side[1].arm = scree_vec3_add(apart, hit.side[0].arm);
    exchange(event, &hit, hit.normal);
    land(event, &hit);
    part(event, &hit, 0);
    if (event->space.skew.present)
        scree_event_cell_collide(event, hit.impulse, apart, apart);
    ++scree_world_collisions(event->world)->pairs;
    scree_world_collisions(event->world)->virial += scree_vec3_dot(hit.impulse, apart);
    if (event->observer)
        report(event, &hit, 0);
}

// --- walls

// Collides with virtual walls until the contact point leaves the rough one.
static void exchange_with_rough(struct scree_event *event, struct hit *hit,
                                const struct scree_wall_roughness *roughness)
{
    const struct scree_rough_wall rough = scree_rough_wall_make(roughness, event->world->dimension);
    struct scree_rough_wall_draw draw = {.id = event->space.id[hit->body[0]],
                                         .event = scree_real_bits(event->now)};
    for (; draw.rebound < SCREE_ROUGH_WALL_REBOUNDS; ++draw.rebound) {
        const struct scree_vec3 velocity = relative_velocity(hit);
        if (scree_vec3_dot(velocity, hit->normal) >= 0)
            break;
        exchange(event, hit, scree_rough_wall_normal(&rough, hit->normal, velocity, draw));
    }
}

// At the contact point, in the cell, where the walls are.
static struct scree_vec3 velocity_of_wall(const struct scree_event *event, const struct hit *hit,
                                          uint32_t number)
{
    const struct scree_cell *cell = scree_world_cell(event->world);
    const struct scree_vec3 point = scree_vec3_add(hit->centre[0], hit->side[0].arm);
    if (number < event->walls.surface.count)
        return scree_event_wall_velocity(event, number, point, hit->normal);
    double x[3];
    scree_vec3_store(point, x);
    for (int k = 0; k < 3; ++k) {
        int64_t turns = 0;
        if (cell->period[k] > 0 && !(x[k] >= cell->lower[k] && x[k] < cell->upper[k]))
            scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &x[k], &turns);
    }
    return scree_event_shapes_velocity(&event->walls.shapes, event->world, number, scree_vec3_load(x),
                                       hit->normal, event->now);
}

void scree_event_rigid_collide_wall(struct scree_event *event, uint32_t body, uint32_t number)
{
    const uint32_t row = scree_event_walls_row(&event->walls, number);
    const struct scree_event_contact touch = scree_event_rigid_surface(event, body, number, event->now);
    struct hit hit = {.bodies = 1};
    const struct scree_vec3 arm = set_body(event, &hit, 0, body, touch.member[0]);
    const bool is_plane = number < event->walls.surface.count;
    const uint32_t carrier =
        is_plane ? UINT32_MAX : scree_event_shapes_of(&event->walls.shapes, number)->carrier;
    hit.normal = is_plane ? scree_vec3_load(event->walls.surface.data[number].normal)
                          : scree_event_rigid_at_shape(event, body, touch.member[0], number).normal;
    hit.side[0].arm = scree_vec3_add_scaled(arm, -hit.radius[0], hit.normal);
    hit.side[1].velocity = velocity_of_wall(event, &hit, number);
    if (carrier != UINT32_MAX && scree_event_is_piston(event, carrier)) {
        hit.piston = scree_event_piston_of(&event->pistons, carrier);
        hit.side[1].mass_inverse = scree_vec3_load(hit.piston->mass_inverse);
    }
    hit.material[1] = scree_wall_row(event->world, row)->material;
    hit.radius[1] = (double)INFINITY;
    hit.shaken = scree_event_walls_force(&event->walls, number);
    const struct scree_wall_roughness *rough = scree_wall_rough(event->world, row);
    if (rough)
        exchange_with_rough(event, &hit, rough);
    else
        exchange(event, &hit, hit.normal);
    land(event, &hit);
    part(event, &hit, number);
    ++scree_world_collisions(event->world)->walls;
    if (event->observer)
        report(event, &hit, row);
    if (hit.piston)
        scree_event_meet_carrier(event, hit.piston->body);
}
