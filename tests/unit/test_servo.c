// Servos (engine/servo.h): walls reach the requested force and keep it, the energy ledger stays balanced,
// and the motion depends on the state of the world only. References: columns of springs in closed form.

#include "base/memory.h"
#include "support/worlds.h"
#include "world/servo.h"
#include "world/wall.h"

#include <scree/bond.h>

#include <stdio.h>

enum { LAYERS = 6 };
static const double radius = 0.01, stiffness = 1e4;

// Spheres in contact, LAYERS high, in a square of columns x columns, between a floor and a lid; with side
// walls if there is more than one column.
struct pile {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_group_id lid;
    scree_wall_id top;
    int columns;
};

static scree_wall_id add_plane(struct scree_world *world, const double *point, const double *normal)
{
    struct scree_wall_def def = {.shape = SCREE_WALL_PLANE, .material = {1}};
    scree_wall_id id;
    memcpy(def.plane.point, point, sizeof def.plane.point);
    memcpy(def.plane.normal, normal, sizeof def.plane.normal);
    assert_ok(scree_wall_add(world, &def, &id));
    return id;
}

static void add_law(struct scree_world *world, double friction, double damping)
{
    const struct scree_interaction_value values[] = {
        {"friction", friction, NULL}, {"stiffness", stiffness, NULL}, {"damping", damping, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
}

static void add_engine(struct pile *pile, double viscous, int threads)
{
    const struct scree_soft_def def = {.step = 1e-4, .threads = threads, .damping = {.viscous = viscous}};
    assert_ok(scree_soft_create(pile->world, &def, &pile->engine));
}

static double random_displacement(uint64_t *seed)
{
    return 0.05 * radius * splitmix_signed(seed);
}

static void build(struct pile *pile, int columns, double friction, double gravity)
{
    const struct scree_world_def def = {.gravity = {0, 0, -gravity}};
    const double width = 2 * radius * columns, top = 2 * radius * LAYERS;
    uint64_t seed = 7;
    *pile = (struct pile){.columns = columns};
    assert_ok(scree_world_create(&def, &pile->world));
    (void)scree_test_material(pile->world);
    add_law(pile->world, friction, 1);
    for (int k = 0; k < columns * columns * LAYERS; ++k) {
        const int index[3] = {k % columns, k / columns % columns, k / columns / columns};
        struct scree_sphere_def grain = {.radius = radius, .material = {1}};
        scree_body_id id;
        for (int axis = 0; axis < 3; ++axis)
            grain.position[axis] =
                (2 * index[axis] + 1) * radius + (columns > 1 ? random_displacement(&seed) : 0);
        assert_ok(scree_body_add_sphere(pile->world, &grain, &id));
    }
    (void)add_plane(pile->world, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
    pile->top = add_plane(pile->world, (const double[3]){0, 0, top}, (const double[3]){0, 0, -1});
    for (int side = 0; side < 4 && columns > 1; ++side) {
        const double coordinate = side & 1 ? width : 0, sign = side & 1 ? -1 : 1;
        (void)add_plane(pile->world, (const double[3]){coordinate, coordinate, 0},
                        (const double[3]){side & 2 ? sign : 0, side & 2 ? 0 : sign, 0});
    }
    assert_ok(scree_group_add(pile->world, "lid", &pile->lid));
    assert_ok(scree_group_put_wall(pile->world, pile->lid, pile->top, true));
}

static void destroy(struct pile *pile)
{
    scree_engine_destroy(pile->engine);
    scree_world_destroy(pile->world);
}

static struct scree_servo_def lid_servo(const struct pile *pile, double force)
{
    return (struct scree_servo_def){
        .group = pile->lid, .direction = {0, 0, -3}, .force = force, .velocity = 0.1};
}

// The force of the lid on the bodies, downward.
static double lid_force(const struct pile *pile)
{
    double force[3];
    assert_ok(scree_group_load(pile->world, pile->lid, NULL, force, NULL));
    return force[2];
}

static double lid_height(const struct pile *pile)
{
    struct scree_wall_state state;
    assert_ok(scree_wall_get(pile->world, pile->top, &state));
    return state.position[2];
}

// A column of springs in series: each of the LAYERS + 1 contacts is compressed by F / k.
static void a_servo_compresses_a_column_by_its_stiffness(void **state)
{
    (void)state;
    static const double forces[] = {1, 5, 2};
    struct pile pile;
    struct scree_servo_state servo;
    build(&pile, 1, 0, 0);
    add_engine(&pile, 200, 1);
    const double top = lid_height(&pile);
    for (size_t f = 0; f < 3; ++f) {
        const struct scree_servo_def def = lid_servo(&pile, forces[f]);
        assert_ok(scree_servo_set(pile.world, &def));
        assert_ok(scree_engine_run(pile.engine, 20000));
        // the slowest mode decays at least as fast as exp(-viscous / 2 t): after 2 s it is below rounding
        assert_true(fabs(lid_force(&pile) - forces[f]) < 1e-9 * forces[f]);
        const double expected = (LAYERS + 1) * forces[f] / stiffness;
        assert_true(fabs(top - lid_height(&pile) - expected) < 1e-8 * expected);
        assert_ok(scree_servo_get(pile.world, pile.lid, &servo));
        assert_true(fabs(servo.measured - forces[f]) < 1e-9 * forces[f] && fabs(servo.velocity) < 1e-9);
    }
    destroy(&pile);
}

static void add_bond(struct scree_world *world, uint64_t first, uint64_t second, scree_wall_id wall)
{
    const struct scree_bond_def def = {.kind = SCREE_BOND_CONTACT,
                                       .side = {{{first}, 0}, {{second}, 0}},
                                       .wall = wall,
                                       .normal_stiffness = stiffness,
                                       .shear_stiffness = stiffness};
    scree_bond_id id;
    assert_ok(scree_bond_add(world, &def, &id));
}

// The same column, bonded to both walls: a negative force stretches each of the LAYERS + 1 bonds by F / k.
// (Under pressure such a chain buckles.)
static void a_servo_stretches_a_bonded_column_by_its_stiffness(void **state)
{
    (void)state;
    static const double forces[] = {-1, -5, -2};
    struct pile pile;
    struct scree_servo_state servo;
    build(&pile, 1, 0, 0);
    for (uint64_t id = 1; id < LAYERS; ++id)
        add_bond(pile.world, id, id + 1, (scree_wall_id){0});
    add_bond(pile.world, 1, 0, (scree_wall_id){1});
    add_bond(pile.world, LAYERS, 0, pile.top);
    add_engine(&pile, 200, 1);
    const double top = lid_height(&pile);
    for (size_t f = 0; f < 3; ++f) {
        const struct scree_servo_def def = lid_servo(&pile, forces[f]);
        assert_ok(scree_servo_set(pile.world, &def));
        assert_ok(scree_engine_run(pile.engine, 20000));
        assert_true(fabs(lid_force(&pile) - forces[f]) < 1e-9 * fabs(forces[f]));
        const double expected = (LAYERS + 1) * forces[f] / stiffness;
        assert_true(fabs(top - lid_height(&pile) - expected) < 1e-8 * fabs(expected));
        assert_ok(scree_servo_get(pile.world, pile.lid, &servo));
        assert_true(fabs(servo.measured - forces[f]) < 1e-9 * fabs(forces[f]));
    }
    destroy(&pile);
}

// The floor of the column rises at speed w, so the lid reaches this speed too, with a force error of K w n
// h/a, where K is the stiffness of its one contact, n the number of steps between adjustments and a the
// gain. After three seconds the start has no influence. Rounding of coordinates, 1e-17 m, times K is far
// below the tolerance of 1e-9 of the force, which is less than a millionth of the smallest force error.
static void a_servo_on_a_moving_column_has_a_force_error_given_by_the_stiffness(void **state)
{
    (void)state;
    static const double w = 0.01, h = 1e-4;
    static const struct {
        double gain;
        unsigned every;
    } rows[] = {{0, 0}, {1, 1}, {0.5, 8}, {1, 8}, {0.25, 3}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct pile pile;
        struct scree_servo_state servo;
        build(&pile, 1, 0, 0);
        add_engine(&pile, 200, 1);
        struct scree_servo_def def = lid_servo(&pile, 2);
        def.gain = rows[r].gain;
        def.every = rows[r].every;
        assert_ok(scree_servo_set(pile.world, &def));
        assert_ok(scree_wall_set_velocity(pile.world, (scree_wall_id){1}, (const double[3]){0, 0, w}));
        assert_ok(scree_engine_run(pile.engine, 30000));
        assert_ok(scree_servo_get(pile.world, pile.lid, &servo));
        // the defaults are 0.5 and 1
        const double gain = rows[r].gain > 0 ? rows[r].gain : 0.5;
        const unsigned every = rows[r].every > 0 ? rows[r].every : 1;
        const double force_error = stiffness * w * every * h / gain;
        if (!(fabs(lid_force(&pile) - 2 - force_error) < 1e-9 * 2) || !(fabs(servo.velocity + w) < 1e-9 * w))
            fail_msg("at a gain of %g every %u steps the force error is %.12g, not %.12g", gain, every,
                     lid_force(&pile) - 2, force_error);
        destroy(&pile);
    }
}

// The one contact of the lid has the stiffness and the damping of the law. They are measured again when the
// force has changed by a tenth: at each moment of a compression to 5 N the force is within a tenth of that of
// the last measurement. The difference of forces at a change of velocity of 1e-4 m/s has a rounding error of
// less than 1e-10 of it.
static void a_servo_measures_the_stiffness_and_the_dashpots_of_its_contacts(void **state)
{
    (void)state;
    struct pile pile;
    build(&pile, 1, 0, 0);
    add_engine(&pile, 200, 1);
    struct scree_servo_def def = lid_servo(&pile, 5);
    assert_ok(scree_servo_set(pile.world, &def));
    const struct scree_servo *servo = scree_servo_row(pile.world, 0);
    for (int k = 0; k < 400; ++k) {
        assert_ok(scree_engine_run(pile.engine, 5));
        const double change = fabs(servo->measured - servo->reference_force);
        assert_true(change <= 0.1 * servo->reference_force);
        assert_true(scree_world_clock(pile.world)->steps - servo->reference_step < 64);
    }
    assert_true(servo->measured > 1 && servo->reference_contacts == 1);
    assert_true(fabs(servo->stiffness - stiffness) < 1e-9 * stiffness);
    assert_true(fabs(servo->dashpots - 1) < 1e-9);
    // the lid leaves the column
    def.force = -1;
    assert_ok(scree_servo_set(pile.world, &def));
    assert_ok(scree_engine_run(pile.engine, 3000));
    assert_true(servo->stiffness == 0 && servo->dashpots == 0 && servo->measured == 0);
    destroy(&pile);
}

static void run_and_measure(struct pile *pile, double force, double *min_ratio, double *max_ratio)
{
    *min_ratio = INFINITE;
    *max_ratio = -INFINITE;
    for (int k = 0; k < 200; ++k) {
        assert_ok(scree_engine_run(pile->engine, 50));
        const double ratio = lid_force(pile) / force;
        *min_ratio = ratio < *min_ratio ? ratio : *min_ratio;
        *max_ratio = ratio > *max_ratio ? ratio : *max_ratio;
    }
}

// The lid compresses grains in a box; they slip and rearrange.
static void a_piston_holds_its_force_while_grains_rearrange(void **state)
{
    (void)state;
    struct pile pile;
    double min_ratio, max_ratio;
    build(&pile, 5, 0.3, 9.81);
    add_engine(&pile, 2, 2);
    const double force = 50;
    const struct scree_servo_def def = lid_servo(&pile, force);
    assert_ok(scree_servo_set(pile.world, &def));
    assert_ok(scree_engine_run(pile.engine, 10000));
    run_and_measure(&pile, force, &min_ratio, &max_ratio);
    if (!(min_ratio > 0.99 && max_ratio < 1.01))
        fail_msg("the force was between %g and %g times its target", min_ratio, max_ratio);
    // a side wall moves out, and grains follow
    assert_ok(scree_wall_set_velocity(pile.world, (scree_wall_id){4}, (const double[3]){0, 0.005, 0}));
    const double before = lid_height(&pile);
    run_and_measure(&pile, force, &min_ratio, &max_ratio);
    if (!(min_ratio > 0.8 && max_ratio < 1.2))
        fail_msg("the force was between %g and %g times its target", min_ratio, max_ratio);
    assert_true(lid_height(&pile) < before - 1e-4 * radius);
    destroy(&pile);
}

static void a_servo_far_from_its_target_moves_at_its_largest_speed(void **state)
{
    (void)state;
    struct pile pile;
    build(&pile, 1, 0, 0);
    add_engine(&pile, 200, 1);
    struct scree_servo_def def = lid_servo(&pile, -30);
    def.every = 16;
    // tension without contacts: the lid moves away
    assert_ok(scree_servo_set(pile.world, &def));
    const double before = lid_height(&pile);
    assert_ok(scree_engine_run(pile.engine, 16));
    assert_true(lid_height(&pile) == before);
    assert_ok(scree_engine_run(pile.engine, 100));
    assert_true(fabs(lid_height(&pile) - before - 100 * 1e-4 * 0.1) < 1e-15);
    // and in the opposite direction
    def = lid_servo(&pile, 3);
    assert_ok(scree_servo_set(pile.world, &def));
    assert_ok(scree_engine_run(pile.engine, 10000));
    assert_true(fabs(lid_force(&pile) - 3) < 1e-9);
    assert_ok(scree_servo_remove(pile.world, pile.lid));
    assert_int_equal(scree_servo_count(pile.world), 0);
    destroy(&pile);
}

static void a_servo_does_not_move_within_its_tolerance(void **state)
{
    (void)state;
    struct pile pile;
    struct scree_servo_state servo;
    build(&pile, 1, 0, 0);
    add_engine(&pile, 200, 1);
    struct scree_servo_def def = lid_servo(&pile, 2);
    def.tolerance = 0.05;
    assert_ok(scree_servo_set(pile.world, &def));
    assert_ok(scree_engine_run(pile.engine, 10000));
    const double height = lid_height(&pile);
    assert_ok(scree_servo_get(pile.world, pile.lid, &servo));
    assert_true(servo.velocity == 0 && fabs(lid_force(&pile) - 2) <= 0.1 && lid_force(&pile) != 2);
    assert_ok(scree_engine_run(pile.engine, 1000));
    assert_true(lid_height(&pile) == height);
    destroy(&pile);
}

static void a_servo_does_not_change_velocities_perpendicular_to_its_direction(void **state)
{
    (void)state;
    struct pile pile;
    struct scree_wall_state wall;
    build(&pile, 1, 0, 0);
    add_engine(&pile, 200, 1);
    const struct scree_servo_def def = lid_servo(&pile, 2);
    assert_ok(scree_servo_set(pile.world, &def));
    assert_ok(scree_wall_set_velocity(pile.world, pile.top, (const double[3]){0.25, -0.5, 9}));
    assert_ok(scree_wall_set_spin(pile.world, pile.top, (const double[3]){0, 0, 3}));
    assert_ok(scree_engine_run(pile.engine, 8));
    assert_ok(scree_wall_get(pile.world, pile.top, &wall));
    assert_true(wall.velocity[0] == 0.25 && wall.velocity[1] == -0.5 && fabs(wall.velocity[2]) <= 0.1);
    assert_true(wall.spin[2] == 3);
    destroy(&pile);
}

static double energy_balance(double step, double gain, unsigned every)
{
    struct pile pile;
    struct scree_energy energy;
    build(&pile, 1, 0, 0);
    const struct scree_soft_def soft = {.step = step, .threads = 1};
    assert_ok(scree_soft_create(pile.world, &soft, &pile.engine));
    struct scree_servo_def def = lid_servo(&pile, 5);
    def.gain = gain;
    def.every = every;
    assert_ok(scree_servo_set(pile.world, &def));
    assert_ok(scree_engine_run(pile.engine, (uint64_t)(0.06 / step + 0.5)));
    assert_ok(scree_energy_get(pile.world, &energy));
    // the lid moves by about 7 * 0.5 mm under 5 N
    assert_true(energy.work > 5e-3);
    destroy(&pile);
    return fabs(energy.balance);
}

// If work were entered with the velocities before or after updates, each would leave an error of h F dv / 2;
// while the lid stops from 0.1 m/s under 5 N, their sum is h / 4 times 1 N m/s. The tolerance is a tenth of
// this.
static void the_energy_ledger_includes_changes_of_the_wall_velocity(void **state)
{
    (void)state;
    static const double steps[] = {2e-5, 5e-6};
    for (int k = 0; k < 2; ++k) {
        const double balance = energy_balance(steps[k], 0, (unsigned)(1.6e-4 / steps[k] + 0.5));
        if (!(balance < 0.1 * 0.25 * steps[k]))
            fail_msg("balance %g at a step of %g", balance, steps[k]);
    }
}

// With a gain proportional to the step the velocity converges to a function of time as the step decreases.
// Three halvings of the step divide the balance by 64 for order 2, by 8 for order 1; 40 is required, because
// the balance has terms of higher order.
static void the_energy_balance_with_a_servo_is_of_order_2(void **state)
{
    (void)state;
    static const double rate = 1000;
    const double coarse = energy_balance(4e-5, 4e-5 * rate, 1), fine = energy_balance(5e-6, 5e-6 * rate, 1);
    if (!(coarse > 40 * fine))
        fail_msg("balances %g and %g", coarse, fine);
}

// Replaces the world by a copy from a checkpoint, which has no state of the engine.
static void restart(struct pile *pile, int threads)
{
    scree_engine_destroy(pile->engine);
    scree_test_restart(&pile->world, "servo.chk");
    add_engine(pile, 0.5, threads);
}

static struct scree_digest run_in_parts(int threads, const uint64_t *steps, bool restarts)
{
    struct pile pile;
    build(&pile, 4, 0.3, 9.81);
    add_engine(&pile, 0.5, threads);
    const struct scree_servo_def def = lid_servo(&pile, 30);
    assert_ok(scree_servo_set(pile.world, &def));
    for (int p = 0; steps[p] > 0; ++p) {
        assert_ok(scree_engine_run(pile.engine, steps[p]));
        if (restarts)
            restart(&pile, threads);
    }
    const struct scree_digest digest = scree_test_digest(pile.world);
    destroy(&pile);
    return digest;
}

static void servos_depend_on_the_state_of_the_world_only(void **state)
{
    (void)state;
    static const uint64_t one_run[] = {1203, 0}, four_runs[] = {400, 1, 7, 795, 0};
    const struct scree_digest expected = run_in_parts(1, one_run, false);
    for (int threads = 2; threads <= 4; ++threads)
        assert_true(scree_test_digests_equal(expected, run_in_parts(threads, one_run, false)));
    assert_true(scree_test_digests_equal(expected, run_in_parts(1, four_runs, false)));
    assert_true(scree_test_digests_equal(expected, run_in_parts(3, four_runs, true)));
}

static void invalid_servos_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const struct {
        scree_status status;
        const char *word;
        struct scree_servo_def def;
    } rows[] = {
        {SCREE_ERROR_MISSING, "no group", {.direction = {0, 0, 1}, .velocity = 1}},
        {SCREE_ERROR_MISSING, "no group", {.group = {2}, .direction = {0, 0, 1}, .velocity = 1}},
        {SCREE_ERROR_ARGUMENT, "direction", {.group = {1}, .velocity = 1}},
        {SCREE_ERROR_ARGUMENT, "direction", {.group = {1}, .direction = {0, INFINITE, 0}, .velocity = 1}},
        {SCREE_ERROR_ARGUMENT, "velocity", {.group = {1}, .direction = {0, 0, 1}, .velocity = -1}},
        {SCREE_ERROR_ARGUMENT, "stress", {.group = {1}, .direction = {0, 0, 1}, .stress = NOT_A_NUMBER}},
        {SCREE_ERROR_ARGUMENT,
         "0 if there is a stress",
         {.group = {1}, .direction = {0, 0, 1}, .stress = 1, .force = 1}},
        {SCREE_ERROR_UNSUPPORTED, "cross-section", {.group = {1}, .direction = {0, 0, 1}, .stress = 1}},
        {SCREE_ERROR_ARGUMENT, "velocity", {.group = {1}, .direction = {0, 0, 1}, .velocity = NOT_A_NUMBER}},
        {SCREE_ERROR_ARGUMENT,
         "force",
         {.group = {1}, .direction = {0, 0, 1}, .velocity = 1, .force = INFINITE}},
        {SCREE_ERROR_ARGUMENT, "gain", {.group = {1}, .direction = {0, 0, 1}, .velocity = 1, .gain = 1.5}},
        {SCREE_ERROR_ARGUMENT, "gain", {.group = {1}, .direction = {0, 0, 1}, .velocity = 1, .gain = -1}},
        {SCREE_ERROR_ARGUMENT,
         "tolerance",
         {.group = {1}, .direction = {0, 0, 1}, .velocity = 1, .tolerance = 1}},
    };
    struct pile pile;
    struct scree_servo_state servo;
    build(&pile, 1, 0, 0);
    const struct scree_digest before = scree_test_digest(pile.world);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        assert_refused(rows[r].status, rows[r].word, scree_servo_set(pile.world, &rows[r].def));
    assert_refused(SCREE_ERROR_MISSING, "'lid' has no servo", scree_servo_remove(pile.world, pile.lid));
    assert_refused(SCREE_ERROR_MISSING, "'lid' has no servo", scree_servo_get(pile.world, pile.lid, &servo));
    assert_refused(SCREE_ERROR_MISSING, "no group", scree_servo_get(pile.world, (scree_group_id){9}, &servo));
    assert_true(scree_test_digests_equal(before, scree_test_digest(pile.world)));
    scree_memory_fail_at(1);
    const struct scree_servo_def def = lid_servo(&pile, 1);
    assert_int_equal(scree_servo_set(pile.world, &def), SCREE_ERROR_MEMORY);
    scree_memory_fail_at(0);
    assert_true(scree_test_digests_equal(before, scree_test_digest(pile.world)));
    // a second servo replaces the first
    assert_ok(scree_servo_set(pile.world, &def));
    assert_false(scree_test_digests_equal(before, scree_test_digest(pile.world)));
    assert_ok(scree_servo_set(pile.world, &def));
    assert_int_equal(scree_servo_count(pile.world), 1);
    assert_ok(scree_servo_get(pile.world, pile.lid, &servo));
    assert_true(servo.def.direction[2] == -1 && servo.def.gain == 0.5 && servo.def.every == 1);
    destroy(&pile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_servo_compresses_a_column_by_its_stiffness),
        cmocka_unit_test(a_servo_stretches_a_bonded_column_by_its_stiffness),
        cmocka_unit_test(a_servo_on_a_moving_column_has_a_force_error_given_by_the_stiffness),
        cmocka_unit_test(a_servo_measures_the_stiffness_and_the_dashpots_of_its_contacts),
        cmocka_unit_test(a_piston_holds_its_force_while_grains_rearrange),
        cmocka_unit_test(a_servo_far_from_its_target_moves_at_its_largest_speed),
        cmocka_unit_test(a_servo_does_not_move_within_its_tolerance),
        cmocka_unit_test(a_servo_does_not_change_velocities_perpendicular_to_its_direction),
        cmocka_unit_test(the_energy_ledger_includes_changes_of_the_wall_velocity),
        cmocka_unit_test(the_energy_balance_with_a_servo_is_of_order_2),
        cmocka_unit_test(servos_depend_on_the_state_of_the_world_only),
        cmocka_unit_test(invalid_servos_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
