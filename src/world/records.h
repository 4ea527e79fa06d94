// Records: the memory layout of the rows of each column.
//
// Records read by kernels in inner loops fill whole cache lines. fields.def lists which members are fields,
// with unit and level; a test compares the two byte by byte.

#ifndef SCREE_WORLD_RECORDS_H
#define SCREE_WORLD_RECORDS_H

#include "world/total.h"

#include <scree/kernel.h>

// Shape of a grain, and type of rotation of its body.
enum scree_kind {
    SCREE_KIND_NONE = 0,
    SCREE_KIND_SPHERE = 1,
    SCREE_KIND_DISK = 2,
    SCREE_KIND_POLAR = 3, // two dimensions, moment of inertia given
    SCREE_KIND_RIGID = 4, // three principal moments of inertia
    // a carried polyhedron: the bit of SCREE_FLAG_SHAPED, which its record has besides the flags of the body
    SCREE_KIND_POLYHEDRON = 1 << 15
};

// Bits of a grain's flags; the lowest six are those of enum scree_freedom.
enum {
    SCREE_FLAG_FREEDOMS = 63,
    SCREE_FLAG_MOVE_ON_STEP = 1 << 6,   // the velocity is on-step: no half-kick is pending
    SCREE_FLAG_SPIN_ON_STEP = 1 << 7,   // the spin is on-step
    SCREE_FLAG_OUTDATED = 1 << 8,       // the force was not evaluated for the present state
    SCREE_FLAG_ACCOUNTED = 1 << 9,      // work and loss of the half-step before t are entered already
    SCREE_FLAG_ROTATES = 1 << 10,       // the orientation is integrated
    SCREE_FLAG_OWN_DAMPING = 1 << 11,   // damping set for this body, in the damping column
    SCREE_FLAG_HALF_MOVE = 1 << 12,     // the mid-step velocity is stored in struct scree_mid_step
    SCREE_FLAG_HALF_SPIN = 1 << 13,     // the mid-step momentum is stored in struct scree_mid_step
    SCREE_FLAG_OUT_OF_LEDGER = 1 << 14, // the energy of its contacts is out of the energy ledger
    SCREE_FLAG_SHAPED = 1 << 15,        // the grain is a polyhedron; its radius is that of a sphere around it
    SCREE_FLAGS_ON_STEP = SCREE_FLAG_MOVE_ON_STEP | SCREE_FLAG_SPIN_ON_STEP,
    SCREE_FLAGS_HALF = SCREE_FLAG_HALF_MOVE | SCREE_FLAG_HALF_SPIN
};

// Force and moment on a body, work and damping loss: one cache line.
struct scree_wrench {
    double force[3];
    double work; // cumulative work by loads, applied forces and prescribed motion
    double moment[3];
    double loss; // cumulative loss to damping
};

// Cumulative energy losses in the contacts of a body. Each body takes half of the loss of a contact of two
// grains.
struct scree_losses {
    double friction;
    double dashpot;
    double internal; // internal dissipation: plastic and adhesive
    double ahead;    // dashpot loss entered by the last evaluation; half of it is for the half-step to come
};

// A force and a moment: of loads, applied forces, contacts or local damping.
struct scree_force_moment {
    double force[3];
    double moment[3];
};

// Orientation, angular momentum and inertia of a body whose rotation is integrated.
struct scree_rotor {
    double orientation[4];
    double momentum[3];
    double inertia[3]; // principal moments
};

// Mid-step state of a leapfrog integration scheme, kept between steps.
struct scree_mid_step {
    double velocity[3];
    double momentum[3];
};

// Image counts: the unwrapped position is the position plus these numbers of periods.
struct scree_image {
    int64_t count[3];
};

// parameters of a rule: those of the contact law, of rolling and twisting resistance, and the lever arms
enum {
    SCREE_RULE_RESISTANCES = 4,
    SCREE_RULE_ARMS = SCREE_RULE_RESISTANCES,
    SCREE_RULE_EXTRAS,
    SCREE_RULE_PARAMETERS = SCREE_LAW_PARAMETERS + SCREE_RULE_EXTRAS
};

