// `scree help man`: prints the part of the manual pages that is generated from tables, in scdoc format. The
// hand-written part, from docs/man, is appended to it.

#include "cli.h"

#include <scree/scene.h>

#include <ctype.h>
#include <string.h>

// Prints a text with the special characters of scdoc escaped, between two others; text between backquotes
// becomes bold. In a sentence the first letter becomes upper case.
static void print_as(bool sentence, const char *before, const char *text, const char *after)
{
    fputs(before, stdout);
    for (const char *at = text; *at; ++at) {
        if (*at == '`')
            putchar('*');
        else if (strchr("_*\\<>#~", *at))
            printf("\\%c", *at);
        else
            putchar(sentence && at == text ? toupper((unsigned char)*at) : *at);
    }
    fputs(after, stdout);
}

static void print(const char *before, const char *text, const char *after)
{
    print_as(false, before, text, after);
}

const struct scree_help_exit scree_help_exits[SCREE_HELP_EXITS] = {
    {SCREE_CLI_OK, "Success"},
    {SCREE_CLI_FAILED, "The command failed; or results differ (diff), or a case fails (verify)"},
    {SCREE_CLI_USAGE, "Invalid command line; for diff also a file that cannot be read"},
    {SCREE_CLI_INTERRUPTED, "A run was interrupted by Ctrl-C, SIGTERM, SIGHUP or a closed output pipe; all "
                            "files are complete, and there is a checkpoint to restart from. Or a sweep was "
                            "interrupted; its table has the status of each point"},
    {SCREE_CLI_NOT_STARTED,
     "A run was interrupted before its first step: there is nothing to restart from, and "
     "no file was written"},
};

static void print_option(const struct scree_cli_option *option)
{
    printf("*%s%s*", option->dashes, option->name);
    if (option->value[0])
        print(" _", option->value, "_");
}

static void print_command(const struct scree_cli_command *command)
{
    const struct scree_cli_option *option = NULL;
    printf("scree-%s(1) \"\" \"Scree\"\n\n# NAME\n\nscree-%s - ", command->name, command->name);
    print("", command->about, "\n\n# SYNOPSIS\n\n");
    printf("*scree %s*", command->name);
    while ((option = scree_cli_option_after(command, option))) {
        printf(" [");
        print_option(option);
        printf("]");
    }
    print(" ", command->words, "\n\n# DESCRIPTION\n\n");
    print("", command->details, "\n\n# OPTIONS\n\n");
    while ((option = scree_cli_option_after(command, option))) {
        print_option(option);
        print_as(true, "\n\t", option->about, ".\n\n");
    }
    printf("*-h*, *--help*\n\tPrint the help of the command.\n\n# EXIT STATUS\n\nSee *scree*(1).\n\n");
}

static void print_overview(void)
{
    printf("scree(1) \"\" \"Scree\"\n\n# NAME\n\nscree - a discrete element engine\n\n# SYNOPSIS\n\n"
           "*scree* _COMMAND_ [options] ...\n\n*scree* *--version*\n\n*scree* *--help*\n\n# COMMANDS\n\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        printf("*scree-%s*(1)\n", command->name);
        print_as(true, "\t", command->about, ".\n\n");
    }
    printf("# EXIT STATUS\n\n");
    for (size_t e = 0; e < SCREE_HELP_EXITS; ++e)
        printf("*%d*\n\t%s.\n\n", scree_help_exits[e].status, scree_help_exits[e].about);
}

static void print_keys(void)
{
    struct scree_scene_key key;
    const char *section = "";
    printf("scree-scene(5) \"\" \"Scree\"\n\n# NAME\n\nscree-scene - scenes of Scree, in YAML\n\n# KEYS\n\n");
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k) {
        if (strcmp(key.section, section) != 0)
            print("## Of ", key.section, "\n\n");
        section = key.section;
        print("*", key.name, "*");
        if (key.unit[0])
            print(" in ", key.unit, "");
        print("\n\t", key.description, "");
        if (key.required)
            printf(" Required.");
        else if (key.default_value[0])
            print(" Default: ", key.default_value, ".");
        printf("\n\n");
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
