// The energy ledger in a cell that deforms: kinetic energy is that of fluctuations, and the work of the cell
// is the integral of stress times velocity gradient.

#include "support/cell_bodies.h"
#include "support/cells.h"
#include "support/order.h"

enum { CELLS = 3, GRAINS = 4 * CELLS * CELLS * CELLS };

static void general_gradient(void *user, double t, double gradient[9])
{
    (void)user;
    static const double l[9] = {-0.6, 1.1, -0.2, 0.1, -0.3, 0.25, 0.05, 0.6, -0.2};
    for (int k = 0; k < 9; ++k)
        gradient[k] = cos(3 * t) * l[k];
}

// A compressed and disturbed face-centred cubic packing, whose contacts never open: a smooth system.
static struct scree_cells make(enum scree_cell_form form, double restitution, double step,
                               uint64_t id[GRAINS])
{
    const struct scree_interaction_value values[] = {
        {"stiffness", 100, NULL}, {"friction", 0, NULL}, {"restitution", restitution, NULL}};
    const double radius = 0.56 / CELLS * sqrt(0.5);
    struct scree_cells made = scree_cells_make(scree_cells_skewed, step);
    const scree_material_id material = scree_test_material(made.world);
    const struct scree_interaction_def def = {
        .law = "linear", .between = {material, material}, .values = values, .count = 3};
    assert_ok(scree_interaction_add(made.world, &def));
    uint64_t seed = 11;
    scree_cells_add_crystal(made.world, material, scree_cells_skewed, CELLS, radius, &seed, id);
    assert_ok(scree_cell_set_drive(made.world, &(struct scree_cell_drive_def){.function = general_gradient}));
    assert_ok(scree_cell_set_form(made.world, form));
    return made;
}

static struct scree_energy energy_of(struct scree_world *world)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    return energy;
}

struct variant {
    enum scree_cell_form form;
    double restitution;
    bool servo;
};

static const double duration = 0.2;

// At each of 20 updates, whatever the step, a servo changes its rates, by up to twice the largest one.
static void set_servo(struct scree_world *world, size_t steps)
{
    const struct scree_cell_servo_def def = {
        .controlled = {true, false, false, true, true, false, false, false, true},
        .stress = {40, 0, 0, 4, 40, 0, 0, 0, 40},
        .rate = 2,
        .gain = 0.1,
        .every = (unsigned)(steps / 20)};
    assert_ok(scree_cell_set_drive(world, NULL));
    assert_ok(scree_cell_set_servo(world, &def));
}

static double balance_error(void *context, size_t steps)
{
    const struct variant *variant = context;
    uint64_t id[GRAINS];
    struct scree_cells made = make(variant->form, variant->restitution, duration / (double)steps, id);
    if (variant->servo)
        set_servo(made.world, steps);
    assert_ok(scree_engine_run(made.engine, steps));
    const struct scree_energy energy = energy_of(made.world);
    assert_true(fabs(energy.work) > 0.01 * energy.elastic);
    scree_cells_end(&made);
    return fabs(energy.balance) / scree_energy_scale(&energy);
}

static void the_balance_closes_with_order_two(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        struct variant variant = {k & 1 ? SCREE_CELL_NEWTON : SCREE_CELL_MEAN_FIELD, k & 2 ? 0.6 : 1, k & 4};
        scree_order_check(balance_error, &variant, 200, 2, "balance in a cell that deforms");
        assert_true(balance_error(&variant, 3200) < 1e-6);
    }
}

