// The first contacts of rigid bodies, see rigid.h.

#include "event/event.h"
#include "math/vec3.h"

#include <math.h>

// looking begins anew after this angle, together, and is put off beyond so many of them
static const double angle = 4;
enum { WINDOWS = 8 };

static struct scree_event_contact none(void)
{
    return (struct scree_event_contact){.time = (double)INFINITY, .until = (double)INFINITY};
}

// --- two bodies

// Both bodies in flight, and the members at hand. Positions are relative: of the second from the first.
struct pair {
    const struct scree_event_rotation *rotation[2];
    const struct scree_event_member *member[2];
    double later; // the later one of the starts of both flights
    struct scree_vec3 apart, speed, fall;
    double size;
    struct memory *memory;
};

// The orientations of both bodies at the time that all pairs of members are asked for.
struct memory {
    double time;
    struct scree_event_turned turned[2];
};

static struct scree_event_gap gap_of_pair(const void *self, double time)
{
    const struct pair *p = (const struct pair *)self;
    const double h = time - p->later;
    struct scree_vec3 d =
        scree_vec3_add_scaled(p->apart, h, scree_vec3_add_scaled(p->speed, 0.5 * h, p->fall));
    struct scree_vec3 u = scree_vec3_add_scaled(p->speed, h, p->fall);
    for (int s = 0; s < 2; ++s) {
        if (!(p->member[s]->reach > 0))
            continue;
        const struct scree_event_turned turned =
            time == p->memory->time ? p->memory->turned[s] : scree_event_rotation_at(p->rotation[s], time);
        const struct scree_vec3 arm = scree_quat_rotate(turned.orientation, p->member[s]->offset);
        d = scree_vec3_add_scaled(d, s == 0 ? -1 : 1, arm);
        u = scree_vec3_add_scaled(u, s == 0 ? -1 : 1, scree_vec3_cross(turned.spin, arm));
    }
    const double distance = scree_vec3_norm(d);
    return (struct scree_event_gap){distance - p->size, distance > 0 ? scree_vec3_dot(d, u) / distance : 0};
}

// Reads both flights; bodies are in order of ids. The image is the one that is nearest now.
static void read_pair(const struct scree_event *event, const uint32_t body[2], struct pair *p,
                      struct memory *memory)
{
    const struct scree_event_space *space = &event->space;
    const struct scree_flight *flight[2] = {&space->flight[body[0]], &space->flight[body[1]]};
    double position[2][3], velocity[2][3], apart[3], fall[3];
    p->later = flight[0]->time > flight[1]->time ? flight[0]->time : flight[1]->time;
    const double since = event->now - p->later;
    const double falls = (double)event->lists.body[body[1]].moves - (double)event->lists.body[body[0]].moves;
    for (int s = 0; s < 2; ++s) {
        scree_event_position(flight[s], scree_event_gravity(event, body[s]), p->later, position[s]);
        scree_event_velocity(flight[s], scree_event_gravity(event, body[s]), p->later, velocity[s]);
        p->rotation[s] = &event->rigid.rotation[body[s]];
    }
    for (int k = 0; k < 3; ++k) {
        fall[k] = falls * space->gravity[k];
        apart[k] = position[1][k] - position[0][k];
        const double here = apart[k] + since * (velocity[1][k] - velocity[0][k] + 0.5 * since * fall[k]);
        apart[k] -= here - scree_event_nearest(here, space->period[k], space->inverse[k]);
    }
    p->apart = scree_vec3_load(apart);
    p->speed = scree_vec3_sub(scree_vec3_load(velocity[1]), scree_vec3_load(velocity[0]));
    p->fall = scree_vec3_load(fall);
    p->memory = memory;
    memory->time = (double)NAN;
}

static void set_members(const struct scree_event *event, struct pair *p, const uint32_t member[2])
{
    p->size = 0;
    for (int s = 0; s < 2; ++s) {
        p->member[s] = &event->rigid.member.data[member[s]];
        p->size += p->member[s]->radius;
    }
}

static double bend_of_pair(const struct pair *p)
{
    return p->rotation[0]->bend * p->member[0]->reach + p->rotation[1]->bend * p->member[1]->reach +
           scree_vec3_norm(p->fall);
}

struct scree_event_gap scree_event_rigid_gap(const struct scree_event *event, const uint32_t body[2],
                                             const uint32_t member[2])
{
    struct memory memory;
    struct pair p;
    read_pair(event, body, &p, &memory);
    set_members(event, &p, member);
    return gap_of_pair(&p, p.later);
}

