// Polyhedra on flat circular walls. References: a plane; the circle in closed form; meshes; conservation
// laws.

#include "support/polyhedra_on_facets.h"
#include "world/grain.h"
#include "world/wall.h"
#include "world/wall_facets.h"

#include <scree/checkpoint.h>
#include <scree/contact.h>
#include <scree/energy.h>

static const double length[3] = {0.1, 0.12, 0.08};
static const double pi = 3.14159265358979323846;

static struct scree_wall_def disk_of(double radius, double hole)
{
    return (struct scree_wall_def){.shape = SCREE_WALL_DISK,
                                   .disk = {.normal = {0, 0, 1}, .radius = radius, .hole = hole}};
}

// --- the face

// The largest difference of velocities, and of velocities of corners by spins, on a disk and on a plane.
static double difference(struct scree_wall_def disk, const struct scree_polyhedron_def *body,
                         struct scree_body_state *last)
{
    const struct setting setting = {10, 0.4, 0.5, 1e6};
    const struct scree_wall_def plane = {.shape = SCREE_WALL_PLANE, .plane = {.normal = {0, 0, 1}}};
    struct scree_engine *engine[2];
    struct scree_world *world[2];
    double largest = 0;
    for (int w = 0; w < 2; ++w) {
        scree_material_id material;
        world[w] = make_world(&setting, w == 0 ? plane : disk, &material);
        add(world[w], material, length, body);
        engine[w] = scree_test_threaded_engine(world[w], 2e-5, 1);
    }
    for (int part = 0; part < 250; ++part) {
        for (int w = 0; w < 2; ++w)
            assert_ok(scree_engine_run(engine[w], 40));
        const struct scree_body_state a = scree_test_state(world[0], 1), b = scree_test_state(world[1], 1);
        for (int k = 0; k < 3; ++k) {
            largest = fmax(largest, fabs(a.velocity[k] - b.velocity[k]));
            largest = fmax(largest, 0.1 * fabs(a.spin[k] - b.spin[k]));
        }
    }
    *last = scree_test_state(world[1], 1);
    for (int w = 0; w < 2; ++w)
        scree_test_end(world[w], engine[w]);
    return largest;
}

