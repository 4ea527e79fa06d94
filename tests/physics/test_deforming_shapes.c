// Clumps, polyhedra and bonded bodies in a periodic cell that is skewed, or deforms: they move as spheres do
// where they are spheres, rotate freely at constant angular momentum, collide across faces as inside, have
// the contacts of all pairs and images, and do not depend on the choice of cell vectors, threads and
// restarts.

#include "engine/engine.h"
#include "engine/soft.h"
#include "math/quat.h"
#include "support/cells.h"
#include "support/clumps.h"
#include "support/order.h"
#include "support/tumble.h"
#include "world/lattice.h"

static const double shear[9] = {0, 5, 0, 0, 0, 0, 0, 0, 0},
                    general[9] = {-1, 1, 0.5, 0.3, 0.7, -1, 0.2, 1, 0.4}, none[9] = {0};

static const struct scree_interaction_value law_values[] = {
    {"stiffness", 1e4, NULL}, {"friction", 0.4, NULL}, {"restitution", 0.6, NULL}};

static scree_material_id add_law(struct scree_world *world)
{
    const scree_material_id material = scree_test_material(world);
    const struct scree_interaction_def def = {
        .law = "linear", .between = {material, material}, .values = law_values, .count = 3};
    assert_ok(scree_interaction_add(world, &def));
    return material;
}

