// Measurements: stress, fabric, coordination, solid fraction, means and percentiles, in all of a world or in
// a region of it.
//
// Signs: stress and pressure follow mechanics, tension is positive in a stress and compression in a pressure.
// A tensor is nine numbers, row by row: xx xy xz, yx yy yz, zx zy zz. A region is a piece of space, or all
// there is where null is handed in; volume is area in two dimensions, where stress is in N/m. Across the
// faces of a periodic cell a region repeats as everything does. A body is in a region if its centre is; a
// box, or a cylinder along an axis, holds its lower ends and not its upper ones, so that of regions side by
// side one has a body and no two have. Along an axis that repeats, ends are told apart to 1e-12 of the
// period: one is the same as another that is a period away, and a region as wide as the period has all there
// is.
//
// Sums are exact before they are rounded, so no value depends on threads or on the order of bodies. All of
// this is asked between steps, or in a callback at point 0 or from point 60 on.
#ifndef SCREE_MEASURE_H
#define SCREE_MEASURE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Shapes of regions. */
enum scree_measure_shape {
    SCREE_MEASURE_EVERYWHERE, /**< no bounds; what is over a volume, as stress is, is of the cell */
    SCREE_MEASURE_BOX,
    SCREE_MEASURE_CYLINDER, /**< with flat ends; not in two dimensions */
    SCREE_MEASURE_BALL      /**< a circle in two dimensions */
};

/** A piece of space; along an axis that the cell repeats along no wider than the cell. With a group only its
 * bodies are measured, where bodies are: contacts, which are of two, are measured without one. */
struct scree_measure_region {
    enum scree_measure_shape shape;
    double lower[3], upper[3]; /**< corners of a box, m */
    double from[3], to[3];     /**< ends of the axis of a cylinder, m; a ball has its centre at `from` */
    double radius;             /**< of a cylinder or a ball, m */
    scree_group_id group;      /**< of the bodies there; value 0 for all */
};

/** The volume of a region, m^3 (m^2 in two dimensions). */
SCREE_NODISCARD scree_status scree_measure_volume(const struct scree_world *world,
                                                  const struct scree_measure_region *region, double *volume);

/** Mean stress of the contacts in a region, Pa (N/m in two dimensions): -1/V times the sum of f_a l_b, with
 * the force f on the first side of a contact and its branch l, from the centre of the other body, or from the
 * wall, to that of the first, as far as it lies in the region (Love and Weber; the part inside as of
 * Goldhirsch, Granular Matter 12, 239, 2010, for a region with sharp bounds). The traction on a face of
 * normal n is stress times n. */
SCREE_NODISCARD scree_status scree_measure_stress(const struct scree_world *world,
                                                  const struct scree_measure_region *region,
                                                  double stress[9]);

/** What motion adds to it: -1/V times the sum of m u_a u_b, with u a body's velocity less the mean velocity
 * in the region, see scree_measure_motion; like the pressure of a gas never positive along the axes. */
SCREE_NODISCARD scree_status scree_measure_kinetic_stress(struct scree_world *world,
                                                          const struct scree_measure_region *region,
                                                          double stress[9]);

/** Mean of n_a n_b over the contacts between bodies whose point is in the region, with normals n: of trace 1,
 * a third (in two dimensions half) on the diagonal where no direction is preferred; all zero without any.
 * `contacts`, which may be null, receives how many they are. */
SCREE_NODISCARD scree_status scree_measure_fabric(const struct scree_world *world,
                                                  const struct scree_measure_region *region, double fabric[9],
                                                  size_t *contacts);

/** How many contacts bodies have. */
struct scree_measure_touching {
    size_t bodies;     /**< in the region, of those that can touch */
    size_t contacts;   /**< that these have, one between two of them counted at both; walls included */
    size_t rattlers;   /**< bodies among them with no contact or one */
    double mean;       /**< contacts over bodies; 0 without any */
    double mechanical; /**< the same without rattlers: (contacts - those of rattlers) / (bodies - rattlers),
                            Thornton's, Geotechnique 50, 43, 2000 */
};

/** The coordination of the bodies in a region into `touching`. */
SCREE_NODISCARD scree_status scree_measure_coordination(const struct scree_world *world,
                                                        const struct scree_measure_region *region,
                                                        struct scree_measure_touching *touching);

/** The share of a region's volume that is inside of bodies: spheres (disks) as they are cut by its bounds, to
 * rounding; to 1e-8 of each that a cylinder cuts. Where bodies overlap it counts twice. Porosity is 1 less
 * this. */
SCREE_NODISCARD scree_status scree_measure_solid(const struct scree_world *world,
                                                 const struct scree_measure_region *region, double *share);

/** Bodies and how they move. */
struct scree_measure_flow {
    size_t bodies;
    double mass;        /**< kg */
    double velocity[3]; /**< of their common centre of mass, m/s; 0 without any */
    double temperature; /**< granular: mean square of one component of velocity about that one, weighted by
                             mass, m^2/s^2 */
    double fastest;     /**< the largest speed, m/s */
};

/** The bodies in a region into `flow`. */
SCREE_NODISCARD scree_status scree_measure_motion(struct scree_world *world,
                                                  const struct scree_measure_region *region,
                                                  struct scree_measure_flow *flow);

/** What percentiles are taken of. */
enum scree_measure_quantity {
    SCREE_MEASURE_DIAMETER, /**< of bodies that have one, m */
    SCREE_MEASURE_SPEED,    /**< of bodies, m/s */
    SCREE_MEASURE_OVERLAP,  /**< of contacts whose point is in the region, m */
    SCREE_MEASURE_FORCE     /**< the size of the force of such contacts, N */
};

/** The least value of a quantity, of those there are, that is not exceeded by `percent` (0 to 100) of all;
 * they count by number or, of bodies, by mass. 0 gives the least and 100 the largest; 0 where there are none.
 */
SCREE_NODISCARD scree_status scree_measure_percentile(struct scree_world *world,
                                                      const struct scree_measure_region *region,
                                                      enum scree_measure_quantity quantity, bool by_mass,
                                                      double percent, double *value);

/** The largest overlap of a contact, as a share of the smaller radius, into `share`; 0 without any. */
SCREE_NODISCARD scree_status scree_measure_deepest(const struct scree_world *world, double *share);

/** How far the world is from equilibrium: the mean size of the force on a body, gravity included and damping
 * not, along freedoms that are not fixed, over the mean size of the contact forces (as Yade's unbalancedForce
 * and, but for what it divides by, PFC's average ratio). Infinite where forces act and nothing touches; 0
 * where there are none at all. */
SCREE_NODISCARD scree_status scree_measure_unbalanced(const struct scree_world *world, double *ratio);

/** The power that moving walls feed into bodies through contacts, W. */
SCREE_NODISCARD scree_status scree_measure_wall_power(const struct scree_world *world, double *power);

/** The force (N) of bodies on a wall and its moment about the pivot (N m, world axes), by the contacts as
 * they are, see contact.h; either may be null. */
SCREE_NODISCARD scree_status scree_wall_load(const struct scree_world *world, scree_wall_id id,
                                             double force[3], double moment[3]);

/** The force (N) of bodies on all walls of a group together, and its moment (N m, world axes) about the point
 * `about` (m; null for the origin), by the contacts as they are, see scree_wall_load; either may be null. */
SCREE_NODISCARD scree_status scree_group_load(const struct scree_world *world, scree_group_id id,
                                              const double about[3], double force[3], double moment[3]);

#ifdef __cplusplus
}
#endif
#endif
