// Scenes with the stochastic engine (build/engine_stochastic.c): all keys reach the engine, runs restart with
// the same digest, stages change settings, and what the engine cannot use is refused at its place.
// References: an engine that is created with the settings themselves; an uninterrupted run.

#include "support/folder.h"
#include "support/trial.h"

#include <scree/stochastic.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Disks between a floor and a lid, with an engine and a run to be filled in.
static const char channel[] =
    "scree: 1\n"
    "dimension: 2\n"
    "world: {box: [[0, 0], [20 cm, 20 cm]], periodic: [x]}\n"
    "materials: {glass: {density: 2500}}\n"
    "contacts: [{between: [any, any], law: hard, restitution: 0.8, friction: 0.3, tangential-restitution: "
    "0.4}]\n"
    "walls:\n"
    "  - {plane: {point: [0, 0], normal: [0, 1], material: glass}}\n"
    "  - {plane: {point: [0, 20 cm], normal: [0, -1], material: glass}}\n"
    "bodies:\n"
    "  - {fill: {shape: {disk: {radius: {uniform: [2 mm, 3 mm]}, thickness: 1 mm}}, count: 80, material: "
    "glass,\n"
    "     velocity: [0.5, 0.3], inside: {box: [[0, 0], [20 cm, 20 cm]]}}}\n"
    "engine: {stochastic: %s}\n"
    "%s";

// --- keys

// The digest after 30 steps with the engine of the scene, or with one that has these settings.
static struct scree_digest digest_of(const char *keys, const struct scree_stochastic_def *def)
{
    char text[2000];
    struct scree_digest digest;
    snprintf(text, sizeof text, channel, keys, "run: {steps: 1}\n");
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    if (scree_trial_build(&trial) != SCREE_OK)
        fail_msg("%s: %s", keys, scree_trial_message(&trial));
    assert_string_equal(scree_engine_name(trial.engine), "stochastic");
    if (def) {
        scree_engine_destroy(trial.engine);
        assert_int_equal(scree_stochastic_create(trial.world, def, &trial.engine), SCREE_OK);
    }
    if (scree_engine_run(trial.engine, 30) != SCREE_OK)
        fail_msg("%s: %s", keys, scree_status_message());
    assert_int_equal(scree_world_digest(trial.world, &digest), SCREE_OK);
    scree_trial_free(&trial);
    return digest;
}

static void keys_and_defaults_are_settings_of_the_engine(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        struct scree_stochastic_def def;
    } cases[] = {
        {"{}", {.seed = 1}},
        {"{step: 5 ms}", {.step = 5e-3, .seed = 1}},
        {"{cell: 5 cm}", {.cell = 0.05, .seed = 1}},
        {"{partner: fictitious}", {.partner = SCREE_STOCHASTIC_FICTITIOUS, .seed = 1}},
        {"{weight: 2.5}", {.weight = 2.5, .seed = 1}},
        {"{correlation: none}", {.dilute = true, .seed = 1}},
        {"{seed: 0}", {.seed = 0}},
        {"{contact-time: 10 ms}", {.contact_time = 0.01, .seed = 1}},
        {"{elastic-below: 0.4}", {.elastic_below = 0.4, .seed = 1}},
        {"{step: auto, cell: auto, partner: body, weight: 1, correlation: enskog, seed: 1, contact-time: 0, "
         "elastic-below: 0}",
         {.weight = 1, .seed = 1}},
    };
    const size_t count = sizeof cases / sizeof cases[0];
    const struct scree_digest first = digest_of("{}", NULL);
    for (size_t c = 0; c < count; ++c) {
        const struct scree_digest scene = digest_of(cases[c].keys, NULL),
                                  engine = digest_of("{}", &cases[c].def);
        if (scene.low != engine.low || scene.high != engine.high)
            fail_msg("%s differs from the settings", cases[c].keys);
        // each key has an effect, but for the defaults
        if ((c == 0 || c == count - 1) != (scene.low == first.low && scene.high == first.high))
            fail_msg("%s", cases[c].keys);
    }
}

