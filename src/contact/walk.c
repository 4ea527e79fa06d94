// Loops over bodies and contacts, see walk.h.

#include "contact/walk.h"

#include "contact/visit.h"
#include "world/edit.h"
#include "world/grain.h"

scree_status scree_walk_blocks(struct scree_world *world, scree_walk_block *visit, void *user)
{
    scree_edit_finish_fields(world);
    struct scree_on_step motion[SCREE_WALK_BLOCK];
    const size_t bodies = scree_world_bodies(world);
    for (size_t first = 0; first < bodies; first += SCREE_WALK_BLOCK) {
        const size_t count = bodies - first < SCREE_WALK_BLOCK ? bodies - first : SCREE_WALK_BLOCK;
        SCREE_TRY(scree_world_on_step(world, first, count, motion));
        visit(world, first, count, motion, user);
    }
    return SCREE_OK;
}

struct body_visit {
    scree_walk_body *visit;
    void *user;
};

static void visit_each(const struct scree_world *world, size_t first, size_t count,
                       const struct scree_on_step *motion, void *user)
{
    const struct body_visit *body_visit = (const struct body_visit *)user;
    for (size_t i = 0; i < count; ++i)
        body_visit->visit(world, (scree_slot){(uint32_t)(first + i)}, &motion[i], body_visit->user);
}

scree_status scree_walk_bodies(struct scree_world *world, scree_walk_body *visit, void *user)
{
    struct body_visit body_visit = {visit, user};
    return scree_walk_blocks(world, visit_each, &body_visit);
}

scree_status scree_walk_check_point(const struct scree_world *world)
{
    if (!world->pending_step || world->pending_step->forces_known)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_STATE,
        "contacts are not available between points 10 and 60 of a step: use point 60 or later");
}

struct contact_visit {
    const struct scree_world *world;
    scree_walk_contact *visit;
    void *user;
};

static void store(struct scree_law_vector v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static size_t row_of(const struct scree_world *world, const struct scree_grain *carried)
{
    return (size_t)(carried - scree_world_grains(world)) - scree_world_bodies(world);
}

// From the second grain, or from the point on a wall, to the first grain.
static void find_branch(const struct scree_evaluated *evaluated, struct scree_grain *const sides[2],
                        double branch[3])
{
    const double length = sides[0]->radius + (sides[1] ? sides[1]->radius : 0) - evaluated->overlap;
    store(scree_law_scale(length, evaluated->normal), branch);
    if (evaluated->outside)
        store(scree_law_subtract(evaluated->lever[1], evaluated->lever[0]), branch);
}

static void visit_contact(void *context, const struct scree_evaluated *evaluated,
                          struct scree_grain *const sides[2])
{
    const struct contact_visit *contact_visit = (const struct contact_visit *)context;
    struct scree_walk_item contact = {
        .world = contact_visit->world, .evaluated = evaluated, .side = {sides[0], sides[1]}};
    double branch[3];
    find_branch(evaluated, sides, branch);
    store(evaluated->normal, contact.normal);
    store(evaluated->force, contact.force);
    store(evaluated->point, contact.point);
    double arm[2][3] = {{0}};
    for (int s = 0; s < 2 && sides[s]; ++s)
        if (sides[s]->part > 0)
            scree_grain_arm(contact_visit->world, row_of(contact_visit->world, sides[s]), arm[s]);
    for (int k = 0; k < 3; ++k) {
        contact.centre[k] = sides[0]->position[k] - arm[0][k];
        contact.branch[k] = branch[k] - arm[0][k] + arm[1][k];
    }
    contact_visit->visit(&contact, contact_visit->user);
}

static scree_status walk(const struct scree_world *world, scree_walk_contact *visit, void *user, bool bonds)
{
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    struct contact_visit contact_visit = {world, visit, user};
    SCREE_TRY(scree_walk_check_point(world));
    scree_visit_contacts(&evaluator, NULL, visit_contact, &contact_visit);
    if (bonds)
        scree_visit_bonds(&evaluator, NULL, visit_contact, &contact_visit);
    return SCREE_OK;
}

scree_status scree_walk_contacts(const struct scree_world *world, scree_walk_contact *visit, void *user)
{
    return walk(world, visit, user, false);
}

scree_status scree_walk_forces(const struct scree_world *world, scree_walk_contact *visit, void *user)
{
    return walk(world, visit, user, true);
}
