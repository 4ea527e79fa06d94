// Small worlds of hard spheres and disks for the event engine.

#ifndef SCREE_SUPPORT_HARD_BODIES_H
#define SCREE_SUPPORT_HARD_BODIES_H

#include "support/worlds.h"

#include <scree/event.h>

#include <math.h>

static inline void hard_within(double got, double expected, double error)
{
    if (!(fabs(got - expected) <= error))
        fail_msg("%.17g instead of %.17g, beyond %g", got, expected, error);
}

struct hard {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
};

static inline struct hard hard_make(const struct scree_world_def *def, double density, double restitution,
                                    double friction, double tangential)
{
    struct hard hard = {NULL, NULL, {0}};
    assert_ok(scree_world_create(def, &hard.world));
    assert_ok(scree_material_add(hard.world, &(struct scree_material_def){.name = "hard", .density = density},
                                 &hard.material));
    const struct scree_interaction_value values[] = {{"restitution", restitution, NULL},
                                                     {"friction", friction, NULL},
                                                     {"tangential-restitution", tangential, NULL}};
    assert_ok(scree_interaction_add(
        hard.world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 3}));
    return hard;
}

static inline void hard_start(struct hard *hard, double step)
{
    assert_ok(scree_event_create(hard->world, &(struct scree_event_def){.step = step}, &hard->engine));
}

static inline void hard_end(struct hard *hard)
{
    scree_engine_destroy(hard->engine);
    scree_world_destroy(hard->world);
}

static inline struct scree_body_state hard_state_of(const struct hard *hard, scree_body_id id)
{
    struct scree_body_state state;
    assert_ok(scree_body_get(hard->world, id, &state));
    return state;
}

// A sphere, or a disk of thickness 1.
static inline void hard_add_body(struct scree_world *world, const double *x, const double *v, double radius,
                                 scree_material_id material)
{
    scree_body_id id;
    if (scree_world_dimension(world) == 2) {
        const struct scree_disk_def def = {.radius = radius,
                                           .thickness = 1,
                                           .material = material,
                                           .position = {x[0], x[1]},
                                           .velocity = {v[0], v[1]}};
        assert_ok(scree_body_add_disk(world, &def, &id));
    } else {
        const struct scree_sphere_def def = {.radius = radius,
                                             .material = material,
                                             .position = {x[0], x[1], x[2]},
                                             .velocity = {v[0], v[1], v[2]}};
        assert_ok(scree_body_add_sphere(world, &def, &id));
    }
}

#endif
