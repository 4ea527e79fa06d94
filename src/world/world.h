// Internals of the world: accessors of its columns, and the state that is not stored in rows.
//
// Invariants: bodies, grains, materials and the clock are stored in the registry only; the row of the entity
// "world" is a member of struct scree_world; `pending_step` is set only while a half-kick is pending, and all
// `level` are on-step otherwise.

#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "base/team.h"
#include "world/contacts.h"
#include "world/entity.h"
#include "world/records.h"

#include <scree/body.h>
#include <scree/cell.h>
#include <scree/load.h>
#include <scree/servo.h>
#include <scree/wall.h>
#include <scree/world.h>

// First statement of every public function that computes: sets the floating-point environment of Scree until
// the function returns.
#define SCREE_WORLD_FLOAT_ENVIRONMENT                                                                        \
    struct scree_team_float scree_world_saved_environment                                                    \
        __attribute__((cleanup(scree_world_restore), unused)) = scree_team_float_enter()

static inline void scree_world_restore(struct scree_team_float *saved)
{
    scree_team_float_leave(*saved);
}

struct scree_load {
    scree_load_id id;
    struct scree_load_def def;
    bool missing; // the function was not in the checkpoint: the user must add the load again
};

// The motion of a wall as a function of time.
struct scree_wall_drive {
    scree_wall_id wall;
    struct scree_wall_motion_def def;
};

// A contact law registered by the user, and the library that contains its code.
struct scree_world_law {
    const struct scree_contact_law *law;
    void *library;
    void (*close)(void *library); // null for code of the program itself
};

// Moving state of a body at the end of the current step.
struct scree_on_step {
    double velocity[3];
    double spin[3];
    double momentum[3];
    double orientation[4];
    // without the mean motion of a cell that deforms; only in a cell with cell vectors
    double fluctuation[3];
    double spin_fluctuation[3];
    double work;
    double loss;
    // power that contact forces would have with the mean motion, if its half-step before is not in the work
    // of the cell yet (lattice.h); else 0
    double mean_power;
};

// Callbacks of an engine that is inside a step.
struct scree_pending_step {
    // completes the pending half-kick of some bodies, on a copy
    void (*on_step)(void *self, size_t first, size_t count, struct scree_on_step *out);
    void *self;
    bool forces_known;   // forces of this step are complete: from point 60 on
    bool own_spin_state; // the scheme of rotation has its state in rows of its own
};

// Kinds of edits, see edit.h.
enum scree_edit_kind {
    SCREE_EDIT_NONE,
    // of one body
    SCREE_EDIT_INSERTION, // begins after its row was added
    SCREE_EDIT_REMOVAL,
    SCREE_EDIT_POSITION,
    SCREE_EDIT_ORIENTATION, // its orientation
    SCREE_EDIT_MOTION,
    SCREE_EDIT_OWN_DAMPING,
    // of one body or of all
    SCREE_EDIT_DAMPING,
    SCREE_EDIT_LOAD,
    // of all
    SCREE_EDIT_CELL,
    SCREE_EDIT_GRAVITY,
    SCREE_EDIT_MATERIAL,
    SCREE_EDIT_RULES,
    SCREE_EDIT_WALLS, // a wall is added or removed
    // of a wall
    SCREE_EDIT_WALL_MOTION
};

struct scree_world_edit {
    enum scree_edit_kind kind;
    bool one_body; // edit of the single body in `slot`
    scree_slot slot;
};

// Fields changed by an edit of whole fields; dependent fields are computed when the edit is finished.
enum scree_edited {
    SCREE_EDITED_NOTHING,
    SCREE_EDITED_OTHER,
    SCREE_EDITED_SPIN,    // momentum is computed from spin
    SCREE_EDITED_MOMENTUM // spin is computed from momentum
};

// Callbacks of the energy ledger of contacts: before an edit, the energy of affected contacts is taken out of
// the ledger until the next force evaluation.
struct scree_world_ledger {
    void (*remove_body)(struct scree_world *world, scree_slot slot); // contacts of one body
    void (*remove_all)(struct scree_world *world);
    // before the motion of a wall changes to that of `moved`
    void (*wall_motion)(struct scree_world *world, size_t wall, const struct scree_wall *moved);
};

// List of bodies with outdated forces, as long as it is short.
enum { SCREE_WORLD_FEW_EDITS = 16 };
struct scree_world_edits {
    size_t count; // more than SCREE_WORLD_FEW_EDITS: the list is not complete
    uint64_t id[SCREE_WORLD_FEW_EDITS];
    bool motion; // only velocities and spins were edited
};

