// Which record, which loads, which tiles: the contact loop on spheres, timed with all the physics that a step
// needs.
//
//     bench-kernel [PACKING [COPIES...]]      default: bench/data/bed-30k.xyzr.gz 1 2 6
//
// COPIES c tiles the packing c by c sideways. Variants run in turns (A B C A B C), each time from the same
// state; the table shows processor time: of the fastest step of each turn the median over all turns, and the
// minimum. Variants that must agree to the last bit are compared; the program fails when they do not. See
// docs/decisions/grain-record.md.

#define _DEFAULT_SOURCE
#include "kernel_floor.h"
#include "kernel_grain.h"
#include "kernel_law.h"
#include "kernel_list.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef float alias_float __attribute__((may_alias));

enum { PROBE_CHUNK = 4096 };

#include "kernel_isa.h"

// E = 1e5, nu = 0.3, density 1, as the packing was settled
static struct law bed_law(const struct bed *bed)
{
    return (struct law){.step = 5e-4,
                        .normal_stiffness = 73260.073,
                        .tangent_stiffness = 90497.738,
                        .normal_damping = 1000.0,
                        .tangent_damping = 500.0,
                        .friction = 0.3,
                        .box = {bed->box[0], bed->box[1], HUGE_VAL}};
}

// two grains behind the last one never touch anything: lists are filled up with them
static struct grain128 *grains_new(const struct bed *bed)
{
    struct grain128 *grain = bed_new(bed->count + 2, sizeof *grain);
    for (size_t i = 0; i < bed->count + 2; i++) {
        struct grain128 *g = &grain[i];
        bool real = i < bed->count;
        g->radius = real ? bed->ball[i].radius : 0.5;
        g->mass = 4.0 / 3.0 * 3.14159265358979 * g->radius * g->radius * g->radius;
        g->centre[2] = -1000.0 * (double)(i + 1 - bed->count);
        if (real)
            memcpy(g->centre, bed->ball[i].centre, sizeof g->centre);
    }
    return grain;
}

static struct probe probe_new(const struct bed *bed, const struct list *list, struct grain128 *grain)
{
    size_t slots = list->inner[list->tiles] + 8;
    struct probe p = {.grains = bed->count, .grain128 = grain, .list = list};
    p.history = bed_new(slots, sizeof *p.history);
    p.push = bed_new(list->records + 1, sizeof *p.push);
    p.lost_record = (uint32_t)list->records;
    p.was_live = bed_new(slots / 8, 1);
    p.live = bed_new(PROBE_CHUNK + 16, sizeof *p.live);
    p.live_record = bed_new(PROBE_CHUNK + 16, sizeof *p.live_record);
    p.dead_record = bed_new(PROBE_CHUNK + 16, sizeof *p.dead_record);
    squeeze_fill(p.squeeze);
    p.load = bed_new(bed->count + 2, sizeof *p.load);
    p.loss = bed_new(bed->count + 2, sizeof *p.loss);
    return p;
}

static void probe_free(struct probe *p)
{
    void *blocks[] = {p->history,     p->push,        p->was_live, p->live,
                      p->live_record, p->dead_record, p->load,     p->loss};
    for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++)
        free(blocks[k]);
}

// no contact has a past, every push lies at zero
static void probe_reset(struct probe *p, const struct grain128 *start)
{
    size_t slots = p->list->inner[p->list->tiles] + 8;
    memcpy(p->grain128, start, (p->grains + 2) * sizeof *start);
    for (size_t i = 0; i < p->grains + 2 && p->grain192; i++)
        p->grain192[i] = grain_long(&start[i]);
    memset(p->history, 0, slots * sizeof *p->history);
    memset(p->push, 0, ((size_t)p->lost_record + 1) * sizeof *p->push);
    memset(p->was_live, 0, slots / 8);
    memset(p->load, 0, (p->grains + 2) * sizeof *p->load);
    memset(p->loss, 0, (p->grains + 2) * sizeof *p->loss);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t fold(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t k = 0; k < bytes; k += 8) {
        uint64_t word;
        memcpy(&word, at + k, 8);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

// centres, velocities, spins: what both records hold
static uint64_t fold_grains(const struct probe *p, enum load load)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < p->grains; i++)
        hash = fold(hash, grain_at(p, i, load), offsetof(struct grain128, kick));
    return hash;
}

