// Clumps, polyhedra and bonded bodies in a periodic cell that is skewed, or deforms: they move as spheres do
// where they are spheres, rotate freely at constant angular momentum, collide across faces as inside, have
// the contacts of all pairs and images, and do not depend on the choice of cell vectors, threads and
// restarts.

#include "engine/engine.h"
#include "engine/soft.h"
#include "math/quat.h"
#include "support/cell_bodies.h"
#include "support/order.h"
#include "support/tumble.h"
#include "world/lattice.h"

// --- a sphere

enum { GRAINS = 40 };

// Spheres in a cell that is sheared, as spheres or as clumps of one pebble.
static void run_spheres(bool clumps, struct scree_body_state state[GRAINS])
{
    uint64_t seed = 31;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 2e-4);
    const scree_material_id material = scree_cell_bodies_law(made.world);
    for (int g = 0; g < GRAINS; ++g) {
        const struct scree_rigid_def at = scree_cell_bodies_motion(scree_cells_cube, &seed);
        const double radius = 0.13 + 0.02 * splitmix_signed(&seed);
        if (clumps) {
            struct scree_test_clump clump;
            scree_test_clump_make((const double[1][4]){{0, 0, 0, radius}}, 1, 1000, &clump);
            (void)scree_test_clump_add(made.world, &clump, material, &at);
        } else {
            (void)scree_cells_add(made.world, material, radius, at.position, at.velocity, at.spin);
        }
    }
    const struct scree_damping damping = {.viscous = 3, .local = 0.1};
    assert_ok(scree_engine_set_damping(made.engine, &damping));
    assert_ok(scree_cell_deform(made.world, scree_cell_bodies_shear));
    // the cell changes its vectors at a shear of 0.566, in step 566
    assert_ok(scree_engine_run(made.engine, 400));
    assert_ok(scree_cell_deform(made.world, scree_cell_bodies_general));
    assert_ok(scree_engine_run(made.engine, 100));
    assert_true(scree_contact_count(made.world) > 30);
    for (uint64_t g = 1; g <= GRAINS; ++g)
        state[g - 1] = scree_test_state(made.world, g);
    scree_cells_end(&made);
}

static void a_clump_of_one_pebble_moves_as_a_sphere(void **state)
{
    (void)state;
    static struct scree_body_state sphere[GRAINS], clump[GRAINS];
    run_spheres(false, sphere);
    run_spheres(true, clump);
    // the round-off of 500 steps, 1e-16 each, in contacts with k / m h^2 = 4e-5 and friction
    for (int g = 0; g < GRAINS; ++g)
        for (int k = 0; k < 3; ++k) {
            scree_test_near(clump[g].position[k], sphere[g].position[k], 1e-12);
            scree_test_near(clump[g].velocity[k], sphere[g].velocity[k], 1e-12);
            scree_test_near(clump[g].spin[k], sphere[g].spin[k], 1e-10);
        }
}

// --- free bodies

