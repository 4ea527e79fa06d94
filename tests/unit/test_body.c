// Bodies: adding, editing and removing. Reference: closed forms of mass and inertia, a full tensor rebuilt
// from its moments and axes, and motion under a constant force or viscous damping.

#include "math/mat3.h"
#include "math/quat.h"
#include "support/worlds.h"

#include <float.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

static struct scree_body_state state_of(const struct scree_world *world, scree_body_id id)
{
    struct scree_body_state state;
    assert_ok(scree_body_get(world, id, &state));
    return state;
}

static void assert_close(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("%.17g is not %.17g", got, expected);
}

// A product of n factors has an error of at most n roundings; no expected value has more than 8 factors.
static const double round_off = 8 * DBL_EPSILON;

static void a_sphere_has_the_mass_and_inertia_of_a_ball(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_body_id id = scree_test_sphere(world);
    const struct scree_body_state body = state_of(world, id);
    assert_close(body.mass, 1000 * 4 * pi / 3 * 1e-3, round_off);
    for (int k = 0; k < 3; ++k)
        assert_close(body.inertia[k], 0.4 * body.mass * 0.01, round_off);
    assert_true(body.radius == 0.1);
    assert_int_equal(body.material.value, 1);
    assert_true(body.orientation[0] == 1);
    scree_world_destroy(world);
}

static void a_disk_has_the_mass_and_inertia_of_a_cylinder(void **state)
{
    (void)state;
    struct scree_world *world;
    scree_body_id id;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world));
    assert_ok(scree_body_add_disk(world,
                                  &(struct scree_disk_def){.radius = 0.5,
                                                           .thickness = 0.25,
                                                           .material = scree_test_material(world),
                                                           .position = {1, 2},
                                                           .spin = 3},
                                  &id));
    const struct scree_body_state body = state_of(world, id);
    assert_close(body.mass, 1000 * pi * 0.25 * 0.25, round_off);
    assert_close(body.inertia[2], 0.5 * body.mass * 0.25, round_off);
    assert_close(body.momentum[2], 3 * body.inertia[2], round_off);
    assert_true(body.position[0] == 1 && body.position[1] == 2 && body.position[2] == 0);
    assert_int_equal(body.fixed, SCREE_FIX_Z | SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y);
    scree_world_destroy(world);
}

