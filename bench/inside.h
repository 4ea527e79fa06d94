// What the benches look at and a user cannot see: the parts of a soft engine.
#ifndef SCREE_BENCH_INSIDE_H
#define SCREE_BENCH_INSIDE_H

#include "engine/soft.h"

static inline struct scree_soft *inside_soft(struct scree_engine *engine)
{
    return (struct scree_soft *)engine->self;
}

static inline struct scree_collider *inside_collider(struct scree_engine *engine)
{
    return &inside_soft(engine)->collider;
}

#endif
