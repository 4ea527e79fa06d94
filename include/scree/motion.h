// The laws of motion that there are; soft.h tells which of them an engine obeys.
#ifndef SCREE_MOTION_H
#define SCREE_MOTION_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The two kinds of laws of motion. */
typedef enum scree_motion_kind {
    SCREE_TRANSLATION, /**< of the centre of mass, of every body */
    SCREE_ROTATION     /**< about it, of general rigid bodies; round ones obey "spherical" */
} scree_motion_kind;

/** Name of law of motion number `index` of a kind, or null past the last. */
const char *scree_motion_name(scree_motion_kind kind, size_t index);

/** One sentence on that law, with its source; null past the last. */
const char *scree_motion_about(scree_motion_kind kind, size_t index);

#ifdef __cplusplus
}
#endif
#endif
