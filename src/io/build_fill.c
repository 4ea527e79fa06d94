// Filling regions of a scene with bodies, see build.h.

#include "io/build.h"
#include "io/fill.h"

#include <scree/scree.h>

#include <math.h>
#include <string.h>

// A box that goes from face to face of a periodic cell goes on there.
static void open_region(const struct scree_world *world, struct scree_fill *fill)
{
    struct scree_cell_def cell;
    scree_cell_get(world, &cell);
    for (int k = 0; k < 3; ++k) {
        if (!cell.periodic[k])
            continue;
        fill->period[k] = cell.upper[k] - cell.lower[k];
        fill->region.open[k] = fill->region.shape == SCREE_REGION_BOX &&
                               fill->region.lower[k] == cell.lower[k] &&
                               fill->region.upper[k] == cell.upper[k];
    }
}

// --- bodies

// What is common to all.
struct kind {
    scree_material_id material;
    double velocity[3], thickness; // the latter of disks, else 0
    unsigned fixed;                // of enum scree_freedom
};

static scree_status add(struct scree_world *world, const struct scree_fill_grain *grain,
                        const struct kind *kind)
{
    scree_body_id id;
    struct scree_sphere_def sphere = {
        .radius = grain->radius, .material = kind->material, .fixed = kind->fixed};
    struct scree_disk_def disk = {.radius = grain->radius,
                                  .thickness = kind->thickness,
                                  .material = kind->material,
                                  .fixed = kind->fixed};
    memcpy(sphere.position, grain->place, sizeof sphere.position);
    memcpy(sphere.velocity, kind->velocity, sizeof sphere.velocity);
    memcpy(disk.position, grain->place, sizeof disk.position);
    memcpy(disk.velocity, kind->velocity, sizeof disk.velocity);
    return kind->thickness > 0 ? scree_body_add_disk(world, &disk, &id)
                               : scree_body_add_sphere(world, &sphere, &id);
}

// Bodies that are there already are in the way.
static scree_status list_bodies(const struct scree_world *world, scree_fill_list *list)
{
    const size_t bodies = scree_body_count(world);
    for (uint64_t id = 1; list->count < bodies; ++id) {
        struct scree_body_state state;
        if (!scree_body_exists(world, (scree_body_id){id}))
            continue;
        SCREE_TRY(scree_body_get(world, (scree_body_id){id}, &state));
        struct scree_fill_grain grain = {.radius = state.radius};
        memcpy(grain.place, state.position, sizeof grain.place);
        SCREE_TRY(scree_array_push(list, grain));
    }
    return SCREE_OK;
}

static void complain_of_room(struct scree_reading *reading, const struct scree_node *node,
                             const struct scree_fill *fill, const scree_fill_list *list, size_t before)
{
    double volume = 0;
    for (size_t g = before; g < list->count; ++g) {
        const double r = list->data[g].radius;
        volume += reading->dimension == 2 ? r * r : r * r * r * 4 / 3;
    }
    scree_complaint_add(
        &reading->complaints, &node->place,
        "only %zu of %zu found room without overlap, at a solid fraction of %.3g: take fewer, a larger "
        "region, or `arrange: hexagonal`",
        list->count - before, fill->count,
        3.14159265358979323846 * volume / scree_region_volume(&fill->region));
}

static scree_status fill_in(struct scree_reading *reading, struct scree_world *world,
                            const struct scree_node *map, const struct scree_fill *fill,
                            const struct kind *kind)
{
    const struct scree_node *count = scree_reading_node(map, SCREE_KEY_fill_count);
    scree_fill_list list = {0};
    scree_status status = list_bodies(world, &list);
    const size_t before = list.count;
    if (status == SCREE_OK)
        status = scree_fill(fill, &list);
    if (status == SCREE_OK && count && list.count - before < fill->count)
        complain_of_room(reading, count, fill, &list, before);
    if (status == SCREE_OK)
        status = scree_world_reserve(world, list.count);
    for (size_t g = before; g < list.count && status == SCREE_OK && reading->complaints.all == 0; ++g)
        status = scree_build_note(reading, map, add(world, &list.data[g], kind));
    scree_array_free(&list);
    return scree_build_note(reading, map, status);
}

scree_status scree_build_fill(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map)
{
    struct scree_sizes *sizes;
    struct scree_fill fill = {.count = SIZE_MAX};
    struct kind kind = {.fixed = scree_build_bodies_freedoms(reading, map, SCREE_KEY_fill_fixed)};
    uint64_t count;
    size_t order;
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_fill_material, &kind.material));
    SCREE_TRY(scree_memory_new(1, sizeof *sizes, (void **)&sizes));
    fill.sizes = sizes;
    const struct scree_node *shape = scree_reading_node(map, SCREE_KEY_fill_shape);
    const struct scree_node *sphere = scree_reading_node(shape, SCREE_KEY_shape_sphere);
    const struct scree_node *disk = scree_reading_node(shape, SCREE_KEY_shape_disk);
    bool good = kind.material.value != 0 &&
                (sphere ? scree_build_sizes(reading, sphere, SCREE_KEY_grain_radius, sizes)
                        : scree_build_sizes(reading, disk, SCREE_KEY_flat_radius, sizes) &&
                              scree_reading_number(reading, disk, SCREE_KEY_flat_thickness, &kind.thickness));
    good = scree_build_region(reading, scree_reading_node(map, SCREE_KEY_fill_inside), &fill.region) && good;
    good = scree_reading_word(reading, map, SCREE_KEY_fill_arrange, &order) && good;
    good = scree_reading_whole(reading, map, SCREE_KEY_fill_seed, &fill.seed) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_fill_velocity, kind.velocity) && good;
    if (good && scree_reading_has(map, SCREE_KEY_fill_count)) {
        good = scree_reading_whole(reading, map, SCREE_KEY_fill_count, &count);
        fill.count = (size_t)count;
    } else if (good && order == SCREE_FILL_RANDOM) {
        scree_complaint_add(&reading->complaints, &map->place, "what is filled in at random needs a 'count'");
        good = false;
    }
    scree_status status = SCREE_OK;
    if (good) {
        fill.order = (enum scree_fill_order)order;
        open_region(world, &fill);
        status = fill_in(reading, world, map, &fill, &kind);
    }
    scree_memory_free(sizes);
    return status;
}
