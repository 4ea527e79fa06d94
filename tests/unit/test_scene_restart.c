// Runs that go on from a checkpoint: they end as one that never stopped, whichever stage they were in, and
// take what is set otherwise from there on.

#include <scree/scree.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// two beads on a slope, under other laws in each stage; a gate counts what passes
static const char text[] =
    "scree: 1\n"
    "title: Beads\n"
    "variables: {last: 2, more: 40}\n"
    "gravity: [1, 0, -9.81]\n"
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"
    "bodies:\n"
    "  - {sphere: {radius: 5 mm, at: [0, 0, 6 mm], material: glass}, group: first}\n"
    "  - {sphere: {radius: 4 mm, at: [1 mm, 0, 16 mm], material: glass}}\n"
    "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}]\n"
    "run:\n"
    "  - {steps: 100, damping: {local: 0.1}}\n"
    "  - {for: 5 ms, engine: {soft: {step: 20 us}}}\n"
    "  - {until: 20 ms, stop: kinetic < 1e-30 J, damping: {viscous: 10 1/s},\n"
    "     contacts: [{between: [any, any], law: linear, stiffness: 1e4, friction: 0.3, restitution: 0.6}]}\n"
    "  - {steps: \"${more}\", gravity: [0, 0, \"${-9.81 * last}\"]}\n"
    "record:\n"
    "  - {table: kept/table.csv, every: 0.1 ms, columns: [time, kinetic, energy-error,\n"
    "     {measure: flux, through: {disk: {centre: [0, 0, 8 mm], normal: [0, 0, 1], radius: 1 m}}}]}\n"
    "  - {track: kept/track.csv, group: first, every: 7 steps}\n"
    "  - {checkpoint: kept/state.chk, every: 3 ms}\n";

struct place {
    char folder[64], scene[96], table[96], state[96];
};

