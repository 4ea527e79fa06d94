// Speed of the event engine with rigid bodies made of spheres, in a periodic cube.
//
//   bench-event-clumps CELLS FRACTION dimers|trimers [COLLISIONS]
//
// `dimers`: two spheres in touch, 4 CELLS^3 of them. `trimers`: three equal spheres on a triangle with two
// equal sides, which have three different principal moments, 180 CELLS^3 of them. All are smooth and elastic,
// and start in order with random velocities and spins. After 10 collisions per body they are timed for
// COLLISIONS per body (30). `rate` is in thousand collisions per second of processor time.

#include "bench.h"

#include <scree/scree.h>

#include <math.h>

// Spheres of one radius in principal axes, the numbers of bodies along the edges, over CELLS, and moments
// over the mass.
struct shape {
    const char *name;
    size_t spheres, count[3];
    double radius, offset[3][3], inertia[3];
};

static const struct shape shapes[] = {
    {"dimers", 2, {1, 2, 2}, 0.5, {{-0.5}, {0.5}}, {0.1, 0.35, 0.35}},
    {"trimers",
     3,
     {5, 4, 9},
     0.3,
     {{-0.15, -0.35}, {-0.15, 0.35}, {0.3}},
     {0.036 + 0.245 / 3, 0.036 + 0.045, 0.036 + 0.245 / 3 + 0.045}},
};

static struct scree_world *make_world(size_t cells, double fraction, const struct shape *shape)
{
    const double r = shape->radius, volume = 4 * acos(-1) / 3 * r * r * r * (double)shape->spheres;
    struct scree_world *world;
    scree_material_id material;
    struct scree_pebble pebble[3] = {{.radius = r}, {.radius = r}, {.radius = r}};
    size_t count[3], n = 1;
    uint64_t seed = 1;
    for (int k = 0; k < 3; ++k) {
        count[k] = shape->count[k] * cells;
        n *= count[k];
    }
    const double side = cbrt((double)n * volume / fraction);
    const struct scree_interaction_value values[] = {{"restitution", 1, NULL}, {"friction", 0, NULL}};
    bench_must(scree_world_create(&(struct scree_world_def){.gravity = {0}}, &world));
    bench_must(scree_cell_set(
        world, &(struct scree_cell_def){.upper = {side, side, side}, .periodic = {true, true, true}}));
    bench_must(
        scree_material_add(world, &(struct scree_material_def){.name = "ball", .density = 1}, &material));
    bench_must(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    for (size_t p = 0; p < shape->spheres; ++p)
        memcpy(pebble[p].offset, shape->offset[p], sizeof pebble[p].offset);
    for (size_t i = 0; i < n; ++i) {
        const size_t at[3] = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]};
        struct scree_clump_def def = {.body = {.mass = 1, .material = material, .orientation = {1}},
                                      .pebble = pebble,
                                      .pebbles = shape->spheres,
                                      .equal_radius = r * cbrt((double)shape->spheres)};
        scree_body_id id;
        for (int k = 0; k < 3; ++k) {
            def.body.inertia[k] = shape->inertia[k];
            def.body.position[k] = ((double)at[k] + 0.5) * side / (double)count[k];
            def.body.velocity[k] = bench_draw(&seed);
            def.body.spin[k] = bench_draw(&seed);
        }
        bench_must(scree_body_add_clump(world, &def, &id));
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

int main(int argc, char **argv)
{
    size_t s = 0;
    while (argc >= 4 && s < 2 && strcmp(argv[3], shapes[s].name) != 0)
        ++s;
    if (argc < 4 || s == 2) {
        fprintf(stderr, "usage: bench-event-clumps CELLS FRACTION dimers|trimers [COLLISIONS]\n");
        return 2;
    }
    const size_t cells = bench_number(argv[1], 1, 100),
                 per = argc > 4 ? bench_number(argv[4], 1, 100000) : 30;
    struct scree_world *world = make_world(cells, atof(argv[2]), &shapes[s]);
    const size_t n = scree_body_count(world);
    struct scree_engine *engine;
    struct scree_event_counts before, after;
    bench_must(scree_event_create(world, &(struct scree_event_def){.step = 0.5}, &engine));
    collide(engine, 0, 10 * n, &before);
    const double begun = bench_cpu_time();
    collide(engine, before.pairs, per * n, &after);
    const double spent = bench_cpu_time() - begun, collisions = (double)(after.pairs - before.pairs);
    printf("# %8s %8s %8s %10s %8s %9s %9s\n", "bodies", "fraction", "kind", "collisions", "rate",
           "predicted", "rebuilt");
    printf("  %8zu %8.3f %8s %10.0f %8.1f %9.2f %9.3f\n", n, atof(argv[2]), argv[3], collisions,
           1e-3 * collisions / spent, (double)(after.predictions - before.predictions) / collisions,
           (double)(after.rebuilds - before.rebuilds) / collisions);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return 0;
}
