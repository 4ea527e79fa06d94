// Contacts with walls, see wall_contacts.h.

#include "contact/wall_contacts.h"

#include "contact/collider.h"
#include "contact/mesh_contacts.h"
#include "contact/rough_contacts.h"
#include "contact/wall_frames.h"
#include "mesh/surface.h"
#include "world/wall.h"
#include "world/wall_body.h"
#include "world/wall_rough.h"

#include <string.h>

// The wall contacts of a tile, numbered from its first.
struct tile {
    struct scree_pair *pair;
    const uint32_t *feature;
    uint8_t *class_of, *live;
    const uint32_t *order;
    double *history, *rough;
    size_t stride, count;
};

static struct tile tile_of(const struct scree_collider *collider, size_t number)
{
    const struct scree_wall_contacts *walls = &collider->world->contacts.walls;
    const size_t first = walls->first[number], count = walls->first[number + 1] - first;
    struct tile tile = {.stride = walls->stride, .count = count};
    if (count == 0)
        return tile;
    tile.pair = walls->pair + first;
    tile.feature = walls->feature + first;
    tile.class_of = walls->class_of + first;
    tile.live = walls->live + first;
    tile.order = walls->order + first;
    tile.history = walls->stride > 0 ? walls->history + first * walls->stride : NULL;
    tile.rough = scree_contacts_rough(walls, first);
    return tile;
}

static size_t fill_up(uint32_t *list, size_t count)
{
    for (; count % SCREE_KERNEL_WIDTH != 0; ++count)
        list[count] = list[count - 1];
    return count;
}

// Values of `live` of a contact that ends or begins in this step, until its terms are added.
enum { ENDS = 2, BEGINS = 3 };

// Updates whether a contact is live, and lists it if it ends. Returns true if it is in range or ends.
static bool update_live(struct scree_collider_scratch *scratch, const struct tile *tile, uint32_t k,
                        bool in_range, uint32_t flags)
{
    double *history = tile->history ? tile->history + k * tile->stride : NULL;
    const bool ends = !in_range && tile->live[k] && scree_contacts_must_end(history, tile->stride, flags);
    if (ends)
        scratch->ended[scratch->ended_count++] = k;
    const bool begins = in_range && (tile->live[k] == 0 || tile->live[k] == BEGINS);
    tile->live[k] = ends ? ENDS : begins ? BEGINS : in_range;
    return in_range || ends;
}

// Lists the contacts that are in range or end, of `count` contacts with one feature, and compacts the slots
// of their grains in place. Returns the number listed.
static size_t filter(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                     const struct tile *tile, const uint32_t *contact, size_t count, const uint8_t *bits,
                     uint32_t *slot, uint32_t *out)
{
    const struct scree_grain *grain = scree_world_grains(collider->world);
    const uint32_t wall = tile->pair[contact[0]].high;
    const bool is_joined = scree_joined_walls_has(&collider->joined, wall);
    size_t listed = 0;
    for (size_t n = 0; n < count; ++n) {
        const uint32_t k = contact[n], i = slot[n];
        bool in_range = bits[n / 8] >> (n % 8) & 1;
        if (in_range && is_joined)
            in_range = !scree_joined_walls_drop(&collider->joined, collider->world, wall, grain[i].position);
        slot[listed] = i;
        out[listed] = k;
        listed += update_live(scratch, tile, k, in_range, grain[i].flags);
    }
    return listed;
}

// The contact point at mid-step, moved on with the reference point of the wall, to which arms are measured.
static struct scree_vec3 half_point_of(const struct scree_wall *wall, const struct scree_grain *grain,
                                       double h, const struct scree_kernel_wall *at)
{
    const struct scree_vec3 reference = scree_wall_velocity(wall, scree_vec3_load(wall->reference));
    const struct scree_vec3 back = scree_vec3_sub(scree_vec3_load(grain->velocity), reference);
    const struct scree_vec3 centre = scree_vec3_add_scaled(scree_vec3_load(grain->position), -0.5 * h, back);
    return scree_vec3_add_scaled(centre, -at->half_gap, scree_vec3_load(at->half_normal));
}

