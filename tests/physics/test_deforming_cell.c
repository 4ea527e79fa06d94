// A periodic cell that deforms homogeneously: closed forms of single bodies (tests/data: shear_cell,
// cell_diag_L, woo_meanfield_particle), fluctuations that do not depend on the place in the cell, a crystal
// as a lattice of springs, and independence of the choice of cell vectors.

#include "engine/engine.h"
#include "engine/soft.h"
#include "support/order.h"
#include "support/table.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const double cube[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0, 0, 0};

struct cell_world {
    struct scree_world *world;
    struct scree_engine *engine;
};

// Grains at random places have any overlap.
static struct scree_engine *engine_of(struct scree_world *world, double step, int threads)
{
    const struct scree_soft_def def = {
        .step = step, .threads = threads, .alarms.policy[SCREE_ALARM_OVERLAP] = SCREE_ALARM_IGNORE};
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &def, &engine));
    return engine;
}

static struct cell_world make(const double vectors[9], double step)
{
    struct cell_world made = {.world = scree_test_empty_world()};
    assert_ok(scree_cell_set_vectors(made.world, origin, vectors));
    made.engine = engine_of(made.world, step, 1);
    return made;
}

static void end(struct cell_world *made)
{
    scree_test_end(made->world, made->engine);
}

static uint64_t add(struct scree_world *world, scree_material_id material, double radius,
                    const double position[3], const double velocity[3], const double spin[3])
{
    struct scree_sphere_def def = {.radius = radius, .material = material};
    scree_body_id id;
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.velocity, velocity, sizeof def.velocity);
    memcpy(def.spin, spin, sizeof def.spin);
    assert_ok(scree_body_add_sphere(world, &def, &id));
    return id.value;
}

static struct scree_cell_state state_of(const struct scree_world *world)
{
    struct scree_cell_state state;
    assert_ok(scree_cell_get_state(world, &state));
    return state;
}

// Position and velocity of the image of a body that was not moved into the cell.
static void unwrapped(const struct scree_world *world, uint64_t id, double x[3], double v[3])
{
    const struct scree_body_state body = scree_test_state(world, id);
    const struct scree_cell_state cell = state_of(world);
    assert_ok(scree_cell_unwrapped_position(world, (scree_body_id){id}, x));
    for (int k = 0; k < 3; ++k) {
        v[k] = body.velocity[k];
        for (int j = 0; j < 3; ++j)
            v[k] += cell.gradient[3 * k + j] * (x[j] - body.position[j]);
    }
}

static void simple_shear_has_the_tabulated_cell_spin_and_affine_path(void **state)
{
    (void)state;
    const double gradient[9] = {0, 0.8, 0, 0, 0, 0, 0, 0, 0}, rest[3] = {0};
    struct scree_table *table = scree_table_read("shear_cell.csv");
    struct cell_world made = make(cube, 0.005);
    const uint64_t id =
        add(made.world, scree_test_material(made.world), 0.01, (double[]){0.3, 0.7, 0.2}, rest, rest);
    assert_ok(scree_cell_deform(made.world, gradient));
    static const char *const h[] = {"H00", "H01", "H02", "H10", "H11", "H12", "H20", "H21", "H22"};
    static const char *const w[] = {"wx", "wy", "wz"}, *const x[] = {"x", "y", "z"},
                             *const v[] = {"vx", "vy", "vz"};
    // the shear is linear in time, exact in each step; 400 steps with errors of a few units of 1e-16
    for (size_t row = 0; row < table->rows; ++row) {
        const struct scree_cell_state cell = state_of(made.world);
        const struct scree_body_state body = scree_test_state(made.world, id);
        double position[3], velocity[3];
        unwrapped(made.world, id, position, velocity);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j)
                scree_test_near(cell.deformation[3 * i + j], scree_table_number(table, row, h[3 * i + j]),
                                1e-12);
            scree_test_near(body.spin[i], scree_table_number(table, row, w[i]), 1e-12);
            scree_test_near(position[i], scree_table_number(table, row, x[i]), 1e-12);
            scree_test_near(velocity[i], scree_table_number(table, row, v[i]), 1e-12);
        }
        scree_test_near(cell.volume, 1, 1e-12);
        assert_ok(scree_engine_run(made.engine, 10));
    }
    // the cell took shorter vectors: a_y = (1.6, 1) is (-0.4, 1)
    const struct scree_cell_state cell = state_of(made.world);
    assert_true(fabs(cell.vectors[3]) < 0.6);
    end(&made);
    scree_table_free(table);
}

