// Invariance of the integration schemes: under rotation of the frame, and between plane motion in two and in
// three dimensions.
//
// Both sides of a comparison differ only by round-off. Each step rounds position, orientation and momentum by
// a few units in the last place, and these errors accumulate: the tolerance is 1e-12 over several hundred
// steps, for every scheme. Local damping is not tested, since it is defined per axis of the frame.

#include "algebra.h"
#include "schemes.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double tolerance = 1e-12;

// --- the solution of a rotated problem is the rotated solution

enum { BODIES = 3, STEPS = 300 };

struct frame {
    double rotation[4];
    double gravity[3], force[3];
    struct scree_trial_lever lever;
};

// Returns the loads of the problem rotated by `q`.
static struct frame rotated_frame(const double *q)
{
    static const double gravity[3] = {0.4, -1.1, -9.81}, force[3] = {1.3, 0.4, -0.8},
                        lever_force[3] = {0.2, 1, -0.5};
    struct frame frame = {.lever = {.arm = {0.2, -0.1, 0.4}, .drag = 0.3}};
    memcpy(frame.rotation, q, sizeof frame.rotation);
    scree_algebra_rotate(q, gravity, frame.gravity);
    scree_algebra_rotate(q, force, frame.force);
    scree_algebra_rotate(q, lever_force, frame.lever.force);
    return frame;
}

// a spring to the origin and a drag
static scree_status apply_spring(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k)
            batch->force[i][k] -= 4 * batch->position[i][k] + 0.2 * batch->velocity[i][k];
    return SCREE_OK;
}

static scree_status add_rotated(struct scree_trial *trial, const struct frame *frame,
                                const struct scree_rigid_def *original)
{
    struct scree_rigid_def def = *original;
    scree_algebra_rotate(frame->rotation, original->position, def.position);
    scree_algebra_rotate(frame->rotation, original->velocity, def.velocity);
    scree_algebra_rotate(frame->rotation, original->spin, def.spin);
    scree_algebra_product(frame->rotation, original->orientation, def.orientation);
    return scree_body_add_rigid(trial->world, &def, &trial->body);
}

static scree_status add_ball(struct scree_trial *trial, const struct frame *frame)
{
    static const double position[3] = {-0.5, 0.4, 1}, spin[3] = {2, -1, 0.5};
    struct scree_sphere_def def = {.radius = 0.3};
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "ball", .density = 9},
                                 &def.material));
    scree_algebra_rotate(frame->rotation, position, def.position);
    scree_algebra_rotate(frame->rotation, spin, def.spin);
    SCREE_TRY(scree_body_add_sphere(trial->world, &def, &trial->body));
    return scree_body_set_orientation(trial->world, trial->body, frame->rotation);
}

static scree_status add_bodies(struct scree_trial *trial, const struct frame *frame)
{
    static const struct scree_rigid_def bodies[] = {
        {.mass = 2,
         .inertia = {1, 2, 2.5},
         .position = {0.3, -0.2, 0.9},
         .velocity = {0.5, 1, -0.3},
         .orientation = {0.5, 0.5, -0.5, 0.5},
         .spin = {0.7, 1.1, -0.6}},
        {.mass = 1,
         .inertia = {0.3, 0.3, 0.5},
         .position = {-1, 0.6, 0.1},
         .velocity = {0.1, -1, 0.8},
         .orientation = {0.8, 0, 0.6, 0},
         .spin = {-1, 0.2, 3}},
    };
    struct scree_world_def def = {.sphere_orientation = true};
    memcpy(def.gravity, frame->gravity, sizeof def.gravity);
    SCREE_TRY(scree_trial_world(trial, &def));
    for (int b = 0; b < 2; ++b)
        SCREE_TRY(add_rotated(trial, frame, &bodies[b]));
    struct scree_load_def constant = {.body = trial->body};
    memcpy(constant.force, frame->force, sizeof constant.force);
    memcpy(constant.moment, frame->force, sizeof constant.moment);
    SCREE_TRY(scree_trial_constant_load(trial, &constant));
    SCREE_TRY(add_ball(trial, frame));
    SCREE_TRY(scree_trial_load(trial, apply_spring, NULL));
    return scree_trial_load(trial, scree_trial_lever, &frame->lever);
}

