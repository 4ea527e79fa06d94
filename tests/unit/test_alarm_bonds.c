// Alarms that bonds cause: bonds in a periodic cell, and overlaps that a bond has hidden. References: motion
// at constant speed.

#include "alarm_run.h"

#include <scree/bond.h>
#include <scree/cell.h>
#include <scree/wall.h>

// A body leaves the other at 1 m/s from a distance of 0.3 m, in a cell of width 1 m: the bond reaches half of
// it after 0.2 s. A step before, the distance that two more steps would add is counted.
static void a_bond_as_long_as_half_of_the_cell_names_both_bodies(void **state)
{
    (void)state;
    for (int one_step_per_run = 0; one_step_per_run < 2; ++one_step_per_run) {
        const double step = 1e-3;
        struct scree_bond_def def = {
            .kind = SCREE_BOND_CONTACT, .normal_stiffness = 1e-6, .shear_stiffness = 1e-6};
        struct run run;
        scree_bond_id bond;
        create_run(&run);
        assert_ok(
            scree_cell_set(run.world, &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {true}}));
        def.side[0].body = add_ball(&run, 0.02, 0.1, 0);
        def.side[1].body = add_ball(&run, 0.02, 0.4, 1);
        assert_ok(scree_bond_add(run.world, &def, &bond));
        assert_ok(scree_body_fix(run.world, def.side[0].body, SCREE_FIX_ALL));
        create_engine(&run, step, NULL);
        const scree_status status = run_to_alarm(&run, one_step_per_run, 1000);
        const struct scree_alarm *alarm = assert_stopped(&run, status, SCREE_ALARM_BOND);
        assert_int_equal(alarm->body[0].value, 1);
        assert_int_equal(alarm->body[1].value, 2);
        assert_non_null(strstr(run.text[0], "bond 1 of body 1 and body 2 extends by 0.49"));
        assert_true(alarm->limit == 0.5);
        assert_true(alarm->time > 0.2 - 3.5 * step && alarm->time < 0.2 - 0.5 * step);
        struct scree_bond_state bonded;
        assert_ok(scree_bond_get(run.world, bond, &bonded));
        assert_true(bonded.elongation > 0.19);
        destroy_run(&run);
    }
}

// The same with a wall that moves along itself with the point to which the bond is attached.
static void a_long_bond_to_a_wall_is_named(void **state)
{
    (void)state;
    const struct scree_wall_def wall = {.shape = SCREE_WALL_PLANE, .plane = {{-0.1, 0, 0}, {1, 0, 0}}};
    struct scree_bond_def def = {
        .kind = SCREE_BOND_CONTACT, .normal_stiffness = 1e-6, .shear_stiffness = 1e-6};
    struct run run;
    scree_bond_id bond;
    create_run(&run);
    struct scree_wall_def made = wall;
    made.material = run.material;
    assert_ok(scree_cell_set(run.world,
                             &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {false, true, false}}));
    def.side[0].body = add_ball(&run, 0.02, 0.1, 0);
    assert_ok(scree_wall_add(run.world, &made, &def.wall));
    assert_ok(scree_wall_set_velocity(run.world, def.wall, (double[3]){0, 1, 0}));
    assert_ok(scree_bond_add(run.world, &def, &bond));
    create_engine(&run, 1e-3, NULL);
    const struct scree_alarm *alarm =
        assert_stopped(&run, scree_engine_run(run.engine, 1000), SCREE_ALARM_BOND);
    assert_int_equal(alarm->body[0].value, 1);
    assert_int_equal(alarm->wall.value, 1);
    scree_test_near(alarm->time, 0.4985, 0.6e-3);
    destroy_run(&run);
}

// Balls of radius 0.01 m that overlap by 6 mm are bonded, and the bond is removed, or breaks at 1 N in the
// first step, when the second ball has moved by 1e-5 m.
static void an_overlap_that_a_bond_has_hidden_is_told_from_others(void **state)
{
    (void)state;
    for (int breaks = 0; breaks < 2; ++breaks) {
        struct scree_bond_def def = {.kind = SCREE_BOND_CONTACT,
                                     .normal_stiffness = 1e6,
                                     .shear_stiffness = 1e6,
                                     .tensile_strength = breaks ? 1 : 0};
        struct run run;
        scree_bond_id bond;
        create_run(&run);
        def.side[0].body = add_ball(&run, 0.01, 0, 0);
        def.side[1].body = add_ball(&run, 0.01, 0.014, breaks ? 1 : 0);
        assert_ok(scree_bond_add(run.world, &def, &bond));
        create_engine(&run, 1e-5, NULL);
        if (!breaks) {
            assert_ok(scree_engine_run(run.engine, 3));
            assert_ok(scree_bond_remove(run.world, bond));
        }
        (void)assert_stopped(&run, scree_engine_run(run.engine, 20), SCREE_ALARM_OVERLAP);
        assert_non_null(strstr(run.text[0],
                               "bond 1 excluded their contact until it broke or was removed, and "
                               "hid an overlap of 0.00"));
        assert_null(strstr(run.text[0], "shorter step"));
        // the overlap that is left is blamed on other causes later
        run.count = 0;
        (void)assert_stopped(&run, scree_engine_run(run.engine, 5), SCREE_ALARM_OVERLAP);
        assert_non_null(strstr(run.text[0], "shorter step"));
        destroy_run(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bond_as_long_as_half_of_the_cell_names_both_bodies),
        cmocka_unit_test(a_long_bond_to_a_wall_is_named),
        cmocka_unit_test(an_overlap_that_a_bond_has_hidden_is_told_from_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
