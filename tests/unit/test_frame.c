// The contact functions of scree/frame.h in C, C++, double and float: C++ gives the bits of C, the batch
// loops give the bits of single contacts, and float agrees with double up to its rounding.

#include "base/processor.h"
#include "support/frame_answer.h"
#include "support/spring_law.h"

#include <scree/kernel.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SCREE_KERNEL_FORCE spring_force
#define SCREE_KERNEL_HISTORY 3
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

static scree_kernel *const loops[SCREE_KERNEL_SETS][SCREE_KERNEL_EXTRAS][SCREE_KERNEL_LOOPS] =
    SCREE_KERNEL_TABLE;

enum { SAMPLES = 240, RESISTED = 1, WIDTH = SCREE_KERNEL_WIDTH, STRIDE = 8 };

static void cplusplus_gives_the_bits_of_c(void **state)
{
    (void)state;
    for (unsigned n = 0; n < SAMPLES; ++n) {
        struct frame_sample sample;
        double c[FRAME_ANSWERS], cplusplus[FRAME_ANSWERS];
        frame_sample_make(n, (int)n % 3, &sample);
        frame_answer_of_c(&sample, c);
        frame_answer_of_cplusplus(&sample, cplusplus);
        assert_true(c[FRAME_OVERLAP] > 0);
        assert_memory_equal(c, cplusplus, sizeof c);
        frame_answer_of_c_float(&sample, c);
        frame_answer_of_cplusplus_float(&sample, cplusplus);
        assert_memory_equal(c, cplusplus, sizeof c);
    }
}

// Magnitude of the terms of an answer, which determines its rounding error. Radii are at most 1,
// coordinates 5, distances of centres 2, velocities 1, surface velocities 20, the stiffness 1000, springs
// 0.1.
static double magnitude_of(int answer)
{
    if (answer < FRAME_NORMAL)
        return 10;
    if (answer < FRAME_TANGENTIAL_DISPLACEMENT)
        return 10 / 0.9;
    if (answer < FRAME_TANGENTIAL_VELOCITY)
        return 20 * 0x1p-10;
    if (answer < FRAME_FORCE)
        return 25;
    // a force is the stiffness times an overlap; a moment has an arm of 1
    if (answer < FRAME_FRICTION)
        return 1000 * 10;
    if (answer < FRAME_NEW_HISTORY)
        return 1000 * 10 * 0.1;
    // a slipping spring is a force over the stiffness; springs of resistance are in J^(1/2)
    return answer < FRAME_NEW_HISTORY + 3 ? 10 : 10 * 30;
}

// Each answer is the result of some dozens of operations.
static void float_agrees_up_to_its_rounding(void **state)
{
    (void)state;
    for (unsigned n = 0; n < SAMPLES; ++n) {
        struct frame_sample sample;
        double wide[FRAME_ANSWERS], narrow[FRAME_ANSWERS];
        frame_sample_make(n, (int)n % 3, &sample);
        frame_answer_of_c(&sample, wide);
        frame_answer_of_c_float(&sample, narrow);
        for (int k = 0; k < FRAME_ANSWERS; ++k)
            if (!(fabs(narrow[k] - wide[k]) <= 16 * (double)FLT_EPSILON * magnitude_of(k)))
                fail_msg("sample %u: number %d is %.9g, and %.9g in float", n, k, wide[k], narrow[k]);
        assert_true(memcmp(narrow, wide, sizeof wide) != 0);
    }
}

static void coincident_centres_have_the_normal_x_in_any_number_type(void **state)
{
    (void)state;
    static frame_answer_function *const functions[] = {frame_answer_of_c, frame_answer_of_c_float,
                                                       frame_answer_of_cplusplus,
                                                       frame_answer_of_cplusplus_float};
    for (int f = 0; f < 4; ++f) {
        struct frame_sample sample;
        double answer[FRAME_ANSWERS];
        frame_sample_make(1, false, &sample);
        memcpy(sample.side[1].centre, sample.side[0].centre, sizeof sample.side[0].centre);
        functions[f](&sample, answer);
        assert_true(answer[FRAME_NORMAL] == 1 && answer[FRAME_NORMAL + 1] == 0 &&
                    answer[FRAME_NORMAL + 2] == 0);
        for (int k = 0; k < FRAME_ANSWERS; ++k)
            assert_true(isfinite(answer[k]));
    }
}

