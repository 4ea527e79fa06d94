// Scenes with periodic cells that deform (build/cell.c): forms of the velocity gradient, cell vectors,
// functions of time, stages, restarts, and mistakes. Reference: closed integrals of dF/dt = D F.

#include "support/folder.h"
#include "support/table.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"                                     \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"               \
    "engine: {soft: {step: 0.1 ms}}\n"
#define BOX "box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y, z]"
#define LAYER "box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y]"
#define BODY                                                                                                 \
    "bodies: [{sphere: {radius: 5 mm, at: [0.1, 0.2, 0.3], velocity: [0, 0, 0.1], material: glass}}]\n"

// A positive integral of h d^3 over the run with steps h of 0.1 ms and rates below 1 1/s: each step gives
// ln((1 + h d / 2) / (1 - h d / 2)) = h d + (h d)^3 / 12 + ...
static const double step_error = 1e-8 / 12;

// The state of the cell after running a scene with these keys of the world, and stages.
static struct scree_cell_state run_cell(const char *world_keys, const char *stages)
{
    char text[4000];
    struct scree_cell_state state;
    snprintf(text, sizeof text, HEAD BODY "world: {%s}\nrun:\n%s", world_keys, stages);
    struct scree_world *world = scree_trial_run_text(text, &(struct scree_run_def){0});
    assert_ok(scree_cell_get_state(world, &state));
    scree_world_destroy(world);
    return state;
}

static void assert_equal_states(const struct scree_cell_state *a, const struct scree_cell_state *b)
{
    for (int k = 0; k < 9; ++k)
        assert_true(a->vectors[k] == b->vectors[k] && a->gradient[k] == b->gradient[k] &&
                    a->deformation[k] == b->deformation[k]);
}

// Equal gradients in different keys give equal bits; the strains are exact up to the error of the step.
static void keys_give_the_gradient(void **state)
{
    (void)state;
    static const char stages[] = "  - {for: 0.5 s}\n";
    const struct scree_cell_state whole =
        run_cell(BOX ", deform: {gradient: [[0.5, 0.3, 0], [0, -0.4, 0], [0, -0.25, 0]]}", stages);
    const struct scree_cell_state parts =
        run_cell(BOX ", deform: {strain-rate: [50 %/s, -0.4 1/s, 0], shear: [{rate: 0.3, of: x, along: y}, "
                     "{rate: -0.25, of: z, along: y}]}",
                 stages);
    assert_equal_states(&whole, &parts);
    assert_true(whole.form == SCREE_CELL_MEAN_FIELD);
    assert_true(whole.gradient[1] == 0.3 && whole.gradient[7] == -0.25);
    const struct scree_cell_state strained = run_cell(BOX ", deform: {strain-rate: [0.5, -0.4, 0]}", stages);
    scree_test_near(strained.strain[0], 0.25, step_error);
    scree_test_near(strained.strain[4], -0.2, step_error);
    assert_true(strained.strain[8] == 0);
    scree_test_near(strained.volume, exp(0.05), 2 * step_error);
    // simple shear has no error but rounding: 5000 sums of numbers up to 0.5
    const struct scree_cell_state sheared =
        run_cell(BOX ", deform: {shear: {rate: 1 1/s, of: x, along: y}, form: newton}", stages);
    scree_test_near(sheared.deformation[1], 0.5, 5000 * 0.5 * 0x1p-52);
    assert_true(sheared.form == SCREE_CELL_NEWTON);
}

