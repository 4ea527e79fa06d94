// The stochastic engine: the event engine (event.h), in which bodies meet walls only, and draws their other
// collisions in the middle of each step (draws.h).

#include "event/event.h"

#include <scree/stochastic.h>

static scree_status check_settings(const struct scree_stochastic_def *def)
{
    if (!(def->step >= 0 && def->cell >= 0 && def->weight >= 0 && def->contact_time >= 0 &&
          def->elastic_below >= 0 && def->step + def->cell + def->weight < (double)INFINITY &&
          def->contact_time + def->elastic_below < (double)INFINITY))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the settings of a stochastic engine must not be negative; got a step of %g s, "
            "cells of %g m, a weight of %g, a contact time of %g s and %g m/s below which "
            "collisions are elastic",
            def->step, def->cell, def->weight, def->contact_time, def->elastic_below);
    if (def->partner != SCREE_STOCHASTIC_BODY && def->partner != SCREE_STOCHASTIC_FICTITIOUS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no kind %d of partners of collisions",
                                 (int)def->partner);
    return SCREE_OK;
}

static void take_settings(struct scree_event *event, const struct scree_stochastic_def *def)
{
    event->draws.present = true;
    event->draws.def = *def;
    if (def->weight == 0)
        event->draws.def.weight = 1;
    event->def.step = def->step;
    event->def.contact_time = def->contact_time;
    event->def.elastic_below = def->elastic_below;
}

static scree_status begin(void *self, struct scree_engine *engine, struct scree_world *world, const void *def)
{
    struct scree_event *event = (struct scree_event *)self;
    const struct scree_stochastic_def *own = (const struct scree_stochastic_def *)def;
    SCREE_TRY(check_settings(own));
    take_settings(event, own);
    const struct scree_event_def common = {.step = own->step,
                                           .contact_time = own->contact_time,
                                           .elastic_below = own->elastic_below,
                                           .alarms = own->alarms};
    return scree_event_begin(event, engine, world, &common);
}

const struct scree_engine_ops scree_stochastic_engine = {.name = "stochastic",
                                                         .size = sizeof(struct scree_event),
                                                         .begin = begin,
                                                         .advance = scree_event_advance,
                                                         .sync = scree_event_sync,
                                                         .end = scree_event_end,
                                                         .set_step = scree_event_set_step,
                                                         .step = scree_event_next_step};

scree_status scree_stochastic_create(struct scree_world *world, const struct scree_stochastic_def *def,
                                     struct scree_engine **engine)
{
    return scree_engine_create(world, &scree_stochastic_engine, def, engine);
}

scree_status scree_stochastic_set(struct scree_engine *engine, const struct scree_stochastic_def *def)
{
    SCREE_TRY(scree_engine_check(engine, &scree_stochastic_engine));
    SCREE_TRY(check_settings(def));
    struct scree_event *event = (struct scree_event *)engine->self;
    take_settings(event, def);
    // cells may have another width, and rows another order
    event->ready = false;
    event->step = 0;
    return SCREE_OK;
}