double scree_event_rigid_overlap(const struct scree_event *event, uint32_t one, uint32_t other)
{
    const uint32_t *first = event->rigid.first;
    double largest = 0;
    struct memory memory;
    struct pair p;
    read_pair(event, (const uint32_t[2]){one, other}, &p, &memory);
    for (uint32_t i = first[one]; i < first[one + 1]; ++i)
        for (uint32_t j = first[other]; j < first[other + 1]; ++j) {
            set_members(event, &p, (const uint32_t[2]){i, j});
            const double a = p.member[0]->radius, b = p.member[1]->radius;
            const double ratio = -gap_of_pair(&p, event->now).gap / (a < b ? a : b);
            const bool touch = scree_law_class_of(&event->classes, p.member[0]->material,
                                                  p.member[1]->material) != SCREE_CONTACTS_NO_CLASS;
            largest = touch && ratio > largest ? ratio : largest;
        }
    return largest;
}

// Whether the members of a body turn about its centre of mass.
static double spin_of(const struct scree_event *event, uint32_t body)
{
    const struct scree_event_rigid *rigid = &event->rigid;
    double reach = 0;
    for (uint32_t m = rigid->first[body]; m < rigid->first[body + 1]; ++m)
        reach = rigid->member.data[m].reach > reach ? rigid->member.data[m].reach : reach;
    return reach > 0 ? rigid->rotation[body].fastest : 0;
}

// The times between which the spheres around two bodies overlap; false if they never do.
static bool overlap_of(const struct scree_event *event, const uint32_t body[2], const struct pair *p,
                       double *start, double *end)
{
    const struct scree_flight *flight = event->space.flight;
    const double size = flight[body[0]].radius + flight[body[1]].radius;
    const double b = scree_vec3_dot(p->apart, p->speed), u = scree_vec3_norm_squared(p->speed);
    const double c = scree_vec3_norm_squared(p->apart) - size * size, square = b * b - u * c;
    *start = c > 0 ? scree_event_time_of_spheres(event, body[0], body[1]) : p->later;
    *end = (double)INFINITY;
    // on straight lines they part for ever
    if (scree_vec3_norm_squared(p->fall) == 0 && u > 0 && square > 0)
        *end = p->later + (sqrt(square) - b) / u;
    return *start < (double)INFINITY;
}

struct scree_event_contact scree_event_rigid_pair(const struct scree_event *event, uint32_t one,
                                                  uint32_t other, double end)
{
    const struct scree_event_rigid *rigid = &event->rigid;
    const bool ordered = event->space.id[one] < event->space.id[other];
    const uint32_t body[2] = {ordered ? one : other, ordered ? other : one};
    struct scree_event_contact touch = none();
    struct memory memory;
    struct pair p;
    double start, parted;
    if (scree_event_rigid_is_fixed(event, one) && scree_event_rigid_is_fixed(event, other))
        return touch;
    read_pair(event, body, &p, &memory);
    if (!overlap_of(event, body, &p, &start, &parted) || start > end)
        return touch;
    const double spin = spin_of(event, body[0]) + spin_of(event, body[1]);
    struct scree_event_advance advance = {
        .start = start, .window = angle / spin, .now = event->now, .end = end};
    const double horizon = (event->now > start ? event->now : start) + WINDOWS * advance.window;
    if (horizon < end) {
        advance.end = horizon;
        touch.until = horizon;
    }
    advance.end = parted < advance.end ? parted : advance.end;
    touch.until = parted < touch.until ? (double)INFINITY : touch.until;
    double turn;
    const double first = scree_event_advance_from(&advance, &turn);
    for (int s = 0; s < 2; ++s)
        memory.turned[s] = scree_event_rotation_at(p.rotation[s], first);
    memory.time = first;
    for (uint32_t i = rigid->first[body[0]]; i < rigid->first[body[0] + 1]; ++i)
        for (uint32_t j = rigid->first[body[1]]; j < rigid->first[body[1] + 1]; ++j) {
            set_members(event, &p, (const uint32_t[2]){i, j});
            if (scree_law_class_of(&event->classes, p.member[0]->material, p.member[1]->material) ==
                SCREE_CONTACTS_NO_CLASS)
                continue;
            advance.bend = bend_of_pair(&p);
            advance.size = p.size;
            const double time = scree_event_advance_find(&advance, gap_of_pair, &p);
            if (time < touch.time) {
                touch =
                    (struct scree_event_contact){.time = time, .until = (double)INFINITY, .member = {i, j}};
                advance.end = time;
            }
        }
    return touch;
}

