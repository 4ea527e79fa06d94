// The private side of the event engine.
//
// The state of a body is its flight: position, velocity and time of its last collision, a row of the entity
// "body". The rest follows from the flights and can be made again at any time: neighbour lists, the next
// event of each body, the queue. The next collision is the least, by time and then by ids, of the collisions
// of all pairs and walls, each of which is a function of the flights alone; so neither the lists, nor when
// events were predicted, nor a restart changes the motion.
//
// Invariants: while the engine is ready, every body has one event in the queue, not later than its next
// collision as its present list knows it. An event is out of date if its partner has collided since: then
// their collision has another time, and the next event of the body is looked for again.

#ifndef SCREE_EVENT_EVENT_H
#define SCREE_EVENT_EVENT_H

#include "contact/interaction.h"
#include "engine/alarm.h"
#include "engine/engine.h"
#include "event/draws.h"
#include "event/lists.h"
#include "event/piston.h"
#include "event/predict.h"
#include "event/queue.h"
#include "event/rigid.h"
#include "event/walls.h"

#include <scree/event.h>

// What happens to a body next: a collision with another body, whose slot it is, or with a wall, or it gets so
// far from its place that its list must be built again.
enum {
    SCREE_EVENT_LEAVES = SCREE_EVENT_NONE,
    SCREE_EVENT_WALL = 1 << 30 // plus the number of a surface
};

struct scree_event {
    struct scree_engine *engine;
    struct scree_world *world;
    struct scree_event_def def;
    struct scree_event_counts counts;
    struct scree_alarm_watch watch;
    scree_event_observer *observer; // null for none
    void *observer_user;
    uint64_t quick;  // collisions of this step that follow the last one of a body almost at once
    uint64_t shorts; // those in which bodies have approached by almost nothing since, also of the last steps
    uint64_t shorts_before, counted; // the same at the start of the step; all since `shorts` was 0
    double step;                     // of the next interval
    double now, end;                 // time of the last event, and end of the present step
    bool overlaps_due;               // overlaps of an edited state have not been checked, or stopped a run
    bool faces_due;                  // walls have not been checked at periodic faces where they are, or move
    double largest;                  // radius of all grains, m
    bool ready;                      // lists and events exist, for the world of these versions
    uint64_t body_version, wall_version, rule_version;
    uint64_t rebuilds_ordered; // count of rebuilds when rows were sorted in space
    bool any_fixed;            // some body is fixed in place
    double strained;           // strain of a cell with cell vectors since the lists were made
    struct scree_law_classes classes;
    struct scree_event_space space;
    struct scree_event_lists lists;
    struct scree_event_queue queue;
    struct scree_event_walls walls;
    struct scree_event_pistons pistons;
    struct scree_event_rigid rigid;
    struct scree_event_draws draws; // of a stochastic engine
};

extern const struct scree_engine_ops scree_event_engine, scree_stochastic_engine;

// Looks for the next event of a body and enters it in the queue.
void scree_event_predict(struct scree_event *event, uint32_t body);

// The time of the collision of two bodies, the bits of what predictions find; infinite if there is none. And
// that of the spheres around two bodies.
double scree_event_time_of_pair(const struct scree_event *event, uint32_t one, uint32_t other);
double scree_event_time_of_spheres(const struct scree_event *event, uint32_t one, uint32_t other);

// The time at which a body gets half of the margin away from its place, or somewhat earlier if it falls.
double scree_event_time_of_leaving(const struct scree_event *event, uint32_t body);

// Counts the free path of a body that ends at a position, if the world counts them.
void scree_event_count_path(const struct scree_event *event, uint32_t body, const double position[3]);

// The velocity of a surface at a contact point, now.
struct scree_vec3 scree_event_wall_velocity(const struct scree_event *event, uint32_t surface,
                                            struct scree_vec3 point, struct scree_vec3 normal);

// Executes the collision of two bodies, or of a body with a surface, now; both have new flights then.
void scree_event_collide_pair(struct scree_event *event, uint32_t first, uint32_t second);
void scree_event_collide_wall(struct scree_event *event, uint32_t body, uint32_t surface);

// Executes a collision of two bodies that has been drawn, now; both have new flights then. And one of a body
// with a fictitious partner: returns the energy of rotation that the body has gained, or what keeps its spin,
// with its half of the loss. And changes the velocity of a body.
void scree_event_collide_drawn(struct scree_event *event, const struct scree_event_drawn *drawn);
double scree_event_collide_fictitious(struct scree_event *event, const struct scree_event_drawn *drawn);
void scree_event_push(struct scree_event *event, const struct scree_event_occupant *body,
                      struct scree_vec3 change);

