// Fillings in scenes (build/fill.c): positions, numbers and radii of the bodies against the geometry of the
// walls and the requested porosity or size distribution, and messages for impossible fillings.

#include "support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"                                    \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"               \
    "engine: {soft: {step: 10 us}}\n"
#define FLAT                                                                                                 \
    "scree: 1\n"                                                                                             \
    "dimension: 2\n"                                                                                         \
    "materials: {glass: {density: 2500}}\n"                                                                  \
    "contacts: [{between: [any, any], law: linear, stiffness: 1e5, friction: 0.5, restitution: 0.7}]\n"      \
    "engine: {soft: {step: 1 us}}\n"                                                                         \
    "bodies: [fill: {shape: {disk: {radius: 4 mm, thickness: 1 mm}}, material: glass, "                      \
    "inside: {box: [[0, 0], [0.1, 0.1]]}, }]\n"
#define FILL(radius, more)                                                                                   \
    HEAD "bodies: [fill: {shape: {sphere: {radius: " radius "}}, material: glass, "                          \
         "inside: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}, " more "}]\n"

static void radii_follow_classes_and_sieve_curves(void **state)
{
    (void)state;
    struct scree_world *world =
        scree_trial_build_text(FILL("{classes: [[1 mm, 40 %], [2 mm, 60 %]], by: mass}", "count: 900"));
    size_t small_count = 0;
    for (uint64_t id = 1; id <= 900; ++id) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
        assert_true(body.radius == 1e-3 || body.radius == 2e-3);
        small_count += body.radius == 1e-3;
    }
    scree_world_destroy(world);
    // the number fraction of small grains is 0.4 / 0.475; tolerance: six standard deviations of a binomial
    // distribution of 900
    assert_true(fabs((double)small_count / 900 - 0.4 / 0.475) < 6 * sqrt(0.842 * 0.158 / 900));
    world = scree_trial_build_text(FILL("{sieve: [[2 mm, 0 %], [3 mm, 35 %], [6 mm, 100 %]]}", "count: 200"));
    for (uint64_t id = 1; id <= 200; ++id) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
        assert_true(body.radius >= 1e-3 && body.radius <= 3e-3);
    }
    scree_world_destroy(world);
}

// The free region is smaller than the region: walls are a funnel on a tube in a sphere, with an inclined
// floor.
static void fillings_do_not_overlap_walls(void **state)
{
    (void)state;
    static const char *const fillings[] = {"count: 300", "count: 300, arrange: cubic",
                                           "count: 200, arrange: hexagonal", "count: 800, arrange: grow"};
    for (size_t f = 0; f < sizeof fillings / sizeof fillings[0]; ++f) {
        char text[2000];
        snprintf(text, sizeof text,
                 HEAD "bodies: [fill: {shape: {sphere: {radius: 3 mm}}, material: glass, seed: 4, "
                      "inside: {box: [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]]}, %s}]\n"
                      "walls:\n"
                      "  - plane: {point: [0, 0, -5 cm], normal: [0, 0.1, 1], material: glass}\n"
                      "  - sphere: {centre: [0, 0, 0], radius: 9 cm, material: glass}\n"
                      "  - cylinder: {from: [0, 0, -5 cm], to: [0, 0, 0], radius: 3 cm, material: glass}\n"
                      "  - cone: {from: [0, 0, 0], to: [0, 0, 4 cm], radii: [3 cm, 6 cm], material: glass}\n",
                 fillings[f]);
        struct scree_world *world = scree_trial_build_text(text);
        const double slope_factor = sqrt(1.01);
        size_t outside_tube = 0;
        for (uint64_t id = 1; scree_body_exists(world, (scree_body_id){id}); ++id) {
            struct scree_body_state body;
            assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
            const double *x = body.position, r = body.radius * (1 - 1e-9), from_axis = hypot(x[0], x[1]);
            assert_true((x[2] + 0.05 + 0.1 * x[1]) / slope_factor >= r);
            assert_true(hypot(from_axis, x[2]) <= 0.09 - r);
            if (x[2] <= 0 && x[2] >= -0.05)
                assert_true(fabs(from_axis - 0.03) >= r);
            // the cone widens by 3 per 4 upward; near its ends, its rims are nearer than its surface
            if (x[2] >= 0 && x[2] <= 0.04)
                assert_true(fabs((from_axis - 0.03) * 0.8 - x[2] * 0.6) >= r || from_axis > 0.055 ||
                            x[2] < 0.01);
            outside_tube += from_axis > 0.03;
        }
        assert_true(outside_tube > 20);
        scree_world_destroy(world);
    }
}

