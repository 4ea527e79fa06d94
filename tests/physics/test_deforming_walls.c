// Walls and gravity in cells that deform and are periodic along some axes only: closed forms, equality with
// crystals in cells without walls, the ledger, and what is refused.

#include "support/cell_bodies.h"
#include "support/cells.h"
#include "support/clumps.h"
#include "support/order.h"

enum { SIDE = 4, HEIGHT = 3, SPHERES = SIDE * SIDE * HEIGHT };

static const double rest[3] = {0};
static const bool layer[3] = {true, true, false};

static void add_law(struct scree_world *world, scree_material_id a, scree_material_id b, double stiffness,
                    double friction, double restitution)
{
    const struct scree_interaction_value values[] = {
        {"stiffness", stiffness, NULL}, {"friction", friction, NULL}, {"restitution", restitution, NULL}};
    const struct scree_interaction_def def = {
        .law = "linear", .between = {a, b}, .values = values, .count = 3};
    assert_ok(scree_interaction_add(world, &def));
}

static scree_wall_id add_plane(struct scree_world *world, scree_material_id material, double z, double up)
{
    const struct scree_wall_def def = {.shape = SCREE_WALL_PLANE,
                                       .material = material,
                                       .plane = {.point = {0.1, 0.2, z}, .normal = {0, 0, up}}};
    scree_wall_id id;
    assert_ok(scree_wall_add(world, &def, &id));
    return id;
}

// A simple cubic crystal of spheres of distance 1/SIDE between two walls, the upper of which belongs to the
// cell: at twice the stiffness of two spheres, a wall acts as the mirror image of a sphere.
struct crystal {
    struct scree_cells made;
    scree_wall_id lower, upper;
    uint64_t id[SPHERES];
};

static struct crystal make_crystal(const double vectors[9], bool walls, double friction, double restitution,
                                   double overlap, double step)
{
    const double spacing = 1.0 / SIDE, radius = 0.5 * spacing * (1 + overlap);
    struct crystal crystal = {.made.world = scree_test_empty_world()};
    struct scree_world *world = crystal.made.world;
    const scree_material_id material = scree_test_material(world);
    scree_material_id plate;
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "plate", .density = 1000}, &plate));
    if (walls)
        assert_ok(scree_cell_set_vectors_along(world, scree_cells_origin, vectors, layer));
    else
        assert_ok(scree_cell_set_vectors(world, scree_cells_origin, vectors));
    add_law(world, material, material, 100, friction, restitution);
    add_law(world, material, plate, 200, friction, restitution);
    for (int n = 0; n < SPHERES; ++n) {
        const double s[3] = {(0.5 + n % SIDE) / SIDE, (0.5 + n / SIDE % SIDE) / SIDE,
                             (0.5 + n / (SIDE * SIDE)) / HEIGHT};
        double x[3] = {0};
        for (int k = 0; k < 9; ++k)
            x[k % 3] += s[k / 3] * vectors[k];
        crystal.id[n] = scree_cells_add(world, material, radius, x, rest, rest);
    }
    if (walls) {
        crystal.lower = add_plane(world, plate, 0, 1);
        crystal.upper = add_plane(world, plate, vectors[8], -1);
        assert_ok(scree_wall_set_in_cell(world, crystal.upper, true));
    }
    crystal.made.engine = scree_cells_engine(world, step, 1);
    return crystal;
}

static const double straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, (double)HEIGHT / SIDE};

static void wall_force(const struct scree_world *world, scree_wall_id id, double force[3])
{
    double moment[3];
    assert_ok(scree_wall_load(world, id, force, moment));
}