// one line of the table
struct variant {
    char name[48];
    probe_run *run;
    struct probe *probe;
    double contacts;
    bool same_bits;
    uint64_t hash;
    double sample[64];
};

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

enum { ROUNDS = 15 };

static void report(const char *title, struct variant *variant, size_t count, double grains)
{
    printf("  %-44s %9s %9s %9s %9s\n", title, "ns/grain", "min", "ns/cont.", "min");
    for (size_t v = 0; v < count; v++) {
        double *s = variant[v].sample;
        qsort(s, ROUNDS, sizeof *s, ascending);
        printf("  %-44s %9.2f %9.2f %9.2f %9.2f\n", variant[v].name, s[ROUNDS / 2] / grains, s[0] / grains,
               s[ROUNDS / 2] / variant[v].contacts, s[0] / variant[v].contacts);
    }
    fflush(stdout);
}

static int agree(const struct variant *variant, size_t count)
{
    const struct variant *first = NULL;
    for (size_t v = 0; v < count; v++) {
        if (!variant[v].same_bits)
            continue;
        if (first && first->hash != variant[v].hash) {
            fprintf(stderr, "%s and %s differ in their bits\n", first->name, variant[v].name);
            return EXIT_FAILURE;
        }
        first = first ? first : &variant[v];
    }
    return EXIT_SUCCESS;
}

// (a) the law alone over the live contacts, in the four ways in
static int compare_loads(const struct bed *bed, const struct law *law, const struct grain128 *start)
{
    struct neighbours touching = list_search(bed, 0.0);
    struct list list = list_build(bed, &touching, 0);
    struct grain128 *grain = grains_new(bed);
    struct probe p = probe_new(bed, &list, grain);
    p.grain192 = bed_new(bed->count + 2, sizeof *p.grain192);
    probe_reset(&p, start);
    for (int k = 0; k < 11; k++)
        p.columns.value[k] = bed_new(bed->count + 2, sizeof(double));
    for (int k = 0; k < 6; k++)
        p.columns.kick[k] = bed_new(bed->count + 2, sizeof(float));
    for (size_t i = 0; i < bed->count + 2; i++) {
        for (int k = 0; k < 11; k++)
            memcpy(&p.columns.value[k][i], (const char *)&grain[i] + 8 * k, sizeof(double));
        for (int k = 0; k < 6; k++)
            p.columns.kick[k][i] = grain[i].kick[k];
    }
    static const char *const names[ISA_LOADS] = {"rows of 128 bytes", "rows of 192 bytes",
                                                 "elements of 128 bytes", "columns"};
    struct variant variant[ISA_COUNT * ISA_LOADS] = {0};
    size_t count = 0;
    for (size_t s = 0; s < ISA_COUNT; s++)
        for (int load = 0; load < ISA_LOADS && isa_runs(&isa_table[s]); load++, count++) {
            variant[count] = (struct variant){
                .run = isa_table[s].pass[load], .contacts = (double)list.candidates, .same_bits = true};
            snprintf(variant[count].name, sizeof variant[count].name, "%s %s", isa_table[s].name,
                     names[load]);
        }
    int passes = (int)(1000000 / list.candidates) + 1;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t v = 0; v < count; v++) {
            memset(p.history, 0, list.inner[list.tiles] * sizeof *p.history);
            variant[v].run(law, &p);
            variant[v].sample[round] = HUGE_VAL;
            for (int k = 0; k < passes; k++) {
                double begin = now();
                variant[v].run(law, &p);
                double spent = (now() - begin) * 1e9;
                variant[v].sample[round] =
                    spent < variant[v].sample[round] ? spent : variant[v].sample[round];
            }
            variant[v].hash = fold(0, p.push, list.inner[list.tiles] * sizeof *p.push);
            variant[v].hash = fold(variant[v].hash, p.history, list.inner[list.tiles] * sizeof *p.history);
        }
    report("law alone, live contacts, untiled", variant, count, (double)bed->count);
    int status = agree(variant, count);
    for (int k = 0; k < 11; k++)
        free(p.columns.value[k]);
    for (int k = 0; k < 6; k++)
        free(p.columns.kick[k]);
    free(p.grain192);
    free(grain);
    probe_free(&p);
    list_free(&list);
    free(touching.first);
    free(touching.slot);
    return status;
}

