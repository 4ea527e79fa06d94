// The grid: every grain is in the level of its size and in the cell of its place, whatever the extent, and a
// search around a box finds all that is near, from every set of instructions.

#include "base/processor.h"
#include "crowd.h"
#include "detect/meet.h"

static struct crowd crowd;

static void build(struct scree_grid *grid)
{
    if (scree_grid_build(grid, &crowd.input) != SCREE_OK)
        fail_msg("%s", scree_status_message());
}

static int level_of(const struct scree_grid *grid, uint32_t place)
{
    int level = 0;
    while (place >= grid->level[level].grains)
        ++level;
    return level;
}

static size_t cells_of(const struct scree_grid *grid)
{
    size_t cells = 0;
    for (int l = 0; l < grid->levels; ++l)
        cells += (size_t)(grid->level[l].axis[0].cells * grid->level[l].axis[1].cells *
                          grid->level[l].axis[2].cells);
    return cells;
}

static void grains_lie_in_levels_by_size(void **state)
{
    (void)state;
    for (uint64_t world = 0; world < 60; ++world) {
        crowd_make(&crowd, world, 700, 2);
        struct scree_grid grid;
        build(&grid);
        size_t colliding = 0;
        for (size_t i = 0; i < crowd.input.count; ++i) {
            const uint32_t place = grid.place[i];
            assert_int_equal(place != SCREE_GRID_NOWHERE, crowd_touches(&crowd, i));
            if (place == SCREE_GRID_NOWHERE)
                continue;
            ++colliding;
            const struct scree_grid_level *level = &grid.level[level_of(&grid, place)];
            assert_int_equal(scree_grid_slot(grid.tag[place]), i);
            const double reach = crowd.grain[i].radius + 0.5 * crowd.input.margin;
            assert_true(reach <= level->reach && reach > 0.5 * level->reach);
        }
        if (grid.levels > 0)
            assert_int_equal(grid.level[grid.levels - 1].grains, colliding);
        for (int l = 1; l < grid.levels; ++l)
            assert_true(grid.level[l].reach < grid.level[l - 1].reach);
        scree_grid_free(&grid);
    }
}

static void tags_are_in_the_order_of_ids(void **state)
{
    (void)state;
    for (uint64_t world = 0; world < 12; ++world) {
        crowd_make(&crowd, world, 300, 1);
        struct scree_grid grid;
        build(&grid);
        for (size_t i = 0; i < crowd.input.count; ++i)
            for (size_t j = 0; j < i; ++j)
                if (grid.place[i] != SCREE_GRID_NOWHERE && grid.place[j] != SCREE_GRID_NOWHERE)
                    assert_int_equal(grid.tag[grid.place[i]] < grid.tag[grid.place[j]],
                                     crowd.id[i] < crowd.id[j]);
        scree_grid_free(&grid);
    }
}

// Cells are at most twice as many as grains (64 for the first few of a level), wherever the grains are.
static void memory_does_not_grow_with_extent(void **state)
{
    (void)state;
    for (int decade = 0; decade <= 150; decade += 10) {
        crowd_make(&crowd, 7, 1000, 1);
        for (int k = 0; k < 3; ++k)
            crowd.input.period[k] = (double)INFINITY;
        for (size_t i = 0; i < crowd.input.count; ++i)
            for (int k = 0; k < 3; ++k)
                crowd.grain[i].position[k] = crowd_draw(&crowd, -1, 1) * pow(10, decade);
        struct scree_grid grid;
        build(&grid);
        assert_true(cells_of(&grid) <= 2 * 1000 + 64 * (size_t)grid.levels);
        scree_grid_free(&grid);
    }
}

// A crowd that is spread evenly is not searched in fewer, fuller cells because one grain of it flew off.
static void a_grain_far_away_leaves_the_cells_as_they_are(void **state)
{
    (void)state;
    size_t fullest[2] = {0};
    for (int far = 0; far < 2; ++far) {
        crowd_make(&crowd, 8, 2500, 1);
        for (size_t i = 0; i < crowd.input.count; ++i) {
            crowd.grain[i].radius = 0.5;
            crowd.grain[i].material = 1;
            for (int k = 0; k < 3; ++k) {
                crowd.input.period[k] = (double)INFINITY;
                crowd.grain[i].position[k] = crowd_draw(&crowd, 0, 14);
            }
        }
        if (far)
            for (int k = 0; k < 3; ++k)
                crowd.grain[100].position[k] = 1e12;
        struct scree_grid grid;
        build(&grid);
        const size_t cells = cells_of(&grid);
        for (size_t c = 0; c < cells; ++c) {
            const size_t here = grid.start[c + 1] - grid.start[c];
            fullest[far] = here > fullest[far] ? here : fullest[far];
        }
        scree_grid_free(&grid);
    }
    // about one in a cell: the fullest has several; in one cell for all there would be thousands
    assert_true(fullest[0] < 20 && fullest[1] < 2 * fullest[0]);
}

