// Numbers that are spelled as texts: what they come to, and where they are wrong.

#ifndef SCREE_TESTS_SUPPORT_SPELLED_H
#define SCREE_TESTS_SUPPORT_SPELLED_H

#include "text/quantity.h"

struct scree_spelled {
    const char *text;
    double value;
    const char *unit; // of the same dimension
};

struct scree_misspelled {
    const char *text;
    size_t at;        // byte of the text
    const char *what; // part of the diagnostic
};

typedef bool scree_spelled_reader(const char *text, struct scree_quantity *quantity,
                                  struct scree_parse_error *error);

// Fails the test unless each text is read as its value, to `share` of it, and the dimension of its unit.
void scree_spelled_well(scree_spelled_reader *read, const struct scree_spelled *row, size_t count,
                        double share);

// Fails the test unless each text is refused where it is wrong.
void scree_spelled_wrong(scree_spelled_reader *read, const struct scree_misspelled *row, size_t count);

#endif