static struct floor_world floor_new(const struct bed *bed, const struct neighbours *near)
{
    struct floor_world f = {.grains = bed->count, .near = near};
    double(**vectors[])[3] = {&f.x, &f.v, &f.w, &f.force, &f.torque};
    for (int k = 0; k < 5; k++)
        *vectors[k] = bed_new(bed->count, sizeof(double[3]));
    f.radius = bed_new(bed->count, sizeof(double));
    f.mass = bed_new(bed->count, sizeof(double));
    f.touch = bed_new(near->first[bed->count], sizeof(int));
    f.shear = bed_new(near->first[bed->count], sizeof(double[3]));
    return f;
}

static void floor_reset(struct floor_world *f, const struct grain128 *start)
{
    for (size_t i = 0; i < f->grains; i++) {
        memcpy(f->x[i], start[i].centre, sizeof f->x[i]);
        memcpy(f->v[i], start[i].velocity, sizeof f->v[i]);
        memcpy(f->w[i], start[i].spin, sizeof f->w[i]);
        f->radius[i] = start[i].radius;
        f->mass[i] = start[i].mass;
    }
    memset(f->force, 0, f->grains * sizeof *f->force);
    memset(f->torque, 0, f->grains * sizeof *f->torque);
    memset(f->shear, 0, f->near->first[f->grains] * sizeof *f->shear);
}

static void floor_free(struct floor_world *f)
{
    void *blocks[] = {f->x, f->v, f->w, f->force, f->torque, f->radius, f->mass, f->touch, f->shear};
    for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++)
        free(blocks[k]);
}

static double live_count(const struct probe *p)
{
    double live = 0.0;
    for (size_t c = 0; c < p->list->inner[p->list->tiles]; c++)
        live += p->was_live[c / 8] >> c % 8 & 1;
    return live;
}

// the fastest of some steps of one variant from the start; the first one warms the caches and is not timed
static double time_steps(struct variant *v, struct floor_world *scalar, const struct law *law,
                         const struct grain128 *start, int steps)
{
    double fastest = HUGE_VAL;
    if (v->probe)
        probe_reset(v->probe, start);
    else
        floor_reset(scalar, start);
    for (int step = 0; step <= steps; step++) {
        double begin = now();
        if (v->probe)
            v->run(law, v->probe);
        else
            floor_step(law, scalar);
        double spent = (now() - begin) * 1e9;
        fastest = step > 0 && spent < fastest ? spent : fastest;
    }
    if (v->probe)
        v->hash = fold_grains(v->probe, v->probe->grain192 ? LOAD_ROWS192 : LOAD_ROWS128);
    return fastest;
}

enum { TILINGS = 5, STEP_VARIANTS = 1 + 12 };

static const size_t tile_sizes[TILINGS] = {0, 512, 1024, 2048, 4096};

// what a line of the second table runs: instruction set (counted from the best), tiling, step
static const struct {
    const char *name;
    size_t isa, tiling;
    enum step step;
} step_rows[] = {
    {"untiled, every candidate", 0, 0, STEP_EVERY},
    {"untiled, live list", 0, 0, STEP_LIVE},
    {"untiled, live list, added in list order", 0, 0, STEP_ADDED},
    {"tiles of 512, live list", 0, 1, STEP_LIVE},
    {"tiles of 1024, every candidate", 0, 2, STEP_EVERY},
    {"tiles of 1024, live list", 0, 2, STEP_LIVE},
    {"tiles of 1024, live list, 192 bytes", 0, 2, STEP_LIVE192},
    {"tiles of 1024, live list, added in list order", 0, 2, STEP_ADDED},
    {"tiles of 2048, live list", 0, 3, STEP_LIVE},
    {"tiles of 4096, live list", 0, 4, STEP_LIVE},
    {"next set, tiles of 1024, live list", 1, 2, STEP_LIVE},
    {"last set, tiles of 1024, live list", 2, 2, STEP_LIVE},
};

