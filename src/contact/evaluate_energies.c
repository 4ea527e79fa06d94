// Energies of all contacts, see evaluate_energies.h.

#include "contact/evaluate_energies.h"

#include "base/processor.h"
#include "world/grain.h"

#include <string.h>

enum { WIDTH = SCREE_KERNEL_WIDTH, ROOM = SCREE_EVALUATE_ENERGIES_BATCH };

struct view {
    const struct scree_evaluator *evaluator;
    scree_evaluate_energies_visitor *visit;
    void *context;
    struct scree_law_class class[SCREE_CONTACTS_NO_CLASS]; // law is null until found
    struct scree_kernel_job job;
    uint32_t list[ROOM], picked[ROOM];
    double stored[ROOM] __attribute__((aligned(64))), sliding[ROOM] __attribute__((aligned(64)));
};

static const struct scree_contacts *contacts_of(const struct view *view)
{
    return &view->evaluator->world->contacts;
}

static size_t number_of(const struct view *view, size_t candidate)
{
    return contacts_of(view)->class_of ? contacts_of(view)->class_of[candidate] : 0;
}

// Finds the classes of all candidates; returns false if one has no class, or a history of another law.
static bool find_classes(struct view *view)
{
    const struct scree_contacts *contacts = contacts_of(view);
    const struct scree_grain *grain = scree_world_grains(view->evaluator->world);
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const size_t number = number_of(view, c);
        if (number >= SCREE_CONTACTS_NO_CLASS)
            return false;
        struct scree_law_class *class = &view->class[number];
        const struct scree_pair pair = contacts->pair[c];
        // skip padding
        if (class->law || pair.low == pair.high)
            continue;
        const uint64_t a = grain[pair.low].material, b = grain[pair.high].material;
        if (scree_interaction_pair(view->evaluator->world, a < b ? a : b, a < b ? b : a, class) != SCREE_OK)
            class->law = NULL;
        if (!class->law || !class->law->kernel[scree_processor_set()][0][SCREE_KERNEL_EVALUATE])
            return false;
        const struct scree_contacts_layout now = scree_interaction_layout(class);
        const struct scree_contacts_layout *then = contacts->layout ? &contacts->layout[number] : &now;
        if (then->law != now.law || then->resists != now.resists ||
            scree_evaluate_one_history(class) > contacts->stride)
            return false;
        if (!contacts->class_of)
            break;
    }
    return true;
}

// Returns false if grains were added, removed or moved to other slots since the lists were made.
static bool has_fixed(const struct scree_world *world)
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

static void prepare(struct view *view)
{
    const struct scree_world *world = view->evaluator->world;
    const struct scree_contacts *contacts = &world->contacts;
    view->job = (struct scree_kernel_job){.grain = scree_world_grains(world),
                                          .pair = contacts->pair,
                                          .history = contacts->history,
                                          .stride = contacts->stride,
                                          .candidate = view->picked,
                                          .live = contacts->live,
                                          .tangential_factor = contacts->tangential_factor,
                                          .has_fixed = world->has_fixed,
                                          .stored = view->stored,
                                          .sliding = view->sliding};
}

// Runs a kernel over the job, which writes `count` results.
static void evaluated(struct view *view, size_t number, enum scree_kernel_place place, size_t count)
{
    const struct scree_law_class *class = &view->class[number];
    scree_evaluate_one_fill_rule(view->evaluator, class, false, &view->job.rule);
    class->law->kernel[scree_processor_set()][class->resists][place](&view->job);
    view->visit(view->context, view->stored, view->sliding, count);
}

// --- lists

// Evaluates the listed contacts that have the class of the first; returns how many others are left.
static size_t look_at_one(struct view *view, size_t count)
{
    const size_t number = number_of(view, view->list[0]);
    size_t picked = 0, left = 0;
    for (size_t k = 0; k < count; ++k)
        if (number_of(view, view->list[k]) == number)
            view->picked[picked++] = view->list[k];
        else
            view->list[left++] = view->list[k];
    view->job.count = picked;
    for (; picked % WIDTH != 0; ++picked)
        view->picked[picked] = view->picked[picked - 1];
    evaluated(view, number, SCREE_KERNEL_EVALUATE, picked);
    return left;
}

// Evaluates the live contacts of a range.
static void look_at_list(struct view *view, size_t first, size_t last)
{
    const struct scree_contacts *contacts = contacts_of(view);
    size_t count = 0;
    for (size_t at = first; at < last; at += 8) {
        for (unsigned live = contacts->live[at / 8]; live; live &= live - 1)
            view->list[count++] = (uint32_t)at + (uint32_t)__builtin_ctz(live);
        while (count > (at + 8 < last ? ROOM - 8 : 0))
            count = look_at_one(view, count);
    }
}

// --- rows

// Evaluates the rows of a tile, as many groups at a time as have one class and fit.
static void look_at_rows(struct view *view, size_t tile)
{
    const struct scree_contacts *contacts = contacts_of(view);
    const size_t end = contacts->group[tile + 1];
    size_t next = scree_contacts_first(contacts, tile, SCREE_CONTACTS_ROWS);
    for (size_t group = contacts->group[tile]; group < end; group += view->job.groups) {
        const size_t first = next, number = number_of(view, first);
        view->job.first = first;
        view->job.depth = contacts->depth + group;
        view->job.groups = 0;
        do {
            next += WIDTH * (size_t)view->job.depth[view->job.groups++];
        } while (group + view->job.groups < end &&
                 next - first + WIDTH * (size_t)view->job.depth[view->job.groups] <= ROOM &&
                 number_of(view, next) == number);
        evaluated(view, number, SCREE_KERNEL_EVALUATE_ROWS, next - first);
    }
}

bool scree_evaluate_energies(const struct scree_evaluator *evaluator, scree_evaluate_energies_visitor *visit,
                             void *context)
{
    const struct scree_contacts *contacts = &evaluator->world->contacts;
    struct view view;
    view.evaluator = evaluator;
    view.visit = visit;
    view.context = context;
    memset(view.class, 0, sizeof view.class);
    if (!has_fixed(evaluator->world))
        return false;
    // between steps carried grains are not moved with their bodies
    scree_grain_place((struct scree_world *)(uintptr_t)evaluator->world, 0);
    if (!find_classes(&view))
        return false;
    prepare(&view);
    for (size_t tile = 0; tile < contacts->tiles; ++tile) {
        const size_t first = scree_contacts_first(contacts, tile, SCREE_CONTACTS_INSIDE);
        look_at_rows(&view, tile);
        look_at_list(&view, first, scree_contacts_first(contacts, tile, SCREE_CONTACTS_RANGES));
    }
    return true;
}
