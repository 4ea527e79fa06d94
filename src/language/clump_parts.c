// Reads the parts of clumps made of spheres and polyhedra, see clump_parts.h.

#include "language/clump_parts.h"

#include "base/memory.h"
#include "language/reading.h"
#include "math/quat.h"
#include "shape/mass_parts.h"

static bool read_polyhedron(struct scree_reading *reading, const struct scree_node *map,
                            struct scree_clump_part *part)
{
    part->polyhedron = scree_polyhedra_read(reading, map, SCREE_KEY_clump_part_polyhedron);
    if (!part->polyhedron ||
        !scree_reading_orientation(reading, scree_reading_node(map, SCREE_KEY_clump_part_orientation),
                                   part->orientation))
        return false;
    const struct scree_quat turn = scree_quat_normalise(scree_quat_load(part->orientation));
    // `at` is the origin of its axes
    const struct scree_vec3 arm = scree_quat_rotate(turn, scree_vec3_load(part->polyhedron->row.centre));
    scree_quat_store(turn, part->orientation);
    scree_vec3_store(scree_vec3_add(scree_vec3_load(part->centre), arm), part->centre);
    part->radius = part->polyhedron->reach;
    return true;
}

bool scree_clump_parts_read(struct scree_reading *reading, const struct scree_node *map,
                            struct scree_clump_part *part)
{
    return scree_reading_vector(reading, map, SCREE_KEY_clump_part_at, part->centre) &&
           (scree_reading_has(map, SCREE_KEY_clump_part_polyhedron)
                ? read_polyhedron(reading, map, part)
                : scree_reading_number(reading, map, SCREE_KEY_clump_part_sphere, &part->radius));
}

static struct scree_shape_part shape_part_of(const struct scree_clump_part *part)
{
    const struct scree_polyhedra_shape *polyhedron = part->polyhedron;
    struct scree_shape_part out = {.centre = scree_vec3_load(part->centre), .radius = part->radius};
    if (!polyhedron)
        return out;
    out.shape = &polyhedron->row;
    out.core = &polyhedron->core;
    out.axes = scree_quat_to_matrix(scree_quat_normalise(
        scree_quat_product(scree_quat_load(part->orientation), scree_quat_load(polyhedron->row.axes))));
    return out;
}

scree_status scree_clump_parts_mass(const struct scree_clump_part *part, size_t parts, bool given,
                                    struct scree_shape_mass *mass)
{
    struct scree_shape_part *all;
    SCREE_TRY(scree_memory_new(parts, sizeof *all, (void **)&all));
    for (size_t p = 0; p < parts; ++p)
        all[p] = shape_part_of(&part[p]);
    const scree_status status = scree_shape_mass_parts(all, parts, given, mass);
    scree_memory_free(all);
    return status;
}
