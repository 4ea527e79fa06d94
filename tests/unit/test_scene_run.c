// Runs of scenes (run/run.c): stages in order, records at the first step that is not before their time,
// reports that change nothing. References: step counts, closed forms of free fall and damping, digests.

#include "base/memory.h"
#include "support/folder.h"
#include "support/trial.h"

#include <scree/scree.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#define BEAD(engine, run)                                                                                    \
    "scree: 1\n"                                                                                             \
    "gravity: [0, 0, -9.81]\n"                                                                               \
    "materials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"                                    \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"               \
    "bodies: [sphere: {radius: 5 mm, at: [0, 0, 1 cm], material: glass}]\n"                                  \
    "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}]\n" engine run

#define FIXED "engine: {soft: {step: 10 us}}\n"

// A scene in a temporary folder, and the world after its run.
struct run {
    struct scree_folder folder;
    struct scree_scene *scene;
    struct scree_world *world;
};

static void begin_run(struct run *run, const char *text)
{
    *run = (struct run){.folder = scree_folder_make("scene-run")};
    scree_folder_write(&run->folder, "scene.yaml", text);
    const struct scree_trial trial = scree_trial_load(scree_folder_path(&run->folder, "scene.yaml"));
    scree_trial_assert_ok(&trial);
    run->scene = trial.scene;
}

static void end_run(struct run *run)
{
    scree_world_destroy(run->world);
    scree_scene_free(run->scene);
    // a run that is ended early writes scene.stopped.chk
    scree_folder_end(&run->folder, "kept/table.csv kept/c.chk kept/c.chk.previous kept scene.stopped.chk "
                                   "scene.stopped.chk.previous scene.yaml");
    *run = (struct run){.world = NULL};
}

