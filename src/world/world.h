// The world from inside: its columns by name, and the few facts that are not rows.
//
// What always holds: bodies, grains, materials and the clock are rows of the registry and nowhere else; the
// row of the entity "world" lies in the world itself;
// `motor` is set exactly while a step is under way, and `level` is on-step otherwise.

#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "base/team.h"
#include "world/contacts.h"
#include "world/entity.h"
#include "world/records.h"

#include <scree/body.h>
#include <scree/load.h>
#include <scree/world.h>

// The first statement of an interface function that computes: until it returns it does so in the
// floating-point setting that all of Scree computes in, whatever its caller has set.
#define SCREE_WORLD_COMPUTES                                                                                 \
    struct scree_team_float scree_world_setting __attribute__((cleanup(scree_world_restore), unused)) =      \
        scree_team_float_enter()

static inline void scree_world_restore(struct scree_team_float *setting)
{
    scree_team_float_leave(*setting);
}

struct scree_load {
    scree_load_id id;
    struct scree_load_def def;
    bool awaited; // a function that a checkpoint could not keep: the user adds it again
};

// A contact law that the user brought, and what keeps its code in memory.
struct scree_world_law {
    const struct scree_contact_law *law;
    void *library;
    void (*close)(void *library); // null where the code is the program's own
};

// What a body's moving state will be once the step under way is complete.
struct scree_on_step {
    double velocity[3];
    double spin[3];
    double momentum[3];
    double orientation[4];
    double work;
    double loss;
};

// How the engine that is inside a step answers for it.
struct scree_pending_step {
    // completes the pending half-kick of some bodies on a copy
    void (*on_step)(void *self, size_t first, size_t count, struct scree_on_step *out);
    void *self;
    bool forces_known; // from point 60 on
    bool keeps_spin;   // the law of rotation keeps its state in rows of its own
};

// What is edited, see edit.h.
enum scree_edit_kind {
    SCREE_EDIT_NONE,
    // of one body
    SCREE_EDIT_BIRTH, // begins when its row is there
    SCREE_EDIT_REMOVAL,
    SCREE_EDIT_PLACE,
    SCREE_EDIT_TURN, // its orientation
    SCREE_EDIT_MOTION,
    SCREE_EDIT_OWN_DAMPING,
    // of one or of all
    SCREE_EDIT_DAMPING,
    SCREE_EDIT_LOAD,
    // of all
    SCREE_EDIT_CELL,
    SCREE_EDIT_GRAVITY,
    SCREE_EDIT_MATERIAL,
    SCREE_EDIT_RULES,
    SCREE_EDIT_WALLS, // one comes or goes
    // of a wall
    SCREE_EDIT_WALL_MOTION,
    SCREE_EDIT_WALL_SERVO // its motion, by an engine inside a step
};

struct scree_world_edit {
    enum scree_edit_kind kind;
    bool one; // body, in a slot
    scree_slot slot;
};

// What an edit of fields has changed: what follows from it is computed when the edit is finished.
enum scree_edited {
    SCREE_EDITED_NOTHING,
    SCREE_EDITED_REST,
    SCREE_EDITED_SPIN,    // momentum follows
    SCREE_EDITED_MOMENTUM // spin follows
};

// Who keeps the energy ledger of contacts: before an edit it takes what they store out of the ledger, until
// forces are next evaluated.
struct scree_world_ledger {
    void (*take_out)(struct scree_world *world, scree_slot slot); // contacts of one body
    void (*take_out_all)(struct scree_world *world);
    // a wall is about to move in another way
    void (*steer)(struct scree_world *world, size_t wall, const double *velocity, const double *spin);
};

// Bodies whose force is outdated, as long as they are few.
enum { SCREE_WORLD_FEW = 16 };
struct scree_world_edits {
    size_t count; // more than SCREE_WORLD_FEW: any bodies
    uint64_t id[SCREE_WORLD_FEW];
    bool motion; // nothing but velocities and spins was edited
};

struct scree_world {
    struct scree_registry registry;
    SCREE_ARRAY(struct scree_load) loads;
    struct scree_contacts contacts;
    union {
        struct scree_world_state standing; // which is a row of the registry
        struct {
            SCREE_WORLD_STATE_MEMBERS
        };
    };
    uint64_t last_load;
    SCREE_ARRAY(struct scree_world_law) laws;
    const struct scree_pending_step *pending_step; // null unless a half-kick is pending
    bool stepping;                                 // inside a step
    bool loading;        // inside the evaluation of loads: rows and loads stay where they are
    bool engaged;        // has an engine
    size_t contact_laws; // rules by which bodies touch
    const struct scree_world_ledger *ledger; // null while there has been no contact law
    void *burst;          // what the ledger looks up for the edits until forces are evaluated; a block
    bool has_pending;     // some push may wait
    bool refuses_pending; // the engine evaluates loads more than once a step
    struct scree_world_edit edit;    // under way
    enum scree_edited edited;        // whose energy is still to be booked
    struct scree_world_edits edits;  // which
    bool carried_stale;              // carried grains do not know the slots of their bodies
    double carried_way;              // that none of them went farther than, and that no list knows of, m
    scree_level level[SCREE_LEVELS]; // of what the tables call by the first
};

static inline struct scree_entity *scree_world_entity(const struct scree_world *world, int entity)
{
    return &world->registry.entities.data[entity];
}

// Null while the column is absent.
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

static inline struct scree_rule *scree_world_rules(const struct scree_world *world)
{
    return (struct scree_rule *)scree_world_column(world, SCREE_ENTITY_INTERACTION, SCREE_INTERACTION_RULE);
}

static inline struct scree_cell *scree_world_cell(const struct scree_world *world)
{
    return (struct scree_cell *)scree_world_column(world, SCREE_ENTITY_CELL, SCREE_CELL_CELL);
}

static inline struct scree_losses *scree_world_losses(const struct scree_world *world)
{
    return (struct scree_losses *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_LOSSES);
}

static inline struct scree_force_moment *scree_world_touches(const struct scree_world *world)
{
    return (struct scree_force_moment *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_TOUCH);
}

static inline struct scree_clock *scree_world_clock(const struct scree_world *world)
{
    return (struct scree_clock *)scree_world_column(world, SCREE_ENTITY_ENGINE, SCREE_ENGINE_CLOCK);
}

// The moving state of some bodies at the world's time: as it lies there, or completed on a copy inside a
// step.
SCREE_NODISCARD scree_status scree_world_on_step(const struct scree_world *world, size_t first, size_t count,
                                                 struct scree_on_step *out);

// Forces hold again.
void scree_world_update(struct scree_world *world);

// Slots of the bodies whose force is outdated, where these are at most SCREE_WORLD_FEW, and that they are.
bool scree_world_few_outdated(const struct scree_world *world, uint32_t slot[SCREE_WORLD_FEW], size_t *count);

// Something besides contacts is going to push bodies: what contacts give is kept apart from now on.
SCREE_NODISCARD scree_status scree_world_part_forces(struct scree_world *world);

// Refuses to go on while a load is awaited.
SCREE_NODISCARD scree_status scree_world_check_loads(const struct scree_world *world);

// Refuses what would move rows or loads while loads are evaluated.
SCREE_NODISCARD scree_status scree_world_check_still(const struct scree_world *world);

// Slots have changed: owners are numbers of slots and follow. Carried grains lie elsewhere now, and are still
// to be placed.
void scree_world_reseat(struct scree_world *world);

#endif
