// Displacements of grains since a search (contact/displacements.h): relative to the nearest image and to the
// mean motion of a cell, less the extra margins of fast grains.

#include "contact/displacements.h"
#include "support/cells.h"
#include "world/grain.h"

#include <math.h>

enum { GRAINS = 8 };

static const struct scree_team team = {1};

// Grains at rest, but for the first, which has a velocity along x.
static struct scree_world *make(double speed, const double period[3])
{
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    if (period)
        assert_ok(scree_cell_set(world, &(struct scree_cell_def){.upper = {period[0], period[1], period[2]},
                                                                 .periodic = {true, true, true}}));
    for (int n = 0; n < GRAINS; ++n) {
        const double position[3] = {0.5 + n, 0.5, 0.25 * n}, velocity[3] = {n == 0 ? speed : 0, 0, 0},
                     spin[3] = {0, 0, 0};
        (void)scree_cells_add(world, material, 0.1, position, velocity, spin);
    }
    return world;
}

static double *position_of(struct scree_world *world, size_t slot)
{
    return scree_world_grains(world)[slot].position;
}

// Positions are stored as floats: of numbers below 8 they are within 2^-22, and so is each component.
static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 16 * 0x1p-22))
        fail_msg("%.9g, not %.9g", value, expected);
}

static void the_largest_displacement_is_found(void **state)
{
    (void)state;
    struct scree_world *world = make(0, NULL);
    struct scree_displacements displacements = {0};
    assert_true(isinf(scree_displacements_largest(&displacements, world, &team)));
    assert_ok(scree_displacements_begin(&displacements, world, 0.1, 1));
    assert_near(scree_displacements_largest(&displacements, world, &team), 0);
    position_of(world, 3)[0] += 0.03;
    position_of(world, 3)[1] -= 0.04;
    position_of(world, 5)[2] += 0.02;
    assert_near(scree_displacements_largest(&displacements, world, &team), 0.05);
    // never smaller than the exact one
    assert_true(scree_displacements_largest(&displacements, world, &team) >= 0.05);
    position_of(world, 6)[1] = (double)NAN;
    assert_true(isinf(scree_displacements_largest(&displacements, world, &team)));
    scree_displacements_forget(&displacements);
    position_of(world, 6)[1] = 0.5;
    assert_true(isinf(scree_displacements_largest(&displacements, world, &team)));
    scree_displacements_free(&displacements);
    scree_world_destroy(world);
}

// One of eight grains has eight times the mean speed, and all others are below it. With a skin of 0.1 its
// extra is 0.05 (8 - 1), unless it is limited.
static void a_fast_grain_has_an_extra(void **state)
{
    (void)state;
    static const double limit[] = {1, 0.2}, expected[] = {0.35, 0.2};
    struct scree_world *world = make(3, NULL);
    struct scree_displacements displacements = {0};
    for (int k = 0; k < 2; ++k) {
        assert_ok(scree_displacements_begin(&displacements, world, 0.1, limit[k]));
        assert_near((double)displacements.extra[0], expected[k]);
        assert_true(displacements.largest_extra >= (double)displacements.extra[0]);
        for (size_t i = 1; i < GRAINS; ++i)
            assert_true(displacements.extra[i] == 0);
        position_of(world, 0)[1] += expected[k] + 0.01;
        assert_near(scree_displacements_largest(&displacements, world, &team), 0.01);
        position_of(world, 2)[1] += 0.03;
        assert_near(scree_displacements_largest(&displacements, world, &team), 0.03);
    }
    scree_displacements_free(&displacements);
    scree_world_destroy(world);
}

static void a_grain_that_crosses_a_face_moves_by_the_shortest_way(void **state)
{
    (void)state;
    struct scree_world *world = make(0, (const double[3]){9, 8, 7});
    struct scree_displacements displacements = {0};
    assert_ok(scree_displacements_begin(&displacements, world, 0.1, 1));
    position_of(world, 0)[2] += 7 - 0.02;
    assert_near(scree_displacements_largest(&displacements, world, &team), 0.02);
    scree_displacements_free(&displacements);
    scree_world_destroy(world);
}

// The cell deforms by F = H' H^-1, and the grains with it, but one has a displacement u and enters the cell
// through a face: displacements are 0, and |u|.
static void the_mean_motion_of_a_cell_is_no_displacement(void **state)
{
    (void)state;
    static const double f[3][3] = {{1.01, 0.04, 0}, {0, 0.98, 0.03}, {0, -0.02, 1}},
                        u[3] = {0.01, 0.02, -0.02};
    struct scree_world *world = make(0, (const double[3]){9, 8, 7});
    struct scree_displacements displacements = {0};
    assert_ok(scree_cell_deform(world, (const double[9]){0}));
    assert_ok(scree_displacements_begin(&displacements, world, 0.1, 1));
    double *vectors = scree_world_lattice(world)->vectors, old[9];
    memcpy(old, vectors, sizeof old);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            vectors[3 * i + j] = f[i][0] * old[j] + f[i][1] * old[3 + j] + f[i][2] * old[6 + j];
    for (size_t g = 0; g < GRAINS; ++g) {
        double *x = position_of(world, g);
        const double from[3] = {x[0], x[1], x[2]};
        for (int i = 0; i < 3; ++i)
            x[i] = f[i][0] * from[0] + f[i][1] * from[1] + f[i][2] * from[2];
    }
    assert_near(scree_displacements_largest(&displacements, world, &team), 0);
    for (int i = 0; i < 3; ++i)
        position_of(world, 4)[i] += u[i] + vectors[3 * i + 1];
    assert_near(scree_displacements_largest(&displacements, world, &team), 0.03);
    scree_displacements_free(&displacements);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_displacement_is_found),
        cmocka_unit_test(a_fast_grain_has_an_extra),
        cmocka_unit_test(a_grain_that_crosses_a_face_moves_by_the_shortest_way),
        cmocka_unit_test(the_mean_motion_of_a_cell_is_no_displacement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
