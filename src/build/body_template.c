// Creates spheres and disks from a template, see body_template.h.

#include "build/body_template.h"

#include "build/build.h"

#include <scree/body.h>

#include <string.h>

bool scree_body_template_read(struct scree_reading *reading, const struct scree_node *shape,
                              struct scree_body_template *template, struct scree_sizes *sizes)
{
    const struct scree_node *sphere = scree_reading_node(shape, SCREE_KEY_shape_sphere);
    const struct scree_node *disk = scree_reading_node(shape, SCREE_KEY_shape_disk);
    if (sphere)
        return scree_reading_sizes(reading, sphere, SCREE_KEY_grain_radius, sizes);
    return scree_reading_sizes(reading, disk, SCREE_KEY_flat_radius, sizes) &&
           scree_reading_number(reading, disk, SCREE_KEY_flat_thickness, &template->thickness);
}

scree_status scree_body_template_add(struct scree_world *world, const struct scree_fill_grain *grain,
                                     const struct scree_body_template *template)
{
    scree_body_id id;
    struct scree_sphere_def sphere = {
        .radius = grain->radius, .material = template->material, .fixed = template->fixed};
    struct scree_disk_def disk = {.radius = grain->radius,
                                  .thickness = template->thickness,
                                  .material = template->material,
                                  .fixed = template->fixed};
    memcpy(sphere.position, grain->position, sizeof sphere.position);
    memcpy(sphere.velocity, template->velocity, sizeof sphere.velocity);
    memcpy(disk.position, grain->position, sizeof disk.position);
    memcpy(disk.velocity, template->velocity, sizeof disk.velocity);
    return template->thickness > 0 ? scree_body_add_disk(world, &disk, &id)
                                   : scree_body_add_sphere(world, &sphere, &id);
}
