// Scenes: a valid scene becomes the world that it describes, and each mistake is reported with its position.
// Reference: the values and mistakes in the scene texts.

#include "base/memory.h"
#include "support/trial.h"

#include <scree/scene.h>
#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char beads[] =
    "scree: 1\n"
    "title: Two beads\n"
    "variables: {radius: 5 mm, speed: 1}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials:\n"
    "  glass: {density: 2500, young: 50 MPa, poisson: 0.25}\n"
    "  steel: {density: 7800, young: rigid, poisson: 0.3}\n"
    "contacts:\n"
    "  - {between: [steel, steel], law: none}\n"
    "  - {between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}\n"
    "world: {box: [[-1, -1, -1], [1, 1, 1]], periodic: [x]}\n"
    "bodies:\n"
    "  - sphere: {radius: \"${radius}\", at: [0, 0, 0], material: glass, velocity: [\"${speed}\", 0, 0]}\n"
    "  - sphere: {radius: \"${2 * radius}\", at: [2 cm, 0, 0], material: steel, fixed: [x, spin-z], spin: "
    "[0, 60 rpm, 0]}\n"
    "walls:\n"
    "  - {plane: {point: [0, 0, -10 cm], normal: [0, 0, 1], material: steel}, velocity: [0, 0, 1 mm/s]}\n"
    "  - cone: {from: [0, 0, 0.3], to: [0, 0, 0.5], radii: [2 cm, 15 cm], material: glass}\n"
    "engine: {soft: {step: 1 us}}\n"
    "run: {steps: 10}\n";

static scree_status read(const char *text, const struct scree_scene_def *def, struct scree_scene **scene)
{
    return scree_scene_read("scene.yaml", text, strlen(text), def, scene);
}

static void a_scene_becomes_the_world_that_it_describes(void **state)
{
    (void)state;
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_body_state body;
    const struct scree_scene_variable fast = {"speed", "2.5 m/s"};
    const size_t live = scree_memory_live();
    if (read(beads, &(struct scree_scene_def){.variables = &fast, .count = 1}, &scene) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    assert_string_equal(scree_scene_title(scene), "Two beads");
    assert_null(scree_scene_diagnostics(scene));
    if (scree_scene_build(scene, 1, &world, &engine) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    scree_scene_free(scene);
    assert_int_equal(scree_body_count(world), 2);
    assert_int_equal(scree_wall_count(world), 2);
    assert_int_equal(scree_interaction_count(world), 2);
    assert_int_equal(scree_body_get(world, (scree_body_id){1}, &body), SCREE_OK);
    assert_true(body.radius == 0.005 && body.velocity[0] == 2.5);
    assert_int_equal(scree_body_get(world, (scree_body_id){2}, &body), SCREE_OK);
    assert_true(body.radius == 0.01 && body.fixed == (SCREE_FIX_X | SCREE_FIX_SPIN_Z));
    // each operation rounds once
    assert_true(fabs(body.spin[1] - 2 * 3.14159265358979323846) < 1e-14 * 7);
    struct scree_cell_def cell;
    scree_cell_get(world, &cell);
    assert_true(cell.periodic[0] && !cell.periodic[1] && cell.lower[2] == -1);
    double step;
    assert_int_equal(scree_engine_step(engine, &step), SCREE_OK);
    assert_true(step == 1e-6);
    assert_int_equal(scree_engine_run(engine, 10), SCREE_OK);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    assert_int_equal(scree_memory_live(), live);
}

static void positions_of_disks_have_two_numbers(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        "scree: 1\ndimension: 2\ngravity: [0, -9.81]\nmaterials: {a: {density: 1000}}\n"
        "contacts: [{between: [a, a], law: linear, stiffness: 1e5, friction: 0.5, restitution: 0.5}]\n"
        "bodies: [disk: {radius: 1 cm, thickness: 1 cm, at: [0, 1], material: a, spin: 1}]\n");
    assert_int_equal(scree_world_dimension(world), 2);
    scree_world_destroy(world);
}

// A ball and a floor of glass, with given contact rules and material properties.
#define BALL(properties, rules)                                                                              \
    "scree: 1\nmaterials: {glass: {density: 2500" properties "}, oak: {density: 700}}\n"                     \
    "contacts: [" rules "]\n"                                                                                \
    "bodies: [{sphere: {radius: 1 cm, at: [0, 0, 1], material: glass}, group: grains}]\n"                    \
    "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: floor}]\n"
#define ELASTIC ", young: 5 MPa, poisson: 0.2"
#define HERTZ "{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}"
#define SECOND_STAGE(change) BALL(ELASTIC, HERTZ) "run: [{for: 10 s}, {for: 1 s, " change "}]\n"

// Stages with rules for the bodies that are left, and keys with the value `auto`.
static void valid_stages_are_not_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        SECOND_STAGE(
            "walls: [{group: floor, remove: true}], bodies: [{group: grains, fixed: [x], velocity: [1, 0, "
            "0], "
            "damping: {local: 0.3}}]"),
        SECOND_STAGE(
            "bodies: [{group: grains, remove: true}], contacts: [{between: [oak, oak], law: none}], engine: "
            "{soft: {step: 1 us}}"),
        SECOND_STAGE("contacts: [], engine: {soft: {step: 1 us}}"),
        "scree: 1\nbodies: [{rigid: {mass: 1, inertia: [1, 2, 2], at: [0, 0, 0]}, group: lone}]\n"
        "engine: {soft: {step: 1 us}}\nrun: [{steps: 1, bodies: [{group: lone, fixed: [x]}]}]\n",
        BALL(ELASTIC, HERTZ) "motion: {translation: auto, rotation: auto}\n",
        "scree: 1\ndimension: 2\nworld: {box: [[0, 0, 0], [1, 1, 0]]}\nengine: {soft: {step: 1 us}}\n",
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t)
        scree_world_destroy(scree_trial_build_text(texts[t]));
}