// Compressed between the walls and strained in the plane, also sheared in it: no body leaves its place, and
// the force on the walls is the stress of a crystal without walls times the area.
static void a_crystal_between_walls_is_that_of_a_periodic_cell(void **state)
{
    (void)state;
    static const double gradients[][9] = {{0, 0, 0, 0, 0, 0, 0, 0, -0.3},
                                          {0.2, 0, 0, 0, -0.3, 0, 0, 0, -0.25},
                                          {0.1, 0.3, 0, -0.2, 0.1, 0, 0, 0, -0.2}};
    for (size_t g = 0; g < sizeof gradients / sizeof gradients[0]; ++g) {
        double stress[2][9], force[2][3], area = 0;
        for (int walls = 0; walls < 2; ++walls) {
            struct crystal crystal = make_crystal(straight, walls, 0, 1, 0.02, 1e-3);
            struct scree_world *world = crystal.made.world;
            assert_ok(scree_cell_deform(world, gradients[g]));
            assert_ok(scree_engine_run(crystal.made.engine, 200));
            assert_ok(scree_measure_stress(world, NULL, stress[walls]));
            const struct scree_cell_state cell = scree_cells_state(world);
            area = cell.volume / cell.deformation[8] / straight[8];
            for (int n = 0; n < SPHERES; ++n) {
                double w[3];
                assert_ok(scree_cell_fluctuation(world, (scree_body_id){crystal.id[n]}, w));
                // forces of 0.1 N on masses of 8 kg have errors of 1e-15 N, for 0.2 s
                for (int k = 0; k < 3; ++k)
                    scree_test_near(w[k], 0, 1e-13);
            }
            if (walls) {
                struct scree_wall_state wall;
                wall_force(world, crystal.lower, force[0]);
                wall_force(world, crystal.upper, force[1]);
                assert_ok(scree_wall_get(world, crystal.upper, &wall));
                scree_test_near(wall.position[2], straight[8] * cell.deformation[8], 1e-14);
                scree_test_near(wall.velocity[2], gradients[g][8] * wall.position[2], 1e-14);
            }
            scree_cells_end(&crystal.made);
        }
        // overlaps of 0.01 m have errors of some 1e-16
        const double normal = stress[0][8] * area;
        assert_true(normal < -1);
        scree_test_near(force[0][2], normal, 1e-12 * fabs(normal));
        scree_test_near(force[1][2], -normal, 1e-12 * fabs(normal));
        for (int k = 0; k < 9; ++k)
            scree_test_near(stress[1][k], stress[0][k], 1e-12 * fabs(stress[0][8]));
        for (int k = 0; k < 2; ++k) {
            scree_test_near(force[0][k], 0, 1e-12);
            scree_test_near(force[1][k], 0, 1e-12);
        }
    }
}

// Strained in the plane with friction, but without turning: spheres at the wall of the cell do not slide on
// it, wherever they are in the cell.
static void the_surface_of_a_wall_of_the_cell_is_strained(void **state)
{
    (void)state;
    struct crystal crystal = make_crystal(straight, true, 0.8, 1, 0.02, 1e-3);
    struct scree_world *world = crystal.made.world;
    double force[3];
    assert_ok(scree_wall_set_in_cell(world, crystal.lower, true));
    assert_ok(scree_cell_deform(world, (const double[9]){0.4, 0.1, 0, 0.1, -0.3, 0, 0, 0, -0.1}));
    assert_ok(scree_engine_run(crystal.made.engine, 300));
    for (int n = 0; n < SPHERES; ++n) {
        double w[3];
        assert_ok(scree_cell_fluctuation(world, (scree_body_id){crystal.id[n]}, w));
        for (int k = 0; k < 3; ++k)
            scree_test_near(w[k], 0, 1e-12);
    }
    wall_force(world, crystal.upper, force);
    assert_true(force[2] > 1);
    scree_test_near(force[0], 0, 1e-11);
    scree_test_near(force[1], 0, 1e-11);
    scree_cells_end(&crystal.made);
}

// --- Couette flow of a single layer

// Spheres between a wall at rest and one that the shear moves with V = D_xz L, at rest at the start: with the
// sums y = 2 u - V and z = 2 R w - V of the sliding velocities at both walls, for the velocity u, the spin w
// and the distance R of the walls from the centre, tangential springs k have the stretches Y and Z with Y' =
// y, Z' = z, and m y' = -2 k Y, I z' = -2 R^2 k Z: oscillations from y = z = -V.
struct couette {
    bool newton;
};

