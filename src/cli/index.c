// Reader of the index of a series of frames, see index.h. The index is JSON with one frame per line.

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
static void track_ending(struct scree_index *index, const char *line)
{
    for (; *line; ++line)
        if (!strchr(" \t\r\n", *line)) {
            index->ending[0] = index->ending[1];
            index->ending[1] = *line;
        }
}

// Parses the name and time of a frame from a line; returns false if the line is malformed.
static bool read_frame(struct scree_index *index, const char *line, const char *name)
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
        track_ending(index, line);
        if (!name)
            continue;
        if (read_frame(index, line, name))
            return true;
        index->broken = "the name or the time of a frame is missing or malformed";
        return false;
    }
    if (memcmp(index->ending, "]}", 2) != 0)
        index->broken = "the file is truncated: `]}` is missing at its end";
    return false;
}
