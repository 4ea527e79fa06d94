// Contacts as rows: rows contain the contacts of the lists, lists made from rows give the same rows, and
// rows can be viewed by name. Inconsistent rows or lists are refused.

#include "base/memory.h"
#include "determinism/touching.h"
#include "law/law.h"
#include "support/bed.h"
#include "world/contact_lists.h"
#include "world/wall.h"

#include <stdio.h>
#include <stdlib.h>

// --- a law of the user: a spring that also counts its steps

#include "support/spring_law.h"

SCREE_FN struct scree_law_reply aging_force(const SCREE_REAL *p, const struct scree_law_contact *c,
                                            const SCREE_REAL *before, SCREE_REAL *after)
{
    const struct scree_law_reply reply = spring_force(p, c, before, after);
    after[3] = reply.live * (before[3] + (c->step > 0 ? 1 : 0));
    return reply;
}

#define SCREE_KERNEL_FORCE aging_force
#define SCREE_KERNEL_HISTORY 4
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

static const struct scree_law_value aging_values[] = {
    {"displacement", "m", 3, "Tangential displacement."}, {"age", "", 1, "Steps."}, {0}};

static struct scree_contact_law aging_law(void)
{
    struct scree_contact_law law = {.version = SCREE_LAW_VERSION, SPRING_LAW, .kernel = SCREE_KERNEL_TABLE};
    law.name = "aging-spring";
    law.values = aging_values;
    law.force = aging_force;
    return law;
}

// --- worlds

static void run(const struct touching *t, struct scree_world *world, uint64_t steps)
{
    struct scree_engine *engine;
    assert_ok(touching_engine(t, &(struct touching_variant){0}, world, &engine));
    assert_ok(scree_engine_run(engine, steps));
    scree_engine_destroy(engine);
}

static struct scree_world *run_world(const struct touching *t, uint64_t steps)
{
    struct scree_world *world;
    assert_ok(touching_build(t, &world));
    run(t, world, steps);
    return world;
}

// Describes a world for each law in turn, then one with several laws. False after the last.
static bool next_description(struct touching *t, int *number)
{
    const struct scree_contact_law *law = scree_law_with_force_at((size_t)*number);
    if (!law && *number > 0 && !scree_law_with_force_at((size_t)*number - 1))
        return false;
    *t = (struct touching){.bodies = 150,
                           .walls = true,
                           .periodic = *number % 2,
                           .resists = *number % 3 != 1,
                           .insert_delete = true};
    t->law = law ? law->name : NULL;
    t->dimension = law && !(law->dimensions >> 3 & 1) ? 2 : 3;
    ++*number;
    return true;
}

static bool exists(const struct scree_world *world, int entity, uint64_t id)
{
    return scree_pool_find(&scree_world_entity(world, entity)->pool, id, NULL);
}

static const struct scree_contact_key *key_at(const struct scree_entity *entity, size_t row)
{
    return (const struct scree_contact_key *)(const void *)entity->columns.data[0].base + row;
}

// Finds the row of a key in the entity of its law.
static size_t find_row(const struct scree_contact_rows *rows, const struct scree_contacts_layout *layout,
                       const struct scree_contact_key *key, const struct scree_entity **entity)
{
    char name[64];
    snprintf(name, sizeof name, "%scontact_%s", layout->resists ? "resisted_" : "", layout->law->name);
    for (char *letter = name; *letter; ++letter)
        *letter = *letter == '-' ? '_' : *letter;
    *entity = scree_registry_entity(&rows->registry, name);
    for (size_t row = 0; *entity && row < (*entity)->count; ++row)
        if (memcmp(key_at(*entity, row), key, sizeof *key) == 0)
            return row;
    fail_msg("'%s' has no row of the contact of %llu and %llu", name, (unsigned long long)key->low,
             (unsigned long long)key->high);
    return 0;
}

