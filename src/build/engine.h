// The engines of scenes: a row for each built-in engine, made by the file engine_<symbol>.c of each row of
// engine/engine.def. build.h has what the rest of the program calls.
#ifndef SCREE_BUILD_ENGINE_H
#define SCREE_BUILD_ENGINE_H

#include "build/build.h"

#include <scree/alarm.h>

// What an engine is created from.
struct scree_build_engine_request {
    struct scree_reading *reading;
    struct scree_world *world;
    const struct scree_node *settings; // the section of the engine, null for none
    const struct scree_node *place;    // for messages
    size_t stages;                     // whose changes have been applied
    int threads;
    struct scree_alarms alarms;
};

// An engine as scenes know it. `settings` is the section of the engine, or null.
struct scree_build_engine_kind {
    enum scree_key_id key; // of its section
    // reports what the engine cannot use of a scene; may be null
    void (*check_scene)(struct scree_reading *reading);
    void (*read_step)(struct scree_reading *reading, const struct scree_node *settings,
                      struct scree_build_engine_step *step);
    // as scree_build_engine_check_contacts; may be null
    void (*check_contacts)(struct scree_reading *reading, const struct scree_world *world,
                           const struct scree_node *contacts, double step);
    scree_status (*create)(const struct scree_build_engine_request *request, struct scree_engine **engine);
    // replaces the settings at the start of a stage
    scree_status (*change)(struct scree_reading *reading, struct scree_engine *engine,
                           const struct scree_node *settings, const struct scree_node *place);
};

#define SCREE_ENGINE(symbol) extern const struct scree_build_engine_kind scree_build_engine_##symbol;
#include "engine/engine.def"
#undef SCREE_ENGINE

// The kind that a section `engine` names, which may be null; the first kind if it names none.
const struct scree_build_engine_kind *scree_build_engine_kind(const struct scree_node *section);

// Returns the value of a key in the last of the first `stages` stages that has it; null if none has it.
const struct scree_node *scree_build_engine_find_last(const struct scree_reading *reading, size_t stages,
                                                      enum scree_key_id key);

#endif
