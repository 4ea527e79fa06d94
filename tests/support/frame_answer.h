// Evaluates one contact with the inline functions of scree/frame.h and the spring law: a sample is the
// input, an array of numbers the output. The same text is compiled as C, as C++ and for a device, in float
// and in double.

#ifndef SCREE_TESTS_FRAME_ANSWER_H
#define SCREE_TESTS_FRAME_ANSWER_H

#include "support/frame_sample.h"
#include "support/spring_force.h"

#include <scree/frame.h>

SCREE_FN struct scree_law_vector frame_vector(const double *v)
{
    const struct scree_law_vector vector = {(SCREE_REAL)v[0], (SCREE_REAL)v[1], (SCREE_REAL)v[2]};
    return vector;
}

SCREE_FN void frame_put(struct scree_law_vector v, double *out)
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

SCREE_FN struct scree_kernel_side frame_side(const struct frame_side_sample *sample)
{
    struct scree_kernel_side side;
    side.centre = frame_vector(sample->centre);
    side.half_velocity = frame_vector(sample->velocity);
    side.half_spin = frame_vector(sample->spin);
    const struct scree_law_vector half_kick = frame_vector(sample->half_kick);
    const struct scree_law_vector half_twist = frame_vector(sample->half_twist);
    side.full_velocity = scree_law_add(side.half_velocity, half_kick);
    side.full_spin = scree_law_add(side.half_spin, half_twist);
    side.radius = (SCREE_REAL)sample->radius;
    side.mass = (SCREE_REAL)sample->mass;
    return side;
}

SCREE_FN struct scree_kernel_wall frame_wall(const struct frame_wall_sample *sample)
{
    struct scree_kernel_wall wall;
    for (int k = 0; k < 3; ++k) {
        wall.normal[k] = (SCREE_REAL)sample->normal[k];
        wall.velocity[k] = (SCREE_REAL)sample->velocity[k];
        wall.spin[k] = (SCREE_REAL)sample->spin[k];
        wall.half_normal[k] = (SCREE_REAL)sample->half_normal[k];
        wall.change[k] = (float)sample->change[k];
    }
    wall.gap = (SCREE_REAL)sample->gap;
    wall.half_gap = (SCREE_REAL)sample->half_gap;
    wall.mobility = (float)sample->mobility;
    return wall;
}

SCREE_FN struct scree_kernel_rule frame_rule(const struct frame_rule_sample *sample)
{
    struct scree_kernel_rule rule;
    for (int k = 0; k < SCREE_LAW_CONSTANTS; ++k)
        rule.constants[k] = k < FRAME_CONSTANTS ? (SCREE_REAL)sample->constants[k] : 0;
    for (int k = 0; k < SCREE_RESISTANCE_CONSTANTS; ++k)
        rule.resistance[k] = (SCREE_REAL)sample->resistance[k];
    for (int k = 0; k < 3; ++k)
        rule.period[k] = (SCREE_REAL)sample->period[k];
    rule.step = (SCREE_REAL)sample->step;
    rule.arm = (SCREE_REAL)sample->arm;
    rule.tangential_ratio = (SCREE_REAL)sample->tangential_ratio;
    rule.limit = 1;
    return rule;
}

SCREE_FN void frame_copy(struct scree_law_vector v, SCREE_REAL *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

// The contact of two grains as one from outside: the velocities of the surfaces contain the rotations.
SCREE_FN struct scree_kernel_outside frame_outside(const struct scree_kernel_rule *rule,
                                                   const struct scree_kernel_side *i,
                                                   const struct scree_kernel_side *j)
{
    const struct scree_kernel_frame pair = scree_kernel_pair_frame(rule, i, j, 1, true);
    struct scree_kernel_outside contact;
    frame_copy(pair.normal, contact.normal);
    frame_copy(pair.half_normal, contact.half_normal);
    frame_copy(scree_law_subtract(pair.half_velocity, scree_law_cross(pair.half_arm_spin, pair.half_normal)),
               contact.half_velocity);
    frame_copy(scree_law_subtract(pair.full_velocity, scree_law_cross(pair.full_arm_spin, pair.normal)),
               contact.full_velocity);
    frame_copy(pair.half_spin, contact.half_spin);
    frame_copy(pair.full_spin, contact.full_spin);
    contact.overlap = pair.overlap;
    contact.previous_overlap = pair.previous_overlap;
    contact.radius = pair.radius;
    contact.mass = pair.mass;
    contact.tangential_ratio = rule->tangential_ratio;
    contact.weight = (SCREE_REAL)FRAME_WEIGHT;
    return contact;
}

SCREE_FN void frame_answer(const struct frame_sample *sample, double *answer)
{
    const struct scree_kernel_rule rule = frame_rule(&sample->rule);
    const struct scree_kernel_side i = frame_side(&sample->side[0]), j = frame_side(&sample->side[1]);
    const struct scree_kernel_wall wall = frame_wall(&sample->wall);
    const struct scree_kernel_outside outside = frame_outside(&rule, &i, &j);
    const struct scree_kernel_frame frame =
        sample->rule.at_wall == 1   ? scree_kernel_wall_frame(&rule, &i, &wall)
        : sample->rule.at_wall == 2 ? scree_kernel_outside_frame(&rule, &outside)
                                    : scree_kernel_pair_frame(&rule, &i, &j, 1, true);
    const struct scree_law_vector rotation = scree_kernel_rotation(&frame);
    const struct scree_law_contact contact = scree_kernel_contact(&rule, &frame, rotation);
    SCREE_REAL before[FRAME_HISTORY], after[FRAME_HISTORY];
    for (int k = 0; k < FRAME_HISTORY; ++k) {
        before[k] = (SCREE_REAL)sample->history[k];
        after[k] = 0;
    }
    scree_kernel_rotate_history(&frame, rotation, before);
    scree_kernel_rotate_history(&frame, rotation, before + 3);
    struct scree_law_reply reply = spring_force(rule.constants, &contact, before, after);
    scree_kernel_resist(&rule, &frame, &contact, rotation, &reply, before + 3, after + 3);
    struct scree_kernel_force total = scree_kernel_finish(&contact, &reply);
    if (sample->rule.at_wall == 2)
        total = scree_kernel_weigh(&total, outside.weight);

    answer[FRAME_OVERLAP] = (double)contact.overlap;
    frame_put(contact.normal, answer + FRAME_NORMAL);
    frame_put(frame.half_normal, answer + FRAME_HALF_NORMAL);
    frame_put(contact.tangential_displacement, answer + FRAME_TANGENTIAL_DISPLACEMENT);
    frame_put(contact.tangential_velocity, answer + FRAME_TANGENTIAL_VELOCITY);
    frame_put(total.force, answer + FRAME_FORCE);
    frame_put(total.couple, answer + FRAME_COUPLE);
    frame_put(total.moment[0], answer + FRAME_MOMENT);
    frame_put(total.moment[1], answer + FRAME_MOMENT + 3);
    answer[FRAME_FRICTION] = (double)total.friction;
    answer[FRAME_DASHPOT] = (double)total.dashpot;
    for (int k = 0; k < FRAME_HISTORY; ++k)
        answer[FRAME_NEW_HISTORY + k] = (double)after[k];
}

#endif
