// Random sequences of calls for tests: their state, the choice of calls, and calls from callbacks within
// steps.

#ifndef SCREE_TESTS_FUZZ_SEQUENCE_H
#define SCREE_TESTS_FUZZ_SEQUENCE_H

#include "support/worlds.h"

enum { LAWS = 6 };

struct sequence {
    uint64_t seed;
    struct scree_world *world;
    struct scree_engine *engine;
    uint64_t trace;                     // hash of the kinds and statuses of all calls
    int depth;                          // 1 inside a callback
    bool overflowed;                    // a number of the world is not finite
    struct scree_contact_law law[LAWS]; // laws of the user; they must exist as long as the world
    int laws;
};

static uint64_t pick(struct sequence *s, uint64_t count)
{
    return splitmix_next(&s->seed) % count;
}

static bool one_in(struct sequence *s, uint64_t count)
{
    return pick(s, count) == 0;
}

static bool is_flat(const struct sequence *s)
{
    return scree_world_dimension(s->world) == 2;
}

// Each test defines its numbers, most of them valid and some extreme or invalid, and its calls.
static double number(struct sequence *s);
static void make_call(struct sequence *s);

typedef scree_status call(struct sequence *s);

struct kind {
    call *make;
    unsigned weight;
    bool advances; // may change the world even when it fails
};

// Makes a call of a random kind, stores its number in `index`, and adds kind and status to the trace.
static scree_status make_random_call(struct sequence *s, const struct kind *kinds, size_t count,
                                     size_t *index)
{
    unsigned total_weight = 0;
    for (size_t k = 0; k < count; ++k)
        total_weight += kinds[k].weight;
    uint64_t draw = pick(s, total_weight);
    for (*index = 0; draw >= kinds[*index].weight;)
        draw -= kinds[(*index)++].weight;
    const scree_status status = kinds[*index].make(s);
    s->trace = 31 * s->trace + 16 * *index + (uint64_t)status;
    return status;
}

static void fill_with_numbers(struct sequence *s, double *v, int count)
{
    for (int k = 0; k < count; ++k)
        v[k] = number(s);
    if (is_flat(s) && count >= 3 && !one_in(s, 20))
        v[2] = 0;
}

static void fill_spin(struct sequence *s, double *v)
{
    fill_with_numbers(s, v, 3);
    if (is_flat(s) && !one_in(s, 20)) {
        v[0] = v[1] = 0;
        v[2] = number(s);
    }
}

static scree_body_id any_body(struct sequence *s)
{
    struct scree_view view;
    if (one_in(s, 20) || scree_field_view(s->world, "body.id", &view) != SCREE_OK || view.count == 0)
        return (scree_body_id){one_in(s, 3) ? UINT64_MAX : pick(s, 100)};
    return (scree_body_id){((const uint64_t *)view.base)[pick(s, view.count)]};
}

// A callback that makes a random call within a step.
static scree_status make_call_in_step(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct sequence *s = (struct sequence *)user;
    assert_ptr_equal(engine, s->engine);
    assert_ptr_equal(world, s->world);
    ++s->depth;
    make_call(s);
    --s->depth;
    if (one_in(s, 60))
        scree_engine_stop(engine);
    return one_in(s, 60) ? SCREE_ERROR_IO : SCREE_OK;
}

#endif
