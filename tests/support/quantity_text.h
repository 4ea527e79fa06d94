// Checks tables of texts that are read as quantities: valid texts have the expected value and dimension,
// invalid ones the expected diagnostic.

#ifndef SCREE_TESTS_SUPPORT_QUANTITY_TEXT_H
#define SCREE_TESTS_SUPPORT_QUANTITY_TEXT_H

#include "text/quantity.h"

struct scree_valid_quantity {
    const char *text;
    double value;
    const char *unit; // of the same dimension
};

struct scree_invalid_quantity {
    const char *text;
    size_t at;        // expected position of the mistake, in bytes
    const char *what; // part of the diagnostic
};

typedef bool scree_quantity_reader(const char *text, struct scree_quantity *quantity,
                                   struct scree_parse_error *error);

// Fails the test unless each text has the expected value, with a relative tolerance of `tolerance`, and the
// dimension of the expected unit.
void scree_quantities_valid(scree_quantity_reader *read, const struct scree_valid_quantity *row, size_t count,
                            double tolerance);

// Fails the test unless each text is refused at the expected position with the expected text.
void scree_quantities_refused(scree_quantity_reader *read, const struct scree_invalid_quantity *row,
                              size_t count);

#endif
