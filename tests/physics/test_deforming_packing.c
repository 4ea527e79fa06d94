// Contacts in a periodic cell that is skewed, or deforms: collisions do not depend on the place in the cell,
// a crystal is a lattice of springs, all contacts are found, and the choice of cell vectors, threads and
// restarts change nothing.

#include "engine/engine.h"
#include "engine/soft.h"
#include "support/cells.h"

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
    struct scree_cells made = scree_cells_make(vectors, 1e-4);
    const scree_material_id material = add_law(made.world, law_values, 3);
    uint64_t id[2];
    for (int b = 0; b < 2; ++b) {
        double place[3];
        for (int k = 0; k < 3; ++k)
            place[k] = start[b][k] + shift[k];
        id[b] = scree_cells_add(made.world, material, 0.07, place, speed[b], turn[b]);
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
    scree_cells_end(&made);
}

static void check_collisions(const double vectors[9], const double gradient[9])
{
    uint64_t seed = 3;
    double fluctuation[2][3], spin[2][3], shifted[2][3], shifted_spin[2][3];
    collide(vectors, gradient, scree_cells_origin, fluctuation, spin);
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

static void spheres_collide_across_skewed_faces_as_inside(void **state)
{
    (void)state;
    static const double none[9] = {0};
    check_collisions(scree_cells_skewed, none);
    check_collisions((const double[9]){1, 0, 0, 0.5, 1, 0, 0.5, 0.5, 1}, none);
}

static void spheres_collide_across_moving_faces_as_inside(void **state)
{
    (void)state;
    check_collisions(scree_cells_cube, (const double[9]){0, 2, 0, 0, 0, 0, 0, 0, 0});
    check_collisions(scree_cells_skewed, (const double[9]){-1, 1, 0.5, 0.3, 0.7, -1, 0.2, 1, 0.4});
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
    struct scree_cells made = scree_cells_make(scree_cells_cube, 1e-3);
    const scree_material_id material = add_law(made.world, values, 3);
    for (int c = 0; c < CELLS * CELLS * CELLS; ++c)
        for (int b = 0; b < 4; ++b) {
            const double place[3] = {side * (c % CELLS + base[b][0]), side * (c / CELLS % CELLS + base[b][1]),
                                     side * (c / CELLS / CELLS + base[b][2])};
            (void)scree_cells_add(made.world, material, radius, place, rest, rest);
        }
    assert_ok(scree_cell_deform(made.world, gradient));
    assert_ok(scree_engine_run(made.engine, 50));
    const struct scree_cell_state cell = scree_cells_state(made.world);
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
    scree_cells_end(&made);
}

enum { GRAINS = 80 };

// A dense packing of overlapping spheres at random places with fluctuations.
static void fill(struct scree_world *world, const double vectors[9], uint64_t seed)
{
    const scree_material_id material = add_law(world, law_values, 3);
    for (int g = 0; g < GRAINS; ++g) {
        double place[3], velocity[3], spin[3];
        scree_cells_random(vectors, &seed, place, velocity, spin);
        (void)scree_cells_add(world, material, 0.09 + 0.02 * splitmix_signed(&seed), place, velocity, spin);
    }
}

// Compares the list of contacts with all pairs and images.
static size_t check_all_pairs(const struct scree_world *world)
{
    static struct scree_contact contact[4000];
    size_t count, next = 0;
    const struct scree_cell_state cell = scree_cells_state(world);
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
    struct scree_cells made = scree_cells_make(scree_cells_cube, 2e-4);
    fill(made.world, scree_cells_cube, 7);
    assert_ok(scree_cell_deform(made.world, gradient));
    size_t contacts = 0;
    for (int k = 0; k < 30; ++k) {
        assert_ok(scree_engine_run(made.engine, 100));
        contacts += check_all_pairs(made.world);
    }
    scree_test_near(scree_cells_state(made.world).deformation[1], 3, 1e-9);
    assert_ok(scree_cell_deform(made.world, other));
    for (int k = 0; k < 10; ++k) {
        assert_ok(scree_engine_run(made.engine, 100));
        contacts += check_all_pairs(made.world);
    }
    assert_true(contacts > 300);
    scree_cells_end(&made);
}

// Disks in a plane cell that is sheared through several changes of its vectors.
static void sheared_disks_have_the_contacts_of_all_pairs_and_images(void **state)
{
    (void)state;
    enum { DISKS = 40 };
    static struct scree_contact contact[500];
    struct scree_world *world;
    uint64_t seed = 17;
    size_t found = 0;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world));
    assert_ok(scree_cell_set_vectors(world, (const double[3]){-0.2, 0.3, 0},
                                     (const double[9]){1, 0.1, 0, 3.4, 1, 0, 0, 0, 0}));
    const scree_material_id material = add_law(world, law_values, 3);
    for (int g = 0; g < DISKS; ++g) {
        scree_body_id id;
        const struct scree_disk_def disk = {
            .radius = 0.08 + 0.02 * splitmix_signed(&seed),
            .thickness = 0.1,
            .material = material,
            .position = {splitmix_signed(&seed), splitmix_signed(&seed)},
            .velocity = {0.05 * splitmix_signed(&seed), 0.05 * splitmix_signed(&seed)}};
        assert_ok(scree_body_add_disk(world, &disk, &id));
    }
    assert_ok(scree_cell_deform(world, (const double[9]){0.5, 5, 0, -1, -0.5, 0, 0, 0, 0}));
    struct scree_engine *engine = scree_cells_engine(world, 2e-4, 1);
    for (int k = 0; k < 20; ++k) {
        assert_ok(scree_engine_run(engine, 100));
        const struct scree_cell_state cell = scree_cells_state(world);
        size_t count, next = 0;
        assert_ok(scree_contact_list(world, contact, 500, &count));
        for (uint64_t a = 1; a <= DISKS; ++a)
            for (uint64_t b = a + 1; b <= DISKS; ++b) {
                const struct scree_body_state first = scree_test_state(world, a),
                                              second = scree_test_state(world, b);
                double least = INFINITE;
                for (int n = 0; n < 49; ++n) {
                    const double x = first.position[0] - second.position[0] + (n % 7 - 3) * cell.vectors[0] +
                                     (n / 7 - 3) * cell.vectors[3];
                    const double y = first.position[1] - second.position[1] + (n % 7 - 3) * cell.vectors[1] +
                                     (n / 7 - 3) * cell.vectors[4];
                    least = hypot(x, y) < least ? hypot(x, y) : least;
                }
                const double overlap = first.radius + second.radius - least;
                const bool listed =
                    next < count && contact[next].body[0].value == a && contact[next].body[1].value == b;
                // overlaps at round-off may be listed or not
                if (fabs(overlap) > 1e-12)
                    assert_int_equal(listed, overlap > 0);
                if (listed)
                    scree_test_near(contact[next++].overlap, overlap, 1e-13);
            }
        assert_int_equal(next, count);
        found += count;
    }
    // the gradient is without trace
    scree_test_near(scree_cells_state(world).volume, 0.66, 1e-6);
    assert_true(found > 200);
    scree_test_end(world, engine);
}

