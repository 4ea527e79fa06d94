// Step control, see step_control.h.

#include "engine/step_control.h"

#include "engine/half_kick.h"
#include "engine/refresh.h"
#include "world/body.h"
#include "world/entity.h"
#include "world/grain.h"
#include "world/wall.h"

#include <scree/bond.h>

#include <math.h>

#define NO_COLUMN UINT32_MAX

static const struct scree_field_def chosen_step = {.name = "chosen_step",
                                                   .type = SCREE_F64,
                                                   .width = 1,
                                                   .unit = "s",
                                                   .level = SCREE_ON_STEP,
                                                   .flags = SCREE_PERSISTED | SCREE_OWNED,
                                                   .about =
                                                       "Automatic time step; 0 if it must be chosen again."};

// The column of the automatic step, if an earlier engine has added it.
static uint32_t find_column(const struct scree_world *world)
{
    const struct scree_field *field =
        scree_registry_field(scree_world_entity(world, SCREE_ENTITY_ENGINE), chosen_step.name);
    return field ? field->column : NO_COLUMN;
}

static double *stored_step(const struct scree_soft *soft)
{
    return (double *)scree_world_column(soft->world, SCREE_ENTITY_ENGINE, (int)soft->control.column);
}

// Fails if a step is smaller than the distance between neighbouring floating-point numbers at the present
// time.
static scree_status check_resolution(const struct scree_soft *soft, double step)
{
    const double time = scree_world_time(soft->world), least = fabs(time) * 0x1p-52;
    if (step >= least)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "a time step of %g s is too short to change the time, %g s, whose numbers have a "
        "resolution of %.2g s: use a longer step",
        step, time, least);
}

static scree_status check_step(const struct scree_soft *soft, double step)
{
    if (step > 0 && step <= 1e150)
        return check_resolution(soft, step);
    if (step == 0 && scree_world_has_contacts(soft->world))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the time step must be positive and at most 1e150 s; got %g%s", step,
                             step == 0 ? ": an automatic step needs a contact law or bonds" : "");
}

scree_status scree_step_control_set(struct scree_soft *soft, double step)
{
    struct scree_step_control *control = &soft->control;
    SCREE_TRY(check_step(soft, step));
    if (control->column == NO_COLUMN && step == 0)
        SCREE_TRY(scree_registry_extend(scree_world_entity(soft->world, SCREE_ENTITY_ENGINE), &chosen_step,
                                        &control->column));
    if (control->column != NO_COLUMN)
        *stored_step(soft) = 0;
    control->automatic = step == 0;
    control->due = true;
    control->measured = 0;
    soft->step = step;
    return SCREE_OK;
}

scree_status scree_step_control_set_safety(struct scree_soft *soft, double safety)
{
    if (safety != 0 && !(safety >= 1e-9 && safety <= 1))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the safety factor of the step must be from 1e-9 to 1, or 0 for the default; got %g", safety);
    soft->safety = safety > 0 ? safety : SCREE_SOFT_SAFETY;
    return SCREE_OK;
}

scree_status scree_step_control_begin(struct scree_soft *soft, const struct scree_soft_def *def)
{
    struct scree_step_control *control = &soft->control;
    SCREE_TRY(scree_step_control_set_safety(soft, def->safety));
    control->column = find_column(soft->world);
    const double stored = control->column != NO_COLUMN ? *stored_step(soft) : 0;
    SCREE_TRY(scree_step_control_set(soft, def->step));
    if (control->automatic)
        soft->step = *stored_step(soft) = stored;
    return SCREE_OK;
}

void scree_step_control_end(struct scree_soft *soft)
{
    scree_critical_step_free(&soft->control.critical);
}

static bool is_checked(const struct scree_soft *soft)
{
    return soft->control.automatic || scree_alarm_is_active(&soft->watch, SCREE_ALARM_STEP);
}