// --- a body and a plane

struct fall {
    const struct scree_event_rotation *rotation;
    const struct scree_event_member *member;
    struct scree_event_fall centre;
    double bend; // no centre falls faster towards the plane than with this acceleration; not negative
    struct scree_vec3 normal;
};

static struct scree_event_gap gap_of_fall(const void *self, double time)
{
    const struct fall *f = (const struct fall *)self;
    struct scree_event_gap gap;
    gap.gap = scree_event_fall_gap(&f->centre, time, &gap.rate) - f->member->radius;
    if (!(f->member->reach > 0))
        return gap;
    const struct scree_event_turned turned = scree_event_rotation_at(f->rotation, time);
    const struct scree_vec3 arm = scree_quat_rotate(turned.orientation, f->member->offset);
    gap.gap += scree_vec3_dot(arm, f->normal);
    gap.rate += scree_vec3_dot(scree_vec3_cross(turned.spin, arm), f->normal);
    return gap;
}

// Reads a flight and a surface.
static struct fall read_fall(const struct scree_event *event, uint32_t body,
                             const struct scree_event_surface *surface)
{
    struct fall f = {.rotation = &event->rigid.rotation[body], .normal = scree_vec3_load(surface->normal)};
    f.centre = scree_event_walls_fall(&event->walls, surface, &event->space.flight[body],
                                      scree_event_gravity(event, body), 0);
    const double force = f.centre.angular * f.centre.angular * fabs(f.centre.swing);
    f.bend = force - f.centre.pull > 0 ? force - f.centre.pull : 0;
    return f;
}

struct scree_event_gap scree_event_rigid_gap_of_wall(const struct scree_event *event, uint32_t body,
                                                     uint32_t member, uint32_t surface)
{
    if (surface >= event->walls.surface.count) {
        const struct scree_event_near touch = scree_event_rigid_at_shape(event, body, member, surface);
        return (struct scree_event_gap){touch.gap, touch.speed};
    }
    struct fall f = read_fall(event, body, &event->walls.surface.data[surface]);
    f.member = &event->rigid.member.data[member];
    return gap_of_fall(&f, f.centre.from);
}

double scree_event_rigid_overlap_of_wall(const struct scree_event *event, uint32_t body, uint32_t number)
{
    const struct scree_event_surface *surface = &event->walls.surface.data[number];
    struct fall f = read_fall(event, body, surface);
    double largest = 0;
    for (uint32_t i = event->rigid.first[body]; i < event->rigid.first[body + 1]; ++i) {
        f.member = &event->rigid.member.data[i];
        const double ratio = -gap_of_fall(&f, event->now).gap / f.member->radius;
        const bool touch = scree_law_class_of(&event->classes, f.member->material, surface->material) !=
                           SCREE_CONTACTS_NO_CLASS;
        largest = touch && ratio > largest ? ratio : largest;
    }
    return largest;
}

// The time at which the sphere around a body reaches the plane, where this is if it vibrates as far as
// possible; infinite if it never does.
static double start_of_fall(const struct fall *f, double radius)
{
    const double rate = f->centre.rate, pull = f->centre.pull;
    const double gap = f->centre.mean - fabs(f->centre.swing) - radius, square = rate * rate - 2 * pull * gap;
    if (gap <= 0)
        return f->centre.from;
    if (!(square >= 0))
        return (double)INFINITY;
    if (rate < 0)
        return f->centre.from + 2 * gap / (sqrt(square) - rate);
    return pull < 0 ? f->centre.from - (rate + sqrt(square)) / pull : (double)INFINITY;
}

