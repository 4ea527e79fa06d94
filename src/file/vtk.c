// Grids for ParaView, see vtk.h.

#include "file/vtk.h"

#include "file/hdf.h"

#include <stdio.h>

static size_t corners(const struct scree_vtk_grid *grid)
{
    return grid->cell == SCREE_VTK_TRIANGLE ? 3 : grid->cell == SCREE_VTK_LINE ? 2 : 1;
}

scree_status scree_vtk_add(struct scree_vtk_grid *grid, const char *name, scree_type type, unsigned width,
                           bool of_cells, struct scree_vtk_array **array)
{
    struct scree_vtk_array added = {.type = type, .width = width, .of_cells = of_cells};
    strncpy(added.name, name, sizeof added.name - 1);
    SCREE_TRY(scree_array_reserve(&grid->arrays, grid->arrays.count + 1));
    SCREE_TRY(
        scree_memory_new(of_cells ? grid->cells : grid->points, width * scree_field_size(type), &added.data));
    *array = &grid->arrays.data[grid->arrays.count++];
    **array = added;
    return SCREE_OK;
}

void scree_vtk_free(struct scree_vtk_grid *grid)
{
    for (size_t a = 0; a < grid->arrays.count; ++a)
        scree_memory_free(grid->arrays.data[a].data);
    scree_array_free(&grid->arrays);
    scree_memory_free(grid->point);
    scree_memory_free(grid->corner);
    *grid = (struct scree_vtk_grid){0};
}

static scree_status write_one(struct scree_hdf *hdf, const char *name, int64_t value)
{
    return scree_hdf_write(hdf, name, &(struct scree_hdf_shape){SCREE_I64, 1, 0}, &value, 0);
}

// Writes 0, stride, 2 stride, ...
static scree_status write_multiples(struct scree_hdf *hdf, const char *name, size_t count, size_t stride,
                                    int deflate)
{
    int64_t *value;
    SCREE_TRY(scree_memory_new(count, sizeof *value, (void **)&value));
    for (size_t k = 0; k < count; ++k)
        value[k] = (int64_t)(k * stride);
    const scree_status status =
        scree_hdf_write(hdf, name, &(struct scree_hdf_shape){SCREE_I64, count, 0}, value, deflate);
    scree_memory_free(value);
    return status;
}

static scree_status write_types(struct scree_hdf *hdf, const struct scree_vtk_grid *grid, int deflate)
{
    char *type;
    SCREE_TRY(scree_memory_new(grid->cells, 1, (void **)&type));
    if (grid->cells > 0)
        memset(type, (int)grid->cell, grid->cells);
    const scree_status status = scree_hdf_write(
        hdf, "/VTKHDF/Types", &(struct scree_hdf_shape){SCREE_CHAR, grid->cells, 0}, type, deflate);
    scree_memory_free(type);
    return status;
}

static scree_status write_cells(struct scree_hdf *hdf, const struct scree_vtk_grid *grid, int deflate)
{
    const size_t ids = grid->cells * corners(grid);
    SCREE_TRY(write_one(hdf, "/VTKHDF/NumberOfPoints", (int64_t)grid->points));
    SCREE_TRY(write_one(hdf, "/VTKHDF/NumberOfCells", (int64_t)grid->cells));
    SCREE_TRY(write_one(hdf, "/VTKHDF/NumberOfConnectivityIds", (int64_t)ids));
    SCREE_TRY(write_types(hdf, grid, deflate));
    SCREE_TRY(write_multiples(hdf, "/VTKHDF/Offsets", grid->cells + 1, corners(grid), deflate));
    if (!grid->corner)
        return write_multiples(hdf, "/VTKHDF/Connectivity", ids, 1, deflate);
    return scree_hdf_write(hdf, "/VTKHDF/Connectivity", &(struct scree_hdf_shape){SCREE_I64, ids, 0},
                           grid->corner, deflate);
}

static scree_status write_arrays(struct scree_hdf *hdf, const struct scree_vtk_grid *grid, int deflate)
{
    SCREE_TRY(scree_hdf_group(hdf, "/VTKHDF/PointData"));
    SCREE_TRY(scree_hdf_group(hdf, "/VTKHDF/CellData"));
    for (size_t a = 0; a < grid->arrays.count; ++a) {
        const struct scree_vtk_array *array = &grid->arrays.data[a];
        const struct scree_hdf_shape shape = {array->type, array->of_cells ? grid->cells : grid->points,
                                              array->width == 1 ? 0 : array->width};
        char path[100];
        snprintf(path, sizeof path, "/VTKHDF/%s/%s", array->of_cells ? "CellData" : "PointData", array->name);
        SCREE_TRY(scree_hdf_write(hdf, path, &shape, array->data, deflate));
    }
    return SCREE_OK;
}

static scree_status write_all(struct scree_hdf *hdf, const struct scree_vtk_grid *grid, int deflate)
{
    SCREE_TRY(scree_hdf_group(hdf, "/VTKHDF"));
    SCREE_TRY(scree_hdf_set(hdf, "/VTKHDF", "Version", SCREE_I64, 2, (const int64_t[]){1, 0}));
    SCREE_TRY(scree_hdf_set_text(hdf, "/VTKHDF", "Type", "UnstructuredGrid"));
    SCREE_TRY(write_cells(hdf, grid, deflate));
    SCREE_TRY(scree_hdf_write(hdf, "/VTKHDF/Points",
                              &(struct scree_hdf_shape){grid->position_type, grid->points, 3}, grid->point,
                              deflate));
    SCREE_TRY(write_arrays(hdf, grid, deflate));
    SCREE_TRY(scree_hdf_group(hdf, "/VTKHDF/FieldData"));
    SCREE_TRY(scree_hdf_write(hdf, "/VTKHDF/FieldData/time", &(struct scree_hdf_shape){SCREE_F64, 1, 0},
                              &grid->time, 0));
    return write_one(hdf, "/VTKHDF/FieldData/step", grid->step);
}

// version 1 was written by the HDF5 library, in another layout
const struct scree_checksum_kind scree_vtk_checksum = {
    "frame", 2,
    "an older version of Scree in a layout of HDF5 that this version does not read: convert it to CSV with "
    "that version (scree convert), read it with another program (ParaView, h5py), or run its scene again"};

scree_status scree_vtk_write(const struct scree_vtk_grid *grid, int deflate, void **image, size_t *size)
{
    struct scree_hdf hdf;
    *image = NULL;
    *size = 0;
    SCREE_TRY(scree_hdf_create(&hdf, SCREE_CHECKSUM_HEADER));
    scree_status status = write_all(&hdf, grid, deflate);
    if (status == SCREE_OK)
        status = scree_hdf_finish(&hdf, image, size);
    else
        scree_hdf_close(&hdf);
    if (status == SCREE_OK)
        scree_checksum_write(&scree_vtk_checksum, *image, *size);
    return status;
}

scree_status scree_vtk_open(struct scree_hdf *hdf, const char *path, const void *image, size_t size)
{
    *hdf = (struct scree_hdf){0};
    SCREE_TRY(scree_checksum_check(&scree_vtk_checksum, path, image, size));
    return scree_hdf_open(hdf, image, size);
}
