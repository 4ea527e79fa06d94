// `scree completion`: prints completion scripts for shells, generated from the table of commands.

#include "cli.h"
#include "embedded/scenes.h"
#include "verify/verify.h"

#include <scree/scene.h>

#include <string.h>

typedef void visit_function(void *user, const char *word);

static void visit_examples(visit_function *visit, void *user)
{
    char name[64];
    for (const struct scree_embedded *scene = scree_embedded_scenes; scene->name; ++scene) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(scene->name, "."), scene->name);
        visit(user, name);
    }
}

static void visit_columns(visit_function *visit, void *user)
{
    struct scree_scene_column column;
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        visit(user, column.name);
}

static void visit_shells(visit_function *visit, void *user)
{
    visit(user, "bash");
    visit(user, "fish");
    visit(user, "zsh");
}

static void visit_cases(visit_function *visit, void *user)
{
    for (size_t f = 0; scree_verify_families[f].name; ++f)
        visit(user, scree_verify_families[f].name);
}

// How each kind of argument is completed: by files, in the syntax of each shell, or by the words that `words`
// visits. With `list` the argument is a list of words with commas.
static const struct kind {
    const char *name, *bash, *zsh, *fish;
    void (*words)(visit_function *visit, void *user);
    bool list;
} kinds[] = {
    {"scene", "scene", "_files -g \"*.yaml\"", "-F", NULL, false},
    {"file", "file", "_files", "-F", NULL, false},
    {"folder", "folder", "_files -/", "-a '(__fish_complete_directories)'", NULL, false},
    {"example", "none", NULL, NULL, visit_examples, false},
    {"columns", "none", NULL, NULL, visit_columns, true},
    {"topic", "none", NULL, NULL, scree_help_words, false},
    {"shell", "none", NULL, NULL, visit_shells, false},
    {"case", "none", NULL, NULL, visit_cases, false},
    {"", "none", NULL, NULL, NULL, false},
};

static const struct kind *kind_of(const char *name)
{
    const struct kind *kind = kinds;
    while (kind->name[0] && strcmp(kind->name, name) != 0)
        ++kind;
    return kind;
}

// The number of words printed so far, and the separator between words.
struct words {
    size_t count;
    const char *separator;
};

static void print_word(void *user, const char *word)
{
    struct words *words = (struct words *)user;
    printf("%s%s", words->count++ > 0 ? words->separator : "", word);
}

static void print_words(const struct kind *kind, const char *separator)
{
    if (kind->words)
        kind->words(print_word, &(struct words){.separator = separator});
}

// --- bash; also works in zsh with bashcompinit

static void print_bash_command(const struct scree_cli_command *command)
{
    const struct kind *kind;
    const struct scree_cli_option *option = NULL;
    printf("    %s)\n        case $previous in\n", command->name);
    while ((option = scree_cli_option_after(command, option))) {
        if (!option->value[0])
            continue;
        kind = kind_of(option->kind);
        printf("        %s%s) words='", option->dashes, option->name);
        print_words(kind, " ");
        printf("' files=%s", kind->bash);
        // keep the names before the last comma
        if (kind->list)
            printf("; [[ $current != *,* ]] || before=${current%%,*},");
        printf(" ;;\n");
    }
    printf("        *)\n            words='--help");
    while ((option = scree_cli_option_after(command, option)))
        printf(" %s%s", option->dashes, option->name);
    kind = kind_of(command->kind);
    printf("' files=%s\n            [[ $current == -* ]] || words='", kind->bash);
    print_words(kind, " ");
    printf("'\n            ;;\n        esac\n        ;;\n");
}

