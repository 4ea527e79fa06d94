// Packings of clumps, polyhedra and bonded bodies in a periodic cell that deforms: they have the contacts of
// all pairs and images, and do not depend on the choice of cell vectors, threads and restarts.

#include "base/processor.h"
#include "engine/engine.h"
#include "engine/soft.h"
#include "math/quat.h"
#include "support/cell_bodies.h"

// --- packings

enum { BODIES = 30 };

// A packing of overlapping bodies at random places with fluctuations.
static void fill(struct scree_world *world, enum scree_cell_bodies_kind kind, const double vectors[9],
                 uint64_t seed)
{
    const scree_material_id material = scree_cell_bodies_law(world);
    struct scree_rigid_def last = {0};
    for (int g = 0; g < BODIES; ++g) {
        struct scree_rigid_def at = scree_cell_bodies_motion(vectors, &seed);
        // a sphere with a bond is near its clump
        const bool bonded = kind == SCREE_CELL_BODIES_BONDED && g % 2 == 1;
        for (int k = 0; k < 3 && bonded; ++k)
            at.position[k] = last.position[k] + 0.17 * (k == g % 3 ? 1 : -0.6);
        const uint64_t id =
            scree_cell_bodies_add(world, kind, g, 0.18 + 0.02 * splitmix_signed(&seed), material, &at);
        if (bonded)
            scree_cell_bodies_join(world, id - 1, id, 0.05);
        last = at;
    }
}

struct ball {
    uint64_t body;
    double centre[3], radius;
};

// The pebbles of all clumps, made by `fill` with this seed, where they are.
static size_t list_pebbles(const struct scree_world *world, uint64_t seed, struct ball *ball)
{
    size_t count = 0;
    for (uint64_t id = 1; id <= BODIES; ++id) {
        struct scree_test_clump clump;
        (void)scree_cell_bodies_motion(scree_cells_cube, &seed);
        scree_cell_bodies_clump(0.18 + 0.02 * splitmix_signed(&seed), &clump);
        const struct scree_body_state state = scree_test_state(world, id);
        for (size_t p = 0; p < clump.def.pebbles; ++p, ++count) {
            const struct scree_vec3 arm = scree_quat_rotate(scree_quat_load(state.orientation),
                                                            scree_vec3_load(clump.pebble[p].offset));
            scree_vec3_store(scree_vec3_add(scree_vec3_load(state.position), arm), ball[count].centre);
            ball[count].radius = clump.pebble[p].radius;
            ball[count].body = id;
        }
    }
    return count;
}

// The overlap of two balls at their nearest images.
static double overlap_of(const struct scree_cell_state *cell, const struct ball *a, const struct ball *b)
{
    double least = INFINITE;
    for (int i = -3; i <= 3; ++i)
        for (int j = -3; j <= 3; ++j)
            for (int k = -3; k <= 3; ++k) {
                double square = 0;
                for (int r = 0; r < 3; ++r) {
                    const double d = a->centre[r] - b->centre[r] + i * cell->vectors[r] +
                                     j * cell->vectors[3 + r] + k * cell->vectors[6 + r];
                    square += d * d;
                }
                least = square < least ? square : least;
            }
    return a->radius + b->radius - sqrt(least);
}

// Compares the list of contacts with all pairs of pebbles and images.
static size_t check_all_pairs(const struct scree_world *world, uint64_t seed)
{
    static struct scree_contact contact[4000];
    static struct ball ball[BODIES * SCREE_TEST_PEBBLES];
    const size_t balls = list_pebbles(world, seed, ball);
    const struct scree_cell_state cell = scree_cells_state(world);
    size_t count, next = 0;
    assert_ok(scree_contact_list(world, contact, 4000, &count));
    assert_true(count <= 4000);
    for (size_t a = 0; a < balls; ++a)
        for (size_t b = a + 1; b < balls; ++b) {
            if (ball[a].body == ball[b].body)
                continue;
            const double overlap = overlap_of(&cell, &ball[a], &ball[b]);
            const unsigned first = (unsigned)(a % 5 + 1), second = (unsigned)(b % 5 + 1);
            size_t found = count;
            for (size_t c = 0; c < count && found == count; ++c)
                if (contact[c].body[0].value == ball[a].body && contact[c].body[1].value == ball[b].body &&
                    contact[c].part[0] == first && contact[c].part[1] == second)
                    found = c;
            // overlaps at round-off may be listed or not
            if (fabs(overlap) > 1e-12)
                assert_int_equal(found<count, overlap> 0);
            if (found == count)
                continue;
            scree_test_near(contact[found].overlap, overlap, 1e-13);
            ++next;
        }
    assert_int_equal(next, count);
    return count;
}

