// A scene made of a text and tried: read, built, run, and gone on with; what was said of it; and what it
// comes to where memory fails.
//
// Invariants: each step is taken only if the one before it worked, and `status` is that of the last
// one taken; scree_trial_free frees all, however far it came.

#ifndef SCREE_TESTS_SUPPORT_TRIAL_H
#define SCREE_TESTS_SUPPORT_TRIAL_H

#include <scree/scree.h>

struct scree_trial {
    scree_status status;
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine; // of a scene that was built
};

// The name that the text of a scene has where a test gives it no other.
#define SCREE_TRIAL_SCENE "scene.yaml"

struct scree_trial scree_trial_read(const char *path, const char *text);
struct scree_trial scree_trial_load(const char *path);
struct scree_trial scree_trial_restart(const char *checkpoint);
scree_status scree_trial_build(struct scree_trial *trial);
scree_status scree_trial_run(struct scree_trial *trial, const struct scree_run_def *def);
void scree_trial_free(struct scree_trial *trial);

// The scene written out, to be freed by free(), or null where nothing was written.
scree_status scree_trial_print(const struct scree_trial *trial, char **text);

// The mistakes of the scene, or else the message of a failure; empty where all worked.
const char *scree_trial_said(const struct scree_trial *trial);

// Fails the test unless all worked.
void scree_trial_must(const struct scree_trial *trial);

// Fails the test unless the trial ended with SCREE_ERROR_ARGUMENT and `said` stands among the mistakes of its
// scene.
void scree_trial_told(const struct scree_trial *trial, const char *said);

// Frees all but the world, which the caller destroys; the test fails unless all worked.
struct scree_world *scree_trial_take(struct scree_trial *trial);

// The world that a scene is built as, and the one that its run ends with, likewise.
struct scree_world *scree_trial_built(const char *text);
struct scree_world *scree_trial_ran(const char *text, const struct scree_run_def *def);

// How far a scene is tried.
enum scree_trial_depth { SCREE_TRIAL_READ, SCREE_TRIAL_BUILD, SCREE_TRIAL_RUN };

// Tries a scene whose text is what printf makes of `format`, which must be told as in scree_trial_told, and
// nothing of it may stay in memory.
void scree_trial_refused(enum scree_trial_depth depth, const char *said, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Tries a scene, with `def` where it is run, once for each block of memory that it asks for, and that one
// fails; see scree_starve. How many blocks it asked for.
uint64_t scree_trial_starve(enum scree_trial_depth depth, const char *text, const struct scree_run_def *def);

#endif
