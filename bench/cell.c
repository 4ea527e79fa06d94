// Speed of a dense packing of spheres in a periodic cell: a box, a cell with cell vectors, and simple shear.
//
//   bench-cell make FILE                    makes the packing: 30,000 spheres x y z r, in a cube
//   bench-cell FILE KIND [STEPS [WARM]]     KIND: box; still, with cell vectors; shear; or all in turns
//
// The cube has the side 29.4. Density and diameter are 1, the law is that of the beds of scene.h, the step
// 5e-4, the shear rate 0.1. `ns` is processor time of one thread, per sphere and step.

#include "internals.h"
#include "scene.h"

enum { SITES = 32, SPHERES = 30000, CHUNK = 100 };

// solid fraction 0.618
static const double side = 29.4, shear_rate = 0.1, step = 5e-4;

struct cell {
    struct scree_world *world;
    struct scree_engine *engine;
    size_t steps, searches;
    double seconds; // processor time
};

static struct scene begin(void)
{
    static const struct scene_row row = {.law = SCENE_BED};
    struct scene scene = {.row = &row};
    bench_must(scree_world_create(&(struct scree_world_def){.gravity = {0}}, &scene.world));
    scene.grain = scene_material(&scene, "grain");
    scene.base = scene_material(&scene, "base");
    scene.ball = scene_material(&scene, "ball");
    scene_add_law(&scene);
    return scene;
}

static void set_box(const struct scene *scene, double width)
{
    bench_must(scree_cell_set(scene->world, &(struct scree_cell_def){.upper = {width, width, width},
                                                                     .periodic = {true, true, true}}));
}

static struct scree_engine *engine_of(const struct scene *scene)
{
    struct scree_engine *engine;
    const struct scree_soft_def def = {.step = step, .threads = 1, .alarms.overlap = 1};
    bench_must(scree_soft_create(scene->world, &def, &engine));
    return engine;
}

static double coordination(const struct scree_world *world)
{
    return 2 * (double)scree_contact_count(world) / SPHERES;
}

// --- the packing

// Spheres at some sites of a loose lattice, with random velocities.
static void scatter(const struct scene *scene)
{
    const int sites = SITES * SITES * SITES;
    uint64_t seed = 1;
    set_box(scene, SITES);
    for (int g = 0; g < SPHERES; ++g) {
        const int at = (int)((int64_t)g * sites / SPHERES);
        const struct scree_sphere_def sphere = {
            .radius = 0.5,
            .material = scene->grain,
            .position = {at % SITES + 0.5, at / SITES % SITES + 0.5, at / SITES / SITES + 0.5},
            .velocity = {bench_draw(&seed), bench_draw(&seed), bench_draw(&seed)}};
        scree_body_id id;
        bench_must(scree_body_add_sphere(scene->world, &sphere, &id));
    }
}

static void write_packing(const struct scree_world *world, const char *path)
{
    FILE *file = fopen(path, "w");
    for (uint64_t id = 1; file && id <= SPHERES; ++id) {
        struct scree_body_state state;
        bench_must(scree_body_get(world, (scree_body_id){id}, &state));
        fprintf(file, "%.10g %.10g %.10g %.10g\n", state.position[0], state.position[1], state.position[2],
                state.radius);
    }
    if (!file || fclose(file) != 0) {
        fprintf(stderr, "bench-cell: cannot write %s\n", path);
        exit(1);
    }
}

// Compresses the spheres by the deformation of the cell, in which every step has the factor (1 - e/2)/(1 +
// e/2), and lets them come to rest.
static void make(const char *path)
{
    const int steps = 6000;
    const double rate = 2 / step * tanh(0.5 * log(SITES / side) / steps),
                 squeeze[9] = {-rate, 0, 0, 0, -rate, 0, 0, 0, -rate}, none[9] = {0};
    struct scene scene = begin();
    scatter(&scene);
    struct scree_engine *engine = engine_of(&scene);
    bench_must(scree_cell_deform(scene.world, squeeze));
    bench_must(scree_engine_run(engine, (uint64_t)steps));
    bench_must(scree_cell_deform(scene.world, none));
    bench_must(scree_engine_run(engine, 2000));
    struct scree_cell_state cell;
    double stress[9];
    bench_must(scree_cell_get_state(scene.world, &cell));
    bench_must(scree_measure_stress(scene.world, NULL, stress));
    write_packing(scene.world, path);
    printf("# side %.6f, %.3f contacts per sphere, pressure %.3g\n", cell.vectors[0],
           coordination(scene.world), -(stress[0] + stress[4] + stress[8]) / 3);
    scree_engine_destroy(engine);
    scree_world_destroy(scene.world);
}