// Runs a packing in a cell given by some vectors of a lattice, of which a_y is (shear, 1, 0).
static void run_packing(const double vectors[9], const double places[9], uint64_t steps,
                        double fluctuation[GRAINS][3])
{
    static const double gradient[9] = {0, 5, 0, 0, 0, 0, 0, 0, 0};
    struct scree_cells made = scree_cells_make(vectors, 2e-4);
    fill(made.world, places, 9);
    assert_ok(scree_cell_deform(made.world, gradient));
    assert_ok(scree_engine_run(made.engine, steps));
    for (uint64_t g = 1; g <= GRAINS; ++g)
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){g}, fluctuation[g - 1]));
    scree_cells_end(&made);
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
    struct scree_cells made = scree_cells_make(scree_cells_cube, 2e-4);
    struct scree_world *box = scree_test_empty_world();
    assert_ok(
        scree_cell_set(box, &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {true, true, true}}));
    struct scree_engine *engine = scree_cells_engine(box, 2e-4, 1);
    fill(made.world, scree_cells_cube, 9);
    fill(box, scree_cells_cube, 9);
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
    scree_cells_end(&made);
    scree_test_end(box, engine);
}

// --- the same bits

static scree_status do_nothing(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    return SCREE_OK;
}

struct way {
    int threads;
    bool separate, restarts, pieces; // in runs of one step
    double skin, local, viscous;
};

