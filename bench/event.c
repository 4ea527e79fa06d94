// Speed of the event engine: hard spheres in a periodic cube.
//
//   bench-event CELLS FRACTION smooth|rough|soft|sheared|strained|drawn|partners [COLLISIONS]
//
// 4 CELLS^3 spheres of diameter 1 start on random sites of a dense face-centred cubic lattice, with a
// Gaussian distribution of velocities. After 20 collisions per sphere they are a fluid, and are timed for
// COLLISIONS per sphere (50). `rate` is in million collisions per second of processor time; `Enskog` is the
// rate of collisions over that of Enskog's theory with the equation of state of Carnahan and Starling.
// `speed` is the simulated time, in which a sphere flies its diameter at the thermal velocity, per second of
// processor time.
//
// `soft` moves the same gas by the soft engine on one thread, with its automatic step, and springs that are
// compressed by 1 % of the diameter (root mean square in a collision), for the time of COLLISIONS by Enskog's
// theory.
//
// `drawn`: smooth spheres in the stochastic engine, with bodies of the same cell as partners; `partners`:
// with fictitious ones. Cells have ten bodies, and steps are automatic.
//
// `sheared`: smooth spheres in simple shear, whose rate is 0.1 in these units. `strained`: in pure shear at
// this rate, for which bodies begin new flights in every step. Their steps are 0.1, their temperature grows.

#include "bench.h"

#include <scree/scree.h>

#include <math.h>

static const double pi = 3.14159265358979323846;

static double gaussian(uint64_t *seed)
{
    const double a = 0.5 * (bench_draw(seed) + 1), b = bench_draw(seed);
    return sqrt(-2 * log(a + 1e-300)) * cos(pi * b);
}

// All sites of a lattice in random order.
static uint32_t *random_sites(size_t cells, uint64_t *seed)
{
    const size_t sites = 4 * cells * cells * cells;
    uint32_t *site = bench_new(sites, sizeof *site);
    for (size_t i = 0; i < sites; ++i)
        site[i] = (uint32_t)i;
    for (size_t i = sites - 1; i > 0; --i) {
        const size_t other = (size_t)(0.5 * (bench_draw(seed) + 1) * (double)(i + 1));
        const uint32_t kept = site[i];
        site[i] = site[other];
        site[other] = kept;
    }
    return site;
}

enum kind { SMOOTH, ROUGH, SOFT, SHEARED, STRAINED, DRAWN, PARTNERS };

// The mean square of the normal velocity in collisions is 4: m v^2/4 = k d^2/2.
static void add_law(struct scree_world *world, enum kind kind)
{
    const struct scree_interaction_value hard[] = {{"restitution", 1, NULL},
                                                   {"friction", kind == ROUGH ? 1e6 : 0, NULL},
                                                   {"tangential-restitution", 1, NULL}};
    const struct scree_interaction_value soft[] = {
        {"restitution", 1, NULL}, {"friction", 0, NULL}, {"stiffness", 2 / (0.01 * 0.01), NULL}};
    bench_must(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = kind == SOFT ? "linear" : "hard",
                                               .values = kind == SOFT ? soft : hard,
                                               .count = kind == ROUGH || kind == SOFT ? 3 : 2}));
}

