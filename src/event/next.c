// The next event of a body, see event.h.

#include "base/processor.h"
#include "event/cell.h"
#include "math/polynomial.h"
#include "math/vec3.h"

#include <math.h>

// --- two bodies of which one falls and the other is fixed

// The coefficients of the square of the distance, minus that at touch, as a polynomial of the time from the
// later of the starts of both flights; `later` receives that.
static void square_of_distance(const struct scree_event *event, const uint32_t body[2], double *later,
                               double c[5])
{
    const struct scree_event_space *space = &event->space;
    const struct scree_flight *flight[2] = {&space->flight[body[0]], &space->flight[body[1]]};
    double position[2][3], velocity[2][3], size = 0;
    *later = flight[0]->time > flight[1]->time ? flight[0]->time : flight[1]->time;
    for (int s = 0; s < 2; ++s) {
        const double *gravity = scree_event_gravity(event, body[s]);
        scree_event_position(flight[s], gravity, *later, position[s]);
        scree_event_velocity(flight[s], gravity, *later, velocity[s]);
        size += flight[s]->radius;
    }
    for (int k = 0; k < 5; ++k)
        c[k] = k == 0 ? -size * size : 0;
    const double sign = event->lists.body[body[0]].moves ? -1 : 1, since = event->now - *later;
    for (int k = 0; k < 3; ++k) {
        const double g = 0.5 * sign * space->gravity[k], u = velocity[1][k] - velocity[0][k];
        const double apart = position[1][k] - position[0][k];
        const double here = apart + since * (u + since * g);
        const double d = apart - (here - scree_event_nearest(here, space->period[k], space->inverse[k]));
        c[0] += d * d;
        c[1] += 2 * d * u;
        c[2] += u * u + 2 * d * g;
        c[3] += 2 * u * g;
        c[4] += g * g;
    }
}

static double time_of_mixed_pair(const struct scree_event *event, uint32_t one, uint32_t other)
{
    const bool ordered = event->space.id[one] < event->space.id[other];
    const uint32_t body[2] = {ordered ? one : other, ordered ? other : one};
    double later, c[5], root[SCREE_POLYNOMIAL_DEGREE], bound = 0;
    square_of_distance(event, body, &later, c);
    if (c[0] <= 0 && c[1] < 0)
        return later;
    // all roots are below this (Cauchy)
    for (int k = 0; k < 4; ++k)
        bound = fabs(c[k] / c[4]) > bound ? fabs(c[k] / c[4]) : bound;
    const int count = scree_polynomial_roots(c, 4, 1 + bound, root);
    // the distance gets smaller than at touch at the first root if it is larger now, else at the second
    const int first = c[0] > 0 ? 0 : 1;
    return first < count ? later + root[first] : (double)INFINITY;
}

// --- two bodies

double scree_event_time_of_pair(const struct scree_event *event, uint32_t one, uint32_t other)
{
    return event->rigid.any && scree_event_rigid_concerns(event, one, other)
               ? scree_event_rigid_pair(event, one, other, event->now).time
               : scree_event_time_of_spheres(event, one, other);
}

double scree_event_time_of_spheres(const struct scree_event *event, uint32_t one, uint32_t other)
{
    const bool moves = event->lists.body[one].moves, moved = event->lists.body[other].moves;
    if (!moves && !moved)
        return (double)INFINITY;
    return event->space.falls && moves != moved
               ? time_of_mixed_pair(event, one, other)
               : scree_event_pair_time(&event->space, one, other, event->now);
}

// The next collision of a body that is fixed, or in a world with gravity and fixed ones: neighbours are asked
// one by one. Two fixed bodies pass through each other.
static struct scree_event_hit search_one_by_one(const struct scree_event *event, uint32_t body)
{
    const struct scree_event_body *own = &event->lists.body[body];
    struct scree_event_hit hit = {(double)INFINITY, SCREE_EVENT_NONE};
    for (uint32_t n = 0; n < own->count; ++n) {
        const uint32_t other = event->lists.neighbour.data[own->start + n];
        const double time = scree_event_time_of_spheres(event, body, other);
        if (time < hit.time || (time == hit.time && hit.partner != SCREE_EVENT_NONE &&
                                event->space.id[other] < event->space.id[hit.partner]))
            hit = (struct scree_event_hit){time, other};
    }
    return hit;
}

