// Passes over candidates, written once and compiled for each instruction set: the including file defines
// LANES (doubles in a register) and NAME (the suffix of the set). Eight candidates make a batch: their grains
// are brought into a tile, one row per value and one column per candidate, the law runs over the columns, and
// the pushes go back as records of one cache line. Only the way in and the way out differ between variants;
// bits never do.

typedef double NAME(reg) __attribute__((vector_size(8 * LANES), aligned(8 * LANES), may_alias));
typedef double NAME(quad) __attribute__((vector_size(32), may_alias));
typedef float NAME(half) __attribute__((vector_size(4 * LANES)));
typedef float NAME(floats) __attribute__((vector_size(8 * LANES), may_alias));

#if LANES == 8
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define INTERLEAVE 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15
#elif LANES == 4
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define INTERLEAVE 0, 4, 1, 5, 2, 6, 3, 7
#else
#define EVENS 0, 2
#define ODDS 1, 3
#define INTERLEAVE 0, 2, 1, 3
#endif

// Subscripts are spelled out here and below: a loop over registers is unrolled too late for the compiler to
// keep the array of them in registers, which costs half as much again.
#if LANES == 8

#define EACH(DO)                                                                                             \
    DO(0);                                                                                                   \
    DO(1);                                                                                                   \
    DO(2);                                                                                                   \
    DO(3);                                                                                                   \
    DO(4);                                                                                                   \
    DO(5);                                                                                                   \
    DO(6);                                                                                                   \
    DO(7)

// neighbouring lanes of two rows, then neighbouring pairs of lanes
PROBE_INLINE void NAME(swap_ones)(NAME(reg) * even, NAME(reg) * odd)
{
    const NAME(reg) a = *even, b = *odd;
    *even = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    *odd = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}

PROBE_INLINE void NAME(swap_twos)(NAME(reg) * lower, NAME(reg) * upper)
{
    const NAME(reg) a = *lower, b = *upper;
    *lower = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    *upper = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}