static void degrees_of_freedom_of_filled_bodies_can_be_fixed(void **state)
{
    (void)state;
    struct scree_body_state before, after;
    const char *text =
        "scree: 1\ngravity: [0, 0, -9.81]\nmaterials: {a: {density: 1000}}\nengine: {soft: {step: 1 ms}}\n"
        "bodies: [fill: {shape: {sphere: {radius: 1 cm}}, count: 3, material: a, velocity: [1, 0, 0],\n"
        "                inside: {box: [[0, 0, 0], [1, 1, 1]]}, fixed: [x, z]}]\n";
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    (void)scree_trial_build(&trial);
    scree_trial_assert_ok(&trial);
    assert_int_equal(scree_body_get(trial.world, (scree_body_id){3}, &before), SCREE_OK);
    assert_int_equal(before.fixed, SCREE_FIX_X | SCREE_FIX_Z);
    assert_int_equal(scree_engine_run(trial.engine, 100), SCREE_OK);
    assert_int_equal(scree_body_get(trial.world, (scree_body_id){3}, &after), SCREE_OK);
    assert_true(after.position[2] == before.position[2] && after.velocity[0] == 1);
    scree_trial_free(&trial);
}

static void values_that_are_words_may_come_from_variables(void **state)
{
    (void)state;
    scree_world_destroy(scree_trial_build_text(
        "scree: 1\nvariables: {st: auto, y: rigid, start: au}\n"
        "materials: {a: {density: 1000, young: \"${y}\"}}\n"
        "contacts: [{between: [a, a], law: linear, stiffness: 1e5, friction: 0, restitution: 1}]\n"
        "bodies: [sphere: {radius: 1, at: [0, 0, 0], material: a}]\n"
        "engine: {soft: {step: \"${st}\"}}\n"
        "run: [{steps: 1}, {steps: 1, engine: {soft: {step: \"${start}to\"}}}]\n"));
}

static void an_invalid_variable_is_reported_once(void **state)
{
    (void)state;
    struct scree_scene *scene;
    assert_int_equal(read("scree: 1\nvariables: {pi: 5, w: [1]}\ngravity: [0, \"${w}\", \"${2 * w}\"]\n"
                          "title: \"${w}\"\n",
                          NULL, &scene),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_scene_diagnostics(scene), "2:13: 'pi' is a function or constant"));
    assert_non_null(strstr(scree_scene_diagnostics(scene), "2:23: a variable must be a number or a text"));
    assert_null(strstr(scree_scene_diagnostics(scene), "there is no variable"));
    scree_scene_free(scene);
}

