// Speed of a bonded lattice: spheres of diameter 1 at the places of a face-centred cubic lattice in a
// periodic cell, each bonded to its twelve neighbours by parallel bonds, with random velocities.
//
//   bench-bonds [CELLS [THREADS [STEPS [WARM]]]]   CELLS cubic cells along each axis, of 24 bonds each
//
// `ns` is the median over up to twenty runs, per bond and step, in processor time on one thread, in
// wall-clock time on more. `elongation` is the largest of the first thousand bonds, which shows that they are
// loaded. yade/bonds.py is the same lattice for Yade.

#include "internals.h"
#include "scene.h"

enum { MIN_STEPS = 10, MIN_CELLS = 3, MAX_CELLS = 100 };
// the section of a bond has half of the radius of a sphere
static const double young = 1e5, stiffness_ratio = 2, section = 0.25, step = 1e-4, speed = 1e-2;

static struct scree_world *make_world(size_t cells)
{
    // distance of neighbours 1
    const double edge = sqrt(2), side = edge * (double)cells;
    static const double base[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    struct scree_world *world;
    scree_material_id material;
    bench_must(scree_world_create(&(struct scree_world_def){0}, &world));
    bench_must(scree_cell_set(
        world, &(struct scree_cell_def){.upper = {side, side, side}, .periodic = {true, true, true}}));
    bench_must(
        scree_material_add(world, &(struct scree_material_def){.name = "grain", .density = 1}, &material));
    bench_must(scree_world_reserve(world, 4 * cells * cells * cells));
    uint64_t random = 1;
    for (size_t c = 0; c < cells * cells * cells; ++c)
        for (int b = 0; b < 4; ++b) {
            const double corner[3] = {(double)(c / cells / cells), (double)(c / cells % cells),
                                      (double)(c % cells)};
            struct scree_sphere_def def = {.radius = 0.5, .material = material};
            scree_body_id id;
            for (int k = 0; k < 3; ++k) {
                def.position[k] = edge * (corner[k] + base[b][k] + 0.25);
                def.velocity[k] = speed * bench_draw(&random);
            }
            bench_must(scree_body_add_sphere(world, &def, &id));
        }
    return world;
}

// Id of a sphere by the doubled coordinates of its place in the lattice, which wrap.
static scree_body_id at(size_t cells, size_t x, size_t y, size_t z)
{
    const size_t period = 2 * cells;
    x %= period, y %= period, z %= period;
    const size_t cell = (x / 2 * cells + y / 2) * cells + z / 2;
    const size_t base = x % 2 == 0 ? (y % 2 == 0 ? 0 : 1) : y % 2 == 0 ? 2 : 3;
    return (scree_body_id){4 * cell + base + 1};
}

static void add_bonds(struct scree_world *world, size_t cells)
{
    // half of the neighbours; the others are those of the neighbours
    static const int half[6][3] = {{0, 1, 1}, {0, 1, -1}, {1, 0, 1}, {1, 0, -1}, {1, 1, 0}, {1, -1, 0}};
    const size_t period = 2 * cells;
    for (size_t c = 0; c < period * period * period; ++c) {
        const size_t x = c / period / period, y = c / period % period, z = c % period;
        if ((x + y + z) % 2 != 0)
            continue;
        for (int n = 0; n < 6; ++n) {
            const struct scree_bond_def def = {
                .kind = SCREE_BOND_PARALLEL,
                .side = {{at(cells, x, y, z), 0},
                         {at(cells, x + (size_t)half[n][0], y + (size_t)half[n][1] + period,
                             z + (size_t)half[n][2] + period),
                          0}},
                .radius = section,
                .young = young,
                .stiffness_ratio = stiffness_ratio,
                .tensile_strength = 1e6,
                .shear_strength = 1e6,
                .moment_factor = 1,
                .touching = SCREE_BOND_TOUCHING_EXCLUDED};
            scree_bond_id id;
            bench_must(scree_bond_add(world, &def, &id));
        }
    }
}

// Largest elongation of the first bonds, to show that they are loaded.
static double largest_elongation(const struct scree_world *world)
{
    scree_bond_id id[1000];
    size_t all;
    double largest = 0;
    bench_must(scree_bond_list(world, id, 1000, &all));
    for (size_t b = 0; b < 1000 && b < all; ++b) {
        struct scree_bond_state state;
        bench_must(scree_bond_get(world, id[b], &state));
        largest = fabs(state.elongation) > largest ? fabs(state.elongation) : largest;
    }
    return largest;
}

int main(int argc, char **argv)
{
    if (argc > 5) {
        fprintf(stderr, "usage: bench-bonds [CELLS [THREADS [STEPS [WARM]]]]\n");
        return 2;
    }
    const size_t cells = argc > 1 ? bench_number(argv[1], MIN_CELLS, MAX_CELLS) : 35;
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, 1024) : 1;
    size_t steps = argc > 3 ? bench_number(argv[3], 1, 1000000000) : 200;
    const size_t warm_up = argc > 4 ? bench_number(argv[4], 1, 1000000000) : 40;
    struct scree_world *world = make_world(cells);
    add_bonds(world, cells);
    struct scree_engine *engine;
    bench_must(scree_soft_create(world, &(struct scree_soft_def){.step = step, .threads = threads}, &engine));
    bench_must(scree_engine_run(engine, warm_up));
    const double per_step = scene_time_step(engine, threads, MIN_STEPS, &steps),
                 bonds = (double)scree_bond_count(world);
    printf("#  bonds spheres threads  steps       ns elongation\n%8.0f %7zu %7d %6zu %8.2f %10.2e\n", bonds,
           scree_body_count(world), threads, steps, 1e9 * per_step / bonds, largest_elongation(world));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return 0;
}
