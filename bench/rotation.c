// Accuracy and cost of each scheme of rotation: errors at equal step on three tops, energy error on random
// free bodies, drift over a million steps, and processor time. The numbers of
// docs/decisions/default-rotation-scheme.md.
//
// Run it at the root of the tree, where the reference trajectories are in tests/data:
//   bench-rotation

#include "bench.h"

#include <scree/scree.h>

#include <math.h>

static void to_world(const double q[4], const double v[3], double out[3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    out[0] = (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2];
    out[1] = 2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2];
    out[2] = 2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

// --- errors against reference trajectories

// a weight at a lever arm of the body, and a viscous moment
struct lever {
    double weight, arm[3], viscous;
};

static scree_status apply_lever(void *user, const struct scree_load_batch *batch)
{
    const struct lever *lever = (const struct lever *)user;
    for (size_t i = 0; i < batch->count; ++i) {
        double arm[3];
        to_world(batch->orientation[i], lever->arm, arm);
        batch->moment[i][0] -= lever->weight * arm[1];
        batch->moment[i][1] += lever->weight * arm[0];
        for (int k = 0; k < 3; ++k)
            batch->moment[i][k] -= lever->viscous * batch->spin[i][k];
    }
    return SCREE_OK;
}

struct top {
    const char *file;
    double until;
    struct lever lever;
};

static const struct top tops[] = {
    {"top_free_asym_generic", 20, {0, {0}, 0}},
    {"top_heavy_nutating", 1, {9.81, {0, 0, 0.3}, 0}},
    {"top_visc", 4, {5, {0.2, -0.1, 0.4}, 0.3}},
};
enum { TOPS = 3, STEPS = 800 };

// Reads moments and initial state from a file, and the orientation at a time.
static void read_top(const struct top *top, struct scree_rigid_def *def, double end[4])
{
    char name[128], line[4096];
    snprintf(name, sizeof name, "tests/data/%s.csv", top->file);
    FILE *file = fopen(name, "r");
    if (!file) {
        perror(name);
        exit(1);
    }
    double *J = def->inertia, *q = def->orientation, spin[3];
    bool found = false;
    while (fgets(line, sizeof line, file)) {
        double row[5];
        if (strncmp(line, "# J=(", 5) == 0 &&
            sscanf(line, "# J=(%lf,%lf,%lf)%*[^;]; q0=(%lf,%lf,%lf,%lf)%*[^;]; w_body(0)=(%lf,%lf,%lf)", J,
                   J + 1, J + 2, q, q + 1, q + 2, q + 3, spin, spin + 1, spin + 2) == 10)
            to_world(q, spin, def->spin);
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf", row, row + 1, row + 2, row + 3, row + 4) == 5 &&
            fabs(row[0] - top->until) < 1e-9) {
            memcpy(end, row + 1, 4 * sizeof *end);
            found = true;
        }
    }
    fclose(file);
    if (!found) {
        fprintf(stderr, "%s: no row at %g s\n", name, top->until);
        exit(1);
    }
}

