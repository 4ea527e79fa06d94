// Worlds of touching bodies in ways to run them that must not show: what the tests of contacts share.
//
// Invariants: a world runs for a hundred steps, first as usual on one thread and then in each of the
// ways, and all its digests are equal.

#ifndef SCREE_TESTS_TOUCHING_WAYS_H
#define SCREE_TESTS_TOUCHING_WAYS_H

#include "determinism/touching.h"
#include "support/sketch.h"

#include <stdio.h>
#include <unistd.h>

enum { STEPS = 100 };

static const struct touching everything = TOUCHING_EVERYTHING(160);

// Nothing but contacts, so that bodies go ahead as soon as their force is known.
static const struct touching alone = {.name = "alone", .bodies = 160, .walls = true};

// several tiles, and a last one that is not full
static const struct touching many = {.name = "many", .bodies = 3300, .walls = true, .periodic = true};

static const struct touching uneven = {.name = "uneven", .bodies = 250, .ratio = 50, .walls = true};

static const struct touching automatic = {
    .name = "automatic", .bodies = 160, .walls = true, .automatic = true};

static inline struct scree_digest run(const struct touching *t, const struct touching_way *way)
{
    struct scree_digest digest;
    assert_ok(touching_run(t, way, STEPS, &digest));
    return digest;
}

static inline void assert_same(const struct touching *t, struct scree_digest expected,
                               const struct touching_way *way, const char *what)
{
    if (!scree_sketch_equal(expected, run(t, way)))
        fail_msg("'%s' in %d dimensions by '%s' differs %s", t->name, touching_dimension(t),
                 t->law ? t->law : "several laws", what);
}

// Each law and several of them, in the dimensions that it has; false past the last.
static inline bool next_law(struct touching *t, size_t *index)
{
    const struct scree_contact_law *law;
    for (t->law = NULL; (law = scree_law_at(*index / 2)); ++*index) {
        t->dimension = 2 + (int)(*index % 2);
        t->law = law->name;
        if (law->dimensions >> t->dimension & 1)
            break;
    }
    if (!law) {
        size_t laws = 0;
        while (scree_law_at(laws))
            ++laws;
        t->law = NULL;
        t->dimension = 2 + (int)(*index % 2);
        return (*index)++ < 2 * laws + 2;
    }
    ++*index;
    return true;
}

// Every world in every dimension by every law, in ways that must not show.
static inline void try_ways(const struct touching_way *ways, const char *const *what, size_t count)
{
    const struct touching *const worlds[] = {&everything, &alone, &uneven};
    for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; ++w) {
        struct touching t = *worlds[w];
        for (size_t index = 0; next_law(&t, &index);) {
            const struct scree_digest expected = run(&t, &(struct touching_way){0});
            for (size_t k = 0; k < count; ++k)
                assert_same(&t, expected, &ways[k], what[k]);
        }
    }
    const struct touching *const larger[] = {&many, &automatic};
    for (size_t w = 0; w < sizeof larger / sizeof larger[0]; ++w) {
        struct touching t = *larger[w];
        for (t.dimension = 2; t.dimension <= 3; ++t.dimension) {
            t.law = t.dimension == 3 && w == 0 ? "hertz-mindlin" : "linear";
            const struct scree_digest expected = run(&t, &(struct touching_way){0});
            for (size_t k = 0; k < count; ++k)
                assert_same(&t, expected, &ways[k], what[k]);
        }
    }
}

// Runs a world in ways that must not show, by a law with friction.
static inline void try_large(struct touching t, const struct touching_way *ways, const char *const *what,
                             size_t count)
{
    t.law = "hertz-mindlin";
    const struct scree_digest expected = run(&t, &(struct touching_way){0});
    for (size_t k = 0; k < count; ++k)
        assert_same(&t, expected, &ways[k], what[k]);
}

#define TRY_WAYS(...)                                                                                        \
    do {                                                                                                     \
        const struct touching_way ways[] = {__VA_ARGS__};                                                    \
        try_ways(ways, what, sizeof ways / sizeof ways[0]);                                                  \
    } while (0)

#endif
