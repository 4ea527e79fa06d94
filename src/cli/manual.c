// `scree help man`: prints the part of the manual pages that is generated from tables, in scdoc format. The
// hand-written part, from docs/man, is appended to it.

#include "help.h"

#include <scree/scene.h>

#include <ctype.h>
#include <string.h>

// Prints a text with the special characters of scdoc escaped; text between backquotes becomes bold. With
// `capital` the first letter becomes upper case.
static void print_text(const char *text, bool capital)
{
    for (const char *at = text; *at; ++at) {
        if (*at == '`')
            putchar('*');
        else if (strchr("_*\\<>#~", *at))
            printf("\\%c", *at);
        else
            putchar(capital && at == text ? toupper((unsigned char)*at) : *at);
    }
}

const struct scree_help_exit scree_help_exits[SCREE_HELP_EXITS] = {
    {SCREE_CLI_OK, "Success"},
    {SCREE_CLI_FAILED, "The command failed, or its answer is no: results differ, a case of verify fails"},
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
    printf("*-h*, *--help*\n\tPrint the help of the command.\n\n# EXIT STATUS\n\nSee *scree*(1).\n\n");
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
    print_text(key->description, false);
    if (key->required)
        printf(" Required.");
    else if (key->default_value[0]) {
        printf(" Default: ");
        print_text(key->default_value, false);
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
