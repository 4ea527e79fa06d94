// The tempo, see step_control.h.

#include "engine/step_control.h"

#include "engine/half_kick.h"
#include "engine/refresh.h"
#include "world/entity.h"
#include "world/grain.h"
#include "world/wall.h"

#include <math.h>

#define NO_COLUMN UINT32_MAX

static const struct scree_field_def row = {.name = "chosen_step",
                                           .type = SCREE_F64,
                                           .width = 1,
                                           .unit = "s",
                                           .level = SCREE_ON_STEP,
                                           .flags = SCREE_PERSISTED | SCREE_OWNED,
                                           .about =
                                               "Time step that the engine has chosen; 0 if it is to choose."};

// The column of the step chosen, where an engine before this one has left it.
static uint32_t find_row(const struct scree_world *world)
{
    const struct scree_field *field =
        scree_registry_field(scree_world_entity(world, SCREE_ENTITY_ENGINE), row.name);
    return field ? field->column : NO_COLUMN;
}

static double *chosen(const struct scree_soft *soft)
{
    return (double *)scree_world_column(soft->world, SCREE_ENTITY_ENGINE, (int)soft->control.column);
}

static scree_status check(const struct scree_soft *soft, double step)
{
    if (step > 0 && step <= 1e150)
        return SCREE_OK;
    if (step == 0 && soft->world->contact_laws > 0)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT, "the time step must be positive and at most 1e150 s; got %g%s", step,
        step == 0 ? ": without contacts nothing tells how long it may be, so it must be given" : "");
}

scree_status scree_step_control_set(struct scree_soft *soft, double step)
{
    struct scree_step_control *control = &soft->control;
    SCREE_TRY(check(soft, step));
    if (control->column == NO_COLUMN && step == 0)
        SCREE_TRY(scree_registry_extend(scree_world_entity(soft->world, SCREE_ENTITY_ENGINE), &row,
                                        &control->column));
    if (control->column != NO_COLUMN)
        *chosen(soft) = 0;
    control->automatic = step == 0;
    control->due = true;
    control->measured = 0;
    soft->step = step;
    return SCREE_OK;
}

scree_status scree_step_control_set_safety(struct scree_soft *soft, double safety)
{
    if (!(safety >= 0 && safety <= 1))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the safety factor of the step must be above 0 and at most 1, or 0 for the default; got %g",
            safety);
    soft->safety = safety > 0 ? safety : 0.1;
    return SCREE_OK;
}

scree_status scree_step_control_begin(struct scree_soft *soft, const struct scree_soft_def *def)
{
    struct scree_step_control *control = &soft->control;
    SCREE_TRY(scree_step_control_set_safety(soft, def->safety));
    control->column = find_row(soft->world);
    const double kept = control->column != NO_COLUMN ? *chosen(soft) : 0;
    SCREE_TRY(scree_step_control_set(soft, def->step));
    if (control->automatic)
        soft->step = *chosen(soft) = kept;
    return SCREE_OK;
}

void scree_step_control_end(struct scree_soft *soft)
{
    scree_critical_step_free(&soft->control.critical);
}

static bool is_checked(const struct scree_soft *soft)
{
    return soft->control.automatic || scree_alarm_heeds(&soft->watch, SCREE_ALARM_STEP);
}

// The step is to be measured.
static bool is_due(const struct scree_soft *soft)
{
    const uint64_t steps = scree_world_clock(soft->world)->steps;
    if (!scree_collider_works(&soft->collider) || !is_checked(soft))
        return false;
    return soft->control.automatic ? steps % SCREE_CRITICAL_STEP_EVERY == 0 || *chosen(soft) == 0
                                   : steps % SCREE_CRITICAL_STEP_CHECKED == 0 || soft->control.due;
}

static bool inspects(const struct scree_soft *soft)
{
    return scree_world_clock(soft->world)->steps % SCREE_CRITICAL_STEP_EVERY == 0 &&
           scree_alarm_inspects(&soft->watch);
}

bool scree_step_control_is_due(const struct scree_soft *soft)
{
    return inspects(soft) || is_due(soft);
}

static scree_status measure(struct scree_soft *soft, bool evaluated, struct scree_critical_step_limit *limit)
{
    return scree_critical_step_measure(&soft->control.critical, &soft->collider, evaluated,
                                       soft->control.automatic ? 0 : soft->step, soft->safety, limit);
}

