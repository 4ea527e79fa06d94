// Internals of the periodic cell: wrapping of positions, and unwrapped positions.
//
// Invariant between moves: along an axis of period L a position has lower <= x < upper, and the unwrapped
// position is x + L times the image count. A position that is outside by one period becomes x - L or x + L,
// rounded once; one farther outside becomes x - n L; a result that rounding leaves outside is set to the
// lower bound.

#ifndef SCREE_WORLD_CELL_H
#define SCREE_WORLD_CELL_H

#include "math/vec3.h"
#include "world/lattice.h"
#include "world/world.h"

// Largest distance of a position from the cell, in periods: farther away, positions have too few significant
// digits.
#define SCREE_CELL_FARTHEST 1e9

// Smallest period relative to the distance of its faces from the origin: with a smaller one, positions in the
// cell have too few significant digits.
#define SCREE_CELL_SMALLEST_PERIOD 1e-8

// Wraps a coordinate that is outside into [lower, upper) and counts the periods. Returns false, and changes
// nothing, if it is NaN or too far away.
static inline bool scree_cell_wrap_coordinate(double lower, double upper, double period, double *x,
                                              int64_t *image)
{
    const double ratio = (*x - lower) / period;
    if (!(ratio > -SCREE_CELL_FARTHEST && ratio < SCREE_CELL_FARTHEST))
        return false;
    int64_t turns = *x >= upper ? 1 : -1;
    double wrapped = *x >= upper ? *x - period : *x + period;
    if (!(wrapped >= lower && wrapped < upper)) {
        turns = (int64_t)ratio;
        turns -= (double)turns > ratio;
        wrapped = *x - (double)turns * period;
        turns += wrapped >= upper;
        wrapped = wrapped >= lower && wrapped < upper ? wrapped : lower;
    }
    *x = wrapped;
    *image += turns;
    return true;
}

// The constants that move bodies into a cell with cell vectors. `half` and `full` are the velocities of the
// cell vectors, mid-step and on-step.
struct scree_cell_lattice {
    struct scree_mat3 vectors, inverse, half, full;
    struct scree_vec3 corner;
};

struct scree_cell_lattice scree_cell_lattice_of(const struct scree_world *world);

// Position in the cell: from 0 to 1 along each cell vector.
static inline struct scree_vec3 scree_cell_fraction(const struct scree_cell_lattice *lattice,
                                                    const double *position)
{
    return scree_mat3_apply(lattice->inverse, scree_vec3_sub(scree_vec3_load(position), lattice->corner));
}

// Moves a body into the cell: its velocity changes by that of the cell vectors it moves by. Returns false,
// and changes nothing, if it is too far away or its position is not finite. `middle`: its velocity is that of
// the middle of the last step.
bool scree_cell_enter(const struct scree_cell_lattice *lattice, struct scree_grain *grain,
                      struct scree_image *image, bool middle);

// Fails if a position is too far away from a cell with cell vectors.
SCREE_NODISCARD scree_status scree_cell_check_near(const struct scree_cell_lattice *lattice,
                                                   const double *position);

// Fails if the function that gives the velocity gradient has not been set since the checkpoint.
SCREE_NODISCARD scree_status scree_cell_check_drive(const struct scree_world *world);

// Removes the function that gives the velocity gradient.
void scree_cell_end_drive(struct scree_world *world);

// Gives a box that is periodic along all axes cell vectors; fails for other cells.
SCREE_NODISCARD scree_status scree_cell_require_vectors(struct scree_world *world);

// Before bodies move by a step of `h`: sets the velocity gradients of the step.
SCREE_NODISCARD scree_status scree_cell_begin_step(struct scree_world *world, double h);

// Deforms the cell by a step `h`, after bodies have moved. If other vectors of the lattice are much shorter,
// takes these, moves the bodies into the new cell, and returns true: then contacts must be searched.
bool scree_cell_advance(struct scree_world *world, double h);