static void assert_row(const struct scree_contact_rows *rows, const struct scree_contacts_layout *layout,
                       const struct scree_contact_key *key, const double *history)
{
    const struct scree_entity *entity;
    const size_t row = find_row(rows, layout, key, &entity);
    size_t value = 0;
    for (size_t f = 0; f < entity->fields.count; ++f) {
        const struct scree_field *field = &entity->fields.data[f];
        if (field->column < 2)
            continue;
        assert_memory_equal(scree_registry_at(entity, field, row), history + value,
                            field->width * sizeof *history);
        value += field->width;
    }
    assert_int_equal(value, layout->own + (layout->resists ? SCREE_RESISTANCE_HISTORY : 0));
}

static size_t count_rows(const struct scree_contact_rows *rows)
{
    size_t count = 0;
    for (size_t e = 1; e < rows->registry.entities.count; ++e)
        count += rows->registry.entities.data[e].count;
    return count;
}

// Compares each row with the lists; returns the number of rows.
static size_t check_rows(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_wall_contacts *walls = &contacts->walls;
    struct scree_contact_rows rows;
    size_t count = 0;
    assert_ok(scree_contact_rows_copy(world, true, &rows));
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_contact_key key = scree_contacts_key(contacts, c);
        if (!(contacts->live[c / 8] >> c % 8 & 1) || !exists(world, SCREE_ENTITY_BODY, key.low) ||
            !exists(world, SCREE_ENTITY_BODY, key.high))
            continue;
        assert_row(&rows, &contacts->layout[contacts->class_of ? contacts->class_of[c] : 0], &key,
                   contacts->history + c * contacts->stride);
        ++count;
    }
    for (size_t c = 0; c < walls->count; ++c) {
        const struct scree_contact_key key = scree_contacts_wall_key(contacts, c);
        if (!walls->live[c] || !exists(world, SCREE_ENTITY_BODY, key.low) ||
            !exists(world, SCREE_ENTITY_WALL, key.high))
            continue;
        assert_row(&rows, &walls->layout[walls->class_of[c]], &key, walls->history + c * walls->stride);
        ++count;
    }
    assert_int_equal(count_rows(&rows), count);
    assert_int_equal(rows.registry.entities.data[SCREE_CONTACT_ROWS_GRAINS].count, contacts->grains);
    scree_contact_rows_free(&rows);
    return count;
}

static void rows_are_the_contacts_of_the_lists(void **state)
{
    (void)state;
    struct touching t;
    size_t with_several_laws = 0;
    for (int number = 0; next_description(&t, &number);) {
        struct scree_world *world = run_world(&t, 60);
        assert_true(check_rows(world) > 50);
        // contacts of removed bodies are removed
        for (uint64_t id = 1; id < 150; id += 3)
            if (exists(world, SCREE_ENTITY_BODY, id))
                assert_ok(scree_body_remove(world, (scree_body_id){id}));
        const size_t count = check_rows(world);
        assert_true(count > 10);
        if (exists(world, SCREE_ENTITY_WALL, 1))
            assert_ok(scree_wall_remove(world, (scree_wall_id){1}));
        assert_true(check_rows(world) <= count);
        with_several_laws += t.law == NULL;
        scree_world_destroy(world);
    }
    assert_int_equal(with_several_laws, 1);
}

// --- lists made from rows

struct row_of_law {
    struct scree_contact_key key;
    uint16_t class;
    double value[SCREE_CONTACTS_HISTORY];
};

static int compare_keys(const void *a, const void *b)
{
    const struct row_of_law *x = (const struct row_of_law *)a, *y = (const struct row_of_law *)b;
    return scree_contact_key_compare(&x->key, &y->key);
}

// All rows of a world by ascending key; each key occurs once.
static struct row_of_law *list_rows(const struct scree_world *world, size_t *count)
{
    struct scree_contact_rows rows;
    assert_ok(scree_contact_rows_copy(world, false, &rows));
    *count = count_rows(&rows);
    struct row_of_law *list = (struct row_of_law *)calloc(*count + 1, sizeof *list);
    size_t next = 0;
    for (size_t e = 1; e < rows.registry.entities.count; ++e) {
        const struct scree_entity *entity = &rows.registry.entities.data[e];
        for (size_t row = 0; row < entity->count; ++row, ++next) {
            double *value = list[next].value;
            list[next].key = *key_at(entity, row);
            memcpy(&list[next].class, entity->columns.data[1].base + 2 * row, 2);
            for (size_t c = 2; c < entity->columns.count; ++c) {
                const size_t size = entity->columns.data[c].stride;
                memcpy(value, entity->columns.data[c].base + row * size, size);
                value += size / sizeof *value;
            }
        }
    }
    qsort(list, *count, sizeof *list, compare_keys);
    for (size_t k = 1; k < *count; ++k)
        assert_true(compare_keys(&list[k - 1], &list[k]) < 0);
    scree_contact_rows_free(&rows);
    return list;
}