static void stages_run_in_order(void **state)
{
    (void)state;
    struct run run;
    begin_run(&run, BEAD(FIXED, "run: [{steps: 30}, {for: 1 ms}, {until: 5 ms}, {steps: 0}]\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_OK);
    assert_int_equal(scree_world_steps(run.world), 500);
    end_run(&run);
}

static void stages_change_the_world_and_stop_by_measurements(void **state)
{
    (void)state;
    struct run run;
    struct scree_body_state body;
    begin_run(&run, BEAD(FIXED, "run:\n"
                                "  - {until: 1 s, stop: time > 5 ms}\n"
                                "  - {steps: 88, gravity: [0, 0, 0]}\n"
                                "  - {for: 0.5 s, contacts: [{between: [any, any], law: none}]}\n"
                                "  - {until: 10 s, stop: kinetic < 1 nJ, damping: {viscous: 100 1/s}}\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_OK);
    assert_int_equal(scree_body_get(run.world, (scree_body_id){1}, &body), SCREE_OK);
    // conditions are evaluated every 64 steps: the ball fell for 512 steps, then through the floor, and came
    // to rest in far less than 10 s
    const double speed = 9.81 * 512e-5, mass = 2500 * 4.0 / 3 * 3.14159265358979323846 * 1.25e-7;
    assert_true(body.position[2] < 0.01 - 0.5 * speed);
    assert_true(0.5 * mass * body.velocity[2] * body.velocity[2] < 1e-9);
    assert_int_equal(scree_world_steps(run.world) % 64, 0);
    // the speed is multiplied by exp(-100 t)
    const double time_to_stop = log(speed / sqrt(2e-9 / mass)) / 100;
    assert_true(fabs(scree_world_time(run.world) - 0.506 - time_to_stop) < 64e-5 + 1e-3 * time_to_stop);
    end_run(&run);
}

static void a_requested_end_overrides_the_stages(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        double until;
        uint64_t steps;
    } rows[] = {
        {"run: [{until: 4 ms}, {until: 8 ms}]\n", 2e-3, 200},
        {"run: [{until: 4 ms}, {until: 8 ms}]\n", 4e-3, 400},
        {"run: [{until: 4 ms}, {until: 8 ms}]\n", 6e-3, 600},
        {"run: [{until: 4 ms}, {until: 8 ms}]\n", 9e-3, 900},
        {"run: [{steps: 400}, {steps: 100}, {until: 8 ms}]\n", 3e-3, 300},
        {"run: {steps: 400}\n", 5e-3, 500},
        // the condition of the last stage ends it at the next multiple of 64 steps
        {"run: [{until: 1 ms}, {until: 8 ms, stop: time > 3 ms}]\n", 9e-3, 320},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct run run;
        char text[1000];
        snprintf(text, sizeof text, BEAD(FIXED, "%s"), rows[r].run);
        begin_run(&run, text);
        const struct scree_run_def def = {.until = rows[r].until};
        assert_int_equal(scree_scene_run(run.scene, &def, &run.world), SCREE_OK);
        assert_int_equal(scree_world_steps(run.world), rows[r].steps);
        end_run(&run);
    }
}

static void spheres_are_read_from_a_file_beside_the_scene(void **state)
{
    (void)state;
    struct run run;
    struct scree_body_state body;
    begin_run(
        &run,
        "scree: 1\nmaterials: {glass: {density: 2500}}\nbodies: [read: {file: grains.csv, material: glass}]\n"
        "engine: {soft: {step: 1 ms}}\nrun: {steps: 1}\n");
    scree_folder_write(&run.folder, "grains.csv",
                       "# three\nx,y,z,radius\n0, 0, 0, 0.5\n\n1.5;0;0;0.25;1;2;3\n-3 0 0 1e-1\r\n");
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_OK);
    assert_int_equal(scree_body_count(run.world), 3);
    assert_int_equal(scree_body_get(run.world, (scree_body_id){2}, &body), SCREE_OK);
    assert_true(body.radius == 0.25 && body.velocity[2] == 3);
    scree_world_destroy(run.world);
    scree_folder_write(&run.folder, "grains.csv", "0 0 0 0.5\n0 0 0.5\n0 0 0 -1\n0 0 0 1 x\n");
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_ERROR_ARGUMENT);
    const char *message = scree_scene_diagnostics(run.scene);
    assert_non_null(strstr(message, "grains.csv:2:1: a row must have 4 numbers"));
    assert_non_null(strstr(message, "grains.csv:3:7: 'radius' must not be negative"));
    assert_non_null(strstr(message, "grains.csv:4:9: a number was expected"));
    unlink(scree_folder_path(&run.folder, "grains.csv"));
    end_run(&run);
}

static void intervals_of_records_may_be_given_in_steps(void **state)
{
    (void)state;
    struct run run;
    begin_run(&run,
              BEAD(FIXED, "variables: {n: 25}\nrun: [{steps: 30}, {for: 1 ms}]\n"
                          "record: [{table: kept/table.csv, every: '${n} steps', columns: [steps]}]\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_OK);
    char *table = scree_folder_read(&run.folder, "kept/table.csv", NULL);
    assert_string_equal(table, "steps\n0\n25\n50\n75\n100\n125\n");
    free(table);
    end_run(&run);
    static const char *const wrong[] = {"0 steps", "1.5 steps", "-3 steps", "3 paces", "steps"};
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; ++w)
        scree_trial_assert_text_refused(SCREE_TRIAL_READ, "'every'",
                                        "%srecord: [{table: a.csv, every: %s}]\n",
                                        BEAD(FIXED, "run: {steps: 1}\n"), wrong[w]);
}

static void mistakes_in_stages_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"run: {steps: 1, stop: kinetc < 1 nJ}\n", "there is no column 'kinetc': did you mean 'kinetic'?"},
        {"run: {steps: 1, stop: kinetic < 1 m}\n", "'stop' must be in J, but this is in m"},
        {"run: {steps: 1, stop: kinetic}\n", "'stop' must be a comparison, as in `stop: kinetic < 1 nJ`"},
        {"run: {steps: 1, contacts: [{between: [any, any], law: hertz, frition: 1}]}\n",
         "has no key 'frition'"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_READ, rows[r][1], "%s%s", BEAD(FIXED, ""), rows[r][0]);
    struct run run;
    begin_run(&run, BEAD(FIXED, "run: [{steps: 1}, {steps: 1, contacts: [{between: [any, any], law: linear, "
                                "friction: 1, restitution: 1}]}]\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_scene_diagnostics(run.scene), "stiffness"));
    end_run(&run);
}

static void stages_change_materials_and_the_step_like_calls_of_functions(void **state)
{
    (void)state;
    static const char *const text = BEAD(
        "", "run: [{steps: 100}, {steps: 400, materials: {glass: {young: 5 MPa}}, engine: {soft: {safety: "
            "0.1}}}, {steps: 100, engine: {soft: {step: 1 us}}}]\n");
    struct run run;
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_digest digest[2];
    begin_run(&run, text);
    if (scree_scene_run(run.scene, NULL, &run.world) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    assert_int_equal(scree_world_digest(run.world, &digest[0]), SCREE_OK);
    assert_int_equal(scree_scene_build(run.scene, 1, &world, &engine), SCREE_OK);
    scree_material_id glass;
    assert_int_equal(scree_material_find(world, "glass", &glass), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, 0), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, 100), SCREE_OK);
    assert_int_equal(scree_material_set(world, glass, "young", 5e6), SCREE_OK);
    double before, after;
    assert_int_equal(scree_engine_set_step(engine, 0), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, 0), SCREE_OK);
    assert_int_equal(scree_engine_step(engine, &before), SCREE_OK);
    assert_int_equal(scree_soft_set_safety(engine, 0.1), SCREE_OK);
    assert_int_equal(scree_engine_set_step(engine, 0), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, 0), SCREE_OK);
    assert_int_equal(scree_engine_step(engine, &after), SCREE_OK);
    // half of the default safety factor is half of the step
    assert_true(fabs(after / before - 0.5) < 0.05);
    assert_int_equal(scree_engine_run(engine, 400), SCREE_OK);
    assert_int_equal(scree_engine_set_step(engine, 1e-6), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, 100), SCREE_OK);
    assert_int_equal(scree_world_digest(world, &digest[1]), SCREE_OK);
    assert_true(digest[0].high == digest[1].high && digest[0].low == digest[1].low);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    end_run(&run);
}

