// Collisions of the event engine, see event.h. The impulse is that of law/impulse.h; here are the losses and
// the work of the energy ledger.

#include "event/cell.h"
#include "law/impulse.h"
#include "law/rough_wall.h"
#include "world/cell.h"
#include "world/wall.h"
#include "world/wall_rough.h"

#include <math.h>
#include <string.h>

void scree_event_take_off(struct scree_event *event, uint32_t body, double time, const double position[3],
                          const double velocity[3])
{
    struct scree_flight *flight = &scree_world_flights(event->world)[body];
    const struct scree_cell *cell = scree_world_cell(event->world);
    struct scree_image *images = scree_world_images(event->world);
    flight->time = time;
    if (event->space.skew.present) {
        int64_t turns[3];
        memcpy(flight->position, position, sizeof flight->position);
        memcpy(flight->velocity, velocity, sizeof flight->velocity);
        scree_event_cell_enter(event, flight->position, flight->velocity, turns);
        for (int k = 0; k < 3; ++k)
            images[body].count[k] += turns[k];
        return;
    }
    for (int k = 0; k < 3; ++k) {
        flight->position[k] = position[k];
        if (cell->period[k] > 0 && !(position[k] >= cell->lower[k] && position[k] < cell->upper[k]))
            scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &flight->position[k],
                                       &images[body].count[k]);
        flight->velocity[k] = velocity[k];
    }
}

// --- the two sides

// A collision at the present time: two bodies, the first with the lower id, or a body and a wall.
struct collision {
    struct scree_impulse_side side[2];
    struct scree_vec3 position[2], normal; // from the second side to the first
    uint32_t body[2];
    int bodies; // 1 at a wall
    uint16_t material[2];
    struct scree_vec3 impulse;               // on the first side
    const struct scree_event_piston *piston; // that carries the wall, or null
    struct scree_vec3 moving;                // velocity of the image of the second side, relative to the body
    bool drawn;                              // by a stochastic engine
};

static void set_body(const struct scree_event *event, struct collision *collision, int s, uint32_t slot)
{
    const struct scree_event_body *body = &event->lists.body[slot];
    const struct scree_flight *flight = &event->space.flight[slot];
    const double *gravity = scree_event_gravity(event, slot);
    double position[3], velocity[3];
    scree_event_position(flight, gravity, event->now, position);
    scree_event_velocity(flight, gravity, event->now, velocity);
    collision->position[s] = scree_vec3_load(position);
    collision->body[s] = slot;
    collision->material[s] = body->material;
    collision->side[s] = (struct scree_impulse_side){.mass_inverse = body->lightness,
                                                     .spin_inverse = flight->radius * body->turning,
                                                     .radius = flight->radius,
                                                     .velocity = scree_vec3_load(velocity)};
}

// The first amount by which a closing velocity that rounding leaves is taken away.
static double rounding_of(const struct scree_impulse_side side[2])
{
    const double speed = scree_vec3_norm(side[0].velocity) + scree_vec3_norm(side[1].velocity);
    return 0x1p-53 * (speed > 0x1p-900 ? speed : 0x1p-900);
}

static struct scree_grain *grain_of(const struct scree_event *event, const struct collision *collision, int s)
{
    return &scree_world_grains(event->world)[collision->body[s]];
}

// The part of the velocity of a surface at the contact point that a collision cannot change.
static struct scree_vec3 prescribed_velocity(const struct collision *collision, int s)
{
    const struct scree_impulse_side *side = &collision->side[s];
    struct scree_vec3 velocity = scree_vec3_zero();
    if (side->mass_inverse == 0)
        velocity = side->velocity;
    if (s == 1 && collision->piston)
        velocity = scree_event_piston_fixed_velocity(collision->piston, side->velocity);
    if (side->spin_inverse == 0)
        velocity = scree_vec3_add_scaled(velocity, (s == 0 ? -1 : 1) * side->radius,
                                         scree_vec3_cross(side->spin, collision->normal));
    return velocity;
}

