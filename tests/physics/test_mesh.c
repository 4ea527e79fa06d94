// Meshes as walls: bodies move on them as on the walls that they are made to equal, however these are divided
// into triangles. The references are the walls of other shapes, which do not use meshes.

#include "support/bed.h"
#include "support/splitmix.h"

#include <math.h>
#include <string.h>

enum { BALLS = 24, MOST = 5000 };

// A surface of triangles under construction.
struct patchwork {
    double vertex[MOST][3];
    uint32_t facet[MOST][3];
    size_t vertices, facets;
};

static double uniform(uint64_t *seed)
{
    return (double)(splitmix_next(seed) >> 11) * 0x1p-53;
}

// Adds a rectangle, divided into n x n cells of two triangles; inner vertices are moved at random in the
// plane and triangles have random orientations and diagonals.
static void add_rectangle(struct patchwork *work, const double *corner, const double (*edge)[3], uint32_t n,
                          uint64_t seed)
{
    const uint32_t first = (uint32_t)work->vertices;
    for (uint32_t i = 0; i <= n; ++i)
        for (uint32_t j = 0; j <= n; ++j) {
            const bool inner = i > 0 && j > 0 && i < n && j < n;
            const double u = (i + (inner ? 0.6 * uniform(&seed) - 0.3 : 0)) / n,
                         v = (j + (inner ? 0.6 * uniform(&seed) - 0.3 : 0)) / n;
            for (int k = 0; k < 3; ++k)
                work->vertex[work->vertices][k] = corner[k] + u * edge[0][k] + v * edge[1][k];
            ++work->vertices;
        }
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < n; ++j) {
            const uint32_t a = first + i * (n + 1) + j, b = a + n + 1;
            const bool other = uniform(&seed) < 0.5;
            const uint32_t cell[2][3] = {{a, b, other ? a + 1 : b + 1}, {a + 1, b + 1, other ? b : a}};
            for (int t = 0; t < 2; ++t) {
                uint32_t *facet = work->facet[work->facets++];
                const bool turned = uniform(&seed) < 0.5;
                facet[0] = cell[t][0];
                facet[1] = cell[t][turned ? 2 : 1];
                facet[2] = cell[t][turned ? 1 : 2];
            }
        }
}

// Adds the six faces of a box.
static void add_box(struct patchwork *work, const double *lower, const double *upper, uint32_t n,
                    uint64_t seed)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            double corner[3] = {lower[0], lower[1], lower[2]}, edge[2][3] = {{0}};
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            corner[axis] = side ? upper[axis] : lower[axis];
            edge[0][a] = upper[a] - lower[a];
            edge[1][b] = upper[b] - lower[b];
            // the vertices of an edge of the box must be the same on both faces: only inner ones are moved
            add_rectangle(work, corner, (const double(*)[3])edge, n, seed + (uint64_t)(2 * axis + side));
        }
}

static struct scree_wall_def mesh_of(const struct patchwork *work)
{
    return (struct scree_wall_def){.shape = SCREE_WALL_MESH,
                                   .material = {2},
                                   .mesh = {.vertex = (const double(*)[3])work->vertex,
                                            .vertices = work->vertices,
                                            .facet = (const uint32_t(*)[3])work->facet,
                                            .facets = work->facets}};
}

// Balls that do not touch each other, and the wall.
struct scene {
    double gravity[3], lower[3], upper[3]; // start positions
    double speed;
    size_t steps;
    uint64_t seed;
};

