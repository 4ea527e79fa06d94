// Stiffness and damping of a contact, see stiffness.h.

#include "contact/stiffness.h"

#include "math/elementary.h"

#include <math.h>

// lower limit of overlap / radius in an impact, so that a contact at rest has a stiffness
static const double min_relative_depth = 0x1p-20;

enum { ITERATIONS = 40 };

static struct scree_law_reply evaluate_law(const struct scree_law_class *class,
                                           const struct scree_stiffness_contact *touch, double speed,
                                           const double *history)
{
    double before[SCREE_LAW_HISTORY] = {0}, after[SCREE_LAW_HISTORY];
    size_t at = 0;
    for (const struct scree_law_value *value = class->law->values; history && value && value->name; ++value) {
        // tangential springs start at zero
        if (value->width == 1)
            before[at] = history[at];
        at += value->width;
    }
    const struct scree_law_contact contact = {.overlap = touch->overlap,
                                              .normal = {0, 0, 1},
                                              .arm = {touch->arm[0], touch->arm[1]},
                                              .radius = touch->radius,
                                              .mass = touch->mass,
                                              .mass_tangential = touch->tangential_ratio * touch->mass,
                                              .approach = -speed,
                                              .slip = {speed * 0x1p-10, 0, 0},
                                              .step = 1};
    return class->law->force(class->constants, &contact, before, after);
}

static double not_negative(double x)
{
    return x > 0 ? x : 0;
}

// Stiffness at the largest overlap of the impact / present stiffness. At the largest overlap the kinetic
// energy is stored as elastic energy, which is assumed to be a power of the overlap. With this stiffness the
// critical step does not change during an impact.
static double stiffening(const struct scree_stiffness_contact *touch, double force, double stored)
{
    const double kinetic = 0.5 * touch->mass * touch->approach;
    const double power = touch->overlap * force / stored;
    if (!(stored > 0 && power > 2) || kinetic <= 0.01 * stored)
        return 1;
    return scree_exp(scree_log(1 + kinetic / stored) * (power - 2) / power);
}

// Returns false if there is no contact. The normal dashpot follows from the power that it dissipates, the
// tangential one from its force.
bool scree_stiffness_of_contact(const struct scree_law_class *class,
                                const struct scree_stiffness_contact *touch, const double *history,
                                double sides, struct scree_stiffness_damping *hit)
{
    const bool damps = class->law->depends_on_velocity;
    const double speed = damps ? touch->speed : 0, slip = speed * 0x1p-10;
    const struct scree_law_reply reply = evaluate_law(class, touch, speed, history);
    *hit = (struct scree_stiffness_damping){0};
    if (!(reply.live > 0))
        return false;
    hit->spring.normal = sides * not_negative(reply.stiffness[0]);
    hit->spring.tangential = sides * not_negative(reply.stiffness[1]);
    if (damps) {
        const double tangential_damping =
            sqrt(reply.force.x * reply.force.x + reply.force.y * reply.force.y) / slip;
        hit->dashpot.tangential = sides * not_negative(tangential_damping);
        hit->dashpot.normal =
            sides *
            not_negative((reply.dashpot + reply.sliding - not_negative(tangential_damping) * slip * slip) /
                         (speed * speed));
    }
    const double factor =
        touch->approach > 0
            ? stiffening(touch, reply.normal - hit->dashpot.normal * speed / sides, reply.stored)
            : 1;
    hit->spring.normal *= factor;
    hit->spring.tangential *= factor;
    if (class->resists) {
        const double *resistance = class->constants + SCREE_LAW_CONSTANTS,
                     size = touch->radius * touch->radius;
        hit->spring.rolling = hit->spring.tangential * size;
        hit->dashpot.rolling = 2 * sides * (resistance[1] + resistance[3]) * size *
                               sqrt(not_negative(reply.stiffness[1]) * touch->mass);
    }
    return true;
}

// Largest overlap of an impact: elastic energy equals the kinetic energy.
double scree_stiffness_impact_depth(const struct scree_law_class *class, struct scree_stiffness_contact touch,
                                    double size)
{
    double low = min_relative_depth * size, high = size;
    touch.overlap = low;
    const double start = evaluate_law(class, &touch, 0, NULL).stored;
    const double target = 0.5 * touch.mass * touch.speed * touch.speed;
    double depth = high;
    for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
        touch.overlap = depth;
        const struct scree_law_reply reply = evaluate_law(class, &touch, 0, NULL);
        const double stored = reply.stored - start;
        if (stored <= target && depth >= high)
            return depth;
        if (fabs(stored - target) <= 0.001 * target)
            return depth;
        if (stored < target)
            low = depth;
        else
            high = depth;
        if (high <= 1.0001 * low)
            return high;
        // energy as a power of the overlap: exact for linear and Hertzian contacts
        const double power = depth * reply.normal / stored;
        const double next =
            power > 1 && target > 0 ? depth * scree_exp(scree_log(target / stored) / power) : 0;
        depth = next > low && next < high ? next : sqrt(low * high);
    }
    return high;
}
