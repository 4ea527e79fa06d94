// The time of the parts of a step: the kernels of the library on the candidates of a workload.
//
//   bench-kernel [WORKLOAD [ROUNDS]]
//
// The first table has every contact law for every available instruction set, in ns per contact: `cached`, the
// rows of one tile repeatedly, whose grains, sums and histories stay in the second-level cache; `rows`, those
// of all tiles in turn, and `lists`, the same contacts as lists. The last line of a law that supports it
// includes rolling and twisting resistance.
//
// The second table has the parts of a step, in ns per grain: the loops of the engine are run without their
// last parts, and the time of a part is the difference between a run with it and a run without it. Occasional
// tasks, searches and the choice of quanta, are in the whole step only. All run alternately; figures are
// medians of rounds.

#include "base/processor.h"
#include "contact/wall_contacts.h"
#include "internals.h"
#include "law/law.h"
#include "scene.h"

enum { MAX_ROUNDS = 99, MAX_LINES = 64, COLUMNS = 3 };

// --- candidates in contact

struct live_list {
    uint32_t *candidate;
    size_t *first; // by tile; filled up to whole batches
    size_t *count;
    size_t total; // live candidates of all tiles
};

static size_t end_without_padding(const struct scree_contacts *contacts, size_t first, size_t last)
{
    while (last > first && contacts->pair[last - 1].low == contacts->pair[last - 1].high)
        --last;
    return last;
}

// The live candidates of rows, as found by the last step.
static struct live_list list_live(const struct scree_contacts *contacts)
{
    struct live_list list = {
        .candidate = (uint32_t *)bench_new(contacts->candidates + SCREE_KERNEL_WIDTH * contacts->tiles,
                                           sizeof(uint32_t)),
        .first = (size_t *)bench_new(contacts->tiles, sizeof(size_t)),
        .count = (size_t *)bench_new(contacts->tiles, sizeof(size_t))};
    uint32_t *live = (uint32_t *)bench_new(contacts->candidates, sizeof *live);
    size_t position = 0;
    for (size_t t = 0; t < contacts->tiles; ++t) {
        size_t count = 0;
        for (size_t c = scree_contacts_first(contacts, t, SCREE_CONTACTS_ROWS);
             c < scree_contacts_first(contacts, t, SCREE_CONTACTS_INSIDE); ++c)
            if (scree_contacts_is_live(contacts, c))
                live[count++] = (uint32_t)c;
        list.first[t] = position;
        list.count[t] = count;
        list.total += count;
        scree_collider_interleave(live, count, list.candidate + position);
        for (position += count; position % SCREE_KERNEL_WIDTH != 0; ++position)
            list.candidate[position] = list.candidate[position - 1];
    }
    free(live);
    return list;
}

static void free_list(struct live_list *list)
{
    free(list->candidate);
    free(list->first);
    free(list->count);
}

// --- laws

struct line {
    const struct scree_contact_law *law;
    struct scree_law_class class;
    int set;
    bool resists;
    double ns[COLUMNS][MAX_ROUNDS]; // cached, rows, lists
};

struct laws {
    struct scree_collider *collider;
    struct live_list live;
    size_t tile; // evaluated repeatedly
    size_t stride;
    double *history;
    int64_t *internal;
    uint16_t *quantum; // of the grains, to be restored
    struct line line[MAX_LINES];
    size_t lines;
};

static double find_value(const char *name)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"friction", 0.3},         {"stiffness", 1e5},  {"restitution", 0.5},
                  {"work-of-adhesion", 0.1}, {"cohesion", 100.0}, {NULL, 0}};
    for (size_t v = 0; values[v].name; ++v)
        if (strcmp(values[v].name, name) == 0)
            return values[v].value;
    fprintf(stderr, "bench: bench-kernel has no value for the law parameter '%s'\n", name);
    exit(1);
}

// Whether the bench sets a parameter: required ones, `restitution`, and the `stiffness` of the linear law.
static bool is_set(const struct scree_contact_law *law, const struct scree_law_parameter *p)
{
    return p->required || strcmp(p->name, "restitution") == 0 ||
           (strcmp(p->name, "stiffness") == 0 && strcmp(law->name, "linear") == 0);
}

