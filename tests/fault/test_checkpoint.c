// Each allocation in writing and reading a checkpoint fails in turn: the error is reported, nothing leaks,
// existing files stay, and a second attempt gives the same world (equal digests). Invalid files are refused.

#include "base/memory.h"
#include "determinism/touching.h"
#include "support/worlds.h"

#include <stdio.h>
#include <unistd.h>

static const struct touching contacts_world = {.bodies = 30, .resists = true, .walls = true, .loads = true};

static struct scree_world *run_world(void)
{
    struct scree_world *world;
    struct scree_engine *engine = NULL;
    assert_ok(touching_build(&contacts_world, &world));
    assert_ok(touching_steps(&contacts_world, &(struct touching_variant){0}, &world, 20, &engine));
    scree_engine_destroy(engine);
    // with a field and an entity of the user
    uint64_t row;
    assert_ok(scree_field_add(world, &(struct scree_field_def){.entity = "body",
                                                               .name = "age",
                                                               .width = 2,
                                                               .unit = "s",
                                                               .flags = SCREE_PERSISTED,
                                                               .about = "How old it is."}));
    assert_ok(scree_field_add_entity(world, "marker"));
    assert_ok(scree_field_add(world, &(struct scree_field_def){.entity = "marker",
                                                               .name = "place",
                                                               .width = 3,
                                                               .unit = "m",
                                                               .flags = SCREE_PERSISTED,
                                                               .about = "Where it stands."}));
    for (int k = 0; k < 3; ++k)
        assert_ok(scree_field_add_row(world, "marker", &row));
    assert_ok(scree_field_remove_row(world, "marker", 2));
    struct scree_view view;
    void *data;
    assert_ok(scree_field_edit(world, "marker.place", &view, &data));
    ((double *)data)[4] = 0.25;
    assert_ok(scree_field_commit(world));
    return world;
}

static void a_failed_allocation_in_writing_keeps_the_existing_file(void **state)
{
    (void)state;
    char file[64];
    struct scree_checkpoint_facts facts;
    snprintf(file, sizeof file, "fault-write-%ld.chk", (long)getpid());
    struct scree_world *world = run_world();
    const struct scree_digest digest = scree_test_digest(world);
    assert_ok(scree_checkpoint_write(world, file));
    const size_t before = scree_memory_live();
    uint64_t failures = 0;
    for (uint64_t nth = 1;; ++nth) {
        scree_memory_fail_at(nth);
        const scree_status status = scree_checkpoint_write(world, file);
        scree_memory_fail_at(0);
        assert_int_equal(scree_memory_live(), before);
        assert_ok(scree_checkpoint_info(file, &facts));
        assert_true(scree_test_digests_equal(digest, facts.digest));
        if (status == SCREE_OK)
            break;
        ++failures;
        assert_true(scree_status_message()[0]);
    }
    assert_true(failures > 50);
    assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
    scree_world_destroy(world);
    unlink(file);
}

static void a_failed_allocation_in_reading_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    char file[64];
    snprintf(file, sizeof file, "fault-read-%ld.chk", (long)getpid());
    struct scree_world *world = run_world(), *read;
    const struct scree_digest digest = scree_test_digest(world);
    assert_ok(scree_checkpoint_write(world, file));
    const size_t before = scree_memory_live();
    uint64_t failures = 0;
    for (uint64_t nth = 1;; ++nth) {
        assert_ok(scree_world_create(NULL, &read));
        scree_memory_fail_at(nth);
        const scree_status status = scree_checkpoint_read(read, file);
        scree_memory_fail_at(0);
        if (status == SCREE_OK)
            break;
        ++failures;
        assert_true(scree_status_message()[0]);
        scree_world_destroy(read);
        assert_int_equal(scree_memory_live(), before);
    }
    assert_true(failures > 50);
    assert_true(scree_test_digests_equal(digest, scree_test_digest(read)));
    struct scree_view view;
    assert_ok(scree_field_view(read, "marker.place", &view));
    assert_int_equal(view.count, 2);
    assert_true(((const double *)view.base)[4] == 0.25);
    // the next id follows the largest id ever given
    uint64_t row;
    assert_ok(scree_field_add_row(read, "marker", &row));
    assert_int_equal(row, 4);
    scree_world_destroy(read);
    scree_world_destroy(world);
    unlink(file);
}

// Writes a line, followed by enough bytes for a checksum.
static void write_text(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");
    assert_true(stream && fputs(text, stream) >= 0);
    for (int k = 0; k < 1000; ++k)
        assert_true(fputc('\n', stream) != EOF);
    fclose(stream);
}

static void invalid_files_are_refused(void **state)
{
    (void)state;
    char file[64];
    snprintf(file, sizeof file, "refused-%ld.chk", (long)getpid());
    struct scree_world *world = run_world(), *empty;
    assert_ok(scree_checkpoint_write(world, file));
    assert_refused(SCREE_ERROR_STATE, "empty world", scree_checkpoint_read(world, file));
    assert_ok(scree_world_create(NULL, &empty));
    assert_refused(SCREE_ERROR_IO, "No such file", scree_checkpoint_read(empty, "nothing/here.chk"));
    assert_refused(SCREE_ERROR_IO, "cannot", scree_checkpoint_write(world, "nothing/here.chk"));
    struct scree_scene *scene;
    assert_refused(SCREE_ERROR_ARGUMENT, "not written by the run of a scene",
                   scree_scene_restart(file, NULL, &scene));
    write_text(file, "Scree checkpoint 5: of the future");
    assert_refused(SCREE_ERROR_UNSUPPORTED, "does not have format version",
                   scree_checkpoint_read(empty, file));
    // headers of format versions 1 to 3
    write_text(file, "Scree checkpoint 1: HDF5 from byte 512 on, 522 bytes, XXH3 0123456789abcdef");
    assert_refused(SCREE_ERROR_UNSUPPORTED, "in a fixed order", scree_checkpoint_read(empty, file));
    write_text(file, "Scree checkpoint 2: HDF5 from byte 512 on, 522 bytes, XXH3 0123456789abcdef");
    assert_refused(SCREE_ERROR_UNSUPPORTED, "less contact data", scree_checkpoint_read(empty, file));
    write_text(file, "Scree checkpoint 3: HDF5 from byte 512 on, 522 bytes, XXH3 0123456789abcdef");
    assert_refused(SCREE_ERROR_UNSUPPORTED, "in a format that this version does not read",
                   scree_checkpoint_read(empty, file));
    struct scree_checkpoint_facts facts;
    assert_refused(SCREE_ERROR_UNSUPPORTED, "finish the run with that version",
                   scree_checkpoint_info(file, &facts));
    write_text(file, "Scree checkpoint 0: before the first");
    assert_refused(SCREE_ERROR_UNSUPPORTED, "does not have format version",
                   scree_checkpoint_read(empty, file));
    FILE *stream = fopen(file, "w");
    assert_true(stream && fputs("x,y,z\n", stream) >= 0);
    fclose(stream);
    assert_refused(SCREE_ERROR_IO, "is not a checkpoint of Scree", scree_checkpoint_read(empty, file));
    scree_world_destroy(empty);
    scree_world_destroy(world);
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_allocation_in_writing_keeps_the_existing_file),
        cmocka_unit_test(a_failed_allocation_in_reading_is_reported_and_leaks_nothing),
        cmocka_unit_test(invalid_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
