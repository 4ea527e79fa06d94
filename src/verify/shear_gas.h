// A granular gas of smooth spheres in uniform shear, in a cell that deforms, in the event engine, the soft
// one, or a stochastic one. Units: diameter, mass and shear rate are 1; the flow is along x, and its velocity
// grows along y.

#ifndef SCREE_VERIFY_SHEAR_GAS_H
#define SCREE_VERIFY_SHEAR_GAS_H

#include "enskog.h"
#include "trial.h"

struct scree_shear_gas {
    double fraction, restitution;
    size_t side;                                   // of the cube of spheres at the start
    double stiffness;                              // of contacts; 0: hard spheres
    double steps;                                  // of the soft engine per contact time
    double strain;                                 // of the measurement; a fifth of it comes before
    const struct scree_stochastic_def *stochastic; // but for the step; else null
};

// The longest waves across the flow and its gradient, exp(2 pi i z / L): the means of N |u_x|^2 and of N Re
// u_x u_y* over the temperature, of the means u of velocities times the wave.
struct scree_shear_waves {
    double along, product;
};

double scree_shear_gas_contact_time(double stiffness);

// Begins with the temperature of Navier-Stokes theory, and runs to the steady state. The temperature is that
// without the motion of the centre of mass, N / (N - 1). `waves` may be null.
SCREE_NODISCARD scree_status scree_shear_gas_measure(struct scree_trial *trial,
                                                     const struct scree_shear_gas *gas,
                                                     struct scree_enskog_state *state,
                                                     struct scree_shear_waves *waves);

// The root of the mean square of the restitution of impacts in the soft engine that begin at all phases of a
// step: it has an error of order 2 in step over contact time.
SCREE_NODISCARD scree_status scree_shear_gas_restitution(struct scree_trial *trial,
                                                         const struct scree_shear_gas *gas,
                                                         double *restitution);

#endif
