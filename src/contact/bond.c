// Bonds: adding, removing, state and events, see include/scree/bond.h. Every change is an edit
// (world/edit.h).

#include "base/sort.h"
#include "contact/bond_def.h"
#include "contact/bond_side.h"
#include "contact/ledger.h"
#include "shape/surface.h"
#include "world/edit.h"
#include "world/wall_body.h"

#include <scree/bond.h>

#include <math.h>

static struct scree_entity *bonds_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_BOND);
}

// --- adding

// A side of a new bond.
struct new_side {
    scree_slot slot;  // of the body
    uint64_t carried; // id of the carried grain, or 0
    struct scree_vec3 centre;
    struct scree_quat orientation;
    double radius, mass; // mass 0: cannot move
};

static scree_status no_part(const struct scree_bond_side *side)
{
    return scree_status_fail(SCREE_ERROR_MISSING,
                             "a bond joins grains: body %llu has no part %u (0 is a sphere or disk itself, "
                             "pebbles are numbered from 1)",
                             (unsigned long long)side->body.value, side->part);
}

static scree_status no_grain(const struct scree_world *world, scree_slot slot,
                             const struct scree_bond_side *side)
{
    const struct scree_clump *clump = scree_grain_clump(world, slot.index);
    const unsigned long long id = side->body.value;
    if (clump)
        return scree_status_fail(SCREE_ERROR_MISSING,
                                 "body %llu is a clump: a bond needs the number of a pebble, from 1 to %llu",
                                 id, (unsigned long long)clump->grains);
    return scree_status_fail(
        SCREE_ERROR_MISSING, "body %llu is a %s, which no bond can join: bond spheres, disks or clumps", id,
        scree_polyhedron_of(world, slot.index) ? "polyhedron" : "rigid body without grains");
}

// Finds a carried grain by its part number.
static bool find_carried(const struct scree_world *world, scree_slot slot, const struct scree_bond_side *side,
                         uint32_t *row)
{
    const struct scree_clump *clump = scree_grain_clump(world, slot.index);
    if (clump)
        return side->part <= clump->grains &&
               scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool,
                               clump->first + side->part - 1, row);
    for (*row = 0; *row < scree_grain_carried(world); ++*row)
        if (scree_grain_locals(world)[*row].body == side->body.value &&
            scree_grain_locals(world)[*row].part == side->part)
            return true;
    return false;
}

static scree_status read_side(const struct scree_world *world, const struct scree_bond_side *side,
                              struct new_side *out)
{
    uint32_t row;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), side->body.value, &out->slot));
    const struct scree_grain *grain = &scree_world_grains(world)[out->slot.index];
    const bool rotates = grain->flags & SCREE_FLAG_ROTATES;
    out->orientation = rotates ? scree_quat_load(scree_world_rotors(world)[out->slot.index].orientation)
                               : scree_quat_make(1, 0, 0, 0);
    out->centre = scree_vec3_load(grain->position);
    out->radius = grain->radius;
    out->carried = 0;
    out->mass = (grain->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION ? 0 : grain->mass;
    if (side->part == 0)
        return grain->radius > 0 && !(grain->flags & SCREE_FLAG_SHAPED) ? SCREE_OK
                                                                        : no_grain(world, out->slot, side);
    if (!find_carried(world, out->slot, side, &row))
        return no_part(side);
    const struct scree_local_grain *local = &scree_grain_locals(world)[row];
    if (local->kind == SCREE_KIND_POLYHEDRON)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "part %u of body %llu is a polyhedron, which no bond can join: bond spheres",
                                 side->part, (unsigned long long)side->body.value);
    out->carried = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_GRAIN))[row];
    out->radius = local->radius;
    out->centre =
        scree_vec3_add(out->centre, scree_grain_arm_along(scree_quat_to_matrix(out->orientation), local));
    return SCREE_OK;
}

