// Writing HDF5 files in memory, see hdf.h for the functions and hdf_format.h for the bytes: data are appended
// to the image as they come, and the tree of groups and data sets is kept until the file is finished; then
// the places of all headers are known, and they are written behind the data.

#include "base/array.h"
#include "base/memory.h"
#include "file/hdf_format.h"

enum {
    FIRST = 1 << 16,      // bytes of the first block of memory
    LEAST_PACKED = 1 << 9 // smaller data sets are not compressed
};

// A group or data set. Members of a group are a list in the order of their names; 0 ends it, because the root
// group, node 0, is not a member of a group.
struct node {
    char *name;
    size_t length; // of the name
    size_t first, next;
    bool group, attributed;
    SCREE_ARRAY(unsigned char) messages; // all except links
    uint64_t address;                    // of its header
};

struct scree_hdf_writer {
    struct scree_hdf_image image;
    size_t userblock;
    bool failed; // some call failed
    SCREE_ARRAY(struct node) nodes;
};

scree_status scree_hdf_write_reserve(struct scree_hdf_image *image, size_t more)
{
    size_t wanted;
    unsigned char *larger;
    if (__builtin_add_overflow(image->size, more, &wanted))
        return scree_status_fail(SCREE_ERROR_LIMIT, "a file is too large with %zu more bytes", more);
    if (wanted <= image->capacity)
        return SCREE_OK;
    const size_t half_more = image->capacity + image->capacity / 2;
    wanted = wanted > half_more ? wanted : half_more;
    wanted = wanted > FIRST ? wanted : FIRST;
    SCREE_TRY(scree_memory_new(wanted, 1, (void **)&larger));
    if (image->size > 0)
        memcpy(larger, image->data, image->size);
    scree_memory_free(image->data);
    image->data = larger;
    image->capacity = wanted;
    return SCREE_OK;
}

// --- the tree

// Compares names as strcmp does, the second one ending at a slash or at the end.
static int compare(const struct node *node, const char *name, size_t length)
{
    const int order = memcmp(node->name, name, node->length < length ? node->length : length);
    return order != 0 ? order : node->length < length ? -1 : node->length > length;
}

// Finds a member of a group; if there is none, `*before` is the one after which it belongs, 0 for the first.
static bool find_member(const struct scree_hdf_writer *writer, size_t group, const char *name, size_t length,
                        size_t *member, size_t *before)
{
    const struct node *nodes = writer->nodes.data;
    *before = 0;
    for (*member = nodes[group].first; *member != 0; *member = nodes[*member].next) {
        const int order = compare(&nodes[*member], name, length);
        if (order >= 0)
            return order == 0;
        *before = *member;
    }
    return false;
}

// Finds the group or data set whose path are the first `length` bytes of `path`; none of them is the root
// group.
static bool find(const struct scree_hdf_writer *writer, const char *path, size_t length, size_t *node)
{
    size_t before;
    *node = 0;
    for (size_t at = 0; at < length;) {
        const char *name = path + at + 1;
        const size_t size = strcspn(name, "/");
        if (path[at] != '/' || !find_member(writer, *node, name, size, node, &before))
            return false;
        at += 1 + size;
    }
    return true;
}

static scree_status fail(const char *what, const char *path, const char *why)
{
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "cannot write %s '%s' to a file: %s", what, path, why);
}

// Adds a group or data set without messages.
static scree_status add(struct scree_hdf_writer *writer, const char *what, const char *path, size_t *node)
{
    size_t group, next, before;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : "";
    struct node added = {0};
    if (!slash || !find(writer, path, (size_t)(slash - path), &group) || !writer->nodes.data[group].group)
        return fail(what, path, "there is no such group");
    added.length = strlen(name);
    if (!scree_hdf_format_is_name((const unsigned char *)name, added.length))
        return fail(what, path, "a name has 1 to 255 bytes and no control characters");
    if (find_member(writer, group, name, added.length, &next, &before))
        return fail(what, path, "it exists already");
    added.next = next;
    SCREE_TRY(scree_memory_new(added.length + 1, 1, (void **)&added.name));
    memcpy(added.name, name, added.length);
    const scree_status status = scree_array_push(&writer->nodes, added);
    if (status != SCREE_OK) {
        scree_memory_free(added.name);
        return status;
    }
    *node = writer->nodes.count - 1;
    *(before == 0 ? &writer->nodes.data[group].first : &writer->nodes.data[before].next) = *node;
    return SCREE_OK;
}

