// Reports of a run (scree/scene.h): requested columns, results and times, the folder of results, and lists
// of columns, stages and records. Reference: the values in the scene texts.

#include "base/memory.h"

#include <scree/scree.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] =
    "scree: 1\n"
    "materials: {a: {density: 1000}}\n"
    "bodies: [sphere: {radius: 1 cm, at: [0, 0, 0], velocity: [2, 0, 0], material: a}]\n"
    "engine: {soft: {step: 10 us}}\n"
    "run: [{steps: 25}, {for: 0.75 ms}]\n"
    "record: [{table: kept/table.csv, every: 100 us, columns: [time]}]\n";

// Results are written to `root`/b, which the run creates.
struct output {
    char root[64], folder[80], table[128];
    struct scree_scene *scene;
    size_t reports, results;
    double time, first_fraction; // s; completed fraction of the run at the end of the first stage
};

static void make_output(struct output *output)
{
    memset(output, 0, sizeof *output);
    snprintf(output->root, sizeof output->root, "scene-report-%ld", (long)getpid());
    snprintf(output->folder, sizeof output->folder, "%s/b", output->root);
    snprintf(output->table, sizeof output->table, "%s/kept/table.csv", output->folder);
    if (scree_scene_read("elsewhere/scene.yaml", text, strlen(text), NULL, &output->scene) != SCREE_OK)
        fail_msg("%s", scree_status_message());
}

static void remove_output(struct output *output)
{
    char kept[96];
    snprintf(kept, sizeof kept, "%s/kept", output->folder);
    scree_scene_free(output->scene);
    unlink(output->table);
    rmdir(kept);
    rmdir(output->folder);
    assert_true(rmdir(output->root) == 0 || access(output->root, F_OK) != 0);
}

static scree_status on_report(void *user, const struct scree_progress *progress)
{
    struct output *output = (struct output *)user;
    assert_true(progress->values[0] == progress->time);
    assert_true(progress->values[1] == 1);
    output->time = progress->time;
    assert_int_equal(progress->stages, 2);
    // the end of a stage is not the end of the run
    if (progress->stage == 1 && progress->stage_fraction == 1)
        output->first_fraction = progress->fraction;
    assert_true((progress->fraction < 1) == (progress->stage == 1 || progress->stage_fraction < 1));
    assert_true((progress->remaining > 0) == (progress->fraction < 1));
    ++output->reports;
    return SCREE_OK;
}

static void on_result(void *user, const char *kind, const char *path)
{
    struct output *output = (struct output *)user;
    assert_string_equal(kind, "table");
    assert_string_equal(path, output->table);
    ++output->results;
}

static const char *const columns[] = {"time", "bodies"};

static struct scree_run_def run_def(struct output *output)
{
    return (struct scree_run_def){.threads = 1,
                                  .function = on_report,
                                  .result = on_result,
                                  .user = output,
                                  .folder = output->folder,
                                  .columns = columns,
                                  .column_count = 2};
}

