// Collisions with walls that are no planes, see shapes.h.

#include "event/shapes.h"

#include "event/advance.h"
#include "event/delay.h"
#include "event/piston.h"
#include "event/predict.h"
#include "math/quat.h"
#include "math/real.h"
#include "mesh/tree.h"
#include "shape/nearest.h"
#include "world/wall.h"
#include "world/wall_body.h"

#include <math.h>
#include <string.h>

// A contact of a facet that belongs to its neighbour is passed over, up to this depth, of the radius.
#define PASSED 1e-9

// How deep a body may sink, of the radius, while nothing is known of whether it parts from what it touches.
#define ALLOWED SCREE_EVENT_ADVANCE_ALLOWED

// A search ends after so many steps beyond the present time, and twice those up to it, which are taken again
// each time. After some first steps it begins anew after each so many periods of a wall that vibrates, or
// after the time that these steps took.
enum { STEPS = 20000, FIRST = 1000, PERIODS = 2 };

// --- walls

// Whether the wall is the same whatever the angle by which it turns; its pivot may be anywhere on its axis.
static bool turns_onto_itself(const struct scree_wall *wall)
{
    const struct scree_vec3 spin = scree_vec3_load(wall->spin), axis = scree_vec3_load(wall->axes[2]);
    const struct scree_vec3 arm =
        scree_vec3_sub(scree_vec3_load(wall->reference), scree_vec3_load(wall->pivot));
    const double tilt = scree_vec3_norm(scree_vec3_cross(spin, axis)), size = scree_vec3_norm(spin);
    const double off = scree_vec3_norm(scree_vec3_cross(spin, arm));
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        return tilt <= 1e-12 * size;
    case SCREE_WALL_SPHERE:
        return off <= 1e-12 * size * wall->size[0];
    case SCREE_WALL_DISK:
    case SCREE_WALL_CYLINDER:
    case SCREE_WALL_CONE:
        return tilt <= 1e-12 * size && off <= 1e-12 * size * wall->size[0];
    default:
        return false;
    }
}

// Puts the wall of a body that does not turn where it is when the body is at the origin.
static void carry(struct scree_event_shape *shape, const struct scree_world *world, uint32_t body)
{
    struct scree_wall *wall = &shape->wall;
    double fall[3];
    const struct scree_quat q = scree_quat_load(wall->orientation);
    scree_vec3_store(scree_quat_rotate(q, scree_vec3_load(wall->offset)), wall->reference);
    memset(wall->pivot, 0, sizeof wall->pivot);
    shape->carrier = body;
    scree_event_piston_fall(world, body, fall, NULL);
    shape->fall = scree_vec3_load(fall);
}

scree_status scree_event_shapes_add(struct scree_event_shapes *shapes, const struct scree_world *world,
                                    size_t row, uint32_t first)
{
    const struct scree_wall *wall = scree_wall_row(world, row);
    const struct scree_wall_motion motion = scree_wall_motion_now(wall);
    struct scree_event_shape shape = {
        .row = (uint32_t)row, .first = first, .count = 1, .wall = *wall, .carrier = UINT32_MAX};
    uint32_t body;
    if (wall->shape == SCREE_WALL_MESH || scree_nearest_kind(wall) == SCREE_NEAREST_FACE)
        shape.count = (uint32_t)scree_wall_features(wall);
    if (scree_wall_follows(wall) && scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool,
                                                    scree_wall_body_of(world, row), &body)) {
        carry(&shape, world, body);
        return scree_array_push(&shapes->shape, shape);
    }
    shape.velocity = scree_vec3_load(motion.velocity);
    shape.spin = scree_vec3_load(motion.spin);
    const bool spins = scree_vec3_norm_squared(shape.spin) > 0;
    shape.has_course = scree_event_course_of(world, row, &shape.course);
    if (shape.has_course)
        shape.wall = scree_event_course_wall(wall, &shape.course);
    const bool by_step = wall->by_function != 0 && !shape.has_course;
    shape.turns = (spins || by_step) && !turns_onto_itself(wall);
    // where it is changes by rounding even if it turns onto itself
    shape.moves = spins || by_step || (!shape.has_course && scree_vec3_norm_squared(shape.velocity) > 0);
    shapes->any_moves = shapes->any_moves || shape.moves;
    return scree_array_push(&shapes->shape, shape);
}

