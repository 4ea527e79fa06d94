// Scenes with the event engine (build/engine_event.c): they run, record, end early, restart with the same
// digest, insert and delete bodies; and what the engine cannot use is refused at its place. References: the
// motion of two spheres that collide, in closed form; conservation; an uninterrupted run.

#include "support/folder.h"
#include "support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- runs

// Two spheres of radius 1 cm whose surfaces are 8 cm apart close in at 2 m/s: they touch after 40 ms. Their
// speeds of 1 m/s become half of that.
static const char pair[] =
    "scree: 1\n"
    "materials: {steel: {density: 8000}}\n"
    "contacts: [{between: [steel, steel], law: hard, restitution: 0.5, friction: 0}]\n"
    "bodies:\n"
    "  - {sphere: {radius: 1 cm, at: [-5 cm, 0, 0], velocity: [1, 0, 0], material: steel}, group: left}\n"
    "  - {sphere: {radius: 1 cm, at: [5 cm, 0, 0], velocity: [-1, 0, 0], material: steel}}\n"
    "engine: {event: {step: 3 ms}}\n";

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g differs from %.17g by more than %g", value, expected, tolerance);
}

// The collision is at its exact time inside of a step: positions and velocities are products and sums of a
// few numbers below 1, so 1e-15 is several roundings.
static void two_spheres_collide_inside_a_step_and_a_table_shows_their_energy(void **state)
{
    (void)state;
    char text[1000];
    snprintf(text, sizeof text,
             "%srun: {steps: 20}\n"
             "record:\n"
             "  - {table: t.csv, every: 1 steps, columns: [steps, kinetic, dashpot, energy-error, "
             "collisions, collision-virial]}\n"
             "  - {track: left.csv, every: 10 steps, group: left}\n",
             pair);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    (void)scree_trial_run(&trial, NULL);
    struct scree_world *world = scree_trial_take_world(&trial);
    struct scree_body_state body;
    assert_near(scree_world_time(world), 0.06, 1e-16);
    assert_int_equal(scree_body_get(world, (scree_body_id){1}, &body), SCREE_OK);
    assert_near(body.velocity[0], -0.5, 1e-15);
    assert_near(body.position[0], -0.01 - 0.5 * 0.02, 1e-15);
    scree_world_destroy(world);
    // mass 8000 kg/m^3 4 pi/3 (1 cm)^3 each
    const double before = 8000 * 4 * 3.14159265358979324 / 3 * 1e-6;
    char *table = scree_folder_read(&scree_test_folder, "t.csv", NULL);
    int rows = 0;
    for (char *line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1, ++rows) {
        double steps, kinetic, dashpot, error, collisions, virial;
        assert_int_equal(
            sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf", &steps, &kinetic, &dashpot, &error, &collisions, &virial),
            6);
        const bool apart = steps * 3e-3 < 0.04;
        const double expected = apart ? before : 0.25 * before;
        // an impulse of 1.5 masses times 1 m/s, at a distance of 2 cm
        assert_near(collisions, apart ? 0 : 1, 0);
        assert_near(virial, apart ? 0 : 0.03 * before, 1e-15);
        assert_near(kinetic, expected, 1e-15);
        assert_near(dashpot, before - expected, 1e-15);
        assert_near(error, 0, 1e-15);
    }
    assert_int_equal(rows, 21);
    free(table);
}

static void a_condition_ends_a_stage_and_a_stage_changes_the_step(void **state)
{
    (void)state;
    char text[1000];
    // the condition is checked every 64 steps: after 64 steps of 0.5 ms both fly, after 128 they have
    // collided
    snprintf(text, sizeof text,
             "%srun:\n"
             "  - {until: 1 s, stop: dashpot > 1 mJ, engine: {event: {step: 0.5 ms}}}\n"
             "  - {for: 10 ms, engine: {event: {step: 2 ms, elastic-below: 1 mm/s}}}\n",
             pair);
    struct scree_world *world = scree_trial_run_text(text, NULL);
    assert_int_equal(scree_world_steps(world), 128 + 5);
    assert_near(scree_world_time(world), 0.064 + 0.01, 1e-15);
    scree_world_destroy(world);
}

