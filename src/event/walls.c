// Collisions with walls, see walls.h.

#include "event/walls.h"

#include "event/delay.h"
#include "event/predict.h"
#include "world/wall.h"
#include "world/wall_body.h"

#include <math.h>
#include <string.h>

static scree_status add_plane(struct scree_event_walls *walls, const struct scree_wall *wall, size_t row,
                              struct scree_vec3 point, struct scree_vec3 normal)
{
    // a surface that moves along itself stays where it is
    const struct scree_wall_motion motion = scree_wall_motion_now(wall);
    const struct scree_vec3 velocity = scree_vec3_load(motion.velocity);
    struct scree_event_surface surface = {.wall = (uint32_t)row,
                                          .material = wall->material,
                                          .moves = wall->by_function != 0 ||
                                                   scree_vec3_dot(velocity, normal) != 0};
    scree_vec3_store(velocity, surface.velocity);
    walls->any_moves = walls->any_moves || surface.moves;
    scree_vec3_store(point, surface.point);
    scree_vec3_store(normal, surface.normal);
    return scree_array_push(&walls->surface, surface);
}

// The faces of a container; in two dimensions those along z have no end.
static scree_status add_box(struct scree_event_walls *walls, const struct scree_wall *wall, size_t row)
{
    for (int k = 0; k < 3; ++k)
        for (int side = -1; side <= 1 && wall->size[k] < (double)INFINITY; side += 2) {
            const struct scree_vec3 axis = scree_vec3_load(wall->axes[k]);
            const struct scree_vec3 point =
                scree_vec3_add_scaled(scree_vec3_load(wall->reference), side * wall->size[k], axis);
            SCREE_TRY(add_plane(walls, wall, row, point, scree_vec3_scale(axis, -side)));
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
        const struct scree_wall *wall = scree_wall_row(world, row);
        if (is_plane(wall) && wall->shape == SCREE_WALL_PLANE)
            SCREE_TRY(add_plane(walls, wall, row, scree_vec3_load(wall->reference),
                                scree_vec3_load(wall->axes[2])));
        else if (is_plane(wall))
            SCREE_TRY(add_box(walls, wall, row));
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

void scree_event_walls_accelerate(struct scree_event_walls *walls, const struct scree_world *world)
{
    const double step = walls->end - walls->start;
    scree_event_shapes_accelerate(&walls->shapes, world);
    for (size_t s = 0; s < walls->surface.count; ++s) {
        struct scree_event_surface *surface = &walls->surface.data[s];
        const struct scree_wall *wall = scree_wall_row(world, surface->wall);
        for (int k = 0; k < 3 && wall->by_function && step > 0; ++k)
            surface->acceleration[k] = 2 * (wall->velocity[k] - surface->velocity[k]) / step;
    }
}

void scree_event_walls_free(struct scree_event_walls *walls)
{
    scree_array_free(&walls->surface);
    scree_array_free(&walls->shapes.shape);
}

// The time at which a body reaches a surface. It is computed from the later one of the times from which their
// motions are known, which is the same whenever it is asked for in this step.
static double time_of(const struct scree_event_walls *walls, const struct scree_event_surface *surface,
                      const struct scree_flight *flight, const double *gravity)
{
    const struct scree_vec3 normal = scree_vec3_load(surface->normal);
    double position[3], velocity[3], from = flight->time;
    struct scree_vec3 point = scree_vec3_load(surface->point), speed = scree_vec3_zero();
    double acceleration = gravity ? scree_vec3_dot(scree_vec3_load(gravity), normal) : 0;
    if (surface->moves) {
        from = flight->time > walls->start ? flight->time : walls->start;
        const double since = from - walls->start;
        const struct scree_vec3 change = scree_vec3_scale(scree_vec3_load(surface->acceleration), since);
        speed = scree_vec3_load(surface->velocity);
        point = scree_vec3_add_scaled(point, since, scree_vec3_add_scaled(speed, 0.5, change));
        speed = scree_vec3_add(speed, change);
        acceleration -= scree_vec3_dot(scree_vec3_load(surface->acceleration), normal);
    }
    scree_event_position(flight, gravity, from, position);
    scree_event_velocity(flight, gravity, from, velocity);
    const double gap =
        scree_vec3_dot(scree_vec3_sub(scree_vec3_load(position), point), normal) - flight->radius;
    const double approach = scree_vec3_dot(scree_vec3_sub(scree_vec3_load(velocity), speed), normal);
    return from + scree_event_delay(gap, approach, acceleration);
}

struct scree_event_wall_hit scree_event_walls_next(const struct scree_event_walls *walls,
                                                   const struct scree_law_classes *classes,
                                                   const struct scree_flight *flight, uint16_t material,
                                                   const double *gravity)
{
    struct scree_event_wall_hit hit = {.time = (double)INFINITY};
    for (uint32_t s = 0; s < walls->surface.count; ++s) {
        const struct scree_event_surface *surface = &walls->surface.data[s];
        const double time = time_of(walls, surface, flight, gravity);
        if (time < hit.time && !(surface->moves && time > walls->end) &&
            scree_law_class_of(classes, material, surface->material) != SCREE_CONTACTS_NO_CLASS)
            hit = (struct scree_event_wall_hit){time, s};
    }
    return hit;
}
