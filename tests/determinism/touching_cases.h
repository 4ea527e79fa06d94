// Worlds of touching.h and variants of running them, shared by the tests of contacts.
//
// Invariants: a world runs a hundred steps, first on one thread with default settings and then in each
// variant; all digests are equal.

#ifndef SCREE_TESTS_TOUCHING_CASES_H
#define SCREE_TESTS_TOUCHING_CASES_H

#include "determinism/touching.h"
#include "law/law.h"
#include "support/worlds.h"

#include <stdio.h>
#include <unistd.h>

enum { STEPS = 100 };

static const struct touching everything = TOUCHING_EVERYTHING(160);

// Contacts only, so that bodies advance as soon as their force is known.
static const struct touching contacts_only = {.name = "contacts only", .bodies = 160, .walls = true};

// Several tiles, the last one not full.
static const struct touching many = {.name = "many tiles", .bodies = 3300, .walls = true, .periodic = true};

static const struct touching large_ratio = {
    .name = "large size ratio", .bodies = 250, .ratio = 50, .walls = true};

static const struct touching automatic = {
    .name = "automatic", .bodies = 160, .walls = true, .automatic = true};

static const struct touching clumps_and_bonds = TOUCHING_CLUMPS_AND_BONDS(160);

static const struct touching deforming = {
    .name = "deforming", .bodies = 160, .deforms = TOUCHING_MIXED, .oriented = true};

static const struct touching layer = {
    .name = "layer", .bodies = 160, .deforms = TOUCHING_LAYER, .resists = true};

static inline struct scree_digest run(const struct touching *t, const struct touching_variant *variant)
{
    struct scree_digest digest;
    assert_ok(touching_run(t, variant, STEPS, &digest));
    return digest;
}

static inline void assert_same_digest(const struct touching *t, struct scree_digest expected,
                                      const struct touching_variant *variant, const char *how)
{
    if (!scree_test_digests_equal(expected, run(t, variant)))
        fail_msg("world '%s' in %d dimensions with '%s': the digest differs %s", t->name,
                 touching_dimension(t), t->law ? t->law : "several laws", how);
}

static inline void compare_variants(const struct touching *t, struct scree_digest expected,
                                    const struct touching_variant *variants, const char *const *how,
                                    size_t count)
{
    for (size_t k = 0; k < count; ++k)
        assert_same_digest(t, expected, &variants[k], how[k]);
}

// The digest on one thread with default settings, which is kept: all calls of try_variants have the same
// worlds at the same places.
static inline struct scree_digest reference(const struct touching *t, size_t place)
{
    enum { MOST = 64 };
    static struct scree_digest digest[MOST];
    static bool is_known[MOST];
    assert_true(place < MOST);
    if (!is_known[place])
        digest[place] = run(t, &(struct touching_variant){0});
    is_known[place] = true;
    return digest[place];
}

// Sets the next dimension and law: each law in the dimensions that it supports, then several laws at once in
// both dimensions. Returns false after the last.
static inline bool next_law(struct touching *t, size_t *index)
{
    const struct scree_contact_law *law;
    for (t->law = NULL; (law = scree_law_with_force_at(*index / 2)); ++*index) {
        t->dimension = 2 + (int)(*index % 2);
        t->law = law->name;
        if (law->dimensions >> t->dimension & 1)
            break;
    }
    if (!law) {
        size_t laws = 0;
        while (scree_law_with_force_at(laws))
            ++laws;
        t->law = NULL;
        t->dimension = 2 + (int)(*index % 2);
        return (*index)++ < 2 * laws + 2;
    }
    ++*index;
    return true;
}

// Runs a world with every law, and every world in every dimension with one law, in these variants.
static inline void try_variants(const struct touching_variant *variants, const char *const *how, size_t count)
{
    struct touching each = everything;
    size_t place = 0;
    for (size_t index = 0; next_law(&each, &index); ++place)
        compare_variants(&each, reference(&each, place), variants, how, count);
    const struct touching *const one_law[] = {&contacts_only,    &large_ratio, &many, &automatic,
                                              &clumps_and_bonds, &deforming,   &layer};
    for (size_t w = 0; w < sizeof one_law / sizeof one_law[0]; ++w) {
        struct touching t = *one_law[w];
        // many bodies take most of the time
        for (t.dimension = t.bodies > 1000 ? 3 : 2; t.dimension <= 3; ++t.dimension, ++place) {
            t.law = t.dimension == 3 && w < 3 ? "hertz-mindlin" : "linear";
            compare_variants(&t, reference(&t, place), variants, how, count);
        }
    }
}

// Runs one world with the Hertz-Mindlin law in these variants.
static inline void try_world(struct touching t, const struct touching_variant *variants,
                             const char *const *how, size_t count)
{
    t.law = "hertz-mindlin";
    compare_variants(&t, run(&t, &(struct touching_variant){0}), variants, how, count);
}

// `how` must name each variant.
#define TRY_VARIANTS(...)                                                                                    \
    do {                                                                                                     \
        const struct touching_variant variants[] = {__VA_ARGS__};                                            \
        try_variants(variants, how, sizeof variants / sizeof variants[0]);                                   \
    } while (0)

#endif