// Contact law between two materials.
struct scree_rule {
    char law[32];
    uint64_t material[2];
    double parameter[SCREE_RULE_PARAMETERS];
};

// The world's only row of the entity "cell".
struct scree_cell {
    double lower[3], upper[3];
    double period[3]; // 0 along an axis that is not periodic
};

// Cell vectors of a cell that is not a box along the axes of the world, or that deforms: its corner is at
// `lower`. Matrices by rows, see world/lattice.h and world/cell.h.
struct scree_lattice {
    double vectors[9];
    double rate[9];     // velocities of the cell vectors in the middle of the last step
    double gradient[9]; // of the velocity, on-step
    double middle[9];   // in the middle of the last step
    double coming[9];   // in the middle of the next step, and at its end
    double end[9];
    double deformation[9]; // since the cell vectors were set
    double across[9];      // forces on bodies times the periods to their partners, summed over contacts
    double power;          // of the cell through these contacts, W, and its work so far, J
    double work;
    uint64_t form;        // enum scree_cell_form
    uint64_t by_function; // 1 if a function gives the gradient
};

// The axes along which a cell with cell vectors is not periodic; without this row it is along all.
struct scree_cell_open {
    uint64_t axes; // bit k: axis k
};

// The cell with cell vectors in the event engine: they move straight from a time on. Matrices by rows.
struct scree_cell_course {
    double time;
    double vectors[9], velocities[9]; // at that time
    double deformation[9];            // since the cell vectors were set, at that time
    double gradient[9];               // of the velocity, on-step
    double work;                      // J, of the cell in collisions and in the flights that they have ended
    double impulses[9]; // sum over collisions of two bodies: impulse on the first times branch to it, J s
};

// The servo of the cell. Tensors by rows; stresses are positive in compression.
struct scree_cell_servo {
    uint64_t controlled; // bits of the entries of the velocity gradient; 0: no servo
    uint64_t common;     // 1: the controlled entries of the diagonal have one rate
    uint64_t every, by_function;
    double stress[9], measured[9];   // wanted, and at the last update
    double mean[9], averaged;        // of the last measured ones, over this time, s
    double rate[9];                  // of controlled entries, chosen at the last update
    double steady[9], error[9];      // of the rule, compression positive
    double largest, gain, tolerance; // 0: largest rate not known yet
    double rate_limit;               // as given
    double pace;                     // of loading, as a part of the largest rate
    uint64_t reached;                // bits of the entries whose stress has been reached once
    double highest;                  // largest wanted stress of this servo and of earlier ones
    // sums over contacts, and when they were measured
    double stiffness[9], dashpots[9], isotropic_stiffness, isotropic_dashpots;
    double diameter; // mean of the grains
    double reference_stress;
    uint64_t reference_step;
};

// Free flight of a body of the event engine since its last collision: one cache line.
struct scree_flight {
    double position[3];
    double velocity[3];
    double time; // of the last collision
    double radius;
};

// And of a body with an orientation: the rest of its rotation follows from its angular momentum or its spin,
// which do not change in flight.
struct scree_flight_turn {
    double orientation[4]; // at the last collision
};

// What the event engine has counted so far.
struct scree_collisions {
    uint64_t pairs, walls, elastic;
    double virial;
};

// Free paths of bodies of the event engine: straight distances from one collision of a body to its next.
struct scree_free_paths {
    uint64_t paths;
    double length;
};

enum { SCREE_BROKEN_MODES = 4 }; // as enum scree_bond_mode

// The world's only row of the entity "engine".
struct scree_clock {
    double time;
    double step;        // the last time step
    double anchor_time; // time = anchor_time + (steps - anchor_steps) * step: round-off does not accumulate
    uint64_t anchor_steps;
    uint64_t steps;
    double gravity[3];
    struct scree_total energy_input; // by insertions, removals and edits
    struct scree_total removed_work; // totals of removed bodies, and corrections of the ledger
    struct scree_total removed_loss;
    struct scree_total removed_friction;
    struct scree_total removed_dashpot;
    struct scree_total removed_internal;
    struct scree_total released;         // elastic energy of broken bonds, and their losses to damage
    uint64_t broken[SCREE_BROKEN_MODES]; // numbers of broken bonds, by mode
    char translation[32];                // schemes that last moved the bodies; their private rows are valid
    char rotation[32];
};

