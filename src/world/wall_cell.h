// Walls of a cell with cell vectors, which is periodic along some axes only: planes along which the cell is
// periodic. They are at rest, or driven, or belong to the cell and move with its mean motion.
//
// A wall that belongs to the cell has `by_function` SCREE_WALL_BY_CELL. The row has its motion along its
// normal; that of its surface along itself, which depends on the place if the cell is strained in the plane
// of the wall, is computed from the velocity gradient at each contact.

#ifndef SCREE_WORLD_WALL_CELL_H
#define SCREE_WORLD_WALL_CELL_H

#include "world/wall.h"

// Motion of the surface at a contact with this unit normal: in the middle of the last step of `h` s, at the
// point there, moved on with the wall; and on-step. The points are brought to the plane: those of polyhedra
// are inside the overlap.
void scree_wall_cell_mid_step(const struct scree_world *world, const struct scree_wall *wall, double h,
                              struct scree_vec3 point, struct scree_vec3 normal,
                              struct scree_wall_touch_motion *motion);
void scree_wall_cell_on_step(const struct scree_world *world, const struct scree_wall *wall,
                             struct scree_vec3 point, struct scree_vec3 normal,
                             struct scree_wall_touch_motion *motion);

// Sets the velocities of the walls of the cell after its velocity gradient has been set.
void scree_wall_cell_follow(struct scree_world *world);

// Sets the motion of the walls of the cell, which has been deformed by a step of `h` s, and its end.
void scree_wall_cell_begin_step(struct scree_world *world, double h);
void scree_wall_cell_end_step(struct scree_world *world);

// Largest rate at which the mean motion of the cell can change the distance of a wall to a body near it, in
// the box at the last search, which has not become twice as large since.
double scree_wall_cell_approach(const struct scree_world *world, const struct scree_wall *wall,
                                const double lower[3], const double upper[3]);

// Velocity of a wall relative to the mean motion at its point, on-step, and by how much it may differ at
// other points of the box.
struct scree_vec3 scree_wall_cell_relative(const struct scree_world *world, const struct scree_wall *wall,
                                           const double lower[3], const double upper[3], double *spread);

// Fails if the world has a wall that cannot be in a cell with cell vectors and these open axes.
SCREE_NODISCARD scree_status scree_wall_cell_check(const struct scree_world *world, unsigned open);

// Whether a wall of the cell is across an axis, and so moves with a strain along it.
bool scree_wall_cell_is_across(const struct scree_world *world, int axis);

// Fails if a velocity gradient would turn a wall of the cell.
SCREE_NODISCARD scree_status scree_wall_cell_check_gradient(const struct scree_world *world,
                                                            const double gradient[9]);

#endif