static void a_lattice_that_fits_its_region_exactly_has_all_layers(void **state)
{
    (void)state;
    static const struct {
        const char *radius, *region, *walls;
        size_t count;
    } rows[] = {
        {"1 cm", "[[0, 0, 0], [0.1, 0.1, 0.1]]", "", 125},
        {"1 cm", "[[0.3, -0.7, 11], [0.4, -0.6, 11.1]]", "", 125},
        {"1 mm", "[[0, 0, 0], [4 cm, 4 cm, 4 cm]]", "", 8000},
        {"1 mm", "[[0, 0, 0], [39.99 mm, 4 cm, 4 cm]]", "", 7600},
        {"1 cm", "[[0, 0, 0], [0.1, 0.1, 0.1]]",
         "walls: [box: {lower: [0, 0, 0], upper: [0.1, 0.1, 0.1], material: glass}]\n", 125},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[2000];
        snprintf(text, sizeof text,
                 HEAD "bodies: [fill: {shape: {sphere: {radius: %s}}, material: glass, "
                      "arrange: cubic, inside: {box: %s}}]\n%s",
                 rows[r].radius, rows[r].region, rows[r].walls);
        struct scree_world *world = scree_trial_build_text(text);
        assert_int_equal(scree_body_count(world), rows[r].count);
        scree_world_destroy(world);
    }
}

static void porosity_refers_to_the_free_region(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        FILL("1.5 mm", "porosity: 0.45, arrange: grow") "walls:\n"
                                                        "  - plane: {point: [0, 0, 6 cm], normal: [0, 0, "
                                                        "-1], material: glass}\n"
                                                        "  - sphere: {centre: [0, 0, 0], radius: 3 cm, "
                                                        "bodies: outside, material: glass}\n");
    const double pi = 3.14159265358979323846, grain_volume = 4.0 / 3 * pi * 3.375e-9;
    const double free_volume = 0.1 * 0.1 * 0.06 - pi / 6 * 2.7e-5;
    // the volume of the region is measured with half a million evenly spread points
    assert_true(fabs((double)scree_body_count(world) * grain_volume / free_volume - 0.55) < 0.55 * 1e-3);
    for (uint64_t id = 1; id <= scree_body_count(world); ++id) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
        assert_true(body.position[2] <= 0.06 - 1.5e-3 * (1 - 1e-9));
        assert_true(hypot(hypot(body.position[0], body.position[1]), body.position[2]) >= 0.0315 - 1e-12);
    }
    scree_world_destroy(world);
}

