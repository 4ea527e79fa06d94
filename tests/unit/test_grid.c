// The grid of the neighbour search: every grain is in the level of its size and in the cell of its
// position, for any extent. A search finds exactly the pairs within the margin, with every instruction set.
// Reference: gaps of all pairs.

#include "base/processor.h"
#include "crowd.h"
#include "detect/pair_test.h"

static struct crowd crowd;

#define NOT_IN_GRID UINT32_MAX

// by slot: the index of a grain in the arrays of the grid; NOT_IN_GRID for grains without contacts
static uint32_t index_in_grid[CROWD_MAX];

// by slot: what is added to the margin for each of both grains
static float extra[CROWD_MAX];

static void build(struct scree_grid *grid)
{
    if (scree_grid_build(grid, &crowd.input) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    for (size_t i = 0; i < crowd.input.count; ++i)
        index_in_grid[i] = NOT_IN_GRID;
    for (uint32_t p = 0; grid->levels > 0 && p < grid->level[grid->levels - 1].grains; ++p) {
        assert_int_equal(index_in_grid[scree_grid_slot(grid->tag[p])], NOT_IN_GRID);
        index_in_grid[scree_grid_slot(grid->tag[p])] = p;
    }
}

static int level_of(const struct scree_grid *grid, uint32_t index)
{
    int level = 0;
    while (index >= grid->level[level].grains)
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
            const uint32_t index = index_in_grid[i];
            assert_int_equal(index != NOT_IN_GRID, crowd_touches(&crowd, i));
            if (index == NOT_IN_GRID)
                continue;
            ++with_contacts;
            const struct scree_grid_level *level = &grid.level[level_of(&grid, index)];
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
    size_t max_grains[2] = {0};
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
            max_grains[far] = grains_in_cell > max_grains[far] ? grains_in_cell : max_grains[far];
        }
        scree_grid_free(&grid);
    }
    // with about one grain per cell the maximum is several; with too large cells it is thousands
    assert_true(max_grains[0] < 20 && max_grains[1] < 2 * max_grains[0]);
}

// Compares the entries found from grain `i` with the gaps of all other grains. Each pair is found in the
// search from its smaller grain. Two grains of one level are found from both, unless only later slots are
// requested.
static void check_entries(const struct scree_grid *grid, size_t i, const struct scree_pair_test_grain *one,
                          const uint32_t *entry, size_t found)
{
    const int own_level = level_of(grid, index_in_grid[i]);
    const double tolerance = 1e-13 * (crowd.side + 8);
    size_t expected = 0;
    for (size_t j = 0; j < crowd.input.count; ++j) {
        bool direct;
        if (j == i || index_in_grid[j] == NOT_IN_GRID || level_of(grid, index_in_grid[j]) > own_level)
            continue;
        const double gap = crowd_gap(&crowd, i, j, &direct),
                     excess = gap - crowd.input.margin - (double)extra[i] - (double)extra[j];
        // pairs within round-off of the margin may be found or not
        if (fabs(excess) < tolerance)
            continue;
        const bool is_expected = excess < 0 && (one->above < 0 || j > i);
        const bool wraps = (one->tag | grid->tag[index_in_grid[j]]) & SCREE_GRID_WRAPS;
        const bool inside = direct && !wraps && i / SCREE_CONTACTS_TILE == j / SCREE_CONTACTS_TILE;
        size_t occurrences = 0;
        for (size_t n = 0; n < found; ++n)
            if (entry[n] >> 2 == j) {
                ++occurrences;
                assert_int_equal((entry[n] & SCREE_PAIR_TEST_INSIDE) != 0, inside);
                assert_true((entry[n] & SCREE_PAIR_TEST_TOUCHES) == (gap < 0) || fabs(gap) < tolerance);
            }
        assert_int_equal(occurrences, is_expected);
        expected += is_expected;
    }
    // the grain itself is in the list
    for (size_t n = 0; n < found; ++n)
        expected += entry[n] >> 2 == i;
    assert_int_equal(found, expected);
}

// Gives every fourth grain an extra of up to half of the margin, and the cell the width that this needs.
static void add_extras(void)
{
    const double largest = 0.5 * crowd.input.margin;
    for (size_t i = 0; i < crowd.input.count; ++i)
        extra[i] = crowd_choice(&crowd, 4) ? 0 : (float)crowd_draw(&crowd, 0, 0.999 * largest);
    for (int k = 0; k < 3; ++k)
        crowd.input.period[k] += 4 * largest;
    crowd.input.extra = extra;
}

static void a_search_finds_each_pair_within_the_margin_once_and_no_other(void **state)
{
    (void)state;
    static uint32_t entry[CROWD_MAX + 64];
    for (uint64_t world = 0; world < 60; ++world) {
        crowd_make(&crowd, world, 500, 1);
        add_extras();
        struct scree_grid grid;
        struct scree_pair_test_list list = {0};
        build(&grid);
        const struct scree_pair_test_set *set =
            &scree_pair_test_sets[(int)(world % (uint64_t)(1 + scree_processor_best()))];
        for (size_t i = 0; i < crowd.input.count; ++i) {
            const uint32_t p = index_in_grid[i];
            if (p == NOT_IN_GRID)
                continue;
            const int own_level = level_of(&grid, p);
            const struct scree_pair_test_box box = {.low = {grid.x[p], grid.y[p], grid.z[p]},
                                                    .high = {grid.x[p], grid.y[p], grid.z[p]},
                                                    .range = grid.range[p]};
            const struct scree_pair_test_grain one = {grid.x[p],
                                                      grid.y[p],
                                                      grid.z[p],
                                                      grid.radius[p],
                                                      grid.range[p],
                                                      grid.tag[p],
                                                      crowd_choice(&crowd, 2) ? (int64_t)(grid.tag[p] | 3)
                                                                              : -1};
            scree_pair_test_begin(&list, &grid, one.above);
            for (int l = 0; l <= own_level; ++l)
                assert_int_equal(scree_pair_test_gather(&list, &grid, &grid.level[l], &box), SCREE_OK);
            scree_pair_test_end(&list);
            const size_t found = set->search[0][list.wraps](&list, &one, entry).all;
            check_entries(&grid, i, &one, entry, found);
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
        cmocka_unit_test(a_search_finds_each_pair_within_the_margin_once_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
