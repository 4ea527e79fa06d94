// Checksum header of files, see checksum.h.

#include "file/checksum.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { NAME = 40 };

// Writes the start of the header up to the version; returns its length.
static size_t write_start(const struct scree_checksum_kind *kind, char text[NAME])
{
    return (size_t)snprintf(text, NAME, "Scree %s ", kind->name);
}

static void write_checksum(const struct scree_checksum_kind *kind, char checksum[SCREE_CHECKSUM_HEADER],
                           const void *rest, size_t size)
{
    const XXH128_hash_t hash = XXH3_128bits(rest, size);
    memset(checksum, '\n', SCREE_CHECKSUM_HEADER);
    const int length = snprintf(checksum, SCREE_CHECKSUM_HEADER,
                                "Scree %s %d: HDF5 from byte %d on, %zu bytes, XXH3 %016llx%016llx",
                                kind->name, kind->version, SCREE_CHECKSUM_HEADER, size,
                                (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    checksum[length] = '\n';
}

void scree_checksum_write(const struct scree_checksum_kind *kind, void *image, size_t size)
{
    write_checksum(kind, (char *)image, (char *)image + SCREE_CHECKSUM_HEADER, size - SCREE_CHECKSUM_HEADER);
}

bool scree_checksum_is(const struct scree_checksum_kind *kind, const void *image, size_t size)
{
    char head[NAME];
    const size_t length = write_start(kind, head);
    return size >= length && memcmp(image, head, length) == 0;
}

scree_status scree_checksum_check(const struct scree_checksum_kind *kind, const char *path, const void *image,
                                  size_t size)
{
    char expected[SCREE_CHECKSUM_HEADER];
    const char *checksum = (const char *)image;
    const size_t version = write_start(kind, expected);
    if (size < SCREE_CHECKSUM_HEADER || !scree_checksum_is(kind, image, size))
        return scree_status_fail(SCREE_ERROR_IO, "'%s' is not a %s of Scree, or its start is damaged", path,
                                 kind->name);
    write_checksum(kind, expected, checksum + SCREE_CHECKSUM_HEADER, size - SCREE_CHECKSUM_HEADER);
    if (memcmp(expected, checksum, SCREE_CHECKSUM_HEADER) == 0)
        return SCREE_OK;
    // a file of another version (one digit and a colon) has another checksum: with the same one it is damaged
    const size_t rest = version + 2;
    const bool other = memcmp(expected + version, checksum + version, 2) != 0 &&
                       memcmp(expected + rest, checksum + rest, SCREE_CHECKSUM_HEADER - rest) != 0;
    const bool older =
        checksum[version] >= '1' && checksum[version] < expected[version] && checksum[version + 1] == ':';
    if (other && older && kind->older)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "the %s '%s' was written by %s", kind->name, path,
                                 kind->older);
    if (other)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "the %s '%s' does not have format version %d, the only one that this Scree reads", kind->name,
            path, kind->version);
    return scree_status_fail(SCREE_ERROR_IO,
                             "the %s '%s' is damaged: its length or content does not match its checksum",
                             kind->name, path);
}