// The irregular clump, whose farthest point is 0.85 from its centre, scaled.
static void make_clump(double scale, struct scree_test_clump *clump)
{
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

// Bodies of all kinds; MIXED are spheres, clumps, boxes and clumps of boxes, in turn.
enum kind { CLUMPS, BOXES, ELLS, MIXED };

// Adds a body whose farthest point is about `reach` from its centre.
static uint64_t add_body(struct scree_world *world, enum kind kind, int number, double reach,
                         scree_material_id material, const struct scree_rigid_def *at)
{
    const int which = kind == MIXED ? number % 4 : (int)kind;
    if (which == MIXED)
        return scree_cells_add(world, material, 0.6 * reach, at->position, at->velocity, at->spin);
    if (which == CLUMPS) {
        struct scree_test_clump clump;
        make_clump(reach / 0.85, &clump);
        return scree_test_clump_add(world, &clump, material, at).value;
    }
    const double unit = reach / (which == BOXES ? 0.98 : 1.7), rounding = 0.1 * reach;
    scree_body_id id;
    scree_shape_id box;
    const double edge[3] = {1.3 * unit, 1.1 * unit, 1 * unit};
    assert_ok(scree_polyhedron_add_box(world, edge, rounding, &box));
    if (which == BOXES) {
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

// A random position, orientation and motion in a cell.
static struct scree_rigid_def random_motion(const double vectors[9], uint64_t *seed)
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

// --- a sphere

enum { GRAINS = 40 };

// Spheres in a cell that is sheared, as spheres or as clumps of one pebble.
static void run_spheres(bool clumps, struct scree_body_state state[GRAINS])
{
    uint64_t seed = 31;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 2e-4);
    const scree_material_id material = add_law(made.world);
    for (int g = 0; g < GRAINS; ++g) {
        const struct scree_rigid_def at = random_motion(scree_cells_cube, &seed);
        const double radius = 0.13 + 0.02 * splitmix_signed(&seed);
        if (clumps) {
            struct scree_test_clump clump;
            scree_test_clump_make((const double[1][4]){{0, 0, 0, radius}}, 1, 1000, &clump);
            (void)scree_test_clump_add(made.world, &clump, material, &at);
        } else {
            (void)scree_cells_add(made.world, material, radius, at.position, at.velocity, at.spin);
        }
    }
    const struct scree_damping damping = {.viscous = 3, .local = 0.1};
    assert_ok(scree_soft_set_damping(made.engine, &damping));
    assert_ok(scree_cell_deform(made.world, shear));
    // the cell changes its vectors at a shear of 0.566, in step 566
    assert_ok(scree_engine_run(made.engine, 400));
    assert_ok(scree_cell_deform(made.world, general));
    assert_ok(scree_engine_run(made.engine, 100));
    assert_true(scree_contact_count(made.world) > 30);
    for (uint64_t g = 1; g <= GRAINS; ++g)
        state[g - 1] = scree_test_state(made.world, g);
    scree_cells_end(&made);
}

static void a_clump_of_one_pebble_moves_as_a_sphere(void **state)
{
    (void)state;
    static struct scree_body_state sphere[GRAINS], clump[GRAINS];
    run_spheres(false, sphere);
    run_spheres(true, clump);
    // the round-off of 500 steps, 1e-16 each, in contacts with k / m h^2 = 4e-5 and friction
    for (int g = 0; g < GRAINS; ++g)
        for (int k = 0; k < 3; ++k) {
            scree_test_near(clump[g].position[k], sphere[g].position[k], 1e-12);
            scree_test_near(clump[g].velocity[k], sphere[g].velocity[k], 1e-12);
            scree_test_near(clump[g].spin[k], sphere[g].spin[k], 1e-10);
        }
}

// --- free bodies

static void a_free_body_keeps_its_angular_momentum(void **state)
{
    (void)state;
    struct scree_cells made = scree_cells_make(scree_cells_skewed, 1e-3);
    struct scree_world *open = scree_test_empty_world();
    struct scree_engine *engine = scree_test_plain_engine(open, 1e-3);
    struct scree_test_clump clump;
    make_clump(0.2, &clump);
    const struct scree_rigid_def at = {
        .position = {0.4, 0.5, 0.6}, .velocity = {0.1, 0.2, 0}, .spin = {3, -2, 4}};
    assert_ok(scree_cell_deform(made.world, general));
    const uint64_t id = scree_test_clump_add(made.world, &clump, add_law(made.world), &at).value;
    (void)scree_test_clump_add(open, &clump, add_law(open), &at);
    const struct scree_body_state start = scree_test_state(made.world, id);
    assert_ok(scree_engine_run(made.engine, 1000));
    assert_ok(scree_engine_run(engine, 1000));
    const struct scree_body_state end = scree_test_state(made.world, id), other = scree_test_state(open, id);
    // no moment acts, and a constant mean spin adds none: the bits do not change, nor does the rotation
    for (int k = 0; k < 3; ++k) {
        assert_true(end.momentum[k] == start.momentum[k]);
        assert_true(end.spin[k] == other.spin[k]);
        assert_true(end.orientation[k] == other.orientation[k]);
    }
    // a change of the gradient adds the inertia tensor times the change of half the curl, (-1, 0.15, 0.35)
    assert_ok(scree_cell_deform(made.world, none));
    const struct scree_body_state changed = scree_test_state(made.world, id);
    const struct scree_mat3 axes = scree_quat_to_matrix(scree_quat_load(end.orientation)),
                            inertia =
                                scree_mat3_rotate(axes, scree_mat3_diagonal(scree_vec3_load(end.inertia)));
    const struct scree_vec3 mean = {1, 0.15, -0.35}, change = scree_mat3_apply(inertia, mean);
    const double turn[3] = {mean.x, mean.y, mean.z}, expected[3] = {change.x, change.y, change.z};
    for (int k = 0; k < 3; ++k) {
        scree_test_near(changed.spin[k], end.spin[k] - turn[k], 1e-14);
        scree_test_near(changed.momentum[k], end.momentum[k] - expected[k], 1e-15);
    }
    scree_cells_end(&made);
    scree_test_end(open, engine);
}

// A gradient `general` cos(3 t) and viscous damping, as the moment I (c W + dW/dt) of a body in open space,
// with the inertia tensor of its orientation and the spin W of the mean motion, half the curl.
static const struct {
    double inertia[3], spin[3], viscous;
} driven = {{0.01, 0.02, 0.025}, {1, 0.15, -0.35}, 2};

static void oscillating_gradient(void *user, double time, double gradient[9])
{
    (void)user;
    for (int k = 0; k < 9; ++k)
        gradient[k] = general[k] * cos(3 * time);
}

static void moment_of_mean_motion(const void *user, double time, const double orientation[4],
                                  const double spin[3], double moment[3])
{
    const double factor = driven.viscous * cos(3 * time) - 3 * sin(3 * time);
    const struct scree_mat3 axes = scree_quat_to_matrix(scree_quat_load(orientation)),
                            inertia =
                                scree_mat3_rotate(axes, scree_mat3_diagonal(scree_vec3_load(driven.inertia)));
    (void)user, (void)spin;
    scree_vec3_store(scree_vec3_scale(scree_mat3_apply(inertia, scree_vec3_load(driven.spin)), factor),
                     moment);
}

static double driven_error(void *context, size_t steps)
{
    const struct scree_tumble_state *expected = context;
    struct scree_cells made = scree_cells_make(scree_cells_skewed, 1.0 / (double)steps);
    struct scree_rigid_def at = {.mass = 1, .position = {0.4, 0.5, 0.6}, .spin = {3, -2, 4}};
    scree_body_id id;
    memcpy(at.inertia, driven.inertia, sizeof at.inertia);
    assert_ok(scree_soft_set_damping(made.engine, &(struct scree_damping){.viscous = driven.viscous}));
    assert_ok(
        scree_cell_set_drive(made.world, &(struct scree_cell_drive_def){.function = oscillating_gradient}));
    assert_ok(scree_body_add_rigid(made.world, &at, &id));
    assert_ok(scree_engine_run(made.engine, steps));
    const struct scree_body_state state = scree_test_state(made.world, id.value);
    double error = 0;
    for (int k = 0; k < 3; ++k)
        error +=
            fabs(state.spin[k] - expected->spin[k]) + fabs(state.orientation[k] - expected->orientation[k]);
    scree_cells_end(&made);
    return error;
}

static void a_changing_mean_spin_and_damping_turn_a_body_with_order_two(void **state)
{
    (void)state;
    struct scree_tumble tumble = {.orientation = {1, 0, 0, 0},
                                  .spin = {3, -2, 4},
                                  .moment = moment_of_mean_motion,
                                  .damping = {.viscous = driven.viscous}};
    struct scree_tumble_state expected;
    memcpy(tumble.inertia, driven.inertia, sizeof tumble.inertia);
    scree_tumble_reference(&tumble, 1, &expected);
    scree_order_check(driven_error, &expected, 50, 2, "driven rotation");
}

// --- collisions

// Adds the two bodies of a collision.
static void add_pair(struct scree_world *world, enum kind kind, const double shift[3], uint64_t id[2])
{
    static const double start[2][3] = {{0.38, 0.5, 0.52}, {0.62, 0.53, 0.5}},
                        speed[2][3] = {{0.6, 0.2, 0}, {-0.5, 0, 0.1}}, turn[2][3] = {{3, 0, 1}, {0, -2, 5}};
    const scree_material_id material = add_law(world);
    for (int b = 0; b < 2; ++b) {
        struct scree_rigid_def at = {.orientation = {0.8, 0.6 * (1 - b), 0, 0.6 * b}};
        for (int k = 0; k < 3; ++k)
            at.position[k] = start[b][k] + shift[k];
        memcpy(at.velocity, speed[b], sizeof at.velocity);
        memcpy(at.spin, turn[b], sizeof at.spin);
        id[b] = add_body(world, kind, b, 0.13, material, &at);
    }
}

// Two bodies that collide obliquely; their places are shifted by `shift` in a cell that deforms.
static void collide(enum kind kind, const double vectors[9], const double gradient[9], const double shift[3],
                    double fluctuation[2][3], double spin[2][3])
{
    struct scree_cells made = scree_cells_make(vectors, 1e-4);
    uint64_t id[2];
    add_pair(made.world, kind, shift, id);
    assert_ok(scree_cell_deform(made.world, gradient));
    size_t touching = 0;
    for (int k = 0; k < 40; ++k) {
        assert_ok(scree_engine_run(made.engine, 25));
        touching += scree_contact_count(made.world);
    }
    assert_true(touching > 0);
    for (int b = 0; b < 2; ++b) {
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id[b]}, fluctuation[b]));
        memcpy(spin[b], scree_test_state(made.world, id[b]).spin, sizeof spin[b]);
    }
    scree_cells_end(&made);
}