static struct scree_world *make_world(size_t cells, double fraction, enum kind kind)
{
    static const double base[4][3] = {
        {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
    const double n = 4 * (double)(cells * cells * cells), side = cbrt(n * pi / 6 / fraction);
    // a lattice of fraction 0.7 at most: touching spheres have 0.74
    const size_t dense = (size_t)((double)cells * cbrt(0.7 / fraction));
    const double spacing = side / (double)dense;
    struct scree_world *world;
    scree_material_id material;
    uint64_t seed = 1;
    bench_must(scree_world_create(&(struct scree_world_def){.gravity = {0}}, &world));
    bench_must(scree_cell_set(
        world, &(struct scree_cell_def){.upper = {side, side, side}, .periodic = {true, true, true}}));
    bench_must(scree_material_add(world, &(struct scree_material_def){.name = "ball", .density = 6 / pi},
                                  &material));
    add_law(world, kind);
    bench_must(scree_world_reserve(world, (size_t)n));
    uint32_t *site = random_sites(dense, &seed);
    for (size_t i = 0; i < (size_t)n; ++i) {
        const size_t c = site[i] / 4, k = site[i] % 4;
        const double at[3] = {(double)(c % dense), (double)(c / dense % dense), (double)(c / dense / dense)};
        struct scree_sphere_def def = {.radius = 0.5, .material = material};
        scree_body_id id;
        for (int a = 0; a < 3; ++a) {
            def.position[a] = (at[a] + base[k][a]) * spacing;
            def.velocity[a] = gaussian(&seed);
            def.spin[a] = kind == ROUGH ? sqrt(10) * gaussian(&seed) : 0;
        }
        bench_must(scree_body_add_sphere(world, &def, &id));
    }
    free(site);
    static const double sheared[9] = {0, 0.1}, strained[9] = {0.1, 0, 0, 0, -0.1};
    if (kind == SHEARED || kind == STRAINED) {
        bench_must(scree_cell_set_form(world, SCREE_CELL_NEWTON));
        bench_must(scree_cell_deform(world, kind == SHEARED ? sheared : strained));
    }
    return world;
}

// Runs until so many collisions have happened since `from`.
static void collide(struct scree_engine *engine, uint64_t from, uint64_t count,
                    struct scree_event_counts *counts)
{
    do {
        bench_must(scree_engine_run(engine, 1));
        bench_must(scree_event_get_counts(engine, counts));
    } while (counts->pairs < from + count);
}

static double temperature(struct scree_world *world)
{
    struct scree_energy energy;
    bench_must(scree_energy_get(world, &energy));
    return 2 * energy.translation / (3 * (double)scree_body_count(world));
}

static double enskog_rate(double n, double fraction, double temperature)
{
    const double density = 6 * fraction / pi, contact = (1 - 0.5 * fraction) / pow(1 - fraction, 3);
    return 0.5 * n * 4 * sqrt(pi * temperature) * density * contact;
}

static struct scree_engine *make_engine(struct scree_world *world, enum kind kind)
{
    struct scree_engine *engine;
    const struct scree_stochastic_def drawn = {
        .seed = 1, .partner = kind == DRAWN ? SCREE_STOCHASTIC_BODY : SCREE_STOCHASTIC_FICTITIOUS};
    if (kind >= DRAWN)
        bench_must(scree_stochastic_create(world, &drawn, &engine));
    else
        bench_must(
            scree_event_create(world, &(struct scree_event_def){.step = kind > SOFT ? 0.1 : 0.5}, &engine));
    return engine;
}

static void run_hard(struct scree_world *world, double fraction, const char *name, enum kind kind, size_t per)
{
    const double n = (double)scree_body_count(world);
    struct scree_engine *engine = make_engine(world, kind);
    struct scree_event_counts before, after;
    size_t memory;
    collide(engine, 0, (uint64_t)(20 * n), &before);
    const double begun = bench_cpu_time(), start = scree_world_time(world);
    collide(engine, before.pairs, (uint64_t)((double)per * n), &after);
    const double spent = bench_cpu_time() - begun, time = scree_world_time(world) - start;
    bench_must(scree_event_memory(engine, &memory));
    // each collision with a fictitious partner counts for one body
    const double collisions = (double)(after.pairs - before.pairs) / (kind == PARTNERS ? 2 : 1);
    printf("# %8s %8s %8s %10s %8s %10s %9s %9s %8s %9s\n", "spheres", "fraction", "kind", "collisions",
           "rate", "Enskog", "predicted", "rebuilt", "bytes", "speed");
    printf("  %8.0f %8.3f %8s %10.0f %8.3f %10.4f %9.2f %9.3f %8.0f %9.4f\n", n, fraction, name, collisions,
           1e-6 * collisions / spent, collisions / time / enskog_rate(n, fraction, temperature(world)),
           (double)(after.predictions - before.predictions) / collisions,
           (double)(after.rebuilds - before.rebuilds) / collisions, (double)memory / n, time / spent);
    scree_engine_destroy(engine);
}

static void run_soft(struct scree_world *world, double fraction, const char *kind, size_t per)
{
    const double n = (double)scree_body_count(world),
                 duration = (double)per * n / enskog_rate(n, fraction, temperature(world));
    struct scree_engine *engine;
    double step;
    bench_must(scree_soft_create(world, &(struct scree_soft_def){.threads = 1}, &engine));
    bench_must(scree_engine_run_until(engine, 0.1 * duration));
    const double begun = bench_cpu_time(), start = scree_world_time(world);
    bench_must(scree_engine_run_until(engine, 1.1 * duration));
    const double spent = bench_cpu_time() - begun, time = scree_world_time(world) - start;
    bench_must(scree_engine_step(engine, &step));
    printf("# %8s %8s %8s %10s %8s %9s\n", "spheres", "fraction", "kind", "steps", "ns", "speed");
    printf("  %8.0f %8.3f %8s %10.0f %8.1f %9.4f\n", n, fraction, kind, time / step,
           1e9 * spent / (n * time / step), time / spent);
    scree_engine_destroy(engine);
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = {"smooth",   "rough", "soft",    "sheared",
                                        "strained", "drawn", "partners"};
    int kind = 0;
    while (argc >= 4 && kind <= PARTNERS && strcmp(argv[3], kinds[kind]) != 0)
        ++kind;
    if (argc < 4 || kind > PARTNERS) {
        fprintf(stderr, "usage: bench-event CELLS FRACTION smooth|rough|soft|sheared|strained|drawn|partners "
                        "[COLLISIONS]\n");
        return 2;
    }
    const size_t cells = bench_number(argv[1], 1, 200),
                 per = argc > 4 ? bench_number(argv[4], 1, 100000) : 50;
    struct scree_world *world = make_world(cells, atof(argv[2]), (enum kind)kind);
    if (kind == SOFT)
        run_soft(world, atof(argv[2]), argv[3], per);
    else
        run_hard(world, atof(argv[2]), argv[3], (enum kind)kind, per);
    scree_world_destroy(world);
    return 0;
}
