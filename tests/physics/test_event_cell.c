// Cells that deform in the event engine: other cell vectors of the same lattice give the same collisions,
// runs in pieces the same bits; the work of the cell is the energy that bodies gain; single bodies follow the
// law of SLLOD with order 2 in the step; and compression of a cell is growth of bodies in a box, against a
// program in long double.

#include "support/hard_bodies.h"

#include <scree/cell.h>
#include <scree/checkpoint.h>
#include <scree/energy.h>
#include <scree/event.h>

#include <math.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g differs from %.17g by more than %g", value, expected, tolerance);
}

// --- gases

struct gas {
    int dimension, side; // bodies along an axis
    double spacing, restitution, friction;
    const double *vectors; // else a cube
    double gradient[9];
    bool turns; // orientations are integrated
};

static struct scree_world *make_world(int dimension, double restitution, double friction,
                                      scree_material_id *material)
{
    struct scree_world *world;
    const struct scree_interaction_value values[] = {{"restitution", restitution, NULL},
                                                     {"friction", friction, NULL},
                                                     {"tangential-restitution", 0.3, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = dimension}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "hard", .density = 1}, material));
    assert_ok(scree_interaction_add(
        world,
        &(struct scree_interaction_def){.law = "hard", .values = values, .count = friction > 0 ? 3 : 2}));
    return world;
}