static void a_scene_is_written_out_and_read_again_with_the_same_engine(void **state)
{
    (void)state;
    char text[2000], *printed;
    snprintf(text, sizeof text, channel, "{cell: 3 cm, partner: fictitious, weight: 3, seed: 8}",
             "run: {for: 0.1 s}\n");
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    assert_int_equal(scree_trial_print(&trial, &printed), SCREE_OK);
    scree_trial_free(&trial);
    assert_non_null(strstr(printed, "partner: fictitious"));
    assert_non_null(strstr(printed, "correlation: enskog"));
    assert_null(strstr(printed, "soft"));
    struct scree_digest digest[2];
    for (int k = 0; k < 2; ++k) {
        struct scree_world *world = scree_trial_run_text(k ? printed : text, NULL);
        assert_int_equal(scree_world_digest(world, &digest[k]), SCREE_OK);
        scree_world_destroy(world);
    }
    assert_memory_equal(&digest[0], &digest[1], sizeof digest[0]);
    free(printed);
}

// --- restarts

// In two stages with other settings, while bodies are inserted and deleted.
static const char stages[] =
    "insert:\n"
    "  - {shape: {disk: {radius: 2 mm, thickness: 1 mm}}, material: glass, rate: {bodies: 200 1/s},\n"
    "     inside: {box: [[1 cm, 10 cm], [19 cm, 19 cm]]}}\n"
    "remove: [{inside: {box: [[0, 0], [1 cm, 1 cm]]}}]\n"
    "run:\n"
    "  - {for: 0.2 s}\n"
    "  - {for: 60 ms, engine: {stochastic: {step: 1.3 ms, cell: 4 cm, partner: %s, weight: 2, seed: 9}},\n"
    "     contacts: [{between: [any, any], law: hard, restitution: 0.9, friction: 0}]}\n"
    "record:\n"
    "  - {table: out/table.csv, every: 10 ms, columns: [time, time-step, kinetic, dashpot, bodies, "
    "collisions, {measure: collision-rate, over: 20 ms}, {measure: mean-free-path, over: 20 ms}]}\n"
    "  - {frames: out/frames, every: 50 ms}\n"
    "  - {checkpoint: out/state.chk, every: %d steps}\n";

// The last checkpoint is that of the end, so the one before it is the last multiple of the interval.
static void restart_at(const char *engine, const char *partner, int every, bool restarted_in[2])
{
    char rest[2000], text[4000];
    struct scree_checkpoint_facts facts;
    snprintf(rest, sizeof rest, stages, partner, every);
    snprintf(text, sizeof text, channel, engine, rest);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    const struct scree_digest expected =
        scree_trial_digest(scree_folder_path(&scree_test_folder, "scene.yaml"), NULL);
    char *expected_table = scree_folder_read(&scree_test_folder, "out/table.csv", NULL);
    const char *path = scree_folder_path(&scree_test_folder, "out/state.chk.previous");
    assert_int_equal(scree_checkpoint_info(path, &facts), SCREE_OK);
    assert_string_equal(facts.engine, "stochastic");
    restarted_in[facts.time > 0.2] = true;
    const struct scree_digest digest = scree_trial_digest(NULL, path);
    assert_true(digest.low == expected.low && digest.high == expected.high);
    char *table = scree_folder_read(&scree_test_folder, "out/table.csv", NULL);
    assert_string_equal(table, expected_table);
    free(table);
    free(expected_table);
}

static void a_run_restarted_in_any_stage_ends_like_an_uninterrupted_one(void **state)
{
    (void)state;
    static const int every[] = {1, 7, 40, 50, 60, 64};
    for (int way = 0; way < 2; ++way) {
        bool restarted_in[2] = {false, false};
        for (size_t k = 0; k < sizeof every / sizeof every[0]; ++k)
            restart_at(way ? "{partner: fictitious, contact-time: 1 ms}" : "{contact-time: 1 ms}",
                       way ? "body" : "fictitious", every[k], restarted_in);
        assert_true(restarted_in[0] && restarted_in[1]);
    }
}