static void cells_have_vectors(void **state)
{
    (void)state;
    const struct scree_cell_state cell =
        run_cell("cell: {corner: [-0.1, 0, 10 cm], vectors: [[1, 0, 0], [30 cm, 1, 0], [0, -0.2, 0.8]]}, "
                 "deform: {shear: {rate: 0.4, of: x, along: y}}",
                 "  - {for: 0.5 s}\n");
    // rows of vectors: the second moves by 0.2 y along x
    static const double vectors[9] = {1, 0, 0, 0.5, 1, 0, -0.04, -0.2, 0.8};
    for (int k = 0; k < 9; ++k)
        scree_test_near(cell.vectors[k], vectors[k], 5000 * 0x1p-52);
    assert_true(cell.corner[0] == -0.1 && cell.corner[1] == 0 && cell.corner[2] == 0.1);
    struct scree_world *world = scree_trial_run_text(
        "scree: 1\n"
        "dimension: 2\n"
        "materials: {glass: {density: 2500}}\n"
        "engine: {soft: {step: 0.1 ms}}\n"
        "world: {cell: {vectors: [[1, 0], [0.25, 1]]}, deform: {gradient: [[0, 0.5], [0, 0]]}}\n"
        "bodies: [{disk: {radius: 5 mm, thickness: 1 mm, at: [0.1, 0.2], material: glass}}]\n"
        "run: {for: 0.5 s}\n",
        &(struct scree_run_def){0});
    struct scree_cell_state flat;
    assert_ok(scree_cell_get_state(world, &flat));
    scree_world_destroy(world);
    scree_test_near(flat.vectors[3], 0.5, 5000 * 0x1p-52);
    assert_true(flat.vectors[4] == 1 && flat.volume == 1);
}

// The part of the cell that a box fills; images of the cell do not overlap, so bodies inside do not either.
static void boxes_inside_a_skewed_cell_are_filled(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_run_text(
        HEAD "world: {cell: {vectors: [[1, 0, 0], [0.3, 1, 0], [0, 0, 1]]}}\nrun: {steps: 1}\n"
             "bodies: [{fill: {shape: {sphere: {radius: 8 cm}}, count: 40, material: glass, inside: {box: "
             "[[0.3, 0, 0], [1, 1, 1]]}}}]\n",
        &(struct scree_run_def){0});
    double overlap;
    assert_ok(scree_measure_max_overlap(world, &overlap));
    assert_true(scree_body_count(world) == 40 && overlap == 0);
    scree_world_destroy(world);
}

// The velocity of a scene is a fluctuation: the mean motion D x is added.
static void velocities_are_in_addition_to_the_mean_motion(void **state)
{
    (void)state;
    struct scree_body_state body;
    double fluctuation[3];
    struct scree_world *world = scree_trial_build_text(
        HEAD BODY "world: {" BOX ", deform: {shear: {rate: 2, of: x, along: y}}}\nrun: {steps: 1}\n");
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    assert_ok(scree_cell_fluctuation(world, (scree_body_id){1}, fluctuation));
    assert_true(body.velocity[0] == 2 * 0.2 && body.velocity[1] == 0 && body.velocity[2] == 0.1);
    assert_true(fluctuation[0] == 0 && fluctuation[1] == 0 && fluctuation[2] == 0.1);
    assert_true(body.spin[2] == -1);
    scree_world_destroy(world);
    // also those of a stage, here after one step along z at the given velocity
    world = scree_trial_run_text(
        HEAD "bodies: [{sphere: {radius: 5 mm, at: [0.1, 0.2, 0.3], material: glass}, group: one}]\n"
             "world: {" BOX ", deform: {shear: {rate: 2, of: x, along: y}}}\nrun: [{steps: 1}, {steps: 1, "
             "bodies: [{group: one, velocity: [0, 0, 0.1], spin: [0, 0, 3]}]}]\n",
        &(struct scree_run_def){0});
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    scree_test_near(body.velocity[0], 2 * 0.2, 1e-15);
    scree_test_near(body.velocity[2], 0.1, 1e-15);
    scree_test_near(body.spin[2], 2, 1e-15);
    scree_world_destroy(world);
}

