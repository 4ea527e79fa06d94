// Periodic cells with cell vectors in the event engine, which deform in the form `newton`.
//
// Between collisions bodies fly straight with their total velocities, and in a step the cell vectors H move
// straight too, H' = V. Then the velocity gradient D = V H^-1 has D' + D^2 = 0, so straight flights are the
// law of motion exactly, and with a simple shear, D^2 = 0, they are for all times: Lees and Edwards, J. Phys.
// C 5, 1921 (1972). The cell then has one steady course, and steps do not matter. For other gradients every
// step is a course of its own, to the vectors that the soft engine has (lattice.h), which is of order 2; the
// fluctuation of the velocity of a body, v - D x, is continuous, so bodies begin new flights at the ends of
// steps. At ends of steps velocities are those of the on-step gradient.
//
// Invariants: the course of the cell is a row of the world, so that it goes on after a restart; `skew` of
// skew.h is that of the present time of the engine.

#ifndef SCREE_EVENT_CELL_H
#define SCREE_EVENT_CELL_H

#include "event/event.h"

// Fails if the cell of a world has what the event engine does not know.
SCREE_NODISCARD scree_status scree_event_cell_check(const struct scree_world *world);

// Reads the cell from the world, where it is at the present time; goes on with its course, or begins one.
SCREE_NODISCARD scree_status scree_event_cell_read(struct scree_event *event);

// The present time has changed; a cell with cell vectors has moved.
void scree_event_cell_move(struct scree_event *event);

// Around the events of a step, at the times of its start and end. `whole`: it was not ended before by an
// alarm or a failure.
SCREE_NODISCARD scree_status scree_event_cell_begin_step(struct scree_event *event);
void scree_event_cell_end_step(struct scree_event *event, bool whole);

// The largest automatic step, which strains the cell little.
double scree_event_cell_longest(const struct scree_world *world);

// Brings a position at the present time into the cell, with its velocity; returns the numbers of periods.
void scree_event_cell_enter(const struct scree_event *event, double position[3], double velocity[3],
                            int64_t turns[3]);

// The position now of a body relative to its place in the lists, which moves with the cell; changes its
// velocity to that relative to its place.
void scree_event_cell_displacement(const struct scree_event *event, uint32_t body, const double position[3],
                                   double velocity[3], double displacement[3]);

// The way of a body in its flight until now, without the mean motion.
double scree_event_cell_path(const struct scree_event *event, uint32_t body);

// Before the flight of a body ends, at the present time: enters the work of the cell during this flight.
void scree_event_cell_land(struct scree_event *event, uint32_t body);

// Enters the work of the cell, and the stress, of a collision: its impulse on the first body, the
// displacement of this from the second, and the sum of both lever arms, which is the same where two bodies
// touch.
void scree_event_cell_collide(struct scree_event *event, struct scree_vec3 impulse, struct scree_vec3 branch,
                              struct scree_vec3 lever);

// Shows the work of the cell until now; and takes changes of it and of bodies into account.
void scree_event_cell_show_work(struct scree_event *event);
void scree_event_cell_read_work(struct scree_event *event);

#endif
