// Speed of every integration scheme, from a thousand bodies to ten million, on one thread and two.
//
// For comparison a copy kernel moves the same bytes over the same streams (records read and written in place,
// forces read) with almost no arithmetic, alternately with the scheme, so that other programs affect both
// alike. Figures are medians of rounds; a ratio is the median of the ratios of each round. Usage:
//   bench-motion [largest number of bodies] [rounds] [scheme]
// The number of rounds is that of the default schemes; other schemes have at most three. The default
// largest number is ten million spheres and a million tops: ten million tops need more than 5 GB.

#include "base/team.h"
#include "bench.h"

#include <scree/scree.h>

enum { MAX_ROUNDS = 99, OTHER_ROUNDS = 3, RECORD = 128, FORCE = 64, ROTOR = 80 };

// spheres without orientation, tops, and spheres with orientation
enum kind { SPHERES, TOPS, ORIENTED_SPHERES, KINDS };

struct plan {
    size_t largest[KINDS];
    int rounds;
    const char *scheme; // null for all
};

// One line of the table.
struct figures {
    double cost;         // s per body and step
    double scheme, copy; // GB/s
    double ratio;        // of the scheme's speed to the copy's
};

// Figures compared with the targets: the default scheme of translation on one thread and two, 0 if not run.
static struct {
    double ratio[2];               // ten million spheres
    double cost_small, cost_large; // cost of a body among 10^5 and 10^7, on one thread
} measured;

// The data that the copy kernel moves for each body.
struct streams {
    size_t bodies;
    double *record, *force, *rotor; // rotor is null without orientation
};

static void copy_range(const struct streams *streams, size_t first, size_t last)
{
    for (size_t i = first; i < last; ++i) {
        double *record = streams->record + i * (RECORD / 8);
        const double *force = streams->force + i * (FORCE / 8);
        for (int k = 0; k < RECORD / 8; ++k)
            record[k] += force[k % (FORCE / 8)];
        if (streams->rotor)
            for (int k = 0; k < ROTOR / 8; ++k)
                streams->rotor[i * (ROTOR / 8) + (size_t)k] += force[k % (FORCE / 8)];
    }
}

static void copy_piece(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    copy_range((const struct streams *)context, first, last);
}

static double time_copy(struct streams *streams, int threads, int steps)
{
    const struct scree_team team = {threads};
    const double start = bench_now();
    for (int step = 0; step < steps; ++step)
        scree_team_run(&team, streams->bodies, 1024, copy_piece, streams);
    return (bench_now() - start) / steps;
}

static void add_sphere(struct scree_world *world, scree_material_id material, const double *position)
{
    scree_body_id id;
    bench_must(
        scree_body_add_sphere(world,
                              &(struct scree_sphere_def){.radius = 0.4,
                                                         .material = material,
                                                         .position = {position[0], position[1], position[2]},
                                                         .velocity = {0.1, 1e-3 * position[0], 0},
                                                         .spin = {0, 1e-3 * position[0], 1}},
                              &id));
}

static void add_top(struct scree_world *world, const double *position)
{
    scree_body_id id;
    bench_must(
        scree_body_add_rigid(world,
                             &(struct scree_rigid_def){.mass = 1,
                                                       .inertia = {1, 2, 2.5},
                                                       .position = {position[0], position[1], position[2]},
                                                       .spin = {0.3, 1e-3 * (position[0] + 1), 0.2}},
                             &id));
}

static struct scree_world *make_world(size_t bodies, enum kind kind)
{
    struct scree_world *world;
    scree_material_id glass;
    bench_must(scree_world_create(
        &(struct scree_world_def){.gravity = {0, 0, -9.81}, .sphere_orientation = kind == ORIENTED_SPHERES},
        &world));
    bench_must(scree_world_reserve(world, bodies));
    bench_must(
        scree_material_add(world, &(struct scree_material_def){.name = "glass", .density = 2500}, &glass));
    for (size_t i = 0; i < bodies; ++i) {
        const double position[3] = {(double)(i % 1000), (double)(i / 1000 % 1000), (double)(i / 1000000)};
        if (kind == TOPS)
            add_top(world, position);
        else
            add_sphere(world, glass, position);
    }
    return world;
}