// --- the expected number of steps

// Exact for a given step; the run takes a number of automatic ones within the range.
static void the_expected_numbers_of_steps_are_those_of_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *engine;
        bool exact;
    } cases[] = {
        {"{step: 2 ms}", true}, {"{cell: 3 cm, contact-time: 1 ms}", false}, {"{contact-time: 1 ms}", false}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        char text[2000];
        snprintf(text, sizeof text, channel, cases[c].engine, "run: {until: 0.4 s}\n");
        struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
        struct scree_scene_forecast forecast;
        assert_int_equal(scree_trial_build(&trial), SCREE_OK);
        assert_int_equal(scree_scene_foresee(trial.scene, trial.world, trial.engine, &forecast, 1), SCREE_OK);
        scree_trial_free(&trial);
        struct scree_world *world = scree_trial_run_text(text, NULL);
        const double steps = (double)scree_world_steps(world);
        assert_true(forecast.is_given == cases[c].exact);
        if (!(forecast.steps[0] <= steps && steps <= forecast.steps[1]))
            fail_msg("%g steps, but expected were %g to %g", steps, forecast.steps[0], forecast.steps[1]);
        assert_true(!cases[c].exact || (forecast.steps[0] == 200 && forecast.steps[1] == 200));
        scree_world_destroy(world);
    }
}

// --- columns

// A dilute gas of elastic spheres with T/m = 1: the rate and the free path are those of kinetic theory, 4
// pi^(1/2) n d^2 and 1/(2^(1/2) pi n d^2). The window has 11,300 collisions of two bodies, a standard error
// of 0.9 %, with which both differ by less than five of it.
static void columns_of_collisions_are_those_of_kinetic_theory(void **state)
{
    (void)state;
    static const double pi = 3.14159265358979323846;
    for (int fictitious = 0; fictitious < 2; ++fictitious) {
        const char *partner = fictitious ? "fictitious" : "body";
        char text[2000], name[40];
        snprintf(name, sizeof name, "out/%s.csv", partner);
        snprintf(
            text, sizeof text,
            "scree: 1\n"
            "world: {box: [[0, 0, 0], [20, 20, 20]], periodic: [x, y, z]}\n"
            "materials: {a: {density: 1}}\n"
            "contacts: [{between: [any, any], law: hard, restitution: 1, friction: 0}]\n"
            "bodies:\n"
            "  - {fill: {shape: {sphere: {radius: 0.2}}, count: 1000, material: a, velocity: [1, 1, 1],\n"
            "     inside: {box: [[0, 0, 0], [20, 20, 20]]}}}\n"
            "  - {fill: {shape: {sphere: {radius: 0.2}}, count: 1000, material: a, velocity: [-1, -1, "
            "-1],\n"
            "     inside: {box: [[0, 0, 0], [20, 20, 20]]}}}\n"
            "engine: {stochastic: {partner: %s, correlation: none}}\n"
            "run: {until: 80}\n"
            "record: [{table: out/%s.csv, every: 80, columns: [{measure: collision-rate, over: 40}, "
            "{measure: mean-free-path, over: 40}, collision-virial, elastic-collisions]}]\n",
            partner, partner);
        scree_folder_write(&scree_test_folder, "scene.yaml", text);
        struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
        (void)scree_trial_run(&trial, NULL);
        scree_trial_assert_ok(&trial);
        scree_trial_free(&trial);
        char *table = scree_folder_read(&scree_test_folder, name, NULL);
        const char *last = table;
        for (const char *line; (line = strchr(last, '\n')) && line[1];)
            last = line + 1;
        double rate, path;
        assert_int_equal(sscanf(last, "%lf,%lf", &rate, &path), 2);
        const double n = 2000.0 / 8000, square = 0.16;
        const double ratio[2] = {rate / (4 * sqrt(pi) * n * square), path * sqrt(2.0) * pi * n * square};
        if (!(fabs(ratio[0] - 1) < 0.047 && fabs(ratio[1] - 1) < 0.047))
            fail_msg("%g %g in %s", ratio[0], ratio[1], table);
        free(table);
    }
}