// Adds the motion of the surface along itself.
static void add_surface_motion(const struct scree_collider *collider, const struct scree_wall *wall,
                               const uint32_t *slot, size_t count, struct scree_kernel_wall *frame,
                               const uint32_t *record)
{
    const struct scree_world *world = collider->world;
    const double h = collider->step;
    for (size_t n = 0; n < count; ++n) {
        const struct scree_grain *grain = &scree_world_grains(world)[slot[n]];
        struct scree_kernel_wall *at = &frame[record[n]];
        const struct scree_vec3 normal = scree_vec3_load(at->normal);
        const struct scree_vec3 point =
            scree_vec3_add_scaled(scree_vec3_load(grain->position), -at->gap, normal);
        const struct scree_vec3 half_point = half_point_of(wall, grain, h, at);
        struct scree_wall_touch_motion middle, end;
        scree_wall_motion_mid_step(world, wall, h, half_point, scree_vec3_load(at->half_normal), &middle);
        scree_wall_motion_on_step(world, wall, point, normal, &end);
        // the frame has the velocity of the wall itself at mid-step
        const struct scree_vec3 along =
                                    scree_vec3_sub(middle.velocity, scree_wall_velocity(wall, half_point)),
                                half = scree_vec3_add(scree_vec3_load(at->velocity), along),
                                change = scree_vec3_sub(end.velocity, half);
        scree_vec3_store(half, at->velocity);
        scree_vec3_store(middle.spin, at->spin);
        at->change[0] = (float)change.x;
        at->change[1] = (float)change.y;
        at->change[2] = (float)change.z;
    }
}

// Sets how easily contacts move the wall, if it moves with a body.
static void set_mobility(const struct scree_collider *collider, uint32_t wall, const uint32_t *slot,
                         size_t count, struct scree_kernel_wall *frame, const uint32_t *record)
{
    const struct scree_wall_mobility *mobility = scree_wall_bodies_mobility(&collider->wall_bodies, wall);
    for (size_t n = 0; n < count && mobility; ++n) {
        const struct scree_grain *grain = &scree_world_grains(collider->world)[slot[n]];
        struct scree_kernel_wall *at = &frame[record[n]];
        const struct scree_vec3 normal = scree_vec3_load(at->normal);
        const struct scree_vec3 point =
            scree_vec3_add_scaled(scree_vec3_load(grain->position), -at->gap, normal);
        at->mobility = (float)scree_wall_mobility_at(mobility, point, normal, grain);
    }
}

// Takes the next contacts of one grain with a mesh, lists those in range and computes their geometry. Returns
// the number listed.
static size_t list_mesh(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                        const struct tile *tile, size_t *at, uint32_t *out)
{
    const uint32_t *contact = tile->order + *at;
    const struct scree_pair pair = tile->pair[contact[0]];
    size_t count = 0, listed = 0;
    while (*at + count < tile->count && tile->pair[contact[count]].low == pair.low &&
           tile->pair[contact[count]].high == pair.high)
        ++count;
    *at += count;
    const struct scree_grain *grain = scree_world_grains(collider->world);
    const struct scree_mesh_contacts_job job = {.wall = scree_wall_row(collider->world, pair.high),
                                                .grain = &grain[pair.low],
                                                .contact = contact,
                                                .count = count,
                                                .facet = tile->feature,
                                                .range = collider->search.range,
                                                .step = collider->step,
                                                .live = tile->live,
                                                .history = tile->history,
                                                .stride = tile->stride};
    scree_mesh_contacts_select(&job, scratch->region);
    scree_mesh_contacts_hand_on(&job, scratch->region);
    for (size_t n = 0; n < count; ++n) {
        const uint32_t k = contact[n];
        const bool in_range = scratch->region[k] != SCREE_MESH_NO_CONTACT;
        if (!update_live(scratch, tile, k, in_range, job.grain->flags))
            continue;
        const int region = in_range ? scratch->region[k] : scree_mesh_contacts_region_left(&job, k);
        scree_mesh_contacts_frame(&job, tile->feature[k], region, &scratch->wall[k]);
        if (scree_wall_has_surface_motion(job.wall))
            add_surface_motion(collider, job.wall, &pair.low, 1, scratch->wall, &k);
        set_mobility(collider, pair.high, &pair.low, 1, scratch->wall, &k);
        out[listed++] = k;
    }
    return listed;
}

