// Small worlds of dimers and trimers for the event engine.

#ifndef SCREE_SUPPORT_HARD_CLUMPS_H
#define SCREE_SUPPORT_HARD_CLUMPS_H

#include "support/clumps.h"

#include <scree/event.h>

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

static inline struct hard hard_make(const struct scree_world_def *def, double restitution, double friction,
                                    double tangential)
{
    struct hard hard = {NULL, NULL, {0}};
    assert_ok(scree_world_create(def, &hard.world));
    assert_ok(scree_material_add(hard.world, &(struct scree_material_def){.name = "hard", .density = 1},
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

// Two spheres of radius 0.35 at a distance of 0.7; and three, with three different moments.
static inline void hard_make_shape(int kind, struct scree_test_clump *shape)
{
    static const double spheres[2][3][4] = {{{-0.35, 0, 0, 0.35}, {0.35, 0, 0, 0.35}},
                                            {{0, 0, 0, 0.3}, {0.5, 0, 0, 0.2}, {0.1, 0.5, 0.05, 0.2}}};
    scree_test_clump_make(spheres[kind], (size_t)kind + 2, 1, shape);
}

static inline scree_body_id hard_add(struct hard *hard, int kind, const struct scree_rigid_def *at)
{
    struct scree_test_clump shape;
    hard_make_shape(kind, &shape);
    return scree_test_clump_add(hard->world, &shape, hard->material, at);
}

#endif
