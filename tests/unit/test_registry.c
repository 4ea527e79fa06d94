// The table of fields (world/fields.def) compared with the structs that it describes, byte for byte, and the
// registry made from the table.

#include "support/worlds.h"
#include "world/registry.h"
#include "world/world.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

// a column of the table, and its type
struct column {
    int entity;
    uint32_t number;
    const char *name;
    size_t size, alignment;
    bool borrowed; // the fields use the memory of another column
};

static const struct column columns[] = {
#define SCREE_ENTITY(symbol, name, about)
#define SCREE_COLUMN(entity, symbol, name, record, presence)                                                 \
    {SCREE_ENTITY_##entity, SCREE_##entity##_##symbol, name,                                                 \
     sizeof(record),        _Alignof(record),          #presence[0] == 'B'},
#define SCREE_FIELD(entity, column, record, member, ...)
#include "world/fields.def"
#undef SCREE_ENTITY
#undef SCREE_COLUMN
#undef SCREE_FIELD
};

// a field of the table, and the type of its member
struct member {
    int entity;
    uint32_t column;
    const char *name;
    size_t offset, size;
    scree_type type, member_type; // type in the table, and in the declaration of the member
    unsigned width;
};

#define TYPE_OF(member)                                                                                      \
    _Generic((member),                                                                                       \
        double: SCREE_F64,                                                                                   \
        double *: SCREE_F64,                                                                                 \
        double(*)[4]: SCREE_F64,                                                                             \
        float *: SCREE_F32,                                                                                  \
        int64_t *: SCREE_I64,                                                                                \
        uint64_t: SCREE_U64,                                                                                 \
        uint64_t *: SCREE_U64,                                                                               \
        uint32_t: SCREE_U32,                                                                                 \
        uint32_t *: SCREE_U32,                                                                               \
        uint16_t: SCREE_U16,                                                                                 \
        char *: SCREE_CHAR)

static struct member members[] = {
#define SCREE_ENTITY(symbol, name, about)
#define SCREE_COLUMN(entity, symbol, name, record, presence)
#define SCREE_FIELD(entity, column, record, member, name, type, width, unit, transform, level, flags, about) \
    {SCREE_ENTITY_##entity,                                                                                  \
     SCREE_##entity##_##column,                                                                              \
     name,                                                                                                   \
     offsetof(record, member),                                                                               \
     sizeof(((record *)0)->member),                                                                          \
     type,                                                                                                   \
     TYPE_OF(((record *)0)->member),                                                                         \
     width},
#include "world/fields.def"
#undef SCREE_ENTITY
#undef SCREE_COLUMN
#undef SCREE_FIELD
};

enum { COLUMNS = sizeof columns / sizeof columns[0], MEMBERS = sizeof members / sizeof members[0] };

static void every_field_has_the_type_and_size_of_its_member(void **state)
{
    (void)state;
    for (size_t m = 0; m < MEMBERS; ++m) {
        if (members[m].type != members[m].member_type)
            fail_msg("the type of '%s' in the table is not the type of its member", members[m].name);
        assert_int_equal(members[m].width * scree_field_size(members[m].type), members[m].size);
        assert_int_equal(members[m].offset % scree_field_size(members[m].type), 0);
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct member *x = (const struct member *)a, *y = (const struct member *)b;
    if (x->entity != y->entity)
        return x->entity - y->entity;
    if (x->column != y->column)
        return (int)x->column - (int)y->column;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

// Each field begins where the previous one ends, and the last ends with the record.
static void fields_cover_their_records_without_gap_or_overlap(void **state)
{
    (void)state;
    struct member sorted[MEMBERS];
    memcpy(sorted, members, sizeof sorted);
    qsort(sorted, MEMBERS, sizeof sorted[0], by_offset);
    size_t m = 0;
    for (size_t c = 0; c < COLUMNS; ++c) {
        size_t end = 0;
        for (m = 0; m < MEMBERS; ++m)
            if (sorted[m].entity == columns[c].entity && sorted[m].column == columns[c].number) {
                if (columns[c].borrowed && sorted[m].offset > end)
                    end = sorted[m].offset;
                if (sorted[m].offset != end)
                    fail_msg("'%s' begins at byte %zu of its record, not at byte %zu", sorted[m].name,
                             sorted[m].offset, end);
                end += sorted[m].size;
            }
        // a wall ends with the address of its surface, which is no field
        if (columns[c].entity == SCREE_ENTITY_WALL && columns[c].number == SCREE_WALL_WALL)
            end += sizeof(struct scree_mesh_surface *);
        // a shape ends with the address of its hull
        if (columns[c].entity == SCREE_ENTITY_SHAPE && columns[c].number == SCREE_SHAPE_SHAPE)
            end += sizeof(struct scree_convex *);
        if (end != columns[c].size)
            fail_msg("the fields of '%s' end at byte %zu of %zu", columns[c].name, end, columns[c].size);
    }
}

static void records_of_contact_loops_are_whole_cache_lines(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct scree_grain), 128);
    assert_int_equal(sizeof(struct scree_wrench), 64);
    // the first line has all that a law without friction reads
    assert_int_equal(offsetof(struct scree_grain, spin), 64);
}

static void the_numbers_of_columns_are_those_of_the_registry(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    size_t counted[SCREE_ENTITY_BUILT_IN] = {0};
    for (size_t c = 0; c < COLUMNS; ++c) {
        const struct scree_entity *entity = scree_world_entity(world, columns[c].entity);
        assert_true(columns[c].number < entity->columns.count);
        assert_string_equal(entity->columns.data[columns[c].number].name, columns[c].name);
        assert_int_equal(entity->columns.data[columns[c].number].stride, columns[c].size);
        ++counted[columns[c].entity];
    }
    for (int e = 0; e < SCREE_ENTITY_BUILT_IN; ++e) {
        // the column of ids or keys is first and is not in the table
        const bool keyed = e == SCREE_ENTITY_CONTACT;
        assert_true(scree_world_entity(world, e)->keyed == keyed);
        assert_string_equal(scree_world_entity(world, e)->columns.data[0].name, keyed ? "key" : "id");
        assert_int_equal(scree_world_entity(world, e)->columns.count, counted[e] + 1);
    }
    scree_world_destroy(world);
}

static void the_registry_lists_every_row_of_the_table(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    // each entity has ids, except contacts, whose keys have seven parts
    assert_int_equal(scree_field_count(world), MEMBERS + SCREE_ENTITY_BUILT_IN - 1 + 7);
    for (size_t m = 0; m < MEMBERS; ++m) {
        struct scree_entity *entity;
        struct scree_field *field;
        char name[80];
        snprintf(name, sizeof name, "%s.%s", scree_world_entity(world, members[m].entity)->name,
                 members[m].name);
        assert_ok(scree_registry_find(&world->registry, name, &entity, &field));
        assert_ptr_equal(entity, scree_world_entity(world, members[m].entity));
        assert_int_equal(field->column, members[m].column);
        assert_int_equal(field->offset, members[m].offset);
    }
    scree_world_destroy(world);
}

static bool is_sentence(const char *text)
{
    const size_t length = strlen(text);
    return length > 3 && isupper((unsigned char)text[0]) && text[length - 1] == '.';
}

static void every_field_is_described_in_a_sentence(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    // the entities that laws add have fields like all others
    assert_ok(scree_test_world_engine(
        &(struct scree_test_world){.translation = "leapfrog", .rotation = "pcdm-leapfrog"}, world, &engine));
    for (size_t f = 0; f < scree_field_count(world); ++f) {
        struct scree_field_info info;
        assert_ok(scree_field_describe(world, f, &info));
        if (!is_sentence(info.about) && !isdigit((unsigned char)info.about[0]))
            fail_msg("the description of '%s.%s' is not a sentence: '%s'", info.entity, info.name,
                     info.about);
        assert_true(info.level < SCREE_LEVELS && info.transform <= SCREE_QUATERNION);
        // a field that is neither state nor derived would be lost by a restart
        assert_true(!(info.flags & SCREE_PERSISTED) != !(info.flags & SCREE_DERIVED));
        if (info.transform == SCREE_QUATERNION)
            assert_int_equal(info.width, 4);
        if (info.transform == SCREE_VECTOR || info.transform == SCREE_AXIAL || info.transform == SCREE_POINT)
            assert_int_equal(info.width, 3);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void describing_past_the_last_field_is_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_field_info info;
    assert_refused(SCREE_ERROR_ARGUMENT, "out of range",
                   scree_field_describe(world, scree_field_count(world), &info));
    assert_refused(SCREE_ERROR_ARGUMENT, "out of range", scree_field_describe(world, SIZE_MAX, &info));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_has_the_type_and_size_of_its_member),
        cmocka_unit_test(fields_cover_their_records_without_gap_or_overlap),
        cmocka_unit_test(records_of_contact_loops_are_whole_cache_lines),
        cmocka_unit_test(the_numbers_of_columns_are_those_of_the_registry),
        cmocka_unit_test(the_registry_lists_every_row_of_the_table),
        cmocka_unit_test(every_field_is_described_in_a_sentence),
        cmocka_unit_test(describing_past_the_last_field_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
