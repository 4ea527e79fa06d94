// Meshes of triangles as walls: they act as the surfaces that they approximate.
//
// A plane of triangles is the plane. A tube or cone of n flat strips, whose vertices are on the surface, is
// inside of it by up to R (1 - cos(pi / n)) and turned against it by up to pi / n: motions on it converge
// with n^-2, as long as contacts deform more than a strip is off the surface.

#include "mesh.h"

#include "algebra.h"
#include "balls.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- impacts

// The tests of Chung and Ooi with walls, on triangles in the place of planes.
static scree_status as_meshes(struct scree_trial *trial)
{
    trial->mesh = 16;
    for (size_t c = 0; scree_verify_chung[c].name; ++c) {
        if (strchr("23456", scree_verify_chung[c].name[0]) == NULL)
            continue;
        trial->name = scree_verify_chung[c].name;
        trial->data = scree_verify_chung[c].data;
        SCREE_TRY(scree_verify_chung[c].run(trial));
    }
    return SCREE_OK;
}

// A ball that hits a wall, from the tests with walls.
struct impact {
    const char *name, *law;
    struct scree_balls_material material;
    double radius, restitution, friction;
    double normal, tangential, spin; // m/s towards the wall and along it; rad/s
};

static const struct impact impacts[] = {
    {"aluminium", "hertz-mindlin", {2699, 70e9, 0.30}, 0.1, 1, 0.35, 0.2, 0, 0},
    {"magnesium", "hertz-mindlin", {1800, 40e9, 0.35}, 0.1, 1, 0.35, 0.2, 0, 0},
    {"alumina, 10 degrees", "hertz-mindlin-secant", {4000, 380e9, 0.23}, 2.5e-3, 0.98, 0.092, 3.84, 0.677, 0},
    {"alumina, 40 degrees", "hertz-mindlin", {4000, 380e9, 0.23}, 2.5e-3, 0.98, 0.092, 2.99, 2.51, 0},
    {"alumina, 80 degrees", "hertz-mindlin", {4000, 380e9, 0.23}, 2.5e-3, 0.98, 0.092, 0.677, 3.84, 0},
    {"cast iron, e = 0.5", "hertz-mindlin", {7000, 100e9, 0.25}, 2.5e-3, 0.5, 0, 3.9, 0, 0},
    {"steel, psi = 9", "hertz-mindlin", {7850, 208e9, 0.30}, 10e-6, 1, 0.3, 5, 13.5, 0},
    {"polyethylene, psi = 14", "hertz-mindlin", {1400, 1e9, 0.40}, 10e-6, 1, 0.3, 5, 21, 0},
    {"spinning aluminium", "hertz-mindlin", {2700, 70e9, 0.33}, 0.1, 0.5, 0.4, 0.2, 0, -10},
    {"spinning nylon", "hertz-mindlin", {1000, 2.5e9, 0.40}, 0.1, 0.5, 0.4, 0.2, 0, -21},
};

// Normals of walls; the other axes of an impact follow from it.
static const double normals[][3] = {{0, 0, 1}, {0.6, 0, 0.8}, {1.0 / 3, -2.0 / 3, 2.0 / 3}};

static void combine(const double axis[3][3], double x, double y, double z, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = x * axis[0][k] + y * axis[1][k] + z * axis[2][k];
}

