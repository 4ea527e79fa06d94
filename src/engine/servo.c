// Servo control in a step, see include/scree/servo.h: the rule of PFC's servo walls, extended by the number
// of steps between two actions.
//
// Invariant: a servo acts when the forces and energies of a step are complete, so the new velocity is part of
// the state at the end of the step, and the ledger of contacts uses it from then on. Forces and stiffnesses
// are summed independently of order. Contact lists stay valid: each step adds the displacement of walls
// to the used part of the skin.

#include "engine/servo.h"

#include "base/sum.h"
#include "contact/evaluate_one.h"
#include "world/grain.h"
#include "world/group.h"
#include "world/servo.h"
#include "world/wall.h"

#include <math.h>

// Sums over the walls of a servo, along its direction.
struct totals {
    double force;     // on bodies
    double stiffness; // of the contacts
};

static double along(const double *direction, struct scree_law_vector v)
{
    return direction[0] * v.x + direction[1] * v.y + direction[2] * v.z;
}

// The velocity of a wall with its component along the servo's direction replaced.
static struct scree_vec3 with_component(const struct scree_wall *wall, const struct scree_servo *servo,
                                        double velocity)
{
    const struct scree_vec3 now = scree_vec3_load(wall->velocity);
    const struct scree_vec3 direction = scree_vec3_load(servo->direction);
    return scree_vec3_add_scaled(now, velocity - scree_vec3_dot(now, direction), direction);
}

// Evaluates a contact as if its wall had another velocity along the direction.
static bool evaluate_moved(const struct scree_evaluator *evaluator, const struct scree_servo *servo,
                           const struct scree_wall *wall, size_t contact, double velocity,
                           struct scree_evaluated *evaluated)
{
    const struct scree_wall_contacts *walls = &evaluator->world->contacts.walls;
    const double *history = walls->stride > 0 ? walls->history + contact * walls->stride : NULL;
    const struct scree_grain *grain = scree_evaluate_one_grain(evaluator->world, walls->pair[contact].low);
    struct scree_wall moved = *wall;
    scree_vec3_store(with_component(wall, servo, velocity), moved.velocity);
    return grain && scree_evaluate_one_wall(evaluator, grain, &moved, walls->feature[contact], history,
                                            walls->stride, evaluated);
}

// Sums at the present velocity of the walls, or, if `velocity` is not null, as if they had that velocity.
static struct totals measure(const struct scree_world *world, const struct scree_servo *servo, uint64_t mask,
                             const double *velocity)
{
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    struct scree_sum force = {0}, stiffness = {0};
    for (size_t c = 0; c < walls->count; ++c) {
        if (!walls->live[c])
            continue;
        const struct scree_wall *wall = scree_evaluate_one_wall_of(world, c);
        struct scree_evaluated evaluated;
        if (!wall || !(scree_group_of_wall(world, (size_t)(wall - scree_wall_row(world, 0))) & mask) ||
            !(velocity ? evaluate_moved(&evaluator, servo, wall, c, *velocity, &evaluated)
                       : scree_evaluate_one_wall_contact(&evaluator, c, &evaluated)))
            continue;
        const double cosine = along(servo->direction, evaluated.normal);
        scree_sum_add(&force, along(servo->direction, evaluated.force));
        scree_sum_add(&stiffness, evaluated.stiffness[0] * cosine * cosine +
                                      evaluated.stiffness[1] * (1 - cosine * cosine));
    }
    return (struct totals){scree_sum_value(&force), scree_sum_value(&stiffness)};
}

// force / drag, limited to the largest velocity of the servo.
static double limited_velocity(const struct scree_servo *servo, double force, double drag)
{
    const double size = force < 0 ? -force : force;
    const double speed = size < drag * servo->largest ? size / drag : servo->largest;
    return force < 0 ? -speed : speed;
}

static double choose(const struct scree_world *world, const struct scree_servo *servo, uint64_t mask,
                     const struct totals *now)
{
    const double error = servo->force - now->force, size = error < 0 ? -error : error;
    const double target = servo->force < 0 ? -servo->force : servo->force;
    if (size <= servo->tolerance * target)
        return 0;
    const double springs = now->stiffness * (double)servo->every * scree_world_clock(world)->step;
    const double trial = limited_velocity(servo, servo->gain * error, springs),
                 change = trial - servo->velocity;
    if (!(springs > 0) || change == 0)
        return trial;
    const double difference = measure(world, servo, mask, &trial).force - now->force;
    const double dashpots = difference / change > 0 ? difference / change : 0;
    return limited_velocity(servo, servo->gain * error + dashpots * servo->velocity, springs + dashpots);
}

static void set_velocity(struct scree_world *world, const struct scree_servo *servo, uint64_t mask)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        double velocity[3];
        if (!(scree_group_of_wall(world, w) & mask))
            continue;
        scree_vec3_store(with_component(wall, servo, servo->velocity), velocity);
        // do not set an unchanged velocity, which would restart the motion from the present position
        if (velocity[0] != wall->velocity[0] || velocity[1] != wall->velocity[1] ||
            velocity[2] != wall->velocity[2])
            scree_wall_set_motion(world, w, velocity, wall->spin);
    }
}

// Without a given largest speed the walls move by at most this fraction of the smallest radius in a step.
static const double default_displacement = 1e-4;

// Sets a default that depends on the grains and the step, once there are grains.
static void set_largest(const struct scree_world *world, struct scree_servo *servo)
{
    double radius = (double)INFINITY;
    for (size_t i = 0; i < scree_grain_count(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        radius = grain->radius > 0 && grain->radius < radius ? grain->radius : radius;
    }
    if (isfinite(radius))
        servo->largest = default_displacement * radius / scree_world_clock(world)->step;
}

// The area of a sample follows its walls, or a function.
static scree_status set_force(struct scree_world *world, struct scree_servo *servo, uint64_t mask)
{
    double area = 0;
    if (servo->area_by_function > 0) {
        SCREE_TRY(scree_servo_area_by_function(world, servo, &area));
        servo->force = servo->stress * area;
    } else if (servo->stress != 0 && scree_servo_area_find(world, mask, servo->direction, &area)) {
        servo->force = servo->stress * area;
    }
    return SCREE_OK;
}

scree_status scree_servo_act(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    const struct scree_clock *clock = scree_world_clock(world);
    for (size_t s = 0; s < scree_servo_rows(world); ++s) {
        struct scree_servo *servo = scree_servo_row(world, s);
        uint64_t mask;
        if (clock->steps % servo->every != 0)
            continue;
        SCREE_TRY(scree_group_mask(world, (scree_group_id){servo->group}, &mask));
        if (servo->largest == 0)
            set_largest(world, servo);
        SCREE_TRY(set_force(world, servo, mask));
        const struct totals now = measure(world, servo, mask, NULL);
        servo->measured = now.force;
        servo->velocity = choose(world, servo, mask, &now);
        set_velocity(world, servo, mask);
    }
    return SCREE_OK;
}
