// Balls that slide over meshes at periodic faces.

#include "algebra.h"
#include "balls.h"
#include "mesh.h"
#include "verify.h"

#include <math.h>
#include <string.h>

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
