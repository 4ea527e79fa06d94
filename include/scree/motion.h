// Integration schemes (time integrators); an engine selects them by name, see soft.h.
#ifndef SCREE_MOTION_H
#define SCREE_MOTION_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of integration schemes. */
typedef enum scree_motion_kind {
    SCREE_TRANSLATION, /**< of the centre of mass of all bodies */
    SCREE_ROTATION     /**< of general rigid bodies; spheres and disks always use "spherical" */
} scree_motion_kind;

/** Name of integration scheme number `index` of a kind, or null past the last. */
const char *scree_motion_name(scree_motion_kind kind, size_t index);

/** One sentence about that scheme, with its source; null past the last. */
const char *scree_motion_about(scree_motion_kind kind, size_t index);

#ifdef __cplusplus
}
#endif
#endif
