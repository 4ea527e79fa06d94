// Visits to contacts, see visit.h.

#include "contact/visit.h"

void scree_visit_grains(const struct scree_looker *looker, scree_visit_wanted *wanted,
                        scree_visit_contact *visit, void *context)
{
    const struct scree_world *world = looker->world;
    const struct scree_contacts *contacts = &world->contacts;
    struct scree_look look;
    for (size_t c = 0; c < contacts->candidates; ++c) {
        if (!scree_contacts_is_live(contacts, c))
            continue;
        struct scree_grain *const sides[2] = {scree_look_grain(world, contacts->pair[c].low),
                                              scree_look_grain(world, contacts->pair[c].high)};
        if ((!wanted || wanted(sides)) && scree_look_contact(looker, c, &look))
            visit(context, &look, sides);
    }
}

void scree_visit_walls(const struct scree_looker *looker, scree_visit_wanted *wanted,
                       scree_visit_contact *visit, void *context)
{
    const struct scree_world *world = looker->world;
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    struct scree_look look;
    for (size_t c = 0; c < walls->count; ++c) {
        if (!walls->live[c])
            continue;
        struct scree_grain *const sides[2] = {scree_look_grain(world, walls->pair[c].low), NULL};
        if ((!wanted || wanted(sides)) && scree_look_wall_contact(looker, c, &look))
            visit(context, &look, sides);
    }
}

void scree_visit_contacts(const struct scree_looker *looker, scree_visit_wanted *wanted,
                          scree_visit_contact *visit, void *context)
{
    scree_visit_grains(looker, wanted, visit, context);
    scree_visit_walls(looker, wanted, visit, context);
}
