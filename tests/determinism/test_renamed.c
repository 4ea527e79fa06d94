// Renaming fields and entities has not changed physics: digests, which hash names, taken with the old names
// equal the old digests. The numbers were printed before the names changed; `scree-digest --old-names` prints
// all of them. Remove this test with the next change of digests.

#include "determinism/touching.h"
#include "support/worlds.h"

enum { STEPS = 20, CROWDED_STEPS = 30 };

static struct scree_digest under_old_names(const struct touching *t)
{
    struct scree_digest digest;
    assert_ok(touching_run(t, &(struct touching_variant){.old_names = true}, CROWDED_STEPS, &digest));
    return digest;
}

static void assert_digest(struct scree_digest digest, uint64_t high, uint64_t low)
{
    assert_int_equal(digest.high, high);
    assert_int_equal(digest.low, low);
}

static void contacts_of_every_kind_move_bodies_as_before(void **state)
{
    (void)state;
    struct touching t = TOUCHING_EVERYTHING(1500);
    t.dimension = 2;
    assert_digest(under_old_names(&t), 0x4fa105ad9e1ad90e, 0xe70a365bce2e4ac1);
    t.dimension = 3;
    assert_digest(under_old_names(&t), 0x469b0c439e2b726b, 0x1ecd2c5e3e670852);
    t.law = "jkr";
    assert_digest(under_old_names(&t), 0x00c0b8b2db9237da, 0x895f976f868ab476);
}

static void insertion_deletion_and_loads_act_as_before(void **state)
{
    (void)state;
    struct touching t = {.bodies = 150, .walls = true, .insert_delete = true, .dimension = 3};
    assert_digest(under_old_names(&t), 0xb4994fa81c2bb1dd, 0x3b58e07ba9b4d006);
    t = (struct touching){
        .bodies = 150, .loads = true, .damped = true, .fixed = true, .rigid = true, .dimension = 3};
    assert_digest(under_old_names(&t), 0x78c700403d3426f9, 0x723de17f3460199e);
}

static void general_bodies_turn_as_before(void **state)
{
    (void)state;
    const struct scree_test_world setup = {.bodies = 300,
                                           .damping = {0.1, 0.2},
                                           .own_damping = true,
                                           .loads = true,
                                           .fixed = true,
                                           .oriented = true,
                                           .translation = "leapfrog",
                                           .rotation = "pcdm-leapfrog"};
    struct scree_world *world;
    struct scree_engine *engine;
    assert_ok(scree_test_world_build(&setup, &world));
    assert_ok(scree_test_world_engine(&setup, world, &engine));
    assert_ok(scree_engine_run(engine, STEPS));
    old_names_restore(world);
    assert_digest(scree_test_digest(world), 0xdee0c4310fbe0be4, 0x0a0205304e784246);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_of_every_kind_move_bodies_as_before),
        cmocka_unit_test(insertion_deletion_and_loads_act_as_before),
        cmocka_unit_test(general_bodies_turn_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