void scree_event_shapes_accelerate(struct scree_event_shapes *shapes, const struct scree_world *world)
{
    const double step = shapes->end - shapes->start;
    for (size_t s = 0; s < shapes->shape.count; ++s) {
        struct scree_event_shape *shape = &shapes->shape.data[s];
        const struct scree_wall *wall = scree_wall_row(world, shape->row);
        if (!wall->by_function || shape->has_course || shape->carrier != UINT32_MAX || !(step > 0))
            continue;
        const struct scree_vec3 change = scree_vec3_sub(scree_vec3_load(wall->velocity), shape->velocity);
        shape->acceleration = scree_vec3_scale(change, 2 / step);
        // the orientation is that of the middle's spin at the end of the step
        shape->spin = scree_vec3_load(wall->spin);
        shape->turns = scree_vec3_norm_squared(shape->spin) > 0 && !turns_onto_itself(wall);
    }
}

const struct scree_event_shape *scree_event_shapes_of(const struct scree_event_shapes *shapes,
                                                      uint32_t surface)
{
    size_t low = 0, high = shapes->shape.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (shapes->shape.data[middle].first <= surface)
            low = middle;
        else
            high = middle;
    }
    return &shapes->shape.data[low];
}

// --- the gap

// Displacement of the pivot since the start of the step or the course, its velocity and acceleration, and the
// rotation.
struct moved {
    struct scree_vec3 displacement, velocity, acceleration;
    struct scree_quat turn;
};

static struct moved move(const struct scree_event_shapes *shapes, const struct scree_event_shape *shape,
                         double time)
{
    struct moved moved = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0, 0}};
    if (shape->carrier != UINT32_MAX) {
        double position[3], velocity[3], fall[3];
        scree_vec3_store(shape->fall, fall);
        scree_event_position(&shapes->flight[shape->carrier], fall, time, position);
        scree_event_velocity(&shapes->flight[shape->carrier], fall, time, velocity);
        moved.displacement = scree_vec3_load(position);
        moved.velocity = scree_vec3_load(velocity);
        moved.acceleration = shape->fall;
    }
    const double since = time - shapes->start;
    if (shape->has_course) {
        const struct scree_event_coursed coursed = scree_event_course_at(&shape->course, time);
        moved.displacement = coursed.displacement;
        moved.velocity = coursed.velocity;
        moved.acceleration = coursed.acceleration;
    } else if (shape->moves) {
        const struct scree_vec3 change = scree_vec3_scale(shape->acceleration, since);
        moved.displacement = scree_vec3_scale(scree_vec3_add_scaled(shape->velocity, 0.5, change), since);
        moved.velocity = scree_vec3_add(shape->velocity, change);
        moved.acceleration = shape->acceleration;
    }
    if (shape->turns)
        moved.turn = scree_quat_exp(scree_vec3_scale(shape->spin, since));
    return moved;
}

// Centre, velocity and acceleration of a body relative to a wall, in axes that turn with it, which are the
// world's at the start of the step.
struct relative {
    struct scree_vec3 position, rate, change;
    struct scree_vec3 swung, shaken; // velocity and acceleration of the vibration of a wall that has a course
    double straight[3];
};