// Computes R J R^T from the moments and the orientation that the world stores for a tensor.
static void assert_diagonalised(const double *tensor)
{
    struct scree_world *world = scree_test_empty_world();
    scree_body_id id;
    struct scree_rigid_def def = {.mass = 1, .spin = {1, -2, 3}};
    memcpy(def.tensor, tensor, sizeof def.tensor);
    assert_ok(scree_body_add_rigid(world, &def, &id));
    const struct scree_body_state body = state_of(world, id);
    const struct scree_quat q = scree_quat_load(body.orientation);
    assert_true(fabs(scree_quat_norm_squared(q) - 1) < 4 * DBL_EPSILON);
    const struct scree_mat3 r = scree_quat_to_matrix(q);
    const double rows[3][3] = {{r.xx, r.xy, r.xz}, {r.yx, r.yy, r.yz}, {r.zx, r.zy, r.zz}};
    const double tensor_matrix[3][3] = {{tensor[0], tensor[5], tensor[4]},
                                        {tensor[5], tensor[1], tensor[3]},
                                        {tensor[4], tensor[3], tensor[2]}};
    const double size = fabs(tensor[0]) + fabs(tensor[1]) + fabs(tensor[2]);
    for (int i = 0; i < 3; ++i) {
        double momentum = 0;
        for (int j = 0; j < 3; ++j) {
            double rebuilt = 0;
            for (int k = 0; k < 3; ++k)
                rebuilt += rows[i][k] * body.inertia[k] * rows[j][k];
            // a backward-stable diagonalisation has an error of a few roundings of the largest moment
            if (!(fabs(rebuilt - tensor_matrix[i][j]) <= 40 * DBL_EPSILON * size))
                fail_msg("component %d %d of the tensor is rebuilt as %.17g, not %.17g", i, j, rebuilt,
                         tensor_matrix[i][j]);
            momentum += tensor_matrix[i][j] * def.spin[j];
        }
        assert_true(fabs(momentum - body.momentum[i]) <= 200 * DBL_EPSILON * size);
        assert_true(body.spin[i] == def.spin[i]);
    }
    // a rotation without reflection, which a quaternion cannot represent
    assert_close(
        scree_vec3_dot(scree_vec3_cross(scree_vec3_make(r.xx, r.yx, r.zx), scree_vec3_make(r.xy, r.yy, r.zy)),
                       scree_vec3_make(r.xz, r.yz, r.zz)),
        1, 16 * DBL_EPSILON);
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static void a_full_tensor_is_rebuilt_from_its_moments_and_axes(void **state)
{
    (void)state;
    static const double special[][6] = {
        {2, 2, 2, 0, 0, 0},           // isotropic
        {2, 2, 3, 0, 0, 0},           // two equal
        {3, 2, 2, 0, 0, 0},           //
        {1, 2, 3, 0, 0, 0},           // diagonal, in each order
        {3, 1, 2, 0, 0, 0},           //
        {2, 3, 1, 0, 0, 0},           //
        {2, 2, 2, 1e-16, 0, 0},       // nearly isotropic
        {2, 2, 2, 1e-9, -1e-9, 1e-9}, //
        {2, 2 + 1e-15, 3, 1e-12, 0, 1e-15},
        {2, 2, 3, 0, 0, 0.5}, // rotated by 45 degrees
        {1e-20, 1.5e-20, 2e-20, 1e-21, -2e-21, 3e-21},
        {1e20, 1.5e20, 2e20, 1e19, -2e19, 3e19},
    };
    for (size_t t = 0; t < sizeof special / sizeof special[0]; ++t)
        assert_diagonalised(special[t]);
    // tensors of six random point masses, which satisfy the inequalities of a rigid body
    uint64_t seed = 11;
    for (int n = 0; n < 2000; ++n) {
        double tensor[6] = {0};
        for (int p = 0; p < 6; ++p) {
            double x[3];
            for (int k = 0; k < 3; ++k)
                x[k] = splitmix_signed(&seed);
            for (int k = 0; k < 3; ++k) {
                tensor[k] += x[(k + 1) % 3] * x[(k + 1) % 3] + x[(k + 2) % 3] * x[(k + 2) % 3];
                tensor[3 + k] -= x[(k + 1) % 3] * x[(k + 2) % 3];
            }
        }
        assert_diagonalised(tensor);
    }
}

static void invalid_inertia_is_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const struct {
        struct scree_rigid_def def;
        const char *word;
    } cases[] = {
        {{.mass = 1}, "either its principal moments"},
        {{.mass = 1, .inertia = {1, 1, 1}, .tensor = {1, 1, 1}}, "not both"},
        {{.mass = 1, .inertia = {1, 1, 1}, .polar = 1}, "no polar moment"},
        {{.mass = 1, .inertia = {1, 1, 0}}, "not given"},
        {{.mass = 1, .inertia = {1, 1, -1}}, "positive"},
        {{.mass = 1, .inertia = {1, 1, 2.1}}, "sum of the other two"},
        {{.mass = 1, .inertia = {NOT_A_NUMBER, 1, 1}}, "positive"},
        {{.mass = 1, .inertia = {INFINITE, INFINITE, INFINITE}}, "positive"},
        {{.mass = 1, .tensor = {1, 1, 1, NOT_A_NUMBER}}, "tensor"},
        {{.mass = 1, .tensor = {1, 1, 1, 0, 0, 2}}, "positive"},
        {{.mass = 1, .tensor = {1, 1, 2.5}}, "sum of the other two"},
        {{.mass = 1, .tensor = {1, 1, 1}, .orientation = {1}}, "give no orientation"},
        {{.mass = 1, .inertia = {1, 1, 1}, .orientation = {NOT_A_NUMBER}}, "orientation"},
        {{.mass = 1, .inertia = {1, 1, 1}, .orientation = {1e-120}}, "unit quaternion"},
        {{.inertia = {1, 1, 1}}, "mass"},
        {{.mass = -1, .inertia = {1, 1, 1}}, "mass"},
        {{.mass = 1e-320, .inertia = {1, 1, 1}}, "mass"},
        {{.mass = NOT_A_NUMBER, .inertia = {1, 1, 1}}, "mass"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        scree_body_id id;
        assert_refused(SCREE_ERROR_ARGUMENT, cases[c].word, scree_body_add_rigid(world, &cases[c].def, &id));
    }
    assert_int_equal(scree_body_count(world), 0);
    scree_world_destroy(world);
}

static void a_sphere_too_small_or_large_for_its_inertia_is_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    static const double radii[] = {0, -1, 1e-320, 1e-100, 1e-70, 1e60, 1e150, 1e300, INFINITE, NOT_A_NUMBER};
    for (size_t r = 0; r < sizeof radii / sizeof radii[0]; ++r) {
        scree_body_id id;
        const struct scree_sphere_def def = {.radius = radii[r], .material = scree_test_material(world)};
        assert_refused(SCREE_ERROR_ARGUMENT, "from 1e-150 to 1e150", scree_body_add_sphere(world, &def, &id));
    }
    assert_int_equal(scree_body_count(world), 0);
    scree_world_destroy(world);
}