// Bodies of two sizes on a cubic lattice, with random fluctuations of velocities.
static struct scree_world *make_gas(const struct gas *gas)
{
    scree_material_id material;
    struct scree_world *world = make_world(gas->dimension, gas->restitution, gas->friction, &material);
    const double corner[3] = {0}, edge = gas->side * gas->spacing;
    const double cube[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    uint64_t seed = 7;
    assert_ok(scree_cell_set_vectors(world, corner, gas->vectors ? gas->vectors : cube));
    assert_ok(scree_cell_set_form(world, SCREE_CELL_NEWTON));
    const int layers = gas->dimension == 2 ? 1 : gas->side;
    for (int k = 0; k < gas->side * gas->side * layers; ++k) {
        const int site[3] = {k % gas->side, k / gas->side % gas->side, k / gas->side / gas->side};
        double x[3] = {0}, v[3] = {0};
        for (int a = 0; a < gas->dimension; ++a) {
            x[a] = (site[a] + 0.5) * gas->spacing;
            v[a] = splitmix_signed(&seed);
        }
        hard_add_body(world, x, v, k % 2 ? 0.5 : 0.4, material);
    }
    if (gas->turns)
        assert_ok(scree_world_integrate_sphere_orientation(world));
    // fluctuations stay
    assert_ok(scree_cell_deform(world, gas->gradient));
    return world;
}

static struct scree_engine *make_engine(struct scree_world *world, double step)
{
    struct scree_engine *engine;
    assert_ok(scree_event_create(world, &(struct scree_event_def){.step = step}, &engine));
    return engine;
}

// --- the same lattice

enum { EVENTS = 300 };

struct record {
    size_t count;
    struct scree_event_collision collision[EVENTS];
};

static void record(void *user, const struct scree_event_collision *collision)
{
    struct record *to = (struct record *)user;
    if (to->count < EVENTS)
        to->collision[to->count++] = *collision;
}

static void record_gas(const struct gas *gas, double step, struct record *to)
{
    struct scree_world *world = make_gas(gas);
    struct scree_engine *engine = make_engine(world, step);
    to->count = 0;
    assert_ok(scree_event_observe(engine, record, to));
    while (to->count < EVENTS)
        assert_ok(scree_engine_run(engine, 10));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Rounding grows by a factor of about 2 with each collision of a body (docs/theory/hard-spheres.md): 300
// collisions are about 5 of each of 125, and their velocities are of order 10 after shear.
static void other_vectors_of_a_lattice_and_other_steps_give_the_same_collisions(void **state)
{
    (void)state;
    static struct record first, other;
    const double edge = 5 * 1.3;
    const double sheared[9] = {edge, 0, 0, edge, edge, 0, -edge, 2 * edge, edge};
    struct gas gas = {.dimension = 3, .side = 5, .spacing = 1.3, .restitution = 0.9, .gradient = {0, 0, 0.6}};
    record_gas(&gas, 0.02, &first);
    record_gas(&gas, 0.007, &other);
    for (int round = 0; round < 2; ++round) {
        for (size_t k = 0; k < EVENTS; ++k) {
            assert_int_equal(first.collision[k].body[0].value, other.collision[k].body[0].value);
            assert_int_equal(first.collision[k].body[1].value, other.collision[k].body[1].value);
            assert_near(other.collision[k].time, first.collision[k].time, 1e-10);
        }
        gas.vectors = sheared;
        record_gas(&gas, 0.02, &other);
    }
}

// --- pieces

// Runs in pieces, with a new engine for each; one run has all lists and predictions anew at every piece.
static void runs_in_pieces_have_the_same_bits(void **state)
{
    (void)state;
    const struct gas gases[] = {
        {.dimension = 3, .side = 5, .spacing = 1.3, .restitution = 0.9, .gradient = {0, 0.6}},
        {.dimension = 2,
         .side = 8,
         .spacing = 1.3,
         .restitution = 0.9,
         .friction = 0.3,
         .gradient = {0, 0, 0, 0.6}},
        {.dimension = 3,
         .side = 5,
         .spacing = 1.3,
         .restitution = 0.9,
         .friction = 0.3,
         .gradient = {-0.1, 0.3, 0, 0, -0.2, 0, 0.2, 0, 0.1}},
        {.dimension = 3,
         .side = 5,
         .spacing = 1.3,
         .restitution = 0.9,
         .friction = 0.3,
         .gradient = {0, 0, 0.6},
         .turns = true},
        {.dimension = 3,
         .side = 5,
         .spacing = 1.3,
         .restitution = 0.9,
         .friction = 0.3,
         .gradient = {-0.1, 0.3, 0, 0, -0.2, 0, 0.2, 0, 0.1},
         .turns = true}};
    for (size_t g = 0; g < sizeof gases / sizeof gases[0]; ++g) {
        struct scree_digest whole, pieces;
        struct scree_world *world = make_gas(&gases[g]);
        struct scree_engine *engine = make_engine(world, 0.01);
        assert_ok(scree_engine_run(engine, 360));
        assert_ok(scree_world_digest(world, &whole));
        scree_engine_destroy(engine);
        scree_world_destroy(world);
        world = make_gas(&gases[g]);
        for (int piece = 0; piece < 40; ++piece) {
            engine = make_engine(world, 0.01);
            // a run that ends changes nothing either
            assert_ok(scree_engine_run(engine, 4));
            assert_ok(scree_engine_run(engine, 5));
            scree_engine_destroy(engine);
        }
        assert_ok(scree_world_digest(world, &pieces));
        scree_world_destroy(world);
        assert_int_equal(whole.low, pieces.low);
        assert_int_equal(whole.high, pieces.high);
    }
}

// --- work

static void run_ledger(const struct gas *gas)
{
    struct scree_world *world = make_gas(gas);
    struct scree_engine *engine = make_engine(world, 0.01);
    struct scree_energy before, after;
    assert_ok(scree_energy_get(world, &before));
    assert_ok(scree_engine_run(engine, 333));
    assert_ok(scree_energy_get(world, &after));
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(engine, &counts));
    assert_true(counts.pairs > 1000);
    const double change = after.translation + after.rotation - before.translation - before.rotation;
    const double lost = after.dashpot + after.friction;
    // the work is a sum of thousands of terms, each of which is rounded
    assert_near(change + lost, after.work, 1e-12 * (fabs(after.work) + lost + after.translation));
    assert_near(after.balance, 0, 1e-12 * scree_energy_scale(&after));
    assert_true(fabs(after.work) > 0.1 * before.translation);
    assert_true(gas->restitution < 1 ? after.dashpot > 0.1 * before.translation : after.dashpot == 0);
    assert_true((gas->friction > 0) == (after.friction > 0));
    // the scalar virial is the trace
    if (gas->friction == 0)
        assert_near(counts.impulses[0] + counts.impulses[4] + counts.impulses[8], counts.virial,
                    1e-12 * counts.virial);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void the_work_of_the_cell_is_the_energy_that_bodies_gain_and_lose(void **state)
{
    (void)state;
    run_ledger(
        &(struct gas){.dimension = 3, .side = 7, .spacing = 1.3, .restitution = 1, .gradient = {0, 0.6}});
    run_ledger(&(struct gas){.dimension = 2,
                             .side = 15,
                             .spacing = 1.2,
                             .restitution = 0.9,
                             .friction = 0.3,
                             .gradient = {0, 0.6}});
    run_ledger(&(struct gas){.dimension = 3,
                             .side = 7,
                             .spacing = 1.3,
                             .restitution = 0.9,
                             .friction = 0.3,
                             .gradient = {-0.1, 0.3, 0, 0, -0.05, 0, 0.2, 0, 0.1}});
}

// The stress does the work: V sigma : D over time, of collisions exactly, and of fluctuations by sums over
// steps. The kinetic stress is without the motion of the centre of mass, which has a share of 1/343 in it.
static void the_stress_does_the_work_of_the_cell(void **state)
{
    (void)state;
    const struct gas gas = {
        .dimension = 3, .side = 7, .spacing = 1.3, .restitution = 1, .gradient = {0, 0.6}};
    struct scree_world *world = make_gas(&gas);
    struct scree_engine *engine = make_engine(world, 0.01);
    struct scree_energy energy;
    double kinetic = 0, last = 0, stress[9];
    for (int k = 0; k <= 300; ++k) {
        assert_ok(scree_measure_kinetic_stress(world, NULL, stress));
        const double power = pow(7 * 1.3, 3) * stress[1] * gas.gradient[1];
        kinetic += k > 0 ? 0.5 * 0.01 * (power + last) : 0;
        last = power;
        assert_ok(scree_engine_run(engine, 1));
    }
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(engine, &counts));
    assert_ok(scree_energy_get(world, &energy));
    const double collisions = -counts.impulses[1] * gas.gradient[1];
    assert_near(kinetic + collisions, energy.work, 5e-3 * energy.work);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// --- single bodies

static void derivative(const double d[9], const double s[6], double out[6])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = s[3 + k];
        out[3 + k] = 0;
        for (int j = 0; j < 3; ++j) {
            out[k] += d[3 * k + j] * s[j];
            out[3 + k] -= d[3 * k + j] * s[3 + j];
        }
    }
}

