// Measurements: stress, fabric, coordination number, solid fraction, means and percentiles, of the whole
// world or of a region.
//
// Signs: tension is positive in a stress, compression is positive in a pressure. A tensor is nine numbers in
// row order: xx xy xz, yx yy yz, zx zy zz. A null region is the whole world; in two dimensions volume is area
// and stress is in N/m. In a periodic cell a region has periodic images. A body is in a region if its centre
// is. A box, or a cylinder along an axis, includes its lower ends and excludes its upper ends, so adjacent
// regions never share or miss a body. Along a periodic axis ends are compared with a tolerance of 1e-12
// periods: ends one period apart are equal, and a region as wide as the period includes everything.
//
// Sums are exact before rounding, so no value depends on threads or on the order of bodies. Call these
// functions between steps, or in a callback at point 0 or from point 60 on.
#ifndef SCREE_MEASURE_H
#define SCREE_MEASURE_H

#include <scree/flux_surface.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Shapes of regions. */
enum scree_measure_shape {
    SCREE_MEASURE_EVERYWHERE, /**< no bounds; the volume is that of the cell */
    SCREE_MEASURE_BOX,
    SCREE_MEASURE_CYLINDER, /**< with flat ends; not in two dimensions */
    SCREE_MEASURE_BALL,     /**< a circle in two dimensions */
    SCREE_MEASURE_MESH /**< the inside of a wall that is a closed mesh, at its present place; in a periodic
                            cell it must lie between the faces. Not for solid fractions */
};

/** A region; along a periodic axis at most as wide as the cell. With a group, measurements of bodies include
 * only its members; measurements of contacts are refused with a group. */
struct scree_measure_region {
    enum scree_measure_shape shape;
    double lower[3], upper[3]; /**< corners of a box, m */
    double from[3], to[3];     /**< ends of the axis of a cylinder, m; a ball has its centre at `from` */
    double radius;             /**< of a cylinder or a ball, m */
    scree_wall_id mesh;        /**< the wall of a mesh */
    scree_group_id group;      /**< of bodies; value 0 for all */
};

/** The volume of a region, m^3 (m^2 in two dimensions). */
SCREE_NODISCARD scree_status scree_measure_volume(const struct scree_world *world,
                                                  const struct scree_measure_region *region, double *volume);

/** Love-Weber stress of the contacts in a region, Pa (N/m in two dimensions): -1/V times the sum of f_a l_b,
 * where f is the contact force on the first side, and l the branch vector, cut to the region: from the centre
 * of the second body, or from the contact point at a wall, to the centre of the first body (Goldhirsch,
 * Granular Matter 12, 239, 2010, for a region with sharp bounds). The traction on a face of normal n is
 * stress times n. */
SCREE_NODISCARD scree_status scree_measure_stress(const struct scree_world *world,
                                                  const struct scree_measure_region *region,
                                                  double stress[9]);

/** Couple stress of the contacts in a region, N/m (N in two dimensions): -1/V times the sum of m_a l_b, with
 * the branch vector l as above and the moment m of a contact on its first side, about the middle of l: the
 * couple of the contact plus the moment of its force. So it is half the difference of the moments on both
 * sides about their centres, and does not depend on which side is the first (Goldhirsch, as above). A face of
 * normal n transmits couple stress times n, with the sign of the stress. */
SCREE_NODISCARD scree_status scree_measure_couple_stress(const struct scree_world *world,
                                                         const struct scree_measure_region *region,
                                                         double stress[9]);

/** Kinetic stress: -1/V times the sum of m u_a u_b, with u the velocity of a body minus the mean velocity in
 * the region, see scree_measure_motion. Its diagonal is never positive, like a gas pressure. */
SCREE_NODISCARD scree_status scree_measure_kinetic_stress(struct scree_world *world,
                                                          const struct scree_measure_region *region,
                                                          double stress[9]);

/** Fabric tensor: mean of n_a n_b over the contacts between bodies with contact points in the region. Its
 * trace is 1; an isotropic fabric has 1/3 (in two dimensions 1/2) on the diagonal; all zero without contacts.
 * `contacts`, which may be null, receives the number of contacts. */