static void store_warning(void *user, const char *text)
{
    if (!strstr(text, "has no 'record'"))
        snprintf((char *)user, 400, "%s", text);
}

// Balls with radii of 5 mm and 1 mm; the small one is in a group.
#define PAIR(more)                                                                                           \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500}}\n"                                                                  \
    "contacts: [{between: [any, any], law: linear, stiffness: 1 kN/m, restitution: 1, friction: 0}]\n"       \
    "bodies:\n"                                                                                              \
    "  - sphere: {radius: 5 mm, at: [0, 0, 1 cm], material: glass}\n"                                        \
    "  - {sphere: {radius: 1 mm, at: [0, 0, 5 cm], material: glass}, group: small}\n"                        \
    "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}]\n" more

// A step of 10 us is stable for both balls, one of 0.2 ms for the larger one only.
static void a_step_that_is_unstable_in_a_later_stage_is_reported_before_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *text, *mistake, *warning;
    } rows[] = {
        {PAIR(FIXED "run: [{steps: 1}, {steps: 1, engine: {soft: {step: 0.2 ms}}}]\n"),
         "the time step of 0.0002 s exceeds the critical time step of", NULL},
        {PAIR(FIXED "run: [{steps: 1}, {steps: 1, contacts: [{between: [any, any], law: linear, stiffness: "
                    "1 MN/m, restitution: 1, friction: 0}]}]\n"),
         "the time step of 1e-05 s exceeds the critical time step of", NULL},
        {PAIR(FIXED "alarms: {step: {policy: warn}}\nrun: [{steps: 1}, {steps: 1, engine: {soft: {step: "
                    "0.2 ms}}}]\n"),
         NULL, "in stage 2 the time step of 0.0002 s exceeds"},
        {PAIR(FIXED "alarms: {step: {policy: ignore}}\nrun: [{steps: 1}, {steps: 1, engine: {soft: {step: "
                    "0.2 ms}}}]\n"),
         NULL, NULL},
        // the small ball has been deleted, or is fixed
        {PAIR(FIXED "run: [{steps: 1}, {steps: 1, bodies: [{group: small, remove: true}], engine: {soft: "
                    "{step: 0.2 ms}}}]\n"),
         NULL, "in stage 2"},
        {PAIR(FIXED "run: [{steps: 1}, {steps: 1, bodies: [{group: small, fixed: [x, y, z, spin-x, spin-y, "
                    "spin-z]}], engine: {soft: {step: 0.2 ms}}}]\n"),
         NULL, "in stage 2"},
        {PAIR(FIXED "remove: [{group: small, at: 0}]\nrun: [{steps: 1}, {steps: 1, engine: {soft: {step: "
                    "0.2 ms}}}]\n"),
         NULL, "in stage 2"},
        // a step that is given again, shorter, or automatic
        {PAIR(FIXED "run: [{steps: 1}, {steps: 1, engine: {soft: {step: 10 us}}}]\n"), NULL, NULL},
        {PAIR("run: [{steps: 1}, {steps: 1, engine: {soft: {safety: 0.2}}}]\n"), NULL, NULL},
        // a small body that is inserted later
        {PAIR(FIXED
              "insert: [{shape: {sphere: {radius: 0.1 mm}}, material: glass, from: 1 s, inside: {box: [[0, "
              "0, 1], [1, 1, 2]]}, rate: {bodies: 1 1/s}}]\nrun: {steps: 1}\n"),
         NULL, "the time step of 1e-05 s exceeds"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct run run;
        char warning[400] = "";
        const struct scree_run_def def = {.threads = 1, .warn = store_warning, .user = warning};
        begin_run(&run, rows[r].text);
        const scree_status status = scree_scene_run(run.scene, &def, NULL);
        if (status != (rows[r].mistake ? SCREE_ERROR_ARGUMENT : SCREE_OK) ||
            (rows[r].mistake && !strstr(scree_scene_diagnostics(run.scene), rows[r].mistake)) ||
            (rows[r].warning ? !strstr(warning, rows[r].warning) : warning[0] != 0))
            fail_msg("%s\ngives '%s' and warns '%s'", rows[r].text, scree_status_message(), warning);
        end_run(&run);
    }
}

