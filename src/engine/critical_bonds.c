// Stiffness of bonds, see critical_bonds.h.

#include "engine/critical_bonds.h"

#include "engine/lever.h"
#include "math/real.h"
#include "world/grain.h"

static bool is_still(const struct scree_step_inputs *inputs, uint32_t slot)
{
    return slot == UINT32_MAX || scree_step_inputs_is_fully_fixed(&scree_world_grains(inputs->world)[slot]);
}

// Distance of the centre of a grain from the centre of mass of its body.
static double offset_of(const struct scree_step_inputs *inputs, uint32_t slot)
{
    const struct scree_world *world = inputs->world;
    return scree_world_grains(world)[slot].part > 0
               ? scree_vec3_norm(
                     scree_vec3_load(scree_grain_locals(world)[slot - scree_world_bodies(world)].offset))
               : 0;
}

struct scree_critical_bonds_parts scree_critical_bonds_of(const struct scree_step_inputs *inputs,
                                                          const struct scree_bond_entry *entry, int side)
{
    const struct scree_bond_spring *spring = &scree_bond_springs(inputs->world)[entry->row];
    struct scree_critical_bonds_parts parts = {0};
    if (is_still(inputs, entry->slot[side]))
        return parts;
    const struct scree_grain *grain = &scree_world_grains(inputs->world)[entry->slot[side]];
    const double mass_over_inertia = scree_lever_bound(inputs, entry->slot[side]).rolling;
    const double arm = spring->arm[side] + offset_of(inputs, entry->slot[side]);
    const bool carried = grain->part > 0;
    const double axial = spring->stiffness[0], shear = 2 * spring->stiffness[1];
    const double crosswise = carried ? scree_real_max(2 * axial, shear) : shear;
    const double turning = scree_real_max(spring->stiffness[2], spring->stiffness[3]) + crosswise * arm * arm;
    const double moving =
        scree_step_inputs_is_fixed(grain) ? 0 : scree_real_max(carried ? 2 * axial : axial, shear);
    const double sides = is_still(inputs, entry->slot[1 - side]) ? 1 : 2;
    parts.spring = sides * scree_real_max(moving, turning * mass_over_inertia);
    parts.dashpot = spring->damping * parts.spring;
    return parts;
}

void scree_critical_bonds_each(const struct scree_collider *collider, scree_critical_bonds_visit *visit,
                               void *context)
{
    const struct scree_bond_lists *lists = &collider->bonds;
    for (size_t t = 0; t < lists->tiles; ++t)
        for (size_t k = 0; k < lists->count[t]; ++k)
            visit(context, &lists->entry[lists->first[t] + k]);
}
