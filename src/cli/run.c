// `scree run` and `scree restart`: run a scene from its start or from a checkpoint.

#include "live.h"
#include "load.h"

#include <scree/scree.h>

// Reads --until; prints an error and returns false if it is invalid.
static bool read_until(const struct scree_cli_line *line, double *until)
{
    const char *text = scree_cli_value(line, "until");
    *until = 0;
    if (!text || (scree_scene_number(text, "s", until) == SCREE_OK && *until > 0))
        return true;
    return scree_cli_refuse("%s: --until takes a time, as in --until \"3 s\", not '%s'", line->command->name,
                            text);
}

static int run_scene(const struct scree_cli_line *line, struct scree_scene *scene, int threads,
                     struct scree_live *live)
{
    struct scree_run_def def = {
        .threads = threads, .force = scree_cli_has(line, "force"), .folder = scree_cli_value(line, "to")};
    struct scree_world *world;
    if (!read_until(line, &def.until))
        return SCREE_CLI_USAGE;
    if (!live->quiet && scree_scene_title(scene))
        printf("%s\n", scree_scene_title(scene));
    scree_live_attach(live, &def);
    const scree_status status = scree_scene_run(scene, &def, &world);
    if (status != SCREE_OK)
        scree_load_report(scene, ".", status);
    // no summary for a run that was refused
    if (status == SCREE_OK || live->profile.steps > 0 || (live->ended && world))
        scree_live_print_summary(live, world, status);
    scree_world_destroy(world);
    return scree_live_status(live, status);
}

static int load_and_run(const struct scree_cli_line *line, bool restart)
{
    struct scree_scene *scene = NULL;
    struct scree_live live;
    int threads, status = scree_live_begin(line, &live);
    if (status == SCREE_CLI_OK)
        status = scree_load_scene(line, restart, 0, &scene, &threads);
    if (status == SCREE_CLI_OK)
        status = run_scene(line, scene, threads, &live);
    scree_scene_free(scene);
    scree_live_end(&live);
    return status;
}

int scree_cli_run(const struct scree_cli_line *line)
{
    if (scree_cli_has(line, "sweep"))
        return scree_sweep_run(line);
    if (scree_cli_has(line, "jobs"))
        return scree_cli_fail(SCREE_CLI_USAGE,
                              "run: --jobs requires --sweep; use --threads for the threads of one run");
    return load_and_run(line, false);
}

int scree_cli_restart(const struct scree_cli_line *line)
{
    return load_and_run(line, true);
}
