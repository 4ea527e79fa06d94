// Writes a scene with its variables, and with bodies instead of the files that define their shapes, see
// print.h.

#include "language/clumps.h"
#include "language/polyhedra.h"
#include "language/print.h"
#include "language/print_out.h"

#include <string.h>

static void put_variables(struct scree_print_out *out)
{
    const struct scree_values *values = &out->reading->values;
    size_t count = 0;
    scree_print_out_write(out, "variables: {");
    for (size_t v = 0; v < values->variables.count; ++v) {
        if (count++ > 0)
            scree_print_out_comma(out);
        scree_print_out_text(out, values->variables.data[v].name);
        scree_print_out_write(out, ": ");
        scree_print_out_node(out, values->variables.data[v].node);
    }
    scree_print_out_write(out, "}\n");
}

// Ends a map with its keys but those that were replaced.
static void put_others(struct scree_print_out *out, const struct scree_node *map,
                       const enum scree_key_id *replaced, size_t count)
{
    for (size_t k = 0; k < map->count; ++k) {
        bool is_replaced = false;
        for (size_t n = 0; n < count; ++n)
            is_replaced |= strcmp(map->item[2 * k]->text, scree_key_rows[replaced[n]].name) == 0;
        if (is_replaced)
            continue;
        scree_print_out_comma(out);
        scree_print_out_text(out, map->item[2 * k]->text);
        scree_print_out_write(out, ": ");
        scree_print_out_node(out, map->item[2 * k + 1]);
    }
    scree_print_out_write(out, "}");
}

// Writes a shape by the vertices of its mesh instead of the file.
static void put_vertices(struct scree_print_out *out, const struct scree_node *map,
                         const struct scree_polyhedra_shape *shape)
{
    scree_print_out_write(out, "{vertices: [");
    for (size_t v = 0; v < shape->vertices && !out->too_long; ++v) {
        if (v > 0)
            scree_print_out_comma(out);
        scree_print_out_numbers(out, shape->vertex[v], 3);
    }
    scree_print_out_write(out, "], vertex-error: ");
    scree_print_out_number(out, shape->vertex_error);
    static const enum scree_key_id replaced[] = {SCREE_KEY_polyhedra_mesh};
    put_others(out, map, replaced, 1);
}

// Writes a clump by its pebbles, and the values of a body of uniform density that the file gives.
static void put_pebbles(struct scree_print_out *out, const struct scree_node *map,
                        const struct scree_clumps_shape *shape)
{
    static const enum scree_key_id replaced[] = {SCREE_KEY_clump_file, SCREE_KEY_clump_unit,
                                                 SCREE_KEY_clump_mass};
    const bool flat = out->reading->dimension == 2, uniform = shape->uniform.volume > 0;
    const struct scree_node *mass = scree_reading_node(map, SCREE_KEY_clump_mass),
                            *given = mass ? scree_reading_node(mass, SCREE_KEY_clump_mass_given) : NULL;
    scree_print_out_write(out, flat ? "{disks: [" : "{spheres: [");
    for (size_t p = 0; p < shape->pebbles && !out->too_long; ++p) {
        scree_print_out_write(out, p > 0 ? ", {radius: " : "{radius: ");
        scree_print_out_number(out, shape->of_file[p].radius);
        scree_print_out_write(out, ", at: ");
        scree_print_out_numbers(out, shape->of_file[p].offset, 3);
        scree_print_out_write(out, "}");
    }
    scree_print_out_write(out, "]");
    if (uniform) {
        scree_print_out_write(out, flat ? ", mass: {uniform: {area: " : ", mass: {uniform: {volume: ");
        scree_print_out_number(out, shape->uniform.volume);
        scree_print_out_write(out, ", centre: ");
        scree_print_out_numbers(out, shape->uniform.centre, 3);
        scree_print_out_write(out, ", tensor: ");
        scree_print_out_numbers(out, shape->uniform.inertia, 6);
        scree_print_out_write(out, given ? "}, given: " : "}}");
    }
    if (uniform && given) {
        scree_print_out_node(out, given);
        scree_print_out_write(out, "}");
    }
    put_others(out, map, replaced, uniform ? 3 : 2);
}

// Writes the shapes of polyhedra and clumps without files, so that a restart makes the same bodies even if
// those have changed.
static void put_shapes(struct scree_print_out *out, const struct scree_node *map, bool clumps)
{
    scree_print_out_write(out, "{");
    for (size_t k = 0; k < map->count && !out->too_long; ++k) {
        const char *name = map->item[2 * k]->text;
        const struct scree_polyhedra_shape *polyhedron =
            clumps ? NULL : scree_polyhedra_find(out->reading, name);
        const struct scree_clumps_shape *clump = clumps ? scree_clumps_find(out->reading, name) : NULL;
        if (k > 0)
            scree_print_out_comma(out);
        scree_print_out_text(out, name);
        scree_print_out_write(out, ": ");
        if (polyhedron && polyhedron->vertices > 0)
            put_vertices(out, map->item[2 * k + 1], polyhedron);
        else if (clump && clump->of_file)
            put_pebbles(out, map->item[2 * k + 1], clump);
        else
            scree_print_out_node(out, map->item[2 * k + 1]);
    }
    scree_print_out_write(out, "}");
}

scree_status scree_print_unexpanded(struct scree_reading *reading, scree_text_function *write, void *user)
{
    struct scree_print_out out = {
        .write = write, .user = user, .reading = reading, .left = SCREE_TREE_BYTES, .unexpanded = true};
    const struct scree_node *root = reading->root,
                            *polyhedra = scree_reading_node(root, SCREE_KEY_scene_polyhedra),
                            *clumps = scree_reading_node(root, SCREE_KEY_scene_clumps);
    put_variables(&out);
    for (size_t k = 0; k < root->count && !out.too_long; ++k) {
        if (strcmp(root->item[2 * k]->text, scree_key_rows[SCREE_KEY_scene_variables].name) == 0)
            continue;
        scree_print_out_text(&out, root->item[2 * k]->text);
        scree_print_out_write(&out, ": ");
        if (root->item[2 * k + 1] == polyhedra || root->item[2 * k + 1] == clumps)
            put_shapes(&out, root->item[2 * k + 1], root->item[2 * k + 1] == clumps);
        else
            scree_print_out_node(&out, root->item[2 * k + 1]);
        scree_print_out_write(&out, "\n");
    }
    return scree_print_out_end(&out);
}