// Returns true if the limit of the step has to be measured.
static bool is_due(const struct scree_soft *soft)
{
    const uint64_t steps = scree_world_clock(soft->world)->steps;
    if (!scree_collider_has_contacts(&soft->collider) || !is_checked(soft))
        return false;
    return soft->control.automatic ? steps % SCREE_CRITICAL_STEP_EVERY == 0 || *stored_step(soft) == 0
                                   : steps % SCREE_CRITICAL_STEP_CHECK_EVERY == 0 || soft->control.due;
}

static bool alarms_are_due(const struct scree_soft *soft)
{
    return scree_world_clock(soft->world)->steps % SCREE_CRITICAL_STEP_EVERY == 0 &&
           scree_alarm_needs_inspection(&soft->watch);
}

bool scree_step_control_is_due(const struct scree_soft *soft)
{
    return alarms_are_due(soft) || is_due(soft);
}

static scree_status measure(struct scree_soft *soft, bool evaluated, struct scree_critical_step_limit *limit)
{
    return scree_critical_step_measure(&soft->control.critical, &soft->collider, evaluated,
                                       soft->control.automatic ? 0 : soft->step, soft->safety, limit);
}

// The automatic step for a limit. Without a limit, for example after all bodies have been removed, the last
// step stays.
static scree_status choose_step(const struct scree_soft *soft, const struct scree_critical_step_limit *limit,
                                double *step)
{
    *step =
        limit->recommended < (double)INFINITY ? scree_critical_step_choose(limit, soft->safety) : soft->step;
    if (*step > 0)
        return check_resolution(soft, *step);
    return scree_status_fail(SCREE_ERROR_STATE, "automatic time step: no body with a free degree of freedom "
                                                "can touch anything: add or free a body, or "
                                                "set 'step'");
}

// Returns true if the contact lists are out of date.
static bool are_lists_stale(const struct scree_soft *soft)
{
    return soft->world->contacts_stale || scree_search_bodies_changed(&soft->collider.search, soft->world);
}

static scree_status measure_now(struct scree_soft *soft, struct scree_critical_step_limit *limit)
{
    struct scree_step_control *control = &soft->control;
    // callbacks since the last search may have added and removed bodies, and contacts are stored by slot
    const bool moved = are_lists_stale(soft);
    if (moved || scree_search_slots_changed(&soft->collider.search, soft->world))
        SCREE_TRY(scree_refresh_search(soft, false));
    scree_grain_update_records(soft->world, 0, &soft->mover.team);
    SCREE_TRY(measure(soft, !moved, limit));
    control->measured = scree_world_clock(soft->world)->steps + 1;
    control->due = false;
    if (!control->automatic)
        return SCREE_OK;
    SCREE_TRY(choose_step(soft, limit, &soft->step));
    *stored_step(soft) = soft->step;
    return SCREE_OK;
}

static bool is_measured(const struct scree_soft *soft)
{
    const struct scree_step_control *control = &soft->control;
    return control->measured == scree_world_clock(soft->world)->steps + 1 &&
           (control->automatic ? *stored_step(soft) > 0 : !control->due);
}

scree_status scree_step_control_start(struct scree_soft *soft)
{
    struct scree_step_control *control = &soft->control;
    struct scree_critical_step_limit limit;
    const bool is_new = control->automatic ? !(*stored_step(soft) > 0) : control->due;
    if (!scree_collider_has_contacts(&soft->collider))
        return control->automatic ? check_step(soft, 0) : SCREE_OK;
    if (!is_new || !is_checked(soft))
        return SCREE_OK;
    SCREE_TRY(measure_now(soft, &limit));
    if (!(soft->step > limit.stable))
        return SCREE_OK;
    if (soft->watch.def.policy[SCREE_ALARM_STEP] == SCREE_ALARM_WARN) {
        scree_alarm_raise_step(soft, &limit);
        return SCREE_OK;
    }
    // check again at the start of the next run
    control->due = true;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "the time step of %g s is longer than the critical time step, %g s, which is that "
        "of body %llu: use one of %g s, or an automatic one",
        soft->step, limit.stable, (unsigned long long)limit.body,
        scree_critical_step_choose(&limit, soft->safety));
}

