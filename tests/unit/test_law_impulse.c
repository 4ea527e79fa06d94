// The impulse of a collision of round bodies: tables of EQUATIONS 6, conservation, restitution and friction.

#include "law/impulse.h"
#include "support/splitmix.h"
#include "support/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct scree_vec3 vector(const struct scree_table *table, size_t row, const char *x, const char *y,
                                const char *z)
{
    return scree_vec3_make(scree_table_number(table, row, x), scree_table_number(table, row, y),
                           scree_table_number(table, row, z));
}

// Fails if a vector differs by more than the round-off of the at most 40 operations on numbers up to `size`
// that lead to it, in the table and here: 80 * 2^-53 < 1e-14.
static void assert_near(struct scree_vec3 got, struct scree_vec3 expected, double size)
{
    const double error = scree_vec3_norm(scree_vec3_sub(got, expected));
    if (!(error <= 1e-14 * size))
        fail_msg("got (%.17g %.17g %.17g), expected (%.17g %.17g %.17g)", got.x, got.y, got.z, expected.x,
                 expected.y, expected.z);
}

// Collides two sides.
static struct scree_impulse collide(struct scree_vec3 normal, struct scree_impulse_side side[2],
                                    struct scree_law_coefficients c)
{
    const struct scree_impulse impulse = scree_impulse_between(normal, side, c);
    scree_impulse_apply(normal, impulse.vector, side);
    return impulse;
}

static void the_table_of_collisions_comes_out(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("hard_sphere_cases.csv");
    int sliding = 0, walls = 0;
    for (size_t row = 0; row < table->rows; ++row) {
        const double m1 = scree_table_number(table, row, "m1"), m2 = scree_table_number(table, row, "m2");
        const double r1 = scree_table_number(table, row, "d1") / 2,
                     r2 = scree_table_number(table, row, "d2") / 2;
        const double i1 = scree_table_number(table, row, "I1"), i2 = scree_table_number(table, row, "I2");
        const struct scree_law_coefficients c = {.restitution = scree_table_number(table, row, "e"),
                                                 .tangential = scree_table_number(table, row, "xi"),
                                                 .friction = scree_table_number(table, row, "mu")};
        const struct scree_vec3 normal = vector(table, row, "nx", "ny", "nz");
        struct scree_impulse_side side[2] = {
            {1 / m1, r1 / i1, r1, vector(table, row, "c1x", "c1y", "c1z"),
             vector(table, row, "w1x", "w1y", "w1z")},
            {1 / m2, r2 / i2, r2, vector(table, row, "c2x", "c2y", "c2z"),
             vector(table, row, "w2x", "w2y", "w2z")},
        };
        const struct scree_impulse impulse = collide(normal, side, c);
        // R / I is at most about 10 in the table, velocities and impulses are of order 1
        const double size = 10 * (1 + scree_vec3_norm(impulse.vector));
        assert_int_equal(impulse.slides, scree_table_number(table, row, "slide") == 1);
        assert_near(impulse.vector, vector(table, row, "Jx", "Jy", "Jz"), size);
        assert_near(side[0].velocity, vector(table, row, "c1px", "c1py", "c1pz"), size);
        assert_near(side[1].velocity, vector(table, row, "c2px", "c2py", "c2pz"), size);
        assert_near(side[0].spin, vector(table, row, "w1px", "w1py", "w1pz"), size);
        assert_near(side[1].spin, vector(table, row, "w2px", "w2py", "w2pz"), size);
        sliding += impulse.slides;
        walls += side[1].mass_inverse == 0;
    }
    assert_true(table->rows == 40 && sliding > 5 && sliding < 35 && walls == 10);
    scree_table_free(table);
}

