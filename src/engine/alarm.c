// Alarms, see alarm.h: limits, search for the body to name, messages.

#include "engine/alarm.h"

#include "engine/alarm_text.h"
#include "engine/critical_step.h"
#include "engine/half_kick.h"
#include "engine/soft.h"
#include "shape/surface.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/wall.h"
#include "world/wall_faces.h"
#include "world/wall_shape.h"

#include <scree/energy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    enum scree_alarm_policy policy;
} kinds[SCREE_ALARM_KINDS] = {
    [SCREE_ALARM_NUMBER] = {"number", SCREE_ALARM_STOP},
    [SCREE_ALARM_OVERLAP] = {"overlap", SCREE_ALARM_STOP},
    [SCREE_ALARM_STEP] = {"step", SCREE_ALARM_STOP},
    [SCREE_ALARM_DISPLACEMENT] = {"displacement", SCREE_ALARM_STOP},
    [SCREE_ALARM_ENERGY] = {"energy", SCREE_ALARM_WARN},
    [SCREE_ALARM_OUTSIDE] = {"outside", SCREE_ALARM_IGNORE},
    [SCREE_ALARM_FACE] = {"face", SCREE_ALARM_STOP},
    [SCREE_ALARM_BOND] = {"bond", SCREE_ALARM_STOP},
    [SCREE_ALARM_COLLAPSE] = {"collapse", SCREE_ALARM_STOP},
};

const char *scree_alarm_name(enum scree_alarm_kind kind)
{
    return (unsigned)kind < SCREE_ALARM_KINDS ? kinds[kind].name : NULL;
}

static scree_status check_limit(const char *name, double limit)
{
    if (limit >= 0 && limit <= 1e150)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the limit of the alarm '%s' must be positive, or 0 for the default; got %g",
                             name, limit);
}

scree_status scree_alarm_read(const struct scree_alarms *def, struct scree_alarm_watch *watch)
{
    SCREE_TRY(check_limit("overlap", def->overlap));
    SCREE_TRY(check_limit("displacement", def->displacement));
    SCREE_TRY(check_limit("energy", def->energy));
    *watch = (struct scree_alarm_watch){.def = *def};
    watch->def.overlap = def->overlap > 0 ? def->overlap : 0.2;
    watch->def.displacement = def->displacement > 0 ? def->displacement : 0.5;
    for (int k = 0; k < SCREE_ALARM_KINDS; ++k) {
        enum scree_alarm_policy *policy = &watch->def.policy[k];
        if ((unsigned)*policy > SCREE_ALARM_IGNORE)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the policy of the alarm '%s' must be stop, warn or ignore; got number %d", kinds[k].name,
                (int)*policy);
        if (*policy == SCREE_ALARM_DEFAULT)
            *policy = kinds[k].policy;
    }
    return SCREE_OK;
}

// Components of the field: the largest scale of energies so far, the balance at the first check, and 1 after
// this check. The field is not part of the digest, because the time of the first check depends on earlier
// alarms.
enum { SCALE, BALANCE, CHECKED, COMPONENTS };

static const struct scree_field_def energy_watch = {
    .name = "energy_watch",
    .type = SCREE_F64,
    .width = COMPONENTS,
    .unit = "J",
    .level = SCREE_ON_STEP,
    .flags = SCREE_OWNED,
    .about = "Reference for the drift of energies: largest scale of "
             "energies, balance at the first check, 1 after it."};

scree_status scree_alarm_begin(struct scree_soft *soft)
{
    struct scree_entity *engine = scree_world_entity(soft->world, SCREE_ENTITY_ENGINE);
    struct scree_alarm_watch *watch = &soft->watch;
    watch->column = UINT32_MAX;
    if (!(watch->def.energy > 0) || watch->def.policy[SCREE_ALARM_ENERGY] == SCREE_ALARM_IGNORE)
        return SCREE_OK;
    const struct scree_field *field = scree_registry_field(engine, energy_watch.name);
    if (!field)
        return scree_registry_extend(engine, &energy_watch, &watch->column);
    watch->column = field->column;
    return SCREE_OK;
}