// The function that gives the area of a servo.
struct scree_servo_drive {
    uint64_t group;
    struct scree_servo_area_def def;
};

// Two sides that an excluding bond kept out of contact until it broke or was removed.
struct scree_uncovered {
    uint64_t bond, body[2], wall;
    uint32_t part[2];
};

// The function that gives the wanted stresses of the servo of the cell.
struct scree_cell_targets {
    scree_cell_stress_function *function;
    void *user;
    void (*release)(void *user);
    const char *place; // of the function in a scene, for messages; null without
};

struct scree_world {
    struct scree_registry registry;
    SCREE_ARRAY(struct scree_load) loads;
    SCREE_ARRAY(struct scree_wall_drive) drives;       // at most one per wall
    SCREE_ARRAY(struct scree_servo_drive) servo_areas; // at most one per servo
    struct scree_cell_drive_def cell_drive;            // no function: none, or not set since a checkpoint
    struct scree_cell_targets cell_targets;            // likewise
    struct scree_contacts contacts;
    union {
        struct scree_world_state state; // the row of the entity "world"
        struct {
            SCREE_WORLD_STATE_MEMBERS
        };
    };
    uint64_t last_load;
    SCREE_ARRAY(struct scree_world_law) laws;
    const struct scree_pending_step *pending_step; // null unless a half-kick is pending
    bool stepping;                                 // inside a step
    bool will_deform;                              // the cell has cell vectors, or gets them in a later stage
    bool in_load;          // inside the evaluation of loads: rows and loads must not move
    const char *engine;    // the name of its engine; null for none
    size_t contact_laws;   // number of rules with a law that has a force
    size_t collision_laws; // number of rules with a law of collisions only, for the event engine
    const struct scree_world_ledger *ledger; // null until the first contact law
    void *edit_cache;     // cache of the ledger for edits between two force evaluations; a memory block
    bool has_pending;     // some applied force may be pending
    bool refuses_pending; // applied forces are refused: loads are evaluated more than once per step
    struct scree_world_edit edit;   // current edit
    enum scree_edited edited;       // edit of fields whose energy is not in the ledger yet
    struct scree_world_edits edits; // bodies edited since the last force evaluation
    // sides of bonds that are gone since the last check of overlaps, for its message; not part of the state
    SCREE_ARRAY(struct scree_uncovered) uncovered;
    bool carried_stale;          // owner slots of carried grains are out of date
    double carried_vectors[9];   // cell vectors at the last update of carried grains, if the cell has any
    double carried_displacement; // largest displacement of a carried grain not yet charged to the skin, m
    double carried_rate;         // largest speed over the radius of a carried grain in the last update, 1/s
    scree_level level[SCREE_LEVELS]; // current level for each symbolic level of the tables
};

static inline struct scree_entity *scree_world_entity(const struct scree_world *world, int entity)
{
    return &world->registry.entities.data[entity];
}

// Whether forces between bodies and with walls are evaluated: the world has contact laws with a force, or it
// has or had bonds.
static inline bool scree_world_has_contacts(const struct scree_world *world)
{
    return world->contact_laws > 0 || scree_world_entity(world, SCREE_ENTITY_BOND)->pool.last > 0;
}

// Returns null if the column is absent.
static inline void *scree_world_column(const struct scree_world *world, int entity, int column)
{
    return world->registry.entities.data[entity].columns.data[column].base;
}

static inline size_t scree_world_bodies(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_BODY)->count;
}

static inline uint64_t *scree_world_ids(const struct scree_world *world)
{
    return (uint64_t *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_ID);
}

static inline struct scree_grain *scree_world_grains(const struct scree_world *world)
{
    return (struct scree_grain *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_GRAIN);
}

static inline struct scree_wrench *scree_world_wrenches(const struct scree_world *world)
{
    return (struct scree_wrench *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_WRENCH);
}

static inline struct scree_force_moment *scree_world_pending(const struct scree_world *world)
{
    return (struct scree_force_moment *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_PENDING);
}

static inline struct scree_force_moment *scree_world_before_loads(const struct scree_world *world)
{
    return (struct scree_force_moment *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_BEFORE_LOADS);
}

static inline struct scree_force_moment *scree_world_loads(const struct scree_world *world)
{
    return (struct scree_force_moment *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_LOAD);
}

static inline struct scree_rotor *scree_world_rotors(const struct scree_world *world)
{
    return (struct scree_rotor *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_ROTOR);
}

static inline struct scree_damping *scree_world_dampings(const struct scree_world *world)
{
    return (struct scree_damping *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_DAMPING);
}

static inline struct scree_force_moment *scree_world_drags(const struct scree_world *world)
{
    return (struct scree_force_moment *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_DRAG);
}