static void a_sheared_packing_of_clumps_has_the_contacts_of_all_pairs_and_images(void **state)
{
    (void)state;
    static const double other[9] = {-1, 3, 2, 0.5, 0.5, -3, 1, -2, 0.5};
    struct scree_cells made = scree_cells_make(scree_cells_cube, 2e-4);
    fill(made.world, SCREE_CELL_BODIES_CLUMPS, scree_cells_cube, 7);
    assert_ok(scree_cell_deform(made.world, scree_cell_bodies_shear));
    size_t contacts = 0;
    for (int k = 0; k < 12; ++k) {
        assert_ok(scree_engine_run(made.engine, 100));
        contacts += check_all_pairs(made.world, 7);
    }
    assert_ok(scree_cell_deform(made.world, other));
    for (int k = 0; k < 6; ++k) {
        assert_ok(scree_engine_run(made.engine, 100));
        contacts += check_all_pairs(made.world, 7);
    }
    assert_true(contacts > 100);
    scree_cells_end(&made);
}

// A clump of two pebbles that turns at the centre of a ring of small spheres at rest in a cell without
// strain: only its rotation brings pebbles to spheres, and lists must follow it.
static void contacts_of_pebbles_follow_the_rotation_of_their_body(void **state)
{
    (void)state;
    enum { RING = 12 };
    const double pi = acos(-1), arm = 0.3, radius = 0.08, small = 0.02, rest[3] = {0},
                 sphere[2][4] = {{-arm, 0, 0, radius}, {arm, 0, 0, radius}};
    struct scree_test_clump clump;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 1e-3);
    const scree_material_id material = scree_cell_bodies_law(made.world);
    scree_test_clump_make(sphere, 2, 1000, &clump);
    // the centre is at a corner of the cell
    const uint64_t id =
        scree_test_clump_add(made.world, &clump, material, &(struct scree_rigid_def){.spin = {0, 0, 5}})
            .value;
    for (int r = 0; r < RING; ++r) {
        const double angle = (r + 0.5) * 2 * pi / RING, at[3] = {0.39 * cos(angle), 0.39 * sin(angle), 0};
        (void)scree_cells_add(made.world, material, small, at, rest, rest);
    }
    size_t touching = 0;
    for (int step = 0; step < 400; ++step) {
        assert_ok(scree_engine_run(made.engine, 1));
        const struct scree_body_state body = scree_test_state(made.world, id);
        size_t overlaps = 0;
        for (size_t p = 0; p < 2; ++p) {
            double place[3];
            scree_vec3_store(
                scree_quat_rotate(scree_quat_load(body.orientation), scree_vec3_load(clump.pebble[p].offset)),
                place);
            for (uint64_t one = id + 1; one <= id + RING; ++one) {
                const struct scree_body_state other = scree_test_state(made.world, one);
                double square = 0;
                for (int k = 0; k < 3; ++k) {
                    const double d = remainder(body.position[k] + place[k] - other.position[k], 1);
                    square += d * d;
                }
                overlaps += sqrt(square) < radius + small;
            }
        }
        assert_int_equal(scree_contact_count(made.world), overlaps);
        touching += overlaps;
    }
    assert_true(touching > 10);
    scree_cells_end(&made);
}

