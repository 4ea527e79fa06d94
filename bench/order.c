// The cost of order-free sums: evaluations of all contacts by the engine's collider, alternately with the
// same loops with kernels that add plain doubles, whose last bits depend on tiles and threads.
//
//   bench-order [WORKLOAD [THREADS [ROUNDS]]]         a bed, with the law of Hertz and Mindlin
//   bench-order-linear [WORKLOAD [THREADS [ROUNDS]]]  the chute, with the linear law
//
// Figures are medians of rounds, the ratio is the median of the ratios of each round. Bodies do not move, and
// forces are stored in the world. The renewal of quanta in one step of SCREE_SUMS_EVERY is not included.

// must be defined before the headers
#define SCREE_KERNEL_PLAIN

#include "base/processor.h"
#include "contact/wall_contacts.h"
#include "internals.h"
#include "scene.h"

// a second copy of the law, with other names than in the library
#ifdef ORDER_LINEAR
#define scree_law_linear order_law
#define scree_linear_parameters order_parameters
#define scree_linear_values order_values
#define scree_linear_check order_check
#define scree_linear_prepare order_prepare
#define scree_linear_resolve order_resolve
#define scree_linear_variant order_variant
#include "law/linear.c"
#define ORDER_WORKLOAD "chute-32k"
#else
#define scree_law_hertz_mindlin order_law
#include "law/hertz_mindlin.c"
#define ORDER_WORKLOAD "bed-30k"
#endif

enum { MAX_THREADS = 64, MAX_ROUNDS = 99 };

#define SCREE_KERNEL_BODY "order.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

typedef void convert(double *sums, size_t first, size_t last, struct scree_wrench *wrench,
                     struct scree_losses *loss);

static convert *const convert_sets[SCREE_KERNEL_SETS] = {
    scree_kernel_convert_v2,
#if defined __x86_64__
    scree_kernel_convert_v3,
    scree_kernel_convert_v4,
#endif
};

struct plain {
    struct scree_collider *collider;
    double *sum; // same layout as in the engine
};

static struct scree_contacts *get_contacts(const struct plain *plain)
{
    return &plain->collider->world->contacts;
}

// Evaluates the first `count` candidates in the scratch memory.
static void add_list(const struct plain *plain, struct scree_kernel_job *job,
                     const struct scree_collider_scratch *scratch, size_t count, enum scree_kernel_loop loop)
{
    uint32_t *candidate = scratch->interleaved;
    const struct scree_law_class *class = &plain->collider->classes.class[0];
    if (count == 0)
        return;
    scree_collider_interleave(scratch->candidate, count, candidate);
    job->candidate = candidate;
    job->count = count;
    for (; count % SCREE_KERNEL_WIDTH != 0; ++count)
        candidate[count] = candidate[count - 1];
    job->rule.arm = scree_law_class_arm(class, false);
    memcpy(job->rule.constants, class->constants, sizeof job->rule.constants);
    order_law.kernel[scree_processor_set()][0][loop](job);
}

static struct scree_kernel_job make_job(const struct plain *plain, size_t tile, int thread)
{
    struct scree_collider *collider = plain->collider;
    struct scree_kernel_job job = scree_collider_job(collider, &collider->scratch[thread], tile);
    job.sum = (int64_t *)(void *)plain->sum;
    job.sum_index = collider->pieces.sum_index;
    job.measure_only = false;
    job.measure = NULL;
    return job;
}

static void process_rows(const struct plain *plain, size_t tile, int thread)
{
    const struct scree_contacts *contacts = get_contacts(plain);
    struct scree_kernel_job job = make_job(plain, tile, thread);
    size_t next = scree_contacts_first(contacts, tile, SCREE_CONTACTS_ROWS);
    for (size_t g = contacts->group[tile]; g < contacts->group[tile + 1]; g += job.groups) {
        job.first = next;
        (void)scree_collider_prepare_rows(plain->collider, tile, g, &job, &next);
        order_law.kernel[scree_processor_set()][0][SCREE_KERNEL_ROWS](&job);
    }
}

