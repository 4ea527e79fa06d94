// Which bodies the stochastic engine lets collide, how often, and where they touch, against the rates of
// kinetic theory: counted over many independent steps from the same velocities, in a gas of a few bodies of
// two sizes that fills one cell.
//
// Numbers of counts are compared by chi-square, with limits that are exceeded with a probability of 1e-6: for
// n degrees of freedom n (1 - 2/(9n) + 4.75 (2/(9n))^(1/2))^3 (Wilson, Hilferty 1931).

#include "support/drawn_gas.h"

enum { BODIES = 5, PAIRS = BODIES * (BODIES - 1) / 2 };

static const double pi = 3.14159265358979323846, edge = 6;

static const double radius_of[BODIES] = {0.5, 0.5, 0.8, 0.8, 0.8};
static const double velocity_of[BODIES][3] = {
    {1, 0.3, -0.2}, {-0.4, 0.9, 0.1}, {0.2, -0.5, 0.7}, {-0.6, -0.1, -1}, {0.1, 0.2, 1.3}};

static double limit_of(int freedom)
{
    const double part = 2 / (9.0 * freedom);
    return freedom * pow(1 - part + 4.75 * sqrt(part), 3);
}

static void assert_counts(const uint64_t *count, const double *expected, int cells, int freedom)
{
    double square = 0;
    for (int k = 0; k < cells; ++k) {
        // few would not be normally distributed
        assert_true(expected[k] > 20);
        square += pow((double)count[k] - expected[k], 2) / expected[k];
    }
    if (!(square < limit_of(freedom)))
        fail_msg("chi-square of %d degrees of freedom: %g", freedom, square);
}

// --- a cell of five bodies

struct trial {
    struct hard hard;
    int dimension;
    struct scree_stochastic_def def;
    struct scree_event_collision first; // collision of a step
    uint64_t collisions;
};

static void look(void *user, const struct scree_event_collision *collision)
{
    struct trial *trial = (struct trial *)user;
    if (trial->collisions++ == 0)
        trial->first = *collision;
}

static struct trial *begin(int dimension, const struct scree_stochastic_def *def)
{
    static struct trial trial;
    trial = (struct trial){.dimension = dimension, .def = *def};
    trial.hard = hard_make(&(struct scree_world_def){.dimension = dimension}, 1, 1, 0, 0);
    const struct scree_cell_def cell = {.lower = {0, 0, dimension == 3 ? 0 : -1},
                                        .upper = {edge, edge, dimension == 3 ? edge : 1},
                                        .periodic = {true, true, dimension == 3}};
    assert_ok(scree_cell_set(trial.hard.world, &cell));
    for (int b = 0; b < BODIES; ++b)
        hard_add_body(trial.hard.world, (double[3]){b, b, dimension == 3 ? b : 0}, velocity_of[b],
                      radius_of[b], trial.hard.material);
    trial.def.cell = edge;
    assert_ok(scree_stochastic_create(trial.hard.world, &trial.def, &trial.hard.engine));
    assert_ok(scree_event_observe(trial.hard.engine, look, &trial));
    return &trial;
}

// A step from the given velocities; draws differ from step to step.
static void step(struct trial *trial)
{
    for (uint64_t b = 0; b < BODIES && trial->collisions > 0; ++b) {
        double v[3] = {velocity_of[b][0], velocity_of[b][1], trial->dimension == 3 ? velocity_of[b][2] : 0};
        assert_ok(scree_body_set_velocity(trial->hard.world, (scree_body_id){b + 1}, v));
    }
    trial->collisions = 0;
    assert_ok(scree_engine_run(trial->hard.engine, 1));
}

// --- rates of kinetic theory

static double speed_between(int dimension, int a, int b)
{
    double square = 0;
    for (int k = 0; k < dimension; ++k)
        square += pow(velocity_of[a][k] - velocity_of[b][k], 2);
    return sqrt(square);
}

// The cross section of two bodies times the pair correlation for the three others, by the equations of
// unit.event_cells.
static double density_of(const struct trial *trial, int a, int b)
{
    const double r = radius_of[a], s = radius_of[b], m = 2 * r * s / (r + s), weight = trial->def.weight;
    const bool flat = trial->dimension == 2;
    double area = flat ? 2 * (r + s) : pi * (r + s) * (r + s), x2 = 0, x3 = 0;
    for (int k = 0; k < BODIES; ++k) {
        const double d = 2 * radius_of[k];
        if (k == a || k == b)
            continue;
        x2 += weight * (flat ? pi / 4 * d / pow(edge, 2) : pi / 6 * d * d / pow(edge, 3));
        x3 += weight * (flat ? pi / 4 * d * d / pow(edge, 2) : pi / 6 * d * d * d / pow(edge, 3));
    }
    if (trial->def.dilute)
        return area;
    if (flat)
        return area * (1 / (1 - x3) + 9.0 / 8 * m * x2 / pow(1 - x3, 2));
    return area * (1 / (1 - x3) + 3 * x2 * m / pow(1 - x3, 2) + 2 * pow(x2 * m, 2) / pow(1 - x3, 3));
}

