// Insertion of bodies, see insert_delete.h.

#include "base/instant.h"
#include "base/random.h"
#include "build/build.h"
#include "math/real.h"
#include "math/vec3.h"
#include "measure/tally.h"
#include "pack/cells.h"
#include "pack/solid_place.h"
#include "run/host.h"
#include "run/insert_delete.h"
#include "world/cell.h"
#include "world/grain.h"

#include <scree/material.h>
#include <scree/measure.h>
#include <scree/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_ATTEMPTS = 200,
    FIRST_CAPACITY = 64,
    STREAM_SIZE = 4,
    STREAM_POSITION = 5,
    STREAM_ORIENTATION = 7,
    STREAMS = 16
};

// a warning needs a larger backlog (amount due but not inserted) than both of these
static const double max_backlog_bodies = 20, max_backlog_fraction = 0.1;

// --- reading

static bool read_rectangle(struct scree_reading *reading, const struct scree_node *map,
                           struct scree_insert *insert)
{
    double corner[3], edge[2][3];
    if (!scree_reading_vector(reading, map, SCREE_KEY_flux_rectangle_corner, corner) ||
        !scree_reading_box(reading, map, SCREE_KEY_flux_rectangle_edges, edge))
        return false;
    const struct scree_vec3 side[2] = {scree_vec3_load(edge[0]), scree_vec3_load(edge[1])};
    const double length[2] = {scree_vec3_norm(side[0]), scree_vec3_norm(side[1])};
    if (!(length[0] > 0 && length[1] > 0 &&
          fabs(scree_vec3_dot(side[0], side[1])) <= 1e-9 * length[0] * length[1]))
        return scree_reading_report(reading, map,
                                    "the edges of a rectangle must not be zero and must be perpendicular");
    for (int e = 0; e < 2; ++e) {
        insert->half[e] = 0.5 * length[e];
        scree_vec3_store(scree_vec3_scale(side[e], 1 / length[e]), insert->axis[e]);
    }
    for (int k = 0; k < 3; ++k)
        insert->centre[k] = corner[k] + 0.5 * (edge[0][k] + edge[1][k]);
    return true;
}

static bool read_disk(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_insert *insert)
{
    double normal[3];
    if (!scree_reading_vector(reading, map, SCREE_KEY_flux_disk_centre, insert->centre) ||
        !scree_reading_vector(reading, map, SCREE_KEY_flux_disk_normal, normal) ||
        !scree_reading_number(reading, map, SCREE_KEY_flux_disk_radius, &insert->half[0]))
        return false;
    const struct scree_vec3 axis = scree_vec3_load(normal);
    if (!(scree_vec3_norm(axis) > 0))
        return scree_reading_report(reading, map, "the normal of a disk must not be the zero vector");
    // in two dimensions the second axis is z, so that the disk is a line in the plane
    const bool flat = reading->dimension == 2 || fabs(normal[2]) < 0.9 * scree_vec3_norm(axis);
    const struct scree_vec3 other = flat ? scree_vec3_make(0, 0, 1) : scree_vec3_make(1, 0, 0);
    const struct scree_vec3 first = scree_vec3_normalise(scree_vec3_cross(axis, other));
    scree_vec3_store(first, insert->axis[0]);
    scree_vec3_store(scree_vec3_normalise(scree_vec3_cross(axis, first)), insert->axis[1]);
    insert->half[1] = reading->dimension == 2 ? 0 : insert->half[0];
    insert->round = true;
    return true;
}

static bool read_opening(struct scree_reading *reading, const struct scree_node *map,
                         struct scree_insert *insert)
{
    const struct scree_node *rectangle = scree_reading_node(map, SCREE_KEY_surface_rectangle);
    const struct scree_node *disk = scree_reading_node(map, SCREE_KEY_surface_disk);
    struct scree_region *region = &insert->free_region.region;
    insert->flat = true;
    if (!rectangle && !disk)
        return scree_reading_report(
            reading, map, "bodies are inserted through a flat surface, a disk or a rectangle, not a mesh");
    if (!(rectangle ? read_rectangle(reading, rectangle, insert) : read_disk(reading, disk, insert)))
        return false;
    region->dimension = reading->dimension;
    for (int k = 0; k < 3; ++k) {
        const double half_width =
            insert->half[0] * fabs(insert->axis[0][k]) + insert->half[1] * fabs(insert->axis[1][k]);
        region->lower[k] = insert->centre[k] - half_width;
        region->upper[k] = insert->centre[k] + half_width;
    }
    return true;
}

