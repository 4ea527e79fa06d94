// Fillings: grains are inside their region, have no overlaps, and have the requested sizes and porosity.
// Reference: all pairs of grains, sums over many draws, and published limits of packings.

#include "base/memory.h"
#include "math/real.h"
#include "pack/fill.h"

#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct scree_sizes sizes;

static scree_fill_list fill_region(const struct scree_fill *fill)
{
    scree_fill_list list = {0};
    assert_int_equal(scree_fill(fill, &list, NULL), SCREE_OK);
    return list;
}

static double distance(const struct scree_fill *fill, const struct scree_fill_grain *a,
                       const struct scree_fill_grain *b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = fabs(a->position[k] - b->position[k]);
        if (fill->free_region.period[k] > 0 && d > 0.5 * fill->free_region.period[k])
            d = fill->free_region.period[k] - d;
        square += d * d;
    }
    return sqrt(square);
}

static double volume_of(const struct scree_fill *fill, const scree_fill_list *list, size_t first)
{
    double volume = 0;
    for (size_t g = first; g < list->count; ++g) {
        const double r = list->data[g].radius;
        volume += SCREE_PI * (fill->free_region.region.dimension == 2 ? r * r : 4.0 / 3 * r * r * r);
    }
    return volume;
}

// Checks that no pair overlaps, and that every grain is inside the region.
static void assert_valid(const struct scree_fill *fill, const scree_fill_list *list)
{
    for (size_t a = 0; a < list->count; ++a) {
        const struct scree_fill_grain *grain = &list->data[a];
        assert_true(scree_region_contains(&fill->free_region.region, grain->position, grain->radius));
        for (size_t b = 0; b < a; ++b)
            // coordinates are rounded
            assert_true(distance(fill, grain, &list->data[b]) >=
                        (grain->radius + list->data[b].radius) * (1 - 1e-12));
    }
}

static void grains_of_a_filling_do_not_overlap(void **state)
{
    (void)state;
    const double parameter[2] = {0.02, 0.4}, radius_limits[2] = {0.004, 0.2};
    struct scree_fill fill = {.sizes = &sizes, .count = 1500, .seed = 5};
    fill.free_region.region = (struct scree_region){.dimension = 3, .upper = {1, 1, 1}};
    scree_sizes_spread(&sizes, SCREE_SIZES_LOGNORMAL, parameter, radius_limits[0], radius_limits[1], false,
                       3);
    scree_fill_list list = fill_region(&fill);
    assert_int_equal(list.count, 1500);
    assert_valid(&fill, &list);
    scree_array_free(&list);

    // through the faces of a periodic cell, with large grains beside small ones
    scree_sizes_spread(&sizes, SCREE_SIZES_UNIFORM, radius_limits, radius_limits[0], radius_limits[1], true,
                       3);
    fill.free_region.region.open[0] = fill.free_region.region.open[1] = true;
    fill.free_region.period[0] = fill.free_region.period[1] = 1;
    list = fill_region(&fill);
    assert_true(list.count > 500);
    assert_valid(&fill, &list);
    size_t through_faces = 0;
    for (size_t g = 0; g < list.count; ++g)
        through_faces += list.data[g].position[0] < list.data[g].radius;
    assert_true(through_faces > 0);
    scree_array_free(&list);

    fill = (struct scree_fill){.sizes = &sizes, .count = 400, .seed = 2};
    fill.free_region.region = (struct scree_region){.shape = SCREE_REGION_CYLINDER,
                                                    .dimension = 3,
                                                    .from = {1, 0, 0},
                                                    .to = {1, 0.6, 0.8},
                                                    .radius = 0.4};
    scree_region_bound(&fill.free_region.region);
    scree_sizes_equal(&sizes, 0.02);
    list = fill_region(&fill);
    assert_int_equal(list.count, 400);
    assert_valid(&fill, &list);
    scree_array_free(&list);
}

static void the_seed_determines_the_positions(void **state)
{
    (void)state;
    struct scree_fill fill = {.sizes = &sizes, .count = 200, .seed = 1};
    fill.free_region.region = (struct scree_region){.dimension = 2, .upper = {1, 1, 0}};
    scree_sizes_equal(&sizes, 0.01);
    scree_fill_list first = fill_region(&fill), again = fill_region(&fill);
    assert_memory_equal(first.data, again.data, 200 * sizeof *first.data);
    scree_array_free(&again);
    // the first hundred do not depend on the number of grains
    fill.count = 100;
    again = fill_region(&fill);
    assert_memory_equal(first.data, again.data, 100 * sizeof *first.data);
    scree_array_free(&again);
    fill.seed = 2;
    again = fill_region(&fill);
    assert_memory_not_equal(first.data, again.data, 100 * sizeof *first.data);
    scree_array_free(&again);
    scree_array_free(&first);
}

