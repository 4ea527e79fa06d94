// Grains carried by bodies, see grain.h.

// functions that are not forced inline are called from the loops for the widest registers
#define SCREE_FN static inline __attribute__((always_inline))

#include "world/grain.h"

#include "base/memory.h"
#include "base/processor.h"
#include "base/sort.h"
#include "base/team.h"
#include "math/real.h"
#include "world/edit.h"
#include "world/pebbles.h"

#include <math.h>
#include <string.h>

enum { UPDATE_PIECE = 512 };

// Record of a carried grain.
static struct scree_grain *record_of(const struct scree_world *world, size_t row)
{
    return &scree_world_grains(world)[scree_world_bodies(world) + row];
}

static uint32_t owner_of(const struct scree_world *world, const struct scree_local_grain *local)
{
    uint32_t slot = 0;
    (void)scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, local->body, &slot);
    return slot;
}

struct scree_mat3 scree_grain_axes(const struct scree_world *world, size_t owner)
{
    return scree_quat_to_matrix(scree_quat_load(scree_world_rotors(world)[owner].orientation));
}

void scree_grain_arm(const struct scree_world *world, size_t row, double arm[3])
{
    const struct scree_mat3 axes = scree_grain_axes(world, record_of(world, row)->owner);
    scree_vec3_store(scree_grain_arm_along(axes, &scree_grain_locals(world)[row]), arm);
}

scree_status scree_grain_check(const struct scree_world *world, const double position[3], double radius,
                               const double offset[3])
{
    const bool flat = world->dimension == 2;
    if (!(radius >= 1e-150 && radius <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the radius of a grain must be from 1e-150 to 1e150 m; got %g", radius);
    for (int k = 0; k < 3; ++k)
        if (!(offset[k] >= -1e150 && offset[k] <= 1e150) || (flat && k == 2 && offset[k] != 0))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the offset of a grain must be at most 1e150 m in magnitude%s; got (%g, %g, %g)",
                flat ? ", with z = 0" : "", offset[0], offset[1], offset[2]);
    return scree_cell_check_resolution(world, position, radius);
}

// Sets the shape of a new grain.
static scree_status set_shape(struct scree_world *world, const struct scree_pebble *pebble, scree_slot slot)
{
    const struct scree_shape *shape = scree_polyhedron_shape(world, pebble->shape.value);
    struct scree_local_grain *local = &scree_grain_locals(world)[slot.index];
    if (!shape)
        return SCREE_OK;
    struct scree_local_shape *row = &scree_polyhedron_locals(world)[slot.index];
    local->kind = SCREE_KIND_POLYHEDRON;
    local->radius = shape->reach;
    row->shape = pebble->shape.value;
    return scree_polyhedron_orient(shape, pebble->orientation, row->orientation);
}

// Adds the row of a grain whose values have been checked.
static scree_status append(struct scree_world *world, scree_slot owner, const struct scree_pebble *pebble,
                           uint32_t part, uint64_t *id)
{
    const struct scree_grain *own = &scree_world_grains(world)[owner.index];
    scree_slot slot;
    SCREE_TRY(scree_entity_insert(scree_world_entity(world, SCREE_ENTITY_GRAIN), &slot, id));
    struct scree_local_grain *local = &scree_grain_locals(world)[slot.index];
    *local = (struct scree_local_grain){.radius = pebble->radius,
                                        .body = scree_world_ids(world)[owner.index],
                                        .kind = world->dimension == 2 ? SCREE_KIND_DISK : SCREE_KIND_SPHERE,
                                        .material = pebble->material.value ? (uint16_t)pebble->material.value
                                                                           : own->material,
                                        .part = part};
    memcpy(local->offset, pebble->offset, sizeof local->offset);
    return set_shape(world, pebble, slot);
}

static scree_status reserve(struct scree_world *world, size_t more)
{
    const size_t rows = scree_grain_carried(world) + more;
    SCREE_TRY(scree_entity_reserve(scree_world_entity(world, SCREE_ENTITY_GRAIN), rows));
    return scree_entity_extend(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_GRAIN, rows);
}

// Ends an edit that added grains: the contacts of the body change, and its orientation is integrated from now
// on, because carried grains rotate with the body.
static void finish_adding(struct scree_world *world, scree_slot owner)
{
    scree_world_grains(world)[owner.index].flags |= SCREE_FLAG_ROTATES;
    world->carried_stale = true;
    scree_edit_end(world);
}

scree_status scree_grain_add_pebbles(struct scree_world *world, scree_slot owner,
                                     const struct scree_pebble *pebble, size_t count, uint64_t *first)
{
    struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_GRAIN);
    const size_t before = entity->count;
    bool shaped = false;
    for (size_t p = 0; p < count; ++p)
        shaped = shaped || pebble[p].shape.value > 0;
    if (shaped)
        SCREE_TRY(scree_entity_require(entity, SCREE_GRAIN_SHAPE));
    SCREE_TRY(reserve(world, count));
    scree_edit_body(world, SCREE_EDIT_POSITION, owner);
    scree_status status = SCREE_OK;
    for (size_t p = 0; p < count && status == SCREE_OK; ++p) {
        uint64_t id;
        status = append(world, owner, &pebble[p], (uint32_t)p + 1, &id);
        *first = p == 0 ? id : *first;
    }
    while (status != SCREE_OK && entity->count > before)
        scree_entity_remove(entity, (scree_slot){(uint32_t)entity->count - 1});
    finish_adding(world, owner);
    return status;
}

