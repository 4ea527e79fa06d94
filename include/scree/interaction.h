// Interactions: which contact law holds between which materials, and the laws that a user brings.
//
// A world keeps a list of rules. The first rule that matches a pair of materials, in either order, tells how
// they touch; so exceptions come first and what holds for all others last. A world without any rule has no
// contacts; in one with rules a pair of materials in use that none of them matches is an error that names the
// pair, when an engine is created or, if it comes to be later, when the world is run. So are more than 254
// contacts that differ in law or constants.
//
// Rules may change under contacts that live: what these remember stays as long as their law is the same, with
// whatever parameters, and is forgotten where it is another.
#ifndef SCREE_INTERACTION_H
#define SCREE_INTERACTION_H

#include <scree/laws.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** The value of one parameter of a law. */
struct scree_interaction_value {
    const char *name; /**< as the law's table has it, or one of resistance.h, which every law takes */
    double number;    /**< in the unit of the table */
    const char *word; /**< for a parameter that is a choice, and then `number` does not count; else null */
};

/** A rule. */
struct scree_interaction_def {
    scree_material_id between[2]; /**< value 0 means any material */
    const char *law; /**< name of a law that is built in, registered or loaded; "none": these do not touch */
    const struct scree_interaction_value *values; /**< `count` of them; null when there are none */
    size_t count;
};

/** Appends a rule. Refused inside a step. What is wrong with it is named, with what would be right. */
SCREE_NODISCARD scree_status scree_interaction_add(struct scree_world *world,
                                                   const struct scree_interaction_def *def);

/** Removes all rules. Refused inside a step. */
SCREE_NODISCARD scree_status scree_interaction_clear(struct scree_world *world);

/** How many rules there are. */
size_t scree_interaction_count(const struct scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
