// HDF5 in memory, see hdf.h: HDF5's core driver keeps a file in one block of memory, see hdf_block.h.

#include "file/hdf.h"

#include "base/memory.h"
#include "file/hdf_block.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(hid_t) <= sizeof(int64_t), "struct scree_hdf can hold an HDF5 file id");

enum {
    CHUNK = 1 << 18,      // bytes of a compressed chunk
    LEAST_CHUNK = 1 << 9, // smaller data sets are not compressed
    MOST_FILTERS = 2,
    MOST_NAME = 1 << 12
};

// Prefix of file names in memory; HDF5 refuses an image with the name of an existing file.
static const char name_prefix[] = "/dev/null/scree";
enum { NAME = 48 };

// --- entering and leaving HDF5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The program's error handler of HDF5, which is restored on leaving.
struct visit {
    H5E_auto2_t handler;
    void *data;
};

static struct visit enter(void)
{
    struct visit visit = {0};
    pthread_mutex_lock(&lock);
    // no exit handler; only has an effect in the first call
    (void)H5dont_atexit();
    (void)H5Eget_auto2(H5E_DEFAULT, &visit.handler, &visit.data);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return visit;
}

static void leave(const struct visit *visit)
{
    (void)H5Eset_auto2(H5E_DEFAULT, visit->handler, visit->data);
    pthread_mutex_unlock(&lock);
}

// Takes the innermost error description of HDF5.
static herr_t take_reason(unsigned depth, const H5E_error2_t *error, void *to)
{
    const char **reason = (const char **)to;
    if (depth == 0 && error->desc)
        *reason = error->desc;
    return 0;
}

static scree_status fail(struct scree_hdf *hdf, const char *what, const char *path)
{
    const char *reason = "no reason given, perhaps out of memory";
    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, (void *)&reason);
    if (hdf->image)
        hdf->image->failed = true;
    return scree_status_fail(SCREE_ERROR_IO, "HDF5 cannot %s '%s': %s", what, path, reason);
}

// --- files

static void drop(struct scree_hdf *hdf)
{
    scree_hdf_block_free(hdf->image);
    *hdf = (struct scree_hdf){0};
}

// HDF5 treats open files of the same name as one: makes a unique name. Only called with the lock held.
static const char *name_file(char name[NAME])
{
    static uint64_t files;
    snprintf(name, NAME, "%s-%llu", name_prefix, (unsigned long long)++files);
    return name;
}

// Creates the access properties: core driver with the block of `image`.
static hid_t access_to(struct scree_hdf_image *image)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    // keep files small: the metadata of older versions take kilobytes per data set
    if (access >= 0 && scree_hdf_block_use(image, access) &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        return access;
    H5Pclose(access);
    return H5I_INVALID_HID;
}

// Creates or opens the file in the block; drops the block on failure.
static scree_status open_file(struct scree_hdf *hdf, bool create)
{
    const struct visit visit = enter();
    const hid_t access = access_to(hdf->image), creation = H5Pcreate(H5P_FILE_CREATE);
    char name[NAME];
    hdf->file = H5I_INVALID_HID;
    if (!create)
        hdf->file = H5Fopen(name_file(name), H5F_ACC_RDONLY, access);
    // times in a file would make it another one each time
    else if (H5Pset_userblock(creation, hdf->image->userblock) >= 0 &&
             H5Pset_obj_track_times(creation, false) >= 0)
        hdf->file = H5Fcreate(name_file(name), H5F_ACC_TRUNC, creation, access);
    const scree_status status =
        hdf->file >= 0
            ? SCREE_OK
            : fail(hdf, create ? "make a file in memory with a user block, of" : "open the file", "/");
    H5Pclose(creation);
    H5Pclose(access);
    leave(&visit);
    if (status != SCREE_OK)
        drop(hdf);
    return status;
}

// --- types

enum { STORED, IN_MEMORY };

