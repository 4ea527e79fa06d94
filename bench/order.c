// What it costs to sum in an order that nothing can change: whole evaluations of all contacts by the engine's
// collider, in turn with the same filters and kernels adding every push straight to its grains, in arrays of
// the thread's own and in the order of the list.
//
//   bench-order [WORKLOAD [THREADS [ROUNDS]]]
//
// Figures are medians of rounds, the ratio is the median of the ratios round by round. Pushes are added in
// batches that stay in the first-level cache, of whichever of a few lengths is fastest.

#include "base/processor.h"
#include "engine/wall_contacts.h"
#include "inside.h"
#include "scene.h"

enum { MOST_THREADS = 64, LONGEST_BATCH = 128, MOST_ROUNDS = 99, SHARE = 256 };

#define SCREE_KERNEL_BODY "order.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

static const struct {
    void (*add)(double *, const double *, const struct scree_pair *, const uint32_t *, size_t);
    void (*finish)(double *const *, int, struct scree_wrench *, struct scree_losses *, size_t, size_t);
} sets[SCREE_KERNEL_SETS] = {
    {scree_kernel_add_v2, scree_kernel_finish_v2},
#if defined __x86_64__
    {scree_kernel_add_v3, scree_kernel_finish_v3},
    {scree_kernel_add_v4, scree_kernel_finish_v4},
#endif
};

struct direct {
    struct scree_collider *collider;
    size_t batch;
    uint32_t number[LONGEST_BATCH + 8]; // 0, 1, 2...
    double *sum[MOST_THREADS];          // a push for each grain
    double *push[MOST_THREADS];         // of a batch
};

static const struct scree_contacts *contacts_of(const struct direct *direct)
{
    return &direct->collider->world->contacts;
}

// The first `count` candidates in the scratch.
static void add_list(const struct direct *direct, struct scree_kernel_job *job, uint32_t *candidate,
                     size_t count, enum scree_kernel_place where, int thread)
{
    const struct scree_law_class *class = &direct->collider->classes.class[0];
    const int set = scree_processor_set();
    for (size_t k = count; k % 8 != 0; ++k)
        candidate[k] = candidate[k - 1];
    job->rule.arm = scree_law_class_arm(class, false);
    memcpy(job->rule.constants, class->constants, sizeof job->rule.constants);
    job->record = direct->number;
    for (size_t at = 0; at < count; at += direct->batch) {
        const size_t real = at + direct->batch < count ? direct->batch : count - at;
        job->candidate = candidate + at;
        job->count = (real + 7) / 8 * 8;
        for (size_t k = at + direct->batch; k < at + direct->batch + real && k < count; ++k) {
            const struct scree_pair next = contacts_of(direct)->pair[candidate[k]];
            __builtin_prefetch(direct->sum[thread] + SCREE_KERNEL_PUSH * (size_t)next.low, 1);
            __builtin_prefetch(direct->sum[thread] + SCREE_KERNEL_PUSH * (size_t)next.high, 1);
        }
        class->law->kernel[set][0][where](job);
        sets[set].add(direct->sum[thread], direct->push[thread], contacts_of(direct)->pair, candidate + at,
                      real);
    }
}

static void walk(const struct direct *direct, size_t first, size_t last, bool across, int thread)
{
    struct scree_collider_scratch *scratch = &direct->collider->scratch[thread];
    const struct scree_contacts *contacts = contacts_of(direct);
    struct scree_kernel_job job = scree_collider_job(direct->collider, scratch, direct->push[thread]);
    // what fills up a range pairs a slot with itself
    while (last > first && contacts->pair[last - 1].low == contacts->pair[last - 1].high)
        --last;
    for (size_t at = first; at < last; at += SCREE_NEAR_CHUNK) {
        const size_t end = at + SCREE_NEAR_CHUNK < last ? at + SCREE_NEAR_CHUNK : last;
        const size_t count = scree_collider_pick(direct->collider, scratch, first, at, end, across);
        add_list(direct, &job, scratch->candidate, count, across ? SCREE_KERNEL_ACROSS : SCREE_KERNEL_INSIDE,
                 thread);
    }
}

