// Fabric tensor and coordination number in a region, see include/scree/measure.h.

#include "base/memory.h"
#include "base/sum.h"
#include "contact/walk.h"
#include "measure/part.h"
#include "world/grain.h"

enum { TENSOR = 9 };

// flag of a body without a radius that carries grains
#define CARRIES UINT32_C(0x80000000)

struct accumulator {
    const struct scree_part *part;
    size_t contacts;
    struct scree_sum sums[TENSOR];
};

static void add_normal(const struct scree_walk_item *contact, void *user)
{
    struct accumulator *accumulator = (struct accumulator *)user;
    if (!contact->side[1] || !scree_part_contains(accumulator->part, contact->point))
        return;
    ++accumulator->contacts;
    for (int k = 0; k < TENSOR; ++k)
        scree_sum_add(&accumulator->sums[k], contact->normal[k / 3] * contact->normal[k % 3]);
}

scree_status scree_measure_fabric(const struct scree_world *world, const struct scree_measure_region *region,
                                  double fabric[9], size_t *contacts)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    struct accumulator accumulator = {.part = &part};
    SCREE_TRY(scree_part_begin(world, region, &part));
    SCREE_TRY(scree_part_of_contacts(&part));
    SCREE_TRY(scree_walk_contacts(world, add_normal, &accumulator));
    for (int k = 0; k < TENSOR; ++k)
        fabric[k] = accumulator.contacts > 0
                        ? scree_sum_value(&accumulator.sums[k]) / (double)accumulator.contacts
                        : 0;
    if (contacts)
        *contacts = accumulator.contacts;
    return SCREE_OK;
}

static void count_contact(const struct scree_walk_item *contact, void *user)
{
    uint32_t *contacts = (uint32_t *)user;
    ++contacts[scree_walk_slot(contact, 0)];
    if (contact->side[1])
        ++contacts[scree_walk_slot(contact, 1)];
}

// Sums the numbers of contacts, by slot, over the bodies in a region.
static void sum_region(const struct scree_world *world, const struct scree_part *part,
                       const uint32_t *contacts, struct scree_measure_coordination_numbers *numbers)
{
    size_t rattler_contacts = 0;
    *numbers = (struct scree_measure_coordination_numbers){0};
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        if (!(grain->radius > 0 || contacts[i] & CARRIES) || !scree_part_has(part, world, i))
            continue;
        const uint32_t body_contacts = contacts[i] & ~CARRIES;
        ++numbers->bodies;
        numbers->contacts += body_contacts;
        numbers->rattlers += body_contacts < 2;
        rattler_contacts += body_contacts < 2 ? body_contacts : 0;
    }
    const size_t non_rattlers = numbers->bodies - numbers->rattlers;
    numbers->mean = numbers->bodies > 0 ? (double)numbers->contacts / (double)numbers->bodies : 0;
    numbers->mechanical =
        non_rattlers > 0 ? (double)(numbers->contacts - rattler_contacts) / (double)non_rattlers : 0;
}

scree_status scree_measure_coordination(const struct scree_world *world,
                                        const struct scree_measure_region *region,
                                        struct scree_measure_coordination_numbers *numbers)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    uint32_t *contacts;
    SCREE_TRY(scree_part_begin(world, region, &part));
    SCREE_TRY(scree_memory_new(scree_world_bodies(world), sizeof *contacts, (void **)&contacts));
    for (size_t g = 0; g < scree_grain_carried(world); ++g) {
        uint32_t slot;
        if (scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool,
                            scree_grain_locals(world)[g].body, &slot))
            contacts[slot] |= CARRIES;
    }
    const scree_status status = scree_walk_contacts(world, count_contact, contacts);
    if (status == SCREE_OK)
        sum_region(world, &part, contacts, numbers);
    scree_memory_free(contacts);
    return status;
}
