// Bodies: spheres, disks (two dimensions), general rigid bodies given by mass and inertia, and clumps.
//
// In every definition struct zero means "not given"; a missing value without a default is an error that names
// it. In a callback after point 10 velocities are mid-step (see scree_world_level), and setting a velocity
// sets the mid-step value; between steps velocities are on-step.
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Degrees of freedom along and about the axes of the world; combine with |. In contacts a body with
 * SCREE_FIX_POSITION has infinite mass, like a wall. A partly fixed body has its own mass in contacts, so in
 * oblique contacts its actual restitution is larger than a given coefficient (docs/theory/contact-laws.md).
 */
enum scree_freedom {
    SCREE_FIX_X = 1,
    SCREE_FIX_Y = 2,
    SCREE_FIX_Z = 4,
    SCREE_FIX_SPIN_X = 8,
    SCREE_FIX_SPIN_Y = 16,
    SCREE_FIX_SPIN_Z = 32,
    SCREE_FIX_POSITION = 7,
    SCREE_FIX_SPIN = 56,
    SCREE_FIX_ALL = 63
};

/** A solid sphere of one material. In two dimensions use a disk. */
struct scree_sphere_def {
    double radius;              /**< m, positive */
    scree_material_id material; /**< gives the mass by its density */
    double position[3];         /**< m */
    double velocity[3];         /**< m/s */
    double spin[3];             /**< angular velocity, rad/s, world axes */
    unsigned fixed;             /**< of enum scree_freedom; a fixed degree of freedom keeps its velocity */
};

/** A solid disk of one material in the plane z = 0; two dimensions only. */
struct scree_disk_def {
    double radius;              /**< m, positive */
    double thickness;           /**< m, positive */
    scree_material_id material; /**< gives the mass by its density */
    double position[2];         /**< m */
    double velocity[2];         /**< m/s */
    double spin;                /**< about z, rad/s */
    unsigned fixed;             /**< of enum scree_freedom; a fixed degree of freedom keeps its velocity */
};

/** A general rigid body. Give either `inertia` or `tensor`, in two dimensions `polar`; all about the centre
 * of mass. */
struct scree_rigid_def {
    double mass;       /**< kg, positive */
    double inertia[3]; /**< principal moments of inertia, kg m^2 */
    double tensor[6];  /**< inertia tensor xx yy zz yz zx xy in world axes, kg m^2; diagonalised on entry */
    double polar;      /**< two dimensions: moment of inertia about z, kg m^2, positive */
    scree_material_id material; /**< value 0 for none */
    double position[3];         /**< centre of mass, m */
    double orientation[4]; /**< of the principal axes; all zero means identity; must be zero with `tensor` */
    double velocity[3];    /**< m/s */
    double spin[3];        /**< angular velocity, rad/s, world axes */
    unsigned fixed;        /**< of enum scree_freedom; a fixed degree of freedom keeps its velocity */
};

/** A pebble of a clump, a part that has contacts: a sphere, in two dimensions a disk; or in three dimensions
 * a convex polyhedron. */
struct scree_pebble {
    double offset[3]; /**< centre (of a polyhedron the centre of mass), from the centre of mass of the
                         clump, along the axes of the clump, m */
    double radius;    /**< of a sphere or disk, m, positive */
    scree_material_id material; /**< of its contacts; value 0 for that of the clump */
    scree_shape_id shape;       /**< of a polyhedron, which has no radius; value 0 for a sphere or disk */
    double orientation[4]; /**< of a polyhedron: from the axes in which its vertices were given to those of
                              the clump; all zero means identity */
};

/** A clump: a rigid body whose contacts are those of its pebbles, which may overlap. Concave bodies are made
 * of several convex polyhedra. */
struct scree_clump_def {
    struct scree_rigid_def body; /**< `inertia` or `polar`, not `tensor`; its principal axes are those of the
                                    offsets, and its material is required */
    const struct scree_pebble *pebble; /**< copied */
    size_t pebbles;                    /**< at least 1, at most 65535 */
    double equal_radius; /**< radius of the sphere of equal volume (disk of equal area), m, positive */
    uint64_t shape;      /**< any number; the field "shape" of the body, for pictures */
    double axes[4];      /**< quaternion of the principal axes in the axes of the shape, in which files have
                            orientations; zero if both are the same */
};

/** Global damping coefficients, of all bodies or of one. */
struct scree_damping {
    double local;   /**< Cundall's local damping: this fraction of each force component opposes the motion; in
                       [0, 1) */
    double viscous; /**< force -viscous times momentum, 1/s; not negative */
};