static void do_across(void *context, size_t first, size_t last, int thread)
{
    walk((const struct direct *)context, first, last, true, thread);
}

static void do_tiles(void *context, size_t first, size_t last, int thread)
{
    const struct direct *direct = (const struct direct *)context;
    struct scree_collider *collider = direct->collider;
    struct scree_world *world = collider->world;
    const struct scree_contacts *contacts = contacts_of(direct);
    const struct scree_gather gather = {
        .width = collider->width, .loss = scree_world_losses(world), .wrench = scree_world_wrenches(world)};
    for (size_t tile = first; tile < last; ++tile) {
        const size_t begin = tile * SCREE_CONTACTS_TILE;
        const size_t end =
            begin + SCREE_CONTACTS_TILE < contacts->grains ? begin + SCREE_CONTACTS_TILE : contacts->grains;
        walk(direct, contacts->inside[tile], contacts->inside[tile + 1], false, thread);
        scree_wall_contacts_walk(collider, &collider->scratch[thread], tile);
        // the grains of the next tile, and their sums
        for (size_t i = end; i < end + SCREE_CONTACTS_TILE && i < contacts->grains; ++i) {
            __builtin_prefetch(&scree_world_grains(world)[i].position);
            __builtin_prefetch(&scree_world_grains(world)[i].spin);
            __builtin_prefetch(direct->sum[thread] + SCREE_KERNEL_PUSH * i, 1);
        }
        sets[scree_processor_set()].finish(direct->sum, collider->threads, gather.wrench, gather.loss, begin,
                                           end);
        for (size_t k = contacts->walls.first[tile]; k < contacts->walls.first[tile + 1]; ++k)
            scree_gather_add(&gather, contacts->walls.pair[k].low, collider->wall_push + k * collider->width);
    }
}

static void evaluate_directly(struct direct *direct)
{
    const struct scree_contacts *contacts = contacts_of(direct);
    direct->collider->step = 0;
    scree_team_run(&direct->collider->mover->team, contacts->inside[0], SHARE, do_across, direct);
    scree_team_run(&direct->collider->mover->team, contacts->tiles, 1, do_tiles, direct);
}

static void evaluate_in_order(struct direct *direct)
{
    scree_collider_across(direct->collider, 0);
    scree_collider_inside(direct->collider, NULL);
}

// Seconds an evaluation.
static double time_of(struct direct *direct, void (*evaluate)(struct direct *), size_t times)
{
    const double start = bench_clock(direct->collider->threads);
    for (size_t k = 0; k < times; ++k)
        evaluate(direct);
    return (bench_clock(direct->collider->threads) - start) / (double)times;
}

// What contacts remember, to be taken out and put back: a law at its limit of friction gives other springs.
struct memory {
    double *history, *at_walls;
};

static void exchange(const struct direct *direct, const struct memory *memory, bool put_back)
{
    const struct scree_contacts *contacts = contacts_of(direct);
    const size_t bytes = contacts->candidates * contacts->stride * sizeof(double);
    const size_t at_walls = contacts->walls.count * contacts->walls.stride * sizeof(double);
    if (bytes > 0)
        memcpy(put_back ? contacts->history : memory->history, put_back ? memory->history : contacts->history,
               bytes);
    if (at_walls > 0)
        memcpy(put_back ? contacts->walls.history : memory->at_walls,
               put_back ? memory->at_walls : contacts->walls.history, at_walls);
}

