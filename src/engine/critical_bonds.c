// Stiffness of bonds, see critical_bonds.h.

#include "engine/critical_bonds.h"

#include "engine/critical_impact.h"
#include "math/real.h"
#include "math/vec3.h"

static bool is_still(const struct scree_step_inputs *inputs, uint32_t slot)
{
    return slot == UINT32_MAX || scree_step_inputs_is_fully_fixed(&scree_world_grains(inputs->world)[slot]);
}

struct scree_critical_bonds_parts scree_critical_bonds_of(const struct scree_step_inputs *inputs,
                                                          const struct scree_bond_entry *entry, int side)
{
    const struct scree_bond_spring *spring = &scree_bond_springs(inputs->world)[entry->row];
    struct scree_critical_bonds_parts parts = {0};
    if (is_still(inputs, entry->slot[side]))
        return parts;
    const struct scree_grain *grain = &scree_world_grains(inputs->world)[entry->slot[side]];
    const struct scree_critical_impact_lever lever =
        scree_critical_impact_lever_of(inputs, entry->slot[side]);
    // the lever of a carried grain includes its radius
    const double arm = spring->arm[side] + (lever.carried ? lever.arm - grain->radius : 0);
    const double axial = spring->stiffness[0], shear = 2 * spring->stiffness[1];
    const double crosswise = lever.carried ? scree_real_max(2 * axial, shear) : shear;
    const double turning = scree_real_max(spring->stiffness[2], spring->stiffness[3]) + crosswise * arm * arm;
    const double moving =
        scree_step_inputs_is_fixed(grain) ? 0 : scree_real_max(lever.carried ? 2 * axial : axial, shear);
    const double sides = is_still(inputs, entry->slot[1 - side]) ? 1 : 2;
    parts.spring = sides * scree_real_max(moving, turning * lever.mass_over_inertia);
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
