// `scree diff`: finds the first difference between two results, and the kinds of result files, see diff.h.

#include "diff.h"

#include <scree/compare.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum scree_diff_kind scree_diff_kind(const char *path)
{
    char head[64] = {0};
    struct stat facts;
    FILE *file = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) ? NULL : fopen(path, "rb");
    if (!file)
        return SCREE_DIFF_NONE;
    (void)!fread(head, 1, sizeof head - 1, file);
    const bool read = !ferror(file);
    fclose(file);
    if (!read)
        return SCREE_DIFF_NONE;
    if (strncmp(head, "Scree checkpoint ", 17) == 0)
        return SCREE_DIFF_CHECKPOINT;
    if (strncmp(head, "Scree frame ", 12) == 0)
        return SCREE_DIFF_FRAME;
    return strstr(head, "file-series-version") ? SCREE_DIFF_SERIES : SCREE_DIFF_TEXT;
}

bool scree_diff_is_scene(const char *path)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (!found && file && fgets(line, sizeof line, file))
        found = strncmp(line, "scree:", 6) == 0;
    if (file)
        fclose(file);
    return found;
}

// --- the index of a series, JSON with one frame per line

bool scree_diff_open(struct scree_diff_index *index, const char *path)
{
    *index = (struct scree_diff_index){.file = fopen(path, "r"), .path = path};
    return index->file != NULL;
}

void scree_diff_close(struct scree_diff_index *index)
{
    if (index->file)
        fclose(index->file);
    index->file = NULL;
}

// Replaces JSON escape sequences in place.
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; ++to) {
        char digits[5] = "";
        if (from[0] == '\\' && from[1] == 'u' && strlen(from) >= 6) {
            memcpy(digits, from + 2, 4);
            *to = (char)strtol(digits, NULL, 16);
            from += 6;
        } else {
            *to = *from++;
        }
    }
    *to = 0;
}

// Keeps the last two characters that are not white space, to detect a truncated file.
static void track_ending(struct scree_diff_index *index, const char *line)
{
    for (; *line; ++line)
        if (!strchr(" \t\r\n", *line)) {
            index->ending[0] = index->ending[1];
            index->ending[1] = *line;
        }
}

// Parses the name and time of a frame from a line; returns false if the line is malformed.
static bool read_frame(struct scree_diff_index *index, const char *line, const char *name)
{
    char file[SCREE_DIFF_PATH / 4];
    const char *time = strstr(line, "\"time\""), *slash = strrchr(index->path, '/');
    if (!time || sscanf(name, "\"name\" : \"%1000[^\"]\"", file) != 1 ||
        sscanf(time, "\"time\" : %60[-+.0-9eEinfa]", index->time) != 1)
        return false;
    unescape(file);
    const int folder = slash ? (int)(slash - index->path + 1) : 0;
    return snprintf(index->name, sizeof index->name, "%.*s%s", folder, index->path, file) <
           (int)sizeof index->name;
}

bool scree_diff_next(struct scree_diff_index *index)
{
    char line[SCREE_DIFF_PATH];
    while (fgets(line, sizeof line, index->file)) {
        const char *name = strstr(line, "\"name\"");
        ++index->line;
        track_ending(index, line);
        if (!name)
            continue;
        if (read_frame(index, line, name))
            return true;
        index->error = "the name or the time of a frame is missing or malformed";
        return false;
    }
    if (memcmp(index->ending, "]}", 2) != 0)
        index->error = "the file is truncated: `]}` is missing at its end";
    return false;
}

// --- frames and series of frames

static int compare_frame_pair(const char *const path[2], const char *prefix)
{
    struct scree_difference difference;
    if (scree_compare_frames(path[0], path[1], &difference) != SCREE_OK)
        return scree_cli_fail(SCREE_CLI_USAGE, "diff: %s", scree_status_message());
    if (!difference.differs)
        return SCREE_CLI_OK;
    printf("%s%s: %s and %s\n", prefix, difference.where, difference.value[0], difference.value[1]);
    return SCREE_CLI_FAILED;
}