// --- the next event

// Where a body is relative to its place, and its velocity relative to it, now.
static void find_displacement(const struct scree_event *event, uint32_t body, double d[3], double velocity[3])
{
    const struct scree_flight *flight = &event->space.flight[body];
    const double *gravity = scree_event_gravity(event, body);
    double position[3];
    scree_event_position(flight, gravity, event->now, position);
    scree_event_velocity(flight, gravity, event->now, velocity);
    if (event->space.skew.present)
        scree_event_cell_displacement(event, body, position, velocity, d);
    else
        scree_event_lists_displacement(&event->lists, body, position, d);
}

// The time at which a body gets as far from its place as its list allows, or somewhat earlier if it falls.
double scree_event_time_of_leaving(const struct scree_event *event, uint32_t body)
{
    const double *gravity = scree_event_gravity(event, body);
    double velocity[3], d[3];
    find_displacement(event, body, d, velocity);
    const struct scree_vec3 r = scree_vec3_load(d), v = scree_vec3_load(velocity);
    const double half = event->lists.range, a = scree_vec3_dot(v, v), b = scree_vec3_dot(r, v),
                 square = scree_vec3_dot(r, r);
    const double g = gravity ? scree_vec3_norm(scree_vec3_load(gravity)) : 0;
    // a path that falls differs from a straight one by g t^2/2
    double limit = half, longest = (double)INFINITY;
    for (int attempt = 0; attempt < 2; ++attempt) {
        const double c = limit * limit - square;
        const double t = c <= 0 ? 0 : a > 0 ? (sqrt(b * b + a * c) - b) / a : (double)INFINITY;
        if (g == 0)
            return event->now + t;
        const double bend = 0.5 * g * t * t;
        if (attempt == 1)
            return event->now + (t < longest ? t : longest);
        limit = bend < 0.5 * half ? half - bend : 0.5 * half;
        longest = sqrt(2 * (half - limit) / g);
    }
    return event->now;
}

// Whether a body may be farther from its place than its list allows at a time, or before it if it falls.
static bool is_far_at(const struct scree_event *event, uint32_t body, double time)
{
    if (event->space.falls || !(time < (double)INFINITY))
        return true;
    double velocity[3], d[3], square = 0;
    find_displacement(event, body, d, velocity);
    for (int k = 0; k < 3; ++k) {
        d[k] += (time - event->now) * velocity[k];
        square += d[k] * d[k];
    }
    return square > 0.996 * event->lists.range * event->lists.range;
}

void scree_event_predict(struct scree_event *event, uint32_t body)
{
    struct scree_event_body *own = &event->lists.body[body];
    const struct scree_flight *flight = &event->space.flight[body];
    // others meet it
    if (scree_event_is_piston(event, body)) {
        own->next = SCREE_EVENT_LEAVES;
        scree_event_queue_set(&event->queue, body, (double)INFINITY);
        return;
    }
    if (event->rigid.any) {
        scree_event_rigid_predict(event, body);
        return;
    }
    scree_event_search *search =
        scree_event_search_sets[scree_processor_set()].search[scree_event_flying(&event->space)];
    ++event->counts.predictions;
    const struct scree_event_hit hit =
        !own->moves || (event->any_fixed && event->space.falls)
            ? search_one_by_one(event, body)
            : search(&event->space, body, event->lists.neighbour.data + own->start, own->count, event->now);
    double time = hit.time;
    own->next = hit.partner;
    if (event->walls.surface.count > 0) {
        const struct scree_event_wall_hit wall = scree_event_walls_next(
            &event->walls, &event->classes, flight, own->material, scree_event_gravity(event, body), time);
        if (wall.time < time) {
            time = wall.time;
            own->next = SCREE_EVENT_WALL + wall.surface;
        }
    }
    if (event->lists.range < (double)INFINITY && is_far_at(event, body, time)) {
        const double leaves = scree_event_time_of_leaving(event, body);
        if (leaves < time) {
            time = leaves;
            own->next = SCREE_EVENT_LEAVES;
        }
    }
    if (event->walls.shapes.shape.count > 0)
        scree_event_meet_shapes(event, body, &time, &own->next);
    scree_event_queue_set(&event->queue, body, time);
}
