// `scree run`: a scene is read, checked and run.

#include "live.h"
#include "load.h"
#include "sweep.h"

#include <scree/scree.h>

// The exit status of a run that ended so.
static int status_of(scree_status status)
{
    return status == SCREE_OK         ? SCREE_CLI_OK
           : scree_live_interrupted() ? SCREE_CLI_INTERRUPTED
                                      : SCREE_CLI_FAILED;
}

static int run_scene(const struct scree_cli_line *line, struct scree_scene *scene, int threads,
                     struct scree_live *live)
{
    struct scree_run_def def = {
        .threads = threads, .force = scree_cli_has(line, "force"), .folder = scree_cli_value(line, "to")};
    struct scree_world *world;
    if (!live->quiet && scree_scene_title(scene))
        printf("%s\n", scree_scene_title(scene));
    scree_live_attach(live, &def);
    const scree_status status = scree_scene_run(scene, &def, &world);
    if (status != SCREE_OK)
        scree_load_complain(scene);
    scree_live_sum_up(live, world);
    scree_world_destroy(world);
    return status_of(status);
}

int scree_cli_run(const struct scree_cli_line *line)
{
    struct scree_scene *scene = NULL;
    struct scree_live live;
    if (scree_cli_has(line, "sweep"))
        return scree_sweep_run(line);
    if (scree_cli_has(line, "jobs")) {
        fprintf(stderr, "scree run: --jobs is for a sweep; how many threads one run has is for --threads\n");
        return SCREE_CLI_USAGE;
    }
    int threads, status = scree_live_begin(line, &live);
    if (status == SCREE_CLI_OK)
        status = scree_load_scene(line, &scene, &threads);
    if (status == SCREE_CLI_OK)
        status = run_scene(line, scene, threads, &live);
    scree_scene_free(scene);
    scree_live_end(&live);
    return status;
}
