// Concave bodies of boxes, see concave.h.

#include "support/concave.h"

#include "support/worlds.h"

#define HALF 0.70710678118654752

const struct scree_concave scree_concave_ell = {
    2, {{{3, 1, 1}, {0, 0, 0}, {0}}, {{1, 1, 2}, {-1, 0, 1.5}, {0}}}};
const struct scree_concave scree_concave_you = {
    3, {{{3, 1, 1}, {0, 0, 0}, {0}}, {{1, 1, 2}, {-1, 0, 1.5}, {0}}, {{1, 1, 2}, {1, 0, 1.5}, {0}}}};
const struct scree_concave scree_concave_whole = {1, {{{1, 1.2, 0.8}, {0, 0, 0}, {0}}}};
const struct scree_concave scree_concave_halves = {2,
                                                   {{{1.2, 0.3, 0.8}, {-0.35, 0, 0}, {HALF, 0, 0, HALF}},
                                                    {{0.8, 1.2, 0.7}, {0.15, 0, 0}, {HALF, 0, HALF, 0}}}};

void scree_concave_parts(struct scree_world *world, const struct scree_concave *shape, double rounding,
                         struct scree_pebble *part)
{
    for (size_t p = 0; p < shape->boxes; ++p) {
        double edge[3];
        part[p] = (struct scree_pebble){.radius = 0};
        for (int k = 0; k < 3; ++k) {
            edge[k] = scree_concave_width * shape->box[p].edge[k];
            part[p].offset[k] = scree_concave_width * shape->box[p].at[k];
        }
        memcpy(part[p].orientation, shape->box[p].orientation, sizeof part[p].orientation);
        assert_ok(scree_polyhedron_add_box(world, edge, rounding, &part[p].shape));
    }
}

scree_body_id scree_concave_add(struct scree_world *world, const struct scree_concave *shape, double rounding,
                                const struct scree_rigid_def *at)
{
    struct scree_pebble part[SCREE_CONCAVE_MOST];
    struct scree_shape_mass mass;
    struct scree_clump_def def = {.body = *at};
    scree_body_id id;
    scree_concave_parts(world, shape, rounding, part);
    assert_ok(scree_shape_mass_clump(world, part, shape->boxes, &mass));
    assert_ok(scree_shape_place_clump(&mass, 1000, part, shape->boxes, &def));
    assert_ok(scree_body_add_clump(world, &def, &id));
    return id;
}
