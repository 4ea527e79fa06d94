// Cases of hard spheres and disks in the event engine, see event.c.

#ifndef SCREE_VERIFY_EVENT_H
#define SCREE_VERIFY_EVENT_H

#include "hard_gas.h"

SCREE_NODISCARD scree_status scree_event_spheres(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_crystal(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_disks(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_dimers(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_haff(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_rough(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_shear(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_elastic(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_cloud(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_reversal(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_limit(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_shear_limit(struct scree_trial *trial);

// The cooling of several gases like this one, with the relative error of the theory.
SCREE_NODISCARD scree_status scree_event_haff_of(struct scree_trial *trial, const struct scree_hard_gas *gas,
                                                 int gases, double model);

// take minutes
SCREE_NODISCARD scree_status scree_event_long_shear(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_long_shear_limit(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_event_long_elastic(struct scree_trial *trial);

#endif