// --- coefficients

// The time since the last collision of a side. Flights that begin with draws do so at the time of these, and
// not at that of a collision: then a body that falls on a wall counts as one that bounces on it.
static double time_since_last(const struct scree_event *event, const struct collision *collision, int s,
                              double speed)
{
    const uint32_t body = collision->body[s];
    const double begun = event->space.flight[body].time;
    if (!(event->draws.present && begun == event->draws.time))
        return event->now - begun;
    const double *gravity = scree_event_gravity(event, body);
    const double pull =
        gravity && collision->bodies == 1 ? -scree_vec3_dot(scree_vec3_load(gravity), collision->normal) : 0;
    return pull > 0 ? 2 * speed / pull : (double)INFINITY;
}

// Whether the collision is made elastic: it follows the last one of a side too soon, or is too slow.
static bool is_elastic(struct scree_event *event, const struct collision *collision, double speed)
{
    double since = (double)INFINITY;
    for (int s = 0; s < collision->bodies; ++s) {
        const double passed = time_since_last(event, collision, s, speed);
        since = passed < since ? passed : since;
    }
    // all collisions that are drawn in a step happen at one time
    if (!collision->drawn)
        scree_event_count_quick(
            event, collision->body[0], since, speed,
            scree_vec3_norm(scree_vec3_sub(collision->side[0].velocity, collision->side[1].velocity)));
    return since < event->def.contact_time || speed < event->def.elastic_below;
}

static struct scree_law_coefficients coefficients_of(struct scree_event *event,
                                                     const struct collision *collision)
{
    const struct scree_law_coefficients smooth = {.restitution = 1, .tangential = -1, .friction = 0};
    const uint8_t number =
        scree_law_class_of(&event->classes, collision->material[0], collision->material[1]);
    const struct scree_law_class *class = &event->classes.class[number];
    const struct scree_impulse_side *side = collision->side;
    const double speed =
        -scree_vec3_dot(scree_vec3_sub(side[0].velocity, side[1].velocity), collision->normal);
    if (is_elastic(event, collision, speed)) {
        ++scree_world_collisions(event->world)->elastic;
        return smooth;
    }
    const double curvature = 1 / side[0].radius + (collision->bodies == 2 ? 1 / side[1].radius : 0);
    const struct scree_law_impact impact = {
        .speed = speed, .radius = 1 / curvature, .mass = 1 / (side[0].mass_inverse + side[1].mass_inverse)};
    return class->law->collision(class->constants, &impact);
}

// --- accounts

// Enters the energy that the collision has lost, normally and tangentially, and the work of what moves by
// itself. With the mean q of the velocities before and after, J . q is the energy that the impulse J adds.
static void enter_accounts(struct scree_event *event, const struct collision *collision,
                           struct scree_vec3 impulse, struct scree_vec3 before)
{
    const struct scree_vec3 after = scree_impulse_velocity(collision->normal, collision->side);
    const struct scree_vec3 mean = scree_vec3_scale(scree_vec3_add(before, after), 0.5);
    const double normal =
        -scree_vec3_dot(impulse, collision->normal) * scree_vec3_dot(mean, collision->normal);
    const double tangential = -scree_vec3_dot(impulse, mean) - normal;
    struct scree_losses *losses = scree_world_losses(event->world);
    for (int s = 0; s < collision->bodies; ++s) {
        losses[collision->body[s]].dashpot += normal / collision->bodies;
        losses[collision->body[s]].friction += tangential / collision->bodies;
    }
    double work = 0;
    for (int s = 0; s < 2; ++s)
        work -= (s == 0 ? 1 : -1) * scree_vec3_dot(impulse, prescribed_velocity(collision, s));
    scree_world_wrenches(event->world)[collision->body[0]].work += work;
}

