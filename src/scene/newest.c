// Finds the checkpoint that a run can continue from, see scree/scene.h.
//
// Two checkpoints belong together: PATH, and the one before it, PATH.previous. The later one may not fit the
// results: a restart from the earlier one truncates the results, and may end before it writes a checkpoint.

#include "base/memory.h"
#include "file/checkpoint.h"
#include "file/path.h"
#include "scene/scene.h"

#include <scree/engine.h>
#include <scree/world.h>

#include <stdio.h>
#include <string.h>

enum { MESSAGE = 800 };

struct candidate {
    char *path;
    struct scree_checkpoint_facts facts;
    bool fits;
    char reason[MESSAGE]; // why it does not fit
};

// Checks whether a run can continue from the checkpoint; only lack of memory is a failure.
static scree_status try_restart(struct candidate *candidate, const struct scree_scene_def *variables,
                                const struct scree_run_def *def)
{
    struct scree_scene *scene = NULL;
    struct scree_world *world = NULL;
    struct scree_engine *engine = NULL;
    scree_status status = scree_checkpoint_info(candidate->path, &candidate->facts);
    if (status == SCREE_OK)
        status = scree_scene_restart(candidate->path, variables, &scene);
    if (status == SCREE_OK)
        status = scree_scene_build(scene, def->threads, &world, &engine);
    if (status == SCREE_OK)
        status = scree_scene_check(scene, world, engine, def);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_scene_free(scene);
    candidate->fits = status == SCREE_OK;
    snprintf(candidate->reason, sizeof candidate->reason, "%s",
             candidate->fits ? "" : scree_status_message());
    return status == SCREE_ERROR_MEMORY ? status : SCREE_OK;
}

// Makes the path of the other of the two checkpoints; free it by scree_memory_free.
static scree_status name_other(const char *path, char **other)
{
    const size_t length = strlen(path), suffix = strlen(SCREE_CHECKPOINT_PREVIOUS);
    const bool previous = length > suffix && strcmp(path + length - suffix, SCREE_CHECKPOINT_PREVIOUS) == 0;
    SCREE_TRY(scree_path_concat(path, previous ? "" : SCREE_CHECKPOINT_PREVIOUS, "", other));
    if (previous)
        (*other)[length - suffix] = 0;
    return SCREE_OK;
}

static scree_status choose(struct candidate candidate[2], const struct candidate **best)
{
    *best = NULL;
    for (int k = 0; k < 2; ++k)
        if (candidate[k].fits && (!*best || candidate[k].facts.steps > (*best)->facts.steps))
            *best = &candidate[k];
    return *best ? SCREE_OK
                 : scree_status_fail(SCREE_ERROR_IO,
                                     "a run can continue neither from '%s' (%.700s) nor from '%s' "
                                     "(%.700s)",
                                     candidate[0].path, candidate[0].reason, candidate[1].path,
                                     candidate[1].reason);
}

scree_status scree_scene_newest(const char *path, const struct scree_scene_def *variables,
                                const struct scree_run_def *def, char *newest, size_t size,
                                struct scree_checkpoint_facts *facts)
{
    const struct scree_run_def none = {0};
    struct candidate candidate[2] = {{0}};
    const struct candidate *best = NULL;
    scree_status status = scree_path_concat(path, "", "", &candidate[0].path);
    if (status == SCREE_OK)
        status = name_other(path, &candidate[1].path);
    for (int k = 0; k < 2 && status == SCREE_OK; ++k)
        status = try_restart(&candidate[k], variables, def ? def : &none);
    if (status == SCREE_OK)
        status = choose(candidate, &best);
    if (best && facts)
        *facts = best->facts;
    if (best && strlen(best->path) >= size)
        status = scree_status_fail(SCREE_ERROR_LIMIT, "the path '%s' is too long", best->path);
    else if (best)
        snprintf(newest, size, "%s", best->path);
    scree_memory_free(candidate[0].path);
    scree_memory_free(candidate[1].path);
    return status;
}

scree_status scree_newest_advise(const char *path, const struct scree_scene_def *variables,
                                 scree_status status)
{
    const struct scree_run_def def = {.threads = 1};
    struct candidate other = {0};
    char message[MESSAGE], *advice = NULL;
    snprintf(message, sizeof message, "%s", scree_status_message());
    const scree_status tried =
        name_other(path, &other.path) == SCREE_OK ? try_restart(&other, variables, &def) : SCREE_ERROR_MEMORY;
    if (tried == SCREE_OK && other.fits) {
        // remove the advice to move files away: their content would be lost for the run
        for (char *at = message; (at = strstr(at, ": move ")); ++at)
            advice = at;
        if (advice)
            *advice = 0;
        status =
            scree_status_fail(status, "%s: restart from '%s', at %g s, in step %llu, which fits the results",
                              message, other.path, other.facts.time, (unsigned long long)other.facts.steps);
    } else {
        status = scree_status_fail(status, "%s", message);
    }
    scree_memory_free(other.path);
    return status;
}
