// Energy and momentum of clusters of bonded spheres, and the limit of rigid bonds.
//
// Forces and couples of a bond derive from its energy, which depends on the relative position and orientation
// of its sides only. So velocity Verlet keeps the energy to order 2 without drift, and forces and couples of
// the two sides balance: momentum and angular momentum change by round-off, a few units in the last place per
// step and sphere. Their tolerance is 1e-12 of the sum of magnitudes over all spheres.

#include "algebra.h"
#include "bond.h"
#include "bonded.h"
#include "verify.h"

#include <math.h>

enum { SIDE = 4, SPHERES = SIDE * SIDE * SIDE, SEED = 3 };

static const double density = 1000, tolerance = 1e-12;

// A cube of spheres of different sizes near the sites of a lattice, with random velocities.
static scree_status begin_cube(struct scree_trial *trial, const struct scree_bond_def *bond, double step)
{
    static const double none[3] = {0, 0, 0};
    SCREE_TRY(scree_bonded_begin(trial, 3, density));
    for (uint64_t b = 0; b < SPHERES; ++b) {
        const uint64_t site[3] = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
        double position[3], velocity[3], spin[3];
        for (uint64_t k = 0; k < 3; ++k) {
            position[k] = (double)site[k] - 1.5 + 0.05 * scree_algebra_draw(SEED, b, k);
            velocity[k] = 2 * scree_algebra_draw(SEED, b, 3 + k) + (k == 1 ? 1 : 0);
            spin[k] = 2 * scree_algebra_draw(SEED, b, 6 + k) + (k == 2 ? 1 : 0);
        }
        const double radius = 0.45 + 0.05 * scree_algebra_draw(SEED, b, 9);
        SCREE_TRY(scree_trial_add_round(trial, radius, position, 0));
        SCREE_TRY(scree_body_set_velocity(trial->world, trial->body, velocity));
        SCREE_TRY(scree_body_set_spin(trial->world, trial->body, spin));
    }
    SCREE_TRY(scree_bonded_join_near(trial, bond, SPHERES, 1.2, none));
    return scree_trial_start(trial, &(struct scree_soft_def){.step = step});
}

// bonds that do not break; of which half break; and of which a quarter break, with softening, in one second
static const struct scree_bond_def strong = {.kind = SCREE_BOND_PARALLEL,
                                             .radius = 0.4,
                                             .young = 1e6,
                                             .stiffness_ratio = 2.5},
                                   weak = {.kind = SCREE_BOND_PARALLEL,
                                           .radius = 0.4,
                                           .young = 1e6,
                                           .stiffness_ratio = 2.5,
                                           .tensile_strength = 6e4,
                                           .shear_strength = 6e4,
                                           .friction_angle = 0.5,
                                           .moment_factor = 1},
                                   soft = {.kind = SCREE_BOND_PARALLEL,
                                           .radius = 0.4,
                                           .young = 1e6,
                                           .stiffness_ratio = 2.5,
                                           .tensile_strength = 4.5e4,
                                           .shear_strength = 4.5e4,
                                           .friction_angle = 0.5,
                                           .moment_factor = 1,
                                           .softening = 2};

static const struct scree_bond_def *const bonds[] = {&strong, &weak, &soft};
static const char *const bond_names[] = {"unbroken", "brittle", "softening"};
enum { KINDS = 3 };

// --- momenta

static scree_status sum_magnitudes(struct scree_trial *trial, double *linear, double *angular)
{
    struct scree_body_state states[SPHERES];
    SCREE_TRY(scree_trial_states(trial, SPHERES, states));
    *linear = *angular = 0;
    for (const struct scree_body_state *s = states; s < states + SPHERES; ++s) {
        *linear += s->mass * scree_algebra_norm(s->velocity, 3);
        *angular += s->mass * scree_algebra_norm(s->position, 3) * scree_algebra_norm(s->velocity, 3) +
                    scree_algebra_norm(s->momentum, 3);
    }
    return SCREE_OK;
}