static void a_clump_that_would_touch_its_own_image_is_refused(void **state)
{
    (void)state;
    // the pebbles have room, but not the clump of a length of 0.8 in a cell that is squeezed to it in 223
    // steps
    const double sphere[2][4] = {{-0.3, 0, 0, 0.1}, {0.3, 0, 0, 0.1}};
    struct scree_test_clump clump;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 1e-3);
    scree_test_clump_make(sphere, 2, 1000, &clump);
    (void)scree_test_clump_add(made.world, &clump, scree_cell_bodies_law(made.world),
                               &(struct scree_rigid_def){.position = {0.5, 0.5, 0.5}, .spin = {0, 0, 3}});
    assert_ok(scree_cell_deform(made.world, (const double[9]){-1, 0, 0, 0, 0.5, 0, 0, 0, 0.5}));
    assert_ok(scree_engine_run(made.engine, 50));
    assert_refused(SCREE_ERROR_LIMIT, "its own images", scree_engine_run(made.engine, 200));
    scree_cells_end(&made);
}

// Runs a packing in a cell given by some vectors of a lattice, of which a_y is (scree_cell_bodies_shear, 1,
// 0).
static void run_packing(enum scree_cell_bodies_kind kind, const double vectors[9], const double places[9],
                        double fluctuation[BODIES][3], double spin[BODIES][3])
{
    struct scree_cells made = scree_cells_make(vectors, 2e-4);
    fill(made.world, kind, places, 9);
    assert_ok(scree_cell_deform(made.world, scree_cell_bodies_shear));
    assert_ok(scree_engine_run(made.engine, 100));
    for (uint64_t g = 1; g <= BODIES; ++g) {
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){g}, fluctuation[g - 1]));
        memcpy(spin[g - 1], scree_test_state(made.world, g).spin, sizeof spin[g - 1]);
    }
    assert_true(scree_contact_count(made.world) > 5);
    scree_cells_end(&made);
}

static void check_vectors(enum scree_cell_bodies_kind kind)
{
    // the first takes shorter vectors at a shear of 0.566, after 66 steps
    static const double before[9] = {1, 0, 0, 0.5, 1, 0, 0, 0, 1}, after[9] = {1, 0, 0, -0.5, 1, 0, 0, 0, 1},
                        turned[9] = {0.5, 1, 0, 0, 0, 1, 1, 0, 0},
                        long_one[9] = {1, 0, 0, 7.5, 1, 3, 0, 0, 1};
    static double first[2][BODIES][3], second[2][BODIES][3];
    const double *const others[] = {after, turned, long_one};
    run_packing(kind, before, before, first[0], first[1]);
    for (size_t o = 0; o < sizeof others / sizeof others[0]; ++o) {
        run_packing(kind, others[o], before, second[0], second[1]);
        // positions of order 1; contacts are stiff (k / m h^2 = 1e-4), and 100 steps add 1e-16 each
        for (int g = 0; g < BODIES; ++g)
            for (int k = 0; k < 3; ++k) {
                scree_test_near(second[0][g][k], first[0][g][k], 1e-12);
                scree_test_near(second[1][g][k], first[1][g][k], 1e-11);
            }
    }
}

static void the_motion_does_not_depend_on_the_choice_of_vectors(void **state)
{
    (void)state;
    check_vectors(SCREE_CELL_BODIES_CLUMPS);
    check_vectors(SCREE_CELL_BODIES_BOXES);
    check_vectors(SCREE_CELL_BODIES_MIXED);
    check_vectors(SCREE_CELL_BODIES_BONDED);
}

// --- the plane

enum { PLANE_BODIES = 24 };

