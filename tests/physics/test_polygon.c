// Polygons as bodies in two dimensions. References: closed forms of mass, rest, sliding and impact,
// conservation laws, and a box in three dimensions.

#include "math/real.h"
#include "support/folder.h"
#include "support/worlds.h"

#include <scree/cell.h>
#include <scree/checkpoint.h>
#include <scree/contact.h>
#include <scree/energy.h>
#include <scree/polyhedron.h>
#include <scree/polyhedron_shape.h>

#include <float.h>

static const double edge = 0.1, rounding = 0.002, thickness = 0.05;

static double square_area(double r)
{
    const double c = edge - 2 * r;
    return c * c + 4 * c * r + SCREE_PI * r * r;
}

// About the centre: the core, four strips, and four quarters of a disk at the corners of the core.
static double square_polar(double r)
{
    const double c = edge - 2 * r, out = 0.5 * (c + r);
    return c * c * c * c / 6 + 4 * (c * r * (c * c + r * r) / 12 + c * r * out * out) +
           4 * (0.125 * SCREE_PI * c * c * r * r + 2.0 / 3 * c * r * r * r +
                0.125 * SCREE_PI * r * r * r * r);
}

struct setting {
    int dimension; // 0: two
    double gravity[3], friction, restitution, stiffness;
    bool floor; // the plane y = 0
};

static struct scree_world *make_world(const struct setting *setting, scree_material_id *material)
{
    struct scree_world *world;
    struct scree_world_def def = {.dimension = setting->dimension > 0 ? setting->dimension : 2};
    memcpy(def.gravity, setting->gravity, sizeof def.gravity);
    assert_ok(scree_world_create(&def, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, material));
    const struct scree_interaction_value values[] = {{"friction", setting->friction, NULL},
                                                     {"restitution", setting->restitution, NULL},
                                                     {"stiffness", setting->stiffness, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    scree_wall_id wall;
    if (setting->floor)
        assert_ok(scree_wall_add(world,
                                 &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                          .material = *material,
                                                          .plane = {.normal = {0, 1, 0}}},
                                 &wall));
    return world;
}

static scree_shape_id add_rectangle(struct scree_world *world, double a, double b, double r)
{
    scree_shape_id shape;
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){a, b, 0}, r, &shape));
    return shape;
}

static void add(struct scree_world *world, scree_shape_id shape, scree_material_id material,
                const struct scree_polyhedron_def *at)
{
    scree_body_id id;
    struct scree_polyhedron_def def = *at;
    def.shape = shape;
    def.material = material;
    def.thickness = thickness;
    assert_ok(scree_polyhedron_add(world, &def, &id));
}

// --- mass

static void masses_and_polar_moments_are_those_of_closed_forms(void **state)
{
    (void)state;
    scree_material_id material;
    scree_shape_id shape;
    struct scree_world *world = make_world(&(struct setting){.stiffness = 1e6}, &material);
    const double radii[] = {0, rounding, 0.3 * edge};
    for (uint64_t n = 0; n < 3; ++n) {
        add(world, add_rectangle(world, edge, edge, radii[n]), material,
            &(struct scree_polyhedron_def){.position = {(double)n, 0, 0}});
        const struct scree_body_state at = scree_test_state(world, n + 1);
        const double mass = 1000 * thickness * square_area(radii[n]),
                     polar = 1000 * thickness * square_polar(radii[n]);
        // some tens of round-offs
        scree_test_near(at.mass, mass, 1e-14 * mass);
        scree_test_near(at.inertia[2], polar, 1e-14 * polar);
        scree_test_near(at.radius, sqrt(square_area(radii[n]) / SCREE_PI), 1e-14 * edge);
    }
    // a regular pentagon about a corner: the centre of mass is found
    double vertex[5][3] = {{0}};
    for (int k = 0; k < 5; ++k) {
        vertex[k][0] = 0.2 * (cos(0.4 * SCREE_PI * k) - 1);
        vertex[k][1] = 0.2 * sin(0.4 * SCREE_PI * k);
    }
    struct scree_polyhedron_shape pentagon;
    assert_ok(scree_polyhedron_add_shape(
        world, &(struct scree_polyhedron_shape_def){.vertex = (const double(*)[3])vertex, .vertices = 5},
        &shape));
    assert_ok(scree_polyhedron_get_shape(world, shape, &pentagon));
    const double area = 2.5 * 0.04 * sin(0.4 * SCREE_PI);
    scree_test_near(pentagon.volume, area, 1e-14 * area);
    scree_test_near(pentagon.inertia[2], area * 0.04 / 6 * (2 + cos(0.4 * SCREE_PI)), 1e-14 * area * 0.04);
    scree_test_near(pentagon.centre[0], -0.2, 1e-15);
    assert_true(pentagon.inertia[0] == 0 && pentagon.inertia[1] == 0);
    scree_world_destroy(world);
}

