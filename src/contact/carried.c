// Sums of carried grains, see carried.h.

#include "contact/carried.h"

#include "base/memory.h"
#include "math/vec3.h"

void scree_carried_free(struct scree_carried *carried)
{
    scree_grain_owners_free(&carried->owners);
    scree_memory_free(carried->block);
    scree_memory_free(carried->work);
    *carried = (struct scree_carried){0};
}

static bool carries(const struct scree_carried *carried, size_t body)
{
    return carried->owners.first[body] < carried->owners.first[body + 1];
}

static scree_status make(struct scree_carried *carried, const struct scree_world *world)
{
    const size_t bodies = scree_world_bodies(world);
    SCREE_TRY(scree_grain_owners_make(world, &carried->owners));
    SCREE_TRY(scree_memory_new(bodies / SCREE_SUMS_BLOCK + 1, 1, (void **)&carried->block));
    SCREE_TRY(scree_memory_new(scree_grain_carried(world), sizeof *carried->work, (void **)&carried->work));
    for (size_t i = 0; i < bodies; ++i)
        if (carries(carried, i))
            carried->block[i / SCREE_SUMS_BLOCK] = 1;
    return SCREE_OK;
}

scree_status scree_carried_make(struct scree_carried *carried, const struct scree_world *world)
{
    scree_carried_free(carried);
    if (scree_grain_carried(world) == 0)
        return SCREE_OK;
    const scree_status status = make(carried, world);
    if (status != SCREE_OK)
        scree_carried_free(carried);
    return status;
}

static void add_to_body(const struct scree_carried *carried, struct scree_sums *sums,
                        const struct scree_world *world, uint32_t row, struct scree_mat3 axes,
                        struct scree_wrench *wrench, struct scree_losses *loss, enum scree_sums_taking taking)
{
    const size_t slot = scree_world_bodies(world) + row;
    struct scree_wrench own;
    struct scree_losses own_loss = {0};
    const struct scree_vec3 arm = scree_grain_arm_along(axes, &scree_grain_locals(world)[row]);
    double moment[3];
    scree_sums_take(sums, scree_world_grains(world), slot, slot + 1, &own, &own_loss, taking);
    scree_vec3_store(scree_vec3_cross(arm, scree_vec3_load(own.force)), moment);
    for (int k = 0; k < 3; ++k) {
        wrench->force[k] += own.force[k];
        wrench->moment[k] += own.moment[k] + moment[k];
    }
    loss->friction += own_loss.friction;
    loss->dashpot += own_loss.dashpot;
    loss->internal += own_loss.internal;
    loss->ahead += own_loss.ahead;
    carried->work[row] = 0;
}

void scree_carried_add(const struct scree_carried *carried, struct scree_sums *sums,
                       struct scree_world *world, size_t first, size_t last, struct scree_wrench *wrench,
                       enum scree_sums_taking taking)
{
    const struct scree_grain_owners *owners = &carried->owners;
    for (size_t i = first; i < last; ++i) {
        if (!carries(carried, i))
            continue;
        const struct scree_mat3 axes = scree_grain_axes(world, i);
        for (size_t k = owners->first[i]; k < owners->first[i + 1]; ++k) {
            const double work = carried->work[owners->row[k]];
            if (work != 0)
                scree_world_wrenches(world)[i].work += work;
            add_to_body(carried, sums, world, owners->row[k], axes, &wrench[i - first],
                        &scree_world_losses(world)[i], taking);
        }
    }
}

void scree_carried_choose(const struct scree_carried *carried, const struct scree_sums *sums,
                          struct scree_world *world, size_t first, size_t last, double step,
                          bool unknown_only)
{
    const struct scree_grain_owners *owners = &carried->owners;
    struct scree_grain *grain = scree_world_grains(world);
    for (size_t i = first; i < last; ++i) {
        struct scree_grain *const carried_grain = grain + scree_world_bodies(world);
        uint16_t quantum_of_all = 0;
        if (!carries(carried, i) || (unknown_only && grain[i].quantum != 0))
            continue;
        for (size_t k = owners->first[i]; k < owners->first[i + 1]; ++k) {
            struct scree_grain *part = &carried_grain[owners->row[k]];
            scree_sums_choose(sums, part, (uint32_t)(part - grain), step);
            quantum_of_all = part->quantum > quantum_of_all ? part->quantum : quantum_of_all;
        }
        grain[i].quantum = quantum_of_all;
        for (size_t k = owners->first[i]; k < owners->first[i + 1]; ++k)
            carried_grain[owners->row[k]].quantum = quantum_of_all;
    }
}