// Makes room for `size` more bytes of messages, which are to be written to `to`.
static scree_status extend(struct node *node, size_t size, unsigned char **to)
{
    SCREE_TRY(scree_array_reserve(&node->messages, node->messages.count + size));
    *to = node->messages.data + node->messages.count;
    node->messages.count += size;
    return SCREE_OK;
}

static scree_status start_group(struct node *node)
{
    unsigned char *to;
    node->group = true;
    SCREE_TRY(extend(node, SCREE_HDF_GROUP, &to));
    (void)scree_hdf_format_put(to, scree_hdf_format_group_start, SCREE_HDF_GROUP);
    return SCREE_OK;
}

// A file can only be closed after a failure.
static scree_status check(struct scree_hdf_writer *writer, scree_status status)
{
    writer->failed = writer->failed || status != SCREE_OK;
    return status;
}

scree_status scree_hdf_write_group(struct scree_hdf_writer *writer, const char *path)
{
    size_t node;
    scree_status status = add(writer, "the group", path, &node);
    if (status == SCREE_OK)
        status = start_group(&writer->nodes.data[node]);
    return check(writer, status);
}

scree_status scree_hdf_write_begin(struct scree_hdf_writer **made, size_t userblock)
{
    *made = NULL;
    if (userblock != 0 && (userblock < 512 || (userblock & (userblock - 1)) != 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a user block has 0, 512, 1024, 2048, ... bytes, not %zu", userblock);
    SCREE_TRY(scree_memory_new(1, sizeof **made, (void **)made));
    struct scree_hdf_writer *writer = *made;
    writer->userblock = userblock;
    scree_status status = scree_hdf_write_reserve(&writer->image, userblock + SCREE_HDF_SUPERBLOCK);
    writer->image.size = userblock + SCREE_HDF_SUPERBLOCK;
    if (status == SCREE_OK)
        status = scree_array_push(&writer->nodes, (struct node){0});
    return status == SCREE_OK ? start_group(&writer->nodes.data[0]) : status;
}

// --- data

static scree_status put_data(struct scree_hdf_writer *writer, const char *path, const void *data,
                             struct scree_hdf_place *place)
{
    struct scree_hdf_image *image = &writer->image;
    const struct scree_hdf_shape *shape = &place->shape;
    size_t bytes, packed = 0;
    if (!scree_hdf_format_bytes(shape, &bytes))
        return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' is larger than can be addressed", path);
    place->address = SCREE_HDF_NOWHERE;
    if (bytes == 0)
        return SCREE_OK;
    const size_t gap = (0 - image->size) % SCREE_HDF_ALIGNMENT;
    SCREE_TRY(scree_hdf_write_reserve(image, gap));
    memset(image->data + image->size, 0, gap);
    image->size += gap;
    place->address = image->size - writer->userblock;
    if (place->level > 0 && bytes >= LEAST_PACKED && bytes <= SCREE_HDF_MOST_CHUNK)
        SCREE_TRY(
            scree_hdf_deflate(image, data, bytes, scree_field_size(shape->type), (int)place->level, &packed));
    place->packed = packed;
    if (packed > 0)
        return SCREE_OK;
    SCREE_TRY(scree_hdf_write_reserve(image, bytes));
    memcpy(image->data + image->size, data, bytes);
    image->size += bytes;
    return SCREE_OK;
}

static scree_status write_set(struct scree_hdf_writer *writer, const char *path,
                              const struct scree_hdf_shape *shape, const void *data, int deflate)
{
    size_t node;
    struct scree_hdf_place place = {.shape = *shape, .level = deflate > 0 ? (unsigned)deflate : 0};
    unsigned char messages[SCREE_HDF_DATA], *to;
    SCREE_TRY(add(writer, "the data set", path, &node));
    SCREE_TRY(put_data(writer, path, data, &place));
    const size_t size = (size_t)(scree_hdf_format_put_place(messages, &place) - messages);
    SCREE_TRY(extend(&writer->nodes.data[node], size, &to));
    (void)scree_hdf_format_put(to, messages, size);
    return SCREE_OK;
}

scree_status scree_hdf_write_data(struct scree_hdf_writer *writer, const char *path,
                                  const struct scree_hdf_shape *shape, const void *data, int deflate)
{
    return check(writer, write_set(writer, path, shape, data, deflate));
}

// --- attributes

struct attribute {
    const char *name;
    unsigned char type[20];
    size_t type_size;
    int rank;
    size_t count; // of rank 1
    const void *data;
    size_t size, room; // bytes of the data, and for them
};

static scree_status start_attributes(struct node *node)
{
    unsigned char *to;
    if (node->attributed)
        return SCREE_OK;
    node->attributed = true;
    SCREE_TRY(extend(node, SCREE_HDF_ATTRIBUTES, &to));
    (void)scree_hdf_format_put(to, scree_hdf_format_attributes_start, SCREE_HDF_ATTRIBUTES);
    return SCREE_OK;
}

static scree_status write_attribute(struct scree_hdf_writer *writer, const char *path,
                                    const struct attribute *attribute)
{
    size_t node;
    unsigned char *to;
    const size_t name = strlen(attribute->name) + 1, space = attribute->rank == 0 ? 4 : 12;
    if (!find(writer, path, strcmp(path, "/") == 0 ? 0 : strlen(path), &node))
        return fail("the attribute of", path, "there is no such group or data set");
    if (name > SCREE_HDF_MOST_MESSAGE / 2 || attribute->room > SCREE_HDF_MOST_MESSAGE / 2)
        return scree_status_fail(SCREE_ERROR_LIMIT, "the attribute '%.100s' of '%s' is larger than %d bytes",
                                 attribute->name, path, SCREE_HDF_MOST_MESSAGE / 2);
    const size_t size = 9 + name + attribute->type_size + space + attribute->room;
    SCREE_TRY(start_attributes(&writer->nodes.data[node]));
    SCREE_TRY(extend(&writer->nodes.data[node], SCREE_HDF_MESSAGE + size, &to));
    to = scree_hdf_format_put_message(to, SCREE_HDF_ATTRIBUTE, size, 0);
    to = scree_hdf_format_put(to, (const unsigned char[]){3, 0}, 2);
    to = scree_hdf_format_put_number(to, name, 2);
    to = scree_hdf_format_put_number(to, attribute->type_size, 2);
    to = scree_hdf_format_put_number(to, space, 2);
    // the name is ASCII
    to = scree_hdf_format_put_number(to, 0, 1);
    to = scree_hdf_format_put(to, attribute->name, name);
    to = scree_hdf_format_put(to, attribute->type, attribute->type_size);
    to = scree_hdf_format_put_space(to, attribute->rank, attribute->count, 0);
    to = scree_hdf_format_put(to, attribute->data, attribute->size);
    memset(to, 0, attribute->room - attribute->size);
    return SCREE_OK;
}

scree_status scree_hdf_write_numbers(struct scree_hdf_writer *writer, const char *path, const char *name,
                                     scree_type type, size_t count, const void *values)
{
    struct attribute attribute = {.name = name,
                                  .type_size = scree_hdf_format_datatypes[type].size,
                                  .rank = 1,
                                  .count = count,
                                  .data = values,
                                  .size = count * scree_field_size(type)};
    attribute.room = attribute.size;
    memcpy(attribute.type, scree_hdf_format_datatypes[type].bytes, attribute.type_size);
    return check(writer, write_attribute(writer, path, &attribute));
}

scree_status scree_hdf_write_text(struct scree_hdf_writer *writer, const char *path, const char *name,
                                  const char *text)
{
    struct attribute attribute = {
        .name = name, .type_size = SCREE_HDF_TEXT, .data = text, .size = strlen(text)};
    // HDF5 has no texts of length 0
    attribute.room = attribute.size > 0 ? attribute.size : 1;
    (void)scree_hdf_format_put_number(
        scree_hdf_format_put(attribute.type, scree_hdf_format_text, sizeof scree_hdf_format_text),
        attribute.room, 4);
    return check(writer, write_attribute(writer, path, &attribute));
}

// --- headers

// Lists the nodes in breadth-first order, and gives each header its address; returns the end of the file.
static uint64_t place_headers(struct scree_hdf_writer *writer, size_t *order)
{
    struct node *nodes = writer->nodes.data;
    uint64_t address = writer->image.size - writer->userblock;
    size_t listed = 1;
    order[0] = 0;
    for (size_t k = 0; k < writer->nodes.count; ++k) {
        struct node *node = &nodes[order[k]];
        node->address = address;
        address += SCREE_HDF_PREFIX + node->messages.count + SCREE_HDF_CHECKSUM;
        for (size_t member = node->first; member != 0; member = nodes[member].next) {
            address += SCREE_HDF_LINK + nodes[member].length;
            order[listed++] = member;
        }
    }
    return address;
}

static unsigned char *put_link(unsigned char *to, const struct node *member)
{
    to = scree_hdf_format_put_message(to, SCREE_HDF_LINK_TO,
                                      SCREE_HDF_LINK - SCREE_HDF_MESSAGE + member->length, 0);
    // version, no flags: a hard link whose name has a length of 1 byte
    to = scree_hdf_format_put(to, (const unsigned char[]){1, 0, (unsigned char)member->length}, 3);
    to = scree_hdf_format_put(to, member->name, member->length);
    return scree_hdf_format_put_number(to, member->address, 8);
}

static unsigned char *put_header(unsigned char *to, const struct node *nodes, const struct node *node)
{
    unsigned char *from = to;
    // version 2, the number of bytes has 4
    to = scree_hdf_format_put(to, "OHDR\2\2\0\0\0", SCREE_HDF_PREFIX);
    to = scree_hdf_format_put(to, node->messages.data, node->messages.count);
    for (size_t member = node->first; member != 0; member = nodes[member].next)
        to = put_link(to, &nodes[member]);
    (void)scree_hdf_format_put_number(from + SCREE_HDF_PREFIX - 4, (uint64_t)(to - from - SCREE_HDF_PREFIX),
                                      4);
    return scree_hdf_format_put_checksum(to, from);
}

static scree_status put_headers(struct scree_hdf_writer *writer)
{
    struct scree_hdf_image *image = &writer->image;
    size_t *order;
    SCREE_TRY(scree_memory_new(writer->nodes.count, sizeof *order, (void **)&order));
    const uint64_t end = place_headers(writer, order);
    const uint64_t root = image->size - writer->userblock;
    const scree_status status = end - root > UINT32_MAX
                                    ? scree_status_fail(SCREE_ERROR_LIMIT, "too many data sets in a file")
                                    : scree_hdf_write_reserve(image, end - root);
    if (status == SCREE_OK) {
        unsigned char *to = image->data + image->size;
        for (size_t k = 0; k < writer->nodes.count; ++k)
            to = put_header(to, writer->nodes.data, &writer->nodes.data[order[k]]);
        image->size += end - root;
        (void)scree_hdf_format_put_superblock(image->data + writer->userblock, writer->userblock, end, root);
    }
    scree_memory_free(order);
    return status;
}

scree_status scree_hdf_write_finish(struct scree_hdf_writer *writer, void **image, size_t *size)
{
    if (writer->failed)
        return scree_status_fail(SCREE_ERROR_STATE, "cannot complete a file after a failed write");
    SCREE_TRY(put_headers(writer));
    *image = writer->image.data;
    *size = writer->image.size;
    writer->image.data = NULL;
    return SCREE_OK;
}

void scree_hdf_write_free(struct scree_hdf_writer *writer)
{
    for (size_t n = 0; writer && n < writer->nodes.count; ++n) {
        scree_memory_free(writer->nodes.data[n].name);
        scree_array_free(&writer->nodes.data[n].messages);
    }
    if (writer) {
        scree_array_free(&writer->nodes);
        scree_memory_free(writer->image.data);
    }
    scree_memory_free(writer);
}
