// A text file line by line, with diagnostics that quote the line.
//
// What always holds: whatever is in the file, memory is bounded: a line has at most SCREE_LINES_LONGEST
// bytes, and after SCREE_LINES_ENOUGH diagnostics nothing more is read. A line is handed out without its end,
// "\r" included, and holds until the next one is asked for.

#ifndef SCREE_TEXT_LINES_H
#define SCREE_TEXT_LINES_H

#include "text/diagnostic.h"

enum { SCREE_LINES_LONGEST = 1 << 16, SCREE_LINES_ENOUGH = 10 };

struct scree_lines {
    struct scree_diagnostics *diagnostics;
    const char *name; // as the user knows it
    int file;         // -1 for none
    char *buffer;
    size_t first, filled; // what of the buffer has not been handed out
    uint64_t offset;      // of the end of the buffer, in the file
    uint64_t number;      // of the present line, from 1; 0 before the first
    uint64_t begin;       // of the present line, in the file
    const char *text;     // the present line
    size_t length;        //
    bool again;           // hand it out once more
    bool over;            // there is no line any more
    size_t wrong;         // diagnostics so far
    scree_status status;  // of the disk and of memory
};

// Where a line stands in its file.
struct scree_lines_mark {
    uint64_t number, begin;
};

// Opens a file, which is not a folder, a device or a pipe. Names are borrowed. To be closed after a failure
// too.
SCREE_NODISCARD scree_status scree_lines_open(struct scree_lines *lines, const char *path, const char *name,
                                              struct scree_diagnostics *diagnostics);
void scree_lines_close(struct scree_lines *lines);

// Goes on to the next line; false at the end, after enough diagnostics, and when `status` is not OK.
bool scree_lines_next(struct scree_lines *lines);

// Lets the next call hand out the present line again.
static inline void scree_lines_again(struct scree_lines *lines)
{
    lines->again = true;
}

// Where the present line is, and back to it: it is the next one then.
struct scree_lines_mark scree_lines_here(const struct scree_lines *lines);
void scree_lines_return(struct scree_lines *lines, struct scree_lines_mark mark);

// Complains of a piece of the present line, or of the end of the file where there is none any more.
void scree_lines_complain(struct scree_lines *lines, size_t column, size_t length, const char *format, ...)
    SCREE_PRINTF(4, 5);

// The next word of the present line from `at` on, which moves behind it; false where there is none. Words
// stand between blanks.
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

// Whether the present line begins with a text.
bool scree_lines_begins(const struct scree_lines *lines, const char *text);

#endif
