// The formats of meshes: what their readers share. See scree/mesh_file.h.
//
// Invariants: counts in a file never size an allocation beyond the size of the file. Numbers are finite and
// at most 1e40 in magnitude, so that products of three stay in range.

#ifndef SCREE_EXCHANGE_MESH_INPUT_H
#define SCREE_EXCHANGE_MESH_INPUT_H

#include "text/lines.h"

#include <scree/mesh.h>

typedef double scree_mesh_input_point[3];
typedef uint32_t scree_mesh_input_corners[3];

struct scree_mesh_input {
    const char *path;
    const char *format; // set by the reader, as in struct scree_mesh_report
    struct scree_lines lines;
    struct scree_diagnostics diagnostics;
    SCREE_ARRAY(scree_mesh_input_point) vertex;
    SCREE_ARRAY(scree_mesh_input_corners) facet;
    SCREE_ARRAY(uint32_t) number; // of each facet in the file, from 1
    double precision;             // largest error of a coordinate over the largest coordinate
    size_t digits;                // largest number of digits of a number of a text
};

// Read all of a file. Mistakes are diagnostics, or a failure.
SCREE_NODISCARD scree_status scree_mesh_stl_read(struct scree_mesh_input *input);
SCREE_NODISCARD scree_status scree_mesh_obj_read(struct scree_mesh_input *input);

// Reads three coordinates from words of the current line; reports a mistake and returns false then.
bool scree_mesh_input_point_read(struct scree_mesh_input *input, size_t *at, double point[3]);

// Add a vertex or a facet.
SCREE_NODISCARD scree_status scree_mesh_input_vertex(struct scree_mesh_input *input, const double point[3]);
SCREE_NODISCARD scree_status scree_mesh_input_facet(struct scree_mesh_input *input, uint32_t a, uint32_t b,
                                                    uint32_t c, uint32_t number);

#endif
