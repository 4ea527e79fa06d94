// Cases of clumps in other files than clump.c.

#ifndef SCREE_VERIFY_CLUMP_H
#define SCREE_VERIFY_CLUMP_H

#include "trial.h"

// Free cooling of smooth dimers; the data of the case is the coefficient of restitution, a double.
SCREE_NODISCARD scree_status scree_clump_cooling(struct scree_trial *trial);

// Eccentric impacts of clumps.
SCREE_NODISCARD scree_status scree_clump_impact(struct scree_trial *trial);

// Density of frictionless packings of spheres, spheroids and dimers.
SCREE_NODISCARD scree_status scree_clump_packing(struct scree_trial *trial);

// The angle at which beds of spheres, dimers and tees flow.
SCREE_NODISCARD scree_status scree_clump_repose(struct scree_trial *trial);

#endif