// Power of the cell by the stress, tension positive: V (stress : D), with the kinetic part in the form
// newton.
static double power(const struct scree_cells *made, enum scree_cell_form form, const uint64_t id[GRAINS])
{
    const struct scree_cell_state cell = scree_cells_state(made->world);
    double stress[9], total = 0;
    assert_ok(scree_measure_stress(made->world, NULL, stress));
    for (int g = 0; g < GRAINS && form == SCREE_CELL_NEWTON; ++g) {
        double w[3];
        const double mass = scree_test_state(made->world, id[g]).mass;
        assert_ok(scree_cell_fluctuation(made->world, (scree_body_id){id[g]}, w));
        for (int k = 0; k < 9; ++k)
            stress[k] -= mass * w[k / 3] * w[k % 3] / cell.volume;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            total +=
                cell.volume * stress[3 * i + j] * 0.5 * (cell.gradient[3 * i + j] + cell.gradient[3 * j + i]);
    return total;
}

static void work_is_the_integral_of_stress_and_gradient(void **state)
{
    (void)state;
    for (int form = 0; form < 2; ++form) {
        uint64_t id[GRAINS];
        const double step = 1e-3;
        // without dashpots, whose velocities a step predicts
        struct scree_cells made = make((enum scree_cell_form)form, 1, step, id);
        assert_ok(scree_engine_run(made.engine, 1));
        const double start = energy_of(made.world).work;
        double last = power(&made, (enum scree_cell_form)form, id), work = 0, size = 0;
        for (int n = 0; n < 100; ++n) {
            assert_ok(scree_engine_run(made.engine, 1));
            const double now = power(&made, (enum scree_cell_form)form, id);
            work += 0.5 * step * (last + now);
            size += 0.5 * step * fabs(last + now);
            last = now;
        }
        // the same sums in another order; forces are rounded to 2^-50 of the largest
        scree_test_near(energy_of(made.world).work - start, work, 1e-11 * size);
        scree_cells_end(&made);
    }
}

static void the_work_does_not_depend_on_runs(void **state)
{
    (void)state;
    double work[2];
    for (int by_one = 0; by_one < 2; ++by_one) {
        uint64_t id[GRAINS];
        struct scree_cells made = make(SCREE_CELL_MEAN_FIELD, 0.6, 1e-3, id);
        for (int n = 0; n < (by_one ? 60 : 1); ++n)
            assert_ok(scree_engine_run(made.engine, by_one ? 1 : 60));
        work[by_one] = energy_of(made.world).work;
        scree_cells_end(&made);
    }
    // runs of one step use exact on-step velocities for dashpots, others predict them
    scree_test_near(work[1], work[0], 1e-6 * fabs(work[0]));
}

struct inside {
    uint64_t steps, removed;
    struct scree_energy energy; // at the end of the last step
};

static scree_status read_and_remove(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct inside *inside = user;
    (void)engine;
    if (++inside->steps % 20 == 10 && inside->removed > 0)
        assert_ok(scree_body_remove(world, (scree_body_id){inside->removed}));
    return scree_energy_get(world, &inside->energy);
}

static void the_ledger_is_complete_inside_a_step(void **state)
{
    (void)state;
    for (int removes = 0; removes < 2; ++removes) {
        uint64_t id[GRAINS];
        struct scree_cells made = make(SCREE_CELL_MEAN_FIELD, 1, 1e-4, id);
        struct inside inside = {.removed = removes ? id[7] : 0};
        assert_ok(scree_engine_set_callback(made.engine, 80, read_and_remove, &inside, NULL));
        assert_ok(scree_engine_run(made.engine, 15));
        const struct scree_energy energy = energy_of(made.world);
        assert_int_equal(inside.steps, 15);
        // the same sums, rounded in another order
        scree_test_near(inside.energy.work, energy.work, 1e-12 * fabs(energy.work));
        assert_true(fabs(energy.balance) < 1e-6 * scree_energy_scale(&energy));
        scree_cells_end(&made);
    }
}

static void removed_bodies_and_new_gradients_keep_the_balance(void **state)
{
    (void)state;
    uint64_t id[GRAINS];
    struct scree_cells made = make(SCREE_CELL_MEAN_FIELD, 1, 5e-5, id);
    for (int n = 0; n < 20; ++n) {
        assert_ok(scree_engine_run(made.engine, 50));
        if (n % 5 == 4)
            assert_ok(scree_body_remove(made.world, (scree_body_id){id[n]}));
        if (n % 4 == 3)
            assert_ok(
                scree_cell_deform(made.world, (const double[9]){0.1 * n, -1, 0, 0.5, 0.2, 0, 0, 0, 0.1 * n}));
    }
    const struct scree_energy energy = energy_of(made.world);
    // opening contacts limit the order; steps are 1/400 of the period of a pair
    assert_true(fabs(energy.balance) < 1e-5 * scree_energy_scale(&energy));
    scree_cells_end(&made);
}

// --- bodies of other shapes

enum { BODIES = 16 };

// At random places; contacts begin, slide and end.
static struct scree_cells make_bodies(enum scree_cell_bodies_kind kind, double step)
{
    uint64_t seed = 5, id[BODIES];
    struct scree_cells made = scree_cells_make(scree_cells_skewed, step);
    const scree_material_id material = scree_cell_bodies_law(made.world);
    for (int b = 0; b < BODIES; ++b) {
        struct scree_rigid_def at = scree_cell_bodies_motion(scree_cells_skewed, &seed);
        const double *last = b > 0 ? scree_test_state(made.world, id[b - 1]).position : at.position;
        if (kind == SCREE_CELL_BODIES_BONDED && b % 2 == 1)
            for (int k = 0; k < 3; ++k)
                at.position[k] = last[k] + 0.15;
        id[b] = scree_cell_bodies_add(made.world, kind, b, 0.2, material, &at);
        if (kind == SCREE_CELL_BODIES_BONDED && b % 2 == 1)
            scree_cell_bodies_join(made.world, id[b - 1], id[b], 0.1);
    }
    return made;
}

static double error_of_clumps(void *context, size_t steps)
{
    const enum scree_cell_bodies_kind *kind = context;
    struct scree_cells made = make_bodies(*kind, 0.02 / (double)steps);
    assert_ok(scree_cell_set_drive(made.world, &(struct scree_cell_drive_def){.function = general_gradient}));
    assert_ok(scree_engine_run(made.engine, steps));
    const struct scree_energy energy = energy_of(made.world);
    scree_cells_end(&made);
    return fabs(energy.balance) / scree_energy_scale(&energy);
}

static void the_balance_closes_for_clumps_and_bonds(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        enum scree_cell_bodies_kind kind = k == 0 ? SCREE_CELL_BODIES_CLUMPS : SCREE_CELL_BODIES_BONDED;
        const double coarse = error_of_clumps(&kind, 500), fine = error_of_clumps(&kind, 2000);
        // order 2 is a factor of 16; contacts that begin and slide disturb it
        assert_true(fine < 1e-6 && fine < coarse / 8);
    }
}