static void make_place(struct place *place)
{
    static int number;
    snprintf(place->folder, sizeof place->folder, "restart-%ld-%d", (long)getpid(), ++number);
    snprintf(place->scene, sizeof place->scene, "%s/scene.yaml", place->folder);
    snprintf(place->table, sizeof place->table, "%s/kept/table.csv", place->folder);
    snprintf(place->state, sizeof place->state, "%s/kept/state.chk", place->folder);
    assert_int_equal(mkdir(place->folder, 0777), 0);
    FILE *file = fopen(place->scene, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void remove_place(const struct place *place)
{
    static const char *const names[] = {"scene.yaml",     "kept/table.csv",          "kept/track.csv",
                                        "kept/state.chk", "kept/state.chk.previous", "kept"};
    char path[160];
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
        snprintf(path, sizeof path, "%s/%s", place->folder, names[n]);
        (void)remove(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
}

static size_t read_table(const struct place *place, char *all, size_t room)
{
    FILE *file = fopen(place->table, "r");
    assert_non_null(file);
    const size_t length = fread(all, 1, room - 1, file);
    fclose(file);
    all[length] = 0;
    return length;
}

// Ends a run at the first report that is not before a step.
struct ender {
    uint64_t step;
};

static scree_status end_there(void *user, const struct scree_progress *progress)
{
    const struct ender *ender = (const struct ender *)user;
    return progress->steps >= ender->step ? scree_status_fail(SCREE_ERROR_STATE, "enough") : SCREE_OK;
}

// Runs or goes on until a step, or to the end for 0; the digest.
static struct scree_digest go(const struct place *place, bool restart, uint64_t step,
                              const struct scree_scene_def *set, double until)
{
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_digest digest;
    struct ender ender = {step};
    const struct scree_run_def def = {.threads = 1 + (int)(step % 3),
                                      .interval = 1e-9,
                                      .function = step > 0 ? end_there : NULL,
                                      .user = &ender,
                                      .until = until};
    const scree_status read = restart ? scree_scene_restart(place->state, set, &scene)
                                      : scree_scene_load(place->scene, set, &scene);
    if (read != SCREE_OK)
        fail_msg("%s", scree_status_message());
    const scree_status status = scree_scene_run(scene, &def, &world);
    if (status != (step > 0 ? SCREE_ERROR_STATE : SCREE_OK))
        fail_msg("%s", scree_status_message());
    assert_int_equal(scree_world_digest(world, &digest), SCREE_OK);
    scree_world_destroy(world);
    scree_scene_free(scene);
    return digest;
}

static void assert_equal_digests(struct scree_digest a, struct scree_digest b)
{
    assert_true(a.low == b.low && a.high == b.high);
}

static void runs_go_on_from_any_step_of_any_stage(void **state)
{
    (void)state;
    static char whole[1 << 20], other[1 << 20];
    struct place place;
    make_place(&place);
    const struct scree_digest expected = go(&place, false, 0, NULL, 0);
    assert_true(read_table(&place, whole, sizeof whole) > 5000);
    remove_place(&place);
    static const uint64_t steps[] = {1, 50, 99, 100, 101, 200, 349, 350, 351, 500, 700};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; ++k) {
        make_place(&place);
        (void)go(&place, false, steps[k], NULL, 0);
        (void)go(&place, true, steps[k] + 31, NULL, 0);
        assert_equal_digests(expected, go(&place, true, 0, NULL, 0));
        read_table(&place, other, sizeof other);
        assert_string_equal(whole, other);
        // one that is over has nothing more to do
        assert_equal_digests(expected, go(&place, true, 0, NULL, 0));
        remove_place(&place);
    }
}

static void what_is_set_otherwise_counts_from_there_on(void **state)
{
    (void)state;
    const struct scree_scene_variable heavier[] = {{"last", "3"}}, longer[] = {{"more", "60"}};
    const struct scree_scene_def set = {heavier, 1}, grown = {longer, 1};
    struct place place;
    make_place(&place);
    const struct scree_digest expected = go(&place, false, 0, &set, 0);
    remove_place(&place);
    make_place(&place);
    (void)go(&place, false, 300, NULL, 0);
    assert_equal_digests(expected, go(&place, true, 0, &set, 0));
    remove_place(&place);
    // the last stage had 40 steps and gets 60
    make_place(&place);
    const struct scree_digest more = go(&place, false, 0, &grown, 0);
    remove_place(&place);
    make_place(&place);
    (void)go(&place, false, 0, NULL, 0);
    assert_equal_digests(more, go(&place, true, 0, &grown, 0));
    remove_place(&place);
}

static void a_run_that_is_over_goes_on_until_later(void **state)
{
    (void)state;
    struct place place;
    make_place(&place);
    const struct scree_digest expected = go(&place, false, 0, NULL, 25e-3);
    remove_place(&place);
    make_place(&place);
    (void)go(&place, false, 0, NULL, 0);
    assert_equal_digests(expected, go(&place, true, 0, NULL, 25e-3));
    remove_place(&place);
    // and one that was ended in an earlier stage
    make_place(&place);
    (void)go(&place, false, 0, NULL, 3e-3);
    (void)go(&place, true, 0, NULL, 4e-3);
    assert_equal_digests(expected, go(&place, true, 0, NULL, 25e-3));
    struct scree_scene *scene;
    struct scree_world *world;
    assert_int_equal(scree_scene_restart(place.state, NULL, &scene), SCREE_OK);
    assert_int_equal(scree_scene_run(scene, &(struct scree_run_def){.until = 20e-3}, &world),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "it can go on until later, not until 0.02 s"));
    scree_world_destroy(world);
    scree_scene_free(scene);
    remove_place(&place);
}

static void mistakes_in_what_is_set_are_told(void **state)
{
    (void)state;
    const struct scree_scene_variable wrong[] = {{"lats", "3"}};
    struct scree_scene *scene;
    struct place place;
    make_place(&place);
    (void)go(&place, false, 0, NULL, 0);
    assert_int_equal(scree_scene_restart(place.state, &(struct scree_scene_def){wrong, 1}, &scene),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_scene_mistakes(scene), "did you mean 'last'?"));
    scree_scene_free(scene);
    remove_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_go_on_from_any_step_of_any_stage),
        cmocka_unit_test(what_is_set_otherwise_counts_from_there_on),
        cmocka_unit_test(a_run_that_is_over_goes_on_until_later),
        cmocka_unit_test(mistakes_in_what_is_set_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