static struct scree_engine *make_engine(struct scree_world *world, enum kind kind, const char *scheme,
                                        int threads)
{
    struct scree_soft_def def = {.step = 1e-4, .threads = threads};
    struct scree_engine *engine;
    if (kind == SPHERES)
        def.translation = scheme;
    else
        def.rotation = scheme;
    bench_must(scree_soft_create(world, &def, &engine));
    return engine;
}

// Runs scheme and copy alternately. The time of a short run of the scheme is subtracted from that of a long
// run, and with it the cost of beginning and ending a run.
static struct figures measure(struct scree_engine *engine, struct streams *streams, int threads, int steps,
                              int rounds)
{
    double scheme_time[MAX_ROUNDS], copy_time[MAX_ROUNDS], ratio[MAX_ROUNDS];
    bench_must(scree_engine_run(engine, 2));
    (void)time_copy(streams, threads, 1);
    for (int r = 0; r < rounds; ++r) {
        double start = bench_now();
        bench_must(scree_engine_run(engine, 1));
        const double overhead = bench_now() - start;
        start = bench_now();
        bench_must(scree_engine_run(engine, (uint64_t)steps + 1));
        scheme_time[r] = (bench_now() - start - overhead) / steps;
        copy_time[r] = time_copy(streams, threads, steps);
        ratio[r] = copy_time[r] / scheme_time[r];
    }
    const double n = (double)streams->bodies, bytes = 2 * RECORD + FORCE + (streams->rotor ? 2 * ROTOR : 0);
    const double seconds = bench_median(scheme_time, (size_t)rounds),
                 copy = bench_median(copy_time, (size_t)rounds);
    return (struct figures){seconds / n, 1e-9 * bytes * n / seconds, 1e-9 * bytes * n / copy,
                            bench_median(ratio, (size_t)rounds)};
}

// Enough steps for the clock, few enough for ten million bodies, and fewer for schemes that are not the
// default.
static int choose_steps(enum kind kind, size_t bodies, bool is_default)
{
    const size_t work = (kind == SPHERES ? 4000000u : 400000u) / (is_default ? 1 : 4);
    const size_t min_steps = is_default ? 4 : 2;
    return (int)(work / bodies > min_steps ? work / bodies : min_steps);
}

static void store_for_targets(const struct figures *figures, size_t bodies, int threads)
{
    if (bodies == 10000000)
        measured.ratio[threads - 1] = figures->ratio;
    if (bodies == 10000000 && threads == 1)
        measured.cost_large = figures->cost;
    if (bodies == 100000 && threads == 1)
        measured.cost_small = figures->cost;
}

static void bench_scheme(const struct plan *plan, struct scree_world *world, enum kind kind, size_t scheme,
                         struct streams *streams)
{
    const char *name = scree_motion_name(kind == SPHERES ? SCREE_TRANSLATION : SCREE_ROTATION, scheme);
    const bool is_default = scheme == 0;
    const int rounds = is_default || plan->rounds < OTHER_ROUNDS ? plan->rounds : OTHER_ROUNDS;
    for (int threads = 1; threads <= 2; ++threads) {
        struct scree_engine *engine = make_engine(world, kind, name, threads);
        const struct figures f =
            measure(engine, streams, threads, choose_steps(kind, streams->bodies, is_default), rounds);
        scree_engine_destroy(engine);
        printf("%-28s %9zu %7d %10.2f %10.1f %8.2f %10.2f %8.0f %%\n", name, streams->bodies, threads,
               1e9 * f.cost, 1e-6 / f.cost, f.scheme, f.copy, 100 * f.ratio);
        fflush(stdout);
        if (kind == SPHERES && is_default)
            store_for_targets(&f, streams->bodies, threads);
    }
}

