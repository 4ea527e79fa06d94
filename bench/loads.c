// The cost of a step with loads, damping, edits and other additions, relative to the plain step: two copies
// of bed-30k of scene.h are advanced alternately by equal numbers of steps.
//
//   bench-loads [ROUNDS [THREADS [CASE]]]
//
// A line is a case, ns per particle and step of it and of the plain copy, the median of the ratios of
// neighbouring runs, and the limit of this ratio. Processor time on one thread, wall-clock time on more.

#include "scene.h"

enum { STEPS = 50, EVERY = 10, FIXED_EVERY = 10, UNTIMED_STEPS = 200 };

struct copy {
    struct scene scene;
    struct scree_engine *engine;
};

static scree_body_id edited_body(const struct copy *copy, size_t edits)
{
    return (scree_body_id){1 + 7919 * edits % copy->scene.bodies};
}

static void edit(const struct copy *copy, size_t edits)
{
    struct scree_body_state state;
    const scree_body_id body = edited_body(copy, edits);
    bench_must(scree_body_get(copy->scene.world, body, &state));
    state.velocity[0] *= 0.5;
    bench_must(scree_body_set_velocity(copy->scene.world, body, state.velocity));
}

static void run(struct copy *copy)
{
    bench_must(scree_engine_run(copy->engine, STEPS));
}

static void run_with_energies(struct copy *copy)
{
    struct scree_energy energy;
    for (int s = 0; s < STEPS; s += EVERY) {
        bench_must(scree_engine_run(copy->engine, EVERY));
        bench_must(scree_energy_get(copy->scene.world, &energy));
    }
}

static void run_single_steps(struct copy *copy)
{
    for (int s = 0; s < STEPS; ++s)
        bench_must(scree_engine_run(copy->engine, 1));
}

static void run_single_steps_and_edit(struct copy *copy)
{
    static size_t edits;
    for (int s = 0; s < STEPS; ++s) {
        bench_must(scree_engine_run(copy->engine, 1));
        edit(copy, ++edits);
    }
}

static scree_status edit_in_step(struct scree_engine *engine, struct scree_world *world, void *user)
{
    static size_t edits;
    (void)engine, (void)world;
    edit((const struct copy *)user, ++edits);
    return SCREE_OK;
}

static void load_all(struct copy *copy)
{
    const struct scree_load_def def = {.force = {0.01, 0, 0}, .moment = {0, 0.001, 0}};
    scree_load_id id;
    bench_must(scree_load_add(copy->scene.world, &def, &id));
}

static void damp_locally(struct copy *copy)
{
    bench_must(scree_engine_set_damping(copy->engine, &(struct scree_damping){.local = 0.1}));
}

static void damp_viscously(struct copy *copy)
{
    bench_must(scree_engine_set_damping(copy->engine, &(struct scree_damping){.viscous = 0.5}));
}

static void fix_every_tenth_body(struct copy *copy)
{
    for (size_t b = 1; b <= copy->scene.bodies; b += FIXED_EVERY)
        bench_must(scree_body_fix(copy->scene.world, (scree_body_id){b}, SCREE_FIX_ALL));
}

static void load_damp_and_fix(struct copy *copy)
{
    load_all(copy);
    fix_every_tenth_body(copy);
    bench_must(scree_engine_set_damping(copy->engine, &(struct scree_damping){.local = 0.1, .viscous = 0.5}));
}

// A single added force, whose columns remain in the world.
static void add_force_once(struct copy *copy)
{
    bench_must(
        scree_body_add_force(copy->scene.world, edited_body(copy, 1), (const double[3]){0.01, 0, 0}, NULL));
}

static void edit_in_steps(struct copy *copy)
{
    bench_must(scree_engine_set_callback(copy->engine, SCREE_POINT_INSERT_DELETE, edit_in_step, copy, NULL));
}

static void edit_after_steps(struct copy *copy)
{
    bench_must(scree_engine_set_callback(copy->engine, SCREE_POINT_RECORD, edit_in_step, copy, NULL));
}

