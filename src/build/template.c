// The bodies of fillings and insertions, and single clumps, see build.h.

#include "build/build.h"
#include "math/quat.h"
#include "math/real.h"
#include "world/polyhedron.h"

#include <scree/body.h>
#include <scree/material.h>

#include <string.h>

// --- reading

bool scree_build_thickness(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                           const char *what, double *thickness)
{
    const bool flat = reading->dimension == 2;
    if (flat != scree_reading_has(map, key))
        return scree_reading_report(reading, map,
                                    flat ? "in two dimensions a %s needs a 'thickness'"
                                         : "in three dimensions a %s has no 'thickness'",
                                    what);
    return !flat || scree_reading_number(reading, map, key, thickness);
}

void scree_build_template_set_clump(struct scree_build_template *template,
                                    const struct scree_clumps_shape *clump)
{
    template->clump = clump;
    template->shape = (struct scree_pack_shape){.pebble = clump->packed,
                                                .pebbles = clump->pebbles,
                                                .reach = clump->reach,
                                                .largest = clump->largest,
                                                .smallest = clump->smallest,
                                                .shared = clump->shared,
                                                .given = {1, 0, 0, 0}};
}

void scree_build_template_set_polyhedron(struct scree_build_template *template,
                                         const struct scree_polyhedra_shape *polyhedron)
{
    const double reach = polyhedron->around.radius,
                 size = polyhedron->core.dimension == 2 ? reach * reach : reach * reach * reach;
    template->polyhedron = polyhedron;
    // a solid fraction counts the body, not the sphere around it
    template->shape = (struct scree_pack_shape){.pebble = &polyhedron->around,
                                                .pebbles = 1,
                                                .reach = reach,
                                                .largest = reach,
                                                .smallest = reach,
                                                .shared = 1 - 1 / size,
                                                .given = {1, 0, 0, 0},
                                                .core = &polyhedron->core,
                                                .core_radius = polyhedron->radius,
                                                .rounding = polyhedron->row.rounding};
    memcpy(template->shape.core_axes, polyhedron->row.axes, sizeof template->shape.core_axes);
}

// Keys of the orientations of clumps or polyhedra.
struct rotation_keys {
    enum scree_key_id orientation, rotate, spread;
};

static bool read_rotation(struct scree_reading *reading, const struct scree_node *map,
                          const struct rotation_keys *keys, struct scree_pack_shape *shape)
{
    const struct scree_node *spread = scree_reading_node(map, keys->spread);
    size_t rotation;
    const bool good =
        scree_reading_orientation(reading, scree_reading_node(map, keys->orientation), shape->given);
    if (spread)
        return scree_build_spread(reading, spread, shape) && good;
    if (!scree_reading_word(reading, map, keys->rotate, &rotation))
        return false;
    shape->rotation = (enum scree_pack_rotation)rotation;
    return good;
}

static bool read_clump(struct scree_reading *reading, const struct scree_node *map,
                       struct scree_build_template *template, struct scree_sizes *sizes)
{
    static const struct rotation_keys keys = {SCREE_KEY_clump_shape_orientation, SCREE_KEY_clump_shape_rotate,
                                              SCREE_KEY_clump_shape_spread};
    const struct scree_clumps_shape *clump = scree_clumps_read(reading, map, SCREE_KEY_clump_shape_shape);
    if (!clump)
        return false;
    scree_build_template_set_clump(template, clump);
    bool good = read_rotation(reading, map, &keys, &template->shape);
    scree_sizes_equal(sizes, clump->radius);
    if (scree_reading_has(map, SCREE_KEY_clump_shape_radius))
        good = scree_reading_sizes(reading, map, SCREE_KEY_clump_shape_radius, sizes) && good;
    return scree_build_thickness(reading, map, SCREE_KEY_clump_shape_thickness, "clump",
                                 &template->thickness) &&
           good;
}