static struct scree_vec3 push(struct collision *collision, struct scree_law_coefficients c)
{
    if (collision->piston)
        return scree_event_piston_push(collision->piston, collision->normal, collision->side, c);
    const struct scree_impulse impulse = scree_impulse_between(collision->normal, collision->side, c);
    scree_impulse_apply(collision->normal, impulse.vector, collision->side);
    return impulse.vector;
}

// Changes velocities and spins; returns the normal impulse.
static double exchange(struct scree_event *event, struct collision *collision)
{
    const struct scree_law_coefficients c = coefficients_of(event, collision);
    struct scree_impulse_side *side = collision->side;
    for (int s = 0; s < collision->bodies && c.friction != 0; ++s)
        side[s].spin = scree_vec3_load(grain_of(event, collision, s)->spin);
    const struct scree_vec3 before = scree_impulse_velocity(collision->normal, side);
    const struct scree_vec3 impulse = push(collision, c);
    collision->impulse = impulse;
    const bool prescribed = collision->piston || side[0].mass_inverse == 0 || side[1].mass_inverse == 0 ||
                            side[0].spin_inverse == 0;
    if (c.restitution != 1 || c.friction != 0 || prescribed)
        enter_accounts(event, collision, impulse, before);
    for (int s = 0; s < collision->bodies && c.friction != 0; ++s)
        scree_vec3_store(side[s].spin, grain_of(event, collision, s)->spin);
    return scree_vec3_dot(impulse, collision->normal);
}

void scree_event_count_path(const struct scree_event *event, uint32_t body, const double position[3])
{
    struct scree_free_paths *paths = scree_world_free_paths(event->world);
    if (!paths || !event->lists.body[body].moves)
        return;
    const struct scree_vec3 from = scree_vec3_load(event->space.flight[body].position);
    ++paths->paths;
    paths->length += event->space.skew.present
                         ? scree_event_cell_path(event, body)
                         : scree_vec3_norm(scree_vec3_sub(scree_vec3_load(position), from));
}

static void fly_on(struct scree_event *event, const struct collision *collision, int s)
{
    double position[3], velocity[3];
    scree_vec3_store(collision->position[s], position);
    scree_vec3_store(collision->side[s].velocity, velocity);
    scree_event_count_path(event, collision->body[s], position);
    if (event->space.skew.present) {
        if (s == 1)
            scree_vec3_store(scree_vec3_sub(collision->side[1].velocity, collision->moving), velocity);
        scree_event_cell_land(event, collision->body[s]);
    }
    scree_event_take_off(event, collision->body[s], event->now, position, velocity);
    if (event->rigid.turns)
        scree_event_rigid_turn_off(event, collision->body[s], event->now, false);
}

// Tells the observer, `wall` being the row of the wall, or SIZE_MAX for none.
static void report(const struct scree_event *event, const struct collision *collision, size_t wall)
{
    struct scree_event_collision told = {.time = event->now};
    for (int s = 0; s < collision->bodies; ++s) {
        const struct scree_flight *flight = &event->space.flight[collision->body[s]];
        told.body[s].value = event->space.id[collision->body[s]];
        memcpy(told.position[s], flight->position, sizeof told.position[s]);
        memcpy(told.velocity[s], flight->velocity, sizeof told.velocity[s]);
    }
    if (collision->bodies == 1 && wall < SIZE_MAX)
        told.wall.value = scree_entity_ids(scree_world_entity(event->world, SCREE_ENTITY_WALL))[wall];
    scree_vec3_store(collision->normal, told.normal);
    scree_vec3_store(collision->impulse, told.impulse);
    event->observer(event->observer_user, &told);
}

// --- two bodies