// A box slides and stops, by friction of 0.4 g; one falls on a corner and tumbles. Round-off of the axes of
// the wall, 1e-16, grows in impacts on corners by less than 1e6, as on triangulated planes.
static void a_box_moves_on_a_disk_and_on_a_ring_as_on_a_plane(void **state)
{
    (void)state;
    struct scree_body_state last;
    const struct scree_polyhedron_def slides = {.position = {-0.1, 0.45, 0.04},
                                                .velocity = {0.8, 0.1, 0},
                                                .spin = {0, 0, 2}},
                                      tumbles = {.position = {0.1, 0.45, 0.12},
                                                 .orientation = {0.9, 0.1, 0.3, 0.2},
                                                 .velocity = {0.5, 0.3, -1},
                                                 .spin = {3, -5, 2}};
    for (int ring = 0; ring < 2; ++ring) {
        const struct scree_wall_def disk = disk_of(1.5, ring ? 0.2 : 0);
        assert_true(difference(disk, &slides, &last) < 1e-9);
        assert_true(last.position[0] > -0.05 && fabs(last.velocity[0]) < 0.2);
        assert_true(difference(disk, &tumbles, &last) < 1e-9);
    }
    // a disk pushes to both sides: the same from below, where the weight leads away
    scree_material_id material;
    struct scree_world *world = make_world(&(struct setting){0, 0, 1, 1e6}, disk_of(1.5, 0), &material);
    add(world, material, length,
        &(struct scree_polyhedron_def){.position = {0.3, 0, -0.05}, .velocity = {0, 0, 1}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 2e-5, 1);
    assert_ok(scree_engine_run(engine, 2000));
    assert_true(fabs(scree_test_state(world, 1).velocity[2] + 1) < 1e-3);
    scree_test_end(world, engine);
}

// --- the rim

// A box over the rim, at the distance c of its centre from the circle on the line through both centres. In
// it, it stays, and leans by less than the overlap of its weight over the least distance of a support from
// its centre, 0.01 m. Beyond, it falls about the outermost point: I t'' = m g (c + H t) for the lean t, with
// the height H of the centre. At a corner of the polygon this point is on the circle, at the middle of a side
// nearer by 1 - cos(pi / n) of the radius. It begins without overlap: within about sqrt(m / k) = 0.3 ms its
// other corners push it, too, at up to 0.06 m, which gives it a spin of less than 0.06 m g 0.3 ms / I = 0.06
// rad/s, and after 0.1 s a lean of 0.06 sinh(w t) / w = 0.007, 4 %. The rounded box has 1 % less mass.
static void a_box_over_the_rim_stays_or_falls(void **state)
{
    (void)state;
    const double radius = 0.5, gravity = 10, time = 0.1, step = 5e-6, height = 0.5 * length[2];
    for (int n = 0; n < 4; ++n) {
        const bool falls = n % 2, side = n / 2;
        scree_material_id material;
        struct scree_world *world =
            make_world(&(struct setting){gravity, 0.5, 0.3, 1e7}, disk_of(radius, 0), &material);
        // the first corner of the polygon is along the first axis of the wall
        const struct scree_wall *wall = scree_wall_row(world, 0);
        const double turn = side ? pi / SCREE_WALL_DISK_SIDES : 0,
                     angle = atan2(wall->axes[0][1], wall->axes[0][0]) + turn;
        const double c = falls ? 0.01 : -0.01, from = radius + c;
        add(world, material, length,
            &(struct scree_polyhedron_def){.position = {from * cos(angle), from * sin(angle), height},
                                           .orientation = {cos(angle / 2), 0, 0, sin(angle / 2)}});
        struct scree_engine *engine = scree_test_threaded_engine(world, step, 1);
        assert_ok(scree_engine_run(engine, (uint64_t)(time / step + 0.5)));
        const struct scree_body_state now = scree_test_state(world, 1);
        const double *q = now.orientation, tilt = 2 * sqrt(q[1] * q[1] + q[2] * q[2]);
        const double pivot = c + (side ? radius * (1 - cos(pi / SCREE_WALL_DISK_SIDES)) : 0),
                     inertia = (length[0] * length[0] + length[2] * length[2]) / 12 + height * height +
                               pivot * pivot,
                     rate = sqrt(gravity * height / inertia),
                     expected = pivot / height * (cosh(rate * time) - 1);
        if (!(falls ? fabs(tilt - expected) < 0.05 * expected : tilt < 0.96 * gravity / 1e7 / 0.01))
            fail_msg("case %d: lean %g, not %g", n, tilt, expected);
        scree_test_end(world, engine);
    }
}

// A mesh of n sides about the centre with the corners of the rim on the circle, the first at an angle.
static struct scree_wall_def fan_of(struct surface *surface, uint32_t n, double radius, double first)
{
    *surface = (struct surface){.vertices = n + 1, .facets = n};
    for (uint32_t k = 0; k < n; ++k) {
        surface->vertex[k + 1][0] = radius * cos(first + 2 * pi * k / n);
        surface->vertex[k + 1][1] = radius * sin(first + 2 * pi * k / n);
        surface->facet[k][1] = k + 1;
        surface->facet[k][2] = (k + 1) % n + 1;
    }
    return mesh_of(surface);
}

// A box flies in the plane of a disk to the centre, at 1 m/s, and a face hits the rim, outermost at an angle,
// 0.02 m beside the centre of the box. Returns its spin after an elastic impact, and that of rigid ones.
static double spin_after(struct scree_wall_def wall, double angle, double *rigid)
{
    const double from = 0.2 + 0.051, aside = 0.02;
    scree_material_id material;
    struct scree_world *world = make_world(&(struct setting){0, 0, 1, 1e9}, wall, &material);
    add(world, material, length,
        &(struct scree_polyhedron_def){
            .position = {from * cos(angle) - aside * sin(angle), from * sin(angle) + aside * cos(angle), 0},
            .orientation = {cos(angle / 2), 0, 0, sin(angle / 2)},
            .velocity = {-cos(angle), -sin(angle), 0}});
    // the largest moment of inertia is that about z
    const double *inertia = scree_world_rotors(world)[0].inertia,
                 square = fmax(inertia[0], fmax(inertia[1], inertia[2])) / scree_world_grains(world)[0].mass;
    *rigid = 2 / (1 + aside * aside / square) * aside / square;
    struct scree_engine *engine = scree_test_threaded_engine(world, 5e-7, 1);
    assert_ok(scree_engine_run(engine, 6000));
    const double spin = scree_test_state(world, 1).spin[2];
    scree_test_end(world, engine);
    return spin;
}

// The face hits the corner of a polygon that is nearest to the outermost point, at a quarter of a side, so
// the arm, and with it the spin, differs from that at the circle in the first order of the side. A disk is
// the polygon of its number of sides; its overlaps are below 1e-4 m.
static void a_face_hits_the_rim_as_polygons_do_that_converge_to_the_circle(void **state)
{
    (void)state;
    static struct surface surface;
    const uint32_t sides = SCREE_WALL_DISK_SIDES;
    double error[3], rigid = 0, spin = 0;
    for (uint32_t n = 0; n < 3; ++n) {
        const double quarter = pi / 2 / (sides << n);
        spin = spin_after(fan_of(&surface, sides << n, 0.2, 0.3 + quarter), 0.3, &rigid);
        error[n] = fabs(spin - rigid);
    }
    for (int n = 0; n < 2; ++n)
        if (!(error[n + 1] > error[n] / 2.5 && error[n + 1] < error[n] / 1.6))
            fail_msg("errors %g and %g of %g", error[n], error[n + 1], rigid);
    scree_material_id material;
    struct scree_world *world = make_world(&(struct setting){0, 0, 1, 1}, disk_of(0.2, 0), &material);
    const double *axis = scree_wall_row(world, 0)->axes[0], angle = atan2(axis[1], axis[0]) - pi / 2 / sides;
    scree_world_destroy(world);
    spin = spin_after(disk_of(0.2, 0), angle, &rigid);
    scree_test_near(fabs(spin - rigid), error[0], 1e-6);
}

// A block that is larger than a disk and its hole lies on all corners: their springs carry its weight.
static void a_block_lies_on_the_whole_rim(void **state)
{
    (void)state;
    for (int ring = 0; ring < 2; ++ring) {
        const double sizes[3] = {0.3, 0.3, 0.1}, gravity = 10;
        const int corners = ring ? 2 * SCREE_WALL_RING_SIDES : SCREE_WALL_DISK_SIDES;
        scree_material_id material;
        struct scree_world *world =
            make_world(&(struct setting){gravity, 0.5, 0.2, 1e5}, disk_of(0.1, ring ? 0.05 : 0), &material);
        add(world, material, sizes, &(struct scree_polyhedron_def){.position = {0.01, 0.02, 0.05}});
        struct scree_engine *engine = scree_test_threaded_engine(world, 2e-5, 1);
        assert_ok(scree_engine_run(engine, 15000));
        const struct scree_body_state now = scree_test_state(world, 1);
        assert_int_equal(scree_contact_count(world), corners);
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(now.velocity[k]) < 1e-9 && fabs(now.spin[k]) < 1e-8);
        // the mean overlap of the corners is where their centre is, below the centre of the block by the lean
        const double mass = scree_world_grains(world)[0].mass, *q = now.orientation,
                     lean[2] = {2 * q[2], -2 * q[1]},
                     depth = 0.05 - now.position[2] - lean[0] * now.position[0] - lean[1] * now.position[1];
        scree_test_near(depth, mass * gravity / (corners * 1e5), 1e-3 * mass * gravity / (corners * 1e5));
        scree_test_end(world, engine);
    }
}

