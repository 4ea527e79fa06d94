// Contacts of rigid bodies with walls that are no planes, see rigid.h and shapes.h. A member is
// at each time a sphere at a surface, of which the distance and its bend are known; and its acceleration is
// bounded, by the rotation of its body, gravity, and the motion of the wall. Members meet walls, which have
// no periodic images, where they are in the cell; steps end at its faces, where the gap may jump.

#include "event/event.h"
#include "event/shapes.h"
#include "math/real.h"
#include "math/vec3.h"
#include "world/cell.h"

#include <math.h>

// looking begins anew after this angle, and is put off beyond so many of them; a contact of a facet that
// belongs to its neighbour is passed over, up to this depth, of the radius
static const double angle = 4, passed = 1e-9;
enum { WINDOWS = 8, PERIODS = 8 };

struct near {
    const struct scree_event *event;
    const struct scree_event_shape *shape;
    const struct scree_event_member *member;
    uint32_t body, number, surface;
    struct scree_event_contact *best;
    double end;
};

// A member at a time, as a flight that begins then, in the cell.
static struct scree_event_path path_at(const struct near *near, double time)
{
    const struct scree_event *event = near->event;
    const struct scree_flight *flight = &event->space.flight[near->body];
    const struct scree_cell *cell = scree_world_cell(event->world);
    const double *gravity = scree_event_gravity(event, near->body);
    struct scree_event_path path = {.flight = {.time = time, .radius = near->member->radius}};
    double *x = path.flight.position, arm[3], speed[3];
    const struct scree_event_turned turned =
        scree_event_rotation_at(&event->rigid.rotation[near->body], time);
    const struct scree_vec3 r = scree_quat_rotate(turned.orientation, near->member->offset);
    scree_vec3_store(r, arm);
    scree_vec3_store(scree_vec3_cross(turned.spin, r), speed);
    scree_event_position(flight, gravity, time, x);
    scree_event_velocity(flight, gravity, time, path.flight.velocity);
    for (int k = 0; k < 3; ++k) {
        int64_t turns = 0;
        x[k] += arm[k];
        path.flight.velocity[k] += speed[k];
        if (cell->period[k] > 0 && !(x[k] >= cell->lower[k] && x[k] < cell->upper[k]))
            scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &x[k], &turns);
    }
    return path;
}

// The member at the surface, with the largest acceleration that it can have up to the end of the step, if the
// wall moves, for the one that it has.
static struct scree_event_near touch_at(const struct near *near, const struct scree_event_path *path,
                                        double time)
{
    const struct scree_event *event = near->event;
    const struct scree_event_shapes *shapes = &event->walls.shapes;
    struct scree_event_near touch = scree_event_shapes_look(shapes, near->surface, path, time);
    double bend = event->rigid.rotation[near->body].bend * near->member->reach;
    const struct scree_vec3 fall =
        event->lists.body[near->body].moves ? scree_vec3_load(event->space.gravity) : scree_vec3_zero();
    if (near->shape->carrier != UINT32_MAX)
        bend += scree_vec3_norm(scree_vec3_sub(fall, near->shape->fall));
    else
        bend += scree_vec3_norm(fall);
    bend += near->shape->has_course ? scree_event_course_force(&near->shape->course.course)
                                    : scree_vec3_norm(near->shape->acceleration);
    if (near->shape->turns) {
        const double left = shapes->end > time ? shapes->end - time : 0;
        const double spin = scree_vec3_norm(near->shape->spin), *u = touch.straight;
        bend += spin * (2 * (u[1] + left * bend) + spin * (u[0] + left * (u[1] + 0.5 * left * bend)));
    }
    touch.change = bend;
    touch.pull = -bend;
    touch.jerk = 0;
    return touch;
}

// A time in which a member does not get over a face of the periodic cell, beyond which the walls near it are
// others; or, where it is at a face, one in which it goes so short a way that it may get over it.
static double way_to_face(const struct near *near, const struct scree_event_path *path)
{
    const struct scree_event *event = near->event;
    const struct scree_cell *cell = scree_world_cell(event->world);
    const double *x = path->flight.position, least = SCREE_EVENT_ADVANCE_ALLOWED * near->member->radius;
    double bend = event->rigid.rotation[near->body].bend * near->member->reach, way = (double)INFINITY;
    if (event->lists.body[near->body].moves)
        bend += scree_vec3_norm(scree_vec3_load(event->space.gravity));
    for (int k = 0; k < 3; ++k) {
        if (!(cell->period[k] > 0))
            continue;
        const double low = x[k] - cell->lower[k], high = cell->upper[k] - x[k],
                     left = low < high ? low : high;
        const double far = left > least ? left : least, speed = fabs(path->flight.velocity[k]);
        const double time = 2 * far / (speed + sqrt(speed * speed + 2 * bend * far));
        way = time < way ? time : way;
    }
    return way;
}

