// A world with an engine that stores its alarms, for tests of alarms.

#ifndef SCREE_TESTS_UNIT_ALARM_RUN_H
#define SCREE_TESTS_UNIT_ALARM_RUN_H

#include "support/worlds.h"

#include <scree/interaction.h>

enum { MAX_RECEIVED = 8 };

struct run {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    struct scree_alarm received[MAX_RECEIVED];
    char text[MAX_RECEIVED][512];
    unsigned count;
};

static inline void store_alarm(void *user, const struct scree_alarm *alarm)
{
    struct run *run = (struct run *)user;
    assert_true(run->count < MAX_RECEIVED);
    run->received[run->count] = *alarm;
    strncpy(run->text[run->count], alarm->text, sizeof run->text[0] - 1);
    ++run->count;
}

static const struct scree_interaction_value spring_values[] = {
    {"friction", 0, NULL}, {"stiffness", 1e5, NULL}, {"damping", 0, NULL}};
static const struct scree_interaction_def springs = {.law = "linear", .values = spring_values, .count = 3};

static inline void create_run(struct run *run)
{
    memset(run, 0, sizeof *run);
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &run->world));
    assert_ok(scree_material_add(run->world, &(struct scree_material_def){"glass", 2500}, &run->material));
    assert_ok(scree_interaction_add(run->world, &springs));
}

static inline void destroy_run(struct run *run)
{
    scree_engine_destroy(run->engine);
    scree_world_destroy(run->world);
}

static inline scree_body_id add_ball(const struct run *run, double radius, double x, double speed)
{
    return scree_test_ball(run->world, run->material, radius, x, speed);
}

static inline void create_engine(struct run *run, double step, const struct scree_alarms *alarms)
{
    struct scree_soft_def def = {.step = step, .threads = 2};
    if (alarms)
        def.alarms = *alarms;
    def.alarms.function = store_alarm;
    def.alarms.user = run;
    assert_ok(scree_soft_create(run->world, &def, &run->engine));
}

// Runs until an alarm, at most `steps` steps in one run, or in runs of one step each. Within a run, bodies
// advance for the next step as soon as forces are known; at its end they do not.
static inline scree_status run_to_alarm(const struct run *run, bool one_step_per_run, uint64_t steps)
{
    scree_status status = SCREE_OK;
    for (uint64_t s = 0; one_step_per_run && s < steps && status == SCREE_OK; ++s)
        status = scree_engine_run(run->engine, 1);
    return one_step_per_run ? status : scree_engine_run(run->engine, steps);
}

// Checks that one alarm ended the run, and that the world is at the end of a step.
static inline const struct scree_alarm *assert_stopped(struct run *run, scree_status status,
                                                       enum scree_alarm_kind kind)
{
    struct scree_body_state body;
    assert_int_equal(status, SCREE_ERROR_NUMBER);
    assert_int_equal(run->count, 1);
    assert_string_equal(scree_status_message(), run->text[0]);
    assert_non_null(strstr(run->text[0], scree_alarm_name(kind)));
    assert_int_equal(run->received[0].kind, kind);
    assert_int_equal(run->received[0].policy, SCREE_ALARM_STOP);
    assert_ok(scree_body_get(run->world, (scree_body_id){1}, &body));
    assert_int_equal(body.velocity_level, SCREE_ON_STEP);
    return &run->received[0];
}

#endif