// --- rest and sliding

// Two corners carry the weight: the overlap is m g / 2 k. Its oscillation decays by exp(-b) in a period, with
// b > 0.9 for a restitution of 0.5, and 0.8 s are 40 periods of 2 pi sqrt(m / 2 k) = 0.02 s.
static void a_square_dropped_flat_comes_to_rest(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world = make_world(
        &(struct setting){
            .gravity = {0, -10, 0}, .friction = 0.5, .restitution = 0.5, .stiffness = 1e5, .floor = true},
        &material);
    const double height = 0.008, place = 0.5 * edge, mass = 1000 * thickness * square_area(rounding);
    add(world, add_rectangle(world, edge, edge, rounding), material,
        &(struct scree_polyhedron_def){.position = {0, place + height, 0}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-5, 1);
    assert_ok(scree_engine_run(engine, 80000));
    const struct scree_energy energy = scree_test_energy(world);
    assert_true(energy.translation + energy.rotation < 1e-10 * mass * 10 * height);
    assert_int_equal(scree_contact_count(world), 2);
    scree_test_near(scree_test_state(world, 1).position[1], place - mass * 10 / (2 * 1e5), 1e-12);
    scree_test_end(world, engine);
}

// Below the angle of friction the springs carry the square; above it slides with a = g (sin - mu cos).
static double slide(double ratio, double *creep, double *expected)
{
    const double friction = 0.4, tangent = ratio * friction, cosine = 1 / sqrt(1 + tangent * tangent);
    scree_material_id material;
    struct scree_world *world =
        make_world(&(struct setting){.gravity = {10 * tangent * cosine, -10 * cosine, 0},
                                     .friction = friction,
                                     .restitution = 0.3,
                                     .stiffness = 1e6,
                                     .floor = true},
                   &material);
    add(world, add_rectangle(world, edge, edge, rounding), material,
        &(struct scree_polyhedron_def){.position = {0, 0.5 * edge, 0}});
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

static void a_square_on_a_slope_stays_without_creep_or_slides(void **state)
{
    (void)state;
    double creep, expected;
    scree_test_near(slide(0.99, &creep, &expected), 0, 1e-15);
    // a rounding of the position
    scree_test_near(creep, 0, 4 * DBL_EPSILON * edge);
    // the friction of two corners whose loads sum to the weight is exact; sums are rounded in 20000 steps
    const double faster = slide(1.01, &creep, &expected);
    scree_test_near(faster, expected, 1e-9);
    assert_true(creep > 0.001);
}

// --- collisions

// What a rectangle collides with.
enum partner { RECTANGLE, DISK, IN_CIRCLE, ON_CIRCLE, IN_SPHERE, ON_SPHERE, IN_BOX, PERIODIC, PARTNERS };

static void add_partner(struct scree_world *world, scree_material_id material, scree_shape_id shape,
                        enum partner partner)
{
    scree_body_id id;
    scree_wall_id wall;
    struct scree_wall_def def = {.material = material};
    const bool outside = partner == ON_CIRCLE || partner == ON_SPHERE;
    const double x = outside ? 0.05 : -0.02;
    switch (partner) {
    case RECTANGLE:
    case PERIODIC:
        add(world, shape, material,
            &(struct scree_polyhedron_def){.position = {partner == PERIODIC ? -0.1 : 0.1, 0.01, 0},
                                           .orientation = {0.9, 0, 0, 0.2},
                                           .velocity = {-1, 0.1, 0},
                                           .spin = {0, 0, 4}});
        return;
    case DISK:
        assert_ok(scree_body_add_disk(world,
                                      &(struct scree_disk_def){.radius = 0.05,
                                                               .thickness = thickness,
                                                               .material = material,
                                                               .position = {0.1, 0.01},
                                                               .velocity = {-1, 0.1},
                                                               .spin = 3},
                                      &id));
        return;
    case IN_CIRCLE:
    case ON_CIRCLE:
        def.shape = SCREE_WALL_CYLINDER;
        def.cylinder = (struct scree_wall_cylinder){
            .from = {x, 0.02, -1}, .to = {x, 0.02, 1}, .radius = outside ? 0.05 : 0.15};
        break;
    case IN_SPHERE:
    case ON_SPHERE:
        def.shape = SCREE_WALL_SPHERE;
        def.sphere = (struct scree_wall_sphere){.centre = {x, 0.02, 0},
                                                .radius = outside ? 0.05 : 0.15,
                                                .side = outside ? SCREE_WALL_OUTSIDE : SCREE_WALL_INSIDE};
        break;
    case IN_BOX:
        def.shape = SCREE_WALL_BOX;
        def.box = (struct scree_wall_box){
            .lower = {-0.25, -0.2, 0}, .upper = {0.05, 0.2, 0}, .side = SCREE_WALL_INSIDE};
        break;
    case PARTNERS:
        break;
    }
    assert_ok(scree_wall_add(world, &def, &wall));
}

// `number` changes the orientation.
static struct scree_world *make_collision(double friction, double restitution, enum partner partner,
                                          int number)
{
    scree_material_id material;
    struct scree_world *world = make_world(
        &(struct setting){.friction = friction, .restitution = restitution, .stiffness = 1e6}, &material);
    const scree_shape_id shape = add_rectangle(world, 0.1, 0.08, 2 * rounding);
    const bool periodic = partner == PERIODIC;
    if (periodic)
        assert_ok(scree_cell_set(
            world,
            &(struct scree_cell_def){.lower = {-0.5, -1, 0}, .upper = {0.5, 1, 0}, .periodic = {true}}));
    add(world, shape, material,
        &(struct scree_polyhedron_def){.position = {periodic ? -0.3 : -0.1, 0, 0},
                                       .orientation = {0.9, 0, 0, 0.3 + 0.17 * number},
                                       .velocity = {1, 0, 0},
                                       .spin = {0, 0, -5}});
    add_partner(world, material, shape, partner);
    return world;
}

// Relative to the moments of momentum of the two bodies, which nearly cancel in their sum.
static void colliding_bodies_conserve_angular_momentum(void **state)
{
    (void)state;
    for (int partner = RECTANGLE; partner <= DISK; ++partner) {
        struct scree_world *world = make_collision(0.3, 0.7, (enum partner)partner, 0);
        struct scree_engine *engine = scree_test_threaded_engine(world, 2e-6, 1);
        struct scree_momentum before, after;
        assert_ok(scree_energy_momentum(world, &before));
        const struct scree_energy initial = scree_test_energy(world);
        assert_ok(scree_engine_run(engine, 50000));
        assert_ok(scree_energy_momentum(world, &after));
        const struct scree_energy final = scree_test_energy(world);
        // they have collided
        assert_true(final.friction > 0.01 * initial.translation && final.dashpot > 0.1 * initial.translation);
        const double mass = 1000 * thickness * 0.008, scale = mass * 1 * 0.1;
        scree_test_near(after.angular[2], before.angular[2], 1e-12 * scale);
        for (int k = 0; k < 2; ++k)
            scree_test_near(after.linear[k], before.linear[k], 1e-12 * mass);
        scree_test_end(world, engine);
    }
}

// A corner at r from the centre that hits a floor sees the mass 1 / (1/m + x^2 / I) with the arm x of the
// force: without friction and losses the impulse is 2 v of it, and the spin x times the impulse over I. The
// body turns by about v / |r| times the duration pi sqrt(m / k), which changes arm and impulse by as much.
static void an_impact_on_a_corner_has_the_moment_of_its_lever_arm(void **state)
{
    (void)state;
    const double k = 1e11, v = 1, a = 0.5 * edge - rounding, b = 0.3 * edge - rounding;
    for (int n = 1; n < 8; ++n) {
        scree_material_id material;
        // half of the angle
        const double half = 0.18 * n, c = cos(2 * half), s = sin(2 * half);
        struct scree_world *world =
            make_world(&(struct setting){.restitution = 1, .stiffness = k, .floor = true}, &material);
        // the lowest corner of the core, in world axes
        const double corner[2] = {-a, c > 0 ? -b : b}, x = c * corner[0] - s * corner[1],
                     y = s * corner[0] + c * corner[1];
        add(world, add_rectangle(world, edge, 0.6 * edge, rounding), material,
            &(struct scree_polyhedron_def){.position = {0, rounding - y + 1e-7, 0},
                                           .orientation = {cos(half), 0, 0, sin(half)},
                                           .velocity = {0, -v, 0}});
        struct scree_engine *engine = scree_test_threaded_engine(world, 1e-8, 1);
        assert_ok(scree_engine_run(engine, 1000));
        const struct scree_body_state body = scree_test_state(world, 1);
        const double impulse = 2 * v / (1 / body.mass + x * x / body.inertia[2]),
                     error = 10 * v / (0.3 * edge) * sqrt(body.mass / k);
        assert_true(body.force[1] == 0);
        scree_test_near(body.mass * (body.velocity[1] + v) / impulse, 1, error);
        scree_test_near(body.spin[2] * body.inertia[2] / impulse, x, error * edge);
        scree_test_near(body.velocity[0], 0, 1e-12 * v);
        scree_test_end(world, engine);
    }
}

// Sum of the errors of the energy of some collisions over the energy before.
static double error_of(enum partner partner, double step)
{
    double sum = 0;
    for (int number = 0; number < 8; ++number) {
        struct scree_world *world = make_collision(0, 1, partner, number);
        struct scree_engine *engine = scree_test_threaded_engine(world, step, 1);
        const struct scree_energy initial = scree_test_energy(world);
        assert_ok(scree_engine_run(engine, (uint64_t)(0.2 / step + 0.5)));
        const struct scree_energy final = scree_test_energy(world);
        // the spins have changed, so they have collided
        if (!(fabs(final.rotation - initial.rotation) > 1e-4 * initial.rotation))
            fail_msg("partner %d, number %d: no collision", (int)partner, number);
        sum += fabs(final.balance) / initial.translation;
        scree_test_end(world, engine);
    }
    return sum;
}

// A potential of positions and angles alone: the error is that of the integration, of second order, so a
// quarter of the step has a sixteenth of it. It depends on where in a step a contact begins and ends, so that
// the sum of eight is known to a factor of two.
static void elastic_collisions_conserve_energy_to_second_order(void **state)
{
    (void)state;
    for (int partner = 0; partner < PARTNERS; ++partner) {
        const double coarse = error_of((enum partner)partner, 2e-5),
                     fine = error_of((enum partner)partner, 5e-6);
        if (!(coarse < 8 * 1e-3 && fine < 0.125 * coarse))
            fail_msg("partner %d: errors %g, %g", partner, coarse, fine);
    }
}

// A sharp box that moves in the plane has two corners where the square has one, so its law has half the
// stiffness. Then forces and moments are equal. Round-off grows by about the ratio of durations of flight and
// contact at each impact, some hundred; there are two.
static void a_square_moves_as_a_box_of_half_the_stiffness(void **state)
{
    (void)state;
    struct scree_body_state at[2];
    for (int n = 0; n < 2; ++n) {
        scree_material_id material;
        scree_shape_id shape;
        scree_body_id id;
        struct scree_world *world = make_world(&(struct setting){.dimension = n == 0 ? 2 : 3,
                                                                 .gravity = {0, -10, 0},
                                                                 .friction = 0.3,
                                                                 .restitution = 1,
                                                                 .stiffness = n == 0 ? 2e5 : 1e5,
                                                                 .floor = true},
                                               &material);
        assert_ok(scree_polyhedron_add_box(world, (const double[3]){edge, 0.7 * edge, n == 0 ? 0 : thickness},
                                           0, &shape));
        assert_ok(
            scree_polyhedron_add(world,
                                 &(struct scree_polyhedron_def){
                                     .shape = shape,
                                     .material = material,
                                     .position = {0, 0.07, 0},
                                     .orientation = {0.9, 0, 0, 0.2},
                                     .velocity = {0.3, -0.5, 0},
                                     .spin = {0, 0, 2},
                                     .fixed = n == 0 ? 0 : SCREE_FIX_Z | SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y,
                                     .thickness = n == 0 ? thickness : 0},
                                 &id));
        struct scree_engine *engine = scree_test_threaded_engine(world, 1e-5, 1);
        assert_ok(scree_engine_run(engine, 10000));
        at[n] = scree_test_state(world, 1);
        scree_test_end(world, engine);
    }
    // it has turned and bounced
    assert_true(fabs(at[0].spin[2] - 2) > 0.5 && at[0].velocity[1] > -0.5);
    for (int k = 0; k < 3; ++k) {
        scree_test_near(at[1].position[k], at[0].position[k], 1e-10 * edge);
        scree_test_near(at[1].velocity[k], at[0].velocity[k], 1e-9);
        scree_test_near(at[1].spin[k], at[0].spin[k], 1e-8);
    }
}

// --- reproducible

static struct scree_world *make_pile(void)
{
    scree_material_id material;
    scree_shape_id shape;
    double vertex[5][3] = {{0}};
    struct scree_world *world = make_world(
        &(struct setting){
            .gravity = {0, -10, 0}, .friction = 0.4, .restitution = 0.5, .stiffness = 1e6, .floor = true},
        &material);
    const scree_shape_id rectangle = add_rectangle(world, 0.1, 0.06, 2 * rounding);
    for (int k = 0; k < 5; ++k) {
        vertex[k][0] = 0.06 * cos(0.4 * SCREE_PI * k);
        vertex[k][1] = 0.06 * sin(0.4 * SCREE_PI * k);
    }
    assert_ok(scree_polyhedron_add_shape(
        world,
        &(struct scree_polyhedron_shape_def){
            .vertex = (const double(*)[3])vertex, .vertices = 5, .rounding = 2 * rounding},
        &shape));
    for (int i = 0; i < 30; ++i)
        add(world, i % 2 ? shape : rectangle, material,
            &(struct scree_polyhedron_def){
                .position = {0.13 * (i % 5) + 0.001 * (i % 7), 0.08 + 0.13 * (i / 5), 0},
                .orientation = {0.9, 0, 0, 0.2 * (i % 4)},
                .velocity = {0, -2, 0},
                .spin = {0, 0, i % 3}});
    return world;
}

static void assert_equal_digests(struct scree_world *a, struct scree_world *b)
{
    struct scree_digest one, other;
    assert_ok(scree_world_validate(a));
    assert_ok(scree_world_digest(a, &one));
    assert_ok(scree_world_digest(b, &other));
    assert_true(one.low == other.low && one.high == other.high);
}

static void digests_are_equal_for_threads_and_restarts(void **state)
{
    (void)state;
    struct scree_world *one = make_pile(), *three = make_pile(), *restarted = make_pile();
    struct scree_engine *engine = scree_test_threaded_engine(one, 2e-5, 1),
                        *team = scree_test_threaded_engine(three, 2e-5, 3);
    const struct scree_folder folder = scree_folder_make("polygon");
    const char *path = scree_folder_path(&folder, "pile.chk");
    for (int part = 0; part < 3; ++part) {
        struct scree_engine *other = scree_test_threaded_engine(restarted, 2e-5, 1);
        assert_ok(scree_engine_run(engine, 3000));
        assert_ok(scree_engine_run(team, 3000));
        assert_ok(scree_engine_run(other, 3000));
        assert_equal_digests(three, one);
        assert_equal_digests(restarted, one);
        assert_ok(scree_checkpoint_write(restarted, path));
        scree_test_end(restarted, other);
        assert_ok(scree_world_create(NULL, &restarted));
        assert_ok(scree_checkpoint_read(restarted, path));
    }
    assert_true(scree_contact_count(one) > 8);
    scree_test_end(one, engine);
    scree_test_end(three, team);
    scree_world_destroy(restarted);
    scree_folder_end(&folder, "pile.chk");
}

// --- refusals

static void what_does_not_fit_the_dimension_is_refused(void **state)
{
    (void)state;
    scree_material_id material;
    scree_shape_id shape;
    scree_body_id id;
    struct scree_world *world = make_world(&(struct setting){.stiffness = 1e6}, &material);
    static const double vertex[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    struct scree_polyhedron_shape_def def = {.vertex = vertex, .vertices = 4};
    assert_refused(SCREE_ERROR_ARGUMENT, "that of vertex 3 is 1",
                   scree_polyhedron_add_shape(world, &def, &shape));
    def.vertices = 2;
    assert_refused(SCREE_ERROR_ARGUMENT, "a polygon needs at least 3 vertices; got 2",
                   scree_polyhedron_add_shape(world, &def, &shape));
    def = (struct scree_polyhedron_shape_def){.vertex = vertex, .vertices = 3, .rounding = 0.3};
    // the radius of the circle in a right triangle with legs of 1 is 1 - sqrt(1/2) = 0.2929
    assert_refused(SCREE_ERROR_ARGUMENT, "it can be at most 0.292",
                   scree_polyhedron_add_shape(world, &def, &shape));
    assert_refused(SCREE_ERROR_ARGUMENT, "third edge must be 0",
                   scree_polyhedron_add_box(world, (const double[3]){1, 1, 1}, 0, &shape));
    shape = add_rectangle(world, 1, 1, 0.01);
    struct scree_polyhedron_def body = {.shape = shape, .material = material};
    assert_refused(SCREE_ERROR_ARGUMENT, "thickness", scree_polyhedron_add(world, &body, &id));
    body.thickness = 1;
    assert_ok(scree_polyhedron_add(world, &body, &id));
    scree_wall_id wall;
    assert_ok(scree_wall_add(
        world,
        &(struct scree_wall_def){.shape = SCREE_WALL_RECTANGLE,
                                 .material = material,
                                 .rectangle = {.corner = {0, -2, 0}, .edge = {{1, 0, 0}, {0, 0, 1}}}},
        &wall));
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-5, 1);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "in two dimensions polyhedra touch planes, boxes from inside",
                   scree_engine_run(engine, 1));
    scree_test_end(world, engine);
    world = make_world(&(struct setting){.dimension = 3, .stiffness = 1e6}, &material);
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){1, 1, 1}, 0, &body.shape));
    body.material = material;
    assert_refused(SCREE_ERROR_ARGUMENT, "in three dimensions a polyhedron has no thickness",
                   scree_polyhedron_add(world, &body, &id));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_and_polar_moments_are_those_of_closed_forms),
        cmocka_unit_test(a_square_dropped_flat_comes_to_rest),
        cmocka_unit_test(a_square_on_a_slope_stays_without_creep_or_slides),
        cmocka_unit_test(an_impact_on_a_corner_has_the_moment_of_its_lever_arm),
        cmocka_unit_test(colliding_bodies_conserve_angular_momentum),
        cmocka_unit_test(elastic_collisions_conserve_energy_to_second_order),
        cmocka_unit_test(a_square_moves_as_a_box_of_half_the_stiffness),
        cmocka_unit_test(digests_are_equal_for_threads_and_restarts),
        cmocka_unit_test(what_does_not_fit_the_dimension_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