static struct relative relative_to(const struct scree_event_shapes *shapes,
                                   const struct scree_event_shape *shape, const struct scree_event_path *path,
                                   double time)
{
    const struct moved moved = move(shapes, shape, time);
    double position[3], velocity[3];
    scree_event_position(&path->flight, path->gravity, time, position);
    scree_event_velocity(&path->flight, path->gravity, time, velocity);
    const struct scree_vec3 fall = path->gravity ? scree_vec3_load(path->gravity) : scree_vec3_zero();
    struct relative body = {
        .position = scree_vec3_sub(scree_vec3_load(position), moved.displacement),
        .rate = scree_vec3_sub(scree_vec3_load(velocity), moved.velocity),
        .change = scree_vec3_sub(fall, moved.acceleration),
    };
    if (shape->has_course) {
        body.swung = scree_vec3_sub(moved.velocity, scree_vec3_load(shape->course.course.velocity));
        body.shaken = moved.acceleration;
    }
    if (!shape->turns)
        return body;
    const struct scree_vec3 pivot = scree_vec3_load(shape->wall.pivot), spin = shape->spin;
    const struct scree_vec3 u = scree_vec3_sub(body.position, pivot), u1 = body.rate, u2 = body.change;
    const struct scree_vec3 swept = scree_vec3_cross(spin, u);
    const struct scree_vec3 rate = scree_vec3_sub(u1, swept);
    // x'' = u'' - 2 w x u' + w x (w x u), turned back
    const struct scree_vec3 change = scree_vec3_add(scree_vec3_add_scaled(u2, -2, scree_vec3_cross(spin, u1)),
                                                    scree_vec3_cross(spin, swept));
    body.straight[0] = scree_vec3_norm(u);
    body.straight[1] = scree_vec3_norm(u1);
    body.straight[2] = scree_vec3_norm(u2);
    if (shape->has_course)
        body.straight[2] = scree_vec3_norm(fall) + scree_event_course_force(&shape->course.course);
    body.position = scree_vec3_add(pivot, scree_quat_rotate_inverse(moved.turn, u));
    body.rate = scree_quat_rotate_inverse(moved.turn, rate);
    body.change = scree_quat_rotate_inverse(moved.turn, change);
    return body;
}

// On the axis, or in the centre, all directions out are at the same distance: the normal is that against the
// motion across. `v` is this motion in the axes of the wall.
static void look_from_axis(const struct scree_wall *wall, enum scree_nearest_kind kind,
                           struct scree_nearest nearest, struct scree_vec3 v, struct scree_event_near *touch)
{
    struct scree_vec3 *n = &nearest.normal;
    const double along = kind == SCREE_NEAREST_ROUND ? n->z : 0, across = 1 - along * along;
    touch->inward = across > 0 ? sqrt(across) : 0;
    if (!(touch->inward > 0 && touch->across > 0))
        return;
    *n = scree_vec3_scale(v, -touch->inward / touch->across);
    n->z += along;
    touch->normal = scree_nearest_normal(wall, &nearest);
}

// Distance, normal in the axes of the start of the step, and bend.
static void look_at_shape(const struct scree_event_shape *shape, uint32_t face, const struct relative *body,
                          struct scree_event_near *touch)
{
    const struct scree_wall *wall = &shape->wall;
    const enum scree_nearest_kind kind = scree_nearest_kind(wall);
    const struct scree_nearest nearest = scree_nearest_find(kind, wall, face, body->position);
    struct scree_vec3 p = scree_nearest_to_local(wall, body->position), v = body->rate;
    touch->gap = nearest.gap;
    touch->normal = scree_nearest_normal(wall, &nearest);
    v = scree_vec3_make(scree_vec3_dot(v, scree_vec3_load(wall->axes[0])),
                        scree_vec3_dot(v, scree_vec3_load(wall->axes[1])),
                        scree_vec3_dot(v, scree_vec3_load(wall->axes[2])));
    if (kind == SCREE_NEAREST_ROUND)
        p.z = v.z = 0;
    else if (kind != SCREE_NEAREST_SPHERE || wall->side != SCREE_WALL_INSIDE)
        return;
    touch->out = scree_vec3_norm(p);
    touch->across = scree_vec3_norm(v);
    if (!(touch->out > 0)) {
        look_from_axis(wall, kind, nearest, v, touch);
        return;
    }
    const double inward = -scree_vec3_dot(nearest.normal, p);
    if (!(inward > 0))
        return;
    touch->inward = inward / touch->out;
    touch->around = scree_vec3_norm(scree_vec3_cross(p, v)) / touch->out;
}

static void look_at_facet(const struct scree_event_shape *shape, uint32_t facet, const struct relative *body,
                          struct scree_event_near *touch)
{
    const struct scree_mesh_surface *surface = shape->wall.surface;
    const struct scree_vec3 p = scree_nearest_to_local(&shape->wall, body->position);
    const struct scree_mesh_gap gap =
        scree_mesh_region_gap(surface, facet, scree_mesh_nearest_region(surface, facet, p), p);
    const struct scree_nearest nearest = {gap.gap, gap.normal};
    touch->gap = gap.gap;
    touch->normal = scree_nearest_normal(&shape->wall, &nearest);
}

