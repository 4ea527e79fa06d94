// `scree bench`: measures the time per body and step on this machine.

#include "cli.h"
#include "live.h"

#include <scree/scree.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES = 5, WARM_UP = 640, MAX_BODIES = 1 << 30 };

// Two streams of spheres that meet in a periodic box.
#define BOX "[[0, 0, 0], [\"${edge * 1.2}\", \"${edge * 1.2}\", \"${edge * 1.2}\"]]"
#define STREAM(velocity, seed)                                                                               \
    "  - fill: {shape: {sphere: {radius: 1 mm}}, count: \"${count / 2}\", material: rubber, "                \
    "velocity: " velocity ",\n           inside: {box: " BOX "}, seed: " seed "}\n"
#define GAS                                                                                                  \
    "world: {box: " BOX ", periodic: [x, y, z]}\nbodies:\n" STREAM("[1, 0, 0]", "1")                         \
        STREAM("[-1, 0.2, 0]", "2")

// The benchmark scenes. `count` sets the number of bodies; contacts form during the warm-up steps.
static const struct {
    const char *name, *about, *text;
    bool one_thread; // the engine has no others
} scenes[] = {
    {"bed", "spheres at rest on each other, Hertz-Mindlin",
     "scree: 1\nvariables: {count: 1, edge: 1}\ngravity: [0, 0, -9.81]\n"
     "materials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"
     "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"
     "world: {box: [[0, 0, -1], [\"${edge}\", \"${edge}\", 9]], periodic: [x, y]}\n"
     "bodies: [fill: {shape: {sphere: {radius: 1 mm}}, count: \"${count}\", arrange: hexagonal, material: "
     "glass,\n"
     "         inside: {box: [[0, 0, 0], [\"${edge}\", \"${edge}\", 8]]}, velocity: [0, 0, -0.1]}]\n"
     "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}]\nrun: {steps: 1}\n",
     false},
    {"gas", "spheres in free flight that collide, Hertz",
     "scree: 1\nvariables: {count: 1, edge: 1}\n"
     "materials: {rubber: {density: 1000, young: 20 MPa, poisson: 0.3}}\n"
     "contacts: [{between: [any, any], law: hertz, restitution: 0.9}]\n" GAS "run: {steps: 1}\n",
     false},
    {"hard", "hard spheres, the event engine; in a step each flies a tenth of its radius, on average",
     "scree: 1\nvariables: {count: 1, edge: 1}\n"
     "materials: {rubber: {density: 1000}}\n"
     "contacts: [{between: [any, any], law: hard, restitution: 1, friction: 0}]\n" GAS "engine: {event: {}}\n"
     "run: {steps: 1}\n",
     true},
};

enum { SCENES = sizeof scenes / sizeof scenes[0] };

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Builds a scene with `count` bodies, an even number. The cube with edge `edge` has about eight times the
// volume of the spheres.
static scree_status build(size_t s, long count, int threads, struct scree_world **world,
                          struct scree_engine **engine)
{
    char number[32], edge[32];
    double cells = 1;
    while (cells * cells * cells < (double)count)
        ++cells;
    snprintf(number, sizeof number, "%ld", count);
    snprintf(edge, sizeof edge, "%g m", 3.2e-3 * cells);
    const struct scree_scene_variable variable[] = {{"count", number}, {"edge", edge}};
    const struct scree_scene_def def = {.variables = variable, .count = 2};
    struct scree_scene *scene;
    scree_status status =
        scree_scene_read(scenes[s].name, scenes[s].text, strlen(scenes[s].text), &def, &scene);
    if (status == SCREE_OK)
        status = scree_scene_build(scene, threads, world, engine);
    scree_scene_free(scene);
    return status;
}

// Measures the median time per body and step, in ns, and the relative spread of the samples.
static scree_status measure(struct scree_world *world, struct scree_engine *engine, double seconds,
                            double *cost, double *spread)
{
    double sample[SAMPLES];
    uint64_t steps = 16;
    scree_status status = scree_engine_run(engine, WARM_UP);
    for (int k = -1; k < SAMPLES && status == SCREE_OK; ++k) {
        const double start = scree_live_now();
        status = scree_engine_run(engine, steps);
        const double elapsed = scree_live_now() - start;
        // the first pass only determines the number of steps of a sample
        if (k < 0)
            steps = elapsed > 0 && seconds / SAMPLES > elapsed ? (uint64_t)(16 * seconds / SAMPLES / elapsed)
                                                               : 16;
        else
            sample[k] = 1e9 * elapsed / (double)steps / (double)scree_body_count(world);
    }
    if (status != SCREE_OK)
        return status;
    qsort(sample, SAMPLES, sizeof *sample, by_value);
    *cost = sample[SAMPLES / 2];
    *spread = (sample[SAMPLES - 1] - sample[0]) / sample[SAMPLES / 2];
    return SCREE_OK;
}

static void print_machine(void)
{
    struct scree_version_facts facts;
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    scree_version_get(&facts);
    printf("Scree %s, %s, %s%s\n", facts.version, facts.compiler, facts.build,
           facts.assertions ? " WITH ASSERTIONS, which make it slow" : "");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        printf("%.*s, ", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
    printf("%ld processors, %s\n\n", sysconf(_SC_NPROCESSORS_ONLN), facts.sets[facts.set]);
}

static scree_status bench_scene(size_t s, long count, int max_threads, double seconds)
{
    double one_thread = 0;
    max_threads = scenes[s].one_thread ? 1 : max_threads;
    // 1, 2, 4, ... threads, and finally all
    for (int threads = 1; threads <= max_threads;
         threads = threads < max_threads && 2 * threads > max_threads ? max_threads : 2 * threads) {
        struct scree_world *world = NULL;
        struct scree_engine *engine = NULL;
        double cost, spread;
        scree_status status = build(s, count, threads, &world, &engine);
        if (status == SCREE_OK)
            status = measure(world, engine, seconds, &cost, &spread);
        if (status == SCREE_OK) {
            one_thread = threads == 1 ? cost : one_thread;
            printf("%-6s %8zu %9zu %8d %12.1f %8.0f %% %11.2f\n", scenes[s].name, scree_body_count(world),
                   scree_contact_count(world), threads, cost, 100 * spread, one_thread / cost);
            fflush(stdout);
        }
        scree_engine_destroy(engine);
        scree_world_destroy(world);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

int scree_cli_bench(const struct scree_cli_line *line)
{
    struct scree_version_facts facts;
    long threads, count, seconds;
    scree_version_get(&facts);
    if (!scree_cli_check_count(line, 0, 0, "takes no arguments, only options") ||
        !scree_cli_integer(line, "threads", 1, 4096, facts.threads, &threads) ||
        !scree_cli_integer(line, "count", 64, MAX_BODIES, 20000, &count) ||
        !scree_cli_integer(line, "seconds", 1, 3600, 2, &seconds))
        return SCREE_CLI_USAGE;
    print_machine();
    printf("scene    bodies  contacts  threads  ns/body/step  spread     speedup\n");
    for (size_t s = 0; s < SCENES; ++s)
        if (bench_scene(s, count / 2 * 2, (int)threads, (double)seconds) != SCREE_OK)
            return scree_cli_fail(SCREE_CLI_FAILED, "bench: %s", scree_status_message());
    printf("\n");
    for (size_t s = 0; s < SCENES; ++s)
        printf("%-6s %s\n", scenes[s].name, scenes[s].about);
    printf("ns/body/step is the median of %d samples, spread is their range divided by the median; a spread "
           "above 10 %% means that other programs are running\n",
           (int)SAMPLES);
    return SCREE_CLI_OK;
}
