// The contacts of a world in a checkpoint: who touches whom, and what each contact remembers of which law.

#include "file/checkpoint_contacts.h"

#include "base/memory.h"
#include "law/load.h"
#include "world/store.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 64, NAME = 32 };

static const char *const folders[2] = {"/contacts/pairs", "/contacts/walls"};

// --- lists

// What a list of a kind of contacts holds.
struct list {
    const char *name;
    scree_type type;
    unsigned width; // 0 for one number each
};
static const struct list grains = {"grains", SCREE_U64, 0}, pairs = {"slots", SCREE_U32, 2},
                         keys = {"key", SCREE_U64, 2}, classes = {"class", SCREE_CHAR, 0},
                         laws = {"law", SCREE_CHAR, NAME}, values = {"values", SCREE_U64, 2};

static scree_status put_list(struct scree_hdf *hdf, bool walls, const struct list *list, size_t rows,
                             const void *data)
{
    char path[PATH];
    snprintf(path, PATH, "%s/%s", folders[walls], list->name);
    return scree_hdf_write(hdf, path, &(struct scree_hdf_shape){list->type, rows, list->width}, data, 0);
}

// Reads one of any length into a block of its own.
static scree_status get_list(struct scree_hdf *hdf, bool walls, const struct list *list, size_t *rows,
                             void **data)
{
    char path[PATH];
    struct scree_hdf_shape shape;
    snprintf(path, PATH, "%s/%s", folders[walls], list->name);
    SCREE_TRY(scree_hdf_find(hdf, path, &shape));
    *rows = shape.rows;
    shape = (struct scree_hdf_shape){list->type, shape.rows, list->width};
    SCREE_TRY(
        scree_memory_new(shape.rows, scree_field_size(list->type) * (list->width ? list->width : 1), data));
    return scree_hdf_read(hdf, path, &shape, *data);
}

// Reads one of a length that is known.
static scree_status get_list_of(struct scree_hdf *hdf, bool walls, const struct list *list, size_t rows,
                                void **data)
{
    size_t found;
    SCREE_TRY(get_list(hdf, walls, list, &found, data));
    if (found == rows)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_NUMBER, "'%s/%s' in it has %zu rows, and there are %zu contacts",
                             folders[walls], list->name, found, rows);
}

// --- putting

// The laws of the classes: names, how many values are their own, and whether others follow.
static scree_status put_keepers(struct scree_hdf *hdf, bool walls,
                                const struct scree_store_contacts *contacts)
{
    char *names;
    uint64_t *numbers = NULL;
    const size_t count = contacts->keeper ? contacts->keepers : 0;
    SCREE_TRY(scree_memory_new(count, NAME, (void **)&names));
    scree_status status = scree_memory_new(count, 2 * sizeof *numbers, (void **)&numbers);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k) {
        snprintf(names + k * NAME, NAME, "%s", contacts->keeper[k].law ? contacts->keeper[k].law->name : "");
        numbers[2 * k] = contacts->keeper[k].own;
        numbers[2 * k + 1] = contacts->keeper[k].resists;
    }
    if (status == SCREE_OK)
        status = put_list(hdf, walls, &laws, count, names);
    if (status == SCREE_OK)
        status = put_list(hdf, walls, &values, count, numbers);
    scree_memory_free(numbers);
    scree_memory_free(names);
    return status;
}

static struct list histories(size_t stride)
{
    return (struct list){"history", SCREE_F64, (unsigned)stride};
}

static scree_status put(struct scree_hdf *hdf, bool walls, const struct scree_store_contacts *contacts)
{
    const uint64_t numbers[2] = {contacts->stride, contacts->loose};
    const struct list history = histories(contacts->stride);
    SCREE_TRY(scree_hdf_group(hdf, folders[walls]));
    SCREE_TRY(scree_hdf_set(hdf, folders[walls], "stride, loose", SCREE_U64, 2, numbers));
    SCREE_TRY(put_list(hdf, walls, &grains, contacts->grains, contacts->id));
    SCREE_TRY(put_list(hdf, walls, &pairs, contacts->count, contacts->pair));
    SCREE_TRY(put_list(hdf, walls, &classes, contacts->count, contacts->sort));
    if (walls)
        SCREE_TRY(put_list(hdf, walls, &keys, contacts->count, contacts->key));
    if (contacts->stride > 0)
        SCREE_TRY(put_list(hdf, walls, &history, contacts->count, contacts->history));
    return put_keepers(hdf, walls, contacts);
}

