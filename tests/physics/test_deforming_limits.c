// Steps and alarms in a periodic cell that deforms: they see fluctuations of velocities and the strain of the
// cell, whatever the place of a body in the cell.

#include "support/cells.h"

static const double rest[3] = {0}, shear[9] = {0, 2, 0, 0, 0, 0, 0, 0, 0};

// The limit of the step of two spheres with fluctuations of 1 m/s, one of them at a height y, in a cell that
// is as wide as high.
static struct scree_limit limit_at(double width, double y, const double gradient[9])
{
    const double vectors[9] = {width, 0, 0, 0, width, 0, 0, 0, width};
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_limit limit;
    assert_ok(scree_cell_set_vectors(world, scree_cells_origin, vectors));
    const scree_material_id material = scree_cells_add_law(world);
    (void)scree_cells_add(world, material, 0.05, (const double[3]){0.5, 0.5, 0.5},
                          (const double[3]){0.5, 0, 0}, rest);
    (void)scree_cells_add(world, material, 0.05, (const double[3]){0.5, y, 0.5},
                          (const double[3]){-0.5, 0, 0}, rest);
    assert_ok(scree_cell_deform(world, gradient));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.threads = 1}, &engine));
    assert_ok(scree_engine_limit(engine, &limit));
    // the step of the limit is possible
    assert_ok(scree_engine_run(engine, 2));
    scree_test_end(world, engine);
    return limit;
}

static void the_automatic_step_does_not_depend_on_the_place_in_the_cell(void **state)
{
    (void)state;
    const struct scree_limit near = limit_at(1, 0.7, shear), far = limit_at(100, 90, shear);
    assert_int_equal(far.kind, near.kind);
    // the speed is a difference of velocities up to 180 m/s
    scree_test_near(far.speed, near.speed, 1e-12);
    scree_test_near(far.stable, near.stable, 1e-12 * near.stable);
    // velocities differ by 1 m/s, and two spheres of 0.05 m in contact by 0.1 m times 2/s
    scree_test_near(near.speed, 1.2, 1e-12);
}

static void the_automatic_step_is_limited_by_the_strain_of_the_cell(void **state)
{
    (void)state;
    // a strain of 0.1 in a step, rounded down to a few bits
    const struct scree_limit limit = limit_at(1, 0.7, (const double[9]){0, 5000, 0, 0, 0, 0, 0, 0, 0});
    assert_int_equal(limit.kind, SCREE_LIMIT_DISPLACEMENT);
    assert_true(limit.step * 5000 <= 0.1 && limit.step * 5000 > 0.09);
}

static void the_alarm_of_displacements_names_the_body_with_the_fluctuation(void **state)
{
    (void)state;
    struct scree_cells made = scree_cells_make((const double[9]){100, 0, 0, 0, 100, 0, 0, 0, 100}, 1e-3);
    const scree_material_id material = scree_cells_add_law(made.world);
    (void)scree_cells_add(made.world, material, 0.05, (const double[3]){50, 90, 50}, rest, rest);
    (void)scree_cells_add(made.world, material, 0.05, (const double[3]){50, 1, 50},
                          (const double[3]){50, 0, 0}, rest);
    assert_ok(scree_cell_deform(made.world, shear));
    // the first moves by 0.18 m in a step with the cell, the second by its radius relative to the cell
    assert_refused(SCREE_ERROR_NUMBER, "body 2 in a step is 1 of its radius",
                   scree_engine_run(made.engine, 1));
    scree_cells_end(&made);
}

static void bodies_that_move_with_the_cell_raise_no_alarm(void **state)
{
    (void)state;
    struct scree_cells made = scree_cells_make((const double[9]){100, 0, 0, 0, 100, 0, 0, 0, 100}, 1e-3);
    const scree_material_id material = scree_cells_add_law(made.world);
    (void)scree_cells_add(made.world, material, 0.05, (const double[3]){50, 90, 50}, rest, rest);
    assert_ok(scree_cell_deform(made.world, shear));
    assert_ok(scree_engine_run(made.engine, 100));
    scree_cells_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_automatic_step_does_not_depend_on_the_place_in_the_cell),
        cmocka_unit_test(the_automatic_step_is_limited_by_the_strain_of_the_cell),
        cmocka_unit_test(the_alarm_of_displacements_names_the_body_with_the_fluctuation),
        cmocka_unit_test(bodies_that_move_with_the_cell_raise_no_alarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
