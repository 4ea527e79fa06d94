// Forces summed in quanta: impacts and a stack at rest move like those with exact sums (base/sum), up to
// derived bounds, and the energy ledger of a bed at rest has an error of half a quantum per contact and step
// at most.
//
// The reference moves the bodies of a second world by velocity Verlet without an engine, with contact forces
// of support/pairwise.h.

#include "base/sum.h"
#include "engine/soft.h"
#include "support/bed.h"
#include "support/pairwise.h"

enum { MAX_BODIES = 10 };

static const double radius = 0.05, stiffness = 4e5;

struct trial {
    const char *name, *law;
    size_t bodies;
    double initial_position[MAX_BODIES][3], velocity[MAX_BODIES][3], spin[MAX_BODIES][3];
    double gravity, restitution, step;
    uint64_t steps;
    bool floor;
    double amplification; // factor by which the motion increases a difference, at most
};

static void build(const struct trial *trial, struct scree_world **world)
{
    scree_material_id material;
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, trial->gravity}}, world));
    assert_ok(
        scree_material_add(*world, &(struct scree_material_def){.name = "ball", .density = 2000}, &material));
    assert_ok(scree_material_set(*world, material, "young", 1e8));
    assert_ok(scree_material_set(*world, material, "poisson", 0.3));
    struct scree_interaction_value values[] = {
        {"restitution", trial->restitution, NULL}, {"friction", 0.3, NULL}, {"stiffness", stiffness, NULL}};
    assert_ok(scree_interaction_add(
        *world, &(struct scree_interaction_def){.law = trial->law,
                                                .values = values,
                                                .count = strcmp(trial->law, "linear") == 0 ? 3 : 2}));
    for (size_t i = 0; i < trial->bodies; ++i) {
        struct scree_sphere_def ball = {.radius = radius, .material = material};
        scree_body_id id;
        memcpy(ball.position, trial->initial_position[i], sizeof ball.position);
        memcpy(ball.velocity, trial->velocity[i], sizeof ball.velocity);
        memcpy(ball.spin, trial->spin[i], sizeof ball.spin);
        assert_ok(scree_body_add_sphere(*world, &ball, &id));
    }
    scree_wall_id wall;
    if (trial->floor)
        assert_ok(scree_wall_add(*world,
                                 &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                          .material = material,
                                                          .plane = {{0, 0, 0}, {0, 0, 1}}},
                                 &wall));
}

// --- the reference

struct exact_motion {
    struct scree_pairwise pairwise;
    struct scree_world *world;
    double force[MAX_BODIES][3], moment[MAX_BODIES][3];
    double gravity[3], rounding_bound; // m/s: sum of the differences by rounding, at most
};

static void evaluate_reference(struct exact_motion *reference, const struct trial *trial,
                               const struct scree_world *engine_world)
{
    double square = 0;
    scree_pairwise_evaluate(&reference->pairwise, trial->step);
    for (size_t i = 0; i < trial->bodies; ++i) {
        const struct scree_grain *grain = &scree_world_grains(reference->world)[i];
        struct scree_pairwise_total total = {0};
        for (int k = 0; k < 3; ++k) {
            total = scree_pairwise_sum(&reference->pairwise, i, SCREE_PAIRWISE_FORCE + k, 0);
            reference->force[i][k] = total.exact;
            reference->moment[i][k] =
                scree_pairwise_sum(&reference->pairwise, i, SCREE_PAIRWISE_MOMENT + k, 0).exact;
            // rounding to quanta by the engine, and of both sums, a velocity and a position
            const uint64_t bits = (uint64_t)scree_world_grains(engine_world)[i].quantum << 48;
            double quantum;
            memcpy(&quantum, &bits, sizeof quantum);
            const double error = 0.5 * (double)total.live * quantum / (7 * 0x1p50) + 0x1p-51 * total.size;
            const double difference = trial->step / grain->mass * error + 0x1p-52 * fabs(grain->velocity[k]) +
                                      0x1p-53 * fabs(grain->position[k]) * sqrt(stiffness / grain->mass);
            square += difference * difference;
        }
    }
    reference->rounding_bound += sqrt(square);
}

