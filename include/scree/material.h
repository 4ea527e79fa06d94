// Materials: named sets of properties. A property is a field of the entity "material", one number per
// material, "not given" until it is set; using a property that was not given is an error that names it.
#ifndef SCREE_MATERIAL_H
#define SCREE_MATERIAL_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Definition of a material. */
struct scree_material_def {
    const char *name; /**< not null, not empty, under 32 bytes, unique in the world; copied */
    double density;   /**< kg/m^3, positive */
};

/** Adds a material; `id` (not null) receives its id. */
SCREE_NODISCARD scree_status scree_material_add(struct scree_world *world,
                                                const struct scree_material_def *def, scree_material_id *id);

/** Name of a material, borrowed until a material is added; null if there is no such material. */
const char *scree_material_name(const struct scree_world *world, scree_material_id id);

/** Finds a material by its name. */
SCREE_NODISCARD scree_status scree_material_find(const struct scree_world *world, const char *name,
                                                 scree_material_id *id);

/** Sets property `name` ("young" in Pa, "poisson", or a field added to "material") to a finite `value`.
 * "young" may be INFINITY: a rigid material. */
SCREE_NODISCARD scree_status scree_material_set(struct scree_world *world, scree_material_id id,
                                                const char *name, double value);

/** Reads property `name` into `value`, not null; it is an error if the property was not given. */
SCREE_NODISCARD scree_status scree_material_get(const struct scree_world *world, scree_material_id id,
                                                const char *name, double *value);

#ifdef __cplusplus
}
#endif
#endif