static void a_free_body_keeps_its_angular_momentum(void **state)
{
    (void)state;
    struct scree_cells made = scree_cells_make(scree_cells_skewed, 1e-3);
    struct scree_world *open = scree_test_empty_world();
    struct scree_engine *engine = scree_test_plain_engine(open, 1e-3);
    struct scree_test_clump clump;
    scree_cell_bodies_clump(0.17, &clump);
    const struct scree_rigid_def at = {
        .position = {0.4, 0.5, 0.6}, .velocity = {0.1, 0.2, 0}, .spin = {3, -2, 4}};
    assert_ok(scree_cell_deform(made.world, scree_cell_bodies_general));
    const uint64_t id =
        scree_test_clump_add(made.world, &clump, scree_cell_bodies_law(made.world), &at).value;
    (void)scree_test_clump_add(open, &clump, scree_cell_bodies_law(open), &at);
    const struct scree_body_state start = scree_test_state(made.world, id);
    assert_ok(scree_engine_run(made.engine, 1000));
    assert_ok(scree_engine_run(engine, 1000));
    const struct scree_body_state end = scree_test_state(made.world, id), other = scree_test_state(open, id);
    // no moment acts, and a constant mean spin adds none: the bits do not change, nor does the rotation
    for (int k = 0; k < 3; ++k) {
        assert_true(end.momentum[k] == start.momentum[k]);
        assert_true(end.spin[k] == other.spin[k]);
        assert_true(end.orientation[k] == other.orientation[k]);
    }
    // a change of the gradient adds the inertia tensor times the change of half the curl, (-1, 0.15, 0.35)
    assert_ok(scree_cell_deform(made.world, scree_cell_bodies_none));
    const struct scree_body_state changed = scree_test_state(made.world, id);
    const struct scree_mat3 axes = scree_quat_to_matrix(scree_quat_load(end.orientation)),
                            inertia =
                                scree_mat3_rotate(axes, scree_mat3_diagonal(scree_vec3_load(end.inertia)));
    const struct scree_vec3 mean = {1, 0.15, -0.35}, change = scree_mat3_apply(inertia, mean);
    const double turn[3] = {mean.x, mean.y, mean.z}, expected[3] = {change.x, change.y, change.z};
    for (int k = 0; k < 3; ++k) {
        scree_test_near(changed.spin[k], end.spin[k] - turn[k], 1e-14);
        scree_test_near(changed.momentum[k], end.momentum[k] - expected[k], 1e-15);
    }
    scree_cells_end(&made);
    scree_test_end(open, engine);
}

// A gradient `general` cos(3 t) and viscous damping, as the moment I (c W + dW/dt) of a body in open space,
// with the inertia tensor of its orientation and the spin W of the mean motion, half the curl.
static const struct {
    double inertia[3], spin[3], viscous;
} driven = {{0.01, 0.02, 0.025}, {1, 0.15, -0.35}, 2};

static void oscillating_gradient(void *user, double time, double gradient[9])
{
    (void)user;
    for (int k = 0; k < 9; ++k)
        gradient[k] = scree_cell_bodies_general[k] * cos(3 * time);
}

static void moment_of_mean_motion(const void *user, double time, const double orientation[4],
                                  const double spin[3], double moment[3])
{
    const double factor = driven.viscous * cos(3 * time) - 3 * sin(3 * time);
    const struct scree_mat3 axes = scree_quat_to_matrix(scree_quat_load(orientation)),
                            inertia =
                                scree_mat3_rotate(axes, scree_mat3_diagonal(scree_vec3_load(driven.inertia)));
    (void)user, (void)spin;
    scree_vec3_store(scree_vec3_scale(scree_mat3_apply(inertia, scree_vec3_load(driven.spin)), factor),
                     moment);
}

static double driven_error(void *context, size_t steps)
{
    const struct scree_tumble_state *expected = context;
    struct scree_cells made = scree_cells_make(scree_cells_skewed, 1.0 / (double)steps);
    struct scree_rigid_def at = {.mass = 1, .position = {0.4, 0.5, 0.6}, .spin = {3, -2, 4}};
    scree_body_id id;
    memcpy(at.inertia, driven.inertia, sizeof at.inertia);
    assert_ok(scree_engine_set_damping(made.engine, &(struct scree_damping){.viscous = driven.viscous}));
    assert_ok(
        scree_cell_set_drive(made.world, &(struct scree_cell_drive_def){.function = oscillating_gradient}));
    assert_ok(scree_body_add_rigid(made.world, &at, &id));
    assert_ok(scree_engine_run(made.engine, steps));
    const struct scree_body_state state = scree_test_state(made.world, id.value);
    double error = 0;
    for (int k = 0; k < 3; ++k)
        error +=
            fabs(state.spin[k] - expected->spin[k]) + fabs(state.orientation[k] - expected->orientation[k]);
    scree_cells_end(&made);
    return error;
}

static void a_changing_mean_spin_and_damping_turn_a_body_with_order_two(void **state)
{
    (void)state;
    struct scree_tumble tumble = {.orientation = {1, 0, 0, 0},
                                  .spin = {3, -2, 4},
                                  .moment = moment_of_mean_motion,
                                  .damping = {.viscous = driven.viscous}};
    struct scree_tumble_state expected;
    memcpy(tumble.inertia, driven.inertia, sizeof tumble.inertia);
    scree_tumble_reference(&tumble, 1, &expected);
    scree_order_check(driven_error, &expected, 50, 2, "driven rotation");
}

