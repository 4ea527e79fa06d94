// Polyhedra at curved walls. References: closed forms of rest, and conservation of energy.

#include "support/worlds.h"

#include <scree/cell.h>
#include <scree/contact.h>
#include <scree/energy.h>
#include <scree/polyhedron.h>
#include <scree/polyhedron_shape.h>

static const double edge = 0.1, rounding = 0.004, radius = 0.3;

struct setting {
    double gravity, friction, restitution, stiffness;
};

static struct scree_world *make_world(const struct setting *setting, struct scree_wall_def wall)
{
    struct scree_world *world;
    scree_material_id material;
    scree_wall_id id;
    const struct scree_interaction_value values[] = {{"friction", setting->friction, NULL},
                                                     {"restitution", setting->restitution, NULL},
                                                     {"stiffness", setting->stiffness, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -setting->gravity}}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    wall.material = material;
    assert_ok(scree_wall_add(world, &wall, &id));
    return world;
}

static void add_box(struct scree_world *world, const double length[3], struct scree_polyhedron_def def)
{
    scree_body_id id;
    def.material = (scree_material_id){1};
    assert_ok(scree_polyhedron_add_box(world, length, rounding, &def.shape));
    assert_ok(scree_polyhedron_add(world, &def, &id));
}

// Along x, from -1 m to 1 m, or of a sphere; with slopes of a cone, whose radius is `radius` in the middle.
static struct scree_wall_def wall_of(enum scree_wall_shape shape, enum scree_wall_side side)
{
    return (struct scree_wall_def){
        .shape = shape,
        .sphere = {.radius = radius, .side = side},
        .cylinder = {.from = {-1, 0, 0}, .to = {1, 0, 0}, .radius = radius},
        .cone = {.from = {-1, 0, 0}, .to = {1, 0, 0}, .radius = {0.5 * radius, 1.5 * radius}}};
}

static double mass_of(struct scree_world *world)
{
    struct scree_polyhedron_shape shape;
    assert_ok(scree_polyhedron_get_shape(world, (scree_shape_id){1}, &shape));
    return 1000 * shape.volume;
}

// Runs until oscillations have decayed: by a factor of e in less than a period of 2 pi sqrt(m / 2 k), 4 ms,
// for a restitution of 0.3. Half a second is 100 of them; what is left is round-off.
static double height_at_rest(const struct scree_wall_def *wall, double friction, double start,
                             size_t contacts, double *mass)
{
    struct scree_world *world = make_world(&(struct setting){10, friction, 0.3, 1e6}, *wall);
    add_box(world, (const double[3]){edge, edge, edge},
            (struct scree_polyhedron_def){.position = {0, 0, start}});
    struct scree_engine *engine = scree_test_plain_engine(world, 2e-5);
    assert_ok(scree_engine_run(engine, 25000));
    assert_int_equal(scree_contact_count(world), contacts);
    *mass = mass_of(world);
    const double height = scree_test_state(world, 1).position[2];
    scree_test_end(world, engine);
    return height;
}

// The centres of the rounded corners are at half of the core from the middle, c. In a cylinder the lower four
// are at the distance R - r + d from the axis, with the overlap d = m g / (4 k cos a), sin a = c / (R - r);
// in a sphere c sqrt(2) is in the place of c. They all load springs towards the axis or centre.
static void a_cube_in_a_cylinder_or_sphere_rests_on_four_corners(void **state)
{
    (void)state;
    const double c = 0.5 * edge - rounding;
    for (int shape = 0; shape < 2; ++shape) {
        const struct scree_wall_def wall =
            wall_of(shape == 0 ? SCREE_WALL_CYLINDER : SCREE_WALL_SPHERE, SCREE_WALL_INSIDE);
        const double beside = shape == 0 ? c : c * sqrt(2), loose = radius - rounding,
                     start = c - sqrt(loose * loose - beside * beside);
        double mass;
        const double height = height_at_rest(&wall, 0, start, 4, &mass);
        // cos a follows from the distance; the overlap is small, so this converges in a few rounds
        double distance = loose;
        for (int round = 0; round < 50; ++round) {
            const double cosine = sqrt(1 - beside * beside / (distance * distance));
            distance = loose + mass * 10 / (4e6 * cosine);
        }
        const double expected = c - sqrt(distance * distance - beside * beside);
        if (!(fabs(height - expected) < 1e-12 && start - height > 1e-6))
            fail_msg("shape %d: %.15g, not %.15g", shape, height, expected);
    }
}

