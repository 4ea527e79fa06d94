// `scree new`: writes one of the example scenes.

#include "new.h"

#include "cli.h"
#include "embedded/scenes.h"
#include "quote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The name of an example is its file name without the extension.
static size_t name_length(const struct scree_embedded *scene)
{
    return strcspn(scene->name, ".");
}

const struct scree_embedded *scree_new_find(const char *name)
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

int scree_new_write(const struct scree_embedded *scene, const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    // handle a file size limit as a write error, like a full disk
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    const ssize_t written = write(file, scene->text, scene->size);
    int error = written == (ssize_t)scene->size ? 0 : written < 0 ? errno : ENOSPC;
    signal(SIGXFSZ, handler);
    if (close(file) != 0 && error == 0)
        error = errno;
    // remove an incomplete scene: it would block the next attempt
    if (error != 0)
        (void)unlink(path);
    return error;
}

int scree_new_folders(const char *path)
{
    char part[4096];
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        return ENAMETOOLONG;
    for (char *at = part + 1;; ++at) {
        const char end = *at;
        if (end != '/' && end != 0)
            continue;
        *at = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return errno;
        *at = end;
        if (end == 0)
            return 0;
    }
}

static int write_scene(const struct scree_embedded *scene, const char *path)
{
    const int error = scree_new_write(scene, path);
    if (error != 0) {
        fprintf(stderr, "scree new: cannot write '%s': %s\n", path, strerror(error));
        return SCREE_CLI_FAILED;
    }
    printf("wrote %s: `scree check ", path);
    scree_quote_path(stdout, path);
    printf("` prints what it contains, `scree run ");
    scree_quote_path(stdout, path);
    printf("` runs it\n");
    return SCREE_CLI_OK;
}

int scree_cli_new(const struct scree_cli_line *line)
{
    char path[256];
    if (!scree_cli_words(line, 0, 2, "name one example, and optionally a file"))
        return SCREE_CLI_USAGE;
    if (line->count == 0) {
        list(stdout);
        return SCREE_CLI_OK;
    }
    const struct scree_embedded *scene = scree_new_find(line->words[0]);
    if (!scene) {
        fprintf(stderr, "scree new: there is no example '%s'; the examples are ", line->words[0]);
        list(stderr);
        return SCREE_CLI_USAGE;
    }
    snprintf(path, sizeof path, "%s", scene->name);
    return write_scene(scene, line->count == 2 ? line->words[1] : path);
}