// Energies of polyhedra close only where the features in contact do not change, so their work is compared
// with the stress, of a deformation without spin.
static void work_is_that_of_the_stress_for_bodies_of_all_kinds(void **state)
{
    (void)state;
    static const double gradient[9] = {-0.8, 0.5, 0.2, 0.5, 0.3, -0.4, 0.2, -0.4, 0.1};
    for (int kind = 0; kind < 5; ++kind) {
        const double step = 1e-5;
        struct scree_cells made = make_bodies((enum scree_cell_bodies_kind)kind, step);
        assert_ok(scree_cell_deform(made.world, gradient));
        assert_ok(scree_engine_run(made.engine, 1));
        const double start = energy_of(made.world).work;
        double work = 0, size = 0, last = 0;
        for (int n = 0; n <= 200; ++n) {
            double stress[9], now = 0;
            const struct scree_cell_state cell = scree_cells_state(made.world);
            assert_ok(scree_measure_stress(made.world, NULL, stress));
            for (int k = 0; k < 9; ++k)
                now += cell.volume * stress[k] * gradient[k];
            work += n > 0 ? 0.5 * step * (last + now) : 0;
            size += n > 0 ? 0.5 * step * fabs(last + now) : 0;
            last = now;
            if (n < 200)
                assert_ok(scree_engine_run(made.engine, 1));
        }
        // a step predicts the velocities of dashpots, and corrects forces of contacts that begin
        scree_test_near(energy_of(made.world).work - start, work, 1e-4 * size);
        scree_cells_end(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_balance_closes_with_order_two),
        cmocka_unit_test(work_is_the_integral_of_stress_and_gradient),
        cmocka_unit_test(the_work_does_not_depend_on_runs),
        cmocka_unit_test(the_balance_closes_for_clumps_and_bonds),
        cmocka_unit_test(work_is_that_of_the_stress_for_bodies_of_all_kinds),
        cmocka_unit_test(the_ledger_is_complete_inside_a_step),
        cmocka_unit_test(removed_bodies_and_new_gradients_keep_the_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