// The world's only row of the entity "world".
#define SCREE_WORLD_STATE_MEMBERS                                                                            \
    uint16_t dimension;                                                                                      \
    uint16_t contacts_stale; /* bodies were added, removed or relocated since the last contact search */     \
    uint16_t outdated;       /* some body has SCREE_FLAG_OUTDATED */                                         \
    uint16_t opened;         /* some body has SCREE_FLAG_OUT_OF_LEDGER */                                    \
    uint16_t has_fixed;      /* some body has or had degrees of freedom fixed by the user */                 \
    uint16_t tracks_spheres; /* the orientation of spheres is integrated */
struct scree_world_state {
    SCREE_WORLD_STATE_MEMBERS
};

struct scree_material {
    char name[32];
    double density;
    double young;
    double poisson;
};

// What moves a wall apart from its constant velocities and servos: a function of time, a body (wall_body.h),
// or the cell (wall_cell.h).
enum scree_wall_by { SCREE_WALL_BY_FUNCTION = 1, SCREE_WALL_BY_BODY = 2, SCREE_WALL_BY_CELL = 3 };

// A wall: its shape in local axes, its motion, and its current position and orientation.
struct scree_wall {
    // read by contact detection; reference, axes and slope are computed from the rest
    double reference[3]; // reference point: a point of a plane, else the centre
    double axes[3][3];   // unit vectors; the last is the normal or the axis
    double size[3];    // half edges, or radii at both ends and half the height, or a radius: see wall_shape.h
    double slope[4];   // generating line of a shape of revolution: mean radius, direction, half length
    uint16_t shape;    // enum scree_wall_shape
    uint16_t side;     // enum scree_wall_side of a box or sphere, else 0
    uint16_t features; // largest number of contacts of one grain
    uint16_t material; // id
    // pivot and orientation at the last change of motion, and the time since
    double anchor_pivot[3];
    double anchor_orientation[4];
    double elapsed;
    double elapsed_rest; // its rounding error (compensated summation)
    double velocity[3];
    double spin[3];
    // reference relative to the pivot, and axes, before rotation by the orientation
    double offset[3];
    double frame[3][3];
    double pivot[3]; // current; derived, like the orientation
    double orientation[4];
    double force[3]; // of bodies on the wall; the moment is about the pivot
    double moment[3];
    // All velocities of a wall that moves by a function or with a body, or by a servo along its direction,
    // are those of the middle of the last step; these are the changes from there to the end of the step.
    // After an update of a servo the velocity is that of the next step already. The changes are 0 for
    // constant motion.
    double velocity_change[3], spin_change[3];
    // velocity of the surface along itself, in the axes of the wall as added, and about the place
    double surface_velocity[3], surface_spin[3];
    double surface_velocity_change[3], surface_spin_change[3];
    double pivot_rest[3]; // rounding error of the anchor of a wall that moves by a function
    uint64_t by_function; // enum scree_wall_by
    // facets of a mesh: their rows have the ids first_facet to first_facet + facets - 1
    uint64_t first_facet, facets;
    double vertex_error;                      // largest error of their coordinates
    double smooth_cosine;                     // of the angle below which faces count as one
    const struct scree_mesh_surface *surface; // of a mesh, rectangle or solid box, else null; not a field
};

// The motion of a wall in the event engine, if it moves with a constant velocity or vibrates: since the start
// of the course the pivot has moved by velocity * (t - time) + amplitude * (sin(rate * t + phase) -
// sin(rate * time + phase)).
struct scree_wall_course {
    double time, place[3]; // of the start
    double velocity[3], amplitude[3];
    double rate, phase;
};

// A facet of a wall, in its local axes relative to its reference point.
struct scree_facet {
    double corner[3][3];
};

// What bodies did to a facet since it was added, or since the world records it.
struct scree_facet_wear {
    struct scree_total friction, impact_energy;
    uint64_t impacts;
};