// The position, in the periodic cell, and the velocity of a body now, and its number of periods from the
// cell.
void scree_event_find(const struct scree_event *event, uint32_t body, double position[3], double velocity[3],
                      int64_t turns[3]);

// Begins a new flight of a body at a time, with a velocity; its position is brought into the cell.
void scree_event_take_off(struct scree_event *event, uint32_t body, double time, const double position[3],
                          const double velocity[3]);

// Replaces the next event of a body by an earlier collision with a wall that is no plane, see shapes.h.
void scree_event_meet_shapes(const struct scree_event *event, uint32_t body, double *time, uint32_t *next);

// Whether a body meets such a wall that moves before its next event.
bool scree_event_meets_moving_shape(const struct scree_event *event, uint32_t body);

// The distance that a wall with a carrier or a course may go in a time from now on; 0 without, infinite if
// the time is.
double scree_event_way_of_shape(const struct scree_event *event, const struct scree_event_shape *shape,
                                double time);

// Looks again for the next events of all bodies that now meet the walls of a body before them.
void scree_event_meet_carrier(struct scree_event *event, uint32_t carrier);

// Whether the event of a body with a surface is up to date: a piston may have another flight since.
bool scree_event_wall_is_due(const struct scree_event *event, uint32_t body, uint32_t surface);

// The depth of a body in such a wall, at the positions of the world; not above 0 if they do not overlap.
double scree_event_shape_overlap(const struct scree_event *event, uint32_t body, size_t shape);

static inline bool scree_event_is_piston(const struct scree_event *event, uint32_t body)
{
    return event->lists.body[body].moves == SCREE_EVENT_MOVES_WALLS;
}

// The acceleration of a body by gravity; null for none.
static inline const double *scree_event_gravity(const struct scree_event *event, uint32_t body)
{
    if (event->pistons.count > 0 && scree_event_is_piston(event, body))
        return scree_event_piston_of(&event->pistons, body)->fall;
    return event->space.falls && event->lists.body[body].moves ? event->space.gravity : NULL;
}

// Fails if the world has what the engine does not know.
SCREE_NODISCARD scree_status scree_event_check(const struct scree_event *event);

// Reads the settings of alarms. Checks the overlaps of all pairs and walls, and
// the places of walls at periodic faces. Counts a collision that follows
// the last one of its sides by `since`, with the speeds at which they approach and move in all: raises the
// alarm of collapse.
SCREE_NODISCARD scree_status scree_event_alarms_read(struct scree_event *event);
void scree_event_check_overlaps(struct scree_event *event);
void scree_event_check_faces(struct scree_event *event);
void scree_event_count_quick(struct scree_event *event, uint32_t body, double since, double speed,
                             double along);

// Makes lists and events for the present flights; edited bodies begin new ones.
SCREE_NODISCARD scree_status scree_event_prepare(struct scree_event *event);

// Begins a step from the present time to its end: finds collisions with walls that move in it.
SCREE_NODISCARD scree_status scree_event_begin_step(struct scree_event *event);

// Brings the world to the present time; and goes on with the flights, before anything else is done.
void scree_event_show(struct scree_event *event);
void scree_event_hide(struct scree_event *event);

// The automatic step of bodies with this mean square speed; 0 if nothing moves.
double scree_event_step_at(const struct scree_event *event, double square);

// The functions of an engine's table that event and stochastic engines share.
SCREE_NODISCARD scree_status scree_event_begin(struct scree_event *event, struct scree_engine *engine,
                                               struct scree_world *world, const struct scree_event_def *def);
SCREE_NODISCARD scree_status scree_event_advance(void *self, struct scree_world *world, uint64_t steps,
                                                 double until);
SCREE_NODISCARD scree_status scree_event_sync(void *self, struct scree_world *world);
void scree_event_end(void *self, struct scree_world *world);
SCREE_NODISCARD scree_status scree_event_set_step(void *self, double step);
SCREE_NODISCARD scree_status scree_event_next_step(void *self, double *step);

// Goes on after a change of the world, or if there was none.
SCREE_NODISCARD scree_status scree_event_resume(struct scree_event *event);

#endif
