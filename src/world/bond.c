// Rows of bonds, see bond.h.

#include "world/bond.h"

#include "base/sort.h"
#include "math/quat.h"
#include "world/grain.h"
#include "world/wall.h"

#include <assert.h>
#include <math.h>

// Start of the chain of a body.
static uint64_t *chain_of(const struct scree_world *world, uint64_t body)
{
    struct scree_body_bonds *bonds =
        (struct scree_body_bonds *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_BONDS);
    uint32_t slot;
    if (!bonds || !scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, body, &slot))
        return NULL;
    return &bonds[slot].last;
}

uint64_t scree_bond_last_of(const struct scree_world *world, scree_slot body)
{
    const struct scree_body_bonds *bonds =
        (const struct scree_body_bonds *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_BONDS);
    return bonds ? bonds[body.index].last : 0;
}

void scree_bond_link(struct scree_world *world, uint32_t row)
{
    struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    for (int s = 0; s < 2 && sides->body[s] > 0; ++s) {
        uint64_t *last = chain_of(world, sides->body[s]);
        if (!last)
            continue;
        sides->next[s] = *last;
        *last = scree_bond_ids(world)[row];
    }
}

static void unlink_from(struct scree_world *world, uint64_t id, uint64_t body, uint64_t next)
{
    uint64_t *link = chain_of(world, body);
    uint32_t row;
    while (link && *link != id && scree_bond_row_of(world, *link, &row)) {
        struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
        link = &sides->next[sides->body[0] == body ? 0 : 1];
    }
    if (link && *link == id)
        *link = next;
}

scree_status scree_bond_relink(struct scree_world *world)
{
    const size_t rows = scree_bond_rows(world);
    uint32_t *order;
    if (rows == 0)
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_BONDS));
    if (scree_world_bodies(world) > 0)
        memset(scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_BONDS), 0,
               scree_world_bodies(world) * sizeof(struct scree_body_bonds));
    SCREE_TRY(scree_memory_new(rows, sizeof *order, (void **)&order));
    const scree_status status = scree_sort_order(scree_bond_ids(world), rows, order);
    for (size_t k = 0; k < rows && status == SCREE_OK; ++k)
        scree_bond_link(world, order[k]);
    scree_memory_free(order);
    return status;
}

void scree_bond_uncover(struct scree_world *world, uint32_t row)
{
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    if (!sides->excludes)
        return;
    assert(world->uncovered.count < world->uncovered.capacity);
    world->uncovered.data[world->uncovered.count++] =
        (struct scree_uncovered){.bond = scree_bond_ids(world)[row],
                                 .body = {sides->body[0], sides->body[1]},
                                 .wall = sides->wall,
                                 .part = {sides->part[0], sides->part[1]}};
}

void scree_bond_remove_row(struct scree_world *world, uint32_t row)
{
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    for (int s = 0; s < 2 && sides->body[s] > 0; ++s)
        unlink_from(world, scree_bond_ids(world)[row], sides->body[s], sides->next[s]);
    if (scree_bond_damages(world) && scree_bond_damages(world)[row].lost != 0)
        scree_total_add(&scree_world_clock(world)->released, scree_bond_damages(world)[row].lost);
    scree_entity_remove(scree_world_entity(world, SCREE_ENTITY_BOND), (scree_slot){row});
}

void scree_bond_remove_of_body(struct scree_world *world, scree_slot body)
{
    uint32_t row;
    while (scree_bond_row_of(world, scree_bond_last_of(world, body), &row))
        scree_bond_remove_row(world, row);
}

// Backwards, because the last row takes the place of a removed one.
void scree_bond_remove_of_wall(struct scree_world *world, uint64_t wall)
{
    for (size_t row = scree_bond_rows(world); row-- > 0;)
        if (scree_bond_sides(world)[row].wall == wall)
            scree_bond_remove_row(world, (uint32_t)row);
}

// --- sides

struct scree_grain *scree_bond_grain(const struct scree_world *world, const struct scree_bond_sides *sides,
                                     int side)
{
    uint32_t slot;
    if (sides->carried[side] > 0)
        return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool, sides->carried[side],
                               &slot)
                   ? scree_grain_update_record(world, slot)
                   : NULL;
    return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, sides->body[side], &slot)
               ? &scree_world_grains(world)[slot]
               : NULL;
}

struct scree_vec3 scree_bond_wall_point(const struct scree_wall *wall, const struct scree_bond_anchor *anchor)
{
    return scree_vec3_add(
        scree_vec3_load(wall->reference),
        scree_quat_rotate(scree_quat_load(wall->orientation), scree_vec3_load(anchor->offset)));
}

// Vector between the centres of the sides, without regard to periodic images. Returns false if a side does
// not exist.
static bool vector_of(const struct scree_world *world, uint32_t row, double vector[3])
{
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    const struct scree_grain *first = scree_bond_grain(world, sides, 0), *second = NULL;
    struct scree_vec3 end = {0, 0, 0};
    uint32_t slot;
    if (sides->wall > 0) {
        if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, sides->wall, &slot))
            return false;
        end = scree_bond_wall_point(scree_wall_row(world, slot), &scree_bond_anchors(world)[row]);
    } else {
        second = scree_bond_grain(world, sides, 1);
        end = second ? scree_vec3_load(second->position) : end;
    }
    if (!first || (sides->wall == 0 && !second))
        return false;
    scree_vec3_store(scree_vec3_sub(end, scree_vec3_load(first->position)), vector);
    return true;
}

