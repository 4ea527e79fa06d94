// `scree help`: commands and their options, keys of scenes, and topics.

#include "help.h"

#include <scree/interaction.h>
#include <scree/scene.h>

#include <string.h>

// Formats an option, as in "--threads N".
static void format_option(const struct scree_cli_option *option, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s%s", option->dashes, option->name, option->value[0] ? " " : "",
             option->value);
}

void scree_cli_overview(FILE *stream)
{
    fprintf(stream, "Scree " SCREE_VERSION ", a discrete element engine.\n\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", command->name, command->words);
        fprintf(stream, "  scree %-32s %s\n", usage, command->about);
    }
    fprintf(stream, "\n`scree help COMMAND` lists its options; `scree help WORD` explains a key of scenes, a "
                    "contact law, a parameter or a column; `scree help help` lists the topics.\n");
}

void scree_cli_describe(const struct scree_cli_command *command)
{
    const struct scree_cli_option *option = NULL;
    char text[64], usage[1024];
    size_t widest = strlen("-h, --help");
    int used = snprintf(usage, sizeof usage, "scree %s", command->name);
    while ((option = scree_cli_option_after(command, option))) {
        format_option(option, text, sizeof text);
        widest = strlen(text) > widest ? strlen(text) : widest;
        if (used < (int)sizeof usage)
            used += snprintf(usage + used, sizeof usage - (size_t)used, " [%s]", text);
    }
    if (used < (int)sizeof usage)
        snprintf(usage + used, sizeof usage - (size_t)used, " %s", command->words);
    scree_cli_print(stdout, 4, 4, usage);
    printf("\n");
    if (command->details[0])
        scree_cli_print(stdout, 0, 0, command->details);
    printf("\n");
    while ((option = scree_cli_option_after(command, option))) {
        format_option(option, text, sizeof text);
        printf("  %-*s  ", (int)widest, text);
        scree_cli_print(stdout, (int)widest + 4, (int)widest + 4, option->about);
    }
    printf("  %-*s  print this help\n\nExit status: `scree help exit-codes`.\n", (int)widest, "-h, --help");
}

static void print_reference(void)
{
    scree_scene_reference(scree_cli_write, stdout);
}

static void print_schema(void)
{
    scree_scene_schema(scree_cli_write, stdout);
}

static void print_exit_codes(void)
{
    for (size_t e = 0; e < SCREE_HELP_EXITS; ++e)
        printf("%d  %s\n", scree_help_exits[e].status, scree_help_exits[e].about);
}

static void print_column(const struct scree_scene_column *column)
{
    char name[64], about[400];
    snprintf(name, sizeof name, column->unit[0] ? "%s [%s]" : "%s", column->name, column->unit);
    printf("%-28s", name);
    snprintf(about, sizeof about, "%s%s%s%s", column->about, column->takes ? " (Takes " : "",
             column->takes ? column->takes : "", column->takes ? ".)" : "");
    scree_cli_print(stdout, 28, 28, about);
}

static void print_columns(void)
{
    struct scree_scene_column column;
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        print_column(&column);
}

static bool explain_column(const char *name, const char *before)
{
    struct scree_scene_column column;
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        if (strcmp(column.name, name) == 0) {
            printf("%sA column of tables:\n\n", before);
            print_column(&column);
            return true;
        }
    return false;
}

static const struct topic {
    const char *name;
    void (*print)(void);
} topics[] = {{"columns", print_columns},     {"exit-codes", print_exit_codes}, {"laws", scree_help_laws},
              {"reference", print_reference}, {"schema", print_schema},         {"units", scree_help_units}};

// The words that `scree help` explains, without duplicates.
struct words {
    size_t count;
    const char *word[1024];
};

static void add(void *user, const char *word)
{
    struct words *words = (struct words *)user;
    for (size_t w = 0; w < words->count; ++w)
        if (strcmp(words->word[w], word) == 0)
            return;
    if (words->count < sizeof words->word / sizeof words->word[0])
        words->word[words->count++] = word;
}

static void collect(struct words *words)
{
    struct scree_scene_key key;
    struct scree_scene_column column;
    words->count = 0;
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command)
        add(words, command->name);
    for (size_t t = 0; t < sizeof topics / sizeof topics[0]; ++t)
        add(words, topics[t].name);
    scree_help_law_words(add, words);
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k)
        add(words, key.name);
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        add(words, column.name);
}

void scree_help_words(void (*visit)(void *user, const char *word), void *user)
{
    struct words words;
    collect(&words);
    for (size_t w = 0; w < words.count; ++w)
        visit(user, words.word[w]);
}

static int refuse(const char *word)
{
    struct scree_scene_key key;
    struct words words;
    collect(&words);
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k)
        for (size_t w = 0; key.words && key.words[w]; ++w)
            add(&words, key.words[w]);
    fprintf(stderr, "scree help: there is no command, topic, key, value, law, parameter or column '%s'; ",
            word);
    scree_cli_suggest(word, words.word, words.count, "'scree help' lists the commands");
    return SCREE_CLI_USAGE;
}

// Prints all meanings of a word, which can be of several kinds; returns false if there is none.
static bool explain(const char *word)
{
    bool has = false;
    for (const struct scree_cli_command *command = scree_cli_commands; command->name && !has; ++command)
        if (strcmp(command->name, word) == 0) {
            scree_cli_describe(command);
            has = true;
        }
    has = scree_cli_explain(word, has ? "\nThe key of scenes:\n\n" : "") || has;
    has = scree_help_parameter(word, has ? "\n" : "") || has;
    has = explain_column(word, has ? "\n" : "") || has;
    return scree_cli_explain_value(word, has ? "\n" : "") || has;
}

int scree_cli_help(const struct scree_cli_line *line)
{
    const bool law = line->count == 2 && strcmp(line->words[0], "law") == 0;
    if (line->count > 0 && line->count < 3 && strcmp(line->words[0], "man") == 0)
        return scree_help_manual(line->count > 1 ? line->words[1] : NULL);
    if (!law && !scree_cli_words(line, 0, 1, "give one word: a command, a key of scenes, or a topic"))
        return SCREE_CLI_USAGE;
    if (law && scree_help_law(line->words[1]))
        return SCREE_CLI_OK;
    if (law) {
        scree_help_refuse_law(line->words[1]);
        return SCREE_CLI_USAGE;
    }
    if (line->count == 0) {
        scree_cli_overview(stdout);
        return SCREE_CLI_OK;
    }
    const char *word = line->words[0];
    for (size_t t = 0; t < sizeof topics / sizeof topics[0]; ++t)
        if (strcmp(topics[t].name, word) == 0) {
            topics[t].print();
            return SCREE_CLI_OK;
        }
    if (scree_help_law(word))
        return SCREE_CLI_OK;
    return explain(word) ? SCREE_CLI_OK : refuse(word);
}
