// CSV tables from tests/data, embedded in the command. Lines that begin with # are notes; the first other
// line contains the column names.

#ifndef SCREE_VERIFY_TABLE_H
#define SCREE_VERIFY_TABLE_H

#include <scree/scree.h>

enum { SCREE_TABLE_ROWS = 512 };

struct scree_table {
    const char *text;
    const char *header;                // the line of column names
    const char *row[SCREE_TABLE_ROWS]; // start of each row
    size_t rows;
};

// Opens the embedded copy of tests/data/<name>.csv.
SCREE_NODISCARD scree_status scree_table_open(const char *name, struct scree_table *table);

// Returns a number of a row; NaN if there is none.
double scree_table_number(const struct scree_table *table, size_t row, const char *column);

// Returns true if the text of a cell begins with `word`.
bool scree_table_matches(const struct scree_table *table, size_t row, const char *column, const char *word);

// Returns the number after `key` in the note that begins with `note`; NaN if there is none.
double scree_table_note(const struct scree_table *table, const char *note, const char *key);

// A reference trajectory of a single body. The notes of its table contain J=(...), q0=(...) and
// w_body(0)=(...). Momentum and energy, the last four columns, follow from the others and are not read.
struct scree_table_reference_sample {
    double time;
    double orientation[4];
    double body_spin[3];
    double spin[3];
};

struct scree_table_reference {
    struct scree_rigid_def body; // its mass does not matter
    double body_spin[3];         // initial
    double period;               // of the spin in body axes (Jacobi); 0 if not given
    size_t count;
    struct scree_table_reference_sample sample[SCREE_TABLE_ROWS];
};

SCREE_NODISCARD scree_status scree_table_reference(const char *name, struct scree_table_reference *reference);

#endif
