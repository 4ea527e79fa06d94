// The next collision of a body with walls that are no planes, see shapes.h.
//
// Walls have no periodic images: a body meets those at the image of its position in the cell. A flight whose
// body is in another image by now is moved there, from the time on at which it came; and before it leaves
// this image it looks for walls again.

#include "event/event.h"
#include "world/cell.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

// The flight as walls see it, the time from which on they do, and at which the body leaves the image.
struct view {
    struct scree_event_path path;
    double from, until;
};

// The times at which a coordinate of a flight is at a face; returns their number.
static int crossings(const struct scree_event_path *path, int k, double face, double time[2])
{
    const double d = path->flight.position[k] - face, v = path->flight.velocity[k];
    const double a = path->gravity ? 0.5 * path->gravity[k] : 0, q = v * v - 4 * a * d;
    if (a == 0) {
        time[0] = path->flight.time - d / v;
        return v != 0;
    }
    if (!(q >= 0))
        return 0;
    // the stable form of both roots
    const double sum = -0.5 * (v + (v < 0 ? -sqrt(q) : sqrt(q)));
    time[0] = path->flight.time + sum / a;
    time[1] = path->flight.time + (sum != 0 ? d / sum : 0);
    return 2;
}

// Moves the flight into the image of the cell in which the body is now.
static void look_into_cell(const struct scree_event *event, struct view *view)
{
    const struct scree_cell *cell = scree_world_cell(event->world);
    double position[3];
    scree_event_position(&view->path.flight, view->path.gravity, event->now, position);
    for (int k = 0; k < 3; ++k) {
        if (!(cell->period[k] > 0))
            continue;
        int64_t turns = 0;
        if (!(position[k] >= cell->lower[k] && position[k] < cell->upper[k]))
            scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &position[k], &turns);
        view->path.flight.position[k] -= (double)turns * cell->period[k];
        // beyond a face by rounding is still in the image
        const double width = 1e-12 * cell->period[k];
        for (int side = 0; side < 2; ++side) {
            const double inner = side ? cell->upper[k] : cell->lower[k];
            double time[2];
            for (int c = crossings(&view->path, k, inner, time); turns != 0 && c-- > 0;)
                if (time[c] <= event->now && time[c] > view->from)
                    view->from = time[c];
            for (int c = crossings(&view->path, k, inner + (side ? width : -width), time); c-- > 0;)
                if (time[c] > event->now && time[c] < view->until)
                    view->until = time[c];
        }
    }
}

static bool is_periodic(const struct scree_world *world)
{
    const double *period = scree_world_cell(world)->period;
    return period[0] > 0 || period[1] > 0 || period[2] > 0;
}

static struct view view_of(const struct scree_event *event, uint32_t body)
{
    struct view view = {
        .path = {.flight = event->space.flight[body], .gravity = scree_event_gravity(event, body)},
        .until = (double)INFINITY};
    view.from = view.path.flight.time;
    if (is_periodic(event->world))
        look_into_cell(event, &view);
    return view;
}

// --- the first collision

struct search {
    const struct scree_event_shapes *shapes;
    struct scree_event_path path;
    double from, now;
    struct scree_event_wall_hit best; // before this time
};

static void try_surface(void *user, uint32_t surface)
{
    struct search *search = (struct search *)user;
    struct scree_event_wall_hit *best = &search->best;
    const struct scree_event_wall_hit hit = scree_event_shapes_time(search->shapes, surface, &search->path,
                                                                    search->from, search->now, best->time);
    if (hit.time < best->time || (hit.time == best->time && hit.surface < best->surface))
        *best = hit;
}

// Which shapes: all, those that move by themselves, or those of one body, whose slot it is.
static const uint32_t all = UINT32_MAX, moving = UINT32_MAX - 1;

static bool is_wanted(const struct scree_event *event, const struct scree_event_shape *shape,
                      uint16_t material, uint32_t which)
{
    const bool wanted = which == all || (which == moving ? shape->moves : shape->carrier == which);
    return wanted &&
           scree_law_class_of(&event->classes, material, shape->wall.material) != SCREE_CONTACTS_NO_CLASS;
}

// The time from which on the motions of a body and of a shape are known: the same whenever it is asked for.
static double known_from(const struct scree_event_shapes *shapes, const struct scree_event_shape *shape,
                         double from)
{
    double since = shape->moves        ? shapes->start
                   : shape->has_course ? shape->course.course.time
                                       : -(double)INFINITY;
    if (shape->carrier != UINT32_MAX)
        since = shapes->flight[shape->carrier].time;
    return since > from ? since : from;
}

double scree_event_way_of_shape(const struct scree_event *event, const struct scree_event_shape *shape,
                                double time)
{
    double velocity[3], fall[3];
    if (shape->has_course && !shape->moves)
        return scree_event_course_way(&shape->course.course, time);
    if (shape->carrier == UINT32_MAX)
        return 0;
    scree_vec3_store(shape->fall, fall);
    scree_event_velocity(&event->space.flight[shape->carrier], fall, event->now, velocity);
    const double way =
        time * (scree_vec3_norm(scree_vec3_load(velocity)) + 0.5 * time * scree_vec3_norm(shape->fall));
    return way < (double)INFINITY ? way : (double)INFINITY;
}