// A world of the plane with disks, clumps of one and of two disks, and polygons, in turn; or with disks and
// clumps of one disk in their place.
static struct scree_world *make_plane(const double vectors[9], const double places[9], bool shapes,
                                      bool disks)
{
    struct scree_world *world;
    uint64_t seed = 41;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world));
    assert_ok(scree_cell_set_vectors(world, (const double[3]){-0.2, 0.3, 0}, vectors));
    const scree_material_id material = scree_cell_bodies_law(world);
    scree_shape_id polygon;
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){0.12, 0.09, 0}, 0.02, &polygon));
    for (int g = 0; g < PLANE_BODIES; ++g) {
        scree_body_id id;
        struct scree_rigid_def at = scree_cell_bodies_motion(places, &seed);
        const double r = 0.06, mass = 1000 * acos(-1) * r * r * 0.1, angle = 3 * splitmix_signed(&seed);
        const int kind = shapes ? g % 4 : disks ? 0 : 1;
        const struct scree_pebble pebble[2] = {{.offset = {kind == 1 ? 0 : -0.5 * r}, .radius = r},
                                               {.offset = {0.5 * r}, .radius = r}};
        if (kind == 0) {
            const struct scree_disk_def disk = {.radius = r,
                                                .thickness = 0.1,
                                                .material = material,
                                                .position = {at.position[0], at.position[1]},
                                                .velocity = {at.velocity[0], at.velocity[1]},
                                                .spin = at.spin[2]};
            assert_ok(scree_body_add_disk(world, &disk, &id));
            continue;
        }
        struct scree_rigid_def body = {.mass = mass,
                                       .polar = (kind == 1 ? 0.5 : 0.7) * mass * r * r,
                                       .material = material,
                                       .position = {at.position[0], at.position[1]},
                                       .orientation = {cos(0.5 * angle), 0, 0, sin(0.5 * angle)},
                                       .velocity = {at.velocity[0], at.velocity[1]},
                                       .spin = {0, 0, at.spin[2]}};
        if (kind < 3) {
            const struct scree_clump_def def = {
                .body = body, .pebble = pebble, .pebbles = (size_t)kind, .equal_radius = 1.2 * r};
            assert_ok(scree_body_add_clump(world, &def, &id));
            continue;
        }
        struct scree_polyhedron_def def = {.shape = polygon, .material = material, .thickness = 0.1};
        memcpy(def.position, body.position, sizeof def.position);
        memcpy(def.orientation, body.orientation, sizeof def.orientation);
        memcpy(def.velocity, body.velocity, sizeof def.velocity);
        memcpy(def.spin, body.spin, sizeof def.spin);
        assert_ok(scree_polyhedron_add(world, &def, &id));
    }
    return world;
}

// Fluctuation of the velocity, and spin, of all bodies after a shear through a change of cell vectors.
static void run_plane(const double vectors[9], const double places[9], bool shapes, bool disks,
                      double motion[PLANE_BODIES][3])
{
    struct scree_world *world = make_plane(vectors, places, shapes, disks);
    struct scree_engine *engine = scree_cells_engine(world, 1e-4, 1);
    const struct scree_damping damping = {.viscous = 5, .local = 0.1};
    assert_ok(scree_engine_set_damping(engine, &damping));
    assert_ok(scree_cell_deform(world, (const double[9]){0.5, 5, 0, -1, -0.5, 0, 0, 0, 0}));
    size_t touching = 0;
    for (int k = 0; k < 10; ++k) {
        assert_ok(scree_engine_run(engine, 20));
        touching += scree_contact_count(world);
    }
    assert_true(touching > 30);
    for (uint64_t g = 1; g <= PLANE_BODIES; ++g) {
        assert_ok(scree_cell_fluctuation(world, (scree_body_id){g}, motion[g - 1]));
        motion[g - 1][2] = scree_test_state(world, g).spin[2];
    }
    scree_test_end(world, engine);
}

static void check_same_motion(double first[PLANE_BODIES][3], double second[PLANE_BODIES][3])
{
    // pending half-kicks are floats: their part of the mean velocity, h D D x / 2 = 1e-3, is rounded by
    // 6e-11, which acts in dashpots, some hundredths of it in each of 100 steps, and on spins divided by half
    // a radius
    for (int g = 0; g < PLANE_BODIES; ++g) {
        scree_test_near(second[g][0], first[g][0], 1e-10);
        scree_test_near(second[g][1], first[g][1], 1e-10);
        scree_test_near(second[g][2], first[g][2], 3e-9);
    }
}

