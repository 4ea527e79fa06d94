// Counts of insertions and deletions, see tally.h.

#include "measure/tally.h"

#include "world/entity.h"
#include "world/world.h"

static const char entity_name[] = "traffic";
enum { WAY, BODIES, MASS };
static const struct scree_field_def fields[] = {
    [WAY] = {.entity = entity_name,
             .name = "way",
             .type = SCREE_U64,
             .width = 1,
             .flags = SCREE_PERSISTED,
             .about = "1: insertion, 2: deletion."},
    [BODIES] = {.entity = entity_name,
                .name = "bodies",
                .type = SCREE_U64,
                .width = 1,
                .flags = SCREE_PERSISTED,
                .about = "Number of bodies inserted or deleted."},
    [MASS] = {.entity = entity_name,
              .name = "mass",
              .type = SCREE_F64,
              .width = 1,
              .unit = "kg",
              .flags = SCREE_PERSISTED,
              .about = "Their mass."},
};

static struct scree_entity *find_entity(const struct scree_world *world)
{
    return scree_registry_entity(&world->registry, entity_name);
}

// The value of a field in a row.
static void *at(const struct scree_entity *entity, const struct scree_field_def *def, size_t row)
{
    return (void *)(uintptr_t)scree_registry_at(entity, scree_registry_field(entity, def->name), row);
}

scree_status scree_tally_add(struct scree_world *world, enum scree_tally_way way, size_t row)
{
    uint64_t id;
    if (!find_entity(world)) {
        SCREE_TRY(scree_field_add_entity(world, entity_name));
        for (size_t f = 0; f < sizeof fields / sizeof fields[0]; ++f)
            SCREE_TRY(scree_field_add(world, &fields[f]));
    }
    if (row < find_entity(world)->count)
        return SCREE_OK;
    SCREE_TRY(scree_field_add_row(world, entity_name, &id));
    *(uint64_t *)at(find_entity(world), &fields[WAY], row) = way;
    return SCREE_OK;
}

void scree_tally_get(const struct scree_world *world, size_t row, uint64_t *bodies, double *mass)
{
    *bodies = *(const uint64_t *)at(find_entity(world), &fields[BODIES], row);
    *mass = *(const double *)at(find_entity(world), &fields[MASS], row);
}

void scree_tally_set(struct scree_world *world, size_t row, uint64_t bodies, double mass)
{
    *(uint64_t *)at(find_entity(world), &fields[BODIES], row) = bodies;
    *(double *)at(find_entity(world), &fields[MASS], row) = mass;
}

void scree_tally_sum(const struct scree_world *world, enum scree_tally_way way, uint64_t *bodies,
                     double *mass)
{
    const struct scree_entity *entity = find_entity(world);
    *bodies = 0;
    *mass = 0;
    // rows never move, so the order of summation is fixed
    for (size_t row = 0; entity && row < entity->count; ++row) {
        uint64_t number;
        double amount;
        if (*(const uint64_t *)at(entity, &fields[WAY], row) != way)
            continue;
        scree_tally_get(world, row, &number, &amount);
        *bodies += number;
        *mass += amount;
    }
}