scree_status scree_grain_add(struct scree_world *world, scree_body_id body, double radius,
                             const double offset[3], uint64_t *id)
{
    scree_slot owner;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), body.value, &owner));
    const struct scree_grain *own = &scree_world_grains(world)[owner.index];
    if (own->kind != SCREE_KIND_RIGID && own->kind != SCREE_KIND_POLAR)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "body %llu is a sphere or disk; only a general rigid body carries grains",
                                 (unsigned long long)body.value);
    if (own->flags & SCREE_FLAG_SHAPED)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "body %llu is a polyhedron, which carries no grains",
                                 (unsigned long long)body.value);
    SCREE_TRY(scree_grain_check(world, own->position, radius, offset));
    uint32_t part = 1;
    for (size_t g = 0; g < scree_grain_carried(world); ++g)
        if (scree_grain_locals(world)[g].body == body.value && scree_grain_locals(world)[g].part >= part)
            part = scree_grain_locals(world)[g].part + 1;
    if (part > UINT16_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a body carries at most %d grains", UINT16_MAX);
    SCREE_TRY(reserve(world, 1));
    struct scree_pebble pebble = {.radius = radius};
    memcpy(pebble.offset, offset, sizeof pebble.offset);
    scree_edit_body(world, SCREE_EDIT_POSITION, owner);
    const scree_status status = append(world, owner, &pebble, part, id);
    finish_adding(world, owner);
    return status;
}

scree_status scree_grain_reserve_records(struct scree_world *world)
{
    SCREE_TRY(scree_entity_extend(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_GRAIN,
                                  scree_grain_carried(world)));
    scree_world_update_owners(world);
    return SCREE_OK;
}

// Rows of a few bodies: `count` neighbouring ones of each from `first` on. After a sort all rows of a body
// are neighbours. A body with fewer rows than another writes its first one again.
struct rows {
    uint32_t slot[SCREE_KERNEL_WIDTH];
    size_t first[SCREE_KERNEL_WIDTH], count[SCREE_KERNEL_WIDTH], most;
};

// Finds the rows of `lanes` bodies from row `first` on; lanes that are left repeat the last body. Returns the
// row after them.
static inline size_t find_rows(const struct scree_world *world, size_t first, size_t last, size_t lanes,
                               struct rows *rows)
{
    size_t begin = first;
    rows->most = 0;
    for (size_t l = 0; l < lanes; ++l) {
        begin = first < last ? first : begin;
        rows->slot[l] = record_of(world, begin)->owner;
        while (first < last && record_of(world, first)->owner == rows->slot[l])
            ++first;
        rows->first[l] = begin;
        rows->count[l] = first - begin;
        rows->most = first - begin > rows->most ? first - begin : rows->most;
    }
    return first;
}

#define SCREE_KERNEL_BODY "world/grain.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

static void (*const sets[SCREE_KERNEL_SETS])(struct scree_grain_update *update, size_t first, size_t last) = {
    scree_kernel_update_v2,
#if SCREE_WIDE_SETS
    scree_kernel_update_v3,
    scree_kernel_update_v4,
#endif
};

void scree_grain_update_rows(struct scree_grain_update *update, size_t first, size_t last)
{
    sets[scree_processor_set()](update, first, last);
}

// Rows in order of bodies; those that follow each other in memory are written together.
void scree_grain_update_bodies(struct scree_grain_update *update, const struct scree_grain_owners *owners,
                               size_t first, size_t last)
{
    const uint32_t *row = owners->row;
    const size_t end = owners->first[last];
    for (size_t k = owners->first[first]; k < end;) {
        size_t next = k + 1;
        while (next < end && row[next] == row[next - 1] + 1)
            ++next;
        scree_grain_update_rows(update, row[k], row[next - 1] + 1);
        k = next;
    }
}

static void update_rows(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    scree_grain_update_rows((struct scree_grain_update *)context, first, last);
}

