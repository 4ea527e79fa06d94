// Building the grid by a counting sort, see grid.h.

#include "detect/grid.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// squares of larger distances overflow
static const double farthest = 1e150;
static const double infinity = (double)INFINITY;

#define NO_INDEX UINT32_MAX

enum { SAMPLE = 255, TILE = SCREE_CONTACTS_TILE };

// extent and sizes of grains, by thread and in total
struct summary {
    double largest, second, smallest; // ranges: the two largest, the smallest
    double low[3], high[3];
    size_t grains;
    uint32_t unknown_material; // 1 + the last slot whose material is not in the table
    double range[SCREE_GRID_LEVELS];
    size_t count[SCREE_GRID_LEVELS];
};

struct build {
    struct scree_grid *grid;
    const struct scree_candidates_input *input;
    struct summary *summary; // by thread
    uint32_t *index;         // by slot; NO_INDEX for grains that cannot touch
    double largest;
    int level[SCREE_GRID_LEVELS]; // by `halvings`
};

// --- extent and sizes

static bool can_touch(const struct scree_grain *grain, int dimension)
{
    if (grain->material == 0 || !(grain->radius > 0) || !(grain->radius <= farthest))
        return false;
    for (int k = 0; k < dimension; ++k)
        if (!(fabs(grain->position[k]) <= farthest))
            return false;
    return true;
}

static double extra_of(const struct scree_candidates_input *input, size_t i)
{
    return input->extra ? (double)input->extra[i] : 0;
}

// 0 for grains that cannot touch
static double range_of(const struct build *build, size_t i)
{
    const struct scree_candidates_input *input = build->input;
    return build->grid->material[i] != 0 ? input->grain[i].radius + (0.5 * input->margin + extra_of(input, i))
                                         : 0;
}

static struct summary empty_summary(void)
{
    struct summary summary = {.smallest = infinity};
    for (int k = 0; k < 3; ++k) {
        summary.low[k] = infinity;
        summary.high[k] = -infinity;
    }
    return summary;
}

static void add_range(struct summary *summary, double range)
{
    if (range > summary->largest) {
        summary->second = summary->largest;
        summary->largest = range;
    } else if (range > summary->second) {
        summary->second = range;
    }
    summary->smallest = range < summary->smallest ? range : summary->smallest;
}

static void summarize_grains(void *context, size_t first, size_t last, int thread)
{
    const struct build *build = context;
    const struct scree_candidates_input *input = build->input;
    // a thread gets several chunks, in any order
    struct summary summary = build->summary[thread];
    for (size_t i = first; i < last; ++i) {
        const struct scree_grain *grain = &input->grain[i];
        if (!can_touch(grain, input->dimension))
            continue;
        build->grid->material[i] = scree_candidates_material(input, i);
        add_range(&summary, range_of(build, i));
        for (int k = 0; k < 3; ++k) {
            summary.low[k] = grain->position[k] < summary.low[k] ? grain->position[k] : summary.low[k];
            summary.high[k] = grain->position[k] > summary.high[k] ? grain->position[k] : summary.high[k];
        }
        if (build->grid->material[i] >= input->materials && i >= summary.unknown_material)
            summary.unknown_material = (uint32_t)i + 1;
        ++summary.grains;
    }
    build->summary[thread] = summary;
}

static struct summary merge_summaries(const struct build *build)
{
    struct summary all = empty_summary();
    for (int t = 0; t < scree_team_size(build->input->team); ++t) {
        const struct summary *one = &build->summary[t];
        if (one->grains == 0)
            continue;
        add_range(&all, one->largest);
        if (one->second > 0)
            add_range(&all, one->second);
        all.smallest = one->smallest < all.smallest ? one->smallest : all.smallest;
        for (int k = 0; k < 3; ++k) {
            all.low[k] = one->low[k] < all.low[k] ? one->low[k] : all.low[k];
            all.high[k] = one->high[k] > all.high[k] ? one->high[k] : all.high[k];
        }
        all.unknown_material =
            one->unknown_material > all.unknown_material ? one->unknown_material : all.unknown_material;
        all.grains += one->grains;
    }
    return all;
}

static scree_status check(const struct scree_candidates_input *input, const struct summary *summary)
{
    if (summary->unknown_material)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "grain %llu has material %u, which is not in the table of classes",
                                 (unsigned long long)input->id[summary->unknown_material - 1],
                                 (unsigned)input->grain[summary->unknown_material - 1].material);
    // a pair may interact with one image only
    const double least = 2 * (summary->largest + summary->second);
    for (int k = 0; k < input->dimension; ++k) {
        if (!(input->period[k] < least))
            continue;
        if (input->skew)
            return scree_status_fail(
                SCREE_ERROR_LIMIT,
                "the periodic cell is %g m wide between the faces at the ends of its vector %d; with the "
                "largest grains and the margin of the search it must be at least %g m: deform it less, or "
                "begin with a larger cell that has more bodies",
                input->period[k], k + 1, least);
        return scree_status_fail(SCREE_ERROR_LIMIT,
                                 "the periodic cell is %g m wide along %c; with the largest grains and the "
                                 "margin of the search it must be at least %g m",
                                 input->period[k], "xyz"[k], least);
    }
    return SCREE_OK;
}