// State of a contact at the last publication of contacts; its key is a column of its own.
struct scree_contact_state {
    char law[32];
    double point[3];
    double normal[3];
    double overlap;
    double force[3];
    double couple[3];
    double stored;
};

// Groups of a body or a wall, one bit each.
struct scree_groups {
    uint64_t mask;
};

struct scree_group_name {
    char name[32];
};

// A surface that counts the bodies passing through it: a disk if the radius is above 0, else a rectangle.
struct scree_flux_surface {
    double centre[3];
    double normal[3];  // unit
    double half[2][3]; // from the centre of a rectangle to the midpoints of two sides
    double radius;
    uint64_t wall;  // id of the mesh that is the surface, else 0
    double mass[2]; // passed along the normal, and against it
    uint64_t bodies[2];
};

enum { SCREE_BIN_SUMS = 6 };
// A distribution over bins, see include/scree/distribution.h. The definition comes first.
struct scree_distribution {
    uint64_t kind, number;
    uint64_t group, partners, wall; // ids, 0 for none
    uint64_t axis, shape;
    double lower[3], upper[3], from[3], to[3], radius; // of the region
    double first, last;                                // bounds of the bins
    uint64_t bins;
    // sums since the averages began; bins are the rows with the ids first_bin to first_bin + bins - 1
    uint64_t first_bin, samples, begin_steps;
    double begin_time;
    double weight;      // divides the sums of bins, see measure/distribution.c
    uint64_t lag;       // of displacements: samples since the present starts, 0 without starts
    double origin_time; // of these starts
};

struct scree_bin {
    uint64_t count;
    double sum[SCREE_BIN_SUMS];
};

// Where a body was, unwrapped, and how it moved when displacements began.
struct scree_origin {
    uint64_t distribution, body; // ids; the body is 0 in a row that is not in use
    double position[3], velocity[3];
};

// The bond of a body with the highest id, 0 for none: the first of a chain through all its bonds.
struct scree_body_bonds {
    uint64_t last;
};

// Position of a body at the last count of flux surfaces.
struct scree_flux_position {
    double position[3];
    uint64_t recorded; // 0 if not recorded yet
};

// Past counts of a flux surface: the last one that is at least as old as the window, and the later ones, at
// least a fraction of the window apart.
enum { SCREE_FLOW_COUNTS = 64 };
struct scree_flow {
    uint64_t surface; // id
    double window;    // s; 0 if it is a number of steps
    uint64_t window_steps;
    uint64_t kept; // number of counts in the arrays
    double last_time;
    uint64_t last_steps;
    double time[SCREE_FLOW_COUNTS];
    uint64_t steps[SCREE_FLOW_COUNTS];
    double mass[SCREE_FLOW_COUNTS]; // net
    int64_t bodies[SCREE_FLOW_COUNTS];
};

// Size of a clump; all zero for other bodies.
struct scree_clump {
    double equal_radius;    // of the sphere of equal volume (in two dimensions of the disk of equal area)
    double reach;           // distance of its farthest point from the centre of mass
    double shared;          // fraction of the sum of the volumes of its pebbles that is above its volume
    uint64_t shape;         // number given by the user
    uint64_t first, grains; // its carried grains have the ids first to first + grains - 1
    double axes[4];         // its principal axes in the axes of its shape
};

// A convex polyhedron that bodies have, about its centre of mass, along its principal axes. Its vertices are
// the rows with the ids first_vertex to first_vertex + vertices - 1.
struct scree_shape {
    uint64_t first_vertex, vertices;
    uint64_t number;     // of the shape in the scene, from 1; 0 for none
    double vertex_error; // largest error of their coordinates
    double rounding;     // radius of rounded edges
    double volume;
    double inertia[3];         // principal moments at unit density
    double axes[4];            // its principal axes in the axes in which it was given
    double centre[3];          // its centre of mass, in those axes
    double equal_radius;       // of the sphere of equal volume; derived, as below
    double reach;              // distance of the farthest point from the centre of mass
    struct scree_convex *hull; // made from the vertices; not a field
};

struct scree_shape_vertex {
    double position[3];
};

