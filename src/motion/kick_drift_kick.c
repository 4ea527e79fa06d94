// On-step motion of a kick-drift-kick, the same for every drift; see kick_drift_kick.h.

#include "motion/kick_drift_kick.h"

void scree_kick_drift_kick_complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct scree_rotor *rotor = &batch->rotor[i];
        const struct scree_vec3 momentum = scree_kick_drift_kick_on_step(batch, i);
        const struct scree_quat q = scree_quat_load(rotor->orientation);
        scree_vec3_store(momentum, out[i].momentum);
        const struct scree_vec3 spin = scree_body_spin(q, rotor->inertia, momentum);
        scree_vec3_store(spin, out[i].spin);
        if (batch->step->flow)
            scree_vec3_store(scree_vec3_sub(spin, scree_vec3_load(batch->step->flow->now.spin)),
                             out[i].spin_fluctuation);
    }
}
