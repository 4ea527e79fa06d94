// Eccentric impacts of clumps on a plane and on each other, without friction, against impulsive dynamics.
//
// In the limit of stiff springs a contact at the points r_A, r_B (from the centres of mass) with the normal n
// gives an impulse J along n. With the approach speed g of the points of contact and the mass
//
//     1 / m* = sum over the bodies of 1 / m + (r x n) . I^-1 (r x n)
//
// it is J = m* (1 + e) g, and changes velocities by J n / m and spins by I^-1 (r x n) J. The dashpot c of the
// law is that of the masses without eccentricity, c = 2 z sqrt(k m), with ln e0 = -pi z / sqrt(1 - z^2) for
// the given restitution e0; so e has z multiplied by sqrt(m / m*).
//
// While a contact lasts bodies turn by about w T, T = pi sqrt(m* / k) / sqrt(1 - z^2), and the arms change.
// The difference from the limit is thus a power series in T: halving T, with a stiffness four times as large,
// must halve the difference e(T); and 2 e(T / 2) - e(T), which has no term of first order, must become four
// times smaller. The spins are below 2 / s, so the latter is below (2 T)^2.
//
// With a dashpot the force does not begin and end at zero. Contacts begin and end within a step, so each of
// two runs has an error of up to half a step of this force at both ends, 2 z w h / 2 of the change of the
// motion with w h = pi / (4000 sqrt(1 - z^2)): this hides the second order.

#include "algebra.h"
#include "balls.h"
#include "clump.h"
#include "shapes.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { BODIES = 2, VALUES = 6 * BODIES, RUNS = 6, STEPS = 4000 };

struct impact {
    const char *name;
    double restitution;
    bool pair; // else on a plane
};

static const struct impact impacts[] = {
    {"plane, elastic", 1, false},
    {"plane, e = 0.6", 0.6, false},
    {"two clumps, elastic", 1, true},
    {"two clumps, e = 0.6", 0.6, true},
};

// The state before an impact, the normal into the first body, and the arms of the contact point.
struct start {
    struct scree_shapes_clump tee;
    struct scree_rigid_def body[BODIES];
    double normal[3], arm[BODIES][3];
    int bodies;
};

static void pebble_at(const struct start *start, int body, size_t pebble, double out[3])
{
    scree_algebra_rotate(start->body[body].orientation, start->tee.pebble[pebble].offset, out);
}

// The lowest pebble of the first tee touches the plane z = 0, or the highest pebble of the second tee.
static void make_start(bool pair, struct start *start)
{
    static const double orientation[2][4] = {{0.5, 0.1, -0.5, 0.2}, {0.6, 0.2, -0.4, 0.3}},
                        velocity[2][3] = {{0.2, -0.1, -1}, {-0.3, 0.2, 0.4}},
                        spin[2][3] = {{0.3, 0.5, -0.4}, {-0.2, 0.6, 0.5}};
    *start = (struct start){.bodies = pair ? 2 : 1, .normal = {0, 0, 1}};
    scree_shapes_tee(1, &start->tee);
    for (int b = 0; b < start->bodies; ++b) {
        struct scree_rigid_def *body = &start->body[b];
        const double length = scree_algebra_norm(orientation[b], 4);
        for (int k = 0; k < 4; ++k)
            body->orientation[k] = orientation[b][k] / length;
        memcpy(body->velocity, velocity[b], sizeof body->velocity);
        memcpy(body->spin, spin[b], sizeof body->spin);
    }
    const double radius = start->tee.pebble[0].radius;
    for (int b = 0; b < start->bodies; ++b) {
        double best[3], centre[3];
        pebble_at(start, b, 0, best);
        for (size_t p = 1; p < start->tee.def.pebbles; ++p) {
            pebble_at(start, b, p, centre);
            if (b == 0 ? centre[2] < best[2] : centre[2] > best[2])
                memcpy(best, centre, sizeof best);
        }
        memcpy(start->arm[b], best, sizeof best);
        start->arm[b][2] += b == 0 ? -radius : radius;
        for (int k = 0; k < 3; ++k)
            start->body[b].position[k] = -start->arm[b][k];
    }
}

// I^-1 of a tee in the orientation of the body, applied to a vector.
static void turn_by(const struct start *start, int body, const double moment[3], double out[3])
{
    double local[3];
    scree_algebra_unrotate(start->body[body].orientation, moment, local);
    for (int k = 0; k < 3; ++k)
        local[k] /= start->tee.def.body.inertia[k];
    scree_algebra_rotate(start->body[body].orientation, local, out);
}

