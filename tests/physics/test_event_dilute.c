// Dilute gases of hard spheres in the event engine: how often neighbour lists are built.

#include "support/hard_bodies.h"

static const double pi = 3.14159265358979323846;

enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE };

// A lattice in a periodic cube, with random velocities.
static void add_gas(struct hard *hard, double side)
{
    uint64_t seed = 7;
    assert_ok(scree_cell_set(
        hard->world, &(struct scree_cell_def){.upper = {side, side, side}, .periodic = {true, true, true}}));
    for (int g = 0; g < COUNT; ++g) {
        const int at[3] = {g % SIDE, g / SIDE % SIDE, g / SIDE / SIDE};
        struct scree_sphere_def def = {.radius = 0.5, .material = hard->material};
        scree_body_id id;
        for (int k = 0; k < 3; ++k) {
            def.position[k] = (at[k] + 0.5) * side / SIDE;
            def.velocity[k] = splitmix_signed(&seed);
        }
        assert_ok(scree_body_add_sphere(hard->world, &def, &id));
    }
}

// A body of a dilute gas leaves the sphere of radius m / 2 in which its list is valid after flying m / 2 from
// its middle, or 0.95 m across it from a place 0.9 m / 2 ahead. With the mean path l two bodies fly 2 l for
// one collision, and build 4 l / m or 2.1 l / m lists. Collisions within the sphere turn bodies, and a body
// stays less than it would: the limit is the mean of both numbers, 3 l / m. The margin m is that of 16
// neighbours: 8 f (1 + m)^3 = 16 at the solid fraction f.
static void a_dilute_gas_crosses_the_regions_of_its_lists(void **state)
{
    (void)state;
    const double fraction = 0.01, density = 6 * fraction / pi, path = 1 / (sqrt(2) * pi * density),
                 margin = cbrt(16 / (8 * fraction)) - 1;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 6 / pi, 1, 0, 0);
    struct scree_event_counts counts;
    add_gas(&hard, cbrt(COUNT / density));
    hard_start(&hard, 10);
    assert_ok(scree_engine_run(hard.engine, 40));
    assert_ok(scree_event_get_counts(hard.engine, &counts));
    assert_true(counts.pairs > 5 * COUNT);
    const double built = (double)counts.rebuilds / (double)counts.pairs;
    assert_true(built < 3 * path / margin);
    assert_true(built > 1.5 * path / margin);
    hard_end(&hard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dilute_gas_crosses_the_regions_of_its_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