static double couette_error(void *context, size_t steps)
{
    const struct couette *couette = context;
    const double radius = 0.1, lift = 0.099, shear = 0.5, stiffness = 1000, duration = 0.5,
                 speed = shear * 2 * lift;
    struct scree_world *world = scree_test_empty_world();
    const double vectors[9] = {1, 0, 0, 0.3, 1, 0, 0, 0, 2 * lift};
    assert_ok(scree_cell_set_vectors_along(world, scree_cells_origin, vectors, layer));
    const scree_material_id material = scree_test_material(world);
    add_law(world, material, material, stiffness, 100, 1);
    (void)add_plane(world, material, 0, 1);
    assert_ok(scree_wall_set_in_cell(world, add_plane(world, material, 2 * lift, -1), true));
    // at rest: the fluctuation is minus the mean motion
    const uint64_t id =
        scree_cells_add(world, material, radius, (const double[3]){0.95, 0.5, lift},
                        (const double[3]){-shear * lift, 0, 0}, (const double[3]){0, -0.5 * shear, 0});
    assert_ok(scree_cell_deform(world, (const double[9]){0, 0, shear, 0, 0, 0, 0, 0, 0}));
    assert_ok(scree_cell_set_form(world, couette->newton ? SCREE_CELL_NEWTON : SCREE_CELL_MEAN_FIELD));
    struct scree_engine *engine = scree_cells_engine(world, duration / (double)steps, 1);
    assert_ok(scree_engine_run(engine, steps));
    const struct scree_body_state body = scree_test_state(world, id);
    const double inertia = 0.4 * body.mass * radius * radius, k = 2.0 / 7 * stiffness;
    // the springs act at the walls
    const double slide = cos(sqrt(2 * k / body.mass) * duration) * -speed,
                 turn = cos(sqrt(2 * lift * lift * k / inertia) * duration) * -speed;
    const double error =
        fabs(body.velocity[0] - 0.5 * (slide + speed)) + fabs(lift * body.spin[1] - 0.5 * (turn + speed));
    scree_test_end(world, engine);
    return error / speed;
}

static void couette_flow_of_a_layer_starts_as_two_oscillators(void **state)
{
    (void)state;
    for (int newton = 0; newton < 2; ++newton) {
        struct couette couette = {newton};
        scree_order_check(couette_error, &couette, 200, 2, "Couette flow of a layer");
        assert_true(couette_error(&couette, 3200) < 1e-4);
    }
}

// --- energy

struct variant {
    enum scree_cell_form form;
    double restitution;
    double gravity[3];
    double gradient[9];
    bool moves; // the wall at rest moves too
};

static double energy_error(void *context, size_t steps)
{
    const struct variant *variant = context;
    struct crystal crystal = make_crystal(straight, true, 0, variant->restitution, 0.12, 0.2 / (double)steps);
    struct scree_world *world = crystal.made.world;
    struct scree_energy energy;
    uint64_t seed = 4;
    for (int n = 0; n < SPHERES; ++n) {
        double v[3];
        for (int k = 0; k < 3; ++k)
            v[k] = 0.02 * splitmix_signed(&seed);
        assert_ok(scree_body_set_velocity(world, (scree_body_id){crystal.id[n]}, v));
    }
    if (variant->moves)
        assert_ok(scree_wall_set_velocity(world, crystal.lower, (const double[3]){0.3, -0.1, 0.05}));
    assert_ok(scree_world_set_gravity(world, variant->gravity));
    assert_ok(scree_cell_deform(world, variant->gradient));
    assert_ok(scree_cell_set_form(world, variant->form));
    assert_ok(scree_engine_run(crystal.made.engine, steps));
    assert_ok(scree_energy_get(world, &energy));
    assert_true(fabs(energy.work) > 0.01 * energy.elastic);
    scree_cells_end(&crystal.made);
    return fabs(energy.balance) / scree_energy_scale(&energy);
}

