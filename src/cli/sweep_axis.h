// The axes of a sweep: variables and their values.

#ifndef SCREE_CLI_SWEEP_AXIS_H
#define SCREE_CLI_SWEEP_AXIS_H

#include "cli.h"

enum { SCREE_SWEEP_AXIS_MOST = 10000 }; // maximum number of values of an axis, and of points of a grid

struct scree_sweep_axis {
    char *name;
    char **value;
    size_t count;
};

// Reads an axis, "friction=0.1,0.3" or "friction=0.1:0.5:0.1", a range from the first to the second number in
// steps of the third. Numbers can have units; those of a range must have the same dimension. Prints an error
// and returns false if the text is malformed. Call scree_sweep_axis_free in any case.
bool scree_sweep_axis_read(const char *command, const char *text, struct scree_sweep_axis *axis);

// Returns the character that stands for `letter` in the name of a folder.
char scree_sweep_axis_letter(char letter);

// Returns true if two values are the same number or give the same folder name; `twice` and `previous` receive
// their indices.
bool scree_sweep_axis_twice(const struct scree_sweep_axis *axis, size_t *twice, size_t *previous);

void scree_sweep_axis_free(struct scree_sweep_axis *axis);

#endif