// The motion towards the tangent plane, which vibrates with the wall: from its mean place in the direction of
// the normal it is displaced by a sin(w t + p) = -a'' / w^2.
static void look_at_plane(const struct scree_wall_course *course, const struct relative *body,
                          struct scree_event_near *touch)
{
    const double rate = course->rate,
                 swing = scree_vec3_dot(scree_vec3_load(course->amplitude), touch->normal);
    const double shaken = scree_vec3_dot(body->shaken, touch->normal);
    touch->jerk = scree_event_course_jerk(course);
    touch->falling = (struct scree_event_falling){
        .gap = touch->gap, .speed = touch->speed, .acceleration = touch->pull, .swing = swing};
    touch->falling.angular = rate;
    touch->falling.mean = touch->gap - shaken / (rate * rate);
    touch->falling.pull = touch->pull + shaken;
    touch->falling.rate = touch->speed + scree_vec3_dot(body->swung, touch->normal);
    touch->sway = 2 * scree_vec3_norm(scree_vec3_load(course->amplitude));
    touch->calm[0] = scree_vec3_norm(scree_vec3_add(body->rate, body->swung));
    touch->calm[1] = scree_vec3_norm(scree_vec3_add(body->change, body->shaken));
}

// The normal is in the axes of the start of the step.
static struct scree_event_near look(const struct scree_event_shapes *shapes,
                                    const struct scree_event_shape *shape, uint32_t surface,
                                    const struct scree_event_path *path, double time)
{
    const struct relative body = relative_to(shapes, shape, path, time);
    struct scree_event_near touch = {.rate = scree_vec3_norm(body.rate),
                                     .change = scree_vec3_norm(body.change)};
    if (shape->wall.shape == SCREE_WALL_MESH)
        look_at_facet(shape, surface - shape->first, &body, &touch);
    else
        look_at_shape(shape, surface - shape->first, &body, &touch);
    touch.gap -= path->flight.radius;
    touch.speed = scree_vec3_dot(touch.normal, body.rate);
    touch.pull = scree_vec3_dot(touch.normal, body.change);
    memcpy(touch.straight, body.straight, sizeof touch.straight);
    if (shape->has_course && shape->course.course.rate > 0)
        look_at_plane(&shape->course.course, &body, &touch);
    return touch;
}

struct scree_event_near scree_event_shapes_look(const struct scree_event_shapes *shapes, uint32_t surface,
                                                const struct scree_event_path *path, double time)
{
    const struct scree_event_shape *shape = scree_event_shapes_of(shapes, surface);
    struct scree_event_near touch = look(shapes, shape, surface, path, time);
    if (shape->turns)
        touch.normal = scree_quat_rotate(move(shapes, shape, time).turn, touch.normal);
    return touch;
}

struct scree_vec3 scree_event_shapes_velocity(const struct scree_event_shapes *shapes,
                                              const struct scree_world *world, uint32_t surface,
                                              struct scree_vec3 point, struct scree_vec3 normal, double time)
{
    const struct scree_event_shape *shape = scree_event_shapes_of(shapes, surface);
    const struct moved moved = move(shapes, shape, time);
    const struct scree_vec3 pivot = scree_vec3_load(shape->wall.pivot);
    const struct scree_vec3 arm = scree_vec3_sub(scree_vec3_sub(point, moved.displacement), pivot);
    // the surface moves along itself by what the wall says at the start of the step
    const struct scree_vec3 place = scree_vec3_add(pivot, scree_quat_rotate_inverse(moved.turn, arm));
    struct scree_wall_touch_motion motion;
    scree_wall_motion_mid_step(world, &shape->wall, 0, place, scree_quat_rotate_inverse(moved.turn, normal),
                               &motion);
    const struct scree_vec3 along = scree_vec3_sub(motion.velocity, scree_wall_velocity(&shape->wall, place));
    return scree_vec3_add(scree_vec3_add(moved.velocity, scree_vec3_cross(shape->spin, arm)),
                          scree_quat_rotate(moved.turn, along));
}

// --- the time

