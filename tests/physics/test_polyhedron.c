// Polyhedra as bodies. References: closed forms of rest, impact and sliding of a cube, and conservation laws.

#include "math/real.h"
#include "math/vec3.h"
#include "support/folder.h"
#include "support/starve.h"
#include "support/worlds.h"

#include <scree/checkpoint.h>
#include <scree/contact.h>
#include <scree/energy.h>
#include <scree/polyhedron.h>
#include <scree/polyhedron_shape.h>

#include <float.h>

static const double edge = 0.1, rounding = 0.002;

// of a cube whose faces are where those of the sharp cube are: a core, slabs, quarters of cylinders, a sphere
static double cube_mass(void)
{
    const double c = edge - 2 * rounding, r = rounding;
    return 1000 * (c * c * c + 6 * c * c * r + 3 * SCREE_PI * c * r * r + 4.0 / 3 * SCREE_PI * r * r * r);
}

struct setting {
    const char *law; // null: linear
    double gravity[3], friction, restitution, stiffness;
    bool floor; // the plane z = 0
};

static struct scree_world *make_world(const struct setting *setting, scree_material_id *material)
{
    struct scree_world *world;
    struct scree_world_def def = {0};
    memcpy(def.gravity, setting->gravity, sizeof def.gravity);
    assert_ok(scree_world_create(&def, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, material));
    assert_ok(scree_material_set(world, *material, "young", 1e9));
    assert_ok(scree_material_set(world, *material, "poisson", 0.3));
    const struct scree_interaction_value values[] = {{"friction", setting->friction, NULL},
                                                     {"restitution", setting->restitution, NULL},
                                                     {"stiffness", setting->stiffness, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = setting->law ? setting->law : "linear",
                                               .values = values,
                                               .count = setting->stiffness > 0 ? 3 : 2}));
    scree_wall_id wall;
    if (setting->floor)
        assert_ok(scree_wall_add(world,
                                 &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                          .material = *material,
                                                          .plane = {.normal = {0, 0, 1}}},
                                 &wall));
    return world;
}

static scree_shape_id add_cube_shape(struct scree_world *world)
{
    scree_shape_id shape;
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){edge, edge, edge}, rounding, &shape));
    return shape;
}

static scree_body_id add(struct scree_world *world, scree_shape_id shape, scree_material_id material,
                         const struct scree_polyhedron_def *at)
{
    scree_body_id id;
    struct scree_polyhedron_def def = *at;
    def.shape = shape;
    def.material = material;
    assert_ok(scree_polyhedron_add(world, &def, &id));
    return id;
}