// Checks that each scene, with one mistake, gives its diagnostic.
static void assert_diagnostics(const char *const (*rows)[2], size_t count)
{
    for (size_t r = 0; r < count; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r][1], "%s", rows[r][0]);
}

static void mistakes_in_keys_and_values_are_reported_at_their_position(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"scree: 2\n", "scene.yaml:1:8: 'scree' must be 1, not 2"},
        {"title: x\n", "a scene needs 'scree', as in `scree: 1`"},
        {"scree: 1\nmaterial: {}\n",
         "scene.yaml:2:1: a scene has no key 'material': did you mean 'materials'?"},
        {"scree: 1\nmaterials: {glass: {young: 1}}\n", "scene.yaml:2:20: a material 'glass' needs 'density'"},
        {"scree: 1\nmaterials: {glass: {density: -5}}\n",
         "scene.yaml:2:30: 'density' must be above 0 kg/m^3, not -5"},
        {"scree: 1\nmaterials: {glass: {density: 5 mm}}\n", "'density' must be in kg/m^3, but this is in m"},
        {"scree: 1\nmaterials: [glass]\n", "'materials' must be a map of names"},
        {"scree: 1\nmaterials: {glass: 5}\n", "a material must be a map of keys, not the number 5"},
        {"scree: 1\ncontacts: [{between: [any, any], law: hertz-mindlin, frition: 0.5}]\n",
         "scene.yaml:2:54: a contact has no key 'frition': did you mean 'friction'?"},
        {"scree: 1\ncontacts: [{between: [any, any], law: herz}]\n",
         "scene.yaml:2:39: there is no contact law 'herz': did you mean 'hertz'?"},
        {"scree: 1\ncontacts: [{between: [any, glas], law: none}]\nmaterials: {glass: {density: 1}}\n",
         "scene.yaml:2:28: "},
        {"scree: 1\nwalls: [{plane: {point: [0, 0], normal: [0, 0, 1], material: x}}]\n",
         "scene.yaml:2:25: 'point' must be a list of three numbers"},
        {"scree: 1\nwalls: [{}]\n",
         "a wall needs exactly one of plane, rectangle, disk, box, cylinder, cone, sphere"},
        {"scree: 1\nengine: {soft: {step: -1}}\n", "'step' must be above 0 s, not -1"},
        {"scree: 1\nengine: {soft: {step: }}\n", "'step' has no value, as in `step: 1 us`"},
        {"scree: 1\nmotion: {translation: verlet}\nengine: {soft: {step: 1}}\n", "scene.yaml:2:23: "},
        {"scree: 1\nworld: {outside: stpo}\n",
         "'outside' must be one of warn, stop, ignore, delete, not 'stpo': did you mean 'stop'?"},
    };
    assert_diagnostics(rows, sizeof rows / sizeof rows[0]);
}

