// Pistons of the event engine: rigid bodies that carry walls, and move along some of the axes without
// turning. They fly like other bodies, and have impulses from those that their walls meet.
//
// A collision of a body with a piston is that of two flights, as that of two bodies: it is found from both,
// and checked when it is due. After each flight of a piston all bodies are asked whether they meet it
// earlier.

#ifndef SCREE_EVENT_PISTON_H
#define SCREE_EVENT_PISTON_H

#include "law/impulse.h"
#include "world/world.h"

enum { SCREE_EVENT_MOVES_WALLS = 2 }; // `moves` of the engine's body

struct scree_event_piston {
    uint32_t body;
    double fall[3];         // its acceleration
    double load[3];         // the constant force on it, along the free axes
    double mass_inverse[3]; // along the axes; 0 where it is fixed
};

struct scree_event_pistons {
    size_t count;
    struct scree_event_piston *piston;
};

// Whether a body is a piston, at least one of whose directions is free.
bool scree_event_piston_is(const struct scree_world *world, size_t slot);

// What is wrong with a body that carries walls; null if nothing is.
const char *scree_event_piston_fault(const struct scree_world *world, size_t slot);

// The acceleration of a body that carries walls, by gravity and constant loads; `load`, which may be null,
// receives their force along the free axes.
void scree_event_piston_fall(const struct scree_world *world, size_t slot, double fall[3], double load[3]);

// Whether a load is a constant force on a piston.
bool scree_event_piston_can_bear(const struct scree_world *world, const struct scree_load *load);

// Lists the pistons.
SCREE_NODISCARD scree_status scree_event_pistons_make(struct scree_event_pistons *pistons,
                                                      const struct scree_world *world);

void scree_event_pistons_free(struct scree_event_pistons *pistons);

// The piston of a body that is one.
const struct scree_event_piston *scree_event_piston_of(const struct scree_event_pistons *pistons,
                                                       uint32_t body);

// Its velocity along the axes in which it is fixed.
struct scree_vec3 scree_event_piston_fixed_velocity(const struct scree_event_piston *piston,
                                                    struct scree_vec3 velocity);

// Before its flight ends: enters the work of the load in it.
void scree_event_piston_land(const struct scree_event_piston *piston, struct scree_world *world,
                             const struct scree_flight *flight, double time);

// How easily an impulse along a normal moves it, 1/kg.
double scree_event_piston_mobility(const struct scree_event_piston *piston, struct scree_vec3 normal);

// The impulse of a round body, the first side, that hits a piston, the second; applies it to both.
struct scree_vec3 scree_event_piston_push(const struct scree_event_piston *piston, struct scree_vec3 normal,
                                          struct scree_impulse_side side[2], struct scree_law_coefficients c);

#endif
