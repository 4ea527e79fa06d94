// The grid: every grain is in the level of its size and in the cell of its position, for any extent; a search
// around a box finds all grains near it, with every instruction set.

#include "base/processor.h"
#include "crowd.h"
#include "detect/pair_test.h"

static struct crowd crowd;

#define NOWHERE UINT32_MAX

// which entry belongs to the grain of each slot; NOWHERE for those without contacts
static uint32_t place_of[CROWD_MAX];

static void build(struct scree_grid *grid)
{
    if (scree_grid_build(grid, &crowd.input) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    for (size_t i = 0; i < crowd.input.count; ++i)
        place_of[i] = NOWHERE;
    for (uint32_t p = 0; grid->levels > 0 && p < grid->level[grid->levels - 1].grains; ++p) {
        assert_int_equal(place_of[scree_grid_slot(grid->tag[p])], NOWHERE);
        place_of[scree_grid_slot(grid->tag[p])] = p;
    }
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
        size_t with_contacts = 0;
        for (size_t i = 0; i < crowd.input.count; ++i) {
            const uint32_t place = place_of[i];
            assert_int_equal(place != NOWHERE, crowd_touches(&crowd, i));
            if (place == NOWHERE)
                continue;
            ++with_contacts;
            const struct scree_grid_level *level = &grid.level[level_of(&grid, place)];
            const double range = crowd.grain[i].radius + 0.5 * crowd.input.margin;
            assert_true(range <= level->range && range > 0.5 * level->range);
        }
        if (grid.levels > 0)
            assert_int_equal(grid.level[grid.levels - 1].grains, with_contacts);
        for (int l = 1; l < grid.levels; ++l)
            assert_true(grid.level[l].range < grid.level[l - 1].range);
        scree_grid_free(&grid);
    }
}

// There are at most twice as many cells as grains (or 64 in a small level), whatever the extent.
static void memory_does_not_depend_on_the_extent(void **state)
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

// One distant grain must not make the cells of the others larger and fuller.
static void a_distant_grain_does_not_change_the_cells(void **state)
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
            const size_t grains_in_cell = grid.start[c + 1] - grid.start[c];
            fullest[far] = grains_in_cell > fullest[far] ? grains_in_cell : fullest[far];
        }
        scree_grid_free(&grid);
    }
    // about one grain per cell: the fullest has several; if the cells were wrong it would have thousands
    assert_true(fullest[0] < 20 && fullest[1] < 2 * fullest[0]);
}

// every pair is found from its smaller grain, or from both if they are of one level and the order of slots is
// ignored
static void a_search_finds_all_that_is_near_and_nothing_else(void **state)
{
    (void)state;
    static uint32_t entry[CROWD_MAX + 64];
    for (uint64_t world = 0; world < 60; ++world) {
        crowd_make(&crowd, world, 500, 1);
        struct scree_grid grid;
        struct scree_pair_test_list list = {0};
        build(&grid);
        const struct scree_pair_test_set *set =
            &scree_pair_test_sets[(int)(world % (uint64_t)(1 + scree_processor_best()))];
        for (size_t i = 0; i < crowd.input.count; ++i) {
            const uint32_t p = place_of[i];
            if (p == NOWHERE)
                continue;
            const int own = level_of(&grid, p);
            const struct scree_pair_test_box box = {.low = {grid.x[p], grid.y[p], grid.z[p]},
                                                    .high = {grid.x[p], grid.y[p], grid.z[p]},
                                                    .range = grid.range[p]};
            const struct scree_pair_test_grain one = {grid.x[p],
                                                      grid.y[p],
                                                      grid.z[p],
                                                      grid.range[p],
                                                      crowd.input.margin,
                                                      grid.tag[p],
                                                      crowd_choice(&crowd, 2) ? (int64_t)(grid.tag[p] | 3)
                                                                              : -1};
            scree_pair_test_begin(&list, one.above);
            for (int l = 0; l <= own; ++l)
                assert_int_equal(scree_pair_test_gather(&list, &grid, &grid.level[l], &box), SCREE_OK);
            scree_pair_test_end(&list);
            const size_t found = (list.wraps ? set->search_wrapping : set->search)(&list, &one, entry).all;
            size_t expected = 0;
            for (size_t j = 0; j < crowd.input.count; ++j) {
                bool direct;
                if (j == i || place_of[j] == NOWHERE || level_of(&grid, place_of[j]) > own)
                    continue;
                const double beyond = crowd_gap(&crowd, i, j, &direct) - crowd.input.margin;
                // pairs within round-off of the margin may be found or not
                if (fabs(beyond) < 1e-13 * (crowd.side + 8))
                    continue;
                const bool wanted = beyond < 0 && (one.above < 0 || j > i);
                const bool wraps = (one.tag | grid.tag[place_of[j]]) & SCREE_GRID_WRAPS;
                const double gap = beyond + crowd.input.margin;
                size_t times = 0;
                for (size_t n = 0; n < found; ++n)
                    if (entry[n] >> 2 == j) {
                        ++times;
                        assert_int_equal((entry[n] & SCREE_PAIR_TEST_INSIDE) != 0,
                                         direct && !wraps &&
                                             i / SCREE_CONTACTS_TILE == j / SCREE_CONTACTS_TILE);
                        assert_true((entry[n] & SCREE_PAIR_TEST_TOUCHES) == (gap < 0) ||
                                    fabs(gap) < 1e-13 * (crowd.side + 8));
                    }
                assert_int_equal(times, wanted);
                expected += wanted;
            }
            // the grain itself is in the list
            for (size_t n = 0; n < found; ++n)
                expected += entry[n] >> 2 == i;
            assert_int_equal(found, expected);
        }
        scree_pair_test_free(&list);
        scree_grid_free(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_lie_in_levels_by_size),
        cmocka_unit_test(memory_does_not_depend_on_the_extent),
        cmocka_unit_test(a_distant_grain_does_not_change_the_cells),
        cmocka_unit_test(a_search_finds_all_that_is_near_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