static void conflicting_paths_of_records_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"scree: 1\nrecord: [{table: a.csv, every: 1}, {table: a.csv, every: 2}]\n",
         "scene.yaml:2:44: 'a.csv' is written by another record too"},
        {"scree: 1\nrecord: [{table: ./a.csv, every: 1}, {checkpoint: .//a.csv, every: 2}]\n",
         "scene.yaml:2:51: './/a.csv' is written by another record too"},
        {"scree: 1\nrecord: [{table: ./scene.yaml, every: 1}]\n", "'./scene.yaml' is the scene itself"},
        {"scree: 1\nmaterials: {a: {density: 1}}\nbodies: [read: {file: in/a.csv, material: a}]\n"
         "record: [{table: ./in//a.csv, every: 1}]\n",
         "scene.yaml:4:18: './in//a.csv' is a file of bodies that the scene reads: give the record another "
         "name"},
        {"scree: 1\nmaterials: {a: {density: 1}}\nbodies: [read: {file: \"${f}.chk.previous\", material: "
         "a}]\n"
         "variables: {f: a}\nrecord: [{checkpoint: a.chk, every: 1}]\n",
         "'a.chk' would write 'a.chk.previous', which is a file of bodies that the scene reads: give"},
        {"scree: 1\nmaterials: {a: {density: 1}}\nbodies: [read: {file: a-0000012.data, material: a}]\n"
         "record: [{dump: a.data, every: 1}]\n",
         "'a.data' would write 'a-000000.data', which is a file of bodies that the scene reads: give"},
        {"scree: 1\nrecord: [{table: a.chk.previous, every: 1}, {checkpoint: ./a.chk, every: 2}]\n",
         "'a.chk.previous' and './a.chk' would both write 'a.chk.previous'"},
        {"scree: 1\nrecord: [{frames: out/a, every: 1}, {frames: out//a, every: 2}]\n",
         "'out/a' and 'out//a' would both write 'out/a-bodies.hdf.series'"},
        {"scree: 1\nrecord: [{table: a-walls/000001.hdf, every: 1}, {frames: a, every: 2}]\n",
         "would both write 'a-walls/000000.hdf'"},
        {"scree: 1\nrecord: [{dump: out/a.data, every: 1}, {table: out/a-0000012.data, every: 2}]\n",
         "'out/a.data' and 'out/a-0000012.data' would both write 'out/a-000000.data'"},
        {"scree: 1\nrecord: [{table: a.part, every: 1}, {checkpoint: ./a, every: 2}]\n",
         "'a.part' and './a' would both write 'a.part'"},
        {"scree: 1\nrecord: [{table: a.lock, every: 1}, {checkpoint: a, every: 2}]\n",
         "'a.lock' and 'a' would both write 'a.lock'"},
        {"scree: 1\nrecord: [{frames: a, every: 1}, {table: a-walls.hdf.series.part, every: 2}]\n",
         "'a' and 'a-walls.hdf.series.part' would both write 'a-walls.hdf.series.part'"},
        {"scree: 1\nrecord: [{frames: a, every: 1}, {table: a-bodies/000007.hdf.part, every: 2}]\n",
         "would both write 'a-bodies/000000.hdf.part'"},
        {"scree: 1\nrecord: [{table: a-000007.csv.part, every: 1}, {dump: a.csv, every: 2}]\n",
         "'a-000007.csv.part' and 'a.csv' would both write 'a-000000.csv.part'"},
        {"scree: 1\nrecord: [{table: out/a, every: 1}, {table: out/./a/b/c.csv, every: 1}]\n",
         "scene.yaml:2:44: 'out/a' and 'out/./a/b/c.csv' need 'out/a' both as a file and as a folder"},
        {"scree: 1\nrecord: [{table: out/a/b.csv, every: 1}, {checkpoint: out, every: 1}]\n",
         "'out/a/b.csv' and 'out' need 'out' both as a file"},
        {"scree: 1\nrecord: [{table: out/a-bodies, every: 1}, {frames: out/a, every: 1}]\n",
         "'out/a-bodies' and 'out/a' need 'out/a-bodies' both as a file"},
        {"scree: 1\nrecord: [{dump: a.csv, every: 1}, {table: a-000007.csv/b, every: 1}]\n",
         "'a.csv' and 'a-000007.csv/b' need 'a-000007.csv' both as a file"},
        {"scree: 1\nrecord: [{table: scene.yaml/b, every: 1}]\n",
         "'scene.yaml' and 'scene.yaml/b' need 'scene.yaml' both as a file"},
        {"scree: 1\ndamping: {local: 0.7}\n",
         "scene.yaml:2:1: 'damping' belongs to the motion, as in `motion: {damping: {local: 0.1}}`"},
    };
    assert_diagnostics(rows, sizeof rows / sizeof rows[0]);
}