// --- pairs

// Each pair collides at its rate r = W chi sigma |g| / V: with the sum s of all of them, the first collision
// of a step h is one of this pair with the probability (1 - exp(-s h)) r / s.
static void check_pairs(int dimension, const struct scree_stochastic_def *def)
{
    enum { STEPS = 100000 };
    struct trial *trial = begin(dimension, def);
    uint64_t count[PAIRS + 1] = {0};
    double rate[PAIRS], sum = 0, expected[PAIRS + 1];
    const int number[BODIES][BODIES] = {{0, 0, 1, 2, 3}, {0, 0, 4, 5, 6}, {0, 0, 0, 7, 8}, {0, 0, 0, 0, 9}};
    for (int a = 0; a < BODIES; ++a)
        for (int b = a + 1; b < BODIES; ++b) {
            rate[number[a][b]] =
                def->weight * density_of(trial, a, b) * speed_between(dimension, a, b) / pow(edge, dimension);
            sum += rate[number[a][b]];
        }
    for (int k = 0; k < PAIRS; ++k)
        expected[k] = STEPS * (1 - exp(-sum * def->step)) * rate[k] / sum;
    expected[PAIRS] = STEPS * exp(-sum * def->step);
    trial->collisions = 1;
    for (int k = 0; k < STEPS; ++k) {
        step(trial);
        const uint64_t *of = &trial->first.body[0].value;
        assert_true(trial->collisions == 0 || (of[0] >= 1 && trial->first.body[1].value <= BODIES));
        ++count[trial->collisions == 0
                    ? PAIRS
                    : number[trial->first.body[0].value - 1][trial->first.body[1].value - 1]];
    }
    assert_counts(count, expected, PAIRS + 1, PAIRS);
    hard_end(&trial->hard);
}

static void pairs_collide_at_the_rates_of_kinetic_theory(void **state)
{
    (void)state;
    check_pairs(3, &(struct scree_stochastic_def){.step = 1.5, .weight = 1, .seed = 5});
    check_pairs(2, &(struct scree_stochastic_def){.step = 0.6, .weight = 1, .seed = 5});
}

static void a_weight_multiplies_rates_and_solid_fractions(void **state)
{
    (void)state;
    check_pairs(3, &(struct scree_stochastic_def){.step = 0.3, .weight = 7, .seed = 6});
    check_pairs(3, &(struct scree_stochastic_def){.step = 15, .weight = 0.1, .seed = 6});
}

static void a_dilute_gas_has_no_pair_correlation(void **state)
{
    (void)state;
    check_pairs(3, &(struct scree_stochastic_def){.step = 0.5, .weight = 7, .dilute = true, .seed = 7});
    check_pairs(2, &(struct scree_stochastic_def){.step = 0.8, .weight = 1, .dilute = true, .seed = 7});
}

// --- points of contact