static void the_balance_closes_with_walls_and_gravity(void **state)
{
    (void)state;
    static const struct variant variants[] = {
        {SCREE_CELL_MEAN_FIELD, 1, {0, 0, 0}, {0.3, 0.4, 0.5, 0.1, -0.2, 0.3, 0, 0, -0.3}, false},
        {SCREE_CELL_MEAN_FIELD, 0.6, {0, 0, -2}, {0.3, 0.4, 0.5, 0.1, -0.2, 0.3, 0, 0, -0.3}, true},
        {SCREE_CELL_NEWTON, 0.6, {2, 1, -5}, {0, 0, 0.5, 0, 0, 0.3, 0, 0, -0.3}, true},
    };
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; ++k) {
        struct variant variant = variants[k];
        scree_order_check(energy_error, &variant, 200, 2, "balance with walls and gravity");
        assert_true(energy_error(&variant, 3200) < 1e-6);
    }
}

// --- gravity

// A body of four spheres slides down an incline at g sin - mu g cos; the mean motion shears along the plane.
static void a_block_slides_down_an_incline(void **state)
{
    (void)state;
    enum { STEPS = 2000 };
    static const double spheres[4][4] = {
        {-0.1, -0.1, 0, 0.05}, {0.1, -0.1, 0, 0.05}, {-0.1, 0.1, 0, 0.05}, {0.1, 0.1, 0, 0.05}};
    const double mu = 0.3, g = 9.81, angle = 0.5, step = 1e-4, shear = 0.4, down = g * sin(angle),
                 into = g * cos(angle);
    struct scree_world *world = scree_test_empty_world();
    const double vectors[9] = {1, 0, 0, 0.4, 1, 0, 0, 0, 1};
    struct scree_test_clump clump;
    assert_ok(scree_cell_set_vectors_along(world, scree_cells_origin, vectors, layer));
    const scree_material_id material = scree_test_material(world);
    add_law(world, material, material, 1e5, mu, 0.2);
    const scree_wall_id floor = add_plane(world, material, 0, 1);
    scree_test_clump_make(spheres, 4, 1000, &clump);
    const struct scree_rigid_def at = {.position = {1.15, 0.5, 0.05}, .velocity = {0.2, 0, 0}};
    const scree_body_id id = scree_test_clump_add(world, &clump, material, &at);
    assert_ok(scree_world_set_gravity(world, (const double[3]){down, 0, -into}));
    assert_ok(scree_cell_deform(world, (const double[9]){0, 0, shear, 0, 0, 0, 0, 0, 0}));
    struct scree_engine *engine = scree_cells_engine(world, step, 1);
    double w[2][3], force[3], x[3];
    // until the impact has faded
    for (int run = 0; run < 2; ++run) {
        assert_ok(scree_engine_run(engine, STEPS));
        assert_ok(scree_cell_fluctuation(world, id, w[run]));
    }
    scree_test_near((w[1][0] - w[0][0]) / (STEPS * step), down - mu * into, 1e-6 * g);
    wall_force(world, floor, force);
    scree_test_near(force[2], -clump.def.body.mass * into, 1e-6 * clump.def.body.mass * g);
    assert_ok(scree_cell_unwrapped_position(world, id, x));
    assert_true(x[0] > 1.3 && scree_test_state(world, id.value).position[0] < 1);
    scree_test_end(world, engine);
}

// --- walls of the cell and other walls

enum { BODIES = 24 };

