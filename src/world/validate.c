// Validation of all invariants of a world, see scree_world_validate. Debug builds validate after each step.

#include "world/body.h"
#include "world/bond.h"
#include "world/cell.h"
#include "world/contact_check.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall.h"
#include "world/wall_rough.h"

#include <stdio.h>
#include <string.h>

static scree_status fail(const struct scree_world *world, size_t i, const char *what)
{
    return scree_status_fail(SCREE_ERROR_NUMBER, "at step %llu, body %llu: %s",
                             (unsigned long long)scree_world_clock(world)->steps,
                             (unsigned long long)scree_world_ids(world)[i], what);
}

static scree_status fail_number(const struct scree_world *world, size_t i, const char *what, double number)
{
    char text[128];
    snprintf(text, sizeof text, "its %s; it is %g", what, number);
    return fail(world, i, text);
}

static bool finite3(const double *v)
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static int exponent_of(uint64_t bits)
{
    return (int)(bits >> 52 & 0x7FF) - 1023;
}

// A quantum is 0 (not chosen yet), or its constant is 7/4 of a power of two in the range where forces,
// moments and losses can be rounded with it (kernel.h).
static bool check_quantum(const struct scree_grain *grain)
{
    uint64_t bits;
    memcpy(&bits, &grain->radius, sizeof bits);
    // the radius of a general body is 0: its quantum is that of its carried grains
    const int force = exponent_of((uint64_t)grain->quantum << 48), size = bits > 0 ? exponent_of(bits) : 0;
    const int least = force + (size < 0 ? size : 0) - 10, most = force + (size > 0 ? size : 0);
    return grain->quantum == 0 || ((grain->quantum & 0x800F) == 12 && least >= -960 && most <= 820);
}

static scree_status check_grain(const struct scree_world *world, size_t i)
{
    const struct scree_grain *grain = &scree_world_grains(world)[i];
    if (!finite3(grain->position) || !finite3(grain->velocity) || !finite3(grain->spin))
        return fail(
            world, i,
            "its position, velocity or spin is not finite: the time step may be too long for its loads");
    if (!scree_cell_contains(world, grain->position))
        return fail(world, i, "it is outside the periodic cell, too far away to be wrapped");
    const struct scree_wrench *wrench = &scree_world_wrenches(world)[i];
    if (!finite3(wrench->force) || !finite3(wrench->moment))
        return fail(world, i, "the force or moment on it is not finite");
    if (!(grain->mass > 0))
        return fail_number(world, i, "mass must be positive, in kg", grain->mass);
    if (grain->owner != i)
        return fail(world, i, "its grain belongs to another body");
    const bool round = grain->kind == SCREE_KIND_SPHERE || grain->kind == SCREE_KIND_DISK;
    if (round && !(grain->radius >= 1e-150 && grain->radius <= 1e150))
        return fail_number(world, i, "radius must be from 1e-150 to 1e150 m", grain->radius);
    const bool shaped = grain->flags & SCREE_FLAG_SHAPED;
    if (!round && !shaped && grain->radius != 0)
        return fail_number(world, i, "radius must be 0, because it is a general body", grain->radius);
    if (shaped && ((grain->kind != SCREE_KIND_RIGID && grain->kind != SCREE_KIND_POLAR) ||
                   !scree_polyhedron_of(world, i) || grain->radius != scree_polyhedron_of(world, i)->reach))
        return fail(world, i, "it is a polyhedron, but its radius is not that around its shape");
    if (!check_quantum(grain))
        return fail_number(world, i, "quantum must be 7/4 of a power of two, or 0", (double)grain->quantum);
    const bool flat = grain->kind == SCREE_KIND_DISK || grain->kind == SCREE_KIND_POLAR;
    if (flat != (world->dimension == 2))
        return fail(world, i, "its kind does not fit the dimension of the world");
    if (flat &&
        (grain->position[2] != 0 || grain->velocity[2] != 0 || grain->spin[0] != 0 || grain->spin[1] != 0))
        return fail(world, i, "it has left the plane of motion");
    return SCREE_OK;
}

