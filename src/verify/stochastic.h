// Cases of the stochastic engine, see stochastic.c.

#ifndef SCREE_VERIFY_STOCHASTIC_H
#define SCREE_VERIFY_STOCHASTIC_H

#include "trial.h"

SCREE_NODISCARD scree_status scree_stochastic_rate(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_stochastic_haff(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_stochastic_relaxation(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_stochastic_shear(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_stochastic_atmosphere(struct scree_trial *trial);

#endif
