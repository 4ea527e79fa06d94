// Members of two bodies that turn uniformly: distances, their rates and the time for which they do not touch,
// against positions in long double.

#include "event/couples.h"
#include "support/worlds.h"

typedef long double real;

enum { ROUNDS = 2000, SAMPLES = 40 };

// A body: members on random circles around a random axis.
struct body {
    struct scree_event_orbits orbits;
    real axis[3], rate;
    uint32_t count;
};

static void make(struct body *b, uint64_t *seed, uint32_t count)
{
    *b = (struct body){.count = count, .rate = 2 * (real)fabs(splitmix_signed(seed))};
    real length = 0;
    for (int k = 0; k < 3; ++k) {
        b->axis[k] = (real)splitmix_signed(seed);
        length += b->axis[k] * b->axis[k];
    }
    for (int k = 0; k < 3; ++k)
        b->axis[k] /= sqrtl(length);
    for (uint32_t m = 0; m < count; ++m) {
        real arm[3], along = 0, reach = 0;
        for (int k = 0; k < 3; ++k) {
            arm[k] = 0.5L * (real)splitmix_signed(seed);
            along += arm[k] * b->axis[k];
            reach += arm[k] * arm[k];
        }
        for (int k = 0; k < 3; ++k) {
            b->orbits.centre[k][m] = (double)(along * b->axis[k]);
            b->orbits.out[k][m] = (double)(arm[k] - along * b->axis[k]);
        }
        for (int k = 0; k < 3; ++k)
            b->orbits.across[k][m] =
                (double)(b->axis[(k + 1) % 3] * arm[(k + 2) % 3] - b->axis[(k + 2) % 3] * arm[(k + 1) % 3]);
        const double r = (double)sqrtl(reach) * (1 + 1e-12), w = (double)b->rate;
        b->orbits.radius[m] = 0.1 + 0.2 * fabs(splitmix_signed(seed));
        b->orbits.speed[m] = w * r;
        b->orbits.bend[m] = w * w * r;
        b->orbits.jerk[m] = w * w * w * r;
    }
}

// Of the members i and j at a time, with the displacement x + u t + f t^2 / 2 of the bodies.
static real gap_at(const struct body body[2], const double x[3], const double u[3], const double f[3],
                   const uint32_t member[2], real time, real *rate)
{
    real square = 0, change = 0;
    for (int k = 0; k < 3; ++k) {
        real d = (real)x[k] + time * ((real)u[k] + 0.5L * time * (real)f[k]),
             v = (real)u[k] + time * (real)f[k];
        for (int s = 0; s < 2; ++s) {
            const struct scree_event_orbits *o = &body[s].orbits;
            const real angle = body[s].rate * time, out = (real)o->out[k][member[s]],
                       across = (real)o->across[k][member[s]], sign = s == 0 ? -1 : 1;
            d += sign * ((real)o->centre[k][member[s]] + cosl(angle) * out + sinl(angle) * across);
            v += sign * body[s].rate * (cosl(angle) * across - sinl(angle) * out);
        }
        square += d * d;
        change += d * v;
    }
    *rate = change / sqrtl(square);
    return sqrtl(square) - (real)body[0].orbits.radius[member[0]] - (real)body[1].orbits.radius[member[1]];
}

// Up to the way no couple touches; gaps and rates have rounding errors of some numbers below 10. The way is
// at most H, and where nothing is near it is as long as that.
static void no_couple_touches_before_its_way(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int whole = 0, packed = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        struct body body[2];
        make(&body[0], &seed, 1 + (uint32_t)(round % 4));
        make(&body[1], &seed, 1 + (uint32_t)(round / 4 % 4));
        struct scree_event_couples c = {.orbits = {&body[0].orbits, &body[1].orbits},
                                        .count = {body[0].count, body[1].count},
                                        .ahead = 1.0 / (double)(body[0].rate + body[1].rate)};
        c.packed = c.count[0] <= 2 && c.count[1] <= 2;
        double x[3], u[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = 1.2 * splitmix_signed(&seed);
            u[k] = splitmix_signed(&seed);
            c.fall[k] = round % 3 == 0 ? splitmix_signed(&seed) : 0;
        }
        c.falls = (double)sqrtl((real)c.fall[0] * (real)c.fall[0] + (real)c.fall[1] * (real)c.fall[1] +
                                (real)c.fall[2] * (real)c.fall[2]);
        uint32_t m[2];
        for (uint32_t row = 0; row < scree_event_couples_rows(&c); ++row)
            for (uint32_t lane = 0; lane < SCREE_EVENT_LANES; ++lane) {
                scree_event_couples_members(&c, row, lane, m);
                c.collides[row][lane] = m[0] < c.count[0] && m[1] < c.count[1] ? -1 : 0;
            }
        struct scree_event_pose pose[2] = {{.uniform = true, .rate = (double)body[0].rate, .cos = 1},
                                           {.uniform = true, .rate = (double)body[1].rate, .cos = 1}};
        struct scree_event_ways ways;
        assert_true(scree_event_couples_set()(&c, pose, x, u, (double)INFINITY, &ways));
        double least = c.ahead;
        packed += c.packed;
        for (uint32_t row = 0; row < scree_event_couples_rows(&c); ++row)
            for (uint32_t lane = 0; lane < SCREE_EVENT_LANES; ++lane) {
                if (!c.collides[row][lane])
                    continue;
                scree_event_couples_members(&c, row, lane, m);
                real rate;
                const double way = ways.way[row][lane];
                const real gap = gap_at(body, x, u, c.fall, m, 0, &rate);
                assert_true(fabsl(gap - (real)ways.gap[row][lane]) < 1e-14L &&
                            fabsl(rate - (real)ways.rate[row][lane]) < 1e-13L);
                least = way < least ? way : least;
                whole += way >= c.ahead;
                // those that overlap and part are left alone until they may approach
                for (int n = 0; n <= SAMPLES && gap > 0; ++n)
                    assert_true(gap_at(body, x, u, c.fall, m, (real)way * n / SAMPLES, &rate) > -1e-14L);
            }
        assert_true(ways.least == least);
    }
    assert_true(whole > ROUNDS && packed > ROUNDS / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_couple_touches_before_its_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