// The displacement of the second body from the first at the start of their flights, and its velocity, as
// predictions compute them.
static void find_second(const struct scree_event *event, const struct collision *collision,
                        struct scree_vec3 *from, struct scree_vec3 *velocity)
{
    const struct scree_flight *a = &event->space.flight[collision->body[0]],
                              *b = &event->space.flight[collision->body[1]];
    double d[3], u[3];
    for (int k = 0; k < 3; ++k) {
        d[k] = scree_event_nearest(b->position[k] - a->position[k], event->space.period[k],
                                   event->space.inverse[k]);
        u[k] = b->velocity[k] - a->velocity[k];
    }
    if (event->space.skew.present)
        scree_event_skew_nearest(&event->space.skew, event->now, 0, d, u);
    *from = scree_vec3_load(d);
    *velocity = scree_vec3_load(u);
}

// After a collision two bodies do not approach, as predictions compute it: rounding may leave them a rest of
// it, with which they would collide again at once and for ever.
static void separate(struct scree_event *event, const struct collision *collision)
{
    struct scree_flight *flight = scree_world_flights(event->world);
    const struct scree_impulse_side *side = collision->side;
    const double mobility = side[0].mass_inverse + side[1].mass_inverse;
    for (double speed = 0;;) {
        struct scree_vec3 d, u;
        find_second(event, collision, &d, &u);
        if (!(scree_vec3_dot(d, u) < 0))
            return;
        speed = speed > 0 ? 2 * speed : rounding_of(side);
        const struct scree_vec3 along = scree_vec3_normalise(d);
        for (int s = 0; s < 2; ++s) {
            const double change = (s == 0 ? -1 : 1) * speed * side[s].mass_inverse / mobility;
            double *velocity = flight[collision->body[s]].velocity;
            scree_vec3_store(scree_vec3_add_scaled(scree_vec3_load(velocity), change, along), velocity);
        }
    }
}

// In a cell with cell vectors, moves the second body to its nearest image; d is the displacement of the
// first.
static void move_to_image(const struct scree_event *event, struct collision *collision, double d[3])
{
    double n[3], shift[3], velocity[3];
    scree_event_skew_periods(&event->space.skew, d, n);
    scree_event_skew_shift(&event->space.skew, n, event->now, shift, velocity);
    for (int k = 0; k < 3; ++k)
        d[k] -= shift[k];
    collision->moving = scree_vec3_load(velocity);
    collision->side[1].velocity = scree_vec3_add(collision->side[1].velocity, collision->moving);
}

void scree_event_collide_pair(struct scree_event *event, uint32_t first, uint32_t second)
{
    if (event->rigid.any && scree_event_rigid_concerns(event, first, second)) {
        scree_event_rigid_collide_pair(event, first, second);
        return;
    }
    const bool ordered = event->lists.body[first].id < event->lists.body[second].id;
    struct collision collision = {.bodies = 2};
    set_body(event, &collision, 0, ordered ? first : second);
    set_body(event, &collision, 1, ordered ? second : first);
    double d[3];
    scree_vec3_store(scree_vec3_sub(collision.position[0], collision.position[1]), d);
    for (int k = 0; k < 3; ++k)
        d[k] = scree_event_nearest(d[k], event->space.period[k], event->space.inverse[k]);
    if (event->space.skew.present)
        move_to_image(event, &collision, d);
    collision.normal = scree_vec3_normalise(scree_vec3_load(d));
    const double impulse = exchange(event, &collision);
    if (event->space.skew.present)
        scree_event_cell_collide(event, collision.impulse, scree_vec3_load(d), scree_vec3_load(d));
    ++scree_world_collisions(event->world)->pairs;
    scree_world_collisions(event->world)->virial +=
        impulse * (collision.side[0].radius + collision.side[1].radius);
    fly_on(event, &collision, 0);
    fly_on(event, &collision, 1);
    separate(event, &collision);
    if (event->observer)
        report(event, &collision, 0);
}

// --- collisions that are drawn

static struct collision drawn_collision(const struct scree_event *event,
                                        const struct scree_event_drawn *drawn)
{
    struct collision collision = {.bodies = 2, .drawn = true, .normal = drawn->normal};
    set_body(event, &collision, 0, drawn->body[0]);
    set_body(event, &collision, 1, drawn->body[1]);
    return collision;
}

