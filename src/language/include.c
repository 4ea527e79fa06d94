// Merges included files into a scene, see check.h.

#include "file/atomic.h"
#include "file/path.h"
#include "language/check.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FILES = 32, MAX_DEPTH = 8, MAX_KEYS = 1000 };

// A file of the scene. By its identity, since names can differ.
struct file {
    dev_t device;
    ino_t number;
    const struct scree_node *node; // where it was included; null for the scene itself
    bool open;                     // the files that it includes are being read
};

struct inclusion {
    struct scree_reading *reading;
    struct file seen[MAX_FILES + 1]; // in the order of reading, so that open files include each other in turn
    size_t files, depth, bytes;
};

// Reports a mistake; returns SCREE_OK, since including fails only if memory runs out.
static scree_status report(struct inclusion *inclusion, const struct scree_node *node, const char *message)
{
    scree_reading_report(inclusion->reading, node, "%s", message);
    return SCREE_OK;
}

// --- merging two maps

static scree_status merge_maps(struct inclusion *inclusion, const struct scree_node *map,
                               const struct scree_node *other, struct scree_node **merged);

static scree_status join_lists(struct inclusion *inclusion, const struct scree_node *list,
                               const struct scree_node *other, struct scree_node **joined)
{
    struct scree_tree *tree = &inclusion->reading->tree;
    SCREE_TRY(scree_tree_node(tree, SCREE_NODE_LIST, joined));
    (*joined)->place = list->place;
    (*joined)->count = list->count + other->count;
    SCREE_TRY(scree_tree_items(tree, (*joined)->count, &(*joined)->item));
    if (list->count > 0)
        memcpy((*joined)->item, list->item, list->count * sizeof *list->item);
    if (other->count > 0)
        memcpy((*joined)->item + list->count, other->item, other->count * sizeof *other->item);
    return SCREE_OK;
}

// Reports a key that is given in two files and cannot be merged, at both places.
static void report_duplicate(struct inclusion *inclusion, const struct scree_node *key,
                             const struct scree_node *other)
{
    struct scree_diagnostics *diagnostics = &inclusion->reading->diagnostics;
    const struct scree_node *const keys[] = {key, other};
    for (size_t k = 0; k < 2; ++k) {
        const struct scree_place *place = &keys[1 - k]->place;
        scree_diagnostic_add(diagnostics, &keys[k]->place,
                             "'%.60s' is also given in %.150s:%u: remove one of them", key->text,
                             diagnostics->sources.data[place->source].name, place->line + 1);
    }
}

// Merges the values of a key that both maps have.
static scree_status merge_values(struct inclusion *inclusion, struct scree_node *const *pair,
                                 struct scree_node *const *other, struct scree_node **merged)
{
    *merged = pair[1];
    if (pair[1]->kind == SCREE_NODE_MAP && other[1]->kind == SCREE_NODE_MAP)
        return merge_maps(inclusion, pair[1], other[1], merged);
    if (pair[1]->kind == SCREE_NODE_LIST && other[1]->kind == SCREE_NODE_LIST)
        return join_lists(inclusion, pair[1], other[1], merged);
    // an included file may give the same version of the language
    const bool version = strcmp(pair[0]->text, scree_key_rows[SCREE_KEY_scene_scree].name) == 0;
    if (!version || pair[1]->kind != other[1]->kind || strcmp(pair[1]->text, other[1]->text) != 0)
        report_duplicate(inclusion, pair[0], other[0]);
    return SCREE_OK;
}

static scree_status merge_maps(struct inclusion *inclusion, const struct scree_node *map,
                               const struct scree_node *other, struct scree_node **merged)
{
    struct scree_tree *tree = &inclusion->reading->tree;
    struct scree_node *both;
    SCREE_TRY(scree_tree_node(tree, SCREE_NODE_MAP, &both));
    both->place = map->place;
    *merged = both;
    if (map->count + other->count > MAX_KEYS)
        return report(inclusion, other, "this map has too many keys after merging");
    SCREE_TRY(scree_tree_items(tree, 2 * (map->count + other->count), &both->item));
    if (map->count > 0)
        memcpy(both->item, map->item, 2 * map->count * sizeof *map->item);
    both->count = map->count;
    for (size_t k = 0; k < other->count; ++k) {
        struct scree_node *const *pair = &other->item[2 * k];
        size_t match = 0;
        while (match < map->count && strcmp(map->item[2 * match]->text, pair[0]->text) != 0)
            ++match;
        if (match < map->count)
            SCREE_TRY(merge_values(inclusion, &map->item[2 * match], pair, &both->item[2 * match + 1]));
        else
            memcpy(&both->item[2 * both->count++], pair, 2 * sizeof *pair);
    }
    return SCREE_OK;
}

// --- files

static scree_status include_all(struct inclusion *inclusion, struct scree_node **root);

// Returns a file that has been read already, even by another name; null for a new one, which is added to the
// list as open.
static const struct file *find_seen(struct inclusion *inclusion, const char *path,
                                    const struct scree_node *node)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return NULL;
    for (size_t f = 0; f < inclusion->files; ++f)
        if (inclusion->seen[f].device == info.st_dev && inclusion->seen[f].number == info.st_ino)
            return &inclusion->seen[f];
    if (inclusion->files <= MAX_FILES)
        inclusion->seen[inclusion->files++] = (struct file){info.st_dev, info.st_ino, node, true};
    return NULL;
}

