// Compares two checkpoints: all fields of all rows. Bodies and walls are matched by id, contacts by their
// pair.

#include "diff.h"

#include <scree/scree.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 7, NAME_SIZE = 160 };

// A row of an entity, with the key that identifies it: its id, or the pair of a contact.
struct row {
    uint64_t key[KEY];
    size_t index;
};

struct rows {
    struct row *row;
    size_t count;
};

static int by_key(const void *a, const void *b)
{
    const struct row *x = (const struct row *)a, *y = (const struct row *)b;
    for (int k = 0; k < KEY; ++k)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k] ? -1 : 1;
    return 0;
}

static const void *address_of(const struct scree_view *view, size_t index, unsigned component)
{
    return (const char *)view->base + index * view->stride + component * scree_field_size(view->type);
}

static uint64_t unsigned_at(const struct scree_view *view, size_t index)
{
    uint64_t bits = 0;
    memcpy(&bits, address_of(view, index, 0), scree_field_size(view->type));
    return bits;
}

// the fields that form the key of a contact
static const char *const key_fields[KEY] = {"low",  "low_part",  "kind",   "image",
                                            "high", "high_part", "feature"};

static bool is_contact_entity(const struct scree_world *world, const char *entity)
{
    struct scree_view view;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s.id", entity);
    if (scree_field_view(world, name, &view) == SCREE_OK)
        return false;
    snprintf(name, sizeof name, "%s.%s", entity, key_fields[0]);
    return scree_field_view(world, name, &view) == SCREE_OK;
}

// Lists the rows of an entity in ascending order of keys; none if the world does not have the entity. Returns
// false if out of memory.
static bool list_rows(const struct scree_world *world, const char *entity, struct rows *rows)
{
    const bool contacts = is_contact_entity(world, entity);
    struct scree_view view;
    char name[NAME_SIZE];
    *rows = (struct rows){.row = calloc(1, sizeof *rows->row)};
    for (int k = 0; k < (contacts ? KEY : 1); ++k) {
        snprintf(name, sizeof name, "%s.%s", entity, contacts ? key_fields[k] : "id");
        if (scree_field_view(world, name, &view) != SCREE_OK)
            return rows->row != NULL;
        if (k == 0) {
            free(rows->row);
            rows->count = view.count;
            rows->row = calloc(view.count + 1, sizeof *rows->row);
        }
        for (size_t i = 0; rows->row && i < view.count; ++i) {
            rows->row[i].key[k] = unsigned_at(&view, i);
            rows->row[i].index = i;
        }
    }
    if (rows->row)
        qsort(rows->row, rows->count, sizeof *rows->row, by_key);
    return rows->row != NULL;
}

// Formats the name of a row, as in "body 17" or "the contact of body 3 and wall 1".
static void name_row(const char *entity, bool contacts, const struct row *row, char *text, size_t size)
{
    if (contacts)
        snprintf(text, size, "the contact of body %" PRIu64 " and %s %" PRIu64, row->key[0],
                 row->key[2] ? "wall" : "body", row->key[4]);
    else
        snprintf(text, size, "%s %" PRIu64, entity, row->key[0]);
}

static void print_value(const struct scree_view *view, size_t index, unsigned component)
{
    if (!view->base) {
        printf("0");
        return;
    }
    const void *at = address_of(view, index, component);
    double real;
    float single;
    int64_t integer;
    switch (view->type) {
    case SCREE_F64:
        memcpy(&real, at, sizeof real);
        printf("%.17g", real);
        break;
    case SCREE_F32:
        memcpy(&single, at, sizeof single);
        printf("%.9g", (double)single);
        break;
    case SCREE_I64:
        memcpy(&integer, at, sizeof integer);
        printf("%" PRId64, integer);
        break;
    case SCREE_CHAR:
        printf("'%.*s'", (int)view->width, (const char *)address_of(view, index, 0));
        break;
    default:
        printf("%" PRIu64, unsigned_at(&(struct scree_view){.base = at, .type = view->type}, 0));
    }
}

static bool is_same(const struct scree_view view[2], const size_t index[2], unsigned component, size_t size)
{
    static const char zeros[16] = {0};
    const void *const at[2] = {view[0].base ? address_of(&view[0], index[0], component) : zeros,
                               view[1].base ? address_of(&view[1], index[1], component) : zeros};
    return memcmp(at[0], at[1], size) == 0;
}

