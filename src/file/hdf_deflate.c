// Compressed data of HDF5 files, see hdf_format.h. The bytes of the elements are moved through a small piece,
// so that neither direction needs memory in proportion to the data. All memory of zlib comes from
// base/memory.h.

#include "base/memory.h"
#include "file/hdf_format.h"

#define ZLIB_CONST
#include <zlib.h>

enum {
    PIECE = 1 << 15,      // bytes moved at a time
    LEAST_ROOM = 1 << 14, // bytes by which a file grows, at least
    MOST_ROOM = 1 << 30   // bytes of one call of zlib
};

// Shuffled data, and the next byte of them: byte `byte` of element `element`.
struct shuffled {
    size_t elements, size;
    size_t byte, element;
    unsigned char piece[PIECE];
    z_stream stream;
};

static void *get_memory(void *user, unsigned count, unsigned size)
{
    void *block;
    (void)user;
    return scree_memory_new(count, size, &block) == SCREE_OK ? block : NULL;
}

static void free_memory(void *user, void *block)
{
    (void)user;
    scree_memory_free(block);
}

static scree_status begin(size_t bytes, size_t size, struct shuffled **made)
{
    SCREE_TRY(scree_memory_new(1, sizeof **made, (void **)made));
    (*made)->elements = bytes / size;
    (*made)->size = size;
    (*made)->stream.zalloc = get_memory;
    (*made)->stream.zfree = free_memory;
    return SCREE_OK;
}

// A failed allocation has stored its message already.
static scree_status fail(int answer)
{
    return answer == Z_MEM_ERROR
               ? SCREE_ERROR_MEMORY
               : scree_status_fail(SCREE_ERROR_IO, "compressed data are damaged, or zlib fails (error %d)",
                                   answer);
}

// --- shuffling

static bool is_complete(const struct shuffled *shuffled)
{
    return shuffled->byte == shuffled->size;
}

// Bytes of the next piece: the rest of a place in all elements.
static size_t next_count(const struct shuffled *shuffled)
{
    const size_t left = shuffled->elements - shuffled->element;
    return left < PIECE ? left : PIECE;
}

static void advance(struct shuffled *shuffled, size_t count)
{
    shuffled->element += count;
    if (shuffled->element == shuffled->elements) {
        shuffled->element = 0;
        ++shuffled->byte;
    }
}

// Moves bytes that have a distance on one side or on both; a constant distance makes it fast.
static inline void move(unsigned char *to, size_t to_distance, const unsigned char *from,
                        size_t from_distance, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        to[k * to_distance] = from[k * from_distance];
}

// Fills the piece; returns its bytes.
static size_t gather(struct shuffled *shuffled, const unsigned char *data)
{
    const size_t count = next_count(shuffled), size = shuffled->size;
    const unsigned char *from = data + shuffled->element * size + shuffled->byte;
    if (size == 8)
        move(shuffled->piece, 1, from, 8, count);
    else if (size == 4)
        move(shuffled->piece, 1, from, 4, count);
    else
        move(shuffled->piece, 1, from, size, count);
    advance(shuffled, count);
    return count;
}

// Moves the piece to its places.
static void scatter(struct shuffled *shuffled, unsigned char *data)
{
    const size_t count = next_count(shuffled), size = shuffled->size;
    unsigned char *to = data + shuffled->element * size + shuffled->byte;
    if (size == 8)
        move(to, 8, shuffled->piece, 1, count);
    else if (size == 4)
        move(to, 4, shuffled->piece, 1, count);
    else
        move(to, size, shuffled->piece, 1, count);
    advance(shuffled, count);
}

// --- writing

static scree_status deflate_all(struct shuffled *shuffled, const void *data, size_t most,
                                struct scree_hdf_image *image)
{
    z_stream *stream = &shuffled->stream;
    const size_t first = image->size;
    int answer = Z_OK;
    while (answer == Z_OK && image->size - first < most) {
        SCREE_TRY(scree_hdf_write_reserve(image, LEAST_ROOM));
        if (stream->avail_in == 0 && !is_complete(shuffled)) {
            stream->avail_in = (unsigned)gather(shuffled, (const unsigned char *)data);
            stream->next_in = shuffled->piece;
        }
        const size_t free = image->capacity - image->size, room = free < MOST_ROOM ? free : MOST_ROOM;
        stream->next_out = image->data + image->size;
        stream->avail_out = (unsigned)room;
        answer = deflate(stream, is_complete(shuffled) ? Z_FINISH : Z_NO_FLUSH);
        image->size += room - stream->avail_out;
    }
    return answer == Z_OK || answer == Z_STREAM_END ? SCREE_OK : fail(answer);
}

scree_status scree_hdf_deflate(struct scree_hdf_image *image, const void *data, size_t bytes, size_t size,
                               int level, size_t *stored)
{
    const size_t first = image->size;
    struct shuffled *shuffled;
    *stored = 0;
    SCREE_TRY(begin(bytes, size, &shuffled));
    const int answer = deflateInit(&shuffled->stream, level);
    scree_status status = answer == Z_OK ? SCREE_OK : fail(answer);
    if (status == SCREE_OK) {
        status = deflate_all(shuffled, data, bytes, image);
        (void)deflateEnd(&shuffled->stream);
    }
    if (status == SCREE_OK && image->size - first < bytes)
        *stored = image->size - first;
    else
        image->size = first;
    scree_memory_free(shuffled);
    return status;
}

// --- reading

// Inflates exactly `count` bytes into the piece.
static scree_status fill_piece(struct shuffled *shuffled, size_t count, int *answer)
{
    z_stream *stream = &shuffled->stream;
    stream->next_out = shuffled->piece;
    stream->avail_out = (unsigned)count;
    while (*answer == Z_OK && stream->avail_out > 0)
        *answer = inflate(stream, Z_NO_FLUSH);
    return stream->avail_out == 0 && (*answer == Z_OK || *answer == Z_STREAM_END) ? SCREE_OK : fail(*answer);
}

static scree_status inflate_all(struct shuffled *shuffled, void *data)
{
    z_stream *stream = &shuffled->stream;
    int answer = Z_OK;
    while (!is_complete(shuffled)) {
        SCREE_TRY(fill_piece(shuffled, next_count(shuffled), &answer));
        scatter(shuffled, (unsigned char *)data);
    }
    // the end, with its checksum, and no byte more on either side
    stream->next_out = shuffled->piece;
    stream->avail_out = 1;
    if (answer == Z_OK)
        answer = inflate(stream, Z_NO_FLUSH);
    return answer == Z_STREAM_END && stream->avail_out == 1 && stream->avail_in == 0 ? SCREE_OK
                                                                                     : fail(answer);
}

scree_status scree_hdf_deflate_undo(const unsigned char *packed, size_t stored, void *data, size_t bytes,
                                    size_t size)
{
    struct shuffled *shuffled;
    SCREE_TRY(begin(bytes, size, &shuffled));
    shuffled->stream.next_in = packed;
    shuffled->stream.avail_in = (unsigned)stored;
    const int answer = inflateInit(&shuffled->stream);
    scree_status status = answer == Z_OK ? SCREE_OK : fail(answer);
    if (status == SCREE_OK) {
        status = inflate_all(shuffled, data);
        (void)inflateEnd(&shuffled->stream);
    }
    scree_memory_free(shuffled);
    return status;
}