// Fails if the world has what cannot be in a cell with cell vectors. `bodies`: checks bodies too.
SCREE_NODISCARD scree_status scree_cell_check_lattice(const struct scree_world *world, bool bodies);

// Fails if walls or gravity do not allow a velocity gradient.
SCREE_NODISCARD scree_status scree_cell_check_gradient(const struct scree_world *world,
                                                       const double gradient[9]);

// Fails in a cell with cell vectors: `what` is not available there.
SCREE_NODISCARD scree_status scree_cell_refuse_lattice(const struct scree_world *world, const char *what);

// Likewise if the cell will have cell vectors in a later stage of the scene.
SCREE_NODISCARD scree_status scree_cell_refuse_deforming(const struct scree_world *world, const char *what);

// Mean velocity at a position.
static inline struct scree_vec3 scree_cell_mean_velocity(const struct scree_world *world,
                                                         const double *position)
{
    const struct scree_vec3 corner = scree_vec3_load(scree_world_cell(world)->lower);
    return scree_mat3_apply(scree_lattice_load(scree_world_lattice(world)->gradient),
                            scree_vec3_sub(scree_vec3_load(position), corner));
}

// Unwrapped position of a body.
static inline struct scree_vec3 scree_cell_unwrapped(const struct scree_world *world, scree_slot slot)
{
    const struct scree_vec3 position = scree_vec3_load(scree_world_grains(world)[slot.index].position);
    if (!scree_world_images(world))
        return position;
    const double *period = scree_world_cell(world)->period;
    const int64_t *n = scree_world_images(world)[slot.index].count;
    if (scree_world_lattice(world))
        return scree_vec3_add(position,
                              scree_mat3_apply(scree_lattice_load(scree_world_lattice(world)->vectors),
                                               scree_vec3_make((double)n[0], (double)n[1], (double)n[2])));
    const struct scree_vec3 displacement =
        scree_vec3_make((double)n[0] * period[0], (double)n[1] * period[1], (double)n[2] * period[2]);
    return scree_vec3_add(position, displacement);
}

// Returns whether the cell is a box that is periodic along any axis.
static inline bool scree_cell_is_periodic(const struct scree_world *world)
{
    const double *period = scree_world_cell(world)->period;
    return period[0] > 0 || period[1] > 0 || period[2] > 0;
}

// Whether the cell is periodic along an axis, or along cell vectors that are not perpendicular to it.
static inline bool scree_cell_is_periodic_along(const struct scree_world *world, int k)
{
    return scree_world_lattice(world)
               ? k < world->dimension && !scree_lattice_is_open(scree_world_open_axes(world), k)
               : scree_world_cell(world)->period[k] > 0;
}

// The smallest width of a periodic cell, infinite if no axis is periodic.
double scree_cell_narrowest(const struct scree_world *world);

// Fails if a position is too far away to be wrapped.
SCREE_NODISCARD scree_status scree_cell_check(const struct scree_world *world, const double *position);

// Largest coordinate of a grain, in radii: there the distance of neighbouring numbers, 2^-52 of the
// coordinate or less, is a millionth of the radius.
#define SCREE_CELL_RADII (1e-6 * 0x1p52)

// Checks that the coordinates of a grain resolve overlaps, after wrapping into a periodic cell.
SCREE_NODISCARD scree_status scree_cell_check_resolution(const struct scree_world *world,
                                                         const double *position, double radius);

// Wraps the position of one body, or of all bodies; one that is too far away is left unchanged.
void scree_cell_wrap(struct scree_world *world, scree_slot slot);
void scree_cell_wrap_all(struct scree_world *world);

// Resets the image counts of a body that was placed at a new position.
void scree_cell_reset_images(struct scree_world *world, scree_slot slot);

// Returns whether a position lies inside the cell along all periodic axes.
bool scree_cell_contains(const struct scree_world *world, const double *position);

#endif
