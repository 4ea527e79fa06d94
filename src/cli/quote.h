// Commands that are printed to be pasted: their words as any POSIX shell takes them.

#ifndef SCREE_CLI_QUOTE_H
#define SCREE_CLI_QUOTE_H

#include <stdio.h>

// Prints a word; what a shell would cut or replace stands between single quotes.
void scree_quote_word(FILE *stream, const char *word);

// Prints the path of a file likewise, so that no command takes it for an option.
void scree_quote_path(FILE *stream, const char *path);

// Prints a piece of a file that may be anybody's: what would speak to the terminal becomes a question mark.
void scree_quote_piece(FILE *stream, const char *text, size_t length);

#endif
