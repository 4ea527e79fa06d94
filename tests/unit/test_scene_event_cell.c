// Scenes with the event engine in cells that deform (build/engine_event.c): sheared and compressed in stages,
// they restart with the same digest and the same tables; columns of collisions; and what the engine cannot
// use is refused at its place. References: an uninterrupted run; the definition of the strain; conservation.

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

// Rough spheres in a skewed cell: shear that is steady, shear that depends on time, compression, and a cell
// at rest.
static const char stages[] =
    "scree: 1\n"
    "materials: {glass: {density: 2500}}\n"
    "contacts: [{between: [any, any], law: hard, restitution: 0.9, friction: 0.3, tangential-restitution: "
    "0.4}]\n"
    "world:\n"
    "  cell: {vectors: [[5 cm, 0, 0], [1 cm, 5 cm, 0], [0, -1 cm, 5 cm]]}\n"
    "  deform: {shear: {rate: 10 1/s, of: x, along: y}, form: newton}\n"
    "bodies:\n"
    "  - {fill: {shape: {sphere: {radius: {uniform: [2 mm, 3 mm]}}}, count: 150, material: glass,\n"
    "     velocity: [0, 10 cm/s, 0], inside: {box: [[1 cm, 0, 0], [5 cm, 35 mm, 25 mm]]}}}\n"
    "engine: {event: {}}\n"
    "run:\n"
    "  - {for: 0.1 s}\n"
    "  - {for: 0.1 s, deform: {shear: {rate: [[0, 10 1/s], [1 s, -5 1/s]], of: z, along: x}}}\n"
    "  - {for: 50 ms, deform: {strain-rate: [-1 1/s, -1 1/s, -1 1/s]}}\n"
    "  - {for: 20 ms, end-deform: true}\n"
    "record:\n"
    "  - {table: out/table.csv, every: 10 ms, columns: [time, time-step, kinetic, work, dashpot, friction,\n"
    "     energy-error, deformation-zx, cell-volume, collision-virial, collision-virial-xx,\n"
    "     collision-virial-xy, collision-virial-yx, collision-virial-yy, collision-virial-zz]}\n"
    "  - {frames: out/frames, every: 100 ms}\n";

// The last checkpoint is that of the end, so the one before it is the last multiple of the interval.
static void a_run_restarted_in_any_stage_ends_like_an_uninterrupted_one(void **state)
{
    (void)state;
    static const int every[] = {1, 30, 64, 100, 150};
    char text[3000];
    double first = 1, last = 0;
    for (size_t k = 0; k < sizeof every / sizeof every[0]; ++k) {
        struct scree_checkpoint_facts facts;
        snprintf(text, sizeof text, "%s  - {checkpoint: out/state.chk, every: %d steps}\n", stages, every[k]);
        scree_folder_write(&scree_test_folder, "scene.yaml", text);
        const struct scree_digest expected =
            scree_trial_digest(scree_folder_path(&scree_test_folder, "scene.yaml"), NULL);
        char *expected_table = scree_folder_read(&scree_test_folder, "out/table.csv", NULL);
        assert_int_equal(
            scree_checkpoint_info(scree_folder_path(&scree_test_folder, "out/state.chk.previous"), &facts),
            SCREE_OK);
        first = facts.time < first ? facts.time : first;
        last = facts.time > last ? facts.time : last;
        const struct scree_digest digest =
            scree_trial_digest(NULL, scree_folder_path(&scree_test_folder, "out/state.chk.previous"));
        assert_true(digest.low == expected.low && digest.high == expected.high);
        char *table = scree_folder_read(&scree_test_folder, "out/table.csv", NULL);
        assert_string_equal(table, expected_table);
        free(table);
        free(expected_table);
    }
    assert_true(first < 0.2 && last > 0.25);
}

