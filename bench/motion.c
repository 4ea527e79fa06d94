// How fast bodies move: every law of motion, from a thousand bodies to ten million, on one thread and two.
//
// Beside each run a copy kernel moves the same bytes over the same streams (records read and written in
// place, forces read) with next to no arithmetic, in turn with it, so that a noisy machine touches both
// alike. Figures are medians of rounds; a ratio is the median of the ratios round by round. Run it as
//   bench-motion [largest number of bodies] [rounds] [law]

#define _GNU_SOURCE
#include <scree/scree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROUNDS = 99, RECORD = 128, FORCE = 64, ROTOR = 80 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(scree_status status)
{
    if (status == SCREE_OK)
        return;
    fprintf(stderr, "bench-motion: %s\n", scree_status_message());
    exit(1);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

// What the copy kernel moves for each body.
struct streams {
    size_t bodies;
    double *record, *force, *rotor; // rotor null when nothing turns
};

static double *stream(size_t bodies, size_t bytes)
{
    void *block;
    if (posix_memalign(&block, 1 << 21, bodies * bytes) != 0) {
        fprintf(stderr, "bench-motion: no memory for %zu bodies\n", bodies);
        exit(1);
    }
    memset(block, 0, bodies * bytes);
    return (double *)block;
}

static void copy_range(const struct streams *s, size_t first, size_t last)
{
    for (size_t i = first; i < last; ++i) {
        double *record = s->record + i * (RECORD / 8);
        const double *force = s->force + i * (FORCE / 8);
        for (int k = 0; k < RECORD / 8; ++k)
            record[k] += force[k % (FORCE / 8)];
        if (s->rotor)
            for (int k = 0; k < ROTOR / 8; ++k)
                s->rotor[i * (ROTOR / 8) + (size_t)k] += force[k % (FORCE / 8)];
    }
}

static double time_copy(const struct streams *s, int threads, int steps)
{
    const double start = now();
    for (int step = 0; step < steps; ++step) {
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int t = 0; t < threads; ++t)
            copy_range(s, s->bodies * (size_t)t / (size_t)threads,
                       s->bodies * ((size_t)t + 1) / (size_t)threads);
    }
    return (now() - start) / steps;
}

static struct scree_world *make_world(size_t bodies, bool turns)
{
    struct scree_world *world;
    scree_material_id glass;
    must(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &world));
    must(scree_world_reserve(world, bodies));
    must(scree_material_add(world, &(struct scree_material_def){.name = "glass", .density = 2500}, &glass));
    for (size_t i = 0; i < bodies; ++i) {
        scree_body_id id;
        const double x = (double)(i % 1000), y = (double)(i / 1000 % 1000), z = (double)(i / 1000000);
        if (turns)
            must(scree_body_add_rigid(world,
                                      &(struct scree_rigid_def){.mass = 1,
                                                                .inertia = {1, 2, 2.5},
                                                                .position = {x, y, z},
                                                                .spin = {0.3, 1e-3 * (x + 1), 0.2}},
                                      &id));
        else
            must(scree_body_add_sphere(world,
                                       &(struct scree_sphere_def){.radius = 0.4,
                                                                  .material = glass,
                                                                  .position = {x, y, z},
                                                                  .velocity = {0.1, 1e-3 * x, 0},
                                                                  .spin = {0, 0, 1}},
                                       &id));
    }
    return world;
}

// One law on one number of bodies and threads; returns nanoseconds per body and step.
static double measure(struct scree_world *world, const char *law, bool turns, int threads,
                      const struct streams *s, int rounds)
{
    const struct scree_soft_def def = {
        .step = 1e-4, .translation = turns ? NULL : law, .rotation = turns ? law : NULL, .threads = threads};
    struct scree_engine *engine;
    must(scree_soft_create(world, &def, &engine));
    // long enough for a clock, short enough for ten million
    const size_t work = turns ? 400000 : 4000000;
    const int steps = s->bodies >= work / 4 ? 4 : (int)(work / s->bodies);
    must(scree_engine_run(engine, 2));
    (void)time_copy(s, threads, 1);
    double law_time[MOST_ROUNDS], copy_time[MOST_ROUNDS], ratio[MOST_ROUNDS];
    for (int r = 0; r < rounds; ++r) {
        // a long and a short run, so that beginning and ending one does not count
        double start = now();
        must(scree_engine_run(engine, 1));
        const double overhead = now() - start;
        start = now();
        must(scree_engine_run(engine, (uint64_t)steps + 1));
        law_time[r] = (now() - start - overhead) / steps;
        copy_time[r] = time_copy(s, threads, steps);
        ratio[r] = copy_time[r] / law_time[r];
    }
    scree_engine_destroy(engine);
    const double bytes = 2 * RECORD + FORCE + (turns ? 2 * ROTOR : 0);
    const double n = (double)s->bodies;
    const double seconds = median(law_time, rounds), copy = median(copy_time, rounds);
    printf("%-28s %9zu %7d %10.2f %10.1f %8.2f %10.2f %8.0f %%\n", law, s->bodies, threads, 1e9 * seconds / n,
           1e-6 * n / seconds, 1e-9 * bytes * n / seconds, 1e-9 * bytes * n / copy,
           100 * median(ratio, rounds));
    fflush(stdout);
    return 1e9 * seconds / n;
}

static bool has_law(scree_motion_kind kind, const char *name)
{
    const char *law;
    for (size_t l = 0; (law = scree_motion_name(kind, l)); ++l)
        if (strcmp(law, name) == 0)
            return true;
    return false;
}

static void bench_kind(scree_motion_kind kind, size_t bodies, int rounds, const char *only)
{
    const bool turns = kind == SCREE_ROTATION;
    if (only && !has_law(kind, only))
        return;
    struct scree_world *world = make_world(bodies, turns);
    const struct streams s = {bodies, stream(bodies, RECORD), stream(bodies, FORCE),
                              turns ? stream(bodies, ROTOR) : NULL};
    const char *law;
    for (size_t l = 0; (law = scree_motion_name(kind, l)); ++l) {
        // all laws in cache and in memory; the defaults everywhere; round bodies have no choice of rotation
        const bool everywhere = l == 0 || bodies == 1000 || bodies == 100000;
        if (!everywhere || strcmp(law, "spherical") == 0 || (only && strcmp(law, only) != 0))
            continue;
        for (int threads = 1; threads <= 2; ++threads)
            (void)measure(world, law, turns, threads, &s, rounds);
    }
    free(s.record);
    free(s.force);
    free(s.rotor);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    const size_t largest = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    int rounds = argc > 2 ? atoi(argv[2]) : 7;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    printf("%-28s %9s %7s %10s %10s %8s %10s %10s\n", "law (spheres, then tops)", "bodies", "threads",
           "ns/body", "Mbody/s", "GB/s", "copy GB/s", "of copy");
    for (scree_motion_kind kind = SCREE_TRANSLATION; kind <= SCREE_ROTATION; ++kind)
        for (size_t bodies = 1000; bodies <= largest; bodies *= 10)
            if (kind == SCREE_TRANSLATION || bodies <= 1000000)
                bench_kind(kind, bodies, rounds, argc > 3 ? argv[3] : NULL);
    return 0;
}