// A disk as wide as a face: all corners touch the face, and four of its edges run along the rim.
static void a_face_as_wide_as_a_disk_has_room_for_its_contacts(void **state)
{
    (void)state;
    const double radius = rounding / 0.1, sizes[3] = {2 * radius, 2 * radius, radius};
    scree_material_id material;
    struct scree_world *world =
        make_world(&(struct setting){10, 0.5, 0.2, 1e5}, disk_of(radius, 0), &material);
    add(world, material, sizes, &(struct scree_polyhedron_def){.position = {0, 0, 0.4999 * radius}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 2e-6, 1);
    assert_ok(scree_engine_run(engine, 1000));
    assert_true(scree_contact_count(world) > 4);
    scree_test_end(world, engine);
}

// --- conservation

// A box tumbles onto the rim of a disk, or of the hole of a ring.
static struct scree_world *make_tumbling(bool ring, double friction, double restitution)
{
    scree_material_id material;
    struct scree_world *world = make_world(&(struct setting){0, friction, restitution, 1e6},
                                           disk_of(ring ? 0.5 : 0.2, ring ? 0.2 : 0), &material);
    add(world, material, length,
        &(struct scree_polyhedron_def){.position = {0.21, 0.02, 0.16},
                                       .orientation = {0.9, 0.1, 0.3, 0.2},
                                       .velocity = {0.05, 0.02, -0.5},
                                       .spin = {1, -2, 2}});
    return world;
}

// The error is that of the integration, of second order: a sixteenth for a quarter of the step. The order of
// a collision is not exact, so at least a quarter.
static void elastic_collisions_with_rims_conserve_energy(void **state)
{
    (void)state;
    for (int ring = 0; ring < 2; ++ring) {
        double error[2];
        for (int n = 0; n < 2; ++n) {
            const double step = n == 0 ? 4e-6 : 1e-6;
            struct scree_world *world = make_tumbling(ring, 0, 1);
            struct scree_engine *engine = scree_test_threaded_engine(world, step, 1);
            const struct scree_energy first = scree_test_energy(world);
            assert_ok(scree_engine_run(engine, (uint64_t)(0.3 / step + 0.5)));
            const struct scree_energy last = scree_test_energy(world);
            assert_true(fabs(last.rotation - first.rotation) > 0.01 * first.rotation);
            error[n] = fabs(last.balance) / first.translation;
            scree_test_end(world, engine);
        }
        if (!(error[0] < 1e-4 && error[1] < 0.25 * error[0]))
            fail_msg("ring %d: errors %g and %g", ring, error[0], error[1]);
    }
}

// The disk is the surface of a free body of 2 kg. Relative to a mass of 3 kg, 1 m/s and an arm of 0.2 m.
static void momenta_are_conserved_in_collisions_with_a_free_disk(void **state)
{
    (void)state;
    struct scree_world *world = make_tumbling(false, 0.4, 0.6);
    struct scree_momentum before, after;
    scree_body_id body;
    assert_ok(scree_body_add_rigid(
        world, &(struct scree_rigid_def){.mass = 2, .inertia = {0.02, 0.02, 0.04}, .spin = {0.3, 0.2, 1}},
        &body));
    assert_ok(scree_wall_body_attach(world, (scree_wall_id){1}, body));
    struct scree_engine *engine = scree_test_threaded_engine(world, 5e-6, 2);
    assert_ok(scree_energy_momentum(world, &before));
    assert_ok(scree_engine_run(engine, 60000));
    assert_ok(scree_energy_momentum(world, &after));
    const struct scree_energy energy = scree_test_energy(world);
    assert_true(energy.friction > 0.0001 && energy.dashpot > 0.001 && energy.work == 0);
    for (int k = 0; k < 3; ++k) {
        scree_test_near(after.linear[k], before.linear[k], 3e-12);
        scree_test_near(after.angular[k], before.angular[k], 1e-12);
    }
    scree_test_end(world, engine);
}

// --- restarts and alarms

static void a_restart_while_the_rim_touches_changes_nothing(void **state)
{
    (void)state;
    struct scree_world *one = make_tumbling(true, 0.4, 0.6), *other = make_tumbling(true, 0.4, 0.6);
    struct scree_engine *engine = scree_test_threaded_engine(one, 1e-5, 1),
                        *threads = scree_test_threaded_engine(other, 1e-5, 3);
    uint64_t steps = 0;
    for (; steps < 40000 && scree_contact_count(other) == 0; steps += 20)
        assert_ok(scree_engine_run(threads, 20));
    assert_true(scree_contact_count(other) > 0);
    scree_engine_destroy(threads);
    scree_test_restart(&other, "polyhedron-disk.chk");
    threads = scree_test_threaded_engine(other, 1e-5, 3);
    assert_ok(scree_engine_run(threads, 20000));
    assert_ok(scree_engine_run(engine, steps + 20000));
    assert_true(scree_test_digests_equal(scree_test_digest(one), scree_test_digest(other)));
    scree_test_end(one, engine);
    scree_test_end(other, threads);
}

// A disk has no thickness, so a corner that moves by more than the rounding in a step may pass it.
static void a_box_too_fast_for_a_disk_raises_an_alarm(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world = make_world(&(struct setting){0, 0, 1, 1e6}, disk_of(1.5, 0), &material);
    add(world, material, length,
        &(struct scree_polyhedron_def){.position = {0.3, 0, 0.06}, .velocity = {0, 0, -100}});
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-4, 1);
    assert_refused(SCREE_ERROR_NUMBER, "body 1 and wall 1 approached each other in a step by 2.5",
                   scree_engine_run(engine, 5));
    scree_test_end(world, engine);
}

