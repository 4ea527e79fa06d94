// Ids and slots of bodies (base/pool.h): ids count up and are never reused, and memory depends on the number
// of living ids only. Reference: a plain table.

#include "base/pool.h"
#include "support/splitmix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t insert(struct scree_pool *pool, uint32_t slot)
{
    uint64_t id = 0;
    assert_int_equal(scree_pool_insert(pool, slot, &id), SCREE_OK);
    return id;
}

static void assert_slot(const struct scree_pool *pool, uint64_t id, uint32_t expected)
{
    uint32_t slot = 0;
    assert_true(scree_pool_find(pool, id, &slot));
    assert_int_equal(slot, expected);
}

static void ids_count_up_from_one(void **state)
{
    (void)state;
    struct scree_pool pool = {0};
    for (uint32_t i = 0; i < 10000; ++i)
        assert_int_equal(insert(&pool, 2 * i), i + 1);
    assert_int_equal(pool.living, 10000);
    for (uint32_t i = 0; i < 10000; ++i)
        assert_slot(&pool, i + 1, 2 * i);
    scree_pool_free(&pool);
}

static void an_empty_pool_has_no_id(void **state)
{
    (void)state;
    const struct scree_pool pool = {0};
    uint32_t slot = 5;
    assert_false(scree_pool_find(&pool, 0, &slot));
    assert_false(scree_pool_find(&pool, 1, &slot));
    assert_false(scree_pool_find(&pool, UINT64_MAX, &slot));
    assert_int_equal(slot, 5);
}

static void an_id_is_never_reused(void **state)
{
    (void)state;
    struct scree_pool pool = {0};
    for (uint64_t i = 1; i <= 3 * SCREE_POOL_PAGE; ++i) {
        assert_int_equal(insert(&pool, 0), i);
        scree_pool_remove(&pool, i);
        assert_false(scree_pool_find(&pool, i, NULL));
    }
    assert_int_equal(pool.living, 0);
    scree_pool_free(&pool);
}

static void memory_depends_on_the_living_ids_only(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    struct scree_pool pool = {0};
    // 5000 successive ids live at a time, out of a million
    enum { WINDOW = 5000 };
    for (uint64_t i = 1; i <= 1000000; ++i) {
        insert(&pool, (uint32_t)(i % WINDOW));
        if (i > WINDOW)
            scree_pool_remove(&pool, i - WINDOW);
        // they cover at most three pages, and the directory is one more block
        assert_true(scree_memory_live() - live <= 4);
    }
    for (uint64_t i = 1000000 - WINDOW + 1; i <= 1000000; ++i) {
        assert_slot(&pool, i, (uint32_t)(i % WINDOW));
        scree_pool_remove(&pool, i);
    }
    assert_int_equal(scree_memory_live(), live + 1);
    scree_pool_free(&pool);
    assert_int_equal(scree_memory_live(), live);
}

static void a_moved_id_is_found_in_its_new_slot(void **state)
{
    (void)state;
    struct scree_pool pool = {0};
    insert(&pool, 10);
    insert(&pool, 20);
    scree_pool_move(&pool, 1, 20);
    scree_pool_move(&pool, 2, SCREE_POOL_NO_SLOT - 1);
    assert_slot(&pool, 1, 20);
    assert_slot(&pool, 2, SCREE_POOL_NO_SLOT - 1);
    scree_pool_free(&pool);
}

static void the_next_id_is_above_every_given_id(void **state)
{
    (void)state;
    struct scree_pool pool = {0};
    assert_int_equal(scree_pool_insert_id(&pool, 100000, 3), SCREE_OK);
    assert_int_equal(scree_pool_insert_id(&pool, 50, 4), SCREE_OK);
    assert_slot(&pool, 100000, 3);
    assert_slot(&pool, 50, 4);
    assert_false(scree_pool_find(&pool, 51, NULL));
    assert_int_equal(insert(&pool, 5), 100001);
    scree_pool_free(&pool);
}

static void memory_does_not_depend_on_the_size_of_a_given_id(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    struct scree_pool pool = {0};
    assert_int_equal(scree_pool_insert_id(&pool, UINT64_MAX - 1, 1), SCREE_OK);
    assert_int_equal(scree_memory_live(), live + 2);
    assert_int_equal(insert(&pool, 2), UINT64_MAX);
    uint64_t id = 77;
    assert_int_equal(scree_pool_insert(&pool, 3, &id), SCREE_ERROR_LIMIT);
    assert_int_equal(id, 77);
    assert_slot(&pool, UINT64_MAX, 2);
    assert_false(scree_pool_find(&pool, 0, NULL));
    scree_pool_free(&pool);
}