// The lower face touches the top of a cylinder with two edges across it, in their middle, where their smooth
// distance is the true one. Each carries half of the weight. A solid sphere carries all of it at one point.
static void a_cube_lies_on_a_cylinder_and_on_a_sphere(void **state)
{
    (void)state;
    const double start = radius + 0.5 * edge;
    double mass;
    struct scree_wall_def wall = wall_of(SCREE_WALL_CYLINDER, SCREE_WALL_OUTSIDE);
    double height = height_at_rest(&wall, 0.5, start, 2, &mass);
    assert_true(fabs(height - (start - mass * 10 / 2e6)) < 1e-12);
    wall = wall_of(SCREE_WALL_SPHERE, SCREE_WALL_OUTSIDE);
    height = height_at_rest(&wall, 0.5, start, 1, &mass);
    assert_true(fabs(height - (start - mass * 10 / 1e6)) < 1e-12);
}

// Elastic impacts from inside and outside: the error is that of the integration. Instants of impact within a
// step change it by a factor of several, so for an eighth of the step it must fall by more than in a method
// of order 1; in one of order 2 it is a 64th.
static void elastic_impacts_conserve_energy(void **state)
{
    (void)state;
    static const enum scree_wall_shape shapes[] = {SCREE_WALL_SPHERE, SCREE_WALL_CYLINDER, SCREE_WALL_CONE};
    for (int n = 0; n < 6; ++n) {
        const enum scree_wall_side side = n % 2 ? SCREE_WALL_OUTSIDE : SCREE_WALL_INSIDE;
        const double sign = n % 2 ? 1 : -1;
        double error[2];
        for (int k = 0; k < 2; ++k) {
            const double step = k == 0 ? 8e-6 : 1e-6;
            struct scree_energy first, last;
            struct scree_world *world =
                make_world(&(struct setting){0, 0, 1, 1e6}, wall_of(shapes[n / 2], side));
            add_box(world, (const double[3]){0.1, 0.12, 0.08},
                    (struct scree_polyhedron_def){.position = {0.02, 0.01, n % 2 ? 0.4 : 0.19},
                                                  .orientation = {0.9, 0.1, 0.3, 0.2},
                                                  .velocity = {0.1, 0.05, -sign * 0.5},
                                                  .spin = {1, -2, 2}});
            struct scree_engine *engine = scree_test_plain_engine(world, step);
            assert_ok(scree_energy_get(world, &first));
            assert_ok(scree_engine_run(engine, (uint64_t)(0.09 / step + 0.5)));
            assert_ok(scree_energy_get(world, &last));
            assert_true(fabs(last.rotation - first.rotation) > 0.01 * first.rotation);
            error[k] = fabs(last.balance) / first.translation;
            scree_test_end(world, engine);
        }
        if (!(error[0] < 1e-4 && error[1] < 0.1 * error[0]))
            fail_msg("wall %d: errors %g and %g", n, error[0], error[1]);
    }
}

// Edges and faces do not touch rims: reaching one is an error, not a missing force.
static void a_body_at_a_rim_is_an_error(void **state)
{
    (void)state;
    struct scree_world *world =
        make_world(&(struct setting){10, 0, 0.3, 1e6}, wall_of(SCREE_WALL_CYLINDER, SCREE_WALL_INSIDE));
    add_box(world, (const double[3]){edge, edge, edge},
            (struct scree_polyhedron_def){.position = {0.9, 0, -radius + 0.5 * edge + 0.0036},
                                          .velocity = {1, 0, 0}});
    struct scree_engine *engine = scree_test_plain_engine(world, 2e-5);
    assert_ok(scree_engine_run(engine, 1000));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "body 1 reaches the rim of wall 1",
                   scree_engine_run(engine, 3000));
    scree_test_end(world, engine);
}