static void a_ring_too_narrow_for_its_sides_is_refused(void **state)
{
    (void)state;
    for (int n = 0; n < 2; ++n) {
        scree_material_id material;
        struct scree_world *world =
            make_world(&(struct setting){0, 0, 1, 1e6}, disk_of(1, n == 0 ? 0.99 : 1e-7), &material);
        add(world, material, length, &(struct scree_polyhedron_def){.position = {0, 0, 1}});
        struct scree_engine *engine = scree_test_threaded_engine(world, 1e-5, 1);
        assert_refused(SCREE_ERROR_UNSUPPORTED, "holes have from 1e-6 to 0.98 of the radius",
                       scree_engine_run(engine, 1));
        scree_test_end(world, engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_moves_on_a_disk_and_on_a_ring_as_on_a_plane),
        cmocka_unit_test(a_box_over_the_rim_stays_or_falls),
        cmocka_unit_test(a_face_hits_the_rim_as_polygons_do_that_converge_to_the_circle),
        cmocka_unit_test(a_block_lies_on_the_whole_rim),
        cmocka_unit_test(a_face_as_wide_as_a_disk_has_room_for_its_contacts),
        cmocka_unit_test(elastic_collisions_with_rims_conserve_energy),
        cmocka_unit_test(momenta_are_conserved_in_collisions_with_a_free_disk),
        cmocka_unit_test(a_restart_while_the_rim_touches_changes_nothing),
        cmocka_unit_test(a_box_too_fast_for_a_disk_raises_an_alarm),
        cmocka_unit_test(a_ring_too_narrow_for_its_sides_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
