// Fills regions of a scene with bodies, see build.h.

#include "pack/fill.h"

#include "build/build.h"
#include "math/real.h"
#include "world/cell.h"
#include "world/grain.h"

#include <scree/body.h>
#include <scree/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// Reports a failure as a diagnostic; passes on SCREE_ERROR_STATE, which means that the caller ended the
// build.
static scree_status report(struct scree_reading *reading, const struct scree_node *node, scree_status status)
{
    return status == SCREE_ERROR_STATE ? status : scree_reading_report_status(reading, node, status);
}

// Lists the grains of the world, which new bodies must not overlap.
static scree_status list_grains(struct scree_world *world, scree_fill_list *list)
{
    SCREE_TRY(scree_grain_reserve_records(world));
    scree_grain_update_records(world, 0, NULL);
    for (size_t g = 0; g < scree_grain_count(world); ++g)
        SCREE_TRY(scree_cells_list_add(list, world, g));
    return SCREE_OK;
}

// --- number of grains and free space

// Volume of a grain, or its area in two dimensions, divided by pi.
static double volume_over_pi(const struct scree_fill *fill, double r)
{
    return fill->free_region.region.dimension == 2 ? r * r : r * r * r * 4 / 3;
}

// Solid fraction of the grains of the list from number `first`.
static double fraction_of(const struct scree_fill *fill, const scree_fill_list *list, size_t first)
{
    double volume = 0;
    for (size_t g = first; g < list->count; ++g)
        volume += (1 - list->data[g].shared) * volume_over_pi(fill, list->data[g].radius);
    return SCREE_PI * volume / scree_free_region_volume(&fill->free_region);
}

static void report_no_space(struct scree_reading *reading, const struct scree_node *node,
                            const struct scree_fill *fill, const scree_fill_list *list, size_t before)
{
    scree_reading_report(
        reading, node,
        "only %zu of %zu could be placed without overlap, at a solid fraction of %.3g: reduce the "
        "number%s",
        (list->count - before) / scree_pack_pebbles(fill->shape), fill->count,
        fraction_of(fill, list, before),
        fill->shape && fill->shape->core ? " or enlarge the region; bodies that fall become denser"
                                         : ", enlarge the region, or use `arrange: grow`");
}

// Returns the porosity of the region with the radii of all new grains multiplied by `scale`. Grains of the
// list count, with their own radius, if their centre is in the region.
static double porosity_at(const struct scree_fill *fill, const scree_fill_list *list, double scale)
{
    double existing = 0, added = 0;
    for (size_t g = 0; g < list->count; ++g)
        if (scree_region_contains(&fill->free_region.region, list->data[g].position, 0))
            existing += (1 - list->data[g].shared) * volume_over_pi(fill, list->data[g].radius);
    for (size_t g = 0; g < fill->count; ++g)
        added += volume_over_pi(fill, scree_fill_radius(fill, g) * scale);
    return 1 - SCREE_PI * (existing + added) / scree_free_region_volume(&fill->free_region);
}

// Reduces the number of grains, `fill->count`, until they fit. Sets `porosity` to the final porosity, a
// multiple of 0.005, or to 0 if no number fits. Jammed grains must shrink by more than their overlap, so each
// attempt starts a little above the porosity that follows from the last overlap.
static scree_status find_fitting_count(struct scree_fill *fill, scree_fill_list *list, double overlap,
                                       double *porosity)
{
    enum { TRIES = 12, STEPS = 200 };
    const size_t before = list->count;
    *porosity = 0;
    for (int attempt = 0; attempt < TRIES && overlap > 0 && overlap < 1; ++attempt) {
        const double step = ceil(porosity_at(fill, list, 1 - overlap) * STEPS + 0.5);
        const size_t count = fill->count;
        *porosity = step / STEPS;
        SCREE_TRY(scree_fill_count(fill, list, *porosity, &fill->count));
        if (fill->count == 0 || fill->count >= count)
            break;
        SCREE_TRY(scree_grow(fill, list, NULL, &overlap));
    }
    list->count = before;
    *porosity = overlap > 0 ? 0 : *porosity;
    return SCREE_OK;
}