// The time for which there is certainly no contact, and the rate of the gap.
static double way_of(const void *self, double time, double *rate)
{
    const struct near *near = (const struct near *)self;
    const struct scree_event_path path = path_at(near, time);
    const struct scree_event_near touch = touch_at(near, &path, time);
    const double radius = near->member->radius;
    *rate = touch.speed;
    const bool touches = touch.gap <= SCREE_EVENT_ADVANCE_TOUCH * radius;
    if (touches && touch.speed < 0) {
        const bool is_passed =
            touch.gap >= -0.5 * passed * radius &&
            scree_event_shapes_passes(&near->event->walls.shapes, near->surface, &path, time);
        return is_passed ? passed * radius / -touch.speed : 0;
    }
    const double way = scree_event_shapes_safe_delay(&touch, touch.gap > 0 ? touch.gap : 0);
    // along a surface that bends inwards a straight path sinks too
    double sinks = touch.change;
    if (touch.inward > 0 && touch.out > 0)
        sinks += touch.inward * touch.across * touch.across / touch.out;
    const double pause = sinks > 0 ? scree_event_advance_pause(radius, sinks) : 0;
    const double longer = touches && way < pause ? pause : way, to_face = way_to_face(near, &path);
    return longer < to_face ? longer : to_face;
}

static void try_surface(void *user, uint32_t surface)
{
    struct near *near = (struct near *)user;
    const struct scree_event *event = near->event;
    const struct scree_event_shapes *shapes = &event->walls.shapes;
    const double start = event->space.flight[near->body].time, now = event->now;
    struct scree_event_contact *best = near->best;
    near->surface = surface;
    struct scree_event_advance advance = {.start = start, .now = now, .end = near->end};
    if (near->shape->moves && shapes->start > start)
        advance.start = shapes->start;
    else if (near->shape->has_course && near->shape->course.course.time > start)
        advance.start = near->shape->course.course.time;
    // a body that carries the wall
    if (near->shape->carrier != UINT32_MAX && event->space.flight[near->shape->carrier].time > start)
        advance.start = event->space.flight[near->shape->carrier].time;
    if (near->shape->moves && shapes->end < advance.end)
        advance.end = shapes->end;
    advance.window = angle / event->rigid.rotation[near->body].fastest;
    // beside a wall that vibrates a body that hardly moves is looked at several times in each period
    const double rate = near->shape->has_course ? near->shape->course.course.rate : 0;
    if (rate * advance.window > PERIODS * 2 * SCREE_PI)
        advance.window = PERIODS * 2 * SCREE_PI / rate;
    const double horizon = (now > advance.start ? now : advance.start) + WINDOWS * advance.window;
    if (horizon < advance.end) {
        advance.end = horizon;
        best->until = horizon < best->until ? horizon : best->until;
    }
    const double time = scree_event_advance_run(&advance, way_of, near);
    if (time < best->time || (time == best->time && time < (double)INFINITY && surface < best->surface)) {
        best->time = near->end = time;
        best->member[0] = near->number;
        best->surface = surface;
    }
}

// Calls `visit` for the surfaces of a shape that a member may reach while its body moves by `way` at most; in
// a periodic cell also where its images are that may get into the cell.
static void visit_near(struct near *near, double way, scree_event_shapes_visit *visit)
{
    const struct scree_event *event = near->event;
    const struct scree_cell *cell = scree_world_cell(event->world);
    const struct scree_event_path path = path_at(near, event->now);
    if (near->shape->has_course && !near->shape->moves && near->end > event->now)
        way += scree_event_course_way(&near->shape->course.course, near->end - event->now);
    const double range = 1.000001 * (near->member->radius + 2 * near->member->reach + way);
    int from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
    for (int k = 0; k < 3 && near->shape->wall.shape == SCREE_WALL_MESH; ++k) {
        const double x = path.flight.position[k];
        from[k] = cell->period[k] > 0 && x + range > cell->upper[k] ? -1 : 0;
        to[k] = cell->period[k] > 0 && x - range < cell->lower[k] ? 1 : 0;
    }
    for (int i = from[0]; i <= to[0]; ++i)
        for (int j = from[1]; j <= to[1]; ++j)
            for (int k = from[2]; k <= to[2]; ++k) {
                const struct scree_vec3 shift =
                    scree_vec3_make(i * cell->period[0], j * cell->period[1], k * cell->period[2]);
                scree_event_shapes_near(&event->walls.shapes, near->shape,
                                        scree_vec3_add(scree_vec3_load(path.flight.position), shift), range,
                                        event->now, visit, near);
            }
}