// A collision below `elastic-below` loses nothing; 2 m/s is below it in the first stage only.
static void a_collision_that_is_slow_enough_is_elastic(void **state)
{
    (void)state;
    static const struct {
        const char *stage;
        double kinetic; // relative
    } cases[] = {{"elastic-below: 2.1", 1}, {"elastic-below: 1.9", 0.25}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        char text[1000];
        snprintf(text, sizeof text, "%srun: {until: 60 ms, engine: {event: {%s}}}\n", pair, cases[c].stage);
        struct scree_world *world = scree_trial_run_text(text, NULL);
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){1}, &body), SCREE_OK);
        assert_near(body.velocity[0] * body.velocity[0], cases[c].kinetic, 1e-15);
        scree_world_destroy(world);
    }
}

// --- restarts

// Disks that fall in a box, in two stages with other collisions, of automatic and given steps.
static const char box[] =
    "scree: 1\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "materials: {glass: {density: 2500}}\n"
    "contacts: [{between: [any, any], law: hard, restitution: 0.9, friction: 0.3, tangential-restitution: "
    "0.4}]\n"
    "walls: [box: {lower: [0, 0], upper: [10 cm, 20 cm], material: glass}]\n"
    "bodies:\n"
    "  - {fill: {shape: {disk: {radius: {uniform: [2 mm, 3 mm]}, thickness: 1 mm}}, count: 60, material: "
    "glass,\n"
    "     inside: {box: [[0, 0], [10 cm, 15 cm]]}}}\n"
    "engine: {event: {contact-time: 10 us}}\n"
    "run:\n"
    "  - {for: 0.1 s}\n"
    "  - {for: 30 ms, engine: {event: {step: 0.7 ms}},\n"
    "     contacts: [{between: [any, any], law: hard, restitution: 0.8, friction: 0}]}\n"
    "record:\n"
    "  - {table: out/table.csv, every: 10 ms, columns: [time, time-step, kinetic, dashpot, friction]}\n"
    "  - {frames: out/frames, every: 50 ms}\n";

// Spheres in a drum that turns, with a lifter of facets and a cone that moves.
static const char drum[] =
    "scree: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "materials: {glass: {density: 2500}}\n"
    "contacts: [{between: [any, any], law: hard, restitution: 0.9, friction: 0.3, tangential-restitution: "
    "0.4}]\n"
    "walls:\n"
    "  - {cylinder: {from: [0, 0, 0], to: [0, 0, 5 cm], radius: 5 cm, material: glass}, spin: [0, 0, 60 "
    "rpm]}\n"
    "  - {disk: {centre: [0, 0, 0], radius: 5 cm, normal: [0, 0, 1], material: glass}, spin: [0, 0, 60 "
    "rpm]}\n"
    "  - {disk: {centre: [0, 0, 5 cm], radius: 5 cm, normal: [0, 0, 1], material: glass}}\n"
    "  - {rectangle: {corner: [4 cm, 0, 0], edges: [[1 cm, 0, 0], [0, 0, 5 cm]], material: glass},\n"
    "     spin: [0, 0, 60 rpm], pivot: [0, 0, 0]}\n"
    "  - {cone: {from: [0, 0, 2 cm], to: [0, 0, 3 cm], radii: [5 mm, 1 mm], material: glass},\n"
    "     vibration: {direction: [0, 1, 0], amplitude: 3 mm, frequency: 20 Hz}}\n"
    "bodies:\n"
    "  - {fill: {shape: {sphere: {radius: {uniform: [2 mm, 3 mm]}}}, count: 60, material: glass,\n"
    "     inside: {cylinder: {from: [-3 mm, -24 mm, 4 mm], to: [-3 mm, -24 mm, 46 mm], radius: 2 cm}}}}\n"
    "engine: {event: {contact-time: 10 us}}\n"
    "run:\n"
    "  - {for: 0.1 s}\n"
    "  - {for: 30 ms, engine: {event: {step: 0.7 ms}}}\n"
    "record:\n"
    "  - {table: out/table.csv, every: 10 ms, columns: [time, time-step, kinetic, wall-collisions, "
    "friction]}\n"
    "  - {frames: out/frames, every: 50 ms}\n";

