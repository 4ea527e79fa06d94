// The block of a file, see hdf_block.h.

#include "file/hdf_block.h"

#include "base/memory.h"

#include <hdf5.h>
#include <string.h>

enum {
    FIRST = 1 << 16, // bytes that a file begins with
    SLACK = 1 << 16  // that HDF5 may need besides data, more than it takes in one call
};

static void *get_block(size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    struct scree_hdf_image *image = (struct scree_hdf_image *)context;
    return size <= image->room ? image->block : NULL;
}

// HDF5 copies an image to where it keeps it, which is where it is.
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
    if (image->borrowed || (size > image->room && size > image->spare_room))
        return NULL;
    if (size > image->room) {
        memcpy(image->spare, image->block, image->size);
        scree_memory_free(image->block);
        image->block = image->spare;
        image->room = image->spare_room;
        image->spare = NULL;
        image->spare_room = 0;
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

// Properties of HDF5 are copied, what they point to is not.
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
    image->room = FIRST + image->userblock;
    SCREE_TRY(scree_memory_new(image->room, 1, (void **)&image->block));
    return scree_hdf_block_room(image, 0);
}

scree_status scree_hdf_block_room(struct scree_hdf_image *image, size_t size)
{
    size_t wanted;
    if (__builtin_add_overflow(image->size, size, &wanted) ||
        __builtin_add_overflow(wanted, 2 * SLACK, &wanted))
        return scree_status_fail(SCREE_ERROR_LIMIT, "a file of HDF5 cannot have %zu bytes more", size);
    if (wanted <= image->room || wanted <= image->spare_room)
        return SCREE_OK;
    scree_memory_free(image->spare);
    image->spare = NULL;
    image->spare_room = 0;
    wanted = wanted > image->room + image->room / 2 ? wanted : image->room + image->room / 2;
    SCREE_TRY(scree_memory_new(wanted, 1, (void **)&image->spare));
    image->spare_room = wanted;
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