// Four corners carry the weight: the overlap is m g / 4 k. Its oscillation decays by exp(-b) in a period,
// with b > 1 for a restitution of 0.5, and 0.8 s are 40 periods of 2 pi sqrt(m / 4 k); what is left is
// round-off: the acceleration of a cube at rest is only known to a rounding of g.
static void a_cube_dropped_flat_comes_to_rest(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world = make_world(
        &(struct setting){
            .gravity = {0, 0, -10}, .friction = 0.5, .restitution = 0.5, .stiffness = 1e5, .floor = true},
        &material);
    const double height = 0.008, place = 0.5 * edge;
    add(world, add_cube_shape(world), material,
        &(struct scree_polyhedron_def){.position = {0, 0, place + height}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-5, 1);
    assert_ok(scree_engine_run(engine, 80000));
    const struct scree_energy energy = scree_test_energy(world);
    assert_true(energy.translation + energy.rotation < 1e-10 * cube_mass() * 10 * height);
    assert_int_equal(scree_contact_count(world), 4);
    scree_test_near(scree_test_state(world, 1).position[2], place - cube_mass() * 10 / (4 * 1e5), 1e-12);
    scree_test_end(world, engine);
}

// Below the angle of friction the springs carry the cube; above it slides with a = g (sin - mu cos).
static double slide(double ratio, double *creep, double *expected)
{
    const double friction = 0.4, tangent = ratio * friction, cosine = 1 / sqrt(1 + tangent * tangent);
    scree_material_id material;
    struct scree_world *world =
        make_world(&(struct setting){.gravity = {10 * tangent * cosine, 0, -10 * cosine},
                                     .friction = friction,
                                     .restitution = 0.3,
                                     .stiffness = 1e6,
                                     .floor = true},
                   &material);
    add(world, add_cube_shape(world), material,
        &(struct scree_polyhedron_def){.position = {0, 0, 0.5 * edge}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-5, 1);
    assert_ok(scree_engine_run(engine, 20000));
    const struct scree_body_state before = scree_test_state(world, 1);
    assert_ok(scree_engine_run(engine, 20000));
    const struct scree_body_state after = scree_test_state(world, 1);
    *creep = after.position[0] - before.position[0];
    *expected = 0.2 * 10 * cosine * (tangent - friction);
    scree_test_end(world, engine);
    return after.velocity[0] - before.velocity[0];
}

static void a_cube_on_a_slope_stays_without_creep_or_slides(void **state)
{
    (void)state;
    double creep, expected;
    const double still = slide(0.99, &creep, &expected);
    scree_test_near(still, 0, 1e-15);
    // a rounding of the position
    scree_test_near(creep, 0, 4 * DBL_EPSILON * edge);
    // the cube rests on four corners whose loads sum to the weight, so the friction is exact; the sums are
    // rounded in each of 20000 steps
    const double faster = slide(1.01, &creep, &expected);
    scree_test_near(faster, expected, 1e-9);
    assert_true(creep > 0.001);
}

static struct scree_world *make_collision(double friction, double restitution)
{
    scree_material_id material;
    scree_shape_id shape;
    struct scree_world *world = make_world(
        &(struct setting){.friction = friction, .restitution = restitution, .stiffness = 1e6}, &material);
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){0.1, 0.12, 0.08}, rounding, &shape));
    add(world, shape, material,
        &(struct scree_polyhedron_def){.position = {-0.1, 0.01, 0.02},
                                       .orientation = {0.9, 0.1, 0.3, 0.2},
                                       .velocity = {1, 0.1, 0},
                                       .spin = {3, -5, 2}});
    add(world, shape, material,
        &(struct scree_polyhedron_def){.position = {0.1, 0, 0},
                                       .orientation = {0.5, 0.3, -0.3, 0.2},
                                       .velocity = {-1, 0, 0.2},
                                       .spin = {-1, 4, 6}});
    return world;
}

// Relative to the moments of momentum of the two bodies, which nearly cancel in their sum.
static void colliding_polyhedra_conserve_angular_momentum(void **state)
{
    (void)state;
    struct scree_world *world = make_collision(0.3, 0.7);
    struct scree_engine *engine = scree_test_threaded_engine(world, 2e-6, 1);
    struct scree_momentum before, after;
    assert_ok(scree_energy_momentum(world, &before));
    const struct scree_energy initial = scree_test_energy(world);
    assert_ok(scree_engine_run(engine, 50000));
    assert_ok(scree_energy_momentum(world, &after));
    const struct scree_energy final = scree_test_energy(world);
    // they have collided
    assert_true(final.friction > 0.1 * initial.translation && final.dashpot > 0.1 * initial.translation);
    const double scale = 0.96 * 1 * 0.1;
    for (int k = 0; k < 3; ++k) {
        scree_test_near(after.angular[k], before.angular[k], 1e-12 * scale);
        scree_test_near(after.linear[k], before.linear[k], 1e-12 * 0.96);
    }
    scree_test_end(world, engine);
}

// A potential of positions and orientations alone: the error is that of the integration, of second order.
static void elastic_collisions_conserve_energy(void **state)
{
    (void)state;
    double error[2];
    for (int n = 0; n < 2; ++n) {
        const double step = n == 0 ? 4e-6 : 1e-6;
        struct scree_world *world = make_collision(0, 1);
        struct scree_engine *engine = scree_test_threaded_engine(world, step, 1);
        const struct scree_energy initial = scree_test_energy(world);
        assert_ok(scree_engine_run(engine, (uint64_t)(0.1 / step + 0.5)));
        const struct scree_energy final = scree_test_energy(world);
        // the spins have changed, so they have collided
        assert_true(fabs(final.rotation - initial.rotation) > 0.01 * initial.rotation);
        error[n] = fabs(final.balance) / initial.translation;
        scree_test_end(world, engine);
    }
    assert_true(error[0] < 1e-5);
    // of second order it would be a sixteenth; the order of a collision is not exact, so at least a quarter
    assert_true(error[1] < 0.25 * error[0]);
}