static void a_run_reports_columns_results_and_times(void **state)
{
    (void)state;
    struct output output;
    struct scree_profile profile;
    make_output(&output);
    struct scree_run_def def = run_def(&output);
    def.profile = &profile;
    if (scree_scene_run(output.scene, &def, NULL) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    // there is a report at least at the end of each stage
    assert_true(output.reports >= 2 && output.results == 1);
    assert_true(output.time > 0.99e-3 && output.time < 1.01e-3);
    assert_true(output.first_fraction > 0.2499 && output.first_fraction < 0.2501);
    assert_int_equal(access(output.table, R_OK), 0);
    assert_int_equal(profile.steps, 100);
    double sum = 0;
    for (size_t part = 0; part < SCREE_PROFILE_PARTS; ++part)
        sum += profile.seconds[part];
    assert_true(sum > 0 && sum <= profile.total);
    assert_true(profile.seconds[SCREE_PROFILE_RECORDS] > 0 && profile.seconds[SCREE_PROFILE_REPORTS] > 0);
    remove_output(&output);
}

// Time that passes without work of the run is not part of its remaining time. A timer stops the test for 60
// of every 80 ms, as a busy machine would, so the remaining wall-clock time is four times the processor time.
// The test measures processor time itself, between reports; a factor of two covers that the run smooths it.
struct pauses {
    double processor, steps; // at the first report
    size_t reports;
};

static void pause_shortly(int signal)
{
    (void)signal;
    const struct timespec time = {.tv_nsec = 60000000};
    nanosleep(&time, NULL);
}

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static scree_status on_report_with_pauses(void *user, const struct scree_progress *progress)
{
    struct pauses *pauses = (struct pauses *)user;
    const double now = processor_time(), steps = (double)progress->steps;
    if (pauses->reports++ == 0) {
        pauses->processor = now;
        pauses->steps = steps;
    }
    if (pauses->reports < 6)
        return SCREE_OK;
    const double rest = (1e9 - steps) * (now - pauses->processor) / (steps - pauses->steps);
    assert_true(progress->remaining > 0.5 * rest && progress->remaining < 2 * rest);
    return scree_status_fail(SCREE_ERROR_STATE, "seen enough");
}

static void the_remaining_time_is_processor_time(void **state)
{
    (void)state;
    static const char long_text[] = "scree: 1\n"
                                    "materials: {a: {density: 1000}}\n"
                                    "bodies: [sphere: {radius: 1 cm, at: [0, 0, 0], material: a}]\n"
                                    "engine: {soft: {step: 10 us}}\n"
                                    "run: {steps: 1e9}\n";
    const struct sigaction pausing = {.sa_handler = pause_shortly, .sa_flags = SA_RESTART};
    const struct itimerval every = {{0, 80000}, {0, 80000}}, never = {{0, 0}, {0, 0}};
    struct scree_scene *scene;
    struct pauses pauses = {0};
    struct output output;
    make_output(&output);
    const struct scree_run_def def = {
        .threads = 1, .function = on_report_with_pauses, .user = &pauses, .folder = output.folder};
    assert_int_equal(scree_scene_read("busy.yaml", long_text, strlen(long_text), NULL, &scene), SCREE_OK);
    assert_int_equal(sigaction(SIGALRM, &pausing, NULL), 0);
    setitimer(ITIMER_REAL, &every, NULL);
    const scree_status status = scree_scene_run(scene, &def, NULL);
    setitimer(ITIMER_REAL, &never, NULL);
    char checkpoint[128];
    snprintf(checkpoint, sizeof checkpoint, "%s/busy.stopped.chk", output.folder);
    unlink(checkpoint);
    scree_scene_free(scene);
    assert_int_equal(status, SCREE_ERROR_STATE);
    assert_int_equal(pauses.reports, 6);
    remove_output(&output);
}

static void an_unknown_column_is_reported_before_anything_is_written(void **state)
{
    (void)state;
    static const char *const wrong[] = {"kinetik"};
    struct output output;
    make_output(&output);
    struct scree_run_def def = run_def(&output);
    def.columns = wrong;
    def.column_count = 1;
    assert_int_equal(scree_scene_run(output.scene, &def, NULL), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "mean 'kinetic'"));
    def.column_count = 65;
    assert_int_equal(scree_scene_run(output.scene, &def, NULL), SCREE_ERROR_LIMIT);
    assert_int_not_equal(access(output.root, F_OK), 0);
    assert_int_equal(output.results, 0);
    remove_output(&output);
}