SCREE_NODISCARD scree_status scree_measure_fabric(const struct scree_world *world,
                                                  const struct scree_measure_region *region, double fabric[9],
                                                  size_t *contacts);

/** Coordination numbers. */
struct scree_measure_coordination_numbers {
    size_t bodies;     /**< bodies in the region that can have contacts */
    size_t contacts;   /**< their contacts, walls included; one between two of them counts twice */
    size_t rattlers;   /**< bodies with at most one contact */
    double mean;       /**< coordination number: contacts / bodies; 0 without bodies */
    double mechanical; /**< mechanical coordination number, without rattlers: (contacts - those of rattlers) /
                            (bodies - rattlers) (Thornton, Geotechnique 50, 43, 2000) */
};

/** Computes the coordination numbers of the bodies in a region. */
SCREE_NODISCARD scree_status scree_measure_coordination(const struct scree_world *world,
                                                        const struct scree_measure_region *region,
                                                        struct scree_measure_coordination_numbers *numbers);

/** Solid fraction of a region: spheres (disks) are cut at its bounds. The cut volume is exact to rounding, or
 * to 1e-8 of the sphere at the bounds of a cylinder. Overlaps count twice. Porosity is 1 - solid fraction. */
SCREE_NODISCARD scree_status scree_measure_solid_fraction(const struct scree_world *world,
                                                          const struct scree_measure_region *region,
                                                          double *fraction);

/** Mean motion of bodies. */
struct scree_measure_mean_motion {
    size_t bodies;
    double mass;        /**< kg */
    double velocity[3]; /**< of the common centre of mass, m/s; 0 without bodies */
    double temperature; /**< granular temperature: mass-weighted mean square of one component of the
                             fluctuation velocity, m^2/s^2 */
    double fastest;     /**< largest speed, m/s */
};

/** Computes the mean motion of the bodies in a region. */
SCREE_NODISCARD scree_status scree_measure_motion(struct scree_world *world,
                                                  const struct scree_measure_region *region,
                                                  struct scree_measure_mean_motion *motion);

/** Second Sonine coefficient of the velocities of the bodies in a region about their mean velocity, each body
 * with the same weight: D <c^4> / ((D + 2) <c^2>^2) - 1 in D dimensions, 0 for a normal distribution; 0
 * without motion. */
SCREE_NODISCARD scree_status scree_measure_kurtosis(struct scree_world *world,
                                                    const struct scree_measure_region *region, double *a2);

/** Means over collisions of the event engine. */
struct scree_measure_collision_means {
    double rate;      /**< collisions of a body per time, with bodies and walls, 1/s */
    double free_path; /**< mean distance of a body from one collision to its next, m */
    double virial;    /**< increase of the virial of collisions of two bodies per time, J: over the number of
                           dimensions and the volume it is their part of the pressure */
    double time;      /**< s, between the two counts whose difference these are */
};

/** Begins to count collisions and their free paths for means over a window, as part of the world and its
 * digest; counts are kept and updated as those of mean flows, see flux_surface.h. */
SCREE_NODISCARD scree_status scree_measure_keep_collisions(struct scree_world *world,
                                                           const struct scree_flux_surface_window *window);

/** Computes the means over the window that ends at the last update, as scree_measure_mean_flow does. Bodies
 * are those of now. 0 for a mean over nothing. */
SCREE_NODISCARD scree_status scree_measure_collisions(const struct scree_world *world,
                                                      const struct scree_flux_surface_window *window,
                                                      struct scree_measure_collision_means *means);

/** The state from which displacements, turns and strains are measured. */
enum scree_measure_since {
    SCREE_MEASURE_SINCE_RUN,  /**< when their start was first kept, or the body was added */
    SCREE_MEASURE_SINCE_STAGE /**< scree_measure_begin_stage */
};

/** Begins to keep the start of bodies or walls, as part of the world and its digest; without it
 * displacements, turns and strains are 0. Also records the start of those added since the last call, at their
 * present positions: call it after adding some. */
SCREE_NODISCARD scree_status scree_measure_keep_start(struct scree_world *world, bool bodies, bool walls);

/** Takes the present positions as the start of a stage, where a start is kept. */
void scree_measure_begin_stage(struct scree_world *world);