// Ten cubes: each carries those above it on eight vertices and pairs of edges. The overlap of a pair follows
// from its load, and nothing moves.
static void a_stack_of_cubes_stands(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world = make_world(
        &(struct setting){
            .gravity = {0, 0, -10}, .friction = 0.5, .restitution = 0.3, .stiffness = 1e6, .floor = true},
        &material);
    const scree_shape_id shape = add_cube_shape(world);
    for (int n = 0; n < 10; ++n)
        add(world, shape, material, &(struct scree_polyhedron_def){.position = {0, 0, (0.5 + n) * edge}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 5e-6, 1);
    assert_ok(scree_engine_run(engine, 100000));
    const struct scree_energy energy = scree_test_energy(world);
    // of the fall by the overlaps: m g sum of n times an overlap of at most 10 m g / 8 k
    assert_true(energy.translation + energy.rotation < 1e-10 * energy.elastic);
    for (uint64_t n = 1; n <= 10; ++n) {
        const struct scree_body_state at = scree_test_state(world, n);
        scree_test_near(at.position[0], 0, 1e-13);
        scree_test_near(at.position[1], 0, 1e-13);
        scree_test_near(fabs(at.orientation[0]), 1, 1e-13);
    }
    scree_test_end(world, engine);
}

// --- reproducible

static struct scree_world *make_pile(void)
{
    scree_material_id material;
    scree_shape_id shape;
    struct scree_world *world = make_world(
        &(struct setting){
            .gravity = {0, 0, -10}, .friction = 0.4, .restitution = 0.5, .stiffness = 1e6, .floor = true},
        &material);
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){0.1, 0.12, 0.08}, 2 * rounding, &shape));
    for (int i = 0; i < 36; ++i)
        add(world, shape, material,
            &(struct scree_polyhedron_def){
                .position = {0.19 * (i % 3) + 0.002 * (i % 7), 0.19 * (i / 3 % 3), 0.1 + 0.19 * (i / 9)},
                .orientation = {0.9, 0.1 * (i % 4), 0.3 * (i % 3), 0.2},
                .velocity = {0, 0, -2},
                .spin = {i % 3, i % 5, -i % 7}});
    for (int i = 0; i < 10; ++i) {
        scree_body_id id;
        assert_ok(scree_body_add_sphere(
            world,
            &(struct scree_sphere_def){.radius = 0.03,
                                       .material = material,
                                       .position = {0.09 * (i % 5), 0.19 * (i / 5) + 0.09, 0.9},
                                       .velocity = {0, 0, -4}},
            &id));
    }
    return world;
}

static struct scree_digest digest_of(struct scree_world *world)
{
    struct scree_digest digest;
    assert_ok(scree_world_validate(world));
    assert_ok(scree_world_digest(world, &digest));
    return digest;
}

static void assert_equal_digests(struct scree_digest a, struct scree_digest b)
{
    assert_true(a.low == b.low && a.high == b.high);
}

enum { PARTS = 5, STEPS = 1500 };
static const double pile_step = 2.5e-5;

static void digests_are_equal_for_threads_and_restarts(void **state)
{
    (void)state;
    struct scree_world *one = make_pile(), *three = make_pile(), *restarted = make_pile();
    struct scree_engine *engine = scree_test_threaded_engine(one, pile_step, 1),
                        *team = scree_test_threaded_engine(three, pile_step, 3);
    const struct scree_folder folder = scree_folder_make("polyhedron");
    const char *path = scree_folder_path(&folder, "pile.chk");
    for (int part = 0; part < PARTS; ++part) {
        struct scree_engine *other = scree_test_threaded_engine(restarted, pile_step, 1);
        assert_ok(scree_engine_run(engine, STEPS));
        assert_ok(scree_engine_run(team, STEPS));
        assert_ok(scree_engine_run(other, STEPS));
        assert_equal_digests(digest_of(three), digest_of(one));
        assert_equal_digests(digest_of(restarted), digest_of(one));
        assert_ok(scree_checkpoint_write(restarted, path));
        scree_test_end(restarted, other);
        assert_ok(scree_world_create(NULL, &restarted));
        assert_ok(scree_checkpoint_read(restarted, path));
    }
    assert_true(scree_contact_count(one) > 20);
    scree_world_destroy(restarted);
    scree_test_end(three, team);
    scree_test_end(one, engine);
    scree_folder_end(&folder, "pile.chk");
}

