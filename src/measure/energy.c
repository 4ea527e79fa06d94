// The energy ledger and the momenta, see include/scree/energy.h. Sums are exact before they are rounded, so
// they do not depend on the order of slots or on threads.

#include "base/sum.h"
#include "law/books.h"
#include "measure/walk.h"
#include "world/body.h"
#include "world/cell.h"

#include <scree/body.h>
#include <scree/energy.h>

#include <float.h>
#include <math.h>

enum { TRANSLATION, ROTATION, GRAVITY, WORK, LOSS, FRICTION, DASHPOT, INNER, ELASTIC, FED, ENERGIES };

static void add_energy(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                       void *user)
{
    struct scree_sum *sums = (struct scree_sum *)user;
    const struct scree_body_energy energy = scree_body_energy(world, slot, motion);
    scree_sum_add(&sums[TRANSLATION], energy.translation);
    scree_sum_add(&sums[ROTATION], energy.rotation);
    scree_sum_add(&sums[GRAVITY], energy.gravity);
    scree_sum_add(&sums[WORK], motion->work);
    scree_sum_add(&sums[LOSS], motion->loss);
    const struct scree_losses *losses = scree_world_losses(world);
    if (!losses)
        return;
    scree_sum_add(&sums[FRICTION], losses[slot.index].friction);
    scree_sum_add(&sums[DASHPOT], losses[slot.index].dashpot);
    scree_sum_add(&sums[DASHPOT], -0.5 * losses[slot.index].ahead);
    scree_sum_add(&sums[INNER], losses[slot.index].inner);
}

// What walls feed in and dashpots that slip lose is booked ahead by half a step; what is out of the books
// counts as fed in all the same.
struct contact_energies {
    struct scree_sum *sums;
    double step;
};

static void add_contact(void *context, const struct scree_look *look, bool open,
                        struct scree_grain *const sides[2])
{
    (void)sides;
    const struct contact_energies *energies = (const struct contact_energies *)context;
    scree_sum_add(&energies->sums[ELASTIC], look->stored);
    if (open)
        scree_sum_add(&energies->sums[FED], look->stored);
    if (open)
        return;
    scree_sum_add(&energies->sums[WORK], -0.5 * energies->step * look->feed);
    scree_sum_add(&energies->sums[FRICTION], -0.5 * energies->step * look->sliding);
}

scree_status scree_energy_get(struct scree_world *world, struct scree_energy *energy)
{
    SCREE_WORLD_COMPUTES;
    struct scree_sum sums[ENERGIES] = {0};
    SCREE_TRY(scree_walk_bodies(world, add_energy, sums));
    const struct scree_clock *clock = scree_world_clock(world);
    struct scree_look_pairs pairs = {0};
    struct contact_energies contacts = {sums, clock->step};
    scree_books_visit(&(struct scree_looker){.world = world, .pairs = &pairs}, add_contact, &contacts);
    const double gone[ENERGIES] = {
        [WORK] = clock->gone_work,       [LOSS] = clock->gone_loss,   [FRICTION] = clock->gone_friction,
        [DASHPOT] = clock->gone_dashpot, [INNER] = clock->gone_inner, [FED] = clock->fed};
    double value[ENERGIES];
    for (int k = 0; k < ENERGIES; ++k)
        value[k] = scree_sum_value(&sums[k]) + gone[k];
    *energy = (struct scree_energy){.translation = value[TRANSLATION],
                                    .rotation = value[ROTATION],
                                    .gravity = value[GRAVITY],
                                    .elastic = value[ELASTIC],
                                    .work = value[WORK],
                                    .damping = value[LOSS],
                                    .friction = value[FRICTION],
                                    .dashpot = value[DASHPOT],
                                    .inner = value[INNER],
                                    .fed = value[FED]};
    energy->balance = energy->translation + energy->rotation + energy->gravity + energy->elastic -
                      energy->work + energy->damping + energy->friction + energy->dashpot + energy->inner -
                      energy->fed;
    return SCREE_OK;
}

double scree_energy_scale(const struct scree_energy *energy)
{
    return energy->translation + energy->rotation + energy->elastic + fabs(energy->damping) +
           fabs(energy->friction) + fabs(energy->dashpot) + fabs(energy->inner) + fabs(energy->work);
}

double scree_energy_rounding(const struct scree_world *world, const struct scree_energy *energy)
{
    return DBL_EPSILON * (double)(16 + scree_body_count(world)) * (fabs(energy->gravity) + fabs(energy->fed));
}

enum { LINEAR, ANGULAR = 3, MOMENTA = 6 };

static void add_momentum(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                         void *user)
{
    struct scree_sum *sums = (struct scree_sum *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    double orbital[3];
    scree_vec3_store(scree_vec3_cross(scree_cell_unwrapped(world, slot), scree_vec3_load(motion->velocity)),
                     orbital);
    for (int k = 0; k < 3; ++k) {
        scree_sum_add(&sums[LINEAR + k], grain->mass * motion->velocity[k]);
        scree_sum_add(&sums[ANGULAR + k], grain->mass * orbital[k]);
        scree_sum_add(&sums[ANGULAR + k], motion->momentum[k]);
    }
}

scree_status scree_energy_momentum(struct scree_world *world, struct scree_momentum *momentum)
{
    SCREE_WORLD_COMPUTES;
    struct scree_sum sums[MOMENTA] = {0};
    SCREE_TRY(scree_walk_bodies(world, add_momentum, sums));
    for (int k = 0; k < 3; ++k) {
        momentum->linear[k] = scree_sum_value(&sums[LINEAR + k]);
        momentum->angular[k] = scree_sum_value(&sums[ANGULAR + k]);
    }
    return SCREE_OK;
}
