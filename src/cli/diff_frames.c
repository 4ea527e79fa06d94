// Two frames, or two series of them, side by side.

#include "diff.h"

#include <scree/compare.h>

#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

static int compare(const char *const path[2], const char *which)
{
    struct scree_difference difference;
    if (scree_compare_frames(path[0], path[1], &difference) != SCREE_OK) {
        fprintf(stderr, "scree diff: %s\n", scree_status_message());
        return SCREE_CLI_USAGE;
    }
    if (!difference.differs)
        return SCREE_CLI_OK;
    printf("%s%s: %s and %s\n", which, difference.where, difference.value[0], difference.value[1]);
    return SCREE_CLI_FAILED;
}

int scree_diff_frames(const char *const path[2])
{
    const int status = compare(path, "");
    if (status == SCREE_CLI_OK)
        printf("equal\n");
    return status;
}

// The next frame of an index, which has one a line; false past the last. `name` is its file, `time` as it is
// written.
static bool next_frame(FILE *index, const char *path, char *name, char *time)
{
    char line[PATH], file[PATH / 4];
    const char *slash = strrchr(path, '/');
    while (fgets(line, sizeof line, index)) {
        const char *at = strstr(line, "\"name\""), *when = strstr(line, "\"time\"");
        if (!at || !when || sscanf(at, "\"name\" : \"%1000[^\"]\"", file) != 1 ||
            sscanf(when, "\"time\" : %60[-+.0-9eEinfa]", time) != 1)
            continue;
        return snprintf(name, PATH, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, file) < PATH;
    }
    return false;
}

static int compare_series(FILE *const index[2], const char *const path[2])
{
    char name[2][PATH], time[2][64], which[160];
    for (size_t frame = 0;; ++frame) {
        const bool more[2] = {next_frame(index[0], path[0], name[0], time[0]),
                              next_frame(index[1], path[1], name[1], time[1])};
        if (!more[0] && !more[1]) {
            printf("equal: %zu frames\n", frame);
            return SCREE_CLI_OK;
        }
        if (!more[0] || !more[1]) {
            printf("the %s goes on with frame %zu at %s s, where the other ends\n",
                   more[0] ? "first" : "second", frame, time[more[0] ? 0 : 1]);
            return SCREE_CLI_FAILED;
        }
        if (strcmp(time[0], time[1]) != 0) {
            printf("frame %zu: the times %s s and %s s\n", frame, time[0], time[1]);
            return SCREE_CLI_FAILED;
        }
        snprintf(which, sizeof which, "frame %zu at %s s: ", frame, time[0]);
        const int status = compare((const char *const[2]){name[0], name[1]}, which);
        if (status != SCREE_CLI_OK)
            return status;
    }
}

int scree_diff_series(const char *const path[2])
{
    FILE *const index[2] = {fopen(path[0], "r"), fopen(path[1], "r")};
    int status = SCREE_CLI_USAGE;
    if (index[0] && index[1])
        status = compare_series(index, path);
    else
        perror("scree diff: cannot open a series");
    for (int side = 0; side < 2; ++side)
        if (index[side])
            fclose(index[side]);
    return status;
}
