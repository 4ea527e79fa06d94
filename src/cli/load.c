// Loading of scenes and checkpoints for commands, see load.h.

#include "load.h"

#include <scree/checkpoint.h>

#include <stdint.h>
#include <string.h>

bool scree_load_variables(const struct scree_cli_line *line, struct scree_scene_variable *variable,
                          size_t *variables)
{
    *variables = 0;
    for (size_t g = 0; g < line->options; ++g) {
        if (strcmp(line->option[g]->name, "D") != 0)
            continue;
        // option values are parts of argv, which may be modified
        char *text = (char *)(uintptr_t)line->value[g], *equals = strchr(text, '=');
        if (!equals || equals == text)
            return scree_cli_refuse("%s: -D takes NAME=VALUE, as in -D radius=\"2 mm\", not '%s'",
                                    line->command->name, text);
        *equals = 0;
        variable[(*variables)++] = (struct scree_scene_variable){text, equals + 1};
    }
    return true;
}

// Returns true if a scene was read; otherwise prints its errors.
static bool check_read(scree_status status, const struct scree_scene *scene)
{
    if (status == SCREE_OK)
        return true;
    const char *mistakes = scene ? scree_scene_diagnostics(scene) : NULL;
    fprintf(stderr, "%s%s\n", mistakes ? mistakes : "scree: ", mistakes ? "" : scree_status_message());
    return false;
}

bool scree_load_file(const char *path, const struct scree_scene_def *def, struct scree_scene **scene)
{
    const scree_status status = scree_scene_load(path, def, scene);
    return check_read(status, *scene);
}

void scree_load_report(const struct scree_scene *scene, const char *folder, scree_status status)
{
    const char *mistakes = scree_scene_diagnostics(scene), *text = scree_status_message(), *at;
    if (mistakes) {
        fputs(mistakes, stderr);
        return;
    }
    char prefix[4096];
    const int length = snprintf(prefix, sizeof prefix, "'%s/", folder);
    fputs("scree: ", stderr);
    for (; length < (int)sizeof prefix && (at = strstr(text, prefix)); text = at + length)
        fprintf(stderr, "%.*s'", (int)(at - text), text);
    fprintf(stderr, "%s%s\n", text, status == SCREE_ERROR_EXISTS ? " (--force overwrites it)" : "");
}

static scree_status find_newest(const struct scree_cli_line *line, const struct scree_scene_def *variables,
                                int threads, char *path, size_t size)
{
    const struct scree_run_def def = {
        .threads = threads, .force = scree_cli_has(line, "force"), .folder = scree_cli_value(line, "to")};
    struct scree_checkpoint_facts facts;
    const scree_status status = scree_scene_newest(line->words[0], variables, &def, path, size, &facts);
    if (status == SCREE_OK && !scree_cli_has(line, "quiet"))
        printf("continues from '%s', at %g s, in step %llu\n", path, facts.time,
               (unsigned long long)facts.steps);
    return status;
}

int scree_load_scene(const struct scree_cli_line *line, bool restart, size_t max_filled,
                     struct scree_scene **scene, int *threads)
{
    struct scree_scene_variable variable[SCREE_CLI_MAX_OPTIONS];
    struct scree_scene_def def = {.variables = variable, .max_filled = max_filled};
    char message[96] = "which checkpoint? Name one file, as in `scree restart out/hopper.chk`";
    long thread_count;
    *scene = NULL;
    if (!restart)
        snprintf(message, sizeof message, "which scene? Name one file, as in `scree %s scene.yaml`",
                 line->command->name);
    if (!scree_load_variables(line, variable, &def.count) ||
        !scree_cli_integer(line, "threads", 1, 4096, 0, &thread_count) ||
        !scree_cli_check_count(line, 1, 1, message))
        return SCREE_CLI_USAGE;
    *threads = (int)thread_count;
    const char *path = line->words[0];
    char newest[4096];
    if (restart && scree_cli_has(line, "newest")) {
        if (!check_read(find_newest(line, &def, *threads, newest, sizeof newest), NULL))
            return SCREE_CLI_FAILED;
        path = newest;
    }
    const scree_status status =
        restart ? scree_scene_restart(path, &def, scene) : scree_scene_load(path, &def, scene);
    return check_read(status, *scene) ? SCREE_CLI_OK : SCREE_CLI_FAILED;
}
