// What random stories of contacts are made of, see test_contacts.c: their state, and numbers and names to
// call with, most of them sensible and some hostile.

#ifndef SCREE_TESTS_FUZZ_STORY_H
#define SCREE_TESTS_FUZZ_STORY_H

#include "support/sketch.h"

enum { LAWS = 6 };

struct story {
    uint64_t seed;
    struct scree_world *world;
    struct scree_engine *engine;
    uint64_t trace;                     // of every outcome
    int depth;                          // 1 inside a callback
    bool ended;                         // numbers have
    struct scree_contact_law law[LAWS]; // of the user; they outlive the world
    int laws;
};

static uint64_t pick(struct story *s, uint64_t count)
{
    return scree_sketch_next(&s->seed) % count;
}

static bool one_in(struct story *s, uint64_t count)
{
    return pick(s, count) == 0;
}

static bool is_flat(const struct story *s)
{
    return scree_world_dimension(s->world) == 2;
}

// Coordinates are those of a box where everything touches, some of them the same.
static double number(struct story *s)
{
    static const double bad[] = {NOT_A_NUMBER, ENDLESS, -ENDLESS, 1e200, -1e308, 1e151};
    static const double odd[] = {1e150, -1e150, 1e9, -1e-9, 1e-300, 1e-320, 1e20};
    static const double plain[] = {0, 0.3, -0.3, 0.6};
    if (one_in(s, 150))
        return bad[pick(s, 6)];
    if (one_in(s, 400))
        return odd[pick(s, 7)];
    return one_in(s, 3) ? plain[pick(s, 4)] : scree_sketch_number(&s->seed);
}

static double positive(struct story *s)
{
    static const double bad[] = {0, -1, NOT_A_NUMBER, ENDLESS, 1e-320, -0.0};
    static const double odd[] = {1e-9, 1e6, 1e-150, 1e150, 1e30, 1e-30};
    if (one_in(s, 40))
        return bad[pick(s, 6)];
    return one_in(s, 300) ? odd[pick(s, 6)] : 0.3 + 0.2 * scree_sketch_number(&s->seed);
}

static void numbers(struct story *s, double *v)
{
    for (int k = 0; k < 3; ++k)
        v[k] = number(s);
    if (is_flat(s) && !one_in(s, 20))
        v[2] = 0;
}

static void spins(struct story *s, double *v)
{
    numbers(s, v);
    if (is_flat(s) && !one_in(s, 20)) {
        v[0] = v[1] = 0;
        v[2] = number(s);
    }
}

static scree_body_id any_body(struct story *s)
{
    struct scree_view view;
    if (one_in(s, 20) || scree_field_view(s->world, "body.id", &view) != SCREE_OK || view.count == 0)
        return (scree_body_id){one_in(s, 3) ? UINT64_MAX : pick(s, 100)};
    return (scree_body_id){((const uint64_t *)view.base)[pick(s, view.count)]};
}

static scree_material_id any_material(struct story *s)
{
    return (scree_material_id){one_in(s, 30) ? UINT64_MAX - pick(s, 2) : one_in(s, 30) ? 0 : 1 + pick(s, 3)};
}

#endif
