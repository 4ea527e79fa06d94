// Polyhedra on meshes. References: the contacts of two polyhedra, of which the mesh is one; walls of other
// shapes; closed forms and conservation laws.

#include "contact/outside_mesh.h"
#include "convex/hull.h"
#include "math/quat.h"
#include "support/polyhedra_on_facets.h"
#include "world/wall.h"

#include <scree/checkpoint.h>
#include <scree/contact.h>
#include <scree/energy.h>

// --- contacts

struct total {
    double force[3], moment[3];
    size_t contacts;
};

static struct total total_of(const struct scree_convex_contact *contact, size_t count)
{
    struct total total = {.contacts = count};
    struct scree_vec3 force = scree_vec3_zero(), moment = scree_vec3_zero();
    for (size_t n = 0; n < count; ++n) {
        const struct scree_vec3 one =
            scree_vec3_scale(contact[n].normal, contact[n].overlap * contact[n].share);
        force = scree_vec3_add(force, one);
        moment = scree_vec3_add(moment, scree_vec3_cross(contact[n].point, one));
    }
    scree_vec3_store(force, total.force);
    scree_vec3_store(moment, total.moment);
    return total;
}

static struct scree_mat3 draw_rotation(uint64_t *seed)
{
    const struct scree_quat q = scree_quat_normalise((struct scree_quat){
        2 * uniform(seed) - 1, 2 * uniform(seed) - 1, 2 * uniform(seed) - 1, 2 * uniform(seed) - 1});
    return scree_quat_to_matrix(q);
}

enum { ROUNDS = 2000, POINTS = 10, ROOM = 128 };

// Outside of a convex mesh the contacts are those of two polyhedra, of which the mesh has no rounding, until
// the cores overlap. Coordinates are below 1 m, so round-off of overlaps is below 1e-15, and there are up to
// 40 of them. The place where parallel edges touch follows from the slow part of the penalty, so its
// round-off is larger by (L / 0.1 rho)^2, below 2e5.
static void contacts_with_a_box_of_facets_are_those_with_a_box(void **state)
{
    const double half[3] = {0.05, 0.07, 0.04}, reach = 0.004;
    static struct surface surface;
    uint64_t seed = 3;
    struct scree_convex box, stone;
    struct scree_vec3 corner[8], point[POINTS];
    scree_material_id material;
    surface = (struct surface){0};
    add_box(&surface, half, &seed);
    struct scree_world *world = make_world(&(struct setting){.restitution = 1, .stiffness = 1},
                                           *state ? solid_box_of(half) : mesh_of(&surface), &material);
    const struct scree_wall *wall = scree_wall_row(world, 0);
    for (int n = 0; n < 8; ++n)
        corner[n] = scree_vec3_make(n & 1 ? half[0] : -half[0], n & 2 ? half[1] : -half[1],
                                    n & 4 ? half[2] : -half[2]);
    for (int n = 0; n < POINTS; ++n)
        point[n] = scree_vec3_make(0.1 * uniform(&seed) - 0.05, 0.1 * uniform(&seed) - 0.05,
                                   0.1 * uniform(&seed) - 0.05);
    assert_ok(scree_convex_hull(3, corner, 8, 1e-13, &box));
    assert_ok(scree_convex_hull(3, point, POINTS, 1e-13, &stone));
    size_t touching = 0, most = 0;
    for (int n = 0; n < ROUNDS; ++n) {
        // a box in one of two cases, so that faces and edges can be parallel
        const bool aligned = n % 4 == 0;
        const struct scree_convex_body b = {&box, scree_vec3_zero(), scree_mat3_identity(), 0};
        struct scree_convex_body a = {
            n % 2 ? &stone : &box,
            scree_vec3_make(uniform(&seed) - 0.5, uniform(&seed) - 0.5, uniform(&seed) - 0.5),
            aligned ? scree_mat3_identity() : draw_rotation(&seed), reach};
        // moved until the cores are apart by a share of the rounding
        for (int turn = 0; turn < 3; ++turn) {
            const struct scree_convex_gap gap = scree_convex_distance(&a, &b);
            const double wanted = reach * (turn < 2 ? 0.5 : 0.1 + 0.9 * uniform(&seed));
            a.position = scree_vec3_add_scaled(a.position, gap.gap + reach - wanted, gap.normal);
        }
        struct scree_convex_contact expected[ROOM], got[ROOM];
        struct scree_vec3 axis = scree_vec3_zero();
        const struct total reference =
            total_of(expected, scree_convex_contacts(&a, &b, &axis, expected, ROOM));
        const struct scree_convex_body own = {a.shape, scree_vec3_zero(), a.rotation, a.rounding};
        const struct total total = total_of(got, scree_outside_mesh_find(&own, a.position, wall, got, ROOM));
        assert_int_equal(total.contacts, reference.contacts);
        touching += total.contacts > 0;
        most = total.contacts > most ? total.contacts : most;
        const double tolerance = aligned ? 1e-15 * 2e5 : 4e-14;
        for (int k = 0; k < 3; ++k)
            if (!(fabs(total.force[k] - reference.force[k]) < tolerance &&
                  fabs(total.moment[k] - reference.moment[k]) < tolerance))
                fail_msg("round %d: force %.17g, not %.17g; moment %.17g, not %.17g", n, total.force[k],
                         reference.force[k], total.moment[k], reference.moment[k]);
        for (size_t i = 0; i < total.contacts; ++i)
            for (size_t j = 0; j < i; ++j)
                assert_int_not_equal(got[i].feature, got[j].feature);
    }
    assert_true(touching > ROUNDS / 2 && most >= 8);
    scree_convex_free(&box);
    scree_convex_free(&stone);
    scree_world_destroy(world);
}

