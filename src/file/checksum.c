// Seals of files, see checksum.h.

#include "file/checksum.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { NAME = 40 };

// What all seals of a kind begin with, before the version; how long that is.
static size_t begin(const struct scree_checksum_kind *kind, char text[NAME])
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

void scree_checksum_put(const struct scree_checksum_kind *kind, void *image, size_t size)
{
    write_checksum(kind, (char *)image, (char *)image + SCREE_CHECKSUM_HEADER, size - SCREE_CHECKSUM_HEADER);
}

bool scree_checksum_is(const struct scree_checksum_kind *kind, const void *image, size_t size)
{
    char head[NAME];
    const size_t length = begin(kind, head);
    return size >= length && memcmp(image, head, length) == 0;
}

scree_status scree_checksum_check(const struct scree_checksum_kind *kind, const char *path, const void *image,
                                  size_t size)
{
    char due[SCREE_CHECKSUM_HEADER];
    const char *checksum = (const char *)image;
    const size_t version = begin(kind, due);
    if (size < SCREE_CHECKSUM_HEADER || !scree_checksum_is(kind, image, size))
        return scree_status_fail(SCREE_ERROR_IO, "'%s' is no %s of Scree, or its beginning is gone", path,
                                 kind->name);
    write_checksum(kind, due, checksum + SCREE_CHECKSUM_HEADER, size - SCREE_CHECKSUM_HEADER);
    if (memcmp(due, checksum, SCREE_CHECKSUM_HEADER) == 0)
        return SCREE_OK;
    // a checksum that is as it should be but for the version, of one digit and a colon, is damaged
    const size_t behind = version + 2;
    const bool other = memcmp(due + version, checksum + version, 2) != 0 &&
                       memcmp(due + behind, checksum + behind, SCREE_CHECKSUM_HEADER - behind) != 0;
    const bool older =
        checksum[version] >= '1' && checksum[version] < due[version] && checksum[version + 1] == ':';
    if (other && older && kind->older)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "the %s '%s' was written by %s", kind->name, path,
                                 kind->older);
    if (other)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "the %s '%s' is of another version than %d, which this Scree reads",
                                 kind->name, path, kind->version);
    return scree_status_fail(SCREE_ERROR_IO,
                             "the %s '%s' is damaged: it is not as long as it was written, or some bytes are "
                             "others",
                             kind->name, path);
}