static int compare_frames(const char *const path[2])
{
    const int status = compare_frame_pair(path, "");
    if (status == SCREE_CLI_OK)
        printf("equal\n");
    return status;
}

static int compare_series(struct scree_diff_index index[2])
{
    char prefix[160];
    for (size_t frame = 0;; ++frame) {
        const bool more[2] = {scree_diff_next(&index[0]), scree_diff_next(&index[1])};
        for (int side = 0; side < 2; ++side)
            if (index[side].error)
                return scree_cli_fail(SCREE_CLI_USAGE, "diff: '%s', line %zu: %s", index[side].path,
                                      index[side].line, index[side].error);
        if (!more[0] && !more[1]) {
            printf("equal: %zu frames\n", frame);
            return SCREE_CLI_OK;
        }
        if (!more[0] || !more[1]) {
            printf("the %s has more frames: frame %zu at %s s is missing in the other\n",
                   more[0] ? "first" : "second", frame, index[more[0] ? 0 : 1].time);
            return SCREE_CLI_FAILED;
        }
        if (strcmp(index[0].time, index[1].time) != 0) {
            printf("frame %zu: time: %s s and %s s\n", frame, index[0].time, index[1].time);
            return SCREE_CLI_FAILED;
        }
        snprintf(prefix, sizeof prefix, "frame %zu at %s s: ", frame, index[0].time);
        const int status = compare_frame_pair((const char *const[2]){index[0].name, index[1].name}, prefix);
        if (status != SCREE_CLI_OK)
            return status;
    }
}

static int compare_series_files(const char *const path[2])
{
    struct scree_diff_index index[2] = {{0}, {0}};
    int status = SCREE_CLI_USAGE;
    if (scree_diff_open(&index[0], path[0]) && scree_diff_open(&index[1], path[1]))
        status = compare_series(index);
    else
        perror("scree diff: cannot open a series");
    scree_diff_close(&index[0]);
    scree_diff_close(&index[1]);
    return status;
}

// --- the command

int scree_cli_diff(const struct scree_cli_line *line)
{
    static const char *const names[] = {"", "a checkpoint", "a series of frames", "a frame", "a table"};
    enum scree_diff_kind kind[2];
    double tolerance;
    if (!scree_cli_check_count(line, 2, 2,
                               "name two files: tables, checkpoints, frames or series of frames") ||
        !scree_cli_number(line, "tolerance", "a non-negative number", true, 0, &tolerance))
        return SCREE_CLI_USAGE;
    const char *const path[2] = {line->words[0], line->words[1]};
    for (int side = 0; side < 2; ++side) {
        errno = 0;
        kind[side] = scree_diff_kind(path[side]);
        if (kind[side] == SCREE_DIFF_TEXT && scree_diff_is_scene(path[side]))
            return scree_cli_fail(
                SCREE_CLI_USAGE,
                "diff: '%s' is a scene: compare its results instead, for example tables or checkpoints",
                path[side]);
        if (kind[side] != SCREE_DIFF_NONE)
            continue;
        return scree_cli_fail(SCREE_CLI_USAGE, "diff: cannot read '%s': %s", path[side],
                              errno ? strerror(errno) : "it is not a file");
    }
    if (kind[0] != kind[1])
        return scree_cli_fail(SCREE_CLI_USAGE, "diff: '%s' is %s, and '%s' is %s", path[0], names[kind[0]],
                              path[1], names[kind[1]]);
    if (scree_cli_has(line, "tolerance") && kind[0] != SCREE_DIFF_TEXT)
        return scree_cli_fail(SCREE_CLI_USAGE,
                              "diff: --tolerance is for tables; other files are compared bit by bit");
    return kind[0] == SCREE_DIFF_CHECKPOINT ? scree_diff_checkpoints(path)
           : kind[0] == SCREE_DIFF_SERIES   ? compare_series_files(path)
           : kind[0] == SCREE_DIFF_FRAME    ? compare_frames(path)
                                            : scree_diff_tables(path, tolerance);
}
