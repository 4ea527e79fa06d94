// The files of a scene's records, see path_conflict.h.

#include "language/path_conflict.h"

#include "exchange/formats.h"
#include "file/atomic.h"
#include "file/checkpoint.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 1024, ROOM = 2 * LONGEST + 2, DIGITS = 6 };

// What a file is that is no record: nothing may write it.
static const char own[] = "is the scene itself", part[] = "is included in the scene",
                  source[] = "has bodies that the scene reads";

// A file that a record writes; or files, with a number of six or more digits before the ending.
struct claim {
    const struct scree_node *node; // null where no record writes it
    const char *is;                // what it is then
    const char *said;              // the path as the record has it
    char stem[LONGEST + 1];        // without what a path can do without
    const char *ending;            // within `stem` or a text that stays
    bool numbered, derived;
};

struct claims {
    SCREE_ARRAY(struct claim) all;
};

// A path without "./" and doubled slashes.
static void tidy(const char *path, char tidied[LONGEST + 1])
{
    size_t length = 0;
    bool begins = true;
    for (const char *at = path; *at && length < LONGEST; ++at) {
        if (begins && (*at == '/' || (*at == '.' && at[1] == '/')))
            continue;
        begins = *at == '/';
        tidied[length++] = *at;
    }
    tidied[length] = 0;
}

static bool has_number(const char *text, size_t length)
{
    bool digits = length >= DIGITS;
    for (size_t k = 0; k < length; ++k)
        digits = digits && text[k] >= '0' && text[k] <= '9';
    return digits;
}

// Whether a path is that of the file of a claim, or of one of its files.
static bool is_of(const struct claim *claim, const char *path)
{
    const size_t stem = strlen(claim->stem), ending = strlen(claim->ending), length = strlen(path);
    return length >= stem + ending && strncmp(path, claim->stem, stem) == 0 &&
           strcmp(path + length - ending, claim->ending) == 0 &&
           (claim->numbered ? has_number(path + stem, length - stem - ending) : length == stem + ending);
}

// The path of a claim, without the number that it may have.
static void name_of(const struct claim *claim, char name[ROOM])
{
    snprintf(name, ROOM, "%s%s", claim->stem, claim->ending);
}

static bool collide(const struct claim *a, const struct claim *b)
{
    char name[2][ROOM];
    name_of(a, name[0]);
    name_of(b, name[1]);
    if (a->numbered == b->numbered)
        return strcmp(name[0], name[1]) == 0;
    return a->numbered ? is_of(a, name[1]) : is_of(b, name[0]);
}

// Whether a file of the one is a folder on the way to the other; `way` is the path of that.
static bool is_above(const struct claim *one, const struct claim *other, char way[ROOM])
{
    char name[ROOM];
    name_of(other, name);
    for (const char *slash = name; (slash = strchr(slash + 1, '/'));) {
        snprintf(way, ROOM, "%.*s", (int)(slash - name), name);
        if (is_of(one, way))
            return true;
    }
    return false;
}

static void complain(struct scree_reading *reading, const struct claim *claim, const struct claim *other)
{
    const struct claim *derived = claim->derived ? claim : other;
    char made[130] = "";
    if (claim->derived)
        snprintf(made, sizeof made, " would write '%.100s%s%s', which", claim->stem,
                 claim->numbered ? "000000" : "", claim->ending);
    if (!other->node)
        scree_diagnostic_add(&reading->diagnostics, &claim->node->place,
                             "'%.100s'%s %s: give the record another name", claim->said, made, other->is);
    else if (!derived->derived)
        scree_diagnostic_add(&reading->diagnostics, &claim->node->place,
                             "'%.100s' is there already, as another record", claim->said);
    else
        scree_diagnostic_add(&reading->diagnostics, &claim->node->place,
                             "'%.100s' and '%.100s' would both write '%.100s%s%s'", other->said, claim->said,
                             derived->stem, derived->numbered ? "000000" : "", derived->ending);
}

// Of what a record claims, the first that another has is told.
static scree_status add(struct scree_reading *reading, struct claims *claims, const struct claim *claim,
                        bool *told)
{
    for (size_t k = 0; k < claims->all.count && !*told; ++k) {
        const struct claim *other = &claims->all.data[k];
        char way[ROOM];
        *told = other->node != claim->node;
        if (*told && collide(other, claim))
            complain(reading, claim, other);
        else if (*told && (is_above(other, claim, way) || is_above(claim, other, way)))
            scree_diagnostic_add(&reading->diagnostics, &claim->node->place,
                                 "'%.100s' and '%.100s' would have '%.100s' both as a file and as a folder: "
                                 "give the record another name",
                                 other->said, claim->said, way);
        else
            *told = false;
    }
    return scree_array_push(&claims->all, *claim);
}