static void begin_reference(struct exact_motion *reference, const struct trial *trial)
{
    *reference = (struct exact_motion){.gravity = {0, 0, trial->gravity}};
    build(trial, &reference->world);
    // an engine would clear this flag, which prevents the end of contacts
    for (size_t i = 0; i < trial->bodies; ++i)
        scree_world_grains(reference->world)[i].flags &= ~(uint32_t)SCREE_FLAG_OUT_OF_LEDGER;
    scree_pairwise_begin(&reference->pairwise, reference->world);
    struct trial at_rest = *trial;
    at_rest.step = 0;
    evaluate_reference(reference, &at_rest, reference->world);
}

// `kick` is half a step at first, and a whole step later.
static void advance_reference(struct exact_motion *reference, const struct trial *trial, double kick,
                              const struct scree_world *engine_world)
{
    for (size_t i = 0; i < trial->bodies; ++i) {
        struct scree_grain *grain = &scree_world_grains(reference->world)[i];
        const double inertia = 0.4 * grain->mass * grain->radius * grain->radius;
        for (int k = 0; k < 3; ++k) {
            const double acceleration = reference->force[i][k] / grain->mass + reference->gravity[k],
                         angular_acceleration = reference->moment[i][k] / inertia;
            grain->velocity[k] += kick * acceleration;
            grain->spin[k] += kick * angular_acceleration;
            grain->position[k] += trial->step * grain->velocity[k];
            grain->half_kick[k] = (float)(0.5 * trial->step * acceleration);
            grain->half_twist[k] = (float)(0.5 * trial->step * angular_acceleration);
        }
    }
    evaluate_reference(reference, trial, engine_world);
}

// --- comparison

static void check_near(const struct trial *trial, const char *quantity, size_t body, double found,
                       double expected, double tolerance, double limit)
{
    const double error = fabs(found - expected);
    if (!(error <= tolerance && error <= limit))
        fail_msg("%s: %s of body %zu differs by %g, allowed %g and at most %g", trial->name, quantity, body,
                 error, tolerance, limit);
}

// While normals are constant, springs, dashpots and friction do not increase the energy of a difference
// between both motions. So a difference of velocity v implies one of overlap of v / w at most, with the
// frequency w of a contact. In a stack a position is the sum of one overlap per body; without a floor, v
// times the time is added.
static void compare(const struct trial *trial, const struct exact_motion *reference,
                    const struct scree_world *world)
{
    const double time = (double)trial->steps * trial->step,
                 difference = trial->amplification * reference->rounding_bound;
    const double speed = trial->floor ? sqrt(-trial->gravity * radius) : 1;
    for (size_t i = 0; i < trial->bodies; ++i) {
        const struct scree_grain *grain = &scree_world_grains(reference->world)[i];
        struct scree_body_state state;
        assert_ok(scree_body_get(world, (scree_body_id){i + 1}, &state));
        const double inertia = 0.4 * grain->mass * radius * radius, frequency = sqrt(stiffness / grain->mass);
        const double distance = trial->floor ? difference * sqrt((double)trial->bodies) / frequency
                                             : difference * (time + 1 / frequency);
        for (int k = 0; k < 3; ++k) {
            const double acceleration = reference->force[i][k] / grain->mass + reference->gravity[k];
            check_near(trial, "position", i + 1, state.position[k], grain->position[k], distance,
                       1e-11 * radius);
            check_near(trial, "velocity", i + 1, state.velocity[k],
                       grain->velocity[k] + 0.5 * trial->step * acceleration, difference, 1e-11 * speed);
            check_near(trial, "spin", i + 1, state.spin[k],
                       grain->spin[k] + 0.5 * trial->step * reference->moment[i][k] / inertia,
                       difference * 2.5 / radius, 1e-11 * speed / radius);
        }
    }
}

