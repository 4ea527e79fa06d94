// Clumps and walls of all shapes in the event engine.

#include "support/hard_clumps.h"

#include <scree/cell.h>

static const double cube[8][3] = {{-3, -3, -3}, {3, -3, -3}, {-3, 3, -3}, {3, 3, -3},
                                  {-3, -3, 3},  {3, -3, 3},  {-3, 3, 3},  {3, 3, 3}};
static const uint32_t faces[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                      {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};

// A wall that holds bodies, and the gap of a sphere to it in closed form.
static const struct holder {
    struct scree_wall_def def;
    double turns; // about the y axis
} holders[] = {
    {.def = {.shape = SCREE_WALL_SPHERE, .sphere = {.radius = 3, .side = SCREE_WALL_INSIDE}}},
    {.def = {.shape = SCREE_WALL_CYLINDER,
             .cylinder = {.from = {0, -9, 0}, .to = {0, 9, 0}, .radius = 3},
             .spin = {0, 2, 0}},
     .turns = 2},
    {.def = {.shape = SCREE_WALL_BOX,
             .box = {.lower = {-3, -3, -3}, .upper = {3, 3, 3}, .side = SCREE_WALL_INSIDE},
             .spin = {0, 0.5, 0}},
     .turns = 0.5},
    {.def = {.shape = SCREE_WALL_MESH,
             .mesh = {.vertex = cube, .vertices = 8, .facet = faces, .facets = 12}}},
    {.def = {.shape = SCREE_WALL_SPHERE, .sphere = {.radius = 1.2, .side = SCREE_WALL_OUTSIDE}}},
};

static double gap_to(const struct holder *holder, double time, const double *x, double radius)
{
    const double c = cos(holder->turns * time), s = sin(holder->turns * time),
                 distance = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (holder == &holders[0])
        return 3 - distance - radius;
    if (holder == &holders[1])
        return 3 - sqrt(x[0] * x[0] + x[2] * x[2]) - radius;
    if (holder == &holders[4])
        return distance - 1.2 - radius;
    const double at[3] = {c * x[0] - s * x[2], x[1], s * x[0] + c * x[2]};
    return 3 - fmax(fabs(at[0]), fmax(fabs(at[1]), fabs(at[2]))) - radius;
}

// A vibration with three times the gravity of the test.
static const struct scree_wall_vibration vibration = {
    .direction = {1, 2, -2}, .amplitude = 0.06, .frequency = 0.6, .phase = 0.5};

static double shift_of(double time, int k)
{
    const double rate = 2 * acos(-1) * vibration.frequency;
    return vibration.amplitude * vibration.direction[k] / 3 *
           (sin(rate * time + vibration.phase) - sin(vibration.phase));
}

// The least gap of the pebbles of all bodies.
static double least_gap(const struct hard *hard, const struct holder *holder, bool shaken)
{
    struct scree_view at, radius;
    double least = INFINITE;
    assert_ok(scree_field_view(hard->world, "grain.position", &at));
    assert_ok(scree_field_view(hard->world, "grain.radius", &radius));
    for (size_t g = 0; g < at.count; ++g) {
        double x[3], r;
        memcpy(x, (const char *)at.base + g * at.stride, sizeof x);
        memcpy(&r, (const char *)radius.base + g * radius.stride, sizeof r);
        for (int k = 0; k < 3 && shaken; ++k)
            x[k] -= shift_of(scree_world_time(hard->world), k);
        least = fmin(least, gap_to(holder, scree_world_time(hard->world), x, r));
    }
    return least;
}

// Clumps that fly about in closed walls never get into them, as closed forms tell at many times; smooth
// elastic ones keep their energy where the wall does no work. Gaps have rounding errors, and what bodies may
// sink, 1e-12 of their size; each collision would miss by far more if it were late by a millionth of its
// time.
static void hold(bool shaken)
{
    for (size_t h = 0; h < sizeof holders / sizeof holders[0]; ++h) {
        const bool inside = h < 4;
        struct hard hard =
            hard_make(&(struct scree_world_def){.gravity = {0, 0, inside ? -0.3 : 0}}, 1, 1, 0, 0);
        struct scree_wall_def def = holders[h].def;
        scree_wall_id wall;
        def.material = hard.material;
        assert_ok(scree_wall_add(hard.world, &def, &wall));
        if (shaken)
            assert_ok(scree_wall_set_vibration(hard.world, wall, &vibration));
        if (!inside)
            assert_ok(scree_wall_add(
                hard.world,
                &(struct scree_wall_def){
                    .shape = SCREE_WALL_BOX,
                    .material = hard.material,
                    .box = {.lower = {-3, -3, -3}, .upper = {3, 3, 3}, .side = SCREE_WALL_INSIDE}},
                &wall));
        for (int b = 0; b < 6; ++b) {
            const double out = inside ? 1.2 : 2.1;
            struct scree_rigid_def at = {.velocity = {0.7, 0.2 * b, -0.5}, .spin = {0.3 * b, 1, -0.5}};
            at.position[b / 2] = b % 2 ? out : -out;
            (void)hard_add(&hard, b % 2, &at);
        }
        struct scree_energy before, after;
        assert_ok(scree_energy_get(hard.world, &before));
        hard_start(&hard, 1. / 64);
        for (int n = 0; n < 640; ++n) {
            assert_ok(scree_engine_run(hard.engine, 1));
            const double gap = least_gap(&hard, &holders[h], shaken);
            if (!(gap > -1e-11))
                fail_msg("wall %zu: a gap of %g at %g s", h, gap, scree_world_time(hard.world));
        }
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_true(counts.walls > 15);
        assert_ok(scree_energy_get(hard.world, &after));
        const double energy = after.translation + after.rotation + after.gravity,
                     first = before.translation + before.rotation + before.gravity;
        if (h != 2 && !shaken)
            hard_within(energy, first, 1e-12 * fabs(first));
        if (shaken)
            assert_true(fabs(energy - first) > 1e-3 * fabs(first));
        hard_within(after.balance, 0, 1e-12 * fabs(first));
        hard_end(&hard);
    }
}

static void walls_of_other_shapes_hold_clumps(void **state)
{
    (void)state;
    hold(false);
}

// Also where they vibrate; the work that they do is in the ledger.
static void walls_that_vibrate_hold_clumps(void **state)
{
    (void)state;
    hold(true);
}

// A floor of facets with a ridge along y in a periodic cell, and a ceiling.
static struct hard add_ridge(double ridge)
{
    struct hard hard = hard_make(&(struct scree_world_def){.gravity = {0, 0, -1}}, 1, 1, 0, 0);
    double vertex[10][3];
    uint32_t facet[8][3];
    scree_wall_id wall;
    for (uint32_t n = 0; n < 5; ++n) {
        const double from = fabs(n - ridge);
        for (uint32_t side = 0; side < 2; ++side) {
            double *at = vertex[2 * n + side];
            at[0] = n;
            at[1] = 4 * side;
            at[2] = from == 0 || from == 4 ? 0.4 : 0;
        }
        for (uint32_t half = 0; half < 2 && n < 4; ++half) {
            uint32_t *of = facet[2 * n + half];
            of[0] = 2 * n + half;
            of[1] = 2 * n + 2 + half;
            of[2] = 2 * n + (half ? 2 : 1);
        }
    }
    assert_ok(scree_cell_set(hard.world,
                             &(struct scree_cell_def){.upper = {4, 4, 4}, .periodic = {true, true, false}}));
    const struct scree_wall_def floor = {.shape = SCREE_WALL_MESH,
                                         .material = hard.material,
                                         .mesh = {.vertex = (const double(*)[3])vertex,
                                                  .vertices = 10,
                                                  .facet = (const uint32_t(*)[3])facet,
                                                  .facets = 8}};
    assert_ok(scree_wall_add(hard.world, &floor, &wall));
    return hard;
}

// The ridge is on a face of the cell, or in the middle of it, and a clump where it is as far from it: in both
// worlds it has the same motion but for rounding, which grows with each collision. After four of them it is
// far below the differences that a missed contact would make.
static void clumps_meet_facets_beyond_faces_of_the_cell(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int n = 0; n < 500; ++n) {
        struct hard hard[2];
        scree_body_id id[2];
        struct scree_rigid_def at = {.orientation = {1}};
        for (int k = 0; k < 3; ++k) {
            at.position[k] = k == 2 ? 1.5 : 2 + 2 * splitmix_signed(&seed);
            at.velocity[k] = 2 * splitmix_signed(&seed);
            at.spin[k] = splitmix_signed(&seed);
        }
        uint64_t walls[2];
        for (int way = 0; way < 2; ++way) {
            hard[way] = add_ridge(way == 0 ? 0 : 2);
            at.position[0] += way == 0 ? 0 : at.position[0] < 2 ? 2 : -2;
            id[way] = hard_add(&hard[way], n % 2, &at);
            // the ridge goes on beyond faces, which the alarm does not see
            struct scree_event_def def = {.step = 0.0625};
            def.alarms.policy[SCREE_ALARM_FACE] = SCREE_ALARM_IGNORE;
            assert_ok(scree_event_create(hard[way].world, &def, &hard[way].engine));
            struct scree_event_counts counts = {0};
            for (int k = 0; k < 400 && counts.walls < 4; ++k) {
                assert_ok(scree_engine_run(hard[way].engine, 1));
                assert_ok(scree_event_get_counts(hard[way].engine, &counts));
            }
            walls[way] = counts.walls;
        }
        const struct scree_body_state a = hard_state_of(&hard[0], id[0]), b = hard_state_of(&hard[1], id[1]);
        assert_true(walls[0] >= 4 && walls[0] == walls[1]);
        hard_within(scree_world_time(hard[0].world), scree_world_time(hard[1].world), 0);
        for (int k = 0; k < 3; ++k) {
            const double d = a.position[k] - b.position[k] - (k == 0 ? 2 : 0);
            hard_within(k < 2 ? d - 4 * round(d / 4) : d, 0, 1e-9);
            hard_within(a.velocity[k], b.velocity[k], 1e-9);
        }
        hard_end(&hard[0]);
        hard_end(&hard[1]);
    }
}

