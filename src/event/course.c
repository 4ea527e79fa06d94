// Courses of walls, see course.h.

#include "event/course.h"

#include "world/wall.h"
#include "world/wall_vibration.h"

#include <string.h>

static struct scree_wall_course *row_of(const struct scree_world *world, size_t row)
{
    struct scree_wall_course *rows =
        (struct scree_wall_course *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_COURSE);
    return rows ? &rows[row] : NULL;
}

static bool is_zero(const double *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

// The motion of a wall that can have a course, from the present time and place on; returns false for others.
static bool read_motion(const struct scree_world *world, size_t row, struct scree_wall_course *course)
{
    const struct scree_wall *wall = scree_wall_row(world, row);
    const struct scree_wall_vibration *vibration = NULL;
    if (wall->by_function == SCREE_WALL_BY_FUNCTION)
        vibration = scree_wall_vibration_of(world, row);
    *course = (struct scree_wall_course){.time = scree_world_clock(world)->time};
    memcpy(course->place, wall->pivot, sizeof course->place);
    if (vibration) {
        memcpy(course->velocity, vibration->velocity, sizeof course->velocity);
        scree_wall_vibration_amplitude(vibration, course->amplitude);
        course->rate = scree_wall_vibration_rate(vibration);
        course->phase = vibration->phase;
        return true;
    }
    memcpy(course->velocity, wall->velocity, sizeof course->velocity);
    return wall->by_function == 0 && !is_zero(wall->velocity) && is_zero(wall->spin);
}

static struct scree_event_course make(const struct scree_wall_course *course)
{
    const bool vibrates = course->rate > 0;
    return (struct scree_event_course){*course,
                                       vibrates ? scree_sin(course->rate * course->time + course->phase) : 0};
}

static struct scree_vec3 place_at(const struct scree_wall_course *course, double time)
{
    const struct scree_event_course self = make(course);
    return scree_vec3_add(scree_vec3_load(course->place), scree_event_course_at(&self, time).displacement);
}

// Whether a wall that moves like `now` from here on has moved like `past` until now.
static bool goes_on(const struct scree_wall_course *past, const struct scree_wall_course *now)
{
    const struct scree_vec3 place = place_at(past, now->time);
    bool same = past->rate == now->rate && past->phase == now->phase && place.x == now->place[0] &&
                place.y == now->place[1] && place.z == now->place[2];
    for (int k = 0; k < 3; ++k)
        same = same && past->velocity[k] == now->velocity[k] && past->amplitude[k] == now->amplitude[k];
    return same;
}

scree_status scree_event_courses_begin(struct scree_world *world)
{
    for (size_t row = 0; row < scree_wall_rows(world); ++row) {
        struct scree_wall_course now;
        if (!read_motion(world, row, &now))
            continue;
        SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_WALL), SCREE_WALL_COURSE));
        struct scree_wall_course *past = row_of(world, row);
        if (!goes_on(past, &now))
            *past = now;
    }
    return SCREE_OK;
}

bool scree_event_course_of(const struct scree_world *world, size_t row, struct scree_event_course *course)
{
    struct scree_wall_course now;
    if (!row_of(world, row) || !read_motion(world, row, &now))
        return false;
    *course = make(row_of(world, row));
    return true;
}

static void put(struct scree_wall *wall, struct scree_vec3 place)
{
    scree_vec3_store(place, wall->anchor_pivot);
    memset(wall->pivot_rest, 0, sizeof wall->pivot_rest);
    memcpy(wall->anchor_orientation, wall->orientation, sizeof wall->anchor_orientation);
    wall->elapsed = wall->elapsed_rest = 0;
    scree_wall_update(wall);
}

struct scree_wall scree_event_course_wall(const struct scree_wall *wall,
                                          const struct scree_event_course *course)
{
    struct scree_wall copy = *wall;
    put(&copy, scree_vec3_load(course->course.place));
    return copy;
}

void scree_event_courses_follow(struct scree_world *world)
{
    const double time = scree_world_clock(world)->time;
    for (size_t row = 0; row < scree_wall_rows(world); ++row) {
        struct scree_event_course course;
        if (scree_event_course_of(world, row, &course))
            put(scree_wall_row(world, row), place_at(&course.course, time));
    }
}

double scree_event_course_way(const struct scree_wall_course *course, double time)
{
    const double far = scree_vec3_norm(scree_vec3_load(course->amplitude)), swing = far * course->rate * time;
    const double drift = scree_vec3_norm(scree_vec3_load(course->velocity));
    return (drift > 0 ? drift * time : 0) + (swing < 2 * far ? swing : far > 0 ? 2 * far : 0);
}
