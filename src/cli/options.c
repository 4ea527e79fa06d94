// Reading a command's words, see cli.h.

#include "cli.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// How many letters must be changed, added or dropped to get from one word to the other.
static size_t edits(const char *from, const char *to)
{
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1];
    const size_t width = least(strlen(to), LONGEST);
    for (size_t j = 0; j <= width; ++j)
        row[j] = j;
    for (size_t i = 0; from[i] && i < LONGEST; ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= width; ++j) {
            const size_t changed = diagonal + (from[i] != to[j - 1]);
            diagonal = row[j];
            row[j] = least(least(row[j] + 1, row[j - 1] + 1), changed);
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

static void refuse_option(const char *command, const char *word, const struct scree_cli_option *options,
                          size_t count)
{
    fprintf(stderr, "scree %s: there is no option '%s'; there ", command, word);
    if (count == 0)
        fprintf(stderr, "are none");
    for (size_t o = 0; o < count; ++o)
        fprintf(stderr, "%s--%s%s", o == 0 ? (count == 1 ? "is " : "are ") : ", ", options[o].name,
                options[o].value ? " VALUE" : "");
    fprintf(stderr, "\n");
}

// Applies the option that a word names; how many words it took, 0 after a complaint.
static int take(const char *command, int left, char **words, const struct scree_cli_option *options,
                size_t option_count)
{
    const char *name = words[0] + 2;
    const size_t length = strcspn(name, "=");
    for (size_t o = 0; o < option_count; ++o) {
        const struct scree_cli_option *option = &options[o];
        if (strlen(option->name) != length || strncmp(option->name, name, length) != 0)
            continue;
        const bool joined = name[length] == '=';
        if (option->given && !joined) {
            *option->given = true;
            return 1;
        }
        if (option->value && (joined || left > 1)) {
            *option->value = joined ? name + length + 1 : words[1];
            return joined ? 1 : 2;
        }
        fprintf(stderr, "scree %s: the option --%s takes %s\n", command, option->name,
                option->given ? "no value" : "a value");
        return 0;
    }
    refuse_option(command, words[0], options, option_count);
    return 0;
}

int scree_cli_read(const char *command, int count, char **words, const struct scree_cli_option *options,
                   size_t option_count)
{
    int kept = 0;
    for (int w = 0; w < count;) {
        if (words[w][0] != '-' || words[w][1] == 0) {
            words[kept++] = words[w++];
            continue;
        }
        if (words[w][1] != '-') {
            refuse_option(command, words[w], options, option_count);
            return -1;
        }
        const int taken = take(command, count - w, words + w, options, option_count);
        if (taken == 0)
            return -1;
        w += taken;
    }
    return kept;
}
