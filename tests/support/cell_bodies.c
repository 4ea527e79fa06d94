// Bodies of all kinds in a cell, see cell_bodies.h.

#include "support/cell_bodies.h"

const double scree_cell_bodies_shear[9] = {0, 5, 0, 0, 0, 0, 0, 0, 0},
             scree_cell_bodies_general[9] = {-1, 1, 0.5, 0.3, 0.7, -1, 0.2, 1, 0.4},
             scree_cell_bodies_none[9] = {0};

static const struct scree_interaction_value law_values[] = {
    {"stiffness", 1e4, NULL}, {"friction", 0.4, NULL}, {"restitution", 0.6, NULL}};

scree_material_id scree_cell_bodies_law(struct scree_world *world)
{
    const scree_material_id material = scree_test_material(world);
    const struct scree_interaction_def def = {
        .law = "linear", .between = {material, material}, .values = law_values, .count = 3};
    assert_ok(scree_interaction_add(world, &def));
    return material;
}

void scree_cell_bodies_clump(double reach, struct scree_test_clump *clump)
{
    const double scale = reach / 0.85;
    scree_test_clump_irregular(1000, clump);
    clump->def.body.mass *= scale * scale * scale;
    clump->def.equal_radius *= scale;
    for (int k = 0; k < 3; ++k)
        clump->def.body.inertia[k] *= pow(scale, 5);
    for (size_t p = 0; p < clump->def.pebbles; ++p) {
        clump->pebble[p].radius *= scale;
        for (int k = 0; k < 3; ++k)
            clump->pebble[p].offset[k] *= scale;
    }
}

uint64_t scree_cell_bodies_add(struct scree_world *world, enum scree_cell_bodies_kind kind, int number,
                               double reach, scree_material_id material, const struct scree_rigid_def *at)
{
    const int which = kind == SCREE_CELL_BODIES_MIXED    ? number % 4
                      : kind == SCREE_CELL_BODIES_BONDED ? number % 2 * SCREE_CELL_BODIES_MIXED
                                                         : (int)kind;
    if (which == SCREE_CELL_BODIES_MIXED)
        return scree_cells_add(world, material, 0.6 * reach, at->position, at->velocity, at->spin);
    if (which == SCREE_CELL_BODIES_CLUMPS) {
        struct scree_test_clump clump;
        scree_cell_bodies_clump(reach, &clump);
        return scree_test_clump_add(world, &clump, material, at).value;
    }
    const double unit = reach / (which == SCREE_CELL_BODIES_BOXES ? 0.98 : 1.7), rounding = 0.1 * reach;
    scree_body_id id;
    scree_shape_id box;
    const double edge[3] = {1.3 * unit, 1.1 * unit, 1 * unit};
    assert_ok(scree_polyhedron_add_box(world, edge, rounding, &box));
    if (which == SCREE_CELL_BODIES_BOXES) {
        struct scree_polyhedron_def def = {.shape = box, .material = material};
        memcpy(def.position, at->position, sizeof def.position);
        memcpy(def.orientation, at->orientation, sizeof def.orientation);
        memcpy(def.velocity, at->velocity, sizeof def.velocity);
        memcpy(def.spin, at->spin, sizeof def.spin);
        assert_ok(scree_polyhedron_add(world, &def, &id));
        return id.value;
    }
    // two boxes in an L; mass and inertia of any body will do
    struct scree_pebble part[2] = {{.offset = {-0.3 * unit, 0.4 * unit, 0}, .shape = box},
                                   {.offset = {0.5 * unit, -0.4 * unit, 0}, .shape = box}};
    struct scree_clump_def def = {.body = *at, .pebble = part, .pebbles = 2, .equal_radius = unit};
    const double mass = 1000 * 2 * edge[0] * edge[1] * edge[2];
    def.body.mass = mass;
    def.body.material = material;
    for (int k = 0; k < 3; ++k)
        def.body.inertia[k] = (0.3 + 0.1 * k) * mass * unit * unit;
    assert_ok(scree_body_add_clump(world, &def, &id));
    return id.value;
}

void scree_cell_bodies_join(struct scree_world *world, uint64_t clump, uint64_t sphere, double damping_ratio)
{
    const struct scree_bond_def def = {.kind = SCREE_BOND_EULER,
                                       .side = {{{clump}, 1}, {{sphere}, 0}},
                                       .radius = 0.03,
                                       .young = 1e6,
                                       .shear_modulus = 4e5,
                                       .damping_ratio = damping_ratio};
    scree_bond_id id;
    assert_ok(scree_bond_add(world, &def, &id));
}

// A random position, orientation and motion in a cell.
struct scree_rigid_def scree_cell_bodies_motion(const double vectors[9], uint64_t *seed)
{
    struct scree_rigid_def at = {0};
    double s[3], square = 0;
    for (int k = 0; k < 3; ++k) {
        s[k] = 0.5 + 0.5 * splitmix_signed(seed);
        at.velocity[k] = 0.05 * splitmix_signed(seed);
        at.spin[k] = splitmix_signed(seed);
    }
    for (int k = 0; k < 3; ++k)
        at.position[k] = s[0] * vectors[k] + s[1] * vectors[3 + k] + s[2] * vectors[6 + k];
    for (int k = 0; k < 4; ++k) {
        at.orientation[k] = splitmix_signed(seed);
        square += at.orientation[k] * at.orientation[k];
    }
    for (int k = 0; k < 4; ++k)
        at.orientation[k] /= sqrt(square);
    return at;
}