scree_status scree_bond_cluster_momenta(struct scree_trial *trial)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        struct scree_momentum before, after;
        double linear, angular;
        SCREE_TRY(begin_cube(trial, bonds[kind], 1e-3));
        const size_t count = scree_bond_count(trial->world);
        SCREE_TRY(sum_magnitudes(trial, &linear, &angular));
        SCREE_TRY(scree_energy_momentum(trial->world, &before));
        SCREE_TRY(scree_engine_run(trial->engine, 1000));
        SCREE_TRY(scree_energy_momentum(trial->world, &after));
        const double broken = (double)scree_bond_broken(trial->world, NULL) / (double)count;
        scree_report_near(trial, kind > 0 ? 0.5 : 0, broken, kind > 0 ? 0.4 : 0, "%s bonds: part that broke",
                          bond_names[kind]);
        scree_report_at_most(trial, tolerance,
                             scree_algebra_distance(before.linear, after.linear, 3) / linear,
                             "%s bonds: change of momentum over sum", bond_names[kind]);
        scree_report_at_most(trial, tolerance,
                             scree_algebra_distance(before.angular, after.angular, 3) / angular,
                             "%s bonds: change of angular momentum over sum", bond_names[kind]);
    }
    return SCREE_OK;
}

// --- the ledger

static scree_status measure_balance(struct scree_trial *trial, const struct scree_bond_def *bond, int level,
                                    double *largest)
{
    struct scree_energy first, energy;
    SCREE_TRY(begin_cube(trial, bond, ldexp(2e-3, -level)));
    SCREE_TRY(scree_energy_get(trial->world, &first));
    *largest = 0;
    for (int sample = 0; sample < 20; ++sample) {
        SCREE_TRY(scree_engine_run(trial->engine, UINT64_C(25) << level));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        *largest = scree_report_larger(*largest, fabs(energy.balance - first.balance) / first.translation);
    }
    return SCREE_OK;
}

// A bond breaks at a random moment within a step, whose energy is of order 2 each and has a random part.
scree_status scree_bond_cluster_ledger(struct scree_trial *trial)
{
    enum { RUNS = 4 };
    for (int kind = 0; kind < KINDS; ++kind) {
        double errors[RUNS];
        for (int r = 0; r < RUNS; ++r)
            SCREE_TRY(measure_balance(trial, bonds[kind], r, &errors[r]));
        scree_report_unchecked(trial, 0, errors[0], "%s bonds: balance at the longest step",
                               bond_names[kind]);
        scree_report_near(trial, 2, scree_report_order(errors, RUNS), 0.1, "%s bonds: order of the balance",
                          bond_names[kind]);
    }
    return SCREE_OK;
}

// --- a rotating body

// The cube at rest with small displacements turns as a rigid body about an oblique axis, four turns.
static scree_status begin_rotating(struct scree_trial *trial, double step)
{
    static const double spin[3] = {1, -2, 2};
    SCREE_TRY(begin_cube(trial, &strong, step));
    for (uint64_t b = 0; b < SPHERES; ++b) {
        const scree_body_id id = {b + 1};
        struct scree_body_state state;
        double velocity[3];
        SCREE_TRY(scree_body_get(trial->world, id, &state));
        scree_algebra_cross(spin, state.position, velocity);
        SCREE_TRY(scree_body_set_velocity(trial->world, id, velocity));
        SCREE_TRY(scree_body_set_spin(trial->world, id, spin));
    }
    return SCREE_OK;
}

// Halves of the run have the same largest error if there is no drift, up to sampling.
scree_status scree_bond_cluster_rotating(struct scree_trial *trial)
{
    enum { RUNS = 3, SAMPLES = 200 };
    const double turns = 4, time = turns * 2 * SCREE_BONDED_PI / 3;
    double errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        const uint64_t steps = UINT64_C(20) << r;
        struct scree_energy energy;
        double half[2] = {0, 0}, first, largest = 0;
        SCREE_TRY(begin_rotating(trial, time / SAMPLES / (double)steps));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        first = energy.translation + energy.rotation;
        for (int s = 0; s < SAMPLES; ++s) {
            SCREE_TRY(scree_engine_run(trial->engine, steps));
            SCREE_TRY(scree_energy_get(trial->world, &energy));
            const double change = fabs((energy.translation + energy.rotation + energy.elastic) / first - 1);
            half[2 * s / SAMPLES] = scree_report_larger(half[2 * s / SAMPLES], change);
            largest = scree_report_larger(largest, energy.elastic / first);
        }
        errors[r] = scree_report_larger(half[0], half[1]);
        if (r == 0)
            scree_report_unchecked(trial, 0, largest, "largest elastic over kinetic energy");
        scree_report_near(trial, 1, half[1] / half[0], 0.25,
                          "energy error in the second half over the first, h/%d", 1 << r);
        scree_report_unchecked(trial, 0, errors[r], "energy error, relative, h/%d", 1 << r);
    }
    scree_report_near(trial, 2, scree_report_order(errors, RUNS), 0.1, "order of the energy error");
    return SCREE_OK;
}

