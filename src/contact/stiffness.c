// Stiffness and damping of a contact, see stiffness.h.

#include "contact/stiffness.h"

#include "math/elementary.h"

#include <math.h>

// lower limit of overlap / radius in an impact, so that a contact at rest has a stiffness
static const double min_relative_depth = 0x1p-20;

enum { ITERATIONS = 40 };

static struct scree_law_reply evaluate_law(const struct scree_law_class *class,
                                           const struct scree_stiffness_contact *contact, double speed,
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
    const struct scree_law_contact input = {.overlap = contact->overlap,
                                            .normal = {0, 0, 1},
                                            .arm = {contact->arm[0], contact->arm[1]},
                                            .radius = contact->radius,
                                            .mass = contact->mass,
                                            .mass_tangential = contact->tangential_ratio * contact->mass,
                                            .normal_velocity = -speed,
                                            .tangential_velocity = {speed * 0x1p-10, 0, 0},
                                            .step = 1};
    return class->law->force(class->constants, &input, before, after);
}

static double not_negative(double x)
{
    return x > 0 ? x : 0;
}

// Stiffness at the largest overlap of the impact / present stiffness. At the largest overlap the kinetic
// energy is stored as elastic energy, which is assumed to be a power of the overlap. With this stiffness the
// critical step does not change during an impact.
static double stiffening(const struct scree_stiffness_contact *contact, double force, double stored)
{
    const double kinetic = 0.5 * contact->mass * contact->normal_speed_squared;
    const double power = contact->overlap * force / stored;
    if (!(stored > 0 && power > 2) || kinetic <= 0.01 * stored)
        return 1;
    return scree_exp(scree_log(1 + kinetic / stored) * (power - 2) / power);
}

bool scree_stiffness_of_contact(const struct scree_law_class *class,
                                const struct scree_stiffness_contact *contact, const double *history,
                                double sides, struct scree_stiffness_damping *result)
{
    const bool damps = class->law->depends_on_velocity;
    const double speed = damps ? contact->speed : 0, slip = speed * 0x1p-10;
    const struct scree_law_reply reply = evaluate_law(class, contact, speed, history);
    *result = (struct scree_stiffness_damping){0};
    if (!(reply.live > 0))
        return false;
    result->spring.normal = sides * not_negative(reply.stiffness[0]);
    result->spring.tangential = sides * not_negative(reply.stiffness[1]);
    if (damps) {
        const double tangential_damping =
            sqrt(reply.force.x * reply.force.x + reply.force.y * reply.force.y) / slip;
        result->dashpot.tangential = sides * not_negative(tangential_damping);
        result->dashpot.normal =
            sides *
            not_negative((reply.dashpot + reply.sliding - not_negative(tangential_damping) * slip * slip) /
                         (speed * speed));
    }
    const double factor =
        contact->normal_speed_squared > 0
            ? stiffening(contact, reply.normal - result->dashpot.normal * speed / sides, reply.stored)
            : 1;
    result->spring.normal *= factor;
    result->spring.tangential *= factor;
    if (class->resists) {
        const double *resistance = class->constants + SCREE_LAW_CONSTANTS,
                     size = contact->radius * contact->radius;
        result->spring.rolling = result->spring.tangential * size;
        result->dashpot.rolling = 2 * sides * (resistance[1] + resistance[3]) * size *
                                  sqrt(not_negative(reply.stiffness[1]) * contact->mass);
    }
    return true;
}

double scree_stiffness_impact_overlap(const struct scree_law_class *class,
                                      struct scree_stiffness_contact contact, double max_overlap)
{
    double low = min_relative_depth * max_overlap, high = max_overlap;
    contact.overlap = low;
    const double start = evaluate_law(class, &contact, 0, NULL).stored;
    const double target = 0.5 * contact.mass * contact.speed * contact.speed;
    double depth = high;
    for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
        contact.overlap = depth;
        const struct scree_law_reply reply = evaluate_law(class, &contact, 0, NULL);
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

double scree_stiffness_loaded_overlap(const struct scree_law_class *class,
                                      struct scree_stiffness_contact contact, double force,
                                      double max_overlap)
{
    double low = min_relative_depth * max_overlap, high = max_overlap;
    for (int iteration = 0; iteration < ITERATIONS && high > 1.001 * low; ++iteration) {
        contact.overlap = sqrt(low * high);
        if (evaluate_law(class, &contact, 0, NULL).normal < force)
            low = contact.overlap;
        else
            high = contact.overlap;
    }
    return high;
}