static void impossible_fillings_end_with_as_many_grains_as_fit(void **state)
{
    (void)state;
    struct scree_fill fill = {.sizes = &sizes, .count = 1200, .seed = 1};
    fill.free_region.region = (struct scree_region){.dimension = 3, .upper = {1, 1, 1}};
    scree_sizes_equal(&sizes, 0.05);
    scree_fill_list list = fill_region(&fill);
    // random sequential addition jams at a solid fraction of 0.38, and a thousand tries come close
    const double fraction = (double)list.count * 4.18879 * 0.05 * 0.05 * 0.05;
    assert_true(fraction > 0.2 && fraction < 0.38);
    scree_array_free(&list);
    fill.count = 1;
    scree_sizes_equal(&sizes, 0.6);
    list = fill_region(&fill);
    assert_int_equal(list.count, 0);
    scree_array_free(&list);
}

static void fillings_with_too_many_grains_are_refused_before_any_allocation(void **state)
{
    (void)state;
    scree_fill_list list = {0};
    struct scree_fill fill = {.sizes = &sizes, .seed = 1};
    fill.free_region.region = (struct scree_region){.dimension = 3, .upper = {1, 1, 1}};
    static const struct {
        enum scree_fill_order order;
        double radius;
        size_t count;
    } rows[] = {{SCREE_FILL_RANDOM, 1e-4, 900000000}, {SCREE_FILL_GROWN, 1e-4, 900000000},
                {SCREE_FILL_RANDOM, 0.01, 500000},    {SCREE_FILL_GROWN, 0.01, 300000},
                {SCREE_FILL_CUBIC, 1e-200, 1},        {SCREE_FILL_HEXAGONAL, 1e-200, 1}};
    const uint64_t before = scree_memory_count();
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        double overlap;
        scree_sizes_equal(&sizes, rows[r].radius);
        fill.order = rows[r].order;
        fill.count = rows[r].count;
        assert_int_equal(rows[r].order == SCREE_FILL_GROWN ? scree_grow(&fill, &list, NULL, &overlap)
                                                           : scree_fill(&fill, &list, NULL),
                         SCREE_ERROR_LIMIT);
    }
    static const double small[] = {1e-4, 1e-90};
    for (size_t k = 0; k < 2; ++k) {
        size_t count;
        scree_sizes_equal(&sizes, small[k]);
        assert_int_equal(scree_fill_count(&fill, &list, 0.5, &count), SCREE_ERROR_LIMIT);
    }
    assert_true(scree_memory_count() == before);
}

// The mean volume compared with sums of many draws.
static void the_mean_volume_equals_that_of_many_draws(void **state)
{
    (void)state;
    const double parameter[2] = {0.02, 0.3};
    for (int dimension = 2; dimension <= 3; ++dimension) {
        double sum = 0;
        const int draws = 200000;
        scree_sizes_spread(&sizes, SCREE_SIZES_LOGNORMAL, parameter, 0.01, 0.04, true, dimension);
        for (int n = 0; n < draws; ++n) {
            const double r = scree_sizes_draw(&sizes, (n + 0.5) / draws);
            sum += SCREE_PI * r * r * (dimension == 2 ? 1 : 4 * r / 3);
        }
        // by the midpoint rule for an increasing function: the error is at most one step, the range over the
        // number of draws
        const double span = SCREE_PI * 0.04 * 0.04 * (dimension == 2 ? 1 : 0.04 * 4 / 3);
        assert_true(fabs(scree_sizes_volume(&sizes, dimension) - sum / draws) < span / draws);
    }
}