static double measure_error(const char *scheme, const struct top *top)
{
    struct scree_rigid_def def = {.mass = 1};
    double end[4];
    read_top(top, &def, end);
    struct scree_world *world;
    scree_body_id id;
    scree_load_id load;
    struct scree_engine *engine;
    struct lever lever = top->lever;
    bench_must(scree_world_create(NULL, &world));
    bench_must(scree_body_add_rigid(world, &def, &id));
    bench_must(
        scree_load_add(world, &(struct scree_load_def){.function = apply_lever, .user = &lever}, &load));
    const struct scree_soft_def soft = {.step = top->until / STEPS, .rotation = scheme, .threads = 1};
    bench_must(scree_soft_create(world, &soft, &engine));
    bench_must(scree_engine_run(engine, STEPS));
    struct scree_body_state state;
    bench_must(scree_body_get(world, id, &state));
    double difference = 0, difference_to_negative = 0;
    for (int c = 0; c < 4; ++c) {
        difference += pow(state.orientation[c] - end[c], 2);
        difference_to_negative += pow(state.orientation[c] + end[c], 2);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return sqrt(fmin(difference, difference_to_negative));
}

// --- energy of free bodies

static double draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

// point masses on the axes, so that the moments satisfy the triangle inequality; ratios up to a hundred
static struct scree_rigid_def draw_body(uint64_t *seed)
{
    struct scree_rigid_def def = {.mass = 1};
    double mass[3];
    for (int k = 0; k < 3; ++k)
        mass[k] = exp(draw(seed, -4.6, 0));
    for (int k = 0; k < 3; ++k) {
        def.inertia[k] = mass[(k + 1) % 3] + mass[(k + 2) % 3];
        def.spin[k] = draw(seed, -1.5, 1.5);
    }
    return def;
}

struct energy_error {
    double worst, end;
};

static struct energy_error measure_energy_error(const char *scheme, const struct scree_rigid_def *def,
                                                double step, int readings, int stride)
{
    struct scree_world *world;
    scree_body_id id;
    struct scree_engine *engine;
    struct scree_energy energy;
    bench_must(scree_world_create(NULL, &world));
    bench_must(scree_body_add_rigid(world, def, &id));
    bench_must(scree_soft_create(
        world, &(struct scree_soft_def){.step = step, .rotation = scheme, .threads = 1}, &engine));
    bench_must(scree_energy_get(world, &energy));
    const double start = energy.rotation;
    struct energy_error error = {0};
    for (int l = 0; l < readings; ++l) {
        bench_must(scree_engine_run(engine, (uint64_t)stride));
        bench_must(scree_energy_get(world, &energy));
        error.end = energy.rotation / start - 1;
        error.worst = fmax(error.worst, fabs(error.end));
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return error;
}

static void print_energies(const char *scheme)
{
    enum { BODIES = 100 };
    double worst[BODIES];
    uint64_t seed = 20;
    for (int b = 0; b < BODIES; ++b) {
        const struct scree_rigid_def def = draw_body(&seed);
        worst[b] = measure_energy_error(scheme, &def, 1.0 / 60, 200, 97).worst;
    }
    qsort(worst, BODIES, sizeof *worst, bench_ascending);
    struct scree_rigid_def def = {.mass = 1};
    double end[4];
    read_top(&tops[0], &def, end);
    const struct energy_error drift = measure_energy_error(scheme, &def, 0.02, 1000, 1000);
    printf("  %.1e %.1e  %.1e %+.1e", worst[BODIES / 2], worst[BODIES - 1], drift.worst, drift.end);
}

// --- time

// the minimum of some rounds of processor time
static double measure_time(const char *scheme)
{
    enum { BODIES = 10000, ROUNDS = 25, STRIDE = 100 };
    struct scree_world *world;
    struct scree_engine *engine;
    uint64_t seed = 3;
    bench_must(scree_world_create(NULL, &world));
    for (int b = 0; b < BODIES; ++b) {
        const struct scree_rigid_def def = draw_body(&seed);
        scree_body_id id;
        bench_must(scree_body_add_rigid(world, &def, &id));
    }
    bench_must(scree_soft_create(
        world, &(struct scree_soft_def){.step = 1e-3, .rotation = scheme, .threads = 1}, &engine));
    bench_must(scree_engine_run(engine, 20));
    double min_time = 1e300;
    for (int r = 0; r < ROUNDS; ++r) {
        const double start = bench_cpu_time();
        bench_must(scree_engine_run(engine, STRIDE));
        min_time = fmin(min_time, (bench_cpu_time() - start) / STRIDE / BODIES * 1e9);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return min_time;
}

int main(void)
{
    printf("errors at %d steps; energy errors of random free bodies (median, worst) and of one over 10^6 "
           "steps (worst, "
           "end)\n%-16s %8s %8s %8s  %-16s %-16s %s\n",
           STEPS, "scheme", "free", "heavy", "viscous", "energy", "long energy", "ns per body and step");
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_ROTATION, l)); ++l) {
        if (strcmp(scheme, "spherical") == 0)
            continue;
        printf("%-16s", scheme);
        for (int t = 0; t < TOPS; ++t)
            printf(" %.2e", measure_error(scheme, &tops[t]));
        print_energies(scheme);
        printf("  %.0f\n", measure_time(scheme));
        fflush(stdout);
    }
    return 0;
}
