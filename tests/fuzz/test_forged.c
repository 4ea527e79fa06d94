// Frames and checkpoints with random changes but correct checksums, given to all functions that read such
// files, also while an allocation fails: each file is refused or read, and all memory is freed.

#include "base/memory.h"
#include "determinism/touching.h"
#include "file/checkpoint.h"
#include "file/vtk.h"
#include "support/folder.h"
#include "support/hdf_sample.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 1000, MAX_GROWTH = 256 };

static uint64_t seed = 3;

// A tenth of SCREE_FUZZ_ROUNDS, because each round writes a file.
static long rounds(void)
{
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS");
    return rounds_requested ? atol(rounds_requested) / 10 : ROUNDS;
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_true(file && fwrite(data, 1, size, file) == size);
    assert_int_equal(fclose(file), 0);
}

// Writes a changed copy of a file to `path`; `write_checksum` corrects the checksum of its first line.
static void forge(const char *path, const char *image, size_t size,
                  void (*write_checksum)(void *image, size_t size))
{
    char *copy = (char *)malloc(size + MAX_GROWTH);
    assert_non_null(copy);
    memcpy(copy, image, size);
    size_t length = size;
    for (uint64_t changes = 1 + splitmix_next(&seed) % 3; changes > 0; --changes)
        length = scree_hdf_sample_damage(&seed, copy, length, size + MAX_GROWTH);
    scree_hdf_sample_update_checksums(copy, length);
    write_checksum(copy, length);
    write_file(path, copy, length);
    free(copy);
}

// Makes an allocation fail in every fourth round.
static void maybe_fail_allocation(void)
{
    scree_memory_fail_at(splitmix_next(&seed) % 4 == 0 ? 1 + splitmix_next(&seed) % 300 : 0);
}

static void ignore_text(void *user, const char *text)
{
    (void)user;
    (void)text;
}

static void write_frame_checksum(void *image, size_t size)
{
    scree_checksum_write(&scree_vtk_checksum, image, size);
}

static void forged_frames_are_refused_or_read(void **state)
{
    (void)state;
    const struct scree_folder folder = scree_folder_make("forged-frames");
    struct scree_vtk_grid grid = {
        .points = 90, .cells = 90, .cell = SCREE_VTK_VERTEX, .position_type = SCREE_F64};
    struct scree_vtk_array *array;
    char path[80], original[80];
    void *image;
    size_t size, accepted = 0;
    snprintf(path, sizeof path, "%s", scree_folder_path(&folder, "forged.hdf"));
    snprintf(original, sizeof original, "%s", scree_folder_path(&folder, "original.hdf"));
    assert_ok(scree_memory_new(90, 3 * sizeof(double), &grid.point));
    assert_ok(scree_vtk_add(&grid, "id", SCREE_I64, 1, false, &array));
    assert_ok(scree_vtk_add(&grid, "radius", SCREE_F32, 1, false, &array));
    assert_ok(scree_vtk_write(&grid, 1, &image, &size));
    scree_vtk_free(&grid);
    write_file(original, image, size);
    const size_t blocks_before = scree_memory_live();
    for (long round = 0; round < rounds(); ++round) {
        struct scree_difference difference;
        forge(path, (const char *)image, size, write_frame_checksum);
        maybe_fail_allocation();
        accepted += scree_compare_list(path, ignore_text, NULL) == SCREE_OK;
        accepted += scree_compare_frames(path, original, &difference) == SCREE_OK;
        accepted += scree_convert_file(path, scree_folder_path(&folder, "out.csv"),
                                       &(struct scree_convert_def){.force = true}, NULL) == SCREE_OK;
        scree_memory_fail_at(0);
        assert_int_equal(scree_memory_live(), blocks_before);
    }
    printf("frames were read in %zu of %ld calls\n", accepted, 3 * rounds());
    scree_memory_free(image);
    scree_folder_drop(&folder);
}

static void forged_checkpoints_are_refused_or_read(void **state)
{
    (void)state;
    static const struct touching description = {.bodies = 20, .resists = true, .walls = true, .loads = true};
    const struct scree_folder folder = scree_folder_make("forged-checkpoints");
    struct scree_world *world;
    struct scree_engine *engine = NULL;
    char path[80];
    size_t size, accepted = 0;
    snprintf(path, sizeof path, "%s", scree_folder_path(&folder, "forged.chk"));
    assert_ok(touching_build(&description, &world));
    assert_ok(touching_steps(&description, &(struct touching_variant){0}, &world, 20, &engine));
    assert_ok(scree_checkpoint_write(world, path));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    char *image = scree_folder_read_path(path, &size);
    const size_t blocks_before = scree_memory_live();
    for (long round = 0; round < rounds(); ++round) {
        struct scree_checkpoint_facts facts;
        forge(path, image, size, scree_checkpoint_checksum);
        assert_ok(scree_world_create(NULL, &world));
        maybe_fail_allocation();
        accepted += scree_checkpoint_read(world, path) == SCREE_OK;
        accepted += scree_checkpoint_info(path, &facts) == SCREE_OK;
        scree_memory_fail_at(0);
        scree_world_destroy(world);
        assert_int_equal(scree_memory_live(), blocks_before);
    }
    printf("checkpoints were read in %zu of %ld calls\n", accepted, 2 * rounds());
    free(image);
    scree_folder_drop(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forged_frames_are_refused_or_read),
        cmocka_unit_test(forged_checkpoints_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