// The cell vectors at the time of the positions, and the mean motion since the last update.
static void set_flow(struct scree_grain_update *update, const struct scree_cell_lattice *lattice)
{
    const struct scree_mat3 before = scree_lattice_load(update->world->carried_vectors);
    update->skewed = true;
    update->flow = (struct scree_pebbles_flow){
        .cell = *lattice, .moved = scree_mat3_identity(), .middle = update->h != 0};
    if (update->moves)
        update->flow.moved = scree_mat3_product(lattice->vectors, scree_mat3_inverse(before));
}

void scree_grain_update_begin(struct scree_grain_update *update, struct scree_world *world, double h,
                              const struct scree_cell_lattice *after)
{
    const struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_GRAIN);
    *update = (struct scree_grain_update){.world = world, .h = h, .moves = !world->carried_stale};
    // the column of bodies may have been reallocated
    if (!update->moves ||
        (entity->count > 0 && entity->columns.data[SCREE_GRAIN_GRAIN].base != (char *)record_of(world, 0)))
        scree_world_update_owners(world);
    if (!scree_world_lattice(world))
        return;
    const struct scree_cell_lattice now = scree_cell_lattice_of(world);
    set_flow(update, after ? after : &now);
}

void scree_grain_update_end(struct scree_grain_update *update)
{
    struct scree_world *world = update->world;
    // the cell may have taken other vectors, so that records must be written again
    const bool moves = update->moves && !world->carried_stale;
    world->carried_displacement += moves ? sqrt(scree_real_from_bits(update->largest)) : 0;
    world->carried_rate = sqrt(scree_real_from_bits(update->largest_rate));
    if (update->skewed)
        scree_lattice_store(update->flow.cell.vectors, world->carried_vectors);
}

void scree_grain_update_records(struct scree_world *world, double h, const struct scree_team *team)
{
    static const struct scree_team alone = {1};
    struct scree_grain_update update;
    scree_grain_update_begin(&update, world, h, NULL);
    scree_team_run(team ? team : &alone, scree_grain_carried(world), UPDATE_PIECE, update_rows, &update);
    scree_grain_update_end(&update);
}

double scree_grain_shared(const struct scree_world *world, size_t grain)
{
    const size_t owner = scree_world_grains(world)[grain].owner;
    const struct scree_clump *clump = scree_grain_clump(world, owner);
    const struct scree_shape *shape = scree_polyhedron_of(world, owner);
    if (grain >= scree_world_bodies(world))
        return clump ? clump->shared : 0;
    if (!shape)
        return 0;
    const double ratio = shape->equal_radius / shape->reach;
    return 1 - (world->dimension == 2 ? ratio * ratio : ratio * ratio * ratio);
}

int64_t scree_grain_shape(const struct scree_world *world, size_t slot)
{
    const struct scree_clump *clump = scree_grain_clump(world, slot);
    const struct scree_shape *shape = scree_polyhedron_of(world, slot);
    if (clump)
        return (int64_t)clump->shape;
    return !shape ? 0 : shape->number > 0 ? -(int64_t)shape->number : SCREE_GRAIN_UNNAMED;
}

struct scree_grain *scree_grain_update_record(const struct scree_world *world, size_t row)
{
    // only read
    struct scree_grain_update update = {.world = (struct scree_world *)world};
    record_of(world, row)->owner = owner_of(world, &scree_grain_locals(world)[row]);
    if (scree_world_lattice(world)) {
        const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
        set_flow(&update, &lattice);
    }
    scree_grain_update_rows(&update, row, row + 1);
    return record_of(world, row);
}

double scree_grain_tangential_factor(const struct scree_world *world, size_t row)
{
    const struct scree_local_grain *local = &scree_grain_locals(world)[row];
    const uint32_t owner = owner_of(world, local);
    const double mass = scree_world_grains(world)[owner].mass,
                 *inertia = scree_world_rotors(world)[owner].inertia;
    const double *d = local->offset, square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (world->dimension == 2)
        return 1 + mass * (local->radius * local->radius + 0.5 * square) / inertia[2];
    double trace = 0, along = 0;
    for (int k = 0; k < 3; ++k) {
        trace += 1 / inertia[k];
        along += d[k] * d[k] / inertia[k];
    }
    return 1 + mass * ((square + local->radius * local->radius) * trace - along) / 3;
}

// --- grains sorted by body

void scree_grain_owners_free(struct scree_grain_owners *owners)
{
    scree_memory_free(owners->first);
    scree_memory_free(owners->row);
    *owners = (struct scree_grain_owners){0};
}

// Insertion sort: parts are unique within a body, and few are out of order.
static void sort_parts(const struct scree_local_grain *local, uint32_t *row, size_t count)
{
    for (size_t k = 1; k < count; ++k) {
        const uint32_t inserted = row[k];
        size_t position = k;
        for (; position > 0 && local[row[position - 1]].part > local[inserted].part; --position)
            row[position] = row[position - 1];
        row[position] = inserted;
    }
}

