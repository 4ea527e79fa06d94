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

enum { VARIABLES = 64 };

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    interrupted = signal;
}

// --- the scene

// Takes -D NAME=VALUE and -DNAME=VALUE out of the words; how many words are left, or -1 after a complaint.
static int take_variables(const char *command, int count, char **words, struct scree_scene_variable *variable,
                          size_t *variables)
{
    int kept = 0;
    *variables = 0;
    for (int w = 0; w < count; ++w) {
        if (strncmp(words[w], "-D", 2) != 0) {
            words[kept++] = words[w];
            continue;
        }
        char *text = words[w][2] ? words[w] + 2 : w + 1 < count ? words[++w] : NULL;
        char *equals = text ? strchr(text, '=') : NULL;
        if (!equals || equals == text || *variables == VARIABLES) {
            fprintf(stderr, "scree %s: -D sets a variable of the scene, as in -D radius=\"2 mm\"\n", command);
            return -1;
        }
        *equals = 0;
        variable[(*variables)++] = (struct scree_scene_variable){text, equals + 1};
    }
    return kept;
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

static int check_scene(struct scree_scene *scene, int threads)
{
    struct scree_world *world;
    struct scree_engine *engine;
    double step;
    if (scree_scene_build(scene, threads, &world, &engine) != SCREE_OK) {
        complain(scene);
        return SCREE_CLI_FAILED;
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

// Reads the words that both commands take.
static int begin(const char *command, int count, char **words, bool *force, bool *quiet, int *threads,
                 struct scree_scene **scene)
{
    struct scree_scene_variable variable[VARIABLES];
    struct scree_scene_def def = {.variables = variable};
    const char *number = NULL;
    const struct scree_cli_option options[] = {{.name = "threads", .value = &number},
                                               {.name = "force", .given = force},
                                               {.name = "quiet", .given = quiet}};
    int kept = take_variables(command, count, words, variable, &def.count);
    kept = kept < 0 ? kept : scree_cli_read(command, kept, words, options, force ? 3 : 1);
    if (kept < 0)
        return SCREE_CLI_USAGE;
    char *end = NULL;
    const long threads_given = number ? strtol(number, &end, 10) : 0;
    if (number && (*end || end == number || threads_given < 1 || threads_given > 4096)) {
        fprintf(stderr, "scree %s: --threads takes a number from 1 to 4096, not '%s'\n", command, number);
        return SCREE_CLI_USAGE;
    }
    if (kept != 1) {
        fprintf(stderr, "scree %s: which scene? Name one file, as in `scree %s scene.yaml`\n", command,
                command);
        return SCREE_CLI_USAGE;
    }
    *threads = (int)threads_given;
    return load(words[0], &def, scene) ? SCREE_CLI_OK : SCREE_CLI_FAILED;
}

int scree_cli_run(int count, char **words)
{
    struct scree_scene *scene = NULL;
    bool force = false, quiet = false;
    int threads, status = begin("run", count, words, &force, &quiet, &threads, &scene);
    if (status == SCREE_CLI_OK)
        status = run_scene(scene, force, quiet, threads);
    scree_scene_free(scene);
    return status;
}

int scree_cli_check(int count, char **words)
{
    struct scree_scene *scene = NULL;
    int threads, status = begin("check", count, words, NULL, NULL, &threads, &scene);
    if (status == SCREE_CLI_OK)
        status = check_scene(scene, threads);
    scree_scene_free(scene);
    return status;
}
