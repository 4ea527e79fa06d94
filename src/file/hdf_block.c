// The block of memory of an HDF5 file, see hdf_block.h.

#include "file/hdf_block.h"

#include "base/memory.h"

#include <hdf5.h>
#include <string.h>

enum {
    FIRST = 1 << 16, // bytes of the first block
    SLACK = 1 << 16  // bytes for metadata, more than HDF5 needs in one call
};

static void *get_block(size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    struct scree_hdf_image *image = (struct scree_hdf_image *)context;
    return size <= image->capacity ? image->block : NULL;
}

// HDF5 copies an image into its block; here both are the same.
static void *copy_block(void *to, const void *from, size_t size, H5FD_file_image_op_t operation,
                        void *context)
{
    (void)operation;
    (void)context;
    return to == from ? to : memcpy(to, from, size);
}

static void *resize_block(void *block, size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    (void)block;
    struct scree_hdf_image *image = (struct scree_hdf_image *)context;
    if (image->borrowed || (size > image->capacity && size > image->spare_capacity))
        return NULL;
    if (size > image->capacity) {
        memcpy(image->spare, image->block, image->size);
        scree_memory_free(image->block);
        image->block = image->spare;
        image->capacity = image->spare_capacity;
        image->spare = NULL;
        image->spare_capacity = 0;
    }
    image->size = size;
    return image->block;
}

static herr_t keep_block(void *block, H5FD_file_image_op_t operation, void *context)
{
    (void)block;
    (void)operation;
    (void)context;
    return 0;
}

// Called when HDF5 copies a property list: both copies share the image.
static void *same_context(void *context)
{
    return context;
}

static herr_t keep_context(void *context)
{
    return context ? 0 : -1;
}

scree_status scree_hdf_block_begin(struct scree_hdf_image *image)
{
    image->capacity = FIRST + image->userblock;
    SCREE_TRY(scree_memory_new(image->capacity, 1, (void **)&image->block));
    return scree_hdf_block_reserve(image, 0);
}

scree_status scree_hdf_block_reserve(struct scree_hdf_image *image, size_t size)
{
    size_t wanted;
    if (__builtin_add_overflow(image->size, size, &wanted) ||
        __builtin_add_overflow(wanted, 2 * SLACK, &wanted))
        return scree_status_fail(SCREE_ERROR_LIMIT, "a file of HDF5 cannot have %zu bytes more", size);
    if (wanted <= image->capacity || wanted <= image->spare_capacity)
        return SCREE_OK;
    scree_memory_free(image->spare);
    image->spare = NULL;
    image->spare_capacity = 0;
    wanted = wanted > image->capacity + image->capacity / 2 ? wanted : image->capacity + image->capacity / 2;
    SCREE_TRY(scree_memory_new(wanted, 1, (void **)&image->spare));
    image->spare_capacity = wanted;
    return SCREE_OK;
}

bool scree_hdf_block_use(struct scree_hdf_image *image, int64_t access)
{
    H5FD_file_image_callbacks_t callbacks = {.image_malloc = get_block,
                                             .image_memcpy = copy_block,
                                             .image_realloc = resize_block,
                                             .image_free = keep_block,
                                             .udata_copy = same_context,
                                             .udata_free = keep_context,
                                             .udata = image};
    return H5Pset_fapl_core(access, FIRST, 0) >= 0 && H5Pset_file_image_callbacks(access, &callbacks) >= 0 &&
           (!image->borrowed || H5Pset_file_image(access, image->block, image->size) >= 0);
}

void scree_hdf_block_free(struct scree_hdf_image *image)
{
    if (image && !image->borrowed)
        scree_memory_free(image->block);
    if (image)
        scree_memory_free(image->spare);
    scree_memory_free(image);
}
