// Evaluating bonds, see bond_evaluate.h.

#include "contact/bond_evaluate.h"

#include "contact/bond_side.h"
#include "contact/wall_contacts.h"

// The sides of an entry of the lists, and its state.
struct evaluated {
    const struct scree_bond_entry *entry;
    struct scree_bond_end end[2];
    struct scree_bond_elastic elastic;
    struct scree_bond_rates rates;
    double kept; // 1 - damage
};

static void evaluate(const struct scree_collider *collider, const struct scree_bond_entry *entry,
                     struct evaluated *evaluated)
{
    const struct scree_world *world = collider->world;
    const struct scree_grain *grain = scree_world_grains(world);
    const struct scree_rotor *rotors = scree_world_rotors(world);
    const struct scree_bond_spring *spring = &scree_bond_springs(world)[entry->row];
    struct scree_bond_end *end = evaluated->end;
    evaluated->entry = entry;
    end[0] = scree_bond_side_of_grain(&grain[entry->slot[0]], rotors);
    if (entry->slot[1] != UINT32_MAX) {
        end[1] = scree_bond_side_of_grain(&grain[entry->slot[1]], rotors);
    } else {
        uint32_t wall = 0;
        (void)scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool,
                              scree_bond_sides(world)[entry->row].wall, &wall);
        end[1] = scree_bond_side_of_wall(scree_wall_row(world, wall), &scree_bond_anchors(world)[entry->row]);
    }
    const struct scree_bond_place place = {{end[0].orientation, end[1].orientation},
                                           scree_bond_side_between(&end[0], &end[1], collider->period)};
    evaluated->elastic = scree_bond_law_elastic(spring, &place);
    evaluated->rates = scree_bond_law_rates(spring, &evaluated->elastic, &end[0].motion, &end[1].motion);
}

// Increases the damage, and enters its loss by the trapezoidal rule.
static void damage(struct scree_bond_damage *state, double softening, double ratio, double undamaged)
{
    state->peak = ratio > state->peak ? ratio : state->peak;
    const double next = scree_bond_law_damage(softening, state->peak);
    if (next > state->damage) {
        state->lost += (next - state->damage) * 0.5 * (state->undamaged + undamaged);
        state->damage = next;
    }
}

static void mark_broken(const struct scree_collider *collider, const struct evaluated *evaluated, double mode)
{
    const struct scree_world *world = collider->world;
    const uint32_t row = evaluated->entry->row;
    struct scree_bond_release *release = &scree_bond_releases(world)[row];
    scree_bond_sides(world)[row].broken = (uint16_t)(1 + (int)mode);
    release->energy = evaluated->kept * evaluated->elastic.stored;
    release->power = evaluated->kept * evaluated->rates.power;
    scree_vec3_store(scree_vec3_add(evaluated->end[0].centre, evaluated->elastic.arm[0]), release->point);
}

// Compares stresses with strengths in a step; returns whether the bond breaks.
static bool advance(const struct scree_collider *collider, struct evaluated *evaluated)
{
    const struct scree_world *world = collider->world;
    const uint32_t row = evaluated->entry->row;
    const struct scree_bond_strength *strength =
        scree_bond_strengths(world) ? &scree_bond_strengths(world)[row] : NULL;
    struct scree_bond_damage *state = scree_bond_damages(world) ? &scree_bond_damages(world)[row] : NULL;
    const double undamaged = evaluated->elastic.stored;
    bool breaks = false;
    if (collider->step > 0 && strength && strength->section[0] > 0) {
        const struct scree_bond_ratios ratios = scree_bond_law_ratios(strength, &evaluated->elastic);
        double peak = ratios.largest;
        if (strength->softening > 0) {
            damage(state, strength->softening, ratios.largest, undamaged);
            peak = state->peak;
            evaluated->kept = 1 - state->damage;
        }
        breaks = scree_bond_law_breaks(strength->softening, peak);
        if (breaks)
            mark_broken(collider, evaluated, ratios.mode);
    }
    if (state)
        state->undamaged = undamaged;
    return breaks;
}

// The terms of a side, with the sign of its force.
static void fill_terms(const struct evaluated *evaluated, double step, int side, double *terms)
{
    const double kept = evaluated->kept, sign = side == 0 ? kept : -kept,
                 share = evaluated->entry->slot[1] == UINT32_MAX ? 1 : 0.5;
    const struct scree_bond_elastic *elastic = &evaluated->elastic;
    const struct scree_vec3 force =
        scree_vec3_scale(scree_vec3_add(elastic->force, evaluated->rates.force), sign);
    const struct scree_vec3 couple =
        scree_vec3_scale(scree_vec3_add(elastic->couple, evaluated->rates.couple), sign);
    scree_vec3_store(force, &terms[SCREE_TERM_FORCE]);
    scree_vec3_store(scree_vec3_add(scree_vec3_cross(elastic->arm[side], force), couple),
                     &terms[SCREE_TERM_MOMENT]);
    terms[SCREE_TERM_FRICTION] = terms[SCREE_TERM_INTERNAL] = 0;
    terms[SCREE_TERM_DASHPOT] = share * step * kept * evaluated->rates.loss;
}

// Work of a moving wall on the grain in the step, at the current power.
static void enter_work(const struct scree_collider *collider, const struct evaluated *evaluated)
{
    const struct scree_bond_one one = {.end = {evaluated->end[0], evaluated->end[1]},
                                       .elastic = evaluated->elastic,
                                       .rates = evaluated->rates,
                                       .kept = evaluated->kept};
    *scree_wall_contacts_work(collider, evaluated->entry->slot[0]) +=
        collider->step * scree_bond_side_wall_power(&one);
}

void scree_bond_evaluate_tile(struct scree_collider *collider, size_t tile)
{
    struct scree_bond_lists *lists = &collider->bonds;
    const struct scree_world *world = collider->world;
    const struct scree_grain *grain = scree_world_grains(world);
    const struct scree_bond_damage *damages = scree_bond_damages(world);
    for (size_t k = 0; k < lists->count[tile]; ++k) {
        const struct scree_bond_entry *entry = &lists->entry[lists->first[tile] + k];
        struct evaluated evaluated;
        double terms[SCREE_TERMS_ALL];
        evaluate(collider, entry, &evaluated);
        evaluated.kept = damages ? 1 - damages[entry->row].damage : 1;
        lists->broke[tile] += !collider->measure_only && advance(collider, &evaluated);
        for (int s = 0; s < 2 && entry->slot[s] != UINT32_MAX; ++s) {
            fill_terms(&evaluated, collider->step, s, terms);
            if (collider->measures)
                scree_sums_measure_one(&collider->sums, entry->slot[s], terms);
            if (!collider->measure_only)
                scree_sums_add(&collider->sums, &grain[entry->slot[s]], entry->slot[s], entry->sum[s],
                               terms);
        }
        if (entry->slot[1] == UINT32_MAX && collider->walls_move && !collider->measure_only)
            enter_work(collider, &evaluated);
    }
}