static void names_from_other_programs_are_explained(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"scree: 1\ncontacts: [{between: [any, any], law: linear, kn: 1e5}]\n",
         "a contact has no key 'kn': 'contact property kn' of PFC is the key 'stiffness' of a contact"},
        {"scree: 1\nmaterials: {a: {youngsModulus: 1e5}}\n",
         "'youngsModulus' of LIGGGHTS is the key 'young' of a material"},
        {"scree: 1\nmaterials: {a: {emod: 1e5}}\n", "is the key 'modulus' of a contact"},
        {"scree: 1\nmaterials: {a: {hz_shear: 1e5}}\n",
         "'contact property hz_shear (the shear modulus)' of PFC is the key 'young' of a material"},
        {"scree: 1\ninsert: [{massrate: 1}]\n",
         "'fix insert/stream massrate' of LIGGGHTS is the key 'rate' of an insertion"},
        {"scree: 1\nbodies: [{sphere: {angVel: [1, 0, 0]}}]\n",
         "'State.angVel' of Yade is the key 'spin' of a sphere"},
        {"scree: 1\nwalls: [{plane: {point: [0, 0, 0]}, rotation-center: [0, 0, 0]}]\n",
         "'wall attribute rotation-center' of PFC is the key 'pivot' of a wall"},
        {"scree: 1\nmaterials: {a: {poison: 0.2}}\n", "did you mean 'poisson'?"},
        {"scree: 1\nalarms: {way: {policy: warn}}\n", "no key 'way': it is called 'displacement' now"},
    };
    assert_diagnostics(rows, sizeof rows / sizeof rows[0]);
}

static void keys_and_values_in_a_wrong_place_are_explained(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        // keys that are valid in another section
        {"scree: 1\nbodies: [{sphere: {at: [0, 0, 0]}, fixed: [x]}]\n",
         "scene.yaml:2:36: 'fixed' belongs to a sphere, as in `sphere: {fixed: [x, y, spin-z]}`"},
        {"scree: 1\nbodies: [{fill: {shape: {sphere: {radius: 1}}}, radius: 5}]\n",
         "'radius' belongs to a sphere shape"},
        {"scree: 1\nbodies: [{sphere: {at: [0, 0, 0], group: a}}]\n",
         "a sphere has no key 'group': put it beside 'sphere', not inside, as in `group: feed`"},
        {"scree: 1\nengine: {step: 1 us}\n", "'step' belongs to the soft engine, as in `soft: {step: 1 us}`"},
        {"scree: 1\nrun: {until: 2000 steps}\n",
         "scene.yaml:2:14: 'until' is in s; give a number of steps as `steps: 2000`"},
        {"scree: 1\ngravity: 9.81\n",
         "'gravity' must be a list of three numbers, as in `gravity: [0, 0, -9.81]`, not the number 9.81"},
        {"scree: 1\nvariables: {p: 5 kPa}\nbodies: [sphere: {radius: \"${p}\"}]\n",
         "'radius' must be in m, but ${p}, which is 5 kPa, is in kg/(m s^2)"},
        {"scree: 1\nperiodic: [x]\n", "'periodic' belongs to the world, as in `world: {periodic: [x, y]}`"},
        {"scree: 1\nrun: soon\n",
         "'run' must be a map or a list of maps, as in `run: {until: 2 s}`, not the text 'soon'"},
        {"scree: 1\ncontacts: [{between: [any], law: none}]\n",
         "'between' must be a list of two words, as in `between: [glass, any]`, not a list of length 1"},
        {"scree: 1\ncontacts: [{between: [any, any], law: hertz-mindlim}]\n",
         "did you mean 'hertz-mindlin'? known laws: "},
        {"scree: 1\nvariables: {st: never}\nengine: {soft: {step: \"${st}\"}}\n",
         "scene.yaml:3:24: 'step' must be a number in s, as in `step: 1 us`, not 'never'"},
        {"scree: 1\nengine: {soft: {step: 1 sec}}\n", "there is no unit 'sec': did you mean 's'?"},
        {"scree: 1\nrecord: [{table: scene.yaml, every: 1}]\n", "'scene.yaml' is the scene itself"},
        {"scree: 1\nrecord: [{table: ../a.csv, every: 1}]\n", "leads out of the folder"},
        {"scree: 1\ndimension: 2\nmaterials: {a: {density: 1}}\n"
         "bodies: [disk: {radius: 1, thickness: 1, at: [0, 0, 3], material: a}]\n",
         "a disk is in the plane z = 0"},
    };
    assert_diagnostics(rows, sizeof rows / sizeof rows[0]);
}