// --- collisions

// Adds the two bodies of a collision, or two with a bond.
static void add_pair(struct scree_world *world, scree_material_id material, enum scree_cell_bodies_kind kind,
                     double damping_ratio, const double shift[3], double apart, uint64_t id[2])
{
    static const double start[2][3] = {{0.38, 0.5, 0.52}, {0.62, 0.53, 0.5}},
                        speed[2][3] = {{0.6, 0.2, 0}, {-0.5, 0, 0.1}}, turn[2][3] = {{3, 0, 1}, {0, -2, 5}};
    for (int b = 0; b < 2; ++b) {
        struct scree_rigid_def at = {.orientation = {0.8, 0.6 * (1 - b), 0, 0.6 * b}};
        for (int k = 0; k < 3; ++k)
            at.position[k] = 0.5 + apart * (start[b][k] - 0.5) + shift[k];
        memcpy(at.velocity, speed[b], sizeof at.velocity);
        memcpy(at.spin, turn[b], sizeof at.spin);
        id[b] = scree_cell_bodies_add(world, kind, b, 0.13, material, &at);
    }
    if (kind == SCREE_CELL_BODIES_BONDED)
        scree_cell_bodies_join(world, id[0], id[1], damping_ratio);
}

// Two bodies that collide obliquely; their places are shifted by `shift` in a cell that deforms.
static void collide(enum scree_cell_bodies_kind kind, double damping_ratio, const double vectors[9],
                    const double gradient[9], const double shift[3], double fluctuation[2][3],
                    double spin[2][3])
{
    struct scree_cells made = scree_cells_make(vectors, 1e-4);
    uint64_t id[2];
    add_pair(made.world, scree_cell_bodies_law(made.world), kind, damping_ratio, shift, 1, id);
    assert_ok(scree_cell_deform(made.world, gradient));
    size_t touching = 0;
    for (int k = 0; k < 40; ++k) {
        assert_ok(scree_engine_run(made.engine, 25));
        touching += scree_contact_count(made.world) + scree_bond_count(made.world);
    }
    assert_true(touching > 0);
    for (int b = 0; b < 2; ++b) {
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id[b]}, fluctuation[b]));
        memcpy(spin[b], scree_test_state(made.world, id[b]).spin, sizeof spin[b]);
    }
    scree_cells_end(&made);
}

static void check_collisions(enum scree_cell_bodies_kind kind, double damping_ratio, const double vectors[9],
                             const double gradient[9])
{
    uint64_t seed = 3;
    double fluctuation[2][3], spin[2][3], shifted[2][3], shifted_spin[2][3];
    collide(kind, damping_ratio, vectors, gradient, scree_cells_origin, fluctuation, spin);
    assert_true(fabs(fluctuation[0][0] - 0.6) + fabs(fluctuation[1][0] + 0.5) > 0.05);
    for (int c = 0; c < 8; ++c) {
        const double shift[3] = {2 * splitmix_signed(&seed), 2 * splitmix_signed(&seed),
                                 2 * splitmix_signed(&seed)};
        collide(kind, damping_ratio, vectors, gradient, shift, shifted, shifted_spin);
        // as in test_deforming_packing.c, where the tolerances are derived
        for (int b = 0; b < 2; ++b)
            for (int k = 0; k < 3; ++k) {
                scree_test_near(shifted[b][k], fluctuation[b][k], 3e-11);
                scree_test_near(shifted_spin[b][k], spin[b][k], 1e-9);
            }
    }
}

static void check_kind(enum scree_cell_bodies_kind kind)
{
    check_collisions(kind, 0.05, scree_cells_skewed, scree_cell_bodies_none);
    check_collisions(kind, 0, scree_cells_cube, (const double[9]){0, 2, 0, 0, 0, 0, 0, 0, 0});
    check_collisions(kind, 0.05, scree_cells_skewed, scree_cell_bodies_general);
}

static void clumps_collide_across_faces_as_inside(void **state)
{
    (void)state;
    check_kind(SCREE_CELL_BODIES_CLUMPS);
}

static void polyhedra_collide_across_faces_as_inside(void **state)
{
    (void)state;
    check_kind(SCREE_CELL_BODIES_BOXES);
}