static scree_status check_rotor(const struct scree_world *world, size_t i)
{
    const struct scree_grain *grain = &scree_world_grains(world)[i];
    const struct scree_rotor *rotor = scree_world_rotors(world) ? &scree_world_rotors(world)[i] : NULL;
    if (!(grain->flags & SCREE_FLAG_ROTATES) && grain->kind != SCREE_KIND_RIGID &&
        grain->kind != SCREE_KIND_POLAR)
        return SCREE_OK;
    if (!rotor)
        return fail(world, i, "its rotation is integrated, but the world has no column of orientations");
    // within a few roundings of unit length: every scheme normalises
    if ((grain->flags & SCREE_FLAG_ROTATES) &&
        !(fabs(scree_quat_norm_squared(scree_quat_load(rotor->orientation)) - 1) < 1e-14))
        return fail(world, i, "its orientation is not of unit length");
    if (grain->kind == SCREE_KIND_RIGID && !finite3(rotor->momentum))
        return fail(world, i, "its angular momentum is not finite");
    if (grain->kind == SCREE_KIND_RIGID &&
        !(rotor->inertia[0] > 0 && rotor->inertia[1] > 0 && rotor->inertia[2] > 0))
        return fail(world, i, "a moment of inertia is not positive");
    return SCREE_OK;
}

// Returns null, or a message that says what is wrong with the shape of a carried grain.
static const char *shape_fault(const struct scree_world *world, size_t row)
{
    const struct scree_local_grain *local = &scree_grain_locals(world)[row];
    const struct scree_local_shape *locals = scree_polyhedron_locals(world);
    const struct scree_shape *shape = scree_polyhedron_of_grain(world, scree_world_bodies(world) + row);
    const uint16_t plain = world->dimension == 2 ? SCREE_KIND_DISK : SCREE_KIND_SPHERE;
    if (!shape)
        return locals && locals[row].shape != 0 ? "its shape does not exist"
               : local->kind != plain           ? "its kind does not fit the dimension of the world"
                                                : NULL;
    if (world->dimension != 3 || local->kind != SCREE_KIND_POLYHEDRON || local->radius != shape->reach)
        return "it is a polyhedron, but its kind or radius is not that of its shape";
    // within a few roundings of unit length
    return fabs(scree_quat_norm_squared(scree_quat_load(locals[row].orientation)) - 1) < 1e-14
               ? NULL
               : "its orientation in the body is not of unit length";
}

// The same for all of a carried grain.
static const char *carried_fault(const struct scree_world *world, size_t row)
{
    const struct scree_local_grain *local = &scree_grain_locals(world)[row];
    uint32_t slot;
    const bool flat = world->dimension == 2;
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, local->body, &slot))
        return "the body does not exist";
    const uint16_t kind = scree_world_grains(world)[slot].kind;
    if (kind != SCREE_KIND_RIGID && kind != SCREE_KIND_POLAR)
        return "the body is a sphere or disk, which cannot carry grains";
    if (local->part < 1 || local->part > UINT16_MAX)
        return "its part number must be from 1 to 65535";
    if (!(local->radius >= 1e-150 && local->radius <= 1e150))
        return "its radius must be from 1e-150 to 1e150 m";
    for (int k = 0; k < 3; ++k)
        if (!(fabs(local->offset[k]) <= 1e150) || (flat && k == 2 && local->offset[k] != 0))
            return "its offset must be at most 1e150 m in magnitude, with z = 0 in two dimensions";
    if (local->material > scree_world_entity(world, SCREE_ENTITY_MATERIAL)->count)
        return "its material does not exist";
    return shape_fault(world, row);
}