// The nearest point of the wall.
static scree_status read_wall(const struct scree_world *world, const struct scree_bond_def *def,
                              const struct new_side *first, struct new_side *out)
{
    struct scree_surface_touch touch;
    double centre[3];
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), def->wall.value, &out->slot));
    const struct scree_wall *wall = scree_wall_row(world, out->slot.index);
    if (scree_wall_follows(wall))
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "wall %llu moves with body %llu; bonds to such walls are not possible",
                                 (unsigned long long)def->wall.value,
                                 (unsigned long long)scree_wall_body_of(world, out->slot.index));
    if (def->feature >= scree_surface_features(wall))
        return scree_status_fail(SCREE_ERROR_MISSING, "wall %llu has no feature %u: it has %u",
                                 (unsigned long long)def->wall.value, def->feature,
                                 scree_surface_features(wall));
    scree_vec3_store(first->centre, centre);
    if (def->feature > UINT16_MAX)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "bonds are possible to the first %d facets of a mesh; wall %llu has facet %u", UINT16_MAX + 1,
            (unsigned long long)def->wall.value, def->feature);
    scree_surface_touch(wall, def->feature, centre, &touch);
    if (!(touch.gap > 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the centre of body %llu is not in front of wall %llu, so a bond between them "
            "has no length",
            (unsigned long long)def->side[0].body.value, (unsigned long long)def->wall.value);
    *out = (struct new_side){.slot = out->slot,
                             .centre = scree_vec3_load(touch.point),
                             .orientation = scree_quat_load(wall->orientation)};
    return SCREE_OK;
}

// 0 if neither side can move.
static double effective_mass(const struct new_side side[2])
{
    const double a = side[0].mass, b = side[1].mass;
    return a > 0 && b > 0 ? a * b / (a + b) : a + b;
}

static scree_status check_length(const struct scree_world *world, const struct scree_bond_def *def,
                                 double length)
{
    const double *period = scree_world_cell(world)->period;
    if (!(length > 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the sides of a bond of body %llu have the same centre",
                                 (unsigned long long)def->side[0].body.value);
    for (int k = 0; k < 3; ++k)
        if (period[k] > 0 && !(period[k] > 2 * length))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a periodic cell must be wider than two bonds: the cell has a width of %g "
                "m along %c, the bond of body %llu a length of %g m",
                period[k], "xyz"[k], (unsigned long long)def -> side[0].body.value, length);
    const double width = scree_cell_narrowest(world);
    if (!(width > 2 * length))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a periodic cell must be wider than two bonds: two faces of the cell are %g m apart, the bond of "
            "body %llu has a length of %g m",
            width, (unsigned long long)def->side[0].body.value, length);
    return SCREE_OK;
}

// Rotation from the x axis to a unit vector, in two dimensions about z.
static struct scree_quat axes_along(struct scree_vec3 n)
{
    const struct scree_quat turned = {0, 0, 0, 1};
    if (n.x > -0.5)
        return scree_quat_normalise(scree_quat_make(1 + n.x, 0, -n.z, n.y));
    return scree_quat_product(scree_quat_normalise(scree_quat_make(1 - n.x, 0, n.z, -n.y)), turned);
}

// A new bond, checked.
struct new_bond {
    const struct scree_bond_def *def;
    struct new_side side[2];
    struct scree_vec3 between;
    struct scree_bond_def_place place;
};

static scree_status read_bond(const struct scree_world *world, const struct scree_bond_def *def,
                              struct new_bond *bond)
{
    bond->def = def;
    SCREE_TRY(scree_bond_def_check(def, world->dimension));
    if ((def->wall.value > 0) == (def->side[1].body.value > 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the second side of a bond is either a body or a wall; got body %llu and wall "
            "%llu",
            (unsigned long long)def->side[1].body.value, (unsigned long long)def->wall.value);
    if (def->side[0].body.value == def->side[1].body.value)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a bond joins two bodies; both sides are body %llu",
                                 (unsigned long long)def->side[0].body.value);
    SCREE_TRY(read_side(world, &def->side[0], &bond->side[0]));
    SCREE_TRY(def->wall.value > 0 ? read_wall(world, def, &bond->side[0], &bond->side[1])
                                  : read_side(world, &def->side[1], &bond->side[1]));
    struct scree_images_room room;
    const struct scree_images images = scree_images_now(world, &room);
    struct scree_bond_end end[2] = {{.centre = bond->side[0].centre}, {.centre = bond->side[1].centre}};
    bond->between = scree_bond_side_between(&end[0], &end[1], &images);
    bond->place = (struct scree_bond_def_place){.length = scree_vec3_norm(bond->between),
                                                .radius = {bond->side[0].radius, bond->side[1].radius},
                                                .mass = effective_mass(bond->side)};
    return check_length(world, def, bond->place.length);
}