// Integrals of expressions and tables: the middle of a step is exact where they are linear.
static void deformation_follows_functions_of_time(void **state)
{
    (void)state;
    const struct scree_cell_state cell =
        run_cell(BOX ", deform: {strain-rate: [\"0.8 1/s^2 * t\", [[0, 0.5], [0.5, -0.5], [1, -0.5]], 0]}",
                 "  - {for: 1 s}\n");
    scree_test_near(cell.strain[0], 0.4, step_error);
    // the corner of the table at 0.5 s may be inside a step, which changes the integral by h^2 / 8 * 2
    scree_test_near(cell.strain[4], -0.25, step_error + 2e-8 / 8);
    scree_test_near(cell.gradient[0], 0.8, 1e-12);
    const double pi = 3.14159265358979323846;
    const struct scree_cell_state oscillating =
        run_cell(BOX ", deform: {shear: {rate: \"0.3 1/s * sin(2 pi * 0.75 Hz * t)\", of: y, along: z}}",
                 "  - {for: 1 s}\n");
    // the midpoint rule has an error of h^2 / 24 times the change of the derivative
    const double rate = 2 * pi * 0.75;
    scree_test_near(oscillating.deformation[5], 0.3 / rate * (1 - cos(rate)), 1e-8 / 24 * 2 * 0.3 * rate);
}

static void stages_change_end_and_reverse_the_deformation(void **state)
{
    (void)state;
    const struct scree_cell_state reversed =
        run_cell(BOX ", deform: {shear: {rate: 1, of: x, along: y}, form: newton}",
                 "  - {for: 0.3 s}\n  - {for: 0.3 s, deform: {shear: {rate: -1, of: x, along: y}}}\n");
    scree_test_near(reversed.deformation[1], 0, 6000 * 0x1p-52);
    scree_test_near(reversed.vectors[3], 0, 6000 * 0x1p-52);
    assert_true(reversed.form == SCREE_CELL_NEWTON);
    const struct scree_cell_state changed =
        run_cell(BOX, "  - {for: 0.1 s}\n  - {for: 0.2 s, deform: {strain-rate: [0, 0, -0.5]}}\n"
                      "  - {for: 0.1 s, deform: {strain-rate: [0, 0, \"-1 1/s^2 * t\"]}}\n"
                      "  - {for: 0.1 s, end-deform: true}\n");
    scree_test_near(changed.strain[8], -0.1 - (0.16 - 0.09) / 2, step_error);
    for (int k = 0; k < 9; ++k)
        assert_true(changed.gradient[k] == 0);
}

// --- restarts

static const char deforming_scene[] = HEAD
    "world: {" BOX ", deform: {shear: {rate: 1 1/s * sin(20 Hz * t), of: x, along: y}, form: newton}}\n"
    "bodies: [{fill: {shape: {sphere: {radius: 8 cm}}, count: 100, material: glass, velocity: [0, 0, 1], "
    "inside: {box: [[0, 0, 0], [1, 1, 1]]}}}]\n"
    "run:\n"
    "  - {for: 50 ms}\n"
    "  - {for: 50 ms, deform: {strain-rate: [0, 0, {table: rate.csv}]}}\n"
    "  - {for: 20 ms, deform: {shear: {rate: 5, of: x, along: y}}}\n"
    "record: [{checkpoint: state.chk, every: 1 s}]\n";

static struct scree_digest run_deforming_scene(const char *file, double until)
{
    struct scree_digest digest;
    const char *path = scree_folder_path(&scree_test_folder, file);
    struct scree_trial trial =
        strcmp(file, "state.chk") == 0 ? scree_trial_restart(path) : scree_trial_load(path);
    if (scree_trial_run(&trial, &(struct scree_run_def){.until = until, .force = true}) != SCREE_OK)
        fail_msg("%s", scree_trial_message(&trial));
    assert_ok(scree_world_digest(trial.world, &digest));
    scree_trial_free(&trial);
    return digest;
}