static void check_collisions(enum kind kind, const double vectors[9], const double gradient[9])
{
    uint64_t seed = 3;
    double fluctuation[2][3], spin[2][3], shifted[2][3], shifted_spin[2][3];
    collide(kind, vectors, gradient, scree_cells_origin, fluctuation, spin);
    assert_true(fabs(fluctuation[0][0] - 0.6) > 0.1);
    for (int c = 0; c < 8; ++c) {
        const double shift[3] = {2 * splitmix_signed(&seed), 2 * splitmix_signed(&seed),
                                 2 * splitmix_signed(&seed)};
        collide(kind, vectors, gradient, shift, shifted, shifted_spin);
        // as in test_deforming_packing.c, where the tolerances are derived
        for (int b = 0; b < 2; ++b)
            for (int k = 0; k < 3; ++k) {
                scree_test_near(shifted[b][k], fluctuation[b][k], 3e-11);
                scree_test_near(shifted_spin[b][k], spin[b][k], 1e-9);
            }
    }
}

static void check_kind(enum kind kind)
{
    check_collisions(kind, scree_cells_skewed, none);
    check_collisions(kind, scree_cells_cube, (const double[9]){0, 2, 0, 0, 0, 0, 0, 0, 0});
    check_collisions(kind, scree_cells_skewed, general);
}

