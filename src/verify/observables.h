// Cases of measured distributions, see observables.c.

#ifndef SCREE_VERIFY_OBSERVABLES_H
#define SCREE_VERIFY_OBSERVABLES_H

#include "trial.h"

SCREE_NODISCARD scree_status scree_observables_ideal(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_observables_contact(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_observables_velocities(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_observables_path(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_observables_diffusion(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_observables_wall(struct scree_trial *trial);

#endif
