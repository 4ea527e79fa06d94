// The records that the world's columns are made of: what lies next to what in memory.
//
// A record is whole cache lines where a kernel reads it in a hurry. Which member is a field, of which unit
// and level, stands in fields.def; a test holds the two against each other, byte for byte.

#ifndef SCREE_WORLD_RECORDS_H
#define SCREE_WORLD_RECORDS_H

#include <scree/kernel.h>

// What a grain collides as, and which law of rotation its body obeys.
enum scree_kind {
    SCREE_KIND_NONE = 0,
    SCREE_KIND_SPHERE = 1,
    SCREE_KIND_DISK = 2,
    SCREE_KIND_POLAR = 3, // two dimensions, moment of inertia given
    SCREE_KIND_RIGID = 4  // three principal moments
};

// Bits of a grain's flags, after the six of enum scree_freedom.
enum {
    SCREE_FLAG_FREEDOMS = 63,
    SCREE_FLAG_MOVE_IN_STEP = 1 << 6, // the velocity is on-step: no half-kick is pending
    SCREE_FLAG_SPIN_IN_STEP = 1 << 7, // likewise the spin
    SCREE_FLAG_OUTDATED = 1 << 8,     // the force does not belong to the present state
    SCREE_FLAG_BOOKED = 1 << 9,       // the half-step before t is in the energy accounts
    SCREE_FLAG_TURNS = 1 << 10,       // the orientation is integrated
    SCREE_FLAG_OWN_DAMPING = 1 << 11, // has a row of its own in the damping column
    SCREE_FLAG_HALF_MOVE = 1 << 12,   // the mid-step velocity is kept in the engine's row
    SCREE_FLAG_HALF_SPIN = 1 << 13,   // the mid-step momentum is kept in the engine's row
    SCREE_FLAG_OPENED = 1 << 14,      // what its contacts hold is out of the energy ledger
    SCREE_FLAGS_IN_STEP = SCREE_FLAG_MOVE_IN_STEP | SCREE_FLAG_SPIN_IN_STEP,
    SCREE_FLAGS_HALF = SCREE_FLAG_HALF_MOVE | SCREE_FLAG_HALF_SPIN
};

// What pushes a body, and what that did: one cache line, gathered and read as a whole.
struct scree_wrench {
    double force[3];
    double work; // done on the body by loads and prescribed motion so far
    double moment[3];
    double loss; // taken from the body by damping so far
};

// What contacts took from a body so far: its share, half of what a contact of two grains lost.
struct scree_losses {
    double friction;
    double dashpot;
    double internal; // plastic flow and adhesion
    double ahead;    // what the last evaluation booked for dashpots: half of it the motion has still to make
};

// A force and a moment: of loads and pushes on their way to the next gathering, and of local damping.
struct scree_force_moment {
    double force[3];
    double moment[3];
};

// Orientation and angular momentum of a body that turns.
struct scree_rotor {
    double orientation[4];
    double momentum[3];
    double inertia[3]; // principal moments
};

// Where a leaping law of motion rests between steps.
struct scree_mid_step {
    double velocity[3];
    double momentum[3];
};

// How many periods of the cell lie between a body's position and the place it has come to.
struct scree_image {
    int64_t count[3];
};

// parameters of any contact law, and what is taken besides: resistance to rolling and twisting, and the arms
enum {
    SCREE_RULE_RESISTANCES = 4,
    SCREE_RULE_ARMS = SCREE_RULE_RESISTANCES,
    SCREE_RULE_EXTRAS,
    SCREE_RULE_PARAMETERS = SCREE_LAW_PARAMETERS + SCREE_RULE_EXTRAS
};

// Which contact law holds between which materials.
struct scree_rule {
    char law[32];
    uint64_t material[2];
    double parameter[SCREE_RULE_PARAMETERS];
};

// The world's only row of the entity "cell".
struct scree_cell {
    double lower[3], upper[3];
    double period[3]; // 0 along an axis that nothing repeats along
};

// The world's only row of the entity "engine".
struct scree_clock {
    double time;
    double step;        // the last one taken
    double anchor_time; // time = anchor + steps since the anchor times step, so that it gathers no round-off
    uint64_t anchor_steps;
    uint64_t steps;
    double gravity[3];
    double energy_input; // energy brought in by edits
    double removed_work; // accounts of bodies that were removed
    double removed_loss;
    double removed_friction;
    double removed_dashpot;
    double removed_internal;
    char translation[32]; // the laws that last moved the bodies, and whose private rows hold
    char rotation[32];
};

// The world's only row of the entity "world", what it is and how far what lies in it holds.
#define SCREE_WORLD_STATE_MEMBERS                                                                            \
    uint16_t dimension;                                                                                      \
    uint16_t contacts_stale; /* bodies came, went or were put elsewhere since contacts were last searched */ \
    uint16_t outdated;       /* some body is flagged so */                                                   \
    uint16_t opened;         /* likewise */                                                                  \
    uint16_t has_fixed;      /* some body has, or once had, a freedom that the user fixed */                 \
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

// A wall: its shape in axes of its own, how it moves, and where it is now.
struct scree_wall {
    // all that touching it reads; follows from the rest
    double place[3];
    double axes[3][3]; // unit vectors; the last is the normal or the axis
    double size[3];    // half edges, or radii at both ends and half the height, or a radius: see wall_shape.h
    double slope[4];   // of a shape of revolution: middle radius, direction from end to end, half its length
    uint16_t shape;    // of enum scree_wall_shape
    uint16_t side;     // of enum scree_wall_side, 0 for other shapes
    uint16_t features; // contacts that one grain can have with it
    uint16_t material; // id
    // where it was when its motion last changed, and for how long it has moved so since
    double anchor_pivot[3];
    double anchor_orientation[4];
    double elapsed;
    double elapsed_rest; // what rounding keeps from it
    double velocity[3];
    double spin[3];
    // its place and axes as it was added, seen from the pivot
    double offset[3];
    double frame[3][3];
    double pivot[3]; // now; follows, as does the orientation
    double orientation[4];
    double force[3]; // of bodies on it, and the moment about the pivot
    double moment[3];
};

// A contact as it was when contacts were last published, beside its key.
struct scree_touching {
    char law[32];
    double point[3];
    double normal[3];
    double overlap;
    double force[3];
    double couple[3];
    double stored;
};

// Which groups a body or a wall is in, a bit for each.
struct scree_groups {
    uint64_t mask;
};

struct scree_group_name {
    char name[32];
};

// A surface that counts what passes it: a disk where it has a radius, else a rectangle.
struct scree_flux_surface {
    double centre[3];
    double normal[3];  // unit
    double half[2][3]; // from the centre of a rectangle to the middles of two sides
    double radius;
    double mass[2]; // that has passed along the normal, and against it
    uint64_t bodies[2];
};

// Where a body was when flux surfaces last looked.
struct scree_flux_seen {
    double place[3];
    uint64_t seen; // 0 where they never have
};

// What moves the walls of a group.
struct scree_servo {
    uint64_t group;
    double direction[3];
    double force, largest, gain, tolerance;
    uint64_t every;
    double measured, velocity;
};

// What a carried grain is, and where it sits in the frame of its body.
struct scree_local_grain {
    double offset[3];
    double radius;
    uint64_t body; // id of the owner, which outlives slots
    uint16_t kind, material;
    uint32_t part; // number of the grain within its body, from 1
};

#endif
