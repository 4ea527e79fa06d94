// Morton keys of grains (detect/morton.h) against bit-by-bit interleaving of the cell coordinates.

#include "detect/morton.h"
#include "support/splitmix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GRAINS = 500 };

static struct scree_grain grain[GRAINS];
static uint64_t keys[GRAINS];

static uint64_t interleaved(const uint64_t cell[3])
{
    uint64_t key = 0;
    for (int bit = 0; bit < 21; ++bit)
        for (int k = 0; k < 3; ++k)
            key |= (cell[k] >> bit & 1) << (3 * bit + k);
    return key;
}

static void keys_interleave_the_bits_of_cells(void **state)
{
    (void)state;
    uint64_t random = 1, cell[GRAINS][3];
    for (size_t i = 0; i < GRAINS; ++i)
        for (int k = 0; k < 3; ++k) {
            // cells differ by at most half of 2^21; the first two grains are in the lowest cell
            cell[i][k] = i < 2 ? 0 : splitmix_next(&random) >> 44;
            grain[i].position[k] = 0.25 * ((double)cell[i][k] + 0.5) - 1000;
        }
    scree_morton_keys(grain, GRAINS, 0.25, keys);
    for (size_t i = 0; i < GRAINS; ++i)
        assert_true(keys[i] == interleaved(cell[i]));
}

static void a_distant_grain_changes_no_other_key(void **state)
{
    (void)state;
    static uint64_t before[GRAINS];
    uint64_t random = 2;
    for (size_t i = 0; i < GRAINS; ++i)
        for (int k = 0; k < 3; ++k)
            grain[i].position[k] = (double)(splitmix_next(&random) >> 40) * 1e-5;
    scree_morton_keys(grain, GRAINS, 1, keys);
    memcpy(before, keys, sizeof keys);
    const double distant[] = {1e150, -1e150, -1e9, (double)INFINITY, (double)NAN};
    for (size_t n = 0; n < sizeof distant / sizeof distant[0]; ++n) {
        for (int k = 0; k < 3; ++k)
            grain[250].position[k] = distant[n];
        scree_morton_keys(grain, GRAINS, 1, keys);
        for (size_t i = 0; i < GRAINS; ++i)
            if (i != 250)
                assert_true(keys[i] == before[i]);
    }
    assert_true(keys[250] == UINT64_MAX);
}

static void an_invalid_cell_size_gives_all_grains_the_key_zero(void **state)
{
    (void)state;
    const double sizes[] = {0, -1, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < GRAINS; ++i)
        for (int k = 0; k < 3; ++k)
            grain[i].position[k] = (double)i + 1;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; ++n) {
        scree_morton_keys(grain, GRAINS, sizes[n], keys);
        for (size_t i = 0; i < GRAINS; ++i)
            assert_true(keys[i] == 0);
    }
    scree_morton_keys(grain, 0, 1, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_interleave_the_bits_of_cells),
        cmocka_unit_test(a_distant_grain_changes_no_other_key),
        cmocka_unit_test(an_invalid_cell_size_gives_all_grains_the_key_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