// A corner at the height h above one face of a groove, with the angle a between its faces, is over both if it
// is nearer to the edge than h tan a, and then h / cos a from the other (docs/theory/polyhedra.md). A smooth
// angle above a leaves the nearer face. Places differ by 1e-6 of it, far below 1e-9 m of overlap.
static void a_corner_in_a_shallow_groove_touches_both_faces_or_the_nearer(void **state)
{
    (void)state;
    const struct scree_vec3 corner[4] = {{0, 0, 0}, {0.1, 0, 0.1}, {-0.1, 0.1, 0.1}, {-0.1, -0.1, 0.1}};
    const double slope = 0.1, h = 0.9 * rounding, cosine = 0.99 / 1.01, edge = h * 0.2 / 0.99;
    struct scree_convex shape;
    assert_ok(scree_convex_hull(3, corner, 4, 1e-13, &shape));
    for (int n = 0; n < 4; ++n) {
        static struct surface surface;
        uint64_t seed = 1;
        scree_material_id material;
        surface = (struct surface){0};
        add_roof(&surface, -slope, &seed);
        const bool near = n % 2 > 0, both = near && n / 2 == 0;
        const double s = edge * (near ? 1 - 1e-6 : 1 + 1e-6);
        struct scree_wall_def def = mesh_of(&surface);
        def.mesh.smooth_angle = n / 2 * 0.3;
        struct scree_world *world = make_world(&(struct setting){0, 0, 1, 1}, def, &material);
        const struct scree_convex_body body = {&shape, scree_vec3_zero(), scree_mat3_identity(), rounding};
        const struct scree_vec3 at =
            scree_vec3_scale(scree_vec3_make(h * slope - s, 0, h + s * slope), 1 / sqrt(1 + slope * slope));
        struct scree_convex_contact found[ROOM];
        assert_int_equal(scree_outside_mesh_find(&body, at, scree_wall_row(world, 0), found, ROOM),
                         both ? 2 : 1);
        const double sum = found[0].overlap + (both ? found[1].overlap : 0);
        assert_true(fabs(sum - (rounding - h) - (both ? rounding - h / cosine : 0)) < 1e-9);
        scree_world_destroy(world);
    }
    scree_convex_free(&shape);
}

// Keys: two bits for the kind, nine for the vertex of the polyhedron, the rest for the mesh.
static uint32_t key(uint32_t kind, uint32_t vertex, uint32_t place)
{
    return kind << 30 | vertex << 21 | place;
}

