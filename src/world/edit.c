// Edits, see edit.h.

#include "world/edit.h"

#include "world/body.h"
#include "world/wall_body.h"

#include <assert.h>
#include <string.h>

enum { NOTHING, MOTION, FORCES };

// Effects of each kind of edit.
struct row {
    bool contacts;           // takes affected contacts out of the ledger first
    bool energy;             // adds the change of energy to the energy input
    char outdated;           // what becomes out of date: nothing, motion or forces, of one body or all
    bool only_between_steps; // outdates forces only between steps: inside a step they are evaluated anyway
    bool search;             // requests a new contact search
};

static const struct row rows[] = {
    [SCREE_EDIT_INSERTION] = {.energy = true, .outdated = FORCES},
    [SCREE_EDIT_REMOVAL] = {.contacts = true, .energy = true},
    [SCREE_EDIT_POSITION] = {.contacts = true, .energy = true, .outdated = FORCES, .search = true},
    [SCREE_EDIT_ORIENTATION] = {.energy = true, .outdated = FORCES},
    [SCREE_EDIT_MOTION] = {.energy = true, .outdated = MOTION},
    [SCREE_EDIT_OWN_DAMPING] = {.outdated = FORCES, .only_between_steps = true},
    [SCREE_EDIT_DAMPING] = {.outdated = FORCES},
    [SCREE_EDIT_LOAD] = {.outdated = FORCES, .only_between_steps = true},
    [SCREE_EDIT_CELL] = {.contacts = true, .energy = true, .outdated = FORCES},
    [SCREE_EDIT_GRAVITY] = {.energy = true, .outdated = FORCES, .only_between_steps = true},
    [SCREE_EDIT_MATERIAL] = {.contacts = true},
    [SCREE_EDIT_RULES] = {.contacts = true},
    [SCREE_EDIT_WALLS] = {.contacts = true, .outdated = FORCES, .only_between_steps = true, .search = true},
    [SCREE_EDIT_WALL_MOTION] = {.outdated = FORCES, .only_between_steps = true, .search = true},
};

// --- outdated forces

static void outdate_motion(struct scree_world *world, scree_slot slot)
{
    struct scree_world_edits *edits = &world->edits;
    uint32_t *flags = &scree_world_grains(world)[slot.index].flags;
    if (!world->outdated)
        *edits = (struct scree_world_edits){.motion = true};
    if (edits->count < SCREE_WORLD_FEW_EDITS)
        edits->id[edits->count] = scree_world_ids(world)[slot.index];
    edits->count += edits->count <= SCREE_WORLD_FEW_EDITS;
    *flags |= SCREE_FLAG_OUTDATED;
    // between steps, the edited velocity replaces the stored mid-step one
    if (!world->pending_step)
        *flags = (*flags | SCREE_FLAGS_ON_STEP) & ~(uint32_t)SCREE_FLAGS_HALF;
    world->outdated = true;
}

void scree_edit_outdate(struct scree_world *world, scree_slot slot)
{
    outdate_motion(world, slot);
    world->edits.motion = false;
}

void scree_edit_outdate_all(struct scree_world *world)
{
    world->contacts_stale = true;
    for (uint32_t i = 0; i < scree_world_bodies(world); ++i)
        scree_edit_outdate(world, (scree_slot){i});
}

bool scree_world_list_outdated(const struct scree_world *world, uint32_t slot[SCREE_WORLD_FEW_EDITS],
                               size_t *count)
{
    *count = 0;
    if (!world->outdated)
        return true;
    if (world->edits.count > SCREE_WORLD_FEW_EDITS)
        return false;
    // skip bodies removed in the meantime
    for (size_t k = 0; k < world->edits.count; ++k)
        *count += scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, world->edits.id[k],
                                  &slot[*count]);
    return true;
}

void scree_world_clear_outdated(struct scree_world *world)
{
    uint32_t slot[SCREE_WORLD_FEW_EDITS];
    size_t count;
    assert(world->edit.kind == SCREE_EDIT_NONE);
    if (!world->outdated)
        return;
    const bool few = scree_world_list_outdated(world, slot, &count);
    for (size_t k = 0; k < count && few; ++k)
        scree_world_grains(world)[slot[k]].flags &= ~(uint32_t)SCREE_FLAG_OUTDATED;
    for (size_t i = 0; i < scree_world_bodies(world) && !few; ++i)
        scree_world_grains(world)[i].flags &= ~(uint32_t)SCREE_FLAG_OUTDATED;
    world->outdated = false;
}

