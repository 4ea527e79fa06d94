// Energies of all contacts, see evaluate_energies.h.

#include "contact/evaluate_energies.h"

#include "base/processor.h"
#include "world/grain.h"

#include <string.h>

enum { WIDTH = SCREE_KERNEL_WIDTH, CAPACITY = SCREE_EVALUATE_ENERGIES_BATCH };

struct batch {
    const struct scree_evaluator *evaluator;
    scree_evaluate_energies_visitor *visit;
    void *context;
    struct scree_law_class class[SCREE_CONTACTS_NO_CLASS]; // law is null until found
    struct scree_kernel_job job;
    struct scree_kernel_cell cell;
    uint32_t list[CAPACITY], picked[CAPACITY];
    double stored[CAPACITY] __attribute__((aligned(64))), sliding[CAPACITY] __attribute__((aligned(64)));
};

static const struct scree_contacts *contacts_of(const struct batch *batch)
{
    return &batch->evaluator->world->contacts;
}

static size_t number_of(const struct batch *batch, size_t candidate)
{
    return contacts_of(batch)->class_of ? contacts_of(batch)->class_of[candidate] : 0;
}

// Finds the classes of all candidates; returns false if one has no class, or a history of another law.
static bool find_classes(struct batch *batch)
{
    const struct scree_contacts *contacts = contacts_of(batch);
    const struct scree_grain *grain = scree_world_grains(batch->evaluator->world);
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const size_t number = number_of(batch, c);
        if (number >= SCREE_CONTACTS_NO_CLASS)
            return false;
        struct scree_law_class *class = &batch->class[number];
        const struct scree_pair pair = contacts->pair[c];
        // skip padding
        if (class->law || pair.low == pair.high)
            continue;
        const uint64_t a = grain[pair.low].material, b = grain[pair.high].material;
        if (scree_interaction_pair(batch->evaluator->world, a < b ? a : b, a < b ? b : a, class) != SCREE_OK)
            class->law = NULL;
        if (!class->law || !class->law->kernel[scree_processor_set()][0][SCREE_KERNEL_EVALUATE])
            return false;
        const struct scree_contacts_layout now = scree_interaction_layout(class);
        const struct scree_contacts_layout *before = contacts->layout ? &contacts->layout[number] : &now;
        if (before->law != now.law || before->resists != now.resists ||
            scree_evaluate_one_history_length(class) > contacts->stride)
            return false;
        if (!contacts->class_of)
            break;
    }
    return true;
}

// Returns false if grains were added, removed or moved to other slots since the lists were made.
static bool lists_are_current(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    const size_t bodies = scree_world_bodies(world), carried = scree_grain_carried(world);
    const uint64_t *carried_id = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_GRAIN));
    return !world->contacts_stale && contacts->grains == bodies + carried && contacts->stride % 4 == 0 &&
           (carried > 0) == (contacts->tangential_factor != NULL) &&
           (bodies == 0 ||
            memcmp(contacts->id, scree_world_ids(world), bodies * sizeof *contacts->id) == 0) &&
           (carried == 0 ||
            memcmp(contacts->carried + bodies, carried_id, carried * sizeof *carried_id) == 0);
}

static void prepare(struct batch *batch)
{
    const struct scree_world *world = batch->evaluator->world;
    const struct scree_contacts *contacts = &world->contacts;
    batch->job =
        (struct scree_kernel_job){.grain = scree_world_grains(world),
                                  .pair = contacts->pair,
                                  .history = contacts->history,
                                  .stride = contacts->stride,
                                  .candidate = batch->picked,
                                  .live = contacts->live,
                                  .tangential_factor = contacts->tangential_factor,
                                  .has_fixed = world->has_fixed,
                                  .stored = batch->stored,
                                  .sliding = batch->sliding,
                                  .cell = scree_evaluate_one_cell(world, &batch->cell) ? &batch->cell : NULL};
}

// Runs a kernel over the job, which writes `count` results.
static void run_kernel(struct batch *batch, size_t number, enum scree_kernel_loop loop, size_t count)
{
    const struct scree_law_class *class = &batch->class[number];
    scree_evaluate_one_fill_rule(batch->evaluator, class, false, &batch->job.rule);
    class->law->kernel[scree_processor_set()][class->resists][loop](&batch->job);
    batch->visit(batch->context, batch->stored, batch->sliding, count);
}

// --- lists

// Evaluates the listed contacts that have the class of the first; returns how many others are left.
static size_t evaluate_class(struct batch *batch, size_t count)
{
    const size_t number = number_of(batch, batch->list[0]);
    size_t picked = 0, left = 0;
    for (size_t k = 0; k < count; ++k)
        if (number_of(batch, batch->list[k]) == number)
            batch->picked[picked++] = batch->list[k];
        else
            batch->list[left++] = batch->list[k];
    batch->job.count = picked;
    for (; picked % WIDTH != 0; ++picked)
        batch->picked[picked] = batch->picked[picked - 1];
    run_kernel(batch, number, SCREE_KERNEL_EVALUATE, picked);
    return left;
}

// Evaluates the live contacts of a range.
static void evaluate_list(struct batch *batch, size_t first, size_t last)
{
    const struct scree_contacts *contacts = contacts_of(batch);
    size_t count = 0;
    for (size_t at = first; at < last; at += 8) {
        for (unsigned live = contacts->live[at / 8]; live; live &= live - 1)
            batch->list[count++] = (uint32_t)at + (uint32_t)__builtin_ctz(live);
        while (count > (at + 8 < last ? CAPACITY - 8 : 0))
            count = evaluate_class(batch, count);
    }
}

// --- rows

// Evaluates the rows of a tile: at a time as many groups of one class as fit in the buffers.
static void evaluate_rows(struct batch *batch, size_t tile)
{
    const struct scree_contacts *contacts = contacts_of(batch);
    const size_t end = contacts->group[tile + 1];
    size_t next = scree_contacts_first(contacts, tile, SCREE_CONTACTS_ROWS);
    for (size_t group = contacts->group[tile]; group < end; group += batch->job.groups) {
        const size_t first = next, number = number_of(batch, first);
        batch->job.first = first;
        batch->job.depth = contacts->depth + group;
        batch->job.groups = 0;
        do {
            next += WIDTH * (size_t)batch->job.depth[batch->job.groups++];
        } while (group + batch->job.groups < end &&
                 next - first + WIDTH * (size_t)batch->job.depth[batch->job.groups] <= CAPACITY &&
                 number_of(batch, next) == number);
        run_kernel(batch, number, SCREE_KERNEL_EVALUATE_ROWS, next - first);
    }
}

bool scree_evaluate_energies(const struct scree_evaluator *evaluator, scree_evaluate_energies_visitor *visit,
                             void *context)
{
    const struct scree_contacts *contacts = &evaluator->world->contacts;
    struct batch batch;
    batch.evaluator = evaluator;
    batch.visit = visit;
    batch.context = context;
    memset(batch.class, 0, sizeof batch.class);
    if (!lists_are_current(evaluator->world))
        return false;
    // between steps carried grains are not moved with their bodies
    scree_grain_update_records((struct scree_world *)(uintptr_t)evaluator->world, 0, NULL);
    if (!find_classes(&batch))
        return false;
    prepare(&batch);
    for (size_t tile = 0; tile < contacts->tiles; ++tile) {
        const size_t first = scree_contacts_first(contacts, tile, SCREE_CONTACTS_INSIDE);
        evaluate_rows(&batch, tile);
        evaluate_list(&batch, first, scree_contacts_first(contacts, tile, SCREE_CONTACTS_RANGES));
    }
    return true;
}