static struct scree_digest digest_of(const struct way *way)
{
    static const double gradient[9] = {0.2, 25, 0, 0, -0.4, 5, 0, 0, 0.2};
    struct scree_cells made = scree_cells_make(scree_cells_cube, 2e-4);
    fill(made.world, scree_cells_cube, 11);
    assert_ok(scree_cell_deform(made.world, gradient));
    for (int part = 0; part < 2; ++part) {
        scree_engine_destroy(made.engine);
        if (way->restarts && part == 1)
            scree_test_restart(&made.world, "deforming-cell.checkpoint");
        made.engine = scree_cells_engine(made.world, 2e-4, way->threads);
        ((struct scree_soft *)made.engine->self)->collider.search.prescribed_skin = way->skin;
        const struct scree_damping damping = {.local = way->local, .viscous = way->viscous};
        assert_ok(scree_engine_set_damping(made.engine, &damping));
        scree_callback_id id;
        if (way->separate)
            assert_ok(scree_engine_set_callback(made.engine, 95, do_nothing, NULL, &id));
        for (int run = 0; run < (way->pieces ? 80 : 1); ++run)
            assert_ok(scree_engine_run(made.engine, way->pieces ? 1 : 80));
    }
    const struct scree_digest digest = scree_test_digest(made.world);
    scree_cells_end(&made);
    return digest;
}

static void threads_separate_passes_skins_restarts_and_runs_give_the_same_bits(void **state)
{
    (void)state;
    static const struct way damped[] = {{.threads = 1},
                                        {.threads = 1, .local = 0.3},
                                        {.threads = 1, .viscous = 20},
                                        {.threads = 1, .local = 0.3, .viscous = 20}};
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
        way.pieces = true;
        assert_true(scree_test_digests_equal(digest_of(&way), first));
        way.separate = way.restarts = false;
        assert_true(scree_test_digests_equal(digest_of(&way), first));
    }
}

static void a_cell_that_becomes_too_narrow_is_refused(void **state)
{
    (void)state;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 1e-3);
    fill(made.world, scree_cells_cube, 13);
    // squeezed by exp(-t) along x, to less than 4 radii
    assert_ok(scree_cell_deform(made.world, (const double[9]){-5, 0, 0, 0, 2.5, 0, 0, 0, 2.5}));
    scree_status status = SCREE_OK;
    for (int k = 0; k < 40 && status == SCREE_OK; ++k)
        status = scree_engine_run(made.engine, 10);
    assert_int_equal(status, SCREE_ERROR_LIMIT);
    assert_non_null(strstr(scree_status_message(), "begin with a larger cell"));
    scree_cells_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_collide_across_skewed_faces_as_inside),
        cmocka_unit_test(spheres_collide_across_moving_faces_as_inside),
        cmocka_unit_test(a_crystal_has_the_stress_of_its_springs),
        cmocka_unit_test(a_sheared_packing_has_the_contacts_of_all_pairs_and_images),
        cmocka_unit_test(sheared_disks_have_the_contacts_of_all_pairs_and_images),
        cmocka_unit_test(the_motion_does_not_depend_on_the_choice_of_vectors),
        cmocka_unit_test(a_box_with_cell_vectors_moves_as_the_box),
        cmocka_unit_test(threads_separate_passes_skins_restarts_and_runs_give_the_same_bits),
        cmocka_unit_test(a_cell_that_becomes_too_narrow_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