static void process_list(const struct plain *plain, size_t tile, bool across, int thread)
{
    struct scree_collider *collider = plain->collider;
    struct scree_collider_scratch *scratch = &collider->scratch[thread];
    const struct scree_contacts *contacts = get_contacts(plain);
    const int range = across ? SCREE_CONTACTS_ACROSS : SCREE_CONTACTS_INSIDE;
    const size_t first = scree_contacts_first(contacts, tile, range);
    size_t last = scree_contacts_first(contacts, tile, range + 1);
    struct scree_kernel_job job = make_job(plain, tile, thread);
    job.sum_index = across ? job.sum_index : NULL;
    // padding at the end of a range is pairs of a slot with itself
    while (last > first && contacts->pair[last - 1].low == contacts->pair[last - 1].high)
        --last;
    for (size_t begin = first; begin < last; begin += SCREE_PAIR_FILTER_CHUNK) {
        const size_t end = begin + SCREE_PAIR_FILTER_CHUNK < last ? begin + SCREE_PAIR_FILTER_CHUNK : last;
        const size_t count = scree_collider_filter(collider, scratch, begin, end, across);
        add_list(plain, &job, scratch, count, across ? SCREE_KERNEL_ACROSS : SCREE_KERNEL_INSIDE);
        scree_collider_clear_ended(collider, scratch, contacts->history, contacts->stride);
    }
}

static void finish_block(const struct plain *plain, size_t first)
{
    struct scree_world *world = plain->collider->world;
    convert_sets[scree_processor_set()](plain->sum, first,
                                        internals_end(plain->collider, first, SCREE_SUMS_BLOCK),
                                        scree_world_wrenches(world) + first, scree_world_losses(world));
}

// Adds the forces of wall contacts, which the engine does not add when `measure_only` is set.
static void add_walls(const struct plain *plain, size_t tile, const double *terms)
{
    const struct scree_wall_contacts *walls = &get_contacts(plain)->walls;
    for (size_t k = walls->first[tile]; k < walls->first[tile + 1]; ++k)
        for (size_t t = 0; t < SCREE_TERMS && walls->live[k]; ++t)
            plain->sum[SCREE_TERMS * walls->pair[k].low + t] +=
                terms[SCREE_KERNEL_WALL_TERMS * (k - walls->first[tile]) + t];
}

static void process_tile(const struct plain *plain, size_t tile, int thread)
{
    struct scree_collider *collider = plain->collider;
    const size_t begin = tile * SCREE_CONTACTS_TILE;
    process_rows(plain, tile, thread);
    process_list(plain, tile, false, thread);
    process_list(plain, tile, true, thread);
    scree_wall_contacts_evaluate(collider, &collider->scratch[thread], tile);
    add_walls(plain, tile, collider->scratch[thread].wall_terms);
    for (size_t block = begin; block < internals_end(collider, begin, SCREE_CONTACTS_TILE);
         block += SCREE_SUMS_BLOCK)
        if (!scree_pieces_block_is_shared(&collider->pieces, block / SCREE_SUMS_BLOCK)) {
            internals_prefetch(collider, block + SCREE_CONTACTS_TILE);
            finish_block(plain, block);
        }
}

static void process_pieces(void *context, size_t first, size_t last, int thread)
{
    const struct plain *plain = (const struct plain *)context;
    const size_t *tile = plain->collider->pieces.tile;
    for (size_t t = tile[first]; t < tile[last]; ++t)
        process_tile(plain, t, thread);
}

