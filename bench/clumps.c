// Speed of a settled bed of clumps of three spheres.
//
//   bench-clumps [TILE [THREADS [STEPS [WARM]]]]   the bed, repeated TILE x TILE times
//   bench-clumps one [THREADS [STEPS [WARM]]]      bed-120k of bench-contacts and one clump above it
//   bench-clumps settle FILE                       settles the bed and writes it: x y z, and the orientation
//
// `ns` is the median over up to twenty runs, per pebble and step, in processor time on one thread, in
// wall-clock time on more; `contact` is the time of a step per contact between clumps, each counted once.

#include "internals.h"
#include "scene.h"

enum { MIN_STEPS = 25, CLUMPS = 10000, PER_ROW = 15 };
static const double spacing = 30.0 / PER_ROW, settling_time = 40, final_time = 5, step = 5e-4;
static const char *const packing = "bench/data/clumps-10k.xyzq.gz";

// Three spheres of diameter 1. Volume and moments of inertia of their union were integrated on a grid of
// 400 points per unit of length.
static const struct scree_pebble pebbles[3] = {{.offset = {-0.4, -0.2 + 0.00373982, 0}, .radius = 0.5},
                                               {.offset = {0.4, -0.2 + 0.00373982, 0}, .radius = 0.5},
                                               {.offset = {0, 0.4 + 0.00373982, 0}, .radius = 0.5}};
static const double volume = 1.43649769, inertia[3] = {0.27638738, 0.31580242, 0.44044767};

static const struct scene_row bed = {"clumps", NULL, SCENE_BED, {30, 30}, 1, 2.5e-4, 0, 0, 1e9, false, 0};

static void add_clump(struct scene *scene, const double position[3], const double orientation[4])
{
    struct scree_clump_def def = {.body = {.mass = volume, .material = scene->grain},
                                  .pebble = pebbles,
                                  .pebbles = 3,
                                  .equal_radius = cbrt(volume * 3 / 4 / acos(-1))};
    scree_body_id id;
    memcpy(def.body.inertia, inertia, sizeof inertia);
    memcpy(def.body.position, position, sizeof def.body.position);
    memcpy(def.body.orientation, orientation, sizeof def.body.orientation);
    bench_must(scree_body_add_clump(scene->world, &def, &id));
}

static struct scene make_world(const struct scene_row *row)
{
    struct scene scene = {.row = row};
    const struct scree_world_def def = {.gravity = {0, 0, -1}};
    bench_must(scree_world_create(&def, &scene.world));
    scene.grain = scene_material(&scene, "grain");
    scene.base = scene_material(&scene, "base");
    scene.ball = scene_material(&scene, "ball");
    scene_add_law(&scene);
    scene_add_box(&scene);
    return scene;
}

// --- settling

static void settle(const char *path)
{
    struct scene scene = make_world(&bed);
    uint64_t state = 1;
    for (int i = 0; i < CLUMPS; ++i) {
        const int layer = i / (PER_ROW * PER_ROW), row = i / PER_ROW % PER_ROW, column = i % PER_ROW;
        const double position[3] = {spacing * (column + 0.5), spacing * (row + 0.5), spacing * (layer + 0.5)};
        double q[4], square;
        do {
            square = 0;
            for (int k = 0; k < 4; ++k) {
                q[k] = bench_draw(&state);
                square += q[k] * q[k];
            }
        } while (square > 1 || square < 0.01);
        add_clump(&scene, position, q);
    }
    struct scree_engine *engine;
    struct scree_soft_def def = {
        .step = step, .threads = 2, .damping = {.viscous = 0.1}, .alarms = {.overlap = 1}};
    def.alarms.policy[SCREE_ALARM_STEP] = SCREE_ALARM_IGNORE;
    bench_must(scree_soft_create(scene.world, &def, &engine));
    bench_must(scree_engine_run(engine, (size_t)(settling_time / step)));
    scree_engine_destroy(engine);
    def.damping.viscous = 0;
    bench_must(scree_soft_create(scene.world, &def, &engine));
    bench_must(scree_engine_run(engine, (size_t)(final_time / step)));
    scree_engine_destroy(engine);
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    for (uint64_t i = 1; i <= CLUMPS; ++i) {
        struct scree_body_state body;
        bench_must(scree_body_get(scene.world, (scree_body_id){i}, &body));
        fprintf(file, "%.6f %.6f %.6f %.6f %.6f %.6f %.6f\n", body.position[0], body.position[1],
                body.position[2], body.orientation[0], body.orientation[1], body.orientation[2],
                body.orientation[3]);
    }
    fclose(file);
    scree_world_destroy(scene.world);
}

// --- timing

static void add_bed(struct scene *scene)
{
    const struct scene_row *row = scene->row;
    char line[512];
    snprintf(line, sizeof line, "gzip -dc '%s'", packing);
    FILE *file = popen(line, "r");
    double position[3], q[4];
    bench_must(scree_world_reserve(scene->world, (size_t)(CLUMPS * row->tile * row->tile)));
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf", &position[0], &position[1], &position[2], &q[0],
                   &q[1], &q[2], &q[3]) != 7)
            continue;
        for (int t = 0; t < row->tile * row->tile; ++t) {
            const double moved[3] = {position[0] + row->side[0] * (t / row->tile),
                                     position[1] + row->side[1] * (t % row->tile), position[2]};
            add_clump(scene, moved, q);
        }
    }
    if (!file || pclose(file) != 0 || scree_body_count(scene->world) == 0) {
        fprintf(stderr, "bench: cannot read %s: run at the root of the tree\n", packing);
        exit(1);
    }
}