// Clumps with and without symmetry that fall on a blade which turns in a box, while more are inserted.
static const char clumps[] =
    "scree: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "materials: {glass: {density: 2500}}\n"
    "contacts: [{between: [any, any], law: hard, restitution: 0.9, friction: 0.3, tangential-restitution: "
    "0.4}]\n"
    "clumps:\n"
    "  pair: {dimer: {distance: 3 mm, radius: 2 mm}}\n"
    "  odd: {spheres: [{at: [0, 0, 0], radius: 2 mm}, {at: [2 mm, 1 mm, 0], radius: 1.5 mm},\n"
    "     {at: [0, 1 mm, 2 mm], radius: 1 mm}]}\n"
    "walls:\n"
    "  - {box: {lower: [-5 cm, -5 cm, 0], upper: [5 cm, 5 cm, 5 cm], material: glass}}\n"
    "  - {rectangle: {corner: [0, -4 cm, 0], edges: [[1 cm, 0, 0], [0, 0, 5 cm]], material: glass},\n"
    "     spin: [0, 0, 60 rpm]}\n"
    "bodies:\n"
    "  - {fill: {shape: {clump: {shape: pair, rotate: all}}, count: 15, material: glass,\n"
    "     inside: {box: [[-2 cm, -3 cm, 5 mm], [2 cm, 2 cm, 45 mm]]}}}\n"
    "  - {fill: {shape: {clump: {shape: odd, rotate: all}}, count: 15, material: glass,\n"
    "     inside: {box: [[-2 cm, -3 cm, 5 mm], [2 cm, 2 cm, 45 mm]]}}}\n"
    "insert:\n"
    "  - {shape: {clump: {shape: pair, rotate: all}}, material: glass, rate: {bodies: 100 1/s},\n"
    "     inside: {box: [[-2 cm, 3 cm, 1 cm], [2 cm, 4 cm, 4 cm]]}}\n"
    "engine: {event: {contact-time: 10 us}}\n"
    "run:\n"
    "  - {for: 0.1 s}\n"
    "  - {for: 30 ms, engine: {event: {step: 0.7 ms}}}\n"
    "record:\n"
    "  - {table: out/table.csv, every: 10 ms, columns: [time, kinetic, rotation, wall-collisions, "
    "friction]}\n"
    "  - {frames: out/frames, every: 50 ms}\n";

// The last checkpoint is that of the end, so the one before it is the last multiple of the interval.
static void restart_everywhere(const char *scene)
{
    static const int every[] = {1, 20, 60, 63, 64, 65, 70, 90};
    struct scree_checkpoint_facts facts;
    char text[3000];
    bool restarted_in[2] = {false, false};
    for (size_t k = 0; k < sizeof every / sizeof every[0]; ++k) {
        snprintf(text, sizeof text, "%s  - {checkpoint: out/state.chk, every: %d steps}\n", scene, every[k]);
        scree_folder_write(&scree_test_folder, "scene.yaml", text);
        const struct scree_digest expected =
            scree_trial_digest(scree_folder_path(&scree_test_folder, "scene.yaml"), NULL);
        char *expected_table = scree_folder_read(&scree_test_folder, "out/table.csv", NULL);
        const char *path = scree_folder_path(&scree_test_folder, "out/state.chk.previous");
        assert_int_equal(scree_checkpoint_info(path, &facts), SCREE_OK);
        assert_string_equal(facts.engine, "event");
        restarted_in[facts.time > 0.1] = true;
        const struct scree_digest digest = scree_trial_digest(NULL, path);
        assert_true(digest.low == expected.low && digest.high == expected.high);
        char *table = scree_folder_read(&scree_test_folder, "out/table.csv", NULL);
        assert_string_equal(table, expected_table);
        free(table);
        free(expected_table);
    }
    assert_true(restarted_in[0] && restarted_in[1]);
    assert_true(scree_folder_has(&scree_test_folder, "out/frames-bodies.hdf.series"));
    assert_false(scree_folder_has(&scree_test_folder, "out/frames-contacts.hdf.series"));
}

