// Filling regions of a scene with bodies, see build.h.

#include "io/build.h"
#include "io/fill.h"
#include "math/power.h"

#include <scree/scree.h>

#include <math.h>
#include <string.h>

// --- sizes

// What is given of a distribution, and the radii that it is cut off at.
struct spread {
    enum scree_sizes_kind kind;
    double parameter[2], least, most;
};

static bool read_kind(struct scree_reading *reading, const struct scree_node *map, struct spread *spread)
{
    const struct scree_node *node;
    double *p = spread->parameter;
    bool good = true;
    if (scree_reading_has(map, SCREE_KEY_sizes_uniform)) {
        good = scree_reading_pair(reading, map, SCREE_KEY_sizes_uniform, p);
        *spread = (struct spread){SCREE_SIZES_UNIFORM, {p[0], p[1]}, p[0], p[1]};
    } else if ((node = scree_reading_node(map, SCREE_KEY_sizes_normal))) {
        good = scree_reading_number(reading, node, SCREE_KEY_normal_mean, &p[0]) &&
               scree_reading_number(reading, node, SCREE_KEY_normal_deviation, &p[1]);
        const double least = p[0] - 3 * p[1];
        *spread = (struct spread){
            SCREE_SIZES_NORMAL, {p[0], p[1]}, least > 0.05 * p[0] ? least : 0.05 * p[0], p[0] + 3 * p[1]};
    } else if ((node = scree_reading_node(map, SCREE_KEY_sizes_lognormal))) {
        good = scree_reading_number(reading, node, SCREE_KEY_lognormal_median, &p[0]) &&
               scree_reading_number(reading, node, SCREE_KEY_lognormal_sigma, &p[1]);
        const double factor = scree_exp(3 * p[1]);
        *spread = (struct spread){SCREE_SIZES_LOGNORMAL, {p[0], p[1]}, p[0] / factor, p[0] * factor};
    } else if ((node = scree_reading_node(map, SCREE_KEY_sizes_weibull))) {
        good = scree_reading_number(reading, node, SCREE_KEY_weibull_scale, &p[0]) &&
               scree_reading_number(reading, node, SCREE_KEY_weibull_modulus, &p[1]);
        // a thousandth is exp(-6.907...)
        *spread = (struct spread){
            SCREE_SIZES_WEIBULL, {p[0], p[1]}, 0.05 * p[0], p[0] * scree_pow(6.907755278982137, 1 / p[1])};
    }
    return good;
}

static bool read_sizes(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                       struct scree_sizes *sizes)
{
    const struct scree_node *node = scree_reading_node(map, key);
    struct spread spread = {0};
    double radius, limits[2];
    size_t by = 0;
    if (node->kind != SCREE_NODE_MAP) {
        if (!scree_reading_number(reading, map, key, &radius))
            return false;
        scree_sizes_equal(sizes, radius);
        return true;
    }
    if (!read_kind(reading, node, &spread) || !scree_reading_word(reading, node, SCREE_KEY_sizes_by, &by))
        return false;
    if (scree_reading_has(node, SCREE_KEY_sizes_limits)) {
        if (!scree_reading_pair(reading, node, SCREE_KEY_sizes_limits, limits))
            return false;
        spread.least =
            limits[0] > spread.least || spread.kind != SCREE_SIZES_UNIFORM ? limits[0] : spread.least;
        spread.most = limits[1] < spread.most || spread.kind != SCREE_SIZES_UNIFORM ? limits[1] : spread.most;
    }
    if (!(spread.least > 0 && spread.most > spread.least)) {
        scree_complaint_add(&reading->complaints, &node->place,
                            "radii go from a smaller one above 0 to a larger one, not from %g to %g m",
                            spread.least, spread.most);
        return false;
    }
    scree_sizes_spread(sizes, spread.kind, spread.parameter, spread.least, spread.most, by == 1,
                       reading->dimension);
    return true;
}

// --- regions

static bool read_region(struct scree_reading *reading, const struct scree_node *map,
                        struct scree_region *region)
{
    const struct scree_node *node;
    double box[2][3];
    bool good = true;
    region->dimension = reading->dimension;
    if ((node = scree_reading_node(map, SCREE_KEY_region_cylinder))) {
        region->shape = SCREE_REGION_CYLINDER;
        good = scree_reading_vector(reading, node, SCREE_KEY_tube_from, region->from) &&
               scree_reading_vector(reading, node, SCREE_KEY_tube_to, region->to) &&
               scree_reading_number(reading, node, SCREE_KEY_tube_radius, &region->radius);
    } else if ((node = scree_reading_node(map, SCREE_KEY_region_sphere))) {
        region->shape = SCREE_REGION_SPHERE;
        good = scree_reading_vector(reading, node, SCREE_KEY_round_centre, region->from) &&
               scree_reading_number(reading, node, SCREE_KEY_round_radius, &region->radius);
    } else {
        good = scree_reading_box(reading, map, SCREE_KEY_region_box, box);
        memcpy(region->lower, box[0], sizeof region->lower);
        memcpy(region->upper, box[1], sizeof region->upper);
    }
    if (good)
        scree_region_bound(region);
    for (int k = 0; k < region->dimension && good; ++k)
        if (!(region->upper[k] > region->lower[k])) {
            scree_complaint_add(&reading->complaints, &map->place,
                                "a region has its upper corner above its lower one");
            return false;
        }
    return good;
}

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
};

static scree_status add(struct scree_world *world, const struct scree_fill_grain *grain,
                        const struct kind *kind)
{
    scree_body_id id;
    struct scree_sphere_def sphere = {.radius = grain->radius, .material = kind->material};
    struct scree_disk_def disk = {
        .radius = grain->radius, .thickness = kind->thickness, .material = kind->material};
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
    struct kind kind = {{0}, {0}, 0};
    uint64_t count;
    size_t order;
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_fill_material, &kind.material));
    SCREE_TRY(scree_memory_new(1, sizeof *sizes, (void **)&sizes));
    fill.sizes = sizes;
    const struct scree_node *shape = scree_reading_node(map, SCREE_KEY_fill_shape);
    const struct scree_node *sphere = scree_reading_node(shape, SCREE_KEY_shape_sphere);
    const struct scree_node *disk = scree_reading_node(shape, SCREE_KEY_shape_disk);
    bool good = kind.material.value != 0 &&
                (sphere ? read_sizes(reading, sphere, SCREE_KEY_grain_radius, sizes)
                        : read_sizes(reading, disk, SCREE_KEY_flat_radius, sizes) &&
                              scree_reading_number(reading, disk, SCREE_KEY_flat_thickness, &kind.thickness));
    good = read_region(reading, scree_reading_node(map, SCREE_KEY_fill_inside), &fill.region) && good;
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