static void clumps_collide_across_faces_as_inside(void **state)
{
    (void)state;
    check_kind(CLUMPS);
}

static void polyhedra_collide_across_faces_as_inside(void **state)
{
    (void)state;
    check_kind(BOXES);
}

static void concave_bodies_collide_across_faces_as_inside(void **state)
{
    (void)state;
    check_kind(ELLS);
}

// --- packings

enum { BODIES = 30 };

// A packing of overlapping bodies at random places with fluctuations.
static void fill(struct scree_world *world, enum kind kind, const double vectors[9], uint64_t seed)
{
    const scree_material_id material = add_law(world);
    for (int g = 0; g < BODIES; ++g) {
        const struct scree_rigid_def at = random_motion(vectors, &seed);
        (void)add_body(world, kind, g, 0.18 + 0.02 * splitmix_signed(&seed), material, &at);
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
        (void)random_motion(scree_cells_cube, &seed);
        make_clump((0.18 + 0.02 * splitmix_signed(&seed)) / 0.85, &clump);
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
    fill(made.world, CLUMPS, scree_cells_cube, 7);
    assert_ok(scree_cell_deform(made.world, shear));
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

static void a_clump_that_would_touch_its_own_image_is_refused(void **state)
{
    (void)state;
    // the pebbles have room, but not the clump of a length of 0.8 in a cell that is squeezed to it in 223
    // steps
    const double sphere[2][4] = {{-0.3, 0, 0, 0.1}, {0.3, 0, 0, 0.1}};
    struct scree_test_clump clump;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 1e-3);
    scree_test_clump_make(sphere, 2, 1000, &clump);
    (void)scree_test_clump_add(made.world, &clump, add_law(made.world),
                               &(struct scree_rigid_def){.position = {0.5, 0.5, 0.5}, .spin = {0, 0, 3}});
    assert_ok(scree_cell_deform(made.world, (const double[9]){-1, 0, 0, 0, 0.5, 0, 0, 0, 0.5}));
    assert_ok(scree_engine_run(made.engine, 50));
    assert_refused(SCREE_ERROR_LIMIT, "its own images", scree_engine_run(made.engine, 200));
    scree_cells_end(&made);
}

// Runs a packing in a cell given by some vectors of a lattice, of which a_y is (shear, 1, 0).
static void run_packing(enum kind kind, const double vectors[9], const double places[9],
                        double fluctuation[BODIES][3], double spin[BODIES][3])
{
    struct scree_cells made = scree_cells_make(vectors, 2e-4);
    fill(made.world, kind, places, 9);
    assert_ok(scree_cell_deform(made.world, shear));
    assert_ok(scree_engine_run(made.engine, 100));
    for (uint64_t g = 1; g <= BODIES; ++g) {
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){g}, fluctuation[g - 1]));
        memcpy(spin[g - 1], scree_test_state(made.world, g).spin, sizeof spin[g - 1]);
    }
    assert_true(scree_contact_count(made.world) > 5);
    scree_cells_end(&made);
}