static bool read_rate(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_insert *insert)
{
    const struct scree_node *rate = scree_reading_node(map, SCREE_KEY_insert_rate);
    insert->by_mass = scree_reading_has(rate, SCREE_KEY_rate_mass);
    bool good = scree_reading_number(
        reading, rate, insert->by_mass ? SCREE_KEY_rate_mass : SCREE_KEY_rate_bodies, &insert->rate);
    good = scree_reading_number(reading, map, SCREE_KEY_insert_from, &insert->from) && good;
    insert->until = insert->mass = (double)INFINITY;
    insert->count = UINT64_MAX;
    if (scree_reading_has(map, SCREE_KEY_insert_until))
        good = scree_reading_number(reading, map, SCREE_KEY_insert_until, &insert->until) && good;
    if (scree_reading_has(map, SCREE_KEY_insert_mass))
        good = scree_reading_number(reading, map, SCREE_KEY_insert_mass, &insert->mass) && good;
    if (scree_reading_has(map, SCREE_KEY_insert_count))
        good = scree_reading_whole(reading, map, SCREE_KEY_insert_count, &insert->count) && good;
    if (good && !(insert->until > insert->from))
        return scree_reading_report(reading, map,
                                    "the end of an insertion, %g s, must be later than its start, %g s",
                                    insert->until, insert->from);
    return good;
}

// Checks that the largest body fits: bodies are inserted in order, so one that never fits blocks all others.
static bool check_width(struct scree_reading *reading, const struct scree_node *map,
                        const struct scree_insert *insert)
{
    const struct scree_region *region = &insert->free_region.region;
    double narrowest = (double)INFINITY;
    for (int k = 0; k < region->dimension && !insert->flat; ++k)
        if (!region->open[k] && region->upper[k] - region->lower[k] < narrowest)
            narrowest = region->upper[k] - region->lower[k];
    for (int e = 0; e < 2 && insert->flat; ++e)
        if (insert->half[e] > 0 && 2 * insert->half[e] < narrowest)
            narrowest = 2 * insert->half[e];
    const struct scree_pack_shape *shape = scree_build_template_shape(&insert->template);
    const double reach = insert->sizes.largest * scree_pack_reach(shape);
    if (2 * reach <= narrowest)
        return true;
    return scree_reading_report(
        reading, map, "a body %s %g m does not fit into an insertion region of width %g m",
        shape ? "that may need a diameter of" : "with a radius of", shape ? 2 * reach : reach, narrowest);
}

// Checks that the coordinates of the smallest body resolve overlaps wherever it may be inserted.
static scree_status check_resolution(struct scree_reading *reading, const struct scree_world *world,
                                     const struct scree_node *map, const struct scree_insert *insert)
{
    const struct scree_region *region = &insert->free_region.region;
    double corner[3] = {0};
    for (int k = 0; k < region->dimension; ++k)
        if (!region->open[k])
            corner[k] = -region->lower[k] > region->upper[k] ? region->lower[k] : region->upper[k];
    return scree_reading_report_status(reading, map,
                                       scree_cell_check_resolution(world, corner, insert->sizes.smallest));
}

scree_status scree_insert_read(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *map, struct scree_insert *insert)
{
    const struct scree_node *inside = scree_reading_node(map, SCREE_KEY_insert_inside);
    insert->map = map;
    SCREE_TRY(
        scree_build_material(reading, world, map, SCREE_KEY_insert_material, &insert->template.material));
    bool good = insert->template.material.value != 0 &&
                scree_build_template_read(reading, scree_reading_node(map, SCREE_KEY_insert_shape),
                                          &insert->template, &insert->sizes);
    if (inside)
        good = scree_reading_region_in(reading, world, inside, &insert->free_region.region) && good;
    else
        good = read_opening(reading, scree_reading_node(map, SCREE_KEY_insert_through), insert) && good;
    good = read_rate(reading, map, insert) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_insert_velocity, insert->template.velocity) && good;
    good = scree_reading_whole(reading, map, SCREE_KEY_insert_seed, &insert->seed) && good;
    if (!good)
        return SCREE_OK;
    scree_free_region_set_walls(world, &insert->free_region);
    if ((scree_world_dimension(world) == 2) != (insert->template.thickness > 0))
        scree_reading_report(reading, map, "%s",
                             insert->template.thickness > 0
                                 ? "disks need a world of two dimensions; this one has three: use spheres"
                                 : "spheres need a world of three dimensions; this one has two: use disks");
    else if (check_width(reading, map, insert))
        return check_resolution(reading, world, map, insert);
    return SCREE_OK;
}

