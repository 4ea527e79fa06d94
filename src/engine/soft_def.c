// Making a soft engine, and changing it between runs. How it advances is in soft.c.

#include "engine/drag.h"
#include "engine/halves.h"
#include "engine/soft.h"
#include "world/damping.h"

enum { MOST_THREADS = 1024 };

static scree_status check_law(const struct scree_world *world, const struct scree_motion_law *law)
{
    if (law->contacts || world->contact_laws == 0)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_UNSUPPORTED,
        "the law of motion '%s' cannot move bodies that touch, and this world has a contact law: "
        "choose %s",
        law->name, law->kind == SCREE_TRANSLATION ? "'velocity-verlet'" : "'splitting'");
}

// What scree_engine_create hands to begin.
struct choice {
    const struct scree_soft_def *def;
    const struct scree_motion_law *translation, *rotation;
};

static scree_status begin(void *self, struct scree_engine *engine, struct scree_world *world, const void *def)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    const struct choice *choice = (const struct choice *)def;
    SCREE_TRY(scree_damping_check(&choice->def->damping));
    if (choice->def->threads < 0 || choice->def->threads > MOST_THREADS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the number of threads is at most %d, and 0 for all processors; got %d",
                                 MOST_THREADS, choice->def->threads);
    soft->mover.translation = choice->translation;
    soft->mover.rotation = choice->rotation;
    if (!soft->mover.translation)
        SCREE_TRY(scree_motion_find(SCREE_TRANSLATION, choice->def->translation, &soft->mover.translation));
    if (!soft->mover.rotation)
        SCREE_TRY(scree_motion_find(SCREE_ROTATION, choice->def->rotation, &soft->mover.rotation));
    SCREE_TRY(check_law(world, soft->mover.translation));
    SCREE_TRY(check_law(world, soft->mover.rotation));
    soft->engine = engine;
    soft->world = world;
    SCREE_TRY(scree_alarm_read(&choice->def->alarms, &soft->watch));
    SCREE_TRY(scree_tempo_begin(soft, choice->def));
    soft->mover.damping = choice->def->damping;
    soft->mover.team.threads = choice->def->threads;
    SCREE_TRY(scree_mover_begin(&soft->mover, world));
    SCREE_TRY(scree_halves_begin(&soft->mover));
    SCREE_TRY(scree_collider_begin(&soft->collider, &soft->mover));
    if (soft->watch.def.policy[SCREE_ALARM_OVERLAP] != SCREE_ALARM_IGNORE)
        soft->collider.limit = soft->watch.def.overlap;
    scree_drag_begin(&soft->mover);
    world->refuses_pushes = soft->mover.rotation->middle != NULL;
    return SCREE_OK;
}

static void end(void *self, struct scree_world *world)
{
    scree_array_free(&((struct scree_soft *)self)->middle);
    scree_array_free(&((struct scree_soft *)self)->held);
    scree_collider_end(&((struct scree_soft *)self)->collider);
    scree_tempo_end((struct scree_soft *)self);
    world->refuses_pushes = false;
}

static const struct scree_engine_ops ops = {.name = "soft",
                                            .size = sizeof(struct scree_soft),
                                            .begin = begin,
                                            .advance = scree_soft_advance,
                                            .sync = scree_soft_sync,
                                            .end = end};

scree_status scree_soft_create_with(struct scree_world *world, const struct scree_soft_def *def,
                                    const struct scree_motion_law *translation,
                                    const struct scree_motion_law *rotation, struct scree_engine **engine)
{
    return scree_engine_create(world, &ops, &(struct choice){def, translation, rotation}, engine);
}

scree_status scree_soft_create(struct scree_world *world, const struct scree_soft_def *def,
                               struct scree_engine **engine)
{
    return scree_soft_create_with(world, def, NULL, NULL, engine);
}

static scree_status check_soft(const struct scree_engine *engine)
{
    if (engine->ops == &ops)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "this is for a soft engine; the engine is '%s'",
                             engine->ops->name);
}

static scree_status soft_of(struct scree_engine *engine, struct scree_soft **soft)
{
    *soft = NULL;
    SCREE_TRY(check_soft(engine));
    if (engine->world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "the engine cannot be changed inside a step");
    *soft = (struct scree_soft *)engine->self;
    return SCREE_OK;
}

scree_status scree_soft_set_step(struct scree_engine *engine, double step)
{
    struct scree_soft *soft;
    SCREE_TRY(soft_of(engine, &soft));
    return scree_tempo_set(soft, step);
}

scree_status scree_soft_step(struct scree_engine *engine, double *step)
{
    SCREE_WORLD_COMPUTES;
    SCREE_TRY(check_soft(engine));
    struct scree_soft *soft = (struct scree_soft *)engine->self;
    *step = soft->step;
    return engine->world->stepping ? SCREE_OK : scree_tempo_foresee(soft, step);
}

scree_status scree_soft_set_damping(struct scree_engine *engine, const struct scree_damping *damping)
{
    struct scree_soft *soft;
    SCREE_TRY(soft_of(engine, &soft));
    SCREE_TRY(scree_damping_check(damping));
    if (soft->mover.damping.local == damping->local && soft->mover.damping.viscous == damping->viscous)
        return SCREE_OK;
    soft->mover.damping = *damping;
    scree_world_outdate(engine->world);
    return SCREE_OK;
}