// What is chosen at this limit. Where all bodies have left, the last choice stays.
static scree_status pick(const struct scree_soft *soft, const struct scree_critical_step_limit *limit,
                         double *step)
{
    const double last = soft->step;
    *step = limit->advice < (double)INFINITY ? scree_critical_step_choose(limit, soft->safety) : last;
    if (*step > 0)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_STATE,
        "nothing tells how long a time step may be, since no body that is free to move or to turn could "
        "touch anything: add one, free one, or give a step");
}

// Whether contacts are to be looked at before the next step.
static bool is_moved(const struct scree_soft *soft)
{
    return soft->world->contacts_stale || scree_search_misses_bodies(&soft->collider.search, soft->world);
}

static scree_status measure_now(struct scree_soft *soft, struct scree_critical_step_limit *limit)
{
    struct scree_step_control *control = &soft->control;
    // callbacks since the last search may have brought and taken bodies, and contacts know slots
    const bool moved = is_moved(soft);
    if (moved || scree_search_misses_rows(&soft->collider.search, soft->world))
        SCREE_TRY(scree_refresh_search(soft, false));
    scree_grain_place(soft->world, 0);
    SCREE_TRY(measure(soft, !moved, limit));
    control->measured = scree_world_clock(soft->world)->steps + 1;
    control->due = false;
    if (!control->automatic)
        return SCREE_OK;
    SCREE_TRY(pick(soft, limit, &soft->step));
    *chosen(soft) = soft->step;
    return SCREE_OK;
}

static bool is_measured(const struct scree_soft *soft)
{
    const struct scree_step_control *control = &soft->control;
    return control->measured == scree_world_clock(soft->world)->steps + 1 &&
           (control->automatic ? *chosen(soft) > 0 : !control->due);
}

scree_status scree_step_control_start(struct scree_soft *soft)
{
    struct scree_step_control *control = &soft->control;
    struct scree_critical_step_limit limit;
    const bool is_new = control->automatic ? !(*chosen(soft) > 0) : control->due;
    if (!scree_collider_works(&soft->collider)) {
        return control->automatic ? check(soft, 0) : SCREE_OK;
    }
    if (!is_new || !is_checked(soft))
        return SCREE_OK;
    SCREE_TRY(measure_now(soft, &limit));
    if (!(soft->step > limit.stable))
        return SCREE_OK;
    if (soft->watch.def.policy[SCREE_ALARM_STEP] == SCREE_ALARM_WARN) {
        scree_alarm_look_at_step(soft, &limit);
        return SCREE_OK;
    }
    // it will be asked for again, should the next run come with it
    control->due = true;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the time step of %g s is longer than %g s, beyond which the contacts of body "
                             "%llu can become unstable: "
                             "take one of %g s, or leave it to be chosen as it goes",
                             soft->step, limit.stable, (unsigned long long)limit.body,
                             scree_critical_step_choose(&limit, soft->safety));
}

scree_status scree_step_control_choose(struct scree_soft *soft)
{
    struct scree_critical_step_limit limit;
    if (!scree_step_control_is_due(soft))
        return SCREE_OK;
    const double searched = soft->profile.rare[SCREE_PROFILE_SEARCH], begun = scree_clock_now();
    // a limit for a step that is given need not be the same to the last bit
    const bool looks = inspects(soft);
    if (soft->world->pending_step && (soft->control.automatic || looks)) {
        SCREE_TRY(scree_half_kick_sync(&soft->mover));
        scree_refresh_levels(soft, false);
    }
    if (!soft->world->pending_step || soft->world->outdated)
        SCREE_TRY(scree_refresh(soft));
    if (is_due(soft) && !is_measured(soft)) {
        SCREE_TRY(measure_now(soft, &limit));
        if (soft->step > limit.stable)
            scree_alarm_look_at_step(soft, &limit);
    }
    const scree_status status = looks ? scree_alarm_inspect(soft) : SCREE_OK;
    // searches on the way are told as such
    scree_profile_add(&soft->profile, SCREE_PROFILE_STEP,
                      begun + (soft->profile.rare[SCREE_PROFILE_SEARCH] - searched));
    return status;
}

static bool is_edited(const struct scree_soft *soft)
{
    return soft->world->outdated || is_moved(soft);
}

static void ask_again(struct scree_soft *soft)
{
    soft->control.due = true;
    if (soft->control.automatic)
        *chosen(soft) = 0;
}

