// Work of a cell that deforms through contact forces: they act on fluctuations of velocities, and the cell
// supplies the power that they would have with the mean motion (docs/theory/deforming-cell.md). The part of
// forces on bodies is summed here; that of images is in contact/across.h.
//
// Each power counts for the half-steps before and after its time. Those of bodies whose half-step before has
// been entered already (SCREE_FLAG_ACCOUNTED) have a sum of their own. Sums are exact, so that the work does
// not depend on threads and on the order of bodies, nor on where a run ends.

#ifndef SCREE_ENGINE_MEAN_POWER_H
#define SCREE_ENGINE_MEAN_POWER_H

#include "base/sum.h"
#include "base/team.h"
#include "world/world.h"

enum { SCREE_MEAN_POWER_BLOCK = 512 };

// Powers that are not in the sum `open` yet, which are added many at a time.
struct scree_mean_power_sums {
    struct scree_sum open, accounted;
    double waiting[SCREE_MEAN_POWER_BLOCK];
    size_t count;
};

struct scree_mean_power {
    struct scree_mean_power_sums *of_thread;
    int threads;
};

SCREE_NODISCARD scree_status scree_mean_power_begin(struct scree_mean_power *power,
                                                    const struct scree_team *team);
void scree_mean_power_end(struct scree_mean_power *power);

// Before the bodies of a step are moved.
void scree_mean_power_clear(struct scree_mean_power *power);

// Adds the powers of consecutive bodies, at most SCREE_MEAN_POWER_BLOCK; `accounted` has a bit for each of
// them.
void scree_mean_power_add(struct scree_mean_power *power, int thread, const double *value, size_t count,
                          const uint64_t *accounted);

// After all bodies: enters their work in the half-step before and that after, of steps `last` and `next`.
void scree_mean_power_enter(struct scree_mean_power *power, struct scree_lattice *lattice, double last,
                            double next);

#endif