// Searches all shapes, or those that a body carries.
static void search(struct near *near, uint32_t carrier)
{
    const struct scree_event *event = near->event;
    const struct scree_event_rigid *rigid = &event->rigid;
    for (uint32_t m = rigid->first[near->body]; m < rigid->first[near->body + 1]; ++m)
        for (size_t s = 0; s < event->walls.shapes.shape.count; ++s) {
            near->shape = &event->walls.shapes.shape.data[s];
            near->member = &rigid->member.data[m];
            near->number = m;
            if ((carrier != UINT32_MAX && near->shape->carrier != carrier) ||
                scree_law_class_of(&event->classes, near->member->material, near->shape->wall.material) ==
                    SCREE_CONTACTS_NO_CLASS)
                continue;
            const double way = scree_event_way_of_shape(event, near->shape, near->end - event->now);
            visit_near(near, event->lists.margin + way, try_surface);
        }
}

void scree_event_rigid_shapes(const struct scree_event *event, uint32_t body,
                              struct scree_event_contact *best, double end)
{
    search(&(struct near){.event = event, .body = body, .best = best, .end = end}, UINT32_MAX);
}

bool scree_event_rigid_meets_carrier(const struct scree_event *event, uint32_t body, uint32_t carrier)
{
    struct scree_event_contact best = {.time = (double)INFINITY, .until = (double)INFINITY};
    if (scree_event_rigid_is_fixed(event, body))
        return false;
    search(&(struct near){.event = event, .body = body, .best = &best, .end = event->queue.time[0][body]},
           carrier);
    return best.time < (double)INFINITY || best.until < (double)INFINITY;
}

struct scree_event_contact scree_event_rigid_shape(const struct scree_event *event, uint32_t body,
                                                   uint32_t surface, double end)
{
    const struct scree_event_rigid *rigid = &event->rigid;
    struct scree_event_contact best = {.time = (double)INFINITY, .until = (double)INFINITY};
    struct near near = {.event = event, .body = body, .best = &best, .end = end};
    near.shape = scree_event_shapes_of(&event->walls.shapes, surface);
    for (uint32_t m = rigid->first[body]; m < rigid->first[body + 1]; ++m) {
        near.member = &rigid->member.data[m];
        near.number = m;
        if (scree_law_class_of(&event->classes, near.member->material, near.shape->wall.material) !=
            SCREE_CONTACTS_NO_CLASS)
            try_surface(&near, surface);
    }
    return best;
}

struct scree_event_near scree_event_rigid_at_shape(const struct scree_event *event, uint32_t body,
                                                   uint32_t member, uint32_t surface)
{
    const struct near near = {.event = event,
                              .shape = scree_event_shapes_of(&event->walls.shapes, surface),
                              .member = &event->rigid.member.data[member],
                              .body = body,
                              .surface = surface};
    const struct scree_event_path path = path_at(&near, event->now);
    return touch_at(&near, &path, event->now);
}

// --- overlaps

static void measure(void *user, uint32_t surface)
{
    struct near *near = (struct near *)user;
    near->surface = surface;
    const struct scree_event_path path = path_at(near, near->event->now);
    const double overlap = -touch_at(near, &path, near->event->now).gap / near->member->radius;
    near->end = overlap > near->end ? overlap : near->end;
}

double scree_event_rigid_overlap_of_shape(const struct scree_event *event, uint32_t body, size_t shape)
{
    struct near near = {.event = event, .body = body, .shape = &event->walls.shapes.shape.data[shape]};
    for (uint32_t m = event->rigid.first[body]; m < event->rigid.first[body + 1]; ++m) {
        near.member = &event->rigid.member.data[m];
        if (scree_law_class_of(&event->classes, near.member->material, near.shape->wall.material) !=
            SCREE_CONTACTS_NO_CLASS)
            visit_near(&near, 0, measure);
    }
    return near.end;
}