// HDF5 types of a scree_type, in the file and in memory.
static hid_t type_of(scree_type type, int where)
{
    const hid_t all[][2] = {
        [SCREE_F64] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE}, [SCREE_F32] = {H5T_IEEE_F32LE, H5T_NATIVE_FLOAT},
        [SCREE_I64] = {H5T_STD_I64LE, H5T_NATIVE_INT64},   [SCREE_U64] = {H5T_STD_U64LE, H5T_NATIVE_UINT64},
        [SCREE_U32] = {H5T_STD_U32LE, H5T_NATIVE_UINT32},  [SCREE_U16] = {H5T_STD_U16LE, H5T_NATIVE_UINT16},
        [SCREE_CHAR] = {H5T_STD_U8LE, H5T_NATIVE_UINT8},
    };
    return all[type][where];
}

static bool find_type(hid_t stored, scree_type *type)
{
    for (*type = SCREE_F64; *type <= SCREE_CHAR; ++*type)
        if (H5Tequal(stored, type_of(*type, STORED)) > 0)
            return true;
    return false;
}

// --- writing

scree_status scree_hdf_create(struct scree_hdf *hdf, size_t userblock)
{
    *hdf = (struct scree_hdf){0};
    SCREE_TRY(scree_memory_new(1, sizeof *hdf->image, (void **)&hdf->image));
    hdf->image->userblock = userblock;
    const scree_status status = scree_hdf_block_begin(hdf->image);
    if (status != SCREE_OK)
        drop(hdf);
    return status == SCREE_OK ? open_file(hdf, true) : status;
}

