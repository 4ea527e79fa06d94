// The workloads of the benches, made with the public interface only.
//
// Density, gravity and the common diameter are 1. The laws are those of the decks in lammps/, with lever arms
// equal to radii.
#ifndef SCREE_BENCH_SCENE_H
#define SCREE_BENCH_SCENE_H

#include "bench.h"

#include <scree/scree.h>

#include <math.h>

enum scene_law { SCENE_BED, SCENE_CHUTE, SCENE_GAS };

struct scene_row {
    const char *name, *packing;
    enum scene_law law;
    double side[2]; // of the periodic box; for the gas it follows from the number of spheres
    int tile;       // the packing is repeated tile x tile times
    double step;
    size_t warm_up, steps; // untimed steps before the timed ones, and timed steps
    double cut_height;     // spheres with centres above are left out
    bool balls;
    double
        column_width; // width of the column cut out of the bed, with a gap of one diameter beside it; 0: all
};

#define SCENE_ONE_SIZE "bench/data/bed-30k.xyzr.gz"
#define SCENE_SIZES_4 "bench/data/bed-30k-sizes-1to4.xyzr.gz"
#define SCENE_SIZES_20 "bench/data/bed-sizes-1to20.xyzr.gz"
#define SCENE_FLOW "bench/data/chute-32k.xyzrv.gz"
#define SCENE_GAS_PACKING "build/bench/gas-100k.xyzrv.gz"
static const struct scene_row scene_rows[] = {
    {"chute-32k", SCENE_FLOW, SCENE_CHUTE, {40, 20}, 1, 1e-4, 200, 2000, 1e9, false, 0},
    {"bed-30k", SCENE_ONE_SIZE, SCENE_BED, {30, 30}, 1, 5e-4, 200, 1000, 1e9, false, 0},
    {"bed-120k", SCENE_ONE_SIZE, SCENE_BED, {30, 30}, 2, 5e-4, 200, 400, 1e9, false, 0},
    {"bed-1080k", SCENE_ONE_SIZE, SCENE_BED, {30, 30}, 6, 5e-4, 40, 40, 1e9, false, 0},
    {"sizes-1to4", SCENE_SIZES_4, SCENE_BED, {30, 30}, 1, 2.5e-4, 200, 1000, 1e9, false, 0},
    {"sizes-1to20", SCENE_SIZES_20, SCENE_BED, {30, 30}, 1, 2.5e-4, 200, 400, 1e9, false, 0},
    {"gas-100k", SCENE_GAS_PACKING, SCENE_GAS, {0, 0}, 1, 5e-4, 200, 1000, 1e9, false, 0},
    {"bed-100", SCENE_ONE_SIZE, SCENE_BED, {5, 5}, 1, 5e-4, 200, 40000, 6, false, 4},
    {"bed-1k", SCENE_ONE_SIZE, SCENE_BED, {6.5, 6.5}, 1, 5e-4, 200, 10000, 1e9, false, 5.5},
    {"bed-2k", SCENE_ONE_SIZE, SCENE_BED, {8.7, 8.7}, 1, 5e-4, 200, 10000, 1e9, false, 7.7},
    {"bed-5k", SCENE_ONE_SIZE, SCENE_BED, {13.2, 13.2}, 1, 5e-4, 200, 4000, 1e9, false, 12.2},
    {"flat-300k", SCENE_ONE_SIZE, SCENE_BED, {30, 30}, 7, 5e-4, 200, 100, 6, false, 0},
    {"balls-300k", SCENE_ONE_SIZE, SCENE_BED, {30, 30}, 7, 5e-4, 200, 100, 6, true, 0},
};
enum { SCENE_ROWS = sizeof scene_rows / sizeof scene_rows[0] };

struct scene_sphere {
    double position[3], radius, velocity[3], fixed;
};

// Balls 100 times larger than the grains of a flat bed: grains per ball, balls per row, and the depth to
// which each is pressed in during the untimed steps.
enum { SCENE_GRAINS_PER_BALL = 20000, SCENE_BALLS_PER_ROW = 4, SCENE_MAX_BALLS = 16 };
static const double scene_ball_radius = 50, scene_ball_depth = 2, scene_ball_sinking = 0.1;

struct scene {
    const struct scene_row *row;
    struct scree_world *world;
    size_t bodies;
    scree_material_id grain, base, ball; // flowing grains, fixed base, large balls
    scree_body_id balls[SCENE_MAX_BALLS];
    size_t ball_count;
};

static inline const struct scene_row *scene_find(const char *name)
{
    for (size_t s = 0; s < SCENE_ROWS; ++s)
        if (strcmp(scene_rows[s].name, name) == 0)
            return &scene_rows[s];
    fprintf(stderr, "bench: there is no workload '%s'; there are", name);
    for (size_t s = 0; s < SCENE_ROWS; ++s)
        fprintf(stderr, " %s", scene_rows[s].name);
    fprintf(stderr, "\n");
    exit(2);
}