// --- independence of the frame

struct frame_sums {
    double energy, force[3], moment[3]; // of all bonds; force and moment on one sphere
};

static scree_status sum_frame(struct scree_trial *trial, struct frame_sums *sums)
{
    static scree_bond_id list[1024];
    struct scree_body_state state;
    size_t count;
    SCREE_TRY(scree_bond_list(trial->world, list, sizeof list / sizeof list[0], &count));
    sums->energy = 0;
    for (size_t n = 0; n < count; ++n) {
        struct scree_bond_state bond;
        SCREE_TRY(scree_bond_get(trial->world, list[n], &bond));
        sums->energy += bond.stored;
    }
    SCREE_TRY(scree_body_get(trial->world, (scree_body_id){22}, &state));
    memcpy(sums->force, state.force, sizeof sums->force);
    memcpy(sums->moment, state.moment, sizeof sums->moment);
    return SCREE_OK;
}

// A cube that has been deformed by its motion is turned as a whole, by angles up to a full turn: forces and
// moments turn with it, and the energy stays, to the round-off of positions of 2 m over deformations of 1 mm.
scree_status scree_bond_cluster_frame(struct scree_trial *trial)
{
    static const double turns[][4] = {
        {0.5, 0.1, -0.7, 0.5}, {0, 0.6, 0, 0.8}, {-1, 0, 0, 0}, {0.001, 0.6, 0.8, 0}};
    static const double rounding = 1e-12;
    struct scree_body_state state[SPHERES];
    struct frame_sums original, turned;
    SCREE_TRY(begin_cube(trial, &strong, 1e-3));
    SCREE_TRY(scree_engine_run(trial->engine, 20));
    SCREE_TRY(scree_trial_states(trial, SPHERES, state));
    SCREE_TRY(sum_frame(trial, &original));
    for (size_t t = 0; t < sizeof turns / sizeof turns[0]; ++t) {
        double turn[4], expected[3];
        for (int k = 0; k < 4; ++k)
            turn[k] = turns[t][k] / scree_algebra_norm(turns[t], 4);
        for (uint64_t b = 0; b < SPHERES; ++b) {
            double position[3], orientation[4];
            static const double rest[3] = {0, 0, 0};
            scree_algebra_rotate(turn, state[b].position, position);
            scree_algebra_product(turn, state[b].orientation, orientation);
            SCREE_TRY(scree_body_set_position(trial->world, (scree_body_id){b + 1}, position));
            SCREE_TRY(scree_body_set_orientation(trial->world, (scree_body_id){b + 1}, orientation));
            SCREE_TRY(scree_body_set_velocity(trial->world, (scree_body_id){b + 1}, rest));
            SCREE_TRY(scree_body_set_spin(trial->world, (scree_body_id){b + 1}, rest));
        }
        // forces are evaluated before the first step, of which spheres at rest move by 1e-18 m
        SCREE_TRY(scree_engine_set_step(trial->engine, 1e-12));
        SCREE_TRY(scree_engine_run(trial->engine, 1));
        SCREE_TRY(sum_frame(trial, &turned));
        scree_report_near(trial, 1, turned.energy / original.energy, rounding,
                          "turn %zu: energy over original", t);
        scree_algebra_rotate(turn, original.force, expected);
        scree_report_at_most(trial, rounding,
                             scree_algebra_distance(expected, turned.force, 3) /
                                 scree_algebra_norm(expected, 3),
                             "turn %zu: force", t);
        scree_algebra_rotate(turn, original.moment, expected);
        scree_report_at_most(trial, rounding,
                             scree_algebra_distance(expected, turned.moment, 3) /
                                 scree_algebra_norm(expected, 3),
                             "turn %zu: moment", t);
    }
    return SCREE_OK;
}
