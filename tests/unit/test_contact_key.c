// Contact keys: comparison and sorting, against the documented order part by part; keys of wall features
// and of carried grains.

#include "support/worlds.h"
#include "world/contact_key.h"
#include "world/contacts.h"

enum { KEYS = 5000, PARTS = 7 };

static struct scree_contact_key key_of(const uint64_t part[PARTS])
{
    return (struct scree_contact_key){.low = part[0],
                                      .low_part = (uint32_t)part[1],
                                      .kind = (uint16_t)part[2],
                                      .image = (uint16_t)part[3],
                                      .high = part[4],
                                      .high_part = (uint32_t)part[5],
                                      .feature = (uint32_t)part[6]};
}

// The documented order: part by part.
static int documented_order(const uint64_t a[PARTS], const uint64_t b[PARTS])
{
    for (int k = 0; k < PARTS; ++k)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

// Draws parts that are often equal, and sometimes as large as possible.
static void draw(uint64_t *seed, uint64_t part[PARTS])
{
    static const uint64_t maximum[PARTS] = {
        UINT64_MAX, UINT32_MAX, SCREE_CONTACT_KINDS - 1, UINT16_MAX, UINT64_MAX, UINT32_MAX, UINT32_MAX};
    for (int k = 0; k < PARTS; ++k) {
        const uint64_t number = splitmix_next(seed);
        part[k] = number % 4 < 3 ? number / 4 % 2 : number % 8 < 4 ? maximum[k] : maximum[k] - number / 8 % 3;
    }
    part[2] %= SCREE_CONTACT_KINDS;
}

static void keys_are_compared_part_by_part(void **state)
{
    (void)state;
    uint64_t seed = 1, a[PARTS], b[PARTS];
    int equal = 0;
    for (int round = 0; round < 100000; ++round) {
        draw(&seed, a);
        draw(&seed, b);
        if (round % 3 == 0)
            memcpy(b, a, sizeof b);
        // equal keys of which one part is set to 0
        if (round % 6 == 0)
            b[round / 6 % PARTS] = 0;
        const struct scree_contact_key x = key_of(a), y = key_of(b);
        assert_int_equal(scree_contact_key_compare(&x, &y), documented_order(a, b));
        assert_int_equal(scree_contact_key_compare(&y, &x), -documented_order(a, b));
        assert_int_equal(memcmp(&x, &y, sizeof x) == 0, documented_order(a, b) == 0);
        equal += documented_order(a, b) == 0;
    }
    assert_true(equal > 1000);
}

static void keys_are_sorted_in_ascending_stable_order(void **state)
{
    (void)state;
    static struct scree_contact_key key[KEYS];
    static uint32_t order[KEYS];
    static bool listed[KEYS];
    uint64_t seed = 2, part[PARTS];
    for (int k = 0; k < KEYS; ++k) {
        draw(&seed, part);
        key[k] = key_of(part);
    }
    assert_ok(scree_contact_key_order(key, KEYS, order));
    for (int k = 0; k < KEYS; ++k) {
        assert_true(order[k] < KEYS && !listed[order[k]]);
        listed[order[k]] = true;
        const int sign = k > 0 ? scree_contact_key_compare(&key[order[k - 1]], &key[order[k]]) : -1;
        assert_true(sign < 0 || (sign == 0 && order[k - 1] < order[k]));
    }
    assert_ok(scree_contact_key_order(NULL, 0, NULL));
}

// A million features of one wall, and those of neighbouring walls, are different keys.
static void a_million_features_of_a_wall_have_different_keys(void **state)
{
    (void)state;
    enum { FEATURES = 1000000 };
    uint64_t grain = 7, wall[2] = {3, 4};
    struct scree_pair pair[2] = {{0, 0}, {0, 1}};
    uint32_t feature[2] = {0, 0};
    struct scree_contacts contacts = {.grains = 1, .id = &grain};
    contacts.walls =
        (struct scree_wall_contacts){.count = 2, .pair = pair, .feature = feature, .slots = 2, .id = wall};
    struct scree_contact_key last = scree_contacts_wall_key(&contacts, 0);
    for (uint32_t f = 1; f < FEATURES; ++f) {
        feature[0] = f;
        const struct scree_contact_key key = scree_contacts_wall_key(&contacts, 0);
        const struct scree_contact_key other = scree_contacts_wall_key(&contacts, 1);
        assert_true(key.low == 7 && key.high == 3 && key.feature == f);
        assert_int_equal(key.kind, SCREE_CONTACT_OF_WALL);
        assert_true(scree_contact_key_compare(&last, &key) < 0);
        assert_true(scree_contact_key_compare(&key, &other) < 0);
        last = key;
    }
}

static void keys_of_carried_grains_contain_their_part_numbers(void **state)
{
    (void)state;
    uint64_t id[3] = {5, 9, 5};
    uint32_t part[3] = {0, 0, 2};
    struct scree_pair pair[2] = {{0, 1}, {2, 1}};
    struct scree_contacts contacts = {.grains = 3, .candidates = 2, .id = id, .pair = pair};
    assert_int_equal(scree_contacts_key(&contacts, 1).low_part, 0);
    contacts.part = part;
    const struct scree_contact_key own = scree_contacts_key(&contacts, 0),
                                   carried = scree_contacts_key(&contacts, 1);
    assert_true(carried.low == 5 && carried.low_part == 2 && carried.high == 9 && carried.high_part == 0);
    assert_true(scree_contact_key_compare(&own, &carried) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_compared_part_by_part),
        cmocka_unit_test(keys_are_sorted_in_ascending_stable_order),
        cmocka_unit_test(a_million_features_of_a_wall_have_different_keys),
        cmocka_unit_test(keys_of_carried_grains_contain_their_part_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
