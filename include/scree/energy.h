// The energy ledger: kinetic, potential and elastic energy, work, energy input, losses, and their balance.
// The balance is the integration error plus energy that a contact law does not account for.
#ifndef SCREE_ENERGY_H
#define SCREE_ENERGY_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Entries of the ledger, J, on-step. Work, losses and input are totals since the world was created. Kinetic
 * energy is that of fluctuations in a cell with cell vectors: without the mean motion of the cell. */
struct scree_energy {
    double translation;  /**< translational kinetic energy */
    double rotation;     /**< rotational kinetic energy */
    double gravity;      /**< potential energy, zero at the origin */
    double elastic;      /**< stored in contacts and bonds */
    double work;         /**< of loads, added forces, prescribed motion, moving walls, and
                              deforming cells */
    double damping;      /**< lost to global damping */
    double friction;     /**< lost to sliding in contacts */
    double dashpot;      /**< lost to dashpots of bonds, and of contacts that do not slide */
    double internal;     /**< internal dissipation of contacts: plastic and adhesive losses; negative if a law
                              generates energy */
    double released;     /**< by broken bonds: their elastic energy, and energy lost to damage of bonds */
    double energy_input; /**< by adding, removing and editing bodies, by changing gravity, and by any other
                              change of contacts that is not motion */
    double balance;      /**< translation + rotation + gravity + elastic - work + damping + friction + dashpot
                              + internal + released - energy_input; 0 for an exact integrator */
};

/** Total momenta of all bodies, on-step. In a cell with cell vectors the linear momentum is that of
 * velocities without the mean motion, which is continuous across faces, and the angular momentum is NaN. */
struct scree_momentum {
    double linear[3];  /**< kg m/s */
    double angular[3]; /**< about the origin, including spins, kg m^2/s */
};

/** Returns the ledger; the sums do not depend on the order of bodies. Call it between steps, or in a callback
 * at point 0 or from point 60 on. */
SCREE_NODISCARD scree_status scree_energy_get(struct scree_world *world, struct scree_energy *energy);

/** Reference energy for the relative energy error: the sum of the absolute values of kinetic and elastic
 * energy, losses and work. Gravity and energy input are left out because their zero is arbitrary. */
double scree_energy_scale(const struct scree_energy *energy);

/** Part of the balance that round-off explains: potential energy and energy input, to which each body was
 * added, are only known to rounding, and a bond stores energy for the round-off of positions before it has
 * any load. */
double scree_energy_rounding(const struct scree_world *world, const struct scree_energy *energy);

/** Returns the momenta; same conditions as scree_energy_get. */
SCREE_NODISCARD scree_status scree_energy_momentum(struct scree_world *world,
                                                   struct scree_momentum *momentum);

#ifdef __cplusplus
}
#endif
#endif