void scree_event_collide_drawn(struct scree_event *event, const struct scree_event_drawn *drawn)
{
    struct collision collision = drawn_collision(event, drawn);
    struct scree_impulse_side *side = collision.side;
    if (event->space.skew.present) {
        collision.moving =
            scree_vec3_sub(scree_vec3_sub(side[0].velocity, side[1].velocity), drawn->relative);
        side[1].velocity = scree_vec3_add(side[1].velocity, collision.moving);
    }
    exchange(event, &collision);
    if (event->space.skew.present)
        scree_event_cell_collide(event, collision.impulse, drawn->apart,
                                 scree_vec3_scale(drawn->normal, side[0].radius + side[1].radius));
    ++scree_world_collisions(event->world)->pairs;
    scree_world_collisions(event->world)->virial += scree_vec3_dot(collision.impulse, drawn->apart);
    fly_on(event, &collision, 0);
    fly_on(event, &collision, 1);
    if (event->observer)
        report(event, &collision, 0);
}

// In a cell that deforms: the bodies of a cell exchange momentum through their fictitious partners, each at
// its own place. So the place of a body is enough: the sum of all impulses is 0.
static void enter_work_of_place(struct scree_event *event, struct scree_vec3 place, struct scree_vec3 impulse,
                                struct scree_vec3 lever)
{
    if (event->space.skew.present)
        scree_event_cell_collide(event, impulse,
                                 scree_vec3_sub(place, scree_vec3_load(event->space.skew.corner)), lever);
}

double scree_event_collide_fictitious(struct scree_event *event, const struct scree_event_drawn *drawn)
{
    struct collision collision = drawn_collision(event, drawn);
    struct scree_impulse_side *side = collision.side;
    const uint32_t body = collision.body[0];
    side[1].velocity = scree_vec3_sub(side[0].velocity, drawn->relative);
    const struct scree_law_coefficients c = coefficients_of(event, &collision);
    for (int s = 0; s < 2; ++s)
        side[s].spin = scree_vec3_load(grain_of(event, &collision, s)->spin);
    const struct scree_vec3 spin = side[0].spin;
    const struct scree_impulse impulse = scree_impulse_between(collision.normal, side, c);
    scree_impulse_apply(collision.normal, impulse.vector, side);
    struct scree_losses *losses = &scree_world_losses(event->world)[body];
    losses->dashpot += 0.5 * impulse.dashpot;
    losses->friction += 0.5 * impulse.friction;
    if (c.friction != 0)
        scree_vec3_store(side[0].spin, grain_of(event, &collision, 0)->spin);
    ++scree_world_collisions(event->world)->pairs;
    const struct scree_vec3 lever = scree_vec3_scale(collision.normal, side[0].radius);
    enter_work_of_place(event, drawn->apart, impulse.vector, lever);
    fly_on(event, &collision, 0);
    collision.impulse = impulse.vector;
    collision.bodies = 1;
    if (event->observer)
        report(event, &collision, SIZE_MAX);
    // the moment that turns the body times its mean spin
    const double turned = -scree_vec3_dot(scree_vec3_cross(lever, impulse.vector),
                                          scree_vec3_scale(scree_vec3_add(spin, side[0].spin), 0.5));
    // a spin that is prescribed stays, and what keeps it takes up the energy
    if (side[0].spin_inverse == 0)
        scree_world_wrenches(event->world)[body].work -= turned;
    return turned + 0.5 * (impulse.dashpot + impulse.friction);
}

void scree_event_push(struct scree_event *event, const struct scree_event_occupant *body,
                      struct scree_vec3 change)
{
    struct collision collision = {.bodies = 1};
    set_body(event, &collision, 0, body->body);
    collision.side[0].velocity = scree_vec3_add(collision.side[0].velocity, change);
    const struct scree_free_paths *paths = scree_world_free_paths(event->world);
    enter_work_of_place(event, body->position, scree_vec3_scale(change, body->mass), scree_vec3_zero());
    fly_on(event, &collision, 0);
    // the way counts, but not as one of its own
    if (paths)
        --scree_world_free_paths(event->world)->paths;
}

