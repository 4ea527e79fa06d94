// Walls whose place is a known function of time: those that move with a constant velocity and do not turn,
// and those that vibrate. Since the start of its course the pivot of a wall has moved by
//
//     V (t - t0) + a (sin(w t + p) - sin(w t0 + p)),
//
// so collisions with it are foreseen for all times, and do not depend on steps. The course is a row of the
// world, so restarts have no influence.
//
// Invariants: at the start of a step the pivot of a wall with a course is where the course says, bit for bit;
// a wall for which this does not hold has been moved by something else, and begins a new course.

#ifndef SCREE_EVENT_COURSE_H
#define SCREE_EVENT_COURSE_H

#include "math/trigonometry.h"
#include "math/vec3.h"
#include "world/world.h"

struct scree_event_course {
    struct scree_wall_course course;
    double sine; // of the phase at its start
};

// The motion of the wall since the start of its course.
struct scree_event_coursed {
    struct scree_vec3 displacement, velocity, acceleration;
};

static inline struct scree_event_coursed scree_event_course_at(const struct scree_event_course *self,
                                                               double time)
{
    const struct scree_wall_course *course = &self->course;
    const struct scree_vec3 v = scree_vec3_load(course->velocity), a = scree_vec3_load(course->amplitude);
    struct scree_event_coursed moved = {scree_vec3_scale(v, time - course->time), v, {0, 0, 0}};
    if (!(course->rate > 0))
        return moved;
    const struct scree_sincos at = scree_sincos(course->rate * time + course->phase);
    moved.displacement = scree_vec3_add_scaled(moved.displacement, at.sin - self->sine, a);
    moved.velocity = scree_vec3_add_scaled(v, course->rate * at.cos, a);
    moved.acceleration = scree_vec3_scale(a, -course->rate * course->rate * at.sin);
    return moved;
}

// Bounds on the acceleration of the wall, and on its rate of change; and on the way that it goes in a time.
static inline double scree_event_course_force(const struct scree_wall_course *course)
{
    return course->rate * course->rate * scree_vec3_norm(scree_vec3_load(course->amplitude));
}

static inline double scree_event_course_jerk(const struct scree_wall_course *course)
{
    return course->rate * scree_event_course_force(course);
}

double scree_event_course_way(const struct scree_wall_course *course, double time);

// Whether a wall has a course, and which; and a copy of its row, as it is at the start of this course.
bool scree_event_course_of(const struct scree_world *world, size_t row, struct scree_event_course *course);
struct scree_wall scree_event_course_wall(const struct scree_wall *wall,
                                          const struct scree_event_course *course);

// Begins the courses of walls that have none that holds now. And puts walls where their courses say, at the
// end of a step.
SCREE_NODISCARD scree_status scree_event_courses_begin(struct scree_world *world);
void scree_event_courses_follow(struct scree_world *world);

#endif