// the law's first hundred steps, so that springs and velocities are those of a settled bed under way
static void settle(struct grain128 *start, const struct bed *bed, const struct list *list,
                   const struct law *law, probe_run *run)
{
    struct probe p = probe_new(bed, list, start);
    memset(p.load, 0, (bed->count + 2) * sizeof *p.load);
    for (int step = 0; step < 100; step++)
        run(law, &p);
    probe_free(&p);
}

// (b), (c), (d): whole steps, whose every variant but the two that add in list order leads to the same state
static int compare_steps(const struct bed *bed, const struct law *law, struct grain128 *start, size_t best)
{
    struct neighbours near = list_search(bed, bed_skin);
    struct list list[TILINGS];
    struct variant variant[STEP_VARIANTS] = {0};
    struct probe probe[STEP_VARIANTS];
    for (int k = 0; k < TILINGS; k++)
        list[k] = list_build(bed, &near, tile_sizes[k]);
    settle(start, bed, &list[2], law, isa_table[best].step[STEP_LIVE]);
    printf("  %.3f candidates a grain; %.1f %% of them between tiles of 1024\n",
           (double)list[0].candidates / (double)bed->count,
           100.0 * (double)list[2].crossing / (double)list[2].candidates);

    struct floor_world scalar = floor_new(bed, &near);
    struct grain128 *grain = grains_new(bed);
    struct grain192 *wide = bed_new(bed->count + 2, sizeof *wide);
    snprintf(variant[0].name, sizeof variant[0].name, "scalar floor, simpler law");
    size_t count = 1;
    for (size_t k = 0; k < sizeof step_rows / sizeof step_rows[0]; k++) {
        if (best + step_rows[k].isa >= ISA_COUNT)
            continue;
        struct variant *v = &variant[count];
        probe[count] = probe_new(bed, &list[step_rows[k].tiling], grain);
        probe[count].grain192 = step_rows[k].step == STEP_LIVE192 ? wide : NULL;
        v->probe = &probe[count++];
        v->run = isa_table[best + step_rows[k].isa].step[step_rows[k].step];
        v->same_bits = step_rows[k].step != STEP_ADDED;
        snprintf(v->name, sizeof v->name, "%s", step_rows[k].name);
    }
    int steps = bed->count > 500000 ? 2 : bed->count > 100000 ? 4 : 16;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t v = 0; v < count; v++)
            variant[v].sample[round] = time_steps(&variant[v], &scalar, law, start, steps);
    double live = 0.0;
    for (size_t v = 1; v < count; v++)
        live = variant[v].run == isa_table[best].step[STEP_LIVE] ? live_count(variant[v].probe) : live;
    for (size_t v = 0; v < count; v++)
        variant[v].contacts = live;
    printf("  %.3f live contacts a grain\n", live / (double)bed->count);
    report("whole steps", variant, count, (double)bed->count);
    int status = agree(variant, count);
    for (size_t v = 1; v < count; v++)
        probe_free(&probe[v]);
    for (int k = 0; k < TILINGS; k++)
        list_free(&list[k]);
    floor_free(&scalar);
    free(wide);
    free(grain);
    free(near.first);
    free(near.slot);
    return status;
}

int main(int argc, char **argv)
{
    const char *packing = argc > 1 ? argv[1] : "bench/data/bed-30k.xyzr.gz";
    static char *const usual[] = {"1", "2", "6"};
    char *const *copies = argc > 2 ? argv + 2 : usual;
    int sizes = argc > 2 ? argc - 2 : 3, status = EXIT_SUCCESS;
    size_t best = 0;
    while (!isa_runs(&isa_table[best]))
        best++;
    for (int k = 0; k < sizes; k++) {
        struct bed bed = bed_read(packing, atoi(copies[k]));
        bed_sort(&bed);
        struct law law = bed_law(&bed);
        struct grain128 *start = grains_new(&bed);
        printf("%zu grains, instruction set %s\n", bed.count, isa_table[best].name);
        status |= compare_steps(&bed, &law, start, best);
        status |= compare_loads(&bed, &law, start);
        free(start);
        free(bed.ball);
    }
    return status;
}
