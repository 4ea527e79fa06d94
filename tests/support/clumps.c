// Clumps of spheres that do not overlap, see clumps.h.

#include "support/clumps.h"

#include "math/eigen.h"

static struct scree_vec3 centre_of(const double (*sphere)[4], size_t count, double *cubes)
{
    struct scree_vec3 moment = scree_vec3_zero();
    *cubes = 0;
    for (size_t p = 0; p < count; ++p) {
        const double cube = pow(sphere[p][3], 3);
        moment = scree_vec3_add_scaled(moment, cube, scree_vec3_load(sphere[p]));
        *cubes += cube;
    }
    return scree_vec3_scale(moment, 1 / *cubes);
}

// 2/5 m r^2 of each sphere and m (d^2 1 - d d) of its centre.
static struct scree_mat3 tensor_of(const double (*sphere)[4], size_t count, double density,
                                   struct scree_vec3 centre)
{
    struct scree_mat3 tensor = scree_mat3_diagonal(scree_vec3_zero());
    for (size_t p = 0; p < count; ++p) {
        const double r = sphere[p][3], mass = density * 4 / 3 * acos(-1) * r * r * r;
        const struct scree_vec3 d = scree_vec3_sub(scree_vec3_load(sphere[p]), centre);
        const double own = 0.4 * r * r + scree_vec3_norm_squared(d);
        tensor = scree_mat3_add_scaled(tensor, mass * own, scree_mat3_identity());
        tensor =
            scree_mat3_add_scaled(tensor, -mass,
                                  scree_mat3_from_rows(scree_vec3_scale(d, d.x), scree_vec3_scale(d, d.y),
                                                       scree_vec3_scale(d, d.z)));
    }
    return tensor;
}

void scree_test_clump_make(const double (*sphere)[4], size_t count, double density,
                           struct scree_test_clump *clump)
{
    double cubes;
    const struct scree_vec3 centre = centre_of(sphere, count, &cubes);
    const struct scree_eigen eigen = scree_eigen_symmetric(tensor_of(sphere, count, density, centre));
    *clump = (struct scree_test_clump){.def = {.pebbles = count, .equal_radius = cbrt(cubes)}};
    clump->def.body.mass = density * 4 / 3 * acos(-1) * cubes;
    scree_vec3_store(eigen.values, clump->def.body.inertia);
    for (size_t p = 0; p < count; ++p) {
        const struct scree_vec3 d = scree_vec3_sub(scree_vec3_load(sphere[p]), centre);
        scree_vec3_store(scree_mat3_apply_transposed(eigen.vectors, d), clump->pebble[p].offset);
        clump->pebble[p].radius = sphere[p][3];
    }
}

void scree_test_clump_dimer(double gap, double density, struct scree_test_clump *clump)
{
    const double sphere[2][4] = {{-0.5 - 0.5 * gap, 0, 0, 0.5}, {0.5 + 0.5 * gap, 0, 0, 0.5}};
    scree_test_clump_make(sphere, 2, density, clump);
}

void scree_test_clump_irregular(double density, struct scree_test_clump *clump)
{
    static const double sphere[5][4] = {{0, 0, 0, 0.35},
                                        {0.6, 0, 0, 0.25},
                                        {-0.4, 0.4, 0, 0.2},
                                        {0.1, -0.55, 0.1, 0.2},
                                        {0.05, 0.1, 0.6, 0.25}};
    scree_test_clump_make(sphere, 5, density, clump);
}

scree_body_id scree_test_clump_add(struct scree_world *world, const struct scree_test_clump *clump,
                                   scree_material_id material, const struct scree_rigid_def *at)
{
    struct scree_clump_def def = clump->def;
    scree_body_id id;
    def.pebble = clump->pebble;
    def.body.material = material;
    def.body.fixed = at->fixed;
    memcpy(def.body.position, at->position, sizeof def.body.position);
    memcpy(def.body.orientation, at->orientation, sizeof def.body.orientation);
    memcpy(def.body.velocity, at->velocity, sizeof def.body.velocity);
    memcpy(def.body.spin, at->spin, sizeof def.body.spin);
    assert_ok(scree_body_add_clump(world, &def, &id));
    return id;
}