// A cube that slides along the cylinder, and what it meets at the end of the wall.
static struct scree_world *make_slide(double end_of_wall, double gravity, double stiffness)
{
    struct scree_wall_def wall = wall_of(SCREE_WALL_CYLINDER, SCREE_WALL_INSIDE);
    wall.cylinder.to[0] = end_of_wall;
    return make_world(&(struct setting){gravity, 0, 1, stiffness}, wall);
}

static void add_slider(struct scree_world *world, double x)
{
    add_box(world, (const double[3]){edge, edge, edge},
            (struct scree_polyhedron_def){.position = {x, 0, -radius + 0.5 * edge + 0.0036},
                                          .velocity = {1, 0, 0}});
}

// A plane of 5 kN/m stops a cube of 1 kg and 1 m/s with an overlap of sqrt(m / 4 k), 7 mm, more than the
// rounding, so corners are beyond the plane. A wall that ends at the plane acts as a longer one. Its centre
// is another, which changes coordinates by round-off.
static void a_soft_plane_closes_the_end_of_a_cylinder(void **state)
{
    (void)state;
    struct scree_body_state last[2];
    double farthest[2] = {0};
    for (int k = 0; k < 2; ++k) {
        struct scree_world *world = make_slide(k == 0 ? 1 : 3, 1, 5000);
        scree_wall_id id;
        assert_ok(scree_wall_add(world,
                                 &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                          .plane = {.point = {1, 0, 0}, .normal = {-1, 0, 0}},
                                                          .material = {1}},
                                 &id));
        add_slider(world, 0.94);
        struct scree_engine *engine = scree_test_plain_engine(world, 2e-5);
        for (int n = 0; n < 50; ++n) {
            assert_ok(scree_engine_run(engine, 50));
            last[k] = scree_test_state(world, 1);
            farthest[k] = last[k].position[0] > farthest[k] ? last[k].position[0] : farthest[k];
        }
        scree_test_end(world, engine);
    }
    assert_true(farthest[0] + 0.5 * edge - rounding > 1.002);
    assert_true(last[0].velocity[0] < -0.9);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(last[0].position[k] - last[1].position[k]) < 1e-12);
}

// In a cell that is periodic along x the cylinder from face to face has no end: a cube slides through the
// faces as in a long cylinder. Only round-off of coordinates differs.
static void a_cylinder_from_face_to_face_has_no_rims(void **state)
{
    (void)state;
    struct scree_body_state last[2];
    for (int k = 0; k < 2; ++k) {
        struct scree_world *world = make_slide(k == 0 ? 1 : 5, 10, 1e6);
        if (k == 0)
            assert_ok(scree_cell_set(world, &(struct scree_cell_def){.lower = {-1, -1, -1},
                                                                     .upper = {1, 1, 1},
                                                                     .periodic = {true, false, false}}));
        add_slider(world, 0.9);
        struct scree_engine *engine = scree_test_plain_engine(world, 2e-5);
        assert_ok(scree_engine_run(engine, 10000));
        last[k] = scree_test_state(world, 1);
        scree_test_end(world, engine);
    }
    assert_true(fabs(last[0].position[0] + 2 - last[1].position[0]) < 1e-12);
    assert_true(fabs(last[0].position[1] - last[1].position[1]) < 1e-12);
    assert_true(fabs(last[0].position[2] - last[1].position[2]) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_in_a_cylinder_or_sphere_rests_on_four_corners),
        cmocka_unit_test(a_cube_lies_on_a_cylinder_and_on_a_sphere),
        cmocka_unit_test(elastic_impacts_conserve_energy),
        cmocka_unit_test(a_body_at_a_rim_is_an_error),
        cmocka_unit_test(a_soft_plane_closes_the_end_of_a_cylinder),
        cmocka_unit_test(a_cylinder_from_face_to_face_has_no_rims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