// Finishes the blocks that get terms from several pieces.
static void finish_shared_blocks(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct plain *plain = (const struct plain *)context;
    const struct scree_pieces *pieces = &plain->collider->pieces;
    for (size_t b = first; b < last; ++b) {
        if (!scree_pieces_block_is_shared(pieces, b))
            continue;
        for (size_t r = pieces->block_first[b]; r < pieces->block_first[b + 1]; ++r) {
            double *from = plain->sum + SCREE_TERMS * (size_t)pieces->row[r].row;
            double *into = plain->sum + SCREE_TERMS * (size_t)pieces->row[r].grain;
            for (int k = 0; k < SCREE_TERMS; ++k)
                into[k] += from[k];
            memset(from, 0, SCREE_TERMS * sizeof *from);
        }
        finish_block(plain, b * SCREE_SUMS_BLOCK);
    }
}

static void evaluate_plain(struct plain *plain)
{
    struct scree_collider *collider = plain->collider;
    const size_t blocks = (get_contacts(plain)->grains + SCREE_SUMS_BLOCK - 1) / SCREE_SUMS_BLOCK;
    collider->step = 0;
    // the engine must not add the forces of wall contacts
    collider->measure_only = true;
    scree_team_run(collider->team, collider->pieces.count, 1, process_pieces, plain);
    if (collider->pieces.rows > 0)
        scree_team_run(collider->team, blocks, 1, finish_shared_blocks, plain);
    collider->measure_only = false;
}

static void evaluate_quanta(struct plain *plain)
{
    scree_evaluate_contacts(plain->collider, 0, NULL);
}

// Seconds per evaluation.
static double time_evaluations(struct plain *plain, void (*evaluate)(struct plain *), size_t repetitions)
{
    const double start = bench_clock(plain->collider->threads);
    for (size_t k = 0; k < repetitions; ++k)
        evaluate(plain);
    return (bench_clock(plain->collider->threads) - start) / (double)repetitions;
}

// Contact histories, saved and restored because sliding contacts change their springs.
struct histories {
    double *history, *at_walls;
};

static void copy_histories(const struct plain *plain, const struct histories *histories, bool restore)
{
    const struct scree_contacts *contacts = get_contacts(plain);
    const size_t bytes = contacts->candidates * contacts->stride * sizeof(double);
    const size_t at_walls = contacts->walls.count * contacts->walls.stride * sizeof(double);
    if (bytes > 0)
        memcpy(restore ? contacts->history : histories->history,
               restore ? histories->history : contacts->history, bytes);
    if (at_walls > 0)
        memcpy(restore ? contacts->walls.history : histories->at_walls,
               restore ? histories->at_walls : contacts->walls.history, at_walls);
}

// Bound of the difference of the two sums: a term is rounded by at most half a quantum, and a partial sum of
// `terms` of them, each below 2^50 quanta, by at most 2^-53 of itself.
static double difference_bound(double terms)
{
    return terms / 2 + terms * terms / 8;
}

// The largest ratio of the difference of the two sums to its bound.
static double max_difference_over_bound(const struct plain *plain, const struct scree_wrench *expected)
{
    struct scree_contacts *contacts = get_contacts(plain);
    const struct scree_wrench *wrench = scree_world_wrenches(plain->collider->world);
    const struct scree_grain *grain = scree_world_grains(plain->collider->world);
    double max_ratio = 0;
    bench_must(scree_contacts_index(contacts));
    for (size_t i = 0; i < contacts->grains; ++i) {
        // M is 7 / 4 times 2^52 quanta
        const double force = ldexp(1, (grain[i].quantum >> 4) - 1023 - 52);
        const double moment = ldexp(force, ilogb(grain[i].radius));
        // + 1: a contact with the floor
        const double bound =
            difference_bound((double)(contacts->row_first[i + 1] - contacts->row_first[i]) + 1);
        for (int k = 0; k < 3; ++k) {
            const double force_error = fabs(wrench[i].force[k] - expected[i].force[k]) / (force * bound);
            const double moment_error = fabs(wrench[i].moment[k] - expected[i].moment[k]) / (moment * bound);
            max_ratio = max_ratio > force_error ? max_ratio : force_error;
            max_ratio = max_ratio > moment_error ? max_ratio : moment_error;
        }
    }
    return max_ratio;
}