// --- memory

// Makes a shape and bodies, runs, and reads the state from a checkpoint.
static scree_status build_and_run(void *user)
{
    const struct scree_folder *folder = (const struct scree_folder *)user;
    const char *path = scree_folder_path(folder, "starved.chk");
    struct scree_world *world = NULL, *copy = NULL;
    struct scree_engine *engine = NULL;
    scree_material_id material;
    scree_shape_id shape;
    scree_body_id id;
    const struct scree_interaction_value values[] = {
        {"friction", 0.5, NULL}, {"restitution", 0.5, NULL}, {"stiffness", 1e5, NULL}};
    const struct scree_interaction_def rule = {.law = "linear", .values = values, .count = 3};
    scree_status status = scree_world_create(NULL, &world);
    if (status == SCREE_OK)
        status =
            scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, &material);
    if (status == SCREE_OK)
        status = scree_interaction_add(world, &rule);
    if (status == SCREE_OK)
        status = scree_polyhedron_add_box(world, (const double[3]){edge, edge, edge}, rounding, &shape);
    for (int n = 0; n < 2 && status == SCREE_OK; ++n)
        status =
            scree_polyhedron_add(world,
                                 &(struct scree_polyhedron_def){
                                     .shape = shape, .material = material, .position = {0, 0, 0.0999 * n}},
                                 &id);
    if (status == SCREE_OK)
        status = scree_soft_create(world, &(struct scree_soft_def){.step = 1e-6, .threads = 1}, &engine);
    if (status == SCREE_OK)
        status = scree_engine_run(engine, 3);
    if (status == SCREE_OK)
        status = scree_checkpoint_write(world, path);
    if (status == SCREE_OK)
        status = scree_world_create(NULL, &copy);
    if (status == SCREE_OK)
        status = scree_checkpoint_read(copy, path);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_world_destroy(copy);
    return status;
}

static void nothing_is_lost_when_an_allocation_fails(void **state)
{
    (void)state;
    const struct scree_folder folder = scree_folder_make("polyhedron-memory");
    assert_true(scree_starve(build_and_run, (void *)(uintptr_t)&folder) > 50);
    scree_folder_end(&folder, "starved.chk");
}

// --- what is refused

static void run_refused(struct scree_world *world, const char *word)
{
    struct scree_engine *engine;
    const struct scree_soft_def def = {.step = 1e-7, .threads = 1};
    scree_status status = scree_soft_create(world, &def, &engine);
    assert_ok(status);
    assert_refused(SCREE_ERROR_UNSUPPORTED, word, scree_engine_run(engine, 1));
    scree_test_end(world, engine);
}

static void laws_and_walls_without_meaning_are_refused_by_name(void **state)
{
    (void)state;
    scree_material_id material;
    scree_shape_id sharp;
    scree_body_id ball;
    struct scree_world *world =
        make_world(&(struct setting){.law = "hertz-mindlin", .friction = 0.5, .restitution = 0.5}, &material);
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){1, 1, 1}, 0, &sharp));
    add(world, sharp, material, &(struct scree_polyhedron_def){.position = {0, 0, 0}});
    assert_ok(scree_body_add_sphere(
        world, &(struct scree_sphere_def){.position = {0, 0, 3}, .radius = 1, .material = material}, &ball));
    run_refused(world, "hertz-mindlin");
    world = make_world(&(struct setting){.friction = 0.5, .restitution = 0.5, .stiffness = 1e5}, &material);
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){1, 1, 1}, 0, &sharp));
    add(world, sharp, material, &(struct scree_polyhedron_def){.position = {0, 0, 1}});
    add(world, sharp, material, &(struct scree_polyhedron_def){.position = {0, 0, 3}});
    run_refused(world, "have no rounding, but contacts of two polyhedra need one");
    world = make_world(&(struct setting){.friction = 0.5, .restitution = 0.5, .stiffness = 1e5}, &material);
    add(world, add_cube_shape(world), material, &(struct scree_polyhedron_def){.position = {0, 0, 0}});
    scree_wall_id wall;
    assert_ok(
        scree_wall_add(world,
                       &(struct scree_wall_def){.shape = SCREE_WALL_DISK,
                                                .material = material,
                                                .disk = {.normal = {0, 0, 1}, .radius = 1, .hole = 0.99}},
                       &wall));
    run_refused(world, "polyhedra touch disks with radii from");
}