static void impossible_fillings_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {FILL("{sieve: [[1 mm, 0 %], [1 mm, 100 %]]}", "count: 1"),
         "scene.yaml:5:64: the openings of the sieves must increase"},
        {FILL("{sieve: [[1 mm, 0 %], [2 mm, 60 %], [3 mm, 40 %], [4 mm, 100 %]]}", "count: 1"),
         "the fractions passing must not decrease"},
        {FILL("{sieve: [[1 mm, 5 %], [2 mm, 100 %]]}", "count: 1"),
         "a sieve curve must begin with an opening that nothing passes, at 0 %"},
        {FILL("{sieve: [[1 mm, 0 %], [2 mm, 90 %]]}", "count: 1"),
         "a sieve curve must end with an opening that everything passes, at 100 %"},
        {FILL("{sieve: [[1 mm, 100 %]]}", "count: 1"), "a sieve curve needs at least two sieves"},
        {FILL("{sieve: [[1 mm, 0 %], [2 mm, 100 kg]]}", "count: 1"),
         "'fraction' must be a number without a unit, but this is in kg"},
        {FILL("{sieve: [[1 mm, 0 %], [2 s, 100 %]]}", "count: 1"), "'sieve' must be in m, but this is in s"},
        {FILL("{sieve: [1 mm, 2 mm]}", "count: 1"),
         "'sieve' must be a list of pairs of a number and a fraction"},
        {FILL("{sieve: [[1 mm, 0 %], [2 mm, 100 %]], limits: [1 mm, 2 mm]}", "count: 1"),
         "'limits' cannot be combined with a table"},
        {FILL("{uniform: [3 mm, 2 mm]}", "count: 1"),
         "the smaller radius must come first, then a larger one, not 0.003 m and 0.002 m"},
        {FILL("{uniform: [2 mm, 2 mm]}", "count: 1"), "equal bodies have a number, as in `radius: 2 mm`"},
        {FILL("{normal: {mean: 2 mm, deviation: 1 mm}, limits: [3 mm, 1 mm]}", "count: 1"),
         "the smaller radius must come first, then a larger one, not 0.003 m and 0.001 m"},
        {FILL("{uniform: [1 mm, 2 mm], limits: [3 mm, 4 mm]}", "count: 1"),
         "no radius of the distribution, from 0.001 m to 0.002 m, is within these limits"},
        {FILL("{classes: [[1 mm, 30 %], [2 mm, 60 %]]}", "count: 1"),
         "the fractions of the classes must sum to 100 %, not 90 %"},
        {FILL("{classes: [[2 mm, 30 %], [1 mm, 70 %]]}", "count: 1"), "the radii must increase"},
        {FILL("{classes: [[1 nm, 30 %], [1, 70 %]]}", "count: 1"),
         "the largest radius must be at most 1e+06 times the smallest"},
        {FILL("2 mm", "arrange: grow"), "a random filling needs 'count' or 'porosity'"},
        {FILL("2 mm", "count: 5, porosity: 0.4"), "'count' and 'porosity' exclude each other"},
        {FILL("2 mm", "porosity: 0.4, arrange: cubic"), "a lattice has its own porosity"},
        {FILL("9 mm", "porosity: 0.45"), "could be placed without overlap, at a solid fraction of 0."},
        {FILL("9 mm", "porosity: 0.35"), "213 grains of 3.05e-06 m^3 each would be a solid fraction of 0.65 "
                                         "of the free region of 0.001 m^3, but "
                                         "random packings of these sizes have at most about 0.64 (a porosity "
                                         "of 0.36), or 209 grains: reduce the "
                                         "number, or enlarge the region"},
        {FILL("9 mm", "porosity: 0.3, arrange: grow"),
         "229 grains do not fit here, at a porosity of 0.3007: "},
        {FILL("1 um", "porosity: 0.5, arrange: grow"),
         "a filling can have at most 1e+08 grains, this one would have 1.19e+14: use larger grains"},
        {FILL("1 um", "count: 900000000, arrange: grow"), "1e+08 grains, this one would have 9e+08"},
        {FILL("1 um", "count: 900000000"), "1e+08 grains, this one would have 9e+08"},
        {FILL("1 um", "arrange: cubic"),
         "a lattice can have at most 1e+08 sites, this one would have 1.25e+14"},
        {FILL("5 mm", "count: 1910, arrange: grow"),
         "1910 grains of 5.24e-07 m^3 each would be a solid fraction of 1 of the free region"},
        {FILL("30 cm", "count: 1, arrange: grow"), "grains of this size do not fit"},
        {FILL("30 cm", "arrange: cubic"), "no body of radius 0.3 m has space in this region"},
        {FILL("2 mm", "porosity: 1"), "the bodies in the region already fill it to this porosity"},
        {FILL("{classes: [[1 mm, 30 %], [1, 130 %]]}", "count: 1"),
         "'fraction' must be at least 0 and at most 1, not 1.3"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r][1], "%s", rows[r][0]);
}