static void run(const struct scene *scene, const struct scree_wall_def *wall_def, double (*out)[9])
{
    const struct scree_interaction_value values[] = {{"friction", 0.4, NULL},
                                                     {"restitution", 0.6, NULL},
                                                     {"rolling-friction", 0.05, NULL},
                                                     {"stiffness", 1e5, NULL}};
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id ball, wall_material;
    scree_wall_id wall;
    scree_body_id body[BALLS];
    uint64_t seed = scene->seed;
    struct scree_world_def def = {0};
    memcpy(def.gravity, scene->gravity, sizeof def.gravity);
    assert_ok(scree_world_create(&def, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "ball", .density = 2500}, &ball));
    assert_ok(scree_material_add(world, &(struct scree_material_def){.name = "wall", .density = 2500},
                                 &wall_material));
    assert_ok(
        scree_interaction_add(world, &(struct scree_interaction_def){.law = "none", .between = {{1}, {1}}}));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 4}));
    assert_ok(scree_wall_add(world, wall_def, &wall));
    for (int b = 0; b < BALLS; ++b) {
        struct scree_sphere_def sphere = {.radius = 0.01 + 0.01 * uniform(&seed), .material = ball};
        for (int k = 0; k < 3; ++k) {
            sphere.position[k] = scene->lower[k] + uniform(&seed) * (scene->upper[k] - scene->lower[k]);
            sphere.velocity[k] = scene->speed * (2 * uniform(&seed) - 1);
            sphere.spin[k] = 50 * scene->speed * (2 * uniform(&seed) - 1);
        }
        assert_ok(scree_body_add_sphere(world, &sphere, &body[b]));
    }
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 2e-5, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, scene->steps));
    for (int b = 0; b < BALLS; ++b) {
        struct scree_body_state state;
        assert_ok(scree_body_get(world, body[b], &state));
        memcpy(out[b], state.position, sizeof state.position);
        memcpy(out[b] + 3, state.velocity, sizeof state.velocity);
        memcpy(out[b] + 6, state.spin, sizeof state.spin);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static double largest_difference(double (*a)[9], double (*b)[9])
{
    double largest = 0;
    for (int n = 0; n < BALLS; ++n)
        for (int k = 0; k < 9; ++k) {
            const double difference = fabs(a[n][k] - b[n][k]);
            largest = !(difference <= largest) ? difference : largest;
        }
    return largest;
}

// Balls move on meshes of n x n cells per face as on the expected wall.
static void check_same(const struct scene *scene, const struct scree_wall_def *expected,
                       void (*add)(struct patchwork *, uint32_t n), double tolerance)
{
    static const uint32_t divisions[] = {1, 4, 19};
    double reference[BALLS][9], found[BALLS][9];
    run(scene, expected, reference);
    for (size_t d = 0; d < sizeof divisions / sizeof divisions[0]; ++d) {
        static struct patchwork work;
        memset(&work, 0, sizeof work);
        add(&work, divisions[d]);
        struct scree_wall_def mesh = mesh_of(&work);
        memcpy(mesh.velocity, expected->velocity, sizeof mesh.velocity);
        memcpy(mesh.spin, expected->spin, sizeof mesh.spin);
        mesh.pivot = expected->pivot;
        run(scene, &mesh, found);
        const double difference = largest_difference(reference, found);
        if (!(difference <= tolerance))
            fail_msg("%u x %u cells: positions, velocities or spins differ by %g (tolerance %g)",
                     divisions[d], divisions[d], difference, tolerance);
    }
}

static void add_floor(struct patchwork *work, uint32_t n)
{
    add_rectangle(work, (const double[]){-2, -2, 0}, (const double[2][3]){{5, 0, 0}, {0, 5, 0}}, n, n);
}

// The vertices have z = 0 exactly, so the mesh is the plane, and all bits are the same.
static void balls_roll_on_a_triangulated_plane_as_on_a_plane(void **state)
{
    (void)state;
    const struct scene scene = {.gravity = {3, 1, -9},
                                .lower = {0.1, 0.1, 0.02},
                                .upper = {0.9, 0.9, 0.05},
                                .speed = 1,
                                .steps = 20000,
                                .seed = 1};
    const struct scree_wall_def plane = {
        .shape = SCREE_WALL_PLANE, .material = {2}, .plane = {.normal = {0, 0, 1}}};
    check_same(&scene, &plane, add_floor, 0);
}

static const double box_lower[3] = {-0.05, -0.05, -0.05}, box_upper[3] = {0.05, 0.05, 0.05};

static void add_solid(struct patchwork *work, uint32_t n)
{
    add_box(work, box_lower, box_upper, n, n);
}

static struct scree_wall_def box_of(const double *lower, const double *upper, enum scree_wall_side side)
{
    struct scree_wall_def box = {.shape = SCREE_WALL_BOX, .material = {2}, .box.side = side};
    memcpy(box.box.lower, lower, sizeof box.box.lower);
    memcpy(box.box.upper, upper, sizeof box.box.upper);
    return box;
}

// Balls fall on faces, edges and corners, which a solid box touches at its nearest point too. Round-off of
// 1e-17 m grows by an impact on an edge at most by a factor v t / R, here 100; a ball has up to three.
static void balls_hit_a_box_of_triangles_as_a_box(void **state)
{
    (void)state;
    const struct scene scene = {.gravity = {0, 0, -9.81},
                                .lower = {-0.06, -0.06, 0.075},
                                .upper = {0.06, 0.06, 0.2},
                                .speed = 0.2,
                                .steps = 20000,
                                .seed = 2};
    struct scree_wall_def box = box_of(box_lower, box_upper, SCREE_WALL_OUTSIDE);
    check_same(&scene, &box, add_solid, 1e-9);
}

// The same for a box that moves and turns about a point beside it.
static void a_moving_box_of_triangles_hits_balls_as_a_box(void **state)
{
    (void)state;
    const struct scene scene = {
        .lower = {-0.15, -0.15, 0.1}, .upper = {0.15, 0.15, 0.3}, .speed = 0.2, .steps = 10000, .seed = 5};
    struct scree_wall_def box = box_of(box_lower, box_upper, SCREE_WALL_OUTSIDE);
    box.velocity[2] = 1;
    box.spin[0] = 3;
    box.spin[1] = -5;
    box.spin[2] = 20;
    box.pivot = (const double[3]){0.03, 0.01, 0.02};
    check_same(&scene, &box, add_solid, 1e-9);
}

static const double room_lower[3] = {-0.1, -0.1, -0.1}, room_upper[3] = {0.1, 0.1, 0.1};

static void add_room(struct patchwork *work, uint32_t n)
{
    add_box(work, room_lower, room_upper, n, n);
}

// Concave edges and corners: a ball touches two or three faces at once. All faces are planes of one
// coordinate, so all bits are the same.
static void balls_bounce_inside_a_box_of_triangles_as_inside_a_box(void **state)
{
    (void)state;
    const struct scene scene = {.gravity = {2, 3, -9.81},
                                .lower = {-0.07, -0.07, -0.07},
                                .upper = {0.07, 0.07, 0.07},
                                .speed = 2,
                                .steps = 20000,
                                .seed = 3};
    struct scree_wall_def box = box_of(room_lower, room_upper, SCREE_WALL_INSIDE);
    check_same(&scene, &box, add_room, 0);
}

// A ball in a hollow of separate facets touches all of them at once, more than a list of contacts has room
// for by itself. Each pushes towards the centre, so that the forces of opposite facets cancel: the
// acceleration is below the round-off of the sum of their magnitudes, 9025 times 2^-53 of it.
static void a_ball_can_touch_thousands_of_facets(void **state)
{
    (void)state;
    enum { N = 95 };
    static double vertex[3 * N * N][3];
    static uint32_t facet[N * N][3];
    for (uint32_t k = 0; k < N * N; ++k) {
        const double t = 0.3 + (k / N + 0.5) / N * 2.541592653589793, p = 6.283185307179586 * (k % N) / N;
        const double out[3] = {sin(t) * cos(p), sin(t) * sin(p), cos(t)},
                     down[3] = {cos(t) * cos(p), cos(t) * sin(p), -sin(t)}, side[3] = {-sin(p), cos(p), 0};
        for (uint32_t c = 0; c < 3; ++c) {
            for (int i = 0; i < 3; ++i)
                vertex[3 * k + c][i] = out[i] + (c == 0 ? 0.003 : -0.0015) * down[i] +
                                       (c == 1   ? 0.002
                                        : c == 2 ? -0.002
                                                 : 0) *
                                           side[i];
            facet[k][c] = 3 * k + c;
        }
    }
    const struct scree_interaction_value values[] = {
        {"stiffness", 1, NULL}, {"friction", 0, NULL}, {"restitution", 1, NULL}};
    const struct scree_wall_def def = {.shape = SCREE_WALL_MESH,
                                       .material = {1},
                                       .mesh = {.vertex = (const double(*)[3])vertex,
                                                .vertices = 3 * N * N,
                                                .facet = (const uint32_t(*)[3])facet,
                                                .facets = N * N}};
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    struct scree_body_state after;
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    assert_ok(scree_wall_add(world, &def, &wall));
    assert_ok(scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1.01, .material = material},
                                    &body));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 1));
    assert_int_equal(scree_contact_count(world), N * N);
    assert_ok(scree_body_get(world, body, &after));
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(after.velocity[k]) < N * N * 0.01 / 4000 * N * N * 0x1p-53);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Number of contacts of a ball over the middle of a fan of facets in a plane with this direction.
static size_t count_contacts_of_fan(uint64_t *seed)
{
    enum { CORNERS = 7 };
    double vertex[CORNERS + 1][3], axis[3][3];
    uint32_t facet[CORNERS][3];
    for (int a = 0; a < 3; ++a) {
        double square = 0;
        for (int k = 0; k < 3; ++k)
            axis[a][k] = 2 * uniform(seed) - 1;
        // perpendicular to the axes before
        for (int b = 0; b < a; ++b) {
            const double dot = axis[a][0] * axis[b][0] + axis[a][1] * axis[b][1] + axis[a][2] * axis[b][2];
            for (int k = 0; k < 3; ++k)
                axis[a][k] -= dot * axis[b][k];
        }
        for (int k = 0; k < 3; ++k)
            square += axis[a][k] * axis[a][k];
        for (int k = 0; k < 3; ++k)
            axis[a][k] /= sqrt(square);
    }
    struct scree_sphere_def ball = {.radius = 0.1, .material = {1}};
    for (uint32_t c = 0; c <= CORNERS; ++c)
        for (int k = 0; k < 3; ++k) {
            const double angle = 6.283185307179586 * c / CORNERS, radius = c < CORNERS ? 0.3 : 0;
            vertex[c][k] = 0.2 + radius * (cos(angle) * axis[0][k] + sin(angle) * axis[1][k]);
            ball.position[k] = 0.2 + 0.0999 * axis[2][k];
        }
    for (uint32_t c = 0; c < CORNERS; ++c)
        memcpy(facet[c], (const uint32_t[]){c, (c + 1) % CORNERS, CORNERS}, sizeof facet[c]);
    const struct scree_interaction_value values[] = {
        {"stiffness", 1, NULL}, {"friction", 0, NULL}, {"restitution", 1, NULL}};
    const struct scree_wall_def def = {.shape = SCREE_WALL_MESH,
                                       .material = {1},
                                       .mesh = {.vertex = (const double(*)[3])vertex,
                                                .vertices = CORNERS + 1,
                                                .facet = (const uint32_t(*)[3])facet,
                                                .facets = CORNERS}};
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    assert_ok(scree_wall_add(world, &def, &wall));
    assert_ok(scree_body_add_sphere(world, &ball, &body));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-9, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 1));
    const size_t count = scree_contact_count(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return count;
}

// The heights over the sides and the distances along the edges that meet in the middle are round-off there.
static void a_ball_on_a_vertex_of_a_plane_has_one_contact(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 2000; ++n)
        assert_int_equal(count_contacts_of_fan(&seed), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_roll_on_a_triangulated_plane_as_on_a_plane),
        cmocka_unit_test(balls_hit_a_box_of_triangles_as_a_box),
        cmocka_unit_test(a_moving_box_of_triangles_hits_balls_as_a_box),
        cmocka_unit_test(a_ball_can_touch_thousands_of_facets),
        cmocka_unit_test(a_ball_on_a_vertex_of_a_plane_has_one_contact),
        cmocka_unit_test(balls_bounce_inside_a_box_of_triangles_as_inside_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