// --- walls that move freely

// A piston on a gas: energy is conserved by drawn collisions, by collisions with it, and by gravity. A
// thousand steps, each with some roundings of all energies.
static void a_piston_on_a_gas_conserves_energy(void **state)
{
    (void)state;
    for (int fictitious = 0; fictitious < 2; ++fictitious) {
        char text[2000];
        struct scree_energy energy;
        snprintf(
            text, sizeof text,
            "scree: 1\ngravity: [0, 0, -10]\nmaterials: {a: {density: 1}}\n"
            "contacts: [{between: [a, a], law: hard, friction: 0, restitution: 1}]\n"
            "world: {box: [[0, 0, 0], [10, 10, 100]], periodic: [x, y]}\n"
            "walls:\n  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: a}}\n"
            "  - {rectangle: {corner: [-5, -5, 10], edges: [[20, 0, 0], [0, 20, 0]], material: a}, free: "
            "{mass: 3, inertia: [1, 1, 1],\n"
            "     centre: [5, 5, 10], fixed: [x, y, spin-x, spin-y, spin-z]}}\n"
            "bodies: [{fill: {shape: {sphere: {radius: 0.5}}, count: 60, material: a, velocity: [9, 5, "
            "7],\n  inside: {box: [[0, 0, 0], [10, 10, 9]]}}}]\n"
            "engine: {stochastic: {cell: 4, step: 1 ms, partner: %s}}\nrun: {for: 1 s}\n",
            fictitious ? "fictitious" : "body");
        struct scree_world *world = scree_trial_run_text(text, &(struct scree_run_def){0});
        assert_int_equal(scree_energy_get(world, &energy), SCREE_OK);
        assert_true(energy.translation > 0 && fabs(energy.balance) < 1e-12 * energy.translation);
        scree_world_destroy(world);
    }
}

// --- refusals

