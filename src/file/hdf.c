// HDF5 files in memory, see hdf.h: hdf_write.c and hdf_read.c do the work.

#include "file/hdf.h"

#include "file/hdf_format.h"

// --- writing

scree_status scree_hdf_create(struct scree_hdf *hdf, size_t userblock)
{
    *hdf = (struct scree_hdf){0};
    const scree_status status = scree_hdf_write_begin(&hdf->writer, userblock);
    if (status != SCREE_OK)
        scree_hdf_close(hdf);
    return status;
}

scree_status scree_hdf_group(struct scree_hdf *hdf, const char *path)
{
    return scree_hdf_write_group(hdf->writer, path);
}

scree_status scree_hdf_write(struct scree_hdf *hdf, const char *path, const struct scree_hdf_shape *shape,
                             const void *data, int deflate)
{
    return scree_hdf_write_data(hdf->writer, path, shape, data, deflate);
}

scree_status scree_hdf_set(struct scree_hdf *hdf, const char *path, const char *name, scree_type type,
                           size_t count, const void *values)
{
    return scree_hdf_write_numbers(hdf->writer, path, name, type, count, values);
}

scree_status scree_hdf_set_text(struct scree_hdf *hdf, const char *path, const char *name, const char *text)
{
    return scree_hdf_write_text(hdf->writer, path, name, text);
}

scree_status scree_hdf_finish(struct scree_hdf *hdf, void **image, size_t *size)
{
    *image = NULL;
    *size = 0;
    const scree_status status = scree_hdf_write_finish(hdf->writer, image, size);
    scree_hdf_close(hdf);
    return status;
}

// --- reading

scree_status scree_hdf_open(struct scree_hdf *hdf, const void *image, size_t size)
{
    *hdf = (struct scree_hdf){0};
    const scree_status status = scree_hdf_read_open(&hdf->reader, image, size);
    if (status != SCREE_OK)
        scree_hdf_close(hdf);
    return status;
}

scree_status scree_hdf_find(struct scree_hdf *hdf, const char *path, struct scree_hdf_shape *shape)
{
    return scree_hdf_read_find(hdf->reader, path, shape);
}

scree_status scree_hdf_read(struct scree_hdf *hdf, const char *path, const struct scree_hdf_shape *shape,
                            void *data)
{
    return scree_hdf_read_data(hdf->reader, path, shape, data);
}

bool scree_hdf_has(struct scree_hdf *hdf, const char *path)
{
    return scree_hdf_read_has(hdf->reader, path);
}

scree_status scree_hdf_get(struct scree_hdf *hdf, const char *path, const char *name, scree_type type,
                           size_t count, void *values)
{
    return scree_hdf_read_numbers(hdf->reader, path, name, type, count, values);
}

scree_status scree_hdf_get_text(struct scree_hdf *hdf, const char *path, const char *name, char *text,
                                size_t capacity)
{
    return scree_hdf_read_text(hdf->reader, path, name, text, capacity);
}

scree_status scree_hdf_count(struct scree_hdf *hdf, const char *path, size_t *count)
{
    return scree_hdf_read_count(hdf->reader, path, count);
}

scree_status scree_hdf_name(struct scree_hdf *hdf, const char *path, size_t index, char *name,
                            size_t capacity)
{
    return scree_hdf_read_name(hdf->reader, path, index, name, capacity);
}

// --- closing

void scree_hdf_close(struct scree_hdf *hdf)
{
    scree_hdf_write_free(hdf->writer);
    scree_hdf_read_free(hdf->reader);
    *hdf = (struct scree_hdf){0};
}