// Checks that the two sums differ by rounding only.
static void compare(struct plain *plain)
{
    const struct scree_contacts *contacts = get_contacts(plain);
    const struct histories histories = {
        (double *)bench_new(contacts->candidates * contacts->stride, sizeof(double)),
        (double *)bench_new(contacts->walls.count * contacts->walls.stride, sizeof(double))};
    struct scree_wrench *expected = (struct scree_wrench *)bench_new(contacts->grains, sizeof *expected);
    // the first evaluation deletes ended contacts
    evaluate_quanta(plain);
    copy_histories(plain, &histories, false);
    evaluate_quanta(plain);
    memcpy(expected, scree_world_wrenches(plain->collider->world), contacts->grains * sizeof *expected);
    copy_histories(plain, &histories, true);
    memset(scree_world_wrenches(plain->collider->world), 0xFF, contacts->grains * sizeof *expected);
    evaluate_plain(plain);
    const double error = max_difference_over_bound(plain, expected);
    free(expected);
    free(histories.history);
    free(histories.at_walls);
    if (error <= 1)
        return;
    fprintf(stderr, "bench: the two sums differ by %g times the bound\n", error);
    exit(1);
}

static void begin(struct plain *plain, struct scree_engine *engine)
{
    plain->collider = internals_collider(engine);
    if (plain->collider->classes.count != 1 || plain->collider->sums.internal ||
        strcmp(plain->collider->classes.class[0].law->name, order_law.name) != 0) {
        fprintf(stderr, "bench: only for worlds with the single law '%s', without couples\n", order_law.name);
        exit(2);
    }
    plain->sum = (double *)bench_new(SCREE_TERMS * plain->collider->sums.rows, sizeof(double));
}

int main(int argc, char **argv)
{
    if (argc > 4) {
        fprintf(stderr, "usage: %s [WORKLOAD [THREADS [ROUNDS]]]\n", argv[0]);
        return 2;
    }
    const int threads = argc > 2 ? (int)bench_number(argv[2], 1, MAX_THREADS) : 1;
    const size_t rounds = argc > 3 ? bench_number(argv[3], 1, MAX_ROUNDS) : 15;
    struct scene scene = scene_make(scene_find(argc > 1 ? argv[1] : ORDER_WORKLOAD));
    struct scree_engine *engine = scene_engine(&scene, threads);
    // quanta include impacts after the first step number divisible by SCREE_SUMS_EVERY
    scene_run_untimed(&scene, engine, SCREE_SUMS_EVERY + 16);
    struct plain plain;
    begin(&plain, engine);
    const size_t bodies = scree_body_count(scene.world), repetitions = 1 + 600000 / bodies;
    compare(&plain);
    double quanta_times[MAX_ROUNDS], plain_times[MAX_ROUNDS], ratio[MAX_ROUNDS];
    for (size_t r = 0; r < rounds; ++r) {
        quanta_times[r] = time_evaluations(&plain, evaluate_quanta, repetitions);
        plain_times[r] = time_evaluations(&plain, evaluate_plain, repetitions);
        ratio[r] = quanta_times[r] / plain_times[r];
    }
    printf("# %-10s %8s %7s %12s %12s %6s\n", "workload", "bodies", "threads", "rounded, ns", "plain, ns",
           "ratio");
    printf("%-12s %8zu %7d %12.2f %12.2f %6.3f\n", scene.row->name, bodies, threads,
           1e9 * bench_median(quanta_times, rounds) / (double)bodies,
           1e9 * bench_median(plain_times, rounds) / (double)bodies, bench_median(ratio, rounds));
    free(plain.sum);
    scree_engine_destroy(engine);
    scree_world_destroy(scene.world);
    return 0;
}