static scree_status require_columns(struct scree_world *world, const struct scree_bond_def *def)
{
    struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    SCREE_TRY(scree_ledger_attach(world));
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_ROTOR));
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_BONDS));
    if (def->wall.value > 0)
        SCREE_TRY(scree_entity_require(bonds_of(world), SCREE_BOND_ANCHOR));
    if (def->softening > 0)
        SCREE_TRY(scree_entity_require(bonds_of(world), SCREE_BOND_DAMAGE));
    if (!scree_bond_def_breaks(def))
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(bonds_of(world), SCREE_BOND_STRENGTH));
    return scree_entity_require(bonds_of(world), SCREE_BOND_RELEASE);
}

static void fill_sides(const struct new_bond *bond, struct scree_bond_sides *sides)
{
    const struct scree_bond_def *def = bond->def;
    *sides = (struct scree_bond_sides){.wall = def->wall.value,
                                       .kind = (uint16_t)def->kind,
                                       .excludes = !scree_bond_def_touches(def),
                                       .feature = (uint16_t)def->feature};
    for (int s = 0; s < 2 && def->side[s].body.value > 0; ++s) {
        sides->body[s] = def->side[s].body.value;
        sides->carried[s] = bond->side[s].carried;
        sides->part[s] = def->side[s].part;
    }
}

static void fill_row(const struct scree_world *world, const struct new_bond *bond, uint32_t row)
{
    struct scree_bond_spring *spring = &scree_bond_springs(world)[row];
    const struct scree_quat axes = axes_along(scree_vec3_scale(bond->between, 1 / bond->place.length));
    fill_sides(bond, &scree_bond_sides(world)[row]);
    scree_bond_def_springs(bond->def, world->dimension, &bond->place, spring);
    for (int s = 0; s < 2; ++s)
        scree_quat_store(
            scree_quat_normalise(scree_quat_product(scree_quat_conjugate(bond->side[s].orientation), axes)),
            spring->axes[s]);
    if (scree_bond_def_breaks(bond->def))
        scree_bond_def_strengths(bond->def, world->dimension, &bond->place,
                                 &scree_bond_strengths(world)[row]);
    if (bond->def->wall.value == 0)
        return;
    const struct scree_wall *wall = scree_wall_row(world, bond->side[1].slot.index);
    const struct scree_vec3 offset = scree_vec3_sub(bond->side[1].centre, scree_vec3_load(wall->reference));
    scree_vec3_store(scree_quat_rotate_inverse(bond->side[1].orientation, offset),
                     scree_bond_anchors(world)[row].offset);
}

// The orientation of a sphere is integrated from now on.
static void track(const struct scree_world *world, scree_slot slot)
{
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (grain->flags & SCREE_FLAG_ROTATES)
        return;
    grain->flags |= SCREE_FLAG_ROTATES;
    scree_world_rotors(world)[slot.index] = (struct scree_rotor){.orientation = {1, 0, 0, 0}};
}

