// Bonds: elastic connections of two grains, or of a grain and a wall, that break at a given strength.
//
// A bond has six springs at its middle: elongation, shear in two directions, twist, and bending in two
// directions. It is free of load where it is added, and acts at any distance until it breaks. A grain is a
// sphere, a disk, or a pebble of a clump. The kinds differ in how their stiffnesses are given:
//
//     kind          elongation   shear                           twist   bending
//     contact       kn           ks                              0       0           kn, ks in N/m
//     parallel      kn A         ks A                            ks J    kn I        kn, ks in Pa/m
//     Euler beam    E A / L      12 E I / L^3                    G J/L   E I / L
//     Timoshenko    E A / L      1 / (L^3/(12 E I) + L/(kGA))    G J/L   E I / L
//
// L is the distance of the centres (at a wall from the centre to the point of the wall) when the bond is
// added. The section is a disk of radius R; in two dimensions a rectangle of height 2 R and of the given
// thickness. The middle of a beam is that of the line between the centres, the middle of other bonds is that
// of the gap between the surfaces. Mechanics: docs/theory/bonds.md.
//
// Strengths limit the stresses at the section, with tension positive; a strength of 0 is not given, and does
// not limit:
//
//     tension    F_n / A + beta |M_b| R / I      <= tensile strength
//     shear      |F_s| / A + beta |M_t| R / J    <= shear strength - tan(friction angle) F_n / A
//     bending    |M_b| R / I                     <= bending strength
//     torsion    |M_t| R / J                     <= torsion strength
//
// The limit of shear is not below 0.
//
// The section of a contact bond is 1: its tensile and shear strengths are forces, N. The bending moment of a
// beam is the larger one of its two ends. Without softening a bond breaks when one strength is exceeded. With
// softening its forces then fall linearly, from the strength to zero at `softening` times the deformation at
// the strength, where it breaks: forces are multiplied by 1 - damage, and damage never decreases. Breaking is
// decided when forces are evaluated in a step; the forces of that evaluation still act until the middle of
// the next step.
#ifndef SCREE_BOND_H
#define SCREE_BOND_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Kinds of bonds. */
enum scree_bond_kind {
    SCREE_BOND_CONTACT = 1, /**< contact bond: transmits forces only */
    SCREE_BOND_PARALLEL,    /**< parallel bond: forces and moments of an elastic layer */
    SCREE_BOND_EULER,       /**< Euler-Bernoulli beam */
    SCREE_BOND_TIMOSHENKO,  /**< Timoshenko beam */
    SCREE_BOND_KINDS        /**< 1 + number of kinds */
};

/** Modes in which a bond breaks. */
enum scree_bond_mode {
    SCREE_BOND_TENSION,
    SCREE_BOND_SHEAR,
    SCREE_BOND_BENDING,
    SCREE_BOND_TORSION,
    SCREE_BOND_MODES /**< number of modes */
};

/** Whether the sides of a bond can also be in contact while it lives. */
enum scree_bond_touching {
    SCREE_BOND_TOUCHING_BY_KIND, /**< parallel bonds: allowed; others: excluded */
    SCREE_BOND_TOUCHING_ALLOWED, /**< the contact law acts besides the bond */
    SCREE_BOND_TOUCHING_EXCLUDED /**< no contact between these two sides until the bond breaks */
};

/** One side of a bond. */
struct scree_bond_side {
    scree_body_id body;
    unsigned part; /**< 0 for a sphere or a disk itself; else the number of the pebble of a clump, from 1 */
};

/** Definition of a bond. Zero means not given. */
struct scree_bond_def {
    enum scree_bond_kind kind;
    struct scree_bond_side side[2]; /**< of the second side either the body or the wall is given */
    scree_wall_id wall;             /**< instead of the second body: bonds at the nearest point of the wall */
    unsigned feature;               /**< face of a container box, else 0; see struct scree_contact */
    double radius;                  /**< R of the section, m; not for contact bonds */
    double thickness;               /**< of the section, m; only in two dimensions, not for contact bonds */
    double normal_stiffness;        /**< kn: contact bonds N/m, parallel bonds Pa/m */
    double shear_stiffness;         /**< ks, likewise */
    double young;                   /**< E, Pa: beams; parallel bonds instead of kn, with kn = E / L */
    double stiffness_ratio;         /**< kn / ks of a parallel bond with `young` */
    double shear_modulus;           /**< G of beams, Pa; in two dimensions only of Timoshenko beams */
    double shear_factor;            /**< k of Timoshenko beams: 9/10 for a disk, 5/6 for a rectangle */
    double damping_ratio;           /**< of axial vibration of the two sides; damps all six springs alike */
    double tensile_strength;        /**< Pa; contact bonds N */
    double shear_strength;          /**< Pa; contact bonds N; with a friction angle the cohesion */
    double friction_angle;          /**< rad, below pi / 2; needs a shear strength */
    double bending_strength;        /**< Pa; not for contact bonds */
    double torsion_strength;        /**< Pa; not for contact bonds and in two dimensions */
    double moment_factor; /**< beta, from 0 to 1; needed by bonds with moments that have a tensile or
                               shear strength */
    bool ignores_moments; /**< beta is 0 */
    double softening;     /**< above 1: linear softening up to this ratio of deformations; 0: brittle */
    enum scree_bond_touching touching;
};