static scree_status check_carried(const struct scree_world *world)
{
    for (size_t g = 0; g < scree_grain_carried(world); ++g) {
        const struct scree_local_grain *local = &scree_grain_locals(world)[g];
        const char *fault = carried_fault(world, g);
        if (fault)
            return scree_status_fail(SCREE_ERROR_NUMBER, "at step %llu, grain %u of body %llu: %s",
                                     (unsigned long long)scree_world_clock(world)->steps, local->part,
                                     (unsigned long long)local->body, fault);
    }
    return SCREE_OK;
}

static scree_status check_ids(const struct scree_world *world)
{
    for (size_t e = 0; e < world->registry.entities.count; ++e) {
        const struct scree_entity *entity = &world->registry.entities.data[e];
        if (entity->keyed)
            continue;
        if (entity->pool.living != entity->count)
            return scree_status_fail(SCREE_ERROR_NUMBER,
                                     "the entity '%s' has %zu rows, but %llu ids are in use", entity->name,
                                     entity->count, (unsigned long long)entity->pool.living);
        for (size_t row = 0; row < entity->count; ++row) {
            uint32_t slot;
            const uint64_t id = scree_entity_ids(entity)[row];
            if (!scree_pool_find(&entity->pool, id, &slot) || slot != row)
                return scree_status_fail(SCREE_ERROR_NUMBER,
                                         "the slot of the %s with id %llu is not the one recorded for the id",
                                         entity->name, (unsigned long long)id);
        }
    }
    return SCREE_OK;
}

static scree_status check_walls(const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall_roughness *rough = scree_wall_rough(world, w);
        const char *fault = scree_wall_fault(scree_wall_row(world, w));
        if (!fault && rough)
            fault = scree_wall_rough_fault(rough);
        if (fault)
            return scree_status_fail(
                SCREE_ERROR_NUMBER, "at step %llu, wall %llu: %s",
                (unsigned long long)scree_world_clock(world)->steps,
                (unsigned long long)scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[w], fault);
    }
    return SCREE_OK;
}

// A bond of a wall refers to a feature that the wall has.
static scree_status check_bonds(const struct scree_world *world)
{
    const struct scree_entity *bonds = scree_world_entity(world, SCREE_ENTITY_BOND),
                              *walls = scree_world_entity(world, SCREE_ENTITY_WALL);
    for (size_t row = 0; row < bonds->count; ++row) {
        const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
        uint32_t wall;
        if (sides->wall > 0 && scree_pool_find(&walls->pool, sides->wall, &wall) &&
            sides->feature >= scree_wall_features(scree_wall_row(world, wall)))
            return scree_status_fail(
                SCREE_ERROR_NUMBER, "bond %llu has feature %u of wall %llu, which has %zu",
                (unsigned long long)scree_entity_ids(bonds)[row], (unsigned)sides->feature,
                (unsigned long long)sides->wall, scree_wall_features(scree_wall_row(world, wall)));
    }
    return SCREE_OK;
}

static scree_status check_lattice(const struct scree_world *world)
{
    const struct scree_lattice *lattice = scree_world_lattice(world);
    const double volume = lattice ? scree_mat3_determinant(scree_lattice_load(lattice->vectors)) : 1;
    // a lattice needs the numbers of periods of bodies
    if (volume > 0 && volume <= 1e300 &&
        (!lattice || scree_world_bodies(world) == 0 || scree_world_images(world)))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_NUMBER, "the vectors of the cell span a volume of %g", volume);
}

scree_status scree_world_validate(const struct scree_world *world)
{
    SCREE_TRY(check_ids(world));
    SCREE_TRY(check_lattice(world));
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        SCREE_TRY(check_grain(world, i));
        SCREE_TRY(check_rotor(world, i));
    }
    SCREE_TRY(check_carried(world));
    SCREE_TRY(check_walls(world));
    SCREE_TRY(check_bonds(world));
    return scree_contact_check(world);
}
