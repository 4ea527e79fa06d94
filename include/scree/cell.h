// The periodic cell: a box, or a parallelepiped which can deform homogeneously, with periodic boundaries
// along the chosen axes.
//
// A body that leaves through one periodic face enters through the opposite one: its position is always in
// [lower, upper), also inside a step. The world counts the crossed periods in "body.image", so potential
// energy, angular momentum and scree_cell_unwrapped_position are continuous across faces. Load functions
// receive positions inside the cell. Walls have no periodic images, see wall.h.
#ifndef SCREE_CELL_H
#define SCREE_CELL_H

#include <scree/types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** A box along the axes of the world. */
struct scree_cell_def {
    double lower[3];  /**< m; z is ignored in two dimensions */
    double upper[3];  /**< m; along an axis that is not periodic it may equal `lower`, and the bounds are used
                           only for the "outside" alarm and the volume of the cell */
    bool periodic[3]; /**< along x, y, z; not along z in two dimensions */
};

/** Sets the cell and moves all bodies into it as if they had been created at their present positions; the
 * energy change is entered in the ledger as energy input. Refused inside a step, and if a bond would be
 * longer than half of the cell or lose the image that it connects. */
SCREE_NODISCARD scree_status scree_cell_set(struct scree_world *world, const struct scree_cell_def *def);

/** Copies the cell to `def`, not null; all zero if none was set. A cell with cell vectors is copied as the
 * corner alone, without periodic axes, and with its bounds along axes that are not: see
 * scree_cell_get_state. */
void scree_cell_get(const struct scree_world *world, struct scree_cell_def *def);

/** Returns the unwrapped position of a body, m, in `position`, not null. */
SCREE_NODISCARD scree_status scree_cell_unwrapped_position(const struct scree_world *world, scree_body_id id,
                                                           double position[3]);

/** Makes the cell a parallelepiped that is periodic along all axes of the world and does not deform: from
 * `corner` three vectors go along its edges, which `vectors` has one after the other (in two dimensions the
 * first two, in the plane). They must be right-handed. Any vectors of a lattice describe the same world; long
 * cells get shorter vectors of their lattice. Bodies are moved into the cell as by scree_cell_set.
 *
 * Such a world has free bodies, with contacts and bonds: a run refuses fixed degrees of freedom, schemes of
 * translation other than velocity Verlet, schemes of rotation that are not half-kicks, and bodies that could
 * touch their own images. If the cell is periodic along all axes it refuses walls and gravity, else walls
 * that are not planes along all periodic vectors or that turn, and bonds to walls. With bonds, other vectors
 * must be of the same lattice. In measurements velocities are without the mean motion; the angular momentum
 * and the mixing index of a region are not available, nor are files of other programs. */
SCREE_NODISCARD scree_status scree_cell_set_vectors(struct scree_world *world, const double corner[3],
                                                    const double vectors[9]);

/** As scree_cell_set_vectors, periodic along some axes only (z is ignored in two dimensions): vector k
 * belongs to axis k of the world. Periodic vectors have no component along axes that are not periodic, and
 * stay so: velocity gradients of the velocity along such an axis, along a periodic one, are refused. Vectors
 * of axes that are not periodic only give the cell its volume and the bounds of the "outside" alarm. */
SCREE_NODISCARD scree_status scree_cell_set_vectors_along(struct scree_world *world, const double corner[3],
                                                          const double vectors[9], const bool periodic[3]);

/** How fluctuations w of velocities move (the velocity without the mean velocity D x), with the force F:
 * MEAN_FIELD: m dw/dt = F, so bodies follow changes of the mean motion at once;
 * NEWTON: m dw/dt = F - m D w. In simple shear this is Newton's law for the total velocity, with images that
 * move as those of Lees and Edwards; for any D it is the law of SLLOD. */
enum scree_cell_form { SCREE_CELL_MEAN_FIELD, SCREE_CELL_NEWTON };

/** Sets the form of the motion; that of a new cell is MEAN_FIELD. Fluctuations stay as they are. The cell
 * must be periodic along some axis. Refused inside a step. */
SCREE_NODISCARD scree_status scree_cell_set_form(struct scree_world *world, enum scree_cell_form form);

/** Velocity gradient at a time: `gradient` has the present one, by rows, and the function changes what
 * depends on time. It must not change the world. */
typedef void scree_cell_gradient_function(void *user, double time, double gradient[9]);

/** Definition of a velocity gradient by a function. */
struct scree_cell_drive_def {
    scree_cell_gradient_function *function;
    void *user;                  /**< passed to `function` */
    void (*release)(void *user); /**< called when the function is no longer used; null for nothing */
};

/** Deforms the cell from now on with a velocity gradient that is a function of time, as scree_cell_deform;
 * replaces a present one. A null `def`, or a null function in it, removes the function: the cell keeps its
 * velocity gradient; scree_cell_deform and scree_cell_set_vectors remove it too. A step uses the gradient in
 * its middle for positions and at its end for contacts. A checkpoint does not contain the function: set it
 * again before running. If the call fails `release` is not called. */