// The first collision up to `until`, or without a surface the time at which to look again.
static struct scree_event_wall_hit find(const struct scree_event *event, uint32_t body, uint32_t which,
                                        const struct view *view, double until)
{
    const struct scree_event_shapes *shapes = &event->walls.shapes;
    double position[3], velocity[3];
    struct search search = {shapes, view->path, view->from, event->now, {until, SCREE_EVENT_NONE}};
    scree_event_position(&view->path.flight, view->path.gravity, event->now, position);
    scree_event_velocity(&view->path.flight, view->path.gravity, event->now, velocity);
    const struct scree_vec3 speed = scree_vec3_load(velocity);
    const double fall = view->path.gravity ? scree_vec3_norm(scree_vec3_load(view->path.gravity)) : 0;
    for (size_t s = 0; s < shapes->shape.count; ++s) {
        const struct scree_event_shape *shape = &shapes->shape.data[s];
        if (!is_wanted(event, shape, event->lists.body[body].material, which))
            continue;
        // it leaves its neighbour list before it has gone as far as the margin
        const double left = search.best.time - event->now;
        const double way = left * (scree_vec3_norm(speed) + 0.5 * left * fall);
        const double range = way < event->lists.margin ? way : event->lists.margin;
        search.from = known_from(shapes, shape, view->from);
        scree_event_shapes_near(
            shapes, shape, scree_vec3_load(position),
            1.000001 * (view->path.flight.radius + range + scree_event_way_of_shape(event, shape, left)),
            event->now, try_surface, &search);
    }
    if (search.best.surface == SCREE_EVENT_NONE && search.best.time == until)
        search.best.time = (double)INFINITY;
    return search.best;
}

void scree_event_meet_shapes(const struct scree_event *event, uint32_t body, double *time, uint32_t *next)
{
    if (!event->lists.body[body].moves)
        return;
    const struct view view = view_of(event, body);
    if (view.until < *time) {
        *time = view.until;
        *next = SCREE_EVENT_LEAVES;
    }
    const struct scree_event_wall_hit hit = find(event, body, all, &view, *time);
    if (hit.time < (double)INFINITY) {
        // a body that came through a face of the cell where a wall stands touched it before it saw it
        *time = hit.time > event->now ? hit.time : event->now;
        *next = hit.surface == SCREE_EVENT_NONE ? SCREE_EVENT_LEAVES : SCREE_EVENT_WALL + hit.surface;
    }
}

bool scree_event_meets_moving_shape(const struct scree_event *event, uint32_t body)
{
    if (!event->lists.body[body].moves || !event->walls.shapes.any_moves)
        return false;
    const struct view view = view_of(event, body);
    return find(event, body, moving, &view, event->queue.time[0][body]).time < (double)INFINITY;
}

void scree_event_meet_carrier(struct scree_event *event, uint32_t carrier)
{
    for (uint32_t i = 0; i < event->lists.bodies; ++i) {
        if (scree_event_is_piston(event, i))
            continue;
        if (event->rigid.any && scree_event_rigid_concerns(event, i, i)) {
            if (scree_event_rigid_meets_carrier(event, i, carrier))
                scree_event_predict(event, i);
            continue;
        }
        if (!event->lists.body[i].moves)
            continue;
        const struct view view = view_of(event, i);
        if (find(event, i, carrier, &view, event->queue.time[0][i]).time < (double)INFINITY)
            scree_event_predict(event, i);
    }
}

bool scree_event_wall_is_due(const struct scree_event *event, uint32_t body, uint32_t surface)
{
    const struct scree_event_shapes *shapes = &event->walls.shapes;
    if (surface < event->walls.surface.count)
        return true;
    const struct scree_event_shape *shape = scree_event_shapes_of(shapes, surface);
    if (shape->carrier == UINT32_MAX)
        return true;
    if (event->rigid.any && scree_event_rigid_concerns(event, body, body))
        return scree_event_rigid_surface(event, body, surface, event->now).time == event->now;
    const struct view view = view_of(event, body);
    const double from = known_from(shapes, shape, view.from);
    return scree_event_shapes_time(shapes, surface, &view.path, from, event->now, event->now).time <=
           event->now;
}

// --- overlaps

struct deepest {
    const struct scree_event_shapes *shapes;
    struct scree_event_path path;
    double time, gap;
};

static void measure(void *user, uint32_t surface)
{
    struct deepest *deepest = (struct deepest *)user;
    const double gap = scree_event_shapes_look(deepest->shapes, surface, &deepest->path, deepest->time).gap;
    deepest->gap = gap < deepest->gap ? gap : deepest->gap;
}

double scree_event_shape_overlap(const struct scree_event *event, uint32_t body, size_t shape)
{
    const struct scree_event_shapes *shapes = &event->walls.shapes;
    const struct scree_grain *grain = &scree_world_grains(event->world)[body];
    struct deepest deepest = {.shapes = shapes, .time = shapes->start};
    deepest.path.flight = event->space.flight[body];
    deepest.path.flight.time = shapes->start;
    memcpy(deepest.path.flight.position, grain->position, sizeof grain->position);
    scree_event_shapes_near(shapes, &shapes->shape.data[shape], scree_vec3_load(grain->position),
                            grain->radius, shapes->start, measure, &deepest);
    return -deepest.gap;
}