static scree_status run_frame(struct scree_trial *trial, const struct frame *frame,
                              const struct scree_soft_def *def, struct scree_body_state *states)
{
    SCREE_TRY(add_bodies(trial, frame));
    SCREE_TRY(scree_trial_start(trial, def));
    SCREE_TRY(scree_engine_run(trial->engine, STEPS));
    return scree_trial_states(trial, BODIES, states);
}

// Difference between the rotated solution and the solution of the rotated problem; velocities are relative.
static double difference(const double *rotation, const struct scree_body_state *original,
                         const struct scree_body_state *rotated)
{
    double position[3], velocity[3], spin[3], orientation[4];
    scree_algebra_rotate(rotation, original->position, position);
    scree_algebra_rotate(rotation, original->velocity, velocity);
    scree_algebra_rotate(rotation, original->spin, spin);
    scree_algebra_product(rotation, original->orientation, orientation);
    const double speed_scale = 1 + scree_algebra_norm(velocity, 3),
                 spin_scale = 1 + scree_algebra_norm(spin, 3);
    double largest =
        scree_algebra_distance(position, rotated->position, 3) / (1 + scree_algebra_norm(position, 3));
    largest =
        scree_report_larger(largest, scree_algebra_distance(velocity, rotated->velocity, 3) / speed_scale);
    largest = scree_report_larger(largest, scree_algebra_distance(spin, rotated->spin, 3) / spin_scale);
    return scree_report_larger(largest, scree_algebra_angle(orientation, rotated->orientation));
}

static scree_status compare_frames(struct scree_trial *trial, const struct scree_soft_def *def,
                                   const char *scheme)
{
    static const double identity[4] = {1, 0, 0, 0}, rotation[4] = {0.36, 0.48, -0.64, 0.48};
    const struct frame frame_a = rotated_frame(identity), frame_b = rotated_frame(rotation);
    struct scree_body_state original[BODIES], rotated[BODIES];
    SCREE_TRY(run_frame(trial, &frame_a, def, original));
    SCREE_TRY(run_frame(trial, &frame_b, def, rotated));
    double largest = 0;
    for (int b = 0; b < BODIES; ++b)
        largest = scree_report_larger(largest, difference(rotation, &original[b], &rotated[b]));
    scree_report_at_most(trial, tolerance, largest, "%s: difference between frames", scheme);
    return SCREE_OK;
}

static scree_status frames(struct scree_trial *trial)
{
    struct scree_soft_def def = {.step = 0.01, .damping = {.viscous = 0.1}};
    for (size_t l = 0; (def.translation = scree_motion_name(SCREE_TRANSLATION, l)); ++l)
        SCREE_TRY(compare_frames(trial, &def, def.translation));
    for (size_t l = 0; (def.rotation = scree_schemes_rotation(l)); ++l)
        SCREE_TRY(compare_frames(trial, &def, def.rotation));
    return SCREE_OK;
}

// --- plane motion

// A force in the plane and a moment about its normal that depend on position and time.
static scree_status act_in_plane(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i) {
        const double *x = batch->position[i];
        batch->force[i][0] += -3 * x[0] + x[1] - 0.2 * batch->velocity[i][0];
        batch->force[i][1] += -2 * x[1] + sin(2 * batch->time);
        batch->moment[i][2] += 0.4 * x[0] + 0.1 * cos(batch->time);
    }
    return SCREE_OK;
}

static const double plane_position[3] = {0.7, -0.4, 0}, plane_velocity[3] = {-0.2, 1.1, 0}, plane_spin = 1.5;

static scree_status run_in_plane(struct scree_trial *trial, const struct scree_soft_def *def,
                                 struct scree_body_state *state)
{
    SCREE_TRY(scree_world_set_gravity(trial->world, (const double[3]){0.3, -1, 0}));
    SCREE_TRY(scree_trial_load(trial, act_in_plane, NULL));
    SCREE_TRY(scree_trial_start(trial, def));
    return scree_trial_run(trial, STEPS, state);
}

