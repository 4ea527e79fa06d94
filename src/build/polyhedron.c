// Builds the polyhedra of a scene, see build.h.

#include "world/polyhedron.h"

#include "base/memory.h"
#include "build/build.h"

#include <scree/polyhedron.h>
#include <scree/polyhedron_shape.h>
#include <scree/world.h>

static scree_status add_vertices(struct scree_reading *reading, struct scree_world *world,
                                 const struct scree_node *map, double rounding, scree_shape_id *shape)
{
    double(*vertex)[3];
    const size_t count = scree_reading_count(map, SCREE_KEY_polyhedron_vertices);
    SCREE_TRY(scree_memory_new(count, sizeof *vertex, (void **)&vertex));
    scree_status status = SCREE_OK;
    if (scree_reading_triples(reading, map, SCREE_KEY_polyhedron_vertices, vertex)) {
        const struct scree_polyhedron_shape_def def = {
            .vertex = (const double(*)[3])vertex, .vertices = count, .rounding = rounding};
        status = scree_reading_report_status(reading, scree_reading_node(map, SCREE_KEY_polyhedron_vertices),
                                             scree_polyhedron_add_shape(world, &def, shape));
    }
    scree_memory_free(vertex);
    return status;
}

// Adds the shape; after a reported error its id stays 0.
static scree_status add_shape(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map, scree_shape_id *shape)
{
    double rounding, length[3], scale;
    if (scree_reading_has(map, SCREE_KEY_polyhedron_shape)) {
        const struct scree_polyhedra_shape *named =
            scree_polyhedra_read(reading, map, SCREE_KEY_polyhedron_shape);
        if (!named || !scree_reading_number(reading, map, SCREE_KEY_polyhedron_scale, &scale))
            return SCREE_OK;
        return scree_reading_report_status(
            reading, map,
            scree_polyhedron_insert_scaled(world, named->core.vertex, named->row, scale, shape));
    }
    if (!scree_reading_number(reading, map, SCREE_KEY_polyhedron_rounding, &rounding))
        return SCREE_OK;
    if (scree_reading_has(map, SCREE_KEY_polyhedron_vertices))
        return add_vertices(reading, world, map, rounding, shape);
    length[2] = 0;
    if (scree_world_dimension(world) == 2
            ? !scree_polyhedra_fits(reading, map, SCREE_KEY_polyhedron_box) ||
                  !scree_reading_value(reading, map, SCREE_KEY_polyhedron_rectangle, length)
            : !scree_polyhedra_fits(reading, map, SCREE_KEY_polyhedron_rectangle) ||
                  !scree_reading_vector(reading, map, SCREE_KEY_polyhedron_box, length))
        return SCREE_OK;
    return scree_reading_report_status(reading, map,
                                       scree_polyhedron_add_box(world, length, rounding, shape));
}

scree_status scree_build_polyhedron(struct scree_reading *reading, struct scree_world *world,
                                    const struct scree_node *map)
{
    struct scree_polyhedron_def def = {
        .fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_polyhedron_fixed)};
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_polyhedron_material, &def.material));
    bool good = scree_reading_vector(reading, map, SCREE_KEY_polyhedron_at, def.position);
    good = scree_reading_vector(reading, map, SCREE_KEY_polyhedron_velocity, def.velocity) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_polyhedron_spin, def.spin) && good;
    good = scree_reading_orientation(reading, scree_reading_node(map, SCREE_KEY_polyhedron_orientation),
                                     def.orientation) &&
           good;
    good =
        scree_build_thickness(reading, map, SCREE_KEY_polyhedron_thickness, "polyhedron", &def.thickness) &&
        good;
    SCREE_TRY(add_shape(reading, world, map, &def.shape));
    if (!good || def.material.value == 0 || def.shape.value == 0)
        return SCREE_OK;
    scree_body_id id;
    return scree_reading_report_status(reading, map, scree_polyhedron_add(world, &def, &id));
}