static void a_restart_continues_the_deformation_exactly(void **state)
{
    (void)state;
    scree_folder_write(&scree_test_folder, "scene.yaml", deforming_scene);
    scree_folder_write(&scree_test_folder, "rate.csv", "0, 0\n0.2,-5\n");
    const struct scree_digest expected = run_deforming_scene("scene.yaml", 0);
    static const double ends[] = {0.02, 0.07, 0.11};
    for (size_t e = 0; e < 3; ++e) {
        const struct scree_digest interrupted = run_deforming_scene("scene.yaml", ends[e]);
        assert_true(interrupted.low != expected.low);
        const struct scree_digest restarted = run_deforming_scene("state.chk", 0.12);
        assert_true(restarted.low == expected.low && restarted.high == expected.high);
    }
}

// A layer under gravity between a wall at rest and one of the cell, in a skewed cell; the servo moves it too.
static void a_restart_continues_a_layer_between_walls_exactly(void **state)
{
    (void)state;
    scree_folder_write(
        &scree_test_folder, "scene.yaml",
        HEAD
        "world: {cell: {vectors: [[1, 0, 0], [0.4, 1, 0], [0, 0, 1]], periodic: [x, y]}, deform: {shear: "
        "{rate: 1 1/s * sin(20 Hz * t), of: x, along: z}, compressive-stress: {z: 2 kPa}, largest-rate: 1}}\n"
        "gravity: [3, 0, -9.81]\n"
        "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, {plane: {point: [0, 0, 1], "
        "normal: [0, 0, -1], material: glass}, moves-with: cell}]\n"
        "bodies: [{fill: {shape: {sphere: {radius: 8 cm}}, count: 60, material: glass, velocity: [0, 0, 1], "
        "inside: {box: [[0.4, 0, 0], [1, 1, 1]]}}}]\n"
        "run: [{for: 60 ms}, {for: 60 ms, deform: {shear: {rate: 5, of: x, along: z}, strain-rate: [0, 0, "
        "-1]}}]\n"
        "record: [{checkpoint: state.chk, every: 1 s}]\n");
    const struct scree_digest expected = run_deforming_scene("scene.yaml", 0);
    static const double ends[] = {0.03, 0.09};
    for (size_t e = 0; e < 2; ++e) {
        const struct scree_digest interrupted = run_deforming_scene("scene.yaml", ends[e]);
        assert_true(interrupted.low != expected.low);
        const struct scree_digest restarted = run_deforming_scene("state.chk", 0.12);
        assert_true(restarted.low == expected.low && restarted.high == expected.high);
    }
}

// --- columns

// Closed forms after a compression along z and a shear of x along y; and in a box that does not deform.
static void columns_have_the_state_of_the_cell(void **state)
{
    (void)state;
    static const char columns[] =
        "record: [{table: cell.csv, every: 0.5 s, columns: [cell-a-x, cell-b-x, cell-c-z, cell-volume, "
        "deformation-xy, cell-strain-zz, cell-strain-volume, gradient-xy, momentum-z, kinetic]}]\n";
    char text[3000], header[400];
    double rows[2][10];
    for (int deforms = 0; deforms < 2; ++deforms) {
        snprintf(text, sizeof text, HEAD BODY "world: {" BOX "%s}\nrun: {for: 0.5 s}\n%s",
                 deforms ? ", deform: {shear: {rate: 0.8, of: x, along: y}, strain-rate: [0, 0, -0.2]}" : "",
                 columns);
        scree_folder_write(&scree_test_folder, "scene.yaml", text);
        (void)run_deforming_scene("scene.yaml", 0);
        const char *table = scree_folder_path(&scree_test_folder, "cell.csv");
        assert_int_equal(scree_table_read_numbers(table, header, sizeof header, rows[0], 10, 2), 2);
        assert_string_equal(header, "cell-a-x [m],cell-b-x [m],cell-c-z [m],cell-volume [m^3],deformation-xy,"
                                    "cell-strain-zz,cell-strain-volume,gradient-xy [1/s],momentum-z [kg m/s],"
                                    "kinetic [J]\n");
        const double *end = rows[1], shear = deforms ? 0.4 : 0, strain = deforms ? -0.1 : 0;
        const double mass = 2500 * 4.0 / 3 * 3.14159265358979323846 * 1.25e-7;
        const double expected[] = {1,      shear,  exp(strain),         exp(strain), shear,
                                   strain, strain, deforms ? 0.8 : 0.0, 0.1 * mass,  0.005 * mass};
        for (int k = 0; k < 10; ++k)
            scree_test_near(end[k], expected[k], 2 * step_error);
    }
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "this world is not periodic",
                                    HEAD BODY "world: {box: [[0, 0, 0], [1, 1, 1]]}\n"
                                              "run: {for: 0.5 s}\nrecord: [{table: out.csv, every: 1 s, "
                                              "columns: [cell-volume]}]\n");
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "the angular momentum",
                                    HEAD BODY "world: {" BOX ", deform: {strain-rate: [0, 0, 1]}}\n"
                                              "run: {for: 0.5 s}\nrecord: [{table: out.csv, every: 1 s, "
                                              "columns: [angular-x]}]\n");
}