static void a_run_restarted_in_any_stage_ends_like_an_uninterrupted_one(void **state)
{
    (void)state;
    restart_everywhere(box);
}

static void a_drum_restarted_in_any_stage_ends_like_an_uninterrupted_one(void **state)
{
    (void)state;
    restart_everywhere(drum);
}

static void clumps_restarted_in_any_stage_end_like_uninterrupted_ones(void **state)
{
    (void)state;
    restart_everywhere(clumps);
}

// --- the expected number of steps

// Exact for a given step; the run takes a number of automatic ones within the range.
static void the_expected_numbers_of_steps_are_those_of_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *engine;
        bool exact;
    } cases[] = {{"{event: {step: 3 ms, contact-time: 1 us}}", true},
                 {"{event: {contact-time: 1 us}}", false}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        char text[1000];
        // a ball that falls and bounces
        snprintf(text, sizeof text,
                 "scree: 1\ngravity: [0, 0, -9.81]\nmaterials: {a: {density: 2500}}\n"
                 "contacts: [{between: [any, any], law: hard, restitution: 0.8, friction: 0}]\n"
                 "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: a}]\n"
                 "bodies: [sphere: {radius: 1 mm, at: [0, 0, 10 cm], material: a}]\n"
                 "engine: %s\nrun: {until: 0.3 s}\n",
                 cases[c].engine);
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
        assert_true(!cases[c].exact || (forecast.steps[0] == 100 && forecast.steps[1] == 100));
        assert_true(cases[c].exact || forecast.steps[0] < 0.5 * forecast.steps[1]);
        scree_world_destroy(world);
    }
}

// --- insertion and deletion

// Mass of all bodies follows from their number, and none is lost: inserted = present + deleted.
static void bodies_are_inserted_and_deleted(void **state)
{
    (void)state;
    static const char text[] =
        "scree: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "materials: {glass: {density: 2500}}\n"
        "contacts: [{between: [any, any], law: hard, restitution: 0.8, friction: 0}]\n"
        "walls: [plane: {point: [0, 0, 0], normal: [0.6, 0, 0.8], material: glass}]\n"
        "engine: {event: {step: 1 ms, contact-time: 0.1 ms}}\n"
        "insert:\n"
        "  - {shape: {sphere: {radius: 2 mm}}, material: glass, rate: {bodies: 500 1/s}, until: 0.2 s,\n"
        "     inside: {box: [[-2 cm, -2 cm, 8 cm], [2 cm, 2 cm, 10 cm]]}}\n"
        "remove: [{inside: {box: [[8 cm, -1, -1], [2, 1, 1]]}}]\n"
        "run: {until: 0.5 s}\n"
        "record: [{table: out/n.csv, every: 0.5 s, columns: [bodies, inserted, removed]}]\n";
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    (void)scree_trial_run(&trial, NULL);
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    char *table = scree_folder_read(&scree_test_folder, "out/n.csv", NULL);
    const char *last = strstr(table, "\n1,1,0\n");
    int bodies, inserted, removed;
    if (!last)
        fail_msg("%s", table);
    assert_true(sscanf(last + 7, "%d,%d,%d", &bodies, &inserted, &removed) == 3);
    assert_in_range(inserted, 100, 101);
    assert_true(removed > 10);
    assert_int_equal(bodies, inserted - removed);
    free(table);
}

