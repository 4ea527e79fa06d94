// Where the time of a step goes: the kernels that ship, over the candidates of a workload.
//
//   bench-kernel [WORKLOAD [ROUNDS]]
//
// The first table has every contact law for every set of instructions that the processor has, in ns per near
// candidate: `cached`, one tile over and over, whose grains, histories and pushes stay in the second-level
// cache; `inside`, all tiles one after the other, and `across`, all candidates between tiles, which come from
// wherever they are. The last line of a law that can bear it adds resistance to rolling and twisting.
//
// The second table takes a step apart, in ns per grain: the walks of the engine are run with their last
// pieces left out, and a piece is what a walk costs more with it than without. All run in turns; figures are
// medians of rounds.

#include "base/processor.h"
#include "engine/wall_contacts.h"
#include "inside.h"
#include "law/law.h"
#include "scene.h"

enum { MOST_ROUNDS = 99, MOST_LINES = 64, PLACES = 3 };

// --- candidates that are near, with the records that their pushes go to

struct near_list {
    uint32_t *candidate, *record;
    size_t *first; // of each tile; filled up to batches of eight
    size_t *count; // that are filled
    size_t *real;
    size_t ranges, all; // near candidates in all of them
};

static size_t without_filling(const struct scree_contacts *contacts, size_t first, size_t last)
{
    while (last > first && contacts->pair[last - 1].low == contacts->pair[last - 1].high)
        --last;
    return last;
}

static struct near_list list_near(struct scree_collider *collider, bool across)
{
    const struct scree_contacts *contacts = &collider->world->contacts;
    struct near_list list = {.ranges = across ? 1 : contacts->tiles};
    const size_t room = contacts->candidates + 8 * (list.ranges + 2);
    list.candidate = (uint32_t *)bench_new(room, sizeof(uint32_t));
    list.record = (uint32_t *)bench_new(room, sizeof(uint32_t));
    list.first = (size_t *)bench_new(list.ranges, sizeof(size_t));
    list.count = (size_t *)bench_new(list.ranges, sizeof(size_t));
    list.real = (size_t *)bench_new(list.ranges, sizeof(size_t));
    size_t at = 0;
    for (size_t r = 0; r < list.ranges; ++r) {
        const size_t first = across ? 0 : contacts->inside[r];
        const size_t last = without_filling(contacts, first, contacts->inside[across ? 0 : r + 1]);
        uint32_t *candidate = list.candidate + at, *record = list.record + at;
        size_t count = 0;
        for (size_t c = first; c < last; c += SCREE_NEAR_CHUNK) {
            struct scree_collider_scratch *scratch = &collider->scratch[0];
            const size_t end = c + SCREE_NEAR_CHUNK < last ? c + SCREE_NEAR_CHUNK : last;
            const size_t near = scree_collider_pick(collider, scratch, first, c, end, across);
            memcpy(candidate + count, scratch->candidate, near * sizeof *candidate);
            memcpy(record + count, scratch->place, near * sizeof *record);
            count += near;
        }
        list.first[r] = at;
        list.real[r] = count;
        for (; count % 8 != 0; ++count) {
            candidate[count] = candidate[count - 1];
            record[count] = record[count - 1];
        }
        list.count[r] = count;
        list.all += list.real[r];
        at += count;
    }
    return list;
}

static void free_list(struct near_list *list)
{
    free(list->candidate);
    free(list->record);
    free(list->first);
    free(list->count);
    free(list->real);
}

// --- laws

struct line {
    const struct scree_contact_law *law;
    struct scree_law_class class;
    int set;
    bool resists;
    double ns[PLACES][MOST_ROUNDS]; // cached, inside, across
};

struct laws {
    struct scree_collider *collider;
    struct near_list inside, across;
    size_t tile; // that is evaluated over and over
    size_t stride, width;
    double *history, *push, *across_push;
    struct line line[MOST_LINES];
    size_t lines;
};

static double value_of(const char *name)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"friction", 0.3},         {"stiffness", 1e5},  {"restitution", 0.5},
                  {"work-of-adhesion", 0.1}, {"cohesion", 100.0}, {NULL, 0}};
    for (size_t v = 0; values[v].name; ++v)
        if (strcmp(values[v].name, name) == 0)
            return values[v].value;
    fprintf(stderr, "bench: a law has a parameter '%s' that bench-kernel has no value for\n", name);
    exit(1);
}

// Whether a law is given a parameter: what it must have, and of springs that may be given in two ways the
// plain one.
static bool is_given(const struct scree_contact_law *law, const struct scree_law_parameter *p)
{
    return p->required || strcmp(p->name, "restitution") == 0 ||
           (strcmp(p->name, "stiffness") == 0 && strcmp(law->name, "linear") == 0);
}

