// Walls of the event engine: surfaces that bodies collide with, and the times when they do.
#ifndef SCREE_EVENT_WALLS_H
#define SCREE_EVENT_WALLS_H

#include "base/array.h"
#include "contact/interaction.h"
#include "event/course.h"
#include "event/fall.h"
#include "event/shapes.h"
#include "world/world.h"

// A plane of a wall: the wall itself, or a face of a container box.
struct scree_event_surface {
    uint32_t wall; // row
    uint16_t material;
    bool moves;             // in a way that is known for the present step only
    bool has_course;        // moves in a way that is known for all times, see course.h
    double point[3];        // at the start of the step, or of the course
    double normal[3];       // towards the bodies
    double velocity[3];     // at the start of the step
    double acceleration[3]; // in the step: not 0 if a function moves the wall
    struct scree_event_course course;
    double drift, swing; // parts of its velocity and of its amplitude along the normal
};

struct scree_event_walls {
    SCREE_ARRAY(struct scree_event_surface) surface;
    struct scree_event_shapes shapes; // their surfaces have the numbers after those of planes
    bool any_moves;                   // planes or shapes, in a way that is known for the present step only
    double start, end;                // of the step
};

// Lists the surfaces of all walls, for a step from `start` to `end`: planes that do not turn, and shapes.
SCREE_NODISCARD scree_status scree_event_walls_make(struct scree_event_walls *walls,
                                                    const struct scree_world *world, double start,
                                                    double end);

void scree_event_walls_set_step(struct scree_event_walls *walls, double start, double end);

// The largest acceleration of a wall that vibrates, by the number of a surface of it; 0 for others.
double scree_event_walls_force(const struct scree_event_walls *walls, uint32_t surface);

// The row of the wall of a surface.
uint32_t scree_event_walls_row(const struct scree_event_walls *walls, uint32_t surface);

// Sets the accelerations of walls that move by functions, once their velocities are those of the middle of
// the step: so they get where these velocities lead, and their velocity changes in between, with errors of
// order 2.
void scree_event_walls_accelerate(struct scree_event_walls *walls, const struct scree_world *world);

void scree_event_walls_free(struct scree_event_walls *walls);

// The way of the centre of a body in flight to a surface, from the later one of the times from which their
// motions are known, which is the same whenever it is asked for in this step; less `radius`. Gravity may be
// null.
struct scree_event_fall scree_event_walls_fall(const struct scree_event_walls *walls,
                                               const struct scree_event_surface *surface,
                                               const struct scree_flight *flight, const double *gravity,
                                               double radius);

// A point of a surface at a time, which moves with it; and the velocity of its wall.
struct scree_vec3 scree_event_walls_point(const struct scree_event_walls *walls,
                                          const struct scree_event_surface *surface, double time);
struct scree_vec3 scree_event_walls_velocity(const struct scree_event_walls *walls,
                                             const struct scree_event_surface *surface, double time);

// The first collision of a body in flight with a plane up to `until`. A collision with a surface of which the
// motion is known for the present step only counts only up to its end: in the next one it is computed anew
// from where the surface is then, so that it does not depend on the step in which it was foreseen.
struct scree_event_wall_hit scree_event_walls_next(const struct scree_event_walls *walls,
                                                   const struct scree_law_classes *classes,
                                                   const struct scree_flight *flight, uint16_t material,
                                                   const double *gravity, double until);

#endif
