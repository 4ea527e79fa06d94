// The axes of a sweep: variables, and the values that each takes.

#ifndef SCREE_CLI_SWEEP_AXIS_H
#define SCREE_CLI_SWEEP_AXIS_H

#include "cli.h"

enum { SCREE_SWEEP_AXIS_MOST = 10000 }; // values of an axis, and points of a grid

struct scree_sweep_axis {
    char *name;
    char **value;
    size_t count;
};

// Reads "friction=0.1,0.3" or "friction=0.1:0.5:0.1", which goes from the first to the second in steps of the
// third; numbers may have units, in a range of one dimension. False after a diagnostic. To be freed in any
// case.
bool scree_sweep_axis_read(const char *command, const char *text, struct scree_sweep_axis *axis);
// A letter as it stands in the name of a folder.
char scree_sweep_axis_letter(char letter);

// Whether a value is the number that one before it is, or gives a folder the same name: which, and which that
// is.
bool scree_sweep_axis_twice(const struct scree_sweep_axis *axis, size_t *twice, size_t *previous);

void scree_sweep_axis_free(struct scree_sweep_axis *axis);

#endif