scree_status scree_step_control_choose(struct scree_soft *soft)
{
    struct scree_critical_step_limit limit;
    if (!scree_step_control_is_due(soft))
        return SCREE_OK;
    const double searched = soft->profile.occasional[SCREE_PROFILE_SEARCH], begun = scree_clock_now();
    const bool alarms_due = alarms_are_due(soft);
    // a check of a given step needs no sync: its limit need not be the same to the last bit
    if (soft->world->pending_step && (soft->control.automatic || alarms_due)) {
        SCREE_TRY(scree_half_kick_sync(&soft->mover));
        scree_refresh_set_levels(soft, false);
    }
    if (!soft->world->pending_step || soft->world->outdated)
        SCREE_TRY(scree_refresh(soft));
    if (is_due(soft) && !is_measured(soft)) {
        SCREE_TRY(measure_now(soft, &limit));
        if (soft->step > limit.stable)
            scree_alarm_raise_step(soft, &limit);
    }
    const scree_status status = alarms_due ? scree_alarm_inspect(soft) : SCREE_OK;
    // searches in between are part of the search time
    scree_profile_add(&soft->profile, SCREE_PROFILE_STEP,
                      begun + (soft->profile.occasional[SCREE_PROFILE_SEARCH] - searched));
    return status;
}

static bool is_edited(const struct scree_soft *soft)
{
    return soft->world->outdated || are_lists_stale(soft);
}

static void require_measurement(struct scree_soft *soft)
{
    soft->control.due = true;
    if (soft->control.automatic)
        *stored_step(soft) = 0;
}

// Returns true if edits since the last check of a given step cannot have lowered the critical step: they
// changed only motion, and velocities stay within the range at that check.
static bool keeps_critical_step(const struct scree_soft *soft)
{
    const struct scree_world *world = soft->world;
    uint32_t slot[SCREE_WORLD_FEW_EDITS];
    size_t count;
    if (soft->control.automatic || are_lists_stale(soft) || !world->edits.motion ||
        !scree_world_list_outdated(world, slot, &count))
        return false;
    bool slower = true;
    for (size_t b = 0; b < count; ++b) {
        double v[3];
        const struct scree_grain *grain = &scree_world_grains(world)[slot[b]];
        scree_vec3_store(scree_body_fluctuation(world, grain, grain->velocity), v);
        for (int k = 0; k < 3; ++k)
            slower = slower && v[k] >= soft->control.critical.min_velocity[k] &&
                     v[k] <= soft->control.critical.max_velocity[k];
    }
    return slower;
}

scree_status scree_step_control_note_edits(struct scree_soft *soft)
{
    if (is_edited(soft) && !keeps_critical_step(soft))
        require_measurement(soft);
    return SCREE_OK;
}

// Updates the contact lists for a query between runs. The next run still treats the state as edited.
static scree_status search_for_query(struct scree_soft *soft)
{
    const bool edited = is_edited(soft), moved = are_lists_stale(soft);
    SCREE_TRY(scree_refresh_search(soft, false));
    if (edited)
        require_measurement(soft);
    soft->world->contacts_stale = moved;
    return SCREE_OK;
}

scree_status scree_step_control_predict(struct scree_soft *soft, double *step)
{
    *step = soft->step;
    if (!soft->control.automatic)
        return SCREE_OK;
    SCREE_TRY(check_step(soft, 0));
    if (!is_edited(soft) && !scree_step_control_is_due(soft))
        return SCREE_OK;
    struct scree_critical_step_limit limit;
    SCREE_TRY(search_for_query(soft));
    SCREE_TRY(measure(soft, false, &limit));
    return choose_step(soft, &limit, step);
}

// Fills in both sides of the contact or impact that bounds the step.
static scree_status fill_sides(const struct scree_world *world,
                               const struct scree_critical_step_limit *measured,
                               const struct scree_critical_step_cause *cause, struct scree_limit *limit)
{
    const uint64_t id[2] = {measured->body, cause->other};
    scree_slot slot;
    limit->wall.value = cause->wall;
    limit->material[1].value = cause->material;
    limit->radius[1] = cause->radius;
    for (int side = 0; side < 2; ++side) {
        if (id[side] == 0)
            continue;
        SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), id[side], &slot));
        limit->body[side].value = id[side];
        limit->material[side].value = scree_world_grains(world)[slot.index].material;
        limit->radius[side] = scree_world_grains(world)[slot.index].radius;
    }
    if (cause->wall > 0) {
        SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), cause->wall, &slot));
        limit->material[1].value = scree_wall_row(world, slot.index)->material;
    }
    return SCREE_OK;
}

