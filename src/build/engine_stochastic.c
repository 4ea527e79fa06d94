// The stochastic engine of a scene.

#include "build/engine_hard.h"

#include <scree/stochastic.h>

static void read_step(struct scree_reading *reading, const struct scree_node *settings,
                      struct scree_build_engine_step *step)
{
    scree_build_hard_read_step(reading, settings, SCREE_KEY_stochastic_step, step);
}

static struct scree_stochastic_def read_settings(struct scree_reading *reading,
                                                 const struct scree_node *settings)
{
    struct scree_stochastic_def def = {.weight = 1, .seed = 1};
    size_t partner = 0, correlation = 0;
    if (!settings)
        return def;
    (void)scree_reading_number(reading, settings, SCREE_KEY_stochastic_step, &def.step);
    (void)scree_reading_number(reading, settings, SCREE_KEY_stochastic_cell, &def.cell);
    (void)scree_reading_word(reading, settings, SCREE_KEY_stochastic_partner, &partner);
    (void)scree_reading_number(reading, settings, SCREE_KEY_stochastic_weight, &def.weight);
    (void)scree_reading_word(reading, settings, SCREE_KEY_stochastic_correlation, &correlation);
    (void)scree_reading_whole(reading, settings, SCREE_KEY_stochastic_seed, &def.seed);
    (void)scree_reading_number(reading, settings, SCREE_KEY_stochastic_contact_time, &def.contact_time);
    (void)scree_reading_number(reading, settings, SCREE_KEY_stochastic_elastic_below, &def.elastic_below);
    def.partner = partner == 0 ? SCREE_STOCHASTIC_BODY : SCREE_STOCHASTIC_FICTITIOUS;
    def.dilute = correlation != 0;
    return def;
}

static void check_scene(struct scree_reading *reading)
{
    scree_build_hard_check_scene(reading, SCREE_KEY_engine_stochastic);
}

static scree_status create(const struct scree_build_engine_request *request, struct scree_engine **engine)
{
    struct scree_stochastic_def def = read_settings(request->reading, request->settings);
    scree_build_hard_check_contacts(request->reading, request->world,
                                    scree_reading_node(request->reading->root, SCREE_KEY_scene_contacts), 0);
    if (request->reading->diagnostics.all > 0)
        return SCREE_OK;
    def.alarms = scree_build_hard_alarms(request);
    return scree_build_hard_finish(request, def.step, scree_stochastic_create(request->world, &def, engine),
                                   engine);
}

static scree_status change(struct scree_reading *reading, struct scree_engine *engine,
                           const struct scree_node *settings, const struct scree_node *place)
{
    const struct scree_stochastic_def def = read_settings(reading, settings);
    return scree_reading_report_status(reading, place, scree_stochastic_set(engine, &def));
}

const struct scree_build_engine_kind scree_build_engine_stochastic = {.key = SCREE_KEY_engine_stochastic,
                                                                      .check_scene = check_scene,
                                                                      .read_step = read_step,
                                                                      .check_contacts =
                                                                          scree_build_hard_check_contacts,
                                                                      .create = create,
                                                                      .change = change};