static void rebuild(struct scree_world *world)
{
    struct scree_contact_rows rows;
    assert_ok(scree_contact_rows_copy(world, true, &rows));
    assert_ok(scree_contact_lists_make(world, &rows));
    scree_contact_rows_free(&rows);
}

static void lists_made_from_rows_give_the_same_rows(void **state)
{
    (void)state;
    struct touching t;
    for (int number = 0; next_description(&t, &number);) {
        struct scree_world *world = run_world(&t, 60);
        for (int removed = 0; removed < 2; ++removed) {
            const struct scree_digest digest = scree_test_digest(world);
            size_t count[2];
            struct row_of_law *before = list_rows(world, &count[0]);
            rebuild(world);
            assert_ok(scree_world_validate(world));
            struct row_of_law *after = list_rows(world, &count[1]);
            assert_int_equal(count[0], count[1]);
            assert_memory_equal(before, after, count[0] * sizeof *before);
            assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
            free(before);
            free(after);
            for (uint64_t id = 2; id < 150; id += 7)
                if (exists(world, SCREE_ENTITY_BODY, id))
                    assert_ok(scree_body_remove(world, (scree_body_id){id}));
        }
        scree_world_destroy(world);
    }
}

// Carried grains are identified by their part numbers, and a restart gives the same bits.
static void carried_grains_are_identified_by_their_parts(void **state)
{
    (void)state;
    const struct scree_bed bed = {.law = "hertz-mindlin",
                                  .values = {{"friction", 0.3, NULL}, {"restitution", 0.6, NULL}},
                                  .overlapping = true,
                                  .plate = true,
                                  .carried = 2,
                                  .step = 1e-5};
    struct scree_world *world[2];
    struct scree_engine *engine;
    size_t count[2], parts = 0;
    scree_bed_build(&bed, &world[0]);
    scree_bed_engine(&bed, world[0], &engine);
    assert_ok(scree_engine_run(engine, 30));
    assert_true(check_rows(world[0]) > 20);
    struct row_of_law *before = list_rows(world[0], &count[0]);
    for (size_t k = 0; k < count[0]; ++k)
        parts += before[k].key.low_part == 1 && before[k].key.high_part == 2;
    assert_true(parts > 5);
    assert_ok(scree_checkpoint_write(world[0], "contact-rows-carried.chk"));
    assert_ok(scree_world_create(NULL, &world[1]));
    assert_ok(scree_checkpoint_read(world[1], "contact-rows-carried.chk"));
    remove("contact-rows-carried.chk");
    struct row_of_law *after = list_rows(world[1], &count[1]);
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(before, after, count[0] * sizeof *before);
    free(before);
    free(after);
    assert_ok(scree_engine_run(engine, 30));
    scree_engine_destroy(engine);
    scree_bed_engine(&bed, world[1], &engine);
    assert_ok(scree_engine_run(engine, 30));
    scree_engine_destroy(engine);
    assert_true(scree_test_digests_equal(scree_test_digest(world[0]), scree_test_digest(world[1])));
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
}

static void a_run_with_rebuilt_lists_has_the_same_digest(void **state)
{
    (void)state;
    const struct touching t = {.bodies = 1500, .walls = true, .periodic = true, .resists = true};
    struct scree_world *world[2];
    for (int k = 0; k < 2; ++k) {
        world[k] = run_world(&t, 30);
        if (k == 1)
            rebuild(world[k]);
        run(&t, world[k], 30);
    }
    assert_true(scree_test_digests_equal(scree_test_digest(world[0]), scree_test_digest(world[1])));
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
}