// --- output and mistakes

static void axes_that_a_cell_does_not_have_or_has_already_are_refused(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "the axis x is given twice",
        HEAD "world: {cell: {vectors: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], periodic: [x, x]}}\n"
             "run: {for: 1 s}\n");
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "in two dimensions there is no axis z",
        "scree: 1\ndimension: 2\nworld: {cell: {vectors: [[1, 0], [0, 1]], periodic: [x, z]}}\n"
        "engine: {soft: {step: 0.1 ms}}\nrun: {for: 1 s}\n");
}

static void a_printed_scene_is_printed_the_same_again(void **state)
{
    (void)state;
    scree_trial_assert_printed_again(
        "variables: {rate: 2 1/s}\n" HEAD
        "world: {cell: {vectors: [[1, 0, 0], [10 cm, 1, 0], [0, 0, 1]]}, deform: {gradient: "
        "[[\"${rate}\", \"${rate} * sin(3 Hz * t)\", 0], [0, -1, 0], [[[0, 0], [1, 2]], 0, 0]]}}\n"
        "run: [{until: 1 s}, {for: 1 s, deform: {shear: {rate: \"${rate}\", of: x, along: y}, form: "
        "newton}}, {for: 1 s, end-deform: true}]\n",
        "sin(3 Hz * t)");
    scree_trial_assert_printed_again(
        HEAD "world: {cell: {vectors: [[1, 0, 0], [10 cm, 1, 0], [0, 0, 1]], periodic: [x, y]}}\n"
             "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, moves-with: cell}]\n"
             "run: [{until: 1 s}]\n",
        "moves-with: cell");
}

