// Filling a region with grains, see fill.h.

#include "pack/fill.h"

#include "base/random.h"
#include "base/sort.h"
#include "math/power.h"
#include "math/real.h"
#include "pack/solid_place.h"

#include <math.h>
#include <string.h>

enum {
    TRIES = 1000,
    TRIES_SOLID = 100000, // polyhedra have no denser arrangement, and a try takes less than a microsecond
    FEW = 30,
    FEW_GROWN = 4000,
    POLL_EVERY = 1024,
    STREAM_SIZE = 1,
    STREAM_POSITION = 2,
    STREAM_ORIENTATION = 6
};

scree_status scree_fill_check_cancelled(const struct scree_fill *fill)
{
    if (!fill->cancelled || !fill->cancelled(fill->user))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_STATE, "ended before the first step, while a region was filled");
}

// --- at random

double scree_fill_radius(const struct scree_fill *fill, uint64_t number)
{
    const struct scree_random_key key = {fill->seed, STREAM_SIZE};
    return scree_sizes_draw(fill->sizes, scree_random_uniform(key, number, 0, 0));
}

struct scree_pack_body scree_fill_body(const struct scree_fill *fill, uint64_t number)
{
    const struct scree_random_key key = {fill->seed, STREAM_ORIENTATION};
    struct scree_pack_body body = {.radius = scree_fill_radius(fill, number)};
    scree_pack_draw_orientation(fill->shape, fill->free_region.region.dimension, key, number,
                                body.orientation);
    return body;
}

// A body that is to be placed, and its polyhedron, if it is one, for any position.
struct candidate {
    struct scree_pack_body body;
    struct scree_pack_solid *solid;
};

static scree_status make_candidate(const struct scree_fill *fill, uint64_t number,
                                   struct candidate *candidate)
{
    candidate->body = scree_fill_body(fill, number);
    return scree_pack_solid_of_body(fill->shape, &candidate->body, &candidate->solid);
}

// Whether the bodies are polyhedra.
static bool is_solid(const struct scree_fill *fill)
{
    return fill->shape && fill->shape->core;
}

static bool solid_fits(const struct scree_fill *fill, const struct scree_cells *cells,
                       const scree_fill_list *list, const struct candidate *candidate)
{
    struct scree_fill_grain grain = scree_pack_grain(fill->shape, &candidate->body, 0);
    grain.solid = candidate->solid;
    return scree_pack_solid_is_contained(&fill->free_region, grain.solid, grain.position) &&
           scree_cells_is_free(cells, list, &grain);
}

// Returns true if all pebbles of a body are in the region and overlap neither walls nor grains.
static bool fits(const struct scree_fill *fill, const struct scree_cells *cells, const scree_fill_list *list,
                 const struct candidate *candidate, double tolerance)
{
    const struct scree_pack_body *body = &candidate->body;
    if (candidate->solid)
        return solid_fits(fill, cells, list, candidate);
    for (size_t p = 0; p < scree_pack_pebbles(fill->shape); ++p) {
        const struct scree_fill_grain grain = scree_pack_grain(fill->shape, body, p);
        if (!scree_free_region_contains(&fill->free_region, grain.position, grain.radius * tolerance) ||
            !scree_cells_is_free(cells, list, &grain))
            return false;
    }
    return true;
}

// Adds a body to the lists, the first of which takes its polyhedron.
static scree_status add_body(const struct scree_fill *fill, struct candidate *candidate,
                             scree_fill_list *list, scree_pack_bodies *placed)
{
    const struct scree_pack_body *body = &candidate->body;
    for (size_t p = 0; p < scree_pack_pebbles(fill->shape); ++p) {
        struct scree_fill_grain grain = scree_pack_grain(fill->shape, body, p);
        grain.solid = candidate->solid;
        SCREE_TRY(scree_array_push(list, grain));
        candidate->solid = NULL;
    }
    return placed ? scree_array_push(placed, *body) : SCREE_OK;
}

static double volume_of(const struct scree_fill *fill, double radius)
{
    const double area = SCREE_PI * radius * radius;
    return fill->free_region.region.dimension == 2 ? area : area * radius * 4 / 3;
}

