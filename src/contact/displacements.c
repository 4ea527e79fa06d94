// Displacements since the last search, see displacements.h.

#include "contact/displacements.h"

#include "base/memory.h"
#include "contact/images.h"
#include "world/cell.h"
#include "world/grain.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

// Grains faster than this multiple of the mean speed have an extra, in proportion to their speed.
static const double fast = 1;

enum { GRAIN = 1024 };

void scree_displacements_free(struct scree_displacements *displacements)
{
    scree_memory_free(displacements->start);
    scree_memory_free(displacements->extra);
    *displacements = (struct scree_displacements){0};
}

void scree_displacements_forget(struct scree_displacements *displacements)
{
    displacements->count = 0;
    displacements->largest_extra = 0;
}

static struct scree_vec3 corner_of(const struct scree_world *world)
{
    return scree_world_lattice(world) ? scree_vec3_load(scree_world_cell(world)->lower)
                                      : scree_vec3_make(0, 0, 0);
}

static struct scree_mat3 vectors_of(const struct scree_world *world)
{
    return scree_world_lattice(world) ? scree_lattice_load(scree_world_lattice(world)->vectors)
                                      : scree_mat3_identity();
}

static struct scree_mat3 gradient_of(const struct scree_world *world)
{
    const double none[9] = {0};
    return scree_lattice_load(scree_world_lattice(world) ? scree_world_lattice(world)->middle : none);
}

// Stores positions, and speeds in place of extras; returns the mean speed.
static double store(struct scree_displacements *displacements, const struct scree_world *world)
{
    const struct scree_vec3 corner = corner_of(world);
    const struct scree_mat3 gradient = gradient_of(world);
    double sum = 0, farthest = 0;
    for (size_t i = 0; i < displacements->count; ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const struct scree_vec3 x = scree_vec3_sub(scree_vec3_load(grain->position), corner),
                                mean = scree_mat3_apply(gradient, x);
        const double from[3] = {x.x, x.y, x.z},
                     speed = scree_vec3_norm(scree_vec3_sub(scree_vec3_load(grain->velocity), mean));
        for (int k = 0; k < 3; ++k) {
            displacements->start[i][k] = (float)from[k];
            farthest = fabs(from[k]) > farthest ? fabs(from[k]) : farthest;
        }
        displacements->extra[i] = (float)speed;
        sum += speed;
    }
    // half a unit in the last place of each component
    displacements->rounding = 0x1p-23 * farthest;
    return sum / (double)displacements->count;
}

scree_status scree_displacements_begin(struct scree_displacements *displacements,
                                       const struct scree_world *world, double skin, double largest)
{
    const size_t grains = scree_grain_count(world);
    scree_displacements_forget(displacements);
    SCREE_TRY(scree_memory_grow((void **)&displacements->start, &displacements->start_capacity, grains,
                                sizeof *displacements->start));
    SCREE_TRY(scree_memory_grow((void **)&displacements->extra, &displacements->extra_capacity, grains,
                                sizeof *displacements->extra));
    displacements->count = grains;
    if (grains == 0)
        return SCREE_OK;
    scree_lattice_store(vectors_of(world), displacements->vectors);
    const double slow = fast * store(displacements, world);
    double all = 0;
    for (size_t i = 0; i < grains; ++i) {
        double extra = 0.5 * skin * ((double)displacements->extra[i] / slow - 1);
        // NaN becomes 0
        extra = extra > 0 ? (extra < largest ? extra : largest) : 0;
        all = extra > all ? extra : all;
        displacements->extra[i] = (float)extra;
    }
    // above the rounded numbers too
    displacements->largest_extra = all * (1 + 0x1p-20);
    return SCREE_OK;
}

struct job {
    const struct scree_displacements *displacements;
    const struct scree_world *world;
    struct scree_images images;
    struct scree_mat3 forward; // the mean motion since the search
    struct scree_vec3 corner;
    atomic_uint_fast64_t bits; // of the largest result
};

static void measure(void *context, size_t first, size_t last, int thread)
{
    struct job *job = context;
    (void)thread;
    double largest = 0;
    bool finite = true;
    for (size_t i = first; i < last; ++i) {
        const struct scree_grain *grain = &scree_world_grains(job->world)[i];
        const float *start = job->displacements->start[i];
        const struct scree_vec3 from = scree_vec3_make((double)start[0], (double)start[1], (double)start[2]),
                                x = scree_vec3_sub(scree_vec3_load(grain->position), job->corner),
                                moved = scree_images_nearest(
                                    &job->images, scree_vec3_sub(x, scree_mat3_apply(job->forward, from)),
                                    NULL);
        const double beyond = scree_vec3_norm(moved) - (double)job->displacements->extra[i];
        largest = beyond > largest ? beyond : largest;
        finite = finite && beyond < (double)INFINITY;
    }
    if (!finite)
        largest = (double)INFINITY;
    // the bits of numbers that are not negative have the order of the numbers
    uint64_t bits;
    memcpy(&bits, &largest, sizeof bits);
    uint_fast64_t known = atomic_load_explicit(&job->bits, memory_order_relaxed);
    while (bits > known && !atomic_compare_exchange_weak(&job->bits, &known, bits))
        ;
}

double scree_displacements_largest(const struct scree_displacements *displacements,
                                   const struct scree_world *world, const struct scree_team *team)
{
    if (displacements->count == 0 || displacements->count != scree_grain_count(world))
        return (double)INFINITY;
    struct scree_images_room room;
    struct job job = {.displacements = displacements,
                      .world = world,
                      .images = scree_images_now(world, &room),
                      .forward = scree_mat3_identity(),
                      .corner = corner_of(world)};
    atomic_init(&job.bits, 0);
    if (scree_world_lattice(world))
        job.forward = scree_mat3_product(vectors_of(world),
                                         scree_mat3_inverse(scree_lattice_load(displacements->vectors)));
    scree_team_run(team, displacements->count, GRAIN, measure, &job);
    const uint64_t bits = atomic_load(&job.bits);
    double largest;
    memcpy(&largest, &bits, sizeof largest);
    // a step moves grains by less than their distance, so that strains are small
    return largest + 2 * displacements->rounding;
}
