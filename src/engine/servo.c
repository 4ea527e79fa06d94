// Servo control of walls in a step, see include/scree/servo.h and servo_rule.h.
//
// The velocity that a servo sets is that of its walls in the steps up to the next update. As for bodies, the
// velocity at the end of a step, which dashpots and the work of walls need, is another one: the extrapolated
// one of the rule. So the accounts of energy need no correction at an update.
//
// Invariant: a servo acts when the forces of a step are complete, and depends on the state only. Forces and
// stiffnesses are summed independently of order. Contact lists stay valid: each step adds the displacement of
// walls to the used part of the skin.

#include "engine/servo.h"

#include "base/sum.h"
#include "contact/bond_side.h"
#include "contact/evaluate_one.h"
#include "engine/servo_rule.h"
#include "world/grain.h"
#include "world/group.h"
#include "world/servo.h"
#include "world/wall.h"
#include "world/wall_body.h"

#include <math.h>

// The dashpots are measured by a change of velocity of this fraction of the largest speed.
static const double probe = 0x1p-10;

// Force of the walls of a servo on bodies, along its direction, number of their contacts and bonds, and
// stiffness and dashpots of the bonds.
struct load {
    double force;
    uint64_t contacts;
    double bond_stiffness, bond_dashpots;
};

static double along(const double *direction, struct scree_law_vector v)
{
    return direction[0] * v.x + direction[1] * v.y + direction[2] * v.z;
}

// Returns true if a contact exists, and its wall belongs to a group of the mask. Callbacks may have removed
// walls since the last search.
static bool is_steered(const struct scree_world *world, size_t contact, uint64_t mask)
{
    const struct scree_entity *walls = scree_world_entity(world, SCREE_ENTITY_WALL);
    const struct scree_pair pair = world->contacts.walls.pair[contact];
    return world->contacts.walls.live[contact] && pair.low != UINT32_MAX && pair.high < walls->count &&
           scree_entity_ids(walls)[pair.high] == scree_contacts_wall(&world->contacts, contact) &&
           (scree_group_of_wall(world, pair.high) & mask);
}

static struct scree_vec3 vector_of(struct scree_law_vector v)
{
    return scree_vec3_make(v.x, v.y, v.z);
}

// Moment of a contact with a wall about the axis of a servo through the pivot of the wall.
static double moment_of(const struct scree_servo *servo, const struct scree_wall *wall,
                        const struct scree_evaluated *evaluated)
{
    const struct scree_vec3 arm = scree_vec3_sub(vector_of(evaluated->point), scree_vec3_load(wall->pivot));
    const struct scree_vec3 moment =
        scree_vec3_add(scree_vec3_cross(arm, vector_of(evaluated->force)), vector_of(evaluated->couple));
    return scree_vec3_dot(scree_vec3_load(servo->direction), moment);
}

// What a contact adds to the force of a servo along its direction, or to its moment. Moments need contact
// points, which the last evaluation has not stored.
static double effect_of(const struct scree_evaluator *evaluator, const struct scree_servo *servo, size_t c)
{
    const struct scree_wall_contacts *walls = &evaluator->world->contacts.walls;
    const double *force = &walls->force[3 * c];
    struct scree_evaluated evaluated;
    if (!servo->turns)
        return along(servo->direction, (struct scree_law_vector){force[0], force[1], force[2]});
    return scree_evaluate_one_wall_contact(evaluator, c, &evaluated)
               ? moment_of(servo, scree_wall_row(evaluator->world, walls->pair[c].high), &evaluated)
               : 0;
}

// Whether a pair of a polyhedron and a wall has contacts, and the wall belongs to a group of the mask.
static bool is_steered_outside(const struct scree_world *world, size_t pair, uint64_t mask)
{
    const struct scree_outside_contacts *outside = &world->contacts.outside;
    uint32_t slot;
    return outside->wall[pair] > 0 && outside->live[pair] > 0 && outside->pair[pair].low != UINT32_MAX &&
           scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, outside->wall[pair], &slot) &&
           (scree_group_of_wall(world, slot) & mask);
}