static void bodies_of_the_plane_move_as_disks_and_do_not_depend_on_the_choice_of_vectors(void **state)
{
    (void)state;
    static const double before[9] = {1, 0, 0, 0.5, 1, 0}, after[9] = {1, 0, 0, -0.5, 1, 0},
                        turned[9] = {0.5, 1, 0, -1, 0, 0}, long_one[9] = {1, 0, 0, 7.5, 1, 0};
    const double *const others[] = {after, turned, long_one};
    static double first[PLANE_BODIES][3], second[PLANE_BODIES][3];
    run_plane(before, before, false, true, first);
    run_plane(before, before, false, false, second);
    check_same_motion(first, second);
    run_plane(before, before, true, false, first);
    for (size_t o = 0; o < sizeof others / sizeof others[0]; ++o) {
        run_plane(others[o], before, true, false, second);
        check_same_motion(first, second);
    }
}

// --- the same bits

static scree_status do_nothing(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    return SCREE_OK;
}

struct way {
    int threads;
    bool separate, restarts, narrow;
    double skin, local, viscous;
};

static struct scree_digest digest_of(enum scree_cell_bodies_kind kind, const struct way *way)
{
    static const double gradient[9] = {0.2, 100, 0, 0, -0.4, 5, 0, 0, 0.2};
    struct scree_cells made = scree_cells_make(scree_cells_cube, 5e-5);
    scree_processor_choose(way->narrow ? 0 : -1);
    fill(made.world, kind, scree_cells_cube, 11);
    assert_ok(scree_cell_deform(made.world, gradient));
    for (int part = 0; part < 2; ++part) {
        scree_engine_destroy(made.engine);
        if (way->restarts && part == 1)
            scree_test_restart(&made.world, "deforming-shapes.checkpoint");
        made.engine = scree_cells_engine(made.world, 5e-5, way->threads);
        ((struct scree_soft *)made.engine->self)->collider.search.prescribed_skin = way->skin;
        const struct scree_damping damping = {.local = way->local, .viscous = way->viscous};
        assert_ok(scree_engine_set_damping(made.engine, &damping));
        scree_callback_id id;
        if (way->separate)
            assert_ok(scree_engine_set_callback(made.engine, 95, do_nothing, NULL, &id));
        assert_ok(scree_engine_run(made.engine, 80));
    }
    scree_processor_choose(-1);
    const struct scree_digest digest = scree_test_digest(made.world);
    scree_cells_end(&made);
    return digest;
}

static void threads_instructions_separate_passes_skins_and_restarts_give_the_same_bits(void **state)
{
    (void)state;
    static const enum scree_cell_bodies_kind kinds[] = {SCREE_CELL_BODIES_CLUMPS, SCREE_CELL_BODIES_BOXES,
                                                        SCREE_CELL_BODIES_MIXED, SCREE_CELL_BODIES_BONDED};
    static const struct way damped[] = {{1, false, false, false, 0, 0, 0},
                                        {1, false, false, false, 0, 0, 0},
                                        {1, false, false, false, 0, 0.3, 20},
                                        {1, false, false, false, 0, 0, 0}};
    for (size_t d = 0; d < sizeof damped / sizeof damped[0]; ++d) {
        struct way way = damped[d];
        const struct scree_digest first = digest_of(kinds[d], &way);
        way.threads = 3;
        assert_true(scree_test_digests_equal(digest_of(kinds[d], &way), first));
        way.narrow = true;
        assert_true(scree_test_digests_equal(digest_of(kinds[d], &way), first));
        way.skin = 0.02;
        assert_true(scree_test_digests_equal(digest_of(kinds[d], &way), first));
        way.restarts = true;
        assert_true(scree_test_digests_equal(digest_of(kinds[d], &way), first));
        way.separate = true;
        assert_true(scree_test_digests_equal(digest_of(kinds[d], &way), first));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheared_packing_of_clumps_has_the_contacts_of_all_pairs_and_images),
        cmocka_unit_test(contacts_of_pebbles_follow_the_rotation_of_their_body),
        cmocka_unit_test(a_clump_that_would_touch_its_own_image_is_refused),
        cmocka_unit_test(the_motion_does_not_depend_on_the_choice_of_vectors),
        cmocka_unit_test(bodies_of_the_plane_move_as_disks_and_do_not_depend_on_the_choice_of_vectors),
        cmocka_unit_test(threads_instructions_separate_passes_skins_and_restarts_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
