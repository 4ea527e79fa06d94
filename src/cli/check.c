// `scree check`: a scene is read and checked, and what it makes is told.

#include "load.h"

#include <scree/scree.h>

#include <math.h>

// How many, their mass, and how large they are.
static void print_bodies(const struct scree_world *world)
{
    const size_t bodies = scree_body_count(world);
    double mass = 0, least = (double)INFINITY, most = 0;
    size_t seen = 0;
    for (uint64_t id = 1; seen < bodies; ++id) {
        struct scree_body_state body;
        if (!scree_body_exists(world, (scree_body_id){id}) ||
            scree_body_get(world, (scree_body_id){id}, &body) != SCREE_OK)
            continue;
        ++seen;
        mass += body.mass;
        least = body.radius < least ? body.radius : least;
        most = body.radius > most ? body.radius : most;
    }
    printf("bodies     %zu", bodies);
    if (bodies > 0)
        printf(", of %g kg in all, radii from %g to %g m", mass, least, most);
    printf("\n");
}

static void write_text(void *user, const char *text)
{
    fputs(text, (FILE *)user);
}

static int check_scene(struct scree_scene *scene, int threads, bool print)
{
    struct scree_world *world;
    struct scree_engine *engine;
    double step;
    if (scree_scene_build(scene, threads, &world, &engine) != SCREE_OK) {
        scree_load_complain(scene);
        return SCREE_CLI_FAILED;
    }
    if (print) {
        const scree_status status = scree_scene_print(scene, write_text, stdout);
        if (status != SCREE_OK)
            scree_load_complain(scene);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
        return status == SCREE_OK ? SCREE_CLI_OK : SCREE_CLI_FAILED;
    }
    print_bodies(world);
    printf("walls      %zu\n", scree_wall_count(world));
    // what a run would end by at once
    scree_status status = scree_engine_run(engine, 1);
    if (status == SCREE_OK)
        status = scree_soft_step(engine, &step);
    if (status == SCREE_OK)
        printf("contacts   %zu\ntime step  %g s\n", scree_contact_count(world), step);
    else
        fprintf(stderr, "scree: %s\n", scree_status_message());
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return status == SCREE_OK ? SCREE_CLI_OK : SCREE_CLI_FAILED;
}

int scree_cli_check(const struct scree_cli_line *line)
{
    struct scree_scene *scene;
    int threads, status = scree_load_scene(line, &scene, &threads);
    if (status == SCREE_CLI_OK)
        status = check_scene(scene, threads, scree_cli_has(line, "print"));
    scree_scene_free(scene);
    return status;
}