bool scree_alarm_is_active(const struct scree_alarm_watch *watch, enum scree_alarm_kind kind)
{
    const enum scree_alarm_policy policy = watch->def.policy[kind];
    return policy == SCREE_ALARM_STOP ? !watch->stopped : policy == SCREE_ALARM_WARN && !watch->raised[kind];
}

void scree_alarm_reset(struct scree_alarm_watch *watch)
{
    memset(watch->raised, 0, sizeof watch->raised);
    watch->stopped = false;
}

void scree_alarm_raise(struct scree_alarm_watch *watch, struct scree_alarm *alarm, const char *format, ...)
{
    char message[1100], text[sizeof watch->text];
    va_list values;
    va_start(values, format);
    scree_status_format(message, sizeof message, format, values);
    va_end(values);
    snprintf(text, sizeof text, "alarm '%s' in step %llu, at %g s: %s", kinds[alarm->kind].name,
             (unsigned long long)alarm->step, alarm->time, message);
    alarm->policy = watch->def.policy[alarm->kind];
    alarm->text = text;
    watch->raised[alarm->kind] = true;
    if (alarm->policy == SCREE_ALARM_STOP) {
        watch->stopped = true;
        memcpy(watch->text, text, sizeof text);
    }
    if (watch->def.function)
        watch->def.function(watch->def.user, alarm);
    alarm->text = NULL;
}

struct scree_alarm scree_alarm_now(const struct scree_soft *soft, enum scree_alarm_kind kind)
{
    const struct scree_clock *clock = scree_world_clock(soft->world);
    return (struct scree_alarm){.kind = kind, .step = clock->steps, .time = clock->time};
}

// An alarm during the motion of a step: the clock still has the time before this step.
static struct scree_alarm alarm_of_move(const struct scree_soft *soft, enum scree_alarm_kind kind)
{
    struct scree_alarm alarm = scree_alarm_now(soft, kind);
    ++alarm.step;
    alarm.time += soft->mover.step.h;
    return alarm;
}

uint64_t scree_alarm_body_id(const struct scree_soft *soft, size_t slot)
{
    return scree_world_ids(soft->world)[scree_world_grains(soft->world)[slot].owner];
}

static void raise_number(struct scree_soft *soft)
{
    struct scree_alarm alarm = alarm_of_move(soft, SCREE_ALARM_NUMBER);
    const struct scree_grain *grain = scree_world_grains(soft->world), *found = NULL;
    for (size_t i = 0; i < scree_world_bodies(soft->world); ++i)
        if (!scree_half_kick_is_finite(&grain[i]) &&
            (!found || scree_alarm_body_id(soft, i) < alarm.body[0].value)) {
            found = &grain[i];
            alarm.body[0].value = scree_alarm_body_id(soft, i);
        }
    alarm.value = (double)NAN;
    if (found)
        scree_alarm_raise(
            &soft->watch, &alarm,
            "the position, velocity or spin of body %llu is not a finite number: the step of %g s may be "
            "too long for the forces on it, or a load function returned such a number",
            (unsigned long long)alarm.body[0].value, soft->mover.step.h);
    else
        scree_alarm_raise(
            &soft->watch, &alarm,
            "a body crossed more periods of the cell than can be counted: it is too fast for the "
            "step of %g s",
            soft->mover.step.h);
}

