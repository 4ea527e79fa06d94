// The private side of an engine: its table of functions, its world, its callbacks.

#ifndef SCREE_ENGINE_ENGINE_H
#define SCREE_ENGINE_ENGINE_H

#include "base/array.h"
#include "world/world.h"

#include <scree/engine.h>

struct scree_engine_hook {
    int point;
    uint64_t id;
    scree_callback *callback;
    void *user;
};

struct scree_engine {
    const struct scree_engine_ops *ops;
    struct scree_world *world;
    SCREE_ARRAY(struct scree_engine_hook) hooks; // sorted by point, then by id
    uint64_t last_hook;
    scree_status failed;  // the first failure of a callback in this run
    char diagnostic[512]; // and its message
    bool running;
    bool stopped;
    void *self;
};

// Built-in engines.
#define SCREE_ENGINE(symbol) extern const struct scree_engine_ops scree_##symbol##_engine;
#include "engine/engine.def"
#undef SCREE_ENGINE

// Fails inside a step, and for an engine of another kind.
SCREE_NODISCARD scree_status scree_engine_check(const struct scree_engine *engine,
                                                const struct scree_engine_ops *ops);

// Returns true if a callback is set at a point in [from, to).
bool scree_engine_has_callback(const struct scree_engine *engine, int from, int to);

#endif
