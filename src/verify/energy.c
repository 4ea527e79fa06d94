// The energy ledger: its balance contains only the error of the integration schemes. Adding, removing and
// changing bodies adds no error.

#include "algebra.h"
#include "schemes.h"
#include "verify.h"

#include <math.h>

// --- the balance of a loaded and damped body decreases with the order of the scheme

// A spring, a drag and an oscillating force.
static scree_status apply_force(void *user, const struct scree_load_batch *batch)
{
    static const double stiffness[3] = {2, 5, 11};
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k)
            batch->force[i][k] +=
                sin(3 * batch->time + k) - stiffness[k] * batch->position[i][k] - 0.3 * batch->velocity[i][k];
    return SCREE_OK;
}

static scree_status begin_loaded(struct scree_trial *trial, const char *translation, const char *rotation,
                                 double step)
{
    static const struct scree_trial_lever lever = {.arm = {0.2, -0.1, 0.4}, .force = {0, 0, -5}, .drag = 0.3};
    SCREE_TRY(scree_trial_body(trial, false,
                               &(struct scree_rigid_def){.mass = 2,
                                                         .inertia = {1, 2, 3},
                                                         .position = {0.5, -0.3, 0.2},
                                                         .velocity = {-0.4, 0.9, 0.2},
                                                         .spin = {0.7, 1.1, -0.6}}));
    SCREE_TRY(scree_world_set_gravity(trial->world, (const double[3]){0, 0, -1}));
    SCREE_TRY(scree_trial_load(trial, apply_force, NULL));
    SCREE_TRY(scree_trial_load(trial, scree_trial_lever, &lever));
    return scree_trial_start(trial, &(struct scree_soft_def){.step = step,
                                                             .translation = translation,
                                                             .rotation = rotation,
                                                             .damping = {.viscous = 0.2}});
}

static scree_status largest_balance(struct scree_trial *trial, int samples, uint64_t steps, double *largest)
{
    *largest = 0;
    for (int s = 0; s < samples; ++s) {
        struct scree_energy energy;
        SCREE_TRY(scree_engine_run(trial->engine, steps));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        *largest = scree_report_larger(*largest, fabs(energy.balance));
    }
    return SCREE_OK;
}

static scree_status balance_order(struct scree_trial *trial, const char *translation, const char *rotation,
                                  int order, const char *scheme)
{
    enum { RUNS = 5, SAMPLES = 32, COARSEST = 8 };
    double errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        const int steps = COARSEST << r;
        SCREE_TRY(begin_loaded(trial, translation, rotation, 4.0 / SAMPLES / steps));
        SCREE_TRY(largest_balance(trial, SAMPLES, (uint64_t)steps, &errors[r]));
    }
    scree_report_near(trial, order, scree_report_order(errors, RUNS), SCREE_SCHEMES_ORDER_TOLERANCE,
                      "%s: order of the balance", scheme);
    return SCREE_OK;
}

static scree_status balance(struct scree_trial *trial)
{
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_TRANSLATION, l)); ++l) {
        int order;
        SCREE_TRY(scree_schemes_order(scheme, &order));
        SCREE_TRY(balance_order(trial, scheme, NULL, order, scheme));
    }
    for (size_t l = 0; (scheme = scree_schemes_rotation(l)); ++l)
        SCREE_TRY(balance_order(trial, NULL, scheme, 2, scheme));
    return SCREE_OK;
}

// --- edits

struct group {
    struct scree_trial *trial;
    scree_material_id material;
    scree_body_id body[16];
    size_t count;
    scree_body_id target; // removed inside a step by the callback
    scree_callback_id callback;
    double rounding; // round-off of the largest energy so far, J
};

static scree_status add(struct group *group, double radius, double height, double speed)
{
    const struct scree_sphere_def def = {.radius = radius,
                                         .material = group->material,
                                         .position = {0.3 * radius, height, -height},
                                         .velocity = {speed, -0.5 * speed, 0.25},
                                         .spin = {1, speed, -2}};
    return scree_body_add_sphere(group->trial->world, &def, &group->body[group->count++]);
}