// Reports grains that could not grow to their full size. For few grains, finds a number that fits.
static scree_status report_jammed(struct scree_reading *reading, const struct scree_node *node,
                                  const struct scree_fill *fill, scree_fill_list *list, double overlap)
{
    enum { FEW = 4000 };
    struct scree_fill reduced = *fill;
    char advice[160] = "";
    double porosity = 0;
    if (!(overlap < 1)) {
        scree_reading_report(reading, node,
                             "grains of this size do not fit between the faces of the region and the walls");
        return SCREE_OK;
    }
    if (fill->count <= FEW)
        SCREE_TRY(find_fitting_count(&reduced, list, overlap, &porosity));
    if (porosity > 0)
        snprintf(advice, sizeof advice, "%zu fit, at a porosity of %.4g", reduced.count, porosity);
    else
        snprintf(advice, sizeof advice, "they jam at a porosity somewhat above %.3g",
                 porosity_at(fill, list, 1 - overlap));
    scree_reading_report(
        reading, node,
        "%zu grains do not fit here, at a porosity of %.4g: %s. Near walls and faces of the region the "
        "packing is looser",
        fill->count, porosity_at(fill, list, 1), advice);
    return SCREE_OK;
}

// Returns true if the caller allows this number of bodies; else reports the filling and returns false.
static bool check_max_filled(struct scree_reading *reading, const struct scree_node *map,
                             const struct scree_fill *fill, const scree_fill_list *list, double bodies)
{
    const bool grown = fill->order == SCREE_FILL_GROWN;
    const double max = (double)(grown ? reading->max_filled / 10 : reading->max_filled);
    return reading->max_filled == 0 || bodies + (double)list->count <= max ||
           scree_reading_report(
               reading, map,
               "this would place about %.3g bodies, but a quick check%s places at most %.0f: use larger "
               "bodies or a smaller region, or check without --quick",
               bodies, grown ? " with `arrange: grow`" : "", max);
}

// Estimates the number of bodies on a lattice: volume of the region over volume per body, which for the
// extent d is d^3 (cubic) or d^3 / sqrt(2) (hexagonal), in two dimensions d^2 or sqrt(3)/2 d^2.
static double lattice_count(const struct scree_fill *fill)
{
    const int dimension = fill->free_region.region.dimension;
    const bool hexagonal = fill->order == SCREE_FILL_HEXAGONAL;
    const double diameter = 2 * fill->sizes->largest * scree_pack_reach(fill->shape);
    double volume = !hexagonal ? 1 : dimension == 2 ? sqrt(0.75) : sqrt(0.5);
    for (int k = 0; k < dimension; ++k)
        volume *= diameter;
    return scree_free_region_volume(&fill->free_region) / volume;
}

// Reads the number of grains, from a count or a porosity. Returns false after a diagnostic or a failure.
static bool read_count(struct scree_reading *reading, const struct scree_node *map, struct scree_fill *fill,
                       const scree_fill_list *list, scree_status *status)
{
    const struct scree_node *porosity = scree_reading_node(map, SCREE_KEY_fill_porosity);
    const bool has_count = scree_reading_has(map, SCREE_KEY_fill_count);
    const bool is_lattice = fill->order == SCREE_FILL_CUBIC || fill->order == SCREE_FILL_HEXAGONAL;
    uint64_t count = UINT64_MAX;
    double target;
    if (porosity && (has_count || is_lattice))
        return scree_reading_report(reading, porosity,
                                    is_lattice ? "a lattice has its own porosity: leave out 'porosity'"
                                               : "'count' and 'porosity' exclude each other: leave one out");
    if (!porosity && !has_count && !is_lattice)
        return scree_reading_report(reading, map, "a random filling needs 'count' or 'porosity'");
    if (has_count && !scree_reading_whole(reading, map, SCREE_KEY_fill_count, &count))
        return false;
    fill->count = (size_t)count;
    if (!porosity) {
        const double places = is_lattice ? lattice_count(fill) : (double)count;
        return check_max_filled(reading, map, fill, list, places < (double)count ? places : (double)count);
    }
    if (!scree_reading_number(reading, map, SCREE_KEY_fill_porosity, &target) ||
        !check_max_filled(reading, map, fill, list,
                          (1 - target) * scree_free_region_volume(&fill->free_region) /
                              scree_sizes_volume(fill->sizes, fill->free_region.region.dimension)))
        return false;
    *status = report(reading, porosity, scree_fill_count(fill, list, target, &fill->count));
    if (*status == SCREE_OK && reading->diagnostics.all == 0 && fill->count == 0)
        scree_reading_report(reading, porosity, "the bodies in the region already fill it to this porosity");
    return *status == SCREE_OK && reading->diagnostics.all == 0;
}