// --- views

static struct scree_view view_of(struct scree_world *world, const char *name)
{
    struct scree_view view;
    assert_ok(scree_field_view(world, name, &view));
    return view;
}

static void the_history_of_a_law_can_be_viewed_by_its_names(void **state)
{
    (void)state;
    const struct touching t = {.bodies = 100, .law = "aging-spring"};
    const struct scree_contact_law law = aging_law();
    const struct scree_interaction_value values[] = {{"stiffness", 20, NULL}, {"friction", 0.4, NULL}};
    struct scree_world *world;
    struct scree_digest digest;
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(scree_law_register(world, &law));
    for (int m = 0; m < TOUCHING_MATERIALS; ++m) {
        scree_material_id material;
        char name[16];
        snprintf(name, sizeof name, "m%d", m);
        assert_ok(scree_material_add(world, &(struct scree_material_def){name, 30}, &material));
    }
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "aging-spring", .values = values, .count = 2}));
    for (uint64_t k = 1; k <= t.bodies; ++k)
        assert_ok(touching_add(world, &t, k));
    assert_true(scree_field_view(world, "contact_aging_spring.age", &(struct scree_view){0}) != SCREE_OK);
    run(&t, world, 7);
    digest = scree_test_digest(world);
    assert_ok(scree_contact_publish(world));
    assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
    const struct scree_view age = view_of(world, "contact_aging_spring.age");
    const struct scree_view displacement = view_of(world, "contact_aging_spring.displacement");
    const struct scree_view low = view_of(world, "contact_aging_spring.low");
    assert_true(age.count == scree_contact_count(world) && age.count > 10);
    assert_true(displacement.width == 3 && displacement.count == age.count && low.type == SCREE_U64);
    double oldest = 0;
    for (size_t row = 0; row < age.count; ++row)
        oldest = fmax(oldest, ((const double *)age.base)[row]);
    assert_true(oldest == 7);
    // a view stays unchanged until it is requested again
    run(&t, world, 1);
    assert_true(view_of(world, "contact_aging_spring.age").version == age.version);
    assert_ok(scree_contact_publish(world));
    const struct scree_view now = view_of(world, "contact_aging_spring.age");
    assert_true(now.version != age.version);
    for (size_t row = 0; row < now.count; ++row)
        oldest = fmax(oldest, ((const double *)now.base)[row]);
    assert_true(oldest == 8);
    // fields cannot be edited, and neither rows nor fields can be added
    struct scree_view view;
    void *data;
    uint64_t id;
    assert_refused(SCREE_ERROR_ARGUMENT, "read-only",
                   scree_field_edit(world, "contact_aging_spring.age", &view, &data));
    assert_refused(SCREE_ERROR_ARGUMENT, "its own functions only",
                   scree_field_add_row(world, "contact_aging_spring", &id));
    const struct scree_field_def more = {
        .entity = "contact_aging_spring", .name = "more", .type = SCREE_F64, .width = 1, .about = "More."};
    assert_refused(SCREE_ERROR_ARGUMENT, "copies", scree_field_add(world, &more));
    assert_ok(scree_interaction_clear(world));
    run(&t, world, 1);
    assert_ok(scree_contact_publish(world));
    assert_int_equal(view_of(world, "contact_aging_spring.age").count, 0);
    scree_world_destroy(world);
}

static void a_law_with_invalid_history_names_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *message;
    } invalid[] = {{"low", "'low' already"},
                   {"class", "'class' already"},
                   {"rolling-spring", "'rolling_spring' already"},
                   {"Spring", "a-z"},
                   {"a name that is longer than any field may have", "characters"}};
    struct scree_world *world = scree_test_empty_world();
    for (size_t k = 0; k < sizeof invalid / sizeof invalid[0]; ++k) {
        const struct scree_law_value values[] = {{invalid[k].name, "m", 3, "Displacement."}, {0}};
        struct scree_contact_law law = aging_law();
        law.values = values;
        assert_refused(SCREE_ERROR_ARGUMENT, invalid[k].message, scree_law_register(world, &law));
    }
    scree_world_destroy(world);
}