// The law with what it must be given, in a world of its own. False where it cannot resist rolling.
static bool prepare(const struct scree_contact_law *law, bool resists, struct scree_law_class *class)
{
    struct scree_interaction_value value[SCREE_RULE_PARAMETERS];
    struct scree_interaction_def def = {.law = law->name, .values = value};
    for (const struct scree_law_parameter *p = law->parameters; p->name; ++p)
        if (is_given(law, p))
            value[def.count++] = (struct scree_interaction_value){p->name, value_of(p->name), NULL};
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
    if (laws->lines == MOST_LINES) {
        fprintf(stderr, "bench: there are more laws than bench-kernel has lines for\n");
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

static void run_kernel(const struct laws *laws, const struct line *line, const struct near_list *list,
                       size_t range, enum scree_kernel_place where, double step)
{
    const bool wide = line->resists || line->law->loses;
    double excess = 0;
    struct scree_kernel_job job =
        scree_collider_job(laws->collider, &laws->collider->scratch[0],
                           where == SCREE_KERNEL_ACROSS ? laws->across_push : laws->push);
    job.history = laws->history;
    job.stride = laws->stride;
    job.width = wide ? 2 * SCREE_KERNEL_PUSH : SCREE_KERNEL_PUSH;
    job.candidate = list->candidate + list->first[range];
    job.record = list->record + list->first[range];
    job.count = list->count[range];
    job.excess = &excess;
    job.rule.step = step;
    job.rule.arm = scree_law_class_arm(&line->class, false);
    memcpy(job.rule.constants, line->class.constants, sizeof job.rule.constants);
    memcpy(job.rule.resistance, line->class.constants + SCREE_LAW_CONSTANTS, sizeof job.rule.resistance);
    if (job.count > 0)
        line->law->kernel[line->set][line->resists][where](&job);
}

static void time_line(struct laws *laws, struct line *line, size_t round, double step)
{
    const size_t cached = laws->inside.real[laws->tile], times = 1 + 100000 / (cached + 1);
    memset(laws->history, 0,
           laws->collider->world->contacts.candidates * laws->stride * sizeof *laws->history);
    // one visit that brings it all near
    run_kernel(laws, line, &laws->inside, laws->tile, SCREE_KERNEL_INSIDE, step);
    double start = bench_worked();
    for (size_t k = 0; k < times; ++k)
        run_kernel(laws, line, &laws->inside, laws->tile, SCREE_KERNEL_INSIDE, step);
    line->ns[0][round] = 1e9 * (bench_worked() - start) / (double)(times * cached);
    start = bench_worked();
    for (size_t r = 0; r < laws->inside.ranges; ++r)
        run_kernel(laws, line, &laws->inside, r, SCREE_KERNEL_INSIDE, step);
    line->ns[1][round] = 1e9 * (bench_worked() - start) / (double)laws->inside.all;
    start = bench_worked();
    run_kernel(laws, line, &laws->across, 0, SCREE_KERNEL_ACROSS, step);
    line->ns[2][round] = 1e9 * (bench_worked() - start) / (double)laws->across.all;
}

// Bytes that a step asks of memory when nothing of them stays in a cache, each asked for once in either
// phase; what is written is read before.
static double traffic(const struct scree_collider *collider, size_t inside, size_t across)
{
    const struct scree_contacts *contacts = &collider->world->contacts;
    const double word = sizeof(double), grains = (double)contacts->grains;
    const double history = 2 * word * (double)contacts->stride;
    const double pushes = 2 * word * (double)collider->width;
    const double entries = (double)collider->rows.first[(contacts->grains + 7) / 8] * 8 * sizeof(uint32_t);
    const double lists = (double)contacts->real * sizeof(struct scree_pair) + entries;
    // read across tiles; read inside, and moved
    const double records = 3 * sizeof(struct scree_grain) * grains;
    const double sums = 2 * (sizeof(struct scree_wrench) + sizeof(struct scree_losses)) * grains;
    return (lists + records + sums + history * (double)(inside + across) + 3 * pushes * (double)across) /
           grains;
}

static void begin_laws(struct laws *laws, struct scree_collider *collider)
{
    const struct scree_contacts *contacts = &collider->world->contacts;
    const struct scree_contact_law *law;
    laws->collider = collider;
    laws->inside = list_near(collider, false);
    laws->across = list_near(collider, true);
    for (size_t t = 0; t < contacts->tiles; ++t)
        if (laws->inside.real[t] > laws->inside.real[laws->tile])
            laws->tile = t;
    for (size_t l = 0; (law = scree_law_at(l)); ++l) {
        for (int set = scree_processor_best(); set >= 0; --set)
            add_line(laws, law, set, false);
        add_line(laws, law, scree_processor_best(), true);
    }
    laws->history = (double *)bench_new(contacts->candidates * laws->stride, sizeof(double));
    laws->push = (double *)bench_new(4 * SCREE_KERNEL_PUSH * contacts->longest, sizeof(double));
    laws->across_push = (double *)bench_new(4 * SCREE_KERNEL_PUSH * contacts->inside[0], sizeof(double));
}

static void end_laws(struct laws *laws)
{
    free(laws->history);
    free(laws->push);
    free(laws->across_push);
    free_list(&laws->inside);
    free_list(&laws->across);
}

static void bench_laws(struct scree_collider *collider, double step, size_t rounds)
{
    static const char *const names[] = {"v2", "v3", "v4"};
    static struct laws laws;
    begin_laws(&laws, collider);
    for (size_t r = 0; r < rounds; ++r)
        for (size_t l = 0; l < laws.lines; ++l)
            time_line(&laws, &laws.line[l], r, step);
    printf("# near candidates: %zu in the fullest tile, %zu inside tiles, %zu across\n",
           laws.inside.real[laws.tile], laws.inside.all, laws.across.all);
    printf("# %-24s %-10s %8s %8s %8s  ns a contact\n", "law", "set", "cached", "inside", "across");
    for (size_t l = 0; l < laws.lines; ++l) {
        struct line *line = &laws.line[l];
        char set[32];
        snprintf(set, sizeof set, "%s%s", names[line->set], line->resists ? "+resist" : "");
        printf("law %-22s %-10s %8.2f %8.2f %8.2f\n", line->law->name, set, bench_median(line->ns[0], rounds),
               bench_median(line->ns[1], rounds), bench_median(line->ns[2], rounds));
    }
    printf("# a step of this world asks memory for %.0f bytes a grain where nothing stays in a cache\n",
           traffic(collider, laws.inside.all, laws.across.all));
    end_laws(&laws);
}

// --- pieces of a step

enum piece {
    ACROSS_FILTER,
    ACROSS_LAW,
    TILE_FILTER,
    TILE_LAW,
    TILE_WALLS,
    TILE_SUM,
    TILE_MOTION,
    WHOLE_STEP,
    SEARCH,
    PIECES
};
static const char *const piece_names[PIECES] = {"filter, across tiles",
                                                "law, across tiles",
                                                "filter, inside tiles",
                                                "law, inside tiles",
                                                "law, at walls",
                                                "summing on grains",
                                                "motion",
                                                "a whole step, with searches",
                                                "a search"};

struct parts {
    struct scree_engine *engine;
    struct scree_collider *collider;
    size_t bodies;
    double ns[PIECES][MOST_ROUNDS];
};

// A range as the engine walks it, up to and with the last piece.
static void walk_range(struct scree_collider *collider, size_t first, size_t last, bool across, bool law)
{
    const struct scree_contacts *contacts = &collider->world->contacts;
    struct scree_collider_scratch *scratch = &collider->scratch[0];
    double *push = across ? collider->across : scratch->push;
    struct scree_kernel_job job = scree_collider_job(collider, scratch, push);
    last = without_filling(contacts, first, last);
    for (size_t at = first; at < last; at += SCREE_NEAR_CHUNK) {
        const size_t end = at + SCREE_NEAR_CHUNK < last ? at + SCREE_NEAR_CHUNK : last;
        const size_t count = scree_collider_pick(collider, scratch, first, at, end, across);
        if (law)
            scree_collider_run(collider, scratch, &job, contacts->sort, count,
                               across ? SCREE_KERNEL_ACROSS : SCREE_KERNEL_INSIDE);
    }
}

static void sum_tile(struct scree_collider *collider, size_t tile, size_t first, size_t last, bool moves)
{
    struct scree_world *world = collider->world;
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_gather gather = {.contacts = contacts,
                                        .rows = &collider->rows,
                                        .across = collider->across,
                                        .inside = collider->scratch[0].push,
                                        .first = contacts->inside[tile],
                                        .end = last,
                                        .width = collider->width,
                                        .loss = scree_world_losses(world),
                                        .wrench = scree_world_wrenches(world)};
    size_t wall = contacts->walls.first[tile];
    for (size_t at = first; at < last; at += SCREE_MOVER_BLOCK) {
        const size_t end = at + SCREE_MOVER_BLOCK < last ? at + SCREE_MOVER_BLOCK : last;
        scree_gather_contacts(&gather, at, end);
        for (; wall < contacts->walls.first[tile + 1] && contacts->walls.pair[wall].low < end; ++wall)
            scree_gather_add(&gather, contacts->walls.pair[wall].low,
                             collider->wall_push + wall * collider->width);
        if (moves) {
            struct scree_damping damping[SCREE_MOVER_BLOCK];
            const struct scree_motion_batch batch = scree_mover_batch(collider->mover, at, end - at, damping);
            scree_mover_advance_block(collider->mover, &batch, NULL, NULL);
        }
    }
}

static void walk_tiles(struct scree_collider *collider, enum piece last_piece)
{
    struct scree_world *world = collider->world;
    const struct scree_contacts *contacts = &world->contacts;
    for (size_t tile = 0; tile < contacts->tiles; ++tile) {
        const size_t first = tile * SCREE_CONTACTS_TILE;
        const size_t last =
            first + SCREE_CONTACTS_TILE < contacts->grains ? first + SCREE_CONTACTS_TILE : contacts->grains;
        walk_range(collider, contacts->inside[tile], contacts->inside[tile + 1], false,
                   last_piece >= TILE_LAW);
        // the grains of the next tile, as the engine calls them while it sums
        for (size_t i = last; i < last + SCREE_CONTACTS_TILE && i < contacts->grains; ++i) {
            __builtin_prefetch(&scree_world_grains(world)[i].position);
            __builtin_prefetch(&scree_world_grains(world)[i].spin);
        }
        if (last_piece >= TILE_WALLS)
            scree_wall_contacts_walk(collider, &collider->scratch[0], tile);
        if (last_piece >= TILE_SUM)
            sum_tile(collider, tile, first, last, last_piece >= TILE_MOTION);
    }
}

static double time_walk(struct parts *parts, enum piece piece)
{
    struct scree_collider *collider = parts->collider;
    const size_t times = 1 + 200000 / parts->bodies;
    const double start = bench_worked();
    for (size_t k = 0; k < times; ++k)
        if (piece <= ACROSS_LAW)
            walk_range(collider, 0, collider->world->contacts.inside[0], true, piece == ACROSS_LAW);
        else
            walk_tiles(collider, piece);
    return 1e9 * (bench_worked() - start) / (double)(times * parts->bodies);
}

static void time_pieces(struct parts *parts, size_t round)
{
    // steps that move next to nothing: the lists hold on
    const double step = 1e-9;
    parts->collider->step = step;
    scree_mover_set_out(parts->collider->mover, step);
    for (enum piece piece = ACROSS_FILTER; piece <= TILE_MOTION; ++piece)
        parts->ns[piece][round] = time_walk(parts, piece);
    scree_mover_arrive(parts->collider->mover);
}

static void time_steps(struct parts *parts, size_t round)
{
    const size_t steps = 10 + 1000000 / parts->bodies;
    const double start = bench_worked();
    bench_must(scree_engine_run(parts->engine, steps));
    parts->ns[WHOLE_STEP][round] = 1e9 * (bench_worked() - start) / (double)(steps * parts->bodies);
}

static void time_search(struct parts *parts, size_t round)
{
    parts->collider->world->contacts_stale = true;
    const double start = bench_worked();
    bench_must(scree_collider_search(parts->collider, false));
    parts->ns[SEARCH][round] = 1e9 * (bench_worked() - start) / (double)parts->bodies;
}

static void print_parts(struct parts *parts, size_t rounds)
{
    double before = 0;
    printf("# %-28s %8s  ns a grain\n", "piece", "time");
    for (enum piece piece = 0; piece < PIECES; ++piece) {
        const double all = bench_median(parts->ns[piece], rounds);
        const bool first = piece == ACROSS_FILTER || piece == TILE_FILTER || piece >= WHOLE_STEP;
        printf("piece %-28s %8.2f\n", piece_names[piece], first ? all : all - before);
        before = all;
    }
}

int main(int argc, char **argv)
{
    if (argc > 3) {
        fprintf(stderr, "usage: bench-kernel [WORKLOAD [ROUNDS]]\n");
        return 2;
    }
    const size_t rounds = argc > 2 ? bench_number(argv[2], 1, MOST_ROUNDS) : 7;
    struct scene scene = scene_make(scene_find(argc > 1 ? argv[1] : "bed-30k"));
    static struct parts parts;
    parts.engine = scene_engine(&scene, 1);
    parts.collider = inside_collider(parts.engine);
    parts.bodies = scree_body_count(scene.world);
    scene_warm(&scene, parts.engine, 60);
    for (size_t r = 0; r < rounds; ++r)
        time_steps(&parts, r);
    for (size_t r = 0; r < rounds; ++r)
        time_search(&parts, r);
    printf("# %s: %zu grains\n", scene.row->name, parts.bodies);
    bench_laws(parts.collider, scene.row->step, rounds);
    for (size_t r = 0; r < rounds; ++r)
        time_pieces(&parts, r);
    print_parts(&parts, rounds);
    scree_engine_destroy(parts.engine);
    scree_world_destroy(scene.world);
    return 0;
}