// Contacts that are not with walls.
static double count_contacts(struct scree_world *world)
{
    size_t all, between = 0;
    const size_t total = scree_contact_count(world);
    struct scree_contact *contact = (struct scree_contact *)bench_new(total, sizeof *contact);
    bench_must(scree_contact_list(world, contact, total, &all));
    for (size_t c = 0; c < total; ++c)
        between += contact[c].wall.value == 0;
    free(contact);
    return (double)between;
}

static void time_steps(const struct scene *scene, double pebbles_in_all, int threads, size_t steps,
                       size_t warm_up)
{
    struct scree_engine *engine = scene_engine(scene, threads);
    bench_must(scree_engine_run(engine, warm_up));
    const uint64_t searches = internals_collider(engine)->search.searches;
    const double per_step = scene_time_step(engine, threads, MIN_STEPS, &steps),
                 contacts = count_contacts(scene->world);
    printf("%8.0f %7d %6zu %8.2f %9.3f %9.2f %8llu\n", pebbles_in_all, threads, steps,
           1e9 * per_step / pebbles_in_all, 2 * contacts / pebbles_in_all, 1e9 * per_step / contacts,
           (unsigned long long)(internals_collider(engine)->search.searches - searches));
    scree_engine_destroy(engine);
}

// Puts a clump on the surface of the bed, just above all spheres near it, so that it comes to rest as they
// do.
static void add_clump_on_top(struct scene *scene)
{
    const double reach = 1.5, upright[4] = {1, 0, 0, 0};
    double place[3] = {15, 15, 0};
    for (uint64_t i = 1; i <= scene->bodies; ++i) {
        struct scree_body_state body;
        bench_must(scree_body_get(scene->world, (scree_body_id){i}, &body));
        const double x = body.position[0] - place[0], y = body.position[1] - place[1];
        if (x * x + y * y < reach * reach && body.position[2] + reach > place[2])
            place[2] = body.position[2] + reach;
    }
    add_clump(scene, place, upright);
}

// The bed without a clump and with one, in turns.
static void bench_one(int threads, size_t steps, size_t warm_up)
{
    enum { TURNS = 20 };
    const size_t per_turn = steps / TURNS > MIN_STEPS ? steps / TURNS : MIN_STEPS;
    struct scene scene[2];
    struct scree_engine *engine[2];
    double seconds[2][TURNS], ratio[TURNS];
    for (int with = 0; with < 2; ++with) {
        scene[with] = scene_make(scene_find("bed-120k"));
        if (with)
            add_clump_on_top(&scene[with]);
        engine[with] = scene_engine(&scene[with], threads);
        bench_must(scree_engine_run(engine[with], warm_up));
    }
    for (int t = 0; t < TURNS; ++t) {
        for (int k = 0; k < 2; ++k) {
            const int with = (t + k) % 2;
            const double start = bench_clock(threads);
            bench_must(scree_engine_run(engine[with], per_turn));
            seconds[with][t] = bench_clock(threads) - start;
        }
        ratio[t] = seconds[1][t] / seconds[0][t];
    }
    const double bodies = (double)scene[0].bodies, per_step = 1e9 / bodies / (double)per_turn;
    printf("#spheres threads  steps  without     with    ratio\n%8.0f %7d %6zu %8.2f %8.2f %8.3f\n", bodies,
           threads, TURNS * per_turn, per_step * bench_median(seconds[0], TURNS),
           per_step * bench_median(seconds[1], TURNS), bench_median(ratio, TURNS));
    for (int with = 0; with < 2; ++with) {
        scree_engine_destroy(engine[with]);
        scree_world_destroy(scene[with].world);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "settle") == 0) {
        settle(argv[2]);
        return 0;
    }
    if (argc > 5) {
        fprintf(stderr, "usage: bench-clumps [TILE|one [THREADS [STEPS [WARM]]]] | settle FILE\n");
        return 2;
    }
    const bool one = argc > 1 && strcmp(argv[1], "one") == 0;
    struct scene_row row = bed;
    row.tile = argc > 1 && !one ? (int)bench_number(argv[1], 1, 100) : 1;
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, 1024) : 1;
    const size_t steps = argc > 3 ? bench_number(argv[3], 1, 1000000000) : row.tile > 2 ? 100 : 1000;
    const size_t warm_up = argc > 4 ? bench_number(argv[4], 1, 1000000000) : row.tile > 2 ? 40 : 200;
    if (one) {
        bench_one(threads, steps, warm_up);
        return 0;
    }
    printf("#pebbles threads  steps       ns  contacts   contact searches\n");
    struct scene scene = make_world(&row);
    add_bed(&scene);
    time_steps(&scene, 3 * (double)scree_body_count(scene.world), threads, steps, warm_up);
    scree_world_destroy(scene.world);
    return 0;
}