static void existing_bodies_are_obstacles(void **state)
{
    (void)state;
    static const enum scree_fill_order orders[] = {SCREE_FILL_RANDOM, SCREE_FILL_CUBIC, SCREE_FILL_HEXAGONAL};
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; ++k) {
        struct scree_fill fill = {.sizes = &sizes,
                                  .count = 300,
                                  .seed = 1,
                                  .order = orders[k],
                                  .free_region = {.period = {1, 1, 1}}};
        fill.free_region.region =
            (struct scree_region){.dimension = 3, .upper = {1, 1, 1}, .open = {true, true, true}};
        scree_fill_list list = {0};
        // a tiny grain, and a ball a thousand times larger
        assert_int_equal(
            scree_array_push(&list, ((struct scree_fill_grain){.position = {0.9, 0.9, 0.9}, .radius = 3e-4})),
            SCREE_OK);
        assert_int_equal(
            scree_array_push(&list, ((struct scree_fill_grain){.position = {0.5, 0.5, 0.5}, .radius = 0.3})),
            SCREE_OK);
        scree_sizes_equal(&sizes, 0.045);
        assert_int_equal(scree_fill(&fill, &list, NULL), SCREE_OK);
        assert_true(list.count > 100);
        assert_valid(&fill, &list);
        scree_array_free(&list);
    }
}

static void lattices_reach_their_densest_packing(void **state)
{
    (void)state;
    struct scree_fill fill = {.sizes = &sizes, .count = SIZE_MAX, .order = SCREE_FILL_CUBIC};
    fill.free_region.region = (struct scree_region){.dimension = 3, .upper = {1.0001, 1.0001, 1.0001}};
    scree_sizes_equal(&sizes, 0.05);
    scree_fill_list list = fill_region(&fill);
    assert_int_equal(list.count, 1000);
    assert_valid(&fill, &list);
    scree_array_free(&list);
    fill.order = SCREE_FILL_HEXAGONAL;
    list = fill_region(&fill);
    assert_valid(&fill, &list);
    // 0.74 in the bulk, less at walls
    const double dense = (double)list.count * 4.18879 * 0.05 * 0.05 * 0.05;
    assert_true(dense > 0.55 && dense < 0.7405);
    scree_array_free(&list);
}

// Grows grains to a porosity; the list has the existing obstacles.
static void grow_grains(struct scree_fill *fill, scree_fill_list *list, double porosity)
{
    double overlap;
    assert_int_equal(scree_fill_count(fill, list, porosity, &fill->count), SCREE_OK);
    assert_int_equal(scree_grow(fill, list, NULL, &overlap), SCREE_OK);
    assert_true(overlap == 0);
}

