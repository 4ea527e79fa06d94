// The order of accuracy of every rotation scheme, for random bodies: inertia from nearly a rod to nearly a
// plate, random spins, and random moments that depend on orientation, spin and time. The error is that of all
// bodies together, because the error of one body may vanish by chance. The reference is the integrator of
// support/tumble.h, which is tested here against closed forms.

#include "support/order.h"
#include "support/tumble.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BODIES = 48, FIRST_STEPS = 240, FIRST_STEPS_UNEVEN = 480, FIRST_STEPS_OF_ORDER_4 = 60 };
static const double duration = 4;

// uniform in [low, high), from a linear congruential generator (Knuth's MMIX constants)
static double draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

// moments on a body: a weight on a lever arm, anisotropic drag, and a moment that oscillates in time
struct body_load {
    double weight, arm[3], drag[3], periodic[3], frequency;
};

static void moment_of_load(const void *user, double time, const double orientation[4], const double spin[3],
                           double moment[3])
{
    const struct body_load *load = user;
    double arm[3], body_spin[3], drag[3];
    scree_tumble_to_world(orientation, load->arm, arm);
    scree_tumble_to_body(orientation, spin, body_spin);
    for (int k = 0; k < 3; ++k)
        drag[k] = -load->drag[k] * body_spin[k];
    scree_tumble_to_world(orientation, drag, moment);
    moment[0] -= load->weight * arm[1];
    moment[1] += load->weight * arm[0];
    for (int k = 0; k < 3; ++k)
        moment[k] += load->periodic[k] * cos(load->frequency * time);
}

static struct scree_tumble bodies[BODIES];
static struct body_load loads[BODIES];
static struct scree_tumble_state expected[BODIES];

// the inertia of three pairs of masses on the axes, which can be that of any body, with mass ratios up to 100
static void draw_body(uint64_t *seed, struct scree_tumble *body)
{
    double mass[3];
    for (int k = 0; k < 3; ++k)
        mass[k] = exp(draw(seed, -4.6, 0));
    for (int k = 0; k < 3; ++k) {
        body->inertia[k] = mass[(k + 1) % 3] + mass[(k + 2) % 3];
        body->spin[k] = draw(seed, -1.5, 1.5);
    }
    for (int c = 0; c < 4; ++c)
        body->orientation[c] = draw(seed, -1, 1);
}

static void draw_load(uint64_t *seed, const struct scree_tumble *body, struct body_load *load)
{
    const double size = (body->inertia[0] + body->inertia[1] + body->inertia[2]) / 3;
    load->weight = size * draw(seed, 0, 2);
    load->frequency = draw(seed, 0, 3);
    for (int k = 0; k < 3; ++k) {
        load->arm[k] = draw(seed, -0.5, 0.5);
        load->drag[k] = body->inertia[k] * draw(seed, 0, 0.5);
        load->periodic[k] = size * draw(seed, -0.3, 0.3);
    }
}

static void draw_bodies(bool loaded)
{
    uint64_t seed = 20;
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] = (struct scree_tumble){0};
        draw_body(&seed, &bodies[i]);
        draw_load(&seed, &bodies[i], &loads[i]);
        bodies[i].moment = loaded ? moment_of_load : NULL;
        bodies[i].user = &loads[i];
        scree_tumble_reference(&bodies[i], duration, &expected[i]);
    }
}

struct trial {
    const char *name;
    bool uneven;
};

static double error(void *context, size_t steps)
{
    const struct trial *trial = context;
    static struct scree_tumble_state got[BODIES];
    const struct scree_tumble_run run = {
        .name = trial->name, .time = duration, .steps = steps, .uneven = trial->uneven};
    scree_tumble_move(bodies, BODIES, &run, got);
    return scree_tumble_error(got, expected, BODIES);
}

static const struct {
    const char *name;
    double order_free, order_loaded;
    size_t steps_free;
} schemes[] = {
    {"splitting", 2, 2, FIRST_STEPS},      {"buss2", 2, 2, FIRST_STEPS},
    {"buss2-literal", 2, 2, FIRST_STEPS},  {"buss3", 3, 2, FIRST_STEPS},
    {"rk4", 4, 2, FIRST_STEPS_OF_ORDER_4}, {"fincham", 2, 2, FIRST_STEPS},
    {"pcdm", 2, 2, FIRST_STEPS},           {"pcdm-leapfrog", 2, 2, FIRST_STEPS},
};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static void every_rotation_scheme_of_the_engine_is_tested(void **state)
{
    (void)state;
    size_t listed = 0;
    while (scree_motion_name(SCREE_ROTATION, listed))
        ++listed;
    // "spherical" is for spheres and disks only
    assert_int_equal(listed, SCHEMES + 1);
}

static void random_free_bodies_move_with_the_order_of_each_scheme(void **state)
{
    (void)state;
    draw_bodies(false);
    for (int s = 0; s < SCHEMES; ++s)
        scree_order_check(error, &(struct trial){schemes[s].name, false}, schemes[s].steps_free,
                          schemes[s].order_free, schemes[s].name);
}

