// Alarms of the event engine: overlaps at the start of a run, walls at periodic faces, and collapse, see
// event.h.
//
// Inelastic bodies that come to rest on each other collide infinitely often in a finite time (McNamara and
// Young, Physics of Fluids A 4, 496, 1992). Such collisions follow each other within a tiny part of a step.
// At walls that are no planes the gap has a rounding error, so that the time between them does not go to 0;
// but bodies approach only by a tiny part of a radius before each. Once there are very many collisions of
// either kind, an alarm ends the run at that time, in the middle of the step.

#include "event/event.h"
#include "math/vec3.h"
#include "world/cell.h"

#include <math.h>
#include <stdio.h>

// A collision is quick if it follows the last one within this part of the step. It is short if bodies have
// approached since by less than this part of a radius, and moved past each other by less than that one; with
// a contact time also only if it follows within this part of it, because bodies at rest bounce in this time.
#define QUICK 1e-9
#define SHORT 1e-11
#define SHORT_ALONG 1e-6
#define SHORT_CONTACT 0.01

// Of quick ones in a step, or short ones that are at least half of all, so many and so many per body are a
// collapse.
enum { COLLAPSE_QUICK = 100000, COLLAPSE_SHORT = 1000, COLLAPSE_PER_BODY = 100 };

static const double overlap_limit = 1e-6;

scree_status scree_event_alarms_read(struct scree_event *event)
{
    const struct scree_alarms *def = &event->def.alarms;
    SCREE_TRY(scree_alarm_read(def, &event->watch));
    if (!(def->overlap > 0))
        event->watch.def.overlap = overlap_limit;
    for (int kind = 0; kind < SCREE_ALARM_KINDS; ++kind) {
        const enum scree_alarm_policy policy = def->policy[kind];
        if (policy == SCREE_ALARM_DEFAULT || kind == SCREE_ALARM_OVERLAP || kind == SCREE_ALARM_OUTSIDE ||
            kind == SCREE_ALARM_FACE || (kind == SCREE_ALARM_COLLAPSE && policy == SCREE_ALARM_STOP))
            continue;
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            kind == SCREE_ALARM_COLLAPSE
                ? "the %s engine has an alarm '%s' that can only stop a run, which would "
                  "not end otherwise"
                : "the %s engine has no alarm '%s': leave it out; it has 'overlap', "
                  "'outside', 'face' and 'collapse'",
            event->engine->ops->name, scree_alarm_name((enum scree_alarm_kind)kind));
    }
    if (def->energy > 0 || def->displacement > 0)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "the event engine has no limits of energy and displacement: leave them out");
    return SCREE_OK;
}

static struct scree_alarm alarm_at(const struct scree_event *event, enum scree_alarm_kind kind)
{
    const struct scree_clock *clock = scree_world_clock(event->world);
    return (struct scree_alarm){.kind = kind, .step = clock->steps, .time = clock->time};
}

// --- overlaps

struct overlap {
    double ratio; // to the smaller radius
    uint32_t body[2];
    uint32_t row; // of the wall
    bool wall;
};