// --- energy input

static void enter_energy_of(struct scree_world *world, scree_slot slot, double sign)
{
    scree_total_add(&scree_world_clock(world)->energy_input, sign * scree_body_energy_of(world, slot));
}

static void enter_energy_of_all(struct scree_world *world, double sign)
{
    struct scree_sum sum = {0};
    scree_body_sum_energies(world, &sum);
    scree_total_add_sum(&scree_world_clock(world)->energy_input, &sum, sign);
}

// --- single edits

static void begin(struct scree_world *world, struct scree_world_edit edit)
{
    assert(world->edit.kind == SCREE_EDIT_NONE && edit.kind != SCREE_EDIT_NONE);
    world->edit = edit;
}

// Enters work and loss of the half-step before now, which was made at the velocities before the change.
static void enter_half_step(struct scree_world *world, scree_slot slot)
{
    struct scree_on_step motion;
    scree_body_predict(world, slot, &motion);
    struct scree_wrench *wrench = &scree_world_wrenches(world)[slot.index];
    wrench->work = motion.work;
    wrench->loss = motion.loss;
    scree_body_enter_mean_power(world, &motion);
    scree_world_grains(world)[slot.index].flags |= SCREE_FLAG_ACCOUNTED;
}

static void remove_contact_energy(struct scree_world *world, scree_slot slot)
{
    if (world->ledger)
        world->ledger->remove_body(world, slot);
}

// A new body has no contacts yet: the next evaluation enters their whole energy.
static void begin_insertion(struct scree_world *world, scree_slot slot)
{
    scree_world_grains(world)[slot.index].flags |=
        SCREE_FLAGS_ON_STEP | SCREE_FLAG_ACCOUNTED | SCREE_FLAG_OUT_OF_LEDGER;
    world->opened = true;
}

// Adds work and losses of a removed body to the totals.
static void begin_removal(struct scree_world *world, scree_slot slot)
{
    struct scree_clock *clock = scree_world_clock(world);
    struct scree_on_step motion;
    scree_body_predict(world, slot, &motion);
    enter_energy_of(world, slot, -1);
    scree_total_add(&clock->removed_work, motion.work);
    scree_total_add(&clock->removed_loss, motion.loss);
    scree_body_enter_mean_power(world, &motion);
    remove_contact_energy(world, slot);
    if (!scree_world_losses(world))
        return;
    const struct scree_losses *losses = &scree_world_losses(world)[slot.index];
    scree_total_add(&clock->removed_friction, losses->friction);
    scree_total_add(&clock->removed_dashpot, losses->dashpot - 0.5 * losses->ahead);
    scree_total_add(&clock->removed_internal, losses->internal);
}

void scree_edit_body(struct scree_world *world, enum scree_edit_kind kind, scree_slot slot)
{
    begin(world, (struct scree_world_edit){.kind = kind, .slot = slot, .one_body = true});
    if (kind == SCREE_EDIT_INSERTION) {
        begin_insertion(world, slot);
        return;
    }
    if (kind == SCREE_EDIT_REMOVAL) {
        scree_edit_finish_fields(world);
        begin_removal(world, slot);
        return;
    }
    if (rows[kind].contacts)
        remove_contact_energy(world, slot);
    if (rows[kind].energy) {
        scree_edit_finish_fields(world);
        enter_energy_of(world, slot, -1);
        enter_half_step(world, slot);
    }
}

static void remove_all_contact_energy(struct scree_world *world)
{
    if (world->ledger)
        world->ledger->remove_all(world);
}

void scree_edit_all(struct scree_world *world, enum scree_edit_kind kind)
{
    begin(world, (struct scree_world_edit){.kind = kind});
    if (rows[kind].contacts)
        remove_all_contact_energy(world);
    if (rows[kind].energy) {
        scree_edit_finish_fields(world);
        enter_energy_of_all(world, -1);
    }
}