static void grown_grains_reach_the_porosity_without_overlap(void **state)
{
    (void)state;
    static const double radius_limits[2] = {0.02, 0.04};
    static const struct {
        int dimension;
        double radius, porosity;
    } rows[] = {{3, 0.045, 0.42}, {3, 0, 0.40}, {2, 0.016, 0.19}, {2, 0, 0.20}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        for (int open = 0; open <= 1; ++open) {
            struct scree_fill fill = {.sizes = &sizes, .seed = 3};
            scree_fill_list list = {0};
            fill.free_region.region =
                (struct scree_region){.dimension = rows[r].dimension, .upper = {1, 1, 1}};
            for (int k = 0; k < rows[r].dimension && open; ++k) {
                fill.free_region.region.open[k] = true;
                fill.free_region.period[k] = 1;
            }
            if (rows[r].radius > 0)
                scree_sizes_equal(&sizes, rows[r].radius);
            else
                scree_sizes_spread(&sizes, SCREE_SIZES_UNIFORM, radius_limits, radius_limits[0],
                                   radius_limits[1], false, 3);
            // near walls grains are ordered and packed less densely
            grow_grains(&fill, &list, open ? rows[r].porosity : rows[r].porosity + 0.03);
            assert_valid(&fill, &list);
            // the number of grains is rounded, so the volume differs by at most half of the largest grain
            const double volume = volume_of(&fill, &list, 0), radius = sizes.largest;
            const double half =
                0.5 * SCREE_PI * radius * radius * (rows[r].dimension == 2 ? 1 : 4.0 / 3 * radius);
            const double expected = 1 - rows[r].porosity - (open ? 0 : 0.03);
            assert_true(fabs(volume - expected) <= half * (1 + 1e-9));
            scree_array_free(&list);
        }
}

static void grains_grow_in_round_regions_around_existing_bodies(void **state)
{
    (void)state;
    struct scree_fill fill = {.sizes = &sizes, .seed = 1};
    scree_fill_list list = {0};
    fill.free_region.region = (struct scree_region){.shape = SCREE_REGION_CYLINDER,
                                                    .dimension = 3,
                                                    .from = {1, 0, 0},
                                                    .to = {1, 0.6, 0.8},
                                                    .radius = 0.4};
    scree_region_bound(&fill.free_region.region);
    scree_sizes_equal(&sizes, 0.03);
    assert_int_equal(
        scree_array_push(&list, ((struct scree_fill_grain){.position = {1, 0.3, 0.4}, .radius = 0.2})),
        SCREE_OK);
    grow_grains(&fill, &list, 0.48);
    assert_true(list.data[0].radius == 0.2 && list.data[0].position[1] == 0.3);
    assert_valid(&fill, &list);
    // the volume of the ball is included
    const double one = 4.0 / 3 * SCREE_PI * 2.7e-5;
    assert_true(fabs(volume_of(&fill, &list, 0) - 0.52 * SCREE_PI * 0.16) <= one);
    scree_array_free(&list);
    fill.free_region.region =
        (struct scree_region){.shape = SCREE_REGION_SPHERE, .dimension = 3, .from = {0, 0, 5}, .radius = 0.5};
    scree_region_bound(&fill.free_region.region);
    grow_grains(&fill, &list, 0.46);
    assert_valid(&fill, &list);
    scree_array_free(&list);
}

static void a_failed_growth_is_reported_and_leaves_the_list_unchanged(void **state)
{
    (void)state;
    struct scree_fill fill = {.sizes = &sizes, .count = 1, .order = SCREE_FILL_GROWN};
    scree_fill_list list = {0};
    double overlap;
    fill.free_region.region =
        (struct scree_region){.dimension = 3, .upper = {1, 1, 1}, .open = {true, true, true}};
    fill.free_region.period[0] = fill.free_region.period[1] = fill.free_region.period[2] = 1;
    scree_sizes_equal(&sizes, 0.06);
    assert_int_equal(scree_fill_count(&fill, &list, 0.25, &fill.count), SCREE_OK);
    assert_int_equal(scree_grow(&fill, &list, NULL, &overlap), SCREE_OK);
    assert_true(overlap > 0 && overlap < 0.2 && list.count == 0);
    // the reported overlap corresponds to the solid fraction at which equal spheres jam
    const double jamming_fraction = 0.75 * (1 - overlap) * (1 - overlap) * (1 - overlap);
    assert_true(jamming_fraction > 0.6 && jamming_fraction < 0.68);
    scree_sizes_equal(&sizes, 3);
    fill.free_region = (struct scree_free_region){.region = {.dimension = 3, .upper = {1, 1, 1}}};
    fill.count = 1;
    assert_int_equal(scree_grow(&fill, &list, NULL, &overlap), SCREE_OK);
    assert_true(overlap == 1 && list.count == 0);
    scree_array_free(&list);
}

static void a_failed_allocation_in_growing_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    struct scree_fill fill = {.sizes = &sizes, .count = 20, .seed = 1};
    fill.free_region.region = (struct scree_region){.dimension = 3, .upper = {1, 1, 1}};
    scree_sizes_equal(&sizes, 0.1);
    scree_status status = SCREE_ERROR_MEMORY;
    for (uint64_t nth = 1; status != SCREE_OK; ++nth) {
        scree_fill_list list = {0};
        double overlap;
        scree_memory_fail_at(nth);
        status = scree_grow(&fill, &list, NULL, &overlap);
        scree_memory_fail_at(0);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        assert_int_equal(list.count, status == SCREE_OK ? 20 : 0);
        scree_array_free(&list);
        assert_int_equal(scree_memory_live(), live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_of_a_filling_do_not_overlap),
        cmocka_unit_test(the_seed_determines_the_positions),
        cmocka_unit_test(impossible_fillings_end_with_as_many_grains_as_fit),
        cmocka_unit_test(fillings_with_too_many_grains_are_refused_before_any_allocation),
        cmocka_unit_test(the_mean_volume_equals_that_of_many_draws),
        cmocka_unit_test(existing_bodies_are_obstacles),
        cmocka_unit_test(lattices_reach_their_densest_packing),
        cmocka_unit_test(grown_grains_reach_the_porosity_without_overlap),
        cmocka_unit_test(grains_grow_in_round_regions_around_existing_bodies),
        cmocka_unit_test(a_failed_growth_is_reported_and_leaves_the_list_unchanged),
        cmocka_unit_test(a_failed_allocation_in_growing_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
