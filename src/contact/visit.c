// Visiting contacts, see visit.h.

#include "contact/visit.h"

void scree_visit_grains(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                        scree_visit_contact *visit, void *context)
{
    const struct scree_world *world = evaluator->world;
    const struct scree_contacts *contacts = &world->contacts;
    struct scree_evaluated evaluated;
    for (size_t c = 0; c < contacts->candidates; ++c) {
        if (!scree_contacts_is_live(contacts, c))
            continue;
        struct scree_grain *const sides[2] = {scree_evaluate_one_grain(world, contacts->pair[c].low),
                                              scree_evaluate_one_grain(world, contacts->pair[c].high)};
        if ((!wanted || wanted(sides)) && scree_evaluate_one_contact(evaluator, c, &evaluated))
            visit(context, &evaluated, sides);
    }
}

void scree_visit_walls(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                       scree_visit_contact *visit, void *context)
{
    const struct scree_world *world = evaluator->world;
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    struct scree_evaluated evaluated;
    for (size_t c = 0; c < walls->count; ++c) {
        if (!walls->live[c])
            continue;
        struct scree_grain *const sides[2] = {scree_evaluate_one_grain(world, walls->pair[c].low), NULL};
        if ((!wanted || wanted(sides)) && scree_evaluate_one_wall_contact(evaluator, c, &evaluated))
            visit(context, &evaluated, sides);
    }
}

void scree_visit_contacts(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                          scree_visit_contact *visit, void *context)
{
    scree_visit_grains(evaluator, wanted, visit, context);
    scree_visit_walls(evaluator, wanted, visit, context);
}