// Takes steps with a gradient that is a function of time, given for the middle of each step.
typedef void gradient_at(double time, double gradient[9]);

static void run_with(struct cell_world *made, gradient_at *at, double step, size_t steps)
{
    for (size_t k = 0; k < steps; ++k) {
        double gradient[9];
        at(((double)k + 0.5) * step, gradient);
        assert_ok(scree_cell_deform(made->world, gradient));
        assert_ok(scree_engine_run(made->engine, 1));
    }
}

static void diagonal_gradient(double t, double gradient[9])
{
    memset(gradient, 0, 9 * sizeof(double));
    gradient[0] = 0.5 - 0.2 * t;
    gradient[4] = -0.3;
    gradient[8] = 0.4 * cos(2 * t);
}

static double diagonal_error(void *context, size_t steps)
{
    const struct scree_table *table = context;
    struct cell_world made = make(cube, 1.0 / (double)steps);
    run_with(&made, diagonal_gradient, 1.0 / (double)steps, steps);
    const struct scree_cell_state cell = state_of(made.world);
    const size_t last = table->rows - 1;
    static const char *const stretch[] = {"H11", "H22", "H33"}, *const strain[] = {"eps11", "eps22", "eps33"};
    double error = 0;
    for (int k = 0; k < 3; ++k) {
        error += fabs(cell.deformation[4 * k] - scree_table_number(table, last, stretch[k]));
        error += fabs(cell.strain[4 * k] - scree_table_number(table, last, strain[k]));
    }
    end(&made);
    return error;
}

static void a_diagonal_gradient_gives_the_tabulated_strain_with_order_two(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("cell_diag_L.csv");
    scree_order_check(diagonal_error, table, 20, 2, "diagonal gradient");
    scree_table_free(table);
}

static void general_gradient(double t, double gradient[9])
{
    static const double l[9] = {0.3, 0.5, -0.2, 0.1, -0.4, 0.25, 0.05, 0.6, 0.2};
    for (int k = 0; k < 9; ++k)
        gradient[k] = cos(t) * l[k];
}

static double particle_error(void *context, size_t steps)
{
    const struct scree_table *table = context;
    const double step = 2.0 / (double)steps, rest[3] = {0};
    struct cell_world made = make(cube, step);
    const uint64_t id = add(made.world, scree_test_material(made.world), 0.01, (double[]){0.3, 0.7, 0.2},
                            (double[]){0.05, 0, -0.1}, rest);
    const double mass = scree_test_state(made.world, id).mass;
    struct scree_load_def load = {.force = {0.1 * mass, -0.2 * mass, 0.05 * mass}};
    scree_load_id load_id;
    assert_ok(scree_load_add(made.world, &load, &load_id));
    run_with(&made, general_gradient, step, steps);
    double x[3], v[3], fluctuation[3], error = 0;
    unwrapped(made.world, id, x, v);
    assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id}, fluctuation));
    static const char *const name[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
        error += fabs(x[k] - scree_table_number(table, table->rows - 1, name[k]));
        // exact: v_f = v_f0 + a t; a sum of `steps` terms, and differences of velocities of order 1
        const double expected = (double[]){0.05, 0, -0.1}[k] + 2 * (double[]){0.1, -0.2, 0.05}[k];
        scree_test_near(fluctuation[k], expected, 4 * (double)steps * 0x1p-52);
    }
    end(&made);
    return error;
}

static void a_loaded_body_in_a_changing_gradient_has_the_tabulated_path_with_order_two(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("woo_meanfield_particle.csv");
    scree_order_check(particle_error, table, 25, 2, "loaded body");
    scree_table_free(table);
}

