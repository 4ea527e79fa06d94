// Speed of worlds of spheres with contacts: the workloads of scene.h, one line each.
//
//   bench-contacts [WORKLOAD|all [THREADS [STEPS [WARM]]]]
//
// `ns` is the median over up to twenty runs of 25 steps or more, in processor time on one thread, in
// wall-clock time on more. `seconds` (wall clock) and `share` (processor time over wall-clock time and
// threads) are those of all steps. Contacts are those between spheres, each counted at both, as in LAMMPS.
// `bytes` is the peak memory of the process minus that before the world was made, per particle, including a
// search at the end.

#include "internals.h"
#include "scene.h"

#include <sys/resource.h>

// few and not too short runs, because each begins and ends with a pass over all bodies
enum { MIN_STEPS = 25 };

// Peak resident memory in bytes. The value of getrusage includes the peak of the parent process.
static double peak_memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double kilobytes = 0;
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmHWM: %lf", &kilobytes);
    if (file)
        fclose(file);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024 * (kilobytes > 0 ? kilobytes : (double)usage.ru_maxrss);
}

struct figures {
    double seconds, processor_seconds, median; // median: per step
    size_t steps, searches;
};

static struct figures run(struct scree_engine *engine, size_t steps, int threads)
{
    struct figures f = {.processor_seconds = bench_cpu_time(), .seconds = bench_now()};
    const uint64_t searches = internals_collider(engine)->search.searches;
    f.median = scene_time_step(engine, threads, MIN_STEPS, &steps);
    f.steps = steps;
    f.seconds = bench_now() - f.seconds;
    f.processor_seconds = bench_cpu_time() - f.processor_seconds;
    f.searches = (size_t)(internals_collider(engine)->search.searches - searches);
    return f;
}

// Contacts between spheres, and those of the large balls among them.
static void count_contacts(const struct scene *scene, size_t *grains, size_t *balls)
{
    size_t all;
    const size_t total = scree_contact_count(scene->world);
    struct scree_contact *contact = (struct scree_contact *)bench_new(total, sizeof *contact);
    bench_must(scree_contact_list(scene->world, contact, total, &all));
    *grains = *balls = 0;
    for (size_t c = 0; c < total; ++c) {
        *grains += contact[c].wall.value == 0;
        for (size_t b = 0; b < scene->ball_count; ++b)
            *balls += contact[c].wall.value == 0 && (contact[c].body[0].value == scene->balls[b].value ||
                                                     contact[c].body[1].value == scene->balls[b].value);
    }
    free(contact);
}

// Forces a search after the timed steps, which may not have needed any: both old and new lists exist
// meanwhile.
static void search_again(const struct scene *scene, struct scree_engine *engine)
{
    scene->world->contacts_stale = true;
    bench_must(scree_engine_run(engine, 1));
}

static void bench(const struct scene_row *row, int threads, size_t steps, size_t warm_up)
{
    const double before = peak_memory();
    struct scene scene = scene_make(row);
    struct scree_engine *engine = scene_engine(&scene, threads);
    scene_run_untimed(&scene, engine, warm_up > 0 ? warm_up : row->warm_up);
    const struct figures f = run(engine, steps > 0 ? steps : row->steps, threads);
    search_again(&scene, engine);
    const double memory = peak_memory() - before, n = (double)scene.bodies;
    size_t contacts, ball_contacts;
    count_contacts(&scene, &contacts, &ball_contacts);
    printf("%-12s %8zu %7d %6zu %9.4f %8.2f %8.2f %9.3f %8zu %6.3f %6.0f\n", row->name, scene.bodies, threads,
           f.steps, f.seconds, 1e9 * f.median / n, 1e-6 * n * (double)f.steps / f.seconds,
           2 * (double)contacts / n, f.searches, f.processor_seconds / f.seconds / threads, memory / n);
    if (scene.ball_count > 0)
        printf("# %zu balls have %.0f contacts each\n", scene.ball_count,
               (double)ball_contacts / (double)scene.ball_count);
    fflush(stdout);
    scree_engine_destroy(engine);
    scree_world_destroy(scene.world);
}

int main(int argc, char **argv)
{
    if (argc > 5) {
        fprintf(stderr, "usage: bench-contacts [WORKLOAD|all [THREADS [STEPS [WARM]]]]\n");
        return 2;
    }
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, 1024) : 1;
    const size_t steps = argc > 3 ? bench_number(argv[3], 1, 1000000000) : 0;
    const size_t warm_up = argc > 4 ? bench_number(argv[4], 1, 1000000000) : 0;
    const bool all = argc < 2 || strcmp(argv[1], "all") == 0;
    const struct scene_row *only = all ? NULL : scene_find(argv[1]);
    printf("# %-10s %8s %7s %6s %9s %8s %8s %9s %8s %6s %6s\n", "workload", "bodies", "threads", "steps",
           "seconds", "ns", "M/s", "contacts", "searches", "share", "bytes");
    for (size_t s = 0; s < SCENE_ROWS; ++s)
        if (all || only == &scene_rows[s])
            bench(&scene_rows[s], threads, steps, warm_up);
    return 0;
}