/** A copy of the state of one body. */
struct scree_body_state {
    double position[3];         /**< m */
    double orientation[4];      /**< (1, 0, 0, 0) for a sphere without integrated orientation */
    double velocity[3];         /**< m/s */
    double spin[3];             /**< rad/s, world axes */
    double momentum[3];         /**< angular momentum, kg m^2/s, world axes */
    double force[3];            /**< N, of the last force evaluation, without gravity and damping */
    double moment[3];           /**< N m, world axes, of the last force evaluation, without damping */
    double mass;                /**< kg */
    double inertia[3];          /**< principal moments, kg m^2 */
    double radius;              /**< m; of a clump that of the sphere of equal volume; 0 for a rigid body */
    unsigned fixed;             /**< of enum scree_freedom */
    scree_material_id material; /**< value 0 for none */
    scree_level velocity_level; /**< time level of the velocity */
    scree_level spin_level;     /**< time level of spin and momentum */
};

/** Adds a sphere; `id` (not null) receives its id. No coordinate may exceed 4.5e9 radii, where numbers have a
 * resolution of a millionth of the radius; periodic coordinates are wrapped before. Disks, grains of rigid
 * bodies and scree_body_set_position have the same limit. */
SCREE_NODISCARD scree_status scree_body_add_sphere(struct scree_world *world,
                                                   const struct scree_sphere_def *def, scree_body_id *id);

/** Adds a disk; `id` (not null) receives its id. */
SCREE_NODISCARD scree_status scree_body_add_disk(struct scree_world *world, const struct scree_disk_def *def,
                                                 scree_body_id *id);

/** Adds a general rigid body; `id` (not null) receives its id. */
SCREE_NODISCARD scree_status scree_body_add_rigid(struct scree_world *world,
                                                  const struct scree_rigid_def *def, scree_body_id *id);

/** Adds a clump; `id` (not null) receives its id. */
SCREE_NODISCARD scree_status scree_body_add_clump(struct scree_world *world,
                                                  const struct scree_clump_def *def, scree_body_id *id);

/** Removes a body; its energy is entered in the ledger as a negative energy input. */
SCREE_NODISCARD scree_status scree_body_remove(struct scree_world *world, scree_body_id id);

/** Number of bodies. */
size_t scree_body_count(const struct scree_world *world);

/** Whether the body exists. */
bool scree_body_exists(const struct scree_world *world, scree_body_id id);

/** Copies the state of a body to `state`, not null. */
SCREE_NODISCARD scree_status scree_body_get(const struct scree_world *world, scree_body_id id,
                                            struct scree_body_state *state);

/** Returns the corners of the bounding box of the sphere, disk or pebbles of a body, m, both not null; of a
 * rigid body without contacts its centre of mass. */
SCREE_NODISCARD scree_status scree_body_bounds(const struct scree_world *world, scree_body_id id,
                                               double lower[3], double upper[3]);

/** As scree_body_get, with on-step velocities, also in a callback from point 60 on: the pending half-kick is
 * applied to the copy. Refused at points 10 to 59, where the forces of the step are not known. */
SCREE_NODISCARD scree_status scree_body_get_on_step(const struct scree_world *world, scree_body_id id,
                                                    struct scree_body_state *state);

/** Moves the centre of mass to `position`, m. */
SCREE_NODISCARD scree_status scree_body_set_position(struct scree_world *world, scree_body_id id,
                                                     const double position[3]);

/** Sets the orientation (normalised on entry) and keeps the angular velocity. */
SCREE_NODISCARD scree_status scree_body_set_orientation(struct scree_world *world, scree_body_id id,
                                                        const double orientation[4]);

/** Sets the velocity, m/s; along a fixed degree of freedom this is the prescribed velocity. */
SCREE_NODISCARD scree_status scree_body_set_velocity(struct scree_world *world, scree_body_id id,
                                                     const double velocity[3]);

/** Sets the angular velocity, rad/s, world axes; about a fixed axis this is the prescribed one. */
SCREE_NODISCARD scree_status scree_body_set_spin(struct scree_world *world, scree_body_id id,
                                                 const double spin[3]);

/** Fixes the degrees of freedom in `fixed` (of enum scree_freedom) and frees all others. After this the
 * velocities of the body are on-step until it moves again, also inside a step. */
SCREE_NODISCARD scree_status scree_body_fix(struct scree_world *world, scree_body_id id, unsigned fixed);

/** Sets damping coefficients of one body that replace those of the engine, see struct scree_damping. */
SCREE_NODISCARD scree_status scree_body_set_damping(struct scree_world *world, scree_body_id id, double local,
                                                    double viscous);

/** Removes the damping coefficients of a body: those of the engine apply again. */
SCREE_NODISCARD scree_status scree_body_unset_damping(struct scree_world *world, scree_body_id id);

/** Adds a force (N) and a moment (N m, world axes; either may be null) that act in the next force evaluation
 * only. */
SCREE_NODISCARD scree_status scree_body_add_force(struct scree_world *world, scree_body_id id,
                                                  const double force[3], const double moment[3]);

#ifdef __cplusplus
}
#endif
#endif