// As below, with a rough wall: each contact is one with its virtual wall.
static size_t list_rough(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                         const struct tile *tile, size_t *at, size_t end, uint32_t *out)
{
    const struct scree_world *world = collider->world;
    const struct scree_grain *grain = scree_world_grains(world);
    const uint32_t number = tile->pair[tile->order[*at]].high, feature = tile->feature[tile->order[*at]];
    const struct scree_wall *wall = scree_wall_row(world, number);
    size_t listed = 0;
    for (; *at < end; ++*at) {
        const uint32_t k = tile->order[*at], i = tile->pair[k].low;
        if (tile->pair[k].high != number || tile->feature[k] != feature)
            break;
        const struct scree_rough_contacts_job job = {
            .world = world,
            .wall = number,
            .feature = feature,
            .grain = &grain[i],
            .body = world->contacts.id[i],
            .step = collider->step,
            .live = tile->live[k],
            .dropped = scree_joined_walls_has(&collider->joined, number) &&
                       scree_joined_walls_drop(&collider->joined, world, number, grain[i].position)};
        double *rough = tile->rough + SCREE_CONTACTS_ROUGH * k, gap;
        // its history may have gone on at a wall that joins this one
        if (!tile->live[k])
            memset(rough, 0, SCREE_CONTACTS_ROUGH * sizeof *rough);
        const bool has = collider->measure_only ? scree_rough_contacts_gap(&job, rough, &gap)
                                                : scree_rough_contacts_update(&job, rough, &gap);
        const bool in_range = has && gap < collider->search.range;
        if (!update_live(scratch, tile, k, in_range, grain[i].flags)) {
            memset(rough, 0, SCREE_CONTACTS_ROUGH * sizeof *rough);
            continue;
        }
        const struct scree_wall plane = has ? scree_rough_contacts_plane(wall, rough) : *wall;
        uint32_t slot[SCREE_KERNEL_WIDTH] = {i}, record[SCREE_KERNEL_WIDTH] = {k};
        const struct scree_wall_frames_job frames = {.wall = &plane,
                                                     .feature = has ? 0 : feature,
                                                     .grain = grain,
                                                     .slot = slot,
                                                     .count = fill_up(slot, 1)};
        fill_up(record, 1);
        scree_wall_frames_make(&frames, collider->step, scratch->wall, record);
        if (scree_wall_has_surface_motion(wall))
            add_surface_motion(collider, wall, &i, 1, scratch->wall, &k);
        if (!in_range)
            memset(rough, 0, SCREE_CONTACTS_ROUGH * sizeof *rough);
        out[listed++] = k;
    }
    return listed;
}

// Takes the next contacts with one feature, up to `end` in the tile's order, lists those in range and
// computes their geometry. Returns the number listed.
static size_t list_feature(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                           const struct tile *tile, size_t *at, size_t end, uint32_t *out)
{
    const uint32_t *contact = tile->order + *at;
    const uint32_t wall = tile->pair[contact[0]].high, feature = tile->feature[contact[0]];
    uint32_t *slot = scratch->sorted;
    uint8_t bits[SCREE_PAIR_FILTER_CHUNK / 8];
    size_t count = 0;
    for (;
         *at < end && tile->pair[tile->order[*at]].high == wall && tile->feature[tile->order[*at]] == feature;
         ++*at)
        slot[count++] = tile->pair[tile->order[*at]].low;
    struct scree_wall_frames_job job = {.wall = scree_wall_row(collider->world, wall),
                                        .feature = feature,
                                        .grain = scree_world_grains(collider->world),
                                        .slot = slot,
                                        .count = fill_up(slot, count)};
    scree_wall_frames_filter(&job, collider->search.range, bits);
    const size_t listed = filter(collider, scratch, tile, contact, count, bits, slot, out);
    job.count = fill_up(slot, listed);
    fill_up(out, listed);
    scree_wall_frames_make(&job, collider->step, scratch->wall, out);
    if (scree_wall_has_surface_motion(job.wall))
        add_surface_motion(collider, job.wall, slot, listed, scratch->wall, out);
    set_mobility(collider, wall, slot, listed, scratch->wall, out);
    return listed;
}

static bool is_mesh(const struct scree_collider *collider, uint32_t wall)
{
    return scree_wall_row(collider->world, wall)->shape == SCREE_WALL_MESH;
}

static size_t list_next(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                        const struct tile *tile, size_t *at, size_t end, uint32_t *out)
{
    const uint32_t wall = tile->pair[tile->order[*at]].high;
    if (is_mesh(collider, wall))
        return list_mesh(collider, scratch, tile, at, out);
    if (tile->rough && scree_wall_rough(collider->world, wall))
        return list_rough(collider, scratch, tile, at, end, out);
    return list_feature(collider, scratch, tile, at, end, out);
}