// --- refusals

// The scene of a case is `text` with the line of the case in addition.
static void what_the_engine_cannot_use_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"motion: {damping: {local: 0.1}}",
         "4:20: the engine 'event' cannot use 'local' of damping: bodies fly freely"},
        {"motion: {translation: euler}",
         "4:10: the engine 'event' cannot use 'translation' of the motion: leave it out"},
        {"run: {steps: 1, damping: {viscous: 1 1/s}}",
         "4:27: the engine 'event' cannot use 'viscous' of damping"},
        {"bodies: [{rigid: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}}]",
         "4:11: the engine 'event' cannot use 'rigid' of an entry of bodies: use spheres, disks"},
        {"bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}, load: {force: [1, 0, 0]}}]",
         "4:60: the engine 'event' cannot use 'load' of an entry of bodies: bodies fly freely"},
        {"bonds: [{contact: {normal-stiffness: 1, shear-stiffness: 1, tensile-strength: 1}, gap: 0}]",
         "4:1: the engine 'event' cannot use 'bonds' of a scene: use the engine 'soft'"},
        {"walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: a}, group: w,\n"
         "   servo: {force: 1, direction: [0, 0, 1]}}]",
         "5:4: the engine 'event' cannot use 'servo' of a wall"},
        {"walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: a}, free: {mass: 1, centre: [0, 0, "
         "0],\n"
         "   inertia: [1, 1, 1], load: {moment: [0, 0, 1]}}}]",
         "5:31: the engine 'event' cannot use 'moment' of a load: bodies fly freely"},
        {"walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: a}, free: {mass: 1, centre: [0, 0, "
         "0],\n"
         "   inertia: [1, 1, 1], fixed: [x, y]}}]",
         "body 1 carries walls and turns: in the event engine such bodies move without turning"},
        {"bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a, fixed: [x, y]}}]",
         "4:59: the engine 'event' fixes positions in all directions or in none"},
        {"run: [{steps: 1}, {steps: 1, bodies: [{group: g, fixed: [x, y, z, spin-x]}]}]\n"
         "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a, fixed: [x, y, z]}, group: g}]",
         "4:50: the engine 'event' fixes positions in all directions or in none, and spins likewise"},
        {"alarms: {step: {policy: warn}}", "the engine 'event' cannot use 'step' of the alarms"},
        {"alarms: {energy: {limit: 1 %}}", "the engine 'event' cannot use 'energy' of the alarms"},
        {"record: [{frames: f, every: 1 s, of: [contacts]}]",
         "4:38: the engine 'event' has no contacts to write"},
        {"record: [{frames: f, every: 1 s, fields: [velocity, wall.force]}]",
         "4:42: 'wall.force' is measured from contacts and their forces"},
        {"record: [{frames: f, every: 1 s, fields: [coordination]}]",
         "4:42: 'coordination' is measured from contacts and their forces"},
        {"record: [{table: t.csv, every: 1 s, columns: [time, pressure]}]",
         "4:53: 'pressure' is measured from contacts and their forces, which the engine 'event' does not "
         "have"},
        {"record: [{table: t.csv, every: 1 s, columns: [{formula: contacts / bodies, as: p}]}]",
         "'contacts' is measured from contacts"},
        {"run: {until: 1, stop: unbalanced < 1e-3}", "'unbalanced' is measured from contacts"},
        {"engine: {soft: {step: 1 us}, event: {step: 1 ms}}", "4:10: 'soft'"},
        {"run: {steps: 1, engine: {soft: {step: 1 us}}}",
         "a stage changes settings of the engine 'event', but cannot replace it by the engine 'soft'"},
        {"engine: {event: {step: 0}}", "step"},
        {"engine: {event: {contact-time: -1}}", "contact-time"},
        {"engine: {event: {damping: 1}}", "the event engine has no key 'damping'"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const bool own = strncmp(cases[c].line, "engine", 6) == 0;
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, cases[c].message,
                                        "scree: 1\nmaterials: {a: {density: 1}}\n%s\n%s\n%s",
                                        own ? "title: none" : "engine: {event: {step: 1 ms}}", cases[c].line,
                                        strncmp(cases[c].line, "run", 3) == 0 ? "" : "run: {steps: 1}\n");
    }
}