static void run(const struct trial *trial)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct exact_motion reference;
    size_t contacts = 0;
    build(trial, &world);
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = trial->step, .threads = 1}, &engine));
    begin_reference(&reference, trial);
    for (uint64_t step = 0; step < trial->steps; ++step) {
        assert_ok(scree_engine_run(engine, 1));
        advance_reference(&reference, trial, step == 0 ? 0.5 * trial->step : trial->step, world);
        contacts += reference.pairwise.grains.count + reference.pairwise.walls.count;
    }
    assert_true(contacts >= 30);
    compare(trial, &reference, world);
    scree_pairwise_end(&reference.pairwise);
    scree_world_destroy(reference.world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static const char *const laws[] = {"linear", "hertz-mindlin"};

static void head_on_impacts_agree_with_exact_sums(void **state)
{
    (void)state;
    for (int l = 0; l < 2; ++l)
        run(&(struct trial){.name = "a head-on impact",
                            .law = laws[l],
                            .bodies = 2,
                            .initial_position = {{-0.051, 0, 0}, {0.051, 0, 0}},
                            .velocity = {{1}, {-1}},
                            .restitution = 0.7,
                            .step = 5e-5,
                            .steps = 140,
                            .amplification = 2});
}

// Rotating normals and sliding convert a normal difference into a tangential one, multiplied by up to 5/2 by
// lever arm, friction and moment of inertia.
static void oblique_impacts_agree_with_exact_sums(void **state)
{
    (void)state;
    for (int l = 0; l < 2; ++l)
        run(&(struct trial){.name = "an oblique impact",
                            .law = laws[l],
                            .bodies = 2,
                            .initial_position = {{-0.041, -0.033, 0.001}, {0.041, 0.033, 0}},
                            .velocity = {{1, 0.2, 0.1}, {-0.8, 0.1, -0.3}},
                            .spin = {{1, 2, 3}, {-4, 5, 6}},
                            .restitution = 0.7,
                            .step = 5e-5,
                            .steps = 140,
                            .amplification = 8});
}

// Long damping leaves speeds of any size.
static void a_grain_that_is_nearly_at_rest_can_be_hit(void **state)
{
    (void)state;
    double expected[2] = {0};
    static const double speeds[] = {0, 1e-320, 1e-300, 1e-200, 1e-100, 1e-60, 1e-40, 1e-20, 1e-10, 1e-5};
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; ++k) {
        const double speed = speeds[k];
        const struct trial trial = {"hit",
                                    "linear",
                                    2,
                                    {{0, 0, 0}, {2.0103 * radius, 0, 0}},
                                    {{speed, 0, 0}, {-0.1, 0, 0}},
                                    .restitution = 0.5,
                                    .step = 1e-4};
        struct scree_world *world;
        struct scree_engine *engine;
        struct scree_body_state hit, other;
        build(&trial, &world);
        assert_ok(
            scree_soft_create(world, &(struct scree_soft_def){.step = trial.step, .threads = 1}, &engine));
        assert_ok(scree_engine_run(engine, 400));
        assert_ok(scree_body_get(world, (scree_body_id){1}, &hit));
        assert_ok(scree_body_get(world, (scree_body_id){2}, &other));
        // the velocities after the impact change by about the speed, and by round-off
        if (speed == 0) {
            expected[0] = hit.velocity[0];
            expected[1] = other.velocity[0];
            assert_true(hit.velocity[0] < -0.07);
        }
        scree_test_near(hit.velocity[0], expected[0], 2 * speed + 1e-14);
        scree_test_near(other.velocity[0], expected[1], 2 * speed + 1e-14);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// Ten spheres in a stack; overlaps carry the weight of the spheres above.
static void a_stack_at_rest_agrees_with_exact_sums(void **state)
{
    (void)state;
    struct trial stack = {.name = "a stack",
                          .law = "linear",
                          .bodies = MAX_BODIES,
                          .gravity = -9.81,
                          .restitution = 0.5,
                          .step = 5e-5,
                          .steps = 1000,
                          .floor = true,
                          .amplification = 2};
    const double weight = 2000 * 4.0 / 3 * 3.14159 * radius * radius * radius * 9.81;
    double height = 0;
    for (int i = 0; i < MAX_BODIES; ++i) {
        height += (i == 0 ? radius : 2 * radius) - (MAX_BODIES - i) * weight / stiffness;
        stack.initial_position[i][2] = height;
    }
    run(&stack);
}

// --- the ledger

enum { BEFORE_CONTACTS = SCREE_POINT_CONTACTS - 1, LOSSES = 3 };

struct losses {
    struct scree_pairwise pairwise;
    struct scree_sum dissipated[LOSSES];
    double tolerance[LOSSES];
};

// Adds the exact dissipation of all contacts in a step, and the largest rounding error of the ledger.
static scree_status add_losses(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct losses *losses = user;
    const struct scree_soft *soft = engine->self;
    (void)world;
    scree_pairwise_evaluate(&losses->pairwise, soft->state_only ? 0 : soft->step);
    for (size_t i = 0; i < losses->pairwise.bodies; ++i)
        for (int k = 0; k < LOSSES; ++k) {
            const struct scree_pairwise_total total =
                scree_pairwise_sum(&losses->pairwise, i, SCREE_PAIRWISE_FRICTION + k, 0);
            scree_sum_add(&losses->dissipated[k], total.exact);
            losses->tolerance[k] += 0.5 * (double)total.live * total.quantum;
        }
    return SCREE_OK;
}

static void read_losses(struct scree_world *world, double *dissipated)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    dissipated[0] = energy.friction;
    dissipated[1] = energy.dashpot;
    dissipated[2] = energy.internal;
}

// While a bed comes to rest, its dissipation decreases to less than a quantum per contact and step. The error
// of the ledger is at most half a quantum per contact and step, and the total of a body is rounded once per
// step. The dissipation of dashpots is entered half a step in advance, which is subtracted at the end.
static void the_ledger_errs_by_at_most_half_a_quantum_per_contact_and_step(void **state)
{
    (void)state;
    const struct scree_bed bed = {.law = "linear",
                                  .values = {{"friction", 0.3, NULL},
                                             {"restitution", 0.3, NULL},
                                             {"stiffness", 4e5, NULL},
                                             {"rolling-friction", 0.1, NULL},
                                             {"rolling-damping", 0.2, NULL}},
                                  .gravity = -9.81,
                                  .step = 1e-4};
    enum { STEPS = 26000, PARTS = 26 };
    struct scree_world *world;
    struct scree_engine *engine;
    struct losses losses = {0};
    double dissipated[LOSSES], previous[LOSSES] = {0}, entered_in_advance = 0;
    scree_bed_build(&bed, &world);
    scree_bed_engine(&bed, world, &engine);
    scree_pairwise_begin(&losses.pairwise, world);
    assert_ok(scree_engine_set_callback(engine, BEFORE_CONTACTS, add_losses, &losses, NULL));
    for (int part = 0; part < PARTS; ++part) {
        assert_ok(scree_engine_run(engine, STEPS / PARTS));
        read_losses(world, dissipated);
        for (int k = 0; k < LOSSES; ++k) {
            // the part entered in advance may have been too large
            assert_true(dissipated[k] >= previous[k] - entered_in_advance);
            previous[k] = dissipated[k];
        }
        entered_in_advance = 0;
        for (size_t i = 0; i < scree_world_bodies(world); ++i)
            entered_in_advance += 0.5 * scree_world_losses(world)[i].ahead;
    }
    const double friction_and_dashpots =
        scree_sum_value(&losses.dissipated[0]) + scree_sum_value(&losses.dissipated[1]);
    for (int k = 0; k < LOSSES; ++k) {
        const double exact = scree_sum_value(&losses.dissipated[k]), rounded = STEPS * 0x1p-52 * exact;
        const double error = fabs(dissipated[k] + (k == 1 ? entered_in_advance : 0) - exact);
        assert_true(exact > 0 || k == 2);
        if (!(error <= losses.tolerance[k] + rounded))
            fail_msg("dissipation %d is %.17g J, expected %.17g J: difference %g J, allowed %g J + %g J", k,
                     dissipated[k], exact, error, losses.tolerance[k], rounded);
        // the allowed error is small compared with the total
        assert_true(losses.tolerance[k] <= 1e-11 * friction_and_dashpots);
    }
    scree_pairwise_end(&losses.pairwise);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_on_impacts_agree_with_exact_sums),
        cmocka_unit_test(oblique_impacts_agree_with_exact_sums),
        cmocka_unit_test(a_grain_that_is_nearly_at_rest_can_be_hit),
        cmocka_unit_test(a_stack_at_rest_agrees_with_exact_sums),
        cmocka_unit_test(the_ledger_errs_by_at_most_half_a_quantum_per_contact_and_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