static void histories_go_on_at_the_same_vertex(void **state)
{
    (void)state;
    static struct scree_outside_pair pair;
    const uint32_t old[] = {key(0, 3, 9), key(0, 3, 5), key(1, 4, 7), key(1, 3, 6)},
                   now[] = {key(1, 3, 7), key(0, 3, 9), key(0, 3, 8), key(0, 3, 4), key(2, 3, 0)};
    pair.count = sizeof now / sizeof now[0];
    for (size_t n = 0; n < pair.count; ++n)
        pair.touch[n].feature = now[n];
    // the new contacts of vertex 3 take those two that no longer touch, in turn; a vertex of the mesh none
    const size_t expected[] = {1, 4, 3, 4, 4};
    for (size_t n = 0; n < pair.count; ++n)
        if (n != 1)
            assert_int_equal(scree_outside_mesh_left(&pair, n, old, 4), expected[n]);
}

// --- motion on a plane

struct run {
    struct scree_polyhedron_def body;
    double stiffness, spin; // of the wall
    uint64_t steps;
    bool rectangle; // in place of a triangulated plane
};

static const double length[3] = {0.1, 0.12, 0.08};

// The largest difference of velocities (and of velocities of corners by spins) during the motion on a
// triangulated plane or a rectangle, and on a plane.
static double difference(const struct run *run, struct scree_body_state *last)
{
    static struct surface surface;
    uint64_t seed = 11;
    scree_material_id material;
    struct scree_wall_def plane = {
        .shape = SCREE_WALL_PLANE, .plane = {.normal = {0, 0, 1}}, .spin = {0, 0, run->spin}};
    double largest = 0;
    surface = (struct surface){0};
    add_face(&surface, (const double[3]){-1, -1, 0}, (const double[3]){2, 0, 0}, (const double[3]){0, 2, 0},
             16, &seed);
    struct scree_wall_def mesh = run->rectangle ? rectangle_from(-1) : mesh_of(&surface);
    mesh.spin[2] = run->spin;
    mesh.pivot = (const double[3]){0, 0, 0};
    const struct setting setting = {10, 0.4, 0.5, run->stiffness};
    struct scree_world *worlds[2] = {make_world(&setting, plane, &material),
                                     make_world(&setting, mesh, &material)};
    struct scree_engine *engine[2];
    for (int w = 0; w < 2; ++w) {
        add(worlds[w], material, length, &run->body);
        engine[w] = scree_test_threaded_engine(worlds[w], 2e-5, 1);
    }
    for (uint64_t at = 0; at < run->steps; at += 20) {
        for (int w = 0; w < 2; ++w)
            assert_ok(scree_engine_run(engine[w], 20));
        const struct scree_body_state a = scree_test_state(worlds[0], 1), b = scree_test_state(worlds[1], 1);
        for (int k = 0; k < 3; ++k) {
            largest = fmax(largest, fabs(a.velocity[k] - b.velocity[k]));
            largest = fmax(largest, 0.1 * fabs(a.spin[k] - b.spin[k]));
        }
    }
    *last = scree_test_state(worlds[1], 1);
    for (int w = 0; w < 2; ++w)
        scree_test_end(worlds[w], engine[w]);
    return largest;
}

// It slides over dozens of edges and comes to rest by friction: 0.4 g for 0.2 s, starting at 0.8 m/s.
static void a_box_slides_over_facets_as_over_a_plane(void **state)
{
    struct scree_body_state last;
    const struct run slide = {
        .rectangle = *state != NULL,
        .body = {.position = {-0.1, 0.05, 0.04}, .velocity = {0.8, 0.1, 0}, .spin = {0, 0, 2}},
        .stiffness = 1e6,
        .steps = 10000};
    assert_true(difference(&slide, &last) < 1e-9);
    assert_true(last.position[0] > -0.05 && fabs(last.velocity[0]) < 0.2);
    // it falls on a corner and tumbles
    const struct run tumble = {.rectangle = *state != NULL,
                               .body = {.position = {0.1, 0.05, 0.12},
                                        .orientation = {0.9, 0.1, 0.3, 0.2},
                                        .velocity = {0.5, 0.3, -1},
                                        .spin = {3, -5, 2}},
                               .stiffness = 1e6,
                               .steps = 10000};
    assert_true(difference(&tumble, &last) < 1e-9);
}