// --- walls

// Collides with virtual walls until the body leaves the rough one.
static void exchange_with_rough(struct scree_event *event, struct collision *collision,
                                const struct scree_wall_roughness *roughness)
{
    const struct scree_rough_wall rough = scree_rough_wall_make(roughness, event->world->dimension);
    const struct scree_vec3 normal = collision->normal;
    struct scree_rough_wall_draw draw = {.id = event->space.id[collision->body[0]],
                                         .event = scree_real_bits(event->now)};
    for (; draw.rebound < SCREE_ROUGH_WALL_REBOUNDS; ++draw.rebound) {
        const struct scree_vec3 velocity =
            scree_vec3_sub(collision->side[0].velocity, collision->side[1].velocity);
        if (scree_vec3_dot(velocity, normal) >= 0)
            break;
        collision->normal = scree_rough_wall_normal(&rough, normal, velocity, draw);
        exchange(event, collision);
    }
    collision->normal = normal;
}

// Collides with a wall of which the normal and the velocity are known, and begins a new flight.
static void collide_wall(struct scree_event *event, struct collision *collision, uint32_t row)
{
    const struct scree_wall_roughness *rough = scree_wall_rough(event->world, row);
    collision->material[1] = scree_wall_row(event->world, row)->material;
    if (rough)
        exchange_with_rough(event, collision, rough);
    else
        exchange(event, collision);
    ++scree_world_collisions(event->world)->walls;
}

struct scree_vec3 scree_event_wall_velocity(const struct scree_event *event, uint32_t number,
                                            struct scree_vec3 point, struct scree_vec3 normal)
{
    const struct scree_event_surface *surface = &event->walls.surface.data[number];
    const struct scree_wall *wall = scree_wall_row(event->world, surface->wall);
    struct scree_wall_touch_motion motion;
    scree_wall_motion_mid_step(event->world, wall, 0, point, normal, &motion);
    // at this time, and with the motion of the surface along itself in this step
    return scree_vec3_add(scree_vec3_sub(motion.velocity, scree_vec3_load(wall->velocity)),
                          scree_event_walls_velocity(&event->walls, surface, event->now));
}

// The rate at which a body leaves a surface after a collision, as predictions compute it.
static double rate_after(const struct scree_event *event, const struct collision *collision,
                         const struct scree_event_surface *surface)
{
    const struct scree_impulse_side *side = collision->side;
    if (!surface->has_course)
        return scree_vec3_dot(scree_vec3_sub(side[0].velocity, side[1].velocity), collision->normal);
    const uint32_t body = collision->body[0];
    const double *gravity = scree_event_gravity(event, body);
    struct scree_flight flight = {.time = event->now};
    double rate;
    scree_vec3_store(side[0].velocity, flight.velocity);
    const struct scree_event_fall fall = scree_event_walls_fall(&event->walls, surface, &flight, gravity, 0);
    scree_event_fall_gap(&fall, event->now, &rate);
    return rate;
}

static void collide_plane(struct scree_event *event, struct collision *collision, uint32_t number)
{
    const struct scree_event_surface *surface = &event->walls.surface.data[number];
    struct scree_impulse_side *side = collision->side;
    collision->normal = scree_vec3_load(surface->normal);
    const struct scree_vec3 point =
        scree_vec3_add_scaled(collision->position[0], -side[0].radius, collision->normal);
    side[1].velocity = scree_event_wall_velocity(event, number, point, collision->normal);
    collide_wall(event, collision, surface->wall);
    // as for two bodies
    double speed = rounding_of(side);
    for (; rate_after(event, collision, surface) < 0; speed *= 2)
        side[0].velocity = scree_vec3_add_scaled(side[0].velocity, speed, collision->normal);
    fly_on(event, collision, 0);
}

