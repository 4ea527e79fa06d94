// Beds on meshes: the outflow of a hopper of triangles, and sliding over meshes at periodic faces.

#include "algebra.h"
#include "balls.h"
#include "mesh.h"
#include "verify.h"

#include <math.h>
#include <string.h>

// --- a hopper

enum { GRAINS = 800, SEEDS = 8, STRIPS = 96 };
static const double grain_radius = 2e-3, outlet = 0.016, tube = 0.04, tube_start = 0.03, top = 0.2;

static scree_status add_vessel(struct scree_trial *trial, bool of_triangles)
{
    const struct scree_wall_def cone = {.shape = SCREE_WALL_CONE,
                                        .material = trial->rigid,
                                        .cone = {{0, 0, 0}, {0, 0, tube_start}, {outlet, tube}}},
                                cylinder = {.shape = SCREE_WALL_CYLINDER,
                                            .material = trial->rigid,
                                            .cylinder = {{0, 0, tube_start}, {0, 0, top}, tube}};
    // the strips deviate equally to both sides of the surface
    const double scale = 2 / (1 + cos(3.14159265358979323846 / STRIPS));
    const struct scree_mesh_round round = {2, STRIPS, 3, {0, tube_start, top}, {outlet, tube, tube}, scale};
    if (of_triangles)
        return scree_mesh_round(trial, &round);
    SCREE_TRY(scree_wall_add(trial->world, &cone, &trial->wall));
    return scree_wall_add(trial->world, &cylinder, &trial->wall);
}

static scree_status add_grains(struct scree_trial *trial, uint64_t seed)
{
    const double spacing = 2.2 * grain_radius;
    int count = 0;
    for (int layer = 0; count < GRAINS; ++layer)
        for (int i = -8; i <= 8; ++i)
            for (int j = -8; j <= 8; ++j) {
                struct scree_sphere_def grain = {
                    .radius = grain_radius,
                    .position = {spacing * i, spacing * j, tube_start + spacing * (layer + 1)}};
                if (hypot(grain.position[0], grain.position[1]) > tube - spacing || count == GRAINS)
                    continue;
                for (int k = 0; k < 3; ++k) {
                    grain.position[k] +=
                        0.09 * grain_radius * scree_algebra_draw(seed, (uint64_t)count, (uint64_t)k);
                    grain.velocity[k] = 0.2 * scree_algebra_draw(seed, (uint64_t)count, 3 + (uint64_t)k);
                }
                SCREE_TRY(scree_balls_add(trial, &grain));
                ++count;
            }
    return SCREE_OK;
}

// Number of grains that have left the hopper some time after it was opened.
static scree_status discharge(struct scree_trial *trial, bool of_triangles, uint64_t seed, double *count)
{
    static struct scree_body_state states[GRAINS];
    const double step = 4e-5, settling = 0.2, flowing = 0.1;
    const struct scree_balls_material material = {2500, 0, 0};
    const struct scree_balls_law law = {
        "linear", {{"stiffness", 1e3, NULL}, {"restitution", 0.5, NULL}, {"friction", 0.4, NULL}}};
    SCREE_TRY(scree_balls_begin(trial, &material, &law, -9.81));
    SCREE_TRY(add_vessel(trial, of_triangles));
    const struct scree_wall_def gate = {.shape = SCREE_WALL_DISK,
                                        .material = trial->rigid,
                                        .disk = {.normal = {0, 0, 1}, .radius = 0.98 * outlet}};
    scree_wall_id id;
    SCREE_TRY(scree_wall_add(trial->world, &gate, &id));
    SCREE_TRY(add_grains(trial, seed));
    SCREE_TRY(scree_balls_start(trial, step, 1));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(settling / step)));
    SCREE_TRY(scree_wall_remove(trial->world, id));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(flowing / step)));
    SCREE_TRY(scree_trial_states(trial, GRAINS, states));
    *count = 0;
    for (int g = 0; g < GRAINS; ++g)
        *count += states[g].position[2] < 0;
    return SCREE_OK;
}

static void summarise(const double values[SEEDS], double *mean, double *variance)
{
    *mean = *variance = 0;
    for (int s = 0; s < SEEDS; ++s)
        *mean += values[s] / SEEDS;
    for (int s = 0; s < SEEDS; ++s)
        *variance += (values[s] - *mean) * (values[s] - *mean) / (SEEDS - 1);
}