// The matter of a turning mesh carries a box along a circle: the springs of friction hold it against its
// centrifugal force, and stretch by less than m w^2 R / (4 k_t), with k_t > k / 2 for the linear law. It
// begins in its overlap at rest, within a hundredth of it: the mass is not that of a sharp box.
static void a_turning_mesh_carries_a_box_along_a_circle(void **state)
{
    (void)state;
    const double rate = 2, radius = 0.3, mass = 0.96;
    struct scree_body_state last;
    const struct run turn = {.body = {.position = {radius, 0, 0.04 - mass * 10 / 4e6},
                                      .velocity = {0, rate * radius, 0},
                                      .spin = {0, 0, rate}},
                             .stiffness = 1e6,
                             .spin = rate,
                             .steps = 20000};
    assert_true(difference(&turn, &last) < 1e-9);
    const double angle = rate * 20000 * 2e-5, stretch = mass * rate * rate * radius / (4 * 0.5e6);
    // the springs are empty at first, so it oscillates by up to twice the stretch; and it leans outwards on
    // its corners by at most as much, because its height is below its width
    assert_true(fabs(last.position[0] - radius * cos(angle)) < 4 * stretch);
    assert_true(fabs(last.position[1] - radius * sin(angle)) < 4 * stretch);
}

// --- the edge of a rectangle

// A box at rest over the edge of a rectangle: of its weight, the part c / x is on its two lower corners over
// the rectangle, at the distance x from the edge, and the rest on the two points where its lower edges cross
// the edge of the rectangle. c: distance of its centre from the edge. Of two springs on each side, overlaps
// are N / 2 k and the box leans by their difference over x; sides exchange a part of order 1e-3 as overlaps
// of edges are smooth ones, and the box is not a sharp one, to 1e-2 of its mass. With the centre beyond the
// edge and a lean t it falls: I t'' = m g (c + H t) about the edge for small t, with the height H of the
// centre.
static void a_box_over_the_edge_of_a_rectangle_stays_or_falls(void **state)
{
    (void)state;
    const double stiffness = 1e6, gravity = 10, mass = 0.96, c = 0.004, x = c + 0.05 - rounding;
    const double far = mass * gravity * c / x, near = mass * gravity - far,
                 lean = (near - far) / (2 * stiffness * x);
    for (int falls = 0; falls < 2; ++falls) {
        scree_material_id material;
        struct scree_world *world =
            make_world(&(struct setting){gravity, 0.5, 0.3, stiffness}, rectangle_from(0), &material);
        const double time = 0.1, start = falls ? 0.01 : 0, height = 0.5 * length[2],
                     inertia = (length[0] * length[0] + length[2] * length[2]) / 12 + height * height + c * c,
                     rate = sqrt(gravity * height / inertia);
        // its centre relative to the edge, before it is turned by -start about y
        const double from[2] = {falls ? -c : c, height - (falls ? mass * gravity : near) / (2 * stiffness)};
        add(world, material, length,
            &(struct scree_polyhedron_def){.position = {from[0] * cos(start) - from[1] * sin(start), 0.1,
                                                        from[0] * sin(start) + from[1] * cos(start)},
                                           .orientation = {cos(start / 2), 0, -sin(start / 2), 0}});
        struct scree_engine *engine = scree_test_threaded_engine(world, 2e-5, 1);
        assert_ok(scree_engine_run(engine, (uint64_t)(time / 2e-5 + 0.5)));
        const double angle = -2 * asin(scree_test_state(world, 1).orientation[2]),
                     expected = falls ? (c / height + start) * cosh(rate * time) - c / height : lean;
        if (!(fabs(angle - expected) < 0.03 * expected))
            fail_msg("angle %g, not %g", angle, expected);
        scree_test_end(world, engine);
    }
}