// --- positions

// Each insertion of the scene has its own random streams, even if seeds are equal.
static struct scree_random_key key_of(const struct scree_insert *insert, uint32_t stream)
{
    return (struct scree_random_key){insert->seed, stream + STREAMS * (uint32_t)insert->row};
}

// Computes a position on a flat opening from uniform random numbers `u`; returns false if a body of this
// radius would cross the edge of the opening.
static bool draw_on_opening(const struct scree_insert *insert, const double u[3], double radius,
                            double position[3])
{
    double offset[2];
    for (int e = 0; e < 2; ++e)
        offset[e] = insert->half[e] > 0 ? (2 * u[e] - 1) * (insert->half[e] - radius) : 0;
    const double limit = insert->half[0] - radius;
    for (int k = 0; k < 3; ++k)
        position[k] = insert->centre[k] + offset[0] * insert->axis[0][k] + offset[1] * insert->axis[1][k];
    return limit >= 0 && (!insert->round || offset[0] * offset[0] + offset[1] * offset[1] <= limit * limit);
}

// Draws a position in the insertion region; returns false if the body would leave it or overlap a wall.
static bool draw(const struct scree_insert *insert, uint64_t number, uint64_t step, uint64_t attempt,
                 const struct scree_pack_solid *solid, struct scree_pack_body *body)
{
    const struct scree_pack_shape *shape = scree_build_template_shape(&insert->template);
    const struct scree_random_key key = key_of(insert, STREAM_POSITION);
    const struct scree_region *region = &insert->free_region.region;
    double u[3];
    for (uint64_t k = 0; k < 3; ++k)
        u[k] = scree_random_uniform(key, number, step, 3 * attempt + k);
    for (int k = 0; k < 3 && !insert->flat; ++k)
        body->position[k] =
            k < region->dimension ? region->lower[k] + u[k] * (region->upper[k] - region->lower[k]) : 0;
    if (insert->flat && !draw_on_opening(insert, u, body->radius * scree_pack_reach(shape), body->position))
        return false;
    if (solid)
        return insert->flat ? scree_pack_solid_is_free(&insert->free_region, solid, body->position)
                            : scree_pack_solid_is_contained(&insert->free_region, solid, body->position);
    for (size_t p = 0; p < scree_pack_pebbles(shape); ++p) {
        const struct scree_fill_grain grain = scree_pack_grain(shape, body, p);
        if (!(insert->flat ? scree_free_region_is_free(&insert->free_region, grain.position, grain.radius)
                           : scree_free_region_contains(&insert->free_region, grain.position, grain.radius)))
            return false;
    }
    return true;
}

static bool is_free(const struct scree_insert *insert, const struct scree_cells *cells,
                    const scree_fill_list *list, struct scree_pack_solid *solid,
                    const struct scree_pack_body *body)
{
    const struct scree_pack_shape *shape = scree_build_template_shape(&insert->template);
    for (size_t p = 0; p < scree_pack_pebbles(shape); ++p) {
        struct scree_fill_grain grain = scree_pack_grain(shape, body, p);
        grain.solid = solid;
        if (!scree_cells_is_free(cells, list, &grain))
            return false;
    }
    return true;
}

// Lists the grains that an inserted body could overlap.
static scree_status list_grains(const struct scree_insert *insert, struct scree_world *world,
                                scree_fill_list *list)
{
    const struct scree_region *region = &insert->free_region.region;
    const double reach =
        insert->sizes.largest * scree_pack_reach(scree_build_template_shape(&insert->template));
    double middle[3];
    SCREE_TRY(scree_grain_reserve_records(world));
    scree_grain_update_records(world, 0, NULL);
    for (int k = 0; k < 3; ++k)
        middle[k] = 0.5 * (region->lower[k] + region->upper[k]);
    for (size_t g = 0; g < scree_grain_count(world); ++g) {
        const struct scree_grain *grain = &scree_world_grains(world)[g];
        const double range = grain->radius + reach;
        double displacement[3];
        bool is_close = true;
        scree_free_region_difference(&insert->free_region, middle, grain->position, displacement);
        for (int k = 0; k < region->dimension; ++k)
            is_close =
                is_close && fabs(displacement[k]) <= 0.5 * (region->upper[k] - region->lower[k]) + range;
        if (is_close)
            SCREE_TRY(scree_cells_list_add(list, world, g));
    }
    return SCREE_OK;
}