static void hand_on(const struct scree_collider *collider, const struct tile *tile)
{
    const struct scree_joined_walls_job job = {.world = collider->world,
                                               .pair = tile->pair,
                                               .feature = tile->feature,
                                               .count = tile->count,
                                               .range = collider->search.range,
                                               .live = tile->live,
                                               .history = tile->history,
                                               .stride = tile->stride};
    scree_joined_walls_hand_on(&collider->joined, &job);
}

void scree_wall_contacts_evaluate(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                                  size_t number)
{
    const struct tile tile = tile_of(collider, number);
    if (collider->joined.walls > 0)
        hand_on(collider, &tile);
    struct scree_kernel_job job = scree_collider_job(collider, scratch, number);
    job.wall_terms = scratch->wall_terms;
    job.pair = tile.pair;
    job.wall = scratch->wall;
    job.history = tile.history;
    job.stride = tile.stride;
    for (size_t at = 0; at < tile.count;) {
        const size_t end =
            at + SCREE_PAIR_FILTER_CHUNK < tile.count ? at + SCREE_PAIR_FILTER_CHUNK : tile.count;
        size_t count = 0;
        while (at < end)
            count += list_next(collider, scratch, &tile, &at, end, scratch->candidate + count);
        if (count == 0)
            continue;
        scree_collider_run(collider, scratch, &job, tile.class_of, count, SCREE_KERNEL_WALL);
        scree_collider_clear_ended(collider, scratch, tile.history, tile.stride);
    }
}

// Work of a moving wall on a grain in the step, at the current power.
static double work_of(const struct scree_collider *collider, const struct scree_kernel_wall *wall,
                      const double *terms)
{
    double power = 0;
    for (int i = 0; i < 3; ++i)
        power += terms[i] * (wall->velocity[i] + (double)wall->change[i]);
    for (int i = 0; i < 3 && collider->sums.internal; ++i)
        power += terms[SCREE_KERNEL_COUPLE + i] * wall->spin[i];
    return collider->step * power;
}

double *scree_wall_contacts_work(const struct scree_collider *collider, uint32_t slot)
{
    const size_t bodies = scree_world_bodies(collider->world);
    return slot < bodies ? &scree_world_wrenches(collider->world)[slot].work
                         : &collider->carried.work[slot - bodies];
}

void scree_wall_contacts_add(struct scree_collider *collider, const struct scree_collider_scratch *scratch,
                             size_t tile)
{
    const struct scree_wall_contacts *walls = &collider->world->contacts.walls;
    for (size_t k = walls->first[tile]; k < walls->first[tile + 1]; ++k) {
        const size_t record = k - walls->first[tile];
        const double *terms = scratch->wall_terms + record * SCREE_KERNEL_WALL_TERMS;
        const uint32_t slot = walls->pair[k].low;
        // skip contacts out of range: their records were not written
        if (!walls->live[k])
            continue;
        if (collider->measures)
            scree_sums_measure_one(&collider->sums, slot, terms);
        if (collider->measure_only)
            continue;
        const bool begins = walls->live[k] == BEGINS;
        walls->live[k] = walls->live[k] != ENDS;
        if (collider->wear.count > 0 && collider->step > 0 && is_mesh(collider, walls->pair[k].high))
            scree_wall_wear_add(collider, k, &scratch->wall[record], terms[SCREE_TERM_FRICTION], begins);
        memcpy(&walls->force[3 * k], &terms[SCREE_TERM_FORCE], 3 * sizeof *walls->force);
        scree_sums_add(&collider->sums, &scree_world_grains(collider->world)[slot], slot, slot, terms);
        const struct scree_wall *wall = scree_wall_row(collider->world, walls->pair[k].high);
        if (scree_wall_follows(wall))
            scree_wall_bodies_react(&collider->wall_bodies, (int)(scratch - collider->scratch), wall,
                                    walls->pair[k].high, &scree_world_grains(collider->world)[slot], terms);
        else if (collider->walls_move)
            *scree_wall_contacts_work(collider, slot) += work_of(collider, &scratch->wall[record], terms);
    }
}

bool scree_wall_contacts_any_moving(const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        // the work of a wall that moves with a body is that of its body
        if (scree_wall_follows(wall))
            continue;
        for (int k = 0; k < 3; ++k)
            if (wall->velocity[k] != 0 || wall->velocity_change[k] != 0 || wall->spin[k] != 0 ||
                wall->spin_change[k] != 0)
                return true;
        if (wall->by_function > 0 || scree_wall_has_surface_motion(wall))
            return true;
    }
    return false;
}