PROBE_INLINE void NAME(swap_fours)(NAME(reg) * lower, NAME(reg) * upper)
{
    const NAME(reg) a = *lower, b = *upper;
    *lower = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    *upper = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

// the 4 x 4 blocks of either half, transposed
PROBE_INLINE void NAME(transpose_halves)(NAME(reg) * r)
{
    NAME(swap_ones)(&r[0], &r[1]);
    NAME(swap_ones)(&r[2], &r[3]);
    NAME(swap_twos)(&r[0], &r[2]);
    NAME(swap_twos)(&r[1], &r[3]);
}

// the square block of LANES rows, transposed in registers
PROBE_INLINE void NAME(transpose)(NAME(reg) * r)
{
    NAME(transpose_halves)(r);
    NAME(transpose_halves)(r + 4);
    NAME(swap_fours)(&r[0], &r[4]);
    NAME(swap_fours)(&r[1], &r[5]);
    NAME(swap_fours)(&r[2], &r[6]);
    NAME(swap_fours)(&r[3], &r[7]);
}

#elif LANES == 4

#define EACH(DO)                                                                                             \
    DO(0);                                                                                                   \
    DO(1);                                                                                                   \
    DO(2);                                                                                                   \
    DO(3)

PROBE_INLINE void NAME(transpose)(NAME(reg) * r)
{
    const NAME(reg) a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
    const NAME(reg) b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const NAME(reg) c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);
    const NAME(reg) d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#else

#define EACH(DO)                                                                                             \
    DO(0);                                                                                                   \
    DO(1)

PROBE_INLINE void NAME(transpose)(NAME(reg) * r)
{
    const NAME(reg) a = r[0];
    r[0] = __builtin_shufflevector(a, r[1], 0, 2);
    r[1] = __builtin_shufflevector(a, r[1], 1, 3);
}

#endif

// rows of `words` doubles, `stride` doubles apart, become columns of the tile
PROBE_INLINE void NAME(load_rows)(double (*restrict tile)[8], const double *base, size_t stride, int words,
                                  const uint32_t *index)
{
#define LOAD(k) r[k] = *(const NAME(reg) *)(base + stride * index[group + k] + word)
#define KEEP(k) *(NAME(reg) *)&tile[word + k][group] = r[k]
    for (int group = 0; group < 8; group += LANES) {
        for (int word = 0; word < words; word += LANES) {
            NAME(reg) r[LANES];
            EACH(LOAD);
            NAME(transpose)(r);
            EACH(KEEP);
        }
    }
#undef LOAD
#undef KEEP
}

// columns of the tile become rows of `words` doubles, as far apart; `index` says where
PROBE_INLINE void NAME(store_rows)(double (*restrict tile)[8], double *restrict base, int words,
                                   const uint32_t *index)
{
#define LOAD(k) r[k] = *(const NAME(reg) *)&tile[word + k][group]
#define KEEP(k) *(NAME(reg) *)(base + (size_t)words * index[group + k] + word) = r[k]
    for (int group = 0; group < 8; group += LANES) {
        for (int word = 0; word < words; word += LANES) {
            NAME(reg) r[LANES];
            EACH(LOAD);
            NAME(transpose)(r);
            EACH(KEEP);
        }
    }
#undef LOAD
#undef KEEP
}

// rows of four doubles: two of them fill a register of eight lanes, which saves half of the shuffles
PROBE_INLINE void NAME(load_quads)(double (*restrict tile)[8], const double *base, size_t stride,
                                   const uint32_t *index)
{
#if LANES == 8
#define ROW(k) *(const NAME(quad) *)(base + stride * index[k])
#define LOAD(k) r[k] = __builtin_shufflevector(ROW(k), ROW(k + 4), 0, 1, 2, 3, 4, 5, 6, 7)
#define KEEP(k) *(NAME(reg) *)tile[k] = r[k]
    NAME(reg) r[4];
    LOAD(0), LOAD(1), LOAD(2), LOAD(3);
    NAME(transpose_halves)(r);
    KEEP(0), KEEP(1), KEEP(2), KEEP(3);
#undef ROW
#undef LOAD
#undef KEEP
#else
    NAME(load_rows)(tile, base, stride, 4, index);
#endif
}

PROBE_INLINE void NAME(store_quads)(double (*restrict tile)[8], double *restrict base, const uint32_t *index)
{
#if LANES == 8
#define ROW(k) *(NAME(quad) *)(base + (size_t)4 * index[k])
#define LOAD(k) r[k] = *(const NAME(reg) *)tile[k]
#define KEEP(k)                                                                                              \
    ROW(k) = __builtin_shufflevector(r[k], r[k], 0, 1, 2, 3),                                                \
    ROW(k + 4) = __builtin_shufflevector(r[k], r[k], 4, 5, 6, 7)
    NAME(reg) r[4];
    LOAD(0), LOAD(1), LOAD(2), LOAD(3);
    NAME(transpose_halves)(r);
    KEEP(0), KEEP(1), KEEP(2), KEEP(3);
#undef ROW
#undef LOAD
#undef KEEP
#else
    NAME(store_rows)(tile, base, 4, index);
#endif
}

// a word of two floats: the first lies in the low half
PROBE_INLINE void NAME(join_floats)(double *restrict word, const double *restrict first,
                                    const double *restrict second)
{
    for (int group = 0; group < 8; group += LANES) {
        NAME(half) a = __builtin_convertvector(*(const NAME(reg) *)(first + group), NAME(half));
        NAME(half) b = __builtin_convertvector(*(const NAME(reg) *)(second + group), NAME(half));
        *(NAME(floats) *)(void *)(word + group) = __builtin_shufflevector(a, b, INTERLEAVE);
    }
}

// on-step values 2 word and 2 word + 1 = mid-step values (three velocities, then three spins) + float
// corrections
PROBE_INLINE void NAME(kick_word)(double (*restrict tile)[8], int group, int word)
{
    const int first = word == 0 ? ROW_VELOCITY : word == 1 ? ROW_VELOCITY + 2 : ROW_SPIN + 1;
    const int second = word == 0 ? ROW_VELOCITY + 1 : word == 1 ? ROW_SPIN : ROW_SPIN + 2;
    const int full = ROW_FULL_VELOCITY + 2 * word;
    NAME(floats) pair = *(const NAME(floats) *)(const void *)&tile[ROW_KICK + word][group];
    NAME(half) even = __builtin_shufflevector(pair, pair, EVENS);
    NAME(half) odd = __builtin_shufflevector(pair, pair, ODDS);
    *(NAME(reg) *)&tile[full][group] =
        *(const NAME(reg) *)&tile[first][group] + __builtin_convertvector(even, NAME(reg));
    *(NAME(reg) *)&tile[full + 1][group] =
        *(const NAME(reg) *)&tile[second][group] + __builtin_convertvector(odd, NAME(reg));
}

// the corrections lie in pairs in the words of the record
PROBE_INLINE void NAME(finish_kicks)(double (*restrict tile)[8])
{
    for (int group = 0; group < 8; group += LANES)
        for (int word = 0; word < 3; word++)
            NAME(kick_word)(tile, group, word);
}

// the same tile by one load per element: `word` of record l, or of column l
PROBE_INLINE void NAME(load_elements)(double (*restrict tile)[8], const struct probe *p,
                                      const uint32_t *index, int columns)
{
    for (int word = 0; word < ROW_KICK; word++) {
        const double *base =
            columns ? p->columns.value[word] : (const double *)(const void *)p->grain128 + word;
        const size_t stride = columns ? 1 : sizeof(struct grain128) / sizeof(double);
#pragma omp simd
        for (int l = 0; l < 8; l++)
            tile[word][l] = base[stride * index[l]];
    }
    for (int word = 0; word < 6; word++) {
        const float *base = columns ? p->columns.kick[word] : p->grain128->kick + word;
        const size_t stride = columns ? 1 : sizeof(struct grain128) / sizeof(float);
        const int from = word < 3 ? ROW_VELOCITY + word : ROW_SPIN + word - 3;
#pragma omp simd
        for (int l = 0; l < 8; l++)
            tile[ROW_FULL_VELOCITY + word][l] = tile[from][l] + (double)base[stride * index[l]];
    }
}

PROBE_INLINE void NAME(load_tile)(double (*restrict tile)[8], const struct probe *p, const uint32_t *index,
                                  enum load load)
{
    if (load == LOAD_ROWS128) {
        NAME(load_rows)(tile, (const double *)(const void *)p->grain128, 16, 16, index);
        NAME(finish_kicks)(tile);
    } else if (load == LOAD_ROWS192) {
        NAME(load_rows)(tile, (const double *)(const void *)p->grain192, 24, 24, index);
    } else {
        NAME(load_elements)(tile, p, index, load == LOAD_COLUMNS);
    }
}

PROBE_INLINE struct side NAME(side)(double (*restrict tile)[8], int l, enum load load)
{
    const int velocity = load == LOAD_ROWS192 ? 11 : ROW_FULL_VELOCITY;
    const int spin = load == LOAD_ROWS192 ? 16 : ROW_FULL_SPIN;
    return (struct side){
        .centre = {tile[0][l], tile[1][l], tile[2][l]},
        .radius = tile[ROW_RADIUS][l],
        .half_velocity = {tile[4][l], tile[5][l], tile[6][l]},
        .mass = tile[ROW_MASS][l],
        .half_spin = {tile[8][l], tile[9][l], tile[10][l]},
        .full_velocity = {tile[velocity][l], tile[velocity + 1][l], tile[velocity + 2][l]},
        .full_spin = {tile[spin][l], tile[spin + 1][l], tile[spin + 2][l]},
    };
}

// the law on one lane
PROBE_INLINE void NAME(law_lane)(const struct law *k, double (*restrict a)[8], double (*restrict b)[8],
                                 double (*restrict history)[8], double (*restrict fresh)[8],
                                 double (*restrict push)[8], double (*restrict loss)[8], int l,
                                 enum load load, int periodic)
{
    const struct side i = NAME(side)(a, l, load), j = NAME(side)(b, l, load);
    struct history old = {{history[0][l], history[1][l], history[2][l]}, history[3][l]};
    struct vec d = sub(i.centre, j.centre);
    if (periodic) {
        d.x = nearest(d.x, k->box.x);
        d.y = nearest(d.y, k->box.y);
    }
    const struct push out = law_push(k, i, j, d, &old);
    fresh[0][l] = old.spring.x;
    fresh[1][l] = old.spring.y;
    fresh[2][l] = old.spring.z;
    fresh[3][l] = old.area;
    push[0][l] = out.force.x;
    push[1][l] = out.force.y;
    push[2][l] = out.force.z;
    push[4][l] = out.torque.x;
    push[5][l] = out.torque.y;
    push[6][l] = out.torque.z;
    push[7][l] = out.half_overlap;
    loss[0][l] = out.friction_loss;
    loss[1][l] = out.dashpot_loss;
}

// the law over eight candidates whose tiles are full; `push` gets force, losses, torque, half overlap
PROBE_INLINE void NAME(law_batch)(const struct law *law, double (*restrict a)[8], double (*restrict b)[8],
                                  double (*restrict history)[8], double (*restrict fresh)[8],
                                  double (*restrict push)[8], enum load load, int periodic)
{
    const struct law k = *law;
    double loss[2][8] __attribute__((aligned(64)));
    PROBE_SETTLE(a);
    PROBE_SETTLE(b);
    PROBE_SETTLE(history);
#pragma omp simd
    for (int l = 0; l < 8; l++)
        NAME(law_lane)(&k, a, b, history, fresh, push, loss, l, load, periodic);
    NAME(join_floats)(push[3], loss[0], loss[1]);
}

// one batch: `slot` names the candidates, whose histories lie there too; the pushes become columns of `out`
PROBE_INLINE void NAME(batch)(const struct law *law, const struct probe *p, const uint32_t *slot,
                              double (*restrict out)[8], enum load load, int periodic)
{
    double a[ROW_COUNT][8] __attribute__((aligned(64))), b[ROW_COUNT][8] __attribute__((aligned(64)));
    double history[4][8] __attribute__((aligned(64))), fresh[4][8] __attribute__((aligned(64)));
    uint32_t low[8], high[8];
    for (int l = 0; l < 8; l++) {
        low[l] = p->list->pairs[slot[l]].low;
        high[l] = p->list->pairs[slot[l]].high;
    }
    NAME(load_tile)(a, p, low, load);
    NAME(load_tile)(b, p, high, load);
    NAME(load_quads)(history, p->history[0], 4, slot);
    NAME(law_batch)(law, a, b, history, fresh, out, load, periodic);
    NAME(store_quads)(fresh, p->history[0], slot);
}

// every candidate of [first, last), live or not; the push of the first goes to `push`
PROBE_INLINE void NAME(every)(const struct law *law, const struct probe *p, size_t first, size_t last,
                              double (*push)[8], enum load load, int periodic)
{
    for (size_t c = first; c < last; c += 8) {
        double out[8][8] __attribute__((aligned(64)));
        uint32_t slot[8], record[8];
        for (uint32_t l = 0; l < 8; l++) {
            slot[l] = (uint32_t)c + l;
            record[l] = (uint32_t)(c - first) + l;
        }
        NAME(batch)(law, p, slot, out, load, periodic);
        NAME(store_rows)(out, push[0], 8, record);
    }
}

#undef EVENS
#undef ODDS
#undef INTERLEAVE
#undef EACH