// --- insertion

// The state of an insertion at one step.
struct insertion {
    struct scree_insert *insert;
    struct scree_host *host;
    uint64_t bodies; // inserted so far
    double time;     // current time or end of the insertion, s
    double mass;     // inserted so far, kg
    double due;      // due by now, kg or bodies
    double density;  // of the material, kg/m^3
    scree_fill_list list;
    struct scree_cells cells;
    size_t capacity; // of the cells
};

static double radius_of(const struct scree_insert *insert, uint64_t number)
{
    const struct scree_random_key key = key_of(insert, STREAM_SIZE);
    return scree_sizes_draw(&insert->sizes, scree_random_uniform(key, number, 0, 0));
}

static double mass_of(const struct insertion *insertion, double radius)
{
    return scree_build_template_mass(&insertion->insert->template, insertion->density, radius);
}

// Returns true if the next body, of this mass, is due: as soon as rate * (time - start) reaches the amount of
// all bodies before it. So the first body is due at the start.
static bool is_due(const struct insertion *insertion, double mass)
{
    const struct scree_insert *insert = insertion->insert;
    if (insertion->bodies >= insert->count || insertion->mass + 0.5 * mass > insert->mass)
        return false;
    const double inserted = insert->by_mass ? insertion->mass : (double)insertion->bodies;
    return scree_instant_has_come(insertion->time, insert->from + inserted / insert->rate);
}

// Adds a body; the list takes its polyhedron.
static scree_status add_body(struct insertion *insertion, const struct scree_pack_body *body, double mass,
                             struct scree_pack_solid **solid)
{
    const struct scree_insert *insert = insertion->insert;
    const struct scree_pack_shape *shape = scree_build_template_shape(&insert->template);
    struct scree_host *host = insertion->host;
    const uint64_t last = scree_world_entity(host->world, SCREE_ENTITY_BODY)->pool.last;
    SCREE_TRY(scree_build_template_add(host->world, body, &insert->template));
    ++insertion->bodies;
    insertion->mass += mass;
    scree_tally_set(host->world, insert->row, insertion->bodies, insertion->mass);
    SCREE_TRY(
        scree_build_group_bodies(host->reading, host->world, insert->map, SCREE_KEY_insert_group, last));
    for (size_t p = 0; p < scree_pack_pebbles(shape); ++p) {
        struct scree_fill_grain grain = scree_pack_grain(shape, body, p);
        grain.solid = *solid;
        SCREE_TRY(scree_array_push(&insertion->list, grain));
        *solid = NULL;
    }
    return SCREE_OK;
}

// Makes cells with space for the bodies of the list and `more` others. The number of cells does not affect
// which bodies fit.
static scree_status make_cells(struct insertion *insertion, size_t more)
{
    const struct scree_insert *insert = insertion->insert;
    scree_cells_close(&insertion->cells);
    insertion->capacity = insertion->list.count + more;
    return scree_cells_open(&insertion->cells, &insert->free_region,
                            insert->sizes.largest *
                                scree_pack_largest(scree_build_template_shape(&insert->template)),
                            &insertion->list, insertion->capacity);
}

// The next body, without a position.
static struct scree_pack_body next_body(const struct insertion *insertion)
{
    const struct scree_insert *insert = insertion->insert;
    struct scree_pack_body body = {.radius = radius_of(insert, insertion->bodies)};
    scree_pack_draw_orientation(scree_build_template_shape(&insert->template),
                                insert->free_region.region.dimension, key_of(insert, STREAM_ORIENTATION),
                                insertion->bodies, body.orientation);
    return body;
}

