// Collisions of bodies that carry grains: a body with one central grain moves like a sphere, bodies with two
// grains conserve momenta and (to the order of the integration scheme) energy, and grains of one body never
// touch.

#include "support/bed.h"
#include "world/grain.h"

#include <math.h>

#define FRICTION                                                                                             \
    {                                                                                                        \
        "friction", 0.3, NULL                                                                                \
    }

static void run(const struct scree_bed *bed, struct scree_world **world, uint64_t steps)
{
    struct scree_engine *engine;
    scree_bed_build(bed, world);
    scree_bed_engine(bed, *world, &engine);
    assert_ok(scree_engine_run(engine, steps));
    scree_engine_destroy(engine);
}

// With equal moments of inertia both schemes of rotation make the same step, so the worlds differ by rounding
// only. An impact amplifies a difference by about the ratio of distance travelled to overlap: ten times in
// each of the few impacts.
static void a_body_with_one_central_grain_moves_like_a_sphere(void **state)
{
    (void)state;
    static const struct scree_bed cases[] = {
        {.law = "hertz-mindlin", .values = {FRICTION, {"restitution", 0.7, NULL}}, .gravity = -9.81},
        {.law = "hertz-mindlin", .values = {FRICTION, {"restitution", 0.7, NULL}}, .plate = true},
        {.law = "linear",
         .values = {FRICTION,
                    {"restitution", 0.7, NULL},
                    {"stiffness", 4e5, NULL},
                    {"rolling-friction", 0.1, NULL},
                    {"twisting-friction", 0.1, NULL}},
         .overlapping = true,
         .periodic = true,
         .fixed = true},
        {.dimension = 2,
         .law = "linear",
         .values = {FRICTION, {"restitution", 0.7, NULL}, {"stiffness", 4e5, NULL}},
         .loads = true},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        struct scree_bed bed = cases[c];
        struct scree_world *balls, *carriers;
        bed.step = 2e-5;
        run(&bed, &balls, 1000);
        bed.carried = 1;
        run(&bed, &carriers, 1000);
        double most = 0, speed = 0;
        for (uint64_t id = 1; id <= scree_body_count(balls); ++id) {
            struct scree_body_state a, b;
            assert_ok(scree_body_get(balls, (scree_body_id){id}, &a));
            assert_ok(scree_body_get(carriers, (scree_body_id){id}, &b));
            for (int k = 0; k < 3; ++k) {
                most = fmax(most,
                            fmax(fabs(a.velocity[k] - b.velocity[k]), 0.055 * fabs(a.spin[k] - b.spin[k])));
                speed = fmax(speed, fabs(a.velocity[k]));
            }
        }
        if (!(most <= 1e-10 * speed))
            fail_msg("case %zu: %g of %g", c, most, speed);
        scree_world_destroy(balls);
        scree_world_destroy(carriers);
    }
}

struct errors {
    double energy, linear, angular; // relative errors
    struct scree_body_state end[2];
};

// Initial conditions of two bodies with two grains each.
struct impact {
    struct scree_rigid_def body[2];
    double friction, time, radius_factor; // 0 means a factor of 1
};

// The bodies start and end without contact, off-centre and spinning.
static const struct impact collision = {.body = {{.mass = 1,
                                                  .inertia = {2e-3, 6e-3, 7e-3},
                                                  .position = {-0.16, -0.03, 0.01},
                                                  .orientation = {1, 0, -0.4, 0.3},
                                                  .velocity = {1.5, 0.2, -0.1},
                                                  .spin = {2, 3, 4}},
                                                 {.mass = 2,
                                                  .inertia = {2e-3, 7e-3, 7e-3},
                                                  .position = {0.16, 0.03, -0.01},
                                                  .orientation = {1, 0.2, 0.4, 0.3},
                                                  .velocity = {-1.5, 0.2, 0.1},
                                                  .spin = {2, -3, 4}}},
                                        .time = 0.15};

