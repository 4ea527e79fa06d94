// Small gases of hard bodies for the event and the stochastic engine, from a short description.
//
// Invariants: two runs of the same description are equal bit for bit, however they are divided.

#ifndef SCREE_TESTS_DETERMINISM_HARD_WORLD_H
#define SCREE_TESTS_DETERMINISM_HARD_WORLD_H

#include "base/status.h"
#include "law/law.h"
#include "support/splitmix.h"

#include <scree/event.h>
#include <scree/scree.h>
#include <scree/stochastic.h>

#include <string.h>

enum hard_engine { HARD_EVENT, HARD_WITH_BODIES, HARD_WITH_FICTITIOUS };

struct hard_world {
    const char *name;
    int dimension;
    const char *law;
    bool walls;  // a channel with a belt below and a rough wall above, and gravity; else periodic along all
                 // axes
    bool shapes; // walls of other shapes in the middle third of the channel, which move and turn
    bool clumps; // two of three bodies are dimers or trimers, and spheres have orientations
    double contact_time, elastic_below;
    double shear, squeeze; // rates at which the cell deforms
    enum hard_engine engine;
};

enum { HARD_SIDE = 6, HARD_STEPS = 12 };

// Sets those parameters that the law has.
static inline scree_status hard_add_rule(struct scree_world *world, const struct scree_contact_law *law)
{
    static const struct scree_interaction_value all[] = {
        {"restitution", 0.9, NULL},       {"friction", 0.3, NULL},  {"tangential-restitution", 0.4, NULL},
        {"dissipation-time", 1e-5, NULL}, {"stiffness", 1e6, NULL}, {"speed", 2, NULL},
        {"exponent", 0.75, NULL}};
    struct scree_interaction_value values[sizeof all / sizeof all[0]];
    size_t count = 0;
    for (size_t v = 0; v < sizeof all / sizeof all[0]; ++v)
        for (const struct scree_law_parameter *p = law->parameters; p->name; ++p)
            if (strcmp(p->name, all[v].name) == 0)
                values[count++] = all[v];
    return scree_interaction_add(
        world, &(struct scree_interaction_def){.law = law->name, .values = values, .count = count});
}

static inline scree_status hard_add_walls(struct scree_world *world, const struct hard_world *hard,
                                          scree_material_id material, double top)
{
    const double gravity[3] = {0, -3, 0};
    SCREE_TRY(scree_world_set_gravity(world, gravity));
    for (int w = 0; w < 2; ++w) {
        struct scree_wall_def def = {.shape = SCREE_WALL_PLANE, .material = material};
        scree_wall_id id;
        def.plane.point[1] = w ? top : 0;
        def.plane.normal[1] = w ? -1 : 1;
        SCREE_TRY(scree_wall_add(world, &def, &id));
        const double belt[3] = {1, 0, hard->dimension == 3 ? 0.5 : 0}, spin[3] = {0};
        SCREE_TRY(w ? scree_wall_set_roughness(world, id, &(struct scree_wall_roughness){0.1, 3})
                    : scree_wall_set_surface_motion(world, id, belt, spin));
    }
    return SCREE_OK;
}