// What the contacts of a pair of a polyhedron and a wall add to the force of a servo, or to its moment.
static void add_outside(const struct scree_evaluator *evaluator, const struct scree_servo *servo, size_t pair,
                        struct scree_sum *sum)
{
    const struct scree_outside_contacts *outside = &evaluator->world->contacts.outside;
    struct scree_outside_pair found;
    struct scree_evaluated evaluated;
    for (size_t n = 0; !servo->turns && n < outside->live[pair]; ++n) {
        const double *force = &outside->force[3 * (SCREE_OUTSIDE_MOST * pair + n)];
        scree_sum_add(sum, along(servo->direction, (struct scree_law_vector){force[0], force[1], force[2]}));
    }
    if (!servo->turns || !scree_evaluate_one_find_outside(evaluator, pair, &found))
        return;
    for (size_t t = 0; t < found.count; ++t)
        if (scree_evaluate_one_outside(evaluator, pair, &found, t, &evaluated))
            scree_sum_add(sum, moment_of(servo, found.side[1].wall, &evaluated));
}

// Sums the forces of the last evaluation, or the moments.
static struct load sum_forces(const struct scree_world *world, const struct scree_servo *servo, uint64_t mask)
{
    enum { CHUNK = 256 };
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    struct scree_sum sum = {0};
    struct load load = {0};
    double values[CHUNK];
    for (size_t c = 0; c < walls->count; ++c) {
        if (!is_steered(world, c, mask))
            continue;
        values[load.contacts++ % CHUNK] = effect_of(&evaluator, servo, c);
        if (load.contacts % CHUNK == 0)
            scree_sum_add_all(&sum, values, CHUNK);
    }
    scree_sum_add_all(&sum, values, load.contacts % CHUNK);
    for (size_t p = 0; p < world->contacts.outside.pairs; ++p)
        if (is_steered_outside(world, p, mask)) {
            add_outside(&evaluator, servo, p, &sum);
            load.contacts += world->contacts.outside.live[p];
        }
    load.force = scree_sum_value(&sum);
    return load;
}

// Stiffness of a spring with these normal and tangential stiffnesses and this normal, for a displacement
// along `way`, of any length.
static double stiffness_along(const double stiffness[2], struct scree_vec3 way, struct scree_vec3 normal)
{
    const double of_normal = scree_vec3_dot(way, normal), square = of_normal * of_normal;
    return stiffness[0] * square + stiffness[1] * (scree_vec3_dot(way, way) - square);
}

// Displacement of a point per angle about the axis of a servo through the pivot of a wall.
static struct scree_vec3 way_of(const struct scree_servo *servo, const struct scree_wall *wall,
                                struct scree_vec3 point)
{
    return scree_vec3_cross(scree_vec3_load(servo->direction),
                            scree_vec3_sub(point, scree_vec3_load(wall->pivot)));
}

static struct scree_vec3 point_of_bond(const struct scree_bond_one *one)
{
    return scree_vec3_add(one->end[0].centre, one->elastic.arm[0]);
}

// The same for a bond, with its resistance to twist and bending.
static double turning_stiffness(const struct scree_servo *servo, const struct scree_bond_one *one,
                                const struct scree_bond_spring *spring)
{
    const double *k = spring->stiffness, larger = k[2] > k[3] ? k[2] : k[3];
    return stiffness_along(k, way_of(servo, one->wall, point_of_bond(one)),
                           scree_bond_law_direction(&one->elastic)) +
           larger;
}

static double turning_moment(const struct scree_servo *servo, const struct scree_bond_one *one)
{
    const struct scree_vec3 force = scree_vec3_add(one->elastic.force, one->rates.force),
                            couple = scree_vec3_add(one->elastic.couple, one->rates.couple);
    return scree_vec3_dot(way_of(servo, one->wall, point_of_bond(one)), force) +
           scree_vec3_dot(scree_vec3_load(servo->direction), couple);
}

// Adds the bonds with the walls of a servo.
static void add_bonds(const struct scree_soft *soft, const struct scree_servo *servo, uint64_t mask,
                      struct load *load)
{
    const struct scree_bond_lists *lists = &soft->collider.bonds;
    const struct scree_world *world = soft->world;
    struct scree_sum force = {0}, stiffness = {0}, dashpots = {0};
    for (size_t t = 0; t < lists->tiles; ++t)
        for (size_t k = lists->count[t] - lists->walls[t]; k < lists->count[t]; ++k) {
            const uint32_t row = lists->entry[lists->first[t] + k].row;
            struct scree_bond_one one;
            if (scree_bond_sides(world)[row].broken || !scree_bond_side_evaluate(world, row, &one) ||
                !(scree_group_of_wall(world, (size_t)(one.wall - scree_wall_row(world, 0))) & mask))
                continue;
            const struct scree_bond_spring *spring = &scree_bond_springs(world)[row];
            const struct scree_vec3 direction = scree_vec3_load(servo->direction);
            const double spring_along =
                one.kept * (servo->turns ? turning_stiffness(servo, &one, spring)
                                         : stiffness_along(spring->stiffness, direction,
                                                           scree_bond_law_direction(&one.elastic)));
            scree_sum_add(&force,
                          one.kept * (servo->turns
                                          ? turning_moment(servo, &one)
                                          : scree_vec3_dot(direction, scree_vec3_add(one.elastic.force,
                                                                                     one.rates.force))));
            scree_sum_add(&stiffness, spring_along);
            scree_sum_add(&dashpots, spring->damping * spring_along);
            ++load->contacts;
        }
    load->force += scree_sum_value(&force);
    load->bond_stiffness = scree_sum_value(&stiffness);
    load->bond_dashpots = scree_sum_value(&dashpots);
}