// What is made of the name of a record: a file that is written as a whole, and what it is called before.
static scree_status add_derived(struct scree_reading *reading, struct claims *claims,
                                const struct claim *record, const char *middle, bool numbered,
                                const char *ending, bool *told)
{
    struct claim claim = *record;
    const size_t length = strlen(claim.stem);
    char first[LONGEST + sizeof SCREE_KEEP_PART], *kept;
    snprintf(claim.stem + length, sizeof claim.stem - length, "%s", middle);
    claim.ending = ending;
    claim.numbered = numbered;
    claim.derived = claim.derived || middle[0] || ending[0];
    SCREE_TRY(add(reading, claims, &claim, told));
    snprintf(first, sizeof first, "%s%s", ending, SCREE_KEEP_PART);
    SCREE_TRY(scree_tree_text(&reading->tree, first, strlen(first), &kept));
    claim.ending = kept;
    claim.derived = true;
    return add(reading, claims, &claim, told);
}

static scree_status add_frames(struct scree_reading *reading, struct claims *claims,
                               const struct claim *record, bool *told)
{
    const char *const *series = scree_key_words("series");
    char middle[64];
    for (size_t k = 0; series[k]; ++k) {
        snprintf(middle, sizeof middle, "-%s", series[k]);
        SCREE_TRY(add_derived(reading, claims, record, middle, false, ".hdf.series", told));
        snprintf(middle, sizeof middle, "-%s/", series[k]);
        SCREE_TRY(add_derived(reading, claims, record, middle, true, ".hdf", told));
    }
    return SCREE_OK;
}

// A format with one snapshot has a file for each, its number before the ending. What format it is, and that
// there is one, is told elsewhere.
static scree_status add_dump(struct scree_reading *reading, struct claims *claims,
                             const struct scree_node *map, const struct claim *record, bool *told)
{
    const struct scree_format *format;
    const char *name;
    const bool named = scree_reading_has(map, SCREE_KEY_record_format) &&
                       scree_reading_text(reading, map, SCREE_KEY_record_format, &name);
    if ((named ? scree_formats_find(name, &format) : scree_formats_of_path(record->said, &format)) !=
            SCREE_OK ||
        format->many)
        return add(reading, claims, record, told);
    struct claim stem = *record;
    const char *slash = strrchr(stem.stem, '/');
    char *dot = strrchr(stem.stem, '.'), ending[LONGEST + 1] = "";
    char *kept;
    if (dot && (slash ? dot > slash + 1 : true)) {
        snprintf(ending, sizeof ending, "%s", dot);
        *dot = 0;
    }
    SCREE_TRY(scree_tree_text(&reading->tree, ending, strlen(ending), &kept));
    return add_derived(reading, claims, &stem, "-", true, kept, told);
}

static scree_status add_record(struct scree_reading *reading, struct claims *claims,
                               const struct scree_node *map)
{
    static const enum scree_key_id keys[] = {SCREE_KEY_record_table, SCREE_KEY_record_track,
                                             SCREE_KEY_record_frames, SCREE_KEY_record_checkpoint,
                                             SCREE_KEY_record_dump};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k) {
        struct claim claim = {.node = scree_reading_node(map, keys[k]), .ending = ""};
        bool told = false;
        if (!claim.node || !scree_reading_text(reading, map, keys[k], &claim.said))
            continue;
        tidy(claim.said, claim.stem);
        if (keys[k] == SCREE_KEY_record_frames)
            return add_frames(reading, claims, &claim, &told);
        if (keys[k] == SCREE_KEY_record_dump)
            return add_dump(reading, claims, map, &claim, &told);
        if (keys[k] != SCREE_KEY_record_checkpoint)
            return add(reading, claims, &claim, &told);
        SCREE_TRY(add_derived(reading, claims, &claim, "", false, "", &told));
        return add_derived(reading, claims, &claim, "", false, SCREE_CHECKPOINT_PREVIOUS, &told);
    }
    return SCREE_OK;
}

// A file that the scene is read from, under the scene's folder.
static scree_status add_source(struct claims *claims, const char *path, const char *is)
{
    struct claim claim = {.said = path, .ending = "", .is = is};
    tidy(path, claim.stem);
    return scree_array_push(&claims->all, claim);
}

static scree_status add_sources(struct scree_reading *reading, struct claims *claims)
{
    const struct scree_node *bodies = scree_reading_node(reading->root, SCREE_KEY_scene_bodies);
    if (reading->name) {
        const char *slash = strrchr(reading->name, '/');
        SCREE_TRY(add_source(claims, slash ? slash + 1 : reading->name, own));
    }
    for (size_t k = 0; k < reading->included.count; ++k)
        SCREE_TRY(add_source(claims, reading->included.data[k]->text, part));
    for (size_t k = 0; bodies && k < bodies->count; ++k) {
        const struct scree_node *read = scree_reading_node(bodies->item[k], SCREE_KEY_bodies_read);
        const char *path;
        if (read && scree_reading_text(reading, read, SCREE_KEY_read_file, &path))
            SCREE_TRY(add_source(claims, path, source));
    }
    return SCREE_OK;
}

scree_status scree_path_conflict_check(struct scree_reading *reading, const struct scree_node *list)
{
    struct claims claims = {0};
    scree_status status = add_sources(reading, &claims);
    for (size_t k = 0; status == SCREE_OK && k < list->count && k < SCREE_CLAIM_RECORDS; ++k)
        status = add_record(reading, &claims, list->item[k]);
    scree_array_free(&claims.all);
    return status;
}
