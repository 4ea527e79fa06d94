// Printing, quoting and suggestions shared by the commands, see cli.h.

#include "cli.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum { WIDTH = 96 };

static void print_error(const char *format, va_list values)
{
    fputs("scree ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
}

int scree_cli_fail(int result, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_error(format, values);
    va_end(values);
    return result;
}

bool scree_cli_refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_error(format, values);
    va_end(values);
    return false;
}

void scree_cli_print_wrapped(FILE *stream, int indent, int column, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, " \n");
        if (column > indent && column + (int)length + 1 > WIDTH) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        }
        fprintf(stream, "%s%.*s", column > indent ? " " : "", (int)length, text);
        column += (int)length + (column > indent);
        text += length;
        if (*text == '\n') {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        }
        text += *text != 0;
    }
    fprintf(stream, "\n");
}

void scree_cli_write(void *stream, const char *text)
{
    fputs(text, (FILE *)stream);
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Levenshtein distance of two words.
static size_t edit_distance(const char *from, const char *to)
{
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1];
    const size_t width = min_size(strlen(to), LONGEST);
    for (size_t j = 0; j <= width; ++j)
        row[j] = j;
    for (size_t i = 0; from[i] && i < LONGEST; ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= width; ++j) {
            const size_t changed = diagonal + (from[i] != to[j - 1]);
            diagonal = row[j];
            row[j] = min_size(min_size(row[j] + 1, row[j - 1] + 1), changed);
        }
    }
    return row[width];
}

const char *scree_cli_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    // suggest a candidate only if at most about a third of the letters differ
    size_t fewest = strlen(word) / 3 + 2;
    for (size_t c = 0; c < count; ++c) {
        const size_t needed = edit_distance(word, candidates[c]);
        if (needed < fewest) {
            fewest = needed;
            nearest = candidates[c];
        }
    }
    return nearest;
}

void scree_cli_suggest(const char *word, const char *const *candidates, size_t count, const char *otherwise)
{
    const char *nearest = scree_cli_nearest(word, candidates, count);
    if (nearest)
        fprintf(stderr, "did you mean '%s'?\n", nearest);
    else
        fprintf(stderr, "%s\n", otherwise);
}

void scree_cli_quote_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
    if (word[0] && word[strspn(word, plain)] == 0) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; ++word)
        // close the quotes, add an escaped quote, and open them again
        fprintf(stream, *word == '\'' ? "'\\''" : "%c", *word);
    fputc('\'', stream);
}

void scree_cli_quote_path(FILE *stream, const char *before, const char *path, const char *after)
{
    fprintf(stream, "%s%s", before, path[0] == '-' ? "./" : "");
    scree_cli_quote_word(stream, path);
    fputs(after, stream);
}

void scree_cli_print_untrusted(FILE *stream, const char *text, size_t length)
{
    for (size_t k = 0; k < length; ++k) {
        const unsigned char c = (unsigned char)text[k];
        // in UTF-8 the C1 control characters are 0xc2 followed by 0x80 to 0x9f
        const bool control =
            c < 0x20 || c == 0x7f || (k > 0 && (unsigned char)text[k - 1] == 0xc2 && c < 0xa0);
        fputc(control ? '?' : c, stream);
    }
}