static void wrong_variables_references_and_stages_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"scree: 1\nvariables: {a: \"${b}\"}\ntitle: \"${a}\"\n",
         "scene.yaml:2:19: there is no variable 'b'"},
        {"scree: 1\nvariables: {a: \"${2 m + 1 s}\"}\n",
         "scene.yaml:2:19: the units do not match: s cannot be added to m"},
        {"scree: 1\nvariables: {a: 5 mmm, b: \"${2 * a}\"}\n",
         "scene.yaml:2:33: the variable 'a' is '5 mmm', not a number: there is no unit 'mmm'"},
        {"scree: 1\nmaterials: {glass: {density: -1}}\ncontacts: [{between: [glas, any], law: none}]\n",
         "scene.yaml:3:23: there is no material 'glas': did you mean 'glass'?"},
        {"scree: 1\nmaterials: {glass: {density: 1}}\n"
         "bodies: [sphere: {radius: -1, at: [0, 0, 0], material: gals}]\n",
         "scene.yaml:3:56: there is no material 'gals': did you mean 'glass'?"},
        {"scree: 1\nwalls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: steel}]\n",
         "there is no material 'steel'"},
        {"scree: 1\nrun: [{steps: 1}, {steps: 1, contacts: [{between: [any, any], law: linear, friction: "
         "1}]}]\n"
         "engine: {soft: {step: 1}}\n",
         "scene.yaml:2:41: the contact law 'linear' between"},
        {"scree: 1\nrun: [{steps: 1, materials: {gold: {young: 1}}}]\n", "there is no material 'gold'"},
        {"scree: 1\nmaterials: {a: {density: 1}}\nrun: [{steps: 1, materials: {a: {density: 2}}}]\n",
         "a change of a material has no key 'density'"},
        {"scree: 1\nrun: {steps: 1}\nrecord: [{table: a.csv, every: 1, stages: [1, 2]}]\n",
         "there is no stage 2: this run has 1"},
        {"scree: 1\nalarms: {overlap: {limit: 0}}\n", "'limit' must be above 0, not 0"},
        {"scree: 1\nalarms: {energy: {policy: stop}}\n", "the energy alarm needs 'limit'"},
        {"scree: 1\nalarms: {displacement: {policy: halt}}\n",
         "'policy' must be one of stop, warn, ignore, not 'halt'"},
        {"scree: 1\nrun: []\n", "'run' must have at least one stage, as in `run: {until: 2 s}`"},
        {"scree: 1\nrun: [{until: 2}, {until: 1}]\n",
         "scene.yaml:2:27: 'until' is the time at which a stage ends, but this stage begins at 2 s or later"},
        {"scree: 1\nrun: [{for: 2}, {steps: 3}, {until: 1}]\n", "begins at 2 s or later"},
        {"scree: 1\nmotion: {local: 1}\nmotion: {damping: {locl: 1}}\n",
         "scene.yaml:3:20: damping has no key 'locl'"},
    };
    assert_diagnostics(rows, sizeof rows / sizeof rows[0]);
}

static void mistakes_in_later_stages_are_reported_before_the_run(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {SECOND_STAGE("contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5}]"),
         "scene.yaml:6:42: the contact law 'hertz-mindlin' between 'glass' and 'glass': give either "
         "'restitution'"},
        {SECOND_STAGE("contacts: [{between: [glass, oak], law: hertz, restitution: 0.5}]"),
         "scene.yaml:6:41: no contact law is given for 'glass' and 'glass': add a rule for them"},
        {SECOND_STAGE("contacts: []"), "scene.yaml:6:41: an automatic time step needs contacts"},
        {SECOND_STAGE("damping: {local: 1}"),
         "scene.yaml:6:48: 'local' must be at least 0 and below 1, not 1"},
        {SECOND_STAGE("walls: [{group: floor, end-servo: true}]"),
         "scene.yaml:6:65: the group 'floor' has no servo"},
        {SECOND_STAGE("gravity: [0, 0, 1e200]"), "scene.yaml:6:40: gravity must be finite"},
    };
    assert_diagnostics(rows, sizeof rows / sizeof rows[0]);
}