static scree_status check_cell(const struct scree_world *world, uint32_t row, const struct scree_cell *cell)
{
    const double *before = scree_world_cell(world)->period, *after = cell->period;
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    double vector[3];
    if (sides->broken || !vector_of(world, row, vector))
        return SCREE_OK;
    for (int k = 0; k < 3; ++k) {
        const double image = before[k] > 0 ? floor(vector[k] / before[k] + 0.5) : 0;
        if (image != 0 && !(after[k] > 0))
            return scree_status_fail(SCREE_ERROR_STATE,
                                     "bond %llu of body %llu connects sides across the periodic faces along "
                                     "%c, so the cell must stay periodic there; remove the bond first",
                                     (unsigned long long)scree_bond_ids(world)[row],
                                     (unsigned long long)sides->body[0], 'x' + k);
        vector[k] -= image * after[k];
    }
    const double length = scree_vec3_norm(scree_vec3_load(vector));
    for (int k = 0; k < 3; ++k)
        if (after[k] > 0 && !(after[k] > 2 * length))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a periodic cell must be wider than two bonds: the new cell has a width "
                                     "of %g m along %c, bond %llu of body %llu a length of %g m in it",
                                     after[k], 'x' + k, (unsigned long long)scree_bond_ids(world)[row],
                                     (unsigned long long)sides->body[0], length);
    return SCREE_OK;
}

static struct scree_vec3 nearest(struct scree_mat3 vectors, unsigned open, struct scree_vec3 vector)
{
    const struct scree_vec3 s = scree_mat3_apply(scree_lattice_inverse(vectors, open), vector),
                            n = scree_vec3_make(floor(s.x + 0.5), floor(s.y + 0.5), floor(s.z + 0.5));
    return scree_vec3_sub(vector, scree_mat3_apply(vectors, n));
}

// The nearest image of a vector in the present cell.
static struct scree_vec3 nearest_now(const struct scree_world *world, struct scree_vec3 vector)
{
    const double *period = scree_world_cell(world)->period;
    if (scree_world_lattice(world))
        return nearest(scree_lattice_load(scree_world_lattice(world)->vectors), scree_world_open_axes(world),
                       vector);
    double v[3];
    scree_vec3_store(vector, v);
    for (int k = 0; k < 3; ++k)
        v[k] -= period[k] > 0 ? floor(v[k] / period[k] + 0.5) * period[k] : 0;
    return scree_vec3_load(v);
}

static scree_status check_vectors(const struct scree_world *world, uint32_t row, struct scree_mat3 vectors,
                                  unsigned open, double width)
{
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    double vector[3];
    if (sides->broken || !vector_of(world, row, vector))
        return SCREE_OK;
    const struct scree_vec3 before = nearest_now(world, scree_vec3_load(vector)),
                            after = nearest(vectors, open, scree_vec3_load(vector));
    const double length = scree_vec3_norm(before);
    // up to the round-off of positions in the cell
    if (!(scree_vec3_norm(scree_vec3_sub(after, before)) <= 1e-6 * length))
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "bond %llu of body %llu connects sides across faces of the cell, and with "
                                 "these cell vectors it would connect other images; remove the bond first",
                                 (unsigned long long)scree_bond_ids(world)[row],
                                 (unsigned long long)sides->body[0]);
    if (!(width > 2 * length))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a periodic cell must be wider than two bonds: two faces of the new cell are "
            "%g m apart, bond %llu of body %llu has a length of %g m",
            width, (unsigned long long)scree_bond_ids(world)[row], (unsigned long long)sides->body[0],
            length);
    return SCREE_OK;
}

scree_status scree_bond_check_vectors(const struct scree_world *world, struct scree_mat3 vectors,
                                      unsigned open)
{
    int64_t change[3][3];
    double width[3], narrowest = (double)INFINITY;
    // a long cell takes shorter vectors
    if (scree_lattice_reduce(vectors, world->dimension, open, change))
        vectors = scree_lattice_change(vectors, (const int64_t(*)[3])change);
    scree_vec3_store(scree_lattice_widths(scree_lattice_inverse(vectors, open)), width);
    for (int k = 0; k < world->dimension; ++k)
        narrowest = width[k] < narrowest ? width[k] : narrowest;
    for (uint32_t row = 0; row < scree_bond_rows(world); ++row)
        SCREE_TRY(check_vectors(world, row, vectors, open, narrowest));
    return SCREE_OK;
}

scree_status scree_bond_check_cell(const struct scree_world *world, const struct scree_cell *cell)
{
    for (uint32_t row = 0; row < scree_bond_rows(world); ++row)
        SCREE_TRY(check_cell(world, row, cell));
    return SCREE_OK;
}