static scree_status place_all(struct scree_reading *reading, const struct scree_node *map,
                              const struct scree_fill *fill, scree_fill_list *list, scree_pack_bodies *placed)
{
    const struct scree_node *porosity = scree_reading_node(map, SCREE_KEY_fill_porosity);
    const struct scree_node *node = porosity ? porosity : scree_reading_node(map, SCREE_KEY_fill_count);
    const size_t before = list->count;
    double overlap = 0;
    if (fill->order == SCREE_FILL_GROWN)
        SCREE_TRY(report(reading, map, scree_grow(fill, list, placed, &overlap)));
    else
        SCREE_TRY(report(reading, map, scree_fill(fill, list, placed)));
    if (reading->diagnostics.all > 0)
        return SCREE_OK;
    if (overlap > 0)
        return report(reading, node, report_jammed(reading, node, fill, list, overlap));
    if (node && placed->count < fill->count)
        report_no_space(reading, node, fill, list, before);
    else if (placed->count == 0)
        scree_reading_report(
            reading, map,
            "no body of radius %g m has space in this region: use smaller bodies, or enlarge "
            "the region",
            fill->sizes->largest);
    return SCREE_OK;
}

static scree_status fill_region(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_node *map, struct scree_fill *fill,
                                const struct scree_build_template *template)
{
    scree_fill_list list = {0};
    scree_pack_bodies placed = {0};
    scree_status status = list_grains(world, &list);
    if (status == SCREE_OK && read_count(reading, map, fill, &list, &status))
        status = place_all(reading, map, fill, &list, &placed);
    if (status == SCREE_OK && reading->diagnostics.all == 0)
        status = scree_world_reserve(world, scree_body_count(world) + placed.count);
    for (size_t b = 0; b < placed.count && status == SCREE_OK && reading->diagnostics.all == 0; ++b)
        status = report(reading, map, scree_build_template_add(world, &placed.data[b], template));
    scree_cells_list_free(&list);
    scree_array_free(&placed);
    return report(reading, map, status);
}

// A filling knows no images along cell vectors, so a region that is filled must be inside the cell.
static bool is_in_cell(struct scree_reading *reading, const struct scree_world *world,
                       const struct scree_node *inside, const struct scree_free_region *free_region)
{
    const struct scree_region *region = &free_region->region;
    for (int corner = 0; corner < 8 && scree_world_lattice(world); ++corner) {
        double position[3] = {0};
        for (int k = 0; k < region->dimension; ++k)
            position[k] = corner >> k & 1 ? region->upper[k] : region->lower[k];
        if (!scree_cell_contains(world, position))
            return scree_reading_report(
                reading, inside,
                "in a cell with cell vectors the bounding box of the region must be "
                "inside the cell, and its corner (%g, %g, %g) m is not: fill a smaller "
                "region, or a box that is periodic along all axes and deform it",
                position[0], position[1], position[2]);
    }
    return true;
}

scree_status scree_build_fill(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map)
{
    struct scree_sizes *sizes;
    struct scree_fill fill = {0};
    struct scree_build_template template = {.fixed =
                                                scree_build_bodies_fixed(reading, map, SCREE_KEY_fill_fixed)};
    size_t order;
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_fill_material, &template.material));
    SCREE_TRY(scree_memory_new(1, sizeof *sizes, (void **)&sizes));
    fill.sizes = sizes;
    bool good =
        template.material.value != 0 &&
        scree_build_template_read(reading, scree_reading_node(map, SCREE_KEY_fill_shape), &template, sizes);
    good = scree_reading_region_in(reading, world, scree_reading_node(map, SCREE_KEY_fill_inside),
                                   &fill.free_region.region) &&
           good;
    good = scree_reading_word(reading, map, SCREE_KEY_fill_arrange, &order) && good;
    good = scree_reading_whole(reading, map, SCREE_KEY_fill_seed, &fill.seed) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_fill_velocity, template.velocity) && good;
    scree_status status = SCREE_OK;
    if (good) {
        fill.order = (enum scree_fill_order)order;
        if (template.polyhedron && fill.order == SCREE_FILL_GROWN)
            good = scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_fill_arrange),
                                        "polyhedra do not grow: leave out `arrange`, which places them at "
                                        "random, and let them fall");
    }
    if (good) {
        fill.shape = scree_build_template_shape(&template);
        fill.cancelled = reading->callbacks.cancelled;
        fill.user = reading->callbacks.user;
        scree_free_region_set_walls(world, &fill.free_region);
        good = is_in_cell(reading, world, scree_reading_node(map, SCREE_KEY_fill_inside), &fill.free_region);
    }
    if (good) {
        status = fill_region(reading, world, map, &fill, &template);
    }
    scree_memory_free(sizes);
    return status;
}
