// The table of commands, and reading a command's words by it, see cli.h.

#include "cli.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct scree_cli_command scree_cli_commands[] = {
#define COMMAND(name, words, takes, about, details) {#name, words, takes, about, details, scree_cli_##name},
#define OPTION(...)
#include "commands.def"
#undef COMMAND
#undef OPTION
    {NULL, NULL, NULL, NULL, NULL, NULL}};

const struct scree_cli_option scree_cli_options[] = {
#define COMMAND(...)
#define OPTION(command, name, value, takes, about) {#command, name, value, takes, about},
#include "commands.def"
#undef COMMAND
#undef OPTION
    {NULL, NULL, NULL, NULL, NULL}};

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

// How many letters must be changed, added or dropped to get from one word to the other.
static size_t edits(const char *from, const char *to)
{
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1];
    const size_t width = least_of(strlen(to), LONGEST);
    for (size_t j = 0; j <= width; ++j)
        row[j] = j;
    for (size_t i = 0; from[i] && i < LONGEST; ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= width; ++j) {
            const size_t changed = diagonal + (from[i] != to[j - 1]);
            diagonal = row[j];
            row[j] = least_of(least_of(row[j] + 1, row[j - 1] + 1), changed);
        }
    }
    return row[width];
}

const char *scree_cli_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    // beyond a third of its letters a word was meant to be another one
    size_t fewest = strlen(word) / 3 + 2;
    for (size_t c = 0; c < count; ++c) {
        const size_t needed = edits(word, candidates[c]);
        if (needed < fewest) {
            fewest = needed;
            nearest = candidates[c];
        }
    }
    return nearest;
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
    const char *nearest = scree_cli_nearest(name, names, count);
    fprintf(stderr, "scree: there is no command '%s'; %s%s%s\n", name, nearest ? "did you mean '" : "",
            nearest ? nearest : "'scree help' lists those there are", nearest ? "'?" : "");
    return NULL;
}

static const char *dashes(const char *option)
{
    return option[0] && option[1] ? "--" : "-";
}

static bool is_of(const struct scree_cli_option *option, const char *command)
{
    return strcmp(option->command, command) == 0;
}

// The option whose name is nearest to that in a word; null for none.
static const char *nearest_option(const char *command, const char *word)
{
    const char *names[sizeof scree_cli_options / sizeof scree_cli_options[0]];
    char name[64];
    size_t count = 0;
    for (const struct scree_cli_option *option = scree_cli_options; option->name; ++option)
        if (is_of(option, command))
            names[count++] = option->name;
    word += strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    return scree_cli_nearest(name, names, count);
}

static void list_options(const char *command)
{
    size_t count = 0, told = 0;
    for (const struct scree_cli_option *option = scree_cli_options; option->name; ++option)
        count += is_of(option, command);
    fprintf(stderr, "there %s", count == 0 ? "are none" : count == 1 ? "is " : "are ");
    for (const struct scree_cli_option *option = scree_cli_options; option->name; ++option)
        if (is_of(option, command))
            fprintf(stderr, "%s%s%s%s%s", told++ > 0 ? ", " : "", dashes(option->name), option->name,
                    option->value[0] ? " " : "", option->value);
    fprintf(stderr, "\n");
}

static void refuse_option(const char *command, const char *word)
{
    const char *nearest = nearest_option(command, word);
    fprintf(stderr, "scree %s: there is no option '%s'", command, word);
    if (nearest)
        fprintf(stderr, ": did you mean '%s%s'? ", dashes(nearest), nearest);
    else
        fprintf(stderr, "; ");
    list_options(command);
}

// The option of a command whose name a word begins with: --name, --name=VALUE, -D or -DVALUE. `value`
// receives what is joined to it, or null.
static const struct scree_cli_option *match(const char *command, const char *word, const char **value)
{
    const bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    const size_t length = is_long ? strcspn(name, "=") : 1;
    for (const struct scree_cli_option *option = scree_cli_options; option->name; ++option) {
        if (!is_of(option, command) || strlen(option->name) != length ||
            strncmp(option->name, name, length) != 0 || (length > 1) != is_long)
            continue;
        *value = is_long ? (name[length] ? name + length + 1 : NULL) : name[1] ? name + 1 : NULL;
        return option;
    }
    return NULL;
}

// Takes the option that a word names; how many words it took, 0 after a complaint.
static int take(struct scree_cli_line *line, int left, char **words)
{
    const char *command = line->command->name, *value = NULL;
    const struct scree_cli_option *option = match(command, words[0], &value);
    if (!option) {
        refuse_option(command, words[0]);
        return 0;
    }
    if (line->given == SCREE_CLI_GIVEN) {
        fprintf(stderr, "scree %s: a command takes at most %d options\n", command, (int)SCREE_CLI_GIVEN);
        return 0;
    }
    const int taken = option->value[0] && !value ? 2 : 1;
    if (!option->value[0] ? value != NULL : !value && left < 2) {
        fprintf(stderr, "scree %s: the option %s%s takes %s\n", command, dashes(option->name), option->name,
                option->value[0] ? "a value" : "no value");
        return 0;
    }
    line->option[line->given] = option;
    line->value[line->given++] = !option->value[0] ? "" : value ? value : words[1];
    return taken;
}

bool scree_cli_read(const struct scree_cli_command *command, int count, char **words,
                    struct scree_cli_line *line)
{
    int kept = 0;
    bool only_words = false;
    *line = (struct scree_cli_line){.command = command, .words = words};
    for (int w = 0; w < count;) {
        char *word = words[w];
        if (only_words || word[0] != '-' || word[1] == 0) {
            words[kept++] = word;
            ++w;
        } else if (strcmp(word, "--") == 0) {
            only_words = true;
            ++w;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            line->help = true;
            return true;
        } else {
            const int taken = take(line, count - w, words + w);
            if (taken == 0)
                return false;
            w += taken;
        }
    }
    line->count = kept;
    return true;
}

const char *scree_cli_value(const struct scree_cli_line *line, const char *option)
{
    const char *value = NULL;
    bool known = false;
    for (const struct scree_cli_option *row = scree_cli_options; row->name; ++row)
        known = known || (is_of(row, line->command->name) && strcmp(row->name, option) == 0);
    assert(known);
    (void)known;
    for (size_t g = 0; g < line->given; ++g)
        if (strcmp(line->option[g]->name, option) == 0)
            value = line->value[g];
    return value;
}

bool scree_cli_has(const struct scree_cli_line *line, const char *option)
{
    return scree_cli_value(line, option) != NULL;
}

bool scree_cli_whole(const struct scree_cli_line *line, const char *option, long least, long most,
                     long standard, long *number)
{
    const char *text = scree_cli_value(line, option);
    char *end = NULL;
    *number = text ? strtol(text, &end, 10) : standard;
    if (!text || (*end == 0 && end != text && *number >= least && *number <= most))
        return true;
    fprintf(stderr, "scree %s: --%s takes a number from %ld to %ld, not '%s'\n", line->command->name, option,
            least, most, text);
    return false;
}

bool scree_cli_words(const struct scree_cli_line *line, int least, int most, const char *which)
{
    if (line->count >= least && line->count <= most)
        return true;
    fprintf(stderr, "scree %s: %s\n", line->command->name, which);
    return false;
}
