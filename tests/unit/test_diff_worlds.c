// Comparison of two checkpoints: a difference of contact histories is reported with the names of the law
// and the bodies.

#include "cli/diff_worlds.c"
#include "determinism/touching.h"
#include "support/folder.h"
#include "support/worlds.h"

#include <stdio.h>
#include <unistd.h>

// Compares two files of a folder; the printed output goes to the file "output".
static int compare_files(const struct scree_folder *folder, const char *first, const char *second)
{
    const char *const path[2] = {scree_folder_path(folder, first), scree_folder_path(folder, second)};
    fflush(stdout);
    const int standard_output = dup(STDOUT_FILENO);
    FILE *output = fopen(scree_folder_path(folder, "output"), "w");
    assert_true(standard_output >= 0 && output && dup2(fileno(output), STDOUT_FILENO) >= 0);
    const int result = scree_diff_checkpoints(path);
    fflush(stdout);
    assert_true(dup2(standard_output, STDOUT_FILENO) >= 0);
    close(standard_output);
    fclose(output);
    return result;
}

static void assert_output_contains(const struct scree_folder *folder, const char *expected)
{
    char *output = scree_folder_read(folder, "output", NULL);
    if (!strstr(output, expected))
        fail_msg("'%s' does not contain '%s'", output, expected);
    free(output);
}

static double norm_of(const double *v)
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

// The live contact with the smallest tangential displacement. A change of its last bit is lost when the
// force is rounded, so that only the history differs.
static size_t smallest_spring(const struct scree_contacts *contacts, bool wall)
{
    const double *history = wall ? contacts->walls.history : contacts->history;
    const size_t stride = wall ? contacts->walls.stride : contacts->stride;
    size_t smallest = SIZE_MAX;
    for (size_t c = 0; c < (wall ? contacts->walls.count : contacts->candidates); ++c) {
        const bool live = wall ? contacts->walls.live[c] : scree_contacts_is_live(contacts, c);
        if (live && history[c * stride + 1] != 0 &&
            (smallest == SIZE_MAX || norm_of(&history[c * stride]) < norm_of(&history[smallest * stride])))
            smallest = c;
    }
    assert_true(smallest != SIZE_MAX);
    return smallest;
}

static void a_difference_of_histories_is_reported_by_key_and_name(void **state)
{
    (void)state;
    const struct touching t = {.bodies = 200, .law = "plastic", .walls = true};
    const struct scree_folder folder = scree_folder_make("diff-worlds");
    struct scree_world *world;
    struct scree_engine *engine;
    assert_ok(touching_build(&t, &world));
    assert_ok(touching_engine(&t, &(struct touching_variant){0}, world, &engine));
    assert_ok(scree_engine_run(engine, 40));
    assert_ok(scree_checkpoint_write(world, scree_folder_path(&folder, "a")));
    assert_ok(scree_checkpoint_write(world, scree_folder_path(&folder, "b")));
    assert_int_equal(compare_files(&folder, "a", "b"), SCREE_CLI_OK);
    assert_output_contains(&folder, "equal at step 40");
    struct scree_contacts *contacts = &world->contacts;
    for (int wall = 0; wall < 2; ++wall) {
        const size_t c = smallest_spring(contacts, wall);
        const struct scree_contact_key key =
            wall ? scree_contacts_wall_key(contacts, c) : scree_contacts_key(contacts, c);
        double *spring = wall ? contacts->walls.history + c * contacts->walls.stride
                              : contacts->history + c * contacts->stride;
        const double original = spring[1];
        char expected[160];
        spring[1] = nextafter(original, 1);
        assert_ok(scree_checkpoint_write(world, scree_folder_path(&folder, "b")));
        assert_int_equal(compare_files(&folder, "a", "b"), SCREE_CLI_FAILED);
        snprintf(expected, sizeof expected,
                 "contact_plastic.spring[1] of the contact of body %llu and %s %llu at step 40: ",
                 (unsigned long long)key.low, wall ? "wall" : "body", (unsigned long long)key.high);
        assert_output_contains(&folder, expected);
        spring[1] = original;
        // a contact that only the first checkpoint contains
        if (wall)
            contacts->walls.live[c] = 0;
        else
            contacts->live[c / 8] &= (uint8_t) ~(1u << c % 8);
        assert_ok(scree_checkpoint_write(world, scree_folder_path(&folder, "b")));
        assert_int_equal(compare_files(&folder, "a", "b"), SCREE_CLI_FAILED);
        assert_output_contains(&folder, "is only in the first, at step 40");
        if (wall)
            contacts->walls.live[c] = 1;
        else
            contacts->live[c / 8] |= (uint8_t)(1u << c % 8);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_folder_drop(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_of_histories_is_reported_by_key_and_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