static void invalid_ids_and_slots_are_refused(void **state)
{
    (void)state;
    struct scree_pool pool = {0};
    uint64_t id = 77;
    assert_int_equal(scree_pool_insert(&pool, SCREE_POOL_NO_SLOT, &id), SCREE_ERROR_LIMIT);
    assert_int_equal(scree_pool_insert_id(&pool, 0, 1), SCREE_ERROR_ARGUMENT);
    assert_int_equal(insert(&pool, 9), 1);
    assert_int_equal(scree_pool_insert_id(&pool, 1, 1), SCREE_ERROR_ARGUMENT);
    assert_slot(&pool, 1, 9);
    assert_int_equal(pool.living, 1);
    scree_pool_free(&pool);
}

enum { TABLE_IDS = 40000 };

// inserts, moves or removes one id at random, in the pool and in a plain table
static void insert_and_remove(struct scree_pool *pool, uint32_t *table, uint64_t *random, uint64_t *last)
{
    const uint64_t random_bits = splitmix_next(random);
    const uint64_t id = 1 + (random_bits >> 8) % TABLE_IDS;
    const uint32_t slot = (uint32_t)(random_bits >> 40);
    const bool alive = table[id] != SCREE_POOL_NO_SLOT;
    assert_int_equal(scree_pool_find(pool, id, NULL), alive);
    if (random_bits % 8 < 3 && *last < TABLE_IDS) {
        assert_int_equal(insert(pool, slot), ++*last);
        table[*last] = slot;
    } else if (alive && random_bits % 8 < 5) {
        scree_pool_move(pool, id, slot);
        table[id] = slot;
    } else if (alive) {
        scree_pool_remove(pool, id);
        table[id] = SCREE_POOL_NO_SLOT;
    }
}

static void random_operations_agree_with_a_plain_table(void **state)
{
    (void)state;
    static uint32_t table[TABLE_IDS + 1];
    for (size_t i = 0; i <= TABLE_IDS; ++i)
        table[i] = SCREE_POOL_NO_SLOT;
    struct scree_pool pool = {0};
    uint64_t random = 1, last = 0;
    for (int i = 0; i < 300000; ++i)
        insert_and_remove(&pool, table, &random, &last);
    uint64_t living = 0;
    for (uint64_t id = 1; id <= TABLE_IDS; ++id) {
        uint32_t slot = SCREE_POOL_NO_SLOT;
        assert_int_equal(scree_pool_find(&pool, id, &slot), table[id] != SCREE_POOL_NO_SLOT);
        assert_int_equal(slot, table[id]);
        living += table[id] != SCREE_POOL_NO_SLOT;
    }
    assert_int_equal(pool.living, living);
    scree_pool_free(&pool);
}

static void a_failed_insertion_does_not_use_an_id(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    // the directory and the first page are the two blocks of a first insertion
    for (uint64_t nth = 1; nth <= 2; ++nth) {
        struct scree_pool pool = {0};
        uint64_t id = 77;
        scree_memory_fail_at(nth);
        assert_int_equal(scree_pool_insert(&pool, 1, &id), SCREE_ERROR_MEMORY);
        assert_int_equal(id, 77);
        assert_int_equal(pool.living, 0);
        assert_int_equal(insert(&pool, 1), 1);
        assert_slot(&pool, 1, 1);
        scree_pool_free(&pool);
        assert_int_equal(scree_memory_live(), live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_count_up_from_one),
        cmocka_unit_test(an_empty_pool_has_no_id),
        cmocka_unit_test(an_id_is_never_reused),
        cmocka_unit_test(memory_depends_on_the_living_ids_only),
        cmocka_unit_test(a_moved_id_is_found_in_its_new_slot),
        cmocka_unit_test(the_next_id_is_above_every_given_id),
        cmocka_unit_test(memory_does_not_depend_on_the_size_of_a_given_id),
        cmocka_unit_test(invalid_ids_and_slots_are_refused),
        cmocka_unit_test(random_operations_agree_with_a_plain_table),
        cmocka_unit_test(a_failed_insertion_does_not_use_an_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