static scree_status refuse_more(double wanted)
{
    return scree_status_fail(
        SCREE_ERROR_LIMIT,
        "a filling can have at most %g grains, this one would have %.3g: use larger grains or a "
        "smaller region",
        (double)SCREE_FILL_MAX_GRAINS, wanted);
}

scree_status scree_fill_count(const struct scree_fill *fill, const scree_fill_list *list, double porosity,
                              size_t *count)
{
    double remaining = (1 - porosity) * scree_free_region_volume(&fill->free_region);
    *count = 0;
    for (size_t g = 0; g < list->count; ++g)
        if (scree_region_contains(&fill->free_region.region, list->data[g].position, 0))
            remaining -= (1 - list->data[g].shared) * volume_of(fill, list->data[g].radius);
    const double mean = scree_sizes_volume(fill->sizes, fill->free_region.region.dimension);
    if (remaining > mean * SCREE_FILL_MAX_GRAINS)
        return refuse_more(remaining / mean);
    for (; *count <= SCREE_FILL_MAX_GRAINS; ++*count) {
        const double volume = volume_of(fill, scree_fill_radius(fill, *count));
        // stop where the porosity is closest to the given one
        if (!(remaining > 0.5 * volume))
            return SCREE_OK;
        remaining -= volume;
    }
    return refuse_more((double)*count + remaining / mean);
}

// Draws all radii and sorts the grain numbers by decreasing radius.
static scree_status draw_sizes(const struct scree_fill *fill, double **radius, uint32_t **order)
{
    uint64_t *key_bits;
    SCREE_TRY(scree_memory_new(fill->count, sizeof **radius, (void **)radius));
    SCREE_TRY(scree_memory_new(fill->count, sizeof **order, (void **)order));
    SCREE_TRY(scree_memory_new(fill->count, sizeof *key_bits, (void **)&key_bits));
    for (size_t g = 0; g < fill->count; ++g) {
        (*radius)[g] = scree_fill_radius(fill, g);
        // bits of positive doubles sort like their values
        memcpy(&key_bits[g], &(*radius)[g], sizeof key_bits[g]);
        key_bits[g] = ~key_bits[g];
    }
    const scree_status status = scree_sort_order(key_bits, fill->count, *order);
    scree_memory_free(key_bits);
    return status;
}

static bool find_free_position(const struct scree_fill *fill, const struct scree_cells *cells,
                               const scree_fill_list *list, uint32_t number, struct candidate *candidate)
{
    const struct scree_random_key key = {fill->seed, STREAM_POSITION};
    const struct scree_region *region = &fill->free_region.region;
    const uint64_t tries = candidate->solid ? TRIES_SOLID : TRIES;
    for (uint64_t attempt = 0; attempt < tries; ++attempt) {
        double u[3];
        scree_random_fill(key, number, attempt, u, 3);
        for (int k = 0; k < 3; ++k)
            candidate->body.position[k] =
                k < region->dimension ? region->lower[k] + u[k] * (region->upper[k] - region->lower[k]) : 0;
        if (fits(fill, cells, list, candidate, 1))
            return true;
    }
    return false;
}

// Places body number `number` if there is space.
static scree_status place_at_random(const struct scree_fill *fill, uint32_t number, struct scree_cells *cells,
                                    scree_fill_list *list, scree_pack_bodies *placed, bool *found)
{
    struct candidate candidate;
    const size_t first = list->count;
    SCREE_TRY(make_candidate(fill, number, &candidate));
    *found = find_free_position(fill, cells, list, number, &candidate);
    const scree_status status = *found ? add_body(fill, &candidate, list, placed) : SCREE_OK;
    for (size_t g = first; g < list->count && status == SCREE_OK; ++g)
        scree_cells_add(cells, list, g);
    scree_memory_free(candidate.solid);
    return status;
}