// The flight that a body begins now, in the cell, where the walls are.
static struct scree_event_path path_of(const struct scree_event *event, const struct collision *collision)
{
    const struct scree_cell *cell = scree_world_cell(event->world);
    const uint32_t body = collision->body[0];
    struct scree_event_path path = {event->space.flight[body], scree_event_gravity(event, body)};
    double *x = path.flight.position;
    path.flight.time = event->now;
    scree_vec3_store(collision->position[0], x);
    scree_vec3_store(collision->side[0].velocity, path.flight.velocity);
    for (int k = 0; k < 3; ++k) {
        int64_t turns = 0;
        if (cell->period[k] > 0 && !(x[k] >= cell->lower[k] && x[k] < cell->upper[k]))
            scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &x[k], &turns);
    }
    return path;
}

// Prepares a collision with a wall of a piston.
static void meet_piston(const struct scree_event *event, struct collision *collision, uint32_t body)
{
    if (body == UINT32_MAX || !scree_event_is_piston(event, body))
        return;
    collision->piston = scree_event_piston_of(&event->pistons, body);
    collision->side[1].mass_inverse = scree_event_piston_mobility(collision->piston, collision->normal);
}

// Begins a new flight of a piston.
static void move_piston(struct scree_event *event, const struct collision *collision)
{
    double position[3], velocity[3];
    const struct scree_event_piston *piston = collision->piston;
    scree_event_position(&event->space.flight[piston->body], piston->fall, event->now, position);
    scree_vec3_store(collision->side[1].velocity, velocity);
    scree_event_piston_land(piston, event->world, &event->space.flight[piston->body], event->now);
    scree_event_take_off(event, piston->body, event->now, position, velocity);
}

static void collide_shape(struct scree_event *event, struct collision *collision, uint32_t surface)
{
    const struct scree_event_shapes *shapes = &event->walls.shapes;
    struct scree_impulse_side *side = collision->side;
    struct scree_event_path path = path_of(event, collision);
    struct scree_event_near touch = scree_event_shapes_look(shapes, surface, &path, event->now);
    collision->normal = touch.normal;
    const struct scree_vec3 point =
        scree_vec3_add_scaled(scree_vec3_load(path.flight.position), -side[0].radius, touch.normal);
    side[1].velocity =
        scree_event_shapes_velocity(shapes, event->world, surface, point, touch.normal, event->now);
    meet_piston(event, collision, scree_event_shapes_of(shapes, surface)->carrier);
    collide_wall(event, collision, scree_event_shapes_of(shapes, surface)->row);
    if (collision->piston)
        move_piston(event, collision);
    // as for two bodies
    double speed = rounding_of(side);
    for (;; speed *= 2) {
        scree_vec3_store(side[0].velocity, path.flight.velocity);
        touch = scree_event_shapes_look(shapes, surface, &path, event->now);
        // on an axis the other side may be next
        if (!(touch.speed < 0) || scree_vec3_dot(touch.normal, collision->normal) < 1 - 1e-9)
            break;
        side[0].velocity = scree_vec3_add_scaled(side[0].velocity, speed, collision->normal);
    }
    fly_on(event, collision, 0);
    if (collision->piston)
        scree_event_meet_carrier(event, collision->piston->body);
}

void scree_event_collide_wall(struct scree_event *event, uint32_t body, uint32_t number)
{
    if (event->rigid.any && scree_event_rigid_concerns(event, body, body)) {
        scree_event_rigid_collide_wall(event, body, number);
        return;
    }
    const uint32_t row = scree_event_walls_row(&event->walls, number);
    struct collision collision = {.bodies = 1};
    set_body(event, &collision, 0, body);
    if (number < event->walls.surface.count)
        collide_plane(event, &collision, number);
    else
        collide_shape(event, &collision, number);
    if (event->observer)
        report(event, &collision, row);
}