// --- levels

// log2(largest range / range), rounded down
static int halvings(const struct build *build, double range)
{
    const double ratio = build->largest / range;
    uint64_t bits;
    memcpy(&bits, &ratio, sizeof bits);
    const int exponent = (int)(bits >> 52) - 1023;
    return exponent < SCREE_GRID_LEVELS - 1 ? exponent : SCREE_GRID_LEVELS - 1;
}

static void count_levels(void *context, size_t first, size_t last, int thread)
{
    const struct build *build = context;
    struct summary *summary = &build->summary[thread];
    for (size_t i = first; i < last; ++i) {
        const double range = range_of(build, i);
        if (!(range > 0))
            continue;
        const int h = halvings(build, range);
        ++summary->count[h];
        summary->range[h] = range > summary->range[h] ? range : summary->range[h];
    }
}

static void choose_levels(struct build *build, const struct summary *all)
{
    struct scree_grid *grid = build->grid;
    const int threads = scree_team_size(build->input->team);
    if (all->largest < 2 * all->smallest) {
        build->summary[0].count[0] = all->grains;
        build->summary[0].range[0] = all->largest;
        for (int t = 1; t < threads; ++t)
            build->summary[t].count[0] = 0;
    } else {
        scree_team_run(build->input->team, build->input->count, TILE, count_levels, build);
    }
    size_t grains = 0;
    for (int h = 0; h < SCREE_GRID_LEVELS; ++h) {
        struct scree_grid_level level = {0};
        size_t number = 0;
        for (int t = 0; t < threads; ++t) {
            const struct summary *one = &build->summary[t];
            number += one->count[h];
            level.range = one->count[h] && one->range[h] > level.range ? one->range[h] : level.range;
        }
        if (number == 0)
            continue;
        grains += number;
        level.grains = (uint32_t)grains;
        build->level[h] = grid->levels;
        grid->level[grid->levels++] = level;
    }
}

// --- cells

// extent of the grains along an axis without outliers, from a sample
static void sample_extent(const struct build *build, int k, double *low, double *high)
{
    double sample[SAMPLE];
    size_t count = 0;
    const size_t step = build->input->count / SAMPLE + 1;
    for (size_t i = 0; i < build->input->count; i += step) {
        if (build->grid->material[i] == 0)
            continue;
        const double x = build->input->grain[i].position[k];
        size_t at = count++;
        for (; at > 0 && sample[at - 1] > x; --at)
            sample[at] = sample[at - 1];
        sample[at] = x;
    }
    if (count < SAMPLE / 4)
        return;
    const size_t cut = count / 50;
    const double a = sample[cut], b = sample[count - 1 - cut], margin = 0.05 * (b - a);
    *low = a - margin > *low ? a - margin : *low;
    *high = b + margin < *high ? b + margin : *high;
}

static double cells_of(const struct scree_grid_axis axis[3])
{
    return (double)axis[0].cells * (double)axis[1].cells * (double)axis[2].cells;
}

// finite, so that 0 times the inverse is 0
static double make_finite(double inverse)
{
    return inverse < 1e300 ? inverse : 1e300;
}

static int64_t whole_cells(double value)
{
    const int64_t max = (int64_t)1 << 20;
    return value < 1 ? 1 : value < (double)max ? (int64_t)value : max;
}

// cells are two ranges wide, or wider to fit a periodic axis
static void make_axes(const struct build *build, struct scree_grid_level *level, const double low[3],
                      const double high[3])
{
    const struct scree_candidates_input *input = build->input;
    const double width = 2 * level->range;
    for (int k = 0; k < 3; ++k) {
        struct scree_grid_axis *axis = &level->axis[k];
        *axis = (struct scree_grid_axis){.cells = 1, .period = infinity};
        if (k >= input->dimension)
            continue;
        if (input->period[k] < infinity) {
            axis->origin = input->lower[k];
            axis->period = input->period[k];
            axis->cells = whole_cells(axis->period / width);
        } else {
            axis->origin = low[k];
            axis->cells = whole_cells((high[k] - low[k]) / width + 1);
            axis->inverse = make_finite(1 / width);
        }
    }
}