// The columns of rigid impacts in the table of oblique ones: pairs and a wall, solid spheres, in the plane.
static void oblique_impacts_are_those_of_the_table(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("oblique_impact.csv");
    for (size_t row = 0; row < table->rows; ++row) {
        const struct scree_law_coefficients c = {.restitution = scree_table_number(table, row, "e"),
                                                 .tangential = scree_table_number(table, row, "xi"),
                                                 .friction = scree_table_number(table, row, "mu")};
        const struct scree_vec3 normal = scree_vec3_make(0, 0, 1);
        const double vn = scree_table_number(table, row, "vn"), vt = scree_table_number(table, row, "vt"),
                     radius = scree_table_number(table, row, "R");
        const bool pair = strcmp(scree_table_word(table, row, "kind"), "pair") == 0;
        struct scree_impulse_side side[2] = {{1, 2.5 / radius, radius, {vt, 0, vn}, {0, 0, 0}},
                                             {1, 2.5 / radius, radius, {0, 0, 0}, {0, 0, 0}}};
        if (!pair)
            side[1] = (struct scree_impulse_side){.radius = 0};
        const struct scree_impulse impulse = collide(normal, side, c);
        const struct scree_vec3 q = scree_impulse_velocity(normal, side);
        assert_int_equal(impulse.slides, scree_table_number(table, row, "slide") == 1);
        assert_near(q,
                    scree_vec3_make(scree_table_number(table, row, "vt_hard"), 0,
                                    scree_table_number(table, row, "vn_hard")),
                    1 + fabs(vn) + fabs(vt));
    }
    assert_true(table->rows == 36);
    scree_table_free(table);
}

// --- random collisions

struct random_collision {
    struct scree_vec3 normal;
    struct scree_impulse_side before[2], after[2];
    struct scree_law_coefficients c;
    struct scree_impulse impulse;
};

static double positive(uint64_t *seed)
{
    return 1.0001 + splitmix_signed(seed);
}

static struct scree_vec3 random_vector(uint64_t *seed, bool flat)
{
    const double x = splitmix_signed(seed), y = splitmix_signed(seed), z = splitmix_signed(seed);
    return scree_vec3_make(x, y, flat ? 0 : z);
}

// Masses over four decades, moments of inertia from a quarter of that of a solid sphere to that of a hoop;
// every fourth collision is one of disks, every fifth one with a wall, and some spins are fixed.
static struct random_collision random_collision(uint64_t *seed, int number)
{
    const bool flat = number % 4 == 0, wall = number % 5 == 0;
    struct random_collision r = {.c = {0.5 * positive(seed), splitmix_signed(seed), positive(seed)}};
    r.c.restitution = r.c.restitution < 1 ? r.c.restitution : 1;
    r.normal = scree_vec3_normalise(random_vector(seed, flat));
    for (int s = 0; s < 2; ++s) {
        const double mass = positive(seed) * (s ? 1 : pow(10, 2 * splitmix_signed(seed)));
        const double radius = positive(seed),
                     inertia = (0.1 + 0.45 * positive(seed)) * mass * radius * radius;
        const struct scree_vec3 spin = random_vector(seed, flat);
        r.before[s] =
            (struct scree_impulse_side){1 / mass, radius / inertia, radius, random_vector(seed, flat),
                                        flat ? scree_vec3_make(0, 0, spin.x) : spin};
        if (splitmix_signed(seed) > 0.9)
            r.before[s].spin_inverse = 0;
    }
    if (wall)
        r.before[1] = (struct scree_impulse_side){.velocity = random_vector(seed, flat)};
    // sides that recede approach with the opposite normal
    if (scree_vec3_dot(scree_impulse_velocity(r.normal, r.before), r.normal) > 0) {
        r.normal = scree_vec3_negate(r.normal);
        // the spins count from the other side then
        r.before[0].spin = scree_vec3_negate(r.before[0].spin);
        r.before[1].spin = scree_vec3_negate(r.before[1].spin);
    }
    memcpy(r.after, r.before, sizeof r.after);
    r.impulse = collide(r.normal, r.after, r.c);
    return r;
}

// Momentum, or angular momentum about a point at distance 1 from the contact point, of a side that can move.
static struct scree_vec3 momentum(const struct scree_impulse_side *side)
{
    return scree_vec3_scale(side->velocity, 1 / side->mass_inverse);
}

static struct scree_vec3 angular_momentum(const struct random_collision *r,
                                          const struct scree_impulse_side *side, int which)
{
    const struct scree_vec3 contact = {0.36, -0.48, 0.8};
    const struct scree_vec3 centre =
        scree_vec3_add_scaled(contact, which ? -side->radius : side->radius, r->normal);
    return scree_vec3_add_scaled(scree_vec3_cross(centre, momentum(side)), side->radius / side->spin_inverse,
                                 side->spin);
}

