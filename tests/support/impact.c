// Integration of one contact, see impact.h.

#include "support/impact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

const char *scree_impact_prepare(const struct scree_contact_law *law, const struct scree_impact_value *values,
                                 const double (*property)[2], int dimension, double *constants)
{
    double parameter[SCREE_LAW_PARAMETERS];
    size_t count = 0;
    for (; law->parameters[count].name; ++count)
        parameter[count] = law->parameters[count].fallback;
    for (; values->name; ++values) {
        size_t p = 0;
        while (p < count && strcmp(law->parameters[p].name, values->name) != 0)
            ++p;
        if (p == count)
            fail_msg("%s has no parameter '%s'", law->name, values->name);
        parameter[p] = values->value;
    }
    const struct scree_law_pair pair = {parameter, property, dimension};
    return law->prepare(&pair, constants);
}

static void evaluate(struct scree_impact *i, double normal_velocity,
                     struct scree_law_vector tangential_velocity, struct scree_law_vector displacement,
                     double step)
{
    const struct scree_law_contact contact = {.overlap = i->overlap,
                                              .normal = {0, 0, 1},
                                              .arm = {i->radius, 0},
                                              .radius = i->radius,
                                              .mass = i->mass,
                                              .mass_tangential = i->mass_tangential,
                                              .normal_velocity = normal_velocity,
                                              .tangential_velocity = tangential_velocity,
                                              .tangential_displacement = displacement,
                                              .step = step};
    double after[SCREE_LAW_HISTORY] = {0};
    const struct scree_law_reply reply = i->law->force(i->constants, &contact, i->history, after);
    if (reply.live > 0) {
        i->reply = reply;
        memcpy(i->history, after, sizeof after);
    } else {
        memset(&i->reply, 0, sizeof i->reply);
        memset(i->history, 0, sizeof i->history);
    }
    // a step of 0 dissipates nothing
    i->reply.sliding *= step > 0 ? 1 : 0;
    i->friction += i->reply.friction + step * i->reply.sliding;
    i->dashpot += i->reply.dashpot;
    i->internal += i->reply.internal;
    i->normal_acceleration = i->reply.normal / i->mass;
    i->tangential_acceleration = scree_law_scale(1 / i->mass_tangential, i->reply.force);
}

void scree_impact_evaluate(struct scree_impact *i)
{
    const struct scree_law_vector none = {0, 0, 0};
    evaluate(i, i->normal_velocity, i->tangential_velocity, none, 0);
}

bool scree_impact_step(struct scree_impact *i)
{
    const double h = i->step;
    const double half_velocity = i->normal_velocity + 0.5 * h * i->normal_acceleration;
    const struct scree_law_vector half_tangential =
        scree_law_add(i->tangential_velocity, scree_law_scale(0.5 * h, i->tangential_acceleration));
    const double predicted = half_velocity + 0.5 * h * i->normal_acceleration;
    const struct scree_law_vector predicted_tangential =
        scree_law_add(half_tangential, scree_law_scale(0.5 * h, i->tangential_acceleration));
    i->overlap -= h * half_velocity;
    i->half_normal_velocity = half_velocity;
    i->time += h;
    evaluate(i, predicted, predicted_tangential, scree_law_scale(h, half_tangential), h);
    i->normal_velocity = half_velocity + 0.5 * h * i->normal_acceleration;
    i->tangential_velocity =
        scree_law_add(half_tangential, scree_law_scale(0.5 * h, i->tangential_acceleration));
    return i->reply.live > 0;
}

double scree_impact_dashpot_loss(struct scree_law_reply reply, double step)
{
    return reply.dashpot + step * reply.sliding;
}

double scree_impact_energy(const struct scree_impact *i)
{
    return 0.5 * i->mass * i->normal_velocity * i->normal_velocity +
           0.5 * i->mass_tangential * scree_law_dot(i->tangential_velocity, i->tangential_velocity) +
           i->reply.stored + i->friction + i->dashpot - 0.5 * scree_impact_dashpot_loss(i->reply, i->step) +
           i->internal;
}

void scree_impact_run(struct scree_impact *i, bool until_attraction)
{
    struct scree_impact last = *i, before = *i;
    bool has_repelled = false;
    scree_impact_evaluate(i);
    for (;;) {
        before = last;
        last = *i;
        const bool live = scree_impact_step(i);
        has_repelled = has_repelled || i->reply.normal > 0;
        if (!live || (until_attraction && has_repelled && !(i->reply.normal > 0)))
            break;
    }
    // interpolate within the last step, from the state before it and its rate of change
    const double h = i->step, jerk = (last.normal_acceleration - before.normal_acceleration) / h;
    double low = 0, high = h;
    for (int k = 0; k < 60; ++k) {
        const double t = 0.5 * (low + high);
        const double remaining = until_attraction ? last.normal_acceleration + t * jerk
                                                  : last.overlap - t * last.normal_velocity -
                                                        0.5 * t * t * last.normal_acceleration;
        if (remaining > 0)
            low = t;
        else
            high = t;
    }
    const struct scree_law_vector tangential_jerk = scree_law_scale(
        1 / h, scree_law_subtract(last.tangential_acceleration, before.tangential_acceleration));
    i->time = last.time + low;
    i->normal_velocity = last.normal_velocity + low * last.normal_acceleration + 0.5 * low * low * jerk;
    i->tangential_velocity = scree_law_add(last.tangential_velocity,
                                           scree_law_add(scree_law_scale(low, last.tangential_acceleration),
                                                         scree_law_scale(0.5 * low * low, tangential_jerk)));
}
