// The automatic step of clumps: between 0.3 and 1 of the true limit of a cluster, found by power iteration on
// its stiffness matrix, which is assembled here without the engine; equal to that of spheres for clumps of
// one sphere; and the limits of the displacement in a step.

#include "support/clumps.h"

enum { CLUMPS = 30, GRAINS = CLUMPS * SCREE_TEST_PEBBLES };

static const double k = 1e5, kt = 8e4, density = 2500;

static struct scree_world *make_world(scree_material_id *material)
{
    const struct scree_interaction_value values[] = {{"friction", 0.5, NULL},
                                                     {"restitution", 1, NULL},
                                                     {"stiffness", k, NULL},
                                                     {"stiffness-tangential", kt, NULL}};
    struct scree_world *world;
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"glass", density}, material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 4}));
    return world;
}

static double automatic_step(struct scree_world *world, const struct scree_alarms *alarms)
{
    struct scree_engine *engine;
    double step;
    struct scree_soft_def def = {.safety = 1, .threads = 1};
    if (alarms)
        def.alarms = *alarms;
    assert_ok(scree_soft_create(world, &def, &engine));
    assert_ok(scree_engine_step(engine, &step));
    scree_engine_destroy(engine);
    return step;
}

// Grains of a cluster, with their arms in world axes.
struct cluster {
    struct scree_body_state body[CLUMPS];
    double axes[CLUMPS][3][3]; // rows: the body axes in world axes
    double centre[GRAINS][3], arm[GRAINS][3], radius[GRAINS];
    int owner[GRAINS], grains;
};

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void find_axes(const double *q, double (*axes)[3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                               {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                               {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(axes, rows, sizeof rows);
}

static void add_to_cluster(struct cluster *c, int b, const struct scree_test_clump *shape)
{
    find_axes(c->body[b].orientation, c->axes[b]);
    for (size_t p = 0; p < shape->def.pebbles; ++p, ++c->grains) {
        c->owner[c->grains] = b;
        c->radius[c->grains] = shape->pebble[p].radius;
        for (int d = 0; d < 3; ++d) {
            c->arm[c->grains][d] = 0;
            for (int a = 0; a < 3; ++a)
                c->arm[c->grains][d] += shape->pebble[p].offset[a] * c->axes[b][a][d];
            c->centre[c->grains][d] = c->body[b].position[d] + c->arm[c->grains][d];
        }
    }
}

// f += K x of the contact of grains g and h, for three translations and three rotations of each body.
static void multiply_contact(const struct cluster *c, int g, int h, double (*x)[6], double (*f)[6])
{
    double n[3], square = 0, u[3], r[2][3], turned[2][3], spring[3], moment[3], normal_part = 0;
    const int side[2] = {g, h};
    for (int d = 0; d < 3; ++d) {
        n[d] = c->centre[g][d] - c->centre[h][d];
        square += n[d] * n[d];
    }
    const double overlap = c->radius[g] + c->radius[h] - sqrt(square);
    if (overlap <= 0)
        return;
    for (int s = 0; s < 2; ++s) {
        for (int d = 0; d < 3; ++d)
            r[s][d] = c->arm[side[s]][d] +
                      (s == 0 ? -1 : 1) * (c->radius[side[s]] - overlap / 2) * n[d] / sqrt(square);
        cross(&x[c->owner[side[s]]][3], r[s], turned[s]);
    }
    for (int d = 0; d < 3; ++d) {
        n[d] /= sqrt(square);
        u[d] = x[c->owner[g]][d] + turned[0][d] - x[c->owner[h]][d] - turned[1][d];
        normal_part += u[d] * n[d];
    }
    for (int d = 0; d < 3; ++d)
        spring[d] = k * normal_part * n[d] + kt * (u[d] - normal_part * n[d]);
    for (int s = 0; s < 2; ++s) {
        cross(r[s], spring, moment);
        for (int d = 0; d < 3; ++d) {
            f[c->owner[side[s]]][d] += (s == 0 ? 1 : -1) * spring[d];
            f[c->owner[side[s]]][3 + d] += (s == 0 ? 1 : -1) * moment[d];
        }
    }
}

// x = M^-1 f of one body; returns x M x.
static double divide_by_inertia(const struct cluster *c, int b, const double *f, double *x)
{
    double norm = 0;
    for (int d = 0; d < 3; ++d) {
        x[d] = f[d] / c->body[b].mass;
        norm += x[d] * f[d];
        x[3 + d] = 0;
    }
    for (int a = 0; a < 3; ++a) {
        const double *axis = c->axes[b][a];
        const double about = axis[0] * f[3] + axis[1] * f[4] + axis[2] * f[5];
        for (int d = 0; d < 3; ++d)
            x[3 + d] += axis[d] * about / c->body[b].inertia[a];
        norm += about * about / c->body[b].inertia[a];
    }
    return norm;
}

static double largest_frequency(const struct cluster *c)
{
    double x[CLUMPS][6], f[CLUMPS][6], eigenvalue = 0;
    uint64_t seed = 9;
    for (int b = 0; b < CLUMPS; ++b)
        for (int d = 0; d < 6; ++d)
            x[b][d] = splitmix_signed(&seed);
    for (int round = 0; round < 2000; ++round) {
        double norm = 0;
        memset(f, 0, sizeof f);
        for (int g = 0; g < c->grains; ++g)
            for (int h = g + 1; h < c->grains; ++h)
                if (c->owner[g] != c->owner[h])
                    multiply_contact(c, g, h, x, f);
        for (int b = 0; b < CLUMPS; ++b)
            norm += divide_by_inertia(c, b, f[b], x[b]);
        for (int b = 0; b < CLUMPS; ++b)
            for (int d = 0; d < 6; ++d)
                x[b][d] /= sqrt(norm);
        eigenvalue = sqrt(norm);
    }
    return sqrt(eigenvalue);
}

static double cluster_ratio(const struct scree_test_clump *shape, double side, uint64_t seed)
{
    static struct cluster c;
    scree_material_id material;
    struct scree_world *world = make_world(&material);
    c.grains = 0;
    for (int b = 0; b < CLUMPS; ++b) {
        struct scree_rigid_def at = {.mass = 0};
        for (int d = 0; d < 3; ++d)
            at.position[d] = side * splitmix_signed(&seed);
        for (int d = 0; d < 4; ++d)
            at.orientation[d] = splitmix_signed(&seed);
        const scree_body_id id = scree_test_clump_add(world, shape, material, &at);
        assert_ok(scree_body_get(world, id, &c.body[b]));
        add_to_cluster(&c, b, shape);
    }
    const double step = automatic_step(world, NULL);
    scree_world_destroy(world);
    return step * largest_frequency(&c) / 2;
}

// The step is shorter than the limit because of possible impacts (none happen here) in the least favourable
// direction, because not all contacts act in one direction, and because of rounding to sixteenths.
static void the_step_of_a_cluster_is_between_0_3_and_1_of_the_true_limit(void **state)
{
    (void)state;
    struct scree_test_clump shapes[3];
    static const double rod[5][4] = {
        {-2, 0, 0, 0.5}, {-1, 0, 0, 0.5}, {0, 0, 0, 0.5}, {1, 0, 0, 0.5}, {2, 0, 0, 0.5}};
    static const char *const names[3] = {"dimers", "irregular", "rods of five"};
    scree_test_clump_dimer(0, density, &shapes[0]);
    scree_test_clump_irregular(density, &shapes[1]);
    scree_test_clump_make(rod, 5, density, &shapes[2]);
    for (int s = 0; s < 3; ++s)
        for (int density_step = 0; density_step < 4; ++density_step) {
            const double ratio = cluster_ratio(&shapes[s], 3.2 - 0.6 * density_step, 100 + (uint64_t)s);
            print_message("%s: the step is %.3g of the true limit\n", names[s], ratio);
            assert_true(ratio <= 1 && ratio > 0.3);
        }
}

static void clumps_of_one_sphere_have_the_step_of_spheres(void **state)
{
    (void)state;
    const double sphere[1][4] = {{0, 0, 0, 0.5}};
    struct scree_test_clump shape;
    scree_test_clump_make(sphere, 1, density, &shape);
    for (int apart = 0; apart < 2; ++apart) {
        double step[2];
        for (int clumps = 0; clumps < 2; ++clumps) {
            scree_material_id material;
            struct scree_world *world = make_world(&material);
            for (int b = 0; b < 4; ++b) {
                struct scree_rigid_def at = {.position = {(apart ? 1.1 : 0.9) * b, 0.1 * b * b, 0},
                                             .velocity = {b % 2, 0, 0}};
                struct scree_sphere_def def = {.radius = 0.5, .material = material};
                scree_body_id id;
                memcpy(def.position, at.position, sizeof def.position);
                memcpy(def.velocity, at.velocity, sizeof def.velocity);
                if (clumps)
                    (void)scree_test_clump_add(world, &shape, material, &at);
                else
                    assert_ok(scree_body_add_sphere(world, &def, &id));
            }
            step[clumps] = automatic_step(world, NULL);
            scree_world_destroy(world);
        }
        assert_true(step[0] == step[1]);
    }
}

// A dimer that spins about an axis across it: the centres of its pebbles move at w / 2. The step that is
// chosen moves them by at most half of the limit of the alarm.
static void the_step_and_the_alarm_limit_the_displacement_of_pebbles(void **state)
{
    (void)state;
    struct scree_test_clump shape;
    const struct scree_alarms alarms = {.displacement = 0.1};
    const double spin = 1000;
    scree_material_id material;
    struct scree_engine *engine;
    scree_test_clump_dimer(0, density, &shape);
    struct scree_world *world = make_world(&material);
    (void)scree_test_clump_add(world, &shape, material, &(struct scree_rigid_def){.spin = {0, 0, spin}});
    const double longest = 0.5 * alarms.displacement * 0.5 / (spin * 0.5),
                 step = automatic_step(world, &alarms);
    assert_true(step <= longest && step > longest * 15 / 16.0);
    const struct scree_soft_def allowed = {.step = 2 * longest * 0.99, .threads = 1, .alarms = alarms},
                                too_long = {.step = 2 * longest * 1.01, .threads = 1, .alarms = alarms};
    assert_ok(scree_soft_create(world, &allowed, &engine));
    assert_ok(scree_engine_run(engine, 10));
    scree_engine_destroy(engine);
    assert_ok(scree_soft_create(world, &too_long, &engine));
    assert_refused(SCREE_ERROR_NUMBER, "pebble 1 of body 1 in a step is 0.101", scree_engine_run(engine, 1));
    scree_engine_destroy(engine);
    // an edit of the position is not a displacement
    assert_ok(scree_soft_create(world, &allowed, &engine));
    assert_ok(scree_engine_run(engine, 1));
    assert_ok(scree_body_set_position(world, (scree_body_id){1}, (const double[3]){5, 0, 0}));
    assert_ok(scree_engine_run(engine, 1));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_step_of_a_cluster_is_between_0_3_and_1_of_the_true_limit),
        cmocka_unit_test(clumps_of_one_sphere_have_the_step_of_spheres),
        cmocka_unit_test(the_step_and_the_alarm_limit_the_displacement_of_pebbles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