// --- inconsistencies

// Rows with one inconsistency each.
static void inconsistent_rows_are_refused(void **state)
{
    (void)state;
    static const char *const message[] = {"type",           "not exist", "not exist",    "not exist",
                                          "different laws", "twice",     "unknown class"};
    struct touching t = {.bodies = 150, .walls = true, .insert_delete = true};
    struct scree_world *world = run_world(&t, 40);
    const struct scree_digest digest = scree_test_digest(world);
    for (int damage = 0; damage < 7; ++damage) {
        struct scree_contact_rows rows;
        assert_ok(scree_contact_rows_copy(world, true, &rows));
        assert_true(rows.registry.entities.count > 2 && rows.registry.entities.data[2].count > 0);
        struct scree_entity *entity = &rows.registry.entities.data[1];
        struct scree_contact_key *key = (struct scree_contact_key *)(void *)entity->columns.data[0].base;
        uint16_t *class = (uint16_t *)(void *)entity->columns.data[1].base;
        if (damage == 0)
            key->kind = SCREE_CONTACT_KINDS;
        else if (damage == 1)
            key->low = 1000000;
        else if (damage == 2)
            key->high_part = 1;
        else if (damage == 3)
            key->image = 1;
        else if (damage == 4)
            *class = *(const uint16_t *)(const void *)rows.registry.entities.data[2].columns.data[1].base;
        else if (damage == 5)
            key[1] = key[0];
        else
            *class = SCREE_CONTACTS_NO_CLASS;
        assert_refused(SCREE_ERROR_NUMBER, message[damage], scree_contact_lists_make(world, &rows));
        scree_contact_rows_free(&rows);
        assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
    }
    scree_world_destroy(world);
}

static size_t first_candidate(const struct scree_contacts *contacts, bool live)
{
    size_t c = 0;
    while (contacts->pair[c].low == contacts->pair[c].high || scree_contacts_is_live(contacts, c) != live)
        ++c;
    assert_true(c < contacts->candidates);
    return c;
}

#define ASSERT_DAMAGE_FOUND(member, value, word)                                                             \
    do {                                                                                                     \
        const __typeof__(member) original = (member);                                                        \
        (member) = (value);                                                                                  \
        assert_refused(SCREE_ERROR_NUMBER, word, scree_world_validate(world));                               \
        (member) = original;                                                                                 \
        assert_ok(scree_world_validate(world));                                                              \
    } while (0)