static void tables_have_the_deformation_and_the_stress_of_collisions(void **state)
{
    (void)state;
    scree_folder_write(&scree_test_folder, "scene.yaml", stages);
    (void)scree_trial_digest(scree_folder_path(&scree_test_folder, "scene.yaml"), NULL);
    char *table = scree_folder_read(&scree_test_folder, "out/table.csv", NULL), *end = strrchr(table, '\n');
    double value[15];
    *end = 0;
    const char *line = strrchr(table, '\n') + 1;
    for (size_t k = 0; k < 15; ++k, ++line)
        value[k] = strtod(line, (char **)&line);
    // work is what bodies gain and lose; the table has no energy at the start, 1/2 m v^2 of the given
    // velocity
    assert_true(value[3] > 0 && value[4] > 0 && value[5] > 0);
    assert_true(fabs(value[6]) < 1e-12);
    // compression over 50 ms, and up to one step more; the step is at most a fiftieth of the rate
    assert_true(value[8] <= 0.05 * 0.05 * 0.05 * exp(-3 * 0.05) * (1 + 1e-6));
    assert_true(value[8] > 0.05 * 0.05 * 0.05 * exp(-3 * 0.071));
    // impulses along normals have the trace; friction adds none to it. They are symmetric on average
    const double trace = value[10] + value[13] + value[14];
    assert_true(fabs(trace - value[9]) < 1e-12 * trace);
    assert_true(value[10] > 0 && value[13] > 0 && value[14] > 0 && value[11] < 0 && value[12] < 0);
    free(table);
}

// The work of flights that edits cut short stays in the ledger.
static void changes_of_bodies_and_of_the_cell_keep_the_ledger(void **state)
{
    (void)state;
    struct scree_energy energy;
    struct scree_world *world = scree_trial_run_text(
        "scree: 1\nmaterials: {a: {density: 1}}\nengine: {event: {}}\n"
        "contacts: [{between: [any, any], law: hard, restitution: 0.9, friction: 0.3, "
        "tangential-restitution: "
        "0.2}]\n"
        "world: {box: [[0, 0, 0], [9, 9, 9]], periodic: [x, y, z], deform: {shear: {rate: 1, of: x, along: "
        "y},\n"
        "  form: newton}}\n"
        "bodies:\n"
        "  - {fill: {shape: {sphere: {radius: 0.5}}, count: 80, material: a, velocity: [1, 0, 0], seed: 1,\n"
        "     inside: {box: [[0, 0, 0], [9, 9, 9]]}}}\n"
        "  - {fill: {shape: {sphere: {radius: 0.5}}, count: 80, material: a, velocity: [-1, 0, 0], seed: 2,\n"
        "     inside: {box: [[0, 0, 0], [9, 9, 9]]}}, group: late}\n"
        "run:\n"
        "  - {for: 1}\n"
        "  - {for: 1, bodies: [{group: late, velocity: [0, 1, 0]}]}\n"
        "  - {for: 1, deform: {strain-rate: [0.1, -0.1, 0]}}\n"
        "  - {for: 1, bodies: [{group: late, remove: true}]}\n"
        "  - {for: 1, deform: {shear: {rate: -2, of: z, along: y}},\n"
        "     remove: [{inside: {box: [[0, 0, 0], [5, 5, 5]]}}]}\n"
        // automatic steps become short at once
        "  - {for: 0.1, deform: {shear: {rate: 30, of: x, along: y}}}\n",
        NULL);
    assert_int_equal(scree_energy_get(world, &energy), SCREE_OK);
    assert_true(scree_body_count(world) < 80 && energy.work > 10 && energy.dashpot > 1 &&
                energy.friction > 1);
    // sums of some thousand roundings
    assert_true(fabs(energy.balance) < 1e-12 * scree_energy_scale(&energy));
    scree_world_destroy(world);
}

// A cell without bodies: its volume is multiplied by exp(-0.3), then it is sheared by 1, in whole steps.
static void an_empty_cell_deforms(void **state)
{
    (void)state;
    struct scree_cell_state cell;
    struct scree_world *world = scree_trial_run_text(
        "scree: 1\nmaterials: {a: {density: 1}}\nengine: {event: {step: 0.01}}\n"
        "contacts: [{between: [a, a], law: hard, restitution: 1, friction: 0}]\n"
        "world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y, z], deform: {strain-rate: [-0.1, -0.1, -0.1], "
        "form: newton}}\n"
        "run: [{steps: 100}, {steps: 100, deform: {shear: {rate: 1, of: x, along: y}}}]\n",
        NULL);
    assert_int_equal(scree_cell_get_state(world, &cell), SCREE_OK);
    // of order 2 in the step: 1e-6 / 12
    assert_true(fabs(cell.volume - exp(-0.3)) < 1e-6);
    assert_true(fabs(cell.deformation[1] - exp(-0.1)) < 1e-6);
    scree_world_destroy(world);
}