scree_status scree_bond_add(struct scree_world *world, const struct scree_bond_def *def, scree_bond_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct new_bond bond;
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    scree_edit_finish_fields(world);
    SCREE_TRY(read_bond(world, def, &bond));
    SCREE_TRY(require_columns(world, def));
    SCREE_TRY(scree_entity_insert(bonds_of(world), &slot, &id->value));
    // a bond without sides does not exist for the ledger
    scree_edit_body(world, SCREE_EDIT_POSITION, bond.side[0].slot);
    fill_row(world, &bond, slot.index);
    scree_bond_link(world, slot.index);
    for (int s = 0; s < (def->wall.value > 0 ? 1 : 2); ++s)
        track(world, bond.side[s].slot);
    scree_edit_end(world);
    if (def->wall.value == 0)
        scree_edit_outdate(world, bond.side[1].slot);
    return SCREE_OK;
}

// --- removing, listing and state

static scree_status find_live(const struct scree_world *world, scree_bond_id id, uint32_t *row)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(bonds_of(world), id.value, &slot));
    *row = slot.index;
    if (scree_bond_sides(world)[*row].broken == 0)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_MISSING, "bond %llu has broken", (unsigned long long)id.value);
}

scree_status scree_bond_remove(struct scree_world *world, scree_bond_id id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    uint32_t row;
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(find_live(world, id, &row));
    const struct scree_bond_sides sides = scree_bond_sides(world)[row];
    SCREE_TRY(scree_entity_find(bodies, sides.body[0], &slot));
    SCREE_TRY(scree_array_reserve(&world->uncovered, world->uncovered.count + 1));
    scree_edit_body(world, SCREE_EDIT_POSITION, slot);
    scree_bond_uncover(world, row);
    scree_bond_remove_row(world, row);
    scree_edit_end(world);
    if (sides.body[1] > 0 && scree_pool_find(&bodies->pool, sides.body[1], &slot.index))
        scree_edit_outdate(world, slot);
    return SCREE_OK;
}

size_t scree_bond_count(const struct scree_world *world)
{
    size_t live = 0;
    for (size_t row = 0; row < scree_bond_rows(world); ++row)
        live += scree_bond_sides(world)[row].broken == 0;
    return live;
}

bool scree_bond_exists(const struct scree_world *world, scree_bond_id id)
{
    uint32_t row;
    return scree_bond_row_of(world, id.value, &row) && scree_bond_sides(world)[row].broken == 0;
}

scree_status scree_bond_list(const struct scree_world *world, scree_bond_id *out, size_t capacity,
                             size_t *count)
{
    const size_t rows = scree_bond_rows(world);
    uint32_t *order;
    *count = scree_bond_count(world);
    if (capacity == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(rows, sizeof *order, (void **)&order));
    const scree_status status = scree_sort_order(scree_bond_ids(world), rows, order);
    size_t at = 0;
    for (size_t k = 0; k < rows && at < capacity && status == SCREE_OK; ++k)
        if (scree_bond_sides(world)[order[k]].broken == 0)
            out[at++].value = scree_bond_ids(world)[order[k]];
    scree_memory_free(order);
    return status;
}

static void copy_strengths(const struct scree_world *world, uint32_t row, const struct scree_bond_one *one,
                           struct scree_bond_state *state)
{
    static const struct scree_bond_strength none;
    const struct scree_bond_strength *strength =
        scree_bond_strengths(world) ? &scree_bond_strengths(world)[row] : &none;
    const struct scree_bond_section section = scree_bond_law_section(strength->end, &one->elastic);
    const struct scree_bond_ratios ratios = scree_bond_law_ratios(strength, &one->elastic);
    state->normal_force = one->kept * one->elastic.load.x;
    state->shear_force = one->kept * section.shear;
    state->bending_moment = one->kept * section.bending;
    state->twisting_moment = one->kept * section.twisting;
    for (int k = 0; k < SCREE_BOND_MODES; ++k) {
        state->strength[k] = strength->limit[k] > 0 ? ratios.limit[k] : (double)INFINITY;
        state->ratio[k] = one->kept * ratios.ratio[k];
    }
}