static void count_alarm(void *user, const struct scree_alarm *alarm)
{
    assert_true(alarm->kind == SCREE_ALARM_OVERLAP && alarm->policy == SCREE_ALARM_WARN);
    assert_true(alarm->limit == 1e-6);
    ++*(int *)user;
}

static void alarms_have_the_settings_of_the_scene(void **state)
{
    (void)state;
    struct run run;
    int alarms = 0;
    const struct scree_run_def def = {.interval = 1e-9, .alarm = count_alarm, .user = &alarms};
    begin_run(&run, BEAD(FIXED, "run: {for: 60 ms}\nalarms: {overlap: {limit: 1e-4 %, policy: warn}}\n"));
    assert_int_equal(scree_scene_run(run.scene, &def, &run.world), SCREE_OK);
    // the ball hits the floor in that time, and overlaps for many steps
    assert_int_equal(alarms, 1);
    end_run(&run);
    begin_run(&run, BEAD(FIXED, "run: {for: 60 ms}\nalarms: {overlap: {limit: 1e-4 %}}\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_ERROR_NUMBER);
    end_run(&run);
    begin_run(
        &run,
        BEAD(FIXED,
             "run: {for: 60 ms}\nalarms: {overlap: {limit: 1e-4 %, policy: ignore}, displacement: {limit: "
             "1e-9}}\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_ERROR_NUMBER);
    assert_non_null(strstr(scree_status_message(), "'displacement'"));
    end_run(&run);
    begin_run(&run, BEAD(FIXED, "run: {for: 60 ms}\nalarms: {energy: {limit: 1e-18, policy: stop}}\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_ERROR_NUMBER);
    assert_non_null(strstr(scree_status_message(), "'energy'"));
    end_run(&run);
}

// Reads the header and the two columns of the table.
static size_t read_table(const struct run *run, char *header, size_t size, double (*row)[2], size_t capacity)
{
    FILE *file = fopen(scree_folder_path(&run->folder, "kept/table.csv"), "r");
    size_t rows = 0;
    assert_non_null(file);
    assert_non_null(fgets(header, (int)size, file));
    while (rows < capacity && fscanf(file, "%lf,%lf", &row[rows][0], &row[rows][1]) == 2)
        ++rows;
    fclose(file);
    return rows;
}

static void a_table_has_a_row_at_the_first_step_that_is_not_before_its_time(void **state)
{
    (void)state;
    struct run run;
    char header[100];
    double row[100][2];
    begin_run(&run,
              BEAD(FIXED, "run: [{until: 1.234 ms}, {until: 3.2 ms}]\n"
                          "record: [{table: kept/table.csv, every: 0.317 ms, columns: [time, kinetic]}]\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_OK);
    const size_t rows = read_table(&run, header, sizeof header, row, 100);
    assert_string_equal(header, "time [s],kinetic [J]\n");
    assert_int_equal(rows, 11);
    const double mass = 2500 * 4.0 / 3 * 3.14159265358979323846 * 1.25e-7;
    for (size_t k = 0; k < rows; ++k) {
        const double due = 0.317e-3 * (double)k, v = 9.81 * row[k][0];
        assert_true(row[k][0] >= due && row[k][0] < due + 1e-5);
        // free fall is exact up to rounding
        assert_true(fabs(row[k][1] - 0.5 * mass * v * v) <= 1e-12 * mass * v * v);
    }
    end_run(&run);
}

static void records_may_be_written_in_some_stages_only(void **state)
{
    (void)state;
    struct run run;
    char header[100];
    double row[40][2];
    begin_run(&run,
              BEAD(FIXED, "run: [{until: 2 ms}, {until: 5 ms}, {until: 7 ms}]\n"
                          "record: [{table: kept/table.csv, every: 1 ms, stages: [1, 3], columns: [time, "
                          "kinetic]}]\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_OK);
    // the time between two stages belongs to the first
    assert_int_equal(read_table(&run, header, sizeof header, row, 40), 5);
    static const double times[] = {0, 1e-3, 2e-3, 6e-3, 7e-3};
    for (size_t r = 0; r < 5; ++r)
        assert_true(fabs(row[r][0] - times[r]) < 1.01e-5);
    end_run(&run);
}

static void existing_files_are_overwritten_only_with_force(void **state)
{
    (void)state;
    struct run run;
    struct scree_world *world;
    const struct scree_run_def force = {.force = true};
    begin_run(&run, BEAD(FIXED, "run: {steps: 10}\nrecord: [{table: kept/table.csv, every: 1 ms}]\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_scene_run(run.scene, NULL, &world), SCREE_ERROR_EXISTS);
    assert_non_null(strstr(scree_status_message(), "already exists"));
    scree_world_destroy(world);
    assert_int_equal(scree_scene_run(run.scene, &force, NULL), SCREE_OK);
    end_run(&run);
}

static void tables_do_not_depend_on_the_interval_of_reports(void **state)
{
    (void)state;
    static const double intervals[] = {1e-9, 1e-4, 1e-3, 10};
    char *expected = NULL;
    for (size_t k = 0; k < sizeof intervals / sizeof intervals[0]; ++k) {
        struct run run;
        const struct scree_run_def def = {.interval = intervals[k]};
        begin_run(&run, BEAD("", "run: {until: 1 s}\nrecord: [{table: kept/table.csv, every: 3 ms}]\n"));
        assert_int_equal(scree_scene_run(run.scene, &def, NULL), SCREE_OK);
        char *text = scree_folder_read(&run.folder, "kept/table.csv", NULL);
        end_run(&run);
        if (k == 0)
            expected = text;
        assert_string_equal(text, expected);
        if (k > 0)
            free(text);
    }
    assert_true(strlen(expected) > 5000);
    free(expected);
}

struct observer {
    size_t reports, stop_at;
    double last;
};

static scree_status observe(void *user, const struct scree_progress *progress)
{
    struct observer *observer = (struct observer *)user;
    assert_true(progress->time >= observer->last && progress->fraction >= 0 && progress->fraction <= 1);
    assert_true(progress->stage == 1 && progress->stages == 1 && progress->bodies == 1);
    observer->last = progress->time;
    return ++observer->reports == observer->stop_at ? scree_status_fail(SCREE_ERROR_STATE, "enough")
                                                    : SCREE_OK;
}

static void reports_and_records_change_nothing(void **state)
{
    (void)state;
    struct run run;
    struct scree_digest expected, digest;
    struct observer observer = {0};
    const struct scree_run_def def = {.interval = 1e-9, .function = observe, .user = &observer};
    begin_run(&run, BEAD(FIXED, "run: {until: 100 ms}\n"));
    assert_int_equal(scree_scene_run(run.scene, NULL, &run.world), SCREE_OK);
    assert_int_equal(scree_world_digest(run.world, &expected), SCREE_OK);
    end_run(&run);
    begin_run(&run, BEAD(FIXED, "run: {until: 100 ms}\nrecord: [{table: kept/table.csv, every: 0.1 ms}]\n"));
    assert_int_equal(scree_scene_run(run.scene, &def, &run.world), SCREE_OK);
    assert_int_equal(scree_world_digest(run.world, &digest), SCREE_OK);
    assert_true(digest.low == expected.low && digest.high == expected.high);
    assert_true(observer.reports > 1);
    end_run(&run);
}

static void a_run_ends_when_its_observer_requests_it(void **state)
{
    (void)state;
    struct run run;
    struct observer observer = {.stop_at = 3};
    const struct scree_run_def def = {.interval = 1e-9, .function = observe, .user = &observer};
    const size_t live = scree_memory_live();
    begin_run(&run, BEAD(FIXED, "run: {until: 1e6 s}\nrecord: [{table: kept/table.csv, every: 0.1 ms}]\n"));
    assert_int_equal(scree_scene_run(run.scene, &def, &run.world), SCREE_ERROR_STATE);
    assert_string_equal(scree_status_message(), "enough");
    assert_true(observer.reports == 3 && scree_world_time(run.world) < 1e6);
    end_run(&run);
    assert_int_equal(scree_memory_live(), live);
}

// Scenes in one folder have different checkpoints.
static void a_cancelled_run_writes_a_checkpoint_named_after_its_scene(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"run.a.yaml", "run.a.stopped.chk"},
                                           {"run.b.yaml", "run.b.stopped.chk"},
                                           {"run", "run.stopped.chk"},
                                           {".yaml", ".yaml.stopped.chk"}};
    const char *text = BEAD(FIXED, "run: {until: 1e6 s}\n");
    struct run run;
    begin_run(&run, text);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
        struct observer observer = {.stop_at = 3};
        const struct scree_run_def def = {.interval = 1e-9, .function = observe, .user = &observer};
        struct scree_scene *scene;
        const char *name = scree_folder_path(&run.folder, names[n][0]);
        assert_int_equal(scree_scene_read(name, text, strlen(text), NULL, &scene), SCREE_OK);
        assert_int_equal(scree_scene_run(scene, &def, NULL), SCREE_ERROR_STATE);
        scree_scene_free(scene);
        if (unlink(scree_folder_path(&run.folder, names[n][1])) != 0)
            fail_msg("the run of %s did not write %s", names[n][0], names[n][1]);
    }
    end_run(&run);
}

// The files that a run reports.
struct results {
    struct observer observer; // first, because `observe` gets a pointer to the results
    const char *stop_file;    // end the run, and limit the size of files, when this file exists; or null
    char checkpoint[200];
};

static void store_checkpoint(void *user, const char *kind, const char *path)
{
    struct results *results = (struct results *)user;
    if (strcmp(kind, "checkpoint") == 0)
        snprintf(results->checkpoint, sizeof results->checkpoint, "%s", path);
}

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static scree_status observe_and_limit_files(void *user, const struct scree_progress *progress)
{
    const struct results *results = (const struct results *)user;
    if (!results->stop_file)
        return observe(user, progress);
    // the checkpoints of the first stage have been written
    if (progress->steps < 3 || access(results->stop_file, F_OK) != 0)
        return SCREE_OK;
    limit_file_size(5000);
    return scree_status_fail(SCREE_ERROR_STATE, "enough");
}

// The run ends by its observer, at its end, or by an alarm, and files are limited to 5000 bytes.
static void a_checkpoint_that_cannot_be_written_is_not_reported_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool stops, second_stage;
        scree_status status;
        const char *message, *checkpoint;
    } rows[] = {
        {BEAD(FIXED, "run: {until: 1e6 s}\n"), true, false, SCREE_ERROR_IO,
         "enough; its checkpoint could not be", ""},
        {BEAD(FIXED, "run: {until: 1e6 s}\nrecord: [{checkpoint: kept/c.chk, every: 1e5 s}]\n"), true, false,
         SCREE_ERROR_IO, "enough; its checkpoint could not be written: ", ""},
        {BEAD(FIXED, "run: [{steps: 2}, {until: 1e6 s}]\n"
                     "record: [{checkpoint: kept/c.chk, every: 2 steps, stages: [1]}]\n"),
         true, true, SCREE_ERROR_IO, "enough; its checkpoint could not be written: ", "kept/c.chk"},
        {BEAD(FIXED, "run: {steps: 9}\nrecord: [{checkpoint: kept/c.chk, every: 1 s}]\n"), false, false,
         SCREE_ERROR_IO, "cannot write", ""},
        {BEAD(FIXED, "run: {for: 60 ms}\nalarms: {overlap: {limit: 1e-4 %}}\n"), false, false,
         SCREE_ERROR_NUMBER, "; its checkpoint could not be written: ", ""},
    };
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct results results = {.observer = {.stop_at = rows[r].stops ? 3 : 0}};
        const struct scree_run_def def = {.interval = 1e-9,
                                          .function = rows[r].stops ? observe_and_limit_files : NULL,
                                          .result = store_checkpoint,
                                          .user = &results};
        struct run run;
        begin_run(&run, rows[r].text);
        results.stop_file = rows[r].second_stage ? scree_folder_path(&run.folder, "kept/c.chk") : NULL;
        limit_file_size(rows[r].second_stage ? RLIM_INFINITY : 5000);
        assert_int_equal(scree_scene_run(run.scene, &def, &run.world), rows[r].status);
        limit_file_size(RLIM_INFINITY);
        if (!strstr(scree_status_message(), rows[r].message) ||
            !strstr(scree_status_message(), strerror(EFBIG)))
            fail_msg("row %zu: %s", r, scree_status_message());
        const size_t length = strlen(results.checkpoint), expected = strlen(rows[r].checkpoint);
        if ((length > 0) != (expected > 0) || length < expected)
            fail_msg("row %zu: reported '%s', %s", r, results.checkpoint, scree_status_message());
        assert_string_equal(results.checkpoint + length - expected, rows[r].checkpoint);
        end_run(&run);
    }
    signal(SIGXFSZ, handler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_run_in_order),
        cmocka_unit_test(stages_change_the_world_and_stop_by_measurements),
        cmocka_unit_test(a_requested_end_overrides_the_stages),
        cmocka_unit_test(spheres_are_read_from_a_file_beside_the_scene),
        cmocka_unit_test(intervals_of_records_may_be_given_in_steps),
        cmocka_unit_test(mistakes_in_stages_are_reported),
        cmocka_unit_test(a_step_that_is_unstable_in_a_later_stage_is_reported_before_the_run),
        cmocka_unit_test(stages_change_materials_and_the_step_like_calls_of_functions),
        cmocka_unit_test(alarms_have_the_settings_of_the_scene),
        cmocka_unit_test(records_may_be_written_in_some_stages_only),
        cmocka_unit_test(a_table_has_a_row_at_the_first_step_that_is_not_before_its_time),
        cmocka_unit_test(existing_files_are_overwritten_only_with_force),
        cmocka_unit_test(tables_do_not_depend_on_the_interval_of_reports),
        cmocka_unit_test(reports_and_records_change_nothing),
        cmocka_unit_test(a_run_ends_when_its_observer_requests_it),
        cmocka_unit_test(a_cancelled_run_writes_a_checkpoint_named_after_its_scene),
        cmocka_unit_test(a_checkpoint_that_cannot_be_written_is_not_reported_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
