// `scree diff`: finds the first difference between two results.

#include "diff.h"

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
    bool is = false;
    FILE *file = fopen(path, "r");
    while (!is && file && fgets(line, sizeof line, file))
        is = strncmp(line, "scree:", 6) == 0;
    if (file)
        fclose(file);
    return is;
}

int scree_cli_diff(const struct scree_cli_line *line)
{
    static const char *const names[] = {"", "a checkpoint", "a series of frames", "a frame", "a table"};
    enum scree_diff_kind kind[2];
    double tolerance;
    if (!scree_cli_words(line, 2, 2, "name two files: tables, checkpoints, frames or series of frames") ||
        !scree_cli_number(line, "tolerance", "a non-negative number", true, 0, &tolerance))
        return SCREE_CLI_USAGE;
    const char *const path[2] = {line->words[0], line->words[1]};
    for (int side = 0; side < 2; ++side) {
        errno = 0;
        kind[side] = scree_diff_kind(path[side]);
        if (kind[side] == SCREE_DIFF_TEXT && scree_diff_is_scene(path[side])) {
            fprintf(stderr,
                    "scree diff: '%s' is a scene: compare its results instead, for example tables or "
                    "checkpoints\n",
                    path[side]);
            return SCREE_CLI_USAGE;
        }
        if (kind[side] != SCREE_DIFF_NONE)
            continue;
        fprintf(stderr, "scree diff: cannot read '%s': %s\n", path[side],
                errno ? strerror(errno) : "it is not a file");
        return SCREE_CLI_USAGE;
    }
    if (kind[0] != kind[1]) {
        fprintf(stderr, "scree diff: '%s' is %s, and '%s' is %s\n", path[0], names[kind[0]], path[1],
                names[kind[1]]);
        return SCREE_CLI_USAGE;
    }
    if (scree_cli_has(line, "tolerance") && kind[0] != SCREE_DIFF_TEXT) {
        fprintf(stderr, "scree diff: --tolerance is for tables; other files are compared bit by bit\n");
        return SCREE_CLI_USAGE;
    }
    return kind[0] == SCREE_DIFF_CHECKPOINT ? scree_diff_checkpoints(path)
           : kind[0] == SCREE_DIFF_SERIES   ? scree_diff_series(path)
           : kind[0] == SCREE_DIFF_FRAME    ? scree_diff_frames(path)
                                            : scree_diff_tables(path, tolerance);
}
