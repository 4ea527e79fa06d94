// Scenes that commands take, see load.h.

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
        // options lie among the words of the program, which are its own
        char *text = (char *)(uintptr_t)line->value[g], *equals = strchr(text, '=');
        if (!equals || equals == text) {
            fprintf(stderr, "scree %s: -D sets a variable of the scene, as in -D radius=\"2 mm\"\n",
                    line->command->name);
            return false;
        }
        *equals = 0;
        variable[(*variables)++] = (struct scree_scene_variable){text, equals + 1};
    }
    return true;
}

bool scree_load_file(const char *path, const struct scree_scene_def *def, struct scree_scene **scene)
{
    if (scree_scene_load(path, def, scene) == SCREE_OK)
        return true;
    const char *mistakes = *scene ? scree_scene_mistakes(*scene) : NULL;
    fprintf(stderr, "%s%s\n", mistakes ? mistakes : "scree: ", mistakes ? "" : scree_status_message());
    return false;
}

void scree_load_complain(const struct scree_scene *scene)
{
    const char *mistakes = scree_scene_mistakes(scene);
    fprintf(stderr, "%s%s%s", mistakes ? mistakes : "scree: ", mistakes ? "" : scree_status_message(),
            mistakes ? "" : "\n");
}

int scree_load_scene(const struct scree_cli_line *line, struct scree_scene **scene, int *threads)
{
    struct scree_scene_variable variable[SCREE_CLI_GIVEN];
    struct scree_scene_def def = {.variables = variable};
    char which[96];
    long given;
    *scene = NULL;
    snprintf(which, sizeof which, "which scene? Name one file, as in `scree %s scene.yaml`",
             line->command->name);
    if (!scree_load_variables(line, variable, &def.count) ||
        !scree_cli_whole(line, "threads", 1, 4096, 0, &given) || !scree_cli_words(line, 1, 1, which))
        return SCREE_CLI_USAGE;
    *threads = (int)given;
    return scree_load_file(line->words[0], &def, scene) ? SCREE_CLI_OK : SCREE_CLI_FAILED;
}