/** Mean position and displacement of bodies, weighted by mass, along unwrapped paths; 0 without bodies. */
struct scree_measure_mean_position {
    double position[3];         /**< centre of mass, m */
    double displacement[3];     /**< m; of each body from its own start */
    double square_displacement; /**< m^2; mean of its square, by number */
};

/** Computes the mean position and displacement of the bodies in a region. */
SCREE_NODISCARD scree_status scree_measure_position(const struct scree_world *world,
                                                    const struct scree_measure_region *region,
                                                    enum scree_measure_since since,
                                                    struct scree_measure_mean_position *out);

/** Mean position, displacement and turn of walls; 0 without walls. */
struct scree_measure_wall_position {
    double position[3];     /**< of their reference points (the point of a plane, else the centre), m */
    double displacement[3]; /**< m */
    double turn[3];         /**< integral of the angular velocity, rad */
};

/** Computes the mean position, displacement and turn of the walls of a group. */
SCREE_NODISCARD scree_status scree_measure_walls(const struct scree_world *world, scree_group_id id,
                                                 enum scree_measure_since since,
                                                 struct scree_measure_wall_position *out);

/** Size of a sample between walls, and its strains: extension is positive, compression negative. */
struct scree_measure_sample {
    double extent[3];     /**< distance between opposite faces along x, y and z, m */
    double strain[4];     /**< relative change of these, and of their product, the volume */
    double log_strain[4]; /**< logarithms of the ratios to the start */
};

/** Computes the size of the sample between the walls of a group. Faces are planes, rectangles, disks and
 * sides of boxes that are normal to an axis; along a periodic axis without faces the size is the period. A
 * number whose faces are missing, or have a third face in between, is NaN. */
SCREE_NODISCARD scree_status scree_measure_strain(const struct scree_world *world, scree_group_id id,
                                                  enum scree_measure_since since,
                                                  struct scree_measure_sample *out);

/** Quantities for percentiles. */
enum scree_measure_quantity {
    SCREE_MEASURE_DIAMETER, /**< of spheres and disks, m */
    SCREE_MEASURE_SPEED,    /**< of bodies, m/s */
    SCREE_MEASURE_OVERLAP,  /**< of contacts with contact points in the region, m */
    SCREE_MEASURE_FORCE     /**< force magnitude of such contacts, N */
};

/** Percentile: the smallest value in the sample such that at least `percent` (0 to 100) percent of the sample
 * are at most this value, counted by number or, for bodies, by mass. 0 gives the smallest value, 100 the
 * largest. The result is 0 for an empty sample. */
SCREE_NODISCARD scree_status scree_measure_percentile(struct scree_world *world,
                                                      const struct scree_measure_region *region,
                                                      enum scree_measure_quantity quantity, bool by_mass,
                                                      double percent, double *value);

/** Maximum number of cells along an axis for scree_measure_mixing. */
enum { SCREE_MEASURE_MAX_CELLS = 1000000 };

/** Lacey's mixing index of a group of bodies among the bodies in a region, M = (S0^2 - S^2) / (S0^2 - SR^2)
 * (Lacey, J. Appl. Chem. 4, 257, 1954): 0 if no cell contains both members and others, about 1 for a random
 * mixture. The bounding box of the region is divided into cells[0] * cells[1] * cells[2] equal cells. Cell i
 * has the amount M_i, the number or the mass of its bodies, of which the fraction p_i belongs to members; M
 * and p are those of all cells. Then S0^2 = p (1 - p), S^2 = sum of (M_i / M) (p_i - p)^2, and SR^2 = p (1 -
 * p) / n, where 1/n is the sum of m^2 / (M_i M) over all bodies with amounts m: n is the mean number of
 * bodies in an occupied cell if all amounts are equal. 0 if the index is undefined: without members or
 * without others, or with at most one body in each cell. */
SCREE_NODISCARD scree_status scree_measure_mixing(const struct scree_world *world,
                                                  const struct scree_measure_region *region,
                                                  scree_group_id members, const uint32_t cells[3],
                                                  bool by_mass, double *index);

