// Bodies with walls in the critical step, see critical_walls.h.

#include "engine/critical_walls.h"

#include "engine/critical_impact.h"
#include "math/real.h"
#include "world/wall.h"

#include <math.h>

size_t scree_critical_walls_body(const struct scree_step_inputs *inputs, size_t wall)
{
    const struct scree_wall_bodies *bodies = &inputs->collider->wall_bodies;
    const uint32_t number = bodies->of_wall ? bodies->of_wall[wall] : UINT32_MAX;
    if (number == UINT32_MAX ||
        scree_step_inputs_is_fully_fixed(&scree_world_grains(inputs->world)[bodies->slot[number]]))
        return SIZE_MAX;
    return bodies->slot[number];
}

// Distance of the farthest point of the grains from a point.
static double farthest_grain(const struct scree_critical_step *critical,
                             const struct scree_step_inputs *inputs, const double *point)
{
    double square = 0, radius = 0;
    for (int k = 0; k < 3; ++k) {
        const double low = fabs(inputs->position.lower[k] - point[k]),
                     high = fabs(inputs->position.upper[k] - point[k]), far = low > high ? low : high;
        square += far * far;
    }
    for (size_t m = 0; m < critical->materials.count; ++m)
        radius = scree_real_max(radius, critical->materials.data[m].radius);
    return sqrt(square) + radius;
}

// The stiffest impact of all, in which both sides move.
static struct scree_stiffness_damping worst_impact(const struct scree_critical_step *critical)
{
    struct scree_stiffness_damping worst = {0};
    struct scree_stiffness_parts *out[2] = {&worst.spring, &worst.dashpot};
    for (size_t b = 0; b < critical->bins.count; ++b) {
        const struct scree_stiffness_parts *in[2] = {&critical->bins.data[b].impact.spring,
                                                     &critical->bins.data[b].impact.dashpot};
        for (int p = 0; p < 2; ++p) {
            out[p]->normal = scree_real_max(out[p]->normal, 2 * in[p]->normal);
            out[p]->tangential = scree_real_max(out[p]->tangential, 2 * in[p]->tangential);
            out[p]->rolling = scree_real_max(out[p]->rolling, 2 * in[p]->rolling);
        }
    }
    return worst;
}

void scree_critical_walls_limit(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                                struct scree_critical_step_limit *limit)
{
    static const uint64_t none[2];
    const struct scree_stiffness_damping worst = worst_impact(critical);
    for (size_t w = 0; w < scree_wall_rows(inputs->world) && critical->bins.count > 0; ++w) {
        const struct scree_wall *wall = scree_wall_row(inputs->world, w);
        const size_t body = scree_critical_walls_body(inputs, w);
        if (body == SIZE_MAX)
            continue;
        const struct scree_grain *grain = &scree_world_grains(inputs->world)[body];
        const double reach = scree_wall_reach(wall), farthest = farthest_grain(critical, inputs, wall->pivot),
                     far = reach < farthest ? reach : farthest;
        // the bound grows with the arm in every direction: take that of the smallest moment of inertia
        const bool fixed = scree_step_inputs_is_fixed(grain);
        const struct scree_lever unit = scree_lever_of_wall(inputs, body, scree_vec3_zero(), NULL);
        const double arm = far * far * unit.rolling;
        const struct scree_lever lever = {
            .normal = arm, .tangential = arm, .coupling = arm, .rolling = unit.rolling};
        const uint64_t *sum = critical->sums ? &critical->sums[2 * body] : none;
        const double spring = scree_real_max((double)sum[0] * critical->unit[0],
                                             scree_lever_mode(&worst.spring, &lever, true, fixed));
        const double dashpot = scree_real_max((double)sum[1] * critical->unit[1],
                                              scree_lever_mode(&worst.dashpot, &lever, true, fixed));
        const double own = scree_critical_impact_longest_step(spring, dashpot, grain->mass);
        const uint64_t id = scree_world_ids(inputs->world)[body];
        if (own < limit->stable || (own == limit->stable && own < (double)INFINITY && id < limit->body)) {
            limit->stable = own;
            limit->body = id;
            limit->in_bed = false;
            critical->contact_stiffness = (double)sum[0] * critical->unit[0];
        }
    }
}