// Prepares a law in a separate world. Returns false if it does not support rolling resistance.
static bool prepare(const struct scree_contact_law *law, bool resists, struct scree_law_class *class)
{
    struct scree_interaction_value value[SCREE_RULE_PARAMETERS];
    struct scree_interaction_def def = {.law = law->name, .values = value};
    for (const struct scree_law_parameter *p = law->parameters; p->name; ++p)
        if (is_set(law, p))
            value[def.count++] = (struct scree_interaction_value){p->name, find_value(p->name), NULL};
    if (resists) {
        value[def.count++] = (struct scree_interaction_value){"rolling-friction", 0.1, NULL};
        value[def.count++] = (struct scree_interaction_value){"twisting-friction", 0.1, NULL};
    }
    struct scree_world *world;
    scree_material_id id;
    bench_must(scree_world_create(NULL, &world));
    bench_must(scree_material_add(world, &(struct scree_material_def){.name = "grain", .density = 1}, &id));
    bench_must(scree_material_set(world, id, "young", 1e5));
    bench_must(scree_material_set(world, id, "poisson", 0.3));
    bench_must(scree_interaction_add(world, &def));
    const scree_status status = scree_interaction_pair(world, id.value, id.value, class);
    scree_world_destroy(world);
    if (resists && status == SCREE_ERROR_ARGUMENT)
        return false;
    bench_must(status);
    return true;
}

static void add_line(struct laws *laws, const struct scree_contact_law *law, int set, bool resists)
{
    if (laws->lines == MAX_LINES) {
        fprintf(stderr, "bench: too many laws for the table of bench-kernel\n");
        exit(1);
    }
    struct line *line = &laws->line[laws->lines];
    *line = (struct line){.law = law, .set = set, .resists = resists};
    if (!prepare(law, resists, &line->class))
        return;
    ++laws->lines;
    size_t history = resists ? SCREE_RESISTANCE_HISTORY : 0;
    for (const struct scree_law_value *v = law->values; v && v->name; ++v)
        history += v->width;
    history = (history + 3) / 4 * 4;
    laws->stride = history > laws->stride ? history : laws->stride;
}

static struct scree_kernel_job make_job(const struct laws *laws, const struct line *line, double step,
                                        double *excess)
{
    struct scree_kernel_job job = scree_collider_job(laws->collider, &laws->collider->scratch[0], 0);
    job.history = laws->history;
    job.stride = laws->stride;
    job.internal = laws->internal;
    job.excess = excess;
    job.rule.step = step;
    job.rule.arm = scree_law_class_arm(&line->class, false);
    memcpy(job.rule.constants, line->class.constants, sizeof job.rule.constants);
    memcpy(job.rule.resistance, line->class.constants + SCREE_LAW_CONSTANTS, sizeof job.rule.resistance);
    return job;
}

static void run_rows(const struct laws *laws, const struct line *line, size_t tile, double step)
{
    const struct scree_contacts *contacts = &laws->collider->world->contacts;
    double excess = 0;
    struct scree_kernel_job job = make_job(laws, line, step, &excess);
    job.first = scree_contacts_first(contacts, tile, SCREE_CONTACTS_ROWS);
    job.depth = contacts->depth + contacts->group[tile];
    job.groups = contacts->group[tile + 1] - contacts->group[tile];
    line->law->kernel[line->set][line->resists][SCREE_KERNEL_ROWS](&job);
}

static void run_list(const struct laws *laws, const struct line *line, size_t tile, double step)
{
    double excess = 0;
    struct scree_kernel_job job = make_job(laws, line, step, &excess);
    job.candidate = laws->live.candidate + laws->live.first[tile];
    job.count = laws->live.count[tile];
    if (job.count > 0)
        line->law->kernel[line->set][line->resists][SCREE_KERNEL_ACROSS](&job);
}

typedef void runner(const struct laws *laws, const struct line *line, size_t tile, double step);

// ns per contact, for all tiles in turn.
static double time_tiles(const struct laws *laws, const struct line *line, runner *run, double step)
{
    const double start = bench_cpu_time();
    for (size_t t = 0; t < laws->collider->world->contacts.tiles; ++t)
        run(laws, line, t, step);
    return 1e9 * (bench_cpu_time() - start) / (double)laws->live.total;
}

static void time_line(struct laws *laws, struct line *line, size_t round, double step)
{
    const size_t cached = laws->live.count[laws->tile], repetitions = 1 + 100000 / (cached + 1);
    memset(laws->history, 0,
           laws->collider->world->contacts.candidates * laws->stride * sizeof *laws->history);
    // one evaluation to load the caches
    run_rows(laws, line, laws->tile, step);
    const double start = bench_cpu_time();
    for (size_t k = 0; k < repetitions; ++k)
        run_rows(laws, line, laws->tile, step);
    line->ns[0][round] = 1e9 * (bench_cpu_time() - start) / (double)(repetitions * cached);
    line->ns[1][round] = time_tiles(laws, line, run_rows, step);
    line->ns[2][round] = time_tiles(laws, line, run_list, step);
}