/** Returns the largest overlap of all contacts as a fraction of the smaller radius, in `fraction`; 0 without
 * contacts. Overlaps of polyhedra are divided by the length that the alarm of overlaps compares them with:
 * the sum of the roundings of two polyhedra, of rounding and radius with a sphere, the rounding at meshes and
 * curved walls, and the distance of the farthest point from the centre of mass at planes. */
SCREE_NODISCARD scree_status scree_measure_max_overlap(const struct scree_world *world, double *fraction);

/** Unbalanced force ratio: mean magnitude of the force on a body, with gravity, without damping, along free
 * degrees of freedom, over the mean magnitude of the contact forces (as Yade's unbalancedForce; PFC's average
 * ratio has another denominator, see scree_measure_force_ratio). Infinite if forces act and there are no
 * contacts; 0 without any force. */
SCREE_NODISCARD scree_status scree_measure_unbalanced(const struct scree_world *world, double *ratio);

/** Average force ratio of PFC: mean magnitude of the force on a body, as above, over the mean sum of the
 * magnitudes of the forces on a body: of its contacts and its weight (PFC adds applied forces). */
SCREE_NODISCARD scree_status scree_measure_force_ratio(const struct scree_world *world, double *ratio);

/** Inertial number of a periodic cell that deforms with the velocity gradient D: rate d (density / p)^(1/2)
 * with the rate (2 E : E)^(1/2) of the deviator E of its symmetric part, in simple shear the shear rate, the
 * mean diameter d and density of the grains, and the pressure p of the contacts; infinite at a rate without
 * pressure. */
SCREE_NODISCARD scree_status scree_measure_inertial_number(const struct scree_world *world, double *number);

/** Power of moving walls on bodies through contacts, W. */
SCREE_NODISCARD scree_status scree_measure_wall_power(const struct scree_world *world, double *power);

/** Force (N) of bodies on a wall and its moment about the pivot (N m, world axes), from the present contacts,
 * see contact.h; either may be null. */
SCREE_NODISCARD scree_status scree_wall_load(const struct scree_world *world, scree_wall_id id,
                                             double force[3], double moment[3]);

/** Total force (N) of bodies on all walls of a group and its moment (N m, world axes) about `point` (m;
 * null for the origin), as scree_wall_load; `force` or `moment` may be null. */
SCREE_NODISCARD scree_status scree_group_load(const struct scree_world *world, scree_group_id id,
                                              const double point[3], double force[3], double moment[3]);

/** Begins to add up the friction work and the impacts of every facet of meshes, as part of the world and its
 * digest; before that they are 0. */
SCREE_NODISCARD scree_status scree_facet_keep_wear(struct scree_world *world);

/** Friction work and impacts since scree_facet_keep_wear, or since the mesh was added. */
struct scree_wall_wear {
    double friction_work; /**< energy dissipated by sliding, J */
    double impact_energy; /**< J: at each impact half the mass of the body times the square of the normal
                               velocity of approach */
    uint64_t impacts;     /**< number of contacts that have begun; one that goes over to a neighbouring facet
                               does not begin again */
};

/** A facet of a mesh and what bodies do to it. A contact at an edge or a vertex belongs to one facet, see
 * docs/theory/meshes.md. */
struct scree_wall_facet {
    double centre[3]; /**< present position, m */
    double normal[3]; /**< unit; corners are counter-clockwise around it */
    double area;      /**< m^2 */
    double force[3];  /**< of bodies on the facet, without bonds, N */
    double
        pressure; /**< sum of the normal forces of the contacts over the area, positive in compression, Pa */
    struct scree_wall_wear wear; /**< 0 if it is not kept */
};

/** Copies the first `capacity` facets of a mesh to `out` (null if capacity is 0), in the order in which they
 * were given; `count`, not null, receives their number. Refused for other walls. */
SCREE_NODISCARD scree_status scree_facet_list(const struct scree_world *world, scree_wall_id id,
                                              struct scree_wall_facet *out, size_t capacity, size_t *count);

/** Adds up the wear of all facets of all meshes in a group; refused if it is not kept, or without a mesh. */
SCREE_NODISCARD scree_status scree_facet_group_wear(const struct scree_world *world, scree_group_id id,
                                                    struct scree_wall_wear *wear);

#ifdef __cplusplus
}
#endif
#endif