// A bound on |x'''| for delays up to `longest`, beside that of a vibration: with u from the pivot, in axes
// that do not turn, it is at most 3 w |u''| + 3 w^2 |u'| + w^3 |u|.
static double jerk_within(const struct scree_event_near *touch, double spin, double longest)
{
    const double *u = touch->straight;
    const double rate = u[1] + longest * u[2], arm = u[0] + longest * (u[1] + 0.5 * longest * u[2]);
    return touch->jerk + spin * (3 * u[2] + spin * (3 * rate + spin * arm));
}

// A bound on |x''|.
static double change_within(const struct scree_event_near *touch, double spin, double longest)
{
    return spin > 0 || touch->jerk > 0 ? touch->change + longest * jerk_within(touch, spin, longest)
                                       : touch->change;
}

// The second derivative of the parabola below the gap.
static double curve(const struct scree_event_near *touch, double spin, double longest)
{
    const bool varies = spin > 0 || touch->jerk > 0;
    const double pull = varies ? touch->pull - longest / 3 * jerk_within(touch, spin, longest) : touch->pull;
    if (!(touch->inward > 0))
        return pull;
    // from the axis nothing bends the way out but the acceleration
    if (!(touch->out > 0))
        return -change_within(touch, spin, longest);
    const double more = 0.5 * longest * change_within(touch, spin, longest);
    const double across = touch->across + more, around = touch->around + more;
    const double left = touch->out - across * longest;
    double bend = across * across / touch->out;
    if (left > 0 && around * around < bend * left)
        bend = around * around / left;
    return pull - touch->inward * bend;
}

// The least delay in which a body can go a way, if it is not above `longest`; 0 if it does not move.
static double time_of_way(const struct scree_event_near *touch, double way, double spin, double longest)
{
    const double change = change_within(touch, spin, longest);
    const double root = touch->rate + sqrt(touch->rate * touch->rate + 2 * change * way);
    return root > 0 ? 2 * way / root : 0;
}

// A delay in which the gap does not close, from the axis of a wall, or the centre.
static double delay_on_axis(const struct scree_event_near *touch, double gap, double spin, double left)
{
    const bool varies = spin > 0 || touch->jerk > 0;
    const double longest = touch->jerk > 0 ? 1 / touch->falling.angular : left;
    const double delay = scree_event_delay(gap, touch->speed, curve(touch, spin, varies ? longest : 0));
    return varies && longest < delay ? longest : delay;
}

// The longest delay for which bounds are asked: a radian of a vibration, the time to the end of the step at a
// wall that turns, and the time to the axis, after which the motion is another. Infinite without these.
static double longest_bound(const struct scree_event_near *touch, double gap, double spin, double left)
{
    double longest = touch->jerk > 0 ? 1 / touch->falling.angular : (double)INFINITY;
    if (spin > 0 && left < longest)
        longest = left;
    if (touch->inward > 0 && touch->out > 0 && touch->rate + touch->change > 0) {
        const double centre = (touch->out + gap) / (touch->rate + sqrt(touch->change * (touch->out + gap)));
        longest = centre < longest ? centre : longest;
    }
    return longest;
}

// A delay in which the gap does not close, from a gap that is not negative; infinite if it never does.
// `left` is the time to the end of the step, for a wall that turns.
static double delay_nearby(const struct scree_event_near *touch, double gap, double spin, double left)
{
    if (touch->inward > 0 && !(touch->out > 0))
        return delay_on_axis(touch, gap, spin, left);
    double longest = scree_event_delay(gap, touch->speed, curve(touch, spin, 0));
    if (!(touch->inward > 0) && spin == 0)
        return touch->jerk > 0 ? scree_event_fall_way(&touch->falling, gap) : longest;
    const double known = longest_bound(touch, gap, spin, left);
    longest = longest < known ? longest : known;
    if (!(longest < (double)INFINITY))
        return longest;
    double second = scree_event_delay(gap, touch->speed, curve(touch, spin, longest));
    // a bound for a delay that is far too long promises little
    for (int k = 0; k < 8 && second > 0 && second < 1e-3 * longest; ++k) {
        longest = sqrt(second * longest);
        const double delay = scree_event_delay(gap, touch->speed, curve(touch, spin, longest));
        second = delay < second ? second : delay < longest ? delay : longest;
    }
    // and the gap does not close before the body has gone as far
    const double first = time_of_way(touch, gap, spin, longest), best = second > first ? second : first;
    return best < longest ? best : longest;
}

