// An isolated cluster of balls that collide with friction and separate: conservation of momentum and angular
// momentum, and independence of the frame.
//
// The two forces of a contact are equal and opposite and act at one point, so that momentum and angular
// momentum change only by round-off: a few units in the last place per step and ball, which partly cancel in
// the sum. The tolerance is 1e-12 of the sum of the magnitudes over all balls.

#include "algebra.h"
#include "balls.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double tolerance = 1e-12;

enum { SEED = 7, BALLS = 60, STEPS = 2000 };

// Balls near the 64 sites of a cubic lattice, 4 of them empty, moving towards its centre.
static struct scree_sphere_def make_ball(uint64_t ball)
{
    struct scree_sphere_def def = {.radius = 0.35 + 0.14 * scree_algebra_draw(SEED, ball, 0)};
    const double cell[3] = {(double)(ball % 4) - 1.5, (double)(ball / 4 % 4) - 1.5,
                            (double)(ball / 16) - 1.5};
    for (uint64_t k = 0; k < 3; ++k) {
        def.position[k] = cell[k] + 0.005 * scree_algebra_draw(SEED, ball, 1 + k);
        def.velocity[k] = -cell[k] + 0.5 * scree_algebra_draw(SEED, ball, 4 + k);
        def.spin[k] = 3 * scree_algebra_draw(SEED, ball, 7 + k);
    }
    return def;
}

// The frame: rotated, or mirrored in x, which changes the sign of the y and z components of spins.
struct frame {
    double rotation[4];
    bool mirrored;
    double offset; // amplitude of random offsets of the positions
};

static void transform_vector(const struct frame *frame, const double *in, bool axial, double *out)
{
    double v[3] = {in[0], in[1], in[2]};
    if (frame->mirrored) {
        v[0] = -v[0];
        for (int k = 0; k < 3 && axial; ++k)
            v[k] = -v[k];
    }
    scree_algebra_rotate(frame->rotation, v, out);
}

static scree_status begin(struct scree_trial *trial, const struct frame *frame, double restitution,
                          uint64_t count)
{
    const struct scree_balls_law law = {
        .name = "hertz-mindlin", .values = {{"friction", 0.4, NULL}, {"restitution", restitution, NULL}}};
    // the maximum approach speed is about 6, at which an impact lasts 0.03
    const struct scree_balls_material material = {1, 1e4, 0.3};
    SCREE_TRY(scree_balls_begin(trial, &material, &law, 0));
    for (uint64_t b = 0; b < count; ++b) {
        const struct scree_sphere_def original = make_ball(b);
        struct scree_sphere_def def = original;
        transform_vector(frame, original.position, false, def.position);
        for (uint64_t k = 0; k < 3; ++k)
            def.position[k] += frame->offset * scree_algebra_draw(SEED, b, 10 + k);
        transform_vector(frame, original.velocity, false, def.velocity);
        transform_vector(frame, original.spin, true, def.spin);
        SCREE_TRY(scree_balls_add(trial, &def));
    }
    return scree_balls_start(trial, 1e-3, 1);
}

// --- momenta

// Sums the magnitudes of momentum and angular momentum of all balls.
static scree_status sum_magnitudes(struct scree_trial *trial, double *linear, double *angular)
{
    struct scree_body_state states[BALLS];
    SCREE_TRY(scree_trial_states(trial, BALLS, states));
    *linear = *angular = 0;
    for (const struct scree_body_state *s = states; s < states + BALLS; ++s) {
        *linear += s->mass * scree_algebra_norm(s->velocity, 3);
        *angular += s->mass * scree_algebra_norm(s->position, 3) * scree_algebra_norm(s->velocity, 3) +
                    scree_algebra_norm(s->momentum, 3);
    }
    return SCREE_OK;
}

