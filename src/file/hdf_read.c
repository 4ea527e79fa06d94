// Reading HDF5 files in memory, see hdf.h for the functions and hdf_format.h for the bytes. When a file is
// opened all headers are checked, and kept as a list of groups and data sets.
//
// A header is accepted only if writing its content again gives the same bytes, and if it begins where the
// previous one ends: so there are no cycles, no header is read twice, and the list
// is shorter than the file.

#include "base/array.h"
#include "base/memory.h"
#include "file/hdf_format.h"

#include <stdio.h>
#include <string.h>

// Bytes of the image.
struct span {
    const unsigned char *at;
    size_t size;
};

// A group or data set. The members of a group are neighbours in the list, in the order of their names.
struct node {
    struct span name, attributes;
    uint64_t header; // its address
    bool group;
    size_t first, count;          // members
    struct scree_hdf_place place; // of data
};

struct scree_hdf_reader {
    struct span file; // after the user block
    uint64_t headers; // address of the first one, behind the data
    SCREE_ARRAY(struct node) nodes;
};

// --- what can be wrong

static scree_status damaged(const char *what)
{
    return scree_status_fail(SCREE_ERROR_IO, "the HDF5 file is damaged: %s", what);
}

static scree_status foreign(const char *what)
{
    return scree_status_fail(
        SCREE_ERROR_UNSUPPORTED,
        "the HDF5 file was not written by this version of Scree, which reads only its own: %s", what);
}

// Reports an error in the header of a group or data set.
static scree_status foreign_in(const struct node *node, const char *what)
{
    char text[400];
    const int length = (int)node->name.size;
    snprintf(text, sizeof text, "%s '%.*s' %s", length > 0 ? "the header of" : "the first header",
             length > 0 ? length : 1, length > 0 ? (const char *)node->name.at : "/", what);
    return foreign(text);
}

static bool begins(struct span span, const void *bytes, size_t size)
{
    return span.size >= size && memcmp(span.at, bytes, size) == 0;
}

// The number in `size` bytes from `at` on; 0 if they are not there.
static uint64_t number_at(struct span span, size_t at, size_t size)
{
    return at <= span.size && size <= span.size - at ? scree_hdf_format_number(span.at + at, size) : 0;
}

static struct span skip(struct span span, size_t size)
{
    return (struct span){span.at + size, span.size - size};
}

// Returns whether the first message is whole and of that type; gets its data, and what follows.
static bool take_message(struct span *messages, int type, struct span *data)
{
    const size_t size = (size_t)number_at(*messages, 1, 2);
    if (messages->size < SCREE_HDF_MESSAGE + size || number_at(*messages, 0, 1) != (uint64_t)type)
        return false;
    *data = (struct span){messages->at + SCREE_HDF_MESSAGE, size};
    *messages = skip(*messages, SCREE_HDF_MESSAGE + size);
    return true;
}

// --- attributes

struct attribute {
    struct span name, type, space, data; // the name with its final zero
};

// Gets the parts of an attribute; false if their sizes are not those of an attribute as Scree writes it.
static bool split(struct span data, struct attribute *attribute)
{
    const size_t name = (size_t)number_at(data, 2, 2), type = (size_t)number_at(data, 4, 2),
                 space = (size_t)number_at(data, 6, 2);
    if (data.size < 9 + name + type + space || name == 0 || number_at(data, 0, 2) != 3 || data.at[8] != 0 ||
        memchr(data.at + 9, 0, name) != data.at + 9 + name - 1)
        return false;
    attribute->name = (struct span){data.at + 9, name};
    attribute->type = (struct span){attribute->name.at + name, type};
    attribute->space = (struct span){attribute->type.at + type, space};
    attribute->data = skip(data, 9 + name + type + space);
    return true;
}

