// Which Scree this is, how it was built, and what it finds to run on.
#ifndef SCREE_VERSION_H
#define SCREE_VERSION_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Facts of the library as it was built, and of the machine as it is. All texts are constant. */
struct scree_version_facts {
    const char *version;     /**< as 0.1.0 */
    const char *compiler;    /**< with its version */
    const char *build;       /**< type of the build, as Release */
    const char *flags;       /**< those that decide the bits of results and the least processor */
    bool assertions;         /**< every step is validated */
    const char *const *sets; /**< instruction sets that contact laws were compiled for, closed by null */
    size_t set;              /**< number of the one that this processor gets */
    int threads;             /**< that an engine takes which is asked for 0 */
};

/** A library that this one was built with. */
struct scree_version_library {
    const char *name, *version;
};

/** Tells the facts into `facts`, not null. */
void scree_version_get(struct scree_version_facts *facts);

/** Library number `index` into `library`, not null; false past the last. */
bool scree_version_library_at(size_t index, struct scree_version_library *library);

#ifdef __cplusplus
}
#endif
#endif