// Walls whose surface is at x = 0, and vibrates along x.
static struct scree_wall_def wall_at_zero(int shape, scree_material_id material)
{
    struct scree_wall_def def = {.material = material};
    if (shape == 0) {
        def.shape = SCREE_WALL_BOX;
        def.box =
            (struct scree_wall_box){.lower = {-1, -9, -9}, .upper = {0, 9, 9}, .side = SCREE_WALL_OUTSIDE};
    } else if (shape == 1) {
        def.shape = SCREE_WALL_CYLINDER;
        def.cylinder = (struct scree_wall_cylinder){{9, 0, -9}, {9, 0, 9}, 9};
    } else {
        def.shape = SCREE_WALL_SPHERE;
        def.sphere = (struct scree_wall_sphere){{-5, 0, 0}, 5, SCREE_WALL_OUTSIDE};
    }
    return def;
}

static void keep_first_time(void *user, const struct scree_event_collision *collision)
{
    double *time = (double *)user;
    *time = collision->time < *time ? collision->time : *time;
}

// A dimer of length 1.4 at rest. Where the wall never reaches it nothing happens, and the search for the next
// contact ends; at half of the amplitude a it is hit after a twelfth of a period.
static void clumps_at_rest_beside_walls_that_vibrate(void **state)
{
    (void)state;
    const double amplitude = 0.1, frequency = 50;
    for (int shape = 0; shape < 3; ++shape)
        for (int far = 0; far < 2; ++far) {
            struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
            const struct scree_wall_def def = wall_at_zero(shape, hard.material);
            const struct scree_wall_vibration here = {
                .direction = {1, 0, 0}, .amplitude = amplitude, .frequency = frequency};
            const struct scree_rigid_def at = {.position = {far ? 3 : 0.7 + amplitude / 2, 0, 0},
                                               .orientation = {1}};
            double first = (double)INFINITY;
            scree_wall_id wall;
            assert_ok(scree_wall_add(hard.world, &def, &wall));
            assert_ok(scree_wall_set_vibration(hard.world, wall, &here));
            (void)hard_add(&hard, 0, &at);
            hard_start(&hard, 0.01);
            assert_ok(scree_event_observe(hard.engine, keep_first_time, &first));
            assert_ok(scree_engine_run_until(hard.engine, far ? 1 : 0.01));
            // a contact is found to 2^-50 of the size, at the speed 2 pi a f cos(30 deg)
            if (far)
                assert_true(!(first < (double)INFINITY));
            else
                hard_within(first, 1 / (12 * frequency), 1e-15);
            hard_end(&hard);
        }
}

