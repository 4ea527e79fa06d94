// Comparison and listing of frames: equal frames, and the first difference of frames that differ in a
// value, a shape or a name.

#include "base/memory.h"
#include "file/atomic.h"
#include "file/hdf.h"
#include "file/vtk.h"
#include "support/starve.h"

#include <scree/compare.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct frame {
    double velocity[3][3];
    float radius[3];
    int64_t id[3];
    size_t rows;
    const char *extra; // one extra array, of one number; null for none
};

static const struct frame standard = {
    .velocity = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, .radius = {0.5f, 1, 2}, .id = {4, 17, 23}, .rows = 3};

static void write_frame(const char *path, const struct frame *frame)
{
    struct scree_hdf hdf;
    struct scree_atomic_piece piece;
    void *image;
    const size_t rows = frame->rows;
    assert_int_equal(scree_hdf_create(&hdf, SCREE_CHECKSUM_HEADER), SCREE_OK);
    assert_int_equal(scree_hdf_group(&hdf, "/VTKHDF"), SCREE_OK);
    assert_int_equal(scree_hdf_group(&hdf, "/VTKHDF/PointData"), SCREE_OK);
    assert_int_equal(scree_hdf_write(&hdf, "/VTKHDF/PointData/id",
                                     &(struct scree_hdf_shape){SCREE_I64, rows, 0}, frame->id, 0),
                     SCREE_OK);
    assert_int_equal(scree_hdf_write(&hdf, "/VTKHDF/PointData/velocity",
                                     &(struct scree_hdf_shape){SCREE_F64, rows, 3}, frame->velocity, 0),
                     SCREE_OK);
    assert_int_equal(scree_hdf_write(&hdf, "/VTKHDF/radius", &(struct scree_hdf_shape){SCREE_F32, rows, 0},
                                     frame->radius, 0),
                     SCREE_OK);
    if (frame->extra)
        assert_int_equal(
            scree_hdf_write(&hdf, frame->extra, &(struct scree_hdf_shape){SCREE_F64, 1, 0}, &(double){1}, 0),
            SCREE_OK);
    assert_int_equal(scree_hdf_finish(&hdf, &image, &piece.size), SCREE_OK);
    scree_checksum_write(&scree_vtk_checksum, image, piece.size);
    piece.data = image;
    assert_int_equal(scree_atomic_write(path, NULL, &piece, 1, false), SCREE_OK);
    scree_memory_free(image);
}

// Compares with the standard frame, in both orders.
static struct scree_difference compare(const struct frame *frame)
{
    char path[2][64];
    struct scree_difference difference, other;
    for (int side = 0; side < 2; ++side) {
        snprintf(path[side], sizeof path[side], "compare-%ld-%d.hdf", (long)getpid(), side);
        write_frame(path[side], side == 0 ? &standard : frame);
    }
    const size_t before = scree_memory_live();
    assert_int_equal(scree_compare_frames(path[0], path[1], &difference), SCREE_OK);
    assert_int_equal(scree_compare_frames(path[1], path[0], &other), SCREE_OK);
    assert_int_equal(scree_memory_live(), before);
    assert_true(difference.differs == other.differs);
    assert_string_equal(difference.value[0], other.value[1]);
    assert_string_equal(difference.value[1], other.value[0]);
    for (int side = 0; side < 2; ++side)
        unlink(path[side]);
    return difference;
}

static void equal_frames_have_no_difference(void **state)
{
    (void)state;
    assert_false(compare(&standard).differs);
}

static void a_number_that_differs_is_named_by_its_field_component_and_id(void **state)
{
    (void)state;
    struct frame frame = standard;
    frame.velocity[1][2] = 6.5;
    frame.velocity[2][0] = 0;
    const struct scree_difference difference = compare(&frame);
    assert_true(difference.differs);
    assert_string_equal(difference.where, "/VTKHDF/PointData/velocity[2] of id 17");
    assert_string_equal(difference.value[0], "6");
    assert_string_equal(difference.value[1], "6.5");
}

static void rows_without_ids_are_numbered(void **state)
{
    (void)state;
    struct frame frame = standard;
    frame.radius[2] = 3;
    assert_string_equal(compare(&frame).where, "/VTKHDF/radius of row 2");
}

static void shapes_and_names_are_compared(void **state)
{
    (void)state;
    struct frame frame = standard;
    frame.rows = 2;
    struct scree_difference difference = compare(&frame);
    assert_string_equal(difference.where, "the shape of /VTKHDF/PointData/id");
    assert_string_equal(difference.value[1], "2 rows of 1");
    frame = standard;
    frame.extra = "/VTKHDF/zeal";
    difference = compare(&frame);
    assert_string_equal(difference.where, "/VTKHDF/zeal");
    assert_string_equal(difference.value[0], "missing");
    assert_string_equal(difference.value[1], "present");
}

static void append_line(void *user, const char *text)
{
    char *listing = (char *)user;
    assert_true(strlen(listing) + strlen(text) < 2000);
    strcat(listing, text);
}

static scree_status list_file(void *user)
{
    char listing[2000] = "";
    return scree_compare_list((const char *)user, append_line, listing);
}

static void a_listing_names_all_data_with_types_and_sizes(void **state)
{
    (void)state;
    char path[64], listing[2000] = "";
    struct frame frame = standard;
    frame.extra = "/VTKHDF/PointData/one";
    snprintf(path, sizeof path, "compare-%ld.hdf", (long)getpid());
    write_frame(path, &frame);
    assert_int_equal(scree_compare_list(path, append_line, listing), SCREE_OK);
    assert_non_null(strstr(listing, "/VTKHDF/PointData/id                     3 64-bit integer\n"));
    assert_non_null(strstr(listing, "/VTKHDF/PointData/one                    1 double: 1\n"));
    assert_non_null(strstr(listing, "/VTKHDF/PointData/velocity               3 x 3 double\n"));
    assert_non_null(strstr(listing, "/VTKHDF/radius                           3 float\n"));
    assert_true(scree_starve(list_file, path) > 0);
    unlink(path);
    assert_int_equal(scree_compare_list(path, append_line, listing), SCREE_ERROR_IO);
}

static void unreadable_files_are_reported(void **state)
{
    (void)state;
    struct scree_difference difference;
    char path[64];
    assert_int_equal(scree_compare_frames("nowhere.hdf", "nowhere.hdf", &difference), SCREE_ERROR_IO);
    snprintf(path, sizeof path, "compare-%ld.txt", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_true(file && fputs("no frame\n", file) >= 0 && fclose(file) == 0);
    assert_int_not_equal(scree_compare_frames(path, path, &difference), SCREE_OK);
    unlink(path);
}

static scree_status compare_with_itself(void *user)
{
    struct scree_difference difference;
    const scree_status status = scree_compare_frames((const char *)user, (const char *)user, &difference);
    assert_true(status != SCREE_OK || !difference.differs);
    return status;
}

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    char path[64];
    struct frame frame = standard;
    snprintf(path, sizeof path, "compare-%ld.hdf", (long)getpid());
    write_frame(path, &frame);
    assert_true(scree_starve(compare_with_itself, path) > 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_frames_have_no_difference),
        cmocka_unit_test(a_number_that_differs_is_named_by_its_field_component_and_id),
        cmocka_unit_test(rows_without_ids_are_numbered),
        cmocka_unit_test(shapes_and_names_are_compared),
        cmocka_unit_test(a_listing_names_all_data_with_types_and_sizes),
        cmocka_unit_test(unreadable_files_are_reported),
        cmocka_unit_test(every_failed_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