/** State of a bond. Forces and moments are elastic, without dashpots, and include damage. */
struct scree_bond_state {
    enum scree_bond_kind kind;
    struct scree_bond_side side[2];
    scree_wall_id wall;    /**< 0 between bodies */
    bool touching;         /**< the sides can be in contact too */
    double length;         /**< L, m */
    double end[2][3];      /**< centres of both sides, or the point of the wall, m; the second in the periodic
                                image next to the first */
    double middle[3];      /**< where the force acts, m */
    double axis[3];        /**< unit, from the first to the second side */
    double force[3];       /**< on the first side, N */
    double couple[3];      /**< on the first side, besides the moment of the force at the middle, N m */
    double elongation;     /**< m */
    double normal_force;   /**< N, tension positive */
    double shear_force;    /**< N */
    double bending_moment; /**< N m; of beams at the end where it is larger */
    double twisting_moment;            /**< N m */
    double damage;                     /**< 0 to 1 */
    double strength[SCREE_BOND_MODES]; /**< present strength, Pa or N; infinite if not given */
    double ratio[SCREE_BOND_MODES];    /**< stress over strength; 0 if not given */
    double stored;                     /**< elastic energy, J */
    double lost;                       /**< energy lost to damage, J */
};

/** A bond that broke. */
struct scree_bond_event {
    uint64_t number; /**< of the event, from 1 in order of breaking; bonds of one step in order of id */
    double time;     /**< s */
    uint64_t step;
    scree_bond_id bond;
    enum scree_bond_kind kind;
    enum scree_bond_mode mode;
    struct scree_bond_side side[2];
    scree_wall_id wall; /**< 0 between bodies */
    double point[3];    /**< middle of the bond, m */
    double energy;      /**< elastic energy released, J */
    double lost;        /**< energy lost to damage before, J */
};

/** A body and its fragment: the bodies that live bonds connect, directly or through others. */
struct scree_bond_fragment {
    scree_body_id body;
    scree_body_id fragment; /**< lowest id of the bodies in the fragment */
    uint64_t bodies;        /**< number of bodies in the fragment */
    double mass;            /**< of the fragment, kg */
};

/** Adds a bond without load between the sides where they are; `id` (not null) receives its id. The
 * orientation of bonded bodies is integrated from then on. A periodic cell must be wider than two bonds along
 * each of its axes. Sides may have several bonds. */
SCREE_NODISCARD scree_status scree_bond_add(struct scree_world *world, const struct scree_bond_def *def,
                                            scree_bond_id *id);

/** Removes a bond; its elastic energy is entered in the ledger as a negative energy input. Bonds of bodies
 * and walls that are removed are removed too. */
SCREE_NODISCARD scree_status scree_bond_remove(struct scree_world *world, scree_bond_id id);

/** Number of live bonds. */
size_t scree_bond_count(const struct scree_world *world);

/** Whether a bond exists and is not broken. */
bool scree_bond_exists(const struct scree_world *world, scree_bond_id id);

/** Copies the ids of the first `capacity` live bonds to `out` (null if capacity is 0), in ascending order;
 * `count`, not null, receives the number of live bonds. */
SCREE_NODISCARD scree_status scree_bond_list(const struct scree_world *world, scree_bond_id *out,
                                             size_t capacity, size_t *count);

/** Copies the state of a live bond to `state`, not null, computed for the present state of its sides. */
SCREE_NODISCARD scree_status scree_bond_get(const struct scree_world *world, scree_bond_id id,
                                            struct scree_bond_state *state);

/** Numbers of bonds that have broken so far, by mode; returns their sum. `by_mode` may be null. */
uint64_t scree_bond_broken(const struct scree_world *world, uint64_t by_mode[SCREE_BOND_MODES]);

/** Finds the first event with a number above `after` that has not been dropped. Returns false if there is
 * none. Numbers are kept in checkpoints: whoever has written all events up to a number goes on from there. */
bool scree_bond_next_event(const struct scree_world *world, uint64_t after, struct scree_bond_event *event);

/** Number of the last event, 0 before the first. */
uint64_t scree_bond_last_event(const struct scree_world *world);

/** Drops the events up to and including a number, to free memory. Counts remain. */
void scree_bond_drop_events(struct scree_world *world, uint64_t number);

/** Finds the fragments of all bodies. Copies the first `capacity` bodies to `out` (null if capacity is 0), in
 * the order of the rows of the entity "body"; `fragments` (may be null) receives the number of fragments. */
SCREE_NODISCARD scree_status scree_bond_fragments(const struct scree_world *world,
                                                  struct scree_bond_fragment *out, size_t capacity,
                                                  size_t *fragments);

#ifdef __cplusplus
}
#endif
#endif