// The number of grains of other tiles that the contacts of all tiles use, counted once per tile.
static size_t count_foreign_grains(const struct laws *laws)
{
    const struct scree_contacts *contacts = &laws->collider->world->contacts;
    const struct live_list *list = &laws->live;
    size_t *last_tile = (size_t *)bench_new(contacts->grains, sizeof *last_tile), count = 0;
    for (size_t t = 0; t < contacts->tiles; ++t)
        for (size_t k = list->first[t]; k < list->first[t] + list->count[t]; ++k) {
            const struct scree_pair pair = contacts->pair[list->candidate[k]];
            const uint32_t higher = pair.low > pair.high ? pair.low : pair.high;
            if (higher / SCREE_CONTACTS_TILE == t || last_tile[higher] == t + 1)
                continue;
            last_tile[higher] = t + 1;
            ++count;
        }
    free(last_tile);
    return count;
}

// Memory traffic of a step if nothing stays in a cache from one tile to the next, each datum loaded once per
// tile; written data are read first.
static double memory_traffic(const struct laws *laws)
{
    const struct scree_collider *collider = laws->collider;
    const struct scree_contacts *contacts = &collider->world->contacts;
    const double word = sizeof(double), grains = (double)contacts->grains;
    const double sum = 2 * SCREE_TERMS * word, grain = sizeof(struct scree_grain);
    const double internal = collider->sums.internal ? 2 * word : 0;
    const double lists = (double)contacts->pair_count * sizeof(struct scree_pair);
    const double history = 2 * word * (double)contacts->stride * (double)laws->live.total;
    // grains of the tile are moved, those of other tiles are read and summed
    const double own = (2 * grain + sum + internal + 2 * sizeof(struct scree_losses)) * grains;
    const double others = (grain + sum + internal) * (double)count_foreign_grains(laws);
    return (lists + history + own + others) / grains;
}

// Sets quanta so that every term of every law is within the limits, because larger terms are slower.
static void widen_quanta(struct laws *laws)
{
    const size_t grains = laws->collider->world->contacts.grains;
    struct scree_grain *grain = scree_world_grains(laws->collider->world);
    laws->quantum = (uint16_t *)bench_new(grains, sizeof *laws->quantum);
    for (size_t i = 0; i < grains; ++i) {
        laws->quantum[i] = grain[i].quantum;
        grain[i].quantum = scree_sums_quantum(1e9, grain[i].radius);
    }
    scree_sums_begin(&laws->collider->sums, false);
}

static void clear_sums(struct scree_collider *collider)
{
    struct scree_sums *sums = &collider->sums;
    memset(sums->sum, 0, SCREE_TERMS * sums->rows * sizeof *sums->sum);
    if (sums->internal)
        memset(sums->internal, 0, sums->rows * sizeof *sums->internal);
}

static void begin_laws(struct laws *laws, struct scree_collider *collider)
{
    const struct scree_contacts *contacts = &collider->world->contacts;
    const struct scree_contact_law *law;
    collider->measures = collider->measure_only = false;
    laws->collider = collider;
    laws->live = list_live(contacts);
    for (size_t t = 0; t < contacts->tiles; ++t)
        if (laws->live.count[t] > laws->live.count[laws->tile])
            laws->tile = t;
    for (size_t l = 0; (law = scree_law_with_force_at(l)); ++l) {
        for (int set = scree_processor_best(); set >= 0; --set)
            add_line(laws, law, set, false);
        add_line(laws, law, scree_processor_best(), true);
    }
    laws->history = (double *)bench_new(contacts->candidates * laws->stride, sizeof(double));
    laws->internal = (int64_t *)bench_new(collider->sums.rows, sizeof *laws->internal);
    widen_quanta(laws);
}

static void end_laws(struct laws *laws)
{
    struct scree_grain *grain = scree_world_grains(laws->collider->world);
    for (size_t i = 0; i < laws->collider->world->contacts.grains; ++i)
        grain[i].quantum = laws->quantum[i];
    clear_sums(laws->collider);
    for (size_t t = 0; t < laws->collider->world->contacts.tiles; ++t)
        if (laws->collider->sums.split[t]) {
            fprintf(stderr, "bench: terms exceeded their limits, so times are not valid\n");
            exit(1);
        }
    free(laws->history);
    free(laws->internal);
    free(laws->quantum);
    free_list(&laws->live);
}