static scree_status momenta(struct scree_trial *trial)
{
    const struct frame frame = {.rotation = {1, 0, 0, 0}};
    struct scree_momentum before, after;
    struct scree_energy first, last;
    double linear, angular;
    SCREE_TRY(begin(trial, &frame, 0.7, BALLS));
    SCREE_TRY(sum_magnitudes(trial, &linear, &angular));
    SCREE_TRY(scree_energy_momentum(trial->world, &before));
    SCREE_TRY(scree_energy_get(trial->world, &first));
    SCREE_TRY(scree_engine_run(trial->engine, STEPS));
    SCREE_TRY(scree_energy_momentum(trial->world, &after));
    SCREE_TRY(scree_energy_get(trial->world, &last));
    // there must be dissipation, otherwise contacts have not been tested
    scree_report_at_most(trial, 0.7, last.translation / first.translation,
                         "final over initial kinetic energy");
    scree_report_at_most(trial, tolerance, scree_algebra_distance(before.linear, after.linear, 3) / linear,
                         "change of momentum, relative to sum over balls");
    scree_report_at_most(trial, tolerance, scree_algebra_distance(before.angular, after.angular, 3) / angular,
                         "change of angular momentum, relative to sum over balls");
    return SCREE_OK;
}

// --- frames

enum { FRAME_BALLS = 20, FRAME_STEPS = 400 };

static scree_status run_frame(struct scree_trial *trial, const struct frame *frame, double restitution,
                              struct scree_body_state *states)
{
    SCREE_TRY(begin(trial, frame, restitution, FRAME_BALLS));
    SCREE_TRY(scree_engine_run(trial->engine, FRAME_STEPS));
    return scree_trial_states(trial, FRAME_BALLS, states);
}

// Maximum differences of positions, velocities and spins.
static void find_differences(const struct frame *frame, const struct scree_body_state *original,
                             const struct scree_body_state *other, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int b = 0; b < FRAME_BALLS; ++b) {
        const double *vectors[3] = {original[b].position, original[b].velocity, original[b].spin};
        const double *computed[3] = {other[b].position, other[b].velocity, other[b].spin};
        for (int k = 0; k < 3; ++k) {
            double v[3];
            transform_vector(frame, vectors[k], k == 2, v);
            out[k] = scree_report_larger(out[k], scree_algebra_distance(v, computed[k], 3));
        }
    }
}

struct frames {
    double restitution;
    double rounding; // error of positions by round-off
};

// Collisions amplify initial differences; the amplification is measured with random offsets of 1e-9.
static scree_status frames(struct scree_trial *trial)
{
    static const char *const names[3] = {"positions", "velocities", "spins"};
    static const double perturbation = 1e-9;
    const struct frames *frames = (const struct frames *)trial->data;
    static const struct {
        const char *label;
        struct frame frame;
    } list[] = {
        {"rotated", {{0.5, 0.1, -0.7, 0.5}, false, 0}},
        {"mirrored", {{1, 0, 0, 0}, true, 0}},
        {"rotated and mirrored", {{0.1, 0.7, 0.5, -0.5}, true, 0}},
    };
    const struct frame plain = {.rotation = {1, 0, 0, 0}},
                       perturbed = {.rotation = {1, 0, 0, 0}, .offset = perturbation};
    struct scree_body_state original[FRAME_BALLS], other[FRAME_BALLS];
    double amplified[3], differences[3];
    SCREE_TRY(run_frame(trial, &plain, frames->restitution, original));
    SCREE_TRY(run_frame(trial, &perturbed, frames->restitution, other));
    find_differences(&plain, original, other, amplified);
    for (size_t f = 0; f < sizeof list / sizeof list[0]; ++f) {
        SCREE_TRY(run_frame(trial, &list[f].frame, frames->restitution, other));
        find_differences(&list[f].frame, original, other, differences);
        for (int k = 0; k < 3; ++k)
            scree_report_at_most(trial, frames->rounding / perturbation * amplified[k], differences[k],
                                 "%s: %s", list[f].label, names[k]);
    }
    return SCREE_OK;
}

// Without dashpots: a few units in the last place per step, of positions of about 2. With dashpots: these use
// on-step velocities predicted with pending half-kicks of 24 bits. The error is 2^-25 of a half-kick of at
// most 0.1, of which a dashpot applies 2 z w h < 0.05, over the duration of a contact, 0.03, for ten
// contacts.
static const struct frames without_dashpots = {1, FRAME_STEPS * 2 * SCREE_VERIFY_EPSILON},
                           with_dashpots = {0.7, 0.1 * 0.05 * 0.03 * 10 / 33554432};

const struct scree_verify_case scree_verify_cluster[] = {
    {"momenta", "an isolated cluster conserves momentum and angular momentum", momenta, NULL},
    {"frames", "a rotated or mirrored cluster has the rotated or mirrored motion", frames, &without_dashpots},
    {"frames-damped", "the same with dashpots, up to the precision of predicted velocities", frames,
     &with_dashpots},
    {0},
};