scree_status scree_grain_owners_make(const struct scree_world *world, struct scree_grain_owners *owners)
{
    const size_t bodies = scree_world_bodies(world), carried = scree_grain_carried(world);
    scree_grain_owners_free(owners);
    if (carried == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(bodies + 2, sizeof *owners->first, (void **)&owners->first));
    const scree_status status = scree_memory_new(carried, sizeof *owners->row, (void **)&owners->row);
    if (status != SCREE_OK) {
        scree_grain_owners_free(owners);
        return status;
    }
    uint32_t *next = owners->first + 1;
    for (size_t g = 0; g < carried; ++g)
        ++next[record_of(world, g)->owner + 1];
    for (size_t i = 0; i < bodies; ++i)
        next[i + 1] += next[i];
    for (size_t g = 0; g < carried; ++g)
        owners->row[next[record_of(world, g)->owner]++] = (uint32_t)g;
    for (size_t i = 0; i < bodies; ++i)
        sort_parts(scree_grain_locals(world), owners->row + owners->first[i],
                   owners->first[i + 1] - owners->first[i]);
    return SCREE_OK;
}

// Removes the grains of a clump, whose ids follow each other.
static void remove_grains(struct scree_entity *entity, const struct scree_clump *clump)
{
    scree_slot slot;
    for (uint64_t k = 0; k < clump->grains; ++k)
        if (scree_pool_find(&entity->pool, clump->first + k, &slot.index))
            scree_entity_remove(entity, slot);
}

void scree_grain_remove_carried(struct scree_world *world, scree_body_id body)
{
    struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_GRAIN);
    scree_slot owner;
    if (scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), body.value, &owner) == SCREE_OK &&
        scree_grain_clump(world, owner.index))
        remove_grains(entity, scree_grain_clump(world, owner.index));
    else
        for (size_t g = entity->count; g-- > 0;)
            if (scree_grain_locals(world)[g].body == body.value)
                scree_entity_remove(entity, (scree_slot){(uint32_t)g});
}

static void include(const struct scree_world *world, const struct scree_grain *grain, double lower[3],
                    double upper[3])
{
    if (scree_polyhedron_include(world, (size_t)(grain - scree_world_grains(world)), lower, upper))
        return;
    for (int k = 0; k < 3; ++k) {
        const double low = grain->position[k] - grain->radius, high = grain->position[k] + grain->radius;
        lower[k] = low < lower[k] ? low : lower[k];
        upper[k] = high > upper[k] ? high : upper[k];
    }
}

void scree_grain_bounds(const struct scree_world *world, size_t slot, double lower[3], double upper[3])
{
    const struct scree_clump *clump = scree_grain_clump(world, slot);
    for (int k = 0; k < 3; ++k) {
        lower[k] = (double)INFINITY;
        upper[k] = -(double)INFINITY;
    }
    if (!clump)
        include(world, &scree_world_grains(world)[slot], lower, upper);
    for (uint64_t p = 0; clump && p < clump->grains; ++p) {
        uint32_t row;
        if (scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool, clump->first + p, &row))
            include(world, scree_grain_update_record(world, row), lower, upper);
    }
}

scree_status scree_grain_list(const struct scree_world *world, bool polyhedra, uint32_t **number,
                              size_t *count)
{
    const size_t grains = scree_grain_count(world);
    uint64_t *key;
    uint32_t *all = NULL, *order = NULL;
    *number = NULL;
    *count = 0;
    SCREE_TRY(scree_memory_new(grains, sizeof *key, (void **)&key));
    scree_status status = scree_memory_new(grains, sizeof *all, (void **)&all);
    if (status == SCREE_OK)
        status = scree_memory_new(grains, sizeof *order, (void **)&order);
    for (size_t g = 0; g < grains && status == SCREE_OK; ++g) {
        const struct scree_grain *grain = &scree_world_grains(world)[g];
        if (!(grain->radius > 0) || ((grain->flags & SCREE_FLAG_SHAPED) != 0) != polyhedra)
            continue;
        // bodies have fewer than 2^47 ids and 2^16 parts
        key[*count] = scree_world_ids(world)[grain->owner] << 16 | grain->part;
        all[(*count)++] = (uint32_t)g;
    }
    if (status == SCREE_OK)
        status = scree_sort_order(key, *count, order);
    for (size_t n = 0; n < *count && status == SCREE_OK; ++n)
        order[n] = all[order[n]];
    scree_memory_free(all);
    scree_memory_free(key);
    if (status == SCREE_OK)
        *number = order;
    else
        scree_memory_free(order);
    return status;
}