static scree_status do_nothing(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    return SCREE_OK;
}

static void add_empty_callback(struct copy *copy)
{
    bench_must(scree_engine_set_callback(copy->engine, SCREE_POINT_RECORD, do_nothing, copy, NULL));
}

static const struct {
    const char *name;
    void (*prepare)(struct copy *copy);
    void (*run)(struct copy *copy);
    void (*prepare_reference)(struct copy *copy);
    void (*run_reference)(struct copy *copy);
    double max_ratio;
} cases[] = {
    {"load", load_all, run, NULL, run, 1.2},
    {"force-once", add_force_once, run, NULL, run, 1.03},
    {"damped-locally", damp_locally, run, NULL, run, 1.2},
    {"damped-viscously", damp_viscously, run, NULL, run, 1.2},
    {"fixed", fix_every_tenth_body, run, NULL, run, 1.2},
    {"loaded-damped-fixed", load_damp_and_fix, run, NULL, run, 1.2},
    {"energies", NULL, run_with_energies, NULL, run, 1.03},
    {"edit-between", NULL, run_single_steps_and_edit, NULL, run_single_steps, 1.1},
    {"edit-inside", edit_in_steps, run, NULL, run, 1.1},
    {"edit-after", edit_after_steps, run, add_empty_callback, run, 1.1},
};
enum { CASES = sizeof cases / sizeof cases[0], MAX_ROUNDS = 1000 };

static struct copy make_copy(int threads)
{
    struct copy copy = {.scene = scene_make(scene_find("bed-30k"))};
    copy.engine = scene_engine(&copy.scene, threads);
    bench_must(scree_engine_run(copy.engine, UNTIMED_STEPS));
    return copy;
}

static void free_copy(struct copy *copy)
{
    scree_engine_destroy(copy->engine);
    scree_world_destroy(copy->scene.world);
}

static double time_work(void (*work)(struct copy *copy), struct copy *copy, int threads)
{
    const double start = bench_clock(threads);
    work(copy);
    return bench_clock(threads) - start;
}

static void compare(size_t c, size_t rounds, int threads)
{
    static double case_time[MAX_ROUNDS], reference_time[MAX_ROUNDS], ratio[MAX_ROUNDS];
    struct copy copy = make_copy(threads), reference = make_copy(threads);
    if (cases[c].prepare)
        cases[c].prepare(&copy);
    if (cases[c].prepare_reference)
        cases[c].prepare_reference(&reference);
    // untimed first run
    cases[c].run(&copy);
    cases[c].run_reference(&reference);
    for (size_t r = 0; r < rounds; ++r) {
        case_time[r] = time_work(cases[c].run, &copy, threads);
        reference_time[r] = time_work(cases[c].run_reference, &reference, threads);
        ratio[r] = case_time[r] / reference_time[r];
    }
    const double ns = 1e9 / ((double)copy.scene.bodies * STEPS);
    printf("%-20s %8.2f %8.2f %7.3f %7.2f\n", cases[c].name, ns * bench_median(case_time, rounds),
           ns * bench_median(reference_time, rounds), bench_median(ratio, rounds), cases[c].max_ratio);
    fflush(stdout);
    free_copy(&copy);
    free_copy(&reference);
}

int main(int argc, char **argv)
{
    if (argc > 4) {
        fprintf(stderr, "usage: bench-loads [ROUNDS [THREADS [CASE]]]\n");
        return 2;
    }
    const size_t rounds = argc > 1 ? bench_number(argv[1], 1, MAX_ROUNDS) : 21;
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, 1024) : 1;
    printf("# %-18s %8s %8s %7s %7s\n", "case", "ns", "plain", "ratio", "limit");
    for (size_t c = 0; c < CASES; ++c)
        if (argc < 4 || strcmp(argv[3], cases[c].name) == 0)
            compare(c, rounds, threads);
    return 0;
}
