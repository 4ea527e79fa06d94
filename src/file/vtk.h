// Frames for ParaView: VTK HDF, UnstructuredGrid, version 1.0 (the one that ParaView 5.11 reads), one piece.
//
// A grid has points and cells of one type, each with arrays of numbers. Invariants: a grid owns its data; the
// image of a file depends only on the data; damaged files are refused (checksum.h).

#ifndef SCREE_FILE_VTK_H
#define SCREE_FILE_VTK_H

#include "base/array.h"
#include "file/checksum.h"
#include "file/hdf.h"

#include <scree/field.h>

#include <string.h>

// Cell types of VTK.
enum scree_vtk_cell { SCREE_VTK_VERTEX = 1, SCREE_VTK_LINE = 3, SCREE_VTK_TRIANGLE = 5 };

struct scree_vtk_array {
    char name[64];
    scree_type type;
    unsigned width;
    bool of_cells;
    void *data; // one row per point or cell
};

struct scree_vtk_grid {
    size_t points, cells;
    scree_type position_type; // of the coordinates: SCREE_F32 or SCREE_F64
    void *point;              // [points][3]
    enum scree_vtk_cell cell;
    int64_t *corner; // [cells][1, 2 or 3] point numbers; null for vertices: cell k is point k
    SCREE_ARRAY(struct scree_vtk_array) arrays;
    double time;
    int64_t step;
};

// Adds an array of zeros with one row per point or cell. The pointer is valid until the next array is added.
SCREE_NODISCARD scree_status scree_vtk_add(struct scree_vtk_grid *grid, const char *name, scree_type type,
                                           unsigned width, bool of_cells, struct scree_vtk_array **array);

// Makes the image of a file; free it by scree_memory_free.
SCREE_NODISCARD scree_status scree_vtk_write(const struct scree_vtk_grid *grid, int deflate, void **image,
                                             size_t *size);

// The checksum header of frames.
extern const struct scree_checksum_kind scree_vtk_checksum;

// Checks the checksum of an image and opens it by scree_hdf_open; `path` is for messages.
SCREE_NODISCARD scree_status scree_vtk_open(struct scree_hdf *hdf, const char *path, const void *image,
                                            size_t size);

void scree_vtk_free(struct scree_vtk_grid *grid);

// Stores a real number, rounded if `type` is SCREE_F32.
static inline void scree_vtk_store(void *data, scree_type type, size_t place, double value)
{
    const float narrow = (float)value;
    if (type == SCREE_F64)
        memcpy((char *)data + place * sizeof value, &value, sizeof value);
    else
        memcpy((char *)data + place * sizeof narrow, &narrow, sizeof narrow);
}

#endif