static inline scree_status hard_add_shapes(struct scree_world *world, const struct hard_world *hard,
                                           scree_material_id material)
{
    static const double blade[4][3] = {{2.4, 3, 3.6}, {3.5, 3.1, 3.7}, {2.5, 3.2, 4.4}, {3.6, 2.8, 4.3}};
    static const uint32_t facets[2][3] = {{0, 1, 2}, {1, 3, 2}};
    const struct scree_wall_def solid[] = {
        {.shape = SCREE_WALL_SPHERE,
         .sphere = {.centre = {1.5, 3, 1.5}, .radius = 0.5, .side = SCREE_WALL_OUTSIDE},
         .velocity = {0, 0.02, 0}},
        {.shape = SCREE_WALL_CONE,
         .cone = {.from = {4, 2.6, 1.5}, .to = {4, 3.4, 1.5}, .radius = {0.5, 0.2}},
         .spin = {0, 1, 0}},
        {.shape = SCREE_WALL_MESH,
         .mesh = {.vertex = blade, .vertices = 4, .facet = facets, .facets = 2},
         .spin = {0, 0.5, 2}},
        {.shape = SCREE_WALL_DISK,
         .disk = {.centre = {1.5, 3, 4.2}, .normal = {0.3, 1, 0}, .radius = 0.6, .hole = 0.2}},
        {.shape = SCREE_WALL_BOX,
         .box = {.lower = {4.3, 2.6, 3.6}, .upper = {5, 3.4, 4.4}, .side = SCREE_WALL_OUTSIDE}}};
    const struct scree_wall_def flat[] = {
        {.shape = SCREE_WALL_RECTANGLE,
         .rectangle = {.corner = {3, 3, 0}, .edge = {{1, 0, 0}, {0, 0, 1}}},
         .spin = {0, 0, 2}},
        {.shape = SCREE_WALL_CYLINDER, .cylinder = {.from = {1.5, 3, 0}, .to = {1.5, 3, 1}, .radius = 0.5}}};
    const bool is_flat = hard->dimension == 2;
    const size_t count = is_flat ? sizeof flat / sizeof flat[0] : sizeof solid / sizeof solid[0];
    for (size_t w = 0; w < count; ++w) {
        struct scree_wall_def def = is_flat ? flat[w] : solid[w];
        scree_wall_id id;
        def.material = material;
        SCREE_TRY(scree_wall_add(world, &def, &id));
    }
    return SCREE_OK;
}

// A body of two or three spheres or disks with this centre and motion; the second has no symmetry.
static inline scree_status hard_add_clump(struct scree_world *world, const struct scree_sphere_def *like,
                                          bool flat, size_t pebbles)
{
    const double r = 0.5 * like->radius;
    const struct scree_pebble pebble[3] = {{.offset = {-r, 0, 0}, .radius = r},
                                           {.offset = {0.8 * r, 0, 0}, .radius = r},
                                           {.offset = {0, 0.9 * r, flat ? 0 : 0.3 * r}, .radius = 0.7 * r}};
    struct scree_clump_def def = {
        .body = {.mass = 0.5, .material = like->material, .orientation = {0.8, 0, 0, 0.6}},
        .pebble = pebble,
        .pebbles = pebbles,
        .equal_radius = r};
    const double size = 0.5 * r * r;
    if (flat)
        def.body.polar = size;
    else
        memcpy(def.body.inertia, (double[3]){0.4 * size, pebbles == 2 ? size : 0.8 * size, size},
               sizeof def.body.inertia);
    memcpy(def.body.position, like->position, sizeof like->position);
    memcpy(def.body.velocity, like->velocity, (flat ? 2 : 3) * sizeof like->velocity[0]);
    def.body.spin[2] = like->spin[2];
    def.body.spin[0] = flat ? 0 : like->spin[0];
    scree_body_id id;
    return scree_body_add_clump(world, &def, &id);
}

// Bodies of different sizes on a lattice with random velocities.
static inline scree_status hard_add_bodies(struct scree_world *world, const struct hard_world *hard,
                                           scree_material_id material)
{
    const int layers = hard->dimension == 3 ? HARD_SIDE : 1;
    uint64_t seed = 9;
    scree_body_id id;
    for (int b = 0; b < HARD_SIDE * HARD_SIDE * layers; ++b) {
        struct scree_sphere_def sphere = {.radius = 0.3 + 0.1 * splitmix_signed(&seed), .material = material};
        const int at[3] = {b % HARD_SIDE, b / HARD_SIDE % HARD_SIDE, b / HARD_SIDE / HARD_SIDE};
        if (hard->shapes && at[1] / 2 == 1)
            continue;
        for (int k = 0; k < 3; ++k) {
            sphere.position[k] = k < hard->dimension ? at[k] + 0.5 : 0;
            sphere.velocity[k] = splitmix_signed(&seed);
            sphere.spin[k] = splitmix_signed(&seed);
        }
        if (hard->clumps && b % 3 > 0) {
            SCREE_TRY(hard_add_clump(world, &sphere, hard->dimension == 2, (size_t)b % 3 + 1));
            continue;
        }
        struct scree_disk_def disk = {
            .radius = sphere.radius, .thickness = 0.5, .material = material, .spin = sphere.spin[2]};
        memcpy(disk.position, sphere.position, sizeof disk.position);
        memcpy(disk.velocity, sphere.velocity, sizeof disk.velocity);
        SCREE_TRY(hard->dimension == 3 ? scree_body_add_sphere(world, &sphere, &id)
                                       : scree_body_add_disk(world, &disk, &id));
    }
    return SCREE_OK;
}

