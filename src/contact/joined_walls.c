// Flat walls that meet, see joined_walls.h.

#include "contact/joined_walls.h"

#include "base/memory.h"
#include "shape/surface.h"
#include "world/wall.h"

#include <string.h>

static bool is_flat(const struct scree_wall *wall)
{
    return wall->shape == SCREE_WALL_RECTANGLE || wall->shape == SCREE_WALL_DISK;
}

// An infinite edge is along z in two dimensions, where all walls are equally long.
static double finite(double size)
{
    return isinf(size) ? 0 : size;
}

// Radius of a sphere about the centre that encloses the wall, in two dimensions a circle.
static double enclosing_radius(const struct scree_wall *wall)
{
    const double a = finite(wall->size[0]), b = wall->shape == SCREE_WALL_DISK ? 0 : finite(wall->size[1]);
    return sqrt(a * a + b * b);
}

double scree_joined_walls_rounding(const struct scree_wall *a, const struct scree_wall *b)
{
    return SCREE_JOINED_WALLS_ROUNDING * (enclosing_radius(a) + enclosing_radius(b));
}

static bool has_same_motion(const struct scree_wall *a, const struct scree_wall *b)
{
    const bool turns = a->spin[0] != 0 || a->spin[1] != 0 || a->spin[2] != 0;
    bool same = a->by_function == 0 && b->by_function == 0;
    for (int k = 0; k < 3; ++k)
        same = same && a->velocity[k] == b->velocity[k] && a->spin[k] == b->spin[k] &&
               (!turns || a->pivot[k] == b->pivot[k]) && a->surface_velocity[k] == b->surface_velocity[k] &&
               a->surface_spin[k] == b->surface_spin[k];
    return same;
}

bool scree_joined_walls_may(const struct scree_wall *a, const struct scree_wall *b)
{
    if (!is_flat(a) || !is_flat(b) || a->material != b->material || !has_same_motion(a, b))
        return false;
    const struct scree_vec3 apart =
        scree_vec3_sub(scree_vec3_load(a->reference), scree_vec3_load(b->reference));
    return scree_vec3_norm(apart) <=
           enclosing_radius(a) + enclosing_radius(b) + scree_joined_walls_rounding(a, b);
}

// Counts the walls that may be joined with each wall, or lists them if `other` is not null.
static uint32_t list(const struct scree_world *world, size_t walls, uint32_t *first, uint32_t *other)
{
    uint32_t count = 0;
    for (size_t a = 0; a < walls; ++a) {
        const struct scree_wall *wall = scree_wall_row(world, a);
        first[a] = count;
        for (size_t b = 0; b < walls && is_flat(wall); ++b) {
            if (a == b || !scree_joined_walls_may(wall, scree_wall_row(world, b)))
                continue;
            if (other)
                other[count] = (uint32_t)b;
            ++count;
        }
    }
    first[walls] = count;
    return count;
}

scree_status scree_joined_walls_find(const struct scree_world *world, struct scree_joined_walls *joined)
{
    struct scree_joined_walls found = {.walls = scree_wall_rows(world)};
    SCREE_TRY(scree_memory_new(found.walls + 1, sizeof *found.first, (void **)&found.first));
    const uint32_t count = list(world, found.walls, found.first, NULL);
    const scree_status status = scree_memory_new(count, sizeof *found.other, (void **)&found.other);
    if (status != SCREE_OK) {
        scree_joined_walls_free(&found);
        return status;
    }
    if (count > 0)
        (void)list(world, found.walls, found.first, found.other);
    else
        found.walls = 0;
    scree_joined_walls_free(joined);
    *joined = found;
    return SCREE_OK;
}

void scree_joined_walls_free(struct scree_joined_walls *joined)
{
    scree_memory_free(joined->first);
    scree_memory_free(joined->other);
    *joined = (struct scree_joined_walls){0};
}

static uint64_t id_of(const struct scree_world *world, uint32_t wall)
{
    return scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[wall];
}

bool scree_joined_walls_drop(const struct scree_joined_walls *joined, const struct scree_world *world,
                             uint32_t number, const double centre[3])
{
    const struct scree_wall *wall = scree_wall_row(world, number);
    struct scree_surface_touch touch;
    scree_surface_touch(wall, 0, centre, &touch);
    for (uint32_t n = joined->first[number]; n < joined->first[number + 1]; ++n) {
        const struct scree_wall *other = scree_wall_row(world, joined->other[n]);
        const double rounding = scree_joined_walls_rounding(wall, other);
        struct scree_surface_touch nearest;
        if (!scree_surface_within(other, 0, touch.point, rounding))
            continue;
        scree_surface_touch(other, 0, centre, &nearest);
        const struct scree_vec3 apart =
            scree_vec3_sub(scree_vec3_load(nearest.point), scree_vec3_load(touch.point));
        if (scree_vec3_norm(apart) > rounding || id_of(world, joined->other[n]) < id_of(world, number))
            return true;
    }
    return false;
}

// A grain and a wall that are in range, and whether they are in contact.
static bool is_in_range(const struct scree_joined_walls_job *job, size_t k)
{
    const struct scree_grain *grain = &scree_world_grains(job->world)[job->pair[k].low];
    struct scree_surface_touch touch;
    scree_surface_touch(scree_wall_row(job->world, job->pair[k].high), job->feature[k], grain->position,
                        &touch);
    return touch.gap < (grain->radius + job->range) * (1 + 1e-12);
}

static bool is_in_contact(const struct scree_joined_walls *joined, const struct scree_joined_walls_job *job,
                          size_t k)
{
    const double *centre = scree_world_grains(job->world)[job->pair[k].low].position;
    return is_in_range(job, k) && !scree_joined_walls_drop(joined, job->world, job->pair[k].high, centre);
}

static bool are_joined(const struct scree_joined_walls *joined, uint32_t a, uint32_t b)
{
    for (uint32_t n = joined->first[a]; n < joined->first[a + 1]; ++n)
        if (joined->other[n] == b)
            return true;
    return false;
}

static void move_history(const struct scree_joined_walls_job *job, size_t from, size_t to)
{
    job->live[to] = 1;
    job->live[from] = 0;
    if (job->stride == 0)
        return;
    memcpy(job->history + to * job->stride, job->history + from * job->stride,
           job->stride * sizeof *job->history);
    memset(job->history + from * job->stride, 0, job->stride * sizeof *job->history);
}

// Gives a new contact the history of the first one that it continues, of contacts [first, last) of a grain.
static void continue_contact(const struct scree_joined_walls *joined,
                             const struct scree_joined_walls_job *job, size_t first, size_t last,
                             size_t new_contact)
{
    for (size_t k = first; k < last; ++k)
        if (job->live[k] && are_joined(joined, job->pair[new_contact].high, job->pair[k].high) &&
            is_in_range(job, k) && !is_in_contact(joined, job, k)) {
            move_history(job, k, new_contact);
            return;
        }
}

void scree_joined_walls_hand_on(const struct scree_joined_walls *joined,
                                const struct scree_joined_walls_job *job)
{
    for (size_t first = 0, last; first < job->count; first = last) {
        size_t live = 0, dead = 0;
        for (last = first; last < job->count && job->pair[last].low == job->pair[first].low; ++last)
            if (scree_joined_walls_has(joined, job->pair[last].high))
                *(job->live[last] ? &live : &dead) += 1;
        for (size_t k = first; k < last && live > 0 && dead > 0; ++k)
            if (!job->live[k] && scree_joined_walls_has(joined, job->pair[k].high) &&
                is_in_contact(joined, job, k))
                continue_contact(joined, job, first, last, k);
    }
}
