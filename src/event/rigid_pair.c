// The first contact of two rigid bodies, see rigid.h and advance.h.
//
// All couples of members are looked at together, at the same times (couples.h), so that both bodies turn once
// for all of them.

#include "event/event.h"
#include "math/vec3.h"

#include <math.h>

// looking begins anew after this angle, together, and is put off beyond so many of them
static const double angle = 1;
enum { WINDOWS = 32 };
// H turns both bodies by this angle, together; and the longest H, of bodies that do not turn
static const double ahead = 1, longest = 1e100;

// Two bodies in flight, and the members at hand.
struct pair {
    const struct scree_event_approach *flight;
    const struct scree_event_rotation *rotation[2];
    const struct scree_event_member *member[2];
    struct scree_event_couples couples;
    scree_event_couples_look *look;
    double end;         // what is later is not asked for
    uint32_t *touching; // members, once there is a contact
};

// --- at a time

static void turn(const struct pair *p, int s, double time, struct scree_event_pose *pose)
{
    const struct scree_event_rotation *rotation = p->rotation[s];
    pose->uniform = scree_event_rotation_is_uniform(rotation);
    pose->rate = rotation->uniform;
    if (pose->uniform) {
        const struct scree_sincos turned = scree_sincos(rotation->uniform * (time - rotation->time));
        pose->sin = turned.sin;
        pose->cos = turned.cos;
        return;
    }
    const struct scree_event_turned turned = scree_event_rotation_at(rotation, time);
    pose->sin = pose->cos = 0;
    for (uint32_t m = 0; m < SCREE_EVENT_LANES; ++m) {
        // lanes without a member are not used
        const struct scree_vec3 at = m < p->couples.count[s]
                                         ? scree_quat_rotate(turned.orientation, p->member[s][m].offset)
                                         : scree_vec3_zero();
        const struct scree_vec3 speed = scree_vec3_cross(turned.spin, at);
        const struct scree_vec3 bend =
            scree_vec3_add(scree_vec3_cross(turned.change, at), scree_vec3_cross(turned.spin, speed));
        double parts[3][3];
        scree_vec3_store(at, parts[0]);
        scree_vec3_store(speed, parts[1]);
        scree_vec3_store(bend, parts[2]);
        for (int k = 0; k < 3; ++k) {
            pose->at[k][m] = parts[0][k];
            pose->speed[k][m] = parts[1][k];
            pose->bend[k][m] = parts[2][k];
        }
    }
}

static bool look(const struct pair *p, double time, double left, struct scree_event_ways *ways)
{
    const struct scree_event_approach *flight = p->flight;
    const double h = time - flight->later;
    struct scree_event_pose pose[2];
    double x[3], u[3];
    scree_vec3_store(
        scree_vec3_add_scaled(flight->apart, h, scree_vec3_add_scaled(flight->speed, 0.5 * h, flight->fall)),
        x);
    scree_vec3_store(scree_vec3_add_scaled(flight->speed, h, flight->fall), u);
    for (int s = 0; s < 2; ++s)
        turn(p, s, time, &pose[s]);
    return p->look(&p->couples, pose, x, u, left, ways);
}

// The first couple that touches and approaches, as far as the time can tell; false if none does.
static bool find_touching(const struct pair *p, const struct scree_event_ways *ways, double time)
{
    for (uint32_t row = 0; row < scree_event_couples_rows(&p->couples); ++row)
        for (uint32_t lane = 0; lane < SCREE_EVENT_LANES; ++lane)
            if (p->couples.collides[row][lane] && !(time + ways->way[row][lane] > time) &&
                ways->rate[row][lane] < 0) {
                scree_event_couples_members(&p->couples, row, lane, p->touching);
                return true;
            }
    return false;
}

// The time for which no members touch, of all that are at hand; infinite if none do up to the end. `rate` is
// below 0 at a contact.
static double way_of_all(const void *self, double time, double *rate)
{
    const struct pair *p = (const struct pair *)self;
    struct scree_event_ways ways;
    *rate = 0;
    // a little more than up to the end, for rounding
    if (!look(p, time, (p->end - time) * 1.000001 + 1e-15 * fabs(time), &ways))
        return (double)INFINITY;
    if (!(time + ways.least > time) && find_touching(p, &ways, time)) {
        *rate = -1;
        return 0;
    }
    return ways.least < longest ? ways.least : (double)INFINITY;
}

// --- two bodies

static struct scree_event_contact none(void)
{
    return (struct scree_event_contact){.time = (double)INFINITY, .until = (double)INFINITY};
}

// Positions and velocities at the later start of both flights, of bodies that fall.
static void read_falls(const struct scree_event *event, struct scree_event_approach *a, double apart[3],
                       double speed[3], double fall[3])
{
    const double falls =
        (double)event->lists.body[a->body[1]].moves - (double)event->lists.body[a->body[0]].moves;
    double position[2][3], velocity[2][3];
    for (int s = 0; s < 2; ++s) {
        const struct scree_flight *flight = &event->space.flight[a->body[s]];
        const double *gravity = scree_event_gravity(event, a->body[s]);
        scree_event_position(flight, gravity, a->later, position[s]);
        scree_event_velocity(flight, gravity, a->later, velocity[s]);
    }
    for (int k = 0; k < 3; ++k) {
        fall[k] = falls * event->space.gravity[k];
        speed[k] = velocity[1][k] - velocity[0][k];
        apart[k] = position[1][k] - position[0][k];
    }
}