// sets the cells of a block so that about eight grains share a search; `density`: grains per cell
static void choose_block(struct scree_grid_level *level, double density, int dimension)
{
    const double wanted_grains = 8;
    for (int k = 0; k < 3; ++k)
        level->block[k] = 1;
    for (int k = 0; density < wanted_grains && level->block[k] < 4; k = (k + 1) % dimension) {
        level->block[k] *= 2;
        density *= 2;
    }
}

static void make_level(const struct build *build, struct scree_grid_level *level, size_t grains,
                       const struct summary *all)
{
    double low[3], high[3];
    memcpy(low, all->low, sizeof low);
    memcpy(high, all->high, sizeof high);
    const double max_cells = grains < 32 ? 64 : 2 * (double)grains;
    make_axes(build, level, low, high);
    if (cells_of(level->axis) > max_cells) {
        for (int k = 0; k < build->input->dimension; ++k)
            if (!(level->axis[k].period < infinity))
                sample_extent(build, k, &low[k], &high[k]);
        make_axes(build, level, low, high);
    }
    for (int k = 0; k < build->input->dimension; ++k)
        level->axis[k].folds =
            level->axis[k].period < infinity ||
            (double)level->axis[k].cells < (all->high[k] - all->low[k]) / (2 * level->range);
    while (cells_of(level->axis) > max_cells) {
        int longest = 0;
        for (int k = 1; k < 3; ++k)
            longest = level->axis[k].cells > level->axis[longest].cells ? k : longest;
        level->axis[longest].cells = (level->axis[longest].cells + 1) / 2;
        level->axis[longest].folds = true;
    }
    for (int k = 0; k < 3; ++k)
        if (level->axis[k].period < infinity)
            level->axis[k].inverse = make_finite((double)level->axis[k].cells / level->axis[k].period);
    choose_block(level, (double)grains / cells_of(level->axis), build->input->dimension);
}

static void coordinates(const struct scree_candidates_input *input, size_t i, double x[3])
{
    const double *position = input->grain[i].position;
    const struct scree_candidates_skew *skew = input->skew;
    for (int k = 0; k < 3; ++k)
        x[k] = position[k];
    for (int k = 0; k < 3 && skew; ++k)
        x[k] = skew->to[3 * k] * (position[0] - skew->corner[0]) +
               skew->to[3 * k + 1] * (position[1] - skew->corner[1]) +
               skew->to[3 * k + 2] * (position[2] - skew->corner[2]);
}

// wraps a position into the periodic cell
static double wrap(const struct scree_grid_axis *axis, double x)
{
    const double low = axis->origin, high = low + axis->period;
    if (!(axis->period < infinity) || (x >= low && x < high))
        return x;
    const double wrapped = x - axis->period * floor((x - low) / axis->period);
    return wrapped >= low ? (wrapped < high ? wrapped : high) : low;
}

static int64_t cell_at(const struct scree_grid_axis *axis, double x)
{
    const int64_t cell = scree_grid_along(axis, wrap(axis, x));
    // by round-off the position may be beyond the last cell
    if (axis->period < infinity || !axis->folds)
        return cell < 0 ? 0 : cell < axis->cells ? cell : axis->cells - 1;
    return scree_grid_fold(axis, cell);
}

static void find_cells(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct build *build = context;
    struct scree_grid *grid = build->grid;
    for (size_t i = first; i < last; ++i) {
        build->index[i] = NO_INDEX;
        if (grid->material[i] == 0)
            continue;
        const struct scree_grid_level *level =
            &grid->level[grid->levels > 1 ? build->level[halvings(build, range_of(build, i))] : 0];
        double x[3];
        coordinates(build->input, i, x);
        int64_t cell = 0;
        for (int k = build->input->dimension - 1; k >= 0; --k)
            cell = cell * level->axis[k].cells + cell_at(&level->axis[k], x[k]);
        build->index[i] = level->first + (uint32_t)cell;
    }
}

// counting sort: from the cell of each grain to its index in the grid
static void count_into_order(const struct build *build, size_t cells)
{
    const size_t count = build->input->count;
    uint32_t *next = build->grid->start + 1, *index = build->index;
    for (size_t i = 0; i < count; ++i)
        if (index[i] != NO_INDEX)
            ++next[index[i]];
    uint32_t before = 0;
    for (size_t c = 0; c < cells; ++c) {
        const uint32_t number = next[c];
        next[c] = before;
        before += number;
    }
    // each first index advances to that of the next cell
    for (size_t i = 0; i < count; ++i)
        if (index[i] != NO_INDEX)
            index[i] = next[index[i]]++;
}