static bool read_polyhedron(struct scree_reading *reading, const struct scree_node *map,
                            struct scree_build_template *template, struct scree_sizes *sizes)
{
    static const struct rotation_keys keys = {SCREE_KEY_polyhedron_shape_orientation,
                                              SCREE_KEY_polyhedron_shape_rotate,
                                              SCREE_KEY_polyhedron_shape_spread};
    const struct scree_polyhedra_shape *polyhedron =
        scree_polyhedra_read(reading, map, SCREE_KEY_polyhedron_shape_shape);
    if (!polyhedron)
        return false;
    scree_build_template_set_polyhedron(template, polyhedron);
    bool good = read_rotation(reading, map, &keys, &template->shape);
    good = scree_build_thickness(reading, map, SCREE_KEY_polyhedron_shape_thickness, "polyhedron",
                                 &template->thickness) &&
           good;
    scree_sizes_equal(sizes, polyhedron->radius);
    return (!scree_reading_has(map, SCREE_KEY_polyhedron_shape_radius) ||
            scree_reading_sizes(reading, map, SCREE_KEY_polyhedron_shape_radius, sizes)) &&
           good;
}

bool scree_build_template_read(struct scree_reading *reading, const struct scree_node *shape,
                               struct scree_build_template *template, struct scree_sizes *sizes)
{
    const struct scree_node *sphere = scree_reading_node(shape, SCREE_KEY_shape_sphere);
    const struct scree_node *disk = scree_reading_node(shape, SCREE_KEY_shape_disk);
    const struct scree_node *polyhedron = scree_reading_node(shape, SCREE_KEY_shape_polyhedron);
    if (polyhedron)
        return read_polyhedron(reading, polyhedron, template, sizes);
    if (sphere)
        return scree_reading_sizes(reading, sphere, SCREE_KEY_sphere_shape_radius, sizes);
    if (disk)
        return scree_reading_sizes(reading, disk, SCREE_KEY_disk_shape_radius, sizes) &&
               scree_reading_number(reading, disk, SCREE_KEY_disk_shape_thickness, &template->thickness);
    return read_clump(reading, scree_reading_node(shape, SCREE_KEY_shape_clump), template, sizes);
}

// --- adding bodies

double scree_build_template_mass(const struct scree_build_template *template, double density, double radius)
{
    const double volume = template->thickness > 0 ? SCREE_PI * radius * radius * template->thickness
                                                  : 4.0 / 3.0 * SCREE_PI * radius * radius * radius;
    if (!template->clump || !(template->clump->given_mass > 0))
        return density * volume;
    const double scale = radius / template->clump->radius;
    return template->clump->given_mass * (template->thickness > 0 ? scale * scale : scale * scale * scale);
}

// Sets the shapes of the polyhedra of a clump.
static scree_status set_shapes(struct scree_world *world, const struct scree_clumps_shape *clump,
                               double scale, struct scree_pebble *pebble)
{
    for (size_t p = 0; p < clump->pebbles; ++p) {
        const struct scree_polyhedra_shape *polyhedron = scree_clumps_polyhedron(clump, p);
        if (!polyhedron)
            continue;
        pebble[p].radius = 0;
        memcpy(pebble[p].orientation, clump->part[p].orientation, sizeof pebble[p].orientation);
        SCREE_TRY(scree_polyhedron_insert_scaled(world, polyhedron->core.vertex, polyhedron->row, scale,
                                                 &pebble[p].shape));
    }
    return SCREE_OK;
}

