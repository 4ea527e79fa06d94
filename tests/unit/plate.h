// A world and a rectangular wall, shared by the tests of walls.

#ifndef SCREE_TESTS_PLATE_H
#define SCREE_TESTS_PLATE_H

#include "support/worlds.h"
#include "world/wall.h"

static const struct scree_wall_def plate = {
    .shape = SCREE_WALL_RECTANGLE,
    .material = {1},
    .rectangle = {{0.25, 0.5, 1}, {{2, 0, 0}, {0, 1, 0}}},
};

static inline struct scree_world *make_world(int dimension)
{
    struct scree_world *world;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = dimension}, &world));
    (void)scree_test_material(world);
    return world;
}

static inline scree_wall_id add(struct scree_world *world, const struct scree_wall_def *def)
{
    scree_wall_id id;
    assert_ok(scree_wall_add(world, def, &id));
    return id;
}

static inline struct scree_wall_state state_of(const struct scree_world *world, scree_wall_id id)
{
    struct scree_wall_state state;
    assert_ok(scree_wall_get(world, id, &state));
    return state;
}

#endif
