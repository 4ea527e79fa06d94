// Walls defined by random numbers, also extreme and not finite ones: a wall is refused with a message and
// without any change, or distances from any position are finite, normals have unit length, and it can be
// moved and removed.

#include "base/memory.h"
#include "shape/surface.h"
#include "support/worlds.h"
#include "world/wall.h"

#include <stdlib.h>

static uint64_t seed = 1;

static uint64_t pick(uint64_t count)
{
    return splitmix_next(&seed) % count;
}

static double number(void)
{
    static const double extreme[] = {NOT_A_NUMBER, INFINITE, -INFINITE, 1e200, 1e150, -1e150, 1e-150, 1e-300};
    static const double plain[] = {0, 0, 0, 1, -1, 0.5};
    const uint64_t kind = pick(100);
    if (kind == 0)
        return extreme[pick(8)];
    return kind < 60 ? plain[pick(6)] : 3 * splitmix_signed(&seed);
}

static struct scree_wall_def random_wall(double *pivot)
{
    struct scree_wall_def def = {.shape = (enum scree_wall_shape)pick(9), .material = {pick(20) > 0}};
    double *const blocks[] = {
        def.plane.point,
        def.plane.normal,
        def.rectangle.corner,
        def.rectangle.edge[0],
        def.rectangle.edge[1],
        def.disk.centre,
        def.disk.normal,
        def.box.lower,
        def.box.upper,
        def.cylinder.from,
        def.cylinder.to,
        def.cone.from,
        def.cone.to,
        def.sphere.centre,
        def.velocity,
        def.spin,
        pivot,
    };
    double *const sizes[] = {&def.disk.radius,    &def.disk.hole,      &def.cylinder.radius,
                             &def.cone.radius[0], &def.cone.radius[1], &def.sphere.radius};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        for (int k = 0; k < 3; ++k)
            blocks[b][k] = number();
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s)
        *sizes[s] = number();
    for (int k = 0; k < 4 && pick(2); ++k)
        def.box.orientation[k] = number();
    // random edges are not perpendicular
    if (pick(2)) {
        const double *a = def.rectangle.edge[0];
        memcpy(def.rectangle.edge[1], (const double[3]){-a[1], a[0], 0}, sizeof def.rectangle.edge[1]);
    }
    def.box.side = (enum scree_wall_side)pick(4);
    def.sphere.side = (enum scree_wall_side)pick(4);
    def.pivot = pick(2) ? pivot : NULL;
    return def;
}

static void make_two_dimensional(struct scree_wall_def *def)
{
    double *const z[] = {
        &def->plane.point[2], &def->plane.normal[2], &def->disk.centre[2],   &def->disk.normal[2],
        &def->box.lower[2],   &def->box.upper[2],    &def->cylinder.from[2], &def->cylinder.to[2],
        &def->cone.from[2],   &def->cone.to[2],      &def->sphere.centre[2], &def->velocity[2],
        &def->spin[0],        &def->spin[1],
    };
    for (size_t k = 0; k < sizeof z / sizeof z[0]; ++k)
        *z[k] = 0;
    memcpy(def->rectangle.edge[1], (const double[3]){0, 0, 1}, sizeof def->rectangle.edge[1]);
    def->rectangle.edge[0][2] = 0;
}

// Distances and normals from positions with coordinates up to 1e140, whose squares do not overflow.
static void check_surface(const struct scree_world *world)
{
    const struct scree_wall *wall = scree_wall_row(world, 0);
    for (int n = 0; n < 10; ++n) {
        const double scale = n % 2 ? 1 : 1e140;
        double position[3];
        for (int k = 0; k < 3; ++k)
            position[k] = k == 2 && scree_world_dimension(world) == 2 ? 0 : scale * splitmix_signed(&seed);
        for (unsigned f = 0; f < scree_surface_features(wall); ++f) {
            struct scree_surface_touch touch;
            scree_surface_touch(wall, f, position, &touch);
            const double *u = touch.normal;
            assert_true(isfinite(touch.gap));
            assert_true(fabs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1) < 1e-14);
            assert_true(scree_surface_within(wall, f, position, touch.gap));
        }
        assert_true(scree_wall_speed(wall, position, position) >= 0);
    }
}

static void walls_are_refused_or_have_finite_distances_and_unit_normals(void **state)
{
    (void)state;
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS");
    const long rounds = rounds_requested ? 10 * atol(rounds_requested) : 20000;
    const size_t blocks_before = scree_memory_live();
    unsigned accepted[2][9] = {{0}};
    struct scree_world *world[2];
    struct scree_digest empty[2];
    for (int d = 0; d < 2; ++d) {
        assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2 + d}, &world[d]));
        (void)scree_test_material(world[d]);
        empty[d] = scree_test_digest(world[d]);
    }
    for (long r = 0; r < rounds; ++r) {
        double pivot[3];
        scree_wall_id id;
        const int d = (int)pick(2);
        struct scree_wall_def def = random_wall(pivot);
        if (d == 0 && pick(10) > 0) {
            make_two_dimensional(&def);
            pivot[2] = 0;
        }
        const scree_status status = scree_wall_add(world[d], &def, &id);
        if (status != SCREE_OK) {
            assert_int_equal(status, SCREE_ERROR_ARGUMENT);
            assert_true(strlen(scree_status_message()) > 20);
            assert_true(scree_test_digests_equal(empty[d], scree_test_digest(world[d])));
            continue;
        }
        ++accepted[d][def.shape];
        assert_ok(scree_world_validate(world[d]));
        check_surface(world[d]);
        scree_wall_advance(world[d], fabs(splitmix_signed(&seed)));
        check_surface(world[d]);
        assert_ok(scree_wall_remove(world[d], id));
    }
    // every shape was accepted in each dimension
    for (int shape = SCREE_WALL_PLANE; shape <= SCREE_WALL_SPHERE; ++shape)
        assert_true(accepted[0][shape] > 0 && accepted[1][shape] > 0);
    for (int d = 0; d < 2; ++d)
        scree_world_destroy(world[d]);
    assert_int_equal(scree_memory_live(), blocks_before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_are_refused_or_have_finite_distances_and_unit_normals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