static void random_gradient(uint64_t *seed, double size, double gradient[9])
{
    for (int k = 0; k < 9; ++k)
        gradient[k] = size * splitmix_signed(seed);
}

// Position along the cell vectors, from the unwrapped position and the deformation of the cell.
static void fraction(const struct scree_world *world, uint64_t id, double s[3])
{
    double x[3];
    const struct scree_cell_state cell = state_of(world);
    assert_ok(scree_cell_unwrapped_position(world, (scree_body_id){id}, x));
    const double *f = cell.deformation;
    double determinant = 0;
    for (int k = 0; k < 3; ++k)
        determinant += f[3 * (0) + (k)] * (f[3 * (1) + ((k + 1) % 3)] * f[3 * (2) + ((k + 2) % 3)] -
                                           f[3 * (1) + ((k + 2) % 3)] * f[3 * (2) + ((k + 1) % 3)]);
    // s = F^-1 x in a cell that was a cube
    for (int i = 0; i < 3; ++i) {
        s[i] = 0;
        for (int j = 0; j < 3; ++j) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            s[i] += (f[3 * (a) + (c)] * f[3 * (b) + (d)] - f[3 * (a) + (d)] * f[3 * (b) + (c)]) /
                    determinant * x[j];
        }
    }
}

static void bodies_without_fluctuation_keep_their_places_in_the_cell(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int c = 0; c < 10; ++c) {
        const double rest[3] = {0};
        double gradient[9], start[3], now[3], place[3];
        struct cell_world made = make(cube, 0.01);
        for (int k = 0; k < 3; ++k)
            place[k] = 0.5 + 0.49 * splitmix_signed(&seed);
        const uint64_t id = add(made.world, scree_test_material(made.world), 0.01, place, rest, rest);
        random_gradient(&seed, 1, gradient);
        fraction(made.world, id, start);
        assert_ok(scree_cell_deform(made.world, gradient));
        assert_ok(scree_engine_run(made.engine, 200));
        fraction(made.world, id, now);
        // 200 steps, each with errors of some 1e-16 of positions up to 10
        for (int k = 0; k < 3; ++k)
            scree_test_near(now[k], start[k], 1e-12);
        end(&made);
    }
}

// --- contacts

static const struct scree_interaction_value law_values[] = {
    {"stiffness", 1e4, NULL}, {"friction", 0.4, NULL}, {"restitution", 0.6, NULL}};

static scree_material_id add_law(struct scree_world *world, const struct scree_interaction_value *values,
                                 size_t count)
{
    const scree_material_id material = scree_test_material(world);
    const struct scree_interaction_def def = {
        .law = "linear", .between = {material, material}, .values = values, .count = count};
    assert_ok(scree_interaction_add(world, &def));
    return material;
}

// Two spheres that collide obliquely; their places are shifted by `shift` in a cell that deforms.
static void collide(const double vectors[9], const double gradient[9], const double shift[3],
                    double fluctuation[2][3], double spin[2][3])
{
    static const double start[2][3] = {{0.45, 0.5, 0.52}, {0.6, 0.53, 0.5}},
                        speed[2][3] = {{0.6, 0.2, 0}, {-0.5, 0, 0.1}}, turn[2][3] = {{3, 0, 1}, {0, -2, 5}};
    struct cell_world made = make(vectors, 1e-4);
    const scree_material_id material = add_law(made.world, law_values, 3);
    uint64_t id[2];
    for (int b = 0; b < 2; ++b) {
        double place[3];
        for (int k = 0; k < 3; ++k)
            place[k] = start[b][k] + shift[k];
        id[b] = add(made.world, material, 0.07, place, speed[b], turn[b]);
    }
    assert_ok(scree_cell_deform(made.world, gradient));
    size_t touching = 0;
    for (int k = 0; k < 40; ++k) {
        assert_ok(scree_engine_run(made.engine, 25));
        touching += scree_contact_count(made.world);
    }
    assert_true(touching > 0);
    for (int b = 0; b < 2; ++b) {
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id[b]}, fluctuation[b]));
        memcpy(spin[b], scree_test_state(made.world, id[b]).spin, sizeof spin[b]);
    }
    end(&made);
}