// Bodies at random places between the walls, which some of them touch; the upper wall belongs to the cell, or
// is driven with its velocity.
static struct scree_cells make_bodies(enum scree_cell_bodies_kind kind, double step, double speed)
{
    uint64_t seed = 7;
    struct scree_cells made = {.world = scree_test_empty_world()};
    const double vectors[9] = {1, 0, 0, 0.4, 0.9, 0, 0, 0, 1};
    assert_ok(scree_cell_set_vectors_along(made.world, scree_cells_origin, vectors, layer));
    const scree_material_id material = scree_cell_bodies_law(made.world);
    for (int b = 0; b < BODIES; ++b) {
        const struct scree_rigid_def at = scree_cell_bodies_motion(vectors, &seed);
        (void)scree_cell_bodies_add(made.world, kind, b, 0.15, material, &at);
    }
    (void)add_plane(made.world, material, 0.2, 1);
    const scree_wall_id upper = add_plane(made.world, material, 0.8, -1);
    if (speed == 0)
        assert_ok(scree_wall_set_in_cell(made.world, upper, true));
    else
        assert_ok(scree_wall_set_velocity(made.world, upper, (const double[3]){speed, 0, 0}));
    assert_ok(scree_world_set_gravity(made.world, (const double[3]){3, 0, -5}));
    made.engine = scree_cells_engine(made.world, step, 1);
    return made;
}

static void a_wall_of_a_sheared_cell_is_a_driven_wall(void **state)
{
    (void)state;
    const double shear = 4;
    for (int kind = 0; kind <= SCREE_CELL_BODIES_MIXED; ++kind) {
        static double w[2][BODIES][3];
        double force[2][3];
        struct scree_energy energy[2];
        for (int driven = 0; driven < 2; ++driven) {
            struct scree_cells made =
                make_bodies((enum scree_cell_bodies_kind)kind, 1e-4, driven ? 0.8 * shear : 0);
            assert_ok(scree_cell_deform(made.world, (const double[9]){0, 0, shear, 0, 0, 0, 0, 0, 0}));
            assert_ok(scree_engine_run(made.engine, 200));
            for (int b = 0; b < BODIES; ++b)
                assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){(uint64_t)b + 1}, w[driven][b]));
            wall_force(made.world, (scree_wall_id){2}, force[driven]);
            assert_ok(scree_energy_get(made.world, &energy[driven]));
            scree_cells_end(&made);
        }
        assert_true(fabs(force[0][2]) > 1);
        // the velocity of the wall differs by rounding, 1e-15, which contacts increase by some hundreds
        for (int k = 0; k < 3; ++k) {
            scree_test_near(force[1][k], force[0][k], 1e-9 * fabs(force[0][2]));
            for (int b = 0; b < BODIES; ++b)
                scree_test_near(w[1][b][k], w[0][b][k], 1e-10);
        }
        scree_test_near(energy[1].work, energy[0].work, 1e-10 * fabs(energy[0].work));
    }
}

static double error_of_bodies(enum scree_cell_bodies_kind kind, size_t steps)
{
    struct scree_cells made = make_bodies(kind, 0.02 / (double)steps, 0);
    struct scree_energy energy;
    assert_ok(scree_cell_deform(made.world, (const double[9]){0, 0, 2, 0, 0, 1, 0, 0, -0.5}));
    assert_ok(scree_engine_run(made.engine, steps));
    assert_ok(scree_energy_get(made.world, &energy));
    scree_cells_end(&made);
    return fabs(energy.balance) / scree_energy_scale(&energy);
}

static void the_balance_closes_for_clumps(void **state)
{
    (void)state;
    const double coarse = error_of_bodies(SCREE_CELL_BODIES_CLUMPS, 500),
                 fine = error_of_bodies(SCREE_CELL_BODIES_CLUMPS, 2000);
    // order 2 is a factor of 16; contacts that begin and slide disturb it
    assert_true(fine < 1e-6 && fine < coarse / 8);
}

// --- stress