// The sums of all changes must vanish to 1e-14 of their parts: each velocity and spin has three roundings of
// its size, 2^-53 each, and each product below has two more.
static void momentum_and_angular_momentum_are_conserved(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int counted = 0;
    for (int k = 0; k < 100000; ++k) {
        const struct random_collision r = random_collision(&seed, k);
        struct scree_vec3 change[2] = {{0}};
        double parts[2] = {0};
        if (r.before[1].mass_inverse == 0)
            continue;
        const bool turns = r.before[0].spin_inverse > 0 && r.before[1].spin_inverse > 0;
        for (int s = 0; s < 2; ++s) {
            const struct scree_vec3 p[2] = {momentum(&r.before[s]), momentum(&r.after[s])};
            change[0] = scree_vec3_add(change[0], scree_vec3_sub(p[1], p[0]));
            parts[0] += scree_vec3_norm(p[0]) + scree_vec3_norm(p[1]);
            if (!turns)
                continue;
            const struct scree_vec3 l[2] = {angular_momentum(&r, &r.before[s], s),
                                            angular_momentum(&r, &r.after[s], s)};
            change[1] = scree_vec3_add(change[1], scree_vec3_sub(l[1], l[0]));
            // the parts of an angular momentum are those of the centre, at a distance up to 3, and the spin
            const double spin = r.before[s].radius / r.before[s].spin_inverse;
            for (int t = 0; t < 2; ++t)
                parts[1] += 3 * scree_vec3_norm(p[t]) +
                            spin * scree_vec3_norm(t ? r.after[s].spin : r.before[s].spin);
        }
        assert_true(scree_vec3_norm(change[0]) <= 1e-14 * parts[0]);
        assert_true(!turns || scree_vec3_norm(change[1]) <= 1e-14 * parts[1]);
        counted += turns;
    }
    assert_true(counted > 50000);
}

// Energy of what can move.
static double energy(const struct scree_impulse_side side[2])
{
    double sum = 0;
    for (int s = 0; s < 2; ++s) {
        sum +=
            side[s].mass_inverse > 0 ? scree_vec3_norm_squared(side[s].velocity) / side[s].mass_inverse : 0;
        sum += side[s].spin_inverse > 0
                   ? side[s].radius / side[s].spin_inverse * scree_vec3_norm_squared(side[s].spin)
                   : 0;
    }
    return sum / 2;
}

// The impulse times the velocity, at the contact point, of what moves but cannot be moved: walls, fixed
// spins.
static double work_of_drives(const struct random_collision *r)
{
    struct scree_vec3 drive = scree_vec3_zero();
    for (int s = 0; s < 2; ++s) {
        const struct scree_impulse_side *side = &r->before[s];
        if (side->mass_inverse == 0)
            drive = scree_vec3_add(drive, side->velocity);
        if (side->spin_inverse == 0)
            drive = scree_vec3_add_scaled(drive, side->radius, scree_vec3_cross(side->spin, r->normal));
    }
    return scree_vec3_dot(drive, r->impulse.vector);
}

static void both_restitutions_are_met_and_energy_never_grows(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int sliding = 0, sticking = 0;
    for (int k = 0; k < 100000; ++k) {
        const struct random_collision r = random_collision(&seed, k);
        const struct scree_vec3 q = scree_impulse_velocity(r.normal, r.before),
                                after = scree_impulse_velocity(r.normal, r.after);
        const double q_n = scree_vec3_dot(q, r.normal), after_n = scree_vec3_dot(after, r.normal);
        const struct scree_vec3 q_t = scree_vec3_add_scaled(q, -q_n, r.normal),
                                after_t = scree_vec3_add_scaled(after, -after_n, r.normal);
        // the parts of q are velocities and R times spins, before and after
        double parts = 0;
        for (int s = 0; s < 2; ++s)
            parts +=
                scree_vec3_norm(r.before[s].velocity) + scree_vec3_norm(r.after[s].velocity) +
                r.before[s].radius * (scree_vec3_norm(r.before[s].spin) + scree_vec3_norm(r.after[s].spin));
        assert_true(fabs(after_n + r.c.restitution * q_n) <= 1e-14 * parts);
        const double pressing = scree_vec3_dot(r.impulse.vector, r.normal);
        const struct scree_vec3 tangential = scree_vec3_add_scaled(r.impulse.vector, -pressing, r.normal);
        const double size = scree_vec3_norm(tangential), impulse = scree_vec3_norm(r.impulse.vector);
        if (r.impulse.slides) {
            // at the limit, against the motion, and the motion is not more than reversed by xi
            assert_true(fabs(size - r.c.friction * pressing) <= 1e-14 * (1 + r.c.friction) * impulse);
            assert_true(scree_vec3_dot(tangential, q_t) <= -size * scree_vec3_norm(q_t) + 1e-14 * impulse);
            assert_true(scree_vec3_dot(after_t, q_t) >=
                        -r.c.tangential * scree_vec3_norm_squared(q_t) - 1e-14 * parts * parts);
            ++sliding;
        } else {
            assert_near(after_t, scree_vec3_scale(q_t, -r.c.tangential), parts);
            assert_true(size <= r.c.friction * pressing + 1e-14 * impulse);
            ++sticking;
        }
        const double before = energy(r.before), work = work_of_drives(&r);
        assert_true(energy(r.after) - before - work <= 1e-14 * (before + fabs(work) + energy(r.after)));
    }
    assert_true(sliding > 10000 && sticking > 10000);
}

