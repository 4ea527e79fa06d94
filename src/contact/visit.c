// Visiting contacts, see visit.h.

#include "contact/visit.h"

#include "contact/bond_side.h"

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

void scree_visit_outside(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                         scree_visit_contact *visit, void *context)
{
    const struct scree_world *world = evaluator->world;
    const struct scree_outside_contacts *outside = &world->contacts.outside;
    struct scree_evaluated evaluated;
    struct scree_outside_pair found;
    for (size_t p = 0; p < outside->pairs; ++p) {
        if (outside->live[p] == 0)
            continue;
        struct scree_grain *const sides[2] = {
            scree_evaluate_one_grain(world, outside->pair[p].low),
            outside->wall[p] > 0 ? NULL : scree_evaluate_one_grain(world, outside->pair[p].high)};
        if ((wanted && !wanted(sides)) || !scree_evaluate_one_find_outside(evaluator, p, &found))
            continue;
        for (size_t t = 0; t < found.count; ++t)
            if (scree_evaluate_one_outside(evaluator, p, &found, t, &evaluated))
                visit(context, &evaluated, sides);
    }
}

static struct scree_law_vector vector_of(struct scree_vec3 v)
{
    return (struct scree_law_vector){v.x, v.y, v.z};
}

bool scree_visit_bond(const struct scree_evaluator *evaluator, uint32_t row,
                      struct scree_evaluated *evaluated, struct scree_grain *sides[2])
{
    struct scree_bond_one one;
    if (!scree_bond_side_evaluate(evaluator->world, row, &one))
        return false;
    const double length = scree_vec3_norm(one.between);
    sides[0] = one.side[0];
    sides[1] = one.side[1];
    *evaluated = (struct scree_evaluated){
        .normal = vector_of(scree_vec3_scale(one.between, length > 0 ? -1 / length : 0)),
        .point = vector_of(scree_vec3_add(one.end[0].centre, one.elastic.arm[0])),
        .force = vector_of(scree_vec3_scale(scree_vec3_add(one.elastic.force, one.rates.force), one.kept)),
        .couple = vector_of(scree_vec3_scale(scree_vec3_add(one.elastic.couple, one.rates.couple), one.kept)),
        .overlap = sides[0]->radius + (sides[1] ? sides[1]->radius : 0) - length,
        .stored = one.kept * one.elastic.stored,
        .dashpot = evaluator->step * one.kept * one.rates.loss,
        .wall_power = one.wall ? scree_bond_side_wall_power(&one) : 0};
    return true;
}

void scree_visit_bonds(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                       scree_visit_contact *visit, void *context)
{
    struct scree_evaluated evaluated;
    struct scree_grain *sides[2];
    for (uint32_t row = 0; row < scree_bond_rows(evaluator->world); ++row)
        if (scree_visit_bond(evaluator, row, &evaluated, sides) && (!wanted || wanted(sides)))
            visit(context, &evaluated, sides);
}

void scree_visit_contacts(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                          scree_visit_contact *visit, void *context)
{
    scree_visit_grains(evaluator, wanted, visit, context);
    scree_visit_walls(evaluator, wanted, visit, context);
    scree_visit_outside(evaluator, wanted, visit, context);
}