// The shape of a body, 0 for one that is no polyhedron.
struct scree_body_shape {
    uint64_t shape; // id
};

// Unwrapped position of a body at the start of the run and of the stage.
struct scree_body_start {
    double run[3], stage[3];
    uint64_t recorded; // 0 if not recorded yet
};

// Reference point of a wall at the start of the run and of the stage, and the angle it has turned since.
struct scree_wall_start {
    double run[3], stage[3];
    double turn[3], turn_rest[3]; // integral of the angular velocity, and its rounding error
    double turn_stage[3];         // the integral at the start of the stage
    uint64_t recorded;
};

// A wall that moves with a body.
struct scree_wall_body {
    uint64_t body;      // id, 0 for none
    double rotation[4]; // from the wall as added to the axes of the body
};

// A servo: moves the walls of a group to keep a target force.
struct scree_servo {
    uint64_t group;
    double direction[3];
    double force, largest, gain, tolerance;
    uint64_t every;
    double measured, velocity;
    double stress;             // target force per area; 0: the force is constant
    uint64_t area_by_function; // 1 if the area is given by a function, else 0
    double change;             // of the velocity, from the middle of the step before an update to the update
    uint64_t turns; // 1: moment and spin about the direction instead of force and velocity along it
    // sums over the contacts of the walls along the direction, and when they were measured
    double stiffness, dashpots;
    double reference_force;
    uint64_t reference_contacts, reference_step;
};

// The two sides of a bond. A bond that has broken keeps its row until the next force evaluation, because its
// last force acts until then.
struct scree_bond_sides {
    uint64_t body[2];    // ids; the second is 0 at a wall
    uint64_t carried[2]; // ids of carried grains, 0 for the body's own
    uint64_t wall;       // id, 0 between bodies
    uint32_t part[2];
    uint16_t kind;     // enum scree_bond_kind
    uint16_t excludes; // no contact of the two sides while the bond lives
    uint16_t feature;  // of the wall
    uint16_t broken;   // 1 + mode
    uint64_t next[2];  // ids of the next bonds of both bodies, in descending order; 0: none
};

// The springs of a bond: all that its elastic forces need besides the motion of its sides. Two cache lines.
struct scree_bond_spring {
    double axes[2][4];   // from the axes of the bond to those of each side; x is along the bond
    double arm[2];       // distances of the sides from the middle
    double stiffness[4]; // of elongation, shear, twist, bending
    double damping;      // damping coefficients / stiffnesses, s
    double length;       // distance of the sides when the bond was added, m
};

// The point of a wall that is a side of a bond, in the axes of the wall as added, from its reference point.
struct scree_bond_anchor {
    double offset[3];
};

// Strengths of a bond; all zero if it cannot break.
struct scree_bond_strength {
    double section[3];    // stresses of a unit force, bending moment and twisting moment
    double moment_factor; // part of moments that counts for tension and shear
    double end;           // distance of the ends of a beam from its middle
    double limit[4];      // by mode; 0: not given
    double friction;      // tangent of the friction angle
    double softening;     // 0: brittle
};

// Damage of a bond with softening.
struct scree_bond_damage {
    double peak;      // largest ratio of undamaged stress to strength
    double damage;    // 0 to 1
    double undamaged; // elastic energy without damage at the last force evaluation
    double lost;      // energy lost to damage
};

// Elastic energy of a bond when it broke, its rate of change, and the middle of the bond.
struct scree_bond_release {
    double energy, power, point[3];
};

// The breaking of a bond.
struct scree_broken_bond {
    double time;
    uint64_t step, bond;
    uint64_t body[2], wall;
    uint32_t part[2], kind, mode;
    double point[3];
    double energy, lost;
};

// A carried grain in the frame of its body.
struct scree_local_grain {
    double offset[3]; // from the centre of mass, in body axes
    double radius;
    uint64_t body; // id of the body
    uint16_t kind, material;
    uint32_t part; // number of the grain within its body, from 1
};

// The shape of a carried grain, all zero for a sphere or disk.
struct scree_local_shape {
    uint64_t shape;        // id
    double orientation[4]; // of the axes of the shape, in body axes
};

#endif