static void check_collisions(const double vectors[9], const double gradient[9])
{
    uint64_t seed = 3;
    double fluctuation[2][3], spin[2][3], shifted[2][3], shifted_spin[2][3];
    collide(vectors, gradient, origin, fluctuation, spin);
    assert_true(fabs(fluctuation[0][0] - 0.6) > 0.1);
    for (int c = 0; c < 10; ++c) {
        const double shift[3] = {2 * splitmix_signed(&seed), 2 * splitmix_signed(&seed),
                                 2 * splitmix_signed(&seed)};
        collide(vectors, gradient, shift, shifted, shifted_spin);
        // velocities up to 10 and positions up to 5 have errors of 1e-15, which 1000 steps and the stiffness
        // of the contact (k / m h^2 = 1e-4, 100 steps) increase by some hundreds. A pending half-kick is a
        // float: where its part of the mean velocity, h D D x / 2 = 1e-4, changes, so does its rounding,
        // 6e-12, in the dashpots
        for (int b = 0; b < 2; ++b)
            for (int k = 0; k < 3; ++k) {
                scree_test_near(shifted[b][k], fluctuation[b][k], 3e-11);
                scree_test_near(shifted_spin[b][k], spin[b][k], 1e-9);
            }
    }
}

static const double skewed[9] = {1, 0.1, 0, 0.45, 0.9, 0.2, -0.3, 0.35, 1.1};

static void spheres_collide_across_skewed_faces_as_inside(void **state)
{
    (void)state;
    static const double none[9] = {0};
    check_collisions(skewed, none);
    check_collisions((const double[9]){1, 0, 0, 0.5, 1, 0, 0.5, 0.5, 1}, none);
}

static void spheres_collide_across_moving_faces_as_inside(void **state)
{
    (void)state;
    check_collisions(cube, (const double[9]){0, 2, 0, 0, 0, 0, 0, 0, 0});
    check_collisions(skewed, (const double[9]){-1, 1, 0.5, 0.3, 0.7, -1, 0.2, 1, 0.4});
}