static void columns_of_collisions_need_the_event_engine(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "'collisions' is counted by the engines 'event' and 'stochastic' only",
        "scree: 1\nmaterials: {a: {density: 1, young: 1 MPa, poisson: 0.2}}\n"
        "contacts: [{between: [a, a], law: hertz-mindlin, friction: 0, restitution: 1}]\n"
        "world: {}\nbodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}}]\n"
        "engine: {soft: {step: 1 us}}\nrun: {steps: 1}\n"
        "record: [{table: t.csv, every: 1 steps, columns: [time, collisions]}]\n");
}

static void settings_that_the_engine_does_not_have_are_refused_by_its_name(void **state)
{
    (void)state;
    char text[1000];
    struct scree_limit limit;
    struct scree_profile profile;
    double stable;
    snprintf(text, sizeof text, "%srun: {steps: 1}\n", pair);
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    assert_string_equal(scree_engine_name(trial.engine), "event");
    const struct {
        scree_status status, expected;
    } cases[] = {
        {scree_engine_limit(trial.engine, &limit), SCREE_ERROR_UNSUPPORTED},
        {scree_engine_limit_at_rest(trial.engine, &stable), SCREE_ERROR_UNSUPPORTED},
        {scree_engine_set_damping(trial.engine, &(struct scree_damping){0}), SCREE_ERROR_UNSUPPORTED},
        {scree_engine_profile(trial.engine, &profile), SCREE_ERROR_UNSUPPORTED},
        {scree_soft_set_safety(trial.engine, 0.1), SCREE_ERROR_UNSUPPORTED},
        {scree_engine_set_step(trial.engine, -1), SCREE_ERROR_ARGUMENT},
        {scree_event_set_elastic(trial.engine, -1, 0), SCREE_ERROR_ARGUMENT},
        {scree_event_set_elastic(trial.engine, 0, (double)NAN), SCREE_ERROR_ARGUMENT},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        assert_int_equal(cases[c].status, cases[c].expected);
    scree_trial_free(&trial);
}

static void contact_laws_without_collisions_are_refused_by_their_name(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD,
        "scene.yaml:3:11: the contact law 'linear' between 'a' and 'a' has a force, but no rule of "
        "collisions",
        "scree: 1\nmaterials: {a: {density: 1}}\n"
        "contacts: [{between: [a, a], law: linear, stiffness: 1, friction: 0, restitution: 1}]\n"
        "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}}]\n"
        "engine: {event: {step: 1 ms}}\nrun: {steps: 1}\n");
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD,
        "scene.yaml:3:11: the contact law 'hard' between 'a' and 'a' has collisions only, no force",
        "scree: 1\nmaterials: {a: {density: 1}}\n"
        "contacts: [{between: [a, a], law: hard, friction: 0, restitution: 1}]\n"
        "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}}]\n"
        "engine: {soft: {step: 1 ms}}\nrun: {steps: 1}\n");
    // of a later stage, before the first one begins
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "scene.yaml:7:16: the contact law 'hertz' between 'a' and 'a' has a force, but",
        "scree: 1\nmaterials: {a: {density: 1, young: 1, poisson: 0}}\n"
        "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}}]\n"
        "engine: {event: {step: 1 ms}}\n"
        "run:\n  - {steps: 1}\n  - {contacts: [{between: [a, a], law: hertz, restitution: 1}], steps: 1}\n");
}