// Two prisms of 24 sides, face on face: all 48 vertices touch, and 24 pairs of edges.
static void more_contacts_than_there_is_room_for_are_an_error(void **state)
{
    (void)state;
    enum { SIDES = 24 };
    double vertex[2 * SIDES][3];
    scree_material_id material;
    scree_shape_id shape;
    struct scree_world *world =
        make_world(&(struct setting){.friction = 0.5, .restitution = 0.5, .stiffness = 1e5}, &material);
    for (int n = 0; n < 2 * SIDES; ++n) {
        vertex[n][0] = cos(2 * SCREE_PI / SIDES * (n / 2));
        vertex[n][1] = sin(2 * SCREE_PI / SIDES * (n / 2));
        vertex[n][2] = n % 2 ? 0.5 : -0.5;
    }
    assert_ok(scree_polyhedron_add_shape(
        world,
        &(struct scree_polyhedron_shape_def){
            .vertex = (const double(*)[3])vertex, .vertices = 2 * SIDES, .rounding = 0.01},
        &shape));
    add(world, shape, material, &(struct scree_polyhedron_def){.position = {0, 0, 0}});
    add(world, shape, material, &(struct scree_polyhedron_def){.position = {0, 0, 0.9999}});
    run_refused(world, "body 1 and body 2 have 72 contacts at once, but a pair has room for 64");
}

// An overlap of 0.3 of the sum of the roundings is small compared with the cubes.
static void the_alarm_of_overlaps_compares_them_with_the_roundings(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world =
        make_world(&(struct setting){.friction = 0.5, .restitution = 0.5, .stiffness = 1e5}, &material);
    const scree_shape_id shape = add_cube_shape(world);
    add(world, shape, material, &(struct scree_polyhedron_def){.position = {0, 0, 0}});
    add(world, shape, material,
        &(struct scree_polyhedron_def){.position = {0, 0, edge - 0.3 * 2 * rounding}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-7, 1);
    assert_refused(SCREE_ERROR_NUMBER, "overlap by 0.3 of the sum of the roundings",
                   scree_engine_run(engine, 1));
    scree_test_end(world, engine);
}

static void shapes_that_are_no_polyhedra_are_refused(void **state)
{
    (void)state;
    scree_material_id material;
    scree_shape_id shape;
    struct scree_world *world =
        make_world(&(struct setting){.friction = 0.5, .restitution = 0.5, .stiffness = 1e5}, &material);
    static const double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const double inner[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
    struct scree_polyhedron_shape_def def = {.vertex = flat, .vertices = 4};
    assert_int_not_equal(scree_polyhedron_add_shape(world, &def, &shape), SCREE_OK);
    def = (struct scree_polyhedron_shape_def){.vertex = inner, .vertices = 5};
    assert_refused(SCREE_ERROR_ARGUMENT, "hull", scree_polyhedron_add_shape(world, &def, &shape));
    def.vertices = 3;
    assert_refused(SCREE_ERROR_ARGUMENT, "at least 4", scree_polyhedron_add_shape(world, &def, &shape));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_dropped_flat_comes_to_rest),
        cmocka_unit_test(a_cube_on_a_slope_stays_without_creep_or_slides),
        cmocka_unit_test(colliding_polyhedra_conserve_angular_momentum),
        cmocka_unit_test(elastic_collisions_conserve_energy),
        cmocka_unit_test(a_stack_of_cubes_stands),
        cmocka_unit_test(digests_are_equal_for_threads_and_restarts),
        cmocka_unit_test(nothing_is_lost_when_an_allocation_fails),
        cmocka_unit_test(laws_and_walls_without_meaning_are_refused_by_name),
        cmocka_unit_test(more_contacts_than_there_is_room_for_are_an_error),
        cmocka_unit_test(the_alarm_of_overlaps_compares_them_with_the_roundings),
        cmocka_unit_test(shapes_that_are_no_polyhedra_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
