// Contacts with walls, see wall_contacts.h.

#include "engine/wall_contacts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "engine/collider.h"
#include "shape/surface.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

typedef SCREE_ARRAY(struct scree_pair) pair_list;

static uint8_t class_of(const struct scree_law_classes *classes, const struct scree_grain *grain,
                        const struct scree_wall *wall)
{
    return grain->radius > 0 ? scree_law_class_of(classes, grain->material, wall->material)
                             : (uint8_t)SCREE_CONTACTS_NO_CLASS;
}

// Where a grain is, and where it would be found if it left the periodic cell before the next search: what it
// meets there is as new to it as to one that is put elsewhere. Returns how many these are.
static size_t list_places(const struct scree_cell *cell, const struct scree_grain *grain, double margin,
                          double place[27][3])
{
    size_t count = 1;
    memcpy(place[0], grain->position, sizeof place[0]);
    for (int k = 0; k < 3; ++k) {
        const double x = grain->position[k], period = cell->period[k];
        const size_t before = count;
        for (int side = -1; side <= 1 && period > 0; side += 2) {
            const double left = side > 0 ? x - cell->lower[k] : cell->lower[k] + period - x;
            for (size_t p = 0; p < before && left <= margin; ++p, ++count) {
                memcpy(place[count], place[p], sizeof place[0]);
                place[count][k] += side * period;
            }
        }
    }
    return count;
}

static bool is_near(const struct scree_wall *wall, uint32_t feature, double (*place)[3], size_t places,
                    double reach)
{
    for (size_t p = 0; p < places; ++p)
        if (scree_surface_near(wall, feature, place[p], reach))
            return true;
    return false;
}

static scree_status find(const struct scree_world *world, const struct scree_law_classes *classes,
                         double margin, size_t *first, pair_list *found)
{
    const size_t bodies = scree_world_bodies(world), walls = scree_wall_rows(world);
    double place[27][3];
    for (size_t i = 0; i < bodies; ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        if (i % SCREE_CONTACTS_TILE == 0)
            first[i / SCREE_CONTACTS_TILE] = found->count;
        const size_t places = walls > 0 ? list_places(scree_world_cell(world), grain, margin, place) : 0;
        for (size_t w = 0; w < walls; ++w) {
            const struct scree_wall *wall = scree_wall_row(world, w);
            if (class_of(classes, grain, wall) == SCREE_CONTACTS_NO_CLASS)
                continue;
            for (uint32_t f = 0; f < scree_surface_features(wall); ++f)
                if (is_near(wall, f, place, places, grain->radius + margin))
                    SCREE_TRY(scree_array_push(
                        found, ((struct scree_pair){(uint32_t)i, scree_contacts_wall((uint32_t)w, f)})));
        }
    }
    first[world->contacts.tiles] = found->count;
    return SCREE_OK;
}

static int compare_keys(const uint64_t a[2], const uint64_t b[2])
{
    const int grain = (a[0] > b[0]) - (a[0] < b[0]);
    return grain ? grain : (a[1] > b[1]) - (a[1] < b[1]);
}

// Where the old contacts stand, by key.
static scree_status order_old(const struct scree_wall_contacts *old, uint32_t **order)
{
    uint64_t *key;
    uint32_t *by_wall = NULL, *by_grain = NULL;
    SCREE_TRY(scree_memory_new(old->count, sizeof *key, (void **)&key));
    scree_status status = scree_memory_new(old->count, sizeof *by_wall, (void **)&by_wall);
    if (status == SCREE_OK)
        status = scree_memory_new(old->count, sizeof *by_grain, (void **)&by_grain);
    // a stable sort by the lesser key and then by the greater
    for (size_t k = 0; k < old->count && status == SCREE_OK; ++k)
        key[k] = old->key[k][1];
    if (status == SCREE_OK)
        status = scree_sort_order(key, old->count, by_wall);
    for (size_t k = 0; k < old->count && status == SCREE_OK; ++k)
        key[k] = old->key[by_wall[k]][0];
    if (status == SCREE_OK)
        status = scree_sort_order(key, old->count, by_grain);
    for (size_t k = 0; k < old->count && status == SCREE_OK; ++k)
        by_grain[k] = by_wall[by_grain[k]];
    scree_memory_free(key);
    scree_memory_free(by_wall);
    if (status != SCREE_OK)
        scree_memory_free(by_grain);
    else
        *order = by_grain;
    return status;
}

