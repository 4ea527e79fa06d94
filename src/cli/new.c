// `scree new`: writes a scene to begin with, one of the examples.

#include "cli.h"
#include "embedded/scenes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Names of examples are those of their files without the ending.
static size_t name_length(const struct scree_embedded *scene)
{
    return strcspn(scene->name, ".");
}

static const struct scree_embedded *find(const char *name)
{
    for (const struct scree_embedded *scene = scree_embedded_scenes; scene->name; ++scene)
        if (strlen(name) == name_length(scene) && strncmp(scene->name, name, name_length(scene)) == 0)
            return scene;
    return NULL;
}

static void list(FILE *stream)
{
    for (const struct scree_embedded *scene = scree_embedded_scenes; scene->name; ++scene)
        fprintf(stream, "%s%.*s", scene == scree_embedded_scenes ? "" : ", ", (int)name_length(scene),
                scene->name);
    fprintf(stream, "\n");
}

// What is there already stays.
static int write_scene(const struct scree_embedded *scene, const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        fprintf(stderr, "scree new: cannot write '%s': %s\n", path, strerror(errno));
        return SCREE_CLI_FAILED;
    }
    const ssize_t written = write(file, scene->text, scene->size);
    const int error = written < 0 ? errno : ENOSPC;
    if (close(file) != 0 || written != (ssize_t)scene->size) {
        fprintf(stderr, "scree new: cannot write '%s': %s\n", path, strerror(error));
        return SCREE_CLI_FAILED;
    }
    printf("wrote %s: `scree check %s` tells what it makes, `scree run %s` runs it\n", path, path, path);
    return SCREE_CLI_OK;
}

int scree_cli_new(int count, char **words)
{
    char path[256];
    const int kept = scree_cli_read("new", count, words, NULL, 0);
    if (kept < 0)
        return SCREE_CLI_USAGE;
    const struct scree_embedded *scene = kept > 0 ? find(words[0]) : NULL;
    if (kept < 1 || kept > 2 || !scene) {
        if (kept > 0 && !scene)
            fprintf(stderr, "scree new: there is no scene '%s'; there are ", words[0]);
        else
            fprintf(stderr, "scree new: name one scene, and a file if you like; there are ");
        list(stderr);
        return SCREE_CLI_USAGE;
    }
    snprintf(path, sizeof path, "%s", scene->name);
    return write_scene(scene, kept == 2 ? words[1] : path);
}