scree_status scree_checkpoint_contacts_put(struct scree_hdf *hdf, const struct scree_world *world)
{
    SCREE_TRY(scree_hdf_group(hdf, "/contacts"));
    for (int walls = 0; walls < 2; ++walls) {
        struct scree_store_contacts contacts = {0};
        scree_status status = scree_store_take(world, walls, &contacts);
        if (status == SCREE_OK)
            status = put(hdf, walls, &contacts);
        scree_store_free(&contacts);
        SCREE_TRY(status);
    }
    return SCREE_OK;
}

// --- getting

static void find_laws(const struct scree_world *world, const char *names, const uint64_t *numbers,
                      struct scree_store_contacts *contacts)
{
    for (size_t k = 0; k < contacts->keepers; ++k) {
        char name[NAME + 1] = {0};
        memcpy(name, names + k * NAME, NAME);
        contacts->keeper[k].own = (size_t)numbers[2 * k];
        contacts->keeper[k].resists = numbers[2 * k + 1] != 0;
        // what was remembered of a law that is no longer there is foreign to all others
        if (scree_law_find_in(world, name, &contacts->keeper[k].law) != SCREE_OK)
            contacts->keeper[k].law = NULL;
    }
}

static scree_status get_keepers(struct scree_hdf *hdf, const struct scree_world *world, bool walls,
                                struct scree_store_contacts *contacts)
{
    void *names = NULL, *numbers = NULL;
    scree_status status = get_list(hdf, walls, &laws, &contacts->keepers, &names);
    if (status == SCREE_OK)
        status = get_list_of(hdf, walls, &values, contacts->keepers, &numbers);
    if (status == SCREE_OK)
        status = scree_memory_new(contacts->keepers, sizeof *contacts->keeper, (void **)&contacts->keeper);
    if (status == SCREE_OK)
        find_laws(world, (const char *)names, (const uint64_t *)numbers, contacts);
    scree_memory_free(numbers);
    scree_memory_free(names);
    return status;
}

static scree_status get(struct scree_hdf *hdf, const struct scree_world *world, bool walls,
                        struct scree_store_contacts *contacts)
{
    uint64_t numbers[2];
    SCREE_TRY(scree_hdf_get(hdf, folders[walls], "stride, loose", SCREE_U64, 2, numbers));
    if (numbers[0] > SCREE_LAW_HISTORY + SCREE_TOUCHING_MORE)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "contacts in it remember %llu values, and at most %d can",
                                 (unsigned long long)numbers[0], SCREE_LAW_HISTORY + SCREE_TOUCHING_MORE);
    contacts->stride = (size_t)numbers[0];
    contacts->loose = numbers[1] != 0;
    const struct list history = histories(contacts->stride);
    SCREE_TRY(get_list(hdf, walls, &grains, &contacts->grains, (void **)&contacts->id));
    SCREE_TRY(get_list(hdf, walls, &pairs, &contacts->count, (void **)&contacts->pair));
    SCREE_TRY(get_list_of(hdf, walls, &classes, contacts->count, (void **)&contacts->sort));
    if (walls)
        SCREE_TRY(get_list_of(hdf, walls, &keys, contacts->count, (void **)&contacts->key));
    if (contacts->stride > 0)
        SCREE_TRY(get_list_of(hdf, walls, &history, contacts->count, (void **)&contacts->history));
    return get_keepers(hdf, world, walls, contacts);
}

scree_status scree_checkpoint_contacts_get(struct scree_hdf *hdf, struct scree_world *world)
{
    for (int walls = 0; walls < 2; ++walls) {
        struct scree_store_contacts contacts = {0};
        scree_status status = get(hdf, world, walls, &contacts);
        if (status == SCREE_OK)
            status = scree_store_put(world, walls, &contacts);
        scree_store_free(&contacts);
        SCREE_TRY(status);
    }
    return SCREE_OK;
}
