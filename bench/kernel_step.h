// One step around the passes, compiled for each instruction set like them: filter, law, gather, motion, tile
// by tile. Phase one walks the candidates between tiles, phase two each tile on its own while it lies in the
// second-level cache.

typedef int64_t NAME(bits) __attribute__((vector_size(32), may_alias));

// one bit a lane, set where two grains may touch; a hair wider than the law's own test
PROBE_INLINE unsigned NAME(near)(const struct law *law, const struct probe *p, const uint32_t *low,
                                 const uint32_t *high, enum load load, int periodic)
{
    static const uint64_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const struct vec box = law->box;
    const double wider = 1.0 + 1e-12;
    double a[4][8] __attribute__((aligned(64))), b[4][8] __attribute__((aligned(64)));
    uint64_t near[8] __attribute__((aligned(64))), bits = 0;
    const double *centre = grain_at(p, 0, load)->centre;
    const size_t stride = load == LOAD_ROWS192 ? 24 : 16;
    NAME(load_quads)(a, centre, stride, low);
    NAME(load_quads)(b, centre, stride, high);
    PROBE_SETTLE(a);
    PROBE_SETTLE(b);
#pragma omp simd
    for (int l = 0; l < 8; l++) {
        double x = a[0][l] - b[0][l], y = a[1][l] - b[1][l], z = a[2][l] - b[2][l];
        if (periodic) {
            x = nearest(x, box.x);
            y = nearest(y, box.y);
        }
        double size = a[3][l] + b[3][l];
        near[l] = x * x + y * y + z * z < size * size * wider ? UINT64_MAX : 0;
    }
#pragma omp simd reduction(| : bits)
    for (int l = 0; l < 8; l++)
        bits |= near[l] & bit[l];
    return (unsigned)bits;
}

PROBE_INLINE void NAME(prefetch)(const struct probe *p, size_t i, enum load load, enum walk walk)
{
    const char *line = (const char *)grain_at(p, i, load);
    __builtin_prefetch(line);
    __builtin_prefetch(line + 64);
    if (load == LOAD_ROWS192)
        __builtin_prefetch(line + 128);
    if (walk == WALK_ADDED) {
        __builtin_prefetch(p->load[i]);
        __builtin_prefetch(p->loss[i]);
    }
}

// the grains of a batch to come: between tiles they lie anywhere
PROBE_INLINE void NAME(prefetch_batch)(const struct probe *p, size_t c, enum load load, enum walk walk)
{
    for (size_t l = 0; l < 8; l++) {
        NAME(prefetch)(p, p->list->pairs[c + l].low, load, walk);
        NAME(prefetch)(p, p->list->pairs[c + l].high, load, walk);
    }
}

// a candidate lost its contact: nothing of it may outlive the step
PROBE_INLINE void NAME(forget)(const struct probe *p, size_t c)
{
    memset(p->history[c], 0, sizeof p->history[c]);
    if (c < p->list->inner[0])
        memset(p->push[c], 0, sizeof p->push[c]);
}