#define BOX "world: {box: [[0, 0, 0], [9, 9, 9]], periodic: [x, y, z]"

static void what_the_engine_cannot_use_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {BOX ", deform: {shear: {rate: 1, of: x, along: y}}}\nrun: {steps: 1}",
         "4:67: the engine 'event' knows only one form of the motion in cells that deform: give `form: "
         "newton`"},
        {BOX "}\nrun: [{steps: 1}, {steps: 1, deform: {strain-rate: [1, 1, 1], form: mean-field}}]",
         "5:38: the engine 'event' knows only one form of the motion"},
        {"world: {box: [[0, 0, 0], [9, 9, 9]], periodic: [x, y], deform: {shear: {rate: 1, of: x, along: y}, "
         "form: newton}}\nrun: {steps: 1}",
         "with the engine 'event' a cell that deforms must be periodic along all axes"},
        {BOX ", deform: {pressure: 1, form: newton}}\nrun: {steps: 1}",
         "the engine 'event' cannot use 'pressure' of a deformation: give rates of strain"},
        {"world: {cell: {vectors: [[9, 0, 0], [1, 9, 0], [0, 0, 9]], periodic: [x, y]}}\nrun: {steps: 1}",
         "the engine 'event' cannot use 'periodic' of a cell: leave it out"},
        {"world: {cell: {vectors: [[5, 0, 0], [1, 9, 0], [0, 0, 9]]}}\nrun: {steps: 1}",
         "the periodic cell is too narrow for the event engine: two faces are"},
        {BOX "}\nrun: {steps: 1}\nrecord: [{table: t.csv, every: 1, columns: [time, collision-virial-xy]}]",
         "components of the stress of collisions are counted in cells with cell vectors only"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        scree_trial_assert_text_refused(
            SCREE_TRIAL_RUN, cases[c].message,
            "scree: 1\nmaterials: {a: {density: 1}}\nengine: {event: {}}\n%s\n"
            "contacts: [{between: [a, a], law: hard, restitution: 1, friction: 0}]\n"
            "bodies: [{sphere: {radius: 1, at: [1, 1, 1], velocity: [1, 0, 0], material: a}}]\n",
            cases[c].line);
}

// Lists are built again several times in a strain of 0.4.
static void memory_that_runs_out_is_reported(void **state)
{
    (void)state;
    static const char text[] = "scree: 1\nmaterials: {a: {density: 1}}\nengine: {event: {step: 0.1}}\n" BOX
                               ", deform: {shear: {rate: 0.2, of: x, along: y}, form: newton}}\n"
                               "contacts: [{between: [a, a], law: hard, restitution: 1, friction: 0}]\n"
                               "bodies:\n"
                               "  - {sphere: {radius: 1, at: [1, 1, 1], velocity: [1, 0, 0], material: a}}\n"
                               "  - {sphere: {radius: 1, at: [4, 1, 1], velocity: [-1, 0, 0], material: a}}\n"
                               "run: {steps: 20}\n";
    assert_true(scree_trial_starve(SCREE_TRIAL_RUN, text, NULL) > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_restarted_in_any_stage_ends_like_an_uninterrupted_one,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test_setup_teardown(tables_have_the_deformation_and_the_stress_of_collisions,
                                        scree_test_folder_make, scree_test_folder_remove),
        cmocka_unit_test(changes_of_bodies_and_of_the_cell_keep_the_ledger),
        cmocka_unit_test(an_empty_cell_deforms),
        cmocka_unit_test(what_the_engine_cannot_use_is_refused_at_its_place),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
