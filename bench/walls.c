// The cost of walls and servos: a cube of about 3,200 grains between six planes, of which three are moved by
// servos, as in a triaxial test. Copies of the sample are advanced alternately by equal numbers of steps.
//
//   bench-walls [ROUNDS [THREADS [CASE]]]
//
// A line is a case, the part of the run that walls take (the profile), microseconds per step of walls and of
// everything, the median of the ratios to the time of the same steps with walls at rest, and to that time
// without its part of walls, and the number of contacts of grains and of walls. Processor time on one thread,
// wall-clock time on more.

#include "bench.h"

#include <scree/scree.h>

#include <sys/stat.h>
#include <unistd.h>

enum { SIDE = 15, LAYERS = 14, STEPS = 100, SETTLING_STEPS = 30000, SETTLING_EVERY = 10, MAX_ROUNDS = 1000 };
static const double spacing = 2.3e-3, largest_radius = 1.1e-3, stress = 20e3;

// The settled sample, made when it is missing.
static const char settled[] = "build/bench/triaxial.scree";

// Cases: how often servos act; 0: walls at rest.
static const struct {
    const char *name;
    unsigned every;
} cases[] = {{"at-rest", 0}, {"every-1", 1}, {"every-4", 4}, {"every-10", 10}};
enum { CASES = sizeof cases / sizeof cases[0] };

struct sample {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_group_id group[3];
    scree_wall_id moving[3];
    size_t grains;
};