// The same; to a wall that vibrates also that in which a body far away does not get to where the wall may be.
static double safe_delay(const struct scree_event_near *touch, double gap, double spin, double left)
{
    const double delay = delay_nearby(touch, gap, spin, left), way = gap - touch->sway;
    if (!(touch->jerk > 0 && spin == 0 && way > 0))
        return delay;
    const double root = touch->calm[0] + sqrt(touch->calm[0] * touch->calm[0] + 2 * touch->calm[1] * way);
    const double far = root > 0 ? 2 * way / root : (double)INFINITY;
    return far > delay ? far : delay;
}

// How long a body that touches a surface, and does not approach it, is left alone: until it may have sunk by
// a depth. It is not negative, and 0 if that is unknown.
static double pause_at_touch(const struct scree_event_near *touch, double depth, double spin, double left)
{
    double longest = longest_bound(touch, 0, spin, left);
    if (!(longest < (double)INFINITY))
        return touch->change > 0 ? sqrt(2 * depth / touch->change) : 0;
    for (int k = 0; k < 200 && -curve(touch, spin, longest) * longest * longest > 2 * depth; ++k)
        longest *= 0.5;
    return longest;
}

// Whether a contact of a facet is one of its neighbour.
static bool is_of_neighbour(const struct scree_event_shapes *shapes, const struct scree_event_shape *shape,
                            uint32_t surface, const struct scree_event_path *path, double time)
{
    if (shape->wall.shape != SCREE_WALL_MESH)
        return false;
    const struct relative body = relative_to(shapes, shape, path, time);
    return scree_mesh_contact_region(shape->wall.surface, surface - shape->first,
                                     scree_nearest_to_local(&shape->wall, body.position)) ==
           SCREE_MESH_NO_CONTACT;
}

// Of the gap to a wall with a course, a few units in the last place of its parts: see fall.h.
static double rounding_of(const struct scree_wall_course *course, const struct scree_event_path *path,
                          double time)
{
    const double phase = fabs(course->rate * time + course->phase);
    return 0x1p-51 * (scree_vec3_norm(scree_vec3_load(path->flight.position)) + path->flight.radius +
                      scree_vec3_norm(scree_vec3_load(course->place)) +
                      fabs(time - course->time) * scree_vec3_norm(scree_vec3_load(course->velocity)) +
                      scree_vec3_norm(scree_vec3_load(course->amplitude)) * (2 + phase));
}

// What does not change while one looks for one collision.
struct search {
    const struct scree_event_shapes *shapes;
    const struct scree_event_shape *shape;
    const struct scree_event_path *path;
    uint32_t surface;
    double spin, passed; // of the wall; the depth to which contacts of neighbours are passed over
};

// The delay until the next look from a gap, less `deep` if that is below 0; 0 for a collision now, infinite
// if there is none any more.
static double delay_until_look(const struct search *search, const struct scree_event_near *touch, double deep,
                               double time)
{
    const double gap = touch->gap > deep ? touch->gap - deep : 0, left = search->shapes->end - time;
    if (gap <= 0 && touch->speed < 0) {
        const bool is_hit =
            touch->gap < deep - 0.5 * search->passed ||
            !is_of_neighbour(search->shapes, search->shape, search->surface, search->path, time);
        return is_hit ? 0 : search->passed / -touch->speed;
    }
    if (search->spin > 0 && !(left > 0))
        return (double)INFINITY;
    const double delay = safe_delay(touch, gap, search->spin, left), radius = search->path->flight.radius;
    // approaches, or is pressed by more than rounding: it collides once the time cannot tell when
    const double bend = touch->out > 0 ? touch->rate * touch->rate / touch->out : 0;
    const bool presses =
        touch->speed < 0 || curve(touch, search->spin, 0) < -0x1p-45 * (touch->change + bend);
    if (presses)
        return time + delay > time ? delay : 0;
    const double pause =
        gap > ALLOWED * radius ? 0 : pause_at_touch(touch, ALLOWED * radius, search->spin, left);
    const double longer = delay > pause ? delay : pause;
    return time + longer > time ? longer : scree_event_advance_least(time);
}

