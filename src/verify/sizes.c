// A small ball between two large ones (after Vyas et al., Comput. Phys. Commun. 310, 109524, 2025).
//
// Two equal balls in contact are fixed side by side. The centre of a small ball that touches both is on a
// vertical circle about their contact point, the groove. The small ball starts on the upper half of the
// groove, beside the top, rolls down under gravity and falls off. It rotates mostly about its contact
// normals, which rotate too. A scheme that combines mid-step velocities with on-step normals slowly loads
// the tangential springs sideways, until friction traps the small ball in the wedge. With the consistent
// scheme used here the default step is sufficient.

#include "algebra.h"
#include "balls.h"
#include "verify.h"

#include <math.h>

// the small ball has radius 1 and mass 1
static const double stiffness = 4e5, gravity = 9.81, pi = 3.14159265358979323846;

struct sizes {
    double ratio, friction;
    double time; // until the ball has fallen out, s, for a groove radius of 2.6 m; grows with its square root
};

// Radius of the circular groove.
static double groove_radius(double ratio)
{
    return sqrt(2 * ratio + 1);
}

static scree_status begin(struct scree_trial *trial, const struct sizes *sizes, double step)
{
    const double ratio = sizes->ratio, groove = groove_radius(ratio), offset = 0.6 * groove;
    const struct scree_balls_law law = {.name = "linear",
                                        .values = {{"stiffness", stiffness, NULL},
                                                   {"stiffness-tangential", 0.8 * stiffness, NULL},
                                                   {"friction", sizes->friction, NULL},
                                                   {"restitution", 0.5, NULL},
                                                   {"dashpots", 0, "normal"}}};
    SCREE_TRY(scree_balls_begin(trial, &(struct scree_balls_material){0.75 / pi, 0, 0}, &law, -gravity));
    for (int side = -1; side <= 1; side += 2)
        SCREE_TRY(scree_balls_add(trial, &(struct scree_sphere_def){.radius = ratio,
                                                                    .position = {side * ratio, 0, 0},
                                                                    .fixed = SCREE_FIX_ALL}));
    SCREE_TRY(scree_balls_add(
        trial, &(struct scree_sphere_def){.radius = 1,
                                          .position = {0, offset, sqrt(groove * groove - offset * offset)}}));
    return scree_balls_start(trial, step, 1);
}

// Runs until a time; returns the state then and the initial step.
static scree_status run_to(struct scree_trial *trial, double step, double time,
                           struct scree_body_state *state, double *initial_step)
{
    SCREE_TRY(begin(trial, (const struct sizes *)trial->data, step));
    SCREE_TRY(scree_engine_step(trial->engine, initial_step));
    SCREE_TRY(scree_engine_run_until(trial->engine, time));
    SCREE_TRY(scree_body_get(trial->world, trial->body, state));
    // the last step ends at a slightly different time: extrapolate to `time`; the ball is in free fall
    const double remaining = time - scree_world_time(trial->world);
    for (int k = 0; k < 3; ++k)
        state->position[k] += remaining * state->velocity[k];
    state->velocity[2] -= gravity * remaining;
    return SCREE_OK;
}

static scree_status small_ball(struct scree_trial *trial)
{
    const struct sizes *sizes = (const struct sizes *)trial->data;
    const double groove = groove_radius(sizes->ratio), time = sizes->time * sqrt(groove / 2.6);
    struct scree_body_state coarse, fine;
    double step, unused;
    SCREE_TRY(run_to(trial, 0, time, &coarse, &step));
    SCREE_TRY(run_to(trial, step / 32, time, &fine, &unused));
    // the ball must have left the groove
    scree_report_zero(trial, fine.position[2] < -2 * groove ? 0u : 1u, "balls still in the groove");
    const struct {
        const char *label;
        const double *coarse, *fine;
    } rows[] = {{"position", coarse.position, fine.position},
                {"velocity", coarse.velocity, fine.velocity},
                {"spin", coarse.spin, fine.spin}};
    for (int r = 0; r < 3; ++r)
        scree_report_at_most(trial, 0.01,
                             scree_algebra_distance(rows[r].coarse, rows[r].fine, 3) /
                                 scree_algebra_norm(rows[r].fine, 3),
                             "%s, default step of %.3g s against 1/32 of it", rows[r].label, step);
    return SCREE_OK;
}

// Friction is low enough for the ball to leave: in a narrow wedge high friction holds a ball.
static const struct sizes sizes[] = {{3, 1, 3.5}, {10, 0.5, 3.5}, {30, 0.5, 3.5}, {100, 0.3, 5.5}};

const struct scree_verify_case scree_verify_sizes[] = {
    {"3", "size ratio 3", small_ball, &sizes[0]},
    {"10", "size ratio 10", small_ball, &sizes[1]},
    {"30", "size ratio 30", small_ball, &sizes[2]},
    {"100", "size ratio 100", small_ball, &sizes[3]},
    {0},
};
