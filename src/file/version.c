// Version and build of Scree, see scree/version.h.

#include "base/processor.h"
#include "base/team.h"

#include <scree/version.h>

#include <libfyaml.h>
#include <zlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

static const char *const sets[] = {
#ifdef __x86_64__
    "x86-64-v2", "x86-64-v3", "x86-64-v4",
#else
    "one for all processors",
#endif
    NULL};

void scree_version_get(struct scree_version_facts *facts)
{
    *facts = (struct scree_version_facts){
        .version = SCREE_VERSION,
#ifdef __clang__
        .compiler = "clang " __clang_version__,
#else
        .compiler = "gcc " __VERSION__,
#endif
        .build = SCREE_VERSION_BUILD,
        .flags = SCREE_VERSION_FLAGS,
#ifndef NDEBUG
        .assertions = true,
#endif
        .sets = sets,
        .set = (size_t)scree_processor_set(),
        .threads = scree_team_size(&(struct scree_team){0}),
    };
}

bool scree_version_library_at(size_t index, struct scree_version_library *library)
{
    const struct scree_version_library libraries[] = {
        {"libfyaml", fy_library_version()},
        {"xxHash",
         TEXT_OF(XXH_VERSION_MAJOR) "." TEXT_OF(XXH_VERSION_MINOR) "." TEXT_OF(XXH_VERSION_RELEASE)},
        {"zlib", zlibVersion()},
    };
    if (index >= sizeof libraries / sizeof libraries[0])
        return false;
    *library = libraries[index];
    return true;
}