static struct scree_wall faster_wall(const struct scree_wall *wall, const struct scree_servo *servo,
                                     double change)
{
    struct scree_wall faster = *wall;
    double *velocity = servo->turns ? faster.spin : faster.velocity;
    scree_vec3_store(
        scree_vec3_add_scaled(scree_vec3_load(velocity), change, scree_vec3_load(servo->direction)),
        velocity);
    return faster;
}

// Evaluates a contact at the present velocity of its wall, and as if the wall were faster by `change` along
// the direction. Returns false if there is no contact.
static bool evaluate_twice(const struct scree_evaluator *evaluator, const struct scree_servo *servo,
                           size_t contact, double change, struct scree_evaluated *now,
                           struct scree_evaluated *changed)
{
    const struct scree_wall_contacts *walls = &evaluator->world->contacts.walls;
    const double *history = walls->stride > 0 ? walls->history + contact * walls->stride : NULL;
    const struct scree_grain *grain = scree_evaluate_one_grain(evaluator->world, walls->pair[contact].low);
    const struct scree_wall faster =
        faster_wall(scree_wall_row(evaluator->world, walls->pair[contact].high), servo, change);
    return scree_evaluate_one_wall_contact(evaluator, contact, now) &&
           scree_evaluate_one_wall(evaluator, grain, &faster, walls->feature[contact], history, walls->stride,
                                   changed);
}

// Sums of stiffness and resistance of contacts along the direction of a servo, or about its axis.
struct measured {
    struct scree_sum stiffness, resistance;
};

static void add_measured(const struct scree_servo *servo, const struct scree_wall *wall,
                         const struct scree_evaluated *now, const struct scree_evaluated *changed,
                         struct measured *measured)
{
    const struct scree_vec3 way =
        servo->turns ? way_of(servo, wall, vector_of(now->point)) : scree_vec3_load(servo->direction);
    scree_sum_add(&measured->stiffness, stiffness_along(now->stiffness, way, vector_of(now->normal)));
    scree_sum_add(&measured->resistance,
                  servo->turns ? moment_of(servo, wall, changed) - moment_of(servo, wall, now)
                               : along(servo->direction, scree_law_subtract(changed->force, now->force)));
}

static void measure_outside(const struct scree_evaluator *evaluator, const struct scree_servo *servo,
                            size_t pair, double change, struct measured *measured)
{
    struct scree_outside_pair found, moved;
    if (!scree_evaluate_one_find_outside(evaluator, pair, &found))
        return;
    const struct scree_wall faster = faster_wall(found.side[1].wall, servo, change);
    moved = found;
    moved.side[1].wall = &faster;
    for (size_t t = 0; t < found.count; ++t) {
        struct scree_evaluated now, changed;
        if (scree_evaluate_one_outside(evaluator, pair, &found, t, &now) &&
            scree_evaluate_one_outside(evaluator, pair, &moved, t, &changed))
            add_measured(servo, found.side[1].wall, &now, &changed, measured);
    }
}

// Measures the stiffnesses and dashpots of the contacts along the direction, or about the axis.
static void measure(const struct scree_world *world, struct scree_servo *servo, uint64_t mask,
                    const struct load *load)
{
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    struct measured measured = {0};
    const double change = probe * servo->largest;
    for (size_t c = 0; c < world->contacts.walls.count; ++c) {
        struct scree_evaluated now, changed;
        if (is_steered(world, c, mask) && evaluate_twice(&evaluator, servo, c, change, &now, &changed))
            add_measured(servo, scree_wall_row(world, world->contacts.walls.pair[c].high), &now, &changed,
                         &measured);
    }
    for (size_t p = 0; p < world->contacts.outside.pairs; ++p)
        if (is_steered_outside(world, p, mask))
            measure_outside(&evaluator, servo, p, change, &measured);
    const double dashpots = scree_sum_value(&measured.resistance) / change;
    servo->stiffness = scree_sum_value(&measured.stiffness) + load->bond_stiffness;
    servo->dashpots = (dashpots > 0 ? dashpots : 0) + load->bond_dashpots;
}

