// Contact laws: the built-in ones, and registration of laws of users.
#ifndef SCREE_LAWS_H
#define SCREE_LAWS_H

#include <scree/law.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Built-in contact law number `index`, or null past the last. */
const struct scree_contact_law *scree_law_at(size_t index);

/** Parameter number `index` that every law with a force has besides its own, or null past the last. */
const struct scree_law_parameter *scree_law_extra_at(size_t index);

/** Registers a law in a world. The caller keeps the law, which must outlive the world. Material properties
 * that the law needs are added as fields of materials if they do not exist. */
SCREE_NODISCARD scree_status scree_law_register(struct scree_world *world,
                                                const struct scree_contact_law *law);

/** Type of the function scree_law_entry that a shared object exports for scree_law_load. */
typedef const struct scree_contact_law *scree_law_entry_function(void);

/** Loads a shared object and registers the law that its function scree_law_entry returns. `path` must contain
 * a slash. The object is closed when the world is destroyed, or at once if the law is refused. */
SCREE_NODISCARD scree_status scree_law_load(struct scree_world *world, const char *path);

#ifdef __cplusplus
}
#endif
#endif
