// Impacts and beds of the critical step, see critical_impact.h.

#include "engine/critical_impact.h"

#include "law/prepare.h"
#include "math/real.h"

#include <math.h>

static void take_larger(struct scree_stiffness_parts *parts, const struct scree_stiffness_parts *other)
{
    parts->normal = scree_real_max(parts->normal, other->normal);
    parts->tangential = scree_real_max(parts->tangential, other->tangential);
    parts->rolling = scree_real_max(parts->rolling, other->rolling);
}

void scree_critical_impact_add(const struct scree_step_inputs *inputs, struct scree_critical_step_bin *bin,
                               double speed, const struct scree_law_class *class, double radius, double mass)
{
    const bool is_wall = !(radius > 0), is_fixed = !(mass > 0);
    const double smaller_radius = is_wall || bin->radius < radius ? bin->radius : radius;
    struct scree_stiffness_contact contact = {
        .radius = is_wall ? bin->radius : bin->radius * radius / (bin->radius + radius),
        .mass = is_fixed ? bin->mass : bin->mass * mass / (bin->mass + mass),
        .arm = {bin->radius, radius},
        .speed = speed,
        .tangential_ratio = scree_law_tangential_share(inputs->world->dimension)};
    contact.overlap = scree_stiffness_impact_overlap(class, contact, smaller_radius);
    struct scree_stiffness_damping stiffness;
    if (!scree_stiffness_of_contact(class, &contact, NULL, is_fixed ? 1 : 2, &stiffness))
        return;
    take_larger(&bin->impact.spring, &stiffness.spring);
    take_larger(&bin->impact.dashpot, &stiffness.dashpot);
}

void scree_critical_impact_find(const struct scree_critical_step *critical,
                                const struct scree_step_inputs *inputs, size_t material,
                                struct scree_critical_step_bin *bin, double speed)
{
    const struct scree_law_classes *classes = &inputs->collider->classes;
    bin->impact = (struct scree_stiffness_damping){0};
    for (size_t m = 1; m < critical->materials.count; ++m) {
        const struct scree_critical_step_material *side = &critical->materials.data[m];
        const uint8_t number = classes->table[material * classes->materials + m];
        if (number == SCREE_CONTACTS_NO_CLASS)
            continue;
        const struct scree_law_class *class = &classes->class[number];
        if (side->walls > 0)
            scree_critical_impact_add(inputs, bin, speed, class, 0, 0);
        // a single body has no partner of its own material
        if (side->bodies > (m == material ? 1 : 0)) {
            // with a modulus as parameter, stiffness = modulus * (area of the smaller grain) / length
            const double same_radius = bin->radius < side->radius ? bin->radius : side->radius;
            scree_critical_impact_add(inputs, bin, speed, class, side->radius, side->mass);
            scree_critical_impact_add(inputs, bin, speed, class, same_radius, side->mass);
            if (side->has_fixed) {
                scree_critical_impact_add(inputs, bin, speed, class, side->radius, 0);
                scree_critical_impact_add(inputs, bin, speed, class, same_radius, 0);
            }
        }
    }
}

double scree_critical_impact_longest_step(double stiffness, double damping, double mass)
{
    const double decay = damping / mass, sum = sqrt(stiffness / mass + decay * decay) + decay;
    return sum > 0 ? 2 / sum : (double)INFINITY;
}

double scree_critical_impact_limit(const struct scree_step_inputs *inputs,
                                   const struct scree_critical_step_bin *bin)
{
    const struct scree_lever lever = scree_lever_round(inputs->world->dimension, bin->radius);
    return scree_critical_impact_longest_step(scree_lever_mode(&bin->impact.spring, &lever, true, false),
                                              scree_lever_mode(&bin->impact.dashpot, &lever, true, false),
                                              bin->min_mass);
}

// Adds the contact of a bin with one body in a bed. Its overlap follows from the force in the bed, not from
// an impact.
static void add_bed_contact(const struct scree_step_inputs *inputs, struct scree_critical_step_bin *bin,
                            const struct scree_law_class *class, double radius, double mass,
                            const struct scree_critical_step_expected *expected)
{
    const double width = 2 * bin->radius;
    const double force = expected->stress * (inputs->world->dimension == 2 ? width : width * width);
    struct scree_stiffness_contact contact = {.radius = bin->radius * radius / (bin->radius + radius),
                                              .mass = bin->mass * mass / (bin->mass + mass),
                                              .arm = {bin->radius, radius},
                                              .speed = expected->speed > 0 ? expected->speed : 1,
                                              .tangential_ratio =
                                                  scree_law_tangential_share(inputs->world->dimension)};
    contact.overlap =
        scree_stiffness_loaded_overlap(class, contact, force, bin->radius < radius ? bin->radius : radius);
    struct scree_stiffness_damping stiffness;
    if (!scree_stiffness_of_contact(class, &contact, NULL, 2, &stiffness))
        return;
    take_larger(&bin->bed.spring, &stiffness.spring);
    take_larger(&bin->bed.dashpot, &stiffness.dashpot);
}

void scree_critical_impact_find_bed(const struct scree_critical_step *critical,
                                    const struct scree_step_inputs *inputs, size_t material,
                                    struct scree_critical_step_bin *bin,
                                    const struct scree_critical_step_expected *expected)
{
    const struct scree_law_classes *classes = &inputs->collider->classes;
    bin->bed = (struct scree_stiffness_damping){0};
    for (size_t m = 1; m < critical->materials.count; ++m) {
        const struct scree_critical_step_material *side = &critical->materials.data[m];
        const uint8_t number = classes->table[material * classes->materials + m];
        if (number == SCREE_CONTACTS_NO_CLASS || side->bodies == 0 ||
            (m != material && !expected->any_partner))
            continue;
        const struct scree_law_class *class = &classes->class[number];
        add_bed_contact(inputs, bin, class, bin->radius, bin->mass, expected);
        if (expected->any_partner)
            add_bed_contact(inputs, bin, class, side->radius, side->mass, expected);
    }
}
