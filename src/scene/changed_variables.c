// Finds changed variables that have no effect in a restart, see scene.h.
//
// Invariant: a warning is given only if a value would have been different with the new variable.

#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 32 }; // of variables that depend on others

struct search {
    struct scree_reading *now, *before;
    const char *variable;
};

// --- uses of a variable

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool uses_variable(const struct scree_values *values, const struct scree_node *node,
                          const char *variable, int depth);

// Returns true if a word in an expression is the variable, or a variable that depends on it.
static bool depends_on(const struct scree_values *values, const char *word, size_t length,
                       const char *variable, int depth)
{
    if (strlen(variable) == length && memcmp(word, variable, length) == 0)
        return true;
    for (size_t v = 0; v < values->variables.count; ++v) {
        const struct scree_variable *other = &values->variables.data[v];
        if (strlen(other->name) == length && memcmp(word, other->name, length) == 0)
            return depth < MAX_DEPTH && uses_variable(values, other->node, variable, depth + 1);
    }
    return false;
}

static bool uses_variable(const struct scree_values *values, const struct scree_node *node,
                          const char *variable, int depth)
{
    for (const char *at = strstr(node->text, "${"); at; at = strstr(at, "${")) {
        const char *end = strchr(at, '}');
        for (at += 2; end && at < end; ++at) {
            size_t length = 0;
            while (is_letter(at[length]))
                ++length;
            if (length > 0 && depends_on(values, at, length, variable, depth))
                return true;
            at += length > 0 ? length - 1 : 0;
        }
    }
    return false;
}

// Returns true if a node, or a node below it, uses the variable and has another value than before.
static bool differs(const struct search *search, const struct scree_node *now,
                    const struct scree_node *before)
{
    const size_t items = now->kind == SCREE_NODE_MAP ? 2 * now->count : now->count;
    const char *new, *old;
    bool any = false;
    if (now->kind != before->kind || now->count != before->count)
        return false;
    if (now->kind == SCREE_NODE_TEXT)
        return uses_variable(&search->now->values, now, search->variable, 0) &&
               scree_value_text(&search->now->values, now, "", &new) &&
               scree_value_text(&search->before->values, before, "", &old) && strcmp(new, old) != 0;
    for (size_t k = 0; k < items && !any; ++k)
        any = differs(search, now->item[k], before->item[k]);
    return any;
}

static bool differs_at_key(const struct search *search, const struct scree_node *now,
                           const struct scree_node *before, enum scree_key_id id)
{
    now = scree_reading_node(now, id);
    before = scree_reading_node(before, id);
    return now && before && differs(search, now, before);
}

// Whether a value depends on time: some text below a node has the word `t`. Functions of time are read again.
static bool depends_on_time(const struct scree_node *node)
{
    const size_t items = node->kind == SCREE_NODE_MAP ? 2 * node->count : node->count;
    bool any = false;
    if (node->kind == SCREE_NODE_TEXT)
        for (const char *at = node->text; *at && !any; ++at)
            any = *at == 't' && !is_letter(at[1]) && (at == node->text || !is_letter(at[-1]));
    for (size_t k = 0; node->kind != SCREE_NODE_TEXT && k < items && !any; ++k)
        any = depends_on_time(node->item[k]);
    return any;
}

// Whether the deformation of the cell in a map differs, and is not a function of time.
static bool deformation_differs(const struct search *search, const struct scree_node *now,
                                const struct scree_node *before, enum scree_key_id id)
{
    const struct scree_node *deform = scree_reading_node(now, id);
    return deform && !depends_on_time(deform) && differs_at_key(search, now, before, id);
}

// --- values that are read once

// Keys of the scene that are read when the world is built.
static const enum scree_key_id built_keys[] = {SCREE_KEY_scene_dimension, SCREE_KEY_scene_gravity,
                                               SCREE_KEY_scene_materials, SCREE_KEY_scene_contacts,
                                               SCREE_KEY_scene_bodies,    SCREE_KEY_scene_walls};

// Keys of started stages that are read once; damping and engine settings are read again at the restart.
static const enum scree_key_id stage_keys[] = {SCREE_KEY_stage_gravity,   SCREE_KEY_stage_walls,
                                               SCREE_KEY_stage_bodies,    SCREE_KEY_stage_contacts,
                                               SCREE_KEY_stage_materials, SCREE_KEY_stage_remove};
static const enum scree_key_id end_keys[] = {SCREE_KEY_stage_until, SCREE_KEY_stage_time,
                                             SCREE_KEY_stage_steps, SCREE_KEY_stage_stop};

// Returns true if values of started stages differ. The end of the current stage is read again.
static bool differs_in_stages(const struct search *search, size_t stage)
{
    bool any = false;
    for (size_t s = 1; s <= stage; ++s) {
        const struct scree_node *now = scree_reading_stage(search->now, s),
                                *before = scree_reading_stage(search->before, s);
        for (size_t k = 0; k < sizeof stage_keys / sizeof stage_keys[0]; ++k)
            any = any || differs_at_key(search, now, before, stage_keys[k]);
        any = any || deformation_differs(search, now, before, SCREE_KEY_stage_deform);
        for (size_t k = 0; s < stage && k < sizeof end_keys / sizeof end_keys[0]; ++k)
            any = any || differs_at_key(search, now, before, end_keys[k]);
    }
    return any;
}

static void add(char *text, size_t size, const char *name)
{
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s'%s'", length > 0 ? ", " : "", name);
}

static void warn_of_variable(const struct search *search, size_t stage, scree_text_function *warn, void *user)
{
    char where[200] = "", text[600];
    const struct scree_node *now = search->now->root, *before = search->before->root;
    for (size_t k = 0; k < sizeof built_keys / sizeof built_keys[0]; ++k)
        if (differs_at_key(search, now, before, built_keys[k]))
            add(where, sizeof where, scree_key_rows[built_keys[k]].name);
    const struct scree_node *world_now = scree_reading_node(now, SCREE_KEY_scene_world);
    const struct scree_node *world_before = scree_reading_node(before, SCREE_KEY_scene_world);
    if (world_now && world_before && differs_at_key(search, world_now, world_before, SCREE_KEY_world_box))
        add(where, sizeof where, scree_key_rows[SCREE_KEY_world_box].name);
    if (world_now && world_before && differs_at_key(search, world_now, world_before, SCREE_KEY_world_cell))
        add(where, sizeof where, scree_key_rows[SCREE_KEY_world_cell].name);
    if (world_now && world_before &&
        deformation_differs(search, world_now, world_before, SCREE_KEY_world_deform))
        add(where, sizeof where, scree_key_rows[SCREE_KEY_world_deform].name);
    const bool stages = differs_in_stages(search, stage);
    if (!where[0] && !stages)
        return;
    snprintf(
        text, sizeof text,
        "the new value of variable '%.63s' does not apply to %s%s%s: they were read before the checkpoint, "
        "and only later stages can change them",
        search->variable, where, where[0] && stages ? " and " : "", stages ? "stages that have started" : "");
    warn(user, text);
}

void scree_changed_variables_warn(struct scree_reading *now, struct scree_reading *before, size_t stage,
                                  scree_text_function *warn, void *user)
{
    for (size_t v = 0; v < now->values.caller_count; ++v) {
        const struct search search = {now, before, now->values.variables.data[v].name};
        warn_of_variable(&search, stage, warn, user);
    }
}
