// Compares two frames, or two series of frames.

#include "diff.h"
#include "index.h"

#include <scree/compare.h>

#include <string.h>

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

static int compare_series(struct scree_index index[2])
{
    char which[160];
    for (size_t frame = 0;; ++frame) {
        const bool more[2] = {scree_index_next(&index[0]), scree_index_next(&index[1])};
        for (int side = 0; side < 2; ++side)
            if (index[side].broken) {
                fprintf(stderr, "scree diff: '%s', line %zu: %s\n", index[side].path, index[side].line,
                        index[side].broken);
                return SCREE_CLI_USAGE;
            }
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
        snprintf(which, sizeof which, "frame %zu at %s s: ", frame, index[0].time);
        const int status = compare((const char *const[2]){index[0].name, index[1].name}, which);
        if (status != SCREE_CLI_OK)
            return status;
    }
}

int scree_diff_series(const char *const path[2])
{
    struct scree_index index[2] = {{0}, {0}};
    int status = SCREE_CLI_USAGE;
    if (scree_index_open(&index[0], path[0]) && scree_index_open(&index[1], path[1]))
        status = compare_series(index);
    else
        perror("scree diff: cannot open a series");
    scree_index_close(&index[0]);
    scree_index_close(&index[1]);
    return status;
}