static void elastic_smooth_and_perfectly_rough_collisions_conserve_energy(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 20000; ++k) {
        struct random_collision r = random_collision(&seed, k);
        // smooth by xi, smooth by friction, and perfectly rough
        const struct scree_law_coefficients kinds[] = {{1, -1, 1e150}, {1, 1, 0}, {1, 1, 1e150}};
        memcpy(r.after, r.before, sizeof r.after);
        r.impulse = collide(r.normal, r.after, kinds[k % 3]);
        assert_true(k % 3 == 1 || !r.impulse.slides);
        const double before = energy(r.before), work = work_of_drives(&r);
        assert_true(fabs(energy(r.after) - before - work) <= 1e-14 * (before + fabs(work) + energy(r.after)));
    }
}

// Solid spheres stick if 2/7 (1 + xi) |q_t| <= mu (1 + e) |q_n|; if they slide, q_t is multiplied by
// 1 - 7/2 mu (1 + e) |q_n| / |q_t|. Both agree at the limit.
static void solid_spheres_stick_up_to_the_limit(void **state)
{
    (void)state;
    const struct scree_law_coefficients c = {0.8, 0.35, 0.25};
    const double limit = 3.5 * c.friction * (1 + c.restitution) / (1 + c.tangential);
    for (int k = -1; k <= 1; k += 2) {
        // tangential velocity relative to the normal one, just below and above the limit
        const double q_t = limit * (1 + k * 1e-13);
        struct scree_impulse_side side[2] = {{2, 2 * 2.5 / 0.4, 0.4, {q_t, 0, -1}, {0, 0, 0}},
                                             {3, 3 * 2.5 / 0.7, 0.7, {0, 0, 0}, {0, 0, 0}}};
        const struct scree_vec3 normal = {0, 0, 1};
        const struct scree_impulse impulse = collide(normal, side, c);
        const struct scree_vec3 q = scree_impulse_velocity(normal, side);
        assert_int_equal(impulse.slides, k > 0);
        assert_near(q, scree_vec3_make(-c.tangential * limit, 0, c.restitution), 100 * limit);
    }
}

static void a_head_on_collision_has_no_tangential_impulse(void **state)
{
    (void)state;
    const struct scree_law_coefficients rough = {0.5, 1, 2}, smooth = {0.5, 1, 0};
    for (int k = 0; k < 2; ++k) {
        struct scree_impulse_side side[2] = {{1, 1, 1, {0, 0, -1}, {0, 0, 3}}, {.radius = 0}};
        const struct scree_impulse impulse = collide(scree_vec3_make(0, 0, 1), side, k ? rough : smooth);
        assert_true(!impulse.slides && impulse.vector.x == 0 && impulse.vector.y == 0);
        assert_true(impulse.vector.z == 1.5 && side[0].velocity.z == 0.5 && side[0].spin.z == 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_collisions_comes_out),
        cmocka_unit_test(oblique_impacts_are_those_of_the_table),
        cmocka_unit_test(momentum_and_angular_momentum_are_conserved),
        cmocka_unit_test(both_restitutions_are_met_and_energy_never_grows),
        cmocka_unit_test(elastic_smooth_and_perfectly_rough_collisions_conserve_energy),
        cmocka_unit_test(solid_spheres_stick_up_to_the_limit),
        cmocka_unit_test(a_head_on_collision_has_no_tangential_impulse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