static void print_bash(void)
{
    printf("# completion of scree for bash: source it, or save it in the folder of bash-completion\n"
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

// Prints a text for use inside single quotes, between two others, with a backslash before the characters in
// `escaped`, which are special to _arguments.
static void print_quoted(const char *before, const char *text, const char *escaped, const char *after)
{
    fputs(before, stdout);
    for (; *text; ++text)
        if (*text == '\'')
            printf("'\\''");
        else
            printf(strchr(escaped, *text) ? "\\%c" : "%c", *text);
    fputs(after, stdout);
}

// Prints the specification of the value of an option or of the arguments: a label and the completion action.
static void print_zsh_value(const char *label, const char *name)
{
    const struct kind *kind = kind_of(name);
    print_quoted("", label, ":[]", ":");
    printf("%s", kind->zsh ? kind->zsh : kind->list ? "_values -s , column " : kind->words ? "(" : "");
    print_words(kind, " ");
    printf(kind->words && !kind->list ? ")" : "");
}

static void print_zsh(void)
{
    printf("#compdef scree\n"
           "_scree() {\n"
           "    local -a commands\n"
           "    commands=(\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        printf("        '%s", command->name);
        print_quoted(":", command->about, ":", "'\n");
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
        printf("    %s)\n        _arguments '--help[print the help of the command]'", command->name);
        const struct scree_cli_option *option = NULL;
        while ((option = scree_cli_option_after(command, option))) {
            printf(" \\\n            '*%s%s", option->dashes, option->name);
            print_quoted("[", option->about, "[]:", option->value[0] ? "]:" : "]");
            if (option->value[0])
                print_zsh_value(option->value, option->kind);
            printf("'");
        }
        if (command->words[0]) {
            printf(" \\\n            '*:");
            print_zsh_value(command->words, command->kind);
            printf("'");
        }
        printf("\n        ;;\n");
    }
    printf("    esac\n}\n"
           // autoloaded through fpath the function runs directly; when sourced it registers itself
           "if [ \"$funcstack[1]\" = _scree ]; then _scree \"$@\"; else compdef _scree scree; fi\n");
}

// --- fish

static void print_fish_words(const struct kind *kind)
{
    if (kind->fish)
        printf(" %s", kind->fish);
    if (!kind->words)
        return;
    printf(" -a '");
    // keep the names before the last comma, without a leading --option=
    if (kind->list)
        printf(
            "(commandline -ct | string replace -r \"^-[^=]*=\" \"\" | string replace -r \"[^,]*\\$\" \"\"){");
    print_words(kind, kind->list ? "," : " ");
    printf(kind->list ? "}'" : "'");
}

static void print_fish(void)
{
    printf("# completion of scree for fish\ncomplete -c scree -f\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        printf("complete -c scree -n __fish_use_subcommand -a %s", command->name);
        print_quoted(" -d '", command->about, "\\", "'\n");
        if (command->kind[0]) {
            printf("complete -c scree -n '__fish_seen_subcommand_from %s'", command->name);
            print_fish_words(kind_of(command->kind));
            printf("\n");
        }
        const struct scree_cli_option *option = NULL;
        while ((option = scree_cli_option_after(command, option))) {
            const struct kind *kind = kind_of(option->kind);
            printf("complete -c scree -n '__fish_seen_subcommand_from %s' -%c %s", command->name,
                   option->name[1] ? 'l' : 's', option->name);
            if (option->value[0]) {
                printf(kind->fish ? " -r" : " -x");
                print_fish_words(kind);
            }
            print_quoted(" -d '", option->about, "\\", "'\n");
        }
    }
}

int scree_cli_completion(const struct scree_cli_line *line)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"fish", print_fish}, {"zsh", print_zsh}};
    if (!scree_cli_check_count(line, 1, 1, "name a shell: bash, fish or zsh"))
        return SCREE_CLI_USAGE;
    for (size_t s = 0; s < sizeof shells / sizeof shells[0]; ++s)
        if (strcmp(shells[s].name, line->words[0]) == 0) {
            shells[s].print();
            return SCREE_CLI_OK;
        }
    return scree_cli_fail(SCREE_CLI_USAGE, "completion: unknown shell '%s'; use bash, fish or zsh",
                          line->words[0]);
}
