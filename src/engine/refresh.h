// Making lists, contacts and forces hold for what lies where now: before a step, when its length is chosen,
// and after edits.

#ifndef SCREE_ENGINE_REFRESH_H
#define SCREE_ENGINE_REFRESH_H

#include "engine/soft.h"

// Says at which level velocities are: as the laws leave them while bodies move, else on-step.
void scree_refresh_levels(struct scree_soft *soft, bool moving);

// Whether contacts are not those of what lies where now.
bool scree_refresh_misses(const struct scree_soft *soft);

// Makes the lists of contacts hold; `may_sort`: nobody holds slots.
SCREE_NODISCARD scree_status scree_refresh_search(struct scree_soft *soft, bool may_sort);

// Evaluates contacts, which advance by `step`, and what becomes of each block; null: nothing. What edits took
// out of the energy ledger is entered.
void scree_refresh_evaluate(struct scree_soft *soft, double step, const struct scree_evaluate_after *after);

// The step to come may be unlike the last one, of which half is ahead in the energy ledger.
void scree_refresh_step(struct scree_soft *soft);

// Carried grains lie and move as their bodies do now; see scree_grain_place.
void scree_refresh_grains(struct scree_soft *soft);

// Which grains may touch: point 30.
SCREE_NODISCARD scree_status scree_refresh_lists(struct scree_soft *soft);

// Gives bodies edited since the last step the forces of what lies there now; the others keep theirs to the
// bit.
SCREE_NODISCARD scree_status scree_refresh(struct scree_soft *soft);

#endif
