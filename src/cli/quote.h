// Quoting: words of printed commands, so that they can be pasted into any POSIX shell, and text from files.

#ifndef SCREE_CLI_QUOTE_H
#define SCREE_CLI_QUOTE_H

#include <stdio.h>

// Prints a word, in single quotes if it has characters that are special to a shell.
void scree_quote_word(FILE *stream, const char *word);

// Prints a path likewise, with "./" before a leading dash, which would look like an option.
void scree_quote_path(FILE *stream, const char *path);

// Prints text from an untrusted file; control characters, which could drive the terminal, become '?'.
void scree_quote_piece(FILE *stream, const char *text, size_t length);

#endif