// Checks the balance after an edit or a run. Tolerance: a few operations per body and step, each with the
// round-off of the largest energy.
static scree_status check_balance(struct group *group, const char *when)
{
    struct scree_energy energy;
    SCREE_TRY(scree_energy_get(group->trial->world, &energy));
    const double magnitude =
        energy.translation + energy.rotation + fabs(energy.gravity) + fabs(energy.energy_input);
    group->rounding = fmax(group->rounding, magnitude * SCREE_VERIFY_EPSILON);
    const double operations = 8 * (64 + (double)scree_world_steps(group->trial->world));
    scree_report_at_most(group->trial, operations * group->rounding, fabs(energy.balance),
                         "balance after %s (J)", when);
    return SCREE_OK;
}

static scree_status fall(struct group *group, const char *when)
{
    SCREE_TRY(scree_engine_run(group->trial->engine, 50));
    return check_balance(group, when);
}

static scree_status edit_field(struct group *group)
{
    struct scree_view view;
    void *data;
    SCREE_TRY(scree_field_edit(group->trial->world, "body.velocity", &view, &data));
    for (size_t i = 0; i < view.count; ++i)
        ((double *)(void *)((char *)data + i * view.stride))[1] += 0.5;
    return SCREE_OK;
}

// Removes the body and the callback itself.
static scree_status remove_in_step(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct group *group = (struct group *)user;
    SCREE_TRY(scree_body_remove(world, group->target));
    return scree_engine_remove_callback(engine, group->callback);
}

static scree_status fall_and_remove(struct group *group, int point, size_t body, const char *when)
{
    group->target = group->body[body];
    SCREE_TRY(
        scree_engine_set_callback(group->trial->engine, point, remove_in_step, group, &group->callback));
    return fall(group, when);
}

// Under uniform gravity and a constant load velocity Verlet and its energy ledger are exact, so that the
// balance contains only round-off.
static scree_status edits(struct scree_trial *trial)
{
    static const double set[3] = {3, 2, 1};
    struct group group = {.trial = trial};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.gravity = {0, 1, -9.81}}));
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "stone", .density = 2500},
                                 &group.material));
    for (int i = 0; i < 8; ++i)
        SCREE_TRY(add(&group, 0.05 + 0.02 * i, 1.5 * i, 3 - i));
    SCREE_TRY(scree_trial_constant_load(
        trial, &(struct scree_load_def){.force = {30, -10, 20}, .moment = {1, 2, -1}}));
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = 0.01}));
    SCREE_TRY(check_balance(&group, "adding eight bodies"));
    SCREE_TRY(fall(&group, "a fall"));
    SCREE_TRY(scree_body_remove(trial->world, group.body[1]));
    SCREE_TRY(scree_body_remove(trial->world, group.body[5]));
    SCREE_TRY(check_balance(&group, "removing two bodies"));
    SCREE_TRY(fall(&group, "a fall without these two"));
    SCREE_TRY(add(&group, 0.3, 2, 4));
    SCREE_TRY(add(&group, 0.1, -7, -1));
    SCREE_TRY(check_balance(&group, "adding two bodies"));
    SCREE_TRY(scree_body_set_velocity(trial->world, group.body[0], set));
    SCREE_TRY(scree_body_set_position(trial->world, group.body[2], set));
    SCREE_TRY(scree_body_set_spin(trial->world, group.body[3], set));
    SCREE_TRY(check_balance(&group, "setting velocity, position and spin"));
    SCREE_TRY(fall(&group, "a fall after these changes"));
    SCREE_TRY(edit_field(&group));
    SCREE_TRY(check_balance(&group, "editing all velocities"));
    SCREE_TRY(fall(&group, "a fall with new velocities"));
    SCREE_TRY(scree_world_set_gravity(trial->world, (const double[3]){4, 0, -2}));
    SCREE_TRY(check_balance(&group, "changing gravity"));
    SCREE_TRY(fall(&group, "a fall with new gravity"));
    SCREE_TRY(fall_and_remove(&group, SCREE_POINT_BEGIN, 0, "removing a body at point 0 of a step"));
    SCREE_TRY(fall_and_remove(&group, SCREE_POINT_INSERT_DELETE, 4, "removing a body at point 20 of a step"));
    return fall_and_remove(&group, SCREE_POINT_RECORD, 6, "removing a body at point 70 of a step");
}