// --- timing

static struct cell start(const char *path, const char *kind)
{
    struct scene scene = begin();
    size_t count;
    struct scene_sphere *sphere = scene_read(path, &count);
    bench_must(scree_world_reserve(scene.world, count));
    for (size_t i = 0; i < count; ++i) {
        struct scree_sphere_def def = {.radius = sphere[i].radius, .material = scene.grain};
        scree_body_id id;
        memcpy(def.position, sphere[i].position, sizeof def.position);
        bench_must(scree_body_add_sphere(scene.world, &def, &id));
    }
    free(sphere);
    set_box(&scene, side);
    const double gradient[9] = {0, strcmp(kind, "shear") == 0 ? shear_rate : 0, 0, 0, 0, 0, 0, 0, 0};
    if (strcmp(kind, "box") != 0)
        bench_must(scree_cell_deform(scene.world, gradient));
    return (struct cell){.world = scene.world, .engine = engine_of(&scene)};
}

static void advance(struct cell *cell, size_t steps)
{
    const uint64_t searches = internals_collider(cell->engine)->search.searches;
    const double begun = bench_cpu_time();
    bench_must(scree_engine_run(cell->engine, steps));
    cell->seconds += bench_cpu_time() - begun;
    cell->searches += (size_t)(internals_collider(cell->engine)->search.searches - searches);
    cell->steps += steps;
}

static void finish(struct cell *cell, const char *kind)
{
    const double n = (double)scree_body_count(cell->world);
    printf("%-6s %8.0f %6zu %8.2f %9.3f %8zu\n", kind, n, cell->steps,
           1e9 * cell->seconds / (n * (double)cell->steps), coordination(cell->world), cell->searches);
    scree_engine_destroy(cell->engine);
    scree_world_destroy(cell->world);
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = {"box", "still", "shear"};
    if (argc == 3 && strcmp(argv[1], "make") == 0) {
        make(argv[2]);
        return 0;
    }
    const size_t steps = argc > 3 ? bench_number(argv[3], CHUNK, 1000000000) : 1000;
    const size_t warm = argc > 4 ? bench_number(argv[4], 1, 1000000000) : 200;
    const bool turns = argc > 2 && strcmp(argv[2], "turns") == 0;
    struct cell cell[3] = {{NULL, NULL, 0, 0, 0}};
    bool chosen[3] = {false, false, false}, any = false;
    for (int k = 0; k < 3 && argc > 2 && argc <= 5; ++k) {
        chosen[k] = turns || strcmp(argv[2], kinds[k]) == 0;
        any = any || chosen[k];
    }
    if (!any) {
        fprintf(stderr,
                "usage: bench-cell make FILE | bench-cell FILE box|still|shear|turns [STEPS [WARM]]\n");
        return 2;
    }
    printf("# %-4s %8s %6s %8s %9s %8s\n", "cell", "spheres", "steps", "ns", "contacts", "searches");
    for (int k = 0; k < 3; ++k)
        if (chosen[k]) {
            cell[k] = start(argv[1], kinds[k]);
            bench_must(scree_engine_run(cell[k].engine, warm));
        }
    for (size_t done = 0; done < steps; done += CHUNK)
        for (int k = 0; k < 3; ++k)
            if (chosen[k])
                advance(&cell[k], CHUNK);
    for (int k = 0; k < 3; ++k)
        if (chosen[k])
            finish(&cell[k], kinds[k]);
    return 0;
}
