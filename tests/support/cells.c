// Worlds with a cell of given vectors, see cells.h.

#include "support/cells.h"

const double scree_cells_cube[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, scree_cells_origin[3] = {0, 0, 0};
const double scree_cells_skewed[9] = {1, 0.1, 0, 0.45, 0.9, 0.2, -0.3, 0.35, 1.1};

// Grains at random places have any overlap.
struct scree_engine *scree_cells_engine(struct scree_world *world, double step, int threads)
{
    const struct scree_soft_def def = {
        .step = step, .threads = threads, .alarms.policy[SCREE_ALARM_OVERLAP] = SCREE_ALARM_IGNORE};
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &def, &engine));
    return engine;
}

struct scree_cells scree_cells_make(const double vectors[9], double step)
{
    struct scree_cells made = {.world = scree_test_empty_world()};
    assert_ok(scree_cell_set_vectors(made.world, scree_cells_origin, vectors));
    made.engine = scree_cells_engine(made.world, step, 1);
    return made;
}

void scree_cells_end(struct scree_cells *made)
{
    scree_test_end(made->world, made->engine);
}

scree_material_id scree_cells_add_law(struct scree_world *world)
{
    const struct scree_interaction_value values[] = {
        {"stiffness", 1e4, NULL}, {"friction", 0.4, NULL}, {"restitution", 0.6, NULL}};
    const scree_material_id material = scree_test_material(world);
    const struct scree_interaction_def def = {
        .law = "linear", .between = {material, material}, .values = values, .count = 3};
    assert_ok(scree_interaction_add(world, &def));
    return material;
}

uint64_t scree_cells_add(struct scree_world *world, scree_material_id material, double radius,
                         const double position[3], const double velocity[3], const double spin[3])
{
    struct scree_sphere_def def = {.radius = radius, .material = material};
    scree_body_id id;
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.velocity, velocity, sizeof def.velocity);
    memcpy(def.spin, spin, sizeof def.spin);
    assert_ok(scree_body_add_sphere(world, &def, &id));
    return id.value;
}

void scree_cells_random(const double vectors[9], uint64_t *seed, double position[3], double velocity[3],
                        double spin[3])
{
    double s[3];
    for (int k = 0; k < 3; ++k) {
        s[k] = 0.5 + 0.5 * splitmix_signed(seed);
        velocity[k] = 0.05 * splitmix_signed(seed);
        spin[k] = splitmix_signed(seed);
    }
    for (int k = 0; k < 3; ++k)
        position[k] = s[0] * vectors[k] + s[1] * vectors[3 + k] + s[2] * vectors[6 + k];
}

void scree_cells_add_crystal(struct scree_world *world, scree_material_id material, const double vectors[9],
                             int cells, double radius, uint64_t *seed, uint64_t *id)
{
    static const double base[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    const double side = 1.0 / cells;
    for (int c = 0; c < cells * cells * cells; ++c)
        for (int b = 0; b < 4; ++b) {
            const double s[3] = {side * (c % cells + base[b][0]), side * (c / cells % cells + base[b][1]),
                                 side * (c / cells / cells + base[b][2])};
            double x[3] = {0}, v[3], w[3];
            for (int k = 0; k < 3; ++k) {
                v[k] = 0.05 * splitmix_signed(seed);
                w[k] = splitmix_signed(seed);
                for (int j = 0; j < 3; ++j)
                    x[k] += vectors[3 * j + k] * s[j];
            }
            id[4 * c + b] = scree_cells_add(world, material, radius, x, v, w);
        }
}

struct scree_cell_state scree_cells_state(const struct scree_world *world)
{
    struct scree_cell_state state;
    assert_ok(scree_cell_get_state(world, &state));
    return state;
}
