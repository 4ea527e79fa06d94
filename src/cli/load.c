// Loading of scenes and checkpoints for commands, see load.h.

#include "load.h"

#include <stdint.h>
#include <string.h>

bool scree_load_variables(const struct scree_cli_line *line, struct scree_scene_variable *variable,
                          size_t *variables)
{
    *variables = 0;
    for (size_t g = 0; g < line->given; ++g) {
        if (strcmp(line->option[g]->name, "D") != 0)
            continue;
        // option values are parts of argv, which may be modified
        char *text = (char *)(uintptr_t)line->value[g], *equals = strchr(text, '=');
        if (!equals || equals == text) {
            fprintf(stderr, "scree %s: -D takes NAME=VALUE, as in -D radius=\"2 mm\", not '%s'\n",
                    line->command->name, text);
            return false;
        }
        *equals = 0;
        variable[(*variables)++] = (struct scree_scene_variable){text, equals + 1};
    }
    return true;
}

// Returns true if a scene was read; otherwise prints its errors.
static bool is_read(scree_status status, const struct scree_scene *scene)
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
    return is_read(status, *scene);
}

void scree_load_report(const struct scree_scene *scene, const char *folder, scree_status status)
{
    const char *mistakes = scree_scene_diagnostics(scene), *text = scree_status_message(), *at;
    if (mistakes) {
        fputs(mistakes, stderr);
        return;
    }
    char begin[4096];
    const int length = snprintf(begin, sizeof begin, "'%s/", folder);
    fputs("scree: ", stderr);
    for (; length < (int)sizeof begin && (at = strstr(text, begin)); text = at + length)
        fprintf(stderr, "%.*s'", (int)(at - text), text);
    fprintf(stderr, "%s%s\n", text, status == SCREE_ERROR_EXISTS ? " (--force overwrites it)" : "");
}

typedef scree_status load_function(const char *path, const struct scree_scene_def *def,
                                   struct scree_scene **scene);

static int load(const struct scree_cli_line *line, const char *which, load_function *function,
                struct scree_scene **scene, int *threads)
{
    struct scree_scene_variable variable[SCREE_CLI_GIVEN];
    struct scree_scene_def def = {.variables = variable};
    long given;
    *scene = NULL;
    if (!scree_load_variables(line, variable, &def.count) ||
        !scree_cli_whole(line, "threads", 1, 4096, 0, &given) || !scree_cli_words(line, 1, 1, which))
        return SCREE_CLI_USAGE;
    *threads = (int)given;
    const scree_status status = function(line->words[0], &def, scene);
    return is_read(status, *scene) ? SCREE_CLI_OK : SCREE_CLI_FAILED;
}

int scree_load_scene(const struct scree_cli_line *line, struct scree_scene **scene, int *threads)
{
    char which[96];
    snprintf(which, sizeof which, "which scene? Name one file, as in `scree %s scene.yaml`",
             line->command->name);
    return load(line, which, scree_scene_load, scene, threads);
}

int scree_load_checkpoint(const struct scree_cli_line *line, struct scree_scene **scene, int *threads)
{
    return load(line, "which checkpoint? Name one file, as in `scree restart out/hopper.chk`",
                scree_scene_restart, scene, threads);
}