scree_status scree_step_control_explain(struct scree_soft *soft, struct scree_limit *limit)
{
    struct scree_critical_step_limit measured;
    struct scree_critical_step_cause cause;
    *limit = (struct scree_limit){.stable = (double)INFINITY};
    if (!scree_collider_has_contacts(&soft->collider))
        return SCREE_OK;
    SCREE_TRY(search_for_query(soft));
    SCREE_TRY(measure(soft, false, &measured));
    scree_critical_step_explain(&soft->control.critical, &soft->collider, false, &measured, &cause);
    limit->stable = measured.stable;
    limit->speed = cause.speed;
    if (!(measured.recommended < (double)INFINITY))
        return SCREE_OK;
    limit->step = scree_critical_step_choose(&measured, soft->safety);
    limit->kind = measured.displacement < soft->safety * measured.recommended ? SCREE_LIMIT_DISPLACEMENT
                  : measured.rayleigh_material > 0                            ? SCREE_LIMIT_WAVE
                  : cause.bond > 0                                            ? SCREE_LIMIT_BOND
                  : cause.is_contact                                          ? SCREE_LIMIT_CONTACT
                                                                              : SCREE_LIMIT_IMPACT;
    if (limit->kind == SCREE_LIMIT_WAVE)
        limit->material[0].value = measured.rayleigh_material;
    if (limit->kind == SCREE_LIMIT_BOND)
        limit->bond.value = cause.bond;
    return limit->kind == SCREE_LIMIT_CONTACT || limit->kind == SCREE_LIMIT_IMPACT ||
                   limit->kind == SCREE_LIMIT_BOND
               ? fill_sides(soft->world, &measured, &cause, limit)
               : SCREE_OK;
}

scree_status scree_step_control_at_rest(struct scree_soft *soft, double *stable)
{
    *stable = (double)INFINITY;
    if (!scree_collider_has_contacts(&soft->collider))
        return SCREE_OK;
    SCREE_TRY(search_for_query(soft));
    return scree_critical_step_at_rest(&soft->control.critical, &soft->collider, soft->step, stable);
}

// Lowers the limit of an expected state to that of the present state, with its bonds.
static scree_status heed_bonds(struct scree_soft *soft, struct scree_critical_step_limit *limit)
{
    struct scree_critical_step_limit present;
    SCREE_TRY(measure(soft, false, &present));
    if (!(present.recommended < limit->recommended))
        return SCREE_OK;
    present.displacement = limit->displacement;
    present.rayleigh_material = 0;
    present.in_bonds = true;
    *limit = present;
    return SCREE_OK;
}

scree_status scree_step_control_foresee(struct scree_soft *soft,
                                        const struct scree_critical_step_expected *expected,
                                        struct scree_critical_step_limit *limit, double *step)
{
    *limit = (struct scree_critical_step_limit){.stable = (double)INFINITY, .recommended = (double)INFINITY};
    *step = soft->step;
    if (!scree_collider_has_contacts(&soft->collider))
        return SCREE_OK;
    SCREE_TRY(search_for_query(soft));
    SCREE_TRY(scree_critical_step_foresee(&soft->control.critical, &soft->collider, expected,
                                          soft->control.automatic ? 0 : soft->step, soft->safety, limit));
    if (scree_bond_count(soft->world) > 0 && (expected->with_bonds || isinf(limit->recommended)))
        SCREE_TRY(heed_bonds(soft, limit));
    if (soft->control.automatic && limit->recommended < (double)INFINITY)
        *step = scree_critical_step_choose(limit, soft->safety);
    return SCREE_OK;
}