// Takes the attributes from the messages, if there are any; false if one is invalid.
static bool take_attributes(struct span *messages, struct span *attributes)
{
    struct span data;
    struct attribute attribute;
    *attributes = (struct span){0};
    if (!begins(*messages, scree_hdf_format_attributes_start, SCREE_HDF_ATTRIBUTES))
        return true;
    *messages = skip(*messages, SCREE_HDF_ATTRIBUTES);
    *attributes = *messages;
    while (take_message(messages, SCREE_HDF_ATTRIBUTE, &data))
        if (data.at[-1] != 0 || !split(data, &attribute))
            return false;
    attributes->size -= messages->size;
    return attributes->size > 0;
}

static bool find_attribute(const struct node *node, const char *name, struct attribute *attribute)
{
    struct span rest = node->attributes, data;
    while (take_message(&rest, SCREE_HDF_ATTRIBUTE, &data))
        if (split(data, attribute) && strcmp((const char *)attribute->name.at, name) == 0)
            return true;
    return false;
}

// --- data sets

static bool find_type(struct span messages, size_t at, scree_type *type)
{
    for (*type = SCREE_F64; *type <= SCREE_CHAR; ++*type) {
        const struct scree_hdf_datatype *datatype = &scree_hdf_format_datatypes[*type];
        if (number_at(messages, at + 1, 2) == datatype->size &&
            begins(skip(messages, at + SCREE_HDF_MESSAGE), datatype->bytes, datatype->size))
            return true;
    }
    return false;
}

// Looks where the messages of a data set would have its properties; wrong ones are noticed later.
static bool guess_place(struct span messages, struct scree_hdf_place *place)
{
    const size_t rank = (size_t)number_at(messages, 5, 1), type = SCREE_HDF_MESSAGE + 4 + 8 * rank;
    *place = (struct scree_hdf_place){.address = SCREE_HDF_NOWHERE};
    if (rank < 1 || rank > 2 || messages.size < type + SCREE_HDF_MESSAGE + 20)
        return false;
    place->shape.rows = (size_t)number_at(messages, 8, 8);
    place->shape.width = rank > 1 ? (unsigned)number_at(messages, 16, 4) : 0;
    if (!find_type(messages, type, &place->shape.type) || (rank > 1 && place->shape.width == 0))
        return false;
    // after the datatype and the fill value
    const size_t layout = type + SCREE_HDF_MESSAGE + scree_hdf_format_datatypes[place->shape.type].size +
                          SCREE_HDF_MESSAGE + 2 + SCREE_HDF_MESSAGE;
    if (number_at(messages, layout, 1) == 3) {
        place->address = number_at(messages, layout + 2, 8);
        return true;
    }
    const size_t sizes = layout + 5 + 4 * (rank + 1);
    place->packed = number_at(messages, sizes + 1, 8);
    place->address = number_at(messages, sizes + 13, 8);
    // the last setting of the last filter
    const size_t filters = scree_field_size(place->shape.type) > 1 ? 2 : 1;
    place->level = (unsigned)number_at(messages, sizes + 21 + SCREE_HDF_MESSAGE + 2 + 10 * filters - 4, 4);
    return place->packed > 0;
}

// Returns whether the data are between superblock and headers, and can have that size.
static bool is_within(const struct scree_hdf_reader *reader, const struct scree_hdf_place *place)
{
    size_t bytes;
    if (!scree_hdf_format_bytes(&place->shape, &bytes))
        return false;
    if (bytes == 0)
        return place->address == SCREE_HDF_NOWHERE && place->packed == 0;
    const uint64_t stored = place->packed > 0 ? place->packed : bytes;
    return place->address >= SCREE_HDF_SUPERBLOCK && place->address <= reader->headers &&
           stored <= reader->headers - place->address &&
           (place->packed == 0 || (bytes <= SCREE_HDF_MOST_CHUNK && place->packed < bytes &&
                                   bytes / SCREE_HDF_MOST_RATIO <= place->packed));
}

