// Helpers for tests of scenes given as text: reading, building, running, restarting, their diagnostics, and
// their behaviour when allocations fail.
//
// Invariants: each stage is entered only if the previous one succeeded, and `status` is that of the last
// stage entered. scree_trial_free frees everything at any stage.

#ifndef SCREE_TESTS_SUPPORT_TRIAL_H
#define SCREE_TESTS_SUPPORT_TRIAL_H

#include <scree/scree.h>

struct scree_trial {
    scree_status status;
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine; // of a built scene
};

// The file name of a scene in tests that do not name it.
#define SCREE_TRIAL_SCENE "scene.yaml"

struct scree_trial scree_trial_read(const char *path, const char *text);
struct scree_trial scree_trial_load(const char *path);
struct scree_trial scree_trial_restart(const char *checkpoint);
scree_status scree_trial_build(struct scree_trial *trial);
scree_status scree_trial_run(struct scree_trial *trial, const struct scree_run_def *def);
void scree_trial_free(struct scree_trial *trial);

// Writes the scene out; the caller frees the text with free(). Null if nothing was written.
scree_status scree_trial_print(const struct scree_trial *trial, char **text);

// Checks that a scene, written out and read again, is written out the same, with its expressions: the text
// has `kept`, and no variables.
void scree_trial_assert_printed_again(const char *scene, const char *kept);

// The diagnostics of the scene, or else the error message; empty on success.
const char *scree_trial_message(const struct scree_trial *trial);

// Fails the test unless everything succeeded.
void scree_trial_assert_ok(const struct scree_trial *trial);

// Fails the test unless the status is SCREE_ERROR_ARGUMENT and the diagnostics contain `message`.
void scree_trial_assert_refused(const struct scree_trial *trial, const char *message);

// Frees everything except the world, which the caller destroys. Fails the test unless everything succeeded.
struct scree_world *scree_trial_take_world(struct scree_trial *trial);

// The world after building the scene, and after running it, with the same checks.
struct scree_world *scree_trial_build_text(const char *text);
struct scree_world *scree_trial_run_text(const char *text, const struct scree_run_def *def);

// Runs a scene, or goes on from a checkpoint if that is not null, to the end; returns the digest.
struct scree_digest scree_trial_digest(const char *scene, const char *checkpoint);

// The last stage that a scene is taken to.
enum scree_trial_depth { SCREE_TRIAL_READ, SCREE_TRIAL_BUILD, SCREE_TRIAL_RUN };

// Builds the text of a scene by printf, takes it to `depth`, checks its diagnostics as
// scree_trial_assert_refused does, and checks that all memory is freed.
void scree_trial_assert_text_refused(enum scree_trial_depth depth, const char *message, const char *format,
                                     ...) __attribute__((format(printf, 3, 4)));

// Takes a scene to `depth` (with `def` for the run) once for each allocation, which fails; see scree_starve.
// Returns the number of allocations.
uint64_t scree_trial_starve(enum scree_trial_depth depth, const char *text, const struct scree_run_def *def);

#endif
