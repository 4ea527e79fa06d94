// Reads a text file line by line, with diagnostics that quote the line.
//
// Invariants: a line has at most SCREE_LINES_MAX_LENGTH bytes; reading stops after
// SCREE_LINES_MAX_DIAGNOSTICS diagnostics. Lines have no line end ("\n" or "\r\n") and are valid until the
// next call.

#ifndef SCREE_TEXT_LINES_H
#define SCREE_TEXT_LINES_H

#include "text/diagnostic.h"

enum { SCREE_LINES_MAX_LENGTH = 1 << 16, SCREE_LINES_MAX_DIAGNOSTICS = 10 };

struct scree_lines {
    struct scree_diagnostics *diagnostics;
    const char *name; // shown to the user
    int file;         // -1 for none
    char *buffer;
    size_t capacity;      // of the buffer; its last byte is never filled
    size_t first, filled; // range of the buffer that has not been returned yet
    uint64_t offset;      // file offset of the end of the buffer
    uint64_t number;      // of the current line, from 1; 0 before the first
    uint64_t begin;       // file offset of the current line
    const char *text;     // the current line
    size_t length;        // of the current line
    bool repeat;          // return the current line once more
    bool ended;           // end of file, or reading was stopped
    size_t mistakes;      // number of diagnostics so far
    scree_status status;  // I/O and memory errors
};

// Position of a line in its file.
struct scree_lines_mark {
    uint64_t number, begin;
};

// Opens a regular file. The name is borrowed. Call scree_lines_close also after a failure.
SCREE_NODISCARD scree_status scree_lines_open(struct scree_lines *lines, const char *path, const char *name,
                                              struct scree_diagnostics *diagnostics);
void scree_lines_close(struct scree_lines *lines);

// Reads the next line. Returns false at the end, after too many diagnostics, and if `status` is not OK.
bool scree_lines_next(struct scree_lines *lines);

// Makes the next call of scree_lines_next return the current line again.
static inline void scree_lines_repeat(struct scree_lines *lines)
{
    lines->repeat = true;
}

// Get the position of the current line, and return to it: the next call reads that line again.
struct scree_lines_mark scree_lines_here(const struct scree_lines *lines);
void scree_lines_return(struct scree_lines *lines, struct scree_lines_mark mark);

// Adds a diagnostic for a part of the current line; always returns false, so that a reader can return it.
bool scree_lines_report(struct scree_lines *lines, size_t column, size_t length, const char *format, ...)
    SCREE_PRINTF(4, 5);

// The same for a word of the current line, and for the whole line.
#define scree_lines_report_word(lines, word, length, ...)                                                    \
    scree_lines_report(lines, (size_t)((word) - (lines)->text), length, __VA_ARGS__)
#define scree_lines_report_line(lines, ...) scree_lines_report(lines, 0, (lines)->length, __VA_ARGS__)

// Moves `at` past the next word of the current line; returns false if there is none.
static inline bool scree_lines_word(const struct scree_lines *lines, size_t *at, const char **word,
                                    size_t *length)
{
    const char *text = lines->text;
    size_t end = *at;
    while (end < lines->length && (text[end] == ' ' || text[end] == '\t'))
        ++end;
    *word = text + end;
    *at = end;
    while (end < lines->length && text[end] != ' ' && text[end] != '\t')
        ++end;
    *length = end - *at;
    *at = end;
    return *length > 0;
}

// Returns true if a word is equal to `text`.
static inline bool scree_lines_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(text, word, length) == 0;
}

// Returns true if the current line begins with `text`.
bool scree_lines_begins(const struct scree_lines *lines, const char *text);

#endif