// every pair is found from its smaller grain, or from both if they are of one level
static void a_search_finds_all_that_is_near_and_nothing_else(void **state)
{
    (void)state;
    static uint64_t tag[CROWD_MOST + 64];
    for (uint64_t world = 0; world < 60; ++world) {
        crowd_make(&crowd, world, 500, 1);
        struct scree_grid grid;
        struct scree_meet_list list = {0};
        build(&grid);
        const struct scree_meet_set *set =
            &scree_meet_sets[(int)(world % (uint64_t)(1 + scree_processor_best()))];
        for (size_t i = 0; i < crowd.input.count; ++i) {
            const uint32_t p = grid.place[i];
            if (p == SCREE_GRID_NOWHERE)
                continue;
            const int own = level_of(&grid, p);
            const struct scree_meet_box box = {.low = {grid.x[p], grid.y[p], grid.z[p]},
                                               .high = {grid.x[p], grid.y[p], grid.z[p]},
                                               .reach = grid.reach[p]};
            scree_meet_begin(&list);
            for (int l = 0; l <= own; ++l)
                assert_int_equal(scree_meet_gather(&list, &grid, &grid.level[l], &box), SCREE_OK);
            scree_meet_end(&list);
            const size_t found = (list.wraps ? set->search_wrapping : set->search)(&list, &grid, p, tag);
            size_t expected = 0;
            for (size_t j = 0; j < crowd.input.count; ++j) {
                bool direct;
                if (j == i || grid.place[j] == SCREE_GRID_NOWHERE || level_of(&grid, grid.place[j]) > own)
                    continue;
                const double beyond = crowd_gap(&crowd, i, j, &direct) - crowd.input.margin;
                // round-off decides on what is nearer to the margin than this
                if (fabs(beyond) < 1e-13 * (crowd.side + 8))
                    continue;
                size_t times = 0;
                for (size_t n = 0; n < found; ++n)
                    if (scree_grid_slot(tag[n]) == j) {
                        ++times;
                        assert_int_equal(tag[n] & 1, !direct);
                    }
                assert_int_equal(times, beyond < 0);
                expected += beyond < 0;
            }
            assert_int_equal(found, expected);
        }
        scree_meet_free(&list);
        scree_grid_free(&grid);
    }
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void short_rows_are_sorted_by_every_set_of_instructions(void **state)
{
    (void)state;
    crowd.random = 3;
    for (int set = 0; set <= scree_processor_best(); ++set)
        for (int round = 0; round < 2000; ++round) {
            uint64_t tag[SCREE_MEET_SORT], sorted[SCREE_MEET_SORT + 8], expected[SCREE_MEET_SORT];
            const size_t count = crowd_choice(&crowd, SCREE_MEET_SORT + 1);
            for (size_t n = 0; n < SCREE_MEET_SORT; ++n)
                expected[n] = tag[n] = crowd_bits(&crowd) >> (round % 3 ? 0 : 30);
            scree_meet_sets[set].sort(tag, count, sorted);
            qsort(expected, count, sizeof *expected, ascending);
            if (count > 0)
                assert_memory_equal(sorted, expected, count * sizeof *expected);
            uint32_t row[16];
            for (uint32_t n = 0; n < 16; ++n)
                row[n] = (n % 7 + 10 * (n / 7)) << 2 | (uint32_t)(crowd_bits(&crowd) & 3);
            for (uint32_t n = 0; n < 16; ++n)
                assert_int_equal(scree_meet_sets[set].position(row, 16, row[n] >> 2), n);
            // what stands behind the row does not count
            row[12] = row[3];
            assert_int_equal(scree_meet_sets[set].position(row, 9, row[3] >> 2), 3);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_lie_in_levels_by_size),
        cmocka_unit_test(tags_are_in_the_order_of_ids),
        cmocka_unit_test(memory_does_not_grow_with_extent),
        cmocka_unit_test(a_grain_far_away_leaves_the_cells_as_they_are),
        cmocka_unit_test(a_search_finds_all_that_is_near_and_nothing_else),
        cmocka_unit_test(short_rows_are_sorted_by_every_set_of_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