struct scree_event_wall_hit scree_event_shapes_time(const struct scree_event_shapes *shapes, uint32_t surface,
                                                    const struct scree_event_path *path, double from,
                                                    double now, double until)
{
    const struct scree_event_wall_hit none = {(double)INFINITY, SCREE_EVENT_NONE};
    const struct scree_event_shape *shape = scree_event_shapes_of(shapes, surface);
    const struct search search = {.shapes = shapes,
                                  .shape = shape,
                                  .path = path,
                                  .surface = surface,
                                  .spin = shape->turns ? scree_vec3_norm(shape->spin) : 0,
                                  .passed = PASSED * path->flight.radius};
    const double last = shape->moves && shapes->end < until ? shapes->end : until;
    const double rounding = shape->has_course ? rounding_of(&shape->course.course, path, from) : 0;
    const double rate = shape->has_course ? shape->course.course.rate : 0;
    struct scree_event_advance anew = {.window = (double)INFINITY, .now = now};
    double turn = 0, time = from, deep = 0;
    bool begins = true;
    for (uint64_t step = 0, passed = 0; step < STEPS + 3 * passed; ++step) {
        if (step == FIRST) {
            anew.start = time;
            anew.window = rate > 0 ? PERIODS * 2 * SCREE_PI / rate : time - from;
            time = scree_event_advance_from(&anew, &turn);
            begins = true;
        }
        passed = time > now ? passed : step;
        const struct scree_event_near touch = look(shapes, shape, surface, path, time);
        if (begins)
            deep = touch.gap <= rounding ? touch.gap + rounding : 0;
        // once it is outside, it is stopped there: otherwise many bounces sink
        if (touch.gap > 2 * rounding)
            deep = 0;
        const double delay = delay_until_look(&search, &touch, deep, time);
        if (!(delay < (double)INFINITY))
            return none;
        double next = time + delay;
        if (!(next > time))
            return (struct scree_event_wall_hit){time, surface};
        const double edge = anew.start + (turn + 1) * anew.window;
        begins = next >= edge && edge > time;
        turn += begins ? 1 : 0;
        next = begins ? edge : next;
        if (!(next <= last))
            return none;
        time = next;
    }
    return (struct scree_event_wall_hit){time, SCREE_EVENT_NONE};
}

double scree_event_shapes_safe_delay(const struct scree_event_near *touch, double gap)
{
    return delay_nearby(touch, gap, 0, 0);
}

bool scree_event_shapes_passes(const struct scree_event_shapes *shapes, uint32_t surface,
                               const struct scree_event_path *path, double time)
{
    return is_of_neighbour(shapes, scree_event_shapes_of(shapes, surface), surface, path, time);
}

// --- the search

void scree_event_shapes_near(const struct scree_event_shapes *shapes, const struct scree_event_shape *shape,
                             struct scree_vec3 point, double range, double time,
                             scree_event_shapes_visit *visit, void *user)
{
    if (shape->wall.shape != SCREE_WALL_MESH) {
        for (uint32_t face = 0; face < shape->count; ++face)
            visit(user, shape->first + face);
        return;
    }
    double reach = range;
    struct scree_vec3 at = point;
    if (shape->carrier != UINT32_MAX || shape->has_course)
        at = scree_vec3_sub(point, move(shapes, shape, time).displacement);
    if (shape->moves) {
        const double step = shapes->end - shapes->start;
        const double arm = scree_vec3_norm(scree_vec3_sub(at, scree_vec3_load(shape->wall.pivot)));
        const double shift = shape->has_course ? scree_event_course_way(&shape->course.course, step)
                                               : step * (scree_vec3_norm(shape->velocity) +
                                                         0.5 * step * scree_vec3_norm(shape->acceleration));
        reach += shift + step * scree_vec3_norm(shape->spin) * (arm + range + shift);
    }
    struct scree_mesh_query query;
    scree_mesh_query_begin(&query, shape->wall.surface, scree_nearest_to_local(&shape->wall, at), reach);
    for (uint32_t facet; scree_mesh_query_next(&query, &facet);)
        visit(user, shape->first + facet);
}