// Reads a packing: x y z r, then vx vy vz, then whether the sphere is fixed.
static inline struct scene_sphere *scene_read(const char *packing, size_t *count)
{
    char line[512];
    snprintf(line, sizeof line, "gzip -dc '%s'", packing);
    FILE *file = popen(line, "r");
    struct scene_sphere *sphere = NULL;
    size_t capacity = 0;
    *count = 0;
    while (file && fgets(line, sizeof line, file)) {
        struct scene_sphere s = {{0}, 0, {0}, 0};
        const int numbers =
            sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf", &s.position[0], &s.position[1], &s.position[2],
                   &s.radius, &s.velocity[0], &s.velocity[1], &s.velocity[2], &s.fixed);
        if (numbers < 4)
            continue;
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            sphere = (struct scene_sphere *)realloc(sphere, capacity * sizeof *sphere);
            if (!sphere)
                break;
        }
        sphere[(*count)++] = s;
    }
    if (!file || pclose(file) != 0 || *count == 0) {
        fprintf(stderr, "bench: cannot read %s: run at the root of the tree; bench/run makes the gas\n",
                packing);
        exit(1);
    }
    return sphere;
}

static inline void scene_add_law(struct scene *scene)
{
    static const struct scree_interaction_value bed[] = {{"friction", 0.3, NULL},
                                                         {"stiffness", 73260.073, NULL},
                                                         {"stiffness-tangential", 90497.738, NULL},
                                                         {"damping-normal", 1000, NULL},
                                                         {"damping-tangential", 500, NULL},
                                                         {"coulomb-limit", 0, "absolute"},
                                                         {"arms", 0, "radius"}};
    static const struct scree_interaction_value chute[] = {{"friction", 0.5, NULL},
                                                           {"stiffness", 2e5, NULL},
                                                           {"stiffness-tangential", 2e5 * 2 / 7, NULL},
                                                           {"damping-mass", 50, NULL},
                                                           {"damping-mass-tangential", 0, NULL},
                                                           {"coulomb-limit", 0, "absolute"},
                                                           {"arms", 0, "radius"}};
    static const struct scree_interaction_value gas[] = {{"stiffness", 73260.073, NULL},
                                                         {"damping", 0, NULL}};
    static const struct scree_interaction_def defs[] = {
        [SCENE_BED] = {.law = "hertz-mindlin", .values = bed, .count = sizeof bed / sizeof bed[0]},
        [SCENE_CHUTE] = {.law = "linear", .values = chute, .count = sizeof chute / sizeof chute[0]},
        [SCENE_GAS] = {.law = "hertz", .values = gas, .count = sizeof gas / sizeof gas[0]}};
    const struct scree_interaction_def no_base = {.between = {scene->base, scene->base}, .law = "none"};
    const struct scree_interaction_def balls = {.between = {scene->ball, scene->ball}, .law = "none"};
    bench_must(scree_interaction_add(scene->world, &no_base));
    bench_must(scree_interaction_add(scene->world, &balls));
    bench_must(scree_interaction_add(scene->world, &defs[scene->row->law]));
}

static inline scree_material_id scene_material(struct scene *scene, const char *name)
{
    scree_material_id id;
    bench_must(
        scree_material_add(scene->world, &(struct scree_material_def){.name = name, .density = 1}, &id));
    bench_must(scree_material_set(scene->world, id, "young", 1e5));
    bench_must(scree_material_set(scene->world, id, "poisson", 0.3));
    return id;
}

// The final position of a ball; balls form rows over the bed.
static inline void scene_ball_position(const struct scene_row *row, size_t ball, double position[3])
{
    const double pitch = row->side[0] * row->tile / SCENE_BALLS_PER_ROW;
    position[0] = pitch * ((double)(ball % SCENE_BALLS_PER_ROW) + 0.5);
    position[1] = pitch * ((double)(ball / SCENE_BALLS_PER_ROW) + 0.5);
    position[2] = row->cut_height - scene_ball_depth + scene_ball_radius;
}

// Whether a grain is used: below the cut, inside the column, and not where a ball will be. The bed without
// balls omits the same grains.
static inline bool scene_uses_grain(const struct scene_row *row, const double position[3], double radius)
{
    if (position[2] > row->cut_height)
        return false;
    if (row->column_width > 0)
        return position[0] < row->column_width && position[1] < row->column_width;
    for (size_t b = 0; b < SCENE_MAX_BALLS && row->cut_height < 1e9; ++b) {
        double centre[3], square = 0;
        scene_ball_position(row, b, centre);
        centre[2] += scene_ball_sinking;
        for (int k = 0; k < 3; ++k)
            square += (position[k] - centre[k]) * (position[k] - centre[k]);
        if (square < (scene_ball_radius + radius) * (scene_ball_radius + radius))
            return false;
    }
    return true;
}

