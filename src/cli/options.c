// The tables of commands and options, and the parser of the command line, see cli.h.

#include "cli.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct scree_cli_command scree_cli_commands[] = {
#define COMMAND(name, words, kind, about, details) {#name, words, kind, about, details, scree_cli_##name},
#define OPTION(...)
#include "commands.def"
#undef COMMAND
#undef OPTION
    {0}};

static const struct scree_cli_option options[] = {
#define COMMAND(...)
#define OPTION(command, name, value, kind, about)                                                            \
    {#command, sizeof name > 2 ? "--" : "-", name, value, kind, about},
#include "commands.def"
#undef COMMAND
#undef OPTION
};

enum { OPTIONS = sizeof options / sizeof options[0] };

const struct scree_cli_option *scree_cli_option_after(const struct scree_cli_command *command,
                                                      const struct scree_cli_option *option)
{
    for (option = option ? option + 1 : options; option < options + OPTIONS; ++option)
        if (strcmp(option->command, command->name) == 0)
            return option;
    return NULL;
}

const struct scree_cli_command *scree_cli_find(const char *name)
{
    const char *names[sizeof scree_cli_commands / sizeof scree_cli_commands[0]];
    size_t count = 0;
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        if (strcmp(command->name, name) == 0)
            return command;
        names[count++] = command->name;
    }
    fprintf(stderr, "scree: there is no command '%s'; ", name);
    scree_cli_suggest(name, names, count, "'scree help' lists the commands");
    return NULL;
}

static void print_unknown_option(const struct scree_cli_command *command, const char *word)
{
    const char *names[OPTIONS];
    const struct scree_cli_option *option = NULL;
    char name[64];
    size_t count = 0;
    while ((option = scree_cli_option_after(command, option)))
        names[count++] = option->name;
    const char *begin = word + strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "="), begin);
    const char *nearest = scree_cli_nearest(name, names, count);
    fprintf(stderr, "scree %s: there is no option '%s'", command->name, word);
    if (nearest)
        fprintf(stderr, ": did you mean '%s%s'? ", nearest[0] && nearest[1] ? "--" : "-", nearest);
    fprintf(stderr, "%s%s", nearest ? "" : "; ", count == 0 ? "it has no options" : "the options are ");
    while ((option = scree_cli_option_after(command, option)))
        fprintf(stderr, "%s%s%s%s%s", option->name == names[0] ? "" : ", ", option->dashes, option->name,
                option->value[0] ? " " : "", option->value);
    fprintf(stderr, "\n");
}

// Returns the option that an argument names: --name, --name=VALUE, -D or -DVALUE; null if there is none.
// `value` receives the value in the same argument, or null.
static const struct scree_cli_option *match(const struct scree_cli_command *command, const char *word,
                                            const char **value)
{
    const bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    const size_t length = is_long ? strcspn(name, "=") : 1;
    const struct scree_cli_option *option = NULL;
    while ((option = scree_cli_option_after(command, option))) {
        if (strlen(option->name) != length || strncmp(option->name, name, length) != 0 ||
            (length > 1) != is_long)
            continue;
        *value = is_long ? (name[length] ? name + length + 1 : NULL) : name[1] ? name + 1 : NULL;
        return option;
    }
    return NULL;
}

// Reads one option; returns the number of arguments used, or 0 after printing an error.
static int read_option(struct scree_cli_line *line, int left, char **words)
{
    const char *command = line->command->name, *value = NULL;
    const struct scree_cli_option *option = match(line->command, words[0], &value);
    if (!option) {
        print_unknown_option(line->command, words[0]);
        return 0;
    }
    if (line->options == SCREE_CLI_MAX_OPTIONS)
        return scree_cli_fail(0, "%s: a command takes at most %d options", command,
                              (int)SCREE_CLI_MAX_OPTIONS);
    const int taken = option->value[0] && !value ? 2 : 1;
    if (!option->value[0] ? value != NULL : !value && left < 2)
        return scree_cli_fail(0, "%s: the option %s%s takes %s", command, option->dashes, option->name,
                              option->value[0] ? "a value" : "no value");
    line->option[line->options] = option;
    line->value[line->options++] = !option->value[0] ? "" : value ? value : words[1];
    return taken;
}

bool scree_cli_read(const struct scree_cli_command *command, int count, char **words,
                    struct scree_cli_line *line)
{
    int arguments = 0;
    bool only_words = false;
    *line = (struct scree_cli_line){.command = command, .words = words};
    for (int w = 0; w < count;) {
        char *word = words[w];
        if (only_words || word[0] != '-' || word[1] == 0) {
            words[arguments++] = word;
            ++w;
        } else if (strcmp(word, "--") == 0) {
            only_words = true;
            ++w;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            line->help = true;
            return true;
        } else {
            const int taken = read_option(line, count - w, words + w);
            if (taken == 0)
                return false;
            w += taken;
        }
    }
    line->count = arguments;
    return true;
}

const char *scree_cli_value(const struct scree_cli_line *line, const char *option)
{
    const char *value = NULL;
    bool known = false;
    for (const struct scree_cli_option *row = NULL; (row = scree_cli_option_after(line->command, row));)
        known = known || strcmp(row->name, option) == 0;
    assert(known);
    (void)known;
    for (size_t g = 0; g < line->options; ++g)
        if (strcmp(line->option[g]->name, option) == 0)
            value = line->value[g];
    return value;
}

bool scree_cli_has(const struct scree_cli_line *line, const char *option)
{
    return scree_cli_value(line, option) != NULL;
}

bool scree_cli_integer(const struct scree_cli_line *line, const char *option, long least, long most,
                       long fallback, long *number)
{
    const char *text = scree_cli_value(line, option);
    char *end = NULL;
    *number = text ? strtol(text, &end, 10) : fallback;
    if (!text || (*end == 0 && end != text && *number >= least && *number <= most))
        return true;
    return scree_cli_refuse("%s: --%s takes a whole number from %ld to %ld, not '%s'", line->command->name,
                            option, least, most, text);
}

bool scree_cli_number(const struct scree_cli_line *line, const char *option, const char *expected,
                      bool allow_zero, double fallback, double *number)
{
    const char *text = scree_cli_value(line, option);
    char *end = NULL;
    *number = text ? strtod(text, &end) : fallback;
    if (!text ||
        (*end == 0 && end != text && isfinite(*number) && (*number > 0 || (allow_zero && *number == 0))))
        return true;
    return scree_cli_refuse("%s: --%s takes %s, not '%s'", line->command->name, option, expected, text);
}

bool scree_cli_check_count(const struct scree_cli_line *line, int least, int most, const char *message)
{
    if (line->count >= least && line->count <= most)
        return true;
    return scree_cli_refuse("%s: %s", line->command->name, message);
}