// The live candidates of [first, last), padded to whole batches; returns their number before padding.
// Candidates inside a tile have records from `record` on, which they share with other tiles: those of the
// dead are cleared in every step.
PROBE_INLINE size_t NAME(filter)(const struct law *law, const struct probe *p, size_t first, size_t last,
                                 uint32_t record, enum load load, enum walk walk, enum place place)
{
    size_t count = 0, dead = 0;
    for (size_t c = first; c < last; c += 8) {
        uint32_t low[8], high[8];
        for (int l = 0; l < 8; l++) {
            low[l] = p->list->pairs[c + (size_t)l].low;
            high[l] = p->list->pairs[c + (size_t)l].high;
        }
        if (place != PLACE_INSIDE)
            NAME(prefetch_batch)(p, c + 64 < last ? c + 64 : first, load, walk);
        const unsigned bits = NAME(near)(law, p, low, high, load, place != PLACE_INSIDE);
        const struct squeeze *squeeze = &p->squeeze[bits];
        squeeze_put(p->live + count, squeeze->lane, (uint32_t)c);
        const uint32_t own = record + (uint32_t)(c - first);
        if (walk == WALK_LIVE)
            squeeze_put(p->live_record + count, squeeze->lane, own);
        if (walk == WALK_LIVE && place != PLACE_BETWEEN) {
            squeeze_put(p->dead_record + dead, p->squeeze[255 - bits].lane, own);
            dead += 8 - squeeze->count;
        }
        count += squeeze->count;
        const unsigned died = p->was_live[c / 8] & ~bits;
        p->was_live[c / 8] = (uint8_t)bits;
        for (size_t l = 0; died >> l != 0; l++)
            if (died >> l & 1)
                NAME(forget)(p, c + l);
    }
    for (size_t k = 0; k < dead; k++)
        memset(p->push[p->dead_record[k]], 0, sizeof p->push[0]);
    for (size_t k = count; k % 8 != 0; k++) {
        p->live[k] = (uint32_t)p->list->inner[p->list->tiles];
        p->live_record[k] = p->lost_record;
    }
    return count;
}

// quads are handled through pointers: passing them by value would depend on the instruction set
PROBE_INLINE void NAME(add_push)(const double *push, double sign, double radius, NAME(quad) * force,
                                 NAME(quad) * moment, double *loss)
{
    const NAME(bits) first_three = {-1, -1, -1, 0};
    const NAME(quad) upper = (NAME(quad))(*(const NAME(bits) *)push & first_three);
    const NAME(quad) lower = (NAME(quad))(*(const NAME(bits) *)(push + 4) & first_three);
    const alias_float *pair = (const alias_float *)(const void *)(push + 3);
    *force += sign * upper;
    *moment -= (radius - push[7]) * lower;
    loss[0] += (double)pair[0];
    loss[1] += (double)pair[1];
}