// Whether a scheme is selected and can move this kind of body: `spherical` rotates spheres only.
static bool is_measured(const struct plan *plan, enum kind kind, const char *scheme)
{
    if (plan->scheme && strcmp(plan->scheme, scheme) != 0)
        return false;
    return kind == SPHERES || (strcmp(scheme, "spherical") == 0) == (kind == ORIENTED_SPHERES);
}

static void bench_kind(const struct plan *plan, enum kind kind, size_t bodies)
{
    const scree_motion_kind motion = kind == SPHERES ? SCREE_TRANSLATION : SCREE_ROTATION;
    struct scree_world *world = NULL;
    struct streams streams = {.bodies = bodies};
    const char *scheme;
    for (size_t n = 0; (scheme = scree_motion_name(motion, n)); ++n) {
        if (!is_measured(plan, kind, scheme))
            continue;
        if (!world) {
            world = make_world(bodies, kind);
            streams.record = (double *)bench_new(bodies, RECORD);
            streams.force = (double *)bench_new(bodies, FORCE);
            streams.rotor = kind == SPHERES ? NULL : (double *)bench_new(bodies, ROTOR);
        }
        bench_scheme(plan, world, kind, n, &streams);
    }
    free(streams.record);
    free(streams.force);
    free(streams.rotor);
    scree_world_destroy(world);
}

static void print_targets(void)
{
    if (measured.ratio[0] > 0 && measured.ratio[1] > 0)
        printf("spheres at 10^7: %.0f %% of the copy on one thread, %.0f %% on two (target: 70 %%)\n",
               100 * measured.ratio[0], 100 * measured.ratio[1]);
    if (measured.cost_small > 0 && measured.cost_large > 0)
        printf("cost per body from 10^5 to 10^7: %+.0f %% (target: at most 30 %%)\n",
               100 * (measured.cost_large / measured.cost_small - 1));
}

// --- arguments

static bool has_scheme(const char *name)
{
    for (scree_motion_kind kind = SCREE_TRANSLATION; kind <= SCREE_ROTATION; ++kind) {
        const char *scheme;
        for (size_t n = 0; (scheme = scree_motion_name(kind, n)); ++n)
            if (strcmp(scheme, name) == 0)
                return true;
    }
    return false;
}

static struct plan read_plan(int argc, char **argv)
{
    struct plan plan = {.largest = {10000000, 1000000, 1000000}, .rounds = 7};
    if (argc > 4) {
        fprintf(stderr, "usage: bench-motion [largest number of bodies] [rounds] [scheme]\n");
        exit(2);
    }
    if (argc > 1)
        plan.largest[SPHERES] = plan.largest[TOPS] = plan.largest[ORIENTED_SPHERES] =
            bench_number(argv[1], 1000, 1000000000);
    if (argc > 2)
        plan.rounds = (int)bench_number(argv[2], 1, MAX_ROUNDS);
    if (argc > 3)
        plan.scheme = argv[3];
    if (plan.scheme && !has_scheme(plan.scheme)) {
        fprintf(stderr, "bench-motion: there is no integration scheme '%s'; 'scree version' lists them\n",
                plan.scheme);
        exit(2);
    }
    return plan;
}

int main(int argc, char **argv)
{
    const struct plan plan = read_plan(argc, argv);
    printf("%-28s %9s %7s %10s %10s %8s %10s %10s\n", "scheme (spheres, tops, oriented)", "bodies", "threads",
           "ns/body", "Mbody/s", "GB/s", "copy GB/s", "of copy");
    for (enum kind kind = SPHERES; kind < KINDS; ++kind)
        for (size_t bodies = 1000; bodies <= plan.largest[kind]; bodies *= 10)
            bench_kind(&plan, kind, bodies);
    print_targets();
    return 0;
}
