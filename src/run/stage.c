// The stages of a run, see stage.h.

#include "run/stage.h"

#include "base/instant.h"
#include "build/build.h"
#include "measure/column.h"
#include "run/change.h"
#include "run/run.h"

#include <scree/scree.h>

#include <math.h>

// what may stop a stage is looked at in steps divisible by this
enum { STOP_EVERY = 64 };

// --- what a stage changes

static scree_status change_gravity(struct scree_run *run, const struct scree_node *map)
{
    double gravity[3];
    if (!scree_reading_vector(run->reading, map, SCREE_KEY_stage_gravity, gravity))
        return SCREE_OK;
    return scree_reading_note(run->reading, scree_reading_node(map, SCREE_KEY_stage_gravity),
                              scree_world_set_gravity(run->world, gravity));
}

static scree_status change_damping(struct scree_run *run, const struct scree_node *map)
{
    struct scree_damping damping = {0};
    scree_build_engine_damping(run->reading, scree_reading_node(map, SCREE_KEY_stage_damping), &damping);
    return scree_reading_note(run->reading, scree_reading_node(map, SCREE_KEY_stage_damping),
                              scree_soft_set_damping(run->engine, &damping));
}

static scree_status change_contacts(struct scree_run *run, const struct scree_node *map)
{
    SCREE_TRY(scree_interaction_clear(run->world));
    return scree_build_contacts(run->reading, run->world, scree_reading_node(map, SCREE_KEY_stage_contacts));
}

static scree_status change_materials(struct scree_run *run, const struct scree_node *map)
{
    return scree_build_change(run->reading, run->world, scree_reading_node(map, SCREE_KEY_stage_materials));
}

static scree_status change_engine(struct scree_run *run, const struct scree_node *map)
{
    const struct scree_node *engine = scree_reading_node(map, SCREE_KEY_stage_engine);
    double step = 0, safety = 0;
    scree_build_engine_step(run->reading, engine, &step, &safety);
    SCREE_TRY(scree_reading_note(run->reading, engine, scree_soft_set_safety(run->engine, safety)));
    return scree_reading_note(run->reading, engine, scree_soft_set_step(run->engine, step));
}

static scree_status change_walls(struct scree_run *run, const struct scree_node *map)
{
    return scree_change_walls(run->reading, run->world, scree_reading_node(map, SCREE_KEY_stage_walls));
}

static scree_status change_bodies(struct scree_run *run, const struct scree_node *map)
{
    return scree_change_bodies(run->reading, run->world, scree_reading_node(map, SCREE_KEY_stage_bodies),
                               run->traffic.stages);
}

// What stands under a key of a stage. A run that goes on from a checkpoint has what the world keeps with it,
// and an engine that was made as it is at that stage.
static const struct {
    enum scree_key_id key;
    scree_status (*change)(struct scree_run *run, const struct scree_node *map);
} changes[] = {
    {SCREE_KEY_stage_gravity, change_gravity},   {SCREE_KEY_stage_damping, change_damping},
    {SCREE_KEY_stage_walls, change_walls},       {SCREE_KEY_stage_bodies, change_bodies},
    {SCREE_KEY_stage_contacts, change_contacts}, {SCREE_KEY_stage_materials, change_materials},
    {SCREE_KEY_stage_engine, change_engine},
};

enum { CHANGES = sizeof changes / sizeof changes[0] };

scree_status scree_stage_change(struct scree_run *run, const struct scree_node *map)
{
    for (size_t c = 0; c < CHANGES; ++c)
        if (scree_reading_has(map, changes[c].key))
            SCREE_TRY(changes[c].change(run, map));
    return SCREE_OK;
}

// Mistakes are told at their place, and end the run.
static scree_status change(struct scree_run *run, const struct scree_node *map)
{
    SCREE_TRY(scree_stage_change(run, map));
    if (scree_reading_has(map, SCREE_KEY_stage_remove))
        SCREE_TRY(scree_traffic_clear(run, scree_reading_node(map, SCREE_KEY_stage_remove)));
    return run->reading->complaints.all == 0 ? SCREE_OK : SCREE_ERROR_ARGUMENT;
}

// --- its ends

const struct scree_node *scree_stage_find(const struct scree_reading *reading, size_t number)
{
    const struct scree_node *stages = scree_reading_node(reading->root, SCREE_KEY_scene_run);
    return stages->kind == SCREE_NODE_LIST ? stages->item[number - 1] : stages;
}

size_t scree_stage_count(const struct scree_reading *reading)
{
    const struct scree_node *stages = scree_reading_node(reading->root, SCREE_KEY_scene_run);
    return !stages ? 0 : stages->kind == SCREE_NODE_LIST ? stages->count : 1;
}

// Where it is asked for that a run ends at a time, its last stage goes on until then, and no other beyond.
static void bound(const struct scree_run *run, struct scree_stage *stage)
{
    const double until = run->def->until;
    if (until > 0 && stage->number == stage->count) {
        stage->end = until;
        stage->last_step = UINT64_MAX;
    } else if (until > 0 && until < stage->end) {
        stage->end = until;
    }
}

bool scree_stage_read(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_scene_stage *ends)
{
    *ends = (struct scree_scene_stage){.may_stop = scree_reading_has(map, SCREE_KEY_stage_stop)};
    if (scree_reading_has(map, SCREE_KEY_stage_steps))
        return scree_reading_whole(reading, map, SCREE_KEY_stage_steps, &ends->steps);
    if (scree_reading_has(map, SCREE_KEY_stage_time))
        return scree_reading_number(reading, map, SCREE_KEY_stage_time, &ends->time);
    return scree_reading_number(reading, map, SCREE_KEY_stage_until, &ends->until);
}

