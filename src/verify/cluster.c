// A closed cluster of balls that fall towards each other, rub, spin and part: what no contact may change, and
// what does not depend on the frame.
//
// A pair's forces are equal and opposite and meet in one point, so that momentum and angular momentum change
// by rounding only: some units of it a step on each ball, which a mean over the cluster makes less of. 1e-12
// of what all balls carry together.

#include "algebra.h"
#include "balls.h"
#include "draw.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double tolerance = 1e-12;

enum { BALLS = 60, STEPS = 2000 };

static double draw(uint64_t ball, uint64_t number)
{
    return scree_verify_draw(7, ball, number);
}

// Balls on a loose lattice of 4 by 4 by 4, some places free, which fly to the middle.
static struct scree_sphere_def ball_of(uint64_t ball)
{
    struct scree_sphere_def def = {.radius = 0.35 + 0.14 * draw(ball, 0)};
    const double cell[3] = {(double)(ball % 4) - 1.5, (double)(ball / 4 % 4) - 1.5,
                            (double)(ball / 16) - 1.5};
    for (uint64_t k = 0; k < 3; ++k) {
        def.position[k] = cell[k] + 0.005 * draw(ball, 1 + k);
        def.velocity[k] = -cell[k] + 0.5 * draw(ball, 4 + k);
        def.spin[k] = 3 * draw(ball, 7 + k);
    }
    return def;
}

// How the frame lies: turned, or mirrored in x, in which spins change sign but along x.
struct frame {
    double turn[4];
    bool mirrored;
    double off; // added to places, scrambled
};

static void place_vector(const struct frame *frame, const double *in, bool axial, double *out)
{
    double v[3] = {in[0], in[1], in[2]};
    if (frame->mirrored) {
        v[0] = -v[0];
        for (int k = 0; k < 3 && axial; ++k)
            v[k] = -v[k];
    }
    scree_algebra_rotate(frame->turn, v, out);
}

static scree_status begin(struct scree_balls *balls, const struct frame *frame, double restitution,
                          uint64_t count, scree_body_id *ids)
{
    const struct scree_balls_law law = {
        .name = "hertz-mindlin", .values = {{"friction", 0.4, NULL}, {"restitution", restitution, NULL}}};
    // the largest closing speed is about 6: an impact at it lasts 0.03
    const struct scree_balls_stuff stuff = {1, 1e4, 0.3};
    SCREE_VERIFY_TRY(scree_balls_begin(balls, &stuff, &law, NULL));
    for (uint64_t b = 0; b < count; ++b) {
        const struct scree_sphere_def right = ball_of(b);
        struct scree_sphere_def def = right;
        place_vector(frame, right.position, false, def.position);
        for (uint64_t k = 0; k < 3; ++k)
            def.position[k] += frame->off * draw(b, 10 + k);
        place_vector(frame, right.velocity, false, def.velocity);
        place_vector(frame, right.spin, true, def.spin);
        SCREE_VERIFY_TRY(scree_balls_add(balls, &def, &ids[b]));
    }
    return scree_balls_start(balls, 1e-3);
}

// --- momenta

static scree_status carried(const struct scree_balls *balls, const scree_body_id *ids, double *linear,
                            double *angular)
{
    *linear = *angular = 0;
    for (int b = 0; b < BALLS; ++b) {
        struct scree_body_state s;
        SCREE_VERIFY_TRY(scree_body_get(balls->world, ids[b], &s));
        *linear += s.mass * scree_algebra_norm(s.velocity, 3);
        *angular += s.mass * scree_algebra_norm(s.position, 3) * scree_algebra_norm(s.velocity, 3) +
                    scree_algebra_norm(s.momentum, 3);
    }
    return SCREE_OK;
}

static scree_status compare_momenta(struct scree_report *report, struct scree_balls *balls,
                                    const scree_body_id *ids)
{
    struct scree_momentum before, after;
    struct scree_energy first, last;
    double linear, angular;
    SCREE_VERIFY_TRY(carried(balls, ids, &linear, &angular));
    SCREE_VERIFY_TRY(scree_energy_momentum(balls->world, &before));
    SCREE_VERIFY_TRY(scree_energy_get(balls->world, &first));
    SCREE_VERIFY_TRY(scree_engine_run(balls->engine, STEPS));
    SCREE_VERIFY_TRY(scree_energy_momentum(balls->world, &after));
    SCREE_VERIFY_TRY(scree_energy_get(balls->world, &last));
    // or nothing was rubbed and nothing has been shown
    scree_report_most(report, 0.7, last.translation / first.translation,
                      "kinetic energy left, of that at first");
    scree_report_most(report, tolerance, scree_algebra_distance(before.linear, after.linear, 3) / linear,
                      "change of momentum over what balls carry");
    scree_report_most(report, tolerance, scree_algebra_distance(before.angular, after.angular, 3) / angular,
                      "change of angular momentum, likewise");
    return SCREE_OK;
}