static void mistakes_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *message;
    } cases[] = {
        {"world: {" BOX ", deform: {shear: {rate: 1, of: x, along: x}}}", "two different axes"},
        {"world: {" BOX ", deform: {strain-rate: [1 m, 0, 0]}}", "'strain-rate' must be in 1/s"},
        {"world: {" BOX ", deform: {strain-rate: 0.1}}", "a list of three numbers or expressions"},
        {"world: {" BOX ", deform: {gradient: [[0, 1, 0]]}}", "a list of three lists of three numbers"},
        {"world: {" BOX ", deform: {gradient: [[0, 1], [0, 0, 0], [0, 0, 0]]}}", "a list of three numbers"},
        {"world: {" BOX ", deform: {form: newton}}", "strain-rate"},
        {"world: {" BOX ", deform: {shear: {rate: 1, of: x}}}", "needs 'along'"},
        {"world: {" BOX ", deform: {shear: {rate: 1, of: x, along: y}, gradient: [[0, 1, 0], [0, 0, 0], [0, "
         "0, 0]]}}",
         "'gradient'"},
        {"world: {" BOX ", deform: {shear: {rate: \"1 s * t\", of: x, along: y}}}", "is in s^2"},
        {"world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y], deform: {shear: {rate: 2, of: z, along: "
         "x}}}",
         "gradient of the z-velocity along x must be 0, not 2"},
        {"world: {cell: {vectors: [[1, 0, 0], [0, 1, 0.2], [0, 0, 1]], periodic: [x, y]}}",
         "the z-component of vector 2 must be 0"},
        {"world: {cell: {vectors: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], periodic: [w]}}", "periodic"},
        {"world: {" LAYER ", deform: {strain-rate: [0, 0, 1]}}\nwalls: [sphere: {centre: [0.5, 0.5, 0.5], "
         "radius: 0.4, material: glass}]",
         "wall 1 is no plane"},
        {"world: {" LAYER ", deform: {strain-rate: [0, 0, 1]}}\nwalls: [plane: {point: [0.5, 0.5, 0.5], "
         "normal: [1, 0, 1], material: glass}]",
         "the normal of wall 1 has a component along x"},
        {"world: {" LAYER ", deform: {strain-rate: [0, 0, 1]}}\nwalls: [{plane: {point: [0, 0, 0], "
         "normal: [0, 0, 1], material: glass}, spin: [0, 0, 1]}]",
         "wall 1 turns"},
        {"world: {" LAYER "}\nwalls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, "
         "moves-with: cell, velocity: [1, 0, 0]}]",
         "'velocity'"},
        {"world: {box: [[0, 0, 0], [1, 1, 1]]}\nwalls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], "
         "material: "
         "glass}, moves-with: cell}]",
         "moves with the cell needs a periodic cell"},
        {"world: {" LAYER ", deform: {strain-rate: [1, 0, 0]}}\ngravity: [1, 0, -9.81]",
         "gravity has a component along x"},
        {"world: {box: [[0, 0, 0], [1, 1, 1]], deform: {strain-rate: [0, 0, 1]}}", "'deform'"},
        {"world: {cell: {vectors: [[1, 0, 0], [0, 1, 0]]}}", "a cell has 3 vectors, not 2"},
        {"world: {cell: {vectors: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}}", "right-handed"},
        {"world: {cell: {vectors: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}, box: [[0, 0, 0], [1, 1, 1]]}", "'box'"},
        {"world: {" BOX ", deform: {strain-rate: [0, 0, 1]}}\ngravity: [0, 0, -9.81]", "gravity"},
        {"world: {" BOX ", deform: {strain-rate: [0, 0, 1]}}\nwalls: [plane: {point: [0, 0, 0], normal: [0, "
         "0, 1], material: glass}]",
         "this world has wall 1"},
        {"world: {" BOX ", deform: {strain-rate: [0, 0, 1]}}\ninsert: [{shape: {sphere: {radius: 2 mm}}, "
         "material: glass, through: {disk: {centre: [0, 0, 0.5], normal: [0, 0, -1], radius: 5 cm}}, rate: "
         "{mass: 0.2 kg/s}}]",
         "no bodies can be inserted"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, cases[c].message,
                                        HEAD BODY "%s\nrun: {until: 1 s}\n", cases[c].keys);
    scree_trial_assert_text_refused(SCREE_TRIAL_RUN, "formats of other programs cannot have a cell",
                                    HEAD BODY "world: {" BOX "}\nrun: {until: 1 s, deform: {strain-rate: [0, "
                                              "0, 1]}}\nrecord: [{dump: out.xyz, every: 1 s}]\n");
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "its corner (0, 1, 0) m is not",
        HEAD "world: {cell: {vectors: [[1, 0, 0], [0.3, 1, 0], [0, 0, 1]]}}\nrun: {until: 1 s}\n"
             "bodies: [{fill: {shape: {sphere: {radius: 8 cm}}, count: 10, material: glass, inside: {box: "
             "[[0, 0, 0], [1, 1, 1]]}}}]\n");
    static const struct {
        const char *stage, *message;
    } stages[] = {
        {"deform: {strain-rate: [0, 0, 1]}", "a deformation needs a periodic cell"},
        {"deform: {strain-rate: [0, 0, 1]}, end-deform: true", "'deform'"},
    };
    for (size_t c = 0; c < sizeof stages / sizeof stages[0]; ++c)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, stages[c].message,
                                        HEAD BODY "run: [{until: 1 s}, {for: 1 s, %s}]\n", stages[c].stage);
}