static inline scree_status hard_fill(struct scree_world *world, const struct hard_world *hard,
                                     const struct scree_contact_law *law)
{
    const bool flat = hard->dimension == 2;
    const double top = HARD_SIDE;
    scree_material_id material;
    SCREE_TRY(scree_material_add(world, &(struct scree_material_def){"m", 10}, &material));
    SCREE_TRY(scree_material_set(world, material, "young", 1e6));
    SCREE_TRY(scree_material_set(world, material, "poisson", 0.25));
    SCREE_TRY(hard_add_rule(world, law));
    SCREE_TRY(scree_cell_set(world, &(struct scree_cell_def){.lower = {0, 0, flat ? -1 : 0},
                                                             .upper = {top, top, flat ? 1 : top},
                                                             .periodic = {true, !hard->walls, !flat}}));
    if (hard->walls)
        SCREE_TRY(hard_add_walls(world, hard, material, top));
    if (hard->shapes)
        SCREE_TRY(hard_add_shapes(world, hard, material));
    if (hard->clumps)
        SCREE_TRY(scree_world_integrate_sphere_orientation(world));
    if (hard->shear != 0 || hard->squeeze != 0) {
        const double gradient[9] = {0, hard->shear, 0, 0, -hard->squeeze};
        SCREE_TRY(scree_world_integrate_sphere_orientation(world));
        SCREE_TRY(scree_cell_set_form(world, SCREE_CELL_NEWTON));
        SCREE_TRY(scree_cell_deform(world, gradient));
    }
    return hard_add_bodies(world, hard, material);
}

static inline scree_status hard_create(struct scree_world *world, const struct hard_world *hard,
                                       struct scree_engine **engine)
{
    const struct scree_event_def event = {
        .step = 0.25, .contact_time = hard->contact_time, .elastic_below = hard->elastic_below};
    const struct scree_stochastic_def stochastic = {
        .step = event.step,
        .cell = 1.7,
        .partner = hard->engine == HARD_WITH_FICTITIOUS ? SCREE_STOCHASTIC_FICTITIOUS : SCREE_STOCHASTIC_BODY,
        .seed = 4,
        .contact_time = hard->contact_time,
        .elastic_below = hard->elastic_below};
    return hard->engine == HARD_EVENT ? scree_event_create(world, &event, engine)
                                      : scree_stochastic_create(world, &stochastic, engine);
}

static inline scree_status hard_run_steps(struct scree_world *world, const struct hard_world *hard,
                                          uint64_t steps)
{
    struct scree_engine *engine;
    SCREE_TRY(hard_create(world, hard, &engine));
    const scree_status status = scree_engine_run(engine, steps);
    scree_engine_destroy(engine);
    return status;
}

// Runs a world, in one piece or with a new engine after the first third, and returns its digest.
static inline scree_status hard_run(const struct hard_world *hard, bool divided, struct scree_digest *digest)
{
    const struct scree_contact_law *law = NULL;
    for (size_t l = 0; scree_law_at(l); ++l)
        if (strcmp(scree_law_at(l)->name, hard->law) == 0)
            law = scree_law_at(l);
    struct scree_world *world;
    SCREE_TRY(scree_world_create(&(struct scree_world_def){.dimension = hard->dimension}, &world));
    scree_status status = hard_fill(world, hard, law);
    if (status == SCREE_OK && divided)
        status = hard_run_steps(world, hard, HARD_STEPS / 3);
    if (status == SCREE_OK)
        status = hard_run_steps(world, hard, divided ? HARD_STEPS - HARD_STEPS / 3 : HARD_STEPS);
    if (status == SCREE_OK)
        status = scree_world_digest(world, digest);
    scree_world_destroy(world);
    return status;
}

#endif
