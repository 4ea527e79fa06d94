// Grains that are filled in lie in their region, overlap nothing, and have the sizes that were asked for.

#include "io/fill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct scree_sizes sizes;

static scree_fill_list run(const struct scree_fill *fill)
{
    scree_fill_list list = {0};
    assert_int_equal(scree_fill(fill, &list), SCREE_OK);
    return list;
}

static double distance(const struct scree_fill *fill, const struct scree_fill_grain *a,
                       const struct scree_fill_grain *b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = fabs(a->place[k] - b->place[k]);
        if (fill->period[k] > 0 && d > 0.5 * fill->period[k])
            d = fill->period[k] - d;
        square += d * d;
    }
    return sqrt(square);
}

// Every pair, and every grain in its region.
static void assert_sound(const struct scree_fill *fill, const scree_fill_list *list)
{
    for (size_t a = 0; a < list->count; ++a) {
        const struct scree_fill_grain *grain = &list->data[a];
        assert_true(scree_region_holds(&fill->region, grain->place, grain->radius));
        for (size_t b = 0; b < a; ++b)
            // a place in a narrow cell is rounded
            assert_true(distance(fill, grain, &list->data[b]) >=
                        (grain->radius + list->data[b].radius) * (1 - 1e-12));
    }
}

static void grains_of_any_sizes_overlap_nothing(void **state)
{
    (void)state;
    const double parameter[2] = {0.02, 0.4}, ends[2] = {0.004, 0.2};
    struct scree_fill fill = {.sizes = &sizes, .count = 1500, .seed = 5};
    fill.region = (struct scree_region){.dimension = 3, .upper = {1, 1, 1}};
    scree_sizes_spread(&sizes, SCREE_SIZES_LOGNORMAL, parameter, ends[0], ends[1], false, 3);
    scree_fill_list list = run(&fill);
    assert_int_equal(list.count, 1500);
    assert_sound(&fill, &list);
    scree_array_free(&list);

    // through the faces of a periodic cell, with large ones beside small ones
    scree_sizes_spread(&sizes, SCREE_SIZES_UNIFORM, ends, ends[0], ends[1], true, 3);
    fill.region.open[0] = fill.region.open[1] = true;
    fill.period[0] = fill.period[1] = 1;
    list = run(&fill);
    assert_true(list.count > 500);
    assert_sound(&fill, &list);
    size_t across = 0;
    for (size_t g = 0; g < list.count; ++g)
        across += list.data[g].place[0] < list.data[g].radius;
    assert_true(across > 0);
    scree_array_free(&list);

    fill = (struct scree_fill){.sizes = &sizes, .count = 400, .seed = 2};
    fill.region = (struct scree_region){.shape = SCREE_REGION_CYLINDER,
                                        .dimension = 3,
                                        .from = {1, 0, 0},
                                        .to = {1, 0.6, 0.8},
                                        .radius = 0.4};
    scree_region_bound(&fill.region);
    scree_sizes_equal(&sizes, 0.02);
    list = run(&fill);
    assert_int_equal(list.count, 400);
    assert_sound(&fill, &list);
    scree_array_free(&list);
}

static void the_seed_alone_tells_the_places(void **state)
{
    (void)state;
    struct scree_fill fill = {.sizes = &sizes, .count = 200, .seed = 1};
    fill.region = (struct scree_region){.dimension = 2, .upper = {1, 1, 0}};
    scree_sizes_equal(&sizes, 0.01);
    scree_fill_list first = run(&fill), again = run(&fill);
    assert_memory_equal(first.data, again.data, 200 * sizeof *first.data);
    scree_array_free(&again);
    // the first hundred do not know that there are others
    fill.count = 100;
    again = run(&fill);
    assert_memory_equal(first.data, again.data, 100 * sizeof *first.data);
    scree_array_free(&again);
    fill.seed = 2;
    again = run(&fill);
    assert_memory_not_equal(first.data, again.data, 100 * sizeof *first.data);
    scree_array_free(&again);
    scree_array_free(&first);
}

static void impossible_wishes_end_with_what_found_room(void **state)
{
    (void)state;
    struct scree_fill fill = {.sizes = &sizes, .count = 2000, .seed = 1};
    fill.region = (struct scree_region){.dimension = 3, .upper = {1, 1, 1}};
    scree_sizes_equal(&sizes, 0.05);
    scree_fill_list list = run(&fill);
    // random addition jams at a solid fraction of 0.38, and a thousand tries come near
    const double fraction = (double)list.count * 4.18879 * 0.05 * 0.05 * 0.05;
    assert_true(fraction > 0.2 && fraction < 0.38);
    scree_array_free(&list);
    fill.count = 1;
    scree_sizes_equal(&sizes, 0.6);
    list = run(&fill);
    assert_int_equal(list.count, 0);
    scree_array_free(&list);
    // what cannot be is refused before anything is tried or allocated
    fill.count = 1000000000;
    assert_int_equal(scree_fill(&fill, &list), SCREE_ERROR_LIMIT);
    scree_sizes_equal(&sizes, 1e-200);
    fill.order = SCREE_FILL_CUBIC;
    assert_int_equal(scree_fill(&fill, &list), SCREE_ERROR_LIMIT);
}

static void what_was_there_is_in_the_way(void **state)
{
    (void)state;
    static const enum scree_fill_order orders[] = {SCREE_FILL_RANDOM, SCREE_FILL_CUBIC, SCREE_FILL_HEXAGONAL};
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; ++k) {
        struct scree_fill fill = {
            .sizes = &sizes, .count = 300, .seed = 1, .order = orders[k], .period = {1, 1, 1}};
        fill.region = (struct scree_region){.dimension = 3, .upper = {1, 1, 1}, .open = {true, true, true}};
        scree_fill_list list = {0};
        // a grain of dust, and a ball a thousand times larger
        assert_int_equal(scree_array_push(&list, ((struct scree_fill_grain){{0.9, 0.9, 0.9}, 3e-4})),
                         SCREE_OK);
        assert_int_equal(scree_array_push(&list, ((struct scree_fill_grain){{0.5, 0.5, 0.5}, 0.3})),
                         SCREE_OK);
        scree_sizes_equal(&sizes, 0.045);
        assert_int_equal(scree_fill(&fill, &list), SCREE_OK);
        assert_true(list.count > 100);
        assert_sound(&fill, &list);
        scree_array_free(&list);
    }
}

static void lattices_are_as_dense_as_they_can_be(void **state)
{
    (void)state;
    struct scree_fill fill = {.sizes = &sizes, .count = SIZE_MAX, .order = SCREE_FILL_CUBIC};
    fill.region = (struct scree_region){.dimension = 3, .upper = {1.0001, 1.0001, 1.0001}};
    scree_sizes_equal(&sizes, 0.05);
    scree_fill_list list = run(&fill);
    assert_int_equal(list.count, 1000);
    assert_sound(&fill, &list);
    scree_array_free(&list);
    fill.order = SCREE_FILL_HEXAGONAL;
    list = run(&fill);
    assert_sound(&fill, &list);
    // 0.74 in the bulk, less at walls
    const double dense = (double)list.count * 4.18879 * 0.05 * 0.05 * 0.05;
    assert_true(dense > 0.55 && dense < 0.7405);
    scree_array_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_of_any_sizes_overlap_nothing),
        cmocka_unit_test(the_seed_alone_tells_the_places),
        cmocka_unit_test(impossible_wishes_end_with_what_found_room),
        cmocka_unit_test(what_was_there_is_in_the_way),
        cmocka_unit_test(lattices_are_as_dense_as_they_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