static void random_bodies_move_at_order_2_with_moments_of_orientation_spin_and_time(void **state)
{
    (void)state;
    draw_bodies(true);
    for (int s = 0; s < SCHEMES; ++s)
        scree_order_check(error, &(struct trial){schemes[s].name, false}, FIRST_STEPS,
                          schemes[s].order_loaded, schemes[s].name);
}

static void schemes_keep_order_2_with_varying_steps(void **state)
{
    (void)state;
    draw_bodies(true);
    for (int s = 0; s < SCHEMES; ++s)
        scree_order_check(error, &(struct trial){schemes[s].name, true}, FIRST_STEPS_UNEVEN,
                          schemes[s].order_loaded, schemes[s].name);
}

// with two equal principal moments of inertia the rotations of the splitting are the exact motion; 1e-11 is
// the accuracy of the reference over 50 radians
static void splitting_is_exact_for_free_bodies_with_two_equal_moments_of_inertia(void **state)
{
    (void)state;
    static const double inertias[][3] = {{2, 2, 3}, {2, 3, 2}, {3, 2, 2}, {3, 3, 2},
                                         {3, 2, 3}, {2, 3, 3}, {2, 2, 2}};
    for (size_t j = 0; j < sizeof inertias / sizeof inertias[0]; ++j) {
        struct scree_tumble top = {.orientation = {0.9, 0.1, -0.3, 0.2}, .spin = {0.5, -0.3, 1.2}};
        memcpy(top.inertia, inertias[j], sizeof top.inertia);
        struct scree_tumble_state got, exact;
        scree_tumble_reference(&top, 40, &exact);
        scree_tumble_move(&top, 1, &(struct scree_tumble_run){.name = "splitting", .time = 40, .steps = 100},
                          &got);
        assert_true(scree_tumble_error(&got, &exact, 1) < 1e-11);
    }
}

// --- the reference itself

// a free symmetric top: the rotation is exp(t L / J1) in world axes, times exp(t (1 - J3/J1) w3 e3) in body
// axes
static void the_reference_agrees_with_the_closed_form_of_a_symmetric_top(void **state)
{
    (void)state;
    const struct scree_tumble top = {
        .inertia = {2, 2, 3}, .orientation = {1, 0, 0, 0}, .spin = {0.5, -0.3, 1.2}};
    struct scree_tumble_state end;
    scree_tumble_reference(&top, 20, &end);
    const double rate[3] = {0.5, -0.3, 1.2 * 3 / 2};
    const double speed = sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
    const double c = cos(10 * speed), s = sin(10 * speed) / speed;
    const double p[4] = {c, s * rate[0], s * rate[1], s * rate[2]};
    const double half_angle = 0.5 * 20 * 1.2 * (1 - 1.5), d = cos(half_angle), e = sin(half_angle);
    const double q[4] = {p[0] * d - p[3] * e, p[1] * d + p[2] * e, p[2] * d - p[1] * e, p[3] * d + p[0] * e};
    double dot_product = 0;
    for (int k = 0; k < 4; ++k)
        dot_product += q[k] * end.orientation[k];
    for (int k = 0; k < 4; ++k)
        assert_true(fabs(end.orientation[k] - (dot_product < 0 ? -q[k] : q[k])) < 1e-12);
}

// m L^2 p'' = -m g L sin p from rest at 90 degrees, against the series of its period: 4 K(sin 45) sqrt(L / g)
static void the_reference_agrees_with_the_period_of_a_pendulum(void **state)
{
    (void)state;
    static const struct body_load weight_on_arm = {.weight = -4, .arm = {0, 0, 1}};
    struct scree_tumble pendulum = {.inertia = {4, 4, 1}, .moment = moment_of_load, .user = &weight_on_arm};
    pendulum.orientation[0] = pendulum.orientation[1] = sqrt(0.5);
    // K(k^2 = 1/2), Abramowitz and Stegun table 17.1
    const double quarter_period = 1.854074677301372;
    struct scree_tumble_state end;
    scree_tumble_reference(&pendulum, 4 * quarter_period, &end);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(end.spin[k]) < 1e-12);
    assert_true(fabs(fabs(end.orientation[0]) - sqrt(0.5)) < 1e-12);
    scree_tumble_reference(&pendulum, quarter_period, &end);
    assert_true(fabs(fabs(end.orientation[0]) - 1) < 1e-12);
    assert_true(fabs(fabs(end.spin[0]) - sqrt(2)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_agrees_with_the_closed_form_of_a_symmetric_top),
        cmocka_unit_test(the_reference_agrees_with_the_period_of_a_pendulum),
        cmocka_unit_test(every_rotation_scheme_of_the_engine_is_tested),
        cmocka_unit_test(random_free_bodies_move_with_the_order_of_each_scheme),
        cmocka_unit_test(random_bodies_move_at_order_2_with_moments_of_orientation_spin_and_time),
        cmocka_unit_test(splitting_is_exact_for_free_bodies_with_two_equal_moments_of_inertia),
        cmocka_unit_test(schemes_keep_order_2_with_varying_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