// A cell of 2 m is periodic along x, and a box slides through its face on a plane and on a rectangle. Its
// farthest point is 0.087 m from its centre, so the rectangle must go on that far beyond the faces.
static void a_rectangle_goes_on_beyond_the_faces_of_a_cell(void **state)
{
    (void)state;
    struct scree_body_state last[2];
    const struct scree_polyhedron_def body = {
        .position = {0.9, 0.05, 0.04}, .velocity = {1, 0.1, 0}, .spin = {0, 0, 2}};
    for (int n = 0; n < 3; ++n) {
        scree_material_id material;
        struct scree_wall_def wall = {.shape = SCREE_WALL_PLANE, .plane = {.normal = {0, 0, 1}}};
        if (n > 0)
            wall = rectangle_from(-1);
        if (n == 1) {
            wall.rectangle.corner[0] = -1.1;
            wall.rectangle.edge[0][0] = 2.2;
        }
        struct scree_world *world = make_world(&(struct setting){10, 0.4, 0.5, 1e6}, wall, &material);
        assert_ok(scree_cell_set(world, &(struct scree_cell_def){.lower = {-1, -1, -1},
                                                                 .upper = {1, 1, 1},
                                                                 .periodic = {true, false, false}}));
        add(world, material, length, &body);
        struct scree_engine *engine = scree_test_threaded_engine(world, 2e-5, 1);
        if (n == 2) {
            assert_refused(SCREE_ERROR_UNSUPPORTED, "let it go on beyond the faces of the cell by 0.08",
                           scree_engine_run(engine, 1));
        } else {
            assert_ok(scree_engine_run(engine, 6000));
            last[n] = scree_test_state(world, 1);
        }
        scree_test_end(world, engine);
    }
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(last[1].velocity[k] - last[0].velocity[k]) < 1e-9);
    assert_true(last[1].velocity[0] > 0.3 && fabs(last[1].velocity[2]) < 1e-3);
}

// --- energy

// Slopes are 45 degrees. An elastic force is the gradient of a potential, also in a groove and on a ridge, so
// the error is that of the integration, of second order: a sixteenth for a quarter of the step. The order of
// a collision is not exact, so at least a quarter.
static void elastic_collisions_with_ridges_grooves_and_rims_conserve_energy(void **state)
{
    (void)state;
    for (int shape = 0; shape < 3; ++shape) {
        static struct surface surface;
        uint64_t seed = 5;
        double error[2];
        surface = (struct surface){0};
        add_roof(&surface, shape == 0 ? 1 : -1, &seed);
        for (int n = 0; n < 2; ++n) {
            scree_material_id material;
            struct scree_energy first, last;
            const double step = n == 0 ? 4e-6 : 1e-6;
            struct scree_world *world =
                make_world(&(struct setting){0, 0, 1, 1e6}, shape < 2 ? mesh_of(&surface) : rectangle_from(0),
                           &material);
            add(world, material, length,
                &(struct scree_polyhedron_def){.position = {0.01, 0, 0.16},
                                               .orientation = {0.9, 0.1, 0.3, 0.2},
                                               .velocity = {0.05, 0.02, -0.5},
                                               .spin = {1, -2, 2}});
            struct scree_engine *engine = scree_test_threaded_engine(world, step, 1);
            assert_ok(scree_energy_get(world, &first));
            assert_ok(scree_engine_run(engine, (uint64_t)(0.3 / step + 0.5)));
            assert_ok(scree_energy_get(world, &last));
            assert_true(fabs(last.rotation - first.rotation) > 0.01 * first.rotation);
            error[n] = fabs(last.balance) / first.translation;
            scree_test_end(world, engine);
        }
        if (!(error[0] < 1e-4 && error[1] < 0.25 * error[0]))
            fail_msg("shape %d: errors %g and %g", shape, error[0], error[1]);
    }
}

// --- walls that move with a body