static scree_status hit(struct scree_trial *trial, const struct impact *impact, const double normal[3],
                        struct scree_body_state *after)
{
    enum { STEPS = 2000 };
    const struct scree_balls_law law = {impact->law,
                                        {{"restitution", impact->restitution, NULL},
                                         {"friction", impact->friction, NULL},
                                         {"tension", 0, "cut"},
                                         {"dashpots", 0, "normal"}}};
    const double mass = impact->material.density * scree_balls_volume(impact->radius);
    const struct scree_balls_hertz hertz =
        scree_balls_hertz(&impact->material, true, impact->radius, mass, impact->normal);
    const double step = hertz.duration / STEPS;
    double axis[3][3];
    struct scree_sphere_def ball = {.radius = impact->radius};
    memcpy(axis[2], normal, sizeof axis[2]);
    scree_algebra_cross((const double[3]){0, 1, 0}, normal, axis[0]);
    const double norm = scree_algebra_norm(axis[0], 3);
    for (int k = 0; k < 3; ++k)
        axis[0][k] /= norm;
    scree_algebra_cross(normal, axis[0], axis[1]);
    // the contact begins within a step, not at its end, where it would depend on round-off
    combine((const double(*)[3])axis, 0, 0, impact->radius + 0.5 * step * impact->normal, ball.position);
    combine((const double(*)[3])axis, impact->tangential, 0, -impact->normal, ball.velocity);
    combine((const double(*)[3])axis, 0, impact->spin, 0, ball.spin);
    SCREE_TRY(scree_balls_begin(trial, &impact->material, &law, 0));
    SCREE_TRY(scree_balls_plane(trial, (const double[3]){0, 0, 0}, normal));
    SCREE_TRY(scree_balls_add(trial, &ball));
    SCREE_TRY(scree_balls_start(trial, step, 1));
    return scree_trial_run(trial, 2 * STEPS, after);
}

// The plane of the largest triangle is wrong by a few round-offs of its size, 2 radii, and so are gaps. The
// largest overlap is 1e-3 to 0.1 radii, and forces change by as much relative to the overlap: 2 u / 1e-3 =
// 2e-13. A constant offset of the plane changes the time of the impact only.
static scree_status planes(struct scree_trial *trial)
{
    for (size_t i = 0; i < sizeof impacts / sizeof impacts[0]; ++i)
        for (size_t n = 0; n < sizeof normals / sizeof normals[0]; ++n) {
            const struct impact *impact = &impacts[i];
            const double speed =
                impact->normal + fabs(impact->tangential) + fabs(impact->radius * impact->spin);
            struct scree_body_state plane, mesh;
            trial->mesh = 0;
            SCREE_TRY(hit(trial, impact, normals[n], &plane));
            trial->mesh = 2 * impact->radius;
            SCREE_TRY(hit(trial, impact, normals[n], &mesh));
            const double velocity = scree_algebra_distance(plane.velocity, mesh.velocity, 3) / speed,
                         spin = impact->radius * scree_algebra_distance(plane.spin, mesh.spin, 3) / speed;
            // the vertices of a horizontal plane are exact, and so is the plane
            scree_report_at_most(trial, n == 0 ? 0 : 1e-12, scree_report_larger(velocity, spin),
                                 "%s, wall %zu: difference of velocities, relative", impact->name, n + 1);
        }
    return SCREE_OK;
}

// --- curved surfaces

static const double pi = 3.14159265358979323846;

enum { MOST_STRIPS = 1024 };

scree_status scree_mesh_round(struct scree_trial *trial, const struct scree_mesh_round *round)
{
    static double vertex[SCREE_MESH_RINGS * MOST_STRIPS][3];
    static uint32_t facet[2 * (SCREE_MESH_RINGS - 1) * MOST_STRIPS][3];
    const uint32_t n = round->strips;
    uint32_t facets = 0;
    for (uint32_t v = 0; v < round->rings * n; ++v) {
        const double angle = 2 * pi * (v % n + 0.3) / n, radius = round->radius[v / n] * round->scale;
        const int axis = round->axis;
        vertex[v][axis] = round->height[v / n];
        vertex[v][(axis + 1) % 3] = radius * cos(angle);
        vertex[v][(axis + 2) % 3] = radius * sin(angle);
    }
    for (uint32_t v = 0; v < (round->rings - 1) * n; ++v) {
        const uint32_t next = v % n == n - 1 ? v + 1 - n : v + 1;
        memcpy(facet[facets++], (const uint32_t[3]){v, next, v + n}, sizeof facet[0]);
        memcpy(facet[facets++], (const uint32_t[3]){next, next + n, v + n}, sizeof facet[0]);
    }
    const struct scree_wall_def def = {.shape = SCREE_WALL_MESH,
                                       .material = trial->rigid,
                                       .mesh = {.vertex = (const double(*)[3])vertex,
                                                .vertices = round->rings * n,
                                                .facet = (const uint32_t(*)[3])facet,
                                                .facets = facets,
                                                .smooth_angle = 0.5}};
    return scree_wall_add(trial->world, &def, &trial->wall);
}

