// The impulse of a collision of rigid bodies of any shape: round bodies, a rod, conservation, restitution,
// the cone of friction, and the energy, which never grows.

#include "law/impulse_rigid.h"
#include "support/splitmix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct scree_vec3 random_vector(uint64_t *seed)
{
    const double x = splitmix_signed(seed), y = splitmix_signed(seed), z = splitmix_signed(seed);
    return scree_vec3_make(x, y, z);
}

static double positive(uint64_t *seed)
{
    return 1.0001 + splitmix_signed(seed);
}

static struct scree_impulse collide(struct scree_vec3 normal, struct scree_impulse_rigid side[2],
                                    struct scree_law_coefficients c)
{
    const struct scree_vec3 q =
        scree_vec3_sub(scree_impulse_rigid_velocity(&side[0]), scree_impulse_rigid_velocity(&side[1]));
    const struct scree_mat3 mobility = scree_mat3_add_scaled(scree_impulse_rigid_mobility(&side[0]), 1,
                                                             scree_impulse_rigid_mobility(&side[1]));
    const struct scree_impulse impulse = scree_impulse_of_rigid(normal, q, mobility, c);
    scree_impulse_rigid_apply(&side[0], impulse.vector);
    scree_impulse_rigid_apply(&side[1], scree_vec3_negate(impulse.vector));
    return impulse;
}

// Two spheres, or a sphere and a wall: about 100 operations, each rounded to 2^-53 of its parts, with moments
// of inertia of at least 0.1 m R^2, which enlarge errors by 10.
static void round_bodies_get_the_impulse_of_round_bodies(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int slides = 0;
    for (int k = 0; k < 20000; ++k) {
        const struct scree_law_coefficients c = {0.5 * (1 + splitmix_signed(&seed)), splitmix_signed(&seed),
                                                 k % 7 == 0 ? 0 : positive(&seed)};
        struct scree_vec3 normal = scree_vec3_normalise(random_vector(&seed));
        struct scree_impulse_side round[2];
        for (int s = 0; s < 2; ++s) {
            const double mass = positive(&seed), radius = positive(&seed),
                         inertia = (0.1 + 0.45 * positive(&seed)) * mass * radius * radius;
            round[s] = (struct scree_impulse_side){1 / mass, radius / inertia, radius, random_vector(&seed),
                                                   random_vector(&seed)};
        }
        if (k % 3 == 0)
            round[1] = (struct scree_impulse_side){.velocity = random_vector(&seed)};
        if (scree_vec3_dot(scree_impulse_velocity(normal, round), normal) > 0)
            normal = scree_vec3_negate(normal);
        if (scree_vec3_dot(scree_impulse_velocity(normal, round), normal) > 0)
            continue;
        struct scree_impulse_rigid rigid[2];
        for (int s = 0; s < 2; ++s) {
            const double turning = round[s].radius > 0 ? round[s].spin_inverse / round[s].radius : 0;
            const struct scree_vec3 inverse = {round[s].mass_inverse, round[s].mass_inverse,
                                               round[s].mass_inverse};
            rigid[s] =
                (struct scree_impulse_rigid){inverse, scree_mat3_scale(scree_mat3_identity(), turning),
                                             scree_vec3_scale(normal, s ? round[s].radius : -round[s].radius),
                                             round[s].velocity, round[s].spin};
        }
        const struct scree_impulse expected = scree_impulse_between(normal, round, c);
        const struct scree_impulse got = collide(normal, rigid, c);
        const double mass = 1 / (round[0].mass_inverse + round[1].mass_inverse);
        // velocities and R times spins are below 4 in sum of their parts
        const double tolerance = 1e-13 * (scree_vec3_norm(expected.vector) + 4 * mass);
        assert_true(scree_vec3_norm(scree_vec3_sub(got.vector, expected.vector)) <= tolerance);
        assert_true(fabs(got.dashpot - expected.dashpot) <= 10 * tolerance);
        assert_true(fabs(got.friction - expected.friction) <= 10 * tolerance);
        slides += got.slides;
    }
    assert_true(slides > 1000);
}

