// The mesh of a wall from a file, see build.h.

#include "build/wall_mesh.h"

#include "base/memory.h"
#include "build/build.h"
#include "file/path.h"

#include <stdio.h>

// Reads the unit and the transformation of a mesh.
static bool read_def(struct scree_reading *reading, const struct scree_node *map, struct scree_mesh_def *def)
{
    const struct scree_node *orientation = scree_reading_node(map, SCREE_KEY_wall_mesh_orientation);
    bool good = scree_reading_text(reading, map, SCREE_KEY_wall_mesh_unit, &def->unit);
    good = scree_reading_number(reading, map, SCREE_KEY_wall_mesh_scale, &def->scale) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_wall_mesh_tolerance, &def->tolerance) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_wall_mesh_move, def->translation) && good;
    return scree_reading_orientation(reading, orientation, def->rotation) && good;
}

// Warns of what was repaired.
static void warn_of_repairs(struct scree_reading *reading, const struct scree_node *node,
                            const struct scree_mesh_report *report)
{
    const struct scree_reading_callbacks *callbacks = &reading->callbacks;
    const size_t changes =
        report->degenerate + report->mended + report->duplicates + report->flipped + report->near_vertices;
    char at[SCREE_DIAGNOSTIC_PLACE], text[400];
    if (changes == 0 || !callbacks->warn)
        return;
    snprintf(text, sizeof text,
             "%s: the mesh was repaired: of %zu facets, %zu without area and %zu duplicates were removed, "
             "%zu joined with neighbours and %zu turned over; %zu vertices were moved onto others",
             scree_diagnostic_place(&reading->diagnostics, &node->place, at), report->facets_read,
             report->degenerate, report->duplicates, report->mended, report->flipped, report->near_vertices);
    callbacks->warn(callbacks->user, text);
}

// Warns of T-junctions: a body at such a seam touches the open edge beside the facet that it lies on.
static void warn_of_junctions(struct scree_reading *reading, const struct scree_node *node,
                              const struct scree_mesh_report *report)
{
    const struct scree_reading_callbacks *callbacks = &reading->callbacks;
    const double *place = report->junctions.first[0].position;
    char at[SCREE_DIAGNOSTIC_PLACE], text[400];
    if (report->junctions.count == 0 || !callbacks->warn)
        return;
    snprintf(
        text, sizeof text,
        "%s: the mesh has %zu T-junctions, vertices on an open edge of another facet, the first at (%.6g, "
        "%.6g, %.6g): a body there touches both and is pushed too much. Divide the other facet there",
        scree_diagnostic_place(&reading->diagnostics, &node->place, at), report->junctions.count, place[0],
        place[1], place[2]);
    callbacks->warn(callbacks->user, text);
}

bool scree_build_wall_mesh(struct scree_reading *reading, const struct scree_node *map,
                           struct scree_mesh *mesh, struct scree_wall_def *def)
{
    const struct scree_node *node = scree_reading_node(map, SCREE_KEY_wall_mesh_file);
    struct scree_mesh_def how = {0};
    struct scree_mesh_report report;
    const char *name;
    char *path = NULL;
    bool good = scree_reading_number(reading, map, SCREE_KEY_wall_mesh_smooth, &def->mesh.smooth_angle);
    good = scree_reading_text(reading, map, SCREE_KEY_wall_mesh_file, &name) && good;
    if (!read_def(reading, map, &how) || !good)
        return false;
    scree_status status = scree_path_join(reading->folder, name, &path);
    if (status == SCREE_OK)
        status = scree_mesh_read(path, &how, mesh, &report);
    scree_memory_free(path);
    if (status == SCREE_ERROR_MEMORY)
        reading->values.status = status;
    else if (status != SCREE_OK)
        scree_reading_report(reading, node, "%s", scree_status_message());
    if (status != SCREE_OK)
        return false;
    warn_of_repairs(reading, node, &report);
    warn_of_junctions(reading, node, &report);
    def->mesh.vertex = (const double(*)[3])mesh->vertex;
    def->mesh.vertices = mesh->vertices;
    def->mesh.facet = (const uint32_t(*)[3])mesh->facet;
    def->mesh.facets = mesh->facets;
    def->mesh.vertex_error = mesh->error;
    return true;
}