// The scene of a case is a short one with the line of the case in addition.
static void what_the_engine_cannot_use_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"motion: {damping: {local: 0.1}}",
         "4:20: the engine 'stochastic' cannot use 'local' of damping: bodies fly freely"},
        {"bonds: [{contact: {normal-stiffness: 1, shear-stiffness: 1, tensile-strength: 1}, gap: 0}]",
         "4:1: the engine 'stochastic' cannot use 'bonds' of a scene: use the engine 'soft'"},
        {"bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}, load: {force: [1, 0, 0]}}]",
         "4:60: the engine 'stochastic' cannot use 'load' of an entry of bodies: bodies fly freely"},
        {"walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: a}, group: w,\n"
         "   servo: {force: 1, direction: [0, 0, 1]}}]",
         "5:4: the engine 'stochastic' cannot use 'servo' of a wall"},
        {"bodies: [{clump: {shape: p, at: [0, 0, 0], material: a}}]\n"
         "clumps: {p: {dimer: {distance: 1, radius: 1}}}",
         "4:11: the engine 'stochastic' cannot use 'clump' of an entry of bodies: its bodies have no places "
         "for each other; use the engine 'event'"},
        {"bodies: [{fill: {shape: {clump: {shape: p}}, count: 1, material: a, inside: {box: [[0, 0, 0], [9, "
         "9, 9]]}}}]\n"
         "clumps: {p: {dimer: {distance: 1, radius: 1}}}",
         "4:26: the engine 'stochastic' cannot use 'clump' of a shape"},
        {"bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a, fixed: [x, y, z]}}]",
         "4:59: the engine 'stochastic' has no bodies that are fixed in place: make them walls, or use the "
         "engine 'event'"},
        {"bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a, fixed: [spin-x]}}]",
         "4:59: the engine 'stochastic' fixes positions in all directions or in none, and spins likewise"},
        {"run: [{steps: 1}, {steps: 1, bodies: [{group: g, fixed: [x, y, z]}]}]\n"
         "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}, group: g}]",
         "4:50: the engine 'stochastic' has no bodies that are fixed in place"},
        {"alarms: {step: {policy: warn}}", "the engine 'stochastic' cannot use 'step' of the alarms"},
        {"record: [{frames: f, every: 1 s, of: [contacts]}]",
         "4:38: the engine 'stochastic' has no contacts to write"},
        {"record: [{table: t.csv, every: 1 s, columns: [time, pressure]}]",
         "4:53: 'pressure' is measured from contacts and their forces, which the engine 'stochastic' does "
         "not have"},
        {"run: {steps: 1, engine: {event: {step: 1 us}}}",
         "a stage changes settings of the engine 'stochastic', but cannot replace it by the engine 'event'"},
        {"engine: {event: {step: 1 us}, stochastic: {step: 1 ms}}", "4:10: 'event'"},
        {"engine: {soft: {step: 1 us}, stochastic: {step: 1 ms}}", "4:10: 'soft'"},
        {"engine: {stochastic: {step: 0}}", "4:29: 'step' must be above 0 s"},
        {"engine: {stochastic: {cell: 0}}", "4:29: 'cell' must be above 0 m"},
        {"engine: {stochastic: {cell: -1 cm}}", "4:29: 'cell' must be above 0 m"},
        {"engine: {stochastic: {weight: 0}}", "4:31: 'weight' must be above 0"},
        {"engine: {stochastic: {seed: -1}}", "4:29: 'seed'"},
        {"engine: {stochastic: {seed: 1.5}}", "4:29: 'seed'"},
        {"engine: {stochastic: {partner: wall}}", "4:32: 'partner'"},
        {"engine: {stochastic: {correlation: dense}}", "4:36: 'correlation'"},
        {"engine: {stochastic: {contact-time: -1}}", "4:37: 'contact-time'"},
        {"engine: {stochastic: {elastic-below: -1}}", "4:38: 'elastic-below'"},
        {"engine: {stochastic: {damping: 1}}", "the stochastic engine has no key 'damping'"},
        // a world without limits
        {"engine: {stochastic: {step: 1 ms}}\n"
         "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a, velocity: [1, 0, 0]}}]",
         "4:22: the stochastic engine needs the width of its cells, `cell`, below the mean free path"},
        {"engine: {stochastic: {step: 1 ms}}\n"
         "insert: [{shape: {sphere: {radius: 1}}, material: a, rate: {bodies: 500 1/s},\n"
         "   inside: {box: [[0, 0, 0], [9, 9, 9]]}}]",
         "4:22: the stochastic engine needs the width of its cells, `cell`, below the mean free path"},
        {"run: [{steps: 1}, {steps: 1, walls: [{group: box, remove: true}]}]\nengine: {stochastic: {step: 1 "
         "ms}}\n"
         "walls: [{group: box, box: {lower: [0, 0, 0], upper: [9, 9, 9], material: a}}]",
         "4:37: the stochastic engine needs the width of its cells, `cell`, below the mean free path"},
        {"run: {steps: 1, contacts: [{between: [a, a], law: linear, stiffness: 1, friction: 0, restitution: "
         "1}]}\nengine: {stochastic: {cell: 1, step: 1}}",
         "the contact law 'linear' between 'a' and 'a' has a force, but no rule of collisions"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const bool own =
            strstr(cases[c].line, "engine: {stochastic") || strstr(cases[c].line, "engine: {soft");
        const bool has_engine = own || strncmp(cases[c].line, "engine", 6) == 0;
        scree_trial_assert_text_refused(
            SCREE_TRIAL_RUN, cases[c].message, "scree: 1\nmaterials: {a: {density: 1}}\n%s\n%s\n%s",
            has_engine ? "title: none" : "engine: {stochastic: {step: 1 ms, cell: 1}}", cases[c].line,
            strncmp(cases[c].line, "run", 3) == 0 ? "" : "run: {steps: 1}\n");
    }
}