// A ball that rolls in a tube about y from the side to the other and back, and one that circles in a cone.
struct rolling {
    enum scree_wall_shape shape;
    double position[3], velocity[3], duration;
};

static const struct rolling in_tube = {SCREE_WALL_CYLINDER, {0.04 * 0.8, 0, -0.04 * 0.6}, {0, 0.05, 0}, 0.3};
static const struct rolling in_cone = {
    SCREE_WALL_CONE, {0.08 - 0.00707106781186548, 0, 0.08 + 0.00707106781186548}, {0, 0.8, 0}, 0.3};

// The tube is along y, the cone has a right angle and its axis is z. 0 strips: the wall of that shape.
static scree_status roll(struct scree_trial *trial, uint32_t strips, struct scree_body_state *after)
{
    const struct rolling *rolling = (const struct rolling *)trial->data;
    const bool is_tube = rolling->shape == SCREE_WALL_CYLINDER;
    const struct scree_balls_material material = {1000, 0, 0};
    const struct scree_balls_law law = {
        "linear", {{"stiffness", 1e3, NULL}, {"restitution", 0.5, NULL}, {"friction", 0.5, NULL}}};
    const double step = 2e-5;
    struct scree_sphere_def ball = {.radius = 0.01};
    memcpy(ball.position, rolling->position, sizeof ball.position);
    memcpy(ball.velocity, rolling->velocity, sizeof ball.velocity);
    SCREE_TRY(scree_balls_begin(trial, &material, &law, -9.81));
    const struct scree_wall_def tube = {.shape = SCREE_WALL_CYLINDER,
                                        .material = trial->rigid,
                                        .cylinder = {{0, -0.1, 0}, {0, 0.1, 0}, 0.05}},
                                cone = {.shape = SCREE_WALL_CONE,
                                        .material = trial->rigid,
                                        .cone = {{0, 0, 0.02}, {0, 0, 0.2}, {0.02, 0.2}}};
    const struct scree_mesh_round tube_mesh = {1, strips, 2, {-0.1, 0.1}, {0.05, 0.05}, 1},
                                  cone_mesh = {2, strips, 2, {0.02, 0.2}, {0.02, 0.2}, 1};
    SCREE_TRY(strips == 0 ? scree_wall_add(trial->world, is_tube ? &tube : &cone, &trial->wall)
                          : scree_mesh_round(trial, is_tube ? &tube_mesh : &cone_mesh));
    SCREE_TRY(scree_balls_add(trial, &ball));
    SCREE_TRY(scree_balls_start(trial, step, 1));
    return scree_trial_run(trial, (uint64_t)(rolling->duration / step), after);
}

static scree_status convergence(struct scree_trial *trial)
{
    enum { RUNS = 4, FEWEST = 128 };
    struct scree_body_state exact, found;
    double error[RUNS];
    SCREE_TRY(roll(trial, 0, &exact));
    for (int r = 0; r < RUNS; ++r) {
        SCREE_TRY(roll(trial, (uint32_t)FEWEST << r, &found));
        error[r] = scree_algebra_distance(exact.position, found.position, 3);
        scree_report_unchecked(trial, 0, error[r], "%d strips: deviation after %g s, m", FEWEST << r,
                               ((const struct rolling *)trial->data)->duration);
    }
    scree_report_near(trial, 2, scree_report_order(error, RUNS), 0.2, "order of convergence");
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_mesh[] = {
    {"chung", "the impact tests of Chung and Ooi with walls, on triangles", as_meshes, NULL},
    {"plane", "impacts on triangles and on a plane", planes, NULL},
    {"tube", "a ball that rolls in tubes of more and more strips", convergence, &in_tube},
    {"cone", "a ball that circles in cones of more and more strips", convergence, &in_cone},
    {"periodic", "balls that slide over meshes at periodic faces", scree_mesh_periodic, NULL},
    {"hopper", "the outflow of a hopper of triangles", scree_mesh_hopper, NULL},
    {"discharge", "the flow of 20,000 grains out of a hopper of triangles", scree_mesh_discharge, NULL},
    {0},
};