static void each_inconsistency_of_lists_is_found(void **state)
{
    (void)state;
    const struct touching t = {.bodies = 2500, .walls = true, .law = "hertz-mindlin"};
    struct scree_world *world = run_world(&t, 20);
    struct scree_contacts *contacts = &world->contacts;
    struct scree_wall_contacts *walls = &contacts->walls;
    assert_ok(scree_world_validate(world));
    assert_true(contacts->tiles == 3 && walls->count > 10);
    const size_t live = first_candidate(contacts, true), not_live = first_candidate(contacts, false);
    size_t padding = 0, wall = 0;
    while (contacts->pair[padding].low != contacts->pair[padding].high)
        ++padding;
    while (walls->live[wall])
        ++wall;
    assert_true(padding < contacts->candidates && wall < walls->count);
    const struct scree_pair pair = contacts->pair[live];
    ASSERT_DAMAGE_FOUND(contacts->tiles, 2, "match the number of grains");
    ASSERT_DAMAGE_FOUND(contacts->first[2], contacts->first[2] + 1, "multiples of 8");
    ASSERT_DAMAGE_FOUND(contacts->first[3 * SCREE_CONTACTS_RANGES], contacts->candidates - 8, "ascend");
    ASSERT_DAMAGE_FOUND(contacts->history_capacity, contacts->candidates - 8, "not allocated");
    ASSERT_DAMAGE_FOUND(contacts->pair[live].high, (uint32_t)contacts->grains, "slot out of range");
    ASSERT_DAMAGE_FOUND(contacts->pair[live], ((struct scree_pair){pair.high, pair.low}),
                        "not have the lower id");
    ASSERT_DAMAGE_FOUND(contacts->id[pair.high], 1000000, "never existed");
    ASSERT_DAMAGE_FOUND(scree_world_grains(world)[pair.low].quantum, 0, "no quantum");
    ASSERT_DAMAGE_FOUND(contacts->live[padding / 8],
                        (uint8_t)(contacts->live[padding / 8] | 1u << padding % 8), "self-pair");
    ASSERT_DAMAGE_FOUND(contacts->history[not_live * contacts->stride], 1, "not live");
    ASSERT_DAMAGE_FOUND(contacts->history[live * contacts->stride], NOT_A_NUMBER, "not finite");
    ASSERT_DAMAGE_FOUND(contacts->layout[0].own, contacts->stride + 1, "shorter than its law");
    ASSERT_DAMAGE_FOUND(contacts->layout[0].own, 2, "more values than its law");
    ASSERT_DAMAGE_FOUND(contacts->layout[0].law, NULL, "no contact law");
    ASSERT_DAMAGE_FOUND(contacts->layouts, 0, "class does not exist");
    ASSERT_DAMAGE_FOUND(walls->pair[0].high, (uint32_t)walls->slots, "wall slot out of range");
    ASSERT_DAMAGE_FOUND(walls->pair[0].low, (uint32_t)contacts->grains, "grain slot out of range");
    ASSERT_DAMAGE_FOUND(walls->feature[0], 1000, "no such feature");
    ASSERT_DAMAGE_FOUND(walls->id[walls->pair[0].high], 1000, "never existed");
    ASSERT_DAMAGE_FOUND(walls->class_of[0], 200, "class does not exist");
    ASSERT_DAMAGE_FOUND(walls->history[wall * walls->stride], 1, "not live");
    ASSERT_DAMAGE_FOUND(walls->order[0], 1000000, "not sorted");
    ASSERT_DAMAGE_FOUND(walls->first[1], walls->count + 1, "do not ascend");
    ASSERT_DAMAGE_FOUND(walls->pair[0], walls->pair[walls->count - 1], "");
    // a pair of another tile
    const size_t other = scree_contacts_first(contacts, 2, 0);
    ASSERT_DAMAGE_FOUND(contacts->pair[live], contacts->pair[other], "not in the tile of its owner");
    scree_world_destroy(world);
}

static void a_failed_allocation_changes_neither_lists_nor_rows(void **state)
{
    (void)state;
    const struct touching t = {.bodies = 60, .walls = true};
    struct scree_world *world = run_world(&t, 20);
    const struct scree_digest digest = scree_test_digest(world);
    struct scree_contact_rows rows;
    const size_t live = scree_memory_live();
    int failures = 0;
    for (uint64_t nth = 1;; ++nth, ++failures) {
        scree_memory_fail_at(nth);
        scree_status status = scree_contact_rows_copy(world, true, &rows);
        if (status == SCREE_OK) {
            status = scree_contact_lists_make(world, &rows);
            scree_contact_rows_free(&rows);
        }
        scree_memory_fail_at(0);
        assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
        if (status == SCREE_OK)
            break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_int_equal(scree_memory_live(), live);
    }
    assert_true(failures > 30);
    for (uint64_t nth = 1;; ++nth, ++failures) {
        scree_memory_fail_at(nth);
        const scree_status status = scree_contact_rows_publish(world);
        scree_memory_fail_at(0);
        if (status == SCREE_OK)
            break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_ok(scree_world_validate(world));
    }
    assert_true(failures > 60);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_contacts_of_the_lists),
        cmocka_unit_test(lists_made_from_rows_give_the_same_rows),
        cmocka_unit_test(carried_grains_are_identified_by_their_parts),
        cmocka_unit_test(a_run_with_rebuilt_lists_has_the_same_digest),
        cmocka_unit_test(the_history_of_a_law_can_be_viewed_by_its_names),
        cmocka_unit_test(a_law_with_invalid_history_names_is_refused),
        cmocka_unit_test(inconsistent_rows_are_refused),
        cmocka_unit_test(each_inconsistency_of_lists_is_found),
        cmocka_unit_test(a_failed_allocation_changes_neither_lists_nor_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
