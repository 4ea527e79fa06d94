// Scenes in tests, see trial.h.

#include "support/trial.h"

#include "base/memory.h"
#include "support/starve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct scree_trial scree_trial_read(const char *path, const char *text)
{
    struct scree_trial trial = {0};
    trial.status = scree_scene_read(path, text, strlen(text), NULL, &trial.scene);
    return trial;
}

struct scree_trial scree_trial_load(const char *path)
{
    struct scree_trial trial = {0};
    trial.status = scree_scene_load(path, NULL, &trial.scene);
    return trial;
}

struct scree_trial scree_trial_restart(const char *checkpoint)
{
    struct scree_trial trial = {0};
    trial.status = scree_scene_restart(checkpoint, NULL, &trial.scene);
    return trial;
}

scree_status scree_trial_build(struct scree_trial *trial)
{
    if (trial->status == SCREE_OK)
        trial->status = scree_scene_build(trial->scene, 1, &trial->world, &trial->engine);
    return trial->status;
}

scree_status scree_trial_run(struct scree_trial *trial, const struct scree_run_def *def)
{
    if (trial->status == SCREE_OK)
        trial->status = scree_scene_run(trial->scene, def, &trial->world);
    return trial->status;
}

void scree_trial_free(struct scree_trial *trial)
{
    scree_engine_destroy(trial->engine);
    scree_world_destroy(trial->world);
    scree_scene_free(trial->scene);
    *trial = (struct scree_trial){.status = trial->status};
}

struct printed_text {
    char *text;
    size_t length;
};

static void append_text(void *user, const char *piece)
{
    struct printed_text *printed_text = (struct printed_text *)user;
    const size_t more = strlen(piece);
    printed_text->text = (char *)realloc(printed_text->text, printed_text->length + more + 1);
    assert_non_null(printed_text->text);
    memcpy(printed_text->text + printed_text->length, piece, more + 1);
    printed_text->length += more;
}

scree_status scree_trial_print(const struct scree_trial *trial, char **text)
{
    struct printed_text printed_text = {0};
    const scree_status status = scree_scene_print(trial->scene, append_text, &printed_text);
    *text = printed_text.text;
    return status;
}

const char *scree_trial_message(const struct scree_trial *trial)
{
    if (trial->status == SCREE_OK)
        return "";
    const char *mistakes = trial->scene ? scree_scene_diagnostics(trial->scene) : NULL;
    return mistakes ? mistakes : scree_status_message();
}

void scree_trial_assert_ok(const struct scree_trial *trial)
{
    if (trial->status != SCREE_OK)
        fail_msg("%s: %s", scree_status_name(trial->status), scree_trial_message(trial));
}

void scree_trial_assert_refused(const struct scree_trial *trial, const char *message)
{
    const char *mistakes = trial->scene ? scree_scene_diagnostics(trial->scene) : NULL;
    if (trial->status != SCREE_ERROR_ARGUMENT || !mistakes || !strstr(mistakes, message))
        fail_msg("expected '%s', got %s: %s", message, scree_status_name(trial->status),
                 mistakes ? mistakes : "no mistake");
}

struct scree_world *scree_trial_take_world(struct scree_trial *trial)
{
    struct scree_world *world = trial->world;
    scree_trial_assert_ok(trial);
    trial->world = NULL;
    scree_trial_free(trial);
    return world;
}

struct scree_world *scree_trial_build_text(const char *text)
{
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    (void)scree_trial_build(&trial);
    return scree_trial_take_world(&trial);
}

struct scree_world *scree_trial_run_text(const char *text, const struct scree_run_def *def)
{
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    (void)scree_trial_run(&trial, def);
    return scree_trial_take_world(&trial);
}

struct scree_digest scree_trial_digest(const char *scene, const char *checkpoint)
{
    const struct scree_run_def def = {.force = !checkpoint, .threads = 1};
    struct scree_trial trial = checkpoint ? scree_trial_restart(checkpoint) : scree_trial_load(scene);
    struct scree_digest digest;
    (void)scree_trial_run(&trial, &def);
    scree_trial_assert_ok(&trial);
    assert_int_equal(scree_world_digest(trial.world, &digest), SCREE_OK);
    scree_trial_free(&trial);
    return digest;
}

static struct scree_trial enter_stages(enum scree_trial_depth depth, const char *text,
                                       const struct scree_run_def *def)
{
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    if (depth == SCREE_TRIAL_BUILD)
        (void)scree_trial_build(&trial);
    if (depth == SCREE_TRIAL_RUN)
        (void)scree_trial_run(&trial, def);
    return trial;
}

void scree_trial_assert_text_refused(enum scree_trial_depth depth, const char *message, const char *format,
                                     ...)
{
    static char text[8000];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof text);
    const size_t live = scree_memory_live();
    struct scree_trial trial = enter_stages(depth, text, NULL);
    scree_trial_assert_refused(&trial, message);
    scree_trial_free(&trial);
    assert_int_equal(scree_memory_live(), live);
}

struct starved {
    enum scree_trial_depth depth;
    const char *text;
    const struct scree_run_def *def;
};

static scree_status try_starved(void *user)
{
    const struct starved *starved = (const struct starved *)user;
    struct scree_trial trial = enter_stages(starved->depth, starved->text, starved->def);
    scree_trial_free(&trial);
    return trial.status;
}

uint64_t scree_trial_starve(enum scree_trial_depth depth, const char *text, const struct scree_run_def *def)
{
    const uint64_t blocks = scree_starve(try_starved, &(struct starved){depth, text, def});
    // each scene needs more than 20 allocations; fewer mean that the failures did not reach it
    assert_true(blocks > 20);
    return blocks;
}

void scree_trial_assert_printed_again(const char *scene, const char *kept)
{
    char *first, *second;
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, scene);
    scree_trial_assert_ok(&trial);
    assert_int_equal(scree_trial_print(&trial, &first), SCREE_OK);
    scree_trial_free(&trial);
    assert_non_null(strstr(first, kept));
    assert_null(strstr(first, "${"));
    trial = scree_trial_read(SCREE_TRIAL_SCENE, first);
    scree_trial_assert_ok(&trial);
    assert_int_equal(scree_trial_print(&trial, &second), SCREE_OK);
    scree_trial_free(&trial);
    assert_string_equal(first, second);
    free(first);
    free(second);
}