// What the stages after this one take.
static scree_status read_rest(struct scree_run *run)
{
    struct scree_stage *stage = &run->stage;
    for (size_t s = stage->number + 1; s <= stage->count; ++s) {
        struct scree_scene_stage ends;
        if (!scree_stage_read(run->reading, scree_stage_find(run->reading, s), &ends))
            return SCREE_ERROR_ARGUMENT;
        if (ends.until > 0) {
            stage->rest_until = ends.until;
            stage->rest_time = stage->rest_steps = 0;
        }
        stage->rest_time += ends.time;
        stage->rest_steps += (double)ends.steps;
    }
    return SCREE_OK;
}

static scree_status read_ends(struct scree_run *run, const struct scree_node *map)
{
    struct scree_stage *stage = &run->stage;
    struct scree_scene_stage ends;
    if (!scree_stage_read(run->reading, map, &ends))
        return SCREE_ERROR_ARGUMENT;
    const bool counts = scree_reading_has(map, SCREE_KEY_stage_steps);
    const bool lasts = scree_reading_has(map, SCREE_KEY_stage_time);
    stage->end = counts ? (double)INFINITY : lasts ? stage->start + ends.time : ends.until;
    stage->last_step = counts ? stage->first_step + ends.steps : UINT64_MAX;
    stage->may_stop = ends.may_stop;
    if (stage->may_stop) {
        if (!scree_gauge_comparison(run->reading, scree_reading_node(map, SCREE_KEY_stage_stop),
                                    &scree_key_rows[SCREE_KEY_stage_stop], &stage->stop))
            return SCREE_ERROR_ARGUMENT;
        SCREE_TRY(scree_gauge_bind(run->reading, run->world, &stage->stop.text));
    }
    bound(run, stage);
    return read_rest(run);
}

scree_status scree_stage_begin(struct scree_run *run, size_t number)
{
    const struct scree_node *map = scree_stage_find(run->reading, number);
    run->stage = (struct scree_stage){.number = number,
                                      .count = scree_stage_count(run->reading),
                                      .start = scree_world_time(run->world),
                                      .first_step = scree_world_steps(run->world)};
    SCREE_TRY(change(run, map));
    return read_ends(run, map);
}

scree_status scree_stage_resume(struct scree_run *run, size_t number, double start, uint64_t first_step)
{
    run->stage = (struct scree_stage){
        .number = number, .count = scree_stage_count(run->reading), .start = start, .first_step = first_step};
    return read_ends(run, scree_stage_find(run->reading, number));
}

void scree_stage_limit(const struct scree_run *run, double *time, uint64_t *step)
{
    const struct scree_stage *stage = &run->stage;
    const uint64_t steps = scree_world_steps(run->world), look = steps + STOP_EVERY - steps % STOP_EVERY;
    *time = stage->end < *time ? stage->end : *time;
    *step = stage->last_step < *step ? stage->last_step : *step;
    if (stage->may_stop)
        *step = look < *step ? look : *step;
}

scree_status scree_stage_is_over(const struct scree_run *run, bool *over)
{
    const struct scree_stage *stage = &run->stage;
    const uint64_t steps = scree_world_steps(run->world);
    double value;
    *over = steps >= stage->last_step || scree_instant_has_come(scree_world_time(run->world), stage->end);
    // not before the first step: what begins at rest would be over
    if (*over || !stage->may_stop || steps % STOP_EVERY != 0 || steps == stage->first_step)
        return SCREE_OK;
    SCREE_TRY(scree_column_measure(run->world, &stage->stop.text.gauge, 1, &value));
    // what is the limit but for rounding is not beyond it
    const double limit = stage->stop.limit;
    *over = stage->stop.below ? value < limit && !scree_instant_has_come(value, limit)
                              : value > limit && !scree_instant_has_come(limit, value);
    return SCREE_OK;
}

// When the run ends, should the present stage end at a time.
static double final_time(const struct scree_run *run, double end, double step)
{
    const struct scree_stage *stage = &run->stage;
    if (run->def->until > 0)
        return run->def->until;
    return (stage->rest_until > end ? stage->rest_until : end) + stage->rest_time + stage->rest_steps * step;
}

scree_status scree_stage_share(const struct scree_run *run, bool over, double *stage, double *whole,
                               double *steps)
{
    const struct scree_stage *own = &run->stage;
    const bool counts = own->last_step != UINT64_MAX, last = own->number == own->count;
    const double time = scree_world_time(run->world), now = (double)scree_world_steps(run->world);
    const double all = counts ? (double)(own->last_step - own->first_step) : own->end - own->start;
    const double left = over ? 0 : counts ? (double)own->last_step - now : own->end - time;
    double step = 1;
    *stage = all > 0 && left > 0 ? 1 - left / all : 1;
    *whole = *stage;
    *steps = left > 0 ? left : 0;
    if (counts && own->count == 1)
        return SCREE_OK;
    SCREE_TRY(scree_soft_step(run->engine, &step));
    const double rest = final_time(run, time + (counts ? *steps * step : *steps), step) - time;
    const double done = time - run->began;
    *whole = (over && last) || !(rest > 0) ? 1 : done / (done + rest);
    *steps = *whole < 1 ? rest / step : 0;
    return SCREE_OK;
}