static void missing_properties_and_rules_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        // reported at the map in which the key or rule is missing
        {BALL("", HERTZ), "scene.yaml:2:13: material 'glass' needs 'young' for the contact law "
                          "'hertz-mindlin'"},
        {BALL("", HERTZ), "scene.yaml:2:13: material 'glass' needs 'poisson'"},
        {BALL(ELASTIC, "{between: [oak, any], law: none}"),
         "scene.yaml:3:11: no contact law is given for 'glass' and 'glass': add a rule for them"},
        {BALL(ELASTIC,
              "{between: [any, any], law: hertz-mindlin, friction: 0.5}") "motion: {rotation: bogus}\n",
         "scene.yaml:3:12: the contact law 'hertz-mindlin' between 'glass' and 'glass': give "},
        {BALL(ELASTIC,
              "{between: [any, any], law: hertz-mindlin, friction: 0.5}") "motion: {rotation: bogus}\n",
         "scene.yaml:6:20: there is no scheme of rotation 'bogus'"},
        {BALL(ELASTIC, ""), "scene.yaml:3:11: an automatic time step needs contacts"},
        {BALL(ELASTIC, HERTZ) "engine: {soft: {step: 1 s}}\n",
         "scene.yaml:6:23: the time step of 1 s exceeds"},
        // mistakes found together with unknown keys
        {SECOND_STAGE(
             "grvity: 0") "insert: [{shape: {sphere: {radius: {uniform: [3 mm, 2 mm]}}}, material: glass, "
                          "inside: {box: [[0, 0, 1], [1, 1, 0]]}, rate: {mass: 1}}]\n",
         "the smaller radius must come first, then a larger one, not 0.003 m and 0.002 m"},
        {SECOND_STAGE("grvity: 0") "insert: [{shape: {sphere: {radius: 1 mm}}, material: glass, "
                                   "inside: {box: [[0, 0, 1], [1, 1, 0]]}, rate: {mass: 1}}]\n",
         "the upper corner of a region must be above the lower one"},
        {"scree: 1\nmaterials: {a: {density: 1}}\ngrvity: 0\n"
         "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 0], material: a}}]\n",
         "scene.yaml:4:44: 'normal' must not be the zero vector"},
        {"scree: 1\ngravity: [0, 0, 1e200]\n", "scene.yaml:2:10: gravity must be finite"},
        {"scree: 1\nworld: {box: [[0, 0, 0], [1, 1, 0]]}\n",
         "scene.yaml:2:14: the upper corner of the world's box must be above the lower one, but along z"},
    };
    assert_diagnostics(rows, sizeof rows / sizeof rows[0]);
}

static void a_stage_may_end_before_its_time_if_it_has_a_condition(void **state)
{
    (void)state;
    struct scree_scene *scene;
    assert_int_equal(read("scree: 1\nrun: [{until: 2, stop: kinetic < 1 J}, {until: 1}]\n", NULL, &scene),
                     SCREE_OK);
    scree_scene_free(scene);
}

static void a_scene_without_a_duration_is_not_run(void **state)
{
    (void)state;
    struct scree_scene *scene;
    struct scree_world *world;
    assert_int_equal(read("scree: 1\nengine: {soft: {step: 1}}\n", NULL, &scene), SCREE_OK);
    assert_int_equal(scree_scene_run(scene, NULL, &world), SCREE_ERROR_ARGUMENT);
    assert_null(world);
    assert_non_null(strstr(scree_scene_diagnostics(scene), "has no 'run', so its duration is unknown"));
    scree_scene_free(scene);
    // the missing run is reported together with other mistakes
    assert_int_equal(read("scree: 1\n", NULL, &scene), SCREE_OK);
    assert_int_equal(scree_scene_run(scene, NULL, &world), SCREE_ERROR_ARGUMENT);
    assert_null(world);
    assert_non_null(strstr(scree_scene_diagnostics(scene), "has no 'run', so its duration is unknown"));
    assert_non_null(strstr(scree_scene_diagnostics(scene), "an automatic time step needs contacts"));
    scree_scene_free(scene);
}