// dx/dt = D x + w, dw/dt = -D w by the method of Runge and Kutta: errors of (D t)^5 / 120 in 2000 steps are
// below 1e-13, and rounding too.
static void solve(const double d[9], double s[6], double time)
{
    const int steps = 2000;
    const double h = time / steps;
    for (int n = 0; n < steps; ++n) {
        double k[4][6], mid[6];
        derivative(d, s, k[0]);
        for (int stage = 1; stage < 4; ++stage) {
            for (int i = 0; i < 6; ++i)
                mid[i] = s[i] + (stage < 3 ? 0.5 : 1) * h * k[stage - 1][i];
            derivative(d, mid, k[stage]);
        }
        for (int i = 0; i < 6; ++i)
            s[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

// Distance of a body, and of its fluctuation, from the solution after a time of 1.
static double error_of_body(const double gradient[9], double step)
{
    scree_material_id material;
    struct scree_world *world = make_world(3, 1, 0, &material);
    const double corner[3] = {0}, cube[9] = {9, 0, 0, 0, 9, 0, 0, 0, 9};
    double s[6] = {2, 1, 4, 0.3, -0.2, 0.5}, shift[3];
    assert_ok(scree_cell_set_vectors(world, corner, cube));
    assert_ok(scree_cell_set_form(world, SCREE_CELL_NEWTON));
    hard_add_body(world, s, s + 3, 0.1, material);
    assert_ok(scree_cell_deform(world, gradient));
    struct scree_engine *engine = make_engine(world, step);
    assert_ok(scree_engine_run(engine, (uint64_t)lround(1 / step)));
    solve(gradient, s, 1);
    assert_ok(scree_cell_unwrapped_position(world, (scree_body_id){1}, shift));
    double w[3], square = 0;
    assert_ok(scree_cell_fluctuation(world, (scree_body_id){1}, w));
    for (int k = 0; k < 3; ++k)
        square += (shift[k] - s[k]) * (shift[k] - s[k]) + (w[k] - s[3 + k]) * (w[k] - s[3 + k]);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return sqrt(square);
}

static void bodies_follow_the_law_of_the_cell_with_order_2(void **state)
{
    (void)state;
    static const double gradients[][9] = {{-0.4, 0, 0, 0, -0.4, 0, 0, 0, -0.4},
                                          {0.5, 0, 0, 0, -0.3, 0, 0, 0, -0.2},
                                          {0.1, 0.4, -0.2, -0.5, 0.2, 0.1, 0.3, -0.1, -0.3}};
    for (size_t g = 0; g < sizeof gradients / sizeof gradients[0]; ++g) {
        const double coarse = error_of_body(gradients[g], 0.02), fine = error_of_body(gradients[g], 0.01);
        // the next order changes the ratio by a few times step times gradient
        assert_near(coarse / fine, 4, 0.1);
        assert_true(coarse < 1e-3);
    }
    // a simple shear is exact
    static const double shear[9] = {0, 0, 0, 0, 0, 0.7, 0, 0, 0};
    assert_near(error_of_body(shear, 0.02), 0, 1e-12);
}

static void faster_shear(void *user, double time, double gradient[9])
{
    (void)user;
    gradient[1] = 2 * time;
}

// A body without fluctuation of its spin turns with half the curl of the mean motion, here -t about z, to an
// angle of -1/2 after a time of 1. Angles of steps are exact, and 100 of them are rounded.
static void spheres_turn_with_the_mean_motion(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world = make_world(3, 1, 0, &material);
    const double corner[3] = {0}, cube[9] = {9, 0, 0, 0, 9, 0, 0, 0, 9}, x[3] = {2, 1, 4}, v[3] = {0};
    assert_ok(scree_cell_set_vectors(world, corner, cube));
    assert_ok(scree_cell_set_form(world, SCREE_CELL_NEWTON));
    assert_ok(scree_world_integrate_sphere_orientation(world));
    hard_add_body(world, x, v, 0.1, material);
    assert_ok(scree_cell_set_drive(world, &(struct scree_cell_drive_def){.function = faster_shear}));
    struct scree_engine *engine = make_engine(world, 0.01);
    struct scree_body_state body;
    assert_ok(scree_engine_run(engine, 100));
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    assert_near(body.spin[2], -1, 1e-13);
    assert_near(body.orientation[0], cos(0.25), 1e-13);
    assert_near(body.orientation[3], -sin(0.25), 1e-13);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// --- refusals

static void assert_run_refused(struct scree_world *world, const struct scree_event_def *def,
                               const char *message)
{
    struct scree_engine *engine;
    scree_status status = scree_event_create(world, def, &engine);
    if (status == SCREE_OK) {
        status = scree_engine_run(engine, 1);
        scree_engine_destroy(engine);
    }
    assert_int_not_equal(status, SCREE_OK);
    if (!strstr(scree_status_message(), message))
        fail_msg("'%s' does not contain '%s'", scree_status_message(), message);
}

static void cells_that_the_engine_does_not_know_are_refused(void **state)
{
    (void)state;
    static const double corner[3] = {0}, rest[9] = {0}, shear[9] = {0, 1}, squeeze[9] = {-1};
    const bool layer[3] = {true, true, false};
    struct scree_world *world = make_gas(
        &(struct gas){.dimension = 3, .side = 5, .spacing = 1.3, .restitution = 1, .gradient = {0, 1}});
    const struct scree_event_def def = {.step = 0.01};
    assert_run_refused(world, &(struct scree_event_def){.step = 0.3},
                       "a step of 0.3 s would strain the cell by 0.15, and at most 0.1");
    assert_ok(scree_cell_deform(world, squeeze));
    assert_run_refused(
        world, &(struct scree_event_def){.step = 0.01, .contact_time = 1e-6},
        "with a contact time the velocity gradient must be a constant simple shear along axes");
    assert_ok(scree_cell_deform(world, shear));
    assert_ok(scree_cell_set_form(world, SCREE_CELL_MEAN_FIELD));
    assert_run_refused(world, &def, "the form of the motion is 'mean-field'");
    // at rest both forms are the same
    assert_ok(scree_cell_deform(world, rest));
    struct scree_engine *engine = make_engine(world, 0.01);
    assert_ok(scree_engine_run(engine, 3));
    scree_engine_destroy(engine);
    const struct scree_cell_servo_def servo = {.controlled = {true}, .stress = {1}, .rate = 1};
    assert_ok(scree_cell_set_servo(world, &servo));
    assert_run_refused(world, &def, "a servo of the cell reaches stresses; give rates of strain");
    assert_ok(scree_cell_set_servo(world, NULL));
    const double edge = 5 * 1.3, cube[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    assert_ok(scree_cell_set_vectors_along(world, corner, cube, layer));
    assert_run_refused(world, &def, "this cell is not periodic along all axes");
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_vectors_of_a_lattice_and_other_steps_give_the_same_collisions),
        cmocka_unit_test(runs_in_pieces_have_the_same_bits),
        cmocka_unit_test(the_work_of_the_cell_is_the_energy_that_bodies_gain_and_lose),
        cmocka_unit_test(the_stress_does_the_work_of_the_cell),
        cmocka_unit_test(bodies_follow_the_law_of_the_cell_with_order_2),
        cmocka_unit_test(spheres_turn_with_the_mean_motion),
        cmocka_unit_test(cells_that_the_engine_does_not_know_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
