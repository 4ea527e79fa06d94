// Quoting for shells and terminals, see quote.h.

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
        // close the quotes, add an escaped quote, and open them again
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
        // in UTF-8 the C1 control characters are 0xc2 followed by 0x80 to 0x9f
        const bool control =
            c < 0x20 || c == 0x7f || (k > 0 && (unsigned char)text[k - 1] == 0xc2 && c < 0xa0);
        fputc(control ? '?' : c, stream);
    }
}
