// Prints names and digests of many worlds after a run. All builds must print the same lines, for any
// compiler, optimisation and number of threads; tools/check-digests compares them.

#include "determinism/hard_world.h"
#include "determinism/shaped_world.h"
#include "determinism/touching.h"
#include "law/law.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 20 };

static const struct {
    const char *name;
    struct scree_test_world setup;
} setups[] = {
    {"plain", {.bodies = 50}},
    {"loaded", {.bodies = 50, .loads = true, .oriented = true}},
    {"damped-local", {.bodies = 50, .loads = true, .damping = {.local = 0.3}}},
    {"damped-viscous", {.bodies = 50, .loads = true, .damping = {.viscous = 2}}},
    {"fixed", {.bodies = 50, .loads = true, .fixed = true}},
    {"all-options",
     {.bodies = 300,
      .damping = {0.1, 0.2},
      .own_damping = true,
      .loads = true,
      .fixed = true,
      .oriented = true}},
    {"plane", {.dimension = 2, .bodies = 50}},
    {"plane-all-options",
     {.dimension = 2,
      .bodies = 300,
      .damping = {0.1, 0.2},
      .own_damping = true,
      .loads = true,
      .fixed = true,
      .oriented = true}},
    {"large-step", {.bodies = 50, .loads = true, .oriented = true, .step = 0.02}},
};

// each runs with every contact law of its dimension, and with several laws at once
static const struct touching contact_worlds[] = {
    {.name = "free", .bodies = 150},
    {.name = "resistance", .bodies = 150, .resists = true, .oriented = true},
    {.name = "walls", .bodies = 150, .walls = true, .resists = true},
    {.name = "periodic", .bodies = 150, .periodic = true},
    {.name = "large-size-ratio", .bodies = 150, .ratio = 50, .walls = true, .periodic = true},
    {.name = "insert-delete", .bodies = 150, .walls = true, .insert_delete = true},
    {.name = "loaded", .bodies = 150, .loads = true, .damped = true, .fixed = true, .rigid = true},
    {.name = "automatic-step", .bodies = 150, .walls = true, .automatic = true},
    {.name = "clumps", .bodies = 150, .clumps = true, .walls = true, .resists = true},
    {.name = "bonds", .bodies = 150, .bonds = true, .walls = true},
    {.name = "shear", .bodies = 150, .deforms = TOUCHING_SHEAR},
    {.name = "mixed-deformation", .bodies = 150, .deforms = TOUCHING_MIXED, .oriented = true},
    {.name = "damped-shear", .bodies = 150, .deforms = TOUCHING_SHEAR, .damped = true, .resists = true},
    {.name = "deformation-by-servo", .bodies = 150, .deforms = TOUCHING_SERVO, .resists = true},
    {.name = "sheared-clumps-and-bonds",
     .bodies = 150,
     .deforms = TOUCHING_SHEAR,
     .clumps = true,
     .bonds = true},
    {.name = "sheared-layer", .bodies = 150, .deforms = TOUCHING_LAYER, .damped = true, .clumps = true},
    TOUCHING_CLUMPS_AND_BONDS(150),
    TOUCHING_EVERYTHING(1500),
};

// each without a law runs with every one that is valid for polyhedra in its dimension
static const struct shaped shaped_worlds[] = {
    {.name = "polyhedra", .dimension = 3},
    {.name = "polyhedra-automatic-step", .dimension = 3, .automatic = true},
    {.name = "polyhedra-spheres-mesh", .dimension = 3, .spheres = true, .mesh = true},
    {.name = "polyhedra-several-tiles", .dimension = 3, .law = "linear", .spheres = true, .side = 11},
    {.name = "concave", .dimension = 3, .concave = true},
    {.name = "concave-spheres-mesh", .dimension = 3, .concave = true, .spheres = true, .mesh = true},
    {.name = "polygons", .dimension = 2},
    {.name = "polygons-automatic-step", .dimension = 2, .automatic = true},
    {.name = "polygons-disks", .dimension = 2, .spheres = true},
};

static void check(scree_status status, const char *name)
{
    if (status == SCREE_OK)
        return;
    fprintf(stderr, "%s: %s\n", name, scree_status_message());
    exit(1);
}