// The message about a jammed filling names a possible porosity: for equal spheres and disks, with and
// without walls.
static void the_porosity_suggested_after_a_jam_can_be_filled(void **state)
{
    (void)state;
    static const struct {
        const char *head, *more, *tail;
    } rows[] = {
        {FILL("8 mm", ""), "porosity: 0.3", ""},
        {FILL("8 mm", ""), "count: 340", ""},
        {FILL("7 mm", ""), "porosity: 0.35",
         "walls: [plane: {point: [0, 0, 9 cm], normal: [0, 0.3, -1], material: glass}]\n"},
        {FLAT, "porosity: 0.12", ""},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[2000];
        const int head = (int)(strrchr(rows[r].head, '}') - rows[r].head);
        double porosity = 0;
        size_t count = 0, requested = 0;
        snprintf(text, sizeof text, "%.*s%s, arrange: grow}]\n%s", head, rows[r].head, rows[r].more,
                 rows[r].tail);
        struct scree_trial trial = scree_trial_read("scene.yaml", text);
        scree_trial_assert_ok(&trial);
        assert_int_equal(scree_trial_build(&trial), SCREE_ERROR_ARGUMENT);
        const char *message = strstr(scree_trial_message(&trial), " grains do not fit here");
        if (!message)
            fail_msg("%s", scree_trial_message(&trial));
        while (message[-1] >= '0' && message[-1] <= '9')
            --message;
        assert_int_equal(sscanf(message,
                                "%zu grains do not fit here, at a porosity of %*[0-9.]: %zu fit, at a "
                                "porosity of %lf.",
                                &requested, &count, &porosity),
                         3);
        scree_trial_free(&trial);
        assert_true(count < requested);
        snprintf(text, sizeof text, "%.*sporosity: %.17g, arrange: grow}]\n%s", head, rows[r].head, porosity,
                 rows[r].tail);
        struct scree_world *world = scree_trial_build_text(text);
        assert_int_equal(scree_body_count(world), count);
        scree_world_destroy(world);
    }
}

static bool end_at_third_call(void *user)
{
    return ++*(int *)user == 3;
}

// A fourth call would mean that the first three were ignored.
static void a_filling_ends_when_it_is_cancelled(void **state)
{
    (void)state;
    static const char *const fillings[] = {FILL("1 mm", "porosity: 0.4, arrange: grow"),
                                           FILL("1 mm", "count: 5000")};
    for (size_t f = 0; f < 2; ++f) {
        char text[1000];
        int calls = 0;
        const struct scree_run_def def = {.cancelled = end_at_third_call, .user = &calls};
        struct scree_world *world;
        snprintf(text, sizeof text, "%srun: {steps: 1}\n", fillings[f]);
        struct scree_trial trial = scree_trial_read("scene.yaml", text);
        scree_trial_assert_ok(&trial);
        assert_int_equal(scree_scene_run(trial.scene, &def, &world), SCREE_ERROR_STATE);
        assert_string_equal(scree_status_message(), "ended before the first step, while a region was filled");
        assert_true(calls == 3 && !world && !scree_scene_diagnostics(trial.scene));
        scree_trial_free(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radii_follow_classes_and_sieve_curves),
        cmocka_unit_test(fillings_do_not_overlap_walls),
        cmocka_unit_test(a_lattice_that_fits_its_region_exactly_has_all_layers),
        cmocka_unit_test(porosity_refers_to_the_free_region),
        cmocka_unit_test(the_porosity_suggested_after_a_jam_can_be_filled),
        cmocka_unit_test(a_filling_ends_when_it_is_cancelled),
        cmocka_unit_test(impossible_fillings_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
