// Collisions with walls, see walls.h.

#include "event/walls.h"

#include "event/predict.h"
#include "world/wall.h"
#include "world/wall_body.h"

#include <math.h>
#include <string.h>

static scree_status add_plane(struct scree_event_walls *walls, const struct scree_wall *wall, size_t row,
                              const struct scree_event_course *course, struct scree_vec3 point,
                              struct scree_vec3 normal)
{
    // a surface that moves along itself stays where it is
    const struct scree_wall_motion motion = scree_wall_motion_now(wall);
    const struct scree_vec3 velocity = scree_vec3_load(motion.velocity);
    struct scree_event_surface surface = {.wall = (uint32_t)row, .material = wall->material};
    if (course) {
        surface.has_course = true;
        surface.course = *course;
        surface.drift = scree_vec3_dot(scree_vec3_load(course->course.velocity), normal);
        surface.swing = scree_vec3_dot(scree_vec3_load(course->course.amplitude), normal);
    } else {
        surface.moves = wall->by_function != 0 || scree_vec3_dot(velocity, normal) != 0;
        scree_vec3_store(velocity, surface.velocity);
    }
    walls->any_moves = walls->any_moves || surface.moves;
    scree_vec3_store(point, surface.point);
    scree_vec3_store(normal, surface.normal);
    return scree_array_push(&walls->surface, surface);
}

// The faces of a container; in two dimensions those along z have no end.
static scree_status add_box(struct scree_event_walls *walls, const struct scree_wall *wall, size_t row,
                            const struct scree_event_course *course)
{
    for (int k = 0; k < 3; ++k)
        for (int side = -1; side <= 1 && wall->size[k] < (double)INFINITY; side += 2) {
            const struct scree_vec3 axis = scree_vec3_load(wall->axes[k]);
            const struct scree_vec3 point =
                scree_vec3_add_scaled(scree_vec3_load(wall->reference), side * wall->size[k], axis);
            SCREE_TRY(add_plane(walls, wall, row, course, point, scree_vec3_scale(axis, -side)));
        }
    return SCREE_OK;
}

// Planes that neither turn nor move with a body, also those of a box around the bodies.
static bool is_plane(const struct scree_wall *wall)
{
    const struct scree_wall_motion now = scree_wall_motion_now(wall);
    bool turns = scree_wall_follows(wall);
    for (int k = 0; k < 3; ++k)
        turns = turns || wall->spin[k] != 0 || now.spin[k] != 0;
    return !turns && (wall->shape == SCREE_WALL_PLANE ||
                      (wall->shape == SCREE_WALL_BOX && wall->side == SCREE_WALL_INSIDE));
}

static scree_status add_planes(struct scree_event_walls *walls, const struct scree_world *world)
{
    for (size_t row = 0; row < scree_wall_rows(world); ++row) {
        struct scree_wall wall = *scree_wall_row(world, row);
        struct scree_event_course course, *known = NULL;
        if (!is_plane(&wall))
            continue;
        if (scree_event_course_of(world, row, &course)) {
            known = &course;
            wall = scree_event_course_wall(&wall, known);
        }
        if (wall.shape == SCREE_WALL_PLANE)
            SCREE_TRY(add_plane(walls, &wall, row, known, scree_vec3_load(wall.reference),
                                scree_vec3_load(wall.axes[2])));
        else
            SCREE_TRY(add_box(walls, &wall, row, known));
    }
    return SCREE_OK;
}

scree_status scree_event_walls_make(struct scree_event_walls *walls, const struct scree_world *world,
                                    double start, double end)
{
    struct scree_event_shapes *shapes = &walls->shapes;
    walls->surface.count = shapes->shape.count = 0;
    walls->any_moves = shapes->any_moves = false;
    shapes->flight = scree_world_flights(world);
    scree_event_walls_set_step(walls, start, end);
    SCREE_TRY(add_planes(walls, world));
    uint32_t number = (uint32_t)walls->surface.count;
    for (size_t row = 0; row < scree_wall_rows(world); ++row) {
        if (is_plane(scree_wall_row(world, row)))
            continue;
        SCREE_TRY(scree_event_shapes_add(shapes, world, row, number));
        number += shapes->shape.data[shapes->shape.count - 1].count;
    }
    walls->any_moves = walls->any_moves || shapes->any_moves;
    return SCREE_OK;
}

void scree_event_walls_set_step(struct scree_event_walls *walls, double start, double end)
{
    walls->start = walls->shapes.start = start;
    walls->end = walls->shapes.end = end;
}

uint32_t scree_event_walls_row(const struct scree_event_walls *walls, uint32_t surface)
{
    return surface < walls->surface.count ? walls->surface.data[surface].wall
                                          : scree_event_shapes_of(&walls->shapes, surface)->row;
}

double scree_event_walls_force(const struct scree_event_walls *walls, uint32_t number)
{
    if (number < walls->surface.count) {
        const struct scree_event_surface *surface = &walls->surface.data[number];
        return surface->has_course ? scree_event_course_force(&surface->course.course) : 0;
    }
    const struct scree_event_shape *shape = scree_event_shapes_of(&walls->shapes, number);
    return shape->has_course ? scree_event_course_force(&shape->course.course) : 0;
}