static void check_vectors(enum kind kind)
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
    check_vectors(CLUMPS);
    check_vectors(BOXES);
    check_vectors(MIXED);
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
    const scree_material_id material = add_law(world);
    scree_shape_id polygon;
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){0.12, 0.09, 0}, 0.02, &polygon));
    for (int g = 0; g < PLANE_BODIES; ++g) {
        scree_body_id id;
        struct scree_rigid_def at = random_motion(places, &seed);
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
    assert_ok(scree_soft_set_damping(engine, &damping));
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
    bool separate, restarts;
    double skin, local, viscous;
};

static struct scree_digest digest_of(enum kind kind, const struct way *way)
{
    static const double gradient[9] = {0.2, 100, 0, 0, -0.4, 5, 0, 0, 0.2};
    struct scree_cells made = scree_cells_make(scree_cells_cube, 5e-5);
    fill(made.world, kind, scree_cells_cube, 11);
    assert_ok(scree_cell_deform(made.world, gradient));
    for (int part = 0; part < 2; ++part) {
        scree_engine_destroy(made.engine);
        if (way->restarts && part == 1)
            scree_test_restart(&made.world, "deforming-shapes.checkpoint");
        made.engine = scree_cells_engine(made.world, 5e-5, way->threads);
        ((struct scree_soft *)made.engine->self)->collider.search.prescribed_skin = way->skin;
        const struct scree_damping damping = {.local = way->local, .viscous = way->viscous};
        assert_ok(scree_soft_set_damping(made.engine, &damping));
        scree_callback_id id;
        if (way->separate)
            assert_ok(scree_engine_set_callback(made.engine, 95, do_nothing, NULL, &id));
        assert_ok(scree_engine_run(made.engine, 80));
    }
    const struct scree_digest digest = scree_test_digest(made.world);
    scree_cells_end(&made);
    return digest;
}

static void threads_separate_passes_skins_and_restarts_give_the_same_bits(void **state)
{
    (void)state;
    static const enum kind kinds[] = {CLUMPS, BOXES, MIXED};
    static const struct way damped[] = {
        {1, false, false, 0, 0, 0}, {1, false, false, 0, 0, 0}, {1, false, false, 0, 0.3, 20}};
    for (size_t d = 0; d < sizeof damped / sizeof damped[0]; ++d) {
        struct way way = damped[d];
        const struct scree_digest first = digest_of(kinds[d], &way);
        way.threads = 3;
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
        cmocka_unit_test(a_clump_of_one_pebble_moves_as_a_sphere),
        cmocka_unit_test(a_free_body_keeps_its_angular_momentum),
        cmocka_unit_test(a_changing_mean_spin_and_damping_turn_a_body_with_order_two),
        cmocka_unit_test(clumps_collide_across_faces_as_inside),
        cmocka_unit_test(polyhedra_collide_across_faces_as_inside),
        cmocka_unit_test(concave_bodies_collide_across_faces_as_inside),
        cmocka_unit_test(a_sheared_packing_of_clumps_has_the_contacts_of_all_pairs_and_images),
        cmocka_unit_test(a_clump_that_would_touch_its_own_image_is_refused),
        cmocka_unit_test(the_motion_does_not_depend_on_the_choice_of_vectors),
        cmocka_unit_test(bodies_of_the_plane_move_as_disks_and_do_not_depend_on_the_choice_of_vectors),
        cmocka_unit_test(threads_separate_passes_skins_and_restarts_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
