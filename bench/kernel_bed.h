// The bed that the probe runs on: a settled packing, tiled sideways, its grains in Morton order, and the
// candidates of a skin of 0.05 diameters in lists that a pass walks. Everything here runs once, before any
// clock.

#ifndef SCREE_BENCH_KERNEL_BED_H
#define SCREE_BENCH_KERNEL_BED_H

#include "kernel_law.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// candidates are nearer than touching plus this; a grain moves half of it before the next search
static const double bed_skin = 0.05;

struct ball {
    double centre[3], radius;
    uint64_t key;
    uint32_t id;
};

struct bed {
    struct ball *ball;
    size_t count;
    double box[2];
};

static inline void *bed_new(size_t count, size_t size)
{
    void *block = NULL;
    size_t bytes = (count * size + 127) / 64 * 64;
    if (posix_memalign(&block, (size_t)1 << 21, bytes) != 0) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(EXIT_FAILURE);
    }
    madvise(block, bytes, MADV_HUGEPAGE);
    memset(block, 0, bytes);
    return block;
}

// lines of "x y z r" through gzip; the box of the packing is 30 x 30
static inline struct bed bed_read(const char *path, int copies)
{
    const double side = 30.0;
    char command[4096];
    int length = snprintf(command, sizeof command, "gzip -dc '%s'", path);
    FILE *file = strchr(path, '\'') || length >= (int)sizeof command ? NULL : popen(command, "r");
    if (!file) {
        fprintf(stderr, "cannot read the packing %s\n", path);
        exit(EXIT_FAILURE);
    }
    size_t capacity = 1 << 16, tiles = (size_t)copies * (size_t)copies;
    struct bed bed = {bed_new(capacity * tiles, sizeof *bed.ball), 0, {side * copies, side * copies}};
    struct ball one = {0};
    while (bed.count < capacity &&
           fscanf(file, "%lf %lf %lf %lf", &one.centre[0], &one.centre[1], &one.centre[2], &one.radius) == 4)
        bed.ball[bed.count++] = one;
    if (pclose(file) != 0 || bed.count == 0 || bed.count == capacity) {
        fprintf(stderr, "%s is not a packing of fewer than %zu spheres\n", path, capacity);
        exit(EXIT_FAILURE);
    }
    size_t base = bed.count;
    for (size_t tile = 1; tile < tiles; tile++) {
        for (size_t i = 0; i < base; i++) {
            struct ball *copy = &bed.ball[bed.count++];
            *copy = bed.ball[i];
            copy->centre[0] += side * (double)(tile % (size_t)copies);
            copy->centre[1] += side * (double)(tile / (size_t)copies);
        }
    }
    for (size_t i = 0; i < bed.count; i++)
        bed.ball[i].id = (uint32_t)i;
    return bed;
}

static inline uint64_t bed_spread(uint64_t bits)
{
    uint64_t key = 0;
    for (int k = 0; k < 21; k++)
        key |= (bits >> k & 1) << 3 * k;
    return key;
}

static inline int bed_order(const void *a, const void *b)
{
    const struct ball *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->id < q->id ? -1 : 1;
}

// grains in Morton order of cells half a diameter wide; ids keep the order of the file
static inline void bed_sort(struct bed *bed)
{
    for (size_t i = 0; i < bed->count; i++) {
        struct ball *ball = &bed->ball[i];
        ball->key = 0;
        for (int k = 0; k < 3; k++)
            ball->key |= bed_spread((uint64_t)(2.0 * ball->centre[k])) << k;
    }
    qsort(bed->ball, bed->count, sizeof *bed->ball, bed_order);
}

// the grid of the search: cells of at least the reach, periodic in x and y
struct cells {
    int size[3];
    double width[3];
    uint32_t *first, *next;
};

static inline size_t bed_cell(const struct cells *cells, const struct ball *ball, const int step[3])
{
    int at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = (int)(ball->centre[k] / cells->width[k]);
        at[k] = at[k] < cells->size[k] ? at[k] : cells->size[k] - 1;
        at[k] += step[k];
        if (k < 2)
            at[k] = (at[k] + cells->size[k]) % cells->size[k];
        else if (at[k] < 0 || at[k] >= cells->size[k])
            return SIZE_MAX;
    }
    return ((size_t)at[2] * (size_t)cells->size[1] + (size_t)at[1]) * (size_t)cells->size[0] + (size_t)at[0];
}

static inline struct cells bed_cells(const struct bed *bed, double reach)
{
    double top = 0.0;
    for (size_t i = 0; i < bed->count; i++)
        top = bed->ball[i].centre[2] > top ? bed->ball[i].centre[2] : top;
    struct cells cells = {0};
    const double extent[3] = {bed->box[0], bed->box[1], top + reach};
    for (int k = 0; k < 3; k++) {
        cells.size[k] = (int)(extent[k] / reach);
        cells.width[k] = extent[k] / cells.size[k];
    }
    size_t total = (size_t)cells.size[0] * (size_t)cells.size[1] * (size_t)cells.size[2];
    cells.first = bed_new(total, sizeof *cells.first);
    cells.next = bed_new(bed->count, sizeof *cells.next);
    memset(cells.first, 0xff, total * sizeof *cells.first);
    for (size_t i = bed->count; i-- > 0;) {
        size_t cell = bed_cell(&cells, &bed->ball[i], (const int[3]){0, 0, 0});
        cells.next[i] = cells.first[cell];
        cells.first[cell] = (uint32_t)i;
    }
    return cells;
}

static inline double bed_gap(const struct bed *bed, size_t i, size_t j)
{
    const struct ball *a = &bed->ball[i], *b = &bed->ball[j];
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        double d = a->centre[k] - b->centre[k];
        double length = k < 2 ? bed->box[k] : HUGE_VAL;
        d = nearest(d, length);
        square += d * d;
    }
    return sqrt(square) - (a->radius + b->radius);
}
#endif
