// The bodies of fillings and insertions, and single clumps, see build.h.

#include "build/build.h"
#include "math/quat.h"
#include "math/real.h"

#include <scree/body.h>
#include <scree/material.h>

#include <string.h>

// --- reading

// Reads the thickness, which clumps have in two dimensions only.
static bool read_thickness(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                           struct scree_build_template *template)
{
    const bool flat = reading->dimension == 2;
    if (flat != scree_reading_has(map, key))
        return scree_reading_report(reading, map,
                                    flat ? "in two dimensions a clump needs a 'thickness'"
                                         : "in three dimensions a clump has no 'thickness'");
    return !flat || scree_reading_number(reading, map, key, &template->thickness);
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

static bool read_clump(struct scree_reading *reading, const struct scree_node *map,
                       struct scree_build_template *template, struct scree_sizes *sizes)
{
    const struct scree_clumps_shape *clump = scree_clumps_read(reading, map, SCREE_KEY_clump_shape_shape);
    const struct scree_node *spread = scree_reading_node(map, SCREE_KEY_clump_shape_spread);
    size_t rotation;
    if (!clump)
        return false;
    scree_build_template_set_clump(template, clump);
    bool good = scree_build_orientation(reading, scree_reading_node(map, SCREE_KEY_clump_shape_orientation),
                                        template->shape.given);
    if (spread) {
        good = scree_build_spread(reading, spread, &template->shape) && good;
    } else {
        good = scree_reading_word(reading, map, SCREE_KEY_clump_shape_rotate, &rotation) && good;
        template->shape.rotation = (enum scree_pack_rotation)(good ? rotation : 0);
    }
    scree_sizes_equal(sizes, clump->radius);
    if (scree_reading_has(map, SCREE_KEY_clump_shape_radius))
        good = scree_reading_sizes(reading, map, SCREE_KEY_clump_shape_radius, sizes) && good;
    return read_thickness(reading, map, SCREE_KEY_clump_shape_thickness, template) && good;
}

bool scree_build_template_read(struct scree_reading *reading, const struct scree_node *shape,
                               struct scree_build_template *template, struct scree_sizes *sizes)
{
    const struct scree_node *sphere = scree_reading_node(shape, SCREE_KEY_shape_sphere);
    const struct scree_node *disk = scree_reading_node(shape, SCREE_KEY_shape_disk);
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
    const scree_status status = scree_body_add_clump(world, &def, &id);
    scree_memory_free(pebble);
    return status;
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
    good = scree_build_orientation(reading, scree_reading_node(map, SCREE_KEY_clump_body_orientation),
                                   body.orientation) &&
           good;
    good = read_thickness(reading, map, SCREE_KEY_clump_body_thickness, &template) && good;
    if (!good || !template.clump || template.material.value == 0)
        return SCREE_OK;
    body.radius = scale * template.clump->radius;
    return scree_reading_report_status(reading, map, scree_build_template_add(world, &body, &template));
}