static scree_status read_set(const struct scree_hdf_reader *reader, struct node *node, struct span messages)
{
    unsigned char expected[SCREE_HDF_DATA];
    size_t size = 0;
    if (guess_place(messages, &node->place))
        size = (size_t)(scree_hdf_format_put_place(expected, &node->place) - expected);
    if (size == 0 || !begins(messages, expected, size))
        return foreign_in(node, "is neither that of a group nor that of a list or table of numbers");
    if (!is_within(reader, &node->place))
        return foreign_in(node, "has an impossible size, or an address outside the file");
    messages = skip(messages, size);
    return take_attributes(&messages, &node->attributes) && messages.size == 0
               ? SCREE_OK
               : foreign_in(node, "has invalid attributes");
}

// --- groups

static int compare(struct span one, struct span two)
{
    const int order = memcmp(one.at, two.at, one.size < two.size ? one.size : two.size);
    return order != 0 ? order : one.size < two.size ? -1 : one.size > two.size;
}

// Gets name and header of a member from the data of a link message; false if it is not one as Scree writes
// it.
static bool read_link(struct span data, struct node *member)
{
    const size_t length = (size_t)number_at(data, 2, 1);
    *member = (struct node){0};
    if (data.size != 3 + length + 8 || number_at(data, 0, 2) != 1)
        return false;
    member->name = (struct span){data.at + 3, length};
    member->header = number_at(data, 3 + length, 8);
    return scree_hdf_format_is_name(member->name.at, length);
}

// Adds the members of group `index` to the list.
static scree_status read_members(struct scree_hdf_reader *reader, size_t index, struct span messages)
{
    struct span data, before = {0};
    struct node member;
    reader->nodes.data[index].first = reader->nodes.count;
    for (; messages.size > 0; before = member.name) {
        if (!take_message(&messages, SCREE_HDF_LINK_TO, &data) || data.at[-1] != 0 ||
            !read_link(data, &member) || (before.at && compare(before, member.name) >= 0))
            return foreign_in(&reader->nodes.data[index], "has invalid links or other messages");
        SCREE_TRY(scree_array_push(&reader->nodes, member));
        ++reader->nodes.data[index].count;
    }
    return SCREE_OK;
}

// --- opening

// Finds the messages of a header that begins at `*address`; moves `*address` to its end.
static scree_status take_header(const struct scree_hdf_reader *reader, uint64_t *address,
                                struct span *messages)
{
    const struct span header = skip(reader->file, (size_t)*address);
    const size_t size = (size_t)number_at(header, SCREE_HDF_PREFIX - 4, 4);
    if (header.size < SCREE_HDF_PREFIX + SCREE_HDF_CHECKSUM ||
        size > header.size - SCREE_HDF_PREFIX - SCREE_HDF_CHECKSUM)
        return damaged("a header does not end before the end of the file");
    if (!begins(header, "OHDR\2\2", 6))
        return foreign("there is an object header of another kind");
    if (number_at(header, SCREE_HDF_PREFIX + size, SCREE_HDF_CHECKSUM) !=
        scree_hdf_format_checksum(header.at, SCREE_HDF_PREFIX + size))
        return damaged("a header does not match its checksum");
    *messages = (struct span){header.at + SCREE_HDF_PREFIX, size};
    *address += SCREE_HDF_PREFIX + size + SCREE_HDF_CHECKSUM;
    return SCREE_OK;
}

static scree_status read_headers(struct scree_hdf_reader *reader)
{
    uint64_t address = reader->headers;
    SCREE_TRY(scree_array_push(&reader->nodes, (struct node){.header = address}));
    for (size_t n = 0; n < reader->nodes.count; ++n) {
        struct span messages;
        struct node *node = &reader->nodes.data[n];
        if (node->header != address)
            return foreign_in(node, "is not where Scree would have written it");
        SCREE_TRY(take_header(reader, &address, &messages));
        node->group = begins(messages, scree_hdf_format_group_start, SCREE_HDF_GROUP);
        if (!node->group) {
            SCREE_TRY(read_set(reader, node, messages));
            continue;
        }
        messages = skip(messages, SCREE_HDF_GROUP);
        if (!take_attributes(&messages, &node->attributes))
            return foreign_in(node, "has invalid attributes");
        SCREE_TRY(read_members(reader, n, messages));
    }
    if (!reader->nodes.data[0].group || address != reader->file.size)
        return foreign("there is no first group, or there are data after the last header");
    return SCREE_OK;
}

