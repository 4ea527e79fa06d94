// Morton keys, see morton.h.

#include "detect/morton.h"

#include "math/morton.h"

#include <stdbool.h>

enum { BITS = 21, SAMPLE = 63 };

static const int64_t cells = (int64_t)1 << BITS;

static bool has_position(const struct scree_grain *grain)
{
    return grain->position[0] == grain->position[0] && grain->position[1] == grain->position[1] &&
           grain->position[2] == grain->position[2];
}

static int64_t cell_of(double x, double inverse)
{
    const double max = 0x1p52;
    double t = x * inverse;
    // NaN, from 0 times infinity, gives cell 0
    t = t < max ? t : t > max ? max : 0;
    t = t > -max ? t : -max;
    const int64_t cell = (int64_t)t;
    return cell - ((double)cell > t);
}

// lowest cell of the grains along an axis, without outliers: grains 2^20 cells or more below the median of a
// sample
static int64_t corner(const struct scree_grain *grain, size_t count, int axis, double inverse)
{
    int64_t sample[SAMPLE];
    size_t taken = 0;
    for (size_t i = 0; i < count; i += count / SAMPLE + 1) {
        if (!has_position(&grain[i]))
            continue;
        const int64_t cell = cell_of(grain[i].position[axis], inverse);
        size_t at = taken++;
        for (; at > 0 && sample[at - 1] > cell; --at)
            sample[at] = sample[at - 1];
        sample[at] = cell;
    }
    if (taken == 0)
        return 0;
    const int64_t middle = sample[taken / 2];
    int64_t lowest = middle;
    for (size_t i = 0; i < count; ++i) {
        const int64_t cell = cell_of(grain[i].position[axis], inverse);
        if (cell < lowest && cell > middle - cells / 2)
            lowest = cell;
    }
    return lowest;
}

void scree_morton_keys(const struct scree_grain *grain, size_t count, double size_of_cell, uint64_t *keys)
{
    // size 0: all grains are in one cell
    const double inverse = size_of_cell > 0 ? 1 / size_of_cell : 0;
    int64_t low[3];
    for (int k = 0; k < 3; ++k)
        low[k] = corner(grain, count, k, inverse);
    for (size_t i = 0; i < count; ++i) {
        keys[i] = UINT64_MAX;
        if (!has_position(&grain[i]))
            continue;
        uint64_t key = 0;
        for (int k = 0; k < 3; ++k) {
            const int64_t cell = cell_of(grain[i].position[k], inverse) - low[k];
            key |= scree_morton_insert_zeros((uint64_t)cell & (uint64_t)(cells - 1)) << k;
        }
        keys[i] = key;
    }
}