// Two stones hit a free box of 2 kg, of facets or solid.
static struct scree_world *make_free_box(bool solid, double friction, double restitution)
{
    static struct surface surface;
    const double half[3] = {0.2, 0.15, 0.03}, mass = 2;
    uint64_t seed = 13;
    scree_material_id material;
    scree_body_id body;
    struct scree_rigid_def def = {.mass = mass, .spin = {0.3, 0.2, 1}};
    surface = (struct surface){0};
    add_box(&surface, half, &seed);
    for (int k = 0; k < 3; ++k)
        def.inertia[k] =
            mass / 3 * (half[(k + 1) % 3] * half[(k + 1) % 3] + half[(k + 2) % 3] * half[(k + 2) % 3]);
    struct scree_world *world = make_world(&(struct setting){0, friction, restitution, 1e6},
                                           solid ? solid_box_of(half) : mesh_of(&surface), &material);
    assert_ok(scree_body_add_rigid(world, &def, &body));
    assert_ok(scree_wall_body_attach(world, (scree_wall_id){1}, body));
    for (int side = -1; side <= 1; side += 2)
        add(world, material, length,
            &(struct scree_polyhedron_def){.position = {0.1 * side, 0.08, 0.14 * side},
                                           .orientation = {0.9, 0.1, 0.3, 0.2},
                                           .velocity = {0.1, -0.1, -0.5 * side},
                                           .spin = {1, -2, 2}});
    return world;
}

// Relative to a mass of 3 kg, a speed of 1 m/s and an arm of 0.2 m.
static void momenta_are_conserved_in_collisions_with_a_free_box(void **state)
{
    struct scree_world *world = make_free_box(*state != NULL, 0.4, 0.6);
    struct scree_engine *engine = scree_test_threaded_engine(world, 5e-6, 2);
    struct scree_momentum before, after;
    struct scree_energy energy;
    assert_ok(scree_energy_momentum(world, &before));
    assert_ok(scree_engine_run(engine, 40000));
    assert_ok(scree_energy_momentum(world, &after));
    assert_ok(scree_energy_get(world, &energy));
    assert_true(energy.friction > 0.001 && energy.dashpot > 0.01 && energy.work == 0);
    for (int k = 0; k < 3; ++k)
        if (!(fabs(after.linear[k] - before.linear[k]) < 3e-12 &&
              fabs(after.angular[k] - before.angular[k]) < 1e-12))
            fail_msg("momenta change by %g and %g", after.linear[k] - before.linear[k],
                     after.angular[k] - before.angular[k]);
    scree_test_end(world, engine);
}

// The error is that of the integration. Instants of impact within a step change it by a factor of several, so
// for an eighth of the step it must fall by more than in a method of order 1; in one of order 2 it is a 64th.
static void elastic_collisions_with_a_free_box_conserve_energy(void **state)
{
    double error[2];
    for (int n = 0; n < 2; ++n) {
        const double step = n == 0 ? 8e-6 : 1e-6;
        struct scree_world *world = make_free_box(*state != NULL, 0, 1);
        struct scree_engine *engine = scree_test_threaded_engine(world, step, 1);
        struct scree_energy first, last;
        assert_ok(scree_energy_get(world, &first));
        assert_ok(scree_engine_run(engine, (uint64_t)(0.13 / step + 0.5)));
        assert_ok(scree_energy_get(world, &last));
        assert_true(fabs(last.rotation - first.rotation) > 0.01 * first.rotation);
        error[n] = fabs(last.balance) / first.translation;
        scree_test_end(world, engine);
    }
    if (!(error[0] < 1e-4 && error[1] < 0.1 * error[0]))
        fail_msg("errors %g and %g", error[0], error[1]);
}

// --- reproducible

static struct scree_world *make_pile(void)
{
    static struct surface surface;
    uint64_t seed = 9;
    scree_material_id material;
    surface = (struct surface){0};
    add_roof(&surface, -1, &seed);
    struct scree_world *world =
        make_world(&(struct setting){10, 0.4, 0.5, 2e6}, mesh_of(&surface), &material);
    for (int i = 0; i < 12; ++i)
        add(world, material, length,
            &(struct scree_polyhedron_def){
                .position = {0.18 * (i % 2) - 0.09, 0.18 * (i / 2 % 3) - 0.18, 0.3 + 0.18 * (i / 6)},
                .orientation = {0.9, 0.1 * (i % 4), 0.3 * (i % 3), 0.2},
                .velocity = {0, 0, -1},
                .spin = {i % 3, i % 5, -i % 7}});
    return world;
}

