// Polyhedra as bodies. References: closed forms of rest, impact and sliding of a cube; conservation laws.

#include "math/real.h"
#include "math/vec3.h"
#include "support/clumps.h"

#include <scree/contact.h>
#include <scree/energy.h>
#include <scree/laws.h>
#include <scree/polyhedron.h>

static void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", got, expected, tolerance);
}

struct setting {
    double gravity[3], friction, restitution, stiffness;
    const double (*plane)[3]; // point and normal
};

static struct scree_world *make_world(const struct setting *setting, scree_material_id *material)
{
    struct scree_world *world;
    scree_wall_id wall;
    struct scree_world_def def = {0};
    memcpy(def.gravity, setting->gravity, sizeof def.gravity);
    assert_ok(scree_world_create(&def, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, material));
    const struct scree_interaction_value values[] = {{"friction", setting->friction, NULL},
                                                     {"restitution", setting->restitution, NULL},
                                                     {"stiffness", setting->stiffness, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    struct scree_wall_def plane = {.shape = SCREE_WALL_PLANE, .material = *material};
    if (setting->plane) {
        memcpy(plane.plane.point, setting->plane[0], sizeof plane.plane.point);
        memcpy(plane.plane.normal, setting->plane[1], sizeof plane.plane.normal);
        assert_ok(scree_wall_add(world, &plane, &wall));
    }
    return world;
}

static scree_body_id add_cube(struct scree_world *world, scree_material_id material, double edge,
                              double rounding, const struct scree_polyhedron_def *at)
{
    scree_body_id id;
    scree_shape_id shape;
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){edge, edge, edge}, rounding, &shape));
    struct scree_polyhedron_def def = *at;
    def.shape = shape;
    def.material = material;
    assert_ok(scree_polyhedron_add(world, &def, &id));
    return id;
}

static struct scree_engine *make_engine(struct scree_world *world, double step, int threads)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = step, .threads = threads}, &engine));
    return engine;
}

static double kinetic(struct scree_world *world)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    return energy.translation + energy.rotation;
}

static void a_cube_dropped_flat_comes_to_rest(void **state)
{
    (void)state;
    static const double plane[2][3] = {{0, 0, 0}, {0, 0, 1}};
    scree_material_id material;
    struct scree_world *world = make_world(
        &(struct setting){{0, 0, -10}, 0.5, 0.5, 1e5, plane}, &material);
    add_cube(world, material, 0.1, 0.002, &(struct scree_polyhedron_def){.position = {0, 0, 0.06}});
    struct scree_engine *engine = make_engine(world, 1e-5, 1);
    assert_ok(scree_engine_run(engine, 100000));
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    print_message("kinetic %g total %.17g input %g friction %g dashpot %g elastic %g gravity %g count %zu\n",
                  energy.translation + energy.rotation, energy.balance, energy.energy_input, energy.friction,
                  energy.dashpot, energy.elastic, energy.gravity, scree_contact_count(world));
    // the drop is that of the mass 1 kg by 8 mm: 0.08 J
    assert_true(kinetic(world) < 1e-10 * 0.08);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_dropped_flat_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
