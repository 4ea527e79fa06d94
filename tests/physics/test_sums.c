// Sums in quanta are as good as exact ones: impacts and a stack at rest are compared with the same motion
// with exact sums (base/sum), and the error of the ledger of a bed at rest is measured.
//
// The reference is a velocity Verlet loop over the records of a second world, without an engine; contact
// forces come from support/pairwise.h.

#include "base/sum.h"
#include "engine/soft.h"
#include "support/bed.h"
#include "support/pairwise.h"

enum { MOST = 10 };

static const double radius = 0.05, stiffness = 4e5;

struct trial {
    const char *name, *law;
    size_t bodies;
    double place[MOST][3], velocity[MOST][3], spin[MOST][3];
    double gravity, restitution, step;
    uint64_t steps;
    bool floor;
    double amplification; // bound on the amplification of a difference in motion
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
        memcpy(ball.position, trial->place[i], sizeof ball.position);
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

struct motion {
    struct scree_pairwise pairwise;
    struct scree_world *world;
    double force[MOST][3], moment[MOST][3];
    double gravity[3], drift; // m/s: bound on the difference of both worlds by rounding
};

static void evaluate(struct motion *motion, const struct trial *trial, const struct scree_world *engine_world)
{
    double square = 0;
    scree_pairwise_evaluate(&motion->pairwise, trial->step);
    for (size_t i = 0; i < trial->bodies; ++i) {
        const struct scree_grain *grain = &scree_world_grains(motion->world)[i];
        struct scree_pairwise_total total = {0};
        for (int k = 0; k < 3; ++k) {
            total = scree_pairwise_sum(&motion->pairwise, i, SCREE_PAIRWISE_FORCE + k, 0);
            motion->force[i][k] = total.exact;
            motion->moment[i][k] =
                scree_pairwise_sum(&motion->pairwise, i, SCREE_PAIRWISE_MOMENT + k, 0).exact;
            // rounding by the engine, of both sums, and of a position and a velocity
            const uint64_t bits = (uint64_t)scree_world_grains(engine_world)[i].quantum << 48;
            double constant;
            memcpy(&constant, &bits, sizeof constant);
            const double error = 0.5 * (double)total.live * constant / (7 * 0x1p50) + 0x1p-51 * total.size;
            const double difference = trial->step / grain->mass * error + 0x1p-52 * fabs(grain->velocity[k]) +
                                      0x1p-53 * fabs(grain->position[k]) * sqrt(stiffness / grain->mass);
            square += difference * difference;
        }
    }
    motion->drift += sqrt(square);
}

static void start(struct motion *motion, const struct trial *trial)
{
    *motion = (struct motion){.gravity = {0, 0, trial->gravity}};
    build(trial, &motion->world);
    // without an engine new bodies would stay out of the ledger, and their contacts would not be ended
    for (size_t i = 0; i < trial->bodies; ++i)
        scree_world_grains(motion->world)[i].flags &= ~(uint32_t)SCREE_FLAG_OUT_OF_LEDGER;
    scree_pairwise_begin(&motion->pairwise, motion->world);
    struct trial at_rest = *trial;
    at_rest.step = 0;
    evaluate(motion, &at_rest, motion->world);
}

// `kick` is half a step at first, and a whole step later.
static void advance(struct motion *motion, const struct trial *trial, double kick,
                    const struct scree_world *engine_world)
{
    for (size_t i = 0; i < trial->bodies; ++i) {
        struct scree_grain *grain = &scree_world_grains(motion->world)[i];
        const double inertia = 0.4 * grain->mass * grain->radius * grain->radius;
        for (int k = 0; k < 3; ++k) {
            const double acceleration = motion->force[i][k] / grain->mass + motion->gravity[k],
                         turn = motion->moment[i][k] / inertia;
            grain->velocity[k] += kick * acceleration;
            grain->spin[k] += kick * turn;
            grain->position[k] += trial->step * grain->velocity[k];
            grain->half_kick[k] = (float)(0.5 * trial->step * acceleration);
            grain->half_twist[k] = (float)(0.5 * trial->step * turn);
        }
    }
    evaluate(motion, trial, engine_world);
}

// --- comparing

static void check_near(const struct trial *trial, const char *what, size_t body, double found,
                       double expected, double allowed, double limit)
{
    const double error = fabs(found - expected);
    if (!(error <= allowed && error <= limit))
        fail_msg("%s: %s of body %zu differs by %g, allowed are %g and at most %g", trial->name, what, body,
                 error, allowed, limit);
}

// Differences are measured as energies, which springs, dashpots and friction do not increase while normals
// are constant: as velocities, and as overlaps times the frequency of a contact. A position is the sum of as
// many overlaps as there are bodies; without a floor it also drifts with the velocity.
static void compare(const struct trial *trial, const struct motion *motion, const struct scree_world *world)
{
    const double time = (double)trial->steps * trial->step, difference = trial->amplification * motion->drift;
    const double speed = trial->floor ? sqrt(-trial->gravity * radius) : 1;
    for (size_t i = 0; i < trial->bodies; ++i) {
        const struct scree_grain *grain = &scree_world_grains(motion->world)[i];
        struct scree_body_state state;
        assert_ok(scree_body_get(world, (scree_body_id){i + 1}, &state));
        const double inertia = 0.4 * grain->mass * radius * radius, frequency = sqrt(stiffness / grain->mass);
        const double distance = trial->floor ? difference * sqrt((double)trial->bodies) / frequency
                                             : difference * (time + 1 / frequency);
        for (int k = 0; k < 3; ++k) {
            const double acceleration = motion->force[i][k] / grain->mass + motion->gravity[k];
            check_near(trial, "position", i + 1, state.position[k], grain->position[k], distance,
                       1e-11 * radius);
            check_near(trial, "velocity", i + 1, state.velocity[k],
                       grain->velocity[k] + 0.5 * trial->step * acceleration, difference, 1e-11 * speed);
            check_near(trial, "spin", i + 1, state.spin[k],
                       grain->spin[k] + 0.5 * trial->step * motion->moment[i][k] / inertia,
                       difference * 2.5 / radius, 1e-11 * speed / radius);
        }
    }
}

static void run(const struct trial *trial)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct motion motion;
    size_t contacts = 0;
    build(trial, &world);
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = trial->step, .threads = 1}, &engine));
    start(&motion, trial);
    for (uint64_t step = 0; step < trial->steps; ++step) {
        assert_ok(scree_engine_run(engine, 1));
        advance(&motion, trial, step == 0 ? 0.5 * trial->step : trial->step, world);
        contacts += motion.pairwise.grains.count + motion.pairwise.walls.count;
    }
    assert_true(contacts >= 30);
    compare(trial, &motion, world);
    scree_pairwise_end(&motion.pairwise);
    scree_world_destroy(motion.world);
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
                            .place = {{-0.051, 0, 0}, {0.051, 0, 0}},
                            .velocity = {{1}, {-1}},
                            .restitution = 0.7,
                            .step = 5e-5,
                            .steps = 140,
                            .amplification = 2});
}