// Adds and removes bodies within steps.
static scree_status insert_delete(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    scree_body_id id;
    const uint64_t step = scree_world_steps(world);
    const double x = 0.1 * (double)step;
    const struct scree_rigid_def solid = {
        .mass = 1, .inertia = {1, 1.2, 1.4}, .position = {x}, .spin = {1, 2, 3}};
    const struct scree_rigid_def flat = {.mass = 1, .polar = 1, .position = {x}, .spin = {0, 0, 3}};
    scree_status status =
        scree_body_add_rigid(world, scree_world_dimension(world) == 2 ? &flat : &solid, &id);
    if (status == SCREE_OK && scree_body_exists(world, (scree_body_id){step}))
        status = scree_body_remove(world, (scree_body_id){step});
    return status;
}

static struct scree_digest run(const struct scree_test_world *setup, bool inserts, const char *name)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_digest digest;
    check(scree_test_world_build(setup, &world), name);
    check(scree_test_world_engine(setup, world, &engine), name);
    if (inserts)
        check(scree_engine_set_callback(engine, SCREE_POINT_INSERT_DELETE, insert_delete, NULL, NULL), name);
    check(scree_engine_run(engine, STEPS), name);
    check(scree_world_digest(world, &digest), name);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

static void print(const char *name, struct scree_test_world setup, bool inserts)
{
    setup.threads = 1;
    const struct scree_digest digest = run(&setup, inserts, name);
    printf("%s%s %s %s %016llx%016llx\n", name, inserts ? "-insert-delete" : "", setup.translation,
           setup.rotation, (unsigned long long)digest.high, (unsigned long long)digest.low);
    // a thread computes blocks of 128 bodies. Only every fourth pair of schemes gets here; test_motion.c has
    // all schemes
    setup.threads = 3;
    if (setup.bodies <= 128 || !inserts)
        return;
    const struct scree_digest other = run(&setup, inserts, name);
    if (other.low != digest.low || other.high != digest.high) {
        fprintf(stderr, "%s with %s and %s: the digest differs on 3 threads\n", name, setup.translation,
                setup.rotation);
        exit(1);
    }
}

// Also runs with callbacks, with which no body advances before all forces are known: the bits must be equal.
static void print_contact_world(const struct touching *world)
{
    enum { CONTACT_STEPS = 30 };
    struct scree_digest digest, other;
    check(touching_run(world, &(struct touching_variant){0}, CONTACT_STEPS, &digest), world->name);
    check(touching_run(world, &(struct touching_variant){.threads = 3, .observed = true}, CONTACT_STEPS,
                       &other),
          world->name);
    printf("contacts-%s %dd %s %016llx%016llx\n", world->name, touching_dimension(world),
           world->law ? world->law : "several", (unsigned long long)digest.high,
           (unsigned long long)digest.low);
    if (other.low != digest.low || other.high != digest.high) {
        fprintf(stderr, "contacts-%s with %s: the digest differs on 3 threads with callbacks\n", world->name,
                world->law ? world->law : "several");
        exit(1);
    }
}

static void print_all_laws(struct touching world)
{
    for (world.dimension = 2; world.dimension <= 3; ++world.dimension) {
        const struct scree_contact_law *law;
        for (size_t l = 0; (law = scree_law_with_force_at(l)); ++l) {
            world.law = law->name;
            if (law->dimensions >> world.dimension & 1)
                print_contact_world(&world);
        }
        world.law = NULL;
        print_contact_world(&world);
    }
}

static void print_shaped_world(struct shaped world)
{
    struct scree_digest digest, other;
    check(shaped_run(&world, 1, &digest), world.name);
    check(shaped_run(&world, 3, &other), world.name);
    printf("shaped-%s %dd %s %016llx%016llx\n", world.name, world.dimension, world.law,
           (unsigned long long)digest.high, (unsigned long long)digest.low);
    if (other.low != digest.low || other.high != digest.high) {
        fprintf(stderr, "shaped-%s with %s: the digest differs on 3 threads\n", world.name, world.law);
        exit(1);
    }
}