static scree_status run_disk(struct scree_trial *trial, const struct scree_soft_def *def,
                             struct scree_body_state *state)
{
    struct scree_disk_def disk = {.radius = 0.5, .thickness = 0.2, .spin = plane_spin};
    memcpy(disk.position, plane_position, sizeof disk.position);
    memcpy(disk.velocity, plane_velocity, sizeof disk.velocity);
    SCREE_TRY(
        scree_trial_world(trial, &(struct scree_world_def){.dimension = 2, .sphere_orientation = true}));
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "coin", .density = 10},
                                 &disk.material));
    SCREE_TRY(scree_body_add_disk(trial->world, &disk, &trial->body));
    return run_in_plane(trial, def, state);
}

// Runs a rigid body with the properties of the disk, in two or in three dimensions.
static scree_status run_rigid(struct scree_trial *trial, const struct scree_soft_def *def,
                              const struct scree_body_state *disk, int dimension,
                              struct scree_body_state *state)
{
    const double polar = disk->inertia[2];
    struct scree_rigid_def rigid = {.mass = disk->mass, .spin = {0, 0, plane_spin}};
    memcpy(rigid.position, plane_position, sizeof rigid.position);
    memcpy(rigid.velocity, plane_velocity, sizeof rigid.velocity);
    if (dimension == 2)
        rigid.polar = polar;
    else
        memcpy(rigid.inertia, (const double[3]){0.6 * polar, 0.7 * polar, polar}, sizeof rigid.inertia);
    SCREE_TRY(scree_trial_world(
        trial, &(struct scree_world_def){.dimension = dimension, .sphere_orientation = true}));
    SCREE_TRY(scree_body_add_rigid(trial->world, &rigid, &trial->body));
    return run_in_plane(trial, def, state);
}

static scree_status compare_dimensions(struct scree_trial *trial, const struct scree_soft_def *def,
                                       const char *scheme)
{
    static const double identity[4] = {1, 0, 0, 0};
    struct scree_body_state disk, flat, solid;
    SCREE_TRY(run_disk(trial, def, &disk));
    SCREE_TRY(run_rigid(trial, def, &disk, 2, &flat));
    SCREE_TRY(run_rigid(trial, def, &disk, 3, &solid));
    scree_report_at_most(trial, tolerance, difference(identity, &disk, &flat),
                         "%s: disk against rigid body in two dimensions", scheme);
    scree_report_at_most(trial, tolerance, difference(identity, &disk, &solid),
                         "%s: disk against rigid body in three dimensions", scheme);
    return SCREE_OK;
}

// A disk is rotated by `spherical`. Schemes that compute the same angle about a fixed axis agree up to
// round-off; the exceptions are rk4, which rotates by a polynomial, and the pcdm schemes, which use the
// moment at mid-step.
static bool is_exact_about_axis(const char *scheme)
{
    return strcmp(scheme, "rk4") != 0 && strncmp(scheme, "pcdm", 4) != 0;
}

static scree_status dimensions(struct scree_trial *trial)
{
    struct scree_soft_def def = {.step = 0.01, .damping = {.viscous = 0.1}};
    for (size_t l = 0; (def.translation = scree_motion_name(SCREE_TRANSLATION, l)); ++l)
        SCREE_TRY(compare_dimensions(trial, &def, def.translation));
    // no viscous damping: that of fincham has a different form, equal only to second order
    def.damping.viscous = 0;
    for (size_t l = 0; (def.rotation = scree_schemes_rotation(l)); ++l)
        if (is_exact_about_axis(def.rotation))
            SCREE_TRY(compare_dimensions(trial, &def, def.rotation));
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_symmetry[] = {
    {"frames", "the solution of a rotated problem is the rotated solution, for every integration scheme",
     frames, NULL},
    {"dimensions", "a disk in two dimensions moves like an equal body in three", dimensions, NULL},
    {0},
};
