// Files with the pebbles of one clump: a list of rows, as LIGGGHTS reads for multispheres, or a command of PFC
// that creates a clump or a template of one.
//
// Invariants: files are not trusted. Memory grows with the pebbles that were read, not with a count in the
// file. Numbers are finite and radii positive. Mistakes are reported with their line.

#ifndef SCREE_EXCHANGE_PEBBLES_H
#define SCREE_EXCHANGE_PEBBLES_H

#include "text/lines.h"

struct scree_pebbles_row {
    double offset[3], radius;
};

// Lengths in units of the file.
struct scree_pebbles {
    SCREE_ARRAY(struct scree_pebbles_row) row;
    double volume;    // 0 if the file does not give it, then nor the values below; area in two dimensions
    double centre[3]; // of mass
    double tensor[6]; // of inertia, at density 1: xx yy zz yz zx xy; in two dimensions zz only
};

// Reads a file with at most `max` pebbles. Returns false after a diagnostic, or a failure of `status`.
bool scree_pebbles_read(struct scree_pebbles *pebbles, const char *path, const char *name, int dimension,
                        size_t max, struct scree_diagnostics *diagnostics, scree_status *status);

void scree_pebbles_free(struct scree_pebbles *pebbles);

#endif