SCREE_NODISCARD scree_status scree_cell_set_drive(struct scree_world *world,
                                                  const struct scree_cell_drive_def *def);

/** Deforms the cell from now on with a velocity gradient D, by rows: gradient[1] is the change of the
 * x-velocity along y, 1/s. The cell must be periodic along some axis, and a box have bounds along all; along
 * axes that are not periodic only the mean velocity is affected, see scree_cell_set_vectors_along. Positions
 * x move with the mean velocity D (x - corner) plus the fluctuation of each body, on which forces and damping
 * act; the velocities of bodies are total velocities, in which the mean velocity is included, and this call
 * adds the change of the mean velocity, and its spin, to them. The nearest image of a body moves with its
 * velocity plus D times its displacement. A servo of the cell keeps the entries that it controls. Refused
 * inside a step. */
SCREE_NODISCARD scree_status scree_cell_deform(struct scree_world *world, const double gradient[9]);

/** Wanted stresses at a time: `stress` has the present ones, by rows, and the function changes what depends
 * on time. It must not change the world. */
typedef void scree_cell_stress_function(void *user, double time, double stress[9]);

/** A servo of the cell: it sets entries of the velocity gradient such that components of the stress of the
 * whole cell reach wanted values. Entry 3 i + j is the change of the velocity along axis i along axis j, and
 * it is controlled by the component i, j of the stress. Other entries are as given by scree_cell_deform or
 * scree_cell_set_drive, so any components can be prescribed as stress or as rate.
 *
 * Wanted stresses are positive in compression: they are -1 times those of scree_measure_stress, plus the
 * kinetic part, 1/V times the sum of m w w with the fluctuations w. Every few steps each controlled rate is
 * set so that it corrects the fraction `gain` of the error until the next update, with the stiffness and the
 * dashpots of the contacts for an affine strain; in a loose packing it is the largest rate. In a gas, whose
 * stress fluctuates, it corrects the mean stress of some collisions, more slowly. */
struct scree_cell_servo_def {
    bool controlled[9]; /**< entries of the velocity gradient; not both i, j and j, i */
    double stress[9];   /**< wanted, Pa (N/m in two dimensions), of the controlled entries */
    bool common;        /**< the controlled entries among xx, yy and zz have one rate, from the mean of their
                             stresses */
    double rate; /**< largest magnitude of a controlled entry, 1/s; 0: quasi-static, an inertial number of
                      1e-3 at the largest wanted stress so far */
    double gain; /**< in (0, 1]; 0 means 0.5 */
    double tolerance; /**< relative errors of stress up to this are not corrected; in [0, 1) */
    unsigned every;   /**< steps between updates: at step numbers divisible by it; 0 means 10 */
    scree_cell_stress_function *function; /**< gives the wanted stresses; null: they are constant */
    void *user;                           /**< passed to `function` */
    void (*release)(void *user);          /**< called when the function is no longer used; null for nothing */
};

/** A copy of the servo of a cell and its last update. */
struct scree_cell_servo_state {
    struct scree_cell_servo_def def; /**< with defaults filled in and the present wanted stresses */
    double measured[9];              /**< stress at the last update, positive in compression */
    double rate[9];                  /**< controlled entries of the velocity gradient since then, 1/s */
    double largest;                  /**< largest rate, 1/s; 0: not known yet */
};

/** Sets the servo of a cell that is periodic along some axis; replaces a present one. Null removes it: the
 * cell keeps its velocity gradient. A checkpoint contains the servo, but not its function: set it again
 * before running; then only the function is taken from `def`. Refused inside a step. */
SCREE_NODISCARD scree_status scree_cell_set_servo(struct scree_world *world,
                                                  const struct scree_cell_servo_def *def);

/** Copies the servo of the cell to `state`, not null; fails if there is none. */
SCREE_NODISCARD scree_status scree_cell_get_servo(const struct scree_world *world,
                                                  struct scree_cell_servo_state *state);

/** A cell with cell vectors. */
struct scree_cell_state {
    double corner[3];
    double vectors[9];  /**< one after the other, m */
    double gradient[9]; /**< of the velocity, by rows, 1/s */
    enum scree_cell_form form;
    double deformation[9]; /**< deformation gradient since the cell vectors were set, by rows */
    double strain[9];      /**< logarithmic strain ln(F F^T) / 2 */
    double volume;         /**< m^3, m^2 in two dimensions */
    bool periodic[3];      /**< along x, y, z */
};

/** Copies the state of a cell with cell vectors; a box that is periodic along some axis and has bounds along
 * all has the state of a cell that did not deform yet. Fails for other cells. */
SCREE_NODISCARD scree_status scree_cell_get_state(const struct scree_world *world,
                                                  struct scree_cell_state *state);

/** Returns the fluctuation of the on-step velocity of a body, m/s: its velocity without the mean velocity. */
SCREE_NODISCARD scree_status scree_cell_fluctuation(const struct scree_world *world, scree_body_id id,
                                                    double velocity[3]);

#ifdef __cplusplus
}
#endif
#endif