// Whether no edit can have brought contacts closer to what a step bears than they were when it was checked.
static bool is_harmless(const struct scree_soft *soft)
{
    const struct scree_world *world = soft->world;
    uint32_t slot[SCREE_WORLD_FEW];
    size_t count;
    if (soft->control.automatic || is_moved(soft) || !world->edits.motion ||
        !scree_world_few_outdated(world, slot, &count))
        return false;
    bool slow = true;
    for (size_t b = 0; b < count; ++b)
        for (int k = 0; k < 3; ++k) {
            const double v = scree_world_grains(world)[slot[b]].velocity[k];
            slow = slow && v >= soft->control.critical.least[k] && v <= soft->control.critical.most[k];
        }
    return slow;
}

scree_status scree_step_control_note(struct scree_soft *soft)
{
    if (is_edited(soft) && !is_harmless(soft))
        ask_again(soft);
    return SCREE_OK;
}

// A search for somebody who asks between two runs: it takes note of edits, and the next run is still to see
// them.
static scree_status search_aside(struct scree_soft *soft)
{
    const bool edited = is_edited(soft), moved = is_moved(soft);
    SCREE_TRY(scree_refresh_search(soft, false));
    if (edited)
        ask_again(soft);
    soft->world->contacts_stale = moved;
    return SCREE_OK;
}

scree_status scree_step_control_foresee(struct scree_soft *soft, double *step)
{
    *step = soft->step;
    if (!soft->control.automatic)
        return SCREE_OK;
    SCREE_TRY(check(soft, 0));
    if (!is_edited(soft) && !scree_step_control_is_due(soft))
        return SCREE_OK;
    struct scree_critical_step_limit limit;
    SCREE_TRY(search_aside(soft));
    SCREE_TRY(measure(soft, false, &limit));
    return pick(soft, &limit, step);
}

// The sides of what rings fastest.
static scree_status name_sides(const struct scree_world *world,
                               const struct scree_critical_step_limit *measured,
                               const struct scree_critical_step_why *why, struct scree_limit *limit)
{
    const uint64_t id[2] = {measured->body, why->other};
    scree_slot slot;
    limit->wall.value = why->wall;
    limit->material[1].value = why->material;
    limit->radius[1] = why->radius;
    for (int side = 0; side < 2; ++side) {
        if (id[side] == 0)
            continue;
        SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), id[side], &slot));
        limit->body[side].value = id[side];
        limit->material[side].value = scree_world_grains(world)[slot.index].material;
        limit->radius[side] = scree_world_grains(world)[slot.index].radius;
    }
    if (why->wall > 0) {
        SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), why->wall, &slot));
        limit->material[1].value = scree_wall_row(world, slot.index)->material;
    }
    return SCREE_OK;
}

scree_status scree_step_control_explain(struct scree_soft *soft, struct scree_limit *limit)
{
    struct scree_critical_step_limit measured;
    struct scree_critical_step_why why;
    *limit = (struct scree_limit){.stable = (double)INFINITY};
    if (!scree_collider_works(&soft->collider))
        return SCREE_OK;
    SCREE_TRY(search_aside(soft));
    SCREE_TRY(measure(soft, false, &measured));
    scree_critical_step_explain(&soft->control.critical, &soft->collider, false, &measured, &why);
    limit->stable = measured.stable;
    limit->speed = why.speed;
    if (!(measured.advice < (double)INFINITY))
        return SCREE_OK;
    limit->step = scree_critical_step_choose(&measured, soft->safety);
    limit->kind = measured.displacement < soft->safety * measured.advice ? SCREE_LIMIT_DISPLACEMENT
                  : measured.wave > 0                                    ? SCREE_LIMIT_WAVE
                  : why.touches                                          ? SCREE_LIMIT_CONTACT
                                                                         : SCREE_LIMIT_IMPACT;
    if (limit->kind == SCREE_LIMIT_WAVE)
        limit->material[0].value = measured.wave;
    return limit->kind == SCREE_LIMIT_CONTACT || limit->kind == SCREE_LIMIT_IMPACT
               ? name_sides(soft->world, &measured, &why, limit)
               : SCREE_OK;
}

scree_status scree_step_control_ceiling(struct scree_soft *soft, double *stable)
{
    *stable = (double)INFINITY;
    if (!scree_collider_works(&soft->collider))
        return SCREE_OK;
    SCREE_TRY(search_aside(soft));
    return scree_critical_step_ceiling(&soft->control.critical, &soft->collider, soft->step, stable);
}
