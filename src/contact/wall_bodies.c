// Forces on the bodies of walls, see wall_bodies.h.

#include "contact/wall_bodies.h"

#include "base/memory.h"
#include "contact/sums.h"
#include "math/vec3.h"
#include "world/wall.h"

#include <string.h>

enum { TERMS = SCREE_WALL_BODIES_TERMS };

void scree_wall_bodies_free(struct scree_wall_bodies *bodies)
{
    scree_memory_free(bodies->slot);
    scree_memory_free(bodies->of_wall);
    scree_memory_free(bodies->block);
    scree_memory_free(bodies->mobility);
    scree_memory_free(bodies->sum);
    scree_memory_free(bodies->total);
    *bodies = (struct scree_wall_bodies){0};
}

// Numbers the bodies in order of walls.
static void number(struct scree_wall_bodies *bodies, const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        uint32_t slot, at = 0;
        bodies->of_wall[w] = UINT32_MAX;
        if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool,
                             scree_wall_body_of(world, w), &slot))
            continue;
        while (at < bodies->count && bodies->slot[at] != slot)
            ++at;
        bodies->slot[at] = slot;
        bodies->count += at == bodies->count;
        bodies->of_wall[w] = at;
        bodies->block[slot / SCREE_SUMS_BLOCK] = 1;
    }
}

static scree_status make(struct scree_wall_bodies *bodies, const struct scree_world *world, int threads)
{
    const size_t walls = scree_wall_rows(world);
    SCREE_TRY(scree_memory_new(walls, sizeof *bodies->slot, (void **)&bodies->slot));
    SCREE_TRY(scree_memory_new(walls, sizeof *bodies->of_wall, (void **)&bodies->of_wall));
    SCREE_TRY(scree_memory_new(scree_world_bodies(world) / SCREE_SUMS_BLOCK + 1, 1, (void **)&bodies->block));
    number(bodies, world);
    bodies->threads = threads;
    SCREE_TRY(scree_memory_new(bodies->count, sizeof *bodies->mobility, (void **)&bodies->mobility));
    SCREE_TRY(scree_memory_new(bodies->count, sizeof *bodies->total, (void **)&bodies->total));
    return scree_memory_new((size_t)threads * bodies->count * TERMS, sizeof *bodies->sum,
                            (void **)&bodies->sum);
}

scree_status scree_wall_bodies_make(struct scree_wall_bodies *bodies, const struct scree_world *world,
                                    int threads)
{
    bool any = false;
    scree_wall_bodies_free(bodies);
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        any = any || scree_wall_follows(scree_wall_row(world, w));
    const scree_status status = any ? make(bodies, world, threads) : SCREE_OK;
    if (status != SCREE_OK)
        scree_wall_bodies_free(bodies);
    return status;
}

void scree_wall_bodies_begin(const struct scree_wall_bodies *bodies, const struct scree_world *world)
{
    for (size_t b = 0; b < bodies->count; ++b)
        bodies->mobility[b] = scree_wall_body_mobility(world, bodies->slot[b]);
}

// The moment of the terms is about the centre of the grain, where the reaction has the opposite one.
void scree_wall_bodies_react(const struct scree_wall_bodies *bodies, int thread,
                             const struct scree_wall *wall, uint32_t wall_slot,
                             const struct scree_grain *grain, const double *terms)
{
    const uint32_t body = bodies->of_wall ? bodies->of_wall[wall_slot] : UINT32_MAX;
    if (body == UINT32_MAX)
        return;
    struct scree_sum *sum = bodies->sum + ((size_t)thread * bodies->count + body) * TERMS;
    const struct scree_vec3 force = scree_vec3_load(terms + SCREE_TERM_FORCE),
                            arm = scree_vec3_sub(scree_vec3_load(grain->position),
                                                 scree_vec3_load(wall->pivot)),
                            moment = scree_vec3_add(scree_vec3_load(terms + SCREE_TERM_MOMENT),
                                                    scree_vec3_cross(arm, force));
    double reaction[TERMS];
    scree_vec3_store(scree_vec3_negate(force), reaction);
    scree_vec3_store(scree_vec3_negate(moment), reaction + 3);
    for (int k = 0; k < TERMS; ++k)
        scree_sum_add(&sum[k], reaction[k]);
}

void scree_wall_bodies_total(struct scree_wall_bodies *bodies)
{
    const size_t sums = bodies->count * TERMS;
    for (size_t k = 0; k < sums; ++k) {
        for (int t = 1; t < bodies->threads; ++t)
            scree_sum_merge(&bodies->sum[k], &bodies->sum[(size_t)t * sums + k]);
        bodies->total[k / TERMS][k % TERMS] = scree_sum_value(&bodies->sum[k]);
    }
    if (sums > 0)
        memset(bodies->sum, 0, (size_t)bodies->threads * sums * sizeof *bodies->sum);
}

void scree_wall_bodies_add(const struct scree_wall_bodies *bodies, size_t first, size_t last,
                           struct scree_wrench *wrench)
{
    for (size_t b = 0; b < bodies->count; ++b)
        for (int k = 0; k < 3 && bodies->slot[b] >= first && bodies->slot[b] < last; ++k) {
            wrench[bodies->slot[b] - first].force[k] += bodies->total[b][k];
            wrench[bodies->slot[b] - first].moment[k] += bodies->total[b][3 + k];
        }
}