static inline void scene_add_spheres(struct scene *scene)
{
    const struct scene_row *row = scene->row;
    size_t count;
    struct scene_sphere *sphere = scene_read(row->packing, &count);
    const size_t tiles = (size_t)(row->tile * row->tile);
    if (row->cut_height >= 1e9 && row->column_width == 0)
        bench_must(scree_world_reserve(scene->world, count * tiles));
    for (size_t t = 0; t < tiles; ++t)
        for (size_t i = 0; i < count; ++i) {
            const struct scene_sphere *s = &sphere[i];
            struct scree_sphere_def def = {
                .radius = s->radius,
                .material = s->fixed > 0 ? scene->base : scene->grain,
                .position = {s->position[0] + row->side[0] * (double)(t / (size_t)row->tile),
                             s->position[1] + row->side[1] * (double)(t % (size_t)row->tile), s->position[2]},
                .velocity = {s->velocity[0], s->velocity[1], s->velocity[2]},
                .fixed = s->fixed > 0 ? SCREE_FIX_ALL : 0};
            scree_body_id id;
            if (scene_uses_grain(row, def.position, def.radius))
                bench_must(scree_body_add_sphere(scene->world, &def, &id));
        }
    free(sphere);
}

static inline void scene_add_balls(struct scene *scene)
{
    scene->ball_count = scree_body_count(scene->world) / SCENE_GRAINS_PER_BALL;
    if (scene->ball_count > SCENE_MAX_BALLS)
        scene->ball_count = SCENE_MAX_BALLS;
    const double time = (double)scene->row->warm_up * scene->row->step;
    for (size_t b = 0; b < scene->ball_count; ++b) {
        struct scree_sphere_def def = {.radius = scene_ball_radius,
                                       .material = scene->ball,
                                       .velocity = {0, 0, -scene_ball_sinking / time},
                                       .fixed = SCREE_FIX_ALL};
        scene_ball_position(scene->row, b, def.position);
        def.position[2] += scene_ball_sinking;
        bench_must(scree_body_add_sphere(scene->world, &def, &scene->balls[b]));
    }
}

static inline void scene_add_box(struct scene *scene)
{
    const struct scene_row *row = scene->row;
    const bool gas = row->law == SCENE_GAS;
    // solid fraction 0.05
    const double gas_side = cbrt((double)scene->bodies * acos(-1) / 6 / 0.05);
    const struct scree_cell_def cell = {.upper = {gas ? gas_side : row->side[0] * row->tile,
                                                  gas ? gas_side : row->side[1] * row->tile,
                                                  gas ? gas_side : 1000},
                                        .periodic = {true, true, gas}};
    bench_must(scree_cell_set(scene->world, &cell));
    scree_wall_id floor;
    if (row->law == SCENE_BED)
        bench_must(scree_wall_add(scene->world,
                                  &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                           .material = scene->grain,
                                                           .plane = {{0, 0, 0}, {0, 0, 1}}},
                                  &floor));
}

static inline struct scene scene_make(const struct scene_row *row)
{
    struct scene scene = {.row = row};
    const double slope = 26 * acos(-1) / 180;
    struct scree_world_def def = {.gravity = {0, 0, row->law == SCENE_GAS ? 0 : -1}};
    if (row->law == SCENE_CHUTE) {
        def.gravity[0] = sin(slope);
        def.gravity[2] = -cos(slope);
    }
    bench_must(scree_world_create(&def, &scene.world));
    scene.grain = scene_material(&scene, "grain");
    scene.base = scene_material(&scene, "base");
    scene.ball = scene_material(&scene, "ball");
    scene_add_law(&scene);
    scene_add_spheres(&scene);
    scene.bodies = scree_body_count(scene.world);
    scene_add_box(&scene);
    if (row->balls)
        scene_add_balls(&scene);
    return scene;
}

static inline struct scree_engine *scene_engine(const struct scene *scene, int threads)
{
    struct scree_engine *engine;
    // at a size ratio of 20 overlaps reach a quarter of the radius of the small grains
    const struct scree_soft_def def = {
        .step = scene->row->step, .threads = threads, .alarms = {.overlap = 1}};
    bench_must(scree_soft_create(scene->world, &def, &engine));
    return engine;
}

// Untimed steps; balls are stopped at their end.
static inline void scene_run_untimed(struct scene *scene, struct scree_engine *engine, size_t steps)
{
    bench_must(scree_engine_run(engine, steps));
    for (size_t b = 0; b < scene->ball_count; ++b)
        bench_must(scree_body_set_velocity(scene->world, scene->balls[b], (const double[3]){0, 0, 0}));
    if (scene->ball_count > 0)
        bench_must(scree_engine_run(engine, 20));
}

// The time of a step, s: the median over up to 20 runs of at least `least` steps each. `steps` is the wanted
// number of steps, and becomes that of the runs together.
static inline double scene_time_step(struct scree_engine *engine, int threads, size_t least, size_t *steps)
{
    enum { RUNS = 20 };
    const size_t most = *steps / least > 0 ? *steps / least : 1;
    const size_t runs = most < RUNS ? most : RUNS, per_run = *steps / runs;
    double seconds[RUNS];
    for (size_t r = 0; r < runs; ++r) {
        const double start = bench_clock(threads);
        bench_must(scree_engine_run(engine, per_run));
        seconds[r] = bench_clock(threads) - start;
    }
    *steps = runs * per_run;
    return bench_median(seconds, runs) / (double)per_run;
}

#endif