// A thin rod of mass m and length l, I = m l^2 / 12, at rest, hit at its end by a heavy smooth wall of
// velocity v along the normal: J = (1 + e) v / (1 / m + (l/2)^2 / I) = (1 + e) m v / 4.
static void a_rod_that_is_hit_at_its_end_turns(void **state)
{
    (void)state;
    const double mass = 3, length = 2, speed = 5, inertia = mass * length * length / 12;
    const struct scree_vec3 normal = {0, 0, 1};
    struct scree_impulse_rigid side[2] = {
        {{1 / mass, 1 / mass, 1 / mass},
         scree_mat3_diagonal(scree_vec3_make(0, 1 / inertia, 1 / inertia)),
         {length / 2, 0, 0},
         {0, 0, 0},
         {0, 0, 0}},
        {.velocity = {0, 0, speed}},
    };
    const struct scree_impulse impulse = collide(normal, side, (struct scree_law_coefficients){0.5, 0, 0});
    const double expected = 1.5 * mass * speed / 4;
    assert_true(fabs(impulse.vector.z - expected) < 1e-14 * expected && impulse.vector.x == 0);
    assert_true(fabs(side[0].velocity.z - expected / mass) < 1e-14);
    assert_true(fabs(side[0].spin.y + expected * length / 2 / inertia) < 1e-14 * 10);
    // the end leaves with 1.5 times the speed of the wall
    assert_true(fabs(scree_impulse_rigid_velocity(&side[0]).z - 1.5 * speed) < 1e-14 * 10);
}

// --- random bodies

// Principal moments of real bodies: sums of two of three second moments, ratios up to a hundred.
static struct scree_impulse_rigid random_side(uint64_t *seed)
{
    struct scree_impulse_rigid side;
    const double mass = positive(seed);
    double second[3];
    for (int k = 0; k < 3; ++k)
        second[k] = mass * (0.01 + 0.5 * positive(seed));
    const struct scree_vec3 moments = {second[1] + second[2], second[2] + second[0], second[0] + second[1]};
    const struct scree_vec3 x = scree_vec3_normalise(random_vector(seed)), y = scree_vec3_perpendicular(x);
    const struct scree_mat3 axes = scree_mat3_from_columns(x, y, scree_vec3_cross(x, y));
    side.mass_inverse = scree_vec3_make(1 / mass, 1 / mass, 1 / mass);
    side.inertia_inverse =
        scree_mat3_rotate(axes, scree_mat3_diagonal(scree_vec3_divide(scree_vec3_make(1, 1, 1), moments)));
    side.arm = scree_vec3_scale(random_vector(seed), 2);
    side.velocity = random_vector(seed);
    side.spin = random_vector(seed);
    return side;
}

static double energy(const struct scree_impulse_rigid *side)
{
    const struct scree_vec3 v = side->velocity, w = side->spin;
    double sum = 0;
    if (side->mass_inverse.x > 0)
        sum += v.x * v.x / side->mass_inverse.x;
    if (side->mass_inverse.y > 0)
        sum += v.y * v.y / side->mass_inverse.y;
    if (side->mass_inverse.z > 0)
        sum += v.z * v.z / side->mass_inverse.z;
    if (scree_mat3_determinant(side->inertia_inverse) > 0)
        sum += scree_vec3_dot(w, scree_mat3_apply(scree_mat3_inverse(side->inertia_inverse), w));
    return sum / 2;
}

// The impulses of EQUATIONS 6 without a limit to the energy, as a check that the limit acts: the sticking one
// by the inverse of K, else the sliding one.
static double energy_without_limit(struct scree_vec3 n, struct scree_vec3 q, struct scree_mat3 mobility,
                                   struct scree_law_coefficients c)
{
    const double q_n = scree_vec3_dot(q, n);
    const struct scree_vec3 q_t = scree_vec3_add_scaled(q, -q_n, n);
    const struct scree_vec3 change =
        scree_vec3_add_scaled(scree_vec3_scale(q_t, -1 - c.tangential), -(1 + c.restitution) * q_n, n);
    struct scree_vec3 j = scree_mat3_apply(scree_mat3_inverse(mobility), change);
    const double j_n = scree_vec3_dot(j, n);
    if (scree_vec3_norm(scree_vec3_add_scaled(j, -j_n, n)) > c.friction * j_n) {
        const struct scree_vec3 d = scree_vec3_add_scaled(n, -c.friction / scree_vec3_norm(q_t), q_t);
        j = scree_vec3_scale(d,
                             -(1 + c.restitution) * q_n / scree_vec3_dot(n, scree_mat3_apply(mobility, d)));
    }
    return scree_vec3_dot(j, scree_vec3_add_scaled(q, 0.5, scree_mat3_apply(mobility, j)));
}

