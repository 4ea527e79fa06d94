// `scree completion`: what a shell needs to complete command lines of `scree`, made of the table of commands.

#include "cli.h"
#include "embedded/scenes.h"
#include "help.h"
#include "new.h"
#include "verify/verify.h"

#include <scree/scene.h>

#include <string.h>

// Prints a word, after a blank unless it is the first.
static void print_word(void *user, const char *word)
{
    bool *first = (bool *)user;
    printf("%s%s", *first ? "" : " ", word);
    *first = false;
}

static void print_examples(bool *first)
{
    char name[64];
    for (const struct scree_embedded *scene = scree_embedded_scenes; scene->name; ++scene) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(scene->name, "."), scene->name);
        print_word(first, name);
    }
}

static void print_columns(bool *first)
{
    struct scree_scene_column column;
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        print_word(first, column.name);
}

// The words that can stand where the table says `takes`; none where it means files.
static void print_candidates(const char *takes)
{
    bool first = true;
    if (strcmp(takes, "example") == 0)
        print_examples(&first);
    else if (strcmp(takes, "columns") == 0)
        print_columns(&first);
    else if (strcmp(takes, "topic") == 0)
        scree_help_words(print_word, &first);
    else if (strcmp(takes, "shell") == 0)
        printf("bash fish zsh");
    for (size_t f = 0; strcmp(takes, "case") == 0 && scree_verify_families[f]; ++f)
        print_word(&first, scree_verify_families[f]->name);
}

static const char *dashes(const struct scree_cli_option *option)
{
    return option->name[1] ? "--" : "-";
}

static bool is_of(const struct scree_cli_option *option, const struct scree_cli_command *command)
{
    return strcmp(option->command, command->name) == 0;
}

// How bash is told to take files of a kind.
static const char *files_of(const char *takes)
{
    return strcmp(takes, "scene") == 0    ? "scene"
           : strcmp(takes, "file") == 0   ? "file"
           : strcmp(takes, "folder") == 0 ? "folder"
                                          : "none";
}

// --- bash, which zsh understands too with its own bashcompinit

static void print_bash_command(const struct scree_cli_command *command)
{
    printf("    %s)\n        case $previous in\n", command->name);
    for (const struct scree_cli_option *option = scree_cli_options; option->name; ++option) {
        if (!is_of(option, command) || !option->value[0])
            continue;
        printf("        %s%s) words='", dashes(option), option->name);
        print_candidates(option->takes);
        printf("' files=%s", files_of(option->takes));
        // names between commas: what stands before the last comma stays
        if (strcmp(option->takes, "columns") == 0)
            printf("; [[ $current != *,* ]] || before=${current%%,*},");
        printf(" ;;\n");
    }
    printf("        *)\n            words='--help");
    for (const struct scree_cli_option *option = scree_cli_options; option->name; ++option)
        if (is_of(option, command))
            printf(" %s%s", dashes(option), option->name);
    printf("' files=%s\n            [[ $current == -* ]] || words='", files_of(command->takes));
    print_candidates(command->takes);
    printf("'\n            ;;\n        esac\n        ;;\n");
}

static void print_bash(void)
{
    printf("# completion of scree for bash: source it, or put it where bash-completion looks\n"
           "_scree()\n{\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local words= files=none before=\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='--help --version");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command)
        printf(" %s", command->name);
    printf("'\n    else\n    case ${COMP_WORDS[1]} in\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command)
        print_bash_command(command);
    printf(
        "    esac\n    fi\n"
        "    local word\n"
        "    while read -r word; do COMPREPLY+=(\"$before$word\"); done < <(compgen -W \"$words\" -- "
        "\"${current#\"$before\"}\")\n"
        "    [[ $files == none || $current == -* ]] || compopt -o filenames 2> /dev/null\n"
        "    case $files in\n"
        "    scene)\n"
        "        while read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -f -X '!*.yaml' -- "
        "\"$current\"; "
        "compgen -d -- \"$current\")\n"
        "        ;;\n"
        "    file) while read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -f -- \"$current\") ;;\n"
        "    folder) while read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -d -- \"$current\") ;;\n"
        "    esac\n"
        "}\n"
        "complete -F _scree scree\n");
}

// --- zsh

// Within single quotes, and without what _arguments takes for its own.
static void print_quoted(const char *text, const char *escaped)
{
    for (; *text; ++text)
        if (*text == '\'')
            printf("'\\''");
        else
            printf(strchr(escaped, *text) ? "\\%c" : "%c", *text);
}