static void ids_are_given_in_order_and_never_reused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    for (uint64_t n = 1; n <= 50; ++n)
        assert_int_equal(scree_test_sphere(world).value, n);
    for (uint64_t n = 1; n <= 50; ++n) {
        assert_ok(scree_body_remove(world, (scree_body_id){n}));
        assert_false(scree_body_exists(world, (scree_body_id){n}));
        assert_refused(SCREE_ERROR_MISSING, "has been removed", scree_body_remove(world, (scree_body_id){n}));
    }
    assert_int_equal(scree_body_count(world), 0);
    assert_int_equal(scree_test_sphere(world).value, 51);
    assert_false(scree_body_exists(world, (scree_body_id){0}));
    assert_false(scree_body_exists(world, (scree_body_id){52}));
    assert_false(scree_body_exists(world, (scree_body_id){UINT64_MAX}));
    scree_world_destroy(world);
}

static void removing_a_body_leaves_the_others_as_they_were(void **state)
{
    (void)state;
    struct scree_world *world;
    assert_ok(scree_test_world_build(
        &(struct scree_test_world){.bodies = 40, .own_damping = true, .oriented = true}, &world));
    struct scree_body_state before[41];
    for (uint64_t id = 1; id <= 40; ++id)
        before[id] = state_of(world, (scree_body_id){id});
    for (uint64_t removed = 1; removed <= 40; removed += 2) {
        assert_ok(scree_body_remove(world, (scree_body_id){removed}));
        assert_ok(scree_world_validate(world));
        for (uint64_t id = 1; id <= 40; ++id) {
            if (!scree_body_exists(world, (scree_body_id){id}))
                continue;
            const struct scree_body_state now = state_of(world, (scree_body_id){id});
            assert_memory_equal(now.position, before[id].position, sizeof now.position);
            assert_memory_equal(now.orientation, before[id].orientation, sizeof now.orientation);
            assert_memory_equal(now.momentum, before[id].momentum, sizeof now.momentum);
            assert_true(now.mass == before[id].mass && now.fixed == before[id].fixed);
        }
    }
    scree_world_destroy(world);
}