// From an overlap of 2 mm to another one, so that no contact begins or ends; no slip.
static const struct impact touch = {
    .body = {{.mass = 1, .inertia = {2e-3, 6e-3, 7e-3}, .velocity = {0.3, 0.1, 0}, .spin = {2, 3, -4}},
             {.mass = 2,
              .inertia = {2e-3, 7e-3, 7e-3},
              .position = {0.258, 0.01, 0.005},
              .orientation = {0, 0, 0, 1},
              .velocity = {-0.4, 0, 0.1},
              .spin = {-1, 4, 5}}},
    .friction = 10,
    .time = 2e-3};

static struct errors collide(const struct impact *impact, const char *rotation, uint64_t steps)
{
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2000}, &material));
    assert_ok(scree_material_set(world, material, "young", 1e7));
    assert_ok(scree_material_set(world, material, "poisson", 0.3));
    const struct scree_interaction_value values[] = {{"friction", impact->friction, NULL},
                                                     {"restitution", 1, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hertz-mindlin", .values = values, .count = 2}));
    scree_body_id id[2];
    const double factor = impact->radius_factor > 0 ? impact->radius_factor : 1;
    for (int b = 0; b < 2; ++b) {
        uint64_t grain;
        struct scree_rigid_def def = impact->body[b];
        def.material = material;
        assert_ok(scree_body_add_rigid(world, &def, &id[b]));
        assert_ok(scree_grain_add(world, id[b], 0.06 * factor, (const double[3]){0.07, 0, 0}, &grain));
        assert_ok(scree_grain_add(world, id[b], 0.05 * factor, (const double[3]){-0.06, 0.01, 0}, &grain));
    }
    struct scree_momentum before, after;
    struct scree_energy energy;
    const double step = impact->time / (double)steps;
    assert_ok(scree_energy_momentum(world, &before));
    assert_ok(scree_soft_create(
        world, &(struct scree_soft_def){.step = step, .rotation = rotation, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, steps));
    assert_ok(scree_energy_momentum(world, &after));
    assert_ok(scree_energy_get(world, &energy));
    struct errors errors = {.energy = fabs(energy.balance) / scree_energy_scale(&energy)};
    for (int k = 0; k < 3; ++k) {
        errors.linear = fmax(errors.linear, fabs(after.linear[k] - before.linear[k]));
        errors.angular = fmax(errors.angular, fabs(after.angular[k] - before.angular[k]));
    }
    for (int b = 0; b < 2; ++b)
        assert_ok(scree_body_get(world, id[b], &errors.end[b]));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return errors;
}

// The forces on both bodies are opposite up to a quantum of the larger one, and momenta are of order one. A
// quantum is 2^-50 of the largest impact force; here about 1e3 N in about 1e3 steps of 1e-4 s. The lever arms
// of both sides end in one point up to rounding, so the moments about the origin balance as well.
static void bodies_with_two_grains_conserve_momenta_and_energy(void **state)
{
    (void)state;
    const double frictions[] = {0, 0.4};
    for (int f = 0; f < 2; ++f) {
        struct impact impact = collision;
        double last = 0, first = 0;
        impact.friction = frictions[f];
        for (int halving = 0; halving < 4; ++halving) {
            const struct errors errors = collide(&impact, NULL, UINT64_C(1500) << halving);
            if (!(errors.linear <= 1e-12 && errors.angular <= 1e-12))
                fail_msg("friction %g, %d: momenta are off by %g and %g", frictions[f], halving,
                         errors.linear, errors.angular);
            last = errors.energy;
            first = halving == 0 ? last : first;
        }
        // order 2 leaves 1/64 after three halvings; the phases of impacts scatter the errors
        if (!(last <= first / 30 && last < 1e-6))
            fail_msg("friction %g: the balance falls from %g to %g", frictions[f], first, last);
    }
}

static void assert_order(const char *rotation)
{
    struct errors runs[4];
    double change[3] = {0}, turned[3] = {0};
    for (int r = 0; r < 4; ++r)
        runs[r] = collide(&touch, rotation, UINT64_C(100) << r);
    assert_true(fabs(runs[3].end[0].velocity[0] - 0.3) > 0.1);
    for (int r = 0; r < 3; ++r)
        for (int b = 0; b < 2; ++b)
            for (int k = 0; k < 3; ++k) {
                change[r] += fabs(runs[r + 1].end[b].velocity[k] - runs[r].end[b].velocity[k]);
                turned[r] += fabs(runs[r + 1].end[b].spin[k] - runs[r].end[b].spin[k]);
            }
    for (int r = 0; r < 2; ++r) {
        const double order = log2(change[r] / change[r + 1]), of_spin = log2(turned[r] / turned[r + 1]);
        if (!(order > 1.8 && order < 2.3 && of_spin > 1.8 && of_spin < 2.3))
            fail_msg("%s: velocities are of order %g, spins of order %g", rotation, order, of_spin);
    }
}

// Velocities and spins under every scheme of rotation that supports contacts. Friction depends on the
// mid-step spin, which each scheme computes in its own way.
static void a_contact_of_carried_grains_is_of_second_order(void **state)
{
    (void)state;
    static const char *const rotations[] = {"splitting", "buss2", "buss3", "rk4", "fincham", "pcdm-leapfrog"};
    for (size_t r = 0; r < sizeof rotations / sizeof rotations[0]; ++r)
        assert_order(rotations[r]);
}

// Each body has two grains with an overlap of 1.5 (0.06 + 0.05) m - 0.13 m = 35 mm. The bodies are far apart,
// so without forces velocities keep their bits.
static void grains_of_one_body_do_not_touch(void **state)
{
    (void)state;
    struct impact apart = collision;
    apart.time = 0.01;
    apart.radius_factor = 1.5;
    apart.body[0].position[0] = -1;
    apart.body[1].position[0] = 1;
    const struct errors errors = collide(&apart, NULL, 100);
    assert_true(errors.end[0].velocity[0] == 1.5 && errors.end[1].velocity[0] == -1.5);
    assert_true(errors.energy < 1e-9);
}

// The energy balance of a bed of bodies with two grains has order 2, like that of spheres.
static void the_balance_of_a_bed_vanishes_with_the_square_of_the_step(void **state)
{
    (void)state;
    static const struct scree_bed beds[] = {
        {.law = "hertz-mindlin",
         .values = {FRICTION, {"restitution", 0.6, NULL}},
         .carried = 2,
         .plate = true,
         .loads = true,
         .gravity = -9.81},
        {.dimension = 2,
         .law = "linear",
         .values = {FRICTION, {"restitution", 0.6, NULL}, {"stiffness", 4e5, NULL}},
         .carried = 2,
         .periodic = true,
         .plate = true},
    };
    for (size_t b = 0; b < sizeof beds / sizeof beds[0]; ++b) {
        double error[2];
        for (int fine = 0; fine < 2; ++fine) {
            struct scree_world *world;
            struct scree_energy energy;
            struct scree_bed bed = beds[b];
            const uint64_t steps = fine ? 6400 : 800;
            bed.step = 0.02 / (double)steps;
            run(&bed, &world, steps);
            assert_ok(scree_energy_get(world, &energy));
            error[fine] = fabs(energy.balance) / scree_energy_scale(&energy);
            scree_world_destroy(world);
        }
        // 64 for order 2
        if (!(error[1] < error[0] / 30))
            fail_msg("bed %zu: the balance falls from %g to %g", b, error[0], error[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_with_one_central_grain_moves_like_a_sphere),
        cmocka_unit_test(bodies_with_two_grains_conserve_momenta_and_energy),
        cmocka_unit_test(a_contact_of_carried_grains_is_of_second_order),
        cmocka_unit_test(grains_of_one_body_do_not_touch),
        cmocka_unit_test(the_balance_of_a_bed_vanishes_with_the_square_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
