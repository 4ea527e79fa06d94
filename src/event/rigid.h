// Rigid bodies made of spheres or disks, and orientations, in the event engine.
//
// A body has members: spheres at places that are fixed in its principal axes; a plain sphere is its only
// member. Two bodies touch when two of their members do, which is the first contact (advance.h) of each
// pair of members, from the time when the spheres around both bodies touch. It is a function of the flights
// of both bodies alone, as for spheres.
//
// Invariants: rotations are those of the present flights; members are in order of parts.

#ifndef SCREE_EVENT_RIGID_H
#define SCREE_EVENT_RIGID_H

#include "base/array.h"
#include "event/advance.h"
#include "event/couples.h"
#include "event/rotation.h"
#include "world/world.h"

struct scree_event;
struct scree_event_surface;

struct scree_event_member {
    struct scree_vec3 offset; // from the centre of mass, in principal axes
    double reach, radius;     // length of the offset
    uint32_t part;            // 0: the body itself
    uint16_t material;
};

struct scree_event_rigid {
    bool any;                              // some body is no plain sphere or disk
    bool turns;                            // some body has an orientation
    uint32_t *first;                       // of the members of each body, and of one beyond the last
    struct scree_event_rotation *rotation; // of each body
    struct scree_event_series *series;     // of asymmetric bodies, and their number
    size_t asymmetric;
    SCREE_ARRAY(struct scree_event_member) member;
    uint32_t *block;                   // of four members, the first of each body, and of one beyond the last
    struct scree_event_orbits *orbits; // of each block
};

// A contact of a body with another, the first with the lower id, or with a wall.
struct scree_event_contact {
    double time;        // infinite if there is none
    double until;       // there is none until then, but perhaps later: infinite, or before the end asked for
    uint32_t member[2]; // numbers of members; the second is 0 at a wall
    uint32_t surface;
};

// Lists members and makes the constants of rotations; frees them.
SCREE_NODISCARD scree_status scree_event_rigid_make(struct scree_event *event);
void scree_event_rigid_free(struct scree_event_rigid *rigid);

size_t scree_event_rigid_memory(const struct scree_event *event);

// Begins the rotation of a new flight at a time; `present`: with the orientation in the record of the body,
// else with that of the present flight. And goes on with the rotation of a flight of the record.
void scree_event_rigid_turn_off(struct scree_event *event, uint32_t body, double time, bool present);
void scree_event_rigid_resume(struct scree_event *event, uint32_t body);

// Writes orientations and spins of the present time to the records.
void scree_event_rigid_show(struct scree_event *event);

// About the square of the speed at which the surface of a clump turns, from what does not change in flight;
// 0 for spheres.
double scree_event_rigid_square(const struct scree_world *world, size_t body);

// Whether no collision can change the motion of a body.
bool scree_event_rigid_is_fixed(const struct scree_event *event, uint32_t body);

// The fastest that the members of a body turn about its centre; 0 if they are at the centre.
double scree_event_rigid_turning(const struct scree_event *event, uint32_t body);

// Whether two bodies, or a body alone, need what follows.
bool scree_event_rigid_concerns(const struct scree_event *event, uint32_t one, uint32_t other);

// Two bodies while the spheres around them may overlap, from the later one of the starts of their flights on.
// Positions are relative: of the second, which has the higher id, from the first.
struct scree_event_approach {
    uint32_t body[2];
    double later;
    double start, end; // of the overlap; infinite if it has none
    struct scree_vec3 apart, speed, fall;
};
void scree_event_rigid_approach(const struct scree_event *event, uint32_t one, uint32_t other,
                                struct scree_event_approach *approach);

// Their first contact, up to an end.
struct scree_event_contact scree_event_rigid_first(const struct scree_event *event,
                                                   const struct scree_event_approach *approach, double end);

// The first contact of two bodies, or of a body with walls, or with one surface, up to an end.
struct scree_event_contact scree_event_rigid_pair(const struct scree_event *event, uint32_t one,
                                                  uint32_t other, double end);
struct scree_event_contact scree_event_rigid_walls(const struct scree_event *event, uint32_t body,
                                                   double end);
struct scree_event_contact scree_event_rigid_surface(const struct scree_event *event, uint32_t body,
                                                     uint32_t surface, double end);

// The first contact with a wall that is no plane, if it is before `best`, up to an end; that with one of its
// surfaces; a member at a surface now; and the largest overlap with one.
struct scree_event_near;
void scree_event_rigid_shapes(const struct scree_event *event, uint32_t body,
                              struct scree_event_contact *best, double end);
struct scree_event_contact scree_event_rigid_shape(const struct scree_event *event, uint32_t body,
                                                   uint32_t surface, double end);
struct scree_event_near scree_event_rigid_at_shape(const struct scree_event *event, uint32_t body,
                                                   uint32_t member, uint32_t surface);
double scree_event_rigid_overlap_of_shape(const struct scree_event *event, uint32_t body, size_t shape);

// Whether a body meets the walls that another one carries before its next event, or has to look again.
bool scree_event_rigid_meets_carrier(const struct scree_event *event, uint32_t body, uint32_t carrier);

// The gap of two members, or of a member and a wall, at the time from which predictions begin.
struct scree_event_gap scree_event_rigid_gap(const struct scree_event *event, const uint32_t body[2],
                                             const uint32_t member[2]);
struct scree_event_gap scree_event_rigid_gap_of_wall(const struct scree_event *event, uint32_t body,
                                                     uint32_t member, uint32_t surface);

// The largest overlap of two bodies, or of a body and a surface, now, in smaller radii; not below 0.
double scree_event_rigid_overlap(const struct scree_event *event, uint32_t one, uint32_t other);
double scree_event_rigid_overlap_of_wall(const struct scree_event *event, uint32_t body, uint32_t surface);

// Looks for the next event of a body in a world with rigid bodies and enters it in the queue.
void scree_event_rigid_predict(struct scree_event *event, uint32_t body);

// Executes a collision now.
void scree_event_rigid_collide_pair(struct scree_event *event, uint32_t first, uint32_t second);
void scree_event_rigid_collide_wall(struct scree_event *event, uint32_t body, uint32_t surface);

#endif