static void energy_never_grows_and_restitution_and_friction_are_kept(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int sliding = 0, sticking = 0, limited = 0, cases = 0;
    for (int k = 0; k < 100000; ++k) {
        struct scree_impulse_rigid side[2] = {random_side(&seed), random_side(&seed)};
        // fixed rotations, a fixed body, a position fixed along x
        if (k % 5 == 0)
            side[1].inertia_inverse = scree_mat3_scale(side[1].inertia_inverse, 0);
        if (k % 7 == 0)
            side[1] = (struct scree_impulse_rigid){.arm = side[1].arm};
        if (k % 11 == 0)
            side[0].mass_inverse.x = 0;
        for (int s = 0; s < 2; ++s) {
            // what cannot move is at rest, so that it does no work
            side[s].velocity.x = side[s].mass_inverse.x > 0 ? side[s].velocity.x : 0;
            side[s].spin = scree_vec3_scale(side[s].spin, side[s].inertia_inverse.xx > 0 ? 1 : 0);
        }
        struct scree_vec3 normal = scree_vec3_normalise(random_vector(&seed));
        const struct scree_law_coefficients c = {0.5 * (1 + splitmix_signed(&seed)), splitmix_signed(&seed),
                                                 positive(&seed)};
        const struct scree_vec3 q =
            scree_vec3_sub(scree_impulse_rigid_velocity(&side[0]), scree_impulse_rigid_velocity(&side[1]));
        normal = scree_vec3_dot(normal, q) > 0 ? scree_vec3_negate(normal) : normal;
        const struct scree_mat3 mobility = scree_mat3_add_scaled(scree_impulse_rigid_mobility(&side[0]), 1,
                                                                 scree_impulse_rigid_mobility(&side[1]));
        const double before = energy(&side[0]) + energy(&side[1]), q_n = scree_vec3_dot(q, normal);
        const struct scree_impulse impulse = collide(normal, side, c);
        const double after = energy(&side[0]) + energy(&side[1]);
        const struct scree_vec3 after_q =
            scree_vec3_sub(scree_impulse_rigid_velocity(&side[0]), scree_impulse_rigid_velocity(&side[1]));

        // about 300 roundings of 2^-53, relative to the parts; ratios of moments up to 100 enlarge them
        const double round_off = 100 * 300 * 0x1p-53, parts = before + after;
        assert_true(after - before <= round_off * parts);
        assert_true(fabs(before - after - impulse.dashpot - impulse.friction) <= round_off * parts);
        const double size = scree_vec3_norm(q) + scree_vec3_norm(after_q);
        assert_true(fabs(scree_vec3_dot(after_q, normal) + c.restitution * q_n) <= round_off * size);
        const double slip = scree_vec3_norm(scree_vec3_add_scaled(impulse.vector, -impulse.normal, normal));
        assert_true(impulse.normal > 0);
        assert_true(slip <= c.friction * impulse.normal + round_off * scree_vec3_norm(impulse.vector));
        const bool grows = energy_without_limit(normal, q, mobility, c) > round_off * parts;
        if (!impulse.slides && !grows) {
            const struct scree_vec3 q_t = scree_vec3_add_scaled(q, -q_n, normal);
            const struct scree_vec3 after_t =
                scree_vec3_add_scaled(after_q, -scree_vec3_dot(after_q, normal), normal);
            assert_true(scree_vec3_norm(scree_vec3_add_scaled(after_t, c.tangential, q_t)) <=
                        round_off * size);
            ++sticking;
        }
        sliding += impulse.slides;
        limited += grows;
        ++cases;
    }
    assert_true(cases == 100000 && sliding > 10000 && sticking > 10000 && limited > 1000);
}

// In two dimensions nothing enters the z-components of velocities and the x and y ones of spins.
static void disks_and_their_clumps_stay_in_the_plane(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 1000; ++k) {
        struct scree_impulse_rigid side[2];
        for (int s = 0; s < 2; ++s) {
            side[s] = random_side(&seed);
            side[s].arm.z = side[s].velocity.z = side[s].spin.x = side[s].spin.y = 0;
            side[s].inertia_inverse = scree_mat3_diagonal(scree_vec3_make(0, 0, positive(&seed)));
        }
        struct scree_vec3 normal = random_vector(&seed);
        normal.z = 0;
        normal = scree_vec3_normalise(normal);
        const struct scree_vec3 q =
            scree_vec3_sub(scree_impulse_rigid_velocity(&side[0]), scree_impulse_rigid_velocity(&side[1]));
        if (scree_vec3_dot(normal, q) > 0)
            normal = scree_vec3_negate(normal);
        const struct scree_impulse impulse =
            collide(normal, side, (struct scree_law_coefficients){0.9, 0.4, positive(&seed)});
        assert_true(impulse.normal > 0 && impulse.vector.z == 0);
        for (int s = 0; s < 2; ++s)
            assert_true(side[s].velocity.z == 0 && side[s].spin.x == 0 && side[s].spin.y == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_bodies_get_the_impulse_of_round_bodies),
        cmocka_unit_test(a_rod_that_is_hit_at_its_end_turns),
        cmocka_unit_test(energy_never_grows_and_restitution_and_friction_are_kept),
        cmocka_unit_test(disks_and_their_clumps_stay_in_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