static void concave_bodies_collide_across_faces_as_inside(void **state)
{
    (void)state;
    check_kind(SCREE_CELL_BODIES_ELLS);
}

static void a_bonded_pair_across_faces_moves_as_inside(void **state)
{
    (void)state;
    check_kind(SCREE_CELL_BODIES_BONDED);
}

// --- order of accuracy

enum { FINEST = 10 * 128 };

// Clumps or polyhedra without dashpots and friction, which collide across a face of a cell whose gradient is
// a function of time.
static struct scree_cells touch_in_steps(enum scree_cell_bodies_kind kind, size_t steps, uint64_t id[2])
{
    static const struct scree_interaction_value values[] = {
        {"stiffness", 1e4, NULL}, {"friction", 0, NULL}, {"restitution", 1, NULL}};
    const double shift[3] = {-0.5, -0.515, -0.51}, duration = 0.004;
    struct scree_cells made = scree_cells_make(scree_cells_skewed, duration / (double)steps);
    const scree_material_id material = scree_test_material(made.world);
    const struct scree_interaction_def def = {
        .law = "linear", .between = {material, material}, .values = values, .count = 3};
    assert_ok(scree_interaction_add(made.world, &def));
    assert_ok(
        scree_cell_set_drive(made.world, &(struct scree_cell_drive_def){.function = oscillating_gradient}));
    add_pair(made.world, material, kind, 0, shift, 0.7, id);
    assert_ok(scree_engine_run(made.engine, steps));
    assert_true(scree_contact_count(made.world) + scree_bond_count(made.world) > 0);
    return made;
}

static void collide_in_steps(enum scree_cell_bodies_kind kind, size_t steps, double result[12])
{
    uint64_t id[2];
    struct scree_cells made = touch_in_steps(kind, steps, id);
    for (int b = 0; b < 2; ++b) {
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id[b]}, result + 6 * b));
        memcpy(result + 6 * b + 3, scree_test_state(made.world, id[b]).spin, 3 * sizeof(double));
    }
    scree_cells_end(&made);
}

struct finest {
    enum scree_cell_bodies_kind kind;
    double result[12];
};

static double collision_error(void *context, size_t steps)
{
    const struct finest *finest = context;
    double result[12], error = 0;
    collide_in_steps(finest->kind, steps, result);
    for (int k = 0; k < 12; ++k)
        error += fabs(result[k] - finest->result[k]);
    return error;
}

// The finest run has an error of 1/64 of that of the last one, which changes the orders by less than 0.02.
static void collisions_have_order_two(void **state)
{
    (void)state;
    struct finest finest = {.kind = SCREE_CELL_BODIES_CLUMPS};
    collide_in_steps(finest.kind, FINEST, finest.result);
    assert_true(fabs(finest.result[0]) > 0.1);
    scree_order_check(collision_error, &finest, FINEST / 128, 2, "clumps");
    finest.kind = SCREE_CELL_BODIES_BOXES;
    collide_in_steps(finest.kind, FINEST, finest.result);
    scree_order_check(collision_error, &finest, FINEST / 128, 2, "boxes");
    finest.kind = SCREE_CELL_BODIES_BONDED;
    collide_in_steps(finest.kind, FINEST, finest.result);
    scree_order_check(collision_error, &finest, FINEST / 128, 2, "bonded pair");
}

static double balance_error(void *context, size_t steps)
{
    const enum scree_cell_bodies_kind *kind = context;
    uint64_t id[2];
    struct scree_cells made = touch_in_steps(*kind, steps, id);
    const struct scree_energy energy = scree_test_energy(made.world);
    assert_true(fabs(energy.work) > 0.001 * fabs(energy.elastic));
    scree_cells_end(&made);
    return fabs(energy.balance) / scree_energy_scale(&energy);
}

// The energy of fluctuations, with the work of the cell by contacts, pebbles, touches and bonds across a
// face.
static void the_balance_of_energy_closes_with_order_two(void **state)
{
    (void)state;
    enum scree_cell_bodies_kind kinds[] = {SCREE_CELL_BODIES_CLUMPS, SCREE_CELL_BODIES_BOXES,
                                           SCREE_CELL_BODIES_BONDED};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
        scree_order_check(balance_error, &kinds[k], 20, 2, "balance");
}