void scree_event_walls_accelerate(struct scree_event_walls *walls, const struct scree_world *world)
{
    const double step = walls->end - walls->start;
    scree_event_shapes_accelerate(&walls->shapes, world);
    for (size_t s = 0; s < walls->surface.count; ++s) {
        struct scree_event_surface *surface = &walls->surface.data[s];
        const struct scree_wall *wall = scree_wall_row(world, surface->wall);
        for (int k = 0; k < 3 && surface->moves && wall->by_function && step > 0; ++k)
            surface->acceleration[k] = 2 * (wall->velocity[k] - surface->velocity[k]) / step;
    }
}

void scree_event_walls_free(struct scree_event_walls *walls)
{
    scree_array_free(&walls->surface);
    scree_array_free(&walls->shapes.shape);
}

// Of the gap to a surface with a course, a few units in the last place of its parts.
static double rounding_of(const struct scree_event_surface *surface, const double position[3], double time)
{
    const struct scree_wall_course *course = &surface->course.course;
    double size = fabs(surface->drift * (time - course->time)) +
                  fabs(surface->swing) * (2 + fabs(course->rate * time + course->phase));
    for (int k = 0; k < 3; ++k)
        size += fabs(surface->normal[k]) * (fabs(position[k]) + fabs(surface->point[k]));
    return 0x1p-51 * size;
}

struct scree_event_fall scree_event_walls_fall(const struct scree_event_walls *walls,
                                               const struct scree_event_surface *surface,
                                               const struct scree_flight *flight, const double *gravity,
                                               double radius)
{
    const struct scree_vec3 normal = scree_vec3_load(surface->normal);
    const struct scree_wall_course *course = &surface->course.course;
    double position[3], velocity[3], start = flight->time;
    struct scree_vec3 point = scree_vec3_load(surface->point), speed = scree_vec3_zero();
    struct scree_event_fall fall = {.from = flight->time};
    fall.pull = gravity ? scree_vec3_dot(scree_vec3_load(gravity), normal) : 0;
    if (surface->moves || surface->has_course)
        start = surface->moves ? walls->start : course->time;
    fall.from = flight->time > start ? flight->time : start;
    if (surface->moves) {
        const double since = fall.from - walls->start;
        const struct scree_vec3 change = scree_vec3_scale(scree_vec3_load(surface->acceleration), since);
        speed = scree_vec3_load(surface->velocity);
        point = scree_vec3_add_scaled(point, since, scree_vec3_add_scaled(speed, 0.5, change));
        speed = scree_vec3_add(speed, change);
        fall.pull -= scree_vec3_dot(scree_vec3_load(surface->acceleration), normal);
    }
    scree_event_position(flight, gravity, fall.from, position);
    scree_event_velocity(flight, gravity, fall.from, velocity);
    fall.mean = scree_vec3_dot(scree_vec3_sub(scree_vec3_load(position), point), normal) - radius;
    fall.rate = scree_vec3_dot(scree_vec3_sub(scree_vec3_load(velocity), speed), normal);
    if (surface->has_course) {
        fall.mean -= surface->drift * (fall.from - course->time) - surface->swing * surface->course.sine;
        fall.rate -= surface->drift;
        fall.swing = surface->swing;
        fall.angular = course->rate;
        fall.phase = course->phase;
        fall.touch = rounding_of(surface, position, fall.from) + 0x1p-51 * radius;
    }
    return fall;
}

struct scree_vec3 scree_event_walls_point(const struct scree_event_walls *walls,
                                          const struct scree_event_surface *surface, double time)
{
    const struct scree_vec3 point = scree_vec3_load(surface->point);
    if (surface->has_course)
        return scree_vec3_add(point, scree_event_course_at(&surface->course, time).displacement);
    if (!surface->moves)
        return point;
    const double since = time - walls->start;
    const struct scree_vec3 velocity = scree_vec3_add_scaled(scree_vec3_load(surface->velocity), 0.5 * since,
                                                             scree_vec3_load(surface->acceleration));
    return scree_vec3_add_scaled(point, since, velocity);
}

struct scree_vec3 scree_event_walls_velocity(const struct scree_event_walls *walls,
                                             const struct scree_event_surface *surface, double time)
{
    if (surface->has_course)
        return scree_event_course_at(&surface->course, time).velocity;
    return scree_vec3_add_scaled(scree_vec3_load(surface->velocity), time - walls->start,
                                 scree_vec3_load(surface->acceleration));
}

struct scree_event_wall_hit scree_event_walls_next(const struct scree_event_walls *walls,
                                                   const struct scree_law_classes *classes,
                                                   const struct scree_flight *flight, uint16_t material,
                                                   const double *gravity, double until)
{
    struct scree_event_wall_hit hit = {.time = (double)INFINITY};
    for (uint32_t s = 0; s < walls->surface.count; ++s) {
        const struct scree_event_surface *surface = &walls->surface.data[s];
        const struct scree_event_fall fall =
            scree_event_walls_fall(walls, surface, flight, gravity, flight->radius);
        const double time = scree_event_fall_time(&fall, hit.time < until ? hit.time : until);
        if (time < hit.time && !(surface->moves && time > walls->end) &&
            scree_law_class_of(classes, material, surface->material) != SCREE_CONTACTS_NO_CLASS)
            hit = (struct scree_event_wall_hit){time, s};
    }
    return hit;
}
