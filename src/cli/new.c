// `scree new`: writes one of the example scenes and the files that it reads. `scree demo`: writes the hopper
// scene and runs it, as `scree run` does.

#include "cli.h"
#include "embedded/parts.h"
#include "embedded/scenes.h"

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

// Returns the example of that name; null if there is none.
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

// Writes a scene to a new file. Returns 0 or an errno value, EEXIST if the file exists.
static int write_new(const struct scree_embedded *scene, const char *path)
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

// Returns true if a file is identical to the embedded one.
static bool is_unchanged(const struct scree_embedded *scene, const char *path)
{
    FILE *file = fopen(path, "r");
    bool same = file != NULL;
    for (size_t at = 0; same && at < scene->size; ++at)
        same = fgetc(file) == (unsigned char)scene->text[at];
    same = same && fgetc(file) == EOF;
    if (file)
        fclose(file);
    return same;
}

int scree_cli_make_folders(const char *path)
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

// Writes the files that a scene names beside it, unless identical ones exist; returns an exit status.
static int write_parts(const struct scree_embedded *scene, const char *path)
{
    const char *slash = strrchr(path, '/');
    for (const struct scree_embedded *part = scree_embedded_parts; part->name; ++part) {
        char beside[4096];
        if (!strstr(scene->text, part->name))
            continue;
        const int length =
            snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, part->name);
        const int error = length < (int)sizeof beside ? write_new(part, beside) : ENAMETOOLONG;
        if (error == 0)
            printf("wrote %s\n", beside);
        else if (error != EEXIST || !is_unchanged(part, beside))
            return scree_cli_fail(SCREE_CLI_FAILED, "new: cannot write '%s', which the scene reads: %s",
                                  beside, strerror(error));
    }
    return SCREE_CLI_OK;
}

static int write_scene(const struct scree_embedded *scene, const char *path)
{
    // the scene comes last: it would block the next attempt
    const int status = write_parts(scene, path);
    if (status != SCREE_CLI_OK)
        return status;
    const int error = write_new(scene, path);
    if (error != 0)
        return scree_cli_fail(SCREE_CLI_FAILED, "new: cannot write '%s': %s", path, strerror(error));
    printf("wrote %s: ", path);
    scree_cli_quote_path(stdout, "`scree check ", path, "` prints what it contains, ");
    scree_cli_quote_path(stdout, "`scree run ", path, "` runs it\n");
    return SCREE_CLI_OK;
}

int scree_cli_new(const struct scree_cli_line *line)
{
    char path[256];
    if (!scree_cli_check_count(line, 0, 2, "name one example, and optionally a file"))
        return SCREE_CLI_USAGE;
    if (line->count == 0) {
        list(stdout);
        return SCREE_CLI_OK;
    }
    const struct scree_embedded *scene = find(line->words[0]);
    if (!scene) {
        fprintf(stderr, "scree new: there is no example '%s'; the examples are ", line->words[0]);
        list(stderr);
        return SCREE_CLI_USAGE;
    }
    snprintf(path, sizeof path, "%s", scene->name);
    return write_scene(scene, line->count == 2 ? line->words[1] : path);
}

// --- the demo

enum { LONGEST = 500, WORDS = 2 * SCREE_CLI_MAX_OPTIONS + 4 };

// Writes the scene, unless an identical file exists; returns an exit status.
static int write_demo(const struct scree_embedded *scene, const char *folder, const char *path)
{
    int error = scree_cli_make_folders(folder);
    if (error == 0)
        error = write_new(scene, path);
    if (error == 0 || (error == EEXIST && is_unchanged(scene, path)))
        return SCREE_CLI_OK;
    if (error != EEXIST)
        return scree_cli_fail(SCREE_CLI_FAILED,
                              "demo: cannot write '%s': %s; choose another folder with --to FOLDER", path,
                              strerror(error));
    fprintf(stderr, "scree demo: '%s' differs from the scene of the demo: run it with ", path);
    scree_cli_quote_path(stderr, "`scree run ", path,
                         "`, remove it, or choose another folder with --to FOLDER\n");
    return SCREE_CLI_FAILED;
}

// Makes the arguments of `scree run`; returns their number.
static int make_words(const struct scree_cli_line *line, char *path, char *words[WORDS])
{
    static char force[] = "--force", variable[] = "-D", threads[] = "--threads", end[] = "--";
    int count = 0;
    words[count++] = force;
    for (size_t g = 0; g < line->options; ++g) {
        if (strcmp(line->option[g]->name, "to") == 0)
            continue;
        words[count++] = strcmp(line->option[g]->name, "D") == 0 ? variable : threads;
        words[count++] = (char *)line->value[g];
    }
    words[count++] = end;
    words[count++] = path;
    return count;
}

// Prints the equivalent command; the last two words are `--` and the scene.
static void print_command(int count, char *words[WORDS])
{
    printf("scree run");
    for (int w = 0; w < count - 2; ++w) {
        printf(" ");
        scree_cli_quote_word(stdout, words[w]);
    }
    scree_cli_quote_path(stdout, " ", words[count - 1], "\n");
    fflush(stdout);
}

int scree_cli_demo(const struct scree_cli_line *line)
{
    const char *folder = scree_cli_has(line, "to") ? scree_cli_value(line, "to") : "build/demo";
    const struct scree_embedded *scene = find("hopper");
    char path[LONGEST + 32], *words[WORDS];
    struct scree_cli_line run;
    if (!scree_cli_check_count(line, 0, 0, "takes no arguments, only options"))
        return SCREE_CLI_USAGE;
    if (folder[0] == 0 || strlen(folder) > LONGEST)
        return scree_cli_fail(
            SCREE_CLI_USAGE, "demo: --to takes the path of a folder, of at most %d characters", (int)LONGEST);
    snprintf(path, sizeof path, "%s/%s", folder, scene->name);
    const int status = write_demo(scene, folder, path);
    if (status != SCREE_CLI_OK)
        return status;
    const int count = make_words(line, path, words);
    print_command(count, words);
    return scree_cli_read(scree_cli_find("run"), count, words, &run) ? scree_cli_run(&run) : SCREE_CLI_USAGE;
}