static void a_law_can_be_a_variable_and_an_unknown_law_is_reported(void **state)
{
    (void)state;
    struct scree_scene *scene;
    const char *text =
        "scree: 1\nvariables: {law: hertz-mindlin}\n"
        "contacts: [{between: [any, any], law: \"${law}\", friction: 0.5, restitution: 0.7}]\n";
    assert_int_equal(read(text, NULL, &scene), SCREE_OK);
    scree_scene_free(scene);
    const struct scree_scene_variable wrong = {"law", "hertz-mindlinn"};
    assert_int_equal(read(text, &(struct scree_scene_def){.variables = &wrong, .count = 1}, &scene),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(
        strstr(scree_scene_diagnostics(scene), "'hertz-mindlinn': did you mean 'hertz-mindlin'?"));
    assert_null(strstr(scree_scene_diagnostics(scene), "friction'"));
    scree_scene_free(scene);
}

static void the_last_given_value_of_a_variable_applies_and_unknown_variables_are_refused(void **state)
{
    (void)state;
    struct scree_scene *scene;
    const char *text = "scree: 1\nvariables: {name: a}\ntitle: ${name}\n";
    const struct scree_scene_variable values[] = {{"name", "b"}, {"name", "c"}}, wrong = {"nome", "b"};
    assert_int_equal(read(text, &(struct scree_scene_def){.variables = values, .count = 2}, &scene),
                     SCREE_OK);
    assert_string_equal(scree_scene_title(scene), "c");
    scree_scene_free(scene);
    assert_int_equal(read(text, &(struct scree_scene_def){.variables = &wrong, .count = 1}, &scene),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(
        strstr(scree_scene_diagnostics(scene),
               "-D:1:1: the scene has no variable 'nome': did you mean 'name'?\n    nome=b\n    ^~~~\n"));
    scree_scene_free(scene);
}

static void all_mistakes_are_reported_together(void **state)
{
    (void)state;
    struct scree_scene *scene;
    assert_int_equal(read("scree: 1\ngravty: 1\nbodies: [{sphere: {radius: 5 s}}]\n", NULL, &scene),
                     SCREE_ERROR_ARGUMENT);
    const char *message = scree_scene_diagnostics(scene);
    assert_non_null(strstr(message, "did you mean 'gravity'?"));
    assert_non_null(strstr(message, "'radius' must be in m, but this is in s"));
    assert_non_null(strstr(message, "a sphere needs 'at'"));
    assert_non_null(strstr(message, "a sphere needs 'material'"));
    scree_scene_free(scene);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    (void)scree_trial_starve(SCREE_TRIAL_BUILD, beads, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_becomes_the_world_that_it_describes),
        cmocka_unit_test(positions_of_disks_have_two_numbers),
        cmocka_unit_test(valid_stages_are_not_refused),
        cmocka_unit_test(degrees_of_freedom_of_filled_bodies_can_be_fixed),
        cmocka_unit_test(values_that_are_words_may_come_from_variables),
        cmocka_unit_test(an_invalid_variable_is_reported_once),
        cmocka_unit_test(mistakes_in_keys_and_values_are_reported_at_their_position),
        cmocka_unit_test(conflicting_paths_of_records_are_reported),
        cmocka_unit_test(names_from_other_programs_are_explained),
        cmocka_unit_test(keys_and_values_in_a_wrong_place_are_explained),
        cmocka_unit_test(wrong_variables_references_and_stages_are_reported),
        cmocka_unit_test(mistakes_in_later_stages_are_reported_before_the_run),
        cmocka_unit_test(missing_properties_and_rules_are_reported),
        cmocka_unit_test(a_stage_may_end_before_its_time_if_it_has_a_condition),
        cmocka_unit_test(a_scene_without_a_duration_is_not_run),
        cmocka_unit_test(a_law_can_be_a_variable_and_an_unknown_law_is_reported),
        cmocka_unit_test(the_last_given_value_of_a_variable_applies_and_unknown_variables_are_refused),
        cmocka_unit_test(all_mistakes_are_reported_together),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
