// Version and build of the library, and the machine it runs on.
#ifndef SCREE_VERSION_H
#define SCREE_VERSION_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Build of the library and properties of the machine. All texts are constant. */
struct scree_version_facts {
    const char *version;     /**< such as 0.1.0 */
    const char *compiler;    /**< with its version */
    const char *build;       /**< build type, such as Release */
    const char *flags;       /**< compiler flags that affect results or the required processor */
    bool assertions;         /**< assertions are on; every step is validated */
    const char *const *sets; /**< instruction sets of the compiled contact laws, terminated by null */
    size_t set;              /**< index in `sets` of the one used on this processor */
    int threads;             /**< of an engine with `threads` 0 */
};

/** A library used by Scree. */
struct scree_version_library {
    const char *name, *version;
};

/** Fills `facts`, not null. */
void scree_version_get(struct scree_version_facts *facts);

/** Copies library number `index` to `library`, not null; returns false past the last. */
bool scree_version_library_at(size_t index, struct scree_version_library *library);

#ifdef __cplusplus
}
#endif
#endif