struct scree_event_contact scree_event_rigid_surface(const struct scree_event *event, uint32_t body,
                                                     uint32_t number, double end)
{
    if (number >= event->walls.surface.count)
        return scree_event_rigid_shape(event, body, number, end);
    const struct scree_event_rigid *rigid = &event->rigid;
    const struct scree_event_surface *surface = &event->walls.surface.data[number];
    struct scree_event_contact touch = none();
    struct fall f = read_fall(event, body, surface);
    // in the next step a surface that moves is where it is then
    end = surface->moves && event->walls.end < end ? event->walls.end : end;
    const double start = start_of_fall(&f, event->space.flight[body].radius);
    if (start > end || !(start < (double)INFINITY))
        return touch;
    struct scree_event_advance advance = {
        .start = start, .window = angle / spin_of(event, body), .now = event->now, .end = end};
    const double horizon = (event->now > start ? event->now : start) + WINDOWS * advance.window;
    if (horizon < end)
        touch.until = advance.end = horizon;
    for (uint32_t i = rigid->first[body]; i < rigid->first[body + 1]; ++i) {
        f.member = &rigid->member.data[i];
        if (scree_law_class_of(&event->classes, f.member->material, surface->material) ==
            SCREE_CONTACTS_NO_CLASS)
            continue;
        advance.bend = f.rotation->bend * f.member->reach + f.bend;
        advance.size = f.member->radius;
        const double time = scree_event_advance_find(&advance, gap_of_fall, &f);
        if (time < touch.time) {
            touch = (struct scree_event_contact){
                .time = time, .until = (double)INFINITY, .member = {i}, .surface = number};
            advance.end = time;
        }
    }
    return touch;
}

struct scree_event_contact scree_event_rigid_walls(const struct scree_event *event, uint32_t body, double end)
{
    struct scree_event_contact first = none();
    if (scree_event_rigid_is_fixed(event, body))
        return first;
    for (uint32_t s = 0; s < event->walls.surface.count; ++s) {
        const struct scree_event_contact touch = scree_event_rigid_surface(event, body, s, end);
        if (touch.time < first.time) {
            first.time = touch.time;
            first.member[0] = touch.member[0];
            first.surface = s;
            end = touch.time;
        }
        first.until = touch.until < first.until ? touch.until : first.until;
    }
    if (event->walls.shapes.shape.count > 0)
        scree_event_rigid_shapes(event, body, &first, end);
    return first;
}

// --- the next event of a body

// The next event as far as it is known.
struct next {
    double time;
    uint32_t what;
};

// Takes a touch that is earlier, or looks again when nothing more is known.
static void take(struct next *next, const struct scree_event_contact *touch, uint32_t what)
{
    const double time = touch->time < touch->until ? touch->time : touch->until;
    if (time < next->time)
        *next = (struct next){time, touch->time < touch->until ? what : SCREE_EVENT_LEAVES};
}

static struct scree_event_contact touch_of(const struct scree_event *event, uint32_t body, uint32_t other,
                                           double end)
{
    struct scree_event_contact touch = none();
    if (scree_event_rigid_concerns(event, body, other))
        return scree_event_rigid_pair(event, body, other, end);
    if (scree_law_class_of(&event->classes, event->lists.body[body].material,
                           event->lists.body[other].material) != SCREE_CONTACTS_NO_CLASS)
        touch.time = scree_event_time_of_spheres(event, body, other);
    return touch;
}

void scree_event_rigid_predict(struct scree_event *event, uint32_t body)
{
    struct scree_event_body *own = &event->lists.body[body];
    struct next next = {scree_event_time_of_leaving(event, body), SCREE_EVENT_LEAVES};
    ++event->counts.predictions;
    // looking begins up to a window earlier
    const struct scree_event_rotation *rotation = &event->rigid.rotation[body];
    scree_event_rotation_keep(rotation, event->now - angle / rotation->fastest);
    for (uint32_t n = 0; n < own->count; ++n) {
        const uint32_t other = event->lists.neighbour.data[own->start + n];
        const struct scree_event_contact touch = touch_of(event, body, other, next.time);
        // of collisions at one time that with the lowest id
        if (touch.time == next.time && touch.time < (double)INFINITY && next.what < SCREE_EVENT_WALL &&
            event->space.id[other] < event->space.id[next.what])
            next.what = other;
        take(&next, &touch, other);
    }
    if (!scree_event_rigid_concerns(event, body, body)) {
        const struct scree_event_wall_hit hit =
            scree_event_walls_next(&event->walls, &event->classes, &event->space.flight[body], own->material,
                                   scree_event_gravity(event, body), next.time);
        const struct scree_event_contact touch = {.time = hit.time, .until = (double)INFINITY};
        take(&next, &touch, SCREE_EVENT_WALL + hit.surface);
        if (event->walls.shapes.shape.count > 0)
            scree_event_meet_shapes(event, body, &next.time, &next.what);
    } else {
        const struct scree_event_contact touch = scree_event_rigid_walls(event, body, next.time);
        take(&next, &touch, SCREE_EVENT_WALL + touch.surface);
    }
    own->next = next.what;
    scree_event_queue_set(&event->queue, body, next.time);
}