// The stress of a lattice of springs after an affine strain: -1/V times the sum over bonds of F b / |b|^2
// (b x b) with the force F = k (2 r - |b|).
static void a_crystal_has_the_stress_of_its_springs(void **state)
{
    (void)state;
    // face-centred cubic: 4 cells along each axis, neighbours at distance 0.25 / sqrt(2)
    enum { CELLS = 4 };
    static const double base[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    static const double gradient[9] = {-0.4, 0.5, 0.1, 0, -0.3, 0.2, 0.1, 0, 0.2}, rest[3] = {0};
    const struct scree_interaction_value values[] = {
        {"stiffness", 100, NULL}, {"friction", 0, NULL}, {"restitution", 1, NULL}};
    const double side = 1.0 / CELLS, radius = 0.51 * side * sqrt(0.5);
    struct cell_world made = make(cube, 1e-3);
    const scree_material_id material = add_law(made.world, values, 3);
    for (int c = 0; c < CELLS * CELLS * CELLS; ++c)
        for (int b = 0; b < 4; ++b) {
            const double place[3] = {side * (c % CELLS + base[b][0]), side * (c / CELLS % CELLS + base[b][1]),
                                     side * (c / CELLS / CELLS + base[b][2])};
            (void)add(made.world, material, radius, place, rest, rest);
        }
    assert_ok(scree_cell_deform(made.world, gradient));
    assert_ok(scree_engine_run(made.engine, 50));
    const struct scree_cell_state cell = state_of(made.world);
    double expected[9] = {0}, got[9];
    size_t bonds = 0;
    for (int first = 0; first < 4; ++first)
        for (int i = -2; i <= 2; ++i)
            for (int j = -2; j <= 2; ++j)
                for (int k = -2; k <= 2; ++k)
                    for (int second = 0; second < 4; ++second) {
                        const double at[3] = {i + base[second][0] - base[first][0],
                                              j + base[second][1] - base[first][1],
                                              k + base[second][2] - base[first][2]};
                        double b[3], square = 0;
                        for (int r = 0; r < 3; ++r) {
                            b[r] = side *
                                   (cell.deformation[3 * r] * at[0] + cell.deformation[3 * r + 1] * at[1] +
                                    cell.deformation[3 * r + 2] * at[2]);
                            square += b[r] * b[r];
                        }
                        const double overlap = 2 * radius - sqrt(square);
                        if (square == 0 || overlap <= 0)
                            continue;
                        ++bonds;
                        // each bond is counted from both sides, and the volume of four spheres is side^3 det
                        // F
                        for (int t = 0; t < 9; ++t)
                            expected[t] -= 0.5 * 100 * overlap / sqrt(square) * b[t / 3] * b[t % 3] /
                                           (cell.volume / (CELLS * CELLS * CELLS));
                    }
    assert_true(bonds > 20);
    assert_ok(scree_measure_stress(made.world, NULL, got));
    // 256 spheres whose positions have errors of 1e-15 relative to overlaps of 0.004: 1e-12
    for (int t = 0; t < 9; ++t)
        scree_test_near(got[t], expected[t], 1e-10 * fabs(expected[0]));
    end(&made);
}

enum { GRAINS = 80 };

// A dense packing of overlapping spheres at random places with fluctuations.
static void fill(struct scree_world *world, const double vectors[9], uint64_t seed)
{
    const scree_material_id material = add_law(world, law_values, 3);
    for (int g = 0; g < GRAINS; ++g) {
        double place[3], velocity[3], spin[3], s[3];
        for (int k = 0; k < 3; ++k) {
            s[k] = 0.5 + 0.5 * splitmix_signed(&seed);
            velocity[k] = 0.05 * splitmix_signed(&seed);
            spin[k] = splitmix_signed(&seed);
        }
        for (int k = 0; k < 3; ++k)
            place[k] = s[0] * vectors[k] + s[1] * vectors[3 + k] + s[2] * vectors[6 + k];
        (void)add(world, material, 0.09 + 0.02 * splitmix_signed(&seed), place, velocity, spin);
    }
}

// Compares the list of contacts with all pairs and images.
static size_t check_all_pairs(const struct scree_world *world)
{
    static struct scree_contact contact[4000];
    size_t count, next = 0;
    const struct scree_cell_state cell = state_of(world);
    assert_ok(scree_contact_list(world, contact, 4000, &count));
    assert_true(count <= 4000);
    for (uint64_t a = 1; a <= GRAINS; ++a)
        for (uint64_t b = a + 1; b <= GRAINS; ++b) {
            const struct scree_body_state first = scree_test_state(world, a),
                                          second = scree_test_state(world, b);
            double least = INFINITE, normal[3] = {0};
            for (int i = -3; i <= 3; ++i)
                for (int j = -3; j <= 3; ++j)
                    for (int k = -3; k <= 3; ++k) {
                        double d[3], square = 0;
                        for (int r = 0; r < 3; ++r) {
                            d[r] = first.position[r] - second.position[r] + i * cell.vectors[r] +
                                   j * cell.vectors[3 + r] + k * cell.vectors[6 + r];
                            square += d[r] * d[r];
                        }
                        if (square < least) {
                            least = square;
                            memcpy(normal, d, sizeof normal);
                        }
                    }
            const double overlap = first.radius + second.radius - sqrt(least);
            const bool listed =
                next < count && contact[next].body[0].value == a && contact[next].body[1].value == b;
            // overlaps at round-off may be listed or not
            if (fabs(overlap) > 1e-12)
                assert_int_equal(listed, overlap > 0);
            if (!listed)
                continue;
            scree_test_near(contact[next].overlap, overlap, 1e-13);
            for (int k = 0; k < 3; ++k)
                scree_test_near(contact[next].normal[k], normal[k] / sqrt(least), 1e-12);
            ++next;
        }
    assert_int_equal(next, count);
    return count;
}

static void a_sheared_packing_has_the_contacts_of_all_pairs_and_images(void **state)
{
    (void)state;
    static const double gradient[9] = {0, 5, 0, 0, 0, 0, 0, 0, 0},
                        other[9] = {-1, 3, 2, 0.5, 0.5, -3, 1, -2, 0.5};
    struct cell_world made = make(cube, 2e-4);
    fill(made.world, cube, 7);
    assert_ok(scree_cell_deform(made.world, gradient));
    size_t contacts = 0;
    for (int k = 0; k < 30; ++k) {
        assert_ok(scree_engine_run(made.engine, 100));
        contacts += check_all_pairs(made.world);
    }
    scree_test_near(state_of(made.world).deformation[1], 3, 1e-9);
    assert_ok(scree_cell_deform(made.world, other));
    for (int k = 0; k < 10; ++k) {
        assert_ok(scree_engine_run(made.engine, 100));
        contacts += check_all_pairs(made.world);
    }
    assert_true(contacts > 300);
    end(&made);
}

// Runs a packing in a cell given by some vectors of a lattice, of which a_y is (shear, 1, 0).
static void run_packing(const double vectors[9], const double places[9], uint64_t steps,
                        double fluctuation[GRAINS][3])
{
    static const double gradient[9] = {0, 5, 0, 0, 0, 0, 0, 0, 0};
    struct cell_world made = make(vectors, 2e-4);
    fill(made.world, places, 9);
    assert_ok(scree_cell_deform(made.world, gradient));
    assert_ok(scree_engine_run(made.engine, steps));
    for (uint64_t g = 1; g <= GRAINS; ++g)
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){g}, fluctuation[g - 1]));
    end(&made);
}