static inline struct scree_mid_step *scree_world_mid_steps(const struct scree_world *world)
{
    return (struct scree_mid_step *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_MID_STEP);
}

static inline struct scree_image *scree_world_images(const struct scree_world *world)
{
    return (struct scree_image *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_IMAGE);
}

static inline struct scree_flight *scree_world_flights(const struct scree_world *world)
{
    return (struct scree_flight *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_FLIGHT);
}

static inline struct scree_free_paths *scree_world_free_paths(const struct scree_world *world)
{
    return (struct scree_free_paths *)scree_world_column(world, SCREE_ENTITY_ENGINE, SCREE_ENGINE_FREE_PATHS);
}

static inline struct scree_flight_turn *scree_world_flight_turns(const struct scree_world *world)
{
    return (struct scree_flight_turn *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_FLIGHT_TURN);
}

static inline struct scree_collisions *scree_world_collisions(const struct scree_world *world)
{
    return (struct scree_collisions *)scree_world_column(world, SCREE_ENTITY_ENGINE, SCREE_ENGINE_COLLISIONS);
}

static inline struct scree_rule *scree_world_rules(const struct scree_world *world)
{
    return (struct scree_rule *)scree_world_column(world, SCREE_ENTITY_INTERACTION, SCREE_INTERACTION_RULE);
}

static inline struct scree_cell *scree_world_cell(const struct scree_world *world)
{
    return (struct scree_cell *)scree_world_column(world, SCREE_ENTITY_CELL, SCREE_CELL_CELL);
}

// The cell vectors, null in a cell along the axes of the world.
static inline struct scree_lattice *scree_world_lattice(const struct scree_world *world)
{
    return (struct scree_lattice *)scree_world_column(world, SCREE_ENTITY_CELL, SCREE_CELL_LATTICE);
}

// The course of a cell with cell vectors in the event engine, null if it has not had one.
static inline struct scree_cell_course *scree_world_cell_course(const struct scree_world *world)
{
    return (struct scree_cell_course *)scree_world_column(world, SCREE_ENTITY_CELL, SCREE_CELL_COURSE);
}

// The open axes of a cell with cell vectors, see world/lattice.h.
static inline unsigned scree_world_open_axes(const struct scree_world *world)
{
    const struct scree_cell_open *open =
        (const struct scree_cell_open *)scree_world_column(world, SCREE_ENTITY_CELL, SCREE_CELL_OPEN);
    return open ? (unsigned)open->axes : 0;
}

static inline struct scree_losses *scree_world_losses(const struct scree_world *world)
{
    return (struct scree_losses *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_LOSSES);
}

static inline struct scree_force_moment *scree_world_contact_forces(const struct scree_world *world)
{
    return (struct scree_force_moment *)scree_world_column(world, SCREE_ENTITY_BODY,
                                                           SCREE_BODY_CONTACT_FORCES);
}

static inline struct scree_clock *scree_world_clock(const struct scree_world *world)
{
    return (struct scree_clock *)scree_world_column(world, SCREE_ENTITY_ENGINE, SCREE_ENGINE_CLOCK);
}

// On-step state of some bodies: as stored, or completed on a copy inside a step.
SCREE_NODISCARD scree_status scree_world_on_step(const struct scree_world *world, size_t first, size_t count,
                                                 struct scree_on_step *out);

// All forces are up to date again: clears the outdated flags.
void scree_world_clear_outdated(struct scree_world *world);

// Lists the slots of the bodies with outdated forces. Returns false if there may be more than
// SCREE_WORLD_FEW_EDITS.
bool scree_world_list_outdated(const struct scree_world *world, uint32_t slot[SCREE_WORLD_FEW_EDITS],
                               size_t *count);

// Call before other forces than those of contacts act: contact forces are stored in a column of their own
// from then on.
SCREE_NODISCARD scree_status scree_world_separate_contact_forces(struct scree_world *world);

// Fails while a load of a checkpoint has not been added again.
SCREE_NODISCARD scree_status scree_world_check_loads(const struct scree_world *world);

// Fails while a function that moves a wall of a checkpoint has not been set again.
SCREE_NODISCARD scree_status scree_world_check_drives(const struct scree_world *world);

// Releases the functions of walls.
void scree_world_free_drives(struct scree_world *world);

// Fails while loads are evaluated: rows and loads must not move then.
SCREE_NODISCARD scree_status scree_world_check_not_in_load(const struct scree_world *world);

// Updates the owner slots of all grains after slots have changed. The records of carried grains move, and
// must be written again by scree_grain_update_records.
void scree_world_update_owners(struct scree_world *world);

#endif