// Compares a field of matching rows; prints the first difference and returns false.
static bool compare_field(const struct scree_world *const world[2], const struct scree_field_info *info,
                          const struct rows rows[2], unsigned long long step)
{
    struct scree_view view[2];
    char name[NAME_SIZE], row[NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", info->entity, info->name);
    // a field that is not allocated reads as zero
    for (int side = 0; side < 2; ++side)
        if (scree_field_view(world[side], name, &view[side]) != SCREE_OK)
            view[side] = (struct scree_view){0};
    const size_t size = scree_field_size(info->type);
    for (size_t r = 0; (view[0].base || view[1].base) && r < rows[0].count; ++r)
        for (unsigned c = 0; c < info->width; ++c) {
            const size_t index[2] = {rows[0].row[r].index, rows[1].row[r].index};
            if (is_same(view, index, c, size))
                continue;
            name_row(info->entity, is_contact_entity(world[0], info->entity), &rows[0].row[r], row,
                     sizeof row);
            printf("%s", name);
            if (info->width > 1 && info->type != SCREE_CHAR)
                printf("[%u]", c);
            printf(" of %s at step %llu: ", row, step);
            print_value(&view[0], index[0], c);
            printf(" and ");
            print_value(&view[1], index[1], c);
            printf("%s%s\n", info->unit[0] ? " " : "", info->unit);
            return false;
        }
    return true;
}

// Returns true if both worlds have the same rows of an entity; otherwise prints the first that only one has.
static bool compare_rows(const char *entity, bool contacts, const struct rows rows[2],
                         unsigned long long step)
{
    char name[NAME_SIZE];
    for (size_t r = 0; r < rows[0].count || r < rows[1].count; ++r) {
        const bool has[2] = {r < rows[0].count, r < rows[1].count};
        const int order = !has[0] ? 1 : !has[1] ? -1 : by_key(&rows[0].row[r], &rows[1].row[r]);
        if (order == 0)
            continue;
        name_row(entity, contacts, &rows[order < 0 ? 0 : 1].row[r], name, sizeof name);
        printf("%s is only in the %s, at step %llu\n", name, order < 0 ? "first" : "second", step);
        return false;
    }
    return true;
}

// Compares all fields of one entity; sets `failed` if out of memory.
static bool compare_entity(const struct scree_world *const world[2], const char *entity,
                           unsigned long long step, bool *failed)
{
    struct rows rows[2];
    struct scree_field_info info;
    *failed = !list_rows(world[0], entity, &rows[0]);
    *failed = !list_rows(world[1], entity, &rows[1]) || *failed;
    const bool contacts = is_contact_entity(world[0], entity) || is_contact_entity(world[1], entity);
    bool equal = !*failed && compare_rows(entity, contacts, rows, step);
    for (size_t f = 0; equal && f < scree_field_count(world[0]); ++f)
        if (scree_field_describe(world[0], f, &info) == SCREE_OK && strcmp(info.entity, entity) == 0 &&
            !(info.flags & SCREE_NEUTRAL) && (contacts || !(info.flags & SCREE_DERIVED)))
            equal = compare_field(world, &info, rows, step);
    free(rows[0].row);
    free(rows[1].row);
    return equal;
}

// Returns true if a world has a field of the same name and type.
static bool has_field(const struct scree_world *world, const struct scree_field_info *wanted)
{
    struct scree_field_info info;
    for (size_t f = 0; f < scree_field_count(world); ++f)
        if (scree_field_describe(world, f, &info) == SCREE_OK && strcmp(info.entity, wanted->entity) == 0 &&
            strcmp(info.name, wanted->name) == 0 && info.type == wanted->type && info.width == wanted->width)
            return true;
    return false;
}

// Prints the first field that only one of the worlds has; returns false if there is none.
static bool find_unmatched_field(const struct scree_world *const world[2])
{
    struct scree_field_info info;
    for (int side = 0; side < 2; ++side)
        for (size_t f = 0; f < scree_field_count(world[side]); ++f)
            if (scree_field_describe(world[side], f, &info) == SCREE_OK &&
                !is_contact_entity(world[side], info.entity) && !has_field(world[1 - side], &info)) {
                printf("the field %s.%s is only in the %s\n", info.entity, info.name,
                       side == 0 ? "first" : "second");
                return true;
            }
    return false;
}

static int compare(const struct scree_world *const world[2])
{
    const unsigned long long steps[2] = {scree_world_steps(world[0]), scree_world_steps(world[1])};
    struct scree_digest digest[2];
    struct scree_field_info info;
    bool failed = false;
    if (steps[0] != steps[1]) {
        printf("the first is at step %llu, the second at step %llu\n", steps[0], steps[1]);
        return SCREE_CLI_FAILED;
    }
    if (find_unmatched_field(world))
        return SCREE_CLI_FAILED;
    for (int side = 0; side < 2; ++side)
        for (size_t f = 0; f < scree_field_count(world[side]); ++f) {
            // compare an entity once, at its first key field: fields of an entity need not be contiguous
            if (scree_field_describe(world[side], f, &info) != SCREE_OK ||
                (strcmp(info.name, "id") != 0 && strcmp(info.name, key_fields[0]) != 0))
                continue;
            if (!compare_entity(world, info.entity, steps[0], &failed))
                return failed ? SCREE_CLI_USAGE : SCREE_CLI_FAILED;
        }
    const bool known = scree_world_digest(world[0], &digest[0]) == SCREE_OK &&
                       scree_world_digest(world[1], &digest[1]) == SCREE_OK;
    if (known && digest[0].low == digest[1].low && digest[0].high == digest[1].high) {
        printf("equal at step %llu: %zu bodies, %zu contacts; digest %016llx%016llx\n", steps[0],
               scree_body_count(world[0]), scree_contact_count(world[0]), (unsigned long long)digest[0].high,
               (unsigned long long)digest[0].low);
        return SCREE_CLI_OK;
    }
    printf("all fields are equal at step %llu, but the digests differ\n", steps[0]);
    return SCREE_CLI_FAILED;
}

int scree_diff_checkpoints(const char *const path[2])
{
    struct scree_world *world[2] = {NULL, NULL};
    scree_status status = SCREE_OK;
    for (int side = 0; side < 2 && status == SCREE_OK; ++side) {
        status = scree_world_create(NULL, &world[side]);
        if (status == SCREE_OK)
            status = scree_checkpoint_read(world[side], path[side]);
        // make the contact history visible as fields
        if (status == SCREE_OK)
            status = scree_contact_publish(world[side]);
    }
    int result = SCREE_CLI_USAGE;
    if (status == SCREE_OK)
        result = compare((const struct scree_world *const[2]){world[0], world[1]});
    else
        fprintf(stderr, "scree diff: %s\n", scree_status_message());
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
    return result;
}