// Reads both flights; bodies are in order of ids. The image is the one that is nearest now.
static void read_flights(const struct scree_event *event, const uint32_t body[2],
                         struct scree_event_approach *a)
{
    const struct scree_event_space *space = &event->space;
    const struct scree_flight *one = &space->flight[body[0]], *other = &space->flight[body[1]];
    double apart[3], speed[3], fall[3] = {0, 0, 0};
    a->body[0] = body[0];
    a->body[1] = body[1];
    a->later = one->time > other->time ? one->time : other->time;
    const double own = a->later - one->time, others = a->later - other->time, since = event->now - a->later;
    if (space->falls)
        read_falls(event, a, apart, speed, fall);
    for (int k = 0; k < 3 && !space->falls; ++k) {
        speed[k] = other->velocity[k] - one->velocity[k];
        apart[k] =
            (other->position[k] + others * other->velocity[k]) - (one->position[k] + own * one->velocity[k]);
    }
    for (int k = 0; k < 3; ++k) {
        const double here = apart[k] + since * (speed[k] + 0.5 * since * fall[k]);
        apart[k] -= here - scree_event_nearest(here, space->period[k], space->inverse[k]);
    }
    if (space->skew.present)
        scree_event_skew_nearest(&space->skew, a->later, since, apart, speed);
    a->apart = scree_vec3_load(apart);
    a->speed = scree_vec3_load(speed);
    a->fall = scree_vec3_load(fall);
}

// Finds the times between which the spheres around both bodies overlap.
static void find_overlap(const struct scree_event *event, struct scree_event_approach *a)
{
    const struct scree_flight *flight = event->space.flight;
    const double size = flight[a->body[0]].radius + flight[a->body[1]].radius;
    const double b = scree_vec3_dot(a->apart, a->speed), u = scree_vec3_norm_squared(a->speed);
    const double c = scree_vec3_norm_squared(a->apart) - size * size, square = b * b - u * c;
    const bool straight = scree_vec3_norm_squared(a->fall) == 0;
    a->start = a->later;
    a->end = (double)INFINITY;
    if (c > 0 && !straight)
        a->start = scree_event_time_of_spheres(event, a->body[0], a->body[1]);
    else if (c > 0)
        a->start = b < 0 && square > 0 ? a->later + c / (sqrt(square) - b) : (double)INFINITY;
    // on straight lines they part for ever
    if (straight && u > 0 && square > 0)
        a->end = a->later + (sqrt(square) - b) / u;
}

void scree_event_rigid_approach(const struct scree_event *event, uint32_t one, uint32_t other,
                                struct scree_event_approach *a)
{
    const bool ordered = event->space.id[one] < event->space.id[other];
    const uint32_t body[2] = {ordered ? one : other, ordered ? other : one};
    *a = (struct scree_event_approach){.start = (double)INFINITY};
    if (scree_event_rigid_is_fixed(event, one) && scree_event_rigid_is_fixed(event, other))
        return;
    read_flights(event, body, a);
    find_overlap(event, a);
}

// Takes a block of the members of a body; returns the number of the first of them.
static uint32_t set_block(const struct scree_event *event, struct pair *p, int s, uint32_t block)
{
    const struct scree_event_rigid *rigid = &event->rigid;
    const uint32_t body = p->flight->body[s], first = rigid->first[body] + SCREE_EVENT_LANES * block;
    const uint32_t left = rigid->first[body + 1] - first;
    p->rotation[s] = &rigid->rotation[body];
    p->member[s] = &rigid->member.data[first];
    p->couples.orbits[s] = &rigid->orbits[rigid->block[body] + block];
    p->couples.count[s] = left < SCREE_EVENT_LANES ? left : SCREE_EVENT_LANES;
    return first;
}

// Finds out which members collide.
static void set_laws(const struct scree_event *event, struct pair *p)
{
    struct scree_event_couples *couples = &p->couples;
    uint32_t material = UINT32_MAX, other = UINT32_MAX;
    int64_t collides = 0;
    couples->packed = couples->count[0] <= 2 && couples->count[1] <= 2;
    for (uint32_t row = 0; row < scree_event_couples_rows(couples); ++row)
        for (uint32_t lane = 0; lane < SCREE_EVENT_LANES; ++lane) {
            uint32_t m[2];
            scree_event_couples_members(couples, row, lane, m);
            couples->collides[row][lane] = 0;
            if (m[0] >= couples->count[0] || m[1] >= couples->count[1])
                continue;
            const struct scree_event_member *one = &p->member[0][m[0]], *two = &p->member[1][m[1]];
            // most are of one material
            if (one->material != material || two->material != other) {
                material = one->material;
                other = two->material;
                collides = scree_law_class_of(&event->classes, one->material, two->material) !=
                                   SCREE_CONTACTS_NO_CLASS
                               ? -1
                               : 0;
            }
            couples->collides[row][lane] = collides;
        }
}