static scree_status fill_at_random(const struct scree_fill *fill, scree_fill_list *list,
                                   scree_pack_bodies *placed)
{
    struct scree_cells cells = {0};
    double *radius = NULL;
    uint32_t *order = NULL;
    const size_t all = list->count + fill->count * scree_pack_pebbles(fill->shape);
    scree_status status = draw_sizes(fill, &radius, &order);
    if (status == SCREE_OK)
        status = scree_array_reserve(list, all);
    if (status == SCREE_OK)
        status = scree_cells_open(&cells, &fill->free_region,
                                  fill->sizes->largest * scree_pack_largest(fill->shape), list, all);
    bool found = true;
    for (size_t k = 0; status == SCREE_OK && k < fill->count && found; ++k) {
        if (k % POLL_EVERY == 0 || is_solid(fill))
            status = scree_fill_check_cancelled(fill);
        if (status == SCREE_OK)
            status = place_at_random(fill, order[k], &cells, list, placed, &found);
    }
    scree_cells_close(&cells);
    scree_memory_free(radius);
    scree_memory_free(order);
    return status;
}

// --- on a lattice

// Position (i, j, k) of a lattice of spheres of equal diameter: layers of rows.
static void lattice_position(enum scree_fill_order order, int dimension, double width, const int64_t site[3],
                             double position[3])
{
    const double i = (double)site[0], j = (double)site[1], k = (double)site[2];
    const bool dense = order == SCREE_FILL_HEXAGONAL;
    const double row = dense ? sqrt(3.0) / 2 : 1, layer = dense ? sqrt(2.0 / 3) : 1;
    const double odd_row = dense ? 0.5 * (double)(site[1] & 1) : 0,
                 odd_layer = dense ? (double)(site[2] & 1) : 0;
    position[0] = width * (0.5 + i + odd_row + 0.5 * odd_layer);
    position[1] = width * (0.5 + j * row + odd_layer * row / 3);
    position[2] = dimension == 2 ? 0 : width * (0.5 + k * layer);
}

// Places body number `number` at a site if there is space.
static scree_status place_at_site(const struct scree_fill *fill, uint64_t number, const double position[3],
                                  double tolerance, const struct scree_cells *cells, scree_fill_list *list,
                                  scree_pack_bodies *placed, bool *found)
{
    struct candidate candidate;
    SCREE_TRY(make_candidate(fill, number, &candidate));
    memcpy(candidate.body.position, position, sizeof candidate.body.position);
    *found = fits(fill, cells, list, &candidate, tolerance);
    const scree_status status = *found ? add_body(fill, &candidate, list, placed) : SCREE_OK;
    scree_memory_free(candidate.solid);
    return status;
}

// Places bodies on a lattice; skips sites where a body would overlap earlier ones.
static scree_status place_on_lattice(const struct scree_fill *fill, const struct scree_cells *cells,
                                     scree_fill_list *list, scree_pack_bodies *placed)
{
    // a relative gap of 1e-12 avoids overlaps by rounding, and a tolerance of 1e-9 keeps the last site of a
    // row that fits exactly; periodic faces count as closed
    const double width = 2 * fill->sizes->largest * scree_pack_reach(fill->shape) * (1 + 1e-12),
                 tolerance = 1 - 1e-9;
    struct scree_region closed = fill->free_region.region;
    memset(closed.open, 0, sizeof closed.open);
    const struct scree_region *region = &closed;
    int64_t sites[3], site[3];
    for (int k = 0; k < 3; ++k)
        sites[k] = k < region->dimension
                       ? (int64_t)ceil(1.3 * (region->upper[k] - region->lower[k]) / width) + 1
                       : 1;
    size_t count = 0;
    for (site[2] = 0; site[2] < sites[2]; ++site[2])
        for (site[1] = 0; site[1] < sites[1]; ++site[1])
            for (site[0] = 0; site[0] < sites[0] && count < fill->count; ++site[0]) {
                double position[3];
                bool found = false;
                lattice_position(fill->order, region->dimension, width, site, position);
                for (int k = 0; k < region->dimension; ++k)
                    position[k] += region->lower[k];
                if (scree_region_contains(region, position, 0.5 * width * tolerance))
                    SCREE_TRY(place_at_site(fill, count, position, tolerance, cells, list, placed, &found));
                count += found;
            }
    return SCREE_OK;
}