static scree_status add_clump(struct scree_world *world, const struct scree_pack_body *body,
                              const struct scree_build_template *template)
{
    const struct scree_clumps_shape *clump = template->clump;
    const double r = body->radius;
    double density;
    struct scree_pebble *pebble;
    scree_body_id id;
    SCREE_TRY(scree_material_get(world, template->material, "density", &density));
    const double mass = scree_build_template_mass(template, density, r);
    struct scree_clump_def def = {
        .body = {.mass = mass, .material = template->material, .fixed = template->fixed},
        .pebbles = clump->pebbles,
        .equal_radius = r,
        .shape = clump->number};
    memcpy(def.body.position, body->position, sizeof def.body.position);
    memcpy(def.body.velocity, template->velocity, sizeof def.body.velocity);
    memcpy(def.body.spin, template->spin, sizeof def.body.spin);
    memcpy(def.axes, clump->axes, sizeof def.axes);
    scree_quat_store(scree_quat_product(scree_quat_load(body->orientation), scree_quat_load(clump->axes)),
                     def.body.orientation);
    def.body.polar = template->thickness > 0 ? mass * r * r * clump->square[2] : 0;
    for (int k = 0; k < 3 && !(template->thickness > 0); ++k)
        def.body.inertia[k] = mass * r * r * clump->square[k];
    SCREE_TRY(scree_memory_new(clump->pebbles, sizeof *pebble, (void **)&pebble));
    for (size_t p = 0; p < clump->pebbles; ++p) {
        for (int k = 0; k < 3; ++k)
            pebble[p].offset[k] = r * clump->principal[p].offset[k];
        pebble[p].radius = r * clump->principal[p].radius;
        pebble[p].material.value = clump->material[p];
    }
    def.pebble = pebble;
    scree_status status = set_shapes(world, clump, r / clump->radius, pebble);
    if (status == SCREE_OK)
        status = scree_body_add_clump(world, &def, &id);
    scree_memory_free(pebble);
    return status;
}

static scree_status add_polyhedron(struct scree_world *world, const struct scree_pack_body *body,
                                   const struct scree_build_template *template)
{
    const struct scree_polyhedra_shape *polyhedron = template->polyhedron;
    struct scree_polyhedron_def def = {
        .material = template->material, .fixed = template->fixed, .thickness = template->thickness};
    scree_body_id id;
    SCREE_TRY(scree_polyhedron_insert_scaled(world, polyhedron->core.vertex, polyhedron->row,
                                             body->radius / polyhedron->radius, &def.shape));
    memcpy(def.position, body->position, sizeof def.position);
    memcpy(def.orientation, body->orientation, sizeof def.orientation);
    memcpy(def.velocity, template->velocity, sizeof def.velocity);
    memcpy(def.spin, template->spin, sizeof def.spin);
    return scree_polyhedron_add(world, &def, &id);
}

scree_status scree_build_template_add(struct scree_world *world, const struct scree_pack_body *body,
                                      const struct scree_build_template *template)
{
    scree_body_id id;
    struct scree_sphere_def sphere = {
        .radius = body->radius, .material = template->material, .fixed = template->fixed};
    struct scree_disk_def disk = {.radius = body->radius,
                                  .thickness = template->thickness,
                                  .material = template->material,
                                  .spin = template->spin[2],
                                  .fixed = template->fixed};
    if (template->clump)
        return add_clump(world, body, template);
    if (template->polyhedron)
        return add_polyhedron(world, body, template);
    for (int k = 0; k < 3; ++k) {
        sphere.position[k] = body->position[k];
        sphere.velocity[k] = template->velocity[k];
        sphere.spin[k] = template->spin[k];
    }
    memcpy(disk.position, body->position, sizeof disk.position);
    memcpy(disk.velocity, template->velocity, sizeof disk.velocity);
    return template->thickness > 0 ? scree_body_add_disk(world, &disk, &id)
                                   : scree_body_add_sphere(world, &sphere, &id);
}

// --- single clumps

scree_status scree_build_clump(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *map)
{
    struct scree_build_template template = {
        .fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_clump_body_fixed),
        .clump = scree_clumps_read(reading, map, SCREE_KEY_clump_body_shape)};
    struct scree_pack_body body;
    double scale;
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_clump_body_material, &template.material));
    bool good = scree_reading_number(reading, map, SCREE_KEY_clump_body_scale, &scale);
    good = scree_reading_vector(reading, map, SCREE_KEY_clump_body_at, body.position) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_clump_body_velocity, template.velocity) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_clump_body_spin, template.spin) && good;
    good = scree_reading_orientation(reading, scree_reading_node(map, SCREE_KEY_clump_body_orientation),
                                     body.orientation) &&
           good;
    good =
        scree_build_thickness(reading, map, SCREE_KEY_clump_body_thickness, "clump", &template.thickness) &&
        good;
    if (!good || !template.clump || template.material.value == 0)
        return SCREE_OK;
    body.radius = scale * template.clump->radius;
    return scree_reading_report_status(reading, map, scree_build_template_add(world, &body, &template));
}