// The same contact from outside has the forces of the pair times its weight; the engine adds moments. Each
// number is the result of some dozens of operations, and the velocities of the surfaces are rounded before.
static void a_contact_from_outside_has_the_forces_of_the_pair(void **state)
{
    (void)state;
    for (unsigned n = 0; n < SAMPLES; ++n) {
        struct frame_sample sample;
        double pair[FRAME_ANSWERS], outside[FRAME_ANSWERS];
        frame_sample_make(n, 0, &sample);
        frame_answer_of_c(&sample, pair);
        sample.rule.at_wall = 2;
        frame_answer_of_c(&sample, outside);
        for (int k = 0; k < FRAME_ANSWERS; ++k) {
            const bool weighed = k >= FRAME_FORCE && k < FRAME_NEW_HISTORY,
                       moment = k >= FRAME_MOMENT && k < FRAME_FRICTION;
            const double expected = moment ? 0 : weighed ? FRAME_WEIGHT * pair[k] : pair[k];
            if (!(fabs(outside[k] - expected) <= 32 * DBL_EPSILON * magnitude_of(k)))
                fail_msg("sample %u: number %d is %.17g instead of %.17g", n, k, outside[k], expected);
        }
    }
}

// --- the batch loops

// Samples in the layout of a batch loop.
struct batch {
    struct frame_sample sample[WIDTH];
    _Alignas(64) struct scree_grain grain[2 * WIDTH];
    _Alignas(64) struct scree_kernel_wall wall[WIDTH];
    _Alignas(64) struct scree_kernel_outside outside[WIDTH];
    _Alignas(64) double history[WIDTH * STRIDE];
    _Alignas(64) double wall_terms[WIDTH * SCREE_KERNEL_WALL_TERMS];
    struct scree_pair pair[WIDTH];
    uint32_t candidate[WIDTH];
    double term[2 * WIDTH][SCREE_TERMS_ALL]; // by grain
};

static void put_grain(const struct frame_side_sample *side, struct scree_grain *grain)
{
    memcpy(grain->position, side->centre, sizeof grain->position);
    memcpy(grain->velocity, side->velocity, sizeof grain->velocity);
    memcpy(grain->spin, side->spin, sizeof grain->spin);
    for (int k = 0; k < 3; ++k) {
        grain->half_kick[k] = (float)side->half_kick[k];
        grain->half_twist[k] = (float)side->half_twist[k];
    }
    grain->radius = side->radius;
    grain->mass = side->mass;
}

static void put_wall(const struct frame_wall_sample *sample, struct scree_kernel_wall *wall)
{
    memcpy(wall->normal, sample->normal, sizeof wall->normal);
    memcpy(wall->velocity, sample->velocity, sizeof wall->velocity);
    memcpy(wall->spin, sample->spin, sizeof wall->spin);
    memcpy(wall->half_normal, sample->half_normal, sizeof wall->half_normal);
    wall->gap = sample->gap;
    wall->half_gap = sample->half_gap;
    wall->mobility = (float)sample->mobility;
    for (int k = 0; k < 3; ++k)
        wall->change[k] = (float)sample->change[k];
}

static void fill_batch(struct batch *batch, unsigned first, int at_wall)
{
    memset(batch, 0, sizeof *batch);
    for (uint32_t l = 0; l < WIDTH; ++l) {
        frame_sample_make(first + l, at_wall, &batch->sample[l]);
        put_grain(&batch->sample[l].side[0], &batch->grain[2 * l]);
        put_grain(&batch->sample[l].side[1], &batch->grain[2 * l + 1]);
        put_wall(&batch->sample[l].wall, &batch->wall[l]);
        const struct scree_kernel_rule rule = frame_rule(&batch->sample[l].rule);
        const struct scree_kernel_side i = frame_side(&batch->sample[l].side[0]),
                                       j = frame_side(&batch->sample[l].side[1]);
        batch->outside[l] = frame_outside(&rule, &i, &j);
        memcpy(&batch->history[STRIDE * l], batch->sample[l].history, sizeof batch->sample[l].history);
        batch->pair[l] = (struct scree_pair){2 * l, 2 * l + 1};
        batch->candidate[l] = l;
    }
}

static void store_terms(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight)
{
    struct batch *batch = (struct batch *)job->context;
    for (unsigned l = 0; l < eight->count; ++l)
        for (int k = 0; k < SCREE_TERMS_ALL; ++k)
            batch->term[eight->grain[l]][k] = eight->term[k][l];
}

static struct scree_kernel_rule rule_of(const struct frame_rule_sample *sample)
{
    struct scree_kernel_rule rule = {
        .step = sample->step, .arm = sample->arm, .tangential_ratio = sample->tangential_ratio, .limit = 1};
    memcpy(rule.constants, sample->constants, sizeof sample->constants);
    memcpy(rule.resistance, sample->resistance, sizeof sample->resistance);
    memcpy(rule.period, sample->period, sizeof sample->period);
    return rule;
}