// Equal elastic bodies: the relative velocity before is that after, mirrored at the tangent plane. In three
// dimensions the square of the sine of the angle of normal and velocity is uniformly distributed, and so is
// the angle about the velocity; in two dimensions the sine itself.
struct angles {
    int dimension;
    uint64_t count, offset[32], turn[32];
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void count_angles(void *user, const struct scree_event_collision *collision)
{
    struct angles *angles = (struct angles *)user;
    const double *n = collision->normal;
    double g[3], along[3];
    for (int k = 0; k < 3; ++k)
        g[k] = collision->velocity[0][k] - collision->velocity[1][k];
    const double after = dot(g, n);
    for (int k = 0; k < 3; ++k)
        g[k] -= 2 * after * n[k];
    const double speed = sqrt(dot(g, g)), cosine = dot(g, n) / speed;
    assert_true(after > 0 && cosine < 0 && fabs(dot(n, n) - 1) < 1e-14);
    ++angles->count;
    if (angles->dimension == 2) {
        const double sine = (g[0] * n[1] - g[1] * n[0]) / speed;
        ++angles->offset[(int)(16 * (1 + sine)) & 31];
        return;
    }
    ++angles->offset[(int)(32 * (1 - cosine * cosine)) & 31];
    // directions across the velocity
    const double x[3] = {0, g[2], -g[1]};
    const double y[3] = {g[1] * x[2] - g[2] * x[1], g[2] * x[0] - g[0] * x[2], g[0] * x[1] - g[1] * x[0]};
    for (int k = 0; k < 3; ++k)
        along[k] = n[k];
    const double turn = atan2(dot(along, y) / speed, dot(along, x));
    ++angles->turn[(int)(16 * (1 + turn / pi)) & 31];
}

static void points_of_contact_are_uniform_over_the_cross_section(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const struct drawn_gas gas = {.dimension = dimension,
                                      .side = dimension == 2 ? 20 : 8,
                                      .spacing = 1,
                                      .radius = {0.2, 0.2},
                                      .restitution = 1};
        struct hard hard = drawn_gas_make(&gas);
        struct angles angles = {.dimension = dimension};
        assert_ok(scree_stochastic_create(
            hard.world, &(struct scree_stochastic_def){.step = 0.2, .cell = 2, .seed = 8}, &hard.engine));
        assert_ok(scree_event_observe(hard.engine, count_angles, &angles));
        while (angles.count < 200000)
            assert_ok(scree_engine_run(hard.engine, 10));
        double expected[32];
        for (int k = 0; k < 32; ++k)
            expected[k] = (double)angles.count / 32;
        assert_counts(angles.offset, expected, 32, 31);
        if (dimension == 3)
            assert_counts(angles.turn, expected, 32, 31);
        hard_end(&hard);
    }
}

// --- fictitious partners

// The mean of |d - x| with x normally distributed with these variances along the axes: since the root of y is
// an integral of (1 - exp(-y t^2)) / t^2 over t from 0 on, over pi^(1/2), and the mean of exp(-y t^2) is a
// product over axes. With t = z / (1 - z) the integrand is smooth, and the midpoints of 20,000 intervals are
// accurate to 1e-8.
static double mean_distance(int dimension, const double d[3], const double variance[3])
{
    enum { PARTS = 20000 };
    double sum = 0;
    for (int k = 0; k < PARTS; ++k) {
        const double z = (k + 0.5) / PARTS, t = z / (1 - z);
        double mean = 1;
        for (int a = 0; a < dimension; ++a) {
            const double width = 1 + 2 * t * t * variance[a];
            mean *= exp(-d[a] * d[a] * t * t / width) / sqrt(width);
        }
        sum += (1 - mean) / (t * t) / pow(1 - z, 2) / PARTS;
    }
    return sum / sqrt(pi);
}

// The probability that a body collides in a short step: with a partner like each of the others, at the
// density (N (N - 1))^(1/2) W / V and with a velocity from the fluctuations in the cell.
static double probability_of(const struct trial *trial, int body)
{
    double mean[3] = {0}, mass = 0, temperature[3] = {0}, sum = 0;
    double m[BODIES];
    for (int b = 0; b < BODIES; ++b) {
        m[b] = trial->dimension == 2 ? pow(radius_of[b], 2) : pow(radius_of[b], 3);
        mass += m[b];
        for (int k = 0; k < 3; ++k)
            mean[k] += m[b] * velocity_of[b][k];
    }
    for (int k = 0; k < 3; ++k) {
        mean[k] /= mass;
        for (int b = 0; b < BODIES; ++b)
            temperature[k] += m[b] * pow(velocity_of[b][k] - mean[k], 2) / BODIES;
    }
    for (int b = 0; b < BODIES; ++b) {
        double from[3], variance[3];
        for (int k = 0; k < 3; ++k) {
            from[k] = velocity_of[body][k] - mean[k];
            variance[k] = temperature[k] / m[b];
        }
        if (b != body)
            sum +=
                density_of(trial, body, b) * mean_distance(trial->dimension, from, variance) / (BODIES - 1);
    }
    return trial->def.step * sqrt(BODIES * (BODIES - 1.0)) * trial->def.weight / pow(edge, trial->dimension) *
           sum;
}