// Rotating normals and sliding convert a normal difference into a tangential one; arm, friction and moment of
// inertia make the factor 5/2.
static void oblique_impacts_agree_with_exact_sums(void **state)
{
    (void)state;
    for (int l = 0; l < 2; ++l)
        run(&(struct trial){.name = "an oblique impact",
                            .law = laws[l],
                            .bodies = 2,
                            .place = {{-0.041, -0.033, 0.001}, {0.041, 0.033, 0}},
                            .velocity = {{1, 0.2, 0.1}, {-0.8, 0.1, -0.3}},
                            .spin = {{1, 2, 3}, {-4, 5, 6}},
                            .restitution = 0.7,
                            .step = 5e-5,
                            .steps = 140,
                            .amplification = 8});
}

// Ten spheres in a stack; overlaps carry the weight of the spheres above.
static void a_stack_at_rest_agrees_with_exact_sums(void **state)
{
    (void)state;
    struct trial stack = {.name = "a stack",
                          .law = "linear",
                          .bodies = MOST,
                          .gravity = -9.81,
                          .restitution = 0.5,
                          .step = 5e-5,
                          .steps = 1000,
                          .floor = true,
                          .amplification = 2};
    const double weight = 2000 * 4.0 / 3 * 3.14159 * radius * radius * radius * 9.81;
    double height = 0;
    for (int i = 0; i < MOST; ++i) {
        height += (i == 0 ? radius : 2 * radius) - (MOST - i) * weight / stiffness;
        stack.place[i][2] = height;
    }
    run(&stack);
}

// --- the ledger

enum { BEFORE = SCREE_POINT_CONTACTS - 1, LOSSES = 3 };

struct losses {
    struct scree_pairwise pairwise;
    struct scree_sum dissipated[LOSSES];
    double allowed[LOSSES];
};

// Exact dissipation of all contacts in a step, and the possible rounding error of the ledger.
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
            losses->allowed[k] += 0.5 * (double)total.live * total.quantum;
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

// A bed that has come to rest: its dissipation goes to zero, finally to less than a quantum per contact. The
// ledger may be wrong by half a quantum for each contact and step, is never negative, and is rounded once per
// body and step by 2^-53 of the body's total. Dissipation of dashpots is entered half a step in advance,
// which cancels except in the last step.
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
    double dissipated[LOSSES], before[LOSSES] = {0}, entered_in_advance = 0;
    scree_bed_build(&bed, &world);
    scree_bed_engine(&bed, world, &engine);
    scree_pairwise_begin(&losses.pairwise, world);
    assert_ok(scree_engine_set_callback(engine, BEFORE, add_losses, &losses, NULL));
    for (int part = 0; part < PARTS; ++part) {
        assert_ok(scree_engine_run(engine, STEPS / PARTS));
        read_losses(world, dissipated);
        for (int k = 0; k < LOSSES; ++k) {
            // half of the advance entry of dashpots is not dissipated yet
            assert_true(dissipated[k] >= before[k] - entered_in_advance);
            before[k] = dissipated[k];
        }
        entered_in_advance = 0;
        for (size_t i = 0; i < scree_world_bodies(world); ++i)
            entered_in_advance += 0.5 * scree_world_losses(world)[i].ahead;
    }
    const double both = scree_sum_value(&losses.dissipated[0]) + scree_sum_value(&losses.dissipated[1]);
    for (int k = 0; k < LOSSES; ++k) {
        const double exact = scree_sum_value(&losses.dissipated[k]), rounded = STEPS * 0x1p-52 * exact;
        const double error = fabs(dissipated[k] + (k == 1 ? entered_in_advance : 0) - exact);
        assert_true(exact > 0 || k == 2);
        if (!(error <= losses.allowed[k] + rounded))
            fail_msg("loss %d is %.17g, not %.17g: it differs by %g, allowed are %g and %g", k, dissipated[k],
                     exact, error, losses.allowed[k], rounded);
        // and the error is small compared with the total
        assert_true(losses.allowed[k] <= 1e-11 * both);
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
        cmocka_unit_test(a_stack_at_rest_agrees_with_exact_sums),
        cmocka_unit_test(the_ledger_errs_by_at_most_half_a_quantum_per_contact_and_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