// By Student's t with 14 degrees of freedom, the means of two sets of eight runs with equal flows differ by
// more than 4.14 times the error of their difference in one of a thousand cases.
scree_status scree_mesh_hopper(struct scree_trial *trial)
{
    double count[2][SEEDS], mean[2], variance[2];
    for (int s = 0; s < SEEDS; ++s)
        for (int of_triangles = 0; of_triangles < 2; ++of_triangles)
            SCREE_TRY(discharge(trial, of_triangles, 11 + (uint64_t)s, &count[of_triangles][s]));
    for (int of_triangles = 0; of_triangles < 2; ++of_triangles)
        summarise(count[of_triangles], &mean[of_triangles], &variance[of_triangles]);
    const double error = sqrt((variance[0] + variance[1]) / SEEDS);
    // otherwise nothing has been tested
    scree_report_near(trial, 0.5, mean[0] / GRAINS, 0.3, "share of the grains that have flowed out");
    scree_report_near(trial, mean[0], mean[1], 4.14 * error, "grains that have flowed out, mean of %d runs",
                      SEEDS);
    scree_report_at_most(trial, 0.06, 4.14 * error / mean[0], "this tolerance, relative");
    return SCREE_OK;
}

// --- periodic faces

enum { BALLS = 12 };
static const double period = 1;

// A pyramid on the floor, with its foot below it.
static scree_status add_bump(struct scree_trial *trial, double x)
{
    const double vertex[5][3] = {{x - 0.2, -0.25, -0.01},
                                 {x + 0.22, -0.21, -0.01},
                                 {x + 0.19, 0.24, -0.01},
                                 {x - 0.23, 0.2, -0.01},
                                 {x + 0.02, 0.01, 0.06}};
    static const uint32_t facet[4][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_MESH,
        .material = trial->rigid,
        .mesh = {.vertex = vertex, .vertices = 5, .facet = facet, .facets = 4}};
    return scree_wall_add(trial->world, &def, &trial->wall);
}

static scree_status run_balls(struct scree_trial *trial, double lower, struct scree_body_state *states)
{
    const struct scree_world_def def = {.gravity = {2, 0, -9.81}};
    const struct scree_cell_def cell = {.lower = {lower, -period, -1},
                                        .upper = {lower + period, period, 1},
                                        .periodic = {true, false, false}};
    const struct scree_interaction_value values[] = {
        {"stiffness", 1e4, NULL}, {"restitution", 0.5, NULL}, {"friction", 0, NULL}};
    SCREE_TRY(scree_trial_world(trial, &def));
    SCREE_TRY(scree_cell_set(trial->world, &cell));
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "ball", .density = 1000},
                                 &trial->material));
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "rigid", .density = 1},
                                 &trial->rigid));
    SCREE_TRY(scree_interaction_add(
        trial->world,
        &(struct scree_interaction_def){.law = "none", .between = {trial->material, trial->material}}));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    SCREE_TRY(scree_balls_floor(trial));
    for (int copy = -1; copy < 2; ++copy)
        SCREE_TRY(add_bump(trial, (0.5 + copy) * period));
    for (uint64_t b = 0; b < BALLS; ++b)
        SCREE_TRY(scree_balls_add(
            trial, &(struct scree_sphere_def){.radius = 0.04 + 0.01 * scree_algebra_draw(5, b, 0),
                                              .position = {0.75 + 0.2 * scree_algebra_draw(5, b, 1),
                                                           0.15 * scree_algebra_draw(5, b, 2), 0.15},
                                              .velocity = {1, 0, 0}}));
    SCREE_TRY(scree_balls_start(trial, 1e-4, 1));
    SCREE_TRY(scree_engine_run(trial->engine, 10000));
    return scree_trial_states(trial, BALLS, states);
}

// The faces of the second cell cut the meshes, whose copies one period away go on there. They are smooth,
// because a contact with a copy is a new one, without the friction spring of the contact that it continues.
// Round-off of 1e-16 m in passing a face grows by at most v t / R = 50 at each of the pyramids, which a ball
// passes once per period: up to three in a run.
scree_status scree_mesh_periodic(struct scree_trial *trial)
{
    struct scree_body_state states[2][BALLS];
    double difference = 0, farthest = 0;
    SCREE_TRY(run_balls(trial, 0, states[0]));
    SCREE_TRY(run_balls(trial, 0.5 * period, states[1]));
    for (int b = 0; b < BALLS; ++b) {
        const double shift = states[1][b].position[0] - states[0][b].position[0];
        farthest = fmax(farthest, scree_algebra_norm(states[0][b].velocity, 3));
        difference = scree_report_larger(difference, fabs(shift - period * round(shift / period)));
        for (int k = 1; k < 3; ++k)
            difference =
                scree_report_larger(difference, fabs(states[1][b].position[k] - states[0][b].position[k]));
        difference = scree_report_larger(
            difference, scree_algebra_distance(states[0][b].velocity, states[1][b].velocity, 3));
        difference = scree_report_larger(
            difference, 0.03 * scree_algebra_distance(states[0][b].spin, states[1][b].spin, 3));
    }
    scree_report_at_most(trial, 1e-9, difference, "faces elsewhere: difference of positions and velocities");
    scree_report_unchecked(trial, 0, farthest, "largest speed, m/s");
    return SCREE_OK;
}