static void print_valid_laws(struct shaped world)
{
    const struct scree_contact_law *law;
    for (size_t l = 0; (law = scree_law_with_force_at(l)); ++l) {
        world.law = law->name;
        if (law->outside != SCREE_LAW_OUTSIDE_REFUSED && law->dimensions >> world.dimension & 1)
            print_shaped_world(world);
    }
}

// Each runs with every law of collisions of its dimension.
static const struct hard_world hard_worlds[] = {
    {.name = "gas", .dimension = 3},
    {.name = "gas", .dimension = 2},
    {.name = "channel", .dimension = 3, .walls = true},
    {.name = "channel", .dimension = 2, .walls = true},
    {.name = "shapes", .dimension = 3, .walls = true, .shapes = true},
    {.name = "shapes", .dimension = 2, .walls = true, .shapes = true},
    {.name = "clumps", .dimension = 3, .clumps = true},
    {.name = "clumps", .dimension = 2, .clumps = true},
    {.name = "rolling-clumps", .dimension = 3, .walls = true, .clumps = true},
    {.name = "sheared-gas", .dimension = 3, .shear = 0.2},
    {.name = "sheared-gas", .dimension = 2, .shear = 0.2, .contact_time = 0.01},
    {.name = "sheared-clumps", .dimension = 3, .clumps = true, .shear = 0.2},
    {.name = "sheared-clumps", .dimension = 2, .clumps = true, .shear = 0.2},
    {.name = "strained-gas", .dimension = 3, .shear = 0.1, .squeeze = 0.05},
    {.name = "strained-gas", .dimension = 2, .shear = 0.1, .squeeze = 0.05},
    {.name = "elastic-contacts", .dimension = 3, .walls = true, .contact_time = 0.01, .elastic_below = 0.05},
    {.name = "drawn-gas", .dimension = 3, .engine = HARD_WITH_BODIES},
    {.name = "drawn-gas", .dimension = 2, .engine = HARD_WITH_FICTITIOUS},
    {.name = "drawn-channel", .dimension = 3, .walls = true, .engine = HARD_WITH_FICTITIOUS},
    {.name = "drawn-channel", .dimension = 2, .walls = true, .engine = HARD_WITH_BODIES},
    {.name = "drawn-shapes", .dimension = 3, .walls = true, .shapes = true, .engine = HARD_WITH_BODIES},
    {.name = "drawn-sheared-gas", .dimension = 3, .shear = 0.2, .engine = HARD_WITH_FICTITIOUS},
    {.name = "drawn-strained-gas", .dimension = 3, .shear = 0.1, .squeeze = 0.05, .engine = HARD_WITH_BODIES},
};

static void print_hard_world(struct hard_world world)
{
    const struct scree_contact_law *law;
    for (size_t l = 0; (law = scree_law_at(l)); ++l) {
        struct scree_digest digest, other;
        world.law = law->name;
        if (!law->collision || !(law->dimensions >> world.dimension & 1))
            continue;
        check(hard_run(&world, false, &digest), world.name);
        check(hard_run(&world, true, &other), world.name);
        printf("hard-%s %dd %s %016llx%016llx\n", world.name, world.dimension, world.law,
               (unsigned long long)digest.high, (unsigned long long)digest.low);
        if (other.low != digest.low || other.high != digest.high) {
            fprintf(stderr, "hard-%s with %s: the digest differs with a new engine\n", world.name, world.law);
            exit(1);
        }
    }
}

int main(void)
{
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; ++s) {
        struct scree_test_world setup = setups[s].setup;
        for (size_t t = 0; (setup.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t)
            for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
                setup.spheres_only = strcmp(setup.rotation, "spherical") == 0;
                print(setups[s].name, setup, false);
                if (!setup.spheres_only && (t + r) % 4 == 0)
                    print(setups[s].name, setup, true);
            }
    }
    for (size_t c = 0; c < sizeof contact_worlds / sizeof contact_worlds[0]; ++c)
        print_all_laws(contact_worlds[c]);
    for (size_t w = 0; w < sizeof shaped_worlds / sizeof shaped_worlds[0]; ++w)
        (shaped_worlds[w].law ? print_shaped_world : print_valid_laws)(shaped_worlds[w]);
    for (size_t w = 0; w < sizeof hard_worlds / sizeof hard_worlds[0]; ++w)
        print_hard_world(hard_worlds[w]);
    return 0;
}