static bool may_wrap(const struct scree_candidates_input *input, size_t i, const double position[3])
{
    const struct scree_candidates_skew *skew = input->skew;
    bool near = false;
    double square = 0;
    for (int k = 0; k < input->dimension && skew; ++k)
        if (!(input->period[k] < infinity))
            square += (position[k] - skew->origin[k]) * (position[k] - skew->origin[k]);
    const double slide = skew && skew->slide > 0 ? skew->slide * (sqrt(square) + input->margin) : 0;
    for (int k = 0; k < input->dimension; ++k) {
        if (!(input->period[k] < infinity))
            continue;
        const double low = input->lower[k], high = low + input->period[k];
        // slightly more than the displacement, for round-off in many small moves
        const double displacement = (input->max_displacement + extra_of(input, i)) * (1 + 0x1p-10) + slide +
                                    0x1p-40 * (fabs(low) + fabs(high));
        near |= !(position[k] > low + displacement && position[k] < high - displacement);
    }
    return near;
}

static void write_grains(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct build *build = context;
    const struct scree_candidates_input *input = build->input;
    struct scree_grid *grid = build->grid;
    const struct scree_grid_axis *axis = grid->level[0].axis;
    for (size_t i = first; i < last; ++i) {
        const uint32_t p = build->index[i];
        if (p == NO_INDEX)
            continue;
        double x[3];
        coordinates(input, i, x);
        grid->x[p] = wrap(&axis[0], x[0]);
        grid->y[p] = wrap(&axis[1], x[1]);
        grid->z[p] = input->dimension == 3 ? wrap(&axis[2], x[2]) : 0;
        grid->radius[p] = input->grain[i].radius;
        grid->range[p] = range_of(build, i);
        grid->tag[p] = (uint32_t)i << 2 | (may_wrap(input, i, x) ? SCREE_GRID_WRAPS : 0u);
    }
}

// --- building

static scree_status allocate(struct build *build, size_t grains, size_t cells)
{
    struct scree_grid *grid = build->grid;
    // one block for all arrays
    const size_t double_bytes = grains * 5 * sizeof(double);
    const size_t index_bytes = (grains + cells + 2) * sizeof(uint32_t);
    // a search may read some elements beyond the last
    const size_t padding = 64;
    char *block;
    SCREE_TRY(scree_memory_new(double_bytes + index_bytes + padding, 1, (void **)&block));
    grid->block = block;
    grid->x = (double *)(void *)block;
    grid->y = grid->x + grains;
    grid->z = grid->y + grains;
    grid->radius = grid->z + grains;
    grid->range = grid->radius + grains;
    // tags come last, so that reading beyond the end of any column stays within the block
    grid->start = (uint32_t *)(void *)(block + double_bytes);
    grid->tag = grid->start + cells + 2;
    return SCREE_OK;
}

static scree_status fill_grid(struct build *build)
{
    const struct scree_candidates_input *input = build->input;
    struct scree_grid *grid = build->grid;
    for (int t = 0; t < scree_team_size(input->team); ++t)
        build->summary[t] = empty_summary();
    scree_team_run(input->team, input->count, TILE, summarize_grains, build);
    const struct summary all = merge_summaries(build);
    SCREE_TRY(check(input, &all));
    build->largest = all.largest;
    choose_levels(build, &all);
    size_t cells = 0, before = 0;
    for (int l = 0; l < grid->levels; ++l) {
        struct scree_grid_level *level = &grid->level[l];
        make_level(build, level, level->grains - before, &all);
        before = level->grains;
        level->first = (uint32_t)cells;
        cells += (size_t)cells_of(level->axis);
    }
    SCREE_TRY(allocate(build, all.grains, cells));
    scree_team_run(input->team, input->count, TILE, find_cells, build);
    count_into_order(build, cells);
    if (grid->levels > 0)
        scree_team_run(input->team, input->count, TILE, write_grains, build);
    return SCREE_OK;
}

scree_status scree_grid_build(struct scree_grid *grid, const struct scree_candidates_input *input)
{
    *grid = (struct scree_grid){.skew = input->skew};
    struct build build = {.grid = grid, .input = input};
    const size_t threads = (size_t)scree_team_size(input->team);
    scree_status status = scree_memory_new(threads, sizeof *build.summary, (void **)&build.summary);
    if (status == SCREE_OK)
        status = scree_memory_new(input->count, sizeof *build.index, (void **)&build.index);
    if (status == SCREE_OK)
        status = scree_memory_new(input->count, sizeof *grid->material, (void **)&grid->material);
    if (status == SCREE_OK)
        status = fill_grid(&build);
    scree_memory_free(build.index);
    scree_memory_free(build.summary);
    if (status != SCREE_OK)
        scree_grid_free(grid);
    return status;
}

void scree_grid_free(struct scree_grid *grid)
{
    scree_memory_free(grid->block);
    scree_memory_free(grid->material);
    *grid = (struct scree_grid){0};
}