// Finds the superblock, before which is a user block of 0, 512, 1024, 2048, ... bytes.
static scree_status read_superblock(struct scree_hdf_reader *reader, const void *image, size_t size)
{
    const struct span all = {(const unsigned char *)image, size};
    size_t before = 0;
    unsigned char expected[SCREE_HDF_SUPERBLOCK];
    while (before < size && !begins(skip(all, before), scree_hdf_format_signature, SCREE_HDF_SIGNATURE))
        before = before == 0 ? 512 : before <= SIZE_MAX / 2 ? 2 * before : SIZE_MAX;
    if (before >= size)
        return scree_status_fail(SCREE_ERROR_IO, "it is not an HDF5 file");
    reader->file = skip(all, before);
    if (reader->file.size < SCREE_HDF_SUPERBLOCK)
        return damaged("it ends in its superblock");
    if (number_at(reader->file, SCREE_HDF_SIGNATURE, 1) != SCREE_HDF_VERSION)
        return foreign("its superblock has another version");
    if (scree_hdf_format_checksum(reader->file.at, SCREE_HDF_SUPERBLOCK - SCREE_HDF_CHECKSUM) !=
        number_at(reader->file, SCREE_HDF_SUPERBLOCK - SCREE_HDF_CHECKSUM, SCREE_HDF_CHECKSUM))
        return damaged("its superblock does not match its checksum");
    if (number_at(reader->file, 28, 8) != size)
        return damaged("it does not have the length that it had when it was written");
    reader->headers = number_at(reader->file, 36, 8);
    (void)scree_hdf_format_put_superblock(expected, before, reader->file.size, reader->headers);
    if (!begins(reader->file, expected, sizeof expected) || reader->headers < SCREE_HDF_SUPERBLOCK ||
        reader->headers > reader->file.size)
        return foreign("its superblock has another content");
    return SCREE_OK;
}

scree_status scree_hdf_read_open(struct scree_hdf_reader **made, const void *image, size_t size)
{
    SCREE_TRY(scree_memory_new(1, sizeof **made, (void **)made));
    SCREE_TRY(read_superblock(*made, image, size));
    return read_headers(*made);
}

void scree_hdf_read_free(struct scree_hdf_reader *reader)
{
    if (reader)
        scree_array_free(&reader->nodes);
    scree_memory_free(reader);
}

// --- finding

// Finds a member of a group by bisection; null if there is none.
static const struct node *find_member(const struct scree_hdf_reader *reader, const struct node *group,
                                      struct span name)
{
    size_t low = group->first, high = group->first + group->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare(reader->nodes.data[middle].name, name);
        if (order == 0)
            return &reader->nodes.data[middle];
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return NULL;
}

// Finds a group or data set; null if there is none.
static const struct node *find(const struct scree_hdf_reader *reader, const char *path)
{
    const struct node *node = reader->nodes.data;
    if (path[0] != '/')
        return NULL;
    while (node && path[0] == '/' && path[1]) {
        const size_t length = strcspn(path + 1, "/");
        node = find_member(reader, node, (struct span){(const unsigned char *)path + 1, length});
        path += 1 + length;
    }
    return node;
}

scree_status scree_hdf_read_find(const struct scree_hdf_reader *reader, const char *path,
                                 struct scree_hdf_shape *shape)
{
    const struct node *node = find(reader, path);
    *shape = node ? node->place.shape : (struct scree_hdf_shape){0};
    return node && !node->group
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_MISSING, "there is no data set '%s' in the file", path);
}