// --- prescribed motion

// Lifting at a prescribed velocity against gravity does the work m g v t. For rotation at a prescribed spin
// against a drag, which is a load, the work of the drag and that of the prescribed motion cancel.
static const struct prescribed_case {
    const char *label;
    bool sphere;
    unsigned fixed;
    double velocity, spin, expected; // velocity along z, spin about z, expected work, J
} prescribed_cases[] = {
    {"a sphere lifted", true, SCREE_FIX_Z, 0.5, 0, 2 * 9.81 * 0.5 * 4},
    {"a rigid body lifted", false, SCREE_FIX_Z, 0.5, 0, 2 * 9.81 * 0.5 * 4},
    {"a sphere fixed at rest", true, SCREE_FIX_ALL, 0, 0, 0},
    {"a sphere turned against a drag", true, SCREE_FIX_Z | SCREE_FIX_SPIN_Z, 0, 3, 0},
    {"a rigid body turned against a drag", false, SCREE_FIX_Z | SCREE_FIX_SPIN_Z, 0, 3, 0},
};

static scree_status begin_prescribed(struct scree_trial *trial, const struct prescribed_case *prescribed_case)
{
    static const struct scree_trial_lever drag = {.drag = 0.3};
    const struct scree_rigid_def def = {.mass = 2,
                                        .inertia = {1, 2, 3},
                                        .velocity = {0, 0, prescribed_case->velocity},
                                        .spin = {0, 0, prescribed_case->spin},
                                        .fixed = prescribed_case->fixed};
    SCREE_TRY(scree_trial_body(trial, prescribed_case->sphere, &def));
    SCREE_TRY(scree_world_set_gravity(trial->world, (const double[3]){0, 0, -9.81}));
    SCREE_TRY(scree_trial_load(trial, scree_trial_lever, &drag));
    return scree_trial_start(trial, &(struct scree_soft_def){.step = 0.004});
}

static scree_status prescribed(struct scree_trial *trial)
{
    enum { STEPS = 1000 };
    for (size_t c = 0; c < sizeof prescribed_cases / sizeof prescribed_cases[0]; ++c) {
        const struct prescribed_case *prescribed_case = &prescribed_cases[c];
        struct scree_energy energy;
        SCREE_TRY(begin_prescribed(trial, prescribed_case));
        SCREE_TRY(scree_engine_run(trial->engine, STEPS));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        // two roundings per step of numbers of the magnitude of the energies
        const double magnitude = 64 + prescribed_case->expected;
        scree_report_near(trial, prescribed_case->expected, energy.work,
                          2 * STEPS * SCREE_VERIFY_EPSILON * magnitude, "%s: work (J)",
                          prescribed_case->label);
        scree_report_at_most(trial, 4 * STEPS * SCREE_VERIFY_EPSILON * magnitude, fabs(energy.balance),
                             "%s: balance (J)", prescribed_case->label);
    }
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_energy[] = {
    {"balance", "the balance of a loaded and damped body, for every integration scheme", balance, NULL},
    {"edits", "the balance after adding, removing and changing bodies, exact up to round-off", edits, NULL},
    {"prescribed", "the work of prescribed motion", prescribed, NULL},
    {0},
};