static void the_motion_does_not_depend_on_the_choice_of_vectors(void **state)
{
    (void)state;
    // the first takes shorter vectors at a shear of 0.566, after 580 steps of 0.001, or 116 of 2e-4 s x 5
    static const double before[9] = {1, 0, 0, 0.5, 1, 0, 0, 0, 1}, after[9] = {1, 0, 0, -0.5, 1, 0, 0, 0, 1},
                        turned[9] = {0.5, 1, 0, 0, 0, 1, 1, 0, 0},
                        long_one[9] = {1, 0, 0, 7.5, 1, 3, 0, 0, 1};
    static double first[GRAINS][3], second[GRAINS][3];
    const double *const others[] = {after, turned, long_one};
    run_packing(before, before, 100, first);
    for (size_t o = 0; o < sizeof others / sizeof others[0]; ++o) {
        run_packing(others[o], before, 100, second);
        // positions of order 1; contacts are stiff (k / m h^2 = 1e-5), and 100 steps add 1e-16 each
        for (int g = 0; g < GRAINS; ++g)
            for (int k = 0; k < 3; ++k)
                scree_test_near(second[g][k], first[g][k], 1e-12);
    }
}

static void a_box_with_cell_vectors_moves_as_the_box(void **state)
{
    (void)state;
    static const double none[9] = {0};
    struct cell_world made = make(cube, 2e-4);
    struct scree_world *box = scree_test_empty_world();
    assert_ok(
        scree_cell_set(box, &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {true, true, true}}));
    struct scree_engine *engine = engine_of(box, 2e-4, 1);
    fill(made.world, cube, 9);
    fill(box, cube, 9);
    assert_ok(scree_cell_deform(made.world, none));
    assert_ok(scree_engine_run(made.engine, 100));
    assert_ok(scree_engine_run(engine, 100));
    for (uint64_t g = 1; g <= GRAINS; ++g) {
        const struct scree_body_state a = scree_test_state(made.world, g), b = scree_test_state(box, g);
        for (int k = 0; k < 3; ++k) {
            scree_test_near(a.velocity[k], b.velocity[k], 1e-12);
            scree_test_near(a.spin[k], b.spin[k], 1e-10);
        }
    }
    end(&made);
    scree_test_end(box, engine);
}

// --- damping

