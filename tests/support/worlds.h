// Worlds with many kinds of motion, built from a short description; and assertions that many tests share.
//
// Invariants: two worlds with the same description are equal bit for bit.

#ifndef SCREE_TESTS_SUPPORT_WORLDS_H
#define SCREE_TESTS_SUPPORT_WORLDS_H

#include "support/splitmix.h"

#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// The macros of <math.h> are floats; these are doubles.
#define NOT_A_NUMBER ((double)NAN)
#define INFINITE ((double)INFINITY)

// Under these sanitizers, memory use says nothing about Scree, because the sanitizer itself takes most of it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif

// A number of repetitions, and the one under these sanitizers, which make a test several times slower.
#ifdef UNDER_SANITIZER
#define FEWER(count, fewer) (fewer)
#else
#define FEWER(count, fewer) (count)
#endif

// Fails the test with the stored message unless the call returned SCREE_OK.
#define assert_ok(...) scree_test_ok((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

// Fails the test unless the call returned `expected` with a message that contains `word`.
#define assert_refused(expected, word, ...)                                                                  \
    scree_test_refused((__VA_ARGS__), expected, word, #__VA_ARGS__, __FILE__, __LINE__)

void scree_test_ok(scree_status status, const char *call, const char *file, int line);
void scree_test_refused(scree_status status, scree_status expected, const char *word, const char *call,
                        const char *file, int line);

// Description of a world. A member that is zero leaves its part out.
struct scree_test_world {
    int dimension;           // 0 means 3
    unsigned bodies;         // alternately spheres and rigid bodies with principal moments or a full tensor
    const char *translation; // scheme; null for the default
    const char *rotation;    // scheme; null for the default
    double step;             // s, 0 means 1e-3
    struct scree_damping damping; // of all bodies
    bool own_damping;             // some bodies have damping of their own
    bool loads;                   // constant loads, and functions of position, velocity, orientation and time
    bool fixed;                   // some degrees of freedom are fixed
    bool oriented;                // orientations of spheres and disks are integrated
    bool spheres_only;            // only spheres or disks
    int threads;                  // 0 means 1
};

// Creates the world, with bodies of ids 1, 2, ...; null on failure.
SCREE_NODISCARD scree_status scree_test_world_build(const struct scree_test_world *setup,
                                                    struct scree_world **world);

// After a restart: adds the loads that are not in checkpoints again, in the same order.
SCREE_NODISCARD scree_status scree_test_world_add_loads(const struct scree_test_world *setup,
                                                        struct scree_world *world);

// Creates the soft engine of a world.
SCREE_NODISCARD scree_status scree_test_world_engine(const struct scree_test_world *setup,
                                                     struct scree_world *world, struct scree_engine **engine);

// The digest of a world.
struct scree_digest scree_test_digest(const struct scree_world *world);
bool scree_test_digests_equal(struct scree_digest a, struct scree_digest b);

// Fails the test unless position, orientation, velocity and spin of two bodies are equal bit for bit.
void scree_test_same_motion(const struct scree_body_state *a, const struct scree_body_state *b);

// The digest after `steps` steps in one run.
struct scree_digest scree_test_world_run(const struct scree_test_world *setup, uint64_t steps);

// Replaces a world of three dimensions by one that is read from a checkpoint. The file is removed.
void scree_test_restart(struct scree_world **world, const char *file);

// Puts the bodies into a random order in memory.
void scree_test_shuffle(struct scree_world *world, uint64_t seed);

// Fails the test unless two numbers differ by at most `tolerance`.
void scree_test_near(double got, double expected, double tolerance);

// The state of a body; the energy ledger; and a soft engine with a given step, of one thread or several.
struct scree_body_state scree_test_state(const struct scree_world *world, uint64_t id);
struct scree_energy scree_test_energy(struct scree_world *world);
struct scree_engine *scree_test_plain_engine(struct scree_world *world, double step);
struct scree_engine *scree_test_threaded_engine(struct scree_world *world, double step, int threads);

// Destroys a world and its engine.
void scree_test_end(struct scree_world *world, struct scree_engine *engine);

// Creates the soft engine of a world, with a skin in mean diameters (0: chosen by the engine), which sorts
// after every `sort_every` searches (0: never). None of these numbers may change results, except the step.
struct scree_engine *scree_test_engine(struct scree_world *world, double step, int threads, double skin,
                                       unsigned sort_every);

// An empty world of three dimensions; a material of 1000 kg/m^3; a sphere of radius 0.1 m at rest at the
// origin.
struct scree_world *scree_test_empty_world(void);
scree_material_id scree_test_material(struct scree_world *world);
scree_body_id scree_test_sphere(struct scree_world *world);

// A sphere on the x axis with a velocity along x.
scree_body_id scree_test_ball(struct scree_world *world, scree_material_id material, double radius, double x,
                              double speed);

// A world of one material with gravity along -z, one rule for all contacts, and one wall, the plane z = 0.
struct scree_world *scree_test_floor(double gravity, const struct scree_material_def *material,
                                     const struct scree_interaction_def *law, scree_material_id *id);

#endif
