// Brings contact lists, contacts and forces up to date with the present positions: before a step, before the
// step is chosen, and after edits.

#ifndef SCREE_ENGINE_REFRESH_H
#define SCREE_ENGINE_REFRESH_H

#include "engine/soft.h"

// Sets the level of velocities in the world: that of the integration schemes inside a step (`moving`), else
// on-step.
void scree_refresh_set_levels(struct scree_soft *soft, bool moving);

// Returns true if the contact lists are out of date.
bool scree_refresh_needs_search(const struct scree_soft *soft);

// Updates the contact lists if necessary; `may_sort`: bodies may be moved to other slots.
SCREE_NODISCARD scree_status scree_refresh_search(struct scree_soft *soft, bool may_sort);

// Evaluates contacts, whose history advances by `step`, and calls `after`, if not null, for each block.
// Contacts that edits took out of the energy ledger are entered again.
SCREE_NODISCARD scree_status scree_refresh_evaluate(struct scree_soft *soft, double step,
                                                    const struct scree_evaluate_callbacks *after);

// Call before bodies move: if the step changes, corrects the losses and works that the ledger of contacts has
// entered half a step ahead.
void scree_refresh_step(struct scree_soft *soft);

// The time from mid-step spins of bodies to their orientations, twice, after a step of `step`; 0 if spins are
// on-step.
double scree_refresh_level_of_grains(const struct scree_soft *soft, double step);

// Updates carried grains from their bodies; see scree_grain_update_records.
void scree_refresh_grains(struct scree_soft *soft);

// Updates the contact lists at point 30 of a step.
SCREE_NODISCARD scree_status scree_refresh_lists(struct scree_soft *soft);

// Evaluates the forces of bodies that were edited since the last step; forces of the others keep their bits.
SCREE_NODISCARD scree_status scree_refresh(struct scree_soft *soft);

#endif