static uint32_t blocks_of(const struct scree_event *event, uint32_t body)
{
    return event->rigid.block[body + 1] - event->rigid.block[body];
}

static void start_pair(const struct scree_event_approach *flight, double ahead_of, struct pair *p)
{
    p->flight = flight;
    p->look = scree_event_couples_set();
    scree_vec3_store(flight->fall, p->couples.fall);
    p->couples.falls = scree_vec3_norm(flight->fall);
    p->couples.ahead = ahead_of;
}

struct scree_event_contact scree_event_rigid_first(const struct scree_event *event,
                                                   const struct scree_event_approach *a, double end)
{
    struct scree_event_contact touch = none();
    if (a->start > end || !(a->start < (double)INFINITY))
        return touch;
    const double spin =
        scree_event_rigid_turning(event, a->body[0]) + scree_event_rigid_turning(event, a->body[1]);
    struct scree_event_advance advance = {
        .start = a->start, .window = angle / spin, .now = event->now, .end = end};
    const double horizon = (event->now > a->start ? event->now : a->start) + WINDOWS * advance.window;
    if (horizon < end)
        touch.until = advance.end = horizon;
    advance.end = a->end < advance.end ? a->end : advance.end;
    touch.until = a->end < touch.until ? (double)INFINITY : touch.until;
    uint32_t touching[2];
    struct pair p;
    start_pair(a, ahead < longest * spin ? ahead / spin : longest, &p);
    p.touching = touching;
    for (uint32_t i = 0; i < blocks_of(event, a->body[0]); ++i)
        for (uint32_t j = 0; j < blocks_of(event, a->body[1]); ++j) {
            const uint32_t one = set_block(event, &p, 0, i), other = set_block(event, &p, 1, j);
            set_laws(event, &p);
            p.end = advance.end;
            const double time = scree_event_advance_run(&advance, way_of_all, &p);
            if (time < touch.time) {
                touch = (struct scree_event_contact){.time = time,
                                                     .until = (double)INFINITY,
                                                     .member = {one + touching[0], other + touching[1]}};
                advance.end = time;
            }
        }
    return touch;
}

struct scree_event_contact scree_event_rigid_pair(const struct scree_event *event, uint32_t one,
                                                  uint32_t other, double end)
{
    struct scree_event_approach a;
    scree_event_rigid_approach(event, one, other, &a);
    return scree_event_rigid_first(event, &a, end);
}

// --- the gap at a time

struct scree_event_gap scree_event_rigid_gap(const struct scree_event *event, const uint32_t body[2],
                                             const uint32_t member[2])
{
    struct scree_event_approach a;
    struct scree_event_ways ways;
    struct pair p;
    uint32_t lane[2], row = 0;
    read_flights(event, body, &a);
    start_pair(&a, 1, &p);
    for (int s = 0; s < 2; ++s) {
        const uint32_t place = member[s] - event->rigid.first[body[s]];
        lane[s] = place % SCREE_EVENT_LANES;
        (void)set_block(event, &p, s, place / SCREE_EVENT_LANES);
    }
    set_laws(event, &p);
    (void)look(&p, a.later, (double)INFINITY, &ways);
    row = p.couples.packed ? 0 : lane[0];
    lane[1] += p.couples.packed ? 2 * lane[0] : 0;
    return (struct scree_event_gap){ways.gap[row][lane[1]], ways.rate[row][lane[1]]};
}

double scree_event_rigid_overlap(const struct scree_event *event, uint32_t one, uint32_t other)
{
    const uint32_t body[2] = {one, other};
    struct scree_event_approach approach;
    struct scree_event_ways ways;
    struct pair p;
    double largest = 0;
    read_flights(event, body, &approach);
    start_pair(&approach, 1, &p);
    for (uint32_t i = 0; i < blocks_of(event, one); ++i)
        for (uint32_t j = 0; j < blocks_of(event, other); ++j) {
            (void)set_block(event, &p, 0, i);
            (void)set_block(event, &p, 1, j);
            set_laws(event, &p);
            (void)look(&p, event->now, (double)INFINITY, &ways);
            for (uint32_t row = 0; row < scree_event_couples_rows(&p.couples); ++row)
                for (uint32_t lane = 0; lane < SCREE_EVENT_LANES; ++lane) {
                    uint32_t m[2];
                    scree_event_couples_members(&p.couples, row, lane, m);
                    if (!p.couples.collides[row][lane])
                        continue;
                    const double a = p.member[0][m[0]].radius, b = p.member[1][m[1]].radius;
                    const double ratio = -ways.gap[row][lane] / (a < b ? a : b);
                    largest = ratio > largest ? ratio : largest;
                }
        }
    return largest;
}