static void setters_change_only_what_they_name(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_body_id id;
    assert_ok(scree_body_add_rigid(world, &(struct scree_rigid_def){.mass = 2, .inertia = {1, 2, 2.5}}, &id));
    assert_ok(scree_body_set_position(world, id, (const double[3]){1, 2, 3}));
    assert_ok(scree_body_set_velocity(world, id, (const double[3]){4, 5, 6}));
    assert_ok(scree_body_set_spin(world, id, (const double[3]){7, 8, 9}));
    struct scree_body_state body = state_of(world, id);
    assert_memory_equal(body.position, ((const double[3]){1, 2, 3}), sizeof body.position);
    assert_memory_equal(body.velocity, ((const double[3]){4, 5, 6}), sizeof body.velocity);
    assert_memory_equal(body.spin, ((const double[3]){7, 8, 9}), sizeof body.spin);
    assert_close(body.momentum[1], 16, round_off);
    // the quaternion is normalised: a third of a turn about (1, 1, 1), which permutes the moments
    assert_ok(scree_body_set_orientation(world, id, (const double[4]){2, 2, 2, 2}));
    body = state_of(world, id);
    for (int k = 0; k < 4; ++k)
        assert_true(body.orientation[k] == 0.5);
    assert_memory_equal(body.spin, ((const double[3]){7, 8, 9}), sizeof body.spin);
    // body axes x y z now point along y z x
    assert_close(body.momentum[0], 7 * 2.5, round_off);
    assert_close(body.momentum[1], 8 * 1, round_off);
    assert_close(body.momentum[2], 9 * 2, round_off);
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    assert_close(energy.translation, 77, round_off);
    assert_close(energy.rotation, 0.5 * (49 * 2.5 + 64 + 81 * 2), round_off);
    // each setter adds the change of energy to the energy input
    assert_true(fabs(energy.balance) < 1e-12);
    scree_world_destroy(world);
}

static void setters_refuse_invalid_numbers(void **state)
{
    (void)state;
    static const double invalid[] = {NOT_A_NUMBER, INFINITE, -INFINITE, 1e151};
    struct scree_world *world = scree_test_empty_world();
    const scree_body_id id = scree_test_sphere(world);
    assert_ok(scree_world_integrate_sphere_orientation(world));
    const struct scree_digest before = scree_test_digest(world);
    for (size_t b = 0; b < 4; ++b)
        for (int k = 0; k < 3; ++k) {
            double v[4] = {0};
            v[k] = invalid[b];
            assert_refused(SCREE_ERROR_ARGUMENT, "position", scree_body_set_position(world, id, v));
            assert_refused(SCREE_ERROR_ARGUMENT, "velocity", scree_body_set_velocity(world, id, v));
            assert_refused(SCREE_ERROR_ARGUMENT, "spin", scree_body_set_spin(world, id, v));
            assert_refused(SCREE_ERROR_ARGUMENT, "orientation", scree_body_set_orientation(world, id, v));
            assert_refused(SCREE_ERROR_ARGUMENT, "force", scree_body_add_force(world, id, v, NULL));
            assert_refused(SCREE_ERROR_ARGUMENT, "moment", scree_body_add_force(world, id, NULL, v));
        }
    assert_refused(SCREE_ERROR_ARGUMENT, "0x40", scree_body_fix(world, id, 64));
    assert_refused(SCREE_ERROR_ARGUMENT, "local", scree_body_set_damping(world, id, 1, 0));
    assert_refused(SCREE_ERROR_ARGUMENT, "local", scree_body_set_damping(world, id, -0.1, 0));
    assert_refused(SCREE_ERROR_ARGUMENT, "local", scree_body_set_damping(world, id, NOT_A_NUMBER, 0));
    assert_refused(SCREE_ERROR_ARGUMENT, "viscous", scree_body_set_damping(world, id, 0, -1));
    assert_refused(SCREE_ERROR_ARGUMENT, "viscous", scree_body_set_damping(world, id, 0, INFINITE));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static void motion_in_two_dimensions_stays_in_the_plane(void **state)
{
    (void)state;
    struct scree_world *world;
    scree_body_id id;
    assert_ok(
        scree_world_create(&(struct scree_world_def){.dimension = 2, .sphere_orientation = true}, &world));
    assert_ok(scree_body_add_rigid(world, &(struct scree_rigid_def){.mass = 1, .polar = 2}, &id));
    const double out[3] = {0, 0, 1}, tilt[3] = {1, 0, 0};
    assert_refused(SCREE_ERROR_ARGUMENT, "plane", scree_body_set_position(world, id, out));
    assert_refused(SCREE_ERROR_ARGUMENT, "plane", scree_body_set_velocity(world, id, out));
    assert_refused(SCREE_ERROR_ARGUMENT, "plane", scree_body_set_spin(world, id, tilt));
    assert_refused(SCREE_ERROR_ARGUMENT, "about z",
                   scree_body_set_orientation(world, id, (const double[4]){1, 1}));
    assert_ok(scree_body_set_orientation(world, id, (const double[4]){1, 0, 0, 1}));
    assert_refused(SCREE_ERROR_ARGUMENT, "plane", scree_world_set_gravity(world, out));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "disks",
                   scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1}, &id));
    assert_refused(
        SCREE_ERROR_ARGUMENT, "polar",
        scree_body_add_rigid(world, &(struct scree_rigid_def){.mass = 1, .inertia = {1, 1, 1}}, &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "polar",
                   scree_body_add_rigid(world, &(struct scree_rigid_def){.mass = 1}, &id));
    // freeing all degrees of freedom frees those of the plane only
    assert_ok(scree_body_fix(world, (scree_body_id){1}, 0));
    assert_int_equal(state_of(world, (scree_body_id){1}).fixed,
                     SCREE_FIX_Z | SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y);
    scree_world_destroy(world);
    world = scree_test_empty_world();
    assert_refused(SCREE_ERROR_UNSUPPORTED, "two dimensions",
                   scree_body_add_disk(world, &(struct scree_disk_def){.radius = 1}, &id));
    scree_world_destroy(world);
}