static void digests_are_equal_for_threads_and_restarts(void **state)
{
    (void)state;
    struct scree_world *one = make_pile(), *three = make_pile();
    struct scree_engine *engine = scree_test_threaded_engine(one, 2e-5, 1),
                        *team = scree_test_threaded_engine(three, 2e-5, 3);
    struct scree_digest digest, other;
    size_t contacts = 0;
    for (int part = 0; part < 3; ++part) {
        assert_ok(scree_engine_run(engine, 3000));
        assert_ok(scree_engine_run(team, 3000));
        // a new engine searches again
        scree_engine_destroy(team);
        team = scree_test_threaded_engine(three, 2e-5, 3);
        assert_ok(scree_world_validate(three));
        assert_ok(scree_world_digest(one, &digest));
        assert_ok(scree_world_digest(three, &other));
        assert_true(digest.low == other.low && digest.high == other.high);
        contacts += scree_contact_count(one);
    }
    assert_true(contacts > 0);
    scree_test_end(three, team);
    scree_test_end(one, engine);
}

// More facets are within the rounding of a corner than are searched for contacts.
static void facets_much_smaller_than_the_rounding_are_an_error(void **state)
{
    (void)state;
    static struct surface surface;
    uint64_t seed = 1;
    scree_material_id material;
    surface = (struct surface){0};
    add_face(&surface, (const double[3]){0, 0, 0}, (const double[3]){0.0015, 0, 0},
             (const double[3]){0, 0.0015, 0}, 18, &seed);
    struct scree_world *world = make_world(&(struct setting){0, 0, 1, 1e6}, mesh_of(&surface), &material);
    add(world, material, length,
        &(struct scree_polyhedron_def){.position = {0.05 - rounding, 0.06 - rounding, 0.0394}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-6, 1);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "512 or more facets of wall 1", scree_engine_run(engine, 1));
    scree_test_end(world, engine);
}

static void a_sharp_polyhedron_at_a_mesh_is_refused(void **state)
{
    (void)state;
    static struct surface surface;
    uint64_t seed = 1;
    scree_material_id material;
    scree_body_id id;
    surface = (struct surface){0};
    add_roof(&surface, 1, &seed);
    struct scree_world *world = make_world(&(struct setting){0, 0, 1, 1e6}, mesh_of(&surface), &material);
    struct scree_polyhedron_def def = {.material = material, .position = {0, 0, 1}};
    assert_ok(scree_polyhedron_add_box(world, length, 0, &def.shape));
    assert_ok(scree_polyhedron_add(world, &def, &id));
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-6, 1);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "has no rounding, but could touch wall",
                   scree_engine_run(engine, 1));
    scree_test_end(world, engine);
}

int main(void)
{
    // the same with a rectangle or a solid box in place of facets
    static char flat[] = "flat";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_with_a_box_of_facets_are_those_with_a_box),
        cmocka_unit_test_prestate(contacts_with_a_box_of_facets_are_those_with_a_box, flat),
        cmocka_unit_test(a_corner_in_a_shallow_groove_touches_both_faces_or_the_nearer),
        cmocka_unit_test(histories_go_on_at_the_same_vertex),
        cmocka_unit_test(a_box_slides_over_facets_as_over_a_plane),
        cmocka_unit_test_prestate(a_box_slides_over_facets_as_over_a_plane, flat),
        cmocka_unit_test(a_box_over_the_edge_of_a_rectangle_stays_or_falls),
        cmocka_unit_test(a_rectangle_goes_on_beyond_the_faces_of_a_cell),
        cmocka_unit_test(a_turning_mesh_carries_a_box_along_a_circle),
        cmocka_unit_test(elastic_collisions_with_ridges_grooves_and_rims_conserve_energy),
        cmocka_unit_test(momenta_are_conserved_in_collisions_with_a_free_box),
        cmocka_unit_test_prestate(momenta_are_conserved_in_collisions_with_a_free_box, flat),
        cmocka_unit_test(elastic_collisions_with_a_free_box_conserve_energy),
        cmocka_unit_test_prestate(elastic_collisions_with_a_free_box_conserve_energy, flat),
        cmocka_unit_test(digests_are_equal_for_threads_and_restarts),
        cmocka_unit_test(facets_much_smaller_than_the_rounding_are_an_error),
        cmocka_unit_test(a_sharp_polyhedron_at_a_mesh_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