static void run_loop(struct batch *batch, int set, enum scree_kernel_loop loop)
{
    double excess = -1;
    const struct scree_kernel_job job = {.rule = rule_of(&batch->sample[0].rule),
                                         .grain = batch->grain,
                                         .pair = batch->pair,
                                         .wall = batch->wall,
                                         .outside = batch->outside,
                                         .history = batch->history,
                                         .stride = STRIDE,
                                         .wall_terms = batch->wall_terms,
                                         .candidate = batch->candidate,
                                         .count = WIDTH,
                                         .measure_only = loop == SCREE_KERNEL_ACROSS,
                                         .measure = store_terms,
                                         .excess = &excess,
                                         .context = batch};
    loops[set][RESISTED][loop](&job);
}

// Zeros may have different signs.
static void assert_same(double got, double expected)
{
    if (got != expected)
        fail_msg("a loop gives %.17g, a single contact %.17g", got, expected);
}

static void batch_loops_give_the_bits_of_single_contacts(void **state)
{
    (void)state;
    static struct batch batch;
    for (int set = 0; set <= scree_processor_best(); ++set)
        for (unsigned first = 0; first < SAMPLES; first += WIDTH) {
            fill_batch(&batch, first, 0);
            run_loop(&batch, set, SCREE_KERNEL_ACROSS);
            for (int l = 0; l < WIDTH; ++l) {
                double answer[FRAME_ANSWERS];
                const double *low = batch.term[2 * l], *high = batch.term[2 * l + 1];
                frame_answer_of_c(&batch.sample[l], answer);
                for (int k = 0; k < 3; ++k) {
                    const double couple = answer[FRAME_COUPLE + k];
                    assert_same(low[SCREE_TERM_FORCE + k], answer[FRAME_FORCE + k]);
                    assert_same(high[SCREE_TERM_FORCE + k], -answer[FRAME_FORCE + k]);
                    assert_same(low[SCREE_TERM_MOMENT + k], answer[FRAME_MOMENT + k] + couple);
                    assert_same(high[SCREE_TERM_MOMENT + k], answer[FRAME_MOMENT + 3 + k] - couple);
                }
                assert_same(low[SCREE_TERM_FRICTION], 0.5 * answer[FRAME_FRICTION]);
                assert_same(high[SCREE_TERM_DASHPOT], 0.5 * answer[FRAME_DASHPOT]);
            }
        }
}

// Loops that store their terms.
static void compare_stored(int at_wall, enum scree_kernel_loop loop)
{
    static struct batch batch;
    for (int set = 0; set <= scree_processor_best(); ++set)
        for (unsigned first = 0; first < SAMPLES; first += WIDTH) {
            fill_batch(&batch, first, at_wall);
            run_loop(&batch, set, loop);
            for (int l = 0; l < WIDTH; ++l) {
                double answer[FRAME_ANSWERS];
                const double *wall_terms = &batch.wall_terms[SCREE_KERNEL_WALL_TERMS * l];
                frame_answer_of_c(&batch.sample[l], answer);
                for (int k = 0; k < 3; ++k) {
                    assert_same(wall_terms[SCREE_TERM_FORCE + k], answer[FRAME_FORCE + k]);
                    assert_same(wall_terms[SCREE_KERNEL_COUPLE + k], answer[FRAME_COUPLE + k]);
                }
                assert_same(wall_terms[SCREE_TERM_FRICTION], answer[FRAME_FRICTION]);
                for (int k = 0; k < FRAME_HISTORY; ++k)
                    assert_same(batch.history[STRIDE * l + k], answer[FRAME_NEW_HISTORY + k]);
            }
        }
}

static void batch_loops_at_walls_give_the_bits_of_single_contacts(void **state)
{
    (void)state;
    compare_stored(1, SCREE_KERNEL_WALL);
}

static void batch_loops_of_contacts_from_outside_give_the_bits_of_single_contacts(void **state)
{
    (void)state;
    compare_stored(2, SCREE_KERNEL_OUTSIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cplusplus_gives_the_bits_of_c),
        cmocka_unit_test(float_agrees_up_to_its_rounding),
        cmocka_unit_test(coincident_centres_have_the_normal_x_in_any_number_type),
        cmocka_unit_test(batch_loops_give_the_bits_of_single_contacts),
        cmocka_unit_test(batch_loops_at_walls_give_the_bits_of_single_contacts),
        cmocka_unit_test(a_contact_from_outside_has_the_forces_of_the_pair),
        cmocka_unit_test(batch_loops_of_contacts_from_outside_give_the_bits_of_single_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
