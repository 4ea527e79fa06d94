// The index of a series of frames, see index.h. It is JSON with one frame a line.

#include "index.h"

#include <stdlib.h>
#include <string.h>

bool scree_index_open(struct scree_index *index, const char *path)
{
    *index = (struct scree_index){.file = fopen(path, "r"), .path = path};
    return index->file != NULL;
}

void scree_index_close(struct scree_index *index)
{
    if (index->file)
        fclose(index->file);
    index->file = NULL;
}

// Letters of JSON become those that they stand for, at the same place.
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

static void see_ending(struct scree_index *index, const char *line)
{
    for (; *line; ++line)
        if (!strchr(" \t\r\n", *line)) {
            index->ending[0] = index->ending[1];
            index->ending[1] = *line;
        }
}

// Takes the frame of a line that names one; false where it cannot be told.
static bool take(struct scree_index *index, const char *line, const char *name)
{
    char file[SCREE_INDEX_PATH / 4];
    const char *when = strstr(line, "\"time\""), *slash = strrchr(index->path, '/');
    if (!when || sscanf(name, "\"name\" : \"%1000[^\"]\"", file) != 1 ||
        sscanf(when, "\"time\" : %60[-+.0-9eEinfa]", index->time) != 1)
        return false;
    unescape(file);
    const int folder = slash ? (int)(slash - index->path + 1) : 0;
    return snprintf(index->name, sizeof index->name, "%.*s%s", folder, index->path, file) <
           (int)sizeof index->name;
}

bool scree_index_next(struct scree_index *index)
{
    char line[SCREE_INDEX_PATH];
    while (fgets(line, sizeof line, index->file)) {
        const char *name = strstr(line, "\"name\"");
        ++index->line;
        see_ending(index, line);
        if (!name)
            continue;
        if (take(index, line, name))
            return true;
        index->broken = "a line names no frame, or does not tell its time";
        return false;
    }
    if (memcmp(index->ending, "]}", 2) != 0)
        index->broken = "it is cut off: its end, `]}`, is missing";
    return false;
}