static void damping_acts_on_fluctuations_only(void **state)
{
    (void)state;
    static const double gradient[9] = {0.3, 1, 0, 0.2, -0.3, 0, 0, 0.5, 0}, rest[3] = {0};
    const double c = 2, h = 1e-3;
    struct cell_world made = make(cube, h);
    const struct scree_damping damping = {.viscous = c};
    const uint64_t id = add(made.world, scree_test_material(made.world), 0.01, (double[]){0.3, 0.7, 0.2},
                            (double[]){0.05, 0, -0.1}, (double[]){0, 1, 0}),
                   still = add(made.world, scree_test_material(made.world), 0.01, (double[]){0.8, 0.7, 0.2},
                               rest, rest);
    assert_ok(scree_soft_set_damping(made.engine, &damping));
    assert_ok(scree_cell_deform(made.world, gradient));
    assert_ok(scree_engine_run(made.engine, 1000));
    // each step divides by (1 + c h / 2) and multiplies by (1 - c h / 2)
    double factor = 1, got[3];
    for (int k = 0; k < 1000; ++k)
        factor *= (1 - 0.5 * c * h) / (1 + 0.5 * c * h);
    assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id}, got));
    for (int k = 0; k < 3; ++k)
        scree_test_near(got[k], factor * (double[]){0.05, 0, -0.1}[k], 1e-13);
    assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){still}, got));
    for (int k = 0; k < 3; ++k)
        scree_test_near(got[k], 0, 1e-13);
    // half the curl is (0.25, 0, -0.4)
    const double *spin = scree_test_state(made.world, id).spin;
    scree_test_near(spin[0], 0.25, 1e-13);
    scree_test_near(spin[1], factor, 1e-13);
    scree_test_near(spin[2], -0.4, 1e-13);
    end(&made);
}

// --- the same bits

static scree_status do_nothing(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    return SCREE_OK;
}

struct way {
    int threads;
    bool separate, restarts;
    double skin, local, viscous;
};

static struct scree_digest digest_of(const struct way *way)
{
    static const double gradient[9] = {0.2, 25, 0, 0, -0.4, 5, 0, 0, 0.2};
    struct cell_world made = make(cube, 2e-4);
    fill(made.world, cube, 11);
    assert_ok(scree_cell_deform(made.world, gradient));
    for (int part = 0; part < 2; ++part) {
        scree_engine_destroy(made.engine);
        if (way->restarts && part == 1)
            scree_test_restart(&made.world, "deforming-cell.checkpoint");
        made.engine = engine_of(made.world, 2e-4, way->threads);
        ((struct scree_soft *)made.engine->self)->collider.search.prescribed_skin = way->skin;
        const struct scree_damping damping = {.local = way->local, .viscous = way->viscous};
        assert_ok(scree_soft_set_damping(made.engine, &damping));
        scree_callback_id id;
        if (way->separate)
            assert_ok(scree_engine_set_callback(made.engine, 95, do_nothing, NULL, &id));
        assert_ok(scree_engine_run(made.engine, 80));
    }
    const struct scree_digest digest = scree_test_digest(made.world);
    end(&made);
    return digest;
}

static void threads_separate_passes_skins_and_restarts_give_the_same_bits(void **state)
{
    (void)state;
    static const struct way damped[] = {{1, false, false, 0, 0, 0},
                                        {1, false, false, 0, 0.3, 0},
                                        {1, false, false, 0, 0, 20},
                                        {1, false, false, 0, 0.3, 20}};
    for (size_t d = 0; d < sizeof damped / sizeof damped[0]; ++d) {
        struct way way = damped[d];
        const struct scree_digest first = digest_of(&way);
        way.threads = 3;
        assert_true(scree_test_digests_equal(digest_of(&way), first));
        way.skin = 0.02;
        assert_true(scree_test_digests_equal(digest_of(&way), first));
        way.restarts = true;
        assert_true(scree_test_digests_equal(digest_of(&way), first));
        way.separate = true;
        assert_true(scree_test_digests_equal(digest_of(&way), first));
    }
}

// --- refusals