static void a_missing_material_is_named(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_body_id id;
    assert_refused(SCREE_ERROR_ARGUMENT, "needs a material",
                   scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1}, &id));
    assert_refused(
        SCREE_ERROR_MISSING, "no material with id 7",
        scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1, .material = {7}}, &id));
    assert_refused(
        SCREE_ERROR_MISSING, "no material with id 7",
        scree_body_add_rigid(
            world, &(struct scree_rigid_def){.mass = 1, .inertia = {1, 1, 1}, .material = {7}}, &id));
    scree_world_destroy(world);
}

static void every_call_on_a_removed_body_names_it(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_body_id id = scree_test_sphere(world);
    assert_ok(scree_body_remove(world, id));
    const double v[4] = {1};
    struct scree_body_state body;
    const char *word = "no body with id 1: it has been removed";
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_get(world, id, &body));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_get_on_step(world, id, &body));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_set_position(world, id, v));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_set_orientation(world, id, v));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_set_velocity(world, id, v));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_set_spin(world, id, v));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_fix(world, id, 0));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_set_damping(world, id, 0, 0));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_unset_damping(world, id));
    assert_refused(SCREE_ERROR_MISSING, word, scree_body_add_force(world, id, v, v));
    assert_refused(SCREE_ERROR_MISSING, word,
                   scree_load_add(world, &(struct scree_load_def){.body = id}, &(scree_load_id){0}));
    scree_world_destroy(world);
}