static void add_grains(struct sample *sample, scree_material_id material)
{
    uint64_t seed = 1;
    for (int k = 0; k < SIDE * SIDE * LAYERS; ++k) {
        const int index[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        struct scree_sphere_def grain = {.material = material};
        scree_body_id id;
        // sizes from 0.8 to 1 of the largest
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        grain.radius = largest_radius * (0.8 + 0.2 * (double)(seed >> 40) / (1 << 24));
        for (int axis = 0; axis < 3; ++axis)
            grain.position[axis] = (0.5 + index[axis]) * spacing;
        // shifted layers do not stay a lattice
        grain.position[0] += (index[2] % 2 ? 0.02 : -0.02) * spacing;
        grain.position[1] += (index[0] % 3 - 1) * 0.02 * spacing;
        bench_must(scree_body_add_sphere(sample->world, &grain, &id));
        ++sample->grains;
    }
}

static void add_walls(struct sample *sample, scree_material_id material)
{
    static const char *const names[3] = {"x", "y", "z"};
    for (int w = 0; w < 6; ++w) {
        const int axis = w % 3;
        const bool moves = w >= 3;
        struct scree_wall_def wall = {.shape = SCREE_WALL_PLANE, .material = material};
        scree_wall_id id;
        wall.plane.point[axis] = moves ? (axis == 2 ? LAYERS : SIDE) * spacing : 0;
        wall.plane.normal[axis] = moves ? -1 : 1;
        bench_must(scree_wall_add(sample->world, &wall, &id));
        if (!moves)
            continue;
        sample->moving[axis] = id;
        bench_must(scree_group_add(sample->world, names[axis], &sample->group[axis]));
        bench_must(scree_group_put_wall(sample->world, sample->group[axis], id, true));
    }
}

static void set_servos(const struct sample *sample, unsigned every, double velocity)
{
    for (int axis = 0; axis < 3; ++axis) {
        struct scree_servo_def servo = {
            .group = sample->group[axis], .stress = stress, .velocity = velocity, .every = every};
        servo.direction[axis] = -1;
        bench_must(scree_servo_set(sample->world, &servo));
    }
}

static void stop_walls(const struct sample *sample)
{
    static const double rest[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) {
        bench_must(scree_servo_remove(sample->world, sample->group[axis]));
        bench_must(scree_wall_set_velocity(sample->world, sample->moving[axis], rest));
    }
}

static void add_engine(struct sample *sample, int threads)
{
    const struct scree_soft_def def = {.threads = threads, .damping = {.local = 0.5}};
    bench_must(scree_soft_create(sample->world, &def, &sample->engine));
}

static void free_sample(const struct sample *sample)
{
    scree_engine_destroy(sample->engine);
    scree_world_destroy(sample->world);
}

static void settle(int threads)
{
    struct sample sample = {0};
    scree_material_id material;
    const struct scree_material_def stone = {.name = "stone", .density = 2600};
    const struct scree_interaction_value values[] = {{"friction", 0.3, NULL}, {"restitution", 0.5, NULL}};
    bench_must(scree_world_create(NULL, &sample.world));
    bench_must(scree_material_add(sample.world, &stone, &material));
    bench_must(scree_material_set(sample.world, material, "young", 50e6));
    bench_must(scree_material_set(sample.world, material, "poisson", 0.3));
    bench_must(scree_interaction_add(
        sample.world, &(struct scree_interaction_def){.law = "hertz-mindlin", .values = values, .count = 2}));
    add_grains(&sample, material);
    add_walls(&sample, material);
    set_servos(&sample, SETTLING_EVERY, 0.2);
    add_engine(&sample, threads);
    bench_must(scree_engine_run(sample.engine, SETTLING_STEPS));
    bench_must(scree_checkpoint_write(sample.world, settled));
    free_sample(&sample);
}

// The settled sample, with new servos or with walls at rest.
static struct sample make_sample(size_t c, int threads)
{
    struct sample sample = {0};
    bench_must(scree_world_create(NULL, &sample.world));
    bench_must(scree_checkpoint_read(sample.world, settled));
    sample.grains = scree_body_count(sample.world);
    for (int axis = 0; axis < 3; ++axis) {
        // ids are given in order of creation
        sample.group[axis].value = 1 + (uint64_t)axis;
        sample.moving[axis].value = 4 + (uint64_t)axis;
    }
    if (cases[c].every > 0)
        set_servos(&sample, cases[c].every, 0);
    else
        stop_walls(&sample);
    add_engine(&sample, threads);
    return sample;
}

static void count_contacts(const struct sample *sample, size_t *pairs, size_t *at_walls)
{
    size_t count = 0;
    struct scree_contact *contact =
        (struct scree_contact *)bench_new(scree_contact_count(sample->world), sizeof *contact);
    bench_must(scree_contact_list(sample->world, contact, scree_contact_count(sample->world), &count));
    *pairs = *at_walls = 0;
    for (size_t k = 0; k < count; ++k)
        *(contact[k].wall.value > 0 ? at_walls : pairs) += 1;
    free(contact);
}

static double time_steps(const struct sample *sample, int threads)
{
    const double start = bench_clock(threads);
    bench_must(scree_engine_run(sample->engine, STEPS));
    return bench_clock(threads) - start;
}

static double wall_share(const struct sample *sample)
{
    struct scree_profile profile;
    bench_must(scree_engine_profile(sample->engine, &profile));
    return profile.seconds[SCREE_PROFILE_WALLS] / profile.total;
}

static void print_case(size_t c, const struct sample *sample, double *time, double *ratio, size_t rounds,
                       double rest_share)
{
    size_t pairs, at_walls;
    count_contacts(sample, &pairs, &at_walls);
    const double share = wall_share(sample), step = 1e6 / STEPS * bench_median(time, rounds);
    const double to_rest = bench_median(ratio, rounds);
    printf("%-12s %8.3f %8.2f %8.2f %8.3f %8.3f %8zu %8zu\n", cases[c].name, share, share * step, step,
           to_rest, to_rest / (1 - rest_share), pairs, at_walls);
}

int main(int argc, char **argv)
{
    static double time[CASES][MAX_ROUNDS], ratio[CASES][MAX_ROUNDS];
    if (argc > 4) {
        fprintf(stderr, "usage: bench-walls [ROUNDS [THREADS [CASE]]]\n");
        return 2;
    }
    const size_t rounds = argc > 1 ? bench_number(argv[1], 1, MAX_ROUNDS) : 31;
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, 1024) : 1;
    struct sample sample[CASES];
    (void)mkdir("build/bench", 0777);
    if (access(settled, R_OK) != 0)
        settle(threads);
    for (size_t c = 0; c < CASES; ++c) {
        sample[c] = make_sample(c, threads);
        (void)time_steps(&sample[c], threads);
    }
    for (size_t r = 0; r < rounds; ++r)
        for (size_t c = 0; c < CASES; ++c) {
            if (argc > 3 && strcmp(argv[3], cases[c].name) != 0)
                continue;
            time[c][r] = time_steps(&sample[c], threads);
            ratio[c][r] = time[c][r] / time[0][r];
        }
    printf("# %zu grains\n# %-10s %8s %8s %8s %8s %8s %8s %8s\n", sample[0].grains, "case", "share", "walls",
           "step", "to rest", "no wall", "pairs", "at walls");
    const double rest_share = wall_share(&sample[0]);
    for (size_t c = 0; c < CASES; ++c) {
        print_case(c, &sample[c], time[c], ratio[c], rounds, rest_share);
        free_sample(&sample[c]);
    }
    return 0;
}
