// Seals of files, see seal.h.

#include "file/seal.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { NAME = 40 };

// What all seals of a kind begin with, before the version; how long that is.
static size_t begin(const struct scree_seal_kind *kind, char text[NAME])
{
    return (size_t)snprintf(text, NAME, "Scree %s ", kind->name);
}

static void write_seal(const struct scree_seal_kind *kind, char seal[SCREE_SEAL], const void *rest,
                       size_t size)
{
    const XXH128_hash_t hash = XXH3_128bits(rest, size);
    memset(seal, '\n', SCREE_SEAL);
    const int length = snprintf(
        seal, SCREE_SEAL, "Scree %s %d: HDF5 from byte %d on, %zu bytes, XXH3 %016llx%016llx", kind->name,
        kind->version, SCREE_SEAL, size, (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    seal[length] = '\n';
}

void scree_seal_put(const struct scree_seal_kind *kind, void *image, size_t size)
{
    write_seal(kind, (char *)image, (char *)image + SCREE_SEAL, size - SCREE_SEAL);
}

bool scree_seal_is(const struct scree_seal_kind *kind, const void *image, size_t size)
{
    char head[NAME];
    const size_t length = begin(kind, head);
    return size >= length && memcmp(image, head, length) == 0;
}

scree_status scree_seal_check(const struct scree_seal_kind *kind, const char *path, const void *image,
                              size_t size)
{
    char due[SCREE_SEAL];
    const char *seal = (const char *)image;
    const size_t version = begin(kind, due);
    if (size < SCREE_SEAL || !scree_seal_is(kind, image, size))
        return scree_status_fail(SCREE_ERROR_IO, "'%s' is no %s of Scree, or its beginning is gone", path,
                                 kind->name);
    write_seal(kind, due, seal + SCREE_SEAL, size - SCREE_SEAL);
    if (memcmp(due, seal, SCREE_SEAL) == 0)
        return SCREE_OK;
    // a seal that is as it should be but for the version, of one digit and a colon, is damaged
    const size_t behind = version + 2;
    const bool other = memcmp(due + version, seal + version, 2) != 0 &&
                       memcmp(due + behind, seal + behind, SCREE_SEAL - behind) != 0;
    const bool older = seal[version] >= '1' && seal[version] < due[version] && seal[version + 1] == ':';
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
