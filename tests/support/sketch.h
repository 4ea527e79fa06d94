// Worlds full of everything that moves, for tests that care about bits, failures and order rather than
// physics; and the assertions that such tests share.
//
// Invariants: a scene is a function of its description alone, so two made alike are equal to the bit.

#ifndef SCREE_TESTS_SUPPORT_SKETCH_H
#define SCREE_TESTS_SUPPORT_SKETCH_H

#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Bad numbers, as the doubles that they are not in <math.h>.
#define NOT_A_NUMBER ((double)NAN)
#define ENDLESS ((double)INFINITY)

// The shadow that a sanitizer keeps of all memory tells nothing of what Scree takes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SHADOW 1
#endif
#endif

// Fails the test with the stored message unless the call worked.
#define assert_ok(...) scree_sketch_ok((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

// Fails the test unless the call ended with `expected` and a message that holds `word`.
#define assert_refused(expected, word, ...)                                                                  \
    scree_sketch_refused((__VA_ARGS__), expected, word, #__VA_ARGS__, __FILE__, __LINE__)

void scree_sketch_ok(scree_status status, const char *call, const char *file, int line);
void scree_sketch_refused(scree_status status, scree_status expected, const char *word, const char *call,
                          const char *file, int line);

// What a scene holds; zero means without.
struct scree_sketch {
    int dimension;                // 0 means 3
    unsigned bodies;              // in turn spheres and rigid bodies given by moments and by tensor
    const char *translation;      // laws of motion, null for the defaults
    const char *rotation;         //
    double step;                  // s, 0 means 1e-3
    struct scree_damping damping; // of all bodies
    bool own_damping;             // some bodies have damping of their own
    bool loads;                   // constant ones, and users' that depend on everything they are told
    bool fixed;                   // some freedoms, at prescribed velocities
    bool oriented;                // orientations of spheres and disks too
    bool round;                   // spheres or disks alone
    int threads;                  // 0 means 1
};

// Makes the world of a scene, with bodies of ids 1, 2, ...; null on failure.
SCREE_NODISCARD scree_status scree_sketch_build(const struct scree_sketch *scene, struct scree_world **world);

// Adds again those loads of a scene that no checkpoint keeps, in their order.
SCREE_NODISCARD scree_status scree_sketch_reload(const struct scree_sketch *scene, struct scree_world *world);

// Makes its soft engine.
SCREE_NODISCARD scree_status scree_sketch_engine(const struct scree_sketch *scene, struct scree_world *world,
                                                 struct scree_engine **engine);

// The digest of a world.
struct scree_digest scree_sketch_digest(const struct scree_world *world);
bool scree_sketch_equal(struct scree_digest a, struct scree_digest b);

// Fails the test unless two bodies are at the same place, turned and moving alike, to the bit.
void scree_sketch_same_motion(const struct scree_body_state *a, const struct scree_body_state *b);

// The digest after `steps` steps in one run.
struct scree_digest scree_sketch_run(const struct scree_sketch *scene, uint64_t steps);

// An empty world of three dimensions; a material of 1000 kg/m^3; a sphere of radius 0.1 m at rest at the
// origin.
struct scree_world *scree_sketch_empty(void);
scree_material_id scree_sketch_material(struct scree_world *world);
scree_body_id scree_sketch_sphere(struct scree_world *world);

// A sphere on the x axis that moves along it.
scree_body_id scree_sketch_ball(struct scree_world *world, scree_material_id material, double radius,
                                double x, double speed);

// A world with gravity along -z and the plane z = 0 as its only wall, of the first material, in which bodies
// touch by a law.
struct scree_world *scree_sketch_floor(double gravity, const struct scree_material_def *material,
                                       const struct scree_interaction_def *law, scree_material_id *id);

// Numbers that look random: the next of a sequence, and one of them in [-1, 1).
uint64_t scree_sketch_next(uint64_t *seed);
double scree_sketch_number(uint64_t *seed);

#endif
