// What can be measured of a world, by name: the columns of tables, and whatever else is asked for by a
// number.

#ifndef SCREE_IO_COLUMN_H
#define SCREE_IO_COLUMN_H

#include "base/status.h"

struct scree_world;

enum { SCREE_COLUMN_MOST = 64 }; // in a table or a report

// What a column shows; closed by one without a name.
struct scree_column {
    const char *name, *unit, *about;
};
extern const struct scree_column scree_column_rows[];
extern const char *const scree_column_names[]; // closed by null

// The number of a column by its name; that of the closing row for none.
size_t scree_column_find(const char *name);

// The values of some columns, of a world in step.
SCREE_NODISCARD scree_status scree_column_measure(struct scree_world *world, const size_t *column,
                                                  size_t columns, double *values);

#endif
