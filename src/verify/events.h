// Hard spheres in uniform shear, from collision to collision: a reference for a granular gas that has no
// theory. Independent of the engine: straight flights, impulses, and images of Lees and Edwards that slide
// along a face.

#ifndef SCREE_VERIFY_EVENTS_H
#define SCREE_VERIFY_EVENTS_H

#include "enskog.h"

// The steady state of side^3 spheres over `strain`, after a fifth of it, in the units of enskog.h.
struct scree_enskog_state scree_events_shear(double fraction, double restitution, int side,
                                             double temperature, double strain);

#endif
