// The event engine of a scene.

#include "build/engine_hard.h"

#include <scree/event.h>

static void read_step(struct scree_reading *reading, const struct scree_node *event,
                      struct scree_build_engine_step *step)
{
    scree_build_hard_read_step(reading, event, SCREE_KEY_event_step, step);
}

static void read_elastic(struct scree_reading *reading, const struct scree_node *event, double *contact_time,
                         double *elastic_below)
{
    *contact_time = *elastic_below = 0;
    if (!event)
        return;
    (void)scree_reading_number(reading, event, SCREE_KEY_event_contact_time, contact_time);
    (void)scree_reading_number(reading, event, SCREE_KEY_event_elastic_below, elastic_below);
}

static void check_scene(struct scree_reading *reading)
{
    scree_build_hard_check_scene(reading, SCREE_KEY_engine_event);
}

static scree_status create(const struct scree_build_engine_request *request, struct scree_engine **engine)
{
    struct scree_event_def def = {.alarms = scree_build_hard_alarms(request)};
    struct scree_build_engine_step step = {0};
    scree_build_hard_check_contacts(request->reading, request->world,
                                    scree_reading_node(request->reading->root, SCREE_KEY_scene_contacts), 0);
    if (request->reading->diagnostics.all > 0)
        return SCREE_OK;
    read_step(request->reading, request->settings, &step);
    def.step = step.fixed;
    read_elastic(request->reading, request->settings, &def.contact_time, &def.elastic_below);
    return scree_build_hard_finish(request, def.step, scree_event_create(request->world, &def, engine),
                                   engine);
}

static scree_status change(struct scree_reading *reading, struct scree_engine *engine,
                           const struct scree_node *event, const struct scree_node *place)
{
    struct scree_build_engine_step step = {0};
    double contact_time, elastic_below;
    read_step(reading, event, &step);
    read_elastic(reading, event, &contact_time, &elastic_below);
    SCREE_TRY(scree_reading_report_status(reading, place,
                                          scree_event_set_elastic(engine, contact_time, elastic_below)));
    return scree_reading_report_status(reading, place, scree_engine_set_step(engine, step.fixed));
}

const struct scree_build_engine_kind scree_build_engine_event = {.key = SCREE_KEY_engine_event,
                                                                 .check_scene = check_scene,
                                                                 .read_step = read_step,
                                                                 .check_contacts =
                                                                     scree_build_hard_check_contacts,
                                                                 .create = create,
                                                                 .change = change};
