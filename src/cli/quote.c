// Words of commands, see quote.h.

#include "quote.h"

#include <stdbool.h>
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

void scree_quote_piece(FILE *stream, const char *text, size_t length)
{
    for (size_t k = 0; k < length; ++k) {
        const unsigned char c = (unsigned char)text[k];
        // the other control characters of Unicode follow a byte of their own
        const bool speaks =
            c < 0x20 || c == 0x7f || (k > 0 && (unsigned char)text[k - 1] == 0xc2 && c < 0xa0);
        fputc(speaks ? '?' : c, stream);
    }
}
