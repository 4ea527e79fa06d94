// The first contact of surfaces that move and turn, against closed forms.

#include "event/advance.h"
#include "math/real.h"
#include "support/worlds.h"

// g = c0 + c1 t + c2 t^2 / 2 + amplitude sin(rate t + phase), and how often it was asked for.
struct motion {
    double c[3], amplitude, rate, phase;
    int *asked;
};

static struct scree_event_gap gap_of(const void *self, double t)
{
    const struct motion *m = (const struct motion *)self;
    ++*m->asked;
    return (struct scree_event_gap){
        m->c[0] + t * (m->c[1] + 0.5 * t * m->c[2]) + m->amplitude * sin(m->rate * t + m->phase),
        m->c[1] + t * m->c[2] + m->amplitude * m->rate * cos(m->rate * t + m->phase)};
}

static double bend_of(const struct motion *m)
{
    return fabs(m->amplitude) * m->rate * m->rate + (m->c[2] < 0 ? -m->c[2] : 0);
}

static double find(struct motion m, double start, double now, double end, int *asked)
{
    const struct scree_event_advance a = {
        .start = start, .window = 4, .now = now, .end = end, .bend = bend_of(&m), .size = 1};
    m.asked = asked;
    *asked = 0;
    return scree_event_advance_find(&a, gap_of, &m);
}

// Straight flight, fall, and turning: the error of a root is that of the gap over its rate, some 1e-15, and
// convergence is quadratic, so that a few steps are enough.
static void first_contacts_are_those_of_closed_forms(void **state)
{
    (void)state;
    int asked;
    scree_test_near(find((struct motion){.c = {1, -0.3}}, 0, 0, 10, &asked), 1 / 0.3, 2e-15 * 10);
    assert_in_range(asked, 1, 4);
    scree_test_near(find((struct motion){.c = {2, 3, -9.81}}, 0, 0, 10, &asked),
                    (3 + sqrt(9 + 2 * 9.81 * 2)) / 9.81, 1e-15);
    assert_in_range(asked, 1, 4);
    // a point that turns: at the height 1, falls to 0.5
    scree_test_near(
        find((struct motion){.c = {-0.5}, .amplitude = 1, .rate = 2, .phase = asin(1.0)}, 0, 0, 10, &asked),
        0.5 * acos(0.5), 2e-15);
    assert_in_range(asked, 1, 12);
    // a body that comes near and turns fast: the reference is a search in tiny steps
    const struct motion rolls = {.c = {1.5, -0.1}, .amplitude = 1, .rate = 20, .phase = 1};
    double low = 0;
    while (1.5 - 0.1 * low + sin(20 * low + 1) > 0)
        low += 1e-6;
    const double found = find(rolls, 0, 0, 100, &asked);
    assert_true(found <= low && found > low - 1e-6);
}

// A gap whose least value is a little above or below 0: the first has no contact, the second has, at the
// first of both roots.
static void grazing_contacts_are_neither_missed_nor_invented(void **state)
{
    (void)state;
    for (int k = 1; k <= 12; ++k) {
        int asked;
        const double depth = pow(10, -k);
        const struct motion above = {.c = {1 + depth, 0}, .amplitude = 1, .rate = 1};
        const struct motion below = {.c = {1 - depth, 0}, .amplitude = 1, .rate = 1};
        assert_true(find(above, 0, 0, 20, &asked) == INFINITE);
        assert_in_range(asked, 1, 400);
        // sin t = depth - 1; a gap within a rounding error of 0 counts, 2^-50, at the rate sqrt(2 depth)
        const double expected = SCREE_PI + acos(sqrt(depth * (2 - depth)));
        scree_test_near(find(below, 0, 0, 20, &asked), expected, 4e-15 / sqrt(2 * depth) + 4e-15);
    }
}

static void surfaces_that_touch_and_part_do_not_collide_at_once(void **state)
{
    (void)state;
    const double rounding[] = {-3e-16, 0, 3e-16};
    int asked;
    for (int k = 0; k < 3; ++k) {
        // thrown up from the ground: back at 2 v / g
        scree_test_near(find((struct motion){.c = {rounding[k], 1, -10}}, 0, 0, 9, &asked), 0.2, 2e-15);
        // approaching: at once
        assert_true(find((struct motion){.c = {rounding[k], -1, -10}}, 0, 0, 9, &asked) == 0);
        // without a rate: when it may have sunk by the part 1e-12
        const double later = find((struct motion){.c = {rounding[k], 0, -10}}, 0, 0, 9, &asked);
        assert_true(later >= 0.99 * sqrt(2e-13) && later < 1.5 * sqrt(2e-13));
        // and if it leaves by itself, never
        assert_true(find((struct motion){.c = {rounding[k], 0, 10}}, 0, 0, 9, &asked) == INFINITE);
    }
    // overlap: approaching it collides at once; parting only after it has stopped to part
    assert_true(find((struct motion){.c = {-0.1, -1, 0}}, 0, 0, 9, &asked) == 0);
    const double back = find((struct motion){.c = {-0.1, 1, -10}}, 0, 0, 9, &asked);
    assert_true(back >= 0.1 && back < 0.1 + 1e-6);
}

static void later_searches_find_the_same_bits(void **state)
{
    (void)state;
    int asked;
    const struct motion rolls = {.c = {1.5, -0.01}, .amplitude = 1, .rate = 2, .phase = 1};
    const double found = find(rolls, 0.3, 0.3, 1000, &asked);
    const int first = asked;
    assert_true(found > 20);
    for (double now = 0.3; now < found; now += 0.37)
        assert_true(find(rolls, 0.3, now, 1000, &asked) == found);
    assert_true(asked < first / 4);
    // limits do not change it
    assert_true(find(rolls, 0.3, 10, found, &asked) == found);
    assert_true(find(rolls, 0.3, 10, found - 1e-9, &asked) == INFINITE);
    // and a body that turns for ever without touching is looked at up to the end only
    assert_true(find((struct motion){.c = {1.1}, .amplitude = 1, .rate = 1}, 0, 1e6, 1e6 + 100, &asked) ==
                INFINITE);
    assert_in_range(asked, 1, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_contacts_are_those_of_closed_forms),
        cmocka_unit_test(grazing_contacts_are_neither_missed_nor_invented),
        cmocka_unit_test(surfaces_that_touch_and_part_do_not_collide_at_once),
        cmocka_unit_test(later_searches_find_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