static double free_balance_error(void *context, size_t steps)
{
    (void)context;
    struct scree_cells made = scree_cells_make(scree_cells_skewed, 1.0 / (double)steps);
    struct scree_test_clump clump;
    scree_cell_bodies_clump(0.17, &clump);
    assert_ok(
        scree_cell_set_drive(made.world, &(struct scree_cell_drive_def){.function = oscillating_gradient}));
    (void)scree_test_clump_add(made.world, &clump, scree_test_material(made.world),
                               &(struct scree_rigid_def){.position = {0.4, 0.5, 0.6}, .spin = {3, -2, 4}});
    assert_ok(scree_engine_run(made.engine, steps));
    const struct scree_energy energy = scree_test_energy(made.world);
    assert_true(fabs(energy.work) > 0.01 * energy.rotation);
    scree_cells_end(&made);
    return fabs(energy.balance) / scree_energy_scale(&energy);
}

static void the_balance_of_a_free_body_closes_with_order_two(void **state)
{
    (void)state;
    scree_order_check(free_balance_error, NULL, 50, 2, "balance of a free body");
}

// --- refusals

static void bonds_that_are_too_long_are_refused_or_raise_an_alarm(void **state)
{
    (void)state;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 1e-3);
    const scree_material_id material = scree_cell_bodies_law(made.world);
    const double rest[3] = {0};
    const uint64_t first = scree_cells_add(made.world, material, 0.05, (double[]){0.1, 0.5, 0.5}, rest, rest),
                   second =
                       scree_cells_add(made.world, material, 0.05, (double[]){0.8, 0.5, 0.5}, rest, rest),
                   third = scree_cells_add(made.world, material, 0.05, (double[]){0.6, 0.9, 0.5}, rest, rest);
    struct scree_bond_def def = {.kind = SCREE_BOND_EULER,
                                 .side = {{{first}, 0}, {{third}, 0}},
                                 .radius = 0.03,
                                 .young = 1e3,
                                 .shear_modulus = 4e2};
    scree_bond_id id;
    assert_refused(SCREE_ERROR_ARGUMENT, "wider than two bonds", scree_bond_add(made.world, &def, &id));
    def.side[1].body.value = second;
    assert_ok(scree_bond_add(made.world, &def, &id));
    // it has a length of 0.3 across a face: these vectors are those of the lattice, and those are not
    assert_ok(
        scree_cell_set_vectors(made.world, scree_cells_origin, (const double[9]){1, 0, 0, 1, 1, 0, 0, 0, 1}));
    assert_refused(SCREE_ERROR_STATE, "other images",
                   scree_cell_set_vectors(made.world, scree_cells_origin,
                                          (const double[9]){1.1, 0, 0, 0, 1, 0, 0, 0, 1}));
    // the cell is squeezed along y, below twice the length of the bond along x, which becomes longer
    assert_ok(scree_cell_deform(made.world, (const double[9]){0.5, 0, 0, 0, -1, 0, 0, 0, 0}));
    assert_ok(scree_engine_run(made.engine, 100));
    assert_refused(SCREE_ERROR_NUMBER, "half of the smallest width", scree_engine_run(made.engine, 1000));
    scree_cells_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clump_of_one_pebble_moves_as_a_sphere),
        cmocka_unit_test(a_free_body_keeps_its_angular_momentum),
        cmocka_unit_test(a_changing_mean_spin_and_damping_turn_a_body_with_order_two),
        cmocka_unit_test(clumps_collide_across_faces_as_inside),
        cmocka_unit_test(polyhedra_collide_across_faces_as_inside),
        cmocka_unit_test(concave_bodies_collide_across_faces_as_inside),
        cmocka_unit_test(a_bonded_pair_across_faces_moves_as_inside),
        cmocka_unit_test(collisions_have_order_two),
        cmocka_unit_test(the_balance_of_energy_closes_with_order_two),
        cmocka_unit_test(the_balance_of_a_free_body_closes_with_order_two),
        cmocka_unit_test(bonds_that_are_too_long_are_refused_or_raise_an_alarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
