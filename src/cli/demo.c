// `scree demo`: writes the hopper scene and runs it, as `scree run` does.

#include "cli.h"
#include "embedded/scenes.h"
#include "new.h"
#include "quote.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 500, WORDS = 2 * SCREE_CLI_GIVEN + 4 };

// Returns true if a file is identical to the embedded scene.
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

// Writes the scene, unless an identical file exists; returns an exit status.
static int write_scene(const struct scree_embedded *scene, const char *folder, const char *path)
{
    int error = scree_new_folders(folder);
    if (error == 0)
        error = scree_new_write(scene, path);
    if (error == 0 || (error == EEXIST && is_unchanged(scene, path)))
        return SCREE_CLI_OK;
    if (error == EEXIST) {
        fprintf(stderr, "scree demo: '%s' differs from the scene of the demo: run it with `scree run ", path);
        scree_quote_path(stderr, path);
        fprintf(stderr, "`, remove it, or choose another folder with --to FOLDER\n");
    } else
        fprintf(stderr, "scree demo: cannot write '%s': %s; choose another folder with --to FOLDER\n", path,
                strerror(error));
    return SCREE_CLI_FAILED;
}

// Makes the arguments of `scree run`; returns their number.
static int make_words(const struct scree_cli_line *line, char *path, char *words[WORDS])
{
    static char force[] = "--force", variable[] = "-D", threads[] = "--threads", end[] = "--";
    int count = 0;
    words[count++] = force;
    for (size_t g = 0; g < line->given; ++g) {
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
        scree_quote_word(stdout, words[w]);
    }
    printf(" ");
    scree_quote_path(stdout, words[count - 1]);
    printf("\n");
    fflush(stdout);
}

int scree_cli_demo(const struct scree_cli_line *line)
{
    const char *folder = scree_cli_has(line, "to") ? scree_cli_value(line, "to") : "build/demo";
    const struct scree_embedded *scene = scree_new_find("hopper");
    char path[LONGEST + 32], *words[WORDS];
    struct scree_cli_line run;
    if (!scree_cli_words(line, 0, 0, "takes no arguments, only options"))
        return SCREE_CLI_USAGE;
    if (folder[0] == 0 || strlen(folder) > LONGEST) {
        fprintf(stderr, "scree demo: --to takes the path of a folder, of at most %d characters\n",
                (int)LONGEST);
        return SCREE_CLI_USAGE;
    }
    snprintf(path, sizeof path, "%s/%s", folder, scene->name);
    const int status = write_scene(scene, folder, path);
    if (status != SCREE_CLI_OK)
        return status;
    const int count = make_words(line, path, words);
    print_command(count, words);
    return scree_cli_read(scree_cli_find("run"), count, words, &run) ? scree_cli_run(&run) : SCREE_CLI_USAGE;
}