static void bench_laws(struct scree_collider *collider, double step, size_t rounds)
{
    static const char *const names[] = {"v2", "v3", "v4"};
    static struct laws laws;
    begin_laws(&laws, collider);
    for (size_t r = 0; r < rounds; ++r)
        for (size_t l = 0; l < laws.lines; ++l)
            time_line(&laws, &laws.line[l], r, step);
    printf("# contacts in rows: %zu in the fullest tile, %zu in total\n", laws.live.count[laws.tile],
           laws.live.total);
    printf("# %-24s %-10s %8s %8s %8s  ns per contact\n", "law", "set", "cached", "rows", "lists");
    for (size_t l = 0; l < laws.lines; ++l) {
        struct line *line = &laws.line[l];
        char set[32];
        snprintf(set, sizeof set, "%s%s", names[line->set], line->resists ? "+resist" : "");
        printf("law %-22s %-10s %8.2f %8.2f %8.2f\n", line->law->name, set, bench_median(line->ns[0], rounds),
               bench_median(line->ns[1], rounds), bench_median(line->ns[2], rounds));
    }
    printf("# a step of this world moves %.0f bytes per grain if nothing stays in a cache\n",
           memory_traffic(&laws));
    end_laws(&laws);
}

// --- parts of a step

enum part { FILTER, LISTS, ROWS, WALLS, MOTION, WHOLE_STEP, SEARCH, PARTS };
static const char *const part_names[PARTS] = {"filter of lists",
                                              "law, lists",
                                              "law, rows",
                                              "law, at walls",
                                              "sums to forces, and motion",
                                              "a whole step, with searches",
                                              "a search"};

struct parts {
    struct scree_engine *engine;
    struct scree_collider *collider;
    size_t bodies;
    double ns[PARTS][MAX_ROUNDS];
};

static void process_rows(struct scree_collider *collider, size_t tile)
{
    const struct scree_contacts *contacts = &collider->world->contacts;
    struct scree_kernel_job job = scree_collider_job(collider, &collider->scratch[0], tile);
    size_t next = scree_contacts_first(contacts, tile, SCREE_CONTACTS_ROWS);
    for (size_t g = contacts->group[tile]; g < contacts->group[tile + 1]; g += job.groups) {
        job.first = next;
        const struct scree_law_class *class = scree_collider_prepare_rows(collider, tile, g, &job, &next);
        class->law->kernel[scree_processor_set()][class->resists][SCREE_KERNEL_ROWS](&job);
    }
}

// Processes a list as the engine does, with the law or without.
static void process_list(struct scree_collider *collider, size_t tile, bool across, bool law)
{
    const struct scree_contacts *contacts = &collider->world->contacts;
    struct scree_collider_scratch *scratch = &collider->scratch[0];
    struct scree_kernel_job job = scree_collider_job(collider, scratch, tile);
    const int range = across ? SCREE_CONTACTS_ACROSS : SCREE_CONTACTS_INSIDE;
    const size_t first = scree_contacts_first(contacts, tile, range),
                 last = end_without_padding(contacts, first, scree_contacts_first(contacts, tile, range + 1));
    for (size_t position = first; position < last; position += SCREE_PAIR_FILTER_CHUNK) {
        const size_t end =
            position + SCREE_PAIR_FILTER_CHUNK < last ? position + SCREE_PAIR_FILTER_CHUNK : last;
        const size_t count = scree_collider_filter(collider, scratch, position, end, across);
        if (law)
            scree_collider_run(collider, scratch, &job, contacts->class_of, count,
                               across ? SCREE_KERNEL_ACROSS : SCREE_KERNEL_INSIDE);
        scree_collider_clear_ended(collider, scratch, contacts->history, contacts->stride);
    }
}

// Processes a block whose contacts are all summed, as the engine does: one pass converts the sums and moves
// the bodies.
static void finish_block(struct scree_soft *soft, size_t first, size_t last)
{
    struct scree_collider *collider = &soft->collider;
    struct scree_world *world = collider->world;
    struct scree_round round;
    if (!scree_mover_round(&soft->mover, first, last - first, &round))
        return;
    internals_prefetch(collider, first + SCREE_CONTACTS_TILE);
    round.sum = collider->sums.sum + SCREE_TERMS * first;
    round.internal = collider->sums.internal ? collider->sums.internal + first : NULL;
    round.loss = scree_world_losses(world) + first;
    scree_mover_advance_round(&soft->mover, &round, 0);
}