// Measures stiffnesses and dashpots if they may have changed.
static void keep_measured(const struct scree_world *world, struct scree_servo *servo, uint64_t mask,
                          const struct load *load)
{
    const uint64_t step = scree_world_clock(world)->steps;
    if (load->contacts == 0) {
        servo->stiffness = servo->dashpots = 0;
        servo->reference_contacts = 0;
        return;
    }
    if (!scree_servo_rule_has_changed((double)load->contacts, (double)servo->reference_contacts) &&
        !scree_servo_rule_has_changed(load->force, servo->reference_force) &&
        step - servo->reference_step < SCREE_SERVO_RULE_LARGEST_AGE)
        return;
    measure(world, servo, mask, load);
    servo->reference_force = load->force;
    servo->reference_contacts = load->contacts;
    servo->reference_step = step;
}

static double choose(const struct scree_world *world, struct scree_servo *servo, uint64_t mask,
                     const struct load *load)
{
    const struct scree_servo_rule rule = {
        .gain = servo->gain, .tolerance = servo->tolerance, .largest = servo->largest};
    const double duration = (double)servo->every * scree_world_clock(world)->step, last = servo->velocity;
    if (scree_servo_rule_is_met(&rule, servo->force, load->force))
        return 0;
    keep_measured(world, servo, mask, load);
    const struct scree_servo_rule_state state = {.target = servo->force,
                                                 .measured = load->force,
                                                 .kept =
                                                     servo->dashpots * (last + servo->change + 0.5 * last),
                                                 .drag = servo->stiffness * duration + 1.5 * servo->dashpots};
    return scree_servo_rule_rate(&rule, &state, NULL);
}

static void set_velocity(const struct scree_world *world, const struct scree_servo *servo, uint64_t mask)
{
    const struct scree_vec3 direction = scree_vec3_load(servo->direction);
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        struct scree_wall *wall = scree_wall_row(world, w);
        const struct scree_vec3 velocity = scree_vec3_load(wall->velocity),
                                spin = scree_vec3_load(wall->spin), now = servo->turns ? spin : velocity;
        const struct scree_vec3 steered =
            scree_vec3_add_scaled(now, servo->velocity - scree_vec3_dot(now, direction), direction);
        if ((scree_group_of_wall(world, w) & mask) && !scree_wall_follows(wall))
            scree_wall_steer(wall, servo->turns ? velocity : steered, servo->turns ? steered : spin);
    }
}

// Without a given largest speed the walls move by at most this fraction of the smallest radius in a step.
static const double default_displacement = 1e-4;

// Largest distance of the walls of a servo, or else of the grains, from the axis, at most.
static double largest_arm(const struct scree_world *world, uint64_t mask)
{
    double largest = 0;
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        double reach = scree_group_of_wall(world, w) & mask ? scree_wall_reach(wall) : 0, farthest = 0;
        for (size_t i = 0; i < scree_grain_count(world) && !(reach < (double)INFINITY); ++i) {
            const struct scree_vec3 centre = scree_vec3_load(scree_world_grains(world)[i].position);
            const double distance = scree_vec3_norm(scree_vec3_sub(centre, scree_vec3_load(wall->pivot)));
            farthest = distance > farthest ? distance : farthest;
        }
        reach = reach < (double)INFINITY ? reach : farthest;
        largest = reach > largest ? reach : largest;
    }
    return largest;
}

// Sets a default that depends on the grains and the step, once there are grains.
static void set_largest(const struct scree_world *world, struct scree_servo *servo, uint64_t mask)
{
    double radius = (double)INFINITY;
    for (size_t i = 0; i < scree_grain_count(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        radius = grain->radius > 0 && grain->radius < radius ? grain->radius : radius;
    }
    if (isfinite(radius))
        servo->largest = default_displacement * radius / scree_world_clock(world)->step /
                         (servo->turns ? largest_arm(world, mask) : 1);
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
            set_largest(world, servo, mask);
        SCREE_TRY(set_force(world, servo, mask));
        struct load load = sum_forces(world, servo, mask);
        add_bonds(soft, servo, mask, &load);
        const double velocity = choose(world, servo, mask, &load);
        servo->measured = load.force;
        servo->change = 0.5 * (velocity - servo->velocity);
        servo->velocity = velocity;
        set_velocity(world, servo, mask);
    }
    return SCREE_OK;
}