// The name of a file of the list without its folders.
static const char *name_of(const struct inclusion *inclusion, const struct file *file)
{
    const char *path = file->node ? file->node->text : inclusion->reading->name;
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Reports a file that is included twice: in a ring, with all files of the ring, or by two files.
static scree_status report_seen(struct inclusion *inclusion, const struct scree_node *node,
                                const struct file *seen)
{
    const struct scree_diagnostics *diagnostics = &inclusion->reading->diagnostics;
    char ring[200] = "", place[120] = "";
    for (const struct file *file = seen; seen->open && file < inclusion->seen + inclusion->files; ++file)
        if (file->open && strlen(ring) < sizeof ring - 70)
            snprintf(ring + strlen(ring), 70, "%.60s -> ", name_of(inclusion, file));
    if (seen->node)
        snprintf(place, sizeof place, " in %.90s:%u",
                 diagnostics->sources.data[seen->node->place.source].name, seen->node->place.line + 1);
    if (seen->open)
        scree_reading_report(inclusion->reading, node,
                             "this file is included already, and the files include each other in a ring: "
                             "%s%.60s. Remove one of these includes",
                             ring, name_of(inclusion, seen));
    else
        scree_reading_report(inclusion->reading, node,
                             "this file is included already%s: a file can be included only once", place);
    return SCREE_OK;
}

// Reads a file; `root` is null after a diagnostic.
static scree_status read_file(struct inclusion *inclusion, const struct scree_node *name, const char *path,
                              struct scree_node **root)
{
    struct scree_reading *reading = inclusion->reading;
    void *text;
    size_t length;
    *root = NULL;
    const struct file *seen = find_seen(inclusion, path, name);
    if (seen)
        return report_seen(inclusion, name, seen);
    if (inclusion->files > MAX_FILES)
        return report(inclusion, name, "a scene can include at most 32 files");
    const scree_status status = scree_atomic_read(path, SCREE_TREE_BYTES, &text, &length);
    if (status != SCREE_OK)
        return status == SCREE_ERROR_MEMORY ? status : report(inclusion, name, scree_status_message());
    inclusion->bytes += length;
    if (inclusion->bytes > SCREE_TREE_BYTES) {
        scree_memory_free(text);
        return report(inclusion, name, "the scene is too long with this file");
    }
    return scree_tree_read(&reading->tree, strncmp(path, "./", 2) == 0 ? path + 2 : path, text, length, root);
}

static scree_status include_one(struct inclusion *inclusion, const struct scree_node *name,
                                struct scree_node **root)
{
    struct scree_node *file = NULL, *merged;
    char *path;
    if (name->kind != SCREE_NODE_TEXT) {
        scree_reading_expect(inclusion->reading, name, &scree_key_rows[SCREE_KEY_scene_include],
                             "a path or a list of paths");
        return SCREE_OK;
    }
    if (strstr(name->text, "${"))
        return report(
            inclusion, name,
            "a path under 'include' cannot have variables: files are included before variables are expanded");
    scree_status status = scree_path_join(inclusion->reading->folder, name->text, &path);
    if (status != SCREE_OK)
        return status == SCREE_ERROR_ARGUMENT ? report(inclusion, name, scree_status_message()) : status;
    const size_t before = inclusion->files;
    status = read_file(inclusion, name, path, &file);
    scree_memory_free(path);
    SCREE_TRY(status);
    SCREE_TRY(scree_array_push(&inclusion->reading->included, name));
    if (file && file->kind != SCREE_NODE_MAP)
        report(inclusion, file, "an included file must be a map of keys, like a scene");
    const bool good = file && file->kind == SCREE_NODE_MAP;
    if (good)
        SCREE_TRY(include_all(inclusion, &file));
    if (before < inclusion->files)
        inclusion->seen[before].open = false;
    if (!good)
        return SCREE_OK;
    SCREE_TRY(merge_maps(inclusion, *root, file, &merged));
    *root = merged;
    return SCREE_OK;
}

// Removes the key `include` from the root; `names` gets its value.
static scree_status remove_include_key(struct inclusion *inclusion, struct scree_node **root,
                                       const struct scree_node **names)
{
    const char *key = scree_key_rows[SCREE_KEY_scene_include].name;
    struct scree_tree *tree = &inclusion->reading->tree;
    const struct scree_node *all = *root;
    struct scree_node *rest;
    *names = scree_tree_find(all, key);
    if (!*names)
        return SCREE_OK;
    SCREE_TRY(scree_tree_node(tree, SCREE_NODE_MAP, &rest));
    rest->place = all->place;
    SCREE_TRY(scree_tree_items(tree, 2 * all->count, &rest->item));
    for (size_t k = 0; k < all->count; ++k)
        if (strcmp(all->item[2 * k]->text, key) != 0)
            memcpy(&rest->item[2 * rest->count++], &all->item[2 * k], 2 * sizeof *rest->item);
    *root = rest;
    return SCREE_OK;
}

static scree_status include_all(struct inclusion *inclusion, struct scree_node **root)
{
    const struct scree_node *names;
    SCREE_TRY(remove_include_key(inclusion, root, &names));
    if (!names)
        return SCREE_OK;
    if (inclusion->depth == MAX_DEPTH)
        return report(inclusion, names, "includes are nested too deeply");
    ++inclusion->depth;
    if (names->kind != SCREE_NODE_LIST)
        SCREE_TRY(include_one(inclusion, names, root));
    for (size_t k = 0; names->kind == SCREE_NODE_LIST && k < names->count; ++k)
        SCREE_TRY(include_one(inclusion, names->item[k], root));
    --inclusion->depth;
    return SCREE_OK;
}

scree_status scree_include(struct scree_reading *reading, size_t bytes)
{
    struct inclusion inclusion = {.reading = reading, .bytes = bytes};
    if (!reading->root || reading->root->kind != SCREE_NODE_MAP)
        return SCREE_OK;
    (void)find_seen(&inclusion, reading->name, NULL);
    return include_all(&inclusion, &reading->root);
}