void scree_edit_wall(struct scree_world *world, enum scree_edit_kind kind, size_t wall,
                     const struct scree_wall *moved)
{
    begin(world, (struct scree_world_edit){.kind = kind});
    if (world->ledger)
        world->ledger->wall_motion(world, wall, moved);
}

void scree_edit_end(struct scree_world *world)
{
    const struct scree_world_edit edit = world->edit;
    const struct row *row = &rows[edit.kind];
    assert(edit.kind != SCREE_EDIT_NONE);
    world->edit = (struct scree_world_edit){0};
    scree_wall_body_follow(world);
    // the slot of a removed body belongs to another one now
    if (edit.kind == SCREE_EDIT_REMOVAL)
        return;
    if (row->energy && edit.one_body)
        enter_energy_of(world, edit.slot, 1);
    else if (row->energy)
        enter_energy_of_all(world, 1);
    world->contacts_stale = world->contacts_stale || row->search;
    if (row->outdated == NOTHING || (row->only_between_steps && world->pending_step))
        return;
    if (!edit.one_body)
        scree_edit_outdate_all(world);
    else if (row->outdated == FORCES)
        scree_edit_outdate(world, edit.slot);
    else
        outdate_motion(world, edit.slot);
}

// --- edits of fields

// Returns which dependent quantity an edit of a field requires.
static enum scree_edited edited_by(const struct scree_world *world, const struct scree_entity *entity,
                                   const struct scree_field *field)
{
    if (entity != scree_world_entity(world, SCREE_ENTITY_BODY))
        return SCREE_EDITED_OTHER;
    if (strcmp(field->name, "momentum") == 0)
        return SCREE_EDITED_MOMENTUM;
    const bool changes_momentum = strcmp(field->name, "spin") == 0 ||
                                  strcmp(field->name, "orientation") == 0 ||
                                  strcmp(field->name, "inertia") == 0;
    return changes_momentum ? SCREE_EDITED_SPIN : SCREE_EDITED_OTHER;
}

void scree_edit_field(struct scree_world *world, const struct scree_entity *entity,
                      const struct scree_field *field)
{
    assert(world->edit.kind == SCREE_EDIT_NONE);
    // edits of spin and of momentum cannot be active together
    const enum scree_edited edited = edited_by(world, entity, field);
    if (edited != SCREE_EDITED_OTHER && world->edited != edited)
        scree_edit_finish_fields(world);
    // contacts depend on bodies, grains and materials
    const int contact_entities[] = {SCREE_ENTITY_BODY, SCREE_ENTITY_GRAIN, SCREE_ENTITY_MATERIAL};
    for (int k = 0; k < 3; ++k)
        if (entity == scree_world_entity(world, contact_entities[k]))
            remove_all_contact_energy(world);
    if (world->edited == SCREE_EDITED_NOTHING)
        enter_energy_of_all(world, -1);
    world->edited = world->edited > edited ? world->edited : edited;
    if (entity == scree_world_entity(world, SCREE_ENTITY_BODY))
        scree_edit_outdate_all(world);
}

// Spin and momentum of a general rigid body depend on each other: computes the one that was not edited.
static void update_dependent(struct scree_world *world, enum scree_edited edited)
{
    if (edited == SCREE_EDITED_OTHER || !scree_world_rotors(world))
        return;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        struct scree_grain *grain = &scree_world_grains(world)[i];
        struct scree_rotor *rotor = &scree_world_rotors(world)[i];
        if (grain->kind != SCREE_KIND_RIGID)
            continue;
        if (edited == SCREE_EDITED_SPIN)
            scree_vec3_store(scree_body_momentum(rotor, scree_vec3_load(grain->spin)), rotor->momentum);
        else
            scree_vec3_store(scree_body_spin(scree_quat_load(rotor->orientation), rotor->inertia,
                                             scree_vec3_load(rotor->momentum)),
                             grain->spin);
    }
}

void scree_edit_finish_fields(struct scree_world *world)
{
    if (world->edited == SCREE_EDITED_NOTHING)
        return;
    update_dependent(world, world->edited);
    scree_cell_wrap_all(world);
    scree_wall_body_follow(world);
    world->edited = SCREE_EDITED_NOTHING;
    enter_energy_of_all(world, 1);
}