static size_t look_up(const struct scree_wall_contacts *old, const uint32_t *order, const uint64_t key[2])
{
    size_t low = 0, high = old->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (compare_keys(old->key[order[middle]], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < old->count && compare_keys(old->key[order[low]], key) == 0 ? order[low] : SIZE_MAX;
}

static scree_status allocate(struct scree_wall_contacts *walls, const struct scree_law_classes *classes,
                             size_t tiles, size_t stride)
{
    SCREE_TRY(scree_memory_new(classes->count, sizeof *walls->keeper, (void **)&walls->keeper));
    if (classes->count > 0)
        memcpy(walls->keeper, classes->keeper, classes->count * sizeof *walls->keeper);
    SCREE_TRY(scree_memory_new(tiles + 1, sizeof *walls->first, (void **)&walls->first));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->pair, (void **)&walls->pair));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->key, (void **)&walls->key));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->sort, (void **)&walls->sort));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->live, (void **)&walls->live));
    return scree_memory_new(walls->count * stride, sizeof(double), (void **)&walls->history);
}

static void free_lists(struct scree_wall_contacts *walls)
{
    void *const blocks[] = {walls->first, walls->pair,   walls->key,    walls->sort,
                            walls->live,  walls->keeper, walls->history};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
}

// Names what was found, and brings over what the old contacts remember of the laws they have now.
static void carry_over(const struct scree_world *world, const struct scree_law_classes *classes,
                       const uint32_t *order, size_t stride, struct scree_wall_contacts *walls)
{
    const struct scree_wall_contacts *old = &world->contacts.walls;
    const size_t both = old->stride < stride ? old->stride : stride;
    const uint64_t *wall_id = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL));
    for (size_t k = 0; k < walls->count; ++k) {
        const struct scree_pair pair = walls->pair[k];
        walls->key[k][0] = scree_world_ids(world)[pair.low];
        walls->key[k][1] = wall_id[pair.high >> 3] << 3 | (pair.high & 7);
        walls->sort[k] =
            class_of(classes, &scree_world_grains(world)[pair.low], scree_wall_row(world, pair.high >> 3));
        const size_t was = look_up(old, order, walls->key[k]);
        if (was == SIZE_MAX || !old->live[was])
            continue;
        walls->live[k] = 1;
        const size_t kept =
            scree_contacts_kept(&old->keeper[old->sort[was]], &walls->keeper[walls->sort[k]], both);
        if (kept > 0)
            memcpy(&walls->history[k * stride], &old->history[was * old->stride], kept * sizeof(double));
    }
}

scree_status scree_wall_contacts_build(struct scree_world *world, const struct scree_law_classes *classes,
                                       size_t stride, double margin)
{
    struct scree_contacts *contacts = &world->contacts;
    struct scree_wall_contacts walls = {.stride = stride};
    size_t *first;
    pair_list found = {0};
    uint32_t *order = NULL;
    SCREE_TRY(scree_memory_new(contacts->tiles + 1, sizeof *first, (void **)&first));
    scree_status status = find(world, classes, margin, first, &found);
    walls.count = found.count;
    if (status == SCREE_OK)
        status = order_old(&contacts->walls, &order);
    if (status == SCREE_OK)
        status = allocate(&walls, classes, contacts->tiles, stride);
    if (status == SCREE_OK) {
        memcpy(walls.first, first, (contacts->tiles + 1) * sizeof *first);
        if (found.count > 0)
            memcpy(walls.pair, found.data, found.count * sizeof *found.data);
        carry_over(world, classes, order, stride, &walls);
        free_lists(&contacts->walls);
        contacts->walls = walls;
    } else {
        free_lists(&walls);
    }
    scree_memory_free(order);
    scree_memory_free(first);
    scree_array_free(&found);
    return status;
}