// A dimer along the axis of a tube: its members are on the axis, where the wall has no nearest point. At rest
// it stays; across, both members meet the wall at once.
static void clumps_on_the_axis_of_a_wall(void **state)
{
    (void)state;
    for (int shape = 0; shape < 2; ++shape)
        for (int moves = 0; moves < 2; ++moves) {
            struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
            // along the x axis, as the dimer
            struct scree_wall_def def = {.shape = SCREE_WALL_CYLINDER, .material = hard.material};
            if (shape == 0)
                def.cylinder = (struct scree_wall_cylinder){{-9, 0, 0}, {9, 0, 0}, 3};
            else
                def.shape = SCREE_WALL_SPHERE, def.sphere.radius = 3, def.sphere.side = SCREE_WALL_INSIDE;
            scree_wall_id wall;
            assert_ok(scree_wall_add(hard.world, &def, &wall));
            // in the sphere one member is in the middle
            const struct scree_rigid_def at = {.position = {shape == 0 ? 0 : 0.35, 0, 0},
                                               .velocity = {0, moves ? 0.6 : 0, moves ? 0.8 : 0},
                                               .orientation = {1}};
            double first = INFINITE;
            (void)hard_add(&hard, 0, &at);
            hard_start(&hard, 0.1);
            assert_ok(scree_event_observe(hard.engine, keep_first_time, &first));
            assert_ok(scree_engine_run_until(hard.engine, 4));
            // with the speed 1: up to r = 2.65, for the other member of the sphere from 0.7 beside the middle
            const double way = shape == 0 ? 2.65 : sqrt(2.65 * 2.65 - 0.7 * 0.7);
            if (moves)
                hard_within(first, way, 1e-14);
            else
                assert_true(!(first < INFINITE));
            hard_end(&hard);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_of_other_shapes_hold_clumps),
        cmocka_unit_test(walls_that_vibrate_hold_clumps),
        cmocka_unit_test(clumps_meet_facets_beyond_faces_of_the_cell),
        cmocka_unit_test(clumps_at_rest_beside_walls_that_vibrate),
        cmocka_unit_test(clumps_on_the_axis_of_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