// What a stage cannot do is found before the first one begins.
static void mistakes_of_later_stages_are_reported_before_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *world, *stage, *message;
    } cases[] = {
        {BOX,
         "deform: {strain-rate: [0, 0, 1]}}]\nrecord: [{table: out.csv, every: 1 s, columns: [angular-x]}",
         "scene.yaml:8:49: the cell of this world deforms in a later stage; in such a cell the angular "
         "momentum"},
        {BOX,
         "deform: {pressure: 1 kPa}}]\nrecord: [{table: out.csv, every: 1 s, columns: [{measure: mixing, of: "
         "g, "
         "grid: [2, 2, 2], inside: {box: [[0, 0, 0], [1, 1, 0.5]]}}]}",
         "scene.yaml:8:49: the cell of this world deforms in a later stage; in such a cell the mixing index"},
        {BOX, "deform: {strain-rate: [0, 0, 1e6]}}",
         "scene.yaml:7:38: the velocity gradient of the cell has a norm"},
        {LAYER, "gravity: [1, 0, 0], deform: {compressive-stress: {x: 1 kPa}}}",
         "scene.yaml:7:58: the velocity along x changes along x, along which the cell is periodic too, and "
         "gravity"},
        {LAYER, "deform: {compressive-stress: {z: 1 kPa}}}",
         "scene.yaml:7:38: the servo of the cell wants a stress along z, along which the cell is not "
         "periodic"},
        {LAYER, "deform: {shear-stress: {xz: 1 kPa}, gradient: [[0, 0, 1], [0, 0, 0], [0, 0, 0]]}}",
         "scene.yaml:7:38: the change of the velocity along x over z has a rate, and its stress is given "
         "too"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        scree_trial_assert_text_refused(
            SCREE_TRIAL_BUILD, cases[c].message,
            HEAD "bodies: [{sphere: {radius: 5 mm, at: [0.1, 0.2, 0.3], material: glass}, group: g}]\n"
                 "world: {%s}\nrun: [{steps: 1}, {steps: 1, %s]\n",
            cases[c].world, cases[c].stage);
}

// A stage can change what a layer has; its mistakes have their place in the scene.
static void mistakes_of_stages_in_layers_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *stage, *message;
    } cases[] = {
        {"walls: [{group: floor, spin: [0, 0, 1]}]", ": in a cell with cell vectors walls are planes"},
        {"walls: [{group: lid, velocity: [1, 0, 0]}]", "change the deformation of the cell"},
        {"gravity: [1, 0, 0]", "gravity has a component along x"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        scree_trial_assert_text_refused(
            SCREE_TRIAL_RUN, cases[c].message,
            HEAD BODY
            "world: {" LAYER ", deform: {strain-rate: [1, 0, 0]}}\n"
            "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: floor}, "
            "{plane: {point: [0, 0, 1], normal: [0, 0, -1], material: glass}, group: lid, "
            "moves-with: cell}]\n"
            "run: [{steps: 1}, {steps: 1, %s}]\n",
            cases[c].stage);
}

// The force of a servo on a wall follows the cross-section of the cell.
static void the_area_of_a_servo_of_a_wall_follows_the_cell(void **state)
{
    (void)state;
    struct scree_servo_state servo;
    struct scree_world *world = scree_trial_run_text(
        HEAD BODY
        "world: {" LAYER "}\n"
        "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: floor, servo: "
        "{stress: -1 kPa, direction: [0, 0, 1], max-velocity: 1 mm/s}}]\n"
        "run: [{for: 50 ms, deform: {strain-rate: [1, 0, 0]}}, {for: 10 ms, end-deform: true}]\n",
        &(struct scree_run_def){0});
    assert_ok(scree_servo_get(world, (scree_group_id){1}, &servo));
    scree_test_near(servo.target, 1000 * exp(0.05), 1000 * 2 * step_error);
    scree_world_destroy(world);
}

// The bodies that leave a layer of height 0.2, and those that leave it along x, along which it is periodic.
static void bodies_outside_of_a_layer_are_deleted(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_run_text(
        HEAD
        "world: {cell: {vectors: [[1, 0, 0], [0.3, 1, 0], [0, 0, 0.2]], periodic: [x, y]}, outside: delete}\n"
        "bodies: [{sphere: {radius: 5 mm, at: [0.5, 0.5, 0.1], velocity: [0, 0, 20], material: glass}}, "
        "{sphere: {radius: 5 mm, at: [0.9, 0.1, 0.1], velocity: [20, 0, 0], material: glass}}]\n"
        "run: {steps: 129}\n",
        &(struct scree_run_def){0});
    assert_int_equal(scree_body_count(world), 1);
    assert_true(scree_body_exists(world, (scree_body_id){2}));
    scree_world_destroy(world);
}

static void a_gradient_that_is_not_finite_ends_the_run(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(
        SCREE_TRIAL_SCENE, HEAD BODY
        "world: {" BOX ", deform: {strain-rate: [0, 0, \"sqrt(0.5 - t * 1 Hz)\"]}}\nrun: {until: 1}\n");
    assert_int_equal(scree_trial_run(&trial, &(struct scree_run_def){0}), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_trial_message(&trial), "gradient of the cell is wrong at 0.50"));
    scree_trial_free(&trial);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    assert_true(scree_trial_starve(SCREE_TRIAL_RUN,
                                   HEAD BODY
                                   "world: {" BOX ", deform: {strain-rate: [0, [[0, 0], [1, 1]], "
                                   "\"1 1/s * sin(3 Hz * t)\"], shear: {rate: \"1 1/s^2 * t\", of: x, along: "
                                   "y}}}\n"
                                   "run: [{steps: 2}, {steps: 2, deform: {gradient: [[0, 1, 0], "
                                   "[0, 0, \"1 1/s^2 * t\"], [0, 0, 0]]}}]\n",
                                   &(struct scree_run_def){0}) > 10);
}

