// The contact laws that there are: those built in, and those that a program brings.
#ifndef SCREE_LAWS_H
#define SCREE_LAWS_H

#include <scree/law.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** The contact law number `index` of those that are built in, or null past the last. */
const struct scree_contact_law *scree_law_at(size_t index);

/** Parameter number `index` of those that every law takes besides its own, or null past the last. */
const struct scree_law_parameter *scree_law_extra_at(size_t index);

/** Makes a law known to a world by its name. The law stays the caller's and must outlive the world.
 * Properties that it asks of materials and that materials do not have yet become fields of them. */
SCREE_NODISCARD scree_status scree_law_register(struct scree_world *world,
                                                const struct scree_contact_law *law);

/** The function that a shared object exports for scree_law_load, under the name scree_law_entry. */
typedef const struct scree_contact_law *scree_law_entry_function(void);

/** Loads a shared object and registers the law that its function scree_law_entry returns. `path` holds a
 * slash; the object is closed when the world is destroyed, or at once where the law is refused. */
SCREE_NODISCARD scree_status scree_law_load(struct scree_world *world, const char *path);

#ifdef __cplusplus
}
#endif
#endif
