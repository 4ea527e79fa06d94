// Words of commands, see quote.h.

#include "quote.h"

#include <string.h>

void scree_quote_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
    if (word[0] && word[strspn(word, plain)] == 0) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; ++word)
        // a single quote ends the text, stands for itself, and begins another
        fprintf(stream, *word == '\'' ? "'\\''" : "%c", *word);
    fputc('\'', stream);
}

void scree_quote_path(FILE *stream, const char *path)
{
    if (path[0] == '-')
        fputs("./", stream);
    scree_quote_word(stream, path);
}
