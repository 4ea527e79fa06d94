// Counts of insertions and deletions, see tally.h.

#include "measure/tally.h"

#include "world/entity.h"
#include "world/world.h"

static const char entity_name[] = "traffic";
enum { DIRECTION, BODIES, MASS };
static const struct {
    const char *name;
    scree_type type;
    const char *unit, *about;
} fields[] = {
    [DIRECTION] = {"way", SCREE_U64, NULL, "1: insertion, 2: deletion."},
    [BODIES] = {"bodies", SCREE_U64, NULL, "Number of bodies inserted or deleted."},
    [MASS] = {"mass", SCREE_F64, "kg", "Their mass."},
};

static struct scree_entity *find_entity(const struct scree_world *world)
{
    return scree_registry_entity(&world->registry, entity_name);
}

// The value of a field in a row.
static void *at(const struct scree_entity *entity, int field, size_t row)
{
    const struct scree_field *found = scree_registry_field(entity, fields[field].name);
    return (void *)(uintptr_t)scree_registry_at(entity, found, row);
}

scree_status scree_tally_add(struct scree_world *world, enum scree_tally_direction direction, size_t row)
{
    uint64_t id;
    if (!find_entity(world)) {
        SCREE_TRY(scree_field_add_entity(world, entity_name));
        for (size_t f = 0; f < sizeof fields / sizeof fields[0]; ++f)
            SCREE_TRY(scree_field_add(world, &(struct scree_field_def){.entity = entity_name,
                                                                       .name = fields[f].name,
                                                                       .type = fields[f].type,
                                                                       .width = 1,
                                                                       .unit = fields[f].unit,
                                                                       .flags = SCREE_PERSISTED,
                                                                       .about = fields[f].about}));
    }
    if (row < find_entity(world)->count)
        return SCREE_OK;
    SCREE_TRY(scree_field_add_row(world, entity_name, &id));
    *(uint64_t *)at(find_entity(world), DIRECTION, row) = direction;
    return SCREE_OK;
}

void scree_tally_get(const struct scree_world *world, size_t row, uint64_t *bodies, double *mass)
{
    *bodies = *(const uint64_t *)at(find_entity(world), BODIES, row);
    *mass = *(const double *)at(find_entity(world), MASS, row);
}

void scree_tally_set(struct scree_world *world, size_t row, uint64_t bodies, double mass)
{
    *(uint64_t *)at(find_entity(world), BODIES, row) = bodies;
    *(double *)at(find_entity(world), MASS, row) = mass;
}

void scree_tally_sum(const struct scree_world *world, enum scree_tally_direction direction, uint64_t *bodies,
                     double *mass)
{
    const struct scree_entity *entity = find_entity(world);
    *bodies = 0;
    *mass = 0;
    // rows never move, so the order of summation is fixed
    for (size_t row = 0; entity && row < entity->count; ++row) {
        uint64_t number;
        double amount;
        if (*(const uint64_t *)at(entity, DIRECTION, row) != direction)
            continue;
        scree_tally_get(world, row, &number, &amount);
        *bodies += number;
        *mass += amount;
    }
}