static scree_status closed(struct scree_report *report, const void *data)
{
    (void)data;
    const struct frame frame = {.turn = {1, 0, 0, 0}};
    struct scree_balls balls = {0};
    scree_body_id ids[BALLS];
    scree_status status = begin(&balls, &frame, 0.7, BALLS, ids);
    if (status == SCREE_OK)
        status = compare_momenta(report, &balls, ids);
    scree_balls_end(&balls);
    return status;
}

// --- frames

enum { FEW = 20, SHORT = 400 };

static scree_status states_of(const struct frame *frame, double restitution, struct scree_body_state *states)
{
    struct scree_balls balls = {0};
    scree_body_id ids[FEW];
    scree_status status = begin(&balls, frame, restitution, FEW, ids);
    if (status == SCREE_OK)
        status = scree_engine_run(balls.engine, SHORT);
    for (int b = 0; b < FEW && status == SCREE_OK; ++b)
        status = scree_body_get(balls.world, ids[b], &states[b]);
    scree_balls_end(&balls);
    return status;
}

// The largest differences of places, velocities and spins.
static void differ(const struct frame *frame, const struct scree_body_state *right,
                   const struct scree_body_state *other, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int b = 0; b < FEW; ++b) {
        const double *of[3] = {right[b].position, right[b].velocity, right[b].spin};
        const double *got[3] = {other[b].position, other[b].velocity, other[b].spin};
        for (int k = 0; k < 3; ++k) {
            double v[3];
            place_vector(frame, of[k], k == 2, v);
            out[k] = scree_report_worse(out[k], scree_algebra_distance(v, got[k], 3));
        }
    }
}

struct frames {
    double restitution;
    double rounding; // what it puts into places
};

// Collisions magnify what is put in at the start: how much is measured with all places off by 1e-9.
static scree_status frames(struct scree_report *report, const void *data)
{
    static const char *const names[3] = {"places", "velocities", "spins"};
    static const double put_in = 1e-9;
    const struct frames *frames = (const struct frames *)data;
    static const struct {
        const char *what;
        struct frame frame;
    } list[] = {
        {"turned", {{0.5, 0.1, -0.7, 0.5}, false, 0}},
        {"mirrored", {{1, 0, 0, 0}, true, 0}},
        {"turned and mirrored", {{0.1, 0.7, 0.5, -0.5}, true, 0}},
    };
    const struct frame plain = {.turn = {1, 0, 0, 0}}, off = {.turn = {1, 0, 0, 0}, .off = put_in};
    struct scree_body_state right[FEW], other[FEW];
    double magnified[3], differences[3];
    SCREE_VERIFY_TRY(states_of(&plain, frames->restitution, right));
    SCREE_VERIFY_TRY(states_of(&off, frames->restitution, other));
    differ(&plain, right, other, magnified);
    for (size_t f = 0; f < sizeof list / sizeof list[0]; ++f) {
        SCREE_VERIFY_TRY(states_of(&list[f].frame, frames->restitution, other));
        differ(&list[f].frame, right, other, differences);
        for (int k = 0; k < 3; ++k)
            scree_report_most(report, frames->rounding / put_in * magnified[k], differences[k], "%s: %s",
                              list[f].what, names[k]);
    }
    return SCREE_OK;
}

// Some units of places that are about 2, a step. The on-step velocities that dashpots see are predicted by
// half-kicks of 24 bits: 2^-25 of a half-kick, at most 0.1, which a dashpot takes 2 z w h < 0.05 of, and
// which moves a ball as long as a contact, 0.03, lasts; ten contacts.
static const struct frames without_dashpots = {1, SHORT * 2 * SCREE_VERIFY_EPSILON},
                           with_dashpots = {0.7, 0.1 * 0.05 * 0.03 * 10 / 33554432};

static const struct scree_verify_case cases[] = {
    {"momenta", "a closed cluster keeps its momentum and angular momentum", closed, NULL},
    {"frames", "a turned or mirrored cluster moves likewise", frames, &without_dashpots},
    {"frames-damped", "and where dashpots act, but for the precision of predicted velocities", frames,
     &with_dashpots},
};

const struct scree_verify_family scree_verify_cluster = {"cluster", "what contacts do not change", cases,
                                                         sizeof cases / sizeof cases[0]};