// Processes all tiles with the parts of a step up to `last_part`.
static void process_tiles(struct scree_soft *soft, enum part last_part)
{
    struct scree_collider *collider = &soft->collider;
    const struct scree_contacts *contacts = &collider->world->contacts;
    scree_sums_begin(&collider->sums, false);
    for (size_t tile = 0; tile < contacts->tiles; ++tile) {
        const size_t begin = tile * SCREE_CONTACTS_TILE,
                     end = internals_end(collider, begin, SCREE_CONTACTS_TILE);
        if (last_part >= ROWS)
            process_rows(collider, tile);
        process_list(collider, tile, false, last_part >= LISTS);
        process_list(collider, tile, true, last_part >= LISTS);
        if (last_part >= WALLS)
            scree_wall_contacts_evaluate(collider, &collider->scratch[0], tile);
        for (size_t position = begin; position < end && last_part >= MOTION; position += SCREE_SUMS_BLOCK)
            finish_block(soft, position, internals_end(collider, position, SCREE_SUMS_BLOCK));
    }
}

static double time_pass(struct parts *parts, enum part part)
{
    const size_t repetitions = 1 + 200000 / parts->bodies;
    const double start = bench_cpu_time();
    for (size_t k = 0; k < repetitions; ++k)
        process_tiles((struct scree_soft *)parts->engine->self, part);
    const double ns = 1e9 * (bench_cpu_time() - start) / (double)(repetitions * parts->bodies);
    clear_sums(parts->collider);
    return ns;
}

static void time_parts(struct parts *parts, size_t round)
{
    // tiny steps: the lists stay valid
    const double step = 1e-9;
    parts->collider->step = step;
    struct scree_mover *mover = &((struct scree_soft *)parts->engine->self)->mover;
    scree_mover_begin_move(mover, step);
    for (enum part part = FILTER; part <= MOTION; ++part)
        parts->ns[part][round] = time_pass(parts, part);
    scree_mover_end_move(mover);
}

static void time_steps(struct parts *parts, size_t round)
{
    const size_t steps = 10 + 1000000 / parts->bodies;
    const double start = bench_cpu_time();
    bench_must(scree_engine_run(parts->engine, steps));
    parts->ns[WHOLE_STEP][round] = 1e9 * (bench_cpu_time() - start) / (double)(steps * parts->bodies);
}

static void time_search(struct parts *parts, size_t round)
{
    parts->collider->world->contacts_stale = true;
    const double start = bench_cpu_time();
    bench_must(scree_collider_search(parts->collider, false));
    parts->ns[SEARCH][round] = 1e9 * (bench_cpu_time() - start) / (double)parts->bodies;
}

static void print_parts(struct parts *parts, size_t rounds)
{
    double difference[MAX_ROUNDS];
    printf("# %-28s %8s  ns per grain\n", "part", "time");
    for (enum part part = 0; part < PARTS; ++part) {
        const bool is_single = part == FILTER || part >= WHOLE_STEP;
        for (size_t r = 0; r < rounds; ++r)
            difference[r] = parts->ns[part][r] - (is_single ? 0 : parts->ns[part - 1][r]);
        printf("part %-28s %8.2f\n", part_names[part], bench_median(difference, rounds));
    }
}

int main(int argc, char **argv)
{
    if (argc > 3) {
        fprintf(stderr, "usage: bench-kernel [WORKLOAD [ROUNDS]]\n");
        return 2;
    }
    const size_t rounds = argc > 2 ? bench_number(argv[2], 1, MAX_ROUNDS) : 7;
    struct scene scene = scene_make(scene_find(argc > 1 ? argv[1] : "bed-30k"));
    static struct parts parts;
    parts.engine = scene_engine(&scene, 1);
    parts.collider = internals_collider(parts.engine);
    parts.bodies = scree_body_count(scene.world);
    // quanta include impacts after the first step number divisible by SCREE_SUMS_EVERY
    scene_run_untimed(&scene, parts.engine, SCREE_SUMS_EVERY + 16);
    for (size_t r = 0; r < rounds; ++r)
        time_steps(&parts, r);
    for (size_t r = 0; r < rounds; ++r)
        time_search(&parts, r);
    printf("# %s: %zu grains\n", scene.row->name, parts.bodies);
    bench_laws(parts.collider, scene.row->step, rounds);
    for (size_t r = 0; r < rounds; ++r)
        time_parts(&parts, r);
    print_parts(&parts, rounds);
    scree_engine_destroy(parts.engine);
    scree_world_destroy(scene.world);
    return 0;
}
