// Finds radii whose unit was probably forgotten, see scene.h.
//
// A radius without a unit is in metres. It is doubtful if its body is wider than every vessel of the scene
// and than the box of the world, or a hundred times larger than all bodies of the other entries.

#include "build/build.h"
#include "math/real.h"
#include "scene/scene.h"
#include "world/cell.h"
#include "world/wall.h"
#include "world/wall_shape.h"

#include <stdio.h>

static const double ratio_limit = 100;

// The radius of the bodies of an entry: its largest value, and its node.
struct size {
    double largest;
    const struct scree_node *node;
};

// Reads the radius of the shape of a filling or an insertion.
static struct size size_of_shape(struct scree_reading *reading, const struct scree_node *shape)
{
    const struct scree_node *sphere = scree_reading_node(shape, SCREE_KEY_shape_sphere),
                            *disk = scree_reading_node(shape, SCREE_KEY_shape_disk),
                            *clump = scree_reading_node(shape, SCREE_KEY_shape_clump),
                            *polyhedron = scree_reading_node(shape, SCREE_KEY_shape_polyhedron);
    struct scree_build_template template = {0};
    struct scree_sizes sizes;
    if (!scree_build_template_read(reading, shape, &template, &sizes))
        return (struct size){0};
    // the sizes of clumps and polyhedra without a radius are those in `clumps` and `polyhedra`
    if (clump || polyhedron) {
        const struct scree_node *radius =
            clump ? scree_reading_node(clump, SCREE_KEY_clump_shape_radius)
                  : scree_reading_node(polyhedron, SCREE_KEY_polyhedron_shape_radius);
        return (struct size){radius ? sizes.largest : 0, radius};
    }
    return (struct size){sizes.largest, sphere ? scree_reading_node(sphere, SCREE_KEY_sphere_shape_radius)
                                               : scree_reading_node(disk, SCREE_KEY_disk_shape_radius)};
}

// The radius of an entry of `bodies` or `insert`; 0 if it has none.
static struct size size_of(struct scree_reading *reading, const struct scree_node *entry)
{
    const struct scree_node *sphere = scree_reading_node(entry, SCREE_KEY_bodies_sphere),
                            *disk = scree_reading_node(entry, SCREE_KEY_bodies_disk),
                            *fill = scree_reading_node(entry, SCREE_KEY_bodies_fill);
    struct size size = {0};
    if (scree_reading_has(entry, SCREE_KEY_insert_shape))
        return size_of_shape(reading, scree_reading_node(entry, SCREE_KEY_insert_shape));
    if (fill)
        return size_of_shape(reading, scree_reading_node(fill, SCREE_KEY_fill_shape));
    if (sphere && scree_reading_number(reading, sphere, SCREE_KEY_sphere_radius, &size.largest))
        size.node = scree_reading_node(sphere, SCREE_KEY_sphere_radius);
    if (disk && scree_reading_number(reading, disk, SCREE_KEY_disk_radius, &size.largest))
        size.node = scree_reading_node(disk, SCREE_KEY_disk_radius);
    return size;
}

// The entries with bodies: those of `bodies`, then those of `insert`; null past the last.
static const struct scree_node *entry_at(const struct scree_reading *reading, size_t index)
{
    static const enum scree_key_id lists[] = {SCREE_KEY_scene_bodies, SCREE_KEY_scene_insert};
    for (size_t k = 0; k < 2; ++k) {
        const struct scree_node *list = scree_reading_node(reading->root, lists[k]);
        const size_t count = list ? list->count : 0;
        if (index < count)
            return list->item[index];
        index -= count;
    }
    return NULL;
}

// Diameter of the largest sphere in a wall that holds bodies inside; 0 for other walls.
static double inner_width(const struct scree_wall *wall)
{
    const double *size = wall->size;
    switch (wall->shape) {
    case SCREE_WALL_CYLINDER:
    case SCREE_WALL_CONE:
        return 2 * scree_real_max(size[0], size[1]);
    case SCREE_WALL_SPHERE:
        return wall->side == SCREE_WALL_INSIDE ? 2 * size[0] : 0;
    case SCREE_WALL_BOX:
        return wall->side == SCREE_WALL_INSIDE ? 2 * scree_real_min(size[0], scree_real_min(size[1], size[2]))
                                               : 0;
    default:
        return 0;
    }
}

// Width of the widest vessel or of the box of the world; 0 if there is none.
static double widest_vessel(const struct scree_world *world)
{
    const struct scree_cell *cell = scree_world_cell(world);
    double widest = 0, edge = (double)INFINITY;
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        widest = scree_real_max(widest, inner_width(scree_wall_row(world, w)));
    for (int k = 0; k < world->dimension; ++k)
        edge = scree_real_min(edge, cell->upper[k] - cell->lower[k]);
    return edge > 0 ? scree_real_max(widest, edge) : widest;
}

static double largest_other(struct scree_reading *reading, const struct scree_node *entry)
{
    const struct scree_node *other;
    double largest = 0;
    for (size_t k = 0; (other = entry_at(reading, k)); ++k)
        if (other != entry)
            largest = scree_real_max(largest, size_of(reading, other).largest);
    return largest;
}

const struct scree_node *scree_size_checks_find(struct scree_reading *reading,
                                                const struct scree_world *world,
                                                const struct scree_node *entry,
                                                char text[SCREE_SIZE_CHECKS_TEXT])
{
    const struct size size = size_of(reading, entry);
    if (!(size.largest > 0) || size.node->kind != SCREE_NODE_TEXT ||
        scree_value_has_unit(&reading->values, size.node))
        return NULL;
    const double widest = widest_vessel(world), other = largest_other(reading, entry);
    if (widest > 0 && 2 * size.largest > widest)
        snprintf(
            text, SCREE_SIZE_CHECKS_TEXT,
            "the radius has no unit and counts as %g m, but the widest vessel or box is %g m wide: write "
            "the unit, as in `radius: %g mm`",
            size.largest, widest, size.largest);
    else if (other > 0 && size.largest > ratio_limit * other)
        snprintf(
            text, SCREE_SIZE_CHECKS_TEXT,
            "the radius has no unit and counts as %g m, %.3g times the largest radius of all other entries, "
            "%g m: write the unit, as in `radius: %g mm`",
            size.largest, size.largest / other, other, size.largest);
    else
        return NULL;
    return size.node;
}

void scree_size_checks_warn(struct scree_reading *reading, const struct scree_world *world,
                            scree_text_function *warn, void *user)
{
    // each entry is compared with all others
    enum { MAX_ENTRIES = 2000 };
    char text[SCREE_SIZE_CHECKS_TEXT], place[SCREE_DIAGNOSTIC_PLACE],
        line[SCREE_SIZE_CHECKS_TEXT + SCREE_DIAGNOSTIC_PLACE];
    const struct scree_node *entry;
    for (size_t k = 0; warn && k < MAX_ENTRIES && (entry = entry_at(reading, k)); ++k) {
        const struct scree_node *node = scree_size_checks_find(reading, world, entry, text);
        if (!node)
            continue;
        snprintf(line, sizeof line, "%s: %s",
                 scree_diagnostic_place(&reading->diagnostics, &node->place, place), text);
        warn(user, line);
    }
}
