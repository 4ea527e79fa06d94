// Texts of alarms, see alarm_text.h.

#include "engine/alarm_text.h"

#include "engine/soft.h"
#include "mesh/surface.h"
#include "world/grain.h"
#include "world/wall.h"

#include <scree/group.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// Adds the names of at most three groups of a body or wall to a list.
static void add_groups(const struct scree_world *world, scree_body_id body, scree_wall_id wall, char *list,
                       size_t size)
{
    enum { LISTED = 3 };
    size_t found = 0;
    for (uint64_t g = 1; g <= scree_group_count(world); ++g) {
        const scree_group_id group = {g};
        if (!(body.value > 0 ? scree_group_has_body(world, group, body)
                             : scree_group_has_wall(world, group, wall)))
            continue;
        const size_t used = strlen(list);
        if (found++ < LISTED)
            snprintf(list + used, size - used, "%s%.40s", found == 1 ? "group " : ", ",
                     scree_group_name(world, group));
    }
    const size_t used = strlen(list);
    if (found > LISTED)
        snprintf(list + used, size - used, ", ...");
}

void scree_alarm_text_facet(const struct scree_soft *soft, size_t wall_slot, uint32_t feature,
                            char text[SCREE_ALARM_FACET])
{
    const struct scree_wall *wall = scree_wall_row(soft->world, wall_slot);
    text[0] = 0;
    if (wall->shape != SCREE_WALL_MESH)
        return;
    double centre[3] = {wall->reference[0], wall->reference[1], wall->reference[2]};
    for (int c = 0; c < 3; ++c)
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < 3; ++k)
                centre[k] += wall->surface->vertex[wall->surface->facet[feature].vertex[c]][axis] *
                             wall->axes[axis][k] / 3;
    snprintf(text, SCREE_ALARM_FACET, ", facet %lu at (%.4g, %.4g, %.4g),", (unsigned long)feature, centre[0],
             centre[1], centre[2]);
}

void scree_alarm_text_side(const struct scree_soft *soft, scree_body_id body, scree_wall_id wall,
                           char text[SCREE_ALARM_SIDE])
{
    const struct scree_alarms *alarms = &soft->watch.def;
    char groups[160] = "", origin[100] = "";
    add_groups(soft->world, body, wall, groups, sizeof groups);
    if (alarms->origin)
        alarms->origin(alarms->origin_user, body, wall, origin, sizeof origin);
    const bool both = groups[0] && origin[0], any = groups[0] || origin[0];
    snprintf(text, SCREE_ALARM_SIDE, "%s %llu%s%s%s%s%s", body.value > 0 ? "body" : "wall",
             (unsigned long long)(body.value > 0 ? body.value : wall.value), any ? " (" : "", groups,
             both ? ", " : "", origin, any ? ")" : "");
}

static bool is_side(const struct scree_uncovered *pair, int side, const struct scree_alarm_overlap *largest,
                    int other)
{
    return pair->body[side] == largest->body[other] && pair->part[side] == largest->part[other];
}

// The bond that excluded a contact until this step; 0 for none.
static uint64_t bond_that_excluded(const struct scree_world *world, const struct scree_alarm_overlap *largest)
{
    uint64_t bond = 0;
    for (size_t k = 0; k < world->uncovered.count; ++k) {
        const struct scree_uncovered *pair = &world->uncovered.data[k];
        const bool same = is_side(pair, 0, largest, 0) && is_side(pair, 1, largest, 1),
                   crossed = is_side(pair, 0, largest, 1) && is_side(pair, 1, largest, 0);
        if (pair->wall == largest->wall && (same || crossed))
            bond = pair->bond;
    }
    return bond;
}

void scree_alarm_text_overlap(const struct scree_soft *soft, const struct scree_alarm *alarm,
                              const struct scree_alarm_overlap *largest, char text[SCREE_ALARM_ADVICE])
{
    // in an impact of given energy the overlap is proportional to stiffness^(-2/5) by Hertz, ^(-1/2) if
    // linear. The overlap still grows when it passes the limit, so at least twice the stiffness is advised
    const double ratio = alarm->value / alarm->limit, power = ratio * ratio * sqrt(ratio),
                 stiffer = power > 2 ? power : 2;
    const uint64_t bond = bond_that_excluded(soft->world, largest);
    char step[120];
    if (bond > 0) {
        snprintf(text, SCREE_ALARM_ADVICE,
                 "bond %llu excluded their contact until it broke or was removed, and hid an overlap of %.3g "
                 "m. Bond grains whose overlap is below the limit, or let the contact act besides the bond "
                 "(`touching: allowed`)",
                 (unsigned long long)bond, largest->overlap);
        return;
    }
    if (alarm->step == 0) {
        snprintf(text, SCREE_ALARM_ADVICE,
                 "they were created with an overlap of %.3g m: move them apart, or make them smaller",
                 largest->overlap);
        return;
    }
    if (soft->control.automatic)
        snprintf(step, sizeof step, "a smaller 'safety' than %g (the step is %.3g s)", soft->safety,
                 soft->step);
    else
        snprintf(step, sizeof step, "a shorter step than %.3g s", soft->step);
    snprintf(
        text, SCREE_ALARM_ADVICE,
        "they were created with an overlap, or the contact is too soft for the load on it. Try a 'young' or "
        "'stiffness' at least %.2g times as large, a lower load or speed, or %s",
        stiffer, step);
}