// The two ways differ by round-off alone.
static void compare(struct direct *direct)
{
    const struct scree_contacts *contacts = contacts_of(direct);
    const struct memory memory = {
        (double *)bench_new(contacts->candidates * contacts->stride, sizeof(double)),
        (double *)bench_new(contacts->walls.count * contacts->walls.stride, sizeof(double))};
    const struct scree_wrench *wrench = scree_world_wrenches(direct->collider->world);
    const size_t bodies = contacts_of(direct)->grains;
    struct scree_wrench *kept = (struct scree_wrench *)bench_new(bodies, sizeof *kept);
    exchange(direct, &memory, false);
    evaluate_in_order(direct);
    memcpy(kept, wrench, bodies * sizeof *kept);
    exchange(direct, &memory, true);
    evaluate_directly(direct);
    double largest = 0, off = 0;
    for (size_t i = 0; i < bodies; ++i)
        for (int k = 0; k < 3; ++k) {
            const double by = fabs(wrench[i].force[k] - kept[i].force[k]);
            const double turned = fabs(wrench[i].moment[k] - kept[i].moment[k]);
            largest = fabs(kept[i].force[k]) > largest ? fabs(kept[i].force[k]) : largest;
            off = by > off ? by : off;
            off = turned > off ? turned : off;
        }
    free(kept);
    free(memory.history);
    free(memory.at_walls);
    if (off <= 1e-12 * largest)
        return;
    fprintf(stderr, "bench: the two ways of summing differ by %g of %g\n", off, largest);
    exit(1);
}

static void begin(struct direct *direct, struct scree_engine *engine)
{
    direct->collider = inside_collider(engine);
    if (direct->collider->classes.count != 1 || direct->collider->width != SCREE_KERNEL_PUSH) {
        fprintf(stderr, "bench: bench-order is for worlds of one contact law without couples\n");
        exit(2);
    }
    for (uint32_t k = 0; k < LONGEST_BATCH + 8; ++k)
        direct->number[k] = k;
    for (int t = 0; t < direct->collider->threads; ++t) {
        const size_t record = SCREE_KERNEL_PUSH * sizeof(double);
        direct->sum[t] = (double *)bench_new(contacts_of(direct)->grains, record);
        direct->push[t] = (double *)bench_new(2 * (LONGEST_BATCH + 8), record);
    }
}

static size_t best_batch(struct direct *direct, size_t times)
{
    static const size_t lengths[] = {8, 16, 32, 64, LONGEST_BATCH};
    size_t best = 0;
    double least = 0;
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; ++k) {
        direct->batch = lengths[k];
        (void)time_of(direct, evaluate_directly, 1);
        const double took = time_of(direct, evaluate_directly, times);
        if (best == 0 || took < least)
            best = lengths[k], least = took;
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc > 4) {
        fprintf(stderr, "usage: bench-order [WORKLOAD [THREADS [ROUNDS]]]\n");
        return 2;
    }
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, MOST_THREADS) : 1;
    const size_t rounds = argc > 3 ? bench_number(argv[3], 1, MOST_ROUNDS) : 15;
    struct scene scene = scene_make(scene_find(argc > 1 ? argv[1] : "bed-30k"));
    struct scree_engine *engine = scene_engine(&scene, threads);
    scene_warm(&scene, engine, 20);
    static struct direct direct;
    direct.batch = LONGEST_BATCH;
    begin(&direct, engine);
    const size_t bodies = scree_body_count(scene.world), times = 1 + 600000 / bodies;
    compare(&direct);
    direct.batch = best_batch(&direct, times);
    double ordered[MOST_ROUNDS], straight[MOST_ROUNDS], ratio[MOST_ROUNDS];
    for (size_t r = 0; r < rounds; ++r) {
        ordered[r] = time_of(&direct, evaluate_in_order, times);
        straight[r] = time_of(&direct, evaluate_directly, times);
        ratio[r] = ordered[r] / straight[r];
    }
    printf("# %-10s %8s %7s %12s %12s %6s %6s\n", "workload", "bodies", "threads", "in order, ns",
           "directly, ns", "batch", "ratio");
    printf("%-12s %8zu %7d %12.2f %12.2f %6zu %6.3f\n", scene.row->name, bodies, threads,
           1e9 * bench_median(ordered, rounds) / (double)bodies,
           1e9 * bench_median(straight, rounds) / (double)bodies, direct.batch, bench_median(ratio, rounds));
    for (int t = 0; t < threads; ++t) {
        free(direct.sum[t]);
        free(direct.push[t]);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(scene.world);
    return 0;
}
