// `scree help man`: the manual pages as scdoc reads them, as far as they follow from tables. What is written
// by hand comes behind it, from docs/man.

#include "help.h"

#include <scree/scene.h>

#include <ctype.h>
#include <string.h>

// A text in which nothing is a mark; what stands between backquotes is bold. The first letter is made large.
static void print_text(const char *text, bool large)
{
    for (const char *at = text; *at; ++at) {
        if (*at == '`')
            putchar('*');
        else if (strchr("_*\\<>#~", *at))
            printf("\\%c", *at);
        else
            putchar(large && at == text ? toupper((unsigned char)*at) : *at);
    }
}

const struct scree_help_exit scree_help_exits[SCREE_HELP_EXITS] = {
    {SCREE_CLI_OK, "What was asked for was done"},
    {SCREE_CLI_FAILED, "It was done and the answer is no, or it could not be done"},
    {SCREE_CLI_USAGE, "The command was not understood; of diff, a file cannot be read"},
    {SCREE_CLI_INTERRUPTED, "A run was interrupted by Ctrl-C, SIGTERM, SIGHUP or for want of a reader of its "
                            "output, and ended in step with every file whole and a checkpoint to go on from; "
                            "or a sweep was, whose table has the status of each of its points"},
    {SCREE_CLI_UNBEGUN, "A run was interrupted before its first step: there is nothing to go on from, and no "
                        "file was written"},
};

static void print_option(const struct scree_cli_option *option)
{
    printf("*%s%s*", option->dashes, option->name);
    if (option->value[0]) {
        printf(" _");
        print_text(option->value, false);
        printf("_");
    }
}

static void print_command(const struct scree_cli_command *command)
{
    const struct scree_cli_option *option = NULL;
    printf("scree-%s(1) \"\" \"Scree\"\n\n# NAME\n\nscree-%s - ", command->name, command->name);
    print_text(command->about, false);
    printf("\n\n# SYNOPSIS\n\n*scree %s*", command->name);
    while ((option = scree_cli_option_after(command, option))) {
        printf(" [");
        print_option(option);
        printf("]");
    }
    printf(" ");
    print_text(command->words, false);
    printf("\n\n# DESCRIPTION\n\n");
    print_text(command->details, false);
    printf("\n\n# OPTIONS\n\n");
    while ((option = scree_cli_option_after(command, option))) {
        print_option(option);
        printf("\n\t");
        print_text(option->about, true);
        printf(".\n\n");
    }
    printf("*-h*, *--help*\n\tTells how the command is used.\n\n# EXIT STATUS\n\nAs that of *scree*(1).\n\n");
}

static void print_overview(void)
{
    printf("scree(1) \"\" \"Scree\"\n\n# NAME\n\nscree - a discrete element engine\n\n# SYNOPSIS\n\n"
           "*scree* _COMMAND_ [options] ...\n\n*scree* *--version*\n\n*scree* *--help*\n\n# COMMANDS\n\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        printf("*scree-%s*(1)\n\t", command->name);
        print_text(command->about, true);
        printf(".\n\n");
    }
    printf("# EXIT STATUS\n\n");
    for (size_t e = 0; e < SCREE_HELP_EXITS; ++e)
        printf("*%d*\n\t%s.\n\n", scree_help_exits[e].status, scree_help_exits[e].about);
}

static void print_key(const struct scree_scene_key *key)
{
    printf("*");
    print_text(key->name, false);
    printf("*");
    if (key->unit[0]) {
        printf(" in ");
        print_text(key->unit, false);
    }
    printf("\n\t");
    print_text(key->about, false);
    if (key->needed)
        printf(" Must be given.");
    else if (key->standard[0]) {
        printf(" If left out: ");
        print_text(key->standard, false);
        printf(".");
    }
    printf("\n\n");
}

static void print_keys(void)
{
    struct scree_scene_key key;
    const char *section = "";
    printf("scree-scene(5) \"\" \"Scree\"\n\n# NAME\n\nscree-scene - scenes of Scree, in YAML\n\n# KEYS\n\n");
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k) {
        if (strcmp(key.section, section) != 0) {
            printf("## Of ");
            print_text(key.section, false);
            printf("\n\n");
        }
        section = key.section;
        print_key(&key);
    }
}

int scree_help_manual(const char *name)
{
    const struct scree_cli_command *command = NULL;
    if (!name)
        print_overview();
    else if (strcmp(name, "scene") == 0)
        print_keys();
    else if ((command = scree_cli_find(name)))
        print_command(command);
    else
        return SCREE_CLI_USAGE;
    return SCREE_CLI_OK;
}