static void what_cannot_be_in_the_cell_is_refused(void **state)
{
    (void)state;
    static const double none[9] = {0};
    struct cell_world made = make(skewed, 1e-3);
    struct scree_energy energy;
    double stress[9];
    assert_refused(SCREE_ERROR_UNSUPPORTED, "balance of energy", scree_energy_get(made.world, &energy));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "along the axes",
                   scree_cell_set(made.world, &(struct scree_cell_def){.upper = {1, 1, 1}}));
    const struct scree_measure_region region = {.shape = SCREE_MEASURE_BOX, .upper = {1, 1, 1}};
    assert_refused(SCREE_ERROR_UNSUPPORTED, "region", scree_measure_stress(made.world, &region, stress));
    const double gravity[3] = {0, 0, -9.81}, zero[3] = {0};
    assert_ok(scree_world_set_gravity(made.world, gravity));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "gravity", scree_engine_run(made.engine, 1));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "gravity", scree_cell_deform(made.world, none));
    assert_ok(scree_world_set_gravity(made.world, zero));
    const uint64_t id = add(made.world, scree_test_material(made.world), 0.01, zero, zero, zero);
    assert_ok(scree_body_fix(made.world, (scree_body_id){id}, SCREE_FIX_X));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "fixed", scree_engine_run(made.engine, 1));
    assert_ok(scree_body_fix(made.world, (scree_body_id){id}, 0));
    assert_ok(scree_cell_deform(made.world, (const double[9]){0, 200, 0, 0, 0}));
    assert_refused(SCREE_ERROR_ARGUMENT, "strain the cell", scree_engine_run(made.engine, 1));
    end(&made);
}

static void other_schemes_and_other_cells_are_refused(void **state)
{
    (void)state;
    static const double none[9] = {0};
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    assert_refused(SCREE_ERROR_ARGUMENT, "not periodic along x", scree_cell_deform(world, none));
    assert_refused(SCREE_ERROR_ARGUMENT, "right-handed",
                   scree_cell_set_vectors(world, origin, (const double[9]){0, 1, 0, 1, 0, 0, 0, 0, 1}));
    assert_refused(SCREE_ERROR_ARGUMENT, "vector 3",
                   scree_cell_set_vectors(world, origin, (const double[9]){0, 1, 0, 1, 0, 0, 0, 0, 0}));
    assert_ok(scree_cell_set_vectors(world, origin, skewed));
    const struct scree_soft_def def = {.step = 1e-3, .translation = "leapfrog"};
    assert_ok(scree_soft_create(world, &def, &engine));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "'leapfrog'", scree_engine_run(engine, 1));
    scree_test_end(world, engine);
}

static void a_cell_that_becomes_too_narrow_is_refused(void **state)
{
    (void)state;
    struct cell_world made = make(cube, 1e-3);
    fill(made.world, cube, 13);
    // squeezed by exp(-t) along x, to less than 4 radii
    assert_ok(scree_cell_deform(made.world, (const double[9]){-5, 0, 0, 0, 2.5, 0, 0, 0, 2.5}));
    scree_status status = SCREE_OK;
    for (int k = 0; k < 40 && status == SCREE_OK; ++k)
        status = scree_engine_run(made.engine, 10);
    assert_int_equal(status, SCREE_ERROR_LIMIT);
    assert_non_null(strstr(scree_status_message(), "periodic cell"));
    end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_shear_has_the_tabulated_cell_spin_and_affine_path),
        cmocka_unit_test(a_diagonal_gradient_gives_the_tabulated_strain_with_order_two),
        cmocka_unit_test(a_loaded_body_in_a_changing_gradient_has_the_tabulated_path_with_order_two),
        cmocka_unit_test(bodies_without_fluctuation_keep_their_places_in_the_cell),
        cmocka_unit_test(spheres_collide_across_skewed_faces_as_inside),
        cmocka_unit_test(spheres_collide_across_moving_faces_as_inside),
        cmocka_unit_test(a_crystal_has_the_stress_of_its_springs),
        cmocka_unit_test(a_sheared_packing_has_the_contacts_of_all_pairs_and_images),
        cmocka_unit_test(the_motion_does_not_depend_on_the_choice_of_vectors),
        cmocka_unit_test(a_box_with_cell_vectors_moves_as_the_box),
        cmocka_unit_test(damping_acts_on_fluctuations_only),
        cmocka_unit_test(threads_separate_passes_skins_and_restarts_give_the_same_bits),
        cmocka_unit_test(what_cannot_be_in_the_cell_is_refused),
        cmocka_unit_test(other_schemes_and_other_cells_are_refused),
        cmocka_unit_test(a_cell_that_becomes_too_narrow_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
