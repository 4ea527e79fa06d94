// Reference trajectories of single bodies, embedded in the command from tests/data.

#ifndef SCREE_VERIFY_REFERENCE_H
#define SCREE_VERIFY_REFERENCE_H

#include "table.h"

struct scree_reference_sample {
    double time;
    double orientation[4];
    double body_spin[3];
    double spin[3];
};

struct scree_reference {
    double inertia[3];
    double orientation[4]; // initial
    double body_spin[3];   // initial
    double period;         // of the spin in body axes (Jacobi); 0 if not given
    size_t count;
    struct scree_reference_sample sample[SCREE_TABLE_ROWS];
};

// Reads the table of that name.
SCREE_NODISCARD scree_status scree_reference_read(struct scree_report *report, const char *name,
                                                  struct scree_reference *reference);

#endif