static scree_status try_next(struct insertion *insertion, bool *found)
{
    struct scree_insert *insert = insertion->insert;
    struct scree_pack_body body = next_body(insertion);
    const double mass = mass_of(insertion, body.radius);
    const uint64_t number = insertion->bodies, step = scree_world_steps(insertion->host->world);
    const size_t before = insertion->list.count;
    struct scree_pack_solid *solid;
    *found = false;
    if (!is_due(insertion, mass))
        return SCREE_OK;
    SCREE_TRY(scree_pack_solid_of_body(scree_build_template_shape(&insert->template), &body, &solid));
    for (uint64_t attempt = 0; attempt < MAX_ATTEMPTS && !*found; ++attempt)
        *found = draw(insert, number, step, attempt, solid, &body) &&
                 is_free(insert, &insertion->cells, &insertion->list, solid, &body);
    const scree_status status = *found ? add_body(insertion, &body, mass, &solid) : SCREE_OK;
    scree_memory_free(solid);
    if (!*found || status != SCREE_OK)
        return status;
    if (insertion->list.count > insertion->capacity)
        return make_cells(insertion, insertion->list.count);
    for (size_t g = before; g < insertion->list.count; ++g)
        scree_cells_add(&insertion->cells, &insertion->list, g);
    return SCREE_OK;
}

// Warns once if too many bodies that are due could not be inserted.
static void warn_of_backlog(struct insertion *insertion)
{
    struct scree_insert *insert = insertion->insert;
    const struct scree_host *host = insertion->host;
    const double inserted = insert->by_mass ? insertion->mass : (double)insertion->bodies;
    const double next = insert->by_mass ? mass_of(insertion, radius_of(insert, insertion->bodies)) : 1;
    char text[300];
    if (insert->warned || !(insertion->due - inserted > max_backlog_bodies * next) ||
        !(insertion->due - inserted > max_backlog_fraction * insertion->due))
        return;
    insert->warned = true;
    snprintf(
        text, sizeof text,
        "not enough free space for insertion %zu: at %.6g s only %.4g of %.4g %s are inserted; use a larger "
        "opening, a higher velocity, or a lower rate",
        insert->row + 1, scree_world_time(host->world), inserted, insertion->due,
        insert->by_mass ? "kg" : "bodies");
    scree_host_warn(host, text);
}

scree_status scree_insert_due(const struct scree_insert *insert, const struct scree_world *world, double time,
                              double *bodies)
{
    const double elapsed = (time < insert->until ? time : insert->until) - insert->from;
    const double due = elapsed > 0 ? insert->rate * elapsed : 0;
    const int dimension = scree_world_dimension(world);
    double density;
    SCREE_TRY(scree_material_get(world, insert->template.material, "density", &density));
    // masses are proportional to volumes
    const double unit_mass = scree_build_template_mass(&insert->template, density, 1),
                 mean_mass = unit_mass * scree_sizes_volume(&insert->sizes, dimension) /
                             (dimension == 2 ? SCREE_PI : 4.0 / 3.0 * SCREE_PI);
    const double max_bodies = insert->mass / mean_mass;
    *bodies = insert->by_mass ? due / mean_mass : due;
    *bodies = *bodies > max_bodies ? max_bodies : *bodies;
    *bodies = *bodies > (double)insert->count ? (double)insert->count : *bodies;
    return SCREE_OK;
}

scree_status scree_insert_act(void *self, struct scree_host *host)
{
    struct insertion insertion = {.insert = (struct scree_insert *)self, .host = host};
    struct scree_insert *insert = insertion.insert;
    const double time = scree_world_time(host->world);
    if (!scree_instant_has_come(time, insert->from))
        return SCREE_OK;
    insertion.time = time < insert->until ? time : insert->until;
    insertion.due = insert->rate * (insertion.time - insert->from);
    if (insert->by_mass && insertion.due > insert->mass)
        insertion.due = insert->mass;
    if (!insert->by_mass && insertion.due > (double)insert->count)
        insertion.due = (double)insert->count;
    SCREE_TRY(scree_material_get(host->world, insert->template.material, "density", &insertion.density));
    scree_tally_get(host->world, insert->row, &insertion.bodies, &insertion.mass);
    if (!is_due(&insertion, mass_of(&insertion, radius_of(insert, insertion.bodies))))
        return SCREE_OK;
    // walls may have moved, or been added or removed
    scree_free_region_set_walls(host->world, &insert->free_region);
    scree_status status = list_grains(insert, host->world, &insertion.list);
    if (status == SCREE_OK)
        status = make_cells(&insertion, FIRST_CAPACITY);
    for (bool found = true; status == SCREE_OK && found;)
        status = try_next(&insertion, &found);
    if (status == SCREE_OK)
        status = scree_measure_keep_start(host->world, false, false);
    if (status == SCREE_OK)
        warn_of_backlog(&insertion);
    scree_cells_close(&insertion.cells);
    scree_cells_list_free(&insertion.list);
    return status;
}