static void contact_laws_without_collisions_and_bodies_at_rest_are_refused(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD,
        "scene.yaml:3:11: the contact law 'linear' between 'a' and 'a' has a force, but no rule of "
        "collisions",
        "scree: 1\nmaterials: {a: {density: 1}}\n"
        "contacts: [{between: [a, a], law: linear, stiffness: 1, friction: 0, restitution: 1}]\n"
        "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}}]\n"
        "engine: {stochastic: {step: 1 ms, cell: 1}}\nrun: {steps: 1}\n");
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD,
                                    "scene.yaml:5:22: there is no automatic step for the stochastic engine, "
                                    "because no body moves: give its `step`",
                                    "scree: 1\nmaterials: {a: {density: 1}}\n"
                                    "contacts: [{between: [a, a], law: hard, friction: 0, restitution: 1}]\n"
                                    "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}}]\n"
                                    "engine: {stochastic: {cell: 1}}\nrun: {steps: 1}\n");
}

static void settings_that_the_engine_does_not_have_are_refused(void **state)
{
    (void)state;
    char text[2000];
    struct scree_limit limit;
    snprintf(text, sizeof text, channel, "{step: 1 ms}", "run: {steps: 1}\n");
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    const struct {
        scree_status status, expected;
    } cases[] = {
        {scree_engine_limit(trial.engine, &limit), SCREE_ERROR_UNSUPPORTED},
        {scree_engine_set_damping(trial.engine, &(struct scree_damping){0}), SCREE_ERROR_UNSUPPORTED},
        {scree_event_set_elastic(trial.engine, 0, 0), SCREE_ERROR_UNSUPPORTED},
        {scree_engine_set_step(trial.engine, -1), SCREE_ERROR_ARGUMENT},
        {scree_stochastic_set(trial.engine, &(struct scree_stochastic_def){.step = -1}),
         SCREE_ERROR_ARGUMENT},
        {scree_stochastic_set(trial.engine, &(struct scree_stochastic_def){.cell = (double)NAN}),
         SCREE_ERROR_ARGUMENT},
        {scree_stochastic_set(trial.engine, &(struct scree_stochastic_def){.weight = (double)INFINITY}),
         SCREE_ERROR_ARGUMENT},
        {scree_stochastic_set(trial.engine,
                              &(struct scree_stochastic_def){.partner = (scree_stochastic_partner)2}),
         SCREE_ERROR_ARGUMENT},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        assert_int_equal(cases[c].status, cases[c].expected);
    // and the engine goes on as it was
    assert_int_equal(scree_engine_run(trial.engine, 2), SCREE_OK);
    scree_trial_free(&trial);
}

static void memory_that_runs_out_is_reported(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, channel, "{partner: fictitious}", "run: {steps: 20}\n");
    assert_true(scree_trial_starve(SCREE_TRIAL_RUN, text, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_defaults_are_settings_of_the_engine),
        cmocka_unit_test(a_scene_is_written_out_and_read_again_with_the_same_engine),
        cmocka_unit_test_setup_teardown(a_run_restarted_in_any_stage_ends_like_an_uninterrupted_one,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test(the_expected_numbers_of_steps_are_those_of_the_run),
        cmocka_unit_test_setup_teardown(columns_of_collisions_are_those_of_kinetic_theory,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test(a_piston_on_a_gas_conserves_energy),
        cmocka_unit_test(what_the_engine_cannot_use_is_refused_at_its_place),
        cmocka_unit_test(contact_laws_without_collisions_and_bodies_at_rest_are_refused),
        cmocka_unit_test(settings_that_the_engine_does_not_have_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