scree_status scree_hdf_read_data(const struct scree_hdf_reader *reader, const char *path,
                                 const struct scree_hdf_shape *shape, void *data)
{
    struct scree_hdf_shape found;
    size_t bytes;
    SCREE_TRY(scree_hdf_read_find(reader, path, &found));
    if (found.type != shape->type || found.rows != shape->rows || found.width != shape->width)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' does not have the expected type and size", path);
    const struct scree_hdf_place *place = &find(reader, path)->place;
    if (!scree_hdf_format_bytes(shape, &bytes) || bytes == 0)
        return SCREE_OK;
    const unsigned char *stored = reader->file.at + place->address;
    if (place->packed > 0)
        return scree_hdf_deflate_undo(stored, (size_t)place->packed, data, bytes,
                                      scree_field_size(shape->type));
    memcpy(data, stored, bytes);
    return SCREE_OK;
}

bool scree_hdf_read_has(const struct scree_hdf_reader *reader, const char *path)
{
    return find(reader, path) != NULL;
}

// Finds an attribute of a type and a dataspace; false if there is none.
static bool find_typed(const struct scree_hdf_reader *reader, const char *path, const char *name,
                       const struct span *type, int rank, size_t count, struct attribute *attribute)
{
    unsigned char space[20];
    const struct node *node = find(reader, path);
    const size_t size = (size_t)(scree_hdf_format_put_space(space, rank, count, 0) - space);
    return node && find_attribute(node, name, attribute) && attribute->space.size == size &&
           begins(attribute->space, space, size) && begins(attribute->type, type->at, type->size);
}

static scree_status no_attribute(const char *path, const char *name)
{
    return scree_status_fail(SCREE_ERROR_MISSING, "'%s' has no attribute '%s' of the expected type", path,
                             name);
}

scree_status scree_hdf_read_numbers(const struct scree_hdf_reader *reader, const char *path, const char *name,
                                    scree_type type, size_t count, void *values)
{
    struct attribute attribute;
    const struct span expected = {scree_hdf_format_datatypes[type].bytes,
                                  scree_hdf_format_datatypes[type].size};
    if (!find_typed(reader, path, name, &expected, 1, count, &attribute) ||
        attribute.type.size != expected.size || attribute.data.size != count * scree_field_size(type))
        return no_attribute(path, name);
    (void)scree_hdf_format_put((unsigned char *)values, attribute.data.at, attribute.data.size);
    return SCREE_OK;
}

scree_status scree_hdf_read_text(const struct scree_hdf_reader *reader, const char *path, const char *name,
                                 char *text, size_t capacity)
{
    struct attribute attribute;
    const struct span expected = {scree_hdf_format_text, sizeof scree_hdf_format_text};
    memset(text, 0, capacity);
    if (!find_typed(reader, path, name, &expected, 0, 0, &attribute) ||
        attribute.type.size != SCREE_HDF_TEXT ||
        number_at(attribute.type, sizeof scree_hdf_format_text, 4) != attribute.data.size ||
        attribute.data.size >= capacity)
        return no_attribute(path, name);
    (void)scree_hdf_format_put((unsigned char *)text, attribute.data.at, attribute.data.size);
    return SCREE_OK;
}

scree_status scree_hdf_read_count(const struct scree_hdf_reader *reader, const char *path, size_t *count)
{
    const struct node *node = find(reader, path);
    *count = node ? node->count : 0;
    return node && node->group
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_MISSING, "there is no group '%s' in the file", path);
}

scree_status scree_hdf_read_name(const struct scree_hdf_reader *reader, const char *path, size_t index,
                                 char *name, size_t capacity)
{
    const struct node *node = find(reader, path);
    if (!node || index >= node->count || reader->nodes.data[node->first + index].name.size >= capacity)
        return scree_status_fail(SCREE_ERROR_MISSING,
                                 "'%s' has no member %zu with a name of less than %zu characters", path,
                                 index, capacity);
    const struct span found = reader->nodes.data[node->first + index].name;
    memcpy(name, found.at, found.size);
    name[found.size] = 0;
    return SCREE_OK;
}
