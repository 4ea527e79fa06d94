// Interactions: rules that assign a contact law to pairs of materials.
//
// The first rule that matches a pair of materials, in either order, applies: put exceptions first and the
// general rule last. A world without rules has no contacts. In a world with rules, a pair of materials in use
// without a matching rule is an error that names the pair; it is reported when an engine is created or at the
// start of a run. More than 254 different combinations of law and constants are an error too.
//
// Rules may change while contacts exist: contact histories are kept if the law of the pair stays the same,
// even with other parameters, and cleared if the law changes.
#ifndef SCREE_INTERACTION_H
#define SCREE_INTERACTION_H

#include <scree/laws.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** The value of one parameter of a law. */
struct scree_interaction_value {
    const char *name; /**< a parameter of the law, or one that all laws have (scree_law_extra_at) */
    double number;    /**< in the unit of the law's table */
    const char *word; /**< for a parameter with choices; `number` is ignored then; else null */
};

/** A rule. */
struct scree_interaction_def {
    scree_material_id between[2]; /**< value 0 matches any material */
    const char *law;              /**< name of a built-in, registered or loaded law; "none": no contact */
    const struct scree_interaction_value *values; /**< array of `count` values; null if count is 0 */
    size_t count;
};

/** Appends a rule. Refused inside a step. The message of a failure names the invalid value. */
SCREE_NODISCARD scree_status scree_interaction_add(struct scree_world *world,
                                                   const struct scree_interaction_def *def);

/** Removes all rules. Refused inside a step. */
SCREE_NODISCARD scree_status scree_interaction_clear(struct scree_world *world);

/** Number of rules. */
size_t scree_interaction_count(const struct scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
