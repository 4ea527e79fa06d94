// The stochastic engine: hard spheres or disks whose collisions with each other are drawn at random. Bodies
// fly freely and meet walls at exact times, as in the event engine (event.h). Whom they collide with is not
// computed from positions: partners are drawn within cells, with the rates of kinetic theory. Bodies may
// overlap and pass through each other, so this is for gases of a low solid fraction, in which that happens
// between partners that know nothing of each other.
//
// Two kinds of partners:
// - a body of the same cell: direct simulation by Monte Carlo (Bird, Molecular Gas Dynamics, 1994). Momentum
//   and energy are exchanged between two bodies, so they are conserved.
// - a fictitious partner, with a velocity drawn from the mean and the fluctuations in the cell (Sommerfeld,
//   Int. J. Multiphase Flow 27, 1829, 2001). It is forgotten after the collision; so that momentum and energy
//   are conserved all the same, the velocities of the cell are shifted and scaled a little afterwards.
//
// A step flies for half of it, draws collisions for all of it, and flies for the other half: errors of order
// 2 in the step where a gas is not homogeneous, none where it is. A run depends on the seed and on nothing
// else: the draws are functions of the seed, the number of the step and the cell.
#ifndef SCREE_STOCHASTIC_H
#define SCREE_STOCHASTIC_H

#include <scree/alarm.h>
#include <scree/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

/** With whom bodies collide. */
typedef enum scree_stochastic_partner {
    SCREE_STOCHASTIC_BODY,      /**< with a body of the same cell */
    SCREE_STOCHASTIC_FICTITIOUS /**< with a fictitious body */
} scree_stochastic_partner;

/** Definition of a stochastic engine. */
struct scree_stochastic_def {
    double step; /**< s; 0: automatic, in which a body flies a fifth of the width of a cell, on average */
    /** Width of the cells, m. It should be below the mean free path, and below the lengths over which the gas
     * changes; cells fit into the periodic cell and between planes. 0: such that a cell has ten bodies on
     * average, in a world that is limited along all axes by the periodic cell or by planes. */
    double cell;
    scree_stochastic_partner partner;
    double weight; /**< number of real bodies that each body represents: rates of collisions of bodies with
                      each other are multiplied by it; 0 counts as 1 */
    bool dilute;   /**< rates are those of a dilute gas; else they are multiplied by the pair correlation at
                      contact for the solid fraction of the cell (Enskog) */
    uint64_t seed;
    double contact_time;  /**< a collision within this time after the last one of the body with a wall is
                             elastic, s; at most half of the step; 0: none. A body whose flight began with
                             draws, and that falls on a wall, counts as one that bounces on it */
    double elastic_below; /**< a collision with a lower normal closing speed is elastic, m/s; 0: none */
    struct scree_alarms alarms; /**< as those of event engines; overlaps are those with walls */
};

/** Creates a stochastic engine for `world`; `def` is not null. Destroy the engine before the world. The
 * functions of event.h for counts, memory and observers work with it too; a fictitious partner has no id. */
SCREE_NODISCARD scree_status scree_stochastic_create(struct scree_world *world,
                                                     const struct scree_stochastic_def *def,
                                                     struct scree_engine **engine);

/** Replaces all settings but the alarms; not inside a step. */
SCREE_NODISCARD scree_status scree_stochastic_set(struct scree_engine *engine,
                                                  const struct scree_stochastic_def *def);

#ifdef __cplusplus
}
#endif
#endif
