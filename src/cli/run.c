// `scree run` and `scree check`: a scene is read, checked and run.

#include "cli.h"

#include <scree/scene.h>
#include <scree/scree.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { VARIABLES = SCREE_CLI_GIVEN };

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    interrupted = signal;
}

// --- the scene

// Reads the variables that -D sets; false after a complaint.
static bool read_variables(const struct scree_cli_line *line, struct scree_scene_variable *variable,
                           size_t *variables)
{
    *variables = 0;
    for (size_t g = 0; g < line->given; ++g) {
        if (strcmp(line->option[g]->name, "D") != 0)
            continue;
        // options lie among the words of the program, which are its own
        char *text = (char *)(uintptr_t)line->value[g], *equals = strchr(text, '=');
        if (!equals || equals == text || *variables == VARIABLES) {
            fprintf(stderr, "scree %s: -D sets a variable of the scene, as in -D radius=\"2 mm\"\n",
                    line->command->name);
            return false;
        }
        *equals = 0;
        variable[(*variables)++] = (struct scree_scene_variable){text, equals + 1};
    }
    return true;
}

// Complains of what keeps a scene from being run; false then.
static bool load(const char *path, const struct scree_scene_def *def, struct scree_scene **scene)
{
    if (scree_scene_load(path, def, scene) == SCREE_OK)
        return true;
    const char *mistakes = *scene ? scree_scene_mistakes(*scene) : NULL;
    fprintf(stderr, "%s%s\n", mistakes ? mistakes : "scree: ", mistakes ? "" : scree_status_message());
    return false;
}

static void complain(const struct scree_scene *scene)
{
    const char *mistakes = scree_scene_mistakes(scene);
    fprintf(stderr, "%s%s%s", mistakes ? mistakes : "scree: ", mistakes ? "" : scree_status_message(),
            mistakes ? "" : "\n");
}

// --- the live line

struct live {
    bool terminal, quiet;
    double last; // s on the wall
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print_left(double seconds)
{
    if (!(seconds < 360000))
        printf("   --:--");
    else if (seconds < 3600)
        printf("   %02d:%02d", (int)seconds / 60, (int)seconds % 60);
    else
        printf("%02d:%02d:%02d", (int)seconds / 3600, (int)seconds / 60 % 60, (int)seconds % 60);
}

static scree_status follow(void *user, const struct scree_progress *progress)
{
    struct live *live = (struct live *)user;
    const bool over = progress->share >= 1;
    if (interrupted)
        return scree_status_fail(SCREE_ERROR_STATE, "interrupted at %g s, in step %llu", progress->time,
                                 (unsigned long long)progress->steps);
    // a file wants a line now and then, not ten a second
    if (live->quiet || (!live->terminal && !over && now() - live->last < 10))
        return SCREE_OK;
    live->last = now();
    printf("%s%10.4g s %5.1f %%  %9.3g steps/s  %zu contacts  energy error %8.1e  ",
           live->terminal ? "\r" : "", progress->time, 100 * progress->share, progress->rate,
           progress->contacts, progress->error);
    print_left(progress->left);
    printf("%s", live->terminal && !over ? "\033[K" : "\n");
    fflush(stdout);
    return SCREE_OK;
}

// --- the commands

static int run_scene(struct scree_scene *scene, bool force, bool quiet, int threads)
{
    struct live live = {.terminal = isatty(STDOUT_FILENO), .quiet = quiet};
    const struct scree_run_def def = {.threads = threads, .force = force, .function = follow, .user = &live};
    struct scree_world *world;
    const double begun = now();
    // the second one ends the program as it is
    const struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    // a file that may not grow is an error like a full disk
    signal(SIGXFSZ, SIG_IGN);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!quiet && scree_scene_title(scene))
        printf("%s\n", scree_scene_title(scene));
    const scree_status status = scree_scene_run(scene, &def, &world);
    if (status != SCREE_OK)
        complain(scene);
    if (world && !quiet) {
        struct scree_digest digest;
        if (scree_world_digest(world, &digest) == SCREE_OK)
            printf("%llu steps in %.3g s; digest %016llx%016llx\n",
                   (unsigned long long)scree_world_steps(world), now() - begun,
                   (unsigned long long)digest.high, (unsigned long long)digest.low);
    }
    scree_world_destroy(world);
    return status == SCREE_OK ? SCREE_CLI_OK : interrupted ? SCREE_CLI_INTERRUPTED : SCREE_CLI_FAILED;
}

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
        complain(scene);
        return SCREE_CLI_FAILED;
    }
    if (print) {
        const scree_status status = scree_scene_print(scene, write_text, stdout);
        if (status != SCREE_OK)
            complain(scene);
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

// Reads what both commands take.
static int begin(const struct scree_cli_line *line, int *threads, struct scree_scene **scene)
{
    struct scree_scene_variable variable[VARIABLES];
    struct scree_scene_def def = {.variables = variable};
    char which[96];
    long given;
    *scene = NULL;
    snprintf(which, sizeof which, "which scene? Name one file, as in `scree %s scene.yaml`",
             line->command->name);
    if (!read_variables(line, variable, &def.count) ||
        !scree_cli_whole(line, "threads", 1, 4096, 0, &given) || !scree_cli_words(line, 1, 1, which))
        return SCREE_CLI_USAGE;
    *threads = (int)given;
    return load(line->words[0], &def, scene) ? SCREE_CLI_OK : SCREE_CLI_FAILED;
}

int scree_cli_run(const struct scree_cli_line *line)
{
    struct scree_scene *scene;
    int threads, status = begin(line, &threads, &scene);
    if (status == SCREE_CLI_OK)
        status = run_scene(scene, scree_cli_has(line, "force"), scree_cli_has(line, "quiet"), threads);
    scree_scene_free(scene);
    return status;
}

int scree_cli_check(const struct scree_cli_line *line)
{
    struct scree_scene *scene;
    int threads, status = begin(line, &threads, &scene);
    if (status == SCREE_CLI_OK)
        status = check_scene(scene, threads, scree_cli_has(line, "print"));
    scree_scene_free(scene);
    return status;
}
