// Frames with bytes changed, pieces moved or the end cut off: the checksum detects every change, so the frame
// is refused, and all memory is freed. Frames with corrected checksums are in fuzz/test_hdf.c.

#include "base/memory.h"
#include "file/hdf.h"
#include "file/vtk.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 300 };

static uint64_t seed = 1;

static uint64_t pick(uint64_t count)
{
    return splitmix_next(&seed) % count;
}

static void make_frame(int deflate, void **image, size_t *size)
{
    struct scree_vtk_grid grid = {
        .points = POINTS, .cells = POINTS, .cell = SCREE_VTK_VERTEX, .position_type = SCREE_F64};
    static const struct {
        const char *name;
        scree_type type;
        unsigned width;
    } rows[] = {{"id", SCREE_I64, 1},
                {"radius", SCREE_F32, 1},
                {"velocity", SCREE_F64, 3},
                {"material", SCREE_U16, 1}};
    assert_ok(scree_memory_new(POINTS, 3 * sizeof(double), &grid.point));
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_vtk_array *array;
        assert_ok(scree_vtk_add(&grid, rows[r].name, rows[r].type, rows[r].width, false, &array));
        for (size_t b = 0; b < POINTS * rows[r].width * scree_field_size(rows[r].type); ++b)
            ((char *)array->data)[b] = (char)(b * b / 7);
    }
    assert_ok(scree_vtk_write(&grid, deflate, image, size));
    scree_vtk_free(&grid);
}

static size_t mutate(char *image, size_t size)
{
    const size_t to = pick(size), from = pick(size);
    const size_t length = 1 + pick(64), available = size - (to > from ? to : from);
    switch (pick(6)) {
    case 0:
        return pick(size);
    case 1:
        memmove(image + to, image + from, length < available ? length : available);
        return size;
    case 2:
        memset(image + to, pick(2) ? 0xff : 0, length < size - to ? length : size - to);
        return size;
    default:
        image[to] = (char)(image[to] ^ (1 << pick(8)));
        return size;
    }
}

// Opens a frame and reads the ids; returns whether that succeeded.
static bool can_be_read(const void *image, size_t size)
{
    struct scree_hdf hdf;
    int64_t id[POINTS];
    if (scree_vtk_open(&hdf, "it", image, size) != SCREE_OK) {
        const char *message = scree_status_message();
        if (!strstr(message, "is damaged") && !strstr(message, "is not a frame") &&
            !strstr(message, "does not have format version") && !strstr(message, "by an older version"))
            fail_msg("%s", message);
        return false;
    }
    assert_ok(
        scree_hdf_read(&hdf, "/VTKHDF/PointData/id", &(struct scree_hdf_shape){SCREE_I64, POINTS, 0}, id));
    scree_hdf_close(&hdf);
    return true;
}

static void damaged_frames_are_refused(void **state)
{
    (void)state;
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS");
    const long rounds = rounds_requested ? atol(rounds_requested) : 100000;
    void *image[2], *copy;
    size_t size[2];
    for (int k = 0; k < 2; ++k) {
        make_frame(k, &image[k], &size[k]);
        assert_true(can_be_read(image[k], size[k]));
    }
    assert_ok(scree_memory_new(size[0] > size[1] ? size[0] : size[1], 1, &copy));
    const size_t blocks_before = scree_memory_live();
    for (long round = 0; round < rounds; ++round) {
        const size_t k = pick(2);
        memcpy(copy, image[k], size[k]);
        size_t length = size[k];
        for (uint64_t changes = 1 + pick(4); changes > 0 && length > 0; --changes)
            length = mutate((char *)copy, length);
        const bool unchanged = length == size[k] && memcmp(copy, image[k], length) == 0;
        if (can_be_read(copy, length) != unchanged)
            fail_msg("round %ld: %s", round,
                     unchanged ? "an intact frame is refused" : "a damaged frame is read");
        assert_int_equal(scree_memory_live(), blocks_before);
    }
    scree_memory_free(copy);
    scree_memory_free(image[0]);
    scree_memory_free(image[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_frames_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
