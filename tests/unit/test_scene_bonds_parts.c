// Bonds by pairs of ids in scenes: which pebbles of clumps are bonded.

#include "support/trial.h"

#include <scree/bond.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define SPRING "contact: {normal-stiffness: 1e5, shear-stiffness: 5e4, tensile-strength: 10 N}"

// Returns the number of bonds, and the first one.
static size_t find_bond(const struct scree_world *world, struct scree_bond_state *bond)
{
    scree_bond_id id;
    size_t count = 0;
    assert_int_equal(scree_bond_list(world, &id, 1, &count), SCREE_OK);
    assert_int_equal(scree_bond_get(world, id, bond), SCREE_OK);
    return count;
}

// Three pebbles in a row along x, 0.1 mm from those of the next body; the first is of rubber.
#define RODS                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {rock: {density: 2500}, rubber: {density: 1000}}\n"                                          \
    "contacts: [{between: [any, any], law: none}]\n"                                                         \
    "engine: {soft: {step: 1 us}}\n"                                                                         \
    "clumps: {rod: {spheres: [{radius: 1 mm, at: [-2 mm, 0, 0], material: rubber}, {radius: 1 mm, at: [0, "  \
    "0, 0]}, {radius: 1 mm, at: [2 mm, 0, 0]}]}}\n"                                                          \
    "bodies:\n"                                                                                              \
    "  - clump: {shape: rod, at: [0, 0, 0], material: rock}\n"                                               \
    "  - clump: {shape: rod, at: [6.1 mm, 0, 0], material: rock}\n"                                          \
    "  - clump: {shape: rod, at: [0, 2.1 mm, 0], material: rock}\n"                                          \
    "  - sphere: {radius: 1 mm, at: [0, 0, 2.1 mm], material: rock}\n"

static void pairs_of_ids_bond_the_pebbles_that_are_given(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        unsigned part[2];
    } rows[] = {
        {"pairs: [[1, 2]]", {3, 1}},
        {"pairs: [[1, 2]], parts: [[1, 2]]", {1, 2}},
        // parts belong to the ids as they are written
        {"pairs: [[2, 1]], parts: [[1, 2]]", {2, 1}},
        {"pairs: [[1, 2]], parts: [[2, 0]]", {2, 1}},
        // the nearest two of rock, and of both materials
        {"pairs: [[1, 2]], between: [rock, rock]", {3, 2}},
        {"pairs: [[1, 2]], between: [rubber, rubber]", {1, 1}},
        // three pairs at equal distances
        {"pairs: [[1, 3]]", {1, 1}},
        {"pairs: [[3, 1]], parts: [[0, 2]]", {2, 2}},
        {"pairs: [[1, 4]], parts: [[3, 0]]", {3, 0}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[2000];
        struct scree_bond_state bond;
        snprintf(text, sizeof text, "%sbonds: [{%s, %s}]\n", RODS, SPRING, rows[r].keys);
        struct scree_world *world = scree_trial_build_text(text);
        assert_int_equal(find_bond(world, &bond), 1);
        assert_int_equal(bond.side[0].part, rows[r].part[0]);
        assert_int_equal(bond.side[1].part, rows[r].part[1]);
        scree_world_destroy(world);
    }
    static const char *const wrong[][2] = {
        {"pairs: [[1, 2], [2, 3]], parts: [[1, 2]]", "2 'pairs' need as many 'parts', not 1"},
        {"pairs: [[1, 2]], parts: [[1, 4]]", "body 2 has parts from 1 to 3, not 4"},
        {"pairs: [[1, 4]], parts: [[1, 1]]", "body 4 is no clump: its part must be 0, not 1"},
        {"gap: 0, parts: [[1, 2]]", "'parts' requires 'pairs'"},
        {"pairs: [[4, 1]], between: [rubber, rubber]",
         "bodies 1 and 4 have no spheres of these materials to bond"},
    };
    for (size_t r = 0; r < sizeof wrong / sizeof wrong[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, wrong[r][1], "%sbonds: [{%s, %s}]\n", RODS, SPRING,
                                        wrong[r][0]);
}

// The bar is nearer to the other body than the sphere of the mace.
static void polyhedra_of_clumps_are_not_chosen_for_a_bond(void **state)
{
    (void)state;
#define MACES                                                                                                \
    "scree: 1\n"                                                                                             \
    "materials: {rock: {density: 2500}}\n"                                                                   \
    "contacts: [{between: [any, any], law: none}]\n"                                                         \
    "engine: {soft: {step: 1 us}}\n"                                                                         \
    "polyhedra: {bar: {box: [3 mm, 1 mm, 1 mm], rounding: 0.1 mm}}\n"                                        \
    "clumps: {mace: {parts: [{polyhedron: bar}, {sphere: 1 mm, at: [-3 mm, 0, 0]}]}}\n"                      \
    "bodies:\n"                                                                                              \
    "  - clump: {shape: mace, at: [0, 0, 0], material: rock}\n"                                              \
    "  - sphere: {radius: 1 mm, at: [6 mm, 0, 0], material: rock}\n"
    struct scree_bond_state bond;
    struct scree_world *world = scree_trial_build_text(MACES "bonds: [{" SPRING ", pairs: [[2, 1]]}]\n");
    assert_int_equal(find_bond(world, &bond), 1);
    assert_int_equal(bond.side[0].part, 2);
    scree_world_destroy(world);
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "part 1 of body 1 is a polyhedron", "%s",
                                    MACES "bonds: [{" SPRING ", pairs: [[1, 2]], parts: [[1, 0]]}]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_ids_bond_the_pebbles_that_are_given),
        cmocka_unit_test(polyhedra_of_clumps_are_not_chosen_for_a_bond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