static scree_status fill_lattice(const struct scree_fill *fill, scree_fill_list *list,
                                 scree_pack_bodies *placed)
{
    struct scree_cells cells;
    scree_status status =
        scree_cells_open(&cells, &fill->free_region, fill->sizes->largest * scree_pack_largest(fill->shape),
                         list, list->count);
    if (status == SCREE_OK)
        status = place_on_lattice(fill, &cells, list, placed);
    scree_cells_close(&cells);
    return status;
}

static scree_status check_lattice(const struct scree_fill *fill)
{
    const double width = 2 * fill->sizes->smallest * scree_pack_reach(fill->shape);
    double sites = 1;
    for (int k = 0; k < fill->free_region.region.dimension; ++k)
        sites *= (fill->free_region.region.upper[k] - fill->free_region.region.lower[k]) / width + 1;
    return sites <= SCREE_FILL_MAX_GRAINS
               ? SCREE_OK
               : scree_status_fail(
                     SCREE_ERROR_LIMIT,
                     "a lattice can have at most %g sites, this one would have %.3g: use larger grains "
                     "or a smaller region",
                     (double)SCREE_FILL_MAX_GRAINS, sites);
}

static double densest_of(const struct scree_fill *fill)
{
    // equal sizes: random close packing of spheres, and of disks; sizes from d to D multiply the porosity by
    // about (d / D)^0.4 at the least, which is below all values measured for mixtures of two sizes
    // clumps: above the densest random packings of ellipsoids, 0.74 (Donev et al., Science 303, 990, 2004),
    // and of ellipses, 0.90
    const bool flat = fill->free_region.region.dimension == 2;
    // polyhedra, one after the other at random positions: well above what cuboids of the best shape reach,
    // 0.40 (P. Kubala and M. Ciesla, arXiv:1804.09510, 2018)
    const double equal = is_solid(fill) ? 0.5 : fill->shape ? (flat ? 0.92 : 0.8) : flat ? 0.85 : 0.64;
    return 1 - (1 - equal) * scree_pow(fill->sizes->smallest / fill->sizes->largest, 0.4);
}

scree_status scree_fill_check(const struct scree_fill *fill)
{
    if (fill->order == SCREE_FILL_CUBIC || fill->order == SCREE_FILL_HEXAGONAL)
        return check_lattice(fill);
    if (fill->count > SCREE_FILL_MAX_GRAINS)
        return refuse_more((double)fill->count);
    const double space = scree_free_region_volume(&fill->free_region), densest = densest_of(fill);
    double volume = 0;
    for (size_t g = 0; g < fill->count; ++g)
        volume += volume_of(fill, scree_fill_radius(fill, g));
    // a few grains can be arranged more densely than at random; up to some thousand that grow are always
    // tried, because the message of a failed attempt gives a number that fits
    const size_t few = fill->order == SCREE_FILL_GROWN && volume <= space ? FEW_GROWN : FEW;
    if (volume <= densest * space || fill->count <= few)
        return SCREE_OK;
    const int dimension = fill->free_region.region.dimension;
    return scree_status_fail(SCREE_ERROR_LIMIT,
                             "%zu grains of %.3g m^%d each would be a solid fraction of %.3g of the free "
                             "region of %.3g m^%d, but random "
                             "packings of these sizes have at most about %.2g (a porosity of %.2g), or %.0f "
                             "grains: reduce the number, or "
                             "enlarge the region",
                             fill->count, volume / (double)fill->count, dimension, volume / space, space,
                             dimension, densest, 1 - densest,
                             floor(densest * space / volume * (double)fill->count));
}

scree_status scree_fill(const struct scree_fill *fill, scree_fill_list *list, scree_pack_bodies *placed)
{
    SCREE_TRY(scree_fill_check(fill));
    return fill->order == SCREE_FILL_RANDOM ? fill_at_random(fill, list, placed)
                                            : fill_lattice(fill, list, placed);
}
