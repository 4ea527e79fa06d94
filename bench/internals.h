// Access of the benches to the internal parts of a soft engine.
#ifndef SCREE_BENCH_INTERNALS_H
#define SCREE_BENCH_INTERNALS_H

#include "engine/soft.h"

static inline struct scree_soft *internals_soft(struct scree_engine *engine)
{
    return (struct scree_soft *)engine->self;
}

static inline struct scree_collider *internals_collider(struct scree_engine *engine)
{
    return &internals_soft(engine)->collider;
}

// The end of the tile or block that begins at a grain.
static inline size_t internals_end(const struct scree_collider *collider, size_t begin, size_t length)
{
    const size_t grains = collider->world->contacts.grains;
    return begin + length < grains ? begin + length : grains;
}

// Prefetches the data of the block of the next tile, as the engine does.
static inline void internals_prefetch(const struct scree_collider *collider, size_t first)
{
    const struct scree_grain *grain = scree_world_grains(collider->world);
    const struct scree_losses *loss = scree_world_losses(collider->world);
    const size_t last = internals_end(collider, first, SCREE_MOVER_BLOCK);
    for (size_t i = first; i < last; ++i) {
        __builtin_prefetch(&grain[i].position, 1);
        __builtin_prefetch(&grain[i].spin, 1);
        __builtin_prefetch(collider->sums.sum + SCREE_TERMS * i, 1);
        if (i % 2 == 0)
            __builtin_prefetch(&loss[i], 1);
    }
}

#endif