// the pushes of eight candidates one by one onto both grains
PROBE_INLINE void NAME(add_batch)(const struct probe *p, const uint32_t *slot, double (*restrict out)[8],
                                  enum load load)
{
    static const uint32_t lane[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    double push[8][8] __attribute__((aligned(64)));
    NAME(store_rows)(out, push[0], 8, lane);
    for (int l = 0; l < 8; l++) {
        struct pair pair = p->list->pairs[slot[l]];
        const double radius[2] = {grain_at(p, pair.low, load)->radius, grain_at(p, pair.high, load)->radius};
        NAME(quad) *low = (NAME(quad) *)p->load[pair.low], *high = (NAME(quad) *)p->load[pair.high];
        NAME(add_push)(push[l], 1.0, radius[0], low, low + 1, p->loss[pair.low]);
        NAME(add_push)(push[l], -1.0, radius[1], high, high + 1, p->loss[pair.high]);
    }
}

// the law on the candidates of a range that fits the scratch
PROBE_INLINE void NAME(walk)(const struct law *law, const struct probe *p, size_t first, size_t last,
                             uint32_t record, enum load load, enum walk walk, enum place place)
{
    const int periodic = place != PLACE_INSIDE;
    if (walk == WALK_EVERY) {
        NAME(every)(law, p, first, last, p->push + record, load, periodic);
        return;
    }
    const size_t live = NAME(filter)(law, p, first, last, record, load, walk, place);
    for (size_t k = 0; k < live; k += 8) {
        double out[8][8] __attribute__((aligned(64)));
        NAME(batch)(law, p, p->live + k, out, load, periodic);
        if (walk == WALK_ADDED)
            NAME(add_batch)(p, p->live + k, out, load);
        else
            NAME(store_rows)(out, p->push[0], 8, p->live_record + k);
    }
}

// a range in chunks whose live list and grains stay in cache
PROBE_INLINE void NAME(range)(const struct law *law, const struct probe *p, size_t first, size_t last,
                              size_t record, enum load load, enum walk walk, enum place place)
{
    for (size_t c = first; c < last; c += PROBE_CHUNK) {
        size_t end = c + PROBE_CHUNK < last ? c + PROBE_CHUNK : last;
        NAME(walk)(law, p, c, end, (uint32_t)(record + c - first), load, walk, place);
    }
}

// the rounding of the short record; gcc 12 drops a conversion to float and back when it vectorises a pair of
// them
PROBE_INLINE double NAME(as_float)(double value)
{
    float rounded = (float)value;
    __asm__ volatile("" : "+m"(rounded));
    return (double)rounded;
}

// what the next step's law adds to the mid-step values; the long record rounds too, so that bits can be
// compared
PROBE_INLINE void NAME(keep_kicks)(struct grain128 *grain, const NAME(quad) * kick, const NAME(quad) * turn,
                                   enum load load)
{
    struct grain192 *wide = (struct grain192 *)(void *)grain;
    for (int k = 0; k < 3; k++) {
        if (load == LOAD_ROWS192) {
            wide->full_velocity[k] = wide->velocity[k] + NAME(as_float)((*kick)[k]);
            wide->full_spin[k] = wide->spin[k] + NAME(as_float)((*turn)[k]);
        } else {
            grain->kick[k] = (float)(*kick)[k];
            grain->kick[3 + k] = (float)(*turn)[k];
        }
    }
}

// the floor z = 0 and unit gravity
PROBE_INLINE double NAME(floor_push)(const struct law *law, const struct grain128 *grain, enum load load)
{
    const struct grain192 *wide = (const struct grain192 *)(const void *)grain;
    double overlap = grain->radius - grain->centre[2];
    if (overlap <= 0.0)
        return 0.0;
    double vz = load == LOAD_ROWS192 ? wide->full_velocity[2] : grain->velocity[2] + (double)grain->kick[2];
    double push = law->normal_stiffness * overlap - grain->mass * law->normal_damping * vz;
    return sqrt(grain->radius * overlap) * push;
}

// Kick, drift, wrap and rotate one grain. The first three of four lanes are the vector; the fourth carries
// radius and mass along, and behind the spin the first word of what keep_kicks writes last.
PROBE_INLINE void NAME(move)(const struct law *law, struct grain128 *grain, NAME(quad) * force,
                             NAME(quad) * moment, enum load load)
{
    const double h = law->step, radius = grain->radius;
    double inverse_mass, inverse_inertia;
    if (load == LOAD_ROWS192) {
        inverse_mass = ((struct grain192 *)(void *)grain)->inverse_mass;
        inverse_inertia = ((struct grain192 *)(void *)grain)->inverse_inertia;
    } else {
        const double inverse = 1.0 / (grain->mass * radius * radius);
        inverse_mass = radius * radius * inverse;
        inverse_inertia = 2.5 * inverse;
    }
    (*force)[2] += NAME(floor_push)(law, grain, load);
    const NAME(bits) first_three = {-1, -1, -1, 0};
    const NAME(quad) fall = {0.0, 0.0, -1.0, 0.0};
    const NAME(quad) low = {0.0, 0.0, -HUGE_VAL, -HUGE_VAL};
    const NAME(quad) box = {law->box.x, law->box.y, HUGE_VAL, HUGE_VAL};
    NAME(quad) *centre = (NAME(quad) *)grain->centre, *velocity = (NAME(quad) *)grain->velocity;
    NAME(quad) *spin = (NAME(quad) *)grain->spin;

    const NAME(quad) acceleration = *force * inverse_mass + fall;
    const NAME(quad) v = *velocity + h * acceleration;
    NAME(quad) x = *centre + h * (NAME(quad))((NAME(bits))v & first_three);
    x += (NAME(quad))((NAME(bits))box & (NAME(bits))(x < low));
    x -= (NAME(quad))((NAME(bits))box & (NAME(bits))(x >= box));
    const NAME(quad) spinning = *moment * inverse_inertia;
    *velocity = v;
    *centre = x;
    *spin += h * spinning;
    const NAME(quad) kick = 0.5 * h * acceleration, turn = 0.5 * h * spinning;
    NAME(keep_kicks)(grain, &kick, &turn, load);
}

// Sum the pushes on each grain of a tile in the order of its row, then move it. On the way the grains of the
// next tile and the records of later rows are called from memory: without that a step takes twice as long.
PROBE_INLINE void NAME(finish)(const struct law *law, const struct probe *p, size_t tile, enum load load,
                               enum walk walk)
{
    static const double sign[2] = {1.0, -1.0};
    const size_t first = tile * p->list->tile_size, end = first + p->list->tile_size;
    for (size_t i = first; i < end && i < p->grains; i++) {
        NAME(quad) total[2] = {{0.0}, {0.0}};
        NAME(prefetch)(p, end + i - first < p->grains ? end + i - first : i, load, walk);
        if (walk == WALK_ADDED) {
            NAME(quad) *sum = (NAME(quad) *)p->load[i];
            total[0] = sum[0];
            total[1] = sum[1];
            sum[0] = sum[1] = (NAME(quad)){0.0};
        } else {
            double loss[2] = {0.0, 0.0};
            const double radius = grain_at(p, i, load)->radius;
            for (uint32_t k = p->list->row_first[i]; k < p->list->row_first[i + 1]; k++) {
                uint32_t entry = p->list->row[k], later = p->list->row[k + LIST_AHEAD];
                __builtin_prefetch(p->push[later >> 1]);
                NAME(add_push)(p->push[entry >> 1], sign[entry & 1], radius, total, total + 1, loss);
            }
            p->loss[i][0] += loss[0];
            p->loss[i][1] += loss[1];
        }
        NAME(move)(law, grain_at(p, i, load), total, total + 1, load);
    }
}

PROBE_INLINE void NAME(step)(const struct law *law, const struct probe *p, enum load load, enum walk walk)
{
    const struct list *list = p->list;
    const size_t record = list->inner[0];
    if (list->tiles == 1) {
        NAME(range)(law, p, 0, list->inner[1], record, load, walk, PLACE_WHOLE);
        NAME(finish)(law, p, 0, load, walk);
        return;
    }
    NAME(range)(law, p, 0, list->inner[0], 0, load, walk, PLACE_BETWEEN);
    for (size_t tile = 0; tile < list->tiles; tile++) {
        NAME(range)(law, p, list->inner[tile], list->inner[tile + 1], record, load, walk, PLACE_INSIDE);
        NAME(finish)(law, p, tile, load, walk);
    }
}

#define PASS(name, load)                                                                                     \
    __attribute__((noinline)) static void NAME(name)(const struct law *law, const struct probe *p)           \
    {                                                                                                        \
        NAME(every)(law, p, 0, p->list->inner[p->list->tiles], p->push, load, 1);                            \
    }
PASS(pass_rows128, LOAD_ROWS128)
PASS(pass_rows192, LOAD_ROWS192)
PASS(pass_elements, LOAD_ELEMENTS)
PASS(pass_columns, LOAD_COLUMNS)
#undef PASS

#define STEP(name, load, walk)                                                                               \
    __attribute__((noinline)) static void NAME(name)(const struct law *law, const struct probe *p)           \
    {                                                                                                        \
        NAME(step)(law, p, load, walk);                                                                      \
    }
STEP(step_every, LOAD_ROWS128, WALK_EVERY)
STEP(step_live, LOAD_ROWS128, WALK_LIVE)
STEP(step_added, LOAD_ROWS128, WALK_ADDED)
STEP(step_live192, LOAD_ROWS192, WALK_LIVE)
#undef STEP