scree_status scree_hdf_group(struct scree_hdf *hdf, const char *path)
{
    SCREE_TRY(scree_hdf_block_reserve(hdf->image, 0));
    const struct visit visit = enter();
    scree_status status = SCREE_OK;
    const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = H5I_INVALID_HID;
    if (H5Pset_obj_track_times(creation, false) >= 0)
        group = H5Gcreate2(hdf->file, path, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (group < 0)
        status = fail(hdf, "make the group", path);
    H5Gclose(group);
    H5Pclose(creation);
    leave(&visit);
    return status;
}

static int dimensions(const struct scree_hdf_shape *shape, hsize_t size[2])
{
    size[0] = shape->rows;
    size[1] = shape->width;
    return shape->width == 0 ? 1 : 2;
}

// Sets chunks of complete rows, at most as large as the data set.
static bool set_deflate(hid_t creation, const struct scree_hdf_shape *shape, int deflate)
{
    hsize_t chunk[2];
    const int rank = dimensions(shape, chunk);
    const size_t row = scree_field_size(shape->type) * (shape->width == 0 ? 1 : shape->width);
    if (deflate <= 0 || shape->rows * row < LEAST_CHUNK)
        return true;
    const size_t rows = CHUNK / row > 0 ? CHUNK / row : 1;
    chunk[0] = rows < shape->rows ? rows : shape->rows;
    return H5Pset_chunk(creation, rank, chunk) >= 0 && H5Pset_shuffle(creation) >= 0 &&
           H5Pset_deflate(creation, (unsigned)deflate) >= 0;
}

static scree_status write_data(struct scree_hdf *hdf, const char *path, const struct scree_hdf_shape *shape,
                               const void *data, int deflate)
{
    hsize_t size[2];
    const int rank = dimensions(shape, size);
    const hid_t space = H5Screate_simple(rank, size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = H5I_INVALID_HID;
    scree_status status = SCREE_OK;
    if (space >= 0 && creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
        set_deflate(creation, shape, deflate))
        set = H5Dcreate2(hdf->file, path, type_of(shape->type, STORED), space, H5P_DEFAULT, creation,
                         H5P_DEFAULT);
    if (set < 0 || (shape->rows > 0 &&
                    H5Dwrite(set, type_of(shape->type, IN_MEMORY), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
        status = fail(hdf, "write", path);
    if (set >= 0 && H5Dclose(set) < 0 && status == SCREE_OK)
        status = fail(hdf, "write", path);
    H5Pclose(creation);
    H5Sclose(space);
    return status;
}

scree_status scree_hdf_write(struct scree_hdf *hdf, const char *path, const struct scree_hdf_shape *shape,
                             const void *data, int deflate)
{
    size_t bytes;
    if (__builtin_mul_overflow(
            shape->rows, scree_field_size(shape->type) * (shape->width == 0 ? 1 : shape->width), &bytes))
        return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' is larger than can be addressed", path);
    // incompressible data grow by less than an eighth, including HDF5's metadata of chunks
    SCREE_TRY(scree_hdf_block_reserve(hdf->image, bytes + bytes / 8));
    const struct visit visit = enter();
    const scree_status status = write_data(hdf, path, shape, data, deflate);
    leave(&visit);
    return status;
}

static scree_status set_attribute(struct scree_hdf *hdf, const char *path, const char *name, hid_t stored,
                                  hid_t memory, hid_t space, const void *values)
{
    SCREE_TRY(scree_hdf_block_reserve(hdf->image, 0));
    const hid_t attribute =
        H5Acreate_by_name(hdf->file, path, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    scree_status status = SCREE_OK;
    if (attribute < 0 || H5Awrite(attribute, memory, values) < 0)
        status = fail(hdf, "write the attribute of", path);
    H5Aclose(attribute);
    return status;
}

scree_status scree_hdf_set(struct scree_hdf *hdf, const char *path, const char *name, scree_type type,
                           size_t count, const void *values)
{
    const struct visit visit = enter();
    const hid_t space = H5Screate_simple(1, &(hsize_t){count}, NULL);
    const scree_status status =
        set_attribute(hdf, path, name, type_of(type, STORED), type_of(type, IN_MEMORY), space, values);
    H5Sclose(space);
    leave(&visit);
    return status;
}

scree_status scree_hdf_set_text(struct scree_hdf *hdf, const char *path, const char *name, const char *text)
{
    const struct visit visit = enter();
    const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    scree_status status;
    // HDF5 has no texts of length 0
    if (H5Tset_size(type, strlen(text) > 0 ? strlen(text) : 1) < 0 ||
        H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)
        status = fail(hdf, "write the attribute of", path);
    else
        status = set_attribute(hdf, path, name, type, type, space, text);
    H5Tclose(type);
    H5Sclose(space);
    leave(&visit);
    return status;
}

scree_status scree_hdf_finish(struct scree_hdf *hdf, void **image, size_t *size)
{
    *image = NULL;
    *size = 0;
    const struct visit visit = enter();
    ssize_t length = -1;
    scree_status status = SCREE_OK;
    // without a buffer H5Fget_file_image returns the length of the file without the user block
    if (hdf->image->failed || H5Fflush(hdf->file, H5F_SCOPE_GLOBAL) < 0 ||
        (length = H5Fget_file_image(hdf->file, NULL, 0)) < 0)
        status = fail(hdf, "complete the file", "/");
    if (H5Fclose(hdf->file) < 0 && status == SCREE_OK)
        status = fail(hdf, "close the file", "/");
    leave(&visit);
    if (status == SCREE_OK) {
        *image = hdf->image->block;
        *size = (size_t)length + hdf->image->userblock;
        hdf->image->block = NULL;
    }
    drop(hdf);
    return status;
}

// --- reading

scree_status scree_hdf_open(struct scree_hdf *hdf, const void *image, size_t size)
{
    *hdf = (struct scree_hdf){0};
    SCREE_TRY(scree_memory_new(1, sizeof *hdf->image, (void **)&hdf->image));
    // HDF5 takes a non-const block but opens it read-only
    memcpy(&hdf->image->block, &image, sizeof image);
    hdf->image->size = hdf->image->capacity = size;
    hdf->image->borrowed = true;
    return open_file(hdf, false);
}

// Returns whether every part of a path exists and is a hard link in this file.
static bool path_exists(hid_t file, const char *path)
{
    char part[MOST_NAME];
    const size_t length = strlen(path);
    if (length >= sizeof part || path[0] != '/')
        return false;
    if (length == 1)
        return true;
    for (size_t end = 1; end <= length; ++end) {
        H5L_info_t link;
        if (end < length && path[end] != '/')
            continue;
        memcpy(part, path, end);
        part[end] = 0;
        if (H5Lget_info(file, part, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

// Returns whether a data set is contiguous or compressed in chunks, and stored in this file.
static bool is_plain(hid_t set)
{
    const hid_t creation = H5Dget_create_plist(set);
    const H5D_layout_t layout = H5Pget_layout(creation);
    bool plain = (layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) && H5Pget_external_count(creation) == 0;
    const int filters = layout == H5D_CHUNKED ? H5Pget_nfilters(creation) : 0;
    plain = plain && filters >= 0 && filters <= MOST_FILTERS;
    for (int f = 0; f < filters && plain; ++f) {
        unsigned flags, settings;
        size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(creation, (unsigned)f, &flags, &values, NULL, 0, NULL, &settings);
        plain = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE;
    }
    H5Pclose(creation);
    return plain;
}

static bool read_shape(hid_t set, struct scree_hdf_shape *shape)
{
    hsize_t size[2] = {0, 0};
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    bool known = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) == rank;
    known = known && size[0] <= SIZE_MAX / 8 && size[1] <= UINT32_MAX && (rank == 1 || size[1] > 0) &&
            find_type(type, &shape->type) && is_plain(set);
    shape->rows = (size_t)size[0];
    shape->width = (unsigned)size[1];
    H5Tclose(type);
    H5Sclose(space);
    return known;
}

// Opens a data set and gets its shape. The caller closes it unless the call fails.
static scree_status open_set(struct scree_hdf *hdf, const char *path, struct scree_hdf_shape *shape,
                             hid_t *set)
{
    *set = path_exists(hdf->file, path) ? H5Dopen2(hdf->file, path, H5P_DEFAULT) : H5I_INVALID_HID;
    if (*set < 0)
        return scree_status_fail(SCREE_ERROR_MISSING, "there is no data set '%s' in the file", path);
    if (read_shape(*set, shape))
        return SCREE_OK;
    H5Dclose(*set);
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "'%s' is not a list or table of numbers as Scree writes them", path);
}

scree_status scree_hdf_find(struct scree_hdf *hdf, const char *path, struct scree_hdf_shape *shape)
{
    hid_t set;
    *shape = (struct scree_hdf_shape){0};
    const struct visit visit = enter();
    const scree_status status = open_set(hdf, path, shape, &set);
    if (status == SCREE_OK)
        H5Dclose(set);
    leave(&visit);
    return status;
}

scree_status scree_hdf_read(struct scree_hdf *hdf, const char *path, const struct scree_hdf_shape *shape,
                            void *data)
{
    hid_t set;
    struct scree_hdf_shape found = {0};
    const struct visit visit = enter();
    scree_status status = open_set(hdf, path, &found, &set);
    if (status == SCREE_OK) {
        if (found.type != shape->type || found.rows != shape->rows || found.width != shape->width)
            status = scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' does not have the expected type and size",
                                       path);
        else if (found.rows > 0 &&
                 H5Dread(set, type_of(shape->type, IN_MEMORY), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
            status = fail(hdf, "read", path);
        H5Dclose(set);
    }
    leave(&visit);
    return status;
}

bool scree_hdf_has(struct scree_hdf *hdf, const char *path)
{
    const struct visit visit = enter();
    const bool has = path_exists(hdf->file, path);
    leave(&visit);
    return has;
}

// An open attribute with its space and type; the ids are invalid if it does not exist.
struct attribute {
    hid_t id, space, type;
};

static struct attribute open_attribute(struct scree_hdf *hdf, const char *path, const char *name)
{
    struct attribute found = {H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID};
    if (path_exists(hdf->file, path))
        found.id = H5Aopen_by_name(hdf->file, path, name, H5P_DEFAULT, H5P_DEFAULT);
    if (found.id >= 0) {
        found.space = H5Aget_space(found.id);
        found.type = H5Aget_type(found.id);
    }
    return found;
}

// Reads an attribute as type `memory` if `good`, and closes it.
static scree_status read_attribute(struct scree_hdf *hdf, const char *path, const char *name,
                                   const struct attribute *found, bool good, hid_t memory, void *values)
{
    scree_status status = SCREE_OK;
    if (!good)
        status = scree_status_fail(SCREE_ERROR_MISSING, "'%s' has no attribute '%s' of the expected type",
                                   path, name);
    else if (H5Aread(found->id, memory, values) < 0)
        status = fail(hdf, "read the attribute of", path);
    H5Tclose(found->type);
    H5Sclose(found->space);
    H5Aclose(found->id);
    return status;
}

scree_status scree_hdf_get(struct scree_hdf *hdf, const char *path, const char *name, scree_type type,
                           size_t count, void *values)
{
    const struct visit visit = enter();
    const struct attribute found = open_attribute(hdf, path, name);
    scree_type stored;
    const bool good = H5Sget_simple_extent_npoints(found.space) == (hssize_t)count &&
                      find_type(found.type, &stored) && stored == type;
    const scree_status status =
        read_attribute(hdf, path, name, &found, good, type_of(type, IN_MEMORY), values);
    leave(&visit);
    return status;
}

scree_status scree_hdf_get_text(struct scree_hdf *hdf, const char *path, const char *name, char *text,
                                size_t capacity)
{
    const struct visit visit = enter();
    const struct attribute found = open_attribute(hdf, path, name);
    memset(text, 0, capacity);
    const bool good = H5Sget_simple_extent_npoints(found.space) == 1 &&
                      H5Tget_class(found.type) == H5T_STRING && H5Tis_variable_str(found.type) == 0 &&
                      H5Tget_size(found.type) < capacity;
    const scree_status status = read_attribute(hdf, path, name, &found, good, found.type, text);
    leave(&visit);
    return status;
}

scree_status scree_hdf_count(struct scree_hdf *hdf, const char *path, size_t *count)
{
    const struct visit visit = enter();
    H5G_info_t facts = {0};
    scree_status status = SCREE_OK;
    if (!path_exists(hdf->file, path) || H5Gget_info_by_name(hdf->file, path, &facts, H5P_DEFAULT) < 0)
        status = scree_status_fail(SCREE_ERROR_MISSING, "there is no group '%s' in the file", path);
    *count = (size_t)facts.nlinks;
    leave(&visit);
    return status;
}

scree_status scree_hdf_name(struct scree_hdf *hdf, const char *path, size_t index, char *name,
                            size_t capacity)
{
    const struct visit visit = enter();
    scree_status status = SCREE_OK;
    const ssize_t length = path_exists(hdf->file, path)
                               ? H5Lget_name_by_idx(hdf->file, path, H5_INDEX_NAME, H5_ITER_INC, index, name,
                                                    capacity, H5P_DEFAULT)
                               : -1;
    if (length < 0 || (size_t)length >= capacity)
        status = scree_status_fail(SCREE_ERROR_MISSING,
                                   "'%s' has no member %zu with a name of less than %zu characters", path,
                                   index, capacity);
    leave(&visit);
    return status;
}

void scree_hdf_close(struct scree_hdf *hdf)
{
    if (!hdf->image)
        return;
    const struct visit visit = enter();
    H5Fclose(hdf->file);
    leave(&visit);
    drop(hdf);
}