// Steps are so short that they are not divided. The numbers are those of the first collision, which is that
// of the body with the lowest id: of body k if those before it have not collided.
static void check_fictitious(int dimension, const struct scree_stochastic_def *def)
{
    enum { STEPS = 200000 };
    struct trial *trial = begin(dimension, def);
    uint64_t count[BODIES + 1] = {0};
    double expected[BODIES + 1], none = 1;
    for (int b = 0; b < BODIES; ++b) {
        const double chance = probability_of(trial, b);
        expected[b] = STEPS * none * chance;
        none *= 1 - chance;
    }
    expected[BODIES] = STEPS * none;
    trial->collisions = 1;
    for (int k = 0; k < STEPS; ++k) {
        step(trial);
        ++count[trial->collisions == 0 ? BODIES : trial->first.body[0].value - 1];
        assert_true(trial->collisions == 0 ||
                    (trial->first.body[1].value == 0 && trial->first.wall.value == 0));
    }
    assert_counts(count, expected, BODIES + 1, BODIES);
    hard_end(&trial->hard);
}

static void bodies_collide_with_fictitious_partners_at_their_rates(void **state)
{
    (void)state;
    const scree_stochastic_partner fictitious = SCREE_STOCHASTIC_FICTITIOUS;
    check_fictitious(
        3, &(struct scree_stochastic_def){.step = 0.15, .weight = 1, .partner = fictitious, .seed = 9});
    check_fictitious(
        3, &(struct scree_stochastic_def){.step = 0.02, .weight = 7, .partner = fictitious, .seed = 9});
    check_fictitious(2, &(struct scree_stochastic_def){
                            .step = 0.06, .weight = 1, .dilute = true, .partner = fictitious, .seed = 9});
}

// --- materials

struct met {
    uint64_t count, others;
};

static void count_others(void *user, const struct scree_event_collision *collision)
{
    struct met *met = (struct met *)user;
    ++met->count;
    // even ids have the material that does not touch; of a fictitious partner nothing is known
    for (int s = 0; s < 2; ++s)
        met->others += collision->body[s].value > 0 && collision->body[s].value % 2 == 0 ? 1 : 0;
}

// Bodies of materials that do not touch pass through each other, and the others collide.
static void bodies_of_materials_that_do_not_touch_do_not_collide(void **state)
{
    (void)state;
    for (int partner = 0; partner < 2; ++partner) {
        struct hard hard = {NULL, NULL, {0}};
        struct met met = {0};
        scree_material_id other;
        assert_ok(scree_world_create(&(struct scree_world_def){0}, &hard.world));
        assert_ok(scree_material_add(hard.world, &(struct scree_material_def){"a", 1}, &hard.material));
        assert_ok(scree_material_add(hard.world, &(struct scree_material_def){"b", 1}, &other));
        const struct scree_interaction_value values[] = {{"restitution", 1, NULL}, {"friction", 0, NULL}};
        assert_ok(scree_interaction_add(
            hard.world,
            &(struct scree_interaction_def){
                .law = "hard", .between = {hard.material, hard.material}, .values = values, .count = 2}));
        for (int own = 0; own < 2; ++own)
            assert_ok(scree_interaction_add(
                hard.world, &(struct scree_interaction_def){
                                .law = "none", .between = {own ? other : hard.material, other}}));
        assert_ok(scree_cell_set(hard.world, &(struct scree_cell_def){.upper = {edge, edge, edge},
                                                                      .periodic = {true, true, true}}));
        for (int b = 0; b < 4 * BODIES; ++b)
            hard_add_body(hard.world, (double[3]){1, 2, 3}, velocity_of[b % BODIES], 0.5,
                          b % 2 ? other : hard.material);
        const struct scree_stochastic_def def = {.step = 0.1,
                                                 .cell = edge,
                                                 .partner = partner ? SCREE_STOCHASTIC_FICTITIOUS
                                                                    : SCREE_STOCHASTIC_BODY};
        assert_ok(scree_stochastic_create(hard.world, &def, &hard.engine));
        assert_ok(scree_event_observe(hard.engine, count_others, &met));
        // a mean over both materials says nothing of either
        if (partner)
            assert_refused(SCREE_ERROR_UNSUPPORTED,
                           "fictitious partners are drawn from the mean of all bodies",
                           scree_engine_run(hard.engine, 1));
        else
            assert_ok(scree_engine_run(hard.engine, 3000));
        assert_true(partner || met.count > 100);
        assert_int_equal(met.others, 0);
        hard_end(&hard);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_collide_at_the_rates_of_kinetic_theory),
        cmocka_unit_test(a_weight_multiplies_rates_and_solid_fractions),
        cmocka_unit_test(a_dilute_gas_has_no_pair_correlation),
        cmocka_unit_test(points_of_contact_are_uniform_over_the_cross_section),
        cmocka_unit_test(bodies_collide_with_fictitious_partners_at_their_rates),
        cmocka_unit_test(bodies_of_materials_that_do_not_touch_do_not_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
