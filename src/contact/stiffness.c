// Asking a law about one contact, see stiffness.h.

#include "contact/stiffness.h"

#include "math/elementary.h"

#include <math.h>

// overlap over the radius that any impact reaches, so that what lies still has a stiffness
static const double least_depth = 0x1p-20;

enum { GUESSES = 40 };

static struct scree_law_reply ask(const struct scree_law_class *class,
                                  const struct scree_stiffness_contact *touch, double speed,
                                  const double *history)
{
    double before[SCREE_LAW_HISTORY] = {0}, after[SCREE_LAW_HISTORY];
    size_t at = 0;
    for (const struct scree_law_value *value = class->law->values; history && value && value->name; ++value) {
        // springs across the normal are asked for what they would add from here
        if (value->width == 1)
            before[at] = history[at];
        at += value->width;
    }
    const struct scree_law_contact contact = {.overlap = touch->overlap,
                                              .normal = {0, 0, 1},
                                              .arm = {touch->arm[0], touch->arm[1]},
                                              .radius = touch->radius,
                                              .mass = touch->mass,
                                              .mass_tangential = touch->turning * touch->mass,
                                              .approach = -speed,
                                              .slip = {speed * 0x1p-10, 0, 0},
                                              .step = 1};
    return class->law->force(class->constants, &contact, before, after);
}

static double not_negative(double x)
{
    return x > 0 ? x : 0;
}

// By how much stiffer a contact has been or will be where it is deepest: all that it stores and that its
// sides bring is stored there, as a power of the overlap. So a step does not change in the middle of an
// impact.
static double deepening(const struct scree_stiffness_contact *touch, double force, double stored)
{
    const double brought = 0.5 * touch->mass * touch->approach;
    const double power = touch->overlap * force / stored;
    if (!(stored > 0 && power > 2) || brought <= 0.01 * stored)
        return 1;
    return scree_exp(scree_log(1 + brought / stored) * (power - 2) / power);
}

// Springs and dashpots of a contact; false where there is none. A dashpot is told from what it takes in a
// second, and one across the normal from its force.
bool scree_stiffness_of_contact(const struct scree_law_class *class,
                                const struct scree_stiffness_contact *touch, const double *history,
                                double sides, struct scree_stiffness_damping *hit)
{
    const bool damps = class->law->damps;
    const double speed = damps ? touch->speed : 0, slip = speed * 0x1p-10;
    const struct scree_law_reply reply = ask(class, touch, speed, history);
    *hit = (struct scree_stiffness_damping){0};
    if (!(reply.live > 0))
        return false;
    hit->spring.normal = sides * not_negative(reply.stiffness[0]);
    hit->spring.across = sides * not_negative(reply.stiffness[1]);
    if (damps) {
        const double across = sqrt(reply.force.x * reply.force.x + reply.force.y * reply.force.y) / slip;
        hit->dashpot.across = sides * not_negative(across);
        hit->dashpot.normal =
            sides * not_negative((reply.dashpot + reply.sliding - not_negative(across) * slip * slip) /
                                 (speed * speed));
    }
    const double deeper =
        touch->approach > 0
            ? deepening(touch, reply.normal - hit->dashpot.normal * speed / sides, reply.stored)
            : 1;
    hit->spring.normal *= deeper;
    hit->spring.across *= deeper;
    if (class->resists) {
        const double *resistance = class->constants + SCREE_LAW_CONSTANTS,
                     size = touch->radius * touch->radius;
        hit->spring.turning = hit->spring.across * size;
        hit->dashpot.turning = 2 * sides * (resistance[1] + resistance[3]) * size *
                               sqrt(not_negative(reply.stiffness[1]) * touch->mass);
    }
    return true;
}

// How deep an impact goes: where what the contact stores is what the sides brought.
double scree_stiffness_impact_depth(const struct scree_law_class *class, struct scree_stiffness_contact touch,
                                    double size)
{
    double low = least_depth * size, high = size;
    touch.overlap = low;
    const double start = ask(class, &touch, 0, NULL).stored;
    const double wanted = 0.5 * touch.mass * touch.speed * touch.speed;
    double depth = high;
    for (int guess = 0; guess < GUESSES; ++guess) {
        touch.overlap = depth;
        const struct scree_law_reply reply = ask(class, &touch, 0, NULL);
        const double stored = reply.stored - start;
        if (stored <= wanted && depth >= high)
            return depth;
        if (fabs(stored - wanted) <= 0.001 * wanted)
            return depth;
        if (stored < wanted)
            low = depth;
        else
            high = depth;
        if (high <= 1.0001 * low)
            return high;
        // as a power of the overlap, which springs and Hertzian contacts are
        const double power = depth * reply.normal / stored;
        const double next =
            power > 1 && wanted > 0 ? depth * scree_exp(scree_log(wanted / stored) / power) : 0;
        depth = next > low && next < high ? next : sqrt(low * high);
    }
    return high;
}