static double distance_of(const struct scree_event *event, uint32_t one, uint32_t other)
{
    const struct scree_grain *grain = scree_world_grains(event->world);
    double d[3], u[3] = {0};
    for (int k = 0; k < 3; ++k)
        d[k] = scree_event_nearest(grain[one].position[k] - grain[other].position[k], event->space.period[k],
                                   event->space.inverse[k]);
    if (event->space.skew.present)
        scree_event_skew_nearest(&event->space.skew, event->now, 0, d, u);
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double overlap_of(const struct scree_event *event, uint32_t body, uint32_t other)
{
    const struct scree_grain *grain = scree_world_grains(event->world);
    const double a = grain[body].radius, b = grain[other].radius;
    return scree_event_rigid_concerns(event, body, other)
               ? scree_event_rigid_overlap(event, body, other)
               : (a + b - distance_of(event, body, other)) / (a < b ? a : b);
}

static double overlap_of_wall(const struct scree_event *event, uint32_t body, uint32_t number)
{
    const struct scree_event_surface *surface = &event->walls.surface.data[number];
    const struct scree_grain *grain = &scree_world_grains(event->world)[body];
    if (scree_event_rigid_concerns(event, body, body))
        return scree_event_rigid_overlap_of_wall(event, body, number);
    if (scree_law_class_of(&event->classes, event->lists.body[body].material, surface->material) ==
        SCREE_CONTACTS_NO_CLASS)
        return 0;
    struct scree_vec3 from =
        scree_vec3_sub(scree_vec3_load(grain->position), scree_vec3_load(surface->point));
    if (surface->has_course)
        from = scree_vec3_sub(from, scree_event_course_at(&surface->course, event->now).displacement);
    return 1 - scree_vec3_dot(from, scree_vec3_load(surface->normal)) / grain->radius;
}

static void look_at(const struct scree_event *event, uint32_t body, struct overlap *largest)
{
    const struct scree_event_body *own = &event->lists.body[body];
    for (uint32_t n = 0; n < own->count; ++n) {
        const uint32_t other = event->lists.neighbour.data[own->start + n];
        const double ratio = overlap_of(event, body, other);
        if (ratio > largest->ratio && (own->moves || event->lists.body[other].moves))
            *largest = (struct overlap){.ratio = ratio, .body = {body, other}};
    }
    for (uint32_t s = 0; s < event->walls.surface.count; ++s) {
        const double ratio = overlap_of_wall(event, body, s);
        if (ratio > largest->ratio && own->moves)
            *largest = (struct overlap){
                .ratio = ratio, .body = {body}, .row = event->walls.surface.data[s].wall, .wall = true};
    }
    for (size_t s = 0; s < event->walls.shapes.shape.count; ++s) {
        const struct scree_event_shape *shape = &event->walls.shapes.shape.data[s];
        const double radius = scree_world_grains(event->world)[body].radius;
        const bool rigid = scree_event_rigid_concerns(event, body, body);
        const double ratio = rigid ? scree_event_rigid_overlap_of_shape(event, body, s)
                                   : scree_event_shape_overlap(event, body, s) / radius;
        if (ratio > largest->ratio && own->moves &&
            scree_law_class_of(&event->classes, own->material, shape->wall.material) !=
                SCREE_CONTACTS_NO_CLASS)
            *largest = (struct overlap){.ratio = ratio, .body = {body}, .row = shape->row, .wall = true};
    }
}

void scree_event_check_overlaps(struct scree_event *event)
{
    struct overlap largest = {.ratio = event->watch.def.overlap};
    if (!scree_alarm_is_active(&event->watch, SCREE_ALARM_OVERLAP))
        return;
    for (uint32_t i = 0; i < event->lists.bodies; ++i)
        look_at(event, i, &largest);
    if (!(largest.ratio > event->watch.def.overlap))
        return;
    struct scree_alarm alarm = alarm_at(event, SCREE_ALARM_OVERLAP);
    const uint64_t *id = event->space.id;
    alarm.value = largest.ratio;
    alarm.limit = event->watch.def.overlap;
    alarm.body[0].value = id[largest.body[0]];
    if (largest.wall)
        alarm.wall.value = scree_entity_ids(scree_world_entity(event->world, SCREE_ENTITY_WALL))[largest.row];
    else
        alarm.body[1].value = id[largest.body[1]];
    scree_alarm_raise(
        &event->watch, &alarm,
        "body %llu overlaps %s %llu by %g of the smaller radius, limit %g: hard bodies must not overlap "
        "at the start, so move them apart",
        (unsigned long long)alarm.body[0].value, largest.wall ? "wall" : "body",
        (unsigned long long)(largest.wall ? alarm.wall.value : alarm.body[1].value), alarm.value,
        alarm.limit);
}

// --- walls at periodic faces

static bool walls_move(const struct scree_event_walls *walls)
{
    bool moves = walls->any_moves;
    for (size_t s = 0; s < walls->surface.count; ++s)
        moves = moves || walls->surface.data[s].has_course;
    for (size_t s = 0; s < walls->shapes.shape.count; ++s) {
        const struct scree_event_shape *shape = &walls->shapes.shape.data[s];
        moves = moves || shape->has_course || shape->carrier != UINT32_MAX;
    }
    return moves;
}

void scree_event_check_faces(struct scree_event *event)
{
    struct scree_alarm_watch *watch = &event->watch;
    if (!event->faces_due || watch->stopped || !scree_cell_is_periodic(event->world) ||
        !scree_alarm_is_active(watch, SCREE_ALARM_FACE))
        return;
    scree_alarm_check_faces(watch, event->world, event->largest);
    event->faces_due = watch->stopped || walls_move(&event->walls);
}

// --- collapse

static void raise_collapse(struct scree_event *event, uint32_t body, uint64_t count, const char *each)
{
    struct scree_alarm alarm = alarm_at(event, SCREE_ALARM_COLLAPSE);
    alarm.time = event->now;
    alarm.body[0].value = event->space.id[body];
    alarm.value = alarm.limit = (double)count;
    const char *advice =
        event->def.contact_time > 0
            ? "Their rebounds are too weak for the `contact-time` of the engine: give them "
              "a larger restitution, "
              "or a law whose restitution rises at low speed, such as `hard-power`"
            : "Give the engine a `contact-time`, about the duration of a contact, or a "
              "larger speed `elastic-below`, "
              "for collisions that lose nothing; move bodies that are elastic away from what "
              "they touch";
    scree_alarm_raise(
        &event->watch, &alarm,
        "body %llu and others have collided %llu times, each time %s: they "
        "come to rest on each other or on a wall by ever more collisions, or walls press them together. %s",
        (unsigned long long)alarm.body[0].value, (unsigned long long)count, each, advice);
    event->quick = event->shorts = event->counted = 0;
}

void scree_event_count_quick(struct scree_event *event, uint32_t body, double since, double speed,
                             double along)
{
    char each[80];
    const uint64_t of_bodies = COLLAPSE_PER_BODY * (uint64_t)event->lists.bodies;
    const double radius = event->space.flight[body].radius, contact = event->def.contact_time;
    const bool is_short = since * speed < SHORT * radius && since * along < SHORT_ALONG * radius &&
                          !(contact > 0 && since > SHORT_CONTACT * contact);
    ++event->counted;
    event->quick += since < QUICK * event->step ? 1 : 0;
    event->shorts += is_short ? 1 : 0;
    if (event->quick >= COLLAPSE_QUICK + of_bodies) {
        snprintf(each, sizeof each, "less than %g s after the last", QUICK * event->step);
        raise_collapse(event, body, event->quick, each);
    } else if (event->shorts >= COLLAPSE_SHORT + of_bodies && 2 * event->shorts >= event->counted) {
        snprintf(each, sizeof each, "from a distance below %g of a radius", SHORT);
        raise_collapse(event, body, event->shorts, each);
    }
}
