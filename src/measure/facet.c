// Loads and wear of the facets of meshes, see facet.h and include/scree/measure.h.
//
// Invariant: forces on a facet are added exactly before they are rounded (world/total.h), so they do not
// depend on the order of contacts.

#include "measure/facet.h"

#include "base/memory.h"
#include "contact/evaluate_one.h"
#include "contact/walk.h"
#include "world/entity.h"
#include "world/group.h"
#include "world/wall.h"
#include "world/wall_facets.h"

// Sums over the contacts of a facet.
struct load {
    struct scree_total force[3], normal;
};

static bool find_facet(const struct scree_world *world, const struct scree_wall *wall, uint64_t facet,
                       uint32_t *slot)
{
    return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_FACET)->pool, wall->first_facet + facet,
                           slot);
}

// Adds the contacts of a wall to its facets.
static void add_contacts(const struct scree_world *world, const struct scree_wall *wall, struct load *load)
{
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    for (size_t c = 0; c < walls->count; ++c) {
        struct scree_evaluated evaluated;
        if (!walls->live[c] || scree_evaluate_one_wall_of(world, c) != wall ||
            !scree_evaluate_one_wall_contact(&evaluator, c, &evaluated))
            continue;
        struct load *sums = &load[walls->feature[c]];
        const struct scree_law_vector f = evaluated.force, n = evaluated.normal;
        scree_total_add(&sums->force[0], -f.x);
        scree_total_add(&sums->force[1], -f.y);
        scree_total_add(&sums->force[2], -f.z);
        scree_total_add(&sums->normal, f.x * n.x + f.y * n.y + f.z * n.z);
    }
}

// A vector in the axes of a wall.
static struct scree_vec3 to_world(const struct scree_wall *wall, struct scree_vec3 local)
{
    const struct scree_vec3 x = scree_vec3_scale(scree_vec3_load(wall->axes[0]), local.x);
    const struct scree_vec3 xy = scree_vec3_add_scaled(x, local.y, scree_vec3_load(wall->axes[1]));
    return scree_vec3_add_scaled(xy, local.z, scree_vec3_load(wall->axes[2]));
}

static void set_geometry(const struct scree_wall *wall, const struct scree_facet *facet,
                         struct scree_wall_facet *out)
{
    const struct scree_vec3 a = scree_vec3_load(facet->corner[0]), b = scree_vec3_load(facet->corner[1]),
                            c = scree_vec3_load(facet->corner[2]);
    const struct scree_vec3 twice = scree_vec3_cross(scree_vec3_sub(b, a), scree_vec3_sub(c, a));
    const struct scree_vec3 centre = scree_vec3_scale(scree_vec3_add(a, scree_vec3_add(b, c)), 1.0 / 3);
    const double length = scree_vec3_norm(twice);
    scree_vec3_store(scree_vec3_add(scree_vec3_load(wall->reference), to_world(wall, centre)), out->centre);
    scree_vec3_store(to_world(wall, scree_vec3_scale(twice, 1 / length)), out->normal);
    out->area = 0.5 * length;
}

static void set_facet(const struct scree_world *world, const struct scree_wall *wall, uint32_t slot,
                      const struct load *load, struct scree_wall_facet *out)
{
    const struct scree_facet *facet =
        (const struct scree_facet *)scree_world_column(world, SCREE_ENTITY_FACET, SCREE_FACET_FACET);
    const struct scree_facet_wear *wear = scree_wall_facets_wear(world);
    *out = (struct scree_wall_facet){0};
    set_geometry(wall, &facet[slot], out);
    for (int k = 0; k < 3; ++k)
        out->force[k] = load->force[k].value;
    out->pressure = load->normal.value / out->area;
    if (wear)
        out->wear = (struct scree_wall_wear){wear[slot].friction.value, wear[slot].impact_energy.value,
                                             wear[slot].impacts};
}

scree_status scree_facet_measure(const struct scree_world *world, size_t wall_slot,
                                 struct scree_wall_facet *facet)
{
    const struct scree_wall *wall = scree_wall_row(world, wall_slot);
    struct load *load;
    SCREE_TRY(scree_walk_check_point(world));
    SCREE_TRY(scree_memory_new(wall->facets, sizeof *load, (void **)&load));
    add_contacts(world, wall, load);
    uint32_t slot;
    for (uint64_t f = 0; f < wall->facets; ++f)
        if (find_facet(world, wall, f, &slot))
            set_facet(world, wall, slot, &load[f], &facet[f]);
    scree_memory_free(load);
    return SCREE_OK;
}

scree_status scree_facet_list(const struct scree_world *world, scree_wall_id id, struct scree_wall_facet *out,
                              size_t capacity, size_t *count)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot at;
    struct scree_wall_facet *facet;
    *count = 0;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &at));
    const size_t facets = scree_wall_row(world, at.index)->facets;
    if (facets == 0)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "wall %llu has no facets: only walls of the shape mesh have them",
                                 (unsigned long long)id.value);
    SCREE_TRY(scree_memory_new(facets, sizeof *facet, (void **)&facet));
    const scree_status status = scree_facet_measure(world, at.index, facet);
    for (size_t f = 0; status == SCREE_OK && f < facets && f < capacity; ++f)
        out[f] = facet[f];
    if (status == SCREE_OK)
        *count = facets;
    scree_memory_free(facet);
    return status;
}

// --- wear

scree_status scree_facet_keep_wear(struct scree_world *world)
{
    return scree_entity_require(scree_world_entity(world, SCREE_ENTITY_FACET), SCREE_FACET_WEAR);
}

// Adds the facets of a mesh to the sums.
static void add_wear(const struct scree_world *world, const struct scree_wall *wall,
                     const struct scree_facet_wear *row, struct scree_facet_wear *sum)
{
    for (uint64_t f = 0; f < wall->facets; ++f) {
        uint32_t slot;
        if (!find_facet(world, wall, f, &slot))
            continue;
        scree_total_add_total(&sum->friction, &row[slot].friction);
        scree_total_add_total(&sum->impact_energy, &row[slot].impact_energy);
        sum->impacts += row[slot].impacts;
    }
}

scree_status scree_facet_group_wear(const struct scree_world *world, scree_group_id id,
                                    struct scree_wall_wear *wear)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const struct scree_facet_wear *row = scree_wall_facets_wear(world);
    struct scree_facet_wear sum = {0};
    uint64_t mask, facets = 0;
    *wear = (struct scree_wall_wear){0};
    SCREE_TRY(scree_group_mask(world, id, &mask));
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        facets += scree_group_of_wall(world, w) & mask ? scree_wall_row(world, w)->facets : 0;
    if (facets == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "no wall of the group is a mesh: friction work and impacts are added up for "
                                 "the facets of meshes only");
    if (!row)
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "the wear of facets is not kept: call scree_facet_keep_wear before the run");
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if (scree_group_of_wall(world, w) & mask)
            add_wear(world, scree_wall_row(world, w), row, &sum);
    *wear = (struct scree_wall_wear){sum.friction.value, sum.impact_energy.value, sum.impacts};
    return SCREE_OK;
}
