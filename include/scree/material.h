// Materials: named sets of properties. A property is a field of the entity "material", one number for each
// material, unknown until it is given: what needs an unknown property fails and names it.
#ifndef SCREE_MATERIAL_H
#define SCREE_MATERIAL_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** What a material is made from. */
struct scree_material_def {
    const char *name; /**< not null, not empty, under 32 bytes, unique in the world; copied */
    double density;   /**< kg/m^3, positive */
};

/** Adds a material; `id` (not null) receives its name for this world. */
SCREE_NODISCARD scree_status scree_material_add(struct scree_world *world,
                                                const struct scree_material_def *def, scree_material_id *id);

/** Its name; null where there is none with this id. Borrowed until a material is added. */
const char *scree_material_name(const struct scree_world *world, scree_material_id id);

/** Finds a material by its name. */
SCREE_NODISCARD scree_status scree_material_find(const struct scree_world *world, const char *name,
                                                 scree_material_id *id);

/** Gives property `name` ("young" in Pa, "poisson", or a field added to "material") the value `value`,
 * finite; a "young" of INFINITY makes what is truly rigid. */
SCREE_NODISCARD scree_status scree_material_set(struct scree_world *world, scree_material_id id,
                                                const char *name, double value);

/** Reads property `name` into `value`, not null; one that was never given is an error that names it. */
SCREE_NODISCARD scree_status scree_material_get(const struct scree_world *world, scree_material_id id,
                                                const char *name, double *value);

#ifdef __cplusplus
}
#endif
#endif