scree_status scree_bond_get(const struct scree_world *world, scree_bond_id id, struct scree_bond_state *state)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_bond_one one;
    uint32_t row;
    SCREE_TRY(find_live(world, id, &row));
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    const struct scree_bond_spring *spring = &scree_bond_springs(world)[row];
    if (!scree_bond_side_evaluate(world, row, &one))
        return scree_status_fail(SCREE_ERROR_MISSING, "a side of bond %llu does not exist",
                                 (unsigned long long)id.value);
    *state = (struct scree_bond_state){
        .kind = (enum scree_bond_kind)sides->kind,
        .side = {{{sides->body[0]}, sides->part[0]}, {{sides->body[1]}, sides->part[1]}},
        .wall = {sides->wall},
        .touching = sides->excludes == 0,
        .length = spring->length,
        .elongation = one.elastic.elongation,
        .stored = one.kept * one.elastic.stored,
        .damage = 1 - one.kept};
    scree_vec3_store(one.end[0].centre, state->end[0]);
    scree_vec3_store(scree_vec3_add(one.end[0].centre, one.between), state->end[1]);
    scree_vec3_store(scree_vec3_add(one.end[0].centre, one.elastic.arm[0]), state->middle);
    scree_vec3_store(scree_bond_law_direction(&one.elastic), state->axis);
    scree_vec3_store(scree_vec3_scale(one.elastic.force, one.kept), state->force);
    scree_vec3_store(scree_vec3_scale(one.elastic.couple, one.kept), state->couple);
    if (scree_bond_damages(world))
        state->lost = scree_bond_damages(world)[row].lost;
    copy_strengths(world, row, &one, state);
    return SCREE_OK;
}

// --- bonds that broke

static const struct scree_entity *events_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_BROKEN_BOND);
}

uint64_t scree_bond_broken(const struct scree_world *world, uint64_t by_mode[SCREE_BOND_MODES])
{
    const uint64_t *broken = scree_world_clock(world)->broken;
    uint64_t sum = 0;
    for (int k = 0; k < SCREE_BOND_MODES; ++k) {
        sum += broken[k];
        if (by_mode)
            by_mode[k] = broken[k];
    }
    return sum;
}

static void copy_event(const struct scree_world *world, uint32_t row, struct scree_bond_event *event)
{
    const struct scree_broken_bond *broken = &scree_bond_events(world)[row];
    *event = (struct scree_bond_event){
        .number = scree_entity_ids(events_of(world))[row],
        .time = broken->time,
        .step = broken->step,
        .bond = {broken->bond},
        .kind = (enum scree_bond_kind)broken->kind,
        .mode = (enum scree_bond_mode)broken->mode,
        .side = {{{broken->body[0]}, broken->part[0]}, {{broken->body[1]}, broken->part[1]}},
        .wall = {broken->wall},
        .point = {broken->point[0], broken->point[1], broken->point[2]},
        .energy = broken->energy,
        .lost = broken->lost};
}

bool scree_bond_next_event(const struct scree_world *world, uint64_t after, struct scree_bond_event *event)
{
    const struct scree_entity *events = events_of(world);
    uint64_t lowest = 0;
    uint32_t row;
    if (after >= events->pool.last || events->count == 0)
        return false;
    // events are dropped from the first on, so the next number exists unless the cursor is before the first
    if (!scree_pool_find(&events->pool, after + 1, &row)) {
        for (uint32_t k = 0; k < events->count; ++k) {
            const uint64_t number = scree_entity_ids(events)[k];
            if (number > after && (lowest == 0 || number < lowest)) {
                lowest = number;
                row = k;
            }
        }
        if (lowest == 0)
            return false;
    }
    copy_event(world, row, event);
    return true;
}

uint64_t scree_bond_last_event(const struct scree_world *world)
{
    return events_of(world)->pool.last;
}

void scree_bond_drop_events(struct scree_world *world, uint64_t number)
{
    struct scree_entity *events = scree_world_entity(world, SCREE_ENTITY_BROKEN_BOND);
    // backwards, because the last row takes the place of a removed one
    for (size_t row = events->count; row-- > 0;)
        if (scree_entity_ids(events)[row] <= number)
            scree_entity_remove(events, (scree_slot){(uint32_t)row});
}