// What a grain meets of a wall now, and half a step ago in the frame of the wall's matter.
static double meet(const struct scree_wall *wall, unsigned feature, const struct scree_grain *grain, double h,
                   struct scree_kernel_wall *out)
{
    struct scree_surface_touch touch, back;
    scree_surface_touch(wall, feature, grain->position, &touch);
    out->gap = touch.gap;
    memcpy(out->normal, touch.normal, sizeof out->normal);
    memcpy(out->spin, wall->spin, sizeof out->spin);
    scree_vec3_store(scree_wall_velocity(wall, scree_vec3_load(touch.point)), out->velocity);
    const struct scree_vec3 matter = scree_wall_velocity(wall, scree_vec3_load(grain->position));
    const struct scree_vec3 moving = scree_vec3_sub(scree_vec3_load(grain->velocity), matter);
    double place[3];
    scree_vec3_store(scree_vec3_add_scaled(scree_vec3_load(grain->position), -0.5 * h, moving), place);
    scree_surface_touch(wall, feature, place, &back);
    out->half_gap = back.gap;
    const struct scree_vec3 normal = scree_vec3_load(back.normal);
    const struct scree_vec3 turned =
        scree_vec3_add_scaled(normal, -0.5 * h, scree_vec3_cross(scree_vec3_load(wall->spin), normal));
    scree_vec3_store(scree_vec3_scale(turned, 1 / sqrt(scree_vec3_dot(turned, turned))), out->middle);
    return touch.gap;
}

// What the candidates of a list give their grains.
static void add_terms(struct scree_collider *collider, const uint32_t *candidate, size_t count)
{
    const struct scree_pair *pair = collider->world->contacts.walls.pair;
    for (size_t n = 0; n < count; ++n) {
        const uint32_t slot = pair[candidate[n]].low;
        const double *terms = &collider->wall_push[SCREE_KERNEL_PUSH * (size_t)candidate[n]];
        if (collider->measures)
            scree_sums_measure_one(&collider->sums, slot, terms);
        if (!collider->tries)
            scree_sums_add(&collider->sums, &scree_world_grains(collider->world)[slot], slot, terms);
    }
}

void scree_wall_contacts_walk(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                              size_t tile)
{
    struct scree_world *world = collider->world;
    struct scree_wall_contacts *walls = &world->contacts.walls;
    size_t count = 0;
    for (size_t k = walls->first[tile]; k < walls->first[tile + 1]; ++k) {
        const struct scree_grain *grain = &scree_world_grains(world)[walls->pair[k].low];
        const uint32_t high = walls->pair[k].high;
        const double gap =
            meet(scree_wall_row(world, high >> 3), high & 7, grain, collider->step, &collider->wall[k]);
        bool near = gap < (grain->radius + collider->search.reach) * (1 + 1e-12);
        if (!near && walls->live[k] && walls->stride > 0 &&
            scree_contacts_has_to_end(&walls->history[k * walls->stride], walls->stride,
                                      (grain->flags & SCREE_FLAG_OPENED) != 0)) {
            near = true;
            scratch->ended[scratch->ends++] = (uint32_t)k;
        }
        if (near) {
            scratch->candidate[count++] = (uint32_t)k;
        }
        walls->live[k] = near;
        if (count == SCREE_NEAR_CHUNK || k + 1 == walls->first[tile + 1]) {
            struct scree_kernel_job job = scree_collider_job(collider, scratch);
            job.push = collider->wall_push;
            job.pair = walls->pair;
            job.wall = collider->wall;
            job.history = walls->history;
            scree_collider_run(collider, scratch, &job, walls->sort, count, SCREE_KERNEL_WALL);
            scree_collider_forget(collider, scratch, walls->history, walls->stride);
            add_terms(collider, scratch->candidate, count);
            count = 0;
        }
    }
}

bool scree_wall_contacts_push(const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        for (int k = 0; k < 3; ++k)
            if (scree_wall_row(world, w)->velocity[k] != 0 || scree_wall_row(world, w)->spin[k] != 0)
                return true;
    return false;
}

void scree_wall_contacts_work(const struct scree_collider *collider, size_t tile, size_t first, size_t last)
{
    const struct scree_wall_contacts *walls = &collider->world->contacts.walls;
    for (size_t k = walls->first[tile]; k < walls->first[tile + 1]; ++k) {
        const uint32_t slot = walls->pair[k].low;
        const double *push = collider->wall_push + k * SCREE_KERNEL_PUSH;
        const struct scree_kernel_wall *wall = &collider->wall[k];
        if (slot < first || slot >= last || !walls->live[k])
            continue;
        double power = 0;
        for (int i = 0; i < 3; ++i)
            power += push[i] * wall->velocity[i];
        for (int i = 0; i < 3 && collider->sums.inner; ++i)
            power += push[SCREE_KERNEL_COUPLE + i] * wall->spin[i];
        scree_world_wrenches(collider->world)[slot].work += collider->step * power;
    }
}