static void the_orientation_of_a_sphere_is_integrated_on_request_only(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_body_id id = scree_test_sphere(world);
    struct scree_engine *engine;
    assert_ok(scree_body_set_spin(world, id, (const double[3]){0, 0, 1}));
    assert_refused(SCREE_ERROR_STATE, "scree_world_integrate_sphere_orientation",
                   scree_body_set_orientation(world, id, (const double[4]){1}));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.step = 1e-3}, world, &engine));
    assert_ok(scree_engine_run(engine, 100));
    assert_true(state_of(world, id).orientation[0] == 1);
    assert_ok(scree_world_integrate_sphere_orientation(world));
    assert_ok(scree_engine_run(engine, 1000));
    // one radian about z
    assert_close(state_of(world, id).orientation[0], cos(0.5), 1e-13);
    assert_close(state_of(world, id).orientation[3], sin(0.5), 1e-13);
    const scree_body_id late = scree_test_sphere(world);
    assert_ok(scree_body_set_orientation(world, late, (const double[4]){0, 1}));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void an_added_force_acts_in_one_evaluation(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_body_id id = scree_test_sphere(world);
    struct scree_engine *engine;
    const double mass = state_of(world, id).mass, h = 1e-3;
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.step = h}, world, &engine));
    assert_ok(scree_engine_run(engine, 3));
    assert_ok(scree_body_add_force(world, id, (const double[3]){5}, NULL));
    assert_ok(scree_body_add_force(world, id, (const double[3]){0, 2}, (const double[3]){0, 0, 1}));
    assert_ok(scree_engine_run(engine, 1));
    // half a kick with the force at the end of this step, the other half in the next step
    struct scree_body_state body = state_of(world, id);
    assert_true(body.force[0] == 5 && body.force[1] == 2 && body.moment[2] == 1);
    assert_close(body.velocity[0], 0.5 * h * 5 / mass, round_off);
    assert_ok(scree_engine_run(engine, 5));
    body = state_of(world, id);
    assert_true(body.force[0] == 0 && body.force[1] == 0 && body.moment[2] == 0);
    assert_close(body.velocity[0], h * 5 / mass, round_off);
    assert_close(body.velocity[1], h * 2 / mass, round_off);
    assert_close(body.spin[2], h / body.inertia[2], round_off);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void damping_of_a_body_replaces_that_of_the_engine(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    scree_body_id id[3];
    for (int b = 0; b < 3; ++b) {
        id[b] = scree_test_sphere(world);
        assert_ok(scree_body_set_velocity(world, id[b], (const double[3]){1}));
    }
    assert_ok(scree_body_set_damping(world, id[1], 0, 0));
    assert_ok(scree_body_set_damping(world, id[2], 0, 3));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.step = 1e-3, .damping = {.viscous = 1}},
                                      world, &engine));
    assert_ok(scree_engine_run(engine, 1000));
    // each step multiplies by (1 - hc/2) / (1 + hc/2) = exp(-hc) (1 + O(h^2)); the error is below h^2 c^3 t
    // / 12
    assert_close(state_of(world, id[0]).velocity[0], exp(-1), 1e-7);
    assert_true(state_of(world, id[1]).velocity[0] == 1);
    assert_close(state_of(world, id[2]).velocity[0], exp(-3), 2.3e-6);
    // a body without damping of its own has that of the engine again; the error bounds add up
    for (int b = 0; b < 3; ++b)
        assert_ok(scree_body_unset_damping(world, id[b]));
    assert_ok(scree_engine_run(engine, 1000));
    assert_close(state_of(world, id[0]).velocity[0], exp(-2), 2e-7);
    assert_close(state_of(world, id[1]).velocity[0], exp(-1), 1e-7);
    assert_close(state_of(world, id[2]).velocity[0], exp(-4), 2.4e-6);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_has_the_mass_and_inertia_of_a_ball),
        cmocka_unit_test(a_disk_has_the_mass_and_inertia_of_a_cylinder),
        cmocka_unit_test(a_full_tensor_is_rebuilt_from_its_moments_and_axes),
        cmocka_unit_test(invalid_inertia_is_refused),
        cmocka_unit_test(a_sphere_too_small_or_large_for_its_inertia_is_refused),
        cmocka_unit_test(ids_are_given_in_order_and_never_reused),
        cmocka_unit_test(removing_a_body_leaves_the_others_as_they_were),
        cmocka_unit_test(setters_change_only_what_they_name),
        cmocka_unit_test(setters_refuse_invalid_numbers),
        cmocka_unit_test(motion_in_two_dimensions_stays_in_the_plane),
        cmocka_unit_test(a_missing_material_is_named),
        cmocka_unit_test(every_call_on_a_removed_body_names_it),
        cmocka_unit_test(the_orientation_of_a_sphere_is_integrated_on_request_only),
        cmocka_unit_test(an_added_force_acts_in_one_evaluation),
        cmocka_unit_test(damping_of_a_body_replaces_that_of_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
