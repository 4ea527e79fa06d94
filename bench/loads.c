// The cost of a step that does more than contacts, relative to the plain step: bed-30k of scene.h in two
// copies, advanced alternately by equal numbers of steps.
//
//   bench-loads [ROUNDS [THREADS [CASE]]]
//
// A line is a case, ns per particle and step of it and of the plain copy, the median of the ratios of
// neighbouring runs, and the limit of this ratio. Processor time on one thread, wall-clock time on more.

#include "scene.h"

enum { STEPS = 50, EVERY = 10, FIXED_EVERY = 10, WARM = 200 };

struct copy {
    struct scene scene;
    struct scree_engine *engine;
};

static scree_body_id edited_in(const struct copy *copy, size_t turn)
{
    return (scree_body_id){1 + 7919 * turn % copy->scene.bodies};
}

static void edit(const struct copy *copy, size_t turn)
{
    struct scree_body_state state;
    const scree_body_id body = edited_in(copy, turn);
    bench_must(scree_body_get(copy->scene.world, body, &state));
    state.velocity[0] *= 0.5;
    bench_must(scree_body_set_velocity(copy->scene.world, body, state.velocity));
}

static void go(struct copy *copy)
{
    bench_must(scree_engine_run(copy->engine, STEPS));
}

static void go_and_measure(struct copy *copy)
{
    struct scree_energy energy;
    for (int s = 0; s < STEPS; s += EVERY) {
        bench_must(scree_engine_run(copy->engine, EVERY));
        bench_must(scree_energy_get(copy->scene.world, &energy));
    }
}

static void go_singly(struct copy *copy)
{
    for (int s = 0; s < STEPS; ++s)
        bench_must(scree_engine_run(copy->engine, 1));
}

static void go_singly_and_edit(struct copy *copy)
{
    static size_t turn;
    for (int s = 0; s < STEPS; ++s) {
        bench_must(scree_engine_run(copy->engine, 1));
        edit(copy, ++turn);
    }
}

static scree_status edit_in_step(struct scree_engine *engine, struct scree_world *world, void *user)
{
    static size_t turn;
    (void)engine, (void)world;
    edit((const struct copy *)user, ++turn);
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
    bench_must(scree_soft_set_damping(copy->engine, &(struct scree_damping){.local = 0.1}));
}

static void damp_viscously(struct copy *copy)
{
    bench_must(scree_soft_set_damping(copy->engine, &(struct scree_damping){.viscous = 0.5}));
}

static void fix_some(struct copy *copy)
{
    for (size_t b = 1; b <= copy->scene.bodies; b += FIXED_EVERY)
        bench_must(scree_body_fix(copy->scene.world, (scree_body_id){b}, SCREE_FIX_ALL));
}

static void do_all(struct copy *copy)
{
    load_all(copy);
    fix_some(copy);
    bench_must(scree_soft_set_damping(copy->engine, &(struct scree_damping){.local = 0.1, .viscous = 0.5}));
}

// A single added force, whose columns remain in the world.
static void add_force_once(struct copy *copy)
{
    bench_must(
        scree_body_add_force(copy->scene.world, edited_in(copy, 1), (const double[3]){0.01, 0, 0}, NULL));
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
    void (*go)(struct copy *copy);
    void (*prepare_other)(struct copy *copy);
    void (*go_other)(struct copy *copy);
    double most;
} cases[] = {
    {"load", load_all, go, NULL, go, 1.2},
    {"force-once", add_force_once, go, NULL, go, 1.03},
    {"damped-locally", damp_locally, go, NULL, go, 1.2},
    {"damped-viscously", damp_viscously, go, NULL, go, 1.2},
    {"fixed", fix_some, go, NULL, go, 1.2},
    {"loaded-damped-fixed", do_all, go, NULL, go, 1.2},
    {"energies", NULL, go_and_measure, NULL, go, 1.03},
    {"edit-between", NULL, go_singly_and_edit, NULL, go_singly, 1.1},
    {"edit-inside", edit_in_steps, go, NULL, go, 1.1},
    {"edit-after", edit_after_steps, go, add_empty_callback, go, 1.1},
};
enum { CASES = sizeof cases / sizeof cases[0], MAX_ROUNDS = 1000 };

static struct copy make(int threads)
{
    struct copy copy = {.scene = scene_make(scene_find("bed-30k"))};
    copy.engine = scene_engine(&copy.scene, threads);
    bench_must(scree_engine_run(copy.engine, WARM));
    return copy;
}

static void end(struct copy *copy)
{
    scree_engine_destroy(copy->engine);
    scree_world_destroy(copy->scene.world);
}

static double time_of(void (*work)(struct copy *copy), struct copy *copy, int threads)
{
    const double start = bench_clock(threads);
    work(copy);
    return bench_clock(threads) - start;
}

static void compare(size_t number, size_t rounds, int threads)
{
    static double own[MAX_ROUNDS], other[MAX_ROUNDS], ratio[MAX_ROUNDS];
    struct copy copy = make(threads), beside = make(threads);
    if (cases[number].prepare)
        cases[number].prepare(&copy);
    if (cases[number].prepare_other)
        cases[number].prepare_other(&beside);
    // untimed first run
    cases[number].go(&copy);
    cases[number].go_other(&beside);
    for (size_t r = 0; r < rounds; ++r) {
        own[r] = time_of(cases[number].go, &copy, threads);
        other[r] = time_of(cases[number].go_other, &beside, threads);
        ratio[r] = own[r] / other[r];
    }
    const double each = 1e9 / ((double)copy.scene.bodies * STEPS);
    printf("%-20s %8.2f %8.2f %7.3f %7.2f\n", cases[number].name, each * bench_median(own, rounds),
           each * bench_median(other, rounds), bench_median(ratio, rounds), cases[number].most);
    fflush(stdout);
    end(&copy);
    end(&beside);
}

int main(int argc, char **argv)
{
    if (argc > 4) {
        fprintf(stderr, "usage: bench-loads [ROUNDS [THREADS [CASE]]]\n");
        return 2;
    }
    const size_t rounds = argc > 1 ? bench_number(argv[1], 1, MAX_ROUNDS) : 21;
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, 1024) : 1;
    printf("# %-18s %8s %8s %7s %7s\n", "case", "ns", "beside", "ratio", "most");
    for (size_t c = 0; c < CASES; ++c)
        if (argc < 4 || strcmp(argv[3], cases[c].name) == 0)
            compare(c, rounds, threads);
    return 0;
}
