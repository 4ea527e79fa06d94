// Files of HDF5 with bytes changed, pieces moved or the end cut off: each is read or refused, with bounded
// memory, and nothing is lost. What the file notes about itself carries checksums, so an accident is found
// before it is believed; a file that was forged with care may still be too much for HDF5, and is not what
// this shows.

#include "base/memory.h"
#include "file/hdf.h"
#include "file/vtk.h"
#include "support/sketch.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 300, MOST = 1 << 24 };

static uint64_t seed = 1;

static uint64_t pick(uint64_t count)
{
    return scree_sketch_next(&seed) % count;
}

static void make(int deflate, void **image, size_t *size)
{
    struct scree_vtk_grid grid = {
        .points = POINTS, .cells = POINTS, .cell = SCREE_VTK_VERTEX, .place = SCREE_F64};
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
    const size_t at = pick(size), other = pick(size);
    const size_t length = 1 + pick(64), room = size - (at > other ? at : other);
    switch (pick(6)) {
    case 0:
        return pick(size);
    case 1:
        memmove(image + at, image + other, length < room ? length : room);
        return size;
    case 2:
        memset(image + at, pick(2) ? 0xff : 0, length < size - at ? length : size - at);
        return size;
    default:
        image[at] = (char)(image[at] ^ (1 << pick(8)));
        return size;
    }
}

// Reads all that a group says is there. Refusals are fine.
static size_t read_group(struct scree_hdf *hdf, const char *group)
{
    size_t count, read = 0;
    if (scree_hdf_count(hdf, group, &count) != SCREE_OK)
        return 0;
    for (size_t k = 0; k < count && k < 100; ++k) {
        char name[64], path[200];
        struct scree_hdf_shape shape;
        void *data;
        if (scree_hdf_name(hdf, group, k, name, sizeof name) != SCREE_OK)
            continue;
        snprintf(path, sizeof path, "%s/%s", group, name);
        if (scree_hdf_find(hdf, path, &shape) != SCREE_OK || shape.rows > MOST || shape.width > 100)
            continue;
        const size_t width = (shape.width ? shape.width : 1) * scree_field_size(shape.type);
        assert_ok(scree_memory_new(shape.rows, width, &data));
        read += scree_hdf_read(hdf, path, &shape, data) == SCREE_OK;
        scree_memory_free(data);
    }
    return read;
}

static size_t read_all(const void *image, size_t size)
{
    static const char *const groups[] = {"/VTKHDF", "/VTKHDF/PointData", "/VTKHDF/CellData",
                                         "/VTKHDF/FieldData"};
    struct scree_hdf hdf;
    char text[32];
    int64_t version[2];
    size_t read = 0;
    if (scree_hdf_open(&hdf, image, size) != SCREE_OK)
        return 0;
    read += scree_hdf_get_text(&hdf, "/VTKHDF", "Type", text, sizeof text) == SCREE_OK;
    read += scree_hdf_get(&hdf, "/VTKHDF", "Version", SCREE_I64, 2, version) == SCREE_OK;
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; ++g)
        read += read_group(&hdf, groups[g]);
    scree_hdf_close(&hdf);
    return read;
}

static void damaged_files_are_read_or_refused(void **state)
{
    (void)state;
    const char *asked = getenv("SCREE_FUZZ_ROUNDS");
    const long rounds = asked ? atol(asked) : 2000;
    void *image[2], *copy;
    size_t size[2], whole[2], refused = 0, most = 0;
    for (int k = 0; k < 2; ++k) {
        make(k, &image[k], &size[k]);
        whole[k] = read_all(image[k], size[k]);
        most = size[k] > most ? size[k] : most;
    }
    // two attributes, seven sets of the grid, four of points, two of the frame
    assert_true(whole[0] == 15 && whole[1] == 15);
    assert_ok(scree_memory_new(most, 1, &copy));
    const size_t live = scree_memory_live();
    for (long round = 0; round < rounds; ++round) {
        const size_t k = pick(2);
        memcpy(copy, image[k], size[k]);
        size_t length = size[k];
        for (uint64_t times = 1 + pick(4); times > 0 && length > 0; --times)
            length = mutate((char *)copy, length);
        refused += read_all(copy, length) < whole[k];
        assert_int_equal(scree_memory_live(), live);
    }
    assert_true(refused > (size_t)rounds / 10);
    scree_memory_free(copy);
    scree_memory_free(image[0]);
    scree_memory_free(image[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_files_are_read_or_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