// A servo strains the layer along z until its stress is reached: the force on the walls over their area.
static void a_servo_reaches_the_stress_on_the_walls(void **state)
{
    (void)state;
    const double wanted = 4;
    struct crystal crystal = make_crystal(straight, true, 0.3, 0.5, 0.02, 1e-3);
    struct scree_world *world = crystal.made.world;
    const struct scree_cell_servo_def servo = {
        .controlled[8] = true, .stress[8] = wanted, .rate = 0.2, .every = 5};
    double force[2][3], stress[9];
    assert_ok(scree_cell_set_servo(world, &servo));
    assert_ok(scree_engine_run(crystal.made.engine, 4000));
    wall_force(world, crystal.lower, force[0]);
    wall_force(world, crystal.upper, force[1]);
    assert_ok(scree_measure_stress(world, NULL, stress));
    const struct scree_cell_state cell = scree_cells_state(world);
    struct scree_wall_state upper;
    struct scree_cell_servo_state state_now;
    assert_ok(scree_wall_get(world, crystal.upper, &upper));
    assert_ok(scree_cell_get_servo(world, &state_now));
    const double area = cell.volume / upper.position[2];
    // the servo has come to rest, and has measured what the walls feel
    scree_test_near(state_now.measured[8], wanted, 0.01 * wanted);
    scree_test_near(force[1][2] / area, state_now.measured[8], 1e-10 * wanted);
    scree_test_near(force[0][2] / area, -state_now.measured[8], 1e-10 * wanted);
    scree_test_near(stress[8], -state_now.measured[8], 1e-10 * wanted);
    scree_cells_end(&crystal.made);
}

// --- refusals

static void other_walls_and_other_motions_are_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    const double along_x[3] = {1, 0, 0};
    bool in_cell;
    assert_ok(scree_cell_set(world,
                             &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {true, false, false}}));
    const scree_wall_id wall = add_plane(world, material, 0, 1);
    assert_ok(scree_wall_set_velocity(world, wall, along_x));
    assert_ok(scree_wall_set_in_cell(world, wall, true));
    assert_ok(scree_wall_is_in_cell(world, wall, &in_cell));
    assert_true(in_cell);
    assert_refused(SCREE_ERROR_STATE, "moves with the cell", scree_wall_set_velocity(world, wall, along_x));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "would turn it",
                   scree_cell_deform(world, (const double[9]){0, 0, 0, 0, 0, 0, 0, 0.1, 0}));
    assert_ok(scree_cell_deform(world, (const double[9]){0, 0, 1, 0, 0, 0.1, 0, 0, 0}));
    assert_ok(scree_wall_set_in_cell(world, wall, false));
    assert_ok(scree_wall_set_spin(world, wall, (const double[3]){0, 0, 1}));
    struct scree_engine *engine = scree_cells_engine(world, 1e-3, 1);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "wall 1 turns", scree_engine_run(engine, 1));
    assert_ok(scree_wall_set_spin(world, wall, rest));
    assert_ok(scree_engine_run(engine, 1));
    const struct scree_wall_def ball = {
        .shape = SCREE_WALL_SPHERE, .material = material, .sphere = {{0, 0, 0}, 0.1, SCREE_WALL_OUTSIDE}};
    scree_wall_id other;
    assert_ok(scree_wall_add(world, &ball, &other));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "wall 2 is no plane", scree_engine_run(engine, 1));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "wall 2 is no plane", scree_wall_set_in_cell(world, other, true));
    assert_ok(scree_wall_remove(world, other));
    const struct scree_wall_def across = {
        .shape = SCREE_WALL_PLANE, .material = material, .plane = {.point = {0}, .normal = {0.1, 0, 1}}};
    assert_ok(scree_wall_add(world, &across, &other));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "component along x", scree_engine_run(engine, 1));
    scree_test_end(world, engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crystal_between_walls_is_that_of_a_periodic_cell),
        cmocka_unit_test(the_surface_of_a_wall_of_the_cell_is_strained),
        cmocka_unit_test(couette_flow_of_a_layer_starts_as_two_oscillators),
        cmocka_unit_test(the_balance_closes_with_walls_and_gravity),
        cmocka_unit_test(a_block_slides_down_an_incline),
        cmocka_unit_test(a_wall_of_a_sheared_cell_is_a_driven_wall),
        cmocka_unit_test(the_balance_closes_for_clumps),
        cmocka_unit_test(a_servo_reaches_the_stress_on_the_walls),
        cmocka_unit_test(other_walls_and_other_motions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
