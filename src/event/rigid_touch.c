// The first contacts of rigid bodies, see rigid.h.

#include "base/processor.h"
#include "event/event.h"
#include "math/real.h"
#include "math/vec3.h"

#include <math.h>

// looking begins anew after this angle, together, and is put off beyond so many of them
static const double angle = 4;
enum { WINDOWS = 8, PERIODS = 8 };

static struct scree_event_contact none(void)
{
    return (struct scree_event_contact){.time = (double)INFINITY, .until = (double)INFINITY};
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
    struct scree_event_advance advance = {.start = start,
                                          .window = angle / scree_event_rigid_turning(event, body),
                                          .now = event->now,
                                          .end = end};
    // beside a wall that vibrates a body that hardly moves is looked at several times in each period
    const double rate = surface->has_course ? surface->course.course.rate : 0;
    if (rate * advance.window > PERIODS * 2 * SCREE_PI)
        advance.window = PERIODS * 2 * SCREE_PI / rate;
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

// Bodies whose surfaces may meet, in order of the times when the spheres around them do.
enum { MOST = 64 };
struct candidates {
    struct scree_event_approach approach[MOST];
    int order[MOST], count;
};

static void enter(struct candidates *all)
{
    int k = all->count++;
    for (; k > 0 && all->approach[all->order[k - 1]].start > all->approach[all->count - 1].start; --k)
        all->order[k] = all->order[k - 1];
    all->order[k] = all->count - 1;
}

// Takes a collision with another body; of those at one time that with the lowest id.
static void take_pair(const struct scree_event *event, struct next *next,
                      const struct scree_event_contact *touch, uint32_t other)
{
    if (touch->time == next->time && touch->time < (double)INFINITY && next->what < SCREE_EVENT_WALL &&
        event->space.id[other] < event->space.id[next->what])
        next->what = other;
    take(next, touch, other);
}

static void take_spheres(const struct scree_event *event, struct next *next, uint32_t body, uint32_t other)
{
    struct scree_event_contact touch = none();
    if (scree_law_class_of(&event->classes, event->lists.body[body].material,
                           event->lists.body[other].material) != SCREE_CONTACTS_NO_CLASS)
        touch.time = scree_event_time_of_spheres(event, body, other);
    take_pair(event, next, &touch, other);
}

// Looks at some neighbours of a body; `start` is when the spheres around both begin to overlap.
static void meet_some(const struct scree_event *event, uint32_t body, const uint32_t *neighbour,
                      const double *start, uint32_t count, struct next *next)
{
    struct candidates all;
    all.count = 0;
    for (uint32_t n = 0; n < count; ++n) {
        if (start[n] > next->time || !(start[n] < (double)INFINITY))
            continue;
        if (!scree_event_rigid_concerns(event, body, neighbour[n])) {
            take_spheres(event, next, body, neighbour[n]);
            continue;
        }
        scree_event_rigid_approach(event, body, neighbour[n], &all.approach[all.count]);
        enter(&all);
    }
    for (int k = 0; k < all.count; ++k) {
        const struct scree_event_approach *approach = &all.approach[all.order[k]];
        const uint32_t other = approach->body[approach->body[0] == body];
        const struct scree_event_contact touch = scree_event_rigid_first(event, approach, next->time);
        take_pair(event, next, &touch, other);
    }
}

static void meet_bodies(const struct scree_event *event, uint32_t body, struct next *next)
{
    const struct scree_event_body *own = &event->lists.body[body];
    const uint32_t *neighbour = event->lists.neighbour.data + own->start;
    scree_event_overlaps *overlaps =
        scree_event_search_sets[scree_processor_set()].overlaps[scree_event_flying(&event->space)];
    // bodies that fall beside others that do not are asked one by one
    const bool all_fly_alike = !(event->any_fixed && event->space.falls);
    for (uint32_t n = 0; n < own->count; n += MOST) {
        const uint32_t count = own->count - n < MOST ? own->count - n : MOST;
        double start[MOST] = {0};
        if (all_fly_alike)
            overlaps(&event->space, body, neighbour + n, count, event->now, start);
        meet_some(event, body, neighbour + n, start, count, next);
    }
}

void scree_event_rigid_predict(struct scree_event *event, uint32_t body)
{
    struct scree_event_body *own = &event->lists.body[body];
    struct next next = {scree_event_time_of_leaving(event, body), SCREE_EVENT_LEAVES};
    ++event->counts.predictions;
    // looking begins up to a window earlier
    const struct scree_event_rotation *rotation = &event->rigid.rotation[body];
    scree_event_rotation_keep(rotation, event->now - angle / rotation->fastest);
    meet_bodies(event, body, &next);
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