// Bodies that follow the mean motion have no energy but that of rounding, which is no error.
static void rounding_of_the_mean_motion_is_no_error_of_energy(void **state)
{
    (void)state;
    scree_world_destroy(scree_trial_run_text(
        HEAD "bodies: [{sphere: {radius: 5 mm, at: [0.123, 0.45, 0.67], material: glass}}]\n"
             "world: {" BOX ", deform: {strain-rate: [1, -0.7, 0.3]}}\n"
             "alarms: {energy: {limit: 1 %, policy: stop}}\nrun: {steps: 500}\n",
        &(struct scree_run_def){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_give_the_gradient),
        cmocka_unit_test(cells_have_vectors),
        cmocka_unit_test(boxes_inside_a_skewed_cell_are_filled),
        cmocka_unit_test(velocities_are_in_addition_to_the_mean_motion),
        cmocka_unit_test(rounding_of_the_mean_motion_is_no_error_of_energy),
        cmocka_unit_test(deformation_follows_functions_of_time),
        cmocka_unit_test(stages_change_end_and_reverse_the_deformation),
        cmocka_unit_test_setup_teardown(a_restart_continues_the_deformation_exactly, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test_setup_teardown(a_restart_continues_a_layer_between_walls_exactly,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test_setup_teardown(columns_have_the_state_of_the_cell, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test(axes_that_a_cell_does_not_have_or_has_already_are_refused),
        cmocka_unit_test(a_printed_scene_is_printed_the_same_again),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(mistakes_of_later_stages_are_reported_before_the_run),
        cmocka_unit_test(mistakes_of_stages_in_layers_are_reported),
        cmocka_unit_test(the_area_of_a_servo_of_a_wall_follows_the_cell),
        cmocka_unit_test(bodies_outside_of_a_layer_are_deleted),
        cmocka_unit_test(a_gradient_that_is_not_finite_ends_the_run),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
