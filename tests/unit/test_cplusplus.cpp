// The interface from C++ (scree/scree.h): every public header compiles, and a falling sphere follows the
// closed form.

#include <scree/scree.h>

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

// this header is for C only
extern "C" {
#include <cmocka.h>
}

namespace {

scree_status lift(void *user, const scree_load_batch *batch)
{
    for (std::size_t i = 0; i < batch->count; ++i)
        batch->force[i][2] += *static_cast<double *>(user) * batch->mass[i];
    return SCREE_OK;
}

scree_status count(scree_engine *, scree_world *, void *user)
{
    ++*static_cast<int *>(user);
    return SCREE_OK;
}

void a_sphere_falls_in_cplusplus(void **)
{
    scree_world_def world_def{};
    world_def.gravity[2] = -8;
    scree_world *world = nullptr;
    assert_int_equal(scree_world_create(&world_def, &world), SCREE_OK);
    scree_material_def stone{"stone", 2700};
    scree_sphere_def sphere{};
    sphere.radius = 0.5;
    scree_body_id id{};
    assert_int_equal(scree_material_add(world, &stone, &sphere.material), SCREE_OK);
    assert_int_equal(scree_body_add_sphere(world, &sphere, &id), SCREE_OK);
    double acceleration = 4;
    scree_load_def load_def{};
    load_def.function = lift;
    load_def.user = &acceleration;
    scree_load_id load{};
    assert_int_equal(scree_load_add(world, &load_def, &load), SCREE_OK);
    scree_soft_def soft{};
    soft.step = 0.125;
    soft.threads = 1;
    scree_engine *engine = nullptr;
    int calls = 0;
    assert_int_equal(scree_soft_create(world, &soft, &engine), SCREE_OK);
    assert_int_equal(scree_engine_set_callback(engine, SCREE_POINT_RECORD, count, &calls, nullptr), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, 8), SCREE_OK);
    assert_int_equal(calls, 8);
    scree_body_state body{};
    assert_int_equal(scree_body_get(world, id, &body), SCREE_OK);
    // a = -4 for one second: every number here is exact in binary
    assert_true(body.position[2] == -2 && body.velocity[2] == -4);
    scree_energy energy{};
    assert_int_equal(scree_energy_get(world, &energy), SCREE_OK);
    assert_true(energy.translation == 8 * body.mass);
    // failures are values with a message, never exceptions
    assert_int_equal(scree_body_remove(world, scree_body_id{99}), SCREE_ERROR_MISSING);
    assert_int_not_equal(scree_status_message()[0], 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_falls_in_cplusplus),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
