// The energy ledger: what bodies and contacts hold, what was fed in, what was lost, and the balance, which is
// the error of the integration, and what a contact law leaves out of its own books.
#ifndef SCREE_ENERGY_H
#define SCREE_ENERGY_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** All in J, on-step. */
struct scree_energy {
    double translation; /**< kinetic energy of translation */
    double rotation;    /**< kinetic energy of rotation */
    double gravity;     /**< potential energy, zero at the origin */
    double elastic;     /**< stored in contacts */
    double work;    /**< done by loads, pushes, prescribed motion and moving walls since the world was made */
    double damping; /**< lost to damping since then */
    double friction;     /**< lost to slipping in contacts */
    double dashpot;      /**< lost to the dashpots of contacts that do not slip */
    double internal;     /**< lost in contacts to plastic flow and adhesion; negative where a law made some */
    double energy_input; /**< brought in by adding, removing and editing bodies, by changing gravity, and by
                     whatever else changes contacts other than by motion */
    double balance;      /**< translation + rotation + gravity + elastic - work + damping + friction + dashpot
                              + inner - fed; 0 for an exact integrator */
};

/** Total momenta of all bodies, on-step. */
struct scree_momentum {
    double linear[3];  /**< kg m/s */
    double angular[3]; /**< about the origin, spins included, kg m^2/s */
};

/** The ledger now, summed order-free; between steps, or in a callback at point 0 or from point 60 on. */
SCREE_NODISCARD scree_status scree_energy_get(struct scree_world *world, struct scree_energy *energy);

/** What the balance is told as a share of: kinetic, stored and lost energy and work, each without its sign.
 * Gravity and what was fed in have no zero of their own and are no scale. */
double scree_energy_scale(const struct scree_energy *energy);

/** What rounding explains of the balance of a world: gravity is known to a rounding, and so is what was fed
 * in, to which each body was added. */
double scree_energy_rounding(const struct scree_world *world, const struct scree_energy *energy);

/** The momenta now, likewise. */
SCREE_NODISCARD scree_status scree_energy_momentum(struct scree_world *world,
                                                   struct scree_momentum *momentum);

#ifdef __cplusplus
}
#endif
#endif