static void existing_results_are_kept_and_an_invalid_folder_is_reported(void **state)
{
    (void)state;
    struct output output;
    make_output(&output);
    struct scree_run_def def = run_def(&output);
    assert_int_equal(scree_scene_run(output.scene, &def, NULL), SCREE_OK);
    assert_int_equal(scree_scene_run(output.scene, &def, NULL), SCREE_ERROR_EXISTS);
    assert_int_equal(output.results, 1);
    def.folder = output.table;
    assert_int_equal(scree_scene_run(output.scene, &def, NULL), SCREE_ERROR_IO);
    char other_path[160];
    snprintf(other_path, sizeof other_path, "%s/deeper", output.table);
    def.folder = other_path;
    assert_int_equal(scree_scene_run(output.scene, &def, NULL), SCREE_ERROR_IO);
    snprintf(other_path, sizeof other_path, "'%s' is not a folder", output.table);
    assert_string_equal(scree_status_message(), other_path);
    remove_output(&output);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    const size_t before = scree_memory_live();
    scree_status status = SCREE_ERROR_MEMORY;
    for (uint64_t nth = 1; status != SCREE_OK; ++nth) {
        struct output output;
        make_output(&output);
        const struct scree_run_def def = run_def(&output);
        scree_memory_fail_at(nth);
        status = scree_scene_run(output.scene, &def, NULL);
        scree_memory_fail_at(0);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        remove_output(&output);
        assert_int_equal(scree_memory_live(), before);
    }
}

static void columns_are_listed_with_their_units(void **state)
{
    (void)state;
    struct scree_scene_column column;
    size_t count = 0;
    bool kinetic = false;
    for (; scree_scene_column_at(count, &column); ++count) {
        assert_true(column.name[0] && column.unit && column.about[0]);
        kinetic = kinetic || (strcmp(column.name, "kinetic") == 0 && strcmp(column.unit, "J") == 0);
    }
    assert_true(kinetic);
    assert_false(scree_scene_column_at(count + 7, &column));
}

static void stages_and_records_of_a_scene_can_be_listed(void **state)
{
    (void)state;
    static const char several[] =
        "scree: 1\n"
        "variables: {end: 3 s}\n"
        "run: [{steps: 50}, {for: 2 ms, stop: kinetic < 1 J}, {until: \"${end}\"}]\n"
        "record: [{table: a/b.csv, every: 5 ms}, {table: c.csv, every: 100 steps}]\n";
    struct scree_scene *scene;
    struct scree_scene_stage stage;
    struct scree_scene_record record;
    assert_int_equal(scree_scene_read("text", several, strlen(several), NULL, &scene), SCREE_OK);
    assert_true(scree_scene_stage_at(scene, 0, &stage) && stage.steps == 50 && !stage.may_stop);
    assert_true(scree_scene_stage_at(scene, 1, &stage) && stage.time == 2e-3 && stage.may_stop);
    assert_true(scree_scene_stage_at(scene, 2, &stage) && stage.until == 3 && stage.steps == 0);
    assert_false(scree_scene_stage_at(scene, 3, &stage));
    assert_true(scree_scene_record_at(scene, 0, &record) && record.every == 5e-3 && record.steps == 0);
    assert_string_equal(record.kind, "table");
    assert_string_equal(record.file, "a/b.csv");
    assert_true(scree_scene_record_at(scene, 1, &record) && record.every == 0 && record.steps == 100);
    assert_false(scree_scene_record_at(scene, 2, &record));
    scree_scene_free(scene);
    static const char one[] = "scree: 1\nrun: {steps: 7}\n";
    assert_int_equal(scree_scene_read("text", one, strlen(one), NULL, &scene), SCREE_OK);
    assert_true(scree_scene_stage_at(scene, 0, &stage) && stage.steps == 7);
    assert_false(scree_scene_stage_at(scene, 1, &stage) || scree_scene_record_at(scene, 0, &record));
    scree_scene_free(scene);
    // a scene with mistakes has no listing
    static const char wrong[] = "scree: 1\nrun: {step: 7}\n";
    assert_int_equal(scree_scene_read("text", wrong, strlen(wrong), NULL, &scene), SCREE_ERROR_ARGUMENT);
    assert_false(scree_scene_stage_at(scene, 0, &stage));
    scree_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_reports_columns_results_and_times),
        cmocka_unit_test(the_remaining_time_is_processor_time),
        cmocka_unit_test(an_unknown_column_is_reported_before_anything_is_written),
        cmocka_unit_test(existing_results_are_kept_and_an_invalid_folder_is_reported),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
        cmocka_unit_test(columns_are_listed_with_their_units),
        cmocka_unit_test(stages_and_records_of_a_scene_can_be_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