// Velocities and spins after the impact; `mass` receives m*. Returns the square of the damping ratio of m*.
static double impulsive(const struct start *start, double restitution, double *mass, double out[VALUES])
{
    double inverse = 0, approach = 0, turn[BODIES][3];
    for (int b = 0; b < start->bodies; ++b) {
        double lever[3], surface[3];
        scree_algebra_cross(start->arm[b], start->normal, lever);
        turn_by(start, b, lever, turn[b]);
        inverse += 1 / start->tee.def.body.mass + scree_algebra_dot(lever, turn[b], 3);
        scree_algebra_cross(start->body[b].spin, start->arm[b], surface);
        for (int k = 0; k < 3; ++k)
            approach += (b == 0 ? -1 : 1) * (start->body[b].velocity[k] + surface[k]) * start->normal[k];
    }
    *mass = 1 / inverse;
    const double central = start->tee.def.body.mass / start->bodies, logarithm = log(restitution);
    const double square = logarithm * logarithm / (pi * pi + logarithm * logarithm) * central / *mass,
                 e = exp(-pi * sqrt(square / (1 - square)));
    const double impulse = *mass * (1 + e) * approach;
    for (int b = 0; b < start->bodies; ++b)
        for (int k = 0; k < 3; ++k) {
            const double signed_impulse = b == 0 ? impulse : -impulse;
            out[6 * b + k] =
                start->body[b].velocity[k] + signed_impulse * start->normal[k] / start->tee.def.body.mass;
            out[6 * b + 3 + k] = start->body[b].spin[k] + signed_impulse * turn[b][k];
        }
    return square;
}

// The change of all velocities and spins in an impact.
static double change_of(const struct start *start, const double after[VALUES])
{
    double before[VALUES];
    for (int b = 0; b < start->bodies; ++b) {
        memcpy(&before[6 * b], start->body[b].velocity, sizeof start->body[b].velocity);
        memcpy(&before[6 * b + 3], start->body[b].spin, sizeof start->body[b].spin);
    }
    return scree_algebra_distance(before, after, 6 * start->bodies);
}

static double stiffness_of(int run)
{
    return ldexp(1e4, 2 * run);
}

static double duration_of(double mass, double square, double stiffness)
{
    return pi * sqrt(mass / stiffness / (1 - square));
}

static scree_status collide(struct scree_trial *trial, const struct start *start, double restitution,
                            double stiffness, double duration, double out[VALUES])
{
    const struct scree_balls_material material = {.density = 1};
    const struct scree_balls_law law = {.name = "linear",
                                        .values = {{"stiffness", stiffness, NULL},
                                                   {"friction", 0, NULL},
                                                   {"restitution", restitution, NULL}}};
    SCREE_TRY(scree_balls_begin(trial, &material, &law, 0));
    if (start->bodies == 1)
        SCREE_TRY(scree_balls_floor(trial));
    for (int b = 0; b < start->bodies; ++b)
        SCREE_TRY(scree_shapes_add(trial, &start->tee, &start->body[b]));
    SCREE_TRY(scree_balls_start(trial, duration / STEPS, 1));
    SCREE_TRY(scree_engine_run(trial->engine, STEPS + STEPS / 10));
    for (int b = 0; b < start->bodies; ++b) {
        struct scree_body_state state;
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){(uint64_t)b + 1}, &state));
        memcpy(&out[6 * b], state.velocity, sizeof state.velocity);
        memcpy(&out[6 * b + 3], state.spin, sizeof state.spin);
    }
    return SCREE_OK;
}

scree_status scree_clump_impact(struct scree_trial *trial)
{
    for (size_t i = 0; i < sizeof impacts / sizeof impacts[0]; ++i) {
        const struct impact *impact = &impacts[i];
        struct start start;
        double limit[VALUES] = {0}, last[VALUES] = {0}, first[RUNS], second[RUNS - 1], mass;
        make_start(impact->pair, &start);
        const double square = impulsive(&start, impact->restitution, &mass, limit),
                     change = change_of(&start, limit);
        for (int r = 0; r < RUNS; ++r) {
            double now[VALUES] = {0}, twice[VALUES];
            SCREE_TRY(collide(trial, &start, impact->restitution, stiffness_of(r),
                              duration_of(mass, square, stiffness_of(r)), now));
            for (int v = 0; v < VALUES; ++v)
                twice[v] = 2 * now[v] - last[v];
            first[r] = scree_algebra_distance(now, limit, 6 * start.bodies);
            if (r > 0)
                second[r - 1] = scree_algebra_distance(twice, limit, 6 * start.bodies);
            memcpy(last, now, sizeof last);
        }
        scree_report_near(trial, 1, scree_report_order(&first[RUNS - 3], 3), 0.05,
                          "%s: order in the duration", impact->name);
        if (impact->restitution == 1)
            scree_report_near(trial, 2, scree_report_order(&second[RUNS - 4], 3), 0.05,
                              "%s: order of the extrapolated motion", impact->name);
        const double duration = duration_of(mass, square, stiffness_of(RUNS - 1)),
                     ends = 3 * 2 * pi * sqrt(square / (1 - square)) / STEPS;
        scree_report_at_most(trial, 4 * duration * duration + ends * change, second[RUNS - 2],
                             "%s: extrapolated from impulsive dynamics", impact->name);
    }
    return SCREE_OK;
}
