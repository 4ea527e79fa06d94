// Time to add and to remove clumps one by one, per pebble: it must not grow with the number of clumps.
//
//   bench-clump-edits [CLUMPS]   up to this number of clumps, default 100,000
//
// Columns: clumps, pebbles of each, then ns of processor time per pebble: to add all clumps, to remove every
// second one while they touch each other, to add a tenth of them again, and to remove the rest.

#include "bench.h"

#include <scree/scree.h>

#include <math.h>

enum { MAX_PEBBLES = 12 };

struct lattice {
    struct scree_world *world;
    struct scree_clump_def def;
    struct scree_pebble pebble[MAX_PEBBLES];
    scree_body_id *id;
    int count, side;
};

static void make_world(struct lattice *lattice, int pebbles)
{
    static const struct scree_interaction_value values[] = {{"friction", 0.5, NULL},
                                                            {"restitution", 0.5, NULL}};
    scree_material_id material;
    bench_must(scree_world_create(&(struct scree_world_def){0}, &lattice->world));
    bench_must(scree_material_add(lattice->world, &(struct scree_material_def){"m", 2000}, &material));
    bench_must(scree_material_set(lattice->world, material, "young", 1e7));
    bench_must(scree_material_set(lattice->world, material, "poisson", 0.3));
    bench_must(scree_interaction_add(
        lattice->world,
        &(struct scree_interaction_def){.law = "hertz-mindlin", .values = values, .count = 2}));
    for (int p = 0; p < pebbles; ++p)
        lattice->pebble[p] =
            (struct scree_pebble){.offset = {0.01 * (p - 0.5 * (pebbles - 1)), 0, 0}, .radius = 0.02};
    lattice->def =
        (struct scree_clump_def){.body = {.mass = 1, .inertia = {1e-3, 2e-3, 2e-3}, .material = material},
                                 .pebble = lattice->pebble,
                                 .pebbles = (size_t)pebbles,
                                 .equal_radius = 0.03};
}

// Adds clump `i`, which touches those above and below it.
static void add(struct lattice *lattice, int i)
{
    const int side = lattice->side;
    lattice->def.body.position[0] = 0.2 * (i % side);
    lattice->def.body.position[1] = 0.2 * (i / side % side);
    lattice->def.body.position[2] = 0.0399 * (i / side / side);
    bench_must(scree_body_add_clump(lattice->world, &lattice->def, &lattice->id[i]));
}

// Adds or removes every `stride` th clump from `first` on; returns the time per pebble, ns.
static double edit(struct lattice *lattice, int first, int stride, bool adds)
{
    const double begun = bench_cpu_time();
    int edited = 0;
    for (int i = first; i < lattice->count; i += stride, ++edited)
        if (adds)
            add(lattice, i);
        else
            bench_must(scree_body_remove(lattice->world, lattice->id[i]));
    return 1e9 * (bench_cpu_time() - begun) / edited / (double)lattice->def.pebbles;
}

static void measure(int count, int pebbles)
{
    struct lattice lattice = {.count = count, .side = (int)ceil(cbrt(count))};
    struct scree_engine *engine;
    lattice.id = malloc((size_t)count * sizeof *lattice.id);
    if (!lattice.id)
        exit(1);
    make_world(&lattice, pebbles);
    const double added = edit(&lattice, 0, 1, true);
    bench_must(
        scree_soft_create(lattice.world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    bench_must(scree_engine_run(engine, 3));
    const double removed = edit(&lattice, 0, 2, false);
    bench_must(scree_engine_run(engine, 1));
    const double again = edit(&lattice, 0, 20, true), rest = edit(&lattice, 1, 2, false);
    printf("%8d %8d %8.0f %8.0f %8.0f %8.0f\n", count, pebbles, added, removed, again, rest);
    scree_engine_destroy(engine);
    scree_world_destroy(lattice.world);
    free(lattice.id);
}

int main(int count, char **arguments)
{
    const int most = count > 1 ? atoi(arguments[1]) : 100000;
    printf("  clumps  pebbles      add   remove    again     rest\n");
    for (int clumps = most / 8; clumps <= most && clumps > 0; clumps *= 2)
        for (int pebbles = 3; pebbles <= MAX_PEBBLES; pebbles *= 4)
            measure(clumps, pebbles);
    return 0;
}