static void an_automatic_step_of_bodies_at_rest_is_refused_at_its_place(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD,
                                    "scene.yaml:5:17: there is no automatic step for the event engine, "
                                    "because no body moves: give its `step`",
                                    "scree: 1\nmaterials: {a: {density: 1}}\n"
                                    "contacts: [{between: [a, a], law: hard, friction: 0, restitution: 1}]\n"
                                    "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: a}}]\n"
                                    "engine: {event: {contact-time: 1 ms}}\nrun: {steps: 1}\n");
}

// A piston at rest on a gas, with an automatic step: energy is conserved by collisions with it and by
// gravity.
static void a_piston_on_a_gas_has_an_automatic_step(void **state)
{
    (void)state;
    struct scree_energy energy;
    struct scree_world *world = scree_trial_run_text(
        "scree: 1\ngravity: [0, 0, -10]\nmaterials: {a: {density: 1}}\n"
        "contacts: [{between: [a, a], law: hard, friction: 0, restitution: 1}]\n"
        "world: {box: [[0, 0, 0], [10, 10, 100]], periodic: [x, y]}\n"
        "walls:\n  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: a}}\n"
        "  - {rectangle: {corner: [-5, -5, 10], edges: [[20, 0, 0], [0, 20, 0]], material: a}, free: {mass: "
        "3, "
        "inertia: [1, 1, 1],\n     centre: [5, 5, 10], fixed: [x, y, spin-x, spin-y, spin-z]}}\n"
        "bodies: [{fill: {shape: {sphere: {radius: 0.5}}, count: 60, material: a, velocity: [9, 5, 7],\n"
        "  inside: {box: [[0, 0, 0], [10, 10, 9]]}}}]\n"
        "engine: {event: {}}\nrun: {for: 1 s}\n",
        &(struct scree_run_def){0});
    assert_int_equal(scree_energy_get(world, &energy), SCREE_OK);
    assert_true(energy.translation > 0 && fabs(energy.balance) < 1e-11 * energy.translation);
    scree_world_destroy(world);
}

static void a_scene_is_written_out_with_its_engine_only(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, box);
    char *text;
    assert_int_equal(scree_trial_print(&trial, &text), SCREE_OK);
    assert_non_null(strstr(text, "contact-time: 1e-05"));
    assert_null(strstr(text, "soft"));
    struct scree_trial again = scree_trial_read(SCREE_TRIAL_SCENE, text);
    scree_trial_assert_ok(&again);
    free(text);
    scree_trial_free(&again);
    scree_trial_free(&trial);
}

static void memory_that_runs_out_is_reported(void **state)
{
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, "%srun: {steps: 20}\n", pair);
    assert_true(scree_trial_starve(SCREE_TRIAL_RUN, text, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_spheres_collide_inside_a_step_and_a_table_shows_their_energy,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test(a_condition_ends_a_stage_and_a_stage_changes_the_step),
        cmocka_unit_test(a_collision_that_is_slow_enough_is_elastic),
        cmocka_unit_test_setup_teardown(a_run_restarted_in_any_stage_ends_like_an_uninterrupted_one,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test_setup_teardown(a_drum_restarted_in_any_stage_ends_like_an_uninterrupted_one,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test_setup_teardown(clumps_restarted_in_any_stage_end_like_uninterrupted_ones,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test(the_expected_numbers_of_steps_are_those_of_the_run),
        cmocka_unit_test_setup_teardown(bodies_are_inserted_and_deleted, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test(what_the_engine_cannot_use_is_refused_at_its_place),
        cmocka_unit_test(columns_of_collisions_need_the_event_engine),
        cmocka_unit_test(settings_that_the_engine_does_not_have_are_refused_by_its_name),
        cmocka_unit_test(contact_laws_without_collisions_are_refused_by_their_name),
        cmocka_unit_test(an_automatic_step_of_bodies_at_rest_is_refused_at_its_place),
        cmocka_unit_test(a_piston_on_a_gas_has_an_automatic_step),
        cmocka_unit_test(a_scene_is_written_out_with_its_engine_only),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
