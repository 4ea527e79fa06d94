// Speed of a settled bed of rounded cubes.
//
//   bench-blocks [TILE [THREADS [STEPS [WARM]]]]   the bed of 1,000 cubes, repeated TILE x TILE times
//   bench-blocks settle FILE                       settles the bed and writes it: x y z, and the orientation
//
// Density, gravity and the edge of a cube are 1. `ns` is the median over up to twenty runs, per cube and
// step, in processor time on one thread, in wall-clock time on more; `per s` are steps per second. `pairs`
// are pairs of cubes that touch, `contacts` all contacts between them.

#include "internals.h"
#include "scene.h"

enum { CUBES = 1000, PER_ROW = 6, MIN_STEPS = 5 };
static const double side = 10, spacing = 10.0 / PER_ROW, step = 2e-3, settling_time = 28, final_time = 4;
static const double rounding = 0.05;
static const char *const packing = "bench/data/blocks-1k.xyzq.gz";

struct blocks {
    struct scree_world *world;
    scree_material_id material;
    scree_shape_id cube;
};

static struct blocks make_world(int tile)
{
    static const struct scree_interaction_value values[] = {{"friction", 0.5, NULL},
                                                            {"stiffness", 5e3, NULL},
                                                            {"stiffness-tangential", 5e3 * 2 / 7, NULL},
                                                            {"restitution", 0.3, NULL}};
    static const struct scree_interaction_def law = {
        .law = "linear", .values = values, .count = sizeof values / sizeof values[0]};
    static const double length[3] = {1, 1, 1};
    struct blocks blocks;
    const struct scree_world_def def = {.gravity = {0, 0, -1}};
    const struct scree_cell_def cell = {.upper = {side * tile, side * tile, 1000},
                                        .periodic = {true, true, false}};
    scree_wall_id floor;
    bench_must(scree_world_create(&def, &blocks.world));
    bench_must(scree_material_add(blocks.world, &(struct scree_material_def){.name = "block", .density = 1},
                                  &blocks.material));
    bench_must(scree_interaction_add(blocks.world, &law));
    bench_must(scree_cell_set(blocks.world, &cell));
    bench_must(scree_polyhedron_add_box(blocks.world, length, rounding, &blocks.cube));
    bench_must(scree_wall_add(blocks.world,
                              &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                       .material = blocks.material,
                                                       .plane = {{0, 0, 0}, {0, 0, 1}}},
                              &floor));
    return blocks;
}

static void add_cube(const struct blocks *blocks, const double position[3], const double q[4])
{
    struct scree_polyhedron_def def = {.shape = blocks->cube, .material = blocks->material};
    scree_body_id id;
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.orientation, q, sizeof def.orientation);
    bench_must(scree_polyhedron_add(blocks->world, &def, &id));
}

static struct scree_engine *make_engine(const struct blocks *blocks, int threads, double viscous)
{
    struct scree_engine *engine;
    struct scree_soft_def def = {.step = step, .threads = threads, .damping = {.viscous = viscous}};
    def.alarms.policy[SCREE_ALARM_STEP] = SCREE_ALARM_IGNORE;
    // when the column falls, the cores of a few pairs are pressed into each other and stay so
    def.alarms.policy[SCREE_ALARM_OVERLAP] = SCREE_ALARM_IGNORE;
    bench_must(scree_soft_create(blocks->world, &def, &engine));
    return engine;
}

// --- settling

static void settle(const char *path)
{
    const struct blocks blocks = make_world(1);
    uint64_t state = 1;
    for (int i = 0; i < CUBES; ++i) {
        const int layer = i / (PER_ROW * PER_ROW), row = i / PER_ROW % PER_ROW, column = i % PER_ROW;
        const double position[3] = {spacing * (column + 0.5), spacing * (row + 0.5), spacing * (layer + 0.6)};
        double q[4], square;
        do {
            square = 0;
            for (int k = 0; k < 4; ++k) {
                q[k] = bench_draw(&state);
                square += q[k] * q[k];
            }
        } while (square > 1 || square < 0.01);
        add_cube(&blocks, position, q);
    }
    struct scree_engine *engine = make_engine(&blocks, 1, 0.5);
    bench_must(scree_engine_run(engine, (size_t)(settling_time / step)));
    scree_engine_destroy(engine);
    engine = make_engine(&blocks, 1, 0);
    bench_must(scree_engine_run(engine, (size_t)(final_time / step)));
    scree_engine_destroy(engine);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    for (uint64_t i = 1; i <= CUBES; ++i) {
        struct scree_body_state body;
        bench_must(scree_body_get(blocks.world, (scree_body_id){i}, &body));
        fprintf(file, "%.6f %.6f %.6f %.6f %.6f %.6f %.6f\n", body.position[0], body.position[1],
                body.position[2], body.orientation[0], body.orientation[1], body.orientation[2],
                body.orientation[3]);
    }
    fclose(file);
    scree_world_destroy(blocks.world);
}

// --- timing

static void add_bed(const struct blocks *blocks, int tile)
{
    char line[512];
    snprintf(line, sizeof line, "gzip -dc '%s'", packing);
    FILE *file = popen(line, "r");
    double position[3], q[4];
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf", &position[0], &position[1], &position[2], &q[0],
                   &q[1], &q[2], &q[3]) != 7)
            continue;
        for (int t = 0; t < tile * tile; ++t)
            add_cube(blocks,
                     (const double[3]){position[0] + side * (t / tile), position[1] + side * (t % tile),
                                       position[2]},
                     q);
    }
    if (!file || pclose(file) != 0 || scree_body_count(blocks->world) == 0) {
        fprintf(stderr, "bench: cannot read %s: run at the root of the tree\n", packing);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "settle") == 0) {
        settle(argv[2]);
        return 0;
    }
    if (argc > 5) {
        fprintf(stderr, "usage: bench-blocks [TILE [THREADS [STEPS [WARM]]]] | settle FILE\n");
        return 2;
    }
    const int tile = argc > 1 ? (int)bench_number(argv[1], 1, 100) : 1;
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, 1024) : 1;
    size_t steps = argc > 3 ? bench_number(argv[3], 1, 1000000000) : 100;
    const size_t warm_up = argc > 4 ? bench_number(argv[4], 1, 1000000000) : 20;
    const struct blocks blocks = make_world(tile);
    add_bed(&blocks, tile);
    struct scree_engine *engine = make_engine(&blocks, threads, 0);
    bench_must(scree_engine_run(engine, warm_up));
    const uint64_t searches = internals_collider(engine)->search.searches;
    const double per_step = scene_time_step(engine, threads, MIN_STEPS, &steps);
    const struct scree_outside_contacts *outside = &blocks.world->contacts.outside;
    size_t pairs = 0, contacts = 0;
    for (size_t p = 0; p < outside->pairs; ++p)
        if (outside->wall[p] == 0) {
            pairs += outside->live[p] > 0;
            contacts += outside->live[p];
        }
    const double cubes = (double)scree_body_count(blocks.world);
    printf("#  cubes threads  steps       ns    per s     pairs  contacts searches\n");
    printf("%8.0f %7d %6zu %8.0f %8.2f %9.3f %9.3f %8llu\n", cubes, threads, steps, 1e9 * per_step / cubes,
           1 / per_step, 2 * (double)pairs / cubes, 2 * (double)contacts / cubes,
           (unsigned long long)(internals_collider(engine)->search.searches - searches));
    scree_engine_destroy(engine);
    scree_world_destroy(blocks.world);
    return 0;
}
