// Friction work and impacts of facets, see wall_wear.h.

#include "contact/wall_wear.h"

#include "base/memory.h"
#include "contact/collider.h"
#include "world/wall_facets.h"

scree_status scree_wall_wear_prepare(struct scree_collider *collider)
{
    struct scree_wall_wear_parts *wear = &collider->wear;
    const size_t count = scree_wall_facets_wear(collider->world) ? collider->world->contacts.walls.count : 0;
    SCREE_TRY(scree_memory_grow((void **)&wear->part, &wear->capacity, count, sizeof *wear->part));
    wear->count = count;
    return SCREE_OK;
}

// Kinetic energy of the approach: that of the body moving at the normal velocity of the grain relative to the
// wall. No force of this contact has acted yet, so it is that before the impact.
static double impact_energy(const struct scree_grain *grain, const struct scree_kernel_wall *wall)
{
    double speed = 0;
    for (int k = 0; k < 3; ++k)
        speed += wall->normal[k] * ((grain->velocity[k] + (double)grain->half_kick[k]) -
                                    (wall->velocity[k] + (double)wall->change[k]));
    return speed < 0 ? 0.5 * grain->mass * (speed * speed) : 0;
}

static void add_to_total(struct scree_total *total, const struct scree_grain *grain, double value)
{
    if (value != 0)
        scree_total_add(total, scree_sums_round_loss(grain, value));
}

void scree_wall_wear_add(struct scree_collider *collider, size_t contact,
                         const struct scree_kernel_wall *wall, double friction, bool begins)
{
    struct scree_facet_wear *part = &collider->wear.part[contact];
    const uint32_t slot = collider->world->contacts.walls.pair[contact].low;
    const struct scree_grain *grain = &scree_world_grains(collider->world)[slot];
    add_to_total(&part->friction, grain, friction);
    if (!begins)
        return;
    add_to_total(&part->impact_energy, grain, impact_energy(grain, wall));
    ++part->impacts;
}

static bool is_empty(const struct scree_facet_wear *part)
{
    return part->friction.value == 0 && part->impacts == 0;
}

void scree_wall_wear_collect(struct scree_collider *collider)
{
    const struct scree_contacts *contacts = &collider->world->contacts;
    struct scree_wall_wear_parts *wear = &collider->wear;
    // the lists are emptied with the last contact law
    const size_t count = wear->count < contacts->walls.count ? wear->count : contacts->walls.count;
    for (size_t c = 0; c < count; ++c) {
        struct scree_facet_wear *part = &wear->part[c];
        if (is_empty(part))
            continue;
        struct scree_facet_wear *row = scree_wall_facets_wear_of(
            collider->world, scree_contacts_wall(contacts, c), contacts->walls.feature[c]);
        if (row) {
            scree_total_add_total(&row->friction, &part->friction);
            scree_total_add_total(&row->impact_energy, &part->impact_energy);
            row->impacts += part->impacts;
        }
        *part = (struct scree_facet_wear){0};
    }
}