static void print_zsh_action(const char *takes)
{
    if (strcmp(takes, "scene") == 0)
        printf("_files -g \"*.yaml\"");
    else if (strcmp(takes, "file") == 0)
        printf("_files");
    else if (strcmp(takes, "folder") == 0)
        printf("_files -/");
    else if (strcmp(takes, "columns") == 0) {
        // names between commas
        printf("_values -s , column ");
        print_candidates(takes);
    } else if (takes[0]) {
        printf("(");
        print_candidates(takes);
        printf(")");
    }
}

static void print_zsh(void)
{
    printf("#compdef scree\n"
           "_scree() {\n"
           "    local -a commands\n"
           "    commands=(\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        printf("        '%s:", command->name);
        print_quoted(command->about, ":");
        printf("'\n");
    }
    printf("    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    local command=$words[2]\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $command in\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        printf("    %s)\n        _arguments '--help[tells how it is used]'", command->name);
        for (const struct scree_cli_option *option = scree_cli_options; option->name; ++option) {
            if (!is_of(option, command))
                continue;
            printf(" \\\n            '*%s%s[", dashes(option), option->name);
            print_quoted(option->about, "[]:");
            printf("]");
            if (option->value[0]) {
                printf(":");
                print_quoted(option->value, ":");
                printf(":");
                print_zsh_action(option->takes);
            }
            printf("'");
        }
        if (command->words[0]) {
            printf(" \\\n            '*:");
            print_quoted(command->words, ":[]");
            printf(":");
            print_zsh_action(command->takes);
            printf("'");
        }
        printf("\n        ;;\n");
    }
    printf("    esac\n}\n"
           // loaded by name it completes at once, sourced it is registered
           "if [ \"$funcstack[1]\" = _scree ]; then _scree \"$@\"; else compdef _scree scree; fi\n");
}

// --- fish

// Names between commas: what stands before the last comma stays, without the option before it.
static void print_fish_columns(void)
{
    struct scree_scene_column column;
    printf(" -a '(commandline -ct | string replace -r \"^-[^=]*=\" \"\" | string replace -r \"[^,]*\\$\" "
           "\"\"){");
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        printf("%s%s", c > 0 ? "," : "", column.name);
    printf("}'");
}

static void print_fish_words(const char *takes)
{
    if (strcmp(takes, "scene") == 0 || strcmp(takes, "file") == 0)
        printf(" -F");
    else if (strcmp(takes, "folder") == 0)
        printf(" -a '(__fish_complete_directories)'");
    else if (strcmp(takes, "columns") == 0)
        print_fish_columns();
    else if (takes[0]) {
        printf(" -a '");
        print_candidates(takes);
        printf("'");
    }
}

static void print_fish(void)
{
    printf("# completion of scree for fish\ncomplete -c scree -f\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        printf("complete -c scree -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(command->about, "\\");
        printf("'\n");
        if (command->takes[0]) {
            printf("complete -c scree -n '__fish_seen_subcommand_from %s'", command->name);
            print_fish_words(command->takes);
            printf("\n");
        }
        for (const struct scree_cli_option *option = scree_cli_options; option->name; ++option) {
            if (!is_of(option, command))
                continue;
            printf("complete -c scree -n '__fish_seen_subcommand_from %s' -%c %s", command->name,
                   option->name[1] ? 'l' : 's', option->name);
            if (option->value[0]) {
                printf(strcmp(files_of(option->takes), "none") == 0 ? " -x" : " -r");
                print_fish_words(option->takes);
            }
            printf(" -d '");
            print_quoted(option->about, "\\");
            printf("'\n");
        }
    }
}

int scree_cli_completion(const struct scree_cli_line *line)
{
    static const struct {
        const char *shell;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"fish", print_fish}, {"zsh", print_zsh}};
    if (!scree_cli_words(line, 1, 1, "name a shell: bash, fish or zsh"))
        return SCREE_CLI_USAGE;
    for (size_t s = 0; s < sizeof shells / sizeof shells[0]; ++s)
        if (strcmp(shells[s].shell, line->words[0]) == 0) {
            shells[s].print();
            return SCREE_CLI_OK;
        }
    fprintf(stderr, "scree completion: there are bash, fish and zsh, and not '%s'\n", line->words[0]);
    return SCREE_CLI_USAGE;
}