static double speed_of(const struct scree_grain *grain)
{
    const double *v = grain->velocity;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void scree_alarm_position_before(const struct scree_grain *grain, double time, double *position)
{
    for (int k = 0; k < 3; ++k)
        position[k] = grain->position[k] - time * grain->velocity[k];
}

// The motion of a grain's centre relative to a wall.
struct passage {
    double gap;      // from the wall at the end, negative beyond it
    double approach; // decrease of the gap
    bool passed;     // the centre is now on the other side, or inside a solid
};

static struct passage relative_motion(const struct scree_wall *wall, unsigned feature, const double *before,
                                      const double *after)
{
    struct scree_surface_touch old, now;
    scree_surface_touch(wall, feature, before, &old);
    scree_surface_touch(wall, feature, after, &now);
    double cosine = 0, square = 0;
    for (int k = 0; k < 3; ++k) {
        cosine += old.normal[k] * now.normal[k];
        square += (after[k] - before[k]) * (after[k] - before[k]);
    }
    const bool turned = cosine < 0 && fabs(old.gap) + fabs(now.gap) <= sqrt(square) * (1 + 1e-9);
    const double gap = turned ? -fabs(now.gap) : now.gap;
    return (struct passage){gap, old.gap - gap, turned || (old.gap > 0 && now.gap < 0)};
}

static uint64_t wall_id_of(const struct scree_soft *soft, size_t slot)
{
    return scree_entity_ids(scree_world_entity(soft->world, SCREE_ENTITY_WALL))[slot];
}

// Id of the wall that a grain went through in the step, 0 for none, and its facet.
static uint64_t find_wall_passed(const struct scree_soft *soft, const struct scree_grain *grain,
                                 char facet[SCREE_ALARM_FACET])
{
    const double path = soft->mover.step.h * speed_of(grain) * (1 + 1e-9);
    double before[3];
    scree_alarm_position_before(grain, soft->mover.step.h, before);
    for (size_t w = 0; w < scree_wall_rows(soft->world); ++w) {
        const struct scree_wall *wall = scree_wall_row(soft->world, w);
        struct scree_surface_query query;
        unsigned f;
        scree_surface_query_begin(&query, wall, grain->position, path);
        while (scree_surface_query_next(&query, &f))
            if (relative_motion(wall, f, before, grain->position).passed) {
                scree_alarm_text_facet(soft, w, f, facet);
                return wall_id_of(soft, w);
            }
    }
    return 0;
}

static void raise_displacement(struct scree_soft *soft)
{
    const double h = soft->mover.step.h;
    struct scree_alarm alarm = alarm_of_move(soft, SCREE_ALARM_DISPLACEMENT);
    const struct scree_grain *found = NULL;
    alarm.limit = alarm.value = soft->watch.def.displacement;
    for (size_t i = 0; i < scree_world_bodies(soft->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(soft->world)[i];
        const double ratio =
            grain->radius > 0 ? h * scree_drift_speed(&soft->mover.drift, grain) / grain->radius : 0;
        if (ratio > alarm.value ||
            (found && ratio == alarm.value && scree_alarm_body_id(soft, i) < alarm.body[0].value)) {
            found = grain;
            alarm.value = ratio;
            alarm.body[0].value = scree_alarm_body_id(soft, i);
        }
    }
    if (!found)
        return;
    char passed[64 + SCREE_ALARM_FACET] = "", facet[SCREE_ALARM_FACET] = "";
    alarm.wall.value = find_wall_passed(soft, found, facet);
    if (alarm.wall.value > 0)
        snprintf(passed, sizeof passed, " and went through wall %llu%s", (unsigned long long)alarm.wall.value,
                 facet);
    scree_alarm_raise(
        &soft->watch, &alarm,
        "the displacement of body %llu in a step is %g of its radius%s; the limit is %g: use a step "
        "of at most %g s, or find the cause of its speed",
        (unsigned long long)alarm.body[0].value, alarm.value, passed, alarm.limit,
        h * alarm.limit / alarm.value);
}

scree_status scree_alarm_after_move(struct scree_soft *soft)
{
    if (!(soft->mover.fastest <= (double)INFINITY)) {
        if (scree_alarm_is_active(&soft->watch, SCREE_ALARM_NUMBER))
            raise_number(soft);
    } else if (soft->mover.far && scree_collider_has_contacts(&soft->collider) &&
               scree_alarm_is_active(&soft->watch, SCREE_ALARM_DISPLACEMENT)) {
        raise_displacement(soft);
    }
    return SCREE_OK;
}

// The displacements of pebbles are those of their velocities: an edit of a position is not a displacement.
static void raise_pebble_displacement(struct scree_soft *soft)
{
    const struct scree_world *world = soft->world;
    const double h = soft->mover.step.h;
    struct scree_alarm alarm = scree_alarm_now(soft, SCREE_ALARM_DISPLACEMENT);
    const struct scree_grain *found = NULL;
    alarm.limit = alarm.value = soft->watch.def.displacement;
    for (size_t g = scree_world_bodies(world); g < scree_grain_count(world); ++g) {
        const struct scree_grain *grain = &scree_world_grains(world)[g];
        const double ratio = h * speed_of(grain) / grain->radius;
        const uint64_t id = scree_alarm_body_id(soft, g);
        const bool first =
            found && (id < alarm.body[0].value || (id == alarm.body[0].value && grain->part < found->part));
        if (ratio > alarm.value || (ratio == alarm.value && first)) {
            found = grain;
            alarm.value = ratio;
            alarm.body[0].value = id;
        }
    }
    if (found)
        scree_alarm_raise(
            &soft->watch, &alarm,
            "the displacement of pebble %u of body %llu in a step is %g of its radius; the limit is "
            "%g: use a step of at most %g s, or find the cause of its speed",
            (unsigned)found->part, (unsigned long long)alarm.body[0].value, alarm.value, alarm.limit,
            h * alarm.limit / alarm.value);
}

// Displacements of pebbles are known when their records have been updated; those of bodies without pebbles
// have been checked by scree_alarm_after_move.
scree_status scree_alarm_after_pebbles(struct scree_soft *soft)
{
    const bool far = soft->mover.step.h * soft->world->carried_rate > soft->watch.def.displacement;
    if (far && scree_grain_carried(soft->world) > 0 && scree_collider_has_contacts(&soft->collider) &&
        scree_alarm_is_active(&soft->watch, SCREE_ALARM_DISPLACEMENT))
        raise_pebble_displacement(soft);
    scree_alarm_thin_check(soft);
    return SCREE_OK;
}

// The largest displacement of a wall towards a grain that it touches now or has passed.
struct wall_approach {
    double ratio; // approach / radius
    uint64_t body, wall;
    bool passed;
    size_t wall_slot;
    unsigned feature;
};

static void check_approach(const struct scree_soft *soft, size_t slot, size_t wall_slot,
                           struct wall_approach *largest)
{
    const double h = soft->mover.step.h;
    const struct scree_grain *grain = &scree_world_grains(soft->world)[slot];
    const struct scree_wall *wall = scree_wall_row(soft->world, wall_slot);
    double before[3];
    scree_alarm_position_before(grain, h, before);
    scree_vec3_store(scree_wall_move_point(wall, h, scree_vec3_load(before)), before);
    const struct scree_vec3 path = scree_vec3_sub(scree_vec3_load(grain->position), scree_vec3_load(before));
    const double range = scree_real_max(grain->radius, scree_vec3_norm(path) * (1 + 1e-9));
    struct scree_surface_query query;
    unsigned f;
    scree_surface_query_begin(&query, wall, grain->position, range);
    while (scree_surface_query_next(&query, &f)) {
        const struct passage passage = relative_motion(wall, f, before, grain->position);
        const double ratio = passage.approach / grain->radius;
        const bool first = ratio > largest->ratio ||
                           (ratio == largest->ratio && scree_alarm_body_id(soft, slot) < largest->body);
        if (passage.gap < grain->radius && first)
            *largest = (struct wall_approach){ratio,
                                              scree_alarm_body_id(soft, slot),
                                              wall_id_of(soft, wall_slot),
                                              passage.passed,
                                              wall_slot,
                                              f};
    }
}

static void raise_wall_displacement(struct scree_soft *soft)
{
    const struct scree_search *search = &soft->collider.search;
    const double h = soft->mover.step.h;
    struct scree_alarm alarm = scree_alarm_now(soft, SCREE_ALARM_DISPLACEMENT);
    struct wall_approach largest = {.ratio = soft->watch.def.displacement};
    for (size_t w = 0; w < scree_wall_rows(soft->world); ++w) {
        const struct scree_wall *wall = scree_wall_row(soft->world, w);
        const double approach = scree_wall_approach(wall, search->lower, search->upper);
        for (size_t i = 0; approach > 0 && i < scree_grain_count(soft->world); ++i) {
            const struct scree_grain *grain = &scree_world_grains(soft->world)[i];
            if (grain->radius > 0 &&
                h * (approach + speed_of(grain)) > soft->watch.def.displacement * grain->radius &&
                scree_law_class_of(&soft->collider.classes, grain->material, wall->material) !=
                    SCREE_CONTACTS_NO_CLASS)
                check_approach(soft, i, w, &largest);
        }
    }
    if (largest.body == 0)
        return;
    char facet[SCREE_ALARM_FACET];
    scree_alarm_text_facet(soft, largest.wall_slot, largest.feature, facet);
    alarm.body[0].value = largest.body;
    alarm.wall.value = largest.wall;
    alarm.value = largest.ratio;
    alarm.limit = soft->watch.def.displacement;
    scree_alarm_raise(
        &soft->watch, &alarm,
        "wall %llu%s approached body %llu by %g of its radius in a step%s; the limit is %g: use a step "
        "of at most %g s, or move the wall more slowly",
        (unsigned long long)largest.wall, facet, (unsigned long long)largest.body, alarm.value,
        largest.passed ? " and went through it" : "", alarm.limit, h * alarm.limit / alarm.value);
}

static bool lists_are_valid(const struct scree_soft *soft)
{
    return !soft->world->contacts_stale && !scree_search_slots_changed(&soft->collider.search, soft->world);
}

// Largest distance from a wall at which a grain touches it.
static double largest_reach(const struct scree_soft *soft)
{
    double largest = lists_are_valid(soft) ? soft->collider.search.largest_radius : 0;
    for (size_t i = 0; !lists_are_valid(soft) && i < scree_grain_count(soft->world); ++i)
        largest = scree_real_max(largest, scree_world_grains(soft->world)[i].radius);
    return largest + soft->collider.search.range;
}

void scree_alarm_check_faces(struct scree_alarm_watch *watch, const struct scree_world *world, double reach)
{
    const struct scree_clock *clock = scree_world_clock(world);
    struct scree_wall_faces_fault fault;
    for (size_t w = 0; w < scree_wall_rows(world) && scree_grain_count(world) > 0; ++w) {
        char text[SCREE_WALL_FACES_LENGTH];
        if (!scree_wall_faces_find(world, scree_world_cell(world), w, reach, &fault))
            continue;
        struct scree_alarm alarm = {.kind = SCREE_ALARM_FACE, .step = clock->steps, .time = clock->time};
        alarm.wall.value = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[w];
        alarm.limit = reach;
        scree_wall_faces_text(scree_wall_row(world, w), scree_world_cell(world), reach, &fault, text);
        scree_alarm_raise(watch, &alarm, "wall %llu, a %s, %s", (unsigned long long)alarm.wall.value,
                          scree_wall_shape_name(scree_wall_row(world, w)->shape), text);
        return;
    }
}

void scree_alarm_check_soft_faces(struct scree_soft *soft)
{
    if (scree_collider_has_contacts(&soft->collider) && scree_cell_is_periodic(soft->world) &&
        scree_alarm_is_active(&soft->watch, SCREE_ALARM_FACE))
        scree_alarm_check_faces(&soft->watch, soft->world, largest_reach(soft));
}

// If no wall moves, displacements of bodies have been checked by scree_alarm_after_move.
scree_status scree_alarm_after_walls(struct scree_soft *soft)
{
    const struct scree_search *search = &soft->collider.search;
    const double approach = search->wall_displacement + soft->mover.step.h * sqrt(soft->mover.fastest);
    const bool lists_valid = lists_are_valid(soft);
    if (!lists_valid || search->wall_displacement > 0)
        scree_alarm_check_soft_faces(soft);
    if (!scree_collider_has_contacts(&soft->collider) ||
        !scree_alarm_is_active(&soft->watch, SCREE_ALARM_DISPLACEMENT))
        return SCREE_OK;
    if (!lists_valid ||
        (search->wall_displacement > 0 && approach > soft->watch.def.displacement * search->smallest_radius))
        raise_wall_displacement(soft);
    return SCREE_OK;
}

scree_status scree_alarm_after_step(struct scree_soft *soft)
{
    SCREE_TRY(scree_outside_room_check(&soft->collider.crowded));
    scree_alarm_overlap_check(soft);
    soft->world->uncovered.count = 0;
    scree_alarm_bonds_check(soft);
    return SCREE_OK;
}

void scree_alarm_raise_step(struct scree_soft *soft, const struct scree_critical_step_limit *limit)
{
    if (!scree_alarm_is_active(&soft->watch, SCREE_ALARM_STEP))
        return;
    struct scree_alarm alarm = scree_alarm_now(soft, SCREE_ALARM_STEP);
    alarm.body[0].value = limit->body;
    alarm.value = soft->step;
    alarm.limit = limit->stable;
    scree_alarm_raise(
        &soft->watch, &alarm,
        "the time step of %g s is longer than the critical time step, %g s, which is that of body "
        "%llu: use one of %g s, or an automatic one",
        soft->step, limit->stable, (unsigned long long)limit->body,
        scree_critical_step_choose(limit, soft->safety));
}

bool scree_alarm_needs_inspection(const struct scree_alarm_watch *watch)
{
    return (watch->def.energy > 0 && scree_alarm_is_active(watch, SCREE_ALARM_ENERGY)) ||
           scree_alarm_is_active(watch, SCREE_ALARM_OUTSIDE);
}

static scree_status inspect_energy(struct scree_soft *soft)
{
    const struct scree_alarm_watch *watch = &soft->watch;
    double *reference = (double *)scree_world_column(soft->world, SCREE_ENTITY_ENGINE, (int)watch->column);
    struct scree_energy energy;
    SCREE_TRY(scree_energy_get(soft->world, &energy));
    // early in a run the scale is small or zero, so rounding has its own term in the limit
    const double scale = scree_energy_scale(&energy);
    reference[SCALE] = scale > reference[SCALE] ? scale : reference[SCALE];
    if (reference[CHECKED] == 0)
        reference[BALANCE] = energy.balance;
    reference[CHECKED] = 1;
    struct scree_alarm alarm = scree_alarm_now(soft, SCREE_ALARM_ENERGY);
    alarm.value = fabs(energy.balance - reference[BALANCE]);
    alarm.limit = watch->def.energy * reference[SCALE] + scree_energy_rounding(soft->world, &energy);
    if (!(alarm.value <= alarm.limit))
        scree_alarm_raise(
            &soft->watch, &alarm,
            "the energy balance has drifted by %g J; the limit is %g J, %g of the sum of kinetic, stored and "
            "dissipated energy and work: use a shorter step, or an automatic one with a smaller 'safety'",
            alarm.value, alarm.limit, watch->def.energy);
    return SCREE_OK;
}

void scree_alarm_check_outside(struct scree_alarm_watch *watch, const struct scree_world *world)
{
    const struct scree_cell *cell = scree_world_cell(world);
    const struct scree_clock *clock = scree_world_clock(world);
    const uint64_t *id = scree_world_ids(world);
    struct scree_alarm alarm = {.kind = SCREE_ALARM_OUTSIDE, .step = clock->steps, .time = clock->time};
    int axis = 0;
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        for (int k = 0; k < 3; ++k) {
            const double x = scree_world_grains(world)[i].position[k];
            const bool inside = cell->period[k] > 0 || !(cell->lower[k] < cell->upper[k]) ||
                                (x >= cell->lower[k] && x <= cell->upper[k]);
            if (inside || (alarm.body[0].value > 0 && id[i] >= alarm.body[0].value))
                continue;
            axis = k;
            alarm.body[0].value = id[i];
            alarm.value = x;
            alarm.limit = x < cell->lower[k] ? cell->lower[k] : cell->upper[k];
        }
    if (alarm.body[0].value > 0)
        scree_alarm_raise(
            watch, &alarm,
            "body %llu is outside the cell, at %c = %g m, beyond its face at %g m: a wall is missing "
            "or the body went through it, or the cell is too small",
            (unsigned long long)alarm.body[0].value, "xyz"[axis], alarm.value, alarm.limit);
}

scree_status scree_alarm_inspect(struct scree_soft *soft)
{
    if (soft->watch.def.energy > 0 && scree_alarm_is_active(&soft->watch, SCREE_ALARM_ENERGY))
        SCREE_TRY(inspect_energy(soft));
    if (scree_alarm_is_active(&soft->watch, SCREE_ALARM_OUTSIDE))
        scree_alarm_check_outside(&soft->watch, soft->world);
    return SCREE_OK;
}
